//! The command line as a person sees it, command by command.
//!
//! Ids are shown as `t-1`, `t-2`, … in the order they appear, moments as `[moment]`, and the desk's
//! own directory as `/desk`; a `t-1` in a command stands for the id behind it.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::too_many_lines,
    clippy::disallowed_methods,
    reason = "a test stops when it cannot go on, and sets up files of its own"
)]

mod bad_input;
mod briefing;
mod config;
mod damage;
mod doctor;
mod flow;
mod flow_answers;
mod flow_catalogue;
mod flow_cheats;
mod flow_checks;
mod flow_crowd;
mod flow_definitions;
mod flow_gates;
mod flow_in_force;
mod flow_kill;
mod flow_old_scripts;
mod flow_paths;
mod flow_repair;
mod gates;
mod gates_hold;
mod gates_place;
mod golden;
mod handoffs;
mod help;
mod hidden;
mod hook;
mod hook_input;
mod hook_storm;
mod host_events;
mod hosts_code;
mod identity;
mod init;
mod json;
mod large;
mod lifecycle;
mod links;
mod mail;
#[cfg(target_os = "linux")]
mod opens;
mod plain;
mod repository;
mod rules_at_work;
mod same_events;
mod secret_names;
mod secrets;
mod session;
mod session_log;
mod skill;
mod skill_in_session;
mod skill_use;
mod status;
mod store;
mod subagents;
mod succession;
mod surroundings;
mod task;
mod task_undo;
mod tour;
mod uninstall;
mod wake;

use pacenote_testkit::desk::Desk;

/// Returns a desk with the binary under test, in the project `shop`, acting as `backend`.
fn desk() -> Desk {
    Desk::new(env!("CARGO_BIN_EXE_pacenote"))
}

/// Compares what a person would see with what is written down here.
macro_rules! transcript {
    ($desk:expr, [$($line:expr),* $(,)?], @$expected:literal) => {
        insta::assert_snapshot!($desk.transcript(&[$($line),*]), @$expected)
    };
}
pub(crate) use transcript;
