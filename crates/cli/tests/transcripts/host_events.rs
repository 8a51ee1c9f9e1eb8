//! What hosts tell beside starts and prompts: their own lists of things to do, subagents, events
//! that carry no text, and projects that are none of ours.

use serde_json::json;

use crate::{
    desk,
    lifecycle::{context, fire, rules, start, without_fence},
    transcript,
};

#[test]
fn what_an_agent_puts_on_its_hosts_list_becomes_steps_of_its_task() {
    let desk = desk();
    desk.run("task add 'Add login'");
    desk.run("task claim '#1'");
    start(&desk, "s-1");
    let created = |id: &str, subject: &str| {
        let fields = json!({ "task_id": id, "task_subject": subject, "task_description": "…" });
        fire(&desk, "task-created", &fields)
    };
    assert_eq!(created("1", "Draw the form"), json!({}));
    created("2", "Write\nthe test");
    // The same event twice is one step.
    created("1", "Draw the form");
    transcript!(desk, ["task list --full"], @r#"
    $ pacenote task list --full
    - [ ] t-1 Add login (@backend, in progress)  <-- CURRENT
        - [ ] t-2 Draw the form
        - [ ] t-3 Write the test

    You are at t-1 "Add login" (0 of 2 steps done), step t-2 "Draw the form".
    Finish t-2, then run `pacenote task close t-2`.
    "#);

    let update = |id: &str, status: &str| {
        let input = json!({ "taskId": id, "status": status });
        fire(&desk, "post-tool-use", &json!({ "tool_name": "TaskUpdate", "tool_input": input }))
    };
    update("1", "in_progress");
    created("3", "Ask for a review");
    let fields = json!({ "task_id": "2", "task_subject": "Write the test" });
    fire(&desk, "task-completed", &fields);
    update("3", "deleted");
    transcript!(desk, ["task list --full"], @r#"
    $ pacenote task list --full
    - [ ] t-1 Add login (@backend, in draw the form)
        - [ ] t-2 Draw the form (@backend, in progress)  <-- CURRENT
        - [x] t-3 Write the test (done)
        - [-] t-4 Ask for a review (skipped: taken off the agent's own list)

    You are at t-1 "Add login" (2 of 3 steps done), step t-2 "Draw the form".
    Finish t-2, then run `pacenote task close t-2`.
    "#);
    let told = context(&fire(&desk, "session-start", &json!({ "source": "compact" })));
    assert!(told.contains("Draw the form"), "{told}");
}

#[test]
fn a_list_without_ids_is_known_by_its_titles() {
    let desk = desk();
    desk.run("task add 'Add login'");
    start(&desk, "s-1");
    let write = |todos: &[(&str, &str)]| {
        let todos: Vec<_> = todos
            .iter()
            .map(|(content, status)| json!({ "content": content, "status": status }))
            .collect();
        let input = json!({ "todos": todos });
        fire(&desk, "post-tool-use", &json!({ "tool_name": "TodoWrite", "tool_input": input }))
    };
    write(&[("Read the code", "in_progress"), ("Change it", "pending")]);
    write(&[("Read the code", "completed"), ("Change it", "in_progress")]);
    transcript!(desk, ["task list --full"], @r#"
    $ pacenote task list --full
    - [ ] t-1 Add login
    - [x] t-2 Read the code (@backend, done)
    - [ ] t-3 Change it (@backend, in progress)  <-- CURRENT

    You are at t-3 "Change it".
    Finish t-3, then run `pacenote task close t-3`.
    "#);
}

#[test]
fn mirroring_can_be_switched_off_and_leaves_what_a_person_decided() {
    let mut desk = desk();
    desk.run("task add 'Add login'");
    start(&desk, "s-1");
    let fields = json!({ "task_id": "1", "task_subject": "Draw the form" });
    fire(&desk, "task-created", &fields);
    desk.run("task skip '#2' 'not now'");
    fire(&desk, "task-completed", &fields);
    desk.set("PACENOTE_TASKS_MIRROR", "off");
    fire(&desk, "task-created", &json!({ "task_id": "2", "task_subject": "Never seen" }));
    transcript!(desk, ["task list --full"], @r#"
    $ pacenote task list --full
    - [ ] t-1 Add login
    - [-] t-2 Draw the form (skipped: not now)

    Nothing is in progress; next is t-1 "Add login".
    If you are asked to go on: `pacenote task claim t-1`.
    "#);
}

#[test]
fn a_subagent_is_told_of_the_task_it_was_given() {
    let desk = desk();
    desk.run("task add 'Add login'");
    desk.run("task add 'Draw the form' --parent '#1'");
    desk.run("task add 'Store the password' --parent '#1'");
    desk.run("task claim '#2'");
    start(&desk, "s-1");
    let ask = |prompt: &str| {
        let input = json!({ "subagent_type": "implementer", "prompt": prompt });
        fire(&desk, "pre-tool-use", &json!({ "tool_name": "Agent", "tool_input": input }));
    };
    let told_at = |agent: &str| {
        let fields = json!({ "agent_id": agent, "agent_type": "implementer" });
        context(&fire(&desk, "subagent-start", &fields))
    };
    let begin = |agent: &str| {
        let told = told_at(agent);
        let task = told.lines().find(|line| line.contains("Your task is"));
        desk.tidy(task.unwrap_or("(no task)"))
    };
    ask("Do #3 and report");
    insta::assert_snapshot!(begin("a-1"), @r#"Your task is t-1 "Store the password", a step of t-2 "Add login"."#);
    let sessions = desk.run("session list --json").json();
    let of = |id: &str| {
        let all = sessions["sessions"].as_array().expect("sessions");
        all.iter().find(|one| one["host_id"] == id).expect("a session").clone()
    };
    assert_eq!(of("s-1.a-1")["parent"], of("s-1")["id"], "{sessions}");
    ask("Please store the password: see 'Store the password'");
    insta::assert_snapshot!(begin("a-2"), @r#"Your task is t-1 "Store the password", a step of t-2 "Add login"."#);
    // Which of two that were asked at once it is cannot be told.
    ask("Do #2");
    ask("Do #3");
    insta::assert_snapshot!(begin("a-3"), @"(no task)");
    assert!(
        told_at("a-4").contains("- Do what you were asked and nothing else."),
        "its role it is told"
    );
    // Nor is it told of the task of its session, when nobody gave it that one.
    fire(&desk, "user-prompt-submit", &json!({ "prompt": "look round" }));
    ask("the usual things");
    insta::assert_snapshot!(without_fence(&desk.tidy(&told_at("a-5"))), @r#"
    <pacenote project="shop">
    <identity trust="system">You are a subagent of @backend in project shop on branch main.</identity>
    <role trust="system" as="implementer">
    - Do what you were asked and nothing else. For a change of behaviour, see a test fail first.
    - Before you report, run the tests and read your own diff.
    - Report what changed, which tests ran with what result, and what is left open.
    </role>
    </pacenote>
    "#);
    // The person goes on; what never began is forgotten.
    fire(&desk, "user-prompt-submit", &json!({ "prompt": "now the password" }));
    ask("Do #3");
    insta::assert_snapshot!(begin("a-6"), @r#"Your task is t-1 "Store the password", a step of t-2 "Add login"."#);
}

#[test]
fn a_subagent_whose_context_is_compacted_is_told_of_its_own_task_again() {
    let desk = desk();
    for title in ["Refit the boat", "Polish the compass", "Sew the sail"] {
        desk.run(&format!("task add '{title}'"));
    }
    desk.run("task claim '#1'");
    start(&desk, "s-1");
    let errand = json!({ "prompt": "Please do #2.", "subagent_type": "general-purpose" });
    fire(&desk, "pre-tool-use", &json!({ "tool_name": "Agent", "tool_input": errand }));
    let agent = json!({ "agent_id": "a7", "agent_type": "general-purpose" });
    let told = context(&fire(&desk, "subagent-start", &agent));
    assert!(told.contains("Polish the compass") && !told.contains("Refit the boat"), "{told}");
    // The client speaks of its session, and names the subagent beside it.
    let mut event = agent.clone();
    event["source"] = json!("compact");
    event["trigger"] = json!("auto");
    event["compact_summary"] = json!("The compass shines.");
    fire(&desk, "pre-compact", &event);
    assert_eq!(context(&fire(&desk, "session-start", &event)), told, "the same bytes");
    fire(&desk, "post-compact", &event);
    desk.run("mail send --to backend --subject 'Use wax' 'Not oil.' --importance urgent");
    let news = context(&fire(&desk, "user-prompt-submit", &json!({ "prompt": "and now?" })));
    assert!(news.contains("Use wax"), "the session itself is told what is new: {news}");
    assert!(!news.contains("Refit the boat"), "and nothing else, for it lost nothing: {news}");
    let sessions = desk.run("session list --json").json();
    let mut epochs: Vec<_> = sessions["sessions"].as_array().expect("sessions").iter().collect();
    epochs.sort_by_key(|session| session["number"].as_u64());
    let epochs: Vec<_> = epochs.iter().map(|session| &session["epoch"]).collect();
    assert_eq!(epochs, [1, 2]);
}

#[test]
fn what_a_rule_says_where_no_text_is_carried_comes_with_the_next_prompt() {
    let desk = desk();
    desk.run("task add 'Add login'");
    rules(
        &desk,
        "on_stop:\n  - name: remember-tests\n    action: inject_message\n    content: Run the tests next time.\n",
    );
    start(&desk, "s-1");
    assert_eq!(fire(&desk, "stop", &json!({})), json!({}));
    let prompt =
        |text: &str| context(&fire(&desk, "user-prompt-submit", &json!({ "prompt": text })));
    insta::assert_snapshot!(prompt("yes"), @r#"
    <pacenote project="shop">
    <notice trust="user" rule="remember-tests">Run the tests next time.</notice>
    </pacenote>
    "#);
    assert_eq!(prompt("go on"), "(nothing)", "once");
}

#[test]
fn a_project_without_pacenote_gets_silence_until_somebody_wants_it() {
    let mut desk = desk();
    desk.write("../elsewhere/readme", "x");
    let hello = |desk: &pacenote_testkit::desk::Desk| {
        let payload = json!({
            "session_id": "s-1", "cwd": desk.root().join("elsewhere"), "source": "startup",
        });
        desk.run_with_input("hook claude session-start", &payload.to_string()).stdout
    };
    assert_eq!(hello(&desk), "{}", "there is no store at all");
    desk.run("task add x");
    assert_eq!(hello(&desk), "{}", "only another project is used");
    assert!(!desk.data().join("sessions").exists(), "nothing is written down either");

    desk.set("PACENOTE_HOOKS_EVERYWHERE", "on");
    assert!(hello(&desk).contains("No task is open"));
    desk.unset("PACENOTE_HOOKS_EVERYWHERE");
    assert_eq!(hello(&desk), "{}");

    // A clone that says so is used, although this person never did anything in it.
    desk.write("../elsewhere/.pacenote/LEDGER.md", "");
    assert!(hello(&desk).contains("No task is open"));
    desk.go_to("elsewhere");
    let sessions = desk.run("session list --json").json();
    assert_eq!(sessions["sessions"][0]["epoch"], 1, "{sessions}");
}

#[test]
fn what_a_newer_client_tells_is_counted_and_answered_with_nothing() {
    let desk = desk();
    desk.run("task add x");
    assert_eq!(fire(&desk, "message-display", &json!({ "message": "hi" })), json!({}));
    assert_eq!(fire(&desk, "teleport", &json!({ "to": "mars" })), json!({}));
    assert!(start(&desk, "s-1").contains("<pacenote"));
    let said = desk.run("doctor").stdout;
    assert!(said.contains("no event named `teleport` is known; the client may be newer"), "{said}");
    assert!(!said.contains("message-display"), "{said}");
}

#[test]
fn a_skill_that_a_task_names_arrives_whole_whatever_its_length() {
    for (length, most_parts) in [(9_900, 4), (10_001, 4), (30_000, 4)] {
        let desk = desk();
        let lines = (0..).map(|number| format!("{number:05} is a line of the skill.\n"));
        let mut body = String::new();
        for line in lines {
            if body.len() + line.len() > length {
                break;
            }
            body.push_str(&line);
        }
        body.push_str(&"x".repeat(length - body.len()));
        desk.write(
            "../home/.claude/skills/long/SKILL.md",
            &format!("---\nname: long\ndescription: a long one\n---\n{body}"),
        );
        desk.run("skill list");
        desk.run("task add 'Use it' --skill long");
        desk.run("task claim '#1'");
        let mut all = String::new();
        for part in 1..=4 {
            let payload = json!({
                "session_id": "s-1", "cwd": desk.root().join("shop"), "source": "startup",
            });
            let line = format!("hook claude session-start --part {part}/{most_parts}");
            let answer = desk.run_with_input(&line, &payload.to_string()).json();
            let told = context(&answer);
            assert!(told.encode_utf16().count() <= 10_000);
            all.push_str(&told);
        }
        for line in body.lines() {
            assert!(all.contains(line), "{length}: {line}");
        }
    }
}

#[test]
fn what_the_transcript_shows_is_not_told_again() {
    let desk = desk();
    desk.run("task add 'Add login'");
    let told = start(&desk, "s-1");
    // The hook was killed after it printed and before it could note that.
    let log = desk.data().join("sessions");
    let log = std::fs::read_dir(log).expect("logs").next().expect("one").expect("an entry").path();
    let text = std::fs::read_to_string(&log).expect("a log");
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains("\"printed\"")).collect();
    std::fs::write(&log, kept.join("\n") + "\n").expect("a log");

    let prompt = |transcript: &str| {
        let fields = json!({ "prompt": "and now?", "transcript_path": transcript });
        context(&fire(&desk, "user-prompt-submit", &fields))
    };
    let shows = json!({
        "type": "attachment",
        "attachment": {
            "type": "hook_additional_context", "hookEvent": "SessionStart", "content": [told],
        },
    });
    desk.write("seen.jsonl", &format!("{{\"type\":\"other\"}}\n{shows}\n"));
    desk.write("unseen.jsonl", "{\"type\":\"other\"}\n");
    let [seen, unseen] = ["shop/seen.jsonl", "shop/unseen.jsonl"]
        .map(|path| desk.root().join(path).display().to_string());
    assert_eq!(prompt(&seen), "(nothing)");
    assert_eq!(prompt(&unseen), told, "it may not have arrived");
}

#[test]
fn what_came_with_a_prompt_that_was_cancelled_comes_again() {
    let desk = desk();
    start(&desk, "s-1");
    desk.run("task add 'Add login'");
    desk.write("unseen.jsonl", "{\"type\":\"other\"}\n");
    let transcript = desk.root().join("shop/unseen.jsonl").display().to_string();
    let prompt = |text: &str| {
        let fields = json!({ "prompt": text, "transcript_path": transcript });
        context(&fire(&desk, "user-prompt-submit", &fields))
    };
    let told = prompt("first");
    assert!(told.contains("Add login"), "{told}");
    // Nothing was noted of a turn, and the transcript does not have it.
    assert_eq!(prompt("first, in other words"), told);
    fire(&desk, "stop", &json!({ "stop_hook_active": false }));
    assert_eq!(prompt("second"), "(nothing)", "a turn that ended had all of it");
}

/// Fires an event of a host that is no Claude Code, and returns what it prints.
fn fire_at(desk: &pacenote_testkit::desk::Desk, call: &str, fields: &serde_json::Value) -> String {
    let shop = desk.root().join("shop");
    let mut payload = fields.clone();
    for (key, value) in [
        ("session", json!("s-1")),
        ("directory", json!(shop)),
        ("sessionId", json!("s-1")),
        ("cwd", json!(shop)),
    ] {
        payload[key] = value;
    }
    desk.run_with_input(&format!("hook {call}"), &payload.to_string()).stdout
}

#[test]
fn requests_get_back_what_they_lost_in_the_same_bytes() {
    let desk = desk();
    desk.run("task add 'Add login'");
    let told = fire_at(&desk, "shell session-start", &json!({}));
    assert!(told.contains("Add login"), "{told}");
    assert_eq!(fire_at(&desk, "shell request", &json!({ "notes": "held" })), "");
    for _ in 0..2 {
        assert_eq!(fire_at(&desk, "shell request", &json!({ "notes": "lost" })), told);
    }
    // What is added to a request is not kept by the host: the next prompt tells it anew, once.
    desk.run("task add 'Write the manual'");
    let anew = fire_at(&desk, "shell prompt", &json!({ "prompt": "what now?" }));
    assert!(anew.contains("Add login") && anew.contains("Write the manual"), "{anew}");
    assert_eq!(fire_at(&desk, "shell prompt", &json!({ "prompt": "and then?" })), "");
    let sessions = desk.run("session list --json").json();
    assert_eq!(sessions["sessions"][0]["host"], "shell", "{sessions}");
}

#[test]
fn where_requests_are_made_by_us_the_notes_are_in_each_and_prompts_bring_only_news() {
    let mut desk = desk();
    desk.unset("PACENOTE_AGENT").set("PACENOTE_AGENT", "backend");
    desk.run("task add 'Add login'");
    assert_eq!(fire_at(&desk, "opencode prompt", &json!({ "prompt": "begin" })), "{}");
    let first = fire_at(&desk, "opencode request", &json!({}));
    assert!(first.contains("Add login"), "{first}");
    assert_eq!(fire_at(&desk, "opencode request", &json!({})), first);
    desk.run("mail send --to backend --subject 'Use argon2' 'Not bcrypt.' --importance urgent");
    let news = fire_at(&desk, "opencode prompt", &json!({ "prompt": "go on" }));
    assert!(news.contains("Not bcrypt.") && !news.contains("Add login"), "{news}");
    assert_eq!(fire_at(&desk, "opencode request", &json!({})), first, "stable, for the cache");
    // After a compaction the notes are made anew.
    fire_at(&desk, "opencode session-start", &json!({ "source": "compact" }));
    let second = fire_at(&desk, "opencode request", &json!({}));
    assert!(second.contains("Add login") && second != first, "{second}");
}

#[test]
fn a_host_that_only_says_it_will_compact_gets_its_notes_with_the_next_prompt() {
    let desk = desk();
    desk.run("task add 'Add login'");
    let start = fire_at(&desk, "copilot session-start", &json!({ "source": "new" }));
    assert!(start.contains("Add login"), "{start}");
    let prompt =
        |text: &str| fire_at(&desk, "copilot user-prompt-submitted", &json!({ "prompt": text }));
    assert!(!prompt("begin").contains("Add login"));
    fire_at(&desk, "copilot pre-compact", &json!({ "trigger": "manual" }));
    assert!(prompt("go on with it").contains("Add login"));
    assert!(!prompt("and on").contains("Add login"));
}

#[test]
fn gemini_is_told_in_markdown() {
    let desk = desk();
    desk.run("task add 'Tags like <b> are kept'");
    let shop = desk.root().join("shop");
    let payload = json!({
        "session_id": "s-1", "cwd": shop, "hook_event_name": "BeforeAgent", "prompt": "begin",
    });
    let answer = desk.run_with_input("hook gemini before-agent", &payload.to_string()).json();
    let told = context(&answer);
    assert!(told.starts_with("# pacenote: shop\n## identity (trust: system)\n| You are"), "{told}");
    assert!(told.contains("Tags like <b> are kept"), "{told}");
    assert!(told.ends_with("# end of pacenote"), "{told}");
}

#[test]
fn the_bill_names_what_nobody_can_price() {
    let desk = desk();
    desk.run("task add 'Add login'");
    desk.write(".mcp.json", r#"{"mcpServers":{"tickets":{},"wiki":{}}}"#);
    let hook = json!({ "hooks": [{ "type": "command", "command": "./mine.sh" }] });
    let settings = json!({ "hooks": { "SessionStart": [hook] } });
    desk.write("../home/.claude/settings.json", &settings.to_string());
    let bill = desk.run("bill").stdout;
    let lines: Vec<&str> = bill.lines().filter(|line| line.contains('?')).collect();
    insta::assert_snapshot!(desk.tidy(&lines.join("\n")), @"
    ? tokens  the tools of 2 MCP servers, as /desk/shop/.mcp.json says: tickets, wiki
    ? tokens  what 1 hook of others say, in /desk/home/.claude/settings.json
    ");
    let charges = desk.run("bill --json").json();
    assert_eq!(
        charges["charges"].as_array().expect("charges").last().expect("one")["tokens"],
        json!(null)
    );
}
