//! The counting of a corpus, on a corpus of three.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a test stops when it cannot go on, and sets up files of its own"
)]

use std::fs;
use std::path::Path;

use pacenote_testkit::corpus::Corpus;

fn add(corpus: &Path, directory: &str, text: &str) {
    let directory = corpus.join(directory);
    fs::create_dir_all(&directory).expect("a directory");
    fs::write(directory.join("SKILL.md"), text).expect("a skill");
}

#[test]
fn skills_are_counted_by_class_and_finding() {
    let directory = tempfile::tempdir().expect("a directory");
    add(directory.path(), "ok-1", "---\nname: a\ndescription: b\n---\n");
    add(directory.path(), "deep/er/ok-2", "---\nname: a\ndescription: b\n---\n");
    add(directory.path(), "nofm-3", "# Nothing\n");
    let corpus = Corpus::read(directory.path());
    assert!(corpus.is_clean());
    let told = corpus.to_string();
    for line in [
        "nofm                           1           0         0         1",
        "ok                             2           2         0         0",
        "FrontmatterMissing             1",
        "3 skills read, 0 without a name",
    ] {
        assert!(told.lines().any(|found| found == line), "{line}\n{told}");
    }
}

#[test]
fn a_corpus_of_nothing_is_not_clean() {
    let directory = tempfile::tempdir().expect("a directory");
    assert!(!Corpus::read(directory.path()).is_clean());
}
