//! The questions with which a text ends: what its author waits for.
//!
//! They are cut off the end and nowhere else, so that text and questions together are what was said.

use pacenote_model::limits;

/// What ends a question.
const QUESTION_MARKS: [char; 3] = ['?', '？', '؟'];

/// What ends a sentence when white space and no small letter follows.
const ENDS: [char; 5] = ['.', '!', '?', ':', '؟'];

/// What ends a sentence whatever follows.
const WIDE_ENDS: [char; 3] = ['。', '！', '？'];

/// What may stand behind the mark of a question, and before its first word.
const QUOTES: [char; 6] = ['*', '_', '"', '\'', ')', '”'];

/// What begins an item of a list.
const BULLETS: [char; 3] = ['-', '*', '+'];

/// Cuts the questions off the end of a text, in their order; at most [`limits::OPEN_QUESTIONS`].
pub fn split_questions(text: &str) -> (&str, Vec<&str>) {
    let mut rest = text.trim_end();
    let mut questions = Vec::new();
    while questions.len() < limits::OPEN_QUESTIONS && is_question(rest) {
        let (before, last) = rest.split_at(start_of_last_sentence(rest));
        questions.push(bare(last));
        rest = without_bullet(before);
    }
    questions.reverse();
    (rest, questions)
}

fn is_question(text: &str) -> bool {
    text.trim_end_matches(QUOTES).ends_with(QUESTION_MARKS)
}

/// What stands between two words.
enum Gap {
    None,
    Space,
    LineBreak,
}

/// Returns where the last sentence of a text begins.
fn start_of_last_sentence(text: &str) -> usize {
    // The mark at the end does not end the sentence before it.
    let inside = text.trim_end_matches(QUOTES).trim_end_matches(QUESTION_MARKS);
    let (mut start, mut before, mut gap) = (0, None, Gap::None);
    for (place, letter) in inside.char_indices() {
        if letter.is_whitespace() {
            let is_break = letter == '\n' || matches!(gap, Gap::LineBreak);
            gap = if is_break { Gap::LineBreak } else { Gap::Space };
            continue;
        }
        let ends = |marks: &[char]| before.is_some_and(|before| marks.contains(&before));
        // After a small letter at the beginning of a line, or behind `e.g.`, a sentence goes on.
        let begins = match gap {
            Gap::LineBreak => !letter.is_lowercase(),
            Gap::Space => ends(&ENDS) && !letter.is_lowercase(),
            Gap::None => ends(&WIDE_ENDS),
        };
        if begins {
            start = place;
        }
        let closes = matches!(gap, Gap::None) && QUOTES.contains(&letter) && ends(&ENDS);
        if !closes {
            before = Some(letter);
        }
        gap = Gap::None;
    }
    start
}

/// Takes away what makes a line an item of a list, and emphasis round the whole.
fn bare(question: &str) -> &str {
    let item = question.trim_start_matches(|c: char| BULLETS.contains(&c) || c.is_whitespace());
    item.trim_matches(['*', '_']).trim()
}

/// Takes away the mark of an item of a list whose text was cut off.
fn without_bullet(text: &str) -> &str {
    let text = text.trim_end();
    let (before, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let mark = last.trim().trim_end_matches(['.', ')']);
    let is_number = mark.len() < last.trim().len() && mark.chars().all(|c| c.is_ascii_digit());
    let is_bullet = mark.len() == 1 && mark.starts_with(BULLETS);
    if is_number || is_bullet { before.trim_end() } else { text }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn questions_are_cut_off_the_end() {
        for (text, words, questions) in [
            ("The form is there.", "The form is there.", &[][..]),
            ("Done. Which store?", "Done.", &["Which store?"]),
            ("Which store?", "", &["Which store?"]),
            (
                "Done: tests pass. Shall I use e.g. argon2? Or bcrypt?",
                "Done: tests pass.",
                &["Shall I use e.g. argon2?", "Or bcrypt?"],
            ),
            ("Is it slow? No, it is fast.", "Is it slow? No, it is fast.", &[]),
            (
                "Done.\n\n- Which store?\n- **Drop the table?**\n",
                "Done.",
                &["Which store?", "Drop the table?"],
            ),
            (
                "Two things:\n1. Which store?\n2. What name?",
                "Two things:",
                &["Which store?", "What name?"],
            ),
            ("Shall I drop the\ntable?", "", &["Shall I drop the\ntable?"]),
            ("**Done.** Which store?", "**Done.**", &["Which store?"]),
            // A line that begins with a small letter goes on with the one before it.
            ("Done.\nwhat now?", "", &["Done.\nwhat now?"]),
            ("`Vec<Task>` or `[Task]`?", "", &["`Vec<Task>` or `[Task]`?"]),
            ("```\nlet a = b?\n```", "```\nlet a = b?\n```", &[]),
            ("テストは通ります。続けますか？", "テストは通ります。", &["続けますか？"]),
            ("?", "", &["?"]),
            ("", "", &[]),
        ] {
            let (rest, found) = split_questions(text);
            assert_eq!((rest, found.as_slice()), (words, questions), "{text:?}");
        }
    }

    #[test]
    fn no_more_than_a_handful_is_cut_off() {
        let many = "Is it so? ".repeat(9);
        let (words, questions) = split_questions(&many);
        assert_eq!(questions.len(), limits::OPEN_QUESTIONS);
        assert_eq!(words.matches("Is it so?").count(), 4);
    }

    proptest! {
        #[test]
        fn every_text_is_cut_somewhere_or_nowhere(text in "[a-z?. \\n*-]{0,60}|\\PC{0,60}") {
            let (words, questions) = split_questions(&text);
            prop_assert!(text.trim_end().starts_with(words));
            prop_assert!(questions.len() <= limits::OPEN_QUESTIONS);
            prop_assert!(questions.iter().all(|question| text.contains(question)));
        }
    }
}
