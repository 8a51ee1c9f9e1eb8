//! How often a hook opens the database: once, or not at all.

use std::mem::MaybeUninit;

use pacenote_testkit::desk::Desk;
use rustix::{
    fd::OwnedFd,
    fs::inotify::{CreateFlags, Reader, WatchFlags, add_watch, init},
    io::Errno,
};
use serde_json::{Value, json};

use crate::{
    desk,
    lifecycle::{fire_in, rules},
};

/// Counts how often a file is opened, by whichever process.
struct Opens {
    watch: OwnedFd,
}

impl Opens {
    fn of(desk: &Desk) -> Self {
        let watch = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).expect("a watch");
        let database = desk.data().join("pacenote.db");
        add_watch(&watch, &database, WatchFlags::OPEN).expect("a database to watch");
        Self { watch }
    }

    /// Returns the count since it was last asked for.
    fn take(&self) -> usize {
        let mut space = [MaybeUninit::uninit(); 4096];
        let mut events = Reader::new(&self.watch, &mut space);
        let mut opens = 0;
        loop {
            match events.next() {
                // Many in a row that are alike are told once, so other files must not be watched.
                Ok(_) => opens += 1,
                Err(Errno::AGAIN) => return opens,
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// A project whose own settings are trusted, with work, a gate and something that a session left.
fn busy_desk() -> Desk {
    let mut desk = desk();
    desk.write(".pacenote/config.toml", "[tasks]\nmirror = true\n");
    desk.unset("PACENOTE_AGENT");
    let trusted = desk.run("trust approve --yes");
    assert_eq!(trusted.code, "0", "{}", trusted.stderr);
    desk.set("PACENOTE_AGENT", "backend");
    desk.run("task add 'Add login'");
    // No worker may open the database too: what a session leaves behind is written by hand, and one
    // that was asked something waits for somebody who goes on.
    let own = "enable: [task-before-edit]\n\
               disable: [handoff-before-compaction]\n\
               on_before_agent:\n  - action: mark_session_status\n    status: awaiting_handoff\n";
    rules(&desk, own);
    for (event, fields) in [
        ("session-start", json!({ "source": "startup" })),
        ("user-prompt-submit", json!({ "prompt": "go on with the login form" })),
    ] {
        fire_in(&desk, "s-0", event, &fields);
    }
    desk.run("session list");
    let left = r#"{ "current_state": "half done" }"#;
    let set = desk.run_with_input("session handoff set - --session '#1'", left);
    assert_eq!(set.code, "0", "{}", set.stderr);
    desk
}

#[test]
fn a_hook_opens_the_database_once() {
    let desk = busy_desk();
    let opens = Opens::of(&desk);
    let count = |session: &str, event: &str, fields: &Value| {
        opens.take();
        let answer = fire_in(&desk, session, event, fields);
        (opens.take(), answer)
    };
    let events = [
        ("session-start", json!({ "source": "startup" })),
        ("user-prompt-submit", json!({ "prompt": "what is there to do in the login form?" })),
        ("pre-tool-use", json!({ "tool_name": "Write", "tool_input": { "file_path": "a.rs" } })),
        (
            "post-tool-use",
            json!({
                "tool_name": "TodoWrite",
                "tool_input": { "todos": [{ "content": "One", "status": "pending" }] },
            }),
        ),
        ("pre-compact", json!({ "trigger": "auto" })),
        ("session-start", json!({ "source": "compact" })),
        ("subagent-start", json!({ "agent_id": "a-1", "agent_type": "implementer" })),
    ];
    for (event, fields) in events {
        let (opens, answer) = count("s-1", event, &fields);
        assert_eq!(opens, 1, "{event} {fields} answered {answer}");
        if fields["source"] == "startup" {
            assert!(answer.to_string().contains("half done"), "a handoff is taken: {answer}");
        }
    }
}

#[test]
fn a_tool_that_no_rule_is_about_opens_no_database() {
    let desk = desk();
    desk.run("task add 'Add login'");
    fire_in(&desk, "s-1", "session-start", &json!({ "source": "startup" }));
    let opens = Opens::of(&desk);
    let read = json!({ "tool_name": "Read", "tool_input": { "file_path": "a.rs" } });
    for event in ["pre-tool-use", "post-tool-use"] {
        fire_in(&desk, "s-1", event, &read);
        assert_eq!(opens.take(), 0, "{event}");
    }
}
