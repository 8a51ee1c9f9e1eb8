//! Links that are swapped between check and use, a hundred thousand times: nothing outside is read.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use pacenote_files::walk::{LinkPolicy, Singles, SkillRoot, WalkCaps};
use pacenote_files::{
    Beneath, Bytes, Links, canonical, create_private_directory, rename, write_atomically,
};
use tempfile::{TempDir, tempdir};

/// How often something takes the place of something else while it is read.
const SWAPS: usize = 100_000;

const CAP: Bytes = Bytes::kib(1);
const CAPS: WalkCaps = WalkCaps { depth: 6, directories: 100, entries: 100 };

/// A skill root with one skill, beside a directory of the same shape that holds a secret.
fn ground() -> (TempDir, PathBuf) {
    let directory = tempdir().unwrap();
    let top = canonical(directory.path()).unwrap();
    for (path, content) in [
        ("root/skill/references/text.md", "public"),
        ("root/skill/SKILL.md", "public"),
        ("root/other/references/text.md", "public"),
        ("root/other/SKILL.md", "public"),
        ("secret/references/text.md", "secret"),
        ("secret/SKILL.md", "secret"),
        ("secret/text.md", "secret"),
    ] {
        let path = top.join(path);
        create_private_directory(path.parent().unwrap()).unwrap();
        write_atomically(&path, content.as_bytes()).unwrap();
    }
    (directory, top)
}

/// Puts links to the bad and the good target at `path` in turn while another thread reads, and
/// returns how often that thread got something.
fn race(path: &Path, [bad, good]: [&str; 2], read: impl Fn() -> usize + Sync) -> usize {
    let (done, next) = (AtomicBool::new(false), path.with_extension("next"));
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0;
            // Once more after the last swap, which leaves the good link.
            let mut is_last = false;
            while !is_last {
                is_last = done.load(Ordering::Acquire);
                reads += read();
            }
            reads
        });
        for _ in 0..SWAPS / 2 {
            for target in [bad, good] {
                symlink(target, &next).unwrap();
                rename(&next, path).unwrap();
            }
        }
        done.store(true, Ordering::Release);
        reader.join().unwrap()
    })
}

#[test]
fn heavy_a_link_inside_a_skill_never_leads_out() {
    let (_directory, top) = ground();
    let skill = top.join("root/skill");
    let beneath = Beneath::open(&skill, Links::Refuse).unwrap();
    // Both as the file itself and as a directory on the way to it.
    for (link, targets, relative) in [
        ("file", ["../../secret/text.md", "references/text.md"], "file"),
        ("way", ["../../secret/references", "references"], "way/text.md"),
    ] {
        let reads = race(&skill.join(link), targets, || {
            let Ok(content) = beneath.read(Path::new(relative), CAP) else { return 0 };
            assert_eq!(content, b"public");
            1
        });
        assert!(reads > 0);
    }
}

#[test]
fn heavy_a_linked_skill_never_leads_out_of_the_repository() {
    let (_directory, top) = ground();
    let root_path = top.join("root");
    let root = SkillRoot::open(&root_path, &LinkPolicy::Within(root_path.clone())).unwrap();
    symlink("other", root_path.join("linked")).unwrap();
    let walk = root.walk(Singles::Ignore, &CAPS);
    let found = walk.skills.iter().find(|found| found.file.ends_with("linked/SKILL.md")).unwrap();
    let reads = race(&root_path.join("linked"), ["../secret", "other"], || {
        let Ok(content) = root.read(found, CAP) else { return 0 };
        assert_eq!(content, b"public");
        1
    });
    assert!(reads > 0);
}
