//! Setting clients up and taking that back, where something is in the way.

use std::os::unix::fs::symlink;

use pacenote_testkit::desk::Ran;

use super::init::{installed, read, settings, tree, without_diff};

#[test]
fn a_project_that_is_shared_is_in_use_for_whoever_clones_it() {
    let desk = installed();
    let before = tree(&desk.root().join("shop"));
    let shown = desk.run("init --yes --host claude --scope project").stdout;
    let (_, told) = shown.split_once("new directory").expect("the plan");
    let told: Vec<&str> = told.lines().skip(1).take(5).collect();
    insta::assert_snapshot!(desk.tidy(&told.join("\n")), @"
    --- /dev/null
    +++ /desk/shop/.pacenote/.gitignore
    +# What sessions leave here is for this machine alone.
    +/handoff-*.md
    +/runs/
    ");
    // Git keeps files only, and this is one of them.
    let ignore = desk.root().join("shop/.pacenote/.gitignore");
    assert!(read(&ignore).contains("/handoff-*.md"));
    assert_eq!(desk.run("uninstall --yes").code, "0");
    assert_eq!(tree(&desk.root().join("shop")), before);

    // What people wrote into it is theirs.
    desk.run("init --yes --host claude --scope project");
    std::fs::write(&ignore, "/secrets\n").expect("a file");
    desk.run("uninstall --yes");
    assert_eq!(read(&ignore), "/secrets\n");
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_hooks_in_the_others() {
    let desk = installed();
    desk.run("init --yes --host claude");
    desk.write("../home/.qwen/settings.json", "{ \"model\": oops }");
    let shown = desk.transcript(&["uninstall --yes"]);
    insta::assert_snapshot!(without_diff(&shown), @"
    $ pacenote uninstall --yes
    delete /desk/shop/.pacenote
    /desk/home/.claude/settings.json is gone again, as before
    shop does not use pacenote any more
    your tasks, mail and receipts stay in /desk/home/.local/share/pacenote; `--purge` deletes them
    warning: `/desk/home/.qwen/settings.json` is left as it is
    error: `/desk/home/.qwen/settings.json` cannot be edited
    hint: fix it and run this again, or edit it by hand: the client's page in `docs/` shows what belongs there
    ");
    assert!(!settings(&desk).exists());
}

#[test]
fn data_stays_as_long_as_hooks_cannot_be_taken_out() {
    let desk = installed();
    desk.run("init --yes --host claude");
    let whole = read(&settings(&desk));
    desk.write("../home/.claude/settings.json", &whole.replacen('{', "{ oops", 1));
    let shown = desk.transcript(&["uninstall --yes --purge"]);
    insta::assert_snapshot!(without_diff(&shown), @"
    $ pacenote uninstall --yes --purge
    delete /desk/shop/.pacenote
    shop does not use pacenote any more
    your tasks, mail and receipts stay in /desk/home/.local/share/pacenote; `--purge` deletes them
    warning: `/desk/home/.claude/settings.json` is left as it is
    error: `/desk/home/.claude/settings.json` cannot be edited
    hint: fix it and run this again, or edit it by hand: the client's page in `docs/` shows what belongs there
    error: some of our hooks could not be taken out, so no data was deleted
    hint: mend what is named above, and run this again
    [exit 1]
    ");
    assert!(desk.data().join("pacenote.db").exists());
    desk.write("../home/.claude/settings.json", &whole);
    assert_eq!(desk.run("uninstall --yes --purge").code, "0");
    assert!(!settings(&desk).exists() && !desk.data().exists());
}

#[test]
fn what_a_killed_program_left_is_swept_up() {
    let desk = installed();
    desk.write("../home/.claude/settings.json", "{}\n");
    desk.run("init --yes --host claude");
    for place in ["../home/.claude", "../home/.local/share/pacenote/installs"] {
        desk.write(&format!("{place}/.pacenote-7-0.tmp"), "");
    }
    let ran = desk.run("uninstall --yes");
    assert_eq!(ran.code, "0", "{}", ran.stderr);
    let left: Vec<_> = tree(&desk.root().join("home/.claude"));
    assert_eq!(left, [(settings(&desk), Some(b"{}\n".to_vec()))]);
    let installs = tree(&desk.data().join("installs"));
    assert!(installs.iter().all(|(path, _)| path.ends_with("lock")), "{installs:?}");
}

#[test]
fn two_paths_to_one_file_are_one() {
    // A person who keeps the settings of a client in a repository, and works on that.
    let desk = installed();
    std::fs::remove_dir(desk.root().join("home/.claude")).expect("an empty directory");
    desk.write(".claude/settings.json", "{}\n");
    symlink(desk.root().join("shop/.claude"), desk.root().join("home/.claude")).expect("a link");
    assert_eq!(desk.run("init --yes --host claude").code, "0");
    let ran = desk.run("uninstall --yes");
    assert_eq!(ran.code, "0", "{}", ran.stderr);
    assert_eq!(read(&settings(&desk)), "{}\n");

    // A home that is reached in two ways.
    let mut desk = installed();
    let real = desk.root().join("home").display().to_string();
    let other = desk.root().join("house").display().to_string();
    symlink(&real, &other).expect("a link");
    assert_eq!(desk.set("HOME", &other).run("init --yes --host claude").code, "0");
    let ran = desk.set("HOME", &real).run("uninstall --yes");
    assert_eq!(ran.code, "0", "{}", ran.stderr);
    assert!(ran.stdout.contains("is gone again, as before"), "{}", ran.stdout);
}

#[test]
fn a_command_that_does_more_is_a_persons_own() {
    let desk = installed();
    let own = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"pacenote hook claude stop; /home/me/notify.sh"}]}]}}"#;
    desk.write("../home/.claude/settings.json", own);
    desk.run("uninstall --yes");
    assert_eq!(read(&settings(&desk)), own);
    desk.run("init --yes --host claude");
    assert!(read(&settings(&desk)).contains("notify.sh"));
    desk.run("uninstall --yes");
    assert_eq!(read(&settings(&desk)), own);
}

#[test]
fn a_link_that_led_nowhere_does_so_again() {
    let desk = installed();
    std::fs::create_dir(desk.root().join("dotfiles")).expect("a directory");
    let real = desk.root().join("dotfiles/claude.json");
    symlink(&real, settings(&desk)).expect("a link");
    assert_eq!(desk.run("init --yes --host claude").code, "0");
    assert!(read(&real).contains("hook claude"));
    assert_eq!(desk.run("uninstall --yes").code, "0");
    assert!(settings(&desk).is_symlink() && !real.exists());
}

#[test]
fn hooks_that_are_switched_off_are_told_before_anything_is_done() {
    let desk = installed();
    desk.write(".claude/settings.json", "{\"disableAllHooks\": true}");
    let dry = desk.run("init --dry-run --host claude");
    assert!(dry.stderr.contains("switches every hook off: take it out"), "{}", dry.stderr);
    let ran = desk.run("init --yes --host claude");
    assert!(ran.stdout.contains("Claude Code has our hooks now, and calls none"), "{}", ran.stdout);
}

#[test]
fn a_file_in_the_way_is_named_with_what_to_do() {
    let desk = installed();
    std::fs::remove_dir(desk.root().join("home/.claude")).expect("an empty directory");
    desk.write("../home/.claude", "not a directory");
    let shown = desk.transcript(&["init --yes --host claude"]);
    insta::assert_snapshot!(without_diff(&shown), @"
    $ pacenote init --yes --host claude
    error: cannot open `/desk/home/.claude/settings.json`
    hint: make sure that you may read and write it, and run this again
    [exit 3]
    ");
}

#[test]
fn an_agent_cannot_take_a_project_out_of_use() {
    let mut desk = installed();
    desk.write(".pacenote/.gitignore", "");
    std::fs::remove_file(desk.root().join("shop/.pacenote/.gitignore")).expect("a file");
    let shown = desk.set("CLAUDECODE", "1").transcript(&["uninstall --yes", "uninstall"]);
    insta::assert_snapshot!(without_diff(&shown), @"
    $ pacenote uninstall --yes
    delete /desk/shop/.pacenote
    error: only a person can do this, not an agent
    hint: run the same command in a terminal of your own
    [exit 1]
    $ pacenote uninstall
    delete /desk/shop/.pacenote
    error: only a person can do this, not an agent
    hint: run the same command in a terminal of your own
    [exit 1]
    ");
    assert!(desk.root().join("shop/.pacenote").exists());
}

#[test]
fn directories_that_were_made_go_after_a_second_set_up_too() {
    let desk = installed();
    std::fs::remove_dir(desk.root().join("home/.claude")).expect("an empty directory");
    desk.run("init --yes --host claude");
    // The program moved, by a path that goes through the project.
    std::fs::create_dir_all(desk.root().join("opt/bin")).expect("a directory");
    let moved = desk.root().join("opt/bin/pacenote");
    std::fs::copy(desk.root().join("home/.local/bin/pacenote"), &moved).expect("a copy");
    let detour = desk.root().join("shop/../opt/bin/pacenote");
    let launch = desk.launch(detour).arguments(["init", "--yes", "--host", "claude"]);
    assert_eq!(Ran::of(&launch).code, "0");
    let text = read(&settings(&desk));
    assert!(text.contains("/opt/bin/pacenote hook") && !text.contains(".."), "{text}");
    assert_eq!(desk.run("uninstall --yes").code, "0");
    assert!(!desk.root().join("home/.claude").exists());
}

#[test]
fn many_at_once_set_up_once() {
    let desk = installed();
    std::fs::remove_dir(desk.root().join("home/.claude")).expect("an empty directory");
    let program = desk.root().join("home/.local/bin/pacenote");
    let all = |line: &str| {
        let launch = desk.launch(&program).arguments(line.split(' '));
        std::thread::scope(|scope| {
            let running: Vec<_> = (0..10).map(|_| scope.spawn(|| Ran::of(&launch))).collect();
            running.into_iter().map(|one| one.join().expect("a thread")).collect::<Vec<_>>()
        })
    };
    for ran in all("init --yes --host claude") {
        assert_eq!(ran.code, "0", "{}", ran.stderr);
    }
    assert_eq!(desk.run("doctor --json").json()["checks"][0]["health"], "ok");
    for ran in all("uninstall --yes --purge") {
        assert_eq!(ran.code, "0", "{}", ran.stderr);
    }
    assert!(!desk.root().join("home/.claude").exists());
    assert!(!desk.root().join("shop/.pacenote").exists());
}
