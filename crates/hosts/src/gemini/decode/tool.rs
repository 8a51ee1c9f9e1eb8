//! What tools the model uses.

use pacenote_model::{EventBody, Todo, TodoState, ToolCall, ToolClass};

use crate::{
    decoded::{are_several, needed},
    gemini::tools::{LOADS_SKILL, WRITES_LIST, class_of},
    lenient::First,
    todos::means_something,
};

use super::payload::{Details, Item, ToolInput, Trouble};

pub(super) fn before(details: Details) -> Result<EventBody, serde_json::Error> {
    let Details { tool_name, tool_input, .. } = details;
    Ok(EventBody::BeforeTool { tool: call(tool_name, tool_input)? })
}

pub(super) fn after(details: Details) -> Result<EventBody, serde_json::Error> {
    let Details { tool_name, mut tool_input, tool_response, .. } = details;
    let failed = tool_response.error == Trouble::Some;
    let todos = match tool_name.as_deref() {
        Some(WRITES_LIST) if !failed => written(&mut tool_input),
        Some(_) | None => Vec::new(),
    };
    let tool = ToolCall { todos, ..call(tool_name, tool_input)? };
    Ok(EventBody::AfterTool { tool, failed })
}

fn call(name: Option<String>, input: ToolInput) -> Result<ToolCall, serde_json::Error> {
    let name = needed("tool_name", name)?;
    let class = class_of(&name);
    let ToolInput { file_path, dir_path, path, command, prompt, agent_name, name: skill, .. } =
        input;
    let skill = skill.filter(|_| name == LOADS_SKILL);
    let has_other_paths = are_several(&[&file_path, &dir_path, &path]);
    let path = file_path.or(dir_path).or(path);
    // Other tools have prompts too, for instance one that reads pages.
    let (prompt, agent_type) = match class {
        ToolClass::Agent => (prompt, agent_name),
        ToolClass::Edit
        | ToolClass::Shell
        | ToolClass::Read
        | ToolClass::Todo
        | ToolClass::Other => (None, None),
    };
    Ok(ToolCall {
        name,
        class,
        path,
        has_other_paths,
        command,
        prompt,
        agent_type,
        skill,
        todos: Vec::new(),
    })
}

/// Returns the list that a tool wrote whole. It has no ids: a thing is known by what it says.
fn written(input: &mut ToolInput) -> Vec<Todo> {
    let items = input.todos.take().map(|First(items)| items).unwrap_or_default();
    let todo = |Item { description, status }: Item| Todo {
        id: None,
        title: description,
        state: state(status.as_deref()),
    };
    items.into_iter().map(todo).filter(means_something).collect()
}

/// A word we do not know changes nothing that we know of.
fn state(word: Option<&str>) -> Option<TodoState> {
    match word? {
        "pending" | "blocked" => Some(TodoState::Open),
        "in_progress" => Some(TodoState::Doing),
        "completed" => Some(TodoState::Done),
        "cancelled" => Some(TodoState::Dropped),
        _ => None,
    }
}
