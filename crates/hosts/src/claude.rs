//! Claude Code: its hook payloads and the answers it reads.

mod decode;
mod encode;

pub use decode::decode;
pub use encode::encode;

/// An event with the two names it has: Claude Code's own, and the word on our command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Name {
    host: &'static str,
    word: &'static str,
}

/// What begins a context.
const SESSION_START: Name = Name { host: "SessionStart", word: "session-start" };

/// A prompt of the person.
const PROMPT: Name = Name { host: "UserPromptSubmit", word: "user-prompt-submit" };

/// The events that are answered.
const NAMES: [Name; 2] = [SESSION_START, PROMPT];
