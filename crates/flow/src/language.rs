//! What conditions and templates may say, and how much that may cost.
//!
//! Fuel counts steps, not bytes: a template that joins a text to itself thirty times takes thirty
//! steps and all memory. So nothing that makes a larger value out of smaller ones is part of the
//! language: no joining, no repeating, no assignment, no filter that lengthens. A text grows only
//! by being written, and what is written is capped.

use std::io::{self, Write};

use minijinja::{AutoEscape, Environment, Error, ErrorKind, Template, UndefinedBehavior, Value};

use crate::{
    problem::{listed, shown},
    workflow::{Confidence, shell},
};

/// Steps after which an evaluation is stopped. The longest sensible template takes a thousand.
pub(crate) const FUEL: u64 = 10_000;

/// Deepest nesting of blocks and brackets.
const RECURSION: usize = 40;

/// Longest text that can be quoted, which is more than a parameter has: quoting makes a text longer, and
/// what was quoted can be quoted again.
pub(crate) const QUOTABLE_BYTES: usize = 16 * 1024;

/// Words that cannot name a variable, because they mean something of their own.
pub(crate) const RESERVED: [&str; 18] = [
    "true",
    "True",
    "false",
    "False",
    "none",
    "None",
    "and",
    "or",
    "not",
    "in",
    "is",
    "if",
    "else",
    "loop",
    "self",
    "super",
    "range",
    "variables",
];

/// The statements a template may have.
const STATEMENTS: [&str; 6] = ["if", "elif", "else", "endif", "for", "endfor"];

/// The filters, tests and functions there are.
const FILTERS: [&str; 6] = ["lower", "upper", "trim", "quoted", "length", "default"];
const TESTS: [&str; 4] = ["defined", "startingwith", "endingwith", "atleast"];
const FUNCTIONS: [&str; 1] = ["range"];

/// Words that may stand before a bracket and call nothing.
const OPERATORS: [&str; 8] = ["and", "or", "not", "in", "is", "if", "elif", "else"];

/// Returns an evaluator that has no way out: no files, no other templates, no growth.
pub(crate) fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(RECURSION);
    environment.add_function("range", minijinja::functions::range);
    // A filter of the library takes a list for a text and writes it out, which is a way to join;
    // these take texts only.
    environment.add_filter("lower", |text: &str| text.to_lowercase());
    environment.add_filter("upper", |text: &str| text.to_uppercase());
    environment.add_filter("trim", |text: &str| text.trim().to_owned());
    environment.add_filter("quoted", quote);
    environment.add_filter("length", minijinja::filters::length);
    environment.add_filter("default", minijinja::filters::default);
    environment.add_test("defined", minijinja::tests::is_defined);
    environment.add_test("startingwith", |text: &str, head: &str| text.starts_with(head));
    environment.add_test("endingwith", |text: &str, tail: &str| text.ends_with(tail));
    environment.add_test("atleast", is_at_least);
    environment
}

/// Returns a text as one word of a shell.
fn quote(text: &str) -> Result<String, Error> {
    if text.len() > QUOTABLE_BYTES {
        let message = "the text is too long to be quoted".to_owned();
        return Err(Error::new(ErrorKind::InvalidOperation, message));
    }
    Ok(shell::word(text))
}

/// Compares degrees of confidence, which as words would stand in the order of the alphabet.
fn is_at_least(word: &str, least: &str) -> Result<bool, Error> {
    let degree = |word: &str| {
        Confidence::from_word(word).ok_or_else(|| {
            let message = format!("`{}` is no degree of confidence", shown(word));
            Error::new(ErrorKind::InvalidOperation, message)
        })
    };
    Ok(degree(word)? >= degree(least)?)
}

/// Says what the evaluator did not like, in one line.
pub(crate) fn complaint(error: &Error) -> String {
    if matches!(error.kind(), ErrorKind::OutOfFuel) {
        return format!("it was stopped after {FUEL} steps");
    }
    let kind = error.kind().to_string();
    error.detail().map_or(kind, shown)
}

/// Fills in a template; `None` when that comes to more than `most` bytes.
pub(crate) fn write_out(
    template: &Template<'_, '_>,
    names: Value,
    most: usize,
) -> Option<Result<String, Error>> {
    let mut page = Page { written: Vec::new(), most, is_full: false };
    let outcome = template.render_captured_to(names, &mut page).map(drop);
    if page.is_full {
        return None;
    }
    // Pieces of text arrive whole, so what was written is text again.
    Some(outcome.map(|()| String::from_utf8_lossy(&page.written).into_owned()))
}

/// What is written so far, up to the cap.
struct Page {
    written: Vec<u8>,
    most: usize,
    is_full: bool,
}

impl Write for Page {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if self.written.len() + piece.len() > self.most {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.written.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Refuses an expression that makes values grow, or uses a filter, test or function there is not.
pub(crate) fn check_expression(code: &str) -> Result<(), String> {
    let mut quote = None;
    let mut word = String::new();
    let mut after_bar = false;
    let mut characters = code.chars().chain([' ']).peekable();
    while let Some(character) = characters.next() {
        if let Some(open) = quote {
            if character == '\\' {
                characters.next();
            } else if character == open {
                quote = None;
            }
            continue;
        }
        if character.is_alphanumeric() || character == '_' {
            word.push(character);
            continue;
        }
        if character.is_whitespace() && characters.peek() == Some(&'(') {
            // `upper (x)` calls as `upper(x)` does.
            continue;
        }
        if !word.is_empty() {
            check_word(&word, after_bar, character == '(')?;
            after_bar = false;
            word.clear();
        }
        match character {
            '\'' | '"' => quote = Some(character),
            '|' => after_bar = true,
            '~' | '+' | '*' | '{' | '}' => {
                return Err(format!("`{character}` is not part of the language"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_word(word: &str, is_filter: bool, is_called: bool) -> Result<(), String> {
    if is_filter && !FILTERS.contains(&word) {
        return Err(format!("there is no filter `{}`, only {}", shown(word), listed(&FILTERS)));
    }
    let is_known =
        [&FILTERS[..], &TESTS, &FUNCTIONS, &OPERATORS].iter().any(|words| words.contains(&word));
    if is_called && !is_known {
        return Err(format!("there is no function `{}`", shown(word)));
    }
    Ok(())
}

/// Refuses a template that has other statements than choices and plain loops, or whose
/// expressions make values grow.
pub(crate) fn check_template(template: &str) -> Result<(), String> {
    let mut rest = template;
    while let Some((opening, after)) = next_opening(rest) {
        let (code, left) = match opening {
            Opening::Comment => {
                let (_, left) = after.split_once("#}").unwrap_or_default();
                ("", left)
            }
            Opening::Expression => until_closing(after, "}}"),
            Opening::Statement => until_closing(after, "%}"),
        };
        // A sign next to the brackets says what becomes of the white space around them.
        let code = code.strip_prefix(['-', '+']).unwrap_or(code);
        let code = code.strip_suffix(['-', '+']).unwrap_or(code).trim();
        check_expression(code)?;
        if matches!(opening, Opening::Statement) {
            check_statement(code)?;
        }
        rest = left;
    }
    Ok(())
}

/// What begins where a template stops being text.
#[derive(Clone, Copy)]
enum Opening {
    Comment,
    Expression,
    Statement,
}

fn next_opening(text: &str) -> Option<(Opening, &str)> {
    let mut rest = text;
    loop {
        let (_, after) = rest.split_once('{')?;
        let opening = match after.chars().next() {
            Some('#') => Opening::Comment,
            Some('{') => Opening::Expression,
            Some('%') => Opening::Statement,
            Some(_) | None => {
                rest = after;
                continue;
            }
        };
        let mut inside = after.chars();
        inside.next();
        return Some((opening, inside.as_str()));
    }
}

/// Returns the code up to its closing brackets, which inside quotes are text, and what follows.
fn until_closing<'t>(text: &'t str, closing: &str) -> (&'t str, &'t str) {
    let mut quote = None;
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        let here = text.get(at..).unwrap_or_default();
        match quote {
            Some(_) if character == '\\' => {
                characters.next();
            }
            Some(open) if open == character => quote = None,
            Some(_) => {}
            None if matches!(character, '\'' | '"') => quote = Some(character),
            None => {
                if let Some(left) = here.strip_prefix(closing) {
                    return (text.get(..at).unwrap_or_default(), left);
                }
            }
        }
    }
    (text, "")
}

fn check_statement(code: &str) -> Result<(), String> {
    let end = code.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(code.len());
    let (word, rest) = code.split_at_checked(end).unwrap_or((code, ""));
    if !STATEMENTS.contains(&word) {
        let known = listed(&STATEMENTS);
        return Err(format!("`{}` is not a statement, there are {known}", shown(word)));
    }
    if word == "for" && !is_plain_loop(rest) {
        return Err("a loop goes over one name, or over `range(…)`".to_owned());
    }
    Ok(())
}

/// Tells whether a loop goes over what is there already.
///
/// A loop over a list made on the spot would give that list a name, and names are how values grow.
fn is_plain_loop(head: &str) -> bool {
    let Some((targets, over)) = head.split_once(" in ") else { return false };
    let is_name = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.".contains(c))
    };
    let over = over.trim();
    let range = over.strip_prefix("range(").and_then(|rest| rest.strip_suffix(')'));
    let parts = range.unwrap_or(over).split(',');
    let most = if range.is_some() { 3 } else { 1 };
    parts.clone().count() <= most
        && parts.map(str::trim).all(is_name)
        && targets.split(',').map(str::trim).all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_that_is_let_through_is_there() {
        let environment = environment();
        let evaluates = |code: String| environment.compile_expression(&code)?.eval(());
        for filter in FILTERS {
            assert_eq!(check_expression(&format!("'x' | {filter}")), Ok(()));
            evaluates(format!("'x' | {filter}")).unwrap();
        }
        for test in TESTS {
            let arguments = if test == "defined" { "" } else { "('low')" };
            assert_eq!(check_expression(&format!("'high' is {test}{arguments}")), Ok(()));
            evaluates(format!("'high' is {test}{arguments}")).unwrap();
        }
        for function in FUNCTIONS {
            assert_eq!(check_expression(&format!("{function} (3)")), Ok(()));
            evaluates(format!("{function}(3)")).unwrap();
        }
    }
}
