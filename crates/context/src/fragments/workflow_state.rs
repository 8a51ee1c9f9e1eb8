//! Where a run of a workflow stands: the step at hand, and the one thing to do next.
//!
//! A reader that has lost its context gets the step whole; one that has not is reminded in a line.

use pacenote_model::{KeptRun, Trust, limits};

use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    wording::one_line,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "workflow",
    shape: Shape::Block,
    heading: "Workflow",
    is_quoted: true,
    cap: limits::READING_TOKENS,
    // A step of usual length; without it nobody knows what to do.
    share: Share { percent: 0, floor: 1_600 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Longest name of a workflow or a step, in characters.
const NAME_CHARACTERS: usize = 120;

/// Longest instruction, in characters: a command with a path or two.
const NEXT_CHARACTERS: usize = 600;

/// A run that the reader moves, or could move.
#[derive(Clone, Copy, Debug)]
pub struct WorkflowState<'a> {
    pub run: &'a KeptRun,
    /// How much is told of it.
    pub extent: RunExtent,
    /// What the fence is made with.
    pub secret: &'a InstallSecret,
}

/// How much is told of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunExtent {
    /// The whole step.
    Whole,
    /// Which step it is, and what to do next.
    Line,
    /// That it waits for somebody to take it on.
    Waiting,
}

impl WorkflowState<'_> {
    /// Returns the name of what is told: another one as soon as the run was moved.
    pub fn id(run: &KeptRun) -> ItemId {
        ItemId::of(FragmentKind::WORKFLOW, format!("{}/{}", run.number, run.revision))
    }

    fn line(&self) -> String {
        let KeptRun { number, workflow, card, .. } = self.run;
        let name = one_line(workflow, NAME_CHARACTERS);
        let title = one_line(&card.title, NAME_CHARACTERS);
        let place =
            format!("Run {number} of `{name}`: step {}/{}, {title}.", card.step, card.total);
        match self.extent {
            RunExtent::Waiting => format!(
                "{place} Another session began it; `pacenote flow status {}` shows the step.",
                number.get()
            ),
            RunExtent::Whole | RunExtent::Line => format!("{place} {}", self.next()),
        }
    }

    fn next(&self) -> String {
        one_line(&self.run.card.next, NEXT_CHARACTERS)
    }
}

impl Fragment for WorkflowState<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::WORKFLOW
    }

    fn trust(&self) -> Trust {
        // The person's definitions and ours are theirs; a repository's are its own.
        if self.run.file.is_some() { Trust::Project } else { Trust::User }
    }

    fn reason(&self) -> String {
        match self.extent {
            RunExtent::Whole | RunExtent::Line => "the session follows this workflow".to_owned(),
            RunExtent::Waiting => "the run is under way in this project".to_owned(),
        }
    }

    fn frame(&self) -> Frame {
        let fence = Fence::new(self.secret, &digest_of([self.run.card.text.as_str()]));
        let frame = Frame::of_lines(FragmentKind::WORKFLOW.tag());
        match self.extent {
            RunExtent::Whole => frame.fenced(fence, self.trust()),
            RunExtent::Line | RunExtent::Waiting => frame,
        }
    }

    fn items(&self) -> Vec<Item> {
        let text = match self.extent {
            RunExtent::Whole => {
                let about = format!("Run {}: you are at this step.", self.run.number);
                Escaped::text(&format!("{about}\n{}", self.run.card.text.trim_end()))
            }
            RunExtent::Line | RunExtent::Waiting => Escaped::text(&self.line()),
        };
        Vec::from([Item { id: Self::id(self.run), label: String::new(), text }])
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        if left_out.is_empty() {
            return None;
        }
        let number = self.run.number.get();
        let line = format!("{} `pacenote flow status {number}` shows all of it.", self.line());
        Some(Escaped::text(&line))
    }
}
