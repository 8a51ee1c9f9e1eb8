//! Where the work stands, in one sentence.
//!
//! It names tasks by their titles where the tree stands in another part or not at all; beside the
//! tree, and where titles are too long, ids are enough.

use pacenote_model::{AgentName, Forest, Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    position::{Naming, Position},
    size::Size,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "position",
    shape: Shape::Line,
    heading: "Current position",
    is_quoted: false,
    cap: limits::POSITION_TOKENS,
    // Without it the rest is of no use: what it needs, it gets.
    share: Share { percent: 3, floor: limits::POSITION_TOKENS },
    again: Again::WhenChanged,
    is_first: true,
};

/// The sentence about the position.
#[derive(Clone, Debug)]
pub struct PositionNote {
    titled: String,
    stepped: String,
    bare: String,
}

impl PositionNote {
    /// Finds the position of an agent.
    pub fn of(forest: &Forest<'_>, agent: Option<&AgentName>) -> Self {
        let sentence = |naming| Position::of(forest, agent, naming).sentence;
        Self {
            titled: sentence(Naming::Title),
            stepped: sentence(Naming::Step),
            bare: sentence(Naming::Id),
        }
    }

    /// Names tasks by their ids: a reader who has the tree before it needs no title twice.
    #[must_use]
    pub fn beside_tree(self) -> Self {
        Self { titled: self.bare.clone(), ..self }
    }

    /// Names the task by its id and the step with its title, beside a tree that numbers its steps.
    #[must_use]
    pub fn beside_numbers(self) -> Self {
        Self { titled: self.stepped.clone(), ..self }
    }
}

impl Fragment for PositionNote {
    fn kind(&self) -> FragmentKind {
        FragmentKind::POSITION
    }

    fn trust(&self) -> Trust {
        Trust::Agent
    }

    fn reason(&self) -> String {
        "every briefing says where the work stands".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::POSITION.tag())
    }

    fn items(&self) -> Vec<Item> {
        let text = Escaped::text(&self.titled);
        Vec::from([Item { id: ItemId::only(FragmentKind::POSITION), label: String::new(), text }])
    }

    fn folded(&self, _room: Size) -> Option<Escaped> {
        Some(Escaped::text(&self.bare))
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}
