//! Words of a shell, for commands that are copied.

/// Returns a text as one word of a POSIX shell.
pub(crate) fn word(text: &str) -> String {
    let is_plain = |character: char| {
        character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.' | '/' | '=' | ',')
    };
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    // Nothing has a meaning between single quotes but the next one, which has to stand outside.
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_words_stay_plain() {
        for (text, expected) in [
            ("size=small", "size=small"),
            ("plan=docs/a-b.md", "plan=docs/a-b.md"),
            ("", "''"),
            ("q=it's", r"'q=it'\''s'"),
            ("q=a b", "'q=a b'"),
            ("q=$(rm x)", "'q=$(rm x)'"),
            ("~", "'~'"),
        ] {
            assert_eq!(word(text), expected);
        }
    }

    #[expect(clippy::disallowed_methods, reason = "only a real shell knows how it reads a word")]
    fn read_by_shell(word: &str) -> String {
        let script = format!("printf %s {word}");
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    proptest! {
        // A process for each case: fewer of them find what there is to find.
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_shell_reads_every_text_as_it_was(text in "[^\0]{0,40}|['\"\\\\$` \n\t!*~]{0,20}") {
            prop_assert_eq!(read_by_shell(&word(&text)), text);
        }
    }
}
