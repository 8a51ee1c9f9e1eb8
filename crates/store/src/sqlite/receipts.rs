//! What was told to agents.

use pacenote_model::{
    Applied, Digest, HostId, HostName, KeptReceipt, Moment, ProjectId, Receipt, ReceiptEffect,
    ReceiptItem, Refusal, SessionId, Trust, receipt::Extent,
};
use rusqlite::{Connection, OptionalExtension, params};

use super::{
    commit::Scene,
    rows::{Cells, Id, collect},
    sessions,
};
use crate::error::Fault;

/// Applies a change of a receipt.
pub(super) fn apply(scene: &Scene<'_>, effect: &ReceiptEffect) -> Result<Applied, Fault> {
    match effect {
        ReceiptEffect::Offered { host, host_id, offered, receipt } => {
            offer(scene, host, host_id, *offered, receipt)
        }
        ReceiptEffect::Printed { host, host_id, emission, part } => {
            print(scene, host, host_id, emission, *part)
        }
    }
}

/// Notes what was offered to a session. The same emission of the same epoch is noted once.
pub(super) fn offer(
    scene: &Scene<'_>,
    host: &HostName,
    host_id: &HostId,
    offered: Moment,
    receipt: &Receipt,
) -> Result<Applied, Fault> {
    let session = known_session(scene.connection, host, host_id)?;
    let added = scene
        .connection
        .prepare_cached(
            "INSERT OR IGNORE INTO receipt (seq, project, session, emission, epoch, event, extent,
                 tokens, hidden, redacted, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            scene.sequence.get(),
            Id(scene.effects.project.uuid()),
            Id(session.uuid()),
            receipt.emission,
            receipt.epoch,
            receipt.event,
            receipt.extent.word(),
            receipt.tokens,
            receipt.hidden,
            receipt.redacted,
            offered.millis(),
        ])?;
    if added == 1 {
        add_parts(scene, receipt)?;
    }
    Ok(Applied::Session { id: session })
}

fn add_parts(scene: &Scene<'_>, receipt: &Receipt) -> Result<(), Fault> {
    let mut part = scene.connection.prepare_cached(
        "INSERT INTO receipt_part (receipt, part, digest, printed) VALUES (?1, ?2, ?3, 0)",
    )?;
    for (number, digest) in (1_i64..).zip(&receipt.parts) {
        part.execute(params![scene.sequence.get(), number, digest.bytes()])?;
    }
    let mut put = scene.connection.prepare_cached(
        "INSERT INTO receipt_item (receipt, place, id, kind, trust, reason, tokens, fate, why,
             digest, part)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    for (place, item) in (0_i64..).zip(&receipt.items) {
        put.execute(params![
            scene.sequence.get(),
            place,
            item.id,
            item.kind,
            item.trust.word(),
            item.reason,
            item.tokens,
            item.fate,
            item.why,
            item.digest.bytes(),
            item.part,
        ])?;
    }
    Ok(())
}

/// Notes that a part was printed.
pub(super) fn print(
    scene: &Scene<'_>,
    host: &HostName,
    host_id: &HostId,
    emission: &str,
    part: u8,
) -> Result<Applied, Fault> {
    let session = known_session(scene.connection, host, host_id)?;
    scene
        .connection
        .prepare_cached(
            "UPDATE receipt_part SET printed = 1 WHERE part = ?3 AND receipt =
                 (SELECT max(seq) FROM receipt WHERE session = ?1 AND emission = ?2)",
        )?
        .execute(params![Id(session.uuid()), emission, part])?;
    Ok(Applied::Session { id: session })
}

pub(super) fn known_session(
    connection: &Connection,
    host: &HostName,
    host_id: &HostId,
) -> Result<SessionId, Fault> {
    let session = sessions::session(connection, host, host_id)?;
    Ok(session.ok_or(Refusal::UnknownSession)?.id)
}

const RECEIPT: &str = "SELECT seq, session, emission, epoch, event, extent, tokens, hidden, \
                       redacted, at FROM receipt";

pub(super) fn of_session(
    connection: &Connection,
    session: SessionId,
) -> Result<Vec<KeptReceipt>, Fault> {
    let mut statement =
        connection.prepare_cached(&format!("{RECEIPT} WHERE session = ?1 ORDER BY seq"))?;
    let found = collect(statement.query([Id(session.uuid())])?, receipt)?;
    found.into_iter().map(|(seq, kept)| completed(connection, seq, kept)).collect()
}

pub(super) fn with_item(
    connection: &Connection,
    project: ProjectId,
    item: &str,
    limit: u32,
) -> Result<Vec<KeptReceipt>, Fault> {
    let mut statement = connection.prepare_cached(&format!(
        "{RECEIPT} WHERE project = ?1
             AND seq IN (SELECT receipt FROM receipt_item
                         WHERE id = ?2 OR substr(id, 1, length(?2) + 1) = ?2 || '#')
         ORDER BY seq DESC LIMIT ?3"
    ))?;
    let found = collect(statement.query(params![Id(project.uuid()), item, limit])?, receipt)?;
    found.into_iter().map(|(seq, kept)| completed(connection, seq, kept)).collect()
}

fn receipt(cells: &mut Cells<'_>) -> Result<(i64, KeptReceipt), Fault> {
    let seq = cells.value()?;
    let session = cells.id(SessionId::new)?;
    let receipt = Receipt {
        emission: cells.value()?,
        epoch: cells.value()?,
        event: cells.value()?,
        extent: cells.word("receipt.extent", Extent::from_word)?,
        tokens: cells.value()?,
        hidden: cells.value()?,
        redacted: cells.value()?,
        parts: Vec::new(),
        items: Vec::new(),
    };
    Ok((seq, KeptReceipt { receipt, session, at: cells.moment()?, printed: Vec::new() }))
}

fn completed(
    connection: &Connection,
    seq: i64,
    mut kept: KeptReceipt,
) -> Result<KeptReceipt, Fault> {
    let mut parts = connection.prepare_cached(
        "SELECT part, digest, printed FROM receipt_part WHERE receipt = ?1 ORDER BY part",
    )?;
    let parts = collect(parts.query([seq])?, |cells| {
        Ok((cells.value::<u8>()?, Digest::new(cells.value()?), cells.value::<bool>()?))
    })?;
    for (part, digest, is_printed) in parts {
        kept.receipt.parts.push(digest);
        kept.printed.extend(is_printed.then_some(part));
    }
    let mut items = connection.prepare_cached(
        "SELECT id, kind, trust, reason, tokens, fate, why, digest, part
         FROM receipt_item WHERE receipt = ?1 ORDER BY place",
    )?;
    kept.receipt.items = collect(items.query([seq])?, |cells| {
        Ok(ReceiptItem {
            id: cells.value()?,
            kind: cells.value()?,
            trust: cells.word("receipt_item.trust", Trust::from_word)?,
            reason: cells.value()?,
            tokens: cells.value()?,
            fate: cells.value()?,
            why: cells.value()?,
            digest: Digest::new(cells.value()?),
            part: cells.value()?,
        })
    })?;
    Ok(kept)
}

pub(super) fn keep_told(
    connection: &Connection,
    texts: &[(Digest, String)],
    at: Moment,
) -> Result<(), Fault> {
    // What is told again is kept longer.
    let mut put = connection.prepare_cached(
        "INSERT INTO told_text (digest, text, at) VALUES (?1, ?2, ?3)
         ON CONFLICT (digest) DO UPDATE SET at = max(at, excluded.at)",
    )?;
    for (digest, text) in texts {
        put.execute(params![digest.bytes(), text, at.millis()])?;
    }
    Ok(())
}

pub(super) fn told(connection: &Connection, digest: &Digest) -> Result<Option<String>, Fault> {
    Ok(connection
        .prepare_cached("SELECT text FROM told_text WHERE digest = ?1")?
        .query_row([digest.bytes()], |row| row.get(0))
        .optional()?)
}

pub(super) fn forget_told(connection: &Connection, before: Moment) -> Result<u64, Fault> {
    let gone = connection
        .prepare_cached("DELETE FROM told_text WHERE at < ?1")?
        .execute([before.millis()])?;
    Ok(gone.try_into().unwrap_or(u64::MAX))
}
