//! Very large and very odd projects: every answer stays under its host's ceiling, and the section of
//! the current task is still in it.

use std::fmt::Write as _;

use pacenote_engine::{Caller, Data, Desk as Store, tasks::note};
use pacenote_model::limits::{CLAUDE_CONTEXT_UTF16, TITLE_CHARACTERS};
use pacenote_store::Access;
use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::desk;

/// The most that all answers to one event may have, in characters: the default budget is 4,800
/// tokens.
const MOST_CHARACTERS: usize = 25_000;

/// The most with a skill that a task names, which may have 15,000 tokens more.
const MOST_WITH_SKILL: usize = 100_000;

/// Returns a plan in which each task has some steps with code below them.
fn plan(title: &str, tasks: std::ops::RangeInclusive<u32>, steps: u32, lines: usize) -> String {
    let mut text = format!(
        "# {title}\n\n**Goal:** The {title} is done.\n\n**Tech Stack:** Rust\n\n## Global \
         Constraints\n\n- No network.\n\n"
    );
    for task in tasks {
        write!(text, "### Task {task}: Part {task} of {title}\n\n**Files:** `src/{task}.rs`\n\n")
            .expect("a string");
        for step in 1..=steps {
            writeln!(text, "- [ ] **Step {step}: Do {task}.{step}**\n\n```rust").expect("a string");
            for line in 1..=lines {
                writeln!(text, "let x{line}: Vec<u32> = part({task}, {step});").expect("a string");
            }
            text.push_str("```\n\n");
        }
    }
    text
}

/// Begins a session in each kind of host, and returns what its agent reads.
fn begin(desk: &Desk) -> Vec<(&'static str, String)> {
    begin_within(desk, MOST_CHARACTERS)
}

fn begin_within(desk: &Desk, most: usize) -> Vec<(&'static str, String)> {
    let shop = desk.root().join("shop");
    let mut parts = Vec::new();
    for part in 1..=4 {
        let payload = json!({"session_id": "c-1", "cwd": shop, "source": "startup"});
        let line = format!("hook claude session-start --part {part}/4");
        let answer = desk.run_with_input(&line, &payload.to_string()).stdout;
        assert_eq!(answer.contains("systemMessage"), part == 1, "the person sees one line");
        let text = context(&answer);
        let units = text.encode_utf16().count();
        assert!(units <= CLAUDE_CONTEXT_UTF16, "part {part} has {units} units");
        parts.push(text);
    }
    let one = |line: &str, payload: &Value| {
        let ran = desk.run_with_input(line, &payload.to_string());
        assert_eq!((ran.code.as_str(), ran.stderr.as_str()), ("0", ""), "{line}");
        context(&ran.stdout)
    };
    let all = [
        ("claude", parts.join("\n")),
        (
            "codex",
            one(
                "hook codex session-start",
                &json!({"session_id": "x-1", "cwd": shop, "source": "startup",
                    "hook_event_name": "SessionStart"}),
            ),
        ),
        (
            "gemini",
            one(
                "hook gemini before-agent",
                &json!({"session_id": "g-1", "cwd": shop, "prompt": "begin",
                    "hook_event_name": "BeforeAgent"}),
            ),
        ),
        ("shell", one("hook shell session-start", &json!({"session": "s-1", "directory": shop}))),
    ];
    for (host, text) in &all {
        let count = text.chars().count();
        assert!(count <= most, "{host} gets {count} characters");
        assert!(!text.is_empty(), "{host} gets nothing");
    }
    all.to_vec()
}

/// Returns the text in an answer, whatever its form.
fn context(stdout: &str) -> String {
    let Ok(answer) = serde_json::from_str::<Value>(stdout) else { return stdout.to_owned() };
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str();
    text.unwrap_or_default().to_owned()
}

fn assert_has(read: &[(&'static str, String)], needed: &[&str]) {
    for (host, text) in read {
        for one in needed {
            assert!(text.contains(one), "{host} lacks {one:?}:\n{text}");
        }
    }
}

#[test]
fn a_plan_of_five_thousand_lines() {
    let desk = desk();
    desk.write("plan.md", &plan("Migration", 1..=60, 8, 8));
    desk.run("task import plan.md");
    desk.run("task claim #271");
    let read = begin(&desk);
    assert_has(&read, &["Task 31: Part 31", "**Goal:** The Migration", "- No network."]);
    assert_has(&read, &["**Step 1: Do 31.1**", "let x8: Vec<u32> = part(31, 8);"]);
    assert_has(&read, &["other tasks: 59 open"]);
}

#[test]
fn a_section_longer_than_any_answer() {
    let desk = desk();
    desk.write("plan.md", &plan("Migration", 1..=2, 12, 90));
    desk.run("task import plan.md");
    desk.run("task claim #1");
    for step in 2..=4 {
        desk.run(&format!("task close #{step}"));
    }
    let read = begin(&desk);
    // How it begins, what binds it, the next step whole, and how to read the rest.
    assert_has(&read, &["**Files:** `src/1.rs`", "**Goal:**", "- No network.", "Do 1.4**"]);
    assert_has(&read, &["read plan.md", "not shown:"]);
    for (host, text) in &read {
        assert!(!text.contains("Do 1.1**\n"), "{host}: a finished step stands before an open one");
    }
}

#[test]
fn fourteen_plans_at_once() {
    let desk = desk();
    for number in 1..=14 {
        desk.write(&format!("plan-{number}.md"), &plan(&format!("Plan {number}"), 1..=4, 3, 3));
        assert_eq!(desk.run(&format!("task import plan-{number}.md")).code, "0");
    }
    desk.run("task claim #97");
    let read = begin(&desk);
    assert_has(&read, &["Part 1 of Plan 7", "**Goal:** The Plan 7 is done.", "part(1, 3);"]);
    assert_has(&read, &["other tasks: 55 open: `pacenote task list`"]);
    for (host, text) in &read {
        assert!(!text.contains("Plan 8"), "{host}");
    }
}

#[test]
fn six_hundred_tasks_and_steps_in_one() {
    let desk = desk();
    desk.write("plan.md", &plan("Migration", 1..=1, 599, 1));
    desk.run("task import plan.md");
    desk.run("task claim #1");
    desk.run("task close #2");
    let read = begin(&desk);
    assert_has(&read, &["Part 1 of Migration", "**Goal:**", "- No network.", "Do 1.2**"]);
    assert_has(&read, &["and 586 more: `pacenote task list`", "read plan.md"]);
}

#[test]
fn a_tree_twelve_deep() {
    let desk = desk();
    desk.run("task add 'Level 1'");
    for level in 2..=12 {
        let line = format!("task add 'Level {level}' --parent #{}", level - 1);
        assert_eq!(desk.run(&line).code, "0");
    }
    desk.run("task claim #12");
    assert_has(&begin(&desk), &["Level 1", "Level 12", "<-- CURRENT"]);
}

#[test]
fn titles_of_the_greatest_length_in_several_scripts() {
    for letter in ["w", "م", "字", "🦀"] {
        let desk = desk();
        let title = letter.repeat(TITLE_CHARACTERS - "Task 1: ".len());
        let steps = format!("- [ ] {}\n", letter.repeat(TITLE_CHARACTERS)).repeat(30);
        let text = format!("# Plan\n\n**Goal:** Short.\n\n### Task 1: {title}\n\n{steps}");
        desk.write("plan.md", &text);
        desk.run("task import plan.md");
        desk.run("task claim #1");
        assert_has(&begin(&desk), &["**Goal:** Short.", &title]);
    }
}

#[test]
fn text_from_right_to_left() {
    let desk = desk();
    let text = "# خطة البحث\n\n**Goal:** العثور على الملاحظات بالكلمات.\n\n## Global Constraints\n\n\
                - بدون شبكة.\n\n### Task 1: محلل الاستعلام\n\n- [ ] **Step 1: اكتب الاختبار**\n";
    desk.write("plan.md", text);
    desk.run("task import plan.md");
    desk.run("task claim #1");
    let needed = ["محلل الاستعلام", "العثور على الملاحظات", "- بدون شبكة.", "اكتب الاختبار"];
    assert_has(&begin(&desk), &needed);
    let line = desk.run("status --line").stdout;
    assert_eq!(line, "pacenote: Task 1 \"محلل الاستعلام\", 0/1 step\n");
}

#[test]
fn two_hundred_notes() {
    let desk = desk();
    desk.write("plan.md", &plan("Migration", 1..=2, 3, 3));
    desk.run("task import plan.md");
    desk.run("task claim #1");
    let place = desk.root().join("shop");
    let caller = Caller::Agent(pacenote_model::AgentName::parse("backend").expect("a name"));
    let mut store =
        Store::open(Data::new(desk.data()), &place, caller, Access::Write).expect("a store");
    for number in 1..=200 {
        let word = if number == 7 { "DECISION: keep it. " } else { "found out " };
        let text = format!("{word}{number} {}", "word ".repeat(180));
        note(&mut store.begin(None).expect("work"), "#1", &text).expect("a note");
    }
    drop(store);
    let read = begin(&desk);
    assert_has(&read, &["DECISION: keep it. 7", "found out 200", "part(1, 3);", "**Goal:**"]);
    assert_has(&read, &["`pacenote task show"]);
}

#[test]
fn sixty_ticked_items_of_a_hosts_own_list() {
    let desk = desk();
    desk.write("plan.md", &plan("Migration", 1..=2, 3, 3));
    desk.run("task import plan.md");
    desk.run("task claim #1");
    let shop = desk.root().join("shop");
    let start = json!({"session_id": "c-0", "cwd": shop, "source": "startup"});
    desk.run_with_input("hook claude session-start", &start.to_string());
    let todos: Vec<Value> = (1..=60)
        .map(|n| json!({"content": format!("Ticked {n}"), "status": "completed"}))
        .chain([json!({"content": "Still to do", "status": "pending"})])
        .collect();
    let listed = json!({"session_id": "c-0", "cwd": shop, "tool_name": "TodoWrite",
        "tool_input": {"todos": todos}});
    desk.run_with_input("hook claude post-tool-use", &listed.to_string());
    let read = begin(&desk);
    assert_has(&read, &["Part 1 of Migration", "part(1, 3);", "Still to do", "60 done"]);
    for (host, text) in &read {
        assert!(!text.contains("Ticked 59"), "{host}");
    }
}

#[test]
fn a_skill_of_a_hundred_kilobytes() {
    let desk = desk();
    let mut body = String::new();
    for number in 1..=250 {
        let text = "Do this and that carefully. ".repeat(11);
        writeln!(
            body,
            "## How part {number} of the work is done and what comes after it\n\n{text}\n"
        )
        .expect("a string");
    }
    let skill = format!("---\nname: heavy\ndescription: does a lot\n---\n{body}");
    assert!(skill.len() > 90_000 && skill.len() < 100 * 1024, "{}", skill.len());
    desk.write("../home/.agents/skills/heavy/SKILL.md", &skill);
    desk.write("plan.md", &plan("Migration", 1..=2, 3, 3));
    desk.run("skill list");
    let line = "task add 'Part 1 of Migration' --skill heavy --plan plan.md --section 'Task 1'";
    assert_eq!(desk.run(line).code, "0");
    desk.run("task claim #1");
    let read = begin_within(&desk, MOST_WITH_SKILL);
    assert_has(&read, &["Part 1 of Migration", "part(1, 3);", "**Goal:**", "heavy"]);
    // The receipt of so many sections is kept, or all of it would come with every prompt.
    let prompt = json!({"session_id": "c-1", "cwd": desk.root().join("shop"), "prompt": "go on"});
    let next = desk.run_with_input("hook claude user-prompt-submit", &prompt.to_string());
    assert_eq!(context(&next.stdout), "");
}

#[test]
fn a_project_without_git() {
    let mut desk = desk();
    desk.go_to("bare");
    std::fs::create_dir_all(desk.root().join("bare/.pacenote")).expect("a directory");
    desk.write("plan.md", &plan("Migration", 1..=2, 3, 3));
    desk.run("task import plan.md");
    desk.run("task claim #1");
    let payload =
        json!({"session_id": "c-1", "cwd": desk.root().join("bare"), "source": "startup"});
    let text =
        context(&desk.run_with_input("hook claude session-start", &payload.to_string()).stdout);
    assert_has(&[("claude", text)], &["Part 1 of Migration", "part(1, 3);", "**Goal:**"]);
}

#[test]
fn a_step_that_the_agent_closed_does_not_bring_the_section_again() {
    let desk = desk();
    desk.write("plan.md", &plan("Migration", 1..=2, 3, 3));
    desk.run("task import plan.md");
    desk.run("task claim #1");
    let shop = desk.root().join("shop");
    let fire = |event: &str, more: Value| {
        let mut payload = json!({"session_id": "c-1", "cwd": shop});
        let fields = payload.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        context(&desk.run_with_input(&format!("hook claude {event}"), &payload.to_string()).stdout)
    };
    assert!(fire("session-start", json!({"source": "startup"})).contains("part(1, 3);"));
    desk.run("task close #2");
    let next = fire("user-prompt-submit", json!({"prompt": "the first step works, go on"}));
    assert!(next.contains("<position") && !next.contains("<plan"), "{next}");
    // What somebody else wrote into the section is new.
    let changed = plan("Migration", 1..=2, 3, 3).replace("part(1, 3)", "other(1, 3)");
    desk.write("plan.md", &changed);
    desk.run("task close #3");
    let next = fire("user-prompt-submit", json!({"prompt": "and the second one too"}));
    assert!(next.contains("other(1, 3)"), "{next}");
}
