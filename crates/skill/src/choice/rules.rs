//! The table of phrases and the skills they call for.

use std::fmt;

use pacenote_model::limits;
use serde::{Serialize, Serializer, ser::SerializeStruct};
use thiserror::Error;

use super::{
    Wish,
    phrase::{self, BadPhrase, Phrase},
};
use crate::reference::{BadReference, shown};

/// Most rows a person may add; each is held against every title.
pub const ROWS: usize = 500;

/// Most phrases of one row.
const PHRASES: usize = 20;

/// The skill for a task that nothing else decides about, unless the person says otherwise.
const DEFAULT: &str = "superpowers:test-driven-development";

/// A row that comes with us.
struct BuiltInRow {
    phrases: &'static str,
    skill: &'static str,
    /// Words that, in a gap of a phrase or right behind it, mean that a title is about something else.
    others: &'static [&'static str],
}

/// The rows that come with us; a person's own rows stand before them. Words that titles of ordinary
/// work have too (`finish`, `merge`, `review`, `plan`) need a second one.
const BUILT_IN: [BuiltInRow; 5] = [
    BuiltInRow { phrases: "brainstorm", skill: "superpowers:brainstorming", others: &[] },
    BuiltInRow { phrases: "worktree", skill: "superpowers:using-git-worktrees", others: &[] },
    BuiltInRow {
        phrases: "write … plan, draft … plan, make plan, implementation plan, ^plan the, ^plan a, \
                  ^plan an, ^plan our, ^plan how",
        skill: "superpowers:writing-plans",
        others: &[
            "test",
            "pricing",
            "price",
            "billing",
            "payment",
            "subscription",
            "page",
            "limits",
        ],
    },
    BuiltInRow {
        phrases: "spec review, code review, quality review, review … code, review … \
                  implementation, review … diff, review … changes, review … branch, review … pull \
                  request, review … PR",
        skill: "superpowers:subagent-driven-development",
        others: &["error", "status", "exit", "return", "zip", "postal", "country", "template"],
    },
    BuiltInRow {
        phrases: "finish … branch, finish … release, finish … pull request, finish … PR, merge … \
                  branch, merge … release, merge … pull request, merge … PR, merge … into main, \
                  merge … into master, merge … to main, open … pull request, open … PR, create … \
                  pull request, create … PR, raise … pull request, raise … PR",
        skill: "superpowers:finishing-a-development-branch",
        others: &[
            "conflict",
            "conflicts",
            "sort",
            "template",
            "templates",
            "notes",
            "name",
            "names",
            "protection",
            "list",
            "lists",
            "page",
            "button",
            "webhook",
            "webhooks",
        ],
    },
];

/// The rows, of which the first that matches decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    rows: Vec<Row>,
    /// What a task gets that no row is about.
    pub default: Wish,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    phrases: Vec<Phrase>,
    others: &'static [&'static str],
    /// What it calls for.
    pub wish: Wish,
    /// Who wrote it.
    pub origin: Origin,
    /// Its place among the rows of its origin, counted from one; blank rows and comments count.
    pub number: usize,
}

/// Who wrote a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A person, in the settings.
    Settings,
    /// It comes with us.
    BuiltIn,
}

/// The row that a title matches, and the phrase of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// The phrase, as it is written in the row.
    pub phrase: String,
    /// Who wrote the row.
    pub origin: Origin,
    /// Its place among the rows of its origin, counted from one; blank rows and comments count.
    pub number: usize,
}

impl Rules {
    /// Returns the rows that come with us.
    pub fn built_in() -> Self {
        Self { rows: built_in(), default: usual_default() }
    }

    /// Gives a task that no row is about something else than usual.
    #[must_use]
    pub fn with_default(self, default: Wish) -> Self {
        Self { default, ..self }
    }

    /// Reports whether the default is the one that comes with us, which is for changes of behaviour.
    pub fn has_usual_default(&self) -> bool {
        self.default == usual_default()
    }

    /// Parses a person's rows, `phrase, phrase -> skill` each, and puts them before our own.
    ///
    /// Blank rows and those that begin with `#` are skipped. All that is wrong is reported at once.
    pub fn parse<'a>(rows: impl IntoIterator<Item = &'a str>) -> Result<Self, BadRules> {
        let mut own = Vec::new();
        let mut bad = Vec::new();
        let rows = rows.into_iter().zip(1..).map(|(text, number)| (text.trim(), number));
        for (text, number) in rows.filter(|(text, _)| !text.is_empty() && !text.starts_with('#')) {
            if own.len() + bad.len() == ROWS {
                bad.push(BadRow { number, reason: Reason::TooMany });
                break;
            }
            match parsed(text, number) {
                Ok(row) => own.push(row),
                Err(reason) => bad.push(BadRow { number, reason }),
            }
        }
        if !bad.is_empty() {
            return Err(BadRules { rows: bad });
        }
        own.extend(built_in());
        Ok(Self { rows: own, default: usual_default() })
    }

    /// Returns the rows, in the order in which they are tried.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the first row that a title matches.
    pub fn first_match(&self, title: &str) -> Option<(&Row, Matched)> {
        // A longer title is no task's, and would be held against every phrase.
        let title: String = title.chars().take(limits::TITLE_CHARACTERS).collect();
        let words = phrase::words(&title);
        self.rows.iter().find_map(|row| {
            let phrase = row.phrases.iter().find(|phrase| phrase.is_in(&words, row.others))?;
            // The mark says where it may stand, which the reader of a title sees.
            let phrase = phrase.to_string().trim_start_matches(['^', ' ']).to_owned();
            Some((row, Matched { phrase, origin: row.origin, number: row.number }))
        })
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::built_in()
    }
}

/// Shows the row as it is written.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let phrases: Vec<_> = self.phrases.iter().map(Phrase::to_string).collect();
        write!(f, "{} -> {}", phrases.join(", "), self.wish)
    }
}

impl fmt::Display for Matched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = match self.origin {
            Origin::Settings => "of the settings",
            Origin::BuiltIn => "of the built-in rules",
        };
        write!(f, "`{}` (row {} {whose})", self.phrase, self.number)
    }
}

impl Serialize for Matched {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut matched = serializer.serialize_struct("Matched", 3)?;
        matched.serialize_field("phrase", &self.phrase)?;
        matched.serialize_field("origin", &self.origin)?;
        matched.serialize_field("row", &self.number)?;
        matched.end()
    }
}

/// Rows that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", listed(rows))]
pub struct BadRules {
    /// All of them, in order; never empty.
    pub rows: Vec<BadRow>,
}

/// A row that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("row {number}: {reason}")]
pub struct BadRow {
    /// Its place, counted from one.
    pub number: usize,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Reason {
    /// There is no arrow.
    #[error("`{found}` has no `->` between the phrases and the skill")]
    NoArrow {
        /// The beginning of the row.
        found: Box<str>,
    },
    /// A phrase cannot be looked for.
    #[error(transparent)]
    Phrase(#[from] BadPhrase),
    /// It has too many phrases.
    #[error("there are more than {PHRASES} phrases")]
    TooManyPhrases,
    /// What stands behind the arrow names no skill.
    #[error(transparent)]
    Skill(#[from] BadReference),
    /// There are more rows than are read.
    #[error("there are more than {ROWS} rows")]
    TooMany,
}

#[expect(clippy::expect_used, reason = "the table is a constant")]
fn built_in() -> Vec<Row> {
    let rows = BUILT_IN.iter().zip(1..).map(|(BuiltInRow { phrases, skill, others }, number)| {
        let row = row(phrases, skill, Origin::BuiltIn, number).expect("a row");
        Row { others, ..row }
    });
    rows.collect()
}

#[expect(clippy::expect_used, reason = "the constant is a reference")]
fn usual_default() -> Wish {
    Wish::parse(DEFAULT).expect("a reference")
}

fn parsed(text: &str, number: usize) -> Result<Row, Reason> {
    let arrow = text.rsplit_once("->").or_else(|| text.rsplit_once('→'));
    let (phrases, skill) = arrow.ok_or_else(|| Reason::NoArrow { found: shown(text) })?;
    row(phrases, skill, Origin::Settings, number)
}

fn row(phrases: &str, skill: &str, origin: Origin, number: usize) -> Result<Row, Reason> {
    let wish = Wish::parse(skill)?;
    let phrases: Result<Vec<_>, _> =
        phrases.split(',').take(PHRASES + 1).map(Phrase::parse).collect();
    let phrases = phrases?;
    if phrases.len() > PHRASES {
        return Err(Reason::TooManyPhrases);
    }
    Ok(Row { phrases, others: &[], wish, origin, number })
}

fn listed(rows: &[BadRow]) -> String {
    rows.iter().map(BadRow::to_string).collect::<Vec<_>>().join("; ")
}
