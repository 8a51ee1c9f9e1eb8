//! Which skills a task is done with, and what was chosen before.

use pacenote_context::position::{Naming, Position};
use pacenote_files::config::Settings;
use pacenote_model::{AgentName, Effect, Forest, SkillChoice, SkillEffect, Task};
use pacenote_skill::{
    choice::{
        Choice, DecidedBy, Ingredient, Rules, TaskView, Wish, choose, compose, decide, stand_in,
    },
    listing::Candidate,
    reference::Reference,
    resolve::resolve,
    skill::{Place, Skill, read},
};
use pacenote_store::SkillChoices;

use super::{Library, text_of};
use crate::{
    Caller, Desk, EngineError,
    desk::{find_task, no_such_task},
};

/// The skills for a task.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub task: Task,
    /// Which skills, and what decided.
    pub choice: Choice,
    /// Those that are there.
    pub skills: Vec<Candidate>,
    /// They and those that come along with them, in the order in which they are read.
    pub order: Vec<Reference>,
}

/// A task and those above it, the nearest first, as the choice sees them.
pub(crate) struct TaskDescent(Vec<(String, Option<Wish>, String)>);

impl TaskDescent {
    /// Reads what a task and those above it say.
    pub(crate) fn of(task: &Task, above: &[&Task]) -> Self {
        let row = |task: &&Task| {
            let wish = task.skill.as_ref().map(Wish::of_task);
            (task.number.to_string(), wish, task.title.to_string())
        };
        Self([task].iter().chain(above).map(row).collect())
    }

    /// Forgets the titles: only what somebody named counts.
    pub(crate) fn without_titles(self) -> Self {
        let rows = self.0.into_iter();
        Self(rows.map(|(name, wish, _)| (name, wish, String::new())).collect())
    }

    fn views(&self) -> Vec<TaskView<'_>> {
        let rows = self.0.iter();
        rows.map(|(name, wish, title)| TaskView { name, wish: wish.as_ref(), title }).collect()
    }

    /// Chooses the skills.
    pub(crate) fn choose(
        &self,
        rules: &dyn std::ops::Deref<Target = Rules>,
        find: &dyn Fn(&Reference) -> Option<Reference>,
    ) -> Option<Choice> {
        let views = self.views();
        let (own, above) = views.split_first()?;
        Some(choose(own, above, rules, find))
    }

    /// Decides which skills are wanted, without a look at the disk.
    pub(crate) fn decide(
        &self,
        rules: &dyn std::ops::Deref<Target = Rules>,
    ) -> Option<(Wish, DecidedBy)> {
        let views = self.views();
        let (own, above) = views.split_first()?;
        Some(decide(own, above, rules))
    }
}

/// Returns the rules by which titles call for skills: those of the settings, then ours, then the
/// default. What is wrong in the settings is ignored here; commands report it.
pub(crate) fn rules_in(settings: &Settings) -> Rules {
    let rows = settings.skills_task_rules();
    let rules = Rules::parse(rows.iter().map(String::as_str)).unwrap_or_default();
    match Wish::parse(settings.skills_default()) {
        Ok(default) => rules.with_default(default),
        Err(_) => rules,
    }
}

/// Returns the task whose skill counts: the step at hand of a task that is worked on, else that task.
pub(crate) fn at_hand<'f>(
    forest: &Forest<'f>,
    agent: Option<&AgentName>,
    task: &'f Task,
) -> &'f Task {
    let position = Position::of(forest, agent, Naming::Id);
    let is_current = position.current == Some(task.id);
    let step = position.step.filter(|_| is_current).and_then(|step| forest.get(step));
    step.unwrap_or(task)
}

/// Returns the skills in force for an agent, separated by commas; empty where there is none. Nothing
/// is looked up: a skill of ours has its plain name, whether or not a plugin brings its own.
pub fn skill_in_force(
    forest: &Forest<'_>,
    agent: Option<&AgentName>,
    settings: &Settings,
) -> String {
    let Some(task) = forest.in_hand(agent) else { return String::new() };
    let task = at_hand(forest, agent, task);
    let rules = std::cell::LazyCell::new(|| rules_in(settings));
    let decided = TaskDescent::of(task, &forest.ancestors(task.id)).decide(&rules);
    let Some((wish, decided_by)) = decided else { return String::new() };
    let name = |wanted: &Reference| match decided_by {
        DecidedBy::Field | DecidedBy::ParentField { .. } => wanted.to_string(),
        DecidedBy::Pattern(_) | DecidedBy::ParentPattern { .. } | DecidedBy::Default => {
            stand_in(wanted).unwrap_or_else(|| wanted.clone()).to_string()
        }
    };
    wish.references().iter().map(name).collect::<Vec<_>>().join(",")
}

/// Chooses the skills for a task. Nothing is written.
pub fn for_task(
    desk: &Desk,
    library: &Library,
    raw: &str,
    rules: &Rules,
) -> Result<Chosen, EngineError> {
    let Some(here) = desk.here()? else { return Err(no_such_task(raw)) };
    let task = find_task(here.store, here.project.id, raw)?;
    let tasks = here.store.tasks(here.project.id)?;
    let forest = Forest::new(&tasks);
    let find = |wanted: &Reference| {
        let found = resolve(wanted, &library.listing, &library.lock, &library.approved, None);
        found.ok().map(|found| found.candidate.clone())
    };
    let descent = TaskDescent::of(&task, &forest.ancestors(task.id));
    let choice = descent.choose(&rules, &|wanted| find(wanted).map(|found| found.reference()));
    let Some(choice) = choice else { return Err(no_such_task(raw)) };
    let skills: Vec<Candidate> = choice.skills.iter().filter_map(|one| find(&one.skill)).collect();
    let read_one = |candidate: &Candidate| {
        let text = text_of(library, candidate).ok()?;
        let place = Place { directory: &text.directory, file: &text.file };
        Some(read(&text.bytes, &place).0)
    };
    let found =
        skills.iter().filter_map(|candidate| Some((candidate.clone(), read_one(candidate)?)));
    let together = with_companions(found.collect(), &|wanted| {
        let candidate = find(wanted)?;
        let skill = read_one(&candidate)?;
        Some((candidate, skill))
    });
    let order = together.iter().map(|(candidate, _)| candidate.reference()).collect();
    Ok(Chosen { task, choice, skills, order })
}

/// Returns skills and those that their `skills:` name, each once, in the order in which they are read.
pub(crate) fn with_companions(
    chosen: Vec<(Candidate, Skill)>,
    find: &dyn Fn(&Reference) -> Option<(Candidate, Skill)>,
) -> Vec<(Candidate, Skill)> {
    let named: Vec<Reference> = chosen
        .iter()
        .flat_map(|(_, skill)| &skill.fields.skills)
        .filter_map(|name| Reference::parse(name).ok())
        .take(COMPANIONS)
        .collect();
    let mut all: Vec<(Candidate, Skill)> = Vec::new();
    for found in chosen.into_iter().chain(named.iter().filter_map(find)) {
        let reference = found.0.reference();
        if all.iter().all(|(known, _)| known.reference() != reference) {
            all.push(found);
        }
    }
    let ingredient = |(candidate, skill): &(Candidate, Skill)| {
        let fields = &skill.fields;
        let (category, kind) = (fields.category.as_deref(), fields.kind.as_deref());
        Ingredient::of(candidate.reference(), category, kind, fields.priority)
    };
    let order: Vec<Reference> =
        compose(all.iter().map(ingredient)).into_iter().map(|one| one.skill).collect();
    let place = |candidate: &Candidate| {
        let reference = candidate.reference();
        order.iter().position(|one| *one == reference)
    };
    all.sort_by_key(|(candidate, _)| place(candidate));
    all
}

/// Most skills that come along with others: what their authors name beyond that is a catalogue.
const COMPANIONS: usize = 8;

/// Remembers what a session chose, unless it chose the same for the task before.
///
/// A person who looks something up leaves no trace: the history is about what agents work with.
pub fn remember(desk: &mut Desk, chosen: &Chosen) -> Result<(), EngineError> {
    if chosen.skills.is_empty()
        || !matches!(desk.caller(), Caller::Agent(_) | Caller::Session { .. })
    {
        return Ok(());
    }
    let mut work = desk.begin(None)?;
    let known = work.store().skill_choices(SkillChoices::ForTask(chosen.task.id))?;
    let own: Vec<&SkillChoice> =
        known.iter().filter(|choice| choice.agent == work.actor.name).collect();
    let is_known = |skill: &&Candidate| {
        let reference = skill.reference().to_string();
        own.iter().any(|choice| choice.reference == reference && choice.digest == skill.digest)
    };
    let effect = |skill: &Candidate| {
        Effect::Skill(SkillEffect::Chosen {
            task: chosen.task.id,
            reference: skill.reference().to_string(),
            digest: skill.digest,
            rule: chosen.choice.decided_by.word().into(),
            reason: chosen.choice.to_string(),
        })
    };
    let new = chosen.skills.iter().filter(|skill| !is_known(skill));
    let effects: Vec<Effect> = new.map(effect).collect();
    if !effects.is_empty() {
        work.commit(effects)?;
    }
    Ok(())
}

/// Returns what was chosen before for a task and its steps, in the order of time.
pub fn history_of_task(desk: &Desk, raw: &str) -> Result<Vec<SkillChoice>, EngineError> {
    let Some(here) = desk.here()? else { return Err(no_such_task(raw)) };
    let task = find_task(here.store, here.project.id, raw)?.id;
    let tasks = here.store.tasks(here.project.id)?;
    let forest = Forest::new(&tasks);
    let is_below = |one: &Task| forest.ancestors(one.id).iter().any(|above| above.id == task);
    let below = tasks.iter().filter(|one| is_below(one)).map(|one| one.id);
    let mut choices = Vec::new();
    for one in [task].into_iter().chain(below) {
        choices.extend(here.store.skill_choices(SkillChoices::ForTask(one))?);
    }
    choices.sort_by_key(|choice| choice.at);
    Ok(choices)
}

/// Returns what was chosen before.
pub fn history(desk: &Desk, asked: SkillChoices) -> Result<Vec<SkillChoice>, EngineError> {
    match desk.store() {
        Some(store) => Ok(store.skill_choices(asked)?),
        None => Ok(Vec::new()),
    }
}
