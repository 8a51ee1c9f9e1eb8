//! The one table of skill directories.
//!
//! The order of the rows is the rank inside a level. A row names only hosts that were seen to read
//! the directory, or whose maker documents it.

use std::path::{Path, PathBuf};

use pacenote_model::SkillLevel;

/// Where we are, as far as hosts care.
pub struct Places<'a> {
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The root of the repository or project.
    pub project_root: Option<PathBuf>,
    /// The directory the command was called in.
    pub working_directory: PathBuf,
    /// Looks up an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

/// A directory in which skills are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootSpec {
    /// The directory; it need not exist.
    pub path: PathBuf,
    /// Whose it is, which decides first among skills of one name.
    pub level: SkillLevel,
    /// The hosts that read it.
    pub hosts: &'static [&'static str],
    /// Its place inside the level, the strongest first.
    pub rank: u32,
    /// Whether `<name>.md` beside the skill directories is a skill too.
    pub allows_single_files: bool,
    /// How deep its hosts look.
    pub depth_note: &'static str,
    /// Why it is looked at, in one line for people.
    pub why: &'static str,
}

/// Only `<name>/SKILL.md` counts.
const ONE_LEVEL: &str = "one level";
/// A SKILL.md counts wherever it lies below.
const ANY_DEPTH: &str = "any depth";
/// The hosts that share the directory do not agree.
const BY_HOST: &str = "one level or any depth, by host";

/// A directory of a project.
struct ProjectRow {
    /// Below the project's root, or below a directory on the way to the working directory.
    directory: &'static str,
    /// Who reads it at the root.
    at_root: &'static [&'static str],
    /// Who reads it in the directories from below the root to the working directory.
    on_the_way: &'static [&'static str],
    allows_single_files: bool,
    depth_note: &'static str,
    why: &'static str,
}

const PROJECT: [ProjectRow; 6] = [
    ProjectRow {
        directory: ".claude/skills",
        at_root: &["claude", "copilot", "opencode"],
        on_the_way: &["claude", "opencode"],
        allows_single_files: true,
        depth_note: BY_HOST,
        why: "Claude Code's skills of a project",
    },
    ProjectRow {
        directory: ".agents/skills",
        at_root: &["codex", "copilot", "gemini", "opencode"],
        on_the_way: &["codex", "opencode"],
        allows_single_files: false,
        depth_note: BY_HOST,
        why: "the directory hosts share, in a project",
    },
    ProjectRow {
        directory: ".codex/skills",
        at_root: &["codex"],
        on_the_way: &["codex"],
        allows_single_files: false,
        depth_note: ANY_DEPTH,
        why: "Codex's skills of a project",
    },
    ProjectRow {
        directory: ".gemini/skills",
        at_root: &["gemini"],
        on_the_way: &[],
        allows_single_files: false,
        depth_note: ONE_LEVEL,
        why: "Gemini's skills of a project",
    },
    ProjectRow {
        directory: ".opencode/skill",
        at_root: &["opencode"],
        on_the_way: &["opencode"],
        allows_single_files: false,
        depth_note: ANY_DEPTH,
        why: "OpenCode's skills of a project",
    },
    ProjectRow {
        directory: ".opencode/skills",
        at_root: &["opencode"],
        on_the_way: &["opencode"],
        allows_single_files: false,
        depth_note: ANY_DEPTH,
        why: "OpenCode's skills of a project",
    },
];

/// What a directory of the user is below of.
enum Base {
    /// The home directory.
    Home,
    /// The directory a variable names, else this one below the home directory.
    Variable(&'static str, &'static str),
    /// The directory a variable names; without it there is none.
    OnlyVariable(&'static str),
}

/// A directory outside any project.
struct UserRow {
    base: Base,
    directory: &'static str,
    level: SkillLevel,
    hosts: &'static [&'static str],
    allows_single_files: bool,
    depth_note: &'static str,
    why: &'static str,
}

const USER: [UserRow; 10] = [
    UserRow {
        base: Base::Home,
        directory: ".claude/skills",
        level: SkillLevel::User,
        hosts: &["claude", "opencode"],
        allows_single_files: true,
        depth_note: BY_HOST,
        why: "Claude Code's skills of the user",
    },
    UserRow {
        base: Base::Home,
        directory: ".agents/skills",
        level: SkillLevel::User,
        hosts: &["codex", "copilot", "gemini", "opencode"],
        allows_single_files: false,
        depth_note: BY_HOST,
        why: "the directory hosts share, of the user",
    },
    UserRow {
        base: Base::Variable("CODEX_HOME", ".codex"),
        directory: "skills",
        level: SkillLevel::User,
        hosts: &["codex"],
        allows_single_files: false,
        depth_note: ANY_DEPTH,
        why: "Codex's skills of the user (`CODEX_HOME` moves it)",
    },
    UserRow {
        base: Base::Home,
        directory: ".gemini/skills",
        level: SkillLevel::User,
        hosts: &["gemini"],
        allows_single_files: false,
        depth_note: ONE_LEVEL,
        why: "Gemini's skills of the user",
    },
    UserRow {
        base: Base::Variable("XDG_CONFIG_HOME", ".config"),
        directory: "opencode/skill",
        level: SkillLevel::User,
        hosts: &["opencode"],
        allows_single_files: false,
        depth_note: ANY_DEPTH,
        why: "OpenCode's skills of the user",
    },
    UserRow {
        base: Base::Variable("XDG_CONFIG_HOME", ".config"),
        directory: "opencode/skills",
        level: SkillLevel::User,
        hosts: &["opencode"],
        allows_single_files: false,
        depth_note: ANY_DEPTH,
        why: "OpenCode's skills of the user",
    },
    UserRow {
        base: Base::Home,
        directory: ".opencode/skill",
        level: SkillLevel::User,
        hosts: &["opencode"],
        allows_single_files: false,
        depth_note: ANY_DEPTH,
        why: "OpenCode's other directory of the user",
    },
    UserRow {
        base: Base::Home,
        directory: ".opencode/skills",
        level: SkillLevel::User,
        hosts: &["opencode"],
        allows_single_files: false,
        depth_note: ANY_DEPTH,
        why: "OpenCode's other directory of the user",
    },
    UserRow {
        base: Base::Variable("COPILOT_HOME", ".copilot"),
        directory: "skills",
        level: SkillLevel::User,
        hosts: &["copilot"],
        allows_single_files: false,
        depth_note: ONE_LEVEL,
        why: "Copilot's skills of the user (`COPILOT_HOME` moves it)",
    },
    UserRow {
        base: Base::OnlyVariable("CLAUDE_PLUGIN_ROOT"),
        directory: "skills",
        level: SkillLevel::Plugin,
        hosts: &["claude"],
        allows_single_files: false,
        depth_note: ONE_LEVEL,
        why: "the plugin we were started by (`CLAUDE_PLUGIN_ROOT`)",
    },
];

/// Returns every directory in which a host looks for skills here, the strongest first.
///
/// Directories of plugins and extensions come from their registries and are not in it. Where a
/// project's directory is also one of the user's (the home directory is a repository), it is the
/// user's: nobody has to trust their own home.
pub fn roots(places: &Places<'_>) -> Vec<RootSpec> {
    let users: Vec<RootSpec> = USER.iter().filter_map(|row| user_root(row, places)).collect();
    let mut found = project_roots(places);
    found.retain(|root| users.iter().all(|user| user.path != root.path));
    found.extend(users);
    number(&mut found);
    found
}

/// Gives every root its place inside its level.
fn number(roots: &mut [RootSpec]) {
    for level in SkillLevel::ALL {
        let of_level = roots.iter_mut().filter(|root| root.level == level);
        for (rank, root) in (0..).zip(of_level) {
            root.rank = rank;
        }
    }
}

/// The directories of a project, the nearest to the working directory first.
fn project_roots(places: &Places<'_>) -> Vec<RootSpec> {
    let mut found = Vec::new();
    for (directory, place) in way_up(places) {
        for row in &PROJECT {
            let hosts = match place {
                OnTheWay::Root => row.at_root,
                OnTheWay::Below => row.on_the_way,
            };
            if !hosts.is_empty() {
                found.push(RootSpec {
                    path: directory.join(row.directory),
                    level: SkillLevel::Project,
                    hosts,
                    rank: 0,
                    allows_single_files: row.allows_single_files,
                    depth_note: row.depth_note,
                    why: row.why,
                });
            }
        }
    }
    found
}

/// Where a directory lies between the project's root and the working directory.
#[derive(Clone, Copy)]
enum OnTheWay {
    Root,
    Below,
}

/// The directories from the working directory up to the project's root.
///
/// Without a project the working directory is the root. One outside of the project (a command that
/// was told its project) leads nowhere, so only the root is looked at.
fn way_up<'a>(places: &'a Places<'_>) -> Vec<(&'a Path, OnTheWay)> {
    let root = places.project_root.as_deref().unwrap_or(&places.working_directory);
    if !root.is_absolute() {
        return Vec::new();
    }
    let below = places.working_directory.ancestors().take_while(|directory| *directory != root);
    let mut way: Vec<_> = if places.working_directory.starts_with(root) {
        below.map(|directory| (directory, OnTheWay::Below)).collect()
    } else {
        Vec::new()
    };
    way.push((root, OnTheWay::Root));
    way
}

fn user_root(row: &UserRow, places: &Places<'_>) -> Option<RootSpec> {
    let below_home = |directory: &str| home(places).map(|home| home.join(directory));
    let base = match row.base {
        Base::Home => home(places).map(Path::to_owned),
        Base::Variable(name, default) => set(places, name).or_else(|| below_home(default)),
        Base::OnlyVariable(name) => set(places, name),
    }?;
    Some(RootSpec {
        path: base.join(row.directory),
        level: row.level,
        hosts: row.hosts,
        rank: 0,
        allows_single_files: row.allows_single_files,
        depth_note: row.depth_note,
        why: row.why,
    })
}

/// Returns the home directory, if it can be the beginning of a path.
pub(super) fn home<'a>(places: &'a Places<'_>) -> Option<&'a Path> {
    places.home.as_deref().filter(|home| home.is_absolute())
}

/// Returns the directory a variable names; a relative one would mean another place in every
/// directory and counts as unset.
fn set(places: &Places<'_>, name: &str) -> Option<PathBuf> {
    (places.variable)(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn told(home: &str, root: &str, working: &str, variables: &[(&str, &str)]) -> String {
        let variable = |name: &str| {
            variables.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned())
        };
        let some = |path: &str| (!path.is_empty()).then(|| PathBuf::from(path));
        let places = Places {
            home: some(home),
            project_root: some(root),
            working_directory: working.into(),
            variable: &variable,
        };
        let line = |root: &RootSpec| {
            let single = if root.allows_single_files { " +files" } else { "" };
            let hosts = root.hosts.join(",");
            format!("{} {} {} {hosts}{single}", root.level.word(), root.rank, root.path.display())
        };
        roots(&places).iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_host_looks_in_its_places() {
        insta::assert_snapshot!(told("/home/dev", "/home/dev/shop", "/home/dev/shop", &[]), @"
        project 0 /home/dev/shop/.claude/skills claude,copilot,opencode +files
        project 1 /home/dev/shop/.agents/skills codex,copilot,gemini,opencode
        project 2 /home/dev/shop/.codex/skills codex
        project 3 /home/dev/shop/.gemini/skills gemini
        project 4 /home/dev/shop/.opencode/skill opencode
        project 5 /home/dev/shop/.opencode/skills opencode
        user 0 /home/dev/.claude/skills claude,opencode +files
        user 1 /home/dev/.agents/skills codex,copilot,gemini,opencode
        user 2 /home/dev/.codex/skills codex
        user 3 /home/dev/.gemini/skills gemini
        user 4 /home/dev/.config/opencode/skill opencode
        user 5 /home/dev/.config/opencode/skills opencode
        user 6 /home/dev/.opencode/skill opencode
        user 7 /home/dev/.opencode/skills opencode
        user 8 /home/dev/.copilot/skills copilot
        ");
    }

    #[test]
    fn the_nearest_directory_of_a_project_comes_first() {
        insta::assert_snapshot!(told("", "/shop", "/shop/web/admin", &[]), @"
        project 0 /shop/web/admin/.claude/skills claude,opencode +files
        project 1 /shop/web/admin/.agents/skills codex,opencode
        project 2 /shop/web/admin/.codex/skills codex
        project 3 /shop/web/admin/.opencode/skill opencode
        project 4 /shop/web/admin/.opencode/skills opencode
        project 5 /shop/web/.claude/skills claude,opencode +files
        project 6 /shop/web/.agents/skills codex,opencode
        project 7 /shop/web/.codex/skills codex
        project 8 /shop/web/.opencode/skill opencode
        project 9 /shop/web/.opencode/skills opencode
        project 10 /shop/.claude/skills claude,copilot,opencode +files
        project 11 /shop/.agents/skills codex,copilot,gemini,opencode
        project 12 /shop/.codex/skills codex
        project 13 /shop/.gemini/skills gemini
        project 14 /shop/.opencode/skill opencode
        project 15 /shop/.opencode/skills opencode
        ");
    }

    #[test]
    fn variables_move_what_a_host_lets_them_move() {
        let variables = [
            ("CODEX_HOME", "/data/codex"),
            ("XDG_CONFIG_HOME", "/data/config"),
            ("COPILOT_HOME", "relative"),
            ("CLAUDE_PLUGIN_ROOT", "/plugins/demo"),
        ];
        let all = told("/home/dev", "/elsewhere", "/home/dev", &variables);
        let moved: Vec<_> = all
            .lines()
            .filter(|line| ["codex", "copilot", "plugin"].iter().any(|word| line.contains(word)))
            .filter(|line| !line.contains("agents") && !line.starts_with("project"))
            .collect();
        insta::assert_snapshot!(moved.join("\n"), @"
        user 2 /data/codex/skills codex
        user 8 /home/dev/.copilot/skills copilot
        plugin 0 /plugins/demo/skills claude
        ");
        assert!(all.contains("/data/config/opencode/skills"), "{all}");
    }

    #[test]
    fn a_home_that_is_a_project_stays_the_users() {
        let all = told("/home/dev", "/home/dev", "/home/dev", &[]);
        let of_project: Vec<_> = all.lines().filter(|line| line.starts_with("project")).collect();
        assert!(of_project.is_empty(), "{of_project:?}");
        assert!(all.contains("user 0 /home/dev/.claude/skills"));
    }

    #[test]
    fn relative_places_lead_nowhere() {
        assert_eq!(told("home", "", "work", &[("CODEX_HOME", "../codex")]), "");
    }

    #[test]
    fn no_directory_is_named_twice_and_hosts_are_sorted() {
        let nothing = |_: &str| None;
        let places = Places {
            home: Some("/home/dev".into()),
            project_root: Some("/shop".into()),
            working_directory: "/shop/a/b".into(),
            variable: &nothing,
        };
        let found = roots(&places);
        let paths: BTreeSet<_> = found.iter().map(|root| &root.path).collect();
        assert_eq!(paths.len(), found.len());
        for root in &found {
            assert!(root.hosts.is_sorted() && !root.hosts.is_empty(), "{root:?}");
            assert!(!root.why.is_empty() && !root.why.contains('\n'), "{root:?}");
        }
        assert!(found.is_sorted_by_key(|root| (root.level, root.rank)));
    }
}
