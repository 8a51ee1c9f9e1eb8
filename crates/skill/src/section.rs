//! The sections of a skill's body, so that a part of it can be shown.
//!
//! Markdown's parser decides what is a heading: one in a code block, a comment, a list or a
//! quotation begins no section.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A heading and what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The level of the heading, 1 to 6.
    pub level: u8,
    /// The text of the heading.
    pub title: String,
    /// The bytes of the body from the heading to the next one of its level or above.
    pub bytes: Range<usize>,
    /// The line of the heading within the body, counted from one.
    pub line: usize,
}

/// Returns the sections of a body, in order; those below another lie within its bytes.
pub fn sections(body: &str) -> Vec<Section> {
    let mut sections = headings(body);
    let mut end_of_level = [body.len(); 7];
    for section in sections.iter_mut().rev() {
        let level = usize::from(section.level);
        section.bytes.end = end_of_level.get(level).copied().unwrap_or(body.len());
        for end in end_of_level.iter_mut().skip(level) {
            *end = section.bytes.start;
        }
    }
    sections
}

/// Finds a section by its title, whatever the case; a beginning that only one title has is enough.
pub fn section(body: &str, title: &str) -> Option<Section> {
    let wanted = title.trim().to_lowercase();
    let mut sections = sections(body);
    let titles: Vec<_> = sections.iter().map(|section| section.title.to_lowercase()).collect();
    let mut beginning = titles.iter().enumerate().filter(|(_, title)| title.starts_with(&wanted));
    let found = titles.iter().position(|title| *title == wanted).or_else(|| {
        let (first, _) = beginning.next().filter(|_| !wanted.is_empty())?;
        beginning.next().is_none().then_some(first)
    })?;
    Some(sections.swap_remove(found))
}

/// Returns the headings at the top of the document, each with the bytes of its own line only.
fn headings(body: &str) -> Vec<Section> {
    let mut headings = Vec::new();
    let mut open: Option<Section> = None;
    // Lists and quotations around the event.
    let mut containers = 0_usize;
    let (mut line, mut counted) = (1, 0);
    for (event, bytes) in Parser::new_ext(body, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if containers == 0 => {
                line += body.get(counted..bytes.start).unwrap_or_default().matches('\n').count();
                counted = bytes.start;
                open = Some(Section { level: level as u8, title: String::new(), bytes, line });
            }
            Event::End(TagEnd::Heading(_)) => headings.extend(open.take()),
            Event::Start(Tag::Item | Tag::BlockQuote(_)) => containers += 1,
            Event::End(TagEnd::Item | TagEnd::BlockQuote(_)) => {
                containers = containers.saturating_sub(1);
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(section) = &mut open {
                    section.title.push_str(&text);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(section) = &mut open {
                    section.title.push(' ');
                }
            }
            Event::Start(_)
            | Event::End(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }
    headings
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BODY: &str = "\
before
# Using `it` *well*

## When to use
text
```sh
# not a heading
```
### Details
- # in a list
> ## quoted

## When not to
no
Underlined
==========
end
";

    fn told(body: &str) -> String {
        let lines = sections(body).into_iter().map(|Section { level, title, bytes, line }| {
            format!("{line} {level} {title:?} {:?}", body.get(bytes))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn sections_reach_to_the_next_heading_of_their_level() {
        insta::assert_snapshot!(told(BODY), @r####"
        2 1 "Using it well" Some("# Using `it` *well*\n\n## When to use\ntext\n```sh\n# not a heading\n```\n### Details\n- # in a list\n> ## quoted\n\n## When not to\n")
        4 2 "When to use" Some("## When to use\ntext\n```sh\n# not a heading\n```\n### Details\n- # in a list\n> ## quoted\n\n")
        9 3 "Details" Some("### Details\n- # in a list\n> ## quoted\n\n")
        13 2 "When not to" Some("## When not to\n")
        14 1 "no Underlined" Some("no\nUnderlined\n==========\nend\n")
        "####);
    }

    #[test]
    fn a_section_is_found_by_its_title_or_a_unique_beginning() {
        let found = |title| section(BODY, title).map(|section| section.line);
        assert_eq!(found("WHEN TO USE"), Some(4));
        assert_eq!(found("when n"), Some(13));
        assert_eq!(found("when"), None);
        assert_eq!(found("not a heading"), None);
        assert_eq!(found("  "), None);
    }

    proptest! {
        #[test]
        fn every_section_begins_and_ends_in_the_body(body in "([#=`>*-]{1,3} ?|[a-zé]{1,3}|\r?\n){0,40}") {
            for section in sections(&body) {
                let text = body.get(section.bytes.clone());
                prop_assert!(text.is_some_and(|text| !text.is_empty()), "{:?}", section);
                let before = body.bytes().take(section.bytes.start).filter(|byte| *byte == b'\n').count();
                prop_assert_eq!(before + 1, section.line);
            }
        }
    }
}
