use proptest::prelude::*;

use super::*;

#[test]
fn only_what_a_shell_would_misread_is_quoted() {
    for (word, written) in [
        ("/usr/local/bin/pacenote", "/usr/local/bin/pacenote"),
        ("--part", "--part"),
        ("1/4", "1/4"),
        ("/opt/g++-1.0/pacenote", "/opt/g++-1.0/pacenote"),
        ("", "''"),
        ("/My Programs/pacenote", "'/My Programs/pacenote'"),
        ("/home/o'hara/pacenote", r"'/home/o'\''hara/pacenote'"),
        ("/a$HOME/`id`/\"x\"/pacenote", "'/a$HOME/`id`/\"x\"/pacenote'"),
        ("/home/zoë/pacenote", "'/home/zoë/pacenote'"),
        ("~/pacenote", "'~/pacenote'"),
        ("a=b", "'a=b'"),
        ("two\nlines\\", "'two\nlines\\'"),
    ] {
        assert_eq!(quoted(word), written);
    }
}

#[test]
fn our_calls_are_known_again() {
    for (command, program, rest) in [
        ("/usr/bin/pacenote hook claude stop", "/usr/bin/pacenote", "claude stop"),
        ("pacenote hook codex stop --part 1/4", "pacenote", "codex stop --part 1/4"),
        ("'/My Programs/pacenote'  hook\tclaude stop", "/My Programs/pacenote", "claude stop"),
        (r#""/My Programs/pacenote" hook claude stop"#, "/My Programs/pacenote", "claude stop"),
        (r"/My\ Programs/pacenote hook claude stop", "/My Programs/pacenote", "claude stop"),
        (r#""$HOME/bin/pacenote" hook claude stop"#, "$HOME/bin/pacenote", "claude stop"),
        ("  ./pacenote hook claude", "./pacenote", "claude"),
        ("pacenote 'hook' \"claude\" stop || true", "pacenote", "claude stop || true"),
        (
            "pacenote hook claude stop 2>/dev/null ; exit 0\n",
            "pacenote",
            "claude stop 2>/dev/null ; exit 0",
        ),
        ("'/a;b & (c)/pacenote' hook claude stop", "/a;b & (c)/pacenote", "claude stop"),
    ] {
        let call = Call::in_shell(command).expect(command);
        assert_eq!((call.program.as_str(), call.words[1..].join(" ").as_str()), (program, rest));
    }
}

#[test]
fn other_commands_are_not_ours() {
    for command in [
        "",
        "pacenote",
        "pacenote hook",
        "pacenote hook ''",
        "pacenote brief",
        "pacenote-notify hook claude stop",
        "/usr/bin/notpacenote hook claude stop",
        "/opt/pacenote/bin/other hook claude stop",
        "echo pacenote hook claude stop",
        "'pacenote hook claude stop'",
        "/My Programs/pacenote hook claude stop",
        "'pacenote",
        // What a person made of it does more, and is theirs.
        "pacenote hook claude stop; /home/me/notify.sh",
        "pacenote hook claude stop;notify",
        "pacenote hook claude stop && echo done",
        "pacenote hook claude stop | tee log",
        "pacenote hook claude stop > notes",
        "pacenote hook claude stop &",
        "pacenote hook claude stop\nnotify",
        "pacenote hook claude $(notify)",
        "pacenote hook claude \"`notify`\"",
        "pacenote hook claude stop || notify || true",
    ] {
        assert_eq!(Call::in_shell(command), None, "{command}");
    }
}

/// Asks a real shell what words a command line has.
#[expect(clippy::disallowed_methods, reason = "the law is about what a shell does")]
fn words_of_a_shell(line: &str) -> Vec<String> {
    let script = format!(r"printf '%s\0' {line}");
    let output = std::process::Command::new("/bin/sh").args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{line}");
    let printed = String::from_utf8(output.stdout).unwrap();
    printed.split_terminator('\0').map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_shell_reads_back_what_was_quoted(
        written in prop::collection::vec(r#"[^\x00]{0,12}|[ '"$`\\*~!;&|<>(){}#a-z/\n\t=-]{0,12}"#, 1..12),
    ) {
        let line = written.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(&words_of_a_shell(&line), &written);
        prop_assert_eq!(&words(&line), &written);
    }

    #[test]
    fn any_command_is_read(command in r#"[^\x00]{0,60}|[ '"\\a-z/]{0,60}"#) {
        words(&command);
        Call::in_shell(&command);
    }
}

#[test]
fn what_is_plainly_for_a_host() {
    for (command, is) in [
        ("/bin/pacenote hook copilot session-start", true),
        ("'/a b/pacenote' hook copilot session-start", true),
        ("/bin/pacenote hook claude session-start", false),
        ("/bin/pacenote hook copilot", false),
        ("/bin/pacenote hook copilot session-start --part 1/4", false),
        ("/bin/pacenote hook copilot session-start; lint", false),
        ("/bin/pacenote hook copilot session-start;lint", false),
        ("/bin/pacenote hook copilot $(lint)", false),
    ] {
        let is_plain = |call: Call| call.is_plainly_for("copilot");
        assert_eq!(Call::in_shell(command).is_some_and(is_plain), is, "{command}");
    }
}
