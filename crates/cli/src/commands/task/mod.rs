//! `pacenote task`.

mod arguments;
mod show;

use pacenote_context::inert;
use pacenote_engine::{
    Desk, EngineError,
    desk::no_such_task,
    tasks::{self, AddRequest, HeldByOther, ListRequest, Reach, UndoneTask},
};
use pacenote_model::{AgentName, Forest, Task, TaskSkills, TaskState, TaskVerb};
use pacenote_store::Access;

pub(crate) use self::arguments::TaskArguments;
use self::{
    arguments::{
        AddArguments, BlockArguments, DeleteArguments, ImportArguments, ListArguments,
        NoteArguments, ShowArguments, TaskCommand, UndoArguments,
    },
    show::{
        DeletedView, ImportedView, ShownView, TasksView, UndoView, UndoneView, described, line,
        table, tree,
    },
};
use super::{mail::warn_of_strangers, one_line, report_upkeep, skill::why_unusable, text_or_input};
use crate::{
    arguments::{JsonFlag, WriteFlags},
    environment::{Environment, repeatable, repeatable_text},
    failure::Failure,
    output::Output,
    views::{NoteView, TaskView},
};

pub(crate) fn run(
    environment: &Environment,
    arguments: &TaskArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    match &arguments.verb {
        TaskCommand::List(list) => self::list(environment, list, output),
        TaskCommand::Show(show) => self::show(environment, show, output),
        TaskCommand::Ready(ready) => self::ready(environment, ready.json, output),
        TaskCommand::Add(add) => self::add(environment, add, output),
        TaskCommand::Claim(claim) => change(environment, &claim.write, output, "claimed", |desk| {
            let mut work = desk.begin(repeatable(claim.write.key.as_deref())?)?;
            let held = if claim.take_over { HeldByOther::TakeOver } else { HeldByOther::Refuse };
            Ok(tasks::claim(&mut work, &claim.id, claim.agent.as_deref(), held)?)
        }),
        TaskCommand::Note(note) => self::note(environment, note, output),
        TaskCommand::Block(block) => self::block(environment, block, output),
        TaskCommand::Close(close) => change(environment, &close.write, output, "closed", |desk| {
            let reach = if close.steps { Reach::Steps } else { Reach::Task };
            let moved = Moved { id: &close.id, verb: TaskVerb::Close, reason: None, reach };
            move_to(desk, &close.write, &moved)
        }),
        TaskCommand::Fail(fail) => change(environment, &fail.write, output, "failed", |desk| {
            move_to(
                desk,
                &fail.write,
                &Moved::alone(&fail.id, TaskVerb::Fail, fail.reason.as_deref()),
            )
        }),
        TaskCommand::Skip(skip) => change(environment, &skip.write, output, "skipped", |desk| {
            move_to(
                desk,
                &skip.write,
                &Moved::alone(&skip.id, TaskVerb::Skip, skip.reason.as_deref()),
            )
        }),
        TaskCommand::Reopen(reopen) => {
            change(environment, &reopen.write, output, "reopened", |desk| {
                move_to(desk, &reopen.write, &Moved::alone(&reopen.id, TaskVerb::Reopen, None))
            })
        }
        TaskCommand::Delete(delete) => self::delete(environment, delete, output),
        TaskCommand::Undo(undo) => self::undo(environment, undo, output),
        TaskCommand::Import(import) => self::import(environment, import, output),
    }
}

fn add(environment: &Environment, add: &AddArguments, output: &mut Output) -> Result<(), Failure> {
    change(environment, &add.write, output, "added", |desk| {
        let place = desk.place().clone();
        let mut work = desk.begin(repeatable(add.write.key.as_deref())?)?;
        let skill = (!add.skill.is_empty()).then(|| add.skill.join(","));
        let request = AddRequest {
            title: &add.title,
            parent: add.parent.as_deref(),
            after: &add.after,
            skill: skill.as_deref(),
            plan: add.plan.as_deref(),
            section: add.section.as_deref(),
            assignee: add.assign.as_deref(),
        };
        Ok(tasks::add(&mut work, &place, &request)?)
    })?;
    // A skill may come later, so this is not an error; trouble with skills is reported elsewhere.
    let skills = TaskSkills::parse(&add.skill.join(",")).ok();
    for name in skills.iter().flat_map(TaskSkills::names) {
        if let Some(why) = why_unusable(environment, name.as_str()) {
            let without = "until it can be used, the task is done without it";
            output.warn(&inert(&format!("{why}; {without}")));
        }
    }
    Ok(())
}

fn note(
    environment: &Environment,
    note: &NoteArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let text = text_or_input(&note.text)?;
    let (mut mailed, mut strangers) = (Vec::new(), Vec::new());
    change(environment, &note.write, output, "noted on", |desk| {
        let key = note.write.key.as_deref();
        let mut work = desk.begin(repeatable_text(key, &note.text, &text)?)?;
        let noted = tasks::note(&mut work, &note.id, &text)?;
        (mailed, strangers) = (noted.mailed, noted.strangers);
        Ok(noted.task)
    })?;
    if !mailed.is_empty() {
        let names: Vec<String> = mailed.iter().map(|to| format!("@{}", to.agent)).collect();
        output.say(&format!("mailed to {}", names.join(", ")));
    }
    warn_of_strangers(&strangers, output);
    Ok(())
}

/// What is done to a task's state.
struct Moved<'a> {
    id: &'a str,
    verb: TaskVerb,
    reason: Option<&'a str>,
    reach: Reach,
}

impl<'a> Moved<'a> {
    const fn alone(id: &'a str, verb: TaskVerb, reason: Option<&'a str>) -> Self {
        Self { id, verb, reason, reach: Reach::Task }
    }
}

fn move_to(desk: &mut Desk, write: &WriteFlags, moved: &Moved<'_>) -> Result<Task, Failure> {
    let mut work = desk.begin(repeatable(write.key.as_deref())?)?;
    Ok(tasks::move_to(&mut work, moved.id, moved.verb, moved.reason, moved.reach)?)
}

/// Runs a command that changes one task, and shows the task.
fn change(
    environment: &Environment,
    write: &WriteFlags,
    output: &mut Output,
    done: &str,
    act: impl FnOnce(&mut Desk) -> Result<Task, Failure>,
) -> Result<(), Failure> {
    let mut desk = environment.desk(Access::Write)?;
    let task = act(&mut desk)?;
    if write.json.json {
        output.json(&viewed(&desk, &task)?)?;
    } else {
        output.text(&format!("{done} {}", line(&task)))?;
    }
    report_upkeep(environment, &desk, output);
    Ok(())
}

/// Returns a task for programs, with the names of the tasks round it.
fn viewed(desk: &Desk, task: &Task) -> Result<TaskView, Failure> {
    let tasks = match desk.here()? {
        Some(here) => here.store.tasks(here.project.id).map_err(EngineError::from)?,
        None => Vec::new(),
    };
    Ok(TaskView::new(task, &Forest::new(&tasks)))
}

fn block(
    environment: &Environment,
    block: &BlockArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut desk = environment.desk(Access::Write)?;
    let mut work = desk.begin(repeatable(block.write.key.as_deref())?)?;
    let (reason, by) = (block.reason.as_deref(), block.by.as_deref());
    let blocked = tasks::block(&mut work, &block.id, reason, by)?;
    if block.write.json.json {
        output.json(&viewed(&desk, &blocked.task)?)?;
    } else {
        let task = &blocked.task;
        let stopped = reason.map(|_| format!("blocked {}", line(task)));
        let waits = blocked.on.map(|on| format!("{} now waits on {}", task.short, on.short));
        output.text(&stopped.into_iter().chain(waits).collect::<Vec<_>>().join("\n"))?;
    }
    report_upkeep(environment, &desk, output);
    Ok(())
}

fn list(
    environment: &Environment,
    list: &ListArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let states: Vec<TaskState> = list.state.iter().copied().map(TaskState::from).collect();
    let assignee =
        list.assignee.as_deref().map(AgentName::parse).transpose().map_err(EngineError::from)?;
    let request = ListRequest { states: &states, assignee: assignee.as_ref(), ready: false };
    let listing = tasks::list(&desk, &request)?;
    if list.json.json {
        return output.json(&TasksView::new(&listing));
    }
    if listing.tasks.is_empty() {
        output.say("no tasks here; `pacenote task add \"<title>\"` adds one");
        return Ok(());
    }
    if list.full {
        return output.text(&tree(&desk, &listing));
    }
    output.text(&table(&listing))
}

fn ready(environment: &Environment, json: JsonFlag, output: &mut Output) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let listing = tasks::list(&desk, &ListRequest { ready: true, ..ListRequest::default() })?;
    if json.json {
        return output.json(&TasksView::new(&listing));
    }
    if listing.chosen.is_empty() {
        output.say("nothing can be begun now");
        return Ok(());
    }
    output.text(&table(&listing))
}

fn show(
    environment: &Environment,
    show: &ShowArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let here = desk.here()?.ok_or_else(|| no_such_task(&show.id))?;
    let shown = tasks::show(&here, &show.id)?;
    let forest = Forest::new(&shown.tasks);
    if show.json.json {
        let steps = forest.children(Some(shown.task.id));
        return output.json(&ShownView {
            task: TaskView::new(&shown.task, &forest),
            steps: steps.iter().map(|step| TaskView::new(step, &forest)).collect(),
            notes: shown.notes.iter().map(NoteView::new).collect(),
        });
    }
    output.text(&described(&shown, &forest))
}

fn delete(
    environment: &Environment,
    delete: &DeleteArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut desk = environment.desk(Access::Write)?;
    let mut work = desk.begin(repeatable(delete.write.key.as_deref())?)?;
    let deleted = tasks::delete(&mut work, &delete.id)?;
    if delete.write.json.json {
        let view = DeletedView { deleted: deleted.task.short.to_string(), steps: deleted.steps };
        output.json(&view)?;
    } else {
        let steps = match deleted.steps {
            0 => String::new(),
            1 => " and its 1 step".into(),
            steps => format!(" and its {steps} steps"),
        };
        let task = &deleted.task;
        output.text(&inert(&format!("deleted {} {}{steps}", task.short, task.title)))?;
    }
    report_upkeep(environment, &desk, output);
    Ok(())
}

fn undo(
    environment: &Environment,
    undo: &UndoArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut desk = environment.desk(Access::Write)?;
    let mut work = desk.begin(repeatable(undo.write.key.as_deref())?)?;
    let undone = tasks::undo(&mut work)?;
    if undo.write.json.json {
        let view = |undone: &UndoneTask| UndoneView {
            id: undone.task.short.to_string(),
            state: (!undone.is_gone).then(|| undone.task.state.word()),
        };
        output.json(&UndoView { undone: undone.iter().map(view).collect() })?;
    } else {
        let lines = undone.iter().map(|UndoneTask { task, is_gone }| {
            if *is_gone {
                inert(&format!("removed {} {}", task.short, task.title))
            } else {
                format!("restored {}", line(task))
            }
        });
        output.text(&lines.collect::<Vec<_>>().join("\n"))?;
    }
    report_upkeep(environment, &desk, output);
    Ok(())
}

fn import(
    environment: &Environment,
    import: &ImportArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut desk = environment.desk(Access::Write)?;
    let place = desk.place().clone();
    let mut work = desk.begin(repeatable(import.write.key.as_deref())?)?;
    let imported = tasks::import(&mut work, &place, &import.plan)?;
    for finding in &imported.findings {
        output.warn(&inert(finding));
    }
    for kept in &imported.kept {
        output.warn(&format!("`{kept}` left the plan but has work or notes in it, and stays"));
    }
    if import.write.json.json {
        output.json(&ImportedView {
            file: imported.file.to_string(),
            added: imported.added,
            revised: imported.revised,
            removed: imported.removed,
            unchanged: imported.unchanged,
            kept: imported.kept.iter().map(ToString::to_string).collect(),
            findings: imported.findings,
        })?;
    } else {
        output.text(&one_line(&format!(
            "imported {}: {} added, {} revised, {} removed, {} unchanged",
            imported.file, imported.added, imported.revised, imported.removed, imported.unchanged
        )))?;
    }
    report_upkeep(environment, &desk, output);
    Ok(())
}
