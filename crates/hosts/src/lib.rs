//! One folder per agent client: what it tells us becomes an [`Event`](pacenote_model::Event), what
//! we answer becomes exactly the JSON that client reads.
//!
//! A client's own words stay in its folder; the rooms above see neutral values only. Nothing here
//! reads files, the environment or the clock: payloads and variables are passed in. Decoding never
//! panics, whatever the bytes, because a hook that dies takes the session's notes with it.

pub mod antigravity;
pub mod capabilities;
pub mod claude;
pub mod clients;
pub mod codex;
pub mod copilot;
pub mod edit;
mod event_id;
pub mod gemini;
pub mod instructions;
pub mod mcp;
pub mod opencode;
pub mod qwen;
pub mod shell;
pub mod skills;
pub mod transcript;
pub mod undo;

mod decoded;
mod host;
mod lenient;
mod reply;
mod scope;
#[cfg(test)]
mod spoken;
mod table;
mod todos;

pub use capabilities::{
    Capabilities, Ceiling, HOSTS, Inside, Markup, Restart, Row, capabilities_of, inside,
};
pub use decoded::{DecodeError, Decoded, Warning};
pub use host::Host;
pub use reply::{Carried, Form, Reply, Verdict};
