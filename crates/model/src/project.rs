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
