//! Whatever was found sound can be shown: at every step, for every value of the parameters, wherever
//! the run came from.

use std::collections::{BTreeMap, BTreeSet};

use pacenote_model::Value;
use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};

use super::{
    course::purpose,
    made_up::{self, BLOCKS},
};
use crate::workflow::{
    Answered, GateState, Handler, Outcome, Question, Run, Shelf, Spoken, Standing, Step, StepState,
    Verdict, Why, Workflow, begin, built_in, format, read, render, show, typing::tests::values,
};

/// Every place a run can be in at a step; a new handler has to say which.
fn standings(step: &Step) -> Vec<Standing> {
    let id = step.id.clone();
    let question = Question {
        id: "q1".to_owned(),
        text: "Which?".to_owned(),
        options: vec!["a".to_owned()],
        free_text: true,
    };
    let asking =
        |why| Standing::Asking { step: id.clone(), why, questions: vec![question.clone()] };
    let mut all = match &step.handler {
        Handler::Work | Handler::Dispatch(_) => {
            vec![Standing::Working { step: id.clone() }, asking(Why::Agent)]
        }
        Handler::Ask(ask) if ask.approval => vec![asking(Why::Approval)],
        Handler::Ask(_) => vec![asking(Why::Step)],
        Handler::Check(_) => vec![Standing::Checking { step: id.clone() }],
        Handler::Gate(_) => vec![asking(Why::GateLimit)],
        // Nobody ever stands at a choice, unless it was entered too often.
        Handler::Choose(_) => Vec::new(),
    };
    if step.limit.is_some() {
        all.push(asking(Why::StepLimit));
    }
    all
}

/// Where a run may have come from: nothing done yet, everything done, gates passed, failed, skipped.
fn pasts() -> Vec<(StepState, GateState)> {
    let outcomes = Outcome::ALL.into_iter().map(Some).chain([None]);
    let verdicts = [Some(Verdict::Pass), Some(Verdict::Fail), Some(Verdict::Skipped), None, None];
    let past = |(outcome, status): (Option<Outcome>, Option<Verdict>)| {
        let visits = if outcome.is_some() { 3 } else { 0 };
        let answer = outcome.map(|outcome| outcome.word().to_owned());
        let step = StepState { visits, outcome, answer, granted: 1 };
        let failed = status == Some(Verdict::Fail);
        let findings = vec!["MUST X a".to_owned()];
        let report = failed.then(|| "report.md".to_owned());
        let iteration = 1 + visits;
        (step, GateState { iteration, failed, status, findings, report, ..GateState::default() })
    };
    outcomes.zip(verdicts).map(past).collect()
}

/// Shows every step of a workflow, in every place and after each of these pasts.
fn assert_always_shown(
    workflow: &Workflow,
    params: &BTreeMap<String, Value>,
    pasts: &[(StepState, GateState)],
) {
    let chosen: Vec<(String, String)> = workflow
        .params
        .iter()
        .filter(|param| param.default.is_none())
        .filter_map(|param| match params.get(&param.name)? {
            Value::Text(text) => Some((param.name.clone(), text.clone())),
            Value::Number(number) => Some((param.name.clone(), number.to_string())),
            Value::Bool(flag) => Some((param.name.clone(), flag.to_string())),
        })
        .collect();
    let first: Vec<_> = chosen
        .into_iter()
        .map(|(name, text)| (name, if text.trim().is_empty() { "x".to_owned() } else { text }))
        .collect();
    let (run, _) = begin(workflow, &first, purpose()).unwrap();
    for step in &workflow.steps {
        for standing in standings(step) {
            for (state, gate) in pasts {
                let gates = workflow.steps.iter().filter(|step| step.is_passed_through());
                let through = workflow.gate_of(&step.id).map(|(gate, _)| gate.id.clone());
                let run = Run {
                    params: params.clone(),
                    standing: standing.clone(),
                    steps: workflow
                        .steps
                        .iter()
                        .map(|one| (one.id.clone(), state.clone()))
                        .collect(),
                    gates: gates.map(|one| (one.id.clone(), gate.clone())).collect(),
                    answers: vec![Answered {
                        question: "Which?".to_owned(),
                        answer: "a".to_owned(),
                        relayed: true,
                    }],
                    through: through.zip(gate.status),
                    ..run.clone()
                };
                let spoken = Spoken { run: "1", checks_itself: gate.failed };
                let view = show(workflow, &run, spoken)
                    .unwrap_or_else(|reason| panic!("{}: {reason}\n{run:?}", step.id));
                assert!(!render::text(&view).is_empty());
            }
        }
    }
}

#[test]
fn every_built_in_workflow_is_always_shown() {
    let mut runner = TestRunner::deterministic();
    let library = built_in::library();
    let workflows: BTreeSet<String> =
        built_in::DEFINITIONS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let shelf = Shelf { library: &library, workflows: &workflows };
    for (name, text) in built_in::DEFINITIONS {
        let workflow = read(text, name, &shelf).unwrap();
        for _ in 0..3 {
            let params = values(&workflow.params).new_tree(&mut runner).unwrap().current();
            assert_always_shown(&workflow, &params, &pasts());
        }
    }
}

#[test]
fn every_block_is_made_up() {
    // These two name texts that only a library has; the built-in workflows show them.
    let of_library = ["resource", "convention"];
    for field in &format::BLOCKS {
        let is_there = BLOCKS.iter().any(|(key, _)| *key == field.key);
        assert!(is_there || of_library.contains(&field.key), "no example of `{}`", field.key);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn every_sound_workflow_is_always_shown(made_up in made_up::workflows(), seed in any::<[u8; 32]>()) {
        use proptest::test_runner::{Config, RngAlgorithm, TestRng};
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let params = values(&made_up.workflow.params).new_tree(&mut runner).unwrap().current();
        let all = pasts();
        let past = usize::from(seed[0]) % all.len();
        assert_always_shown(&made_up.workflow, &params, &all[past..=past]);
    }
}
