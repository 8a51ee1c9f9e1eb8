//! The one door to files: every error names the path and what was tried.

use std::fs::{self, DirEntry, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

use crate::failure::Failure;

/// Returns the text of a file.
#[expect(clippy::disallowed_methods, reason = "this module is the door to files")]
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(failed("read", path))
}

/// Opens a file for reading.
#[expect(clippy::disallowed_methods, reason = "this module is the door to files")]
pub(crate) fn open(path: &Path) -> Result<File, Failure> {
    File::open(path).map_err(failed("open", path))
}

/// Writes a file; a crash may leave half of it, so a reader has to check what it finds.
#[expect(clippy::disallowed_methods, reason = "this module is the door to files")]
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(failed("write", path))
}

/// Returns the entries of a directory in the order of their names.
#[expect(clippy::disallowed_methods, reason = "this module is the door to files")]
pub(crate) fn entries(directory: &Path) -> Result<Vec<DirEntry>, Failure> {
    let mut entries = fs::read_dir(directory)
        .and_then(Iterator::collect::<io::Result<Vec<_>>>)
        .map_err(failed("list", directory))?;
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}

/// Creates a directory and those above it.
#[expect(clippy::disallowed_methods, reason = "this module is the door to files")]
pub(crate) fn create_directory(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(failed("create", path))
}

/// Creates a directory with a name of its own inside `parent`; it is removed when dropped.
pub(crate) fn temporary_directory(parent: &Path, prefix: &str) -> Result<TempDir, Failure> {
    tempfile::Builder::new()
        .prefix(prefix)
        .tempdir_in(parent)
        .map_err(failed("create a directory in", parent))
}

/// Copies a file with its rights.
#[expect(clippy::disallowed_methods, reason = "this module is the door to files")]
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::copy(from, to).map(drop).map_err(failed("copy", from))
}

/// Gives a directory its final name in one step.
#[expect(clippy::disallowed_methods, reason = "this module is the door to files")]
pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::rename(from, to).map_err(failed("rename", from))
}

/// Removes a directory with all it holds; one that does not exist is fine.
#[expect(clippy::disallowed_methods, reason = "this module is the door to files")]
pub(crate) fn remove_directory(path: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome.map_err(failed("remove", path)),
    }
}

/// Waits until this process is the only one that holds the lock, and holds it until dropped.
///
/// The kernel lets go of it when the process ends, however it ends.
pub(crate) fn lock(path: &Path) -> Result<File, Failure> {
    let file =
        File::options().create(true).append(true).open(path).map_err(failed("open", path))?;
    file.lock().map_err(failed("lock", path))?;
    Ok(file)
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Failure {
    let path = path.to_owned();
    move |source| Failure::File { action, path, source }
}
