//! What an agent is told about its tasks, and how a plan becomes tasks.
//!
//! Everything here is a function of its arguments: no files, no clock, no environment, no threads.
//! The same state gives the same bytes, so that a host's prompt cache survives. Text that people or
//! agents wrote reaches a prompt only through [`Escaped`] and a terminal only through [`inert`].

pub mod briefing;
pub mod escape;
pub mod estimate;
pub mod plan;
pub mod position;
pub mod reconcile;
pub mod tree;

mod fold;
mod heading;
mod outline;
mod wording;

#[cfg(test)]
mod example;

pub use briefing::session_start;
pub use escape::{Escaped, TagName, element, inert};
pub use estimate::estimate_tokens;
pub use plan::{Finding, Plan, PlanStep, PlanTask, Problem, cut};
pub use position::{Naming, Position};
pub use reconcile::{Reconciled, reconcile};
pub use tree::{TreeLine, tree_lines};
