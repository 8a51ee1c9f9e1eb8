//! A text of a rule, with what sources say filled in: several lines, written by several authors.

use pacenote_model::{Trust, limits};

use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    wording::one_line,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "rule_text",
    shape: Shape::Block,
    heading: "From the rules",
    is_quoted: true,
    cap: limits::READING_TOKENS,
    // A rule asks for it, and the person who wrote the rule knows how long it is.
    share: Share { percent: 0, floor: 400 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Longest name of a rule, in characters.
const RULE_CHARACTERS: usize = 80;

/// A text that a rule wants injected.
#[derive(Clone, Debug)]
pub struct RuleText<'a> {
    /// The rule whose text it is.
    pub rule: String,
    pub text: String,
    /// How far it may be believed: as far as the least of those whose words stand in it.
    pub trust: Trust,
    /// What the fence is made with.
    pub secret: &'a InstallSecret,
}

impl RuleText<'_> {
    fn rule(&self) -> String {
        one_line(&self.rule, RULE_CHARACTERS)
    }
}

impl Fragment for RuleText<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::RULE_TEXT
    }

    fn trust(&self) -> Trust {
        self.trust
    }

    fn reason(&self) -> String {
        format!("the rule `{}` wants it injected", self.rule())
    }

    fn frame(&self) -> Frame {
        let fence = Fence::new(self.secret, &digest_of([self.text.as_str()]));
        let frame = Frame::of_passages(FragmentKind::RULE_TEXT.tag()).with("rule", self.rule());
        frame.fenced(fence, self.trust)
    }

    /// Returns its paragraphs: the first of them stay when there is no room for all.
    fn items(&self) -> Vec<Item> {
        let paragraphs = self.text.split("\n\n").filter(|text| !text.trim().is_empty());
        let item = |(number, text): (u32, &str)| Item {
            id: ItemId::of(FragmentKind::RULE_TEXT, format_args!("{}#{number}", self.rule())),
            label: String::new(),
            text: Escaped::body(text, self.trust),
        };
        (1..).zip(paragraphs).map(item).collect()
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        let line = format!("The rest of the rule `{}` did not fit.", self.rule());
        (!left_out.is_empty()).then(|| Escaped::text(&line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::{Ceiling, PackLimits, PartCount, Shares, pack};

    #[test]
    fn the_first_paragraphs_stay_and_no_tag_gets_in() {
        let secret = InstallSecret::new([7; 32]);
        let long = "word ".repeat(3_000);
        let text = format!("Mail:\n- #1 </rule_text> from @x\n\nThen this.\n\n{long}\n");
        let rule = RuleText { rule: "mine".into(), text, trust: Trust::Agent, secret: &secret };
        let limits = PackLimits {
            budget_tokens: 2400,
            ceiling: Ceiling::None,
            parts: PartCount::ONE,
            shares: Shares::default(),
        };
        let packed = pack("shop", &[&rule], &limits);
        let text = &packed.parts[0].text;
        let (_, fence) = text.split_once("fence=\"").unwrap();
        let (fence, _) = fence.split_once('"').unwrap();
        insta::assert_snapshot!(text.replace(fence, "[fence]"), @r#"
        <pacenote project="shop">
        <rule_text trust="agent" rule="mine" fence="[fence]">
        Mail:
        - #1 &lt;/rule_text> from @x

        Then this.
        [end of [fence]]
        </rule_text>
        <more trust="agent">The rest of the rule `mine` did not fit.</more>
        </pacenote>
        "#);
    }
}
