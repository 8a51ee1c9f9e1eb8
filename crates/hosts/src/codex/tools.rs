//! What each tool of Codex does.
//!
//! Hooks are told of the shell as `Bash`, whatever the model calls it. A tool that is not in the
//! table, such as any of an MCP server, may do anything.

use pacenote_model::ToolClass;

/// The tool that changes files by a patch.
pub(super) const PATCH: &str = "apply_patch";

/// The tool that runs a command.
pub(super) const SHELL: &str = "Bash";

/// The tool that writes the client's own list of things to do whole.
pub(super) const PLAN: &str = "update_plan";

/// Tells what a tool does, from its name.
pub(super) fn class_of(name: &str) -> ToolClass {
    match name {
        PATCH => ToolClass::Edit,
        SHELL | "write_stdin" => ToolClass::Shell,
        name if starts_agents(name) => ToolClass::Agent,
        "view_image" | "web_search" => ToolClass::Read,
        PLAN => ToolClass::Todo,
        _ => ToolClass::Other,
    }
}

/// Reports whether a tool starts a subagent. The client puts the name of the group of tools before it,
/// another one for each family of models: `collaborationspawn_agent`.
fn starts_agents(name: &str) -> bool {
    let is_of_a_server = name.starts_with("mcp__");
    name.ends_with("spawn_agent") && !is_of_a_server
}
