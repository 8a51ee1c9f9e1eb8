//! Which skills are for a task, and in which order several are given.
//!
//! A skill that is named decides: by the task's own field, else by that of a task above. Then the
//! patterns on the title decide, then those on the titles above, else the default. What decided is
//! part of the answer; a skill that is not there is reported as missing and never replaced in silence.

mod compose;
mod phrase;
mod rules;
mod title;
mod wish;

use std::{fmt, ops::Deref};

use serde::{Serialize, Serializer, ser::SerializeStruct};

pub use self::{
    compose::{Ingredient, Layer, USUAL_PRIORITY, compose},
    phrase::{BadPhrase, PHRASE_WORDS},
    rules::{BadRow, BadRules, Matched, Origin, ROWS, Reason, Row, Rules},
    title::{is_about_tests, is_implementation, is_other_work},
    wish::Wish,
};
use crate::reference::{Named, Reference, Target};

/// Plugins whose skills we have our own of, under the same names.
pub const LENDERS: [&str; 1] = ["superpowers"];

/// A task as far as it matters for the choice.
#[derive(Clone, Copy, Debug)]
pub struct TaskView<'a> {
    /// The task as people name it: `#12`.
    pub name: &'a str,
    /// What its field asks for.
    pub wish: Option<&'a Wish>,
    pub title: &'a str,
}

/// The skills for a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The skills, in the order in which they are named; empty where none is wanted.
    pub skills: Vec<ChosenSkill>,
    pub decided_by: DecidedBy,
}

/// A skill for a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenSkill {
    /// The skill to use, as it is found; the one that was wished for when it is missing.
    pub skill: Reference,
    /// Whether it is there.
    pub standing: Standing,
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

    /// Reports whether somebody named the skill: the task, one above it, or a row of the person. A
    /// row that comes with us guesses by a word, and a default names nothing.
    pub fn is_named(&self) -> bool {
        match self {
            Self::Field | Self::ParentField { .. } => true,
            Self::Pattern(matched) | Self::ParentPattern { matched, .. } => {
                matched.origin == Origin::Settings
            }
            Self::Default => false,
        }
    }

    /// Returns the reason for an agent, who knows nothing of rows.
    pub fn for_agents(&self) -> String {
        match self {
            Self::Pattern(matched) => format!("the title has `{}`", matched.phrase),
            Self::ParentPattern { task, matched } => {
                format!("the title of the task above, {task}, has `{}`", matched.phrase)
            }
            Self::Default => "it is the default skill".to_owned(),
            Self::Field | Self::ParentField { .. } => self.to_string(),
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

/// Says in one sentence which skills there are and why.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.skills.is_empty() {
            let by = &self.decided_by;
            return match by {
                DecidedBy::Field => f.write_str("no skill: the task asks for none"),
                DecidedBy::ParentField { task } => {
                    write!(f, "no skill: the task above, {task}, asks for none")
                }
                DecidedBy::Pattern(_) | DecidedBy::ParentPattern { .. } => {
                    write!(f, "no skill: {by}")
                }
                DecidedBy::Default => {
                    f.write_str("no skill: no rule is about this task, and there is no default")
                }
            };
        }
        let names: Vec<String> = self.skills.iter().map(|one| format!("`{}`", one.skill)).collect();
        write!(f, "{}: ", names.join(", "))?;
        let is_field = matches!(self.decided_by, DecidedBy::Field | DecidedBy::ParentField { .. });
        let by = self.decided_by.to_string();
        if is_field && names.len() > 1 {
            f.write_str(&by.replace("names it", "names them"))?;
        } else {
            f.write_str(&by)?;
        }
        for ChosenSkill { skill, standing } in &self.skills {
            let it = if names.len() > 1 { format!("`{skill}`") } else { "it".to_owned() };
            match standing {
                Standing::Present => {}
                Standing::StandIn { wished } => {
                    write!(f, "; {it} stands in for `{wished}`, which is not installed")?;
                }
                Standing::Missing if names.len() > 1 => {
                    write!(f, "; there is no skill {it}")?;
                }
                Standing::Missing => f.write_str("; there is no such skill")?,
            }
        }
        Ok(())
    }
}

impl ChosenSkill {
    fn stands_in_for(&self) -> Option<String> {
        match &self.standing {
            Standing::StandIn { wished } => Some(wished.to_string()),
            Standing::Present | Standing::Missing => None,
        }
    }
}

impl Serialize for ChosenSkill {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut chosen = serializer.serialize_struct("ChosenSkill", 3)?;
        chosen.serialize_field("skill", &self.skill.to_string())?;
        chosen.serialize_field("missing", &(self.standing == Standing::Missing))?;
        chosen.serialize_field("stands_in_for", &self.stands_in_for())?;
        chosen.end()
    }
}

/// The first of several skills stands at the top, where there was only one once.
impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let first = self.skills.first();
        let is_missing = first.is_some_and(|one| one.standing == Standing::Missing);
        let mut choice = serializer.serialize_struct("Choice", 8)?;
        choice.serialize_field("skill", &first.map(|one| one.skill.to_string()))?;
        choice.serialize_field("missing", &is_missing)?;
        choice.serialize_field("stands_in_for", &first.and_then(ChosenSkill::stands_in_for))?;
        choice.serialize_field("skills", &self.skills)?;
        choice.serialize_field("decided_by", self.decided_by.word())?;
        choice.serialize_field("rule", &self.decided_by.matched())?;
        choice.serialize_field("parent", &self.decided_by.parent())?;
        choice.serialize_field("reason", &self.to_string())?;
        choice.end()
    }
}

/// Chooses the skills for a task, whose parents are given with the nearest first.
///
/// The rules are only made when a title has to decide. `find` answers with the skill that a
/// reference means, if there is one.
pub fn choose(
    task: &TaskView<'_>,
    parents: &[TaskView<'_>],
    rules: &dyn Deref<Target = Rules>,
    find: &dyn Fn(&Reference) -> Option<Reference>,
) -> Choice {
    let (wish, decided_by) = decide(task, parents, rules);
    let settled = wish.references().iter().map(|wanted| settle(wanted, find));
    Choice { skills: settled.collect(), decided_by }
}

/// Decides what a task is done with, without a look at whether it is there.
///
/// What somebody named, on the task or above it, counts more than a word in any title.
pub fn decide(
    task: &TaskView<'_>,
    parents: &[TaskView<'_>],
    rules: &dyn Deref<Target = Rules>,
) -> (Wish, DecidedBy) {
    if let Some(wish) = task.wish {
        return (wish.clone(), DecidedBy::Field);
    }
    let named = |parent: &TaskView<'_>| {
        let task = parent.name.to_owned();
        Some((parent.wish?.clone(), DecidedBy::ParentField { task }))
    };
    if let Some(named) = parents.iter().find_map(named) {
        return named;
    }
    if let Some((row, matched)) = rules.first_match(task.title) {
        return (row.wish.clone(), DecidedBy::Pattern(matched));
    }
    let titled = |parent: &TaskView<'_>| {
        let (row, matched) = rules.first_match(parent.title)?;
        let task = parent.name.to_owned();
        Some((row.wish.clone(), DecidedBy::ParentPattern { task, matched }))
    };
    let titled = parents.iter().find_map(titled);
    titled.unwrap_or_else(|| (rules.default.clone(), DecidedBy::Default))
}

/// Finds a skill that is wished for, or our own of the same name.
fn settle(wish: &Reference, find: &dyn Fn(&Reference) -> Option<Reference>) -> ChosenSkill {
    if let Some(skill) = find(wish) {
        return ChosenSkill { skill, standing: Standing::Present };
    }
    match stand_in(wish).and_then(|own| find(&own)) {
        Some(skill) => ChosenSkill { skill, standing: Standing::StandIn { wished: wish.clone() } },
        None => ChosenSkill { skill: wish.clone(), standing: Standing::Missing },
    }
}

/// Returns the reference to our own skill in place of one of a plugin that lends us its names.
pub fn stand_in(reference: &Reference) -> Option<Reference> {
    let Target::Named(named) = reference.target() else { return None };
    let plugin = named.plugin.as_ref()?;
    let own = Named { plugin: None, version: None, ..named.clone() };
    LENDERS.contains(&plugin.as_str()).then(|| own.into())
}

#[cfg(test)]
mod tests;
