//! Output is plain where nobody asked for colour, and inert where a text tries to be clever.

use crate::desk;

#[test]
fn no_colour_without_a_terminal() {
    let desk = desk();
    let ran = desk.run("task show t-9999999999");
    assert!(!ran.stderr.contains('\u{1b}'), "{:?}", ran.stderr);
}

#[test]
fn bidi_and_hidden_characters_do_not_reach_the_terminal() {
    let desk = desk();
    desk.run_arguments(&["task", "add", "evil \u{202e}txt.exe\u{202c} \u{e0041}hidden"], "");
    let shown = desk.run("task list").stdout;
    assert!(!shown.contains('\u{202e}') && !shown.contains('\u{e0041}'), "{shown:?}");
}

#[test]
fn the_name_of_a_project_stays_in_its_cell() {
    let mut desk = desk();
    desk.run(r#"task add "x""#);
    desk.go_to("evil\u{1b}[31m\n#1  new  urgent  @human");
    desk.run("mail send --to shop:main:bob --subject Hi Hello");
    desk.go_to("shop");
    let shown = desk.run("mail inbox --agent bob").stdout;
    // Such a name leads nowhere, so the message is called by its id.
    assert_eq!(desk.tidy(&shown), "uuid-1  new  normal  @backend  Hi\n");
}

#[test]
fn colour_is_a_matter_of_settings() {
    let mut desk = desk();
    let is_coloured = |desk: &pacenote_testkit::desk::Desk| {
        desk.run("task show t-9999999999").stderr.contains('\u{1b}')
    };
    for (setting, coloured) in [("always", true), ("auto", false), ("never", false)] {
        desk.set("PACENOTE_COLOR", setting);
        assert_eq!(is_coloured(&desk), coloured, "{setting}");
    }
    desk.set("PACENOTE_COLOR", "always").set("NO_COLOR", "1");
    assert!(!is_coloured(&desk), "NO_COLOR wins");
}

#[test]
fn completions_are_printed_for_every_shell() {
    let desk = desk();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = desk.run(&format!("completions {shell}"));
        assert_eq!(ran.code, "0");
        assert!(ran.stdout.contains("pacenote"), "{shell}");
    }
}
