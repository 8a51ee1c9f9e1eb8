//! Who may write, and who waits for whom.
//!
//! Writers share a lock, and a restore needs it alone. The system hands out a shared lock as long as
//! others share it, whoever waits for it alone, so a restore beside busy writers would never get it.
//! Therefore everybody passes another lock on the way: a writer only on entering, a restore for as
//! long as it waits and works. Once a restore has that one, nobody enters, and it waits for those
//! inside and for nobody else.
//!
//! A process that has the store open for writing must not open it for writing again: it would wait
//! for a restore that waits for it.

use pacenote_files::FileLock;

use crate::{Place, StoreError};

/// The locks of a restore: nobody else writes, and nobody begins to.
#[derive(Debug)]
#[expect(dead_code, reason = "the locks are held by being there")]
pub(crate) struct Alone {
    inside: FileLock,
    entrance: FileLock,
}

/// Waits until no restore waits or works, and keeps the next one waiting.
pub(crate) fn share(place: &Place) -> Result<FileLock, StoreError> {
    let _entering = FileLock::shared(&place.restore_lock())?;
    Ok(FileLock::shared(&place.lock())?)
}

/// Shares the locks like [`share`], or returns nothing where a restore waits or works.
pub(crate) fn share_soon(place: &Place) -> Result<Option<FileLock>, StoreError> {
    let Some(_entering) = FileLock::try_shared(&place.restore_lock())? else { return Ok(None) };
    Ok(FileLock::try_shared(&place.lock())?)
}

/// Keeps new writers out and waits for those that are at work.
pub(crate) fn be_alone(place: &Place) -> Result<Alone, StoreError> {
    let entrance = FileLock::exclusive(&place.restore_lock())?;
    Ok(Alone { inside: FileLock::exclusive(&place.lock())?, entrance })
}
