//! Takes secrets out of a text before it is written or shown to a model.
//!
//! One pass looks for the keywords of all rules; only where one stands is a rule tried, on a few
//! bytes around it. A secret becomes a marker that names its rule, and what stands around it
//! is kept. Nothing of a secret is kept, not even a digest: short ones could be guessed from it.
//! A text with invisible characters or colour codes is searched a second time as it is seen.
//!
//! Pure and bounded: no input makes it panic, and its time grows with the length of the text.

mod address;
mod assignment;
mod authorization;
mod before;
mod command;
mod keywords;
#[cfg(test)]
mod laws;
mod marker;
mod pattern;
mod pieces;
mod place;
mod private_key;
mod probe;
mod rule;
mod rules;
#[cfg(test)]
mod shapes;
mod span;
#[cfg(test)]
mod tests;
mod unhidden;
mod value;
mod wrapped;

use std::{borrow::Cow, sync::OnceLock};

pub use self::{
    pieces::Pieces,
    rule::{Example, Rule, rules},
};
use self::{
    probe::Probes,
    span::{Span, Spans},
    unhidden::Unhidden,
};

/// The rules; nothing is made ready before the first text.
#[derive(Debug, Default)]
pub struct Redactor {
    probes: OnceLock<Probes>,
}

/// A text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted<'t> {
    /// The text, borrowed when nothing was found.
    pub text: Cow<'t, str>,
    /// What was found, in the order of the text.
    pub found: Vec<Found>,
}

/// A secret that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The rule that knew it.
    pub rule: &'static str,
    /// The line on which it begins, counted from one.
    pub line: usize,
}

impl Redactor {
    /// Returns a redactor; that costs nothing.
    pub const fn new() -> Self {
        Self { probes: OnceLock::new() }
    }

    /// Replaces every secret by a marker.
    ///
    /// Doing it twice changes nothing.
    pub fn redact<'t>(&self, text: &'t str) -> Redacted<'t> {
        let spans = self.spans(text);
        if spans.is_empty() {
            return Redacted { text: Cow::Borrowed(text), found: Vec::new() };
        }
        let mut told = Told { lines: Lines::default(), text: String::new(), found: Vec::new() };
        told.push(text, 0, &spans);
        Redacted { text: Cow::Owned(told.text), found: told.found }
    }

    /// Begins a text that comes in pieces: a secret is found wherever they are cut.
    pub fn pieces(&self) -> Pieces<'_> {
        Pieces::new(self)
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        let probes = self.probes.get_or_init(Probes::new);
        let mut spans = Spans::default();
        let escapes = probes.look(text.as_bytes(), &mut spans);
        if let Some(unhidden) = Unhidden::of(text, escapes) {
            let mut seen = Spans::default();
            probes.look(unhidden.text.as_bytes(), &mut seen);
            spans.add_all(seen.within(&unhidden.text), |found| unhidden.in_text(found));
        }
        spans.within(text)
    }
}

/// What is told of a text so far.
#[derive(Debug, Default)]
struct Told {
    lines: Lines,
    text: String,
    found: Vec<Found>,
}

impl Told {
    /// Adds a text from a byte on; `spans` are the secrets in it, none of them cut by that byte.
    fn push(&mut self, text: &str, from: usize, spans: &[Span]) {
        let mut from = from;
        for span in spans {
            let kept = text.get(from..span.start).unwrap_or_default();
            self.lines.pass(kept);
            self.text.push_str(kept);
            self.found.push(Found { rule: span.rule, line: self.lines.passed + 1 });
            marker::write(span.rule, &mut self.text);
            self.lines.pass(text.get(span.start..span.end).unwrap_or_default());
            from = span.end;
        }
        let rest = text.get(from..).unwrap_or_default();
        self.lines.pass(rest);
        self.text.push_str(rest);
    }
}

/// How many lines lie behind.
#[derive(Debug, Default)]
struct Lines {
    passed: usize,
}

impl Lines {
    fn pass(&mut self, text: &str) {
        self.passed += text.bytes().filter(|byte| *byte == b'\n').count();
    }
}
