//! Mail and reservations.

use pacenote_model::{
    AgentName, Applied, Body, Branch, Delivery, Importance, MailEffect, Message, MessageId, Moment,
    NewMessage, Number, PathPattern, ProjectId, Recipient, Refusal, Reservation, ReservationEffect,
    ReservationId, ThreadId, Title, Trust, guard, limits, mail::DeliveryStep,
};
use rusqlite::{Connection, params};

use super::{
    commit::Scene,
    rows::{Cells, Id, collect, first},
};
use crate::{InboxQuery, MessageRef, error::Fault};

/// Applies a change of a message.
pub(super) fn apply(scene: &Scene<'_>, effect: &MailEffect) -> Result<Applied, Fault> {
    match effect {
        MailEffect::Sent { message } => send(scene, message),
        MailEffect::Stepped { message, agent, branch, step: to } => {
            step(scene, *message, agent, branch.as_ref(), *to)
        }
    }
}

/// Applies a change of a reservation.
pub(super) fn apply_reservation(
    scene: &Scene<'_>,
    effect: &ReservationEffect,
) -> Result<Applied, Fault> {
    match effect {
        ReservationEffect::Made { reservation } => reserve(scene, reservation),
        ReservationEffect::Released { reservation } => release(scene, *reservation),
    }
}

/// Sends a message. The sender is whoever the commit names, never a part of the message.
pub(super) fn send(scene: &Scene<'_>, message: &NewMessage) -> Result<Applied, Fault> {
    if message.recipients.len() > limits::MAIL_RECIPIENTS {
        let most = limits::MAIL_RECIPIENTS;
        return Err(Refusal::TooMany { what: "recipients of one message", most }.into());
    }
    let project = scene.effects.project;
    let thread = match message.reply_to {
        Some(earlier) => {
            self::message(scene.connection, project, MessageRef::Id(earlier))?
                .ok_or(Refusal::UnknownMessage)?
                .thread
        }
        None => ThreadId::new(message.id.uuid()),
    };
    let sender = &scene.effects.by;
    scene.agent_acts(&sender.name)?;
    let number = scene.next_number("message")?;
    scene
        .connection
        .prepare_cached(
            "INSERT INTO message (id, seq, project, number, thread, sender, trust, subject, body,
                 importance, ack_required, sent)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            Id(message.id.uuid()),
            scene.sequence.get(),
            Id(project.uuid()),
            number.get(),
            Id(thread.uuid()),
            sender.name.as_str(),
            sender.trust.word(),
            message.subject.as_str(),
            message.body.as_str(),
            message.importance.word(),
            message.ack_required,
            scene.effects.at.millis(),
        ])?;
    let mut insert = scene.connection.prepare_cached(
        "INSERT OR IGNORE INTO recipient (project, agent, seq, message, branch)
         VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for recipient in &message.recipients {
        insert.execute(params![
            Id(recipient.project.uuid()),
            recipient.agent.as_str(),
            scene.sequence.get(),
            Id(message.id.uuid()),
            recipient.branch.as_ref().map_or("", Branch::as_str),
        ])?;
    }
    Ok(Applied::Message { id: message.id })
}

/// Takes a message a step further with one recipient.
pub(super) fn step(
    scene: &Scene<'_>,
    message: MessageId,
    agent: &AgentName,
    branch: Option<&Branch>,
    step: DeliveryStep,
) -> Result<Applied, Fault> {
    let project = scene.effects.project;
    let found = recipients(scene.connection, message)?;
    if found.is_empty() {
        return Err(Refusal::UnknownMessage.into());
    }
    let mut theirs = found
        .iter()
        .filter(|(recipient, _)| {
            recipient.project == project
                && recipient.agent == *agent
                && (recipient.branch.is_none() || recipient.branch.as_ref() == branch)
        })
        .peekable();
    if theirs.peek().is_none() {
        return Err(Refusal::NotRecipient { agent: agent.clone() }.into());
    }
    for (recipient, delivery) in theirs {
        let next = delivery.after(step, scene.effects.at);
        scene
            .connection
            .prepare_cached(
                "UPDATE recipient SET delivered = ?4, read = ?5, acked = ?6
                 WHERE message = ?1 AND agent = ?2 AND branch = ?3 AND project = ?7",
            )?
            .execute(params![
                Id(message.uuid()),
                agent.as_str(),
                recipient.branch.as_ref().map_or("", Branch::as_str),
                next.delivered.map(Moment::millis),
                next.read.map(Moment::millis),
                next.acked.map(Moment::millis),
                Id(project.uuid()),
            ])?;
    }
    Ok(Applied::Message { id: message })
}

/// The columns of an envelope.
const ENVELOPE: &str = "message.id, message.number, message.project, message.thread, \
                        message.sender, message.trust, message.subject, message.importance, \
                        message.ack_required, message.sent";

/// The columns of a recipient.
const RECIPIENT: &str = "recipient.project, recipient.branch, recipient.agent, \
                         recipient.delivered, recipient.read, recipient.acked";

pub(super) fn inbox(
    connection: &Connection,
    query: &InboxQuery<'_>,
) -> Result<Vec<Message>, Fault> {
    let names: Vec<&str> = query.agents.iter().map(AgentName::as_str).collect();
    let names = serde_json::to_string(&names).map_err(|_| Fault::Odd("recipient.agent"))?;
    let mut statement = connection.prepare(&format!(
        "SELECT {ENVELOPE}, {RECIPIENT}
         FROM recipient JOIN message ON message.id = recipient.message
         WHERE recipient.project = ?1
             AND recipient.agent IN (SELECT value FROM json_each(?2)) AND recipient.branch IN ('', ?3)
             AND (NOT ?4 OR recipient.read IS NULL)
         ORDER BY recipient.seq DESC LIMIT ?5"
    ))?;
    let rows = statement.query(params![
        Id(query.project.uuid()),
        names,
        query.branch.map_or("", Branch::as_str),
        query.unread_only,
        query.limit,
    ])?;
    collect(rows, |cells| {
        let mut message = envelope(cells)?;
        message.recipients = vec![recipient(cells)?];
        Ok(message)
    })
}

pub(super) fn message(
    connection: &Connection,
    project: ProjectId,
    message: MessageRef,
) -> Result<Option<Message>, Fault> {
    let one = |condition: &str, values: &[&dyn rusqlite::ToSql]| {
        let sql = format!("SELECT {ENVELOPE}, message.body FROM message WHERE {condition}");
        first(connection.prepare_cached(&sql)?.query(values)?, |cells| {
            let mut message = envelope(cells)?;
            message.body = Some(cells.text("message.body", Body::mail)?);
            Ok(message)
        })
    };
    let found = match message {
        MessageRef::Id(id) => one("id = ?1", params![Id(id.uuid())]),
        MessageRef::Number(number) => {
            one("project = ?1 AND number = ?2", params![Id(project.uuid()), number.get()])
        }
    }?;
    found
        .map(|mut message| {
            message.recipients = recipients(connection, message.id)?;
            Ok(message)
        })
        .transpose()
}

pub(super) fn thread(connection: &Connection, thread: ThreadId) -> Result<Vec<Message>, Fault> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {ENVELOPE} FROM message WHERE thread = ?1 ORDER BY seq"
    ))?;
    collect(statement.query([Id(thread.uuid())])?, |cells| {
        let mut message = envelope(cells)?;
        message.recipients = recipients(connection, message.id)?;
        Ok(message)
    })
}

fn recipients(
    connection: &Connection,
    message: MessageId,
) -> Result<Vec<(Recipient, Delivery)>, Fault> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {RECIPIENT} FROM recipient WHERE message = ?1 ORDER BY project, agent, branch"
    ))?;
    collect(statement.query([Id(message.uuid())])?, recipient)
}

fn recipient(cells: &mut Cells<'_>) -> Result<(Recipient, Delivery), Fault> {
    let recipient = Recipient {
        project: cells.id(ProjectId::new)?,
        branch: cells.text("recipient.branch", |raw| {
            if raw.is_empty() { Ok(None) } else { Branch::parse(raw).map(Some) }
        })?,
        agent: cells.text("recipient.agent", AgentName::parse)?,
    };
    let delivery = Delivery {
        delivered: cells.moment_if_any()?,
        read: cells.moment_if_any()?,
        acked: cells.moment_if_any()?,
    };
    Ok((recipient, delivery))
}

/// Reads a message without its body and its recipients.
fn envelope(cells: &mut Cells<'_>) -> Result<Message, Fault> {
    Ok(Message {
        id: cells.id(MessageId::new)?,
        number: Number::new(cells.value()?),
        project: cells.id(ProjectId::new)?,
        thread: cells.id(ThreadId::new)?,
        sender: cells.text("message.sender", AgentName::parse)?,
        trust: cells.word("message.trust", Trust::from_word)?,
        subject: cells.text("message.subject", Title::parse)?,
        body: None,
        importance: cells.word("message.importance", Importance::from_word)?,
        ack_required: cells.value()?,
        sent: cells.moment()?,
        recipients: Vec::new(),
    })
}

/// Reserves a pattern, or renews what the same agent holds already.
pub(super) fn reserve(scene: &Scene<'_>, wanted: &Reservation) -> Result<Applied, Fault> {
    let held = reservations(scene.connection, scene.effects.project, scene.effects.at)?;
    let own = guard::reserve(&held, wanted)?;
    scene.agent_acts(&wanted.agent)?;
    scene
        .connection
        .prepare_cached(
            "INSERT INTO reservation (id, project, agent, pattern, exclusive, reason, since, until)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (id) DO UPDATE SET
                 exclusive = ?5, reason = COALESCE(?6, reason), until = MAX(until, ?8)",
        )?
        .execute(params![
            Id(own.uuid()),
            Id(scene.effects.project.uuid()),
            wanted.agent.as_str(),
            wanted.pattern.as_str(),
            wanted.exclusive,
            wanted.reason.as_ref().map(Title::as_str),
            wanted.since.millis(),
            wanted.until.millis(),
        ])?;
    Ok(Applied::Reservation { id: own })
}

/// Gives a reservation back.
pub(super) fn release(scene: &Scene<'_>, reservation: ReservationId) -> Result<Applied, Fault> {
    let changed = scene
        .connection
        .prepare_cached(
            "UPDATE reservation SET released = ?2
             WHERE id = ?1 AND project = ?3 AND released IS NULL",
        )?
        .execute(params![
            Id(reservation.uuid()),
            scene.effects.at.millis(),
            Id(scene.effects.project.uuid())
        ])?;
    if changed == 0 {
        return Err(Refusal::UnknownReservation.into());
    }
    Ok(Applied::Reservation { id: reservation })
}

const RESERVATION: &str =
    "SELECT id, project, agent, pattern, exclusive, reason, since, until FROM reservation";

pub(super) fn reservation(
    connection: &Connection,
    id: ReservationId,
) -> Result<Option<Reservation>, Fault> {
    let mut statement = connection.prepare_cached(&format!("{RESERVATION} WHERE id = ?1"))?;
    first(statement.query([Id(id.uuid())])?, reservation_cells)
}

pub(super) fn reservations(
    connection: &Connection,
    project: ProjectId,
    at: Moment,
) -> Result<Vec<Reservation>, Fault> {
    let mut statement = connection.prepare_cached(&format!(
        "{RESERVATION} WHERE project = ?1 AND until > ?2 AND released IS NULL ORDER BY id"
    ))?;
    collect(statement.query(params![Id(project.uuid()), at.millis()])?, reservation_cells)
}

fn reservation_cells(cells: &mut Cells<'_>) -> Result<Reservation, Fault> {
    Ok(Reservation {
        id: cells.id(ReservationId::new)?,
        project: cells.id(ProjectId::new)?,
        agent: cells.text("reservation.agent", AgentName::parse)?,
        pattern: cells.text("reservation.pattern", PathPattern::parse)?,
        exclusive: cells.value()?,
        reason: cells.text_if_any("reservation.reason", Title::parse)?,
        since: cells.moment()?,
        until: cells.moment()?,
    })
}
