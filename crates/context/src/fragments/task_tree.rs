//! The task tree with the mark on the current task, folded when there is little room.

use pacenote_model::{AgentName, Forest, Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fold::{Folding, StepForm},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    position::{Naming, Position},
    size::Size,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "tasks",
    shape: Shape::Block,
    heading: "Current tasks",
    is_quoted: false,
    cap: limits::TASK_TREE_TOKENS,
    // The current task, the steps beside it and a count of the others.
    share: Share { percent: 8, floor: 250 },
    again: Again::WhenChanged,
    is_first: false,
};

/// The tree of a project.
#[derive(Debug)]
pub struct TaskTree<'f, 'a> {
    folding: Folding<'f, 'a>,
}

impl<'f, 'a> TaskTree<'f, 'a> {
    /// Shows the tasks as one agent sees them.
    pub fn of(forest: &'f Forest<'a>, agent: Option<&AgentName>) -> Self {
        let position = Position::of(forest, agent, Naming::Id);
        Self { folding: Folding::new(forest, &position) }
    }

    /// Names the steps of the current task by number where the plan beside the tree has their titles.
    #[must_use]
    pub fn beside_plan(self) -> Self {
        Self { folding: self.folding.with_steps(StepForm::Numbers) }
    }
}

impl Fragment for TaskTree<'_, '_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::TASKS
    }

    fn trust(&self) -> Trust {
        Trust::Agent
    }

    fn reason(&self) -> String {
        "every briefing shows the plan round the current task".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::TASKS.tag())
    }

    fn items(&self) -> Vec<Item> {
        // A project without tasks has an empty text, which says nothing.
        let text = if self.folding.is_one_task() {
            Escaped::default()
        } else {
            self.folding.round_focus()
        };
        Vec::from([Item { id: ItemId::only(FragmentKind::TASKS), label: String::new(), text }])
    }

    fn folded(&self, room: Size) -> Option<Escaped> {
        self.folding.within(room)
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        (!left_out.is_empty()).then(|| Escaped::text("Tasks: `pacenote task list`."))
    }
}

#[cfg(test)]
mod tests;
