//! One step: what it says, where it leads, and what may be used meanwhile.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entry, Node, Raw, Reading, has_too_many_steps};
use crate::{
    problem::{nearest, shown},
    workflow::{
        definition::{
            Action, Block, Case, Criterion, Expected, Handler, Library, Limit, SEVERITY, Step,
            StepId, Target, Tools,
        },
        format::{BLOCKS, END, STEP, STEPS, Shape, WAYS, keys},
        paths,
        words::Outcome,
    },
};

/// The class of the tools that change files, as `block` names it.
const EDIT: &str = "edit";

/// The steps whose ways could not be made out, by their places in the file.
pub(super) type Unclear = BTreeSet<usize>;

impl Reading<'_> {
    /// Makes the steps of a file; what is wrong with them is noted.
    pub(super) fn steps(&mut self, node: &Node) -> (Vec<Step>, Unclear) {
        let mut unclear = Unclear::new();
        let Some(list) = node.key("steps") else { return (Vec::new(), unclear) };
        if has_too_many_steps(node) {
            let message = format!("the file has {} steps, {STEPS} are allowed", list.items().len());
            let hint = "a step can hand work to another workflow".to_owned();
            self.note_with_hint(list.line, message, Some(hint));
            return (Vec::new(), unclear);
        }
        if list.items().is_empty() {
            self.note(list.line, "`steps` must be a list of at least one step");
        }
        let mut lines = BTreeMap::new();
        let mut steps = Vec::new();
        for (place, item) in list.items().iter().enumerate() {
            self.step = item.key("id").and_then(Node::text).map(shown);
            let before = self.unread;
            let step = self.step(item);
            if self.unread > before {
                unclear.insert(place);
            }
            if let Some(first) = lines.get(&step.id).filter(|_| !step.id.0.is_empty()) {
                let hint = Some(format!("the first is on line {first}"));
                let message = format!("the id `{}` is used twice", shown(step.id.as_str()));
                self.note_with_hint(step.line, message, hint);
            }
            lines.entry(step.id.clone()).or_insert(step.line);
            steps.push(step);
        }
        self.step = None;
        (steps, unclear)
    }

    fn step(&mut self, node: &Node) -> Step {
        self.check_step(node);
        self.check_report(node);
        let id = node.text_of("id");
        if id == END {
            let hint = "it stands for the end of the workflow".to_owned();
            self.note_with_hint(node.line, "`end` cannot be the id of a step", Some(hint));
        }
        let (next, default) = next(node);
        Step {
            id: StepId(id),
            title: node.text_of("title"),
            phase: node.key("phase").and_then(Node::text).map(str::to_owned),
            actions: actions(node),
            handler: self.handler(node),
            next,
            default,
            on_error: node.key("on_error").and_then(Node::target),
            limit: node.key("limit").map(limit),
            report: node.texts_of("report"),
            tools: self.tools(node),
            line: node.line,
        }
    }

    /// Holds a step against its table. Only what says where it leads counts as unread afterwards:
    /// a title that is missing makes no way unclear.
    fn check_step(&mut self, node: &Node) {
        let Raw::Map(entries) = &node.raw else {
            return self.check("steps", node, &Shape::Map(&STEP));
        };
        let is_way = |key: &str| WAYS.contains(&key);
        let before = self.unread;
        self.check_missing("the step", node.line, entries, &STEP);
        self.check_keys("step", entries, &STEP);
        self.check_fields(entries, STEP.iter().filter(|field| !is_way(field.key)));
        self.unread = before;
        self.check_fields(entries, STEP.iter().filter(|field| is_way(field.key)));
        let known = keys(&STEP);
        let is_slip = |key: &str| !known.contains(&key) && nearest(key, WAYS).is_some();
        if entries.iter().any(|entry| is_slip(&entry.key)) {
            self.unread += 1;
        }
    }

    /// Reads the tools of a step or of a dispatch.
    pub(super) fn tools(&mut self, node: &Node) -> Tools {
        let Some(node) = node.key("tools") else { return Tools::default() };
        let of = |key| node.key(key).map(Node::words).unwrap_or_default();
        let (allow, block, edit) = (of("allow"), of("block"), node.texts_of("edit"));
        let listed = node.key("edit");
        if let Some(listed) = listed.filter(|_| block.iter().any(|word| word == EDIT)) {
            let hint = "leave out `block: [edit]`: the paths close everything else".to_owned();
            let message = "`edit` means nothing beside `block: [edit]`";
            self.note_with_hint(listed.line, message, Some(hint));
        }
        for pattern in listed.into_iter().flat_map(Node::items) {
            let text = pattern.text().unwrap_or_default();
            // An empty one was noted with the other texts.
            let fault = Some(text).filter(|text| !text.trim().is_empty());
            if let Some(fault) = fault.and_then(paths::find_written_fault) {
                let message = format!("the path `{}` {}", shown(text), fault.what);
                self.note_with_hint(pattern.line, message, Some(fault.hint.to_owned()));
            }
        }
        Tools { allow, block, edit }
    }

    fn check_report(&mut self, node: &Node) {
        let decides = ["ask", "check", "choose", "gate"];
        let decides = decides.into_iter().find(|key| node.key(key).is_some());
        if let (Some(report), Some(handler)) = (node.key("report"), decides) {
            let message = format!("`report` means nothing beside `{handler}`");
            let hint = "only somebody who works on a step can report".to_owned();
            self.note_with_hint(report.line, message, Some(hint));
        }
    }
}

/// Returns the texts of a library that steps name.
pub(super) fn named_texts(library: &Library, steps: &[Step]) -> Library {
    let mut named = Library::default();
    if steps.iter().any(|step| matches!(step.handler, Handler::Gate(_))) {
        // Every reviewer grades by it, whether a step names it or not.
        named.conventions.extend(library.conventions.get_key_value(SEVERITY).map(owned));
    }
    for action in steps.iter().flat_map(|step| &step.actions) {
        match &action.block {
            Block::Resource { name, .. } => {
                named.resources.extend(library.resources.get_key_value(name).map(owned));
            }
            Block::Convention { name, .. } => {
                named.conventions.extend(library.conventions.get_key_value(name).map(owned));
            }
            Block::Say(_)
            | Block::Forbid(_)
            | Block::Expect(_)
            | Block::Questions { .. }
            | Block::Checklist { .. }
            | Block::Avoid { .. }
            | Block::Constraint(_)
            | Block::Factored(_)
            | Block::Principle(_)
            | Block::Pedantic(_)
            | Block::Routing(_)
            | Block::Conditional { .. } => {}
        }
    }
    named
}

fn next(node: &Node) -> (BTreeMap<Outcome, Target>, Option<Target>) {
    let Some(next) = node.key("next") else { return (BTreeMap::new(), None) };
    if let Some(target) = next.target() {
        return (BTreeMap::from([(Outcome::Ok, target)]), None);
    }
    let of = |key: &str| next.key(key).and_then(Node::target);
    let by_outcome = Outcome::ALL.into_iter();
    let by_outcome = by_outcome.filter_map(|outcome| Some((outcome, of(outcome.word())?)));
    (by_outcome.collect(), of("default"))
}

fn limit(node: &Node) -> Limit {
    let rounds = node.count().or_else(|| node.key("rounds").and_then(Node::count));
    Limit { rounds: rounds.unwrap_or(1), then: node.key("then").and_then(Node::target) }
}

fn owned((name, text): (&String, &String)) -> (String, String) {
    (name.clone(), text.clone())
}

fn actions(node: &Node) -> Vec<Action> {
    let written = node.key("actions").into_iter().flat_map(Node::items).filter_map(action);
    let named = |key, make: fn(String, String) -> Block| {
        let names = node.texts_of(key).into_iter();
        names.map(move |name| Action { when: None, block: make(name, String::new()) })
    };
    let resources = named("resources", |name, purpose| Block::Resource { name, purpose });
    let conventions = named("conventions", |name, purpose| Block::Convention { name, purpose });
    written.chain(resources).chain(conventions).collect()
}

fn action(node: &Node) -> Option<Action> {
    if let Some(text) = node.text() {
        return Some(Action { when: None, block: Block::Say(text.to_owned()) });
    }
    let is_block = |entry: &&Entry| BLOCKS.iter().any(|field| field.key == entry.key);
    let Entry { key, value, .. } = node.entries().iter().find(is_block)?;
    let when = node.key("when").and_then(Node::condition);
    Some(Action { when, block: block(key, value)? })
}

fn block(word: &str, node: &Node) -> Option<Block> {
    let own_text = || node.text().unwrap_or_default().to_owned();
    // A name alone, or a map with it.
    let name = || node.text().map_or_else(|| node.text_of("name"), str::to_owned);
    let purpose = || node.text_of("purpose");
    Some(match word {
        "say" => Block::Say(own_text()),
        "resource" => Block::Resource { name: name(), purpose: purpose() },
        "convention" => Block::Convention { name: name(), purpose: purpose() },
        "forbid" => Block::Forbid(node.texts()),
        "expect" => Block::Expect(Expected {
            if_pass: node.text().map_or_else(|| node.text_of("if_pass"), str::to_owned),
            when_issues: node.text_of("when_issues"),
            categories: node.texts_of("categories"),
        }),
        "questions" => Block::Questions {
            category: node.text_of("category"),
            questions: node.texts_of("questions"),
        },
        "checklist" => {
            let checks =
                node.key("checks").into_iter().flat_map(Node::items).map(|check| Criterion {
                    element: check.text_of("element"),
                    criterion: check.text_of("criterion"),
                    if_missing: check.text_of("if_missing"),
                });
            Block::Checklist { name: node.text_of("name"), checks: checks.collect() }
        }
        "avoid" => Block::Avoid {
            example: node.text_of("example"),
            consequence: node.text_of("consequence"),
        },
        "constraint" => Block::Constraint(own_text()),
        "factored" => Block::Factored(node.texts()),
        "principle" => Block::Principle(own_text()),
        "pedantic" => Block::Pedantic(node.texts()),
        "routing" => {
            let cases = node.items().iter();
            let cases = cases
                .map(|case| Case { result: case.text_of("result"), then: case.text_of("then") });
            Block::Routing(cases.collect())
        }
        "conditional" => Block::Conditional {
            condition: node.text_of("condition"),
            if_true: node.text_of("if_true"),
            if_false: node.text_of("if_false"),
        },
        _ => return None,
    })
}
