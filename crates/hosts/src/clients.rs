//! The agent clients that can be set up: what they are called, and what gives them away on a machine
//! and in a repository. One row each.

use std::path::{Path, PathBuf};

pub use crate::scope::Scope;
use crate::{
    antigravity, claude, codex, copilot,
    edit::{OwnFile, Registration},
    gemini, opencode, qwen,
};

/// An agent client.
#[derive(Debug)]
pub struct Client {
    /// Its name on our command line.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    pub program: &'static str,
    /// Its directory in the user's home.
    pub home: &'static str,
    /// The variable that puts that directory elsewhere.
    pub home_variable: Option<&'static str>,
    /// What it has in a project of those who use it: a directory, usually.
    pub project: &'static str,
    /// The oldest and the newest version that was measured; `None` where none was, and all we know
    /// is what is written about it.
    pub measured: Option<(&'static str, &'static str)>,
    /// How it lists skills to its model, where that is known.
    pub listing: Option<Listing>,
    /// How it is made to call our hooks.
    pub setup: Setup,
}

/// How a client is made to call our hooks.
#[derive(Clone, Copy, Debug)]
pub enum Setup {
    /// By entries in a settings file, in which others have theirs.
    Entries {
        file: Place,
        /// The hooks that shall be called.
        registrations: fn() -> Vec<Registration>,
        /// Whether the client reads a file with comments or trailing commas; one that does not takes
        /// none of it then.
        comments: Comments,
        status_line: StatusLineSupport,
    },
    /// By files that hold nothing but ours.
    OwnFiles {
        /// The directory below which they lie.
        directory: Place,
        /// All of them.
        files: &'static [OwnFile],
    },
}

/// Whether a client runs a command of the same settings file for its status line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusLineSupport {
    Command,
    None,
}

/// What a client does with comments and trailing commas in a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// It passes over them.
    Read,
    /// It refuses the whole file.
    Refused,
}

/// Where something of a scope lies, given the client's own directory and that of the project; a client
/// that has nothing for a scope has no place for it.
pub type Place = fn(Scope, &Path, &Path) -> Option<PathBuf>;

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
pub static CLIENTS: [Client; 7] = [
    Client {
        name: "claude",
        title: "Claude Code",
        program: "claude",
        home: ".claude",
        home_variable: Some("CLAUDE_CONFIG_DIR"),
        project: ".claude",
        measured: Some(("2.1.197", "2.1.325")),
        listing: Some(Listing { description: 1_536, all: 8_000 }),
        setup: Setup::Entries {
            file: claude::install::file,
            registrations: claude::install::registrations,
            comments: Comments::Refused,
            status_line: StatusLineSupport::Command,
        },
    },
    Client {
        name: "codex",
        title: "Codex",
        program: "codex",
        home: ".codex",
        home_variable: Some("CODEX_HOME"),
        project: ".codex",
        measured: Some(("0.166.0", "0.166.0")),
        listing: None,
        setup: Setup::Entries {
            file: codex::install::file,
            registrations: codex::install::registrations,
            comments: Comments::Refused,
            status_line: StatusLineSupport::None,
        },
    },
    Client {
        name: "copilot",
        title: "Copilot CLI",
        program: "copilot",
        home: ".copilot",
        home_variable: Some("COPILOT_HOME"),
        // Its directory belongs to the whole of GitHub; only this in it speaks of the client.
        project: ".github/hooks",
        measured: Some(("1.0.102", "1.0.102")),
        listing: None,
        setup: Setup::OwnFiles {
            directory: copilot::install::directory,
            files: &copilot::install::FILES,
        },
    },
    Client {
        name: "gemini",
        title: "Gemini CLI",
        program: "gemini",
        home: ".gemini",
        home_variable: None,
        project: ".gemini",
        measured: Some(("0.61.0", "0.61.0")),
        listing: None,
        setup: Setup::OwnFiles {
            directory: gemini::install::directory,
            files: &gemini::install::FILES,
        },
    },
    Client {
        name: "opencode",
        title: "OpenCode",
        program: "opencode",
        home: ".config/opencode",
        home_variable: None,
        project: ".opencode",
        measured: Some(("1.18.33", "1.18.33")),
        listing: None,
        setup: Setup::OwnFiles {
            directory: opencode::install::directory,
            files: &opencode::install::FILES,
        },
    },
    Client {
        name: "qwen",
        title: "Qwen Code",
        program: "qwen",
        home: ".qwen",
        home_variable: None,
        project: ".qwen",
        measured: Some(("0.15.10", "0.15.10")),
        listing: None,
        setup: Setup::Entries {
            file: qwen::install::file,
            registrations: qwen::install::registrations,
            comments: Comments::Read,
            status_line: StatusLineSupport::None,
        },
    },
    Client {
        name: "antigravity",
        title: "Antigravity",
        program: "agy",
        home: ".gemini/config",
        home_variable: None,
        // The directory around it is that of many clients.
        project: ".agents/hooks.json",
        measured: None,
        listing: None,
        setup: Setup::OwnFiles {
            directory: antigravity::install::directory,
            files: &antigravity::install::FILES,
        },
    },
];

/// Returns the client with a name.
pub fn client_named(name: &str) -> Option<&'static Client> {
    CLIENTS.iter().find(|client| client.name == name)
}
