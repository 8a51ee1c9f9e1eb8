//! `order`: finds out which functions hooks run, and writes them down for the linker.
//!
//! A program is brought in piece by piece, as it is used, and what a hook uses of ours lies scattered
//! among much that it does not. Side by side, fewer pieces are brought in. The list is as good as it
//! is young, but never wrong: what a linker does not find, it passes over, and what is not listed
//! lies where it always did.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::bench::{Shelf, Way, Workplace, functions_run};
use crate::cargo::{PACENOTE, build_with};
use crate::environment::Environment;
use crate::failure::Failure;
use crate::{disk, say, standalone};

/// How many skills a busy user has.
const SKILLS: u32 = 200;

/// Each hook is looked at in one session.
const ROUNDS: u32 = 1;

/// What the section of a function is called before the function's name. Compilers give those that
/// they think are seldom used, or only once, a word of their own.
const PREFIXES: [&str; 5] =
    [".text.unlikely.", ".text.startup.", ".text.exit.", ".text.hot.", ".text."];

/// What the mangled name of a function ends in: this, so many hexadecimal digits, and [`HASH_END`].
const HASH_START: &str = "17h";
const HASH_DIGITS: usize = 16;
const HASH_END: &str = "E";

/// What the list says of itself.
const HEAD: &str = "\
/* The functions that hooks run, side by side, so that few pages of the program are brought in for
   them. `cargo xtask order` writes this; what is not found is passed over. */
";

/// Builds the product with its names, watches its hooks, and writes the list.
pub(crate) fn run(environment: &Environment) -> Result<(), Failure> {
    let directory = disk::temporary_directory(&environment.temporary, "pacenote-order-")?;
    // At the same place every time: cargo keeps what it built for each set of flags.
    let map = environment.root.join("target/hook.map");
    let flags = standalone::flags_with_map(environment, &map)?;
    let pacenote = build_with(environment, PACENOTE, &flags)?;
    say::note("watching hooks under callgrind");
    let mut workplace = Workplace::prepare(
        environment,
        &pacenote,
        &directory.path().join("place"),
        (Shelf::OfTheHost, SKILLS),
        ROUNDS,
    )?;
    let hooks = [
        workplace.start("session start", Way::Direct)?,
        workplace.prompt("prompt", Way::Direct)?,
        workplace.before_tool("before a tool", Way::Direct)?,
        workplace.elsewhere("elsewhere", Way::Direct)?,
    ];
    let mut functions = BTreeSet::new();
    for hook in hooks {
        functions.extend(functions_run(hook.in_round(0), &directory.path().join("profile"))?);
    }
    let map = disk::read(&map)?;
    let sections = Sections::of(&map);
    let listed = sections.listed(&functions);
    say::note(format_args!("{} functions are listed", listed.len()));
    disk::write(&list(&environment.root), &script(&listed))
}

/// Returns where the list is.
pub(crate) fn list(root: &Path) -> PathBuf {
    root.join("crates/cli/hook.ld")
}

/// The sections of a program that hold one function each.
struct Sections<'a> {
    /// By the name of the function.
    by_function: BTreeMap<&'a str, &'a str>,
    /// How many there are of each pattern.
    alike: BTreeMap<String, usize>,
}

impl<'a> Sections<'a> {
    /// Finds them in a linker's map, whichever linker wrote it: each is a word of its own.
    fn of(map: &'a str) -> Self {
        let words = map.split(|byte: char| byte.is_whitespace() || "()".contains(byte));
        let named = words.filter_map(|word| {
            let name = PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix))?;
            (!name.is_empty()).then_some((name, word))
        });
        let by_function: BTreeMap<&str, &str> = named.collect();
        let mut alike = BTreeMap::new();
        for section in by_function.values() {
            *alike.entry(pattern(section)).or_default() += 1;
        }
        Self { by_function, alike }
    }

    /// Returns what leads a linker to the sections of these functions, in the order of their names.
    fn listed(&self, functions: &BTreeSet<String>) -> Vec<String> {
        let found = functions.iter().filter_map(|name| self.by_function.get(name.as_str()));
        found
            .map(|section| {
                let pattern = pattern(section);
                // One of many with the same words in their names is meant by its hash or not at all.
                let is_clear = self.alike.get(&pattern) == Some(&1);
                if is_clear { pattern } else { (*section).to_owned() }
            })
            .collect()
    }
}

/// Returns what matches a section in programs of other compilers too: its name without the hash.
fn pattern(section: &str) -> String {
    let stem = section.strip_suffix(HASH_END).and_then(|rest| {
        let (stem, hash) = rest.split_at_checked(rest.len().checked_sub(HASH_DIGITS)?)?;
        let is_hash = hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_hash && stem.ends_with(HASH_START)).then_some(stem)
    });
    stem.map_or_else(|| section.to_owned(), |stem| format!("{stem}*{HASH_END}"))
}

/// Writes what linkers read: these sections first, the others as ever.
fn script(listed: &[String]) -> String {
    let sections = listed.iter().map(|section| format!("    *({section})"));
    let before = [HEAD.trim_end(), "SECTIONS", "{", "  .text.hook :", "  {"].map(str::to_owned);
    let after = ["  }", "}", "INSERT BEFORE .text;", ""].map(str::to_owned);
    let lines: Vec<String> = before.into_iter().chain(sections).chain(after).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{BTreeSet, Sections, pattern, script};

    const CLEAR: &str = ".text._ZN8pacenote4main17h90c8852296fcca70E";

    fn listed(map: &str, functions: &[&str]) -> Vec<String> {
        let functions: BTreeSet<String> = functions.iter().map(|name| (*name).to_owned()).collect();
        Sections::of(map).listed(&functions)
    }

    #[test]
    fn a_hash_is_left_open() {
        let table = [
            (CLEAR, ".text._ZN8pacenote4main17h*E"),
            (".text.sqlite3Parser", ".text.sqlite3Parser"),
            (
                ".text._RNvNtCsjrHSEGnQ3l9_3std3env7args_os",
                ".text._RNvNtCsjrHSEGnQ3l9_3std3env7args_os",
            ),
            (".text._ZN8pacenote4main17hE", ".text._ZN8pacenote4main17hE"),
            (
                ".text._ZN8pacenote4main17h90c8852296fccaZ0E",
                ".text._ZN8pacenote4main17h90c8852296fccaZ0E",
            ),
            ("E", "E"),
        ];
        for (section, expected) in table {
            assert_eq!(pattern(section), expected);
        }
    }

    #[test]
    fn sections_are_found_in_the_map_of_any_linker() {
        let lld = "  468340   468340   52  16   a.o:(.text._ZN8pacenote4main17h90c8852296fcca70E)\n\
                   468392   468392   20  16   b.o:(.text.unlikely.sqlite3Oom)\n";
        let bfd = " .text._ZN8pacenote4main17h90c8852296fcca70E\n  0x0000000000468340  0x52 a.o\n \
                   .text.unlikely.sqlite3Oom\n  0x0000000000468392 0x20 b.o\n *fill* 0x468392 0xe\n";
        let functions = ["_ZN8pacenote4main17h90c8852296fcca70E", "malloc", "sqlite3Oom"];
        for map in [lld, bfd] {
            assert_eq!(
                listed(map, &functions),
                [".text._ZN8pacenote4main17h*E", ".text.unlikely.sqlite3Oom"]
            );
        }
    }

    #[test]
    fn one_of_many_alike_is_meant_by_its_hash() {
        let map = "a.o:(.text._ZN4core4sort17h1111111111111111E)\n\
                   a.o:(.text._ZN4core4sort17h2222222222222222E)\n";
        assert_eq!(
            listed(map, &["_ZN4core4sort17h2222222222222222E"]),
            [".text._ZN4core4sort17h2222222222222222E"]
        );
    }

    #[test]
    fn the_list_is_as_it_was_written() {
        let list = include_str!("../../crates/cli/hook.ld");
        let section = |line: &str| Some(line.strip_prefix("    *(")?.strip_suffix(')')?.to_owned());
        let listed: Vec<String> = list.lines().filter_map(section).collect();
        assert!(listed.iter().any(|section| section.contains("pacenote_engine4hook")));
        assert_eq!(script(&listed), list);
    }

    #[test]
    fn the_listed_come_before_all_others() {
        let text = script(&[".text.one".to_owned(), ".text.two".to_owned()]);
        let (_, rules) = text.split_once("*/\n").unwrap();
        assert_eq!(
            rules,
            "SECTIONS\n{\n  .text.hook :\n  {\n    *(.text.one)\n    *(.text.two)\n  }\n}\nINSERT BEFORE .text;\n"
        );
    }
}
