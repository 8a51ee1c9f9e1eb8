//! The kinds of events, one row each: their words, and every question that a kind answers alone.
//!
//! A kind is added by adding a row; the enum, the list and the lookups follow from the table. What an
//! event carries is in [`EventBody`](super::EventBody), not here.

/// What can be said of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trait {
    /// A host sends it; the others are ours.
    Sent,
    /// Agents are told things there, by several processes perhaps.
    Tells,
    /// A model reads on after it.
    Read,
    /// It is about a tool.
    Tool,
    /// A turn ends with it.
    Ends,
    /// It matters to the session also when one of its subagents sends it.
    Shared,
}

/// The words of a kind and what can be said of it.
struct EventRow {
    word: &'static str,
    receipt: &'static str,
    key: Option<&'static str>,
    traits: &'static [Trait],
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident: $word:literal, $receipt:literal, $key:expr, [$($trait:ident),*];)*) => {
        /// A kind of event. Hosts differ in which they send, and in what they read in the answer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum EventKind {
            $($(#[$doc])* $kind,)*
        }

        impl EventKind {
            /// Every kind, in the order of a session.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            const fn row(self) -> EventRow {
                match self {
                    $(Self::$kind => EventRow {
                        word: $word,
                        receipt: $receipt,
                        key: $key,
                        traits: &[$(Trait::$trait),*],
                    },)*
                }
            }
        }
    };
}

// The word on the command line, the word in receipts (of a session's beginning its source stands there
// instead), the key of rules, and what can be said.
kinds! {
    /// A session's context begins.
    SessionStart: "session-start", "session_start", Some("on_session_start"), [Sent, Tells, Read];
    /// The person sends a prompt.
    Prompt: "prompt", "prompt", Some("on_before_agent"), [Sent, Tells, Read];
    /// The model wants to use a tool.
    BeforeTool: "before-tool", "before_tool", Some("on_before_tool"), [Sent, Read, Tool, Shared];
    /// A tool was used.
    AfterTool: "after-tool", "after_tool", Some("on_after_tool"), [Sent, Read, Tool, Shared];
    /// The host is about to send a request to its model.
    Request: "request", "request", None, [Sent, Read];
    /// The host's own list of things to do changed.
    Todos: "todos", "todos", None, [Sent, Shared];
    /// The context is about to be compacted.
    PreCompact: "pre-compact", "pre_compact", Some("on_pre_compact"), [Sent];
    /// The context was compacted.
    PostCompact: "post-compact", "post_compact", Some("on_post_compact"), [Sent];
    /// The model has finished its turn.
    Stop: "stop", "stop", Some("on_stop"), [Sent, Ends];
    /// A subagent begins.
    SubagentStart: "subagent-start", "subagent_start", Some("on_subagent_start"), [Sent, Tells, Read, Shared];
    /// A subagent has ended.
    SubagentStop: "subagent-stop", "subagent_stop", Some("on_subagent_stop"), [Sent, Shared];
    /// The session ends.
    SessionEnd: "session-end", "session_end", Some("on_session_end"), [Sent, Ends];
    /// A message wakes an agent.
    Wake: "wake", "wake", Some("on_wake"), [Read];
}

impl EventKind {
    /// Returns the word that `doctor` prints and scripts use.
    pub const fn word(self) -> &'static str {
        self.row().word
    }

    /// Returns the kind that a host sends under a word on our command line.
    pub fn sent_as(word: &str) -> Option<Self> {
        Self::sent().find(|kind| kind.word() == word)
    }

    /// Returns the kinds that hosts send, in the order of a session.
    pub fn sent() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|kind| kind.has(Trait::Sent))
    }

    /// Returns the word by which receipts name events of the kind.
    pub(super) const fn receipt_word(self) -> &'static str {
        self.row().receipt
    }

    /// Returns the key under which its rules stand; no rule can be about a kind without one.
    pub const fn rule_key(self) -> Option<&'static str> {
        self.row().key
    }

    /// Returns the kind whose rules stand under a key.
    pub fn from_rule_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.rule_key() == Some(key))
    }

    /// Reports whether agents are told things there, by several processes perhaps.
    pub fn tells(self) -> bool {
        self.has(Trait::Tells)
    }

    /// Reports whether a model reads on after it. Otherwise nobody reads what is injected: a summary
    /// is being made, or a turn is over.
    pub fn is_read_on(self) -> bool {
        self.has(Trait::Read)
    }

    /// Reports whether it is about a tool.
    pub fn is_about_tool(self) -> bool {
        self.has(Trait::Tool)
    }

    /// Reports whether a turn of the session ends with it.
    pub fn ends_turn(self) -> bool {
        self.has(Trait::Ends)
    }

    /// Reports whether it matters to the session also when one of its subagents sends it: a
    /// subagent's tools change the same files and are under the same rules.
    pub fn is_shared_by_subagents(self) -> bool {
        self.has(Trait::Shared)
    }

    fn has(self, asked: Trait) -> bool {
        self.row().traits.contains(&asked)
    }
}

#[cfg(test)]
mod tests {
    use std::{format, string::String};

    use super::*;

    /// Returns the name of a kind as it is in the program, with a mark between its words.
    fn spelled(kind: EventKind, mark: char) -> String {
        let mut spelled = String::new();
        for letter in format!("{kind:?}").chars() {
            if letter.is_uppercase() && !spelled.is_empty() {
                spelled.push(mark);
            }
            spelled.extend(letter.to_lowercase());
        }
        spelled
    }

    #[test]
    fn words_follow_from_the_name() {
        for kind in EventKind::ALL.iter().copied() {
            assert_eq!(kind.word(), spelled(kind, '-'));
            assert_eq!(kind.receipt_word(), spelled(kind, '_'));
        }
    }

    #[test]
    fn a_word_and_a_key_mean_one_kind() {
        for kind in EventKind::ALL.iter().copied() {
            let sent = EventKind::sent().any(|sent| sent == kind);
            assert_eq!(EventKind::sent_as(kind.word()), sent.then_some(kind), "{kind:?}");
            let Some(key) = kind.rule_key() else { continue };
            assert_eq!(EventKind::from_rule_key(key), Some(kind), "{kind:?}");
        }
    }

    #[test]
    fn what_is_said_of_a_kind_fits_together() {
        for kind in EventKind::ALL.iter().copied() {
            assert!(!kind.tells() || kind.is_read_on(), "nobody reads what {kind:?} tells");
            assert!(!kind.ends_turn() || !kind.is_read_on(), "{kind:?} ends a turn and does not");
            assert!(!kind.is_about_tool() || kind.is_shared_by_subagents(), "{kind:?}");
            let is_silent = kind.row().traits.is_empty() && kind.rule_key().is_none();
            assert!(!is_silent, "nothing is said of {kind:?}");
        }
    }
}
