//! `pacenote session log`: session logs that were damaged, and getting rid of the notice.

use std::fs;

use pacenote_testkit::desk::Desk;

use crate::{desk, transcript};

/// Lets a session of Claude Code begin in the project, and returns its log.
fn begin(desk: &Desk, id: &str) -> std::path::PathBuf {
    let payload = format!(
        r#"{{"session_id":"{id}","cwd":"{}","hook_event_name":"SessionStart","source":"startup"}}"#,
        desk.root().join("shop").display()
    );
    assert_eq!(desk.run_with_input("hook claude session-start", &payload).code, "0");
    desk.data().join(format!("sessions/claude-{id}.jsonl"))
}

/// Keeps the lines of a log that hold one of these words.
fn keep_lines(log: &std::path::Path, words: &[&str]) {
    let text = fs::read_to_string(log).expect("the log");
    let kept = text.lines().filter(|line| words.iter().any(|word| line.contains(word)));
    let kept: Vec<&str> = kept.collect();
    fs::write(log, kept.join("\n") + "\n").expect("a damaged log");
}

#[test]
fn a_damaged_log_is_shown_and_stops_nobody() {
    let desk = desk();
    desk.run(r#"task add "x""#);
    let log = begin(&desk, "s-1");
    keep_lines(&log, &["pacenote_log", r#""kind":"printed""#]);
    let junk = begin(&desk, "s-2");
    let text = fs::read_to_string(&junk).expect("the log");
    fs::write(&junk, format!("{text}{{\"kind\":\nnot a line\n")).expect("a damaged log");
    begin(&desk, "s-3");
    transcript!(desk, ["session list", "session list", "session log list", "doctor"], @"
    $ pacenote session list
    #2  active  epoch 1  [moment]  @backend  claude s-3
    #1  active  epoch 1  [moment]  @backend  claude s-2
    warning: 3 lines of session logs were set aside because they cannot be applied; `pacenote session log list` shows why
    $ pacenote session list
    #2  active  epoch 1  [moment]  @backend  claude s-3
    #1  active  epoch 1  [moment]  @backend  claude s-2
    $ pacenote session log list
    3   claude-s-1.jsonl  1 line   no such session
    10  claude-s-2.jsonl  2 lines  the line is not JSON
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 5)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    ok    store: SQLite 3.54.1, schema 5
    ok    integrity: sound
    warn  set aside: 3 lines of 2 session logs could not be applied: no such session, the line is not JSON
          hint: `pacenote session log list` shows them, `pacenote session log drop --all` forgets them
    ok    backups: 1, newest of [moment]
    ok    session logs: 3
    ok    project: shop at /desk/shop, main
    ok    in use: 1 task, 2 sessions
    ok    rules: 13 in force
    ok    told: 2 answers, all within the budget
    ");
    let shown = desk.run("session log list --json").json();
    let number = shown["set_aside"][0]["number"].as_u64().expect("a number");
    let show = desk.tidy(&desk.run(&format!("session log show {number}")).stdout);
    let (head, line) = show.split_once("\n\n").expect("a head");
    for said in ["log: claude-s-1.jsonl, bytes 59 to ", "reason: no such session"] {
        assert!(head.contains(said), "{head}");
    }
    assert!(line.contains(r#""kind":"printed""#), "{line}");
    let json = desk.run(&format!("session log show {number} --json")).json();
    assert_eq!(json["texts"].as_array().map(Vec::len), Some(1));
    assert_eq!(json["log"], "claude-s-1.jsonl");

    assert_eq!(desk.run(&format!("session log drop {number}")).stdout, "dropped 1 entry\n");
    transcript!(desk, [
        "session log drop 99999",
        "session log show 99999",
        "session log drop",
        "session log drop --all --json",
        "session log list",
        "session log drop --all",
    ], @r#"
    $ pacenote session log drop 99999
    error: no lines of a session log were set aside as `99999`

    hint: `pacenote session log list` shows what was set aside
    [exit 1]
    $ pacenote session log show 99999
    error: no lines of a session log were set aside as `99999`

    hint: `pacenote session log list` shows what was set aside
    [exit 1]
    $ pacenote session log drop
    error: the following required arguments were not provided:
      <NUMBERS>...

    Usage: pacenote session log drop <NUMBERS>...

    For more information, try '--help'.
    [exit 2]
    $ pacenote session log drop --all --json
    {
      "dropped": [
        10
      ]
    }
    $ pacenote session log list
    no lines of session logs are set aside
    $ pacenote session log drop --all
    dropped 0 entries
    "#);
}

#[test]
fn a_log_that_was_cut_is_shown() {
    let desk = desk();
    desk.run(r#"task add "x""#);
    let log = begin(&desk, "s-1");
    desk.run("session list");
    let text = fs::read_to_string(&log).expect("the log");
    let first = text.lines().next().expect("a line");
    fs::write(&log, format!("{first}\n")).expect("cut");
    transcript!(desk, ["session list", "session log list", "session list"], @"
    $ pacenote session list
    #1  active  epoch 1  [moment]  @backend  claude s-1
    $ pacenote session log list
    9  claude-s-1.jsonl  0 lines  the log was cut, and lines that were added right after that may be missing
    $ pacenote session list
    #1  active  epoch 1  [moment]  @backend  claude s-1
    ");
    let doctor = desk.run("doctor").stdout;
    assert!(doctor.contains("warn  set aside: 1 session log: the log was cut, and"), "{doctor}");
}

#[test]
fn what_is_not_a_number_of_the_list_is_refused_in_a_sentence() {
    transcript!(desk(), ["session log show x", "session log drop 1 -- -1"], @"
    $ pacenote session log show x
    error: invalid value 'x' for '<NUMBER>': `pacenote session log list` shows the numbers there are

    For more information, try '--help'.
    [exit 2]
    $ pacenote session log drop 1 -- -1
    error: invalid value '-1' for '[NUMBERS]...': `pacenote session log list` shows the numbers there are

    For more information, try '--help'.
    [exit 2]
    ");
}
