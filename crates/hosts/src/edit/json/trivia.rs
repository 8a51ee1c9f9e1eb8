//! What may stand between the tokens of a text: whitespace and comments.

use super::Span;

/// The byte order mark, which some editors write before everything else.
pub(super) const MARK: char = '\u{feff}';

/// What JSON takes for whitespace.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// What ends a line, and with it a line comment.
const LINE_ENDS: [char; 2] = ['\r', '\n'];

/// One piece of what means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trivium {
    /// Whitespace.
    Blank,
    /// A comment up to the end of its line.
    LineComment,
    /// A comment up to its own end.
    BlockComment,
    /// A comment that does not end.
    Unclosed,
}

/// Whitespace at the end of a gap between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blank {
    /// Where it is.
    pub(crate) span: Span,
    pub(crate) follows: Follows,
}

/// What whitespace follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    /// A token, or a comment that ends by itself.
    Something,
    /// A comment that only the end of the line ends.
    LineComment,
}

/// Returns the piece that a text begins with, and its length.
pub(super) fn first(text: &str) -> Option<(Trivium, usize)> {
    let blank = text.len() - text.trim_start_matches(BLANKS).len();
    if blank > 0 {
        return Some((Trivium::Blank, blank));
    }
    if text.starts_with("//") {
        return Some((Trivium::LineComment, text.find(LINE_ENDS).unwrap_or(text.len())));
    }
    let inside = text.strip_prefix("/*")?;
    Some(match inside.find("*/") {
        Some(length) => (Trivium::BlockComment, length + "/**/".len()),
        None => (Trivium::Unclosed, text.len()),
    })
}

/// Returns the whitespace that a gap ends with, empty where there is none.
pub(crate) fn last_blank(text: &str, gap: Span) -> Blank {
    let none = Blank { span: Span { start: gap.end, end: gap.end }, follows: Follows::Something };
    pieces(text, gap).fold(none, |last, (piece, span)| match piece {
        Trivium::Blank => Blank { span, ..last },
        Trivium::LineComment => Blank { follows: Follows::LineComment, ..none },
        Trivium::BlockComment | Trivium::Unclosed => none,
    })
}

/// Tells whether a gap holds a comment.
pub(crate) fn has_comment(text: &str, gap: Span) -> bool {
    pieces(text, gap).any(|(piece, _)| piece != Trivium::Blank)
}

/// Tells whether a text, or what is left of it, begins with the end of a line.
pub(super) fn ends_line(text: &str) -> bool {
    text.starts_with(LINE_ENDS)
}

fn pieces(text: &str, gap: Span) -> impl Iterator<Item = (Trivium, Span)> {
    let mut at = gap.start;
    std::iter::from_fn(move || {
        let (piece, length) = first(Span { start: at, end: gap.end }.of(text))?;
        let span = Span { start: at, end: at + length };
        at = span.end;
        Some((piece, span))
    })
}
