//! Which module of a room uses which, as their `use` lines and paths say, and who stands in a circle.

use std::collections::{BTreeMap, BTreeSet};

use super::Source;

/// The module that every other may use: it only says what went wrong.
const ERRORS: &str = "error";

/// Which modules a module uses.
pub(super) type Uses = BTreeMap<String, BTreeSet<String>>;

/// Reads which module uses which.
pub(super) fn uses(sources: &[Source]) -> Uses {
    let modules: BTreeSet<&str> = sources.iter().map(|source| source.module.as_str()).collect();
    let top = sources.iter().find(|source| source.module == "lib");
    let exported = top.map(exports).unwrap_or_default();
    let mut uses = Uses::new();
    for source in sources.iter().filter(|source| !["lib", "main"].contains(&source.module.as_str()))
    {
        let used = uses.entry(source.module.clone()).or_default();
        for name in names_after(&source.lines.join("\n"), "crate::") {
            let module = exported.get(&name).unwrap_or(&name);
            if modules.contains(module.as_str()) && *module != source.module && module != ERRORS {
                used.insert(module.clone());
            }
        }
    }
    uses
}

/// Returns in which module each name is that the room itself exports.
fn exports(top: &Source) -> BTreeMap<String, String> {
    let mut exported = BTreeMap::new();
    for line in top.lines.join("\n").split(';') {
        let Some((_, path)) = line.rsplit_once("use ") else { continue };
        let Some((module, rest)) = path.split_once("::") else { continue };
        let module = module.trim_start_matches("crate::");
        for name in rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
            if !name.is_empty() {
                exported.insert(name.to_owned(), module.to_owned());
            }
        }
    }
    exported
}

/// Returns the names that follow a prefix: one, or those of a group in braces.
fn names_after(text: &str, prefix: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in text.match_indices(prefix) {
        let rest = text.get(at + prefix.len()..).unwrap_or_default();
        match rest.strip_prefix('{') {
            Some(group) => names.extend(first_names(group)),
            None => names.extend(name_at(rest)),
        }
    }
    names
}

/// Returns the name at which each member of a group in braces begins.
fn first_names(group: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0_usize;
    let mut is_first = true;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_first = true,
            letter if is_first && !letter.is_whitespace() => {
                names.extend(name_at(group.get(at..).unwrap_or_default()));
                is_first = false;
            }
            _ => {}
        }
    }
    names
}

fn name_at(text: &str) -> Option<String> {
    let name = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// Returns the groups of modules of which each uses all others, directly or through them.
pub(super) fn circles(uses: &Uses) -> Vec<Vec<String>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        uses.keys().map(|module| (module.as_str(), reach(uses, module))).collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|all| all.contains(to));
    let mut circles: Vec<Vec<String>> = Vec::new();
    for module in uses.keys().filter(|module| reaches(module, module)) {
        let is_same = |circle: &&mut Vec<String>| {
            circle.iter().all(|other| reaches(module, other) && reaches(other, module))
        };
        match circles.iter_mut().find(is_same) {
            Some(circle) => circle.push(module.clone()),
            None => circles.push(vec![module.clone()]),
        }
    }
    circles
}

/// Returns all modules that a module leads to.
fn reach<'u>(uses: &'u Uses, from: &str) -> BTreeSet<&'u str> {
    let mut reached = BTreeSet::new();
    let mut pending: Vec<&str> = vec![from];
    while let Some(module) = pending.pop() {
        for next in uses.get(module).into_iter().flatten() {
            if reached.insert(next.as_str()) {
                pending.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(module: &str, text: &str) -> Source {
        Source {
            module: module.to_owned(),
            path: String::new(),
            lines: text.lines().map(str::to_owned).collect(),
        }
    }

    #[test]
    fn modules_that_use_each_other_stand_in_a_circle() {
        let sources = [
            source("lib", "pub use desk::{Desk, Data};\npub use error::EngineError;"),
            source("desk", "use crate::{EngineError, presence::{self, mark}};"),
            source("presence", "use crate::Data;\nfn a() { crate::git::ask() }"),
            source("git", "use crate::EngineError;"),
            source("error", "use crate::desk::Desk;"),
        ];
        let uses = uses(&sources);
        let of = |module: &str| uses[module].iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!((of("desk"), of("presence")), (vec!["presence"], vec!["desk", "git"]));
        assert_eq!(circles(&uses), [["desk", "presence"]]);
    }

    #[test]
    fn a_module_that_only_leads_into_a_circle_is_not_in_it() {
        let uses: Uses = [("a", "b"), ("b", "c"), ("c", "b")]
            .map(|(from, to)| (from.to_owned(), [to.to_owned()].into()))
            .into();
        assert_eq!(circles(&uses), [["b", "c"]]);
    }
}
