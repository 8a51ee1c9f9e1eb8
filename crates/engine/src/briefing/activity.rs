//! What happened lately in a project.

use pacenote_context::fragments::{ActivityLine, RecentActivity};
use pacenote_model::{AgentName, Effect, Moment, Project, Task, TaskId, TaskVerb};
use pacenote_store::{Lately, Store};

use crate::EngineError;

/// Lines that are told.
const LINES: u32 = 5;

/// Journal entries that are looked at: those of other projects stand between ours.
const ENTRIES: u32 = 30;

/// The kinds of entry that say something a reader wants to know.
const KINDS: [&str; 5] = ["task_claimed", "task_passed", "task_moved", "task_noted", "run_begun"];

/// Returns the last events of a project that a reader wants to know, the newest last: what others did,
/// after a moment if there is one.
pub(super) fn recent(
    store: &dyn Store,
    project: &Project,
    tasks: &[Task],
    reader: Option<&AgentName>,
    since: Option<Moment>,
) -> Result<RecentActivity, EngineError> {
    let wanted = Lately { project: project.id, kinds: &KINDS, among: ENTRIES, limit: LINES };
    let entries = store.lately(&wanted)?.into_iter().rev();
    let lines = entries.filter_map(|entry| {
        let is_news = Some(&entry.actor) != reader && since.is_none_or(|since| entry.at > since);
        let effect: Effect = serde_json::from_str(&entry.body).ok().filter(|_| is_news)?;
        let what = say(&effect, tasks)?;
        let (sequence, at, actor) = (entry.sequence, entry.at, entry.actor);
        Some(ActivityLine { sequence, at, actor, what })
    });
    Ok(RecentActivity { lines: lines.collect() })
}

/// Says what an effect did, if anybody wants to know. Mail stands in the inbox of those it is for.
fn say(effect: &Effect, tasks: &[Task]) -> Option<String> {
    let short = |id: &TaskId| {
        let task = tasks.iter().find(|task| task.id == *id)?;
        Some(format!("{} \"{}\"", task.short, task.title))
    };
    match effect {
        Effect::TaskClaimed { task, .. } => Some(format!("claimed {}", short(task)?)),
        Effect::TaskPassed { task, .. } => Some(format!("took over {}", short(task)?)),
        Effect::TaskMoved { task, verb, .. } => Some(format!("{} {}", past(*verb), short(task)?)),
        Effect::TaskNoted { task, .. } => Some(format!("wrote a note on {}", short(task)?)),
        Effect::RunBegun { run, .. } => {
            Some(format!("began run {} of {}", run.number, run.workflow))
        }
        Effect::ProjectSeen { .. }
        | Effect::SessionSeen { .. }
        | Effect::SessionMoved { .. }
        | Effect::SessionMarked { .. }
        | Effect::SessionNamed { .. }
        | Effect::TaskAdded { .. }
        | Effect::TaskWaits { .. }
        | Effect::TaskRevised { .. }
        | Effect::TaskDeleted { .. }
        | Effect::MailSent { .. }
        | Effect::MailStepped { .. }
        | Effect::PathReserved { .. }
        | Effect::PathReleased { .. }
        | Effect::ProjectTaken {}
        | Effect::SkillApproved { .. }
        | Effect::SkillChosen { .. }
        | Effect::ReceiptOffered { .. }
        | Effect::ReceiptPrinted { .. }
        | Effect::FileTrusted { .. }
        | Effect::FileDistrusted { .. }
        | Effect::GateOpened { .. }
        | Effect::GateUsed { .. }
        | Effect::GateClosed { .. }
        | Effect::VariableSet { .. }
        | Effect::HandoffWritten { .. }
        | Effect::HandoffTaken { .. }
        | Effect::HandoffReturned { .. }
        | Effect::ArtifactCaptured { .. }
        | Effect::Observed { .. }
        | Effect::Refused { .. }
        | Effect::Wished { .. }
        | Effect::WishSettled { .. }
        | Effect::RunMoved { .. }
        | Effect::DecisionTaken { .. }
        | Effect::LogCut { .. }
        | Effect::LinesSetAside { .. }
        | Effect::SetAsideDropped { .. }
        | Effect::LogIngested { .. } => None,
    }
}

const fn past(verb: TaskVerb) -> &'static str {
    match verb {
        TaskVerb::Block => "blocked",
        TaskVerb::Close => "closed",
        TaskVerb::Fail => "gave up",
        TaskVerb::Skip => "skipped",
        TaskVerb::Reopen => "reopened",
    }
}
