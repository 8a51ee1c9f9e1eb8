//! Appending members to containers in the manner of the text around them.

mod style;

use self::style::{Layout, Style, indent_at, is_at_line_start, is_on_its_own_line};
use super::{
    Document, Span, Value,
    trivia::{Follows, last_blank},
};

/// A value that is not written yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Draft {
    Object(Vec<Addition>),
    Array(Vec<Addition>),
    String(String),
    Number(u32),
}

/// A member that is not written yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Addition {
    key: Option<&'static str>,
    value: Draft,
}

impl Addition {
    /// Drafts a member of an object.
    pub(crate) fn keyed(key: &'static str, value: Draft) -> Self {
        Self { key: Some(key), value }
    }

    /// Drafts an item of an array.
    pub(crate) fn item(value: Draft) -> Self {
        Self { key: None, value }
    }
}

/// Text to put in somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Insertion {
    at: usize,
    text: String,
}

/// Returns what has to be put in for members to stand at the end of a container.
pub(crate) fn append(
    document: &Document<'_>,
    container: &Value,
    additions: &[Addition],
) -> Vec<Insertion> {
    let Document { text, .. } = document;
    let mut insertions = Vec::new();
    let last = container.members.last();
    let ends_with_comma = last.is_some_and(|last| last.comma.is_some());
    if let Some(last) = last.filter(|_| !ends_with_comma) {
        // Right behind the value, for behind a comment it would be part of the comment.
        insertions.push(Insertion { at: last.value.span.end, text: ",".to_owned() });
    }
    let mut pen = Pen { written: String::new(), style: Style::of(document) };
    let blank = last_blank(text, container.closing_gap());
    let mut place = Place::in_container(text, container, &pen.style, blank.span);
    if blank.follows == Follows::LineComment && !place.lead.contains('\n') {
        place.lead = format!("{}{}", pen.style.newline, indent_at(text, container.span.start));
    }
    pen.members(additions, &place.lead, &place.layout);
    if ends_with_comma {
        pen.written.push(',');
    }
    pen.written.push_str(&place.tail);
    insertions.push(Insertion { at: blank.span.start, text: pen.written });
    insertions
}

/// Returns what has to be put into a text without any value for it to hold this one.
pub(crate) fn create(document: &Document<'_>, value: &Draft) -> Insertion {
    let Document { text, .. } = document;
    let mut pen = Pen { written: String::new(), style: Style::of(document) };
    let newline = pen.style.newline;
    if !is_at_line_start(text) {
        pen.written.push_str(newline);
    }
    pen.value(value, &Layout::Lines { indent: String::new() });
    pen.written.push_str(newline);
    Insertion { at: text.len(), text: pen.written }
}

/// Puts texts in; of two at the same place the first comes first.
pub(crate) fn insert_all(text: &str, mut insertions: Vec<Insertion>) -> String {
    insertions.sort_by_key(|insertion| insertion.at);
    let mut whole = String::with_capacity(text.len());
    let mut at = 0;
    for insertion in insertions {
        whole.push_str(Span { start: at, end: insertion.at }.of(text));
        whole.push_str(&insertion.text);
        at = insertion.at;
    }
    whole.push_str(Span { start: at, end: text.len() }.of(text));
    whole
}

/// How members are put into a container.
struct Place {
    layout: Layout,
    /// What comes before the first of them.
    lead: String,
    /// What comes behind the last.
    tail: String,
}

impl Place {
    fn in_container(text: &str, container: &Value, style: &Style, blank: Span) -> Self {
        if let Some(neighbour) = container.members.last() {
            let start = neighbour.span().start;
            let layout = if is_on_its_own_line(text, start) {
                Layout::Lines { indent: indent_at(text, start).to_owned() }
            } else {
                Layout::OneLine
            };
            return Self { lead: layout.between(style), layout, tail: String::new() };
        }
        if style.one_line {
            return Self { layout: Layout::OneLine, lead: String::new(), tail: String::new() };
        }
        let outer = Layout::Lines { indent: indent_at(text, container.span.start).to_owned() };
        let layout = outer.deeper(style);
        let closes_on_its_own_line = blank.of(text).contains('\n');
        let tail = if closes_on_its_own_line { String::new() } else { outer.beside_bracket(style) };
        Self { lead: layout.beside_bracket(style), layout, tail }
    }
}

/// Writes drafts.
struct Pen {
    written: String,
    style: Style,
}

impl Pen {
    fn members(&mut self, members: &[Addition], lead: &str, layout: &Layout) {
        for (index, member) in members.iter().enumerate() {
            if index == 0 {
                self.written.push_str(lead);
            } else {
                self.written.push(',');
                self.written.push_str(&layout.between(&self.style));
            }
            if let Some(key) = member.key {
                self.string(key);
                self.written.push_str(self.style.colon);
            }
            self.value(&member.value, layout);
        }
    }

    fn value(&mut self, value: &Draft, layout: &Layout) {
        match value {
            Draft::Object(members) => self.container(['{', '}'], members, layout),
            Draft::Array(items) => self.container(['[', ']'], items, layout),
            Draft::String(text) => self.string(text),
            Draft::Number(number) => self.written.push_str(&number.to_string()),
        }
    }

    fn container(&mut self, [open, close]: [char; 2], members: &[Addition], layout: &Layout) {
        let inner = layout.deeper(&self.style);
        self.written.push(open);
        self.members(members, &inner.beside_bracket(&self.style), &inner);
        self.written.push_str(&layout.beside_bracket(&self.style));
        self.written.push(close);
    }

    fn string(&mut self, text: &str) {
        self.written.push_str(&serde_json::Value::from(text).to_string());
    }
}
