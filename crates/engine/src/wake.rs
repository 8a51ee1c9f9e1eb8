//! Waking an agent: everything it needs to go on, assembled without asking a model, and sent to it.

use std::path::Path;

use pacenote_context::{fragment::FragmentKind, next::Incoming, role::role_of};
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
    secrets,
    situation::{Audience, Person, Situation},
    subagents::{Errand, Given},
    wanted::{Wanted, WantedSource},
};

/// Longest message, in bytes: with everything else on the page it fits into one mail, quoted.
const MESSAGE_BYTES: usize = 12_000;

/// Least tokens of a page: somebody who is woken needs more than nothing, whatever the settings say.
const PAGE_TOKENS: u32 = 2_400;

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
    check_message(call.message)?;
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
        .with_errand(Errand { given: task.map(Given::Task), role: None });
    let mut wanted = Wanted::default();
    wanted.add(WantedSource::whole(Source::RoleBriefing));
    let title = role_of(role).title();
    let layout = page_layout(&situation, &wanted, Scope::Full, title, call.message, from);
    let briefing = brief(&situation, &layout)?;
    require_message(&briefing)?;
    Ok(WakePage::of(&briefing))
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
    let subject = format!("Wake-up: {}", first_line(&secrets::without_secrets(call.message)));
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
        // The mail is sent: without a receipt `why` knows less, and a second try would send it twice.
        keep_receipt(desk, call, from, &briefing, scope, &message).ok();
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
    check_message(call.message)?;
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
    let briefing = brief(&situation, &layout)?;
    require_message(&briefing)?;
    Ok(Some((briefing, scope)))
}

/// Refuses a page without the message for which it is written.
fn require_message(briefing: &Briefing) -> Result<(), EngineError> {
    let is_message = |item: &ReceiptItem| item.kind == FragmentKind::INCOMING.word();
    let mut messages = briefing.packed.items.iter().filter(|item| is_message(item));
    if messages.any(ReceiptItem::is_shown) {
        return Ok(());
    }
    Err(EngineError::LongMessage { most: MESSAGE_BYTES })
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
        limits: page_limits(settings.context_budget_tokens().max(PAGE_TOKENS)),
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
    let emission = receipt.emission.clone();
    let printed =
        Effect::ReceiptPrinted { host: host.clone(), host_id: host_id.clone(), emission, part: 1 };
    let offered = Effect::ReceiptOffered { host, host_id, offered, receipt };
    desk.begin(None)?.commit(vec![offered, printed])?;
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

/// Refuses a message that says nothing, or more than a page holds.
fn check_message(message: &str) -> Result<(), EngineError> {
    if message.trim().is_empty() {
        return Err(EngineError::EmptyMessage);
    }
    let most = MESSAGE_BYTES;
    if message.len() > most { Err(EngineError::LongMessage { most }) } else { Ok(()) }
}

fn parse_agent(raw: &str) -> Result<AgentName, EngineError> {
    Ok(AgentName::parse(raw.trim_start_matches('@'))?)
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(SUBJECT_CHARACTERS).collect()
}
