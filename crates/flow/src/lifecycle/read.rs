//! Reads a file of rules: the text goes in, a layer of sound rules comes out, or every problem
//! there is at once.
//!
//! Nothing is bent to fit and nothing is skipped in silence: a rule somebody believes to be in
//! force, and that is not, is worse than none.

mod given;
mod names;
mod rule;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use pacenote_model::EventKind;

use super::{
    format::{DOCUMENT_KEYS, DOCUMENT_TYPE, Given, Kind},
    rules::{Layer, RULED, Rule, Value, key_of},
};
use crate::{
    problem::{Problem, hint, shown},
    yaml::{self, Bounds, Entry, Node, Raw, Refusal},
};
use names::NameUse;
use rule::Draft;

/// Most rules of one layer. A hook weighs all of them, and nobody reads more.
pub const RULES: usize = 500;

/// Largest file of rules; 500 rules with a sentence each have 100 KiB.
pub const TEXT_BYTES: usize = 256 * 1024;

/// 500 full rules have 10,000 nodes.
const BOUNDS: Bounds = Bounds { bytes: TEXT_BYTES, nodes: 20_000 };

/// Most problems that are told of one file; who has more has handed over another kind of file.
const PROBLEMS: usize = 200;

/// The rules of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerRules {
    /// The file, as the caller calls it.
    pub file: String,
    /// Whose file it is.
    pub layer: Layer,
    /// Variables with the values they begin with.
    pub variables: BTreeMap<String, Value>,
    /// The rules, in the order of the file.
    pub rules: Vec<Rule>,
    /// Rules of earlier layers that are switched on.
    pub enable: Vec<Switch>,
    /// Rules of earlier layers that are switched off.
    pub disable: Vec<Switch>,
    /// Names in conditions and texts that do not exist. Each keeps its rule from working: one that
    /// refuses something refuses, any other is left out.
    pub unknown_names: Vec<Problem>,
    /// What is left out, or may not work as its author thinks.
    pub warnings: Vec<Problem>,
}

/// The name of a rule of an earlier layer, and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    pub name: String,
    /// The line it stands on.
    pub line: usize,
}

/// Reads a file of rules for a layer. The error has everything that is wrong with the file by itself.
pub fn read(text: &str, file: &str, layer: Layer) -> Result<LayerRules, Vec<Problem>> {
    let (mut rules, problems) = read_leniently(text, file, layer);
    if problems.is_empty() {
        return Ok(rules);
    }
    Err(in_order(problems.into_iter().chain(rules.unknown_names.drain(..)).collect()))
}

/// Reads a file of rules as far as that goes, and everything that makes it unusable. With such a
/// problem the rules serve for looking for others, and must not be used.
pub(super) fn read_leniently(text: &str, file: &str, layer: Layer) -> (LayerRules, Vec<Problem>) {
    let mut reading = Reading {
        file,
        layer,
        names: BTreeMap::new(),
        declared: BTreeSet::new(),
        set_variables: BTreeSet::new(),
        used: Vec::new(),
        problems: Vec::new(),
        warnings: Vec::new(),
    };
    let mut rules = match yaml::parse(text, &BOUNDS) {
        Ok(Node { raw: Raw::Map(entries), .. }) => reading.document(&entries),
        // Only comments, or nothing at all.
        Ok(Node { raw: Raw::Null, .. }) => reading.document(&[]),
        Ok(Node { line, raw }) => {
            reading.note(line, format!("the file must be a map of keys, and is {}", raw.kind()));
            reading.document(&[])
        }
        Err(Refusal { line, message }) => {
            reading.note(line, message);
            reading.document(&[])
        }
    };
    rules.unknown_names = reading.unknown_names();
    rules.warnings = std::mem::take(&mut reading.warnings);
    (rules, reading.problems)
}

/// Puts problems of one file into the order of its lines, and counts those past the cap.
pub(super) fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by_key(|problem| problem.line);
    if let Some(more) = problems.len().checked_sub(PROBLEMS).filter(|more| *more > 0) {
        problems.truncate(PROBLEMS);
        problems.extend(problems.last().cloned().map(|last| Problem {
            message: format!("and {more} more problems after this line"),
            hint: None,
            ..last
        }));
    }
    problems
}

/// A file being read, and what was found wrong so far.
struct Reading<'f> {
    file: &'f str,
    layer: Layer,
    /// The names rules were given, with their lines.
    names: BTreeMap<String, usize>,
    /// The variables that the file gives a value to begin with, also those that are wrong.
    declared: BTreeSet<String>,
    /// The variables that its rules set.
    set_variables: BTreeSet<String>,
    /// The names that conditions and texts use.
    used: Vec<NameUse>,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
}

impl Reading<'_> {
    fn note(&mut self, line: usize, message: impl Into<String>) {
        self.note_with_hint(line, message, None);
    }

    fn note_with_hint(&mut self, line: usize, message: impl Into<String>, hint: Option<String>) {
        let problem = self.problem(line, message.into(), hint);
        self.problems.push(problem);
    }

    fn warn(&mut self, line: usize, message: String, hint: Option<String>) {
        let problem = self.problem(line, message, hint);
        // A source that one rule names twice, in its list and in its text, is one thing to know.
        if !self.warnings.contains(&problem) {
            self.warnings.push(problem);
        }
    }

    fn problem(&self, line: usize, message: String, hint: Option<String>) -> Problem {
        Problem { file: self.file.to_owned(), line, step: None, message, hint }
    }

    fn document(&mut self, entries: &[Entry]) -> LayerRules {
        let mut layer = LayerRules {
            file: self.file.to_owned(),
            layer: self.layer,
            variables: BTreeMap::new(),
            rules: Vec::new(),
            enable: Vec::new(),
            disable: Vec::new(),
            unknown_names: Vec::new(),
            warnings: Vec::new(),
        };
        let mut drafts = Vec::new();
        self.repeated(entries);
        for Entry { key, line, value } in entries {
            match key.as_str() {
                "name" | "description" => {
                    self.given(key, value, Kind::Sentence);
                }
                "version" => self.version(value),
                "type" => self.document_type(value),
                "variables" => layer.variables = self.variables(value),
                "enable" => layer.enable = self.switches(key, value),
                "disable" => layer.disable = self.switches(key, value),
                "triggers" => self.triggers(value, &mut drafts),
                other => {
                    if let Some(on) = EventKind::from_rule_key(other) {
                        self.rules(on, value, &mut drafts);
                    } else if other.starts_with("on_") {
                        self.unknown_occasion(other, *line);
                    } else {
                        let known: Vec<_> = document_keys().collect();
                        self.unknown("key", other, *line, &known);
                    }
                }
            }
        }
        layer.rules = self.named(drafts);
        layer
    }

    fn triggers(&mut self, node: &Node, drafts: &mut Vec<Draft>) {
        let Raw::Map(entries) = &node.raw else {
            return self.wrong_type("triggers", node, "a map of occasions");
        };
        self.repeated(entries);
        for Entry { key, line, value } in entries {
            match EventKind::from_rule_key(key) {
                Some(on) => self.rules(on, value, drafts),
                None => self.unknown_occasion(key, *line),
            }
        }
    }

    fn rules(&mut self, on: EventKind, node: &Node, drafts: &mut Vec<Draft>) {
        let Raw::List(items) = &node.raw else {
            return self.wrong_type(key_of(on), node, "a list of actions");
        };
        if items.is_empty() {
            return self.note(node.line, format!("`{}` is an empty list", key_of(on)));
        }
        for item in items {
            if drafts.len() == RULES {
                self.note(item.line, format!("the file has more than {RULES} rules"));
                return;
            }
            let draft = self.rule(on, item);
            drafts.push(draft);
        }
    }

    fn version(&mut self, node: &Node) {
        match &node.raw {
            Raw::Whole(_) | Raw::Fraction(_) => {}
            Raw::Text(_) => {
                self.given("version", node, Kind::Sentence);
            }
            Raw::Null | Raw::Bool(_) | Raw::List(_) | Raw::Map(_) => {
                self.wrong_type("version", node, "a number or a text");
            }
        }
    }

    fn document_type(&mut self, node: &Node) {
        if !matches!(&node.raw, Raw::Text(text) if text == DOCUMENT_TYPE) {
            self.note(node.line, format!("`type` must be `{DOCUMENT_TYPE}`"));
        }
    }

    fn variables(&mut self, node: &Node) -> BTreeMap<String, Value> {
        let mut variables = BTreeMap::new();
        let Raw::Map(entries) = &node.raw else {
            self.wrong_type("variables", node, "a map of names and values");
            return variables;
        };
        self.repeated(entries);
        for Entry { key, line, value } in entries {
            self.declared.insert(key.clone());
            let sound = self.variable_name("variables", key, *line);
            if let (true, Some(Given::Value(value))) = (sound, self.given(key, value, Kind::Value))
            {
                variables.insert(key.clone(), value);
            }
        }
        variables
    }

    fn switches(&mut self, key: &str, node: &Node) -> Vec<Switch> {
        let words = self.words(key, node);
        words.into_iter().map(|(name, line)| Switch { name, line }).collect()
    }

    /// Gives every rule a name: its own, or one made of what it does and when.
    fn named(&self, drafts: Vec<Draft>) -> Vec<Rule> {
        let mut taken: BTreeSet<String> = self.names.keys().cloned().collect();
        let mut numbers = BTreeMap::new();
        let mut rules = Vec::new();
        for Draft { name, mut rule } in drafts {
            let number = numbers.entry(rule.on).or_insert(0_usize);
            *number += 1;
            rule.name = name.unwrap_or_else(|| {
                let free =
                    (*number..=*number + taken.len()).map(|number| default_name(&rule, number));
                free.into_iter().find(|name| !taken.contains(name)).unwrap_or_default()
            });
            taken.insert(rule.name.clone());
            rules.push(rule);
        }
        rules
    }

    fn repeated(&mut self, entries: &[Entry]) {
        let mut first = BTreeMap::new();
        for Entry { key, line, .. } in entries {
            if let Some(first) = first.get(key.as_str()) {
                let message = format!("the key `{}` is repeated", shown(key));
                self.note_with_hint(*line, message, Some(format!("the first is on line {first}")));
            } else {
                first.insert(key.as_str(), *line);
            }
        }
    }

    fn wrong_type(&mut self, key: &str, node: &Node, expected: &str) {
        let kind = node.raw.kind();
        let message = format!("`{}` must be {expected}, and is {kind}", shown(key));
        self.note(node.line, message);
    }

    fn unknown_occasion(&mut self, key: &str, line: usize) {
        self.unknown("occasion", key, line, &RULED.map(key_of));
    }

    fn unknown(&mut self, what: &str, word: &str, line: usize, known: &[&str]) {
        let message = format!("unknown {what} `{}`", shown(word));
        self.note_with_hint(line, message, hint(word, known));
    }
}

/// Returns the name of a rule that was given none.
pub(super) fn default_name(rule: &Rule, number: usize) -> String {
    let key = rule.key();
    let occasion = key.strip_prefix("on_").unwrap_or(key);
    format!("{}-{occasion}-{number}", rule.action.word())
}

fn document_keys() -> impl Iterator<Item = &'static str> {
    let keys = DOCUMENT_KEYS.iter().map(|(key, _)| *key);
    keys.chain(RULED.map(key_of))
}
