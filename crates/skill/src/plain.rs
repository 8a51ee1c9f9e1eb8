//! The short way through a frontmatter that is nothing but `key: text` lines.
//!
//! Ten thousand skills are read at once and nearly all have such a head. It accepts only what YAML
//! surely reads as the same texts, a property that is tested against the parser, and leaves
//! everything else to it.

use pacenote_model::limits;

use crate::{strict::Entry, value::Value};

/// Most keys that are compared with each other here; a longer head goes the long way.
const KEYS: usize = 32;

/// Longest key; the parser looks no further than 1024 for the colon.
const KEY_BYTES: usize = 64;

/// Words that are no text, or of which parsers disagree whether they are.
const NOT_TEXT: [&str; 10] =
    ["true", "false", "null", "nan", "inf", "infinity", "yes", "no", "on", "off"];

/// Reads a plain frontmatter, or leaves it to the parser.
pub(crate) fn parse(head: &str) -> Option<Vec<Entry>> {
    if head.len() > limits::FRONTMATTER_BYTES {
        return None;
    }
    let mut entries: Vec<Entry> = Vec::new();
    for (index, line) in head.split('\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let (key, rest) = line.split_once(": ")?;
        if !is_plain_key(key) || entries.len() == KEYS || entries.iter().any(|e| e.key == key) {
            return None;
        }
        let text = text_of(rest.trim_matches(' '))?;
        entries.push(Entry {
            key: key.to_owned(),
            line: index + 1,
            value: Value::Text(text.to_owned()),
        });
    }
    Some(entries)
}

fn is_plain_key(key: &str) -> bool {
    let mut bytes = key.bytes();
    key.len() <= KEY_BYTES
        && bytes.next().is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        && !is_not_text(key)
}

/// Returns the text of a value, when it surely is one.
fn text_of(value: &str) -> Option<&str> {
    if !value.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && !value.chars().all(is_printable)
    {
        return None;
    }
    let quotation = |mark: char| value.strip_prefix(mark)?.strip_suffix(mark);
    if let Some(inner) = quotation('"') {
        return (!inner.contains(['"', '\\'])).then_some(inner);
    }
    if let Some(inner) = quotation('\'') {
        return (!inner.contains('\'')).then_some(inner);
    }
    let mut characters = value.chars();
    let begins = match characters.next()? {
        first if first.is_ascii_digit() => is_version(value),
        first => first.is_alphabetic() && !is_not_text(value),
    };
    (begins && !value.contains(": ") && !value.ends_with(':') && !value.contains(" #"))
        .then_some(value)
}

/// Tells whether a value is three or more numbers with dots, which no number is.
fn is_version(value: &str) -> bool {
    value.split('.').count() >= 3
        && value.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

fn is_not_text(word: &str) -> bool {
    NOT_TEXT.iter().any(|not_text| not_text.eq_ignore_ascii_case(word))
}

/// Tells whether a character stands for itself everywhere in YAML.
fn is_printable(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strict;
    use proptest::prelude::*;

    #[test]
    fn ordinary_heads_are_plain() {
        for head in [
            "",
            "name: tdd\ndescription: Use when implementing, before writing code\n",
            "name: \"a: b # c\"\n\ndescription: 'say \"no\"'  \nversion: 1.10.0\n",
            "name: 日本語\ndescription: Ünïcode – https://example.org/x?y=z#w, [brackets]\n",
        ] {
            assert!(parse(head).is_some(), "{head:?}");
        }
    }

    #[test]
    fn everything_else_is_left_to_the_parser() {
        for head in [
            "a:",
            "a: ",
            "a:b",
            "a: true",
            "a: No",
            "a: 1.10",
            "a: 1e3",
            "a: b: c",
            "a: b:",
            "a: b #c",
            "a: [b]",
            "a: |",
            "a: \"b\\n\"",
            "a: \"b\" c\"",
            "a: 'it''s'",
            "a: *b",
            "a: @b",
            "a: b\n  c",
            "a: b\n- c",
            "a: b\na: c",
            " a: b",
            "null: b",
            "a b: c",
            "# a: b",
            "a: b\tc",
            "a: b\u{85}c",
            "--- a: b",
            "a: \"",
        ] {
            assert_eq!(parse(head), None, "{head:?}");
        }
    }

    /// Words in which the grammar of YAML has its corners.
    fn value() -> impl Strategy<Value = String> {
        let odd =
            "[-:# \"'\\[\\]{},&*!|>%@`?~.+_=<\\\\/()0-9a-zA-Zé日\u{a0}\u{2028}\u{85}\t]{0,12}";
        let number = "[-+]?[0-9._]{1,6}([eE][-+]?[0-9]{1,3})?|0[xob][0-9a-f]{1,4}|[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?";
        let word = "(?i)true|false|null|yes|no|on|off|y|n|\\.?inf|\\.?nan|infinity|~|e1|<<|=";
        prop_oneof![
            odd,
            number,
            word,
            "[A-Za-z][a-z]{0,8}(: |:| #|#|, | )[a-z]{0,8}",
            "\\PC{0,16}",
            "\"[^\"\n]{0,10}\"",
            "'[^'\n]{0,10}'",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

        #[test]
        fn the_parser_agrees_with_every_plain_head(
            pairs in prop::collection::vec(("[a-zA-Z][a-z_-]{0,3}|(?i)null|true|no|<<", value(), "[ ]{0,2}\n{1,2}"), 0..4)
        ) {
            let lines: Vec<_> =
                pairs.iter().map(|(key, value, end)| format!("{key}: {value}{end}")).collect();
            let head = lines.concat();
            if let Some(entries) = parse(&head) {
                prop_assert_eq!(strict::parse(&head), Ok(entries), "{:?}", head);
            }
        }
    }
}
