//! What a hook answers, in no host's own words.

use serde_json::{Map, Value};

/// The answer to an event. The default says nothing.
///
/// The texts fit the host's ceiling already; an encoder never cuts. What the event cannot carry is
/// left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Text for the model.
    pub context: Option<String>,
    /// Text for the person, which the model never sees.
    pub notice: Option<String>,
    /// What is decided about the thing that happens.
    pub verdict: Option<Verdict>,
    /// What a tool is given in place of the whole input that the model wrote; a denial wins over it.
    pub input: Option<Map<String, Value>>,
}

/// A decision about what happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A tool is refused.
    Deny {
        /// Why, for the model.
        reason: String,
    },
    /// The agent must not stop yet.
    GoOn {
        /// Why, for the model.
        reason: String,
    },
}

/// A verdict that an answer can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// A tool is refused.
    Denial,
    /// The agent must not stop yet.
    GoingOn,
}

/// How an answer is written, for a host that leaves the choice to its caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As text for the model, which a script passes on as it is.
    #[default]
    Text,
    /// As one JSON object.
    Json,
}

impl Reply {
    /// Returns the answer that says nothing.
    pub const fn nothing() -> Self {
        Self { context: None, notice: None, verdict: None, input: None }
    }

    /// Returns an answer that is text for the model.
    pub const fn context(text: String) -> Self {
        Self { context: Some(text), notice: None, verdict: None, input: None }
    }
}

impl Carried {
    /// Returns the word that `doctor` prints.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Denial => "deny",
            Self::GoingOn => "go on",
        }
    }
}
