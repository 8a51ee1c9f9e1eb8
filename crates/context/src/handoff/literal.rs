//! Texts of others in a handoff, each on a line of its own between double quotes.
//!
//! A handoff holds names of branches and files and subjects of commits, which a stranger may have
//! chosen, in a file on disk. Whatever reads that file takes such a text for data: for a shell it is
//! one quoted word after a bullet that is not a command (`-` is one for zsh, `>` and `*` make and
//! find files), Markdown sees no heading, link or code in it, and HTML no tag, which the escaping of
//! the whole document sees to.

/// What begins a line that holds a text.
pub(super) const BULLET: &str = "+ ";

/// What a backslash stands before: the end of the text, what shells expand between double quotes,
/// and what begins a link.
const ESCAPED: [char; 5] = ['\\', '"', '$', '`', '['];

/// Writes a text of one line as a literal.
pub(super) fn write_literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for character in text.chars() {
        if ESCAPED.contains(&character) {
            literal.push('\\');
        }
        literal.push(character);
    }
    literal.push('"');
    literal
}

/// Reads a literal; `None` when the text is not one, as in a document of a person.
pub(super) fn read_literal(text: &str) -> Option<String> {
    let inside = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut read = String::with_capacity(inside.len());
    let mut characters = inside.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => read.push(characters.next().filter(|next| ESCAPED.contains(next))?),
            bare if ESCAPED.contains(&bare) => return None,
            plain => read.push(plain),
        }
    }
    Some(read)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_literal_is_a_quoted_word() {
        for (text, literal) in [
            ("plain, isn't it?", r#""plain, isn't it?""#),
            (r#"say "$HOME" `x` \n"#, r#""say \"\$HOME\" \`x\` \\n""#),
            ("![a](b)", r#""!\[a](b)""#),
            ("", r#""""#),
        ] {
            assert_eq!(write_literal(text), literal);
        }
        for other in ["plain", r#""open"#, r#"""#, r#""a"b""#, r#""\x""#, r#""\"#, r#""$x""#] {
            assert_eq!(read_literal(other), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn reading_undoes_writing(text in "\\PC*") {
            prop_assert_eq!(read_literal(&write_literal(&text)), Some(text));
        }
    }
}
