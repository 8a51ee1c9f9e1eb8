//! The skills that were found, as values that the resolver chooses from.
//!
//! Everything here was decided by whoever walked the disk and read the registries; a listing never
//! reads a file and never judges what a skill says.

use pacenote_model::{Digest, SkillKey, SkillLevel, SkillName};

use crate::reference::{Named, PluginName, Reference, SkillVersion};

/// All skills that were found, and where they were looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Every skill, in any order.
    pub candidates: Vec<Candidate>,
    /// The roots that were searched, in the order of precedence.
    pub searched: Vec<String>,
}

/// One skill that was found on disk, or that is part of this binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What it is matched by.
    pub key: SkillKey,
    /// Its name as its file gives it.
    pub name: SkillName,
    /// What it says it is for.
    pub description: String,
    /// The skill that holds it, for a nested agent.
    pub agent_of: Option<SkillKey>,
    /// The plugin or extension that brought it.
    pub plugin: Option<String>,
    /// The marketplace that the plugin came from.
    pub marketplace: Option<String>,
    /// The version of the plugin, or of the skill itself.
    pub version: Option<String>,
    /// Where it comes from.
    pub level: SkillLevel,
    /// The root in which it was found.
    pub root: String,
    /// The place of that root among the roots of its level; the lowest wins.
    pub root_rank: u32,
    /// The hosts that see it.
    pub hosts: Vec<String>,
    /// Its file.
    pub path: String,
    /// The digest of that file.
    pub digest: Digest,
    /// About how many tokens the whole file takes.
    pub tokens: u32,
    /// When the file was last written, in milliseconds since 1970.
    pub modified: i64,
    /// Who has its plugin in the host's registry.
    pub registered: Registered,
    /// Whether it may be used.
    pub standing: Standing,
}

impl Candidate {
    /// Returns the plugin's name when it can stand in a reference.
    pub fn plugin_name(&self) -> Option<PluginName> {
        self.plugin.as_deref().and_then(PluginName::parse)
    }

    /// Returns the version when it can stand in a reference.
    pub fn skill_version(&self) -> Option<SkillVersion> {
        self.version.as_deref().and_then(SkillVersion::parse)
    }

    /// Returns the reference that means this skill: with its plugin, without its version.
    pub fn reference(&self) -> Reference {
        let named = Named {
            plugin: self.plugin_name(),
            agent_of: self.agent_of.clone(),
            key: self.key.clone(),
            version: None,
        };
        named.into()
    }

    /// Tells whether a host sees the skill. What is part of this binary is seen by all.
    pub fn is_seen_by(&self, host: &str) -> bool {
        self.level == SkillLevel::BuiltIn || self.hosts.iter().any(|seeing| seeing == host)
    }
}

/// Who has a plugin in the host's registry of installed plugins; the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Registered {
    Project,
    User,
    /// Nobody, or it is no plugin.
    No,
}

/// Whether a skill may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// It may.
    Usable,
    /// It belongs to a project that the person has not taken into use: it is listed by name, never
    /// resolved, and it overrides nothing.
    ListedOnly,
    /// The project's lock file cannot be read and may pin it to another content: it is listed by
    /// name, never resolved, and it overrides nothing.
    HeldBack,
}

#[cfg(test)]
pub(crate) mod example {
    //! Skills for tests, told in one line each.

    use super::*;
    use crate::{digest::digest_of, reference::Target};

    /// Returns a user's skill of this name whose content is its path.
    pub(crate) fn skill(name: &str) -> Candidate {
        let reference = Reference::parse(name).unwrap();
        let Target::Named(named) = reference.target().clone() else { panic!("{name} is a path") };
        let path = format!("/home/ada/.claude/skills/{}/SKILL.md", named.key);
        Candidate {
            name: SkillName::parse(name).unwrap(),
            key: named.key,
            description: String::new(),
            agent_of: named.agent_of,
            plugin: None,
            marketplace: None,
            version: None,
            level: SkillLevel::User,
            root: "/home/ada/.claude/skills".to_owned(),
            root_rank: 0,
            hosts: vec!["claude".to_owned()],
            digest: digest_of(path.as_bytes()),
            path,
            tokens: 100,
            modified: 0,
            registered: Registered::No,
            standing: Standing::Usable,
        }
    }

    /// The other facts of a skill, told one by one.
    impl Candidate {
        pub(crate) fn at(mut self, level: SkillLevel, path: &str) -> Self {
            self.level = level;
            self.digest = digest_of(path.as_bytes());
            self.path = path.to_owned();
            self
        }

        pub(crate) fn of_plugin(self, plugin: &str, version: &str) -> Self {
            let path = format!("/cache/market/{plugin}/{version}/skills/{}/SKILL.md", self.key);
            let mut skill = self.at(SkillLevel::Plugin, &path);
            skill.plugin = Some(plugin.to_owned());
            skill.marketplace = Some("market".to_owned());
            skill.version = Some(version.to_owned());
            skill
        }

        pub(crate) fn registered(mut self, registered: Registered) -> Self {
            self.registered = registered;
            self
        }

        pub(crate) fn ranked(mut self, root_rank: u32) -> Self {
            self.root_rank = root_rank;
            self
        }

        pub(crate) fn modified(mut self, modified: i64) -> Self {
            self.modified = modified;
            self
        }

        pub(crate) fn saying(mut self, content: &str) -> Self {
            self.digest = digest_of(content.as_bytes());
            self
        }

        pub(crate) fn seen_by(mut self, host: &str) -> Self {
            self.hosts = vec![host.to_owned()];
            self
        }

        pub(crate) fn held_back(mut self) -> Self {
            self.standing = Standing::HeldBack;
            self
        }

        pub(crate) fn listed_only(mut self) -> Self {
            self.standing = Standing::ListedOnly;
            self
        }
    }

    /// Returns a listing of these skills.
    pub(crate) fn listing(candidates: impl Into<Vec<Candidate>>) -> Listing {
        let searched = vec!["/repo/.claude/skills".to_owned(), "/cache".to_owned()];
        Listing { candidates: candidates.into(), searched }
    }
}
