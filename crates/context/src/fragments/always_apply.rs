//! Skills that apply to everything an agent does: a line for each, or the text of one.

use pacenote_model::{Trust, limits};

use super::{BoundSkill, ListedSkill};
use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Choice, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    wording::{counted, one_line},
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "core_skills",
    shape: Shape::Block,
    heading: "Skills that always apply",
    is_quoted: true,
    cap: limits::BOUND_SKILL_TOKENS,
    // A line for each of a handful of skills.
    share: Share { percent: 3, floor: 250 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Longest description in the list, in characters. It is all the reader gets to know.
const DESCRIPTION_CHARACTERS: usize = 300;

/// Longest reason, in characters.
const REASON_CHARACTERS: usize = 120;

/// Skills that apply to everything.
#[derive(Clone, Debug)]
pub enum CoreSkills<'a> {
    /// A line for each; those past [`limits::LISTED_SKILLS`] are counted.
    Summary(Vec<CoreSkill>),
    /// The text of one, with the reason why it is bound.
    Full(BoundSkill<'a>),
}

/// A skill that applies to everything.
#[derive(Clone, Debug)]
pub struct CoreSkill {
    /// The skill as a list shows it.
    pub skill: ListedSkill,
    /// Why it is there although it does not say that it always applies, such as `handed on by session
    /// #4`.
    pub why: String,
}

impl CoreSkill {
    fn line(&self) -> String {
        let ListedSkill { reference, description, .. } = &self.skill;
        let description = one_line(description, DESCRIPTION_CHARACTERS);
        let why = one_line(&self.why, REASON_CHARACTERS);
        match (description.is_empty(), why.is_empty()) {
            (true, true) => format!("- {reference}"),
            (true, false) => format!("- {reference} ({why})"),
            (false, true) => format!("- {reference}: {description}"),
            (false, false) => format!("- {reference}: {description} ({why})"),
        }
    }
}

fn listed(skills: &[CoreSkill]) -> &[CoreSkill] {
    skills.get(..limits::LISTED_SKILLS).unwrap_or(skills)
}

impl Fragment for CoreSkills<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::CORE_SKILLS
    }

    fn trust(&self) -> Trust {
        match self {
            Self::Summary(skills) => {
                let trusts = listed(skills).iter().map(|core| core.skill.trust);
                trusts.min().unwrap_or(Trust::System)
            }
            Self::Full(skill) => skill.trust(),
        }
    }

    fn reason(&self) -> String {
        match self {
            Self::Summary(_) => "these skills apply to everything".to_owned(),
            Self::Full(skill) => skill.reason(),
        }
    }

    fn frame(&self) -> Frame {
        match self {
            Self::Summary(skills) => {
                let frame = Frame::of_lines(FragmentKind::CORE_SKILLS.tag());
                let apply = listed(skills).iter().any(|core| core.why.is_empty());
                let frame = if apply { frame.with("why", "they always apply") } else { frame };
                frame.with("fetch", "pacenote skill show NAME")
            }
            Self::Full(skill) => skill.frame_as(FragmentKind::CORE_SKILLS.tag()),
        }
    }

    fn items(&self) -> Vec<Item> {
        let item = |core: &CoreSkill| Item {
            id: ItemId::of(FragmentKind::CORE_SKILLS, &core.skill.reference),
            label: String::new(),
            text: Escaped::text(&core.line()),
        };
        match self {
            Self::Summary(skills) => listed(skills).iter().map(item).collect(),
            Self::Full(skill) => skill.items_as(FragmentKind::CORE_SKILLS),
        }
    }

    fn scores(&self) -> Vec<u32> {
        match self {
            Self::Summary(_) => Vec::new(),
            Self::Full(skill) => skill.scores(),
        }
    }

    fn choice(&self) -> Choice {
        match self {
            Self::Summary(_) => Choice::InOrder,
            Self::Full(skill) => skill.choice(),
        }
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        match self {
            Self::Summary(skills) => {
                let unlisted = skills.len() - listed(skills).len();
                match left_out.len() + unlisted {
                    0 => None,
                    more => Some(Escaped::text(&format!(
                        "{} that always apply: `pacenote skill list`.",
                        counted(more, "more skill")
                    ))),
                }
            }
            Self::Full(skill) => skill.index(left_out),
        }
    }
}
