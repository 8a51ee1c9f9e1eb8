//! How the client's own list of things to do changes.
//!
//! There are two forms of it: tasks with ids, of which events and a tool tell one at a time, and an
//! older list without, which a tool writes whole. A client has one of them only.

use pacenote_model::{EventBody, Todo, TodoState};

use crate::{claude::tools::Tools, decoded::needed, lenient::First, todos::means_something};

use super::{
    Told,
    payload::{Details, Item, ToolInput, ToolResponse},
};

/// A task is new, or done.
pub(super) fn changed(details: Details, state: TodoState) -> Result<Told, serde_json::Error> {
    let id = needed("task_id", details.task_id)?;
    let todo = Todo { id: Some(id), title: details.task_subject, state: Some(state) };
    Ok(EventBody::Todos { todos: vec![todo] }.into())
}

/// Returns what a tool that did its work has changed in the list.
pub(super) fn written(
    tools: &Tools,
    tool: &str,
    input: &mut ToolInput,
    response: &ToolResponse,
) -> Vec<Todo> {
    // A task that does not exist is no error to the client: it says so in the response only.
    if response.success == Some(false) {
        return Vec::new();
    }
    let mut todos = if tool == tools.writes_list {
        let items = input.todos.take().map(|First(items)| items).unwrap_or_default();
        let todo = |Item { content, status }: Item| Todo {
            id: None,
            title: content,
            state: state(status.as_deref()),
        };
        items.into_iter().map(todo).collect()
    } else if Some(tool) == tools.changes_list {
        let state = state(input.status.as_deref());
        vec![Todo { id: input.task_id.take(), title: input.subject.take(), state }]
    } else {
        Vec::new()
    };
    todos.retain(means_something);
    todos
}

/// A word we do not know changes nothing that we know of.
fn state(word: Option<&str>) -> Option<TodoState> {
    match word? {
        "pending" => Some(TodoState::Open),
        "in_progress" => Some(TodoState::Doing),
        "completed" => Some(TodoState::Done),
        "deleted" => Some(TodoState::Dropped),
        _ => None,
    }
}
