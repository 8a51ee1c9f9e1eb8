//! The command line of a hook: writing it for a shell, and knowing it for ours.
//!
//! It is one string, because older clients know no list of arguments; so the path of the program is
//! quoted here, and nowhere else.

use std::borrow::Cow;

/// What our program is called, wherever it lies.
const PROGRAM: &str = "pacenote";

/// The word for its hooks.
const HOOK: &str = "hook";

/// What people add to a command without making it another one.
const ADDED: [&str; 8] =
    ["|| true", "|| :", "; true", "; exit 0", "2>/dev/null", "2> /dev/null", ">/dev/null", "2>&1"];

/// A call of one of our hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The program as it is named there.
    pub(crate) program: String,
    /// The words behind it, `hook` and the host first.
    pub(crate) words: Vec<String>,
}

impl Call {
    /// Reads a command line, or returns `None` if it is not ours. One that does something else besides
    /// is a person's own.
    pub(crate) fn in_shell(command: &str) -> Option<Self> {
        // Most commands are foreign, and some are long scripts.
        if !command.contains(PROGRAM) || does_more(command) {
            return None;
        }
        let mut words = words(command).into_iter();
        Self::of(words.next()?, words.collect())
    }

    /// Reads a program and its arguments, or returns `None` if they are not ours.
    pub(crate) fn of(program: String, words: Vec<String>) -> Option<Self> {
        let [hook, host, ..] = words.as_slice() else { return None };
        let ours = is_our_program(&program) && hook == HOOK && !host.is_empty();
        ours.then_some(Self { program, words })
    }

    /// Tells whether a host is meant, and nothing else: no part, no further words, and nothing that a
    /// shell would take for another command.
    pub(crate) fn is_plainly_for(&self, wanted: &str) -> bool {
        let [_, host, event] = self.words.as_slice() else { return false };
        host == wanted && event.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    }
}

/// Returns the program of a command line that is ours and has exactly these words behind it.
pub(super) fn our_words(command: &str, wanted: &[&str]) -> Option<String> {
    if does_more(command) {
        return None;
    }
    let mut words = words(command).into_iter();
    let program = words.next().filter(|program| is_our_program(program))?;
    words.eq(wanted.iter().copied()).then_some(program)
}

/// Tells whether a path is one under which we know our own hooks again.
pub(super) fn is_our_program(path: &str) -> bool {
    path.rsplit('/').next() == Some(PROGRAM)
}

/// Quotes a word for a POSIX shell. A word of harmless characters stays as it is.
pub fn quoted(word: &str) -> Cow<'_, str> {
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || b"_/.+-".contains(&byte);
    if !word.is_empty() && word.bytes().all(harmless) {
        return Cow::Borrowed(word);
    }
    // Between single quotes nothing means anything but the quote that ends them.
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

/// Tells whether a shell would do more for a command line than run one program.
fn does_more(command: &str) -> bool {
    let mut rest = command.trim();
    while let Some(less) = ADDED.iter().find_map(|added| rest.strip_suffix(added)) {
        rest = less.trim_end();
    }
    let mut quote = Quote::None;
    let mut characters = rest.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Quote::None, ';' | '&' | '|' | '<' | '>' | '(' | ')' | '\n')
            | (Quote::None | Quote::Double, '`') => return true,
            (Quote::None | Quote::Double, '$') if characters.peek() == Some(&'(') => return true,
            (Quote::None | Quote::Double, '\\') => drop(characters.next()),
            (Quote::None, '\'') => quote = Quote::Single,
            (Quote::None, '"') => quote = Quote::Double,
            (Quote::Single, '\'') | (Quote::Double, '"') => quote = Quote::None,
            (Quote::None | Quote::Single | Quote::Double, _) => {}
        }
    }
    false
}

/// Splits a command line where a shell would, and takes the quotes away.
///
/// Nothing is expanded, and operators are taken for words: it is enough to know our own lines.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = Quote::None;
    let mut characters = command.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Quote::None, ' ' | '\t' | '\n') => words.extend(word.take()),
            (Quote::None, '\'') => (quote, word) = (Quote::Single, Some(word.unwrap_or_default())),
            (Quote::None, '"') => (quote, word) = (Quote::Double, Some(word.unwrap_or_default())),
            (Quote::Single, '\'') | (Quote::Double, '"') => quote = Quote::None,
            (Quote::None, '\\') => {
                word.get_or_insert_default().extend(characters.next().filter(|next| *next != '\n'));
            }
            (Quote::Double, '\\') => {
                let escapes = |next: &char| ['$', '`', '"', '\\'].contains(next);
                word.get_or_insert_default().push(characters.next_if(escapes).unwrap_or('\\'));
            }
            (Quote::None | Quote::Single | Quote::Double, character) => {
                word.get_or_insert_default().push(character);
            }
        }
    }
    words.extend(word);
    words
}

/// What quotes we are in.
#[derive(Clone, Copy)]
enum Quote {
    None,
    Single,
    Double,
}

#[cfg(test)]
mod tests;
