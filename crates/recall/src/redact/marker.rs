//! What stands in the place of a secret.
//!
//! A marker is never part of a secret: readers stop at it, so that a text that was redacted once
//! stays as it is.

use std::ops::Range;

use super::rule::rules;

/// How every marker begins; no pattern and no unquoted value reaches over a bracket.
pub(super) const OPENING: &str = "[redacted: ";

/// Appends the marker of a rule.
pub(super) fn write(rule: &str, text: &mut String) {
    text.push_str(OPENING);
    text.push_str(rule);
    text.push(']');
}

/// Returns the marker that begins at a byte, if one of ours does.
pub(super) fn at(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let name = bytes.get(start..)?.strip_prefix(OPENING.as_bytes())?;
    let rule = rules().find(|rule| {
        name.strip_prefix(rule.id.as_bytes()).is_some_and(|rest| rest.first() == Some(&b']'))
    })?;
    Some(start..start + OPENING.len() + rule.id.len() + 1)
}

/// Tells whether a marker stands right behind a match.
pub(super) fn follows(bytes: &[u8], end: usize) -> bool {
    at(bytes, end).is_some()
}

/// Returns where the first marker begins in a part of a text, or the end of that part.
pub(super) fn first(bytes: &[u8], within: Range<usize>) -> usize {
    let end = within.end;
    for start in within {
        if bytes.get(start) == Some(&b'[') && at(bytes, start).is_some() {
            return start;
        }
    }
    end
}
