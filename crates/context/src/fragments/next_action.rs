//! What to do now, in one sentence of our own words and ids.

use pacenote_model::{AgentName, Forest, Trust};

use crate::{
    escape::{Escaped, TagName},
    fragment::{Fragment, Frame, Item, ItemId, Kind},
    position::{Naming, Position},
};

/// The sentence about the next action.
#[derive(Clone, Debug)]
pub struct NextAction {
    sentence: String,
}

impl NextAction {
    /// Finds the next action of an agent.
    pub fn of(forest: &Forest<'_>, agent: Option<&AgentName>) -> Self {
        Self { sentence: Position::of(forest, agent, Naming::Id).next_action }
    }
}

impl Fragment for NextAction {
    fn kind(&self) -> Kind {
        Kind::Next
    }

    fn trust(&self) -> Trust {
        Trust::System
    }

    fn reason(&self) -> String {
        "every briefing ends in one thing to do".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(TagName::Next)
    }

    fn items(&self) -> Vec<Item> {
        let text = Escaped::text(&self.sentence);
        Vec::from([Item { id: ItemId::only(Kind::Next), label: String::new(), text }])
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}
