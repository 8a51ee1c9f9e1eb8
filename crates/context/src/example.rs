//! Example tasks for the tests of this crate.

use pacenote_model::{
    AgentName, Moment, Number, ProjectId, Sequence, ShortId, Task, TaskId, TaskState, Title,
};
use uuid::Uuid;

/// Returns the id whose short form is `t-` and the digits of `n`, five at least.
pub(crate) fn id(n: u32) -> TaskId {
    let digits = format!("{n:05}");
    // A short id reads the UUID backwards.
    let tail: String = digits.chars().rev().collect();
    TaskId::new(Uuid::from_u128(u128::from_str_radix(&tail, 16).unwrap()))
}

/// Returns a name for an agent.
pub(crate) fn agent(name: &str) -> AgentName {
    AgentName::parse(name).unwrap()
}

/// Returns an open task at the top.
pub(crate) fn task(n: u32, title: &str) -> Task {
    Task {
        id: id(n),
        number: Number::new(n),
        short: ShortId::of(id(n), 5),
        project: ProjectId::new(Uuid::nil()),
        parent: None,
        rank: n,
        title: Title::parse(title).unwrap(),
        state: TaskState::Open,
        assignee: None,
        skill: None,
        plan: None,
        after: Vec::new(),
        reason: None,
        created: Moment::from_millis(0),
        changed: Moment::from_millis(0),
        touched: Sequence::new(u64::from(n)),
    }
}

/// Says more about a task, in the order a sentence would.
pub(crate) trait Telling: Sized {
    /// Puts the task below another.
    fn below(self, parent: u32) -> Self;
    /// Puts the task into a state.
    fn being(self, state: TaskState) -> Self;
    /// Puts the task into a state for a reason.
    fn because(self, state: TaskState, reason: &str) -> Self;
    /// Assigns the task.
    fn by(self, name: &str) -> Self;
    /// Makes the task wait.
    fn after(self, on: &[u32]) -> Self;
}

impl Telling for Task {
    fn below(mut self, parent: u32) -> Self {
        self.parent = Some(id(parent));
        self
    }

    fn being(mut self, state: TaskState) -> Self {
        self.state = state;
        self
    }

    fn because(mut self, state: TaskState, reason: &str) -> Self {
        self.state = state;
        self.reason = Some(reason.to_owned());
        self
    }

    fn by(mut self, name: &str) -> Self {
        self.assignee = Some(agent(name));
        self
    }

    fn after(mut self, on: &[u32]) -> Self {
        self.after = on.iter().copied().map(id).collect();
        self
    }
}

/// Returns the tasks of a small shop, one of them in progress.
pub(crate) fn shop() -> Vec<Task> {
    use TaskState::{Blocked, Done, Failed, InProgress, Skipped};
    Vec::from([
        task(1, "Add user model").being(Done).by("backend"),
        task(2, "Add login endpoint").being(InProgress).by("backend"),
        task(21, "Implementation").below(2).being(Done),
        task(22, "Spec review").below(2),
        task(23, "Code quality review").below(2),
        task(3, "Old idea").being(Skipped),
        task(4, "Risky idea").because(Failed, "the API\nis gone"),
        task(5, "Deploy").because(Blocked, "no credentials").after(&[1, 2]),
    ])
}
