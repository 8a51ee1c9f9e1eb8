//! Which hooks Antigravity shall call, in a file that is ours while it is nobody else's.
//!
//! The client has one file of hooks, in which others may have theirs. What is written about its form
//! was never tried, so nothing is put in among them: where there is a file of others, it is refused.

use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::hook::HOOKS;
use crate::{
    edit::{Call, OwnFile, SETTINGS_BYTES, quoted},
    scope::Scope,
    table::Hook,
};

/// After how many seconds the client gives a hook up. A hook of ours answers within one; the rest is
/// for a machine that is busy.
const TIMEOUT_SECONDS: u32 = 10;

/// What our hooks are called together.
const GROUP: &str = "pacenote";

/// The matcher that every tool fits.
const EVERY_TOOL: &str = "";

/// Every file of ours.
pub const FILES: [OwnFile; 1] = [OwnFile { name: "hooks.json", text, is_ours, program }];

/// Returns the directory of a scope, given the client's own directory and that of the project. The
/// client has none in a project that is one person's.
pub fn directory(scope: Scope, config: &Path, project: &Path) -> Option<PathBuf> {
    match scope {
        Scope::User => Some(config.to_owned()),
        Scope::Project => Some(project.join(".agents")),
        Scope::Local => None,
    }
}

fn text(program: &str) -> String {
    let file = File { pacenote: Hooks { program } };
    // Strings and numbers always serialize.
    let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
    text.push('\n');
    text
}

fn is_ours(text: &str) -> bool {
    calls(text).is_some()
}

fn program(text: &str) -> Option<String> {
    calls(text)?.into_iter().next().map(|call| call.program)
}

/// Returns what a file calls, if all of it is ours: at least one hook, and nothing besides.
fn calls(text: &str) -> Option<Vec<Call>> {
    if text.len() > SETTINGS_BYTES {
        return None;
    }
    let file: Value = serde_json::from_str(text).ok()?;
    let file = file.as_object()?;
    let mut calls = Vec::new();
    for hooks in file.get(GROUP).filter(|_| file.len() == 1)?.as_object()?.values() {
        for hook in hooks.as_array()? {
            match hook.get("hooks") {
                Some(grouped) => {
                    has_only(hook, &["matcher", "hooks"])?;
                    for hook in grouped.as_array()? {
                        calls.push(call(hook)?);
                    }
                }
                None => calls.push(call(hook)?),
            }
        }
    }
    (!calls.is_empty()).then_some(calls)
}

fn call(hook: &Value) -> Option<Call> {
    has_only(hook, &["type", "command", "timeout"])?;
    let call = Call::in_shell(hook.get("command")?.as_str()?)?;
    Some(call).filter(|call| call.is_plainly_for("antigravity"))
}

fn has_only(value: &Value, keys: &[&str]) -> Option<()> {
    value.as_object()?.keys().all(|key| keys.contains(&key.as_str())).then_some(())
}

#[derive(Serialize)]
struct File<'a> {
    pacenote: Hooks<'a>,
}

/// The hooks by event, in the order of the table.
struct Hooks<'a> {
    program: &'a str,
}

/// A hook of an event: for tools with a matcher around it, for the others without.
#[derive(Serialize)]
#[serde(untagged)]
enum Registered {
    ForTools { matcher: &'static str, hooks: [Handler; 1] },
    Plain(Handler),
}

#[derive(Serialize)]
struct Handler {
    #[serde(rename = "type")]
    kind: &'static str,
    command: String,
    timeout: u32,
}

impl Serialize for Hooks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let registered = |hook: &Hook| {
            let command = format!("{} hook antigravity {}", quoted(self.program), hook.word);
            let handler = Handler { kind: "command", command, timeout: TIMEOUT_SECONDS };
            if hook.kind.is_about_tool() {
                Registered::ForTools { matcher: EVERY_TOOL, hooks: [handler] }
            } else {
                Registered::Plain(handler)
            }
        };
        serializer.collect_map(HOOKS.iter().map(|hook| (hook.name, [registered(hook)])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{EditError, OwnFound};

    const PROGRAM: &str = "/usr/local/bin/pacenote";

    #[test]
    fn the_file() {
        let [file] = FILES;
        let text = file.written(None, PROGRAM).unwrap();
        insta::assert_snapshot!(text, @r#"
        {
          "pacenote": {
            "PreToolUse": [
              {
                "matcher": "",
                "hooks": [
                  {
                    "type": "command",
                    "command": "/usr/local/bin/pacenote hook antigravity pre-tool-use",
                    "timeout": 10
                  }
                ]
              }
            ],
            "PostToolUse": [
              {
                "matcher": "",
                "hooks": [
                  {
                    "type": "command",
                    "command": "/usr/local/bin/pacenote hook antigravity post-tool-use",
                    "timeout": 10
                  }
                ]
              }
            ],
            "PreInvocation": [
              {
                "type": "command",
                "command": "/usr/local/bin/pacenote hook antigravity pre-invocation",
                "timeout": 10
              }
            ],
            "Stop": [
              {
                "type": "command",
                "command": "/usr/local/bin/pacenote hook antigravity stop",
                "timeout": 10
              }
            ]
          }
        }
        "#);
        assert_eq!(file.found(&text, None), OwnFound::AsExpected);
        let moved = (file.text)("/opt/pacenote");
        let changed = OwnFound::Changed { program: Some("/opt/pacenote".to_owned()) };
        assert_eq!(file.found(&moved, Some(PROGRAM)), changed);
        for foreign in [
            "{}".to_owned(),
            r#"{"pacenote":{}}"#.to_owned(),
            r#"{"pacenote":{"Stop":[{"command":"lint"}]}}"#.to_owned(),
            text.replacen('{', r#"{"mine":{},"#, 1),
            text.replacen(r#""matcher": """#, r#""matcher": "", "mine": 1"#, 1),
            text.replacen(r#""timeout": 10"#, r#""timeout": 10, "mine": 1"#, 1),
            text.replacen("/usr/local/bin/pacenote hook", "/usr/bin/lint hook", 1),
            text.replacen("pre-tool-use\"", "pre-tool-use; lint\"", 1),
        ] {
            assert_eq!(file.written(Some(&foreign), PROGRAM), Err(EditError::Foreign), "{foreign}");
        }
    }

    #[test]
    fn a_scope_is_a_directory_or_nothing() {
        let (config, project) = (Path::new("/home/ada/.gemini/config"), Path::new("/src/engine"));
        for (scope, path) in [
            (Scope::User, Some("/home/ada/.gemini/config")),
            (Scope::Project, Some("/src/engine/.agents")),
            (Scope::Local, None),
        ] {
            assert_eq!(directory(scope, config, project).as_deref(), path.map(Path::new));
        }
    }
}
