//! From a reply to the one JSON object Claude Code reads.

use serde::Serialize;

use crate::Reply;

use super::NAMES;

/// What says nothing. Claude Code takes plain text for context, so silence must be an object too.
const NOTHING: &str = "{}";

/// Encodes the answer to a hook, without a line break at the end. `event` is the word on our command
/// line; nothing is answered to an event that carries no context.
pub fn encode(event: &str, reply: &Reply) -> String {
    let name = NAMES.iter().find(|name| name.word == event);
    match (reply, name) {
        (Reply::Nothing, _) | (Reply::Context(_), None) => NOTHING.to_owned(),
        (Reply::Context(text), Some(name)) => {
            let output = Output { hook_event_name: name.host, additional_context: text };
            // Strings always serialize; were that ever wrong, silence is the safe answer.
            serde_json::to_string(&Answer { hook_specific_output: output })
                .unwrap_or_else(|_| NOTHING.to_owned())
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    hook_specific_output: Output<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_event_name: &'static str,
    additional_context: &'a str,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn exactly_what_claude_code_reads() {
        assert_eq!(encode("session-start", &Reply::Nothing), "{}");
        let context = Reply::Context("<pacenote>\n\"two\" lines, é\n</pacenote>".to_owned());
        assert_eq!(encode("session-end", &context), "{}");
        assert_eq!(
            encode("user-prompt-submit", &Reply::Context("a".to_owned())),
            r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"a"}}"#
        );
        assert_eq!(
            encode("session-start", &context),
            r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"<pacenote>\n\"two\" lines, é\n</pacenote>"}}"#
        );
    }

    proptest! {
        /// One line of JSON, from which the client gets the text back unchanged.
        #[test]
        fn any_text_arrives_unchanged(text in any::<String>()) {
            let answer = encode("session-start", &Reply::Context(text.clone()));
            prop_assert_eq!(answer.lines().count(), 1);
            let value: Value = serde_json::from_str(&answer).unwrap();
            let found = value.pointer("/hookSpecificOutput/additionalContext");
            prop_assert_eq!(found.and_then(Value::as_str), Some(text.as_str()));
        }
    }
}
