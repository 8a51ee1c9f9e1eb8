//! What the plan says about the current task: the sections that the caller chose.

use pacenote_model::{Trust, task::PlanFile};

use super::{
    Section,
    section::{items_of, naming, told},
};
use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, TagName},
    fragment::{Choice, Fragment, Frame, Item, ItemId, Kind},
    wording::one_line,
};

/// Longest path shown, in characters.
const PATH_CHARACTERS: usize = 200;

/// Key sections of a plan file.
#[derive(Clone, Debug)]
pub struct PlanExcerpt<'a> {
    /// The file.
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
    /// Its goal, its constraints, the section of the current task: the later, the more it matters.
    Sections(Vec<Section>),
    /// Nothing: the file is gone or cannot be read.
    Unreadable,
}

impl PlanExcerpt<'_> {
    fn path(&self) -> String {
        one_line(self.file.as_str(), PATH_CHARACTERS)
    }

    fn sections(&self) -> &[Section] {
        match &self.text {
            PlanText::Sections(sections) => sections,
            PlanText::Unreadable => &[],
        }
    }
}

impl Fragment for PlanExcerpt<'_> {
    fn kind(&self) -> Kind {
        Kind::Plan
    }

    fn trust(&self) -> Trust {
        self.trust
    }

    fn reason(&self) -> String {
        "the current task comes from this plan".to_owned()
    }

    fn frame(&self) -> Frame {
        let frame = Frame::of_passages(TagName::Plan).with("file", self.path());
        match &self.text {
            PlanText::Sections(sections) => {
                let texts = sections.iter().map(|section| section.text.as_str());
                frame.fenced(Fence::new(self.secret, &digest_of(texts)), self.trust)
            }
            PlanText::Unreadable => frame,
        }
    }

    fn items(&self) -> Vec<Item> {
        match &self.text {
            PlanText::Sections(sections) => {
                items_of(Kind::Plan, &self.path(), sections, self.trust)
            }
            PlanText::Unreadable => {
                let text = Escaped::text("The plan file cannot be read now.");
                let id = ItemId::of(Kind::Plan, self.path());
                Vec::from([Item { id, label: String::new(), text }])
            }
        }
    }

    fn scores(&self) -> Vec<u32> {
        (0..).take(told(self.sections()).count()).collect()
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
