//! Gates that stay closed whatever becomes of the place round them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::{
    desk,
    flow::{CHANGE, in_session, own},
    gates_hold::{PROJECT, edit_in, tool_in, trust},
    lifecycle::{context, fire, rules, start},
    transcript,
};

/// What an agent does to the place round its project, whose root it gets.
type Disturb = fn(&Path);

/// Makes a directory a repository, as git leaves it.
fn make_git(git: &Path) {
    for part in ["objects", "refs"] {
        fs::create_dir_all(git.join(part)).expect("a directory");
    }
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n").expect("a HEAD");
}

fn move_git_away(root: &Path) {
    fs::rename(root.join(".git"), root.join("git.bak")).expect("mv");
}

/// Makes the project of the desk a linked worktree of another repository.
fn link_worktree(root: &Path) {
    let common = root.with_file_name("main/.git");
    let own = common.join("worktrees/shop");
    fs::remove_dir_all(root.join(".git")).expect("rm");
    make_git(&common);
    fs::create_dir_all(&own).expect("a directory");
    fs::write(root.join(".git"), format!("gitdir: {}\n", own.display())).expect("a file");
    fs::write(own.join("HEAD"), "ref: refs/heads/other\n").expect("a HEAD");
    fs::write(own.join("commondir"), "../..\n").expect("a file");
    fs::write(own.join("gitdir"), format!("{}\n", root.join(".git").display())).expect("a file");
}

/// Keeps the git directory of the project elsewhere, as `--separate-git-dir` does.
fn separate_git(root: &Path) {
    let git = root.with_file_name("separate");
    fs::rename(root.join(".git"), &git).expect("mv");
    fs::write(root.join(".git"), format!("gitdir: {}\n", git.display())).expect("a file");
}

fn remove_git_file(root: &Path) {
    fs::remove_file(root.join(".git")).expect("rm");
}

fn git_above(root: &Path) {
    make_git(&root.with_file_name(".git"));
}

fn git_above_instead(root: &Path) {
    move_git_away(root);
    git_above(root);
}

fn remove_git(root: &Path) {
    fs::remove_dir_all(root.join(".git")).expect("rm");
}

/// How the project is before the person trusts its rules, what an agent does then, and where.
const CASES: [(&str, Disturb, Disturb, &str); 10] = [
    ("a repository above instead", |_| {}, git_above_instead, ""),
    ("a repository above", remove_git, git_above, ""),
    ("a repository above, below", remove_git, git_above, "src"),
    (
        "a marker above",
        |_| {},
        |root| {
            move_git_away(root);
            fs::remove_dir_all(root.join(".pacenote")).expect("rm");
            fs::create_dir(root.with_file_name(".pacenote")).expect("mkdir");
        },
        "",
    ),
    (
        "a marker below",
        remove_git,
        |root| fs::create_dir(root.join("src/.pacenote")).expect("mkdir"),
        "src",
    ),
    (
        "a repository that is none",
        git_above,
        |root| fs::rename(root.join(".git/HEAD"), root.join(".git/HEAD2")).expect("mv"),
        "",
    ),
    ("a worktree without its file", link_worktree, remove_git_file, ""),
    ("a separate git directory", separate_git, remove_git_file, "src"),
    ("another worktree", |root| make_git(&root.with_file_name("main/.git")), link_worktree, ""),
    (
        "a project that was moved away",
        |_| {},
        |root| fs::rename(root, root.with_file_name("moved")).expect("mv"),
        "src",
    ),
];

fn projects_of(desk: &Desk) -> Vec<PathBuf> {
    let entries = fs::read_dir(desk.data().join("projects")).expect("marks");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn a_trusted_gate_holds_whatever_is_made_round_its_project() {
    for (what, prepare, disturb, below) in CASES {
        let mut desk = desk();
        let root = fs::canonicalize(desk.root()).expect("a root").join("shop");
        fs::create_dir_all(root.join("src")).expect("a directory");
        prepare(&root);
        trust(&mut desk, PROJECT);
        disturb(&root);
        desk.go_to("elsewhere");
        let reason = edit_in(&desk, &root.join(below));
        assert!(reason.starts_with("not here"), "{what}: {reason}");
    }
}

#[test]
fn a_repository_inside_is_another_project() {
    let mut desk = desk();
    let root = desk.root().join("shop");
    make_git(&root.join("nested/.git"));
    trust(&mut desk, PROJECT);
    assert_eq!(edit_in(&desk, &root.join("nested")), "(passes)");
    assert_eq!(edit_in(&desk, desk.root()), "(passes)");
}

#[test]
fn a_root_is_known_only_as_long_as_something_holds_there() {
    let mut desk = desk();
    let is_root = |path: &PathBuf| {
        path.ends_with("roots") || path.extension().is_some_and(|ending| ending == "root")
    };
    trust(&mut desk, PROJECT);
    assert_eq!(projects_of(&desk).iter().filter(|path| is_root(path)).count(), 2);
    desk.unset("PACENOTE_AGENT");
    desk.run("trust revoke --yes");
    assert_eq!(projects_of(&desk).iter().filter(|path| is_root(path)).count(), 0);
}

/// Lets a session begin a run whose first step closes `edit`.
fn begin_run(desk: &mut Desk) {
    own(desk, "change", CHANGE);
    desk.run("task add 'Add login'");
    start(desk, "s-1");
    in_session(desk, "s-1");
    let begun = desk.run("flow start change --param goal=forms");
    assert_eq!(begun.code, "0", "{}", begun.stderr);
}

#[test]
fn what_a_step_closes_stays_closed_when_git_goes() {
    for disturb in [move_git_away as Disturb, git_above_instead] {
        let mut desk = desk();
        let root = desk.root().join("shop");
        begin_run(&mut desk);
        disturb(&root);
        for directory in [&root, &root.join("gone")] {
            let reason = edit_in(&desk, directory);
            assert!(reason.starts_with("step 1/6"), "{}: {reason}", directory.display());
        }
    }
}

#[test]
fn what_cannot_be_read_may_be_what_a_step_closes() {
    let mut desk = desk();
    let answer = |desk: &Desk| desk.run_with_input("hook claude pre-tool-use", "{\"tool").json();
    assert_eq!(answer(&desk)["hookSpecificOutput"], Value::Null);
    begin_run(&mut desk);
    let refused = answer(&desk);
    assert_eq!(refused["hookSpecificOutput"]["permissionDecision"], "deny", "{refused}");
}

#[test]
fn a_tool_that_names_other_files_too_hands_nothing_in() {
    let mut desk = desk();
    begin_run(&mut desk);
    let root = desk.root().join("shop");
    let report = ".pacenote/runs/1/x";
    for (name, input, passes) in [
        ("Write", json!({ "file_path": report }), true),
        ("Write", json!({ "file_path": report, "path": report }), true),
        ("Write", json!({ "file_path": report, "path": "src/a.py" }), false),
        ("NotebookEdit", json!({ "file_path": report, "notebook_path": "src/a.ipynb" }), false),
        ("NotebookEdit", json!({ "file_path": "src/a.py", "notebook_path": report }), false),
    ] {
        let reason = tool_in(&desk, &root, name, &input);
        assert_eq!(reason == "(passes)", passes, "{name} {input}: {reason}");
    }
}

#[test]
fn a_store_that_cannot_be_read_may_hold_a_step_that_closes_tools() {
    let mut desk = desk();
    begin_run(&mut desk);
    remove_store(&desk);
    fs::write(desk.data().join("pacenote.db"), "not a database".repeat(1000)).expect("a file");
    assert_ne!(edit_in(&desk, &desk.root().join("shop")), "(passes)");
}

/// Answers an unreadable payload in a directory that is deleted before.
fn answer_nowhere(desk: &Desk) -> String {
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" hook claude pre-tool-use";
    let home = desk.root().join("home");
    let ran = Command::new("/bin/sh")
        .args(["-c", script])
        .arg(desk.binary())
        .current_dir(desk.root().join("shop"))
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::null())
        .output();
    String::from_utf8(ran.expect("a shell").stdout).expect("text")
}

#[test]
fn a_deleted_working_directory_may_be_that_of_any_project() {
    let mut desk = desk();
    assert_eq!(answer_nowhere(&desk), "{}");
    rules(&desk, "on_before_tool:\n  - {action: block_tools, tools: edit}\n");
    assert!(answer_nowhere(&desk).contains("\"deny\""), "the person's own rules");
    fs::remove_file(desk.root().join("home/.config/pacenote/lifecycle.yaml")).expect("rm");
    assert_eq!(answer_nowhere(&desk), "{}");
    trust(&mut desk, PROJECT);
    assert!(answer_nowhere(&desk).contains("\"deny\""), "rules of some project");
}

/// Removes the store with its backups, but not what else is in the data: with a backup left, it
/// would have to be restored first.
fn remove_store(desk: &Desk) {
    fs::remove_dir_all(desk.data().join("backups")).ok();
    for entry in fs::read_dir(desk.data()).expect("data").map(|entry| entry.expect("an entry")) {
        if entry.file_name().to_string_lossy().starts_with("pacenote.db") {
            fs::remove_file(entry.path()).expect("rm");
        }
    }
}

/// Restores the store from before the person trusted anything.
fn restore_store(desk: &mut Desk) {
    desk.unset("PACENOTE_AGENT");
    let restored = desk.run("store restore --anyway");
    assert_eq!(restored.code, "0", "{}", restored.stderr);
    desk.set("PACENOTE_AGENT", "backend");
}

/// What happens to the store of a desk.
type Lose = fn(&mut Desk);

const LOSSES: [(&str, Lose); 3] = [
    ("missing", |desk| remove_store(desk)),
    ("empty", |desk| {
        remove_store(desk);
        desk.go_to("other").run("task add 'Something else'");
        desk.go_to("shop");
    }),
    ("from before", restore_store),
];

fn desk_with_lost_trust(lose: Lose) -> Desk {
    let mut desk = desk();
    desk.run("task add 'Add login'");
    desk.run("store backup");
    trust(&mut desk, PROJECT);
    lose(&mut desk);
    desk
}

#[test]
fn a_store_that_does_not_know_the_trust_opens_no_gate() {
    for (what, lose) in LOSSES {
        let mut desk = desk_with_lost_trust(lose);
        let root = desk.root().join("shop");
        let reason = edit_in(&desk, &root);
        assert!(reason.starts_with("Rules that may refuse this tool"), "{what}: {reason}");
        assert!(reason.contains("shop/.pacenote/lifecycle.yaml"), "{what}: {reason}");
        assert!(reason.contains("(rule `broken-project-rules`"), "{what}: {reason}");
        let read = tool_in(&desk, &root, "Read", &json!({ "file_path": "a.rs" }));
        assert_eq!(read, "(passes)", "{what}");
        let begun = fire(&desk, "session-start", &json!({ "source": "startup" }));
        let notice = begun["systemMessage"].as_str().unwrap_or_default();
        assert!(notice.contains("`pacenote trust revoke` ends its gates"), "{what}: {begun}");
        let has_notes = context(&begun).contains("Add login");
        assert_eq!(has_notes, what == "from before", "{what}: {begun}");
        desk.unset("PACENOTE_AGENT");
        let status = desk.run("trust status");
        assert!(status.stderr.contains("the store does not know"), "{what}: {}", status.stderr);

        let approved = desk.run("trust approve --yes");
        assert_eq!(approved.code, "0", "{what}: {}", approved.stderr);
        assert!(edit_in(&desk, &root).starts_with("not here"), "{what}");
    }
}

#[test]
fn trust_that_the_store_does_not_know_can_be_withdrawn() {
    for (what, lose) in LOSSES {
        let mut desk = desk_with_lost_trust(lose);
        let root = desk.root().join("shop");
        fs::remove_dir_all(root.join(".pacenote")).expect("rm");
        assert_ne!(edit_in(&desk, &root), "(passes)", "{what}");
        let by_agent = desk.run("trust revoke");
        assert_ne!(by_agent.code, "0", "{what}: {}", by_agent.stdout);
        desk.unset("PACENOTE_AGENT");
        let revoked = desk.run("trust revoke --yes");
        assert_eq!(revoked.code, "0", "{what}: {}", revoked.stderr);
        assert_eq!(edit_in(&desk, &root), "(passes)", "{what}");
    }
}

#[test]
fn a_project_that_was_left_gets_no_gate_back() {
    let mut desk = desk();
    trust(&mut desk, PROJECT);
    desk.unset("PACENOTE_AGENT");
    let left = desk.run("uninstall --yes");
    assert_eq!(left.code, "0", "{}", left.stderr);
    let line = "`.pacenote/lifecycle.yaml` of shop is not trusted any more";
    assert!(left.stdout.contains(line), "{}", left.stdout);
    desk.run("work --once");
    assert_eq!(edit_in(&desk, &desk.root().join("shop")), "(passes)");
}

#[test]
fn a_trusted_file_that_is_gone_is_listed() {
    let mut desk = desk();
    trust(&mut desk, PROJECT);
    fs::remove_dir_all(desk.root().join("shop/.pacenote")).expect("rm");
    desk.unset("PACENOTE_AGENT");
    transcript!(desk, ["trust status", "trust approve --yes"], @"
    $ pacenote trust status
    gone  b3-872cfe10637a  .pacenote/lifecycle.yaml
    `.pacenote/lifecycle.yaml` is trusted, the file is gone; `pacenote trust revoke .pacenote/lifecycle.yaml` ends it
    $ pacenote trust approve --yes
    gone  b3-872cfe10637a  .pacenote/lifecycle.yaml
    there is nothing to trust that is not trusted already
    `.pacenote/lifecycle.yaml` is trusted, the file is gone; `pacenote trust revoke .pacenote/lifecycle.yaml` ends it
    ");
    let doctor = desk.run("doctor").stdout;
    let row = doctor.lines().find(|line| line.contains("trusted files: ")).unwrap_or_default();
    insta::assert_snapshot!(row, @"warn  trusted files: `.pacenote/lifecycle.yaml` is trusted and stays in force, but the file is gone");
}
