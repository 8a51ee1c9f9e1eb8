//! What is accepted works, whatever the values are; what does not work is refused with its name.

use std::collections::{BTreeMap, BTreeSet};

use pacenote_model::Value;
use proptest::prelude::*;

use super::{Fault, Kind, Scope, check_condition, check_text, scope};
use crate::workflow::{
    Library, Outcome, Param, ParamKind, Purpose, Shelf, StepId, Verdict, Workflow, begin,
    expression::{self, Names},
    read,
    run::{GateState, Run, StepState},
};

const TEXT: &str = "
name: w
description: d
params:
  goal: {type: text, default: a bridge}
  file: {type: text, default: ''}
  rounds: {type: number, least: 1, most: 9, default: 3}
  offset: {type: number, least: -5, most: 5, default: 0}
  quick: {type: flag, default: false}
  mode: {type: choice, choices: [fast, slow], default: fast}
  confidence: {type: confidence, default: medium}
steps:
  - {id: look, title: Look, next: work}
  - {id: work, title: Work, next: review}
  - {id: review, title: Review, check: tests, next: {ok: gate, fail: gate}}
  - {id: gate, title: Gate, gate: {name: G, work: work, pass: end}}
";

fn workflow() -> Workflow {
    let shelf = Shelf { library: &Library::default(), workflows: &BTreeSet::new() };
    read(TEXT, "w.yaml", &shelf).unwrap()
}

fn scope_of(workflow: &Workflow) -> Scope {
    let steps: Vec<&str> = workflow.steps.iter().map(|step| step.id.as_str()).collect();
    Scope::of(&workflow.params, [], &steps, &["gate"])
}

fn told(faults: &[Fault]) -> String {
    let one = |fault: &Fault| match fault {
        Fault::Undeclared(name) => format!("undeclared {name}"),
        Fault::Unknown { what, word, .. } => format!("unknown {what} {word}"),
        Fault::Unsafe { message, .. } => message.clone(),
    };
    if faults.is_empty() {
        return "ok".to_owned();
    }
    faults.iter().map(one).collect::<Vec<_>>().join("; ")
}

#[test]
fn conditions_are_typed() {
    let scope = scope_of(&workflow());
    let conditions = [
        "quick and not (rounds > 2)",
        "mode == 'fast'",
        "mode == 'fats'",
        "mode in ['fast', 'slwo']",
        "mode == goal",
        "confidence is atleast('high')",
        "confidence is atleast('hgh')",
        "mode is atleast('high')",
        "confidence > 'high'",
        "confidence == 'hihg'",
        "steps['look'].outcome == 'ok'",
        "steps.look.outcome == 'okay'",
        "steps['lok'].outcome == 'ok'",
        "steps[mode].outcome == 'ok'",
        "steps.look.outcom == 'ok'",
        "steps.look.outcome == none",
        "steps.look.visits == none",
        "steps.look.outcome | upper == 'OK'",
        "steps.look.visits > 1",
        "steps.look.outcome > 1",
        "gates['gate'].failed",
        "gates['work'].failed",
        "gates.gate.status == 'skipped'",
        "gates.gate.status == 'passed'",
        "gates.gate.findings | length > 0",
        "goal | lower == 'x'",
        "rounds | lower == 'x'",
        "goal is startingwith('x')",
        "quick is startingwith('x')",
        "goal == 3",
        "rounds == '3'",
        "rounds / 2 > 1",
        "rounds % offset == 0",
        "rounds - offset > 1",
        "goal - 1 > 1",
        "nobody == 1",
        "goal.length > 3",
        "goal[0] == 'x'",
        "quick if mode == 'fast'",
        "(quick if mode == 'fast' else true)",
        "1.5 < rounds",
        "range(3)",
        "{'a': 1}",
        "file | length > 0",
        "rounds in goal",
    ];
    let lines = conditions.map(|text| format!("{text} → {}", told(&check_condition(text, &scope))));
    insta::assert_snapshot!(lines.join("\n"), @r"
    quick and not (rounds > 2) → ok
    mode == 'fast' → ok
    mode == 'fats' → unknown choice fats
    mode in ['fast', 'slwo'] → unknown choice slwo
    mode == goal → ok
    confidence is atleast('high') → ok
    confidence is atleast('hgh') → unknown degree of confidence hgh
    mode is atleast('high') → `atleast` compares confidence, and this is a word
    confidence > 'high' → degrees of confidence are not compared as words; a text is not a number
    confidence == 'hihg' → unknown degree of confidence hihg
    steps['look'].outcome == 'ok' → ok
    steps.look.outcome == 'okay' → unknown outcome okay
    steps['lok'].outcome == 'ok' → unknown step lok
    steps[mode].outcome == 'ok' → what stands in `[…]` is not known before a run
    steps.look.outcom == 'ok' → unknown field outcom
    steps.look.outcome == none → ok
    steps.look.visits == none → a number never equals `none`
    steps.look.outcome | upper == 'OK' → `upper` needs a text, and this is a value that may be `none`
    steps.look.visits > 1 → ok
    steps.look.outcome > 1 → a value that may be `none` is not a number
    gates['gate'].failed → ok
    gates['work'].failed → unknown gate work
    gates.gate.status == 'skipped' → ok
    gates.gate.status == 'passed' → unknown status passed
    gates.gate.findings | length > 0 → unknown field findings
    goal | lower == 'x' → ok
    rounds | lower == 'x' → `lower` needs a text, and this is a number
    goal is startingwith('x') → ok
    quick is startingwith('x') → `startingwith` needs a text, and this is yes or no
    goal == 3 → a text never equals a number
    rounds == '3' → a number never equals a text
    rounds / 2 > 1 → ok
    rounds % offset == 0 → it may divide by zero
    rounds - offset > 1 → ok
    goal - 1 > 1 → a text is not a number
    nobody == 1 → undeclared nobody
    goal.length > 3 → a text has no field `length`
    goal[0] == 'x' → what stands in `[…]` is not known before a run
    quick if mode == 'fast' → `if` without `else` is nothing where it does not hold
    (quick if mode == 'fast' else true) → ok
    1.5 < rounds → only texts, whole numbers, `true`, `false` and `none` can be written
    range(3) → ok
    {'a': 1} → slices and maps are not part of the language
    file | length > 0 → ok
    rounds in goal → a number is never part of a text
    ");
}

#[test]
fn texts_are_typed() {
    let scope = scope_of(&workflow());
    let long = "{{ goal }}".repeat(33);
    let texts = [
        "{{ goal }} in {{ rounds }}",
        "{{ gaol }}",
        "{% for n in range(rounds) %}{{ n }}{{ loop.index }}{% endfor %}",
        "{% for n in range(rounds) %}{{ loop.lenght }}{% endfor %}",
        "{% for n in goal %}x{% endfor %}",
        "{% for n in range(iteration) %}x{% endfor %}",
        "{% for a, b in range(rounds) %}x{% endfor %}",
        "{{ steps.look }}",
        "{{ steps.look.answer }}",
        "{{ steps.look.answer | default('x') }}",
        "{% if steps['reviw'].visits > 1 %}x{% endif %}",
        "{% for a in range(rounds) %}{% for b in range(rounds) %}{% for c in range(rounds) %}\
         {% for d in range(rounds) %}{{ a }}{% endfor %}{% endfor %}{% endfor %}{% endfor %}",
        &long,
    ];
    let lines = texts.map(|text| {
        let shown: String = text.chars().take(60).collect();
        format!("{shown} → {}", told(&check_text(text, &scope)))
    });
    insta::assert_snapshot!(lines.join("\n"), @r"
    {{ goal }} in {{ rounds }} → ok
    {{ gaol }} → undeclared gaol
    {% for n in range(rounds) %}{{ n }}{{ loop.index }}{% endfor → ok
    {% for n in range(rounds) %}{{ loop.lenght }}{% endfor %} → unknown field lenght
    {% for n in goal %}x{% endfor %} → a loop cannot go over a text
    {% for n in range(iteration) %}x{% endfor %} → `range` may have 4294967295 rounds, 200 are allowed
    {% for a, b in range(rounds) %}x{% endfor %} → a loop gives one name
    {{ steps.look }} → a set of fields cannot be written into a text
    {{ steps.look.answer }} → ok
    {{ steps.look.answer | default('x') }} → ok
    {% if steps['reviw'].visits > 1 %}x{% endif %} → unknown step reviw
    {% for a in range(rounds) %}{% for b in range(rounds) %}{% f → it may take more work than a text is given
    {{ goal }}{{ goal }}{{ goal }}{{ goal }}{{ goal }}{{ goal }} → it may come to 270336 bytes when parameters are long, 262144 are allowed
    ");
}

/// Whoever adds a field to a run decides here whether texts may ask for it.
#[test]
fn every_field_of_a_run_is_known_or_left_out_on_purpose() {
    let fields = |kind: &Kind| {
        let Kind::Record(fields) = kind else { panic!("{kind:?}") };
        fields.iter().map(|(name, _)| (*name).to_owned()).collect::<BTreeSet<_>>()
    };
    let keys = |value: serde_json::Value| {
        let map = value.as_object().cloned().unwrap();
        map.into_iter().map(|(key, _)| key).collect::<BTreeSet<_>>()
    };
    assert_eq!(fields(&scope::step()), keys(serde_json::to_value(StepState::default()).unwrap()));
    let gate = GateState {
        findings: vec!["x".to_owned()],
        report: Some("x".to_owned()),
        ..GateState::default()
    };
    let mut serialized = keys(serde_json::to_value(gate).unwrap());
    // What a review found is for its report.
    assert!(serialized.remove("findings") && serialized.remove("report"));
    assert_eq!(fields(&scope::gate()), serialized);
}

/// Expressions that are made of what the language is made of, most of them well formed.
fn expressions() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "goal",
        "file",
        "rounds",
        "offset",
        "quick",
        "mode",
        "confidence",
        "iteration",
        "task",
        "directory",
        "'fast'",
        "'high'",
        "'x'",
        "3",
        "0",
        "true",
        "none",
        "steps.look.visits",
        "steps['look'].outcome",
        "steps.work.answer",
        "gates.gate.failed",
        "gates['gate'].status",
        "gates.gate.iteration",
        "gates.gate.skips",
        "'ok'",
        "'skipped'",
        "steps",
        "gates.gate",
        "nobody",
        "steps.nobody.visits",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(3, 12, 3, |inner| {
        let operators = prop::sample::select(vec![
            "==", "!=", ">", "<=", "and", "or", "in", "not in", "-", "/", "//", "%",
        ]);
        prop_oneof![
            (inner.clone(), operators, inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            inner.clone().prop_map(|a| format!("(not {a})")),
            inner.clone().prop_map(|a| format!("(-{a})")),
            (inner.clone(), prop::sample::select(vec!["lower", "upper", "trim", "length"]))
                .prop_map(|(a, filter)| format!("({a} | {filter})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} | default({b}))")),
            (inner.clone(), prop::sample::select(vec!["atleast", "startingwith", "endingwith"]))
                .prop_map(|(a, test)| format!("({a} is {test}('high'))")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a} if {b} else {c})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} in [{b}, 'slow'])")),
            inner.prop_map(|a| format!("({a} is defined)")),
        ]
    })
}

/// Values that the parameters of a definition may have.
pub(in crate::workflow) fn values(params: &[Param]) -> BoxedStrategy<BTreeMap<String, Value>> {
    let one = |param: &Param| {
        let name = param.name.clone();
        let value: BoxedStrategy<Value> = match &param.kind {
            ParamKind::Text | ParamKind::Path => {
                prop_oneof![Just(String::new()), "[a-z{}% ]{1,20}", Just("x".repeat(8192))]
                    .prop_map(Value::Text)
                    .boxed()
            }
            ParamKind::Flag => any::<bool>().prop_map(Value::Bool).boxed(),
            ParamKind::Number { least, most } => (*least..=*most).prop_map(Value::Number).boxed(),
            ParamKind::Choice { choices } => {
                prop::sample::select(choices.clone()).prop_map(Value::Text).boxed()
            }
            ParamKind::Confidence => prop::sample::select(vec!["exploring", "high", "certain"])
                .prop_map(|word| Value::Text(word.to_owned()))
                .boxed(),
        };
        value.prop_map(move |value| (name.clone(), value)).boxed()
    };
    let all: Vec<_> = params.iter().map(one).collect();
    all.prop_map(|pairs| pairs.into_iter().collect()).boxed()
}

/// States that a run may have come to.
fn states() -> impl Strategy<Value = (StepState, GateState)> {
    let outcome = prop::option::of(prop::sample::select(Outcome::ALL.to_vec()));
    let status = prop::option::of(prop::sample::select(vec![
        Verdict::Pass,
        Verdict::Fail,
        Verdict::Skipped,
    ]));
    let answer = prop::option::of(prop_oneof![Just("yes".to_owned()), Just("y".repeat(4000))]);
    (outcome, status, answer, 0u32..9, any::<bool>()).prop_map(
        |(outcome, status, answer, count, failed)| {
            let step = StepState { visits: count, outcome, answer, granted: count };
            let gate = GateState {
                iteration: count + 1,
                failed,
                status,
                skips: count,
                ..GateState::default()
            };
            (step, gate)
        },
    )
}

fn run_in(
    workflow: &Workflow,
    params: BTreeMap<String, Value>,
    state: (StepState, GateState),
) -> Run {
    let (mut run, _) = begin(workflow, &[], Purpose { task: "T1", directory: "runs/1" }).unwrap();
    run.params = params;
    let ids = workflow.steps.iter().map(|step| step.id.clone());
    run.steps = ids.map(|id| (id, state.0.clone())).collect();
    run.gates = [(StepId("gate".to_owned()), state.1)].into();
    run
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_accepted_can_be_evaluated(
        expression in expressions(),
        params in values(&workflow().params),
        state in states(),
    ) {
        let workflow = workflow();
        let scope = scope_of(&workflow);
        let run = run_in(&workflow, params, state);
        let names = Names::of(&workflow, &run, &StepId("work".to_owned()));
        let is_read = expression::check_condition(&expression).is_ok();
        if is_read && check_condition(&expression, &scope).is_empty() {
            let found = expression::holds(&expression, &names);
            prop_assert!(found.is_ok(), "{expression}: {found:?} {:?}", run.params);
        }
        let text = format!("a {{{{ {expression} }}}} b {{% if {expression} %}}c{{% endif %}}");
        let is_read = expression::check_text(&text).is_ok();
        if is_read && check_text(&text, &scope).is_empty() {
            let found = expression::fill(&text, &names);
            prop_assert!(found.is_ok(), "{text}: {found:?}");
        }
    }
}
