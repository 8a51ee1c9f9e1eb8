//! `deps`: checks that dependencies between our crates point downwards, and that the core does no
//! IO through a crate of others.
//!
//! What is allowed stands in `table`; this file only compares it with what cargo knows.

mod metadata;
mod table;

use std::fmt;

use self::metadata::{Kind, Metadata, Package};
use self::table::{CORE_CRATES, EXCEPTIONS, Exception, Layer, PLACES, Place};
use crate::cargo::cargo;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::say;

/// Checks every package of the workspace and lists each dependency that breaks a rule.
pub(crate) fn run(environment: &Environment) -> Result<(), Failure> {
    let query = cargo(environment, ["metadata", "--no-deps", "--format-version", "1", "--offline"]);
    let metadata =
        Metadata::parse(&query.read_output()?).map_err(|error| query.unexpected(error))?;
    let violations = check(&metadata);
    if violations.is_empty() {
        say::note(format_args!("deps: all arrows of {} crates hold", metadata.packages.len()));
        for Exception { from, to, reason } in EXCEPTIONS {
            say::note(format_args!("deps: `{from}` may depend on `{to}`: {reason}"));
        }
        return Ok(());
    }
    violations.iter().try_for_each(say::result)?;
    Err(Failure::BrokenArrows { found: violations.len() })
}

/// A dependency, or a package, that the table does not allow.
#[derive(Debug, PartialEq, Eq)]
enum Violation {
    /// The package stands nowhere in the table.
    Unplaced { package: String },
    /// The dependency points up or sideways.
    NotDownwards { from: String, from_layer: Layer, to: String, to_layer: Layer },
    /// Something other than tests uses the crate for tests.
    TestsOnly { from: String, to: String },
    /// The developers' tool uses one of our crates, or is used by one.
    Apart { from: String, to: String },
    /// A crate that may do IO is used where nothing may.
    NotPure { from: String, from_layer: Layer, to: String },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unplaced { package } => {
                write!(f, "`{package}` has no place in the table of layers")
            }
            Self::NotDownwards { from, from_layer, to, to_layer } => write!(
                f,
                "`{from}` ({from_layer}) depends on `{to}` ({to_layer}): \
                 a crate depends on lower layers only"
            ),
            Self::TestsOnly { from, to } => {
                write!(f, "`{from}` depends on `{to}`: it may be a dev-dependency only")
            }
            Self::Apart { from, to } => write!(
                f,
                "`{from}` depends on `{to}`: the developers' tool and the product stand apart"
            ),
            Self::NotPure { from, from_layer, to } => write!(
                f,
                "`{from}` ({from_layer}) depends on `{to}`: \
                 words and core use only crates that are known to do no IO"
            ),
        }
    }
}

fn check(metadata: &Metadata) -> Vec<Violation> {
    metadata.packages.iter().flat_map(|package| check_package(package, metadata)).collect()
}

fn check_package(package: &Package, metadata: &Metadata) -> Vec<Violation> {
    let Some(place) = place_of(&package.name) else {
        return vec![Violation::Unplaced { package: package.name.clone() }];
    };
    package
        .dependencies
        .iter()
        .filter(|dependency| match dependency.kind {
            Kind::Normal | Kind::Build => true,
            // Tests may use whatever they like: cargo does not ship it.
            Kind::Development => false,
        })
        .filter_map(|dependency| {
            let (from, to) = (package.name.as_str(), dependency.name.as_str());
            if metadata.holds(to) {
                // One without a place is reported where it is the package.
                check_arrow(from, place, to, place_of(to)?)
            } else {
                check_purity(from, place, to)
            }
        })
        .collect()
}

fn check_arrow(from: &str, from_place: Place, to: &str, to_place: Place) -> Option<Violation> {
    let (owned_from, owned_to) = (from.to_owned(), to.to_owned());
    match (from_place, to_place) {
        (Place::Tool, _) | (_, Place::Tool) => {
            Some(Violation::Apart { from: owned_from, to: owned_to })
        }
        (Place::Tests, _) => None,
        (Place::Layer(_), Place::Tests) => {
            Some(Violation::TestsOnly { from: owned_from, to: owned_to })
        }
        (Place::Layer(from_layer), Place::Layer(to_layer)) => {
            let allowed = to_layer < from_layer || is_exception(from, to);
            (!allowed).then_some(Violation::NotDownwards {
                from: owned_from,
                from_layer,
                to: owned_to,
                to_layer,
            })
        }
    }
}

fn check_purity(from: &str, place: Place, to: &str) -> Option<Violation> {
    match place {
        Place::Layer(from_layer @ (Layer::Words | Layer::Core)) => {
            let known = CORE_CRATES.contains(&to);
            (!known).then(|| Violation::NotPure {
                from: from.to_owned(),
                from_layer,
                to: to.to_owned(),
            })
        }
        Place::Layer(Layer::World | Layer::Driver | Layer::Faces) | Place::Tests | Place::Tool => {
            None
        }
    }
}

fn place_of(package: &str) -> Option<Place> {
    PLACES.iter().find(|(name, _)| *name == package).map(|(_, place)| *place)
}

fn is_exception(from: &str, to: &str) -> bool {
    EXCEPTIONS.iter().any(|exception| exception.from == from && exception.to == to)
}

#[cfg(test)]
mod tests {
    use super::{Metadata, check};

    /// Says what is wrong with a workspace of these packages, each with its dependencies.
    fn complaints(packages: &[(&str, &[&str])]) -> Vec<String> {
        let packages: Vec<_> = packages
            .iter()
            .map(|(name, dependencies)| {
                let dependencies: Vec<_> = dependencies
                    .iter()
                    .map(|dependency| match dependency.split_once(' ') {
                        Some((kind, name)) => serde_json::json!({ "name": name, "kind": kind }),
                        None => serde_json::json!({ "name": dependency, "kind": null }),
                    })
                    .collect();
                serde_json::json!({ "name": name, "dependencies": dependencies })
            })
            .collect();
        let metadata = serde_json::json!({ "packages": packages, "version": 1 }).to_string();
        check(&Metadata::parse(&metadata).unwrap()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_house_in_order_has_no_complaints() {
        let packages: &[(&str, &[&str])] = &[
            ("pacenote-model", &["serde", "uuid", "dev proptest"]),
            ("pacenote-context", &["pacenote-model", "pulldown-cmark", "dev insta"]),
            ("pacenote-files", &["pacenote-model", "rustix"]),
            ("pacenote-store", &["pacenote-files", "pacenote-model", "rusqlite"]),
            ("pacenote-engine", &["pacenote-store", "pacenote-context", "dev pacenote-testkit"]),
            ("pacenote-cli", &["pacenote-engine", "pacenote-hosts", "clap"]),
            ("pacenote-hosts", &["pacenote-model", "serde_json"]),
            ("pacenote-testkit", &["pacenote-store", "pacenote-probe"]),
            ("pacenote-probe", &[]),
            ("xtask", &["clap", "serde_json"]),
        ];
        assert_eq!(complaints(packages), Vec::<String>::new());
    }

    #[test]
    fn every_broken_arrow_names_both_crates_and_the_rule() {
        let packages: &[(&str, &[&str])] = &[
            ("pacenote-model", &["pacenote-store"]),
            ("pacenote-context", &["pacenote-flow"]),
            ("pacenote-flow", &["build pacenote-engine"]),
            ("pacenote-files", &["pacenote-store"]),
            ("pacenote-store", &[]),
            ("pacenote-engine", &["pacenote-testkit"]),
            ("pacenote-cli", &["xtask"]),
            ("pacenote-testkit", &[]),
            ("xtask", &["pacenote-model"]),
        ];
        assert_eq!(
            complaints(packages),
            [
                "`pacenote-model` (words) depends on `pacenote-store` (world): \
                 a crate depends on lower layers only",
                "`pacenote-context` (core) depends on `pacenote-flow` (core): \
                 a crate depends on lower layers only",
                "`pacenote-flow` (core) depends on `pacenote-engine` (driver): \
                 a crate depends on lower layers only",
                "`pacenote-files` (world) depends on `pacenote-store` (world): \
                 a crate depends on lower layers only",
                "`pacenote-engine` depends on `pacenote-testkit`: it may be a dev-dependency only",
                "`pacenote-cli` depends on `xtask`: \
                 the developers' tool and the product stand apart",
                "`xtask` depends on `pacenote-model`: \
                 the developers' tool and the product stand apart",
            ]
        );
    }

    #[test]
    fn the_core_uses_only_crates_without_io() {
        let packages: &[(&str, &[&str])] = &[
            ("pacenote-model", &["serde", "rustix"]),
            ("pacenote-skill", &["tokio"]),
            ("pacenote-fleet", &["rustix"]),
        ];
        assert_eq!(
            complaints(packages),
            [
                "`pacenote-model` (words) depends on `rustix`: \
                 words and core use only crates that are known to do no IO",
                "`pacenote-skill` (core) depends on `tokio`: \
                 words and core use only crates that are known to do no IO",
            ]
        );
    }

    #[test]
    fn a_new_crate_needs_a_place() {
        assert_eq!(
            complaints(&[("pacenote-attic", &["pacenote-model"]), ("pacenote-model", &[])]),
            ["`pacenote-attic` has no place in the table of layers"]
        );
    }
}
