//! What a session held passes to the next one when it is over.

use pacenote_testkit::desk::Desk;
use serde_json::json;

use crate::{
    desk,
    flow::{in_session, outside},
    lifecycle::{context, eventually, fire_in},
    transcript,
};

/// Yesterday's session, and today's.
const OLD: &str = "aaaa1111-0000-4000-8000-000000000001";
const NEW: &str = "bbbb2222-0000-4000-8000-000000000002";

/// Fires a hook of Claude Code and returns the context it brings.
fn inject(desk: &Desk, event: &str, session: &str, fields: &serde_json::Value) -> String {
    context(&fire_in(desk, session, event, fields))
}

/// Lets yesterday's session claim a task and end.
fn yesterday() -> Desk {
    let mut desk = desk();
    desk.run(r#"task add "Write the reader""#);
    outside(&mut desk);
    inject(&desk, "session-start", OLD, &json!({ "source": "startup" }));
    in_session(&mut desk, OLD);
    desk.run("task claim #1");
    outside(&mut desk);
    inject(
        &desk,
        "user-prompt-submit",
        OLD,
        &json!({ "prompt": "write the reader", "prompt_id": "p" }),
    );
    inject(&desk, "stop", OLD, &json!({ "stop_hook_active": false }));
    desk
}

fn lines_about_work(text: &str) -> String {
    let is_about = |line: &&str| {
        line.contains("<identity") || line.contains("<position") || line.contains("<next")
    };
    text.lines().filter(is_about).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_next_session_continues_and_its_first_command_commits_that() {
    let mut desk = yesterday();
    inject(&desk, "session-end", OLD, &json!({ "reason": "exit" }));
    let told = inject(&desk, "session-start", NEW, &json!({ "source": "startup" }));
    let said = desk.tidy(&lines_about_work(&told));
    insta::assert_snapshot!(said, @r#"
    <identity trust="system">You are @claude-1 in project shop on branch main, session s-1. You continue the work of @claude-2, whose session is over.</identity>
    <position trust="agent">You are at t-1 "Write the reader".</position>
    <next trust="system">Finish t-1, then run `pacenote task close t-1`.</next>
    "#);
    // The gate and every command agree.
    in_session(&mut desk, NEW);
    transcript!(desk, ["task list", "task claim #1", "task close #1", "session list"], @"
    $ pacenote task list
    t-1  #1  in progress  @claude-1  Write the reader
    $ pacenote task claim #1
    claimed t-1 #1 (in progress @claude-1) Write the reader
    $ pacenote task close #1
    closed t-1 #1 (done @claude-1) Write the reader
    $ pacenote session list
    #2  active     epoch 1  [moment]  @claude-1  claude uuid-1
    #1  completed  epoch 1  [moment]  @claude-2  claude uuid-2
    ");
}

#[test]
fn a_cleared_session_is_continued_before_anybody_ingested_its_end() {
    let desk = yesterday();
    inject(&desk, "session-end", OLD, &json!({ "reason": "clear" }));
    let told = inject(&desk, "session-start", NEW, &json!({ "source": "clear" }));
    assert!(told.contains("You continue the work of @claude-aaaa"), "{told}");
}

#[test]
fn a_session_at_work_keeps_its_task_until_somebody_takes_it_over() {
    let mut desk = yesterday();
    let told = inject(&desk, "session-start", NEW, &json!({ "source": "startup" }));
    assert!(!told.contains("You continue"), "{told}");
    in_session(&mut desk, NEW);
    transcript!(desk, ["task claim #1", "task claim #1 --take-over", "task list"], @"
    $ pacenote task claim #1
    error: `t-1` is held by `claude-1`

    hint: `pacenote task ready` lists what is free
    hint: if @claude-1 or the person agrees: `pacenote task claim t-1 --take-over`
    [exit 1]
    $ pacenote task claim #1 --take-over
    claimed t-1 #1 (in progress @claude-2) Write the reader
    $ pacenote task list
    t-1  #1  in progress  @claude-2  Write the reader
    ");
    // The one that lost it reads so with its next prompt.
    outside(&mut desk);
    let news = inject(
        &desk,
        "user-prompt-submit",
        OLD,
        &json!({ "prompt": "go on with it now", "prompt_id": "q" }),
    );
    assert!(news.contains("from you: stop working on it"), "{news}");
    assert!(!news.contains("claimed"), "{news}");
}

#[test]
fn an_agent_with_a_name_keeps_what_it_holds() {
    let mut desk = desk();
    desk.run(r#"task add "Write the reader""#);
    desk.run("task claim #1");
    inject(&desk, "session-start", OLD, &json!({ "source": "startup" }));
    inject(&desk, "session-end", OLD, &json!({ "reason": "exit" }));
    desk.unset("PACENOTE_AGENT");
    let told = inject(&desk, "session-start", NEW, &json!({ "source": "startup" }));
    assert!(!told.contains("You continue"), "{told}");
    in_session(&mut desk, NEW);
    transcript!(desk, ["task claim #1"], @"
    $ pacenote task claim #1
    error: `t-1` is held by `backend`

    hint: `pacenote task ready` lists what is free
    hint: if @backend or the person agrees: `pacenote task claim t-1 --take-over`
    [exit 1]
    ");
}

#[test]
fn mail_for_a_session_that_is_over_reaches_the_one_that_continues_it() {
    let mut desk = yesterday();
    inject(&desk, "session-end", OLD, &json!({ "reason": "exit" }));
    desk.set("PACENOTE_AGENT", "reviewer");
    desk.run(r#"mail send --to claude-aaaa --subject "Comments" "Keep the comments.""#);
    desk.unset("PACENOTE_AGENT");
    let told = inject(&desk, "session-start", NEW, &json!({ "source": "startup" }));
    assert!(told.contains("Keep the comments."), "{told}");
    in_session(&mut desk, NEW);
    transcript!(desk, ["mail inbox", "mail read 1", "mail inbox"], @"
    $ pacenote mail inbox
    #1  new  normal  @reviewer  Comments
    $ pacenote mail read 1
    #1 Comments
    from: @reviewer (agent)
    to: @claude-1
    sent: [moment]

    | Keep the comments.
    $ pacenote mail inbox
    #1  read  normal  @reviewer  Comments
    ");
}

#[test]
fn a_gate_on_edits_knows_the_task_of_the_successor() {
    let mut desk = yesterday();
    inject(&desk, "session-end", OLD, &json!({ "reason": "exit" }));
    desk.write("../home/.config/pacenote/lifecycle.yaml", "enable: [task-before-edit]\n");
    inject(&desk, "session-start", NEW, &json!({ "source": "startup" }));
    let tool =
        json!({ "tool_name": "Write", "tool_input": { "file_path": "x.rs", "content": "" } });
    let answer = fire_in(&desk, NEW, "pre-tool-use", &tool).to_string();
    assert!(!answer.contains("deny"), "{answer}");
    in_session(&mut desk, NEW);
    desk.run("task close #1");
    outside(&mut desk);
    let answer = fire_in(&desk, NEW, "pre-tool-use", &tool).to_string();
    assert!(answer.contains("deny"), "{answer}");
}

#[test]
fn a_subagent_of_a_session_without_a_name_reads_of_its_task() {
    let desk = yesterday();
    let input = json!({ "subagent_type": "general-purpose", "prompt": "Do \"Write the reader\"." });
    inject(&desk, "pre-tool-use", OLD, &json!({ "tool_name": "Task", "tool_input": input }));
    let begun = json!({ "agent_id": "a-1", "agent_type": "general-purpose" });
    let told = inject(&desk, "subagent-start", OLD, &begun);
    assert!(told.contains("\"Write the reader\""), "{told}");
}

#[test]
fn the_first_session_after_the_end_continues_and_no_later_one() {
    let desk = yesterday();
    inject(&desk, "session-end", OLD, &json!({ "reason": "exit" }));
    let first = inject(&desk, "session-start", NEW, &json!({ "source": "startup" }));
    assert!(first.contains("You continue"), "{first}");
    // A worker notes that, so that whoever comes next knows.
    eventually("the successor in the store", || {
        desk.run("task show #1 --json").json()["assignee"] == "claude-bbbb"
    });
    let other = "cccc3333-0000-4000-8000-000000000003";
    let later = inject(&desk, "session-start", other, &json!({ "source": "startup" }));
    assert!(!later.contains("You continue"), "{later}");
}

#[test]
fn a_resumed_session_gets_back_what_passed_to_one_that_is_over_too() {
    let mut desk = yesterday();
    inject(&desk, "session-end", OLD, &json!({ "reason": "exit" }));
    inject(&desk, "session-start", NEW, &json!({ "source": "startup" }));
    eventually("the successor in the store", || {
        desk.run("task show #1 --json").json()["assignee"] == "claude-bbbb"
    });
    inject(&desk, "session-end", NEW, &json!({ "reason": "exit" }));
    inject(&desk, "session-start", OLD, &json!({ "source": "resume" }));
    in_session(&mut desk, OLD);
    let claimed = desk.run("task claim #1");
    assert_eq!(claimed.code, "0", "{}", claimed.stderr);
}

#[test]
fn sessions_whose_ids_begin_alike_are_not_taken_for_each_other() {
    let mut desk = desk();
    desk.run(r#"task add "Write the reader""#);
    outside(&mut desk);
    // Ids of version 7 begin with the time.
    let ids = ["e11", "e22", "e33"].map(|own| format!("01a1f3b2-7c4d-7{own}-9b3a-5d2c8f60a1b4"));
    let [holder, gone, new] = &ids;
    let codex = |session: &str, event: &str, fields: &serde_json::Value| {
        let mut payload = fields.clone();
        payload["session_id"] = json!(session);
        payload["cwd"] = json!(desk.root().join("shop"));
        desk.run_with_input(&format!("hook codex {event}"), &payload.to_string()).stdout
    };
    codex(holder, "session-start", &json!({ "source": "startup" }));
    // It acts, and so its name is its own.
    desk.run("session list");
    desk.run("task claim #1 --agent codex-e119");
    codex(gone, "session-start", &json!({ "source": "startup" }));
    codex(gone, "session-end", &json!({ "reason": "exit" }));
    desk.run("session list");
    let told = codex(new, "session-start", &json!({ "source": "startup" }));
    assert!(told.contains("codex-e33") && !told.contains("You continue"), "{told}");
}

#[test]
fn a_short_id_means_the_session_and_not_its_subagent() {
    let desk = yesterday();
    let listed = desk.run("session list").stdout;
    assert!(listed.contains("claude-aaaa"), "{listed}");

    let begun = json!({ "agent_id": "a-1", "agent_type": "general-purpose" });
    inject(&desk, "subagent-start", OLD, &begun);
    desk.run("session list");
    let shown = desk.run("session show s-aaaa --json").json();
    assert_eq!(shown["host_id"], OLD, "{shown}");
}

#[test]
fn no_half_of_a_secret_is_kept_of_what_was_said() {
    let desk = yesterday();
    let value = "Hs3Df5GjQ7xMb6Ra0Ue2k2Lw9Zr4";
    let said = format!("It is in place. Shall the database use password: {value}?");
    let stop = json!({ "stop_hook_active": false, "last_assistant_message": said });
    inject(&desk, "stop", OLD, &stop);
    let compacted = inject(&desk, "session-start", OLD, &json!({ "source": "compact" }));
    assert!(compacted.contains("redacted") && !compacted.contains(value), "{compacted}");
}
