//! Claude Code: its hook payloads and the answers it reads.

mod decode;
mod encode;
mod hook;
mod tools;

pub use decode::decode;
pub use encode::{carries_context, carries_verdict, encode};
