//! The kept head of a stream.

use std::borrow::Cow;

/// How much of standard output and of standard error is kept, each, in bytes.
///
/// Four mebibytes hold the longest machine-readable result an agent has printed, and sixteen
/// processes at once still stay far below the memory of a small machine.
pub const CAPTURE_CAP: usize = 4 * 1024 * 1024;

/// What a process wrote to one stream: the head, and how much followed it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// The first [`CAPTURE_CAP`] bytes.
    pub bytes: Vec<u8>,
    /// How many bytes followed and were dropped.
    pub dropped: u64,
    /// Whether the end of the stream was seen.
    ///
    /// It is not when a process that left the group still held the stream open.
    pub ended: bool,
}

impl Captured {
    /// Returns the kept bytes as text, with a replacement character for each that is not UTF-8.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        let room = CAPTURE_CAP.saturating_sub(self.bytes.len());
        let (kept, dropped) = chunk.split_at(room.min(chunk.len()));
        self.bytes.extend_from_slice(kept);
        self.dropped += dropped.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_byte_is_kept_or_counted(chunks in prop::collection::vec(0..CAPTURE_CAP, 0..5)) {
            let mut captured = Captured::default();
            for &length in &chunks {
                captured.push(&vec![b'x'; length]);
            }
            let total: usize = chunks.iter().sum();
            prop_assert_eq!(captured.bytes.len(), total.min(CAPTURE_CAP));
            prop_assert_eq!(captured.bytes.len() as u64 + captured.dropped, total as u64);
        }
    }
}
