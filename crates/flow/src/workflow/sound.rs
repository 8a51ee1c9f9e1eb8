//! Whether a workflow can be followed: every step reached, every step left, every loop ended,
//! nothing approved by whoever did it.
//!
//! The definition may have steps whose ways could not be made out. Nothing is held against them,
//! nor against others on their account: what is told here is true whatever they would say.

mod gates;
mod loops;
mod outcomes;
mod reach;
#[cfg(test)]
pub(in crate::workflow) mod tests;
mod ways;

use std::collections::BTreeSet;

use super::definition::{Step, Workflow};
use ways::Ways;

/// Something that is wrong with a workflow as a whole, or with a step's place in it.
pub(super) struct Flaw {
    pub(super) line: usize,
    pub(super) step: Option<String>,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

/// Returns all there is to say against a workflow; `unclear` are the places of steps whose ways
/// could not be made out, and `line` is the one the steps begin on.
pub(super) fn flaws(workflow: &Workflow, unclear: &BTreeSet<usize>, line: usize) -> Vec<Flaw> {
    let subject = Subject { workflow, ways: Ways::of(workflow), unclear, line };
    let mut flaws = Vec::new();
    outcomes::check_dead_ends(&subject, &mut flaws);
    outcomes::check_outcomes(&subject, &mut flaws);
    reach::check_terminal(&subject, &mut flaws);
    reach::check_reached(&subject, &mut flaws);
    reach::check_left(&subject, &mut flaws);
    loops::check_loops(&subject, &mut flaws);
    gates::check_gates(&subject, &mut flaws);
    gates::check_reviews(&subject, &mut flaws);
    gates::check_choice_of_gates(&subject, &mut flaws);
    flaws
}

/// A workflow that is looked at.
struct Subject<'w> {
    workflow: &'w Workflow,
    ways: Ways<'w>,
    unclear: &'w BTreeSet<usize>,
    line: usize,
}

impl<'w> Subject<'w> {
    /// Returns the steps whose ways are known.
    fn clear_steps(&self) -> impl Iterator<Item = &'w Step> {
        let steps = self.workflow.steps.iter().enumerate();
        steps.filter(|(place, _)| !self.unclear.contains(place)).map(|(_, step)| step)
    }

    /// Returns the steps whose ways are not.
    fn unclear_steps(&self) -> impl Iterator<Item = &'w Step> {
        self.unclear.iter().filter_map(|place| self.workflow.steps.get(*place))
    }
}

impl Flaw {
    /// Says something against a step.
    fn of(step: &Step, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            line: step.line,
            step: (!step.id.as_str().is_empty()).then(|| crate::problem::shown(step.id.as_str())),
            message: message.into(),
            hint: Some(hint.into()),
        }
    }
}
