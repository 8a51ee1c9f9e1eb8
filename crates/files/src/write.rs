//! Changing the disk. A file is replaced whole or not at all, and what we make belongs to its
//! owner alone. Nothing here decides what to write.

use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};

use crate::bytes::Bytes;
use crate::error::{FileError, FileKind, Operation};
use crate::open::{Access, Links, PRIVATE_FILE, inspect, open_regular};

/// Most entries of a directory that is listed: 200,000 names take some 20 MiB.
///
/// Directories of ours hold thousands; one that holds more is not worth a process's memory.
pub const DIRECTORY_ENTRIES: usize = 200_000;

/// Mode of the directories we make: what is inside quotes prompts, paths and mail.
const PRIVATE_DIRECTORY: u32 = 0o700;

/// Mode of the files we make, for the same reason.
pub(crate) const PRIVATE_MODE: u32 = 0o600;

/// Bits of an existing file's mode that its replacement keeps: permissions, but no set-user-id.
const KEPT_MODE: u32 = 0o777;

/// How a directory is opened to be written in and synced.
const LISTED: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Most links followed from a path to the file that is replaced: the limit of Linux itself.
const LINKS_FOLLOWED: usize = 40;

/// What the name of a temporary file begins with, and what it ends in.
const TEMPORARY: (&str, &str) = (".pacenote-", ".tmp");

/// Most names tried for a temporary file: one is taken only when a crash left it behind and the
/// system gave its process id to us.
const TEMPORARY_NAMES: usize = 64;

/// One name in a directory, and what it is; a link is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name, without the directory.
    pub name: OsString,
    /// What the name stands for.
    pub kind: FileKind,
}

/// Creates a directory and all that is missing above it, for its owner only.
///
/// Directories that exist keep their mode.
pub fn create_private_directory(path: &Path) -> Result<(), FileError> {
    DirBuilder::new()
        .recursive(true)
        .mode(PRIVATE_DIRECTORY)
        .create(path)
        .map_err(FileError::io(Operation::CreateDirectory, path))
}

/// Replaces the content of a file so that a crash leaves the old content or the new, whole.
///
/// A new file belongs to its owner only, an existing one keeps its permissions and, where we may give
/// it away, its owner. When `path` is a symbolic link, the file behind it is replaced and the link
/// stays.
pub fn write_atomically(path: &Path, content: &[u8]) -> Result<(), FileError> {
    replace(path, PRIVATE_MODE, |file| file.write_all(content))
}

/// Replaces the content of a file whole, but lets the system decide when it reaches the disk: for
/// small files of ours that a hook has no time to wait for.
pub fn write_unsynced(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let failed = |errno: rustix::io::Errno| FileError::io(Operation::Write, path)(errno.into());
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        let found = FileKind::Directory;
        return Err(FileError::NotRegular { path: path.to_path_buf(), found });
    };
    let directory = rustix::io::retry_on_intr(|| rustix::fs::open(parent, LISTED, Mode::empty()))
        .map_err(failed)?;
    let (temporary, mut file) =
        create_temporary(directory.as_fd()).map_err(FileError::io(Operation::Write, path))?;
    let written = file.write_all(content).and_then(|()| {
        Ok(rustix::fs::renameat(directory.as_fd(), &temporary, directory.as_fd(), name)?)
    });
    written.map_err(|failure| {
        // The first failure is the one to report; a temporary file that stays is harmless.
        rustix::fs::unlinkat(directory.as_fd(), &temporary, AtFlags::empty()).ok();
        FileError::io(Operation::Write, path)(failure)
    })
}

/// Copies a file as [`write_atomically`] writes one, without holding its content in memory.
pub fn copy_atomically(from: &Path, to: &Path) -> Result<(), FileError> {
    let (mut source, _) = open_regular(from, Links::Follow, Access::Read)?;
    replace(to, PRIVATE_MODE, |file| io::copy(&mut source, file).map(drop))
}

/// Replaces a file by one that `fill` writes, or leaves it as it was.
fn replace(
    path: &Path,
    mode: u32,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), FileError> {
    let target = behind_links(path)?;
    let (parent, name) = match (target.parent(), target.file_name()) {
        (Some(parent), Some(name)) if parent != Path::new("") => (parent, name),
        (Some(_) | None, Some(name)) => (Path::new("."), name),
        (Some(_) | None, None) => {
            let found = FileKind::Directory;
            return Err(FileError::NotRegular { path: path.to_path_buf(), found });
        }
    };
    let directory = rustix::io::retry_on_intr(|| rustix::fs::open(parent, LISTED, Mode::empty()))
        .map_err(|errno| FileError::io(Operation::Write, path)(errno.into()))?;
    replace_in(directory.as_fd(), name, path, mode, fill)
}

/// Replaces a file of an open directory by one that `fill` writes, or leaves it as it was. Only a
/// regular file is replaced; `path` is what errors call it.
pub(crate) fn replace_in(
    directory: BorrowedFd<'_>,
    name: &OsStr,
    path: &Path,
    mode: u32,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), FileError> {
    let kept = kept_of(directory, name, path)?;
    let mode = kept.map_or(mode, |kept| kept.mode);
    let (temporary, mut file) =
        create_temporary(directory).map_err(FileError::io(Operation::Write, path))?;
    if let Some(kept) = kept {
        // Only root can, and only root edits the files of others.
        fchown(&file, Some(kept.owner), Some(kept.group)).ok();
    }
    let written = fill(&mut file)
        .and_then(|()| file.set_permissions(Permissions::from_mode(mode)))
        .and_then(|()| file.sync_all())
        .and_then(|()| Ok(rustix::fs::renameat(directory, &temporary, directory, name)?));
    if let Err(failure) = written {
        // The first failure is the one to report; a temporary file that stays is harmless.
        rustix::fs::unlinkat(directory, &temporary, AtFlags::empty()).ok();
        return Err(FileError::io(Operation::Write, path)(failure));
    }
    // Without this the new name may be lost with the power, although the content is on disk.
    sync_directory(directory).map_err(FileError::io(Operation::Write, path))
}

/// Renames a file, replacing what had the new name.
pub fn rename(from: &Path, to: &Path) -> Result<(), FileError> {
    move_over(from, to).map_err(|source| FileError::Rename {
        from: from.to_path_buf(),
        to: to.to_path_buf(),
        source,
    })
}

/// Removes a file or a link, never a directory.
#[expect(clippy::disallowed_methods, reason = "this is the door that names the path")]
pub fn remove_file(path: &Path) -> Result<(), FileError> {
    std::fs::remove_file(path).map_err(FileError::io(Operation::Remove, path))
}

/// Removes the file that a path leads to. Links on the way stay.
#[expect(clippy::disallowed_methods, reason = "this is the door whose callers answer for the path")]
pub fn remove_behind_links(path: &Path) -> Result<(), FileError> {
    remove_file(&behind_links(path)?)
}

/// Removes what writers left in a directory when they were killed. Whoever calls this knows that
/// nobody is writing there.
#[expect(clippy::disallowed_methods, reason = "this is the door whose callers answer for the path")]
pub fn remove_leftovers(directory: &Path) -> Result<(), FileError> {
    let is_leftover = |entry: &Entry| entry.kind == FileKind::Regular && is_temporary(&entry.name);
    let entries = match list_directory(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries.iter().filter(|entry| is_leftover(entry)) {
        remove_file(&directory.join(&entry.name))?;
    }
    Ok(())
}

/// Lists a directory of at most [`DIRECTORY_ENTRIES`] names, sorted by name.
#[expect(clippy::disallowed_methods, reason = "this is the door that names the path")]
pub fn list_directory(path: &Path) -> Result<Vec<Entry>, FileError> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(FileError::io(Operation::List, path))? {
        if entries.len() == DIRECTORY_ENTRIES {
            let most = DIRECTORY_ENTRIES;
            return Err(FileError::TooManyEntries { path: path.to_path_buf(), most });
        }
        let entry = entry.map_err(FileError::io(Operation::List, path))?;
        match entry.file_type() {
            Ok(kind) => entries.push(Entry { name: entry.file_name(), kind: kind.into() }),
            // Some file systems tell the kind only when asked again, and then it may be gone.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(FileError::io(Operation::List, path)(error)),
        }
    }
    entries.sort_by(|left, right| left.name.cmp(&right.name));
    Ok(entries)
}

/// Returns the size of what a path leads to.
pub fn size_of(path: &Path) -> Result<Bytes, FileError> {
    Ok(Bytes::new(inspect(path, Links::Follow)?.len()))
}

/// Returns where a path really is: absolute, without links.
#[expect(clippy::disallowed_methods, reason = "this is the door that names the path")]
pub fn canonical(path: &Path) -> Result<PathBuf, FileError> {
    std::fs::canonicalize(path).map_err(FileError::io(Operation::Resolve, path))
}

/// Follows links by hand, because the file at the end of them need not exist yet.
fn behind_links(path: &Path) -> Result<PathBuf, FileError> {
    let mut target = path.to_path_buf();
    for _ in 0..LINKS_FOLLOWED {
        let is_link = match inspect(&target, Links::Refuse) {
            Ok(metadata) => metadata.is_symlink(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        if !is_link {
            return Ok(target);
        }
        let next = target.read_link().map_err(FileError::io(Operation::Resolve, path))?;
        // A relative link starts at the directory that holds it.
        target = match target.parent() {
            Some(parent) => parent.join(next),
            None => next,
        };
    }
    Err(FileError::NotRegular { path: path.to_path_buf(), found: FileKind::Link })
}

/// What a file keeps when it is replaced.
#[derive(Clone, Copy)]
struct Kept {
    mode: u32,
    owner: u32,
    group: u32,
}

/// Returns what the file at hand keeps; `None` when there is none.
fn kept_of(
    directory: BorrowedFd<'_>,
    name: &OsStr,
    path: &Path,
) -> Result<Option<Kept>, FileError> {
    let found = match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => found,
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(FileError::io(Operation::Inspect, path)(errno.into())),
    };
    match FileKind::from(FileType::from_raw_mode(found.st_mode)) {
        FileKind::Regular => Ok(Some(Kept {
            mode: found.st_mode & KEPT_MODE,
            owner: found.st_uid,
            group: found.st_gid,
        })),
        found @ (FileKind::Directory
        | FileKind::Link
        | FileKind::Fifo
        | FileKind::Socket
        | FileKind::Device
        | FileKind::Unknown) => Err(FileError::NotRegular { path: path.to_path_buf(), found }),
    }
}

/// Creates an empty file under a name that nobody has, so that two writers never share one.
fn create_temporary(directory: BorrowedFd<'_>) -> io::Result<(String, File)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut attempt = 1;
    loop {
        // The name is short whatever the target is called: the longest name allowed must work too.
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let (begin, end) = TEMPORARY;
        let name = format!("{begin}{}-{number}{end}", process::id());
        let open = || rustix::fs::openat(directory, &name, flags, PRIVATE_FILE);
        match rustix::io::retry_on_intr(open) {
            Ok(descriptor) => return Ok((name, File::from(descriptor))),
            Err(rustix::io::Errno::EXIST) if attempt < TEMPORARY_NAMES => attempt += 1,
            Err(errno) => return Err(errno.into()),
        }
    }
}

/// Reports whether a name is that of a temporary file of ours.
pub(crate) fn is_temporary(name: &OsStr) -> bool {
    let (begin, end) = TEMPORARY;
    name.to_str().is_some_and(|name| name.starts_with(begin) && name.ends_with(end))
}

#[expect(clippy::disallowed_methods, reason = "this is the door whose callers name the paths")]
fn move_over(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::rename(from, to)
}

fn sync_directory(directory: BorrowedFd<'_>) -> io::Result<()> {
    // A handle that only names a directory cannot be synced.
    let descriptor =
        rustix::io::retry_on_intr(|| rustix::fs::openat(directory, ".", LISTED, Mode::empty()))?;
    File::from(descriptor).sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use proptest::prelude::*;
    use tempfile::tempdir;

    use super::*;
    use crate::read::{read_capped, read_text};

    const CAP: Bytes = Bytes::mib(1);

    fn mode_of(path: &Path) -> u32 {
        inspect(path, Links::Follow).unwrap().permissions().mode() & 0o7777
    }

    fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    fn temporary_in(path: &Path) -> String {
        let directory = rustix::fs::open(path, LISTED, Mode::empty()).unwrap();
        create_temporary(directory.as_fd()).unwrap().0
    }

    fn names_in(path: &Path) -> Vec<String> {
        let entries = list_directory(path).unwrap();
        entries.into_iter().map(|entry| entry.name.into_string().unwrap()).collect()
    }

    #[test]
    fn directories_we_make_are_private_and_those_we_find_are_left_alone() {
        let directory = tempdir().unwrap();
        let above = directory.path().join("above");
        create_private_directory(&above).unwrap();
        set_mode(&above, 0o755);
        let below = above.join("one/two");
        create_private_directory(&below).unwrap();
        create_private_directory(&below).unwrap();
        assert_eq!(mode_of(&above), 0o755);
        assert_eq!(mode_of(&above.join("one")), 0o700);
        assert_eq!(mode_of(&below), 0o700);
    }

    #[test]
    fn a_file_in_the_way_of_a_directory_is_named() {
        let directory = tempdir().unwrap();
        let file = directory.path().join("file");
        write_atomically(&file, b"here").unwrap();
        let below = file.join("below");
        let error = create_private_directory(&below).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot create the directory `{}`", below.display()));
        assert_eq!(error.kind(), io::ErrorKind::NotADirectory);
        let error = write_atomically(&below, b"lost").unwrap_err();
        assert_eq!((error.kind(), error.path()), (io::ErrorKind::NotADirectory, below.as_path()));
    }

    #[test]
    fn a_file_is_replaced_whole_without_waiting_for_the_disk() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("mark");
        for content in ["a longer one", "short"] {
            write_unsynced(&path, content.as_bytes()).unwrap();
            assert_eq!(read_text(&path, CAP, Links::Refuse).unwrap(), content);
        }
        assert_eq!(mode_of(&path), 0o600);
        assert!(write_unsynced(&path.join("below"), b"x").is_err());
        assert_eq!(names_in(directory.path()), ["mark"]);
    }

    #[test]
    fn a_new_file_is_private_and_an_old_one_keeps_its_mode() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("settings");
        write_atomically(&path, b"one").unwrap();
        assert_eq!(mode_of(&path), 0o600);
        set_mode(&path, 0o4664);
        write_atomically(&path, b"two").unwrap();
        assert_eq!(mode_of(&path), 0o664);
        assert_eq!(read_text(&path, CAP, Links::Refuse).unwrap(), "two");
        assert_eq!(names_in(directory.path()), ["settings"]);
    }

    #[test]
    fn a_link_stays_and_the_file_behind_it_is_replaced() {
        let directory = tempdir().unwrap();
        create_private_directory(&directory.path().join("real")).unwrap();
        let (first, second) = (directory.path().join("first"), directory.path().join("second"));
        let real = directory.path().join("real/settings");
        symlink("second", &first).unwrap();
        symlink("real/settings", &second).unwrap();
        for content in ["made through a dangling link", "replaced"] {
            write_atomically(&first, content.as_bytes()).unwrap();
            assert_eq!(read_text(&real, CAP, Links::Refuse).unwrap(), content);
            assert!(first.is_symlink() && second.is_symlink());
        }
        assert_eq!(names_in(directory.path()), ["first", "real", "second"]);
        assert_eq!(names_in(&directory.path().join("real")), ["settings"]);
    }

    #[test]
    fn only_regular_files_are_replaced() {
        let directory = tempdir().unwrap();
        let ring = directory.path().join("ring");
        symlink("ring", &ring).unwrap();
        let table = [
            (directory.path(), FileKind::Directory),
            (Path::new("/dev/null"), FileKind::Device),
            (&ring, FileKind::Link),
        ];
        for (path, expected) in table {
            match write_atomically(path, b"x") {
                Err(FileError::NotRegular { found, .. }) => assert_eq!(found, expected),
                other => panic!("{}: {other:?}", path.display()),
            }
        }
        assert_eq!(names_in(directory.path()), ["ring"]);
    }

    #[test]
    fn the_longest_name_can_be_written_and_a_longer_one_leaves_nothing_behind() {
        let directory = tempdir().unwrap();
        let longest = "n".repeat(255);
        write_atomically(&directory.path().join(&longest), b"x").unwrap();
        let too_long = directory.path().join("n".repeat(256));
        let error = write_atomically(&too_long, b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidFilename);
        assert_eq!(names_in(directory.path()), [longest]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told_apart_from_other_failures() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("kept");
        write_atomically(&path, b"old").unwrap();
        let into_full = |_: &mut File| {
            File::options().write(true).open("/dev/full").and_then(|mut full| full.write_all(b"x"))
        };
        let error = replace(&path, PRIVATE_MODE, into_full).unwrap_err();
        assert_eq!((error.kind(), error.path()), (io::ErrorKind::StorageFull, path.as_path()));
        assert_eq!(read_capped(&path, CAP, Links::Follow).unwrap(), b"old");
        assert_eq!(names_in(directory.path()), ["kept"]);
    }

    #[test]
    fn a_copy_is_whole_private_and_of_regular_files_only() {
        let directory = tempdir().unwrap();
        let (from, to) = (directory.path().join("from"), directory.path().join("to"));
        write_atomically(&from, b"content").unwrap();
        set_mode(&from, 0o644);
        copy_atomically(&from, &to).unwrap();
        assert_eq!(read_capped(&to, CAP, Links::Follow).unwrap(), b"content");
        assert_eq!(mode_of(&to), 0o600);
        let missing = directory.path().join("missing");
        assert_eq!(copy_atomically(&missing, &to).unwrap_err().path(), missing);
        assert!(copy_atomically(Path::new("/dev/zero"), &to).is_err());
        assert_eq!(read_capped(&to, CAP, Links::Follow).unwrap(), b"content");
        assert_eq!(names_in(directory.path()), ["from", "to"]);
    }

    #[test]
    fn what_is_behind_a_link_goes_and_the_link_stays() {
        let directory = tempdir().unwrap();
        let [link, real] = ["link", "real"].map(|name| directory.path().join(name));
        symlink("real", &link).unwrap();
        write_atomically(&link, b"x").unwrap();
        remove_behind_links(&link).unwrap();
        assert!(link.is_symlink() && !real.exists());
        assert_eq!(remove_behind_links(&link).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn only_what_a_killed_writer_left_is_swept() {
        let directory = tempdir().unwrap();
        temporary_in(directory.path());
        let theirs = [".pacenote-notes", "b.tmp", "settings"];
        for name in theirs {
            write_atomically(&directory.path().join(name), b"x").unwrap();
        }
        remove_leftovers(directory.path()).unwrap();
        assert_eq!(names_in(directory.path()), theirs);
        remove_leftovers(&directory.path().join("nowhere")).unwrap();
    }

    #[test]
    fn a_temporary_file_left_by_a_crash_is_not_reused() {
        let directory = tempdir().unwrap();
        let [first, second] = [(); 2].map(|()| temporary_in(directory.path()));
        assert_ne!(first, second);
        assert_eq!(mode_of(&directory.path().join(first)), 0o600);
    }

    #[test]
    fn renaming_names_both_paths() {
        let directory = tempdir().unwrap();
        let (old, new) = (directory.path().join("old"), directory.path().join("new"));
        let error = rename(&old, &new).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("cannot rename `{}` to `{}`", old.display(), new.display())
        );
        assert_eq!((error.kind(), error.path()), (io::ErrorKind::NotFound, old.as_path()));
        write_atomically(&old, b"moved").unwrap();
        rename(&old, &new).unwrap();
        assert_eq!(size_of(&new).unwrap(), Bytes::new(5));
        remove_file(&new).unwrap();
        assert_eq!(remove_file(&new).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_directory_is_listed_in_order_with_what_each_name_is() {
        let directory = tempdir().unwrap();
        write_atomically(&directory.path().join("b"), b"").unwrap();
        create_private_directory(&directory.path().join("a")).unwrap();
        symlink("nowhere", directory.path().join("c")).unwrap();
        let expected =
            [("a", FileKind::Directory), ("b", FileKind::Regular), ("c", FileKind::Link)]
                .map(|(name, kind)| Entry { name: name.into(), kind });
        assert_eq!(list_directory(directory.path()).unwrap(), expected);
        let file = directory.path().join("b");
        assert_eq!(list_directory(&file).unwrap_err().kind(), io::ErrorKind::NotADirectory);
    }

    #[test]
    fn a_path_is_resolved_through_its_links() {
        let directory = tempdir().unwrap();
        let real = canonical(directory.path()).unwrap();
        symlink(".", real.join("here")).unwrap();
        assert_eq!(canonical(&real.join("here/here")).unwrap(), real);
        let missing = real.join("missing");
        let error = canonical(&missing).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot resolve `{}`", missing.display()));
    }

    proptest! {
        #[test]
        fn what_was_written_last_is_what_is_read(
            contents in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..2000), 1..6),
        ) {
            let directory = tempdir().unwrap();
            let path = directory.path().join("file");
            for content in contents {
                write_atomically(&path, &content).unwrap();
                prop_assert_eq!(read_capped(&path, CAP, Links::Refuse).unwrap(), content);
            }
            prop_assert_eq!(names_in(directory.path()), ["file"]);
        }
    }
}
