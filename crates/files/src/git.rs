//! Finding the project that a directory belongs to, by reading git's own files.
//!
//! Git is never started: a hook has no time for it, and a cloned repository can make it run
//! programs. Whatever is wrong with a repository on the way, it is passed over as if it were not
//! there: work in a directory never stops because of what lies in it.
//!
//! A project's key opens its tasks and mail, so a directory does not get one by asking: a clone can
//! bring an embedded bare repository, an archive any `.git`, and both can point at somebody else's
//! git directory. `Tie` says what is believed.

mod settings;
mod stripped;
mod tie;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::bytes::Bytes;
use crate::error::FileError;
use crate::open::{Links, inspect};
use crate::read::read_capped;
use crate::write::canonical;

pub use self::stripped::StrippedRepository;
use self::tie::Tie;

/// Largest `.git`, `commondir` or `HEAD` file: each holds one path or reference, and the longest
/// path of Linux is 4 KiB.
const POINTER: Bytes = Bytes::kib(8);

/// The directory by which a project without git is known, and which says that pacenote is used.
pub const MARKER: &str = ".pacenote";

/// What tells the user's data from a marker: `PACENOTE_HOME` may well be `~/.pacenote`, and then
/// every directory below the home would be one project. The log of failures may be there first.
const DATA: [&str; 2] = ["pacenote.db", "failures.jsonl"];

/// The project a directory belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectPlace {
    /// What identifies the project: git's common directory, or without git the root.
    pub key: PathBuf,
    /// The top of this worktree, or without git of the project.
    pub root: PathBuf,
    /// The top of the main worktree where that can be told, else the root.
    pub main_root: PathBuf,
    /// The name of the main root's directory.
    pub name: String,
    /// The branch that is checked out, if any.
    pub branch: Option<String>,
    /// Git's own directory for this worktree; without git, or without a worktree, there is none.
    pub git_directory: Option<PathBuf>,
    /// Whether git knows the project.
    pub kind: ProjectKind,
}

/// Whether git knows a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectKind {
    /// The project is a git repository.
    Git,
    /// The project is a plain directory.
    Plain,
}

/// Finds the project that `start` belongs to; only a `start` that cannot be reached is an error.
pub fn find_project(start: &Path) -> Result<ProjectPlace, FileError> {
    let mut start = canonical(start)?;
    if !is_directory(&start) {
        start.pop();
    }
    Ok(match find_repository(&start) {
        Some(repository) => repository.place(),
        None => plain_place(&start),
    })
}

/// Finds the innermost repository round a canonical path, unless it is only content of a worktree
/// round it.
fn find_repository(start: &Path) -> Option<Repository> {
    let mut candidate: Option<Repository> = None;
    // A canonical path has at most as many ancestors as fit the longest path, so this ends soon.
    for found in start.ancestors().filter_map(Repository::at) {
        let is_proven = found.is_proven;
        candidate = match candidate {
            Some(inner) if found.worktree.is_none() || found.holds(&inner) => Some(inner),
            Some(_) | None => Some(found),
        };
        if is_proven {
            break;
        }
    }
    candidate
}

/// Tells whether a directory says by its `.pacenote/` that pacenote is used in it.
pub fn is_marked(directory: &Path) -> bool {
    let marker = directory.join(MARKER);
    let is_there = |name| inspect(&marker.join(name), Links::Refuse).is_ok();
    is_directory(&marker) && !DATA.into_iter().any(is_there)
}

/// A repository that was found, with all its parts checked.
struct Repository {
    /// The top of the worktree; a bare repository and the inside of `.git` have none.
    worktree: Option<PathBuf>,
    /// Whether the worktree and the git directory belong together beyond doubt.
    is_proven: bool,
    /// Git's directory for the worktree.
    git_directory: PathBuf,
    /// What all worktrees of the repository share.
    common: PathBuf,
    /// What `HEAD` of this worktree says.
    head: Head,
}

/// What a `HEAD` refers to.
#[derive(Debug, PartialEq, Eq)]
enum Head {
    Branch(String),
    Elsewhere,
}

impl Repository {
    /// Returns the repository whose worktree or git directory is exactly `directory`, a canonical
    /// path.
    fn at(directory: &Path) -> Option<Self> {
        Self::of_worktree(directory).or_else(|| Self::open(directory))
    }

    /// Returns the repository of a worktree, by its `.git`.
    fn of_worktree(directory: &Path) -> Option<Self> {
        let dot_git = directory.join(".git");
        let git_directory = match inspect(&dot_git, Links::Refuse) {
            Ok(metadata) if metadata.is_dir() => dot_git,
            Ok(_) => git_directory_behind(&dot_git, directory)?,
            Err(_) => return None,
        };
        let found = Self::open(&git_directory)?;
        let is_proven = match Tie::of(directory, &found.git_directory, &found.common) {
            Tie::Proven => true,
            Tie::Unproven => false,
            Tie::Contradicted => return None,
        };
        Some(Self { worktree: Some(directory.to_path_buf()), is_proven, ..found })
    }

    /// Checks a git directory, by its canonical path, as git itself does: a `HEAD`, and `objects`
    /// and `refs` to share. Git believes any `commondir`; here only that of a linked worktree
    /// counts, because a clone can bring one that names somebody else's repository.
    fn open(git_directory: &Path) -> Option<Self> {
        let head = read_head(&git_directory.join("HEAD"))?;
        let common_file = git_directory.join("commondir");
        let common = if inspect(&common_file, Links::Refuse).is_ok() {
            let common = canonical(&pointed_to(&common_file, git_directory, b"")?).ok()?;
            (git_directory.parent()? == common.join("worktrees")).then_some(common)?
        } else {
            git_directory.to_path_buf()
        };
        let is_whole = ["objects", "refs"].iter().all(|part| is_directory(&common.join(part)));
        let git_directory = git_directory.to_path_buf();
        is_whole.then_some(Self { worktree: None, is_proven: false, git_directory, common, head })
    }

    /// Reports whether another repository is part of this one's own data, as submodules are.
    fn holds(&self, inner: &Self) -> bool {
        [&self.git_directory, &self.common].iter().any(|own| inner.git_directory.starts_with(own))
    }

    fn place(self) -> ProjectPlace {
        let beside_common = main_root_of(&self.common);
        let worktree = self.worktree.as_deref();
        let root = worktree.or(beside_common).unwrap_or(&self.common);
        let main_root = beside_common.unwrap_or(root);
        ProjectPlace {
            name: name_of(main_root),
            main_root: main_root.to_path_buf(),
            root: root.to_path_buf(),
            branch: match self.head {
                Head::Branch(branch) => Some(branch),
                Head::Elsewhere => None,
            },
            git_directory: self.worktree.is_some().then_some(self.git_directory),
            key: self.common,
            kind: ProjectKind::Git,
        }
    }
}

fn plain_place(start: &Path) -> ProjectPlace {
    let marked = start.ancestors().find(|directory| is_marked(directory));
    let root = marked.unwrap_or(start);
    place_without_files(root, root.to_path_buf())
}

/// Returns the place of the project with this `key` at a canonical `root`, without looking for its
/// `.git` or `.pacenote`: for one that is known to have been there.
pub fn place_without_files(root: &Path, key: PathBuf) -> ProjectPlace {
    let is_plain = key == root;
    let main_root = main_root_of(&key).unwrap_or(root).to_path_buf();
    ProjectPlace {
        name: name_of(&main_root),
        root: root.to_path_buf(),
        main_root,
        branch: None,
        git_directory: None,
        kind: if is_plain { ProjectKind::Plain } else { ProjectKind::Git },
        key,
    }
}

/// Returns the top of the main worktree, where the common directory of a repository says it.
fn main_root_of(common: &Path) -> Option<&Path> {
    common.parent().filter(|_| common.file_name() == Some(OsStr::new(".git")))
}

/// Returns the canonical path of the git directory that a `.git` leads to which is none itself: a
/// link, or a file that names it.
fn git_directory_behind(dot_git: &Path, directory: &Path) -> Option<PathBuf> {
    let metadata = inspect(dot_git, Links::Follow).ok()?;
    if metadata.is_dir() {
        return canonical(dot_git).ok();
    }
    let path = metadata.is_file().then(|| pointed_to(dot_git, directory, b"gitdir: "))??;
    canonical(&path).ok()
}

/// Reads a file that holds one path after `prefix`, which may be relative to `base`.
fn pointed_to(file: &Path, base: &Path, prefix: &[u8]) -> Option<PathBuf> {
    let content = read_capped(file, POINTER, Links::Follow).ok()?;
    let path = without_line_end(content.strip_prefix(prefix)?);
    (!path.is_empty()).then(|| base.join(OsStr::from_bytes(path)))
}

/// Reads a `HEAD`, or returns nothing when it is none.
fn read_head(path: &Path) -> Option<Head> {
    // Very old repositories have a link to the branch's own file, which need not exist yet.
    if let Ok(link) = path.read_link() {
        return parse_reference(link.as_os_str().as_bytes());
    }
    let content = read_capped(path, POINTER, Links::Refuse).ok()?;
    match content.strip_prefix(b"ref:") {
        Some(reference) => parse_reference(reference.trim_ascii()),
        None => is_object_id(without_line_end(&content)).then_some(Head::Elsewhere),
    }
}

fn parse_reference(reference: &[u8]) -> Option<Head> {
    let name = reference.strip_prefix(b"refs/")?;
    let Some(branch) = name.strip_prefix(b"heads/") else { return Some(Head::Elsewhere) };
    let branch = String::from_utf8_lossy(branch);
    // Git refuses control characters and leading dots in names; `.invalid` is what a repository
    // with another store of references writes here for readers like us.
    let is_name = !branch.is_empty()
        && !branch.starts_with('.')
        && !branch.chars().any(|character| character.is_control() || character == ' ');
    Some(if is_name { Head::Branch(branch.into_owned()) } else { Head::Elsewhere })
}

/// Takes away line ends only: a path may well end in a space.
fn without_line_end(content: &[u8]) -> &[u8] {
    let length = content.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r'));
    length.map_or(&[], |last| content.get(..=last).unwrap_or(content))
}

/// Tells whether this is the digest of a commit, SHA-1 or SHA-256.
fn is_object_id(text: &[u8]) -> bool {
    matches!(text.len(), 40 | 64) && text.iter().all(u8::is_ascii_hexdigit)
}

fn is_directory(path: &Path) -> bool {
    inspect(path, Links::Follow).is_ok_and(|metadata| metadata.is_dir())
}

fn name_of(directory: &Path) -> String {
    directory.file_name().unwrap_or(directory.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{self, Write};
    use std::os::unix::fs::symlink;

    use proptest::prelude::*;
    use tempfile::{TempDir, tempdir};

    use super::*;
    use crate::write::{create_private_directory, remove_file};

    const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

    /// A directory in which repositories are built file by file.
    struct Ground {
        _directory: TempDir,
        top: PathBuf,
    }

    impl Ground {
        fn new() -> Self {
            let directory = tempdir().unwrap();
            let top = canonical(directory.path()).unwrap();
            Self { _directory: directory, top }
        }

        fn path(&self, below: &str) -> PathBuf {
            self.top.join(below)
        }

        fn directory(&self, below: &str) -> PathBuf {
            create_private_directory(&self.path(below)).unwrap();
            self.path(below)
        }

        fn file(&self, below: &str, content: impl AsRef<[u8]>) -> PathBuf {
            let path = self.path(below);
            create_private_directory(path.parent().unwrap()).unwrap();
            let mut options = File::options();
            let mut file = options.write(true).create(true).truncate(true).open(&path).unwrap();
            file.write_all(content.as_ref()).unwrap();
            path
        }

        fn git_directory(&self, below: &str, head: &str) -> PathBuf {
            self.directory(&format!("{below}/objects"));
            self.directory(&format!("{below}/refs"));
            self.file(&format!("{below}/HEAD"), head);
            self.path(below)
        }

        /// Finds the project of a directory and shows it with paths relative to the ground.
        fn find(&self, start: &str) -> String {
            let place = find_project(&self.path(start)).unwrap();
            let shown = |path: &Path| match path.strip_prefix(&self.top) {
                Ok(below) if below == Path::new("") => ".".to_owned(),
                Ok(below) => below.display().to_string(),
                Err(_) => path.display().to_string(),
            };
            format!(
                "{:?} key={} root={} main={} name={} branch={}",
                place.kind,
                shown(&place.key),
                shown(&place.root),
                shown(&place.main_root),
                place.name,
                place.branch.as_deref().unwrap_or("-")
            )
        }
    }

    #[test]
    fn a_repository_is_found_from_anywhere_inside() {
        let ground = Ground::new();
        ground.git_directory("app/.git", "ref: refs/heads/main\n");
        ground.directory("app/src/deep");
        ground.file("app/src/main.rs", "");
        let expected = "Git key=app/.git root=app main=app name=app branch=main";
        for start in ["app", "app/src/deep", "app/src/main.rs", "app/.git", "app/.git/refs"] {
            assert_eq!(ground.find(start), expected, "{start}");
        }
        symlink(ground.path("app/src"), ground.path("link")).unwrap();
        assert_eq!(ground.find("link"), expected);
    }

    #[test]
    fn worktrees_share_the_key_of_their_repository() {
        let ground = Ground::new();
        ground.git_directory("app/.git", "ref: refs/heads/main\n");
        for (name, back) in
            [("fix", ground.path("fix/.git")), ("inner", "../../../../in/.git".into())]
        {
            let own = format!("app/.git/worktrees/{name}");
            ground.file(&format!("{own}/HEAD"), "ref: refs/heads/fix/one\n");
            ground.file(&format!("{own}/commondir"), "../..\n");
            ground.file(&format!("{own}/gitdir"), format!("{}\n", back.display()));
        }
        let absolute = ground.path("app/.git/worktrees/fix");
        ground.file("fix/.git", format!("gitdir: {}\n", absolute.display()));
        ground.file("in/.git", "gitdir: ../app/.git/worktrees/inner");
        assert_eq!(
            ground.find("fix"),
            "Git key=app/.git root=fix main=app name=app branch=fix/one"
        );
        assert_eq!(ground.find("in"), "Git key=app/.git root=in main=app name=app branch=fix/one");
        assert_eq!(
            ground.find("app/.git/worktrees/fix"),
            "Git key=app/.git root=app main=app name=app branch=fix/one"
        );
    }

    #[test]
    fn bare_repositories_and_their_worktrees_are_found() {
        let ground = Ground::new();
        ground.git_directory("app.git", "ref: refs/heads/main\n");
        ground.file("app.git/worktrees/fix/HEAD", "ref: refs/heads/fix\n");
        ground.file("app.git/worktrees/fix/commondir", "../..\n");
        ground.file("app.git/worktrees/fix/gitdir", "../../../fix/.git\n");
        ground.file("fix/.git", "gitdir: ../app.git/worktrees/fix\n");
        let bare = "Git key=app.git root=app.git main=app.git name=app.git branch=main";
        assert_eq!(ground.find("app.git"), bare);
        assert_eq!(ground.find("app.git/refs"), bare);
        assert_eq!(ground.find("fix"), "Git key=app.git root=fix main=fix name=fix branch=fix");
    }

    #[test]
    fn a_submodule_has_its_own_key() {
        let ground = Ground::new();
        ground.git_directory("app/.git", "ref: refs/heads/main\n");
        ground.git_directory("app/.git/modules/lib", &format!("{COMMIT}\n"));
        ground.file("app/vendor/lib/.git", "gitdir: ../../.git/modules/lib\n");
        assert_eq!(
            ground.find("app/vendor/lib"),
            "Git key=app/.git/modules/lib root=app/vendor/lib main=app/vendor/lib name=lib branch=-"
        );
        assert_eq!(
            ground.find("app/vendor"),
            "Git key=app/.git root=app main=app name=app branch=main"
        );
    }

    /// A project of the person with all that others may want to point at, and a clone of theirs.
    fn ground_with_other_projects() -> Ground {
        let ground = Ground::new();
        ground.git_directory("mine/.git", "ref: refs/heads/mine\n");
        ground.file("mine/.git/config", "[core]\n\tbare = false\n");
        ground.git_directory("bare.git", "ref: refs/heads/mine\n");
        ground.file("bare.git/config", "[core]\n\tbare = true\n");
        for (common, worktree) in [("mine/.git", "fix"), ("bare.git", "of-bare")] {
            let own = format!("{common}/worktrees/{worktree}");
            ground.file(&format!("{own}/HEAD"), "ref: refs/heads/mine\n");
            ground.file(&format!("{own}/commondir"), "../..\n");
            let back = ground.path(worktree).join(".git");
            ground.file(&format!("{own}/gitdir"), format!("{}\n", back.display()));
            ground.file(&format!("{worktree}/.git"), format!("gitdir: ../{own}\n"));
        }
        ground.git_directory("mine/.git/modules/lib", "ref: refs/heads/mine\n");
        ground.file("mine/.git/modules/lib/config", "[core]\n\tworktree = ../../../lib\n");
        ground.file("mine/lib/.git", "gitdir: ../.git/modules/lib\n");
        ground.git_directory("apart", "ref: refs/heads/mine\n");
        ground.file("apart/config", "[core]\n\tbare = false\n");
        ground.file("with-apart/.git", "gitdir: ../apart\n");
        ground.git_directory("clone/.git", "ref: refs/heads/theirs\n");
        ground
    }

    #[test]
    fn a_bare_repository_inside_a_worktree_is_only_content() {
        let ground = ground_with_other_projects();
        let clone = "Git key=clone/.git root=clone main=clone name=clone branch=theirs";
        ground.git_directory("clone/plain", "ref: refs/heads/theirs\n");
        assert_eq!(ground.find("clone/plain/refs"), clone);
        let others = ["mine/.git", "bare.git", "apart", "mine/.git/modules/lib"];
        for (number, other) in others.into_iter().enumerate() {
            let embedded = format!("clone/embedded-{number}");
            ground.git_directory(&embedded, "ref: refs/heads/theirs\n");
            ground.file(&format!("{embedded}/commondir"), format!("../../{other}\n"));
            // Also in the form of a worktree's own directory.
            let linked = format!("{embedded}/worktrees/x");
            ground.git_directory(&linked, "ref: refs/heads/theirs\n");
            ground.file(&format!("{linked}/commondir"), ground.path(other).as_os_str().as_bytes());
            for start in [&embedded, &linked, &format!("{embedded}/refs")] {
                assert_eq!(ground.find(start), clone, "{start} -> {other}");
            }
        }
        for start in ["bare.git", "bare.git/refs"] {
            let bare = "Git key=bare.git root=bare.git main=bare.git name=bare.git branch=mine";
            assert_eq!(ground.find(start), bare, "{start}");
        }
    }

    #[test]
    fn a_forged_dot_git_hands_over_no_other_project() {
        let ground = ground_with_other_projects();
        let targets = [
            "mine/.git",
            "mine/.git/worktrees/fix",
            "mine/.git/modules/lib",
            "bare.git",
            "bare.git/worktrees/of-bare",
        ];
        for (number, target) in targets.into_iter().enumerate() {
            let target = ground.path(target);
            for top in ["clone/", ""] {
                let [by_file, by_link, by_common] =
                    ["file", "link", "common"].map(|kind| format!("{top}{kind}-{number}"));
                ground.file(&format!("{by_file}/.git"), format!("gitdir: {}\n", target.display()));
                ground.directory(&by_link);
                symlink(&target, ground.path(&by_link).join(".git")).unwrap();
                ground.git_directory(&format!("{by_common}/.git"), "ref: refs/heads/theirs\n");
                let common = target.as_os_str().as_bytes();
                ground.file(&format!("{by_common}/.git/commondir"), common);
                for start in [by_file, by_link, by_common] {
                    let found = ground.find(&start);
                    let expected =
                        if top.is_empty() { "Plain key=" } else { "Git key=clone/.git " };
                    assert!(
                        found.starts_with(expected),
                        "{start} -> {}: {found}",
                        target.display()
                    );
                }
            }
        }
    }

    #[test]
    fn a_separate_git_directory_counts_where_nothing_is_round_it() {
        let ground = ground_with_other_projects();
        let apart = "Git key=apart root=with-apart main=with-apart name=with-apart branch=mine";
        assert_eq!(ground.find("with-apart"), apart);
        ground.git_directory("with-apart/embedded", "ref: refs/heads/theirs\n");
        assert_eq!(ground.find("with-apart/embedded"), apart);
        ground.file("clone/inner/.git", "gitdir: ../../apart\n");
        assert!(ground.find("clone/inner").starts_with("Git key=clone/.git "));
        // The git directory names it, so it is what it says.
        ground.file("apart/config", "[core]\n\tworktree = ../clone/inner\n");
        assert!(ground.find("clone/inner").starts_with("Git key=apart root=clone/inner "));
        assert!(ground.find("with-apart").starts_with("Plain key="), "another one is named");
    }

    #[test]
    fn a_directory_round_a_project_does_not_become_that_project() {
        let targets = [
            "mine/.git",
            "bare.git",
            "deps/bare.git",
            "deps/shared.git",
            "mine/.git/modules/lib",
            "mine/.git/worktrees/fix",
        ];
        for target in targets {
            for by_link in [false, true] {
                let ground = ground_with_other_projects();
                ground.git_directory("deps/bare.git", "ref: refs/heads/mine\n");
                ground.file("deps/bare.git/config", "[core]\n\tbare = true\n");
                // Where worktrees have settings of their own, git keeps this one there.
                ground.git_directory("deps/shared.git", "ref: refs/heads/mine\n");
                ground.file("deps/shared.git/config", "[extensions]\n\tworktreeConfig = true\n");
                ground.file("deps/shared.git/config.worktree", "[core]\n\tbare = true\n");
                if by_link {
                    symlink(target, ground.path(".git")).unwrap();
                } else {
                    ground.file(".git", format!("gitdir: {target}\n"));
                }
                let found = ground.find(".");
                assert!(found.starts_with("Plain key=. "), "{target}: {found}");
                let mine = "Git key=mine/.git root=mine main=mine name=mine branch=mine";
                assert_eq!(ground.find("mine"), mine, "{target}");
            }
        }
        // Where the git directory names it, it is what it says.
        let ground = ground_with_other_projects();
        ground.git_directory("deep/down", "ref: refs/heads/main\n");
        ground.file("deep/down/config", "[core]\n\tworktree = ../..\n");
        ground.file(".git", "gitdir: deep/down\n");
        assert!(ground.find(".").starts_with("Git key=deep/down root=. "));
    }

    #[test]
    fn a_bare_repository_beside_its_worktrees_may_be_named_by_their_directory() {
        let ground = Ground::new();
        ground.git_directory("app/.bare", "ref: refs/heads/main\n");
        ground.file("app/.bare/config", "[core]\n\tbare = true\n");
        ground.file("app/.git", "gitdir: ./.bare\n");
        ground.file("app/.bare/worktrees/fix/HEAD", "ref: refs/heads/fix\n");
        ground.file("app/.bare/worktrees/fix/commondir", "../..\n");
        ground.file("app/.bare/worktrees/fix/gitdir", "../../../fix/.git\n");
        ground.file("app/fix/.git", "gitdir: ../.bare/worktrees/fix\n");
        for (start, expected) in [
            ("app", "Git key=app/.bare root=app main=app name=app branch=main"),
            (
                "app/.bare/refs",
                "Git key=app/.bare root=app/.bare main=app/.bare name=.bare branch=main",
            ),
            ("app/fix", "Git key=app/.bare root=app/fix main=app/fix name=fix branch=fix"),
        ] {
            assert_eq!(ground.find(start), expected, "{start}");
        }
    }

    #[test]
    fn a_head_tells_the_branch_or_that_there_is_none() {
        let sha256 = "ab".repeat(32);
        let table = [
            ("ref: refs/heads/main\n", Some(Some("main"))),
            ("ref:refs/heads/a/b\r\n", Some(Some("a/b"))),
            ("ref: \t refs/heads/ü", Some(Some("ü"))),
            ("ref: refs/heads/.invalid\n", Some(None)),
            ("ref: refs/heads/\n", Some(None)),
            ("ref: refs/heads/a\u{1b}[31m\n", Some(None)),
            ("ref: refs/heads/a b\n", Some(None)),
            ("ref: refs/remotes/origin/main\n", Some(None)),
            (COMMIT, Some(None)),
            (&sha256, Some(None)),
            ("ref: /etc/passwd\n", None),
            ("0123", None),
            ("main\n", None),
            ("", None),
        ];
        for (content, expected) in table {
            let ground = Ground::new();
            ground.git_directory(".git", content);
            let place = find_project(&ground.top).unwrap();
            let kind = if expected.is_some() { ProjectKind::Git } else { ProjectKind::Plain };
            assert_eq!(place.kind, kind, "{content:?}");
            assert_eq!(place.branch.as_deref(), expected.flatten(), "{content:?}");
        }
    }

    #[test]
    fn a_head_may_be_a_link_as_git_once_made_them() {
        let ground = Ground::new();
        ground.git_directory("app/.git", "");
        let head = ground.path("app/.git/HEAD");
        for (target, branch) in [("refs/heads/old", Some("old")), ("refs/stash", None)] {
            remove_file(&head).unwrap();
            symlink(target, &head).unwrap();
            let place = find_project(&ground.path("app")).unwrap();
            assert_eq!((place.kind, place.branch.as_deref()), (ProjectKind::Git, branch));
        }
        remove_file(&head).unwrap();
        symlink("/etc/hostname", &head).unwrap();
        assert_eq!(find_project(&ground.path("app")).unwrap().kind, ProjectKind::Plain);
    }

    #[test]
    fn what_is_no_repository_is_passed_over() {
        let outer = "Git key=.git root=. main=. name=";
        let table: [(&str, &[u8]); 9] = [
            ("garbage", b"\xff\x00garbage"),
            ("empty", b""),
            ("no path", b"gitdir: \n"),
            ("itself", b"gitdir: .git\n"),
            ("nowhere", b"gitdir: /nowhere/at/all\n"),
            ("no git directory", b"gitdir: ..\n"),
            ("a NUL", b"gitdir: ../.git\0\n"),
            ("no space", b"gitdir:../.git\n"),
            ("too large", &[b'x'; 9000]),
        ];
        for (what, content) in table {
            let ground = Ground::new();
            ground.git_directory(".git", "ref: refs/heads/main\n");
            ground.file("inner/.git", content);
            assert!(ground.find("inner").starts_with(outer), "{what}: {}", ground.find("inner"));
        }
    }

    #[test]
    fn a_git_directory_that_lacks_a_part_is_passed_over() {
        let ground = Ground::new();
        ground.git_directory(".git", "ref: refs/heads/main\n");
        ground.directory("empty/.git");
        ground.file("bodiless/.git/HEAD", "ref: refs/heads/x\n");
        ground.git_directory("no-refs/.git", "ref: refs/heads/x\n");
        crate::remove::remove_tree(&ground.path("no-refs/.git/refs")).unwrap();
        ground.git_directory("no-objects/.git", "ref: refs/heads/x\n");
        crate::remove::remove_tree(&ground.path("no-objects/.git/objects")).unwrap();
        ground.git_directory("lost/.git", "ref: refs/heads/x\n");
        ground.file("lost/.git/commondir", "../../nowhere\n");
        ground.git_directory("large/.git", "ref: refs/heads/x\n");
        ground.file("large/.git/commondir", "x".repeat(9000));
        ground.directory("ring");
        symlink(".git", ground.path("ring/.git")).unwrap();
        for start in ["empty", "bodiless", "no-refs", "no-objects", "lost", "large", "ring"] {
            assert!(ground.find(start).starts_with("Git key=.git root=. "), "{start}");
        }
    }

    #[test]
    fn a_huge_dot_git_is_not_read() {
        let ground = Ground::new();
        let path = ground.file("app/.git", "gitdir: ");
        File::options().write(true).open(path).unwrap().set_len(1 << 30).unwrap();
        assert_eq!(find_project(&ground.path("app")).unwrap().kind, ProjectKind::Plain);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_named_pipe_where_git_keeps_files_does_not_hang() {
        let ground = Ground::new();
        ground.git_directory(".git", "ref: refs/heads/main\n");
        let make = |below: &str| {
            let path = ground.path(below);
            rustix::fs::mkfifoat(rustix::fs::CWD, &path, crate::open::PRIVATE_FILE).unwrap();
        };
        ground.directory("pointer");
        make("pointer/.git");
        ground.directory("head/.git/objects");
        ground.directory("head/.git/refs");
        make("head/.git/HEAD");
        ground.git_directory("common/.git", "ref: refs/heads/x\n");
        make("common/.git/commondir");
        for start in ["pointer", "head", "common"] {
            assert!(ground.find(start).starts_with("Git key=.git root=. "), "{start}");
        }
    }

    #[test]
    fn without_git_the_nearest_marked_directory_is_the_project() {
        let ground = Ground::new();
        ground.directory("app/.pacenote");
        ground.directory("app/src/deep");
        ground.file("app/notes.txt", "");
        let marked = "Plain key=app root=app main=app name=app branch=-";
        assert_eq!(ground.find("app/src/deep"), marked);
        assert_eq!(ground.find("app/notes.txt"), marked);
        ground.directory("loose/src");
        ground.file("loose/.pacenote", "a file marks nothing");
        let loose = "Plain key=loose/src root=loose/src main=loose/src name=src branch=-";
        assert_eq!(ground.find("loose/src"), loose);
        ground.file("loose/src/main.rs", "");
        assert_eq!(ground.find("loose/src/main.rs"), loose);
        assert_eq!(find_project(Path::new("/")).unwrap().name, "/");
    }

    #[test]
    fn the_users_data_marks_no_project() {
        let ground = Ground::new();
        ground.file("home/.pacenote/pacenote.db", "");
        ground.file("home/notes/.pacenote/failures.jsonl", "");
        ground.directory("home/notes/deep");
        ground.directory("home/app/.pacenote");
        ground.directory("home/app/src");
        let table = [
            ("home", "Plain key=home root=home main=home name=home branch=-"),
            (
                "home/notes/deep",
                "Plain key=home/notes/deep root=home/notes/deep main=home/notes/deep name=deep branch=-",
            ),
            ("home/app/src", "Plain key=home/app root=home/app main=home/app name=app branch=-"),
        ];
        for (start, expected) in table {
            assert_eq!(ground.find(start), expected, "{start}");
        }
        ground.directory(".pacenote");
        assert!(
            ground.find("home/notes/deep").starts_with("Plain key=. root=. "),
            "one further up"
        );
    }

    #[test]
    fn a_start_that_cannot_be_reached_is_an_error() {
        let ground = Ground::new();
        let file = ground.file("file", "");
        let below = file.join("below");
        let error = find_project(&below).unwrap_err();
        assert_eq!((error.kind(), error.path()), (io::ErrorKind::NotADirectory, below.as_path()));
        let error = find_project(&ground.path("missing")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    proptest! {
        #[test]
        fn no_content_of_gits_files_stops_the_search(
            pointer in prop::collection::vec(any::<u8>(), 0..200),
            head in prop::collection::vec(any::<u8>(), 0..200),
            common in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            let ground = Ground::new();
            ground.file("pointer/.git", [b"gitdir: ".as_slice(), &pointer].concat());
            ground.git_directory("head/.git", "");
            ground.file("head/.git/HEAD", [b"ref: refs/heads/".as_slice(), &head].concat());
            ground.git_directory("common/.git", COMMIT);
            ground.file("common/.git/commondir", &common);
            for start in ["pointer", "head", "common"] {
                let place = find_project(&ground.path(start)).unwrap();
                prop_assert!(place.root.is_absolute() && place.key.is_absolute());
                let printable = |branch: String| !branch.chars().any(char::is_control);
                prop_assert!(place.branch.is_none_or(printable));
            }
        }
    }
}
