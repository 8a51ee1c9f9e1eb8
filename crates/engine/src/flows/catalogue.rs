//! Which workflows there are: built in, the person's, and those of the repository that are trusted.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use pacenote_files::{Bytes, Links, canonical, exists, list_directory, read_text_if_present};
use pacenote_flow::{
    Problem,
    workflow::{Callees, Library, Shelf, Signature, Workflow, built_in, read},
};
use pacenote_model::TrustedFile;

use super::FlowError;
use crate::{
    Desk, EngineError,
    error::nearest,
    rules::trust::{self, WORKFLOWS},
};

/// Largest file that is read: the reader of workflows refuses smaller ones, with a reason.
const FILE: Bytes = Bytes::mib(16);

/// Most files of one directory that are looked at.
const FILES: usize = 2_000;

/// The endings of a definition's file.
const ENDINGS: [&str; 2] = ["yaml", "yml"];

/// Where definitions of the person lie; the repository's are where the desk stands.
#[derive(Clone, Debug, Default)]
pub struct Shelves {
    /// The person's directory.
    pub user: Option<PathBuf>,
}

/// Who wrote a definition. A later one takes the place of an earlier one of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// It comes with us.
    BuiltIn,
    /// The person.
    User,
    /// The repository, as the person trusts it.
    Project,
}

impl Origin {
    /// Returns the word for lists and JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// A workflow and where it comes from.
#[derive(Clone, Debug)]
pub struct Definition {
    pub workflow: Workflow,
    /// Who wrote it.
    pub origin: Origin,
    /// The repository's file, as it is trusted.
    pub file: Option<TrustedFile>,
}

/// All workflows, and what keeps others from being among them.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// The workflows, by name.
    pub definitions: Vec<Definition>,
    /// What is wrong with files.
    pub problems: Vec<Problem>,
    /// Files of the repository that are not trusted as they are.
    pub inert: Vec<PathBuf>,
}

/// Returns all workflows at a desk.
pub fn catalogue(desk: &Desk, shelves: &Shelves) -> Result<Catalogue, EngineError> {
    let sources = Sources::look(desk, shelves)?;
    let mut catalogue = Catalogue::default();
    for name in sources.files.keys() {
        match sources.read(name) {
            Ok(definition) => catalogue.definitions.push(definition),
            Err(problems) => catalogue.problems.extend(problems),
        }
    }
    catalogue.problems.extend(sources.problems);
    catalogue.inert = sources.inert.into_values().collect();
    Ok(catalogue)
}

/// Returns one workflow.
pub fn definition(desk: &Desk, shelves: &Shelves, name: &str) -> Result<Definition, EngineError> {
    let sources = Sources::look(desk, shelves)?;
    let shown = || name.chars().take(NAME_CHARACTERS).collect::<String>();
    if !sources.files.contains_key(name) {
        if let Some(path) = sources.inert.get(name) {
            return Err(FlowError::Untrusted { name: shown(), path: path.clone() }.into());
        }
        return Err(sources.unknown(name).into());
    }
    let unsound = |problems| FlowError::Unsound { name: shown(), problems };
    Ok(sources.read(name).map_err(unsound)?)
}

/// Reads the definition in a file that the person names.
///
/// A file of the repository counts only as it was trusted, like everything else in it.
pub fn definition_in(
    desk: &Desk,
    shelves: &Shelves,
    path: &Path,
) -> Result<Definition, EngineError> {
    let sources = Sources::look(desk, shelves)?;
    let text = pacenote_files::read_text(path, FILE, Links::Follow)?;
    let (file, real) = (path.display().to_string(), canonical(path)?);
    let shelf = Shelf { library: &sources.library, workflows: &sources };
    let unsound = |problems| FlowError::Unsound { name: file.clone(), problems };
    let workflow = read(&text, &file, &shelf).map_err(unsound)?;
    let Ok(below) = real.strip_prefix(&desk.place().root) else {
        return Ok(Definition { workflow, origin: Origin::User, file: None });
    };
    let is_it = |source: &&Source| {
        let trusted = source.trusted.as_ref().is_some_and(|file| Path::new(&file.path) == below);
        trusted && source.text == text
    };
    let Some(source) = sources.files.values().find(is_it) else {
        return Err(FlowError::Untrusted { name: workflow.name, path: path.to_owned() }.into());
    };
    Ok(Definition { workflow, origin: source.origin, file: source.trusted.clone() })
}

/// Returns what is wrong with definitions: files that may lie anywhere, or names of workflows.
pub fn check(
    desk: &Desk,
    shelves: &Shelves,
    files: &[PathBuf],
) -> Result<Vec<Problem>, EngineError> {
    let sources = Sources::look(desk, shelves)?;
    let mut problems = Vec::new();
    for path in files {
        // A file of that name comes first: whoever has one means it.
        let name = path.to_str().filter(|name| !name.contains(['/', '.']) && !exists(path));
        if let Some(name) = name.filter(|name| !sources.inert.contains_key(*name)) {
            let Some(_) = sources.files.get(name) else { return Err(sources.unknown(name).into()) };
            problems.extend(sources.read(name).err().unwrap_or_default());
            continue;
        }
        let path = name.and_then(|name| sources.inert.get(name)).unwrap_or(path);
        let text = pacenote_files::read_text(path, FILE, Links::Follow)?;
        let shelf = Shelf { library: &sources.library, workflows: &sources };
        problems.extend(read(&text, &path.display().to_string(), &shelf).err().unwrap_or_default());
    }
    Ok(problems)
}

/// What people call a workflow that has another name.
const CALLED: [(&str, &str); 6] = [
    ("analyze", "codebase-analysis"),
    ("debug", "problem-analysis"),
    ("design", "solution-design"),
    ("execute", "executor"),
    ("implement", "executor"),
    ("root-cause", "problem-analysis"),
];

/// Returns the workflow that was probably meant: by how its name begins, by what is in it, by
/// another word for it, or by a slip.
fn meant<'n>(name: &str, names: impl Iterator<Item = &'n str> + Clone) -> Option<String> {
    let wanted = name.trim().to_lowercase();
    if wanted.chars().count() >= MEANT {
        let begins = names.clone().find(|known| known.starts_with(&wanted));
        let holds = || names.clone().find(|known| known.contains(&wanted));
        let called = || {
            let (_, meant) = CALLED.iter().find(|(word, _)| *word == wanted)?;
            names.clone().find(|known| known == meant)
        };
        if let Some(meant) = begins.or_else(called).or_else(holds) {
            return Some(meant.to_owned());
        }
    }
    nearest(&wanted, names)
}

/// Fewest letters of a name that is completed: fewer fit nearly everything.
const MEANT: usize = 3;

/// Longest name of a workflow that an error repeats, in characters.
const NAME_CHARACTERS: usize = 80;

/// A definition that was found and not yet read.
#[derive(Debug)]
struct Source {
    text: String,
    file: String,
    origin: Origin,
    trusted: Option<TrustedFile>,
}

/// Everything that was found.
#[derive(Debug, Default)]
struct Sources {
    /// The definitions, by the names of their files.
    files: BTreeMap<String, Source>,
    library: Library,
    inert: BTreeMap<String, PathBuf>,
    problems: Vec<Problem>,
}

impl Sources {
    /// Says that no workflow has a name, and which was probably meant.
    fn unknown(&self, name: &str) -> FlowError {
        let nearest = meant(name, self.files.keys().map(String::as_str));
        FlowError::Unknown { name: name.chars().take(NAME_CHARACTERS).collect(), nearest }
    }

    fn look(desk: &Desk, shelves: &Shelves) -> Result<Self, EngineError> {
        let mut sources = Self { library: built_in::library(), ..Self::default() };
        for (name, text) in built_in::DEFINITIONS {
            let source = Source {
                text: (*text).to_owned(),
                file: format!("{name}.yaml"),
                origin: Origin::BuiltIn,
                trusted: None,
            };
            sources.files.insert((*name).to_owned(), source);
        }
        if let Some(directory) = &shelves.user {
            sources.take_user(directory);
        }
        sources.take_project(desk)?;
        Ok(sources)
    }

    fn take_user(&mut self, directory: &Path) {
        for (name, path) in files_in(directory, &ENDINGS) {
            if let Some(text) = self.text(&path) {
                let file = path.display().to_string();
                let source = Source { text, file, origin: Origin::User, trusted: None };
                self.files.insert(name, source);
            }
        }
        for (name, path) in files_in(&directory.join(trust::CONVENTIONS), &["md"]) {
            if let Some(text) = self.text(&path) {
                self.library.conventions.insert(name, text);
            }
        }
        for (name, path) in files_in(&directory.join(trust::RESOURCES), &["md"]) {
            if let Some(text) = self.text(&path) {
                self.library.resources.insert(name, text);
            }
        }
    }

    /// Takes what the person trusts of the repository, as it was when they did.
    fn take_project(&mut self, desk: &Desk) -> Result<(), EngineError> {
        let root = &desk.place().root;
        let trusted = trust::trusted_texts(desk, WORKFLOWS)?;
        for (file, text) in trusted {
            let below = file.path.strip_prefix(WORKFLOWS).unwrap_or(&file.path);
            let below = below.trim_start_matches('/');
            let Some(name) = Path::new(below).file_stem().and_then(|stem| stem.to_str()) else {
                continue;
            };
            let name = name.to_owned();
            match below.split_once('/') {
                None => {
                    let path = root.join(&file.path).display().to_string();
                    let origin = Origin::Project;
                    let source = Source { text, file: path, origin, trusted: Some(file) };
                    self.files.insert(name, source);
                }
                Some((trust::CONVENTIONS, _)) => {
                    self.library.conventions.insert(name, text);
                }
                Some((trust::RESOURCES, _)) => {
                    self.library.resources.insert(name, text);
                }
                Some(_) => {}
            }
        }
        let status = trust::status(desk)?;
        for file in status {
            let is_workflow = file.path.starts_with(WORKFLOWS);
            if is_workflow && file.standing.waits() {
                let stem = Path::new(&file.path).file_stem().and_then(|stem| stem.to_str());
                let name = stem.unwrap_or(&file.path).to_owned();
                self.inert.insert(name, root.join(&file.path));
            }
        }
        Ok(())
    }

    fn text(&mut self, path: &Path) -> Option<String> {
        match read_text_if_present(path, FILE, Links::Follow) {
            Ok(text) => text,
            Err(error) => {
                let file = path.display().to_string();
                let message = error.to_string();
                self.problems.push(Problem { file, line: 1, step: None, message, hint: None });
                None
            }
        }
    }

    fn read(&self, name: &str) -> Result<Definition, Vec<Problem>> {
        let Some(source) = self.files.get(name) else { return Err(Vec::new()) };
        let shelf = Shelf { library: &self.library, workflows: self };
        let workflow = read(&source.text, &source.file, &shelf)?;
        if workflow.name != name {
            let message =
                format!("the file is called `{name}` and the workflow `{}`", workflow.name);
            let hint = "give both the same name: workflows are found by their files".to_owned();
            let file = source.file.clone();
            let hint = Some(hint);
            return Err(vec![Problem { file, line: 1, step: None, message, hint }]);
        }
        let (origin, file) = (source.origin, source.trusted.clone());
        Ok(Definition { workflow, origin, file })
    }
}

impl Callees for Sources {
    fn names(&self) -> Vec<&str> {
        self.files.keys().map(String::as_str).collect()
    }

    /// Reads the workflow, but not those that it hands work to in its turn: two may do so to each
    /// other.
    fn signature(&self, name: &str) -> Signature {
        let Some(source) = self.files.get(name) else { return Signature::NameOnly };
        let names: BTreeSet<String> = self.files.keys().cloned().collect();
        let shelf = Shelf { library: &self.library, workflows: &names };
        match read(&source.text, &source.file, &shelf) {
            Ok(workflow) => Signature::Params(workflow.params),
            Err(_) => Signature::Unsound,
        }
    }
}

/// Returns the files of a directory with their names, in order.
fn files_in(directory: &Path, endings: &[&str]) -> Vec<(String, PathBuf)> {
    let entries = list_directory(directory).unwrap_or_default();
    let mut files: Vec<(String, PathBuf)> = entries
        .into_iter()
        .filter_map(|entry| {
            let path = directory.join(&entry.name);
            let ending = path.extension()?.to_str()?;
            let name = path.file_stem()?.to_str()?.to_owned();
            endings.contains(&ending).then_some((name, path))
        })
        .collect();
    files.sort();
    files.truncate(FILES);
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_completed_before_a_slip_is_looked_for() {
        let names = ["codebase-analysis", "executor", "planner", "problem-analysis"];
        for (wanted, expected) in [
            ("plan", Some("planner")),
            ("Plan", Some("planner")),
            ("codebase", Some("codebase-analysis")),
            ("analysis", Some("codebase-analysis")),
            ("debug", Some("problem-analysis")),
            ("execute", Some("executor")),
            ("plannr", Some("planner")),
            ("p", None),
            ("zebra", None),
        ] {
            assert_eq!(meant(wanted, names.into_iter()).as_deref(), expected, "{wanted}");
        }
    }
}
