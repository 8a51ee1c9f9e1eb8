//! Skills that apply to everything, and which there are besides.

use pacenote_context::fragment::{Fragment, FragmentKind};
use pacenote_flow::lifecycle::Format;

use super::{Fragments, SourceRow};
use crate::{
    briefing::{
        skill::{self, SkillExtent},
        work::Gathering,
    },
    wanted::WantedSource,
};

pub(super) static ROW: SourceRow =
    SourceRow { kinds: &[FragmentKind::CORE_SKILLS, FragmentKind::SKILLS], gather };

fn gather<'x>(gathering: &'x Gathering<'_>, wanted: &WantedSource) -> Fragments<'x> {
    let situation = gathering.situation;
    let mut fragments: Vec<Box<dyn Fragment + 'x>> = Vec::new();
    let is_read = !situation.is_off(FragmentKind::CORE_SKILLS) && !gathering.is_settled();
    let quick = if is_read { gathering.quick()? } else { None };
    if let Some(quick) = quick {
        let format =
            wanted.format.unwrap_or_else(|| match situation.settings().skills_injection_format() {
                "full" => Format::Full,
                "none" => Format::None,
                _ => Format::Summary,
            });
        let besides = gathering.work()?.skill.as_ref().map(|skill| &skill.reference);
        let core = skill::find_core(quick, format, besides, gathering.layout.left)?;
        let core = core.into_fragments(situation.secret());
        fragments.extend(core.into_iter().map(|one| Box::new(one) as Box<dyn Fragment + 'x>));
    }
    let mut index = gathering.skills()?.clone();
    let by_default = gathering.work()?.skill.as_ref();
    if let Some(skill) = by_default.filter(|skill| skill.extent == SkillExtent::Line) {
        index.by_default = Some(skill.reference.clone());
    }
    fragments.push(Box::new(index));
    Ok(fragments)
}
