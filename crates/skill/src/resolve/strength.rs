//! The order of strength among skills of one name.
//!
//! Versions can only be compared within one plugin, times only as the last resort. Compared pair by
//! pair this could run in a circle, so it is a contest in two rounds: within each plugin first,
//! then between the winners.

use std::{cmp::Ordering, collections::BTreeMap};

use crate::listing::{Candidate, Registered};

/// The rule that decided, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DecidedBy {
    /// There was no other.
    OnlyOne,
    /// The lock pins its digest.
    Lock,
    /// A person approved its digest in place of the pinned one.
    Approval,
    /// The project has the plugin in the host's registry.
    ProjectRegistry,
    /// The user has the plugin in the host's registry.
    UserRegistry,
    /// Its level, then the place of its root within the level.
    Precedence,
    /// It is the highest version of its plugin.
    Version,
    /// It was written last.
    Modified,
    /// Nothing told them apart; the order of the paths keeps the answer the same.
    Path,
}

impl DecidedBy {
    /// Returns the word used in JSON and in lists.
    pub const fn word(self) -> &'static str {
        match self {
            Self::OnlyOne => "only_one",
            Self::Lock => "lock",
            Self::Approval => "approval",
            Self::ProjectRegistry => "project_registry",
            Self::UserRegistry => "user_registry",
            Self::Precedence => "precedence",
            Self::Version => "version",
            Self::Modified => "modified",
            Self::Path => "path",
        }
    }
}

/// A plugin and the marketplace it came from; all skills outside of plugins are one group.
type Group<'a> = (Option<&'a str>, Option<&'a str>);

/// A decided contest.
#[derive(Clone, Debug)]
pub(super) struct Contest<'a> {
    pub(super) winner: &'a Candidate,
    champions: BTreeMap<Group<'a>, &'a Candidate>,
}

impl<'a> Contest<'a> {
    /// Returns the contest between these skills, if there are any.
    pub(super) fn between(rivals: &[&'a Candidate]) -> Option<Self> {
        let mut champions: BTreeMap<Group<'a>, &'a Candidate> = BTreeMap::new();
        for &rival in rivals {
            let champion = champions.entry(group(rival)).or_insert(rival);
            *champion = stronger(champion, rival);
        }
        let winner = champions.values().copied().reduce(stronger)?;
        Some(Self { winner, champions })
    }

    /// Returns the rule by which a rival lost: to the winner, or before that within its plugin.
    pub(super) fn why_not(&self, rival: &Candidate) -> DecidedBy {
        let (rule, order) = compare(self.winner, rival);
        match self.champions.get(&group(rival)) {
            Some(champion) if order == Ordering::Greater => compare(champion, rival).0,
            Some(_) | None => rule,
        }
    }
}

/// Orders skills for showing, the strongest first.
///
/// Unlike the contest it takes each plugin for itself before it looks at versions, so it is one
/// order for any set of skills.
pub(super) fn display_order(one: &Candidate, other: &Candidate) -> Ordering {
    let place = |skill: &'_ Candidate| (skill.level, skill.registered, skill.root_rank);
    place(one)
        .cmp(&place(other))
        .then_with(|| group(one).cmp(&group(other)))
        .then_with(|| compare(one, other).1)
}

fn group(skill: &Candidate) -> Group<'_> {
    (skill.plugin.as_deref(), skill.marketplace.as_deref())
}

fn stronger<'a>(one: &'a Candidate, other: &'a Candidate) -> &'a Candidate {
    if compare(one, other).1 == Ordering::Greater { other } else { one }
}

/// Compares two skills, the stronger being the lesser, by the first rule that tells them apart.
fn compare(one: &Candidate, other: &Candidate) -> (DecidedBy, Ordering) {
    let registry = match one.registered.min(other.registered) {
        Registered::Project => DecidedBy::ProjectRegistry,
        Registered::User | Registered::No => DecidedBy::UserRegistry,
    };
    let rules: [(DecidedBy, &dyn Fn() -> Ordering); 6] = [
        (DecidedBy::Precedence, &|| one.level.cmp(&other.level)),
        (registry, &|| one.registered.cmp(&other.registered)),
        (DecidedBy::Precedence, &|| one.root_rank.cmp(&other.root_rank)),
        (DecidedBy::Version, &|| compare_versions(one, other)),
        (DecidedBy::Modified, &|| other.modified.cmp(&one.modified)),
        (DecidedBy::Path, &|| {
            one.path.cmp(&other.path).then_with(|| one.digest.cmp(&other.digest))
        }),
    ];
    let mut decided = rules.into_iter().map(|(rule, order)| (rule, order()));
    decided.find(|(_, order)| order.is_ne()).unwrap_or((DecidedBy::Path, Ordering::Equal))
}

/// Compares versions of one plugin, the highest first; those of others are not comparable.
fn compare_versions(one: &Candidate, other: &Candidate) -> Ordering {
    if one.plugin.is_none() || group(one) != group(other) {
        return Ordering::Equal;
    }
    let numbers = |skill: &Candidate| skill.skill_version().and_then(|text| text.numbers());
    numbers(other).cmp(&numbers(one))
}
