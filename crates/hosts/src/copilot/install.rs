//! Which hooks Copilot CLI shall call, in a file of our own.
//!
//! The client reads every file of its directory of hooks, so ours stands beside those of others and
//! nothing has to be put into theirs. In a repository it reads them only once the person trusts the
//! folder.

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

/// The form of the file.
const VERSION: u32 = 1;

/// Every file of ours.
pub const FILES: [OwnFile; 1] = [OwnFile { name: "pacenote.json", text, is_ours, program }];

/// Returns the directory of a scope, given the client's own directory and that of the project. The
/// client has none in a project that is one person's.
pub fn directory(scope: Scope, config: &Path, project: &Path) -> Option<PathBuf> {
    match scope {
        Scope::User => Some(config.join("hooks")),
        Scope::Project => Some(project.join(".github").join("hooks")),
        Scope::Local => None,
    }
}

fn text(program: &str) -> String {
    let file = File { version: VERSION, hooks: Hooks { program } };
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
    if !file.keys().all(|key| ["version", "hooks"].contains(&key.as_str())) {
        return None;
    }
    let mut calls = Vec::new();
    for hooks in file.get("hooks")?.as_object()?.values() {
        for hook in hooks.as_array()? {
            let hook = hook.as_object()?;
            if !hook.keys().all(|key| ["type", "bash", "timeoutSec"].contains(&key.as_str())) {
                return None;
            }
            let call = Call::in_shell(hook.get("bash")?.as_str()?)?;
            calls.push(Some(call).filter(|call| call.is_plainly_for("copilot"))?);
        }
    }
    (!calls.is_empty()).then_some(calls)
}

#[derive(Serialize)]
struct File<'a> {
    version: u32,
    hooks: Hooks<'a>,
}

/// The hooks by event, in the order of the table.
struct Hooks<'a> {
    program: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Handler {
    #[serde(rename = "type")]
    kind: &'static str,
    bash: String,
    timeout_sec: u32,
}

impl Serialize for Hooks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let handler = |hook: &Hook| Handler {
            kind: "command",
            bash: format!("{} hook copilot {}", quoted(self.program), hook.word),
            timeout_sec: TIMEOUT_SECONDS,
        };
        serializer.collect_map(HOOKS.iter().map(|hook| (hook.name, [handler(hook)])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{EditError, OwnFound};

    const PROGRAM: &str = "/usr/local/bin/pacenote";

    fn written() -> String {
        FILES[0].written(None, PROGRAM).unwrap()
    }

    #[test]
    fn the_file() {
        let text = written();
        insta::assert_snapshot!(text.lines().take(18).collect::<Vec<_>>().join("\n"), @r#"
        {
          "version": 1,
          "hooks": {
            "sessionStart": [
              {
                "type": "command",
                "bash": "/usr/local/bin/pacenote hook copilot session-start",
                "timeoutSec": 10
              }
            ],
            "userPromptSubmitted": [
              {
                "type": "command",
                "bash": "/usr/local/bin/pacenote hook copilot user-prompt-submitted",
                "timeoutSec": 10
              }
            ],
            "preToolUse": [
        "#);
        let commands = text.lines().filter_map(|line| line.trim().strip_prefix("\"bash\": "));
        insta::assert_snapshot!(commands.collect::<Vec<_>>().join("\n"), @r#"
        "/usr/local/bin/pacenote hook copilot session-start",
        "/usr/local/bin/pacenote hook copilot user-prompt-submitted",
        "/usr/local/bin/pacenote hook copilot pre-tool-use",
        "/usr/local/bin/pacenote hook copilot post-tool-use",
        "/usr/local/bin/pacenote hook copilot post-tool-use-failure",
        "/usr/local/bin/pacenote hook copilot pre-compact",
        "/usr/local/bin/pacenote hook copilot agent-stop",
        "/usr/local/bin/pacenote hook copilot subagent-start",
        "/usr/local/bin/pacenote hook copilot subagent-stop",
        "/usr/local/bin/pacenote hook copilot session-end",
        "#);
        assert!(text.ends_with("}\n"));
    }

    #[test]
    fn a_scope_is_a_directory_or_nothing() {
        let (config, project) = (Path::new("/home/ada/.copilot"), Path::new("/src/engine"));
        for (scope, path) in [
            (Scope::User, Some("/home/ada/.copilot/hooks")),
            (Scope::Project, Some("/src/engine/.github/hooks")),
            (Scope::Local, None),
        ] {
            assert_eq!(directory(scope, config, project).as_deref(), path.map(Path::new));
        }
    }

    #[test]
    fn ours_is_told_from_what_others_wrote() {
        let [file] = FILES;
        let text = written();
        assert_eq!(file.found(&text, Some(PROGRAM)), OwnFound::AsExpected);
        assert_eq!(file.found(&text, None), OwnFound::AsExpected);
        let moved = (file.text)("/opt/a b/pacenote");
        let changed = OwnFound::Changed { program: Some("/opt/a b/pacenote".to_owned()) };
        assert_eq!(file.found(&moved, Some(PROGRAM)), changed);
        assert_eq!(file.found(&moved, None), OwnFound::AsExpected);
        assert_eq!(file.written(Some(&moved), PROGRAM), Ok(text.clone()));
        let older = text.replace("\"timeoutSec\": 10", "\"timeoutSec\": 5");
        let changed = OwnFound::Changed { program: Some(PROGRAM.to_owned()) };
        assert_eq!(file.found(&older, None), changed);
        assert_eq!(file.may_go(&older), Ok(()));

        for foreign in [
            String::new(),
            "{}".to_owned(),
            r#"{"version":1,"hooks":{}}"#.to_owned(),
            r#"{"version":1,"hooks":{"agentStop":[{"type":"command","bash":"lint"}]}}"#.to_owned(),
            text.replacen("\"version\": 1", "\"version\": 1, \"note\": \"mine\"", 1),
            text.replacen("\"timeoutSec\": 10", "\"timeoutSec\": 10, \"cwd\": \"/\"", 1),
            text.replacen("/usr/local/bin/pacenote hook", "/usr/bin/lint hook", 1),
            text.replacen("session-start\"", "session-start; lint\"", 1),
            format!("// mine\n{text}"),
            " ".repeat(SETTINGS_BYTES + 1),
        ] {
            assert_eq!(file.found(&foreign, None), OwnFound::Foreign, "{foreign}");
            assert_eq!(file.written(Some(&foreign), PROGRAM), Err(EditError::Foreign));
            assert_eq!(file.may_go(&foreign), Err(EditError::Foreign));
        }
    }
}
