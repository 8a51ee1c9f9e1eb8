//! A secret reaches no file of ours as a name, a key, an id or a path either.
//!
//! Every channel of every command gets a secret of its own; then every byte and every file name of
//! the data directory is searched for all of them.

use std::path::Path;

use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::{desk, transcript};

/// Makes secrets that differ, so that a leak names its channel.
#[derive(Default)]
struct Secrets {
    made: Vec<(String, String)>,
}

impl Secrets {
    /// Returns the secret of one channel.
    fn one(&mut self, channel: &str) -> String {
        let number = self.made.len();
        let secret =
            ["ghp_", "k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0"].concat() + &format!("{number:03}");
        self.made.push((channel.to_owned(), secret.clone()));
        secret
    }

    /// Returns the channels whose secret stands in one of the texts, whatever its case.
    fn leaked(&self, texts: &[(String, Vec<u8>)]) -> Vec<String> {
        let mut leaks = Vec::new();
        for (file, bytes) in texts {
            let text = String::from_utf8_lossy(bytes).to_lowercase();
            let leaking =
                self.made.iter().filter(|(_, secret)| text.contains(&secret.to_lowercase()));
            leaks.extend(leaking.map(|(channel, _)| format!("{channel}: {file}")));
        }
        leaks
    }
}

/// Returns the names and the content of all files below a directory.
fn contents(directory: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        let name = path.display().to_string();
        found.push((
            format!("the name {name}"),
            path.file_name().expect("a name").as_encoded_bytes().to_vec(),
        ));
        if path.is_dir() {
            contents(&path, found);
        } else {
            found.push((name, std::fs::read(&path).expect("a file")));
        }
    }
}

/// The arguments of every command; `SECRET` stands for a secret of its own.
const COMMANDS: &[&str] = &[
    "task add SECRET",
    "task add x --key SECRET",
    "task add x --skill SECRET",
    "task add x --plan SECRET.md",
    "task add x --plan plan.md --section SECRET",
    "task add x --assign SECRET",
    "task add x --parent SECRET",
    "task add x --after SECRET",
    "task add known --key known",
    "task claim SECRET",
    "task claim #1 --agent SECRET",
    "task claim #1 --key SECRET",
    "task claim #1",
    "task note #1 SECRET",
    "task note SECRET x",
    "task note #1 x --key SECRET",
    "task block #1 SECRET",
    "task reopen #1 --key SECRET",
    "task reopen #1",
    "task fail #1 SECRET",
    "task reopen #1",
    "task skip #1 SECRET",
    "task reopen #1",
    "task close SECRET",
    "task delete SECRET",
    "task list --assignee SECRET",
    "task show SECRET",
    "task import SECRET.md",
    "mail send --to SECRET --subject x x",
    "mail send --to SECRET:backend --subject x x",
    "mail send --to SECRET:main:backend --subject x x",
    "mail send --to backend --subject SECRET x",
    "mail send --to backend --subject x SECRET",
    "mail send --to backend --subject x @SECRET",
    "mail send --to backend --subject x x --key SECRET",
    "mail send --to backend --subject x x --reply-to SECRET",
    "mail inbox --agent SECRET",
    "mail inbox --branch SECRET",
    "mail read SECRET",
    "mail read #1 --agent SECRET",
    "mail ack #1 --agent SECRET",
    "mail reserve src/SECRET/**",
    "mail reserve docs/** --reason SECRET",
    "mail reserve docs/** --agent SECRET",
    "mail release SECRET",
    "session show SECRET",
    "session show --host claude --host-id SECRET",
    "session handoff show SECRET",
    "session handoff set SECRET.md --session #1",
    "skill show SECRET",
    "skill resolve SECRET",
    "skill search SECRET",
    "skill for-task SECRET",
    "skill parse SECRET",
    "skill scan SECRET",
    "skill lint SECRET",
    "skill lock SECRET",
    "skill diff SECRET",
    "skill approve SECRET",
    "skill new SECRET",
    "skill eject SECRET",
    "skill history --session SECRET",
    "flow start SECRET",
    "flow start deepthink --param SECRET=x",
    "flow start deepthink --param question=SECRET",
    "flow start deepthink --param question=x --task SECRET",
    "flow next --outcome SECRET",
    "flow next",
    "flow answer SECRET",
    "flow history SECRET",
    "flow status SECRET",
    "flow abort --reason SECRET",
    "flow check SECRET",
    "flow run-step deepthink --step 1 --total-steps 18 --thoughts SECRET",
    "wake SECRET x",
    "wake backend SECRET --dry-run",
    "brief --agent SECRET",
    "why SECRET",
    "replay SECRET",
    "bill --host SECRET",
    "lifecycle check SECRET",
    "trust approve SECRET",
    "allow SECRET",
    "allow task-before-edit --session SECRET",
    "bench skills --set SECRET",
    "hook SECRET session-start",
    "hook claude SECRET",
    "hook claude session-start --part SECRET",
    "SECRET",
];

/// The events of a client, with fields that carry `SECRET`.
fn events() -> Vec<(&'static str, Value)> {
    let tool = |name: &str, input: Value| json!({ "tool_name": name, "tool_input": input });
    let answered = |name: &str, input: Value| json!({ "tool_name": name, "tool_input": input, "tool_response": { "said": "SECRET" } });
    vec![
        ("session-start", json!({ "source": "startup", "transcript_path": "/tmp/SECRET.jsonl" })),
        ("session-start", json!({ "source": "SECRET", "model": "SECRET", "agent_type": "SECRET" })),
        ("session-start", json!({ "source": "resume", "session_id": "SECRET" })),
        ("user-prompt-submit", json!({ "session_id": "SECRET", "prompt": "go on" })),
        ("user-prompt-submit", json!({ "prompt": "SECRET", "permission_mode": "SECRET" })),
        ("pre-tool-use", tool("SECRET", json!({ "file_path": "SECRET" }))),
        (
            "pre-tool-use",
            tool("Write", json!({ "file_path": "src/SECRET.rs", "content": "SECRET" })),
        ),
        (
            "pre-tool-use",
            tool("Bash", json!({ "command": "echo SECRET", "description": "SECRET" })),
        ),
        ("pre-tool-use", tool("Task", json!({ "prompt": "SECRET", "subagent_type": "SECRET" }))),
        ("post-tool-use", answered("Bash", json!({ "command": "echo SECRET" }))),
        (
            "post-tool-use",
            answered(
                "TodoWrite",
                json!({ "todos": [{ "id": "SECRET", "content": "SECRET", "status": "pending" }] }),
            ),
        ),
        ("subagent-start", json!({ "agent_id": "SECRET", "agent_type": "SECRET" })),
        (
            "subagent-stop",
            json!({ "agent_id": "SECRET", "agent_type": "SECRET", "last_assistant_message": "SECRET" }),
        ),
        ("pre-compact", json!({ "trigger": "SECRET", "custom_instructions": "SECRET" })),
        ("stop", json!({ "last_assistant_message": "SECRET" })),
        ("session-end", json!({ "session_id": "SECRET", "reason": "SECRET" })),
        ("session-end", json!({ "reason": "SECRET" })),
    ]
}

/// Sends every event, each field with a secret of its own, from a directory.
fn send_events(desk: &Desk, secrets: &mut Secrets, directory: &Path) {
    for (event, fields) in events() {
        let mut payload = json!({ "session_id": "s-1", "cwd": directory });
        let mut session = None;
        for (name, value) in fields.as_object().expect("fields") {
            let mut text = value.to_string();
            while text.contains("SECRET") {
                let secret = secrets.one(&format!("hook {event} {name}"));
                // One session has several events.
                let secret =
                    if name == "session_id" { session.get_or_insert(secret) } else { &secret };
                text = text.replacen("SECRET", secret, 1);
            }
            payload[name] = serde_json::from_str(&text).expect("JSON");
        }
        desk.run_with_input(&format!("hook claude {event}"), &payload.to_string());
    }
}

#[test]
fn no_channel_stores_a_secret() {
    let mut secrets = Secrets::default();
    let mut desk = desk();
    desk.write("plan.md", "# Plan\n\n### Task 1: do it\n");
    desk.write(".pacenote/.keep", "");
    for line in COMMANDS {
        let secret = secrets.one(line);
        let line = line.replace("SECRET", &secret);
        if let Some(file) = line.split(' ').find(|word| word.ends_with(&format!("{secret}.md"))) {
            desk.write(file, &format!("# Plan\n\n### Task 1: {secret}\n\n{secret}\n"));
        }
        desk.run(&line);
    }
    let directory = desk.root().join("shop");
    send_events(&desk, &mut secrets, &directory);
    let branch = secrets.one("branch");
    desk.write(".git/HEAD", &format!("ref: refs/heads/{branch}\n"));
    send_events(&desk, &mut secrets, &directory);
    for line in ["mail send --to backend --subject x x", "mail inbox", "task note '#1' x", "brief"]
    {
        assert_eq!(desk.run(line).code, "0", "{line}");
    }
    let named = secrets.one("directory");
    let skill = secrets.one("directory of a skill");
    let text = "---\nname: x\ndescription: x\n---\n# x\n\nx\n";
    desk.write(&format!("../home/.claude/skills/{skill}/SKILL.md"), text);
    let described = secrets.one("description of a skill");
    let leaky = format!("---\nname: z\ndescription: Use {described} here\n---\n# z\n\nx\n");
    desk.write("../home/.agents/skills/z/SKILL.md", &leaky);
    desk.run("skill list");
    desk.run("skill search here");
    desk.go_to(&format!("{named}/shop-{named}"));
    desk.write(".git/HEAD", "ref: refs/heads/main\n");
    desk.write(".git/objects/.keep", "");
    desk.write(".git/refs/.keep", "");
    desk.write(".pacenote/.keep", "");
    desk.write("plan.md", "# Plan\n\n### Task 1: do it\n");
    desk.write(".claude/skills/y/SKILL.md", text);
    for line in ["task add x --plan plan.md", "task import plan.md", "skill list", "session list"] {
        assert_eq!(desk.run(line).code, "0", "{line}");
    }
    let directory = desk.root().join(format!("{named}/shop-{named}"));
    send_events(&desk, &mut secrets, &directory);
    let agent = secrets.one("PACENOTE_AGENT");
    desk.set("PACENOTE_AGENT", &agent);
    desk.run("task add x");
    send_events(&desk, &mut secrets, &directory);
    desk.unset("PACENOTE_AGENT");
    let session = secrets.one("CLAUDE_CODE_SESSION_ID");
    desk.set("CLAUDECODE", "1");
    desk.set("CLAUDE_CODE_SESSION_ID", &session);
    assert_eq!(desk.run("task add 'by a session'").code, "0");
    for line in ["session list", "work --once", "store backup", "doctor", "audit secrets"] {
        desk.run(line);
    }
    let mut texts = Vec::new();
    contents(&desk.data(), &mut texts);
    contents(&desk.root().join("shop/.pacenote"), &mut texts);
    let leaks = secrets.leaked(&texts);
    assert!(leaks.is_empty(), "{} leaks\n{}", leaks.len(), leaks.join("\n"));
}

#[test]
fn a_session_whose_id_is_a_secret_is_found_again() {
    let mut desk = desk();
    desk.run("task add x");
    desk.unset("PACENOTE_AGENT");
    let mut secrets = Secrets::default();
    let (one, other) = (secrets.one("one"), secrets.one("other"));
    for (event, session) in [
        ("session-start", &one),
        ("user-prompt-submit", &one),
        ("session-start", &other),
        ("user-prompt-submit", &one),
    ] {
        let payload = json!({
            "session_id": session,
            "cwd": desk.root().join("shop"),
            "source": "startup",
            "prompt": "go on",
        });
        desk.run_with_input(&format!("hook claude {event}"), &payload.to_string());
    }
    desk.set("CLAUDECODE", "1");
    desk.set("CLAUDE_CODE_SESSION_ID", &one);
    assert_eq!(desk.run("task add 'by a session'").code, "0");
    let sessions = desk.run("session list --json").json();
    assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(2), "{sessions}");
    let shown = |secret: &str| {
        let line = format!("session show --host claude --host-id {secret} --json");
        desk.run(&line).json()["host_id"].as_str().expect("an id").to_owned()
    };
    assert!(shown(&one).starts_with("redacted-"), "{}", shown(&one));
    assert_ne!(shown(&one), shown(&other));
    // The id that stands for it is its own.
    assert_eq!(shown(&shown(&one)), shown(&one));
}

#[test]
fn a_name_that_is_a_secret_is_refused_without_repeating_it() {
    let mut desk = desk();
    let token = ["ghp_", "k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2"].concat();
    let key = ["AKIA", "Q3EGR7WMZ5X2LNPV"].concat();
    let mut said = Vec::new();
    desk.run("task add x");
    for line in [
        format!("task add y --key {token}"),
        format!("task add y --assign {key}"),
        format!("task add y --skill {key}"),
        format!("task add y --plan docs/{token}.md"),
        format!("task claim '#1' --agent {token}"),
        format!("mail send --subject x x --to {key}"),
        format!("mail reserve src/{token}/**"),
        format!("mail reserve src/** --agent {token}"),
        format!("skill new glpat-{}", "zr4ypt1nvc8hs3df5gjq"),
    ] {
        let ran = desk.run(&line);
        let first = ran.stderr.lines().next().unwrap_or_default();
        let (command, _) = line.rsplit_once(' ').expect("a command");
        said.push(format!("{command} …\n  {first} [{}]", ran.code));
        assert_eq!(ran.stdout, "", "{line}");
    }
    desk.set("PACENOTE_AGENT", &token);
    said.push(desk.run("task add y").stderr);
    insta::assert_snapshot!(said.join("\n"), @"
    task add y --key …
      error: the idempotency key looks like a secret (github-token) [1]
    task add y --assign …
      error: the agent name looks like a secret (aws-access-key-id) [1]
    task add y --skill …
      error: the skill name looks like a secret (aws-access-key-id) [1]
    task add y --plan …
      error: the plan file looks like a secret (github-token) [1]
    task claim '#1' --agent …
      error: the agent name looks like a secret (github-token) [1]
    mail send --subject x x --to …
      error: the recipient looks like a secret (aws-access-key-id) [1]
    mail reserve …
      error: the pattern looks like a secret (github-token) [1]
    mail reserve src/** --agent …
      error: the agent name looks like a secret (github-token) [1]
    skill new …
      error: the skill name looks like a secret (gitlab-token) [1]
    error: `PACENOTE_AGENT` is wrong: the agent name looks like a secret (github-token)
    ");
    desk.set("PACENOTE_AGENT", "backend");
    transcript!(desk, ["task list", "mail reservations"], @"
    $ pacenote task list
    t-1  #1  open  x
    $ pacenote mail reservations
    nothing is reserved
    ");
}

#[test]
fn an_agent_does_not_get_the_name_of_another_speaker() {
    let mut desk = desk();
    desk.run("task add x");
    transcript!(desk, [
        "task add y --assign system",
        "task claim '#1' --agent Sys-Tem",
        "mail send --to human. --subject x x",
        "mail reserve src/** --agent user",
        "task claim '#1' --agent unknown",
        "mail reserve src/** --agent unknown",
        "mail send --to human --subject x x",
    ], @"
    $ pacenote task add y --assign system
    error: `system` is not an agent name: it is reserved

    hint: use a name that says what the agent does, such as `backend`
    [exit 1]
    $ pacenote task claim '#1' --agent Sys-Tem
    error: `Sys-Tem` is not an agent name: it reads like `system`, which is reserved

    hint: use a name that says what the agent does, such as `backend`
    [exit 1]
    $ pacenote mail send --to human. --subject x x
    error: `human.` is not an agent name: it reads like `human`, which is reserved for the person

    hint: use a name that says what the agent does, such as `backend`
    [exit 1]
    $ pacenote mail reserve src/** --agent user
    error: `user` is not an agent name: it is reserved

    hint: use a name that says what the agent does, such as `backend`
    [exit 1]
    $ pacenote task claim '#1' --agent unknown
    error: `unknown` is not an agent: the name is reserved

    hint: `unknown` stands for a caller without a name; use the agent's own name
    [exit 1]
    $ pacenote mail reserve src/** --agent unknown
    error: `unknown` is not an agent: the name is reserved

    hint: `unknown` stands for a caller without a name; use the agent's own name
    [exit 1]
    $ pacenote mail send --to human --subject x x
    sent #1 from @backend to @human
    ");
    for name in ["system", "pace-note", "us3r"] {
        desk.set("PACENOTE_AGENT", name);
        let ran = desk.run("task add y");
        assert_eq!(ran.code, "1", "{name}: {}", ran.stdout);
    }
    desk.set("PACENOTE_AGENT", "backend");
    transcript!(desk, ["task list"], @"
    $ pacenote task list
    t-1  #1  open  x
    ");
}
