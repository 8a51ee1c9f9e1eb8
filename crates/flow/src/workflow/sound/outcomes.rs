//! Whatever a step comes to leads somewhere, and nothing is said of what it cannot come to.

use super::{Flaw, Subject};
use crate::{
    problem::listed,
    workflow::{
        definition::{Ask, Handler, Step},
        words::Outcome,
    },
};

/// Tells whether nothing is said of what comes after a step.
pub(super) fn leads_nowhere(step: &Step) -> bool {
    let is_gate = matches!(step.handler, Handler::Gate(_));
    !is_gate && step.next.is_empty() && step.default.is_none()
}

/// Notes steps that lead nowhere.
pub(super) fn check_dead_ends(subject: &Subject<'_>, flaws: &mut Vec<Flaw>) {
    for step in subject.clear_steps().filter(|step| leads_nowhere(step)) {
        let hint = "add `next`; it is `end` where the workflow is over";
        flaws.push(Flaw::of(step, "the step leads nowhere", hint));
    }
}

/// Notes outcomes that can be and lead nowhere, and outcomes that lead somewhere and cannot be.
pub(super) fn check_outcomes(subject: &Subject<'_>, flaws: &mut Vec<Flaw>) {
    for step in subject.clear_steps().filter(|step| !leads_nowhere(step)) {
        let Some(given) = outcomes_of(&step.handler) else { continue };
        let lost = given.sure.iter().filter(|outcome| step.target(**outcome).is_none());
        let lost: Vec<_> = lost.map(|outcome| outcome.word()).collect();
        if !lost.is_empty() {
            let what = step.handler.word();
            let lost = listed(&lost);
            let message = format!("`{what}` can come to {lost}, which leads nowhere");
            flaws.push(Flaw::of(step, message, "name it below `next`, or add a `default`"));
        }
        let idle =
            step.next.keys().filter(|outcome| given.is_closed && !given.sure.contains(outcome));
        for outcome in idle {
            let word = outcome.word();
            let message = format!("`{}` never comes to `{word}`", step.handler.word());
            let sure: Vec<_> = given.sure.iter().map(|outcome| outcome.word()).collect();
            flaws.push(Flaw::of(step, message, format!("it comes to {}", listed(&sure))));
        }
    }
}

/// What a handler can give.
struct Given {
    /// What has to lead somewhere.
    sure: Vec<Outcome>,
    /// Whether it can give nothing else.
    is_closed: bool,
}

/// Returns what a handler can give; nothing for a gate, which knows its own ways.
fn outcomes_of(handler: &Handler) -> Option<Given> {
    let both = || vec![Outcome::Ok, Outcome::Fail];
    match handler {
        Handler::Work => Some(Given { sure: vec![Outcome::Ok], is_closed: false }),
        Handler::Dispatch(_) => Some(Given { sure: both(), is_closed: false }),
        Handler::Check(_) => Some(Given { sure: both(), is_closed: true }),
        Handler::Ask(ask) => Some(Given { sure: answers_of(ask), is_closed: true }),
        Handler::Choose(choices) => {
            let sure = ordered(|outcome| choices.iter().any(|choice| choice.outcome == outcome));
            Some(Given { sure, is_closed: true })
        }
        Handler::Gate(_) => None,
    }
}

fn answers_of(ask: &Ask) -> Vec<Outcome> {
    ordered(|outcome| {
        let is_free = ask.free_text && outcome == Outcome::Ok;
        is_free || ask.options.iter().any(|option| option.outcome == outcome)
    })
}

fn ordered(is_given: impl Fn(Outcome) -> bool) -> Vec<Outcome> {
    Outcome::ALL.into_iter().filter(|outcome| is_given(*outcome)).collect()
}
