//! What a briefing may cost, in all, in each part and for each kind of fragment.

use pacenote_model::{limits, receipt::PARTS};

use crate::{fragment::Kind, size::Size};

/// What a briefing may cost.
#[derive(Clone, Debug)]
pub struct PackLimits {
    /// Most tokens of all parts together.
    pub budget_tokens: u32,
    /// The most one part may hold, in the host's own unit.
    pub ceiling: Ceiling,
    /// The most parts the host takes.
    pub parts: PartCount,
    /// How the budget is divided.
    pub shares: Shares,
}

impl PackLimits {
    /// Returns the most that all parts together may hold.
    pub(super) fn in_all(&self) -> Size {
        let part = self.ceiling.room();
        let parts = (0..self.parts.get()).fold(Size::default(), |all, _| all + part);
        parts.within_tokens(self.budget_tokens)
    }
}

/// The most one part may hold before the host cuts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ceiling {
    /// So many UTF-16 units.
    Utf16(usize),
    /// So many tokens.
    Tokens(u32),
    /// The host cuts nothing.
    None,
}

impl Ceiling {
    /// Returns the room of one part.
    pub(super) const fn room(self) -> Size {
        match self {
            Self::Utf16(utf16) => Size { utf16, ..Size::UNBOUNDED },
            Self::Tokens(tokens) => Size { tokens, ..Size::UNBOUNDED },
            Self::None => Size::UNBOUNDED,
        }
    }
}

/// A number of parts: one to four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartCount(u8);

impl PartCount {
    /// One text and no more.
    pub const ONE: Self = Self(1);

    /// As many as there may be.
    pub const MOST: Self = Self(PARTS);

    /// Takes a number that is in the range.
    pub const fn new(count: u8) -> Option<Self> {
        match count {
            1..=PARTS => Some(Self(count)),
            _ => None,
        }
    }

    /// Returns the number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// What one kind of fragment gets of the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its part of the budget before anything is left over; all fragments of the kind divide it.
    pub percent: u8,
    /// Tokens that each fragment gets before others get their shares.
    pub floor: u32,
}

/// How the budget is divided over the kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares([Share; Kind::ALL.len()]);

impl Shares {
    /// Returns the share of a kind.
    pub const fn of(&self, kind: Kind) -> Share {
        let [
            identity,
            position,
            next,
            tasks,
            skill,
            plan,
            mail,
            handoff,
            skills,
            activity,
            guide,
            notice,
            suggestion,
            core_skills,
            artifacts,
            role,
            workflow,
        ] = self.0;
        match kind {
            Kind::Identity => identity,
            Kind::Position => position,
            Kind::Next => next,
            Kind::Tasks => tasks,
            Kind::Skill => skill,
            Kind::Plan => plan,
            Kind::Mail => mail,
            Kind::Handoff => handoff,
            Kind::Skills => skills,
            Kind::Activity => activity,
            Kind::Guide => guide,
            Kind::Notice => notice,
            Kind::Suggestion => suggestion,
            Kind::CoreSkills => core_skills,
            Kind::Artifacts => artifacts,
            Kind::Role => role,
            Kind::Workflow => workflow,
        }
    }

    /// Gives a kind another share.
    #[must_use]
    pub fn with(mut self, kind: Kind, share: Share) -> Self {
        for (known, old) in Kind::ALL.into_iter().zip(&mut self.0) {
            if known == kind {
                *old = share;
            }
        }
        self
    }
}

/// Half of the budget tells how to work, the other half what on.
impl Default for Shares {
    fn default() -> Self {
        Self(Kind::ALL.map(|kind| match kind {
            // Without these three the rest is of no use: what they need, they get.
            Kind::Identity | Kind::Next => Share { percent: 3, floor: limits::SENTENCE_TOKENS },
            Kind::Position => Share { percent: 3, floor: limits::POSITION_TOKENS },
            // The current task, the steps beside it and a count of the others.
            Kind::Tasks => Share { percent: 17, floor: 250 },
            // One section, and a line that names the others.
            Kind::Skill => Share { percent: 35, floor: 600 },
            // The section of the current task.
            Kind::Plan => Share { percent: 10, floor: 250 },
            // One urgent message, or a few envelopes.
            Kind::Mail => Share { percent: 8, floor: 150 },
            // Where things stood and what was to be done next; five skills and how to find the others.
            Kind::Handoff | Kind::Skills => Share { percent: 6, floor: 150 },
            // The last two events.
            Kind::Activity => Share { percent: 2, floor: 60 },
            Kind::Guide => Share { percent: 2, floor: 120 },
            // A rule's sentence that is not told has no effect; this and other short notes need
            // their floor and no more.
            Kind::Notice => Share { percent: 0, floor: 120 },
            // Three lines.
            Kind::Suggestion => Share { percent: 0, floor: 150 },
            // A line for each of a handful of skills.
            Kind::CoreSkills => Share { percent: 3, floor: 250 },
            // The last two files.
            Kind::Artifacts => Share { percent: 0, floor: 60 },
            // The task, how to report, and a section of the plan; a subagent is told little else.
            Kind::Role => Share { percent: 2, floor: 600 },
            // A step of usual length; without it nobody knows what to do.
            Kind::Workflow => Share { percent: 0, floor: 1_600 },
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_make_one_budget_and_each_kind_has_its_own() {
        let shares = Shares::default();
        let percent: u32 = Kind::ALL.iter().map(|kind| u32::from(shares.of(*kind).percent)).sum();
        assert_eq!(percent, 100);
        for kind in Kind::ALL {
            assert!(shares.of(kind).floor <= kind.cap(), "{kind:?}");
            let mine = Share { percent: 77, floor: 7 };
            let changed = shares.clone().with(kind, mine);
            for other in Kind::ALL {
                let expected = if other == kind { mine } else { shares.of(other) };
                assert_eq!(changed.of(other), expected, "{kind:?} {other:?}");
            }
        }
    }

    #[test]
    fn there_are_one_to_four_parts() {
        let counts = (0..=u8::MAX).filter_map(PartCount::new).map(PartCount::get);
        assert_eq!(counts.collect::<Vec<_>>(), [1, 2, 3, 4]);
    }
}
