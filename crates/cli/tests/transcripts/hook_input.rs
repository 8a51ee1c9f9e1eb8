//! What a hook may be given for input: whatever it is, the answer is valid and the exit code 0.

use std::path::Path;

use pacenote_testkit::desk::{Desk, Ran};
use serde_json::json;

use crate::desk;

/// Payloads recorded from the client.
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../hosts/src/claude/fixtures/2.1.325");

/// Where the recorded client worked.
const RECORDED: &str = "/home/dev/shop";

/// Returns a desk with one task, so that there is something to tell.
fn in_use() -> Desk {
    let desk = desk();
    desk.run("task add 'Add login'");
    desk
}

/// Returns what the client sends when a session starts.
fn start(desk: &Desk) -> String {
    let shop = desk.root().join("shop");
    json!({ "session_id": "s-1", "cwd": shop, "hook_event_name": "SessionStart", "source": "startup" })
        .to_string()
}

/// Fires a hook with bytes for input.
fn fire(desk: &Desk, [host, event]: [&str; 2], input: impl Into<Vec<u8>>) -> Ran {
    let launch = desk.launch(env!("CARGO_BIN_EXE_pacenote"));
    Ran::of(&launch.arguments(["hook", host, event]).input(input))
}

/// Fires the hook of a session's start from a script that knows its command as `"$0" "$@"`.
fn fire_from(desk: &Desk, script: &str) -> Ran {
    let shell = desk.launch("/bin/sh").variable("PATH", "/usr/bin:/bin").arguments(["-c", script]);
    let command = [env!("CARGO_BIN_EXE_pacenote"), "hook", "claude", "session-start"];
    Ran::of(&shell.arguments(command).input(start(desk)))
}

/// Makes sure that a hook ended well and said nothing besides its answer.
fn assert_sound(what: &str, ran: &Ran) {
    assert_eq!((ran.code.as_str(), ran.stderr.as_str()), ("0", ""), "{what}");
}

#[test]
fn bytes_that_are_no_payload() {
    let desk = in_use();
    let table: [(&str, &[u8]); 7] = [
        ("nothing", b""),
        ("not UTF-8", b"\xff\xfe{}"),
        ("zero bytes", &[0; 4096]),
        ("a byte order mark alone", b"\xef\xbb\xbf"),
        ("another kind of JSON", b"[1, 2, 3]"),
        ("an object without anything", b"{}"),
        ("wrong types", br#"{"session_id":7,"cwd":[],"hook_event_name":{},"source":null}"#),
    ];
    for (what, input) in table {
        let ran = fire(&desk, ["claude", "session-start"], input);
        assert_sound(what, &ran);
        assert_eq!(ran.stdout, "{}", "{what}");
    }
}

#[test]
fn sixty_four_megabytes() {
    let desk = in_use();
    let size = 64 << 20;
    let mut padded = start(&desk).into_bytes();
    padded.resize(size, b' ');
    let prompt = json!({ "session_id": "s-1", "cwd": "/", "prompt": "x".repeat(size) }).to_string();
    for (what, event, input) in [
        ("a payload and blanks", "session-start", padded),
        ("one long prompt", "user-prompt-submit", prompt.into_bytes()),
        ("one long number", "session-start", vec![b'7'; size]),
        ("all that is opened", "session-start", vec![b'{'; size]),
    ] {
        let ran = fire(&desk, ["claude", event], input);
        assert_sound(what, &ran);
        ran.json();
    }
}

#[test]
fn one_byte_per_second() {
    let desk = in_use();
    // The loop ends when nobody listens any more; the exit code is that of the hook.
    let ran = fire_from(&desk, r#"while printf '{'; do sleep 1; done | "$0" "$@""#);
    assert_eq!((ran.code.as_str(), ran.stdout.as_str()), ("0", "{}"), "{}", ran.stderr);
}

#[test]
fn closed_ends() {
    let desk = in_use();
    // The reader is gone before the hook starts; its exit code is told where errors go.
    let unread = r#"{ sleep 0.3; "$0" "$@" <&4; echo "$?" >&3; } 4<&0 3>&2 | true"#;
    for (what, script, output, errors) in [
        ("no input", r#""$0" "$@" <&-"#, "{}", ""),
        ("no output", r#""$0" "$@" >&-"#, "", ""),
        ("neither, and no place for errors", r#""$0" "$@" <&- >&- 2>&-"#, "", ""),
        ("nobody reads", unread, "", "0\n"),
    ] {
        let ran = fire_from(&desk, script);
        let found = (ran.code.as_str(), ran.stdout.as_str(), ran.stderr.as_str());
        assert_eq!(found, ("0", output, errors), "{what}");
    }
    // None of this keeps the next session from its notes.
    let payload = start(&desk).replace("s-1", "s-2");
    assert!(fire(&desk, ["claude", "session-start"], payload).stdout.contains("Add login"));
}

#[test]
fn what_nobody_read_is_told_with_the_next_prompt() {
    let desk = in_use();
    fire_from(&desk, r#"{ sleep 0.3; "$0" "$@" <&4; } 4<&0 | true"#);
    let prompt = json!({ "session_id": "s-1", "cwd": desk.root().join("shop"), "prompt": "begin" });
    let told = fire(&desk, ["claude", "user-prompt-submit"], prompt.to_string()).stdout;
    assert!(told.contains("Add login"), "{told}");
}

#[test]
fn recorded_payloads_whole_and_cut_off() {
    let desk = in_use();
    let shop = desk.root().join("shop").display().to_string();
    let mut seen = 0;
    for entry in std::fs::read_dir(FIXTURES).expect("fixtures") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a payload").replace(RECORDED, &shop);
        let (name, event) = (path.display().to_string(), event_of(&path));
        let whole = fire(&desk, ["claude", &event], text.as_str());
        assert_sound(&name, &whole);
        assert!(whole.stdout.is_empty() || whole.json().is_object(), "{name}: {}", whole.stdout);
        let end = text.rfind('}').expect("an end");
        for cut in [end / 4, end / 2, end] {
            let ran = fire(&desk, ["claude", &event], &text.as_bytes()[..cut]);
            let what = format!("{name} cut off after {cut} bytes");
            assert_sound(&what, &ran);
            // Round a compaction the client takes whatever is printed for text.
            assert!(["{}", ""].contains(&ran.stdout.as_str()), "{what}: {}", ran.stdout);
        }
        seen += 1;
    }
    assert!(seen > 20, "{seen} payloads");
}

/// Returns the word on our command line for a file such as `PreToolUse.Bash.json`.
fn event_of(path: &Path) -> String {
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
    let mut word = String::new();
    for letter in name.split('.').next().expect("an event").chars() {
        if letter.is_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}

#[test]
fn hosts_and_events_that_nobody_knows() {
    let desk = in_use();
    for call in [
        ["nobody", "session-start"],
        ["../claude", "session-start"],
        ["CLAUDE", "session-start"],
        ["", "session-start"],
        ["claude", "session-start-of-tomorrow"],
        ["claude", "SessionStart"],
        ["claude", ""],
        ["claude", "../session-start"],
    ] {
        let ran = fire(&desk, call, start(&desk));
        assert_sound(&call.join(" "), &ran);
        assert_eq!(ran.stdout, "{}", "{call:?}");
    }
}

#[test]
fn a_newer_client_is_served_and_counted() {
    let desk = in_use();
    let payload = json!({
        "session_id": "s-1",
        "cwd": desk.root().join("shop"),
        "hook_event_name": "SessionStart",
        "source": "teleported",
        "permission_mode": "dream",
        "effort": { "level": "beyond", "because": [1, 2, { "deep": null }] },
        "workspace": [{ "kind": "hologram" }],
        "": "",
    });
    let ran = fire(&desk, ["claude", "session-start"], payload.to_string());
    assert_sound("a newer client", &ran);
    let told = ran.json();
    let context = told["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
    assert!(context.contains("Add login"), "{context}");
    let doctor = desk.run("doctor --json").json();
    let checks = doctor["checks"].as_array().expect("checks");
    let warned = checks.iter().any(|check| {
        check["health"] == "warn" && check["found"].to_string().contains("`teleported`")
    });
    assert!(warned, "{checks:?}");
}
