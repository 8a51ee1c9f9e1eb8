//! Begins runs. The number of a run is the next one, which other processes may want too.

use std::path::Path;

use pacenote_files::{Beneath, Links, Readers};
use pacenote_flow::workflow::{Purpose, begin};
use pacenote_model::{AgentName, Effect, KeptRun, Number, Refusal, RunCard, RunEffect, Task};
use pacenote_skill::digest::digest_of;
use pacenote_store::StoreError;

use super::{
    FlowError, RUNS, Shelves,
    card::card,
    catalogue,
    looking::{Means, Moment, RunAt, Shown, directory_of, require_files, status_of},
    moving::{look_on, note_run, to_json, without_secrets_in},
};
use crate::{
    Desk, EngineError,
    desk::{find_task, no_such_task},
};

/// Tries at a number that other processes want too.
const TRIES: usize = 20;

/// What a run is begun with.
pub struct StartRequest<'a> {
    /// The workflow.
    pub name: &'a str,
    /// Parameters, as they were written.
    pub params: &'a [(String, String)],
    pub task: Option<&'a str>,
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
    let task = request.task.map(|raw| find_here(desk, raw)).transpose()?;
    let params = without_secrets_in(request.params);
    let title = task.as_ref().map(|task| task.title.to_string()).unwrap_or_default();
    let begun = |number| {
        let purpose = Purpose { task: &title, directory: &directory_of(number) };
        begin(&workflow, &params, purpose).map_err(FlowError::from)
    };
    let (run, _) = begun(Number::new(1))?;
    require_files(desk, &workflow, &run, Moment::Start)?;
    let bytes =
        serde_json::to_vec(&workflow).map_err(|source| EngineError::Unwritten { source })?;
    let digest = digest_of(&bytes);
    if let Some(store) = desk.store_mut() {
        store.keep_text(&digest, &bytes)?;
    }
    note_run(desk)?;
    let now = desk.clock().now();
    let kept = KeptRun {
        number: Number::new(1),
        workflow: workflow.name.clone(),
        definition: digest,
        file: definition.file,
        task: task.map(|task| task.id),
        session: None,
        agent: AgentName::unknown(),
        status: status_of(&run),
        revision: run.revision,
        began: now,
        moved: now,
        state: String::new(),
        card: RunCard::default(),
    };
    for _ in 0..TRIES {
        let mut work = desk.begin(None)?;
        let number = work.store().next_run(work.project.id)?;
        let (run, effects) = begun(number)?;
        let (session, agent) = (work.actor.session, work.actor.name.clone());
        let kept = KeptRun { number, session, agent, state: to_json(&run)?, ..kept.clone() };
        let at = RunAt { kept, workflow: workflow.clone(), run };
        let view = at.view(means)?;
        let effect = Effect::Run(RunEffect::Begun {
            run: Box::new(at.kept.clone()),
            entries: effects.iter().map(to_json).collect::<Result<_, _>>()?,
            card: Box::new(card(&at.workflow, &at.run, &view)),
        });
        match work.commit(vec![effect]) {
            Ok(_) => {
                // Whoever ended the last run before may have taken the mark away meanwhile.
                note_run(desk)?;
                let remarks = make_room(desk, number);
                return look_on(desk, at, remarks, means);
            }
            Err(EngineError::Store(StoreError::Refused(Refusal::RunNumberTaken))) => {}
            Err(error) => return Err(error),
        }
    }
    Err(Refusal::RunNumberTaken.into())
}

fn find_here(desk: &Desk, raw: &str) -> Result<Task, EngineError> {
    match desk.here()? {
        Some(here) => find_task(here.store, here.project.id, raw),
        None => Err(no_such_task(raw)),
    }
}

/// Makes the directory where agents leave what is too long to say; git does not see it.
fn make_room(desk: &Desk, number: Number) -> Vec<String> {
    let (directory, ignored) = (directory_of(number), Path::new(RUNS).join(".gitignore"));
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
