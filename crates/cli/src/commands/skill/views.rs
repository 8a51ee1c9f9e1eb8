//! What `pacenote skill` prints for programs.

use std::path::Path;

use pacenote_engine::skills::{Beside, Difference, Library, Shelf};
use pacenote_skill::{
    finding::Finding,
    listing::{Candidate, Standing},
    lock::{Comparison, State},
    reference::Reference,
    resolve::{Resolution, Unresolved},
};
use serde::Serialize;

/// A skill in a list.
#[derive(Debug, Serialize)]
pub(super) struct SkillView {
    #[serde(rename = "ref")]
    reference: String,
    name: String,
    description: String,
    level: &'static str,
    version: Option<String>,
    path: String,
    root: String,
    digest: String,
    tokens: u32,
    hosts: Vec<String>,
    usable: bool,
}

impl SkillView {
    /// Shows a skill in a list that an agent may read. A description is written to make an agent do
    /// something, so that of a skill which nobody allowed is left out.
    pub(super) fn listed(candidate: &Candidate) -> Self {
        let description = match candidate.standing {
            Standing::Usable => candidate.description.clone(),
            Standing::ListedOnly | Standing::HeldBack => String::new(),
        };
        Self { description, ..Self::new(candidate) }
    }

    pub(super) fn new(candidate: &Candidate) -> Self {
        Self {
            reference: candidate.reference().to_string(),
            name: candidate.name.to_string(),
            description: candidate.description.clone(),
            level: candidate.level.word(),
            version: candidate.version.clone(),
            path: candidate.path.clone(),
            root: candidate.root.clone(),
            digest: candidate.digest.to_string(),
            tokens: candidate.tokens,
            hosts: candidate.hosts.clone(),
            usable: candidate.standing == Standing::Usable,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct SkillsView {
    pub(super) skills: Vec<SkillView>,
}

#[derive(Debug, Serialize)]
pub(super) struct RootsView {
    roots: Vec<RootView>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct RootView {
    path: String,
    level: &'static str,
    hosts: Vec<String>,
    plugin: Option<String>,
    version: Option<String>,
    why: String,
    skills: usize,
    refused: Vec<String>,
}

impl RootsView {
    pub(super) fn new(library: &Library) -> Self {
        Self {
            roots: library.shelves.iter().map(RootView::new).collect(),
            notes: library.notes.clone(),
        }
    }
}

impl RootView {
    fn new(shelf: &Shelf) -> Self {
        let origin = shelf.root.origin.as_ref();
        Self {
            path: shelf.root.path.display().to_string(),
            level: shelf.root.level.word(),
            hosts: shelf.root.hosts.clone(),
            plugin: origin.map(|origin| origin.plugin.clone()),
            version: origin.and_then(|origin| origin.version.clone()),
            why: shelf.root.why.clone(),
            skills: shelf.contents.skills.len(),
            refused: shelf.contents.refused.clone(),
        }
    }
}

/// The answer of `skill resolve`.
#[derive(Debug, Serialize)]
pub(super) struct ResolvedView {
    pub(super) resolved: Vec<ResolutionView>,
    pub(super) failed: Vec<FailedView>,
}

#[derive(Debug, Serialize)]
pub(super) struct ResolutionView {
    #[serde(rename = "ref")]
    reference: String,
    name: String,
    path: String,
    root: String,
    version: Option<String>,
    digest: String,
    decided_by: &'static str,
    tokens: u32,
    warnings: Vec<String>,
}

impl ResolutionView {
    pub(super) fn new(resolution: &Resolution<'_>) -> Self {
        let candidate = resolution.candidate;
        Self {
            reference: resolution.reference.to_string(),
            name: candidate.name.to_string(),
            path: candidate.path.clone(),
            root: candidate.root.clone(),
            version: candidate.version.clone(),
            digest: candidate.digest.to_string(),
            decided_by: resolution.decided_by.word(),
            tokens: candidate.tokens,
            warnings: resolution.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct FailedView {
    #[serde(rename = "ref")]
    pub(super) reference: String,
    pub(super) reason: String,
    pub(super) searched: Vec<String>,
    pub(super) nearest: Vec<String>,
}

impl FailedView {
    pub(super) fn new(reference: &Reference, unresolved: &Unresolved<'_>) -> Self {
        let (searched, nearest) = match unresolved {
            Unresolved::Unknown { searched, nearest, .. } => (searched.to_vec(), nearest.clone()),
            Unresolved::ListedOnly { .. }
            | Unresolved::HeldBack { .. }
            | Unresolved::OtherHost { .. }
            | Unresolved::Drifted { .. } => (Vec::new(), Vec::new()),
        };
        Self { reference: reference.to_string(), reason: unresolved.to_string(), searched, nearest }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct ShownView {
    #[serde(flatten)]
    pub(super) skill: SkillView,
    pub(super) decided_by: &'static str,
    pub(super) findings: Vec<String>,
    pub(super) sections: Vec<String>,
    pub(super) body: Option<String>,
    pub(super) files: Vec<FileView>,
}

#[derive(Debug, Serialize)]
pub(super) struct FileView {
    path: String,
    size: u64,
}

impl FileView {
    pub(super) fn new(file: &Beside) -> Self {
        Self { path: shown(&file.path), size: file.size }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[derive(Debug, Serialize)]
pub(super) struct LintView {
    pub(super) skills: Vec<LintedView>,
}

#[derive(Debug, Serialize)]
pub(super) struct LintedView {
    pub(super) path: String,
    pub(super) findings: Vec<FindingView>,
}

#[derive(Debug, Serialize)]
pub(super) struct FindingView {
    severity: &'static str,
    line: Option<usize>,
    problem: String,
}

impl FindingView {
    pub(super) fn new(finding: &Finding) -> Self {
        Self {
            severity: finding.severity.word(),
            line: finding.line,
            problem: finding.problem.to_string(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct VerifiedView {
    pub(super) sound: bool,
    pub(super) skills: Vec<ComparedView>,
}

#[derive(Debug, Serialize)]
pub(super) struct ComparedView {
    #[serde(rename = "ref")]
    pub(super) reference: String,
    pub(super) state: &'static str,
    pub(super) pinned: String,
    pub(super) found: Option<String>,
}

impl ComparedView {
    pub(super) fn new(comparison: &Comparison<'_>) -> Self {
        let (state, found) = match &comparison.state {
            State::Same(candidate) => ("same", Some(candidate.digest)),
            State::Approved(candidate) => ("approved", Some(candidate.digest)),
            State::Drifted(candidate) => ("drifted", Some(candidate.digest)),
            State::ListedOnly(_) => ("not_in_use", None),
            State::Missing => ("missing", None),
        };
        Self {
            reference: comparison.entry.reference().to_string(),
            state,
            pinned: comparison.entry.digest().to_string(),
            found: found.map(|digest| digest.to_string()),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct DifferencesView {
    pub(super) differences: Vec<DifferenceView>,
}

#[derive(Debug, Serialize)]
pub(super) struct DifferenceView {
    #[serde(rename = "ref")]
    reference: String,
    pinned: String,
    found: String,
    diff: Option<String>,
}

impl DifferenceView {
    pub(super) fn new(difference: &Difference) -> Self {
        Self {
            reference: difference.reference.clone(),
            pinned: difference.pinned.to_string(),
            found: difference.found.to_string(),
            diff: difference.text.clone(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct WrittenView {
    pub(super) path: String,
}

#[derive(Debug, Serialize)]
pub(super) struct ApprovedView {
    pub(super) approved: String,
    pub(super) digest: Option<String>,
    /// For a project: whether skills that are added or changed later are approved too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) later: Option<bool>,
}
