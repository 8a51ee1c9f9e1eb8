//! How far a text may be believed.

use serde::{Deserialize, Serialize};

/// Trust level of a text; it travels with the text into the prompt.
///
/// Ordered from least to most trusted. Data never rises in level without a human act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// Downloaded skills, tool output, the web, transcripts.
    Foreign,
    /// What a model wrote: mail, notes, handoffs.
    Agent,
    /// Files of a trusted repository.
    Project,
    /// Typed by the person, or the person's own configuration.
    User,
    /// Written by this binary.
    System,
}

impl Trust {
    /// Returns the lowercase word used in the store, in JSON and in labels.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Foreign => "foreign",
            Self::Agent => "agent",
            Self::Project => "project",
            Self::User => "user",
            Self::System => "system",
        }
    }

    /// Parses the word of [`Trust::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Foreign, Self::Agent, Self::Project, Self::User, Self::System]
            .into_iter()
            .find(|trust| trust.word() == word)
    }
}
