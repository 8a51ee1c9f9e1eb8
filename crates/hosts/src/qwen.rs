//! Qwen Code: its hook payloads and the answers it reads.
//!
//! Both are those of Claude Code in form. Its tools are others, and less of what is answered reaches
//! the model.

mod decode;
mod encode;
mod hook;
mod tools;

pub mod install;

pub use decode::decode;
pub use encode::{carries_context, encode};
pub use hook::{events, kind, rows};
