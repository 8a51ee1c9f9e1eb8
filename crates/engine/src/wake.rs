//! Waking an agent: everything it needs to go on, assembled without asking a model, and sent to it.

use std::path::Path;

use pacenote_context::{next::Incoming, role::role_of};
use pacenote_flow::lifecycle::Source;
use pacenote_model::{
    AgentName, Effect, EventBody, Forest, Importance, Message, ReceiptItem, Session, SessionStatus,
    StartSource,
};

use crate::{
    Desk, EngineError,
    briefing::{Briefing, Form, Layout, Scope, brief, own_event, page_limits},
    desk::find_task,
    lifecycle,
    mail::{SendRequest, send},
    situation::{Audience, Person, Situation},
    subagents::Given,
    wanted::{Wanted, WantedSource},
};

/// Longest first line of a message in a subject, in characters.
const SUBJECT_CHARACTERS: usize = 80;

/// What wakes an agent.
#[derive(Clone, Copy, Debug)]
pub struct WakeCall<'a> {
    /// Who is woken.
    pub agent: &'a str,
    pub message: &'a str,
    /// What it is there for, such as `orchestrator`.
    pub role: Option<&'a str>,
    pub extent: WakeExtent,
    /// Where skills are looked for besides the project.
    pub directory: &'a Path,
}

/// How much a woken agent reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeExtent {
    /// Everything: it lost its context.
    Full,
    /// What is new.
    Short,
    /// Everything if no session of it has a context, else what is new.
    AsNeeded,
}

/// A page that an agent reads, and what became of every item of it.
#[derive(Debug, Default)]
pub struct WakePage {
    pub text: String,
    pub tokens: u32,
    pub items: Vec<ReceiptItem>,
}

impl WakePage {
    fn of(briefing: &Briefing) -> Self {
        let texts: Vec<&str> =
            briefing.packed.parts.iter().map(|part| part.text.as_str()).collect();
        let (tokens, items) = (briefing.packed.tokens(), briefing.packed.items.clone());
        Self { text: texts.concat(), tokens, items }
    }
}

/// Assembles what an agent reads when it is woken. Nothing is sent.
pub fn assemble(
    desk: &Desk,
    person: &Person<'_>,
    call: &WakeCall<'_>,
    from: &AgentName,
) -> Result<WakePage, EngineError> {
    let briefing = compose(desk, person, call, from)?;
    Ok(briefing.map(|(briefing, _)| WakePage::of(&briefing)).unwrap_or_default())
}

/// Writes the prompt for a subagent that takes over a task, or the current task of the agent that
/// starts it.
pub fn brief_subagent(
    desk: &Desk,
    person: &Person<'_>,
    call: &WakeCall<'_>,
    task: Option<&str>,
    from: &AgentName,
) -> Result<WakePage, EngineError> {
    let agent = parse_agent(call.agent)?;
    let Some(here) = desk.here()? else { return Ok(WakePage::default()) };
    let tasks = here.store.tasks(here.project.id)?;
    let task = match task {
        Some(raw) => Some(find_task(here.store, here.project.id, raw)?.id),
        None => Forest::new(&tasks).current(Some(&agent)).map(|task| task.id),
    };
    let role = call.role.unwrap_or_default();
    let body = EventBody::SubagentStart {
        agent: "none".to_owned(),
        agent_type: role.to_owned(),
        source: StartSource::Startup,
    };
    let event = own_event(call.directory, None, body)?;
    let audience = Audience { host: None, agent: Some(agent), session: None, role: None };
    let situation = Situation::new(desk, here.store, here.project.clone(), person, audience, event)
        .with_given(task.map(Given::Task));
    let mut wanted = Wanted::default();
    wanted.add(WantedSource::whole(Source::RoleBriefing));
    let title = role_of(role).title();
    let layout = page_layout(&situation, &wanted, Scope::Full, title, call.message, from);
    Ok(WakePage::of(&brief(&situation, &layout)?))
}

/// Assembles it, puts it into the agent's inbox, and keeps the receipt with the agent's session.
pub fn wake(
    desk: &mut Desk,
    person: &Person<'_>,
    call: &WakeCall<'_>,
    from: &AgentName,
) -> Result<(WakePage, Message), EngineError> {
    let composed = compose(desk, person, call, from)?;
    let page = composed.as_ref().map(|(briefing, _)| WakePage::of(briefing)).unwrap_or_default();
    let to = [format!("@{}", call.agent.trim_start_matches('@'))];
    let subject = format!("Wake-up: {}", first_line(call.message));
    let message = SendRequest {
        to: &to,
        subject: &subject,
        body: &page.text,
        importance: Importance::High,
        ack_required: false,
        reply_to: None,
    };
    let message = send(&mut desk.begin(None)?, &message)?.message;
    if let Some((briefing, scope)) = composed {
        keep_receipt(desk, call, from, &briefing, scope, &message)?;
    }
    Ok((page, message))
}

/// Composes the page for an agent; `None` where pacenote was never used.
fn compose(
    desk: &Desk,
    person: &Person<'_>,
    call: &WakeCall<'_>,
    from: &AgentName,
) -> Result<Option<(Briefing, Scope<'static>)>, EngineError> {
    let agent = parse_agent(call.agent)?;
    let Some(here) = desk.here()? else { return Ok(None) };
    let title = format!("Wake-up: @{agent}");
    let scope = match call.extent {
        WakeExtent::Short => Scope::News,
        WakeExtent::AsNeeded if find_session(desk, &agent)?.is_some() => Scope::News,
        WakeExtent::Full | WakeExtent::AsNeeded => Scope::Full,
    };
    let body = EventBody::Wake { from: from.clone(), message: call.message.to_owned() };
    let event = own_event(call.directory, None, body)?;
    let role = call.role.map(str::to_owned);
    let audience = Audience { host: None, agent: Some(agent), session: None, role };
    let situation = Situation::new(desk, here.store, here.project.clone(), person, audience, event);
    let wanted = lifecycle::wanted_in(&situation)?;
    let layout = page_layout(&situation, &wanted, scope, &title, call.message, from);
    Ok(Some((brief(&situation, &layout)?, scope)))
}

/// Returns the layout of a page with a message on it.
fn page_layout<'l>(
    situation: &'l Situation<'_>,
    wanted: &'l Wanted,
    scope: Scope<'l>,
    title: &'l str,
    message: &'l str,
    from: &'l AgentName,
) -> Layout<'l> {
    let settings = situation.settings();
    let has_text = !message.trim().is_empty();
    Layout {
        wanted,
        scope,
        form: Form::Page { title },
        limits: page_limits(settings.context_budget_tokens()),
        skill_tokens: settings.context_skill_tokens(),
        left: None,
        incoming: has_text.then_some(Incoming { from, text: message }),
    }
}

/// Keeps the receipt of a page with the session that will read it. An agent without a session has
/// nobody who could ask what it read.
fn keep_receipt(
    desk: &mut Desk,
    call: &WakeCall<'_>,
    from: &AgentName,
    briefing: &Briefing,
    scope: Scope<'_>,
    message: &Message,
) -> Result<(), EngineError> {
    let Some(session) = find_session(desk, &parse_agent(call.agent)?)? else { return Ok(()) };
    let body = EventBody::Wake { from: from.clone(), message: String::new() };
    let event = own_event(call.directory, None, body)?;
    let receipt = briefing.receipt(&event, &message.number.to_string(), session.epoch, scope);
    let offered = desk.clock().now();
    let texts = briefing.packed.parts.iter().map(|part| part.text.clone());
    let texts: Vec<_> = receipt.parts.iter().copied().zip(texts).collect();
    if let Some(store) = desk.store_mut() {
        store.keep_told(&texts, offered)?;
    }
    let Session { host, host_id, .. } = session;
    let effect = Effect::ReceiptOffered { host, host_id, offered, receipt };
    desk.begin(None)?.commit(vec![effect])?;
    Ok(())
}

/// Returns the session of an agent that still has its context and was seen last.
fn find_session(desk: &Desk, agent: &AgentName) -> Result<Option<Session>, EngineError> {
    let Some(here) = desk.here()? else { return Ok(None) };
    let sessions = here.store.sessions(here.project.id)?.into_iter();
    let has_context = |session: &Session| {
        matches!(session.status, SessionStatus::Active | SessionStatus::Paused)
            && session.agent.as_ref() == Some(agent)
    };
    Ok(sessions.filter(has_context).max_by_key(|session| session.last_seen))
}

fn parse_agent(raw: &str) -> Result<AgentName, EngineError> {
    Ok(AgentName::parse(raw.trim_start_matches('@'))?)
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(SUBJECT_CHARACTERS).collect()
}
