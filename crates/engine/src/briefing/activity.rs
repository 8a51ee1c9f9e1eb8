//! What happened lately in a project: what others did and said, and what the reader sent out.
//!
//! It looks at the journal by its kinds, so that bookkeeping between two events hides neither. Mail
//! between others is not for the reader and never stands here.

use std::collections::BTreeSet;

use pacenote_context::{
    errand::is_for_everything,
    fragments::{ActivityLine, RecentActivity},
    role::{Role, role_of},
};
use pacenote_model::{
    AgentName, Aggregate, Effect, HostId, HostName, MailEffect, Moment, NewMessage, Recipient,
    Record, RunEffect, SessionEffect, Task, TaskEffect, TaskId, TaskVerb, Utterance,
};
use pacenote_store::{Entry, EntryKind, Lately, MessageRef};

use crate::{
    EngineError, identity::free_name, mail::wake_message, situation::Situation,
    succession::names_of,
};

/// Lines that are shown.
const LINES: usize = 5;

/// Entries of the right kinds that are read, of which the reader's own and those about nothing that
/// is left are skipped.
const READ: usize = 20;

/// Entries of the project that are looked at: a hundred prompts, each with its bookkeeping. Looking at
/// all of them takes about a millisecond, which a hook can afford at a start.
const ENTRIES: u32 = 500;

/// The kinds of entry that say something a reader wants to know.
const KINDS: [EntryKind<'static>; 7] = [
    (Aggregate::Task, "claimed"),
    (Aggregate::Task, "passed"),
    (Aggregate::Task, "moved"),
    (Aggregate::Task, "noted"),
    (Aggregate::Run, "begun"),
    (Aggregate::Session, "dispatched"),
    (Aggregate::Mail, "sent"),
];

/// How far back a reader wants to know what happened.
#[derive(Clone, Copy, Debug)]
pub(super) enum Back {
    /// As far as it goes: the reader has lost its context. With its mail beside it, messages are not
    /// repeated.
    All { mail: MailBeside },
    /// What others did since a moment.
    Since(Moment),
}

/// Which messages stand beside the activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MailBeside {
    /// Those that are unread.
    Unread,
    /// All of late.
    Recent,
}

/// Returns the last events of a project that a reader wants to know, the newest last. The notes of one
/// task may stand beside them.
pub(super) fn recent(
    situation: &Situation<'_>,
    back: Back,
    noted: Option<TaskId>,
) -> Result<RecentActivity, EngineError> {
    let since = match back {
        Back::All { .. } => None,
        Back::Since(since) => Some(since),
    };
    let project = situation.project.id;
    let wanted = Lately { project, kinds: &KINDS, since, among: ENTRIES, limit: READ };
    let (reader, tasks) = (situation.agent()?.cloned(), situation.tasks()?);
    let continued = names_of(situation.predecessors()?);
    let teller = Teller { situation, reader, continued, tasks, back, noted };
    let mut lines = Vec::new();
    let mut moved = BTreeSet::new();
    for entry in situation.store.lately(&wanted)? {
        if lines.len() == LINES {
            break;
        }
        let Ok(effect) = entry.effect() else { continue };
        if let Effect::Task(TaskEffect::Moved { task, .. }) = &effect {
            moved.insert((entry.key.clone(), *task));
            // Steps that were moved together with their task go without saying.
            let above = teller.find(task).and_then(|task| task.parent);
            if above.is_some_and(|above| moved.contains(&(entry.key.clone(), above))) {
                continue;
            }
        }
        lines.extend(teller.tell(&entry, &effect)?);
    }
    lines.reverse();
    if let Back::All { .. } = back {
        lines.extend(teller.find_sent_out()?);
    }
    lines.sort_by_key(|line| line.at);
    lines.drain(..lines.len().saturating_sub(LINES));
    Ok(RecentActivity { lines })
}

/// Returns what others did since the reader last read something; nothing where nobody knows when that
/// was.
pub(crate) fn find_news(
    situation: &Situation<'_>,
    noted: Option<TaskId>,
) -> Result<Option<RecentActivity>, EngineError> {
    let read = |record: &Record| {
        // With a prompt that says no more than "go on" nobody reads the news.
        if let Record::Said { from, utterance: Utterance::Request, .. } = record {
            return Some(from.at);
        }
        if let Record::Seen { at, begins: true, .. } = record { Some(*at) } else { None }
    };
    let Some(since) = situation.records()?.iter().rev().find_map(read) else { return Ok(None) };
    let news = recent(situation, Back::Since(since), noted)?;
    Ok((!news.lines.is_empty()).then_some(news))
}

/// Says what happened to one reader.
struct Teller<'t> {
    situation: &'t Situation<'t>,
    reader: Option<AgentName>,
    /// Those whose work the reader continues: what they did, it did.
    continued: Vec<AgentName>,
    tasks: &'t [Task],
    back: Back,
    /// The task whose notes the reader has.
    noted: Option<TaskId>,
}

impl Teller<'_> {
    /// Says what an entry did, if the reader wants to know.
    fn tell(&self, entry: &Entry, effect: &Effect) -> Result<Option<ActivityLine>, EngineError> {
        let id = entry.sequence.get().to_string();
        if let Effect::Session(SessionEffect::Dispatched { host, host_id, at, agent_type, task }) =
            effect
        {
            let account = self.say_dispatched((host, host_id), agent_type, *task)?;
            return Ok(account.map(|account| ActivityLine { id, at: *at, account }));
        }
        let (at, actor) = (entry.at, &entry.actor);
        if self.reader.as_ref() == Some(actor) || self.continued.contains(actor) {
            return Ok(None);
        }
        let account = if let Effect::Mail(MailEffect::Sent { message }) = effect {
            self.say_mail(actor, message)?
        } else {
            self.say(effect).map(|what| format!("@{actor}{what}"))
        };
        Ok(account.map(|account| ActivityLine { id, at, account }))
    }

    /// Says who sent a subagent out. What the reader's own session did stands in its log.
    fn say_dispatched(
        &self,
        (host, host_id): (&HostName, &HostId),
        agent_type: &str,
        task: Option<TaskId>,
    ) -> Result<Option<String>, EngineError> {
        if self.situation.host_session() == Some(host_id) {
            return Ok(None);
        }
        let Some(what) = self.say_dispatch(agent_type, task) else { return Ok(None) };
        let store = self.situation.store;
        let session = store.session(host, host_id)?;
        let who = match session.and_then(|session| session.agent) {
            Some(agent) => agent,
            None => free_name(store, host, host_id)?,
        };
        Ok(match (self.back, self.reader.as_ref() == Some(&who)) {
            (Back::All { .. }, true) => Some(format!("You {what}")),
            (Back::Since(_), true) => None,
            (Back::All { .. } | Back::Since(_), false) => Some(format!("@{who} {what}")),
        })
    }

    /// Returns what the reader's own session sent out: its log says so before the store does.
    fn find_sent_out(&self) -> Result<Vec<ActivityLine>, EngineError> {
        let line = |record: &Record| {
            let Record::Begun { from, agent, agent_type, task, .. } = record else { return None };
            let what = self.say_dispatch(agent_type, *task)?;
            let (id, account) = (format!("sent-{agent}"), format!("You {what}"));
            Some(ActivityLine { id, at: from.at, account })
        };
        Ok(self.situation.records()?.iter().filter_map(line).collect())
    }

    /// Says what a message to the reader said, once that was read: an unread one stands in its inbox.
    fn say_mail(
        &self,
        sender: &AgentName,
        message: &NewMessage,
    ) -> Result<Option<String>, EngineError> {
        let (Back::All { mail: MailBeside::Unread }, Some(reader)) = (self.back, &self.reader)
        else {
            return Ok(None);
        };
        let (store, project) = (self.situation.store, self.situation.project.id);
        let is_own = |one: &Recipient| (one.project, &one.agent) == (project, reader);
        if !message.recipients.iter().any(is_own) {
            return Ok(None);
        }
        let Some(kept) = store.message(project, MessageRef::Id(message.id))? else {
            return Ok(None);
        };
        let mut own = kept.recipients.iter().filter(|(one, _)| is_own(one));
        if !own.any(|(_, delivery)| delivery.read.is_some()) {
            return Ok(None);
        }
        let said = wake_message(message.subject.as_str());
        let said = said.unwrap_or_else(|| first_line(message.body.as_str()));
        Ok(Some(format!("@{sender}: {said} (mail {})", kept.number)))
    }

    /// Says what a session did that sent a subagent out. One that only looks for something, or of which
    /// nobody knows what it does, is not worth a line.
    fn say_dispatch(&self, agent_type: &str, task: Option<TaskId>) -> Option<String> {
        let task = task.and_then(|task| self.name(task));
        let is_named = !is_for_everything(agent_type);
        let who = if is_named { agent_type } else { "a subagent" };
        let works = matches!(role_of(agent_type), Role::Implementer | Role::Reviewer);
        match task {
            Some(task) => Some(format!("dispatched {who} for {task}")),
            None if is_named && works => Some(format!("dispatched {who}")),
            None => None,
        }
    }

    /// Says what an effect did, as it follows the name of whoever did it.
    fn say(&self, effect: &Effect) -> Option<String> {
        let named = |id: &TaskId| self.name(*id);
        match effect {
            Effect::Task(TaskEffect::Claimed { task, .. }) => {
                Some(format!(" claimed {}", named(task)?))
            }
            Effect::Task(TaskEffect::Passed { task, from, .. })
                if self.reader.as_ref() == Some(from) =>
            {
                Some(format!(" took {} from you: stop working on it", named(task)?))
            }
            Effect::Task(TaskEffect::Passed { task, from, .. }) => {
                Some(format!(" took over {} from @{from}", named(task)?))
            }
            Effect::Task(TaskEffect::Moved { task, verb, reason }) => {
                let why = reason.as_ref().map(|why| format!(": {}", first_line(why.as_str())));
                Some(format!(" {} {}{}", past(*verb), named(task)?, why.unwrap_or_default()))
            }
            Effect::Task(TaskEffect::Noted { task, .. }) if Some(*task) == self.noted => None,
            Effect::Task(TaskEffect::Noted { task, text }) => {
                let (said, short) = (first_line(text.as_str()), &self.find(task)?.short);
                Some(format!(": {said} (note on {short})"))
            }
            Effect::Run(RunEffect::Begun { run, .. }) => {
                Some(format!(" began run {} of {}", run.number, run.workflow))
            }
            Effect::Task(
                TaskEffect::Added { .. }
                | TaskEffect::Waits { .. }
                | TaskEffect::Revised { .. }
                | TaskEffect::Deleted { .. }
                | TaskEffect::Restored { .. },
            )
            | Effect::Run(RunEffect::Moved { .. } | RunEffect::DecisionTaken { .. })
            | Effect::Project(_)
            | Effect::Session(_)
            | Effect::Agent(_)
            | Effect::Mail(_)
            | Effect::Reservation(_)
            | Effect::Skill(_)
            | Effect::Receipt(_)
            | Effect::Rule(_)
            | Effect::Handoff(_)
            | Effect::Wish(_)
            | Effect::Log(_) => None,
        }
    }

    fn find(&self, id: &TaskId) -> Option<&Task> {
        self.tasks.iter().find(|task| task.id == *id)
    }

    /// Names a task by its id and title, and a step with its task.
    fn name(&self, id: TaskId) -> Option<String> {
        let task = self.find(&id)?;
        let above = task.parent.and_then(|above| self.find(&above));
        let above = above.map(|above| format!(" of {}", above.short)).unwrap_or_default();
        Some(format!("{} \"{}\"{above}", task.short, task.title))
    }
}

fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
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
