//! Which directories are the roots of projects that refuse tools.
//!
//! An agent can change what counts as the project round it: it moves `.git` away, makes a repository
//! above or a `.pacenote/` below. A project with trusted rules or a run is therefore also known by
//! its root: a file in our data, named after the root, holds the key of the project.

use std::{
    ffi::OsStr,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use pacenote_files::{
    Bytes, Links, canonical, create_private_directory, exists,
    git::{ProjectKind, ProjectPlace, place_without_files},
    list_directory, read_capped, write_unsynced,
};

use super::{digits_of, note, remove_mark, rules_mark, run_mark};
use crate::{Data, EngineError};

/// What the mark of a root ends in.
const ROOT: &str = "root";

/// The file that says that there is any such mark: without it, hooks look for none.
const ANY: &str = "roots";

/// Largest mark: it holds one path, and the longest of Linux is 4 KiB.
const MARK: Bytes = Bytes::kib(8);

/// Reports whether any project is known by its root, so that tools may be refused in it.
pub fn has_any(data: &Data) -> bool {
    exists(&sentinel(data))
}

/// Finds the project with trusted rules or a run whose root is nearest above a directory, whatever
/// else was found there. A repository inside such a project is another one.
pub(super) fn find(data: &Data, directory: &Path, found: &ProjectPlace) -> Option<ProjectPlace> {
    let directory = canonical(directory).ok().filter(|_| has_any(data))?;
    let is_inside = |above: &&Path| match found.kind {
        ProjectKind::Git => above.starts_with(&found.root),
        ProjectKind::Plain => true,
    };
    directory.ancestors().take_while(is_inside).find_map(|above| place_at(data, above, Some(found)))
}

/// Returns the project that a root is known to have, be it gone.
pub(super) fn place_at(
    data: &Data,
    root: &Path,
    found: Option<&ProjectPlace>,
) -> Option<ProjectPlace> {
    let mark = mark_of(data, root);
    if !exists(&mark) {
        return None;
    }
    // A mark that cannot be read, because the machine went down, still says that there is a project.
    let found = found.filter(|found| found.root == root).map(|found| found.key.clone());
    let usual = [root.to_path_buf(), root.join(".git")];
    let keys = key_in(&mark).into_iter().chain(found).chain(usual);
    keys.map(|key| place_without_files(root, key)).find(|place| is_bound(data, place))
}

/// Reports whether a project has trusted rules or a run.
pub(super) fn is_bound(data: &Data, place: &ProjectPlace) -> bool {
    [rules_mark(data, place), run_mark(data, place)].iter().any(|mark| exists(mark))
}

/// Notes that a project has trusted rules or a run, for the root at hand. Nothing is synced, because
/// hooks do this too.
#[expect(clippy::disallowed_methods, reason = "marks lie in our data, under names of digits")]
pub(crate) fn note_root(data: &Data, place: &ProjectPlace) -> Result<(), EngineError> {
    let mark = mark_of(data, &place.root);
    if key_in(&mark).as_ref() != Some(&place.key) {
        create_private_directory(&directory_of(data))?;
        write_unsynced(&mark, place.key.as_os_str().as_bytes())?;
    }
    note(&sentinel(data))
}

/// Removes the marks of all roots of a project, unless it still has trusted rules or a run.
pub(crate) fn forget_roots(data: &Data, place: &ProjectPlace) -> Result<(), EngineError> {
    if !has_any(data) || is_bound(data, place) {
        return Ok(());
    }
    for mark in marks(data)?.iter().filter(|mark| key_in(mark).as_ref() == Some(&place.key)) {
        remove_mark(mark)?;
    }
    if marks(data)?.is_empty() {
        remove_mark(&sentinel(data))?;
        // A root that was noted between the look and the removal would not be looked for.
        if !marks(data)?.is_empty() {
            note(&sentinel(data))?;
        }
    }
    Ok(())
}

/// Returns the marks of all roots.
fn marks(data: &Data) -> Result<Vec<PathBuf>, EngineError> {
    let directory = directory_of(data);
    let paths = list_directory(&directory)?.into_iter().map(|entry| directory.join(entry.name));
    Ok(paths.filter(|path| path.extension() == Some(OsStr::new(ROOT))).collect())
}

fn key_in(mark: &Path) -> Option<PathBuf> {
    let key = read_capped(mark, MARK, Links::Refuse).ok()?;
    Some(PathBuf::from(OsStr::from_bytes(&key)))
}

fn mark_of(data: &Data, root: &Path) -> PathBuf {
    let digits = digits_of(root.as_os_str().as_bytes());
    directory_of(data).join(digits).with_extension(ROOT)
}

fn sentinel(data: &Data) -> PathBuf {
    directory_of(data).join(ANY)
}

fn directory_of(data: &Data) -> PathBuf {
    data.directory().join("projects")
}

#[cfg(test)]
mod tests {
    use pacenote_files::write_atomically;

    use super::*;
    use crate::{
        data::place_text,
        presence::{find_place, mark_rules, unmark_rules},
    };

    #[test]
    fn a_mark_that_is_torn_opens_no_gate() {
        let directory = tempfile::tempdir().unwrap();
        let top = canonical(directory.path()).unwrap();
        let (root, data) = (top.join("shop"), Data::new(top.join("data")));
        create_private_directory(&root.join("src")).unwrap();
        for key in [root.clone(), root.join(".git")] {
            let place = place_without_files(&root, key);
            mark_rules(&data, &place_text(&place), true).unwrap();
            note_root(&data, &place).unwrap();
            create_private_directory(&top.join(".pacenote")).unwrap();
            for torn in ["", "/sh", "\0\0\0"] {
                write_atomically(&mark_of(&data, &root), torn.as_bytes()).unwrap();
                let found = find_place(&data, &root.join("src")).unwrap();
                assert_eq!(found.key, place.key, "{torn:?}");
            }
            note_root(&data, &place).unwrap();
            unmark_rules(&data, &place).unwrap();
            assert!(!has_any(&data));
            assert_eq!(find_place(&data, &root.join("src")).unwrap().key, top);
        }
    }
}
