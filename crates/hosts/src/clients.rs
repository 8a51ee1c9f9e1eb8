//! The agent clients that can be set up: what they are called, and what gives them away on a machine
//! and in a repository. One row each.

use std::path::{Path, PathBuf};

use crate::{claude, edit::Registration};

/// An agent client.
#[derive(Debug)]
pub struct Client {
    /// Its name on our command line.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Its program.
    pub program: &'static str,
    /// Its directory in the user's home.
    pub home: &'static str,
    /// The variable that puts that directory elsewhere.
    pub home_variable: Option<&'static str>,
    /// Its directory in a project.
    pub project: &'static str,
    /// The oldest and the newest version that was measured.
    pub measured: (&'static str, &'static str),
    /// How it lists skills to its model.
    pub listing: Listing,
    /// The settings file of a scope, given the client's own directory and that of the project.
    pub file: fn(Scope, &Path, &Path) -> PathBuf,
    /// The hooks that it shall call.
    pub registrations: fn() -> Vec<Registration>,
}

/// How much of its skills a client tells its model unasked.
#[derive(Debug, PartialEq, Eq)]
pub struct Listing {
    /// Characters of one description; the rest is cut.
    pub description: usize,
    /// Characters of all of them together, for a model with the smallest context that is usual; what
    /// is beyond is listed by its name only.
    pub all: usize,
}

/// Every client that can be set up.
pub static CLIENTS: [Client; 1] = [Client {
    name: "claude",
    title: "Claude Code",
    program: "claude",
    home: ".claude",
    home_variable: Some("CLAUDE_CONFIG_DIR"),
    project: ".claude",
    measured: ("2.1.197", "2.1.325"),
    listing: Listing { description: 1_536, all: 8_000 },
    file: claude::install::file,
    registrations: claude::install::registrations,
}];

/// For whom hooks are registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For the person, in every project.
    User,
    /// For everybody who works on the project; the file is committed.
    Project,
    /// For the person in this project; the file is not committed.
    Local,
}

impl Scope {
    /// Every scope, the widest first.
    pub const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// Returns the word on our command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }

    /// Parses the word of [`Scope::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.word() == word)
    }
}

/// Returns the client with a name.
pub fn client_named(name: &str) -> Option<&'static Client> {
    CLIENTS.iter().find(|client| client.name == name)
}
