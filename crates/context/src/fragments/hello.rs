//! The beginning of a session in which nothing is active: how to find what there is.

use pacenote_model::Trust;

use crate::{
    escape::Escaped,
    fragment::{Fragment, FragmentKind, Frame, Item, ItemId},
};

/// One way to discover, one rule, one skill; everybody pays for it, so it is short.
const TEXT: &str = "No task is open. For work of more than one step, add one, because it survives a \
                    compaction: `pacenote task add \"TITLE\"`, then `pacenote task claim ID`. \
                    Skills: `pacenote skill search WORDS`.";

/// What a reader is told when there is nothing else to tell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hello;

impl Fragment for Hello {
    fn kind(&self) -> FragmentKind {
        FragmentKind::GUIDE
    }

    fn trust(&self) -> Trust {
        Trust::System
    }

    fn reason(&self) -> String {
        "nothing is active, so the briefing says how to begin".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::GUIDE.tag())
    }

    fn items(&self) -> Vec<Item> {
        let id = ItemId::of(FragmentKind::GUIDE, "hello");
        Vec::from([Item { id, label: String::new(), text: Escaped::text(TEXT) }])
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}

#[cfg(test)]
mod tests {
    use pacenote_model::{Branch, Number};

    use super::*;
    use crate::{
        example::agent,
        fragments::Identity,
        pack::{Ceiling, PackLimits, PartCount, Shares, pack},
    };

    #[test]
    fn a_start_without_anything_active_costs_fifty_to_a_hundred_tokens() {
        let unknown = Identity {
            agent: None,
            role: None,
            project: "shop".to_owned(),
            branch: None,
            continues: None,
            is_subagent: false,
            short: Some("s-45a5".to_owned()),
            session: None,
        };
        let known = Identity {
            agent: Some(agent("backend")),
            branch: Branch::parse("feature/login").ok(),
            session: Some(Number::new(4)),
            ..unknown.clone()
        };
        let limits = PackLimits {
            budget_tokens: 2400,
            ceiling: Ceiling::None,
            parts: PartCount::ONE,
            shares: Shares::default(),
        };
        let told = |identity: &Identity| pack("shop", &[identity, &Hello], &limits);
        insta::assert_snapshot!(told(&known).parts[0].text, @r#"
        <pacenote project="shop">
        <identity trust="system">You are @backend in project shop on branch feature/login, session s-45a5 (#4).</identity>
        <guide trust="system">No task is open. For work of more than one step, add one, because it survives a compaction: `pacenote task add "TITLE"`, then `pacenote task claim ID`. Skills: `pacenote skill search WORDS`.</guide>
        </pacenote>
        "#);
        for identity in [&unknown, &known] {
            let tokens = told(identity).tokens();
            assert!((50..=100).contains(&tokens), "{tokens} tokens");
        }
    }
}
