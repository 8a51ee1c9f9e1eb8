//! Setting a client up, and taking it back.

use std::{os::unix::fs::symlink, path::PathBuf};

use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::{desk, transcript};

/// Returns a desk of a person whose pacenote is installed, with a home for Claude Code.
pub(super) fn installed() -> Desk {
    let mut desk = desk();
    desk.unset("PACENOTE_AGENT").install();
    std::fs::create_dir_all(desk.root().join("home/.claude")).expect("a directory");
    desk
}

pub(super) fn settings(desk: &Desk) -> PathBuf {
    desk.root().join("home/.claude/settings.json")
}

pub(super) fn read(path: &std::path::Path) -> String {
    std::fs::read_to_string(path).expect("a file")
}

/// Returns a transcript without the lines of diffs, of which one is shown in full elsewhere.
pub(super) fn without_diff(shown: &str) -> String {
    let is_diff = |line: &&str| {
        let mut starts = ["--- ", "+++ ", "@@ ", "+", "-", " "].into_iter();
        starts.any(|start| line.starts_with(start)) || line.is_empty()
    };
    shown.lines().filter(|line| !is_diff(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_client_is_set_up_shown_and_taken_back() {
    let desk = installed();
    let shown = desk.transcript(&["init --yes", "init --yes", "uninstall --yes"]);
    insta::assert_snapshot!(without_diff(&shown), @r#"
    $ pacenote init --yes
    new directory /desk/shop/.pacenote
    Claude Code calls our hooks now: /desk/home/.claude/settings.json
    the status line of Claude Code shows how the work stands; `init --no-status-line` takes it out
    shop uses pacenote from now on: /desk/shop/.pacenote
    no skills of your own were found; `pacenote doctor` tells what is wrong with any of it
    `pacenote uninstall` takes all of this back
    the next session begins with:
    <pacenote project="shop">
    <identity trust="system">You work in project shop on branch main.</identity>
    <guide trust="system">No task is open. For work of more than one step, add one, because it survives a compaction: `pacenote task add "TITLE"`, then `pacenote task claim ID`. Skills: `pacenote skill search WORDS`.</guide>
    </pacenote>
    $ pacenote init --yes
    Claude Code calls our hooks already: /desk/home/.claude/settings.json
    shop uses pacenote: /desk/shop/.pacenote
    no skills of your own were found; `pacenote doctor` tells what is wrong with any of it
    `pacenote uninstall` takes all of this back
    the next session begins with:
    <pacenote project="shop">
    <identity trust="system">You work in project shop on branch main.</identity>
    <guide trust="system">No task is open. For work of more than one step, add one, because it survives a compaction: `pacenote task add "TITLE"`, then `pacenote task claim ID`. Skills: `pacenote skill search WORDS`.</guide>
    </pacenote>
    $ pacenote uninstall --yes
    delete /desk/shop/.pacenote
    /desk/home/.claude/settings.json is gone again, as before
    shop does not use pacenote any more
    your tasks, mail and receipts stay in /desk/home/.local/share/pacenote; `--purge` deletes them
    "#);
    assert!(!settings(&desk).exists(), "there was none before");
    assert!(!desk.root().join("shop/.pacenote").exists());
    assert!(desk.root().join("home/.claude").exists(), "it was there before");
}

#[test]
fn every_change_is_shown_before_it_is_made() {
    let desk = installed();
    desk.write("../home/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
    let ran = desk.run("init --dry-run");
    let head: Vec<&str> = ran.stdout.lines().take(14).collect();
    insta::assert_snapshot!(desk.tidy(&head.join("\n")), @r#"
    --- /desk/home/.claude/settings.json
    +++ /desk/home/.claude/settings.json
    @@ -1,3 +1,206 @@
     {
    -  "model": "opus"
    +  "model": "opus",
    +  "hooks": {
    +    "SessionStart": [
    +      {
    +        "hooks": [
    +          {
    +            "type": "command",
    +            "command": "/desk/home/.local/bin/pacenote hook claude session-start --part 1/4",
    +            "timeout": 10
    "#);
    assert!(ran.stdout.ends_with("/shop/.pacenote\n"), "{}", ran.stdout);
    assert_eq!(ran.stderr, "nothing was changed\n");
    assert_eq!(read(&settings(&desk)), "{\n  \"model\": \"opus\"\n}\n");
    assert!(!desk.data().exists());
}

#[test]
fn only_a_person_sets_clients_up() {
    let mut desk = installed();
    insta::assert_snapshot!(without_diff(&desk.transcript(&["init"])), @"
    $ pacenote init
    new directory /desk/shop/.pacenote
    error: there is no terminal at which to ask
    hint: `--yes` says yes for the person who runs this
    [exit 1]
    ");
    desk.set("CLAUDECODE", "1");
    let shown = desk.transcript(&["init --yes", "uninstall --yes"]);
    insta::assert_snapshot!(without_diff(&shown), @"
    $ pacenote init --yes
    new directory /desk/shop/.pacenote
    error: only a person can do this, not an agent
    hint: run the same command in a terminal of your own
    [exit 1]
    $ pacenote uninstall --yes
    no client calls our hooks
    your tasks, mail and receipts stay in /desk/home/.local/share/pacenote; `--purge` deletes them
    ");
    assert!(!settings(&desk).exists());
    desk.unset("CLAUDECODE").set("PACENOTE_AGENT", "backend");
    assert_eq!(desk.run("init --yes").code, "1");
}

#[test]
fn what_cannot_be_set_up_is_refused() {
    let desk = installed();
    transcript!(desk, ["init --yes --host claud", "init --yes --scope everywhere"], @"
    $ pacenote init --yes --host claud
    error: no client named `claud` can be set up

    hint: these can: claude, codex, copilot, gemini, opencode, qwen, antigravity
    [exit 1]
    $ pacenote init --yes --scope everywhere
    error: invalid value 'everywhere' for '--scope <SCOPE>'
      [possible values: user, project, local]

    For more information, try '--help'.
    [exit 2]
    ");
    // The test's own binary lies in the directory in which it was built.
    let built = crate::desk();
    let ran = built.run("init --yes --host claude");
    assert_eq!(ran.code, "1");
    assert!(ran.stderr.contains("lies in the build directory"), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint: install it first"), "{}", ran.stderr);

    let mut nobody = crate::desk();
    nobody.unset("PACENOTE_AGENT").install();
    transcript!(nobody, ["init --yes"], @"
    $ pacenote init --yes
    error: no agent client was found here

    hint: name one with `--host`: claude, codex, copilot, gemini, opencode, qwen, antigravity
    [exit 1]
    ");
}

#[test]
fn settings_that_cannot_be_edited_are_left_alone() {
    for (text, said) in [
        ("{ \"hooks\": 7 }", "`hooks` is a number, not an object"),
        ("[]", "the file holds an array, not an object"),
        ("{ \"a\": ", "line 1, column 8 is no JSON"),
        ("{ \"hooks\": {}, \"hooks\": {} }", "`hooks` is there more than once"),
    ] {
        let desk = installed();
        desk.write("../home/.claude/settings.json", text);
        let ran = desk.run("init --yes --host claude");
        assert_eq!(ran.code, "1", "{text}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{text}: {}", ran.stderr);
        assert_eq!(read(&settings(&desk)), text);
        assert!(!desk.root().join("shop/.pacenote").exists(), "nothing was begun");
    }
}

#[test]
fn a_client_with_broken_settings_does_not_keep_others_from_being_set_up() {
    let desk = installed();
    desk.write("../home/.qwen/settings.json", "{ \"hooks\": 7 }");
    let shown = desk.transcript(&["init --yes"]);
    insta::assert_snapshot!(without_diff(&shown), @r#"
    $ pacenote init --yes
    new directory /desk/shop/.pacenote
    Claude Code calls our hooks now: /desk/home/.claude/settings.json
    the status line of Claude Code shows how the work stands; `init --no-status-line` takes it out
    shop uses pacenote from now on: /desk/shop/.pacenote
    no skills of your own were found; `pacenote doctor` tells what is wrong with any of it
    `pacenote uninstall` takes all of this back
    the next session begins with:
    <pacenote project="shop">
    <identity trust="system">You work in project shop on branch main.</identity>
    <guide trust="system">No task is open. For work of more than one step, add one, because it survives a compaction: `pacenote task add "TITLE"`, then `pacenote task claim ID`. Skills: `pacenote skill search WORDS`.</guide>
    </pacenote>
    warning: Qwen Code is left out, for it cannot be set up
    error: `/desk/home/.qwen/settings.json` cannot be edited
    hint: fix it and run this again, or edit it by hand: the client's page in `docs/` shows what belongs there
    "#);
    assert!(read(&settings(&desk)).contains("hook claude session-start"));
    assert_eq!(read(&desk.root().join("home/.qwen/settings.json")), "{ \"hooks\": 7 }");
    // Whoever names it wants it set up, and nothing less.
    let desk = installed();
    desk.write("../home/.qwen/settings.json", "{ \"hooks\": 7 }");
    assert_eq!(desk.run("init --yes --host claude,qwen").code, "1");
    assert!(!settings(&desk).exists());
    // With nobody left there is nothing to do.
    desk.write("../home/.claude/settings.json", "[]");
    let ran = desk.run("init --yes");
    assert_eq!(ran.code, "1");
    assert!(!desk.root().join("shop/.pacenote").exists(), "nothing was begun");
}

#[test]
fn odd_settings_are_kept_byte_for_byte() {
    let long = format!("{{\"notes\": \"{}\"}}", "x".repeat(20_000));
    for text in [
        "",
        "{}",
        "{\n}\n",
        "{\n\t\"model\": \"opus\", // mine\n\t\"env\": { \"A\": \"1\" },\n}\n",
        "\u{feff}{\r\n    \"model\": \"opus\"\r\n}\r\n",
        "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"./mine.sh\"}]}]}}",
        "/* first */ { \"hooks\": { /* none */ } } // last",
        &long,
    ] {
        let desk = installed();
        desk.write("../home/.claude/settings.json", text);
        assert_eq!(desk.run("init --yes --host claude").code, "0", "{text}");
        let registered = read(&settings(&desk));
        assert_eq!(registered.matches("hook claude session-start --part").count(), 4, "{text}");
        // Registering again changes nothing.
        assert_eq!(desk.run("init --yes --host claude").code, "0");
        assert_eq!(read(&settings(&desk)), registered);
        let ran = desk.run("uninstall --yes");
        assert!(ran.stdout.contains("is what it was, byte for byte"), "{text}: {}", ran.stdout);
        assert_eq!(read(&settings(&desk)), text);
    }
}

#[test]
fn only_our_spans_go_from_a_file_that_others_edited() {
    let desk = installed();
    desk.write("../home/.claude/settings.json", "{\n  // mine\n  \"model\": \"opus\"\n}\n");
    desk.run("init --yes --host claude");
    let edited = read(&settings(&desk)).replace("\"opus\"", "\"sonnet\"");
    desk.write("../home/.claude/settings.json", &edited);
    let shown = desk.transcript(&["uninstall --yes"]);
    insta::assert_snapshot!(without_diff(&shown), @"
    $ pacenote uninstall --yes
    delete /desk/shop/.pacenote
    /desk/home/.claude/settings.json was edited since: only what we wrote was cut out
    shop does not use pacenote any more
    your tasks, mail and receipts stay in /desk/home/.local/share/pacenote; `--purge` deletes them
    ");
    assert_eq!(read(&settings(&desk)), "{\n  // mine\n  \"model\": \"sonnet\"\n}\n");
}

#[test]
fn what_was_written_anew_goes_by_its_meaning() {
    let desk = installed();
    desk.write("../home/.claude/settings.json", "{ \"model\": \"opus\" }");
    desk.run("init --yes --host claude");
    let value: Value = serde_json::from_str(&read(&settings(&desk))).expect("JSON");
    desk.write("../home/.claude/settings.json", &value.to_string());
    let shown = desk.transcript(&["uninstall --yes"]);
    insta::assert_snapshot!(without_diff(&shown), @r"
    $ pacenote uninstall --yes
    \ No newline at end of file
    \ No newline at end of file
    delete /desk/shop/.pacenote
    /desk/home/.claude/settings.json was written anew since: our hooks were taken out by their meaning, look at the rest
    shop does not use pacenote any more
    your tasks, mail and receipts stay in /desk/home/.local/share/pacenote; `--purge` deletes them
    ");
    let left: Value = serde_json::from_str(&read(&settings(&desk))).expect("JSON");
    assert_eq!(left, json!({ "model": "opus" }));
}

#[test]
fn hooks_go_even_when_nobody_remembers_them() {
    let desk = installed();
    desk.write("../home/.claude/settings.json", "{}");
    desk.run("init --yes --host claude");
    std::fs::remove_dir_all(desk.data()).expect("to forget");
    assert_eq!(desk.run("uninstall --yes").code, "0");
    assert!(!read(&settings(&desk)).contains("pacenote"));
}

#[test]
fn a_link_stays_a_link_and_a_read_only_file_is_respected() {
    let desk = installed();
    desk.write("../dotfiles/claude.json", "{}\n");
    symlink(desk.root().join("dotfiles/claude.json"), settings(&desk)).expect("a link");
    assert_eq!(desk.run("init --yes --host claude").code, "0");
    assert!(settings(&desk).is_symlink());
    assert!(read(&settings(&desk)).contains("hook claude"));
    desk.run("uninstall --yes");
    assert!(settings(&desk).is_symlink());
    assert_eq!(read(&desk.root().join("dotfiles/claude.json")), "{}\n");

    let real = desk.root().join("dotfiles/claude.json");
    let mut mode = std::fs::metadata(&real).expect("a file").permissions();
    mode.set_readonly(true);
    std::fs::set_permissions(&real, mode).expect("a mode");
    let ran = desk.run("init --yes --host claude");
    assert_eq!(ran.code, "3", "{}", ran.stderr);
    assert!(ran.stderr.contains("is read-only"), "{}", ran.stderr);
    assert_eq!(read(&real), "{}\n");
}

#[test]
fn hooks_are_registered_for_a_person_a_project_or_a_person_in_a_project() {
    let desk = installed();
    for (scope, file) in [
        ("user", "home/.claude/settings.json"),
        ("project", "shop/.claude/settings.json"),
        ("local", "shop/.claude/settings.local.json"),
    ] {
        let ran = desk.run(&format!("init --yes --host claude --scope {scope}"));
        assert_eq!(ran.code, "0", "{}", ran.stderr);
        assert_eq!(ran.stderr.contains("need pacenote at the same path"), scope == "project");
        assert!(read(&desk.root().join(file)).contains("hook claude stop"), "{scope}");
    }
    // One that is meant goes alone, and the project stays in use.
    desk.run("uninstall --yes --scope project");
    assert!(!desk.root().join("shop/.claude/settings.json").exists());
    assert!(desk.root().join("shop/.claude/settings.local.json").exists());
    assert!(desk.root().join("shop/.pacenote").exists());
    // The rest goes from anywhere, for all of it is remembered.
    let mut desk = desk;
    desk.go_to("elsewhere");
    desk.run("uninstall --yes");
    assert!(!desk.root().join("shop/.claude").exists());
    assert!(!settings(&desk).exists());
}

#[test]
fn a_home_is_no_project() {
    let mut desk = installed();
    desk.go_to("home");
    let shown = desk.run("init --yes --host claude").stdout;
    assert!(shown.contains("your home is no project"), "{shown}");
    assert!(!desk.root().join("home/.pacenote").exists());
}

#[test]
fn what_people_keep_in_a_project_stays_and_data_goes_only_when_asked() {
    let desk = installed();
    desk.run("init --yes --host claude");
    desk.run("task add 'Add login'");
    desk.write(".pacenote/LEDGER.md", "# Ours\n");
    let shown = desk.transcript(&["uninstall --yes"]);
    insta::assert_snapshot!(without_diff(&shown), @"
    $ pacenote uninstall --yes
    /desk/home/.claude/settings.json is gone again, as before
    what is in `.pacenote/` of shop is yours and stays; hooks find it there
    your tasks, mail and receipts stay in /desk/home/.local/share/pacenote; `--purge` deletes them
    ");
    assert!(desk.data().join("pacenote.db").exists());
    assert!(desk.root().join("shop/.pacenote/LEDGER.md").exists());

    desk.write("../home/.config/pacenote/config.toml", "");
    desk.write("../home/.local/share/pacenote/theirs.txt", "not ours");
    let ran = desk.run("uninstall --yes --purge");
    assert_eq!(ran.code, "0", "{}", ran.stderr);
    let left: Vec<_> = std::fs::read_dir(desk.data())
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(left, ["theirs.txt"]);
    assert!(!desk.root().join("home/.config/pacenote").exists());
}

#[test]
fn the_command_is_the_path_by_which_it_was_called() {
    let mut desk = installed();
    // As a package manager does it: a stable name that leads to a version.
    let bin = desk.root().join("opt/bin");
    std::fs::create_dir_all(&bin).expect("a directory");
    symlink(desk.root().join("home/.local/bin/pacenote"), bin.join("pacenote")).expect("a link");
    let search = format!("{}:/usr/bin:/bin", bin.display());
    desk.set("PATH", &search);
    let launch = desk.launch("pacenote").arguments(["init", "--yes", "--host", "claude"]);
    let ran = pacenote_testkit::desk::Ran::of(&launch);
    assert_eq!(ran.code, "0", "{}", ran.stderr);
    let called = format!("{}/pacenote hook claude stop", bin.display());
    assert!(read(&settings(&desk)).contains(&called), "{}", read(&settings(&desk)));
}

#[test]
fn programs_read_the_plan_as_json() {
    let desk = installed();
    let plan = desk.run("init --dry-run --json").json();
    assert_eq!(plan["done"], false);
    assert_eq!(plan["changes"][0]["host"], "claude");
    assert_eq!(plan["changes"][0]["scope"], "user");
    let done = desk.run("init --yes --json").json();
    assert_eq!(done["done"], true);
    assert!(done["briefing"].as_str().is_some_and(|text| text.contains("<pacenote")));
    let gone = desk.run("uninstall --yes --json").json();
    assert_eq!(gone["changes"][0]["how"], "restored");
    assert_eq!(desk.run("uninstall --yes --json").json()["changes"], json!([]));
}

#[test]
fn secrets_in_settings_are_neither_shown_nor_kept() {
    let desk = installed();
    let key = ["sk", "ant", "api03", &"a1B2".repeat(23), "AA"].join("-");
    let text = json!({ "env": { "ANTHROPIC_API_KEY": key } }).to_string();
    desk.write("../home/.claude/settings.json", &text);
    let ran = desk.run("init --yes --host claude");
    assert_eq!(ran.code, "0");
    assert!(!ran.stdout.contains(&key), "{}", ran.stdout);
    let kept = desk.data().join("installs");
    for entry in std::fs::read_dir(kept).expect("a directory") {
        assert!(!read(&entry.expect("an entry").path()).contains(&key));
    }
    desk.run("uninstall --yes");
    assert_eq!(read(&settings(&desk)), text);
}

/// Returns every file and directory below a path with its content.
pub(super) fn tree(path: &std::path::Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    let mut waiting = vec![path.to_path_buf()];
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                found.push((path.clone(), None));
                waiting.push(path);
            } else {
                found.push((path.clone(), Some(std::fs::read(&path).expect("a file"))));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_client_is_set_up_and_taken_back_without_a_trace() {
    for (host, places) in [
        ("claude", &["home/.claude/settings.json"][..]),
        ("codex", &["home/.codex/hooks.json"]),
        ("copilot", &["home/.copilot/hooks/pacenote.json"]),
        ("gemini", &["home/.gemini/extensions/pacenote/hooks/hooks.json"]),
        ("opencode", &["home/.config/opencode/plugin/pacenote.js"]),
        ("qwen", &["home/.qwen/settings.json"]),
        ("antigravity", &[]),
    ] {
        let mut desk = desk();
        desk.unset("PACENOTE_AGENT").install();
        let below = |part: &str| tree(&desk.root().join(part));
        let without_data = |found: Vec<(PathBuf, Option<Vec<u8>>)>| {
            found
                .into_iter()
                .filter(|(path, _)| !path.starts_with(desk.root().join("home/.local")))
                .collect::<Vec<_>>()
        };
        let before = (without_data(below("home")), below("shop"));
        let ran = desk.run(&format!("init --yes --host {host}"));
        assert_eq!(ran.code, "0", "{host}: {}", ran.stderr);
        for place in places {
            assert!(desk.root().join(place).exists(), "{host}: {place}");
        }
        let after = without_data(below("home"));
        assert_ne!(after, before.0, "{host}");
        // Again, and nothing changes.
        assert_eq!(desk.run(&format!("init --yes --host {host}")).code, "0");
        assert_eq!(without_data(below("home")), after, "{host}");
        let ran = desk.run("uninstall --yes");
        assert_eq!(ran.code, "0", "{host}: {}", ran.stderr);
        assert_eq!((without_data(below("home")), below("shop")), before, "{host}: {}", ran.stdout);
    }
}

#[test]
fn a_file_of_others_in_our_place_is_left_alone() {
    let desk = installed();
    desk.write("../home/.copilot/hooks/pacenote.json", "{\"theirs\": true}");
    let ran = desk.run("init --yes --host copilot");
    assert_eq!(ran.code, "1", "{}", ran.stderr);
    let path = desk.root().join("home/.copilot/hooks/pacenote.json");
    assert_eq!(read(&path), "{\"theirs\": true}");
    assert_eq!(desk.run("uninstall --yes").code, "0");
    assert_eq!(read(&path), "{\"theirs\": true}");
}

#[test]
fn comments_that_a_client_refuses_are_told() {
    let desk = installed();
    desk.write("../home/.claude/settings.json", "{ \"a\": 1, }");
    let ran = desk.run("init --yes --host claude");
    assert!(ran.stderr.contains("takes nothing of such a file"), "{}", ran.stderr);
    let said = desk.run("doctor").stdout;
    assert!(said.contains("fail  claude settings"), "{said}");
}
