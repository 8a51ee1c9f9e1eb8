//! Which files of a repository the person trusts, by their content.
//!
//! What is trusted is recorded in the person's store with the project, the content and the user:
//! a copy of the repository elsewhere is another project, and a file that changed is another file.

use std::path::{Path, PathBuf};

use pacenote_files::{
    Bytes, FileError, Links, current_user,
    git::{MARKER, place_without_files},
    list_directory, read_capped, read_text,
};
use pacenote_flow::lifecycle::{Layer, LayerRules, Problem, read};
use pacenote_model::{Digest, Effect, RuleEffect, TrustedFile};
use pacenote_skill::digest::digest_of;
use pacenote_store::Store;

use super::{
    PROJECT_FILE,
    loading::{can_refuse_tools, forgotten_problem, problem_with},
};
use crate::{
    Data, Desk, EngineError,
    data::place_text,
    presence::{
        are_gates_marked, is_rules_marked, mark_rules, note_root, unmark_gates, unmark_rules,
        usual_root,
    },
};

/// The settings that a repository brings, relative to its root.
pub const SETTINGS: &str = ".pacenote/config.toml";

/// The directory of the workflows that a repository brings, and those below it of the texts that
/// their steps name.
pub(crate) const WORKFLOWS: &str = ".pacenote/workflows";
pub(crate) const CONVENTIONS: &str = "conventions";
pub(crate) const RESOURCES: &str = "resources";

/// Largest file that can be trusted; nothing of this kind is ever near it.
const FILE: Bytes = Bytes::mib(1);

/// Most workflows that are looked at.
const MOST_WORKFLOWS: usize = 200;

/// A file of the repository that acts only when it is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTrust {
    /// The file, relative to the project's root.
    pub path: String,
    /// Its content now.
    pub digest: Digest,
    /// Whether the person trusts that.
    pub standing: Standing,
}

/// How a file stands with the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is trusted as it is.
    Trusted,
    /// Another content of it was trusted.
    Changed,
    /// It was never trusted, or no longer is.
    Untrusted,
    /// It is trusted and cannot be read any more; what was trusted stays in force.
    Gone,
}

impl Standing {
    /// Returns the word for lists and JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Changed => "changed",
            Self::Untrusted => "untrusted",
            Self::Gone => "gone",
        }
    }

    /// Reports whether the file has to be trusted to act as it is.
    pub const fn waits(self) -> bool {
        match self {
            Self::Changed | Self::Untrusted => true,
            Self::Trusted | Self::Gone => false,
        }
    }
}

/// Returns the files of the repository that wait for trust or have it.
pub fn status(desk: &Desk) -> Result<Vec<FileTrust>, EngineError> {
    let known = known(desk)?;
    let root = &desk.place().root;
    let mut files = Vec::new();
    for path in candidates(root) {
        let Ok(bytes) = read_capped(&root.join(&path), FILE, Links::Refuse) else { continue };
        let digest = digest_of(&bytes);
        let standing = standing(&known, &path, &digest);
        files.push(FileTrust { path, digest, standing });
    }
    let user = current_user();
    for TrustedFile { path, digest, .. } in known.into_iter().filter(|file| file.user == user) {
        if !files.iter().any(|file| file.path == path) {
            files.push(FileTrust { path, digest, standing: Standing::Gone });
        }
    }
    Ok(files)
}

/// Returns why files and directories of the repository cannot be read that are there.
pub fn unreadable(desk: &Desk) -> Vec<FileError> {
    let root = &desk.place().root;
    let is_there = |error: &FileError| error.kind() != std::io::ErrorKind::NotFound;
    let listed = |path: &str| list_directory(&root.join(path)).err().filter(is_there);
    if let Some(error) = listed(MARKER) {
        return vec![error];
    }
    let texts = [CONVENTIONS, RESOURCES].map(|texts| format!("{WORKFLOWS}/{texts}"));
    let directories =
        listed(WORKFLOWS).into_iter().chain(texts.iter().filter_map(|path| listed(path)));
    let read = |path: String| read_text(&root.join(path), FILE, Links::Refuse).err();
    directories.chain(candidates(root).into_iter().filter_map(read).filter(is_there)).collect()
}

/// Trusts files as they are. The caller has made sure that a person wants this.
///
/// Rules with a mistake are refused: they would stand in the way of those that are trusted now.
pub fn approve(desk: &mut Desk, files: &[FileTrust]) -> Result<(), EngineError> {
    let root = desk.place().root.clone();
    let mut texts = Vec::new();
    for file in files {
        let path = root.join(&file.path);
        let bytes = read_capped(&path, FILE, Links::Refuse)?;
        if digest_of(&bytes) != file.digest {
            return Err(EngineError::FileChanged { path });
        }
        texts.push((file, bytes));
    }
    let rules = texts.iter().find(|(file, _)| file.path == PROJECT_FILE);
    let refuse_tools = rules.map(|(_, bytes)| check_rules(&root.join(PROJECT_FILE), bytes));
    let refuse_tools = refuse_tools.transpose()?;
    // The very content is kept: it stays in force whatever becomes of the file.
    for (file, bytes) in &texts {
        if let Some(store) = desk.store_mut() {
            store.keep_text(&file.digest, bytes)?;
        }
    }
    let was_marked = is_rules_marked(desk.data(), &place_text(desk.place()));
    // Before the commit: a gate that hooks do not look for is open.
    if let Some(refuse_tools) = refuse_tools {
        mark_rules(desk.data(), &place_text(desk.place()), refuse_tools)?;
        note_root(desk.data(), desk.place())?;
    }
    let user = current_user();
    let trusted = |file: &FileTrust| {
        Effect::Rule(RuleEffect::FileTrusted {
            file: TrustedFile { path: file.path.clone(), digest: file.digest, user },
        })
    };
    let effects = files.iter().map(trusted).collect();
    let committed = desk.begin(None).and_then(|mut work| work.commit(effects));
    // Marks without trust close tools.
    if committed.is_err() && refuse_tools.is_some() && !was_marked {
        unmark_rules(desk.data(), desk.place())?;
    }
    committed?;
    if refuse_tools == Some(false) {
        unmark_gates(desk.data(), desk.place())?;
    }
    Ok(())
}

/// Makes sure that rules have no mistake, and returns whether they can refuse a tool.
fn check_rules(path: &Path, bytes: &[u8]) -> Result<bool, EngineError> {
    let rules = match str::from_utf8(bytes) {
        Ok(text) => read(text, &path.display().to_string(), Layer::Project),
        Err(error) => Err(vec![problem_with(path, error.to_string())]),
    };
    match rules {
        Ok(layer) if layer.unknown_names.is_empty() => Ok(can_refuse_tools(&layer)),
        Ok(LayerRules { unknown_names: problems, .. }) | Err(problems) => {
            Err(EngineError::UnsoundRules { path: path.to_path_buf(), problems })
        }
    }
}

/// Withdraws trust, also from rules that only marks know of.
pub fn revoke(desk: &mut Desk, paths: &[String]) -> Result<(), EngineError> {
    let known_paths: Vec<String> = known(desk)?.into_iter().map(|file| file.path).collect();
    let wanted = paths.iter().filter(|path| known_paths.contains(path));
    let effects: Vec<_> = wanted
        .map(|path| Effect::Rule(RuleEffect::FileDistrusted { path: path.clone() }))
        .collect();
    if !effects.is_empty() {
        desk.begin(None)?.commit(effects)?;
    }
    let is_meant = paths.iter().any(|path| path == PROJECT_FILE);
    if is_meant && !known(desk)?.iter().any(|file| file.path == PROJECT_FILE) {
        unmark_rules(desk.data(), desk.place())?;
    }
    Ok(())
}

/// Marks every project whose rules the person trusts, for hooks: data of an earlier version and a
/// store that was restored have no marks.
pub fn mark_all(data: &Data, store: &dyn Store) -> Result<(), EngineError> {
    let user = current_user();
    let is_rules = |file: &TrustedFile| file.path == PROJECT_FILE && file.user == user;
    for project in store.projects()? {
        if is_rules_marked(data, &project.place) {
            continue;
        }
        if let Some(file) = store.trusted_files(project.id)?.into_iter().find(is_rules) {
            let text = TrustedText::of(store.text(&file.digest)?);
            mark_rules(data, &project.place, text.can_refuse_tools())?;
            // Other roots are noted when somebody works there.
            let key = PathBuf::from(&project.place);
            note_root(data, &place_without_files(&usual_root(&key), key))?;
        }
    }
    Ok(())
}

/// The content of a file that the person trusts, whatever the file says now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TrustedText {
    /// It is not trusted.
    Untrusted,
    /// The content.
    Kept(String),
    /// It is trusted, and its content is not there or not a text.
    Lost,
    /// Marks say that it is trusted and refuses tools, but the store does not know it: the store was
    /// deleted, or restored from before.
    Forgotten,
}

impl TrustedText {
    fn of(bytes: Option<Vec<u8>>) -> Self {
        bytes.and_then(|bytes| String::from_utf8(bytes).ok()).map_or(Self::Lost, Self::Kept)
    }

    /// Reports whether rules of this content can refuse a tool; a mistake may hide a gate.
    fn can_refuse_tools(&self) -> bool {
        match self {
            Self::Untrusted => false,
            Self::Kept(text) => read(text, PROJECT_FILE, Layer::Project)
                .map_or(true, |layer| can_refuse_tools(&layer)),
            Self::Lost | Self::Forgotten => true,
        }
    }
}

/// Returns the rules of the project at hand that the person trusts, and marks it as [`mark_all`]
/// does.
pub(super) fn trusted_rules(desk: &Desk) -> Result<TrustedText, EngineError> {
    let user = current_user();
    let known = known(desk)?;
    let is_rules = |file: &&TrustedFile| file.path == PROJECT_FILE && file.user == user;
    let key = place_text(desk.place());
    let (Some(file), Some(store)) = (known.iter().find(is_rules), desk.store()) else {
        let is_forgotten = are_gates_marked(desk.data(), &key);
        return Ok(if is_forgotten { TrustedText::Forgotten } else { TrustedText::Untrusted });
    };
    let text = TrustedText::of(store.text(&file.digest)?);
    if !is_rules_marked(desk.data(), &key) {
        // Where nothing can be written, these rules hold all the same; the next one tries again.
        mark_rules(desk.data(), &key, text.can_refuse_tools()).ok();
    }
    note_root(desk.data(), desk.place()).ok();
    Ok(text)
}

/// Returns the files below a directory that the person trusts, with their content as it was then.
pub(crate) fn trusted_texts(
    desk: &Desk,
    directory: &str,
) -> Result<Vec<(TrustedFile, String)>, EngineError> {
    let user = current_user();
    let Some(store) = desk.store() else { return Ok(Vec::new()) };
    let mut texts = Vec::new();
    for file in known(desk)? {
        let is_below = file.path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'));
        if is_below
            && file.user == user
            && let Some(bytes) = store.text(&file.digest)?
            && let Ok(text) = String::from_utf8(bytes)
        {
            texts.push((file, text));
        }
    }
    Ok(texts)
}

/// Returns the files of which some content is trusted, whether they are there or not, and the rules
/// that only marks know of.
pub fn trusted_paths(desk: &Desk) -> Result<Vec<String>, EngineError> {
    let mut paths: Vec<String> = known(desk)?.into_iter().map(|file| file.path).collect();
    let is_known = paths.iter().any(|path| path == PROJECT_FILE);
    if !is_known && is_rules_marked(desk.data(), &place_text(desk.place())) {
        paths.push(PROJECT_FILE.to_owned());
    }
    Ok(paths)
}

/// Returns what is wrong when only marks know of trusted rules that refuse tools.
pub fn forgotten(desk: &Desk) -> Result<Option<Problem>, EngineError> {
    let is_forgotten = trusted_rules(desk)? == TrustedText::Forgotten;
    Ok(is_forgotten.then(|| forgotten_problem(&desk.place().root.join(PROJECT_FILE))))
}

/// Tells whether the person trusts this content of a file.
pub fn is_trusted(desk: &Desk, path: &str, bytes: &[u8]) -> Result<bool, EngineError> {
    let standing = standing(&known(desk)?, path, &digest_of(bytes));
    Ok(standing == Standing::Trusted)
}

fn known(desk: &Desk) -> Result<Vec<TrustedFile>, EngineError> {
    Ok(match desk.here()? {
        Some(here) => here.store.trusted_files(here.project.id)?,
        None => Vec::new(),
    })
}

fn standing(known: &[TrustedFile], path: &str, digest: &Digest) -> Standing {
    let user = current_user();
    match known.iter().find(|file| file.path == path && file.user == user) {
        None => Standing::Untrusted,
        Some(file) if file.digest == *digest => Standing::Trusted,
        Some(_) => Standing::Changed,
    }
}

fn candidates(root: &Path) -> Vec<String> {
    let mut found = vec![PROJECT_FILE.to_owned(), SETTINGS.to_owned()];
    found.extend(files_in(root, WORKFLOWS, &["yaml", "yml"]));
    for texts in [CONVENTIONS, RESOURCES] {
        found.extend(files_in(root, &format!("{WORKFLOWS}/{texts}"), &["md"]));
    }
    found
}

fn files_in(root: &Path, directory: &str, endings: &[&str]) -> Vec<String> {
    let names = list_directory(&root.join(directory)).unwrap_or_default();
    let names = names.into_iter().filter_map(|entry| entry.name.into_string().ok());
    let is_wanted = |name: &String| {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| endings.contains(&ending))
    };
    let mut paths: Vec<String> =
        names.filter(is_wanted).map(|name| format!("{directory}/{name}")).collect();
    paths.sort();
    paths.truncate(MOST_WORKFLOWS);
    paths
}
