//! What agents read before: which receipt names a thing, and all that a session read.

use pacenote_context::fragment::FragmentKind;
use pacenote_model::{KeptReceipt, Session, TaskRef};
use pacenote_store::Store;

use crate::{Clock, Desk, EngineError};

/// Receipts that are looked through for one item; the newest answer is what is asked for.
const RECEIPTS: u32 = 20;

/// When and why something was injected.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub session: Session,
    pub receipt: KeptReceipt,
    /// The items that were asked about.
    pub items: Vec<usize>,
}

/// Returns the deliveries in which something was injected in this project, the newest first.
///
/// It is named like in a receipt (`mail:#7`, `skill:writing-plans`), by its bare name, or, for a
/// task, by its id.
pub fn why(desk: &Desk, raw: &str) -> Result<Vec<Delivery>, EngineError> {
    let Some(here) = desk.here()? else { return Ok(Vec::new()) };
    let sessions = here.store.sessions(here.project.id)?;
    let names =
        [raw.to_owned(), format!("skill:{raw}"), format!("skills:{raw}"), format!("mail:{raw}")];
    let mut found: Vec<KeptReceipt> = Vec::new();
    for name in &names {
        found.extend(here.store.receipts_with(here.project.id, name, RECEIPTS)?);
    }
    let is_asked = |id: &str| {
        names.iter().any(|name| {
            id == name || id.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('#'))
        })
    };
    let mut deliveries = Vec::new();
    for receipt in found {
        let items = receipt.receipt.items.iter().enumerate();
        let items = items.filter(|(_, item)| is_asked(&item.id)).map(|(place, _)| place).collect();
        add(&mut deliveries, &sessions, receipt, items);
    }
    if let Ok(task) = TaskRef::parse(raw)
        && let Some(task) = here.store.task(here.project.id, &task)?
    {
        for session in &sessions {
            for receipt in
                here.store.receipts(session.id)?.into_iter().rev().take(RECEIPTS as usize)
            {
                let items = naming(here.store, &receipt, task.short.as_str())?;
                if !items.is_empty() {
                    add(&mut deliveries, &sessions, receipt, items);
                }
            }
        }
    }
    deliveries.sort_by_key(|delivery: &Delivery| std::cmp::Reverse(delivery.receipt.at));
    Ok(deliveries)
}

/// Returns the last delivery to the session that was seen last among those that got any, with all that
/// was in it.
pub fn find_last(desk: &Desk) -> Result<Option<Delivery>, EngineError> {
    let Some(here) = desk.here()? else { return Ok(None) };
    let mut sessions = here.store.sessions(here.project.id)?;
    sessions.sort_by_key(|session| std::cmp::Reverse(session.last_seen));
    for session in sessions {
        if let Some(receipt) = here.store.receipts(session.id)?.pop() {
            let items = (0..receipt.receipt.items.len()).collect();
            return Ok(Some(Delivery { session, receipt, items }));
        }
    }
    Ok(None)
}

fn add(
    deliveries: &mut Vec<Delivery>,
    sessions: &[Session],
    receipt: KeptReceipt,
    items: Vec<usize>,
) {
    let is_same = |known: &&mut Delivery| {
        known.receipt.session == receipt.session
            && known.receipt.receipt.epoch == receipt.receipt.epoch
            && known.receipt.receipt.emission == receipt.receipt.emission
    };
    // One text may be asked for in several ways at once.
    if let Some(known) = deliveries.iter_mut().find(is_same) {
        known.items.extend(items);
        known.items.sort_unstable();
        known.items.dedup();
        return;
    }
    let session = sessions.iter().find(|session| session.id == receipt.session);
    if let Some(session) = session {
        deliveries.push(Delivery { session: session.clone(), receipt, items });
    }
}

/// Returns the items about tasks, when the text of a receipt names one.
fn naming(store: &dyn Store, kept: &KeptReceipt, short: &str) -> Result<Vec<usize>, EngineError> {
    let mut is_named = false;
    for digest in &kept.receipt.parts {
        is_named |= store.told(digest)?.is_some_and(|text| text.contains(short));
    }
    if !is_named {
        return Ok(Vec::new());
    }
    let about =
        [FragmentKind::TASKS, FragmentKind::POSITION, FragmentKind::NEXT].map(FragmentKind::word);
    let items = kept.receipt.items.iter().enumerate();
    Ok(items.filter(|(_, item)| about.contains(&item.kind.as_str())).map(|(at, _)| at).collect())
}

/// Something that a session read, with its texts.
#[derive(Clone, Debug)]
pub struct Replayed {
    pub receipt: KeptReceipt,
    /// The texts of its parts; `None` where it is not kept any more.
    pub texts: Vec<Option<String>>,
}

/// Returns everything a session read, in order.
pub fn replay(desk: &Desk, session: &Session) -> Result<Vec<Replayed>, EngineError> {
    let Some(store) = desk.store() else { return Ok(Vec::new()) };
    store
        .receipts(session.id)?
        .into_iter()
        .map(|receipt| {
            let texts: Result<Vec<_>, _> =
                receipt.receipt.parts.iter().map(|digest| store.told(digest)).collect();
            Ok(Replayed { texts: texts?, receipt })
        })
        .collect()
}

/// Deletes the texts that were injected more than so many days ago; their receipts stay.
pub fn forget_old(store: &mut dyn Store, days: u32, clock: Clock) -> Result<(), EngineError> {
    const MILLISECONDS_A_DAY: i64 = 24 * 60 * 60 * 1000;
    let age = i64::from(days).saturating_mul(MILLISECONDS_A_DAY);
    let before = clock.now().millis().saturating_sub(age);
    store.forget_told(pacenote_model::Moment::from_millis(before))?;
    Ok(())
}
