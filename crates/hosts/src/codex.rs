//! Codex: its hook payloads, the answers it reads, and how its hooks are trusted.

mod decode;
mod encode;
mod hook;
mod patch;
mod tools;

pub mod install;
pub mod transcript;
pub mod trust;

pub use decode::decode;
pub use encode::{carries_context, encode};
pub use hook::{events, kind, rows};
