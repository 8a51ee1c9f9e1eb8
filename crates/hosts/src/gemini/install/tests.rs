use std::path::Path;

use super::*;
use crate::edit::{EditError, OwnFound};

const PROGRAM: &str = "/usr/local/bin/pacenote";

#[test]
fn the_extension_in_whole() {
    let files = FILES.map(|file| format!("--- {}\n{}", file.name, (file.text)(PROGRAM)));
    insta::assert_snapshot!(files.concat(), @r#"
    --- gemini-extension.json
    {
      "description": "Tells each agent what it has to know",
      "name": "pacenote",
      "version": "1.0.0"
    }
    --- hooks/hooks.json
    {
      "hooks": {
        "AfterAgent": [
          {
            "hooks": [
              {
                "command": "/usr/local/bin/pacenote hook gemini after-agent",
                "timeout": 10000,
                "type": "command"
              }
            ]
          }
        ],
        "AfterTool": [
          {
            "hooks": [
              {
                "command": "/usr/local/bin/pacenote hook gemini after-tool",
                "timeout": 10000,
                "type": "command"
              }
            ]
          }
        ],
        "BeforeAgent": [
          {
            "hooks": [
              {
                "command": "/usr/local/bin/pacenote hook gemini before-agent",
                "timeout": 10000,
                "type": "command"
              }
            ]
          }
        ],
        "BeforeModel": [
          {
            "hooks": [
              {
                "command": "/usr/local/bin/pacenote hook gemini before-model",
                "timeout": 10000,
                "type": "command"
              }
            ]
          }
        ],
        "BeforeTool": [
          {
            "hooks": [
              {
                "command": "/usr/local/bin/pacenote hook gemini before-tool",
                "timeout": 10000,
                "type": "command"
              }
            ]
          }
        ],
        "SessionEnd": [
          {
            "hooks": [
              {
                "command": "/usr/local/bin/pacenote hook gemini session-end",
                "timeout": 10000,
                "type": "command"
              }
            ]
          }
        ],
        "SessionStart": [
          {
            "hooks": [
              {
                "command": "/usr/local/bin/pacenote hook gemini session-start",
                "timeout": 10000,
                "type": "command"
              }
            ]
          }
        ]
      }
    }
    --- .gemini-extension-install.json
    {
      "source": "/usr/local/bin/pacenote",
      "type": "local"
    }
    "#);
}

#[test]
fn it_lies_in_the_client_s_directory_only() {
    let (config, project) = (Path::new("/home/ada/.gemini"), Path::new("/src/engine"));
    for (scope, path) in [
        (Scope::User, Some("/home/ada/.gemini/extensions/pacenote")),
        (Scope::Project, None),
        (Scope::Local, None),
    ] {
        assert_eq!(directory(scope, config, project).as_deref(), path.map(Path::new));
    }
}

#[test]
fn our_files_are_known_for_ours() {
    for file in FILES {
        let text = (file.text)("/opt/my tools/pacenote");
        assert_eq!(file.found(&text, None), OwnFound::AsExpected, "{}", file.name);
        assert!((file.is_ours)(&text), "{}", file.name);
        let older = text.replace("1.0.0", "0.9.0").replace("10000", "9000");
        assert!((file.is_ours)(&older), "{}", file.name);
        assert_eq!(file.may_go(&older), Ok(()), "{}", file.name);
        let called = (file.program)(&text);
        assert!(called.is_none_or(|program| program == "/opt/my tools/pacenote"), "{}", file.name);
    }
}

#[test]
fn files_of_others_are_left_alone() {
    let ours = (HOOKS.text)(PROGRAM);
    let mixed = ours.replacen("/usr/local/bin/pacenote hook", "/usr/bin/logger hook", 1);
    for (file, text) in [
        (HOOKS, ""),
        (HOOKS, "{}"),
        (HOOKS, "[]"),
        (HOOKS, r#"{"hooks":{}}"#),
        (HOOKS, r#"{"hooks":{"Stop":[{"hooks":[{"type":"command"}]}]}}"#),
        (HOOKS, &mixed),
        (MANIFEST, r#"{"name":"pacer"}"#),
        (MANIFEST, "name: pacenote"),
        (MANIFEST, r#"{"name":"pacenote","version":"1.0.0","mcpServers":{}}"#),
        (ORIGIN, r#"{"source":"https://example.org/pacenotes"}"#),
        (ORIGIN, r#"{"source":7}"#),
    ] {
        assert_eq!(file.found(text, Some(PROGRAM)), OwnFound::Foreign, "{} {text}", file.name);
        assert_eq!(file.written(Some(text), PROGRAM), Err(EditError::Foreign), "{}", file.name);
        assert_eq!(file.may_go(text), Err(EditError::Foreign), "{}", file.name);
    }
}
