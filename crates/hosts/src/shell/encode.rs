//! From a reply to text or one JSON object.

#[cfg(test)]
mod tests;

use pacenote_model::EventKind;

use serde::Serialize;

use crate::{Carried, Form, Reply, Row, Verdict};

/// Encodes an answer, without a line break at the end. `event` is the word on our command line; what
/// the event cannot carry is left out, and one that we do not know is answered nothing.
pub fn encode(event: &str, reply: &Reply, form: Form) -> String {
    let Some(kind) = EventKind::sent_as(event) else { return String::new() };
    let answer = Answer::new(kind, reply);
    match form {
        Form::Text => answer.text(),
        // Strings always serialize; were that ever wrong, silence is the safe answer.
        Form::Json => serde_json::to_string(&answer).unwrap_or_default(),
    }
}

/// Tells whether the answer to an event can carry text for the model.
pub fn carries_context(event: &str) -> bool {
    EventKind::sent_as(event).is_some_and(EventKind::is_read_on)
}

/// Tells whether the answer to an event can carry a verdict.
pub fn carries_verdict(event: &str) -> bool {
    EventKind::sent_as(event).and_then(verdict).is_some()
}

/// Returns what the answers to events can carry.
pub fn rows() -> Vec<Row> {
    let row = |kind: EventKind| Row {
        kind,
        names: vec![kind.word()],
        context: kind.is_read_on(),
        verdict: verdict(kind),
        input: false,
        remark: (!kind.is_read_on()).then_some("context is left out, for no model reads on"),
    };
    EventKind::sent().map(row).collect()
}

fn verdict(kind: EventKind) -> Option<Carried> {
    match kind {
        EventKind::BeforeTool => Some(Carried::Denial),
        EventKind::Stop | EventKind::SubagentStop => Some(Carried::GoingOn),
        EventKind::SessionStart
        | EventKind::Prompt
        | EventKind::AfterTool
        | EventKind::Request
        | EventKind::Todos
        | EventKind::PreCompact
        | EventKind::PostCompact
        | EventKind::SubagentStart
        | EventKind::SessionEnd
        | EventKind::Wake => None,
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<Decision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Decision {
    Deny,
    GoOn,
}

impl<'a> Answer<'a> {
    fn new(kind: EventKind, reply: &'a Reply) -> Self {
        let decided = match (verdict(kind), &reply.verdict) {
            (Some(Carried::Denial), Some(Verdict::Deny { reason })) => {
                Some((Decision::Deny, reason))
            }
            (Some(Carried::GoingOn), Some(Verdict::GoOn { reason })) => {
                Some((Decision::GoOn, reason))
            }
            (Some(Carried::Denial), Some(Verdict::GoOn { .. }))
            | (Some(Carried::GoingOn), Some(Verdict::Deny { .. }))
            | (None, _)
            | (_, None) => None,
        };
        Self {
            context: reply.context.as_deref().filter(|_| kind.is_read_on()),
            notice: reply.notice.as_deref(),
            decision: decided.map(|(decision, _)| decision),
            reason: decided.map(|(_, reason)| reason.as_str()),
        }
    }

    /// The verdict comes first, on a line of its own, so that a script need only look there. The
    /// person's notice has no place: whatever is printed may go to the model.
    fn text(&self) -> String {
        let reason =
            self.reason.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let verdict = self.decision.map(|decision| match decision {
            Decision::Deny => format!("deny: {reason}"),
            Decision::GoOn => format!("go on: {reason}"),
        });
        let lines: Vec<&str> = verdict.as_deref().into_iter().chain(self.context).collect();
        lines.join("\n")
    }
}
