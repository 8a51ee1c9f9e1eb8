//! Output is plain where nobody asked for colour, and inert where a text tries to be clever.

use crate::desk;

#[test]
fn no_colour_without_a_terminal() {
    let desk = desk();
    let ran = desk.run("task show t-99999");
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
fn completions_are_printed_for_every_shell() {
    let desk = desk();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = desk.run(&format!("completions {shell}"));
        assert_eq!(ran.code, "0");
        assert!(ran.stdout.contains("pacenote"), "{shell}");
    }
}
