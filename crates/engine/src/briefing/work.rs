//! What the sources of one briefing share: the situation, the layout, and what goes with the current
//! task, each read when the first of them asks.

use std::cell::{LazyCell, OnceCell};

use pacenote_context::{
    delivery::Standing,
    fragment::{FragmentKind, ItemId},
    fragments::{
        MissingSkill, PositionNote, RunExtent, SkillIndex, SkillLine, TaskNotes, skill_reason,
    },
    next::Hands,
    pack::{Ceiling, PackLimits, PartCount, Shares, Silence, pack_delta},
    position::{Naming, Position},
    role::{ORCHESTRATOR, Role},
};
use pacenote_flow::lifecycle::Source;
use pacenote_model::{Digest, Forest, Record, Task};
use pacenote_skill::{choice::is_about_tests, reference::Reference};

use super::{
    Layout, Scope, is_in,
    plan::{self, PlanNote},
    role_prompt,
    skill::{self, BoundSkillNote, SkillExtent, SkillQuestion, SkillsForTask, Titles},
};
use crate::{
    EngineError,
    records::skill_named_by,
    runs::RunNote,
    situation::Situation,
    skill_records::SkillRecords,
    skills::{Quick, TaskDescent, at_hand, rules_in},
    succession::names_of,
    wanted::WantedSource,
};

/// The skill of whoever has subagents do the steps of a plan.
const DISPATCHING: &str = "subagent-driven-development";

/// What one briefing is gathered from.
pub(super) struct Gathering<'g> {
    pub(super) situation: &'g Situation<'g>,
    pub(super) layout: &'g Layout<'g>,
    pub(super) forest: &'g Forest<'g>,
    /// The runs of workflows that the reader reads of.
    pub(super) runs: Vec<RunNote>,
    /// Whether the reader knows where the work stands, and so what goes with it.
    is_settled: bool,
    /// Whether the reader knows the skills of the step at hand.
    knows_skills: bool,
    sender: String,
    quick: OnceCell<Option<Quick<'g>>>,
    work: OnceCell<TaskWork<'g>>,
    role_prompt: OnceCell<Option<BoundSkillNote>>,
    skills: OnceCell<SkillIndex>,
}

/// What goes with the current task.
#[derive(Default)]
pub(super) struct TaskWork<'g> {
    /// The skills of the step at hand, in the order in which they are read.
    pub(super) skills: Vec<BoundSkillNote>,
    pub(super) missing: Vec<MissingSkill>,
    pub(super) plan: Option<PlanNote>,
    pub(super) notes: Option<TaskNotes<'g>>,
}

impl<'g> Gathering<'g> {
    /// Prepares a briefing.
    pub(super) fn new(
        situation: &'g Situation<'g>,
        layout: &'g Layout<'g>,
        forest: &'g Forest<'g>,
    ) -> Result<Self, EngineError> {
        let runs = match layout.scope {
            Scope::Full => situation.runs()?.whole(),
            Scope::Changes(standing) => find_changed_runs(situation, standing)?,
            Scope::News => Vec::new(),
        };
        let is_settled = match layout.scope {
            Scope::Full => false,
            Scope::Changes(standing) => is_position_known(situation, forest, standing)?,
            Scope::News => true,
        };
        let knows_skills = match layout.scope {
            Scope::Full => false,
            Scope::Changes(standing) => !has_unseen_skill(situation, forest, standing)?,
            Scope::News => true,
        };
        let sender = layout.incoming.map(|incoming| format!("@{}", incoming.from));
        Ok(Self {
            situation,
            layout,
            forest,
            runs,
            is_settled,
            knows_skills,
            sender: sender.unwrap_or_default(),
            quick: OnceCell::new(),
            work: OnceCell::new(),
            role_prompt: OnceCell::new(),
            skills: OnceCell::new(),
        })
    }

    /// Returns who wrote the message that wakes the reader.
    pub(super) fn sender(&self) -> &str {
        &self.sender
    }

    /// Reports whether a source is wanted.
    pub(super) fn wants(&self, source: Source) -> bool {
        self.layout.wanted.of(source).is_some()
    }

    /// Reports whether the reader is in the middle of a workflow.
    pub(super) fn follows_a_workflow(&self) -> bool {
        self.runs.iter().any(|note| note.extent != RunExtent::Waiting)
    }

    /// Returns the skills of this place, as a hook can afford to look for them.
    pub(super) fn quick(&self) -> Result<Option<&Quick<'g>>, EngineError> {
        if self.quick.get().is_none() {
            let quick = Quick::open(self.situation.desk, &self.situation.surroundings())?;
            // Nobody else is here.
            self.quick.set(quick).ok();
        }
        Ok(self.quick.get().and_then(Option::as_ref))
    }

    /// Returns what goes with the current task. The plan and the notes follow from the position: a
    /// reader who knows that knows them. Skills may change while it stays the same.
    pub(super) fn work(&self) -> Result<&TaskWork<'g>, EngineError> {
        if let Some(known) = self.work.get() {
            return Ok(known);
        }
        let mut work = if self.is_settled { TaskWork::default() } else { self.read_work()? };
        if !self.knows_skills {
            let SkillsForTask { skills, missing } = self.read_skills()?;
            (work.skills, work.missing) = (skills, missing);
        }
        Ok(self.work.get_or_init(|| work))
    }

    /// Returns the skills of the step at hand, if a source has asked for them.
    pub(super) fn known_skills(&self) -> &[BoundSkillNote] {
        self.work.get().map_or(&[], |work| &work.skills)
    }

    /// Returns the task whose plan, notes and skills are wanted.
    fn task(&self) -> Result<Option<&'g Task>, EngineError> {
        let works = self.wants(Source::TaskContext) || self.wants(Source::RoleBriefing);
        let task = self.situation.task_in(self.forest)?.filter(|_| works);
        Ok(task.filter(|task| self.is_own(task)))
    }

    /// Returns the project's prompt for the reader's role, where it was given a task and its own prompt
    /// does not say the same.
    pub(super) fn role_prompt(&self) -> Result<Option<&BoundSkillNote>, EngineError> {
        if let Some(known) = self.role_prompt.get() {
            return Ok(known.as_ref());
        }
        let situation = self.situation;
        let has_task = situation.task_in(self.forest)?.is_some();
        let role = situation.role()?.filter(|_| has_task && !situation.is_off(FragmentKind::SKILL));
        let quick = if role.is_some() { self.quick()? } else { None };
        let found = role.zip(quick).and_then(|(role, quick)| role_prompt::find(quick, role));
        Ok(self.role_prompt.get_or_init(|| found).as_ref())
    }

    /// Returns the project's prompt for the reader's role, if a source has asked for it.
    pub(super) fn known_role_prompt(&self) -> Option<&BoundSkillNote> {
        self.role_prompt.get().and_then(Option::as_ref)
    }

    fn read_work(&self) -> Result<TaskWork<'g>, EngineError> {
        let Self { situation, forest, .. } = self;
        let Some(task) = self.task()? else { return self.read_goal() };
        let above = forest.ancestors(task.id);
        // A step that somebody added has no place in the plan: its task has.
        let place = [task].into_iter().chain(above).find_map(|task| task.plan.as_ref());
        let place = place.filter(|_| !situation.is_off(FragmentKind::PLAN));
        let plan = place.map(|place| plan::read(situation.root(), place, forest));
        let notes = self.read_notes(task)?;
        Ok(TaskWork { plan, notes, ..TaskWork::default() })
    }

    /// Returns the skills of the step at hand, which may call for one of its own.
    fn read_skills(&self) -> Result<SkillsForTask, EngineError> {
        let Self { situation, forest, .. } = self;
        let Some(task) = self.task()?.filter(|_| !situation.is_off(FragmentKind::SKILL)) else {
            return Ok(SkillsForTask::default());
        };
        let Some(quick) = self.quick()? else { return Ok(SkillsForTask::default()) };
        let task = at_hand(forest, situation.agent()?, task);
        let question = SkillQuestion {
            task,
            above: &forest.ancestors(task.id),
            spells_out_tests: spells_out_tests(forest, task),
            titles: Titles::Count,
        };
        let rules = LazyCell::new(|| rules_in(situation.settings()));
        let session = SkillRecords(situation.records()?);
        let mut found = skill::find_for(quick, &question, &rules, &session);
        // Somebody who implements does not need the skill that a word in a title is about.
        let is_by_title = found.skills.iter().any(|skill| skill.is_by_our_row);
        if is_by_title && situation.role()? == Some(Role::Implementer) {
            let question = SkillQuestion { titles: Titles::Ignored, ..question };
            return Ok(skill::find_for(quick, &question, &rules, &session));
        }
        // How to send others is for somebody who does that; a step called "Code review" is not enough.
        if situation.role()?.is_none() && !self.is_orchestrator() {
            for skill in found.skills.iter_mut().filter(|skill| skill.is_by_our_row) {
                if is_about_dispatching(skill) {
                    skill.extent = SkillExtent::Line;
                }
            }
        }
        Ok(found)
    }

    /// Reports whether the reader works on a task, or has others work on it. Somebody else's task is
    /// nothing to go by.
    fn is_own(&self, task: &Task) -> bool {
        let situation = self.situation;
        let is_sent = situation.event.own_subagent().is_some();
        let name = situation.agent().ok().flatten();
        let is_held = task.assignee.is_none() || name.is_none() || task.assignee.as_ref() == name;
        is_sent || is_held || self.is_orchestrator()
    }

    /// Returns what the reader is there for: what its caller says now, else what was said before.
    pub(super) fn agent_role(&self) -> Result<Option<String>, EngineError> {
        let situation = self.situation;
        if let Some(stated) = situation.stated_role() {
            return Ok(Some(stated.to_owned()));
        }
        let before = names_of(situation.predecessors()?);
        for agent in situation.agent()?.into_iter().chain(&before) {
            if let Some(role) = situation.store.agent_role(situation.project.id, agent)? {
                return Ok(Some(role.to_string()));
            }
        }
        Ok(None)
    }

    /// Reports whether the reader has others do the work.
    pub(super) fn is_orchestrator(&self) -> bool {
        self.agent_role().ok().flatten().as_deref() == Some(ORCHESTRATOR)
    }

    /// Returns who does the steps that the reader decides about: subagents, where that is its role or
    /// the skill in force.
    pub(super) fn hands(&self) -> Result<Hands, EngineError> {
        if self.is_orchestrator() {
            return Ok(Hands::Subagents);
        }
        // A reader who knows where it is was given the skill before.
        let settled;
        let work = if self.is_settled {
            settled = self.read_work()?;
            &settled
        } else {
            self.work()?
        };
        let dispatches =
            work.skills.iter().any(|skill| skill.is_named && is_about_dispatching(skill));
        Ok(if dispatches { Hands::Subagents } else { Hands::Own })
    }

    /// Returns what the plan of the next task is for, where nobody works on one.
    fn read_goal(&self) -> Result<TaskWork<'g>, EngineError> {
        let Self { situation, forest, .. } = self;
        if !self.wants(Source::TaskContext) || situation.is_off(FragmentKind::PLAN) {
            return Ok(TaskWork::default());
        }
        let position = Position::of(forest, situation.agent()?, Naming::Id);
        let next = position.free.or(position.focus).and_then(|next| forest.get(next));
        let place = next.and_then(|next| next.plan.as_ref());
        let plan = place.map(|place| plan::read_goal(situation.root(), place, forest));
        Ok(TaskWork { plan, ..TaskWork::default() })
    }

    /// Returns the notes of a task; with a prompt only those that others wrote.
    fn read_notes(&self, task: &'g Task) -> Result<Option<TaskNotes<'g>>, EngineError> {
        let situation = self.situation;
        if situation.is_off(FragmentKind::NOTES) {
            return Ok(None);
        }
        let (mut notes, secret) = (situation.store.notes(task.id)?, situation.secret());
        if let Scope::Changes(_) = self.layout.scope {
            // What the reader wrote in this context it knows.
            let reader = situation.agent()?;
            let began = situation.records()?.iter().rev().find_map(|record| {
                if let Record::Seen { at, begins: true, .. } = record { Some(*at) } else { None }
            });
            notes
                .retain(|note| Some(&note.author) != reader || began.is_none_or(|at| note.at < at));
        }
        Ok((!notes.is_empty()).then_some(TaskNotes { task, notes, secret }))
    }

    /// Returns the skills that the host does not list by itself.
    pub(super) fn skills(&self) -> Result<&SkillIndex, EngineError> {
        if let Some(known) = self.skills.get() {
            return Ok(known);
        }
        let wanted = self.layout.wanted.of(Source::Skills);
        let is_read =
            wanted.is_some() && !self.is_settled && !self.situation.is_off(FragmentKind::SKILLS);
        let quick = if is_read { self.quick()? } else { None };
        let mut skills = match quick {
            Some(quick) => skill::list(quick, self.situation.host_word())?,
            None => SkillIndex::default(),
        };
        skills.skills.truncate(wanted.map_or(0, WantedSource::most));
        Ok(self.skills.get_or_init(|| skills))
    }

    /// Reports whether the reader knows where the work stands, and so what goes with it.
    pub(super) const fn is_settled(&self) -> bool {
        self.is_settled
    }
}

/// Reports whether the steps of a task, or those beside it, say themselves that tests are written.
fn spells_out_tests(forest: &Forest<'_>, task: &Task) -> bool {
    let beside = if task.parent.is_some() { forest.children(task.parent) } else { &[] };
    let steps = forest.children(Some(task.id));
    steps.iter().chain(beside).any(|step| is_about_tests(step.title.as_str()))
}

/// Reports whether the step at hand calls for a skill that was not injected in this epoch, or only as
/// much of it as another task needed. A skill that was missing is looked for again each time: the
/// person may have approved it. Nothing on disk is looked at.
pub(crate) fn has_unseen_skill(
    situation: &Situation<'_>,
    forest: &Forest<'_>,
    standing: &Standing,
) -> Result<bool, EngineError> {
    let task = situation.task_in(forest)?.filter(|_| !situation.is_off(FragmentKind::SKILL));
    let Some(task) = task else { return Ok(false) };
    let task = at_hand(forest, situation.agent()?, task);
    let (above, rules) =
        (forest.ancestors(task.id), LazyCell::new(|| rules_in(situation.settings())));
    let decided = TaskDescent::of(task, &above).decide(&rules);
    let Some((wish, decided_by)) = decided else { return Ok(false) };
    if skill::is_needless(task, &above, &rules) {
        return Ok(false);
    }
    let reason = skill_reason(&decided_by.for_agents());
    let is_seen = |wanted: &Reference| {
        standing.items().any(|item| {
            let offered = item.id.strip_prefix(SkillLine::offer_id("").as_str());
            let name = skill_named_by(&item.id).or(offered);
            let named = name.and_then(|name| Reference::parse(name).ok());
            // A plain name may mean a skill of a plugin, and ours may stand in for one.
            item.reason == reason && named.is_some_and(|named| named.key() == wanted.key())
        })
    };
    Ok(!wish.references().iter().all(is_seen))
}

/// Reports whether a skill says how to have subagents do the work.
fn is_about_dispatching(skill: &BoundSkillNote) -> bool {
    skill.reference.as_str().rsplit(':').next() == Some(DISPATCHING)
}

/// Returns the runs of which a reader does not know yet.
pub(crate) fn find_changed_runs(
    situation: &Situation<'_>,
    standing: &Standing,
) -> Result<Vec<RunNote>, EngineError> {
    let known = standing.told();
    Ok(situation.runs()?.changes(situation.agent()?, |id| known.contains_key(id)))
}

/// Reports whether the reader knows where the work stands.
pub(crate) fn is_position_known(
    situation: &Situation<'_>,
    forest: &Forest<'_>,
    standing: &Standing,
) -> Result<bool, EngineError> {
    let position = PositionNote::of(forest, situation.agent()?);
    let (beside_tree, beside_numbers) =
        (position.clone().beside_tree(), position.clone().beside_numbers());
    let known = standing.told();
    let limits = PackLimits {
        budget_tokens: u32::MAX,
        ceiling: Ceiling::None,
        parts: PartCount::ONE,
        shares: Shares::default(),
    };
    Ok([position, beside_tree, beside_numbers].iter().any(|position| {
        let already = |id: &ItemId, digest: &Digest| is_in(&known, id, digest);
        let packed = pack_delta("", &[position], &already, &limits);
        packed.silence == Some(Silence::NothingNew)
    }))
}
