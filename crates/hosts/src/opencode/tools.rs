//! What each tool of OpenCode does.
//!
//! The names are those of the client's present and earlier versions, for old ones stay in use. A
//! tool that is not in the table, such as any of an MCP server, may do anything.

use pacenote_model::ToolClass;

/// The tool that writes the client's own list of things to do whole.
pub(super) const WRITES_LIST: &str = "todowrite";

/// Tells what a tool does, from its name.
pub(super) fn class_of(name: &str) -> ToolClass {
    let known = TOOLS.iter().find(|(_, names)| names.contains(&name));
    known.map_or(ToolClass::Other, |(class, _)| *class)
}

const TOOLS: [(ToolClass, &[&str]); 5] = [
    (ToolClass::Edit, &["edit", "write", "multiedit", "patch", "apply_patch"]),
    (ToolClass::Shell, &["bash"]),
    (ToolClass::Agent, &["task"]),
    (
        ToolClass::Read,
        &["read", "grep", "glob", "list", "lsp", "webfetch", "websearch", "codesearch"],
    ),
    (ToolClass::Todo, &[WRITES_LIST, "todoread"]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tools_by_what_they_do() {
        for (name, class) in [
            ("apply_patch", ToolClass::Edit),
            ("bash", ToolClass::Shell),
            ("task", ToolClass::Agent),
            ("read", ToolClass::Read),
            ("todowrite", ToolClass::Todo),
            ("skill", ToolClass::Other),
            ("ledger_total", ToolClass::Other),
            ("Write", ToolClass::Other),
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
