//! No secret of the known kinds reaches a file of ours, whichever way it comes.

use std::path::Path;

use pacenote_testkit::{credentials::SHAPES, desk::Desk};
use serde_json::json;

use crate::{desk, transcript};

/// Tells which files below a directory hold some bytes.
fn holders(directory: &Path, wanted: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(holders(&path, wanted));
        } else if std::fs::read(&path).expect("a file").windows(wanted.len()).any(|it| it == wanted)
        {
            found.push(path.display().to_string());
        }
    }
    found
}

fn hook(desk: &Desk, event: &str, fields: &serde_json::Value) -> String {
    let mut payload = fields.clone();
    payload["session_id"] = json!("s-1");
    payload["cwd"] = json!(desk.root().join("shop"));
    desk.run_with_input(&format!("hook claude {event}"), &payload.to_string()).stdout
}

#[test]
fn twenty_five_credentials_reach_no_file() {
    let mut told = Vec::new();
    for shape in SHAPES {
        let desk = desk();
        let (sentence, credential) = (shape.told(), shape.credential());
        let one_line = sentence.replace('\n', " ");
        desk.write(
            "plan.md",
            &format!("# Plan\n\n## Goal {one_line}\n\n{sentence}\n\n### Task 1: do it\n"),
        );
        let skill = format!(
            "---\nname: leaky\ndescription: x\n---\n# Leaky\n\n{sentence}\n\n## {one_line}\n\nx\n"
        );
        desk.write("../home/.claude/skills/leaky/SKILL.md", &skill);
        desk.run_arguments(&["task", "add", &one_line, "--skill", "leaky", "--key", "k"], "");
        desk.run_arguments(&["task", "note", "#1", &sentence], "");
        desk.run_arguments(&["task", "block", "#1", &sentence], "");
        desk.run("task reopen '#1'");
        desk.run("task claim '#1'");
        let mail = ["mail", "send", "--to", "backend", "--importance", "urgent", "--subject"];
        let mail: Vec<&str> =
            mail.into_iter().chain([one_line.as_str(), sentence.as_str()]).collect();
        desk.run_arguments(&mail, "");
        desk.run("task import plan.md");
        let mut answers = hook(&desk, "session-start", &json!({ "source": "startup" }));
        answers += &hook(&desk, "user-prompt-submit", &json!({ "prompt": sentence }));
        answers += &hook(&desk, "session-start", &json!({ "source": sentence }));
        for line in ["brief", "why leaky", "replay '#1'", "session list", "doctor"] {
            answers += &desk.run(line).stdout;
        }
        assert!(answers.contains("<skill "), "the notes were told: {answers}");
        // A credential on several lines is known by any of them but its first and last.
        for part in credential.lines().filter(|line| line.len() > 8 && !line.starts_with("-----")) {
            let files = holders(&desk.data(), part.as_bytes());
            told.extend(files.into_iter().map(|file| format!("{}: {file}", shape.name)));
            if answers.contains(part) {
                told.push(format!("{}: told", shape.name));
            }
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn a_person_learns_what_was_left_out() {
    let desk = desk();
    let token = SHAPES.iter().find(|shape| shape.name == "GitHub personal token").expect("one");
    let title = format!("Push with {}", token.credential());
    let ran = desk.run_arguments(&["task", "add", &title], "");
    insta::assert_snapshot!(desk.tidy(&format!("{}{}", ran.stdout, ran.stderr)), @"
    added t-1 #1 (open) Push with [redacted: github-token]
    warning: a secret was left out: it stands as `[redacted: …]` in what was stored
    ");
    let filters = [(r"in \d+ files", "in [n] files"), (r#""files": \d+"#, r#""files": [n]"#)];
    insta::with_settings!({ filters => filters }, {
        transcript!(desk, ["task list", "audit secrets"], @"
    $ pacenote task list
    t-1  #1  open  Push with [redacted: github-token]
    $ pacenote audit secrets
    nothing known found in [n] files
    ");
    desk.write("../home/.local/share/pacenote/notes.txt", &title);
    transcript!(desk, ["audit secrets", "audit secrets --json"], @r#"
    $ pacenote audit secrets
    github-token  1  notes.txt
    change the secrets that are real: others may have read the files before
    [exit 1]
    $ pacenote audit secrets --json
    {
      "files": [n],
      "leaks": [
        {
          "file": "notes.txt",
          "rule": "github-token",
          "count": 1
        }
      ]
    }
    [exit 1]
    "#);
    });
}
