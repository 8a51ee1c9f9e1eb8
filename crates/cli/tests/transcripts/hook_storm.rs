//! Hooks of many processes at once: every answer valid, nothing told by halves, nothing lost.
//!
//! `cargo xtask bench hook` does the same with 200 processes of the released program, of which 99 %
//! must be told everything. An unoptimised one is too slow for so many: its watchdog would answer.

use std::{collections::BTreeMap, sync::Barrier};

use pacenote_fleet::Launch;
use pacenote_testkit::desk::{Desk, Ran};
use serde_json::{Value, json};

use crate::desk;

/// How many processes are started at once.
const PROCESSES: usize = 40;

/// How many of them must be told everything at least. On a busy machine the watchdog answers for the
/// others, and a test must not depend on how busy it is.
const SOME: usize = PROCESSES / 2;

const SKILL: &str = "---\nname: small-steps\ndescription: Works in small steps\n---\n\n\
    # Small steps\n\nOne change at a time.\n";

/// Sets up two tasks, the first claimed with a skill of its own.
fn at_work() -> Desk {
    let desk = desk();
    desk.write("../home/.claude/skills/small-steps/SKILL.md", SKILL);
    desk.run("task add 'Add login' --skill small-steps");
    desk.run("task add 'Add rate limit'");
    desk.run("task claim '#1'");
    desk
}

/// Describes the hook that is called when a session starts.
fn start(desk: &Desk, session: &str, part: &str) -> Launch {
    let payload = json!({
        "session_id": session,
        "cwd": desk.root().join("shop"),
        "hook_event_name": "SessionStart",
        "source": "startup",
    });
    desk.launch(env!("CARGO_BIN_EXE_pacenote"))
        .arguments(["hook", "claude", "session-start", "--part", part])
        .input(payload.to_string())
}

/// Runs all of them at once and returns what each tells the model, which the watchdog leaves empty.
fn told(launches: &[Launch]) -> Vec<String> {
    let gate = Barrier::new(launches.len());
    let run = |launch| {
        gate.wait();
        Ran::of(launch)
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = launches.iter().map(|launch| scope.spawn(|| run(launch))).collect();
        running.into_iter().map(|process| context(&process.join().expect("a thread"))).collect()
    })
}

/// Returns what an answer tells the model, once it is one that a client reads.
fn context(ran: &Ran) -> String {
    assert_eq!((ran.code.as_str(), ran.stderr.as_str()), ("0", ""), "{}", ran.stdout);
    let answer = ran.json();
    let fields = answer.as_object().expect("an object");
    assert!(
        fields.keys().all(|key| ["hookSpecificOutput", "systemMessage"].contains(&key.as_str()))
    );
    let Some(output) = fields.get("hookSpecificOutput") else { return String::new() };
    assert_eq!(output["hookEventName"], "SessionStart");
    output["additionalContext"].as_str().expect("a context").to_owned()
}

/// Returns the texts of every telling, by the host's id of the session.
fn receipts(desk: &Desk) -> BTreeMap<String, Vec<Value>> {
    let list = desk.run("session list --json").json();
    let sessions = list["sessions"].as_array().expect("sessions");
    let of = |session: &Value| {
        let replay = desk.run(&format!("replay '#{}' --json", session["number"])).json();
        let tellings = replay["tellings"].as_array().expect("tellings");
        let texts = tellings.iter().map(|telling| telling["texts"].clone()).collect();
        (session["host_id"].as_str().expect("an id").to_owned(), texts)
    };
    sessions.iter().map(of).collect()
}

#[test]
fn heavy_many_sessions_start_at_once() {
    let desk = at_work();
    let expected = context(&Ran::of(&start(&desk, "alone", "1/1")));
    assert!(expected.contains("One change at a time."), "{expected}");
    let ids: Vec<_> = (0..PROCESSES).map(|number| format!("s-{number}")).collect();
    let launches: Vec<_> = ids.iter().map(|id| start(&desk, id, "1/1")).collect();
    let told = told(&launches);
    // Each names its own session.
    let of = |id: &str| expected.replace("s-alon", &format!("s-{}", id.replace('-', "")));
    for (id, text) in ids.iter().zip(&told) {
        assert!(text.is_empty() || *text == of(id), "{id}: {text}");
    }
    let (left_out, whole): (Vec<_>, Vec<_>) =
        ids.iter().zip(&told).partition(|(_, text)| text.is_empty());
    assert!(whole.len() >= SOME, "{} of {PROCESSES} were told everything", whole.len());
    for (id, _) in left_out {
        let again = context(&Ran::of(&start(&desk, id, "1/1")));
        assert_eq!(again, of(id), "{id} is told when the host asks again");
    }
    let receipts = receipts(&desk);
    for id in &ids {
        assert_eq!(receipts.get(id), Some(&vec![json!([of(id)])]), "{id}");
    }
}

#[test]
fn heavy_many_processes_start_one_session() {
    let desk = at_work();
    let parts = ["1/4", "2/4", "3/4", "4/4"];
    let launches: Vec<_> = parts.iter().cycle().take(PROCESSES).collect();
    let launches: Vec<_> = launches.into_iter().map(|part| start(&desk, "s-1", part)).collect();
    let told = told(&launches);
    for (number, part) in parts.iter().enumerate() {
        let mut texts: Vec<_> = told.iter().skip(number).step_by(parts.len()).collect();
        texts.retain(|text| !text.is_empty());
        assert!(texts.windows(2).all(|pair| pair[0] == pair[1]), "part {part}: {texts:?}");
    }
    let whole = told.iter().filter(|text| text.contains("One change at a time.")).count();
    assert!(whole >= SOME / parts.len(), "{whole} were told of the skill: {told:?}");
    let receipts = receipts(&desk);
    assert_eq!(receipts["s-1"].len(), 1, "one of them assembled: {receipts:?}");
}
