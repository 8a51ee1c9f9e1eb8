//! Claude Code: the task's title reaches the model at the start and after each real compaction.

use std::{path::Path, time::Duration};

use pacenote_fleet::{Ending, Launch, Running, open};
use pacenote_probe::{Kind, Reply, Request, Script, Server, wire::anthropic::SUMMARY};
use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

/// Only a failing run waits this long: a turn takes 0.1 to 2 s.
const PATIENCE: Duration = Duration::from_mins(2);

const TITLE: &str = "Polish the brass compass";

#[test]
fn the_title_is_there_once_at_the_start_and_once_after_a_compaction_by_hand() {
    let Some(claude) = crate::client("PACENOTE_CLIENT_CLAUDE") else { return };
    let desk = project_with_hook();
    let task = desk.run(&format!(r#"task add "{TITLE}" --json"#)).json();
    let id = task["id"].as_str().expect("an id").to_owned();
    let claim = format!("{} task claim {id}", env!("CARGO_BIN_EXE_pacenote"));
    let server = Server::start(Script::new([
        Reply::tool("Bash", json!({ "command": claim, "description": "claim the task" })),
        Reply::text("first answer"),
        Reply::text("second answer"),
    ]))
    .expect("the scripted model");
    let mut client = open(&launch(&claude, &desk, &server)).expect("the client");

    assert_eq!(turn(&mut client, "begin the next task"), "first answer");
    turn(&mut client, "/compact");
    assert_eq!(turn(&mut client, "go on"), "second answer");
    end(client);

    let requests = server.requests();
    let kinds: Vec<Kind> = requests.iter().map(|request| request.kind).collect();
    assert_eq!(kinds, [Kind::Conversation, Kind::Conversation, Kind::Summary, Kind::Conversation]);
    let (before, after) = (&requests[0], &requests[3]);
    assert_eq!(before.occurrences(TITLE), 1, "{}", context_of(before));
    assert_eq!(before.occurrences("Nothing is in progress; next is"), 1);
    assert_eq!(after.occurrences(SUMMARY), 1, "the conversation was summarised");
    assert_eq!(after.occurrences("begin the next task"), 0, "the old prompt is gone");
    assert_eq!(after.occurrences(TITLE), 1, "{}", context_of(after));
    // The claim was made by the session itself, through its own shell; the notes know it again.
    assert_eq!(after.occurrences(&format!("You are at {id}")), 1, "{}", context_of(after));

    let sessions = desk.run("session list --json").json();
    let session = &sessions["sessions"][0];
    assert_eq!((&session["host"], &session["epoch"]), (&json!("claude"), &json!(2)));
    assert_eq!(session["agent"], desk.run("task list --json").json()["tasks"][0]["assignee"]);
}

#[test]
fn the_title_is_there_once_after_an_automatic_compaction() {
    let Some(claude) = crate::client("PACENOTE_CLIENT_CLAUDE") else { return };
    let desk = project_with_hook();
    desk.run(&format!(r#"task add "{TITLE}""#));
    let echo = json!({ "command": "echo from-the-tool", "description": "say it" });
    let server = Server::start(Script::new([
        // A context that is nearly full makes the client compact in the middle of the turn.
        Reply::tool("Bash", echo).usage(980_000, 10),
        Reply::text("after the compaction"),
    ]))
    .expect("the scripted model");
    let mut client = open(&launch(&claude, &desk, &server)).expect("the client");
    assert_eq!(turn(&mut client, "say hello"), "after the compaction");
    end(client);

    let requests = server.requests();
    let kinds: Vec<Kind> = requests.iter().map(|request| request.kind).collect();
    assert_eq!(kinds, [Kind::Conversation, Kind::Summary, Kind::Conversation]);
    assert_eq!(requests[0].occurrences(TITLE), 1, "{}", context_of(&requests[0]));
    assert_eq!(requests[2].occurrences(TITLE), 1, "{}", context_of(&requests[2]));
}

#[test]
fn a_prompt_brings_what_is_new_and_only_once() {
    let Some(claude) = crate::client("PACENOTE_CLIENT_CLAUDE") else { return };
    let desk = project_with_hook();
    desk.run(&format!(r#"task add "{TITLE}""#));
    let server = Server::start(Script::new([
        Reply::text("first answer"),
        Reply::text("second answer"),
        Reply::text("third answer"),
    ]))
    .expect("the scripted model");
    let launch = launch(&claude, &desk, &server).variable("PACENOTE_AGENT", "backend");
    let mut client = open(&launch).expect("the client");
    assert_eq!(turn(&mut client, "begin"), "first answer");
    desk.run("mail send --to backend --subject 'Use argon2' 'Not bcrypt.' --importance urgent");
    assert_eq!(turn(&mut client, "go on"), "second answer");
    assert_eq!(turn(&mut client, "and on"), "third answer");
    end(client);

    let requests = server.requests();
    let counts: Vec<(usize, usize)> = requests
        .iter()
        .map(|request| (request.occurrences(TITLE), request.occurrences("Not bcrypt.")))
        .collect();
    // Each request repeats the conversation before it.
    assert_eq!(counts, [(1, 0), (1, 1), (1, 1)], "{}", context_of(&requests[2]));
}

/// Sets up a desk whose project registers our hooks by hand, in the form that needs no shell.
fn project_with_hook() -> Desk {
    let mut desk = Desk::new(env!("CARGO_BIN_EXE_pacenote"));
    desk.unset("PACENOTE_AGENT");
    let hook = |event: &str| {
        json!({ "hooks": [{
            "type": "command",
            "command": env!("CARGO_BIN_EXE_pacenote"),
            "args": ["hook", "claude", event],
            "timeout": 20,
        }] })
    };
    let settings = json!({ "hooks": {
        "SessionStart": [hook("session-start")],
        "UserPromptSubmit": [hook("user-prompt-submit")],
    } });
    desk.write(".claude/settings.json", &settings.to_string());
    desk
}

fn launch(claude: &Path, desk: &Desk, server: &Server) -> Launch {
    Launch::new(claude, desk.root().join("shop"))
        .arguments(["-p", "--input-format", "stream-json"])
        .arguments(["--output-format", "stream-json", "--verbose", "--allowedTools", "Bash"])
        .variable("PATH", "/usr/local/bin:/usr/bin:/bin")
        .variable("HOME", desk.root().join("home"))
        .variable("ANTHROPIC_BASE_URL", server.base_url())
        .variable("ANTHROPIC_API_KEY", "fake")
        .variables([
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("CLAUDE_CODE_MAX_RETRIES", "0"),
        ])
}

/// Sends a prompt and returns the answer; a line of type `result` ends every turn.
fn turn(client: &mut Running, prompt: &str) -> String {
    let message = json!({ "type": "user", "message": { "role": "user", "content": prompt } });
    client.send_line(&message.to_string()).expect("a client that reads");
    loop {
        let line = client.next_line(PATIENCE).expect("a line in time").expect("a result");
        let line: Value = serde_json::from_str(&line).expect("JSON");
        if line["type"] == "result" {
            assert_eq!(line["is_error"], false, "{line}");
            return line["result"].as_str().unwrap_or_default().to_owned();
        }
    }
}

fn end(client: Running) {
    let finished = client.finish(PATIENCE);
    assert_eq!(finished.ending, Ending::Exited(0), "{}", finished.errors.text());
}

/// Returns what a request says around our notes, for a failure to show.
fn context_of(request: &Request) -> String {
    let texts = request.texts();
    let ours: Vec<String> = texts
        .into_iter()
        .filter(|text| text.text.contains("pacenote"))
        .map(|text| format!("[{}] {}", text.role, text.text))
        .collect();
    ours.join("\n")
}
