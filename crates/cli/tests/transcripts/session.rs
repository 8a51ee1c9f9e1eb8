//! `pacenote session`, and what hooks leave for it.

use crate::{desk, transcript};

fn payload(desk: &pacenote_testkit::desk::Desk, id: &str, source: &str) -> String {
    let directory = desk.root().join("shop");
    format!(
        r#"{{"session_id":"{id}","transcript_path":"/home/dev/{id}.jsonl","cwd":"{}","hook_event_name":"SessionStart","source":"{source}"}}"#,
        directory.display()
    )
}

#[test]
fn sessions_are_known_from_their_hooks() {
    let mut desk = desk();
    desk.unset("PACENOTE_AGENT");
    desk.run(r#"task add "x""#);
    for (id, source) in
        [("s-1", "startup"), ("s-1", "compact"), ("s-2", "startup"), ("s-1", "resume")]
    {
        let ran = desk.run_with_input("hook claude session-start", &payload(&desk, id, source));
        assert_eq!(ran.code, "0");
    }
    transcript!(desk, [
        "session list",
        "session show --host claude --host-id s-1",
        "session show #2",
        "session show #3",
        "session show --host claude --host-id nobody",
        "session show",
    ], @"
    $ pacenote session list
    #2  active  epoch 1  [moment]  claude s-2
    #1  active  epoch 2  [moment]  claude s-1
    $ pacenote session show --host claude --host-id s-1
    session #1
    id: uuid-1
    host: claude s-1
    status: active
    epoch: 2
    transcript: /home/dev/s-1.jsonl
    first seen: [moment]
    last seen: [moment]
    $ pacenote session show #2
    session #2
    id: uuid-2
    host: claude s-2
    status: active
    epoch: 1
    transcript: /home/dev/s-2.jsonl
    first seen: [moment]
    last seen: [moment]
    $ pacenote session show #3
    error: no session `#3` in this project

    hint: `pacenote session list` shows the sessions of this project
    [exit 1]
    $ pacenote session show --host claude --host-id nobody
    error: no session `nobody` in this project

    hint: `pacenote session list` shows the sessions of this project
    [exit 1]
    $ pacenote session show
    error: this is not called from inside a session

    hint: name one: `pacenote session list` shows them
    [exit 1]
    ");
    // A session that writes gets a name of its own, and its place in the tree with it.
    desk.set("CLAUDECODE", "1").set("CLAUDE_CODE_SESSION_ID", "s-1");
    transcript!(desk, ["task claim #1", "session list", "task list --full"], @r#"
    $ pacenote task claim #1
    claimed t-1 #1 (in progress @claude-s1) x
    $ pacenote session list
    #2  active  epoch 1  [moment]              claude s-2
    #1  active  epoch 2  [moment]  @claude-s1  claude s-1
    $ pacenote task list --full
    - [ ] t-1 x (@claude-s1, in progress)  <-- CURRENT

    You are at t-1 "x".
    Finish t-1, then run `pacenote task close t-1`.
    "#);
}

#[test]
fn damaged_lines_are_passed_over() {
    let desk = desk();
    desk.run(r#"task add "x""#);
    desk.run_with_input("hook claude session-start", &payload(&desk, "s-1", "startup"));
    let log = desk.data().join("sessions/claude-s-1.jsonl");
    let mut content = std::fs::read(&log).expect("the log");
    content.extend_from_slice(b"{\"kind\":\"of_tomorrow\"}\nnot json\n\xff\xfe\ntorn");
    std::fs::write(&log, content).expect("the log");
    desk.run_with_input("hook claude session-start", &payload(&desk, "s-1", "compact"));
    transcript!(desk, ["session list", "session list"], @"
    $ pacenote session list
    #1  active  epoch 2  [moment]  @backend  claude s-1
    warning: 4 lines of session logs were set aside because they cannot be applied; `pacenote session log list` shows why
    $ pacenote session list
    #1  active  epoch 2  [moment]  @backend  claude s-1
    ");
}
