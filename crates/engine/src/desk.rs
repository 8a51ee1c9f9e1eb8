//! Where a use case works: the store, the project at hand, and who is calling.

use std::path::{Path, PathBuf};

use pacenote_files::{
    failures::FailureLog,
    git::{ProjectPlace, find_project},
    session_log::LogDirectory,
};
use pacenote_model::{
    Actor, AgentName, Branch, CommitKey, Effect, Effects, HostId, HostName, Moment, Project,
    ProjectId, Session, SessionId, Task, TaskId, TaskRef, Trust,
};
use pacenote_store::{Access, Committed, Place, Store, StoreError};
use uuid::Uuid;

use crate::{Clock, EngineError, error::nearest};

/// Where pacenote keeps what is the user's, not a project's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    directory: PathBuf,
}

impl Data {
    /// Names the data directory; nothing is touched.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Returns the directory itself.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns where the store lives.
    pub fn store(&self) -> Place {
        Place::new(&self.directory)
    }

    /// Returns the session logs.
    pub fn logs(&self) -> LogDirectory {
        LogDirectory::new(self.directory.join("sessions"))
    }

    /// Returns the log of failures on the hook path.
    pub fn failures(&self) -> FailureLog {
        FailureLog::new(self.directory.join("failures.jsonl"))
    }
}

/// Who is calling, as far as it can be told without trusting an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Caller {
    /// An agent that was given a name by whoever started it.
    Agent(AgentName),
    /// A session of a host.
    Session {
        /// The host.
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
}

/// A project that is in use, for reading.
pub struct Here<'a> {
    /// The store.
    pub store: &'a dyn Store,
    /// The project.
    pub project: Project,
}

/// A project and an actor, for writing.
pub struct Work<'a> {
    store: &'a mut dyn Store,
    /// The project.
    pub project: Project,
    /// Who acts.
    pub actor: Actor,
    clock: Clock,
    key: CommitKey,
}

impl Desk {
    /// Opens the store for a command run in `directory`.
    pub fn open(
        data: Data,
        directory: &Path,
        caller: Caller,
        access: Access,
    ) -> Result<Self, EngineError> {
        let place = find_project(directory)?;
        let store: Option<Box<dyn Store>> = match pacenote_store::open(&data.store(), access) {
            Ok(store) => Some(Box::new(store)),
            Err(StoreError::Missing { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        Ok(Self { store, data, place, caller, clock: Clock })
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

    /// Returns the clock.
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the branch at hand, if its name can stand in an address.
    pub fn branch(&self) -> Option<Branch> {
        self.place.branch.as_deref().and_then(|branch| Branch::parse(branch).ok())
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

    /// Returns the name under which the caller reads: that of its agent or session.
    pub fn reader(&self) -> Result<AgentName, EngineError> {
        match &self.caller {
            Caller::Agent(name) => Ok(name.clone()),
            Caller::Person => Ok(AgentName::person()),
            Caller::Session { host, host_id } => {
                let known = match self.store() {
                    Some(store) => store.session(host, host_id)?,
                    None => None,
                };
                known.and_then(|session| session.agent).ok_or(EngineError::Nameless)
            }
            Caller::Unknown => Err(EngineError::Nameless),
        }
    }

    /// Makes the project and the caller known, and returns what is needed to write.
    ///
    /// `key` is the caller's own idempotency key; without one the commit gets a fresh key.
    pub fn begin(&mut self, key: Option<CommitKey>) -> Result<Work<'_>, EngineError> {
        let clock = self.clock;
        let key = match key {
            Some(key) => key,
            None => fresh_key(clock)?,
        };
        let Some(store) = self.store.as_deref_mut() else {
            return Err(StoreError::Missing { path: self.data.store().database() }.into());
        };
        let project = project_for(store, &place_key(&self.place), &self.place.name, clock)?;
        let actor = actor(store, &project, &self.caller, clock)?;
        Ok(Work { store, project, actor, clock, key })
    }

    /// Copies the store when the newest copy is older than `hours`.
    pub fn back_up_if_due(&self, hours: u32, keep: usize) -> Result<(), EngineError> {
        let Some(store) = self.store() else { return Ok(()) };
        let now = self.clock.now();
        let newest = pacenote_store::backups(&self.data.store())?.into_iter().next();
        let due = newest.is_none_or(|backup| {
            backup.at.plus_minutes(hours.saturating_mul(60)) <= now || backup.at > now
        });
        if due {
            store.back_up(now, keep)?;
        }
        Ok(())
    }
}

impl Work<'_> {
    /// Returns the store, for the reads a decision needs.
    pub fn store(&self) -> &dyn Store {
        self.store
    }

    /// Returns the present moment.
    pub fn now(&self) -> Moment {
        self.clock.now()
    }

    /// Returns a fresh id.
    pub fn fresh(&self) -> Uuid {
        self.clock.fresh()
    }

    /// Commits effects under the caller's key.
    pub fn commit(&mut self, list: Vec<Effect>) -> Result<Committed, EngineError> {
        let effects = Effects {
            project: self.project.id,
            by: self.actor.clone(),
            at: self.clock.now(),
            list,
        };
        Ok(self.store.commit(&effects, &self.key)?)
    }

    /// Finds a task of this project.
    pub fn task(&self, raw: &str) -> Result<Task, EngineError> {
        find_task(self.store, self.project.id, raw)
    }

    /// Returns a task that was just committed.
    pub fn committed_task(&self, id: TaskId) -> Result<Task, EngineError> {
        let task = TaskRef::Id(id);
        self.store
            .task(self.project.id, &task)?
            .ok_or(EngineError::UnknownTask { task, nearest: None })
    }
}

/// Finds a task of a project by any of its names, with the nearest one for a slip.
pub fn find_task(store: &dyn Store, project: ProjectId, raw: &str) -> Result<Task, EngineError> {
    let task = TaskRef::parse(raw)
        .map_err(|source| EngineError::NotATask { raw: raw.chars().take(80).collect(), source })?;
    match store.task(project, &task)? {
        Some(found) if found.project == project => Ok(found),
        Some(found) => Err(pacenote_model::Refusal::OtherProject { task: found.short }.into()),
        None => {
            let tasks = store.tasks(project)?;
            let wanted = task.to_string();
            let nearest = nearest(&wanted, tasks.iter().map(|task| task.short.as_str()));
            Err(EngineError::UnknownTask { task, nearest })
        }
    }
}

/// Returns the text by which the store knows a project.
pub(crate) fn place_key(place: &ProjectPlace) -> String {
    place.key.to_string_lossy().into_owned()
}

pub(crate) fn fresh_key(clock: Clock) -> Result<CommitKey, EngineError> {
    Ok(CommitKey::parse(&clock.fresh().to_string())?)
}

/// Returns the project at a place, making it known when it is new.
pub(crate) fn project_for(
    store: &mut dyn Store,
    place: &str,
    name: &str,
    clock: Clock,
) -> Result<Project, EngineError> {
    if let Some(project) = store.project_at(place)? {
        return Ok(project);
    }
    let at = clock.now();
    let project = Project {
        id: ProjectId::new(clock.fresh()),
        place: place.into(),
        name: name.into(),
        since: at,
    };
    let by = Actor { name: AgentName::unknown(), trust: Trust::System, session: None };
    let list = vec![Effect::ProjectSeen { project: project.clone() }];
    let effects = Effects { project: project.id, by, at, list };
    let committed = store.commit(&effects, &fresh_key(clock)?)?;
    // Another process may have been first; then the project has the id it was given there.
    let id = committed.applied.iter().find_map(|applied| applied.project());
    Ok(Project { id: id.unwrap_or(project.id), ..project })
}

fn actor(
    store: &mut dyn Store,
    project: &Project,
    caller: &Caller,
    clock: Clock,
) -> Result<Actor, EngineError> {
    Ok(match caller {
        Caller::Agent(name) => Actor { name: name.clone(), trust: Trust::Agent, session: None },
        Caller::Person => Actor { name: AgentName::person(), trust: Trust::User, session: None },
        Caller::Unknown => Actor { name: AgentName::unknown(), trust: Trust::Agent, session: None },
        Caller::Session { host, host_id } => {
            let session = named_session(store, project, host, host_id, clock)?;
            let name = session.agent.unwrap_or_else(AgentName::unknown);
            Actor { name, trust: Trust::Agent, session: Some(session.id) }
        }
    })
}

/// Returns a session with the name it acts under: its own, or the host's with its number.
fn named_session(
    store: &mut dyn Store,
    project: &Project,
    host: &HostName,
    host_id: &HostId,
    clock: Clock,
) -> Result<Session, EngineError> {
    let by = Actor { name: AgentName::unknown(), trust: Trust::System, session: None };
    let at = clock.now();
    let commit = |store: &mut dyn Store, effect: Effect| {
        let effects = Effects { project: project.id, by: by.clone(), at, list: vec![effect] };
        Ok::<_, EngineError>(store.commit(&effects, &fresh_key(clock)?)?)
    };
    let unknown = || EngineError::UnknownSession { raw: host_id.to_string() };
    if store.session(host, host_id)?.is_none() {
        commit(
            store,
            Effect::SessionSeen {
                id: SessionId::new(clock.fresh()),
                host: host.clone(),
                host_id: host_id.clone(),
                parent: None,
                agent: None,
                transcript: None,
                seen: at,
                new_epoch: false,
            },
        )?;
    }
    let session = store.session(host, host_id)?.ok_or_else(unknown)?;
    if session.agent.is_some() {
        return Ok(session);
    }
    let agent = AgentName::parse(&format!("{host}-{}", session.number.get()))?;
    commit(store, Effect::SessionNamed { session: session.id, agent })?;
    store.session(host, host_id)?.ok_or_else(unknown)
}
