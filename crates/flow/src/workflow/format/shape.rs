//! What a key takes: the kinds of values there are, and how they are told to people.

use super::{NAME_BYTES, TITLE_CHARACTERS};
use crate::{
    problem::listed,
    workflow::{
        expression::{CONDITION_BYTES, TEXT_BYTES},
        words::{Outcome, Role, Severity},
    },
};

/// Most keys of a map that are named where something else stands in its place.
const LISTED: usize = 9;

/// A key and what it takes.
pub(in crate::workflow) struct Field {
    pub(in crate::workflow) key: &'static str,
    pub(in crate::workflow) shape: Shape,
    pub(in crate::workflow) is_required: bool,
    /// What it is for, in a few words.
    pub(in crate::workflow) about: &'static str,
}

/// What a key takes.
#[derive(Clone, Copy)]
pub(in crate::workflow) enum Shape {
    /// A text as it is, of at most so many bytes.
    Sentence { most: usize },
    /// A text that fits into one line.
    Title,
    /// A text with gaps.
    Template,
    /// A condition over parameters and what is known of the run.
    Condition,
    /// A new name.
    Name(Naming),
    /// A name of something that has to be there.
    Reference(Shelved),
    /// A word of a closed list.
    Word(Vocabulary),
    /// A pattern of files inside the project.
    Glob,
    /// A yes or no.
    Flag,
    /// A whole number.
    Whole { least: i64, most: i64 },
    /// A number or a text.
    Version,
    /// A yes or no, a whole number or a text.
    Value,
    /// A list of words, or words with commas.
    Words,
    /// A map that is kept as it is.
    Json,
    /// A map with some of these keys.
    Map(&'static [Field]),
    /// A map with exactly one key of `of`, and perhaps some of `with`.
    OneOf { of: &'static [Field], with: &'static [Field] },
    /// A map of new names, each to the same.
    Named { naming: Naming, of: &'static Shape },
    /// A list of the same.
    List { of: &'static Shape, least: usize, most: usize },
    /// One of these, which YAML can tell from each other.
    Either(&'static [Shape]),
}

/// How a name is spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::workflow) enum Naming {
    /// With dashes, as in paths and commands.
    Dashed,
    /// With underscores, as in conditions.
    Variable,
}

/// What is looked up by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::workflow) enum Shelved {
    Step,
    /// A step, or the end.
    Target,
    Phase,
    /// A parameter that may be changed on the way.
    MutableParam,
    Resource,
    Convention,
    Workflow,
}

/// A closed list of words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::workflow) enum Vocabulary {
    Outcome,
    Role,
    Severity,
    ParamType,
    Mode,
    /// `tests` alone.
    Tests,
}

impl Shape {
    /// Says what it takes, after "must be".
    pub(in crate::workflow) fn allowed(&self) -> String {
        match self {
            Self::Sentence { most } => format!("a text of at most {most} bytes"),
            Self::Title => format!("one line of at most {TITLE_CHARACTERS} characters"),
            Self::Template => format!("a text of at most {TEXT_BYTES} bytes"),
            Self::Condition => format!("a condition of at most {CONDITION_BYTES} bytes"),
            Self::Name(naming) => naming.allowed(),
            Self::Reference(shelved) => shelved.allowed().to_owned(),
            Self::Word(vocabulary) => match vocabulary.words().as_slice() {
                [word] => format!("`{word}`"),
                words => format!("one of {}", listed(words)),
            },
            Self::Glob => "a pattern of files inside the project".to_owned(),
            Self::Flag => "`true` or `false`".to_owned(),
            Self::Whole { least: i64::MIN, most: i64::MAX } => "a whole number".to_owned(),
            Self::Whole { least, most } => format!("a whole number from {least} to {most}"),
            Self::Version => "a number or a text".to_owned(),
            Self::Value => "`true`, `false`, a whole number or a text".to_owned(),
            Self::Words => "a list of words, or words with commas".to_owned(),
            Self::Json => "a map that is a JSON Schema".to_owned(),
            Self::Map(fields) if fields.len() > LISTED => "a map".to_owned(),
            Self::Map(fields) => format!("a map of {}", listed(&keys(fields))),
            Self::OneOf { of, .. } => format!("a map with one of {}", listed(&keys(of))),
            Self::Named { .. } => "a map by name".to_owned(),
            Self::List { .. } => "a list".to_owned(),
            Self::Either(shapes) => {
                shapes.iter().map(Self::allowed).collect::<Vec<_>>().join(", or ")
            }
        }
    }
}

impl Naming {
    /// Says how it is spelled, after "must be".
    pub(in crate::workflow) fn allowed(self) -> String {
        let mark = match self {
            Self::Dashed => '-',
            Self::Variable => '_',
        };
        format!("a name of small letters, digits and `{mark}`, at most {NAME_BYTES}")
    }

    /// Returns the same as a regular expression.
    pub(in crate::workflow) const fn pattern(self) -> &'static str {
        match self {
            Self::Dashed => "^[a-z][a-z0-9-]*$",
            Self::Variable => "^[a-z_][a-z0-9_]*$",
        }
    }

    /// Tells whether a name is spelled so.
    pub(in crate::workflow) fn fits(self, name: &str) -> bool {
        let mark = match self {
            Self::Dashed => '-',
            Self::Variable => '_',
        };
        let begins = name
            .starts_with(|c: char| c.is_ascii_lowercase() || (self == Self::Variable && c == mark));
        let goes_on = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == mark;
        begins && name.chars().all(goes_on) && name.len() <= NAME_BYTES
    }
}

impl Shelved {
    /// Returns what it is called.
    pub(in crate::workflow) const fn word(self) -> &'static str {
        match self {
            Self::Step | Self::Target => "step",
            Self::Phase => "phase",
            Self::MutableParam => "mutable parameter",
            Self::Resource => "resource",
            Self::Convention => "convention",
            Self::Workflow => "workflow",
        }
    }

    const fn allowed(self) -> &'static str {
        match self {
            Self::Step => "the name of a step",
            Self::Target => "the name of a step or `end`",
            Self::Phase => "the name of a phase",
            Self::MutableParam => "the name of a parameter that is `mutable`",
            Self::Resource => "the name of a resource",
            Self::Convention => "the name of a convention",
            Self::Workflow => "the name of a workflow",
        }
    }
}

impl Vocabulary {
    /// Returns what one of its words is called.
    pub(in crate::workflow) const fn word(self) -> &'static str {
        match self {
            Self::Outcome => "outcome",
            Self::Role => "role",
            Self::Severity => "severity",
            Self::ParamType => "type",
            Self::Mode => "mode",
            Self::Tests => "check",
        }
    }

    /// Returns the words.
    pub(in crate::workflow) fn words(self) -> Vec<&'static str> {
        match self {
            Self::Outcome => Outcome::ALL.map(Outcome::word).to_vec(),
            Self::Role => Role::ALL.map(Role::word).to_vec(),
            Self::Severity => Severity::ALL.map(Severity::word).to_vec(),
            Self::ParamType => vec!["text", "path", "flag", "number", "choice", "confidence"],
            Self::Mode => vec!["free-form", "script"],
            Self::Tests => vec!["tests"],
        }
    }
}

/// Returns the keys of fields.
pub(in crate::workflow) fn keys(fields: &[Field]) -> Vec<&'static str> {
    fields.iter().map(|field| field.key).collect()
}
