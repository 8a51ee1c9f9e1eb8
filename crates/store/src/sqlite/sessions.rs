//! Projects, agents, sessions and the cursors of their logs.

use pacenote_model::{
    AgentName, Applied, HostId, HostName, LogEffect, Moment, Number, Project, ProjectEffect,
    ProjectId, Refusal, Session, SessionEffect, SessionId, SessionStatus,
};
use rusqlite::{Connection, OptionalExtension, params};

use super::{
    commit::Scene,
    facts,
    rows::{Cells, Id, collect, first},
    skills,
};
use crate::error::Fault;

/// One sight of a session.
pub(super) struct Sight<'a> {
    pub(super) id: SessionId,
    pub(super) host: &'a HostName,
    pub(super) host_id: &'a HostId,
    pub(super) parent: Option<SessionId>,
    pub(super) agent: Option<&'a AgentName>,
    pub(super) transcript: Option<&'a str>,
    pub(super) seen: Moment,
    pub(super) new_epoch: bool,
}

/// Applies a change of a project.
pub(super) fn apply_project(scene: &Scene<'_>, effect: &ProjectEffect) -> Result<Applied, Fault> {
    match effect {
        ProjectEffect::Seen { project } => see_project(scene, project),
        ProjectEffect::Enabled {} => skills::take_project(scene),
    }
}

/// Applies a change of a session.
pub(super) fn apply(scene: &Scene<'_>, effect: &SessionEffect) -> Result<Applied, Fault> {
    match effect {
        SessionEffect::Seen { id, host, host_id, parent, agent, transcript, seen, new_epoch } => {
            let sight = Sight {
                id: *id,
                host,
                host_id,
                parent: *parent,
                agent: agent.as_ref(),
                transcript: transcript.as_deref(),
                seen: *seen,
                new_epoch: *new_epoch,
            };
            see_session(scene, &sight)
        }
        SessionEffect::Moved { session, to } => move_session(scene, *session, *to),
        SessionEffect::Marked { host, host_id, to } => {
            match session(scene.connection, host, host_id)? {
                Some(session) => move_session(scene, session.id, *to),
                None => Ok(Applied::Noted),
            }
        }
        SessionEffect::Named { session, agent } => name_session(scene, *session, agent),
        SessionEffect::VariableSet { host, host_id, variable, value } => {
            facts::set_variable(scene, (host, host_id), variable, value)
        }
        SessionEffect::ArtifactCaptured { host, host_id, artifact } => {
            facts::capture(scene, (host, host_id), artifact)
        }
        // The journal is all there is of them.
        SessionEffect::Observed { .. }
        | SessionEffect::Dispatched { .. }
        | SessionEffect::Refused { .. } => Ok(Applied::Noted),
    }
}

/// Applies what becomes known of a session log.
pub(super) fn apply_log(scene: &Scene<'_>, effect: &LogEffect) -> Result<Applied, Fault> {
    match effect {
        LogEffect::Ingested { log, from, to } => ingest_log(scene, log, *from, *to),
        LogEffect::Cut { log, from, to } => cut_log(scene, log, *from, *to),
        LogEffect::SetAside { lines } => facts::set_aside(scene, lines),
        LogEffect::SetAsideDropped { number } => facts::drop_set_aside(scene, *number),
    }
}

/// Makes a project known, or finds it by its place.
pub(super) fn see_project(scene: &Scene<'_>, project: &Project) -> Result<Applied, Fault> {
    if let Some(known) = project_at(scene.connection, &project.place)? {
        // What else is in the commit was decided for the id that the caller had made up.
        if known.id != scene.effects.project && scene.effects.list.len() > 1 {
            return Err(Refusal::ProjectKnown { id: known.id }.into());
        }
        return Ok(Applied::Project { id: known.id });
    }
    scene
        .connection
        .prepare_cached("INSERT INTO project (id, place, name, since) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![
            Id(project.id.uuid()),
            project.place,
            project.name,
            project.since.millis()
        ])?;
    Ok(Applied::Project { id: project.id })
}

/// Makes a session known, or brings its last sight up to date.
pub(super) fn see_session(scene: &Scene<'_>, sight: &Sight<'_>) -> Result<Applied, Fault> {
    if let Some(agent) = sight.agent {
        scene.agent_acts(agent)?;
    }
    let epochs = u32::from(sight.new_epoch);
    if let Some(known) = session(scene.connection, sight.host, sight.host_id)? {
        // A session that is heard of again is active, whatever was thought of it before.
        scene
            .connection
            .prepare_cached(
                "UPDATE session SET status = 'active', epoch = epoch + ?2,
                     agent = COALESCE(agent, ?3), transcript = COALESCE(?4, transcript),
                     parent = COALESCE(parent, ?5), last_seen = MAX(last_seen, ?6)
                 WHERE id = ?1",
            )?
            .execute(params![
                Id(known.id.uuid()),
                epochs,
                sight.agent.map(AgentName::as_str),
                sight.transcript,
                sight.parent.map(|parent| Id(parent.uuid())),
                sight.seen.millis(),
            ])?;
        return Ok(Applied::Session { id: known.id });
    }
    let number = scene.next_number("session")?;
    scene
        .connection
        .prepare_cached(
            "INSERT INTO session (id, project, number, host, host_id, parent, agent, status, epoch,
                 transcript, first_seen, last_seen)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'active', ?8, ?9, ?10, ?10)",
        )?
        .execute(params![
            Id(sight.id.uuid()),
            Id(scene.effects.project.uuid()),
            number.get(),
            sight.host.as_str(),
            sight.host_id.as_str(),
            sight.parent.map(|parent| Id(parent.uuid())),
            sight.agent.map(AgentName::as_str),
            epochs,
            sight.transcript,
            sight.seen.millis(),
        ])?;
    Ok(Applied::Session { id: sight.id })
}

/// Changes a session's status.
pub(super) fn move_session(
    scene: &Scene<'_>,
    session: SessionId,
    to: SessionStatus,
) -> Result<Applied, Fault> {
    let changed = scene
        .connection
        .prepare_cached("UPDATE session SET status = ?2 WHERE id = ?1")?
        .execute(params![Id(session.uuid()), to.word()])?;
    found(changed, session)
}

/// Gives a session the name under which it acts.
pub(super) fn name_session(
    scene: &Scene<'_>,
    session: SessionId,
    agent: &AgentName,
) -> Result<Applied, Fault> {
    scene.agent_acts(agent)?;
    let changed = scene
        .connection
        .prepare_cached("UPDATE session SET agent = ?2 WHERE id = ?1")?
        .execute(params![Id(session.uuid()), agent.as_str()])?;
    found(changed, session)
}

fn found(changed: usize, session: SessionId) -> Result<Applied, Fault> {
    if changed == 0 {
        return Err(Refusal::UnknownSession.into());
    }
    Ok(Applied::Session { id: session })
}

/// Moves a log's cursor forward, if it still stands where the caller found it.
pub(super) fn ingest_log(
    scene: &Scene<'_>,
    log: &str,
    from: u64,
    to: u64,
) -> Result<Applied, Fault> {
    let at = log_cursor(scene.connection, log)?;
    if at != from || to < from {
        return Err(Refusal::CursorMoved { log: log.into(), at }.into());
    }
    put_cursor(scene.connection, log, to)
}

/// Moves the cursor of a log that was cut back to its end, if it still stands where the caller found
/// it.
pub(super) fn cut_log(scene: &Scene<'_>, log: &str, from: u64, to: u64) -> Result<Applied, Fault> {
    let at = log_cursor(scene.connection, log)?;
    if at != from || from < to {
        return Err(Refusal::CursorMoved { log: log.into(), at }.into());
    }
    put_cursor(scene.connection, log, to)
}

fn put_cursor(connection: &Connection, log: &str, at: u64) -> Result<Applied, Fault> {
    connection
        .prepare_cached(
            "INSERT INTO log_cursor (log, at) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET at = ?2",
        )?
        .execute(params![log, at])?;
    Ok(Applied::Log)
}

/// Returns how far a log was ingested.
///
/// A log is known by its id and its file, as `id-file`. Where nothing is known of it, its header may
/// have been damaged since it was known by another id: then it goes on where that one ended, and no
/// line counts twice.
pub(super) fn log_cursor(connection: &Connection, log: &str) -> Result<u64, Fault> {
    let at: Option<u64> = connection
        .prepare_cached("SELECT at FROM log_cursor WHERE log = ?1")?
        .query_row([log], |row| row.get(0))
        .optional()?;
    if let Some(at) = at {
        return Ok(at);
    }
    let Some((id, file)) = log.split_once('-') else { return Ok(0) };
    let mut same_file = connection.prepare_cached(
        "SELECT substr (log, 1, instr (log, '-') - 1), at FROM log_cursor
         WHERE substr (log, instr (log, '-') + 1) = ?1",
    )?;
    let known = collect(same_file.query([file])?, |cells| {
        Ok((cells.value::<String>()?, cells.value::<u64>()?))
    })?;
    let same_log = known.into_iter().filter(|(known, _)| is_damaged(id, known));
    Ok(same_log.map(|(_, at)| at).max().unwrap_or(0))
}

/// Most digits in which a damaged id differs from what it was. Ids of two logs differ in far more:
/// they are random.
const DAMAGED_DIGITS: usize = 2;

/// Reports whether an id is what damage made of a known one: nothing, or nearly the same.
fn is_damaged(id: &str, known: &str) -> bool {
    let differing = id.bytes().zip(known.bytes()).filter(|(one, other)| one != other).count();
    id.is_empty() || (id.len() == known.len() && differing <= DAMAGED_DIGITS)
}

const PROJECT: &str = "SELECT id, place, name, since FROM project";

pub(super) fn project_at(connection: &Connection, place: &str) -> Result<Option<Project>, Fault> {
    let mut statement = connection.prepare_cached(&format!("{PROJECT} WHERE place = ?1"))?;
    first(statement.query([place])?, project)
}

pub(super) fn projects(connection: &Connection) -> Result<Vec<Project>, Fault> {
    let mut statement = connection.prepare_cached(&format!("{PROJECT} ORDER BY name, place"))?;
    collect(statement.query([])?, project)
}

fn project(cells: &mut Cells<'_>) -> Result<Project, Fault> {
    Ok(Project {
        id: cells.id(ProjectId::new)?,
        place: cells.value()?,
        name: cells.value()?,
        since: cells.moment()?,
    })
}

pub(super) fn agents(connection: &Connection, project: ProjectId) -> Result<Vec<AgentName>, Fault> {
    let mut statement =
        connection.prepare_cached("SELECT name FROM agent WHERE project = ?1 ORDER BY name")?;
    collect(statement.query([Id(project.uuid())])?, |cells| {
        cells.text("agent.name", AgentName::parse)
    })
}

const SESSION: &str = "SELECT id, number, project, host, host_id, parent, agent, status, epoch, \
                       transcript, first_seen, last_seen FROM session";

pub(super) fn session(
    connection: &Connection,
    host: &HostName,
    host_id: &HostId,
) -> Result<Option<Session>, Fault> {
    let mut statement =
        connection.prepare_cached(&format!("{SESSION} WHERE host = ?1 AND host_id = ?2"))?;
    first(statement.query([host.as_str(), host_id.as_str()])?, session_cells)
}

pub(super) fn is_session_name(connection: &Connection, name: &AgentName) -> Result<bool, Fault> {
    Ok(connection
        .prepare_cached("SELECT 1 FROM session WHERE agent = ?1 LIMIT 1")?
        .exists([name.as_str()])?)
}

pub(super) fn sessions(connection: &Connection, project: ProjectId) -> Result<Vec<Session>, Fault> {
    let mut statement =
        connection.prepare_cached(&format!("{SESSION} WHERE project = ?1 ORDER BY number DESC"))?;
    collect(statement.query([Id(project.uuid())])?, session_cells)
}

/// Reads the sessions of a project that were not started by another one and are named after their
/// host, the newest first.
pub(super) fn own_sessions(
    connection: &Connection,
    project: ProjectId,
    limit: u32,
) -> Result<Vec<Session>, Fault> {
    // A subagent is known by the id of its context, which begins with that of its session.
    let mut statement = connection.prepare_cached(&format!(
        "{SESSION} WHERE project = ?1 AND NOT EXISTS (
             SELECT 1 FROM session AS above WHERE above.id = session.parent
             AND instr(session.host_id, above.host_id || '.') = 1)
         AND (agent IS NULL OR instr(agent, host || '-') = 1)
         ORDER BY number DESC LIMIT ?2"
    ))?;
    collect(statement.query(params![Id(project.uuid()), limit])?, session_cells)
}

fn session_cells(cells: &mut Cells<'_>) -> Result<Session, Fault> {
    Ok(Session {
        id: cells.id(SessionId::new)?,
        number: Number::new(cells.value()?),
        project: cells.id(ProjectId::new)?,
        host: cells.text("session.host", HostName::parse)?,
        host_id: cells.text("session.host_id", HostId::parse)?,
        parent: cells.id_if_any(SessionId::new)?,
        agent: cells.text_if_any("session.agent", AgentName::parse)?,
        status: cells.word("session.status", SessionStatus::from_word)?,
        epoch: cells.value()?,
        transcript: cells.value()?,
        first_seen: cells.moment()?,
        last_seen: cells.moment()?,
    })
}
