//! The one door to the terminal: results on standard output, everything else on standard error.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::iter;

use crate::failure::Failure;

/// Prints a result that a caller may want to read or pipe.
pub(crate) fn result(text: impl Display) -> Result<(), Failure> {
    writeln!(io::stdout().lock(), "{text}").map_err(|source| Failure::Output { source })
}

/// Tells the developer what is going on.
#[expect(clippy::print_stderr, reason = "this module is where progress is printed")]
pub(crate) fn note(text: impl Display) {
    eprintln!("{text}");
}

/// Reports a failure with its causes and, after a blank line, its hint.
pub(crate) fn failure(failure: &Failure) {
    note(format_args!("error: {}", sentence(failure)));
    if let Some(hint) = failure.hint() {
        note(format_args!("\nhint: {hint}"));
    }
}

fn sentence(error: &dyn Error) -> String {
    iter::successors(Some(error), |&error| error.source())
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

#[cfg(test)]
mod tests {
    use super::{Failure, sentence};

    #[test]
    fn a_failure_is_told_with_its_causes() {
        let npm_missing = Failure::Missing { program: "npm".to_owned() };
        let failure = Failure::Install { client: "claude", source: Box::new(npm_missing) };
        assert_eq!(
            sentence(&failure),
            "could not install client `claude`: `npm` is not installed or not in `PATH`"
        );
    }
}
