//! `pacenote doctor`.

use crate::{desk, transcript};

#[test]
fn before_and_after_the_first_task() {
    let desk = desk();
    transcript!(desk, ["doctor", r#"task add "x""#, "doctor", "doctor --json"], @r#"
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 4)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    ok    store: none yet; the first command that writes makes it at `/desk/home/.local/share/pacenote/pacenote.db`
    ok    session logs: 0
    ok    project: shop at /desk/shop, main
    warn  in use: pacenote was not used in this project yet, so hooks say nothing in it
          hint: `pacenote init` takes it into use
    ok    rules: 12 in force
    $ pacenote task add "x"
    added t-1 #1 (open) x
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 4)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    ok    store: SQLite 3.54.1, schema 4
    ok    integrity: sound
    ok    backups: 1, newest of [moment]
    ok    session logs: 0
    ok    project: shop at /desk/shop, main
    ok    in use: 1 task, 0 sessions
    ok    rules: 12 in force
    $ pacenote doctor --json
    {
      "healthy": true,
      "checks": [
        {
          "name": "pacenote",
          "health": "ok",
          "found": "0.1.0 (schema 4)",
          "hint": null
        },
        {
          "name": "settings",
          "health": "ok",
          "found": "sound",
          "hint": null
        },
        {
          "name": "data directory",
          "health": "ok",
          "found": "/desk/home/.local/share/pacenote",
          "hint": null
        },
        {
          "name": "store",
          "health": "ok",
          "found": "SQLite 3.54.1, schema 4",
          "hint": null
        },
        {
          "name": "integrity",
          "health": "ok",
          "found": "sound",
          "hint": null
        },
        {
          "name": "backups",
          "health": "ok",
          "found": "1, newest of [moment]",
          "hint": null
        },
        {
          "name": "session logs",
          "health": "ok",
          "found": "0",
          "hint": null
        },
        {
          "name": "project",
          "health": "ok",
          "found": "shop at /desk/shop, main",
          "hint": null
        },
        {
          "name": "in use",
          "health": "ok",
          "found": "1 task, 0 sessions",
          "hint": null
        },
        {
          "name": "rules",
          "health": "ok",
          "found": "12 in force",
          "hint": null
        }
      ],
      "capabilities": [
        {
          "host": "claude",
          "event": "session-start",
          "names": [
            "SessionStart"
          ],
          "context": true,
          "verdict": null,
          "input": false,
          "remark": "each part is a hook of its own, and they arrive in any order"
        },
        {
          "host": "claude",
          "event": "prompt",
          "names": [
            "UserPromptSubmit"
          ],
          "context": true,
          "verdict": null,
          "input": false,
          "remark": null
        },
        {
          "host": "claude",
          "event": "before-tool",
          "names": [
            "PreToolUse"
          ],
          "context": true,
          "verdict": "deny",
          "input": true,
          "remark": "the new input replaces the whole one and needs permission"
        },
        {
          "host": "claude",
          "event": "after-tool",
          "names": [
            "PostToolUse",
            "PostToolUseFailure"
          ],
          "context": true,
          "verdict": null,
          "input": false,
          "remark": null
        },
        {
          "host": "claude",
          "event": "todos",
          "names": [
            "TaskCreated",
            "TaskCompleted"
          ],
          "context": false,
          "verdict": null,
          "input": false,
          "remark": "context is lost"
        },
        {
          "host": "claude",
          "event": "pre-compact",
          "names": [
            "PreCompact"
          ],
          "context": false,
          "verdict": null,
          "input": false,
          "remark": "printed text would become the summariser's instructions"
        },
        {
          "host": "claude",
          "event": "post-compact",
          "names": [
            "PostCompact"
          ],
          "context": false,
          "verdict": null,
          "input": false,
          "remark": "printed text is for the person; a session start follows"
        },
        {
          "host": "claude",
          "event": "stop",
          "names": [
            "Stop"
          ],
          "context": false,
          "verdict": "go on",
          "input": false,
          "remark": "context would keep the agent going; it waits for the next prompt"
        },
        {
          "host": "claude",
          "event": "subagent-start",
          "names": [
            "SubagentStart"
          ],
          "context": true,
          "verdict": null,
          "input": false,
          "remark": null
        },
        {
          "host": "claude",
          "event": "subagent-stop",
          "names": [
            "SubagentStop"
          ],
          "context": false,
          "verdict": "go on",
          "input": false,
          "remark": "context is lost"
        },
        {
          "host": "claude",
          "event": "session-end",
          "names": [
            "SessionEnd"
          ],
          "context": false,
          "verdict": null,
          "input": false,
          "remark": "nobody reads the answer"
        },
        {
          "host": "shell",
          "event": "session-start",
          "names": [
            "session-start"
          ],
          "context": true,
          "verdict": null,
          "input": false,
          "remark": null
        },
        {
          "host": "shell",
          "event": "prompt",
          "names": [
            "prompt"
          ],
          "context": true,
          "verdict": null,
          "input": false,
          "remark": null
        },
        {
          "host": "shell",
          "event": "before-tool",
          "names": [
            "before-tool"
          ],
          "context": true,
          "verdict": "deny",
          "input": false,
          "remark": null
        },
        {
          "host": "shell",
          "event": "after-tool",
          "names": [
            "after-tool"
          ],
          "context": true,
          "verdict": null,
          "input": false,
          "remark": null
        },
        {
          "host": "shell",
          "event": "todos",
          "names": [
            "todos"
          ],
          "context": false,
          "verdict": null,
          "input": false,
          "remark": "context is left out, for no model reads on"
        },
        {
          "host": "shell",
          "event": "pre-compact",
          "names": [
            "pre-compact"
          ],
          "context": false,
          "verdict": null,
          "input": false,
          "remark": "context is left out, for no model reads on"
        },
        {
          "host": "shell",
          "event": "post-compact",
          "names": [
            "post-compact"
          ],
          "context": false,
          "verdict": null,
          "input": false,
          "remark": "context is left out, for no model reads on"
        },
        {
          "host": "shell",
          "event": "stop",
          "names": [
            "stop"
          ],
          "context": false,
          "verdict": "go on",
          "input": false,
          "remark": "context is left out, for no model reads on"
        },
        {
          "host": "shell",
          "event": "subagent-start",
          "names": [
            "subagent-start"
          ],
          "context": true,
          "verdict": null,
          "input": false,
          "remark": null
        },
        {
          "host": "shell",
          "event": "subagent-stop",
          "names": [
            "subagent-stop"
          ],
          "context": false,
          "verdict": "go on",
          "input": false,
          "remark": "context is left out, for no model reads on"
        },
        {
          "host": "shell",
          "event": "session-end",
          "names": [
            "session-end"
          ],
          "context": false,
          "verdict": null,
          "input": false,
          "remark": "context is left out, for no model reads on"
        }
      ]
    }
    "#);
}

#[test]
fn failures_of_hooks_are_shown() {
    let desk = desk();
    desk.run(r#"task add "x""#);
    for (line, payload) in [
        ("hook claude session-start", "not json"),
        ("hook nobody session-start", "{}"),
        (
            "hook claude session-start",
            r#"{"session_id":"s","cwd":"/","hook_event_name":"SessionStart","source":"tomorrow"}"#,
        ),
    ] {
        let ran = desk.run_with_input(line, payload);
        assert_eq!((ran.code.as_str(), ran.stdout.as_str(), ran.stderr.as_str()), ("0", "{}", ""));
    }
    transcript!(desk, ["doctor"], @r#"
    $ pacenote doctor
    ok    pacenote: 0.1.0 (schema 4)
    ok    settings: sound
    ok    data directory: /desk/home/.local/share/pacenote
    ok    store: SQLite 3.54.1, schema 4
    ok    integrity: sound
    ok    backups: 1, newest of [moment]
    ok    session logs: 0
    warn  hook failures: {"at":"[moment]","host":"claude","event":"session-start","trouble":"the payload is not that of a `session-start` hook: expected ident at line 1 column 2"}
          {"at":"[moment]","host":"nobody","event":"session-start","trouble":"no host named `nobody` is known"}
          {"at":"[moment]","host":"claude","event":"session-start","trouble":"the source `tomorrow` is not known and taken for `startup`"}
          hint: the newest are shown; `/desk/home/.local/share/pacenote/failures.jsonl` holds them all and may be deleted
    ok    project: shop at /desk/shop, main
    ok    in use: 1 task, 0 sessions
    ok    rules: 12 in force
    "#);
}
