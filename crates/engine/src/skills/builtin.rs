//! The skills that are part of this binary, among the others.

use pacenote_context::estimate_tokens;
use pacenote_model::{IndexedSkill, SkillKey, SkillLevel};
use pacenote_skill::{
    builtin::{BUILT_IN, BuiltIn},
    digest::digest_of,
    listing::{Candidate, Registered, Standing},
    rank,
    skill::{Place, Skill, read},
};
use pacenote_store::{FoundSkill, SkillChanges, Store};

/// What stands where other skills have a root.
pub(super) const BUILT_IN_ROOT: &str = "built in";

/// What stands before the name of a built-in skill where others have a path.
const BUILT_IN_PATH: &str = "built-in:";

/// Returns every built-in skill as one to choose from.
pub(super) fn candidates() -> impl Iterator<Item = Candidate> {
    BUILT_IN.iter().map(candidate)
}

/// Returns the built-in skill of a key: reading all of them takes longer than a hook has.
pub(super) fn called(key: &SkillKey) -> impl Iterator<Item = Candidate> {
    BUILT_IN.iter().filter(move |built_in| built_in.name == key.as_str()).map(candidate)
}

fn candidate(built_in: &BuiltIn) -> Candidate {
    let skill = read_in(built_in);
    Candidate {
        key: skill.key,
        name: skill.name,
        description: skill.description.unwrap_or_default(),
        agent_of: agent_of(built_in),
        plugin: None,
        marketplace: None,
        version: skill.fields.version,
        level: SkillLevel::BuiltIn,
        root: BUILT_IN_ROOT.into(),
        root_rank: 0,
        hosts: Vec::new(),
        path: path_of(built_in),
        digest: digest_of(built_in.text.as_bytes()),
        tokens: estimate_tokens(&skill.body),
        modified: 0,
        registered: Registered::No,
        standing: Standing::Usable,
    }
}

/// Returns the built-in skill behind a path.
pub(super) fn at(path: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|built_in| path_of(built_in) == path)
}

/// Puts the built-in skills into the lists of words, unless these very ones are there.
///
/// The lists are a cache: where they cannot be written, the search does without.
pub(super) fn index(store: &mut dyn Store) {
    let texts: String = BUILT_IN.iter().map(|built_in| built_in.text).collect();
    let stamp = digest_of(texts.as_bytes()).bytes().to_vec();
    if store.skill_root_stamp(BUILT_IN_ROOT).is_ok_and(|known| known.as_ref() == Some(&stamp)) {
        return;
    }
    let changes = SkillChanges {
        anew: true,
        gone: Vec::new(),
        found: BUILT_IN.iter().map(found).collect(),
        own: stamp,
        stamps: Vec::new(),
    };
    store.save_skills(BUILT_IN_ROOT, &changes).ok();
}

fn found(built_in: &BuiltIn) -> FoundSkill {
    let skill = read_in(built_in);
    let (about, cues) = (rank::about(&skill), rank::cues(&skill));
    let skill = IndexedSkill {
        path: path_of(built_in),
        root: BUILT_IN_ROOT.into(),
        tokens: estimate_tokens(&skill.body),
        key: skill.key,
        name: skill.name,
        description: skill.description,
        agent_of: agent_of(built_in),
        version: skill.fields.version,
        digest: digest_of(built_in.text.as_bytes()),
        modified: 0,
        findings: 0,
    };
    FoundSkill { skill, about, cues, always: false, audience: Vec::new() }
}

fn read_in(built_in: &BuiltIn) -> Skill {
    let place = Place { directory: built_in.name, file: "SKILL.md" };
    read(built_in.text.as_bytes(), &place).0
}

fn agent_of(built_in: &BuiltIn) -> Option<SkillKey> {
    built_in.agent_of.and_then(|skill| SkillKey::parse(skill).ok())
}

fn path_of(built_in: &BuiltIn) -> String {
    match built_in.agent_of {
        Some(skill) => format!("{BUILT_IN_PATH}{skill}/{}", built_in.name),
        None => format!("{BUILT_IN_PATH}{}", built_in.name),
    }
}
