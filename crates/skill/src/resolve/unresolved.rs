//! Why a reference means no skill.

use pacenote_model::Digest;
use thiserror::Error;

use crate::{listing::Candidate, lock::Entry, reference::Reference};

/// Why a reference means no skill that may be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unresolved<'a> {
    /// No skill has that name.
    #[error("no skill named `{name}` in {} roots", searched.len())]
    Unknown {
        /// The reference as it was written.
        name: Box<str>,
        /// The roots that were searched.
        searched: &'a [String],
        /// The references of the nearest names, the nearest first.
        nearest: Vec<String>,
    },
    /// Only a project that the person has not taken into use has it.
    #[error("`{name}` is a skill of this project that is not in use: `{path}`")]
    ListedOnly {
        /// The reference as it was written.
        name: Box<str>,
        /// The skill's file.
        path: &'a str,
    },
    /// The project's lock file cannot be read, so nobody knows whether this content is pinned.
    #[error("`{name}` is held back because the project's lock file cannot be read: `{path}`")]
    HeldBack {
        /// The reference as it was written.
        name: Box<str>,
        /// The skill's file.
        path: &'a str,
    },
    /// The host that was asked for does not see it.
    #[error("`{name}` is not seen by `{host}`, only by {}", listed(seen_by))]
    OtherHost {
        /// The reference as it was written.
        name: Box<str>,
        /// The host that was asked for.
        host: Box<str>,
        /// The hosts that see it.
        seen_by: Vec<&'a str>,
    },
    /// It is pinned, and no skill has the pinned digest or one that a person approved.
    #[error("`{name}` changed since it was pinned: `{}`", candidate.path)]
    Drifted {
        /// The reference as it was written.
        name: Box<str>,
        /// The reference that the lock pins it by, which is what a person approves.
        pinned_as: Box<Reference>,
        /// The digest in the lock.
        pinned: Digest,
        /// The digest that was found.
        found: Digest,
        /// The skill that would be chosen once its digest is approved.
        candidate: &'a Candidate,
    },
}

impl<'a> Unresolved<'a> {
    pub(super) fn drifted(reference: &Reference, entry: &Entry, candidate: &'a Candidate) -> Self {
        Self::Drifted {
            name: reference.to_string().into(),
            pinned_as: Box::new(entry.reference().clone()),
            pinned: entry.digest(),
            found: candidate.digest,
            candidate,
        }
    }
}

fn listed(hosts: &[&str]) -> String {
    let quoted: Vec<_> = hosts.iter().map(|host| format!("`{host}`")).collect();
    quoted.join(", ")
}
