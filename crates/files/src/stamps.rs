//! What a file or directory looked like when it was read, and whether it still does.
//!
//! Stamps decide whether an index may be believed without reading anything again, so they err on
//! one side only: something unchanged may be called changed, never the other way round. This module
//! takes no clock; the moment of reading is given by the caller.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::thread;

use rustix::fs::Stat;
use rustix::io::Errno;

pub use packed::StampsError;

mod packed;

/// How long, in seconds, a later change may still carry the time of an earlier one.
///
/// The coarsest file systems in use count in two seconds; the kernel's own clock lags by some
/// milliseconds only. What is younger than this when it is read is read once more next time.
const GRANULE: i64 = 2;

/// Fewest paths that are worth a second thread, which costs as much as some fifty of them.
const WORTH_A_THREAD: usize = 512;

/// A moment as file systems keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileTime {
    seconds: i64,
    nanoseconds: u32,
}

impl FileTime {
    /// Builds a moment from seconds since the Unix epoch and the nanoseconds after that.
    pub const fn new(seconds: i64, nanoseconds: u32) -> Self {
        Self { seconds, nanoseconds }
    }

    /// Builds a moment from milliseconds since the Unix epoch.
    pub fn from_millis(millis: i64) -> Self {
        let nanoseconds = u32::try_from(millis.rem_euclid(1000)).unwrap_or(0) * 1_000_000;
        Self { seconds: millis.div_euclid(1000), nanoseconds }
    }

    /// Returns the seconds since the Unix epoch.
    pub const fn seconds(self) -> i64 {
        self.seconds
    }

    /// Returns the nanoseconds after those seconds.
    pub const fn nanoseconds(self) -> u32 {
        self.nanoseconds
    }
}

/// What tells one state of a file or directory from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// When the content changed last; anyone may set this back.
    pub modified: FileTime,
    /// When content, owner, mode or times changed last; only the kernel sets this.
    pub changed: FileTime,
    /// The size in bytes.
    pub size: u64,
    /// The number of the file on its device.
    pub inode: u64,
    pub device: u64,
}

impl Stamp {
    /// Returns the stamp of what a path leads to, or nothing when that cannot be told.
    pub fn of(path: &Path) -> Option<Self> {
        stat(path.as_os_str().as_bytes()).ok().map(|found| Self::from_stat(&found))
    }

    /// Tells whether a change after `read` could leave this stamp as it is.
    ///
    /// Every change moves [`Stamp::changed`] to its own moment, so only a stamp that is about as
    /// young as the reading can hide one.
    pub fn is_uncertain(&self, read: FileTime) -> bool {
        let edge = FileTime::new(read.seconds.saturating_sub(GRANULE), read.nanoseconds);
        self.changed >= edge
    }

    /// Takes the stamp out of what the system says.
    pub(crate) fn from_stat(stat: &Stat) -> Self {
        Self {
            modified: FileTime::new(signed(stat.st_mtime), short(stat.st_mtime_nsec)),
            changed: FileTime::new(signed(stat.st_ctime), short(stat.st_ctime_nsec)),
            size: unsigned(stat.st_size),
            inode: unsigned(stat.st_ino),
            device: unsigned(stat.st_dev),
        }
    }
}

// The fields have other types on every system; no value that occurs is out of range.
fn signed(value: impl TryInto<i64>) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}

fn unsigned(value: impl TryInto<u64>) -> u64 {
    value.try_into().unwrap_or(u64::MAX)
}

fn short(value: impl TryInto<u32>) -> u32 {
    value.try_into().unwrap_or(u32::MAX)
}

/// What a known path is watched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Watched {
    /// The content of a file.
    File,
    /// The listing of a directory.
    Directory,
}

/// What is known of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// There was nothing, or nothing that could be reached.
    Absent,
    /// It was read so long after its last change that any later one shows.
    Certain(Stamp),
    /// It was read about when it changed.
    Uncertain(Stamp),
}

/// One known path; its text ends at `end` and begins where the one before ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    end: usize,
    watched: Watched,
    state: State,
}

/// Every path that an index rests on, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamps {
    /// The paths one after the other, since one allocation per path takes longer than its stat.
    paths: Vec<u8>,
    known: Vec<Known>,
}

impl Stamps {
    /// Returns an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file whose stamp was taken before it was read; reading began at `read` or later.
    pub fn add_file(&mut self, path: &Path, stamp: Stamp, read: FileTime) {
        self.push(path.as_os_str().as_bytes(), Watched::File, State::of(stamp, read));
    }

    /// Adds a directory whose stamp was taken before it was listed, at `read` or later.
    pub fn add_directory(&mut self, path: &Path, stamp: Stamp, read: FileTime) {
        self.push(path.as_os_str().as_bytes(), Watched::Directory, State::of(stamp, read));
    }

    /// Adds a path at which there was nothing, so that it is seen when something appears.
    pub fn add_absent(&mut self, path: &Path) {
        self.push(path.as_os_str().as_bytes(), Watched::Directory, State::Absent);
    }

    /// Returns how many paths are known.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Tells whether no path is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    fn push(&mut self, path: &[u8], watched: Watched, state: State) {
        self.paths.extend_from_slice(path);
        self.known.push(Known { end: self.paths.len(), watched, state });
    }

    /// Returns the paths from the `first` on with what is known of them.
    fn from(&self, first: usize) -> impl Iterator<Item = (&[u8], &Known)> {
        let before = first.checked_sub(1).and_then(|last| self.known.get(last));
        let mut start = before.map_or(0, |known| known.end);
        self.known.iter().skip(first).map(move |known| {
            let path = self.paths.get(start..known.end).unwrap_or_default();
            start = known.end;
            (path, known)
        })
    }
}

impl State {
    fn of(stamp: Stamp, read: FileTime) -> Self {
        if stamp.is_uncertain(read) { Self::Uncertain(stamp) } else { Self::Certain(stamp) }
    }
}

/// What is no longer as it was, each list in the order of the known paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files that changed, or may have.
    pub changed_files: Vec<PathBuf>,
    /// Files that are gone.
    pub vanished_files: Vec<PathBuf>,
    /// Directories whose listing changed, or may have.
    pub changed_directories: Vec<PathBuf>,
    /// Directories that are gone.
    pub vanished_directories: Vec<PathBuf>,
    /// Paths at which there was nothing before.
    pub appeared: Vec<PathBuf>,
}

impl Changes {
    /// Tells whether everything is as it was.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn note(&mut self, path: &[u8], known: &Known) {
        let is_as_before = match (stat(path), known.state) {
            (Ok(found), State::Certain(stamp)) => Stamp::from_stat(&found) == stamp,
            (Err(_), State::Absent) => true,
            (Ok(_), State::Absent) => return self.appeared.push(owned(path)),
            (Err(Errno::NOENT | Errno::NOTDIR), State::Certain(_) | State::Uncertain(_)) => {
                return match known.watched {
                    Watched::File => self.vanished_files.push(owned(path)),
                    Watched::Directory => self.vanished_directories.push(owned(path)),
                };
            }
            // What cannot be asked any more has changed; who reads it again learns why.
            (Ok(_), State::Uncertain(_)) | (Err(_), State::Certain(_) | State::Uncertain(_)) => {
                false
            }
        };
        match known.watched {
            _ if is_as_before => {}
            Watched::File => self.changed_files.push(owned(path)),
            Watched::Directory => self.changed_directories.push(owned(path)),
        }
    }

    fn append(&mut self, mut later: Self) {
        self.changed_files.append(&mut later.changed_files);
        self.vanished_files.append(&mut later.vanished_files);
        self.changed_directories.append(&mut later.changed_directories);
        self.vanished_directories.append(&mut later.vanished_directories);
        self.appeared.append(&mut later.appeared);
    }
}

/// Asks for every known path whether it is as it was.
///
/// A new file shows in the stamp of its directory, a file changed in place in its own (size and
/// modification time may have been kept, the time of the change cannot), a deleted one in both.
pub fn revalidate(known: &Stamps) -> Changes {
    let check = |first: usize, count: usize| {
        let mut changes = Changes::default();
        for (path, known) in known.from(first).take(count) {
            changes.note(path, known);
        }
        changes
    };
    if known.len() < WORTH_A_THREAD {
        return check(0, known.len());
    }
    let half = known.len() / 2;
    thread::scope(|scope| {
        let second = scope.spawn(|| check(half, known.len()));
        let mut changes = check(0, half);
        match second.join() {
            Ok(later) => changes.append(later),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        changes
    })
}

/// Asks what a path leads to; links are followed, since what they lead to was read.
fn stat(path: &[u8]) -> Result<Stat, Errno> {
    rustix::io::retry_on_intr(|| rustix::fs::stat(path))
}

fn owned(path: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(path))
}

#[cfg(test)]
pub(crate) mod tests;
