//! Mail and reservations.

use std::collections::{BTreeMap, BTreeSet};

use pacenote_context::one_line;
use pacenote_model::{
    Address, AgentName, Body, Branch, Effect, Importance, MailEffect, Message, MessageId,
    NewMessage, Number, PathPattern, Project, ProjectId, Recipient, Reservation, ReservationEffect,
    ReservationId, Title, limits, mail::DeliveryStep, mentions,
};
use pacenote_store::{Committed, InboxQuery, MessageRef, Store};
use uuid::Uuid;

use crate::{Caller, Desk, EngineError, Here, Work, error::nearest, names};

/// How the subject of a wake-up begins.
const WAKE_UP: &str = "Wake-up: ";

/// Longest first line of a text in a subject, in characters.
const SUBJECT_CHARACTERS: usize = 80;

/// Returns the subject of a wake-up with a message.
pub(crate) fn wake_subject(message: &str) -> String {
    format!("{WAKE_UP}{}", subject_of(message))
}

/// Returns the first line of a text as it stands in a subject, cut at a word.
pub(crate) fn subject_of(text: &str) -> String {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = one_line(lines.next().unwrap_or_default(), SUBJECT_CHARACTERS);
    let is_cut = first.ends_with('…');
    match lines.next() {
        Some(_) if !is_cut => format!("{} …", first.trim_end()),
        Some(_) | None => first,
    }
}

/// Returns the beginning of the message of a wake-up, from its subject; `None` for other mail.
pub(crate) fn wake_message(subject: &str) -> Option<&str> {
    subject.strip_prefix(WAKE_UP)
}

/// A message as it is asked for. Who sends it is not part of the request.
#[derive(Clone, Debug)]
pub struct SendRequest<'a> {
    /// Whom it is for.
    pub to: &'a [String],
    /// What it is about.
    pub subject: &'a str,
    /// What it says.
    pub body: &'a str,
    /// How much it presses.
    pub importance: Importance,
    /// Whether an acknowledgement is wanted.
    pub ack_required: bool,
    /// The message it answers.
    pub reply_to: Option<&'a str>,
}

/// What came of sending.
#[derive(Clone, Debug)]
pub struct Sent {
    pub message: Message,
    /// Mentions in the body that are nobody's name here, and so went to nobody.
    pub strangers: Vec<Address>,
}

/// Sends a message to its recipients and to every known agent its body mentions.
pub fn send(work: &mut Work<'_>, request: &SendRequest<'_>) -> Result<Sent, EngineError> {
    if let Some(earlier) = work.earlier()? {
        return Ok(Sent { message: sent_before(work, &earlier)?, strangers: Vec::new() });
    }
    let subject = Title::parse_as("subject", request.subject)?;
    let body = Body::mail(request.body)?;
    let reply_to = request
        .reply_to
        .map(|raw| find_message(work.store(), &work.project, raw).map(|message| message.id))
        .transpose()?;
    let mut recipients: Vec<Recipient> = Vec::new();
    for raw in request.to.iter().flat_map(|list| list.split(',')) {
        push_new(&mut recipients, recipient(work, &names::parse_address(raw)?)?);
    }
    let strangers = add_mentioned(work, body.as_str(), &mut recipients)?;
    if recipients.is_empty() {
        return Err(EngineError::NoRecipient);
    }
    let message = NewMessage {
        id: MessageId::new(work.fresh()),
        reply_to,
        subject,
        body,
        importance: request.importance,
        ack_required: request.ack_required,
        recipients,
    };
    let committed = work.commit(vec![Effect::Mail(MailEffect::Sent { message })])?;
    Ok(Sent { message: sent_before(work, &committed)?, strangers })
}

/// Adds the known agents that a text mentions, and returns the mentions that are nobody's name here.
fn add_mentioned(
    work: &Work<'_>,
    text: &str,
    recipients: &mut Vec<Recipient>,
) -> Result<Vec<Address>, EngineError> {
    let mut strangers = Vec::new();
    let mut acquaintances = Acquaintances::default();
    for address in mentions(text) {
        match recipient(work, &address) {
            // Whoever the message goes to anyway was found by its sender.
            Ok(mentioned) if recipients.iter().any(|other| includes(other, &mentioned)) => {}
            Ok(mentioned) if acquaintances.include(work, &mentioned)? => {
                push_new(recipients, mentioned);
            }
            Ok(_) | Err(_) => strangers.push(address),
        }
    }
    Ok(strangers)
}

/// The mail for those whom a text mentions that is not mail itself.
#[derive(Debug, Default)]
pub(crate) struct MentionMail {
    /// What sends it, to be committed with the text; `None` when it mentions nobody.
    pub(crate) effect: Option<Effect>,
    /// Whom it goes to.
    pub(crate) recipients: Vec<Recipient>,
    /// Mentions that are nobody's name here.
    pub(crate) strangers: Vec<Address>,
}

/// Writes a message with a text to everybody whom the text mentions, but for the one who wrote it and
/// one who reads it anyhow.
pub(crate) fn mail_mentioned(
    work: &Work<'_>,
    subject: &str,
    text: &str,
    reader: Option<&Recipient>,
) -> Result<MentionMail, EngineError> {
    let (project, agent) = (work.project.id, work.actor.name.clone());
    let writer = Recipient { project, branch: None, agent };
    let mut recipients: Vec<Recipient> = reader.into_iter().chain([&writer]).cloned().collect();
    let strangers = add_mentioned(work, text, &mut recipients)?;
    recipients.retain(|one| Some(one) != reader && *one != writer);
    if recipients.is_empty() {
        return Ok(MentionMail { strangers, ..MentionMail::default() });
    }
    let message = NewMessage {
        id: MessageId::new(work.fresh()),
        reply_to: None,
        subject: Title::parse_as("subject", subject)?,
        body: Body::mail(text)?,
        importance: Importance::Normal,
        ack_required: false,
        recipients: recipients.clone(),
    };
    Ok(MentionMail {
        effect: Some(Effect::Mail(MailEffect::Sent { message })),
        recipients,
        strangers,
    })
}

/// Returns the message a commit answered for.
pub(crate) fn sent_before(work: &Work<'_>, committed: &Committed) -> Result<Message, EngineError> {
    let unknown = || EngineError::UnknownMessage { raw: "?".into() };
    let id = committed.applied.iter().find_map(|applied| applied.message()).ok_or_else(unknown)?;
    work.store().message(work.project.id, MessageRef::Id(id))?.ok_or_else(unknown)
}

/// Adds a recipient, unless the message reaches it already; one without a branch takes the place
/// of those with one.
fn push_new(recipients: &mut Vec<Recipient>, recipient: Recipient) {
    if recipients.iter().any(|other| includes(other, &recipient)) {
        return;
    }
    recipients.retain(|other| !includes(&recipient, other));
    recipients.push(recipient);
}

/// Resolves an address; the agent need not have been heard of yet.
pub(crate) fn recipient(work: &Work<'_>, address: &Address) -> Result<Recipient, EngineError> {
    if address.agent.as_str() == AgentName::UNKNOWN {
        return Err(EngineError::ReservedName { name: address.agent.clone() });
    }
    let project = match &address.project {
        Some(name) => project_named(work.store(), &work.project, name)?,
        None => work.project.id,
    };
    Ok(Recipient { project, branch: address.branch.clone(), agent: address.agent.clone() })
}

/// Tells whether mail for one recipient reaches another too.
fn includes(one: &Recipient, other: &Recipient) -> bool {
    let Recipient { project, branch, agent } = one;
    (project, agent) == (&other.project, &other.agent)
        && (branch.is_none() || *branch == other.branch)
}

/// The agents that have acted, read once for each project that is mentioned.
#[derive(Default)]
struct Acquaintances {
    by_project: BTreeMap<ProjectId, BTreeSet<AgentName>>,
}

impl Acquaintances {
    /// Tells whether a mention counts: only of the person or of an agent that has acted before,
    /// because prose is full of words with an `@` in front.
    fn include(&mut self, work: &Work<'_>, mentioned: &Recipient) -> Result<bool, EngineError> {
        if mentioned.agent.as_str() == AgentName::PERSON {
            return Ok(true);
        }
        if let Some(agents) = self.by_project.get(&mentioned.project) {
            return Ok(agents.contains(&mentioned.agent));
        }
        let agents: BTreeSet<AgentName> =
            work.store().agents(mentioned.project)?.into_iter().collect();
        let acted = agents.contains(&mentioned.agent);
        self.by_project.insert(mentioned.project, agents);
        Ok(acted)
    }
}

pub(crate) fn project_named(
    store: &dyn Store,
    own: &Project,
    name: &Branch,
) -> Result<ProjectId, EngineError> {
    // One's own project wins over a namesake.
    if own.name == name.as_str() {
        return Ok(own.id);
    }
    let projects = store.projects()?;
    let mut found = projects.iter().filter(|project| project.name == name.as_str());
    match (found.next(), found.count()) {
        (Some(project), 0) => Ok(project.id),
        (Some(_), more) => {
            Err(EngineError::ManyProjects { name: name.to_string(), count: more + 1 })
        }
        (None, _) => {
            let nearest =
                nearest(name.as_str(), projects.iter().map(|project| project.name.as_str()));
            Err(EngineError::UnknownProject { name: name.to_string(), nearest })
        }
    }
}

/// Finds a message by `#7`, `project#7` or its UUID.
pub fn find_message(
    store: &dyn Store,
    project: &Project,
    raw: &str,
) -> Result<Message, EngineError> {
    let raw = raw.trim();
    let unknown = || EngineError::UnknownMessage { raw: raw.chars().take(80).collect() };
    let found = match raw.split_once('#') {
        Some((name, number)) if !name.is_empty() => {
            let other = project_named(store, project, &Branch::parse(name)?)?;
            let number = Number::parse(number).ok_or_else(unknown)?;
            store.message(other, MessageRef::Number(number))?
        }
        _ => match (Number::parse(raw), Uuid::try_parse(raw)) {
            (Some(number), _) => store.message(project.id, MessageRef::Number(number))?,
            (None, Ok(uuid)) => store.message(project.id, MessageRef::Id(MessageId::new(uuid)))?,
            (None, Err(_)) => None,
        },
    };
    found.ok_or_else(unknown)
}

/// Whose inbox is opened.
#[derive(Clone, Debug)]
pub struct InboxRequest<'a> {
    /// The agent; without one, the caller.
    pub agent: Option<&'a str>,
    /// The branch it works on; without one, the branch at hand.
    pub branch: Option<&'a str>,
    /// Whether opened mail is left out.
    pub unread_only: bool,
    /// At most so many.
    pub limit: u32,
}

/// Returns the agent whose mail is meant: the one named, else the caller.
pub fn owner(desk: &Desk, agent: Option<&str>) -> Result<AgentName, EngineError> {
    match agent {
        Some(raw) => {
            let name = raw.strip_prefix('@').unwrap_or(raw);
            Ok(AgentName::parse(name)?)
        }
        None => desk.reader(),
    }
}

/// Returns the branch whose mail is meant: the one named, else the one at hand.
pub fn branch(desk: &Desk, branch: Option<&str>) -> Result<Option<Branch>, EngineError> {
    match branch {
        Some(raw) => Ok(Some(Branch::parse(raw)?)),
        None => Ok(desk.branch()),
    }
}

/// Returns the envelopes of an inbox, newest first.
pub fn inbox(desk: &Desk, request: &InboxRequest<'_>) -> Result<Vec<Message>, EngineError> {
    // A session that has not acted yet has no name, and so nobody could write to it.
    let agent = match owner(desk, request.agent) {
        Err(EngineError::Nameless) if matches!(desk.caller(), Caller::Session { .. }) => {
            return Ok(Vec::new());
        }
        owner => owner?,
    };
    let branch = branch(desk, request.branch)?;
    let Some(here) = desk.here()? else { return Ok(Vec::new()) };
    // Mail for a session that is over reaches the one that continues its work.
    let before = if request.agent.is_none() { desk.continued()? } else { Vec::new() };
    let agents: Vec<AgentName> = [agent].into_iter().chain(before).collect();
    let query = InboxQuery {
        project: here.project.id,
        agents: &agents,
        branch: branch.as_ref(),
        unread_only: request.unread_only,
        limit: request.limit,
    };
    let mut messages = here.store.inbox(&query)?;
    messages.dedup_by_key(|message| message.id);
    Ok(messages)
}

/// Notes that messages were offered to their reader. Those noted before are left alone.
pub fn mark_delivered(
    work: &mut Work<'_>,
    agent: &AgentName,
    branch: Option<&Branch>,
    messages: &[Message],
) -> Result<(), EngineError> {
    let list: Vec<Effect> = messages
        .iter()
        .filter(|message| {
            message.recipients.iter().any(|(_, delivery)| delivery.delivered.is_none())
        })
        .map(|message| {
            Effect::Mail(MailEffect::Stepped {
                message: message.id,
                agent: addressee(message, agent),
                branch: branch.cloned(),
                step: DeliveryStep::Delivered,
            })
        })
        .collect();
    if !list.is_empty() {
        work.commit(list)?;
    }
    Ok(())
}

/// Takes a message a step further with its reader, and returns it whole.
pub fn step(
    work: &mut Work<'_>,
    agent: &AgentName,
    branch: Option<&Branch>,
    raw: &str,
    step: DeliveryStep,
) -> Result<Message, EngineError> {
    let message = find_message(work.store(), &work.project, raw)?;
    work.commit(vec![Effect::Mail(MailEffect::Stepped {
        message: message.id,
        agent: own_or_continued(work, &message, agent),
        branch: branch.cloned(),
        step,
    })])?;
    find_message(work.store(), &work.project, &message.id.to_string())
}

/// Returns the name under which a message that stands in somebody's inbox reached it: its own, or that
/// of a session whose work it continues.
fn addressee(message: &Message, reader: &AgentName) -> AgentName {
    let mut names = message.recipients.iter().map(|(recipient, _)| &recipient.agent);
    if names.clone().any(|name| name == reader) {
        return reader.clone();
    }
    names.next().unwrap_or(reader).clone()
}

/// Returns the name under which a message reached a reader who names it.
fn own_or_continued(work: &Work<'_>, message: &Message, reader: &AgentName) -> AgentName {
    let is_for =
        |name: &AgentName| message.recipients.iter().any(|(recipient, _)| recipient.agent == *name);
    let before = work.continued.iter().filter(|_| work.actor.name == *reader);
    [reader].into_iter().chain(before).find(|name| is_for(name)).unwrap_or(reader).clone()
}

/// A reservation as it is asked for.
#[derive(Clone, Debug)]
pub struct ReserveRequest<'a> {
    /// What is to be held.
    pub patterns: &'a [String],
    /// Who is to hold it; without one, the caller.
    pub agent: Option<&'a str>,
    /// For how long.
    pub minutes: u32,
    /// Whether nobody else may hold an overlapping pattern, even shared.
    pub exclusive: bool,
    /// What for.
    pub reason: Option<&'a str>,
}

/// Reserves all patterns or none.
pub fn reserve(
    work: &mut Work<'_>,
    request: &ReserveRequest<'_>,
) -> Result<Vec<Reservation>, EngineError> {
    if let Some(earlier) = work.earlier()? {
        return reservations_of(work, &earlier);
    }
    if let Some(raw) = request.agent {
        names::parse_agent(raw.strip_prefix('@').unwrap_or(raw))?;
    }
    let agent = holder(work, request.agent)?;
    if request.patterns.len() > limits::RESERVATION_PATTERNS {
        let most = limits::RESERVATION_PATTERNS;
        return Err(pacenote_model::Refusal::TooMany { what: "path patterns", most }.into());
    }
    let reason = request.reason.map(|raw| Title::parse_as("reason", raw)).transpose()?;
    let since = work.now();
    let list = request
        .patterns
        .iter()
        .map(|raw| {
            Ok(Effect::Reservation(ReservationEffect::Made {
                reservation: Reservation {
                    id: ReservationId::new(work.fresh()),
                    project: work.project.id,
                    agent: agent.clone(),
                    pattern: PathPattern::parse(raw)?,
                    exclusive: request.exclusive,
                    reason: reason.clone(),
                    since,
                    until: since.plus_minutes(request.minutes),
                },
            }))
        })
        .collect::<Result<Vec<Effect>, EngineError>>()?;
    let committed = work.commit(list)?;
    reservations_of(work, &committed)
}

/// Returns the reservations a commit answered for, as they were or are.
fn reservations_of(
    work: &Work<'_>,
    committed: &Committed,
) -> Result<Vec<Reservation>, EngineError> {
    let ids = committed.applied.iter().filter_map(|applied| applied.reservation());
    let found = ids.map(|id| work.store().reservation(id)).collect::<Result<Vec<_>, _>>()?;
    Ok(found.into_iter().flatten().collect())
}

fn holder(work: &Work<'_>, agent: Option<&str>) -> Result<AgentName, EngineError> {
    let given = agent.map(|raw| AgentName::parse(raw.strip_prefix('@').unwrap_or(raw)));
    names::known_agent(&work.actor.name, given.transpose()?)
}

/// What is to be given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release<'a> {
    /// These patterns or ids.
    Named(&'a [String]),
    /// All the agent holds.
    All,
}

/// Gives reservations back and returns them.
pub fn release(
    work: &mut Work<'_>,
    agent: Option<&str>,
    release: Release<'_>,
) -> Result<Vec<Reservation>, EngineError> {
    if let Some(earlier) = work.earlier()? {
        return reservations_of(work, &earlier);
    }
    let agent = holder(work, agent)?;
    let held: Vec<Reservation> = work
        .store()
        .reservations(work.project.id, work.now())?
        .into_iter()
        .filter(|held| held.agent == agent)
        .collect();
    let chosen: Vec<Reservation> = match release {
        Release::All => held,
        Release::Named(names) => names
            .iter()
            .map(|raw| {
                let pattern = PathPattern::parse(raw).ok();
                held.iter()
                    .find(|held| {
                        Some(&held.pattern) == pattern.as_ref() || held.id.to_string() == *raw
                    })
                    .cloned()
                    .ok_or_else(|| EngineError::UnknownReservation {
                        agent: agent.clone(),
                        raw: raw.chars().take(80).collect(),
                    })
            })
            .collect::<Result<_, _>>()?,
    };
    if !chosen.is_empty() {
        let list = chosen
            .iter()
            .map(|held| Effect::Reservation(ReservationEffect::Released { reservation: held.id }));
        work.commit(list.collect())?;
    }
    Ok(chosen)
}

/// Returns the names of projects by id, for showing mail from elsewhere.
pub fn project_names(here: &Here<'_>) -> Result<Vec<(ProjectId, String)>, EngineError> {
    Ok(here.store.projects()?.into_iter().map(|project| (project.id, project.name)).collect())
}
