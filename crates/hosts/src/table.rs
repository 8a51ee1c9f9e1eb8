//! A host's events as a table: what they are called, what they are to us, and what an answer to each
//! of them can carry.

use pacenote_model::EventKind;

use serde_json::{Map, Value};

use crate::{Carried, Reply, Row, Verdict};

/// An event that tells us something.
#[derive(Debug)]
pub(crate) struct Hook {
    /// The word on our command line.
    pub(crate) word: &'static str,
    /// The host's own name.
    pub(crate) name: &'static str,
    /// What it is in no host's own words.
    pub(crate) kind: EventKind,
    /// Whether text for the model can be answered.
    pub(crate) context: bool,
    /// Which verdict can be answered.
    pub(crate) verdict: Option<Carried>,
    /// Whether a tool's input can be replaced.
    pub(crate) input: bool,
    /// What becomes of the rest, where that is surprising.
    pub(crate) remark: Option<&'static str>,
}

/// What of a reply an event carries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Said<'a> {
    /// Text for the model.
    pub(crate) context: Option<&'a str>,
    /// Why a tool is refused.
    pub(crate) denial: Option<&'a str>,
    /// Why the agent must not stop yet.
    pub(crate) going_on: Option<&'a str>,
    /// What a tool is given instead; nothing where it is refused.
    pub(crate) input: Option<&'a Map<String, Value>>,
}

impl Hook {
    /// Returns an event that tells us something and whose answer nobody reads.
    pub(crate) const fn silent(word: &'static str, name: &'static str, kind: EventKind) -> Self {
        Self { word, name, kind, context: false, verdict: None, input: false, remark: None }
    }

    /// Lets text for the model be answered.
    pub(crate) const fn with_context(self) -> Self {
        Self { context: true, ..self }
    }

    /// Lets a verdict be answered.
    pub(crate) const fn with_verdict(self, verdict: Carried) -> Self {
        Self { verdict: Some(verdict), ..self }
    }

    /// Lets a tool's input be replaced.
    pub(crate) const fn with_input(self) -> Self {
        Self { input: true, ..self }
    }

    /// Says what is surprising.
    pub(crate) const fn with_remark(self, remark: &'static str) -> Self {
        Self { remark: Some(remark), ..self }
    }

    /// Returns what of a reply the event carries.
    pub(crate) fn said<'a>(&self, reply: &'a Reply) -> Said<'a> {
        let (denial, going_on) = match (self.verdict, &reply.verdict) {
            (Some(Carried::Denial), Some(Verdict::Deny { reason })) => (Some(reason), None),
            (Some(Carried::GoingOn), Some(Verdict::GoOn { reason })) => (None, Some(reason)),
            (Some(Carried::Denial), Some(Verdict::GoOn { .. }))
            | (Some(Carried::GoingOn), Some(Verdict::Deny { .. }))
            | (None, _)
            | (_, None) => (None, None),
        };
        let takes_input = self.input && denial.is_none();
        Said {
            context: reply.context.as_deref().filter(|_| self.context),
            denial: denial.map(|reason| spoken(reason)),
            going_on: going_on.map(|reason| spoken(reason)),
            input: reply.input.as_ref().filter(|_| takes_input),
        }
    }
}

/// Returns the event that a word on our command line means.
pub(crate) fn find(hooks: &'static [Hook], word: &str) -> Option<&'static Hook> {
    hooks.iter().find(|hook| hook.word == word)
}

/// Returns what the answers to events can carry. Where two events are of one kind, only what both
/// carry counts.
pub(crate) fn rows(hooks: &'static [Hook]) -> Vec<Row> {
    let row = |kind| {
        let hooks = || hooks.iter().filter(move |hook| hook.kind == kind);
        Row {
            kind,
            names: hooks().map(|hook| hook.name).collect(),
            context: hooks().all(|hook| hook.context),
            verdict: hooks().find_map(|hook| hook.verdict),
            input: hooks().all(|hook| hook.input),
            remark: hooks().find_map(|hook| hook.remark),
        }
    };
    EventKind::sent().map(row).filter(|row| !row.names.is_empty()).collect()
}

/// What is said in place of a reason that says nothing: hosts pass over a verdict without one.
const UNSAID: &str = "pacenote does not allow it";

fn spoken(reason: &str) -> &str {
    if reason.trim().is_empty() { UNSAID } else { reason }
}
