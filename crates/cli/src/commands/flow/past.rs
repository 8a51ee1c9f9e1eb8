//! Runs, what happened to them, and what was decided on the way.

use pacenote_context::inert;
use pacenote_engine::{Desk, flows};
use pacenote_flow::workflow::{Effect, Ending};
use pacenote_model::{Decision, KeptRun, RunEntry};
use pacenote_store::Access;
use serde::Serialize;

use super::{
    super::{columns, quoted},
    arguments::{DecisionsArguments, HistoryArguments, RunsArguments},
};
use crate::{environment::Environment, failure::Failure, output::Output};

pub(super) fn runs(
    environment: &Environment,
    asked: &RunsArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let mut runs = Vec::new();
    if let Some(here) = desk.here()? {
        if asked.all {
            runs.extend(here.store.past_runs(here.project.id)?);
        }
        runs.extend(here.store.runs(here.project.id)?);
    }
    runs.sort_by_key(|run| run.number);
    if asked.json.json {
        return output.json(&RunsView { runs: runs.iter().map(RunView::new).collect() });
    }
    if runs.is_empty() {
        output.say("no run is under way");
        return Ok(());
    }
    let rows: Vec<[String; 5]> = runs
        .iter()
        .map(|run| {
            let card = &run.card;
            [
                run.number.to_string(),
                run.workflow.clone(),
                run.status.word().to_owned(),
                format!("step {}/{}", card.step, card.total),
                card.title.clone(),
            ]
        })
        .collect();
    output.text(&columns(&rows))
}

pub(super) fn history(
    environment: &Environment,
    asked: &HistoryArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let (run, entries) = flows::history(&desk, asked.run.as_deref())?;
    if asked.json.json {
        let entries = entries.iter().map(EntryView::new).collect();
        return output.json(&HistoryView { run: RunView::new(&run), entries });
    }
    let rows: Vec<[String; 4]> = entries
        .iter()
        .map(|entry| {
            let result = entry.result.map(|digest| format!("result {}", digest.short()));
            let said = said(entry);
            [entry.at.to_string(), entry.by.to_string(), result.unwrap_or_default(), said]
        })
        .collect();
    output.text(&columns(&rows))?;
    if asked.results {
        results(&desk, &entries, output)?;
    }
    Ok(())
}

fn results(desk: &Desk, entries: &[RunEntry], output: &mut Output) -> Result<(), Failure> {
    for digest in entries.iter().filter_map(|entry| entry.result) {
        if let Some(text) = flows::result_text(desk, &digest)? {
            output.text(&format!("\nresult {}:\n{}", digest.short(), quoted(&text, "  ")))?;
        }
    }
    Ok(())
}

pub(super) fn decisions(
    environment: &Environment,
    asked: &DecisionsArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let mut decisions = flows::decisions(&desk)?;
    if let Some(run) = &asked.run {
        let (run, _) = flows::history(&desk, Some(run))?;
        decisions.retain(|decision| decision.run == Some(run.number));
    }
    if asked.json.json {
        return output.json(&DecisionsView { decisions: &decisions });
    }
    if decisions.is_empty() {
        output.say("nothing was decided that is kept");
        return Ok(());
    }
    let rows: Vec<[String; 5]> = decisions
        .iter()
        .map(|decision| {
            let kind = if decision.is_risk { "risk" } else { "decision" };
            let run = decision.run.map(|run| format!("run {run}")).unwrap_or_default();
            [
                decision.at.to_string(),
                kind.to_owned(),
                run,
                decision.by.to_string(),
                decision.text.clone(),
            ]
        })
        .collect();
    output.text(&columns(&rows))
}

/// Says what happened, in words.
fn said(entry: &RunEntry) -> String {
    let Ok(what) = serde_json::from_str::<Effect>(&entry.what) else {
        return inert(&entry.what);
    };
    match what {
        Effect::Moved { from, by, to, visit, round } => {
            // A gate counts its rounds, every other step how often it was entered.
            let count = match round {
                Some(round) => format!(" (round {round})"),
                None if visit > 1 => format!(" (visit {visit})"),
                None => String::new(),
            };
            format!("{from}{count}: {by} → {to}")
        }
        Effect::Asked { step, questions } => {
            // A question at a gate's limit lists the open findings; the past keeps its first line.
            let texts: Vec<&str> =
                questions.iter().filter_map(|one| one.text.lines().next()).collect();
            format!("{step}: asked {}", texts.join(" "))
        }
        Effect::Answered { step, answers } => {
            let said: Vec<&str> = answers.iter().map(|one| one.answer.as_str()).collect();
            let relayed = if answers.iter().any(|one| one.relayed) { ", passed on" } else { "" };
            format!("{step}: answered {}{relayed}", said.join(", "))
        }
        Effect::Changed { param, value } => {
            let value = serde_json::to_string(&value).unwrap_or_default();
            format!("{param} is {value}")
        }
        Effect::RiskTaken { name, iteration, .. } => {
            format!("risk taken: {name} did not pass after {iteration} rounds")
        }
        Effect::Repaired { step } => {
            format!("the person moved it to a corrected definition at {step}")
        }
        Effect::Ended { how: Ending::Completed } => "completed".to_owned(),
        Effect::Ended { how: Ending::Aborted { reason } } => format!("given up: {reason}"),
    }
}

#[derive(Serialize)]
struct RunsView<'a> {
    runs: Vec<RunView<'a>>,
}

#[derive(Serialize)]
struct RunView<'a> {
    run: u32,
    workflow: &'a str,
    status: &'static str,
    at: u32,
    step: &'a str,
    title: &'a str,
    number: u32,
    total: u32,
    agent: String,
    began: String,
    moved: String,
}

impl<'a> RunView<'a> {
    fn new(run: &'a KeptRun) -> Self {
        Self {
            run: run.number.get(),
            workflow: &run.workflow,
            status: run.status.word(),
            at: run.revision,
            step: &run.card.id,
            title: &run.card.title,
            number: run.card.step,
            total: run.card.total,
            agent: run.agent.to_string(),
            began: run.began.to_string(),
            moved: run.moved.to_string(),
        }
    }
}

#[derive(Serialize)]
struct HistoryView<'a> {
    run: RunView<'a>,
    entries: Vec<EntryView>,
}

#[derive(Serialize)]
struct EntryView {
    at: String,
    by: String,
    trust: &'static str,
    revision: u32,
    what: serde_json::Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

impl EntryView {
    fn new(entry: &RunEntry) -> Self {
        Self {
            at: entry.at.to_string(),
            by: entry.by.to_string(),
            trust: entry.trust.word(),
            revision: entry.revision,
            what: serde_json::from_str(&entry.what).unwrap_or_default(),
            result: entry.result.map(|digest| digest.to_string()),
        }
    }
}

#[derive(Serialize)]
struct DecisionsView<'a> {
    decisions: &'a [Decision],
}
