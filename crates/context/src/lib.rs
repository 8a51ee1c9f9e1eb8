//! What an agent is told, within which limits, and how a plan becomes tasks.
//!
//! Everything here is a function of its arguments: no files, no clock, no environment, no threads.
//! The same state gives the same bytes, so that a host's prompt cache survives. Text that people or
//! agents wrote reaches a prompt only through [`Escaped`] and a terminal only through [`inert`].

pub mod delivery;
pub mod escape;
pub mod estimate;
pub mod fragment;
pub mod fragments;
pub mod handoff;
pub mod markdown;
pub mod pack;
pub mod plan;
pub mod position;
pub mod reconcile;
pub mod role;
pub mod size;
pub mod tree;
pub mod wake;

mod digest;
mod fold;
mod heading;
mod outline;
mod quotation;
mod wording;

#[cfg(test)]
mod example;

pub use escape::{Escaped, Fence, InstallSecret, TagName, element, inert};
pub use estimate::estimate_tokens;
pub use fragment::{Choice, Fragment, Frame, Item, ItemId, Kind};
pub use pack::{Ceiling, PackLimits, Packed, Part, PartCount, Share, Shares, pack, pack_delta};
pub use plan::{Finding, Plan, PlanStep, PlanTask, Problem, cut};
pub use position::{Naming, Position};
pub use reconcile::{Reconciled, reconcile};
pub use role::{Role, role_of};
pub use size::Size;
pub use tree::{TreeLine, tree_lines};
pub use wake::{Incoming, SubagentBriefing, Wake, next_after};
