//! Foreign text made harmless to show: one line, short, and nothing in it that cannot be seen.

/// Longest excerpt, in characters: about a line of a terminal.
const CHARACTERS: usize = 100;

/// Longest path that is shown, in characters.
const PATH_CHARACTERS: usize = 240;

/// Bytes that are looked at for an excerpt; no character has more than four.
const BYTES: usize = 4 * CHARACTERS;

/// Returns the beginning of a foreign text.
pub(super) fn excerpt(found: &[u8]) -> String {
    let text = String::from_utf8_lossy(found.get(..BYTES).unwrap_or(found));
    let shown = harmless(text.trim(), CHARACTERS);
    if found.len() > BYTES && !shown.ends_with('…') { shown + "…" } else { shown }
}

/// Returns a foreign path.
pub(super) fn harmless_path(path: &str) -> String {
    harmless(path, PATH_CHARACTERS)
}

fn harmless(text: &str, most: usize) -> String {
    let mut shown = String::new();
    let mut characters = text.chars();
    for character in characters.by_ref().take(most) {
        match character {
            '\n' | '\r' | '\t' => shown.push(' '),
            // A reader of the report must be able to quote it.
            '`' => shown.push('\''),
            _ if character.is_control() || is_unseen(character) => {
                shown.extend(character.escape_unicode());
            }
            _ => shown.push(character),
        }
    }
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Tells whether a character is not seen, or changes how others are seen.
pub(super) const fn is_unseen(character: char) -> bool {
    is_zero_width(character)
        || is_bidirectional(character)
        || is_tag(character)
        || is_variation_selector(character)
        || is_filler(character)
}

/// Characters without width that join, separate or mark nothing.
pub(super) const fn is_zero_width(character: char) -> bool {
    matches!(
        character,
        '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}' | '\u{034f}'
    )
}

/// Characters that change the direction of the text round them.
pub(super) const fn is_bidirectional(character: char) -> bool {
    matches!(
        character,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{061c}'
    )
}

/// Characters that repeat ASCII without being seen.
pub(super) const fn is_tag(character: char) -> bool {
    matches!(character, '\u{e0000}'..='\u{e007f}')
}

/// Characters that choose the form of the one before.
pub(super) const fn is_variation_selector(character: char) -> bool {
    matches!(
        character,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180d}'
    )
}

/// Characters that are blank or only mark something for programs.
pub(super) const fn is_filler(character: char) -> bool {
    matches!(
        character,
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{00ad}' | '\u{206a}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{2028}' | '\u{2029}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_unseen_is_shown() {
        assert_eq!(
            excerpt("  a\u{1b}[2J\u{202e}b\u{e0041}\nc `d`".as_bytes()),
            r"a\u{1b}[2J\u{202e}b\u{e0041} c 'd'"
        );
        assert_eq!(excerpt(b"\xff\x00"), "\u{fffd}\\u{0}");
        let long = excerpt("ä".repeat(5000).as_bytes());
        assert_eq!(long.chars().count(), CHARACTERS + 1);
        assert!(long.ends_with('…'));
    }
}
