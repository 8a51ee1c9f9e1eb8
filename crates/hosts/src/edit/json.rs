//! JSON with comments and trailing commas, read as places in its text.
//!
//! Nothing is decoded that nobody asks for, so that what only a lenient reader takes (half of a
//! character in a foreign string) does not stand in our way.

mod append;
mod cut;
mod read;
#[cfg(test)]
mod tests;
mod trivia;

use std::fmt;

use self::trivia::MARK;
pub(crate) use self::{
    append::{Addition, Draft, append, create, insert_all},
    cut::{Cut, Gone, blank_before, cut_all, cuts},
    trivia::last_blank,
};
use super::EditError;

/// What kind a value is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Members with keys.
    Object,
    /// Members without.
    Array,
    /// Text.
    String,
    Number,
    /// `true` or `false`.
    Boolean,
    /// `null`.
    Null,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Object => "an object",
            Self::Array => "an array",
            Self::String => "a string",
            Self::Number => "a number",
            Self::Boolean => "a boolean",
            Self::Null => "null",
        })
    }
}

/// A stretch of text, in bytes; both ends lie between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Span {
    /// Returns the stretch of a text.
    pub(crate) fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// A text that was read.
#[derive(Debug)]
pub(crate) struct Document<'a> {
    pub(crate) text: &'a str,
    /// `None` where there is nothing but whitespace and comments.
    pub(crate) root: Option<Value>,
}

/// A value in a text.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
    /// None for a value that is no container.
    pub(crate) members: Vec<Member>,
}

/// A value in a container.
#[derive(Debug)]
pub(crate) struct Member {
    /// Where its key is, quotes included; there in objects only.
    pub(crate) key: Option<Span>,
    pub(crate) value: Value,
    /// Where the comma behind it is. Behind the last member one may be missing.
    pub(crate) comma: Option<usize>,
}

impl<'a> Document<'a> {
    /// Reads a text.
    pub(crate) fn read(text: &'a str) -> Result<Self, EditError> {
        Ok(Self { text, root: read::read(text)? })
    }

    /// Tells whether there is neither a setting nor a comment.
    pub(crate) fn says_nothing(&self) -> bool {
        let empty = |root: &Value| {
            root.kind == Kind::Object && root.members.is_empty() && !root.has_comments(self.text)
        };
        self.root.as_ref().is_none_or(empty) && !self.has_comments_around()
    }

    /// Tells whether there are comments before or behind the value.
    pub(crate) fn has_comments_around(&self) -> bool {
        let start = self.text.len() - self.text.trim_start_matches(MARK).len();
        let end = self.text.len();
        let gaps = match &self.root {
            Some(Value { span, .. }) => {
                [Span { start, end: span.start }, Span { start: span.end, end }]
            }
            None => [Span { start, end }; 2],
        };
        gaps.into_iter().any(|gap| trivia::has_comment(self.text, gap))
    }

    /// Returns the members of an object that have this key.
    pub(crate) fn members_called<'v>(
        &self,
        object: &'v Value,
        key: &str,
    ) -> impl Iterator<Item = &'v Member> {
        object.members.iter().filter(move |member| self.is_called(member, key))
    }

    /// Tells whether a member has this key, however it is escaped.
    pub(crate) fn is_called(&self, member: &Member, key: &str) -> bool {
        self.key(member).is_some_and(|called| called == key)
    }

    /// Returns the key of a member.
    pub(crate) fn key(&self, member: &Member) -> Option<String> {
        decoded(member.key?.of(self.text))
    }

    /// Returns the text that a string stands for, where it stands for characters at all.
    pub(crate) fn string(&self, value: &Value) -> Option<String> {
        match value.kind {
            Kind::String => decoded(value.span.of(self.text)),
            Kind::Object | Kind::Array | Kind::Number | Kind::Boolean | Kind::Null => None,
        }
    }

    /// Returns a value as it is written.
    pub(crate) fn raw(&self, value: &Value) -> &'a str {
        value.span.of(self.text)
    }
}

impl Value {
    /// Tells whether it can have members.
    pub(crate) fn is_container(&self) -> bool {
        match self.kind {
            Kind::Object | Kind::Array => true,
            Kind::String | Kind::Number | Kind::Boolean | Kind::Null => false,
        }
    }

    /// Returns what lies before a member: from the bracket or the comma to the member.
    pub(crate) fn gap_before(&self, index: usize) -> Option<Span> {
        let end = self.members.get(index)?.start();
        let before = index.checked_sub(1).and_then(|before| self.members.get(before));
        Some(Span { start: before.map_or(self.inside(), Member::after), end })
    }

    /// Returns what lies behind the last member and its comma, up to the closing bracket.
    pub(crate) fn closing_gap(&self) -> Span {
        let start = self.members.last().map_or(self.inside(), Member::after);
        Span { start, end: self.span.end.saturating_sub(1) }
    }

    /// Returns what a container has between its brackets.
    pub(crate) fn inner(&self) -> Span {
        Span { start: self.inside(), end: self.closing_gap().end }
    }

    /// Tells whether there are comments among the members, those inside of members left aside.
    pub(crate) fn has_comments(&self, text: &str) -> bool {
        let before = (0..self.members.len()).filter_map(|index| self.gap_before(index));
        let behind = self
            .members
            .iter()
            .filter_map(|member| Some(Span { start: member.value.span.end, end: member.comma? }));
        before.chain(behind).chain([self.closing_gap()]).any(|gap| trivia::has_comment(text, gap))
    }

    /// Returns the place behind the opening bracket.
    fn inside(&self) -> usize {
        self.span.start + 1
    }
}

impl Member {
    /// Returns the member without its comma.
    pub(crate) fn span(&self) -> Span {
        Span { start: self.start(), end: self.value.span.end }
    }

    fn start(&self) -> usize {
        self.key.map_or(self.value.span.start, |key| key.start)
    }

    /// Returns the place behind the member and its comma.
    fn after(&self) -> usize {
        self.comma.map_or(self.value.span.end, |comma| comma + 1)
    }
}

fn decoded(string: &str) -> Option<String> {
    serde_json::from_str(string).ok()
}
