//! What was chosen of one fragment, and into which parts it goes.

use pacenote_model::receipt::PARTS;

use super::prepared::Prepared;
use crate::{escape::Escaped, size::Size};

/// What was chosen of a fragment.
#[derive(Clone, Default)]
pub(super) struct Layout {
    /// The items that are told, in reading order.
    pub(super) placed: Vec<Placed>,
    /// The shorter form in which the only item is told.
    pub(super) folded: Option<Escaped>,
    /// The line for the items that are not.
    pub(super) index: Option<IndexLine>,
    /// What it costs in each part, without the element of index lines.
    pub(super) used: [Size; PARTS as usize],
}

/// An item in a part.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) item: usize,
    pub(super) part: usize,
}

/// An index line in a part.
#[derive(Clone)]
pub(super) struct IndexLine {
    pub(super) text: Escaped,
    pub(super) part: usize,
}

impl Layout {
    /// Returns the texts that stand in a part.
    pub(super) fn texts<'t>(
        &'t self,
        prepared: &'t Prepared<'_>,
        part: usize,
    ) -> impl Iterator<Item = &'t Escaped> {
        let here = self.placed.iter().filter(move |placed| placed.part == part);
        here.filter_map(|placed| {
            let whole = prepared.items.get(placed.item).map(|weighed| &weighed.item.text);
            self.folded.as_ref().or(whole)
        })
    }

    /// Returns the index line, when it stands in this part.
    pub(super) fn index_in(&self, part: usize) -> Option<&Escaped> {
        self.index.as_ref().filter(|line| line.part == part).map(|line| &line.text)
    }

    /// Returns the part in which an item or the line for it stands.
    pub(super) fn part_of(&self, item: usize) -> Option<usize> {
        let placed = self.placed.iter().find(|placed| placed.item == item);
        placed.map(|placed| placed.part).or(self.index.as_ref().map(|line| line.part))
    }

    /// Returns what an item costs as it is told; one that is not told, what it would have cost.
    pub(super) fn tokens_of(&self, prepared: &Prepared<'_>, item: usize) -> u32 {
        match &self.folded {
            Some(text) => prepared.frame.size_of(prepared.trust, text).tokens,
            None => prepared.items.get(item).map_or(0, |weighed| weighed.size.tokens),
        }
    }

    /// Returns what all of it costs.
    pub(super) fn tokens(&self) -> u32 {
        self.used.iter().map(|size| size.tokens).sum()
    }

    /// Returns what the texts that it tells cost.
    pub(super) fn told_tokens(&self, prepared: &Prepared<'_>) -> u32 {
        self.placed.iter().map(|placed| self.tokens_of(prepared, placed.item)).sum()
    }

    /// Tells whether nothing of the fragment stands anywhere.
    pub(super) fn is_empty(&self) -> bool {
        self.placed.is_empty() && self.index.is_none()
    }

    /// Tells whether anything stands in a part.
    pub(super) fn is_in(&self, part: usize) -> bool {
        self.placed.iter().any(|placed| placed.part == part) || self.index_in(part).is_some()
    }

    /// Tells whether an item is told.
    pub(super) fn tells(&self, item: usize) -> bool {
        self.placed.iter().any(|placed| placed.item == item)
    }

    /// Counts what was put into a part.
    pub(super) fn use_up(&mut self, part: usize, size: Size) {
        if let Some(used) = self.used.get_mut(part) {
            *used += size;
        }
    }
}
