//! The prompt for a role that lies beside a skill, as superpowers keeps it.
//!
//! What a project keeps is better than what we say. It must never be used before the person trusts it:
//! an approval covers a skill's `SKILL.md` and not the files beside it.

use pacenote_context::{role::Role, role_prompt::prompt_in};
use pacenote_files::Bytes;
use pacenote_model::SkillLevel;
use pacenote_skill::{digest::digest_of, reference::Reference};

use super::skill::BoundSkillNote;
use crate::{skill_records::SkillRecords, skills::Quick};

/// The skill beside which role prompts lie, by the names that are tried in turn.
const SKILLS: [&str; 2] =
    ["superpowers:subagent-driven-development", "subagent-driven-development"];

/// Largest role prompt that is read: the known ones have four kilobytes, and all of it goes into the
/// context of every subagent.
const MOST: Bytes = Bytes::kib(16);

/// Returns the name of the file with the prompt of a role, for roles that have one.
const fn file_of(role: Role) -> Option<&'static str> {
    match role {
        Role::Implementer => Some("implementer-prompt.md"),
        // Ours holds both verdicts; theirs are one file for each.
        Role::Reviewer | Role::Explorer | Role::Planner | Role::Writer | Role::Other => None,
    }
}

/// Finds the prompt of a role that may be used here.
pub(super) fn find(quick: &Quick<'_>, role: Role) -> Option<BoundSkillNote> {
    let file = file_of(role)?;
    let skill = SKILLS.iter().find_map(|name| {
        let wanted = Reference::parse(name).ok()?;
        let candidate = quick.find(&wanted, &SkillRecords(&[])).ok()?.candidate;
        (candidate.level != SkillLevel::BuiltIn).then_some(candidate)
    })?;
    let bytes = quick.read_beside(&skill, file, MOST)?;
    let prompt = prompt_in(&String::from_utf8_lossy(&bytes));
    if prompt.is_empty() {
        return None;
    }
    BoundSkillNote::of_role_prompt(&skill, digest_of(&bytes), prompt)
}
