//! Claude Code: its hook payloads and the answers it reads.

mod decode;
mod encode;

pub use decode::decode;
pub use encode::encode;

/// Claude Code's name of the event that begins a context.
const SESSION_START: &str = "SessionStart";
