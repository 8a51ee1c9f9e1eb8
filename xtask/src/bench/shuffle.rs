//! Orders that look random and are the same for the same seed.

/// A source of orders (`SplitMix64`).
#[derive(Debug)]
pub(super) struct Shuffle {
    state: u64,
}

impl Shuffle {
    /// Starts a sequence of orders.
    pub(super) fn seeded(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Puts items into the next order, every order being as likely as any other.
    pub(super) fn reorder<T>(&mut self, items: &mut [T]) {
        // Sorting by random keys is fair as long as no two keys are equal, and 64 bits are plenty.
        items.sort_by_cached_key(|_| self.next());
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Shuffle;

    fn orders(seed: u64, count: usize) -> Vec<[u8; 3]> {
        let mut shuffle = Shuffle::seeded(seed);
        let order = || {
            let mut items = [1, 2, 3];
            shuffle.reorder(&mut items);
            items
        };
        std::iter::repeat_with(order).take(count).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_orders() {
        assert_eq!(orders(7, 20), orders(7, 20));
        assert_ne!(orders(7, 20), orders(8, 20));
    }

    #[test]
    fn every_order_comes_about_equally_often() {
        let mut seen = BTreeMap::new();
        for order in orders(7, 6000) {
            *seen.entry(order).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|times| (900..1100).contains(times)), "{seen:?}");
    }

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        assert_eq!(Shuffle::seeded(0).next(), 0xe220_a839_7b1d_cdaf);
    }
}
