//! A fragment with everything measured, so that choosing is only arithmetic.

use std::cell::OnceCell;

use pacenote_model::{Digest, Trust};

use crate::{
    digest::digest_of,
    escape::Escaped,
    fragment::{Fragment, FragmentKind, Frame, Item, ItemId},
    size::Size,
};

/// A fragment that has something to say.
pub(super) struct Prepared<'a> {
    pub(super) fragment: &'a dyn Fragment,
    pub(super) kind: FragmentKind,
    pub(super) trust: Trust,
    pub(super) frame: Frame,
    /// What the frame costs in each part it stands in.
    pub(super) frame_size: Size,
    /// What the line costs that stands for all items; nothing, when there is none.
    pub(super) index_size: Size,
    /// What is to be told, in reading order.
    pub(super) items: Vec<Weighed>,
    /// How many items were told before.
    pub(super) told_before: usize,
    by_score: OnceCell<Vec<usize>>,
}

/// An item and its size.
pub(super) struct Weighed {
    pub(super) item: Item,
    pub(super) digest: Digest,
    /// What it costs in its frame.
    pub(super) size: Size,
    /// Its place among all items of the fragment.
    place: usize,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(
        fragment: &'a dyn Fragment,
        already: &dyn Fn(&ItemId, &Digest) -> bool,
    ) -> Self {
        let (frame, trust) = (fragment.frame(), fragment.trust());
        let mut items = Vec::new();
        let mut told_before = 0;
        for (place, item) in fragment.items().into_iter().enumerate() {
            let digest = digest_of([fragment.sameness(&item).as_ref()]);
            if item.text.as_str().is_empty() {
                continue;
            }
            if already(&item.id, &digest) {
                told_before += 1;
                continue;
            }
            let size = frame.size_of(trust, &item.text);
            items.push(Weighed { item, digest, size, place });
        }
        let all: Vec<&Item> = items.iter().map(|weighed: &Weighed| &weighed.item).collect();
        let line = fragment.index(&all).filter(|_| !all.is_empty());
        let index_size = line.map(|line| Size::of(line.as_str()) + Size::LINE_BREAK);
        Self {
            fragment,
            kind: fragment.kind(),
            trust,
            frame_size: frame.size(trust),
            told_before,
            index_size: index_size.unwrap_or_default(),
            by_score: OnceCell::new(),
            frame,
            items,
        }
    }

    /// Returns the size of so many tokens of this fragment; of all of it, if that is less.
    pub(super) fn worth(&self, tokens: u32) -> Size {
        let items = self.items.iter().map(|weighed| weighed.size);
        let all = items.fold(self.frame_size, |all, size| all + size);
        if all.tokens <= tokens {
            return all;
        }
        let units = all.utf16.saturating_mul(usize::try_from(tokens).unwrap_or(usize::MAX));
        let of = usize::try_from(all.tokens).unwrap_or(usize::MAX).max(1);
        Size { tokens, utf16: units.div_ceil(of) }
    }

    /// Returns the places of the items, those that matter most first.
    pub(super) fn by_score(&self) -> &[usize] {
        self.by_score.get_or_init(|| {
            let scores = self.fragment.scores();
            let score = |place: &usize| {
                let all = self.items.get(*place).map(|weighed| weighed.place);
                all.and_then(|all| scores.get(all)).copied().unwrap_or_default()
            };
            let mut places: Vec<usize> = (0..self.items.len()).collect();
            places.sort_by_key(|place| std::cmp::Reverse(score(place)));
            places
        })
    }

    /// Returns the line for the items that were not chosen.
    pub(super) fn index_without(&self, chosen: &[usize]) -> Option<Escaped> {
        let mut chosen = chosen.iter().peekable();
        let left_out = self.items.iter().enumerate().filter_map(|(place, weighed)| {
            if chosen.peek() == Some(&&place) {
                chosen.next();
                return None;
            }
            Some(&weighed.item)
        });
        self.fragment.index(&left_out.collect::<Vec<_>>())
    }
}
