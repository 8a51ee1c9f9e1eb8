//! Small questions about paths.

use std::path::Path;

use crate::error::FileError;
use crate::open::{Access, Links, inspect, open_regular};

/// Tells whether something is there; what cannot be looked at counts as absent.
pub fn exists(path: &Path) -> bool {
    inspect(path, Links::Follow).is_ok()
}

/// Tells whether it is certain that nothing is there: what may not be looked at could be there.
pub fn is_absent(path: &Path) -> bool {
    inspect(path, Links::Follow).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// Tells whether a path is a program that this process may start.
pub fn is_executable(path: &Path) -> bool {
    inspect(path, Links::Follow).is_ok_and(|found| found.is_file())
        && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

/// Makes an empty file for its owner only, unless it exists.
pub fn create_private_file(path: &Path) -> Result<(), FileError> {
    open_regular(path, Links::Follow, Access::Append).map(drop)
}

/// Tells whether files could be made at a path, or below the nearest directory that exists.
pub fn can_write(path: &Path) -> bool {
    let nearest = path.ancestors().find(|above| inspect(above, Links::Follow).is_ok());
    nearest.is_some_and(|nearest| {
        let is_directory = inspect(nearest, Links::Follow).is_ok_and(|found| found.is_dir());
        is_directory && rustix::fs::access(nearest, rustix::fs::Access::WRITE_OK).is_ok()
    })
}

/// A disk with less room than this is full for all purposes: SQLite alone makes a file of 32 KiB
/// beside a database before it writes the first byte into it.
const FULL: u64 = 64 * 1024;

/// Tells whether the disk that holds a path has no room left.
pub fn is_full(path: &Path) -> bool {
    let nearest = path.ancestors().find(|above| inspect(above, Links::Follow).is_ok());
    nearest
        .and_then(|nearest| rustix::fs::statvfs(nearest).ok())
        .is_some_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < FULL)
}

/// The least urgent that a process can be.
const LAST: i32 = 19;

/// Returns the id of the user this process acts for.
pub fn current_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Lets every other process go first; a system that knows no such thing is left alone.
pub fn give_way() {
    rustix::process::nice(LAST).ok();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write::write_atomically;

    #[test]
    fn what_is_there_and_what_could_be() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        assert!(!exists(&file) && can_write(&file));
        create_private_file(&file).unwrap();
        write_atomically(&file, b"content").unwrap();
        create_private_file(&file).unwrap();
        assert!(exists(&file));
        assert!(!can_write(&file.join("below")), "a file is no directory");
        assert!(can_write(&directory.path().join("some/way/down")));
        assert!(!can_write(Path::new("/proc/1/nothing")));
        assert!(!is_full(&file));
        // The process file system has no room at all.
        assert!(is_full(Path::new("/proc/self/stat")));
    }
}
