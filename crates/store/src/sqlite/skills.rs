//! The index of skills, and what the person approved.

use pacenote_model::{
    AgentName, Applied, Digest, HostId, HostName, IndexedSkill, Moment, ProjectId, SessionId,
    SkillChoice, SkillEffect, SkillKey, SkillName, TaskId,
};
use rusqlite::{Connection, OptionalExtension, params};

use super::{
    commit::Scene,
    facts, receipts,
    rows::{Cells, Id, collect},
    search, tasks,
};
use crate::{SkillChanges, SkillChoices, SkillNames, error::Fault};

const SKILL: &str = "SELECT path, root, key, name, description, agent_of, version, digest, tokens, \
                     modified, findings FROM skill_file";

pub(super) fn in_root(connection: &Connection, root: &str) -> Result<Vec<IndexedSkill>, Fault> {
    let mut statement =
        connection.prepare_cached(&format!("{SKILL} WHERE root = ?1 ORDER BY path"))?;
    collect(statement.query([root])?, skill)
}

pub(super) fn called(connection: &Connection, key: &SkillKey) -> Result<Vec<IndexedSkill>, Fault> {
    let mut statement =
        connection.prepare_cached(&format!("{SKILL} WHERE key = ?1 ORDER BY path"))?;
    collect(statement.query([key.as_str()])?, skill)
}

fn skill(cells: &mut Cells<'_>) -> Result<IndexedSkill, Fault> {
    Ok(IndexedSkill {
        path: cells.value()?,
        root: cells.value()?,
        key: cells.text("skill_file.key", SkillKey::parse)?,
        name: cells.text("skill_file.name", SkillName::parse)?,
        description: cells.value()?,
        agent_of: cells.text_if_any("skill_file.agent_of", SkillKey::parse)?,
        version: cells.value()?,
        digest: Digest::new(cells.value()?),
        tokens: cells.value()?,
        modified: cells.value()?,
        findings: cells.value()?,
    })
}

/// Most skills that are counted: past that nobody wants to know how many more there are.
const COUNTED: u32 = 1000;

pub(super) fn names(
    connection: &Connection,
    roots: &[String],
    limit: u32,
) -> Result<SkillNames, Fault> {
    if roots.is_empty() {
        // The host lists all skills by itself, which is usual: a hook need not ask for none.
        return Ok(SkillNames::default());
    }
    let roots = serde_json::Value::from(roots).to_string();
    let mut statement = connection.prepare_cached(
        "SELECT root, key, description FROM skill_file
         WHERE root IN (SELECT value FROM json_each(?1)) AND agent_of IS NULL LIMIT ?2",
    )?;
    let mut skills = collect(statement.query(params![roots, limit])?, |cells| {
        let (root, key) = (cells.value()?, cells.text("skill_file.key", SkillKey::parse)?);
        Ok((root, key, cells.value::<Option<String>>()?.unwrap_or_default()))
    })?;
    skills.sort_by(|one: &(String, SkillKey, String), other| one.1.cmp(&other.1));
    let total = connection
        .prepare_cached(
            "SELECT count(*) FROM (SELECT 1 FROM skill_file
             WHERE root IN (SELECT value FROM json_each(?1)) LIMIT ?2)",
        )?
        .query_row(params![roots, COUNTED], |row| row.get(0))?;
    Ok(SkillNames { skills, total })
}

pub(super) fn stamps(connection: &Connection, root: &str) -> Result<Option<Vec<u8>>, Fault> {
    Ok(connection
        .prepare_cached("SELECT stamps FROM skill_root WHERE root = ?1")?
        .query_row([root], |row| row.get(0))
        .optional()?)
}

pub(super) fn own_stamp(connection: &Connection, root: &str) -> Result<Option<Vec<u8>>, Fault> {
    Ok(connection
        .prepare_cached("SELECT own FROM skill_root WHERE root = ?1")?
        .query_row([root], |row| row.get(0))
        .optional()?)
}

pub(super) fn save(
    connection: &Connection,
    root: &str,
    changes: &SkillChanges,
) -> Result<(), Fault> {
    if changes.anew {
        connection.prepare_cached("DELETE FROM skill_file WHERE root = ?1")?.execute([root])?;
        search::forget_root(connection, root)?;
    }
    let mut remove = connection.prepare_cached("DELETE FROM skill_file WHERE path = ?1")?;
    for path in &changes.gone {
        remove.execute([path])?;
        search::forget(connection, path)?;
    }
    let mut put = connection.prepare_cached(
        "INSERT OR REPLACE INTO skill_file (path, root, key, name, description, agent_of, version,
             digest, tokens, modified, findings)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    for found in &changes.found {
        let skill = &found.skill;
        search::save_words(connection, root, found)?;
        put.execute(params![
            skill.path,
            root,
            skill.key.as_str(),
            skill.name.as_str(),
            skill.description,
            skill.agent_of.as_ref().map(SkillKey::as_str),
            skill.version,
            skill.digest.bytes(),
            skill.tokens,
            skill.modified,
            skill.findings,
        ])?;
    }
    facts::save_core_skills(connection, root, changes)?;
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO skill_root (root, own, stamps) VALUES (?1, ?2, ?3)",
        )?
        .execute(params![root, changes.own, changes.stamps])?;
    Ok(())
}

pub(super) fn keep_text(
    connection: &Connection,
    digest: &Digest,
    bytes: &[u8],
) -> Result<(), Fault> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO skill_text (digest, text) VALUES (?1, ?2)")?
        .execute(params![digest.bytes(), bytes])?;
    Ok(())
}

pub(super) fn text(connection: &Connection, digest: &Digest) -> Result<Option<Vec<u8>>, Fault> {
    Ok(connection
        .prepare_cached("SELECT text FROM skill_text WHERE digest = ?1")?
        .query_row([digest.bytes()], |row| row.get(0))
        .optional()?)
}

/// Applies what becomes known of the use of a skill.
pub(super) fn apply(scene: &Scene<'_>, effect: &SkillEffect) -> Result<Applied, Fault> {
    match effect {
        SkillEffect::Approved { reference, digest } => approve(scene, reference, *digest),
        SkillEffect::Chosen { task, reference, digest, rule, reason } => {
            choose(scene, *task, &Chosen { reference, digest, rule, reason })
        }
        SkillEffect::Injected {
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
            let injected = Injected { session: (host, host_id), agent, at: *at };
            inject(scene, *task, &Chosen { reference, digest, rule, reason }, &injected)
        }
    }
}

/// Notes that the person takes the project's own skills into use.
pub(super) fn take_project(scene: &Scene<'_>) -> Result<Applied, Fault> {
    let project = scene.effects.project;
    scene
        .connection
        .prepare_cached("INSERT OR IGNORE INTO project_use (project, at) VALUES (?1, ?2)")?
        .execute(params![Id(project.uuid()), scene.effects.at.millis()])?;
    Ok(Applied::Project { id: project })
}

pub(super) fn is_taken(connection: &Connection, project: ProjectId) -> Result<bool, Fault> {
    Ok(connection
        .prepare_cached("SELECT 1 FROM project_use WHERE project = ?1")?
        .exists([Id(project.uuid())])?)
}

/// Notes that the person approves one content of a skill.
pub(super) fn approve(
    scene: &Scene<'_>,
    reference: &str,
    digest: Digest,
) -> Result<Applied, Fault> {
    let project = scene.effects.project;
    scene
        .connection
        .prepare_cached(
            "INSERT OR IGNORE INTO skill_approval (project, reference, digest, at)
             VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![
            Id(project.uuid()),
            reference,
            digest.bytes(),
            scene.effects.at.millis()
        ])?;
    Ok(Applied::Project { id: project })
}

pub(super) fn approvals(
    connection: &Connection,
    project: ProjectId,
) -> Result<Vec<(String, Digest)>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT reference, digest FROM skill_approval WHERE project = ?1 ORDER BY 1, 2",
    )?;
    collect(statement.query([Id(project.uuid())])?, |cells| {
        Ok((cells.value()?, Digest::new(cells.value()?)))
    })
}

/// A skill that was chosen.
pub(super) struct Chosen<'a> {
    pub(super) reference: &'a str,
    pub(super) digest: &'a Digest,
    pub(super) rule: &'a str,
    pub(super) reason: &'a str,
}

/// Notes that a skill was chosen for a task in the session that acts.
pub(super) fn choose(
    scene: &Scene<'_>,
    task: TaskId,
    chosen: &Chosen<'_>,
) -> Result<Applied, Fault> {
    tasks::here(scene, task)?;
    let effects = scene.effects;
    scene
        .connection
        .prepare_cached(
            "INSERT INTO skill_choice (seq, project, session, agent, task, reference, digest, rule,
                 reason, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            scene.sequence.get(),
            Id(effects.project.uuid()),
            effects.by.session.map(|session| Id(session.uuid())),
            effects.by.name.as_str(),
            Id(task.uuid()),
            chosen.reference,
            chosen.digest.bytes(),
            chosen.rule,
            chosen.reason,
            effects.at.millis(),
        ])?;
    Ok(Applied::Task { id: task })
}

/// Where, for whom and when a skill was injected.
pub(super) struct Injected<'a> {
    pub(super) session: (&'a HostName, &'a HostId),
    pub(super) agent: &'a AgentName,
    pub(super) at: Moment,
}

/// Notes that a skill was injected for a task. A task that is not there any more has no history.
pub(super) fn inject(
    scene: &Scene<'_>,
    task: TaskId,
    chosen: &Chosen<'_>,
    injected: &Injected<'_>,
) -> Result<Applied, Fault> {
    let (host, host_id) = injected.session;
    let session = receipts::known_session(scene.connection, host, host_id)?;
    scene
        .connection
        .prepare_cached(
            "INSERT INTO skill_choice (seq, project, session, agent, task, reference, digest, rule,
                 reason, at)
             SELECT ?1, ?2, ?3, ?4, id, ?6, ?7, ?8, ?9, ?10 FROM task
             WHERE id = ?5 AND project = ?2",
        )?
        .execute(params![
            scene.sequence.get(),
            Id(scene.effects.project.uuid()),
            Id(session.uuid()),
            injected.agent.as_str(),
            Id(task.uuid()),
            chosen.reference,
            chosen.digest.bytes(),
            chosen.rule,
            chosen.reason,
            injected.at.millis(),
        ])?;
    Ok(Applied::Session { id: session })
}

pub(super) fn choices(
    connection: &Connection,
    asked: SkillChoices,
) -> Result<Vec<SkillChoice>, Fault> {
    let (column, id) = match asked {
        SkillChoices::InSession(session) => ("session", session.uuid()),
        SkillChoices::ForTask(task) => ("task", task.uuid()),
    };
    let mut statement = connection.prepare_cached(&format!(
        "SELECT task, reference, digest, rule, reason, agent, session, at
         FROM skill_choice WHERE {column} = ?1 ORDER BY seq"
    ))?;
    collect(statement.query([Id(id)])?, |cells| {
        Ok(SkillChoice {
            task: cells.id(TaskId::new)?,
            reference: cells.value()?,
            digest: Digest::new(cells.value()?),
            rule: cells.value()?,
            reason: cells.value()?,
            agent: cells.text("skill_choice.agent", AgentName::parse)?,
            session: cells.id_if_any(SessionId::new)?,
            at: cells.moment()?,
        })
    })
}
