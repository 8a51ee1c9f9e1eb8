//! What a skill's text says: its structure, and which other skills it names.

use std::path::Path;

use pacenote_context::estimate_tokens;
use pacenote_files::{Beneath, Bytes, Links};
use pacenote_model::SkillLevel;
use pacenote_skill::{
    chain::{Graph, Known, Link, links_of},
    listing::{Candidate, Standing},
    reference::Reference,
    resolve::resolve,
    scan::Scan,
    skill::{Place, Skill, read},
    structure::{Base, FileReference, Outside, Remark, Structure, structure},
};

use super::{Library, file_of, scan_directory, scan_text, text_of};
use crate::EngineError;

/// Largest file that is read because a skill refers to it; tables of patterns have some kilobytes.
const REFERRED: Bytes = Bytes::mib(1);

/// Returns a skill as data, and what could not be used.
pub fn structure_of(
    library: &Library,
    candidate: &Candidate,
    source: &str,
) -> Result<(Structure, Vec<Remark>), EngineError> {
    let skill = read_skill(library, candidate)?;
    let outside = Outside {
        file: &|reference| referred(library, candidate, reference),
        tokens: &estimate_tokens,
    };
    Ok(structure(&skill, source, &outside))
}

/// Reads a file that a skill refers to, from below the skill or below its plugin only.
fn referred(library: &Library, candidate: &Candidate, reference: &FileReference) -> Option<String> {
    let path = Path::new(reference.path());
    let bytes = match reference.base() {
        Base::Skill => file_of(library, candidate, path).ok()?,
        Base::Plugin => {
            // A plugin keeps its skills in a directory of their own.
            let skills = Path::new(&candidate.root);
            let plugin = skills.parent().filter(|_| candidate.level == SkillLevel::Plugin)?;
            Beneath::open(plugin, Links::Follow).ok()?.read(path, REFERRED).ok()?
        }
    };
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns which skill names which, among those that would be used here.
pub fn chain(library: &Library) -> Graph {
    let used: Vec<&Candidate> = library
        .listing
        .candidates
        .iter()
        .filter(|candidate| candidate.standing == Standing::Usable && is_meant(library, candidate))
        .collect();
    let names: Vec<Reference> = used.iter().map(|candidate| candidate.reference()).collect();
    let known = Known::of(&names);
    Graph::of(names.iter().zip(&used).map(|(name, candidate)| {
        // A file that cannot be read any more names nothing.
        let links: Vec<Link> = read_skill(library, candidate)
            .map(|skill| links_of(&skill, &known))
            .unwrap_or_default();
        (name.clone(), links)
    }))
}

fn is_meant(library: &Library, candidate: &Candidate) -> bool {
    let wanted = candidate.reference();
    resolve(&wanted, &library.listing, &library.lock, &library.approved, None)
        .is_ok_and(|found| found.candidate.path == candidate.path)
}

/// Looks through all files of a skill for what known attacks are made of.
pub fn scan(candidate: &Candidate, library: &Library) -> Result<Scan, EngineError> {
    if candidate.level == SkillLevel::BuiltIn {
        let text = text_of(library, candidate)?;
        return Ok(scan_text(&candidate.path, &text.bytes));
    }
    let path = Path::new(&candidate.path);
    // A skill that is a single file has no directory of its own.
    let is_single = !path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md"));
    match path.parent() {
        Some(directory) if !is_single => scan_directory(directory),
        Some(_) | None => Ok(scan_text(&candidate.path, &text_of(library, candidate)?.bytes)),
    }
}

pub(super) fn read_skill(library: &Library, candidate: &Candidate) -> Result<Skill, EngineError> {
    let text = text_of(library, candidate)?;
    Ok(read(&text.bytes, &Place { directory: &text.directory, file: &text.file }).0)
}
