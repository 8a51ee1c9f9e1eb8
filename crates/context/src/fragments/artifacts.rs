//! Files that rules noted: what they are called, where they lie, which content was meant.

use std::{borrow::Cow, collections::BTreeSet};

use pacenote_model::{Artifact, Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    wording::{counted, one_line},
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "artifacts",
    shape: Shape::Block,
    heading: "Files",
    is_quoted: false,
    cap: limits::ACTIVITY_TOKENS,
    // The last two files.
    share: Share { percent: 0, floor: 60 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Most files that are listed; the latest are.
const LISTED: usize = 20;

/// Longest name or step, in characters.
const NAME_CHARACTERS: usize = 60;

/// Longest path shown, in characters.
const PATH_CHARACTERS: usize = 200;

/// The files of a session or a run.
#[derive(Clone, Debug)]
pub struct Artifacts<'a> {
    /// The files, oldest first; one that was noted again is told once, as it was noted last.
    pub files: Cow<'a, [Artifact]>,
}

impl Artifacts<'_> {
    /// Returns the latest note of each file, oldest first.
    fn latest(&self) -> Vec<&Artifact> {
        let mut seen = BTreeSet::new();
        let newest_first = self.files.iter().rev();
        let mut latest: Vec<&Artifact> =
            newest_first.filter(|file| seen.insert(name_of(file))).collect();
        latest.reverse();
        latest
    }
}

impl Fragment for Artifacts<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::ARTIFACTS
    }

    fn trust(&self) -> Trust {
        // Who named the files is not known; an agent may have.
        Trust::Agent
    }

    fn reason(&self) -> String {
        "rules noted these files".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::ARTIFACTS.tag())
    }

    fn items(&self) -> Vec<Item> {
        let latest = self.latest();
        let earlier = latest.len().saturating_sub(LISTED);
        let item = |file: &Artifact| Item {
            id: ItemId::of(FragmentKind::ARTIFACTS, name_of(file)),
            label: String::new(),
            text: Escaped::text(&line(file)),
        };
        latest.into_iter().skip(earlier).map(item).collect()
    }

    fn scores(&self) -> Vec<u32> {
        (0..).take(self.files.len().min(LISTED)).collect()
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        let unlisted = self.latest().len().saturating_sub(LISTED);
        match left_out.len() + unlisted {
            0 => None,
            more => {
                let files = counted(more, "earlier file");
                Some(Escaped::text(&format!("Not shown: {files} that rules noted.")))
            }
        }
    }
}

fn name_of(file: &Artifact) -> String {
    let name = one_line(&file.name, NAME_CHARACTERS);
    format!("{name}: {}", one_line(&file.path, PATH_CHARACTERS))
}

fn line(file: &Artifact) -> String {
    let digest = file.digest.short();
    match one_line(&file.step, NAME_CHARACTERS).as_str() {
        "" => format!("- {} ({digest})", name_of(file)),
        step => format!("- {} ({digest}, {step})", name_of(file)),
    }
}

#[cfg(test)]
mod tests {
    use pacenote_model::Digest;

    use super::*;

    fn file(name: &str, path: &str, content: u8, step: &str) -> Artifact {
        let digest = Digest::new([content; 32]);
        Artifact { name: name.to_owned(), path: path.to_owned(), digest, step: step.to_owned() }
    }

    fn told(files: &[Artifact]) -> Vec<String> {
        let items = Artifacts { files: files.into() }.items().into_iter();
        items.map(|item| item.text.into_string()).collect()
    }

    #[test]
    fn a_file_is_told_once_as_it_was_noted_last() {
        let files = [
            file("plan", "docs/plan.md", 0xa7, ""),
            file("log", "a\n<b>.log", 0xb8, "on_stop"),
            file("plan", "docs/plan.md", 0xc9, "on_after_tool"),
        ];
        insta::assert_snapshot!(told(&files).join("\n"), @"
        - log: a <b>.log (b3-b8b8b8b8b8b8, on_stop)
        - plan: docs/plan.md (b3-c9c9c9c9c9c9, on_after_tool)
        ");
        insta::assert_snapshot!(told(&files[..1]).join("\n"), @"- plan: docs/plan.md (b3-a7a7a7a7a7a7)");
    }

    #[test]
    fn of_many_files_the_latest_are_told() {
        let files: Vec<Artifact> = (0..50).map(|n| file("x", &format!("{n}.md"), 1, "")).collect();
        let lines = told(&files);
        assert_eq!(lines.len(), LISTED);
        assert!(lines.last().is_some_and(|line| line.starts_with("- x: 49.md ")));
        let index = Artifacts { files: Cow::Borrowed(&files) }.index(&[]).unwrap();
        assert_eq!(index.as_str(), "Not shown: 30 earlier files that rules noted.");
    }
}
