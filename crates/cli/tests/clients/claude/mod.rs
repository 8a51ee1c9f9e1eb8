//! Claude Code: what its model gets to see of us, from the first hook to the last.
//!
//! The hooks are those that `pacenote init` registers, called by the client through a shell.

mod catalogue;
mod cheats;
mod compaction;
mod flow;
mod gates;
mod handoffs;
mod hostile;
mod mirror;
mod prompt;
mod resume;
mod start;
mod subagents;
mod transcript;
mod trouble;
mod uninstall;
mod workplace;
