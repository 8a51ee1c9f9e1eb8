//! Where the data of a person lies, and how projects are named in it.

use std::path::{Path, PathBuf};

use pacenote_files::{
    Beneath, Links, create_private_directory, exists, failures::FailureLog, git::ProjectPlace,
    session_log::LogDirectory,
};
use pacenote_store::Place;

use crate::{EngineError, secrets};

/// The file whose presence says that hooks start no workers.
pub(crate) const NO_WORKERS: &str = "no-workers";

/// Where pacenote keeps what is the user's, not a project's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    directory: PathBuf,
}

impl Data {
    /// Names the data directory; nothing is touched.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Returns the directory itself.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Opens the directory to write in it, and makes it where it is missing.
    pub(crate) fn files(&self) -> Result<Beneath, EngineError> {
        #[expect(clippy::disallowed_methods, reason = "no repository says where our data lies")]
        create_private_directory(&self.directory)?;
        Ok(Beneath::open(&self.directory, Links::Follow)?)
    }

    /// Returns where the store lives.
    pub fn store(&self) -> Place {
        Place::new(&self.directory)
    }

    /// Reports whether hooks may start workers here. They may not where the data is removed in a
    /// moment: a worker outlives the hook that started it.
    pub fn may_have_workers(&self) -> bool {
        !exists(&self.directory.join(NO_WORKERS))
    }

    /// Returns the session logs.
    pub fn logs(&self) -> LogDirectory {
        LogDirectory::new(self.directory.join("sessions"))
    }

    /// Returns the log of failures on the hook path.
    pub fn failures(&self) -> FailureLog {
        FailureLog::new(self.directory.join("failures.jsonl"))
    }
}

/// Returns the text by which the store knows a project: its path, without secrets.
pub(crate) fn place_key(place: &ProjectPlace) -> String {
    secrets::path_without(place_text(place))
}

/// Returns the path of a project as a text.
///
/// A path that is no text is told apart by its bytes, so that two of them never become one.
pub(crate) fn place_text(place: &ProjectPlace) -> String {
    if let Some(text) = place.key.to_str() {
        return text.to_owned();
    }
    let bytes = place.key.as_os_str().as_encoded_bytes().iter();
    let digits: Vec<String> = bytes.map(|byte| format!("{byte:02x}")).collect();
    format!("bytes:{}", digits.concat())
}
