//! Settings files as people and programs write them, drawn at random.

use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// A settings file, and what it means.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) text: String,
    pub(super) meaning: Json,
}

/// Draws a settings file.
pub(super) fn drawn() -> impl Strategy<Value = Drawn> {
    let empty = prop::sample::select(&["", "\n", "  ", "\u{feff}", "// none\n", "/* none */"][..]);
    let empty = empty.prop_map(|text| Drawn { text: text.to_owned(), meaning: json!({}) });
    let full = (settings(), hand()).prop_map(|(meaning, mut hand)| {
        let text = hand.file(&meaning);
        Drawn { text, meaning }
    });
    prop_oneof![1 => empty, 12 => full]
}

/// Draws settings with and without hooks; these may be first, last or between others.
fn settings() -> impl Strategy<Value = Json> {
    let group = prop_oneof![
        Just(json!({"hooks": []})),
        Just(
            json!({"hooks": [{"type": "command", "command": "./greet.sh"}], "matcher": "startup"})
        ),
        Just(json!({"hooks": [{"type": "command", "command": "a, \"b\" // c", "timeout": 5}, {}]})),
    ];
    let groups = prop::collection::vec(group, 0..3).prop_map(Json::from);
    let event = prop::sample::select(&["SessionStart", "Stop", "PreToolUse", "Notification"][..]);
    let hooks = prop::collection::btree_map(event.prop_map(str::to_owned), groups, 0..4)
        .prop_map(|events| Json::Object(events.into_iter().collect()));
    let others = json!({
        "env": {},
        "model": "opus",
        "permissions": {"allow": ["Bash(ls:*)", "Read"], "deny": [], "deep": [[1.5], null, true]},
        "~odd \"key\" {": -0.5e3,
    });
    let others: Vec<(String, Json)> =
        others.as_object().cloned().unwrap_or_default().into_iter().collect();
    (prop::sample::subsequence(others, 0..=4), prop::option::of(hooks)).prop_map(
        |(others, hooks)| {
            others.into_iter().chain(hooks.map(|hooks| ("hooks".to_owned(), hooks))).collect()
        },
    )
}

/// How somebody writes.
#[derive(Clone, Debug)]
struct Hand {
    newline: &'static str,
    unit: &'static str,
    colon: &'static str,
    one_line: bool,
    trailing_commas: bool,
    mark: bool,
    /// Numbers to be moody with.
    moods: std::iter::Cycle<std::vec::IntoIter<u8>>,
}

fn hand() -> impl Strategy<Value = Hand> {
    let newline = prop::sample::select(&["\n", "\r\n"][..]);
    let unit = prop::sample::select(&["  ", "    ", "\t", ""][..]);
    let colon = prop::sample::select(&[": ", ":", " : "][..]);
    let moods = prop_oneof![Just(vec![4]), prop::collection::vec(0_u8..16, 8..40)];
    let flags = (prop::bool::weighted(0.2), any::<bool>(), prop::bool::weighted(0.1));
    (newline, unit, colon, flags, moods).prop_map(|(newline, unit, colon, flags, moods)| {
        let (one_line, trailing_commas, mark) = flags;
        let moods = moods.into_iter().cycle();
        Hand { newline, unit, colon, one_line, trailing_commas, mark, moods }
    })
}

impl Hand {
    fn file(&mut self, settings: &Json) -> String {
        let mut text = if self.mark { "\u{feff}".to_owned() } else { String::new() };
        match self.mood() {
            0 => text.push_str("/* settings */"),
            1 => text.extend(["// settings", self.newline]),
            _ => {}
        }
        self.value(&mut text, settings, 0);
        match self.mood() {
            0 => text.push_str(" // end"),
            1 => {}
            _ => text.push_str(self.newline),
        }
        text
    }

    fn value(&mut self, text: &mut String, value: &Json, depth: usize) {
        let members: Vec<(Option<&String>, &Json)> = match value {
            Json::Object(members) => {
                members.iter().map(|(key, value)| (Some(key), value)).collect()
            }
            Json::Array(items) => items.iter().map(|item| (None, item)).collect(),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {
                return text.push_str(&value.to_string());
            }
        };
        let [open, close] = if value.is_object() { ["{", "}"] } else { ["[", "]"] };
        let lines = !self.one_line && self.mood() > 2;
        text.push_str(open);
        for (index, (key, value)) in members.iter().enumerate() {
            self.before(text, lines, depth + 1);
            if let Some(key) = key {
                text.extend([Json::from(key.as_str()).to_string().as_str(), self.colon]);
            }
            self.value(text, value, depth + 1);
            if self.mood() == 0 {
                text.push_str(" /* value */ ");
            }
            if index + 1 < members.len() || self.trailing_commas {
                text.push(',');
            }
            match self.mood() {
                0 if lines => text.push_str(" // note"),
                1 => text.push_str(" /* note */"),
                _ => {}
            }
        }
        match self.mood() {
            0 => text.push_str(" /* end */"),
            1 => text.push(' '),
            2 if lines => text.extend([self.newline, self.newline]),
            _ => {}
        }
        if lines && (!members.is_empty() || self.mood() > 8) {
            text.extend([self.newline, &self.unit.repeat(depth)]);
        }
        text.push_str(close);
    }

    /// Writes what comes before a member.
    fn before(&mut self, text: &mut String, lines: bool, depth: usize) {
        let indent = self.unit.repeat(depth);
        match self.mood() {
            0 if lines => text.extend([self.newline, &indent, "// next"]),
            1 if lines => text.push_str(self.newline),
            2 => text.push_str("/* next */"),
            _ => {}
        }
        if lines {
            text.extend([self.newline, &indent]);
        } else if self.mood() > 6 {
            text.push(' ');
        }
    }

    fn mood(&mut self) -> u8 {
        self.moods.next().unwrap_or_default()
    }
}
