//! Reads back what [`element`](crate::escape::element) wrote, for hosts and pages that take no tags.
//!
//! Only our own tags count: a `<` that begins none of them is text, whatever follows it.

use crate::{escape::Tag, fragments::all_tags};

/// A piece of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A tag that opens, with its attributes as they are written.
    Open(Tag, &'a str),
    Close(Tag),
    Text(&'a str),
}

/// Splits notes at their tags.
pub(crate) fn tokens(notes: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = notes;
    std::iter::from_fn(move || {
        if let Some((token, after)) = tag_at(rest) {
            rest = after;
            return Some(token);
        }
        let first = rest.chars().next()?;
        let is_tag = |(place, _): &(usize, &str)| rest.get(*place..).and_then(tag_at).is_some();
        let next = rest.match_indices('<').skip_while(|(place, _)| *place < first.len_utf8());
        let end = next.into_iter().find(is_tag).map_or(rest.len(), |(place, _)| place);
        let (text, after) = rest.split_at_checked(end)?;
        rest = after;
        Some(Token::Text(text))
    })
}

/// Reads the tag at the beginning of a text.
fn tag_at(text: &str) -> Option<(Token<'_>, &str)> {
    let (inside, after) = text.strip_prefix('<')?.split_once('>')?;
    let tag_named = |word: &str| all_tags().find(|tag| tag.word() == word);
    if let Some(word) = inside.strip_prefix('/') {
        return Some((Token::Close(tag_named(word)?), after));
    }
    let (word, attributes) = inside.split_once(' ').unwrap_or((inside, ""));
    Some((Token::Open(tag_named(word)?, attributes), after))
}

/// Reads `a="x" b="y"`; values are on one line and hold no quotation marks of their own.
pub(crate) fn attributes_in(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((name, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').unwrap_or((after, ""));
        found.push((name.trim(), value));
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{escape::Escaped, fragment::FragmentKind};

    #[test]
    fn only_our_own_tags_are_tags() {
        let tasks = FragmentKind::TASKS.tag();
        let text = "<tasks trust=\"agent\">\n- Vec<Task> <b> a <- b  <-- CURRENT\n</tasks>";
        let found: Vec<Token<'_>> = tokens(text).collect();
        assert_eq!(
            found,
            [
                Token::Open(tasks, "trust=\"agent\""),
                Token::Text("\n- Vec<Task> <b> a <- b  <-- CURRENT\n"),
                Token::Close(tasks),
            ]
        );
    }

    proptest! {
        #[test]
        fn no_character_is_lost(text in any::<String>()) {
            let escaped = Escaped::text(&text);
            let read: String = tokens(escaped.as_str())
                .map(|token| match token {
                    Token::Text(text) => text,
                    Token::Open(..) | Token::Close(_) => "a tag",
                })
                .collect();
            prop_assert_eq!(read, escaped.as_str());
        }

        #[test]
        fn any_text_is_read(text in "[a-z</> \"=]{0,60}") {
            tokens(&text).count();
        }
    }
}
