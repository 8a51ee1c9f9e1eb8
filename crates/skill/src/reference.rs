//! How a caller names a skill before it is found.
//!
//! `brainstorming`, `Code Review`, `superpowers:brainstorming@4.0.3`, `review/security` (an agent
//! nested in a skill) or `./drafts/SKILL.md`. A reference is only a wish: holding one proves that
//! it cannot climb out of a directory, pass for an option or hide characters from its reader, and
//! nothing here looks at a disk. Two references are equal when they wish for the same skill,
//! however they are written.

mod part;
mod path;
mod refusal;
mod version;

use std::{borrow::Cow, cmp::Ordering, fmt, hash};

use pacenote_model::{SkillKey, limits};

use self::part::{key_of, split_first, split_last};
pub(crate) use self::refusal::shown;
pub use self::{
    part::PluginName,
    path::SkillPath,
    refusal::{BadReference, Rule},
    version::SkillVersion,
};
use crate::{listing::Candidate, spelling::normalised};

/// Most references in one list: a session binds a handful, and each costs a look at every skill.
pub const LIST_REFERENCES: usize = 100;

/// A skill as a caller names it.
#[derive(Clone)]
pub struct Reference {
    written: Box<str>,
    target: Target,
}

/// What a reference wishes for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A skill by its name.
    Named(Named),
    /// The skill in one file. Whether the path may be opened is decided by who opens it.
    Path(SkillPath),
}

/// A skill by its name, with what narrows it down.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Named {
    /// The plugin to look at; every skill counts without one.
    pub plugin: Option<PluginName>,
    /// The skill that holds the nested agent, when an agent is meant.
    pub agent_of: Option<SkillKey>,
    /// The key of the skill, or of the nested agent.
    pub key: SkillKey,
    /// The only version that will do.
    pub version: Option<SkillVersion>,
}

impl Reference {
    /// Parses one reference; surrounding white space is dropped.
    pub fn parse(raw: &str) -> Result<Self, BadReference> {
        let text = raw.trim();
        let target = Target::parse(text).map_err(|rule| BadReference::new(raw, rule))?;
        let written = match &target {
            Target::Named(_) => text.into(),
            Target::Path(path) => path.as_str().into(),
        };
        Ok(Self { written, target })
    }

    /// Parses a comma list, each item for itself; blank items are dropped.
    ///
    /// A name that has a comma in it is written as its key here.
    pub fn parse_list(raw: &str) -> Vec<Result<Self, BadReference>> {
        let mut items = raw.split(',').map(str::trim).filter(|item| !item.is_empty());
        let mut list: Vec<_> = items.by_ref().take(LIST_REFERENCES).map(Self::parse).collect();
        if list.is_empty() {
            list.push(Err(BadReference::new(raw, Rule::Empty)));
        }
        if let Some(item) = items.next() {
            list.push(Err(BadReference::new(item, Rule::TooMany)));
        }
        list
    }

    /// Returns what is wished for.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Returns the key that the skill must have; a path asks for none.
    pub fn key(&self) -> Option<&SkillKey> {
        match &self.target {
            Target::Named(named) => Some(&named.key),
            Target::Path(_) => None,
        }
    }

    /// Returns the one spelling of all equal references, as it stands in a lock and an approval.
    pub fn canonical(&self) -> String {
        match &self.target {
            Target::Named(named) => named.to_string(),
            Target::Path(path) => path.as_str().to_owned(),
        }
    }

    /// Returns the same reference with a relative path put under a directory.
    ///
    /// The directory is the caller's own and is not checked.
    #[must_use]
    pub fn under(&self, directory: &str) -> Self {
        match &self.target {
            Target::Named(_) => self.clone(),
            Target::Path(path) => {
                let path = path.under(directory);
                Self { written: path.as_str().into(), target: Target::Path(path) }
            }
        }
    }

    /// Tells whether a skill is one that the reference wishes for.
    pub fn names(&self, candidate: &Candidate) -> bool {
        match &self.target {
            Target::Named(named) => named.names(candidate),
            Target::Path(path) => path.is_of(&candidate.path),
        }
    }
}

impl Target {
    fn parse(text: &str) -> Result<Self, Rule> {
        if text.is_empty() {
            return Err(Rule::Empty);
        }
        if text.len() > limits::PLAN_PATH_BYTES {
            return Err(Rule::TooLong);
        }
        // A full-width dot or slash is a dot or slash to whoever normalises later.
        refusal::check(text)?;
        if let Cow::Owned(folded) = normalised(text) {
            refusal::check(&folded)?;
        }
        if SkillPath::is_meant(text) {
            return SkillPath::parse(text).map(Self::Path);
        }
        let named = Named::parse(text)?;
        // Folding can lengthen a name; both spellings must be readable again.
        if text.len().max(named.to_string().len()) > limits::SKILL_REF_BYTES {
            return Err(Rule::TooLong);
        }
        Ok(Self::Named(named))
    }
}

impl Named {
    fn parse(text: &str) -> Result<Self, Rule> {
        let (plugin, rest) = match split_first(text, ':') {
            Some((plugin, rest)) => (Some(PluginName::parse(plugin).ok_or(Rule::Plugin)?), rest),
            None => (None, text),
        };
        if split_first(rest, ':').is_some() {
            return Err(Rule::TwoPlugins);
        }
        let (rest, version) = match split_last(rest, '@') {
            Some((rest, raw)) => (rest, Some(SkillVersion::parse(raw).ok_or(Rule::Version)?)),
            None => (rest, None),
        };
        let Some((skill, agent)) = split_first(rest, '/') else {
            return Ok(Self { plugin, agent_of: None, key: key_of(rest)?, version });
        };
        // `review/agents/security` is how the directories are called.
        let agent = match split_first(agent, '/') {
            Some(("agents", agent)) => agent,
            Some(_) => return Err(Rule::TooDeep),
            None => agent,
        };
        if split_first(agent, '/').is_some() {
            return Err(Rule::TooDeep);
        }
        Ok(Self { plugin, agent_of: Some(key_of(skill)?), key: key_of(agent)?, version })
    }

    fn names(&self, candidate: &Candidate) -> bool {
        self.key == candidate.key
            && self.agent_of == candidate.agent_of
            && (self.plugin.is_none() || self.plugin == candidate.plugin_name())
            && (self.version.is_none() || self.version == candidate.skill_version())
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(plugin) = &self.plugin {
            write!(f, "{plugin}:")?;
        }
        if let Some(skill) = &self.agent_of {
            write!(f, "{skill}/")?;
        }
        write!(f, "{}", self.key)?;
        match &self.version {
            Some(version) => write!(f, "@{version}"),
            None => Ok(()),
        }
    }
}

impl From<Named> for Reference {
    fn from(named: Named) -> Self {
        Self { written: named.to_string().into(), target: Target::Named(named) }
    }
}

/// Shows the reference as it was written.
impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.written, f)
    }
}

impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        self.target == other.target
    }
}

impl Eq for Reference {}

impl PartialOrd for Reference {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Reference {
    fn cmp(&self, other: &Self) -> Ordering {
        self.target.cmp(&other.target)
    }
}

impl hash::Hash for Reference {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.target.hash(state);
    }
}

#[cfg(test)]
mod tests;
