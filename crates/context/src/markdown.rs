//! Notes as Markdown, for hosts that take the brackets of tags away.
//!
//! A tag becomes a heading and what stands in it is marked at the beginning of every line, so that no
//! line of somebody else's text can pass for a heading of ours. Nothing is added or left out.

use std::fmt::Write as _;

use crate::{
    escape::{CURRENT_MARK, Tag},
    tokens::{Token, attributes_in, tokens},
};

/// How the notes of a beginning begin in this form; hosts look for it to see whether a request still
/// holds them.
pub const MARK: &str = "# pacenote: ";

/// How what is new begins: other words, for it must not be taken for the notes of the beginning.
pub const NEWS: &str = "# new in pacenote: ";

/// What stands before each line of a text.
const LINE: &str = "| ";

/// What ends the notes.
const END: &str = "# end of pacenote";

/// How a host hands angle brackets to its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brackets {
    Kept,
    /// Spelled as entities, which a reader of code has to know.
    Spelled,
}

/// What is said of them.
const SPELLED: &str = " (&lt; and &gt; stand for angle brackets)";

/// Writes notes that were assembled as tags as Markdown; `mark` is [`MARK`] or [`NEWS`].
pub fn markdown(notes: &str, mark: &str, brackets: Brackets) -> String {
    let is_spelled = brackets == Brackets::Spelled && has_brackets(notes);
    let about_brackets = if is_spelled { SPELLED } else { "" };
    let mut written = String::with_capacity(notes.len() + notes.len() / 8);
    let mut depth: usize = 0;
    for token in tokens(notes) {
        match token {
            Token::Open(tag, attributes) => {
                depth += 1;
                written.push_str(&heading(tag, attributes, depth, mark));
                if tag == Tag::PACENOTE && !about_brackets.is_empty() {
                    written.truncate(written.trim_end_matches('\n').len());
                    written.push_str(about_brackets);
                    written.push('\n');
                }
            }
            Token::Close(_) => {
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

/// Reports whether a text in notes has angle brackets besides the mark of the current task.
fn has_brackets(notes: &str) -> bool {
    tokens(notes).any(|token| match token {
        Token::Text(text) => text.replace(CURRENT_MARK, "").contains(['<', '>']),
        Token::Open(..) | Token::Close(_) => false,
    })
}

/// Returns the heading of an element: `## skill (trust: project, name: x)`.
fn heading(tag: Tag, attributes: &str, depth: usize, mark: &str) -> String {
    let readable = |(name, value)| (name, unescaped(value).replace(['\n', '\r'], " "));
    let attributes: Vec<(&str, String)> =
        attributes_in(attributes).into_iter().map(readable).collect();
    if tag == Tag::PACENOTE {
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
        attributes.iter().map(|(name, value)| format!("{name}: {}", unescaped(value))).collect();
    let said = if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) };
    format!("{} {}{said}\n", "#".repeat(depth), tag.word())
}

fn push_lines(written: &mut String, text: &str) {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    if text.is_empty() {
        return;
    }
    for line in text.split('\n') {
        written.push_str(if line.is_empty() { LINE.trim_end() } else { LINE });
        written.push_str(line);
        written.push('\n');
    }
}

/// Spells an attribute as it was before it was escaped.
fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        escape::{Escaped, element},
        fragment::FragmentKind,
    };

    fn notes(project: &str, body: &str) -> String {
        let identity =
            element(FragmentKind::IDENTITY.tag(), &[("trust", "system")], &Escaped::text(body));
        let skill = element(
            FragmentKind::SKILL.tag(),
            &[("trust", "project"), ("name", project)],
            &Escaped::text(body),
        );
        let inner = identity.then("\n", &skill);
        element(Tag::PACENOTE, &[("project", project)], &inner).as_str().to_owned()
    }

    #[test]
    fn tags_become_headings_and_texts_are_marked() {
        insta::assert_snapshot!(markdown(&notes("shop", "a < b && c\n\n# not ours\n| nor this"), MARK, Brackets::Kept), @"
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

    #[test]
    fn a_reader_of_spelled_brackets_is_warned() {
        let first = |body: &str, brackets| {
            let written = markdown(&notes("shop", body), MARK, brackets);
            written.lines().next().unwrap().to_owned()
        };
        let plain = "# pacenote: shop";
        let warned = "# pacenote: shop (&lt; and &gt; stand for angle brackets)";
        assert_eq!(first("Vec<Task>", Brackets::Spelled), warned);
        assert_eq!(first("a > b", Brackets::Spelled), warned);
        assert_eq!(first("Vec<Task>", Brackets::Kept), plain);
        // In a title it is an entity from the beginning.
        assert_eq!(first("Add login  <-- CURRENT", Brackets::Spelled), plain);
        assert_eq!(first("a && b", Brackets::Spelled), plain);
    }

    proptest! {
        /// Whatever others wrote, the headings are ours: one for each element and the last line.
        #[test]
        fn no_text_makes_a_heading(project in "[a-z<>&\"# ]{1,12}", body in any::<String>()) {
            let written = markdown(&notes(&project, &body), NEWS, Brackets::Spelled);
            let headings = written.lines().filter(|line| line.starts_with('#')).count();
            prop_assert_eq!(headings, 4, "{}", written);
            let is_known = |line: &str| line.is_empty() || line.starts_with(['#', '|']);
            prop_assert!(written.lines().all(is_known), "{}", written);
        }

        #[test]
        fn any_text_is_borne(text in any::<String>()) {
            markdown(&text, MARK, Brackets::Spelled);
        }
    }
}
