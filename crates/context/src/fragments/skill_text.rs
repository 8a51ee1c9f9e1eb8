//! A skill that is bound to the current task: its body, or the sections that matter for the task.

use pacenote_model::{Digest, SkillLevel, SkillRef, Trust, limits};

use super::{
    Section, relevance,
    section::{items_of, naming, told},
};
use crate::{
    escape::{Escaped, Fence, InstallSecret, Shape, Tag},
    fragment::{Again, Choice, Fragment, FragmentKind, FragmentRow, Frame, Item, Share},
    wording::one_line,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "skill",
    shape: Shape::Block,
    heading: "Current skill",
    is_quoted: true,
    cap: limits::BOUND_SKILL_TOKENS,
    // One section, and a line that names the others.
    share: Share { percent: 26, floor: 300 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Longest reason shown, in characters: one sentence of ours that may quote a title.
const REASON_CHARACTERS: usize = 160;

/// A skill with the reason why it applies.
#[derive(Clone, Debug)]
pub struct BoundSkill<'a> {
    /// The name by which it is asked for.
    pub reference: SkillRef,
    /// The digest of its file.
    pub digest: Digest,
    /// Where it comes from.
    pub level: SkillLevel,
    /// Why it is bound, in one sentence.
    pub reason: String,
    /// Its sections, in order.
    pub sections: Vec<Section>,
    /// Whether those are all it has.
    pub coverage: SkillCoverage,
    /// What the task is called and what its notes say, for the choice of sections.
    pub task_words: String,
    /// What its fence is made with.
    pub secret: &'a InstallSecret,
}

/// How much of a skill its sections are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkillCoverage {
    /// All of it.
    Whole,
    /// What to do, without the rest.
    Core,
}

/// Returns the reason why a skill is bound, as it is shown.
pub fn skill_reason(reason: &str) -> String {
    one_line(reason, REASON_CHARACTERS)
}

impl BoundSkill<'_> {
    /// Returns the element round its sections, under another tag where it is told as something else.
    pub(super) fn frame_as(&self, tag: Tag) -> Frame {
        let frame = Frame::of_passages(tag)
            .with("name", self.reference.as_str())
            .with("why", self.reason());
        let frame = match self.coverage {
            SkillCoverage::Whole => frame,
            SkillCoverage::Core => {
                frame.with("rest", format!("pacenote skill show {}", self.reference))
            }
        };
        frame.fenced(Fence::new(self.secret, &self.digest), self.trust())
    }
}

impl BoundSkill<'_> {
    /// Returns its sections as items of a kind. Who chose it did not write it: what the author of a
    /// plugin hides from those who read it stays out.
    pub(super) fn items_as(&self, kind: FragmentKind) -> Vec<Item> {
        let author = match self.level {
            SkillLevel::Extra | SkillLevel::Plugin => Trust::Foreign,
            SkillLevel::Project | SkillLevel::User | SkillLevel::BuiltIn => self.trust(),
        };
        items_of(kind, self.reference.as_str(), &self.sections, author)
    }
}

impl Fragment for BoundSkill<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::SKILL
    }

    fn trust(&self) -> Trust {
        self.level.trust()
    }

    fn reason(&self) -> String {
        skill_reason(&self.reason)
    }

    fn frame(&self) -> Frame {
        self.frame_as(FragmentKind::SKILL.tag())
    }

    fn items(&self) -> Vec<Item> {
        self.items_as(FragmentKind::SKILL)
    }

    fn scores(&self) -> Vec<u32> {
        relevance::scores(told(&self.sections), &self.task_words)
    }

    fn choice(&self) -> Choice {
        Choice::Any
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        if left_out.is_empty() {
            return None;
        }
        let name = &self.reference;
        let is_named = left_out.iter().any(|item| !item.label.is_empty());
        let section = if is_named { " --section \"TITLE\"" } else { "" };
        Some(Escaped::text(&format!(
            "Skill {name}, {}: `pacenote skill show {name}{section}`.",
            naming(left_out)
        )))
    }
}
