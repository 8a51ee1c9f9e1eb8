//! Our notes in the requests of real clients, against the scripted model.
//!
//! `cargo xtask test` installs the clients and says where they are. Each runs with an empty
//! environment, a home of its own, a fake key and no address but loopback.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test stops when it cannot go on, and sets up files of its own"
)]

mod claude;
mod codex;
mod probe;

use std::path::PathBuf;

/// What says that the run was told to do without clients.
const WITHOUT_CLIENTS: &str = "PACENOTE_WITHOUT_CLIENTS";

/// What says that it was told to do without those whose tests take long.
const WITHOUT_SLOW_CLIENTS: &str = "PACENOTE_WITHOUT_SLOW_CLIENTS";

/// Returns the client named by a variable, or `None` when the run was told to do without clients.
fn client(variable: &str) -> Option<PathBuf> {
    unless_left_out(variable, &[WITHOUT_CLIENTS])
}

/// Does the same for a client that a quick run does without, too.
fn slow_client(variable: &str) -> Option<PathBuf> {
    unless_left_out(variable, &[WITHOUT_CLIENTS, WITHOUT_SLOW_CLIENTS])
}

fn unless_left_out(variable: &str, reasons: &[&str]) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from);
    if found.is_none() {
        let reason = reasons.iter().find(|reason| std::env::var_os(reason).is_some());
        let Some(reason) = reason else {
            panic!(
                "`{variable}` is not set: run `cargo xtask test`, which installs the client, or \
                 set `{}=1` to do without",
                reasons.join("=1` or `")
            );
        };
        println!("SKIPPED: no client, as {reason} asks");
    }
    found
}
