//! The table of situations.

use std::path::Path;

use serde::Deserialize;

use crate::disk;
use crate::failure::Failure;

/// Every situation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    #[serde(rename = "situation")]
    pub(super) situations: Vec<Situation>,
}

/// One situation, and what its reader needs.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Situation {
    pub(super) name: String,
    /// What happens, in order; the answer to the last line is judged.
    #[serde(rename = "do")]
    pub(super) steps: Vec<String>,
    #[serde(default)]
    pub(super) needs: Vec<String>,
    #[serde(default)]
    pub(super) absent: Vec<String>,
    /// Most tokens.
    pub(super) most: Option<usize>,
    #[serde(default = "yes")]
    pub(super) git: bool,
}

const fn yes() -> bool {
    true
}

impl Table {
    pub(super) fn read(directory: &Path) -> Result<Self, Failure> {
        let path = directory.join("situations.toml");
        let text = disk::read(&path)?;
        toml::from_str(&text).map_err(|error| Failure::BadTable { reason: error.to_string() })
    }
}
