//! The part of `cargo metadata` that tells which package depends on which.

use serde::Deserialize;

/// The packages of a workspace.
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    /// The members, in cargo's order.
    pub(super) packages: Vec<Package>,
}

impl Metadata {
    /// Reads what `cargo metadata --no-deps --format-version 1` prints.
    pub(super) fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Tells whether a package of this name is a member.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.packages.iter().any(|package| package.name == name)
    }
}

/// A member of the workspace.
#[derive(Debug, Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) dependencies: Vec<Dependency>,
}

/// A dependency as the manifest declares it, under the package's own name even if renamed.
#[derive(Debug, Deserialize)]
pub(super) struct Dependency {
    pub(super) name: String,
    #[serde(deserialize_with = "normal_when_null")]
    pub(super) kind: Kind,
}

/// What a dependency is needed for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// The code itself; cargo writes it as `null`.
    #[default]
    Normal,
    /// The build script.
    Build,
    /// Tests, examples and benchmarks.
    #[serde(rename = "dev")]
    Development,
}

fn normal_when_null<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Kind, D::Error> {
    Option::deserialize(value).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::{Kind, Metadata};

    #[test]
    fn the_kinds_are_read_as_cargo_writes_them() {
        let metadata = Metadata::parse(
            r#"{
                "version": 1,
                "packages": [{
                    "name": "pacenote-model",
                    "id": "path+file",
                    "dependencies": [
                        {"name": "serde", "rename": "other", "kind": null, "optional": false},
                        {"name": "proptest", "kind": "dev"},
                        {"name": "cc", "kind": "build"}
                    ]
                }]
            }"#,
        )
        .unwrap();
        let kinds: Vec<_> = metadata
            .packages
            .iter()
            .flat_map(|package| &package.dependencies)
            .map(|dependency| (dependency.name.as_str(), dependency.kind))
            .collect();
        assert_eq!(
            kinds,
            [("serde", Kind::Normal), ("proptest", Kind::Development), ("cc", Kind::Build)]
        );
        assert!(metadata.holds("pacenote-model") && !metadata.holds("serde"));
    }
}
