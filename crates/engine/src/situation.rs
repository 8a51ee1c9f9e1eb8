//! The situation of one process: who reads, where, in which host, what happened, and what is known.
//!
//! It is read once, lazily, and passed by reference. It commits nothing and holds no writer: a handoff
//! is taken, a task claimed and a line recorded beside it. All that reading may leave behind are the
//! marks by which hooks see without the store which rules are trusted.

mod unread;

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
};

use pacenote_context::{
    delivery::Standing,
    escape::InstallSecret,
    fragment::FragmentKind,
    role::{Role, role_of},
};
use pacenote_files::config::Settings;
use pacenote_hosts::Host;
use pacenote_model::{
    AgentName, Branch, Event, EventBody, Forest, HostId, HostName, Opening, Project, Record,
    Session, SessionId, StartSource, Task, record::Origin, succession::pass_on,
};
use pacenote_store::Store;

pub(crate) use self::unread::{Unread, recent_messages};
use crate::{
    Clock, Desk, EngineError,
    identity::free_name,
    presence,
    records::records_in,
    rules::{self, Loaded, trust},
    runs::Runs,
    secret,
    skills::Surroundings,
    subagents::{Errand, Given},
    succession::{Lineage, find_start, names_of},
};

/// What is the person's, whichever process they or their agents run: where their files lie and how
/// their settings are read. Faces make it; nothing here has been looked at yet.
pub struct Person<'a> {
    pub home: Option<PathBuf>,
    /// The person's own lifecycle rules.
    pub rules: Option<PathBuf>,
    /// Looks up a variable of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    pub settings: SettingsSource<'a>,
}

/// Where settings come from.
#[derive(Clone, Copy)]
pub enum SettingsSource<'a> {
    /// They were read before.
    Known(&'a Settings),
    /// They are read when somebody asks.
    Read(&'a ReadSettings<'a>),
}

/// Reads settings, with the answer to whether the person trusts a file of the project as it is.
pub type ReadSettings<'a> = dyn Fn(&dyn Fn(&[u8]) -> bool) -> Settings + 'a;

impl Person<'_> {
    /// Reads the settings that hold at a desk. A store that cannot be read knows of no trust.
    pub(crate) fn read_settings(&self, desk: &Desk) -> Settings {
        match self.settings {
            SettingsSource::Known(settings) => settings.clone(),
            SettingsSource::Read(read) => {
                read(&|text| trust::is_trusted(desk, trust::SETTINGS, text).unwrap_or(false))
            }
        }
    }
}

/// Who reads a briefing, and through what.
pub(crate) struct Audience {
    /// The host; `None` for a page that whoever reads it reads elsewhere.
    pub(crate) host: Option<Host>,
    /// The agent, where somebody named it; else its session knows.
    pub(crate) agent: Option<AgentName>,
    /// The session, by its host's name and id.
    pub(crate) session: Option<(HostName, HostId)>,
    /// What somebody says it is there for, such as `orchestrator`.
    pub(crate) role: Option<String>,
}

/// The situation of one process.
pub(crate) struct Situation<'a> {
    pub(crate) desk: &'a Desk,
    pub(crate) person: &'a Person<'a>,
    pub(crate) store: &'a dyn Store,
    pub(crate) project: Project,
    pub(crate) event: Event,
    audience: Audience,
    /// The errand on which a subagent is sent.
    errand: Errand,
    /// The branch on which the reader works, where its address says so.
    branch: Option<Branch>,
    settings: OnceCell<Settings>,
    off: OnceCell<Vec<FragmentKind>>,
    session: OnceCell<Option<Session>>,
    records: OnceCell<Vec<Record>>,
    rules: OnceCell<Loaded>,
    runs: OnceCell<Runs>,
    predecessors: OnceCell<Vec<Session>>,
    name: OnceCell<Option<AgentName>>,
    kept_tasks: OnceCell<Vec<Task>>,
    tasks: OnceCell<Vec<Task>>,
    unread: OnceCell<Unread>,
    openings: OnceCell<Vec<Opening>>,
    secret: OnceCell<InstallSecret>,
}

impl<'a> Situation<'a> {
    /// Describes an event at a desk. Nothing is read yet.
    pub(crate) fn new(
        desk: &'a Desk,
        store: &'a dyn Store,
        project: Project,
        person: &'a Person<'a>,
        audience: Audience,
        event: Event,
    ) -> Self {
        Self {
            desk,
            person,
            store,
            project,
            event,
            audience,
            errand: Errand::default(),
            branch: None,
            settings: OnceCell::new(),
            off: OnceCell::new(),
            session: OnceCell::new(),
            records: OnceCell::new(),
            rules: OnceCell::new(),
            runs: OnceCell::new(),
            predecessors: OnceCell::new(),
            name: OnceCell::new(),
            kept_tasks: OnceCell::new(),
            tasks: OnceCell::new(),
            unread: OnceCell::new(),
            openings: OnceCell::new(),
            secret: OnceCell::new(),
        }
    }

    /// Goes by what somebody read who holds the session's log.
    pub(crate) fn with_records(self, records: Vec<Record>) -> Self {
        Self { records: OnceCell::from(records), ..self }
    }

    /// Says on which errand a subagent is sent.
    pub(crate) fn with_errand(self, errand: Errand) -> Self {
        Self { errand, ..self }
    }

    /// Says on which branch the reader works, where that is known better than by the place.
    pub(crate) fn with_branch(self, branch: Option<Branch>) -> Self {
        Self { branch, ..self }
    }

    /// Returns the host; `None` for a page.
    pub(crate) const fn host(&self) -> Option<Host> {
        self.audience.host
    }

    /// Returns what somebody says the reader is there for.
    pub(crate) fn stated_role(&self) -> Option<&str> {
        self.audience.role.as_deref()
    }

    /// Returns the word for the host in rules and sentences.
    pub(crate) fn host_word(&self) -> &'static str {
        self.audience.host.map_or("mail", Host::name)
    }

    /// Returns the clock.
    pub(crate) const fn clock(&self) -> Clock {
        self.desk.clock()
    }

    /// Returns the top of the worktree.
    pub(crate) fn root(&self) -> &Path {
        &self.desk.place().root
    }

    /// Returns the top of the worktree as a text; the event's directory where it is none.
    pub(crate) fn root_text(&self) -> &str {
        self.root().to_str().unwrap_or(&self.event.directory)
    }

    /// Returns the branch at hand.
    pub(crate) fn branch(&self) -> Option<Branch> {
        self.branch.clone().or_else(|| self.desk.branch())
    }

    /// Returns the settings.
    pub(crate) fn settings(&self) -> &Settings {
        self.settings.get_or_init(|| self.person.read_settings(self.desk))
    }

    /// Reports whether agents here get briefings at all.
    pub(crate) fn is_on(&self) -> bool {
        self.settings().context_is_on(self.root())
    }

    /// Reports whether a kind of fragment is switched off.
    pub(crate) fn is_off(&self, kind: FragmentKind) -> bool {
        let off = self.off.get_or_init(|| {
            let words = self.settings().context_off_sources();
            words.iter().filter_map(|word| FragmentKind::from_word(word)).collect()
        });
        off.contains(&kind)
    }

    /// Returns where skills are looked for.
    pub(crate) fn surroundings(&self) -> Surroundings<'a> {
        Surroundings {
            home: self.person.home.clone(),
            directory: self.event.directory.clone().into(),
            variable: self.person.variable,
            extra: self.settings().skills_extra_roots(),
        }
    }

    /// Returns what fences are made with.
    pub(crate) fn secret(&self) -> &InstallSecret {
        self.secret.get_or_init(|| secret::of(self.desk.data()))
    }

    /// Returns the session, once the store knows it.
    pub(crate) fn session(&self) -> Result<Option<&Session>, EngineError> {
        let session = once(&self.session, || match &self.audience.session {
            Some((host, host_id)) => Ok(self.store.session(host, host_id)?),
            None => Ok(None),
        })?;
        Ok(session.as_ref())
    }

    /// Returns the host's own id of the session, where there is one.
    pub(crate) fn host_session(&self) -> Option<&HostId> {
        self.audience.session.as_ref().map(|(_, host_id)| host_id)
    }

    /// Returns the name by which the reader is addressed: its own, or the one that it will have with its
    /// first command; `None` for somebody without a session.
    pub(crate) fn agent(&self) -> Result<Option<&AgentName>, EngineError> {
        if let Some(named) = &self.audience.agent {
            return Ok(Some(named));
        }
        if let Some(named) = self.session()?.and_then(|session| session.agent.as_ref()) {
            return Ok(Some(named));
        }
        let name = once(&self.name, || match &self.audience.session {
            Some((host, host_id)) => free_name(self.store, host, host_id).map(Some),
            None => Ok(None),
        })?;
        Ok(name.as_ref())
    }

    /// Returns the sessions whose work the reader continues, the latest first.
    pub(crate) fn predecessors(&self) -> Result<&[Session], EngineError> {
        let predecessors = once(&self.predecessors, || {
            let (Some((host, host_id)), None) = (&self.audience.session, &self.audience.agent)
            else {
                return Ok(Vec::new());
            };
            let now = self.clock().now();
            let begins = matches!(self.event.body, EventBody::SessionStart { source } if source != StartSource::Compact);
            let began = if begins { None } else { find_start(self.records()?) };
            let (store, data, project) = (self.store, self.desk.data(), self.project.id);
            let lineage = Lineage { store, data, project, host, host_id, now };
            lineage.find(began.unwrap_or(now), self.kept_tasks()?)
        })?;
        Ok(predecessors)
    }

    /// Returns the name of the agent whose unfinished tasks the reader continues, the latest of several.
    pub(crate) fn continued(&self) -> Result<Option<AgentName>, EngineError> {
        let names = names_of(self.predecessors()?);
        if names.is_empty() {
            return Ok(None);
        }
        let tasks = self.kept_tasks()?;
        let holds = |name: &AgentName| {
            tasks.iter().any(|task| !task.state.is_over() && task.assignee.as_ref() == Some(name))
        };
        Ok(names.into_iter().find(holds))
    }

    /// Returns what the log of the session says, as far back as anybody looks.
    pub(crate) fn records(&self) -> Result<&[Record], EngineError> {
        let records = once(&self.records, || match &self.audience.session {
            Some((host, host_id)) => {
                let logs = self.desk.data().logs();
                records_in(&logs.log_for(host.as_str(), host_id.as_str())?)
            }
            None => Ok(Vec::new()),
        })?;
        Ok(records)
    }

    /// Returns the epoch of the session's context, 0 before the first.
    pub(crate) fn epoch(&self) -> Result<u32, EngineError> {
        let known = self.session()?.map_or(0, |session| session.epoch);
        let seen = Standing::of(self.records()?).epoch();
        Ok(if seen > 0 { seen } else { known })
    }

    /// Returns the runs of workflows that are under way here.
    pub(crate) fn runs(&self) -> Result<&Runs, EngineError> {
        once(&self.runs, || {
            if !presence::has_runs(self.desk.data(), self.desk.place()) {
                return Ok(Runs::default());
            }
            let continued = self.predecessors()?.iter();
            let sessions: Vec<SessionId> =
                self.session()?.into_iter().chain(continued).map(|session| session.id).collect();
            Runs::read(self.store, &self.project, &sessions, self.agent()?)
        })
    }

    /// Returns the rules that are in force, with the gates of the runs.
    pub(crate) fn rules(&self) -> Result<&Loaded, EngineError> {
        once(&self.rules, || {
            let mut loaded = rules::load(self.desk, self.person.rules.as_deref())?;
            let runs = self.runs()?;
            if !runs.is_empty() {
                loaded.rules.rules.extend(runs.gates(&self.event, self.desk.place()));
            }
            Ok(loaded)
        })
    }

    /// Returns the tasks of the project as the store has them.
    fn kept_tasks(&self) -> Result<&[Task], EngineError> {
        Ok(once(&self.kept_tasks, || Ok(self.store.tasks(self.project.id)?))?)
    }

    /// Returns the tasks of the project, as the reader sees them: what a session left that it continues
    /// is its own.
    pub(crate) fn tasks(&self) -> Result<&[Task], EngineError> {
        Ok(once(&self.tasks, || {
            let mut tasks = self.kept_tasks()?.to_vec();
            let names = names_of(self.predecessors()?);
            if let Some(agent) = self.agent()?.filter(|_| !names.is_empty()) {
                pass_on(&mut tasks, &names, agent);
            }
            Ok(tasks)
        })?)
    }

    /// Returns the unread messages of the reader, the urgent ones with their bodies.
    pub(crate) fn unread(&self) -> Result<&Unread, EngineError> {
        once(&self.unread, || match self.agent()? {
            Some(agent) if !self.is_off(FragmentKind::MAIL) => {
                let before = names_of(self.predecessors()?);
                let names: Vec<AgentName> = [agent.clone()].into_iter().chain(before).collect();
                Unread::read(self.store, &self.project, &names, self.branch().as_ref())
            }
            Some(_) | None => Ok(Unread::default()),
        })
    }

    /// Returns the openings of gates that hold in the project.
    pub(crate) fn openings(&self) -> Result<&[Opening], EngineError> {
        Ok(once(&self.openings, || Ok(self.store.openings(self.project.id)?))?)
    }

    /// Returns where lines come from that are recorded now. A subagent has a context, and so a log, of
    /// its own.
    pub(crate) fn origin(&self) -> Result<Origin, EngineError> {
        Ok(Origin {
            at: self.clock().now(),
            host: self.host_name()?,
            host_id: self.context_id(),
            place: self.project.place.clone(),
            name: self.project.name.clone(),
        })
    }

    /// Returns the host's name as the store and the logs know it.
    pub(crate) fn host_name(&self) -> Result<HostName, EngineError> {
        Ok(HostName::parse(self.host_word())?)
    }

    /// Returns the id of the context that reads: that of the session, or of its subagent.
    pub(crate) fn context_id(&self) -> HostId {
        let session = &self.event.session;
        let subagent = self.event.own_subagent();
        let context = subagent.and_then(|agent| HostId::parse(&format!("{session}.{agent}")).ok());
        context.unwrap_or_else(|| session.clone())
    }

    /// Returns what the reader is there for, when it is a subagent. An agent that reviews or writes
    /// for a workflow has a role and a form of its own in its prompt, and does not do the task of the
    /// session.
    pub(crate) fn role(&self) -> Result<Option<Role>, EngineError> {
        let EventBody::SubagentStart { agent_type, .. } = &self.event.body else { return Ok(None) };
        let by_run = self.runs()?.agent_role().map(role_of);
        Ok(match (by_run, self.errand.role) {
            (Some(Role::Implementer), None | Some(Role::Other)) => Some(Role::Implementer),
            (Some(Role::Implementer) | None, Some(role)) => Some(role),
            (None, None) => Some(role_of(agent_type)),
            (
                Some(Role::Explorer | Role::Reviewer | Role::Planner | Role::Writer | Role::Other),
                _,
            ) => None,
        })
    }

    /// Returns what a subagent is asked, where that is known.
    pub(crate) fn errand_prompt(&self) -> Option<&str> {
        self.errand.prompt.as_deref()
    }

    /// Returns the task that the reader works on. A subagent reads of the one it was given and of no
    /// other.
    pub(crate) fn task_in<'f>(&self, forest: &Forest<'f>) -> Result<Option<&'f Task>, EngineError> {
        Ok(match (self.errand.given, self.role()?) {
            (Some(Given::Task(task)), _) => forest.get(task),
            (Some(Given::Unclear), _) | (None, Some(_)) => None,
            (None, None) => forest.current(self.agent()?),
        })
    }
}

/// Reads something once.
fn once<T>(
    cell: &OnceCell<T>,
    read: impl FnOnce() -> Result<T, EngineError>,
) -> Result<&T, EngineError> {
    if let Some(known) = cell.get() {
        return Ok(known);
    }
    let found = read()?;
    Ok(cell.get_or_init(|| found))
}
