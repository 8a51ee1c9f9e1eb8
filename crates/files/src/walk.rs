//! Finding the skills below one root, and remembering everything that was looked at.
//!
//! The walk never follows a link that its policy does not allow, never opens anything but
//! directories, and never fails as a whole: what it passes over is listed with the reason. It goes
//! through the tree level by level, so that neither handles nor memory grow with the tree's shape.

use std::io;
use std::path::PathBuf;

use rustix::io::Errno;

pub use root::{LinkPolicy, SkillRoot};

use crate::error::FileKind;
use crate::stamps::{FileTime, Stamp, Stamps};

mod heads;
mod root;
mod visit;

/// The file that makes a directory a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// Threads that walk and read: with the files in memory a second one pays, a third hardly.
const THREADS: usize = 2;

/// Fewest directories or files that are worth a second thread.
const WORTH_A_THREAD: usize = 64;

/// How far a walk goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkCaps {
    /// How many directories deep below the root a skill may be.
    pub depth: usize,
    /// Most directories that are looked at.
    pub directories: usize,
    /// Most entries of one directory that are looked at.
    pub entries: usize,
}

/// Whether `<root>/<name>.md` is a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Singles {
    /// It is one.
    Accept,
    /// It is some other text.
    Ignore,
}

/// What a walk found; every list is sorted by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// The skills and agents.
    pub skills: Vec<Found>,
    /// Every directory that was looked into, with its stamp from before.
    pub directories: Vec<(PathBuf, Stamp)>,
    /// What was passed over.
    pub refused: Vec<Refused>,
    /// Files called like [`SKILL_FILE`] in another case, which not every host finds.
    pub other_case: Vec<PathBuf>,
}

/// A skill or an agent that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The file with its text.
    pub file: PathBuf,
    /// The directory of that file, as it was reached.
    pub directory: PathBuf,
    /// What it is.
    pub kind: Kind,
    /// What the file looked like, links followed.
    pub stamp: Stamp,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A directory with a [`SKILL_FILE`].
    Skill,
    /// An agent of a skill: `agents/<name>/SKILL.md` or `agents/<name>.md` in its directory.
    Agent {
        /// The directory of the skill.
        of: PathBuf,
    },
    /// A file `<name>.md` of its own in the root.
    Single,
}

/// Something that was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Where it is.
    pub path: PathBuf,
    /// The reason.
    pub why: Why,
    /// What the path leads to, if that can be told, so that a change of it is seen.
    pub stamp: Option<Stamp>,
}

/// Why something was passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// It is a link where there may be none.
    #[error("it is a link, which is not followed here")]
    LinkRefused,
    /// It is a link out of the skill or out of the repository.
    #[error("it is a link that leads outside")]
    LinkLeaves,
    /// It is a link to a directory of somebody else.
    #[error("it is a link to a directory that belongs to user {owner}")]
    NotOwned {
        /// Whose directory it is.
        owner: u32,
    },
    /// It is a directory in which the walk already is.
    #[error("it leads back to a directory above it")]
    Loop,
    /// Only a regular file is the text of a skill.
    #[error("it is {0}, not a regular file")]
    NotRegular(FileKind),
    /// Directories this deep are not looked into.
    #[error("it is more than {most} directories below the root")]
    TooDeep {
        /// The deepest that is looked into.
        most: usize,
    },
    /// The rest of the directory was not looked at.
    #[error("it holds more than {most} entries")]
    TooManyEntries {
        /// The most that is looked at.
        most: usize,
    },
    /// The rest of the root was not looked at.
    #[error("there are more than {most} directories")]
    TooManyDirectories {
        /// The most that is looked at.
        most: usize,
    },
    /// The system refused.
    #[error("{0}")]
    Unreadable(io::ErrorKind),
}

impl From<Errno> for Why {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::XDEV => Self::LinkLeaves,
            Errno::NXIO => Self::NotRegular(FileKind::Socket),
            other => Self::Unreadable(io::Error::from(other).kind()),
        }
    }
}

impl Walk {
    /// Returns the stamps of everything this walk rests on; it began at `read` or later.
    pub fn stamps(&self, read: FileTime) -> Stamps {
        let mut stamps = Stamps::new();
        for (path, stamp) in &self.directories {
            stamps.add_directory(path, *stamp, read);
        }
        for found in &self.skills {
            stamps.add_file(&found.file, found.stamp, read);
        }
        for refused in &self.refused {
            match refused.stamp {
                Some(stamp) => stamps.add_directory(&refused.path, stamp, read),
                None => stamps.add_absent(&refused.path),
            }
        }
        stamps
    }

    fn refuse(&mut self, path: PathBuf, why: Why) {
        let stamp = Stamp::of(&path);
        self.refused.push(Refused { path, why, stamp });
    }

    fn append(&mut self, mut other: Self) {
        self.skills.append(&mut other.skills);
        self.directories.append(&mut other.directories);
        self.refused.append(&mut other.refused);
        self.other_case.append(&mut other.other_case);
    }

    fn sort(&mut self) {
        self.skills.sort_unstable_by(|one, other| one.file.cmp(&other.file));
        self.directories.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        self.refused.sort_by(|one, other| one.path.cmp(&other.path));
        self.other_case.sort_unstable();
    }
}

#[cfg(test)]
mod tests;
