//! Makes foreign text into lines that can be read and do nothing else.
//!
//! Line breaks of every kind become ours, so that a text never begins a line that the printers did
//! not indent. What XML 1.0 cannot hold, what moves a cursor, turns the order of reading or hides a
//! sentence becomes a mark that can be seen, and control tokens of chat templates are broken. Escaping
//! markup is left to the printers.

use std::borrow::Cow;

use pacenote_model::break_control_tokens;

/// Stands where a character was that must not be passed on: the reader sees that there was one.
const REPLACEMENT: char = '\u{fffd}';

/// Returns the lines of a text, without blank ones at both ends and without white space at theirs.
pub(super) fn lines(raw: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut characters = raw.chars().peekable();
    while let Some(character) = characters.next() {
        // One break, though written with two characters.
        if character == '\r' && characters.peek() == Some(&'\n') {
            continue;
        }
        if is_break(character) {
            lines.push(String::new());
        } else if let Some(line) = lines.last_mut() {
            line.push(visible(character));
        }
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
        if let Cow::Owned(broken) = break_control_tokens(line) {
            *line = broken;
        }
    }
    let is_blank = |line: &String| line.is_empty();
    let first = lines.iter().take_while(|line| is_blank(line)).count();
    let last = lines.iter().rev().take_while(|line| is_blank(line)).count();
    let said = lines.len().saturating_sub(first + last);
    lines.into_iter().skip(first).take(said).collect()
}

/// Returns a text on one line.
pub(super) fn line(raw: &str) -> String {
    let is_gap = |character| is_break(character) || character == '\t';
    let on_one_line: String = raw
        .chars()
        .map(|character| if is_gap(character) { ' ' } else { visible(character) })
        .collect();
    break_control_tokens(on_one_line.trim()).into_owned()
}

fn visible(character: char) -> char {
    let is_mark = character.is_control() && character != '\t';
    if is_mark || is_hidden(character) { REPLACEMENT } else { character }
}

/// Tells whether some reader ends a line here.
const fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Tells whether a character is not for reading: unseen, or changing the order of what is seen.
///
/// Joiners and variation selectors stay; scripts and emoji are spelled with them.
const fn is_hidden(character: char) -> bool {
    matches!(character,
        // Soft hyphen, Arabic letter mark, Mongolian separators.
        '\u{ad}' | '\u{61c}' | '\u{180b}'..='\u{180f}'
        // Zero-width space, directional marks, embeddings, isolates, invisible operators.
        | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        // Byte order mark, annotations, and the two that XML has no place for.
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}'
        // The tag block, in which a whole sentence can hide.
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_break_makes_a_line_of_ours() {
        for (raw, said) in [
            ("a\nb", vec!["a", "b"]),
            ("a\r\nb\rc", vec!["a", "b", "c"]),
            ("a\u{2028}b\u{85}c\u{c}d", vec!["a", "b", "c", "d"]),
            ("\n\n  a  \n\n b\t\n\n", vec!["  a", "", " b"]),
            (" \n\t\r\n", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(lines(raw), said, "{raw:?}");
        }
    }

    #[test]
    fn what_is_not_for_reading_leaves_a_mark() {
        for (raw, said) in [
            ("a\0b\u{1b}[2J", "a\u{fffd}b\u{fffd}[2J"),
            ("\u{202e}txt.exe", "\u{fffd}txt.exe"),
            ("\u{9b}31m\u{ffff}", "\u{fffd}31m\u{fffd}"),
            ("hi\u{e0041}", "hi\u{fffd}"),
            // Private characters mean nothing to us and break nothing.
            ("\u{e000}\u{f8ff}", "\u{e000}\u{f8ff}"),
            // A family, a sign and a word that need their joiners.
            ("👩\u{200d}👧 ⚠\u{fe0f} می\u{200c}خواهم", "👩\u{200d}👧 ⚠\u{fe0f} می\u{200c}خواهم"),
        ] {
            assert_eq!(line(raw), said, "{raw:?}");
            assert_eq!(lines(raw), [said], "{raw:?}");
        }
    }

    #[test]
    fn one_line_is_one_line() {
        assert_eq!(line(" a\r\nb\tc\u{2029}NEXT: x\n"), "a  b c NEXT: x");
    }
}
