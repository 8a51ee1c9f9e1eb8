//! The old form of a step: a thin form of `flow next` that names the step it wants.
//!
//! The number says where to go; the store knows the rest. A flag that says something else than the
//! store is refused, never believed, and nothing passes here that `flow next` would not pass.

use pacenote_flow::workflow::{Handler, Outcome, Run, Step, Target, Workflow};
use pacenote_model::KeptRun;

use super::{
    FlowError, Shelves,
    looking::{Means, RunAt, Shown, status},
    moving::{HandedIn, NextRequest, next},
    starting::{StartRequest, start},
};
use crate::{Desk, EngineError};

/// A step as old scripts ask for it.
pub struct LegacyStep<'a> {
    pub workflow: &'a str,
    /// The number of the step that is wanted.
    pub step: usize,
    /// How many steps the script believes there are.
    pub total: usize,
    /// The round it believes to be in.
    pub iteration: Option<u32>,
    /// Whether it believes to be fixing.
    pub failed: Option<bool>,
    /// What it says a review found.
    pub passed: Option<bool>,
    /// What is handed in, which a review needs.
    pub result: Option<HandedIn>,
    /// Parameters, as they were written.
    pub params: &'a [(String, String)],
}

/// Shows the step that is wanted: begins a run, moves one, or shows where it stands.
pub fn run_step(
    desk: &mut Desk,
    shelves: &Shelves,
    wanted: LegacyStep<'_>,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    let runs = match desk.here()? {
        Some(here) => here.store.runs(here.project.id)?,
        None => Vec::new(),
    };
    let kept = runs.into_iter().rev().find(|run| run.workflow == wanted.workflow);
    let Some(kept) = kept else {
        let total = super::definition(desk, shelves, wanted.workflow)?.workflow.steps.len();
        check_total(&wanted, total)?;
        if wanted.step != 1 {
            return Err(contradiction(
                format!(
                    "no run of `{}` is under way, so there is no step {} to go to",
                    wanted.workflow, wanted.step
                ),
                "begin with `--step 1`",
            ));
        }
        check_flags(&wanted, None)?;
        let request = StartRequest { name: wanted.workflow, params: wanted.params, task: None };
        return start(desk, shelves, &request, means);
    };
    let RunAt { kept, workflow, run } = RunAt::read(desk, kept)?;
    check_total(&wanted, workflow.steps.len())?;
    check_flags(&wanted, Some((&workflow, &run)))?;
    let number = kept.number.get().to_string();
    let at = run.step().and_then(|id| workflow.number(id));
    if at == Some(wanted.step) {
        return status(desk, Some(&number), means);
    }
    let outcome = outcome_to(&workflow, &run, &wanted, &kept)?;
    let LegacyStep { result, params, .. } = wanted;
    let at = Some(kept.revision);
    let request = NextRequest { run: Some(&number), at, outcome, result, params };
    next(desk, &request, means)
}

/// Returns the outcome that leads from where the run is to the step that is wanted; nothing where
/// the report of a review decides.
fn outcome_to(
    workflow: &Workflow,
    run: &Run,
    wanted: &LegacyStep<'_>,
    kept: &KeptRun,
) -> Result<Option<Outcome>, EngineError> {
    let number = kept.number.get();
    let here = run.step().and_then(|id| workflow.step(id));
    let target = wanted.step.checked_sub(1).and_then(|place| workflow.steps.get(place));
    let (Some(here), Some(target)) = (here, target) else {
        return Err(contradiction(
            format!("there is no step {}", wanted.step),
            &format!("`pacenote flow status {number}` shows where the run is"),
        ));
    };
    let leads = |outcome: &Outcome| here.target(*outcome) == Some(&Target::Step(target.id.clone()));
    let ways: Vec<Outcome> = Outcome::ALL.into_iter().filter(leads).collect();
    let is_gate = matches!(target.handler, Handler::Gate(_));
    let said = wanted.passed.map(|passed| if passed { Outcome::Ok } else { Outcome::Fail });
    if is_gate && !ways.is_empty() {
        return Ok(said);
    }
    if said.is_some() {
        return Err(contradiction(
            format!("`--qr-status` belongs to a gate, and step {} is not one", wanted.step),
            "leave it out",
        ));
    }
    match ways.first() {
        Some(first) => Ok(Some(*first)),
        None => Err(no_way(workflow, here, wanted.step)),
    }
}

/// Says where the step at hand leads instead.
fn no_way(workflow: &Workflow, here: &Step, wanted: usize) -> EngineError {
    let mut valid: Vec<String> = here
        .targets()
        .filter_map(|target| match target {
            Target::Step(id) => workflow.number(id).map(|number| number.to_string()),
            Target::End => Some("the end".to_owned()),
        })
        .collect();
    valid.dedup();
    let at = workflow.number(&here.id).unwrap_or_default();
    contradiction(
        format!("the run is at step {at}, which does not lead to step {wanted}"),
        &format!("from here it goes to {}", valid.join(", ")),
    )
}

fn check_total(wanted: &LegacyStep<'_>, total: usize) -> Result<(), EngineError> {
    if wanted.total == total {
        return Ok(());
    }
    Err(contradiction(
        format!("`{}` has {total} steps, not {}", wanted.workflow, wanted.total),
        &format!("say `--total-steps {total}`"),
    ))
}

/// Compares the flags with what is known of the gate round the step at hand.
fn check_flags(
    wanted: &LegacyStep<'_>,
    known: Option<(&Workflow, &Run)>,
) -> Result<(), EngineError> {
    let state = known.and_then(|(workflow, run)| {
        let step = run.step()?;
        let gate = workflow.gate_of(step).or_else(|| workflow.gate_after(step))?;
        Some(run.gate(&gate.0.id))
    });
    let state = state.unwrap_or_default();
    if let Some(said) = wanted.iteration
        && said != state.iteration
    {
        return Err(contradiction(
            format!(
                "`--qr-iteration {said}` contradicts the store: the round is {}",
                state.iteration
            ),
            "leave the flag out; the store counts",
        ));
    }
    if let Some(said) = wanted.failed
        && said != state.failed
    {
        let stands = if state.failed { "is being fixed" } else { "is not being fixed" };
        return Err(contradiction(
            format!("`--qr-fail={said}` contradicts the store: the work {stands}"),
            "leave the flag out; the store knows",
        ));
    }
    Ok(())
}

fn contradiction(said: String, hint: &str) -> EngineError {
    FlowError::Legacy { said, hint: hint.to_owned() }.into()
}
