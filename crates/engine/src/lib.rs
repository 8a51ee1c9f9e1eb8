//! The driver: one file per use case.
//!
//! A use case reads what it needs, asks the core what to do, and ends in one commit. Faces (the
//! command line, hooks) call it and render what it returns; it never prints and never decides what
//! an exit code is. The clock and fresh ids enter here, through [`Clock`], and nowhere else.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "tests make, replace and remove files by path")
)]

pub mod audit;
pub mod bench;
pub mod billing;
pub mod briefing;
pub mod clients;
pub mod clock;
pub mod codex;
pub mod data;
pub mod desk;
pub mod doctor;
pub mod enabling;
pub mod error;
pub mod flows;
mod git;
mod globs;
pub mod handoffs;
pub mod hook;
mod identity;
pub mod ingest;
pub mod install;
pub mod journal;
pub mod lifecycle;
pub mod mail;
mod mirror;
pub mod names;
pub mod presence;
pub mod probing;
pub mod purge;
pub mod receipts;
mod records;
pub mod rules;
pub mod runs;
mod secret;
mod secrets;
pub mod sessions;
pub mod set_aside;
pub mod situation;
mod skill_records;
pub mod skills;
pub mod status;
mod subagents;
pub mod succession;
pub mod tasks;
pub mod wake;
mod wanted;
pub mod work;

pub use clock::{Clock, SetClock};
pub use data::Data;
pub use desk::{Caller, Desk, Here, Work};
pub use error::EngineError;
pub use journal::Request;
pub use secrets::{host_id_without, without_secret_names, without_secrets};
