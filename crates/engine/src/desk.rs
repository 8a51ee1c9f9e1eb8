//! Where a use case works: the store, the project at hand, and who is calling.

use std::path::{Path, PathBuf};

use pacenote_context::{task_names, tasks_named};
use pacenote_files::git::ProjectPlace;
use pacenote_model::{
    Actor, AgentName, Branch, Effect, HostId, HostName, Moment, Project, ProjectEffect, ProjectId,
    Refusal, Sequence, Task, TaskId, TaskRef, Trust, id::BadTaskRef, succession::pass_on,
};
use pacenote_store::{Access, Committed, Store, StoreError};
use uuid::Uuid;

use crate::{
    Clock, Data, EngineError,
    data::place_key,
    error::nearest,
    identity::{first_name, free_name, session_actor},
    journal::{Entry, Journal, Request, Upkeep},
    names, presence,
    records::records_in,
    secrets,
    succession::{Lineage, effects, find_start, names_of},
};

/// Who is calling, as far as it can be told without trusting an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// An agent that was given a name by whoever started it.
    Agent(AgentName),
    /// A session of a host.
    Session {
        host: HostName,
        /// Its id of the session.
        host_id: HostId,
    },
    /// The person, at a terminal outside any agent.
    Person,
    /// Neither.
    Unknown,
}

/// The store, the project and the caller of one command.
pub struct Desk {
    /// `None` when there is no store yet and the command only reads.
    store: Option<Box<dyn Store>>,
    data: Data,
    place: ProjectPlace,
    caller: Caller,
    clock: Clock,
    upkeep: Upkeep,
}

/// A project that is in use, for reading.
pub struct Here<'a> {
    pub store: &'a dyn Store,
    pub project: Project,
}

/// A project and an actor, for writing.
///
/// Nothing is written before the first commit: a project or a session that is new is made known in
/// the same commit as what is done in it, so that a command that is refused leaves no trace.
pub struct Work<'a> {
    journal: Journal<'a>,
    pub project: Project,
    /// Who acts.
    pub actor: Actor,
    request: Request,
    /// The names of those whose work the actor continues.
    pub(crate) continued: Vec<AgentName>,
    /// What must be made known first.
    unknown: Vec<Effect>,
    /// The file that tells hooks that the project is used.
    mark: PathBuf,
}

impl Desk {
    /// Opens the store for a command run in `directory`.
    pub fn open(
        data: Data,
        directory: &Path,
        caller: Caller,
        access: Access,
    ) -> Result<Self, EngineError> {
        let place = presence::find_place(&data, directory)?;
        Self::at(data, place, caller, access)
    }

    /// Opens the store for a command run in a project that was found before.
    pub fn at(
        data: Data,
        place: ProjectPlace,
        caller: Caller,
        access: Access,
    ) -> Result<Self, EngineError> {
        let store: Option<Box<dyn Store>> = match pacenote_store::open(&data.store(), access) {
            Ok(store) => Some(Box::new(store)),
            Err(StoreError::Missing { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        if access == Access::Write && store.is_some() {
            crate::secret::ensure(&data, Clock::System)?;
        }
        Ok(Self { store, data, place, caller, clock: Clock::System, upkeep: Upkeep::default() })
    }

    /// Stands at a store that was opened before, in a project that was found before; nobody is calling.
    pub(crate) fn around(store: Option<Box<dyn Store>>, data: Data, place: ProjectPlace) -> Self {
        let (caller, clock, upkeep) = (Caller::Unknown, Clock::System, Upkeep::default());
        Self { store, data, place, caller, clock, upkeep }
    }

    /// Returns the store to somebody who goes elsewhere with it.
    pub(crate) fn into_store(self) -> Option<Box<dyn Store>> {
        self.store
    }

    /// Returns where the user's data lies.
    pub const fn data(&self) -> &Data {
        &self.data
    }

    /// Returns where the project lies on disk.
    pub const fn place(&self) -> &ProjectPlace {
        &self.place
    }

    /// Returns who is calling.
    pub const fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Returns what commits do besides.
    pub const fn upkeep(&self) -> &Upkeep {
        &self.upkeep
    }

    /// Goes by another clock.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// Opens the commit door, if there is a store.
    pub(crate) fn journal(&mut self) -> Option<Journal<'_>> {
        let store = self.store.as_deref_mut()?;
        Some(Journal::new(store, &self.data, self.clock).with_upkeep(&self.upkeep))
    }

    /// Returns the clock.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the branch at hand, if its name can stand in an address and is not a secret.
    pub fn branch(&self) -> Option<Branch> {
        let name = self.place.branch.as_deref().filter(|name| secrets::kind_in(name).is_none());
        name.and_then(|branch| Branch::parse(branch).ok())
    }

    /// Returns the store, if there is one.
    pub fn store(&self) -> Option<&dyn Store> {
        self.store.as_deref()
    }

    /// Returns the store for what is no commit: the index of skills and the texts behind digests.
    pub(crate) fn store_mut(&mut self) -> Option<&mut dyn Store> {
        match &mut self.store {
            Some(store) => Some(store.as_mut()),
            None => None,
        }
    }

    /// Returns the project at hand, if pacenote was ever used in it.
    pub fn here(&self) -> Result<Option<Here<'_>>, EngineError> {
        let Some(store) = self.store.as_deref() else { return Ok(None) };
        let project = store.project_at(&place_key(&self.place))?;
        Ok(project.map(|project| Here { store, project }))
    }

    /// Returns the project at hand as one that the store does not know yet.
    pub(crate) fn unmet_project(&self) -> Project {
        met_now(&self.place, self.clock)
    }

    /// Returns the name under which the caller reads: that of its agent or session.
    pub fn reader(&self) -> Result<AgentName, EngineError> {
        match &self.caller {
            Caller::Agent(name) => Ok(name.clone()),
            Caller::Person => Ok(AgentName::person()),
            Caller::Session { host, host_id } => {
                let Some(store) = self.store() else { return first_name(host, host_id) };
                match store.session(host, host_id)?.and_then(|session| session.agent) {
                    Some(name) => Ok(name),
                    None => free_name(store, host, host_id),
                }
            }
            Caller::Unknown => Err(EngineError::Nameless),
        }
    }

    /// Returns the names of those whose work the caller continues.
    pub(crate) fn continued(&self) -> Result<Vec<AgentName>, EngineError> {
        let (Caller::Session { host, host_id }, Some(here)) = (&self.caller, self.here()?) else {
            return Ok(Vec::new());
        };
        let (data, now) = (&self.data, self.clock.now());
        let (store, project) = (here.store, here.project.id);
        let lineage = Lineage { store, data, project, host, host_id, now };
        let log = data.logs().log_for(host.as_str(), host_id.as_str())?;
        let began = find_start(&records_in(&log)?).unwrap_or(now);
        Ok(names_of(&lineage.find(began, &store.tasks(project)?)?))
    }

    /// Returns the tasks of a project as the caller sees them: what a session left that it continues is
    /// its own.
    pub(crate) fn tasks_of(&self, here: &Here<'_>) -> Result<Vec<Task>, EngineError> {
        let mut tasks = here.store.tasks(here.project.id)?;
        let continued = self.continued()?;
        if !continued.is_empty() {
            pass_on(&mut tasks, &continued, &self.reader()?);
        }
        Ok(tasks)
    }

    /// Returns what is needed to write; `request` is the caller's own, if it means to repeat it.
    pub fn begin(&mut self, request: Option<Request>) -> Result<Work<'_>, EngineError> {
        let clock = self.clock;
        let request = match request {
            Some(request) => request,
            None => Request::once(clock)?,
        };
        let (logs, caller) = (self.data.logs(), self.caller.clone());
        let mark = presence::mark(&self.data, &self.place);
        let missing = || StoreError::Missing { path: self.data.store().database() };
        let store = self.store.as_deref_mut().ok_or_else(missing)?;
        let mut journal = Journal::new(store, &self.data, clock).with_upkeep(&self.upkeep);
        let (mut unknown, mut continued) = (Vec::new(), Vec::new());
        let known = journal.store().project_at(&place_key(&self.place))?;
        let project = known.unwrap_or_else(|| {
            let project = met_now(&self.place, clock);
            unknown.push(Effect::Project(ProjectEffect::Seen { project: project.clone() }));
            project
        });
        let actor = match &caller {
            Caller::Agent(name) => Actor { name: name.clone(), trust: Trust::Agent, session: None },
            Caller::Person => {
                Actor { name: AgentName::person(), trust: Trust::User, session: None }
            }
            Caller::Unknown => {
                Actor { name: AgentName::unknown(), trust: Trust::Agent, session: None }
            }
            Caller::Session { host, host_id } => {
                // What its hooks have written down says in which project the session lives.
                let log = logs.log_for(host.as_str(), host_id.as_str())?;
                crate::ingest::ingest_log(&log, &mut journal)?;
                let store = journal.store();
                let known = store.session(host, host_id)?;
                let actor =
                    session_actor(store, known.clone(), host, host_id, clock, &mut unknown)?;
                let (data, now, project) = (&self.data, clock.now(), project.id);
                let lineage = Lineage { store, data, project, host, host_id, now };
                let tasks = store.tasks(project)?;
                let began = find_start(&records_in(&log)?).unwrap_or(now);
                let left = lineage.find(began, &tasks)?;
                if !left.is_empty() {
                    let successor = (host, host_id, &actor.name);
                    let passed = effects(&left, &tasks, successor, now, known.as_ref());
                    unknown.extend(passed);
                    continued = names_of(&left);
                }
                actor
            }
        };
        Ok(Work { journal, project, actor, request, continued, unknown, mark })
    }
}

impl Work<'_> {
    /// Returns the store, for the reads a decision needs.
    pub fn store(&self) -> &dyn Store {
        self.journal.store()
    }

    /// Returns the present moment.
    pub fn now(&self) -> Moment {
        self.journal.clock().now()
    }

    /// Returns a fresh id.
    pub fn fresh(&self) -> Uuid {
        self.journal.clock().fresh()
    }

    /// Returns the answer of the same wish, if it was granted before.
    pub fn earlier(&self) -> Result<Option<Committed>, EngineError> {
        self.journal.earlier(self.project.id, &self.request)
    }

    /// Returns the last journal entry, for [`Work::commit_if_unchanged`].
    pub fn sequence(&self) -> Result<Sequence, EngineError> {
        Ok(self.store().last_entry()?)
    }

    /// Makes the project known, if it is not.
    pub(crate) fn introduce(&mut self) -> Result<(), EngineError> {
        if self.unknown.is_empty() {
            return presence::note(&self.mark);
        }
        self.commit(Vec::new()).map(drop)
    }

    /// Commits effects under the caller's key.
    pub fn commit(&mut self, list: Vec<Effect>) -> Result<Committed, EngineError> {
        self.commit_as_of(list, None)
    }

    /// Commits effects unless a task of the project changed after a journal entry.
    pub fn commit_if_unchanged(
        &mut self,
        list: Vec<Effect>,
        since: Sequence,
    ) -> Result<Committed, EngineError> {
        self.commit_as_of(list, Some(since))
    }

    fn commit_as_of(
        &mut self,
        list: Vec<Effect>,
        tasks_as_of: Option<Sequence>,
    ) -> Result<Committed, EngineError> {
        names::refuse_secret("idempotency key", self.request.key.as_str())?;
        list.iter().try_for_each(names::refuse_secrets_in)?;
        let entered = self.journal.commit(Entry {
            project: self.project.id,
            by: self.actor.clone(),
            at: self.now(),
            request: self.request.clone(),
            tasks_as_of,
            mark: Some(self.mark.clone()),
            unknown: self.unknown.clone(),
            list,
        });
        match entered {
            Ok(entered) => {
                self.unknown.clear();
                self.project.id = entered.project;
                Ok(entered.committed)
            }
            Err(EngineError::Store(StoreError::Refused(Refusal::ProjectKnown { id }))) => {
                self.project.id = id;
                self.unknown.retain(|effect| {
                    !matches!(effect, Effect::Project(ProjectEffect::Seen { .. }))
                });
                Err(Refusal::TasksChanged.into())
            }
            Err(error) => Err(error),
        }
    }

    /// Finds a task of this project.
    pub fn task(&self, raw: &str) -> Result<Task, EngineError> {
        find_task(self.store(), self.project.id, raw)
    }

    /// Returns a task that was just committed.
    pub fn committed_task(&self, id: TaskId) -> Result<Task, EngineError> {
        let task = TaskRef::Id(id);
        self.store()
            .task(self.project.id, &task)?
            .ok_or(EngineError::UnknownTask { task, nearest: None })
    }
}

/// Longest name of a task that an error repeats, in characters.
const SHOWN_CHARACTERS: usize = 80;

/// Most tasks that an error lists.
const LISTED_TASKS: usize = 10;

/// Returns the error for a task of a project that pacenote was never used in.
pub fn no_such_task(raw: &str) -> EngineError {
    match TaskRef::parse(raw) {
        Ok(task) => EngineError::UnknownTask { task, nearest: None },
        Err(source) => not_a_task(raw, source, None),
    }
}

fn not_a_task(raw: &str, source: BadTaskRef, nearest: Option<String>) -> EngineError {
    EngineError::NotATask { raw: raw.chars().take(SHOWN_CHARACTERS).collect(), source, nearest }
}

/// Finds a task of a project by any of its names, with the nearest one for a slip.
pub fn find_task(store: &dyn Store, project: ProjectId, raw: &str) -> Result<Task, EngineError> {
    let task = match TaskRef::parse(raw) {
        Ok(task) => task,
        Err(source) => return find_named_task(store, project, raw, source),
    };
    match store.task(project, &task)? {
        Some(found) if found.project == project => Ok(found),
        Some(found) => Err(Refusal::OtherProject { task: found.short }.into()),
        None => {
            let tasks = store.tasks(project)?;
            let wanted = task.to_string();
            let nearest = nearest(&wanted, tasks.iter().map(|task| task.short.as_str()));
            Err(EngineError::UnknownTask { task, nearest })
        }
    }
}

/// Finds the one task that is called so: by the plan's own number, or by its title.
fn find_named_task(
    store: &dyn Store,
    project: ProjectId,
    raw: &str,
    source: BadTaskRef,
) -> Result<Task, EngineError> {
    let tasks = store.tasks(project)?;
    match tasks_named(raw, &tasks).as_slice() {
        [only] => Ok((*only).clone()),
        [] => {
            let names = tasks.iter().flat_map(task_names);
            // Another number is another task, not a slip.
            let ends_in_number = |name: &String| name.ends_with(|c: char| c.is_ascii_digit());
            let names: Vec<String> = names.filter(|name| !ends_in_number(name)).collect();
            let nearest = nearest(raw.trim(), names.iter().map(String::as_str));
            Err(not_a_task(raw, source, nearest))
        }
        several => {
            let count = several.len();
            let line = |task: &&Task| {
                let plan = task.plan.as_ref().map(|plan| format!(", {}", plan.file));
                let (state, plan) = (task.state.label(), plan.unwrap_or_default());
                format!("{} \"{}\" ({state}{plan})", task.short, task.title)
            };
            let candidates = several.iter().take(LISTED_TASKS).map(line).collect();
            let raw = raw.chars().take(SHOWN_CHARACTERS).collect();
            Err(EngineError::ManyTasks { raw, count, candidates })
        }
    }
}

fn met_now(place: &ProjectPlace, clock: Clock) -> Project {
    Project {
        id: ProjectId::new(clock.fresh()),
        place: place_key(place),
        name: secrets::without_secrets(&place.name),
        since: clock.now(),
    }
}
