//! What each tool of Gemini CLI does.
//!
//! The names are those of the client's present and earlier versions, for old ones stay in use. A
//! tool that is not in the table, such as any of an MCP server, may do anything.

use pacenote_model::ToolClass;

/// The tool that writes the client's own list of things to do whole.
pub(super) const WRITES_LIST: &str = "write_todos";

/// The tool that loads a skill.
pub(super) const LOADS_SKILL: &str = "activate_skill";

/// Tells what a tool does, from its name.
pub(super) fn class_of(name: &str) -> ToolClass {
    let known = TOOLS.iter().find(|(_, names)| names.contains(&name));
    known.map_or(ToolClass::Other, |(class, _)| *class)
}

const TOOLS: [(ToolClass, &[&str]); 5] = [
    (ToolClass::Edit, &["replace", "write_file"]),
    (ToolClass::Shell, &["run_shell_command"]),
    (ToolClass::Agent, &["invoke_agent"]),
    (
        ToolClass::Read,
        &[
            "read_file",
            "read_many_files",
            "glob",
            "grep_search",
            "search_file_content",
            "list_directory",
            "google_web_search",
            "web_fetch",
            "get_internal_docs",
            "list_mcp_resources",
            "read_mcp_resource",
        ],
    ),
    (
        ToolClass::Todo,
        &[
            WRITES_LIST,
            "tracker_add_dependency",
            "tracker_create_task",
            "tracker_get_task",
            "tracker_list_tasks",
            "tracker_update_task",
            "tracker_visualize",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tools_by_what_they_do() {
        for (name, class) in [
            ("replace", ToolClass::Edit),
            ("run_shell_command", ToolClass::Shell),
            ("invoke_agent", ToolClass::Agent),
            ("google_web_search", ToolClass::Read),
            ("write_todos", ToolClass::Todo),
            ("tracker_update_task", ToolClass::Todo),
            // It ends the work of a subagent.
            ("complete_task", ToolClass::Other),
            ("activate_skill", ToolClass::Other),
            ("mcp_files_replace", ToolClass::Other),
            ("", ToolClass::Other),
        ] {
            assert_eq!(class_of(name), class, "{name}");
        }
    }

    #[test]
    fn no_tool_stands_twice() {
        let names: Vec<&str> = TOOLS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
