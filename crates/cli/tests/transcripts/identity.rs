//! Who is calling: never from an argument.

use pacenote_fleet::{Launch, start};
use std::time::Duration;

use crate::{desk, transcript};

const SEND: &str = r#"mail send --to backend --subject Hi "Hello""#;

#[test]
fn an_agent_a_session_or_nobody_but_never_the_person() {
    let mut desk = desk();
    desk.set("PACENOTE_AGENT", "Frontend");
    transcript!(desk, [SEND], @r#"
    $ pacenote mail send --to backend --subject Hi "Hello"
    sent #1 from @frontend to @backend
    "#);
    desk.unset("PACENOTE_AGENT");
    desk.set("CLAUDECODE", "1").set("CLAUDE_CODE_SESSION_ID", "s-77");
    transcript!(desk, [SEND, "mail inbox --agent backend", "session list"], @r#"
    $ pacenote mail send --to backend --subject Hi "Hello"
    sent #2 from @claude-s77 to @backend
    $ pacenote mail inbox --agent backend
    #2  new  normal  @claude-s77  Hi
    #1  new  normal  @frontend    Hi
    $ pacenote session list
    #1  active  epoch 0  [moment]  @claude-s77  claude s-77
    "#);
    desk.unset("CLAUDE_CODE_SESSION_ID");
    transcript!(desk, [SEND, "mail inbox", r#"task add "x""#, "task claim #1"], @r#"
    $ pacenote mail send --to backend --subject Hi "Hello"
    sent #3 from @unknown to @backend
    $ pacenote mail inbox
    error: it cannot be told who is calling

    hint: say who with `--agent NAME`, or set `PACENOTE_AGENT`
    [exit 1]
    $ pacenote task add "x"
    added t-1 #1 (open) x
    $ pacenote task claim #1
    error: it cannot be told who is calling

    hint: say who with `--agent NAME`, or set `PACENOTE_AGENT`
    [exit 1]
    "#);
}

#[test]
fn reserved_names_are_not_taken() {
    let mut desk = desk();
    desk.set("PACENOTE_AGENT", "human");
    transcript!(desk, [SEND], @r#"
    $ pacenote mail send --to backend --subject Hi "Hello"
    error: `PACENOTE_AGENT` is wrong: `human` is reserved

    hint: only a terminal outside any agent speaks for the person
    [exit 1]
    "#);
    desk.set("PACENOTE_AGENT", "unknown");
    transcript!(desk, [SEND], @r#"
    $ pacenote mail send --to backend --subject Hi "Hello"
    error: `PACENOTE_AGENT` is wrong: `unknown` is reserved

    hint: `unknown` stands for a caller without a name; use the agent's own name
    [exit 1]
    "#);
    desk.set("PACENOTE_AGENT", "-rf");
    transcript!(desk, [SEND], @r#"
    $ pacenote mail send --to backend --subject Hi "Hello"
    error: `PACENOTE_AGENT` is wrong: `-rf` is not an agent name: 1 to 64 of a-z, 0-9, `.`, `_`, `-`, starting with a letter or digit
    [exit 1]
    "#);
}

/// Runs the binary without any controlling terminal, or at one of its own.
fn under(desk: &pacenote_testkit::desk::Desk, wrapper: &[&str], inside: bool) -> String {
    let binary = env!("CARGO_BIN_EXE_pacenote");
    let line = "mail send --to backend --subject Hi Hello --json";
    let mut launch = Launch::new(wrapper[0], desk.root().join("shop"))
        .arguments(wrapper.iter().skip(1).copied())
        .variable("PATH", "/usr/bin:/bin")
        .variable("HOME", desk.root().join("home"));
    launch = if wrapper[0] == "script" {
        launch.argument(format!("{binary} {line}")).argument("/dev/null")
    } else {
        launch.argument(binary).arguments(line.split(' '))
    };
    if inside {
        launch = launch.variable("CLAUDECODE", "1");
    }
    let finished = start(&launch, Duration::from_mins(1)).expect("the wrapper");
    finished.output.text().into_owned()
}

#[test]
fn only_a_terminal_outside_any_agent_speaks_for_the_person() {
    let desk = desk();
    let person = under(&desk, &["script", "--quiet", "--return", "--command"], false);
    assert!(
        person.contains(r#""from": "human""#) && person.contains(r#""trust": "user""#),
        "{person}"
    );
    let agent = under(&desk, &["script", "--quiet", "--return", "--command"], true);
    assert!(
        agent.contains(r#""from": "unknown""#) && agent.contains(r#""trust": "agent""#),
        "{agent}"
    );
    let nobody = under(&desk, &["setsid", "--wait"], false);
    assert!(nobody.contains(r#""from": "unknown""#), "{nobody}");
}
