//! Which of the skills that were found is meant, and which rule decided.
//!
//! Pure: the same listing in any order gives the same answer. A skill of a project that the person
//! has not taken into use is never answered and overrides nothing; a pinned skill that changed is
//! never answered before a person approved the change. One that a lock file may pin which cannot be
//! read is never answered either.

mod nearest;
mod strength;
mod unresolved;

use std::{fmt, ptr};

use self::strength::{Contest, display_order};
use pacenote_model::Digest;

pub use self::{strength::DecidedBy, unresolved::Unresolved};
use crate::{
    listing::{Candidate, Listing, Standing},
    lock::{Approvals, Entry, Lock},
    reference::Reference,
};

/// The skill that a reference means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution<'a> {
    /// What was asked for.
    pub reference: Reference,
    /// The skill.
    pub candidate: &'a Candidate,
    /// The rule that told it from the last of its rivals.
    pub decided_by: DecidedBy,
    /// What the lock says about it.
    pub pin: Pin,
    /// The others of that name, the strongest first.
    pub passed_over: Vec<PassedOver<'a>>,
    /// What a person should know about the choice.
    pub warnings: Vec<Warning<'a>>,
}

/// What the lock says about a skill that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    /// Nothing.
    Free,
    /// It has the pinned digest.
    Held,
    /// It has another digest, which a person approved.
    Approved {
        /// The digest in the lock.
        pinned: Digest,
    },
}

/// A skill of the name that was asked for, which was not chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedOver<'a> {
    /// The skill.
    pub candidate: &'a Candidate,
    /// Why it was not chosen.
    pub why: Why,
}

/// Why a skill was not chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Another one is stronger by this rule.
    Rule(DecidedBy),
    /// Its project is not in use.
    ListedOnly,
    /// The lock file cannot be read.
    HeldBack,
    /// The host does not see it.
    OtherHost,
}

/// What a person should know about a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning<'a> {
    /// The lock holds back a skill that would have been chosen without it.
    StrongerPassedOver(&'a Candidate),
    /// A skill that the lock pins under another reference stands behind the chosen one.
    PinnedPassedOver {
        /// The pinned skill.
        candidate: &'a Candidate,
        /// The reference that pins it.
        pinned_as: Reference,
    },
}

impl fmt::Display for Warning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StrongerPassedOver(candidate) => write!(
                f,
                "the lock holds back a {} skill of that name: `{}`",
                candidate.level.word(),
                candidate.path
            ),
            Self::PinnedPassedOver { candidate, pinned_as } => {
                write!(f, "the skill pinned as `{pinned_as}` was passed over: `{}`", candidate.path)
            }
        }
    }
}

/// The answers to several references.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers<'a> {
    /// What was found, in the order asked.
    pub resolved: Vec<Resolution<'a>>,
    /// What was not, in the order asked.
    pub failed: Vec<(Reference, Unresolved<'a>)>,
}

/// Finds the skill that a reference means, for one host or for any.
pub fn resolve<'a>(
    reference: &Reference,
    listing: &'a Listing,
    lock: &Lock,
    approvals: &dyn Approvals,
    host: Option<&str>,
) -> Result<Resolution<'a>, Unresolved<'a>> {
    Question { listing, lock, approvals, host }.answer(reference)
}

/// Finds the skills that several references mean; a failure never stops the rest.
pub fn resolve_all<'a>(
    references: &[Reference],
    listing: &'a Listing,
    lock: &Lock,
    approvals: &dyn Approvals,
    host: Option<&str>,
) -> Answers<'a> {
    let question = Question { listing, lock, approvals, host };
    let mut answers = Answers::default();
    for reference in references {
        match question.answer(reference) {
            Ok(resolution) => answers.resolved.push(resolution),
            Err(unresolved) => answers.failed.push((reference.clone(), unresolved)),
        }
    }
    answers
}

/// Everything an answer depends on besides the reference.
struct Question<'q, 'a> {
    listing: &'a Listing,
    lock: &'q Lock,
    approvals: &'q dyn Approvals,
    host: Option<&'q str>,
}

/// The skills that the lock allows for an entry, and why those.
struct Allowed<'a> {
    candidates: Vec<&'a Candidate>,
    contest: Contest<'a>,
    decided_by: DecidedBy,
    pin: Pin,
}

impl<'a> Allowed<'a> {
    fn among(
        rivals: &[&'a Candidate],
        is_allowed: &dyn Fn(&Candidate) -> bool,
        decided_by: DecidedBy,
        pin: Pin,
    ) -> Option<Self> {
        let candidates: Vec<_> = rivals.iter().copied().filter(|rival| is_allowed(rival)).collect();
        let contest = Contest::between(&candidates)?;
        Some(Self { candidates, contest, decided_by, pin })
    }

    fn has(&self, candidate: &Candidate) -> bool {
        self.candidates.iter().any(|allowed| ptr::eq(*allowed, candidate))
    }

    fn why_not(&self, rival: &Candidate) -> DecidedBy {
        if self.has(rival) { self.contest.why_not(rival) } else { self.decided_by }
    }
}

impl<'a> Question<'_, 'a> {
    fn answer(&self, reference: &Reference) -> Result<Resolution<'a>, Unresolved<'a>> {
        let rivals = self.usable(reference);
        let Some(free) = Contest::between(&rivals) else {
            return Err(self.nothing_usable(reference));
        };
        let Some(entry) = self.lock.governing(reference) else {
            return self.answer_freely(reference, &rivals, &free);
        };
        let Some(allowed) = self.allowed_by(entry, &rivals) else {
            return Err(Unresolved::drifted(reference, entry, free.winner));
        };
        let chosen = allowed.contest.winner;
        let mut resolution =
            self.resolution(reference, &rivals, chosen, &|rival| allowed.why_not(rival));
        resolution.pin = allowed.pin;
        if resolution.decided_by != DecidedBy::OnlyOne {
            resolution.decided_by = allowed.decided_by;
        }
        if !ptr::eq(chosen, free.winner) {
            resolution.warnings.push(Warning::StrongerPassedOver(free.winner));
        }
        Ok(resolution)
    }

    /// Answers where no entry of the lock is about the reference itself.
    ///
    /// The chosen skill may still be pinned under another spelling (`lint` and `acme:lint`): a
    /// change must not slip in through the spelling that nobody pinned.
    fn answer_freely(
        &self,
        reference: &Reference,
        rivals: &[&'a Candidate],
        free: &Contest<'a>,
    ) -> Result<Resolution<'a>, Unresolved<'a>> {
        let mut resolution =
            self.resolution(reference, rivals, free.winner, &|rival| free.why_not(rival));
        for entry in self.lock.entries() {
            if !rivals.iter().any(|rival| entry.reference().names(rival)) {
                continue;
            }
            let pinned = self.usable(entry.reference());
            match self.allowed_by(entry, &pinned) {
                Some(allowed) if allowed.has(free.winner) => resolution.pin = allowed.pin,
                Some(allowed) if reference.names(allowed.contest.winner) => {
                    let candidate = allowed.contest.winner;
                    let pinned_as = entry.reference().clone();
                    resolution.warnings.push(Warning::PinnedPassedOver { candidate, pinned_as });
                }
                Some(_) => {}
                None => {
                    let changed = Contest::between(&pinned).map(|contest| contest.winner);
                    if changed.is_some_and(|changed| ptr::eq(changed, free.winner)) {
                        return Err(Unresolved::drifted(reference, entry, free.winner));
                    }
                }
            }
        }
        Ok(resolution)
    }

    fn resolution(
        &self,
        reference: &Reference,
        rivals: &[&'a Candidate],
        winner: &'a Candidate,
        why: &dyn Fn(&Candidate) -> DecidedBy,
    ) -> Resolution<'a> {
        let mut decided_by = DecidedBy::OnlyOne;
        let mut passed_over = Vec::new();
        let others = rivals.iter().filter(|rival| !ptr::eq(**rival, winner));
        for rival in others {
            let rule = why(rival);
            decided_by = decided_by.max(rule);
            passed_over.push(PassedOver { candidate: rival, why: Why::Rule(rule) });
        }
        passed_over.sort_by(|one, other| display_order(one.candidate, other.candidate));
        let mut out_of_play = Vec::new();
        for candidate in self.listing.candidates.iter().filter(|found| reference.names(found)) {
            let why = match candidate.standing {
                Standing::ListedOnly => Why::ListedOnly,
                Standing::HeldBack => Why::HeldBack,
                Standing::Usable if !self.is_seen(candidate) => Why::OtherHost,
                Standing::Usable => continue,
            };
            out_of_play.push(PassedOver { candidate, why });
        }
        out_of_play.sort_by(|one, other| display_order(one.candidate, other.candidate));
        passed_over.append(&mut out_of_play);
        Resolution {
            reference: reference.clone(),
            candidate: winner,
            decided_by,
            pin: Pin::Free,
            passed_over,
            warnings: Vec::new(),
        }
    }

    /// Returns those that have the pinned digest, else those whose digest a person approved.
    fn allowed_by(&self, entry: &Entry, rivals: &[&'a Candidate]) -> Option<Allowed<'a>> {
        let pinned = entry.digest();
        let holds = |rival: &Candidate| rival.digest == pinned;
        let approved =
            |rival: &Candidate| self.approvals.is_approved(entry.reference(), &rival.digest);
        Allowed::among(rivals, &holds, DecidedBy::Lock, Pin::Held).or_else(|| {
            let pin = Pin::Approved { pinned };
            Allowed::among(rivals, &approved, DecidedBy::Approval, pin)
        })
    }

    fn usable(&self, reference: &Reference) -> Vec<&'a Candidate> {
        let is_rival = |found: &&Candidate| {
            found.standing == Standing::Usable && reference.names(found) && self.is_seen(found)
        };
        self.listing.candidates.iter().filter(is_rival).collect()
    }

    fn is_seen(&self, candidate: &Candidate) -> bool {
        self.host.is_none_or(|host| candidate.is_seen_by(host))
    }

    fn nothing_usable(&self, reference: &Reference) -> Unresolved<'a> {
        let name = reference.to_string().into();
        let mut named: Vec<_> =
            self.listing.candidates.iter().filter(|found| reference.names(found)).collect();
        named.sort_by(|one, other| display_order(one, other));
        if let Some(listed) = named.iter().find(|found| self.is_seen(found)) {
            let path = &listed.path;
            return match listed.standing {
                Standing::HeldBack => Unresolved::HeldBack { name, path },
                Standing::ListedOnly | Standing::Usable => Unresolved::ListedOnly { name, path },
            };
        }
        if let (Some(host), false) = (self.host, named.is_empty()) {
            let mut seen_by: Vec<&str> =
                named.iter().flat_map(|found| &found.hosts).map(String::as_str).collect();
            seen_by.sort_unstable();
            seen_by.dedup();
            return Unresolved::OtherHost { name, host: host.into(), seen_by };
        }
        let suggested = self
            .listing
            .candidates
            .iter()
            .filter(|found| found.standing == Standing::Usable && self.is_seen(found));
        Unresolved::Unknown {
            name,
            searched: &self.listing.searched,
            nearest: nearest::nearest(reference, suggested),
        }
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
