//! The task tree with the mark on the current task, folded when there is little room.

use pacenote_model::{AgentName, Forest, Trust};

use crate::{
    escape::{Escaped, TagName},
    fold::Folding,
    fragment::{Fragment, Frame, Item, ItemId, Kind},
    position::{Naming, Position},
    size::Size,
};

/// The tree of a project.
#[derive(Clone, Copy, Debug)]
pub struct TaskTree<'a> {
    /// The tasks.
    pub forest: &'a Forest<'a>,
    /// Who looks at them.
    pub agent: Option<&'a AgentName>,
}

impl TaskTree<'_> {
    fn folding(&self) -> Folding<'_, '_> {
        Folding::new(self.forest, &Position::of(self.forest, self.agent, Naming::Id))
    }
}

impl Fragment for TaskTree<'_> {
    fn kind(&self) -> Kind {
        Kind::Tasks
    }

    fn trust(&self) -> Trust {
        Trust::Agent
    }

    fn reason(&self) -> String {
        "every briefing shows the plan round the current task".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(TagName::Tasks)
    }

    fn items(&self) -> Vec<Item> {
        if self.forest.children(None).is_empty() {
            return Vec::new();
        }
        let text = Escaped::lines(self.folding().whole());
        Vec::from([Item { id: ItemId::only(Kind::Tasks), label: String::new(), text }])
    }

    fn folded(&self, room: Size) -> Option<Escaped> {
        let tree = self.folding();
        let rungs: [&dyn Fn() -> Option<Vec<Escaped>>; 3] =
            [&|| Some(tree.without_finished()), &|| Some(tree.without_other_steps()), &|| {
                tree.nearest(room)
            }];
        let texts = rungs.iter().filter_map(|rung| rung().map(Escaped::lines));
        texts.into_iter().find(|text| Size::of(text.as_str()).fits(room))
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        (!left_out.is_empty()).then(|| Escaped::text("Tasks: `pacenote task list`."))
    }
}

#[cfg(test)]
mod tests;
