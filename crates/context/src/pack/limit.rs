//! What a briefing may cost, in all, in each part and for each kind of fragment.

use pacenote_model::receipt::PARTS;

use crate::{
    fragment::{FragmentKind, Share},
    size::Size,
};

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

/// How the budget is divided over the kinds: as their rows say, but for some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shares(Vec<(FragmentKind, Share)>);

impl Shares {
    /// Returns the share of a kind.
    pub fn of(&self, kind: FragmentKind) -> Share {
        let own = self.0.iter().rev().find(|(known, _)| *known == kind);
        own.map_or(kind.share(), |(_, share)| *share)
    }

    /// Gives a kind another share.
    #[must_use]
    pub fn with(mut self, kind: FragmentKind, share: Share) -> Self {
        self.0.push((kind, share));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragments::KINDS;

    #[test]
    fn a_kind_can_be_given_another_share() {
        let mine = Share { percent: 77, floor: 7 };
        for kind in KINDS {
            let changed = Shares::default().with(kind, Share { percent: 1, floor: 1 });
            let changed = changed.with(kind, mine);
            for other in KINDS {
                let expected = if other == kind { mine } else { other.share() };
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
