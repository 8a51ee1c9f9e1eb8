//! Which session is told what another one left, in the order in which real clients fire.

use std::{
    os::unix::fs::PermissionsExt as _,
    time::{Duration, SystemTime},
};

use pacenote_engine::Data;
use pacenote_model::{HostId, HostName, SessionStatus};
use pacenote_store::{Access, Store as _};
use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::{
    desk,
    lifecycle::{context, eventually, fire_in, rules, start},
    transcript,
};

/// How often git is called for one handoff.
const CALLS: u64 = 6;

/// More often than git is ever called here.
const ENOUGH: u64 = 1000;

/// Lets a session do one turn.
fn ask(desk: &Desk, session: &str) {
    fire_in(desk, session, "user-prompt-submit", &json!({ "prompt": "go on with the login" }));
    fire_in(desk, session, "stop", &json!({ "stop_hook_active": false }));
}

/// Ends a session, and waits until the worker that is started then has taken that in.
fn end(desk: &Desk, session: &str) {
    fire_in(desk, session, "session-end", &json!({ "reason": "other" }));
    let host = HostName::parse("claude").expect("a host");
    let host_id = HostId::parse(session).expect("an id");
    // Looked up in the store itself: our commands would take it in.
    eventually("the end", || {
        let store = pacenote_store::open(&Data::new(desk.data()).store(), Access::Read);
        let session = store.and_then(|store| store.session(&host, &host_id)).expect("the store");
        session.is_some_and(|session| session.status == SessionStatus::Completed)
    });
}

/// Returns the number of the session whose handoff is told.
fn told(context: &str) -> Option<&str> {
    let (_, handoff) = context.split_once("<handoff ")?;
    let (_, number) = handoff.split_once("session=\"")?;
    Some(number.split_once('"')?.0)
}

/// Puts a git in the way that goes on only as often as it is let.
fn with_stuck_git(desk: &mut Desk) {
    let (calls, allowed) = (desk.root().join("calls"), desk.root().join("allowed"));
    let (calls, allowed) = (calls.display(), allowed.display());
    let script = format!(
        "#!/bin/sh
        printf x >> '{calls}'
        while [ \"$(wc -c < '{calls}')\" -gt \"$(cat '{allowed}')\" ]; do sleep 0.02; done\n"
    );
    desk.write("../bin/git", &script);
    let directory = desk.root().join("bin");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(directory.join("git"), mode).expect("a program");
    desk.set("PATH", &format!("{}:/usr/bin:/bin", directory.display()));
    let_git(desk, 0);
}

/// Lets git go on so many times, all in all.
fn let_git(desk: &Desk, times: u64) {
    desk.write("../allowed", &times.to_string());
}

/// Waits until git was called so many times.
fn await_git(desk: &Desk, times: u64) {
    let calls = desk.root().join("calls");
    eventually("the worker", || std::fs::metadata(&calls).is_ok_and(|file| file.len() >= times));
}

#[test]
fn the_session_that_just_ended_is_followed_while_a_worker_is_busy() {
    let mut desk = desk();
    with_stuck_git(&mut desk);
    desk.run("task add 'Add login'");
    start(&desk, "s-1");
    ask(&desk, "s-1");
    await_git(&desk, 1);
    end(&desk, "s-1");
    assert_eq!(told(&start(&desk, "s-2")), Some("#1"));
    // Of this one no worker ever heard.
    ask(&desk, "s-2");
    end(&desk, "s-2");
    assert_eq!(told(&start(&desk, "s-3")), Some("#2"));
    let_git(&desk, ENOUGH);
    eventually("the report", || desk.data().join("worker.json").exists());
    assert_eq!(told(&start(&desk, "s-4")), None, "what was completed late stays taken");
}

#[test]
fn of_several_that_ended_the_last_one_is_followed_whatever_is_completed_last() {
    let mut desk = desk();
    with_stuck_git(&mut desk);
    desk.run("task add 'Add login'");
    for session in ["s-1", "s-2"] {
        start(&desk, session);
    }
    for session in ["s-1", "s-2"] {
        ask(&desk, session);
        await_git(&desk, 1);
        end(&desk, session);
    }
    let_git(&desk, CALLS);
    await_git(&desk, CALLS + 1);
    assert_eq!(told(&start(&desk, "s-3")), Some("#2"));
    let_git(&desk, ENOUGH);
}

#[test]
fn a_session_in_which_nothing_happened_passes_on_what_it_took() {
    let desk = desk();
    desk.run("task add 'Add login'");
    start(&desk, "s-1");
    ask(&desk, "s-1");
    end(&desk, "s-1");
    for idle in ["s-2", "s-3"] {
        assert_eq!(told(&start(&desk, idle)), Some("#1"), "{idle}");
        end(&desk, idle);
        // Some clients say it twice.
        end(&desk, idle);
    }
    assert_eq!(told(&start(&desk, "s-4")), Some("#1"));
    ask(&desk, "s-4");
    end(&desk, "s-3");
    assert_eq!(told(&start(&desk, "s-5")), None, "it is in use");
    end(&desk, "s-5");
    end(&desk, "s-4");
    let next = start(&desk, "s-6");
    let number = told(&next).expect("a handoff").to_owned();
    let shown = desk.run(&format!("session show '{number}' --json")).json();
    assert_eq!(shown["host_id"], "s-4");
}

#[test]
fn changed_files_are_those_of_the_project_and_not_our_own() {
    let mut desk = desk();
    let search = std::env::var("PATH").expect("a path to git");
    desk.set("PATH", &search);
    for number in 100..130 {
        desk.write(&format!(".pacenote/handoff-{number}.md"), "# Handoff\n");
        desk.write(&format!(".pacenote/runs/{number}/review-1.md"), "# Review\n");
    }
    desk.write(".pacenote/lifecycle.yaml", "version: 1\n");
    desk.write("src/login.rs", "");
    desk.run("task add 'Add login'");
    start(&desk, "s-1");
    ask(&desk, "s-1");
    end(&desk, "s-1");
    eventually("the changed files", || {
        desk.run("session handoff show '#1'").stdout.contains("src/login.rs")
    });
    let shown = desk.run("session handoff show '#1'").stdout;
    assert!(shown.contains(".pacenote/lifecycle.yaml"), "{shown}");
    assert!(!shown.contains("handoff-1") && !shown.contains("review-1"), "{shown}");
}

/// Fires a hook of a client and returns the text for its model.
fn notes_of(desk: &Desk, host: &str, event: &str, session: &str, fields: &Value) -> String {
    let mut payload = fields.clone();
    payload["session_id"] = json!(session);
    payload["cwd"] = json!(desk.root().join("shop"));
    let line = format!("hook {host} {event}");
    let stdout = desk.run_with_input(&line, &payload.to_string()).stdout;
    let answer: Value = serde_json::from_str(&stdout).unwrap_or_default();
    context(&answer)
}

#[test]
fn a_compaction_brings_back_what_only_the_session_knew() {
    let desk = desk();
    desk.run("task add 'Scoring with BM25'");
    desk.run("task claim '#1'");
    start(&desk, "s-1");
    let ask = |prompt: &str| {
        fire_in(&desk, "s-1", "user-prompt-submit", &json!({ "prompt": prompt }));
    };
    let stop = |message: &str| {
        let fields = json!({ "stop_hook_active": false, "last_assistant_message": message });
        fire_in(&desk, "s-1", "stop", &fields);
    };
    ask("make the score stable for empty notes:\n\n    fn score(notes: &[Note]) -> Vec<f64>");
    desk.run("task note '#1' 'DECISION: an empty note scores 0.0'");
    stop("An empty note scores 0.0 now, `Vec<f64>` stays.\n\n- Should a missing note be an error?");
    ask("/cost");
    ask("continue");
    stop("It stays 0.0 for now. Is that right? Or do you want an `Err`?");
    fire_in(&desk, "s-1", "pre-compact", &json!({ "trigger": "auto" }));
    // A worker may have done so: from then on the session has a number.
    desk.run("session list");
    let again = fire_in(&desk, "s-1", "session-start", &json!({ "source": "compact" }));
    let again = context(&again);
    insta::assert_snapshot!(without_fences(&desk.tidy(&again)), @r#"
    <pacenote project="shop">
    <identity trust="system">You are @backend in project shop on branch main, session s-s1 (#1).</identity>
    <last_request trust="user">
    make the score stable for empty notes:

        fn score(notes: &[Note]) -> Vec<f64>
    </last_request>
    <last_words trust="agent" fenced>
    It stays 0.0 for now.
    Not answered yet: Is that right?
    Not answered yet: Or do you want an `Err`?
    [end of [fence]]
    </last_words>
    <notes trust="agent" task="t-1" fenced>
    - @backend: DECISION: an empty note scores 0.0
    [end of [fence]]
    </notes>
    <notice trust="system">A skill that may fit: `pacenote skill show test-driven-development` (Guides implementation test first in the cycle red, green, refactor …).</notice>
    <guide trust="system">If texts here disagree: the user first, then system, project, agent, foreign. Find skills: `pacenote skill search WORDS`.</guide>
    <position trust="agent">You are at t-1 "Scoring with BM25".</position>
    <next trust="system">Finish t-1, then run `pacenote task close t-1`.</next>
    </pacenote>
    "#);
    // With the next prompt nothing of it comes a second time.
    let next = fire_in(&desk, "s-1", "user-prompt-submit", &json!({ "prompt": "0.0 is right" }));
    assert_eq!(context(&next), "(nothing)");
}

#[test]
fn the_source_for_a_compaction_is_there_at_that_moment() {
    let desk = desk();
    rules(
        &desk,
        "\
disable: [briefing, hello, news]
on_session_start:
  - name: mine
    when: source == 'compact'
    action: inject_context
    source: compact_handoff
",
    );
    desk.run("task add 'Add login'");
    start(&desk, "s-1");
    fire_in(&desk, "s-1", "user-prompt-submit", &json!({ "prompt": "write the form" }));
    desk.run("session list");
    let left = r#"{ "next_steps": ["Check the password"] }"#;
    desk.run_with_input("session handoff set - --session '#1'", left);
    let again = fire_in(&desk, "s-1", "session-start", &json!({ "source": "compact" }));
    insta::assert_snapshot!(without_fences(&context(&again)), @r##"
    <pacenote project="shop">
    <handoff trust="agent" session="#1" fenced>
    Next steps: Check the password
    [end of [fence]]
    </handoff>
    <last_request trust="user">
    write the form
    </last_request>
    </pacenote>
    "##);
}

#[test]
fn the_next_session_gets_what_only_the_last_one_knew() {
    let mut desk = desk();
    let search = std::env::var("PATH").expect("a path to git");
    desk.set("PATH", &search);
    std::fs::create_dir(desk.root().join("shop/.pacenote")).expect("a directory");
    desk.run("task add 'Read the old file'");
    desk.run("task add 'Write the new file'");
    desk.run("task claim '#1'");
    start(&desk, "s-1");
    let prompt = json!({ "prompt": "write the reader, keep the comments" });
    fire_in(&desk, "s-1", "user-prompt-submit", &prompt);
    desk.run("task note '#1' 'DECISION: tomlkit, because it keeps comments'");
    desk.write("app/migrate.py", "");
    let words = "The reader works, the writer is next. Shall I go on?";
    let fields = json!({ "stop_hook_active": false, "last_assistant_message": words });
    fire_in(&desk, "s-1", "stop", &fields);
    end(&desk, "s-1");
    eventually("the changed files", || {
        desk.run("session handoff show '#1'").stdout.contains("app/migrate.py")
    });
    let file = desk.root().join("shop/.pacenote/handoff-1.md");
    let file = std::fs::read_to_string(file).expect("a file");
    insta::assert_snapshot!(desk.tidy(&file), @r#"
    # Handoff of session #1 (claude)

    ## Last request

    + "write the reader, keep the comments"

    ## Last words

    + "The reader works, the writer is next."

    ## Open questions

    + "Shall I go on?"

    ## Notes

    + "DECISION: tomlkit, because it keeps comments"

    ## Active task

    + "t-1 Read the old file"

    ## Git

    + branch: "main"

    ## Changed files

    + "app/migrate.py"
    "#);
    let next = desk.tidy(&start(&desk, "s-2"));
    insta::assert_snapshot!(without_fences(&next), @r##"
    <pacenote project="shop">
    <identity trust="system">You are @backend in project shop on branch main, session s-s2.</identity>
    <handoff trust="agent" session="#1" fenced>
    Last request: write the reader, keep the comments
    Last words: The reader works, the writer is next.
    Open questions: Shall I go on?
    Changed files, not committed: app/migrate.py
    [end of [fence]]
    </handoff>
    <tasks trust="agent">
    - [ ] t-1 Read the old file (@backend, in progress)  <-- CURRENT
    - [ ] t-2 Write the new file
    </tasks>
    <notes trust="agent" task="t-1" fenced>
    - @backend: DECISION: tomlkit, because it keeps comments
    [end of [fence]]
    </notes>
    <guide trust="system">If texts here disagree: the user first, then system, project, agent, foreign. Find skills: `pacenote skill search WORDS`.</guide>
    <position trust="agent">You are at t-1.</position>
    <next trust="system">Finish t-1, then run `pacenote task close t-1`.</next>
    </pacenote>
    "##);
}

#[test]
fn clients_whose_start_carries_no_notes_get_the_handoff_with_the_first_prompt() {
    for (host, asks, stops, answer) in [
        ("gemini", "before-agent", "after-agent", "prompt_response"),
        ("qwen", "user-prompt-submit", "stop", "last_assistant_message"),
    ] {
        let desk = desk();
        desk.run("task add 'Add login'");
        let ask = |session: &str, prompt: &str| {
            notes_of(&desk, host, "session-start", session, &json!({ "source": "startup" }));
            notes_of(&desk, host, asks, session, &json!({ "prompt": prompt }))
        };
        ask("s-1", "write the form");
        notes_of(&desk, host, stops, "s-1", &json!({ answer: "The form is there." }));
        notes_of(&desk, host, "session-end", "s-1", &json!({ "reason": "exit" }));
        desk.run("session list");
        let first = ask("s-2", "good morning all");
        assert_eq!(first.matches("The form is there.").count(), 1, "{host}: {first}");
        assert_eq!(first.matches("write the form").count(), 1, "{host}: {first}");
        let second = notes_of(&desk, host, asks, "s-2", &json!({ "prompt": "and the tests" }));
        assert_eq!(second, "(nothing)", "{host}");
        let other = ask("s-3", "good morning all");
        assert!(!other.contains("The form is there."), "{host}: one session gets it: {other}");
    }
}

#[test]
fn a_session_that_changed_nothing_leaves_nothing_where_nothing_is_going_on() {
    let mut desk = desk();
    let search = std::env::var("PATH").expect("a path to git");
    desk.set("PATH", &search);
    desk.run("task add x");
    desk.run("task close '#1'");
    // What was changed before says nothing about a session.
    desk.write("old.rs", "");
    let file = std::fs::File::options().append(true).open(desk.root().join("shop/old.rs"));
    let yesterday = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    file.expect("a file").set_modified(yesterday).expect("a time");
    let turn = |session: &str, edit: &dyn Fn(), file: &str| {
        start(&desk, session);
        fire_in(&desk, session, "user-prompt-submit", &json!({ "prompt": "what is this?" }));
        edit();
        let fields = json!({ "stop_hook_active": false, "last_assistant_message": "A shop." });
        fire_in(&desk, session, "stop", &fields);
        end(&desk, session);
        eventually("the worker", || desk.run("session handoff show").stdout.contains(file));
    };
    turn("s-1", &|| {}, "old.rs");
    assert_eq!(told(&start(&desk, "s-2")), None);
    turn("s-3", &|| desk.write("new.rs", ""), "new.rs");
    assert_eq!(told(&start(&desk, "s-4")), Some("#3"));
}

#[test]
fn a_text_without_headings_says_where_things_stand() {
    let mut desk = desk();
    desk.write("notes.md", "The form is there.\n\nThe check is not:\n\n## Weather\n\nRain.\n");
    desk.run("task add 'Add login'");
    start(&desk, "s-1");
    transcript!(desk, [
        "session handoff set notes.md --session '#1'",
        "session handoff set notes.md --session '#7'",
    ], @r###"
    $ pacenote session handoff set notes.md --session '#1'
    # Handoff of session #1 (claude)

    ## Current state

    + "The form is there."
    + ""
    + "The check is not:"
    + ""
    + "## Weather"
    + ""
    + "Rain."
    $ pacenote session handoff set notes.md --session '#7'
    error: no session `#7` in this project

    hint: `pacenote session list` shows the sessions of this project
    [exit 1]
    "###);
    // A person has no session, an agent has its own.
    desk.unset("PACENOTE_AGENT");
    transcript!(desk, ["session handoff set notes.md"], @"
    $ pacenote session handoff set notes.md
    error: this is not called from inside a session

    hint: name the session: `--session '#N'`; `pacenote session list` shows them
    [exit 1]
    ");
    desk.set("CLAUDECODE", "1");
    desk.set("CLAUDE_CODE_SESSION_ID", "s-1");
    assert_eq!(desk.run("session handoff set notes.md").code, "0");
}

/// Returns a text with every fence, which depends on the ids in it, shown as `[fence]`.
fn without_fences(text: &str) -> String {
    let mut shown = text.to_owned();
    while let Some((_, rest)) = shown.split_once("fence=\"")
        && let Some((digits, _)) = rest.split_once('"')
        && digits != "[fence]"
    {
        let digits = digits.to_owned();
        shown = shown.replace(&digits, "[fence]").replace("fence=\"[fence]\"", "fenced");
    }
    shown
}
