//! What is odd about a skill, as values: reading and judging both answer with findings.
//!
//! A finding never stops anything. Its text quotes foreign words harmlessly: shortened, and
//! without control characters.

use std::fmt;

use pacenote_model::limits;
use serde::Serialize;
use thiserror::Error;

/// One thing that is odd about a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whose rule it is.
    pub rule: Rule,
    /// How much it matters.
    pub severity: Severity,
    /// The line of the file, counted from one, where there is one to name.
    pub line: Option<usize>,
    /// What it is.
    pub problem: Problem,
}

/// Whose rule a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Reading the file had to make allowances.
    Reading,
    /// The Agent Skills specification, as its validator judges.
    Specification,
    /// What hosts do with such a file.
    Host,
}

impl Rule {
    /// Returns the word used in JSON and in lists.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Specification => "specification",
            Self::Host => "host",
        }
    }
}

/// How much a finding matters, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The rule is broken.
    Error,
    /// Something was repaired, guessed or lost.
    Warning,
    /// Worth knowing, harmless.
    Note,
}

impl Severity {
    /// Returns the word used in JSON and in lists.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl Finding {
    /// Tells whether the strict reading of the frontmatter failed.
    pub fn is_lenient(&self) -> bool {
        self.rule == Rule::Reading && self.problem.is_lenient()
    }

    pub(crate) const fn reading(problem: Problem, line: Option<usize>) -> Self {
        let harmless = matches!(
            problem,
            Problem::ByteOrderMark | Problem::CarriageReturns | Problem::LateFence
        );
        let severity = if harmless { Severity::Note } else { Severity::Warning };
        Self { rule: Rule::Reading, severity, line, problem }
    }

    pub(crate) const fn specification(problem: Problem, line: Option<usize>) -> Self {
        Self { rule: Rule::Specification, severity: Severity::Error, line, problem }
    }

    pub(crate) const fn host(severity: Severity, problem: Problem) -> Self {
        Self { rule: Rule::Host, severity, line: None, problem }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        fmt::Display::fmt(&self.problem, f)
    }
}

/// What a finding is about.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The file is larger than what is read of a skill.
    #[error("the file has {bytes} bytes, only the first {} are read", limits::SKILL_BYTES)]
    FileTooLarge {
        /// The size of what was given.
        bytes: usize,
    },
    /// Some bytes are not UTF-8.
    #[error("bytes that are not UTF-8 were replaced, {sequences} sequences in all")]
    NotUtf8 {
        /// How many were replaced.
        sequences: usize,
    },
    /// The text has NUL characters.
    #[error("NUL characters were removed, {count} in all")]
    NulCharacters {
        /// How many there were.
        count: usize,
    },
    /// The file begins with a byte order mark.
    #[error("the file begins with a byte order mark")]
    ByteOrderMark,
    /// Lines end with a carriage return.
    #[error("lines end with carriage returns")]
    CarriageReturns,
    /// There is no frontmatter.
    #[error("there is no frontmatter: the first line is not `---`")]
    FrontmatterMissing,
    /// The frontmatter is never closed.
    #[error("the frontmatter is never closed with `---`")]
    FrontmatterUnclosed,
    /// The frontmatter is too large to be parsed.
    #[error(
        "the frontmatter has {bytes} bytes, only the first {} are read, line by line",
        limits::FRONTMATTER_BYTES
    )]
    FrontmatterTooLarge {
        /// The size of the frontmatter.
        bytes: usize,
    },
    /// Blank lines stand before the frontmatter.
    #[error("blank lines stand before the frontmatter")]
    LateFence,
    /// A parser of YAML refuses the frontmatter.
    #[error("the frontmatter is not valid YAML: {reason}")]
    BrokenYaml {
        /// What the parser says.
        reason: String,
    },
    /// The frontmatter is larger or deeper than it may be once expanded.
    #[error("the frontmatter is nested or repeated beyond every bound")]
    BoundlessYaml,
    /// The frontmatter is a list or a text.
    #[error("the frontmatter is not a list of keys with values")]
    NotAMap,
    /// A key stands there twice.
    #[error("the key {} is repeated, the first one counts", quoted(key))]
    DuplicateKey { key: String },
    /// There are more keys than are read.
    #[error("there are more than {most} keys, the rest is left out")]
    TooManyKeys {
        /// The most that are read.
        most: usize,
    },
    /// Tabs indent a line.
    #[error("a tab indents the line, it was read as spaces")]
    TabIndentation,
    /// The value of a key was read as text because it is not valid YAML.
    #[error("the value of {} is not valid YAML and was read as it stands", quoted(key))]
    RepairedValue { key: String },
    /// A line belongs to no key.
    #[error("the line belongs to no key and was left out")]
    StrayLine,
    /// A line continues a value without being indented.
    #[error("the line is not indented and was taken as part of {}", quoted(key))]
    UnindentedLine {
        /// The key whose value it continues.
        key: String,
    },
    /// There is no name.
    #[error("there is no name, the skill is called {} after its place", quoted(used))]
    NameMissing {
        /// The name that is used.
        used: String,
    },
    /// The name could not be kept as it is.
    #[error("the name cannot be kept as it is and became {}", quoted(used))]
    NameCleaned {
        /// The name that is used.
        used: String,
    },
    /// There is no description.
    #[error("there is no description")]
    DescriptionMissing,
    /// The value of a known key is of another kind.
    #[error("the value of {} is not {expected}", quoted(key))]
    WrongType {
        key: String,
        /// What was wanted, with its article.
        expected: &'static str,
    },
    /// A required key is missing.
    #[error("the required key `{key}` is missing")]
    KeyMissing { key: &'static str },
    /// A required value is empty or no text.
    #[error("the value of `{key}` is not a text with words in it")]
    ValueEmpty { key: &'static str },
    /// A key is not part of the specification.
    #[error(
        "the key {} is not part of the specification, `metadata` would be its place",
        quoted(key)
    )]
    KeyUnexpected { key: String },
    /// A value is longer than allowed.
    #[error("the value of `{key}` has {characters} characters, at most {most} are allowed")]
    ValueTooLong {
        key: &'static str,
        /// How many there are.
        characters: usize,
        /// How many there may be.
        most: usize,
    },
    /// The name has capitals.
    #[error("the name is not in lower case")]
    NameNotLowercase,
    /// The name begins or ends with a hyphen.
    #[error("the name begins or ends with a hyphen")]
    NameHyphenAtEdge,
    /// The name has two hyphens in a row.
    #[error("the name has two hyphens in a row")]
    NameDoubleHyphen,
    /// The name has other characters than letters, digits and hyphens.
    #[error("the name has characters other than letters, digits and hyphens")]
    NameCharacters,
    /// The name is not the directory's.
    #[error("the name is not the directory's, which is {}", quoted(directory))]
    NameNotDirectory {
        /// The directory's name.
        directory: String,
    },
    /// A list or map is written in brackets.
    #[error("a list or map in brackets is refused, one item on each line is not")]
    FlowStyle,
    /// A tag or an anchor is refused.
    #[error("a YAML tag or anchor is refused")]
    TagOrAnchor,
    /// A tab stands outside of quotes.
    #[error("a tab outside of quotes is refused, spaces are not")]
    TabBetween,
    /// Maps of one level begin in different columns.
    #[error("maps of one level begin in different columns")]
    UnevenIndentation,
    /// A character may not stand in YAML.
    #[error("a character that cannot be printed may not stand in the frontmatter")]
    UnprintableCharacter,
    /// Three hyphens inside the frontmatter end it for the validator.
    #[error("`---` inside the frontmatter ends it too early for the validator")]
    FenceInside,
    /// The body has more lines than recommended.
    #[error("the body has {lines} lines, at most {most} are recommended")]
    BodyLines {
        /// How many there are.
        lines: usize,
        /// How many are recommended.
        most: usize,
    },
    /// The body has more tokens than recommended.
    #[error("the body has about {tokens} tokens, at most {most} are recommended")]
    BodyTokens {
        /// About how many there are.
        tokens: usize,
        /// How many are recommended.
        most: usize,
    },
    /// Name and description take more room in the catalogue than recommended.
    #[error(
        "name and description take about {tokens} tokens of every session, 50 to {most} are usual"
    )]
    CatalogueTokens {
        /// About how many there are.
        tokens: usize,
        /// How many are usual.
        most: usize,
    },
    /// Hosts leave the skill out.
    #[error("hosts leave out a skill with {reason}")]
    LeftOut {
        /// What it has, or lacks.
        reason: &'static str,
    },
}

impl Problem {
    const fn is_lenient(&self) -> bool {
        matches!(
            self,
            Self::FrontmatterUnclosed
                | Self::FrontmatterTooLarge { .. }
                | Self::BrokenYaml { .. }
                | Self::BoundlessYaml
                | Self::NotAMap
                | Self::DuplicateKey { .. }
        )
    }
}

/// Shows at most 40 characters of a foreign text, with control characters escaped.
fn quoted(text: &str) -> String {
    format!("`{}`", harmless(text, 40))
}

/// Returns the first characters of a foreign text on one line, with control characters escaped.
pub(crate) fn harmless(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for character in text.chars().take(most) {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_words_are_quoted_harmlessly() {
        let key = format!("a\u{1b}[2J{}", "x".repeat(500));
        let finding = Finding::reading(Problem::DuplicateKey { key }, Some(3));
        let text = finding.to_string();
        assert!(text.starts_with("line 3: the key `a\\u{1b}[2Jxxx"), "{text}");
        assert!(text.len() < 120 && text.ends_with("…` is repeated, the first one counts"));
        assert!(finding.is_lenient());
    }

    #[test]
    fn a_validators_refusal_is_not_lenient_reading() {
        let problem = Problem::BrokenYaml { reason: String::from("x") };
        assert!(Finding::reading(problem.clone(), None).is_lenient());
        assert!(!Finding::specification(problem, None).is_lenient());
        assert!(!Finding::reading(Problem::FrontmatterMissing, None).is_lenient());
    }
}
