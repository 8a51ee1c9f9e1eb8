use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use super::*;
use crate::edit::{EditError, OwnFound};

const PROGRAM: &str = "/usr/local/bin/pacenote";

const FILE: OwnFile = FILES[0];

#[test]
fn the_path_of_the_program_is_all_that_is_filled_in() {
    assert_eq!(PLUGIN.matches("@PROGRAM@").count(), 1);
    let written = (FILE.text)(PROGRAM);
    assert!(written.contains("const PROGRAM = \"/usr/local/bin/pacenote\";\n"));
    assert_eq!(written.replace(PROGRAM, "@PROGRAM@"), PLUGIN);
}

#[test]
fn a_scope_is_a_directory() {
    let (config, project) = (Path::new("/home/ada/.config/opencode"), Path::new("/src/engine"));
    for (scope, path) in [
        (Scope::User, Some("/home/ada/.config/opencode/plugin")),
        (Scope::Project, Some("/src/engine/.opencode/plugin")),
        (Scope::Local, None),
    ] {
        assert_eq!(directory(scope, config, project).as_deref(), path.map(Path::new));
    }
}

#[test]
fn our_plugin_is_known_for_ours() {
    for path in [PROGRAM, "/opt/my \"tools\"/pacenote", "/opt/\u{7f}\\n/é/pacenote"] {
        let text = (FILE.text)(path);
        assert_eq!((FILE.program)(&text).as_deref(), Some(path));
        assert_eq!(FILE.found(&text, None), OwnFound::AsExpected);
        let older = text.replace("3000", "2000");
        assert_eq!(FILE.may_go(&older), Ok(()), "{path}");
    }
}

#[test]
fn plugins_of_others_are_left_alone() {
    for text in ["", "export const Mine = async () => ({});\n", "// Written by pacenote, once.\n"] {
        assert_eq!(FILE.found(text, Some(PROGRAM)), OwnFound::Foreign, "{text}");
        assert_eq!(FILE.written(Some(text), PROGRAM), Err(EditError::Foreign), "{text}");
    }
}

/// Asks Node whether the plugin is JavaScript. A machine without Node says so, and is content.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a test that asks another program, which this crate never does"
)]
fn the_plugin_is_javascript() {
    let check = |program: &str| {
        let mut node = Command::new("node");
        node.args(["--input-type=module", "--check", "-"]).stdin(Stdio::piped());
        let mut node = node.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().ok()?;
        let text = (FILE.text)(program);
        node.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        Some(node.wait_with_output().unwrap())
    };
    for program in [PROGRAM, "/opt/my \"tools\"\u{2028}/pacenote"] {
        let Some(output) = check(program) else {
            eprintln!("NOT CHECKED: there is no `node` here to read the plugin");
            return;
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
