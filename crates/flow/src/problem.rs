//! What is wrong with a file, said so that it can be put right: where, what, and what
//! would be allowed. Text from files is shown without control characters, and cut.

use std::fmt;

use serde::Serialize;

/// Most characters of a wrong word that are repeated in a message.
const SHOWN: usize = 60;

/// Farthest a known word may be from what was written to be proposed; past this it is a guess.
const FARTHEST: usize = 3;

/// Something in a file that has to be put right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file, as the caller calls it.
    pub file: String,
    /// The line, counted from one.
    pub line: usize,
    /// The step it concerns, in a file of steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub hint: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: ", self.file, self.line)?;
        if let Some(step) = &self.step {
            write!(formatter, "step `{step}`: ")?;
        }
        formatter.write_str(&self.message)
    }
}

/// Returns a hint for a word that is not known: the one that was probably meant, or all.
pub(crate) fn hint(wrong: &str, known: &[&str]) -> Option<String> {
    nearest(wrong, known.iter().copied())
        .map(|word| format!("did you mean `{word}`?"))
        .or_else(|| (!known.is_empty()).then(|| format!("known are {}", listed(known))))
}

/// Returns the known word that was probably meant.
pub(crate) fn nearest<'w>(
    wrong: &str,
    known: impl IntoIterator<Item = &'w str>,
) -> Option<&'w str> {
    // What is far longer than any word is near to none, and comparing it would take its time.
    let length = wrong.chars().take(SHOWN + 1).count();
    if length > SHOWN {
        return None;
    }
    let folded = wrong.to_lowercase().replace('-', "_");
    let farthest = (length / 3).clamp(1, FARTHEST);
    known
        .into_iter()
        .map(|word| (strsim::osa_distance(&folded, &word.replace('-', "_")), word))
        .filter(|(distance, _)| *distance <= farthest)
        .min()
        .map(|(_, word)| word)
}

/// Returns words in backticks, with commas between them.
pub(crate) fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Returns a foreign text as it may stand in a message: printable, and cut.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars().take(SHOWN) {
        match character {
            '\'' | '"' => shown.push(character),
            // Backticks would end the quotation early.
            '`' => shown.push('\''),
            other => shown.extend(other.escape_debug()),
        }
    }
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        let known = ["inject_context", "inject_message", "run"];
        for (wrong, expected) in [
            ("inject_contex", Some("did you mean `inject_context`?")),
            ("Inject-Message", Some("did you mean `inject_message`?")),
            ("rn", Some("did you mean `run`?")),
            ("explode", Some("known are `inject_context`, `inject_message`, `run`")),
        ] {
            assert_eq!(hint(wrong, &known).as_deref(), expected, "{wrong}");
        }
        assert_eq!(nearest(&"x".repeat(10_000), known), None);
    }

    #[test]
    fn foreign_text_is_cut_and_cannot_move_the_cursor() {
        assert_eq!(shown("a\u{1b}[2Jb`c\u{202e}"), "a\\u{1b}[2Jb'c\\u{202e}");
        assert_eq!(shown(&"x".repeat(61)), format!("{}…", "x".repeat(60)));
    }
}
