//! What to do now: one sentence of our own words and ids, or what follows from a message.

use pacenote_model::{AgentName, Forest, Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    next::{Hands, Incoming, next_after, next_to_dispatch},
    position::{Naming, Position},
    wording::one_line,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "next",
    shape: Shape::Line,
    heading: "Next action",
    is_quoted: false,
    cap: limits::SENTENCE_TOKENS,
    // Without it the rest is of no use: what it needs, it gets.
    share: Share { percent: 3, floor: limits::SENTENCE_TOKENS },
    again: Again::WhenChanged,
    is_first: true,
};

/// Most sentences about the next action: more are a plan.
const SENTENCES: usize = 4;

/// Longest sentence, in characters; it may quote two titles.
const SENTENCE_CHARACTERS: usize = 500;

/// What to do now.
#[derive(Clone, Debug)]
pub struct NextAction {
    sentences: Vec<String>,
    trust: Trust,
}

impl NextAction {
    /// Finds the next action of an agent. It names ids only, so all of it is ours.
    pub fn of(forest: &Forest<'_>, agent: Option<&AgentName>) -> Self {
        let sentence = Position::of(forest, agent, Naming::Id).next_action;
        Self { sentences: Vec::from([sentence]), trust: Trust::System }
    }

    /// Finds the next action of an agent that has others do the work.
    pub fn to_dispatch(forest: &Forest<'_>, agent: Option<&AgentName>) -> Self {
        let sentence = next_to_dispatch(forest, agent);
        Self { sentences: Vec::from([sentence]), trust: Trust::System }
    }

    /// Finds what to do after a message. The sentences quote titles.
    pub fn after(
        forest: &Forest<'_>,
        agent: Option<&AgentName>,
        message: Option<&Incoming<'_>>,
        hands: Hands,
    ) -> Self {
        Self::saying(&next_after(forest, agent, message, hands))
    }

    /// Says what follows from a message, in sentences that quote titles.
    pub fn saying(all: &[String]) -> Self {
        let sentences = all.iter().map(|sentence| one_line(sentence, SENTENCE_CHARACTERS));
        Self { sentences: sentences.take(SENTENCES).collect(), trust: Trust::Agent }
    }

    fn text(&self) -> String {
        match self.sentences.as_slice() {
            [only] => only.clone(),
            several => {
                let lines = (1..).zip(several);
                let lines = lines.map(|(number, line): (u32, _)| format!("{number}. {line}"));
                lines.collect::<Vec<_>>().join("\n")
            }
        }
    }
}

impl Fragment for NextAction {
    fn kind(&self) -> FragmentKind {
        FragmentKind::NEXT
    }

    fn trust(&self) -> Trust {
        self.trust
    }

    fn reason(&self) -> String {
        "every briefing ends in one thing to do".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::NEXT.tag())
    }

    fn items(&self) -> Vec<Item> {
        let text = Escaped::text(&self.text());
        Vec::from([Item { id: ItemId::only(FragmentKind::NEXT), label: String::new(), text }])
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}
