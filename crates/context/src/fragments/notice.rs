//! What a rule says, in one sentence.

use pacenote_model::{Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    wording::one_line,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "notice",
    shape: Shape::Line,
    heading: "Notice",
    is_quoted: false,
    cap: limits::SENTENCE_TOKENS,
    // A sentence of a rule that is not there has no effect; it needs its floor and no more.
    share: Share { percent: 0, floor: 120 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Longest sentence, in characters: what must be said at length is a skill.
const TEXT_CHARACTERS: usize = 600;

/// Longest name of a rule, in characters.
const RULE_CHARACTERS: usize = 80;

/// A sentence that a rule wants said.
#[derive(Clone, Debug)]
pub struct Notice {
    /// The rule that says it.
    pub rule: String,
    /// What it says.
    pub text: String,
    /// How far it may be believed: as far as the file in which the rule stands.
    pub trust: Trust,
}

impl Notice {
    fn rule(&self) -> String {
        one_line(&self.rule, RULE_CHARACTERS)
    }
}

impl Fragment for Notice {
    fn kind(&self) -> FragmentKind {
        FragmentKind::NOTICE
    }

    fn trust(&self) -> Trust {
        self.trust
    }

    fn reason(&self) -> String {
        format!("the rule `{}` says it", self.rule())
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::NOTICE.tag()).with("rule", self.rule())
    }

    fn items(&self) -> Vec<Item> {
        let id = ItemId::of(FragmentKind::NOTICE, self.rule());
        let text = Escaped::text(&one_line(&self.text, TEXT_CHARACTERS));
        Vec::from([Item { id, label: String::new(), text }])
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}
