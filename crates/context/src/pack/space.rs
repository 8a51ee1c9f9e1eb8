//! The room that is left for one fragment, and the layouts that fit into it.

use super::{
    layout::{IndexLine, Layout, Placed},
    prepared::Prepared,
};
use crate::{escape::Escaped, fragment::Choice, size::Size};

/// What is left for one fragment.
#[derive(Clone)]
pub(super) struct Space {
    /// In all parts together.
    pub(super) total: Size,
    pub(super) parts: Vec<PartSpace>,
}

/// What is left in one part.
#[derive(Clone, Copy)]
pub(super) struct PartSpace {
    /// `None` when not even the element round the part fits.
    pub(super) room: Option<Size>,
    /// What it costs to begin the part.
    pub(super) opening: Size,
    /// What the element of index lines costs, if it is not there yet.
    pub(super) more: Size,
}

/// Whether a fragment may continue in the next part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spread {
    /// Everything stands in this part.
    Part(usize),
    /// It begins in the first part with room and goes on in those after.
    Parts,
}

impl Space {
    /// Takes room in a part, if there is enough.
    fn take(&mut self, part: usize, size: Size) -> bool {
        let Some(PartSpace { room: Some(room), opening, .. }) = self.parts.get_mut(part) else {
            return false;
        };
        let cost = size + *opening;
        if !size.fits(*room) || !cost.fits(self.total) {
            return false;
        }
        *room = *room - size;
        *opening = Size::default();
        self.total = self.total - cost;
        true
    }

    /// Lays out all items: together if that can be, else over several parts.
    pub(super) fn everything(&self, prepared: &Prepared<'_>) -> Option<Layout> {
        let all: Vec<usize> = (0..prepared.items.len()).collect();
        let together = (0..self.parts.len()).map(Spread::Part);
        together.chain([Spread::Parts]).find_map(|spread| self.lay(prepared, &all, spread))
    }

    /// Lays out the shorter form of an only item, where there is the most room.
    pub(super) fn folded(&self, prepared: &Prepared<'_>) -> Option<Layout> {
        if prepared.items.len() != 1 {
            return None;
        }
        let rooms =
            self.parts.iter().enumerate().filter_map(|(part, space)| {
                Some((part, space.room?.min(self.total - space.opening)))
            });
        let roomiest =
            rooms.reduce(|best, next| if is_roomier(next.1, best.1) { next } else { best });
        let (part, room) = roomiest?;
        let overhead = prepared.frame_size + Size::LINE_BREAK;
        let text = prepared.fragment.folded(room - overhead)?;
        let size = prepared.frame.size_of(prepared.trust, &text);
        let mut draft = Draft::new(self);
        let placed = draft.take(part, prepared.frame_size + size);
        placed.then(|| {
            draft.layout.placed.push(Placed { item: 0, part });
            draft.layout.folded = Some(text);
            draft.layout
        })
    }

    /// Lays out as many items as fit, those that matter most first; `None` when no item fits.
    pub(super) fn most(&self, prepared: &Prepared<'_>) -> Option<Layout> {
        let mut chosen: Vec<usize> = Vec::new();
        let mut best = None;
        for item in prepared.by_score() {
            let place = chosen.partition_point(|earlier| earlier < item);
            chosen.insert(place, *item);
            let layout = self.lay(prepared, &chosen, Spread::Parts);
            if layout.is_some() {
                best = layout;
                continue;
            }
            chosen.remove(place);
            if prepared.fragment.choice() == Choice::InOrder {
                break;
            }
        }
        best
    }

    /// Lays out the chosen items, which stand in reading order, and the line for the others.
    pub(super) fn lay(
        &self,
        prepared: &Prepared<'_>,
        chosen: &[usize],
        spread: Spread,
    ) -> Option<Layout> {
        let mut draft = Draft::new(self);
        let (mut part, last) = match spread {
            Spread::Part(only) => (only, only),
            Spread::Parts => (0, self.parts.len().checked_sub(1)?),
        };
        for item in chosen {
            let size = prepared.items.get(*item)?.size;
            loop {
                let is_first = draft.layout.placed.last().is_none_or(|placed| placed.part != part);
                let frame = if is_first { prepared.frame_size } else { Size::default() };
                if draft.take(part, frame + size) {
                    break;
                }
                part += 1;
                if part > last {
                    return None;
                }
            }
            draft.layout.placed.push(Placed { item: *item, part });
        }
        if let Some(line) = prepared.index_without(chosen) {
            // Beside what it belongs to, or wherever it fits.
            let beside = draft.layout.placed.last().map(|placed| placed.part);
            let anywhere = 0..self.parts.len();
            let part =
                beside.into_iter().chain(anywhere).find(|part| draft.take_line(*part, &line))?;
            draft.layout.index = Some(IndexLine { text: line, part });
        }
        Some(draft.layout)
    }
}

/// A layout in the making, with what is left beside it.
struct Draft {
    space: Space,
    layout: Layout,
}

impl Draft {
    fn new(space: &Space) -> Self {
        Self { space: space.clone(), layout: Layout::default() }
    }

    /// Puts something into a part, if it fits.
    fn take(&mut self, part: usize, size: Size) -> bool {
        let fits = self.space.take(part, size);
        if fits {
            self.layout.use_up(part, size);
        }
        fits
    }

    /// Puts an index line into a part, with the element round it where there is none yet.
    fn take_line(&mut self, part: usize, line: &Escaped) -> bool {
        let Some(more) = self.space.parts.get(part).map(|space| space.more) else { return false };
        let line = Size::of(line.as_str()) + Size::LINE_BREAK;
        let fits = self.space.take(part, more + line);
        if fits {
            // The element round the lines belongs to whoever has one in this part.
            self.layout.use_up(part, line);
        }
        fits
    }
}

/// Tells whether there is more room in the unit that is bounded.
fn is_roomier(one: Size, other: Size) -> bool {
    (one.utf16, one.tokens) > (other.utf16, other.tokens)
}
