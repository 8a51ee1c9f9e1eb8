//! The closed lists of a workflow: what a step may come to, who may be asked, how sure one is.

use serde::{Deserialize, Serialize};

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is done, and well.
    Ok,
    /// It is done, and the answer is no.
    Fail,
    /// It is not needed.
    Skip,
    /// It has to be done again.
    Iterate,
}

/// An agent's part in a workflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Judges work it did not do.
    QualityReviewer,
    /// Changes code.
    Developer,
    /// Writes for readers.
    TechnicalWriter,
    /// Looks, and changes nothing.
    Explore,
    /// Decides how things fit together.
    Architect,
    /// Anything else.
    GeneralPurpose,
}

/// How sure somebody is of an answer, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Still looking round.
    Exploring,
    /// A guess.
    Low,
    /// More likely than not.
    Medium,
    /// Would be surprised to be wrong.
    High,
    /// Was checked.
    Certain,
}

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// A wrong result, lost data, a security hole, or knowledge that nobody gets back later.
    Must,
    /// It makes later work harder.
    Should,
    /// It costs nobody anything.
    Could,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 4] = [Self::Ok, Self::Fail, Self::Skip, Self::Iterate];

    /// Returns the word used in definitions and commands.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Fail => "fail",
            Self::Skip => "skip",
            Self::Iterate => "iterate",
        }
    }

    /// Parses the word of [`Outcome::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
    }
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 6] = [
        Self::QualityReviewer,
        Self::Developer,
        Self::TechnicalWriter,
        Self::Explore,
        Self::Architect,
        Self::GeneralPurpose,
    ];

    /// Returns the word used in definitions.
    pub const fn word(self) -> &'static str {
        match self {
            Self::QualityReviewer => "quality-reviewer",
            Self::Developer => "developer",
            Self::TechnicalWriter => "technical-writer",
            Self::Explore => "explore",
            Self::Architect => "architect",
            Self::GeneralPurpose => "general-purpose",
        }
    }

    /// Returns what an agent in this role hands back, unless its step says otherwise. It is as much
    /// as whoever leads the work can keep in mind.
    pub const fn returns(self) -> &'static str {
        match self {
            Self::QualityReviewer => {
                "Hand back the verdict, then the findings with their places: 1,500 tokens at most, \
                 details in files that you name."
            }
            Self::Developer => {
                "Hand back what changed and where, the commands you ran with their results, and \
                 what is open: 1,500 tokens at most, details in files that you name."
            }
            Self::TechnicalWriter => {
                "Hand back what you changed or found, with places, and what is open: 1,500 tokens \
                 at most, details in files that you name."
            }
            Self::Explore => {
                "Hand back the answer, then the evidence, then what you did not find: 1,500 tokens \
                 at most, details in files that you name."
            }
            Self::Architect => {
                "Hand back the recommendation, then reasons, rejected ways and risks: 1,500 tokens \
                 at most, details in files that you name."
            }
            Self::GeneralPurpose => {
                "Hand back the result, then the evidence, then what is open: 1,500 tokens at most, \
                 details in files that you name."
            }
        }
    }

    /// Returns what an agent in this role is told before anything else.
    pub fn prompt(self) -> &'static str {
        let text = match self {
            Self::QualityReviewer => include_str!("../../assets/roles/quality-reviewer.md"),
            Self::Developer => include_str!("../../assets/roles/developer.md"),
            Self::TechnicalWriter => include_str!("../../assets/roles/technical-writer.md"),
            Self::Explore => include_str!("../../assets/roles/explore.md"),
            Self::Architect => include_str!("../../assets/roles/architect.md"),
            Self::GeneralPurpose => include_str!("../../assets/roles/general-purpose.md"),
        };
        text.trim_end()
    }
}

impl Confidence {
    /// Every degree, the least first.
    pub const ALL: [Self; 5] =
        [Self::Exploring, Self::Low, Self::Medium, Self::High, Self::Certain];

    /// Returns the word used in definitions and commands.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Exploring => "exploring",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Certain => "certain",
        }
    }

    /// Parses the word of [`Confidence::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|confidence| confidence.word() == word)
    }
}

impl Severity {
    /// Every severity, the heaviest first.
    pub const ALL: [Self; 3] = [Self::Must, Self::Should, Self::Could];

    /// Returns the word used in definitions.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::Could => "could",
        }
    }

    /// Returns the word that reports begin a finding with.
    pub const fn capitals(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::Could => "COULD",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_is_written_to_files() {
        let json = |value: serde_json::Result<String>| value.unwrap().replace('"', "");
        for outcome in Outcome::ALL {
            assert_eq!(outcome.word(), json(serde_json::to_string(&outcome)));
        }
        for role in Role::ALL {
            assert_eq!(role.word(), json(serde_json::to_string(&role)));
        }
        for confidence in Confidence::ALL {
            assert_eq!(confidence.word(), json(serde_json::to_string(&confidence)));
        }
        for severity in Severity::ALL {
            assert_eq!(severity.word(), json(serde_json::to_string(&severity)));
        }
    }
}
