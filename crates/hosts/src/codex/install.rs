//! Which hooks Codex shall call, and the files in which it looks for them.
//!
//! The rest is the same for every host that knows groups of hooks by event: see
//! [`edit`](crate::edit). What is registered runs only once it is trusted: see
//! [`trust`](super::trust).

use pacenote_model::EventKind;

use std::path::{Path, PathBuf};

use super::hook::HOOKS;
use crate::{edit::Registration, scope::Scope};

/// The directory of a project's hooks.
const DIRECTORY: &str = ".codex";

/// The file of hooks.
const FILE: &str = "hooks.json";

/// After how many seconds the client gives a hook up. A hook of ours answers within one; the rest is
/// for a machine that is busy. Unasked, the client waits ten minutes.
const TIMEOUT_SECONDS: u32 = 10;

/// The same at the end of a session, where the client allows three at most and unasked one.
const END_TIMEOUT_SECONDS: u32 = 3;

/// Where an answer can carry text for the model, the client cuts it at about 2,500 tokens unless it
/// is told that there is no limit. Elsewhere it would complain about the key at every start.
const NO_LIMIT: [(&str, u32); 1] = [("additionalContextLimit", 0)];

/// Returns the file of a scope, given the client's own directory and that of the project. The client
/// has no file in a project that is one person's.
pub fn file(scope: Scope, config: &Path, project: &Path) -> Option<PathBuf> {
    match scope {
        Scope::User => Some(config.join(FILE)),
        Scope::Project => Some(project.join(DIRECTORY).join(FILE)),
        Scope::Local => None,
    }
}

/// Returns every hook that the client shall call. The command lines are the same in every version,
/// for whatever changes has to be trusted again.
pub fn registrations() -> Vec<Registration> {
    let registered = HOOKS.iter().map(|hook| Registration {
        event: hook.name,
        // Every start, every tool: which of them matter, the hook decides.
        matcher: None,
        words: ["hook", "codex", hook.word].map(str::to_owned).to_vec(),
        timeout: if hook.kind == EventKind::SessionEnd {
            END_TIMEOUT_SECONDS
        } else {
            TIMEOUT_SECONDS
        },
        extra: if hook.context { &NO_LIMIT } else { &[] },
    });
    registered.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit;

    const PROGRAM: &str = "/usr/local/bin/pacenote";

    #[test]
    fn the_client_calls_these_hooks() {
        let rows = registrations().into_iter().map(|registration| {
            assert_eq!(registration.matcher, None);
            let command = registration.command(PROGRAM);
            let Registration { event, timeout, extra, .. } = registration;
            format!("{event} {timeout}s {extra:?}: {command}")
        });
        insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"), @r#"
        SessionStart 10s [("additionalContextLimit", 0)]: /usr/local/bin/pacenote hook codex session-start
        UserPromptSubmit 10s [("additionalContextLimit", 0)]: /usr/local/bin/pacenote hook codex user-prompt-submit
        PreToolUse 10s [("additionalContextLimit", 0)]: /usr/local/bin/pacenote hook codex pre-tool-use
        PostToolUse 10s [("additionalContextLimit", 0)]: /usr/local/bin/pacenote hook codex post-tool-use
        PreCompact 10s []: /usr/local/bin/pacenote hook codex pre-compact
        PostCompact 10s []: /usr/local/bin/pacenote hook codex post-compact
        Stop 10s []: /usr/local/bin/pacenote hook codex stop
        SubagentStart 10s [("additionalContextLimit", 0)]: /usr/local/bin/pacenote hook codex subagent-start
        SubagentStop 10s []: /usr/local/bin/pacenote hook codex subagent-stop
        SessionEnd 3s []: /usr/local/bin/pacenote hook codex session-end
        "#);
    }

    #[test]
    fn a_scope_is_a_file_or_nothing() {
        let (config, project) = (Path::new("/home/ada/.codex"), Path::new("/src/engine"));
        for (scope, path) in [
            (Scope::User, Some("/home/ada/.codex/hooks.json")),
            (Scope::Project, Some("/src/engine/.codex/hooks.json")),
            (Scope::Local, None),
        ] {
            assert_eq!(file(scope, config, project).as_deref(), path.map(Path::new));
        }
    }

    #[test]
    fn what_is_written_is_known_again() {
        let written = edit::install(None, PROGRAM, &registrations()).unwrap();
        let found = edit::found(&written, PROGRAM, &registrations()).unwrap();
        assert_eq!(found.ours, edit::Ours::AsExpected);
        assert!(serde_json::from_str::<serde_json::Value>(&written).is_ok());
        // The client refuses a file with any other key at its top.
        insta::assert_snapshot!(written.lines().take(14).collect::<Vec<_>>().join("\n"), @r#"
        {
          "hooks": {
            "SessionStart": [
              {
                "hooks": [
                  {
                    "type": "command",
                    "command": "/usr/local/bin/pacenote hook codex session-start",
                    "timeout": 10,
                    "additionalContextLimit": 0
                  }
                ]
              }
            ],
        "#);

        let limited = written.replacen("\"additionalContextLimit\": 0", "\"async\": true", 1);
        let found = edit::found(&limited, PROGRAM, &registrations()).unwrap();
        insta::assert_debug_snapshot!(found.ours, @r#"
        Changed(
            Listed {
                first: [
                    OtherForm {
                        event: "SessionStart",
                    },
                ],
                more: 0,
            },
        )
        "#);
        assert_eq!(edit::install(Some(&limited), PROGRAM, &registrations()).unwrap(), written);
        assert_eq!(edit::remove(&written).unwrap().text, "{}\n");
    }
}
