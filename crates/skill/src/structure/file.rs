//! A reference from a skill to another file, as text: nothing is opened here.

use std::fmt;

/// Names of the variable that stands for the plugin's directory.
const PLUGIN_ROOT: [&str; 2] = ["${CLAUDE_PLUGIN_ROOT}/", "$CLAUDE_PLUGIN_ROOT/"];

/// Names of the variable that stands for the skill's own directory.
const SKILL_DIRECTORY: [&str; 3] = ["${CLAUDE_SKILL_DIR}/", "$CLAUDE_SKILL_DIR/", "{baseDir}/"];

/// What a file with tables in Markdown ends with.
const ENDINGS: [&str; 4] = [".md", ".markdown", ".mdx", ".txt"];

/// Longest reference, in bytes: a path of four directories with long names.
const LONGEST: usize = 1024;

/// A file that a skill refers to.
///
/// Holding one proves that its path is relative and has no `..`, so it cannot climb out of its base.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileReference {
    base: Base,
    path: String,
}

/// What a reference is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// The directory of the skill's own file.
    Skill,
    /// The directory of the plugin that the skill came with.
    Plugin,
}

impl FileReference {
    /// Returns what the path is relative to.
    pub const fn base(&self) -> Base {
        self.base
    }

    /// Returns the path, with `/` between its parts.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for FileReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.base {
            Base::Skill => f.write_str(&self.path),
            Base::Plugin => write!(f, "${{CLAUDE_PLUGIN_ROOT}}/{}", self.path),
        }
    }
}

/// What a text says about a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// It names one.
    File(FileReference),
    /// It names one beyond what the skill may refer to.
    Outside,
    /// It names none.
    Nothing,
}

/// Reads a link's target or a piece of code as the name of a file with tables.
pub(super) fn read(text: &str) -> Read {
    let (text, _) = text.split_once('#').unwrap_or((text, ""));
    let (base, path) = based(text.trim());
    let lower = path.to_ascii_lowercase();
    let is_path = path.len() <= LONGEST
        && ENDINGS.iter().any(|ending| lower.ends_with(ending))
        && !path
            .contains(|c: char| c.is_whitespace() || c.is_control() || "*?<>|\"{}$".contains(c))
        && !path.contains("://");
    if !is_path {
        return Read::Nothing;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "." => {}
            ".." if parts.pop().is_some() => {}
            // Also the root, a home directory and a drive.
            "" | ".." => return Read::Outside,
            part if part.starts_with('~') || part.contains(':') => return Read::Outside,
            part => parts.push(part),
        }
    }
    Read::File(FileReference { base, path: parts.join("/") })
}

fn based(text: &str) -> (Base, &str) {
    let within = |names: &[&str]| names.iter().find_map(|name| text.strip_prefix(name));
    if let Some(path) = within(&PLUGIN_ROOT) {
        return (Base::Plugin, path);
    }
    (Base::Skill, within(&SKILL_DIRECTORY).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn references_are_relative_or_refused() {
        for (text, expected) in [
            ("references/rules.md", "references/rules.md"),
            ("./a/../b.MD#part", "b.MD"),
            ("${CLAUDE_PLUGIN_ROOT}/shared/x.md", "${CLAUDE_PLUGIN_ROOT}/shared/x.md"),
            ("${CLAUDE_SKILL_DIR}/x.md", "x.md"),
            ("../shared/x.md", "outside"),
            ("a/../../x.md", "outside"),
            ("${CLAUDE_PLUGIN_ROOT}/../x.md", "outside"),
            ("/etc/x.md", "outside"),
            ("~/x.md", "outside"),
            ("C:\\x.md", "outside"),
            ("https://example.org/x.md", "nothing"),
            ("${HOME}/x.md", "nothing"),
            ("docs/*.md", "nothing"),
            ("x.rs", "nothing"),
            ("#part", "nothing"),
        ] {
            let told = match read(text) {
                Read::File(file) => file.to_string(),
                Read::Outside => "outside".to_owned(),
                Read::Nothing => "nothing".to_owned(),
            };
            assert_eq!(told, expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_reference_never_climbs(text in "(\\$\\{CLAUDE_PLUGIN_ROOT\\}/)?([./\\\\~a:]|\\.\\.){0,12}\\.md") {
            if let Read::File(file) = read(&text) {
                let inside = file.path().split('/').all(|part| !matches!(part, "" | "." | ".."));
                prop_assert!(inside && !file.path().contains('\\'), "{}", file);
            }
        }
    }
}
