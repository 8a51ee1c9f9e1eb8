//! `pacenote mail`.

mod arguments;

use pacenote_engine::{
    Desk, EngineError,
    mail::{self, InboxRequest, Release, ReserveRequest, SendRequest},
};
use pacenote_model::{
    Address, Delivery, Importance, Message, ProjectId, Reservation, mail::DeliveryStep,
};
use pacenote_store::Access;
use serde::Serialize;

pub(crate) use self::arguments::MailArguments;
use self::arguments::{
    InboxArguments, MailCommand, OpenArguments, ReleaseArguments, ReserveArguments, SendArguments,
};
use super::{columns, one_line, quoted, report_upkeep, text_or_input};
use crate::{
    arguments::JsonFlag,
    environment::{Environment, repeatable, repeatable_text},
    failure::Failure,
    output::Output,
    views::{MessageView, ProjectNames, ReservationView, address, message_reference},
};

pub(crate) fn run(
    environment: &Environment,
    arguments: &MailArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    match &arguments.verb {
        MailCommand::Send(send) => self::send(environment, send, output),
        MailCommand::Inbox(inbox) => self::inbox(environment, inbox, output),
        MailCommand::Read(open) => self::open(environment, open, DeliveryStep::Read, output),
        MailCommand::Ack(open) => self::open(environment, open, DeliveryStep::Acked, output),
        MailCommand::Reserve(reserve) => self::reserve(environment, reserve, output),
        MailCommand::Release(release) => self::release(environment, release, output),
        MailCommand::Reservations(list) => self::reservations(environment, list.json, output),
    }
}

fn send(
    environment: &Environment,
    send: &SendArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let body = text_or_input(&send.body)?;
    let mut desk = environment.desk(Access::Write)?;
    let request = repeatable_text(send.write.key.as_deref(), &send.body, &body)?;
    let mut work = desk.begin(request)?;
    let request = SendRequest {
        to: &send.to,
        subject: &send.subject,
        body: &body,
        importance: send.importance.into(),
        ack_required: send.ack,
        reply_to: send.reply_to.as_deref(),
    };
    let outcome = mail::send(&mut work, &request)?;
    if !outcome.strangers.is_empty() {
        let named = named(&outcome.strangers);
        output.warn(&format!("nobody here is called {named}; it went to the others"));
    }
    let projects = names(&desk)?;
    if send.write.json.json {
        output.json(&MessageView::new(&outcome.message, &projects))?;
    } else {
        let message = &outcome.message;
        let to: Vec<String> = message
            .recipients
            .iter()
            .map(|(recipient, _)| address(recipient, message.project, &projects))
            .collect();
        output.text(&one_line(&format!(
            "sent {} from @{} to {}",
            message.number,
            message.sender,
            to.join(", ")
        )))?;
    }
    report_upkeep(environment, &desk, output);
    Ok(())
}

/// Most strangers named in a warning: a body may hold thousands.
const STRANGERS_NAMED: usize = 5;

/// Warns of mentions that went to nobody.
pub(crate) fn warn_of_strangers(strangers: &[Address], output: &mut Output) {
    if !strangers.is_empty() {
        output.warn(&format!("nobody here is called {}", named(strangers)));
    }
}

/// Names the first few strangers and counts the rest.
fn named(strangers: &[Address]) -> String {
    let shown = strangers.iter().take(STRANGERS_NAMED).map(|stranger| format!("`{stranger}`"));
    let names = shown.collect::<Vec<_>>().join(", ");
    match strangers.len().saturating_sub(STRANGERS_NAMED) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

fn names(desk: &Desk) -> Result<ProjectNames, Failure> {
    match desk.here()? {
        Some(here) => Ok(mail::project_names(&here)?),
        None => Ok(Vec::new()),
    }
}

#[derive(Serialize)]
struct MessagesView {
    messages: Vec<MessageView>,
}

fn inbox(
    environment: &Environment,
    inbox: &InboxArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let limit = match inbox.limit {
        Some(limit) => limit,
        None => environment.settings()?.mail_inbox_limit(),
    };
    let request = InboxRequest {
        agent: inbox.agent.as_deref(),
        branch: inbox.branch.as_deref(),
        unread_only: inbox.unread,
        limit,
    };
    let desk = environment.desk(Access::Read)?;
    let messages = mail::inbox(&desk, &request)?;
    let projects = names(&desk)?;
    let home = desk.here()?.map(|here| here.project.id);
    if inbox.json.json {
        let messages = messages.iter().map(|message| MessageView::new(message, &projects));
        output.json(&MessagesView { messages: messages.collect() })?;
    } else if messages.is_empty() {
        output.say("no mail");
    } else {
        output.text(&envelopes(&messages, home, &projects))?;
    }
    let fresh = |message: &Message| message.recipients.iter().any(|(_, d)| d.delivered.is_none());
    if !inbox.peek && messages.iter().any(fresh) {
        // The mail was shown; that it could not be noted, on a read-only disk, is no failure.
        if let Err(failure) = note_delivery(environment, inbox, &messages) {
            output.warn("that these were delivered could not be noted");
            output.fail(&failure);
        }
    }
    Ok(())
}

fn note_delivery(
    environment: &Environment,
    inbox: &InboxArguments,
    messages: &[Message],
) -> Result<(), Failure> {
    let mut desk = environment.desk(Access::Write)?;
    let agent = mail::owner(&desk, inbox.agent.as_deref())?;
    let branch = mail::branch(&desk, inbox.branch.as_deref())?;
    Ok(mail::mark_delivered(&mut desk.begin(None)?, &agent, branch.as_ref(), messages)?)
}

fn envelopes(messages: &[Message], home: Option<ProjectId>, projects: &ProjectNames) -> String {
    let rows: Vec<[String; 5]> = messages
        .iter()
        .map(|message| {
            let number = message_reference(message, home, projects);
            let delivery =
                message.recipients.first().map(|(_, delivery)| *delivery).unwrap_or_default();
            [
                number,
                state(&delivery, message.ack_required).into(),
                message.importance.word().into(),
                format!("@{}", message.sender),
                message.subject.to_string(),
            ]
        })
        .collect();
    columns(&rows)
}

/// Says how far a message has come with its reader.
const fn state(delivery: &Delivery, ack_required: bool) -> &'static str {
    match (delivery.read, delivery.acked, ack_required) {
        (_, Some(_), _) => "acked",
        (Some(_), None, true) => "wants ack",
        (Some(_), None, false) => "read",
        (None, None, _) if delivery.delivered.is_some() => "unread",
        (None, None, _) => "new",
    }
}

fn open(
    environment: &Environment,
    open: &OpenArguments,
    step: DeliveryStep,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut desk = environment.desk(Access::Write)?;
    let agent = mail::owner(&desk, open.agent.as_deref())?;
    let branch = desk.branch();
    let mut work = desk.begin(repeatable(open.write.key.as_deref())?)?;
    let message = mail::step(&mut work, &agent, branch.as_ref(), &open.message, step)?;
    let projects = names(&desk)?;
    let home = desk.here()?.map(|here| here.project.id);
    if open.write.json.json {
        output.json(&MessageView::new(&message, &projects))?;
    } else {
        match step {
            DeliveryStep::Delivered | DeliveryStep::Read => {
                let thread = thread_of(&desk, &message)?;
                output.text(&letter(&message, &thread, home, &projects))?;
            }
            DeliveryStep::Acked => {
                let number = message_reference(&message, home, &projects);
                let subject = &message.subject;
                output.text(&one_line(&format!("acknowledged {number} {subject}")))?;
            }
        }
    }
    report_upkeep(environment, &desk, output);
    Ok(())
}

/// Stands before every line of a body, so that none of them can pass for a line of the envelope or
/// for what is printed next.
const BODY: &str = "| ";

/// Shows a whole message.
/// Returns the other messages of a thread, oldest first.
fn thread_of(desk: &Desk, message: &Message) -> Result<Vec<Message>, Failure> {
    let Some(store) = desk.store() else { return Ok(Vec::new()) };
    let mut thread = store.thread(message.thread).map_err(EngineError::from)?;
    thread.retain(|other| other.id != message.id);
    Ok(thread)
}

fn letter(
    message: &Message,
    thread: &[Message],
    home: Option<ProjectId>,
    projects: &ProjectNames,
) -> String {
    let to: Vec<String> = message
        .recipients
        .iter()
        .map(|(recipient, _)| address(recipient, message.project, projects))
        .collect();
    let mut lines = vec![
        format!("{} {}", message_reference(message, home, projects), message.subject),
        format!("from: @{} ({})", message.sender, message.trust.word()),
        format!("to: {}", to.join(", ")),
        format!("sent: {}", message.sent),
    ];
    for other in thread {
        let reference = message_reference(other, home, projects);
        lines.push(format!("in thread: {reference} {} (@{})", other.subject, other.sender));
    }
    if message.importance != Importance::Normal {
        lines.push(format!("importance: {}", message.importance.word()));
    }
    if message.ack_required {
        lines.push("wants an acknowledgement".into());
    }
    lines.push(String::new());
    let mut lines: Vec<String> = lines.iter().map(|line| one_line(line)).collect();
    lines.extend(message.body.as_ref().map(|body| quoted(body.as_str(), BODY)));
    lines.join("\n")
}

#[derive(Serialize)]
struct ReservationsView {
    reservations: Vec<ReservationView>,
}

impl ReservationsView {
    fn new(reservations: &[Reservation]) -> Self {
        Self { reservations: reservations.iter().map(ReservationView::new).collect() }
    }
}

fn reserve(
    environment: &Environment,
    reserve: &ReserveArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let minutes = match reserve.minutes {
        Some(minutes) => minutes,
        None => environment.settings()?.mail_reservation_minutes(),
    };
    let mut desk = environment.desk(Access::Write)?;
    let mut work = desk.begin(repeatable(reserve.write.key.as_deref())?)?;
    let request = ReserveRequest {
        patterns: &reserve.patterns,
        agent: reserve.agent.as_deref(),
        minutes,
        exclusive: !reserve.shared,
        reason: reserve.reason.as_deref(),
    };
    let held = mail::reserve(&mut work, &request)?;
    show_reservations(&held, reserve.write.json, "reserved", output)?;
    report_upkeep(environment, &desk, output);
    Ok(())
}

fn release(
    environment: &Environment,
    release: &ReleaseArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut desk = environment.desk(Access::Write)?;
    let mut work = desk.begin(repeatable(release.write.key.as_deref())?)?;
    let wanted = if release.all { Release::All } else { Release::Named(&release.patterns) };
    let given_back = mail::release(&mut work, release.agent.as_deref(), wanted)?;
    show_reservations(&given_back, release.write.json, "released", output)?;
    report_upkeep(environment, &desk, output);
    Ok(())
}

fn reservations(
    environment: &Environment,
    json: JsonFlag,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let held = match desk.here()? {
        Some(here) => here
            .store
            .reservations(here.project.id, desk.clock().now())
            .map_err(EngineError::from)?,
        None => Vec::new(),
    };
    if held.is_empty() && !json.json {
        output.say("nothing is reserved");
        return Ok(());
    }
    show_reservations(&held, json, "", output)
}

fn show_reservations(
    reservations: &[Reservation],
    json: JsonFlag,
    done: &str,
    output: &mut Output,
) -> Result<(), Failure> {
    if json.json {
        return output.json(&ReservationsView::new(reservations));
    }
    let rows: Vec<[String; 4]> = reservations
        .iter()
        .map(|held| {
            let pattern = format!("{done} {}", held.pattern);
            let how = if held.exclusive { "exclusive" } else { "shared" };
            let reason = held.reason.as_ref().map(|reason| format!(": {reason}"));
            [
                pattern.trim_start().into(),
                how.into(),
                format!("until {}", held.until),
                format!("@{}{}", held.agent, reason.unwrap_or_default()),
            ]
        })
        .collect();
    output.text(&columns(&rows))
}
