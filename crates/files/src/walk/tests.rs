use std::fs::{File, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::Mutex;

use rustix::fs::{CWD, FileType, Mode};
use tempfile::{TempDir, tempdir};

use super::*;
use crate::bytes::Bytes;
use crate::open::{Links, inspect};
use crate::stamps::revalidate;
use crate::stamps::tests::wait_for_the_next_granule;
use crate::write::{canonical, create_private_directory};

const CAPS: WalkCaps = WalkCaps { depth: 6, directories: 10_000, entries: 10_000 };

/// A directory in which roots are built file by file.
struct Ground {
    _directory: TempDir,
    top: PathBuf,
}

impl Ground {
    fn new(files: &[&str]) -> Self {
        let directory = tempdir().unwrap();
        let ground = Self { top: canonical(directory.path()).unwrap(), _directory: directory };
        create_private_directory(&ground.root()).unwrap();
        for file in files {
            ground.write(file);
        }
        ground
    }

    fn root(&self) -> PathBuf {
        self.top.join("root")
    }

    /// Writes a file that holds its own path.
    fn write(&self, file: &str) {
        let path = self.top.join(file);
        create_private_directory(path.parent().unwrap()).unwrap();
        let mut new = File::options().write(true).create_new(true).open(&path).unwrap();
        new.write_all(file.as_bytes()).unwrap();
    }

    fn link(&self, target: &str, link: &str) {
        let target = match target.strip_prefix('/') {
            Some(below_top) => self.top.join(below_top),
            None => PathBuf::from(target),
        };
        symlink(target, self.top.join(link)).unwrap();
    }

    fn owner(&self) -> u32 {
        inspect(&self.top, Links::Refuse).unwrap().uid()
    }

    fn open(&self, policy: &LinkPolicy) -> SkillRoot {
        SkillRoot::open(&self.root(), policy).unwrap()
    }

    fn user(&self) -> SkillRoot {
        self.open(&LinkPolicy::User { owner: self.owner() })
    }

    fn relative<'a>(&self, path: &'a Path) -> &'a str {
        path.strip_prefix(self.root()).unwrap().to_str().unwrap()
    }

    /// Lists a walk: what was found with its kind, then what was passed over with the reason.
    fn told(&self, walk: &Walk) -> Vec<String> {
        let found = walk.skills.iter().map(|found| {
            let file = self.relative(&found.file);
            assert_eq!(found.file.parent().unwrap(), found.directory);
            match &found.kind {
                Kind::Skill => format!("skill {file}"),
                Kind::Agent { of } => format!("agent {file} of {}", self.relative(of)),
                Kind::Single => format!("single {file}"),
            }
        });
        let refused =
            walk.refused.iter().map(|one| format!("{}: {}", self.relative(&one.path), one.why));
        found.chain(refused).collect()
    }
}

#[test]
fn skills_agents_and_single_files_are_found() {
    let ground = Ground::new(&[
        "root/plain/SKILL.md",
        "root/plain/references/SKILL.md",
        "root/plain/nested/SKILL.md",
        "root/plain/agents/reviewer/SKILL.md",
        "root/plain/agents/reviewer/deeper/SKILL.md",
        "root/plain/agents/writer.md",
        "root/plain/agents/openai.yaml",
        "root/plain/agents/.hidden.md",
        "root/group/inner/SKILL.md",
        "root/group/agents/inner/SKILL.md",
        "root/group/notes.md",
        "root/.git/SKILL.md",
        "root/node_modules/package/SKILL.md",
        "root/single.md",
        "root/.hidden.md",
        "root/script.sh",
    ]);
    let all = [
        "skill group/agents/inner/SKILL.md",
        "skill group/inner/SKILL.md",
        "skill plain/SKILL.md",
        "agent plain/agents/reviewer/SKILL.md of plain",
        "agent plain/agents/writer.md of plain",
        "single single.md",
    ];
    let root = ground.open(&LinkPolicy::Refuse);
    let walk = root.walk(Singles::Accept, &CAPS);
    assert_eq!(ground.told(&walk), all);
    assert_eq!(ground.told(&root.walk(Singles::Ignore, &CAPS)), all[..5]);
    let directories: Vec<_> =
        walk.directories.iter().map(|(path, _)| ground.relative(path)).collect();
    assert_eq!(
        directories,
        [
            "",
            "group",
            "group/agents",
            "group/agents/inner",
            "group/inner",
            "plain",
            "plain/agents",
            "plain/agents/reviewer"
        ]
    );
    for found in &walk.skills {
        let content = root.read(found, Bytes::kib(1)).unwrap();
        assert_eq!(content, format!("root/{}", ground.relative(&found.file)).as_bytes());
        assert_eq!(Some(found.stamp), Stamp::of(&found.file));
    }
}

#[test]
fn a_root_may_be_a_skill_and_hides_nothing() {
    let ground = Ground::new(&[
        "root/SKILL.md",
        "root/agents/one.md",
        "root/references/SKILL.md",
        "root/other/SKILL.md",
    ]);
    let walk = ground.open(&LinkPolicy::Refuse).walk(Singles::Accept, &CAPS);
    assert_eq!(
        ground.told(&walk),
        ["skill SKILL.md", "agent agents/one.md of ", "skill other/SKILL.md"]
    );
}

#[test]
fn another_case_is_found_and_noted_and_the_exact_name_wins() {
    let ground = Ground::new(&[
        "root/lower/skill.md",
        "root/lower/agents/one.md",
        "root/lower/inner/SKILL.md",
        "root/mixed/Skill.md",
        "root/mixed/sKILL.md",
        "root/both/SKILL.md",
        "root/both/skill.md",
    ]);
    let walk = ground.open(&LinkPolicy::Refuse).walk(Singles::Accept, &CAPS);
    assert_eq!(
        ground.told(&walk),
        [
            "skill both/SKILL.md",
            "agent lower/agents/one.md of lower",
            "skill lower/skill.md",
            "skill mixed/Skill.md"
        ]
    );
    let noted: Vec<_> = walk.other_case.iter().map(|path| ground.relative(path)).collect();
    assert_eq!(noted, ["lower/skill.md", "mixed/Skill.md", "mixed/sKILL.md"]);
}

#[test]
fn linked_skills_are_followed_as_the_policy_says() {
    let ground = Ground::new(&[
        "root/plain/SKILL.md",
        "elsewhere/linked/SKILL.md",
        "elsewhere/linked/agents/one.md",
        "elsewhere/many/a/SKILL.md",
        "elsewhere/many/b/SKILL.md",
    ]);
    ground.link("/elsewhere/linked", "root/absolute");
    ground.link("../elsewhere/linked", "root/relative");
    ground.link("../elsewhere/many", "root/many");
    ground.link("plain", "root/alias");
    ground.link("gone", "root/dangling");
    ground.link("plain/SKILL.md", "root/file");
    let followed = [
        "skill absolute/SKILL.md",
        "agent absolute/agents/one.md of absolute",
        "skill alias/SKILL.md",
        "skill many/a/SKILL.md",
        "skill many/b/SKILL.md",
        "skill plain/SKILL.md",
        "skill relative/SKILL.md",
        "agent relative/agents/one.md of relative",
        "dangling: entity not found",
    ];
    let user = ground.user();
    let walk = user.walk(Singles::Ignore, &CAPS);
    assert_eq!(ground.told(&walk), followed);
    for found in &walk.skills {
        assert!(user.read(found, Bytes::kib(1)).is_ok(), "{found:?}");
        assert!(user.skill(&found.directory).is_ok());
    }
    let repository = ground.open(&LinkPolicy::Within(ground.top.clone()));
    assert_eq!(ground.told(&repository.walk(Singles::Ignore, &CAPS)), followed);

    let narrow = ground.open(&LinkPolicy::Within(ground.root()));
    let leaves = "it is a link that leads outside";
    assert_eq!(
        ground.told(&narrow.walk(Singles::Ignore, &CAPS)),
        [
            "skill alias/SKILL.md".to_owned(),
            "skill plain/SKILL.md".to_owned(),
            format!("absolute: {leaves}"),
            "dangling: entity not found".to_owned(),
            format!("many: {leaves}"),
            format!("relative: {leaves}"),
        ]
    );
    // What another policy found is not read under this one.
    for found in walk.skills.iter().filter(|found| !found.file.ends_with("plain/SKILL.md")) {
        let is_inside = found.file.starts_with(ground.root().join("alias"));
        assert_eq!(narrow.read(found, Bytes::kib(1)).is_ok(), is_inside, "{found:?}");
    }

    let refusing = ground.open(&LinkPolicy::Refuse).walk(Singles::Ignore, &CAPS);
    assert_eq!(refusing.skills.len(), 1);
    assert_eq!(refusing.refused.len(), 6);
    assert!(refusing.refused.iter().all(|refused| refused.why == Why::LinkRefused));
}

#[test]
fn a_link_to_a_directory_of_somebody_else_is_refused() {
    let ground = Ground::new(&["root/plain/SKILL.md", "elsewhere/SKILL.md"]);
    ground.link("../elsewhere", "root/linked");
    let owner = ground.owner();
    let root = ground.open(&LinkPolicy::User { owner: owner + 1 });
    assert_eq!(
        ground.told(&root.walk(Singles::Ignore, &CAPS)),
        [
            "skill plain/SKILL.md".to_owned(),
            format!("linked: it is a link to a directory that belongs to user {owner}")
        ]
    );
}

#[test]
fn the_root_itself_is_under_the_policy() {
    let ground = Ground::new(&["root/plain/SKILL.md", "repository/file"]);
    ground.link("../root", "repository/skills");
    let link = ground.top.join("repository/skills");
    let owner = ground.owner();
    for (policy, opens) in [
        (LinkPolicy::Refuse, false),
        (LinkPolicy::User { owner }, true),
        (LinkPolicy::User { owner: owner + 1 }, false),
        (LinkPolicy::Within(ground.top.join("repository")), false),
        (LinkPolicy::Within(ground.top.clone()), true),
    ] {
        assert_eq!(SkillRoot::open(&link, &policy).is_ok(), opens, "{policy:?}");
        let missing = SkillRoot::open(&ground.top.join("missing"), &policy).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound, "{policy:?}");
    }
}

#[test]
fn no_link_inside_a_skill_leaves_it() {
    let ground = Ground::new(&[
        "secret/SKILL.md",
        "root/good/text.md",
        "root/good/parts/agent/SKILL.md",
        "root/good/parts/two.md",
        "root/bad/agents/plain/file",
        "root/bad/SKILL.md",
        "root/loop/SKILL.md",
    ]);
    ground.link("text.md", "root/good/SKILL.md");
    ground.link("parts", "root/good/agents");
    ground.link("../text.md", "root/good/parts/three.md");
    ground.link("agent", "root/good/parts/four");
    ground.link("../../../secret", "root/bad/agents/outside");
    ground.link("../../../secret/SKILL.md", "root/bad/agents/one.md");
    ground.link("../../../../secret/SKILL.md", "root/bad/agents/plain/SKILL.md");
    create_private_directory(&ground.root().join("stolen")).unwrap();
    ground.link("../../secret/SKILL.md", "root/stolen/SKILL.md");
    ground.link(".", "root/loop/agents");
    let leaves = "it is a link that leads outside";
    let root = ground.user();
    let walk = root.walk(Singles::Ignore, &CAPS);
    assert_eq!(
        ground.told(&walk),
        [
            "skill bad/SKILL.md".to_owned(),
            "skill good/SKILL.md".to_owned(),
            "agent good/agents/agent/SKILL.md of good".to_owned(),
            "agent good/agents/four/SKILL.md of good".to_owned(),
            "agent good/agents/three.md of good".to_owned(),
            "agent good/agents/two.md of good".to_owned(),
            "skill loop/SKILL.md".to_owned(),
            format!("bad/agents/one.md: {leaves}"),
            format!("bad/agents/outside: {leaves}"),
            format!("bad/agents/plain/SKILL.md: {leaves}"),
            "loop/agents: it leads back to a directory above it".to_owned(),
            format!("stolen/SKILL.md: {leaves}"),
        ]
    );
    for found in &walk.skills {
        assert!(root.read(found, Bytes::kib(1)).is_ok(), "{found:?}");
    }
    // Nor is it read when somebody claims to have found it.
    for refused in walk.refused.iter().filter(|refused| refused.why == Why::LinkLeaves) {
        let directory = refused.path.parent().unwrap().to_path_buf();
        let kind = Kind::Agent { of: ground.root().join("bad") };
        let stamp = walk.skills[0].stamp;
        for kind in [kind, Kind::Skill] {
            let (file, directory) = (refused.path.clone(), directory.clone());
            let claimed = Found { file, directory, kind, stamp };
            assert!(root.read(&claimed, Bytes::kib(1)).is_err(), "{claimed:?}");
        }
    }
}

#[test]
fn what_is_no_file_and_what_is_too_much_is_passed_over() {
    let ground = Ground::new(&["root/good/SKILL.md", "root/a/b/c/SKILL.md", "root/a/b/d/SKILL.md"]);
    for name in ["pipe", "socket", "directory/SKILL.md"] {
        create_private_directory(&ground.root().join(name)).unwrap();
    }
    let pipe = ground.root().join("pipe/SKILL.md");
    rustix::fs::mknodat(CWD, pipe, FileType::Fifo, Mode::RUSR, 0).unwrap();
    let _listener = UnixListener::bind(ground.root().join("socket/SKILL.md")).unwrap();
    ground.link("..", "root/up");
    ground.link("../a", "root/a/again");
    let root = ground.user();
    let depth_two = WalkCaps { depth: 2, ..CAPS };
    assert_eq!(
        ground.told(&root.walk(Singles::Ignore, &depth_two)),
        [
            "skill good/SKILL.md",
            "a/again: it leads back to a directory above it",
            "a/b/c: it is more than 2 directories below the root",
            "a/b/d: it is more than 2 directories below the root",
            "directory/SKILL.md: it is a directory, not a regular file",
            "pipe/SKILL.md: it is a named pipe, not a regular file",
            "socket/SKILL.md: it is a socket, not a regular file",
            "up/root: it leads back to a directory above it",
        ]
    );
    let few = root.walk(Singles::Ignore, &WalkCaps { directories: 1, ..CAPS });
    assert_eq!(ground.told(&few), [": there are more than 1 directories"]);
    let few = root.walk(Singles::Ignore, &WalkCaps { entries: 1, ..CAPS });
    assert_eq!(few.refused[0].why, Why::TooManyEntries { most: 1 });
    assert_eq!(few.refused[0].path, ground.root());
}

#[test]
fn a_directory_that_may_not_be_listed_is_passed_over() {
    let ground = Ground::new(&["root/good/SKILL.md", "root/closed/inner/SKILL.md"]);
    let closed = ground.root().join("closed");
    std::fs::set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
    let walk = ground.user().walk(Singles::Ignore, &CAPS);
    std::fs::set_permissions(&closed, Permissions::from_mode(0o700)).unwrap();
    // Nothing is closed to the superuser.
    if ground.owner() != 0 {
        assert_eq!(ground.told(&walk), ["skill good/SKILL.md", "closed: permission denied"]);
    }
    assert_eq!(ground.user().walk(Singles::Ignore, &CAPS).skills.len(), 2);
}

#[test]
fn heads_of_many_files_are_read_each_once() {
    let files: Vec<_> = (0..200).map(|number| format!("root/{number:03}/SKILL.md")).collect();
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    let ground = Ground::new(&files);
    let root = ground.user();
    let mut found = root.walk(Singles::Ignore, &CAPS).skills;
    assert_eq!(found.len(), 200);
    found[7].file = ground.root().join("007/missing");
    found[8].file = ground.root().join("../secret");
    found[9].file = ground.top.clone();
    let heads = Mutex::new(vec![None; found.len()]);
    root.read_heads(&found, 8, |index, head| {
        let head = head.map(<[u8]>::to_vec).map_err(|error| error.kind());
        assert_eq!(heads.lock().unwrap()[index].replace(head), None);
    });
    for (index, head) in heads.into_inner().unwrap().into_iter().enumerate() {
        let expected = match index {
            7 => Err(io::ErrorKind::NotFound),
            8 => Err(io::ErrorKind::InvalidInput),
            9 => Err(io::ErrorKind::PermissionDenied),
            _ => Ok(format!("root/{index:03}").into_bytes()),
        };
        assert_eq!(head, Some(expected), "{index}");
    }
}

#[test]
fn the_stamps_of_a_walk_see_whatever_another_walk_would() {
    let ground = Ground::new(&["root/one/SKILL.md", "root/group/two/SKILL.md", "else/SKILL.md"]);
    ground.link("../gone", "root/dangling");
    let root = ground.user();
    let later = FileTime::new(i64::MAX, 0);
    let stamps = || {
        let stamps = root.walk(Singles::Accept, &CAPS).stamps(later);
        wait_for_the_next_granule();
        stamps
    };
    let known = stamps();
    assert!(revalidate(&known).is_empty());
    create_private_directory(&ground.top.join("gone")).unwrap();
    assert_eq!(revalidate(&known).appeared, [ground.root().join("dangling")]);
    let known = stamps();
    ground.write("root/group/three/SKILL.md");
    assert_eq!(revalidate(&known).changed_directories, [ground.root().join("group")]);
    let known = stamps();
    ground.write("root/one/agents/new.md");
    assert_eq!(revalidate(&known).changed_directories, [ground.root().join("one")]);
    let known = stamps();
    ground.write("root/single.md");
    assert_eq!(revalidate(&known).changed_directories, [ground.root()]);
    // What was just read may change within the same moment, so it is read again.
    let now = stamps().len();
    let stamps = root.walk(Singles::Accept, &CAPS).stamps(FileTime::new(0, 0));
    let changes = revalidate(&stamps);
    assert_eq!(changes.changed_files.len() + changes.changed_directories.len(), now);
}
