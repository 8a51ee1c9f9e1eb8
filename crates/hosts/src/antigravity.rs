//! Antigravity: its hook payloads and the answers it reads, as they are written about.
//!
//! The client cannot be run without an account, so none of this was measured.

mod decode;
mod encode;
mod hook;

pub mod install;

pub use decode::decode;
pub use encode::{carries_context, encode};
pub use hook::{events, kind, rows};
