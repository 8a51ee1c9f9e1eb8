//! The sections of a long text as items, and the line that names those left out.

use std::{borrow::Cow, collections::BTreeMap};

use pacenote_model::{Trust, limits};

use crate::{
    escape::Escaped,
    fragment::{FragmentKind, Item, ItemId},
    section::Section,
    wording::{counted, one_line},
};

/// Longest title in a name or a list, in characters.
const TITLE_CHARACTERS: usize = 80;

/// Most sections named in one line; a longer list is no longer read.
const NAMED_SECTIONS: usize = 8;

/// Returns the sections as items. Two of one title are told apart by number.
pub(super) fn items_of(
    kind: FragmentKind,
    name: &str,
    sections: &[Section],
    trust: Trust,
) -> Vec<Item> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    bounded(sections)
        .into_iter()
        .map(|(section, text)| {
            let title = one_line(&section.title, TITLE_CHARACTERS);
            let count = seen.entry(title.clone()).or_default();
            *count += 1;
            let place = match (title.is_empty(), *count) {
                (true, 1) => String::new(),
                (_, 1) => format!("#{title}"),
                (_, count) => format!("#{title} ({count})"),
            };
            Item {
                id: ItemId::of(kind, format_args!("{name}{place}")),
                label: sayable(&title),
                text: Escaped::body(&text, trust),
            }
        })
        .collect()
}

/// Returns the sections that say anything.
pub(super) fn told(sections: &[Section]) -> impl Iterator<Item = &Section> {
    sections.iter().filter(|section| says_something(section))
}

/// Reports whether a section says anything.
pub(super) fn says_something(section: &Section) -> bool {
    !section.text.trim().is_empty()
}

/// Says which sections were left out, such as `not shown: "Steps", "Examples" and 3 sections more`.
pub(super) fn naming(left_out: &[&Item]) -> String {
    let named: Vec<String> = left_out
        .iter()
        .filter(|item| !item.label.is_empty())
        .take(NAMED_SECTIONS)
        .map(|item| format!("\"{}\"", item.label))
        .collect();
    match (named.is_empty(), left_out.len() - named.len()) {
        (true, rest) => format!("not shown: {}", counted(rest, "section")),
        (false, 0) => format!("not shown: {}", named.join(", ")),
        (false, rest) => {
            format!("not shown: {} and {} more", named.join(", "), counted(rest, "section"))
        }
    }
}

/// Joins what comes after the last section that counts by itself to that one.
fn bounded(sections: &[Section]) -> Vec<(&Section, Cow<'_, str>)> {
    let mut sections = told(sections);
    let own = sections.by_ref().take(limits::TEXT_SECTIONS);
    let mut bounded: Vec<_> =
        own.map(|section| (section, Cow::Borrowed(section.text.as_str()))).collect();
    if let Some((_, last)) = bounded.last_mut() {
        for section in sections {
            let last = last.to_mut();
            if !last.ends_with('\n') {
                last.push('\n');
            }
            last.push_str(&section.text);
        }
    }
    bounded
}

/// Returns as much of a title as may stand in a command that somebody types after us.
///
/// A heading such as `$(rm -rf ~)` must not become part of one. The beginning of a title is enough
/// to find its section.
fn sayable(title: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || " -_.,:+/()".contains(c);
    let plain: String = title.chars().take_while(|c| is_plain(*c)).collect();
    plain.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(title: &str, text: &str) -> Section {
        Section { title: title.to_owned(), level: 2, text: text.to_owned() }
    }

    #[test]
    fn items_are_named_after_their_titles() {
        let sections = [
            section("", "\nbefore\n\n"),
            section("Steps", "## Steps\n1. go\n"),
            section("Steps", "## Steps\n2. stop\n"),
            section("Empty", " \n"),
            section("Use `$(it)` well", "## Use `$(it)` well\n"),
        ];
        let items = items_of(FragmentKind::SKILL, "plans", &sections, Trust::Foreign);
        let told = items
            .iter()
            .map(|item| format!("{} | {} | {:?}", item.id, item.label, item.text.as_str()));
        insta::assert_snapshot!(told.collect::<Vec<_>>().join("\n"), @r###"
        skill:plans |  | "before"
        skill:plans#Steps | Steps | "## Steps\n1. go"
        skill:plans#Steps (2) | Steps | "## Steps\n2. stop"
        skill:plans#Use `$(it)` well | Use | "## Use `$(it)` well"
        "###);
        let all: Vec<&Item> = items.iter().collect();
        assert_eq!(naming(&all), "not shown: \"Steps\", \"Steps\", \"Use\" and 1 section more");
        assert_eq!(naming(&all[..1]), "not shown: 1 section");
        assert_eq!(naming(&all[1..2]), "not shown: \"Steps\"");
    }

    #[test]
    fn a_text_of_very_many_sections_loses_none_of_them() {
        let many: Vec<Section> =
            (0..1000).map(|n| section(&n.to_string(), &format!("## {n}"))).collect();
        let items = items_of(FragmentKind::SKILL, "many", &many, Trust::System);
        assert_eq!(items.len(), limits::TEXT_SECTIONS);
        let text: Vec<&str> = items.iter().flat_map(|item| item.text.as_str().lines()).collect();
        assert_eq!(text.len(), 1000);
        assert_eq!(text.last(), Some(&"## 999"));
    }
}
