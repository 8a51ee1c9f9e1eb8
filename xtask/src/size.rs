//! `size`: keeps source files short enough to be read in one sitting.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::environment::Environment;
use crate::failure::Failure;
use crate::{disk, say};

/// Around 300 lines are usual; a file past this has always held more than one subject.
const MOST_LINES: usize = 800;

/// As many of the largest files as it takes to see the next candidate for a split.
const LARGEST_SHOWN: usize = 5;

/// Directories whose files are tests: long tables there are data, not logic.
const TEST_DIRECTORIES: [&str; 3] = ["tests", "benches", "fuzz"];

/// The name a test module has when it lives in a file of its own.
const TEST_FILE: &str = "tests.rs";

/// Measures every source file of the workspace; lists those that are too long, else the largest.
pub(crate) fn run(environment: &Environment) -> Result<(), Failure> {
    let mut files = measure(&environment.root)?;
    files.sort_by(|one, other| other.lines.cmp(&one.lines).then_with(|| one.path.cmp(&other.path)));
    let too_long: Vec<_> = files.iter().filter(|file| file.lines > MOST_LINES).collect();
    if too_long.is_empty() {
        let rest = files.len().saturating_sub(LARGEST_SHOWN);
        files.iter().take(LARGEST_SHOWN).try_for_each(say::result)?;
        say::note(format_args!("size: {rest} more files are shorter, {MOST_LINES} lines allowed"));
        return Ok(());
    }
    too_long.iter().try_for_each(say::result)?;
    Err(Failure::TooLong { limit: MOST_LINES, found: too_long.len() })
}

/// A source file and how many of its lines are not tests.
#[derive(Debug, PartialEq, Eq)]
struct SourceFile {
    path: PathBuf,
    lines: usize,
}

impl fmt::Display for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>5}  {}", self.lines, self.path.display())
    }
}

fn measure(root: &Path) -> Result<Vec<SourceFile>, Failure> {
    let sources = sources(root)?.into_iter();
    Ok(sources.map(|(path, text)| SourceFile { path, lines: lines_without_tests(&text) }).collect())
}

/// Returns every source file below a directory that is not a test, relative to it, with its text.
pub(crate) fn sources(root: &Path) -> Result<Vec<(PathBuf, String)>, Failure> {
    let mut files = Vec::new();
    let mut pending = vec![root.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in disk::entries(&directory)? {
            let path = entry.path();
            // Links are neither followed nor measured: what they lead to is measured at home.
            let kind = entry.file_type().map_err(|source| Failure::File {
                action: "inspect",
                path: path.clone(),
                source,
            })?;
            if kind.is_dir() && holds_sources(&entry.file_name()) {
                pending.push(path);
            } else if kind.is_file() && is_source(&path) {
                let text = disk::read(&path)?;
                files.push((path.strip_prefix(root).unwrap_or(&path).to_owned(), text));
            }
        }
    }
    Ok(files)
}

fn holds_sources(directory: &OsStr) -> bool {
    directory != "target"
        && TEST_DIRECTORIES.iter().all(|name| directory != *name)
        && !directory.as_encoded_bytes().starts_with(b".")
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
        && path.file_name().is_some_and(|name| name != TEST_FILE)
}

/// Counts the lines before the first test module with a body at the top level.
///
/// Clippy (`items_after_test_module`) sees to it that nothing but tests comes after.
pub(crate) fn lines_without_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    lines
        .iter()
        .enumerate()
        .find(|(number, line)| {
            **line == "#[cfg(test)]" && opens_module(lines.iter().skip(number + 1))
        })
        .map_or(lines.len(), |(number, _)| number)
}

/// Tells whether the item that these lines begin with, below its attributes, is `mod name {`.
fn opens_module<'a>(mut lines: impl Iterator<Item = &'a &'a str>) -> bool {
    lines
        .find(|line| !line.starts_with("#["))
        .is_some_and(|item| item.starts_with("mod ") && item.ends_with('{'))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{SourceFile, disk, lines_without_tests, measure};

    #[test]
    fn lines_are_counted_up_to_the_test_module() {
        let table = [
            ("an empty file", "", 0),
            ("code only", "fn one() {}\n\nfn two() {}\n", 3),
            ("tests at the end", "fn one() {}\n\n#[cfg(test)]\nmod tests {\n}\n", 2),
            ("more attributes", "fn one() {}\n#[cfg(test)]\n#[rustfmt::skip]\nmod tests {\n}\n", 1),
            ("tests in a file of their own", "#[cfg(test)]\nmod tests;\nfn one() {}\n", 3),
            ("a function for tests", "#[cfg(test)]\nfn one() {}\nfn two() {}\n", 3),
            ("inside a module", "mod a {\n    #[cfg(test)]\n    mod tests {\n    }\n}\n", 5),
            ("cut off", "fn one() {}\n#[cfg(test)]\n", 2),
        ];
        for (what, text, lines) in table {
            assert_eq!(lines_without_tests(text), lines, "{what}");
        }
    }

    #[test]
    fn tests_and_build_output_are_not_measured() {
        let root = tempfile::tempdir().unwrap();
        for path in [
            "crates/one/src/lib.rs",
            "crates/one/src/tests.rs",
            "crates/one/tests/all.rs",
            "crates/one/benches/all.rs",
            "crates/one/README.md",
            "fuzz/all.rs",
            "target/debug/build.rs",
            ".git/hook.rs",
        ] {
            let path = root.path().join(path);
            disk::create_directory(path.parent().unwrap()).unwrap();
            disk::write(&path, "//! One.\nfn one() {}\n").unwrap();
        }
        let measured = measure(root.path()).unwrap();
        let path = Path::new("crates/one/src/lib.rs").to_owned();
        assert_eq!(measured, [SourceFile { path, lines: 2 }]);
    }
}
