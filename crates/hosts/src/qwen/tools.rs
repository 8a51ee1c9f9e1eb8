//! What each tool of Qwen Code does.
//!
//! A tool that is not in the table, such as any of an MCP server, may do anything.

use pacenote_model::ToolClass;

use crate::claude::Tools;

/// Those of Qwen Code, with names of earlier versions, for old ones stay in use.
pub(super) const TOOLS: Tools = Tools {
    classes: &CLASSES,
    writes_list: "todo_write",
    changes_list: None,
    loads_skill: "skill",
};

const CLASSES: [(ToolClass, &[&str]); 5] = [
    (ToolClass::Edit, &["edit", "replace", "write_file"]),
    // A monitor is a command whose output is followed.
    (ToolClass::Shell, &["run_shell_command", "monitor"]),
    (ToolClass::Agent, &["agent", "task"]),
    (
        ToolClass::Read,
        &[
            "read_file",
            "read_many_files",
            "glob",
            "grep_search",
            "search_file_content",
            "list_directory",
            "lsp",
            "tool_search",
            "web_fetch",
            "web_search",
        ],
    ),
    (ToolClass::Todo, &["todo_write"]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tools_by_what_they_do() {
        for (name, class) in [
            ("edit", ToolClass::Edit),
            ("run_shell_command", ToolClass::Shell),
            ("agent", ToolClass::Agent),
            ("tool_search", ToolClass::Read),
            ("todo_write", ToolClass::Todo),
            ("save_memory", ToolClass::Other),
            ("task_stop", ToolClass::Other),
            ("mcp__files__edit", ToolClass::Other),
            // Those of Claude Code are not there.
            ("Bash", ToolClass::Other),
            ("", ToolClass::Other),
        ] {
            assert_eq!(TOOLS.class_of(name), class, "{name}");
        }
    }

    #[test]
    fn no_tool_stands_twice() {
        let names: Vec<&str> =
            CLASSES.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
