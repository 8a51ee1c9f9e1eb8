//! What a subagent is there for: its task, how to do it, and what is left to the one who sent it.
//!
//! An explorer knows from its prompt what to look for; whatever else it reads costs as much as it
//! finds. The others read of the task they were given, and of no other. The text of the task, the goal
//! of the plan and the skill are fragments of their own.

use pacenote_model::{Task, Trust, limits};

use crate::{
    errand::is_review,
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    role::Role,
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

/// What a subagent is there for.
#[derive(Clone, Debug)]
pub struct RoleNote<'a> {
    pub role: Role,
    /// The task it was given.
    pub task: Option<&'a Task>,
    /// The task of which that is a step.
    pub whole: Option<&'a Task>,
    /// Who wrote the prompt beside which it stands.
    pub prompt: PromptBy,
    /// Who says how to go about it.
    pub instructions: InstructionsBy,
}

/// Who wrote the prompt of a subagent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptBy {
    /// The agent that started it: that says what it looks for, plans or writes.
    Caller,
    /// We: nothing else says how to go about it.
    Us,
}

/// Who says how a role is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionsBy {
    Us,
    /// A role prompt of the project, or the prompt itself.
    Others,
}

/// One thing a subagent reads. The order is the order of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RolePart<'a> {
    Task(&'a Task),
    Instructions,
    Reporting(&'a Task),
}

impl RolePart<'_> {
    const fn name(self) -> &'static str {
        match self {
            Self::Task(_) => "task",
            Self::Instructions => "instructions",
            Self::Reporting(_) => "reporting",
        }
    }
}

impl RoleNote<'_> {
    /// Reports whether there is anything to read.
    pub fn is_empty(&self) -> bool {
        self.parts().is_empty()
    }

    fn parts(&self) -> Vec<RolePart<'_>> {
        let says_how = match (self.role, self.prompt) {
            (Role::Implementer | Role::Reviewer, _) | (_, PromptBy::Us) => true,
            (Role::Explorer | Role::Planner | Role::Writer | Role::Other, PromptBy::Caller) => {
                false
            }
        };
        let says_how = says_how && self.instructions == InstructionsBy::Us;
        let task = match self.role {
            Role::Explorer => None,
            Role::Implementer | Role::Reviewer | Role::Planner | Role::Writer | Role::Other => {
                self.task
            }
        };
        // Who changes nothing has nothing to leave to others.
        let reporting = match self.role {
            Role::Implementer | Role::Writer | Role::Other => task,
            Role::Explorer | Role::Reviewer | Role::Planner => None,
        };
        let parts = [
            task.map(RolePart::Task),
            says_how.then_some(RolePart::Instructions),
            reporting.map(RolePart::Reporting),
        ];
        parts.into_iter().flatten().collect()
    }

    fn text(&self, part: RolePart<'_>) -> Escaped {
        match part {
            RolePart::Task(task) => {
                // A step that is itself a review is done, not reviewed.
                let judges = self.role == Role::Reviewer && !is_review(task.title.as_str());
                let verb = if judges { "Review" } else { "Your task is" };
                let whole = self
                    .whole
                    .map(|whole| format!(", a step of {} \"{}\"", whole.short, whole.title));
                let whole = whole.unwrap_or_default();
                Escaped::text(&format!("{verb} {} \"{}\"{whole}.", task.short, task.title))
            }
            RolePart::Instructions => {
                let lines = match self.task {
                    Some(_) => self.role.instructions(),
                    None => self.role.instructions_without_task(),
                };
                let lines = lines.iter().map(|line| format!("- {line}"));
                Escaped::text(&lines.collect::<Vec<_>>().join("\n"))
            }
            RolePart::Reporting(task) => {
                let id = &task.short;
                Escaped::text(&format!(
                    "The agent that sent you keeps the tasks: do not claim, note, block or close \
                     any. To read yours: `pacenote task show {id}`."
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
        let quotes = self.parts().iter().any(|part| matches!(part, RolePart::Task(_)));
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
