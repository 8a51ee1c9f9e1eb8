//! Opening a skill that was found: its text, and what lies beside it.

use std::path::{Path, PathBuf};

use pacenote_files::{Beneath, Bytes, FileKind, list_directory, walk::SkillRoot};
use pacenote_model::{SkillLevel, limits};
use pacenote_skill::listing::Candidate;

use super::{Library, Root, builtin};
use crate::EngineError;

/// Largest file beside a skill that is shown; larger ones are data, not text for a reader.
const FILE_BESIDE: Bytes = Bytes::mib(1);

/// The directories whose files are shown on demand.
const BESIDE: [&str; 3] = ["references", "reference", "examples"];

/// A skill's text as it lies on disk.
#[derive(Clone, Debug)]
pub struct Text {
    pub bytes: Vec<u8>,
    /// The name of the directory it lies in.
    pub directory: String,
    /// The name of its file.
    pub file: String,
}

/// A file beside a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Its path below the skill's directory.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
}

/// Reads the text of a skill.
pub fn text_of(library: &Library, candidate: &Candidate) -> Result<Text, EngineError> {
    if candidate.level == SkillLevel::BuiltIn {
        let found = builtin::at(&candidate.path);
        let text = found.map(|built_in| built_in.text).unwrap_or_default();
        return Ok(Text {
            bytes: text.as_bytes().to_vec(),
            directory: found.map(|built_in| built_in.name).unwrap_or_default().to_owned(),
            file: "SKILL.md".to_owned(),
        });
    }
    let path = Path::new(&candidate.path);
    let file = path.file_name().map(PathBuf::from).unwrap_or_default();
    let bytes = directory_of(library, candidate)?.read(&file, Bytes::new(limits::SKILL_BYTES))?;
    let name = |path: Option<&Path>| {
        let name = path.and_then(Path::file_name);
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    Ok(Text { bytes, directory: name(path.parent()), file: name(Some(path)) })
}

/// Lists the files of `references/` and `examples/`.
pub fn beside(library: &Library, candidate: &Candidate) -> Result<Vec<Beside>, EngineError> {
    if candidate.level == SkillLevel::BuiltIn {
        return Ok(Vec::new());
    }
    let directory = directory_of(library, candidate)?.path().to_path_buf();
    let mut found = Vec::new();
    for part in BESIDE {
        // A part that is not there, or is a link, holds nothing to show.
        for entry in list_directory(&directory.join(part)).unwrap_or_default() {
            let path = Path::new(part).join(&entry.name);
            if entry.kind == FileKind::Regular {
                let size = pacenote_files::size_of(&directory.join(&path))?.get();
                found.push(Beside { path, size });
            }
        }
    }
    Ok(found)
}

/// Reads a file beside a skill; nothing outside the skill can be reached.
pub fn file_of(
    library: &Library,
    candidate: &Candidate,
    path: &Path,
) -> Result<Vec<u8>, EngineError> {
    if candidate.level == SkillLevel::BuiltIn {
        let said = format!("the built-in skill `{}` has no files beside it", candidate.name);
        return Err(EngineError::NoSkill { said, hints: Vec::new() });
    }
    Ok(directory_of(library, candidate)?.read(path, FILE_BESIDE)?)
}

/// Reads a file beside a skill whose root is known; nothing outside the skill can be reached.
pub(super) fn read_file_in(
    root: &Root,
    candidate: &Candidate,
    path: &Path,
    most: Bytes,
) -> Result<Vec<u8>, EngineError> {
    Ok(open_in(root, candidate)?.read(path, most)?)
}

/// Opens a skill's directory under the rules of its root.
fn directory_of(library: &Library, candidate: &Candidate) -> Result<Beneath, EngineError> {
    let shelf = library
        .shelves
        .iter()
        .find(|shelf| shelf.root.path.display().to_string() == candidate.root);
    match shelf {
        Some(shelf) => open_in(&shelf.root, candidate),
        None => Err(no_root(candidate)),
    }
}

fn open_in(root: &Root, candidate: &Candidate) -> Result<Beneath, EngineError> {
    let directory = Path::new(&candidate.path).parent().ok_or_else(|| no_root(candidate))?;
    Ok(SkillRoot::open(&root.path, &root.links)?.skill(directory)?)
}

fn no_root(candidate: &Candidate) -> EngineError {
    let said = format!("`{}` is in no root any more", candidate.path);
    EngineError::NoSkill { said, hints: Vec::new() }
}
