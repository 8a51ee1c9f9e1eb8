//! What an agent can be told, one file for each kind of it.
//!
//! Each is plain data that the caller fills in from the store; none reads anything itself.

mod activity;
mod always_apply;
mod artifacts;
mod guide;
mod handoff;
mod hello;
mod identity;
mod inbox;
mod missing_skill;
mod next_action;
mod notice;
mod plan_excerpt;
mod position_note;
mod relevance;
mod role;
mod section;
mod skill_index;
mod skill_text;
mod suggestion;
mod task_tree;
mod workflow_state;

pub use activity::{ActivityLine, RecentActivity};
pub use always_apply::{CoreSkill, CoreSkills};
pub use artifacts::Artifacts;
pub use guide::Guide;
pub use handoff::Handoff;
pub use hello::Hello;
pub use identity::Identity;
pub use inbox::{Inbox, MoreMail};
pub use missing_skill::MissingSkill;
pub use next_action::NextAction;
pub use notice::Notice;
pub use plan_excerpt::{PlanExcerpt, PlanText};
pub use position_note::PositionNote;
pub use role::{RoleBriefing, RoleSkill};
pub use section::Section;
pub use skill_index::{ListedSkill, SkillIndex};
pub use skill_text::BoundSkill;
pub use suggestion::{SkillSuggestion, SuggestedSkill};
pub use task_tree::TaskTree;
pub use workflow_state::{RunExtent, WorkflowState};
