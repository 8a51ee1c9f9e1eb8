//! From a reply to what Antigravity is said to read: one JSON object.

use serde::Serialize;

use crate::{
    Carried, Reply,
    table::{self, Hook, Said},
};

use super::hook::HOOKS;

/// What says nothing.
const NOTHING: &str = "{}";

/// Encodes the answer to a hook, without a line break at the end. `event` is the word on our command
/// line; what the event cannot carry is left out, and one that we do not know is answered nothing.
pub fn encode(event: &str, reply: &Reply) -> String {
    let Some(hook) = table::find(&HOOKS, event) else { return NOTHING.to_owned() };
    // Strings always serialize; were that ever wrong, silence is the safe answer.
    serde_json::to_string(&Answer::new(hook, reply)).unwrap_or_else(|_| NOTHING.to_owned())
}

/// Tells whether the answer to an event can carry text for the model.
pub fn carries_context(event: &str) -> bool {
    table::find(&HOOKS, event).is_some_and(|hook| hook.context)
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inject_steps: Option<[Step<'a>; 1]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Step<'a> {
    ephemeral_message: &'a str,
}

impl<'a> Answer<'a> {
    fn new(hook: &'static Hook, reply: &'a Reply) -> Self {
        let Said { context, denial, going_on, input: _ } = hook.said(reply);
        let reason = denial.or(going_on);
        let decision = hook.verdict.map(|verdict| match verdict {
            Carried::Denial => "deny",
            Carried::GoingOn => "continue",
        });
        Self {
            decision: decision.filter(|_| reason.is_some()),
            reason,
            inject_steps: context.map(|text| [Step { ephemeral_message: text }]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    #[test]
    fn answers() {
        let reply = |verdict| Reply {
            context: Some("<pacenote>\n\"two\" lines\n</pacenote>".to_owned()),
            notice: Some("2 tasks".to_owned()),
            verdict: Some(verdict),
            input: Some(serde_json::Map::new()),
        };
        let deny = reply(Verdict::Deny { reason: "no task is claimed".to_owned() });
        let go_on = reply(Verdict::GoOn { reason: "a task is open".to_owned() });
        let words = || HOOKS.iter().map(|hook| hook.word).chain(["post-invocation", ""]);
        let rows = [&deny, &go_on]
            .into_iter()
            .flat_map(|reply| words().map(move |word| format!("{word}: {}", encode(word, reply))));
        insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"), @r#"
        pre-tool-use: {"decision":"deny","reason":"no task is claimed"}
        post-tool-use: {}
        pre-invocation: {"injectSteps":[{"ephemeralMessage":"<pacenote>\n\"two\" lines\n</pacenote>"}]}
        stop: {}
        post-invocation: {}
        : {}
        pre-tool-use: {}
        post-tool-use: {}
        pre-invocation: {"injectSteps":[{"ephemeralMessage":"<pacenote>\n\"two\" lines\n</pacenote>"}]}
        stop: {"decision":"continue","reason":"a task is open"}
        post-invocation: {}
        : {}
        "#);
        for word in words() {
            assert_eq!(encode(word, &Reply::nothing()), "{}");
            assert_eq!(carries_context(word), encode(word, &deny).contains("two"), "{word}");
        }
    }
}
