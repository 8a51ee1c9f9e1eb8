//! The order in which several skills are given.
//!
//! How to think comes before what to do, and that before what to know, so that the special is read
//! in the light of the general.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::reference::Reference;

/// The priority of a skill that gives none; lower comes first.
pub const USUAL_PRIORITY: i64 = 50;

/// What a skill is about, in the order in which skills are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// How to think.
    Methodology,
    /// What to do, step by step.
    Process,
    /// What to know. Skills that say nothing about themselves are of this layer.
    Domain,
}

/// The words by which authors tell the layer of a skill.
const WORDS: [(&str, Layer); 22] = [
    ("methodology", Layer::Methodology),
    ("methodologies", Layer::Methodology),
    ("method", Layer::Methodology),
    ("mindset", Layer::Methodology),
    ("discipline", Layer::Methodology),
    ("philosophy", Layer::Methodology),
    ("principles", Layer::Methodology),
    ("thinking", Layer::Methodology),
    ("process", Layer::Process),
    ("workflow", Layer::Process),
    ("workflows", Layer::Process),
    ("planning", Layer::Process),
    ("planner", Layer::Process),
    ("orchestration", Layer::Process),
    ("orchestrator", Layer::Process),
    ("coordination", Layer::Process),
    ("coordinator", Layer::Process),
    ("collaboration", Layer::Process),
    ("playbook", Layer::Process),
    ("procedure", Layer::Process),
    ("command", Layer::Process),
    ("recipe", Layer::Process),
];

/// The layers of the well-known skills whose files give a name and a description only.
const KEYS: [(&str, Layer); 11] = [
    ("systematic-debugging", Layer::Methodology),
    ("test-driven-development", Layer::Methodology),
    ("verification-before-completion", Layer::Methodology),
    ("brainstorming", Layer::Process),
    ("executing-plans", Layer::Process),
    ("finishing-a-development-branch", Layer::Process),
    ("receiving-code-review", Layer::Process),
    ("requesting-code-review", Layer::Process),
    ("subagent-driven-development", Layer::Process),
    ("using-git-worktrees", Layer::Process),
    ("writing-plans", Layer::Process),
];

/// A skill as far as it matters for its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ingredient {
    pub skill: Reference,
    pub layer: Layer,
    /// Its place within the layer, the lower the earlier.
    pub priority: i64,
}

impl Ingredient {
    /// Returns the facts of a skill from its fields: its category or else its kind, in the author's
    /// words, and its priority.
    pub fn of(
        skill: Reference,
        category: Option<&str>,
        kind: Option<&str>,
        priority: Option<i64>,
    ) -> Self {
        let said = [category, kind].into_iter().flatten().find_map(Layer::said);
        let layer = said.or_else(|| Layer::known(&skill)).unwrap_or(Layer::Domain);
        Self { skill, layer, priority: priority.unwrap_or(USUAL_PRIORITY) }
    }
}

impl Layer {
    /// Returns the layer that an author's words tell; the first known word counts.
    fn said(words: &str) -> Option<Self> {
        let mut words = words.split(|c: char| !c.is_alphanumeric());
        words.find_map(|word| {
            let known = WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
            known.map(|(_, layer)| *layer)
        })
    }

    fn known(skill: &Reference) -> Option<Self> {
        let key = skill.key()?;
        KEYS.iter().find(|(known, _)| *known == key.as_str()).map(|(_, layer)| *layer)
    }
}

/// Returns skills in the order in which they are given, each once.
///
/// The order is by layer, then by priority, then by name, whatever order they come in. Of a skill
/// that is there twice with different facts the earlier place counts.
pub fn compose(skills: impl IntoIterator<Item = Ingredient>) -> Vec<Ingredient> {
    let mut places: BTreeMap<Reference, (Layer, i64)> = BTreeMap::new();
    for Ingredient { skill, layer, priority } in skills {
        let place = places.entry(skill).or_insert((layer, priority));
        *place = (*place).min((layer, priority));
    }
    let ingredients =
        places.into_iter().map(|(skill, (layer, priority))| Ingredient { skill, layer, priority });
    let mut ordered: Vec<_> = ingredients.collect();
    ordered.sort_by(|one, other| {
        let place = |it: &Ingredient| (it.layer, it.priority, it.skill.key().cloned());
        place(one).cmp(&place(other)).then_with(|| one.skill.cmp(&other.skill))
    });
    ordered
}
