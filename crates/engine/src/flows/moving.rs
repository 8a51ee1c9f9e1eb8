//! Moves runs, each move one commit.
//!
//! The key of a move is the run and how often it was moved: a command that is repeated finds its
//! work done, and of two that come at once one learns that the other was faster.

use std::path::PathBuf;

use pacenote_files::{Bytes, FileError, Links, canonical, read_capped};
use pacenote_flow::workflow::{
    After, CheckReport, Conclusion, Effect as MoveEffect, Event, Judgement, Outcome,
    Refusal as Stays, ReviewReport, Reviewed, Standing, questions, step,
};
use pacenote_model::{
    CommitKey, Decision, Digest, Effect, KeptRun, Number, Refusal, RunEffect, RunStatus,
};
use pacenote_skill::digest::digest_of;
use pacenote_store::StoreError;

use super::{
    Definition, FlowError,
    card::card,
    checking::{Kept, Seen, seen_by_agent},
    looking::{Means, Moment, RunAt, Shown, find, require_files, status_of},
};
use crate::{Desk, EngineError, Request, journal::digest_of_intent, presence, secrets};

/// Largest result that is kept: a long report, and no log.
pub const RESULT: Bytes = Bytes::mib(1);

/// Most checks in a row that one command looks at: a definition that has more waits for the next.
const CHECKS: usize = 20;

/// What moves a run.
pub struct NextRequest<'a> {
    /// The run; the one under way without it.
    pub run: Option<&'a str>,
    /// How often it was moved, as the command says.
    pub at: Option<u32>,
    /// What the step came to.
    pub outcome: Option<Outcome>,
    pub result: Option<HandedIn>,
    /// Parameters that changed, as they were written.
    pub params: &'a [(String, String)],
}

/// What is handed in.
pub enum HandedIn {
    File(PathBuf),
    /// The bytes themselves, which may be more than are taken.
    Bytes(Vec<u8>),
}

/// What the person answers.
pub struct AnswerRequest<'a> {
    /// The run; the one that waits without it.
    pub run: Option<&'a str>,
    /// The answers, with the names of their questions.
    pub answers: Vec<(Option<String>, String)>,
    /// Whether an agent passes them on.
    pub relayed: bool,
    /// How often it was moved, as the command says.
    pub at: Option<u32>,
}

/// What moves a run, and what the caller meant by it.
struct Move<'m> {
    event: &'m Event,
    intent: &'m str,
    result: Option<Digest>,
    /// What a check found that did not pass.
    report: Option<CheckReport>,
}

/// Moves a run on.
pub fn next(
    desk: &mut Desk,
    request: &NextRequest<'_>,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    let at = RunAt::find(desk, request.run)?;
    let result = request.result.as_ref().map(read_result).transpose()?;
    let digest = result.as_deref().map(|text| digest_of(text.as_bytes()));
    let params = without_secrets_in(request.params);
    let intent = format!("next {:?} {digest:?} {params:?}", request.outcome);
    if let Some(revision) = request.at.filter(|revision| *revision != at.kept.revision) {
        return answer_repeated(desk, at, revision, &intent, means);
    }
    at.require_trust(desk)?;
    require_files(desk, &at.workflow, &at.run, Moment::OnTheWay)?;
    let mut told = Vec::new();
    let reported = match event_of(&at, request, result.as_deref(), &params, means)? {
        Said::Look => None,
        Said::Event(event) => Some(event),
        Said::Review(judgement) => {
            told.extend(judgement.remark);
            let report = request.result.as_ref().and_then(|result| path_below(desk, result));
            let outcome = Some(if judgement.passes { Outcome::Ok } else { Outcome::Fail });
            let review = Some(Reviewed { findings: judgement.open, report });
            Some(Event::Reported { outcome, params, review })
        }
    };
    let seen = match (&reported, at.check()) {
        (None, _) => at.look(desk, means),
        (Some(Event::Checked { found: Ok(false) }), Some(check)) => {
            Some(seen_by_agent(check, result.as_deref()))
        }
        (Some(_), _) => None,
    };
    if let (Some(text), Some(digest), Some(store)) = (&result, &digest, desk.store_mut()) {
        store.keep_text(digest, text.as_bytes())?;
    }
    let Sighting { event, report, result, remark } = sight(desk, &at, seen.as_ref())?;
    let event = reported.unwrap_or(event);
    let moved = Move { event: &event, intent: &intent, result: digest.or(result), report };
    let (at, more) = advance(desk, at, &moved, means)?;
    told.extend(remark.into_iter().chain(more));
    look_on(desk, at, told, means)
}

/// Moves a run to a corrected definition, at the same step. The caller has made sure that the
/// person wants that.
pub fn repair(
    desk: &mut Desk,
    raw: &str,
    definition: &Definition,
    params: &[(String, String)],
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    let at = RunAt::find(desk, Some(raw))?;
    let workflow = &definition.workflow;
    if at.workflow.name != workflow.name {
        let (run, name) = (at.kept.number.to_string(), workflow.name.clone());
        return Err(FlowError::OtherWorkflow { run, workflow: at.workflow.name, name }.into());
    }
    let bytes = serde_json::to_vec(workflow).map_err(|source| EngineError::Unwritten { source })?;
    let digest = digest_of(&bytes);
    if let Some(store) = desk.store_mut() {
        store.keep_text(&digest, &bytes)?;
    }
    let params = without_secrets_in(params);
    let intent = format!("repair {digest:?} {params:?}");
    let kept = KeptRun { definition: digest, file: definition.file.clone(), ..at.kept };
    let at = RunAt { kept, workflow: workflow.clone(), run: at.run };
    require_files(desk, &at.workflow, &at.run, Moment::OnTheWay)?;
    let event = Event::Repaired { params };
    let moved = Move { event: &event, intent: &intent, result: None, report: None };
    let (at, remarks) = advance(desk, at, &moved, means)?;
    at.shown(remarks, means)
}

/// Answers what a run waits for. The caller has made sure who speaks.
pub fn answer(
    desk: &mut Desk,
    request: &AnswerRequest<'_>,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    let at = RunAt::find(desk, request.run)?;
    at.require_trust(desk)?;
    let answers: Vec<_> = request
        .answers
        .iter()
        .map(|(name, text)| (name.clone(), secrets::without_secrets(text)))
        .collect();
    let intent = format!("answer {answers:?}");
    if let Some(revision) = request.at.filter(|revision| *revision != at.kept.revision) {
        return answer_repeated(desk, at, revision, &intent, means);
    }
    let event = Event::Answered { answers, relayed: request.relayed };
    let moved = Move { event: &event, intent: &intent, result: None, report: None };
    let (at, remarks) = advance(desk, at, &moved, means)?;
    look_on(desk, at, remarks, means)
}

/// Gives a run up.
pub fn abort(
    desk: &mut Desk,
    raw: Option<&str>,
    reason: &str,
    by_agent: bool,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    let at = RunAt::find(desk, raw)?;
    let binds = !at.kept.card.tools.is_free() || at.kept.status == RunStatus::Asking;
    if by_agent && binds {
        return Err(FlowError::PersonOnly.into());
    }
    let reason = secrets::without_secrets(reason);
    let event = Event::Aborted { reason: reason.clone() };
    let intent = format!("abort {reason}");
    let moved = Move { event: &event, intent: &intent, result: None, report: None };
    let (at, remarks) = advance(desk, at, &moved, means)?;
    at.shown(remarks, means)
}

/// Moves a run by one event and commits that; returns it with what the person should know.
fn advance(
    desk: &mut Desk,
    at: RunAt,
    moved: &Move<'_>,
    means: &Means<'_>,
) -> Result<(RunAt, Vec<String>), EngineError> {
    let before = at.kept.revision;
    let (mut run, effects) = step(&at.workflow, &at.run, moved.event).map_err(FlowError::from)?;
    if let Some(report) = &moved.report {
        run.keep_report(report.clone());
    }
    let mut kept = KeptRun {
        status: status_of(&run),
        revision: run.revision,
        moved: desk.clock().now(),
        state: to_json(&run)?,
        ..at.kept
    };
    let key = key_of(kept.number, before)?;
    note_run(desk)?;
    let mut work = desk.begin(Some(Request { key, intent: moved.intent.to_owned() }))?;
    if work.actor.session.is_some() {
        kept.session = work.actor.session;
    }
    kept.agent = work.actor.name.clone();
    let left = std::mem::take(&mut kept.card);
    let mut at = RunAt { kept, workflow: at.workflow, run };
    let view = at.view(means)?;
    if let After::Done { how: Conclusion::Ended, .. } = view.after {
        at.kept.status = RunStatus::Ended;
    }
    let mut card = card(&at.workflow, &at.run, &view);
    // A run that was given up was never at its last step.
    if at.kept.status == RunStatus::Aborted {
        (card.step, card.title, card.id) = (left.step, left.title, left.id);
    }
    let mut list = vec![Effect::Run(RunEffect::Moved {
        run: Box::new(at.kept.clone()),
        from: before,
        entries: effects.iter().map(to_json).collect::<Result<_, _>>()?,
        result: moved.result,
        card: Box::new(card),
    })];
    list.extend(decisions(&effects, &at.kept));
    let mut remarks = Vec::new();
    match work.commit(list) {
        Ok(committed) if committed.replayed => {
            remarks.push("another command did this already; nothing was changed".to_owned());
        }
        Ok(_) => {}
        // The same place, left in another way: whoever was faster decided.
        Err(EngineError::Store(StoreError::KeyReused { .. })) => {
            let now = find(desk, Some(&at.kept.number.to_string()))?;
            let (number, revision) = (now.number, now.revision);
            return Err(Refusal::RunMoved { number, revision }.into());
        }
        Err(error) => return Err(error),
    }
    if at.kept.status.is_over() {
        forget_run(desk)?;
    }
    Ok((at, remarks))
}

/// Looks at checks that the run has come to, until it comes to something else, and shows it.
pub(super) fn look_on(
    desk: &mut Desk,
    mut at: RunAt,
    mut remarks: Vec<String>,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    for _ in 0..CHECKS {
        let is_check = matches!(at.run.standing, Standing::Checking { .. });
        if !(is_check && at.checks_itself(means)) {
            break;
        }
        let seen = at.look(desk, means);
        let Sighting { event, report, result, remark } = sight(desk, &at, seen.as_ref())?;
        remarks.extend(remark);
        // It stays where it is, and the step that is shown says what is looked at.
        if let Err(stays @ Stays::Broken { .. }) = step(&at.workflow, &at.run, &event) {
            remarks.push(stays.to_string());
            break;
        }
        let moved = Move { event: &event, intent: "check", result, report };
        let (next, more) = advance(desk, at, &moved, means)?;
        remarks.extend(more);
        at = next;
    }
    at.shown(remarks, means)
}

/// What a look at a check comes to.
struct Sighting {
    event: Event,
    report: Option<CheckReport>,
    result: Option<Digest>,
    /// What the person should know beside it.
    remark: Option<String>,
}

/// Keeps what was seen, if it did not pass: in the store, and in a file that the next step names.
fn sight(desk: &mut Desk, at: &RunAt, seen: Option<&Seen>) -> Result<Sighting, EngineError> {
    let unseen = || Err("there is nothing to look at".to_owned());
    let event = Event::Checked { found: seen.map_or_else(unseen, |seen| seen.found.clone()) };
    let Some(Kept { report, text, remark }) = seen.and_then(|seen| at.keep(desk, seen)) else {
        return Ok(Sighting { event, report: None, result: None, remark: None });
    };
    let digest = text.as_ref().map(|text| digest_of(text.as_bytes()));
    if let (Some(text), Some(digest), Some(store)) = (&text, &digest, desk.store_mut()) {
        store.keep_text(digest, text.as_bytes())?;
    }
    Ok(Sighting { event, report: Some(report), result: digest, remark })
}

/// Answers a command whose step was left: with the present step, if it was this very command.
fn answer_repeated(
    desk: &Desk,
    at: RunAt,
    revision: u32,
    intent: &str,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    let number = at.kept.number;
    let earlier = match desk.here()? {
        Some(here) => here.store.earlier(here.project.id, &key_of(number, revision)?)?,
        None => None,
    };
    if earlier.is_none_or(|earlier| earlier.intent != digest_of_intent(intent)) {
        let (run, now) = (number.to_string(), at.kept.revision);
        return Err(FlowError::Passed { run, at: revision, revision: now }.into());
    }
    at.shown(vec!["this was done already; the run stands as shown".to_owned()], means)
}

/// What a command says about the step at hand.
enum Said {
    Event(Event),
    /// A review, compared with what counts.
    Review(Judgement),
    /// Nothing: there is something to be looked at.
    Look,
}

/// Returns what a command says.
fn event_of(
    at: &RunAt,
    request: &NextRequest<'_>,
    result: Option<&str>,
    params: &[(String, String)],
    means: &Means<'_>,
) -> Result<Said, EngineError> {
    if let Some(asked) = result.and_then(questions) {
        let questions = asked.map_err(|reason| FlowError::QuestionsUnread { reason })?;
        return Ok(Said::Event(Event::Questioned { questions }));
    }
    let reported = |outcome| {
        let params = params.to_vec();
        Ok(Said::Event(Event::Reported { outcome, params, review: None }))
    };
    let step = match &at.run.standing {
        Standing::Working { step } => step,
        Standing::Checking { .. } if at.checks_itself(means) => {
            return match request.outcome {
                None => Ok(Said::Look),
                Some(outcome) => reported(Some(outcome)),
            };
        }
        Standing::Checking { step } => {
            let valid = vec![Outcome::Ok, Outcome::Fail];
            let step = step.clone();
            return match request.outcome {
                Some(Outcome::Ok) => Ok(Said::Event(Event::Checked { found: Ok(true) })),
                Some(Outcome::Fail) => Ok(Said::Event(Event::Checked { found: Ok(false) })),
                Some(outcome @ (Outcome::Skip | Outcome::Iterate)) => {
                    Err(FlowError::from(Stays::Unmapped { step, outcome, valid }).into())
                }
                None => Err(FlowError::from(Stays::OutcomeMissing { step, valid }).into()),
            };
        }
        Standing::Asking { .. } | Standing::Ended { .. } => return reported(request.outcome),
    };
    let Some((gate_step, gate)) = at.workflow.gate_after(step) else {
        at.check_answer(step, request.outcome, result)?;
        return reported(request.outcome);
    };
    let Some(report) = result else {
        return Err(FlowError::ReportMissing { step: step.to_string() }.into());
    };
    let state = at.run.gate(&gate_step.id);
    let counted = state.counted(gate, state.iteration);
    let judgement = ReviewReport::parse(report)
        .and_then(|report| report.judge(&counted))
        .map_err(|error| FlowError::ReportUndecided { step: step.to_string(), error })?;
    let decided = if judgement.passes { Outcome::Ok } else { Outcome::Fail };
    match request.outcome {
        Some(said) if said != decided => {
            Err(FlowError::Contradicted { said: said.word(), report: decided.word() }.into())
        }
        Some(_) | None => Ok(Said::Review(judgement)),
    }
}

/// Returns the path of a file that was handed in, relative to the project if it is in it.
fn path_below(desk: &Desk, result: &HandedIn) -> Option<String> {
    let HandedIn::File(path) = result else { return None };
    let real = canonical(path).ok()?;
    let below = real.strip_prefix(&desk.place().root).unwrap_or(&real);
    Some(below.display().to_string())
}

/// Returns what was handed in, without secrets.
fn read_result(handed_in: &HandedIn) -> Result<String, EngineError> {
    let too_large = || FlowError::ResultTooLarge { most: RESULT.get() };
    let bytes = match handed_in {
        HandedIn::File(path) => match read_capped(path, RESULT, Links::Follow) {
            Err(FileError::TooLarge { .. }) => return Err(too_large().into()),
            bytes => bytes?,
        },
        HandedIn::Bytes(bytes) => {
            if u64::try_from(bytes.len()).is_ok_and(|length| length > RESULT.get()) {
                return Err(too_large().into());
            }
            bytes.clone()
        }
    };
    let text = String::from_utf8(bytes).map_err(|_| FlowError::ResultNotText)?;
    Ok(secrets::without_secrets(&text))
}

/// Returns the decisions that a move brings with it.
fn decisions(effects: &[MoveEffect], kept: &KeptRun) -> Vec<Effect> {
    let risks = effects.iter().filter_map(|effect| {
        let MoveEffect::RiskTaken { name, iteration, .. } = effect else { return None };
        Some(format!("went on although `{name}` did not pass after {iteration} rounds"))
    });
    let decision = |text| {
        Effect::Run(RunEffect::DecisionTaken {
            decision: Decision {
                at: kept.moved,
                by: kept.agent.clone(),
                text,
                is_risk: true,
                run: Some(kept.number),
            },
        })
    };
    risks.map(decision).collect()
}

/// Marks for hooks that a run is under way here, before it is.
pub(super) fn note_run(desk: &Desk) -> Result<(), EngineError> {
    presence::note(&presence::run_mark(desk.data(), desk.place()))?;
    presence::note_root(desk.data(), desk.place())
}

/// Lets hooks look no longer when the last run is over.
fn forget_run(desk: &Desk) -> Result<(), EngineError> {
    let Some(here) = desk.here()? else { return Ok(()) };
    let mark = presence::run_mark(desk.data(), desk.place());
    if !here.store.runs(here.project.id)?.is_empty() {
        return Ok(());
    }
    presence::remove_mark(&mark)?;
    // A run that began between the look and the removal would bind nobody.
    if !here.store.runs(here.project.id)?.is_empty() {
        return note_run(desk);
    }
    presence::forget_roots(desk.data(), desk.place())
}

fn key_of(number: Number, revision: u32) -> Result<CommitKey, EngineError> {
    Ok(CommitKey::parse(&format!("run:{}:{revision}", number.get()))?)
}

/// Returns parameters whose texts hold no secrets.
pub(super) fn without_secrets_in(params: &[(String, String)]) -> Vec<(String, String)> {
    let clean = |(name, text): &(String, String)| (name.clone(), secrets::without_secrets(text));
    params.iter().map(clean).collect()
}

/// Writes what is kept of a run.
pub(super) fn to_json(value: &impl serde::Serialize) -> Result<String, EngineError> {
    serde_json::to_string(value).map_err(|source| EngineError::Unwritten { source })
}
