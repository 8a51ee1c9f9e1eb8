//! How the work stands, in one line, for a status bar or a shell prompt.
//!
//! It is asked for every few seconds, so it is as quick as a hook: it looks for marks on disk, opens
//! the store once to read, and writes nothing.

use std::path::Path;

use pacenote_context::status_line::{MailShown, RunShown, StatusLine, TaskShown};
use pacenote_model::{
    AgentName, EventBody, Forest, HostId, HostName, Importance, KeptRun, Message, Number, RunStatus,
};
use pacenote_store::{Access, InboxQuery};

use crate::{
    Caller, Data, Desk, EngineError,
    briefing::own_event,
    presence::Presence,
    situation::{Audience, Person, Situation, Unread},
};

/// Messages for the person that are counted: more than that is a heap, whatever its number.
const QUESTIONS: u32 = 100;

/// Whose line is asked for, and where.
pub struct StatusCall<'a> {
    pub data: &'a Data,
    pub directory: &'a Path,
    /// What a look at the directory found.
    pub presence: &'a Presence,
    pub caller: Caller,
    pub person: Person<'a>,
}

/// Returns how the work of a project stands; `None` where pacenote is not used.
pub fn status_line(call: StatusCall<'_>) -> Result<Option<String>, EngineError> {
    let Some(place) = call.presence.place.clone().filter(|_| call.presence.is_used) else {
        return Ok(None);
    };
    let (agent, session) = reader(&call.caller);
    let desk = Desk::at(call.data.clone(), place, call.caller, Access::Glance)?;
    let line = match desk.here()? {
        Some(here) => {
            let prompt = EventBody::Prompt { prompt: String::new() };
            let event = own_event(call.directory, session.as_ref(), prompt)?;
            let audience = Audience { host: None, agent, session, role: None };
            let (store, project) = (here.store, here.project);
            read(&Situation::new(&desk, store, project, &call.person, audience, event))?
        }
        // Marked as used, and new to this person.
        None => StatusLine { task: TaskShown::Idle, ..StatusLine::default() },
    };
    // The process ends in a moment: closing a database that was only read is time for nothing.
    std::mem::forget(desk);
    Ok(line.to_text())
}

fn reader(caller: &Caller) -> (Option<AgentName>, Option<(HostName, HostId)>) {
    match caller {
        Caller::Agent(name) => (Some(name.clone()), None),
        Caller::Session { host, host_id } => (None, Some((host.clone(), host_id.clone()))),
        Caller::Person | Caller::Unknown => (None, None),
    }
}

fn read(situation: &Situation<'_>) -> Result<StatusLine, EngineError> {
    let forest = Forest::new(situation.tasks()?);
    let runs = situation.runs()?;
    // Whoever has no session of its own sees all that goes on.
    let is_bystander = situation.host_session().is_none();
    let others = runs.others.iter().filter(|_| is_bystander);
    let seen: Vec<KeptRun> = runs.own.iter().chain(others).cloned().collect();
    let asking = seen.iter().filter(|run| run.status == RunStatus::Asking).count();
    let branch = situation.branch();
    let unread = situation.store.inbox(&InboxQuery {
        project: situation.project.id,
        agents: &[AgentName::person()],
        branch: branch.as_ref(),
        unread_only: true,
        limit: QUESTIONS,
    })?;
    Ok(StatusLine {
        task: TaskShown::of(&forest, situation.agent()?),
        run: run_at_hand(&seen),
        mail: count_mail(situation.unread()?),
        questions: unread.len() + asking,
        ..StatusLine::default()
    })
}

/// Returns the run that a line has room for: the first that somebody works on, else one that waits.
pub(crate) fn run_at_hand(runs: &[KeptRun]) -> Option<RunShown> {
    let working = runs.iter().find(|run| run.status == RunStatus::Working);
    let run = working.or_else(|| runs.iter().find(|run| run.status == RunStatus::Asking))?;
    Some(RunShown {
        number: run.number,
        workflow: run.workflow.clone(),
        step: run.card.step,
        total: run.card.total,
    })
}

/// Counts the messages that wait.
pub(crate) fn count_mail(unread: &Unread) -> MailShown {
    let counted = count_of(unread.iter());
    MailShown {
        messages: counted.messages + unread.more.messages,
        urgent: counted.urgent + unread.more.urgent,
        from: None,
    }
}

/// Counts the messages that are new, and says from whom they are where that is one.
pub(crate) fn count_new_mail(unread: &Unread, is_new: impl Fn(&Number) -> bool) -> MailShown {
    let new: Vec<&Message> = unread.iter().filter(|message| is_new(&message.number)).collect();
    let first = new.first().map(|message| &message.sender);
    let is_one = new.iter().all(|message| Some(&message.sender) == first);
    MailShown { from: first.filter(|_| is_one).cloned(), ..count_of(new.into_iter()) }
}

fn count_of<'m>(messages: impl Iterator<Item = &'m Message>) -> MailShown {
    messages.fold(MailShown::default(), |counted, message| MailShown {
        messages: counted.messages + 1,
        urgent: counted.urgent + usize::from(message.importance == Importance::Urgent),
        from: None,
    })
}
