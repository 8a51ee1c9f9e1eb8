//! The JSON of every command that has one, whole.

use crate::{desk, transcript};

#[test]
fn tasks() {
    transcript!(desk(), [
        r#"task add "Add login" --skill tdd --plan docs/plan.md --section "Task 1" --assign backend --json"#,
        r#"task add "A step" --parent t-1 --json"#,
        r#"task add "Next" --after t-1 --json"#,
        "task claim t-1 --json",
        r#"task note t-1 "Noted" --json"#,
        r#"task block t-1 "stuck" --json"#,
        "task show t-1 --json",
        "task list --json",
        "task ready --json",
        "task close t-1 --steps --json",
        "task reopen t-1 --json",
        r#"task skip t-3 "no need" --json"#,
        r#"task fail t-1 "no way" --json"#,
        "task delete t-1 --json",
        "task list --json",
    ], @r#"
    $ pacenote task add "Add login" --skill tdd --plan docs/plan.md --section "Task 1" --assign backend --json
    {
      "id": "t-1",
      "uuid": "uuid-1",
      "number": 1,
      "title": "Add login",
      "state": "open",
      "parent": null,
      "assignee": "backend",
      "skill": "tdd",
      "plan": {
        "file": "docs/plan.md",
        "section": "Task 1"
      },
      "after": [],
      "reason": null,
      "created": "[moment]",
      "changed": "[moment]"
    }
    warning: no skill named `tdd` in 16 roots; until it can be used, the task is done without it
    $ pacenote task add "A step" --parent t-1 --json
    {
      "id": "t-2",
      "uuid": "uuid-2",
      "number": 2,
      "title": "A step",
      "state": "open",
      "parent": "t-1",
      "assignee": null,
      "skill": null,
      "plan": null,
      "after": [],
      "reason": null,
      "created": "[moment]",
      "changed": "[moment]"
    }
    $ pacenote task add "Next" --after t-1 --json
    {
      "id": "t-3",
      "uuid": "uuid-3",
      "number": 3,
      "title": "Next",
      "state": "open",
      "parent": null,
      "assignee": null,
      "skill": null,
      "plan": null,
      "after": [
        "t-1"
      ],
      "reason": null,
      "created": "[moment]",
      "changed": "[moment]"
    }
    $ pacenote task claim t-1 --json
    {
      "id": "t-1",
      "uuid": "uuid-1",
      "number": 1,
      "title": "Add login",
      "state": "in_progress",
      "parent": null,
      "assignee": "backend",
      "skill": "tdd",
      "plan": {
        "file": "docs/plan.md",
        "section": "Task 1"
      },
      "after": [],
      "reason": null,
      "created": "[moment]",
      "changed": "[moment]"
    }
    $ pacenote task note t-1 "Noted" --json
    {
      "id": "t-1",
      "uuid": "uuid-1",
      "number": 1,
      "title": "Add login",
      "state": "in_progress",
      "parent": null,
      "assignee": "backend",
      "skill": "tdd",
      "plan": {
        "file": "docs/plan.md",
        "section": "Task 1"
      },
      "after": [],
      "reason": null,
      "created": "[moment]",
      "changed": "[moment]"
    }
    $ pacenote task block t-1 "stuck" --json
    {
      "id": "t-1",
      "uuid": "uuid-1",
      "number": 1,
      "title": "Add login",
      "state": "blocked",
      "parent": null,
      "assignee": "backend",
      "skill": "tdd",
      "plan": {
        "file": "docs/plan.md",
        "section": "Task 1"
      },
      "after": [],
      "reason": "stuck",
      "created": "[moment]",
      "changed": "[moment]"
    }
    $ pacenote task show t-1 --json
    {
      "id": "t-1",
      "uuid": "uuid-1",
      "number": 1,
      "title": "Add login",
      "state": "blocked",
      "parent": null,
      "assignee": "backend",
      "skill": "tdd",
      "plan": {
        "file": "docs/plan.md",
        "section": "Task 1"
      },
      "after": [],
      "reason": "stuck",
      "created": "[moment]",
      "changed": "[moment]",
      "steps": [
        {
          "id": "t-2",
          "uuid": "uuid-2",
          "number": 2,
          "title": "A step",
          "state": "open",
          "parent": "t-1",
          "assignee": null,
          "skill": null,
          "plan": null,
          "after": [],
          "reason": null,
          "created": "[moment]",
          "changed": "[moment]"
        }
      ],
      "notes": [
        {
          "author": "backend",
          "at": "[moment]",
          "text": "Noted"
        }
      ]
    }
    $ pacenote task list --json
    {
      "tasks": [
        {
          "id": "t-1",
          "uuid": "uuid-1",
          "number": 1,
          "title": "Add login",
          "state": "blocked",
          "parent": null,
          "assignee": "backend",
          "skill": "tdd",
          "plan": {
            "file": "docs/plan.md",
            "section": "Task 1"
          },
          "after": [],
          "reason": "stuck",
          "created": "[moment]",
          "changed": "[moment]"
        },
        {
          "id": "t-2",
          "uuid": "uuid-2",
          "number": 2,
          "title": "A step",
          "state": "open",
          "parent": "t-1",
          "assignee": null,
          "skill": null,
          "plan": null,
          "after": [],
          "reason": null,
          "created": "[moment]",
          "changed": "[moment]"
        },
        {
          "id": "t-3",
          "uuid": "uuid-3",
          "number": 3,
          "title": "Next",
          "state": "open",
          "parent": null,
          "assignee": null,
          "skill": null,
          "plan": null,
          "after": [
            "t-1"
          ],
          "reason": null,
          "created": "[moment]",
          "changed": "[moment]"
        }
      ],
      "current": null
    }
    $ pacenote task ready --json
    {
      "tasks": [],
      "current": null
    }
    $ pacenote task close t-1 --steps --json
    {
      "id": "t-1",
      "uuid": "uuid-1",
      "number": 1,
      "title": "Add login",
      "state": "done",
      "parent": null,
      "assignee": "backend",
      "skill": "tdd",
      "plan": {
        "file": "docs/plan.md",
        "section": "Task 1"
      },
      "after": [],
      "reason": null,
      "created": "[moment]",
      "changed": "[moment]"
    }
    $ pacenote task reopen t-1 --json
    {
      "id": "t-1",
      "uuid": "uuid-1",
      "number": 1,
      "title": "Add login",
      "state": "open",
      "parent": null,
      "assignee": null,
      "skill": "tdd",
      "plan": {
        "file": "docs/plan.md",
        "section": "Task 1"
      },
      "after": [],
      "reason": null,
      "created": "[moment]",
      "changed": "[moment]"
    }
    $ pacenote task skip t-3 "no need" --json
    {
      "id": "t-3",
      "uuid": "uuid-3",
      "number": 3,
      "title": "Next",
      "state": "skipped",
      "parent": null,
      "assignee": null,
      "skill": null,
      "plan": null,
      "after": [
        "t-1"
      ],
      "reason": "no need",
      "created": "[moment]",
      "changed": "[moment]"
    }
    $ pacenote task fail t-1 "no way" --json
    {
      "id": "t-1",
      "uuid": "uuid-1",
      "number": 1,
      "title": "Add login",
      "state": "failed",
      "parent": null,
      "assignee": null,
      "skill": "tdd",
      "plan": {
        "file": "docs/plan.md",
        "section": "Task 1"
      },
      "after": [],
      "reason": "no way",
      "created": "[moment]",
      "changed": "[moment]"
    }
    $ pacenote task delete t-1 --json
    {
      "deleted": "t-1",
      "steps": 1
    }
    $ pacenote task list --json
    {
      "tasks": [
        {
          "id": "t-3",
          "uuid": "uuid-3",
          "number": 3,
          "title": "Next",
          "state": "skipped",
          "parent": null,
          "assignee": null,
          "skill": null,
          "plan": null,
          "after": [
            "uuid-1"
          ],
          "reason": "no need",
          "created": "[moment]",
          "changed": "[moment]"
        }
      ],
      "current": null
    }
    "#);
}

#[test]
fn imports() {
    let desk = desk();
    desk.write("plan.md", "### Task 1: One\n\n### Task: nameless\n");
    transcript!(desk, ["task import plan.md --json"], @r#"
    $ pacenote task import plan.md --json
    {
      "file": "plan.md",
      "added": 1,
      "revised": 0,
      "removed": 0,
      "unchanged": 0,
      "kept": [],
      "findings": [
        "line 3: `Task: nameless` is not taken for a task: write `Task N: name`"
      ]
    }
    warning: line 3: `Task: nameless` is not taken for a task: write `Task N: name`
    "#);
}

#[test]
fn mail() {
    transcript!(desk(), [
        "mail inbox --agent frontend --limit 5 --json",
        r#"mail send --to frontend,main:reviewer --subject "Hi" "Hello" --json"#,
        "mail inbox --agent frontend --limit 5 --json",
        "mail read #1 --agent frontend --json",
        "mail ack #1 --agent frontend --json",
        "mail reserve src/** --json",
        "mail reservations --json",
        "mail release src/** --json",
        "mail reservations --json",
    ], @r#"
    $ pacenote mail inbox --agent frontend --limit 5 --json
    {
      "messages": []
    }
    $ pacenote mail send --to frontend,main:reviewer --subject "Hi" "Hello" --json
    {
      "id": "uuid-1",
      "number": 1,
      "project": "shop",
      "thread": "uuid-1",
      "from": "backend",
      "trust": "agent",
      "subject": "Hi",
      "body": "Hello",
      "importance": "normal",
      "ack_required": false,
      "sent": "[moment]",
      "to": [
        {
          "address": "@frontend",
          "delivered": null,
          "read": null,
          "acked": null
        },
        {
          "address": "@main:reviewer",
          "delivered": null,
          "read": null,
          "acked": null
        }
      ]
    }
    $ pacenote mail inbox --agent frontend --limit 5 --json
    {
      "messages": [
        {
          "id": "uuid-1",
          "number": 1,
          "project": "shop",
          "thread": "uuid-1",
          "from": "backend",
          "trust": "agent",
          "subject": "Hi",
          "importance": "normal",
          "ack_required": false,
          "sent": "[moment]",
          "to": [
            {
              "address": "@frontend",
              "delivered": null,
              "read": null,
              "acked": null
            }
          ]
        }
      ]
    }
    $ pacenote mail read #1 --agent frontend --json
    {
      "id": "uuid-1",
      "number": 1,
      "project": "shop",
      "thread": "uuid-1",
      "from": "backend",
      "trust": "agent",
      "subject": "Hi",
      "body": "Hello",
      "importance": "normal",
      "ack_required": false,
      "sent": "[moment]",
      "to": [
        {
          "address": "@frontend",
          "delivered": "[moment]",
          "read": "[moment]",
          "acked": null
        },
        {
          "address": "@main:reviewer",
          "delivered": null,
          "read": null,
          "acked": null
        }
      ]
    }
    $ pacenote mail ack #1 --agent frontend --json
    {
      "id": "uuid-1",
      "number": 1,
      "project": "shop",
      "thread": "uuid-1",
      "from": "backend",
      "trust": "agent",
      "subject": "Hi",
      "body": "Hello",
      "importance": "normal",
      "ack_required": false,
      "sent": "[moment]",
      "to": [
        {
          "address": "@frontend",
          "delivered": "[moment]",
          "read": "[moment]",
          "acked": "[moment]"
        },
        {
          "address": "@main:reviewer",
          "delivered": null,
          "read": null,
          "acked": null
        }
      ]
    }
    $ pacenote mail reserve src/** --json
    {
      "reservations": [
        {
          "id": "uuid-2",
          "agent": "backend",
          "pattern": "src/**",
          "exclusive": true,
          "reason": null,
          "since": "[moment]",
          "until": "[moment]"
        }
      ]
    }
    $ pacenote mail reservations --json
    {
      "reservations": [
        {
          "id": "uuid-2",
          "agent": "backend",
          "pattern": "src/**",
          "exclusive": true,
          "reason": null,
          "since": "[moment]",
          "until": "[moment]"
        }
      ]
    }
    $ pacenote mail release src/** --json
    {
      "reservations": [
        {
          "id": "uuid-2",
          "agent": "backend",
          "pattern": "src/**",
          "exclusive": true,
          "reason": null,
          "since": "[moment]",
          "until": "[moment]"
        }
      ]
    }
    $ pacenote mail reservations --json
    {
      "reservations": []
    }
    "#);
}

#[test]
fn the_rest() {
    let mut desk = desk();
    desk.set("PACENOTE_STORE_BACKUPS_KEPT", "2");
    transcript!(desk, [
        "session list --json",
        r#"task add "x""#,
        "store check --json",
        "store restore --json",
    ], @r#"
    $ pacenote session list --json
    {
      "sessions": []
    }
    $ pacenote task add "x"
    added t-1 #1 (open) x
    $ pacenote store check --json
    {
      "sound": true,
      "problems": []
    }
    $ pacenote store restore --json
    {
      "restored": false,
      "from": null,
      "damaged": null
    }
    "#);
    let path = desk.run("store backup --json").json()["path"].as_str().map(str::to_owned);
    assert!(path.is_some_and(|path| std::path::Path::new(&path).exists()));
}
