//! What a cloned repository puts in our way: links, pipes and files under every name that we use.
//! Nothing of ours changes a byte outside the project because of it.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use pacenote_testkit::desk::Desk;
use proptest::prelude::*;
use serde_json::json;

use crate::{
    desk,
    lifecycle::{eventually, fire_in, start},
    transcript,
};

/// Every path below a project that we write, or that stands above one.
const NAMES: [&str; 26] = [
    ".agents",
    ".agents/skills",
    ".claude",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/skills",
    ".claude/skills/mine",
    ".claude/skills/mine/SKILL.md",
    ".claude/skills/writing-plans",
    ".codex",
    ".codex/hooks.json",
    ".github",
    ".github/hooks",
    ".opencode",
    ".opencode/plugins",
    ".pacenote",
    ".pacenote/.gitignore",
    ".pacenote/handoff-1.md",
    ".pacenote/handoff-2.md",
    ".pacenote/runs",
    ".pacenote/runs/.gitignore",
    ".pacenote/runs/1",
    ".pacenote/skills.lock",
    ".pacenote/workflows",
    ".qwen",
    ".qwen/settings.json",
];

/// What links lead to, from the directory above the project.
const VICTIMS: [&str; 6] =
    ["home", "home/.bashrc", "outside", "outside/file", "outside/directory", "outside/new"];

/// What stands under a name.
#[derive(Clone, Copy, Debug)]
enum Obstacle {
    Directory,
    File,
    Pipe,
    Link(&'static str),
    AbsoluteLink(&'static str),
}

fn obstacle() -> impl Strategy<Value = (&'static str, Obstacle)> {
    let victim = || prop::sample::select(VICTIMS.to_vec());
    let obstacle = prop_oneof![
        1 => Just(Obstacle::Directory),
        1 => Just(Obstacle::File),
        1 => Just(Obstacle::Pipe),
        6 => victim().prop_map(Obstacle::Link),
        1 => victim().prop_map(Obstacle::AbsoluteLink),
    ];
    (prop::sample::select(NAMES.to_vec()), obstacle)
}

/// Puts an obstacle below the project. What another obstacle makes impossible is skipped.
fn place(desk: &Desk, name: &str, obstacle: Obstacle) {
    let project = desk.root().join("shop");
    let mut above = project.clone();
    for directory in Path::new(name).parent().into_iter().flat_map(Path::components) {
        above.push(directory);
        fs::create_dir(&above).ok();
        // Whatever is made behind a link is not what the clone brought.
        if !fs::symlink_metadata(&above).is_ok_and(|found| found.is_dir()) {
            return;
        }
    }
    let path = project.join(name);
    match obstacle {
        Obstacle::Directory => fs::create_dir(&path).ok(),
        Obstacle::File => fs::File::create_new(&path).ok().map(drop),
        Obstacle::Pipe => desk_pipe(desk, &path),
        Obstacle::Link(victim) => {
            let up = "../".repeat(Path::new(name).components().count());
            symlink(format!("{up}{victim}"), &path).ok()
        }
        Obstacle::AbsoluteLink(victim) => symlink(desk.root().join(victim), &path).ok(),
    };
}

fn desk_pipe(desk: &Desk, path: &Path) -> Option<()> {
    let launch = desk.launch("/usr/bin/mkfifo").arguments([path.display().to_string()]);
    pacenote_fleet::start(&launch, std::time::Duration::from_mins(1)).ok().map(drop)
}

/// Returns everything outside the project and our own data: names, links and contents.
fn outside(desk: &Desk) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![desk.root().to_owned()];
    let skipped = [desk.root().join("shop"), desk.data()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).expect("a directory").flatten() {
            let path = entry.path();
            let kind = entry.file_type().expect("a kind");
            if skipped.contains(&path) {
                continue;
            }
            let content = if kind.is_file() {
                fs::read(&path).expect("a file")
            } else if kind.is_symlink() {
                fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes()
            } else {
                waiting.push(path.clone());
                Vec::new()
            };
            found.insert(path, content);
        }
    }
    found
}

/// Sets up a person who has the program installed, with files that are none of a project's business.
fn victim() -> Desk {
    let desk = Desk::with_installed(env!("CARGO_BIN_EXE_pacenote"));
    for file in ["home/.bashrc", "outside/file", "outside/directory/file"] {
        desk.write(&format!("../{file}"), "theirs\n");
    }
    // The parents of our data would otherwise appear.
    fs::create_dir_all(desk.data()).expect("a directory");
    desk
}

/// Does everything by which something may be written below a project.
fn do_everything(desk: &Desk) {
    desk.run("task add 'Add login'");
    for session in ["s-1", "s-2"] {
        fire_in(desk, session, "session-start", &json!({ "source": "startup" }));
        fire_in(desk, session, "user-prompt-submit", &json!({ "prompt": "go on with it" }));
        fire_in(desk, session, "stop", &json!({ "stop_hook_active": false }));
    }
    for line in [
        "work --once",
        "session handoff set handoff.json --session '#1'",
        "flow start codebase-analysis --param 'question=What is this?'",
        "skill new mine",
        "skill eject writing-plans",
        "skill lock test-driven-development",
        "init --scope project --host claude,codex,qwen,opencode,copilot --yes",
        "init --scope local --host claude --yes",
        "uninstall --yes",
        "work --once",
    ] {
        let ran = desk.run(line);
        assert!(ran.code != "70" && !ran.stderr.contains("panicked"), "{line}: {}", ran.stderr);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn nothing_outside_a_project_changes_whatever_stands_in_it(
        obstacles in prop::collection::vec(obstacle(), 1..8),
    ) {
        let desk = victim();
        for (name, obstacle) in &obstacles {
            place(&desk, name, *obstacle);
        }
        fs::create_dir(desk.root().join("shop/.pacenote")).ok();
        desk.write("handoff.json", "{ \"notes\": [\"hello\"] }");
        let before = outside(&desk);
        do_everything(&desk);
        prop_assert_eq!(outside(&desk), before);
    }
}

#[test]
fn a_clone_with_links_in_place_of_handoffs_overwrites_nothing_in_one_turn() {
    let mut desk = victim();
    // The person uses pacenote, but never in this project.
    desk.go_to("other").run("task add 'Add login'");
    desk.go_to("shop");
    for number in 1..=3 {
        place(&desk, &format!(".pacenote/handoff-{number}.md"), Obstacle::Link("home/.bashrc"));
    }
    let before = outside(&desk);
    start(&desk, "s-1");
    fire_in(&desk, "s-1", "user-prompt-submit", &json!({ "prompt": "what is this?" }));
    fire_in(&desk, "s-1", "stop", &json!({ "stop_hook_active": false }));
    let report = desk.data().join("worker.json");
    eventually("the worker's report", || report.exists());
    assert_eq!(outside(&desk), before);
    // The person learns of it, and the handoff itself is in the store.
    let report = desk.tidy(&fs::read_to_string(&report).expect("a report"));
    assert!(
        report.contains(
            "the handoff of session #1 has no file: cannot open `/desk/shop/.pacenote/handoff-1.md`"
        ),
        "{report}"
    );
    assert!(desk.run("doctor").stdout.contains("handoff-1.md"));
    assert_eq!(desk.run("session handoff show '#1'").code, "0");
}

#[test]
fn commands_refuse_to_write_through_a_link_and_name_it() {
    let desk = desk();
    place(&desk, ".claude/skills", Obstacle::Link("outside"));
    place(&desk, ".pacenote/runs", Obstacle::Link("outside"));
    place(&desk, ".pacenote/skills.lock", Obstacle::Link("outside/lock"));
    desk.write("../outside/kept", "theirs");
    place(&desk, "figures.jsonl", Obstacle::Link("outside/figures"));
    desk.write("set/docs.jsonl", r#"{"id":"a","name":"a","description":"about a","body":"b"}"#);
    desk.write("set/queries.jsonl", r#"{"qid":"1","query":"about a","relevant":["a"]}"#);
    transcript!(
        desk,
        [
            "skill new mine",
            "skill eject writing-plans",
            "skill lock test-driven-development",
            "bench skills --set set --out figures.jsonl",
        ],
        @r"
        $ pacenote skill new mine
        error: cannot use `/desk/shop/.claude/skills` as a directory: it is a symbolic link

        hint: put a directory in its place, or remove it: nothing is written through links below a project
        [exit 1]
        $ pacenote skill eject writing-plans
        error: cannot use `/desk/shop/.claude/skills` as a directory: it is a symbolic link

        hint: put a directory in its place, or remove it: nothing is written through links below a project
        [exit 1]
        $ pacenote skill lock test-driven-development
        error: `/desk/shop/.pacenote/skills.lock` cannot be read
          because cannot open `/desk/shop/.pacenote/skills.lock`: it is a symbolic link, not a regular file

        hint: fix it, or `git checkout -- .pacenote/skills.lock` brings back the committed one
        [exit 1]
        $ pacenote bench skills --set set --out figures.jsonl
        error: cannot open `/desk/shop/figures.jsonl`: it is a symbolic link, not a regular file

        hint: put the file itself in its place, or remove it: this link is not followed
        [exit 1]
        "
    );
    let started = desk.run("flow start codebase-analysis --param 'question=What is this?'");
    insta::assert_snapshot!(desk.tidy(&started.stderr), @"warning: there is no directory for reports: cannot use `/desk/shop/.pacenote/runs` as a directory: it is a symbolic link");
    assert_eq!(started.code, "0");
    let left: Vec<_> = fs::read_dir(desk.root().join("outside")).expect("a list").collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn project_settings_behind_a_link_are_neither_shown_nor_edited() {
    let desk = Desk::with_installed(env!("CARGO_BIN_EXE_pacenote"));
    desk.write("../outside/settings.json", "{ \"token\": \"private\" }");
    place(&desk, ".claude/settings.json", Obstacle::Link("outside/settings.json"));
    place(&desk, ".codex", Obstacle::Link("outside"));
    transcript!(
        desk,
        [
            "init --scope project --host claude --yes",
            "init --scope project --host codex --yes",
            "uninstall --host claude --yes",
        ],
        @r"
        $ pacenote init --scope project --host claude --yes
        error: cannot open `/desk/shop/.claude/settings.json`: it is a symbolic link, not a regular file

        hint: put the file itself in its place, or remove it: this link is not followed
        [exit 1]
        $ pacenote init --scope project --host codex --yes
        error: cannot use `/desk/shop/.codex` as a directory: it is a symbolic link

        hint: put a directory in its place, or remove it: nothing is written through links below a project
        [exit 1]
        $ pacenote uninstall --host claude --yes
        no client calls our hooks
        your tasks, mail and receipts stay in /desk/home/.local/share/pacenote; `--purge` deletes them
        "
    );
    let kept = fs::read_to_string(desk.root().join("outside/settings.json")).expect("a file");
    assert_eq!(kept, "{ \"token\": \"private\" }");
}
