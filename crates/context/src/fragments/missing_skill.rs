//! A skill that a task names and that cannot be told: nobody should think that there is none.
//!
//! It is a notice and no skill, for whoever counts the skills a session received.

use pacenote_model::{SkillRef, Trust};

use crate::{
    escape::Escaped,
    fragment::{Fragment, FragmentKind, Frame, Item, ItemId},
};

/// A skill that is wanted and cannot be used.
#[derive(Clone, Debug)]
pub struct MissingSkill {
    /// The name by which it is asked for.
    pub reference: SkillRef,
    /// Who names it, in one sentence.
    pub named: String,
    /// Why it cannot be used, in one sentence.
    pub why: &'static str,
    /// The verb of `pacenote skill` that says more about it.
    pub verb: &'static str,
}

impl Fragment for MissingSkill {
    fn kind(&self) -> FragmentKind {
        FragmentKind::NOTICE
    }

    fn trust(&self) -> Trust {
        Trust::System
    }

    fn reason(&self) -> String {
        "a task names a skill that cannot be used".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::NOTICE.tag()).with("skill", self.reference.as_str())
    }

    fn items(&self) -> Vec<Item> {
        let Self { reference, named, why, verb } = self;
        let text = Escaped::text(&format!(
            "Skill {reference} is left out although {named}: {why}. See `pacenote skill {verb} \
             {reference}`."
        ));
        let id = ItemId::of(FragmentKind::NOTICE, format_args!("skill:{reference}"));
        Vec::from([Item { id, label: String::new(), text }])
    }

    fn index(&self, _left_out: &[&Item]) -> Option<Escaped> {
        None
    }
}
