use std::path::Path;

use super::{Scope, file, registrations};

const PROGRAM: &str = "/usr/local/bin/pacenote";

#[test]
fn the_client_calls_these_hooks() {
    let rows = registrations().into_iter().map(|registration| {
        assert_eq!(registration.matcher, None);
        let command = registration.command(PROGRAM);
        format!("{} {}s: {command}", registration.event, registration.timeout)
    });
    insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"), @"
    SessionStart 10s: /usr/local/bin/pacenote hook claude session-start --part 1/4
    SessionStart 10s: /usr/local/bin/pacenote hook claude session-start --part 2/4
    SessionStart 10s: /usr/local/bin/pacenote hook claude session-start --part 3/4
    SessionStart 10s: /usr/local/bin/pacenote hook claude session-start --part 4/4
    UserPromptSubmit 10s: /usr/local/bin/pacenote hook claude user-prompt-submit
    PreToolUse 10s: /usr/local/bin/pacenote hook claude pre-tool-use
    PostToolUse 10s: /usr/local/bin/pacenote hook claude post-tool-use
    PostToolUseFailure 10s: /usr/local/bin/pacenote hook claude post-tool-use-failure
    TaskCreated 10s: /usr/local/bin/pacenote hook claude task-created
    TaskCompleted 10s: /usr/local/bin/pacenote hook claude task-completed
    PreCompact 10s: /usr/local/bin/pacenote hook claude pre-compact
    PostCompact 10s: /usr/local/bin/pacenote hook claude post-compact
    Stop 10s: /usr/local/bin/pacenote hook claude stop
    SubagentStart 10s: /usr/local/bin/pacenote hook claude subagent-start --part 1/4
    SubagentStart 10s: /usr/local/bin/pacenote hook claude subagent-start --part 2/4
    SubagentStart 10s: /usr/local/bin/pacenote hook claude subagent-start --part 3/4
    SubagentStart 10s: /usr/local/bin/pacenote hook claude subagent-start --part 4/4
    SubagentStop 10s: /usr/local/bin/pacenote hook claude subagent-stop
    SessionEnd 10s: /usr/local/bin/pacenote hook claude session-end
    ");
}

#[test]
fn a_scope_is_a_file() {
    let (config, project) = (Path::new("/home/ada/.claude"), Path::new("/src/engine"));
    for (scope, path) in [
        (Scope::User, "/home/ada/.claude/settings.json"),
        (Scope::Project, "/src/engine/.claude/settings.json"),
        (Scope::Local, "/src/engine/.claude/settings.local.json"),
    ] {
        assert_eq!(file(scope, config, project).as_deref(), Some(Path::new(path)));
    }
}
