//! Which skill a task is done with, and what was chosen before.

use pacenote_model::{Effect, Forest, SkillChoice, Task};
use pacenote_skill::{
    choice::{Choice, Ingredient, Rules, TaskView, choose, compose},
    listing::Candidate,
    reference::Reference,
    resolve::resolve,
    skill::{Place, read},
};
use pacenote_store::SkillChoices;

use super::{Library, text_of};
use crate::{
    Caller, Desk, EngineError,
    desk::{find_task, no_such_task},
};

/// The skill for a task.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub task: Task,
    /// Which skill, and what decided.
    pub choice: Choice,
    /// The skill itself; `None` when it is not there.
    pub skill: Option<Candidate>,
    /// The skill and those that come along with it, in the order in which they are read.
    pub order: Vec<Reference>,
}

/// Chooses the skill for a task. Nothing is written.
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
    let above = forest.ancestors(task.id);
    let told = |task: &Task| {
        let skill = task.skill.as_ref().and_then(|skill| Reference::parse(skill.as_str()).ok());
        (task.number.to_string(), skill, task.title.to_string())
    };
    let (own, above): (_, Vec<_>) = (told(&task), above.into_iter().map(told).collect());
    let find = |wanted: &Reference| {
        let found = resolve(wanted, &library.listing, &library.lock, &library.approved, None);
        found.ok().map(|found| found.candidate.clone())
    };
    let choice =
        choose(&view(&own), &above.iter().map(view).collect::<Vec<_>>(), &rules, &|wanted| {
            find(wanted).map(|candidate| candidate.reference())
        });
    let skill = find(&choice.skill);
    let order = match &skill {
        Some(skill) => companions(library, skill, &find),
        None => Vec::new(),
    };
    Ok(Chosen { task, choice, skill, order })
}

fn view((name, skill, title): &(String, Option<Reference>, String)) -> TaskView<'_> {
    TaskView { name, skill: skill.as_ref(), title }
}

/// Returns a skill and those that its `skills:` names, in the order in which they are read.
fn companions(
    library: &Library,
    skill: &Candidate,
    find: &dyn Fn(&Reference) -> Option<Candidate>,
) -> Vec<Reference> {
    let ingredient = |candidate: &Candidate| {
        let text = text_of(library, candidate).ok()?;
        let place = Place { directory: &text.directory, file: &text.file };
        let fields = read(&text.bytes, &place).0.fields;
        let (category, kind) = (fields.category.as_deref(), fields.kind.as_deref());
        let ingredient = Ingredient::of(candidate.reference(), category, kind, fields.priority);
        Some((ingredient, fields.skills))
    };
    let Some((own, named)) = ingredient(skill) else { return vec![skill.reference()] };
    let others = named
        .iter()
        .filter_map(|name| find(&Reference::parse(name).ok()?))
        .filter_map(|candidate| Some(ingredient(&candidate)?.0));
    compose(others.chain([own])).into_iter().map(|ingredient| ingredient.skill).collect()
}

/// Remembers what a session chose, unless it chose the same for the task before.
///
/// A person who looks something up leaves no trace: the history is about what agents work with.
pub fn remember(desk: &mut Desk, chosen: &Chosen) -> Result<(), EngineError> {
    let Some(skill) = &chosen.skill else { return Ok(()) };
    if !matches!(desk.caller(), Caller::Agent(_) | Caller::Session { .. }) {
        return Ok(());
    }
    let reference = chosen.choice.skill.to_string();
    let mut work = desk.begin(None)?;
    let known = work.store().skill_choices(SkillChoices::ForTask(chosen.task.id))?;
    let last = known.iter().rev().find(|choice| choice.agent == work.actor.name);
    let is_same =
        |known: &SkillChoice| known.reference == reference && known.digest == skill.digest;
    if last.is_some_and(is_same) {
        return Ok(());
    }
    work.commit(vec![Effect::SkillChosen {
        task: chosen.task.id,
        reference,
        digest: skill.digest,
        rule: chosen.choice.decided_by.word().into(),
        reason: chosen.choice.to_string(),
    }])?;
    Ok(())
}

/// Returns what was chosen before.
pub fn history(desk: &Desk, asked: SkillChoices) -> Result<Vec<SkillChoice>, EngineError> {
    match desk.store() {
        Some(store) => Ok(store.skill_choices(asked)?),
        None => Ok(Vec::new()),
    }
}
