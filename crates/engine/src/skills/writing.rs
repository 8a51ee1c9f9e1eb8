//! Writing skills: a new one to fill in, or a built-in one to change.

use std::path::{Path, PathBuf};

use pacenote_files::{Beneath, Links, Readers, create_private_directory, exists};
use pacenote_model::SkillKey;
use pacenote_skill::builtin::{BUILT_IN, BuiltIn};

use crate::{Desk, EngineError, names};

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
    names::refuse_secret("skill name", name)?;
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
    write(&shelf_of(desk, destination)?, key.as_str(), &text)
}

/// Copies a built-in skill out for editing; the copy then wins over the built-in one.
pub fn eject(desk: &Desk, name: &str, destination: &Destination) -> Result<Written, EngineError> {
    let is_skill = |built_in: &&BuiltIn| built_in.agent_of.is_none() && built_in.name == name;
    let Some(built_in) = BUILT_IN.iter().find(is_skill) else {
        return Err(EngineError::NotBuiltIn { name: name.chars().take(80).collect() });
    };
    let shelf = shelf_of(desk, destination)?;
    let written = write(&shelf, built_in.name, built_in.text)?;
    // Its agents come along: a skill that is changed often changes what it asks of them.
    let agents = Path::new(built_in.name).join("agents");
    for agent in BUILT_IN.iter().filter(|agent| agent.agent_of == Some(built_in.name)) {
        write_below(&shelf, &agents.join(agent.name), agent.text)?;
    }
    Ok(written)
}

/// The directory that new skills go into, beneath one that is held open.
struct Shelf {
    base: Beneath,
    directory: PathBuf,
}

fn write(shelf: &Shelf, name: &str, text: &str) -> Result<Written, EngineError> {
    if shelf.base.kind_of(&shelf.directory.join(name))?.is_some() {
        let path = shelf.base.path().join(&shelf.directory).join(name);
        return Err(EngineError::InTheWay { path });
    }
    write_below(shelf, Path::new(name), text)
}

fn write_below(shelf: &Shelf, skill: &Path, text: &str) -> Result<Written, EngineError> {
    let relative = shelf.directory.join(skill).join("SKILL.md");
    shelf.base.write(&relative, text.as_bytes(), Readers::Everyone)?;
    Ok(Written { path: shelf.base.path().join(relative) })
}

/// Returns where new skills go: where Claude Code looks if it is used here, else to the directory
/// that the other hosts share.
///
/// In a project no link is followed: a clone can bring one that leads anywhere. In the person's home
/// the directory of skills may be a link of theirs.
fn shelf_of(desk: &Desk, destination: &Destination) -> Result<Shelf, EngineError> {
    let base = match destination {
        Destination::Project => desk.place().root.as_path(),
        Destination::User(home) => home,
    };
    let client = if exists(&base.join(".claude")) { ".claude" } else { ".agents" };
    let directory = Path::new(client).join("skills");
    match destination {
        Destination::Project => Ok(Shelf { base: Beneath::open(base, Links::Follow)?, directory }),
        Destination::User(home) => {
            let path = home.join(directory);
            #[expect(clippy::disallowed_methods, reason = "links in the home are the person's")]
            create_private_directory(&path)?;
            Ok(Shelf { base: Beneath::open(&path, Links::Follow)?, directory: PathBuf::new() })
        }
    }
}
