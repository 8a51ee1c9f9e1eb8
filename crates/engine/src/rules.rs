//! Which lifecycle rules are in force here: ours, the person's own, and those of a repository that
//! the person trusts.
//!
//! A file of the repository is inert until the person trusts exactly its content. Nothing here knows
//! what a rule does.

mod last_good;
mod loading;
pub mod trust;

pub(crate) use self::{
    last_good::LAST_GOOD,
    loading::{find_program, load_without_store, refuse_without_store},
};
pub use self::{
    last_good::{keep_last_good, may_refuse_tools},
    loading::{Instead, Loaded, Unsound, load, read_rules},
};

/// The file of a repository, relative to its root.
pub const PROJECT_FILE: &str = ".pacenote/lifecycle.yaml";
