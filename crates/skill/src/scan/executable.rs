//! Programs in the language of a machine, known by how they begin.

use super::{places, rule::Rule};

/// Returns the rule that a file meets by its beginning.
pub(super) fn look(beginning: &[u8], path: &str) -> Option<&'static Rule> {
    is_program(beginning).then(|| {
        if poses_as_document(path) { &places::DISGUISED_PROGRAM } else { &places::PROGRAM }
    })
}

fn is_program(bytes: &[u8]) -> bool {
    let begins = |magic: &[u8]| bytes.starts_with(magic);
    begins(b"\x7fELF")
        || is_windows_program(bytes)
        || [[0xfe, 0xed, 0xfa, 0xce], [0xfe, 0xed, 0xfa, 0xcf]].iter().any(|magic| begins(magic))
        || [[0xce, 0xfa, 0xed, 0xfe], [0xcf, 0xfa, 0xed, 0xfe]].iter().any(|magic| begins(magic))
        || is_fat_program(bytes)
}

/// The header names the place of the second one, which says what it is.
fn is_windows_program(bytes: &[u8]) -> bool {
    let place = bytes.get(0x3c..0x40).and_then(|place| <[u8; 4]>::try_from(place).ok());
    let place = place.map(u32::from_le_bytes).and_then(|place| usize::try_from(place).ok());
    bytes.starts_with(b"MZ")
        && place.and_then(|place| bytes.get(place..)).is_some_and(|at| at.starts_with(b"PE\0\0"))
}

/// Classes of Java begin like programs for several machines, but count in versions from 45 on.
fn is_fat_program(bytes: &[u8]) -> bool {
    let count = bytes.get(4..8).and_then(|count| <[u8; 4]>::try_from(count).ok());
    bytes.starts_with(&[0xca, 0xfe, 0xba, 0xbe])
        && count.map(u32::from_be_bytes).is_some_and(|count| (1..30).contains(&count))
}

/// Ends of names under which nobody expects a program.
const DOCUMENTS: [&str; 18] = [
    ".md", ".txt", ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".doc", ".docx", ".xlsx",
    ".csv", ".json", ".yaml", ".yml", ".html", ".ttf", ".log",
];

fn poses_as_document(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with('.') || DOCUMENTS.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_known_by_their_beginning() {
        let mut windows = b"MZ".to_vec();
        windows.resize(0x3c, 0);
        windows.extend(0x40_u32.to_le_bytes());
        windows.extend(b"PE\0\0");
        let id = |bytes: &[u8], path| look(bytes, path).map(|rule| rule.id);
        assert_eq!(id(&windows, "bin/tool.exe"), Some("program"));
        assert_eq!(id(&windows, "notes.TXT"), Some("disguised-program"));
        assert_eq!(id(b"\x7fELF\x02\x01", "bin/.cache"), Some("disguised-program"));
        assert_eq!(id(b"\xcf\xfa\xed\xfe\x07", "bin/tool"), Some("program"));
        assert_eq!(id(b"\xca\xfe\xba\xbe\0\0\0\x02", "tool"), Some("program"));
        assert_eq!(id(b"\xca\xfe\xba\xbe\0\0\0\x41", "A.class"), None);
        assert_eq!(id(b"MZ is a prefix", "notes.txt"), None);
        assert_eq!(id(b"", "empty"), None);
    }
}
