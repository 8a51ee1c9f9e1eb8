//! Finds the files of a project that fit a pattern, within bounds.

use std::path::Path;

use pacenote_files::FileKind;
use pacenote_flow::lifecycle::fits;

/// Files that one pattern finds; one that means more means everything.
const FILES: usize = 50;

/// Directories that are looked through for one pattern.
const DIRECTORIES: usize = 2000;

/// Returns the files below a root that fit a pattern, in order.
pub(crate) fn matching(root: &Path, pattern: &str) -> Vec<String> {
    let mut found = Vec::new();
    // The part before the first star says where to look.
    let fixed = pattern.split('*').next().unwrap_or_default();
    let start = fixed.rsplit_once('/').map_or("", |(directory, _)| directory);
    let mut waiting = vec![start.to_owned()];
    let mut looked = 0;
    while let Some(directory) = waiting.pop() {
        looked += 1;
        if looked > DIRECTORIES || found.len() >= FILES {
            break;
        }
        let Ok(entries) = pacenote_files::list_directory(&root.join(&directory)) else { continue };
        for entry in entries {
            let Ok(name) = entry.name.into_string() else { continue };
            let path =
                if directory.is_empty() { name.clone() } else { format!("{directory}/{name}") };
            // Links are not followed: they could lead out of the project, or round in it.
            if entry.kind == FileKind::Directory && !name.starts_with('.') {
                waiting.push(path);
            } else if entry.kind == FileKind::Regular && fits(pattern, &path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.truncate(FILES);
    found
}
