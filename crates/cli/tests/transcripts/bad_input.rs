//! Bad input is refused by type, and nothing is written.

use crate::{desk, transcript};

#[test]
fn names_and_ids() {
    let desk = desk();
    desk.transcript(&[r#"task add "One""#]);
    transcript!(desk, [
        "task show t-9999999999",
        "task show nonsense",
        "task show ../x",
        "task show -- -rf",
        "task show ''",
        "task claim t-1 --agent=-rf",
        "task claim t-1 --agent=--",
        "task claim t-1 --agent ../x",
        "task claim t-1 --agent ''",
        r#"task add "x" --assign "a b""#,
        r#"task add "x" --skill ../../etc/passwd"#,
        r#"task add "x" --parent t-9999999999"#,
        r#"task add "x" --after #9"#,
        r#"task add "x" --key "a b""#,
        "mail send --to ../x --subject Hi Hello",
        "mail send --to a:b:c:d --subject Hi Hello",
        "mail send --to unknown --subject Hi Hello",
        "mail read #9",
        "mail read nonsense",
        "mail reserve ../x",
        "mail reserve /etc/passwd",
        "mail inbox --limit 0",
        "task list --json",
    ], @r#"
    $ pacenote task show t-9999999999
    error: no task `t-2` in this project

    hint: `pacenote task list` shows the ids of this project
    [exit 1]
    $ pacenote task show nonsense
    error: no task `nonsense` in this project
      because a task is named by its id (`t-3`), its number (`#12`), its UUID, its title or its place in the plan (`Task 2`)

    hint: `pacenote task list` shows the ids of this project
    [exit 1]
    $ pacenote task show ../x
    error: no task `../x` in this project
      because a task is named by its id (`t-3`), its number (`#12`), its UUID, its title or its place in the plan (`Task 2`)

    hint: `pacenote task list` shows the ids of this project
    [exit 1]
    $ pacenote task show -- -rf
    error: no task `-rf` in this project
      because a task is named by its id (`t-3`), its number (`#12`), its UUID, its title or its place in the plan (`Task 2`)

    hint: `pacenote task list` shows the ids of this project
    [exit 1]
    $ pacenote task show ''
    error: no task `` in this project
      because a task is named by its id (`t-3`), its number (`#12`), its UUID, its title or its place in the plan (`Task 2`)

    hint: `pacenote task list` shows the ids of this project
    [exit 1]
    $ pacenote task claim t-1 --agent=-rf
    error: `-rf` is not an agent name: 1 to 64 of a-z, 0-9, `.`, `_`, `-`, starting with a letter or digit
    [exit 1]
    $ pacenote task claim t-1 --agent=--
    error: `--` is not an agent name: 1 to 64 of a-z, 0-9, `.`, `_`, `-`, starting with a letter or digit
    [exit 1]
    $ pacenote task claim t-1 --agent ../x
    error: `../x` is not an agent name: 1 to 64 of a-z, 0-9, `.`, `_`, `-`, starting with a letter or digit
    [exit 1]
    $ pacenote task claim t-1 --agent ''
    error: `` is not an agent name: 1 to 64 of a-z, 0-9, `.`, `_`, `-`, starting with a letter or digit
    [exit 1]
    $ pacenote task add "x" --assign "a b"
    error: `a b` is not an agent name: 1 to 64 of a-z, 0-9, `.`, `_`, `-`, starting with a letter or digit
    [exit 1]
    $ pacenote task add "x" --skill ../../etc/passwd
    error: `../../etc/passwd` is not a skill name: letters, digits, `_`, `.`, `-`, with `:` after a plugin and `/` before a nested agent, no part starting with `-` or `.`
    [exit 1]
    $ pacenote task add "x" --parent t-9999999999
    error: no task `t-2` in this project

    hint: `pacenote task list` shows the ids of this project
    [exit 1]
    $ pacenote task add "x" --after #9
    error: no task `#9` in this project

    hint: `pacenote task list` shows the ids of this project
    [exit 1]
    $ pacenote task add "x" --key "a b"
    error: `a b` is not an idempotency key: 1 to 200 printable ASCII characters without spaces
    [exit 1]
    $ pacenote mail send --to ../x --subject Hi Hello
    error: `../x` is not an agent name: 1 to 64 of a-z, 0-9, `.`, `_`, `-`, starting with a letter or digit
    [exit 1]
    $ pacenote mail send --to a:b:c:d --subject Hi Hello
    error: `a:b:c:d` is not an address: `@agent`, `@branch:agent` or `@project:branch:agent`
    [exit 1]
    $ pacenote mail send --to unknown --subject Hi Hello
    error: `unknown` is not an agent: the name is reserved

    hint: `unknown` stands for a caller without a name; use the agent's own name
    [exit 1]
    $ pacenote mail read #9
    error: no message `#9`

    hint: `pacenote mail inbox` lists messages with their numbers
    [exit 1]
    $ pacenote mail read nonsense
    error: no message `nonsense`

    hint: `pacenote mail inbox` lists messages with their numbers
    [exit 1]
    $ pacenote mail reserve ../x
    error: `../x` is not a path pattern: a path inside the project, relative to its root, with `*`, `?` and `**`
    [exit 1]
    $ pacenote mail reserve /etc/passwd
    error: `/etc/passwd` is not a path pattern: a path inside the project, relative to its root, with `*`, `?` and `**`
    [exit 1]
    $ pacenote mail inbox --limit 0
    error: invalid value '0' for '--limit <N>': 0 is not in 1..=200

    For more information, try '--help'.
    [exit 2]
    $ pacenote task list --json
    {
      "tasks": [
        {
          "id": "t-1",
          "uuid": "uuid-1",
          "number": 1,
          "title": "One",
          "state": "open",
          "parent": null,
          "assignee": null,
          "skill": null,
          "plan": null,
          "after": [],
          "reason": null,
          "created": "[moment]",
          "changed": "[moment]"
        }
      ],
      "current": null
    }
    "#);
}

#[test]
fn titles_and_texts() {
    let desk = desk();
    transcript!(desk, [
        "task add ''",
        "task add '   '",
        "task add -- -rf",
        "task add -- --",
        "task add 'two\nlines'",
        "task add 'red \u{1b}[31m'",
        "mail send --to backend --subject '' Hello",
        "mail send --to backend --subject Hi ''",
        "mail inbox --agent backend",
        "task list",
    ], @r#"
    $ pacenote task add ''
    error: the title is empty
    [exit 1]
    $ pacenote task add '   '
    error: the title is empty
    [exit 1]
    $ pacenote task add -- -rf
    error: the title starts with `-`
    [exit 1]
    $ pacenote task add -- --
    error: the title starts with `-`
    [exit 1]
    $ pacenote task add 'two
    lines'
    error: the title holds a control character (U+000A)
    [exit 1]
    $ pacenote task add 'red [31m'
    error: the title holds a control character (U+001B)
    [exit 1]
    $ pacenote mail send --to backend --subject '' Hello
    error: the subject is empty
    [exit 1]
    $ pacenote mail send --to backend --subject Hi ''
    error: the message is empty
    [exit 1]
    $ pacenote mail inbox --agent backend
    no mail
    $ pacenote task list
    no tasks here; `pacenote task add "<title>"` adds one
    "#);
    let megabyte = "x".repeat(100_000);
    let ran = desk.run_arguments(&["task", "add", &megabyte], "");
    assert_eq!(ran.code, "1");
    assert_eq!(ran.stderr, "error: the title is too long: at most 300 characters, found 100000\n");
    let ran = desk.run_arguments(&["task", "import", "/dev/zero"], "");
    assert_eq!(ran.code, "1", "{}", ran.stderr);
    assert!(ran.stderr.contains("not a regular file"), "{}", ran.stderr);
}

#[test]
fn nothing_waits_on_itself() {
    transcript!(desk(), [
        r#"task add "One""#,
        r#"task add "Two" --after t-1"#,
        r#"task add "A step of one" --parent t-1"#,
        "task block t-1 --by t-1",
        "task block t-1 --by t-2",
        "task block t-3 --by t-1",
        r#"task add "Under one, after two" --parent t-1 --after t-2"#,
        "task list --full",
    ], @r#"
    $ pacenote task add "One"
    added t-1 #1 (open) One
    $ pacenote task add "Two" --after t-1
    added t-2 #2 (open) Two
    $ pacenote task add "A step of one" --parent t-1
    added t-3 #3 (open) A step of one
    $ pacenote task block t-1 --by t-1
    error: `t-1` would wait on itself: `t-1` after `t-1`
    [exit 1]
    $ pacenote task block t-1 --by t-2
    error: `t-1` would wait on itself: `t-1` after `t-2` after `t-1`
    [exit 1]
    $ pacenote task block t-3 --by t-1
    error: `t-3` would wait on itself: `t-3` after `t-1` after `t-3`
    [exit 1]
    $ pacenote task add "Under one, after two" --parent t-1 --after t-2
    error: `t-4` would wait on itself: `t-4` after `t-2` after `t-1` after `t-4`
    [exit 1]
    $ pacenote task list --full
    - [ ] t-1 One
        - [ ] t-3 A step of one
    - [ ] t-2 Two (after t-1)

    Nothing is in progress; next is t-1 "One" (0 of 1 step done).
    If you are asked to go on: `pacenote task claim t-1`.
    "#);
}

#[test]
fn a_task_of_another_project() {
    let mut desk = desk();
    transcript!(desk, [r#"task add "Here""#], @r#"
    $ pacenote task add "Here"
    added t-1 #1 (open) Here
    "#);
    desk.go_to("other");
    transcript!(desk, [
        r#"task add "There" --parent t-1"#,
        "task claim t-1",
        "task show t-1",
        "task list",
    ], @r#"
    $ pacenote task add "There" --parent t-1
    error: `t-1` belongs to another project

    hint: run the command in that project's directory
    [exit 1]
    $ pacenote task claim t-1
    error: `t-1` belongs to another project

    hint: run the command in that project's directory
    [exit 1]
    $ pacenote task show t-1
    error: no task `t-1` in this project

    hint: `pacenote task list` shows the ids of this project
    [exit 1]
    $ pacenote task list
    no tasks here; `pacenote task add "<title>"` adds one
    "#);
}

#[test]
fn slips_of_the_hand() {
    transcript!(desk(), [
        "taks list",
        "task lst",
        "task add",
        r#"task add "x" --asign y"#,
        "task list --full --state open",
        "mail send Hello",
    ], @r#"
    $ pacenote taks list
    error: unrecognized subcommand 'taks'

      tip: some similar subcommands exist: 'status', 'task'

    Usage: pacenote <COMMAND>

    For more information, try '--help'.
    [exit 2]
    $ pacenote task lst
    error: unrecognized subcommand 'lst'

      tip: a similar subcommand exists: 'list'

    Usage: pacenote task <COMMAND>

    For more information, try '--help'.
    [exit 2]
    $ pacenote task add
    error: the following required arguments were not provided:
      <TITLE>

    Usage: pacenote task add <TITLE>

    For more information, try '--help'.
    [exit 2]
    $ pacenote task add "x" --asign y
    error: unexpected argument '--asign' found

      tip: a similar argument exists: '--assign'

    Usage: pacenote task add --assign <AGENT> <TITLE>

    For more information, try '--help'.
    [exit 2]
    $ pacenote task list --full --state open
    error: the argument '--full' cannot be used with '--state <STATE>'

    Usage: pacenote task list --full

    For more information, try '--help'.
    [exit 2]
    $ pacenote mail send Hello
    error: the following required arguments were not provided:
      --to <AGENT>
      --subject <TEXT>

    Usage: pacenote mail send --to <AGENT> --subject <TEXT> <BODY>

    For more information, try '--help'.
    [exit 2]
    "#);
}

#[test]
fn invalid_utf_8() {
    use std::os::unix::ffi::OsStrExt as _;
    let desk = desk();
    let launch = pacenote_fleet::Launch::new(env!("CARGO_BIN_EXE_pacenote"), desk.root())
        .arguments(["task", "add"])
        .argument(std::ffi::OsStr::from_bytes(b"caf\xe9"))
        .variable("HOME", desk.root().join("home"));
    let finished = pacenote_fleet::start(&launch, std::time::Duration::from_mins(1)).expect("it");
    assert_eq!(finished.ending, pacenote_fleet::Ending::Exited(2));
    assert!(finished.errors.text().contains("invalid UTF-8"), "{}", finished.errors.text());
    assert!(!desk.data().exists());
}

#[test]
fn plans_without_tasks() {
    let desk = desk();
    desk.write("empty.md", "# Nothing here\n\nJust prose.\n");
    transcript!(desk, ["task import empty.md", "task import missing.md", "task import ."], @"
    $ pacenote task import empty.md
    error: no task heading in `empty.md`

    hint: a plan's tasks are headings such as `### Task 1: Add the login form`
    [exit 1]
    $ pacenote task import missing.md
    error: cannot open `missing.md`
      because No such file or directory (os error 2)
    [exit 1]
    $ pacenote task import .
    error: cannot open `.`: it is a directory, not a regular file
    [exit 1]
    ");
}

#[test]
fn a_refused_command_leaves_no_trace() {
    let mut desk = desk();
    desk.unset("PACENOTE_AGENT").set("CLAUDECODE", "1").set("CLAUDE_CODE_SESSION_ID", "s-1");
    transcript!(desk, [
        "task add ''",
        "task claim t-9999999999",
        "mail send --to backend --subject '' Hello",
        "session list",
        "doctor",
    ], @"
    $ pacenote task add ''
    error: the title is empty
    [exit 1]
    $ pacenote task claim t-9999999999
    error: no task `t-1` in this project

    hint: `pacenote task list` shows the ids of this project
    [exit 1]
    $ pacenote mail send --to backend --subject '' Hello
    error: the subject is empty
    [exit 1]
    $ pacenote session list
    no sessions here yet
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 5)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    ok    store: SQLite 3.54.1, schema 5
    ok    integrity: sound
    warn  backups: none
          hint: `pacenote store backup` makes one now
    ok    session logs: 0
    ok    project: shop at /desk/shop, main
    warn  in use: pacenote was not used in this project yet, so hooks say nothing in it
          hint: `pacenote init` takes it into use
    ok    rules: 13 in force
    ");
}
