//! Patterns whose findings need no validation: from tables and lists, here or in another file.
//!
//! A section names its patterns, or only the file that defines them, or both: then the names say
//! which ones are meant and the file says what they are. A file that serves many skills groups its
//! tables; where some group is about this skill's subject, only those groups are taken.

mod definition;

use std::collections::HashSet;

use serde::Serialize;

use super::{
    Outside,
    block::{Block, Shape, TABLE_ROWS, blocks},
    file::{self, FileReference},
    remark::{Problem, Tally},
    text::words,
    topic::{Placed, Topic, place},
};
use crate::pattern::{self, BadPattern};
use definition::{Expression, Found, columns, in_block, in_item, in_table};

/// Most patterns of one skill, each of which may take milliseconds to compile.
///
/// The largest public table has 43.
const PATTERNS: usize = 100;

/// Most files that are followed from one skill; real ones name one.
const FILES: usize = 4;

/// Most bytes that are read of a followed file: the size of a skill's own.
const FILE_BYTES: usize = 1024 * 1024;

/// Most patterns that are compiled to more than is allowed before the rest is no longer tried.
///
/// Finding out takes milliseconds each; a skill with this many has no honest reason for more.
const TOO_LARGE: usize = 8;

/// A pattern whose findings need no validation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AutoValidated {
    /// Its name.
    pub id: String,
    /// The regular expression; none when the skill gives none, or one that cannot be compiled.
    pub pattern: Option<String>,
    /// What it finds.
    pub description: String,
}

/// Returns the patterns of a skill about a subject, in order; each has been compiled once.
pub(super) fn auto_validated(
    placed: &[Placed<'_>],
    subject: &str,
    outside: &Outside<'_>,
    tally: &mut Tally<'_>,
) -> Vec<AutoValidated> {
    let mut found = Vec::new();
    let mut files: Vec<(FileReference, usize)> = Vec::new();
    for Placed { block, topic, .. } in placed {
        if *topic != Topic::AutoValidated {
            continue;
        }
        found.extend(in_block(block, tally));
        for file in references(block, tally) {
            let is_new = !files.iter().any(|(known, _)| *known == file);
            if is_new && files.len() < FILES {
                files.push((file, block.line));
            } else if is_new {
                tally.too_many("files with patterns", FILES, block.line);
            }
        }
    }
    // Names alone choose from what the files define.
    let chooses = !found.is_empty();
    for (file, line) in files {
        let Some(text) = (outside.file)(&file) else {
            tally.add(Problem::FileMissing { file }, line);
            continue;
        };
        let Defined { own, others } = in_file(&text, &file, subject, tally);
        if chooses {
            define(&mut found, own.into_iter().chain(others).collect());
        } else {
            found.extend(if own.is_empty() { others } else { own });
        }
    }
    tried(found, tally)
}

/// Completes the patterns that have only a name so far.
fn define(found: &mut [Found], mut defined: Vec<Found>) {
    for pattern in found {
        let Some(place) = defined.iter().position(|defined| defined.id == pattern.id) else {
            continue;
        };
        let definition = defined.swap_remove(place);
        if pattern.description.is_empty() {
            pattern.description = definition.description;
        }
        if pattern.expression.is_none() {
            pattern.expression = definition.expression;
            pattern.line = definition.line;
            pattern.file = definition.file;
        }
    }
}

/// Compiles every expression once, and tells of those that cannot be used.
fn tried(found: Vec<Found>, tally: &mut Tally<'_>) -> Vec<AutoValidated> {
    let mut patterns: Vec<AutoValidated> = Vec::new();
    let mut ids = HashSet::new();
    let mut too_large = 0;
    for Found { id, expression, description, line, file } in found {
        if !ids.insert(id.clone()) {
            continue;
        }
        let mut told = match &file {
            Some(file) => tally.of_file(file.clone()),
            None => tally.of_same_file(),
        };
        if patterns.len() == PATTERNS {
            told.too_many("auto-validated patterns", PATTERNS, line);
            break;
        }
        let compiled = match expression {
            None => Ok(None),
            Some(Expression::Cut(bytes)) => Err(BadPattern::TooLong { bytes }),
            Some(Expression::Whole(_)) if too_large >= TOO_LARGE => Err(BadPattern::TooLarge),
            Some(Expression::Whole(text)) => pattern::compile(&text).map(|_| Some(text)),
        };
        let pattern = compiled.unwrap_or_else(|reason| {
            too_large += usize::from(reason == BadPattern::TooLarge);
            told.add(Problem::Pattern { id: id.clone(), reason }, line);
            None
        });
        patterns.push(AutoValidated { id, pattern, description });
    }
    patterns
}

/// What another file defines: in groups about the skill's subject, and in all the others.
#[derive(Default)]
struct Defined {
    own: Vec<Found>,
    others: Vec<Found>,
}

/// Reads every table of patterns in another file.
fn in_file(text: &str, file: &FileReference, subject: &str, tally: &mut Tally<'_>) -> Defined {
    let mut tally = tally.of_file(file.clone());
    let text = text.get(..text.floor_char_boundary(FILE_BYTES)).unwrap_or(text);
    let (blocks, _) = blocks(text);
    let mut defined = Defined::default();
    let mut is_own = false;
    for Placed { block, topic, .. } in place(&blocks) {
        let found = match &block.shape {
            Shape::Heading(_) | Shape::Paragraph { depth: 0 } => {
                let label = block.text.as_str();
                if matches!(block.shape, Shape::Heading(_)) || label.ends_with(':') {
                    is_own = is_about(label, subject);
                }
                Vec::new()
            }
            Shape::Table(table) if columns(table).is_some() => {
                in_table(table, block.line, &mut tally)
            }
            Shape::Item { .. } if topic == Topic::AutoValidated => {
                in_item(&block.text, block.line).into_iter().collect()
            }
            Shape::Table(_) | Shape::Item { .. } | Shape::Paragraph { .. } => Vec::new(),
        };
        let found = found.into_iter().map(|found| Found { file: Some(file.clone()), ..found });
        if is_own { &mut defined.own } else { &mut defined.others }.extend(found);
        if defined.others.len() + defined.own.len() > TABLE_ROWS {
            tally.too_many("patterns of one file", TABLE_ROWS, block.line);
            break;
        }
    }
    defined
}

/// Tells whether the label of a group names the subject: "Bug patterns" and `reviewing-bugs`.
fn is_about(label: &str, subject: &str) -> bool {
    const COMMON: [&str; 8] =
        ["pattern", "patterns", "always", "valid", "auto", "validated", "the", "and"];
    let (label, subject) = (words(label), words(subject));
    let mut named = label.split_whitespace().filter(|word| !COMMON.contains(word)).peekable();
    named.peek().is_some()
        && named.all(|word| {
            let is_same = |own: &str| own == word || own.strip_suffix('s') == Some(word);
            subject.split_whitespace().any(is_same)
        })
}

/// Returns the files a block refers to.
fn references(block: &Block, tally: &mut Tally<'_>) -> Vec<FileReference> {
    let mut files = Vec::new();
    for text in block.text.links().chain(block.text.code()) {
        match file::read(text) {
            file::Read::File(file) => files.push(file),
            file::Read::Outside => {
                let reference = text.to_owned();
                tally.add(Problem::LeadsOutside { reference }, block.line);
            }
            file::Read::Nothing => {}
        }
    }
    files
}
