//! How far the reader may believe what it sees, and how it gets what is not shown.

use pacenote_model::{Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "guide",
    shape: Shape::Line,
    heading: "",
    is_quoted: false,
    cap: limits::SENTENCE_TOKENS,
    // All of it.
    share: Share { percent: 2, floor: 120 },
    again: Again::Never,
    is_first: false,
};

/// What every reader is taught, once in an epoch.
const TEXT: &str = "If texts here disagree: the user first, then system, project, agent, foreign. \
                    Find skills: `pacenote skill search WORDS`.";

/// The way to read a briefing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guide;

impl Fragment for Guide {
    fn kind(&self) -> FragmentKind {
        FragmentKind::GUIDE
    }

    fn trust(&self) -> Trust {
        Trust::System
    }

    fn reason(&self) -> String {
        "every briefing says how to read it and where there is more".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::GUIDE.tag())
    }

    fn items(&self) -> Vec<Item> {
        let id = ItemId::only(FragmentKind::GUIDE);
        Vec::from([Item { id, label: String::new(), text: Escaped::text(TEXT) }])
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}
