//! A skill root that is held open, and the rule by which links below it are followed.
//!
//! The rule is applied to the handle of what was opened, never to a path that is opened afterwards:
//! a link that is swapped meanwhile is judged by where it leads now.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::Mode;
use rustix::io::Errno;

use super::{Found, Kind, Why};
use crate::beneath::{
    Beneath, DIRECTORY, FILE, PathRefusal, check_inner, open_beneath, read_opened,
};
use crate::bytes::Bytes;
use crate::error::{FileError, Operation};
use crate::open::Links;
use crate::write::canonical;

/// Where a skill root and a skill directory may lead when they are links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkPolicy {
    /// Nowhere.
    Refuse,
    /// To any directory that belongs to this user: what installers make in the user's own roots.
    User {
        /// The user's id.
        owner: u32,
    },
    /// To directories inside this one, the top of a repository.
    Within(PathBuf),
}

/// A skill root that is held open.
#[derive(Debug)]
pub struct SkillRoot {
    root: Beneath,
    links: Allowed,
}

/// A link policy with what is needed to apply it.
#[derive(Debug)]
enum Allowed {
    Nothing,
    OwnedBy(u32),
    Within(Beneath),
}

impl SkillRoot {
    /// Opens a root; the policy holds for the root itself too.
    ///
    /// Links above the root are followed, since its path was chosen by the caller; only with
    /// [`LinkPolicy::Within`] the root must really be inside the repository.
    pub fn open(path: &Path, policy: &LinkPolicy) -> Result<Self, FileError> {
        let refused = |why: Why| why.at(path);
        let (root, links) = match policy {
            LinkPolicy::Refuse => (Beneath::open(path, Links::Refuse)?, Allowed::Nothing),
            LinkPolicy::User { owner } => {
                // Systems have several codes for a link that may not be followed.
                let root = Beneath::open(path, Links::Refuse).or_else(|_| {
                    let root = Beneath::open(path, Links::Follow)?;
                    check_owner(root.handle(), *owner).map_err(refused)?;
                    Ok(root)
                })?;
                (root, Allowed::OwnedBy(*owner))
            }
            LinkPolicy::Within(top) => {
                let top = Beneath::open(&canonical(top)?, Links::Refuse)?;
                let root = open_within(&top, path).map_err(refused)?;
                (Beneath::new(root, path), Allowed::Within(top))
            }
        };
        Ok(Self { root, links })
    }

    /// Returns the path of the root as it was given.
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// Opens a skill directory that was found here, to read the files inside it.
    pub fn skill(&self, directory: &Path) -> Result<Beneath, FileError> {
        let relative = self.relative(directory)?;
        let opened = self.directory(relative).map_err(|why| why.at(directory))?;
        Ok(Beneath::new(opened, directory))
    }

    /// Reads the file of a skill or agent that was found here, at most `cap` bytes.
    pub fn read(&self, found: &Found, cap: Bytes) -> Result<Vec<u8>, FileError> {
        read_opened(self.open_found(found)?, &found.file, cap)
    }

    /// Opens the file of what was found; no link inside a skill leads out of that skill.
    pub(super) fn open_found(&self, found: &Found) -> Result<Result<OwnedFd, Errno>, FileError> {
        let relative = self.relative(&found.file)?;
        match open_beneath(self.root.handle(), relative, FILE, Links::Refuse) {
            // There is a link on the way, which is rare: each kind of link has its own rule.
            Err(Errno::LOOP) => {}
            answer => return Ok(answer),
        }
        let skill = match &found.kind {
            Kind::Skill | Kind::Single => &found.directory,
            Kind::Agent { of } => of,
        };
        let Ok(inner) = found.file.strip_prefix(skill) else {
            return Err(PathRefusal::Leaves.at(&found.file));
        };
        check_inner(inner).map_err(|refusal| refusal.at(&found.file))?;
        Ok(open_beneath(self.skill(skill)?.handle(), inner, FILE, Links::Follow))
    }

    /// Returns a path of this root without the root.
    fn relative<'a>(&self, path: &'a Path) -> Result<&'a Path, FileError> {
        let relative = path.strip_prefix(self.path()).map_err(|_| PathRefusal::Leaves.at(path))?;
        match check_inner(relative) {
            Ok(()) | Err(PathRefusal::Empty) => Ok(relative),
            Err(refusal) => Err(refusal.at(path)),
        }
    }

    /// Opens the root, or a directory below it that may be reached through links.
    pub(super) fn directory(&self, relative: &Path) -> Result<OwnedFd, Why> {
        let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
        match self.directory_without_links(relative) {
            Err(Errno::LOOP) => {}
            answer => return Ok(answer?),
        }
        match &self.links {
            Allowed::Nothing => Err(Why::LinkRefused),
            Allowed::OwnedBy(owner) => {
                let opened = rustix::io::retry_on_intr(|| {
                    rustix::fs::openat(self.root.handle(), relative, DIRECTORY, Mode::empty())
                })?;
                check_owner(opened.as_fd(), *owner)?;
                Ok(opened)
            }
            Allowed::Within(top) => open_within(top, &self.path().join(relative)),
        }
    }

    /// Opens a directory below the root that is reached without any link.
    pub(super) fn directory_without_links(&self, relative: &Path) -> Result<OwnedFd, Errno> {
        open_beneath(self.root.handle(), relative, DIRECTORY, Links::Refuse)
    }
}

impl Why {
    /// Puts the reason and its path into the error of this room.
    fn at(self, path: &Path) -> FileError {
        let source = match self {
            Self::Unreadable(kind) => kind.into(),
            Self::LinkRefused
            | Self::LinkLeaves
            | Self::NotOwned { .. }
            | Self::Loop
            | Self::NotRegular(_)
            | Self::TooDeep { .. }
            | Self::TooManyEntries { .. }
            | Self::TooManyDirectories { .. } => {
                io::Error::new(io::ErrorKind::PermissionDenied, self)
            }
        };
        FileError::io(Operation::Open, path)(source)
    }
}

fn check_owner(directory: impl AsFd, owner: u32) -> Result<(), Why> {
    let found = rustix::fs::fstat(directory)?.st_uid;
    if found == owner { Ok(()) } else { Err(Why::NotOwned { owner: found }) }
}

/// Opens a directory wherever links lead to, as long as that is inside `top`.
///
/// Where the links lead is found out first, and then opened from `top` without following any: what
/// is swapped in between is not found, or is inside as well.
fn open_within(top: &Beneath, path: &Path) -> Result<OwnedFd, Why> {
    let real = canonical(path).map_err(|error| Why::Unreadable(error.kind()))?;
    let inner = real.strip_prefix(top.path()).map_err(|_| Why::LinkLeaves)?;
    let inner = if inner.as_os_str().is_empty() { Path::new(".") } else { inner };
    Ok(open_beneath(top.handle(), inner, DIRECTORY, Links::Refuse)?)
}
