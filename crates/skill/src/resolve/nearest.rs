//! The names that someone may have meant.

use std::collections::BTreeSet;

use crate::{
    listing::Candidate,
    reference::{Named, Reference, Target},
};

/// Most names that are suggested: a longer list is not read.
const NEAREST: usize = 3;

/// Returns the references of the nearest names, the nearest first.
pub(super) fn nearest<'a>(
    reference: &Reference,
    candidates: impl Iterator<Item = &'a Candidate>,
) -> Vec<String> {
    let Target::Named(asked) = reference.target() else { return Vec::new() };
    let whole = Named { version: None, ..asked.clone() }.to_string();
    let mut found = BTreeSet::new();
    for candidate in candidates {
        let name = candidate.reference().canonical();
        let by_key = distance(asked.key.as_str(), candidate.key.as_str());
        if let Some(distance) = by_key.or_else(|| distance(&whole, &name)) {
            // Among equal keys the one of the plugin that was named is nearer.
            found.insert((distance, strsim::osa_distance(&whole, &name), name));
        }
    }
    // A name stands twice when its key is near in one skill and its whole in another.
    let mut names: Vec<String> = Vec::new();
    for (_, _, name) in found {
        if names.len() < NEAREST && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the edit distance when it is small enough for a slip: a third of what was written.
fn distance(asked: &str, name: &str) -> Option<usize> {
    let most = (asked.len() / 3).max(1);
    if asked.len().abs_diff(name.len()) > most {
        return None;
    }
    Some(strsim::osa_distance(asked, name)).filter(|distance| *distance <= most)
}
