//! Whether a worktree and the git directory that its `.git` leads to belong together.
//!
//! Anybody can write a `.git` that names a git directory; what counts is what the git directory
//! says about its worktree, because only its owner can write there.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _, path::Path};

use super::{pointed_to, settings::Settings};
use crate::write::canonical;

/// How well a worktree is tied to a git directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tie {
    /// They lie in one place, or the git directory names the worktree.
    Proven,
    /// The git directory names no worktree, as `--separate-git-dir` leaves it. Such a worktree is
    /// believed where it stands alone, and not inside another one, whose content it may be.
    Unproven,
    /// The git directory belongs to another worktree, or to none.
    Contradicted,
}

impl Tie {
    /// Judges a worktree by the git directory its `.git` leads to; all paths are canonical.
    pub(super) fn of(worktree: &Path, git_directory: &Path, common: &Path) -> Self {
        let proven_if = |is_proven| if is_proven { Self::Proven } else { Self::Contradicted };
        if git_directory != common {
            let back = pointed_to(&git_directory.join("gitdir"), git_directory, b"");
            let is_back = |back: &Path| is_same(back.parent(), worktree) && back.ends_with(".git");
            return proven_if(back.is_some_and(|back| is_back(&back)));
        }
        if is_own(worktree, git_directory) {
            return Self::Proven;
        }
        // Where worktrees have settings of their own, those of the main one stand in the second.
        let files = ["config", "config.worktree"].map(|name| git_directory.join(name));
        let settings = files.map(|file| Settings::read(&file));
        let named = settings.iter().find_map(|settings| settings.value("core", "worktree"));
        if let Some(named) = named {
            return proven_if(is_same(Some(&git_directory.join(named)), worktree));
        }
        let is_bare = settings.iter().any(|settings| settings.is_true("core", "bare"));
        let is_of_others = git_directory.ends_with(".git") || is_bare;
        if is_of_others { Self::Contradicted } else { Self::Unproven }
    }
}

/// Reports whether a git directory is the worktree's own by where it lies: its `.git`, or a hidden
/// directory beside it such as `.bare`, the place of a bare repository whose worktrees lie around it.
///
/// Lying further down proves nothing: an archive that is unpacked around somebody's project can bring
/// a `.git` that names `project/.git`, or a bare repository among its files.
fn is_own(worktree: &Path, git_directory: &Path) -> bool {
    let is_hidden = |name: &OsStr| name.as_bytes().starts_with(b".");
    git_directory.parent() == Some(worktree) && git_directory.file_name().is_some_and(is_hidden)
}

/// Reports whether a path leads to a canonical one.
fn is_same(path: Option<&Path>, canonical_path: &Path) -> bool {
    path.is_some_and(|path| canonical(path).is_ok_and(|path| path == canonical_path))
}
