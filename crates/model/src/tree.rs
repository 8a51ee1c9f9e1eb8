//! The task tree: order, readiness, the current place, and what would wait on itself.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

use crate::{AgentName, Task, TaskId, TaskState};

/// The tasks of one project as a forest, in the order people see them.
#[derive(Debug)]
pub struct Forest<'a> {
    by_id: BTreeMap<TaskId, &'a Task>,
    children: BTreeMap<Option<TaskId>, Vec<&'a Task>>,
}

impl<'a> Forest<'a> {
    /// Builds the forest. A task whose parent is not among `tasks` stands at the top.
    pub fn new(tasks: &'a [Task]) -> Self {
        let by_id: BTreeMap<TaskId, &Task> = tasks.iter().map(|task| (task.id, task)).collect();
        let mut children: BTreeMap<Option<TaskId>, Vec<&Task>> = BTreeMap::new();
        for task in tasks {
            let parent = task.parent.filter(|parent| by_id.contains_key(parent));
            children.entry(parent).or_default().push(task);
        }
        for siblings in children.values_mut() {
            siblings.sort_by_key(|task| (task.rank, task.number));
        }
        Self { by_id, children }
    }

    /// Returns the task with this id.
    pub fn get(&self, id: TaskId) -> Option<&'a Task> {
        self.by_id.get(&id).copied()
    }

    /// Returns the steps of `parent`, or the tasks at the top.
    pub fn children(&self, parent: Option<TaskId>) -> &[&'a Task] {
        self.children.get(&parent).map_or(&[], Vec::as_slice)
    }

    /// Returns every task with its depth, parents before their steps.
    pub fn walk(&self) -> Vec<(usize, &'a Task)> {
        let mut seen = Vec::with_capacity(self.by_id.len());
        let mut waiting: Vec<(usize, &Task)> =
            self.children(None).iter().rev().map(|task| (0, *task)).collect();
        while let Some((depth, task)) = waiting.pop() {
            seen.push((depth, task));
            let steps = self.children(Some(task.id)).iter().rev();
            waiting.extend(steps.map(|step| (depth + 1, *step)));
        }
        seen
    }

    /// Returns the ancestors of a task, nearest first.
    pub fn ancestors(&self, id: TaskId) -> Vec<&'a Task> {
        let mut found: Vec<&Task> = Vec::new();
        let mut next = self.get(id).and_then(|task| task.parent);
        while let Some(parent) = next.and_then(|id| self.get(id)) {
            // A parent loop cannot be committed; a damaged file must still not hang us.
            if parent.id == id || found.iter().any(|seen| seen.id == parent.id) {
                break;
            }
            found.push(parent);
            next = parent.parent;
        }
        found
    }

    /// Returns the unfinished tasks that hold this one up: its own and its ancestors' dependencies.
    pub fn held_up_by(&self, id: TaskId) -> Vec<&'a Task> {
        let own = self.get(id).into_iter();
        let mut holding: Vec<&Task> = own
            .chain(self.ancestors(id))
            .flat_map(|task| &task.after)
            .filter_map(|on| self.get(*on))
            .filter(|on| !on.state.is_settled())
            .collect();
        holding.sort_by_key(|task| task.number);
        holding.dedup_by_key(|task| task.id);
        holding
    }

    /// Returns the unfinished steps of a task, at any depth.
    pub fn unfinished_steps(&self, id: TaskId) -> Vec<&'a Task> {
        let mut found = Vec::new();
        let mut waiting: Vec<&Task> = self.children(Some(id)).iter().rev().copied().collect();
        while let Some(task) = waiting.pop() {
            if !task.state.is_over() {
                found.push(task);
            }
            waiting.extend(self.children(Some(task.id)).iter().rev());
        }
        found
    }

    /// Tells whether somebody could begin this task now.
    pub fn is_ready(&self, task: &Task) -> bool {
        let goes_on = |above: &&Task| !above.state.is_over() && above.state != TaskState::Blocked;
        task.state == TaskState::Open
            && self.ancestors(task.id).iter().all(goes_on)
            && self.held_up_by(task.id).is_empty()
    }

    /// Returns the tasks that could be begun now, in tree order.
    pub fn ready(&self) -> Vec<&'a Task> {
        self.walk().into_iter().map(|(_, task)| task).filter(|task| self.is_ready(task)).collect()
    }

    /// Returns the task `agent` works on: what it holds itself, else what anybody holds.
    ///
    /// Among several the one that changed last counts, and a step counts before its task: a new
    /// session of a developer who works alone then finds the place the last one left.
    pub fn current(&self, agent: Option<&AgentName>) -> Option<&'a Task> {
        let own = |task: &Task| task.assignee.as_ref() == agent;
        agent.and_then(|_| self.in_progress(own)).or_else(|| self.in_progress(|_| true))
    }

    /// Returns the task `agent` may work on as it is: what it holds itself, else what no other agent
    /// holds, such as a task of the person.
    pub fn in_hand(&self, agent: Option<&AgentName>) -> Option<&'a Task> {
        let own = |task: &Task| task.assignee.as_ref() == agent;
        let free = |task: &Task| task.assignee.as_ref().is_none_or(AgentName::is_reserved);
        agent.and_then(|_| self.in_progress(own)).or_else(|| self.in_progress(free))
    }

    /// Returns the deepest task in progress that is meant; of several the one that changed last.
    fn in_progress(&self, is_meant: impl Fn(&Task) -> bool) -> Option<&'a Task> {
        self.walk()
            .into_iter()
            .filter(|(_, task)| task.state == TaskState::InProgress && is_meant(task))
            .max_by_key(|(depth, task)| (*depth, task.touched))
            .map(|(_, task)| task)
    }

    /// Returns the loop that would arise if `task` waited on `on`, from `on` back to `task`.
    ///
    /// A task waits on its dependencies, on its own steps (it cannot close before them) and on the
    /// dependencies of the tasks it is a step of. That is why a way back to a step of `task` closes
    /// the loop too: the step would inherit the new dependency.
    pub fn loop_through(&self, task: TaskId, on: TaskId) -> Option<Vec<TaskId>> {
        let closes =
            |at: TaskId| at == task || self.ancestors(at).iter().any(|above| above.id == task);
        let mut came_from: BTreeMap<TaskId, TaskId> = BTreeMap::new();
        let mut seen = BTreeSet::from([on]);
        let mut waiting = Vec::from([on]);
        while let Some(at) = waiting.pop() {
            if closes(at) {
                let mut path = Vec::from([at]);
                let mut step = at;
                while let Some(before) = came_from.get(&step) {
                    path.push(*before);
                    step = *before;
                }
                path.reverse();
                return Some(path);
            }
            let inherited = self.ancestors(at).into_iter().flat_map(|above| above.after.iter());
            let own = self.get(at).into_iter().flat_map(|task| task.after.iter());
            let steps = self.children(Some(at)).iter().map(|step| step.id);
            for next in own.chain(inherited).copied().chain(steps) {
                if seen.insert(next) {
                    came_from.insert(next, at);
                    waiting.push(next);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Moment, Number, ProjectId, Sequence, ShortId, Title};
    use proptest::prelude::*;
    use uuid::Uuid;

    fn id(n: u32) -> TaskId {
        TaskId::new(Uuid::from_u128(u128::from(n)))
    }

    fn task(n: u32, parent: Option<u32>, after: &[u32], state: TaskState) -> Task {
        Task {
            id: id(n),
            number: Number::new(n),
            short: ShortId::of(id(n), 5),
            project: ProjectId::new(Uuid::nil()),
            parent: parent.map(id),
            rank: n,
            title: Title::parse("x").unwrap(),
            state,
            assignee: None,
            skill: None,
            plan: None,
            after: after.iter().copied().map(id).collect(),
            reason: None,
            created: Moment::from_millis(0),
            changed: Moment::from_millis(0),
            touched: Sequence::new(u64::from(n)),
        }
    }

    fn numbers(tasks: &[&Task]) -> Vec<u32> {
        tasks.iter().map(|task| task.number.get()).collect()
    }

    #[test]
    fn ready_waits_for_dependencies_own_and_inherited() {
        use TaskState::{Done, Failed, Open};
        let tasks = [
            task(1, None, &[], Open),
            task(2, None, &[1], Open),
            task(3, Some(2), &[], Open),
            task(4, None, &[5], Open),
            task(5, None, &[], Failed),
            task(6, Some(5), &[], Open),
            task(7, None, &[8], Open),
            task(8, None, &[], Done),
        ];
        let forest = Forest::new(&tasks);
        assert_eq!(numbers(&forest.ready()), [1, 7]);
        assert_eq!(numbers(&forest.held_up_by(id(3))), [1]);
    }

    #[test]
    fn the_steps_of_a_blocked_task_wait_with_it() {
        use TaskState::{Blocked, Open};
        let tasks = [
            task(1, None, &[], Blocked),
            task(2, Some(1), &[], Open),
            task(3, Some(2), &[], Open),
            task(4, None, &[], Open),
        ];
        assert_eq!(numbers(&Forest::new(&tasks).ready()), [4]);
    }

    #[test]
    fn the_current_task_is_ones_own_before_anothers_and_a_step_before_its_task() {
        let mut tasks = [
            task(1, None, &[], TaskState::InProgress),
            task(2, Some(1), &[], TaskState::InProgress),
            task(3, None, &[], TaskState::InProgress),
            task(4, None, &[], TaskState::Open),
        ];
        let backend = AgentName::parse("backend").unwrap();
        let other = AgentName::parse("other").unwrap();
        for (task, agent) in tasks.iter_mut().zip([&backend, &backend, &other]) {
            task.assignee = Some(agent.clone());
        }
        let forest = Forest::new(&tasks);
        let current = |agent: Option<&AgentName>| forest.current(agent).map(|t| t.number.get());
        assert_eq!(current(Some(&backend)), Some(2));
        assert_eq!(current(Some(&other)), Some(3));
        assert_eq!(current(Some(&AgentName::unknown())), Some(2));
        assert_eq!(current(None), Some(2));
        assert_eq!(Forest::new(&[]).current(None), None);
    }

    #[test]
    fn what_another_agent_holds_is_in_nobody_elses_hand() {
        let mut tasks = [
            task(1, None, &[], TaskState::InProgress),
            task(2, None, &[], TaskState::InProgress),
            task(3, None, &[], TaskState::Open),
        ];
        let backend = AgentName::parse("backend").unwrap();
        let other = AgentName::parse("other").unwrap();
        let in_hand = |tasks: &[Task], agent: Option<&AgentName>| {
            Forest::new(tasks).in_hand(agent).map(|task| task.number.get())
        };
        tasks[0].assignee = Some(backend.clone());
        assert_eq!(in_hand(&tasks, Some(&backend)), Some(1), "its own before one of nobody");
        assert_eq!(in_hand(&tasks, Some(&other)), Some(2), "nobody holds it");
        tasks[1].assignee = Some(AgentName::person());
        assert_eq!(in_hand(&tasks, Some(&other)), Some(2), "it is the person's");
        tasks[1].state = TaskState::Done;
        assert_eq!(in_hand(&tasks, Some(&other)), None);
        assert_eq!(in_hand(&tasks, None), None);
    }

    #[test]
    fn loops_are_found_through_steps_and_parents() {
        let tasks = [
            task(1, None, &[], TaskState::Open),
            task(2, Some(1), &[], TaskState::Open),
            task(3, None, &[2], TaskState::Open),
            task(4, None, &[], TaskState::Open),
        ];
        let forest = Forest::new(&tasks);
        assert_eq!(forest.loop_through(id(1), id(1)), Some(Vec::from([id(1)])));
        // A step that waits on its own task can never begin: the task waits on its steps.
        assert_eq!(forest.loop_through(id(2), id(1)), Some(Vec::from([id(1), id(2)])));
        assert_eq!(forest.loop_through(id(2), id(3)), Some(Vec::from([id(3), id(2)])));
        // A task that waits on its own step would make the step wait on itself.
        assert_eq!(forest.loop_through(id(1), id(2)), Some(Vec::from([id(2)])));
        assert_eq!(forest.loop_through(id(4), id(3)), None);
    }

    proptest! {
        /// Adding only dependencies that `loop_through` lets pass never leaves a task stuck:
        /// closing whatever is ready, leaves first, finishes every tree.
        #[test]
        fn a_forest_without_loops_can_always_be_finished(
            parents in prop::collection::vec(0u32..12, 12),
            wishes in prop::collection::vec((1u32..=12, 1u32..=12), 0..40),
        ) {
            let mut tasks: Vec<Task> = (1..=12u32)
                .zip(&parents)
                .map(|(n, p)| task(n, (*p > 0 && *p < n).then_some(*p), &[], TaskState::Open))
                .collect();
            for (from, on) in wishes {
                if Forest::new(&tasks).loop_through(id(from), id(on)).is_none() {
                    let waiter = tasks.iter_mut().find(|t| t.id == id(from)).unwrap();
                    waiter.after.push(id(on));
                }
            }
            for _ in 0..tasks.len() {
                let forest = Forest::new(&tasks);
                let next = forest
                    .ready()
                    .into_iter()
                    .find(|t| forest.unfinished_steps(t.id).is_empty())
                    .map(|t| t.id);
                prop_assert!(next.is_some(), "stuck: {tasks:?}");
                tasks.iter_mut().find(|t| Some(t.id) == next).unwrap().state = TaskState::Done;
            }
        }

        /// Every task is walked exactly once, after its parent.
        #[test]
        fn walking_visits_each_task_once(parents in prop::collection::vec(0u32..30, 30)) {
            let tasks: Vec<Task> = (1..=30u32)
                .zip(&parents)
                .map(|(n, p)| task(n, (*p > 0 && *p < n).then_some(*p), &[], TaskState::Open))
                .collect();
            let walked = Forest::new(&tasks).walk();
            let mut seen = BTreeSet::new();
            for (depth, task) in &walked {
                prop_assert!(seen.insert(task.id));
                prop_assert_eq!(task.parent.is_some(), *depth > 0);
                if let Some(parent) = task.parent {
                    prop_assert!(seen.contains(&parent));
                }
            }
            prop_assert_eq!(walked.len(), tasks.len());
        }
    }
}
