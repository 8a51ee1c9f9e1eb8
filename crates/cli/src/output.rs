//! The one way to standard output and standard error.
//!
//! A reader that went away (`pacenote task list | head -1`) is no failure: the command ends
//! quietly with 0.

use std::{
    cell::OnceCell,
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use pacenote_files::config::ColorChoice;
use pacenote_model::text::is_hidden;
use serde::Serialize;

use crate::{
    environment::Environment,
    failure::{Failure, Kind},
};

/// Writes hidden and control characters in a JSON text as `\u202e`.
///
/// A terminal and a model that see the text then see that they are there, and a parser gets the same
/// value: outside its strings, JSON has no such characters but line breaks.
pub(crate) fn spell_out_hidden(json: String) -> String {
    let is_spelled_out = |c: char| c != '\n' && (c.is_control() || is_hidden(c));
    if !json.contains(is_spelled_out) {
        return json;
    }
    let mut shown = String::with_capacity(json.len() + 64);
    for character in json.chars() {
        if is_spelled_out(character) {
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units).iter();
            shown.extend(units.map(|unit| format!("\\u{unit:04x}")));
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Where a command prints.
#[derive(Debug)]
pub(crate) struct Output {
    stdout: io::Stdout,
    stderr: io::Stderr,
    environment: Environment,
    color: OnceCell<bool>,
}

impl Output {
    pub(crate) fn new(environment: &Environment) -> Self {
        Self {
            stdout: io::stdout(),
            stderr: io::stderr(),
            environment: environment.clone(),
            color: OnceCell::new(),
        }
    }

    /// Prints text for people on standard output. It ends with a newline of its own.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        let newline = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let line = format!("{text}{newline}");
        let mut stdout = self.stdout.lock();
        let written = stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush());
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::new(Kind::Environment, format!("cannot print: {error}")))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Prints one JSON object. What a reader could not see in it is spelled out.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value)
            .map_err(|error| Failure::new(Kind::Bug, format!("cannot print as JSON: {error}")))?;
        self.text(&spell_out_hidden(text))
    }

    /// Says something on standard error that is not the data.
    pub(crate) fn say(&mut self, text: &str) {
        // Nobody is left to be told when standard error is closed.
        writeln!(self.stderr, "{text}").ok();
    }

    /// Warns on standard error.
    pub(crate) fn warn(&mut self, text: &str) {
        let warning = self.paint("warning", "33");
        self.say(&format!("{warning}: {text}"));
    }

    /// Reports a failure and returns its exit code.
    pub(crate) fn fail(&mut self, failure: &Failure) -> ExitCode {
        let (error, hint) = (self.paint("error", "31"), self.paint("hint", "36"));
        write!(self.stderr, "{}", failure.text(&error, &hint)).ok();
        failure.exit_code()
    }

    /// Decides about colours: `NO_COLOR`, then the setting, then whether a terminal listens.
    fn is_colored(&self) -> bool {
        if self.environment.no_color() {
            return false;
        }
        let settings = self.environment.layers();
        match settings.map_or(ColorChoice::Auto, |(settings, _)| settings.output_color()) {
            ColorChoice::Always => true,
            ColorChoice::Auto => self.stderr.is_terminal(),
            ColorChoice::Never => false,
        }
    }

    fn paint(&self, word: &str, color: &str) -> String {
        // Reading the settings costs two files: only a command with something to paint does it.
        if *self.color.get_or_init(|| self.is_colored()) {
            format!("\u{1b}[1;{color}m{word}\u{1b}[0m")
        } else {
            word.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_spelled_out_and_the_value_is_the_same() {
        for (raw, shown) in [
            ("a\u{202e}b\u{2066}", r#""a\u202eb\u2066""#),
            ("tag \u{e0041}", r#""tag \udb40\udc41""#),
            ("\u{7f}\u{9b}31m\u{1b}[0m", r#""\u007f\u009b31m\u001b[0m""#),
            ("one\u{2028}line\nbreak", r#""one\u2028line\nbreak""#),
            ("ad\u{ad}d \u{200b}\u{feff}", r#""ad\u00add \u200b\ufeff""#),
            ("❤\u{fe0f}\u{e0100}", r#""❤\ufe0f\udb40\udd00""#),
            ("naïve 日本語 🦀", r#""naïve 日本語 🦀""#),
        ] {
            let json = spell_out_hidden(serde_json::to_string(raw).unwrap());
            assert_eq!(json, shown, "{raw:?}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), raw);
        }
    }

    #[test]
    fn no_character_is_hidden_or_lost() {
        for character in char::MIN..=char::MAX {
            let raw = character.to_string();
            let json = spell_out_hidden(serde_json::to_string(&raw).unwrap());
            assert!(!json.contains(|c: char| c.is_control() || is_hidden(c)), "{raw:?}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), raw);
        }
    }
}
