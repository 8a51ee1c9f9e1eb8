//! The patches by which Codex changes files.

use super::tools::PATCH;

/// What the lines begin with that name a file.
const HEADERS: [&str; 3] = ["*** Add File: ", "*** Update File: ", "*** Delete File: "];

/// Returns the first file that a patch is about.
pub(super) fn first_file(patch: &str) -> Option<&str> {
    patch.lines().find_map(|line| HEADERS.iter().find_map(|header| line.strip_prefix(header)))
}

/// What the line begins with that names where a file goes.
const MOVE: &str = "*** Move to: ";

/// Reports whether a patch names more than one file. The client reads over white space before a
/// header; where that is part of the text instead, one file too many is counted.
pub(super) fn has_several_files(patch: &str) -> bool {
    let names_file = |line: &&str| {
        HEADERS.iter().chain([&MOVE]).any(|header| line.trim_start().starts_with(header.trim_end()))
    };
    patch.lines().filter(names_file).nth(1).is_some()
}

/// Tells whether a command line is a patch and nothing else: the client takes it for one and runs no
/// command, but shows it to hooks as the command it was written as.
///
/// What is not plainly that stays a command, for with anything before or behind it a shell runs it.
pub(super) fn is_patch(command: &str) -> bool {
    let mut lines = command.trim().lines();
    let opening = lines.next().and_then(|line| line.strip_prefix(PATCH)?.trim().strip_prefix("<<"));
    let quoted = |mark: char| opening?.strip_prefix(mark)?.strip_suffix(mark);
    let Some(end) = quoted('\'').or_else(|| quoted('"')) else { return false };
    lines.find(|line| *line == end).is_some()
        && lines.next().is_none()
        && first_file(command).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_counts() {
        for (patch, expected) in [
            ("*** Begin Patch\n*** Add File: a\n+x\n*** End Patch", false),
            ("*** Add File: a\n+x\n*** Update File: b\n@@\n-x\n", true),
            ("*** Add File: a\n+x\n  *** Delete File: b\n", true),
            ("*** Update File: a\n*** Move to: b\n", true),
            ("*** Add File: a\n+*** Add File: b\n", false),
        ] {
            assert_eq!(has_several_files(patch), expected, "{patch:?}");
        }
    }

    #[test]
    fn the_first_file_counts() {
        for (patch, file) in [
            ("*** Begin Patch\n*** Add File: a b.rs\n+x\n*** End Patch", Some("a b.rs")),
            ("*** Update File: a\n@@\n*** Delete File: b\n", Some("a")),
            ("+*** Add File: a", None),
            ("", None),
        ] {
            assert_eq!(first_file(patch), file, "{patch:?}");
        }
    }

    #[test]
    fn a_patch_stands_alone() {
        let body = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\n";
        for (command, is) in [
            (format!("apply_patch <<'EOF'\n{body}EOF\n"), true),
            (format!("\n apply_patch  << \"END\"\n{body}END"), false),
            (format!("apply_patch <<\"END\"\n{body}END"), true),
            // A shell would look into these before anybody reads a patch.
            (format!("apply_patch <<EOF\n{body}EOF\n"), false),
            (format!("apply_patch <<'EOF'\n{body}EOF\nrm -r src\n"), false),
            (format!("apply_patch <<'EOF' && rm -r src\n{body}EOF\n"), false),
            (format!("rm -r src; apply_patch <<'EOF'\n{body}EOF\n"), false),
            (format!("apply_patches <<'EOF'\n{body}EOF\n"), false),
            (format!("cat <<'EOF'\n{body}EOF\n"), false),
            (format!("apply_patch <<'EOF'\n{body}"), false),
            ("apply_patch <<'EOF'\nEOF".to_owned(), false),
            ("apply_patch --help".to_owned(), false),
            (String::new(), false),
        ] {
            assert_eq!(is_patch(&command), is, "{command:?}");
        }
    }
}
