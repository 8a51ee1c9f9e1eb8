//! The SQLite engine behind the [`Store`] trait.
//!
//! What a process asks once is prepared and thrown away, not kept in the cache: SQLite makes a
//! statement that may live long out of single allocations, one for now out of memory it has set
//! aside, with half the work.

mod commit;
mod facts;
mod mail;
mod receipts;
mod rows;
mod runs;
mod search;
mod sessions;
mod skills;
mod tasks;

use std::collections::BTreeMap;

use pacenote_model::{
    AgentName, Artifact, CommitKey, Cue, Decision, Digest, Effects, HostId, HostName, IndexedSkill,
    KeptHandoff, KeptReceipt, KeptRun, KeptSetAside, Message, Moment, Note, Number, Opening,
    Project, ProjectId, Reservation, ReservationId, RunEntry, Sequence, Session, SessionId,
    SkillChoice, SkillKey, Task, TaskFields, TaskId, TaskRef, ThreadId, Title, TrustedFile, Value,
    Wish,
};
use rusqlite::{Connection, TransactionBehavior};

use crate::{
    Backup, Committed, CoreSkill, Description, Earlier, Entry, InboxQuery, Lately, MessageRef,
    Place, SkillBody, SkillChanges, SkillChoices, SkillMatches, SkillNames, SkillQuery, Store,
    StoreError, backup, error::Fault, open::InUse,
};

/// Problems reported by one check; a file that is broken through and through has thousands.
const PROBLEMS_REPORTED: usize = 20;

/// An open SQLite store.
#[derive(Debug)]
pub struct Sqlite {
    // The order matters: the connection is closed before the lock is given back.
    connection: Connection,
    place: Place,
    schema: u32,
    _in_use: InUse,
}

/// The schema that brought facts.
const WITH_FACTS: u32 = 4;

impl Sqlite {
    pub(crate) const fn new(
        connection: Connection,
        place: Place,
        schema: u32,
        in_use: InUse,
    ) -> Self {
        Self { connection, place, schema, _in_use: in_use }
    }

    /// Reads facts; a hook that serves the schema before them finds none.
    fn read_facts<T: Default>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        if self.schema < WITH_FACTS { Ok(T::default()) } else { self.read(work) }
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, StoreError> {
        work(&self.connection).map_err(|fault| fault.at(&self.place.database()))
    }

    /// Runs `work` in a transaction that holds the write lock from its first statement: a deferred
    /// one that reads first and writes later fails when another process wrote in between.
    fn write<T>(
        &mut self,
        work: impl FnOnce(&Connection) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        let path = self.place.database();
        self.connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(Fault::from)
            .and_then(|transaction| {
                let answer = work(&transaction)?;
                transaction.commit()?;
                Ok(answer)
            })
            .map_err(|fault| fault.at(&path))
    }
}

impl Store for Sqlite {
    fn commit(&mut self, effects: &Effects, key: &CommitKey) -> Result<Committed, StoreError> {
        self.write(|connection| commit::commit(connection, effects, key))
    }

    fn earlier(&self, project: ProjectId, key: &CommitKey) -> Result<Option<Earlier>, StoreError> {
        self.read(|connection| commit::earlier(connection, project, key))
    }

    fn last_entry(&self) -> Result<Sequence, StoreError> {
        self.read(last_entry)
    }

    fn project_at(&self, place: &str) -> Result<Option<Project>, StoreError> {
        self.read(|connection| sessions::project_at(connection, place))
    }

    fn projects(&self) -> Result<Vec<Project>, StoreError> {
        self.read(sessions::projects)
    }

    fn agents(&self, project: ProjectId) -> Result<Vec<AgentName>, StoreError> {
        self.read(|connection| sessions::agents(connection, project))
    }

    fn session(&self, host: &HostName, id: &HostId) -> Result<Option<Session>, StoreError> {
        self.read(|connection| sessions::session(connection, host, id))
    }

    fn is_session_name(&self, name: &AgentName) -> Result<bool, StoreError> {
        self.read(|connection| sessions::is_session_name(connection, name))
    }

    fn sessions(&self, project: ProjectId) -> Result<Vec<Session>, StoreError> {
        self.read(|connection| sessions::sessions(connection, project))
    }

    fn own_sessions(&self, project: ProjectId, limit: u32) -> Result<Vec<Session>, StoreError> {
        self.read(|connection| sessions::own_sessions(connection, project, limit))
    }

    fn task(&self, project: ProjectId, task: &TaskRef) -> Result<Option<Task>, StoreError> {
        self.read(|connection| tasks::find(connection, project, task))
    }

    fn task_ever(&self, id: TaskId) -> Result<Option<Task>, StoreError> {
        self.read(|connection| tasks::ever(connection, id))
    }

    fn tasks(&self, project: ProjectId) -> Result<Vec<Task>, StoreError> {
        self.read(|connection| tasks::of_project(connection, project))
    }

    fn task_fields(&self, task: TaskId) -> Result<Option<TaskFields>, StoreError> {
        self.read(|connection| tasks::fields_of(connection, task))
    }

    fn notes(&self, task: TaskId) -> Result<Vec<Note>, StoreError> {
        self.read(|connection| tasks::notes(connection, task))
    }

    fn inbox(&self, query: &InboxQuery<'_>) -> Result<Vec<Message>, StoreError> {
        self.read(|connection| mail::inbox(connection, query))
    }

    fn message(
        &self,
        project: ProjectId,
        message: MessageRef,
    ) -> Result<Option<Message>, StoreError> {
        self.read(|connection| mail::message(connection, project, message))
    }

    fn thread(&self, thread: ThreadId) -> Result<Vec<Message>, StoreError> {
        self.read(|connection| mail::thread(connection, thread))
    }

    fn reservation(&self, id: ReservationId) -> Result<Option<Reservation>, StoreError> {
        self.read(|connection| mail::reservation(connection, id))
    }

    fn reservations(&self, project: ProjectId, at: Moment) -> Result<Vec<Reservation>, StoreError> {
        self.read(|connection| mail::reservations(connection, project, at))
    }

    fn log_cursor(&self, log: &str) -> Result<u64, StoreError> {
        self.read(|connection| sessions::log_cursor(connection, log))
    }

    fn set_aside(&self) -> Result<Vec<KeptSetAside>, StoreError> {
        self.read_facts(facts::all_set_aside)
    }

    fn lately(&self, wanted: &Lately<'_>) -> Result<Vec<Entry>, StoreError> {
        self.read(|connection| commit::lately(connection, self.schema, wanted))
    }

    fn journal(&self, after: Sequence, limit: u32) -> Result<Vec<Entry>, StoreError> {
        self.read(|connection| commit::journal(connection, self.schema, after, limit))
    }

    fn skills_in(&self, root: &str) -> Result<Vec<IndexedSkill>, StoreError> {
        self.read(|connection| skills::in_root(connection, root))
    }

    fn skills_called(&self, key: &SkillKey) -> Result<Vec<IndexedSkill>, StoreError> {
        self.read(|connection| skills::called(connection, key))
    }

    fn skill_names(&self, roots: &[String], limit: u32) -> Result<SkillNames, StoreError> {
        self.read(|connection| skills::names(connection, roots, limit))
    }

    fn core_skills(&self, roots: &[String]) -> Result<Vec<CoreSkill>, StoreError> {
        self.read_facts(|connection| facts::core_skills(connection, roots))
    }

    fn has_core_skills(&self) -> Result<bool, StoreError> {
        self.read_facts(facts::has_core_skills)
    }

    fn skill_stamps(&self, root: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(|connection| skills::stamps(connection, root))
    }

    fn skill_root_stamp(&self, root: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(|connection| skills::own_stamp(connection, root))
    }

    fn save_skills(&mut self, root: &str, changes: &SkillChanges) -> Result<(), StoreError> {
        self.write(|connection| skills::save(connection, root, changes))
    }

    fn skill_cues(&self, roots: &[String]) -> Result<Vec<(String, Cue)>, StoreError> {
        self.read(|connection| search::cues(connection, roots))
    }

    fn search_skills(&self, query: &SkillQuery<'_>) -> Result<SkillMatches, StoreError> {
        self.read(|connection| search::matches(connection, query))
    }

    fn skills_without_body(&self, roots: &[String]) -> Result<Vec<String>, StoreError> {
        self.read(|connection| search::without_body(connection, roots))
    }

    fn save_bodies(&mut self, bodies: &[SkillBody]) -> Result<(), StoreError> {
        self.write(|connection| search::save_bodies(connection, bodies))
    }

    fn skill_choices(&self, asked: SkillChoices) -> Result<Vec<SkillChoice>, StoreError> {
        self.read(|connection| skills::choices(connection, asked))
    }

    fn receipts(&self, session: SessionId) -> Result<Vec<KeptReceipt>, StoreError> {
        self.read(|connection| receipts::of_session(connection, session))
    }

    fn receipts_with(
        &self,
        project: ProjectId,
        item: &str,
        limit: u32,
    ) -> Result<Vec<KeptReceipt>, StoreError> {
        self.read(|connection| receipts::with_item(connection, project, item, limit))
    }

    fn keep_told(&mut self, texts: &[(Digest, String)], at: Moment) -> Result<(), StoreError> {
        self.write(|connection| receipts::keep_told(connection, texts, at))
    }

    fn told(&self, digest: &Digest) -> Result<Option<String>, StoreError> {
        self.read(|connection| receipts::told(connection, digest))
    }

    fn forget_told(&mut self, before: Moment) -> Result<u64, StoreError> {
        self.write(|connection| receipts::forget_told(connection, before))
    }

    fn keep_text(&mut self, digest: &Digest, bytes: &[u8]) -> Result<(), StoreError> {
        self.write(|connection| skills::keep_text(connection, digest, bytes))
    }

    fn text(&self, digest: &Digest) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(|connection| skills::text(connection, digest))
    }

    fn approvals(&self, project: ProjectId) -> Result<Vec<(String, Digest)>, StoreError> {
        self.read(|connection| skills::approvals(connection, project))
    }

    fn is_taken(&self, project: ProjectId) -> Result<bool, StoreError> {
        self.read(|connection| skills::is_taken(connection, project))
    }

    fn trusted_files(&self, project: ProjectId) -> Result<Vec<TrustedFile>, StoreError> {
        self.read_facts(|connection| facts::trusted_files(connection, project))
    }

    fn openings(&self, project: ProjectId) -> Result<Vec<Opening>, StoreError> {
        self.read_facts(|connection| facts::openings(connection, project))
    }

    fn variables(
        &self,
        project: ProjectId,
        session: SessionId,
    ) -> Result<BTreeMap<String, Value>, StoreError> {
        self.read_facts(|connection| facts::variables(connection, project, session))
    }

    fn agent_role(
        &self,
        project: ProjectId,
        agent: &AgentName,
    ) -> Result<Option<Title>, StoreError> {
        self.read_facts(|connection| facts::agent_role(connection, project, agent))
    }

    fn artifacts(
        &self,
        project: ProjectId,
        session: SessionId,
    ) -> Result<Vec<Artifact>, StoreError> {
        self.read_facts(|connection| facts::artifacts(connection, project, session))
    }

    fn wishes(&self, project: ProjectId) -> Result<Vec<Wish>, StoreError> {
        self.read_facts(|connection| facts::wishes(connection, project))
    }

    fn handoffs(&self, project: ProjectId) -> Result<Vec<KeptHandoff>, StoreError> {
        self.read_facts(|connection| facts::handoffs(connection, project))
    }

    fn handoff(
        &self,
        project: ProjectId,
        session: SessionId,
    ) -> Result<Option<KeptHandoff>, StoreError> {
        self.read_facts(|connection| facts::handoff(connection, project, session))
    }

    fn next_run(&self, project: ProjectId) -> Result<Number, StoreError> {
        self.read(|connection| runs::next(connection, project))
    }

    fn runs(&self, project: ProjectId) -> Result<Vec<KeptRun>, StoreError> {
        self.read_facts(|connection| runs::under_way(connection, project))
    }

    fn past_runs(&self, project: ProjectId) -> Result<Vec<KeptRun>, StoreError> {
        self.read_facts(|connection| runs::past(connection, project))
    }

    fn run(&self, project: ProjectId, number: Number) -> Result<Option<KeptRun>, StoreError> {
        self.read_facts(|connection| runs::find(connection, project, number))
    }

    fn run_entries(&self, project: ProjectId, number: Number) -> Result<Vec<RunEntry>, StoreError> {
        self.read_facts(|connection| runs::entries(connection, project, number))
    }

    fn decisions(&self, project: ProjectId) -> Result<Vec<Decision>, StoreError> {
        self.read_facts(|connection| runs::decisions(connection, project))
    }

    fn check(&self) -> Result<Vec<String>, StoreError> {
        self.read(|connection| {
            let found = problems(connection)?;
            // What a file says that is not sound means nothing.
            if !found.is_empty() {
                return Ok(found);
            }
            commit::unreadable(connection, self.schema, PROBLEMS_REPORTED)
        })
    }

    fn describe(&self) -> Result<Description, StoreError> {
        let schema = self.read(crate::migrate::version)?;
        Ok(Description { engine: format!("SQLite {}", rusqlite::version()), schema })
    }

    fn back_up(&self, at: Moment, keep: usize) -> Result<Option<Backup>, StoreError> {
        backup::back_up(&self.connection, &self.place, at, keep).map(Some)
    }
}

/// Returns the last journal entry.
pub(crate) fn last_entry(connection: &Connection) -> Result<Sequence, Fault> {
    commit::last(connection)
}

/// Asks the engine whether the file is sound: pages, indexes, that every reference leads somewhere,
/// and that nothing of the schema is missing.
pub(crate) fn problems(connection: &Connection) -> Result<Vec<String>, Fault> {
    let missing = crate::migrate::missing_parts(connection)?.into_iter().take(PROBLEMS_REPORTED);
    let mut found: Vec<String> = missing.map(|part| format!("{part} is missing")).collect();
    let mut check = connection.prepare("PRAGMA integrity_check")?;
    for line in check.query_map([], |row| row.get::<_, String>(0))?.take(PROBLEMS_REPORTED) {
        // The first problem has a headline that names the database, of which there is one.
        let is_problem = |line: &&str| *line != "ok" && !line.starts_with("*** in database ");
        found.extend(line?.lines().filter(is_problem).map(str::to_owned));
    }
    let mut references = connection.prepare("PRAGMA foreign_key_check")?;
    for table in references.query_map([], |row| row.get::<_, String>(0))?.take(PROBLEMS_REPORTED) {
        found.push(format!("a row of `{}` refers to nothing", table?));
    }
    Ok(found)
}
