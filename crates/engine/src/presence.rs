//! Whether pacenote is used in a project.
//!
//! The client runs its hooks in every project, and in most of them there is nothing to say. That is
//! found out by looking for a few names on disk: this must never open the store.

mod roots;

use std::path::{Path, PathBuf};

use pacenote_files::{
    FileError, create_private_directory, create_private_file, exists,
    git::{ProjectPlace, find_project, is_marked},
    remove_file,
};
use pacenote_skill::digest::digest_of;

pub use self::roots::has_any as has_roots;
pub(crate) use self::roots::{forget_roots, note_root};
use crate::{Data, EngineError, data::place_text};

/// Hexadecimal digits by which projects are told apart: more than chance ever repeats.
const DIGITS: usize = 32;

/// What the mark of a run ends in.
const RUN: &str = "run";

/// What the mark of rules that the person trusts ends in.
const RULES: &str = "rules";

/// What the mark of such rules ends in when they refuse tools.
const GATES: &str = "gates";

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
    /// What its marks say of the rules that the person trusts.
    pub rules: TrustedRules,
}

/// What the marks of a project say of its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustedRules {
    /// The person trusts none, or did so before there were marks.
    Unmarked,
    /// The person trusts some, which refuse no tool.
    WithoutGates,
    /// The person trusts some, which refuse tools.
    WithGates,
}

/// Finds the project of a directory.
///
/// One with trusted rules or a run is known by marks in our data: it stays the same project whatever
/// becomes of its `.pacenote/` and its `.git`, and whatever is made above it, so that this opens no
/// gate.
pub fn find_place(data: &Data, directory: &Path) -> Result<ProjectPlace, FileError> {
    let place = find_project(directory)?;
    let known = roots::find(data, directory, &place);
    // The one that was found has a branch too.
    Ok(known.filter(|known| known.key != place.key).unwrap_or(place))
}

/// Finds the project of a directory that may have been deleted under the agent that works in it.
fn find_lasting_place(data: &Data, directory: &Path) -> Option<ProjectPlace> {
    if let Ok(place) = find_place(data, directory) {
        return Some(place);
    }
    let nearest = directory.ancestors().find_map(|above| {
        find_place(data, above).ok().or_else(|| roots::place_at(data, above, None))
    });
    nearest.filter(|place| roots::is_bound(data, place))
}

/// Looks whether pacenote is used in the project of a directory.
pub fn look(data: &Data, directory: &Path) -> Presence {
    let place = find_lasting_place(data, directory);
    let is_marked_elsewhere = |place: &ProjectPlace| {
        !directory.starts_with(&place.main_root) && is_marked(&place.main_root)
    };
    let is_marked =
        directory.ancestors().any(is_marked) || place.as_ref().is_some_and(is_marked_elsewhere);
    let mark = place.as_ref().map(|place| mark(data, place));
    let has = |ending: &str| mark.as_ref().is_some_and(|mark| exists(&mark.with_extension(ending)));
    let rules = match has(RULES) {
        true if has(GATES) => TrustedRules::WithGates,
        true => TrustedRules::WithoutGates,
        false => TrustedRules::Unmarked,
    };
    let is_known = rules != TrustedRules::Unmarked || mark.as_deref().is_some_and(exists);
    let is_used = is_marked || is_known;
    let has_runs = is_used && has(RUN);
    Presence { place, is_marked, is_used, has_runs, rules }
}

/// Returns the file whose presence says that a project is used.
pub(crate) fn mark(data: &Data, place: &ProjectPlace) -> PathBuf {
    mark_of_key(data, &place_text(place))
}

/// Returns the root that a project with this key usually has.
pub(crate) fn usual_root(key: &Path) -> PathBuf {
    let is_git = key.file_name().is_some_and(|name| name == ".git");
    key.parent().filter(|_| is_git).unwrap_or(key).to_path_buf()
}

fn mark_of_key(data: &Data, key: &str) -> PathBuf {
    data.directory().join("projects").join(digits_of(key.as_bytes()))
}

/// Returns digits that stand for some bytes in a file name.
pub(crate) fn digits_of(bytes: &[u8]) -> String {
    let digest = digest_of(bytes).to_string();
    digest.rsplit('-').next().unwrap_or_default().chars().take(DIGITS).collect()
}

/// Returns the file whose presence says that a run may be under way in a project.
pub(crate) fn run_mark(data: &Data, place: &ProjectPlace) -> PathBuf {
    mark(data, place).with_extension(RUN)
}

/// Tells whether a run may be under way in a project.
pub(crate) fn has_runs(data: &Data, place: &ProjectPlace) -> bool {
    exists(&run_mark(data, place))
}

/// Returns the file whose presence says that the person may trust rules of a project.
pub(crate) fn rules_mark(data: &Data, place: &ProjectPlace) -> PathBuf {
    mark(data, place).with_extension(RULES)
}

/// Marks the project that the store knows by `key` as one whose rules the person trusts. This is
/// nothing but empty files: a hook does it too.
pub(crate) fn mark_rules(data: &Data, key: &str, refuse_tools: bool) -> Result<(), EngineError> {
    let mark = mark_of_key(data, key);
    // First, because without the other it only costs time.
    if refuse_tools {
        note(&mark.with_extension(GATES))?;
    }
    note(&mark.with_extension(RULES))
}

/// Reports whether the project that the store knows by `key` has the mark of trusted rules.
pub(crate) fn is_rules_marked(data: &Data, key: &str) -> bool {
    exists(&mark_of_key(data, key).with_extension(RULES))
}

/// Reports whether the project that the store knows by `key` has the marks of trusted rules that
/// refuse tools.
pub(crate) fn are_gates_marked(data: &Data, key: &str) -> bool {
    is_rules_marked(data, key) && exists(&mark_of_key(data, key).with_extension(GATES))
}

/// Notes that the trusted rules of a project refuse no tool.
pub(crate) fn unmark_gates(data: &Data, place: &ProjectPlace) -> Result<(), EngineError> {
    remove_mark(&mark(data, place).with_extension(GATES))
}

/// Removes what [`mark_rules`] left.
pub(crate) fn unmark_rules(data: &Data, place: &ProjectPlace) -> Result<(), EngineError> {
    remove_mark(&rules_mark(data, place))?;
    unmark_gates(data, place)?;
    forget_roots(data, place)
}

#[expect(clippy::disallowed_methods, reason = "marks lie in our data, under names of digits")]
pub(crate) fn remove_mark(mark: &Path) -> Result<(), EngineError> {
    match remove_file(mark) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Notes that a project is used. Nothing is synced, because hooks do this too.
#[expect(clippy::disallowed_methods, reason = "marks lie in our data, under names of digits")]
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
    use pacenote_files::{canonical, remove_tree, write_atomically};

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

    #[test]
    fn a_project_whose_rules_are_trusted_stays_the_same_with_another_git_or_none() {
        let directory = tempfile::tempdir().unwrap();
        let root = canonical(directory.path()).unwrap().join("shop");
        let data = Data::new(directory.path().join("data"));
        let make_git = |git: &Path| {
            for name in ["objects", "refs"] {
                create_private_directory(&git.join(name)).unwrap();
            }
            write_atomically(&git.join("HEAD"), b"ref: refs/heads/main\n").unwrap();
        };
        create_private_directory(&root.join("src")).unwrap();
        let plain = find_project(&root).unwrap();
        make_git(&root.join(".git"));
        let git = find_project(&root).unwrap();
        assert_ne!(plain.key, git.key);
        assert_eq!(find_place(&data, &root).unwrap().key, git.key);

        // An agent that makes a repository of a directory gets no other project by it.
        mark_rules(&data, &place_text(&plain), true).unwrap();
        note_root(&data, &plain).unwrap();
        assert_eq!(find_place(&data, &root.join("src")).unwrap().key, plain.key);
        unmark_rules(&data, &plain).unwrap();

        // Nor one that exchanges the repository, or takes it away.
        mark_rules(&data, &place_text(&git), true).unwrap();
        note_root(&data, &git).unwrap();
        remove_tree(&root.join(".git")).unwrap();
        assert_eq!(find_place(&data, &root.join("src")).unwrap().key, git.key);
    }
}
