//! Reading single settings out of git's configuration files.
//!
//! Only what git itself writes has to be understood. Includes are not followed: they name files
//! that whoever wrote the configuration chose.

use std::path::Path;

use crate::bytes::Bytes;
use crate::open::Links;
use crate::read::read_capped;

/// Largest configuration that is read: a thousand branches take some 100 KiB.
const CONFIGURATION: Bytes = Bytes::mib(1);

/// The text of a configuration file.
pub(super) struct Settings(String);

impl Settings {
    /// Reads a configuration file; one that cannot be read has no settings.
    pub(super) fn read(path: &Path) -> Self {
        let content = read_capped(path, CONFIGURATION, Links::Refuse).unwrap_or_default();
        Self(String::from_utf8_lossy(&content).into_owned())
    }

    /// Returns the value of `section.key`: the last one counts, and a key alone means `true`.
    pub(super) fn value(&self, section: &str, key: &str) -> Option<String> {
        let mut is_inside = false;
        let mut value = None;
        for line in self.0.lines() {
            let mut line = line.trim_start();
            if let Some(header) = line.strip_prefix('[') {
                let (name, after) = header.split_once(']').unwrap_or((header, ""));
                is_inside = name.trim().eq_ignore_ascii_case(section);
                line = after;
            }
            let (name, said) = line.split_once('=').unwrap_or((line, "true"));
            if is_inside && name.trim().eq_ignore_ascii_case(key) {
                value = Some(plain(said));
            }
        }
        value
    }

    /// Reports whether `section.key` is set to true.
    pub(super) fn is_true(&self, section: &str, key: &str) -> bool {
        let is_true = |value: String| ["true", "yes", "on", "1"].contains(&&*value.to_lowercase());
        self.value(section, key).is_some_and(is_true)
    }
}

/// Returns a value without its quotes, escapes and comment.
fn plain(raw: &str) -> String {
    let mut value = String::new();
    // How much of the value stays when the blanks at its end go.
    let mut kept = 0;
    let mut is_quoted = false;
    let mut characters = raw.trim_start().chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => is_quoted = !is_quoted,
            '#' | ';' if !is_quoted => break,
            '\\' => value.extend(characters.next().map(|escaped| match escaped {
                'n' => '\n',
                't' => '\t',
                other => other,
            })),
            other => value.push(other),
        }
        if is_quoted || !character.is_whitespace() {
            kept = value.len();
        }
    }
    value.truncate(kept);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_git_writes_them() {
        let settings = Settings(
            "# [core]\n\tworktree = no\n[Core]\n\tbare\n\tworktree = ../a # why\n\
             [core \"sub\"]\n\tworktree = of the subsection\n[remote \"a]b\"]\n\turl = x\n\
             [core] WorkTree = \"../a \\\"b\\\" #c \" \n"
                .to_owned(),
        );
        assert_eq!(settings.value("core", "worktree").as_deref(), Some("../a \"b\" #c "));
        assert!(settings.is_true("core", "bare"));
        assert_eq!(settings.value("extensions", "objectformat"), None);
    }
}
