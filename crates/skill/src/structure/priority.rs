//! Which files to look at first, as patterns.
//!
//! Every pattern begins with `**/`, so that it means the same to every matcher: anywhere in the
//! tree. A word that file names contain becomes two patterns, `**/*auth*` for the files and
//! `**/*auth*/**` for the directories of that name.

use serde::Serialize;

use super::{
    block::Shape,
    remark::Tally,
    text::{Text, has_any, words},
    topic::{Placed, Topic},
};

/// Most patterns of one skill; a longer list prioritises nothing.
const PATTERNS: usize = 100;

/// Longest pattern or word, in bytes.
const PATTERN_BYTES: usize = 200;

/// Words of a sentence that say what names contain.
const ABOUT_NAMES: [&str; 9] =
    ["name", "names", "named", "filename", "filenames", "path", "paths", "containing", "contain"];

/// Endings of file names that are taken without being written as code.
const PLAIN_ENDINGS: [&str; 8] =
    [".md", ".json", ".toml", ".yaml", ".yml", ".lock", ".xml", ".env"];

/// The files to look at first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PriorityFiles {
    /// Patterns in the manner of `.gitignore`, each from any directory.
    pub patterns: Vec<String>,
}

impl PriorityFiles {
    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }
}

/// Returns the files that the skill wants looked at first.
pub(super) fn priority_files(placed: &[Placed<'_>], tally: &mut Tally<'_>) -> PriorityFiles {
    let mut patterns: Vec<String> = Vec::new();
    for Placed { block, topic, .. } in placed {
        let has_files = match block.shape {
            Shape::Paragraph { .. } | Shape::Item { .. } => *topic == Topic::PriorityFiles,
            Shape::Heading(_) | Shape::Table(_) => false,
        };
        if !has_files {
            continue;
        }
        for pattern in in_text(&block.text) {
            if patterns.contains(&pattern) {
                continue;
            }
            if patterns.len() == PATTERNS {
                tally.too_many("patterns of priority files", PATTERNS, block.line);
                return PriorityFiles { patterns };
            }
            patterns.push(pattern);
        }
    }
    PriorityFiles { patterns }
}

/// Returns the patterns that one line names or describes.
fn in_text(text: &Text) -> Vec<String> {
    let about_names = has_any(&words(text.as_str()), &ABOUT_NAMES);
    let mut patterns = Vec::new();
    for code in text.code() {
        match anywhere(code) {
            Some(pattern) => patterns.push(pattern),
            None if about_names && is_word(code) => patterns.extend(containing(code)),
            None => {}
        }
    }
    if about_names {
        let quoted = quotations(text.as_str()).into_iter().filter(|word| is_word(word));
        patterns.extend(quoted.flat_map(containing));
    }
    let first = text.as_str().split(' ').next().unwrap_or_default().trim_end_matches([',', ':']);
    if first.contains('*') || PLAIN_ENDINGS.iter().any(|ending| first.ends_with(ending)) {
        patterns.extend(anywhere(first));
    }
    patterns
}

/// Returns the pattern for files named like this wherever they are, if it is a path at all.
fn anywhere(code: &str) -> Option<String> {
    let code = code.trim();
    let path = code.trim_start_matches("./");
    let is_path = path.len() <= PATTERN_BYTES
        && path.chars().all(|c| c.is_alphanumeric() || "._-*/?[]{},@+".contains(c))
        && path.contains(char::is_alphanumeric)
        && !path.starts_with('/')
        && !path.split('/').any(|part| part == "..");
    let (_, ending) = path.rsplit_once('.').unwrap_or_default();
    let has_ending = !ending.is_empty() && ending.chars().all(char::is_alphanumeric);
    if !is_path || !(path.contains(['/', '*']) || has_ending) {
        return None;
    }
    let everything = if path.ends_with('/') { "**" } else { "" };
    let start = if path.starts_with("**/") { "" } else { "**/" };
    Some(format!("{start}{path}{everything}"))
}

fn containing(word: &str) -> [String; 2] {
    [format!("**/*{word}*"), format!("**/*{word}*/**")]
}

fn is_word(text: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    !text.is_empty() && text.len() <= PATTERN_BYTES && text.chars().all(in_word)
}

/// Returns what stands in double quotation marks, straight or curly.
fn quotations(text: &str) -> Vec<&str> {
    let is_mark = |c: char| matches!(c, '"' | '“' | '”');
    text.split(is_mark).skip(1).step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_found_in_code_and_in_words() {
        let told = |parts: &[&str]| {
            let mut text = Text::default();
            for part in parts {
                match part.strip_prefix('`') {
                    Some(code) => text.push_code(code),
                    None => text.push(part),
                }
            }
            in_text(&text).join(" ")
        };
        let table: [(&[&str], &str); 9] = [
            (
                &["Configuration (", "`config/*.ts", ", ", "`appsettings.json", ")"],
                "**/config/*.ts **/appsettings.json",
            ),
            (&["Files with “auth” or \"log in\" in their names"], "**/*auth* **/*auth*/**"),
            (&["Paths containing ", "`login"], "**/*login* **/*login*/**"),
            (&["Everything below ", "`src/api/"], "**/src/api/**"),
            (&["`**/auth/**"], "**/auth/**"),
            (&["README.md (the entry)"], "**/README.md"),
            (&["Files with \"TODO\" comments"], ""),
            (&["`/etc/passwd", " ", "`../x.ts", " ", "`eval(x)", " ", "`TODO"], ""),
            (&["Node.js services"], ""),
        ];
        for (parts, expected) in table {
            assert_eq!(told(parts), expected, "{parts:?}");
        }
    }
}
