//! What the log of a session says of the skills that it read, for whoever looks for one again.

use pacenote_context::fragment::{FragmentKind, ItemId};
use pacenote_model::Record;
use pacenote_skill::reference::Reference;
use pacenote_store::Store;

use crate::skills::{KeptSkill, SessionSkills};

/// What the log of a session says of skills.
pub(crate) struct SkillRecords<'r>(pub(crate) &'r [Record]);

impl SessionSkills for SkillRecords<'_> {
    fn has_received(&self, skill: &Reference) -> bool {
        let name = ItemId::of(FragmentKind::SKILL, skill);
        let offered = self.0.iter().filter_map(Record::offered);
        let mut items = offered.flat_map(|receipt| &receipt.items);
        items.any(|item| {
            let rest = item.id.strip_prefix(name.as_str());
            item.is_shown() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
        })
    }

    fn first(&self, skill: &Reference, store: &dyn Store) -> Option<KeptSkill> {
        let name = skill.to_string();
        let injected = || self.0.iter().filter_map(Record::injected_skill);
        let first = injected().find(|one| one.reference == name)?;
        // The store has it once the log was ingested; until then the log has it.
        let recorded = injected().find(|one| one.text == first.text && one.body.is_some());
        let body = match recorded.and_then(|one| one.body.clone()) {
            Some(body) => body,
            None => String::from_utf8(store.text(&first.text).ok().flatten()?).ok()?,
        };
        Some(KeptSkill { digest: first.digest, body })
    }
}
