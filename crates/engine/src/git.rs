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
    time::Duration,
};

use pacenote_files::git::{ProjectPlace, StrippedRepository};
use pacenote_fleet::{Launch, start};

/// The longest wait for one answer.
const PATIENCE: Duration = Duration::from_secs(10);

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
}

/// Git is missing or took too long, so there is no use in asking it more.
pub(crate) struct NoAnswer;

impl<'a> AskableWorktree<'a> {
    /// Returns the worktree of a project; `None` when it has none or git does not answer.
    pub(crate) fn of(
        place: &'a ProjectPlace,
        variables: &BTreeMap<String, String>,
    ) -> Option<Self> {
        let mut worktree = Self {
            root: &place.root,
            git_directory: place.git_directory.as_deref()?,
            stripped: StrippedRepository::of(place).ok()?,
            search_path: directories_outside(&place.root, variables.get("PATH")?)?,
            personal: Vec::new(),
        };
        worktree.personal = worktree.read_personal(variables).ok()?;
        Some(worktree)
    }

    /// Asks git and returns at most `most` lines of its answer; none when it refuses.
    pub(crate) fn ask(&self, arguments: &[&str], most: usize) -> Result<Vec<String>, NoAnswer> {
        let settings = self.personal.iter().flat_map(|setting| ["-c", setting]);
        // A home without settings, because older versions have no variable that ignores them.
        let launch = self
            .launch()
            .arguments(settings)
            .arguments(arguments.iter().copied())
            .variable("HOME", self.stripped.path())
            .variable(CONFIG_HOME, self.stripped.path())
            .variable("GIT_CONFIG_NOSYSTEM", "1");
        Ok(answer(&launch)?.lines().take(most).map(str::to_owned).collect())
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
        for setting in answer(&launch)?.split_terminator('\0') {
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
            .variable("PATH", &self.search_path)
            .variable("GIT_DIR", self.git_directory)
            .variable("GIT_COMMON_DIR", self.stripped.path())
            .variable("GIT_WORK_TREE", self.root)
            .variable("GIT_OPTIONAL_LOCKS", "0")
            .variable("GIT_TERMINAL_PROMPT", "0")
            .variable("GIT_NO_LAZY_FETCH", "1")
            .variable("GIT_ALLOW_PROTOCOL", "")
    }
}

/// Returns the directories in which git may be found: not those of the repository, and none that
/// depend on where we are.
fn directories_outside(root: &Path, search_path: &str) -> Option<OsString> {
    let is_outside = |path: &PathBuf| path.is_absolute() && !path.starts_with(root);
    join_paths(split_paths(search_path).filter(is_outside)).ok()
}

fn answer(launch: &Launch) -> Result<String, NoAnswer> {
    let finished = start(launch, PATIENCE).map_err(|_| NoAnswer)?;
    if finished.timed_out() { Err(NoAnswer) } else { Ok(finished.output.text().into_owned()) }
}
