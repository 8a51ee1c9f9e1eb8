//! Pinning skills, and approving what changed since.

use std::path::Path;

use pacenote_files::{Beneath, Links, Readers};
use pacenote_model::{Digest, Effect, ProjectEffect, SkillEffect};
use pacenote_skill::{
    listing::{Candidate, Standing},
    lock::{Lock, Source, State},
    reference::Reference,
    resolve::{Unresolved, resolve},
};
use similar::TextDiff;

use super::{LOCK_PATH, Library, check_lock, strip_root, text_of};
use crate::{Desk, EngineError};

/// Lines shown around a change.
const CONTEXT_LINES: usize = 3;

/// A pinned skill whose content is another one now.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The skill, as the lock names it.
    pub reference: String,
    /// The pinned content.
    pub pinned: Digest,
    /// The present content.
    pub found: Digest,
    /// The difference in the form of `diff -u`; `None` when the pinned text was not kept here.
    pub text: Option<String>,
}

/// Pins skills at their present content and returns them.
///
/// `consent` is asked before the pin of a changed content is moved: that is as good as approving it.
pub fn lock(
    desk: &mut Desk,
    library: &mut Library,
    references: &[Reference],
    consent: &dyn Fn(&str) -> bool,
) -> Result<Vec<(Reference, Candidate)>, EngineError> {
    check_lock(desk)?;
    let root = desk.place().root.display().to_string();
    let mut pinned = Vec::new();
    for reference in references {
        let (candidate, moved) = present(library, reference)?;
        if moved && !consent(&reference.canonical()) {
            return Err(EngineError::NoSkill {
                said: format!("`{reference}` changed since it was pinned"),
                hints: vec![format!("`pacenote skill diff {reference}` shows the change")],
            });
        }
        let text = text_of(library, &candidate)?;
        // A path is pinned by the name of what it leads to.
        let reference = candidate_reference(reference, &candidate);
        library.lock.pin(&reference, &candidate, Source::of(&candidate, Some(&root)))?;
        keep(desk, candidate.digest, &text.bytes)?;
        pinned.push((reference, candidate));
    }
    write_lock(desk, &library.lock)?;
    Ok(pinned)
}

fn candidate_reference(asked: &Reference, candidate: &Candidate) -> Reference {
    match asked.key() {
        Some(_) => asked.clone(),
        None => candidate.reference(),
    }
}

/// Returns the skill a reference means now, and whether it differs from its pin.
fn present(library: &Library, reference: &Reference) -> Result<(Candidate, bool), EngineError> {
    match resolve(reference, &library.listing, &library.lock, &library.approved, None) {
        Ok(found) => Ok((found.candidate.clone(), false)),
        Err(Unresolved::Drifted { candidate, .. }) => Ok((candidate.clone(), true)),
        Err(unresolved) => Err(unresolved_error(&unresolved)),
    }
}

/// Puts a failure to resolve into words, with its advice.
pub fn unresolved_error(unresolved: &Unresolved<'_>) -> EngineError {
    let hints = match unresolved {
        Unresolved::Unknown { nearest, .. } => nearest
            .iter()
            .take(1)
            .map(|nearest| format!("did you mean `{nearest}`?"))
            .chain(["`pacenote skill roots` lists where skills are looked for".to_owned()])
            .collect(),
        Unresolved::ListedOnly { .. } => {
            vec![
                "`pacenote skill approve --project` approves its skills as they are now".to_owned(),
            ]
        }
        Unresolved::HeldBack { .. } => {
            vec!["`pacenote skill verify` shows what is wrong with the lock file".to_owned()]
        }
        Unresolved::OtherHost { .. } => Vec::new(),
        Unresolved::Drifted { name, .. } => vec![
            format!("`pacenote skill diff {name}` shows the change"),
            format!("`pacenote skill approve {name}` approves it"),
        ],
    };
    EngineError::NoSkill { said: unresolved.to_string(), hints }
}

fn write_lock(desk: &Desk, lock: &Lock) -> Result<(), EngineError> {
    let root = Beneath::open(&desk.place().root, Links::Follow)?;
    Ok(root.write(Path::new(LOCK_PATH), lock.to_toml().as_bytes(), Readers::Everyone)?)
}

fn keep(desk: &mut Desk, digest: Digest, bytes: &[u8]) -> Result<(), EngineError> {
    match desk.store_mut() {
        Some(store) => Ok(store.keep_text(&digest, bytes)?),
        None => Ok(()),
    }
}

/// Returns the pinned skills that changed; with a reference, only that one.
pub fn differences(
    desk: &Desk,
    library: &Library,
    only: Option<&Reference>,
) -> Result<Vec<Difference>, EngineError> {
    check_lock(desk)?;
    let mut found = Vec::new();
    for comparison in library.lock.compare(&library.listing, &library.approved) {
        let (State::Drifted(candidate) | State::Approved(candidate)) = comparison.state else {
            continue;
        };
        let reference = comparison.entry.reference().canonical();
        if only.is_some_and(|only| only.canonical() != reference) {
            continue;
        }
        let pinned = comparison.entry.digest();
        let before = match desk.store() {
            Some(store) => store.text(&pinned)?,
            None => None,
        };
        let after = text_of(library, candidate)?;
        let text = before.map(|before| unified(&reference, &before, &after.bytes));
        found.push(Difference { reference, pinned, found: candidate.digest, text });
    }
    Ok(found)
}

fn unified(reference: &str, before: &[u8], after: &[u8]) -> String {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    TextDiff::from_lines(before.as_ref(), after.as_ref())
        .unified_diff()
        .context_radius(CONTEXT_LINES)
        .header(&format!("{reference} (pinned)"), &format!("{reference} (now)"))
        .to_string()
}

/// Approves the present content of a pinned skill and returns it. The caller has made sure that a
/// person wants this.
pub fn approve(
    desk: &mut Desk,
    library: &Library,
    reference: &Reference,
) -> Result<Candidate, EngineError> {
    check_lock(desk)?;
    let Some(entry) = library.lock.governing(reference) else {
        return Err(EngineError::NoSkill {
            said: format!("`{reference}` is not pinned, so there is nothing to approve"),
            hints: vec![format!("`pacenote skill lock {reference}` pins it as it is")],
        });
    };
    let (candidate, _) = present(library, reference)?;
    let text = text_of(library, &candidate)?;
    keep(desk, candidate.digest, &text.bytes)?;
    let approved = Effect::Skill(SkillEffect::Approved {
        reference: entry.reference().canonical(),
        digest: candidate.digest,
    });
    desk.begin(None)?.commit(vec![approved])?;
    Ok(candidate)
}

/// Returns the project's own skills that wait for the person.
pub fn list_unapproved(library: &Library) -> Vec<Candidate> {
    let waits = |candidate: &&Candidate| candidate.standing == Standing::ListedOnly;
    library.listing.candidates.iter().filter(waits).cloned().collect()
}

/// Approves skills of the project as they were listed. The caller has made sure that a person wants
/// this.
pub fn approve_listed(desk: &mut Desk, listed: &[Candidate]) -> Result<(), EngineError> {
    let root = desk.place().root.clone();
    let approved = listed.iter().filter_map(|candidate| {
        let reference = strip_root(&root, &candidate.path)?;
        Some(Effect::Skill(SkillEffect::Approved { reference, digest: candidate.digest }))
    });
    let approved = approved.collect();
    desk.begin(None)?.commit(approved)?;
    Ok(())
}

/// Approves all skills of the project, also those that are added or changed later. The caller has
/// made sure that a person wants this.
pub fn approve_later(desk: &mut Desk) -> Result<(), EngineError> {
    desk.begin(None)?.commit(vec![Effect::Project(ProjectEffect::Enabled {})])?;
    Ok(())
}
