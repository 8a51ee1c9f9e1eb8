//! How grave what a category finds is, in the four words of review skills.
//!
//! Other scales (high, medium, low) are not translated: the same words grade effort, risk and
//! priority, and a guess would raise or lower what a reviewer reports.

use serde::Serialize;

use super::text::words;

/// How grave a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Severity {
    /// It could be better.
    Suggestion,
    /// It is a nuisance.
    Minor,
    /// It should be fixed.
    Major,
    /// It must be fixed.
    Critical,
}

impl Severity {
    fn of(word: &str) -> Option<Self> {
        match word {
            "critical" => Some(Self::Critical),
            "major" => Some(Self::Major),
            "minor" => Some(Self::Minor),
            "suggestion" | "suggestions" => Some(Self::Suggestion),
            _ => None,
        }
    }
}

/// One severity, or a range with both its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Severities {
    pub(super) lowest: Severity,
    pub(super) highest: Severity,
}

impl Severities {
    /// Returns the range that reaches over all of them.
    pub(super) fn over(severities: impl IntoIterator<Item = Severity>) -> Option<Self> {
        severities.into_iter().fold(None, |range: Option<Self>, severity| {
            let Self { lowest, highest } =
                range.unwrap_or(Self { lowest: severity, highest: severity });
            Some(Self { lowest: lowest.min(severity), highest: highest.max(severity) })
        })
    }

    fn both(self) -> [Severity; 2] {
        [self.lowest, self.highest]
    }
}

/// Words that may stand beside the severities of a label: "Major to Critical", "usually Minor".
const BESIDE: [&str; 12] = [
    "to",
    "or",
    "and",
    "through",
    "up",
    "severity",
    "level",
    "usually",
    "typically",
    "mostly",
    "often",
    "default",
];

/// Words before a severity that make a sentence about severity: "these are usually Major".
const BEFORE: [&str; 22] = [
    "is",
    "are",
    "as",
    "be",
    "usually",
    "typically",
    "generally",
    "always",
    "mostly",
    "often",
    "normally",
    "severity",
    "rate",
    "rated",
    "classify",
    "treat",
    "report",
    "flag",
    "mark",
    "default",
    "to",
    "or",
];

/// Words after a severity that make one: "Critical when input is untrusted".
const AFTER: [&str; 8] = ["if", "when", "unless", "otherwise", "severity", "by", "to", "or"];

/// Longest expression, in words: "usually Minor, up to Major or Critical" has eight.
const EXPRESSION_WORDS: usize = 8;

/// Reads a text that says a severity or a range and nothing else.
pub(super) fn expression(text: &str) -> Option<Severities> {
    // A label is short; this bounds what is read of a long line again and again.
    if text.len() > 100 {
        return None;
    }
    let words = words(text);
    let mut severities = Vec::new();
    for (index, word) in words.split_whitespace().enumerate() {
        match Severity::of(word) {
            Some(severity) => severities.push(severity),
            None if index < EXPRESSION_WORDS && BESIDE.contains(&word) => {}
            None => return None,
        }
    }
    Severities::over(severities)
}

/// Reads a severity out of sentences, where the word is capitalised and the sentence is about it.
///
/// "These are usually Major" says one; "a major release" and "Major versions behind" do not.
pub(super) fn mentioned(text: &str) -> Option<Severities> {
    let tokens: Vec<_> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let tokens: Vec<_> = tokens.into_iter().filter(|token| !token.is_empty()).collect();
    let about = |index: Option<usize>, list: &[&str]| {
        let token = index.and_then(|index| tokens.get(index));
        token.is_some_and(|token| list.contains(&token.to_lowercase().as_str()))
    };
    let said = tokens.iter().enumerate().filter_map(|(index, token)| {
        let severity = Severity::of(&token.to_lowercase())?;
        let capital = token.starts_with(char::is_uppercase);
        let sentence = about(index.checked_sub(1), &BEFORE) || about(Some(index + 1), &AFTER);
        (capital && sentence).then_some(severity)
    });
    Severities::over(said)
}

/// A name with the severity that stands beside it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Label<'t> {
    pub(super) name: &'t str,
    pub(super) severities: Severities,
    /// What comes after the label.
    pub(super) rest: &'t str,
}

/// Reads `Name (Major)`, `Name — Major`, `Name: Major`, `Major: Name` and `[Major] Name`.
pub(super) fn label(text: &str) -> Option<Label<'_>> {
    let text = text.trim().trim_end_matches([':', '.']).trim_end();
    at_the_end(text).or_else(|| at_the_beginning(text))
}

/// Reads a label with the severity in brackets that begins a longer text: `Name (Major): checks`.
pub(super) fn leading_label(text: &str) -> Option<Label<'_>> {
    let (name, after) = text.split_once('(')?;
    let (inside, rest) = after.split_once(')')?;
    let severities = expression(inside)?;
    Some(Label { name: name.trim(), severities, rest: unmarked(rest) })
}

/// Reads the severity that stands behind a bold name: ` (Major): checks`, ` — Major: checks`.
pub(super) fn behind_name(rest: &str) -> Option<(Severities, &str)> {
    let rest = unmarked(rest);
    if let Some(after) = rest.strip_prefix(['(', '[']) {
        let (inside, rest) = after.split_once([')', ']'])?;
        return Some((expression(inside)?, unmarked(rest)));
    }
    let end = rest.find([':', '.', ',', ';', '—', '–']).unwrap_or(rest.len());
    let severities = expression(rest.get(..end)?)?;
    Some((severities, unmarked(rest.get(end..)?)))
}

/// Joins two ranges.
pub(super) fn joined(one: Option<Severities>, other: Option<Severities>) -> Option<Severities> {
    Severities::over([one, other].into_iter().flatten().flat_map(Severities::both))
}

/// Removes the marks between a name and what is said of it.
pub(super) fn unmarked(rest: &str) -> &str {
    rest.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, ':' | '-' | '–' | '—' | '.' | ',')
    })
}

fn at_the_end(text: &str) -> Option<Label<'_>> {
    let bracketed = [(')', '('), (']', '[')].into_iter().find_map(|(close, open)| {
        let (name, inside) = text.strip_suffix(close)?.rsplit_once(open)?;
        Some((name, expression(inside)?))
    });
    let marked = || {
        [" — ", " – ", " - ", ": "].into_iter().find_map(|mark| {
            let (name, said) = text.rsplit_once(mark)?;
            Some((name, expression(said)?))
        })
    };
    let (name, severities) = bracketed.or_else(marked)?;
    Some(Label { name: name.trim(), severities, rest: "" })
}

fn at_the_beginning(text: &str) -> Option<Label<'_>> {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '[' | '('));
    let bracketed = [('[', ']'), ('(', ')')].into_iter().find_map(|(open, close)| {
        let (inside, name) = text.strip_prefix(open)?.split_once(close)?;
        Some((expression(inside)?, name))
    });
    let marked = || {
        [":", " — ", " – ", " - "].into_iter().find_map(|mark| {
            let (said, name) = text.split_once(mark)?;
            Some((expression(said)?, name))
        })
    };
    let (severities, name) = bracketed.or_else(marked)?;
    Some(Label { name: unmarked(name), severities, rest: "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(severities: Option<Severities>) -> String {
        severities.map_or_else(
            || "-".to_owned(),
            |Severities { lowest, highest }| format!("{lowest:?}..{highest:?}"),
        )
    }

    #[test]
    fn labels_are_read_in_every_form() {
        for (text, name, severities) in [
            ("Injection (Critical)", "Injection", "Critical..Critical"),
            ("Injection (Critical):", "Injection", "Critical..Critical"),
            ("Crypto (Major to Critical):", "Crypto", "Major..Critical"),
            ("Debt (Critical/Major)", "Debt", "Major..Critical"),
            ("Naming (minor - MAJOR)", "Naming", "Minor..Major"),
            ("Style (Minor or Suggestion)", "Style", "Suggestion..Minor"),
            ("Style (usually Suggestions)", "Style", "Suggestion..Suggestion"),
            ("Races (in tests) — Major", "Races (in tests)", "Major..Major"),
            ("Leaks: Minor", "Leaks", "Minor..Minor"),
            ("Leaks [Severity: Minor]", "Leaks", "Minor..Minor"),
            ("Critical: Injection", "Injection", "Critical..Critical"),
            ("🔴 [Critical/Major] Injection", "Injection", "Major..Critical"),
        ] {
            let label = label(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(label.name, name, "{text}");
            assert_eq!(told(Some(label.severities)), severities, "{text}");
        }
        for text in [
            "Injection",
            "Injection (critical paths)",
            "Injection (High)",
            "Critical Rules",
            "Critical thinking: how",
            "Major version — 2",
            "Issues (Must Fix)",
            "()",
            "",
        ] {
            assert_eq!(label(text), None, "{text}");
        }
    }

    #[test]
    fn a_sentence_is_about_severity_or_is_not() {
        for (text, severities) in [
            ("These are usually Major.", "Major..Major"),
            ("Severity: Critical", "Critical..Critical"),
            ("Report as Minor, or Major when it is public.", "Minor..Major"),
            ("Critical if input is untrusted; otherwise it is Minor.", "Minor..Critical"),
            ("A major release is critical to us.", "-"),
            ("Major versions behind", "-"),
            ("Critical Path Method", "-"),
        ] {
            assert_eq!(told(mentioned(text)), severities, "{text}");
        }
    }

    #[test]
    fn what_stands_behind_a_bold_name_is_read() {
        for (rest, severities, left) in [
            (" (Minor): a, b", "Minor..Minor", "a, b"),
            (" — Major: a", "Major..Major", "a"),
            (": Critical", "Critical..Critical", ""),
        ] {
            let (found, after) = behind_name(rest).unwrap_or_else(|| panic!("{rest}"));
            assert_eq!((told(Some(found)).as_str(), after), (severities, left), "{rest}");
        }
        assert_eq!(behind_name(": Major versions behind"), None);
        assert_eq!(behind_name(""), None);
    }
}
