//! How tasks are shown, to people and to programs.

use pacenote_context::{Naming, Position, inert, tree_lines};
use pacenote_engine::{
    Desk,
    tasks::{self, Listing},
};
use pacenote_model::{Forest, Task};
use serde::Serialize;

use crate::{
    commands::{columns, quoted},
    views::{NoteView, TaskView},
};

/// Shows a task on one line, for after a verb.
pub(super) fn line(task: &Task) -> String {
    let holder = task.assignee.as_ref().map(|agent| format!(" @{agent}")).unwrap_or_default();
    inert(&format!(
        "{} {} ({}{holder}) {}",
        task.short,
        task.number,
        task.state.label(),
        task.title
    ))
}

#[derive(Serialize)]
pub(super) struct TasksView {
    pub(super) tasks: Vec<TaskView>,
    pub(super) current: Option<String>,
}

impl TasksView {
    pub(super) fn new(listing: &Listing) -> Self {
        let forest = Forest::new(&listing.tasks);
        let chosen = listing.chosen.iter().filter_map(|id| forest.get(*id));
        Self {
            tasks: chosen.map(|task| TaskView::new(task, &forest)).collect(),
            current: listing
                .current
                .and_then(|id| forest.get(id))
                .map(|task| task.short.to_string()),
        }
    }
}

/// Shows the whole tree, then where the caller stands in it.
pub(super) fn tree(desk: &Desk, listing: &Listing) -> String {
    let forest = Forest::new(&listing.tasks);
    let reader = desk.reader().ok();
    let mut lines: Vec<String> =
        tree_lines(&forest, listing.current).iter().map(|line| inert(&line.to_text())).collect();
    let position = Position::of(&forest, reader.as_ref(), Naming::Title);
    lines.extend([String::new(), inert(&position.sentence), inert(&position.next_action)]);
    lines.join("\n")
}

/// Shows the chosen tasks as rows: id, number, state, who, title.
pub(super) fn table(listing: &Listing) -> String {
    let forest = Forest::new(&listing.tasks);
    let rows: Vec<[String; 5]> = listing
        .chosen
        .iter()
        .filter_map(|id| forest.get(*id))
        .map(|task| {
            let who = task.assignee.as_ref().map(|agent| format!("@{agent}")).unwrap_or_default();
            [
                task.short.to_string(),
                task.number.to_string(),
                task.state.label().into(),
                who,
                inert(task.title.as_str()),
            ]
        })
        .collect();
    columns(&rows)
}

#[derive(Serialize)]
pub(super) struct ShownView {
    #[serde(flatten)]
    pub(super) task: TaskView,
    pub(super) steps: Vec<TaskView>,
    pub(super) notes: Vec<NoteView>,
}

/// Shows one task in full.
pub(super) fn described(shown: &tasks::Shown, forest: &Forest<'_>) -> String {
    let task = &shown.task;
    let named = |id: pacenote_model::TaskId| {
        forest.get(id).map(|task| format!("{} {}", task.short, task.title))
    };
    let mut lines = vec![
        format!("{} {} {}", task.short, task.number, task.title),
        format!("state: {}", task.state.label()),
    ];
    let mut field = |name: &str, value: Option<String>| {
        lines.extend(value.map(|value| format!("{name}: {value}")));
    };
    field("reason", task.reason.as_deref().map(continued));
    field("assignee", task.assignee.as_ref().map(|agent| format!("@{agent}")));
    field("step of", task.parent.and_then(named));
    for after in &task.after {
        field("after", named(*after));
    }
    field("skill", task.skill.as_ref().map(ToString::to_string));
    field(
        "plan",
        task.plan.as_ref().map(|plan| match &plan.section {
            Some(section) => format!("{}, {section}", plan.file),
            None => plan.file.to_string(),
        }),
    );
    field("created", Some(task.created.to_string()));
    field("changed", Some(task.changed.to_string()));
    let steps = forest.children(Some(task.id));
    if !steps.is_empty() {
        lines.push("steps:".into());
        for line in tree_lines(forest, None) {
            if forest.ancestors(line.task().id).iter().any(|above| above.id == task.id) {
                lines.push(line.to_text());
            }
        }
    }
    if !shown.notes.is_empty() {
        lines.push("notes:".into());
        for note in &shown.notes {
            let text = continued(note.text.as_str());
            lines.push(format!("  {} @{}: {text}", note.at, note.author));
        }
    }
    lines.iter().map(|line| inert(line)).collect::<Vec<_>>().join("\n")
}

/// Stands before every line of a text but its first, which follows our own words: no line that
/// somebody wrote can then pass for a field or for another's note.
const CONTINUATION: &str = "    | ";

fn continued(text: &str) -> String {
    match text.split_once('\n') {
        Some((first, rest)) => format!("{first}\n{}", quoted(rest, CONTINUATION)),
        None => text.into(),
    }
}

#[derive(Serialize)]
pub(super) struct DeletedView {
    pub(super) deleted: String,
    pub(super) steps: usize,
}

#[derive(Serialize)]
pub(super) struct UndoView {
    pub(super) undone: Vec<UndoneView>,
}

#[derive(Serialize)]
pub(super) struct UndoneView {
    pub(super) id: String,
    /// What it is again; nothing where it is gone, because its beginning was undone.
    pub(super) state: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct ImportedView {
    pub(super) file: String,
    pub(super) added: usize,
    pub(super) revised: usize,
    pub(super) removed: usize,
    pub(super) unchanged: usize,
    pub(super) kept: Vec<String>,
    pub(super) findings: Vec<String>,
}
