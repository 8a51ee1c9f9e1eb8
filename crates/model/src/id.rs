//! Ids: a UUID for machines, a number or a short form for people.

use alloc::{boxed::Box, string::String};
use core::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use uuid::Uuid;

macro_rules! uuid_id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps a UUID made at the edge (version 7, so ids sort by age).
            pub const fn new(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// Returns the UUID.
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

uuid_id! {
    /// A project: one git common directory.
    ProjectId;
    /// One conversation with one host.
    SessionId;
    /// A task.
    TaskId;
    /// A mail message.
    MessageId;
    /// A thread of messages; the id of its first one.
    ThreadId;
    /// A reservation of a path pattern.
    ReservationId;
}

/// The project-wide number of a task, session or message: the `12` of `#12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Number(u32);

impl Number {
    /// Wraps a number counted by the store.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the number.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Parses `12` or `#12`; zero is never counted.
    pub fn parse(raw: &str) -> Option<Self> {
        let digits = raw.strip_prefix('#').unwrap_or(raw);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        digits.parse().ok().filter(|number| *number > 0).map(Self)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// A place in the journal. Order is by sequence, never by clock.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Sequence(u64);

impl Sequence {
    /// Before the first entry.
    pub const START: Self = Self(0);

    /// Wraps a sequence number counted by the store.
    pub const fn new(sequence: u64) -> Self {
        Self(sequence)
    }

    /// Returns the number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// The short id of a task: `t-` and five or more hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ShortId(Box<str>);

impl ShortId {
    /// Fewest digits: a million tasks fit before most ids need a sixth.
    pub const SHORTEST: usize = 5;
    /// Most digits: all of the UUID.
    pub const LONGEST: usize = 32;

    /// Derives the short id of `task` with `digits` digits.
    ///
    /// The digits come from the UUID's random tail read backwards, so that two tasks of the same
    /// millisecond differ at once, and a longer form extends a shorter one.
    pub fn of(task: TaskId, digits: usize) -> Self {
        let digits = digits.clamp(Self::SHORTEST, Self::LONGEST);
        let mut text = String::with_capacity(2 + digits);
        text.push_str("t-");
        let value = task.uuid().as_u128();
        for place in 0..digits {
            let nibble = u32::try_from((value >> (4 * place)) & 0xf).unwrap_or_default();
            text.extend(char::from_digit(nibble, 16));
        }
        Self(text.into())
    }

    /// Parses `t-` followed by 5 to 32 hexadecimal digits, in either case.
    pub fn parse(raw: &str) -> Option<Self> {
        let digits = raw.strip_prefix("t-").or_else(|| raw.strip_prefix("T-"))?;
        let fits = (Self::SHORTEST..=Self::LONGEST).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        fits.then(|| Self(raw.to_ascii_lowercase().into()))
    }

    /// Returns the text, with its `t-`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ShortId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for ShortId {
    type Error = BadTaskRef;

    fn try_from(raw: String) -> Result<Self, BadTaskRef> {
        Self::parse(&raw).ok_or(BadTaskRef)
    }
}

impl From<ShortId> for String {
    fn from(short: ShortId) -> Self {
        short.0.into()
    }
}

/// How a caller may name a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskRef {
    /// `t-3fa92`.
    Short(ShortId),
    /// `#12` or `12`.
    Number(Number),
    /// The full UUID.
    Id(TaskId),
}

/// The text is none of the three forms of a task id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "a task is named by its id (`t-3fa92`), its number (`#12`), its UUID, its title or its place in \
     the plan (`Task 2`)"
)]
pub struct BadTaskRef;

impl TaskRef {
    /// Parses any of the three forms.
    pub fn parse(raw: &str) -> Result<Self, BadTaskRef> {
        let raw = raw.trim();
        if let Some(short) = ShortId::parse(raw) {
            return Ok(Self::Short(short));
        }
        if let Some(number) = Number::parse(raw) {
            return Ok(Self::Number(number));
        }
        Uuid::try_parse(raw).map(|uuid| Self::Id(TaskId::new(uuid))).map_err(|_| BadTaskRef)
    }
}

impl fmt::Display for TaskRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short(short) => short.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Id(id) => id.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_longer_short_id_extends_a_shorter_one() {
        let task = TaskId::new(Uuid::from_u128(0x0195_0000_0000_7000_8000_0000_00ab_cdef));
        assert_eq!(ShortId::of(task, 5).as_str(), "t-fedcb");
        assert_eq!(ShortId::of(task, 6).as_str(), "t-fedcba");
        assert_eq!(ShortId::of(task, 0).as_str(), "t-fedcb");
        assert_eq!(ShortId::of(task, 99).as_str().len(), 34);
    }

    #[test]
    fn a_task_is_named_in_three_ways_and_no_other() {
        for (raw, shown) in [
            ("t-3FA92", "t-3fa92"),
            ("#12", "#12"),
            ("12", "#12"),
            ("0195b2a4-7c1e-7000-8000-00000000abcd", "0195b2a4-7c1e-7000-8000-00000000abcd"),
        ] {
            assert_eq!(TaskRef::parse(raw).unwrap().to_string(), shown);
        }
        for raw in ["", "#", "#0", "0", "-1", "t-", "t-12", "t-xyzzy", "../x", "--", "99999999999"]
        {
            assert_eq!(TaskRef::parse(raw), Err(BadTaskRef), "{raw:?}");
        }
    }
}
