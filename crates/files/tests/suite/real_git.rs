//! The same answers as git itself gives, on repositories that git itself made.

use std::path::{Path, PathBuf};
use std::process::Command;

use pacenote_files::git::{ProjectKind, find_project};
use pacenote_files::{canonical, create_private_directory};
use tempfile::tempdir;

#[expect(clippy::disallowed_methods, reason = "only git can say what git says")]
fn git(directory: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(directory)
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "Someone")))
        .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "someone@example")))
        .output()
        .unwrap();
    output.status.success().then(|| String::from_utf8(output.stdout).unwrap().trim_end().to_owned())
}

fn run(directory: &Path, arguments: &[&str]) {
    assert!(git(directory, arguments).is_some(), "git {arguments:?}");
}

/// Compares our answer for a directory with git's.
fn assert_same(start: &Path) {
    let place = find_project(start).unwrap();
    assert_eq!(place.kind, ProjectKind::Git, "{}", start.display());
    let common = git(start, &["rev-parse", "--path-format=absolute", "--git-common-dir"]).unwrap();
    assert_eq!(place.key, canonical(Path::new(&common)).unwrap(), "{}", start.display());
    if let Some(top) = git(start, &["rev-parse", "--show-toplevel"]) {
        assert_eq!(place.root, PathBuf::from(top), "{}", start.display());
    }
    let branch = git(start, &["symbolic-ref", "--short", "--quiet", "HEAD"]);
    assert_eq!(place.branch, branch, "{}", start.display());
}

#[test]
fn we_find_what_git_finds() {
    let directory = tempdir().unwrap();
    let top = canonical(directory.path()).unwrap();
    let app = top.join("app");
    run(&top, &["init", "app"]);
    assert_same(&app);
    run(&app, &["commit", "--allow-empty", "--message", "first"]);
    create_private_directory(&app.join("src/deep")).unwrap();
    assert_same(&app.join("src/deep"));
    assert_same(&app.join(".git/refs"));

    run(&app, &["worktree", "add", "-b", "fix/one", "../fix"]);
    run(&app, &["worktree", "add", "--detach", "inside/detached"]);
    run(&app, &["-c", "worktree.useRelativePaths=true", "worktree", "add", "../relative"]);
    for worktree in ["fix", "app/inside/detached", "relative"] {
        let worktree = top.join(worktree);
        assert_same(&worktree);
        let place = find_project(&worktree).unwrap();
        assert_eq!((place.key, place.main_root), (app.join(".git"), app.clone()));
        assert_eq!(place.name, "app");
    }

    run(&top, &["clone", "--bare", "app", "app.git"]);
    run(&top.join("app.git"), &["worktree", "add", "../of-bare", "fix/one"]);
    run(&top, &["clone", "--separate-git-dir", "elsewhere", "app", "apart"]);
    run(&top, &["init", "--object-format=sha256", "other"]);
    for repository in ["app.git", "of-bare", "apart", "other"] {
        assert_same(&top.join(repository));
    }

    run(&app, &["submodule", "add", "../app.git", "vendor/library"]);
    assert_same(&app.join("vendor/library"));
    assert_same(&app.join("vendor"));
    run(&app.join("vendor/library"), &["checkout", "--detach"]);
    assert_same(&app.join("vendor/library"));
    run(&app.join("vendor/library"), &["worktree", "add", "../../../of-library"]);
    assert_same(&top.join("of-library"));
}
