//! The frontmatter line by line, for what the parser refuses.
//!
//! Each key is first given to the parser by itself, so that one unquoted colon costs nothing but
//! the value it stands in. What is still refused is read as it looks to a person: a text, a block
//! of text, a list, or keys one level down.

use crate::{
    finding::{Finding, Problem},
    strict::{self, Entry},
    value::Value,
};

/// Most keys of one level. The longest real frontmatter has forty.
const KEYS: usize = 256;

/// Longest word before a colon that is taken for a key.
const KEY_BYTES: usize = 64;

/// Levels of keys below the first that are read; deeper ones stay text.
const LEVELS: usize = 2;

/// Spaces that a tab counts for.
const TAB: &str = "  ";

/// Reads the keys of a frontmatter whose first line is the given one of the file.
pub(crate) fn parse(head: &str, first_line: usize, findings: &mut Vec<Finding>) -> Vec<Entry> {
    let told = findings.len();
    let mut lines = Vec::new();
    for (index, raw) in head.split('\n').enumerate() {
        let number = first_line + index;
        let text = raw.trim();
        let indentation = raw.strip_suffix(raw.trim_start()).unwrap_or_default();
        if indentation.contains('\t') && !text.is_empty() {
            findings.push(Finding::reading(Problem::TabIndentation, Some(number)));
        }
        let indent = indentation.replace('\t', TAB).chars().count();
        lines.push(Line { number, indent, text });
    }
    let entries = Reader { findings }.entries(&lines, LEVELS);
    if let Some(own) = findings.get_mut(told..) {
        own.sort_by_key(|finding| finding.line);
    }
    entries
}

/// Tells whether the first line with words in it has a key.
pub(crate) fn begins_with_key(head: &str) -> bool {
    head.split('\n')
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#'))
        .is_some_and(|line| key_and_value(line).is_some())
}

/// A line without its indentation.
#[derive(Clone, Copy)]
struct Line<'h> {
    number: usize,
    indent: usize,
    text: &'h str,
}

impl Line<'_> {
    fn has_words(&self) -> bool {
        !self.text.is_empty() && !self.text.starts_with('#')
    }

    fn is_item(&self) -> bool {
        self.text == "-" || self.text.starts_with("- ")
    }
}

/// A key with what follows the colon and the lines that belong to it.
struct Group<'h> {
    key: &'h str,
    line: usize,
    value: &'h str,
    lines: Vec<Line<'h>>,
}

struct Reader<'f> {
    findings: &'f mut Vec<Finding>,
}

impl Reader<'_> {
    fn find(&mut self, problem: Problem, line: usize) {
        self.findings.push(Finding::reading(problem, Some(line)));
    }

    fn entries(&mut self, lines: &[Line<'_>], levels: usize) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        for group in self.groups(lines) {
            if entries.len() == KEYS {
                self.find(Problem::TooManyKeys { most: KEYS }, group.line);
                break;
            }
            let key = unquoted(group.key).to_owned();
            if entries.iter().any(|entry| entry.key == key) {
                self.find(Problem::DuplicateKey { key }, group.line);
                continue;
            }
            let value = parsed_alone(&group).unwrap_or_else(|| self.repaired(&key, &group, levels));
            entries.push(Entry { key, line: group.line, value });
        }
        entries
    }

    /// Divides lines at those that have a key and are indented like the first of them.
    fn groups<'h>(&mut self, lines: &[Line<'h>]) -> Vec<Group<'h>> {
        let mut groups: Vec<Group<'h>> = Vec::new();
        let mut level = None;
        for line in lines {
            let outermost = line.has_words() && line.indent <= *level.get_or_insert(line.indent);
            let pair = if outermost { key_and_value(line.text) } else { None };
            match (pair, groups.last_mut()) {
                (Some((key, value)), _) => {
                    groups.push(Group { key, line: line.number, value, lines: Vec::new() });
                }
                (None, Some(group)) if !outermost || line.is_item() => group.lines.push(*line),
                // One word is a name, and no sentence that a line could continue.
                (None, Some(group)) if group.value.contains(' ') => {
                    group.lines.push(*line);
                    let key = unquoted(group.key).to_owned();
                    self.find(Problem::UnindentedLine { key }, line.number);
                }
                (None, Some(_)) => self.find(Problem::StrayLine, line.number),
                (None, None) if line.has_words() => {
                    level = None;
                    self.find(Problem::StrayLine, line.number);
                }
                (None, None) => {
                    // Blank lines before the first key decide nothing.
                    level = None;
                }
            }
        }
        groups
    }

    /// Reads a value as it looks, and says so unless its own keys do.
    fn repaired(&mut self, key: &str, group: &Group<'_>, levels: usize) -> Value {
        let value = self.value(group, levels);
        if !matches!(value, Value::Map(_)) {
            self.find(Problem::RepairedValue { key: key.to_owned() }, group.line);
        }
        value
    }

    fn value(&mut self, group: &Group<'_>, levels: usize) -> Value {
        if let Some(style) = block_style(group.value) {
            return Value::Text(block(&group.lines, style));
        }
        let words: Vec<_> = group.lines.iter().filter(|line| line.has_words()).copied().collect();
        if !group.value.is_empty() {
            if let Some(items) = bracketed(group.value).filter(|_| words.is_empty()) {
                return Value::List(items);
            }
            return Value::Text(joined(group.value, &words));
        }
        match words.first() {
            None => Value::Null,
            Some(first) if first.is_item() => Value::List(items(&words)),
            Some(first) if levels > 0 && key_and_value(first.text).is_some() => {
                let entries = self.entries(&group.lines, levels - 1);
                Value::Map(entries.into_iter().map(|entry| (entry.key, entry.value)).collect())
            }
            Some(_) => Value::Text(joined("", &words)),
        }
    }
}

/// Lets the parser read one key by itself.
fn parsed_alone(group: &Group<'_>) -> Option<Value> {
    let mut text = format!("{}: {}", group.key, group.value);
    for line in &group.lines {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', line.indent));
        text.push_str(line.text);
    }
    let mut entries = strict::parse(&text).ok()?;
    let entry = entries.pop()?;
    entries.is_empty().then_some(entry.value)
}

/// Divides a line into a key and what follows its colon.
///
/// A key is one word, or anything in quotes; the colon is followed by a space or nothing, or the
/// key is an ordinary word (`name:value`).
fn key_and_value(text: &str) -> Option<(&str, &str)> {
    let quotation = ['"', '\''].into_iter().find_map(|mark| {
        let end = text.strip_prefix(mark)?.find(mark)? + 2;
        text.split_at_checked(end)
    });
    if let Some((key, rest)) = quotation {
        return Some((key, rest.trim_start().strip_prefix(':')?.trim_start()));
    }
    let (key, value) = text.split_once(':')?;
    let key = key.trim_end();
    let is_word = |c: char| c.is_alphanumeric() || "_-./+$".contains(c);
    let fits = key.len() <= KEY_BYTES
        && key.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '+' || c == '$')
        && key.chars().all(is_word);
    let separated = value.is_empty() || value.starts_with([' ', '\t']);
    // `https://…` on a line of its own is no key.
    (fits && (separated || !value.starts_with('/'))).then(|| (key, value.trim_start()))
}

/// How a block of text is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `|`: line by line.
    Literal,
    /// `>`: lines joined to paragraphs.
    Folded,
}

fn block_style(value: &str) -> Option<Style> {
    let header = value.split(" #").next().unwrap_or(value).trim_end();
    let style = match header.chars().next()? {
        '|' => Style::Literal,
        '>' => Style::Folded,
        _ => return None,
    };
    header.chars().skip(1).all(|c| c == '-' || c == '+' || c.is_ascii_digit()).then_some(style)
}

fn block(lines: &[Line<'_>], style: Style) -> String {
    let level = lines.iter().filter(|line| !line.text.is_empty()).map(|line| line.indent).min();
    let mut text = String::new();
    for line in lines {
        match style {
            Style::Literal => {
                let deeper = line.indent.saturating_sub(level.unwrap_or_default());
                text.extend(std::iter::repeat_n(' ', deeper));
                text.push_str(line.text);
                text.push('\n');
            }
            Style::Folded if line.text.is_empty() => text.push('\n'),
            Style::Folded => {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push(' ');
                }
                text.push_str(line.text);
            }
        }
    }
    text.trim().to_owned()
}

/// Joins lines to one text and takes the quotes off.
fn joined(first: &str, lines: &[Line<'_>]) -> String {
    let mut text = first.to_owned();
    for line in lines {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line.text);
    }
    unquoted(&text).to_owned()
}

/// Reads items that begin with `- `; a line without it continues the item above.
fn items(lines: &[Line<'_>]) -> Vec<Value> {
    let mut items: Vec<String> = Vec::new();
    for line in lines {
        match (line.text.strip_prefix('-').filter(|_| line.is_item()), items.last_mut()) {
            (Some(item), _) => items.push(item.trim().to_owned()),
            (None, Some(item)) => {
                item.push(' ');
                item.push_str(line.text);
            }
            (None, None) => {}
        }
    }
    items.iter().map(|item| Value::Text(unquoted(item).to_owned())).collect()
}

/// Divides `[a, b[c], d]` at its commas; `[a] [b]` is no list.
fn bracketed(value: &str) -> Option<Vec<Value>> {
    let inner = value.strip_prefix('[')?.strip_suffix(']')?;
    let mut depth = 0_usize;
    for character in inner.chars() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    let items = inner.split(',').map(str::trim).filter(|item| !item.is_empty());
    (depth == 0).then(|| items.map(|item| Value::Text(unquoted(item).to_owned())).collect())
}

/// Takes off the quotes around a text, or one that was never closed.
fn unquoted(text: &str) -> &str {
    for mark in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(mark) {
            return inner.strip_suffix(mark).unwrap_or(inner);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(head: &str) -> String {
        let mut findings = Vec::new();
        let entries = parse(head, 2, &mut findings);
        let entries = entries.iter().map(|e| format!("{} {}: {:?}", e.line, e.key, e.value));
        entries.chain(findings.iter().map(|f| format!("! {f}"))).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn an_unquoted_colon_costs_only_the_value_it_stands_in() {
        insta::assert_snapshot!(told("\
name: cloud
description: Build for AWS: ECS, and
  then: more
version: 1.10
tags: [a, @b, c[d]]
hint: [command] [name]
quoted: \"say \"no\" twice\"
unclosed: \"never ends
metadata:
  author: me: myself
  deep:
    note: a: b
  list: [x]
"), @r#"
        2 name: Text("cloud")
        3 description: Text("Build for AWS: ECS, and then: more")
        5 version: Number("1.10")
        6 tags: List([Text("a"), Text("@b"), Text("c[d]")])
        7 hint: Text("[command] [name]")
        8 quoted: Text("say \"no\" twice")
        9 unclosed: Text("never ends")
        10 metadata: Map([("author", Text("me: myself")), ("deep", Map([("note", Text("a: b"))])), ("list", List([Text("x")]))])
        ! line 3: the value of `description` is not valid YAML and was read as it stands
        ! line 6: the value of `tags` is not valid YAML and was read as it stands
        ! line 7: the value of `hint` is not valid YAML and was read as it stands
        ! line 8: the value of `quoted` is not valid YAML and was read as it stands
        ! line 9: the value of `unclosed` is not valid YAML and was read as it stands
        ! line 11: the value of `author` is not valid YAML and was read as it stands
        ! line 13: the value of `note` is not valid YAML and was read as it stands
        "#);
    }

    #[test]
    fn tabs_lists_blocks_and_repetitions_are_read() {
        insta::assert_snapshot!(told("\
name:tight
name: again
folded: >-
  one
  two: three

  four
literal: |2
    indented
  less
bad: @x
list:
- a
- @b
  and more
map:
\ttab: here
\t\"quoted key\": @y
https://example.org
unindented: starts: here
and goes on
# a comment
empty:
"), @r#"
        2 name: Text("tight")
        4 folded: Text("one two: three\nfour")
        9 literal: Text("  indented\nless\n")
        12 bad: Text("@x")
        13 list: List([Text("a"), Text("@b and more")])
        17 map: Map([("tab", Text("here")), ("quoted key", Text("@y"))])
        21 unindented: Text("starts: here and goes on")
        24 empty: Null
        ! line 3: the key `name` is repeated, the first one counts
        ! line 12: the value of `bad` is not valid YAML and was read as it stands
        ! line 13: the value of `list` is not valid YAML and was read as it stands
        ! line 18: a tab indents the line, it was read as spaces
        ! line 19: a tab indents the line, it was read as spaces
        ! line 19: the value of `quoted key` is not valid YAML and was read as it stands
        ! line 20: the line belongs to no key and was left out
        ! line 21: the value of `unindented` is not valid YAML and was read as it stands
        ! line 22: the line is not indented and was taken as part of `unindented`
        "#);
    }

    #[test]
    fn nothing_but_prose_has_no_keys() {
        insta::assert_snapshot!(told("Some prose here.\n\nMore of it: yes\n- [ ] item"), @"
        ! line 2: the line belongs to no key and was left out
        ! line 4: the line belongs to no key and was left out
        ! line 5: the line belongs to no key and was left out
        ");
        assert_eq!(told(""), "");
    }

    #[test]
    fn keys_are_bounded() {
        let lines: Vec<_> = (0..1000).map(|number| format!("k{number}: @")).collect();
        let head = lines.join("\n");
        let mut findings = Vec::new();
        assert_eq!(parse(&head, 2, &mut findings).len(), KEYS);
        assert_eq!(
            findings.last().map(ToString::to_string).as_deref(),
            Some("line 258: there are more than 256 keys, the rest is left out")
        );
    }
}
