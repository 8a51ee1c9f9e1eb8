//! What happened to runs, and what was decided on the way.

use pacenote_model::{Decision, Digest, KeptRun, RunEntry};

use super::looking::find;
use crate::{Desk, EngineError};

/// Returns what happened to a run, in order.
pub fn history(desk: &Desk, raw: Option<&str>) -> Result<(KeptRun, Vec<RunEntry>), EngineError> {
    let kept = find(desk, raw)?;
    let entries = match desk.here()? {
        Some(here) => here.store.run_entries(here.project.id, kept.number)?,
        None => Vec::new(),
    };
    Ok((kept, entries))
}

/// Returns what was handed in, if it is still kept.
pub fn result_text(desk: &Desk, digest: &Digest) -> Result<Option<String>, EngineError> {
    let bytes = match desk.store() {
        Some(store) => store.text(digest)?,
        None => None,
    };
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Returns the decisions of the project at hand, in order.
pub fn decisions(desk: &Desk) -> Result<Vec<Decision>, EngineError> {
    Ok(match desk.here()? {
        Some(here) => here.store.decisions(here.project.id)?,
        None => Vec::new(),
    })
}
