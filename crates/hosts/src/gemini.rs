//! Gemini CLI: its hook payloads and the answers it reads.
//!
//! It never says that it compressed a context. What it does tell is every request to its model, so
//! our notes are looked for there, and put in again where they are gone.

mod decode;
mod encode;
mod hook;
mod request;
mod tools;

pub mod install;

pub use decode::decode;
pub use encode::{carries_context, encode};
pub use hook::{events, kind, rows};
pub use request::OPENING;
