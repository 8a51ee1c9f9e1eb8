//! A run at hand: found, read with the definition it goes by, shown and checked. Nothing moves here.

use std::collections::BTreeMap;

use pacenote_files::exists;
use pacenote_flow::workflow::{
    Check, Ending, Handler, ParamKind, Run, Spoken, Standing, Step, View, Workflow, show,
};
use pacenote_model::{KeptRun, Number, RunStatus, SessionId, Value};

use super::{FlowError, RUNS, checking};
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

    /// Looks at what the step checks: whether it is as it should be, or why nobody can know.
    pub(super) fn look(&self, desk: &Desk, means: &Means<'_>) -> Result<bool, String> {
        match self.check() {
            Some(check) => checking::look(check, &desk.place().root, means.tests, means.variables),
            None => Err("there is nothing to look at".to_owned()),
        }
    }

    fn check(&self) -> Option<&Check> {
        let step: &Step = self.workflow.step(self.run.step()?)?;
        if let Handler::Check(check) = &step.handler { Some(check) } else { None }
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

/// Refuses a run that rests on files which are not there.
pub(super) fn require_files(
    desk: &Desk,
    workflow: &Workflow,
    run: &Run,
) -> Result<(), EngineError> {
    for param in workflow.params.iter().filter(|param| param.kind == ParamKind::Path) {
        let Some(Value::Text(path)) = run.params.get(&param.name) else { continue };
        if !path.is_empty() && !exists(&desk.place().root.join(path)) {
            let (param, path) = (param.name.clone(), path.clone());
            return Err(FlowError::FileGone { param, path }.into());
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
