//! The skill of the current task, and which skills there are besides.

use std::{
    cell::{Cell, RefCell},
    ops::Deref,
};

use pacenote_context::{
    escape::InstallSecret,
    fragments::{
        BoundSkill, CoreSkill, CoreSkills, ListedSkill, MissingSkill, Section, SkillIndex,
    },
};
use pacenote_flow::lifecycle::Format;
use pacenote_model::{Digest, SkillLevel, SkillRef, Task, Trust};
use pacenote_skill::{
    choice::{DecidedBy, Rules, TaskView, choose},
    listing::Candidate,
    reference::Reference,
    section::sections,
    skill::Skill,
};

use super::{pieces::divided, without_secrets_in_titles};
use crate::{
    EngineError,
    handoffs::Left,
    skills::{Quick, Unusable},
};

/// Skills that are listed by name; more than that is a catalogue, and there is a search.
const LISTED: u32 = 20;

/// The skill for a task.
#[derive(Default)]
pub(super) struct SkillForTask {
    /// The skill, if there is one that may be used.
    pub(super) skill: Option<BoundSkillNote>,
    /// The one that a task names in vain.
    pub(super) missing: Option<MissingSkill>,
}

/// How much of a skill a task calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkillExtent {
    /// All of it: the task, one above it or a rule names it.
    Whole,
    /// What to do, without the rest: nothing names it, but the task is its usual case.
    Core,
    /// A line that says where it is: it is there by default.
    Line,
}

/// A skill with its text.
pub(super) struct BoundSkillNote {
    pub(super) reference: SkillRef,
    digest: Digest,
    level: SkillLevel,
    reason: String,
    /// Whether a task names it; else a rule chose it.
    pub(super) is_named: bool,
    /// How much of it the task calls for.
    pub(super) extent: SkillExtent,
    body: String,
    task_words: String,
}

impl BoundSkillNote {
    /// Returns the sections that are called for.
    pub(super) fn sections(&self, extent: SkillExtent) -> Vec<Section> {
        without_secrets_in_titles(sections_in(&self.body, extent))
    }

    /// Returns the fragment with as much of its text as is called for.
    pub(super) fn fragment<'a>(
        &self,
        extent: SkillExtent,
        secret: &'a InstallSecret,
    ) -> BoundSkill<'a> {
        BoundSkill {
            reference: self.reference.clone(),
            digest: self.digest,
            level: self.level,
            reason: self.reason.clone(),
            sections: self.sections(extent),
            task_words: self.task_words.clone(),
            secret,
        }
    }
}

/// Finds the skill for a task.
pub(super) fn find_for(
    quick: &Quick<'_>,
    task: &Task,
    above: &[&Task],
    rules: &dyn Deref<Target = Rules>,
    received: &dyn Fn(&Reference) -> bool,
) -> SkillForTask {
    let told: Vec<(String, Option<Reference>, String)> = [task]
        .iter()
        .chain(above)
        .map(|task| {
            let skill = task.skill.as_ref().and_then(|skill| Reference::parse(skill.as_str()).ok());
            (task.number.to_string(), skill, task.title.to_string())
        })
        .collect();
    let views: Vec<TaskView<'_>> = told
        .iter()
        .map(|(name, skill, title)| TaskView { name, skill: skill.as_ref(), title })
        .collect();
    let Some((own, above)) = views.split_first() else { return SkillForTask::default() };
    let found: RefCell<Option<(Candidate, Skill)>> = RefCell::new(None);
    let hindrance: Cell<Option<Unusable>> = Cell::new(None);
    let choice = choose(own, above, rules, &|wanted| match quick.find(wanted, received) {
        Ok(hit) => {
            let reference = hit.0.reference();
            found.replace(Some(hit));
            Some(reference)
        }
        Err(unusable) => {
            // The wish is looked up before what may stand in for it.
            hindrance.set(hindrance.get().or(Some(unusable)));
            None
        }
    });
    let is_named = match choice.decided_by {
        DecidedBy::Field | DecidedBy::ParentField { .. } => true,
        DecidedBy::Pattern(_) | DecidedBy::ParentPattern { .. } | DecidedBy::Default => false,
    };
    let is_default = matches!(choice.decided_by, DecidedBy::Default)
        || (is_built_in_row(&choice.decided_by) && choice.skill.to_string().ends_with(DEFAULT));
    let extent = match is_default {
        false => SkillExtent::Whole,
        // The steps of a plan say themselves how to go about it.
        true if task.plan.is_none() && is_implementation(own.title) => SkillExtent::Core,
        true => SkillExtent::Line,
    };
    let reason = choice.decided_by.to_string();
    let Some((candidate, skill)) = found.into_inner() else {
        let reference = SkillRef::parse(&choice.skill.to_string()).ok().filter(|_| is_named);
        let missing = reference.zip(hindrance.get());
        let missing = missing.map(|(reference, why)| MissingSkill {
            reference,
            named: reason,
            why: why.sentence(),
            verb: why.verb(),
        });
        return SkillForTask { skill: None, missing };
    };
    let reference = SkillRef::parse(&candidate.reference().to_string()).ok();
    let skill = reference.map(|reference| BoundSkillNote {
        reference,
        digest: candidate.digest,
        level: candidate.level,
        is_named,
        extent,
        reason,
        body: skill.body,
        task_words: own.title.to_owned(),
    });
    SkillForTask { skill, missing: None }
}

/// The skill that tasks have by default, by the end of its name.
const DEFAULT: &str = "test-driven-development";

/// Titles of the section that says what to do, in lower case, by how they begin.
const CORE: [&str; 3] = ["the cycle", "red-green-refactor", "core"];

/// Verbs with which the title of a task that changes behaviour begins, in lower case.
const IMPLEMENTING: [&str; 8] =
    ["implement", "add", "build", "create", "fix", "code", "develop", "refactor"];

/// Words in a title that mean a text and not a program, in lower case.
const WRITING: [&str; 10] = [
    "readme",
    "docs",
    "documentation",
    "typo",
    "comment",
    "comments",
    "changelog",
    "wording",
    "manual",
    "guide",
];

/// Reports whether a title clearly means that behaviour is changed.
fn is_implementation(title: &str) -> bool {
    let title = title.to_lowercase();
    let words: Vec<&str> =
        title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_writing = words.iter().any(|word| WRITING.contains(word));
    let begins = words.first().is_some_and(|first| IMPLEMENTING.contains(first));
    !is_writing && (begins || words.contains(&"implementation"))
}

/// Reports whether a row of ours decided, and not one of the person.
fn is_built_in_row(decided_by: &DecidedBy) -> bool {
    let matched = decided_by.matched();
    matched.is_some_and(|matched| matched.origin == pacenote_skill::choice::Origin::BuiltIn)
}

/// Returns the sections of a body that are called for.
fn sections_in(body: &str, extent: SkillExtent) -> Vec<Section> {
    let all = sections_of(body);
    match extent {
        SkillExtent::Whole => all,
        SkillExtent::Line => Vec::new(),
        SkillExtent::Core => {
            let is_core = |one: &Section| {
                CORE.iter().any(|title| one.title.to_lowercase().starts_with(title))
            };
            all.into_iter().filter(is_core).collect()
        }
    }
}

/// Divides a body at its headings of the first two levels: deeper ones stay with what is above.
fn sections_of(body: &str) -> Vec<Section> {
    let tops: Vec<_> = sections(body).into_iter().filter(|section| section.level <= 2).collect();
    let starts = tops.iter().map(|section| section.bytes.start);
    let ends: Vec<usize> = starts.skip(1).chain([body.len()]).collect();
    let before = tops.first().map_or(body.len(), |section| section.bytes.start);
    let opening = Section {
        title: String::new(),
        level: 0,
        text: body.get(..before).unwrap_or_default().to_owned(),
    };
    let rest = tops.into_iter().zip(ends).map(|(section, end)| Section {
        text: body.get(section.bytes.start..end).unwrap_or_default().to_owned(),
        title: section.title,
        level: section.level,
    });
    let all = [opening].into_iter().chain(rest).filter(|section| !section.text.trim().is_empty());
    all.flat_map(divided).collect()
}

/// Returns the skills that the host does not list by itself.
pub(super) fn list(quick: &Quick<'_>, host: &str) -> Result<SkillIndex, EngineError> {
    let roots: Vec<(String, SkillLevel)> = quick
        .roots_unseen_by(host)
        .map(|root| (root.path.to_string_lossy().into_owned(), root.level))
        .collect();
    let names: Vec<String> = roots.iter().map(|(root, _)| root.clone()).collect();
    let known = quick.store().skill_names(&names, LISTED)?;
    let mut skills: Vec<ListedSkill> = Vec::new();
    for (root, key, description) in known.skills {
        let Ok(reference) = SkillRef::parse(key.as_str()) else { continue };
        let level = roots.iter().find(|(path, _)| *path == root).map(|(_, level)| *level);
        let level = level.unwrap_or(SkillLevel::Plugin);
        if !skills.iter().any(|known| known.reference == reference)
            && quick.is_in_use(level, &root, &key)?
        {
            let trust = trust_of(level);
            skills.push(ListedSkill { reference, description, trust });
        }
    }
    let more = known.total.saturating_sub(LISTED).try_into().unwrap_or(usize::MAX);
    Ok(SkillIndex { skills, more, by_default: None })
}

pub(super) const fn trust_of(level: SkillLevel) -> Trust {
    match level {
        SkillLevel::Project => Trust::Project,
        SkillLevel::User | SkillLevel::Extra => Trust::User,
        SkillLevel::Plugin => Trust::Foreign,
        SkillLevel::BuiltIn => Trust::System,
    }
}

/// Skills that apply to everything whose text is told; more would leave no room for the task.
const TOLD_WHOLE: usize = 3;

/// Skills that apply to everything, or were in use in the session before.
#[derive(Default)]
pub(super) struct AlwaysApplied {
    listed: Vec<CoreSkill>,
    whole: Vec<BoundSkillNote>,
}

impl AlwaysApplied {
    /// Returns what is told of them.
    pub(super) fn into_fragments(self, secret: &InstallSecret) -> Vec<CoreSkills<'_>> {
        let whole =
            self.whole.iter().map(|note| CoreSkills::Full(note.fragment(note.extent, secret)));
        let listed = (!self.listed.is_empty()).then_some(CoreSkills::Summary(self.listed));
        whole.chain(listed).collect()
    }
}

/// Tells whether a skill is for an agent that a person speaks to: subagents are told by their role.
fn is_for_sessions(audience: &[String]) -> bool {
    let meant = ["all", "interactive", "orchestrator"];
    audience.is_empty() || audience.iter().any(|word| meant.contains(&word.to_lowercase().as_str()))
}

/// Returns the skills that apply to everything, and those that another session hands on.
pub(super) fn find_core(
    quick: &Quick<'_>,
    format: Format,
    is_injected: &dyn Fn(&SkillRef) -> bool,
    left: Option<&Left>,
) -> Result<AlwaysApplied, EngineError> {
    let mut core = AlwaysApplied::default();
    if format == Format::None {
        return Ok(core);
    }
    let is_known = |core: &AlwaysApplied, reference: &SkillRef| {
        is_injected(reference)
            || core.listed.iter().any(|known| known.skill.reference == *reference)
            || core.whole.iter().any(|known| known.reference == *reference)
    };
    for (known, level) in quick.core()? {
        let Ok(reference) = SkillRef::parse(known.key.as_str()) else { continue };
        if is_known(&core, &reference) || !is_for_sessions(&known.audience) {
            continue;
        }
        let found = (format == Format::Full && core.whole.len() < TOLD_WHOLE)
            .then(|| Reference::parse(known.key.as_str()).ok())
            .flatten()
            .and_then(|wanted| quick.find(&wanted, &|_| false).ok());
        if let Some((candidate, skill)) = found {
            core.whole.push(BoundSkillNote {
                is_named: false,
                reference,
                digest: candidate.digest,
                level: candidate.level,
                reason: "it always applies".to_owned(),
                extent: SkillExtent::Whole,
                body: skill.body,
                task_words: String::new(),
            });
            continue;
        }
        let description = known.description;
        let skill = ListedSkill { reference, description, trust: trust_of(level) };
        core.listed.push(CoreSkill { skill, why: String::new() });
    }
    for name in left.iter().flat_map(|left| &left.handoff.active_skills) {
        let Ok(reference) = SkillRef::parse(name) else { continue };
        if !is_known(&core, &reference) {
            let why = left.map(|left| format!("handed on by session {}", left.number));
            let (description, trust) = (String::new(), Trust::Agent);
            let skill = ListedSkill { reference, description, trust };
            core.listed.push(CoreSkill { skill, why: why.unwrap_or_default() });
        }
    }
    Ok(core)
}
