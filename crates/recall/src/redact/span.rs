//! The parts of a text that are secrets: sorted, and never overlapping.

use std::ops::Range;

/// One secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The rule that names it.
    pub(super) rule: &'static str,
    /// The place of that rule among all: the earlier one is the more exact.
    rank: usize,
}

/// All secrets of a text so far.
#[derive(Debug, Default)]
pub(super) struct Spans {
    sorted: Vec<Span>,
    /// Where the last marker ends that stood in the text already.
    marker_end: usize,
    /// Where the last long match ends that each rule refused.
    refused: Vec<usize>,
    /// How far each rule searched and found only what is no secret.
    searched: Vec<usize>,
}

/// Longest refused match within which a rule is tried again.
const RETRIED: usize = 256;

impl Spans {
    /// Adds a secret; with those it overlaps it becomes one, named by the most exact rule.
    pub(super) fn add(&mut self, found: Range<usize>, rule: &'static str, rank: usize) {
        let mut new = Span { start: found.start, end: found.end, rule, rank };
        let first = self.sorted.partition_point(|span| span.end <= new.start);
        let after = self.sorted.partition_point(|span| span.start < new.end);
        let overlapped = self.sorted.get(first..after).unwrap_or_default();
        if let Some(name) = overlapped.iter().find(|span| span.rank < new.rank) {
            (new.rule, new.rank) = (name.rule, name.rank);
        }
        new.start = overlapped.first().map_or(new.start, |span| span.start.min(new.start));
        new.end = overlapped.last().map_or(new.end, |span| span.end.max(new.end));
        self.sorted.splice(first..after.max(first), [new]);
    }

    /// Adds secrets that were found in another form of the text, where they stand in this one.
    pub(super) fn add_all(
        &mut self,
        others: Vec<Span>,
        in_text: impl Fn(&Range<usize>) -> Range<usize>,
    ) {
        for other in others {
            self.add(in_text(&(other.start..other.end)), other.rule, other.rank);
        }
    }

    /// Notes a marker that stands in the text already.
    pub(super) fn pass_marker(&mut self, end: usize) {
        self.marker_end = self.marker_end.max(end);
    }

    /// Notes a match that is no secret after all.
    pub(super) fn refuse(&mut self, found: &Range<usize>, rank: usize) {
        if found.len() > RETRIED {
            set(&mut self.refused, rank, found.end);
        }
    }

    /// Notes that a rule has nothing to search for before a byte.
    pub(super) fn search(&mut self, end: usize, rank: usize) {
        set(&mut self.searched, rank, end);
    }

    /// Returns the byte before which a rule has nothing to search for.
    pub(super) fn searched(&self, rank: usize) -> usize {
        self.searched.get(rank).copied().unwrap_or_default()
    }

    /// Tells whether a byte is part of a marker, or of something that the same rule judged already:
    /// trying it again there gives nothing new and takes a time that grows with its length.
    pub(super) fn is_known(&self, at: usize, rank: usize) -> bool {
        let before = self.sorted.partition_point(|span| span.end <= at);
        let covers = |span: &Span| span.start <= at && span.rank == rank;
        at < self.marker_end
            || self.sorted.get(before).is_some_and(covers)
            || self.refused.get(rank).is_some_and(|end| at < *end)
    }

    /// Returns where the last secret or marker before a byte ends: what stands before that is not
    /// looked at, because it will be gone.
    pub(super) fn floor(&self, at: usize) -> usize {
        let before = self.sorted.partition_point(|span| span.end <= at);
        let end = before.checked_sub(1).and_then(|last| self.sorted.get(last)).map(|span| span.end);
        end.unwrap_or_default().max(self.marker_end)
    }

    /// Returns the secrets, widened to whole characters of the text.
    pub(super) fn within(mut self, text: &str) -> Vec<Span> {
        for span in &mut self.sorted {
            span.start = text.floor_char_boundary(span.start);
            span.end = text.ceil_char_boundary(span.end);
        }
        self.sorted
    }
}

/// Notes the end for a rule; few rules ever need it.
fn set(ends: &mut Vec<usize>, rank: usize, end: usize) {
    if ends.len() <= rank {
        ends.resize(rank + 1, 0);
    }
    if let Some(noted) = ends.get_mut(rank) {
        *noted = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_overlaps_becomes_one_and_the_exact_rule_names_it() {
        let mut spans = Spans::default();
        for (range, rule, rank) in [
            (10..20, "generic", 9),
            (30..40, "other", 5),
            (15..18, "exact", 1),
            (40..45, "beside", 7),
            (0..3, "first", 8),
            (38..42, "bridge", 6),
        ] {
            spans.add(range, rule, rank);
        }
        let told: Vec<_> = spans.sorted.iter().map(|one| (one.start, one.end, one.rule)).collect();
        assert_eq!(told, [(0, 3, "first"), (10, 20, "exact"), (30, 45, "other")]);
        assert_eq!(spans.floor(25), 20);
        assert_eq!(spans.floor(15), 3);
        assert_eq!(spans.floor(20), 20);
    }
}
