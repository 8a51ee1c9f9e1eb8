//! The lock file of a project: which skills it pins, by digest.
//!
//! A lock is text from a repository. It can hold a skill back and choose among skills that may be
//! used anyway; it can never approve a change, raise trust or name a path to read. Approvals are a
//! person's and come from elsewhere, through [`Approvals`].

mod read;
mod source;

use std::collections::BTreeMap;

use pacenote_model::Digest;
use thiserror::Error;

pub use self::{
    read::{LockFault, LockProblem},
    source::{PathInRepository, Source},
};
use crate::{
    listing::{Candidate, Listing},
    reference::{Named, Reference, SkillVersion, Target},
    resolve::{Pin, Unresolved, resolve},
};

/// Largest lock file that is read, in bytes: more than the most entries can take when written.
pub const LOCK_BYTES: usize = 2 * 1024 * 1024;

/// Most entries of a lock. A project names the skills it works with, some dozens; a thousand is a
/// whole marketplace.
pub const LOCK_ENTRIES: usize = 1000;

/// What the file says about itself.
const PREAMBLE: &str = "\
# The skills this project pins, written by `pacenote skill lock`.
# A skill whose digest differs is left out of new sessions until you have looked at the change and
# run `pacenote skill approve`. Approvals are kept outside the repository: nothing in this file can
# grant one. `pacenote skill verify` compares it with what is installed.

version = 1
";

/// What a person has approved.
pub trait Approvals {
    /// Tells whether the person approved this digest for the skill that a lock pins under this
    /// reference. What is stored is best keyed by [`Reference::canonical`].
    fn is_approved(&self, reference: &Reference, digest: &Digest) -> bool;
}

/// The pinned skills of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// By canonical reference, which is also the order of the file.
    entries: BTreeMap<String, Entry>,
}

/// One pinned skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    reference: Reference,
    digest: Digest,
    version: Option<SkillVersion>,
    source: Source,
}

impl Entry {
    /// Returns the reference, which is never a path.
    pub fn reference(&self) -> &Reference {
        &self.reference
    }

    /// Returns the pinned digest.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns the version it had, for people.
    pub fn version(&self) -> Option<&SkillVersion> {
        self.version.as_ref()
    }

    /// Returns where it came from, for people.
    pub fn source(&self) -> &Source {
        &self.source
    }
}

/// Why a skill was not pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotPinned {
    /// A lock names skills, never files.
    #[error("a path cannot be pinned; pin the skill by its name")]
    Path,
    /// The lock has as many entries as are read.
    #[error("the lock has {LOCK_ENTRIES} entries, the most it may have")]
    Full,
}

/// What became of one pinned skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison<'a> {
    /// The entry of the lock.
    pub entry: &'a Entry,
    /// How the skill stands to it.
    pub state: State<'a>,
}

/// How a skill stands to its entry in the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State<'a> {
    /// It is installed with the pinned digest.
    Same(&'a Candidate),
    /// It changed, and a person approved what it is now.
    Approved(&'a Candidate),
    /// It changed.
    Drifted(&'a Candidate),
    /// Only a project that is not in use has it, in this file.
    ListedOnly(&'a str),
    /// It is not installed.
    Missing,
}

impl Lock {
    /// Reads a lock file, or tells everything that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Vec<LockProblem>> {
        read::read(text)
    }

    /// Returns the bytes of the file: the same for equal locks, sorted by reference.
    pub fn to_toml(&self) -> String {
        let mut text = PREAMBLE.to_owned();
        for (reference, entry) in &self.entries {
            let version = entry.version.as_ref().map(ToString::to_string);
            let keys = [
                ("ref", Some(reference.clone())),
                ("digest", Some(entry.digest.to_string())),
                ("version", version),
                ("source", Some(entry.source.to_string())),
            ];
            text.push_str("\n[[skill]]\n");
            for (key, value) in keys.into_iter().filter_map(|(key, value)| Some((key, value?))) {
                let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
                text.extend([key, " = \"", &escaped, "\"\n"]);
            }
        }
        text
    }

    /// Returns the entries, sorted by reference.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// Returns the entry of exactly this reference.
    pub fn entry(&self, reference: &Reference) -> Option<&Entry> {
        self.entries.get(&reference.canonical())
    }

    /// Returns the entry that decides about a reference: its own, or that of the same skill
    /// without the version asked for.
    pub fn governing(&self, reference: &Reference) -> Option<&Entry> {
        self.entry(reference).or_else(|| match reference.target() {
            Target::Named(named) if named.version.is_some() => {
                self.entries.get(&Named { version: None, ..named.clone() }.to_string())
            }
            Target::Named(_) | Target::Path(_) => None,
        })
    }

    /// Pins a reference to what a skill is now, and returns the entry that stood there before.
    pub fn pin(
        &mut self,
        reference: &Reference,
        candidate: &Candidate,
        source: Source,
    ) -> Result<Option<Entry>, NotPinned> {
        self.insert(Entry {
            reference: reference.clone(),
            digest: candidate.digest,
            version: candidate.skill_version(),
            source,
        })
    }

    /// Removes the entry of exactly this reference and returns it.
    pub fn unpin(&mut self, reference: &Reference) -> Option<Entry> {
        self.entries.remove(&reference.canonical())
    }

    /// Compares every entry with what is installed, in the order of the file.
    pub fn compare<'a>(
        &'a self,
        listing: &'a Listing,
        approvals: &dyn Approvals,
    ) -> Vec<Comparison<'a>> {
        let any_host = None;
        let compared = self.entries.values().map(|entry| {
            let state = match resolve(&entry.reference, listing, self, approvals, any_host) {
                Ok(found) => match found.pin {
                    Pin::Approved { .. } => State::Approved(found.candidate),
                    Pin::Held | Pin::Free => State::Same(found.candidate),
                },
                Err(Unresolved::Drifted { candidate, .. }) => State::Drifted(candidate),
                Err(Unresolved::ListedOnly { path, .. } | Unresolved::HeldBack { path, .. }) => {
                    State::ListedOnly(path)
                }
                Err(Unresolved::Unknown { .. } | Unresolved::OtherHost { .. }) => State::Missing,
            };
            Comparison { entry, state }
        });
        compared.collect()
    }

    fn insert(&mut self, entry: Entry) -> Result<Option<Entry>, NotPinned> {
        let Target::Named(named) = entry.reference.target() else { return Err(NotPinned::Path) };
        let key = named.to_string();
        if self.entries.len() >= LOCK_ENTRIES && !self.entries.contains_key(&key) {
            return Err(NotPinned::Full);
        }
        // However it was written, the file has one spelling.
        let reference = Reference::from(named.clone());
        Ok(self.entries.insert(key, Entry { reference, ..entry }))
    }
}

#[cfg(test)]
mod tests;
