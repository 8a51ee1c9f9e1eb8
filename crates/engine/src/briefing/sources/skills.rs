//! Skills that always apply, and which there are besides.
//!
//! The person's settings come first: with `skills.injection_format = none` this says nothing, with
//! `skills.inject_core_skills = off` nothing of skills that always apply, whatever a rule wants.

use pacenote_context::fragment::{Fragment, FragmentKind};
use pacenote_flow::lifecycle::Format;
use pacenote_model::SkillRef;
use pacenote_skill::reference::Reference;

use super::{Fragments, SourceRow};
use crate::{
    EngineError,
    briefing::{Scope, skill, work::Gathering},
    lifecycle::has_work,
    skill_records::SkillRecords,
    skills::SessionSkills,
    wanted::WantedSource,
};

pub(super) static ROW: SourceRow =
    SourceRow { kinds: &[FragmentKind::CORE_SKILLS, FragmentKind::SKILLS], gather };

fn gather<'x>(gathering: &'x Gathering<'_>, wanted: &WantedSource) -> Fragments<'x> {
    let settings = gathering.situation.settings();
    let format = match (settings.skills_injection_format(), wanted.format) {
        ("none", _) | (_, Some(Format::None)) => return Ok(Vec::new()),
        (_, Some(format)) => format,
        ("full", None) => Format::Full,
        (_, None) => Format::Summary,
    };
    let mut fragments: Vec<Box<dyn Fragment + 'x>> = Vec::new();
    if settings.core_skills_are_injected() {
        fragments.extend(find_core(gathering, format)?);
    }
    if let Scope::Full = gathering.layout.scope
        // The short guide says how to search, which is enough where nothing is going on.
        && has_work(gathering.situation)?
    {
        fragments.push(Box::new(gathering.skills()?.clone()));
    }
    Ok(fragments)
}

/// Returns the skills that always apply. A reader who knows where it is may not know them: one may have
/// been installed, or approved, since.
fn find_core<'x>(
    gathering: &'x Gathering<'_>,
    format: Format,
) -> Result<Vec<Box<dyn Fragment + 'x>>, EngineError> {
    let situation = gathering.situation;
    let is_handed_on =
        gathering.layout.left.is_some_and(|left| !left.handoff.active_skills.is_empty());
    // Most people have none, and to look at the roots of skills takes its time.
    let is_any = is_handed_on || situation.store.has_core_skills()?;
    if !is_any || situation.is_off(FragmentKind::CORE_SKILLS) {
        return Ok(Vec::new());
    }
    let Some(quick) = gathering.quick()? else { return Ok(Vec::new()) };
    let bound = &gathering.work()?.skills;
    let session = SkillRecords(situation.records()?);
    let is_injected = |skill: &SkillRef| {
        let known = || Reference::parse(skill.as_str()).is_ok_and(|one| session.has_received(&one));
        bound.iter().any(|one| one.reference == *skill) || (gathering.is_settled() && known())
    };
    let core = skill::find_core(quick, format, &is_injected, gathering.layout.left)?;
    let core = core.into_fragments(situation.secret());
    Ok(core.into_iter().map(|one| Box::new(one) as Box<dyn Fragment + 'x>).collect())
}
