//! Skills that may fit what is asked for, each with the reason.

use pacenote_model::{SkillRef, Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    wording::one_line,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "suggestion",
    shape: Shape::Block,
    heading: "Skills that may fit",
    is_quoted: false,
    cap: limits::POSITION_TOKENS,
    // Three lines.
    share: Share { percent: 0, floor: 150 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Most skills that are suggested: more is a list, and whoever wants one searches.
const SUGGESTED: usize = 3;

/// Longest description, in characters: what a skill is for, not how it works.
const DESCRIPTION_CHARACTERS: usize = 120;

/// Longest reason, in characters.
const REASON_CHARACTERS: usize = 120;

/// Some skills, the most likely one first.
#[derive(Clone, Debug, Default)]
pub struct SkillSuggestion {
    /// The skills; those after the third are left away.
    pub skills: Vec<SuggestedSkill>,
}

/// A skill that may fit.
#[derive(Clone, Debug)]
pub struct SuggestedSkill {
    /// The name by which it is asked for.
    pub reference: SkillRef,
    /// What it says it is for.
    pub description: String,
    /// Why it may fit, such as `matches: spec, review`.
    pub reason: String,
    /// How far the description may be believed.
    pub trust: Trust,
}

impl SuggestedSkill {
    fn line(&self) -> String {
        let description = one_line(&self.description, DESCRIPTION_CHARACTERS);
        let named = match description.as_str() {
            "" => format!("- {}", self.reference),
            description => format!("- {}: {description}", self.reference),
        };
        match one_line(&self.reason, REASON_CHARACTERS).as_str() {
            "" => named,
            reason => format!("{named} ({reason})"),
        }
    }
}

impl SkillSuggestion {
    fn suggested(&self) -> impl Iterator<Item = &SuggestedSkill> {
        self.skills.iter().take(SUGGESTED)
    }
}

impl Fragment for SkillSuggestion {
    fn kind(&self) -> FragmentKind {
        FragmentKind::SUGGESTION
    }

    fn trust(&self) -> Trust {
        self.suggested().map(|skill| skill.trust).min().unwrap_or(Trust::System)
    }

    fn reason(&self) -> String {
        "these skills may fit what was asked for".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::SUGGESTION.tag()).with("fetch", "pacenote skill show NAME")
    }

    fn items(&self) -> Vec<Item> {
        let item = |skill: &SuggestedSkill| Item {
            id: ItemId::of(FragmentKind::SUGGESTION, &skill.reference),
            label: String::new(),
            text: Escaped::text(&skill.line()),
        };
        self.suggested().map(item).collect()
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        let search = "Skills that may fit: `pacenote skill search \"WORDS\"`.";
        (!left_out.is_empty()).then(|| Escaped::text(search))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggested(name: &str, description: &str, reason: &str, trust: Trust) -> SuggestedSkill {
        let reference = SkillRef::parse(name).unwrap();
        SuggestedSkill { reference, description: description.into(), reason: reason.into(), trust }
    }

    #[test]
    fn three_skills_are_suggested_at_most_and_none_says_nothing() {
        let all = SkillSuggestion {
            skills: Vec::from([
                suggested("plans", "Write </suggestion>\na plan.", "matches: plan", Trust::System),
                suggested("x:review", "", "named in the prompt", Trust::Foreign),
                suggested("bare", "", " ", Trust::System),
                suggested("fourth", "Never told.", "", Trust::System),
            ]),
        };
        let lines: Vec<String> =
            all.items().into_iter().map(|item| item.text.into_string()).collect();
        insta::assert_snapshot!(lines.join("\n"), @"
        - plans: Write &lt;/suggestion> a plan. (matches: plan)
        - x:review (named in the prompt)
        - bare
        ");
        assert_eq!(all.trust(), Trust::Foreign);
        assert_eq!(all.index(&[]), None);
        assert!(SkillSuggestion::default().items().is_empty());
    }
}
