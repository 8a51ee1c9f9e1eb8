//! Which hooks Claude Code shall call, and the files in which it looks for them.
//!
//! The rest is the same for every host that knows groups of hooks by event: see
//! [`edit`](crate::edit).

use std::path::{Path, PathBuf};

use pacenote_model::receipt::PARTS;

use super::hook::Hook;
use crate::{edit::Registration, scope::Scope};

/// The directory of a project's settings.
const DIRECTORY: &str = ".claude";

/// After how many seconds the client gives a hook up. A hook of ours answers within one; the rest is
/// for a machine that is busy.
///
/// It is said for every event: unasked, the client waits ten minutes for some, and at the end of a
/// session cancels hooks after two or three seconds.
const TIMEOUT_SECONDS: u32 = 10;

/// Returns the settings file of a scope, given the client's own directory and that of the project.
pub fn file(scope: Scope, config: &Path, project: &Path) -> Option<PathBuf> {
    Some(match scope {
        Scope::User => config.join("settings.json"),
        Scope::Project => project.join(DIRECTORY).join("settings.json"),
        Scope::Local => project.join(DIRECTORY).join("settings.local.json"),
    })
}

/// Returns every hook that the client shall call. The command lines are the same in every version,
/// for a client may ask a person to approve what changed.
pub fn registrations() -> Vec<Registration> {
    let registration = |hook: Hook, part: Option<u8>| {
        let part = part.map(|part| ["--part".to_owned(), format!("{part}/{PARTS}")]);
        let words = ["hook", "claude", hook.word()].map(str::to_owned).into_iter();
        Registration {
            event: hook.name(),
            // Every start, every tool: which of them matter, the hook decides.
            matcher: None,
            words: words.chain(part.into_iter().flatten()).collect(),
            timeout: TIMEOUT_SECONDS,
            extra: &[],
        }
    };
    let registered = Hook::ALL.into_iter().flat_map(|hook| match answer_to(hook) {
        Answer::Whole => vec![registration(hook, None)],
        Answer::InParts => (1..=PARTS).map(|part| registration(hook, Some(part))).collect(),
    });
    registered.collect()
}

/// How an event is answered.
#[derive(Clone, Copy)]
enum Answer {
    /// By one process.
    Whole,
    /// By a process for each part: the client cuts what one answers, but not what several do.
    InParts,
}

fn answer_to(hook: Hook) -> Answer {
    match hook {
        // Where an agent begins it is told everything.
        Hook::SessionStart | Hook::SubagentStart => Answer::InParts,
        Hook::UserPromptSubmit
        | Hook::PreToolUse
        | Hook::PostToolUse
        | Hook::PostToolUseFailure
        | Hook::TaskCreated
        | Hook::TaskCompleted
        | Hook::PreCompact
        | Hook::PostCompact
        | Hook::Stop
        | Hook::SubagentStop
        | Hook::SessionEnd => Answer::Whole,
    }
}

#[cfg(test)]
mod tests;
