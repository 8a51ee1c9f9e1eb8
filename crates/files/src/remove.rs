//! Taking away what we made: directories that are empty again, and trees that are all ours.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::error::{FileError, Operation};
use crate::open::{Links, inspect};

/// The bit of a file's mode that lets its owner write.
const OWNER_WRITES: u32 = 0o200;

/// Tells whether a file says by its mode that nobody shall write it. A privileged process could all
/// the same, and replacing the file would not even need to.
pub fn is_read_only(path: &Path) -> bool {
    inspect(path, Links::Follow).is_ok_and(|found| found.permissions().mode() & OWNER_WRITES == 0)
}

/// Removes a directory if nothing is in it, and tells whether it is gone.
#[expect(clippy::disallowed_methods, reason = "this is the door that names the path")]
pub fn remove_empty_directory(path: &Path) -> Result<bool, FileError> {
    match std::fs::remove_dir(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error)
            if [io::ErrorKind::DirectoryNotEmpty, io::ErrorKind::NotADirectory]
                .contains(&error.kind()) =>
        {
            Ok(false)
        }
        Err(error) => Err(FileError::io(Operation::Remove, path)(error)),
    }
}

/// Removes a directory of ours with all that is in it; links in it are removed and not followed. One
/// that is not there is no failure.
#[expect(clippy::disallowed_methods, reason = "this is the door that names the path")]
pub fn remove_tree(path: &Path) -> Result<(), FileError> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(FileError::io(Operation::Remove, path)(error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::write::{create_private_directory, write_atomically};

    #[test]
    fn a_directory_goes_only_when_it_is_empty() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("made");
        create_private_directory(&path).unwrap();
        write_atomically(&path.join("theirs"), b"x").unwrap();
        assert!(!remove_empty_directory(&path).unwrap());
        crate::write::remove_file(&path.join("theirs")).unwrap();
        assert!(remove_empty_directory(&path).unwrap());
        assert!(remove_empty_directory(&path).unwrap(), "it is gone already");
    }

    #[test]
    fn a_tree_goes_without_what_its_links_lead_to() {
        let directory = tempfile::tempdir().unwrap();
        let (kept, tree) = (directory.path().join("kept"), directory.path().join("tree"));
        create_private_directory(&kept).unwrap();
        write_atomically(&kept.join("file"), b"x").unwrap();
        create_private_directory(&tree.join("deep")).unwrap();
        symlink(&kept, tree.join("deep/link")).unwrap();
        remove_tree(&tree).unwrap();
        remove_tree(&tree).unwrap();
        assert!(kept.join("file").exists() && !tree.exists());
    }

    #[test]
    fn a_mode_without_writing_is_respected() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("settings.json");
        write_atomically(&path, b"{}").unwrap();
        assert!(!is_read_only(&path));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
        assert!(is_read_only(&path));
        assert!(!is_read_only(&directory.path().join("missing")));
    }
}
