//! What is played: the scenes of the tour, in order.

/// One scene.
pub(super) struct Scene {
    /// What happens.
    pub(super) title: &'static str,
    /// What to look at.
    pub(super) text: &'static str,
    /// What is done.
    pub(super) acts: &'static [Act],
}

/// Something that is done.
pub(super) enum Act {
    /// A file of the project is written.
    Write {
        /// The file.
        path: &'static str,
        /// What it says.
        text: &'static str,
    },
    /// A command is run and shown.
    Run(&'static str),
    /// A command is run.
    Quietly(&'static str),
    /// The person runs a command.
    AsPerson(&'static str),
    /// Another agent runs a command.
    As {
        agent: &'static str,
        /// The command.
        line: &'static str,
    },
    /// The client tells of an event.
    Hook {
        /// The event, as Claude Code calls it on our command line.
        event: &'static str,
        /// What it tells besides.
        fields: &'static str,
        /// What of the answer is shown.
        shows: Shows,
    },
}

/// What of an answer is shown.
pub(super) enum Shows {
    Nothing,
    /// Its beginning, and why each part of it is there.
    All,
    /// Its beginning.
    Answer,
    /// One element of it.
    Only(&'static str),
}

/// What stands before the first scene.
pub(super) const OPENING: &str = "\
A tour of pacenote: one agent's life in a scratch project that is deleted at the end.
The part of the client is played from a script; every answer below is pacenote's own.";

/// What stands behind the last.
pub(super) const CLOSING: &str = "
That is all. In a repository of yours, `pacenote init` sets your client up, `pacenote uninstall`
takes that back, and `pacenote doctor` tells what is wrong.";

const PLAN: &str = "\
# Login

Goal: people log in with an address and a password.

### Task 1: Add the login form

- [ ] Write the failing test
- [ ] Draw the form

### Task 2: Limit the rate

- [ ] Count failures per address
";

/// The scenes.
pub(super) const SCENES: [Scene; 8] = [
    Scene {
        title: "There is a plan",
        text: "   Its headings become tasks, its boxes steps. They live outside any agent's memory.",
        acts: &[
            Act::Write { path: "docs/plans/login.md", text: PLAN },
            Act::Run("task import docs/plans/login.md"),
            Act::Quietly("task claim #1"),
        ],
    },
    Scene {
        title: "A session starts",
        text: "   The client calls a hook. Its answer is what the agent knows before the first word:\n   \
               who it is, where it stands, the one thing to do now, the skill for it, the plan.",
        acts: &[Act::Hook {
            event: "session-start",
            fields: r#"{"source":"startup"}"#,
            shows: Shows::All,
        }],
    },
    Scene {
        title: "The agent works",
        text: "   A prompt brings only what is new; nothing here, so nothing comes. What the agent\n   \
               puts on its client's own list becomes steps of its task.",
        acts: &[
            Act::Hook {
                event: "user-prompt-submit",
                fields: r#"{"prompt":"begin with the test"}"#,
                shows: Shows::All,
            },
            Act::Hook {
                event: "task-created",
                fields: r#"{"task_id":"1","task_subject":"Ask which hash the passwords have"}"#,
                shows: Shows::Nothing,
            },
            Act::Quietly("task close #2"),
            Act::Run("task list --full"),
        ],
    },
    Scene {
        title: "The context is compacted",
        text: "   The client summarises and throws everything away. The next request holds the notes\n   \
               again, once, from where the work stands now.",
        acts: &[
            Act::Hook {
                event: "pre-compact",
                fields: r#"{"trigger":"auto"}"#,
                shows: Shows::Nothing,
            },
            Act::Hook {
                event: "post-compact",
                fields: r#"{"trigger":"auto","compact_summary":"The test is written and fails."}"#,
                shows: Shows::Nothing,
            },
            Act::Hook {
                event: "session-start",
                fields: r#"{"source":"compact"}"#,
                shows: Shows::All,
            },
        ],
    },
    Scene {
        title: "Somebody mentions the agent",
        text: "   Mail waits in the store and comes with the next prompt. An urgent one comes with its\n   \
               text, even when the prompt is only \"go on\".",
        acts: &[
            Act::As {
                agent: "reviewer",
                line: "mail send --to backend --subject 'Hash with argon2' --importance urgent \
                       'The review asks for argon2, not bcrypt.'",
            },
            Act::Hook {
                event: "user-prompt-submit",
                fields: r#"{"prompt":"go on"}"#,
                shows: Shows::All,
            },
        ],
    },
    Scene {
        title: "A subagent is started",
        text: "   It has a context of its own and sees nothing of the above. It is told its task and its\n   \
               role, taken from what it was asked.",
        acts: &[
            Act::Hook {
                event: "pre-tool-use",
                fields: r#"{"tool_name":"Agent","tool_input":{"subagent_type":"implementer","prompt":"Do #5: count failures"}}"#,
                shows: Shows::Nothing,
            },
            Act::Hook {
                event: "subagent-start",
                fields: r#"{"agent_id":"a-1","agent_type":"implementer"}"#,
                shows: Shows::All,
            },
        ],
    },
    Scene {
        title: "A workflow closes what a step must not change",
        text: "   A workflow is printed one step at a time; its place is in the store. While the plan is\n   \
               written, the hook refuses every other file, until reviews and the person let it pass.",
        acts: &[
            Act::Run(
                "flow start planner 'request=Log in with a passkey' plan=docs/plans/passkey.md \
                 size=small --format text",
            ),
            Act::Hook {
                event: "pre-tool-use",
                fields: r#"{"tool_name":"Edit","tool_input":{"file_path":"src/login.rs"}}"#,
                shows: Shows::Answer,
            },
            // The next scene is about something else.
            Act::AsPerson("flow abort 1 --yes --reason 'the tour goes on'"),
        ],
    },
    Scene {
        title: "The session ends, and the next one goes on",
        text: "   What only this session knew is kept without any model. The next one reads it, once. What\n   \
               was ever injected can be asked for: `pacenote why`, `pacenote replay`.",
        acts: &[
            Act::Hook {
                event: "stop",
                fields: r#"{"last_assistant_message":"The test fails as it should. Is argon2 set?"}"#,
                shows: Shows::Nothing,
            },
            Act::Hook {
                event: "session-end",
                fields: r#"{"reason":"other"}"#,
                shows: Shows::Nothing,
            },
            Act::Quietly("session list"),
            Act::Hook {
                event: "session-start",
                fields: r#"{"source":"startup","session":"next"}"#,
                shows: Shows::Only("handoff"),
            },
            Act::Run("session list"),
            Act::Run("bill"),
        ],
    },
];
