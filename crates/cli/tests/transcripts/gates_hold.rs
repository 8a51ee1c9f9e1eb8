//! Gates that stay closed whatever becomes of the files that hold them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::{
    desk,
    lifecycle::{fire, rules, start},
    transcript,
};

/// Rules of a project: a gate on editing and one on stopping.
pub(crate) const PROJECT: &str = "\
on_before_tool:
  - {name: shut, action: block_tools, tools: edit, reason: not here}
on_stop:
  - {name: hold, action: block_stop, reason: go on}
";

/// Rules of the person: a gate on forced pushes.
const OWN: &str = "\
on_before_tool:
  - {name: no-force, action: block_tools, command: 'git push*--force', reason: no forced pushes}
";

/// What becomes of a file, or of all files of a project.
type Disturb = fn(&Path);

/// What brings marks back.
type Repair = fn(&mut Desk);

/// Returns the reason for which a tool is refused in a directory, or nothing.
pub(crate) fn tool_in(desk: &Desk, directory: &Path, name: &str, input: &Value) -> String {
    let payload =
        json!({ "session_id": "s-1", "cwd": directory, "tool_name": name, "tool_input": input });
    let answer = desk.run_with_input("hook claude pre-tool-use", &payload.to_string()).json();
    let reason = answer["hookSpecificOutput"]["permissionDecisionReason"].as_str();
    desk.tidy(reason.unwrap_or("(passes)"))
}

pub(crate) fn edit_in(desk: &Desk, directory: &Path) -> String {
    tool_in(desk, directory, "Write", &json!({ "file_path": "a.rs", "content": "x" }))
}

fn command(desk: &Desk, line: &str) -> String {
    tool_in(desk, &desk.root().join("shop"), "Bash", &json!({ "command": line }))
}

fn replace_by_pipe(file: &Path) {
    fs::remove_file(file).expect("rm");
    let made = std::process::Command::new("mkfifo").arg(file).status();
    assert!(made.expect("mkfifo").success());
}

/// Lets the person trust rules of the project.
pub(crate) fn trust(desk: &mut Desk, text: &str) {
    desk.write(".pacenote/lifecycle.yaml", text);
    desk.unset("PACENOTE_AGENT");
    let approved = desk.run("trust approve --yes");
    assert_eq!(approved.code, "0", "{}", approved.stderr);
    desk.set("PACENOTE_AGENT", "backend");
}

/// Returns the marks by which hooks know of trusted rules.
fn marks(desk: &Desk) -> Vec<PathBuf> {
    let entries = fs::read_dir(desk.data().join("projects")).expect("marks");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_mark = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ending == "rules" || ending == "gates")
    };
    paths.filter(is_mark).collect()
}

/// Returns the last line that the person sees of an answer; the one before counts tokens.
fn last_line(desk: &Desk, answer: &Value) -> String {
    let lines = answer["systemMessage"].as_str().unwrap_or_default().lines();
    desk.tidy(lines.last().unwrap_or_default())
}

fn forget_marks(desk: &Desk) {
    for mark in marks(desk) {
        fs::remove_file(mark).expect("a mark");
    }
}

#[test]
fn a_trusted_gate_holds_without_its_file() {
    let disturbances: [(&str, Disturb); 7] = [
        ("deleted", |root| fs::remove_file(root.join(".pacenote/lifecycle.yaml")).expect("rm")),
        ("renamed", |root| fs::rename(root.join(".pacenote"), root.join("away")).expect("mv")),
        ("removed", |root| fs::remove_dir_all(root.join(".pacenote")).expect("rm")),
        ("without its repository", |root| {
            fs::remove_dir_all(root.join(".pacenote")).expect("rm");
            fs::rename(root.join(".git"), root.join("git")).expect("mv");
        }),
        ("a dangling link", |root| {
            fs::remove_file(root.join(".pacenote/lifecycle.yaml")).expect("rm");
            std::os::unix::fs::symlink("nowhere", root.join(".pacenote/lifecycle.yaml"))
                .expect("a link");
        }),
        ("a pipe", |root| replace_by_pipe(&root.join(".pacenote/lifecycle.yaml"))),
        ("a directory", |root| {
            fs::remove_file(root.join(".pacenote/lifecycle.yaml")).expect("rm");
            fs::create_dir(root.join(".pacenote/lifecycle.yaml")).expect("mkdir");
        }),
    ];
    for is_git in [true, false] {
        for (how, disturb) in disturbances {
            let mut desk = desk();
            let root = desk.root().join("shop");
            match (is_git, how) {
                (false, "without its repository") => continue,
                (false, _) => fs::remove_dir_all(root.join(".git")).expect("no repository"),
                (true, _) => {}
            }
            let below = root.join("src/deep");
            fs::create_dir_all(&below).expect("a directory");
            trust(&mut desk, PROJECT);
            desk.run("task add 'Add login'");
            disturb(&root);
            let what = format!("{how}, git: {is_git}");
            for directory in [&root, &below, &root.join("src/gone")] {
                let reason = edit_in(&desk, directory);
                assert!(
                    reason.starts_with("not here"),
                    "{what}, {}: {reason}",
                    directory.display()
                );
            }
            let stop = fire(&desk, "stop", &json!({ "stop_hook_active": false }));
            assert_eq!(stop["decision"], "block", "{what}: {stop}");
            for directory in ["shop", "shop/src/deep"] {
                desk.go_to(directory);
                let gates = desk.run("allow").stdout;
                assert!(
                    gates.contains("shut              on_before_tool  closed"),
                    "{what}: {gates}"
                );
                let shown = desk.run("lifecycle show").stdout;
                let row = shown.lines().find(|line| line.contains(" shut ")).unwrap_or_default();
                assert!(row.contains(" on   project"), "{what}: {shown}");
            }
        }
    }
}

#[test]
fn a_trusted_gate_holds_in_every_worktree() {
    let mut desk = desk();
    trust(&mut desk, PROJECT);
    // As `git worktree add` leaves it, on a branch that has no such file.
    let [worktree, common] = ["other", "shop/.git"].map(|name| desk.root().join(name));
    let own = common.join("worktrees/other");
    for directory in [&worktree, &own] {
        fs::create_dir_all(directory).expect("a directory");
    }
    fs::write(worktree.join(".git"), format!("gitdir: {}\n", own.display())).expect("a file");
    fs::write(own.join("HEAD"), "ref: refs/heads/other\n").expect("a file");
    fs::write(own.join("commondir"), "../..\n").expect("a file");
    let back = format!("{}\n", worktree.join(".git").display());
    fs::write(own.join("gitdir"), back).expect("a file");
    assert!(edit_in(&desk, &worktree).starts_with("not here"));
    // A nested project is another one.
    let nested = desk.root().join("shop/nested");
    fs::create_dir_all(nested.join(".git/objects")).expect("a directory");
    fs::create_dir_all(nested.join(".git/refs")).expect("a directory");
    fs::write(nested.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
    assert_eq!(edit_in(&desk, &nested), "(passes)");
}

#[test]
fn a_gate_that_was_trusted_before_there_were_marks_gets_one() {
    let mut desk = desk();
    let root = desk.root().join("shop");
    trust(&mut desk, PROJECT);
    desk.run("store backup");
    let file = root.join(".pacenote/lifecycle.yaml");
    forget_marks(&desk);
    assert!(edit_in(&desk, &root).starts_with("not here"), "the file is still there");
    let repairs: [(&str, Repair); 5] = [
        ("a session begins", |desk| drop(start(desk, "s-2"))),
        ("a prompt", |desk| {
            drop(fire(desk, "user-prompt-submit", &json!({ "prompt": "go on" })));
        }),
        ("a command", |desk| drop(desk.run("allow"))),
        ("a worker", |desk| drop(desk.run("work --once"))),
        ("a restored store", |desk| {
            desk.unset("PACENOTE_AGENT");
            let restored = desk.run("store restore --anyway");
            assert_eq!(restored.code, "0", "{}", restored.stderr);
            desk.set("PACENOTE_AGENT", "backend");
        }),
    ];
    for (what, repair) in repairs {
        forget_marks(&desk);
        fs::remove_file(&file).ok();
        repair(&mut desk);
        assert_eq!(marks(&desk).len(), 2, "{what}");
        assert!(edit_in(&desk, &root).starts_with("not here"), "{what}");
    }
}

#[test]
fn trust_that_is_withdrawn_leaves_no_mark() {
    let mut desk = desk();
    trust(&mut desk, PROJECT);
    assert_eq!(marks(&desk).len(), 2);
    // Rules without a gate on tools are looked for too, but close nothing when something fails.
    let note = "on_after_tool:\n  - {action: observe, category: tool, message: used}\n";
    trust(&mut desk, note);
    assert_eq!(marks(&desk).len(), 1);
    desk.unset("PACENOTE_AGENT");
    desk.run("trust revoke --yes");
    assert_eq!(marks(&desk), Vec::<PathBuf>::new());
    trust(&mut desk, PROJECT);
    desk.unset("PACENOTE_AGENT");
    let left = desk.run("uninstall --yes");
    assert_eq!(left.code, "0", "{}", left.stderr);
    assert_eq!(marks(&desk), Vec::<PathBuf>::new(), "the project was left");
}

#[test]
fn what_cannot_be_read_may_be_what_a_trusted_gate_refuses() {
    let mut desk = desk();
    trust(&mut desk, PROJECT);
    fs::remove_dir_all(desk.root().join("shop/.pacenote")).expect("rm");
    let deep = format!(
        "{{\"session_id\":\"s-1\",\"cwd\":\"/\",\"tool_name\":\"x\",\"tool_input\":{}{}}}",
        "[".repeat(300),
        "]".repeat(300)
    );
    let answer = desk.run_with_input("hook claude pre-tool-use", &deep).json();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
}

#[test]
fn rules_with_a_mistake_cannot_be_trusted() {
    let mut desk = desk();
    trust(&mut desk, PROJECT);
    desk.unset("PACENOTE_AGENT");
    desk.write(".pacenote/lifecycle.yaml", "on_stop:\n  - action: run\n    argv: [rm, x]\n");
    transcript!(desk, ["trust approve --yes", "allow"], @"
    $ pacenote trust approve --yes
    .pacenote/lifecycle.yaml b3-2e7a1a30015a
    error: `/desk/shop/.pacenote/lifecycle.yaml` has mistakes, so it cannot be trusted
    error: /desk/shop/.pacenote/lifecycle.yaml:2: a project's rules may not use `run`

    hint: `pacenote lifecycle check` shows what to fix
    [exit 1]
    $ pacenote allow
    task-before-edit  on_before_tool  off
    shut              on_before_tool  closed
    hold              on_stop         closed
    warning: `/desk/shop/.pacenote/lifecycle.yaml` is not trusted, so its rules are not in force
    `pacenote trust status` shows it, `pacenote trust approve` takes it into use
    ");
    let file = desk.root().join("shop/.pacenote/lifecycle.yaml");
    fs::write(&file, b"# \xff\n").expect("a file");
    assert_eq!(desk.run("trust approve --yes").code, "1", "not a text");
    assert!(edit_in(&desk, &desk.root().join("shop")).starts_with("not here"));
}

#[test]
fn own_rules_with_a_mistake_leave_the_last_good_ones_in_force() {
    let desk = desk();
    let file = desk.root().join("home/.config/pacenote/lifecycle.yaml");
    let breaks: [(&str, Disturb); 6] = [
        ("a mistake", |file| fs::write(file, "on_teatime: []\n").expect("a file")),
        ("an unknown switch", |file| fs::write(file, "disable: [newz]\n").expect("a file")),
        ("not a text", |file| fs::write(file, b"\xff\xfe").expect("a file")),
        ("a pipe", |file| {
            fs::write(file, "").expect("a file");
            replace_by_pipe(file);
        }),
        ("a directory", |file| fs::create_dir(file).expect("a directory")),
        ("a dangling link", |file| {
            std::os::unix::fs::symlink("nowhere", file).expect("a link");
        }),
    ];
    for (what, break_it) in breaks {
        rules(&desk, OWN);
        desk.run("task add 'Add login'");
        fs::remove_file(&file).expect("rm");
        break_it(&file);
        for directory in ["shop", "elsewhere"] {
            let directory = desk.root().join(directory);
            fs::create_dir_all(&directory).expect("a directory");
            let shell =
                |line: &str| tool_in(&desk, &directory, "Bash", &json!({ "command": line }));
            assert!(shell("git push --force").starts_with("no forced pushes"), "{what}");
            assert_eq!(shell("git push"), "(passes)", "{what}: work goes on");
        }
        let gates = desk.run("allow").stdout;
        assert!(gates.contains("no-force          on_before_tool  closed"), "{what}: {gates}");
        if file.is_dir() { fs::remove_dir(&file) } else { fs::remove_file(&file) }.expect("rm");
        assert_eq!(command(&desk, "git push --force"), "(passes)", "{what}: gone on purpose");
    }
}

#[test]
fn own_rules_that_were_never_good_close_the_tools_that_change_something() {
    let mut desk = desk();
    desk.run("task add 'Add login'");
    rules(&desk, "on_teatime: []\n");
    let shop = desk.root().join("shop");
    insta::assert_snapshot!(command(&desk, "git push"), @"Rules that may refuse this tool cannot be used: /desk/home/.config/pacenote/lifecycle.yaml:1: unknown occasion `on_teatime`. The person can see what to fix with `pacenote lifecycle check`. (rule `broken-own-rules`; a person opens it with `pacenote allow broken-own-rules`)");
    insta::assert_snapshot!(tool_in(&desk, Path::new("/"), "Bash", &json!({ "command": "ls" })), @"Rules that may refuse this tool cannot be used: /desk/home/.config/pacenote/lifecycle.yaml:1: unknown occasion `on_teatime`. The person can see what to fix with `pacenote lifecycle check`. (rule `broken-own-rules`)");
    let refused = |name: &str, input: &Value| tool_in(&desk, &shop, name, input) != "(passes)";
    for (name, input, expected) in [
        ("Write", json!({ "file_path": "a", "content": "x" }), true),
        ("mcp__files__write", json!({ "path": "a" }), true),
        ("Read", json!({ "file_path": "a" }), false),
        ("Bash", json!({ "command": "pacenote task list" }), false),
    ] {
        assert_eq!(refused(name, &input), expected, "{name}");
    }
    let prompt = fire(&desk, "user-prompt-submit", &json!({ "prompt": "what is there to do?" }));
    insta::assert_snapshot!(last_line(&desk, &prompt), @"pacenote: /desk/home/.config/pacenote/lifecycle.yaml:1: unknown occasion `on_teatime`; until this is fixed, tools that change files or run commands are refused");
    desk.unset("PACENOTE_AGENT");
    transcript!(desk, ["allow", "allow broken-own-rules --yes", "lifecycle check"], @"
    $ pacenote allow
    task-before-edit  on_before_tool  off
    broken-own-rules  on_before_tool  closed
    warning: /desk/home/.config/pacenote/lifecycle.yaml:1: unknown occasion `on_teatime`; until this is fixed, tools that change files or run commands are refused
    $ pacenote allow broken-own-rules --yes
    broken-own-rules  on_before_tool  open
    warning: /desk/home/.config/pacenote/lifecycle.yaml:1: unknown occasion `on_teatime`; until this is fixed, tools that change files or run commands are refused
    $ pacenote lifecycle check
    /desk/home/.config/pacenote/lifecycle.yaml:1: unknown occasion `on_teatime`
      hint: known are `on_session_start`, `on_session_end`, `on_before_agent`, `on_pre_compact`, `on_post_compact`, `on_before_tool`, `on_after_tool`, `on_stop`, `on_subagent_start`, `on_subagent_stop`, `on_wake`
    [exit 1]
    ");
    assert_eq!(command(&desk, "git push"), "(passes)", "a person opened it");
    // A mistake of the person costs no other rules.
    desk.run("allow broken-own-rules --close");
    trust(&mut desk, PROJECT);
    assert!(edit_in(&desk, &shop).contains("not here"));
    rules(&desk, "disable: [plan-mode]\n");
    assert_eq!(command(&desk, "git push"), "(passes)", "fixed");
}

#[test]
fn a_person_who_edits_rules_sees_one_line() {
    let desk = desk();
    rules(&desk, OWN);
    desk.run("task add 'Add login'");
    rules(&desk, "on_teatime: []\n");
    let begun = fire(&desk, "session-start", &json!({ "source": "startup" }));
    insta::assert_snapshot!(last_line(&desk, &begun), @"pacenote: /desk/home/.config/pacenote/lifecycle.yaml:1: unknown occasion `on_teatime`; until this is fixed, the rules that this file had before stay in force");
    let doctor = desk.run("doctor").stdout;
    let row = doctor.lines().find(|line| line.contains(" rules: ")).unwrap_or_default();
    insta::assert_snapshot!(desk.tidy(row), @"fail  rules: /desk/home/.config/pacenote/lifecycle.yaml:1: unknown occasion `on_teatime`; until this is fixed, the rules that this file had before stay in force");
}

#[test]
fn a_gate_is_opened_for_a_session_that_has_just_begun() {
    let mut desk = desk();
    rules(&desk, OWN);
    desk.run("task add 'Add login'");
    start(&desk, "s-1");
    desk.unset("PACENOTE_AGENT");
    let opened = desk.run("allow no-force --session s-1 --yes");
    assert_eq!(opened.code, "0", "{}", opened.stderr);
    assert_eq!(command(&desk, "git push --force"), "(passes)");
    let unknown = desk.run("allow no-force --session s-9 --yes").stderr;
    assert!(unknown.contains("no session `s-9`"), "{unknown}");
}

#[test]
fn gates_hold_while_the_store_is_gone() {
    let mut desk = desk();
    rules(&desk, OWN);
    trust(&mut desk, PROJECT);
    desk.run("store backup");
    let database = desk.data().join("pacenote.db");
    fs::remove_file(&database).expect("removed");
    for _ in 0..2 {
        let [pushed, edited] =
            [command(&desk, "git push --force"), edit_in(&desk, &desk.root().join("shop"))];
        assert!(pushed != "(passes)", "{pushed}");
        assert!(edited != "(passes)", "{edited}");
        let elsewhere =
            tool_in(&desk, desk.root(), "Bash", &json!({ "command": "git push --force" }));
        assert!(elsewhere != "(passes)", "{elsewhere}");
        fs::write(&database, b"").expect("an empty file");
    }
}
