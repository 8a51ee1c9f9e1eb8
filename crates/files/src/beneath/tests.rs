use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::fs::FileType;
use tempfile::{TempDir, tempdir};

use super::*;
use crate::write::{create_private_directory, rename, write_atomically};

const CAP: Bytes = Bytes::kib(1);

/// A skill beside a secret, with every kind of link in it.
fn skill() -> TempDir {
    let ground = tempdir().unwrap();
    let skill = ground.path().join("skill");
    create_private_directory(&skill.join("references/deep")).unwrap();
    write_atomically(&ground.path().join("secret"), b"secret").unwrap();
    write_atomically(&skill.join("SKILL.md"), b"text").unwrap();
    write_atomically(&skill.join("references/one.md"), b"one").unwrap();
    for (target, link) in [
        ("SKILL.md", "inside"),
        ("references", "directory"),
        ("../../SKILL.md", "references/deep/up"),
        ("directory/deep/../one.md", "through"),
        ("../secret", "outside"),
        ("references/../../secret", "around"),
        ("../skill/SKILL.md", "out and in"),
        ("/etc/passwd", "absolute"),
        ("/proc/self/root/etc/passwd", "magic"),
        ("nowhere", "dangling"),
        ("loop", "loop"),
        (".", "itself"),
    ] {
        symlink(target, skill.join(link)).unwrap();
    }
    ground
}

fn refusal_of(error: &FileError) -> Option<PathRefusal> {
    let FileError::Io { source, .. } = error else { return None };
    source.get_ref().and_then(|inner| inner.downcast_ref()).copied()
}

/// The same path, resolved by the kernel and part by part.
fn both_ways(beneath: &Beneath, relative: &Path) -> [Result<Vec<u8>, FileError>; 2] {
    let by_parts = open_by_parts(beneath.handle(), relative, FILE, Links::Follow);
    [beneath.read(relative, CAP), read_opened(by_parts, &beneath.path().join(relative), CAP)]
}

#[test]
fn what_is_inside_is_read_through_links_that_stay_inside() {
    let ground = skill();
    let beneath = Beneath::open(&ground.path().join("skill"), Links::Refuse).unwrap();
    for (relative, content) in [
        ("SKILL.md", "text"),
        ("./SKILL.md", "text"),
        ("references/one.md", "one"),
        ("inside", "text"),
        ("directory/one.md", "one"),
        ("references/deep/up", "text"),
        ("through", "one"),
        ("itself/itself/inside", "text"),
    ] {
        for read in both_ways(&beneath, Path::new(relative)) {
            assert_eq!(read.unwrap(), content.as_bytes(), "{relative}");
        }
    }
}

#[test]
fn links_that_lead_out_are_refused() {
    let ground = skill();
    let beneath = Beneath::open(&ground.path().join("skill"), Links::Refuse).unwrap();
    for relative in ["outside", "around", "out and in", "absolute", "magic", "itself/outside"] {
        for read in both_ways(&beneath, Path::new(relative)) {
            let error = read.unwrap_err();
            assert_eq!(refusal_of(&error), Some(PathRefusal::Leaves), "{relative}: {error:?}");
            assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        }
    }
    for read in both_ways(&beneath, Path::new("dangling")) {
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::NotFound);
    }
    for read in both_ways(&beneath, Path::new("loop")) {
        let FileError::Io { source, .. } = read.unwrap_err() else { panic!("not the system") };
        assert_eq!(source.raw_os_error(), Some(Errno::LOOP.raw_os_error()));
    }
}

#[test]
fn paths_that_are_no_inner_paths_never_reach_the_system() {
    let ground = skill();
    let beneath = Beneath::open(&ground.path().join("skill"), Links::Refuse).unwrap();
    for (relative, refusal) in [
        ("", PathRefusal::Empty),
        (".", PathRefusal::Empty),
        ("..", PathRefusal::Climbs),
        ("../secret", PathRefusal::Climbs),
        ("references/../SKILL.md", PathRefusal::Climbs),
        ("/etc/passwd", PathRefusal::Absolute),
        ("//server/share", PathRefusal::Absolute),
        ("SKILL.md\0.txt", PathRefusal::HoldsNul),
    ] {
        let error = beneath.read(Path::new(relative), CAP).unwrap_err();
        assert_eq!(refusal_of(&error), Some(refusal), "{relative:?}");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }
    let error = beneath.read(Path::new("../secret"), CAP).unwrap_err();
    let path = ground.path().join("skill/../secret");
    assert_eq!(error.to_string(), format!("cannot open `{}`", path.display()));
}

#[test]
fn only_regular_files_within_the_cap_are_read() {
    let ground = skill();
    let skill = ground.path().join("skill");
    let beneath = Beneath::open(&skill, Links::Refuse).unwrap();
    rustix::fs::mknodat(CWD, skill.join("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    let _listener = UnixListener::bind(skill.join("socket")).unwrap();
    for (relative, expected) in [
        ("pipe", FileKind::Fifo),
        ("socket", FileKind::Socket),
        ("references", FileKind::Directory),
        ("itself", FileKind::Directory),
    ] {
        for read in both_ways(&beneath, Path::new(relative)) {
            let error = read.unwrap_err();
            assert!(
                matches!(error, FileError::NotRegular { found, .. } if found == expected),
                "{relative}: {error:?}"
            );
        }
    }
    assert_eq!(beneath.read(Path::new("SKILL.md"), Bytes::new(4)).unwrap(), b"text");
    let error = beneath.read(Path::new("SKILL.md"), Bytes::new(3)).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
}

#[test]
fn the_directory_itself_may_be_a_link_only_when_that_is_allowed() {
    let ground = skill();
    let link = ground.path().join("link");
    symlink("skill", &link).unwrap();
    assert!(Beneath::open(&link, Links::Refuse).is_err());
    let beneath = Beneath::open(&link, Links::Follow).unwrap();
    assert_eq!(beneath.read(Path::new("SKILL.md"), CAP).unwrap(), b"text");
    assert!(Beneath::open(&ground.path().join("secret"), Links::Follow).is_err());
}

#[test]
fn without_links_means_none_on_the_whole_way() {
    let ground = skill();
    let beneath = Beneath::open(&ground.path().join("skill"), Links::Refuse).unwrap();
    for relative in ["inside", "directory/one.md", "itself/SKILL.md"] {
        for open in [open_beneath, open_by_parts] {
            let opened = open(beneath.handle(), Path::new(relative), FILE, Links::Refuse);
            assert_eq!(opened.unwrap_err(), Errno::LOOP, "{relative}");
        }
    }
    for open in [open_beneath, open_by_parts] {
        let path = Path::new("directory");
        assert_eq!(
            open(beneath.handle(), path, DIRECTORY, Links::Refuse).unwrap_err(),
            Errno::LOOP
        );
        assert!(open(beneath.handle(), path, DIRECTORY, Links::Follow).is_ok());
    }
}

/// Swaps against the way that only old systems go; `openat2` is raced a hundred thousand times.
const SWAPS: usize = 20_000;

#[test]
fn heavy_part_by_part_a_swapped_directory_leads_nowhere_else() {
    let ground = skill();
    let skill = ground.path().join("skill");
    write_atomically(&ground.path().join("one.md"), b"secret").unwrap();
    let beneath = Beneath::open(&skill, Links::Refuse).unwrap();
    let (done, next) = (AtomicBool::new(false), skill.join("next"));
    let reads = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0_usize;
            // Once more after the last swap, which leaves the good link.
            let mut is_last = false;
            while !is_last {
                is_last = done.load(Ordering::Acquire);
                let path = Path::new("way/one.md");
                let opened = open_by_parts(beneath.handle(), path, FILE, Links::Follow);
                if let Ok(content) = read_opened(opened, path, CAP) {
                    assert_eq!(content, b"one");
                    reads += 1;
                }
            }
            reads
        });
        for _ in 0..SWAPS / 2 {
            for target in ["..", "references"] {
                symlink(target, &next).unwrap();
                rename(&next, &skill.join("way")).unwrap();
            }
        }
        done.store(true, Ordering::Release);
        reader.join().unwrap()
    });
    assert!(reads > 0);
}
