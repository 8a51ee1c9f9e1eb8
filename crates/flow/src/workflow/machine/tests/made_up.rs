//! Workflows that are made of drawn numbers: of every handler, limit and way, and mostly sound.
//!
//! Each step leads to the one behind it and perhaps elsewhere. A number that is not there counts as
//! nought, and nought is the plainest choice: what a failing case needs not is drawn away.

use std::fmt;

use proptest::prelude::*;

use super::course::read_alone;
use crate::workflow::Workflow;

/// Most steps that are made up.
const STEPS: usize = 12;

/// Most numbers that are drawn for one workflow: a dozen steps use eight to ten each.
const DRAWS: usize = 160;

/// A workflow that was made up and found sound.
#[derive(Clone)]
pub(super) struct MadeUp {
    /// As it was written.
    pub(super) text: String,
    /// As it was read.
    pub(super) workflow: Workflow,
}

impl fmt::Debug for MadeUp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\n{}", self.text)
    }
}

/// Returns sound workflows.
pub(super) fn workflows() -> impl Strategy<Value = MadeUp> {
    texts().prop_filter_map("it is not sound", |text| {
        let workflow = read_alone(&text).ok()?;
        Some(MadeUp { text, workflow })
    })
}

/// Returns definitions, most of which are sound.
pub(super) fn texts() -> impl Strategy<Value = String> {
    numbers(DRAWS).prop_map(|drawn| written(&mut Draws::of(&drawn)))
}

/// Returns numbers to draw.
pub(super) fn numbers(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..most)
}

/// Numbers that are drawn one by one.
pub(super) struct Draws<'d> {
    left: std::slice::Iter<'d, u8>,
}

impl<'d> Draws<'d> {
    /// Returns what is drawn from.
    pub(super) fn of(drawn: &'d [u8]) -> Self {
        Self { left: drawn.iter() }
    }

    /// Tells whether there is nothing left.
    pub(super) fn is_empty(&self) -> bool {
        self.left.len() == 0
    }

    /// Draws a number below another.
    pub(super) fn below(&mut self, most: usize) -> usize {
        let drawn = self.left.next().copied().unwrap_or_default();
        usize::from(drawn) * most / 256
    }

    /// Draws one of several; the first is the plainest.
    pub(super) fn one<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}

/// What a made-up step is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Work,
    Dispatch,
    Ask,
    Check,
    Choose,
    /// Looks at the work of the step before it, or of one further up.
    Review,
    Gate {
        work: usize,
    },
}

/// The steps of a workflow before their ways are drawn.
struct Plan {
    kinds: Vec<Kind>,
    limited: Vec<bool>,
}

/// An example of every block; a test fails for one without.
pub(super) const BLOCKS: [(&str, &str); 12] = [
    ("say", "say: 'on with {{ goal }}'"),
    ("forbid", "forbid: ['{{ goal }}']"),
    ("expect", "expect: {if_pass: '{{ goal }}', when_issues: y, categories: [z]}"),
    ("questions", "questions: {category: '{{ task }}', questions: ['{{ goal }}?']}"),
    ("checklist", "checklist: {name: n, checks: [{element: e, criterion: '{{ goal }}'}]}"),
    ("avoid", "avoid: {example: '{{ goal }}', consequence: c}"),
    ("constraint", "constraint: '{{ directory }}'"),
    ("factored", "factored: ['{{ goal }}']"),
    ("principle", "principle: '{{ goal }}'"),
    ("pedantic", "pedantic: ['{{ goal }}']"),
    ("routing", "routing: [{result: '{{ goal }}', then: t}]"),
    ("conditional", "conditional: {condition: c, if_true: '{{ goal }}', if_false: f}"),
];

/// Conditions that every made-up workflow can ask.
const CONDITIONS: [&str; 9] = [
    "true",
    "quick",
    "steps['s0'].outcome == 'ok'",
    "steps.s0.outcome == none or steps.s0.visits > 1",
    "confidence is atleast('high') and not quick",
    "confidence in ['low', 'high']",
    "goal | lower | length > 3",
    "goal is startingwith('a')",
    "(iteration - 1) // 2 == 0",
];

/// Texts with gaps that every made-up workflow can fill in.
const GAPS: [&str; 6] = [
    "{{ confidence }}",
    "{% if quick %}{{ goal }}{% else %}{{ task }}{% endif %}",
    "{% for n in range(3) %}{{ n }} of {{ loop.length }}, {% endfor %}",
    "{{ steps.s0.answer }} {{ steps.s0.outcome }}",
    "{{ goal | trim | upper }}",
    "{{ 'quick' if quick else confidence }}",
];

const PARAMS: &str = "\
name: made-up
description: d
params:
  goal: {type: text, default: a bridge}
  quick: {type: flag, default: false, mutable: true}
  confidence: {type: confidence, default: exploring, mutable: true}
steps:
";

fn written(draws: &mut Draws<'_>) -> String {
    let plan = Plan::drawn(draws);
    let steps = (0..plan.kinds.len()).map(|place| plan.step(place, draws));
    format!("{PARAMS}{}", steps.collect::<String>())
}

impl Plan {
    fn drawn(draws: &mut Draws<'_>) -> Self {
        let count = 1 + draws.below(STEPS);
        let plain = [Kind::Work, Kind::Dispatch, Kind::Ask, Kind::Check];
        let mut kinds = Vec::new();
        let mut judged = Vec::new();
        while kinds.len() < count {
            match draws.below(7) {
                6 | 5 if kinds.len() + 3 <= count => {
                    kinds.push(draws.one(&plain));
                    kinds.push(Kind::Review);
                    let own = kinds.len() - 2;
                    let far = draws.below(own + 1);
                    let is_work = |place: usize| plain.contains(&kinds[place]);
                    let is_free = |place: usize| is_work(place) && !judged.contains(&place);
                    let work = if draws.below(3) == 2 && is_free(far) { far } else { own };
                    judged.push(work);
                    kinds.push(Kind::Gate { work });
                }
                4 => kinds.push(Kind::Choose),
                other => kinds.push(plain[other % plain.len()]),
            }
        }
        let limited = kinds.iter().map(|kind| {
            let is_gate = matches!(kind, Kind::Gate { .. });
            !is_gate && draws.below(5) > 2
        });
        let limited = limited.collect();
        Self { kinds, limited }
    }

    fn step(&self, place: usize, draws: &mut Draws<'_>) -> String {
        let next = self.name(place + 1);
        let handler = match self.kinds[place] {
            Kind::Work => {
                let report = draws.one(&["", "", "report: [confidence], "]);
                format!("{report}{}", self.ways(place, &["ok"], draws))
            }
            Kind::Dispatch => {
                let agents =
                    draws.one(&["", "", ", agents: [{id: a, prompt: x}, {id: b, prompt: y}]"]);
                let ways = self.ways(place, &["ok", "fail"], draws);
                format!(
                    "dispatch: {{role: developer, prompt: 'do {{{{ goal }}}}'{agents}}}, {ways}"
                )
            }
            Kind::Ask => self.ask(place, draws),
            Kind::Check => {
                let check = draws.one(&["tests", "{artifact: '*.md'}", "{command: [make, all]}"]);
                let error = self.error(place, draws);
                format!(
                    "check: {check}, next: {{ok: {next}, fail: {}}}{error}",
                    self.other(place, draws)
                )
            }
            Kind::Choose => self.choose(place, draws),
            Kind::Review => {
                let review =
                    draws.one(&["check: tests", "dispatch: {role: quality-reviewer, prompt: p}"]);
                format!("{review}, next: {{ok: {next}, fail: {next}}}")
            }
            Kind::Gate { work } => {
                let rounds = 1 + draws.below(3);
                let fix = draws.one(&["", ", fix_target: developer", ", self_fix: true"]);
                let message = "pass_message: 'on with {{ goal }}'";
                format!(
                    "gate: {{name: G{place}, work: s{work}, pass: {next}, limit: {rounds}, {message}{fix}}}"
                )
            }
        };
        let (block, when) = (draws.one(&BLOCKS).1, draws.one(&CONDITIONS));
        let gap = draws.one(&GAPS);
        let action = format!(
            "actions: ['{{{{ goal }}}}, {{{{ iteration }}}}', {{say: x, when: quick}}, \
             {{{block}, when: \"{when}\"}}, \"{gap}\"]"
        );
        let limit = self.limit(place, draws);
        format!("  - {{id: s{place}, title: T{place}, {action}, {handler}{limit}}}\n")
    }

    fn ask(&self, place: usize, draws: &mut Draws<'_>) -> String {
        let approval = draws.one(&[false, true]);
        let question = format!("question: 'Is {{{{ goal }}}} good?', approval: {approval}");
        let given: [&[&str]; 4] = [&[], &["ok", "fail"], &["ok", "skip", "iterate"], &["ok", "ok"]];
        let outcomes = draws.one(&given);
        if outcomes.is_empty() {
            return format!("ask: {{{question}}}, next: {}", self.name(place + 1));
        }
        let options = outcomes.iter().zip('a'..);
        let options =
            options.map(|(outcome, label)| format!("{{label: {label}, outcome: {outcome}}}"));
        let options = options.collect::<Vec<_>>().join(", ");
        let free = draws.one(&[false, true]);
        let ways = self.closed_ways(place, outcomes, draws);
        format!("ask: {{{question}, free_text: {free}, options: [{options}]}}, {ways}")
    }

    fn choose(&self, place: usize, draws: &mut Draws<'_>) -> String {
        let other = draws.below(self.kinds.len());
        let asked = [
            "quick".to_owned(),
            "confidence is atleast('high')".to_owned(),
            "iteration > 2".to_owned(),
            format!("steps.s{other}.visits > 1"),
            format!("steps.s{other}.outcome == 'fail'"),
            "task == 'none'".to_owned(),
        ];
        let when = draws.one(&asked);
        let outcome = draws.one(&["skip", "iterate", "fail"]);
        let ways = self.closed_ways(place, &["ok", outcome], draws);
        let error = self.error(place, draws);
        format!(
            "choose: [{{when: \"{when}\", outcome: {outcome}}}, {{outcome: ok}}], {ways}{error}"
        )
    }

    /// Draws where a step leads that may come to more than it has to.
    fn ways(&self, place: usize, sure: &[&str], draws: &mut Draws<'_>) -> String {
        let more: [&[&str]; 4] = [&[], &["iterate"], &["skip", "iterate"], &["default"]];
        let more = draws.one(&more);
        let mut outcomes = sure.to_vec();
        outcomes.extend(more);
        self.closed_ways(place, &outcomes, draws)
    }

    /// Draws where each of these outcomes leads; the first leads on.
    fn closed_ways(&self, place: usize, outcomes: &[&str], draws: &mut Draws<'_>) -> String {
        let mut ways = vec![format!("ok: {}", self.name(place + 1))];
        for outcome in outcomes.iter().filter(|outcome| **outcome != "ok") {
            ways.push(format!("{outcome}: {}", self.other(place, draws)));
        }
        format!("next: {{{}}}", ways.join(", "))
    }

    fn error(&self, place: usize, draws: &mut Draws<'_>) -> String {
        if draws.below(2) == 0 {
            return String::new();
        }
        format!(", on_error: {}", self.other(place, draws))
    }

    fn limit(&self, place: usize, draws: &mut Draws<'_>) -> String {
        if !self.limited[place] {
            return String::new();
        }
        let rounds = 1 + draws.below(3);
        match draws.below(4) {
            0 | 1 => format!(", limit: {rounds}"),
            2 => format!(", limit: {{rounds: {rounds}, then: end}}"),
            _ => format!(", limit: {{rounds: {rounds}, then: {}}}", self.ahead(place, draws)),
        }
    }

    /// Draws where a step leads beside the one behind it: ahead, back to where there is a limit, or
    /// now and then anywhere.
    fn other(&self, place: usize, draws: &mut Draws<'_>) -> String {
        let back: Vec<usize> = (0..=place).filter(|back| self.limited[*back]).collect();
        match draws.below(24) {
            23 => self.open(draws.below(self.kinds.len())),
            12..23 if !back.is_empty() => format!("s{}", draws.one(&back)),
            _ => self.ahead(place, draws),
        }
    }

    fn ahead(&self, place: usize, draws: &mut Draws<'_>) -> String {
        self.open(place + 1 + draws.below(self.kinds.len() - place))
    }

    /// Returns the name of a step, or of the one behind it where it is a gate's.
    fn open(&self, place: usize) -> String {
        let is_gate = matches!(self.kinds.get(place), Some(Kind::Gate { .. }));
        self.name(if is_gate { place + 1 } else { place })
    }

    fn name(&self, place: usize) -> String {
        if place < self.kinds.len() { format!("s{place}") } else { "end".to_owned() }
    }
}
