//! Disk and git: the only room that touches files.
//!
//! Reads are capped and accept regular files only, writes are atomic, logs are append-only, and
//! every error names the path. This room never opens the database, never starts a process (git
//! directories are found by reading their files), never prints, and takes neither the clock nor
//! randomness: moments and ids are given by the caller.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, reason = "tests make, replace and remove files by path")
)]

mod append;
mod beneath;
mod bytes;
pub mod config;
mod error;
pub mod failures;
pub mod git;
mod lines;
mod lock;
mod open;
mod presence;
mod read;
mod remove;
mod scratch;
pub mod session_log;
pub mod stamps;
mod terminal;
mod tree;
pub mod walk;
mod write;

pub use append::LineRefusal;
pub use beneath::{Beneath, PathRefusal, Readers};
pub use bytes::Bytes;
pub use error::{FileError, FileKind, Operation};
pub use lock::FileLock;
pub use open::Links;
pub use presence::{
    can_write, create_private_file, current_user, exists, find_obstacle, give_way, is_absent,
    is_confined, is_directory_itself, is_executable, is_full, is_name_taken, modified_millis,
};
pub use read::{read_capped, read_end, read_text, read_text_if_present};
pub use remove::{is_read_only, remove_empty_directory, remove_tree};
pub use scratch::ScratchDirectory;
pub use terminal::Terminal;
pub use tree::{Extent, LinkTarget, Listed};
pub use write::{
    DIRECTORY_ENTRIES, Entry, canonical, copy_atomically, create_private_directory, list_directory,
    remove_behind_links, remove_file, remove_leftovers, rename, size_of, write_atomically,
    write_unsynced,
};
