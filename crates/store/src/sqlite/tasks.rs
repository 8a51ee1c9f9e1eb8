//! Tasks: applying their effects, and reading them. What is allowed, `guard` decides.

use std::collections::BTreeMap;

use pacenote_model::{
    AgentName, Applied, Body, Effect, Forest, NewTask, Note, Number, PlanPlace, ProjectId, Refusal,
    Sequence, ShortId, Task, TaskEffect, TaskFields, TaskId, TaskRef, TaskSkills, TaskState,
    TaskVerb, Title,
    guard::{self, Claim, Step},
    limits,
    task::PlanFile,
};
use rusqlite::{Connection, params};

use super::{
    commit::Scene,
    rows::{Cells, Id, collect, first},
};
use crate::error::Fault;

/// Applies a change of a task.
pub(super) fn apply(scene: &Scene<'_>, effect: &TaskEffect) -> Result<Applied, Fault> {
    match effect {
        TaskEffect::Added { task } => add(scene, task),
        TaskEffect::Claimed { task, agent } => claim(scene, *task, agent),
        TaskEffect::Passed { task, from, to } => pass_on(scene, *task, from, to),
        TaskEffect::Moved { task, verb, reason } => move_to(scene, *task, *verb, reason.as_ref()),
        TaskEffect::Waits { task, on } => wait_on(scene, *task, *on),
        TaskEffect::Noted { task, text } => note(scene, *task, text),
        TaskEffect::Revised { task, title, section, rank } => {
            revise(scene, *task, title, section.as_ref(), *rank)
        }
        TaskEffect::Deleted { task } => delete(scene, *task),
        TaskEffect::Restored { task, from, to } => restore(scene, *task, from, to),
    }
}

/// Returns the tasks that an effect is about to change, as they are.
pub(super) fn read_replaced(
    scene: &Scene<'_>,
    effect: &Effect,
) -> Result<Vec<(TaskId, TaskFields)>, Fault> {
    let Effect::Task(effect) = effect else { return Ok(Vec::new()) };
    match effect {
        TaskEffect::Claimed { task, .. }
        | TaskEffect::Passed { task, .. }
        | TaskEffect::Moved { task, .. }
        | TaskEffect::Waits { task, .. }
        | TaskEffect::Revised { task, .. }
        | TaskEffect::Restored { task, .. } => {
            Ok(fields_of(scene.connection, *task)?.into_iter().map(|now| (*task, now)).collect())
        }
        TaskEffect::Deleted { task } => {
            let mut replaced = Vec::new();
            for below in below(scene, *task)? {
                replaced.extend(fields_of(scene.connection, below)?.map(|now| (below, now)));
            }
            Ok(replaced)
        }
        // A task that is added was not there, and a note changes none.
        TaskEffect::Added { .. } | TaskEffect::Noted { .. } => Ok(Vec::new()),
    }
}

/// Leaves of what was about to change what did change, and adds what was not there before.
pub(super) fn note_replaced(
    scene: &Scene<'_>,
    effect: &Effect,
    before: Vec<(TaskId, TaskFields)>,
) -> Result<Vec<(TaskId, TaskFields)>, Fault> {
    if let Effect::Task(TaskEffect::Added { task }) = effect {
        let added = fields_of(scene.connection, task.id)?;
        let absent = added.map(|added| (task.id, TaskFields { is_hidden: true, ..added }));
        return Ok(absent.into_iter().collect());
    }
    let mut replaced = Vec::new();
    for (task, was) in before {
        if fields_of(scene.connection, task)?.as_ref() != Some(&was) {
            replaced.push((task, was));
        }
    }
    Ok(replaced)
}

/// Returns what of a task changes, also of one that was deleted.
pub(super) fn fields_of(
    connection: &Connection,
    task: TaskId,
) -> Result<Option<TaskFields>, Fault> {
    let Some(found) = ever(connection, task)? else { return Ok(None) };
    let is_hidden = connection
        .prepare_cached("SELECT deleted IS NOT NULL FROM task WHERE id = ?1")?
        .query_row([Id(task.uuid())], |row| row.get(0))?;
    Ok(Some(found.fields(is_hidden)))
}

/// Returns a task and all below it that are in lists, from above to below.
fn below(scene: &Scene<'_>, task: TaskId) -> Result<Vec<TaskId>, Fault> {
    let mut statement = scene.connection.prepare_cached(
        "WITH RECURSIVE below (id) AS (
             SELECT ?1 UNION SELECT task.id FROM below CROSS JOIN task
             ON task.project = ?2 AND task.parent = below.id)
         SELECT below.id FROM below JOIN task USING (id) WHERE task.deleted IS NULL",
    )?;
    let ids = statement.query(params![Id(task.uuid()), Id(scene.effects.project.uuid())])?;
    collect(ids, |cells| cells.id(TaskId::new))
}

/// Makes a task again what it was.
fn restore(
    scene: &Scene<'_>,
    task: TaskId,
    from: &TaskFields,
    to: &TaskFields,
) -> Result<Applied, Fault> {
    let connection = scene.connection;
    let found = ever(connection, task)?.filter(|found| found.project == scene.effects.project);
    let found = found.ok_or(Refusal::UnknownTask { id: task })?;
    let now = fields_of(connection, task)?.ok_or(Refusal::UnknownTask { id: task })?;
    guard::restore(&found.short, &now, from)?;
    if !to.is_hidden {
        if let Some(parent) = to.parent
            && let Some(gone) = ever(connection, parent)?
            && fields_of(connection, parent)?.is_none_or(|parent| parent.is_hidden)
        {
            return Err(Refusal::ChangedSince { task: gone.short }.into());
        }
        if !to.state.is_over() {
            guard::work_below(finished_above(connection, task)?)?;
        }
    }
    let (file, section) = plan_columns(to.plan.as_ref());
    connection
        .prepare_cached(
            "UPDATE task SET parent = ?2, rank = ?3, title = ?4, state = ?5, assignee = ?6,
                 skill = ?7, plan_file = ?8, plan_section = ?9, reason = ?10, changed = ?11,
                 touched = ?12, deleted = ?13 WHERE id = ?1",
        )?
        .execute(params![
            Id(task.uuid()),
            to.parent.map(|parent| Id(parent.uuid())),
            to.rank,
            to.title.as_str(),
            to.state.word(),
            to.assignee.as_ref().map(AgentName::as_str),
            to.skill.as_ref().map(ToString::to_string),
            file,
            section,
            to.reason,
            scene.effects.at.millis(),
            scene.sequence.get(),
            to.is_hidden.then(|| scene.effects.at.millis()),
        ])?;
    connection
        .prepare_cached("DELETE FROM task_after WHERE task = ?1")?
        .execute([Id(task.uuid())])?;
    for on in &to.after {
        if to.is_hidden {
            connection
                .prepare_cached("INSERT OR IGNORE INTO task_after (task, after) VALUES (?1, ?2)")?
                .execute([Id(task.uuid()), Id(on.uuid())])?;
        } else {
            wait_on(scene, task, *on)?;
        }
    }
    Ok(Applied::Task { id: task })
}

/// Adds a task below its parent.
pub(super) fn add(scene: &Scene<'_>, task: &NewTask) -> Result<Applied, Fault> {
    let connection = scene.connection;
    let project = Id(scene.effects.project.uuid());
    if task.after.len() > limits::TASK_DEPENDENCIES {
        let most = limits::TASK_DEPENDENCIES;
        return Err(Refusal::TooMany { what: "dependencies of one task", most }.into());
    }
    if let Some(parent) = task.parent {
        let parent = here(scene, parent)?;
        if depth_of(connection, parent.id)? >= limits::TASK_DEPTH {
            return Err(Refusal::TooDeep { most: limits::TASK_DEPTH }.into());
        }
    }
    if let Some(assignee) = &task.assignee {
        scene.agent_acts(assignee)?;
    }
    let number = scene.next_number("task")?;
    let (file, section) = plan_columns(task.plan.as_ref());
    connection
        .prepare_cached(
            "INSERT INTO task (id, project, number, short, parent, rank, title, state, assignee,
                 skill, plan_file, plan_section, created, changed, touched)
             VALUES (?1, ?2, ?3, ?4, ?5,
                 COALESCE(?6, (SELECT COALESCE(MAX(rank), 0) + 1 FROM task
                               WHERE project = ?2 AND parent IS ?5)),
                 ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, ?14)",
        )?
        .execute(params![
            Id(task.id.uuid()),
            project,
            number.get(),
            free_short_id(connection, task.id)?.as_str(),
            task.parent.map(|parent| Id(parent.uuid())),
            task.rank,
            task.title.as_str(),
            task.state.word(),
            task.assignee.as_ref().map(AgentName::as_str),
            task.skill.as_ref().map(ToString::to_string),
            file,
            section,
            scene.effects.at.millis(),
            scene.sequence.get(),
        ])?;
    for on in &task.after {
        wait_on(scene, task.id, *on)?;
    }
    Ok(Applied::Task { id: task.id })
}

fn plan_columns(plan: Option<&PlanPlace>) -> (Option<&str>, Option<&str>) {
    let section = plan.and_then(|plan| plan.section.as_ref()).map(Title::as_str);
    (plan.map(|plan| plan.file.as_str()), section)
}

/// Returns the shortest short id of a task that no other has.
fn free_short_id(connection: &Connection, task: TaskId) -> Result<ShortId, Fault> {
    let mut taken = connection.prepare_cached("SELECT 1 FROM task WHERE short = ?1")?;
    for digits in ShortId::SHORTEST..=ShortId::LONGEST {
        let short = ShortId::of(task, digits);
        if !taken.exists([short.as_str()])? {
            return Ok(short);
        }
    }
    // All 32 digits taken means the very same id again, which the primary key refuses.
    Ok(ShortId::of(task, ShortId::LONGEST))
}

/// Gives a task to an agent.
pub(super) fn claim(scene: &Scene<'_>, task: TaskId, agent: &AgentName) -> Result<Applied, Fault> {
    let task = here(scene, task)?;
    match guard::claim(&task, agent)? {
        Claim::Held => return Ok(Applied::Task { id: task.id }),
        Claim::Free => {}
    }
    guard::work_below(finished_above(scene.connection, task.id)?)?;
    // Only a task with dependencies, its own or inherited, is worth reading the whole forest for.
    if may_wait(scene.connection, task.id)? {
        let tasks = of_project(scene.connection, task.project)?;
        guard::work_after(&Forest::new(&tasks), &task)?;
    }
    scene.agent_acts(agent)?;
    scene
        .connection
        .prepare_cached(
            "UPDATE task SET state = 'in_progress', assignee = ?2, reason = NULL, changed = ?3,
                 touched = ?4 WHERE id = ?1",
        )?
        .execute(params![
            Id(task.id.uuid()),
            agent.as_str(),
            scene.effects.at.millis(),
            scene.sequence.get()
        ])?;
    Ok(Applied::Task { id: task.id })
}

/// Passes a task from one agent to another.
pub(super) fn pass_on(
    scene: &Scene<'_>,
    task: TaskId,
    from: &AgentName,
    to: &AgentName,
) -> Result<Applied, Fault> {
    let task = here(scene, task)?;
    if guard::passes_on(&task, from) {
        scene.agent_acts(to)?;
        scene
            .connection
            .prepare_cached(
                "UPDATE task SET assignee = ?2, changed = ?3, touched = ?4 WHERE id = ?1",
            )?
            .execute(params![
                Id(task.id.uuid()),
                to.as_str(),
                scene.effects.at.millis(),
                scene.sequence.get()
            ])?;
    }
    Ok(Applied::Task { id: task.id })
}

/// Returns a task above this one that is over: nobody works on the steps of what is over.
fn finished_above(
    connection: &Connection,
    task: TaskId,
) -> Result<Option<(ShortId, TaskState)>, Fault> {
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE above (id) AS (
             SELECT parent FROM task WHERE id = ?1 AND parent IS NOT NULL
             UNION SELECT parent FROM task JOIN above USING (id) WHERE parent IS NOT NULL)
         SELECT short, state FROM task JOIN above USING (id)
         WHERE state IN ('done', 'skipped', 'failed') ORDER BY number DESC LIMIT 1",
    )?;
    first(statement.query([Id(task.uuid())])?, |cells| {
        let short = cells.word("task.short", ShortId::parse)?;
        Ok((short, cells.word("task.state", TaskState::from_word)?))
    })
}

fn may_wait(connection: &Connection, task: TaskId) -> Result<bool, Fault> {
    Ok(connection
        .prepare_cached(
            "WITH RECURSIVE above (id) AS (
                 SELECT ?1 UNION SELECT parent FROM task JOIN above USING (id)
                 WHERE parent IS NOT NULL)
             SELECT 1 FROM task_after JOIN above ON task_after.task = above.id LIMIT 1",
        )?
        .exists([Id(task.uuid())])?)
}

/// Returns how many tasks lie above and including this one.
fn depth_of(connection: &Connection, task: TaskId) -> Result<usize, Fault> {
    Ok(connection
        .prepare_cached(
            "WITH RECURSIVE above (id) AS (
                 SELECT ?1 UNION SELECT parent FROM task JOIN above USING (id)
                 WHERE parent IS NOT NULL)
             SELECT COUNT(*) FROM above",
        )?
        .query_row([Id(task.uuid())], |row| row.get(0))?)
}

/// Changes a task's state.
pub(super) fn move_to(
    scene: &Scene<'_>,
    task: TaskId,
    verb: TaskVerb,
    reason: Option<&Body>,
) -> Result<Applied, Fault> {
    let task = here(scene, task)?;
    let (to, assignee) = match guard::step(&task, verb, reason.is_some())? {
        Step::Done => return Ok(Applied::Task { id: task.id }),
        Step::To(state, assignee) => (state, assignee),
    };
    if verb == TaskVerb::Close && has_steps(scene.connection, task.id)? {
        let tasks = of_project(scene.connection, task.project)?;
        guard::close(&Forest::new(&tasks), &task)?;
    }
    scene
        .connection
        .prepare_cached(
            "UPDATE task SET state = ?2, assignee = ?3, reason = ?4, changed = ?5, touched = ?6
             WHERE id = ?1",
        )?
        .execute(params![
            Id(task.id.uuid()),
            to.word(),
            assignee.as_ref().map(AgentName::as_str),
            reason.map(Body::as_str),
            scene.effects.at.millis(),
            scene.sequence.get(),
        ])?;
    Ok(Applied::Task { id: task.id })
}

fn has_steps(connection: &Connection, task: TaskId) -> Result<bool, Fault> {
    Ok(connection
        .prepare_cached(
            "SELECT 1 FROM task WHERE parent = ?1 AND deleted IS NULL
             AND project = (SELECT project FROM task WHERE id = ?1) LIMIT 1",
        )?
        .exists([Id(task.uuid())])?)
}

/// Makes a task wait on another.
pub(super) fn wait_on(scene: &Scene<'_>, task: TaskId, on: TaskId) -> Result<Applied, Fault> {
    let (task, on) = (here(scene, task)?, here(scene, on)?);
    let tasks = of_project(scene.connection, task.project)?;
    guard::wait(&Forest::new(&tasks), &task, on.id)?;
    scene
        .connection
        .prepare_cached("INSERT OR IGNORE INTO task_after (task, after) VALUES (?1, ?2)")?
        .execute([Id(task.id.uuid()), Id(on.id.uuid())])?;
    touch(scene, task.id)
}

/// Adds a note.
pub(super) fn note(scene: &Scene<'_>, task: TaskId, text: &Body) -> Result<Applied, Fault> {
    let task = here(scene, task)?;
    scene
        .connection
        .prepare_cached(
            "INSERT INTO task_note (seq, task, author, at, text) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            scene.sequence.get(),
            Id(task.id.uuid()),
            scene.effects.by.name.as_str(),
            scene.effects.at.millis(),
            text.as_str(),
        ])?;
    Ok(Applied::Task { id: task.id })
}

/// Gives a task the title and place its plan now says.
pub(super) fn revise(
    scene: &Scene<'_>,
    task: TaskId,
    title: &Title,
    section: Option<&Title>,
    rank: u32,
) -> Result<Applied, Fault> {
    let task = here(scene, task)?;
    scene
        .connection
        .prepare_cached(
            "UPDATE task SET title = ?2, plan_section = ?3, rank = ?4, changed = ?5 WHERE id = ?1",
        )?
        .execute(params![
            Id(task.id.uuid()),
            title.as_str(),
            section.map(Title::as_str),
            rank,
            scene.effects.at.millis(),
        ])?;
    Ok(Applied::Task { id: task.id })
}

/// Makes a task and all below it disappear; the rows stay.
///
/// `CROSS JOIN` keeps the planner from reading all tasks for each one below.
pub(super) fn delete(scene: &Scene<'_>, task: TaskId) -> Result<Applied, Fault> {
    let task = here(scene, task)?;
    scene
        .connection
        .prepare_cached(
            "WITH RECURSIVE below (id) AS (
                 SELECT ?1 UNION SELECT task.id FROM below CROSS JOIN task
                 ON task.project = ?2 AND task.parent = below.id)
             UPDATE task SET deleted = ?3, touched = ?4
             WHERE id IN (SELECT id FROM below) AND deleted IS NULL",
        )?
        .execute(params![
            Id(task.id.uuid()),
            Id(task.project.uuid()),
            scene.effects.at.millis(),
            scene.sequence.get()
        ])?;
    Ok(Applied::Task { id: task.id })
}

fn touch(scene: &Scene<'_>, task: TaskId) -> Result<Applied, Fault> {
    scene
        .connection
        .prepare_cached("UPDATE task SET changed = ?2, touched = ?3 WHERE id = ?1")?
        .execute(params![Id(task.uuid()), scene.effects.at.millis(), scene.sequence.get()])?;
    Ok(Applied::Task { id: task })
}

/// Returns a task of the commit's own project.
pub(super) fn here(scene: &Scene<'_>, id: TaskId) -> Result<Task, Fault> {
    let project = scene.effects.project;
    let task =
        find(scene.connection, project, &TaskRef::Id(id))?.ok_or(Refusal::UnknownTask { id })?;
    if task.project != project {
        return Err(Refusal::OtherProject { task: task.short }.into());
    }
    Ok(task)
}

const TASK: &str = "SELECT id, number, short, project, parent, rank, title, state, assignee, \
                    skill, plan_file, plan_section, reason, created, changed, touched FROM task";

pub(super) fn find(
    connection: &Connection,
    project: ProjectId,
    task: &TaskRef,
) -> Result<Option<Task>, Fault> {
    let one = |condition: &str, values: &[&dyn rusqlite::ToSql]| {
        let sql = format!("{TASK} WHERE {condition} AND deleted IS NULL");
        first(connection.prepare_cached(&sql)?.query(values)?, task_cells)
    };
    let found = match task {
        TaskRef::Id(id) => one("id = ?1", params![Id(id.uuid())]),
        TaskRef::Short(short) => one("short = ?1", params![short.as_str()]),
        TaskRef::Number(number) => {
            one("project = ?1 AND number = ?2", params![Id(project.uuid()), number.get()])
        }
    }?;
    found.map(|task| with_dependencies(connection, task)).transpose()
}

/// Adds the tasks that a task waits on.
fn with_dependencies(connection: &Connection, mut task: Task) -> Result<Task, Fault> {
    let mut after =
        connection.prepare_cached("SELECT after FROM task_after WHERE task = ?1 ORDER BY after")?;
    task.after = collect(after.query([Id(task.id.uuid())])?, |cells| cells.id(TaskId::new))?;
    Ok(task)
}

pub(super) fn ever(connection: &Connection, id: TaskId) -> Result<Option<Task>, Fault> {
    let mut statement = connection.prepare_cached(&format!("{TASK} WHERE id = ?1"))?;
    let found = first(statement.query([Id(id.uuid())])?, task_cells)?;
    found.map(|task| with_dependencies(connection, task)).transpose()
}

pub(super) fn of_project(connection: &Connection, project: ProjectId) -> Result<Vec<Task>, Fault> {
    let mut statement = connection.prepare(
        "SELECT task_after.task, task_after.after FROM task_after
         JOIN task ON task.id = task_after.task WHERE task.project = ?1 ORDER BY 1, 2",
    )?;
    let pairs = collect(statement.query([Id(project.uuid())])?, |cells| {
        Ok((cells.id(TaskId::new)?, cells.id(TaskId::new)?))
    })?;
    let mut dependencies: BTreeMap<TaskId, Vec<TaskId>> = BTreeMap::new();
    for (task, after) in pairs {
        dependencies.entry(task).or_default().push(after);
    }
    let mut statement = connection
        .prepare(&format!("{TASK} WHERE project = ?1 AND deleted IS NULL ORDER BY number"))?;
    collect(statement.query([Id(project.uuid())])?, |cells| {
        let mut task = task_cells(cells)?;
        task.after = dependencies.get(&task.id).cloned().unwrap_or_default();
        Ok(task)
    })
}

/// Reads a task without its dependencies, which live in a table of their own.
fn task_cells(cells: &mut Cells<'_>) -> Result<Task, Fault> {
    Ok(Task {
        id: cells.id(TaskId::new)?,
        number: Number::new(cells.value()?),
        short: cells.word("task.short", ShortId::parse)?,
        project: cells.id(ProjectId::new)?,
        parent: cells.id_if_any(TaskId::new)?,
        rank: cells.value()?,
        title: cells.text("task.title", Title::parse)?,
        state: cells.word("task.state", TaskState::from_word)?,
        assignee: cells.text_if_any("task.assignee", AgentName::parse)?,
        skill: cells.text_if_any("task.skill", TaskSkills::parse)?,
        plan: plan_cells(cells)?,
        after: Vec::new(),
        reason: cells.value()?,
        created: cells.moment()?,
        changed: cells.moment()?,
        touched: Sequence::new(cells.value()?),
    })
}

fn plan_cells(cells: &mut Cells<'_>) -> Result<Option<PlanPlace>, Fault> {
    let file = cells.text_if_any("task.plan_file", PlanFile::parse)?;
    let section = cells.text_if_any("task.plan_section", Title::parse)?;
    Ok(file.map(|file| PlanPlace { file, section }))
}

pub(super) fn notes(connection: &Connection, task: TaskId) -> Result<Vec<Note>, Fault> {
    let mut statement = connection
        .prepare_cached("SELECT author, at, text FROM task_note WHERE task = ?1 ORDER BY seq")?;
    collect(statement.query([Id(task.uuid())])?, |cells| {
        Ok(Note {
            author: cells.text("task_note.author", AgentName::parse)?,
            at: cells.moment()?,
            text: cells.text("task_note.text", Body::note)?,
        })
    })
}
