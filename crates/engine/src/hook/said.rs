//! What is recorded of a conversation: what the person asked for, and the last words of each turn.
//!
//! Nothing but the session knows them, so a compaction and the end of a session would take them away.
//! They are capped and without secrets before they are written anywhere.

use pacenote_context::handoff::{Conversation, shorten, split_questions};
use pacenote_model::{Event, EventBody, Record, StartSource, Utterance, limits};

use super::phases::Reading;
use crate::{EngineError, lifecycle::is_trivial, secrets};

/// How the texts begin that a client or we put where the person writes.
const NOT_THE_PERSONS: [&str; 8] = [
    "<pacenote",
    "<command-",
    "<local-command-",
    "<system-reminder",
    "<task-notification",
    "<hook_prompt",
    "Another Claude session sent a message",
    "[Request interrupted",
];

impl Reading<'_> {
    /// Returns the record of what is said with an event, if it is worth one.
    pub(super) fn said(&self) -> Result<Option<Record>, EngineError> {
        let Event { body, subagent, .. } = &self.situation.event;
        if subagent.is_some() {
            return Ok(None);
        }
        let (utterance, text) = if let EventBody::Prompt { prompt } = body {
            match utterance_of(prompt, self.situation.records()?) {
                Some(utterance) => (utterance, prompt),
                None => return Ok(None),
            }
        } else if let EventBody::Stop { message: Some(message), .. } = body {
            (Utterance::LastWords, message)
        } else {
            return Ok(None);
        };
        // Before anything is split or cut: half of a secret would not be recognised.
        let clean = secrets::without_secrets(text);
        let (text, questions) = match utterance {
            Utterance::LastWords => split_questions(&clean),
            Utterance::Request | Utterance::Answer => (clean.as_str(), Vec::new()),
        };
        let text = shorten(text.trim(), limits::SAID_CHARACTERS);
        let shorten_question = |one: &str| shorten(one, limits::QUESTION_CHARACTERS);
        let questions: Vec<String> = questions.into_iter().map(shorten_question).collect();
        if text.is_empty() && questions.is_empty() {
            return Ok(None);
        }
        Ok(Some(Record::Said { from: self.situation.origin()?, utterance, text, questions }))
    }

    /// Returns what was said before a context begins, so that it is found however long ago that was: a
    /// log is read from its end.
    pub(super) fn said_before(&self) -> Result<Vec<Record>, EngineError> {
        if let EventBody::SessionStart { source } = self.situation.event.body
            && !matches!(source, StartSource::Resume | StartSource::Compact)
        {
            return Ok(Vec::new());
        }
        let said = self.situation.records()?.iter();
        let said = said.filter(|record| matches!(record, Record::Said { .. }));
        Ok(said.cloned().collect())
    }
}

/// Returns what a prompt is: a request, an answer to what the agent asked, or nothing of its own.
fn utterance_of(prompt: &str, records: &[Record]) -> Option<Utterance> {
    let prompt = prompt.trim();
    if is_not_the_persons(prompt, records) {
        return None;
    }
    if !is_trivial(prompt) {
        return Some(Utterance::Request);
    }
    let is_asked = !Conversation::of(records).open_questions().is_empty();
    is_asked.then_some(Utterance::Answer)
}

/// Reports whether a prompt is a command of the client's, or a text that a client or we put there.
fn is_not_the_persons(prompt: &str, records: &[Record]) -> bool {
    let word = prompt.split_whitespace().next().unwrap_or_default();
    // A path has more than one of them.
    let is_command = word.strip_prefix('/').is_some_and(|name| !name.contains('/'));
    // Why an agent must go on comes back as a prompt in some clients.
    let is_reason = records.iter().any(|record| {
        let Record::Refused { rule, what, .. } = record else { return false };
        what == "stop" && prompt.contains(&format!("(rule `{rule}`, "))
    });
    let is_ours = NOT_THE_PERSONS.iter().any(|opening| prompt.starts_with(opening));
    is_command || is_reason || is_ours || is_wrapped(prompt)
}

/// Reports whether a prompt comes in a tag, as what clients put there does: all of it, or its beginning in
/// a tag with a name that no page has (`<agent-message …>`, `<ide_selection>`). People who write about
/// markup do so in words.
fn is_wrapped(prompt: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let Some(rest) = prompt.strip_prefix('<') else { return false };
    let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
    let name = rest.get(..end).unwrap_or_default();
    let closing = format!("</{name}>");
    let is_of_clients = name.contains(['-', '_']) && rest.contains(&closing);
    !name.is_empty() && (is_of_clients || prompt.ends_with(&closing))
}

#[cfg(test)]
mod tests {
    use pacenote_model::{HostId, HostName, Moment, record::Origin};

    use super::*;

    fn from() -> Origin {
        Origin {
            at: Moment::from_millis(0),
            host: HostName::parse("claude").unwrap(),
            host_id: HostId::parse("s-1").unwrap(),
            place: "/shop".into(),
            name: "shop".into(),
        }
    }

    #[test]
    fn which_prompts_are_requests() {
        let asked = Record::Said {
            from: from(),
            utterance: Utterance::LastWords,
            text: String::new(),
            questions: vec!["Which store?".into()],
        };
        let refused = Record::Refused { from: from(), rule: "tests".into(), what: "stop".into() };
        let (none, some) = (&[][..], &[asked, refused][..]);
        for (prompt, records, expected) in [
            ("add the login form", none, Some(Utterance::Request)),
            ("continue", none, None),
            ("continue", some, Some(Utterance::Answer)),
            ("the second one", some, Some(Utterance::Request)),
            ("/compact", none, None),
            ("/review the login form", none, None),
            ("/home/dev/shop/a.rs is broken", none, Some(Utterance::Request)),
            ("<pacenote project=\"shop\">", none, None),
            ("<command-name>/x</command-name>", none, None),
            ("<div> is broken", none, Some(Utterance::Request)),
            ("<agent-message from=\"x\">delete it</agent-message>", none, None),
            ("Another Claude session sent a message: delete it", none, None),
            ("<channel source=\"chat\">delete it</channel>", none, None),
            ("<ide_selection>x</ide_selection> explain", none, None),
            ("[Request interrupted by user]", none, None),
            ("<my-button> is broken", none, Some(Utterance::Request)),
            ("Run the tests (rule `tests`, 1 of 3)", some, None),
            ("Run the tests (rule `tests`, 1 of 3)", none, Some(Utterance::Request)),
        ] {
            assert_eq!(utterance_of(prompt, records), expected, "{prompt}");
        }
    }
}
