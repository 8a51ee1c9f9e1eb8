//! Claude Code: its hook payloads and the answers it reads.

mod decode;
mod encode;
mod hook;
mod tools;

pub mod install;
pub mod transcript;

pub use decode::decode;
pub(crate) use decode::decode_hook;
pub use encode::{carries_context, carries_input, carries_verdict, encode};
pub(crate) use hook::Hook;
pub use hook::{events, kind, rows};
pub(crate) use tools::Tools;
