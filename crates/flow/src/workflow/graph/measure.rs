//! How much room text takes, guessed without a font: a picture is drawn where no font is known.

/// How large a text is drawn, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size(pub(super) i32);

/// How finely the best width of lines is looked for, in pixels.
const STEP: usize = 6;

impl Size {
    /// Returns about how wide a text is, rather too much than too little.
    pub(super) fn width(self, text: &str) -> i32 {
        let hundredths: i32 = text.chars().map(hundredths_of_an_em).sum();
        (hundredths * self.0 + 99) / 100
    }

    /// Breaks a text into lines that fit and are about as long as each other, and ends the last
    /// with `…` if there is more to say.
    pub(super) fn wrap(self, text: &str, width: i32, most: usize) -> Vec<String> {
        let mut lines = self.fill(text, width);
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut() {
                *last = self.with_ellipsis(last, width);
            }
            return lines;
        }
        let words = text.split(' ').count();
        for narrower in (width / 2..width).rev().step_by(STEP) {
            let narrow = self.fill(text, narrower);
            // A line more, or a word broken that was not: it was as narrow as it can be.
            if narrow.len() != lines.len() || narrow.join(" ").split(' ').count() > words {
                break;
            }
            lines = narrow;
        }
        lines
    }

    /// Breaks a text into lines that are as full as can be.
    fn fill(self, text: &str, width: i32) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let joined = lines.last().map(|line| format!("{line} {word}"));
            match (joined, lines.last_mut()) {
                (Some(joined), Some(line)) if self.width(&joined) <= width => *line = joined,
                _ => lines.extend(self.pieces(word, width)),
            }
        }
        lines
    }

    /// Breaks a word that is too long for a line anywhere.
    fn pieces(self, word: &str, width: i32) -> Vec<String> {
        let mut pieces = vec![String::new()];
        for character in word.chars() {
            let fits = pieces.last().is_some_and(|piece| {
                piece.is_empty()
                    || self.width(piece) + self.width(character.encode_utf8(&mut [0; 4])) <= width
            });
            if !fits {
                pieces.push(String::new());
            }
            if let Some(piece) = pieces.last_mut() {
                piece.push(character);
            }
        }
        pieces
    }

    fn with_ellipsis(self, line: &str, width: i32) -> String {
        let mut kept = line.to_owned();
        while self.width(&kept) + self.width("…") > width && kept.pop().is_some() {}
        kept.truncate(kept.trim_end().len());
        kept.push('…');
        kept
    }
}

/// Returns the width of a character in the sans-serif fonts of common systems.
const fn hundredths_of_an_em(character: char) -> i32 {
    match character {
        'i' | 'j' | 'l' | 'I' | '\'' | '.' | ',' | ':' | ';' | '|' | '!' => 30,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '{' | '}' | '-' | '/' | '\\' | '"'
        | '*' | '`' | '·' => 40,
        'm' | 'w' => 86,
        'M' | 'W' | '@' | '%' | '…' => 100,
        'A'..='Z' | '&' | '<' | '>' | '+' | '=' | '~' | '^' | '#' => 72,
        '!'..='~' => 59,
        // Latin with accents, Greek, Cyrillic.
        '\u{a0}'..='\u{5ff}' => 66,
        _ => 105,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_where_it_has_to_be() {
        let size = Size(10);
        for (text, lines) in [
            ("", vec![]),
            ("short", vec!["short"]),
            ("two words", vec!["two words"]),
            ("more words than fit in", vec!["more words", "than fit in"]),
            ("Donaudampfschiffahrt", vec!["Donaudamp", "fschiffahrt"]),
            ("one two three four five six seven eight", vec!["one two", "three four", "five six…"]),
        ] {
            assert_eq!(size.wrap(text, 60, 3), lines, "{text}");
        }
    }

    #[test]
    fn no_line_is_wider_than_it_may_be() {
        for text in [
            "WWWWWWWWWWWWWWWWWWWWWW",
            "日本語の長い題名がここにあります",
            "i i i i i i i i i i i i i i",
        ] {
            for line in Size(13).wrap(text, 80, 3) {
                assert!(Size(13).width(&line) <= 80, "{line}");
            }
        }
    }
}
