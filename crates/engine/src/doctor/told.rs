//! What sessions were not told, because there was no room for it.

use std::collections::BTreeMap;

use pacenote_context::pack::Why;

use super::{Check, counted};
use crate::{Desk, EngineError};

/// Sessions that are looked at, the newest first: what happened long ago is nobody's trouble now.
const SESSIONS: usize = 20;

/// Kinds of things that are named.
const SHOWN: usize = 5;

/// Looks at the receipts of the last sessions of the project at hand.
pub fn look_at_receipts(desk: &Desk) -> Result<Option<Check>, EngineError> {
    let Some(here) = desk.here()? else { return Ok(None) };
    let mut sessions = here.store.sessions(here.project.id)?;
    sessions.sort_by_key(|session| std::cmp::Reverse(session.last_seen));
    let (mut receipts, mut left_out) = (0, BTreeMap::<String, usize>::new());
    for session in sessions.iter().take(SESSIONS) {
        for kept in here.store.receipts(session.id)? {
            receipts += 1;
            let items = kept.receipt.items.iter().filter(|item| {
                let for_want_of_room = [Why::Budget, Why::Ceiling, Why::Cap].map(Why::sentence);
                item.why.as_deref().is_some_and(|why| for_want_of_room.contains(&why))
                    && !item.is_shown()
            });
            for item in items {
                *left_out.entry(item.kind.clone()).or_default() += 1;
            }
        }
    }
    if receipts == 0 {
        return Ok(None);
    }
    let told = counted(receipts, "answer");
    if left_out.is_empty() {
        return Ok(Some(Check::good("told", format!("{told}, all within the budget"))));
    }
    let kinds: Vec<String> =
        left_out.iter().take(SHOWN).map(|(kind, count)| format!("{kind} {count} times")).collect();
    let said = format!("{told}; for want of room left out: {}", kinds.join(", "));
    let hint = "`pacenote brief --explain` shows it; `context.budget_tokens` gives more room";
    Ok(Some(Check::doubtful("told", said, hint)))
}
