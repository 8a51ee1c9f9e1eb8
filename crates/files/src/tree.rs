//! Looking through everything beneath a directory that others filled: its names, and its files in
//! pieces.
//!
//! No link is followed on the whole way, and nothing but regular files is read. Memory does not grow
//! with the size of a file.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{Dir, FileType, OFlags};
use rustix::io::Errno;

use crate::beneath::{Beneath, FILE, check_inner, open_beneath, regular};
use crate::bytes::Bytes;
use crate::error::{FileError, FileKind, Operation};
use crate::open::Links;
use crate::write::Entry;

/// Size of a piece: larger ones are not read faster.
const PIECE: usize = 64 * 1024;

/// The names in a directory, sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The first names, at most as many as were asked for.
    pub entries: Vec<Entry>,
    /// Whether these are all.
    pub extent: Extent,
}

/// How much of something was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Only as much as was allowed.
    Part,
}

/// Where a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// Somewhere beneath the same directory, or nowhere.
    Inside,
    /// Out of the directory.
    Outside,
}

impl Beneath {
    /// Lists a directory beneath this one; the empty path is this one.
    pub fn list(&self, relative: &Path, most: usize) -> Result<Listed, FileError> {
        let path = self.path().join(relative);
        let failed = |errno: Errno| FileError::io(Operation::List, &path)(errno.into());
        let inner = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = open_beneath(self.handle(), inner, flags, Links::Refuse).map_err(failed)?;
        let mut entries = Vec::new();
        let mut extent = Extent::Whole;
        for entry in Dir::new(opened).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            if entries.len() == most {
                extent = Extent::Part;
                break;
            }
            let mut kind = FileKind::from(entry.file_type());
            // Some file systems say nothing in their listings.
            if kind == FileKind::Unknown {
                kind = self.kind_at(&relative.join(name));
            }
            entries.push(Entry { name: name.to_owned(), kind });
        }
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Listed { entries, extent })
    }

    /// Reports whether a directory beneath this one has only regular files and directories at any
    /// depth; not where there are more than `most`, or where one cannot be listed. One that does not
    /// exist has none.
    pub fn has_no_links(&self, relative: &Path, most: usize) -> bool {
        let mut left = most;
        let mut open = vec![relative.to_path_buf()];
        while let Some(directory) = open.pop() {
            let listed = match self.list(&directory, left) {
                Ok(listed) => listed,
                Err(error) => {
                    return directory == relative && error.kind() == std::io::ErrorKind::NotFound;
                }
            };
            if listed.extent == Extent::Part {
                return false;
            }
            left = left.saturating_sub(listed.entries.len());
            for entry in listed.entries {
                match entry.kind {
                    FileKind::Regular => {}
                    FileKind::Directory => open.push(directory.join(entry.name)),
                    FileKind::Link
                    | FileKind::Fifo
                    | FileKind::Socket
                    | FileKind::Device
                    | FileKind::Unknown => return false,
                }
            }
        }
        true
    }

    /// Reads a regular file piece by piece, at most `cap` bytes of it; no link is followed.
    pub fn read_pieces(
        &self,
        relative: &Path,
        cap: Bytes,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<(u64, Extent), FileError> {
        let path = self.path().join(relative);
        check_inner(relative).map_err(|refusal| refusal.at(&path))?;
        let opened = open_beneath(self.handle(), relative, FILE, Links::Refuse);
        let (file, _) = regular(opened, &path)?;
        let mut file = file.take(cap.get().saturating_add(1));
        let mut piece = vec![0; PIECE];
        let mut read = 0_u64;
        loop {
            let length = match file.read(&mut piece) {
                Ok(0) => return Ok((read, Extent::Whole)),
                Ok(length) => length,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(FileError::io(Operation::Read, &path)(error)),
            };
            let left = usize::try_from(cap.get().saturating_sub(read)).unwrap_or(usize::MAX);
            take(piece.get(..length.min(left)).unwrap_or_default());
            if length > left {
                return Ok((cap.get(), Extent::Part));
            }
            read = read.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
        }
    }

    /// Tells where a link beneath this directory leads to.
    pub fn link_target(&self, relative: &Path) -> Result<LinkTarget, FileError> {
        let path = self.path().join(relative);
        check_inner(relative).map_err(|refusal| refusal.at(&path))?;
        // Only the way is asked for: what lies at its end is not opened.
        match open_beneath(self.handle(), relative, WAY, Links::Follow) {
            Ok(_) | Err(Errno::NOENT) => Ok(LinkTarget::Inside),
            Err(Errno::XDEV) => Ok(LinkTarget::Outside),
            Err(errno) => Err(FileError::io(Operation::Resolve, &path)(errno.into())),
        }
    }

    fn kind_at(&self, relative: &Path) -> FileKind {
        let opened =
            open_beneath(self.handle(), relative, WAY.union(OFlags::NOFOLLOW), Links::Follow);
        opened.and_then(rustix::fs::fstat).map_or(FileKind::Unknown, |found| {
            FileKind::from(FileType::from_raw_mode(found.st_mode))
        })
    }
}

/// How something is opened to learn where it is and nothing else.
#[cfg(any(target_os = "linux", target_os = "android"))]
const WAY: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const WAY: OFlags = FILE;

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use tempfile::{TempDir, tempdir};

    use super::*;
    use crate::write::{create_private_directory, write_atomically};

    fn filled() -> (TempDir, Beneath) {
        let directory = tempdir().unwrap();
        create_private_directory(&directory.path().join("a/inner")).unwrap();
        write_atomically(&directory.path().join("a/file"), &vec![b'x'; 3 * PIECE]).unwrap();
        for (link, target) in [
            ("in", "a/file"),
            ("nowhere", "missing"),
            ("up", "../outside"),
            ("absolute", "/etc/passwd"),
            ("directory", "a"),
        ] {
            symlink(target, directory.path().join(link)).unwrap();
        }
        let beneath = Beneath::open(directory.path(), Links::Refuse).unwrap();
        (directory, beneath)
    }

    #[test]
    fn a_directory_is_listed_without_following_links() {
        let (_directory, beneath) = filled();
        let names = |listed: &Listed| {
            let names = listed
                .entries
                .iter()
                .map(|entry| format!("{} {}", entry.name.to_string_lossy(), entry.kind));
            names.collect::<Vec<_>>()
        };
        let listed = beneath.list(Path::new("a"), 10).unwrap();
        assert_eq!(names(&listed), ["file a regular file", "inner a directory"]);
        assert_eq!(listed.extent, Extent::Whole);
        let listed = beneath.list(Path::new(""), 2).unwrap();
        assert_eq!((listed.entries.len(), listed.extent), (2, Extent::Part));
        for refused in ["directory", "directory/inner", "../", "a/file"] {
            assert!(beneath.list(Path::new(refused), 10).is_err(), "{refused}");
        }
    }

    #[test]
    fn a_file_is_read_in_pieces_up_to_its_cap() {
        let (_directory, beneath) = filled();
        let read = |cap| {
            let mut bytes = 0;
            let mut take = |piece: &[u8]| bytes += u64::try_from(piece.len()).unwrap();
            let (told, extent) = beneath.read_pieces(Path::new("a/file"), cap, &mut take).unwrap();
            assert_eq!(told, bytes);
            (bytes, extent)
        };
        let size = u64::try_from(3 * PIECE).unwrap();
        assert_eq!(read(Bytes::new(size)), (size, Extent::Whole));
        assert_eq!(read(Bytes::new(size - 1)), (size - 1, Extent::Part));
        assert_eq!(read(Bytes::new(5)), (5, Extent::Part));
        for refused in ["in", "directory/file", "a", "a/inner", "up", "../x", "missing"] {
            let read = beneath.read_pieces(Path::new(refused), Bytes::mib(1), &mut |_| {});
            assert!(read.is_err(), "{refused}");
        }
    }

    #[test]
    fn a_link_is_known_by_where_it_leads() {
        let (_directory, beneath) = filled();
        for (link, expected) in [
            ("in", LinkTarget::Inside),
            ("nowhere", LinkTarget::Inside),
            ("directory", LinkTarget::Inside),
            ("up", LinkTarget::Outside),
            ("absolute", LinkTarget::Outside),
        ] {
            assert_eq!(beneath.link_target(Path::new(link)).unwrap(), expected, "{link}");
        }
    }
}
