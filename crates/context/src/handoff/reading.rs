//! Reading a handoff document back, however it was edited.

use pacenote_model::Handoff;

use super::{
    BRANCH, COMMIT, LIST_ITEMS, MORE, MORE_END, Slot, TITLE, Topic, literal::read_literal, slot,
    tidy,
};
use crate::quotation::unquoted;

/// Reads a document. The order of sections does not matter, and one that comes twice is read as one.
/// What stands under no heading of ours, or is not Markdown at all, says where things stand.
pub fn parse(text: &str) -> Handoff {
    let mut handoff = Handoff::default();
    let mut topic = Topic::CurrentState;
    for line in text.lines() {
        if is_title(line) {
            topic = Topic::CurrentState;
        } else if let Some(heading) = heading_of(line) {
            let known = Topic::ALL
                .into_iter()
                .find(|topic| topic.heading().eq_ignore_ascii_case(heading.trim()));
            topic = known.unwrap_or(Topic::CurrentState);
            if known.is_none() {
                take(slot(&mut handoff, topic), line);
            }
        } else {
            take(slot(&mut handoff, topic), line);
        }
    }
    for topic in Topic::ALL {
        tidy(&mut slot(&mut handoff, topic));
    }
    handoff
}

/// Reports whether a line is the title that we write above a document.
fn is_title(line: &str) -> bool {
    line.strip_prefix(TITLE).is_some_and(|rest| rest.starts_with(' '))
}

/// Returns the words of a heading that begins a section; deeper ones belong to the text.
fn heading_of(line: &str) -> Option<&str> {
    let words = line.strip_prefix("##").or_else(|| line.strip_prefix('#'))?;
    let ends_the_marks = words.is_empty() || words.starts_with([' ', '\t']);
    ends_the_marks.then_some(words)
}

/// Adds a line to what was read of its section.
fn take(slot: Slot<'_>, line: &str) {
    match slot {
        Slot::Text(text) => add_line(text, line),
        Slot::Passage(text) => add_line(text.get_or_insert_default(), line),
        Slot::List(items) => take_item(items, line),
        Slot::Git { branch, commit } => {
            let (name, value) = match item_of(line).unwrap_or(line).split_once(':') {
                Some((name, value)) => (name.trim(), value_of(value.trim())),
                None => return,
            };
            if name.eq_ignore_ascii_case(BRANCH) {
                *branch = Some(value);
            } else if name.eq_ignore_ascii_case(COMMIT) {
                *commit = Some(value);
            }
        }
    }
}

fn add_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    // Versions before this one quoted such lines as Markdown does.
    let literal = item_of(line).and_then(|item| read_literal(&restored(item)));
    text.push_str(&literal.unwrap_or_else(|| restored(unquoted(line).unwrap_or(line))));
}

/// Begins an item, or goes on with the last one.
fn take_item(items: &mut Vec<String>, line: &str) {
    match item_of(line) {
        // Only after a full list can this be our own count and not somebody's words.
        Some(item) if items.len() == LIST_ITEMS && is_count(item) => {}
        Some(item) => items.push(value_of(item)),
        None if line.trim().is_empty() => {}
        None => match items.last_mut() {
            Some(last) => {
                last.push(' ');
                last.push_str(&restored(line));
            }
            None => items.push(restored(line)),
        },
    }
}

/// Returns what follows `+ `, `- `, `* ` or `1. ` at the beginning of a line.
fn item_of(line: &str) -> Option<&str> {
    if let Some(item) = ["+ ", "- ", "* "].iter().find_map(|bullet| line.strip_prefix(bullet)) {
        return Some(item);
    }
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = digits.len() < line.len();
    digits.strip_prefix(". ").filter(|_| is_numbered)
}

fn is_count(item: &str) -> bool {
    let count = item.strip_prefix(MORE).and_then(|rest| rest.strip_suffix(MORE_END));
    count.is_some_and(|count| count.parse::<usize>().is_ok())
}

/// Returns the text of an item: a literal of ours, or words as a person writes them.
fn value_of(item: &str) -> String {
    let said = restored(item);
    read_literal(&said).unwrap_or(said)
}

/// Undoes what makes a text harmless.
fn restored(text: &str) -> String {
    // In this order: what was an entity before is found behind `&amp;` only.
    text.replace("&lt;", "<").replace("&amp;", "&")
}
