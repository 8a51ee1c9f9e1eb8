//! The one commit door: every change of the journal passes here, whoever asks for it.
//!
//! It takes secrets out, answers a request that was granted before, makes a new project known in the
//! same commit as what is done in it, marks it for hooks, and keeps the backup. It never decides what
//! to write, and nobody else calls `Store::commit`: `clippy.toml`.

use std::{
    cell::{Cell, RefCell},
    path::{Path, PathBuf},
};

use pacenote_model::{
    Actor, AgentName, CommitKey, Digest, Effect, Effects, Moment, Project, ProjectEffect,
    ProjectId, Refusal, Sequence, Trust,
};
use pacenote_skill::digest::digest_of;
use pacenote_store::{Committed, Store, StoreError};

use crate::{Clock, Data, EngineError, presence, secrets};

/// Tries at a commit whose project another process may be making known at the same time.
const TRIES: usize = 3;

/// A wish to write, as its caller may repeat it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The idempotency key.
    pub key: CommitKey,
    /// What is wished for, in words that are the same on a retry.
    pub intent: String,
}

impl Request {
    /// Returns a wish that nobody will repeat.
    pub fn once(clock: Clock) -> Result<Self, EngineError> {
        Ok(Self::keyed(fresh_key(clock)?))
    }

    /// Returns a wish that the key alone says.
    pub(crate) const fn keyed(key: CommitKey) -> Self {
        Self { key, intent: String::new() }
    }
}

/// How often the store is copied, and how many copies are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackupRule {
    /// Hours after which the newest copy is too old.
    pub hours: u32,
    /// Copies that are kept.
    pub keep: usize,
}

/// What commits did besides, for the face to report.
#[derive(Debug, Default)]
pub struct Upkeep {
    rule: Cell<Option<BackupRule>>,
    secrets: Cell<usize>,
    backup: RefCell<Option<Result<(), EngineError>>>,
}

impl Upkeep {
    /// Copies the store after commits from now on, when the newest copy is too old.
    pub fn keep_backups(&self, rule: BackupRule) {
        self.rule.set(Some(rule));
    }

    /// Returns how many secrets were kept out of what was committed.
    pub fn secrets(&self) -> usize {
        self.secrets.get()
    }

    /// Returns what became of the last backup, if one was due, and forgets it.
    pub fn take_backup(&self) -> Option<Result<(), EngineError>> {
        self.backup.borrow_mut().take()
    }
}

/// What is committed.
pub(crate) struct Entry {
    /// The project; one that is new comes with the effect that makes it known.
    pub(crate) project: ProjectId,
    /// Who acts.
    pub(crate) by: Actor,
    /// When.
    pub(crate) at: Moment,
    /// As what it may be repeated.
    pub(crate) request: Request,
    /// Journal entry after which no task may have changed.
    pub(crate) tasks_as_of: Option<Sequence>,
    /// The file that tells hooks that the project is used; `None` when they know.
    pub(crate) mark: Option<PathBuf>,
    /// What must be made known first.
    pub(crate) unknown: Vec<Effect>,
    /// What is done.
    pub(crate) list: Vec<Effect>,
}

impl Entry {
    /// Returns an entry of our own, which nobody else asked for.
    pub(crate) fn of_system(
        project: ProjectId,
        request: Request,
        list: Vec<Effect>,
        clock: Clock,
    ) -> Self {
        let by = Actor { name: AgentName::unknown(), trust: Trust::System, session: None };
        let (at, unknown) = (clock.now(), Vec::new());
        Self { project, by, at, request, tasks_as_of: None, mark: None, unknown, list }
    }
}

/// What became of an entry.
pub(crate) struct Entered {
    /// The project, by the id under which the store knows it.
    pub(crate) project: ProjectId,
    /// What the store answered, without what had to be made known first.
    pub(crate) committed: Committed,
}

/// A store that is written to.
pub struct Journal<'s> {
    store: &'s mut dyn Store,
    data: &'s Data,
    clock: Clock,
    upkeep: Option<&'s Upkeep>,
}

impl<'s> Journal<'s> {
    /// Opens the door to a store.
    pub fn new(store: &'s mut dyn Store, data: &'s Data, clock: Clock) -> Self {
        Self { store, data, clock, upkeep: None }
    }

    /// Reports what commits do besides.
    pub(crate) fn with_upkeep(self, upkeep: &'s Upkeep) -> Self {
        Self { upkeep: Some(upkeep), ..self }
    }

    /// Returns the store, for reading.
    pub fn store(&self) -> &dyn Store {
        self.store
    }

    /// Returns the store for what is no commit: caches, and the texts behind digests.
    pub(crate) fn store_mut(&mut self) -> &mut dyn Store {
        self.store
    }

    /// Returns where the user's data lies.
    pub(crate) const fn data(&self) -> &'s Data {
        self.data
    }

    /// Returns the clock.
    pub(crate) const fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the answer of the same request, if it was granted before.
    ///
    /// A use case asks this before it looks at anything: after the first try the things it would
    /// look at may be gone.
    pub(crate) fn earlier(
        &self,
        project: ProjectId,
        request: &Request,
    ) -> Result<Option<Committed>, EngineError> {
        let Some(earlier) = self.store.earlier(project, &request.key)? else { return Ok(None) };
        if earlier.intent != digest_of_intent(&request.intent) {
            return Err(StoreError::KeyReused { key: request.key.to_string() }.into());
        }
        Ok(Some(earlier.committed))
    }

    /// Commits an entry.
    pub(crate) fn commit(&mut self, entry: Entry) -> Result<Entered, EngineError> {
        let Entry { project, by, at, request, tasks_as_of, mark, unknown, list } = entry;
        let wanted = list.len();
        let mut count = 0;
        let list = unknown.into_iter().chain(list);
        let list = list.map(|effect| secrets::out_of(effect, &mut count)).collect();
        let intent = digest_of_intent(&request.intent);
        let mut effects = Effects { project, by, at, intent, tasks_as_of, list };
        for _ in 0..TRIES {
            match commit_now(self.store, &effects, &request.key) {
                Ok(mut committed) => {
                    let project = committed.applied.iter().find_map(|applied| applied.project());
                    // The caller asked for its own effects, not for what was made known with them.
                    let known_first = committed.applied.len().saturating_sub(wanted);
                    committed.applied.drain(..known_first);
                    self.keep_up(mark.as_deref(), count);
                    let project = project.unwrap_or(effects.project);
                    return Ok(Entered { project, committed });
                }
                // Another process made the project known in the same moment. A decision about all
                // tasks was then a decision about none of them, and is the caller's to take again.
                Err(StoreError::Refused(Refusal::ProjectKnown { id })) if tasks_as_of.is_none() => {
                    effects.project = id;
                    effects.list.retain(|effect| {
                        !matches!(effect, Effect::Project(ProjectEffect::Seen { .. }))
                    });
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(Refusal::ProjectKnown { id: effects.project }.into())
    }

    /// Returns the project at a place, and makes it known when it is new.
    pub(crate) fn project_at(&mut self, place: &str, name: &str) -> Result<Project, EngineError> {
        if let Some(project) = self.store.project_at(place)? {
            return Ok(project);
        }
        let (place, name) = (place.to_owned(), name.to_owned());
        let id = ProjectId::new(self.clock.fresh());
        let project = Project { id, place, name, since: self.clock.now() };
        let list = vec![Effect::Project(ProjectEffect::Seen { project: project.clone() })];
        let entry = Entry::of_system(id, Request::once(self.clock)?, list, self.clock);
        // Another process may have been first; then the project has the id it was given there.
        let id = self.commit(entry)?.project;
        Ok(Project { id, ..project })
    }

    /// Does what follows a commit. What was committed stays committed, so nothing here fails it.
    fn keep_up(&self, mark: Option<&Path>, secrets: usize) {
        if let Some(mark) = mark {
            // The next command tries again.
            presence::note(mark).ok();
        }
        let Some(upkeep) = self.upkeep else { return };
        upkeep.secrets.set(upkeep.secrets.get() + secrets);
        if let Some(rule) = upkeep.rule.get() {
            let made = back_up_if_due(self.store, self.data, rule, self.clock.now()).transpose();
            if made.is_some() {
                upkeep.backup.replace(made);
            }
        }
    }
}

/// Returns the digest of what a caller asks for, which is all that is kept of it. A secret in it is
/// taken out first: who can read the digest could guess a short one.
pub(crate) fn digest_of_intent(intent: &str) -> Digest {
    digest_of(secrets::without(intent).0.as_bytes())
}

#[expect(clippy::disallowed_methods, reason = "this is the one commit door")]
fn commit_now(
    store: &mut dyn Store,
    effects: &Effects,
    key: &CommitKey,
) -> Result<Committed, StoreError> {
    store.commit(effects, key)
}

/// Copies the store when the newest copy is too old; `None` when it is not.
fn back_up_if_due(
    store: &dyn Store,
    data: &Data,
    rule: BackupRule,
    now: Moment,
) -> Result<Option<()>, EngineError> {
    // A copy from the future, made by a wrong clock, says nothing about the present.
    let copies = pacenote_store::backups(&data.store())?;
    let newest = copies.into_iter().find(|backup| backup.at <= now);
    let minutes = rule.hours.saturating_mul(60);
    if newest.is_some_and(|backup| backup.at.plus_minutes(minutes) > now) {
        return Ok(None);
    }
    store.back_up(now, rule.keep)?;
    Ok(Some(()))
}

pub(crate) fn fresh_key(clock: Clock) -> Result<CommitKey, EngineError> {
    Ok(CommitKey::parse(&clock.fresh().to_string())?)
}
