//! What tools the model uses.

use pacenote_model::{EventBody, ToolCall, ToolClass};

use crate::{
    claude::tools::Tools,
    decoded::{are_several, needed},
};

use super::{
    Told,
    payload::{Details, ToolInput},
    todos,
};

/// The tool that takes its file from `notebook_path`; the others that edit take `file_path`.
const NOTEBOOK_EDIT: &str = "NotebookEdit";

/// What came of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Worked,
    Failed,
}

pub(super) fn before(tools: &Tools, details: Details) -> Result<Told, serde_json::Error> {
    let Details { tool_name, tool_input, .. } = details;
    Ok(EventBody::BeforeTool { tool: call(tools, tool_name, tool_input)? }.into())
}

pub(super) fn after(
    tools: &Tools,
    details: Details,
    outcome: Outcome,
) -> Result<Told, serde_json::Error> {
    let Details { tool_name, mut tool_input, tool_response, .. } = details;
    let todos = match (outcome, tool_name.as_deref()) {
        (Outcome::Worked, Some(name)) => {
            todos::written(tools, name, &mut tool_input, &tool_response)
        }
        (Outcome::Worked, None) | (Outcome::Failed, _) => Vec::new(),
    };
    let tool = ToolCall { todos, ..call(tools, tool_name, tool_input)? };
    Ok(EventBody::AfterTool { tool, failed: outcome == Outcome::Failed }.into())
}

fn call(
    tools: &Tools,
    name: Option<String>,
    input: ToolInput,
) -> Result<ToolCall, serde_json::Error> {
    let name = needed("tool_name", name)?;
    let class = tools.class_of(&name);
    let ToolInput {
        file_path,
        notebook_path,
        path: path_alone,
        command,
        prompt,
        subagent_type,
        skill,
        ..
    } = input;
    let has_other_paths = are_several(&[&file_path, &notebook_path, &path_alone]);
    // A payload may hold more paths than the tool reads: the one that it uses is judged.
    let path = match name.as_str() {
        NOTEBOOK_EDIT => notebook_path.or(file_path),
        _ => file_path.or(notebook_path),
    };
    let path = path.or(path_alone);
    // Other tools have prompts too, for instance one that reads a page with a question in mind.
    let (prompt, agent_type) = match class {
        ToolClass::Agent => (prompt, subagent_type),
        ToolClass::Edit
        | ToolClass::Shell
        | ToolClass::Read
        | ToolClass::Todo
        | ToolClass::Other => (None, None),
    };
    let skill = skill.filter(|_| name == tools.loads_skill);
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
