//! Whether a payload names its event, so that the same bytes are the same event.
//!
//! Hosts differ in what they put there: an id of the prompt, of the turn or of the message, or the
//! moment at which it happened. A field counts only at events of which it names no more than one: the
//! id of a prompt also stands in everything that happens until the next.

use pacenote_model::EventKind;

use crate::{Host, lenient};

/// The fields of all hosts that may name an event.
#[derive(Debug, Default)]
struct Names {
    prompt: Given,
    turn: Given,
    message: Given,
    id: Given,
    timestamp: Given,
}

lenient::taken!(Names {
    "prompt_id": prompt,
    "turn_id": turn,
    "message_id": message,
    "id": id,
    "timestamp": timestamp,
});

/// Whether a field has a text or a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Given {
    #[default]
    Nothing,
    Something,
}

impl lenient::Taken for Given {
    fn from_text(text: &str) -> Self {
        if text.is_empty() { Self::Nothing } else { Self::Something }
    }

    fn from_number() -> Self {
        Self::Something
    }
}

impl Host {
    /// Reports whether the payload of an event has an id of that one event.
    pub fn names_event(self, kind: EventKind, payload: &[u8]) -> bool {
        let field: fn(&Names) -> Given = match self {
            Self::Claude if kind == EventKind::Prompt => |names| names.prompt,
            Self::Codex if kind == EventKind::Prompt => |names| names.turn,
            Self::OpenCode if kind == EventKind::Prompt => |names| names.message,
            Self::Copilot | Self::Gemini | Self::Qwen => |names| names.timestamp,
            Self::Shell => |names| names.id,
            Self::Antigravity | Self::Claude | Self::Codex | Self::OpenCode => return false,
        };
        let text = std::str::from_utf8(payload).unwrap_or_default();
        lenient::read(text).is_ok_and(|names: Names| field(&names) == Given::Something)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_named_by_what_its_host_says_of_that_one_event() {
        let (prompt, start) = (EventKind::Prompt, EventKind::SessionStart);
        for (host, kind, payload, is_named) in [
            (Host::Claude, prompt, r#"{"prompt":"go on","prompt_id":"3f9d"}"#, true),
            (Host::Claude, prompt, r#"{"prompt":"go on","prompt_id":""}"#, false),
            (Host::Claude, prompt, r#"{"prompt":"go on"}"#, false),
            // A prompt in which the client compacts twice has one id.
            (Host::Claude, start, r#"{"source":"compact","prompt_id":"3f9d"}"#, false),
            (Host::Codex, prompt, r#"{"prompt":"go on","turn_id":"01a1"}"#, true),
            (Host::Codex, start, r#"{"source":"resume","session_id":"01a1"}"#, false),
            (Host::OpenCode, prompt, r#"{"prompt":"go on","message_id":"msg_1"}"#, true),
            (Host::OpenCode, prompt, r#"{"prompt":"go on"}"#, false),
            (Host::Copilot, prompt, r#"{"prompt":"go on","timestamp":1795166042250}"#, true),
            (Host::Copilot, prompt, r#"{"prompt":"go on","timestamp":null}"#, false),
            (Host::Gemini, start, r#"{"timestamp":"2026-11-15T18:11:08.080Z"}"#, true),
            (Host::Qwen, prompt, r#"{"timestamp":"2026-11-15T18:15:55.287Z"}"#, true),
            (Host::Shell, prompt, r#"{"prompt":"go on","id":7}"#, true),
            (Host::Shell, prompt, r#"{"prompt":"go on","id":[7]}"#, false),
            (Host::Shell, prompt, r#"{"prompt":"go on"}"#, false),
            (Host::Antigravity, prompt, r#"{"id":"1","timestamp":1}"#, false),
            (Host::Shell, prompt, "no JSON", false),
            (Host::Shell, prompt, "", false),
        ] {
            assert_eq!(host.names_event(kind, payload.as_bytes()), is_named, "{host:?} {payload}");
        }
        assert!(!Host::Shell.names_event(prompt, b"\xff"));
    }
}
