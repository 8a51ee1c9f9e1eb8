//! What the person asked for before the reader's context was lost.

use pacenote_model::{Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "last_request",
    shape: Shape::Block,
    heading: "Last request",
    is_quoted: true,
    cap: limits::READING_TOKENS,
    // The longest one that is kept: what the person wants comes before everything else.
    share: Share { percent: 0, floor: 400 },
    again: Again::Never,
    is_first: false,
};

/// The last request of the person, in the session that goes on.
#[derive(Clone, Copy, Debug)]
pub struct LastRequest<'a> {
    pub text: &'a str,
}

impl Fragment for LastRequest<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::LAST_REQUEST
    }

    fn trust(&self) -> Trust {
        Trust::User
    }

    fn reason(&self) -> String {
        "the person asked for it before the context was lost".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::LAST_REQUEST.tag())
    }

    fn items(&self) -> Vec<Item> {
        let id = ItemId::only(FragmentKind::LAST_REQUEST);
        Vec::from([Item { id, label: String::new(), text: Escaped::body(self.text, self.trust()) }])
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}
