//! Copilot CLI: its hook payloads and the answers it reads.

mod decode;
mod encode;
mod hook;
mod tools;

pub mod install;
pub mod transcript;

pub use decode::decode;
pub use encode::{carries_context, encode};
pub use hook::{events, kind, rows};
