//! Small questions about paths.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path};

use crate::error::{FileError, FileKind};
use crate::open::{Access, Links, inspect, open_regular};

/// Tells whether something is there; what cannot be looked at counts as absent.
pub fn exists(path: &Path) -> bool {
    inspect(path, Links::Follow).is_ok()
}

/// Returns when a file was last written, in milliseconds since the Unix epoch; `None` where that cannot
/// be seen.
pub fn modified_millis(path: &Path) -> Option<i64> {
    let modified = inspect(path, Links::Follow).ok()?.modified().ok()?;
    let since = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok()
}

/// Tells whether it is certain that nothing is there: what may not be looked at could be there.
pub fn is_absent(path: &Path) -> bool {
    inspect(path, Links::Follow).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
}

/// Reports whether a directory has this name, and not a link to one.
pub fn is_directory_itself(path: &Path) -> bool {
    inspect(path, Links::Refuse).is_ok_and(|found| found.is_dir())
}

/// Reports whether something has this name, be it a link that leads nowhere. A name that may not be
/// looked at counts as taken.
pub fn is_name_taken(path: &Path) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    !inspect(path, Links::Refuse)
        .is_err_and(|error| matches!(error.kind(), NotFound | NotADirectory))
}

/// Returns what stands where a regular file should be: a named pipe, a directory, a link that leads
/// nowhere. `None` for a regular file, for a link to one, and where nothing is.
pub fn find_obstacle(path: &Path) -> Option<FileKind> {
    let found = inspect(path, Links::Follow).or_else(|_| inspect(path, Links::Refuse)).ok()?;
    Some(FileKind::from(found.file_type())).filter(|kind| *kind != FileKind::Regular)
}

/// Reports whether writing to `below` changes only what has that name inside `root`: no directory on
/// the way is a link, and the file, if there is one, is a regular one without a second name.
pub fn is_confined(root: &Path, below: &Path) -> bool {
    // Before anything is looked at: `..` leads out through names that are free, too.
    if !below.components().all(|part| matches!(part, Component::Normal(_))) {
        return false;
    }
    let mut path = root.to_path_buf();
    let mut parts = below.components().peekable();
    while let Some(part) = parts.next() {
        path.push(part);
        let found = match inspect(&path, Links::Refuse) {
            Ok(found) => found,
            // Nothing below a name that is free can be a link.
            Err(error) => return error.kind() == std::io::ErrorKind::NotFound,
        };
        let is_last = parts.peek().is_none();
        let is_sound = if is_last { found.is_file() && found.nlink() == 1 } else { found.is_dir() };
        if !is_sound {
            return false;
        }
    }
    true
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
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::write::{create_private_directory, write_atomically};

    #[test]
    fn an_obstacle_is_whatever_is_there_and_not_a_file() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        write_atomically(&at("file"), b"x").unwrap();
        create_private_directory(&at("directory")).unwrap();
        symlink("file", at("link")).unwrap();
        symlink("directory", at("way")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        symlink("loop", at("loop")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), crate::open::PRIVATE_FILE).unwrap();
        for (name, expected) in [
            ("file", None),
            ("link", None),
            ("absent", None),
            ("directory", Some(FileKind::Directory)),
            ("way", Some(FileKind::Directory)),
            ("dangling", Some(FileKind::Link)),
            ("loop", Some(FileKind::Link)),
            ("pipe", Some(FileKind::Fifo)),
        ] {
            assert_eq!(find_obstacle(&at(name)), expected, "{name}");
        }
    }

    #[test]
    fn a_name_is_taken_by_whatever_has_it() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        write_atomically(&at("file"), b"x").unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        for (name, expected) in
            [("file", true), ("dangling", true), ("", true), ("free", false), ("file/below", false)]
        {
            assert_eq!(is_name_taken(&at(name)), expected, "{name}");
        }
    }

    #[test]
    fn no_link_of_any_kind_leads_out() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("root");
        create_private_directory(&root.join("runs/1")).unwrap();
        create_private_directory(&directory.path().join("other")).unwrap();
        for name in ["runs/1/own.md", "source.rs", "twice.rs"] {
            write_atomically(&root.join(name), b"x").unwrap();
        }
        std::fs::hard_link(root.join("twice.rs"), root.join("runs/1/twice.md")).unwrap();
        for (target, link) in [
            ("../../source.rs", "runs/1/file.md"),
            ("../../not-there-yet.rs", "runs/1/dangling.md"),
            ("../../other", "runs/linked"),
            ("1", "runs/inside"),
            ("runs", "elsewhere"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        for (below, expected) in [
            ("runs/1/own.md", true),
            ("runs/1/new.md", true),
            ("runs/2/new/deep.md", true),
            ("runs/1", false),
            ("runs/1/twice.md", false),
            ("runs/1/file.md", false),
            ("runs/1/dangling.md", false),
            ("runs/linked/new.md", false),
            ("runs/inside/own.md", false),
            ("elsewhere/1/own.md", false),
            ("runs/1/../../source.rs", false),
            ("runs/new/../../source.rs", false),
            ("runs/new/../new.md", false),
            ("/runs/new.md", false),
            ("runs/1/own.md/below", false),
        ] {
            assert_eq!(is_confined(&root, Path::new(below)), expected, "{below}");
        }
    }

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
