//! What a hook answers, in no host's own words.

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

impl Reply {
    /// Returns the answer that says nothing.
    pub const fn nothing() -> Self {
        Self { context: None, notice: None, verdict: None }
    }

    /// Returns an answer that is text for the model.
    pub const fn context(text: String) -> Self {
        Self { context: Some(text), notice: None, verdict: None }
    }
}
