//! Which sections of a text matter for a task, by the words they share.

use std::collections::BTreeSet;

use super::Section;

/// What a word of the task counts in a section's own heading.
const IN_TITLE: u32 = 4;

/// What it counts in a heading above the section.
const IN_TITLE_ABOVE: u32 = 2;

/// What it counts in the text.
const IN_TEXT: u32 = 1;

/// Most words of a task that are looked for: a title and a good part of a note.
const TASK_WORDS: usize = 64;

/// Shortest word that says anything, in characters.
const WORD_CHARACTERS: usize = 3;

/// Words that stand in every text.
const SMALL_WORDS: [&str; 16] = [
    "all", "and", "are", "but", "can", "for", "from", "has", "into", "not", "that", "the", "this",
    "use", "with", "you",
];

/// How the heading of a section begins that tells when to open the text: once it is open, that is
/// settled.
const SETTLED: [&str; 3] = ["when to use", "when not to use", "when should"];

/// Scores sections against the words of a task; higher matters more.
pub(super) fn scores<'s>(sections: impl IntoIterator<Item = &'s Section>, task: &str) -> Vec<u32> {
    let task = task.to_lowercase();
    let wanted: BTreeSet<&str> = words(&task).take(TASK_WORDS).collect();
    // The words of the headings above, by level.
    let mut above: [BTreeSet<&str>; 7] = Default::default();
    let mut settled_at: Option<u8> = None;
    let mut scores = Vec::new();
    for section in sections {
        let title = section.title.to_lowercase();
        let level = usize::from(section.level);
        settled_at = match settled_at {
            Some(opened) if section.level > opened => settled_at,
            Some(_) | None => SETTLED
                .iter()
                .any(|beginning| title.starts_with(beginning))
                .then_some(section.level),
        };
        for words in above.iter_mut().skip(level) {
            words.clear();
        }
        let in_above = shared_above(&above, level);
        let in_title = shared(&wanted, &title);
        let in_text = shared(&wanted, &section.text.to_lowercase());
        let score = count(&in_title) * IN_TITLE
            + count(&in_above) * IN_TITLE_ABOVE
            + count(&in_text) * IN_TEXT;
        // What is settled comes last; everything else counts for something.
        scores.push(if settled_at.is_some() { 0 } else { score + 1 });
        if let Some(words) = above.get_mut(level) {
            *words = in_title;
        }
    }
    scores
}

fn shared_above<'w>(above: &[BTreeSet<&'w str>; 7], level: usize) -> BTreeSet<&'w str> {
    above.iter().take(level).flatten().copied().collect()
}

/// Returns the wanted words that stand in a text.
fn shared<'w>(wanted: &BTreeSet<&'w str>, text: &str) -> BTreeSet<&'w str> {
    words(text).filter_map(|word| wanted.get(word).copied()).collect()
}

fn count(words: &BTreeSet<&str>) -> u32 {
    u32::try_from(words.len()).unwrap_or(u32::MAX)
}

/// Returns the words of a text in small letters, without the `s` of a plural.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| word.chars().nth(WORD_CHARACTERS - 1).is_some())
        .filter(|word| !SMALL_WORDS.contains(word))
        .map(|word| word.strip_suffix('s').unwrap_or(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_count_more_than_text_and_when_to_use_comes_last() {
        let sections: Vec<Section> = [
            (0, "", "Write specifications."),
            (1, "Reviewing", "# Reviewing"),
            (2, "When to use", "## When to use\nWhen a spec needs a review."),
            (3, "Examples of reviews", "### Examples of reviews\nA spec."),
            (2, "The spec", "## The spec\nRead it."),
            (2, "Style", "## Style\nTabs for the spec."),
            (2, "Colours", "## Colours\nNone."),
        ]
        .into_iter()
        .map(|(level, title, text)| Section { title: title.into(), level, text: text.into() })
        .collect();
        // Shared words are `spec` and `review`; `reviewing` is another word.
        assert_eq!(scores(&sections, "Spec review"), [1, 1, 0, 0, 6, 2, 1]);
        assert_eq!(scores(&sections, ""), [1, 1, 0, 0, 1, 1, 1]);
    }
}
