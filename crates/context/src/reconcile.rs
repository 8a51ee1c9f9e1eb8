//! Brings a plan file and the tasks that came from it together.
//!
//! The plan decides titles, order and what exists; the store decides what was done. An import may
//! therefore add, rename, move, close what was ticked and drop what nobody touched; it never
//! reopens anything, never takes work or notes away and never takes new work for work that is over.
//! Importing the same plan twice changes nothing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use pacenote_model::{
    Forest, NewTask, PlanPlace, ShortId, Task, TaskEffect, TaskId, TaskState, TaskVerb, Title,
    task::PlanFile,
};

use crate::{
    heading::{STEP, TASK, name_of},
    plan::{Plan, PlanStep, PlanTask},
};

/// What an import does, and a count of it in tasks and steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reconciled {
    /// The effects, to be committed together and in this order.
    pub effects: Vec<TaskEffect>,
    /// How many are new.
    pub added: usize,
    /// How many got another title, section or place, or were closed because their box is ticked.
    pub revised: usize,
    /// How many disappear because the plan no longer names them.
    pub removed: usize,
    /// How many stay as they are.
    pub unchanged: usize,
    /// Those the plan no longer names that stay because somebody touched them, wrote a note on them
    /// or put a task below.
    pub kept: Vec<ShortId>,
}

/// Decides what an import of `plan` from `file` does to a project with the tasks `existing`.
///
/// `existing` holds every task of the project that is not deleted, `noted` the ids of those that
/// somebody wrote notes on; `fresh` makes ids for new ones.
pub fn reconcile(
    plan: &Plan,
    file: &PlanFile,
    existing: &[Task],
    noted: &BTreeSet<TaskId>,
    fresh: &mut dyn FnMut() -> TaskId,
) -> Reconciled {
    let mut import = Import {
        file,
        forest: Forest::new(existing),
        noted,
        fresh,
        over: BTreeSet::new(),
        outcome: Reconciled::default(),
    };
    let items: Vec<Item<'_>> = plan.tasks.iter().map(Item::task).collect();
    import.level(None, &items);
    import.outcome
}

/// A task or step as the plan has it.
struct Item<'p> {
    section: &'p Title,
    title: &'p Title,
    /// The title without its number, by which it is known again.
    name: &'p str,
    ticked: bool,
    steps: &'p [PlanStep],
}

impl<'p> Item<'p> {
    fn task(task: &'p PlanTask) -> Self {
        let PlanTask { section, title, steps } = task;
        let name = name_of(TASK, title.as_str());
        Self { section, title, name, ticked: task.is_ticked(), steps }
    }

    fn step(step: &'p PlanStep) -> Self {
        let PlanStep { section, title, ticked } = step;
        let name = name_of(STEP, title.as_str());
        Self { section, title, name, ticked: *ticked, steps: &[] }
    }
}

struct Import<'a> {
    file: &'a PlanFile,
    forest: Forest<'a>,
    noted: &'a BTreeSet<TaskId>,
    fresh: &'a mut dyn FnMut() -> TaskId,
    /// The tasks that the effects so far close or delete.
    over: BTreeSet<TaskId>,
    outcome: Reconciled,
}

impl<'a> Import<'a> {
    /// Brings the tasks below one parent in line with the plan, and then what is below them.
    fn level(&mut self, parent: Option<TaskId>, items: &[Item<'_>]) {
        let word = if parent.is_none() { TASK } else { STEP };
        let Matched { found, gone } = matched(word, items, self.ours(parent));
        let first_rank = first_rank(&found, self.forest.children(parent));
        for (offset, (item, task)) in (0..).zip(items.iter().zip(found)) {
            let rank = first_rank.saturating_add(offset);
            match task {
                Some(task) => self.revise(task, item, rank),
                None => self.add(parent, item, rank),
            }
        }
        for task in gone {
            self.part_with(task);
        }
    }

    fn add(&mut self, parent: Option<TaskId>, item: &Item<'_>, rank: u32) {
        let id = (self.fresh)();
        let plan = PlanPlace { file: self.file.clone(), section: Some(item.section.clone()) };
        let task = NewTask {
            parent,
            state: if item.ticked { TaskState::Done } else { TaskState::Open },
            plan: Some(plan),
            rank: Some(rank),
            ..NewTask::titled(id, item.title.clone())
        };
        self.outcome.effects.push(TaskEffect::Added { task });
        self.outcome.added += 1;
        self.steps(id, item);
    }

    fn revise(&mut self, task: &Task, item: &Item<'_>, rank: u32) {
        let same = task.title == *item.title
            && section_of(task) == Some(item.section)
            && task.rank == rank;
        if !same {
            self.outcome.effects.push(TaskEffect::Revised {
                task: task.id,
                title: item.title.clone(),
                section: Some(item.section.clone()),
                rank,
            });
        }
        // The steps come first: a task with unfinished steps cannot be closed.
        self.steps(task.id, item);
        let closes = item.ticked && is_free(task) && self.nothing_is_left_below(task);
        if closes {
            let (task, verb) = (task.id, TaskVerb::Close);
            self.outcome.effects.push(TaskEffect::Moved { task, verb, reason: None });
            self.over.insert(task);
        }
        if same && !closes {
            self.outcome.unchanged += 1;
        } else {
            self.outcome.revised += 1;
        }
    }

    fn steps(&mut self, parent: TaskId, item: &Item<'_>) {
        let steps: Vec<Item<'_>> = item.steps.iter().map(Item::step).collect();
        self.level(Some(parent), &steps);
    }

    /// Deletes what the plan no longer names, unless something in it is not the plan's to delete.
    fn part_with(&mut self, task: &Task) {
        if self.is_disposable(task) {
            self.outcome.effects.push(TaskEffect::Deleted { task: task.id });
            self.forget(task);
            return;
        }
        self.outcome.kept.push(task.short.clone());
        for step in self.ours(Some(task.id)) {
            self.part_with(step);
        }
    }

    /// Notes that a task disappears with all below it.
    fn forget(&mut self, task: &Task) {
        self.over.insert(task.id);
        self.outcome.removed += 1;
        for step in self.forest.children(Some(task.id)).to_vec() {
            self.forget(step);
        }
    }

    fn is_disposable(&self, task: &Task) -> bool {
        let below = self.forest.children(Some(task.id));
        self.is_ours(task)
            && is_free(task)
            && !self.noted.contains(&task.id)
            && below.iter().all(|step| self.is_disposable(step))
    }

    fn nothing_is_left_below(&self, task: &Task) -> bool {
        self.forest.unfinished_steps(task.id).iter().all(|step| self.over.contains(&step.id))
    }

    /// Returns the tasks below one parent that came from this plan.
    fn ours(&self, parent: Option<TaskId>) -> Vec<&'a Task> {
        let siblings = self.forest.children(parent).iter().copied();
        siblings.filter(|task| self.is_ours(task)).collect()
    }

    fn is_ours(&self, task: &Task) -> bool {
        task.plan.as_ref().is_some_and(|place| place.file == *self.file)
    }
}

/// Tells whether nobody has begun a task, decided about it or been asked to do it.
fn is_free(task: &Task) -> bool {
    task.state == TaskState::Open && task.assignee.is_none()
}

fn section_of(task: &Task) -> Option<&Title> {
    task.plan.as_ref().and_then(|place| place.section.as_ref())
}

/// Returns the rank of the first item: where the plan stands already, or else after all others.
fn first_rank(found: &[Option<&Task>], siblings: &[&Task]) -> u32 {
    let stands = found.iter().flatten().map(|task| task.rank).min();
    let after = || siblings.iter().map(|task| task.rank.saturating_add(1)).max();
    stands.or_else(after).unwrap_or(0)
}

/// Which task is which item.
struct Matched<'a> {
    /// The task of each item.
    found: Vec<Option<&'a Task>>,
    /// The tasks without an item.
    gone: Vec<&'a Task>,
}

/// What makes a task and an item the same, the surest sign first.
#[derive(Clone, Copy)]
enum Likeness {
    NameAndSection,
    Name,
    Section,
}

impl Likeness {
    const SUREST_FIRST: [Self; 3] = [Self::NameAndSection, Self::Name, Self::Section];

    const fn key<'k>(
        self,
        name: &'k str,
        section: Option<&'k Title>,
    ) -> (Option<&'k str>, Option<&'k Title>) {
        match self {
            Self::NameAndSection => (Some(name), section),
            Self::Name => (Some(name), None),
            Self::Section => (None, section),
        }
    }

    /// Tells whether a task of this state may be known by this sign.
    ///
    /// A number says only where something stands in the plan. Where the work is over, another name
    /// under its number is new work, which must not arrive done.
    const fn suffices_for(self, state: TaskState) -> bool {
        match self {
            Self::NameAndSection | Self::Name => true,
            Self::Section => !state.is_over(),
        }
    }
}

/// Finds for each item the task that came from it.
///
/// The name counts before the section, because a task put in front renumbers all that follow.
fn matched<'a>(word: &str, items: &[Item<'_>], tasks: Vec<&'a Task>) -> Matched<'a> {
    let mut found: Vec<Option<&Task>> = items.iter().map(|_| None).collect();
    let mut left = tasks;
    for likeness in Likeness::SUREST_FIRST {
        let mut by_key: BTreeMap<_, VecDeque<&Task>> = BTreeMap::new();
        for task in left.iter().filter(|task| likeness.suffices_for(task.state)) {
            let key = likeness.key(name_of(word, task.title.as_str()), section_of(task));
            by_key.entry(key).or_default().push_back(task);
        }
        let mut used = BTreeSet::new();
        for (item, slot) in items.iter().zip(&mut found).filter(|(_, slot)| slot.is_none()) {
            let key = likeness.key(item.name, Some(item.section));
            *slot = by_key.get_mut(&key).and_then(VecDeque::pop_front);
            used.extend(slot.map(|task| task.id));
        }
        left.retain(|task| !used.contains(&task.id));
    }
    Matched { found, gone: left }
}

#[cfg(test)]
mod tests;
