//! The skills there are, a line each: enough to know which one to fetch.

use pacenote_model::{SkillRef, Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    wording::{counted, one_line},
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "skills",
    shape: Shape::Block,
    heading: "Skills",
    is_quoted: false,
    cap: limits::SKILL_INDEX_TOKENS,
    // Five skills and how to find the others.
    share: Share { percent: 3, floor: 150 },
    again: Again::Never,
    is_first: false,
};

/// Longest description in the list, in characters: what a skill is for, not how it works.
const DESCRIPTION_CHARACTERS: usize = 120;

/// Some skills, the most likely ones first.
#[derive(Clone, Debug, Default)]
pub struct SkillIndex {
    /// The skills to be listed; those past [`limits::LISTED_SKILLS`] are counted.
    pub skills: Vec<ListedSkill>,
    /// How many there are besides.
    pub more: usize,
}

/// A skill as the list shows it.
#[derive(Clone, Debug)]
pub struct ListedSkill {
    /// The name by which it is asked for.
    pub reference: SkillRef,
    /// What it says it is for.
    pub description: String,
    /// How far that may be believed.
    pub trust: Trust,
}

impl SkillIndex {
    fn listed(&self) -> &[ListedSkill] {
        self.skills.get(..limits::LISTED_SKILLS).unwrap_or(&self.skills)
    }
}

impl Fragment for SkillIndex {
    fn kind(&self) -> FragmentKind {
        FragmentKind::SKILLS
    }

    fn trust(&self) -> Trust {
        self.listed().iter().map(|skill| skill.trust).min().unwrap_or(Trust::System)
    }

    fn reason(&self) -> String {
        "every briefing names the skills that can be fetched".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::SKILLS.tag())
    }

    fn items(&self) -> Vec<Item> {
        let item = |skill: &ListedSkill| {
            let description = one_line(&skill.description, DESCRIPTION_CHARACTERS);
            let line = match description.as_str() {
                "" => format!("- {}", skill.reference),
                description => format!("- {}: {description}", skill.reference),
            };
            Item {
                id: ItemId::of(FragmentKind::SKILLS, &skill.reference),
                label: String::new(),
                text: Escaped::text(&line),
            }
        };
        self.listed().iter().map(item).collect()
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        let counted_only = self.skills.len() - self.listed().len() + self.more;
        let more = match left_out.len() + counted_only {
            0 => return None,
            more => counted(more, "more skill"),
        };
        Some(Escaped::text(&format!(
            "{more}: `pacenote skill search \"WORDS\"`, `pacenote skill list`."
        )))
    }
}
