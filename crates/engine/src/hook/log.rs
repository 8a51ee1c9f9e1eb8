//! What a hook reads in its session's log, and how it writes a line.

use pacenote_context::fragment::{ItemId, Kind};
use pacenote_files::{
    Bytes,
    session_log::{Line, LogPath},
};
use pacenote_model::{Digest, Record};
use pacenote_skill::reference::Reference;

use crate::EngineError;

/// How much of a session's log is looked at: some thousand events, and the texts between them.
pub(super) const LOG_TAIL: Bytes = Bytes::mib(1);

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

/// How a line begins that says an event was seen, one that holds a text, and one with a draft.
const SEEN: &str = r#"{"kind":"seen""#;
const TEXT: &str = r#"{"kind":"text""#;
const DRAFTED: &str = r#"{"kind":"drafted""#;

/// How lines begin that no later hook asks about.
const FOR_COMMANDS: [&str; 3] =
    [r#"{"kind":"wished""#, r#"{"kind":"observed""#, r#"{"kind":"marked""#];

/// What a line holds that says a context began, and what one that says a prompt came.
const BEGINS: &str = r#""begins":true"#;
const PROMPT: &str = r#""event":"prompt""#;

/// Returns the lines that matter for what is to be done; what a newer version wrote is passed over.
///
/// Of the events within an epoch only the last and the last prompt matter, of drafts the last. Texts
/// are looked for when one is wanted: a session of a thousand prompts must not make the next one
/// slow.
pub(super) fn records_of(lines: &[Line]) -> Vec<Record> {
    let texts: Vec<&String> = lines.iter().filter_map(|line| line.text.as_ref().ok()).collect();
    let is_seen = |text: &&String| text.starts_with(SEEN);
    // The first one says in which epoch all this is, should its beginning not have been seen.
    let is_prompt = |text: &&String| is_seen(text) && text.contains(PROMPT);
    let ends = [
        texts.iter().position(is_seen),
        texts.iter().rposition(is_prompt),
        texts.iter().rposition(is_seen),
    ];
    let last_draft = texts.iter().rposition(|text| text.starts_with(DRAFTED));
    let matters = |(place, text): &(usize, &&String)| {
        let is_passing = is_seen(text) && !text.contains(BEGINS) && !ends.contains(&Some(*place));
        let is_old_draft = text.starts_with(DRAFTED) && last_draft != Some(*place);
        let is_for_commands = FOR_COMMANDS.iter().any(|kind| text.starts_with(kind));
        !is_passing && !is_old_draft && !is_for_commands && !text.starts_with(TEXT)
    };
    let chosen = texts.iter().enumerate().filter(matters);
    chosen.filter_map(|(_, text)| serde_json::from_str(text).ok()).collect()
}

/// Tells whether a session was told a skill, in whichever epoch.
pub(crate) fn was_told(records: &[Record], skill: &Reference) -> bool {
    let name = ItemId::of(Kind::Skill, skill);
    let offered = records.iter().filter_map(Record::offered);
    let mut items = offered.flat_map(|receipt| &receipt.items);
    items.any(|item| {
        let rest = item.id.strip_prefix(name.as_str());
        item.is_shown() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
    })
}

/// Returns the text of a part as it was noted.
pub(super) fn text_in(lines: &[Line], wanted: &str, of: u8) -> Option<String> {
    let texts = lines.iter().rev().filter_map(|line| line.text.as_ref().ok());
    let texts = texts.filter(|text| text.starts_with(TEXT) && text.contains(wanted));
    let texts = texts.filter_map(|text| serde_json::from_str::<Record>(text).ok()?.into_text());
    texts
        .into_iter()
        .find_map(|(emission, part, text)| (emission == wanted && part == of).then_some(text))
}

pub(super) fn digits(digest: &Digest) -> String {
    let written = digest.to_string();
    let digits = written.rsplit('-').next().unwrap_or_default();
    digits.chars().take(DIGITS).collect()
}

pub(super) fn line(record: &Record) -> Result<String, EngineError> {
    serde_json::to_string(record).map_err(|source| EngineError::Unwritten { source })
}
