//! What is recorded of a conversation: what the person asked for, and the last words of each turn.
//!
//! Nothing but the session knows them, so a compaction and the end of a session would take them away.
//! They are capped and without secrets before they are written anywhere.

use pacenote_context::handoff::{Conversation, shorten, split_questions};
use pacenote_model::{Event, EventBody, Record, StartSource, Utterance, limits};

use super::phases::Reading;
use crate::{EngineError, lifecycle::is_trivial, secrets};

/// How the texts begin that a client or we put where the person writes.
const NOT_THE_PERSONS: [&str; 6] = [
    "<pacenote",
    "<command-",
    "<local-command-",
    "<system-reminder",
    "<task-notification",
    "<hook_prompt",
];

impl Reading<'_> {
    /// Returns the record of what is said with an event, if it is worth one.
    pub(super) fn said(&self) -> Result<Option<Record>, EngineError> {
        let Event { body, subagent, .. } = &self.situation.event;
        if subagent.is_some() {
            return Ok(None);
        }
        let (utterance, text, questions) = if let EventBody::Prompt { prompt } = body {
            let records = self.situation.records()?;
            match utterance_of(prompt, records) {
                Some(utterance) => (utterance, prompt.trim(), Vec::new()),
                None => return Ok(None),
            }
        } else if let EventBody::Stop { message: Some(message), .. } = body {
            let (words, questions) = split_questions(message);
            (Utterance::LastWords, words.trim(), questions)
        } else {
            return Ok(None);
        };
        let text = clean(text, limits::SAID_CHARACTERS);
        let questions: Vec<String> =
            questions.into_iter().map(|one| clean(one, limits::QUESTION_CHARACTERS)).collect();
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
    is_command || is_reason || is_ours
}

/// Returns a text without secrets, cut at a word.
fn clean(text: &str, characters: usize) -> String {
    // A secret that a cut goes through would not be recognised.
    let beginning: String = text.chars().take(2 * characters).collect();
    shorten(&secrets::without_secrets(&beginning), characters)
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
            ("Run the tests (rule `tests`, 1 of 3)", some, None),
            ("Run the tests (rule `tests`, 1 of 3)", none, Some(Utterance::Request)),
        ] {
            assert_eq!(utterance_of(prompt, records), expected, "{prompt}");
        }
    }

    #[test]
    fn a_text_is_cut_at_a_word_and_no_secret_is_cut_in_two() {
        let secret = "ghp_k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2";
        let cut = clean(&format!("push with {secret} now"), 30);
        assert_eq!(cut, "push with [redacted: github-t…");
        assert_eq!(clean("one\n\ntwo three", 9), "one\n\ntwo…");
        assert_eq!(clean("short", 9), "short");
        assert_eq!(clean(&"é".repeat(12), 9), format!("{}…", "é".repeat(8)));
    }
}
