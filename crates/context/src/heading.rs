//! The grammar of `Task 2: name` and `Step 1: name`.

/// What a plan counts at the top.
pub(crate) const TASK: &str = "Task";

/// What a task counts.
pub(crate) const STEP: &str = "Step";

/// Longest number that is taken for one, in bytes: `12.3.4a` has room, a paragraph of digits not.
const NUMBER_BYTES: usize = 16;

/// A text that begins with a counted word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbered<'a> {
    /// The number, such as `2`, `2.1` or `2a`.
    pub(crate) number: &'a str,
    /// What follows the separator; empty when nothing does.
    pub(crate) name: &'a str,
}

/// Reads `<word> N`, `<word> N: name`, `<word> N. name` or `<word> N - name`, with any dash.
pub(crate) fn numbered<'a>(word: &str, text: &'a str) -> Option<Numbered<'a>> {
    let after_word = text.trim().strip_prefix(word)?;
    let (number, rest) = split_number(after_word.trim_start())?;
    if number.len() > NUMBER_BYTES || !after_word.starts_with(char::is_whitespace) {
        return None;
    }
    let rest = rest.trim_start();
    let name = rest.strip_prefix(':').or_else(|| after_dash(rest))?;
    Some(Numbered { number, name: name.trim() })
}

/// Tells whether a heading was probably meant to be a task: `Task: foo`, `task 1: x`, `Task 1 x`.
pub(crate) fn nearly_a_task(text: &str) -> bool {
    let mut words = text.trim().splitn(2, |c: char| !c.is_alphanumeric());
    let is_task = words.next().is_some_and(|first| first.eq_ignore_ascii_case("task"));
    is_task && text.contains(|c: char| c == ':' || c.is_ascii_digit())
}

/// Returns the words of a title without the number that changes when something is put before it.
pub(crate) fn name_of<'a>(word: &str, title: &'a str) -> &'a str {
    match numbered(word, title) {
        Some(Numbered { name, .. }) if !name.is_empty() => name,
        Some(_) | None => title,
    }
}

/// Returns what follows a full stop or a dash and a space: `Task 2-3` is something else.
fn after_dash(rest: &str) -> Option<&str> {
    let name = rest.trim_start_matches(['.', '-', '–', '—']);
    let separated =
        name.len() < rest.len() && (name.is_empty() || name.starts_with(char::is_whitespace));
    (rest.is_empty() || separated).then_some(name)
}

/// Splits `2`, `2.1` or `2a` off the front.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let mut end = digits(text);
    if end == 0 {
        return None;
    }
    while let Some(part) = text.get(end..).and_then(|rest| rest.strip_prefix('.')) {
        match digits(part) {
            0 => break,
            more => end += ".".len() + more,
        }
    }
    let mut rest = text.get(end..)?.chars();
    let letter = rest.next().is_some_and(|c| c.is_ascii_alphabetic());
    if letter && !rest.next().is_some_and(char::is_alphanumeric) {
        end += 1;
    }
    text.split_at_checked(end)
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_told_from_what_only_looks_like_one() {
        for (text, number, name) in [
            ("Task 1: Add user model", "1", "Add user model"),
            ("Task 2 - Add login", "2", "Add login"),
            ("Task 3 – Add login", "3", "Add login"),
            ("Task 3 — Add login", "3", "Add login"),
            ("Task 4. Add login", "4", "Add login"),
            ("Task 2.1: Add login", "2.1", "Add login"),
            ("Task 2.1. Add login", "2.1", "Add login"),
            ("Task 2a: Add login", "2a", "Add login"),
            ("Task  5 :Add login", "5", "Add login"),
            ("Task 6", "6", ""),
            ("Task 6:", "6", ""),
            ("Task 7: Task 8: both", "7", "Task 8: both"),
        ] {
            assert_eq!(numbered("Task", text), Some(Numbered { number, name }), "{text}");
        }
        for text in [
            "Tasks",
            "Task",
            "Task: foo",
            "task 1: foo",
            "Task1: foo",
            "Task one: foo",
            "Task 1 foo",
            "Task 2-3: foo",
            "Task 1,2: foo",
            "Subtask 1: foo",
            "Task 2abc: foo",
            "Task 12345678901234567: foo",
            "",
        ] {
            assert_eq!(numbered("Task", text), None, "{text}");
        }
    }

    #[test]
    fn a_near_miss_is_noticed_and_prose_is_not() {
        for text in ["Task: foo", "task 1: foo", "TASK 2 - x", "Task 1 foo", "Task one: foo"] {
            assert!(nearly_a_task(text), "{text}");
        }
        for text in ["Tasks", "Task list", "Tasks: 3", "Testing 1: foo", "Multitask: x", ""] {
            assert!(!nearly_a_task(text), "{text}");
        }
    }

    #[test]
    fn the_name_survives_renumbering() {
        assert_eq!(name_of("Task", "Task 1: Add login"), name_of("Task", "Task 12 - Add login"));
        assert_eq!(name_of("Step", "Step 2: Run it"), "Run it");
        assert_eq!(name_of("Task", "Task 2"), "Task 2");
        assert_eq!(name_of("Step", "Run it"), "Run it");
    }
}
