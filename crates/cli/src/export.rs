//! Writing a file that was named on the command line.

use std::path::{Component::ParentDir, Path};

use pacenote_files::{Beneath, FileError, Links, Readers, git::find_project};

use crate::{environment::working_directory, failure::Failure};

/// Writes a file, or replaces a regular one. Below the project no link is followed on the way to it:
/// a clone can bring one under any name. Elsewhere the directories are the person's.
pub(crate) fn write_export(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let path = working_directory()?.join(path);
    let project = find_project(&working_directory()?).map(|place| place.root);
    let below = project.as_ref().ok().and_then(|root| Some((root, path.strip_prefix(root).ok()?)));
    // `..` was typed by the person, and leads where they know.
    let below = below.filter(|(_, relative)| relative.components().all(|part| part != ParentDir));
    let written = match (below, path.parent(), path.file_name()) {
        (Some((root, relative)), ..) => write_beneath(root, relative, content),
        (None, Some(directory), Some(name)) => write_beneath(directory, Path::new(name), content),
        (None, ..) => write_beneath(&path, Path::new(""), content),
    };
    Ok(written?)
}

fn write_beneath(root: &Path, relative: &Path, content: &[u8]) -> Result<(), FileError> {
    Beneath::open(root, Links::Follow)?.write(relative, content, Readers::Owner)
}
