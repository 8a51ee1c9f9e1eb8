use proptest::prelude::*;

use super::*;
use crate::spoken;

fn told(word: &str, payload: &str) -> String {
    spoken::told(decode(word, payload.as_bytes()))
}

/// A payload as it is written about, with these fields.
fn payload(fields: &str) -> String {
    format!(
        r#"{{"conversationId":"c1","transcriptPath":"/t.jsonl","workspacePaths":["/home/dev/shop","/b"]{fields}}}"#
    )
}

const CASES: [(&str, &str, &str); 9] = [
    ("pre-invocation", r#","invocationNum":1"#, "request Never"),
    (
        "pre-tool-use",
        r#","stepIdx":2,"toolCall":{"name":"run_command","args":{"CommandLine":"cargo test"}}"#,
        r#"before_tool run_command (shell), command "cargo test""#,
    ),
    (
        "pre-tool-use",
        r#","toolCall":{"name":"write_to_file","args":{"TargetFile":"/a.rs","CodeContent":"x"}}"#,
        r#"before_tool write_to_file (edit), path "/a.rs""#,
    ),
    (
        "post-tool-use",
        r#","toolCall":{"name":"view_file","args":{"AbsolutePath":"/a.rs"}},"error":"no file""#,
        r#"after_tool view_file (read), path "/a.rs", failed"#,
    ),
    ("post-tool-use", r#","toolCall":{"name":"mcp"},"error":"""#, "after_tool mcp (other)"),
    ("post-tool-use", r#","toolCall":null"#, "passed: post-tool-use"),
    ("stop", r#","terminationReason":"model_stop","fullyIdle":true"#, "stop again: false"),
    ("post-invocation", "", "passed: post-invocation"),
    ("session-start", "", "unknown: session-start"),
];

#[test]
fn payloads_as_they_are_written_about() {
    for (word, fields, said) in CASES {
        assert_eq!(told(word, &payload(fields)), said, "{fields}");
    }
    let Ok(Decoded::Known { event, .. }) = decode("stop", payload("").as_bytes()) else {
        panic!("{}", payload(""));
    };
    assert_eq!(event.directory, "/home/dev/shop");
    assert_eq!(event.transcript.as_deref(), Some("/t.jsonl"));
}

#[test]
fn what_is_missing_is_said() {
    for (word, payload, said) in [
        ("stop", r#"{"workspacePaths":["/"]}"#, "conversationId"),
        ("stop", r#"{"conversationId":"c","workspacePaths":[]}"#, "workspacePaths"),
        ("stop", r#"{"conversationId":"c","workspacePaths":"/"}"#, "workspacePaths"),
        ("pre-tool-use", r#"{"conversationId":"c","workspacePaths":["/"]}"#, "toolCall.name"),
    ] {
        let told = told(word, payload);
        assert!(told.ends_with(&format!("missing field `{said}`")), "{told}");
    }
}

#[test]
fn a_payload_cut_at_any_byte_is_refused() {
    for (word, fields, _) in
        CASES.into_iter().filter(|(word, ..)| table::find(&HOOKS, word).is_some())
    {
        let whole = payload(fields);
        for end in 0..whole.len() {
            assert!(decode(word, &whole.as_bytes()[..end]).is_err(), "{whole} {end}");
        }
        assert!(decode(word, whole.as_bytes()).is_ok(), "{whole}");
    }
}

proptest! {
    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for hook in &HOOKS {
            drop(decode(hook.word, &bytes));
        }
    }
}
