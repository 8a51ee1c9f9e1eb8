//! `house`: shows how tangled the rooms are, in figures that a script can count.
//!
//! Modules of a room that use each other in a circle cannot be read, tested or moved alone. How many
//! stand in circles is bounded, so that it only ever gets better; so is the schema of the store, and
//! every public item says what it is. The other figures are shown.

mod graph;
mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use self::graph::{circles, uses};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::{say, size};

/// Modules that may stand in circles, room by room: what is there now. Lower a figure when it falls.
const IN_CIRCLES: [(&str, usize); 5] = [
    ("cli", 2),
    ("flow", 2),
    ("probe", 3),
    ("skill", 4),
    // One more since a check asks the migrations which tables there should be.
    ("store", 4),
];

/// Rooms that drive others: their use cases need tests below the command line.
const DRIVERS: [&str; 1] = ["engine"];

/// How a public item begins, after `pub `.
const ITEMS: [&str; 10] = [
    "fn ",
    "const ",
    "static ",
    "struct ",
    "enum ",
    "trait ",
    "type ",
    "async fn ",
    "union ",
    "macro ",
];

/// How a line begins that declares a type.
const DECLARATIONS: [&str; 4] = ["struct ", "enum ", "trait ", "type "];

/// Measures every room.
pub(crate) fn run(environment: &Environment) -> Result<(), Failure> {
    let sources = size::sources(&environment.root.join("crates"))?;
    let mut rooms: BTreeMap<String, Vec<Source>> = BTreeMap::new();
    for (path, text) in &sources {
        if let Some((room, source)) = Source::of(path, text) {
            rooms.entry(room).or_default().push(source);
        }
    }
    let mut worse = 0;
    for (room, sources) in &rooms {
        let circles = circles(&uses(sources));
        let found: usize = circles.iter().map(Vec::len).sum();
        let allowed = IN_CIRCLES.iter().find(|(name, _)| name == room).map_or(0, |(_, most)| *most);
        for circle in &circles {
            say::result(format_args!(
                "{room}: a circle of {}: {}",
                circle.len(),
                circle.join(", ")
            ))?;
        }
        if found > allowed {
            say::result(format_args!("{room}: {found} modules in circles, {allowed} allowed"))?;
            worse += 1;
        }
    }
    for room in DRIVERS {
        let code: usize = rooms.get(room).into_iter().flatten().map(Source::code_lines).sum();
        let tests = count_tests(&environment.root.join("crates").join(room))?;
        let share = tests.saturating_mul(10_000) / code.max(1);
        let (whole, tenths) = (share / 10, share % 10);
        say::result(format_args!(
            "{room}: {tests} tests for {code} lines of code, {whole}.{tenths} for each thousand"
        ))?;
    }
    let all: Vec<&Source> = rooms.values().flatten().collect();
    let alternation: usize = all.iter().map(|source| source.alternations()).sum();
    say::result(format_args!("{alternation} lines that only list alternatives"))?;
    show_names(&all)?;
    let entries = schema::count_entries(&schema::migrations(&environment.root)?)?;
    let most = schema::MOST;
    say::result(format_args!("{entries} entries in the schema of the store, at most {most}"))?;
    let bare: Vec<String> = all.iter().flat_map(|source| source.undocumented()).collect();
    for item in &bare {
        say::result(format_args!("{item} has no line that says what it is"))?;
    }
    if worse > 0 {
        return Err(Failure::Tangled { rooms: worse });
    }
    if entries > most {
        return Err(Failure::SchemaTooLarge { entries, most });
    }
    if bare.is_empty() { Ok(()) } else { Err(Failure::Undocumented { items: bare.len() }) }
}

/// A source file of a room, without its tests.
pub(crate) struct Source {
    /// The module at the top of the room that it belongs to; `lib` and `main` are the room itself.
    module: String,
    /// Where it lies below `crates`.
    path: String,
    lines: Vec<String>,
}

impl Source {
    /// Reads a file below `crates`, with the room it belongs to.
    fn of(path: &Path, text: &str) -> Option<(String, Self)> {
        let mut parts = path.iter().filter_map(|part| part.to_str());
        let room = parts.next()?;
        if parts.next()? != "src" {
            return None;
        }
        let module = parts.next()?.trim_end_matches(".rs").to_owned();
        let lines = text.lines().take(size::lines_without_tests(text)).map(str::to_owned);
        let path = path.display().to_string();
        Some((room.to_owned(), Self { module, path, lines: lines.collect() }))
    }

    fn code_lines(&self) -> usize {
        let is_code = |line: &&String| !line.trim().is_empty() && !line.trim().starts_with("//");
        self.lines.iter().filter(is_code).count()
    }

    /// Counts lines such as `| Effect::TaskAdded { .. }`.
    fn alternations(&self) -> usize {
        let is_one = |line: &&String| {
            let rest = line.trim().strip_prefix("| ").unwrap_or_default();
            let name = rest.split([' ', '(', ',', '{']).next().unwrap_or_default();
            name.contains("::") && !rest.contains(" if ")
        };
        self.lines.iter().filter(is_one).count()
    }

    /// Returns the public items without a doc comment. A field or a variant needs one only where its
    /// name does not say it all, which is for its author to judge; a module has one inside.
    fn undocumented(&self) -> Vec<String> {
        let mut found = Vec::new();
        let (mut has_doc, mut in_attribute) = (false, false);
        for (number, line) in (1..).zip(&self.lines) {
            let line = line.trim();
            let item = line.strip_prefix("pub ").unwrap_or_default();
            if ITEMS.iter().any(|word| item.starts_with(word)) && !has_doc {
                found.push(format!("{}:{number}: `{line}`", self.path));
            }
            let is_doc = ["///", "#[doc", "$(#["].iter().any(|start| line.starts_with(start));
            // An attribute may stand between the two, on several lines.
            let is_attribute = in_attribute || line.starts_with("#[");
            in_attribute = is_attribute && !line.ends_with(']');
            has_doc = is_doc || (has_doc && is_attribute);
        }
        found
    }

    fn type_names(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| {
            let rest =
                line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub(super) "));
            let rest = rest.or_else(|| line.strip_prefix("pub ")).unwrap_or(line);
            let rest = DECLARATIONS.iter().find_map(|word| rest.strip_prefix(word))?;
            rest.split(|letter: char| !letter.is_alphanumeric()).next()
        })
    }
}

fn count_tests(room: &Path) -> Result<usize, Failure> {
    let mut found = 0;
    let mut pending = vec![room.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in crate::disk::entries(&directory)? {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = crate::disk::read(&path)?;
                found += text.lines().filter(|line| line.trim() == "#[test]").count();
            }
        }
    }
    Ok(found)
}

fn show_names(sources: &[&Source]) -> Result<(), Failure> {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for name in sources.iter().flat_map(|source| source.type_names()) {
        *names.entry(name).or_default() += 1;
    }
    let shared: BTreeSet<(usize, &str)> = names
        .into_iter()
        .filter(|(_, count)| *count > 1)
        .map(|(name, count)| (count, name))
        .collect();
    let worst: Vec<String> =
        shared.iter().rev().take(10).map(|(count, name)| format!("{name} {count}")).collect();
    let count = shared.len();
    say::result(format_args!("{count} type names used more than once: {}, …", worst.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::of(Path::new("engine/src/hook/log.rs"), text).unwrap().1
    }

    #[test]
    fn a_file_belongs_to_the_module_at_the_top_of_its_room() {
        let (room, source) = Source::of(Path::new("engine/src/hook/log.rs"), "").unwrap();
        assert_eq!((room.as_str(), source.module.as_str()), ("engine", "hook"));
        assert!(Source::of(Path::new("engine/tests/races.rs"), "").is_none());
    }

    #[test]
    fn a_public_item_without_a_line_about_it_is_named() {
        let text = "/// Says it.\n#[derive(Debug)]\npub struct One {\n    pub field: u8,\n}\n\n\
                    pub fn two() {}\n\n/// Says it.\n#[expect(\n    lint,\n    reason = \"x\"\n)]\n\
                    pub const fn three() {}\npub(crate) fn four() {}\npub use five;\n";
        assert_eq!(source(text).undocumented(), ["engine/src/hook/log.rs:7: `pub fn two() {}`"]);
    }

    #[test]
    fn lines_are_counted_for_what_they_are() {
        let text = "//! Doc.\n\npub struct One;\nenum Two {\n    A,\n}\nmatch x {\n    A::B { .. }\n    \
                    | A::C { .. }\n    | A::D => 1,\n    | B if x => 2,\n}\n#[cfg(test)]\nmod tests {\n}\n";
        let source = source(text);
        assert_eq!((source.code_lines(), source.alternations()), (10, 2));
        assert_eq!(source.type_names().collect::<Vec<_>>(), ["One", "Two"]);
    }
}
