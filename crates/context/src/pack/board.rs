//! Which items of each fragment go into which part.
//!
//! A layout is only taken when all of it fits, so at no time does the board hold more than the
//! budget or the ceiling allows.

use pacenote_model::{Trust, receipt::PARTS};

use super::{
    Fate, PackLimits, Why,
    layout::Layout,
    more,
    prepared::Prepared,
    space::{PartSpace, Space, Spread},
};
use crate::{escape::Escaped, fragment::Choice, size::Size};

/// The fragments with what was chosen of each.
pub(super) struct Board<'a> {
    prepared: &'a [Prepared<'a>],
    layouts: Vec<Layout>,
    limits: &'a PackLimits,
    envelope: Size,
    /// What the element of index lines costs without its lines.
    more: Size,
}

/// One item of one fragment.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) row: usize,
    pub(super) item: usize,
}

impl<'a> Board<'a> {
    pub(super) fn new(
        prepared: &'a [Prepared<'a>],
        envelope: Size,
        limits: &'a PackLimits,
    ) -> Self {
        // The longest label there is; the first line needs no line break before it.
        let empty = more(Trust::Foreign, &Escaped::default());
        let layouts = prepared.iter().map(|_| Layout::default()).collect();
        Self { prepared, layouts, limits, envelope, more: Size::of(empty.as_str()) }
    }

    /// Chooses for every fragment: within its floor and share first, then with what is left.
    pub(super) fn fill(&mut self) {
        let mut rows: Vec<usize> = (0..self.prepared.len()).collect();
        rows.sort_by_key(|row| !self.prepared.get(*row).is_some_and(|one| one.kind.is_first()));
        for row in rows.iter().copied() {
            let room = self.first_room(row);
            self.choose(row, room);
        }
        for row in rows {
            self.choose(row, Size::UNBOUNDED);
        }
    }

    /// Takes everything off again.
    pub(super) fn clear(&mut self) {
        self.layouts.iter_mut().for_each(|layout| *layout = Layout::default());
    }

    /// Returns the fragments with what was chosen of each.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&Prepared<'a>, &Layout)> {
        self.prepared.iter().zip(&self.layouts)
    }

    /// Returns the parts that say anything.
    pub(super) fn opened(&self) -> Vec<usize> {
        let parts = 0..usize::from(PARTS);
        parts.filter(|part| self.layouts.iter().any(|layout| layout.is_in(*part))).collect()
    }

    /// Returns what became of an item.
    pub(super) fn fate(&self, Place { row, item }: Place) -> Fate {
        let (Some(prepared), Some(layout)) = (self.prepared.get(row), self.layouts.get(row)) else {
            return Fate::Dropped(Why::Budget);
        };
        let why = || self.hindrance(row, prepared, layout, item);
        match (layout.tells(item), &layout.folded, &layout.index) {
            (true, None, _) => Fate::Whole,
            (true, Some(_), _) => Fate::Folded(why()),
            (false, _, Some(_)) => Fate::Indexed(why()),
            (false, _, None) => Fate::Dropped(why()),
        }
    }

    /// Returns what kept an item from being told whole.
    fn hindrance(&self, row: usize, prepared: &Prepared<'_>, layout: &Layout, item: usize) -> Why {
        // In a list without holes, all that follow are kept out by the first that did not fit.
        let first = || prepared.by_score().iter().copied().find(|item| !layout.tells(*item));
        let item = match prepared.fragment.choice() {
            Choice::InOrder => first().unwrap_or(item),
            Choice::Any => item,
        };
        let size = prepared.items.get(item).map_or(Size::default(), |weighed| weighed.size);
        let told = layout.told_tokens(prepared);
        let with_others = prepared.frame_size.tokens + told + size.tokens;
        let around = self.more.tokens + prepared.index_size.tokens;
        let needed = prepared.frame_size + size;
        if with_others + around > prepared.kind.cap() {
            return Why::Cap;
        }
        let left = self.space_without(row).total.tokens.saturating_sub(layout.tokens());
        let fits_no_part = !(needed + self.envelope).fits(self.limits.ceiling.room());
        if fits_no_part || needed.tokens + around <= left { Why::Ceiling } else { Why::Budget }
    }

    /// Returns the room of a fragment before others had theirs: its floor, as far as the others can
    /// still be named, and its share, as far as their floors stay free.
    fn first_room(&self, row: usize) -> Size {
        let Some(prepared) = self.prepared.get(row) else { return Size::default() };
        let left = self.space_without(row).total;
        let floor = |one: &Prepared<'_>| one.worth(self.limits.shares.of(one.kind).floor);
        let sum = |sizes: &dyn Fn(&Prepared<'_>) -> Size| {
            let others = self.prepared.iter().skip(row + 1);
            others.fold(Size::default(), |all, one| all + sizes(one))
        };
        let lines = sum(&|one| one.index_size) + self.more;
        let own = match prepared.index_size {
            // What cannot be fetched is told or lost.
            Size { tokens: 0, .. } => left,
            line => (left - lines).max(line.min(left)),
        };
        let alike = self.prepared.iter().filter(|one| one.kind == prepared.kind).count();
        let percent = self.limits.shares.of(prepared.kind).percent;
        let share = self.limits.in_all().share(percent, alike);
        floor(prepared).min(own).max(share.min(left - sum(&floor)))
    }

    /// Lays out the most of a fragment that fits beside all others.
    fn choose(&mut self, row: usize, room: Size) {
        let mut space = self.space_without(row);
        let (Some(prepared), Some(old)) = (self.prepared.get(row), self.layouts.get_mut(row))
        else {
            return;
        };
        if old.folded.is_none() && old.placed.len() == prepared.items.len() {
            return;
        }
        space.total = space.total.min(room).within_tokens(prepared.kind.cap());
        let layout = space
            .everything(prepared)
            .or_else(|| space.folded(prepared))
            .or_else(|| space.most(prepared))
            .or_else(|| space.lay(prepared, &[], Spread::Parts));
        if let Some(layout) = layout
            && (old.is_empty() || layout.told_tokens(prepared) > old.told_tokens(prepared))
        {
            *old = layout;
        }
    }

    /// Returns what all other fragments leave.
    fn space_without(&self, row: usize) -> Space {
        let others: Vec<&Layout> = self
            .layouts
            .iter()
            .enumerate()
            .filter_map(|(other, layout)| (other != row).then_some(layout))
            .collect();
        let none_open = others.iter().all(|layout| layout.is_empty());
        let mut spent = Size::default();
        let mut parts = Vec::new();
        for part in 0..usize::from(self.limits.parts.get()) {
            let open = others.iter().any(|layout| layout.is_in(part));
            let has_more = others.iter().any(|layout| layout.index_in(part).is_some());
            let used = others.iter().filter_map(|layout| layout.used.get(part));
            let mut used = used.fold(Size::default(), |all, size| all + *size);
            if has_more {
                used += self.more;
            }
            // Somebody pays for the first part in any case.
            let prepaid = open || (none_open && part == 0);
            if prepaid {
                spent += self.envelope;
            }
            spent += used;
            let ceiling = self.limits.ceiling.room();
            parts.push(PartSpace {
                room: self.envelope.fits(ceiling).then_some(ceiling - self.envelope - used),
                opening: if prepaid { Size::default() } else { self.envelope },
                more: if has_more { Size::default() } else { self.more },
            });
        }
        Space { total: self.limits.in_all() - spent, parts }
    }
}
