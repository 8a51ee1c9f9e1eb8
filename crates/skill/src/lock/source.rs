//! Where a pinned skill came from, in words that hold on another machine.

use std::fmt;

use pacenote_model::SkillLevel;

use crate::{listing::Candidate, reference::PluginName};

/// Longest source, in bytes. Paths of skills in repositories have a tenth of it; a longer one is
/// left away, for it only helps people.
const SOURCE_BYTES: usize = 512;

/// Where a skill came from. It is read by people only; nothing is ever opened by it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A file of the repository, by its path in it.
    Project(PathInRepository),
    /// A skill directory of the user.
    User,
    /// A directory named in the settings.
    Extra,
    /// A plugin, with its marketplace when it has one.
    Plugin {
        plugin: PluginName,
        /// The marketplace it came from.
        marketplace: Option<PluginName>,
    },
    /// A plugin whose name cannot be written.
    UnnamedPlugin,
    /// This binary.
    BuiltIn,
}

/// A path below the root of a repository, empty when it is not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathInRepository(Box<str>);

impl Source {
    /// Returns the source of a skill; `repository` is the directory of the project.
    pub fn of(candidate: &Candidate, repository: Option<&str>) -> Self {
        match candidate.level {
            SkillLevel::Project => Self::Project(PathInRepository::of(&candidate.path, repository)),
            SkillLevel::User => Self::User,
            SkillLevel::Extra => Self::Extra,
            SkillLevel::Plugin => match candidate.plugin_name() {
                Some(plugin) => {
                    let marketplace = candidate.marketplace.as_deref().and_then(PluginName::parse);
                    Self::Plugin { plugin, marketplace }
                }
                None => Self::UnnamedPlugin,
            },
            SkillLevel::BuiltIn => Self::BuiltIn,
        }
    }

    /// Parses what [`Source`] shows.
    pub fn parse(raw: &str) -> Option<Self> {
        if raw.len() > SOURCE_BYTES {
            return None;
        }
        let (word, rest) = match raw.split_once(' ') {
            Some((word, rest)) => (word, Some(rest)),
            None => (raw, None),
        };
        match (SkillLevel::from_word(word)?, rest) {
            (SkillLevel::Project, None) => Some(Self::Project(PathInRepository("".into()))),
            (SkillLevel::Project, Some(path)) => PathInRepository::parse(path).map(Self::Project),
            (SkillLevel::User, None) => Some(Self::User),
            (SkillLevel::Extra, None) => Some(Self::Extra),
            (SkillLevel::Plugin, None) => Some(Self::UnnamedPlugin),
            (SkillLevel::Plugin, Some(id)) => Self::parse_plugin(id),
            (SkillLevel::BuiltIn, None) => Some(Self::BuiltIn),
            (SkillLevel::User | SkillLevel::Extra | SkillLevel::BuiltIn, Some(_)) => None,
        }
    }

    fn parse_plugin(id: &str) -> Option<Self> {
        let (plugin, marketplace) = match id.split_once('@') {
            Some((plugin, marketplace)) => (plugin, Some(PluginName::parse(marketplace)?)),
            None => (id, None),
        };
        Some(Self::Plugin { plugin: PluginName::parse(plugin)?, marketplace })
    }
}

impl PathInRepository {
    /// Returns the path below the repository, or the empty one when it is not below it.
    fn of(path: &str, repository: Option<&str>) -> Self {
        let below = repository
            .and_then(|root| path.strip_prefix(root.trim_end_matches('/')))
            .and_then(|rest| rest.strip_prefix('/'));
        below.and_then(Self::parse).unwrap_or_else(|| Self("".into()))
    }

    fn parse(raw: &str) -> Option<Self> {
        let fits = raw.len() + "project ".len() <= SOURCE_BYTES
            && raw.split('/').all(|part| !["", ".", ".."].contains(&part))
            && !raw.chars().any(char::is_control);
        fits.then(|| Self(raw.into()))
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Project(path) if path.0.is_empty() => f.write_str(SkillLevel::Project.word()),
            Self::Project(path) => write!(f, "{} {}", SkillLevel::Project.word(), path.0),
            Self::User => f.write_str(SkillLevel::User.word()),
            Self::Extra => f.write_str(SkillLevel::Extra.word()),
            Self::Plugin { plugin, marketplace } => {
                write!(f, "{} {plugin}", SkillLevel::Plugin.word())?;
                marketplace.iter().try_for_each(|marketplace| write!(f, "@{marketplace}"))
            }
            Self::UnnamedPlugin => f.write_str(SkillLevel::Plugin.word()),
            Self::BuiltIn => f.write_str(SkillLevel::BuiltIn.word()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::example::skill;

    #[test]
    fn sources_hold_on_another_machine() {
        let repository = Some("/home/ada/shop/");
        let of = |candidate: Candidate| Source::of(&candidate, repository).to_string();
        let lint = || skill("lint");
        let ours = "/home/ada/shop/.claude/skills/lint/SKILL.md";
        let elsewhere = "/home/ada/shop2/SKILL.md";
        assert_eq!(of(lint().of_plugin("Acme", "1.0.0")), "plugin acme@market");
        assert_eq!(of(lint().of_plugin("a cme", "1.0.0")), "plugin");
        assert_eq!(of(lint()), "user");
        assert_eq!(
            of(lint().at(SkillLevel::Project, ours)),
            "project .claude/skills/lint/SKILL.md"
        );
        assert_eq!(of(lint().at(SkillLevel::Project, elsewhere)), "project");
        assert_eq!(of(lint().at(SkillLevel::Extra, elsewhere)), "extra");
        assert_eq!(of(lint().at(SkillLevel::BuiltIn, "lint")), "built_in");
    }

    #[test]
    fn only_such_words_are_a_source() {
        for raw in
            ["user", "extra", "built_in", "plugin", "plugin pp", "plugin pp@mm", "project a/b c"]
        {
            assert_eq!(Source::parse(raw).map(|source| source.to_string()).as_deref(), Some(raw));
        }
        let long = format!("project {}", "a".repeat(SOURCE_BYTES));
        for raw in [
            "",
            "user x",
            "project /etc/passwd",
            "project ../x",
            "project ",
            "plugin pp@",
            "home",
            &long,
        ] {
            assert_eq!(Source::parse(raw), None, "{raw}");
        }
    }
}
