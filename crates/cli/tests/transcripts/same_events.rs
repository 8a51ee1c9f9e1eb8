//! Events that look the same: what the person repeats, what a client resumes, and what it fires twice.

use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::desk;

/// Fires a hook with these fields, in the project, and returns its answer as it is printed.
fn fire(desk: &Desk, hook: &str, session: [&str; 2], fields: &Value) -> String {
    let [name, directory] = session;
    let mut payload = json!({ name: "s-1", directory: desk.root().join("shop") });
    for (name, value) in fields.as_object().expect("fields") {
        payload[name] = value.clone();
    }
    desk.run_with_input(&format!("hook {hook}"), &payload.to_string()).stdout
}

/// Sends the agent a message, and returns what it is known by in an answer.
fn send(desk: &mut Desk, subject: &str, importance: &str) -> String {
    desk.set("PACENOTE_AGENT", "lead");
    let sent = format!("mail send --to backend --subject {subject} --importance {importance} text");
    assert_eq!(desk.run(&sent).code, "0");
    desk.set("PACENOTE_AGENT", "backend");
    subject.to_owned()
}

/// What clients call a session and its directory.
const OURS: [&str; 2] = ["session", "directory"];
const THEIRS: [&str; 2] = ["session_id", "cwd"];

/// Plays a prompt three times in the same words: a message comes before the second, an urgent one
/// before the third. `between` is what the client says after each turn.
fn repeat_prompt(hook: &str, session: [&str; 2], fields: &Value, between: &[&str]) -> Vec<String> {
    let mut desk = desk();
    desk.run("task add 'Add login'");
    let host = hook.split(' ').next().expect("a host");
    fire(&desk, &format!("{host} session-start"), session, &json!({ "source": "startup" }));
    let mut seen = Vec::new();
    let mut mails: Vec<String> = Vec::new();
    for subject in [None, Some(("colour", "high")), Some(("halt", "urgent"))] {
        mails.extend(subject.map(|(subject, importance)| send(&mut desk, subject, importance)));
        let answer = fire(&desk, hook, session, fields);
        let found: Vec<&str> =
            mails.iter().filter(|mail| answer.contains(*mail)).map(String::as_str).collect();
        seen.push(found.join(" "));
        for event in between {
            fire(&desk, &format!("{host} {event}"), session, &json!({}));
        }
    }
    seen
}

#[test]
fn the_same_words_bring_what_is_new_and_nothing_twice() {
    let prompt = json!({ "prompt": "run the tests" });
    let expected = ["", "colour", "halt"];
    // With and without a word about the end of a turn, with tools or another event in between.
    for between in [&["stop"][..], &[], &["stop", "session-end"]] {
        let seen = repeat_prompt("shell prompt", OURS, &prompt, between);
        assert_eq!(seen, expected, "{between:?}");
    }
    assert_eq!(repeat_prompt("opencode prompt", OURS, &prompt, &["stop"]), expected);
    assert_eq!(repeat_prompt("claude user-prompt-submit", THEIRS, &prompt, &["stop"]), expected);
    assert_eq!(repeat_prompt("codex user-prompt-submit", THEIRS, &prompt, &["stop"]), expected);
}

#[test]
fn a_resume_with_the_same_bytes_shows_what_is_true_now() {
    let mut desk = desk();
    desk.run("task add 'Add login'");
    desk.run("task add 'Add logout'");
    desk.run("task claim '#1'");
    let start = |desk: &Desk, source: &str| {
        fire(desk, "codex session-start", THEIRS, &json!({ "source": source }))
    };
    let turn = |desk: &Desk, id: &str| {
        let fields = json!({ "prompt": "go on", "turn_id": id });
        fire(desk, "codex user-prompt-submit", THEIRS, &fields);
        fire(desk, "codex stop", THEIRS, &json!({ "turn_id": id }));
    };
    assert!(start(&desk, "startup").contains("Add login"));
    turn(&desk, "1");
    send(&mut desk, "colour", "high");
    let first = start(&desk, "resume");
    assert!(first.contains("colour"), "{first}");
    turn(&desk, "2");
    let second = start(&desk, "resume");
    assert!(!second.contains("colour"), "{second}");
    turn(&desk, "3");
    desk.run("task close '#1'");
    desk.run("task claim '#2'");
    let third = start(&desk, "resume");
    assert!(third.contains("Add logout") && !third.contains("colour"), "{third}");
    // The client asks twice: the same bytes, and no second emission.
    let context = |answer: &str| {
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        answer["hookSpecificOutput"]["additionalContext"].clone()
    };
    assert_eq!(context(&start(&desk, "resume")), context(&third));
}

#[test]
fn what_a_client_fires_twice_is_answered_twice_in_the_same_bytes() {
    let mut desk = desk();
    desk.run("task add 'Add login'");
    let start = |desk: &Desk| fire(desk, "shell session-start", OURS, &json!({}));
    let first = start(&desk);
    assert!(first.contains("Add login"));
    assert_eq!(start(&desk), first);
    send(&mut desk, "colour", "high");
    assert_eq!(start(&desk), first, "it begins nothing");

    // An id says that it is the same event, whatever happened since.
    let ask = |desk: &Desk, id: &str| {
        fire(desk, "shell prompt", OURS, &json!({ "prompt": "go on", "id": id }))
    };
    let told = ask(&desk, "1");
    assert!(told.contains("colour"), "{told}");
    fire(&desk, "shell stop", OURS, &json!({}));
    send(&mut desk, "halt", "urgent");
    assert_eq!(ask(&desk, "1"), told);
    let next = ask(&desk, "2");
    assert!(next.contains("halt") && !next.contains("colour"), "{next}");
}

#[test]
fn somebody_who_was_given_the_project_is_briefed_before_the_first_command() {
    let mut desk = desk();
    desk.unset("PACENOTE_AGENT");
    let start = |desk: &Desk| {
        let fields = json!({ "hook_event_name": "SessionStart", "source": "startup" });
        fire(desk, "claude session-start", THEIRS, &fields)
    };
    assert_eq!(start(&desk), "{}", "a project that has nothing to do with us");
    desk.write(".pacenote/.gitignore", "/runs/\n");
    let first = start(&desk);
    let answer: Value = serde_json::from_str(&first).expect("JSON");
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
    insta::assert_snapshot!(text, @r#"
    <pacenote project="shop">
    <identity trust="system">You are @claude-s1 in project shop on branch main, session s-s1.</identity>
    <guide trust="system">No task is open. For work of more than one step, add one, because it survives a compaction: `pacenote task add "TITLE"`, then `pacenote task claim ID`. Skills: `pacenote skill search WORDS`.</guide>
    </pacenote>
    "#);
    assert!(!desk.data().join("pacenote.db").exists(), "hooks make no store");
    let prompt = json!({ "prompt": "what is this?", "prompt_id": "1" });
    assert_eq!(fire(&desk, "claude user-prompt-submit", THEIRS, &prompt), "{}");
    let doctor = desk.run("doctor").stdout;
    assert!(doctor.contains("none yet: sessions are briefed without it"), "{doctor}");

    // The first command makes the store and takes in what was recorded.
    let sessions = desk.run("session list --json").json();
    assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(1), "{sessions}");
}
