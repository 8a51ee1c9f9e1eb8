//! The line for the person: in a status bar, in a shell prompt, and with what a hook injects.

use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::{
    desk,
    init::{installed, read, settings},
    transcript,
};

const PLAN: &str = "\
# Search Plan

**Goal:** Notes are found.

### Task 1: The tokenizer

- [ ] **Step 1: Write the failing test**
- [ ] **Step 2: Make it pass**

### Task 2: The command

- [ ] **Step 1: Write the failing test**
- [ ] **Step 2: Make it pass**
";

/// Fires a hook of Claude Code and returns the line that the person sees.
fn line(desk: &Desk, event: &str, more: &Value) -> String {
    let mut payload = json!({"session_id": "s-1", "cwd": desk.root().join("shop")});
    let fields = payload.as_object_mut().expect("an object");
    fields.extend(more.as_object().expect("an object").clone());
    let ran = desk.run_with_input(&format!("hook claude {event}"), &payload.to_string());
    let answer: Value = if ran.stdout.is_empty() { Value::Null } else { ran.json() };
    let line = desk.tidy(answer["systemMessage"].as_str().unwrap_or("-"));
    // How many there are is a matter of every sentence in the briefing.
    match line.rsplit_once(" · ") {
        Some((before, last)) if last.ends_with(" tokens") => format!("{before} · [tokens]"),
        Some(_) | None => line,
    }
}

fn tell(desk: &mut Desk, agent: &str, line: &str) {
    desk.set("PACENOTE_AGENT", agent);
    let ran = desk.run(line);
    assert_eq!(ran.code, "0", "{}", ran.stderr);
    desk.set("PACENOTE_AGENT", "backend");
}

#[test]
fn a_status_bar_shows_how_the_work_stands() {
    let desk = desk();
    desk.write("plan.md", PLAN);
    transcript!(desk, [
        "status",
        "status --line",
        "task import plan.md",
        "status --line",
        "task claim #1",
        "task close #2",
        "status --line",
        "mail send --to @backend --subject Hi Hello",
        "mail send --to @backend --subject Stop --importance urgent Wait",
        "mail send --to human --subject Which? Left_or_right?",
        "status --line",
        "task block #1 no_credentials",
        "status --line",
    ], @r#"
    $ pacenote status
    error: pass `--line`

    hint: `pacenote status --line` prints how the work stands, in one line
    hint: `pacenote task list` shows all tasks
    [exit 2]
    $ pacenote status --line
    $ pacenote task import plan.md
    imported plan.md: 6 added, 0 revised, 0 removed, 0 unchanged
    $ pacenote status --line
    pacenote: no active task
    $ pacenote task claim #1
    claimed t-1 #1 (in progress @backend) Task 1: The tokenizer
    $ pacenote task close #2
    closed t-2 #2 (done) Step 1: Write the failing test
    $ pacenote status --line
    pacenote: Task 1 "The tokenizer", 1/2 steps
    $ pacenote mail send --to @backend --subject Hi Hello
    sent #1 from @backend to @backend
    $ pacenote mail send --to @backend --subject Stop --importance urgent Wait
    sent #2 from @backend to @backend
    $ pacenote mail send --to human --subject Which? Left_or_right?
    sent #3 from @backend to @human
    $ pacenote status --line
    pacenote: Task 1 "The tokenizer", 1/2 steps · 2 messages (1 urgent) · 1 question for you
    $ pacenote task block #1 no_credentials
    blocked t-1 #1 (blocked @backend) Task 1: The tokenizer
    $ pacenote status --line
    pacenote: Task 1 "The tokenizer", blocked · 2 messages (1 urgent) · 1 question for you
    "#);
}

#[test]
fn nothing_is_shown_where_pacenote_is_not_used() {
    let mut desk = desk();
    desk.go_to("elsewhere");
    let ran = desk.run("status --line");
    assert_eq!((ran.code.as_str(), ran.stdout.as_str(), ran.stderr.as_str()), ("0", "", ""));
    assert!(!desk.data().exists());
}

#[test]
fn a_client_says_which_session_is_meant() {
    let mut desk = desk();
    desk.write("plan.md", PLAN);
    desk.run("task import plan.md");
    desk.unset("PACENOTE_AGENT");
    for (session, task) in [("aaaa1111", "#1"), ("bbbb2222", "#4")] {
        let payload = json!({"session_id": session, "cwd": desk.root().join("shop"),
            "hook_event_name": "SessionStart", "source": "startup"});
        desk.run_with_input("hook claude session-start", &payload.to_string());
        desk.set("CLAUDECODE", "1").set("CLAUDE_CODE_SESSION_ID", session);
        assert_eq!(desk.run(&format!("task claim {task}")).code, "0");
        desk.unset("CLAUDECODE").unset("CLAUDE_CODE_SESSION_ID");
    }
    let shop = desk.root().join("shop");
    desk.go_to("elsewhere");
    let shown = |input: &Value| {
        let ran = desk.run_with_input("status --line", &input.to_string());
        assert_eq!((ran.code.as_str(), ran.stderr.as_str()), ("0", ""));
        desk.tidy(ran.stdout.trim_end())
    };
    let lines = [
        shown(&json!({"session_id": "aaaa1111", "cwd": shop})),
        shown(&json!({"session_id": "bbbb2222", "workspace": {"current_dir": shop}})),
        shown(&json!({"session_id": "cccc3333", "workspace": null, "cwd": shop})),
        // Not the input of a client: it is about the working directory, where nothing is.
        shown(&json!("aaaa1111")),
        shown(&json!({"session_id": 7})),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r#"
    pacenote: Task 1 "The tokenizer", 0/2 steps
    pacenote: Task 2 "The command", 0/2 steps
    pacenote: no active task
    "#);
}

#[test]
fn a_pipe_that_stays_open_does_not_hold_the_prompt_up() {
    let desk = desk();
    desk.run("task add One");
    let mut child = std::process::Command::new(desk.binary())
        .args(["status", "--line"])
        .current_dir(desk.root().join("shop"))
        .env_clear()
        .env("HOME", desk.root().join("home"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("a process");
    // Kept open until the line is there: nobody ever writes to it.
    let open = child.stdin.take();
    let ran = child.wait_with_output().expect("an end");
    drop(open);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "pacenote: no active task\n");
}

#[test]
fn a_store_that_cannot_be_read_spoils_no_prompt() {
    let desk = desk();
    desk.run("task add One");
    let store = desk.data().join("pacenote.db");
    std::fs::write(&store, "not a database").expect("a file");
    transcript!(desk, ["status --line"], @"
    $ pacenote status --line
    pacenote: the store cannot be read, see `pacenote doctor`
    ");
}

#[test]
fn a_hook_shows_the_person_what_it_injected() {
    let mut desk = desk();
    desk.write("plan.md", PLAN);
    desk.run("task add Old");
    desk.run("task close #1");
    let mut lines = vec![line(&desk, "session-start", &json!({"source": "startup"}))];
    desk.run("task import plan.md");
    desk.run("task claim #2");
    tell(&mut desk, "reviewer", "mail send --to @backend --subject Stop --importance urgent Wait");
    let ask = |prompt: &str| json!({"prompt": prompt});
    lines.push(line(&desk, "user-prompt-submit", &ask("begin with the first task")));
    lines.push(line(&desk, "user-prompt-submit", &ask("how does a tokenizer work?")));
    tell(&mut desk, "frontend", "task claim #5");
    lines.push(line(&desk, "user-prompt-submit", &ask("and what is the other one doing?")));
    tell(&mut desk, "reviewer", "mail send --to @backend --subject Hi Hello");
    lines.push(line(&desk, "user-prompt-submit", &ask("any news from the reviewer?")));
    lines.push(line(&desk, "session-start", &json!({"source": "compact"})));
    let asked = json!({"tool_name": "Task", "tool_input": {
        "subagent_type": "code-reviewer", "description": "x", "prompt": "Review Task 1: The tokenizer."
    }});
    lines.push(line(&desk, "pre-tool-use", &asked));
    let begun = json!({"agent_id": "a-1", "agent_type": "code-reviewer"});
    lines.push(line(&desk, "subagent-start", &begun));
    insta::assert_snapshot!(lines.join("\n"), @r#"
    pacenote: no active task · [tokens]
    pacenote: Task 1 "The tokenizer", 0/2 steps · 1 message from @reviewer (urgent) · [tokens]
    -
    pacenote: @frontend claimed t-1 "Task 2: The command"
    pacenote: 1 message from @reviewer
    pacenote: Task 1 "The tokenizer", 0/2 steps · 2 messages (1 urgent) · [tokens]
    -
    pacenote: subagent code-reviewer · Task 1 "The tokenizer", 0/2 steps · [tokens]
    "#);
}

#[test]
fn a_run_that_a_named_agent_began_is_its_own_in_every_session() {
    let mut desk = desk();
    assert_eq!(desk.run("flow start deepthink --param 'question=Where does it live?'").code, "0");
    let begun = line(&desk, "session-start", &json!({"source": "startup"}));
    assert_eq!(begun, "pacenote: no active task · run #1 deepthink, step 2/18 · [tokens]");
    desk.set("PACENOTE_AGENT", "frontend");
    let other = line(&desk, "session-start", &json!({"source": "startup", "session_id": "s-2"}));
    assert_eq!(other, "pacenote: no active task · [tokens]");
}

#[test]
fn a_status_line_is_offered_where_there_is_none() {
    let desk = installed();
    let before = "{\n  \"model\": \"opus\"\n}\n";
    desk.write("../home/.claude/settings.json", before);
    let ran = desk.run("init --yes");
    let added: Vec<&str> = ran.stdout.lines().filter(|line| line.contains("tatus")).collect();
    insta::assert_snapshot!(desk.tidy(&added.join("\n")), @r#"
    +  "statusLine": {
    +    "command": "/desk/home/.local/bin/pacenote status --line"
    the status line of Claude Code shows how the work stands; `init --no-status-line` takes it out
    "#);
    let with_ours = read(&settings(&desk));
    assert!(desk.run("init --yes").stdout.contains("already"));
    assert_eq!(read(&settings(&desk)), with_ours);
    // Declined later, it goes, and comes back when asked for.
    desk.run("init --yes --no-status-line");
    assert!(!read(&settings(&desk)).contains("statusLine"));
    desk.run("init --yes");
    assert_eq!(read(&settings(&desk)), with_ours);
    let shown = desk.run("uninstall --yes").stdout;
    assert!(shown.contains("is what it was, byte for byte"), "{shown}");
    assert_eq!(read(&settings(&desk)), before);
}

#[test]
fn a_status_line_of_the_person_and_other_scopes_are_left_alone() {
    let desk = installed();
    let own = "{ \"statusLine\": { \"type\": \"command\", \"command\": \"~/line.sh\" } }\n";
    desk.write("../home/.claude/settings.json", own);
    desk.run("init --yes");
    let text = read(&settings(&desk));
    assert!(text.contains("~/line.sh") && !text.contains("status --line"), "{text}");
    desk.run("init --yes --scope project");
    let shared = read(&desk.root().join("shop/.claude/settings.json"));
    assert!(!shared.contains("statusLine"), "{shared}");
    desk.run("uninstall --yes");
    assert_eq!(read(&settings(&desk)), own);
}

#[test]
fn a_status_line_goes_from_a_file_that_the_client_wrote_again() {
    let desk = installed();
    desk.write("../home/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
    desk.run("init --yes");
    let text: Value = serde_json::from_str(&read(&settings(&desk))).expect("JSON");
    desk.write("../home/.claude/settings.json", &text.to_string());
    desk.run("uninstall --yes");
    assert_eq!(read(&settings(&desk)), "{\"model\":\"opus\"}");
}
