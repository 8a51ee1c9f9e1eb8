//! The files by which clients are made to call us, and the way to each of them.
//!
//! A person's own settings may be links: people keep them elsewhere. What lies below a project may be
//! anything that a clone brings, so it is reached without following a single link.

use std::{
    io,
    path::{Path, PathBuf},
};

use pacenote_files::{
    Beneath, Bytes, FileError, Links, Readers, create_private_directory, read_capped,
    remove_behind_links, remove_empty_directory, remove_leftovers, write_atomically,
};
use pacenote_hosts::{
    clients::{Client, Scope, Setup, StatusLineSupport},
    edit::{OwnFile, Registration, SETTINGS_BYTES},
};

use super::SetupError;
use crate::EngineError;

/// A file by which a client is made to call us.
#[derive(Clone, Debug)]
pub struct Target {
    pub client: &'static Client,
    /// For whom the file speaks.
    pub scope: Scope,
    /// The file.
    pub path: PathBuf,
    /// What of it is ours.
    pub(super) share: Share,
}

/// What of a file is ours.
#[derive(Clone, Copy, Debug)]
pub(super) enum Share {
    /// Entries among those of others.
    Entries(fn() -> Vec<Registration>),
    All(&'static OwnFile),
}

impl Target {
    /// Returns the files of a scope, given the client's own directory and that of the project; none
    /// where a client has nothing for that scope.
    pub fn of(client: &'static Client, scope: Scope, home: &Path, project: &Path) -> Vec<Self> {
        let target = |path: PathBuf, share: Share| Self { client, scope, path, share };
        match client.setup {
            Setup::Entries { file, registrations, .. } => {
                let path = file(scope, home, project);
                path.map(|path| target(path, Share::Entries(registrations))).into_iter().collect()
            }
            Setup::OwnFiles { directory, files } => match directory(scope, home, project) {
                Some(above) => {
                    let targets = files.iter();
                    targets.map(|own| target(above.join(own.name), Share::All(own))).collect()
                }
                None => Vec::new(),
            },
        }
    }

    /// Returns the file of this path, whatever it is to its client.
    pub(super) fn at(client: &'static Client, scope: Scope, path: PathBuf) -> Option<Self> {
        let share = match client.setup {
            Setup::Entries { registrations, .. } => Share::Entries(registrations),
            Setup::OwnFiles { files, .. } => {
                Share::All(files.iter().find(|own| path.ends_with(own.name))?)
            }
        };
        Some(Self { client, scope, path, share })
    }

    /// Reports whether a status line can be put into the file without taking somebody's own away.
    pub(super) fn has_status_line(&self) -> bool {
        let support = match self.client.setup {
            Setup::Entries { status_line, .. } => status_line,
            Setup::OwnFiles { .. } => StatusLineSupport::None,
        };
        support == StatusLineSupport::Command && self.scope == Scope::User
    }

    /// Returns what the file says, to change it; `None` when it is not there.
    pub(super) fn read(&self) -> Result<Option<String>, EngineError> {
        self.text(match self.way()? {
            Way::Person(path) => read_capped(path, largest(), Links::Follow),
            Way::Project(root, relative) => root.read_unlinked(relative, largest()),
        })
    }

    /// Returns what the file says to its client, which follows links; `None` when it is not there.
    pub(super) fn peek(&self) -> Result<Option<String>, EngineError> {
        self.text(read_capped(&self.path, largest(), Links::Follow))
    }

    /// Not read as text, which would lose a mark at its beginning.
    fn text(&self, read: Result<Vec<u8>, FileError>) -> Result<Option<String>, EngineError> {
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SetupError::File(error).into()),
        };
        let text = String::from_utf8(bytes)
            .map_err(|source| SetupError::NotText { path: self.path.clone(), source })?;
        Ok(Some(text))
    }

    #[expect(clippy::disallowed_methods, reason = "links in a person's settings are theirs")]
    pub(super) fn write(&self, text: &str) -> Result<(), EngineError> {
        let written = match self.way()? {
            Way::Person(path) => create_private_directory(path.parent().unwrap_or(Path::new("/")))
                .and_then(|()| write_atomically(path, text.as_bytes())),
            // What lies in a repository is for everyone who works on it.
            Way::Project(root, relative) => {
                root.write(relative, text.as_bytes(), Readers::Everyone)
            }
        };
        Ok(written.map_err(SetupError::File)?)
    }

    #[expect(clippy::disallowed_methods, reason = "links in a person's settings are theirs")]
    pub(super) fn remove(&self) -> Result<(), EngineError> {
        let removed = match self.way()? {
            Way::Person(path) => remove_behind_links(path),
            Way::Project(root, relative) => root.remove_file(relative),
        };
        Ok(removed.map_err(SetupError::File)?)
    }

    /// Removes what writers left beside the file when they were killed.
    #[expect(clippy::disallowed_methods, reason = "links in a person's settings are theirs")]
    pub(super) fn remove_leftovers(&self) -> Result<(), EngineError> {
        let removed = match self.way()? {
            Way::Person(path) => remove_leftovers(path.parent().unwrap_or(Path::new("/"))),
            Way::Project(root, relative) => {
                root.remove_leftovers(relative.parent().unwrap_or(Path::new("")))
            }
        };
        Ok(removed.map_err(SetupError::File)?)
    }

    /// Removes a directory that was made for the file if it is empty, and reports whether it is
    /// gone.
    #[expect(clippy::disallowed_methods, reason = "links in a person's settings are theirs")]
    pub(super) fn remove_directory(&self, directory: &Path) -> Result<bool, EngineError> {
        Ok(match self.way()? {
            Way::Person(_) => remove_empty_directory(directory)?,
            Way::Project(root, _) => match directory.strip_prefix(root.path()) {
                Ok(relative) => root.remove_empty_directory(relative)?,
                // Nothing above a project was ever made for it.
                Err(_) => false,
            },
        })
    }

    /// Returns how the file is reached.
    fn way(&self) -> Result<Way<'_>, EngineError> {
        let Some(root) = self.root() else { return Ok(Way::Person(&self.path)) };
        let relative = self.path.strip_prefix(root).unwrap_or(&self.path);
        let root = Beneath::open(root, Links::Follow).map_err(SetupError::File)?;
        Ok(Way::Project(root, relative))
    }

    /// Returns the project whose file this is: the one for which the client names this very path.
    /// `None` for a file of the person.
    fn root(&self) -> Option<&Path> {
        let is_root = |above: &&Path| {
            let targets = Self::of(self.client, self.scope, above, above);
            targets.iter().any(|target| target.path == self.path)
        };
        match self.scope {
            Scope::User => None,
            Scope::Project | Scope::Local => self.path.ancestors().skip(1).find(is_root),
        }
    }
}

/// How a file is reached.
enum Way<'t> {
    /// By its path, through whatever links the person made.
    Person(&'t Path),
    /// From the root of a project, through none.
    Project(Beneath, &'t Path),
}

/// Largest settings file that is edited.
fn largest() -> Bytes {
    Bytes::new(u64::try_from(SETTINGS_BYTES).unwrap_or(u64::MAX))
}
