//! What each tool of Claude Code does.
//!
//! The names are those of the client's present and earlier versions, for old ones stay in use. A
//! tool that is not in the table, such as any of an MCP server, may do anything.

use pacenote_model::ToolClass;

/// The tools of a client whose payloads are like those of Claude Code.
#[derive(Debug)]
pub(crate) struct Tools {
    /// What they do, by name.
    pub(crate) classes: &'static [(ToolClass, &'static [&'static str])],
    /// The one that writes the client's own list of things to do whole.
    pub(crate) writes_list: &'static str,
    /// The one that changes a single thing on it, where there is one.
    pub(crate) changes_list: Option<&'static str>,
    /// The one that loads a skill.
    pub(crate) loads_skill: &'static str,
}

impl Tools {
    /// Tells what a tool does, from its name.
    pub(crate) fn class_of(&self, name: &str) -> ToolClass {
        let known = self.classes.iter().find(|(_, names)| names.contains(&name));
        known.map_or(ToolClass::Other, |(class, _)| *class)
    }
}

/// Those of Claude Code.
pub(super) const TOOLS: Tools = Tools {
    classes: &CLASSES,
    writes_list: "TodoWrite",
    changes_list: Some("TaskUpdate"),
    loads_skill: "Skill",
};

const CLASSES: [(ToolClass, &[&str]); 5] = [
    (ToolClass::Edit, &["Edit", "Write", "MultiEdit", "NotebookEdit"]),
    // A monitor is a command whose output is followed.
    (ToolClass::Shell, &["Bash", "PowerShell", "Monitor"]),
    (ToolClass::Agent, &["Agent", "Task"]),
    (
        ToolClass::Read,
        &[
            "Read",
            "Glob",
            "Grep",
            "LS",
            "LSP",
            "NotebookRead",
            "ToolSearch",
            "WebFetch",
            "WebSearch",
            "ListMcpResourcesTool",
            "ReadMcpResourceTool",
            "ReadMcpResourceDirTool",
            // What a command or an agent in the background has printed so far.
            "BashOutput",
            "TaskOutput",
        ],
    ),
    (
        ToolClass::Todo,
        &["TodoRead", "TodoWrite", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate"],
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tools_by_what_they_do() {
        for (name, class) in [
            ("Edit", ToolClass::Edit),
            ("NotebookEdit", ToolClass::Edit),
            ("Bash", ToolClass::Shell),
            // It only reads what a command printed, or ends one.
            ("BashOutput", ToolClass::Read),
            ("KillShell", ToolClass::Other),
            // One starts an agent, the others keep its list, read its output and end it.
            ("Task", ToolClass::Agent),
            ("TaskUpdate", ToolClass::Todo),
            ("TaskOutput", ToolClass::Read),
            ("TaskStop", ToolClass::Other),
            ("Skill", ToolClass::Other),
            ("mcp__files__Write", ToolClass::Other),
            ("write", ToolClass::Other),
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
