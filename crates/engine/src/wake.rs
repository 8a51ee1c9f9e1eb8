//! Waking an agent: everything it needs to go on, assembled without asking a model, and sent to it.
//!
//! The page goes to that agent and to nobody else, whoever is named in it; whom the caller's own
//! message mentions gets that message. A person is not briefed: they get a sentence.

use std::path::Path;

use pacenote_context::{
    errand::role_for,
    estimate_tokens, find_mentioned_task,
    fragment::FragmentKind,
    next::Incoming,
    one_line,
    role::{known_role, role_of, role_words},
};
use pacenote_flow::lifecycle::Source;
use pacenote_model::{
    Address, AgentEffect, AgentName, Body, Effect, EventBody, Forest, Importance, MailEffect,
    Message, MessageId, NewMessage, ReceiptEffect, ReceiptItem, RunStatus, Session, SessionStatus,
    StartSource, Task, TaskState, Title,
};
use pacenote_store::{Access, InboxQuery};

pub use crate::error::WakeError;
use crate::{
    Caller, Desk, EngineError, Here,
    briefing::{Briefing, Form, Layout, Scope, brief, own_event, page_limits},
    desk::find_task,
    error::nearest,
    identity::free_name,
    ingest::ingest,
    lifecycle,
    mail::{self, MentionMail, mail_mentioned, project_named, recipient, sent_before},
    names, presence, secrets,
    situation::{Audience, Person, Situation},
    subagents::{Errand, Given},
    wanted::{Wanted, WantedSource},
};

/// Longest message, in bytes: with everything else on the page it fits into one mail, quoted.
const MESSAGE_BYTES: usize = 12_000;

/// Least tokens of a page: somebody who is woken needs more than nothing, whatever the settings say.
const PAGE_TOKENS: u32 = 2_400;

/// Takes the role of an agent away.
const NO_ROLE: &str = "none";

/// Most things of a kind that a person is reminded of: with more, they look for themselves.
const REMINDERS: usize = 5;

/// Longest reason why a task is blocked in a reminder, in characters.
const REASON_CHARACTERS: usize = 160;

/// Most unread messages that are counted for a person.
const COUNTED_MESSAGES: u32 = 100;

/// What wakes an agent.
#[derive(Clone, Copy, Debug)]
pub struct WakeCall<'a> {
    /// Who is woken: `june`, `@main:june`, `@shop:main:june`.
    pub agent: &'a str,
    pub message: &'a str,
    /// What it is there for from now on, such as `orchestrator`; `none` forgets it.
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

/// An agent that was woken.
#[derive(Debug)]
pub struct Woken {
    pub page: WakePage,
    pub message: Message,
    /// Mentions in the message that are nobody's name here.
    pub strangers: Vec<Address>,
}

/// Assembles what an agent reads when it is woken. Nothing is sent.
pub fn assemble(
    desk: &mut Desk,
    person: &Person<'_>,
    call: &WakeCall<'_>,
) -> Result<WakePage, EngineError> {
    let (_, composed) = prepare(desk, person, call)?;
    Ok(composed.page)
}

/// Writes the prompt for a subagent that takes over a task: the given one, else the one that the message
/// names, else the one that the agent holds.
pub fn brief_subagent(
    desk: &Desk,
    person: &Person<'_>,
    call: &WakeCall<'_>,
    task: Option<&str>,
) -> Result<WakePage, EngineError> {
    let agent = names::parse_address(call.agent)?.agent;
    check_message(call.message)?;
    let stated = call.role.map(parse_role).transpose()?;
    let from = &find_sender(desk)?;
    let Some(here) = desk.here()? else { return Ok(WakePage::default()) };
    let tasks = here.store.tasks(here.project.id)?;
    let task = match task {
        Some(raw) => find_task(here.store, here.project.id, raw)?,
        None => find_mentioned_task(call.message, &tasks)
            .or_else(|| find_held(&tasks, &agent))
            .cloned()
            .ok_or_else(|| WakeError::NoTask { agent: agent.clone() })?,
    };
    let role = match &stated {
        Some(stated) => role_of(stated),
        None => role_for("", call.message, Some(task.title.as_str())),
    };
    let body = EventBody::SubagentStart {
        agent: "none".to_owned(),
        agent_type: stated.unwrap_or_default(),
        source: StartSource::Startup,
        prompt: None,
    };
    let event = own_event(call.directory, None, body)?;
    let audience = Audience { host: None, agent: Some(agent), session: None, role: None };
    let situation = Situation::new(desk, here.store, here.project.clone(), person, audience, event)
        .with_errand(Errand { given: Some(Given::Task(task.id)), role: Some(role), prompt: None });
    let mut wanted = Wanted::default();
    wanted.add(WantedSource::whole(Source::Identity));
    wanted.add(WantedSource::whole(Source::RoleBriefing));
    let layout = page_layout(&situation, &wanted, Scope::Full, role.title(), call.message, from);
    let briefing = brief(&situation, &layout)?;
    require_message(&briefing)?;
    Ok(WakePage::of(&briefing))
}

/// Returns the task that an agent works on itself.
fn find_held<'t>(tasks: &'t [Task], agent: &AgentName) -> Option<&'t Task> {
    let current = Forest::new(tasks).current(Some(agent));
    current.filter(|task| task.assignee.as_ref() == Some(agent))
}

/// Assembles it, puts it into the agent's inbox, remembers the agent's role, and keeps the receipt with
/// the agent's session.
pub fn wake(
    desk: &mut Desk,
    person: &Person<'_>,
    call: &WakeCall<'_>,
) -> Result<Woken, EngineError> {
    let (target, composed) = prepare(desk, person, call)?;
    let ComposedPage { page, briefing } = composed;
    let mut work = desk.begin(None)?;
    let to = recipient(&work, &target.address)?;
    let clean = secrets::without_secrets(call.message);
    let subject =
        if target.is_person() { mail::subject_of(&clean) } else { mail::wake_subject(&clean) };
    let message = NewMessage {
        id: MessageId::new(work.fresh()),
        reply_to: None,
        subject: Title::parse_as("subject", &subject)?,
        // Where pacenote was never used there is nothing to say but the message.
        body: Body::mail(if page.text.is_empty() { call.message } else { &page.text })?,
        importance: Importance::High,
        ack_required: false,
        recipients: vec![to.clone()],
    };
    let about = format!("mentioned in a message to {}", target.address);
    let MentionMail { effect, strangers, .. } =
        mail_mentioned(&work, &about, call.message, Some(&to))?;
    let mut list: Vec<Effect> = target.role.effect(&target.address.agent).into_iter().collect();
    list.push(Effect::Mail(MailEffect::Sent { message }));
    list.extend(effect);
    let committed = work.commit(list)?;
    let message = sent_before(&work, &committed)?;
    drop(work);
    if let Some((briefing, scope)) = briefing
        && target.elsewhere.is_none()
    {
        // The mail is sent: without a receipt `why` knows less, and a second try would send it twice.
        keep_receipt(desk, call, &target.address.agent, &briefing, scope, &message).ok();
    }
    Ok(Woken { page, message, strangers })
}

/// Who is woken, where, and as what.
struct Target {
    address: Address,
    /// The desk of its project, where that is not the caller's.
    elsewhere: Option<Desk>,
    role: RoleCall,
}

impl Target {
    fn is_person(&self) -> bool {
        self.address.agent.as_str() == AgentName::PERSON
    }
}

/// What the caller says of an agent's role.
enum RoleCall {
    Unsaid,
    Given(String),
    Forgotten,
}

impl RoleCall {
    fn parse(raw: Option<&str>) -> Result<Self, EngineError> {
        match raw.map(str::trim) {
            None => Ok(Self::Unsaid),
            Some(NO_ROLE) => Ok(Self::Forgotten),
            Some(raw) => parse_role(raw).map(Self::Given),
        }
    }

    /// Returns what the page says of it; an empty one is none, whatever was said before.
    fn stated(&self) -> Option<String> {
        match self {
            Self::Unsaid => None,
            Self::Given(role) => Some(role.clone()),
            Self::Forgotten => Some(String::new()),
        }
    }

    fn effect(&self, agent: &AgentName) -> Option<Effect> {
        let agent = agent.clone();
        match self {
            Self::Unsaid => None,
            Self::Given(role) => {
                Some(Effect::Agent(AgentEffect::RoleGiven { agent, role: Title::parse(role).ok() }))
            }
            Self::Forgotten => Some(Effect::Agent(AgentEffect::RoleGiven { agent, role: None })),
        }
    }
}

/// A page, and the briefing behind it where there is one.
struct ComposedPage {
    page: WakePage,
    briefing: Option<(Briefing, Scope<'static>)>,
}

/// Finds out who is woken and composes the page. What hooks of the agent wrote down is ingested first:
/// it says whether the agent has its context.
fn prepare(
    desk: &mut Desk,
    person: &Person<'_>,
    call: &WakeCall<'_>,
) -> Result<(Target, ComposedPage), EngineError> {
    check_message(call.message)?;
    let target = find_target(desk, call)?;
    if let Some(mut journal) = desk.journal() {
        // A log that cannot be read makes the page longer, and no more than that.
        ingest(&mut journal).ok();
    }
    let from = find_sender(desk)?;
    let composed = if target.is_person() {
        let page = write_for_person(desk, call.message, &from)?;
        ComposedPage { page, briefing: None }
    } else {
        let briefing = compose(desk, person, call, &target, &from)?;
        let page = briefing.as_ref().map(|(briefing, _)| WakePage::of(briefing));
        ComposedPage { page: page.unwrap_or_default(), briefing }
    };
    Ok((target, composed))
}

fn find_target(desk: &Desk, call: &WakeCall<'_>) -> Result<Target, EngineError> {
    let address = names::parse_address(call.agent)?;
    if address.agent.as_str() == AgentName::UNKNOWN {
        return Err(EngineError::ReservedName { name: address.agent });
    }
    let role = RoleCall::parse(call.role)?;
    let elsewhere = find_desk_elsewhere(desk, &address)?;
    let target = Target { address, elsewhere, role };
    match target.role {
        RoleCall::Given(_) | RoleCall::Forgotten
            if target.is_person() || target.elsewhere.is_some() =>
        {
            Err(WakeError::RoleElsewhere { address: target.address.to_string() }.into())
        }
        RoleCall::Unsaid | RoleCall::Given(_) | RoleCall::Forgotten => Ok(target),
    }
}

/// Returns the desk of another project that an address names.
fn find_desk_elsewhere(desk: &Desk, address: &Address) -> Result<Option<Desk>, EngineError> {
    let (Some(name), Some(store)) = (&address.project, desk.store()) else { return Ok(None) };
    let own = match desk.here()? {
        Some(here) => here.project,
        None => desk.unmet_project(),
    };
    let id = project_named(store, &own, name)?;
    if id == own.id {
        return Ok(None);
    }
    let projects = store.projects()?;
    let Some(project) = projects.into_iter().find(|project| project.id == id) else {
        return Ok(None);
    };
    let lost =
        || WakeError::LostProject { name: project.name.clone(), place: project.place.clone() };
    let root = presence::usual_root(Path::new(&project.place));
    let place = presence::find_place(desk.data(), &root).map_err(|_| lost())?;
    let elsewhere = Desk::at(desk.data().clone(), place, Caller::Unknown, Access::Read)?;
    let is_there = elsewhere.here()?.is_some_and(|here| here.project.id == id);
    if is_there { Ok(Some(elsewhere.with_clock(desk.clock()))) } else { Err(lost().into()) }
}

/// Returns the name under which the caller writes.
fn find_sender(desk: &Desk) -> Result<AgentName, EngineError> {
    match (desk.reader(), desk.caller(), desk.store()) {
        (Err(EngineError::Nameless), Caller::Session { host, host_id }, Some(store)) => {
            free_name(store, host, host_id)
        }
        (Err(EngineError::Nameless), _, _) => Ok(AgentName::unknown()),
        (name, _, _) => name,
    }
}

/// Composes the page for an agent; `None` where pacenote was never used.
fn compose(
    desk: &Desk,
    person: &Person<'_>,
    call: &WakeCall<'_>,
    target: &Target,
    from: &AgentName,
) -> Result<Option<(Briefing, Scope<'static>)>, EngineError> {
    let (desk, directory) = match &target.elsewhere {
        Some(elsewhere) => (elsewhere, elsewhere.place().root.as_path()),
        None => (desk, call.directory),
    };
    let agent = &target.address.agent;
    let Some(here) = desk.here()? else { return Ok(None) };
    let title = format!("Wake-up: @{agent}");
    let scope = match call.extent {
        WakeExtent::Short => Scope::News,
        WakeExtent::AsNeeded if find_session(&here, agent)?.is_some() => Scope::News,
        WakeExtent::Full | WakeExtent::AsNeeded => Scope::Full,
    };
    let body = EventBody::Wake { from: from.clone(), message: call.message.to_owned() };
    let event = own_event(directory, None, body)?;
    let role = target.role.stated();
    let audience = Audience { host: None, agent: Some(agent.clone()), session: None, role };
    let situation = Situation::new(desk, here.store, here.project.clone(), person, audience, event)
        .with_branch(target.address.branch.clone());
    let wanted = lifecycle::wanted_in(&situation)?;
    let layout = page_layout(&situation, &wanted, scope, &title, call.message, from);
    let briefing = brief(&situation, &layout)?;
    require_message(&briefing)?;
    Ok(Some((briefing, scope)))
}

/// Writes what a person reads: who writes what, and what else waits for them.
fn write_for_person(desk: &Desk, message: &str, from: &AgentName) -> Result<WakePage, EngineError> {
    let message = message.trim();
    let between = if message.contains('\n') { "\n\n" } else { " " };
    let mut text = format!("@{from} writes:{between}{message}\n");
    let needs = match desk.here()? {
        Some(here) => find_needs(&here, desk)?,
        None => Vec::new(),
    };
    if !needs.is_empty() {
        text.push_str("\nWaiting for you:\n");
        text.extend(needs.iter().map(|need| format!("- {need}\n")));
    }
    let text = secrets::without_secrets(&text);
    Ok(WakePage { tokens: estimate_tokens(&text), text, items: Vec::new() })
}

/// Returns what in a project goes on only with the person.
fn find_needs(here: &Here<'_>, desk: &Desk) -> Result<Vec<String>, EngineError> {
    let tasks = here.store.tasks(here.project.id)?;
    let blocked = tasks.iter().filter(|task| task.state == TaskState::Blocked).map(|task| {
        let why = task.reason.as_deref().map(|why| one_line(why, REASON_CHARACTERS));
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        format!("{} \"{}\" is blocked{why}", task.short, task.title)
    });
    let runs = here.store.runs(here.project.id)?;
    let asking = runs.iter().filter(|run| run.status == RunStatus::Asking).map(|run| {
        let (number, workflow) = (run.number, &run.workflow);
        format!("run {number} of `{workflow}` asks you: `pacenote flow status {}`", number.get())
    });
    let (person, branch) = ([AgentName::person()], desk.branch());
    let unread = here.store.inbox(&InboxQuery {
        project: here.project.id,
        agents: &person,
        branch: branch.as_ref(),
        unread_only: true,
        limit: COUNTED_MESSAGES,
    })?;
    let mail = match unread.len() {
        0 => None,
        1 => Some("1 other unread message: `pacenote mail inbox`".to_owned()),
        more => Some(format!("{more} other unread messages: `pacenote mail inbox`")),
    };
    Ok(asking.take(REMINDERS).chain(blocked.take(REMINDERS)).chain(mail).collect())
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
    agent: &AgentName,
    briefing: &Briefing,
    scope: Scope<'_>,
    message: &Message,
) -> Result<(), EngineError> {
    let session = match desk.here()? {
        Some(here) => find_session(&here, agent)?,
        None => None,
    };
    let Some(session) = session else { return Ok(()) };
    let body = EventBody::Wake { from: message.sender.clone(), message: String::new() };
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
    let printed = Effect::Receipt(ReceiptEffect::Printed {
        host: host.clone(),
        host_id: host_id.clone(),
        emission,
        part: 1,
    });
    let offered = Effect::Receipt(ReceiptEffect::Offered { host, host_id, offered, receipt });
    desk.begin(None)?.commit(vec![offered, printed])?;
    Ok(())
}

/// Returns the session of an agent that still has its context and was seen last. One that has not acted
/// yet is known by the name that it will have.
fn find_session(here: &Here<'_>, agent: &AgentName) -> Result<Option<Session>, EngineError> {
    let mut sessions = here.store.sessions(here.project.id)?;
    sessions
        .retain(|session| matches!(session.status, SessionStatus::Active | SessionStatus::Paused));
    sessions.sort_by_key(|session| std::cmp::Reverse(session.last_seen));
    for session in sessions {
        let is_meant = match &session.agent {
            Some(name) => name == agent,
            None => free_name(here.store, &session.host, &session.host_id)? == *agent,
        };
        if is_meant {
            return Ok(Some(session));
        }
    }
    Ok(None)
}

/// Refuses a message that says nothing, or more than a page holds.
fn check_message(message: &str) -> Result<(), EngineError> {
    if message.trim().is_empty() {
        return Err(EngineError::EmptyMessage);
    }
    let most = MESSAGE_BYTES;
    if message.len() > most { Err(EngineError::LongMessage { most }) } else { Ok(()) }
}

fn parse_role(raw: &str) -> Result<String, EngineError> {
    known_role(raw).ok_or_else(|| {
        let words: Vec<String> = role_words().collect();
        let nearest = nearest(&raw.to_lowercase(), words.iter().map(String::as_str));
        WakeError::UnknownRole { raw: raw.chars().take(80).collect(), nearest }.into()
    })
}
