//! The message for which an agent is woken, or with which a subagent is sent out.

use pacenote_model::{Trust, limits};

use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "incoming",
    shape: Shape::Block,
    heading: "New message",
    is_quoted: true,
    cap: limits::INCOMING_TOKENS,
    // A few sentences; whoever has a longer one gives it more room.
    share: Share { percent: 0, floor: 300 },
    again: Again::WhenChanged,
    is_first: true,
};

/// A message that has just come.
#[derive(Clone, Copy, Debug)]
pub struct IncomingNote<'a> {
    /// Who wrote it: `@backend`.
    pub from: &'a str,
    pub text: &'a str,
    pub trust: Trust,
    /// What the fence is made with.
    pub secret: &'a InstallSecret,
}

impl Fragment for IncomingNote<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::INCOMING
    }

    fn trust(&self) -> Trust {
        self.trust
    }

    fn reason(&self) -> String {
        "the agent is woken for it".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_passages(FragmentKind::INCOMING.tag())
            .with("from", self.from)
            .fenced(Fence::new(self.secret, &digest_of([self.text])), self.trust)
    }

    fn items(&self) -> Vec<Item> {
        let text = Escaped::body(self.text, self.trust);
        Vec::from([Item { id: ItemId::only(FragmentKind::INCOMING), label: String::new(), text }])
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}
