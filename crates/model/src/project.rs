//! Projects.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::{Moment, ProjectId};

/// A project: one git common directory, shared by all its worktrees; without git, one root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    pub id: ProjectId,
    /// The canonical git common directory or root that makes two checkouts one project.
    pub place: String,
    /// The directory name people use for it; the first part of a three-part address.
    pub name: String,
    /// When it was first used.
    pub since: Moment,
}

/// A change of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ProjectEffect {
    /// A project is used for the first time. One that is known by its place stays as it is.
    Seen { project: Project },
    /// The person takes the project's own skills into use.
    Enabled {},
}

impl ProjectEffect {
    /// Returns the word under which the effect stands in the journal.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Seen { .. } => "seen",
            Self::Enabled { .. } => "enabled",
        }
    }
}
