//! `pacenote skill search`, `for-task` and `history`: which skill for what.

use std::process::ExitCode;

use pacenote_context::inert;
use pacenote_engine::{
    sessions::{self, SessionRef},
    skills::{self, Chosen, Hit, Scope},
};
use pacenote_model::SkillChoice;
use pacenote_skill::{
    choice::{Rules, Wish},
    rank::Fit,
};
use pacenote_store::{Access, SkillChoices};
use serde::Serialize;

use super::{
    arguments::{ForTaskArguments, HistoryArguments, SearchArguments},
    columns, open, shortened,
};
use crate::{
    commands::session::take_in_logs,
    environment::Environment,
    failure::{Failure, Kind},
    output::Output,
};

pub(super) fn search(
    environment: &Environment,
    search: &SearchArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let (mut desk, library) = open(environment, output)?;
    let request = search.request.join(" ");
    let scope = Scope { host: search.host.as_deref(), limit: usize::from(search.limit) };
    let hits = skills::search(&mut desk, &library, &request, &scope)?;
    if search.json.json {
        return output.json(&hits.iter().map(HitView::new).collect::<Vec<_>>());
    }
    if hits.is_empty() {
        output.say("no skill fits that; `pacenote skill list` lists them all");
        return Ok(());
    }
    let rows: Vec<[String; 4]> = hits
        .iter()
        .map(|hit| {
            [
                format!("{:.2}", hit.score),
                inert(&hit.candidate.reference().to_string()),
                inert(&shortened(&hit.candidate.description)),
                inert(&hit.why.to_string()),
            ]
        })
        .collect();
    output.text(&columns(&rows))?;
    if hits.iter().all(|hit| hit.fit == Fit::Possible) {
        output.say("none of them covers the request well");
    }
    Ok(())
}

#[derive(Serialize)]
struct HitView {
    #[serde(rename = "ref")]
    reference: String,
    score: f64,
    why: String,
    fits: &'static str,
    description: String,
}

impl HitView {
    fn new(hit: &Hit) -> Self {
        Self {
            reference: hit.candidate.reference().to_string(),
            // Three digits are what two runs on different machines agree about.
            score: (hit.score * 1000.0).round() / 1000.0,
            why: hit.why.to_string(),
            fits: match hit.fit {
                Fit::Good => "well",
                Fit::Possible => "possibly",
            },
            description: hit.candidate.description.clone(),
        }
    }
}

pub(super) fn for_task(
    environment: &Environment,
    arguments: &ForTaskArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let (mut desk, library) = open(environment, output)?;
    let rules = rules(environment)?;
    let chosen = skills::for_task(&desk, &library, &arguments.task, &rules)?;
    // Where nothing can be written the answer is the same; only the history has a gap.
    if let Err(error) = skills::remember(&mut desk, &chosen) {
        output.warn("the choice could not be remembered");
        output.fail(&error.into());
    }
    let is_missing = chosen.skills.len() < chosen.choice.skills.len();
    let code = if is_missing { ExitCode::from(1) } else { ExitCode::SUCCESS };
    if arguments.json.json {
        output.json(&ChosenView::new(&chosen))?;
        return Ok(code);
    }
    output.text(&inert(&chosen.choice.to_string()))?;
    if chosen.order.len() > 1 {
        let order: Vec<String> = chosen.order.iter().map(ToString::to_string).collect();
        output.text(&inert(&format!("together, in this order: {}", order.join(", "))))?;
    }
    if let Some(skill) = chosen.skills.first() {
        let reference = skill.reference();
        output.say(&inert(&format!("`pacenote skill show {reference}` shows it")));
    }
    Ok(code)
}

/// Returns the rules by which titles call for skills: the person's, then ours.
fn rules(environment: &Environment) -> Result<Rules, Failure> {
    let settings = environment.settings()?;
    let rows = settings.skills_task_rules();
    let rules = Rules::parse(rows.iter().map(String::as_str)).map_err(|bad| {
        let failure = Failure::new(Kind::User, format!("the setting `skills.task_rules`: {bad}"));
        failure.hint("a rule is `phrase, phrase -> skill`; rules are separated by `;`")
    })?;
    let default = Wish::parse(settings.skills_default()).map_err(|bad| {
        let failure = Failure::new(Kind::User, format!("the setting `skills.default`: {bad}"));
        failure.hint("it is the name of a skill, several with commas, or `none`")
    })?;
    Ok(rules.with_default(default))
}

#[derive(Serialize)]
struct ChosenView<'a> {
    task: String,
    #[serde(flatten)]
    choice: &'a pacenote_skill::choice::Choice,
    digest: Option<String>,
    order: Vec<String>,
}

impl<'a> ChosenView<'a> {
    fn new(chosen: &'a Chosen) -> Self {
        Self {
            task: chosen.task.short.to_string(),
            choice: &chosen.choice,
            digest: chosen.skills.first().map(|skill| skill.digest.to_string()),
            order: chosen.order.iter().map(ToString::to_string).collect(),
        }
    }
}

pub(super) fn history(
    environment: &Environment,
    arguments: &HistoryArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    take_in_logs(environment, output)?;
    let desk = environment.desk(Access::Read)?;
    let choices = match (&arguments.session, &arguments.task) {
        (Some(raw), _) => {
            let session = sessions::find(&desk, &SessionRef::Ours(raw))?.id;
            skills::history(&desk, SkillChoices::InSession(session))?
        }
        // The argument parser asks for one or the other.
        (None, task) => skills::history_of_task(&desk, task.as_deref().unwrap_or_default())?,
    };
    if arguments.json.json {
        let choices = choices.iter().map(ChoiceView::new).collect();
        return output.json(&HistoryView { choices });
    }
    if choices.is_empty() {
        output.say("no skill was chosen there yet");
        return Ok(());
    }
    let rows: Vec<[String; 4]> = choices
        .iter()
        .map(|choice| {
            [
                choice.at.to_string(),
                format!("@{}", choice.agent),
                choice.digest.short(),
                inert(&choice.reason),
            ]
        })
        .collect();
    output.text(&columns(&rows))
}

#[derive(Serialize)]
struct HistoryView {
    choices: Vec<ChoiceView>,
}

#[derive(Serialize)]
struct ChoiceView {
    task: String,
    #[serde(rename = "ref")]
    reference: String,
    digest: String,
    decided_by: String,
    reason: String,
    agent: String,
    session: Option<String>,
    at: String,
}

impl ChoiceView {
    fn new(choice: &SkillChoice) -> Self {
        Self {
            task: choice.task.to_string(),
            reference: choice.reference.clone(),
            digest: choice.digest.to_string(),
            decided_by: choice.rule.clone(),
            reason: choice.reason.clone(),
            agent: choice.agent.to_string(),
            session: choice.session.map(|session| session.to_string()),
            at: choice.at.to_string(),
        }
    }
}
