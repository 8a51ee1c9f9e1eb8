//! OpenCode: a plugin of our own that tells us what happens, and the answers it applies.
//!
//! OpenCode runs plugins in its own process and has no hooks that are commands. So what stands
//! between it and us is ours on both sides: `plugin.js`, and the JSON that `docs/opencode.md`
//! describes. The plugin decides nothing; it passes on.

mod decode;
mod hook;
mod tools;

pub mod install;
pub mod transcript;

pub use decode::decode;
pub use hook::{carries_context, encode, events, kind, rows};
