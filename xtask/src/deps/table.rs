//! The arrows of the house: in which layer each crate lives, and what it may use besides.
//!
//! Every line that loosens a rule carries its reason.

use std::fmt;

/// The layers from the lowest to the highest; their order is the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layer {
    /// Ids, events and the other nouns everybody shares.
    Words,
    /// Decisions, made without files, clock, environment or threads.
    Core,
    /// Database, disk, agent clients, processes, search, scripted model.
    World,
    /// One use case after the other, committing what the core decides.
    Driver,
    /// What people and agents see.
    Faces,
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Words => "words",
            Self::Core => "core",
            Self::World => "world",
            Self::Driver => "driver",
            Self::Faces => "faces",
        })
    }
}

/// Where a package of the workspace stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the product: it may depend on lower layers.
    Layer(Layer),
    /// Beside the product, for tests: it may depend on every layer, none on it.
    Tests,
    /// Outside the product: it depends on nothing of ours and nothing on it.
    Tool,
}

/// The place of every package.
pub(super) const PLACES: &[(&str, Place)] = &[
    ("pacenote-model", Place::Layer(Layer::Words)),
    ("pacenote-skill", Place::Layer(Layer::Core)),
    ("pacenote-context", Place::Layer(Layer::Core)),
    ("pacenote-flow", Place::Layer(Layer::Core)),
    ("pacenote-store", Place::Layer(Layer::World)),
    ("pacenote-files", Place::Layer(Layer::World)),
    ("pacenote-hosts", Place::Layer(Layer::World)),
    ("pacenote-fleet", Place::Layer(Layer::World)),
    ("pacenote-recall", Place::Layer(Layer::World)),
    ("pacenote-probe", Place::Layer(Layer::World)),
    ("pacenote-engine", Place::Layer(Layer::Driver)),
    ("pacenote-cli", Place::Layer(Layer::Faces)),
    ("pacenote-mcp", Place::Layer(Layer::Faces)),
    ("pacenote-board", Place::Layer(Layer::Faces)),
    ("pacenote-testkit", Place::Tests),
    ("xtask", Place::Tool),
];

/// A dependency inside a layer that is allowed all the same.
#[derive(Debug)]
pub(super) struct Exception {
    /// The package that depends.
    pub(super) from: &'static str,
    /// The package it depends on.
    pub(super) to: &'static str,
    /// Why it is worth it.
    pub(super) reason: &'static str,
}

/// The dependencies inside a layer, one by one.
pub(super) const EXCEPTIONS: &[Exception] = &[Exception {
    from: "pacenote-store",
    to: "pacenote-files",
    reason: "the database lives in a private directory behind a lock, and both are made there",
}];

/// The crates of others that words and core may use: none of them does IO.
pub(super) const CORE_CRATES: &[&str] = &[
    // Looks for many words at once in bytes it is given.
    "aho-corasick",
    // Hashes bytes; without `std` it opens no file.
    "blake3",
    // Calendar arithmetic; without `std` it has no clock.
    "jiff",
    // Evaluates expressions and templates it is given, with fuel; it has no loader here.
    "minijinja",
    // Parses text it is given.
    "pulldown-cmark",
    "quick-xml",
    // Matches patterns in bytes it is given, in linear time.
    "regex",
    // Compares version numbers.
    "semver",
    // Describes types; the formats are chosen elsewhere.
    "serde",
    // Parses YAML it is given, within budgets for depth, nodes and aliases.
    "serde-saphyr",
    // Parses JSON it is given; readers and writers are handed to it by others.
    "serde_json",
    // Compares two strings.
    "strsim",
    // Writes the code of error types.
    "thiserror",
    // Parses TOML it is given, and says at which byte it is wrong.
    "toml",
    // Folds the spellings of one text into one, from tables inside the crate.
    "unicode-normalization",
    // Parses and prints ids; without `v7` it makes none.
    "uuid",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{EXCEPTIONS, PLACES};

    #[test]
    fn every_package_has_one_place() {
        let names: BTreeSet<_> = PLACES.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), PLACES.len());
    }

    #[test]
    fn exceptions_are_within_one_layer() {
        let place =
            |wanted| PLACES.iter().find(|(name, _)| *name == wanted).map(|(_, place)| place);
        for exception in EXCEPTIONS {
            assert!(place(exception.from).is_some(), "{exception:?}");
            assert_eq!(place(exception.from), place(exception.to), "{exception:?}");
        }
    }
}
