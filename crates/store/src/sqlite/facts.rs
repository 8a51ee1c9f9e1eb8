//! Small things that are known by a name, each of its kind: what lifecycle rules and the person
//! leave behind.
//!
//! A value is the JSON of its type; a kind is a word that stands nowhere else.

use std::collections::BTreeMap;

use pacenote_model::{
    AgentEffect, AgentName, Applied, Artifact, Handoff, HandoffEffect, HostId, HostName,
    KeptHandoff, KeptSetAside, Moment, Opening, ProjectId, Refusal, RuleEffect, Sequence,
    SessionId, SetAside, Title, TrustedFile, Value, Wish, WishEffect, guard,
};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

use super::{
    commit::Scene,
    rows::{Id, collect},
    sessions,
};
use crate::{CoreSkill, SkillChanges, error::Fault};

const TRUSTED_FILE: &str = "trusted_file";
const OPENING: &str = "opening";
const VARIABLE: &str = "variable";
const ARTIFACT: &str = "artifact";
const WISH: &str = "wish";
const CORE_SKILL: &str = "core_skill";
const SET_ASIDE: &str = "set_aside";
const AGENT_ROLE: &str = "agent_role";

/// Under which that stands which belongs to no project.
const EVERYWHERE: ProjectId = ProjectId::new(Uuid::nil());

/// A handoff that waits for somebody, and one that was taken: apart, so that a hook reads few.
const HANDOFF: &str = "handoff";
const TAKEN_HANDOFF: &str = "taken_handoff";

pub(super) fn trust(scene: &Scene<'_>, file: &TrustedFile) -> Result<Applied, Fault> {
    put(scene, TRUSTED_FILE, &file.path, file)
}

pub(super) fn distrust(scene: &Scene<'_>, path: &str) -> Result<Applied, Fault> {
    remove(scene, TRUSTED_FILE, path)
}

pub(super) fn open_gate(scene: &Scene<'_>, opening: &Opening) -> Result<Applied, Fault> {
    put(scene, OPENING, &opening.id.to_string(), opening)
}

/// Applies a change of what a person allows rules.
pub(super) fn apply_rule(scene: &Scene<'_>, effect: &RuleEffect) -> Result<Applied, Fault> {
    match effect {
        RuleEffect::FileTrusted { file } => trust(scene, file),
        RuleEffect::FileDistrusted { path } => distrust(scene, path),
        RuleEffect::GateOpened { opening } => open_gate(scene, opening),
        RuleEffect::GateUsed { opening } => use_opening(scene, *opening),
        RuleEffect::GateClosed { rule } => close_gate(scene, rule),
    }
}

/// Applies a change of a handoff.
pub(super) fn apply_handoff(scene: &Scene<'_>, effect: &HandoffEffect) -> Result<Applied, Fault> {
    match effect {
        HandoffEffect::Written { host, host_id, handoff, completes } => {
            leave(scene, (host, host_id), handoff, *completes)
        }
        HandoffEffect::Taken { session, by } => take(scene, *session, by),
        HandoffEffect::Returned { session, by } => give_back(scene, *session, by),
    }
}

/// Applies a change of what a hook asks a worker for.
pub(super) fn apply_wish(scene: &Scene<'_>, effect: &WishEffect) -> Result<Applied, Fault> {
    match effect {
        WishEffect::Made { wish: wanted } => wish(scene, wanted),
        WishEffect::Settled { wish } => settle(scene, *wish),
    }
}

/// Applies a change of an agent.
pub(super) fn apply_agent(scene: &Scene<'_>, effect: &AgentEffect) -> Result<Applied, Fault> {
    match effect {
        AgentEffect::RoleGiven { agent, role } => give_role(scene, agent, role.as_ref()),
    }
}

/// Notes that an opening was used. One that holds for longer stays.
pub(super) fn use_opening(scene: &Scene<'_>, opening: Uuid) -> Result<Applied, Fault> {
    let project = scene.effects.project;
    let name = opening.to_string();
    match get::<Opening>(scene.connection, project, OPENING, &name)? {
        Some(opening) if !guard::stays_open(&opening) => remove(scene, OPENING, &name),
        Some(_) | None => Ok(Applied::Noted),
    }
}

pub(super) fn close_gate(scene: &Scene<'_>, rule: &str) -> Result<Applied, Fault> {
    for opening in openings(scene.connection, scene.effects.project)? {
        if opening.rule == rule {
            remove(scene, OPENING, &opening.id.to_string())?;
        }
    }
    Ok(Applied::Noted)
}

pub(super) fn set_variable(
    scene: &Scene<'_>,
    session: (&HostName, &HostId),
    variable: &str,
    value: &Value,
) -> Result<Applied, Fault> {
    of_session(scene, session, |id| put(scene, VARIABLE, &format!("{id}/{variable}"), value))
}

pub(super) fn give_role(
    scene: &Scene<'_>,
    agent: &AgentName,
    role: Option<&Title>,
) -> Result<Applied, Fault> {
    match role {
        Some(role) => put(scene, AGENT_ROLE, agent.as_str(), role),
        None => remove(scene, AGENT_ROLE, agent.as_str()),
    }
}

pub(super) fn agent_role(
    connection: &Connection,
    project: ProjectId,
    agent: &AgentName,
) -> Result<Option<Title>, Fault> {
    get(connection, project, AGENT_ROLE, agent.as_str())
}

pub(super) fn capture(
    scene: &Scene<'_>,
    session: (&HostName, &HostId),
    artifact: &Artifact,
) -> Result<Applied, Fault> {
    of_session(scene, session, |id| {
        let name = format!("{id}/{}/{}", artifact.name, artifact.path);
        put(scene, ARTIFACT, &name, artifact)
    })
}

pub(super) fn wish(scene: &Scene<'_>, wish: &Wish) -> Result<Applied, Fault> {
    put(scene, WISH, &wish.id.to_string(), wish)
}

pub(super) fn settle(scene: &Scene<'_>, wish: Uuid) -> Result<Applied, Fault> {
    remove(scene, WISH, &wish.to_string())
}

/// Notes of the skills below a root which apply to everything. This is part of the index, a cache:
/// it is not journalled.
pub(super) fn save_core_skills(
    connection: &Connection,
    root: &str,
    changes: &SkillChanges,
) -> Result<(), Fault> {
    let everywhere = Id(Uuid::nil());
    let mut forget = connection
        .prepare_cached("DELETE FROM fact WHERE project = ?1 AND kind = ?2 AND name = ?3")?;
    if changes.anew {
        for (path, skill) in all::<CoreSkill>(connection, EVERYWHERE, CORE_SKILL, "")? {
            if skill.root == root {
                forget.execute(params![everywhere, CORE_SKILL, path])?;
            }
        }
    }
    let found = changes.found.iter().map(|found| &found.skill.path);
    for path in changes.gone.iter().chain(found) {
        forget.execute(params![everywhere, CORE_SKILL, path])?;
    }
    for found in changes.found.iter().filter(|found| found.always) {
        let skill = CoreSkill {
            root: root.to_owned(),
            key: found.skill.key.clone(),
            description: found.skill.description.clone().unwrap_or_default(),
            audience: found.audience.clone(),
        };
        let value = serde_json::to_string(&skill).map_err(|_| Fault::Odd("fact.value"))?;
        connection
            .prepare_cached(
                "INSERT INTO fact (project, kind, name, value, seq) VALUES (?1, ?2, ?3, ?4, 0)",
            )?
            .execute(params![everywhere, CORE_SKILL, found.skill.path, value])?;
    }
    Ok(())
}

pub(super) fn has_core_skills(connection: &Connection) -> Result<bool, Fault> {
    Ok(!all::<CoreSkill>(connection, EVERYWHERE, CORE_SKILL, "")?.is_empty())
}

pub(super) fn core_skills(
    connection: &Connection,
    roots: &[String],
) -> Result<Vec<CoreSkill>, Fault> {
    let known = all::<CoreSkill>(connection, EVERYWHERE, CORE_SKILL, "")?.into_values();
    Ok(known.filter(|skill| roots.contains(&skill.root)).collect())
}

/// A handoff as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    written: Moment,
    handoff: Handoff,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    taken_by: Option<HostId>,
}

impl Kept {
    fn of(self, session: SessionId) -> KeptHandoff {
        let Self { written, handoff, taken_by } = self;
        KeptHandoff { session, written, handoff, taken_by }
    }
}

pub(super) fn leave(
    scene: &Scene<'_>,
    session: (&HostName, &HostId),
    handoff: &Handoff,
    completes: bool,
) -> Result<Applied, Fault> {
    of_session(scene, session, |id| {
        let name = id.to_string();
        let before = get::<Kept>(scene.connection, scene.effects.project, HANDOFF, &name)?;
        if before.is_none() && completes {
            return Ok(Applied::Noted);
        }
        remove(scene, TAKEN_HANDOFF, &name)?;
        let before = before.map(|kept| kept.handoff).unwrap_or_default();
        let handoff = handoff.clone().after(before);
        put(scene, HANDOFF, &name, &Kept { written: scene.effects.at, handoff, taken_by: None })
    })
}

pub(super) fn take(scene: &Scene<'_>, session: SessionId, by: &HostId) -> Result<Applied, Fault> {
    let name = session.to_string();
    let project = scene.effects.project;
    if let Some(kept) = get::<Kept>(scene.connection, project, HANDOFF, &name)? {
        remove(scene, HANDOFF, &name)?;
        let kept = Kept { taken_by: Some(by.clone()), ..kept };
        return put(scene, TAKEN_HANDOFF, &name, &kept);
    }
    let taken = get::<Kept>(scene.connection, project, TAKEN_HANDOFF, &name)?;
    guard::take_again(taken.and_then(|kept| kept.taken_by), by)?;
    Ok(Applied::Noted)
}

pub(super) fn give_back(
    scene: &Scene<'_>,
    session: SessionId,
    by: &HostId,
) -> Result<Applied, Fault> {
    let name = session.to_string();
    match get::<Kept>(scene.connection, scene.effects.project, TAKEN_HANDOFF, &name)? {
        Some(kept) if kept.taken_by.as_ref() == Some(by) => {
            remove(scene, TAKEN_HANDOFF, &name)?;
            put(scene, HANDOFF, &name, &Kept { taken_by: None, ..kept })
        }
        Some(_) | None => Ok(Applied::Noted),
    }
}

pub(super) fn trusted_files(
    connection: &Connection,
    project: ProjectId,
) -> Result<Vec<TrustedFile>, Fault> {
    Ok(all(connection, project, TRUSTED_FILE, "")?.into_values().collect())
}

pub(super) fn openings(connection: &Connection, project: ProjectId) -> Result<Vec<Opening>, Fault> {
    Ok(all(connection, project, OPENING, "")?.into_values().collect())
}

pub(super) fn variables(
    connection: &Connection,
    project: ProjectId,
    session: SessionId,
) -> Result<BTreeMap<String, Value>, Fault> {
    let prefix = format!("{session}/");
    let named = all(connection, project, VARIABLE, &prefix)?;
    let bare = |(name, value): (String, Value)| {
        (name.strip_prefix(&prefix).unwrap_or(&name).to_owned(), value)
    };
    Ok(named.into_iter().map(bare).collect())
}

pub(super) fn artifacts(
    connection: &Connection,
    project: ProjectId,
    session: SessionId,
) -> Result<Vec<Artifact>, Fault> {
    Ok(all(connection, project, ARTIFACT, &format!("{session}/"))?.into_values().collect())
}

pub(super) fn wishes(connection: &Connection, project: ProjectId) -> Result<Vec<Wish>, Fault> {
    Ok(all(connection, project, WISH, "")?.into_values().collect())
}

/// Returns the handoffs that nobody took, the newest first.
pub(super) fn handoffs(
    connection: &Connection,
    project: ProjectId,
) -> Result<Vec<KeptHandoff>, Fault> {
    let kept: BTreeMap<String, Kept> = all(connection, project, HANDOFF, "")?;
    let mut kept = kept
        .into_iter()
        .map(|(name, kept)| Ok(kept.of(session_of(&name)?)))
        .collect::<Result<Vec<_>, Fault>>()?;
    kept.sort_by_key(|kept| std::cmp::Reverse((kept.written, kept.session)));
    Ok(kept)
}

pub(super) fn handoff(
    connection: &Connection,
    project: ProjectId,
    session: SessionId,
) -> Result<Option<KeptHandoff>, Fault> {
    let name = session.to_string();
    for kind in [HANDOFF, TAKEN_HANDOFF] {
        if let Some(kept) = get::<Kept>(connection, project, kind, &name)? {
            return Ok(Some(kept.of(session)));
        }
    }
    Ok(None)
}

fn session_of(name: &str) -> Result<SessionId, Fault> {
    Uuid::parse_str(name).map(SessionId::new).map_err(|_| Fault::Odd("fact.name"))
}

/// Lines of a session log as they are kept, under the number of their journal entry.
#[derive(Serialize, Deserialize)]
struct KeptLines {
    at: Moment,
    lines: SetAside,
}

/// Keeps lines of a session log apart. A log that cannot be read belongs to no project.
pub(super) fn set_aside(scene: &Scene<'_>, lines: &SetAside) -> Result<Applied, Fault> {
    let kept = KeptLines { at: scene.effects.at, lines: lines.clone() };
    let name = numbered(scene.sequence);
    put_in(scene, EVERYWHERE, SET_ASIDE, &name, &kept)
}

pub(super) fn drop_set_aside(scene: &Scene<'_>, number: Sequence) -> Result<Applied, Fault> {
    match remove_from(scene, EVERYWHERE, SET_ASIDE, &numbered(number))? {
        0 => Err(Refusal::UnknownSetAside { number }.into()),
        _ => Ok(Applied::Noted),
    }
}

/// Returns all lines that were set aside, oldest first.
pub(super) fn all_set_aside(connection: &Connection) -> Result<Vec<KeptSetAside>, Fault> {
    let kept: BTreeMap<String, KeptLines> = all(connection, EVERYWHERE, SET_ASIDE, "")?;
    let kept = kept.into_iter().map(|(name, KeptLines { at, lines })| {
        let number = name.parse().map(Sequence::new).map_err(|_| Fault::Odd("fact.name"))?;
        Ok(KeptSetAside { number, at, lines })
    });
    kept.collect()
}

/// Returns a name that sorts like the number.
fn numbered(number: Sequence) -> String {
    format!("{:020}", number.get())
}

/// Does something about a session; one that is not known is passed over.
fn of_session(
    scene: &Scene<'_>,
    (host, host_id): (&HostName, &HostId),
    act: impl FnOnce(SessionId) -> Result<Applied, Fault>,
) -> Result<Applied, Fault> {
    match sessions::session(scene.connection, host, host_id)? {
        Some(session) => act(session.id),
        None => Ok(Applied::Noted),
    }
}

pub(super) fn put(
    scene: &Scene<'_>,
    kind: &str,
    name: &str,
    value: &impl Serialize,
) -> Result<Applied, Fault> {
    put_in(scene, scene.effects.project, kind, name, value)
}

fn put_in(
    scene: &Scene<'_>,
    project: ProjectId,
    kind: &str,
    name: &str,
    value: &impl Serialize,
) -> Result<Applied, Fault> {
    let value = serde_json::to_string(value).map_err(|_| Fault::Odd("fact.value"))?;
    scene
        .connection
        .prepare_cached(
            "INSERT INTO fact (project, kind, name, value, seq) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (project, kind, name) DO UPDATE SET value = ?4, seq = ?5",
        )?
        .execute(params![Id(project.uuid()), kind, name, value, scene.sequence.get()])?;
    Ok(Applied::Noted)
}

pub(super) fn remove(scene: &Scene<'_>, kind: &str, name: &str) -> Result<Applied, Fault> {
    remove_from(scene, scene.effects.project, kind, name)?;
    Ok(Applied::Noted)
}

/// Removes a fact and returns how many there were.
fn remove_from(
    scene: &Scene<'_>,
    project: ProjectId,
    kind: &str,
    name: &str,
) -> Result<usize, Fault> {
    Ok(scene
        .connection
        .prepare_cached("DELETE FROM fact WHERE project = ?1 AND kind = ?2 AND name = ?3")?
        .execute(params![Id(project.uuid()), kind, name])?)
}

pub(super) fn get<T: DeserializeOwned>(
    connection: &Connection,
    project: ProjectId,
    kind: &str,
    name: &str,
) -> Result<Option<T>, Fault> {
    let value: Option<String> = connection
        .prepare_cached("SELECT value FROM fact WHERE project = ?1 AND kind = ?2 AND name = ?3")?
        .query_row(params![Id(project.uuid()), kind, name], |row| row.get(0))
        .optional()?;
    value.map(|value| read(&value)).transpose()
}

/// Returns the values of a kind whose names begin like this.
pub(super) fn all<T: DeserializeOwned>(
    connection: &Connection,
    project: ProjectId,
    kind: &str,
    prefix: &str,
) -> Result<BTreeMap<String, T>, Fault> {
    let mut statement = connection.prepare_cached(
        "SELECT name, value FROM fact WHERE project = ?1 AND kind = ?2
             AND name >= ?3 AND name < ?3 || char (1114111)
         ORDER BY name",
    )?;
    let named = collect(statement.query(params![Id(project.uuid()), kind, prefix])?, |cells| {
        Ok((cells.value::<String>()?, cells.value::<String>()?))
    })?;
    named.into_iter().map(|(name, value)| Ok((name, read(&value)?))).collect()
}

fn read<T: DeserializeOwned>(value: &str) -> Result<T, Fault> {
    serde_json::from_str(value).map_err(|_| Fault::Odd("fact.value"))
}
