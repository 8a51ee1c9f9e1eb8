//! How hooks become trusted: the few lines that are exchanged with Codex's app server.
//!
//! The client runs a hook only when a person has trusted exactly what is registered, and otherwise
//! passes over it in silence. Its own app server lists the hooks with their hashes and writes down
//! which of them are trusted; both are asked here in the order initialise, list, trust. Whoever
//! exchanges the lines asks the person first, and trusts nothing that is not ours.

mod answer;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use super::install::registrations;

pub use self::answer::{Answer, ENTRIES, read};

/// The arguments with which the client becomes its app server: lines in, lines out.
pub const ARGUMENTS: [&str; 1] = ["app-server"];

/// How our requests are called, and thereby the answers to them.
mod id {
    pub(super) const INITIALIZE: &str = "initialize";
    pub(super) const LIST: &str = "list";
    pub(super) const WRITE: &str = "write";
}

/// Where the client's settings keep which hooks are trusted.
const STATE: &str = "hooks.state";

/// The heading that the client writes over them.
pub const HEADING: &str = "[hooks.state]";

/// A hook as the client knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The client's key of it: its file, its event, its places.
    pub key: String,
    /// The command line; a hook of another kind has none.
    pub command: Option<String>,
    /// The hash of what is registered now.
    pub hash: String,
    /// Whether the client runs it.
    pub trust: Trust,
}

/// Whether the client runs a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// It runs.
    Trusted,
    /// It runs because whoever administers the machine says so.
    Managed,
    /// It was trusted, and has changed since: it does not run.
    Modified,
    /// It never was trusted: it does not run.
    Untrusted,
    /// The client says something that we do not know.
    Unknown,
}

impl Trust {
    /// Tells whether the client runs the hook.
    pub const fn runs(self) -> bool {
        match self {
            Self::Trusted | Self::Managed => true,
            Self::Modified | Self::Untrusted | Self::Unknown => false,
        }
    }
}

impl Entry {
    /// Tells whether the hook is exactly one that we register for a program. What only looks like ours
    /// is not: a repository could bring a program of our name, or a command behind it.
    pub fn is_ours(&self, program: &str) -> bool {
        let is_it = |command: &str| {
            registrations().iter().any(|registration| registration.command(program) == command)
        };
        self.command.as_deref().is_some_and(is_it)
    }
}

/// Returns the lines that open the conversation. The answer is [`Answer::Ready`].
pub fn opening(version: &str) -> [String; 2] {
    let client = json!({ "name": "pacenote", "title": "pacenote", "version": version });
    [
        request(id::INITIALIZE, "initialize", &json!({ "clientInfo": client })),
        json!({ "method": "initialized" }).to_string(),
    ]
}

/// Returns the line that asks for the hooks that hold in some directories. The answer is
/// [`Answer::Hooks`].
pub fn list(directories: &[&str]) -> String {
    request(id::LIST, "hooks/list", &json!({ "cwds": directories }))
}

/// Returns the line that trusts hooks as they are registered now. The answer is [`Answer::Written`].
pub fn trust(entries: &[&Entry]) -> String {
    let trusted = entries.iter().map(|entry| {
        let hash = json!({ "trusted_hash": entry.hash });
        (entry.key.clone(), hash)
    });
    let state: Map<String, Value> = trusted.collect();
    write(&[json!({ "keyPath": STATE, "value": state, "mergeStrategy": "upsert" })])
}

/// Returns the line that takes the trust in hooks back, be they still registered or not. The answer
/// is [`Answer::Written`].
pub fn distrust(keys: &[&str]) -> String {
    let edits: Vec<Value> = keys
        .iter()
        .map(|key| {
            // A key has dots in it, so it is quoted.
            let path = format!("{STATE}.{}", Value::from(*key));
            json!({ "keyPath": path, "value": null, "mergeStrategy": "replace" })
        })
        .collect();
    write(&edits)
}

/// Returns settings without the heading over trusted hooks and the empty line before it, when nothing is
/// under it; `None` when there is nothing to remove.
pub fn without_empty_heading(settings: &str) -> Option<String> {
    let lines: Vec<&str> = settings.split_inclusive('\n').collect();
    let place = lines.iter().position(|line| line.trim() == HEADING)?;
    let (head, rest) = lines.split_at_checked(place)?;
    let mut under = rest.iter().skip(1).map(|line| line.trim()).filter(|line| !line.is_empty());
    let is_empty = under.next().is_none_or(|next| {
        next.starts_with('[') && !next.trim_start_matches('[').starts_with("hooks.state.")
    });
    let head = match head.split_last() {
        Some((last, before)) if last.trim().is_empty() => before,
        Some(_) | None => head,
    };
    is_empty.then(|| head.iter().chain(rest.iter().skip(1)).copied().collect())
}

fn write(edits: &[Value]) -> String {
    // Without the reload the server would go on with what it read at its start.
    let parameters = json!({ "edits": edits, "reloadUserConfig": true });
    request(id::WRITE, "config/batchWrite", &parameters)
}

fn request(id: &str, method: &str, parameters: &Value) -> String {
    json!({ "id": id, "method": method, "params": parameters }).to_string()
}
