//! What of a body could not be used as it stands, told beside the structure.

use std::fmt;

use thiserror::Error;

use super::file::FileReference;
use crate::{finding::harmless, pattern::BadPattern};

/// Most remarks about one skill: a thousand patterns that all fail are one fault.
const REMARKS: usize = 100;

/// Most characters of a foreign text that a remark repeats.
const QUOTED_CHARACTERS: usize = 60;

/// One thing that could not be used as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The other file it stands in, if it is not the skill's own.
    pub file: Option<FileReference>,
    /// The line of that file, counted from one.
    pub line: usize,
    /// What it is.
    pub problem: Problem,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}, ", harmless(&file.to_string(), QUOTED_CHARACTERS))?;
        }
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

/// What a remark is about.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// A pattern cannot be used; it stays listed without its expression.
    #[error("the pattern `{}` is not used: {reason}", harmless(id, QUOTED_CHARACTERS))]
    Pattern {
        /// The pattern's name.
        id: String,
        /// Why not.
        reason: BadPattern,
    },
    /// A file that should hold patterns cannot be read.
    #[error("`{}` was not found or may not be read", harmless(&file.to_string(), QUOTED_CHARACTERS))]
    FileMissing {
        /// What was asked for.
        file: FileReference,
    },
    /// A reference leads out of the skill or the plugin.
    #[error(
        "`{}` leads out of the skill and is not followed",
        harmless(reference, QUOTED_CHARACTERS)
    )]
    LeadsOutside {
        /// The reference as written.
        reference: String,
    },
    /// There is more of something than is read.
    #[error("there are more than {most} {what}, the rest is left out")]
    TooMany {
        /// What there is more of.
        what: &'static str,
        /// The most that are read.
        most: usize,
    },
}

/// Collects remarks about one file.
pub(super) struct Tally<'r> {
    remarks: &'r mut Vec<Remark>,
    file: Option<FileReference>,
    /// How many lines come before the text whose lines are counted.
    lines_before: usize,
}

impl<'r> Tally<'r> {
    /// Begins with the skill's own body.
    pub(super) const fn of_body(remarks: &'r mut Vec<Remark>, lines_before: usize) -> Self {
        Self { remarks, file: None, lines_before }
    }

    /// Returns the same collection for another file.
    pub(super) const fn of_file(&mut self, file: FileReference) -> Tally<'_> {
        Tally { remarks: self.remarks, file: Some(file), lines_before: 0 }
    }

    /// Returns the same collection for the same file.
    pub(super) fn of_same_file(&mut self) -> Tally<'_> {
        let file = self.file.clone();
        Tally { remarks: self.remarks, file, lines_before: self.lines_before }
    }

    pub(super) fn too_many(&mut self, what: &'static str, most: usize, line: usize) {
        self.add(Problem::TooMany { what, most }, line);
    }

    pub(super) fn add(&mut self, problem: Problem, line: usize) {
        let line = self.lines_before + line;
        let remark = Remark { file: self.file.clone(), line, problem };
        if self.remarks.len() < REMARKS && !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }
}
