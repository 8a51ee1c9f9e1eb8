//! What every picture of a workflow shows: nodes, the ways between them, and the phases.

use std::collections::BTreeMap;

use crate::workflow::{
    definition::{Check, Handler, Step, StepId, Target, Workflow},
    words::Outcome,
};

/// Most steps that are drawn; nobody reads a picture of more. One node stands for all others.
pub(super) const STEPS: usize = 200;

/// Most phases that are told apart, for the same reason.
const PHASES: usize = 40;

/// Longest title in a picture, in characters: more does not fit a node, and `flow show` has all.
const TITLE_CHARACTERS: usize = 120;

/// Stands where a character was that must not be drawn.
const REPLACEMENT: char = '\u{fffd}';

/// A workflow as nodes and edges.
#[derive(Debug)]
pub(super) struct Graph {
    /// What people call the workflow.
    pub(super) name: String,
    /// The titles of its phases.
    pub(super) phases: Vec<String>,
    /// The beginning, the steps in order, perhaps the rest of them, and the end.
    pub(super) nodes: Vec<Node>,
    /// At most one from a node to another, ordered by source and then by what usually happens.
    pub(super) edges: Vec<Edge>,
}

/// Something that is drawn as a box.
#[derive(Debug)]
pub(super) struct Node {
    /// A name that is safe in every language.
    pub(super) key: String,
    /// What it is.
    pub(super) kind: Kind,
    /// The step's number and title.
    pub(super) title: String,
    /// Who decides, and how often it may be entered.
    pub(super) note: String,
    /// The place of its phase in [`Graph::phases`].
    pub(super) phase: Option<usize>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Where a run begins.
    Start,
    /// Somebody works.
    Work,
    /// Agents work.
    Dispatch,
    /// The person is asked.
    Ask,
    /// The project is looked at.
    Check,
    /// What is known decides.
    Choose,
    /// A review decides.
    Gate,
    /// The steps that are too many to draw.
    Rest,
    /// Where a run ends.
    End,
}

/// What leads from one node to another.
#[derive(Debug)]
pub(super) struct Edge {
    /// The place of the node it leaves.
    pub(super) from: usize,
    /// The place of the node it enters.
    pub(super) to: usize,
    /// What leads along it, the most usual first.
    pub(super) ways: Vec<Way>,
    /// What is written on it; nothing where only one thing can happen.
    pub(super) label: String,
}

/// A reason to go along an edge, the most usual first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    /// The run begins.
    Begin,
    /// The step is done.
    Ok,
    /// The review passed.
    Pass,
    /// Whatever no other way is for.
    Default,
    /// The step is not needed.
    Skip,
    /// The answer is no.
    Fail,
    /// The step is done again.
    Iterate,
    /// What decides the step broke.
    Error,
    /// The step was entered too often.
    Limit,
}

impl Graph {
    /// Returns the nodes and edges of a workflow; an edge to a step that is not there is left out.
    pub(super) fn of(workflow: &Workflow) -> Self {
        let drawn = workflow.steps.len().min(STEPS);
        let left_out = workflow.steps.len() - drawn;
        let phase_ids = workflow.phases.iter().take(PHASES).enumerate();
        let phases: BTreeMap<&str, usize> =
            phase_ids.rev().map(|(place, phase)| (phase.id.as_str(), place)).collect();

        let mut nodes = vec![Node::bare("start", Kind::Start, "start".to_owned())];
        for (step, number) in workflow.steps.iter().take(STEPS).zip(1_usize..) {
            let phase = step.phase.as_deref().and_then(|id| phases.get(id)).copied();
            nodes.push(Node::of(step, number, phase));
        }
        if left_out > 0 {
            let title = format!("{left_out} more steps");
            nodes.push(Node::bare("rest", Kind::Rest, title));
        }
        nodes.push(Node::bare("end", Kind::End, "end".to_owned()));

        let places = Places {
            steps: workflow.steps.iter().map(|step| step.id.as_str()).zip(1..).collect(),
            drawn,
            end: nodes.len() - 1,
        };
        let entry = places.of_step(&workflow.entry);
        let mut edges = edges_from(0, entry.map(|place| (Way::Begin, place)).into_iter().collect());
        for (step, number) in workflow.steps.iter().take(STEPS).zip(1_usize..) {
            edges.extend(edges_from(number, places.ways_of(step)));
        }
        if left_out > 0 {
            // They lead to the end some day; no more is said of them.
            edges.extend(edges_from(drawn + 1, vec![(Way::Ok, places.end)]));
        }
        let titles = workflow.phases.iter().take(PHASES);
        Self {
            name: one_line(&workflow.name),
            phases: titles.map(|phase| one_line(&phase.title)).collect(),
            nodes,
            edges,
        }
    }
}

impl Node {
    fn bare(key: &str, kind: Kind, title: String) -> Self {
        Self { key: key.to_owned(), kind, title, note: String::new(), phase: None }
    }

    fn of(step: &Step, number: usize, phase: Option<usize>) -> Self {
        let (kind, decided_by) = match &step.handler {
            Handler::Work => (Kind::Work, String::new()),
            Handler::Dispatch(dispatch) => {
                let role = dispatch.role.word();
                match dispatch.agents.len() {
                    0 => (Kind::Dispatch, role.to_owned()),
                    count => (Kind::Dispatch, format!("{role} × {count}")),
                }
            }
            Handler::Ask(ask) if ask.approval => (Kind::Ask, "approval".to_owned()),
            Handler::Ask(_) => (Kind::Ask, "question".to_owned()),
            Handler::Check(check) => (Kind::Check, format!("check: {}", subject(check))),
            Handler::Choose(_) => (Kind::Choose, "choice".to_owned()),
            Handler::Gate(_) => (Kind::Gate, "gate".to_owned()),
        };
        let mut notes = vec![decided_by];
        if let Handler::Gate(gate) = &step.handler {
            notes.push(rounds(gate.limit));
        }
        notes.extend(step.limit.iter().map(|limit| rounds(limit.rounds)));
        notes.retain(|note| !note.is_empty());
        Self {
            key: format!("s{number}"),
            kind,
            title: numbered(number, &one_line(&step.title)),
            note: notes.join(", "),
            phase,
        }
    }
}

impl Edge {
    /// Tells whether it is only taken when something is wrong.
    pub(super) fn is_rare(&self) -> bool {
        self.ways.iter().all(|way| matches!(way, Way::Error | Way::Limit))
    }
}

impl Way {
    /// Returns what is written on an edge.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Begin => "",
            Self::Ok => "ok",
            Self::Pass => "pass",
            Self::Default => "default",
            Self::Skip => "skip",
            Self::Fail => "fail",
            Self::Iterate => "iterate",
            Self::Error => "error",
            Self::Limit => "limit",
        }
    }

    const fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Ok => Self::Ok,
            Outcome::Fail => Self::Fail,
            Outcome::Skip => Self::Skip,
            Outcome::Iterate => Self::Iterate,
        }
    }
}

/// Where targets are among the nodes.
struct Places<'a> {
    steps: BTreeMap<&'a str, usize>,
    drawn: usize,
    end: usize,
}

impl Places<'_> {
    fn of(&self, target: &Target) -> Option<usize> {
        match target {
            Target::End => Some(self.end),
            Target::Step(id) => self.of_step(id),
        }
    }

    /// Returns the place of a step; behind the last that is drawn stands the rest.
    fn of_step(&self, id: &StepId) -> Option<usize> {
        self.steps.get(id.as_str()).map(|place| (*place).min(self.drawn + 1))
    }

    /// Returns everything that leads away from a step.
    fn ways_of(&self, step: &Step) -> Vec<(Way, usize)> {
        let outcomes = step.next.iter().map(|(outcome, target)| (Way::of(*outcome), target));
        let default = step.default.iter().map(|target| (Way::Default, target));
        let error = step.on_error.iter().map(|target| (Way::Error, target));
        let limit = step.limit.iter().filter_map(|limit| limit.then.as_ref());
        let limit = limit.map(|target| (Way::Limit, target));
        let all = outcomes.chain(default).chain(error).chain(limit);
        let mut ways: Vec<_> =
            all.filter_map(|(way, target)| Some((way, self.of(target)?))).collect();
        if let Handler::Gate(gate) = &step.handler {
            ways.extend(self.of(&gate.pass).map(|place| (Way::Pass, place)));
            ways.extend(self.of_step(&gate.work).map(|place| (Way::Fail, place)));
        }
        ways
    }
}

/// Returns the edges from a node, one for each other end, the most usual first.
fn edges_from(from: usize, ways: Vec<(Way, usize)>) -> Vec<Edge> {
    let mut by_end: BTreeMap<usize, Vec<Way>> = BTreeMap::new();
    for (way, to) in ways {
        by_end.entry(to).or_default().push(way);
    }
    let is_sole = by_end.len() == 1;
    let mut edges: Vec<_> = by_end
        .into_iter()
        .map(|(to, mut ways)| {
            ways.sort_unstable();
            ways.dedup();
            // That a step is done before the next one begins need not be said.
            let label = match ways.as_slice() {
                [Way::Ok] if is_sole => String::new(),
                ways => ways.iter().map(|way| way.word()).collect::<Vec<_>>().join(", "),
            };
            Edge { from, to, ways, label }
        })
        .collect();
    edges.sort_by(|one, other| one.ways.cmp(&other.ways));
    edges
}

/// Returns what a check looks at.
const fn subject(check: &Check) -> &'static str {
    match check {
        Check::Artifact { .. } => "file",
        Check::Keyword { .. } => "word in a file",
        Check::Command { .. } => "command",
        Check::Tests => "tests",
    }
}

fn numbered(number: usize, title: &str) -> String {
    if title.is_empty() { number.to_string() } else { format!("{number} · {title}") }
}

fn rounds(count: u32) -> String {
    match count {
        1 => "at most once".to_owned(),
        count => format!("at most {count} times"),
    }
}

/// Returns foreign text on one line, short, and without characters that hide or move others.
fn one_line(raw: &str) -> String {
    let mut text = String::new();
    let mut count = 0;
    for word in raw.split_whitespace() {
        if count > 0 {
            text.push(' ');
            count += 1;
        }
        for character in word.chars() {
            if count >= TITLE_CHARACTERS {
                text.push('…');
                return text;
            }
            text.push(if is_drawn(character) { character } else { REPLACEMENT });
            count += 1;
        }
    }
    text
}

/// Tells whether a character only shows itself. XML has no place for some of the others.
const fn is_drawn(character: char) -> bool {
    !matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
}
