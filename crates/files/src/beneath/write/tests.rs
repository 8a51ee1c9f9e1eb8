use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::{TempDir, tempdir};

use super::*;
use crate::write::{canonical, create_private_directory, list_directory, write_atomically};

const CAP: Bytes = Bytes::kib(1);

/// A project beside a directory that is none of its business.
struct Neighbours(TempDir);

impl Neighbours {
    fn new() -> Self {
        let ground = tempdir().unwrap();
        for name in ["project/deep", "home/inner"] {
            create_private_directory(&ground.path().join(name)).unwrap();
        }
        for name in ["home/settings", "home/inner/settings", "project/settings"] {
            write_atomically(&ground.path().join(name), b"theirs").unwrap();
        }
        Self(ground)
    }

    fn project(&self) -> PathBuf {
        self.0.path().join("project")
    }

    fn beneath(&self) -> Beneath {
        Beneath::open(&self.project(), Links::Refuse).unwrap()
    }

    /// Returns every name outside the project with what it is and its content.
    fn outside(&self) -> Vec<(PathBuf, FileKind, Option<Vec<u8>>)> {
        let mut found = Vec::new();
        let mut waiting = vec![self.0.path().join("home")];
        while let Some(directory) = waiting.pop() {
            for entry in list_directory(&directory).unwrap() {
                let path = directory.join(entry.name);
                if entry.kind == FileKind::Directory {
                    waiting.push(path.clone());
                }
                let content = crate::read::read_capped(&path, CAP, Links::Refuse).ok();
                found.push((path, entry.kind, content));
            }
        }
        found
    }
}

#[test]
fn a_file_is_created_with_its_directories_and_replaced() {
    let ground = Neighbours::new();
    let beneath = ground.beneath();
    let path = Path::new(".pacenote/runs/1/.gitignore");
    for content in [b"one".as_slice(), b"two"] {
        beneath.write(path, content, Readers::Everyone).unwrap();
        assert_eq!(beneath.read_unlinked(path, CAP).unwrap(), content);
    }
    let mode = |path: &str| {
        std::fs::symlink_metadata(ground.project().join(path)).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(mode(".pacenote/runs/1/.gitignore"), 0o644);
    beneath.write(Path::new("own"), b"", Readers::Owner).unwrap();
    assert_eq!(mode("own"), 0o600);
    beneath.write(Path::new("private/own"), b"", Readers::Owner).unwrap();
    assert_eq!(mode("private"), 0o700);
    let names: Vec<_> = list_directory(&ground.project().join(".pacenote/runs/1")).unwrap();
    assert_eq!(names.len(), 1);
    assert_eq!(beneath.kind_of(path).unwrap(), Some(FileKind::Regular));
    assert_eq!(beneath.kind_of(Path::new(".pacenote")).unwrap(), Some(FileKind::Directory));
    assert_eq!(beneath.kind_of(Path::new("no/such")).unwrap(), None);
    beneath.remove_file(path).unwrap();
    assert!(beneath.remove_empty_directory(Path::new(".pacenote/runs/1")).unwrap());
    assert!(!beneath.remove_empty_directory(Path::new(".pacenote")).unwrap());
    assert!(beneath.remove_empty_directory(Path::new("no/such")).unwrap());
}

#[test]
fn what_stands_in_the_way_is_named() {
    let ground = Neighbours::new();
    let beneath = ground.beneath();
    let at = |name: &str| ground.project().join(name);
    symlink("../home/settings", at("last")).unwrap();
    symlink("../home", at("above")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    let write = |path: &str| {
        let error = beneath.write(Path::new(path), b"ours", Readers::Everyone).unwrap_err();
        error.to_string().replace(ground.0.path().to_str().unwrap(), "")
    };
    let table = [
        ("last", "cannot open `/project/last`: it is a symbolic link, not a regular file"),
        ("dangling", "cannot open `/project/dangling`: it is a symbolic link, not a regular file"),
        ("deep", "cannot open `/project/deep`: it is a directory, not a regular file"),
        ("above/new", "cannot use `/project/above` as a directory: it is a symbolic link"),
        ("settings/new", "cannot use `/project/settings` as a directory: it is a regular file"),
        ("../home/settings", "cannot open `/project/../home/settings`"),
        ("/etc/passwd", "cannot open `/etc/passwd`"),
        ("", "cannot open `/project/`"),
    ];
    for (path, expected) in table {
        assert_eq!(write(path), expected);
    }
    let read = |path: &str| beneath.read_unlinked(Path::new(path), CAP).unwrap_err().kind();
    assert_eq!(read("last"), io::ErrorKind::InvalidInput);
    assert_eq!(read("above/settings"), io::ErrorKind::NotADirectory);
    assert_eq!(read("missing"), io::ErrorKind::NotFound);
}

#[test]
fn only_the_leftovers_of_killed_writers_are_swept() {
    let ground = Neighbours::new();
    let beneath = ground.beneath();
    for name in ["deep/.pacenote-1-1.tmp", "deep/.pacenote-notes", "deep/b.tmp"] {
        beneath.write(Path::new(name), b"", Readers::Owner).unwrap();
    }
    symlink("../../home/settings", ground.project().join("deep/.pacenote-2-2.tmp")).unwrap();
    beneath.remove_leftovers(Path::new("deep")).unwrap();
    let names = list_directory(&ground.project().join("deep")).unwrap();
    let names: Vec<_> = names.iter().map(|entry| entry.name.to_str().unwrap()).collect();
    assert_eq!(names, [".pacenote-2-2.tmp", ".pacenote-notes", "b.tmp"]);
    beneath.remove_leftovers(Path::new("missing")).unwrap();
    symlink("../home", ground.project().join("linked")).unwrap();
    assert!(beneath.remove_leftovers(Path::new("linked")).is_err());
}

/// What a clone puts in our way.
fn obstacle() -> impl Strategy<Value = (String, &'static str)> {
    let name = prop::sample::select(vec!["a", "a/b", "a/b/c", "d", "d/b"]);
    let target = prop::sample::select(vec![
        "dir",
        "file",
        "pipe",
        "../home",
        "../home/settings",
        "../home/new",
        "../../home/inner",
        "../../home/inner/settings",
        "../../../home/inner/new",
        ".",
        "..",
        "d",
        "a/b",
    ]);
    (name.prop_map(str::to_owned), target)
}

proptest! {
    #[test]
    fn nothing_outside_is_touched_whatever_stands_in_the_way(
        obstacles in prop::collection::vec(obstacle(), 0..6),
        wanted in prop::sample::select(vec!["a", "a/b", "a/b/c", "a/b/c/e", "d/b/c", "d"]),
    ) {
        let ground = Neighbours::new();
        for (name, target) in &obstacles {
            let path = ground.project().join(name);
            // One that cannot be set up, because another is in its way, is skipped; one that is set
            // up through a link lies outside, and belongs there.
            match *target {
                "dir" => std::fs::create_dir(&path).ok(),
                "file" => std::fs::File::create_new(&path).ok().map(drop),
                "pipe" => rustix::fs::mknodat(
                    rustix::fs::CWD, &path, FileType::Fifo, Mode::RWXU, 0,
                ).ok(),
                target => symlink(target, &path).ok(),
            };
        }
        let before = ground.outside();
        let beneath = ground.beneath();
        let wanted = Path::new(wanted);
        let written = beneath.write(wanted, b"ours", Readers::Everyone);
        if written.is_ok() {
            prop_assert_eq!(beneath.read_unlinked(wanted, CAP).unwrap(), b"ours");
            prop_assert!(canonical(&ground.project().join(wanted)).unwrap()
                .starts_with(canonical(&ground.project()).unwrap()));
        }
        beneath.remove_file(wanted).ok();
        beneath.create_directory(wanted, Readers::Owner).ok();
        beneath.remove_empty_directory(wanted).ok();
        beneath.remove_leftovers(wanted).ok();
        prop_assert_eq!(ground.outside(), before);
    }
}
