//! What each tool of Copilot CLI does.
//!
//! A tool that is not in the table, such as any of an MCP server, may do anything.

use pacenote_model::ToolClass;

/// Tells what a tool does, from its name.
pub(super) fn class_of(name: &str) -> ToolClass {
    match name {
        "create" | "edit" | "apply_patch" | "str_replace_editor" => ToolClass::Edit,
        "bash" | "write_bash" | "powershell" | "write_powershell" => ToolClass::Shell,
        "task" => ToolClass::Agent,
        "view"
        | "grep"
        | "glob"
        | "web_fetch"
        | "read_bash"
        | "list_bash"
        | "read_powershell"
        | "list_powershell"
        | "read_agent"
        | "list_agents"
        | "fetch_copilot_cli_documentation" => ToolClass::Read,
        _ => ToolClass::Other,
    }
}
