//! The sources of a briefing, one file each: what rules call by a word, and which fragments it brings.
//!
//! A new source is a file here and its line in [`row_of`]; its word stands in
//! `pacenote_flow::lifecycle::Source`, and the compiler asks for the line.

mod activity;
mod artifacts;
mod guide;
mod handoff;
mod identity;
mod mail;
mod role_briefing;
mod skill_suggestion;
mod skills;
mod task_context;
mod workflow_state;

use pacenote_context::fragment::{Fragment, FragmentKind};
use pacenote_flow::lifecycle::Source;

use super::work::Gathering;
use crate::{EngineError, wanted::WantedSource};

/// What a source brings.
pub(super) type Fragments<'x> = Result<Vec<Box<dyn Fragment + 'x>>, EngineError>;

/// A source of a briefing.
struct SourceRow {
    /// The kinds of fragments by which one sees that it brought something.
    kinds: &'static [FragmentKind],
    gather: for<'x, 'g> fn(&'x Gathering<'g>, &WantedSource) -> Fragments<'x>,
}

/// Returns the row of a source.
const fn row_of(source: Source) -> &'static SourceRow {
    match source {
        Source::Identity => &identity::ROW,
        Source::TaskContext => &task_context::ROW,
        Source::Skills => &skills::ROW,
        Source::SkillSuggestion => &skill_suggestion::ROW,
        Source::Handoff => &handoff::ROW,
        Source::Mail => &mail::ROW,
        Source::Activity => &activity::ROW,
        Source::Artifacts => &artifacts::ROW,
        Source::Guide => &guide::ROW,
        Source::RoleBriefing => &role_briefing::ROW,
        Source::WorkflowState => &workflow_state::ROW,
    }
}

/// Returns the kinds of fragments that a source may bring.
pub(crate) const fn kinds_of(source: Source) -> &'static [FragmentKind] {
    row_of(source).kinds
}

/// Gathers what one source brings, as rules want it, or whole where none of them does.
pub(super) fn gather_one<'x>(gathering: &'x Gathering<'_>, source: Source) -> Fragments<'x> {
    let wanted = gathering.layout.wanted.of(source).copied();
    (row_of(source).gather)(gathering, &wanted.unwrap_or_else(|| WantedSource::whole(source)))
}

/// Gathers what the wanted sources bring, in the order in which they are wanted.
pub(super) fn gather<'x>(gathering: &'x Gathering<'_>) -> Fragments<'x> {
    let mut fragments = Vec::new();
    for wanted in gathering.layout.wanted.sources.iter().filter(|wanted| !wanted.in_template) {
        fragments.extend((row_of(wanted.source).gather)(gathering, wanted)?);
    }
    Ok(fragments)
}

#[cfg(test)]
mod tests {
    use pacenote_context::fragments::KINDS;

    use super::*;

    /// Kinds that no source brings: sentences of rules, and the message that wakes a reader.
    const WITHOUT_SOURCE: [FragmentKind; 3] =
        [FragmentKind::NOTICE, FragmentKind::RULE_TEXT, FragmentKind::INCOMING];

    /// The page that lists the sources for people.
    const DOCUMENT: &str = include_str!("../../../../docs/lifecycle.md");

    #[test]
    fn every_row_is_complete() {
        let mut missing = Vec::new();
        for source in Source::ALL {
            let (word, row) = (source.word(), row_of(source));
            if row.kinds.is_empty() {
                missing.push(format!("source `{word}` names no kind of fragment in its row"));
            }
            if !DOCUMENT.contains(&format!("`{word}`")) {
                missing.push(format!("source `{word}` is not explained in docs/lifecycle.md"));
            }
        }
        for kind in KINDS {
            let is_brought = Source::ALL.iter().any(|source| row_of(*source).kinds.contains(&kind));
            if !is_brought && !WITHOUT_SOURCE.contains(&kind) {
                missing.push(format!("fragment `{}` is brought by no source", kind.word()));
            }
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }
}
