//! The shell: anything that can run a command, with JSON in and text or JSON out.
//!
//! Its form is ours, and described in `docs/shell-host.md`; what stands there stays.

mod decode;
mod encode;
mod payload;

pub use decode::decode;
pub use encode::{carries_context, carries_verdict, encode, rows};
