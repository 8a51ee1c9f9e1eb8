//! Where the work stands and what to do now, in one sentence each.
//!
//! The sentences follow from the tasks alone: no ages, no clock, so the same state gives the same
//! bytes. The first quotes titles and reasons as they are; whoever shows it escapes it.

use pacenote_model::{AgentName, Forest, Task, TaskId, TaskState};

use crate::{
    tree::{StepCount, state_in_words},
    wording::counted,
};

/// The place in the work, as one agent sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The task in progress that the sentence is about.
    pub current: Option<TaskId>,
    /// The step of it that comes next, or that is at hand itself.
    pub step: Option<TaskId>,
    /// The task to look at first: the current one, else the next.
    pub focus: Option<TaskId>,
    /// The task that could be begun, where somebody else is at the current one.
    pub free: Option<TaskId>,
    /// Where the work stands.
    pub sentence: String,
    /// What to do now, with the command to run; it quotes nothing that an agent wrote.
    pub next_action: String,
}

/// How the sentences name a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// By its id and title, for a reader who sees nothing else.
    Title,
    /// A task by its id and a step with its title, for a reader who has the tree beside it: that names
    /// the task, and may name its steps by their ids alone.
    Step,
    /// By its id alone, where there is no room for titles.
    Id,
}

impl Naming {
    fn name(self, task: &Task) -> String {
        match self {
            Self::Title => format!("{} \"{}\"", task.short, task.title),
            Self::Step | Self::Id => task.short.to_string(),
        }
    }

    fn name_step(self, step: &Task) -> String {
        match self {
            Self::Title | Self::Step => Self::Title.name(step),
            Self::Id => self.name(step),
        }
    }
}

impl Position {
    /// Finds the position of `agent`, or of whoever works when the agent has no name.
    pub fn of(forest: &Forest<'_>, agent: Option<&AgentName>, naming: Naming) -> Self {
        let viewer = Viewer { forest, agent, naming };
        if let Some(current) = forest.current(agent) {
            return viewer.at_work(current);
        }
        if let Some(blocked) = viewer.own_blocked() {
            return viewer.at_obstacle(blocked);
        }
        if let Some(next) = viewer.ready().or_else(|| forest.ready().first().copied()) {
            return viewer.before(next);
        }
        match obstacle(forest) {
            Some(obstacle) => stuck(obstacle, naming),
            None => finished(forest),
        }
    }
}

/// The agent the sentences speak to, with the tasks it sees.
#[derive(Clone, Copy)]
struct Viewer<'f, 'a> {
    forest: &'f Forest<'a>,
    agent: Option<&'f AgentName>,
    naming: Naming,
}

impl<'a> Viewer<'_, 'a> {
    fn at_work(self, current: &'a Task) -> Position {
        let (task, step) = self.task_and_step(current);
        let place = match step {
            Some(step) => format!("{}, step {}", self.counted(task), self.naming.name_step(step)),
            None => self.counted(task),
        };
        let todo = step.unwrap_or(task);
        let (sentence, next_action) = match self.stranger(current) {
            None => (format!("You are at {place}."), self.carry_on(todo)),
            Some(holder) => {
                let free = self
                    .ready()
                    .map(|free| format!(" Free to claim: {}.", Naming::Title.name(free)));
                let free = free.unwrap_or_default();
                (format!("@{holder} is at {place}.{free}"), self.instead())
            }
        };
        let free = self.stranger(current).and_then(|_| self.ready()).map(|free| free.id);
        let (current, step) = (Some(current.id), step.map(|step| step.id));
        Position { current, step, focus: current, free, sentence, next_action }
    }

    /// Returns a task that the viewer holds and that cannot go on.
    fn own_blocked(self) -> Option<&'a Task> {
        let own = |task: &&Task| task.assignee.is_some() && task.assignee.as_ref() == self.agent;
        let walk = self.forest.walk().into_iter().map(|(_, task)| task);
        walk.filter(own).find(|task| task.state == TaskState::Blocked)
    }

    fn at_obstacle(self, task: &Task) -> Position {
        let (short, place) = (&task.short, self.naming.name(task));
        let why = task.reason.as_ref().map(|why| format!(": {}", why.as_str())).unwrap_or_default();
        let sentence = format!("You are at {place}, which is blocked{why}.");
        let next_action =
            format!("If that is settled: `pacenote task reopen {short}`. {}", self.instead());
        let focus = Some(task.id);
        Position { current: None, step: None, focus, free: None, sentence, next_action }
    }

    fn instead(self) -> String {
        self.ready().map_or_else(|| "Nothing else is ready.".to_owned(), go_on_with)
    }

    fn before(self, next: &Task) -> Position {
        let (short, place) = (&next.short, self.counted(next));
        let (sentence, next_action) = match self.stranger(next) {
            None => (format!("Nothing is in progress; next is {place}."), go_on_with(next)),
            Some(meant) => (
                format!("Nothing is in progress; next is {place}, meant for @{meant}."),
                format!("Leave it to @{meant}, or see `pacenote task show {short}`."),
            ),
        };
        Position {
            current: None,
            step: None,
            focus: Some(next.id),
            free: None,
            sentence,
            next_action,
        }
    }

    /// Says how to finish a task or step that the viewer stands before.
    fn carry_on(self, task: &Task) -> String {
        let short = &task.short;
        let waits_on = self.forest.held_up_by(task.id);
        match (task.state, self.stranger(task), waits_on.first()) {
            (TaskState::Blocked, _, _) => {
                format!("{short} is blocked; settle that, then run `pacenote task reopen {short}`.")
            }
            (TaskState::Open | TaskState::InProgress, Some(holder), _) => {
                format!("{short} is with @{holder}; see `pacenote task show {short}`.")
            }
            (TaskState::Open, None, Some(on)) => {
                format!("{short} waits on {on}; see `pacenote task show {on}`.", on = on.short)
            }
            (TaskState::InProgress, None, _) if self.has_only_done_steps(task) => {
                format!("All steps are done: verify, then run `pacenote task close {short}`.")
            }
            (TaskState::Open, None, None)
            | (TaskState::InProgress, None, _)
            | (TaskState::Done | TaskState::Skipped | TaskState::Failed, _, _) => {
                format!("Finish {short}, then run `pacenote task close {short}`.")
            }
        }
    }

    fn has_only_done_steps(self, task: &Task) -> bool {
        let steps = self.forest.children(Some(task.id));
        !steps.is_empty() && steps.iter().all(|step| step.state.is_over())
    }

    /// Tells the task from its step: work in progress may be recorded at either.
    fn task_and_step(self, current: &'a Task) -> (&'a Task, Option<&'a Task>) {
        let is_leaf = self.forest.children(Some(current.id)).is_empty();
        match (self.next_step(current), current.parent.and_then(|above| self.forest.get(above))) {
            (None, Some(parent)) if is_leaf => (parent, Some(current)),
            (step, _) => (current, step),
        }
    }

    /// Returns the step to do next: the first the viewer can do, else the first that is left. Nobody is
    /// sent past a step at which somebody else is at work.
    fn next_step(self, task: &Task) -> Option<&'a Task> {
        let steps = self.forest.children(Some(task.id)).iter().copied();
        let left: Vec<&Task> = steps.filter(|step| !step.state.is_over()).collect();
        let is_next = |step: &&&Task| {
            let begun = step.state == TaskState::InProgress;
            begun || (self.stranger(step).is_none() && self.forest.is_ready(step))
        };
        left.iter().find(is_next).or(left.first()).copied()
    }

    /// Returns the first task the viewer could begin without stepping into another's work.
    fn ready(self) -> Option<&'a Task> {
        let in_progress = |task: &&Task| task.state == TaskState::InProgress;
        self.forest.ready().into_iter().find(|task| {
            self.stranger(task).is_none() && !self.forest.ancestors(task.id).iter().any(in_progress)
        })
    }

    /// Returns who has a task, if that is not the viewer.
    fn stranger(self, task: &Task) -> Option<&AgentName> {
        task.assignee.as_ref().filter(|holder| Some(*holder) != self.agent)
    }

    /// Names a task with the number of its finished steps.
    fn counted(self, task: &Task) -> String {
        match StepCount::of(self.forest, task.id) {
            Some(count) => format!("{} ({count})", self.naming.name(task)),
            None => self.naming.name(task),
        }
    }
}

/// Says how to begin a task, to somebody who may be asked for something else.
fn go_on_with(task: &Task) -> String {
    let what = if task.plan.is_some() { " with the plan" } else { "" };
    format!("If you are asked to go on{what}: `pacenote task claim {}`.", task.short)
}

/// Returns what keeps everything from going on, when nothing is in progress and nothing is ready.
fn obstacle<'a>(forest: &Forest<'a>) -> Option<&'a Task> {
    let walk = forest.walk().into_iter().map(|(_, task)| task);
    let left: Vec<&Task> = walk.filter(|task| !task.state.is_over()).collect();
    let blocked = left.iter().copied().find(|task| task.state == TaskState::Blocked);
    // A failed task is over itself and still holds up what waits on it.
    let failed = || {
        let holding = left.iter().flat_map(|task| forest.held_up_by(task.id));
        holding.into_iter().find(|task| task.state == TaskState::Failed)
    };
    blocked.or_else(failed).or(left.first().copied())
}

fn stuck(obstacle: &Task, naming: Naming) -> Position {
    let short = &obstacle.short;
    let state = state_in_words(obstacle);
    let trouble = match obstacle.state {
        TaskState::Blocked => format!("is {state}"),
        TaskState::Failed => format!("has {state}"),
        TaskState::Open | TaskState::InProgress | TaskState::Done | TaskState::Skipped => {
            "cannot begin".to_owned()
        }
    };
    let next_action = match obstacle.state {
        TaskState::Blocked | TaskState::Failed => {
            format!("Settle that, then run `pacenote task reopen {short}`.")
        }
        TaskState::Open | TaskState::InProgress | TaskState::Done | TaskState::Skipped => {
            format!("See what holds it up: `pacenote task show {short}`.")
        }
    };
    let named = naming.name(obstacle);
    let sentence = format!("Nothing is in progress and nothing is ready: {named} {trouble}.");
    Position {
        current: None,
        step: None,
        focus: Some(obstacle.id),
        free: None,
        sentence,
        next_action,
    }
}

fn finished(forest: &Forest<'_>) -> Position {
    let all = forest.walk();
    let count = |state: TaskState| all.iter().filter(|(_, task)| task.state == state).count();
    let total = counted(all.len(), "task");
    let (skipped, failed) = (count(TaskState::Skipped), count(TaskState::Failed));
    let sentence = match (all.len(), skipped + failed) {
        (0, _) => "There are no tasks.".to_owned(),
        (_, 0) => format!("Everything is done: {total}."),
        (_, _) => {
            let done = count(TaskState::Done);
            format!("Nothing is left of {total}: {done} done, {skipped} skipped, {failed} failed.")
        }
    };
    let next_action = "Add what comes next with `pacenote task add`.".to_owned();
    Position { current: None, step: None, focus: None, free: None, sentence, next_action }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{Telling, agent, shop, task};
    use TaskState::{Blocked, Done, Failed, InProgress, Skipped};

    fn said(tasks: &[Task], name: &str) -> String {
        let agent = (!name.is_empty()).then(|| agent(name));
        let position = Position::of(&Forest::new(tasks), agent.as_ref(), Naming::Title);
        format!("{}\n{}", position.sentence, position.next_action)
    }

    #[test]
    fn at_the_first_step_of_ones_own_task() {
        insta::assert_snapshot!(said(&shop(), "backend"), @r#"
        You are at t-00002 "Add login endpoint" (1 of 3 steps done), step t-00022 "Spec review".
        Finish t-00022, then run `pacenote task close t-00022`.
        "#);
    }

    #[test]
    fn beside_the_tree_the_step_alone_has_a_title() {
        let (tasks, backend) = (shop(), agent("backend"));
        let said = |naming| Position::of(&Forest::new(&tasks), Some(&backend), naming).sentence;
        assert_eq!(
            said(Naming::Step),
            "You are at t-00002 (1 of 3 steps done), step t-00022 \"Spec review\"."
        );
        assert_eq!(said(Naming::Id), "You are at t-00002 (1 of 3 steps done), step t-00022.");
    }

    #[test]
    fn at_a_step_that_was_claimed_itself() {
        let mut tasks = shop();
        tasks.retain(|task| task.number.get() != 23);
        tasks.push(task(23, "Code quality review").below(2).being(InProgress).by("backend"));
        insta::assert_snapshot!(said(&tasks, "backend"), @r#"
        You are at t-00002 "Add login endpoint" (1 of 3 steps done), step t-00023 "Code quality review".
        Finish t-00023, then run `pacenote task close t-00023`.
        "#);
    }

    #[test]
    fn at_a_task_without_steps() {
        let tasks = [task(1, "Alone").being(InProgress).by("backend")];
        insta::assert_snapshot!(said(&tasks, "backend"), @r#"
        You are at t-00001 "Alone".
        Finish t-00001, then run `pacenote task close t-00001`.
        "#);
    }

    #[test]
    fn at_a_task_whose_steps_are_all_over() {
        let tasks = [
            task(1, "Nearly").being(InProgress).by("backend"),
            task(2, "Only step").below(1).being(Done),
        ];
        insta::assert_snapshot!(said(&tasks, "backend"), @r#"
        You are at t-00001 "Nearly" (1 of 1 step done).
        All steps are done: verify, then run `pacenote task close t-00001`.
        "#);
    }

    #[test]
    fn before_a_step_that_cannot_go_on() {
        let begun = || task(1, "Begun").being(InProgress).by("backend");
        let blocked = task(2, "Deploy").below(1).because(Blocked, "no credentials");
        insta::assert_snapshot!(said(&[begun(), blocked], "backend"), @r#"
        You are at t-00001 "Begun" (0 of 1 step done), step t-00002 "Deploy".
        t-00002 is blocked; settle that, then run `pacenote task reopen t-00002`.
        "#);
        let waiting = task(2, "Deploy").below(1).after(&[3]);
        insta::assert_snapshot!(said(&[begun(), waiting, task(3, "Build")], "backend"), @r#"
        You are at t-00001 "Begun" (0 of 1 step done), step t-00002 "Deploy".
        t-00002 waits on t-00003; see `pacenote task show t-00003`.
        "#);
        let given = task(2, "Review").below(1).being(InProgress).by("reviewer");
        insta::assert_snapshot!(said(&[begun(), given.clone()], "backend"), @r#"
        You are at t-00001 "Begun" (0 of 1 step done), step t-00002 "Review".
        t-00002 is with @reviewer; see `pacenote task show t-00002`.
        "#);
        // A step one can do comes before an earlier one that somebody else has.
        let open = task(3, "Write docs").below(1);
        insta::assert_snapshot!(said(&[begun(), given, open], "backend"), @r#"
        You are at t-00001 "Begun" (0 of 2 steps done), step t-00002 "Review".
        t-00002 is with @reviewer; see `pacenote task show t-00002`.
        "#);
    }

    #[test]
    fn at_a_task_that_somebody_else_holds() {
        insta::assert_snapshot!(said(&shop(), "frontend"), @r#"
        @backend is at t-00002 "Add login endpoint" (1 of 3 steps done), step t-00022 "Spec review".
        Nothing else is ready.
        "#);
        let mut tasks = shop();
        tasks.push(task(6, "Add logout"));
        insta::assert_snapshot!(said(&tasks, "frontend"), @r#"
        @backend is at t-00002 "Add login endpoint" (1 of 3 steps done), step t-00022 "Spec review". Free to claim: t-00006 "Add logout".
        If you are asked to go on: `pacenote task claim t-00006`.
        "#);
        // A session without a name may be the one that carries on.
        assert_eq!(said(&tasks, ""), said(&tasks, "frontend"));
    }

    #[test]
    fn with_nothing_in_progress() {
        let tasks = [
            task(1, "First").being(Done),
            task(2, "Second"),
            task(3, "One").below(2),
            task(4, "Third"),
        ];
        insta::assert_snapshot!(said(&tasks, "backend"), @r#"
        Nothing is in progress; next is t-00002 "Second" (0 of 1 step done).
        If you are asked to go on: `pacenote task claim t-00002`.
        "#);
        let meant = [task(1, "Paint it").by("frontend")];
        insta::assert_snapshot!(said(&meant, "backend"), @r#"
        Nothing is in progress; next is t-00001 "Paint it", meant for @frontend.
        Leave it to @frontend, or see `pacenote task show t-00001`.
        "#);
        insta::assert_snapshot!(said(&meant, "frontend"), @r#"
        Nothing is in progress; next is t-00001 "Paint it".
        If you are asked to go on: `pacenote task claim t-00001`.
        "#);
    }

    #[test]
    fn with_nothing_ready() {
        let blocked = [task(1, "Deploy").because(Blocked, "no credentials")];
        insta::assert_snapshot!(said(&blocked, "backend"), @r#"
        Nothing is in progress and nothing is ready: t-00001 "Deploy" is blocked: no credentials.
        Settle that, then run `pacenote task reopen t-00001`.
        "#);
        let failed =
            [task(1, "Build").because(Failed, "no compiler"), task(2, "Deploy").after(&[1])];
        insta::assert_snapshot!(said(&failed, "backend"), @r#"
        Nothing is in progress and nothing is ready: t-00001 "Build" has failed: no compiler.
        Settle that, then run `pacenote task reopen t-00001`.
        "#);
        let orphan = [task(1, "Finished early").being(Done), task(2, "Left over").below(1)];
        insta::assert_snapshot!(said(&orphan, "backend"), @r#"
        Nothing is in progress and nothing is ready: t-00002 "Left over" cannot begin.
        See what holds it up: `pacenote task show t-00002`.
        "#);
    }

    #[test]
    fn with_everything_over() {
        insta::assert_snapshot!(said(&[task(1, "Only").being(Done)], "backend"), @"
        Everything is done: 1 task.
        Add what comes next with `pacenote task add`.
        ");
        let mixed =
            [task(1, "a").being(Done), task(2, "b").being(Skipped), task(3, "c").being(Failed)];
        insta::assert_snapshot!(said(&mixed, "backend"), @"
        Nothing is left of 3 tasks: 1 done, 1 skipped, 1 failed.
        Add what comes next with `pacenote task add`.
        ");
        insta::assert_snapshot!(said(&[], "backend"), @"
        There are no tasks.
        Add what comes next with `pacenote task add`.
        ");
    }
}
