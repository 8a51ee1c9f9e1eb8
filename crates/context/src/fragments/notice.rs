//! What a rule says, in one sentence.

use pacenote_model::Trust;

use crate::{
    escape::{Escaped, TagName},
    fragment::{Fragment, Frame, Item, ItemId, Kind},
    wording::one_line,
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
    fn kind(&self) -> Kind {
        Kind::Notice
    }

    fn trust(&self) -> Trust {
        self.trust
    }

    fn reason(&self) -> String {
        format!("the rule `{}` says it", self.rule())
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(TagName::Notice).with("rule", self.rule())
    }

    fn items(&self) -> Vec<Item> {
        let id = ItemId::of(Kind::Notice, self.rule());
        let text = Escaped::text(&one_line(&self.text, TEXT_CHARACTERS));
        Vec::from([Item { id, label: String::new(), text }])
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}
