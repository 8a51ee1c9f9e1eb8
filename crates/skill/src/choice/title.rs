//! What the title of a task says of the kind of work, where no rule is about it.

use super::phrase::{unlabelled, words};

/// Verbs with which the title of a task that changes behaviour begins.
const IMPLEMENTING: [&str; 8] =
    ["implement", "add", "build", "create", "fix", "code", "develop", "refactor"];

/// Words in a title that mean a text and not a program.
const WRITING: [&str; 12] = [
    "readme",
    "docs",
    "documentation",
    "typo",
    "typos",
    "comment",
    "comments",
    "changelog",
    "wording",
    "manual",
    "guide",
    "docstring",
];

/// Verbs with which the title of a task begins that finds something out, decides or explains.
const OTHER: [&str; 20] = [
    "research",
    "investigate",
    "explore",
    "find",
    "compare",
    "evaluate",
    "analyse",
    "analyze",
    "assess",
    "decide",
    "discuss",
    "document",
    "describe",
    "explain",
    "read",
    "ask",
    "understand",
    "measure",
    "survey",
    "spike",
];

/// Reports whether a title clearly means work that changes no behaviour.
pub fn is_other_work(title: &str) -> bool {
    let title = words(title);
    let title = unlabelled(&title);
    let begins = title.first().is_some_and(|first| OTHER.contains(&first.as_str()));
    begins || title.iter().any(|word| WRITING.contains(&word.as_str()))
}

/// Reports whether a title clearly means that behaviour is changed.
pub fn is_implementation(title: &str) -> bool {
    let title = words(title);
    let title = unlabelled(&title);
    let is_writing = title.iter().any(|word| WRITING.contains(&word.as_str()));
    let begins = title.first().is_some_and(|first| IMPLEMENTING.contains(&first.as_str()));
    !is_writing && (begins || title.iter().any(|word| word == "implementation"))
}

/// Reports whether a title says that tests are written or run.
pub fn is_about_tests(title: &str) -> bool {
    words(title).iter().any(|word| word == "test" || word == "tests")
}
