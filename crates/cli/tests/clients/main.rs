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

use std::path::PathBuf;

/// Returns the client named by a variable, or `None` when the run was told to do without clients.
fn client(variable: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(PathBuf::from);
    if found.is_none() {
        assert!(
            std::env::var_os("PACENOTE_WITHOUT_CLIENTS").is_some(),
            "`{variable}` is not set: run `cargo xtask test`, which installs the client, or set \
             `PACENOTE_WITHOUT_CLIENTS=1` to do without"
        );
        println!("SKIPPED: no client, as PACENOTE_WITHOUT_CLIENTS asks");
    }
    found
}
