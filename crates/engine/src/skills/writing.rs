//! Writing skills: a new one to fill in, or a built-in one to change.

use std::path::{Path, PathBuf};

use pacenote_files::{create_directory, exists, publish_atomically};
use pacenote_model::SkillKey;
use pacenote_skill::builtin::{BUILT_IN, BuiltIn};

use crate::{Desk, EngineError};

/// Where a skill is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Into the repository.
    Project,
    /// Into the user's home.
    User(PathBuf),
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
}

/// Writes the beginning of a new skill that passes `lint`.
pub fn scaffold(
    desk: &Desk,
    name: &str,
    description: Option<&str>,
    destination: &Destination,
) -> Result<Written, EngineError> {
    let key = SkillKey::parse(name)?;
    let description = match description {
        Some(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        None => format!("Use when the work is about {name}. Say here when to use it."),
    };
    // JSON's double quotes are YAML's: whatever the text holds, it stays one string.
    let quoted = serde_json::Value::String(description).to_string();
    let text = format!(
        "---\nname: {key}\ndescription: {quoted}\n---\n\n# {key}\n\n\
         ## When to use\n\nSay which situation calls for this skill, and which does not.\n\n\
         ## Steps\n\n1. Say what to do first, and how to tell that it worked.\n"
    );
    write(desk, key.as_str(), &text, destination)
}

/// Copies a built-in skill out for editing; the copy then wins over the built-in one.
pub fn eject(desk: &Desk, name: &str, destination: &Destination) -> Result<Written, EngineError> {
    let is_skill = |built_in: &&BuiltIn| built_in.agent_of.is_none() && built_in.name == name;
    let Some(built_in) = BUILT_IN.iter().find(is_skill) else {
        return Err(EngineError::NotBuiltIn { name: name.chars().take(80).collect() });
    };
    let written = write(desk, built_in.name, built_in.text, destination)?;
    // Its agents come along: a skill that is changed often changes what it asks of them.
    let directory = skills_directory(desk, destination).join(built_in.name).join("agents");
    for agent in BUILT_IN.iter().filter(|agent| agent.agent_of == Some(built_in.name)) {
        write_below(&directory, agent.name, agent.text)?;
    }
    Ok(written)
}

fn write(
    desk: &Desk,
    name: &str,
    text: &str,
    destination: &Destination,
) -> Result<Written, EngineError> {
    let directory = skills_directory(desk, destination);
    if exists(&directory.join(name)) {
        return Err(EngineError::InTheWay { path: directory.join(name) });
    }
    write_below(&directory, name, text)
}

fn write_below(directory: &Path, name: &str, text: &str) -> Result<Written, EngineError> {
    let directory = directory.join(name);
    create_directory(&directory)?;
    let path = directory.join("SKILL.md");
    publish_atomically(&path, text.as_bytes())?;
    Ok(Written { path })
}

/// Returns where new skills go: where Claude Code looks if it is used here, else to the directory
/// that the other hosts share.
fn skills_directory(desk: &Desk, destination: &Destination) -> PathBuf {
    let base: &Path = match destination {
        Destination::Project => &desk.place().root,
        Destination::User(home) => home,
    };
    if exists(&base.join(".claude")) {
        base.join(".claude/skills")
    } else {
        base.join(".agents/skills")
    }
}
