//! The store: everything pacenote must not forget.
//!
//! One database, one door ([`open()`]), one way to write ([`Store::commit`]), and reads per
//! aggregate. A row acknowledged to a caller is committed and synced; a commit that is retried with
//! the same key adds nothing; order is by sequence, never by clock.
//!
//! Callers see the [`Store`] trait only, so that another engine can stand behind it. What every
//! engine must do is one suite, `pacenote_testkit::conformance`.
//!
//! This room must never start a process, print, or decide what should happen: it checks the guards
//! that effects carry and applies them.

mod backup;
mod error;
mod journal_body;
mod migrate;
mod open;
mod sqlite;
mod turns;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use pacenote_model::{
    AgentName, Aggregate, Applied, Artifact, Branch, CommitKey, Cue, Decision, Digest, Effect,
    Effects, HostId, HostName, IndexedSkill, KeptHandoff, KeptReceipt, KeptRun, KeptSetAside,
    Message, MessageId, Moment, Note, Number, Opening, Project, ProjectId, Reservation,
    ReservationId, RunEntry, Sequence, Session, SessionId, SkillChoice, SkillKey, Task, TaskFields,
    TaskId, TaskRef, ThreadId, Title, Trust, TrustedFile, Value, Wish,
};

use serde::{Deserialize, Serialize};

pub use backup::{Backup, Restored, WithoutBackup, backups, restore};
pub use error::StoreError;
pub use journal_body::UnreadableBody;
pub use migrate::{MIGRATIONS, Migration, SCHEMA};
pub use open::{Access, open, open_empty, open_in_passing, open_with};
pub use sqlite::Sqlite;

/// Where a store keeps its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    directory: PathBuf,
}

impl Place {
    /// Names the data directory; nothing is touched.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Returns the data directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the database file.
    pub fn database(&self) -> PathBuf {
        self.directory.join("pacenote.db")
    }

    /// Returns the lock that writers share and that a restore takes for itself.
    pub fn lock(&self) -> PathBuf {
        self.directory.join("pacenote.lock")
    }

    /// Returns the lock that a restore holds while it waits for writers; see `turns`.
    pub fn restore_lock(&self) -> PathBuf {
        self.directory.join("pacenote.restore.lock")
    }

    /// Returns the lock that serialises creation and migration.
    pub fn migration_lock(&self) -> PathBuf {
        self.directory.join("pacenote.migration.lock")
    }

    /// Returns the directory of backups.
    pub fn backups(&self) -> PathBuf {
        self.directory.join("backups")
    }
}

/// What a commit answers. A retry gets the same answer with `replayed` set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// What came of each effect, in order.
    pub applied: Vec<Applied>,
    /// The journal entry of the last effect.
    pub last: Sequence,
    /// Whether this key had been committed before, so that nothing was written now.
    pub replayed: bool,
}

/// An earlier commit, as its key remembers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// The digest of what the caller asked for.
    pub intent: Digest,
    /// What was answered.
    pub committed: Committed,
}

/// One entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the order of things.
    pub sequence: Sequence,
    pub project: ProjectId,
    /// When it happened.
    pub at: Moment,
    /// Who did it.
    pub actor: AgentName,
    /// How far the actor may be believed.
    pub trust: Trust,
    pub session: Option<SessionId>,
    /// The word of the aggregate that changed.
    pub aggregate: String,
    /// The word of the change.
    pub kind: String,
    /// The effect as JSON, in the form that [`Entry::effect`] knows by `version`.
    pub body: String,
    /// The key of its commit.
    pub key: String,
    pub version: u32,
    /// The installation that wrote it; empty where nobody noted that.
    pub origin: Vec<u8>,
    /// The commit in which it was written, unique among all installations; empty where nobody noted
    /// that.
    pub commit: Vec<u8>,
    /// Its place in that commit, counted from zero.
    pub place: u32,
    /// The tasks that it changed, as they were before.
    pub replaced: Vec<(TaskId, TaskFields)>,
}

impl Entry {
    /// Reads the effect, in whatever form it was written.
    pub fn effect(&self) -> Result<Effect, UnreadableBody> {
        journal_body::read(self.version, &self.aggregate, &self.kind, &self.body)
    }
}

/// A kind of entry: the aggregate that changed, and the word of the change.
pub type EntryKind<'a> = (Aggregate, &'a str);

/// What changed below a skill root since its index was saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillChanges {
    /// Whether everything known of the root is thrown away first.
    pub anew: bool,
    /// Files that are gone.
    pub gone: Vec<String>,
    /// Skills that are new or changed.
    pub found: Vec<FoundSkill>,
    /// The stamp of the root itself.
    pub own: Vec<u8>,
    /// The stamps of everything below the root.
    pub stamps: Vec<u8>,
}

/// A skill as it is handed to the index: what is listed, and by what it is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSkill {
    /// What is listed.
    pub skill: IndexedSkill,
    /// Everything it says it is for, in words.
    pub about: String,
    /// What calls it.
    pub cues: Vec<Cue>,
    /// Whether it says that it applies to everything.
    pub always: bool,
    /// Whom it is for; everybody when it does not say.
    pub audience: Vec<String>,
}

/// A skill that says it applies to everything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreSkill {
    /// The root below which it lies.
    pub root: String,
    pub key: SkillKey,
    /// What it says it is for.
    pub description: String,
    /// Whom it is for, in its author's words; everybody when it does not say.
    #[serde(default)]
    pub audience: Vec<String>,
}

/// Some skills by their names, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillNames {
    /// The skills: root, key, description.
    pub skills: Vec<(String, SkillKey, String)>,
    /// How many there are, counted up to a thousand.
    pub total: u32,
}

/// The lists of words in which skills are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkillList {
    /// Names and what the skills say they are for.
    Words,
    /// The same with the bodies.
    Bodies,
}

/// Words that skills are looked for by.
#[derive(Clone, Copy, Debug)]
pub struct SkillQuery<'a> {
    pub list: SkillList,
    /// Only skills below these roots.
    pub roots: &'a [String],
    /// The words: letters and digits only, in lower case.
    pub words: &'a [String],
    /// Words that stand side by side, which count for more together.
    pub pairs: &'a [(String, String)],
    /// At most so many, the best first.
    pub limit: u32,
}

/// What was found, with what is needed to judge it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkillMatches {
    /// How many skills the list has, whatever their root.
    pub documents: u64,
    /// In how many of these each word occurs, in the order of the query.
    pub frequencies: Vec<u64>,
    pub found: Vec<SkillMatch>,
}

/// A skill that has some of the words.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillMatch {
    /// Its file.
    pub path: String,
    /// How well it matches, the larger the better.
    pub score: f64,
    /// How well pairs of words match, zero when none does.
    pub pairs: f64,
    /// The places in the query of the words that it has.
    pub words: Vec<usize>,
}

/// Which part of the history of skills is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkillChoices {
    /// What was chosen in a session.
    InSession(SessionId),
    /// What was chosen for a task.
    ForTask(TaskId),
}

/// The body of a skill as it is handed to the list of bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillBody {
    /// Its file, which is indexed.
    pub path: String,
    pub name: String,
    /// Everything it says it is for, in words.
    pub about: String,
    pub body: String,
}

/// What stands behind the trait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The engine with its version, such as `SQLite 3.54.1`.
    pub engine: String,
    /// The schema version of the data.
    pub schema: u32,
}

/// Whose mail is wanted.
#[derive(Clone, Debug)]
pub struct InboxQuery<'a> {
    /// The project the agent works in.
    pub project: ProjectId,
    /// The names under which it is addressed.
    pub agents: &'a [AgentName],
    /// The branch it works on: mail for another branch of the same name is left out.
    pub branch: Option<&'a Branch>,
    /// Whether mail that was opened already is left out.
    pub unread_only: bool,
    /// At most so many, newest first.
    pub limit: u32,
}

/// Which of the last journal entries are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Lately<'a> {
    /// Whose.
    pub project: ProjectId,
    pub kinds: &'a [EntryKind<'a>],
    /// Only what was entered after this moment.
    pub since: Option<Moment>,
    /// Among so many entries of the project, so that one in which nothing happens costs no more than
    /// another.
    pub among: u32,
    /// At most so many.
    pub limit: usize,
}

/// How a caller may name a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageRef {
    /// `#7` of a project.
    Number(Number),
    /// The full id.
    Id(MessageId),
}

/// What every engine can do.
///
/// Reads see all commits that were acknowledged before they began.
pub trait Store {
    /// Applies all effects or none. The only way to write.
    fn commit(&mut self, effects: &Effects, key: &CommitKey) -> Result<Committed, StoreError>;

    /// Returns what an earlier commit of a project with this key was about, and its answer.
    fn earlier(&self, project: ProjectId, key: &CommitKey) -> Result<Option<Earlier>, StoreError>;

    /// Returns the last journal entry.
    fn last_entry(&self) -> Result<Sequence, StoreError>;

    /// Returns the project at a place.
    fn project_at(&self, place: &str) -> Result<Option<Project>, StoreError>;

    /// Returns all projects, by name.
    fn projects(&self) -> Result<Vec<Project>, StoreError>;

    /// Returns the names of the agents that have acted in a project.
    fn agents(&self, project: ProjectId) -> Result<Vec<AgentName>, StoreError>;

    /// Returns the session a host knows by this id.
    fn session(&self, host: &HostName, id: &HostId) -> Result<Option<Session>, StoreError>;

    /// Tells whether some session acts under this name, in whatever project.
    fn is_session_name(&self, name: &AgentName) -> Result<bool, StoreError>;

    /// Returns the sessions of a project, newest first.
    fn sessions(&self, project: ProjectId) -> Result<Vec<Session>, StoreError>;

    /// Returns the latest sessions of a project that are not subagents and bear no name that somebody
    /// gave them, newest first.
    fn own_sessions(&self, project: ProjectId, limit: u32) -> Result<Vec<Session>, StoreError>;

    /// Returns a task by any of its names; numbers are the project's own.
    fn task(&self, project: ProjectId, task: &TaskRef) -> Result<Option<Task>, StoreError>;

    /// Returns a task by its id, even a deleted one.
    fn task_ever(&self, id: TaskId) -> Result<Option<Task>, StoreError>;

    /// Returns the tasks of a project that are not deleted, by number.
    fn tasks(&self, project: ProjectId) -> Result<Vec<Task>, StoreError>;

    /// Returns what of a task changes, also of one that was deleted.
    fn task_fields(&self, task: TaskId) -> Result<Option<TaskFields>, StoreError>;

    /// Returns the notes on a task, oldest first.
    fn notes(&self, task: TaskId) -> Result<Vec<Note>, StoreError>;

    /// Returns envelopes (no bodies), newest first, each with its owner's delivery only.
    fn inbox(&self, query: &InboxQuery<'_>) -> Result<Vec<Message>, StoreError>;

    /// Returns a whole message with all its recipients.
    fn message(
        &self,
        project: ProjectId,
        message: MessageRef,
    ) -> Result<Option<Message>, StoreError>;

    /// Returns the envelopes of a thread, oldest first.
    fn thread(&self, thread: ThreadId) -> Result<Vec<Message>, StoreError>;

    /// Returns a reservation, even one that lapsed or was given back.
    fn reservation(&self, id: ReservationId) -> Result<Option<Reservation>, StoreError>;

    /// Returns the reservations of a project that are held at a moment, oldest first.
    fn reservations(&self, project: ProjectId, at: Moment) -> Result<Vec<Reservation>, StoreError>;

    /// Returns how far a session log was ingested. A log is named `id-file`; one whose id was damaged
    /// goes on where it ended under the id that it had.
    fn log_cursor(&self, log: &str) -> Result<u64, StoreError>;

    /// Returns the lines of session logs that were set aside, of all projects, oldest first.
    fn set_aside(&self) -> Result<Vec<KeptSetAside>, StoreError>;

    /// Returns the last journal entries of a project that are of some kinds, newest first.
    fn lately(&self, wanted: &Lately<'_>) -> Result<Vec<Entry>, StoreError>;

    /// Returns the journal after a sequence number, oldest first.
    fn journal(&self, after: Sequence, limit: u32) -> Result<Vec<Entry>, StoreError>;

    /// Returns the indexed skills below a root, by path.
    fn skills_in(&self, root: &str) -> Result<Vec<IndexedSkill>, StoreError>;

    /// Returns the indexed skills of a key, whatever their root, by path.
    fn skills_called(&self, key: &SkillKey) -> Result<Vec<IndexedSkill>, StoreError>;

    /// Returns the first skills below some roots, by key, nested agents left out, and how many there
    /// are in all.
    fn skill_names(&self, roots: &[String], limit: u32) -> Result<SkillNames, StoreError>;

    /// Returns the skills below some roots that say they apply to everything, by path.
    fn core_skills(&self, roots: &[String]) -> Result<Vec<CoreSkill>, StoreError>;

    /// Reports whether any indexed skill, whatever its root, says that it applies to everything.
    fn has_core_skills(&self) -> Result<bool, StoreError>;

    /// Returns the stamps of a root as they were saved.
    fn skill_stamps(&self, root: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Returns the stamp of a root itself as it was saved.
    fn skill_root_stamp(&self, root: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Brings the index of a root up to date. The index is a cache: it is not journalled, and what
    /// is lost of it is made again from the files.
    fn save_skills(&mut self, root: &str, changes: &SkillChanges) -> Result<(), StoreError>;

    /// Returns what calls the skills below some roots, by path.
    fn skill_cues(&self, roots: &[String]) -> Result<Vec<(String, Cue)>, StoreError>;

    /// Finds the skills that have some of the words.
    fn search_skills(&self, query: &SkillQuery<'_>) -> Result<SkillMatches, StoreError>;

    /// Returns the skills below some roots that are not in the list of bodies yet, by path.
    fn skills_without_body(&self, roots: &[String]) -> Result<Vec<String>, StoreError>;

    /// Adds to the list of bodies. A skill that is not indexed any more is passed over.
    fn save_bodies(&mut self, bodies: &[SkillBody]) -> Result<(), StoreError>;

    /// Returns the skills that were chosen in a session, or for a task, oldest first.
    fn skill_choices(&self, asked: SkillChoices) -> Result<Vec<SkillChoice>, StoreError>;

    /// Returns what a session was told, oldest first.
    fn receipts(&self, session: SessionId) -> Result<Vec<KeptReceipt>, StoreError>;

    /// Returns the receipts of a project in which an item of this id stands, or a part of it
    /// (`id#part`), the newest first.
    fn receipts_with(
        &self,
        project: ProjectId,
        item: &str,
        limit: u32,
    ) -> Result<Vec<KeptReceipt>, StoreError>;

    /// Keeps the texts behind the digests of parts. Like the texts of skills they are not journalled.
    fn keep_told(&mut self, texts: &[(Digest, String)], at: Moment) -> Result<(), StoreError>;

    /// Returns the text behind the digest of a part, if it is still kept.
    fn told(&self, digest: &Digest) -> Result<Option<String>, StoreError>;

    /// Throws away the texts that were kept before a moment, and returns how many.
    fn forget_told(&mut self, before: Moment) -> Result<u64, StoreError>;

    /// Keeps the bytes behind a digest. Content is its own history: this is not journalled.
    fn keep_text(&mut self, digest: &Digest, bytes: &[u8]) -> Result<(), StoreError>;

    /// Returns the bytes behind a digest, if they were kept.
    fn text(&self, digest: &Digest) -> Result<Option<Vec<u8>>, StoreError>;

    /// Returns what the person approved in a project: references and digests.
    fn approvals(&self, project: ProjectId) -> Result<Vec<(String, Digest)>, StoreError>;

    /// Tells whether the person took the project's own skills into use.
    fn is_taken(&self, project: ProjectId) -> Result<bool, StoreError>;

    /// Returns the files of a project that the person trusts.
    fn trusted_files(&self, project: ProjectId) -> Result<Vec<TrustedFile>, StoreError>;

    /// Returns the gates of a project that the person opened.
    fn openings(&self, project: ProjectId) -> Result<Vec<Opening>, StoreError>;

    /// Returns the variables of a session.
    fn variables(
        &self,
        project: ProjectId,
        session: SessionId,
    ) -> Result<BTreeMap<String, Value>, StoreError>;

    /// Returns what an agent is there for in a project, where somebody said so.
    fn agent_role(
        &self,
        project: ProjectId,
        agent: &AgentName,
    ) -> Result<Option<Title>, StoreError>;

    /// Returns the files that rules noted in a session, by name and path.
    fn artifacts(
        &self,
        project: ProjectId,
        session: SessionId,
    ) -> Result<Vec<Artifact>, StoreError>;

    /// Returns what hooks wished for in a project and nobody has done yet.
    fn wishes(&self, project: ProjectId) -> Result<Vec<Wish>, StoreError>;

    /// Returns what sessions of a project left behind and nobody took, the newest first.
    fn handoffs(&self, project: ProjectId) -> Result<Vec<KeptHandoff>, StoreError>;

    /// Returns what a session left behind, taken or not.
    fn handoff(
        &self,
        project: ProjectId,
        session: SessionId,
    ) -> Result<Option<KeptHandoff>, StoreError>;

    /// Returns the number that the next run of a project gets, if nobody is faster.
    fn next_run(&self, project: ProjectId) -> Result<Number, StoreError>;

    /// Returns the runs of a project that are under way, by their numbers.
    fn runs(&self, project: ProjectId) -> Result<Vec<KeptRun>, StoreError>;

    /// Returns the runs of a project that are over, by their numbers.
    fn past_runs(&self, project: ProjectId) -> Result<Vec<KeptRun>, StoreError>;

    /// Returns a run, over or not.
    fn run(&self, project: ProjectId, number: Number) -> Result<Option<KeptRun>, StoreError>;

    /// Returns what happened to a run, in order.
    fn run_entries(&self, project: ProjectId, number: Number) -> Result<Vec<RunEntry>, StoreError>;

    /// Returns the decisions of a project, in order.
    fn decisions(&self, project: ProjectId) -> Result<Vec<Decision>, StoreError>;

    /// Returns what is wrong with the stored data; nothing when all is well.
    fn check(&self) -> Result<Vec<String>, StoreError>;

    /// Returns the engine's name and version, and the schema of the data.
    fn describe(&self) -> Result<Description, StoreError>;

    /// Copies the data to where backups are kept, leaving the newest `keep` copies; `None` where
    /// the engine's own operators see to that.
    fn back_up(&self, at: Moment, keep: usize) -> Result<Option<Backup>, StoreError>;
}
