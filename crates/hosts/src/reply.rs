//! What a hook answers, in no host's own words.

/// The answer to an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// There is nothing to say.
    Nothing,
    /// Text for the model. It fits the host's ceiling already; an encoder never cuts.
    Context(String),
}
