//! What an agent is told, within which limits, and how a plan becomes tasks.
//!
//! Everything here is a function of its arguments: no files, no clock, no environment, no threads.
//! The same state gives the same bytes, so that a host's prompt cache survives. Text that people or
//! agents wrote reaches a prompt only through [`Escaped`] and a terminal only through [`inert`].

pub mod delivery;
pub mod errand;
pub mod escape;
pub mod estimate;
pub mod fragment;
pub mod fragments;
pub mod handoff;
pub mod markdown;
pub mod next;
pub mod pack;
pub mod page;
pub mod pieces;
pub mod plan;
pub mod plan_sections;
pub mod position;
pub mod reconcile;
mod review_words;
pub mod role;
pub mod role_prompt;
pub mod section;
pub mod size;
pub mod status_line;
pub mod tree;

mod about;
mod digest;
mod fold;
mod heading;
mod outline;
mod quotation;
mod task_mention;
mod task_name;
mod tokens;
mod verdict;
mod wording;

#[cfg(test)]
mod example;

pub use escape::{Escaped, Fence, InstallSecret, Tag, element, inert};
pub use estimate::estimate_tokens;
pub use fragment::{Again, Choice, Fragment, FragmentKind, Frame, Item, ItemId, Share};
pub use next::{AfterMail, Hands, Incoming, next_after, next_after_mail};
pub use pack::{Ceiling, PackLimits, Packed, Part, PartCount, Shares, pack, pack_delta};
pub use plan::{Finding, Plan, PlanStep, PlanTask, Problem, cut, tick};
pub use plan_sections::{PlanSection, PlanTopic, plan_sections};
pub use position::{Naming, Position};
pub use reconcile::{Reconciled, reconcile};
pub use role::{Role, role_of};
pub use size::Size;
pub use task_mention::find_mentioned_task;
pub use task_name::{task_names, tasks_named};
pub use tree::{TreeLine, tree_lines};
pub use wording::one_line;
