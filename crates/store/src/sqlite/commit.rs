//! One commit: the key, the effects, the journal.

use pacenote_model::{
    AgentName, Applied, CommitKey, Effect, Effects, Number, ProjectId, Refusal, Sequence,
    SessionId, Trust, limits,
};
use rusqlite::{Connection, OptionalExtension, params};

use super::{
    facts, mail, receipts,
    rows::{Cells, Id, collect},
    runs, sessions, skills, tasks,
};
use crate::{Committed, Earlier, Entry, Lately, error::Fault};

/// What every effect of a commit shares, and the journal entry of the one being applied.
pub(super) struct Scene<'a> {
    pub(super) connection: &'a Connection,
    pub(super) effects: &'a Effects,
    pub(super) sequence: Sequence,
}

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
    for effect in &effects.list {
        last = next_sequence(connection)?;
        let scene = Scene { connection, effects, sequence: last };
        let answer = apply(&scene, effect)?;
        let project = answer.project().unwrap_or(effects.project);
        write_journal(&scene, project, effect, key)?;
        applied.push(answer);
    }
    // A commit that only makes a project known may have been given another id than it has.
    if !matches!(effects.list.as_slice(), [Effect::ProjectSeen { .. }]) {
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
            effects.intent,
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
            "SELECT 1 FROM journal WHERE project = ?1 AND seq > ?2 AND kind LIKE 'task_%' LIMIT 1",
        )?
        .exists(params![Id(project.uuid()), since.get()])?)
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

fn write_journal(
    scene: &Scene<'_>,
    project: ProjectId,
    effect: &Effect,
    key: &CommitKey,
) -> Result<(), Fault> {
    let effects = scene.effects;
    let body = serde_json::to_string(effect).map_err(|_| Fault::Odd("journal.body"))?;
    scene
        .connection
        .prepare_cached(
            "INSERT INTO journal (seq, project, at, actor, trust, session, kind, body, key)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
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
            key.as_str(),
        ])?;
    Ok(())
}

fn apply(scene: &Scene<'_>, effect: &Effect) -> Result<Applied, Fault> {
    match effect {
        Effect::ProjectSeen { project } => sessions::see_project(scene, project),
        Effect::SessionSeen { id, host, host_id, parent, agent, transcript, seen, new_epoch } => {
            let sight = sessions::Sight {
                id: *id,
                host,
                host_id,
                parent: *parent,
                agent: agent.as_ref(),
                transcript: transcript.as_deref(),
                seen: *seen,
                new_epoch: *new_epoch,
            };
            sessions::see_session(scene, &sight)
        }
        Effect::SessionMoved { session, to } => sessions::move_session(scene, *session, *to),
        Effect::SessionMarked { host, host_id, to } => {
            match sessions::session(scene.connection, host, host_id)? {
                Some(session) => sessions::move_session(scene, session.id, *to),
                None => Ok(Applied::Noted),
            }
        }
        Effect::SessionNamed { session, agent } => sessions::name_session(scene, *session, agent),
        Effect::TaskAdded { task } => tasks::add(scene, task),
        Effect::TaskClaimed { task, agent } => tasks::claim(scene, *task, agent),
        Effect::TaskPassed { task, from, to } => tasks::pass_on(scene, *task, from, to),
        Effect::TaskMoved { task, verb, reason } => {
            tasks::move_to(scene, *task, *verb, reason.as_ref())
        }
        Effect::TaskWaits { task, on } => tasks::wait_on(scene, *task, *on),
        Effect::TaskNoted { task, text } => tasks::note(scene, *task, text),
        Effect::TaskRevised { task, title, section, rank } => {
            tasks::revise(scene, *task, title, section.as_ref(), *rank)
        }
        Effect::TaskDeleted { task } => tasks::delete(scene, *task),
        Effect::MailSent { message } => mail::send(scene, message),
        Effect::MailStepped { message, agent, branch, step } => {
            mail::step(scene, *message, agent, branch.as_ref(), *step)
        }
        Effect::PathReserved { reservation } => mail::reserve(scene, reservation),
        Effect::PathReleased { reservation } => mail::release(scene, *reservation),
        Effect::ProjectTaken {} => skills::take_project(scene),
        Effect::SkillApproved { reference, digest } => skills::approve(scene, reference, *digest),
        Effect::SkillChosen { task, reference, digest, rule, reason } => {
            skills::choose(scene, *task, &skills::Chosen { reference, digest, rule, reason })
        }
        Effect::SkillInjected {
            host,
            host_id,
            at,
            agent,
            task,
            reference,
            digest,
            rule,
            reason,
        } => {
            let injected = skills::Injected { session: (host, host_id), agent, at: *at };
            let chosen = skills::Chosen { reference, digest, rule, reason };
            skills::inject(scene, *task, &chosen, &injected)
        }
        Effect::ReceiptOffered { host, host_id, offered, receipt } => {
            receipts::offer(scene, host, host_id, *offered, receipt)
        }
        Effect::ReceiptPrinted { host, host_id, emission, part } => {
            receipts::print(scene, host, host_id, emission, *part)
        }
        Effect::FileTrusted { file } => facts::trust(scene, file),
        Effect::FileDistrusted { path } => facts::distrust(scene, path),
        Effect::GateOpened { opening } => facts::open_gate(scene, opening),
        Effect::GateUsed { opening } => facts::use_opening(scene, *opening),
        Effect::GateClosed { rule } => facts::close_gate(scene, rule),
        Effect::VariableSet { host, host_id, variable, value } => {
            facts::set_variable(scene, (host, host_id), variable, value)
        }
        Effect::HandoffWritten { host, host_id, handoff, completes } => {
            facts::leave(scene, (host, host_id), handoff, *completes)
        }
        Effect::HandoffTaken { session, by } => facts::take(scene, *session, by),
        Effect::HandoffReturned { session, by } => facts::give_back(scene, *session, by),
        Effect::ArtifactCaptured { host, host_id, artifact } => {
            facts::capture(scene, (host, host_id), artifact)
        }
        // The journal is all there is of them.
        Effect::Observed { .. } | Effect::Dispatched { .. } | Effect::Refused { .. } => {
            Ok(Applied::Noted)
        }
        Effect::RoleGiven { agent, role } => facts::give_role(scene, agent, role.as_ref()),
        Effect::Wished { wish } => facts::wish(scene, wish),
        Effect::WishSettled { wish } => facts::settle(scene, *wish),
        Effect::RunBegun { run, entries, card } => runs::begin(scene, run, entries, card),
        Effect::RunMoved { run, from, entries, result, card } => {
            let moved = runs::Moved { run, from: *from, entries, result: *result, card };
            runs::advance(scene, &moved)
        }
        Effect::DecisionTaken { decision } => runs::decide(scene, decision),
        Effect::LogIngested { log, from, to } => sessions::ingest_log(scene, log, *from, *to),
        Effect::LogCut { log, from, to } => sessions::cut_log(scene, log, *from, *to),
        Effect::LinesSetAside { lines } => facts::set_aside(scene, lines),
        Effect::SetAsideDropped { number } => facts::drop_set_aside(scene, *number),
    }
}

/// Reads the last entries of a project that are of some kinds. They are looked at from the newest on,
/// by the index of the project, and only the bodies of those that are wanted are read.
pub(super) fn lately(connection: &Connection, wanted: &Lately<'_>) -> Result<Vec<Entry>, Fault> {
    let mut statement = connection.prepare(
        "SELECT seq, project, at, actor, trust, session, kind, body, key FROM journal
         WHERE project = ?1 ORDER BY seq DESC LIMIT ?2",
    )?;
    let mut rows = statement.query(params![Id(wanted.project.uuid()), wanted.among])?;
    let mut found = Vec::new();
    while found.len() < wanted.limit {
        let Some(row) = rows.next()? else { break };
        let at: i64 = row.get(2)?;
        if wanted.since.is_some_and(|since| at <= since.millis()) {
            break;
        }
        let kind = row.get_ref(6)?.as_str().map_err(|_| Fault::Odd("journal.kind"))?;
        if wanted.kinds.contains(&kind) {
            found.push(entry(&mut Cells::of(row))?);
        }
    }
    Ok(found)
}

/// Reads the journal after a sequence number.
pub(super) fn journal(
    connection: &Connection,
    after: Sequence,
    limit: u32,
) -> Result<Vec<Entry>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT seq, project, at, actor, trust, session, kind, body, key
         FROM journal WHERE seq > ?1 ORDER BY seq LIMIT ?2",
    )?;
    collect(statement.query(params![after.get(), limit])?, entry)
}

fn entry(cells: &mut Cells<'_>) -> Result<Entry, Fault> {
    Ok(Entry {
        sequence: Sequence::new(cells.value()?),
        project: cells.id(ProjectId::new)?,
        at: cells.moment()?,
        actor: cells.text("journal.actor", AgentName::parse)?,
        trust: cells.word("journal.trust", Trust::from_word)?,
        session: cells.id_if_any(SessionId::new)?,
        kind: cells.value()?,
        body: cells.value()?,
        key: cells.value()?,
    })
}
