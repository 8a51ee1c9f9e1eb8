//! Cutting members out of containers, with the commas and the whitespace that came with them.

use super::{
    Span, Value,
    trivia::{Blank, Follows, ends_line, last_blank},
};

/// A member that goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gone {
    /// Which member.
    pub(crate) index: usize,
    /// How many bytes of whitespace directly before it go too.
    pub(crate) lead: usize,
}

/// A stretch that goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    span: Span,
    follows: Follows,
}

impl Gone {
    /// Takes a member with all whitespace before it.
    pub(crate) fn with_its_blank(text: &str, container: &Value, index: usize) -> Self {
        let lead =
            blank_before(text, container, index).map_or(0, |blank| blank.span.of(text).len());
        Self { index, lead }
    }
}

impl Cut {
    /// Cuts a stretch that does not follow a line comment.
    pub(crate) fn plain(span: Span) -> Self {
        Self { span, follows: Follows::Something }
    }
}

/// Returns the whitespace before a member.
pub(crate) fn blank_before(text: &str, container: &Value, index: usize) -> Option<Blank> {
    container.gap_before(index).map(|gap| last_blank(text, gap))
}

/// Returns what has to be cut for members of a container to go; `gone` is in their order.
pub(crate) fn cuts(text: &str, container: &Value, gone: &[Gone]) -> Vec<Cut> {
    let comma = |at: usize| Cut::plain(Span { start: at, end: at + 1 });
    let moved = moved_up(text, container, gone);
    let mut cuts: Vec<Cut> = moved.map(Cut::plain).into_iter().collect();
    for &Gone { index, lead } in gone {
        let Some(member) = container.members.get(index) else { continue };
        let lead = if moved.is_some() && index == 0 { 0 } else { lead };
        let span = member.span();
        let start = span.start.saturating_sub(lead);
        let follows = blank_before(text, container, index)
            .filter(|blank| blank.span.start == start)
            .map_or(Follows::Something, |blank| blank.follows);
        cuts.push(Cut { span: Span { start, ..span }, follows });
        cuts.extend(member.comma.map(comma));
    }
    cuts.extend(orphaned_comma(container, gone).map(comma));
    cuts
}

/// Cuts stretches out of a text; they may overlap.
pub(crate) fn cut_all(text: &str, mut cuts: Vec<Cut>) -> String {
    cuts.sort_by_key(|cut| (cut.span.start, cut.span.end));
    let mut left = Left { text: String::with_capacity(text.len()), line_end: None };
    let mut at = 0;
    for Cut { span, follows } in cuts {
        if span.start >= at {
            left.keep(Span { start: at, end: span.start }.of(text));
            if follows == Follows::LineComment {
                left.line_end = Some(line_end(span.of(text)));
            }
        }
        at = at.max(span.end);
    }
    left.keep(Span { start: at, end: text.len() }.of(text));
    left.text
}

/// Returns the space before the first member that stays, if it moves up in its line to where the
/// first of all was: then the whitespace that stood there is its own.
fn moved_up(text: &str, container: &Value, gone: &[Gone]) -> Option<Span> {
    let first = gone.iter().zip(0..).take_while(|(gone, index)| gone.index == *index).count();
    let gap = container.gap_before(first).filter(|_| first > 0)?;
    gap.of(text).trim_matches([' ', '\t']).is_empty().then_some(gap)
}

/// Returns the comma that separated the last member that stays from those behind it, which all go.
/// If the last of them has a comma too, the container ends with one, and so it shall stay.
fn orphaned_comma(container: &Value, gone: &[Gone]) -> Option<usize> {
    let count = container.members.len();
    let backwards = gone.iter().rev().zip((0..count).rev());
    let behind = backwards.take_while(|(gone, index)| gone.index == *index).count();
    if behind == 0 || container.members.last()?.comma.is_some() {
        return None;
    }
    let last = count.checked_sub(behind + 1)?;
    container.members.get(last)?.comma
}

/// What is left of a text.
struct Left<'a> {
    text: String,
    /// The end of a line that was cut, where a comment needs one.
    line_end: Option<&'a str>,
}

impl Left<'_> {
    fn keep(&mut self, kept: &str) {
        if kept.is_empty() {
            return;
        }
        if let Some(line_end) = self.line_end.take() {
            // Without it the comment before would swallow what follows.
            if !ends_line(kept) {
                self.text.push_str(line_end);
            }
        }
        self.text.push_str(kept);
    }
}

fn line_end(blank: &str) -> &str {
    let length = if blank.starts_with("\r\n") { 2 } else { 1 };
    blank.get(..length).unwrap_or_default()
}
