//! References that are paths.

use super::refusal::Rule;

/// The file that holds a skill inside its directory.
const SKILL_FILE: &str = "SKILL.md";

/// A path that names one skill, relative (`./drafts/SKILL.md`) or absolute.
///
/// Holding one proves that no part of it is `..`. It says nothing about links, nor whether the
/// path may be opened: that is for whoever opens it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillPath(Box<str>);

impl SkillPath {
    /// Tells whether a reference is written as a path: it begins with `./` or `/`, or names a
    /// Markdown file below a directory.
    pub(super) fn is_meant(text: &str) -> bool {
        let markdown = text.get(text.len().saturating_sub(3)..);
        text == "."
            || text.starts_with("./")
            || text.starts_with('/')
            || (text.contains('/')
                && !text.contains(':')
                && markdown.is_some_and(|end| end.eq_ignore_ascii_case(".md")))
    }

    pub(super) fn parse(text: &str) -> Result<Self, Rule> {
        let parts: Vec<_> = text.split('/').filter(|part| !["", "."].contains(part)).collect();
        if parts.is_empty() {
            return Err(Rule::Empty);
        }
        // Such a name could not be written down again: white space at the end is not part of it.
        if parts.iter().any(|part| part.trim() != *part) {
            return Err(Rule::Blank);
        }
        let start = if text.starts_with('/') { "/" } else { "./" };
        Ok(Self(format!("{start}{}", parts.join("/")).into()))
    }

    /// Returns the text; a relative path begins with `./`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells whether the path begins at the root of the file system.
    pub fn is_absolute(&self) -> bool {
        self.0.starts_with('/')
    }

    pub(super) fn under(&self, directory: &str) -> Self {
        match self.0.strip_prefix("./") {
            Some(rest) => Self(format!("{}/{rest}", directory.trim_end_matches('/')).into()),
            None => self.clone(),
        }
    }

    /// Tells whether the path names this file, or the directory whose skill it is.
    pub(super) fn is_of(&self, file: &str) -> bool {
        let file = file.strip_prefix(&*self.0);
        file.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('/') == Some(SKILL_FILE))
    }
}
