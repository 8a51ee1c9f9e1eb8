//! What agents read, whole, in situations as they occur: a file for each under `tests/golden`. Read the
//! difference before you accept it: each line costs its reader.

use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::{
    desk,
    flow::{in_session, outside},
    lifecycle::{context, fire_in},
};

const SEARCH: &str = include_str!("../../../testkit/data/briefing/plans/search.md");
const BILLING: &str = include_str!("../../../testkit/data/briefing/plans/billing.md");
const EXPORT: &str = include_str!("../../../testkit/data/briefing/plans/export.md");

/// The session of yesterday, and that of today.
const OLD: &str = "aaaa1111-0000-4000-8000-000000000001";
const NEW: &str = "bbbb2222-0000-4000-8000-000000000002";

/// What differs from run to run: the digits of fences, and times.
const FILTERS: [(&str, &str); 2] = [(r"\b[0-9a-f]{12}\b", "[fence]"), (r"\b\d\d:\d\d\b", "[time]")];

/// Compares what an agent reads with the file that shows it.
fn compare(desk: &Desk, name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../golden",
        prepend_module_to_snapshot => false,
        omit_expression => true,
        filters => FILTERS,
    }, {
        insta::assert_snapshot!(name, desk.tidy(text));
    });
}

/// Returns a project with three plans of 18 to 42 rows, of which the person imported one after the
/// other.
fn project() -> Desk {
    let mut desk = desk();
    desk.set("PACENOTE_AGENT", "lead");
    for (file, plan) in [("search", SEARCH), ("billing", BILLING), ("export", EXPORT)] {
        desk.write(&format!("docs/plans/{file}.md"), plan);
        desk.run(&format!("task import docs/plans/{file}.md"));
    }
    outside(&mut desk);
    desk
}

/// Runs a command as somebody.
fn act(desk: &mut Desk, who: &str, line: &str) {
    if who.contains("-0000-") {
        in_session(desk, who);
    } else {
        outside(desk);
        desk.set("PACENOTE_AGENT", who);
    }
    let ran = desk.run(line);
    assert_eq!(ran.code, "0", "{line}: {}", ran.stderr);
    outside(desk);
}

/// Fires a hook of Claude Code in a session and returns what its agent reads.
fn read(desk: &Desk, session: &str, event: &str, fields: &Value) -> String {
    context(&fire_in(desk, session, event, fields))
}

fn start(desk: &Desk, session: &str) -> String {
    read(desk, session, "session-start", &json!({ "source": "startup" }))
}

fn prompt(desk: &Desk, session: &str, id: &str, text: &str) -> String {
    read(desk, session, "user-prompt-submit", &json!({ "prompt": text, "prompt_id": id }))
}

/// Returns the id of the task whose title begins so, in the plan of that name.
fn task(desk: &Desk, plan: &str, title: &str) -> String {
    let listed = desk.run("task list --json").json();
    let found = listed["tasks"].as_array().and_then(|tasks| {
        tasks.iter().find(|task| {
            let is_called = task["title"].as_str().is_some_and(|one| one.starts_with(title));
            is_called && task["plan"].to_string().contains(plan)
        })
    });
    found.and_then(|task| task["id"].as_str()).expect("a task").to_owned()
}

#[test]
fn idle_start() {
    let mut desk = desk();
    desk.run("task add x");
    desk.run("task close #1");
    outside(&mut desk);
    compare(&desk, "idle-start", &start(&desk, NEW));
}

#[test]
fn start_with_plans_of_which_nothing_is_claimed() {
    let desk = project();
    compare(&desk, "start-with-plans", &start(&desk, NEW));
}

#[test]
fn claim_step_and_compaction() {
    let mut desk = project();
    start(&desk, NEW);
    let rows = task(&desk, "export", "Task 3");
    act(&mut desk, NEW, &format!("task claim {rows}"));
    let words = "begin with the stream of the export";
    compare(&desk, "prompt-after-a-claim", &prompt(&desk, NEW, "p-1", words));
    act(
        &mut desk,
        NEW,
        &format!(
            "task note {rows} 'DECISION: the delimiter is a semicolon, because of the decimal comma'"
        ),
    );
    act(
        &mut desk,
        NEW,
        &format!("task note {rows} 'pytest billing/tests takes 40 s; -k stream takes 2 s'"),
    );
    let step = task(&desk, "export", "Step 1: Write the failing test");
    let steps = desk.run(&format!("task show {rows} --json")).json();
    let step = steps["steps"][0]["id"].as_str().map_or(step, str::to_owned);
    act(&mut desk, NEW, &format!("task close {step}"));
    compare(&desk, "prompt-after-a-step", &prompt(&desk, NEW, "p-2", "now the next step please"));
    let words = "keep memory flat: read 2,000 invoices at a time";
    prompt(&desk, NEW, "p-3", words);
    let said = "The generator works. Open: should an empty year be an empty file?";
    let stop = json!({ "stop_hook_active": false, "last_assistant_message": said });
    read(&desk, NEW, "stop", &stop);
    read(&desk, NEW, "pre-compact", &json!({ "trigger": "auto" }));
    let compacted = read(&desk, NEW, "session-start", &json!({ "source": "compact" }));
    compare(&desk, "compaction", &compacted);
}

#[test]
fn news_with_a_prompt() {
    let mut desk = project();
    let (own, others) = (task(&desk, "search", "Task 2"), task(&desk, "billing", "Task 1"));
    start(&desk, NEW);
    act(&mut desk, NEW, &format!("task claim {own}"));
    prompt(&desk, NEW, "p-1", "write the index");
    act(&mut desk, "frontend", &format!("task claim {others}"));
    act(
        &mut desk,
        "frontend",
        "mail send --to claude-bbbb --subject 'Schema' 'The index needs a column `lang`; I add it in my migration.'",
    );
    act(
        &mut desk,
        "reviewer",
        "mail send --to claude-bbbb --importance urgent --subject 'Stop' 'Postings are not sorted: `merge()` loses notes. See src/search/index.rs:61.'",
    );
    compare(&desk, "news-with-a-prompt", &prompt(&desk, NEW, "p-2", "how far is it?"));
    compare(&desk, "nothing-new", &prompt(&desk, NEW, "p-3", "and the tests?"));
}

#[test]
fn next_morning() {
    let mut desk = project();
    let rows = task(&desk, "export", "Task 2");
    start(&desk, OLD);
    act(&mut desk, OLD, &format!("task claim {rows}"));
    prompt(&desk, OLD, "p-1", "escape formulas as the plan says, but keep a lone minus");
    act(
        &mut desk,
        OLD,
        &format!("task note {rows} 'DECISION: a lone minus is a number, so it stays'"),
    );
    let said = "`safe` is written and its four cases pass. A lone minus is still escaped.";
    let stop = json!({ "stop_hook_active": false, "last_assistant_message": said });
    read(&desk, OLD, "stop", &stop);
    read(&desk, OLD, "session-end", &json!({ "reason": "exit" }));
    desk.run("session list");
    let handoff = desk.run("session handoff show 1").stdout;
    compare(&desk, "handoff", &handoff);
    compare(&desk, "next-morning", &start(&desk, NEW));
}

#[test]
fn a_place_that_the_start_brought_does_not_come_again() {
    let mut desk = project();
    let parser = task(&desk, "search", "Task 3");
    act(&mut desk, NEW, &format!("task claim {parser}"));
    let start = start(&desk, NEW);
    assert!(start.contains("step t-") && start.contains("open steps:"), "{start}");
    assert_eq!(prompt(&desk, NEW, "p-1", "write the parser as the plan says"), "(nothing)");
    assert_eq!(prompt(&desk, NEW, "p-2", "continue"), "(nothing)");
}

#[test]
fn wakes() {
    let mut desk = project();
    let parser = task(&desk, "search", "Task 3");
    act(&mut desk, "backend", &format!("task claim {parser}"));
    act(&mut desk, "backend", &format!("task note {parser} 'DECISION: a phrase needs two words'"));
    act(&mut desk, "june", "mail send --to backend --subject 'Lunch' 'At noon?'");
    outside(&mut desk);
    desk.set("PACENOTE_AGENT", "reviewer");
    let message = "Spec review complete. All requirements met, no extras added.";
    let full = desk.run(&format!("wake backend \"{message}\" --full --dry-run")).stdout;
    compare(&desk, "wake-full", &full);
    let short = desk.run("wake backend \"Can you look at t-x?\" --short --dry-run").stdout;
    compare(&desk, "wake-short", &short);
}

#[test]
fn subagents() {
    let mut desk = project();
    let index = task(&desk, "search", "Task 2");
    start(&desk, NEW);
    act(&mut desk, NEW, &format!("task claim {index}"));
    prompt(&desk, NEW, "p-1", "send somebody");
    let sent = [
        (
            "implementer",
            "general-purpose",
            "Implement Task 2: The inverted index as the plan says.",
        ),
        ("reviewer", "code-reviewer", "Review Task 2: The inverted index, the last two commits."),
        ("explorer", "general-purpose", "Find all usages of Posting and report file and line."),
        ("planner", "Plan", "Plan how to shard the index for more than a million notes."),
    ];
    for (number, (name, kind, words)) in (1..).zip(sent) {
        let input = json!({ "subagent_type": kind, "description": name, "prompt": words });
        read(&desk, NEW, "pre-tool-use", &json!({ "tool_name": "Task", "tool_input": input }));
        let begun = json!({ "agent_id": format!("a-{number}"), "agent_type": kind });
        let told = read(&desk, NEW, "subagent-start", &begun);
        compare(&desk, &format!("subagent-{name}"), &told);
        let stopped = json!({ "agent_id": format!("a-{number}"), "agent_type": kind });
        read(&desk, NEW, "subagent-stop", &stopped);
    }
}
