//! What is read in the log of a session, and how a line of it is written.

mod field;

use pacenote_context::fragment::FragmentKind;
use pacenote_files::{
    Bytes,
    session_log::{Line, LogPath},
};
use pacenote_model::{Digest, Record};

use self::field::value_of;
use crate::EngineError;

/// How much of a session's log is looked at: some thousand events, and the texts between them.
pub(crate) const LOG_TAIL: Bytes = Bytes::mib(1);

/// Hexadecimal digits by which payloads and emissions are told apart within one session.
const DIGITS: usize = 16;

/// Returns what a log says, as far back as a hook looks.
pub(crate) fn records_in(log: &LogPath) -> Result<Vec<Record>, EngineError> {
    // A log that was never begun says nothing, and is not begun by looking at it.
    if !pacenote_files::exists(log.path()) {
        return Ok(Vec::new());
    }
    Ok(records_of(&log.hold_soon()?.tail(LOG_TAIL)?))
}

/// Kinds of lines, as they are written: an event was seen, a text, a draft.
const SEEN: &str = r#""seen""#;
const TEXT: &str = r#""text""#;
const DRAFTED: &str = r#""drafted""#;
const SAID: &str = r#""said""#;

/// Who said what, as it is written.
const UTTERANCES: [&str; 3] = [r#""request""#, r#""answer""#, r#""last_words""#];

/// Kinds of lines that no later hook asks about.
const FOR_COMMANDS: [&str; 3] = [r#""wished""#, r#""observed""#, r#""marked""#];

/// The word of a prompt, as it is written.
const PROMPT: &str = r#""prompt""#;

fn kind_of(text: &str) -> Option<&str> {
    value_of(text, "kind")
}

/// Returns the lines that matter for what is to be done; what a newer version wrote is passed over.
///
/// Of the events within an epoch only the last one matters, as often as it was seen and with what came
/// right before it, and the last prompt; of drafts the last; of what was said the last of each kind.
/// Texts are looked for when one is wanted: a session of a thousand prompts must not make the next one
/// slow.
pub(crate) fn records_of(lines: &[Line]) -> Vec<Record> {
    let texts = lines.iter().filter_map(|line| line.text.as_ref().ok());
    let texts: Vec<(&str, &String)> =
        texts.filter_map(|text| Some((kind_of(text)?, text))).collect();
    let is_seen = |(kind, _): &(&str, &String)| *kind == SEEN;
    // The first one says in which epoch all this is, should its beginning not have been seen.
    let is_prompt =
        |line: &(&str, &String)| is_seen(line) && value_of(line.1, "event") == Some(PROMPT);
    let seen = texts.iter().enumerate().rev().filter(|(_, line)| is_seen(line));
    let seen = seen.map(|(place, (_, text))| (place, value_of(text, "payload")));
    let last = seen.clone().next().and_then(|(_, payload)| payload);
    let others = seen.clone().find(|(_, payload)| *payload != last);
    let last_event_from = others.map_or(0, |(place, _)| place);
    let ends = [texts.iter().position(is_seen), texts.iter().rposition(is_prompt)];
    let last_draft = texts.iter().rposition(|(kind, _)| *kind == DRAFTED);
    let last_said = UTTERANCES.map(|utterance| {
        texts.iter().rposition(|(kind, text)| {
            *kind == SAID && value_of(text, "utterance") == Some(utterance)
        })
    });
    let matters = |(place, line): &(usize, &(&str, &String))| {
        let (kind, text) = **line;
        if kind == SEEN {
            return *place >= last_event_from
                || ends.contains(&Some(*place))
                || value_of(text, "begins") == Some("true");
        }
        let is_old_draft = kind == DRAFTED && last_draft != Some(*place);
        let is_old_word = kind == SAID && !last_said.contains(&Some(*place));
        !is_old_draft && !is_old_word && kind != TEXT && !FOR_COMMANDS.contains(&kind)
    };
    let chosen = texts.iter().enumerate().filter(matters);
    chosen.filter_map(|(_, (_, text))| serde_json::from_str(text).ok()).collect()
}

/// Returns the skills in use in a session, each once: those whose text was injected, then those that
/// the agent loaded by itself.
pub(crate) fn list_skills_in_use(records: &[Record]) -> Vec<String> {
    let items = records.iter().filter_map(Record::offered).flat_map(|receipt| &receipt.items);
    let shown = items.filter(|item| item.kind == FragmentKind::SKILL.word() && item.is_shown());
    let injected = shown.filter_map(|item| skill_named_by(&item.id)).map(str::to_owned);
    let mut skills: Vec<String> = Vec::new();
    for skill in injected.chain(list_loaded_skills(records)) {
        if !skills.contains(&skill) {
            skills.push(skill);
        }
    }
    skills
}

/// Returns the skills that the agent of a session loaded by itself, the last one last.
pub(crate) fn list_loaded_skills(records: &[Record]) -> Vec<String> {
    let mut skills: Vec<String> = Vec::new();
    for record in records {
        if let Record::SkillLoaded { skill, .. } = record {
            skills.retain(|known| known != skill);
            skills.push(skill.clone());
        }
    }
    skills
}

/// Returns the name of the skill to whose text an item of a receipt belongs.
pub(crate) fn skill_named_by(item: &str) -> Option<&str> {
    let rest = item.strip_prefix("skill:")?;
    rest.split('#').next()
}

/// Returns the text of a part as it was noted.
pub(crate) fn text_in(lines: &[Line], wanted: &str, of: u8) -> Option<String> {
    let texts = lines.iter().rev().filter_map(|line| line.text.as_ref().ok());
    let texts = texts.filter(|text| kind_of(text) == Some(TEXT) && text.contains(wanted));
    let texts = texts.filter_map(|text| serde_json::from_str::<Record>(text).ok()?.into_text());
    texts
        .into_iter()
        .find_map(|(emission, part, text)| (emission == wanted && part == of).then_some(text))
}

pub(crate) fn digits(digest: &Digest) -> String {
    let written = digest.to_string();
    let digits = written.rsplit('-').next().unwrap_or_default();
    digits.chars().take(DIGITS).collect()
}

pub(crate) fn line(record: &Record) -> Result<String, EngineError> {
    serde_json::to_string(record).map_err(|source| EngineError::Unwritten { source })
}

#[cfg(test)]
mod tests {
    use pacenote_model::{HostId, HostName, Moment, Utterance, record::Origin};
    use serde_json::Value;

    use super::*;

    fn seen(event: &str, begins: bool, at: i64) -> Record {
        Record::Seen {
            at: Moment::from_millis(at),
            host: HostName::parse("claude").unwrap(),
            host_id: HostId::parse("s-1").unwrap(),
            place: "/shop".into(),
            name: "shop".into(),
            payload: event.into(),
            part: 1,
            epoch: 1,
            begins,
            event: event.into(),
        }
    }

    #[test]
    fn of_what_was_said_the_last_of_each_kind_is_read() {
        let said = |utterance: Utterance, text: &str| {
            let from = Origin {
                at: Moment::from_millis(0),
                host: HostName::parse("claude").unwrap(),
                host_id: HostId::parse("s-1").unwrap(),
                place: "/shop".into(),
                name: "shop".into(),
            };
            Record::Said { from, utterance, text: text.into(), questions: Vec::new() }
        };
        let records = [
            said(Utterance::Request, "add login"),
            said(Utterance::LastWords, "Which store?"),
            said(Utterance::Answer, "yes"),
            said(Utterance::LastWords, "Done."),
            said(Utterance::Request, r#"say "utterance":"answer""#),
        ];
        let lines = records.each_ref().map(|one| Line { text: Ok(line(one).unwrap()), end: 0 });
        let wanted = [&records[2], &records[3], &records[4]].map(Clone::clone);
        assert_eq!(records_of(&lines), wanted);
    }

    #[test]
    fn only_lines_that_matter_are_read_whatever_the_order_of_their_keys() {
        let records = [
            seen("startup", true, 0),
            seen("prompt", false, 1),
            seen("stop", false, 2),
            seen("prompt", false, 3),
            seen("stop", false, 4),
            seen("stop", false, 5),
        ];
        let written = records.each_ref().map(|record| line(record).unwrap());
        // A map sorts its keys, so that `kind` no longer comes first.
        let sorted = written.each_ref().map(|text| {
            let value: Value = serde_json::from_str(text).unwrap();
            assert!(!value.to_string().starts_with(r#"{"kind""#));
            value.to_string()
        });
        for texts in [written, sorted] {
            let lines = texts.map(|text| Line { text: Ok(text), end: 0 });
            let wanted = [&records[0], &records[3], &records[4], &records[5]].map(Clone::clone);
            assert_eq!(records_of(&lines), wanted);
        }
    }
}
