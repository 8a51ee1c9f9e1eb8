//! One commit: the key, the effects, the journal.

use pacenote_model::{
    AgentName, Aggregate, Applied, CommitKey, Digest, Effect, Effects, Number, ProjectEffect,
    ProjectId, Refusal, Sequence, SessionId, Side, TaskFields, TaskId, Trust, limits,
};
use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;

use super::{
    facts, mail, receipts,
    rows::{Cells, Id, collect},
    runs, sessions, skills, tasks,
};
use crate::{Committed, Earlier, Entry, Lately, error::Fault, journal_body};

/// What every effect of a commit shares, and the journal entry of the one being applied.
pub(super) struct Scene<'a> {
    pub(super) connection: &'a Connection,
    pub(super) effects: &'a Effects,
    pub(super) sequence: Sequence,
}

/// What tells the entries of a commit from all others, wherever they are read.
///
/// One transaction may hold shared and local changes. They are two commits, because a team gets the
/// one and never the other.
struct Marks {
    origin: Vec<u8>,
    /// The ids that were given out, and how many entries each has.
    commits: Vec<(Side, [u8; 16], u32)>,
}

impl Marks {
    fn read(connection: &Connection) -> Result<Self, Fault> {
        let origin: String = connection
            .prepare_cached("SELECT value FROM fact WHERE project = ?1 AND kind = 'installation'")?
            .query_row([NOBODY], |row| row.get(0))?;
        let origin = Uuid::try_parse(&origin).map_err(|_| Fault::Odd("fact.installation"))?;
        Ok(Self { origin: origin.into_bytes().to_vec(), commits: Vec::new() })
    }

    /// Returns the commit of the next entry on a side, and its place there, counted from zero.
    fn next(&mut self, connection: &Connection, side: Side) -> Result<([u8; 16], u32), Fault> {
        if let Some((_, id, count)) = self.commits.iter_mut().find(|(known, ..)| *known == side) {
            *count += 1;
            return Ok((*id, *count - 1));
        }
        let id = connection
            .prepare_cached("SELECT randomblob(16)")?
            .query_row([], |row| row.get::<_, [u8; 16]>(0))?;
        self.commits.push((side, id, 1));
        Ok((id, 0))
    }
}

/// Under what facts stand that belong to no project.
const NOBODY: [u8; 16] = [0; 16];

impl Scene<'_> {
    /// Counts the next `#N` of a kind in the project.
    pub(super) fn next_number(&self, kind: &str) -> Result<Number, Fault> {
        let number = self
            .connection
            .prepare_cached(
                "INSERT INTO counter (project, kind, last) VALUES (?1, ?2, 1)
                 ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last",
            )?
            .query_row(params![Id(self.effects.project.uuid()), kind], |row| row.get(0))?;
        Ok(Number::new(number))
    }

    /// Remembers that an agent has acted here. Reserved names are nobody's agent.
    pub(super) fn agent_acts(&self, agent: &AgentName) -> Result<(), Fault> {
        if !agent.is_reserved() {
            self.connection
                .prepare_cached(
                    "INSERT OR IGNORE INTO agent (project, name, since) VALUES (?1, ?2, ?3)",
                )?
                .execute(params![
                    Id(self.effects.project.uuid()),
                    agent.as_str(),
                    self.effects.at.millis()
                ])?;
        }
        Ok(())
    }
}

/// Applies the effects inside the caller's transaction, or returns the earlier answer of the key.
pub(super) fn commit(
    connection: &Connection,
    effects: &Effects,
    key: &CommitKey,
) -> Result<Committed, Fault> {
    if effects.list.len() > limits::EFFECTS_PER_COMMIT {
        let most = limits::EFFECTS_PER_COMMIT;
        return Err(Refusal::TooMany { what: "effects in one commit", most }.into());
    }
    if let Some(earlier) = earlier(connection, effects.project, key)? {
        if earlier.intent != effects.intent {
            return Err(Fault::KeyReused(key.as_str().into()));
        }
        return Ok(Committed { replayed: true, ..earlier.committed });
    }
    if let Some(sequence) = effects.tasks_as_of
        && tasks_changed(connection, effects.project, sequence)?
    {
        return Err(Refusal::TasksChanged.into());
    }
    let mut applied = Vec::with_capacity(effects.list.len());
    let mut last = Sequence::START;
    let mut marks = Marks::read(connection)?;
    for effect in &effects.list {
        last = next_sequence(connection)?;
        let scene = Scene { connection, effects, sequence: last };
        let replaced = tasks::read_replaced(&scene, effect)?;
        let answer = apply(&scene, effect)?;
        let replaced = tasks::note_replaced(&scene, effect, replaced)?;
        let project = answer.project().unwrap_or(effects.project);
        write_journal(&scene, project, effect, &Row { key, replaced }, &mut marks)?;
        applied.push(answer);
    }
    // A commit that only makes a project known may have been given another id than it has.
    if !matches!(effects.list.as_slice(), [Effect::Project(ProjectEffect::Seen { .. })]) {
        Scene { connection, effects, sequence: last }.agent_acts(&effects.by.name)?;
    }
    let answer = serde_json::to_string(&applied).map_err(|_| Fault::Odd("commit_key.applied"))?;
    connection
        .prepare_cached(
            "INSERT INTO commit_key (project, key, intent, last, applied)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            Id(effects.project.uuid()),
            key.as_str(),
            effects.intent.to_string(),
            last.get(),
            answer
        ])?;
    Ok(Committed { applied, last, replayed: false })
}

/// Returns the answer of an earlier commit with this key.
pub(super) fn earlier(
    connection: &Connection,
    project: ProjectId,
    key: &CommitKey,
) -> Result<Option<Earlier>, Fault> {
    let found: Option<(String, u64, String)> = connection
        .prepare_cached(
            "SELECT intent, last, applied FROM commit_key WHERE project = ?1 AND key = ?2",
        )?
        .query_row(params![Id(project.uuid()), key.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    let Some((intent, last, applied)) = found else { return Ok(None) };
    let applied = serde_json::from_str(&applied).map_err(|_| Fault::Odd("commit_key.applied"))?;
    let committed = Committed { applied, last: Sequence::new(last), replayed: true };
    // An older program kept the words themselves.
    let intent = Digest::parse(&intent)
        .unwrap_or_else(|_| Digest::new(*blake3::hash(intent.as_bytes()).as_bytes()));
    Ok(Some(Earlier { intent, committed }))
}

/// Tells whether a task of the project changed after a journal entry.
fn tasks_changed(
    connection: &Connection,
    project: ProjectId,
    since: Sequence,
) -> Result<bool, Fault> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM journal
             WHERE project = ?1 AND seq > ?2 AND aggregate IN (?3, '') LIMIT 1",
        )?
        // An entry that does not say its aggregate was written by an older program: it counts.
        .exists(params![Id(project.uuid()), since.get(), Aggregate::Task.word()])?)
}

/// Returns the last journal entry.
pub(super) fn last(connection: &Connection) -> Result<Sequence, Fault> {
    let next = next_sequence(connection)?;
    Ok(Sequence::new(next.get().saturating_sub(1)))
}

/// Returns the sequence the next journal row will get: one past the greatest ever given.
fn next_sequence(connection: &Connection) -> Result<Sequence, Fault> {
    let last: Option<u64> = connection
        .prepare_cached("SELECT seq FROM sqlite_sequence WHERE name = 'journal'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(Sequence::new(last.unwrap_or(0) + 1))
}

/// What stands in the journal beside an effect.
struct Row<'r> {
    key: &'r CommitKey,
    /// The tasks that it changed, as they were before.
    replaced: Vec<(TaskId, TaskFields)>,
}

fn write_journal(
    scene: &Scene<'_>,
    project: ProjectId,
    effect: &Effect,
    row: &Row<'_>,
    marks: &mut Marks,
) -> Result<(), Fault> {
    let effects = scene.effects;
    let body = journal_body::write(effect).map_err(|_| Fault::Odd("journal.body"))?;
    let aggregate = effect.aggregate();
    let side = aggregate.side();
    let (commit, place) = marks.next(scene.connection, side)?;
    let replaced = match row.replaced.as_slice() {
        [] => String::new(),
        some => serde_json::to_string(some).map_err(|_| Fault::Odd("journal.replaced"))?,
    };
    scene
        .connection
        .prepare_cached(
            "INSERT INTO journal (seq, project, at, actor, trust, session, kind, body, key,
                                  version, aggregate, side, origin, commit_id, place, intent,
                                  replaced)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
        )?
        .execute(params![
            scene.sequence.get(),
            Id(project.uuid()),
            effects.at.millis(),
            effects.by.name.as_str(),
            effects.by.trust.word(),
            effects.by.session.map(|session| Id(session.uuid())),
            effect.kind(),
            body,
            row.key.as_str(),
            journal_body::VERSION,
            aggregate.word(),
            side.word(),
            marks.origin,
            commit,
            place,
            effects.intent.bytes(),
            replaced,
        ])?;
    Ok(())
}

fn apply(scene: &Scene<'_>, effect: &Effect) -> Result<Applied, Fault> {
    match effect {
        Effect::Project(effect) => sessions::apply_project(scene, effect),
        Effect::Session(effect) => sessions::apply(scene, effect),
        Effect::Agent(effect) => facts::apply_agent(scene, effect),
        Effect::Task(effect) => tasks::apply(scene, effect),
        Effect::Mail(effect) => mail::apply(scene, effect),
        Effect::Reservation(effect) => mail::apply_reservation(scene, effect),
        Effect::Skill(effect) => skills::apply(scene, effect),
        Effect::Receipt(effect) => receipts::apply(scene, effect),
        Effect::Rule(effect) => facts::apply_rule(scene, effect),
        Effect::Handoff(effect) => facts::apply_handoff(scene, effect),
        Effect::Wish(effect) => facts::apply_wish(scene, effect),
        Effect::Run(effect) => runs::apply(scene, effect),
        Effect::Log(effect) => sessions::apply_log(scene, effect),
    }
}

/// The columns of an entry, in the order in which [`entry`] reads them; those of older schemas first.
const COLUMNS: &str = "seq, project, at, actor, trust, session, kind, body, key";
const NEWER_COLUMNS: &str = "version, aggregate, origin, commit_id, place, replaced";

/// The schema that brought the newer columns.
const WITH_COMMITS: u32 = 5;

/// Returns the columns of an entry in a schema; a hook that serves an older one reads what its entries
/// are known to be.
fn columns(schema: u32) -> String {
    let newer = if schema < WITH_COMMITS { "0, '', x'', x'', 0, ''" } else { NEWER_COLUMNS };
    format!("{COLUMNS}, {newer}")
}

/// Reads the last entries of a project that are of some kinds. They are looked at from the newest on,
/// by the index of the project, and only the bodies of those that are wanted are read.
pub(super) fn lately(
    connection: &Connection,
    schema: u32,
    wanted: &Lately<'_>,
) -> Result<Vec<Entry>, Fault> {
    let mut statement = connection.prepare(&format!(
        "SELECT {} FROM journal WHERE project = ?1 ORDER BY seq DESC LIMIT ?2",
        columns(schema)
    ))?;
    let mut rows = statement.query(params![Id(wanted.project.uuid()), wanted.among])?;
    let mut found = Vec::new();
    while found.len() < wanted.limit {
        let Some(row) = rows.next()? else { break };
        let at: i64 = row.get(2)?;
        if wanted.since.is_some_and(|since| at <= since.millis()) {
            break;
        }
        let kind = row.get_ref(6)?.as_str().map_err(|_| Fault::Odd("journal.kind"))?;
        let aggregate = row.get_ref(10)?.as_str().map_err(|_| Fault::Odd("journal.aggregate"))?;
        let (aggregate, kind) = journal_body::words_of(aggregate, kind);
        if wanted.kinds.iter().any(|wanted| (wanted.0.word(), wanted.1) == (aggregate, kind)) {
            found.push(entry(&mut Cells::of(row))?);
        }
    }
    Ok(found)
}

/// Reads the journal after a sequence number.
pub(super) fn journal(
    connection: &Connection,
    schema: u32,
    after: Sequence,
    limit: u32,
) -> Result<Vec<Entry>, Fault> {
    let mut statement = connection.prepare(&format!(
        "SELECT {} FROM journal WHERE seq > ?1 ORDER BY seq LIMIT ?2",
        columns(schema)
    ))?;
    collect(statement.query(params![after.get(), limit])?, entry)
}

/// Says of entries whose effect cannot be read why that is, of at most so many.
pub(super) fn unreadable(
    connection: &Connection,
    schema: u32,
    most: usize,
) -> Result<Vec<String>, Fault> {
    let mut statement =
        connection.prepare(&format!("SELECT {} FROM journal ORDER BY seq", columns(schema)))?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while found.len() < most {
        let Some(row) = rows.next()? else { break };
        let entry = entry(&mut Cells::of(row))?;
        let complaint = |error| format!("journal entry {}: {error}", entry.sequence.get());
        found.extend(entry.effect().err().map(complaint));
    }
    Ok(found)
}

fn entry(cells: &mut Cells<'_>) -> Result<Entry, Fault> {
    let sequence = Sequence::new(cells.value()?);
    let project = cells.id(ProjectId::new)?;
    let at = cells.moment()?;
    let actor = cells.text("journal.actor", AgentName::parse)?;
    let trust = cells.word("journal.trust", Trust::from_word)?;
    let session = cells.id_if_any(SessionId::new)?;
    let (kind, body, key): (String, String, String) =
        (cells.value()?, cells.value()?, cells.value()?);
    let (version, aggregate): (u32, String) = (cells.value()?, cells.value()?);
    let (aggregate, kind) = journal_body::words_of(&aggregate, &kind);
    Ok(Entry {
        sequence,
        project,
        at,
        actor,
        trust,
        session,
        aggregate: aggregate.to_owned(),
        kind: kind.to_owned(),
        body,
        key,
        version,
        origin: cells.value()?,
        commit: cells.value()?,
        place: cells.value()?,
        replaced: cells.text("journal.replaced", |text| match text {
            "" => Ok(Vec::new()),
            text => serde_json::from_str(text),
        })?,
    })
}
