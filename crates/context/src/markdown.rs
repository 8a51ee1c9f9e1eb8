//! Notes as Markdown, for hosts that take the brackets of tags away.
//!
//! A tag becomes a heading and what stands in it is marked at the beginning of every line, so that no
//! line of somebody else's text can pass for a heading of ours. Nothing is added or left out.

use std::fmt::Write as _;

/// How the notes of a beginning begin in this form; hosts look for it to see whether a request still
/// holds them.
pub const MARK: &str = "# pacenote: ";

/// How what is new begins: other words, for it must not be taken for the notes of the beginning.
pub const NEWS: &str = "# new in pacenote: ";

/// What stands before each line of a text.
const LINE: &str = "| ";

/// What ends the notes.
const END: &str = "# end of pacenote";

/// Writes notes that were assembled as tags as Markdown; `mark` is [`MARK`] or [`NEWS`].
pub fn markdown(notes: &str, mark: &str) -> String {
    let mut written = String::with_capacity(notes.len() + notes.len() / 8);
    let mut depth: usize = 0;
    for token in tokens(notes) {
        match token {
            Token::Open(tag) => {
                depth += 1;
                written.push_str(&heading(tag, depth, mark));
            }
            Token::Close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    written.push_str(END);
                }
            }
            Token::Text(text) => push_lines(&mut written, text),
        }
    }
    written
}

/// A piece of notes.
enum Token<'a> {
    /// What stands between the brackets of a tag that opens.
    Open(&'a str),
    Close,
    Text(&'a str),
}

/// Splits notes at their tags. Every bracket in them is one of ours: those of others are spelled out.
fn tokens(notes: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = notes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let tag = rest.strip_prefix('<').and_then(|inner| inner.split_once('>'));
        if let Some((tag, after)) = tag {
            rest = after;
            return Some(if tag.starts_with('/') { Token::Close } else { Token::Open(tag) });
        }
        // A bracket that opens no tag is text, as far as it can be told.
        let skipped = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest.get(skipped..).and_then(|after| after.find('<'));
        let (text, after) = rest.split_at(end.map_or(rest.len(), |end| end + skipped));
        rest = after;
        Some(Token::Text(text))
    })
}

/// Returns the heading of an element: `## skill (trust: project, name: x)`.
fn heading(tag: &str, depth: usize, mark: &str) -> String {
    let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
    let attributes: Vec<(&str, String)> = attributes_in(attributes);
    if name == "pacenote" {
        let value = |wanted: &str| {
            attributes.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.as_str())
        };
        let mut heading = format!("{mark}{}", value("project").unwrap_or_default());
        if let (Some(part), Some(of)) = (value("part"), value("of")) {
            write!(heading, " (part {part} of {of})").ok();
        }
        return heading + "\n";
    }
    let said: Vec<String> =
        attributes.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let said = if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) };
    format!("{} {name}{said}\n", "#".repeat(depth))
}

/// Reads `a="x" b="y"`; values are on one line and hold no quotation marks of their own.
fn attributes_in(text: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((name, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').unwrap_or((after, ""));
        found.push((name.trim(), unescaped(value).replace(['\n', '\r'], " ")));
        rest = after;
    }
    found
}

fn push_lines(written: &mut String, text: &str) {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    if text.is_empty() {
        return;
    }
    for line in unescaped(text).split('\n') {
        written.push_str(if line.is_empty() { LINE.trim_end() } else { LINE });
        written.push_str(line);
        written.push('\n');
    }
}

/// Spells what was spelled out by name as it is again.
fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::escape::{Escaped, TagName, element};

    fn notes(project: &str, body: &str) -> String {
        let identity = element(TagName::Identity, &[("trust", "system")], &Escaped::text(body));
        let skill = element(
            TagName::Skill,
            &[("trust", "project"), ("name", project)],
            &Escaped::text(body),
        );
        let inner = identity.then("\n", &skill);
        element(TagName::Pacenote, &[("project", project)], &inner).as_str().to_owned()
    }

    #[test]
    fn tags_become_headings_and_texts_are_marked() {
        insta::assert_snapshot!(markdown(&notes("shop", "a < b && c\n\n# not ours\n| nor this"), MARK), @"
        # pacenote: shop
        ## identity (trust: system)
        | a < b && c
        |
        | # not ours
        | | nor this
        ## skill (trust: project, name: shop)
        | a < b && c
        |
        | # not ours
        | | nor this
        # end of pacenote
        ");
    }

    proptest! {
        /// Whatever others wrote, the headings are ours: one for each element and the last line.
        #[test]
        fn no_text_makes_a_heading(project in "[a-z<>&\"# ]{1,12}", body in any::<String>()) {
            let written = markdown(&notes(&project, &body), NEWS);
            let headings = written.lines().filter(|line| line.starts_with('#')).count();
            prop_assert_eq!(headings, 4, "{}", written);
            let is_known = |line: &str| line.is_empty() || line.starts_with(['#', '|']);
            prop_assert!(written.lines().all(is_known), "{}", written);
        }

        #[test]
        fn any_text_is_borne(text in any::<String>()) {
            markdown(&text, MARK);
        }
    }
}
