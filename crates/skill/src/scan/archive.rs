//! The names inside archives, read from their headers: nothing is unpacked.
//!
//! Headers are known by their signatures wherever they stand, so a window is enough and an archive
//! behind other bytes is seen too.

use std::ops::Range;

use super::{
    places::{ARCHIVE_BOMB, CLIMBING_NAME, ENCRYPTED_ARCHIVE, LINK_IN_ARCHIVE},
    rule::Rule,
    window::Window,
};

/// Longest name that is read.
const NAME_BYTES: usize = 1024;

/// An entry that unpacks to more than this many times its size is made to fill a disk.
const RATIO: u64 = 200;

/// Smallest unpacked size that fills anything.
const BOMB_BYTES: u64 = 100 * 1024 * 1024;

/// Tells what is odd about the headers of archives in a window.
pub(super) fn look(window: &Window<'_>, told: &mut dyn FnMut(&'static Rule, Range<usize>)) {
    // Every header holds a NUL, and hardly any text does.
    if !window.bytes.contains(&0) {
        return;
    }
    for at in window.start..window.end {
        let Some(rest) = window.bytes.get(at..) else { break };
        let Some(entry) = entry(rest) else { continue };
        let rule = if climbs(entry.name) || climbs(entry.target) {
            &CLIMBING_NAME
        } else if entry.is_link {
            &LINK_IN_ARCHIVE
        } else if entry.is_encrypted {
            &ENCRYPTED_ARCHIVE
        } else if entry.is_bomb {
            &ARCHIVE_BOMB
        } else {
            continue;
        };
        let start = at + entry.name_at;
        told(rule, start..start + entry.name.len());
    }
}

/// What a header says about one file.
struct Entry<'a> {
    name: &'a [u8],
    /// Where the name is, counted from the header.
    name_at: usize,
    /// Where a link leads to; empty for everything else.
    target: &'a [u8],
    is_link: bool,
    is_encrypted: bool,
    is_bomb: bool,
}

fn entry(bytes: &[u8]) -> Option<Entry<'_>> {
    match bytes {
        [b'P', b'K', 1, 2, ..] => zip_directory_entry(bytes),
        [b'P', b'K', 3, 4, ..] => zip_file_entry(bytes),
        _ => tar_entry(bytes),
    }
}

/// Reads an entry of the directory at the end of a zip archive.
fn zip_directory_entry(bytes: &[u8]) -> Option<Entry<'_>> {
    let packed = u64::from(long(bytes, 20)?);
    let unpacked = u64::from(long(bytes, 24)?);
    // The upper half holds the mode of Unix, whose upper bits say what kind of file it is.
    let kind = long(bytes, 38)? >> 28;
    Some(Entry {
        name: name_of(bytes, 46, short(bytes, 28)?)?,
        name_at: 46,
        target: &[],
        is_link: kind == 0xa,
        is_encrypted: short(bytes, 8)? & 1 == 1,
        is_bomb: unpacked >= BOMB_BYTES && unpacked / packed.max(1) >= RATIO,
    })
}

/// Reads the header before a file of a zip archive.
fn zip_file_entry(bytes: &[u8]) -> Option<Entry<'_>> {
    Some(Entry {
        name: name_of(bytes, 30, short(bytes, 26)?)?,
        name_at: 30,
        target: &[],
        is_link: false,
        is_encrypted: short(bytes, 6)? & 1 == 1,
        is_bomb: false,
    })
}

/// Reads the header of a file in a tar archive.
fn tar_entry(bytes: &[u8]) -> Option<Entry<'_>> {
    let block = bytes.get(..512)?;
    if block.get(257..262)? != b"ustar" || !sums_up(block) {
        return None;
    }
    let text = |range: Range<usize>| -> Option<&[u8]> {
        block.get(range)?.split(|byte| *byte == 0).next()
    };
    let is_link = matches!(block.get(156)?, b'1' | b'2');
    Some(Entry {
        name: text(0..100)?,
        name_at: 0,
        target: if is_link { text(157..257)? } else { &[] },
        is_link: false,
        is_encrypted: false,
        is_bomb: false,
    })
}

/// The sum of all bytes of the header, with blanks in place of the sum itself.
fn sums_up(block: &[u8]) -> bool {
    let said = block.get(148..156).unwrap_or_default().iter().filter(|byte| byte.is_ascii_digit());
    let said = said.fold(0_u32, |sum, digit| sum * 8 + u32::from(digit.saturating_sub(b'0')));
    let bytes = block.iter().enumerate();
    let sum: u32 = bytes
        .map(|(at, byte)| if (148..156).contains(&at) { u32::from(b' ') } else { u32::from(*byte) })
        .sum();
    said == sum
}

fn name_of(bytes: &[u8], at: usize, length: u16) -> Option<&[u8]> {
    let name = bytes.get(at..at + usize::from(length).min(NAME_BYTES))?;
    // What only looks like a header has no name.
    (!name.is_empty() && !name.iter().any(u8::is_ascii_control)).then_some(name)
}

/// Tells whether a name leads out of the directory it is unpacked into.
fn climbs(name: &[u8]) -> bool {
    let mut parts = name.split(|byte| matches!(byte, b'/' | b'\\'));
    let has_drive = matches!(name, [letter, b':', ..] if letter.is_ascii_alphabetic());
    matches!(name, [b'/' | b'\\', ..]) || has_drive || parts.any(|part| part == b"..")
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}
