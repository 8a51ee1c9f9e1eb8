//! Damaged files that a repository brings cost what they are for, and never the notes.

use std::{fs, os::unix::fs::symlink, path::Path};

use pacenote_testkit::desk::{Desk, Ran};
use serde_json::{Value, json};

use crate::{desk, transcript};

/// Everything a repository can bring below `.pacenote` that something of ours reads.
const FILES: [&str; 6] = [
    "config.toml",
    "lifecycle.yaml",
    "skills.lock",
    "workflows/ship.yaml",
    "workflows/conventions/style.md",
    "workflows/resources/list.md",
];

/// Directories there that something of ours lists.
const DIRECTORIES: [&str; 3] = ["workflows", "workflows/conventions", "workflows/resources"];

/// Kinds of damage.
const DAMAGES: [&str; 7] = ["junk", "later", "pipe", "directory", "loop", "elsewhere", "large"];

/// Puts something else in the place of a file.
fn damage(path: &Path, kind: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    match kind {
        "junk" => fs::write(path, b"\xff\x00[[ {{ : - \x1b[2J").expect("a file"),
        "later" => fs::write(path, "version = 99\nversion: 99\n").expect("a file"),
        "pipe" => {
            let launch = pacenote_fleet::Launch::new("/usr/bin/mkfifo", "/").argument(path);
            assert_eq!(Ran::of(&launch).code, "0");
        }
        "directory" => fs::create_dir(path).expect("a directory"),
        "loop" => symlink(path, path).expect("a link"),
        "elsewhere" => symlink("/etc/hostname", path).expect("a link"),
        "large" => fs::File::create(path).and_then(|file| file.set_len(20 << 20)).expect("a file"),
        other => panic!("{other}"),
    }
}

/// Returns a desk with a task, in which a session begins.
fn desk_with_task() -> Desk {
    let desk = desk();
    desk.run("task add 'Add login'");
    desk
}

/// Fires a hook and returns its answer.
fn fire(desk: &Desk, session: &str, event: &str, fields: &Value) -> String {
    let mut payload = fields.clone();
    payload["session_id"] = json!(session);
    payload["cwd"] = json!(desk.root().join("shop"));
    let ran = desk.run_with_input(&format!("hook claude {event}"), &payload.to_string());
    assert_eq!(ran.code, "0", "{session}: {event}: {}", ran.stderr);
    ran.stdout
}

/// Asserts that a session gets its notes.
fn assert_notes(desk: &Desk, what: &str) {
    let told = fire(desk, what, "session-start", &json!({ "source": "startup" }));
    assert!(told.contains("Add login"), "{what}: {told}");
}

/// Asserts that commands work, and that `doctor` names what is damaged.
fn assert_commands(desk: &Desk, what: &str, damaged: &[String]) {
    assert_notes(desk, what);
    let told = fire(desk, "other", "user-prompt-submit", &json!({ "prompt": "go on" }));
    assert!(told.contains("Add login"), "{what}: prompt: {told}");
    let edit = json!({ "tool_name": "Edit", "tool_input": { "file_path": "a" } });
    let answer = fire(desk, what, "pre-tool-use", &edit);
    assert!(!answer.contains("deny"), "{what}: pre-tool-use: {answer}");
    for (command, expected) in [
        ("brief", "Add login"),
        ("task list", "Add login"),
        ("skill list", "brainstorming"),
        ("skill for-task '#1'", "test-driven-development"),
        ("flow list", "planner"),
        ("config show", ""),
        ("trust status", ""),
        ("lifecycle show", "built-in"),
    ] {
        let ran = desk.run(command);
        assert_eq!(ran.code, "0", "{what}: {command}: {}", ran.stderr);
        assert!(ran.stdout.contains(expected), "{what}: {command}: {}", ran.stdout);
        assert!(!ran.stderr.contains("PACENOTE_HOME"), "{what}: {command}: {}", ran.stderr);
    }
    let ran = desk.run("doctor");
    assert!(["0", "1"].contains(&ran.code.as_str()), "{what}: doctor: {}", ran.code);
    for path in damaged {
        assert!(ran.stdout.contains(path.as_str()), "{what}: doctor on {path}: {}", ran.stdout);
    }
}

#[test]
fn damaged_files_of_a_repository_cost_no_notes() {
    for kind in DAMAGES {
        let desk = desk_with_task();
        let brought = desk.root().join("shop/.pacenote");
        for file in FILES {
            damage(&brought.join(file), kind);
            assert_notes(&desk, &format!("{kind}-{}", file.replace('/', "-")));
            fs::remove_dir_all(&brought).expect("nothing brought");
        }
        for file in FILES {
            damage(&brought.join(file), kind);
        }
        let damaged = FILES.map(|file| format!(".pacenote/{file}"));
        assert_commands(&desk, kind, &damaged);
    }
}

#[test]
fn damaged_directories_of_a_repository_cost_no_notes() {
    for kind in DAMAGES.into_iter().filter(|kind| *kind != "directory") {
        let desk = desk_with_task();
        let brought = desk.root().join("shop/.pacenote");
        for directory in DIRECTORIES {
            damage(&brought.join(directory), kind);
            let what = format!("{kind}-{}", directory.replace('/', "-"));
            assert_notes(&desk, &what);
            let damaged = format!(".pacenote/{directory}");
            assert!(desk.run("doctor").stdout.contains(&damaged), "{what}");
            fs::remove_dir_all(&brought).expect("nothing brought");
        }
        damage(&brought, kind);
        assert_commands(&desk, kind, &[".pacenote".to_owned()]);
    }
}

#[test]
fn a_lock_that_cannot_be_read_holds_skills_back() {
    let mut desk = desk_with_task();
    desk.unset("PACENOTE_AGENT");
    for (place, name) in [("", "ours"), ("../home/", "mine")] {
        let text = format!("---\nname: {name}\ndescription: Says something.\n---\n\nBody.\n");
        desk.write(&format!("{place}.claude/skills/{name}/SKILL.md"), &text);
    }
    desk.run("skill approve --project --later --yes");
    assert_eq!(desk.run("skill lock ours mine").code, "0");
    desk.write(".claude/skills/ours/SKILL.md", "---\nname: ours\n---\n\nSomething else.\n");
    let sound = desk.run("skill resolve ours,mine").stdout;
    assert!(!sound.contains("ours ") && sound.contains("mine "), "{sound}");
    let lock = desk.root().join("shop/.pacenote/skills.lock");
    let pinned = fs::read_to_string(&lock).expect("a lock");
    desk.write(".pacenote/skills.lock", "version = 99\n");
    transcript!(desk, ["skill resolve ours,mine,brainstorming", "skill lock ours --yes",
        "skill verify"], @r"
        $ pacenote skill resolve ours,mine,brainstorming
        brainstorming  only one  b3-c5d7c813cb7a  built-in:brainstorming
        warning: `/desk/shop/.pacenote/skills.lock` cannot be read, so only built-in skills are used: line 1: the format is `version = 1`; update pacenote to read a newer one
        warning: `ours` is held back because the project's lock file cannot be read: `/desk/shop/.claude/skills/ours/SKILL.md`
        warning: `mine` is held back because the project's lock file cannot be read: `/desk/home/.claude/skills/mine/SKILL.md`
        $ pacenote skill lock ours --yes
        error: `/desk/shop/.pacenote/skills.lock` cannot be read
        error: line 1: the format is `version = 1`; update pacenote to read a newer one

        hint: fix it, or `git checkout -- .pacenote/skills.lock` brings back the committed one
        [exit 1]
        $ pacenote skill verify
        error: `/desk/shop/.pacenote/skills.lock` cannot be read
        error: line 1: the format is `version = 1`; update pacenote to read a newer one

        hint: fix it, or `git checkout -- .pacenote/skills.lock` brings back the committed one
        [exit 1]
        ");
    assert_eq!(desk.run("skill approve ours --yes").code, "1");
    assert_eq!(fs::read_to_string(&lock).expect("a lock"), "version = 99\n", "left alone");
    let listed = desk.run("skill list");
    assert!(listed.stdout.contains("held back") && listed.stderr.contains("skills.lock"));
    desk.write(".pacenote/skills.lock", &pinned);
    assert_eq!(desk.run("skill resolve ours,mine").stdout, sound);
}
