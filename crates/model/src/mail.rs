//! Mail between agents.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::{
    AgentName, Body, Branch, MessageId, Moment, Number, ProjectId, ThreadId, Title, Trust,
};

/// How much a message presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Importance {
    /// Can wait.
    Low,
    /// The usual.
    Normal,
    /// Before other things.
    High,
    /// Now.
    Urgent,
}

impl Importance {
    /// Every importance, least first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Normal, Self::High, Self::Urgent];

    /// Returns the word used in the store and in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Normal => "normal",
            Self::High => "high",
            Self::Urgent => "urgent",
        }
    }

    /// Parses the word of [`Importance::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|importance| importance.word() == word)
    }
}

/// How far a message has come with one recipient. The three are kept apart: a message may be
/// offered and never opened, or opened and never answered for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// When it was first offered.
    pub delivered: Option<Moment>,
    /// When its body was first opened.
    pub read: Option<Moment>,
    /// When it was acknowledged.
    pub acked: Option<Moment>,
}

/// A step of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStep {
    /// The message was offered.
    Delivered,
    /// The body was opened.
    Read,
    /// The message was acknowledged.
    Acked,
}

impl Delivery {
    /// Returns the delivery after `step` at `at`.
    ///
    /// A step includes those before it, and the first moment of each is kept.
    #[must_use]
    pub fn after(self, step: DeliveryStep, at: Moment) -> Self {
        Self {
            delivered: self.delivered.or(Some(at)),
            read: self.read.or((step >= DeliveryStep::Read).then_some(at)),
            acked: self.acked.or((step >= DeliveryStep::Acked).then_some(at)),
        }
    }
}

/// Somebody a message is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipient {
    /// The project the agent works in.
    pub project: ProjectId,
    /// The branch it must work on, if the address named one.
    pub branch: Option<Branch>,
    pub agent: AgentName,
}

/// A message about to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewMessage {
    pub id: MessageId,
    /// The message it answers; the answer joins its thread.
    pub reply_to: Option<MessageId>,
    /// What it is about.
    pub subject: Title,
    /// What it says.
    pub body: Body,
    /// How much it presses.
    pub importance: Importance,
    /// Whether the sender waits for an acknowledgement.
    pub ack_required: bool,
    /// Whom it is for.
    pub recipients: Vec<Recipient>,
}

/// A message as the store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub id: MessageId,
    /// Its number in the sender's project.
    pub number: Number,
    /// The sender's project.
    pub project: ProjectId,
    pub thread: ThreadId,
    /// Who sent it.
    pub sender: AgentName,
    /// How far the sender may be believed.
    pub trust: Trust,
    /// What it is about.
    pub subject: Title,
    /// What it says; `None` where only the envelope was asked for.
    pub body: Option<Body>,
    /// How much it presses.
    pub importance: Importance,
    /// Whether the sender waits for an acknowledgement.
    pub ack_required: bool,
    /// When it was sent.
    pub sent: Moment,
    /// Whom it is for, and how far it has come with each. An inbox holds only its owner's row.
    pub recipients: Vec<(Recipient, Delivery)>,
}

/// A change of mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MailEffect {
    /// A message is sent.
    Sent { message: NewMessage },
    /// A message came a step further with one recipient.
    Stepped {
        message: MessageId,
        /// The recipient.
        agent: AgentName,
        /// The branch the recipient works on; mail for another branch is not touched.
        branch: Option<Branch>,
        step: DeliveryStep,
    },
}

impl MailEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Sent { .. } => "sent",
            Self::Stepped { .. } => "stepped",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn step() -> impl Strategy<Value = DeliveryStep> {
        prop_oneof![
            Just(DeliveryStep::Delivered),
            Just(DeliveryStep::Read),
            Just(DeliveryStep::Acked),
        ]
    }

    proptest! {
        /// Whatever the order of steps: acked implies read implies delivered, nothing set is ever
        /// unset or moved, and the same step again changes nothing.
        #[test]
        fn deliveries_only_grow(steps in prop::collection::vec((step(), 0i64..1000), 1..20)) {
            let mut delivery = Delivery::default();
            for (step, at) in steps {
                let next = delivery.after(step, Moment::from_millis(at));
                prop_assert!(next.acked.is_none() || next.read.is_some());
                prop_assert!(next.read.is_none() || next.delivered.is_some());
                for (old, new) in [
                    (delivery.delivered, next.delivered),
                    (delivery.read, next.read),
                    (delivery.acked, next.acked),
                ] {
                    prop_assert!(old.is_none() || old == new);
                }
                prop_assert_eq!(next.after(step, Moment::from_millis(5000)), next);
                delivery = next;
            }
        }
    }
}
