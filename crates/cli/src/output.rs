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
use serde::Serialize;

use crate::{
    environment::Environment,
    failure::{Failure, Kind},
};

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

    /// Prints one JSON object.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(value)
            .map_err(|error| Failure::new(Kind::Bug, format!("cannot print as JSON: {error}")))?;
        self.text(&text)
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
