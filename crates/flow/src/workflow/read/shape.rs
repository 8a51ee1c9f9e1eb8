//! One value: whether it is what the table says.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entry, Node, Raw, Reading};
use crate::{
    problem::{listed, shown},
    workflow::{
        answer::check_schema,
        format::{Field, ITEMS, NAME_BYTES, Naming, SENTENCE_BYTES, Shape, Shelved, keys},
    },
};

/// Longest JSON Schema of an answer; agents do not keep to a longer one.
const ANSWER_BYTES: usize = 16 * 1024;

impl Reading<'_> {
    /// Holds a value against what its key takes; what is wrong with it is noted.
    pub(super) fn check(&mut self, key: &str, node: &Node, shape: &Shape) {
        if self.is_full() {
            return;
        }
        match shape {
            Shape::Sentence { most } => {
                self.sound_text(key, node, *most, shape);
            }
            Shape::Title => self.check_title(key, node),
            Shape::Template => self.check_template(key, node),
            Shape::Condition => self.check_condition(key, node),
            Shape::Name(naming) => self.check_name(key, node, *naming),
            Shape::Reference(shelved) => self.check_reference(key, node, *shelved),
            Shape::Word(vocabulary) => self.check_word(key, node, *vocabulary),
            Shape::Glob => self.check_glob(key, node),
            Shape::Flag => self.check_flag(key, node),
            Shape::Whole { least, most } => self.check_whole(key, node, *least, *most),
            Shape::Version | Shape::Value => self.check_scalar(key, node, shape),
            Shape::Words => self.check_words(key, node),
            Shape::Json => self.check_json(key, node),
            Shape::Map(fields) => self.check_map(key, node, fields),
            Shape::OneOf { of, with } => self.check_one_of(key, node, of, with),
            Shape::Named { naming, of } => self.check_named(key, node, *naming, of),
            Shape::List { of, least, most } => self.check_list(key, node, of, *least, *most),
            Shape::Either(shapes) => self.check_either(key, node, shapes),
        }
    }

    /// Notes keys that are repeated or unknown.
    pub(super) fn check_keys(&mut self, of: &str, entries: &[Entry], fields: &[Field]) {
        self.check_repeated(entries);
        let known = keys(fields);
        for entry in entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            self.note_unknown_key(of, entry, &known);
        }
    }

    /// Notes keys that have to be there and are not.
    pub(super) fn check_missing(
        &mut self,
        of: &str,
        line: usize,
        entries: &[Entry],
        fields: &[Field],
    ) {
        for field in fields.iter().filter(|field| field.is_required) {
            if !entries.iter().any(|entry| entry.key == field.key) {
                self.unread += 1;
                let hint = format!("`{}` must be {}", field.key, field.shape.allowed());
                self.note_with_hint(line, format!("{of} needs `{}`", field.key), Some(hint));
            }
        }
    }

    /// Holds the values of a map against what their keys take.
    pub(super) fn check_fields<'f>(
        &mut self,
        entries: &[Entry],
        fields: impl IntoIterator<Item = &'f Field>,
    ) {
        for field in fields {
            for entry in entries.iter().filter(|entry| entry.key == field.key) {
                self.check(field.key, &entry.value, &field.shape);
            }
        }
    }

    fn check_map(&mut self, key: &str, node: &Node, fields: &'static [Field]) {
        let Raw::Map(entries) = &node.raw else {
            return self.note_wrong_type(key, node, &Shape::Map(fields).allowed());
        };
        self.check_keys(key, entries, fields);
        self.check_missing(&format!("`{key}`"), node.line, entries, fields);
        self.check_fields(entries, fields);
    }

    fn check_one_of(
        &mut self,
        key: &str,
        node: &Node,
        of: &'static [Field],
        with: &'static [Field],
    ) {
        let allowed = Shape::OneOf { of, with }.allowed();
        let Raw::Map(entries) = &node.raw else {
            return self.note_wrong_type(key, node, &allowed);
        };
        self.check_repeated(entries);
        let known: Vec<_> = keys(of).into_iter().chain(keys(with)).collect();
        let mut given = Vec::new();
        for entry in entries {
            if of.iter().any(|field| field.key == entry.key) {
                given.push(entry.key.as_str());
            } else if !known.contains(&entry.key.as_str()) {
                self.note_unknown_key(key, entry, &known);
                given.push(entry.key.as_str());
            }
        }
        given.dedup();
        match given.as_slice() {
            [_] => {}
            [] => {
                self.unread += 1;
                self.note_with_hint(node.line, format!("`{key}` says nothing"), Some(allowed));
            }
            several => {
                self.unread += 1;
                let several: Vec<_> = several.iter().map(|key| shown(key)).collect();
                let several: Vec<_> = several.iter().map(String::as_str).collect();
                let message = format!("`{key}` has {} at once", listed(&several));
                self.note_with_hint(node.line, message, Some(allowed));
            }
        }
        self.check_fields(entries, of.iter().chain(with));
    }

    fn check_named(&mut self, key: &str, node: &Node, naming: Naming, of: &'static Shape) {
        let Raw::Map(entries) = &node.raw else {
            let allowed = Shape::Named { naming, of }.allowed();
            return self.note_wrong_type(key, node, &allowed);
        };
        self.check_repeated(entries);
        self.check_count(key, node, entries.len(), 1, ITEMS);
        for Entry { key: name, line, value } in entries {
            self.check_spelling(key, name, *line, naming);
            self.check(&shown(name), value, of);
        }
    }

    fn check_list(&mut self, key: &str, node: &Node, of: &Shape, least: usize, most: usize) {
        let Raw::List(items) = &node.raw else {
            return self.note_wrong_type(key, node, "a list");
        };
        self.check_count(key, node, items.len(), least, most);
        for item in items {
            self.check(key, item, of);
        }
    }

    fn check_count(&mut self, key: &str, node: &Node, count: usize, least: usize, most: usize) {
        if count == 0 {
            self.unread += 1;
            self.note(node.line, format!("`{key}` is empty"));
        } else if !(least..=most).contains(&count) {
            let message = format!("`{key}` must have {least} to {most} entries, and has {count}");
            self.note(node.line, message);
        }
    }

    fn check_either(&mut self, key: &str, node: &Node, shapes: &'static [Shape]) {
        if let Some(shape) = shapes.iter().find(|shape| shape.takes(&node.raw)) {
            self.check(key, node, shape);
        } else {
            self.note_wrong_type(key, node, &Shape::Either(shapes).allowed());
            if shapes.iter().any(|shape| matches!(shape, Shape::Reference(Shelved::Target))) {
                self.hint_end(node);
            }
        }
    }

    fn check_flag(&mut self, key: &str, node: &Node) {
        if matches!(node.raw, Raw::Bool(_)) {
            return;
        }
        self.note_wrong_type(key, node, &Shape::Flag.allowed());
        match node.text().map(str::to_lowercase).as_deref() {
            Some("yes" | "on" | "true") => self.hint_last("write `true`"),
            Some("no" | "off" | "false") => self.hint_last("write `false`"),
            Some(_) | None => {}
        }
    }

    fn check_whole(&mut self, key: &str, node: &Node, least: i64, most: i64) {
        let allowed = Shape::Whole { least, most }.allowed();
        if !matches!(node.raw, Raw::Whole(_)) {
            self.note_wrong_type(key, node, &allowed);
        } else if !node.whole().is_some_and(|number| (least..=most).contains(&number)) {
            self.note(node.line, format!("`{key}` must be {allowed}"));
        }
    }

    fn check_scalar(&mut self, key: &str, node: &Node, shape: &Shape) {
        if !shape.takes(&node.raw) {
            return self.note_wrong_type(key, node, &shape.allowed());
        }
        // A default may be an empty text, a version may not.
        let is_version = matches!(shape, Shape::Version);
        let is_empty = node.text().is_some_and(|text| text.trim().is_empty());
        if node.text().is_some() && (is_version || !is_empty) {
            let most = if is_version { NAME_BYTES } else { SENTENCE_BYTES };
            self.sound_text(key, node, most, shape);
        }
    }

    fn check_words(&mut self, key: &str, node: &Node) {
        if !Shape::Words.takes(&node.raw) {
            return self.note_wrong_type(key, node, &Shape::Words.allowed());
        }
        for item in node.items().iter().filter(|item| item.text().is_none()) {
            self.note_wrong_type(key, item, "a list of words");
        }
        let words = node.words();
        self.check_count(key, node, words.len(), 1, ITEMS);
        let mut seen = BTreeSet::new();
        for word in &words {
            if word.is_empty() || word.len() > NAME_BYTES {
                let message = format!("`{key}` has an empty word, or one past {NAME_BYTES} bytes");
                self.note(node.line, message);
            } else if !seen.insert(word) {
                self.note(node.line, format!("`{key}` names `{}` twice", shown(word)));
            }
        }
    }

    fn check_json(&mut self, key: &str, node: &Node) {
        if !matches!(node.raw, Raw::Map(_)) {
            return self.note_wrong_type(key, node, &Shape::Json.allowed());
        }
        let bytes = node.json().to_string().len();
        if bytes > ANSWER_BYTES {
            self.note(node.line, format!("`{key}` has {bytes} bytes, {ANSWER_BYTES} are allowed"));
        } else if let Err(reason) = check_schema(&node.json()) {
            self.note(node.line, format!("`{key}` is not a schema that can be checked: {reason}"));
        }
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            self.check_repeated(node.entries());
            open.extend(node.entries().iter().map(|entry| &entry.value));
            open.extend(node.items());
        }
    }

    fn check_repeated(&mut self, entries: &[Entry]) {
        let mut first = BTreeMap::new();
        for Entry { key, line, .. } in entries {
            if let Some(first) = first.get(key.as_str()) {
                self.unread += 1;
                let message = format!("the key `{}` is repeated", shown(key));
                self.note_with_hint(*line, message, Some(format!("the first is on line {first}")));
            } else {
                first.insert(key.as_str(), *line);
            }
        }
    }

    fn note_unknown_key(&mut self, of: &str, entry: &Entry, known: &[&str]) {
        self.unread += 1;
        let message = format!("unknown key `{}` of `{of}`", shown(&entry.key));
        self.note_with_hint(entry.line, message, self.hint(&entry.key, known));
    }

    pub(super) fn note_wrong_type(&mut self, key: &str, node: &Node, allowed: &str) {
        self.unread += 1;
        let kind = node.raw.kind();
        self.note(node.line, format!("`{key}` must be {allowed}, and is {kind}"));
    }
}

impl Shape {
    /// Tells whether a value is of the kind it takes, whatever the value says.
    pub(super) fn takes(&self, raw: &Raw) -> bool {
        match self {
            Self::Sentence { .. }
            | Self::Title
            | Self::Template
            | Self::Name(_)
            | Self::Reference(_)
            | Self::Word(_)
            | Self::Glob => matches!(raw, Raw::Text(_)),
            Self::Condition => matches!(raw, Raw::Text(_) | Raw::Bool(_)),
            Self::Flag => matches!(raw, Raw::Bool(_)),
            Self::Whole { .. } => matches!(raw, Raw::Whole(_)),
            Self::Version => match raw {
                Raw::Text(_) | Raw::Whole(_) => true,
                Raw::Fraction(number) => number.is_finite(),
                Raw::Null | Raw::Bool(_) | Raw::List(_) | Raw::Map(_) => false,
            },
            Self::Value => matches!(raw, Raw::Bool(_) | Raw::Whole(_) | Raw::Text(_)),
            Self::Words => matches!(raw, Raw::Text(_) | Raw::List(_)),
            Self::Json | Self::Map(_) | Self::OneOf { .. } | Self::Named { .. } => {
                matches!(raw, Raw::Map(_))
            }
            Self::List { .. } => matches!(raw, Raw::List(_)),
            Self::Either(shapes) => shapes.iter().any(|shape| shape.takes(raw)),
        }
    }
}
