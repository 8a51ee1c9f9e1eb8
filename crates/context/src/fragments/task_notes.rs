//! What was written down about the current task: decisions first, then the latest.

use pacenote_model::{Note, Task, Trust, limits};

use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    wording::{counted, one_line},
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "notes",
    shape: Shape::Block,
    heading: "Notes of the task",
    is_quoted: true,
    cap: limits::READING_TOKENS,
    // Five notes of a few lines.
    share: Share { percent: 5, floor: 300 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Most notes that are shown; the others are a command away.
const SHOWN: usize = 5;

/// Longest note that is shown, in characters: longer ones are documents.
const NOTE_CHARACTERS: usize = 1_000;

/// The words by which a note says that something was decided, in lower case.
const DECISIONS: [&str; 2] = ["decision", "decided"];

/// Notes of a task.
#[derive(Clone, Debug)]
pub struct TaskNotes<'a> {
    pub task: &'a Task,
    /// The notes, oldest first.
    pub notes: Vec<Note>,
    /// What the fence is made with.
    pub secret: &'a InstallSecret,
}

impl TaskNotes<'_> {
    /// Returns the notes that are shown: decisions before the others, the latest of each.
    fn chosen(&self) -> Vec<(usize, &Note)> {
        let mut ranked: Vec<(usize, &Note)> = self.notes.iter().enumerate().collect();
        ranked.sort_by_key(|(age, note)| (!is_decision(note), std::cmp::Reverse(*age)));
        ranked.truncate(SHOWN);
        ranked.sort_by_key(|(age, note)| (!is_decision(note), *age));
        ranked
    }
}

fn is_decision(note: &Note) -> bool {
    let text = note.text.as_str().trim_start().to_lowercase();
    DECISIONS.iter().any(|word| text.starts_with(word))
}

impl Fragment for TaskNotes<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::NOTES
    }

    fn trust(&self) -> Trust {
        Trust::Agent
    }

    fn reason(&self) -> String {
        "what was written down about the current task is for whoever goes on with it".to_owned()
    }

    fn frame(&self) -> Frame {
        let texts = self.notes.iter().map(|note| note.text.as_str());
        Frame::of_lines(FragmentKind::NOTES.tag())
            .with("task", self.task.short.as_str())
            .fenced(Fence::new(self.secret, &digest_of(texts)), self.trust())
    }

    fn items(&self) -> Vec<Item> {
        let item = |(age, note): (usize, &Note)| {
            let text = one_line(note.text.as_str(), NOTE_CHARACTERS);
            Item {
                id: ItemId::of(
                    FragmentKind::NOTES,
                    format_args!("{}#{}", self.task.short, age + 1),
                ),
                label: String::new(),
                text: Escaped::body(&format!("- @{}: {text}", note.author), self.trust()),
            }
        };
        self.chosen().into_iter().map(item).collect()
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        let more = self.notes.len().saturating_sub(SHOWN) + left_out.len();
        let notes = counted(more, "more note");
        let line = format!("{notes}: `pacenote task show {}`.", self.task.short);
        (more > 0).then(|| Escaped::text(&line))
    }
}

#[cfg(test)]
mod tests {
    use pacenote_model::{Body, Moment};

    use super::*;
    use crate::{
        example::{agent, task},
        pack::{Ceiling, PackLimits, PartCount, Shares, pack},
    };

    fn note(text: &str, at: i64) -> Note {
        let text = Body::note(text).unwrap();
        Note { author: agent("backend"), at: Moment::from_millis(at), text }
    }

    #[test]
    fn decisions_come_first_and_the_latest_of_the_rest() {
        let (task, secret) = (task(2, "Add login"), InstallSecret::new([7; 32]));
        let texts = ["one", "two", "DECISION: argon2, because bcrypt truncates", "three", "four"];
        let notes = texts.into_iter().chain(["five", "Decided: no cookies"]);
        let notes = notes.zip(0..).map(|(text, at)| note(text, at)).collect();
        let notes = TaskNotes { task: &task, notes, secret: &secret };
        let limits = PackLimits {
            budget_tokens: 4000,
            ceiling: Ceiling::None,
            parts: PartCount::ONE,
            shares: Shares::default(),
        };
        let packed = pack("shop", &[&notes], &limits);
        let text = &packed.parts[0].text;
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
        assert_eq!(
            lines,
            [
                "- @backend: DECISION: argon2, because bcrypt truncates",
                "- @backend: Decided: no cookies",
                "- @backend: three",
                "- @backend: four",
                "- @backend: five",
            ]
        );
        assert!(text.contains("2 more notes: `pacenote task show t-00002`."), "{text}");
    }
}
