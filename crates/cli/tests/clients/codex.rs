//! What Codex itself keeps of us, and what it keeps when we are gone.

use std::{fs, os::unix::fs::symlink, path::PathBuf};

use pacenote_testkit::desk::Desk;

/// A desk with Codex on the `PATH`, and settings of the person; `None` in a run without clients.
fn desk_with(settings: &str) -> Option<(Desk, PathBuf)> {
    let client = crate::client("PACENOTE_CLIENT_CODEX")?;
    let mut desk = Desk::with_installed(env!("CARGO_BIN_EXE_pacenote"));
    let directory = desk.root().join("clients");
    fs::create_dir_all(&directory).expect("a directory");
    symlink(client, directory.join("codex")).expect("a link to the client");
    let search = format!("{}:/usr/bin:/bin", directory.display());
    desk.set("PATH", &search).unset("PACENOTE_AGENT");
    let file = desk.root().join("home/.codex/config.toml");
    fs::create_dir_all(file.parent().expect("a parent")).expect("a directory");
    fs::write(&file, settings).expect("settings");
    Some((desk, file))
}

#[test]
fn heavy_settings_that_others_edited_are_theirs_again_to_the_byte() {
    const SETTINGS: &str = "# mine\nmodel = \"x\"\n\n[tui]\nnotifications = true\n";
    let edits: [fn(&str) -> String; 5] = [
        str::to_owned,
        |text| format!("# on top\n{text}"),
        |text| text.replace("\"x\"", "\"y\""),
        |text| format!("{text}\n[projects.\"/shop\"]\ntrust_level = \"trusted\"\n"),
        |text| text.replace("notifications = true", "notifications = false"),
    ];
    let Some((desk, file)) = desk_with(SETTINGS) else { return };
    for (number, edit) in edits.into_iter().enumerate() {
        fs::write(&file, SETTINGS).expect("settings");
        let init = desk.run("init --host codex --yes");
        assert!(
            init.stdout.contains("Codex calls our hooks now"),
            "{} {}",
            init.stdout,
            init.stderr
        );
        let trusted = fs::read_to_string(&file).expect("settings");
        assert!(trusted.contains("[hooks.state]"), "{trusted}");
        fs::write(&file, edit(&trusted)).expect("settings");
        let gone = desk.run("uninstall --yes");
        assert_eq!(gone.code, "0", "{}", gone.stderr);
        let left = fs::read_to_string(&file).expect("settings");
        assert_eq!(left, edit(SETTINGS), "edit {number}");
    }
}

#[test]
fn heavy_a_client_whose_settings_do_not_load_calls_no_hooks() {
    let Some((desk, _)) = desk_with("model_provider = \"nowhere\"\n") else { return };
    let init = desk.run("init --host codex --yes");
    assert!(init.stdout.contains("Codex has our hooks now, and calls none"), "{}", init.stdout);
    assert!(init.stderr.contains("Model provider `nowhere` not found"), "{}", init.stderr);
    let doctor = desk.run("doctor").stdout;
    assert!(doctor.contains("it loads none of our hooks: Model provider"), "{doctor}");
}
