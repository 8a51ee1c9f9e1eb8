//! A directory full of skills, and how long it takes to find, read and watch them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use pacenote_files::stamps::{FileTime, Stamps, revalidate};
use pacenote_files::walk::{LinkPolicy, Singles, SkillRoot, Walk, WalkCaps};
use pacenote_model::limits;
use pacenote_skill::skill::{self, Place};

/// How much of a file is read for its frontmatter.
const HEAD_BYTES: usize = 4096;

/// How far the walk goes: as far as the product's.
const CAPS: WalkCaps = WalkCaps {
    depth: limits::SKILL_DEPTH,
    directories: limits::SKILL_DIRECTORIES,
    entries: limits::SKILL_DIRECTORIES,
};

/// Rounds whose times are dropped, so that nobody pays for a cold cache.
const WARM_UP_ROUNDS: u32 = 2;

/// Finds every skill below a root, reads its frontmatter, and returns how many have a description.
pub fn read(root: &Path) -> usize {
    let root = SkillRoot::open(root, &LinkPolicy::Refuse).expect("the root");
    let walk = root.walk(Singles::Ignore, &CAPS);
    let described = AtomicUsize::new(0);
    root.read_heads(&walk.skills, HEAD_BYTES, |index, head| {
        let found = &walk.skills[index];
        let directory = found.directory.file_name().unwrap_or_default().to_string_lossy();
        let place = Place { directory: &directory, file: "SKILL.md" };
        let (skill, _) = skill::read(head.expect("a head"), &place);
        if skill.description.is_some() {
            described.fetch_add(1, Ordering::Relaxed);
        }
    });
    described.into_inner()
}

/// How long two ways to look at the same paths took, in milliseconds, round by round.
#[derive(Debug, Default)]
pub struct Watching {
    /// A sound answer to what changed.
    pub revalidate: Vec<f64>,
    /// A bare loop of `stat`.
    pub stat: Vec<f64>,
}

/// Times both ways in every round, each as often first as the other.
pub fn watch(root: &Path, rounds: u32) -> Watching {
    let (walk, stamps) = settled(root);
    let directories = walk.directories.iter().map(|(path, _)| path.clone());
    let files = walk.skills.iter().map(|found| found.file.clone());
    let paths: Vec<PathBuf> = directories.chain(files).collect();
    assert_eq!(paths.len(), stamps.len(), "both look at the same paths");

    let sound = || assert!(revalidate(&stamps).is_empty(), "nothing changes meanwhile");
    let bare = || {
        for path in &paths {
            fs::symlink_metadata(path).expect("it is there");
        }
    };
    let mut times = Watching::default();
    for round in 0..rounds + WARM_UP_ROUNDS {
        let (sound, bare) = if round % 2 == 0 {
            let sound = milliseconds(sound);
            (sound, milliseconds(bare))
        } else {
            let bare = milliseconds(bare);
            (milliseconds(sound), bare)
        };
        if round >= WARM_UP_ROUNDS {
            times.revalidate.push(sound);
            times.stat.push(bare);
        }
    }
    times
}

/// Walks until nothing is so young that a change could hide behind its stamp.
fn settled(root: &Path) -> (Walk, Stamps) {
    loop {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
        let seconds = i64::try_from(now.as_secs()).expect("a moment of this age");
        let walk = SkillRoot::open(root, &LinkPolicy::Refuse)
            .expect("the root")
            .walk(Singles::Ignore, &CAPS);
        let stamps = walk.stamps(FileTime::new(seconds, now.subsec_nanos()));
        if revalidate(&stamps).is_empty() {
            return (walk, stamps);
        }
        thread::sleep(Duration::from_secs(1));
    }
}

fn milliseconds(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_secs_f64() * 1000.0
}
