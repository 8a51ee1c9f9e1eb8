//! What a subagent is there for: its task, how to do it, and how to report.
//!
//! An explorer knows from its prompt what to look for; whatever else it reads costs as much as it
//! finds. An implementer and a reviewer need their task, the others the place in the work. The text
//! of the task, the goal of the plan and the skill are fragments of their own.

use pacenote_model::{Task, Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    role::Role,
    wording::one_line,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "role",
    shape: Shape::Block,
    heading: "Your role",
    is_quoted: false,
    cap: limits::READING_TOKENS,
    // All of it: a subagent that does not know its task does something else.
    share: Share { percent: 2, floor: 600 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Longest sentence about the position, in characters: it quotes two titles.
const POSITION_CHARACTERS: usize = 800;

/// What a subagent is there for.
#[derive(Clone, Debug)]
pub struct RoleNote<'a> {
    pub role: Role,
    /// The task it was given.
    pub task: Option<&'a Task>,
    /// Where the work stands, in one sentence.
    pub position: String,
    /// Who wrote the prompt beside which it stands.
    pub prompt: PromptBy,
}

/// Who wrote the prompt of a subagent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptBy {
    /// Whoever started it: that says what it looks for, plans or writes.
    Caller,
    /// We: nothing else says how to go about it.
    Us,
}

/// One thing a subagent reads. The order is the order of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RolePart<'a> {
    Position(&'a str),
    Task(&'a Task),
    Instructions,
    Reporting(&'a Task),
}

impl RolePart<'_> {
    const fn name(self) -> &'static str {
        match self {
            Self::Position(_) => "position",
            Self::Task(_) => "task",
            Self::Instructions => "instructions",
            Self::Reporting(_) => "reporting",
        }
    }

    const fn quotes_titles(self) -> bool {
        match self {
            Self::Position(_) | Self::Task(_) => true,
            Self::Instructions | Self::Reporting(_) => false,
        }
    }
}

impl RoleNote<'_> {
    fn parts(&self) -> Vec<RolePart<'_>> {
        let task = self.task.map(RolePart::Task);
        let position = Some(RolePart::Position(&self.position));
        let instructions = Some(RolePart::Instructions);
        let parts = match (self.role, self.prompt) {
            (Role::Implementer, _) => [task, instructions, self.task.map(RolePart::Reporting)],
            (Role::Reviewer, _) => [task, instructions, None],
            (Role::Explorer, PromptBy::Caller) => [None; 3],
            (Role::Planner | Role::Writer | Role::Other, PromptBy::Caller) => {
                [position, None, None]
            }
            (Role::Explorer, PromptBy::Us) => [None, instructions, None],
            (Role::Planner | Role::Writer | Role::Other, PromptBy::Us) => {
                [task.or(position), instructions, None]
            }
        };
        parts.into_iter().flatten().collect()
    }

    fn text(&self, part: RolePart<'_>) -> Escaped {
        match part {
            // In a sentence of ours: what titles bring must not begin a line.
            RolePart::Position(sentence) => {
                let sentence = one_line(sentence, POSITION_CHARACTERS);
                Escaped::text(&format!("Where the work stands: {sentence}"))
            }
            RolePart::Task(task) => {
                let verb = if self.role == Role::Reviewer { "Review" } else { "Your task is" };
                Escaped::text(&format!("{verb} {} \"{}\".", task.short, task.title))
            }
            RolePart::Instructions => {
                let lines = self.role.instructions().iter().map(|line| format!("- {line}"));
                Escaped::text(&lines.collect::<Vec<_>>().join("\n"))
            }
            RolePart::Reporting(task) => {
                let id = &task.short;
                Escaped::text(&format!(
                    "Write down what others must know: `pacenote task note {id} \"TEXT\"`. If you \
                     cannot go on: `pacenote task block {id} \"WHY\"`. Closing the task is left to \
                     whoever gave it to you: report what changed and which tests ran."
                ))
            }
        }
    }
}

impl Fragment for RoleNote<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::ROLE
    }

    fn trust(&self) -> Trust {
        let quotes = self.parts().into_iter().any(RolePart::quotes_titles);
        if quotes { Trust::Agent } else { Trust::System }
    }

    fn reason(&self) -> String {
        format!("a subagent begins as {}", self.role)
    }

    fn frame(&self) -> Frame {
        Frame::of_passages(FragmentKind::ROLE.tag()).with("as", self.role.word())
    }

    fn items(&self) -> Vec<Item> {
        let item = |part: RolePart<'_>| Item {
            id: ItemId::of(FragmentKind::ROLE, part.name()),
            label: String::new(),
            text: self.text(part),
        };
        self.parts().into_iter().map(item).collect()
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        let task = self.task.filter(|_| !left_out.is_empty())?;
        let line = format!("More about the task: `pacenote task show {}`.", task.short);
        Some(Escaped::text(&line))
    }
}

#[cfg(test)]
mod tests;
