//! A number of bytes, so that a cap is never mistaken for a count of something else.

use std::fmt;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// A number of bytes, shown in the largest unit that divides it exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u64);

impl Bytes {
    /// Returns exactly `count` bytes.
    pub const fn new(count: u64) -> Self {
        Self(count)
    }

    /// Returns `count` kibibytes.
    pub const fn kib(count: u64) -> Self {
        Self(count.saturating_mul(KIB))
    }

    /// Returns `count` mebibytes.
    pub const fn mib(count: u64) -> Self {
        Self(count.saturating_mul(MIB))
    }

    /// Returns the number of bytes.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => write!(formatter, "1 byte"),
            count if count >= MIB && count % MIB == 0 => write!(formatter, "{} MiB", count / MIB),
            count if count >= KIB && count % KIB == 0 => write!(formatter, "{} KiB", count / KIB),
            count => write!(formatter, "{count} bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_shown_in_its_largest_exact_unit() {
        let shown = [
            (Bytes::new(0), "0 bytes"),
            (Bytes::new(1), "1 byte"),
            (Bytes::new(1023), "1023 bytes"),
            (Bytes::new(1025), "1025 bytes"),
            (Bytes::kib(1), "1 KiB"),
            (Bytes::kib(1536), "1536 KiB"),
            (Bytes::mib(2), "2 MiB"),
        ];
        for (size, text) in shown {
            assert_eq!(size.to_string(), text);
        }
    }
}
