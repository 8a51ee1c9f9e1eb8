//! Reads a workflow: the text goes in, a sound definition comes out, or every problem there is at
//! once.
//!
//! Nothing is bent to fit and nothing is skipped in silence. First every value is held against the
//! tables of the format, then the definition is made of what was found, then its ways are looked
//! at as a whole. A value that is wrong is told of once; where the definition needs one all the
//! same, so that the rest can be looked at, something stands in for it that is never handed out.

mod found;
mod handler;
mod param;
mod shape;
mod step;
#[cfg(test)]
pub(in crate::workflow) mod tests;
mod text;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use super::{
    definition::{Library, Param, Phase, StepId, Workflow},
    format::{DOCUMENT, STEPS},
    sound::{self, Flaw},
    typing::Scope,
};
use crate::{
    problem::{Problem, hint, nearest, shown},
    yaml::{self, Bounds, Entry, Node, Raw, Refusal},
};
use step::named_texts;

/// Largest file of a workflow; 200 steps with a page each have 400 KiB.
pub const TEXT_BYTES: usize = 512 * 1024;

/// 200 full steps have 40,000 nodes. Ten thousand bare ones have 80,000, and whoever wrote them
/// should be told of steps rather than of nodes.
const BOUNDS: Bounds = Bounds { bytes: TEXT_BYTES, nodes: 120_000 };

/// Most problems that are told of one file; who has more has handed over another kind of file.
const PROBLEMS: usize = 200;

/// After how many problems nothing more is looked at: looking for what was meant takes time. Some
/// more than are told, because they are not found in the order of the lines.
const NOTED: usize = 2 * PROBLEMS;

/// Most words that are listed where none of them was probably meant.
const LISTED: usize = 20;

/// What a definition may name beside its own.
#[derive(Clone, Copy, Debug)]
pub struct Shelf<'s> {
    /// Conventions and resources.
    pub library: &'s Library,
    /// All workflows.
    pub workflows: &'s dyn Callees,
}

/// The workflows that a definition can hand work to.
pub trait Callees: fmt::Debug {
    /// Returns their names, in order.
    fn names(&self) -> Vec<&str>;

    /// Returns what one of them is started with.
    fn signature(&self, name: &str) -> Signature;
}

/// What a workflow is started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signature {
    /// Its parameters.
    Params(Vec<Param>),
    /// It has mistakes of its own.
    Unsound,
    /// Nobody looked: only its name is known.
    NameOnly,
}

impl Callees for BTreeSet<String> {
    fn names(&self) -> Vec<&str> {
        self.iter().map(String::as_str).collect()
    }

    fn signature(&self, _: &str) -> Signature {
        Signature::NameOnly
    }
}

impl Callees for BTreeMap<String, Signature> {
    fn names(&self) -> Vec<&str> {
        self.keys().map(String::as_str).collect()
    }

    fn signature(&self, name: &str) -> Signature {
        self.get(name).cloned().unwrap_or(Signature::NameOnly)
    }
}

/// Reads a workflow; `file` is what problems call the text.
pub fn read(text: &str, file: &str, shelf: &Shelf<'_>) -> Result<Workflow, Vec<Problem>> {
    let node = match yaml::parse(text, &BOUNDS) {
        Ok(node) => node,
        Err(Refusal { line, message }) => {
            let file = file.to_owned();
            return Err(vec![Problem { file, line, step: None, message, hint: None }]);
        }
    };
    let mut reading = Reading {
        file,
        shelf: *shelf,
        known: Known::of(&node),
        scope: Scope::default(),
        step: None,
        unread: 0,
        problems: Vec::new(),
    };
    let workflow = reading.document(&node);
    let mut problems = reading.problems;
    if problems.is_empty() {
        return Ok(workflow);
    }
    problems.sort_by_key(|problem| problem.line);
    if problems.len() > PROBLEMS {
        problems.truncate(PROBLEMS);
        let line = problems.last().map_or(1, |problem| problem.line);
        let message = "and more problems after this line".to_owned();
        problems.push(Problem { file: file.to_owned(), line, step: None, message, hint: None });
    }
    Err(problems)
}

/// A file being read, and what was found wrong so far.
struct Reading<'r> {
    file: &'r str,
    shelf: Shelf<'r>,
    known: Known<'r>,
    /// What texts and conditions may name; nothing before the parameters are read.
    scope: Scope,
    /// The step at hand, which problems name.
    step: Option<String>,
    /// How many values so far could not be made out, so that nobody knows what they would say.
    unread: usize,
    problems: Vec<Problem>,
}

/// The names of a file, which may be used before they are declared.
struct Known<'n> {
    workflow: Option<&'n str>,
    params: BTreeSet<&'n str>,
    mutable: BTreeSet<&'n str>,
    phases: BTreeSet<&'n str>,
    /// In the order of the file; none when there are more than may be.
    steps: Vec<&'n str>,
    /// Those of them that are gates.
    gates: Vec<&'n str>,
}

impl<'n> Known<'n> {
    fn of(node: &'n Node) -> Self {
        let names = |key| node.key(key).into_iter().flat_map(Node::entries);
        let ids = |key| node.key(key).into_iter().flat_map(Node::items).filter_map(id_of);
        let phases = names("phases").map(|entry| entry.key.as_str());
        // What is neither yes nor no was meant to be yes: why else write it?
        let is_mutable =
            |node: &Node| node.key("mutable").is_some_and(|flag| flag.flag() != Some(false));
        let mutable = names("params").filter(move |entry| is_mutable(&entry.value));
        Self {
            workflow: node.key("name").and_then(Node::text),
            params: names("params").map(|entry| entry.key.as_str()).collect(),
            mutable: mutable.map(|entry| entry.key.as_str()).collect(),
            phases: phases.chain(ids("phases")).collect(),
            steps: if has_too_many_steps(node) { Vec::new() } else { ids("steps").collect() },
            gates: node
                .key("steps")
                .into_iter()
                .flat_map(Node::items)
                .filter(|step| step.key("gate").is_some())
                .filter_map(id_of)
                .collect(),
        }
    }
}

impl Reading<'_> {
    fn document(&mut self, node: &Node) -> Workflow {
        match &node.raw {
            Raw::Map(_) => {}
            Raw::Null => {
                let hint = "a workflow has `name`, `description` and `steps`".to_owned();
                self.note_with_hint(node.line, "the file is empty", Some(hint));
            }
            Raw::Bool(_) | Raw::Whole(_) | Raw::Fraction(_) | Raw::Text(_) | Raw::List(_) => {
                let kind = node.raw.kind();
                self.note(node.line, format!("the file must be a map of keys, and is {kind}"));
            }
        }
        if let Raw::Map(entries) = &node.raw {
            self.check_keys("workflow", entries, &DOCUMENT);
            self.check_missing("the workflow", node.line, entries, &DOCUMENT);
            self.check_fields(entries, DOCUMENT.iter().filter(|field| field.key != "steps"));
        }
        let phases = self.phases(node);
        let params = self.params(node);
        let unread = self.known.params.iter().copied();
        self.scope = Scope::of(&params, unread, &self.known.steps, &self.known.gates);
        let (steps, unclear) = self.steps(node);
        let first = steps.first().map(|step| step.id.clone());
        let entry = node.key("entry").and_then(Node::step_id).or(first);
        let name = node.key("name").and_then(Node::text).unwrap_or_default();
        let description = node.key("description").and_then(Node::text).unwrap_or_default();
        let workflow = Workflow {
            name: name.to_owned(),
            description: description.to_owned(),
            version: node.key("version").and_then(Node::version).unwrap_or_else(|| "1".to_owned()),
            params,
            phases,
            entry: entry.unwrap_or_else(|| StepId(String::new())),
            library: named_texts(self.shelf.library, &steps),
            steps,
        };
        if !workflow.steps.is_empty() {
            let line = node.key("steps").map_or(1, |node| node.line);
            for flaw in sound::flaws(&workflow, &unclear, line) {
                self.note_flaw(flaw);
            }
        }
        workflow
    }

    fn phases(&mut self, node: &Node) -> Vec<Phase> {
        let Some(node) = node.key("phases") else { return Vec::new() };
        let phase = |id: &str, title: Option<&str>| Phase {
            id: id.to_owned(),
            title: title.unwrap_or_default().to_owned(),
        };
        let of_map = node.entries().iter().map(|entry| phase(&entry.key, entry.value.text()));
        let mut phases: Vec<Phase> = of_map.collect();
        for item in node.items() {
            let id = item.key("id").and_then(Node::text).unwrap_or_default();
            if !id.is_empty() && phases.iter().any(|phase| phase.id == id) {
                self.note(item.line, format!("the phase `{}` is declared twice", shown(id)));
            }
            phases.push(phase(id, item.key("title").and_then(Node::text)));
        }
        phases
    }

    fn note(&mut self, line: usize, message: impl Into<String>) {
        self.note_with_hint(line, message, None);
    }

    fn note_with_hint(&mut self, line: usize, message: impl Into<String>, hint: Option<String>) {
        if self.is_full() {
            return;
        }
        let (file, step, message) = (self.file.to_owned(), self.step.clone(), message.into());
        self.problems.push(Problem { file, line, step, message, hint });
    }

    /// Tells whether so much is wrong that nothing more is worth finding.
    const fn is_full(&self) -> bool {
        self.problems.len() == NOTED
    }

    fn note_flaw(&mut self, flaw: Flaw) {
        let Flaw { line, step, message, hint } = flaw;
        self.step = step;
        self.note_with_hint(line, message, hint);
    }

    fn note_unknown(&mut self, what: &str, word: &str, line: usize, known: &[&str]) {
        let message = format!("unknown {what} `{}`", shown(word));
        self.note_with_hint(line, message, self.hint(word, known));
    }

    /// Returns what was probably meant, or all that is known if it can be taken in at a glance.
    fn hint(&self, word: &str, known: &[&str]) -> Option<String> {
        if self.is_full() {
            return None;
        }
        // A name that cannot be shown as it is was told of where it is declared.
        let known = known.iter().copied().filter(|word| shown(word) == *word);
        let known: Vec<&str> = known.take(STEPS).collect();
        if known.is_empty() {
            return Some("there is none of this kind".to_owned());
        }
        if known.len() <= LISTED {
            return hint(word, &known);
        }
        nearest(word, known).map(|meant| format!("did you mean `{meant}`?"))
    }

    fn hint_last(&mut self, hint: &str) {
        if let Some(problem) = self.problems.last_mut() {
            problem.hint = Some(hint.to_owned());
        }
    }
}

fn id_of(node: &Node) -> Option<&str> {
    node.key("id").and_then(Node::text)
}

fn has_too_many_steps(node: &Node) -> bool {
    node.key("steps").is_some_and(|steps| steps.items().len() > STEPS)
}
