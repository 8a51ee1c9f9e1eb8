//! The workflows, conventions and resources that come with us.
//!
//! A file of the person or of a trusted project takes the place of one of the same name.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::definition::Library;

/// Every definition, by its name.
pub const DEFINITIONS: &[(&str, &str)] = &[
    ("codebase-analysis", include_str!("../../assets/workflows/codebase-analysis.yaml")),
    ("decision-critic", include_str!("../../assets/workflows/decision-critic.yaml")),
    ("deepthink", include_str!("../../assets/workflows/deepthink.yaml")),
    ("doc-sync", include_str!("../../assets/workflows/doc-sync.yaml")),
    ("executor", include_str!("../../assets/workflows/executor.yaml")),
    ("incoherence", include_str!("../../assets/workflows/incoherence.yaml")),
    ("planner", include_str!("../../assets/workflows/planner.yaml")),
    ("problem-analysis", include_str!("../../assets/workflows/problem-analysis.yaml")),
    ("prompt-engineer", include_str!("../../assets/workflows/prompt-engineer.yaml")),
    ("refactor", include_str!("../../assets/workflows/refactor.yaml")),
    ("solution-design", include_str!("../../assets/workflows/solution-design.yaml")),
    ("style-writer", include_str!("../../assets/workflows/style-writer.yaml")),
];

/// Every convention, by its name.
const CONVENTIONS: &[(&str, &str)] = &[
    ("diff-format", include_str!("../../assets/conventions/diff-format.md")),
    ("documentation", include_str!("../../assets/conventions/documentation.md")),
    ("intent-markers", include_str!("../../assets/conventions/intent-markers.md")),
    ("severity", include_str!("../../assets/conventions/severity.md")),
    ("structural", include_str!("../../assets/conventions/structural.md")),
    ("temporal", include_str!("../../assets/conventions/temporal.md")),
];

/// Every resource, by its name.
const RESOURCES: &[(&str, &str)] = &[
    ("exploration-format", include_str!("../../assets/resources/exploration-format.md")),
    ("plan-format", include_str!("../../assets/resources/plan-format.md")),
];

/// Returns the conventions and resources.
pub fn library() -> Library {
    let owned = |texts: &[(&str, &str)]| -> BTreeMap<String, String> {
        texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    };
    Library { conventions: owned(CONVENTIONS), resources: owned(RESOURCES) }
}
