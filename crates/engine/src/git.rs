//! Asking git about a project. Every call of git is made here.
//!
//! A repository's configuration can make git run programs, and an archive brings its own `.git`.
//! So git never sees that configuration ([`StrippedRepository`]), and of the person's own only the
//! settings in [`PERSONAL`]: a filter or a monitor that a person set up for their own repositories
//! would otherwise run on a stranger's files, and some of them read the repository's settings in
//! turn. Git is not asked to find the repository either, so it never looks at an embedded one, and
//! it has no protocol to fetch missing objects with.

use std::{
    collections::BTreeMap,
    env::{join_paths, split_paths},
    ffi::OsString,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use pacenote_files::{
    canonical, exists,
    git::{ProjectPlace, StrippedRepository, is_marked},
};
use pacenote_fleet::{Launch, start};

/// The longest wait for one answer: git needs a second for a hundred thousand files, and forever
/// for a named pipe that lies where it expects a file.
const PATIENCE: Duration = Duration::from_secs(3);

/// The longest wait for all answers about one worktree, because the other projects wait as well.
const PATIENCE_FOR_ALL: Duration = Duration::from_secs(8);

/// The most memory that git may fill: a million files in an index take some 300 MiB, and a device
/// that lies where git expects a file has no end. What git only maps does not count.
const MEMORY: u64 = 1 << 30;

/// Directories for programs that are searched wherever they lie. Only an administrator or a package
/// manager writes there, and that of Homebrew is a git repository.
const SYSTEM: [&str; 9] = [
    "/usr/local/sbin",
    "/usr/local/bin",
    "/usr/sbin",
    "/usr/bin",
    "/sbin",
    "/bin",
    "/opt/homebrew/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/opt/local/bin",
];

/// The person's settings that decide which files count as changed, as an expression for git.
const PERSONAL: &str =
    "^core\\.(autocrlf|checkstat|eol|excludesfile|filemode|ignorecase|symlinks|trustctime)$";

/// The variable that names the directory of the person's settings, where it is not `~/.config`.
const CONFIG_HOME: &str = "XDG_CONFIG_HOME";

/// A worktree that git can be asked about.
pub(crate) struct AskableWorktree<'a> {
    root: &'a Path,
    git_directory: &'a Path,
    stripped: StrippedRepository,
    search_path: OsString,
    /// The person's settings, as `key=value`.
    personal: Vec<String>,
    /// When the last answer must be there.
    deadline: Instant,
}

/// Why there is no use in asking git more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoAnswer {
    /// Git could not be started.
    NotStarted,
    /// Git took too long.
    TimedOut,
}

impl<'a> AskableWorktree<'a> {
    /// Returns the worktree of a project; `None` when it has none.
    pub(crate) fn of(
        place: &'a ProjectPlace,
        variables: &BTreeMap<String, String>,
    ) -> Result<Option<Self>, NoAnswer> {
        let Some(git_directory) = place.git_directory.as_deref() else { return Ok(None) };
        let search_path = variables.get("PATH").and_then(|path| directories_outside(path));
        let mut worktree = Self {
            root: &place.root,
            git_directory,
            stripped: StrippedRepository::of(place).map_err(|_| NoAnswer::NotStarted)?,
            search_path: search_path.ok_or(NoAnswer::NotStarted)?,
            personal: Vec::new(),
            deadline: Instant::now() + PATIENCE_FOR_ALL,
        };
        worktree.personal = worktree.read_personal(variables)?;
        Ok(Some(worktree))
    }

    /// Asks git and returns at most `most` lines of its answer; none when it refuses.
    pub(crate) fn ask(&self, arguments: &[&str], most: usize) -> Result<Vec<String>, NoAnswer> {
        let answer = self.answer_to(arguments)?;
        Ok(answer.lines().take(most).map(str::to_owned).collect())
    }

    /// Asks git a question with `-z` and returns at most `most` names of files, as they are: in
    /// lines git would quote them, and a secret in a quoted name is not recognized.
    pub(crate) fn ask_names(
        &self,
        arguments: &[&str],
        most: usize,
    ) -> Result<Vec<String>, NoAnswer> {
        let answer = self.answer_to(arguments)?;
        Ok(answer.split_terminator('\0').take(most).map(str::to_owned).collect())
    }

    fn answer_to(&self, arguments: &[&str]) -> Result<String, NoAnswer> {
        let settings = self.personal.iter().flat_map(|setting| ["-c", setting]);
        // A home without settings, because older versions have no variable that ignores them.
        let launch = self
            .launch()
            .arguments(settings)
            .arguments(arguments.iter().copied())
            .variable("HOME", self.stripped.path())
            .variable(CONFIG_HOME, self.stripped.path())
            .variable("GIT_CONFIG_NOSYSTEM", "1");
        self.wait_for(&launch)
    }

    /// Reads the person's own settings. What is kept of the repository's comes after them in git's
    /// answer, and is stronger.
    fn read_personal(&self, variables: &BTreeMap<String, String>) -> Result<Vec<String>, NoAnswer> {
        let launch = ["HOME", CONFIG_HOME].into_iter().fold(
            self.launch().arguments(["config", "--null", "--get-regexp", PERSONAL]),
            |launch, name| match variables.get(name) {
                Some(value) => launch.variable(name, value),
                None => launch,
            },
        );
        let home = variables.get("HOME").map(PathBuf::from);
        let config_home = variables.get(CONFIG_HOME).map(PathBuf::from);
        let config_home = config_home.or_else(|| Some(home.as_ref()?.join(".config")));
        // Where git itself looks when the person names no other file.
        let ignored = config_home.map(|config| format!("{}/git/ignore", config.display()));
        let mut settings: BTreeMap<String, String> =
            ignored.map(|path| ("core.excludesfile".to_owned(), path)).into_iter().collect();
        for setting in self.wait_for(&launch)?.split_terminator('\0') {
            let (key, value) = setting.split_once('\n').unwrap_or((setting, "true"));
            let value = match (&home, value.strip_prefix("~/")) {
                (Some(home), Some(below)) => home.join(below).display().to_string(),
                (Some(_) | None, _) => value.to_owned(),
            };
            settings.insert(key.to_owned(), value);
        }
        Ok(settings.into_iter().map(|(key, value)| format!("{key}={value}")).collect())
    }

    /// Describes a call of git that sees the data of the repository and none of its settings.
    fn launch(&self) -> Launch {
        Launch::new("git", self.root)
            .memory(MEMORY)
            .variable("PATH", &self.search_path)
            .variable("GIT_DIR", self.git_directory)
            .variable("GIT_COMMON_DIR", self.stripped.path())
            .variable("GIT_WORK_TREE", self.root)
            .variable("GIT_OPTIONAL_LOCKS", "0")
            .variable("GIT_TERMINAL_PROMPT", "0")
            .variable("GIT_NO_LAZY_FETCH", "1")
            .variable("GIT_ALLOW_PROTOCOL", "")
    }

    fn wait_for(&self, launch: &Launch) -> Result<String, NoAnswer> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let finished = start(launch, left.min(PATIENCE)).map_err(|_| NoAnswer::NotStarted)?;
        if finished.timed_out() {
            return Err(NoAnswer::TimedOut);
        }
        Ok(finished.output.text().into_owned())
    }
}

/// Returns the directories in which git may be found: none that depends on where we are, and none
/// of a project, whose content others may have written.
fn directories_outside(search_path: &str) -> Option<OsString> {
    let is_of_project = |above: &Path| exists(&above.join(".git")) || is_marked(above);
    let searched = split_paths(search_path).filter_map(|entry| {
        if SYSTEM.iter().any(|system| entry == Path::new(system)) {
            return Some(entry);
        }
        let real = entry.is_absolute().then(|| canonical(&entry).ok())??;
        // A link may lead to a path that cannot stand in a list.
        let is_usable = !real.ancestors().any(is_of_project) && join_paths([&real]).is_ok();
        is_usable.then_some(real)
    });
    join_paths(searched).ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test sets up files of its own")]
    fn programs_of_a_project_are_not_found() {
        let root = tempfile::tempdir().expect("a directory");
        let root = canonical(root.path()).expect("a path");
        for directory in ["tools", "repository/.git", "repository/bin", "marked/.pacenote/x", "a:b"]
        {
            std::fs::create_dir_all(root.join(directory)).expect("a directory");
        }
        let links = [("in", "repository/bin"), ("out", "tools"), ("colon", "a:b")];
        for (link, target) in links {
            symlink(root.join(target), root.join(link)).expect("a link");
        }
        let path = |name: &str| root.join(name).display().to_string();
        for (entry, found) in [
            ("/usr/bin".to_owned(), Some("/usr/bin".to_owned())),
            (path("tools"), Some(path("tools"))),
            (path("out"), Some(path("tools"))),
            (path("repository/bin"), None),
            (path("tools/../repository/bin"), None),
            (path("in"), None),
            (path("marked/.pacenote"), None),
            (path("missing"), None),
            (path("colon"), None),
            ("bin".to_owned(), None),
            (".".to_owned(), None),
        ] {
            let searched = directories_outside(&entry).expect("a list");
            assert_eq!(searched, *found.unwrap_or_default(), "{entry}");
        }
    }
}
