//! The names that a link can mean.

use std::collections::HashSet;

use crate::{
    choice::LENDERS,
    reference::{Reference, Target},
};

/// The names of all skills and plugins there are.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// `key` and `skill/agent`, without the plugin.
    plain: HashSet<Box<str>>,
    /// `plugin:key` and `plugin:skill/agent`.
    qualified: HashSet<Box<str>>,
    plugins: HashSet<Box<str>>,
}

impl Known {
    /// Returns the names of these skills.
    pub fn of<'a>(skills: impl IntoIterator<Item = &'a Reference>) -> Self {
        let mut known = Self::default();
        for skill in skills {
            let Target::Named(named) = skill.target() else { continue };
            let mut named = named.clone();
            named.version = None;
            if let Some(plugin) = named.plugin.clone() {
                known.qualified.insert(named.to_string().into());
                known.plugins.insert(plugin.as_str().into());
                named.plugin = None;
            }
            known.plain.insert(named.to_string().into());
        }
        known
    }

    /// Tells whether some skill has exactly this key, whatever its plugin.
    pub(super) fn has_key(&self, text: &str) -> bool {
        self.plain.contains(text)
    }

    /// Tells whether a reference names a skill there is, or one that another stands in for.
    pub(super) fn has(&self, reference: &Reference) -> bool {
        let Target::Named(named) = reference.target() else { return false };
        let mut named = named.clone();
        named.version = None;
        let name = named.to_string();
        match named.plugin.take() {
            None => self.plain.contains(name.as_str()),
            Some(plugin) => {
                let lent = LENDERS.contains(&plugin.as_str())
                    && !self.plugins.contains(plugin.as_str())
                    && self.plain.contains(named.to_string().as_str());
                lent || self.qualified.contains(name.as_str())
            }
        }
    }

    /// Tells whether a text is the name of a plugin there is, or of one whose skills we have too.
    pub(super) fn has_plugin(&self, text: &str) -> bool {
        let folded = text.to_ascii_lowercase();
        LENDERS.contains(&folded.as_str()) || self.plugins.contains(folded.as_str())
    }
}
