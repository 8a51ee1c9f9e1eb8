//! Reading whole files that are small by contract. Nothing here reads more than its caller allows,
//! whatever the file says about its size.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::bytes::Bytes;
use crate::error::{FileError, Operation};
use crate::open::{Access, Links, open_regular};

/// What editors of another system put before UTF-8 text; no reader of ours wants it.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads a regular file of at most `cap` bytes.
pub fn read_capped(path: &Path, cap: Bytes, links: Links) -> Result<Vec<u8>, FileError> {
    let (file, metadata) = open_regular(path, links, Access::Read)?;
    read_whole(file, &metadata, path, cap)
}

/// Reads the end of a regular file, at most `cap` bytes of it.
pub fn read_end(path: &Path, cap: Bytes, links: Links) -> Result<Vec<u8>, FileError> {
    let (mut file, metadata) = open_regular(path, links, Access::Read)?;
    let skipped = metadata.len().saturating_sub(cap.get());
    let mut content = Vec::new();
    file.seek(SeekFrom::Start(skipped))
        .and_then(|_| file.take(cap.get()).read_to_end(&mut content))
        .map_err(FileError::io(Operation::Read, path))?;
    Ok(content)
}

/// Reads all of an open file of at most `cap` bytes.
pub(crate) fn read_whole(
    file: File,
    metadata: &Metadata,
    path: &Path,
    cap: Bytes,
) -> Result<Vec<u8>, FileError> {
    let too_large = || FileError::TooLarge { path: path.to_path_buf(), cap };
    if metadata.len() > cap.get() {
        return Err(too_large());
    }
    // The size is only a hint: the file may grow while it is read, and files of `/proc` say 0.
    let mut content = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    file.take(cap.get().saturating_add(1))
        .read_to_end(&mut content)
        .map_err(FileError::io(Operation::Read, path))?;
    if u64::try_from(content.len()).is_ok_and(|length| length <= cap.get()) {
        Ok(content)
    } else {
        Err(too_large())
    }
}

/// Reads a regular file of at most `cap` bytes as UTF-8, without a byte order mark.
pub fn read_text(path: &Path, cap: Bytes, links: Links) -> Result<String, FileError> {
    let content = read_capped(path, cap, links)?;
    let mut text = String::from_utf8(content).map_err(|error| FileError::NotUtf8 {
        path: path.to_path_buf(),
        offset: error.utf8_error().valid_up_to(),
    })?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.remove(0);
    }
    Ok(text)
}

/// Reads a text file like [`read_text`], or returns nothing when there is no such file.
pub fn read_text_if_present(
    path: &Path,
    cap: Bytes,
    links: Links,
) -> Result<Option<String>, FileError> {
    match read_text(path, cap, links) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use tempfile::tempdir;

    use super::*;
    use crate::error::FileKind;
    use crate::write::write_atomically;

    const CAP: Bytes = Bytes::new(8);

    #[test]
    fn the_end_of_a_file_of_any_size_is_read() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("transcript");
        write_atomically(&path, b"0123456789").unwrap();
        let end = |cap| read_end(&path, Bytes::new(cap), Links::Refuse).unwrap();
        assert_eq!(
            (end(4), end(10), end(99)),
            (b"6789".into(), b"0123456789".into(), b"0123456789".into())
        );
        assert!(read_end(directory.path(), Bytes::new(4), Links::Refuse).is_err());
    }

    #[test]
    fn a_file_is_read_up_to_its_cap_and_not_a_byte_further() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("note");
        for (content, fits) in [("", true), ("12345678", true), ("123456789", false)] {
            write_atomically(&path, content.as_bytes()).unwrap();
            match read_capped(&path, CAP, Links::Refuse) {
                Ok(read) => {
                    assert!(fits, "{content}");
                    assert_eq!(read, content.as_bytes());
                }
                Err(error) => {
                    assert!(!fits, "{content}");
                    assert_eq!(
                        error.to_string(),
                        format!("cannot read `{}`: it is larger than 8 bytes", path.display())
                    );
                    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
                }
            }
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_lies_about_its_size_is_still_capped() {
        // The size of a file in `/proc` is 0, its content is not.
        let path = Path::new("/proc/self/status");
        assert!(matches!(
            read_capped(path, CAP, Links::Refuse),
            Err(FileError::TooLarge { cap: CAP, .. })
        ));
        assert!(read_text(path, Bytes::kib(64), Links::Refuse).unwrap().contains("VmRSS"));
    }

    #[test]
    fn text_is_checked_and_loses_its_byte_order_mark() {
        let directory = tempdir().unwrap();
        let path = directory.path().join("note");
        let table: [(&[u8], Result<&str, usize>); 5] = [
            (b"plain", Ok("plain")),
            (b"\xef\xbb\xbfmark", Ok("mark")),
            (b"a\r\nb\0", Ok("a\r\nb\0")),
            (b"\xff\xfeh\0", Err(0)),
            (b"\xef\xbb\xbfab\xffc", Err(5)),
        ];
        for (content, expected) in table {
            write_atomically(&path, content).unwrap();
            match (read_text(&path, CAP, Links::Refuse), expected) {
                (Ok(text), Ok(expected)) => assert_eq!(text, expected),
                (Err(FileError::NotUtf8 { offset, .. }), Err(expected)) => {
                    assert_eq!(offset, expected);
                }
                (result, expected) => panic!("{content:?}: {result:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn a_missing_file_is_nothing_but_a_file_in_the_way_is_an_error() {
        let directory = tempdir().unwrap();
        let missing = directory.path().join("missing");
        assert_eq!(read_text_if_present(&missing, CAP, Links::Follow).unwrap(), None);
        write_atomically(&missing, b"now").unwrap();
        assert_eq!(
            read_text_if_present(&missing, CAP, Links::Follow).unwrap().as_deref(),
            Some("now")
        );
        let below = missing.join("below");
        let error = read_text_if_present(&below, CAP, Links::Follow).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot open `{}`", below.display()));
        assert_eq!((error.kind(), error.path()), (io::ErrorKind::NotADirectory, below.as_path()));
    }

    #[test]
    fn a_link_is_followed_only_by_decision_of_the_caller() {
        let directory = tempdir().unwrap();
        let (target, link) = (directory.path().join("target"), directory.path().join("link"));
        write_atomically(&target, b"secret").unwrap();
        symlink(&target, &link).unwrap();
        assert_eq!(read_capped(&link, CAP, Links::Follow).unwrap(), b"secret");
        assert_not_regular(&link, Links::Refuse, FileKind::Link);
        let ring = directory.path().join("ring");
        symlink(&ring, &ring).unwrap();
        assert_not_regular(&ring, Links::Refuse, FileKind::Link);
        assert!(matches!(read_capped(&ring, CAP, Links::Follow), Err(FileError::Io { .. })));
    }

    #[test]
    fn only_regular_files_are_read() {
        let directory = tempdir().unwrap();
        for links in [Links::Follow, Links::Refuse] {
            assert_not_regular(directory.path(), links, FileKind::Directory);
            assert_not_regular(Path::new("/dev/zero"), links, FileKind::Device);
        }
        let socket = directory.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert_not_regular(&socket, Links::Follow, FileKind::Socket);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_named_pipe_without_a_writer_does_not_hang_the_reader() {
        let directory = tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, crate::open::PRIVATE_FILE).unwrap();
        assert_not_regular(&pipe, Links::Follow, FileKind::Fifo);
    }

    fn assert_not_regular(path: &Path, links: Links, expected: FileKind) {
        match read_capped(path, CAP, links) {
            Err(FileError::NotRegular { path: named, found }) => {
                assert_eq!((named.as_path(), found), (path, expected));
            }
            other => panic!("{}: {other:?}, not {expected:?}", path.display()),
        }
    }
}
