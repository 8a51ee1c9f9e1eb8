//! Every environment variable the verbs read, in one list.
//!
//! Nothing else in this crate reads the environment; what a verb needs, it gets from here.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// What the verbs know of their surroundings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Environment {
    /// The cargo that runs us (`CARGO`), so that a `+toolchain` is kept.
    pub(crate) cargo: PathBuf,
    /// The workspace's directory, the parent of `CARGO_MANIFEST_DIR`.
    pub(crate) root: PathBuf,
    /// Where programs are looked for (`PATH`).
    pub(crate) path: OsString,
    /// Where temporary files go (`TMPDIR`).
    pub(crate) temporary: PathBuf,
    /// The developer's home directory (`HOME`).
    pub(crate) home: Option<PathBuf>,
    /// Where caches live (`XDG_CACHE_HOME`).
    pub(crate) cache_home: Option<PathBuf>,
    /// Where the real clients are installed (`PACENOTE_HOSTS_CACHE`).
    pub(crate) hosts_cache: Option<PathBuf>,
}

impl Environment {
    /// Reads the environment of this process.
    #[expect(clippy::disallowed_methods, reason = "this module is the door to the environment")]
    pub(crate) fn read() -> Result<Self, Failure> {
        Self::from_lookup(|variable| std::env::var_os(variable))
    }

    /// Reads the environment that `lookup` describes; an empty value counts as unset.
    pub(crate) fn from_lookup(lookup: impl Fn(&str) -> Option<OsString>) -> Result<Self, Failure> {
        let set = |variable: &str| lookup(variable).filter(|value| !value.is_empty());
        let directory = |variable: &str| set(variable).map(PathBuf::from);
        let manifest = directory("CARGO_MANIFEST_DIR").ok_or(Failure::OutsideCargo)?;
        Ok(Self {
            cargo: directory("CARGO").unwrap_or_else(|| PathBuf::from("cargo")),
            root: manifest.parent().map(Path::to_owned).ok_or(Failure::OutsideCargo)?,
            path: set("PATH").unwrap_or_default(),
            temporary: directory("TMPDIR").unwrap_or_else(|| PathBuf::from("/tmp")),
            home: directory("HOME"),
            cache_home: directory("XDG_CACHE_HOME"),
            hosts_cache: directory("PACENOTE_HOSTS_CACHE"),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use super::{Environment, Failure};

    fn read(variables: &[(&str, &str)]) -> Result<Environment, Failure> {
        Environment::from_lookup(|wanted| {
            variables
                .iter()
                .find(|(variable, _)| *variable == wanted)
                .map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_root_is_above_the_manifest_and_cargo_has_a_default() {
        let environment = read(&[("CARGO_MANIFEST_DIR", "/repository/xtask")]).unwrap();
        assert_eq!(environment.root, Path::new("/repository"));
        assert_eq!(environment.cargo, Path::new("cargo"));
    }

    #[test]
    fn an_empty_variable_counts_as_unset() {
        let environment = read(&[
            ("CARGO_MANIFEST_DIR", "/repository/xtask"),
            ("HOME", "/home/developer"),
            ("XDG_CACHE_HOME", ""),
        ])
        .unwrap();
        assert_eq!(environment.home, Some(PathBuf::from("/home/developer")));
        assert_eq!(environment.cache_home, None);
    }

    #[test]
    fn outside_cargo_the_workspace_is_unknown() {
        assert!(matches!(read(&[("HOME", "/home/developer")]), Err(Failure::OutsideCargo)));
    }
}
