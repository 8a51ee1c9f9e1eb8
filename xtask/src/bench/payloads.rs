//! What Claude Code writes to a hook's standard input.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// What the client says of an event, by the number of the session, the home and where it works.
pub(super) type Payload = fn(u32, &Path, &Path) -> String;

/// Returns where the payload of a round lies.
pub(super) fn payload(sessions: &Path, number: u32) -> PathBuf {
    sessions.join(format!("{number}.json"))
}

/// What is said when a session starts.
pub(super) fn session_start(number: u32, home: &Path, work: &Path) -> String {
    said(number, home, work, json!({ "hook_event_name": "SessionStart", "source": "startup" }))
}

/// What is said when the person sends a prompt.
pub(super) fn prompt(number: u32, home: &Path, work: &Path) -> String {
    let details = json!({
        "prompt_id": prompt_id(number),
        "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit",
        "prompt": "go on",
    });
    said(number, home, work, details)
}

/// What is said before a command is run.
pub(super) fn before_tool(number: u32, home: &Path, work: &Path) -> String {
    let details = json!({
        "prompt_id": prompt_id(number),
        "permission_mode": "default",
        "effort": { "level": "medium" },
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": { "command": "cargo test login", "description": "run the tests" },
        "tool_use_id": format!("toolu_{number:024}"),
    });
    said(number, home, work, details)
}

/// Returns the client's id of a session.
pub(super) fn session_id(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

fn prompt_id(number: u32) -> String {
    format!("00000000-0000-4000-9000-{number:012}")
}

/// Adds to the details of an event what every payload holds.
fn said(number: u32, home: &Path, work: &Path, mut details: Value) -> String {
    let session = session_id(number);
    let transcript = home.join(format!(".claude/projects/shop/{session}.jsonl"));
    if let Some(fields) = details.as_object_mut() {
        let of_all = [
            ("session_id", json!(session)),
            ("transcript_path", json!(transcript)),
            ("cwd", json!(work)),
        ];
        fields.extend(of_all.map(|(field, value)| (field.to_owned(), value)));
    }
    details.to_string()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Payload, before_tool, prompt, session_id, session_start};

    #[test]
    fn every_payload_names_its_session_its_place_and_its_event() {
        let table: [(Payload, &str); 3] = [
            (session_start, "SessionStart"),
            (prompt, "UserPromptSubmit"),
            (before_tool, "PreToolUse"),
        ];
        for (payload, event) in table {
            let said = payload(7, Path::new("/home/dev"), Path::new("/home/dev/shop"));
            let said: serde_json::Value = serde_json::from_str(&said).unwrap();
            assert_eq!(said["hook_event_name"], event);
            assert_eq!(said["session_id"], session_id(7));
            assert_eq!(said["cwd"], "/home/dev/shop");
            assert_eq!(
                said["transcript_path"],
                format!("/home/dev/.claude/projects/shop/{}.jsonl", session_id(7))
            );
        }
    }
}
