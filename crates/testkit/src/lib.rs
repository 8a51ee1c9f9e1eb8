//! What tests are made of: the conformance suite of stores, crash and load rounds, and a desk at
//! which a test runs commands and reads them back like a transcript.
//!
//! Only tests and developer verbs depend on this crate; it may panic, and says why when it does.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::disallowed_methods,
    reason = "a test that cannot go on must stop, and tests set up files, clocks and processes"
)]

pub mod conformance;
pub mod corpus;
pub mod crash;
pub mod credentials;
pub mod desk;
pub mod load;
pub mod migration;
pub mod scan;
pub mod scene;
pub mod shelf;
