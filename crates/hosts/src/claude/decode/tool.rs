//! What tools the model uses.

use pacenote_model::{Happening, ToolCall, ToolClass};

use crate::claude::tools::class_of;

use super::{
    Told,
    payload::{Details, ToolInput},
};

/// What came of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Worked,
    Failed,
}

pub(super) fn before(details: Details) -> Result<Told, serde_json::Error> {
    Ok(Happening::BeforeTool { tool: call(details)? }.into())
}

pub(super) fn after(details: Details, outcome: Outcome) -> Result<Told, serde_json::Error> {
    let failed = outcome == Outcome::Failed;
    Ok(Happening::AfterTool { tool: call(details)?, failed }.into())
}

fn call(details: Details) -> Result<ToolCall, serde_json::Error> {
    let name = super::needed("tool_name", details.tool_name)?;
    let class = class_of(&name);
    let ToolInput { file_path, notebook_path, path, command, prompt, subagent_type } =
        details.tool_input;
    let path = file_path.or(notebook_path).or(path);
    // Other tools have prompts too, for instance one that reads a page with a question in mind.
    let (prompt, agent_type) = match class {
        ToolClass::Agent => (prompt, subagent_type),
        ToolClass::Edit
        | ToolClass::Shell
        | ToolClass::Read
        | ToolClass::Todo
        | ToolClass::Other => (None, None),
    };
    Ok(ToolCall { name, class, path, command, prompt, agent_type })
}
