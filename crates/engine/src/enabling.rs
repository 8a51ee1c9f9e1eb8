//! Enabling pacenote in a project, and undoing that.

use std::path::{Path, PathBuf};

use pacenote_files::{
    Beneath, Bytes, Links, Listed, Readers, canonical, exists,
    git::{MARKER, ProjectPlace},
    read_text,
};

use crate::{
    Data, Desk, EngineError,
    install::SetupError,
    presence::{mark, remove_mark, rules_mark, unmark_rules},
};

/// The file by which git keeps the directory of a project that is shared.
const IGNORE: &str = ".gitignore";

/// What is in it.
const IGNORED: &str =
    "# What sessions leave here is for this machine alone.\n/handoff-*.md\n/runs/\n";

/// Names of the directory that are looked at: one beside that file is enough to keep it.
const LISTED: usize = 2;

/// Largest file that is looked at for being that one.
const IGNORE_BYTES: Bytes = Bytes::kib(4);

/// What was done to enable a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The directory that says so.
    pub marker: PathBuf,
    /// Whether it was made now.
    pub is_new: bool,
}

/// Returns the directory by which the project at hand would say that it is used. A person's home is
/// no project: every other one lies below it.
pub fn marker_of(place: &ProjectPlace, home: Option<&Path>) -> Option<PathBuf> {
    let root = &place.main_root;
    let is_home = home.is_some_and(|home| canonical(home).is_ok_and(|home| home == *root));
    (!is_home && root.parent().is_some()).then(|| root.join(MARKER))
}

/// Returns the file that a project needs to be taken into use by all who work on it, and what is in
/// it: git keeps no empty directory. `None` when it is there.
pub fn missing_ignore(marker: &Path) -> Option<(PathBuf, &'static str)> {
    let path = marker.join(IGNORE);
    (!exists(&path)).then_some((path, IGNORED))
}

/// Enables the project at hand, for oneself or for everybody who works on it.
pub fn take(desk: &mut Desk, marker: PathBuf, is_shared: bool) -> Result<Taken, EngineError> {
    let is_new = !exists(&marker);
    let ignore = missing_ignore(&marker).filter(|_| is_shared);
    let root = Beneath::open(&desk.place().main_root, Links::Follow).map_err(SetupError::File)?;
    if is_new {
        root.create_directory(Path::new(MARKER), Readers::Everyone).map_err(SetupError::File)?;
    }
    if let Some((_, text)) = ignore {
        let path = Path::new(MARKER).join(IGNORE);
        root.write(&path, text.as_bytes(), Readers::Everyone).map_err(SetupError::File)?;
    }
    desk.begin(None)?.introduce()?;
    Ok(Taken { marker, is_new })
}

/// What would go if a project were left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// Whether it is in use at all, so that there is something to leave.
    pub is_used: bool,
    /// The directory that says so; `None` when people keep something in it, or there is none.
    pub marker: Option<PathBuf>,
}

/// Returns what [`leave`] would do.
pub fn leaving(data: &Data, place: &ProjectPlace) -> Leaving {
    let marker = place.main_root.join(MARKER);
    let root = Beneath::open(&place.main_root, Links::Follow);
    let listed = root.and_then(|root| root.list(Path::new(MARKER), LISTED));
    let goes = listed.is_ok_and(|Listed { entries, .. }| {
        entries.iter().all(|entry| entry.name == IGNORE) && (entries.is_empty() || is_ours(&marker))
    });
    let is_used = goes || exists(&mark(data, place)) || exists(&rules_mark(data, place));
    Leaving { is_used, marker: goes.then_some(marker) }
}

/// Lets the project at hand be none of ours again. What people keep in its directory stays, and as
/// long as that is there, so does the project; tells whether it is gone.
pub fn leave(data: &Data, place: &ProjectPlace) -> Result<bool, EngineError> {
    let Leaving { marker, .. } = leaving(data, place);
    remove_mark(&mark(data, place))?;
    unmark_rules(data, place)?;
    let gone = Beneath::open(&place.main_root, Links::Follow).and_then(|root| {
        let ignore = Path::new(MARKER).join(IGNORE);
        if marker.is_some() && root.kind_of(&ignore)?.is_some() {
            root.remove_file(&ignore)?;
        }
        root.remove_empty_directory(Path::new(MARKER))
    });
    Ok(gone.map_err(SetupError::File)?)
}

/// Tells whether the file by which git keeps a directory is as we wrote it.
fn is_ours(marker: &Path) -> bool {
    let text = read_text(&marker.join(IGNORE), IGNORE_BYTES, Links::Refuse);
    text.is_ok_and(|text| text == IGNORED)
}
