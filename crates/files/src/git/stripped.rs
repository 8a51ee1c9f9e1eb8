//! A repository's data without its configuration, for asking git.
//!
//! Git reads configuration from the directory that all worktrees share, and dozens of settings
//! there name programs: filters, hooks, monitors, helpers, with names that nobody can list in
//! advance. So git gets another shared directory: a scratch one, with links to the repository's
//! objects and references, and a configuration of ours.

use std::os::unix::fs::symlink;
use std::path::Path;

use super::{ProjectPlace, settings::Settings};
use crate::beneath::Readers;
use crate::error::{FileError, Operation};
use crate::scratch::ScratchDirectory;

/// What git reads of a repository: all of it data, none of it configuration.
const DATA: [&str; 6] = ["objects", "refs", "packed-refs", "reftable", "shallow", "info/exclude"];

/// The settings without which git would misread a worktree or its data. Each is a word.
const KEPT: [(&str, &str); 10] = [
    ("core", "autocrlf"),
    ("core", "checkstat"),
    ("core", "eol"),
    ("core", "filemode"),
    ("core", "ignorecase"),
    ("core", "precomposeunicode"),
    ("core", "symlinks"),
    ("core", "trustctime"),
    ("extensions", "objectformat"),
    ("extensions", "refstorage"),
];

/// A scratch directory that stands in for the directory that a repository's worktrees share.
#[derive(Debug)]
pub struct StrippedRepository(ScratchDirectory);

impl StrippedRepository {
    /// Makes one for the repository of a project.
    pub fn of(place: &ProjectPlace) -> Result<Self, FileError> {
        let scratch = ScratchDirectory::new()?;
        let files = scratch.files()?;
        files.create_directory(Path::new("info"), Readers::Owner)?;
        for part in DATA {
            let link = scratch.path().join(part);
            // A part that is missing there is missing here too: the link leads nowhere.
            symlink(place.key.join(part), &link).map_err(FileError::io(Operation::Write, &link))?;
        }
        let settings = Settings::read(&place.key.join("config"));
        let mut lines = String::from("[core]\n\trepositoryformatversion = 1\n");
        for (section, key) in KEPT {
            let is_word = |value: &String| value.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if let Some(value) = settings.value(section, key).filter(is_word) {
                lines.extend(["[", section, "]\n\t", key, " = ", &value, "\n"]);
            }
        }
        files.write(Path::new("config"), lines.as_bytes(), Readers::Owner)?;
        Ok(Self(scratch))
    }

    /// Returns where it lies.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
