//! Which skill is for a task, and in which order several are given.
//!
//! The task's own field decides, else the patterns on its title, else its parents, else the default.
//! Whatever decides is told; a skill that is not there is told as missing and never replaced in
//! silence.

mod compose;
mod phrase;
mod rules;

use std::{fmt, ops::Deref};

use serde::{Serialize, Serializer, ser::SerializeStruct};

pub use self::{
    compose::{Ingredient, Layer, USUAL_PRIORITY, compose},
    phrase::{BadPhrase, PHRASE_WORDS},
    rules::{BadRow, BadRules, Matched, Origin, ROWS, Reason, Row, Rules},
};
use crate::reference::{Named, Reference, Target};

/// Plugins whose skills we have our own of, under the same names.
pub const LENDERS: [&str; 1] = ["superpowers"];

/// The skill for a task that nothing else decides about.
const DEFAULT: &str = "superpowers:test-driven-development";

/// A task as far as it matters for the choice.
#[derive(Clone, Copy, Debug)]
pub struct TaskView<'a> {
    /// The task as people name it: `#12`.
    pub name: &'a str,
    /// The skill that its field names.
    pub skill: Option<&'a Reference>,
    pub title: &'a str,
}

/// The skill for a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The skill to use, as it is found; the one that was wished for when it is missing.
    pub skill: Reference,
    /// Whether it is there.
    pub standing: Standing,
    pub decided_by: DecidedBy,
}

/// Whether a chosen skill is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is.
    Present,
    /// It is our own, in place of this one, which is not installed.
    StandIn {
        /// The skill that was wished for.
        wished: Reference,
    },
    /// It is not.
    Missing,
}

/// What decided about a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// The field of the task.
    Field,
    /// A row of the rules, by the title of the task.
    Pattern(Matched),
    /// The field of a task above.
    ParentField { task: String },
    /// A row of the rules, by the title of a task above.
    ParentPattern {
        task: String,
        /// The row.
        matched: Matched,
    },
    /// Nothing else did.
    Default,
}

impl DecidedBy {
    /// Returns the word used in JSON and in lists.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Field => "field",
            Self::Pattern(_) => "pattern",
            Self::ParentField { .. } | Self::ParentPattern { .. } => "parent",
            Self::Default => "default",
        }
    }

    /// Returns the row that decided.
    pub const fn matched(&self) -> Option<&Matched> {
        match self {
            Self::Pattern(matched) | Self::ParentPattern { matched, .. } => Some(matched),
            Self::Field | Self::ParentField { .. } | Self::Default => None,
        }
    }

    /// Returns the task above that decided.
    pub fn parent(&self) -> Option<&str> {
        match self {
            Self::ParentField { task } | Self::ParentPattern { task, .. } => Some(task),
            Self::Field | Self::Pattern(_) | Self::Default => None,
        }
    }
}

impl fmt::Display for DecidedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field => f.write_str("the task names it"),
            Self::Pattern(matched) => write!(f, "the title has {matched}"),
            Self::ParentField { task } => write!(f, "the task above, {task}, names it"),
            Self::ParentPattern { task, matched } => {
                write!(f, "the title of the task above, {task}, has {matched}")
            }
            Self::Default => f.write_str("no rule is about this task, so it is the default"),
        }
    }
}

/// Says in one sentence which skill it is and why.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.skill, self.decided_by)?;
        match &self.standing {
            Standing::Present => Ok(()),
            Standing::StandIn { wished } => {
                write!(f, "; it stands in for `{wished}`, which is not installed")
            }
            Standing::Missing => f.write_str("; there is no such skill"),
        }
    }
}

impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stands_in_for = match &self.standing {
            Standing::StandIn { wished } => Some(wished.to_string()),
            Standing::Present | Standing::Missing => None,
        };
        let mut choice = serializer.serialize_struct("Choice", 7)?;
        choice.serialize_field("skill", &self.skill.to_string())?;
        choice.serialize_field("missing", &(self.standing == Standing::Missing))?;
        choice.serialize_field("stands_in_for", &stands_in_for)?;
        choice.serialize_field("decided_by", self.decided_by.word())?;
        choice.serialize_field("rule", &self.decided_by.matched())?;
        choice.serialize_field("parent", &self.decided_by.parent())?;
        choice.serialize_field("reason", &self.to_string())?;
        choice.end()
    }
}

/// Chooses the skill for a task, whose parents are given with the nearest first.
///
/// The rules are only made when a title has to decide. `find` answers with the skill that a
/// reference means, if there is one.
pub fn choose(
    task: &TaskView<'_>,
    parents: &[TaskView<'_>],
    rules: &dyn Deref<Target = Rules>,
    find: &dyn Fn(&Reference) -> Option<Reference>,
) -> Choice {
    let own = decide(task, rules)
        .map(|(wish, matched)| (wish, matched.map_or(DecidedBy::Field, DecidedBy::Pattern)));
    let inherited = || {
        parents.iter().find_map(|parent| {
            let (wish, matched) = decide(parent, rules)?;
            let task = parent.name.to_owned();
            let decided_by = match matched {
                Some(matched) => DecidedBy::ParentPattern { task, matched },
                None => DecidedBy::ParentField { task },
            };
            Some((wish, decided_by))
        })
    };
    let (wish, decided_by) =
        own.or_else(inherited).unwrap_or_else(|| (default_skill(), DecidedBy::Default));
    let (skill, standing) = settle(wish, find);
    Choice { skill, standing, decided_by }
}

/// Returns what a task says by itself: its field, or the row that its title matches.
fn decide(
    task: &TaskView<'_>,
    rules: &dyn Deref<Target = Rules>,
) -> Option<(Reference, Option<Matched>)> {
    if let Some(skill) = task.skill {
        return Some((skill.clone(), None));
    }
    let (row, matched) = rules.first_match(task.title)?;
    Some((row.skill.clone(), Some(matched)))
}

/// Finds a skill that is wished for, or our own of the same name.
fn settle(
    wish: Reference,
    find: &dyn Fn(&Reference) -> Option<Reference>,
) -> (Reference, Standing) {
    if let Some(found) = find(&wish) {
        return (found, Standing::Present);
    }
    match stand_in(&wish).and_then(|own| find(&own)) {
        Some(found) => (found, Standing::StandIn { wished: wish }),
        None => (wish, Standing::Missing),
    }
}

/// Returns the reference to our own skill in place of one of a plugin that lends us its names.
pub fn stand_in(reference: &Reference) -> Option<Reference> {
    let Target::Named(named) = reference.target() else { return None };
    let plugin = named.plugin.as_ref()?;
    let own = Named { plugin: None, version: None, ..named.clone() };
    LENDERS.contains(&plugin.as_str()).then(|| own.into())
}

#[expect(clippy::expect_used, reason = "the constant is a reference")]
fn default_skill() -> Reference {
    Reference::parse(DEFAULT).expect("a reference")
}

#[cfg(test)]
mod tests;
