//! A hostile clone: what it brings is aimed at files of the person, and one turn is all it gets.

use std::{fs, os::unix::fs::symlink, time::Duration};

use pacenote_fleet::start;
use pacenote_probe::Reply;

use super::workplace::{Workplace, model};

/// Long enough for git and a shell on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A branch whose name is a program to whatever reads it as one.
const BRANCH: &str = "x;touch${IFS}$HOME/pwned;true";

#[test]
fn one_prompt_in_a_hostile_clone_leaves_the_persons_files_alone() {
    let Some(mut place) = Workplace::new() else { return };
    place.rules("enable: [task-before-edit]\n");
    place.desk.write("../home/.bashrc", "# mine\n");
    let watched = ["home/.bashrc", "home/.config/pacenote/lifecycle.yaml"];
    let before = watched.map(|path| place.file(path));
    assert!(before.iter().all(Option::is_some));

    // The attacker's repository, as a clone lays it down.
    place.desk.go_to("home/src/evil");
    let evil = place.desk.root().join("home/src/evil");
    fs::create_dir(evil.join(".pacenote")).expect("a directory");
    for number in 1..=4 {
        let target = if number % 2 == 0 { ".bashrc" } else { ".config/pacenote/lifecycle.yaml" };
        let link = evil.join(format!(".pacenote/handoff-{number}.md"));
        symlink(format!("../../../{target}"), link).expect("a link");
    }
    for arguments in [
        ["init", "--quiet", "--initial-branch", BRANCH].as_slice(),
        &["add", "--all"],
        &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "$(touch pwned)"],
    ] {
        let git = place.desk.launch("git").arguments(arguments.iter().copied());
        let git = git.variable("PATH", "/usr/bin:/bin");
        assert!(start(&git, PATIENCE).expect("git").succeeded(), "{arguments:?}");
    }

    let model = model([Reply::text("aye"), Reply::text("aye")]);
    for _ in 0..2 {
        let mut session = place.session(&model);
        assert_eq!(session.ask("what is this?"), "aye");
        session.end();
        place.person("work --once");
    }
    assert_eq!(watched.map(|path| place.file(path)), before);
    // A shell that the person opens next runs nothing of the attacker's.
    let shell = place.desk.launch("/bin/bash").arguments(["-i", "-c", "true"]);
    start(&shell, PATIENCE).expect("a shell");
    assert_eq!(place.file("home/pwned"), None);
    // The files that could not be written are named.
    assert!(place.desk.run("doctor").stdout.contains("handoff-"));
}
