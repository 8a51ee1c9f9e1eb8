//! Begins runs and moves them, each move one commit.
//!
//! The key of a move is the run and how often it was moved: a command that is repeated finds its
//! work done, and of two that come at once one is told that the other was faster.

use std::{collections::BTreeMap, path::Path};

use pacenote_files::{Beneath, Bytes, Links, Readers, exists, read_capped};
use pacenote_flow::workflow::{
    Check, Event, Handler, Outcome, ParamKind, Purpose, Refusal as Stays, Run, Spoken, Standing,
    Step, View, Workflow, begin, passes, questions, show, step,
};
use pacenote_model::{
    CommitKey, Decision, Digest, Effect, KeptRun, Number, Refusal, RunCard, RunStatus, SessionId,
    Value,
};
use pacenote_skill::digest::digest_of;
use pacenote_store::StoreError;

use super::{FlowError, RUNS, Shelves, card::card, catalogue, checking};
use crate::{Caller, Desk, EngineError, Request, presence, secrets};

/// Largest result that is kept: a long report, and no log.
pub const RESULT: Bytes = Bytes::mib(1);

/// Tries at a number that other processes want too.
const TRIES: usize = 20;

/// Most checks in a row that one command looks at: a definition that has more waits for the next.
const CHECKS: usize = 20;

/// What a run is begun with.
pub struct StartRequest<'a> {
    /// The workflow.
    pub name: &'a str,
    /// Parameters, as they were written.
    pub params: &'a [(String, String)],
    pub task: Option<&'a str>,
}

/// What moves a run.
pub struct NextRequest<'a> {
    /// The run; the one under way without it.
    pub run: Option<&'a str>,
    /// How often it was moved, as the command says.
    pub at: Option<u32>,
    /// What the step came to.
    pub outcome: Option<Outcome>,
    /// What is handed in.
    pub result: Option<Given>,
    /// Parameters that changed, as they were written.
    pub params: &'a [(String, String)],
    /// Whether a review may do without a report, as old scripts do.
    pub without_report: bool,
}

/// What is handed in.
pub enum Given {
    File(std::path::PathBuf),
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

/// With what checks are looked at.
pub struct Means<'a> {
    /// How the tests of the project are run.
    pub tests: Option<&'a [String]>,
    /// The variables that programs get.
    pub variables: &'a BTreeMap<String, String>,
}

/// A run as it is shown.
#[derive(Debug)]
pub struct Shown {
    pub run: KeptRun,
    /// The step at hand.
    pub view: View,
    /// What the person should know beside it.
    pub remarks: Vec<String>,
}

/// Begins a run.
pub fn start(
    desk: &mut Desk,
    shelves: &Shelves,
    request: &StartRequest<'_>,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    let definition = catalogue::definition(desk, shelves, request.name)?;
    let workflow = definition.workflow;
    let task = match request.task {
        Some(raw) => Some(match desk.here()? {
            Some(here) => crate::desk::find_task(here.store, here.project.id, raw)?,
            None => return Err(crate::desk::no_such_task(raw)),
        }),
        None => None,
    };
    let params = clean(request.params);
    let title = task.as_ref().map(|task| task.title.to_string()).unwrap_or_default();
    let begun = |number| {
        let directory = spoken(number).1;
        let purpose = Purpose { task: &title, directory: &directory };
        begin(&workflow, &params, purpose).map_err(FlowError::from)
    };
    let (run, _) = begun(Number::new(1))?;
    files_are_there(desk, &workflow, &run)?;
    let bytes =
        serde_json::to_vec(&workflow).map_err(|error| EngineError::Unwritten { source: error })?;
    let digest = digest_of(&bytes);
    if let Some(store) = desk.store_mut() {
        store.keep_text(&digest, &bytes)?;
    }
    note_run(desk)?;
    let mut kept = KeptRun {
        number: Number::new(1),
        workflow: workflow.name.clone(),
        definition: digest,
        file: definition.file,
        task: task.map(|task| task.id),
        session: None,
        agent: pacenote_model::AgentName::unknown(),
        status: status_of(&run),
        revision: run.revision,
        began: desk.clock().now(),
        moved: desk.clock().now(),
        state: String::new(),
        card: RunCard::default(),
    };
    for _ in 0..TRIES {
        let mut work = desk.begin(None)?;
        kept.number = work.store().next_run(work.project.id)?;
        kept.session = work.actor.session;
        kept.agent = work.actor.name.clone();
        let (run, effects) = begun(kept.number)?;
        kept.state = json(&run)?;
        let view = shown(&workflow, &run, &kept, means)?;
        let effect = Effect::RunBegun {
            run: Box::new(kept.clone()),
            entries: effects.iter().map(json).collect::<Result<_, _>>()?,
            card: Box::new(card(&workflow, &run, &view)),
        };
        match work.commit(vec![effect]) {
            Ok(_) => {
                // Whoever ended the last run before may have taken the mark away meanwhile.
                note_run(desk)?;
                let remarks = make_room(desk, kept.number);
                let shown = Shown { run: kept, view, remarks };
                return checked(desk, &workflow, run, shown, means);
            }
            Err(EngineError::Store(StoreError::Refused(Refusal::RunNumberTaken))) => {}
            Err(error) => return Err(error),
        }
    }
    Err(Refusal::RunNumberTaken.into())
}

/// Moves a run on.
pub fn next(
    desk: &mut Desk,
    request: &NextRequest<'_>,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    let kept = find(desk, request.run)?;
    let (workflow, run) = opened(desk, &kept)?;
    let result = request.result.as_ref().map(taken).transpose()?;
    let digest = result.as_deref().map(|text| digest_of(text.as_bytes()));
    let params = clean(request.params);
    let intent = format!("next {:?} {digest:?} {params:?}", request.outcome);
    if let Some(at) = request.at
        && at != kept.revision
    {
        return repeated(desk, kept, &workflow, &run, at, &intent, means);
    }
    is_still_trusted(desk, &kept)?;
    files_are_there(desk, &workflow, &run)?;
    let event = event_of(&workflow, &run, &kept, request, result.as_deref(), &params, means)?;
    let event = match event {
        Some(event) => event,
        None => Event::Checked { found: look(desk, &workflow, &run, means) },
    };
    if let (Some(text), Some(digest), Some(store)) = (&result, &digest, desk.store_mut()) {
        store.keep_text(digest, text.as_bytes())?;
    }
    let moved = Move { event: &event, intent: &intent, result: digest };
    let (run, shown) = advance(desk, &workflow, &run, kept, &moved, means)?;
    checked(desk, &workflow, run, shown, means)
}

/// Shows where a run stands.
pub fn status(desk: &Desk, raw: Option<&str>, means: &Means<'_>) -> Result<Shown, EngineError> {
    let kept = find(desk, raw)?;
    let (workflow, run) = opened(desk, &kept)?;
    let view = shown(&workflow, &run, &kept, means)?;
    Ok(Shown { run: kept, view, remarks: Vec::new() })
}

/// Answers what a run waits for. The caller has made sure who speaks.
pub fn answer(
    desk: &mut Desk,
    request: &AnswerRequest<'_>,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    let kept = find(desk, request.run)?;
    let (workflow, run) = opened(desk, &kept)?;
    is_still_trusted(desk, &kept)?;
    let answers: Vec<_> = request
        .answers
        .iter()
        .map(|(name, text)| (name.clone(), secrets::without_secrets(text)))
        .collect();
    let intent = format!("answer {answers:?}");
    if let Some(at) = request.at
        && at != kept.revision
    {
        return repeated(desk, kept, &workflow, &run, at, &intent, means);
    }
    let event = Event::Answered { answers, relayed: request.relayed };
    let moved = Move { event: &event, intent: &intent, result: None };
    let (run, shown) = advance(desk, &workflow, &run, kept, &moved, means)?;
    checked(desk, &workflow, run, shown, means)
}

/// Gives a run up.
pub fn abort(
    desk: &mut Desk,
    raw: Option<&str>,
    reason: &str,
    by_agent: bool,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    let kept = find(desk, raw)?;
    let (workflow, run) = opened(desk, &kept)?;
    let binds = !kept.card.tools.is_free() || kept.status == RunStatus::Asking;
    if by_agent && binds {
        return Err(FlowError::PersonOnly.into());
    }
    let reason = secrets::without_secrets(reason);
    let event = Event::Aborted { reason: reason.clone() };
    let intent = format!("abort {reason}");
    let moved = Move { event: &event, intent: &intent, result: None };
    Ok(advance(desk, &workflow, &run, kept, &moved, means)?.1)
}

/// Finds a run: by its number, or the one that can only be meant.
pub fn find(desk: &Desk, raw: Option<&str>) -> Result<KeptRun, EngineError> {
    let Some(here) = desk.here()? else { return Err(FlowError::NoRun.into()) };
    if let Some(raw) = raw {
        let unknown = || FlowError::NoSuchRun { raw: raw.chars().take(80).collect() };
        let number = Number::parse(raw).ok_or_else(unknown)?;
        return Ok(here.store.run(here.project.id, number)?.ok_or_else(unknown)?);
    }
    let runs = here.store.runs(here.project.id)?;
    let session = session_of(desk)?;
    let mine = |run: &&KeptRun| session.is_some() && run.session == session;
    let own: Vec<&KeptRun> = runs.iter().filter(mine).collect();
    match (own.as_slice(), runs.as_slice()) {
        ([only], _) => Ok((*only).clone()),
        ([], [only]) => Ok(only.clone()),
        ([], []) => Err(FlowError::NoRun.into()),
        (_, all) => {
            let named = all.iter().map(|run| format!("`{}` {}", run.number, run.workflow));
            let runs = named.collect::<Vec<_>>().join(", ");
            Err(FlowError::ManyRuns { runs }.into())
        }
    }
}

/// Returns the definition a run goes by, and its state.
pub(super) fn opened(desk: &Desk, kept: &KeptRun) -> Result<(Workflow, Run), EngineError> {
    let unreadable =
        |reason: String| FlowError::Unreadable { run: kept.number.to_string(), reason };
    let text = match desk.store() {
        Some(store) => store.text(&kept.definition)?,
        None => None,
    };
    let text = text.ok_or_else(|| unreadable("its definition is not kept".to_owned()))?;
    let workflow: Workflow =
        serde_json::from_slice(&text).map_err(|error| unreadable(error.to_string()))?;
    let run: Run =
        serde_json::from_str(&kept.state).map_err(|error| unreadable(error.to_string()))?;
    Ok((workflow, run))
}

/// What moves a run, and what the caller meant by it.
struct Move<'m> {
    event: &'m Event,
    intent: &'m str,
    result: Option<Digest>,
}

/// Moves a run by one event and commits that.
fn advance(
    desk: &mut Desk,
    workflow: &Workflow,
    run: &Run,
    kept: KeptRun,
    moved: &Move<'_>,
    means: &Means<'_>,
) -> Result<(Run, Shown), EngineError> {
    let before = kept.revision;
    let (run, effects) = step(workflow, run, moved.event).map_err(FlowError::from)?;
    let mut kept = KeptRun {
        status: status_of(&run),
        revision: run.revision,
        moved: desk.clock().now(),
        state: json(&run)?,
        card: RunCard::default(),
        ..kept
    };
    let key = key_of(kept.number, before)?;
    note_run(desk)?;
    let mut work = desk.begin(Some(Request { key, intent: moved.intent.to_owned() }))?;
    if work.actor.session.is_some() {
        kept.session = work.actor.session;
    }
    kept.agent = work.actor.name.clone();
    let view = shown(workflow, &run, &kept, means)?;
    let mut list = vec![Effect::RunMoved {
        run: Box::new(kept.clone()),
        from: before,
        entries: effects.iter().map(json).collect::<Result<_, _>>()?,
        result: moved.result,
        card: Box::new(card(workflow, &run, &view)),
    }];
    list.extend(decisions(&effects, &kept));
    let mut remarks = Vec::new();
    match work.commit(list) {
        Ok(committed) if committed.replayed => {
            remarks.push("another command did this already; nothing was changed".to_owned());
        }
        Ok(_) => {}
        // The same place, left in another way: whoever was faster decided.
        Err(EngineError::Store(StoreError::KeyReused { .. })) => {
            let now = find(desk, Some(&kept.number.to_string()))?;
            let (number, revision) = (now.number, now.revision);
            return Err(Refusal::RunMoved { number, revision }.into());
        }
        Err(error) => return Err(error),
    }
    if kept.status.is_over() {
        forget_run(desk)?;
    }
    Ok((run, Shown { run: kept, view, remarks }))
}

/// Looks at checks that the run has come to, until it comes to something else.
fn checked(
    desk: &mut Desk,
    workflow: &Workflow,
    mut run: Run,
    mut at: Shown,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    for _ in 0..CHECKS {
        let is_ours = matches!(run.standing, Standing::Checking { .. })
            && checks_itself(workflow, &run, &at.run, means);
        if !is_ours {
            break;
        }
        let found = look(desk, workflow, &run, means);
        let event = Event::Checked { found };
        let moved = Move { event: &event, intent: "check", result: None };
        match advance(desk, workflow, &run, at.run.clone(), &moved, means) {
            Ok((next, shown)) => {
                at.remarks.extend(shown.remarks);
                (run, at.run, at.view) = (next, shown.run, shown.view);
            }
            // It stays where it is, and the step that is shown says what is looked at.
            Err(EngineError::Flow(FlowError::Refused(stays @ Stays::Broken { .. }))) => {
                at.remarks.push(stays.to_string());
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(at)
}

/// Answers a command whose step was left: with the present step, if it was this very command.
fn repeated(
    desk: &Desk,
    kept: KeptRun,
    workflow: &Workflow,
    run: &Run,
    at: u32,
    intent: &str,
    means: &Means<'_>,
) -> Result<Shown, EngineError> {
    let (number, revision) = (kept.number, kept.revision);
    let earlier = match desk.here()? {
        Some(here) => here.store.earlier(here.project.id, &key_of(number, at)?)?,
        None => None,
    };
    if earlier.is_none_or(|earlier| earlier.intent != secrets::without_secrets(intent)) {
        return Err(FlowError::Passed { run: number.to_string(), at, revision }.into());
    }
    let view = shown(workflow, run, &kept, means)?;
    let remarks = vec!["this was done already; the run stands as shown".to_owned()];
    Ok(Shown { run: kept, view, remarks })
}

/// Returns what a command reports; `None` when there is something to be looked at.
fn event_of(
    workflow: &Workflow,
    run: &Run,
    kept: &KeptRun,
    request: &NextRequest<'_>,
    result: Option<&str>,
    params: &[(String, String)],
    means: &Means<'_>,
) -> Result<Option<Event>, EngineError> {
    if let Some(asked) = result.and_then(questions) {
        let questions = asked.map_err(|reason| FlowError::QuestionsUnread { reason })?;
        return Ok(Some(Event::Questioned { questions }));
    }
    let reported = |outcome| Ok(Some(Event::Reported { outcome, params: params.to_vec() }));
    let step = match &run.standing {
        Standing::Working { step } => step,
        Standing::Checking { .. } if checks_itself(workflow, run, kept, means) => {
            return match request.outcome {
                None => Ok(None),
                Some(outcome) => reported(Some(outcome)),
            };
        }
        Standing::Checking { step } => {
            let valid = vec![Outcome::Ok, Outcome::Fail];
            let step = step.clone();
            return match request.outcome {
                Some(Outcome::Ok) => Ok(Some(Event::Checked { found: Ok(true) })),
                Some(Outcome::Fail) => Ok(Some(Event::Checked { found: Ok(false) })),
                Some(outcome @ (Outcome::Skip | Outcome::Iterate)) => {
                    Err(FlowError::from(Stays::Unmapped { step, outcome, valid }).into())
                }
                None => Err(FlowError::from(Stays::OutcomeMissing { step, valid }).into()),
            };
        }
        Standing::Asking { .. } | Standing::Ended { .. } => return reported(request.outcome),
    };
    let is_review = workflow.gate_after(step).is_some();
    if !is_review || request.without_report {
        return reported(request.outcome);
    }
    let Some(report) = result else {
        return Err(FlowError::ReportMissing { step: step.to_string() }.into());
    };
    let passes = passes(report)
        .map_err(|reason| FlowError::ReportUndecided { step: step.to_string(), reason })?;
    let decided = if passes { Outcome::Ok } else { Outcome::Fail };
    match request.outcome {
        Some(said) if said != decided => {
            Err(FlowError::Contradicted { said: said.word(), report: decided.word() }.into())
        }
        Some(_) | None => reported(Some(decided)),
    }
}

/// Returns what was handed in, without secrets.
fn taken(given: &Given) -> Result<String, EngineError> {
    let bytes = match given {
        Given::File(path) => match read_capped(path, RESULT, Links::Follow) {
            Err(pacenote_files::FileError::TooLarge { .. }) => {
                return Err(FlowError::ResultTooLarge { most: RESULT.get() }.into());
            }
            bytes => bytes?,
        },
        Given::Bytes(bytes) => {
            if u64::try_from(bytes.len()).is_ok_and(|length| length > RESULT.get()) {
                return Err(FlowError::ResultTooLarge { most: RESULT.get() }.into());
            }
            bytes.clone()
        }
    };
    let text = String::from_utf8(bytes).map_err(|_| FlowError::ResultNotText)?;
    Ok(secrets::without_secrets(&text))
}

fn look(desk: &Desk, workflow: &Workflow, run: &Run, means: &Means<'_>) -> Result<bool, String> {
    match check_of(workflow, run) {
        Some(check) => checking::look(check, &desk.place().root, means.tests, means.variables),
        None => Err("there is nothing to look at".to_owned()),
    }
}

/// Tells whether we look ourselves. A repository must not make us run programs, trusted or not.
fn checks_itself(workflow: &Workflow, run: &Run, kept: &KeptRun, means: &Means<'_>) -> bool {
    match check_of(workflow, run) {
        Some(Check::Artifact { .. } | Check::Keyword { .. }) => true,
        Some(Check::Command { .. }) => kept.file.is_none(),
        Some(Check::Tests) => means.tests.is_some(),
        None => false,
    }
}

fn check_of<'w>(workflow: &'w Workflow, run: &Run) -> Option<&'w Check> {
    let step: &Step = workflow.step(run.step()?)?;
    match &step.handler {
        Handler::Check(check) => Some(check),
        Handler::Work
        | Handler::Dispatch(_)
        | Handler::Ask(_)
        | Handler::Choose(_)
        | Handler::Gate(_) => None,
    }
}

pub(super) fn shown(
    workflow: &Workflow,
    run: &Run,
    kept: &KeptRun,
    means: &Means<'_>,
) -> Result<View, EngineError> {
    let (name, _) = spoken(kept.number);
    let checks_itself = checks_itself(workflow, run, kept, means);
    let spoken = Spoken { run: &name, checks_itself };
    Ok(show(workflow, run, spoken).map_err(|reason| FlowError::Unshown {
        step: run.step().map(ToString::to_string).unwrap_or_default(),
        reason,
    })?)
}

/// Returns how commands name a run, and where its files lie.
fn spoken(number: Number) -> (String, String) {
    (number.get().to_string(), format!("{RUNS}/{}", number.get()))
}

/// Returns the decisions that a move brings with it.
fn decisions(effects: &[pacenote_flow::workflow::Effect], kept: &KeptRun) -> Vec<Effect> {
    let risks = effects.iter().filter_map(|effect| match effect {
        pacenote_flow::workflow::Effect::RiskTaken { name, iteration, .. } => {
            Some(format!("went on although `{name}` did not pass after {iteration} rounds"))
        }
        pacenote_flow::workflow::Effect::Moved { .. }
        | pacenote_flow::workflow::Effect::Asked { .. }
        | pacenote_flow::workflow::Effect::Answered { .. }
        | pacenote_flow::workflow::Effect::Changed { .. }
        | pacenote_flow::workflow::Effect::Ended { .. } => None,
    });
    let decision = |text| Effect::DecisionTaken {
        decision: Decision {
            at: kept.moved,
            by: kept.agent.clone(),
            text,
            is_risk: true,
            run: Some(kept.number),
        },
    };
    risks.map(decision).collect()
}

fn is_still_trusted(desk: &Desk, kept: &KeptRun) -> Result<(), EngineError> {
    let Some(file) = &kept.file else { return Ok(()) };
    let trusted = crate::rules::trust::trusted_paths(desk)?;
    if trusted.contains(&file.path) {
        return Ok(());
    }
    Err(FlowError::Distrusted { run: kept.number.to_string(), path: file.path.clone() }.into())
}

/// Makes sure that files which the run rests on are there.
fn files_are_there(desk: &Desk, workflow: &Workflow, run: &Run) -> Result<(), EngineError> {
    for param in workflow.params.iter().filter(|param| param.kind == ParamKind::Path) {
        let Some(Value::Text(path)) = run.params.get(&param.name) else { continue };
        if !path.is_empty() && !exists(&desk.place().root.join(path)) {
            let (param, path) = (param.name.clone(), path.clone());
            return Err(FlowError::FileGone { param, path }.into());
        }
    }
    Ok(())
}

/// Makes the directory where agents leave what is too long to say; git does not see it.
fn make_room(desk: &Desk, number: Number) -> Vec<String> {
    let (directory, ignored) = (spoken(number).1, Path::new(RUNS).join(".gitignore"));
    let made = Beneath::open(&desk.place().root, Links::Follow).and_then(|root| {
        root.create_directory(Path::new(&directory), Readers::Everyone)?;
        match root.kind_of(&ignored)? {
            Some(_) => Ok(()),
            None => root.write(&ignored, b"*\n", Readers::Everyone),
        }
    });
    match made {
        Ok(()) => Vec::new(),
        Err(error) => vec![format!("there is no directory for reports: {error}")],
    }
}

/// Notes for hooks that a run is under way here, before it is.
fn note_run(desk: &Desk) -> Result<(), EngineError> {
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

fn session_of(desk: &Desk) -> Result<Option<SessionId>, EngineError> {
    match (desk.caller(), desk.store()) {
        (Caller::Session { host, host_id }, Some(store)) => {
            Ok(store.session(host, host_id)?.map(|session| session.id))
        }
        (
            Caller::Session { .. } | Caller::Agent(_) | Caller::Person | Caller::Unknown,
            Some(_) | None,
        ) => Ok(None),
    }
}

const fn status_of(run: &Run) -> RunStatus {
    match &run.standing {
        Standing::Working { .. } | Standing::Checking { .. } => RunStatus::Working,
        Standing::Asking { .. } => RunStatus::Asking,
        Standing::Ended { how: pacenote_flow::workflow::Ending::Completed } => RunStatus::Completed,
        Standing::Ended { how: pacenote_flow::workflow::Ending::Aborted { .. } } => {
            RunStatus::Aborted
        }
    }
}

fn key_of(number: Number, revision: u32) -> Result<CommitKey, EngineError> {
    Ok(CommitKey::parse(&format!("run:{}:{revision}", number.get()))?)
}

fn clean(params: &[(String, String)]) -> Vec<(String, String)> {
    let clean = |(name, text): &(String, String)| (name.clone(), secrets::without_secrets(text));
    params.iter().map(clean).collect()
}

fn json(value: &impl serde::Serialize) -> Result<String, EngineError> {
    serde_json::to_string(value).map_err(|source| EngineError::Unwritten { source })
}
