//! Which hooks Qwen Code shall call, and the files in which it looks for them.

use std::path::{Path, PathBuf};

use super::hook::HOOKS;
use crate::{edit::Registration, scope::Scope, table::Hook};

/// The directory of a project's settings.
const DIRECTORY: &str = ".qwen";

/// The name of a settings file.
const SETTINGS: &str = "settings.json";

/// After how many milliseconds the client gives a hook up. A hook of ours answers within a second;
/// the rest is for a machine that is busy.
const TIMEOUT_MILLISECONDS: u32 = 10_000;

/// Returns the settings file of a scope, given the client's own directory and that of the project.
pub fn file(scope: Scope, config: &Path, project: &Path) -> Option<PathBuf> {
    match scope {
        Scope::User => Some(config.join(SETTINGS)),
        Scope::Project => Some(project.join(DIRECTORY).join(SETTINGS)),
        // It knows no file of a project that is not committed.
        Scope::Local => None,
    }
}

/// Returns every hook that the client shall call. The command lines are the same in every version.
pub fn registrations() -> Vec<Registration> {
    let registration = |hook: &Hook| Registration {
        event: hook.name,
        // Every start, every tool: which of them matter, the hook decides.
        matcher: None,
        words: ["hook", "qwen", hook.word].map(str::to_owned).into(),
        timeout: TIMEOUT_MILLISECONDS,
        extra: &[],
    };
    HOOKS.iter().map(registration).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_calls_these_hooks() {
        let rows = registrations().into_iter().map(|registration| {
            assert_eq!(registration.matcher, None);
            let command = registration.command("/usr/local/bin/pacenote");
            format!("{} {}ms: {command}", registration.event, registration.timeout)
        });
        insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"), @"
        SessionStart 10000ms: /usr/local/bin/pacenote hook qwen session-start
        UserPromptSubmit 10000ms: /usr/local/bin/pacenote hook qwen user-prompt-submit
        PreToolUse 10000ms: /usr/local/bin/pacenote hook qwen pre-tool-use
        PostToolUse 10000ms: /usr/local/bin/pacenote hook qwen post-tool-use
        PostToolUseFailure 10000ms: /usr/local/bin/pacenote hook qwen post-tool-use-failure
        PreCompact 10000ms: /usr/local/bin/pacenote hook qwen pre-compact
        PostCompact 10000ms: /usr/local/bin/pacenote hook qwen post-compact
        Stop 10000ms: /usr/local/bin/pacenote hook qwen stop
        SubagentStart 10000ms: /usr/local/bin/pacenote hook qwen subagent-start
        SubagentStop 10000ms: /usr/local/bin/pacenote hook qwen subagent-stop
        SessionEnd 10000ms: /usr/local/bin/pacenote hook qwen session-end
        ");
    }

    #[test]
    fn a_scope_is_a_file() {
        let (config, project) = (Path::new("/home/ada/.qwen"), Path::new("/src/engine"));
        for (scope, path) in [
            (Scope::User, Some("/home/ada/.qwen/settings.json")),
            (Scope::Project, Some("/src/engine/.qwen/settings.json")),
            (Scope::Local, None),
        ] {
            assert_eq!(file(scope, config, project).as_deref(), path.map(Path::new));
        }
    }
}
