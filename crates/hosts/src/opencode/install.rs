//! The plugin's file, and where OpenCode looks for it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{edit::OwnFile, scope::Scope};

/// The plugin, but for the path of our program.
const PLUGIN: &str = include_str!("plugin.js");

/// What stands in the plugin for a string with the path of our program.
const PLACE: &str = "\"@PROGRAM@\"";

/// How the line begins that names the program, in every version.
const PROGRAM_LINE: &str = "const PROGRAM = ";

/// How the plugin begins, in every version.
const FIRST_LINE: &str = "// Written by pacenote, ";

/// Every file that makes the plugin.
pub const FILES: [OwnFile; 1] = [OwnFile { name: "pacenote.js", text: plugin, is_ours, program }];

/// Returns the directory of plugins of a scope, given the client's own directory and that of the
/// project. There is none for the person in one project.
pub fn directory(scope: Scope, config: &Path, project: &Path) -> Option<PathBuf> {
    const PLUGINS: &str = "plugin";
    match scope {
        Scope::User => Some(config.join(PLUGINS)),
        Scope::Project => Some(project.join(".opencode").join(PLUGINS)),
        Scope::Local => None,
    }
}

fn plugin(program: &str) -> String {
    // A JSON string is one of JavaScript's, whatever is in the path.
    PLUGIN.replacen(PLACE, &Value::from(program).to_string(), 1)
}

fn is_ours(text: &str) -> bool {
    text.starts_with(FIRST_LINE) && program(text).is_some()
}

fn program(text: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.strip_prefix(PROGRAM_LINE))?;
    serde_json::from_str(line.strip_suffix(';')?).ok()
}

#[cfg(test)]
mod tests;
