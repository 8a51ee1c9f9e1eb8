use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use crate::workflow::{
    definition::{StepId, Target, Workflow},
    read::tests::{read_beside, told, told_of},
    sound::ways::gate_of,
};

/// Fails unless a workflow is what its readers rely on, looked at in the plainest way.
pub(in crate::workflow) fn assert_sound(workflow: &Workflow) {
    let leads = |id: &StepId| -> Vec<Target> {
        let step = workflow.step(id).unwrap_or_else(|| panic!("there is no step `{id}`"));
        let then = step.limit.iter().filter_map(|limit| limit.then.clone());
        let gate = gate_of(step).into_iter();
        let gate = gate.flat_map(|gate| [gate.pass.clone(), Target::Step(gate.work.clone())]);
        step.targets().cloned().chain(then).chain(gate).collect()
    };
    let after = |id: &StepId| -> BTreeSet<Target> {
        let mut found: BTreeSet<Target> = BTreeSet::from([Target::Step(id.clone())]);
        let mut count = 0;
        while found.len() > count {
            count = found.len();
            for target in found.clone() {
                if let Target::Step(id) = &target {
                    found.extend(leads(id));
                }
            }
        }
        found
    };
    let from_entry = after(&workflow.entry);
    let mut ids = BTreeSet::new();
    for step in &workflow.steps {
        assert!(ids.insert(&step.id), "`{}` is there twice", step.id);
        assert!(from_entry.contains(&Target::Step(step.id.clone())), "`{}` is lost", step.id);
        assert!(after(&step.id).contains(&Target::End), "`{}` has no end", step.id);
    }
}

#[test]
fn steps_without_a_name_or_with_one_that_is_taken() {
    insta::assert_snapshot!(told_of("
  - {id: a, title: A, next: b}
  - {id: b, title: B, next: end}
  - {title: C, next: end}
  - {id: b, title: D, next: end}
"), @"
    f.yaml:6: the step needs `id`
        `id` must be a name of small letters, digits and `-`, at most 64
    f.yaml:7: step `b`: the id `b` is used twice
        the first is on line 5
    ");
}

#[test]
fn targets_that_do_not_exist() {
    insta::assert_snapshot!(told("
name: w
description: d
entry: frist
steps:
  - {id: first, title: A, next: {ok: secnod, iterate: first}, on_error: nowhere,
    limit: {rounds: 2, then: thrid}}
  - {id: second, title: B, check: tests, next: {ok: review, default: somewhere}}
  - id: third
    title: C
    next: second
  - {id: review, title: D, dispatch: {role: explore, prompt: p}, next: {ok: gate, fail: gate}}
  - {id: gate, title: E, gate: {name: G, work: secund, pass: ende}}
"), @"
    f.yaml:4: unknown step `frist`
        did you mean `first`?
    f.yaml:6: step `first`: unknown step `secnod`
        did you mean `second`?
    f.yaml:6: step `first`: unknown step `nowhere`
        known are `first`, `second`, `third`, `review`, `gate`, `end`
    f.yaml:7: step `first`: unknown step `thrid`
        did you mean `third`?
    f.yaml:8: step `second`: unknown step `somewhere`
        known are `first`, `second`, `third`, `review`, `gate`, `end`
    f.yaml:13: step `gate`: unknown step `secund`
        did you mean `second`?
    f.yaml:13: step `gate`: unknown step `ende`
        did you mean `end`?
    ");
}

#[test]
fn steps_that_cannot_be_reached() {
    insta::assert_snapshot!(told_of("
  - {id: a, title: A, next: end}
  - {id: b, title: B, next: c}
  - {id: c, title: C, next: a}
"), @"
    f.yaml:5: step `b`: the step cannot be reached from `a`
        lead to it by `next`, or leave it out
    f.yaml:6: step `c`: the step cannot be reached from `a`
        lead to it by `next`, or leave it out
    ");
}

#[test]
fn a_step_behind_an_error_or_a_limit_is_reached() {
    assert_eq!(
        told_of(
            "
  - {id: a, title: A, next: {ok: end, iterate: a}, on_error: b, limit: {rounds: 2, then: c}}
  - {id: b, title: B, next: end}
  - {id: c, title: C, next: end}
"
        ),
        "sound: 3 steps"
    );
}

#[test]
fn a_workflow_without_an_end() {
    insta::assert_snapshot!(told_of("
  - {id: a, title: A, next: b, limit: 3}
  - {id: b, title: B, next: a}
"), @"
    f.yaml:4: no step leads to the end
        write `end` as the target of the last one
    ");
}

#[test]
fn dead_ends() {
    insta::assert_snapshot!(told_of("
  - {id: a, title: A, check: tests, next: {ok: b, fail: c}}
  - {id: b, title: B}
  - {id: c, title: C, next: {ok: d, fail: end}}
  - {id: d, title: D, next: e, limit: 2}
  - {id: e, title: E, next: d, on_error: e}
"), @"
    f.yaml:5: step `b`: the step leads nowhere
        add `next`; it is `end` where the workflow is over
    f.yaml:7: step `d`: the end cannot be reached from this step
        give it, or a step after it, a way to `end`
    f.yaml:8: step `e`: the end cannot be reached from this step
        give it, or a step after it, a way to `end`
    f.yaml:8: step `e`: the step leads to itself without end
        give a step of it a `limit`, or send work back by a `gate`
    ");
}

#[test]
fn outcomes_that_lead_nowhere() {
    insta::assert_snapshot!(told_of("
  - {id: work, title: A, next: {fail: hand}}
  - {id: hand, title: B, dispatch: {role: explore, prompt: p}, next: look}
  - {id: look, title: C, check: tests, next: ask}
  - id: ask
    title: D
    ask: {question: q, options: [a, {label: b, outcome: skip}, {label: c, outcome: fail}]}
    next: free
  - id: free
    title: E
    ask: {question: q, free_text: true, options: [{label: b, outcome: skip}, {label: c, outcome: fail}]}
    next: {skip: choose, fail: end}
  - id: choose
    title: F
    choose: [{when: iteration > 1, outcome: skip}, {outcome: ok}]
    next: all
  - {id: all, title: G, check: tests, next: {default: end}}
"), @"
    f.yaml:4: step `work`: `work` can come to `ok`, which leads nowhere
        name it below `next`, or add a `default`
    f.yaml:5: step `hand`: `dispatch` can come to `fail`, which leads nowhere
        name it below `next`, or add a `default`
    f.yaml:6: step `look`: `check` can come to `fail`, which leads nowhere
        name it below `next`, or add a `default`
    f.yaml:7: step `ask`: `ask` can come to `fail`, `skip`, which leads nowhere
        name it below `next`, or add a `default`
    f.yaml:11: step `free`: `ask` can come to `ok`, which leads nowhere
        name it below `next`, or add a `default`
    f.yaml:15: step `choose`: `choose` can come to `skip`, which leads nowhere
        name it below `next`, or add a `default`
    ");
}

#[test]
fn outcomes_that_never_come() {
    insta::assert_snapshot!(told_of("
  - {id: look, title: A, check: tests, next: {ok: ask, fail: ask, skip: end}}
  - id: ask
    title: B
    ask: {question: q, options: [{label: a, outcome: skip}, {label: b, outcome: fail}]}
    next: {skip: choose, fail: choose, ok: end}
  - id: choose
    title: C
    choose: [{when: iteration > 1, outcome: skip}, {outcome: ok}]
    next: {skip: end, ok: end, iterate: end}
"), @"
    f.yaml:4: step `look`: `check` never comes to `skip`
        it comes to `ok`, `fail`
    f.yaml:5: step `ask`: `ask` never comes to `ok`
        it comes to `fail`, `skip`
    f.yaml:9: step `choose`: `choose` never comes to `iterate`
        it comes to `ok`, `skip`
    ");
}

#[test]
fn loops_without_a_limit() {
    insta::assert_snapshot!(told_of("
  - {id: a, title: A, next: b}
  - {id: b, title: B, next: {ok: c, fail: a}}
  - {id: c, title: C, next: {ok: d, iterate: c}}
  - {id: d, title: D, next: {ok: e, fail: end}, on_error: f}
  - {id: e, title: E, next: end}
  - {id: f, title: F, next: d}
"), @"
    f.yaml:4: step `a`: `a`, `b` lead in a circle without end
        give a step of it a `limit`, or send work back by a `gate`
    f.yaml:6: step `c`: the step leads to itself without end
        give a step of it a `limit`, or send work back by a `gate`
    f.yaml:7: step `d`: `d`, `f` lead in a circle without end
        give a step of it a `limit`, or send work back by a `gate`
    ");
}

#[test]
fn a_limit_in_the_circle_ends_it() {
    assert_eq!(
        told_of(
            "
  - {id: a, title: A, next: b}
  - {id: b, title: B, next: {ok: c, fail: a}, limit: 3}
  - {id: c, title: C, next: {ok: end, iterate: c}, limit: {rounds: 2, then: end}}
"
        ),
        "sound: 3 steps"
    );
}

#[test]
fn a_limit_that_leads_back_into_its_circle_ends_nothing() {
    insta::assert_snapshot!(told_of("
  - {id: a, title: A, next: {ok: b, fail: end}}
  - {id: b, title: B, next: a, limit: {rounds: 2, then: a}}
"), @"
    f.yaml:4: step `a`: `a`, `b` lead in a circle without end
        the `then` of a limit leads back into it; let it lead out of the circle
    ");
    insta::assert_snapshot!(told_of("
  - {id: a, title: A, next: {ok: b, fail: end}, limit: {rounds: 2, then: b}}
  - {id: b, title: B, next: a, limit: {rounds: 2, then: a}}
"), @"
    f.yaml:4: step `a`: `a`, `b` lead in a circle without end
        the `then` of a limit leads back into it; let it lead out of the circle
    ");
    insta::assert_snapshot!(told_of("
  - {id: a, title: A, next: {ok: a, fail: end}, limit: {rounds: 2, then: a}}
"), @"
    f.yaml:4: step `a`: the step leads to itself without end
        the `then` of a limit leads back into it; let it lead out of the circle
    ");
}

/// Work, a review and a gate, as they should be.
const REVIEWED: &str = "
  - {id: work, title: A, dispatch: {role: developer, prompt: p}, next: {default: review}}
  - {id: review, title: B, dispatch: {role: explore, prompt: p}, next: {ok: gate, fail: gate}}
  - {id: gate, title: C, gate: {name: G, work: work, pass: end}}
";

#[test]
fn work_that_is_sent_back_by_a_gate_needs_no_limit() {
    assert_eq!(told_of(REVIEWED), "sound: 3 steps");
    assert_eq!(
        told_of(&REVIEWED.replace("dispatch: {role: explore, prompt: p}", "check: tests")),
        "sound: 3 steps"
    );
}

#[test]
fn a_gate_that_judges_nothing() {
    let told = [
        ("work: work, ", ""),
        ("work: work", "work: gate"),
        (
            "{name: G, work: work, pass: end}",
            "{name: G, work: work, pass: end}, next: end, limit: 2, on_error: end",
        ),
        ("ok: gate, fail: gate", "ok: end, fail: end"),
    ]
    .map(|(right, wrong)| told_of(&REVIEWED.replace(right, wrong)));
    insta::assert_snapshot!(told.join("\n"), @"
    f.yaml:6: step `gate`: `gate` needs `work`
        `work` must be the name of a step
    f.yaml:6: step `gate`: the gate judges itself
        `work` names the step whose work is reviewed
    f.yaml:6: step `gate`: `next` means nothing beside `gate`
        it leads to `pass`, or back to `work`
    f.yaml:6: step `gate`: `on_error` means nothing beside `gate`
        it leads to `pass`, or back to `work`
    f.yaml:6: step `gate`: `limit` means nothing beside `gate`
        `limit` belongs below `gate`
    f.yaml:6: step `gate`: no review leads to the gate
        lead a `dispatch` or a `check` to it by `ok` and `fail`
    ");
}

#[test]
fn a_gate_that_judges_a_choice_or_another_gate() {
    insta::assert_snapshot!(told_of("
  - {id: start, title: S, choose: [{outcome: ok}], next: work}
  - {id: work, title: W, next: review}
  - {id: review, title: R, check: tests, next: {ok: one, fail: one}}
  - {id: one, title: A, gate: {name: G, work: start, pass: again}}
  - {id: again, title: R, check: tests, next: {ok: two, fail: two}}
  - {id: two, title: B, gate: {name: H, work: one, pass: end}}
"), @"
    f.yaml:7: step `one`: `start` does no work that could be judged
        `work` names the step whose work is reviewed
    f.yaml:9: step `two`: `one` does no work that could be judged
        `work` names the step whose work is reviewed
    ");
}

#[test]
fn work_that_is_passed_by_whoever_did_it() {
    let told = [
        ("default: review", "ok: gate, fail: review"),
        ("role: explore", "role: developer"),
        ("dispatch: {role: explore, prompt: p}", "phase: x"),
        ("dispatch: {role: explore, prompt: p}", "ask: {question: Is it good?}"),
        ("ok: gate, fail: gate", "ok: gate, fail: gate, skip: gate"),
        ("ok: gate, fail: gate", "default: gate"),
        ("ok: gate, fail: gate}", "ok: gate, fail: end}, on_error: gate"),
        ("default: review", "default: review}, limit: {rounds: 2, then: gate"),
        ("  - {id: work", "  - {id: gate-first, title: F, gate: {name: F, work: work, pass: gate}}\n  - {id: work"),
    ].map(|(right, wrong)| format!("{wrong}\n{}\n", told_of(&REVIEWED.replacen(right, wrong, 1))));
    insta::assert_snapshot!(told.join("\n"), @"
    ok: gate, fail: review
    f.yaml:4: step `work`: the step passes its own work at `gate`
        let a review come between

    role: developer
    f.yaml:5: step `review`: `developer` would pass at `gate` what `developer` did in `work`
        let another role review it

    phase: x
    f.yaml:5: step `review`: unknown phase `x`
        there is none of this kind
    f.yaml:5: step `review`: a step of kind `work` gives no verdict for `gate`
        only a `dispatch` or a `check` leads to a gate

    ask: {question: Is it good?}
    f.yaml:5: step `review`: `ask` never comes to `fail`
        it comes to `ok`
    f.yaml:5: step `review`: a step of kind `ask` gives no verdict for `gate`
        only a `dispatch` or a `check` leads to a gate

    ok: gate, fail: gate, skip: gate
    f.yaml:5: step `review`: `skip` gives no verdict for `gate`
        lead to a gate by `ok` and `fail` only

    default: gate
    f.yaml:5: step `review`: `default` gives no verdict for `gate`
        lead to a gate by `ok` and `fail` only

    ok: gate, fail: end}, on_error: gate
    f.yaml:5: step `review`: `on_error` gives no verdict for `gate`
        lead to a gate by `ok` and `fail` only

    default: review}, limit: {rounds: 2, then: gate
    f.yaml:4: step `work`: the step passes its own work at `gate`
        let a review come between

      - {id: gate-first, title: F, gate: {name: F, work: work, pass: gate}}
      - {id: work
    f.yaml:4: step `gate-first`: no review leads to the gate
        lead a `dispatch` or a `check` to it by `ok` and `fail`
    f.yaml:4: step `gate-first`: the workflow begins with a gate
        begin with the work
    f.yaml:4: step `gate-first`: a step of kind `gate` gives no verdict for `gate`
        only a `dispatch` or a `check` leads to a gate
    f.yaml:7: step `gate`: the work of `work` has two gates
        `gate-first` is the other; lead both reviews to it
    ");
}

#[test]
fn work_with_two_gates_and_a_review_for_two() {
    insta::assert_snapshot!(told_of("
  - {id: work, title: A, next: review}
  - {id: review, title: B, check: tests, next: {ok: one, fail: two}}
  - {id: one, title: C, gate: {name: G, work: work, pass: end}}
  - {id: two, title: D, gate: {name: H, work: work, pass: end}}
"), @"
    f.yaml:5: step `review`: the step leads to more than one gate
        a review leads to one gate, by `ok` and by `fail`
    f.yaml:7: step `two`: the work of `work` has two gates
        `one` is the other; lead both reviews to it
    ");
}

/// Where a made-up step leads.
fn made_up_target(count: usize) -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0..count).prop_map(|number| format!("s{number}")),
        1 => Just("end".to_owned()),
    ]
}

fn made_up_step(number: usize, count: usize) -> impl Strategy<Value = String> {
    let target = move || made_up_target(count);
    let ways = prop_oneof![
        target().prop_map(|to| format!("next: {to}")),
        (target(), target())
            .prop_map(|(ok, other)| format!("next: {{ok: {ok}, default: {other}}}")),
        (target(), target())
            .prop_map(|(ok, fail)| format!("check: tests, next: {{ok: {ok}, fail: {fail}}}")),
        (target(), 0..count)
            .prop_map(|(to, work)| format!("gate: {{name: G, work: s{work}, pass: {to}}}")),
    ];
    let limit = prop_oneof![
        2 => Just(String::new()),
        2 => Just(", limit: 2".to_owned()),
        1 => target().prop_map(|to| format!(", limit: {{rounds: 2, then: {to}}}")),
    ];
    (ways, limit)
        .prop_map(move |(ways, limit)| format!("- {{id: s{number}, title: T, {ways}{limit}}}\n"))
}

fn made_up_workflow() -> impl Strategy<Value = String> {
    (1..6_usize).prop_flat_map(|count| {
        let steps: Vec<_> = (0..count).map(|number| made_up_step(number, count)).collect();
        steps.prop_map(|steps| format!("name: w\ndescription: d\nsteps:\n{}", steps.concat()))
    })
}

/// Goes through a workflow as its steps allow, drawn by `draws`; returns whether it was over, or
/// the person was asked and gave up.
fn ends(workflow: &Workflow, draws: &[u8]) -> bool {
    let mut visits = BTreeMap::<&StepId, u32>::new();
    let mut fails = BTreeMap::<&StepId, u32>::new();
    let mut draws = draws.iter().cycle().map(|draw| usize::from(*draw));
    let mut at = &workflow.entry;
    for _ in 0..5000 {
        let step = workflow.step(at).unwrap();
        let entered = visits.entry(at).or_default();
        let limit = step.limit.as_ref().filter(|limit| *entered >= limit.rounds);
        let draw = draws.next().unwrap();
        let target = if let Some(limit) = limit {
            let Some(then) = &limit.then else { return true };
            then
        } else if let Some(gate) = gate_of(step) {
            let fails = fails.entry(at).or_default();
            if draw.is_multiple_of(2) {
                *fails += 1;
                if *fails == gate.limit {
                    return true;
                }
                at = &gate.work;
                continue;
            }
            *fails = 0;
            &gate.pass
        } else {
            *entered += 1;
            let targets: Vec<_> = step.targets().collect();
            targets[draw % targets.len()]
        };
        match target {
            Target::End => return true,
            Target::Step(id) => at = id,
        }
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn what_is_accepted_can_be_followed_to_its_end(
        text in made_up_workflow(),
        draws in prop::collection::vec(any::<u8>(), 1..20),
    ) {
        if let Ok(workflow) = read_beside(&text) {
            assert_sound(&workflow);
            prop_assert!(ends(&workflow, &draws), "{text}");
        }
    }
}
