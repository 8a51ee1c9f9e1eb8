use pacenote_model::EventKind;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn deny() -> Verdict {
    Verdict::Deny { reason: "no task\nis claimed".to_owned() }
}

fn go_on() -> Verdict {
    Verdict::GoOn { reason: "a task is open".to_owned() }
}

fn everything(verdict: Verdict) -> Reply {
    Reply {
        context: Some("<pacenote>\n\"two\" lines\n</pacenote>".to_owned()),
        notice: Some("2 tasks".to_owned()),
        verdict: Some(verdict),
        input: Some(serde_json::Map::new()),
    }
}

fn table(reply: &Reply, form: Form) -> String {
    let words = EventKind::sent().map(EventKind::word).chain(["pre-tool-use"]);
    let rows = words.map(|word| format!("{word}: {:?}", encode(word, reply, form)));
    rows.collect::<Vec<_>>().join("\n").replace("\\\"", "'")
}

#[test]
fn nothing_is_nothing() {
    for word in EventKind::sent().map(EventKind::word) {
        assert_eq!(encode(word, &Reply::nothing(), Form::Text), "", "{word}");
        assert_eq!(encode(word, &Reply::nothing(), Form::Json), "{}", "{word}");
    }
    assert_eq!(encode("teleport", &everything(deny()), Form::Json), "");
}

#[test]
fn as_text() {
    insta::assert_snapshot!(table(&everything(deny()), Form::Text), @r#"
    session-start: "<pacenote>\n'two' lines\n</pacenote>"
    prompt: "<pacenote>\n'two' lines\n</pacenote>"
    before-tool: "deny: no task is claimed\n<pacenote>\n'two' lines\n</pacenote>"
    after-tool: "<pacenote>\n'two' lines\n</pacenote>"
    request: "<pacenote>\n'two' lines\n</pacenote>"
    todos: ""
    pre-compact: ""
    post-compact: ""
    stop: ""
    subagent-start: "<pacenote>\n'two' lines\n</pacenote>"
    subagent-stop: ""
    session-end: ""
    pre-tool-use: ""
    "#);
    let going_on = encode("stop", &everything(go_on()), Form::Text);
    assert_eq!(going_on, "go on: a task is open");
}

#[test]
fn as_an_object() {
    insta::assert_snapshot!(table(&everything(go_on()), Form::Json), @r#"
    session-start: "{'context':'<pacenote>\\n\\'two\\' lines\\n</pacenote>','notice':'2 tasks'}"
    prompt: "{'context':'<pacenote>\\n\\'two\\' lines\\n</pacenote>','notice':'2 tasks'}"
    before-tool: "{'context':'<pacenote>\\n\\'two\\' lines\\n</pacenote>','notice':'2 tasks'}"
    after-tool: "{'context':'<pacenote>\\n\\'two\\' lines\\n</pacenote>','notice':'2 tasks'}"
    request: "{'context':'<pacenote>\\n\\'two\\' lines\\n</pacenote>','notice':'2 tasks'}"
    todos: "{'notice':'2 tasks'}"
    pre-compact: "{'notice':'2 tasks'}"
    post-compact: "{'notice':'2 tasks'}"
    stop: "{'notice':'2 tasks','decision':'go_on','reason':'a task is open'}"
    subagent-start: "{'context':'<pacenote>\\n\\'two\\' lines\\n</pacenote>','notice':'2 tasks'}"
    subagent-stop: "{'notice':'2 tasks','decision':'go_on','reason':'a task is open'}"
    session-end: "{'notice':'2 tasks'}"
    pre-tool-use: ""
    "#);
    insta::assert_snapshot!(encode("before-tool", &everything(deny()), Form::Json), @r#"{"context":"<pacenote>\n\"two\" lines\n</pacenote>","notice":"2 tasks","decision":"deny","reason":"no task\nis claimed"}"#);
}

#[test]
fn what_an_event_carries_is_what_is_written() {
    for word in EventKind::sent().map(EventKind::word).chain(["pre-tool-use", ""]) {
        let answers = [deny(), go_on()].map(everything);
        for form in [Form::Text, Form::Json] {
            let answers = [&answers[0], &answers[1]].map(|reply| encode(word, reply, form));
            let says = |text: &str| answers.iter().any(|answer| answer.contains(text));
            assert_eq!(carries_context(word), says("two"), "{word}");
            assert_eq!(carries_verdict(word), says("deny") || says("open"), "{word}");
        }
    }
}

proptest! {
    /// Every text comes back unchanged from the object, and a verdict is one line of the text.
    #[test]
    fn any_text_arrives([context, notice, reason] in any::<[String; 3]>()) {
        let reply = Reply {
            context: Some(context.clone()),
            notice: Some(notice.clone()),
            verdict: Some(Verdict::Deny { reason: reason.clone() }),
            input: None,
        };
        let object = encode("before-tool", &reply, Form::Json);
        prop_assert_eq!(object.lines().count(), 1);
        prop_assert_eq!(serde_json::from_str::<Value>(&object).unwrap(), json!({
            "context": context,
            "notice": notice,
            "decision": "deny",
            "reason": reason,
        }));
        let text = encode("before-tool", &reply, Form::Text);
        let (first, rest) = text.split_once('\n').unwrap();
        prop_assert!(first.starts_with("deny: "));
        prop_assert_eq!(rest, context);
    }
}
