//! Made-up skills: as many as asked for, ordinary in length and form.

use std::path::{Path, PathBuf};

use crate::disk;
use crate::failure::Failure;

/// A skill that every shelf holds, however small.
pub(super) const ON_EVERY_SHELF: &str = "made-up-skill-00005";

/// The heading of every section, by which a body is known again.
pub(super) const HEADING: &str = "When the change is small";

/// A section of a body; ten of them are as long as the median of real skills.
const SECTION: &str = "
## When the change is small

Read the file first, then the test beside it. Say what you expect to see before you run it, and
what you saw afterwards. A change without a test is a guess; a test that cannot fail is another.

- Keep names that people already know.
- Leave the rest of the file as it is.
";

/// How many sections a body has.
const SECTIONS: usize = 10;

/// A user's skill directory, below the home.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shelf {
    /// The one of Claude Code, which lists its skills itself.
    OfTheHost,
    /// The one of others, whose skills Claude Code does not know.
    OfOthers,
}

/// Fills a user's skill directory and returns it.
pub(super) fn fill(home: &Path, shelf: Shelf, skills: u32) -> Result<PathBuf, Failure> {
    let root = home.join(match shelf {
        Shelf::OfTheHost => ".claude/skills",
        Shelf::OfOthers => ".agents/skills",
    });
    for number in 0..skills {
        let directory = root.join(name(number));
        disk::create_directory(&directory)?;
        disk::write(&directory.join("SKILL.md"), &text(number))?;
    }
    Ok(root)
}

fn name(number: u32) -> String {
    format!("made-up-skill-{number:05}")
}

fn text(number: u32) -> String {
    let name = name(number);
    let body = SECTION.repeat(SECTIONS);
    format!(
        "---\nname: {name}\ndescription: Use when a change touches part {number} of the house and \
         its tests must say so before anything else is done\nlicense: MIT\n---\n\n# {name}\n{body}"
    )
}

#[cfg(test)]
mod tests {
    use super::{HEADING, ON_EVERY_SHELF, Shelf, disk, fill};

    #[test]
    fn a_shelf_holds_what_was_asked_for() {
        let home = tempfile::tempdir().unwrap();
        let root = fill(home.path(), Shelf::OfTheHost, 10).unwrap();
        assert_eq!(disk::entries(&root).unwrap().len(), 10);
        let skill = disk::read(&root.join(ON_EVERY_SHELF).join("SKILL.md")).unwrap();
        assert!(skill.starts_with("---\nname: made-up-skill-00005\ndescription: Use when"));
        assert!(skill.contains(HEADING));
    }
}
