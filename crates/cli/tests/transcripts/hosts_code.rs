//! What is in a plan arrives as it was written, in every host's own form of answer.

use std::fmt::Write as _;

use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::desk;

/// Code with whatever a host, a tag or JSON could spell otherwise.
const CODE: [&str; 7] = [
    "fn pick<'a, T: Into<String>>(rows: &'a [Vec<Task>]) -> Option<&'a Task> {",
    "\tlet few = rows.iter().filter(|row| 2 < row.len() && row.len() > 1).count();",
    "    println!(\"{}\\t{:?}\\u{1F600}\", few, r#\"<b class='x'>&amp; \"quoted\" \\ </b>\"#);",
    "    // C:\\new\\table, naïve → `öse`, 日本語, שלום",
    "    #[cfg(any(unix, windows))] let _ = a <= b && c >= d || !(e << 2 >> 1 != 0);",
    "    </plain> <T> <skill-name> &lt;kept&gt; <!-- kept? no: dropped by nobody --",
    "}",
];

/// Makes a plan of so many tasks, of which the agent is at the second, and claims that.
fn plan(desk: &Desk, tasks: usize) {
    let mut text = String::from("# The shop\n\n**Goal:** Sell.\n");
    for number in 1..=tasks {
        write!(text, "\n## Task {number}: Row {number}\n\n").expect("text");
        if number == 2 {
            write!(text, "```rust\n{}\n```\n", CODE.join("\n")).expect("text");
        }
        for step in 1..=6 {
            writeln!(text, "- [ ] **Step {step}: Part {step} of {number}**").expect("text");
        }
    }
    desk.write("docs/plans/shop.md", &text);
    assert_eq!(desk.run("task import docs/plans/shop.md").code, "0");
    let tasks = desk.run("task list --json").json();
    let rows = tasks["tasks"].as_array().expect("tasks");
    let second = rows.iter().find(|row| row["title"] == "Task 2: Row 2").expect("the second");
    let id = second["id"].as_str().expect("an id");
    assert_eq!(desk.run(&format!("task claim {id}")).code, "0");
}

/// Fires a hook of a session that begins, and returns the text for the model as its client reads it
/// from the answer.
fn context(desk: &Desk, host: &str) -> String {
    let shop = desk.root().join("shop");
    let theirs =
        json!({ "session_id": "s-1", "cwd": shop, "source": "startup", "prompt": "begin" });
    let ours =
        json!({ "session": "s-1", "directory": shop, "source": "startup", "prompt": "begin" });
    let camel = json!({
        "sessionId": "s-1", "cwd": shop, "source": "new", "initialPrompt": "begin", "timestamp": 1,
    });
    let specific = "/hookSpecificOutput/additionalContext";
    let (hook, payload, pointer) = match host {
        "claude" | "codex" => ("session-start", theirs, specific),
        "gemini" => ("before-agent", theirs, specific),
        "qwen" => ("user-prompt-submit", theirs, specific),
        "copilot" => ("session-start", camel, "/additionalContext"),
        "opencode" => ("request", ours, "/context"),
        _ => ("session-start", ours, ""),
    };
    let line = format!("hook {host} {hook}");
    let answer = desk.run_with_input(&line, &payload.to_string()).stdout;
    if pointer.is_empty() {
        return answer;
    }
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    let text = answer.pointer(pointer).and_then(Value::as_str);
    text.unwrap_or_else(|| panic!("{host}: {answer}")).to_owned()
}

#[test]
fn code_of_a_plan_arrives_as_it_was_written_in_every_host() {
    for host in ["claude", "codex", "copilot", "gemini", "opencode", "qwen", "shell"] {
        let desk = desk();
        plan(&desk, 3);
        let text = context(&desk, host);
        let is_markdown = matches!(host, "gemini" | "qwen");
        let read: Vec<&str> = text
            .lines()
            .map(|line| if is_markdown { line.strip_prefix("| ").unwrap_or(line) } else { line })
            .collect();
        for line in CODE {
            assert!(read.contains(&line), "{host}: {line}\n{text}");
        }
    }
}

#[test]
fn markdown_hosts_get_the_tree_its_mark_and_the_end() {
    for host in ["gemini", "qwen"] {
        let desk = desk();
        plan(&desk, 40);
        let text = context(&desk, host);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("# pacenote: shop"), "{text}");
        assert_eq!(lines.last(), Some(&"# end of pacenote"), "{text}");
        // Every heading but the first and the last is of an element, and none is below another.
        let inner = &lines[1..lines.len() - 1];
        for line in inner {
            assert!(line.starts_with("## ") || line.starts_with('|'), "{line}\n{text}");
        }
        let marked: Vec<&&str> = inner.iter().filter(|line| line.contains("CURRENT")).collect();
        assert_eq!(marked.len(), 1, "{text}");
        assert!(marked[0].contains("Task 2: Row 2 ("), "{text}");
        assert!(marked[0].ends_with("  <-- CURRENT"), "{text}");
        // The same rows as where the notes are tags, the folded ones too.
        let tags = context(&desk, "codex");
        let tree = tags.split("<tasks").nth(1).and_then(|rest| rest.split("</tasks>").next());
        let rows: Vec<&str> = tree.expect("a tree").lines().skip(1).collect();
        assert!(rows.len() > 2, "{tags}");
        for row in rows {
            assert!(inner.contains(&format!("| {row}").as_str()), "{row}\n{text}");
        }
    }
}
