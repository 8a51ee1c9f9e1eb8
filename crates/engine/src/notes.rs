//! What an agent is to be told, gathered from the store and from the few files it needs.
//!
//! This runs inside hooks: it reads rows by their indexes, a plan and the files of one skill, and
//! never walks a directory, writes or waits.

pub(crate) mod activity;
mod mail;
mod pieces;
pub(crate) mod plan;
pub(crate) mod skill;

use std::{cell::LazyCell, collections::BTreeMap};

use pacenote_context::{
    delivery::Standing,
    escape::InstallSecret,
    estimate::estimate_tokens,
    fragment::{Fragment, ItemId, Kind},
    fragments::{
        Artifacts, BoundSkill, Guide, Hello, Identity, Inbox, MissingSkill, NextAction, Notice,
        PlanExcerpt, PositionNote, RecentActivity, RoleBriefing, RoleSkill, RunExtent, Section,
        SkillIndex, SkillSuggestion, TaskTree, WorkflowState,
    },
    markdown::{MARK, NEWS, markdown},
    pack::{
        Ceiling, PackLimits, Packed, Part, PartCount, Share, Shares, Silence, pack, pack_delta,
    },
    position::{Naming, Position},
    role::Role,
    size::Size,
};
use pacenote_files::config::Settings;
use pacenote_flow::lifecycle::{Format, Source, render};
use pacenote_hosts::{Markup, capabilities_of};
use pacenote_model::{
    AgentName, Artifact, Branch, Digest, Forest, HostName, Number, Project, SkillLevel, SkillRef,
    Task, Trust, receipt::Extent,
};
use pacenote_skill::{choice::Rules, reference::Reference};
use pacenote_store::Store;

pub(crate) use self::mail::Unread;
use crate::{
    Desk, EngineError,
    flows::in_force::RunNote,
    handoffs::Left,
    hook::Given,
    lifecycle::{Sentence, Telling},
    secrets,
    skills::{Quick, Surroundings},
};

/// What stands round the sections of a skill: its tag, its fence, and a line in each part.
const SKILL_FRAME_TOKENS: u32 = 300;

/// For whom notes are gathered, and with what.
pub(crate) struct Reader<'a> {
    /// The store, the project and where it lies.
    pub(crate) desk: &'a Desk,
    /// The host the notes are for.
    pub(crate) host: &'a HostName,
    /// The agent, where its name is known.
    pub(crate) agent: Option<AgentName>,
    /// The session's number, where it is known.
    pub(crate) session: Option<Number>,
    /// Where skills are looked for.
    pub(crate) surroundings: &'a Surroundings<'a>,
    /// Makes the rules by which titles call for skills; most of the time nobody asks for them.
    pub(crate) rules: &'a dyn Fn() -> Rules,
    /// Tells whether the reader's session was told a skill before.
    pub(crate) received: &'a dyn Fn(&Reference) -> bool,
    /// What fences are made with.
    pub(crate) secret: &'a InstallSecret,
    /// The kinds that are switched off.
    pub(crate) off: &'a [Kind],
    /// How much is told of skills that apply to everything, unless a rule says otherwise.
    pub(crate) core_format: Format,
    /// What rules want told.
    pub(crate) telling: &'a Telling,
    /// What another session left behind for this one.
    pub(crate) left: Option<&'a Left>,
    /// Files that rules noted.
    pub(crate) artifacts: &'a [Artifact],
    /// What the person wrote.
    pub(crate) prompt: Option<&'a str>,
    /// What the reader is there for, when it is a subagent.
    pub(crate) role: Option<Role>,
    /// What it was given to do, when that is not what its session does.
    pub(crate) given: Option<Given>,
    /// How many tokens more a skill may take that a task names.
    pub(crate) skill_tokens: u32,
    /// The runs of workflows that it is told of.
    pub(crate) runs: Vec<RunNote>,
}

/// What is known before rules are asked: they may depend on it.
#[derive(Debug, Default)]
pub(crate) struct Base {
    /// The tasks of the project.
    pub(crate) tasks: Vec<Task>,
    /// The unread messages of the reader, the urgent ones with their bodies.
    pub(crate) messages: Unread,
}

impl Base {
    /// Reads it for an agent.
    pub(crate) fn read(
        store: &dyn Store,
        project: &Project,
        agent: Option<&AgentName>,
        branch: Option<&Branch>,
        off: &[Kind],
    ) -> Result<Self, EngineError> {
        let tasks = store.tasks(project.id)?;
        let messages = match agent {
            Some(agent) if !off.contains(&Kind::Mail) => {
                Unread::read(store, project, agent, branch)?
            }
            Some(_) | None => Unread::default(),
        };
        Ok(Self { tasks, messages })
    }
}

/// Returns the rules of the settings, then ours; rows that are wrong are told by commands.
pub(crate) fn rules_of(settings: &Settings) -> Rules {
    let rows = settings.skills_task_rules();
    Rules::parse(rows.iter().map(String::as_str)).unwrap_or_default()
}

/// Returns how much the settings want told of skills that apply to everything.
pub(crate) fn core_format(settings: &Settings) -> Format {
    match settings.skills_injection_format() {
        "full" => Format::Full,
        "none" => Format::None,
        _ => Format::Summary,
    }
}

/// Returns the kinds that the settings switch off.
pub(crate) fn kinds_off(settings: &Settings) -> Vec<Kind> {
    settings.context_off_sources().iter().filter_map(|word| Kind::from_word(word)).collect()
}

/// Everything that could be told now.
pub(crate) struct Notes<'a> {
    project: Project,
    identity: Identity,
    agent: Option<AgentName>,
    tasks: Vec<Task>,
    messages: Unread,
    skill: Option<SkillNote>,
    missing_skill: Option<MissingSkill>,
    skills: SkillIndex,
    plan: Option<plan::PlanNote>,
    activity: RecentActivity,
    suggestion: SkillSuggestion,
    core: skill::Core,
    telling: &'a Telling,
    left: Option<&'a Left>,
    artifacts: &'a [Artifact],
    role: Option<Role>,
    given: Option<Given>,
    skill_tokens: u32,
    runs: Vec<RunNote>,
    secret: &'a InstallSecret,
    off: &'a [Kind],
}

/// The skill that is bound to the current task.
pub(crate) struct SkillNote {
    pub(crate) reference: SkillRef,
    digest: Digest,
    level: SkillLevel,
    pub(crate) reason: String,
    /// Whether a task names it; else a rule chose it.
    is_named: bool,
    sections: Vec<Section>,
    task_words: String,
}

impl SkillNote {
    /// Returns its text.
    pub(crate) fn body(&self) -> String {
        self.sections.iter().map(|section| section.text.as_str()).collect()
    }

    /// Returns what is told of it.
    fn fragment<'a>(&self, secret: &'a InstallSecret) -> BoundSkill<'a> {
        BoundSkill {
            reference: self.reference.clone(),
            digest: self.digest,
            level: self.level,
            reason: self.reason.clone(),
            sections: self.sections.clone(),
            task_words: self.task_words.clone(),
            secret,
        }
    }

    /// Returns how far that may be believed.
    pub(crate) const fn trust(&self) -> Trust {
        skill::trust_of(self.level)
    }
}

/// How much is gathered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope<'s> {
    /// Everything, for a reader that knows nothing.
    Full,
    /// What may have changed since.
    Changes(&'s Standing),
}

impl<'a> Notes<'a> {
    /// Gathers the notes for a reader in a project.
    pub(crate) fn gather(
        reader: &Reader<'a>,
        store: &dyn Store,
        project: Project,
        base: Base,
        scope: Scope<'_>,
    ) -> Result<Self, EngineError> {
        let Base { tasks, messages } = base;
        let branch = reader.desk.branch();
        let mut notes = Self {
            identity: Identity {
                agent: reader.agent.clone(),
                role: None,
                project: project.name.clone(),
                branch,
                host: reader.host.clone(),
                session: reader.session,
            },
            agent: reader.agent.clone(),
            tasks,
            messages,
            skill: None,
            missing_skill: None,
            skills: SkillIndex { skills: Vec::new(), more: 0 },
            plan: None,
            activity: RecentActivity { lines: Vec::new() },
            suggestion: SkillSuggestion::default(),
            core: skill::Core::default(),
            telling: reader.telling,
            left: reader.left,
            artifacts: reader.artifacts,
            role: reader.role,
            given: reader.given,
            skill_tokens: reader.skill_tokens,
            runs: reader.runs.clone(),
            secret: reader.secret,
            off: reader.off,
            project,
        };
        // A skill and a plan follow from the position: where that is as it was told, so are they.
        let is_known = match scope {
            Scope::Full => false,
            Scope::Changes(standing) => notes.position_was_told(standing),
        };
        if !is_known {
            notes.add_work(reader)?;
        }
        let tells = |source| reader.telling.of(source);
        let most = |source| {
            let limit = tells(source).and_then(|told| told.limit);
            limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
        };
        notes.messages.keep(most(Source::Mail));
        notes.skills.skills.truncate(most(Source::Skills));
        if let (Scope::Full, Some(_)) = (scope, tells(Source::Activity)) {
            notes.activity = activity::recent(store, &notes.project, &notes.tasks)?;
            let lines = &mut notes.activity.lines;
            let old = lines.len().saturating_sub(most(Source::Activity));
            lines.drain(..old);
        }
        if let (Some(prompt), Some(told)) = (reader.prompt, tells(Source::SkillSuggestion)) {
            notes.suggestion = skill::suggested(reader, prompt, told.limit)?;
        }
        Ok(notes)
    }

    fn position_was_told(&self, standing: &Standing) -> bool {
        let forest = Forest::new(&self.tasks);
        let position = PositionNote::of(&forest, self.agent.as_ref());
        let beside_tree = position.clone().beside_tree();
        let told = standing.told();
        let limits = PackLimits {
            budget_tokens: u32::MAX,
            ceiling: Ceiling::None,
            parts: PartCount::ONE,
            shares: Shares::default(),
        };
        [position, beside_tree].iter().any(|position| {
            let already = |id: &ItemId, digest: &Digest| is_in(&told, id, digest);
            let packed = pack_delta("", &[position], &already, &limits);
            packed.silence == Some(Silence::NothingNew)
        })
    }

    /// Adds the skill and the plan of the current task, and the skills there are.
    fn add_work(&mut self, reader: &Reader<'_>) -> Result<(), EngineError> {
        let forest = Forest::new(&self.tasks);
        let current = self.task_of(&forest).cloned();
        if let Some(task) = &current
            && let Some(place) = &task.plan
            && !self.off.contains(&Kind::Plan)
            && [Source::TaskContext, Source::RoleBriefing]
                .iter()
                .any(|source| self.telling.of(*source).is_some())
        {
            self.plan = Some(plan::read(&reader.desk.place().root, place));
        }
        let wants = |kind| !self.off.contains(&kind);
        let tells = |source| self.telling.of(source).is_some();
        let works = tells(Source::TaskContext) || tells(Source::RoleBriefing);
        if !works && !tells(Source::Skills) {
            return Ok(());
        }
        let Some(quick) = Quick::open(reader.desk, reader.surroundings)? else { return Ok(()) };
        let skill::Bound { skill, missing } = match &current {
            Some(task) if wants(Kind::Skill) && works => {
                let rules = LazyCell::new(reader.rules);
                skill::bound(&quick, task, &forest.ancestors(task.id), &rules, reader.received)
            }
            Some(_) | None => skill::Bound::default(),
        };
        if let Some(told) = self.telling.of(Source::Skills)
            && wants(Kind::CoreSkills)
        {
            let format = told.format.unwrap_or(reader.core_format);
            let besides = skill.as_ref().map(|skill| &skill.reference);
            self.core = skill::core(&quick, format, besides, reader.left)?;
        }
        if wants(Kind::Skills) && tells(Source::Skills) {
            self.skills = skill::index(&quick, reader.host)?;
        }
        (self.skill, self.missing_skill) = (skill, missing);
        Ok(())
    }

    /// Returns the task that the reader works on. Who carries out or judges a task is told of the
    /// one it was given and of no other; the others are told where their session is.
    fn task_of<'f>(&self, forest: &Forest<'f>) -> Option<&'f Task> {
        match (self.given, self.role) {
            (Some(Given::Task(task)), _) => forest.get(task),
            (Some(Given::Unclear), _) | (None, Some(Role::Implementer | Role::Reviewer)) => None,
            (None, None | Some(Role::Explorer | Role::Planner | Role::Writer | Role::Other)) => {
                forest.current(self.agent.as_ref())
            }
        }
    }

    /// Gives a skill that a task names room beside the budget, so that all of it is told. A single
    /// answer with a ceiling has none to give: there it would push out everything else.
    fn with_room_for_skill(&self, limits: &PackLimits) -> PackLimits {
        let named = self.skill.as_ref().filter(|skill| skill.is_named);
        let has_parts = limits.parts > PartCount::ONE || limits.ceiling == Ceiling::None;
        let (Some(skill), true) = (named, has_parts && limits.budget_tokens > 0) else {
            return limits.clone();
        };
        let kind = if self.role.is_some() { Kind::Role } else { Kind::Skill };
        let share = limits.shares.of(kind);
        let needed: u32 = skill.sections.iter().map(|one| estimate_tokens(&one.text)).sum();
        let more = needed.saturating_add(SKILL_FRAME_TOKENS).min(self.skill_tokens);
        let floor = share.floor.max(more).min(kind.cap());
        PackLimits {
            budget_tokens: limits.budget_tokens.saturating_add(more),
            shares: limits.shares.clone().with(kind, Share { floor, ..share }),
            ..limits.clone()
        }
    }

    /// Packs everything, without secrets.
    pub(crate) fn pack(&self, limits: &PackLimits) -> Clean {
        clean(&self.with_room_for_skill(limits), &|limits| {
            self.with_fragments(&|fragments| pack(&self.project.name, fragments, limits))
        })
    }

    /// Packs with a position that names no titles, and with titles where the tree is not beside it.
    fn with_fragments(&self, pack: &dyn Fn(&[&dyn Fragment]) -> Packed) -> Packed {
        let short = self.with_position(&PositionNote::beside_tree, pack);
        let item = |kind: Kind| short.items.iter().find(|item| item.kind == kind.word());
        let Some(position) = item(Kind::Position) else { return short };
        // A line that says where the tree is to be found names nothing of it.
        let is_beside =
            item(Kind::Tasks).is_some_and(|tree| tree.is_shown() && tree.part == position.part);
        if is_beside { short } else { self.with_position(&|position| position, pack) }
    }

    /// Packs what was not told before, without secrets.
    pub(crate) fn pack_changes(&self, standing: &Standing, limits: &PackLimits) -> Clean {
        clean(limits, &|limits| self.changes(standing, limits))
    }

    fn changes(&self, standing: &Standing, limits: &PackLimits) -> Packed {
        let told = standing.told();
        self.with_fragments(&|fragments| {
            // Who it is and how to read this a reader knows; what others do is for the beginning.
            let changing: Vec<&dyn Fragment> =
                fragments.iter().filter(|fragment| changes(fragment.kind())).copied().collect();
            let already =
                |id: &ItemId, digest: &Digest| is_in(&told, id, digest) && !self.is_repeated(id);
            pack_delta(&self.project.name, &changing, &already, limits)
        })
    }

    /// Tells whether the reader is in the middle of a workflow.
    fn follows_a_workflow(&self) -> bool {
        self.runs.iter().any(|note| note.extent != RunExtent::Waiting)
    }

    /// Tells whether something is said although it was said before.
    fn is_repeated(&self, id: &ItemId) -> bool {
        let mut repeated = self.telling.notices.iter().filter(|notice| notice.is_repeated);
        repeated.any(|notice| ItemId::of(Kind::Notice, &notice.rule) == *id)
    }

    fn with_position(
        &self,
        form: &dyn Fn(PositionNote) -> PositionNote,
        pack: &dyn Fn(&[&dyn Fragment]) -> Packed,
    ) -> Packed {
        let forest = Forest::new(&self.tasks);
        let agent = self.agent.as_ref();
        let position = form(PositionNote::of(&forest, agent));
        let next = NextAction::of(&forest, agent);
        let tree = TaskTree::of(&forest, agent);
        let skill = self.skill.as_ref().map(|skill| skill.fragment(self.secret));
        let plan = self.plan.as_ref().map(|plan| PlanExcerpt {
            file: &plan.file,
            text: plan.text.clone(),
            trust: plan.trust,
            secret: self.secret,
        });
        let (messages, more) = (&self.messages, self.messages.more);
        let inbox = Inbox { messages, more, secret: self.secret };
        let handoff = self.left.map(|left| left.fragment(self.secret));
        let artifacts = Artifacts { files: self.artifacts };
        // Hardly anybody asks for these, and a hook has no time for what nobody asked for.
        let is_asked = self.role.is_some() || !self.telling.templates.is_empty();
        let sentence = is_asked.then(|| Position::of(&forest, agent, Naming::Title).sentence);
        let sentence = sentence.unwrap_or_default();
        let notices = self.notices(&sentence);
        let role_skill = self.skill.as_ref().filter(|_| self.role.is_some());
        let role_skill = role_skill.map(|skill| RoleSkill {
            reference: skill.reference.clone(),
            sections: skill.sections.clone(),
            trust: skill.trust(),
        });
        let role = self.role.map(|role| RoleBriefing {
            role,
            task: self.task_of(&forest),
            task_text: self.plan.as_ref().and_then(plan::PlanNote::of_task),
            goal: self.plan.as_ref().and_then(plan::PlanNote::goal),
            plan_trust: self.plan.as_ref().map_or(Trust::Foreign, |plan| plan.trust),
            position: &sentence,
            skill: role_skill.as_ref(),
            prompt: None,
            secret: self.secret,
        });
        let core = self.core.fragments(self.secret);
        let runs: Vec<WorkflowState<'_>> = self
            .runs
            .iter()
            .map(|note| WorkflowState { run: &note.run, extent: note.extent, secret: self.secret })
            .collect();
        let missing = || self.missing_skill.iter().map(|missing| missing as &dyn Fragment);
        let tells_task_context = self.telling.of(Source::TaskContext).is_some();
        let mut all: Vec<&dyn Fragment> = Vec::new();
        for told in self.telling.sources.iter().filter(|told| !told.in_template) {
            match told.source {
                Source::Identity => all.push(&self.identity),
                Source::TaskContext => {
                    if !self.tasks.is_empty() {
                        all.push(&position);
                        // Whoever follows a workflow has one thing to do next, and only one.
                        if !self.follows_a_workflow() {
                            all.push(&next);
                        }
                        all.push(&tree);
                    }
                    all.extend(skill.iter().map(|skill| skill as &dyn Fragment));
                    all.extend(missing());
                    all.extend(plan.iter().map(|plan| plan as &dyn Fragment));
                }
                Source::Skills => {
                    all.extend(core.iter().map(|core| core as &dyn Fragment));
                    all.push(&self.skills);
                }
                Source::SkillSuggestion => all.push(&self.suggestion),
                Source::Handoff => all.extend(handoff.iter().map(|left| left as &dyn Fragment)),
                Source::Mail => all.push(&inbox),
                Source::Activity => all.push(&self.activity),
                Source::Artifacts => all.push(&artifacts),
                Source::Guide if told.format == Some(Format::Summary) => all.push(&Hello),
                Source::Guide => all.push(&Guide),
                Source::WorkflowState => all.extend(runs.iter().map(|run| run as &dyn Fragment)),
                Source::RoleBriefing => {
                    all.extend(role.iter().map(|role| role as &dyn Fragment));
                    if self.role == Some(Role::Implementer) && !tells_task_context {
                        all.extend(missing());
                    }
                }
            }
        }
        all.extend(notices.iter().map(|notice| notice as &dyn Fragment));
        all.retain(|fragment| !self.off.contains(&fragment.kind()));
        pack(&all)
    }

    /// Returns the sentences of rules, and their own texts round what sources say.
    fn notices(&self, position: &str) -> Vec<Notice> {
        let notice = |sentence: &Sentence, text: String, trust: Trust| Notice {
            rule: sentence.rule.clone(),
            text,
            trust,
        };
        let said = self.telling.notices.iter();
        let said = said.map(|one| notice(one, one.text.clone(), one.trust));
        let filled = self.telling.templates.iter().filter_map(|one| {
            let values = self.values(position);
            let text = render(&one.text, &values, &self.telling.facts).ok()?;
            // What others wrote may stand in it, so it is believed no further than they are.
            (!text.trim().is_empty()).then(|| notice(one, text, one.trust.min(Trust::Agent)))
        });
        said.chain(filled).collect()
    }

    /// Returns what the texts of rules may name.
    fn values(&self, position: &str) -> BTreeMap<&'static str, String> {
        let skills = self.skills.skills.iter().map(|skill| format!("- {}", skill.reference));
        let bound = self.skill.iter().map(|skill| format!("- {}", skill.reference));
        let left = self.left.map(|left| &left.handoff);
        let document = |left: &Left| {
            pacenote_context::handoff::render(&left.handoff, left.number, &self.identity.host)
        };
        BTreeMap::from([
            ("task_context", position.to_owned()),
            ("skills_list", bound.chain(skills).collect::<Vec<_>>().join("\n")),
            ("handoff", self.left.map(document).unwrap_or_default()),
            ("summary", left.map(|left| left.current_state.clone()).unwrap_or_default()),
        ])
    }
}

/// Writes what was packed the way a host takes it.
pub(crate) fn written_for(host: &HostName, extent: Extent, mut packed: Packed) -> Packed {
    let markup = capabilities_of(host).map_or(Markup::Tags, |known| known.markup);
    let mark = match extent {
        Extent::Full => MARK,
        Extent::Delta => NEWS,
    };
    if markup == Markup::Markdown {
        for part in &mut packed.parts {
            part.text = markdown(&part.text, mark);
            part.size = Size::of(&part.text);
        }
    }
    packed
}

/// Takes secrets out of titles, which name items in receipts; texts are gone through when packed.
fn without_secrets_in_titles(mut sections: Vec<Section>) -> Vec<Section> {
    let titles: Vec<&str> = sections.iter().map(|section| section.title.as_str()).collect();
    if secrets::without(&titles.join("\n")).1 > 0 {
        for section in &mut sections {
            section.title = secrets::without_secrets(&section.title);
        }
    }
    sections
}

/// What is told, and how many secrets were taken out of it.
#[derive(Debug, Default)]
pub(crate) struct Clean {
    /// What is told.
    pub(crate) packed: Packed,
    /// How many secrets were taken out.
    pub(crate) redacted: usize,
}

/// Packs, takes secrets out, and packs again with less room where their markers are longer.
fn clean(limits: &PackLimits, pack: &dyn Fn(&PackLimits) -> Packed) -> Clean {
    let ceiling = limits.ceiling;
    let mut limits = limits.clone();
    loop {
        let mut clean = Clean { packed: pack(&limits), redacted: 0 };
        let mut excess = 0;
        for part in &mut clean.packed.parts {
            let (text, found) = secrets::without(&part.text);
            if found == 0 {
                continue;
            }
            clean.redacted += found;
            let size = Size::of(&text);
            let text = text.into_owned();
            excess = excess.max(size.utf16.saturating_sub(part.size.utf16));
            (part.text, part.size) = (text, size);
        }
        let fits = |part: &Part| match ceiling {
            Ceiling::Utf16(most) => part.size.utf16 <= most,
            Ceiling::Tokens(most) => part.size.tokens <= most,
            Ceiling::None => true,
        };
        if clean.packed.parts.iter().all(fits) {
            return clean;
        }
        limits.ceiling = match limits.ceiling {
            Ceiling::Utf16(most) => Ceiling::Utf16(most.saturating_sub(excess.max(1))),
            Ceiling::Tokens(most) => Ceiling::Tokens(most.saturating_sub(most.div_ceil(10).max(1))),
            Ceiling::None => Ceiling::None,
        };
    }
}

fn is_in(told: &BTreeMap<&str, &Digest>, id: &ItemId, digest: &Digest) -> bool {
    told.get(id.as_str()) == Some(&digest)
}

/// Tells whether a kind is told again within an epoch when it changes.
const fn changes(kind: Kind) -> bool {
    match kind {
        Kind::Position
        | Kind::Next
        | Kind::Tasks
        | Kind::Skill
        | Kind::Plan
        | Kind::Mail
        | Kind::Handoff
        | Kind::Notice
        | Kind::Suggestion
        | Kind::CoreSkills
        | Kind::Artifacts
        | Kind::Role
        | Kind::Workflow => true,
        Kind::Identity | Kind::Skills | Kind::Activity | Kind::Guide => false,
    }
}
