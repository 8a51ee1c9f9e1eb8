//! The lines of the app server.

use crate::lenient::{self, First, taken};

use super::{Entry, Trust, id};

/// Most hooks that are read of one directory, and most directories: people have some dozens.
pub const ENTRIES: usize = 1_000;

/// Longest message of the server that is passed on, in characters: a sentence, not a dump.
const MESSAGE_CHARACTERS: usize = 300;

/// What a line of the app server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The conversation is open.
    Ready,
    /// The hooks that hold in the directories that were asked for.
    Hooks {
        /// All of them, each once.
        entries: Vec<Entry>,
        /// What the client has to say about their files.
        complaints: Vec<String>,
    },
    /// What was asked for is written down.
    Written,
    /// A request was refused.
    Refused {
        /// Why, in the client's words, shortened and made printable.
        message: String,
    },
    /// Nothing that answers us: the server tells of many things.
    Other,
}

/// Reads a line.
pub fn read(line: &str) -> Answer {
    let Ok(line) = lenient::read::<Line>(line) else { return Answer::Other };
    let Line { id, result, error } = line;
    match (id.as_deref(), error.message) {
        (Some(id::INITIALIZE | id::LIST | id::WRITE), Some(message)) => {
            Answer::Refused { message: printable(&message) }
        }
        (Some(id::INITIALIZE), None) => Answer::Ready,
        (Some(id::LIST), None) => hooks(result),
        (Some(id::WRITE), None) => Answer::Written,
        (Some(_) | None, _) => Answer::Other,
    }
}

fn hooks(result: Listed) -> Answer {
    let (mut entries, mut complaints): (Vec<Entry>, Vec<String>) = (Vec::new(), Vec::new());
    for directory in list(result.data) {
        for hook in list(directory.hooks) {
            let Hook { key: Some(key), command, hash: Some(hash), status } = hook else { continue };
            let trust = match status.as_deref() {
                Some("trusted") => Trust::Trusted,
                Some("managed") => Trust::Managed,
                Some("modified") => Trust::Modified,
                Some("untrusted") => Trust::Untrusted,
                Some(_) | None => Trust::Unknown,
            };
            // A hook of the person holds in every directory.
            if entries.len() < ENTRIES && !entries.iter().any(|entry| entry.key == key) {
                entries.push(Entry { key, command, hash, trust });
            }
        }
        let said = list(directory.warnings).into_iter().chain(list(directory.errors));
        for said in said.filter_map(|said| said.message).map(|said| printable(&said)) {
            if complaints.len() < ENTRIES && !complaints.contains(&said) {
                complaints.push(said);
            }
        }
    }
    Answer::Hooks { entries, complaints }
}

fn list<T>(list: Option<First<T, ENTRIES>>) -> Vec<T> {
    list.map(|First(list)| list).unwrap_or_default()
}

fn printable(message: &str) -> String {
    message.chars().take(MESSAGE_CHARACTERS).flat_map(char::escape_debug).collect()
}

#[derive(Debug, Default)]
struct Line {
    id: Option<String>,
    result: Listed,
    error: Refusal,
}

#[derive(Debug, Default)]
struct Listed {
    data: Option<First<Directory, ENTRIES>>,
}

#[derive(Debug, Default)]
struct Refusal {
    message: Option<String>,
}

#[derive(Debug, Default)]
struct Directory {
    hooks: Option<First<Hook, ENTRIES>>,
    warnings: Option<First<Complaint, ENTRIES>>,
    errors: Option<First<Complaint, ENTRIES>>,
}

/// What the client has to say about a file: a sentence, alone or beside the path.
#[derive(Debug, Default)]
struct Complaint {
    message: Option<String>,
}

impl lenient::Taken for Complaint {
    fn from_text(text: &str) -> Self {
        Self { message: Some(text.to_owned()) }
    }

    lenient::fields! { "message": message }
}

#[derive(Debug, Default)]
struct Hook {
    key: Option<String>,
    command: Option<String>,
    hash: Option<String>,
    status: Option<String>,
}

taken!(Line { "id": id, "result": result, "error": error });
taken!(Listed { "data": data });
taken!(Refusal { "message": message });
taken!(Directory { "hooks": hooks, "warnings": warnings, "errors": errors });
taken!(Hook {
    "key": key,
    "command": command,
    "currentHash": hash,
    "trustStatus": status,
});
