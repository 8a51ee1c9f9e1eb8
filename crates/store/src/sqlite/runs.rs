//! Runs of workflows, what happened to them, and decisions.
//!
//! They are facts like others: a run that is under way under one kind, so that a hook finds the few
//! there are, and one that is over under another.

use pacenote_model::{
    Applied, Decision, Digest, KeptRun, Number, ProjectId, RunCard, RunEffect, RunEntry, guard,
};
use rusqlite::{Connection, OptionalExtension, params};

use super::{
    commit::Scene,
    facts::{all, get, put, remove},
    rows::Id,
};
use crate::error::Fault;

const RUN: &str = "run";
const PAST_RUN: &str = "past_run";
const ENTRY: &str = "run_entry";
const DECISION: &str = "decision";

/// What moves a run.
pub(super) struct Moved<'m> {
    pub(super) run: &'m KeptRun,
    pub(super) from: u32,
    pub(super) entries: &'m [String],
    pub(super) result: Option<Digest>,
    pub(super) card: &'m RunCard,
}

pub(super) fn begin(
    scene: &Scene<'_>,
    run: &KeptRun,
    entries: &[String],
    card: &RunCard,
) -> Result<Applied, Fault> {
    guard::begin_run(scene.next_number(RUN)?, run)?;
    keep(scene, &Moved { run, from: 0, entries, result: None, card })
}

pub(super) fn advance(scene: &Scene<'_>, moved: &Moved<'_>) -> Result<Applied, Fault> {
    let number = moved.run.number;
    let project = scene.effects.project;
    let before = get::<KeptRun>(scene.connection, project, RUN, &name(number))?;
    guard::advance_run(before.as_ref(), number, moved.from)?;
    keep(scene, moved)
}

pub(super) fn decide(scene: &Scene<'_>, decision: &Decision) -> Result<Applied, Fault> {
    put(scene, DECISION, &in_order(scene), decision)
}

/// Applies a change of a run.
pub(super) fn apply(scene: &Scene<'_>, effect: &RunEffect) -> Result<Applied, Fault> {
    match effect {
        RunEffect::Begun { run, entries, card } => begin(scene, run, entries, card),
        RunEffect::Moved { run, from, entries, result, card } => {
            advance(scene, &Moved { run, from: *from, entries, result: *result, card })
        }
        RunEffect::DecisionTaken { decision } => decide(scene, decision),
    }
}

/// Returns the number that the next run gets.
pub(super) fn next(connection: &Connection, project: ProjectId) -> Result<Number, Fault> {
    let last: Option<u32> = connection
        .prepare_cached("SELECT last FROM counter WHERE project = ?1 AND kind = ?2")?
        .query_row(params![Id(project.uuid()), RUN], |row| row.get(0))
        .optional()?;
    Ok(Number::new(last.unwrap_or(0).saturating_add(1)))
}

pub(super) fn under_way(
    connection: &Connection,
    project: ProjectId,
) -> Result<Vec<KeptRun>, Fault> {
    Ok(all(connection, project, RUN, "")?.into_values().collect())
}

pub(super) fn past(connection: &Connection, project: ProjectId) -> Result<Vec<KeptRun>, Fault> {
    Ok(all(connection, project, PAST_RUN, "")?.into_values().collect())
}

pub(super) fn find(
    connection: &Connection,
    project: ProjectId,
    number: Number,
) -> Result<Option<KeptRun>, Fault> {
    let name = name(number);
    Ok(match get(connection, project, RUN, &name)? {
        Some(run) => Some(run),
        None => get(connection, project, PAST_RUN, &name)?,
    })
}

pub(super) fn entries(
    connection: &Connection,
    project: ProjectId,
    number: Number,
) -> Result<Vec<RunEntry>, Fault> {
    Ok(all(connection, project, ENTRY, &format!("{}/", name(number)))?.into_values().collect())
}

pub(super) fn decisions(
    connection: &Connection,
    project: ProjectId,
) -> Result<Vec<Decision>, Fault> {
    Ok(all(connection, project, DECISION, "")?.into_values().collect())
}

fn keep(scene: &Scene<'_>, moved: &Moved<'_>) -> Result<Applied, Fault> {
    let run = KeptRun { card: moved.card.clone(), ..moved.run.clone() };
    let name = name(run.number);
    for (what, place) in moved.entries.iter().zip(0_u32..) {
        let entry = RunEntry {
            at: scene.effects.at,
            by: scene.effects.by.name.clone(),
            trust: scene.effects.by.trust,
            revision: run.revision,
            what: what.clone(),
            result: moved.result.filter(|_| place == 0),
        };
        put(scene, ENTRY, &format!("{name}/{}/{place:04}", in_order(scene)), &entry)?;
    }
    if !run.status.is_over() {
        return put(scene, RUN, &name, &run);
    }
    remove(scene, RUN, &name)?;
    put(scene, PAST_RUN, &name, &run)
}

/// Returns a number as a name that sorts as numbers do.
fn name(number: Number) -> String {
    format!("{:010}", number.get())
}

fn in_order(scene: &Scene<'_>) -> String {
    format!("{:020}", scene.sequence.get())
}
