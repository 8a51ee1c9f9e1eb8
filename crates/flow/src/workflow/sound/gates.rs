//! Work is passed by somebody who did not do it, or not at all.

use std::collections::{BTreeMap, BTreeSet};

use super::{Flaw, Subject, ways::gate_of};
use crate::{
    problem::shown,
    workflow::{
        definition::{Gate, Handler, Step, StepId, Target},
        words::Outcome,
    },
};

/// Notes gates that judge nothing that can be judged.
pub(super) fn check_gates(subject: &Subject<'_>, flaws: &mut Vec<Flaw>) {
    let mut judged: BTreeMap<&StepId, &Step> = BTreeMap::new();
    for step in subject.clear_steps() {
        let Some(gate) = gate_of(step) else { continue };
        check_own_ways(step, flaws);
        check_work(subject, step, gate, flaws);
        if let Some(first) = judged.get(&gate.work) {
            let message = format!("the work of `{}` has two gates", shown(gate.work.as_str()));
            let hint =
                format!("`{}` is the other; lead both reviews to it", shown(first.id.as_str()));
            flaws.push(Flaw::of(step, message, hint));
        }
        judged.entry(&gate.work).or_insert(step);
        // A step whose ways could not be made out might be the review.
        if !subject.ways.lead_to(&step.id) && subject.unclear.is_empty() {
            let hint = "lead a `dispatch` or a `check` to it by `ok` and `fail`";
            flaws.push(Flaw::of(step, "no review leads to the gate", hint));
        }
    }
}

/// Notes ways to a gate by which work would be passed that nobody else looked at.
pub(super) fn check_reviews(subject: &Subject<'_>, flaws: &mut Vec<Flaw>) {
    let gates = subject.clear_steps().filter_map(|step| Some((step, gate_of(step)?)));
    for (gate_step, gate) in gates {
        if subject.workflow.entry == gate_step.id {
            let hint = "begin with the work";
            flaws.push(Flaw::of(gate_step, "the workflow begins with a gate", hint));
        }
        let mut told = BTreeSet::new();
        for (review, way) in leading_to(subject, &gate_step.id) {
            if let Some((message, hint)) = objection(subject, review, way, gate_step, gate)
                && told.insert((&review.id, message.clone()))
            {
                flaws.push(Flaw::of(review, message, hint));
            }
        }
    }
}

/// Notes steps that lead to several gates: their verdict would be for one of them only.
pub(super) fn check_choice_of_gates(subject: &Subject<'_>, flaws: &mut Vec<Flaw>) {
    for step in subject.clear_steps() {
        let gates: BTreeSet<&StepId> = step
            .targets()
            .filter_map(|target| match target {
                Target::Step(id) => subject.workflow.step(id),
                Target::End => None,
            })
            .filter(|target| gate_of(target).is_some())
            .map(|gate| &gate.id)
            .collect();
        if gates.len() > 1 {
            let hint = "a review leads to one gate, by `ok` and by `fail`";
            flaws.push(Flaw::of(step, "the step leads to more than one gate", hint));
        }
    }
}

/// How a step leads to another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    By(Outcome),
    Default,
    Error,
    Limit,
    Pass,
}

fn check_own_ways(step: &Step, flaws: &mut Vec<Flaw>) {
    let has_next = !step.next.is_empty() || step.default.is_some();
    let extra = [
        ("next", has_next),
        ("on_error", step.on_error.is_some()),
        ("limit", step.limit.is_some()),
    ];
    for (key, _) in extra.into_iter().filter(|(_, is_there)| *is_there) {
        let hint = match key {
            "limit" => "`limit` belongs below `gate`",
            _ => "it leads to `pass`, or back to `work`",
        };
        flaws.push(Flaw::of(step, format!("`{key}` means nothing beside `gate`"), hint));
    }
}

fn check_work(subject: &Subject<'_>, step: &Step, gate: &Gate, flaws: &mut Vec<Flaw>) {
    let Some(work) = subject.workflow.step(&gate.work) else { return };
    let message = match &work.handler {
        Handler::Gate(_) if work.id == step.id => "the gate judges itself".to_owned(),
        Handler::Gate(_) | Handler::Choose(_) => {
            format!("`{}` does no work that could be judged", shown(work.id.as_str()))
        }
        Handler::Work | Handler::Dispatch(_) | Handler::Ask(_) | Handler::Check(_) => return,
    };
    flaws.push(Flaw::of(step, message, "`work` names the step whose work is reviewed"));
}

/// Says why a step must not lead to a gate in this way.
fn objection(
    subject: &Subject<'_>,
    review: &Step,
    way: Way,
    gate_step: &Step,
    gate: &Gate,
) -> Option<(String, &'static str)> {
    let (name, work) = (shown(gate_step.id.as_str()), shown(gate.work.as_str()));
    if review.id == gate.work {
        let message = format!("the step passes its own work at `{name}`");
        return Some((message, "let a review come between"));
    }
    let role = match &review.handler {
        Handler::Dispatch(dispatch) => Some(dispatch.role),
        Handler::Check(_) => None,
        Handler::Work | Handler::Ask(_) | Handler::Choose(_) | Handler::Gate(_) => {
            let word = review.handler.word();
            let message = format!("a step of kind `{word}` gives no verdict for `{name}`");
            return Some((message, "only a `dispatch` or a `check` leads to a gate"));
        }
    };
    match way {
        Way::By(Outcome::Ok | Outcome::Fail) => {}
        Way::By(Outcome::Skip | Outcome::Iterate)
        | Way::Default
        | Way::Error
        | Way::Limit
        | Way::Pass => {
            let message = format!("`{}` gives no verdict for `{name}`", way.word());
            return Some((message, "lead to a gate by `ok` and `fail` only"));
        }
    }
    let worker = match &subject.workflow.step(&gate.work)?.handler {
        Handler::Dispatch(dispatch) => Some(dispatch.role),
        Handler::Work
        | Handler::Ask(_)
        | Handler::Check(_)
        | Handler::Choose(_)
        | Handler::Gate(_) => None,
    };
    if role.is_some() && role == worker {
        let word = role.map_or("", |role| role.word());
        let message = format!("`{word}` would pass at `{name}` what `{word}` did in `{work}`");
        return Some((message, "let another role review it"));
    }
    None
}

/// Returns the steps that lead to a step, with each way they do.
fn leading_to<'s>(subject: &Subject<'s>, id: &StepId) -> Vec<(&'s Step, Way)> {
    let leads_to = |target: &Target| matches!(target, Target::Step(other) if other == id);
    let ways = subject.clear_steps().flat_map(|step| {
        let ways = ways_of(step).into_iter().filter(|(_, target)| leads_to(target));
        ways.map(move |(way, _)| (step, way))
    });
    ways.collect()
}

fn ways_of(step: &Step) -> Vec<(Way, &Target)> {
    let by_outcome = step.next.iter().map(|(outcome, target)| (Way::By(*outcome), target));
    let then = step.limit.as_ref().and_then(|limit| limit.then.as_ref());
    let pass = gate_of(step).map(|gate| &gate.pass);
    by_outcome
        .chain(step.default.iter().map(|target| (Way::Default, target)))
        .chain(step.on_error.iter().map(|target| (Way::Error, target)))
        .chain(then.map(|target| (Way::Limit, target)))
        .chain(pass.map(|target| (Way::Pass, target)))
        .collect()
}

impl Way {
    const fn word(self) -> &'static str {
        match self {
            Self::By(outcome) => outcome.word(),
            Self::Default => "default",
            Self::Error => "on_error",
            Self::Limit => "limit",
            Self::Pass => "pass",
        }
    }
}
