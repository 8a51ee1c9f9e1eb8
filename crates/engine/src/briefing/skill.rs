//! The skill of the current task, and which skills there are besides.

use std::{cell::RefCell, ops::Deref};

use pacenote_context::{
    escape::InstallSecret,
    estimate::estimate_tokens,
    fragment::Fragment,
    fragments::{
        BoundSkill, CoreSkill, CoreSkills, ListedSkill, MissingSkill, Section, SkillCoverage,
        SkillIndex, SkillLine, SkillLineAbout,
    },
    pieces::divided,
};
use pacenote_flow::lifecycle::Format;
use pacenote_model::{
    AgentName, Digest, Record, SkillLevel, SkillRef, Task, TaskId, Trust, record::InjectedSkill,
};
use pacenote_skill::{
    choice::{ChosenSkill, DecidedBy, Rules, Standing, is_implementation, is_other_work},
    digest::digest_of,
    listing::Candidate,
    reference::Reference,
    section::sections,
    skill::Skill,
};

use super::without_secrets_in_titles;
use crate::{
    EngineError,
    handoffs::Left,
    records::list_loaded_skills,
    secrets,
    skill_records::SkillRecords,
    skills::{Edition, Quick, QuickSkill, SessionSkills, TaskDescent, Unusable, with_companions},
};

/// Skills that are listed by name; more than that is a catalogue, and there is a search.
const LISTED: u32 = 20;

/// The skills for a task.
#[derive(Default)]
pub(super) struct SkillsForTask {
    /// Those that may be used, in the order in which they are read.
    pub(super) skills: Vec<BoundSkillNote>,
    /// Those that are named in vain.
    pub(super) missing: Vec<MissingSkill>,
}

/// How much of a skill a task calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkillExtent {
    /// All of it: the task, one above it or a rule of the person names it.
    Whole,
    /// What to do, without the rest: nobody names it, but the title means its usual case.
    Core,
    /// A line that says where it is.
    Line,
}

/// A skill with its text.
pub(super) struct BoundSkillNote {
    pub(super) reference: SkillRef,
    digest: Digest,
    level: SkillLevel,
    reason: String,
    /// Whether somebody named it.
    pub(super) is_named: bool,
    /// Whether a row of ours chose it, by a word in a title.
    pub(super) is_by_our_row: bool,
    /// How much of it the task calls for.
    pub(super) extent: SkillExtent,
    edition: Edition,
    description: String,
    body: String,
    task_words: String,
    /// What the history keeps of it; nothing of one that is for no task.
    chosen: Option<ChosenFor>,
}

/// For which task a skill was chosen, and what decided.
#[derive(Clone)]
struct ChosenFor {
    task: TaskId,
    rule: &'static str,
    reason: String,
}

impl BoundSkillNote {
    /// Returns the role prompt that lies beside a skill.
    pub(super) fn of_role_prompt(beside: &Candidate, digest: Digest, body: String) -> Option<Self> {
        Some(Self {
            reference: SkillRef::parse(&beside.reference().to_string()).ok()?,
            digest,
            level: beside.level,
            reason: "its prompt for this role".to_owned(),
            is_named: true,
            is_by_our_row: false,
            extent: SkillExtent::Whole,
            edition: Edition::Present,
            description: String::new(),
            body,
            task_words: String::new(),
            chosen: None,
        })
    }

    /// Returns its text.
    pub(super) fn body(&self) -> &str {
        &self.body
    }

    /// Returns how many tokens its text takes.
    pub(super) fn tokens(&self) -> u32 {
        self.sections(self.extent).iter().map(|one| estimate_tokens(&one.text)).sum()
    }

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
        let sections = self.sections(extent);
        let is_whole = sections.len() == sections_of(&self.body).len();
        BoundSkill {
            reference: self.reference.clone(),
            digest: self.digest,
            level: self.level,
            reason: self.reason.clone(),
            sections,
            coverage: if is_whole { SkillCoverage::Whole } else { SkillCoverage::Core },
            task_words: self.task_words.clone(),
            secret,
        }
    }

    /// Returns what is injected of it: its text or a line, and a line where another version exists.
    pub(super) fn fragments<'x>(&self, secret: &'x InstallSecret) -> Vec<Box<dyn Fragment + 'x>> {
        let reference = self.reference.clone();
        if self.extent == SkillExtent::Line {
            let (description, reason) = (self.description.clone(), self.reason.clone());
            let about = SkillLineAbout::Offer { description, trust: self.level.trust(), reason };
            return vec![Box::new(SkillLine { reference, about })];
        }
        let mut fragments: Vec<Box<dyn Fragment + 'x>> =
            vec![Box::new(self.fragment(self.extent, secret))];
        if self.edition == Edition::First {
            fragments.push(Box::new(SkillLine { reference, about: SkillLineAbout::Newer }));
        }
        fragments
    }

    /// Returns what is recorded of it once its text was injected. The body of a built-in skill is in
    /// the program.
    pub(super) fn injected(&self, agent: Option<&AgentName>) -> Option<InjectedSkill> {
        let ChosenFor { task, rule, reason } = self.chosen.clone()?;
        let body = secrets::without_secrets(&self.body);
        let text = digest_of(body.as_bytes());
        let is_kept = self.level != SkillLevel::BuiltIn;
        Some(InjectedSkill {
            task,
            agent: agent.cloned(),
            reference: self.reference.to_string(),
            digest: self.digest,
            rule: rule.to_owned(),
            reason,
            text,
            body: is_kept.then_some(body),
        })
    }
}

/// A task whose skills are wanted.
pub(super) struct SkillQuestion<'q> {
    pub(super) task: &'q Task,
    /// The tasks above it, the nearest first.
    pub(super) above: &'q [&'q Task],
    /// Whether the steps round it say themselves that tests are written.
    pub(super) spells_out_tests: bool,
    pub(super) titles: Titles,
}

/// Whether words in titles choose a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Titles {
    Count,
    /// Only what somebody named counts, else the core of the default: a subagent knows what it is for.
    Ignored,
}

/// Finds the skills for a task.
pub(super) fn find_for(
    quick: &Quick<'_>,
    question: &SkillQuestion<'_>,
    rules: &dyn Deref<Target = Rules>,
    session: &dyn SessionSkills,
) -> SkillsForTask {
    let SkillQuestion { task, above, spells_out_tests, titles } = question;
    if *titles == Titles::Count && is_needless(task, above, rules) {
        return SkillsForTask::default();
    }
    let found: RefCell<Vec<QuickSkill>> = RefCell::default();
    let hindrances: RefCell<Vec<(Reference, Unusable)>> = RefCell::default();
    let descent = TaskDescent::of(task, above);
    let descent = match titles {
        Titles::Count => descent,
        Titles::Ignored => descent.without_titles(),
    };
    let choice = descent.choose(rules, &|wanted| match quick.find(wanted, session) {
        Ok(hit) => {
            let reference = hit.candidate.reference();
            found.borrow_mut().push(hit);
            Some(reference)
        }
        Err(unusable) => {
            hindrances.borrow_mut().push((wanted.clone(), unusable));
            None
        }
    });
    let Some(choice) = choice else { return SkillsForTask::default() };
    let by = &choice.decided_by;
    let (is_named, reason) = (by.is_named(), by.for_agents());
    let wanted = match by {
        _ if is_named => SkillExtent::Whole,
        DecidedBy::Default
            if *titles == Titles::Count
                && (*spells_out_tests || !is_implementation(task.title.as_str())) =>
        {
            SkillExtent::Line
        }
        DecidedBy::Field
        | DecidedBy::Pattern(_)
        | DecidedBy::ParentField { .. }
        | DecidedBy::ParentPattern { .. }
        | DecidedBy::Default => SkillExtent::Core,
    };
    let hindrances = hindrances.into_inner();
    let is_missing = |one: &&ChosenSkill| one.standing == Standing::Missing && is_named;
    let missing = choice.skills.iter().filter(is_missing).filter_map(|one| {
        let why = hindrances.iter().find(|(wanted, _)| *wanted == one.skill)?.1;
        let reference = SkillRef::parse(&one.skill.to_string()).ok()?;
        Some(MissingSkill {
            reference,
            named: reason.clone(),
            why: why.sentence(),
            verb: why.verb(),
        })
    });
    let missing = missing.collect();
    let found = found.into_inner();
    let editions: Vec<(Reference, Edition)> =
        found.iter().map(|one| (one.candidate.reference(), one.edition)).collect();
    let chosen = found.into_iter().map(|one| (one.candidate, one.skill)).collect();
    let together = with_companions(chosen, &|wanted| {
        let found = quick.find(wanted, session).ok()?;
        Some((found.candidate, found.skill))
    });
    let note = |(candidate, skill): (Candidate, Skill)| {
        let found = candidate.reference();
        let own = editions.iter().find(|(one, _)| *one == found);
        // What only comes along says why by whom it was named.
        let reason = match own {
            Some(_) => reason.clone(),
            None => "a skill of this task names it".to_owned(),
        };
        let history =
            ChosenFor { task: task.id, rule: by.word(), reason: format!("`{found}`: {by}") };
        Some(BoundSkillNote {
            reference: SkillRef::parse(&found.to_string()).ok()?,
            digest: candidate.digest,
            level: quick.trusted_level(candidate.level, &candidate.path),
            is_named,
            is_by_our_row: !is_named && by.matched().is_some(),
            extent: extent_of(&skill.body, wanted),
            edition: own.map_or(Edition::Present, |(_, edition)| *edition),
            reason,
            description: candidate.description,
            body: skill.body,
            task_words: task.title.to_string(),
            chosen: Some(history),
        })
    };
    SkillsForTask { skills: together.into_iter().filter_map(note).collect(), missing }
}

/// Reports whether nothing is said of skills: nobody names one, and the default is for changes of
/// behaviour, of which the title speaks clearly not.
pub(super) fn is_needless(task: &Task, above: &[&Task], rules: &dyn Deref<Target = Rules>) -> bool {
    is_other_work(task.title.as_str())
        && rules.has_usual_default()
        && matches!(TaskDescent::of(task, above).decide(rules), Some((_, DecidedBy::Default)))
}

/// Titles of the sections that say what to do, in lower case, by how they begin: of our own skills,
/// and of those that people use most.
const CORE: [&str; 13] = [
    "the cycle",
    "red-green-refactor",
    "core",
    "steps",
    "the steps",
    "creation steps",
    "format",
    "for each task",
    "review and fixes",
    "verify first",
    "offer the choices",
    "the process",
    "how to request",
];

/// Most tokens of a skill without such a section that is short enough to be injected unasked.
const SHORT_TOKENS: u32 = 400;

/// Returns how much of a body there is to inject, where so much is wanted.
fn extent_of(body: &str, wanted: SkillExtent) -> SkillExtent {
    match wanted {
        SkillExtent::Whole | SkillExtent::Line => wanted,
        SkillExtent::Core if sections_of(body).iter().any(is_core) => SkillExtent::Core,
        SkillExtent::Core if estimate_tokens(body) <= SHORT_TOKENS => SkillExtent::Whole,
        SkillExtent::Core => SkillExtent::Line,
    }
}

fn is_core(section: &Section) -> bool {
    CORE.iter().any(|title| section.title.to_lowercase().starts_with(title))
}

/// Returns the sections of a body that are called for.
fn sections_in(body: &str, extent: SkillExtent) -> Vec<Section> {
    let all = sections_of(body);
    match extent {
        SkillExtent::Whole => all,
        SkillExtent::Line => Vec::new(),
        SkillExtent::Core => all.into_iter().filter(is_core).collect(),
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
            let trust = quick.trusted_level(level, &root).trust();
            skills.push(ListedSkill { reference, description, trust });
        }
    }
    let more = known.total.saturating_sub(LISTED).try_into().unwrap_or(usize::MAX);
    Ok(SkillIndex { skills, more })
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
            .and_then(|wanted| quick.find(&wanted, &SkillRecords(&[])).ok());
        if let Some(QuickSkill { candidate, skill, edition }) = found {
            core.whole.push(BoundSkillNote {
                is_named: false,
                is_by_our_row: false,
                reference,
                digest: candidate.digest,
                level: quick.trusted_level(candidate.level, &candidate.path),
                reason: "it always applies".to_owned(),
                extent: SkillExtent::Whole,
                edition,
                description: candidate.description,
                body: skill.body,
                task_words: String::new(),
                chosen: None,
            });
            continue;
        }
        let description = known.description;
        let skill = ListedSkill { reference, description, trust: level.trust() };
        core.listed.push(CoreSkill { skill, why: String::new() });
    }
    for name in left.iter().flat_map(|left| &left.handoff.active_skills) {
        let Ok(reference) = SkillRef::parse(name) else { continue };
        if !is_known(&core, &reference) {
            let by = left.and_then(|left| left.by);
            let why = by.map(|by| format!("handed on by session {}", by.number));
            let (description, trust) = (String::new(), Trust::Agent);
            let skill = ListedSkill { reference, description, trust };
            core.listed.push(CoreSkill { skill, why: why.unwrap_or_default() });
        }
    }
    Ok(core)
}

/// Most skills that are named again after a compaction: what was loaded last is still in use.
const NAMED_AGAIN: usize = 5;

/// Returns a line for each skill that the agent loaded by itself before its context was lost.
pub(super) fn find_loaded(records: &[Record], besides: &[BoundSkillNote]) -> Vec<SkillLine> {
    let loaded = list_loaded_skills(records);
    let references = loaded.iter().rev().filter_map(|name| SkillRef::parse(name).ok());
    let is_new = |one: &SkillRef| besides.iter().all(|known| known.reference != *one);
    let mut lines: Vec<SkillLine> = references
        .filter(is_new)
        .take(NAMED_AGAIN)
        .map(|reference| SkillLine { reference, about: SkillLineAbout::InUse })
        .collect();
    lines.reverse();
    lines
}
