//! What the plan says about the current task: the sections that the caller chose.

use std::borrow::Cow;

use pacenote_model::{Trust, limits, task::PlanFile};

use super::{
    Section,
    section::{items_of, naming, says_something},
};
use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, Shape},
    fragment::{Again, Choice, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    plan_sections::PlanSection,
    wording::one_line,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "plan",
    shape: Shape::Block,
    heading: "Active plan",
    is_quoted: true,
    cap: limits::PLAN_TOKENS,
    // The section of the current task, before everything else that is long.
    share: Share { percent: 28, floor: 1_200 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Longest path shown, in characters.
const PATH_CHARACTERS: usize = 200;

/// Key sections of a plan file.
#[derive(Clone, Debug)]
pub struct PlanExcerpt<'a> {
    pub file: &'a PlanFile,
    /// What it says.
    pub text: PlanText,
    /// How far the file may be believed.
    pub trust: Trust,
    /// What its fence is made with.
    pub secret: &'a InstallSecret,
}

/// What could be read of a plan.
#[derive(Clone, Debug)]
pub enum PlanText {
    /// Its title, what binds every task, the section of the current task.
    Sections(Vec<PlanSection>),
    /// Nothing: the file is gone or cannot be read.
    Unreadable,
}

impl PlanExcerpt<'_> {
    fn path(&self) -> String {
        one_line(self.file.as_str(), PATH_CHARACTERS)
    }

    fn parts(&self) -> &[PlanSection] {
        match &self.text {
            PlanText::Sections(parts) => parts,
            PlanText::Unreadable => &[],
        }
    }

    fn sections(&self) -> Vec<Section> {
        self.parts().iter().map(|part| part.section.clone()).collect()
    }
}

impl Fragment for PlanExcerpt<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::PLAN
    }

    fn trust(&self) -> Trust {
        self.trust
    }

    fn reason(&self) -> String {
        "the current task comes from this plan".to_owned()
    }

    fn frame(&self) -> Frame {
        let frame = Frame::of_passages(FragmentKind::PLAN.tag()).with("file", self.path());
        match &self.text {
            PlanText::Sections(parts) => {
                let texts = parts.iter().map(|part| part.section.text.as_str());
                frame.fenced(Fence::new(self.secret, &digest_of(texts)), self.trust)
            }
            PlanText::Unreadable => frame,
        }
    }

    fn items(&self) -> Vec<Item> {
        match &self.text {
            PlanText::Sections(_) => {
                items_of(FragmentKind::PLAN, &self.path(), &self.sections(), self.trust)
            }
            PlanText::Unreadable => {
                let text = Escaped::text("The plan file cannot be read now.");
                let id = ItemId::of(FragmentKind::PLAN, self.path());
                Vec::from([Item { id, label: String::new(), text }])
            }
        }
    }

    fn sameness<'i>(&self, item: &'i Item) -> Cow<'i, str> {
        // Whoever ticked a box knows it, and the position says it to everybody else.
        Cow::Owned(item.text.as_str().replace("- [x] ", "- [ ] "))
    }

    fn scores(&self) -> Vec<u32> {
        let said = self.parts().iter().filter(|part| says_something(&part.section));
        said.map(|part| part.topic as u32).collect()
    }

    fn choice(&self) -> Choice {
        Choice::Any
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        if left_out.is_empty() {
            return None;
        }
        Some(Escaped::text(&format!("Plan, {}: read {}.", naming(left_out), self.path())))
    }
}
