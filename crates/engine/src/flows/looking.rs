//! A run at hand: found, read with the definition it goes by, shown and checked. Nothing moves here.

use std::collections::BTreeMap;

use pacenote_files::{exists, is_directory_itself};
use pacenote_flow::workflow::{
    Check, Dispatch, Ending, Handler, Outcome, ParamKind, Run, Spoken, Standing, Step, StepId,
    View, Workflow, check_answer, open_files, show,
};
use pacenote_model::{KeptRun, Number, RunStatus, SessionId, Value};

use super::{
    FlowError, RUNS,
    checking::{self, Kept, Seen},
};
use crate::{Caller, Desk, EngineError, rules::trust};

/// Longest name of a run that an error repeats, in characters.
const NAME_CHARACTERS: usize = 80;

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

/// Shows where a run stands.
pub fn status(desk: &Desk, raw: Option<&str>, means: &Means<'_>) -> Result<Shown, EngineError> {
    RunAt::find(desk, raw)?.shown(Vec::new(), means)
}

/// Finds a run: by its number, or the one that can only be meant.
pub fn find(desk: &Desk, raw: Option<&str>) -> Result<KeptRun, EngineError> {
    let Some(here) = desk.here()? else { return Err(FlowError::NoRun.into()) };
    if let Some(raw) = raw {
        let unknown = || FlowError::NoSuchRun { raw: raw.chars().take(NAME_CHARACTERS).collect() };
        let number = Number::parse(raw).ok_or_else(unknown)?;
        return Ok(here.store.run(here.project.id, number)?.ok_or_else(unknown)?);
    }
    let runs = here.store.runs(here.project.id)?;
    let session = find_session(desk)?;
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

fn find_session(desk: &Desk) -> Result<Option<SessionId>, EngineError> {
    let (Caller::Session { host, host_id }, Some(store)) = (desk.caller(), desk.store()) else {
        return Ok(None);
    };
    Ok(store.session(host, host_id)?.map(|session| session.id))
}

/// A run at hand, with the definition it goes by and its state.
pub(super) struct RunAt {
    pub(super) kept: KeptRun,
    pub(super) workflow: Workflow,
    pub(super) run: Run,
}

impl RunAt {
    /// Finds a run and reads it.
    pub(super) fn find(desk: &Desk, raw: Option<&str>) -> Result<Self, EngineError> {
        Self::read(desk, find(desk, raw)?)
    }

    /// Reads the definition and the state of a run.
    pub(super) fn read(desk: &Desk, kept: KeptRun) -> Result<Self, EngineError> {
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
        Ok(Self { kept, workflow, run })
    }

    /// Shows the step at hand.
    pub(super) fn view(&self, means: &Means<'_>) -> Result<View, EngineError> {
        let spoken =
            Spoken { run: &name_of(self.kept.number), checks_itself: self.checks_itself(means) };
        Ok(show(&self.workflow, &self.run, spoken).map_err(|reason| FlowError::Unshown {
            run: name_of(self.kept.number),
            step: self.run.step().map(ToString::to_string).unwrap_or_default(),
            reason,
        })?)
    }

    /// Shows the run, with what the person should know beside it.
    pub(super) fn shown(
        self,
        remarks: Vec<String>,
        means: &Means<'_>,
    ) -> Result<Shown, EngineError> {
        let view = self.view(means)?;
        Ok(Shown { run: self.kept, view, remarks })
    }

    /// Reports whether we look ourselves. A repository must not make us run programs, trusted or not.
    pub(super) fn checks_itself(&self, means: &Means<'_>) -> bool {
        match self.check() {
            Some(Check::Artifact { .. } | Check::Keyword { .. }) => true,
            Some(Check::Command { .. }) => self.kept.file.is_none(),
            Some(Check::Tests) => means.tests.is_some(),
            None => false,
        }
    }

    /// Looks at what the step checks; none for a step that checks nothing.
    pub(super) fn look(&self, desk: &Desk, means: &Means<'_>) -> Option<Seen> {
        let root = &desk.place().root;
        self.check().map(|check| checking::look(check, root, means.tests, means.variables))
    }

    /// Keeps what a check saw that did not pass.
    pub(super) fn keep(&self, desk: &Desk, seen: &Seen) -> Option<Kept> {
        let step = self.run.step()?;
        let visit = self.run.state(step).visits;
        seen.keep(&desk.place().root, &self.run.directory, step, visit)
    }

    pub(super) fn check(&self) -> Option<&Check> {
        let step: &Step = self.workflow.step(self.run.step()?)?;
        if let Handler::Check(check) = &step.handler { Some(check) } else { None }
    }

    /// Refuses an answer that does not have the form that the step fixes. Agents that failed or
    /// were not needed have none, and so has work that is being fixed.
    pub(super) fn check_answer(
        &self,
        step: &StepId,
        outcome: Option<Outcome>,
        result: Option<&str>,
    ) -> Result<(), EngineError> {
        let handler = self.workflow.step(step).map(|step| &step.handler);
        let Some(Handler::Dispatch(Dispatch { answer: Some(schema), agents, .. })) = handler else {
            return Ok(());
        };
        let is_fixing =
            self.workflow.gate_of(step).is_some_and(|(gate, _)| self.run.gate(&gate.id).failed);
        let has_failed = outcome.is_some_and(|outcome| outcome != Outcome::Ok);
        if is_fixing || has_failed {
            return Ok(());
        }
        let step = step.to_string();
        let Some(answer) = result else { return Err(FlowError::AnswerMissing { step }.into()) };
        check_answer(answer, schema, agents.len())
            .map_err(|reason| FlowError::AnswerUnfit { step, reason }.into())
    }

    /// Refuses a run whose file the person does not trust any more.
    pub(super) fn require_trust(&self, desk: &Desk) -> Result<(), EngineError> {
        let Some(file) = &self.kept.file else { return Ok(()) };
        if trust::trusted_paths(desk)?.contains(&file.path) {
            return Ok(());
        }
        let (run, path) = (self.kept.number.to_string(), file.path.clone());
        Err(FlowError::Distrusted { run, path }.into())
    }
}

/// When a run is looked at for its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Before it begins: a file that is not there never was.
    Start,
    /// On the way: it was there.
    OnTheWay,
}

/// Refuses a run that rests on files which are not there.
pub(super) fn require_files(
    desk: &Desk,
    workflow: &Workflow,
    run: &Run,
    moment: Moment,
) -> Result<(), EngineError> {
    for param in workflow.params.iter().filter(|param| param.kind == ParamKind::Path) {
        let Some(Value::Text(path)) = run.params.get(&param.name) else { continue };
        if !path.is_empty() && !exists(&desk.place().root.join(path)) {
            let (param, path) = (param.name.clone(), path.clone());
            return Err(match moment {
                Moment::Start => FlowError::FileMissing { param, path }.into(),
                Moment::OnTheWay => FlowError::FileGone { param, path }.into(),
            });
        }
    }
    for param in open_files(workflow) {
        let Some(Value::Text(path)) = run.params.get(&param.name) else { continue };
        if is_directory_itself(&desk.place().root.join(path)) {
            let (param, path) = (param.name.clone(), path.clone());
            return Err(FlowError::NotAFile { param, path }.into());
        }
    }
    Ok(())
}

/// Returns how commands name a run.
fn name_of(number: Number) -> String {
    number.get().to_string()
}

/// Returns where the files of a run lie, relative to the project.
pub(super) fn directory_of(number: Number) -> String {
    format!("{RUNS}/{}", number.get())
}

/// Returns the word of the store for where a run stands.
pub(super) const fn status_of(run: &Run) -> RunStatus {
    match &run.standing {
        Standing::Working { .. } | Standing::Checking { .. } => RunStatus::Working,
        Standing::Asking { .. } => RunStatus::Asking,
        Standing::Ended { how: Ending::Completed } => RunStatus::Completed,
        Standing::Ended { how: Ending::Aborted { .. } } => RunStatus::Aborted,
    }
}
