//! What happens when, as data: lifecycle rules and workflows.
//!
//! Definitions are read, checked and followed here; nothing is done here. No files, no clock, no
//! environment, no threads: texts and facts are passed in, decisions are handed back.

#[cfg(test)]
mod committed;
mod language;
pub mod lifecycle;
mod problem;
pub mod workflow;
mod yaml;

pub use problem::Problem;
