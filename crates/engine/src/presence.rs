//! Whether pacenote is used in a project.
//!
//! The client runs its hooks in every project, and in most of them there is nothing to say. That is
//! found out by looking for a few names on disk: this must never open the store.

use std::path::{Path, PathBuf};

use pacenote_files::{
    Beneath, Bytes, Links, Listed, Readers, canonical, create_private_directory,
    create_private_file, exists,
    git::{MARKER, ProjectPlace, find_project, is_marked},
    read_text, remove_file,
};
use pacenote_skill::digest::digest_of;

use crate::{Data, Desk, EngineError, desk::place_key, install::SetupError};

/// Hexadecimal digits by which projects are told apart: more than chance ever repeats.
const DIGITS: usize = 32;

/// What the mark of a run ends in.
const RUN: &str = "run";

/// The file by which git keeps the directory of a project that is shared.
const IGNORE: &str = ".gitignore";

/// What is in it.
const IGNORED: &str =
    "# What sessions leave here is for this machine alone.\n/handoff-*.md\n/runs/\n";

/// Names of the directory that are looked at: one beside that file is enough to keep it.
const LISTED: usize = 2;

/// Largest file that is looked at for being that one.
const IGNORE_BYTES: Bytes = Bytes::kib(4);

/// What a look at a directory tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presence {
    /// The project; `None` when the directory cannot be reached.
    pub place: Option<ProjectPlace>,
    /// Whether a `.pacenote/` says that the project is used, here or in the main worktree.
    pub is_marked: bool,
    /// Whether pacenote is used in it: it says so, or somebody worked in it with our commands.
    pub is_used: bool,
    /// Whether a run of a workflow may be under way in it.
    pub has_runs: bool,
}

/// Looks whether pacenote is used in the project of a directory.
pub fn look(data: &Data, directory: &Path) -> Presence {
    let place = find_project(directory).ok();
    let is_marked_elsewhere = |place: &ProjectPlace| {
        !directory.starts_with(&place.main_root) && is_marked(&place.main_root)
    };
    let is_marked =
        directory.ancestors().any(is_marked) || place.as_ref().is_some_and(is_marked_elsewhere);
    let mark = place.as_ref().map(|place| mark(data, place));
    let is_used = is_marked || mark.as_deref().is_some_and(exists);
    let has_runs = is_used && mark.is_some_and(|mark| exists(&mark.with_extension(RUN)));
    Presence { place, is_marked, is_used, has_runs }
}

/// What was done to take a project into use.
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

/// Takes the project at hand into use, for oneself or for all who work on it.
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
    let is_used = goes || exists(&mark(data, place));
    Leaving { is_used, marker: goes.then_some(marker) }
}

/// Lets the project at hand be none of ours again. What people keep in its directory stays, and as
/// long as that is there, so does the project; tells whether it is gone.
pub fn leave(data: &Data, place: &ProjectPlace) -> Result<bool, EngineError> {
    let Leaving { marker, .. } = leaving(data, place);
    let mark = mark(data, place);
    if exists(&mark) {
        remove_file(&mark)?;
    }
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

/// Returns the file whose presence says that a project is used.
pub(crate) fn mark(data: &Data, place: &ProjectPlace) -> PathBuf {
    let digest = digest_of(place_key(place).as_bytes()).to_string();
    let digits: String =
        digest.rsplit('-').next().unwrap_or_default().chars().take(DIGITS).collect();
    data.directory().join("projects").join(digits)
}

/// Returns the file whose presence says that a run may be under way in a project.
pub(crate) fn run_mark(data: &Data, place: &ProjectPlace) -> PathBuf {
    mark(data, place).with_extension(RUN)
}

/// Tells whether a run may be under way in a project.
pub(crate) fn has_runs(data: &Data, place: &ProjectPlace) -> bool {
    exists(&run_mark(data, place))
}

/// Notes that a project is used.
pub(crate) fn note(mark: &Path) -> Result<(), EngineError> {
    if !exists(mark) {
        if let Some(directory) = mark.parent() {
            create_private_directory(directory)?;
        }
        create_private_file(mark)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_used_once_it_says_so_or_somebody_worked_in_it() {
        let directory = tempfile::tempdir().unwrap();
        let [project, below, other] =
            ["shop", "shop/src/deep", "other"].map(|name| directory.path().join(name));
        for made in [&below, &other] {
            create_private_directory(made).unwrap();
        }
        let data = Data::new(directory.path().join("data"));
        let used = || [&project, &below, &other].map(|path| look(&data, path).is_used);
        assert_eq!(used(), [false, false, false]);

        create_private_directory(&project.join(".pacenote")).unwrap();
        assert_eq!(used(), [true, true, false]);

        note(&mark(&data, &find_project(&other).unwrap())).unwrap();
        assert_eq!(used(), [true, true, true]);
        assert!(!look(&data, Path::new("/nowhere/at/all")).is_used);
    }
}
