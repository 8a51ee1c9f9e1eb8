//! Workflows in force: what a session is told of its run, and which tools a step closes.

use serde_json::json;

use crate::{
    desk,
    flow::{CHANGE, in_session, outside, own},
    lifecycle::{context, fire, fire_in, start, tool, without_fence},
    transcript,
};

#[test]
fn a_step_is_told_whole_at_a_start_and_in_a_line_at_a_prompt() {
    let mut desk = desk();
    own(&desk, "change", CHANGE);
    desk.run("task add 'Mend the form'");
    start(&desk, "s-1");
    in_session(&mut desk, "s-1");
    desk.run("flow start change --param goal=forms");
    let prompt =
        |text: &str| context(&fire(&desk, "user-prompt-submit", &json!({ "prompt": text })));
    insta::assert_snapshot!(desk.tidy(&prompt("Well then")), @r#"
    <pacenote project="shop">
    <workflow trust="user">
    Run #1 of `change`: step 1/6, Look round. When everything in DO is done, run this command: `pacenote flow next 1 --at 1 --param confidence=CONFIDENCE`
    </workflow>
    </pacenote>
    "#);
    insta::assert_snapshot!(desk.tidy(&prompt("And now?")), @"(nothing)");
    let compacted = fire(&desk, "session-start", &json!({ "source": "compact" }));
    insta::assert_snapshot!(without_fence(&desk.tidy(&context(&compacted))), @r#"
    <pacenote project="shop">
    <identity trust="system">You are @backend in project shop on branch main, session s-s1 (#1).</identity>
    <last_request trust="user">
    And now?
    </last_request>
    <workflow trust="user">
    Run #1: you are at this step.
    STEP 1/6: Look round [change, Find out]
    DO:
      HOW TO READ THIS:
        You follow a workflow, one step at a time; pacenote remembers where it stands.
        1. Do what DO says: all of it, in its order, and nothing else.
        2. Then do what NEXT says. Its command shows the next step.
        Do not explore before you start, do not skip or merge steps, do not improve on them and do not guess what comes later.
        Copy commands exactly. Where one has a word in capitals, DO or NEXT says what to put there.
        If you lose your place, run `pacenote flow status`.

      Find every place that forms concerns.

      FORBIDDEN:
        - Changing files.

      In the command, CONFIDENCE stands for one of `exploring`, `low`, `medium`, `high`, `certain`.
    NEXT: When everything in DO is done, run this command: pacenote flow next 1 --at 1 --param confidence=CONFIDENCE
    </workflow>
    <tasks trust="agent">
    - [ ] t-1 Mend the form
    </tasks>
    <guide trust="system">If texts here disagree: the user first, then system, project, agent, foreign. Find skills: `pacenote skill search WORDS`.</guide>
    <position trust="agent">Nothing is in progress; next is t-1.</position>
    </pacenote>
    "#);
    insta::assert_snapshot!(desk.tidy(&tool(&desk, "Edit", &json!({ "file_path": "a.rs" }))), @"step 1/6 of run #1 (Look round) does not allow this tool. When everything in DO is done, run this command: `pacenote flow next 1 --at 1 --param confidence=CONFIDENCE` (rule `run-1`; a person opens it with `pacenote allow run-1`)");
    insta::assert_snapshot!(tool(&desk, "Read", &json!({ "file_path": "a.rs" })), @"(passes)");
    insta::assert_snapshot!(tool(&desk, "Bash", &json!({ "command": "pacenote flow status > x" })), @"step 1/6 of run #1 (Look round) does not allow this tool. When everything in DO is done, run this command: `pacenote flow next 1 --at 1 --param confidence=CONFIDENCE` (rule `run-1`; a person opens it with `pacenote allow run-1`)");
    insta::assert_snapshot!(tool(&desk, "Bash", &json!({ "command": "pacenote flow status 1" })), @"(passes)");
    outside(&mut desk);
    transcript!(desk, ["allow", "allow run-1 --once --yes"], @"
    $ pacenote allow
    task-before-edit  on_before_tool  off
    run-1             on_before_tool  closed
    $ pacenote allow run-1 --once --yes
    run-1  on_before_tool  open
    ");
    insta::assert_snapshot!(tool(&desk, "Edit", &json!({ "file_path": "a.rs" })), @"(passes)");
    in_session(&mut desk, "s-1");
    desk.run("flow next 1 --at 1 --param confidence=certain");
    insta::assert_snapshot!(tool(&desk, "Edit", &json!({ "file_path": "a.rs" })), @"(passes)");
    let agent =
        json!({ "tool_name": "Agent", "tool_input": { "prompt": "x" }, "tool_response": {} });
    let back = || context(&fire(&desk, "post-tool-use", &agent));
    insta::assert_snapshot!(desk.tidy(&back()), @r#"
    <pacenote project="shop">
    <notice trust="user" rule="run-1">An agent is back. Run #1 of `change` is still at step 3/6, Make the change. When everything in DO is done, run this command: `pacenote flow next 1 --at 2`</notice>
    </pacenote>
    "#);
    insta::assert_snapshot!(desk.tidy(&back()), @r#"
    <pacenote project="shop">
    <notice trust="user" rule="run-1">An agent is back. Run #1 of `change` is still at step 3/6, Make the change. When everything in DO is done, run this command: `pacenote flow next 1 --at 2`</notice>
    </pacenote>
    "#);
}

#[test]
fn what_looks_like_ours_does_not_open_a_closed_tool() {
    let mut desk = desk();
    own(&desk, "change", &CHANGE.replace("block: [edit]", "block: [edit, shell]"));
    start(&desk, "s-1");
    in_session(&mut desk, "s-1");
    desk.run("flow start change --param goal=forms");
    let passes = |name: &str, input: &serde_json::Value| tool(&desk, name, input) == "(passes)";
    for (command, expected) in [
        ("pacenote flow status 1", true),
        ("pacenote flow next 1 --at 1 --param confidence=low", true),
        ("pacenote task note t-1 'all is well'", true),
        ("pacenote store restore --anyway", false),
        ("pacenote flow status; rm x", false),
        ("pacenote flow status <<EOF\n$(rm x)\nEOF", false),
        ("pacenote flow status $((y[$(rm x)]))", false),
        ("pacenote flow status $'\\''; rm x; echo $'\\''", false),
        ("pacenote flow status > /dev/fd/../../tmp/x", false),
        ("./pacenote flow status", false),
        ("/tmp/evil/pacenote flow status", false),
        ("X=1 pacenote flow status", false),
    ] {
        assert_eq!(passes("Bash", &json!({ "command": command })), expected, "{command}");
    }
    let root = desk.root().join("shop");
    std::os::unix::fs::symlink(root.join("src"), root.join(".pacenote/runs/1/l")).expect("a link");
    std::fs::create_dir_all(root.join("src/.pacenote/runs")).expect("a directory");
    let source = root.join("src/a.rs");
    std::fs::write(&source, "").expect("a file");
    let in_run = |name: &str| root.join(".pacenote/runs/1").join(name);
    std::fs::hard_link(&source, in_run("hard.md")).expect("a second name");
    for (target, link) in [("../../../src/a.rs", "f.md"), ("../../../src/new.rs", "new.md")] {
        std::os::unix::fs::symlink(target, in_run(link)).expect("a link");
    }
    std::os::unix::fs::symlink(".", root.join("here")).expect("a link");
    std::fs::write(in_run("report.md"), "").expect("a file");
    for (path, expected) in [
        (".pacenote/runs/1/review-1.md", true),
        (".pacenote/runs/1/report.md", true),
        (".pacenote/runs/1/f.md", false),
        (".pacenote/runs/1/new.md", false),
        (".pacenote/runs/1/hard.md", false),
        ("here/.pacenote/runs/1/report.md", false),
        (".pacenote/runs/1/../../../src/x.rs", false),
        (".pacenote/runs/new/../../../src/x.rs", false),
        (".pacenote/runs/1/l/x.rs", false),
        ("src/.pacenote/runs/x.rs", false),
        ("/etc/.pacenote/runs/x", false),
    ] {
        assert_eq!(passes("Write", &json!({ "file_path": path })), expected, "{path}");
    }
    let refused = desk.run("store restore --anyway").stderr;
    insta::assert_snapshot!(refused, @"
    error: only a person can do this, not an agent

    hint: run the same command in a terminal of your own
    ");
}

#[test]
fn a_reviewer_that_a_step_sends_is_not_briefed_as_an_implementer() {
    let mut desk = desk();
    own(&desk, "change", CHANGE);
    desk.run("task add 'Mend the form'");
    start(&desk, "s-1");
    in_session(&mut desk, "s-1");
    desk.run("task claim '#1'");
    desk.run("flow start change --param goal=forms");
    desk.run("flow next 1 --at 1 --param confidence=certain");
    let briefed = |agent: &str| {
        let input = json!({ "subagent_type": "general-purpose", "prompt": "Fix the form." });
        fire(&desk, "pre-tool-use", &json!({ "tool_name": "Agent", "tool_input": input }));
        let fields = json!({ "agent_id": agent, "agent_type": "general-purpose" });
        let told = context(&fire(&desk, "subagent-start", &fields));
        told.lines().find(|line| line.starts_with("<role")).unwrap_or("(no role)").to_owned()
    };
    insta::assert_snapshot!(without_fence(&briefed("a-1")), @r#"<role trust="system" as="implementer">"#);
    desk.run("flow next 1 --at 2");
    insta::assert_snapshot!(without_fence(&briefed("a-2")), @"(no role)");
}

#[test]
fn a_run_that_a_named_agent_begins_binds_its_session() {
    let desk = desk();
    own(&desk, "change", CHANGE);
    start(&desk, "s-1");
    // Its shell knows the agent by name alone.
    desk.run("flow start change --param goal=forms");
    let refused = tool(&desk, "Edit", &json!({ "file_path": "a.rs" }));
    assert!(refused.contains("does not allow this tool"), "{refused}");
    let compacted = context(&fire(&desk, "session-start", &json!({ "source": "compact" })));
    assert!(compacted.contains("Run #1: you are at this step."), "{compacted}");
    let mut named = desk;
    named.set("PACENOTE_AGENT", "frontend");
    let other = start(&named, "s-2");
    assert!(other.contains("Another session began it"), "{other}");
}

#[test]
fn a_run_of_a_session_that_is_over_binds_the_one_that_continues_it() {
    let mut desk = desk();
    desk.unset("PACENOTE_AGENT");
    own(&desk, "change", CHANGE);
    let (old, new) =
        ("aaaa1111-0000-4000-8000-000000000001", "bbbb2222-0000-4000-8000-000000000002");
    start(&desk, old);
    in_session(&mut desk, old);
    desk.run("flow start change --param goal=forms");
    outside(&mut desk);
    desk.unset("PACENOTE_AGENT");
    fire_in(&desk, old, "session-end", &json!({ "reason": "clear" }));
    let began = context(&fire_in(&desk, new, "session-start", &json!({ "source": "clear" })));
    assert!(began.contains("Run #1: you are at this step."), "{began}");
    let edit = json!({ "tool_name": "Edit", "tool_input": { "file_path": "a.rs" } });
    let refused = fire_in(&desk, new, "pre-tool-use", &edit).to_string();
    assert!(refused.contains("does not allow this tool"), "{refused}");
}
