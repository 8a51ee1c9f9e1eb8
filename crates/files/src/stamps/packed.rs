//! The packed form of stamps: one blob that is loaded at every command.
//!
//! A mark with a version, the paths with their stamps, and a checksum over all of it. Paths are
//! added in the order of a walk, so each is written as what it shares with the one before and the
//! rest. A damaged blob gives an error; it never panics and never gives other stamps.

use super::{FileTime, Known, Stamp, Stamps, State, Watched};

/// The first bytes of every blob; the last one is the version.
const MARK: [u8; 8] = *b"stamps\0\x01";

/// Bytes of the checksum at the end, half a BLAKE3 digest: this is against damage, not forgery.
const CHECKSUM: usize = 16;

/// Most path text that is unpacked: two hundred thousand paths of one KiB.
///
/// Shared beginnings let a small blob describe much text, so the sum needs a limit of its own.
const PATH_BYTES: usize = 200 << 20;

/// Fewest bytes of one packed path: its tag and two lengths.
const SMALLEST: usize = 3;

const FILE: u8 = 0;
const DIRECTORY: u8 = 1;
const ABSENT: u8 = 0;
const CERTAIN: u8 = 2;
const UNCERTAIN: u8 = 4;

/// Why a blob is no set of stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StampsError {
    /// The mark is missing: something else, or another version.
    #[error("the stamps are of another version")]
    OtherVersion,
    /// The checksum does not fit the content.
    #[error("the stamps are damaged")]
    Damaged,
    /// The content does not follow the form although its checksum fits.
    #[error("the stamps are not well formed")]
    Malformed,
}

impl Stamps {
    /// Packs the stamps into one blob.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut blob = MARK.to_vec();
        put_length(&mut blob, self.known.len());
        let mut before: &[u8] = &[];
        for (path, known) in self.from(0) {
            let shared = before.iter().zip(path).take_while(|(one, other)| one == other).count();
            let rest = path.get(shared..).unwrap_or_default();
            let watched = match known.watched {
                Watched::File => FILE,
                Watched::Directory => DIRECTORY,
            };
            let (state, stamp) = match &known.state {
                State::Absent => (ABSENT, None),
                State::Certain(stamp) => (CERTAIN, Some(stamp)),
                State::Uncertain(stamp) => (UNCERTAIN, Some(stamp)),
            };
            blob.push(watched | state);
            put_length(&mut blob, shared);
            put_length(&mut blob, rest.len());
            blob.extend_from_slice(rest);
            if let Some(stamp) = stamp {
                put_stamp(&mut blob, stamp);
            }
            before = path;
        }
        let checksum = checksum(&blob);
        blob.extend_from_slice(&checksum);
        blob
    }

    /// Unpacks what [`Stamps::to_bytes`] gave.
    pub fn from_bytes(blob: &[u8]) -> Result<Self, StampsError> {
        if !blob.starts_with(&MARK) {
            return Err(StampsError::OtherVersion);
        }
        let (content, sum) = blob.split_last_chunk::<CHECKSUM>().ok_or(StampsError::Damaged)?;
        if checksum(content) != *sum {
            return Err(StampsError::Damaged);
        }
        let packed = content.get(MARK.len()..).ok_or(StampsError::Damaged)?;
        unpack(packed).ok_or(StampsError::Malformed)
    }
}

fn checksum(content: &[u8]) -> [u8; CHECKSUM] {
    let mut sum = [0; CHECKSUM];
    blake3::Hasher::new().update(content).finalize_xof().fill(&mut sum);
    sum
}

fn unpack(packed: &[u8]) -> Option<Stamps> {
    let mut reader = Reader(packed);
    let count = reader.length()?;
    if count > reader.0.len() / SMALLEST {
        return None;
    }
    let mut stamps = Stamps { paths: Vec::with_capacity(packed.len()), known: Vec::new() };
    stamps.known.reserve_exact(count);
    let mut before = 0;
    for _ in 0..count {
        let tag = reader.byte()?;
        let (shared, rest) = (reader.length()?, reader.length()?);
        let rest = reader.take(rest)?;
        let start = stamps.paths.len();
        let shared_end = before + shared;
        if shared_end > start || start + shared + rest.len() > PATH_BYTES {
            return None;
        }
        stamps.paths.extend_from_within(before..shared_end);
        stamps.paths.extend_from_slice(rest);
        let watched = if tag & DIRECTORY == 0 { Watched::File } else { Watched::Directory };
        let state = match tag & !DIRECTORY {
            ABSENT => State::Absent,
            CERTAIN => State::Certain(reader.stamp()?),
            UNCERTAIN => State::Uncertain(reader.stamp()?),
            _ => return None,
        };
        stamps.known.push(Known { end: stamps.paths.len(), watched, state });
        before = start;
    }
    reader.0.is_empty().then_some(stamps)
}

/// Writes a length in groups of seven bits, the lowest first; all but the last have the high bit.
fn put_length(blob: &mut Vec<u8>, mut length: usize) {
    loop {
        let low = u8::try_from(length & 0x7f).unwrap_or(0x7f);
        length >>= 7;
        if length == 0 {
            return blob.push(low);
        }
        blob.push(low | 0x80);
    }
}

fn put_stamp(blob: &mut Vec<u8>, stamp: &Stamp) {
    for time in [stamp.modified, stamp.changed] {
        blob.extend_from_slice(&time.seconds().to_le_bytes());
        blob.extend_from_slice(&time.nanoseconds().to_le_bytes());
    }
    for number in [stamp.size, stamp.inode, stamp.device] {
        blob.extend_from_slice(&number.to_le_bytes());
    }
}

/// What is still to be read; nothing is given when too little is left.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (chunk, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*chunk)
    }

    /// Reads a length, which is never more than all path text together.
    fn length(&mut self) -> Option<usize> {
        let mut length = 0;
        for shift in [0, 7, 14, 21] {
            let byte = self.byte()?;
            length |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(length);
            }
        }
        None
    }

    fn time(&mut self) -> Option<FileTime> {
        let seconds = i64::from_le_bytes(self.chunk()?);
        Some(FileTime::new(seconds, u32::from_le_bytes(self.chunk()?)))
    }

    fn stamp(&mut self) -> Option<Stamp> {
        let (modified, changed) = (self.time()?, self.time()?);
        let [size, inode, device] = [self.chunk()?, self.chunk()?, self.chunk()?];
        Some(Stamp {
            modified,
            changed,
            size: u64::from_le_bytes(size),
            inode: u64::from_le_bytes(inode),
            device: u64::from_le_bytes(device),
        })
    }
}

/// Gives any content the mark and the checksum of a blob.
#[cfg(test)]
pub(super) fn with_checksum(content: &[u8]) -> Vec<u8> {
    let mut blob = [MARK.as_slice(), content].concat();
    let checksum = checksum(&blob);
    blob.extend_from_slice(&checksum);
    blob
}
