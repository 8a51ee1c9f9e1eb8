//! Which session is told what another one left, in the order in which real clients fire.

use std::os::unix::fs::PermissionsExt as _;

use pacenote_engine::Data;
use pacenote_model::{HostId, HostName, SessionStatus};
use pacenote_store::{Access, Store as _};
use pacenote_testkit::desk::Desk;
use serde_json::json;

use crate::{
    desk,
    lifecycle::{eventually, fire_in, start},
};

/// How often git is called for one handoff.
const CALLS: u64 = 6;

/// More often than git is ever called here.
const ENOUGH: u64 = 1000;

/// Lets a session do one turn.
fn ask(desk: &Desk, session: &str) {
    fire_in(desk, session, "user-prompt-submit", &json!({ "prompt": "go on with the login" }));
    fire_in(desk, session, "stop", &json!({ "stop_hook_active": false }));
}

/// Ends a session, and waits until the worker that is started then has taken that in.
fn end(desk: &Desk, session: &str) {
    fire_in(desk, session, "session-end", &json!({ "reason": "other" }));
    let host = HostName::parse("claude").expect("a host");
    let host_id = HostId::parse(session).expect("an id");
    // Looked up in the store itself: our commands would take it in.
    eventually("the end", || {
        let store = pacenote_store::open(&Data::new(desk.data()).store(), Access::Read);
        let session = store.and_then(|store| store.session(&host, &host_id)).expect("the store");
        session.is_some_and(|session| session.status == SessionStatus::Completed)
    });
}

/// Returns the number of the session whose handoff is told.
fn told(context: &str) -> Option<&str> {
    let (_, handoff) = context.split_once("<handoff ")?;
    let (_, number) = handoff.split_once("session=\"")?;
    Some(number.split_once('"')?.0)
}

/// Puts a git in the way that goes on only as often as it is let.
fn with_stuck_git(desk: &mut Desk) {
    let (calls, allowed) = (desk.root().join("calls"), desk.root().join("allowed"));
    let (calls, allowed) = (calls.display(), allowed.display());
    let script = format!(
        "#!/bin/sh
        printf x >> '{calls}'
        while [ \"$(wc -c < '{calls}')\" -gt \"$(cat '{allowed}')\" ]; do sleep 0.02; done\n"
    );
    desk.write("../bin/git", &script);
    let directory = desk.root().join("bin");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(directory.join("git"), mode).expect("a program");
    desk.set("PATH", &format!("{}:/usr/bin:/bin", directory.display()));
    let_git(desk, 0);
}

/// Lets git go on so many times, all in all.
fn let_git(desk: &Desk, times: u64) {
    desk.write("../allowed", &times.to_string());
}

/// Waits until git was called so many times.
fn await_git(desk: &Desk, times: u64) {
    let calls = desk.root().join("calls");
    eventually("the worker", || std::fs::metadata(&calls).is_ok_and(|file| file.len() >= times));
}

#[test]
fn the_session_that_just_ended_is_followed_while_a_worker_is_busy() {
    let mut desk = desk();
    with_stuck_git(&mut desk);
    desk.run("task add 'Add login'");
    start(&desk, "s-1");
    ask(&desk, "s-1");
    await_git(&desk, 1);
    end(&desk, "s-1");
    assert_eq!(told(&start(&desk, "s-2")), Some("#1"));
    // Of this one no worker ever heard.
    ask(&desk, "s-2");
    end(&desk, "s-2");
    assert_eq!(told(&start(&desk, "s-3")), Some("#2"));
    let_git(&desk, ENOUGH);
    eventually("the report", || desk.data().join("worker.json").exists());
    assert_eq!(told(&start(&desk, "s-4")), None, "what was completed late stays taken");
}

#[test]
fn of_several_that_ended_the_last_one_is_followed_whatever_is_completed_last() {
    let mut desk = desk();
    with_stuck_git(&mut desk);
    desk.run("task add 'Add login'");
    for session in ["s-1", "s-2"] {
        start(&desk, session);
    }
    for session in ["s-1", "s-2"] {
        ask(&desk, session);
        await_git(&desk, 1);
        end(&desk, session);
    }
    let_git(&desk, CALLS);
    await_git(&desk, CALLS + 1);
    assert_eq!(told(&start(&desk, "s-3")), Some("#2"));
    let_git(&desk, ENOUGH);
}

#[test]
fn a_session_in_which_nothing_happened_passes_on_what_it_took() {
    let desk = desk();
    desk.run("task add 'Add login'");
    start(&desk, "s-1");
    ask(&desk, "s-1");
    end(&desk, "s-1");
    for idle in ["s-2", "s-3"] {
        assert_eq!(told(&start(&desk, idle)), Some("#1"), "{idle}");
        end(&desk, idle);
        // Some clients say it twice.
        end(&desk, idle);
    }
    assert_eq!(told(&start(&desk, "s-4")), Some("#1"));
    ask(&desk, "s-4");
    end(&desk, "s-3");
    assert_eq!(told(&start(&desk, "s-5")), None, "it is in use");
    end(&desk, "s-5");
    end(&desk, "s-4");
    let next = start(&desk, "s-6");
    let number = told(&next).expect("a handoff").to_owned();
    let shown = desk.run(&format!("session show '{number}' --json")).json();
    assert_eq!(shown["host_id"], "s-4");
}

#[test]
fn changed_files_are_those_of_the_project_and_not_our_own() {
    let mut desk = desk();
    let search = std::env::var("PATH").expect("a path to git");
    desk.set("PATH", &search);
    for number in 100..130 {
        desk.write(&format!(".pacenote/handoff-{number}.md"), "# Handoff\n");
        desk.write(&format!(".pacenote/runs/{number}/review-1.md"), "# Review\n");
    }
    desk.write(".pacenote/lifecycle.yaml", "version: 1\n");
    desk.write("src/login.rs", "");
    desk.run("task add 'Add login'");
    start(&desk, "s-1");
    ask(&desk, "s-1");
    end(&desk, "s-1");
    eventually("the changed files", || {
        desk.run("session handoff show '#1'").stdout.contains("src/login.rs")
    });
    let shown = desk.run("session handoff show '#1'").stdout;
    assert!(shown.contains(".pacenote/lifecycle.yaml"), "{shown}");
    assert!(!shown.contains("handoff-1") && !shown.contains("review-1"), "{shown}");
}
