//! Small rules of wording that several sentences share.

/// Puts a text on one line of at most `most` characters, shortened at a word with `…`.
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if line.chars().nth(most).is_none() {
        return line;
    }
    let mut kept: String = line.chars().take(most.saturating_sub(1)).collect();
    let ends_a_word = line.chars().nth(most.saturating_sub(1)).is_some_and(char::is_whitespace);
    // One word longer than the line has no better place to be cut.
    if !ends_a_word && let Some(space) = kept.rfind(' ') {
        kept.truncate(space);
    }
    kept.truncate(kept.trim_end().len());
    if most > 0 {
        kept.push('…');
    }
    kept
}

/// Counts things in words: `1 task`, `2 tasks`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_text_is_cut_at_a_word() {
        for (text, most, said) in [
            ("the API\n  is gone ", 80, "the API is gone"),
            ("the API is gone", 15, "the API is gone"),
            ("the API is gone", 14, "the API is…"),
            ("the API is gone", 11, "the API is…"),
            ("the API is gone", 10, "the API…"),
            ("extraordinary", 6, "extra…"),
            ("é é é", 3, "é…"),
            ("anything", 1, "…"),
            ("anything", 0, ""),
            (" \n", 5, ""),
        ] {
            assert_eq!(one_line(text, most), said, "{text:?} in {most}");
        }
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(0, "task"), "0 tasks");
        assert_eq!(counted(1, "task"), "1 task");
        assert_eq!(counted(2, "task"), "2 tasks");
    }

    proptest! {
        #[test]
        fn one_line_is_one_line_and_short(text in "\\PC{0,40}[\\s\\PC]{0,40}", most in 0usize..60) {
            let line = one_line(&text, most);
            prop_assert!(line.chars().count() <= most);
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(one_line(&line, most), line.clone());
        }
    }
}
