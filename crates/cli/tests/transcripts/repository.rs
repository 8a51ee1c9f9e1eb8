//! A repository that somebody else made runs nothing, whatever its `.git` says.

use std::{
    fmt::Write as _,
    fs::{self, File},
    os::unix::fs::PermissionsExt as _,
    path::Path,
    time::{Duration, SystemTime},
};

use pacenote_testkit::desk::{Desk, Ran};
use serde_json::json;

use crate::{
    desk,
    lifecycle::{eventually, fire_in, start},
};

/// Runs git as the person who made the repository.
fn git(desk: &Desk, arguments: &[&str]) {
    let launch = desk
        .launch("git")
        .arguments(["-c", "user.name=Someone", "-c", "user.email=someone@example"])
        .arguments(arguments.iter().copied())
        .variable("GIT_CONFIG_NOSYSTEM", "1")
        // Later than the beginning of any session, so that a handoff names the commit.
        .variable("GIT_COMMITTER_DATE", "@4102444800 +0000");
    let ran = Ran::of(&launch);
    assert_eq!(ran.code, "0", "git {arguments:?}: {}", ran.stderr);
}

/// Returns a desk in a repository with one commit and files in every state.
fn desk_in_repository() -> Desk {
    let mut desk = desk();
    let search = std::env::var("PATH").expect("a path to git");
    desk.set("PATH", &search);
    fs::remove_dir_all(desk.root().join("shop/.git")).expect("no repository");
    git(&desk, &["init", "--initial-branch=fix/login"]);
    for file in ["same.txt", "filtered.txt", "changed.txt", "staged.txt", "gone.txt"] {
        desk.write(file, "one\n");
    }
    desk.write(".gitignore", "/ignored/\n");
    git(&desk, &["add", "."]);
    git(&desk, &["commit", "--message", "Begin"]);
    desk.write("changed.txt", "two, longer\n");
    desk.write("staged.txt", "two, longer\n");
    git(&desk, &["add", "staged.txt"]);
    fs::remove_file(desk.root().join("shop/gone.txt")).expect("a file less");
    desk.write("new.txt", "");
    desk.write("ignored/x.txt", "");
    desk.write("personal.swp", "");
    desk
}

/// Lets a session do one turn, and returns what the worker made of it.
fn handed_on(desk: &Desk) -> String {
    desk.run("task add 'Add login'");
    start(desk, "s-1");
    fire_in(desk, "s-1", "user-prompt-submit", &json!({ "prompt": "go on with the login" }));
    fire_in(desk, "s-1", "pre-tool-use", &json!({ "tool_name": "Read", "tool_input": {} }));
    fire_in(desk, "s-1", "stop", &json!({ "stop_hook_active": false }));
    eventually("the worker's report", || desk.data().join("worker.json").exists());
    eventually("what git says", || {
        desk.run("session handoff show '#1'").stdout.contains("commit: ")
    });
    for command in ["brief", "task list", "skill list", "flow list", "session list", "doctor"] {
        desk.run(command);
    }
    let shown = desk.run("session handoff show '#1'").stdout;
    let (_, facts) = shown.split_once("## Git\n").expect("what git says");
    let facts = facts.split_once("\n## Skills").map_or(facts, |(facts, _)| facts);
    // The commit depends on the moment.
    let is_commit = |word: &&str| word.len() == 7 && word.bytes().all(|b| b.is_ascii_hexdigit());
    let commit = facts.split(['"', ' ']).find(is_commit).expect("a commit");
    facts.replace(commit, "[commit]")
}

const FACTS: &str = r#"
+ branch: "fix/login"
+ commit: "[commit]"

## Commits

+ "[commit] Begin"

## Changed files

+ ".gitattributes"
+ "changed.txt"
+ "gone.txt"
+ "new.txt"
+ "personal.swp"
+ "staged.txt"
"#;

#[test]
fn a_handoff_names_what_git_knows() {
    let desk = desk_in_repository();
    desk.write(".gitattributes", "");
    desk.write("../home/.gitconfig", "[core]\n\texcludesFile = ~/everywhere\n");
    desk.write("../home/everywhere", "*.swp\n");
    assert_eq!(handed_on(&desk).trim(), FACTS.replace("+ \"personal.swp\"\n", "").trim());
}

#[test]
fn files_are_named_as_they_are_and_without_secrets() {
    let desk = desk_in_repository();
    let rest = "k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2";
    for name in ["日本語.md", "naïve file.txt", "a \"b\"\tc", &format!("gh\u{200b}p_{rest}.txt")]
    {
        desk.write(name, "");
        git(&desk, &["add", name]);
    }
    desk.write("日本語.md", "changed");
    let facts = handed_on(&desk);
    let (_, files) = facts.split_once("## Changed files\n").expect("files");
    insta::assert_snapshot!(files.trim(), @r#"
    + "a \"b\" c"
    + "changed.txt"
    + "\[redacted: github-token].txt"
    + "gone.txt"
    + "naïve file.txt"
    + "new.txt"
    + "personal.swp"
    + "staged.txt"
    + "日本語.md"
    "#);
    let stored = fs::read_to_string(desk.data().join("sessions/claude-s-1.jsonl"));
    for text in [facts, stored.unwrap_or_default()] {
        assert!(!text.contains(rest), "{text}");
    }
}

/// Makes a file and the index of one age, so that git has to look into the file.
fn set_times(desk: &Desk, files: &[&str]) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    for file in files {
        let file = File::options().append(true).open(desk.root().join("shop").join(file));
        file.expect("a file").set_modified(time).expect("a time");
    }
}

#[test]
fn no_program_of_a_repository_is_run() {
    let desk = desk_in_repository();
    set_times(&desk, &["same.txt", "filtered.txt"]);
    git(&desk, &["add", "same.txt", "filtered.txt"]);
    let pwned = desk.root().join("pwned");
    fs::create_dir(&pwned).expect("a directory");
    let program = |name: &str| format!("touch {}/{name}; cat", pwned.display());
    let mut config = String::from(
        "[core]\n\tcheckStat = minimal\n\ttrustctime = false\n\tworktree = ../../home\n\
         [extensions]\n\tpartialClone = evil\n\tworktreeConfig = true\n\
         [protocol]\n\tallow = always\n[protocol \"ext\"]\n\tallow = always\n\
         [include]\n\tpath = more\n[submodule]\n\trecurse = true\n[log]\n\tshowSignature = true\n\
         [remote \"evil\"]\n\tpromisor = true\n",
    );
    let programs = [
        ("alias", ["rev-list", "diff-files", "diff-index", "ls-files", "rev-parse"].as_slice()),
        ("core", &["fsmonitor", "pager", "editor", "sshCommand", "gitProxy", "askPass"]),
        ("core", &["alternateRefsCommand", "hooksPathProgram"]),
        ("credential", &["helper"]),
        ("diff", &["external"]),
        ("diff \"evil\"", &["command", "textconv"]),
        ("difftool \"evil\"", &["cmd"]),
        ("filter \"clean\"", &["clean", "smudge"]),
        ("filter \"process\"", &["process"]),
        ("filter \"a=b.c\"", &["clean"]),
        ("gpg", &["program"]),
        ("gpg \"ssh\"", &["defaultKeyCommand", "program"]),
        ("interactive", &["diffFilter"]),
        ("man \"evil\"", &["cmd"]),
        ("merge \"evil\"", &["driver"]),
        ("pager", &["rev-list", "diff-files", "ls-files", "config"]),
        ("remote \"evil\"", &["uploadpack", "receivepack", "vcs"]),
        ("sequence", &["editor"]),
        ("trailer \"evil\"", &["command", "cmd"]),
        ("uploadpack", &["packObjectsHook"]),
    ];
    for (section, keys) in programs {
        for key in keys {
            let name = format!("{section}.{key}").replace(['"', ' '], "");
            let value = if section == "alias" { "!" } else { "" };
            let program = program(&name);
            write!(config, "[{section}]\n\t{key} = \"{value}{program}\"\n").expect("a string");
        }
    }
    let url = format!("ext::sh -c {}% >&2", program("ext").replace(' ', "% "));
    let hooks = desk.root().join("shop/hooks");
    write!(config, "[remote \"evil\"]\n\turl = \"{url}\"\n").expect("a string");
    write!(config, "[core]\n\thooksPath = {}\n", hooks.display()).expect("a string");
    desk.write(".git/config", &config);
    let included = program("included");
    desk.write(".git/more", &format!("[filter \"included\"]\n\tclean = \"{included}\"\n"));
    let of_worktree = program("of-worktree");
    let filter = format!("[filter \"worktree\"]\n\tclean = \"{of_worktree}\"\n");
    desk.write(".git/config.worktree", &filter);
    // The person's own filter is not for strangers either.
    let own = format!("[filter \"own\"]\n\tclean = \"{}\"\n", program("own"));
    desk.write("../home/.gitconfig", &own);
    for directory in [".git/hooks", "hooks"] {
        for hook in ["post-index-change", "fsmonitor-watchman", "pre-auto-gc", "post-checkout"] {
            let path = format!("{directory}/{hook}");
            desk.write(&path, &format!("#!/bin/sh\n{}\n", program(hook)));
            let mode = fs::Permissions::from_mode(0o755);
            fs::set_permissions(desk.root().join("shop").join(path), mode).expect("a program");
        }
    }
    let attributes = |filter: &str| format!("* filter={filter} diff=evil merge=evil\n");
    for filter in ["clean", "process", "a=b.c", "included", "worktree", "own"] {
        desk.write(".gitattributes", &attributes(filter));
        desk.write(".git/info/attributes", &attributes(filter));
        set_times(&desk, &["same.txt", "filtered.txt", ".git/index"]);
        let facts = handed_on(&desk);
        let made: Vec<_> = fs::read_dir(&pwned).expect("a directory").collect();
        assert!(made.is_empty(), "with the filter `{filter}`: {made:?}");
        assert!(facts.contains("changed.txt") && !facts.contains("same.txt"), "{facts}");
        fs::remove_file(desk.data().join("worker.json")).expect("a report");
    }
}

#[test]
fn a_directory_of_a_clone_is_not_shown_another_project() {
    let mut desk = desk();
    desk.run("task add 'Only for the shop'");
    let embedded = "../clone/embedded";
    for git_directory in ["../clone/.git", embedded] {
        desk.write(&format!("{git_directory}/HEAD"), "ref: refs/heads/main\n");
        desk.write(&format!("{git_directory}/objects/keep"), "");
        desk.write(&format!("{git_directory}/refs/keep"), "");
    }
    desk.write(&format!("{embedded}/commondir"), "../../shop/.git\n");
    desk.write("../clone/submodule/.git", "gitdir: ../../shop/.git\n");
    for directory in ["clone/embedded", "clone/submodule"] {
        desk.go_to(directory);
        let here = desk.root().join(directory);
        let event = json!({ "session_id": "s-1", "cwd": here, "source": "startup" });
        let told = desk.run_with_input("hook claude session-start", &event.to_string());
        let said = told.stdout + &desk.run("task list").stdout + &desk.run("brief").stdout;
        assert!(!said.contains("Only for the shop"), "{directory}: {said}");
    }
    desk.go_to("shop");
    assert!(desk.run("task list").stdout.contains("Only for the shop"));
}

#[test]
fn no_git_of_a_repository_is_run() {
    let mut desk = desk_in_repository();
    let pwned = desk.root().join("pwned");
    for place in ["git", "node_modules/.bin/git"] {
        desk.write(place, &format!("#!/bin/sh\ntouch '{}'\n", pwned.display()));
        let path = desk.root().join("shop").join(place);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    }
    let search = std::env::var("PATH").expect("a path to git");
    let bin = desk.root().join("shop/node_modules/.bin");
    desk.set("PATH", &format!(".:{}:{search}", bin.display()));
    let facts = handed_on(&desk);
    assert!(facts.contains("Begin") && !Path::new(&pwned).exists(), "{facts}");
}

#[test]
fn no_shell_finds_a_command_in_a_handoff() {
    let desk = desk_in_repository();
    fs::create_dir(desk.root().join("shop/.pacenote")).expect("a directory");
    git(&desk, &["checkout", "-b", "x;touch${IFS}pwned-branch;true"]);
    desk.write("$(touch pwned-file)", "");
    desk.write("`touch pwned-tick`;touch pwned-semicolon", "");
    let subject = "$(touch pwned-subject) `touch pwned-other`; touch pwned-third # [x](y)";
    git(&desk, &["commit", "--allow-empty", "--message", subject]);
    let facts = handed_on(&desk);
    assert!(facts.contains("pwned-branch") && facts.contains("pwned-file"), "{facts}");
    let text = "touch pwned-1\n\n> pwned-2\n$(touch pwned-3)\n```\ntouch pwned-4\n---\n\"; touch \
                pwned-5; \"\n\\\"; touch pwned-6 #\n<script>\n# x\n!touch pwned-7";
    let words = text.lines().collect::<Vec<_>>();
    let said = json!({ "current_state": text, "next_steps": words, "compact_summary": text,
        "active_task": "; touch pwned-8", "key_decisions": ["touch", "reboot"] });
    desk.run_with_input("session handoff set --session '#1' -", &said.to_string());
    let file = desk.root().join("shop/.pacenote/handoff-1.md");
    let written = fs::read_to_string(&file).expect("a handoff");
    assert!(written.contains("pwned-subject") && written.contains("pwned-8"), "{written}");
    let empty = desk.root().join("empty");
    fs::create_dir(&empty).expect("a directory");
    for (shell, arguments) in
        [("/bin/bash", ["--norc", "--noprofile"].as_slice()), ("/bin/sh", &[])]
    {
        let launch = pacenote_fleet::Launch::new(shell, &empty)
            .arguments(arguments.iter().copied())
            .argument(&file)
            .variable("HOME", &empty)
            .variable("PATH", "/usr/bin:/bin");
        Ran::of(&launch);
        let made: Vec<_> = fs::read_dir(&empty).expect("a directory").flatten().collect();
        assert!(made.is_empty(), "{shell} {arguments:?}: {made:?}\n{written}");
    }
}
