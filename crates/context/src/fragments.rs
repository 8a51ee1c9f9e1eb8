//! What an agent can be told, one file for each kind of it.
//!
//! Each is plain data that the caller fills in from the store; none reads anything itself.

use crate::{escape::Tag, fragment::FragmentKind};

mod activity;
mod always_apply;
mod artifacts;
mod guide;
mod handoff;
mod hello;
mod identity;
mod inbox;
mod incoming;
mod last_request;
mod last_words;
mod missing_skill;
mod next_action;
mod notice;
mod plan_excerpt;
mod position_note;
mod relevance;
mod role;
mod rule_text;
mod section;
mod skill_index;
mod skill_line;
mod skill_text;
mod suggestion;
mod task_notes;
mod task_tree;
mod workflow_state;

pub use crate::section::Section;
pub use activity::{ActivityLine, RecentActivity};
pub use always_apply::{CoreSkill, CoreSkills};
pub use artifacts::Artifacts;
pub use guide::Guide;
pub use handoff::Handoff;
pub use hello::Hello;
pub use identity::Identity;
pub use inbox::{Inbox, MailLines, MoreMail};
pub use incoming::IncomingNote;
pub use last_request::LastRequest;
pub use last_words::LastWords;
pub use missing_skill::MissingSkill;
pub use next_action::NextAction;
pub use notice::Notice;
pub use plan_excerpt::{PlanExcerpt, PlanText};
pub use position_note::PositionNote;
pub use role::{InstructionsBy, PromptBy, RoleNote};
pub use rule_text::RuleText;
pub use skill_index::{ListedSkill, SkillIndex};
pub use skill_line::{SkillLine, SkillLineAbout};
pub use skill_text::{BoundSkill, SkillCoverage, skill_reason};
pub use suggestion::{SkillSuggestion, SuggestedSkill};
pub use task_notes::TaskNotes;
pub use task_tree::TaskTree;
pub use workflow_state::{RunExtent, WorkflowState};

/// Names the kinds of fragments by their files. A row that is not listed here is dead code, which the
/// compiler reports.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $file:ident;)*) => {
        impl FragmentKind {
            $($(#[$doc])* pub const $name: Self = Self::of(&$file::ROW);)*
        }

        /// Every kind of fragment.
        pub const KINDS: [FragmentKind; [$(stringify!($name)),*].len()] = [$(FragmentKind::$name),*];
    };
}

kinds! {
    /// Who the reader is.
    IDENTITY: identity;
    /// Where the work stands.
    POSITION: position_note;
    /// What to do now.
    NEXT: next_action;
    /// The task tree.
    TASKS: task_tree;
    /// What was written down about the task.
    NOTES: task_notes;
    /// A skill that is bound to the task.
    SKILL: skill_text;
    /// What the plan says.
    PLAN: plan_excerpt;
    /// Messages.
    MAIL: inbox;
    /// The message for which an agent is woken.
    INCOMING: incoming;
    /// What an earlier session left behind.
    HANDOFF: handoff;
    /// What the person asked for before a context was lost.
    LAST_REQUEST: last_request;
    /// What the reader said before that.
    LAST_WORDS: last_words;
    /// The skills there are.
    SKILLS: skill_index;
    /// What happened lately.
    ACTIVITY: activity;
    /// How to read all this.
    GUIDE: guide;
    /// What a rule says.
    NOTICE: notice;
    /// A longer text of a rule.
    RULE_TEXT: rule_text;
    /// Skills that may fit the request.
    SUGGESTION: suggestion;
    /// Skills that apply to everything.
    CORE_SKILLS: always_apply;
    /// Files that rules captured.
    ARTIFACTS: artifacts;
    /// What a subagent needs for its role.
    ROLE: role;
    /// Where a run of a workflow stands.
    WORKFLOW: workflow_state;
}

impl FragmentKind {
    /// Finds the kind with the word of [`FragmentKind::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.word() == word)
    }
}

/// Returns every tag that may stand in what we inject.
pub(crate) fn all_tags() -> impl Iterator<Item = Tag> {
    Tag::OWN.into_iter().chain(KINDS.map(FragmentKind::tag))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        escape::Shape,
        fragment::{Again, FragmentRow, Share},
    };

    /// Returns what is wrong with a row, in sentences that name it.
    fn faults(kind: FragmentKind) -> Vec<String> {
        let word = kind.word();
        let is_word = |c: char| c.is_ascii_lowercase() || c == '_';
        let faults = [
            (word.is_empty() || !word.chars().all(is_word), "needs a word of a-z and `_`"),
            (kind.cap() == 0, "needs a cap: nothing of it would ever fit"),
            (kind.share().floor == 0, "needs a floor: it would give way to everything else"),
            (kind.share().floor > kind.cap(), "has a floor above its cap"),
        ];
        let found = faults.iter().filter(|(is_wrong, _)| *is_wrong);
        found.map(|(_, what)| format!("the row of fragment `{word}` {what}")).collect()
    }

    #[test]
    fn every_row_is_complete() {
        let all: Vec<String> = KINDS.into_iter().flat_map(faults).collect();
        assert!(all.is_empty(), "{}", all.join("\n"));
        let words: BTreeSet<&str> = all_tags().map(Tag::word).collect();
        assert_eq!(words.len(), all_tags().count(), "two tags have one word: {words:?}");
    }

    #[test]
    fn no_text_brings_a_tag_of_ours() {
        for tag in all_tags() {
            let is_known = crate::escape::body::OURS.contains(&tag.word());
            assert!(is_known, "add `{}` to the tags that texts must not bring", tag.word());
        }
    }

    #[test]
    fn an_incomplete_row_is_named() {
        static ROW: FragmentRow = FragmentRow {
            word: "memories",
            shape: Shape::Block,
            heading: "",
            is_quoted: false,
            cap: 0,
            share: Share { percent: 0, floor: 10 },
            again: Again::Never,
            is_first: false,
        };
        assert_eq!(
            faults(FragmentKind::of(&ROW)),
            [
                "the row of fragment `memories` needs a cap: nothing of it would ever fit",
                "the row of fragment `memories` has a floor above its cap",
            ]
        );
    }

    #[test]
    fn the_shares_make_one_budget() {
        let percents = KINDS.map(|kind| u32::from(kind.share().percent));
        assert_eq!(percents.iter().sum::<u32>(), 100, "the percents of all rows make 100");
    }
}
