//! A text that comes in pieces: what is settled is handed on, the rest is held.

use super::{
    Found, Redacted, Redactor, Told,
    place::{AHEAD, BEFORE, BEHIND},
};

/// Bytes at the end of a text in which a secret may still grow or begin.
pub(super) const UNSETTLED: usize = BEHIND + BEFORE;

/// Bytes before what is held that are kept so that it can be judged: the keyword of a secret, and
/// what stands before that.
const CONTEXT: usize = AHEAD + BEFORE;

/// Bytes that are gathered before anything is looked at, so that each byte is looked at about
/// twice however small the pieces are.
pub(super) const GATHERED: usize = 4 * UNSETTLED;

/// A text that comes in pieces.
///
/// What [`feed`](Self::feed) and [`finish`](Self::finish) return is together what
/// [`Redactor::redact`] makes of the whole text, wherever the pieces are cut.
#[derive(Debug)]
pub struct Pieces<'r> {
    redactor: &'r Redactor,
    held: String,
    /// How many bytes of what is held were handed on already.
    settled: usize,
    /// How many bytes that are not settled make a look worthwhile.
    worthwhile: usize,
    told: Told,
}

impl<'r> Pieces<'r> {
    pub(super) fn new(redactor: &'r Redactor) -> Self {
        Self {
            redactor,
            held: String::new(),
            settled: 0,
            worthwhile: GATHERED,
            told: Told::default(),
        }
    }

    /// Takes the next piece and returns what is settled by now, often nothing.
    pub fn feed(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        if self.held.len() - self.settled < self.worthwhile {
            return String::new();
        }
        self.settle(self.held.len() - UNSETTLED);
        let kept = self.held.floor_char_boundary(self.settled.saturating_sub(CONTEXT));
        self.held.drain(..kept);
        self.settled -= kept;
        // A secret without end settles nothing: looking at it again and again would take for ever.
        self.worthwhile = GATHERED.max(2 * (self.held.len() - self.settled));
        std::mem::take(&mut self.told.text)
    }

    /// Ends the text: returns the rest of it, and what was found in all of it.
    pub fn finish(mut self) -> Redacted<'static> {
        self.settle(self.held.len());
        let found: Vec<Found> = self.told.found;
        Redacted { text: self.told.text.into(), found }
    }

    /// Hands on everything up to a byte, or up to the secret which that byte is part of.
    fn settle(&mut self, until: usize) {
        let mut spans = self.redactor.spans(&self.held);
        spans.retain(|span| span.start >= self.settled);
        let until = self.held.floor_char_boundary(until);
        let cut = spans.iter().find(|span| span.end > until && span.start < until);
        let until = cut.map_or(until, |span| span.start);
        spans.retain(|span| span.end <= until);
        let text = self.held.get(..until).unwrap_or_default();
        self.told.push(text, self.settled, &spans);
        self.settled = until;
    }
}
