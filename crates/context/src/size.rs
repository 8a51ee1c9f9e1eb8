//! How large a text is, in the two units that hosts and budgets count in.

use std::ops::{Add, AddAssign, Sub};

use crate::estimate::estimate_tokens;

/// The size of a text, or room for one.
///
/// Arithmetic saturates: room without a bound stays without one, and what is used up is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// About how many tokens.
    pub tokens: u32,
    /// How many UTF-16 units.
    pub utf16: usize,
}

impl Size {
    /// Room for anything.
    pub const UNBOUNDED: Self = Self { tokens: u32::MAX, utf16: usize::MAX };

    /// A line break between two texts that neither end nor begin with one.
    pub(crate) const LINE_BREAK: Self = Self { tokens: 1, utf16: 1 };

    /// Measures a text.
    pub fn of(text: &str) -> Self {
        let utf16 = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
        Self { tokens: estimate_tokens(text), utf16 }
    }

    /// Tells whether this fits into some room.
    pub const fn fits(self, room: Self) -> bool {
        self.tokens <= room.tokens && self.utf16 <= room.utf16
    }

    /// Returns the room that both leave.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self { tokens: self.tokens.min(other.tokens), utf16: self.utf16.min(other.utf16) }
    }

    /// Returns the room that either leaves.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { tokens: self.tokens.max(other.tokens), utf16: self.utf16.max(other.utf16) }
    }

    /// Returns the same room with at most so many tokens.
    #[must_use]
    pub fn within_tokens(self, tokens: u32) -> Self {
        Self { tokens: self.tokens.min(tokens), ..self }
    }

    /// Returns the share of each of `among` who together get so many parts of a hundred.
    #[must_use]
    pub(crate) fn share(self, percent: u8, among: usize) -> Self {
        let among = u128::try_from(among).unwrap_or(u128::MAX).max(1);
        let part = |all: u128| all * u128::from(percent) / 100 / among;
        let utf16 = u128::try_from(self.utf16).unwrap_or(u128::MAX);
        Self {
            tokens: u32::try_from(part(self.tokens.into())).unwrap_or(u32::MAX),
            utf16: usize::try_from(part(utf16)).unwrap_or(usize::MAX),
        }
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            utf16: self.utf16.saturating_add(other.utf16),
        }
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Size {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            // Taking from what has no bound leaves no bound.
            tokens: if self.tokens == u32::MAX {
                u32::MAX
            } else {
                self.tokens.saturating_sub(other.tokens)
            },
            utf16: if self.utf16 == usize::MAX {
                usize::MAX
            } else {
                self.utf16.saturating_sub(other.utf16)
            },
        }
    }
}
