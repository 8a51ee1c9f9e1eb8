//! What a task, a rule or a setting asks for: some skills, or none.

use std::fmt;

use pacenote_model::TaskSkills;

use crate::reference::{BadReference, Reference};

/// What somebody asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// No skill.
    NoSkill,
    /// These, in the order in which they are named.
    Skills(Vec<Reference>),
}

impl Wish {
    /// Parses names separated by commas, or `none`. The first that is wrong is reported.
    pub fn parse(raw: &str) -> Result<Self, BadReference> {
        if raw.trim().eq_ignore_ascii_case(TaskSkills::NO_SKILL) {
            return Ok(Self::NoSkill);
        }
        let list: Result<Vec<Reference>, _> = Reference::parse_list(raw).into_iter().collect();
        Ok(Self::Skills(list?))
    }

    /// Returns what the field of a task asks for.
    pub fn of_task(skills: &TaskSkills) -> Self {
        let names = skills.names();
        if names.is_empty() {
            return Self::NoSkill;
        }
        let parsed = names.iter().filter_map(|name| Reference::parse(name.as_str()).ok());
        Self::Skills(parsed.collect())
    }

    /// Returns the skills, none where none is wanted.
    pub fn references(&self) -> &[Reference] {
        match self {
            Self::NoSkill => &[],
            Self::Skills(list) => list,
        }
    }
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSkill => f.write_str(TaskSkills::NO_SKILL),
            Self::Skills(list) => {
                let names: Vec<String> = list.iter().map(ToString::to_string).collect();
                f.write_str(&names.join(", "))
            }
        }
    }
}
