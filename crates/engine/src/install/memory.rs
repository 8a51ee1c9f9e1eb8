//! What is remembered of each file in which hooks were registered.

use std::path::{Path, PathBuf};

use pacenote_files::{
    Bytes, Entry, Links, Readers, canonical, exists, list_directory, read_text_if_present,
};
use pacenote_hosts::clients::{Scope, client_named};
use pacenote_model::Digest;
use pacenote_skill::digest::digest_of;
use serde::{Deserialize, Serialize};

use super::{INSTALLS, SetupError, Target};
use crate::{Data, EngineError};

/// Largest file of ours about one settings file: two shapes of it, written as JSON.
const MEMORY: Bytes = Bytes::mib(8);

/// What is remembered of one file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Memory {
    pub(super) client: String,
    /// For whom the file speaks.
    pub(super) scope: String,
    /// The file.
    pub(super) path: PathBuf,
    /// The shape it had; `None` if it was not there.
    pub(super) before: Option<String>,
    /// The digest of what it was.
    pub(super) before_digest: Option<Digest>,
    /// The shape we gave it.
    pub(super) after: String,
    /// The directories that were made for it, the deepest first.
    pub(super) directories: Vec<PathBuf>,
}

impl Memory {
    pub(super) fn target(&self) -> Option<Target> {
        let (client, scope) = (client_named(&self.client)?, Scope::from_word(&self.scope)?);
        Target::at(client, scope, self.path.clone())
    }

    pub(super) fn keep(&self, data: &Data) -> Result<(), EngineError> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|source| EngineError::Unwritten { source })?;
        Ok(data.files()?.write(&file(&self.path), text.as_bytes(), Readers::Owner)?)
    }
}

/// Returns what is remembered of a file.
pub(super) fn of(data: &Data, path: &Path) -> Result<Option<Memory>, EngineError> {
    read(&data.directory().join(file(path)))
}

/// Returns all that is remembered.
pub(super) fn all(data: &Data) -> Result<Vec<Memory>, EngineError> {
    let directory = directory(data);
    if !exists(&directory) {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    // Whoever was killed while writing left a file behind that is none.
    let is_memory =
        |entry: &Entry| Path::new(&entry.name).extension().is_some_and(|end| end == "json");
    for entry in list_directory(&directory)?.into_iter().filter(is_memory) {
        found.extend(read(&directory.join(entry.name))?);
    }
    Ok(found)
}

/// Forgets a file.
pub(super) fn forget(data: &Data, path: &Path) -> Result<(), EngineError> {
    Ok(data.files()?.remove_file(&file(path))?)
}

/// Leaves a directory that was made for a file to another file of ours that is in it.
pub(super) fn bequeath(data: &Data, directory: &Path) -> Result<(), EngineError> {
    let heir = all(data)?.into_iter().find(|memory| memory.path.starts_with(directory));
    if let Some(mut heir) = heir {
        heir.directories.push(directory.to_owned());
        heir.keep(data)?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Option<Memory>, EngineError> {
    let Some(text) = read_text_if_present(path, MEMORY, Links::Refuse)? else { return Ok(None) };
    let memory = serde_json::from_str(&text)
        .map_err(|source| SetupError::Forgotten { path: path.to_owned(), source })?;
    Ok(Some(memory))
}

pub(super) fn directory(data: &Data) -> PathBuf {
    data.directory().join(INSTALLS)
}

/// Returns where in our data a file is remembered, whatever links its directory is reached by. The
/// file itself may be a link to one that is only made now.
fn file(path: &Path) -> PathBuf {
    let digest = digest_of(settled(path).as_os_str().as_encoded_bytes()).to_string();
    let digits = digest.rsplit('-').next().unwrap_or_default();
    Path::new(INSTALLS).join(format!("{digits}.json"))
}

/// Returns a path without links in as much of it as there is, its last name left alone.
fn settled(path: &Path) -> PathBuf {
    let above = path.ancestors().skip(1);
    let resolved = above.filter_map(|directory| {
        Some(canonical(directory).ok()?.join(path.strip_prefix(directory).ok()?))
    });
    resolved.into_iter().next().unwrap_or_else(|| path.to_owned())
}
