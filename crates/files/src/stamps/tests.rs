use std::fs::File;
use std::os::unix::fs::{FileExt, symlink};

use proptest::prelude::*;
use rustix::fs::{CWD, Timespec, Timestamps};
use tempfile::{TempDir, tempdir};

use super::*;
use crate::write::{create_private_directory, remove_file, rename, write_atomically};

/// A moment after which nothing on this disk changed, so that every stamp is certain.
const LATER: FileTime = FileTime::new(i64::MAX, 0);

/// Some skills, each a directory with one file.
struct Ground {
    top: TempDir,
    skills: Vec<PathBuf>,
}

impl Ground {
    fn new(skills: usize) -> Self {
        let top = tempdir().unwrap();
        let skills = (0..skills).map(|number| top.path().join(format!("skill-{number}")));
        let ground = Self { skills: skills.collect(), top };
        for skill in &ground.skills {
            create_private_directory(skill).unwrap();
            write_new(&skill.join("SKILL.md"), b"text");
        }
        ground
    }

    fn file(&self, skill: usize) -> PathBuf {
        self.skills[skill].join("SKILL.md")
    }

    fn stamps(&self) -> Stamps {
        let mut stamps = Stamps::new();
        let top = self.top.path();
        stamps.add_directory(top, Stamp::of(top).unwrap(), LATER);
        for (number, skill) in self.skills.iter().enumerate() {
            stamps.add_directory(skill, Stamp::of(skill).unwrap(), LATER);
            let file = self.file(number);
            stamps.add_file(&file, Stamp::of(&file).unwrap(), LATER);
        }
        stamps
    }
}

/// Waits until the clock of the disk is past every stamp taken so far: what changes from now on
/// shows, as it does for every stamp that is not uncertain.
pub(crate) fn wait_for_the_next_granule() {
    let directory = tempdir().unwrap();
    let now = |number: usize| {
        let path = directory.path().join(number.to_string());
        write_new(&path, b"");
        Stamp::of(&path).unwrap().changed
    };
    let start = now(0);
    for number in 1.. {
        if now(number) > start {
            return;
        }
    }
}

/// Writes a file that no crash need spare.
fn write_new(path: &Path, content: &[u8]) {
    let file = File::options().write(true).create_new(true).open(path).unwrap();
    file.write_all_at(content, 0).unwrap();
}

fn edit_in_place_and_hide_it(path: &Path) {
    let before = Stamp::of(path).unwrap();
    let file = File::options().write(true).open(path).unwrap();
    file.write_all_at(b"TEXT", 0).unwrap();
    let modified = Timespec {
        tv_sec: before.modified.seconds(),
        tv_nsec: before.modified.nanoseconds().into(),
    };
    let times = Timestamps { last_access: modified, last_modification: modified };
    rustix::fs::utimensat(CWD, path, &times, rustix::fs::AtFlags::empty()).unwrap();
    let after = Stamp::of(path).unwrap();
    assert_eq!((after.modified, after.size), (before.modified, before.size));
}

#[test]
fn nothing_changed_is_nothing_reported() {
    // More than one thread's worth.
    let ground = Ground::new(WORTH_A_THREAD);
    let stamps = ground.stamps();
    assert_eq!(stamps.len(), 2 * WORTH_A_THREAD + 1);
    assert!(revalidate(&stamps).is_empty());
    wait_for_the_next_granule();
    remove_file(&ground.file(WORTH_A_THREAD - 1)).unwrap();
    write_atomically(&ground.file(0), b"other").unwrap();
    let changes = revalidate(&stamps);
    assert_eq!(changes.vanished_files, [ground.file(WORTH_A_THREAD - 1)]);
    assert_eq!(changes.changed_files, [ground.file(0)]);
    assert_eq!(
        changes.changed_directories,
        [ground.skills[0].clone(), ground.skills[WORTH_A_THREAD - 1].clone()]
    );
}

#[test]
fn an_edit_that_keeps_size_and_time_is_seen() {
    let ground = Ground::new(2);
    let stamps = ground.stamps();
    wait_for_the_next_granule();
    edit_in_place_and_hide_it(&ground.file(0));
    let changes = revalidate(&stamps);
    assert_eq!(changes.changed_files, [ground.file(0)]);
}

#[test]
fn what_was_absent_appears_and_what_a_link_leads_to_is_watched() {
    let ground = Ground::new(2);
    let (absent, link) = (ground.top.path().join("skill-0/absent"), ground.top.path().join("link"));
    symlink("skill-0", &link).unwrap();
    let mut stamps = Stamps::new();
    stamps.add_absent(&absent);
    stamps.add_directory(&link, Stamp::of(&link).unwrap(), LATER);
    assert!(revalidate(&stamps).is_empty());

    wait_for_the_next_granule();
    create_private_directory(&absent).unwrap();
    let changes = revalidate(&stamps);
    assert_eq!((changes.appeared, changes.changed_directories), (vec![absent], vec![link.clone()]));

    let mut stamps = Stamps::new();
    stamps.add_directory(&link, Stamp::of(&link).unwrap(), LATER);
    let next = ground.top.path().join("next");
    symlink("skill-1", &next).unwrap();
    rename(&next, &link).unwrap();
    assert_eq!(revalidate(&stamps).changed_directories, std::slice::from_ref(&link));
    symlink("nowhere", &next).unwrap();
    rename(&next, &link).unwrap();
    assert_eq!(revalidate(&stamps).vanished_directories, [link]);
}

#[test]
fn what_was_read_about_when_it_changed_is_read_again() {
    let ground = Ground::new(1);
    let file = ground.file(0);
    let stamp = Stamp::of(&file).unwrap();
    let moved = |seconds: i64| {
        FileTime::new(stamp.changed.seconds() + seconds, stamp.changed.nanoseconds())
    };
    for (read, uncertain) in [
        (moved(-1), true),
        (moved(0), true),
        (moved(GRANULE), true),
        (moved(GRANULE + 1), false),
        (FileTime::from_millis(i64::MIN), true),
        (FileTime::from_millis(i64::MAX), false),
    ] {
        assert_eq!(stamp.is_uncertain(read), uncertain, "{read:?}");
        let mut stamps = Stamps::new();
        stamps.add_file(&file, stamp, read);
        assert_eq!(!revalidate(&stamps).changed_files.is_empty(), uncertain, "{read:?}");
        // The doubt survives the packing.
        assert_eq!(Stamps::from_bytes(&stamps.to_bytes()), Ok(stamps));
    }
}

#[test]
fn milliseconds_are_split_downwards() {
    for (millis, seconds, nanoseconds) in
        [(0, 0, 0), (1_999, 1, 999_000_000), (-1, -1, 999_000_000), (-1_000, -1, 0)]
    {
        assert_eq!(FileTime::from_millis(millis), FileTime::new(seconds, nanoseconds));
    }
}

/// What may happen to a skill between two commands.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Nothing,
    Replace,
    ChangeInPlace,
    ChangeAndHideIt,
    Delete,
    DeleteDirectory,
    RenameFile,
    AddBeside,
    SwapWithNext,
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        Just(Edit::Nothing),
        Just(Edit::Replace),
        Just(Edit::ChangeInPlace),
        Just(Edit::ChangeAndHideIt),
        Just(Edit::Delete),
        Just(Edit::DeleteDirectory),
        Just(Edit::RenameFile),
        Just(Edit::AddBeside),
        Just(Edit::SwapWithNext),
    ]
}

/// Does the edit to the first of two skills that are its own.
fn perform(ground: &Ground, first: usize, edit: Edit) {
    let (skill, file) = (&ground.skills[first], ground.file(first));
    match edit {
        Edit::Nothing => {}
        Edit::Replace => write_atomically(&file, b"text").unwrap(),
        Edit::ChangeInPlace => {
            File::options().write(true).open(&file).unwrap().write_all_at(b"T", 0).unwrap();
        }
        Edit::ChangeAndHideIt => edit_in_place_and_hide_it(&file),
        Edit::Delete => remove_file(&file).unwrap(),
        Edit::DeleteDirectory => crate::remove::remove_tree(skill).unwrap(),
        Edit::RenameFile => rename(&file, &skill.join("other")).unwrap(),
        Edit::AddBeside => write_atomically(&skill.join("new"), b"new").unwrap(),
        Edit::SwapWithNext => {
            let (next, between) = (ground.file(first + 1), ground.top.path().join("between"));
            rename(&file, &between).unwrap();
            rename(&next, &file).unwrap();
            rename(&between, &next).unwrap();
        }
    }
}

fn any_stamp() -> impl Strategy<Value = Stamp> {
    (any::<(i64, u32)>(), any::<(i64, u32)>(), any::<(u64, u64, u64)>()).prop_map(
        |(modified, changed, (size, inode, device))| Stamp {
            modified: FileTime::new(modified.0, modified.1),
            changed: FileTime::new(changed.0, changed.1),
            size,
            inode,
            device,
        },
    )
}

fn any_stamps() -> impl Strategy<Value = Stamps> {
    let path = prop_oneof![
        4 => "(/home/[a-c]/skills)?/[a-c]{1,3}(/SKILL.md)?".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..300),
    ];
    let entry = (path, 0..3_u8, any_stamp(), any::<i64>());
    prop::collection::vec(entry, 0..20).prop_map(|entries| {
        let mut stamps = Stamps::new();
        for (path, what, stamp, read) in entries {
            let (path, read) = (owned(&path), FileTime::new(read, 0));
            match what {
                0 => stamps.add_file(&path, stamp, read),
                1 => stamps.add_directory(&path, stamp, read),
                _ => stamps.add_absent(&path),
            }
        }
        stamps
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn every_edit_is_seen_and_nothing_else(edits in prop::collection::vec(edit(), 1..5)) {
        let ground = Ground::new(2 * edits.len());
        let stamps = ground.stamps();
        wait_for_the_next_granule();
        for (number, edit) in edits.iter().enumerate() {
            perform(&ground, 2 * number, *edit);
        }
        let changes = revalidate(&Stamps::from_bytes(&stamps.to_bytes()).unwrap());
        for (number, edit) in edits.iter().enumerate() {
            let first = 2 * number;
            let is_in = |paths: &[PathBuf], path: &Path| paths.iter().any(|one| one == path);
            let seen = [first, first + 1].map(|skill| {
                let (file, directory) = (ground.file(skill), &ground.skills[skill]);
                (
                    is_in(&changes.changed_files, &file),
                    is_in(&changes.vanished_files, &file),
                    is_in(&changes.changed_directories, directory),
                    is_in(&changes.vanished_directories, directory),
                )
            });
            let untouched = (false, false, false, false);
            let expected = match edit {
                Edit::Nothing => [untouched; 2],
                Edit::Replace => [(true, false, true, false), untouched],
                Edit::ChangeInPlace | Edit::ChangeAndHideIt => [(true, false, false, false), untouched],
                Edit::Delete | Edit::RenameFile => [(false, true, true, false), untouched],
                Edit::DeleteDirectory => [(false, true, false, true), untouched],
                Edit::AddBeside => [(false, false, true, false), untouched],
                Edit::SwapWithNext => [(true, false, true, false); 2],
            };
            prop_assert_eq!(seen, expected, "{:?}", edit);
        }
    }
}

proptest! {
    #[test]
    fn what_is_packed_is_unpacked(stamps in any_stamps()) {
        prop_assert_eq!(Stamps::from_bytes(&stamps.to_bytes()), Ok(stamps));
    }

    #[test]
    fn every_damage_is_noticed(stamps in any_stamps(), at in any::<prop::sample::Index>(), flip in 1_u8..) {
        let mut blob = stamps.to_bytes();
        let shorter = at.index(blob.len());
        prop_assert!(Stamps::from_bytes(&blob[..shorter]).is_err());
        blob[shorter] ^= flip;
        prop_assert!(Stamps::from_bytes(&blob).is_err());
        blob[shorter] ^= flip;
        blob.push(0);
        prop_assert!(Stamps::from_bytes(&blob).is_err());
    }

    #[test]
    fn content_that_was_never_packed_is_no_panic(content in prop::collection::vec(any::<u8>(), 0..200)) {
        let blob = packed::with_checksum(&content);
        if let Ok(stamps) = Stamps::from_bytes(&blob) {
            prop_assert_eq!(Stamps::from_bytes(&stamps.to_bytes()), Ok(stamps));
        }
    }
}
