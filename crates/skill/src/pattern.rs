//! Regular expressions with a bound on their size: the only place that compiles one.
//!
//! Matching is linear in the text whatever the pattern; the bound is about compiling, where a short
//! pattern such as `(?:x{1000}){1000}` would otherwise take gigabytes.

use regex::{bytes, bytes::RegexBuilder};
use thiserror::Error;

/// Longest pattern that is compiled, in bytes; the longest of 222 public secret rules has 500.
pub const PATTERN_BYTES: usize = 8 * 1024;

/// Largest program a pattern may compile to, in bytes.
const PROGRAM_BYTES: usize = 1024 * 1024;

/// Deepest nesting of groups in a pattern.
const NESTING: u32 = 64;

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadPattern {
    /// It is longer than what is compiled.
    #[error("the pattern has {bytes} bytes, at most {PATTERN_BYTES} are compiled")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// It would compile to a program that is too large.
    #[error("the pattern repeats too much to be compiled")]
    TooLarge,
    /// It is no regular expression, or one with look-around or back-references.
    #[error("the pattern cannot be compiled: {reason}")]
    Syntax {
        /// What the compiler says, in one line.
        reason: String,
    },
}

/// Compiles a pattern that somebody else wrote, as it is.
pub fn compile(pattern: &str) -> Result<bytes::Regex, BadPattern> {
    if pattern.len() > PATTERN_BYTES {
        return Err(BadPattern::TooLong { bytes: pattern.len() });
    }
    build(RegexBuilder::new(pattern).size_limit(PROGRAM_BYTES).nest_limit(NESTING))
}

/// Compiles one of our own patterns: case does not matter, and only ASCII classes count.
pub(crate) fn compile_ascii(pattern: &str) -> Result<bytes::Regex, BadPattern> {
    let mut builder = RegexBuilder::new(pattern);
    build(builder.size_limit(PROGRAM_BYTES).unicode(false).case_insensitive(true))
}

fn build(builder: &mut RegexBuilder) -> Result<bytes::Regex, BadPattern> {
    builder.build().map_err(|error| {
        if matches!(error, regex::Error::CompiledTooBig(_)) {
            return BadPattern::TooLarge;
        }
        BadPattern::Syntax { reason: last_line(&error.to_string()) }
    })
}

/// The compiler draws the pattern over several lines; the last one says what is wrong.
fn last_line(message: &str) -> String {
    let line = message.lines().last().unwrap_or_default();
    line.trim().trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_compiled_is_told() {
        let told = |pattern: &str| match compile(pattern) {
            Ok(_) => "fine".to_owned(),
            Err(bad) => bad.to_string(),
        };
        let table = [r"(a+)+$", "(?:x{1000}){1000}", "(?=a)", r"(a)\1", "(", &"(".repeat(100)];
        let lines: Vec<_> = table.iter().map(|pattern| told(pattern)).collect();
        insta::assert_snapshot!(lines.join("\n"), @"
        fine
        the pattern repeats too much to be compiled
        the pattern cannot be compiled: look-around, including look-ahead and look-behind, is not supported
        the pattern cannot be compiled: backreferences are not supported
        the pattern cannot be compiled: unclosed group
        the pattern cannot be compiled: unclosed group
        ");
        insta::assert_snapshot!(told(&"a".repeat(PATTERN_BYTES + 1)), @"the pattern has 8193 bytes, at most 8192 are compiled");
    }
}
