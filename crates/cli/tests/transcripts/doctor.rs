//! `pacenote doctor`.

use crate::{desk, transcript};

#[test]
fn before_and_after_the_first_task() {
    let desk = desk();
    transcript!(desk, ["doctor", r#"task add "x""#, "doctor"], @r#"
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 5)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    ok    store: none yet: sessions are briefed without it, and the first command that writes makes it at `/desk/home/.local/share/pacenote/pacenote.db`
    ok    session logs: 0
    ok    project: shop at /desk/shop, main
    warn  in use: pacenote was not used in this project yet, so hooks say nothing in it
          hint: `pacenote init` takes it into use
    ok    rules: 13 in force
    $ pacenote task add "x"
    added t-1 #1 (open) x
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 5)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    ok    store: SQLite 3.54.1, schema 5
    ok    integrity: sound
    ok    backups: 1, newest of [moment]
    ok    session logs: 0
    ok    project: shop at /desk/shop, main
    ok    in use: 1 task, 0 sessions
    ok    rules: 13 in force
    "#);
    let report = desk.run("doctor --json").json();
    assert_eq!(report["healthy"], true);
    insta::assert_snapshot!(report["checks"][0].to_string(), @r#"{"found":"0.1.0 (schema 5)","health":"ok","hint":null,"name":"pacenote"}"#);
    insta::assert_snapshot!(report["capabilities"][0].to_string(), @r#"{"context":false,"event":"before-tool","host":"antigravity","input":false,"names":["PreToolUse"],"remark":"from documents, unproven","verdict":"deny"}"#);
}

#[test]
fn failures_of_hooks_are_shown() {
    let desk = desk();
    desk.run(r#"task add "x""#);
    for (line, payload) in [
        ("hook claude session-start", "not json"),
        ("hook nobody session-start", "{}"),
        (
            "hook claude session-start",
            r#"{"session_id":"s","cwd":"/","hook_event_name":"SessionStart","source":"tomorrow"}"#,
        ),
    ] {
        let ran = desk.run_with_input(line, payload);
        assert_eq!((ran.code.as_str(), ran.stdout.as_str(), ran.stderr.as_str()), ("0", "{}", ""));
    }
    transcript!(desk, ["doctor"], @"
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 5)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    ok    store: SQLite 3.54.1, schema 5
    ok    integrity: sound
    ok    backups: 1, newest of [moment]
    ok    session logs: 0
    warn  hook failures: claude session-start: the payload is not that of a `session-start` hook: expected ident at line 1 column 2 ([moment])
          nobody session-start: no host named `nobody` is known ([moment])
          claude session-start: the source `tomorrow` is not known and taken for `startup` ([moment])
          hint: the newest are shown; `/desk/home/.local/share/pacenote/failures.jsonl` holds them all and may be deleted
    ok    project: shop at /desk/shop, main
    ok    in use: 1 task, 0 sessions
    ok    rules: 13 in force
    ");
}

#[test]
fn a_worktree_that_was_moved_is_recognized_as_such() {
    let mut desk = desk();
    desk.write("../moved/.git", "gitdir: /nowhere/.git/worktrees/moved\n");
    desk.write("../moved/src/main.rs", "");
    desk.go_to("moved/src");
    let told = desk.tidy(&desk.run("doctor").stdout);
    let lines: Vec<_> =
        told.lines().skip_while(|line| !line.contains("worktree")).take(2).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    warn  worktree: `/desk/moved/.git` leads to no git directory that names it in turn
          hint: if it was moved, run `git worktree repair` in `/desk/moved`
    ");
}

#[test]
fn what_a_worker_left_is_shown() {
    let desk = desk();
    desk.run("task add x");
    let report = r#"{"at":"2026-01-02T03:04:05Z","granted":2,"left":3,"troubles":[]}"#;
    std::fs::write(desk.data().join("worker.json"), report).expect("a report");
    let told = desk.tidy(&desk.run("doctor").stdout);
    let lines: Vec<_> = told.lines().skip_while(|line| !line.contains("worker")).take(2).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    warn  worker: last at 2026-01-02T03:04:05Z, 2 errands done; 3 left
          hint: `pacenote work --once` tries again what is left
    ");
}

#[test]
fn no_failure_of_a_hook_holds_a_secret() {
    let desk = desk();
    desk.run("task add x");
    let rest = "k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2";
    let shop = desk.root().join("shop");
    for head in ["ghp_", "gh\u{2060}p_", r"ghp\_", r"ghp\u{5f}", "g\u{1b}[31mhp_"] {
        let payload = serde_json::json!({
            "session_id": "s-1", "cwd": shop, "hook_event_name": "PreCompact",
            "trigger": format!("{head}{rest}"),
        });
        desk.run_with_input("hook claude pre-compact", &payload.to_string());
        // Cut in the middle of the secret.
        let long = format!("{}{head}{rest}", "x ".repeat(80));
        desk.run_arguments(&["hook", "claude", "session-start", &long], "{}");
    }
    let failures = std::fs::read_to_string(desk.data().join("failures.jsonl")).expect("failures");
    assert_eq!(failures.lines().count(), 10, "{failures}");
    assert!(!failures.contains("k2Lw9Zr4"), "{failures}");
}
