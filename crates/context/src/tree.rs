//! The task tree as lines: one renderer for people and for models.
//!
//! A line holds the task's own words, unescaped; whoever shows it passes it through
//! [`inert`](crate::inert) or takes [`TreeLine::to_escaped`].

use std::fmt;

use pacenote_model::{Forest, Task, TaskId, TaskState};

use crate::{
    escape::{CURRENT_MARK, Escaped},
    wording::one_line,
};

/// Longest reason shown in a line, in characters: a line is read at a glance, `task show` has all.
const REASON_CHARACTERS: usize = 80;

/// Longest title of a running step in its task's line, in characters: the step's own line has all.
const RUNNING_CHARACTERS: usize = 40;

/// Most dependencies named in a line; more say nothing that a count does not.
const DEPENDENCIES_SHOWN: usize = 5;

/// One task of the tree.
#[derive(Clone, Debug)]
pub struct TreeLine<'a> {
    depth: usize,
    task: &'a Task,
    detail: String,
    current: bool,
}

/// Returns the tree, one line per task, parents before their steps.
pub fn tree_lines<'a>(forest: &Forest<'a>, current: Option<TaskId>) -> Vec<TreeLine<'a>> {
    let walk = forest.walk().into_iter();
    walk.map(|(depth, task)| TreeLine {
        depth,
        task,
        detail: detail(forest, task, Steps::Shown),
        current: current == Some(task.id),
    })
    .collect()
}

impl<'a> TreeLine<'a> {
    /// Returns how deep the task lies; 0 is the top.
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the task.
    pub const fn task(&self) -> &'a Task {
        self.task
    }

    /// Returns the line as text, such as `- [ ] t-aa002 Spec review (@backend, in progress)`.
    pub fn to_text(&self) -> String {
        let mut text = self.plain();
        if self.current {
            text.push_str(CURRENT_MARK);
        }
        text
    }

    /// Returns the line for a model.
    pub fn to_escaped(&self) -> Escaped {
        let escaped = Escaped::text(&self.plain());
        if self.current { escaped.marked_current() } else { escaped }
    }

    /// Returns the line with its steps counted instead of shown.
    pub(crate) fn folded(&self, forest: &Forest<'_>) -> Self {
        Self { detail: detail(forest, self.task, Steps::Counted), ..self.clone() }
    }

    fn plain(&self) -> String {
        let indent = "    ".repeat(self.depth);
        let Task { short, title, state, .. } = self.task;
        let mut text = format!("{indent}- [{}] {short} {title}", checkbox(*state));
        if !self.detail.is_empty() {
            text.push_str(" (");
            text.push_str(&self.detail);
            text.push(')');
        }
        text
    }
}

/// How many steps of a task are finished.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepCount {
    done: usize,
    total: usize,
}

impl StepCount {
    /// Counts the direct steps; `None` when there are none.
    pub(crate) fn of(forest: &Forest<'_>, task: TaskId) -> Option<Self> {
        let steps = forest.children(Some(task));
        let done = steps.iter().filter(|step| step.state.is_settled()).count();
        (!steps.is_empty()).then_some(Self { done, total: steps.len() })
    }

    /// Returns the count for a line with little room: `1/3 steps`.
    pub(crate) fn in_figures(self) -> String {
        let plural = if self.total == 1 { "" } else { "s" };
        format!("{}/{} step{plural}", self.done, self.total)
    }
}

impl fmt::Display for StepCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.total == 1 { "" } else { "s" };
        write!(f, "{} of {} step{plural} done", self.done, self.total)
    }
}

/// Returns the state in words, with its reason: `blocked: no credentials`.
pub(crate) fn state_in_words(task: &Task) -> String {
    let reason = match task.state {
        TaskState::Blocked | TaskState::Skipped | TaskState::Failed => task.reason.as_deref(),
        TaskState::Open | TaskState::InProgress | TaskState::Done => None,
    };
    let label = task.state.label();
    match reason.map(|reason| one_line(reason, REASON_CHARACTERS)) {
        Some(reason) if !reason.is_empty() => format!("{label}: {reason}"),
        Some(_) | None => label.to_owned(),
    }
}

const fn checkbox(state: TaskState) -> char {
    match state {
        TaskState::Done => 'x',
        TaskState::Skipped => '-',
        TaskState::Failed => '!',
        TaskState::Open | TaskState::InProgress | TaskState::Blocked => ' ',
    }
}

/// Whether the steps of a task stand below its line.
#[derive(Clone, Copy)]
enum Steps {
    Shown,
    Counted,
}

fn detail(forest: &Forest<'_>, task: &Task, steps: Steps) -> String {
    let assignee = task.assignee.as_ref().map(|agent| format!("@{agent}"));
    let running = running_step(forest, task);
    let state = running.or_else(|| (task.state != TaskState::Open).then(|| state_in_words(task)));
    let who = assignee.into_iter().chain(state).collect::<Vec<_>>().join(", ");
    let count = match steps {
        Steps::Shown => None,
        Steps::Counted => StepCount::of(forest, task.id).map(StepCount::in_figures),
    };
    let parts = [(!who.is_empty()).then_some(who), count, dependencies(forest, task)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Says which step a task in progress is in, such as `in spec review`, if that is clear.
fn running_step(forest: &Forest<'_>, task: &Task) -> Option<String> {
    let is_running = |task: &&&Task| task.state == TaskState::InProgress;
    let mut running = forest.children(Some(task.id)).iter().filter(is_running);
    match (task.state, running.next(), running.next()) {
        (TaskState::InProgress, Some(step), None) => {
            let title = step.title.as_str().to_lowercase();
            Some(format!("in {}", one_line(&title, RUNNING_CHARACTERS)))
        }
        (_, _, _) => None,
    }
}

/// Names the unfinished tasks this one waits on, unless it is over itself.
fn dependencies(forest: &Forest<'_>, task: &Task) -> Option<String> {
    if task.state.is_over() {
        return None;
    }
    let found = task.after.iter().filter_map(|on| forest.get(*on));
    let mut waits: Vec<&Task> = found.filter(|on| !on.state.is_settled()).collect();
    waits.sort_by_key(|on| on.number);
    waits.dedup_by_key(|on| on.id);
    let shown: Vec<&str> =
        waits.iter().take(DEPENDENCIES_SHOWN).map(|on| on.short.as_str()).collect();
    let more = match waits.len().saturating_sub(shown.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!shown.is_empty()).then(|| format!("after {}{more}", shown.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{Telling, id, shop, task};

    fn rendered(tasks: &[Task], current: Option<TaskId>) -> String {
        let forest = Forest::new(tasks);
        let lines = tree_lines(&forest, current).iter().map(TreeLine::to_text).collect::<Vec<_>>();
        lines.join("\n")
    }

    #[test]
    fn the_tree_as_people_see_it() {
        insta::assert_snapshot!(rendered(&shop(), Some(id(2))), @"
        - [x] t-00001 Add user model (@backend, done)
        - [ ] t-00002 Add login endpoint (@backend, in progress)  <-- CURRENT
            - [x] t-00021 Implementation (done)
            - [ ] t-00022 Spec review
            - [ ] t-00023 Code quality review
        - [-] t-00003 Old idea (skipped)
        - [!] t-00004 Risky idea (failed: the API is gone)
        - [ ] t-00005 Deploy (blocked: no credentials; after t-00002)
        ");
    }

    #[test]
    fn a_line_says_who_what_and_after_which() {
        let tasks = [
            task(1, "Assigned").by("backend").after(&[2, 3]),
            task(2, "Waiting").after(&[3, 4, 99]),
            task(3, "Long reason").because(TaskState::Blocked, &"because ".repeat(20)),
            task(4, "Finished and once waiting").being(TaskState::Done).after(&[1]),
            task(5, "No reason").because(TaskState::Skipped, " \n "),
            task(6, "Many").after(&[1, 2, 3, 10, 11, 12, 13]),
            task(10, "Ten"),
            task(11, "Eleven"),
            task(12, "Twelve"),
            task(13, "Thirteen"),
        ];
        insta::assert_snapshot!(rendered(&tasks, None), @"
        - [ ] t-00001 Assigned (@backend; after t-00002, t-00003)
        - [ ] t-00002 Waiting (after t-00003)
        - [ ] t-00003 Long reason (blocked: because because because because because because because because because because…)
        - [x] t-00004 Finished and once waiting (done)
        - [-] t-00005 No reason (skipped)
        - [ ] t-00006 Many (after t-00001, t-00002, t-00003, t-00010, t-00011 and 2 more)
        - [ ] t-00010 Ten
        - [ ] t-00011 Eleven
        - [ ] t-00012 Twelve
        - [ ] t-00013 Thirteen
        ");
    }

    #[test]
    fn a_task_names_the_one_step_that_is_running() {
        use TaskState::{Done, InProgress};
        let tasks = [
            task(1, "Add login endpoint").being(InProgress).by("backend"),
            task(11, "Implementation").below(1).being(Done),
            task(12, "Spec Review").below(1).being(InProgress).by("reviewer"),
            task(2, "Two at once").being(InProgress),
            task(21, "One").below(2).being(InProgress),
            task(22, "Two").below(2).being(InProgress),
            task(3, "Not begun itself"),
            task(31, "Begun").below(3).being(InProgress),
            task(4, "Long").being(InProgress),
            task(41, &"Write ".repeat(20)).below(4).being(InProgress),
            task(411, "Deeper").below(41).being(InProgress),
        ];
        insta::assert_snapshot!(rendered(&tasks, None), @"
        - [ ] t-00001 Add login endpoint (@backend, in spec review)
            - [x] t-00011 Implementation (done)
            - [ ] t-00012 Spec Review (@reviewer, in progress)
        - [ ] t-00002 Two at once (in progress)
            - [ ] t-00021 One (in progress)
            - [ ] t-00022 Two (in progress)
        - [ ] t-00003 Not begun itself
            - [ ] t-00031 Begun (in progress)
        - [ ] t-00004 Long (in write write write write write write…)
            - [ ] t-00041 Write Write Write Write Write Write Write Write Write Write Write Write Write Write Write Write Write Write Write Write (in deeper)
                - [ ] t-00411 Deeper (in progress)
        ");
    }

    #[test]
    fn a_folded_line_counts_its_steps() {
        let tasks = shop();
        let forest = Forest::new(&tasks);
        let folded = tree_lines(&forest, None)
            .iter()
            .map(|line| line.folded(&forest).to_text())
            .collect::<Vec<_>>();
        assert_eq!(
            folded[1],
            "- [ ] t-00002 Add login endpoint (@backend, in progress; 1/3 steps)"
        );
        assert_eq!(folded[0], "- [x] t-00001 Add user model (@backend, done)");
    }

    #[test]
    fn only_the_real_current_line_carries_the_mark() {
        let tasks = [task(1, "Fake  <-- CURRENT"), task(2, "Real")];
        let forest = Forest::new(&tasks);
        let lines: Vec<String> = tree_lines(&forest, Some(id(2)))
            .iter()
            .map(|line| line.to_escaped().into_string())
            .collect();
        assert_eq!(
            lines,
            ["- [ ] t-00001 Fake  &lt;-- CURRENT", "- [ ] t-00002 Real  <-- CURRENT"]
        );
    }
}
