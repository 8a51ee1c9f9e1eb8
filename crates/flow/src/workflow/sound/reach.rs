//! Every step is come to, and from every step the end is.

use super::{Flaw, Subject, outcomes::leads_nowhere, ways::gate_of};
use crate::problem::shown;

/// Notes a workflow that is never over.
pub(super) fn check_terminal(subject: &Subject<'_>, flaws: &mut Vec<Flaw>) {
    let is_open = subject.workflow.steps.iter().any(leads_nowhere) || !subject.unclear.is_empty();
    if is_open || !subject.ways.ending.is_empty() {
        return;
    }
    flaws.push(Flaw {
        line: subject.line,
        step: None,
        message: "no step leads to the end".to_owned(),
        hint: Some("write `end` as the target of the last one".to_owned()),
    });
}

/// Notes steps that nobody will come to.
pub(super) fn check_reached(subject: &Subject<'_>, flaws: &mut Vec<Flaw>) {
    // A step whose ways could not be made out might lead anywhere.
    if !subject.unclear.is_empty() {
        return;
    }
    let workflow = subject.workflow;
    let Some(entry) = subject.ways.entry else { return };
    let reached = subject.ways.reached([entry]);
    for step in &workflow.steps {
        // A step without a name cannot be led to, and that it has none was told. That nothing
        // leads to a gate is told with what else is wrong with it.
        let is_told = step.id.as_str().is_empty() || gate_of(step).is_some();
        if !is_told && !reached.contains(&step.id) {
            let entry = shown(entry.as_str());
            let message = format!("the step cannot be reached from `{entry}`");
            flaws.push(Flaw::of(step, message, "lead to it by `next`, or leave it out"));
        }
    }
}

/// Notes steps after which the end cannot be come to any more.
pub(super) fn check_left(subject: &Subject<'_>, flaws: &mut Vec<Flaw>) {
    let workflow = subject.workflow;
    let ways = &subject.ways;
    // Without any end, and of steps that lead nowhere at all, more was told already.
    if ways.ending.is_empty() {
        return;
    }
    let open = workflow.steps.iter().filter(|step| leads_nowhere(step));
    let open = open.chain(subject.unclear_steps()).map(|step| &step.id);
    let leaving = ways.reaching(ways.ending.iter().copied().chain(open));
    for step in workflow.steps.iter().filter(|step| !leaving.contains(&step.id)) {
        let message = "the end cannot be reached from this step";
        flaws.push(Flaw::of(step, message, "give it, or a step after it, a way to `end`"));
    }
}
