//! What happened lately, newest last.

use pacenote_model::{AgentName, Moment, Sequence, Trust, limits};

use crate::{
    escape::{Escaped, Shape},
    fragment::{Again, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    wording::{counted, one_line},
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "activity",
    shape: Shape::Block,
    heading: "Recent activity",
    is_quoted: false,
    cap: limits::ACTIVITY_TOKENS,
    // The last two events.
    share: Share { percent: 1, floor: 60 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Longest account of an event, in characters: a title of a task and a verb.
const EVENT_CHARACTERS: usize = 160;

/// The latest events of a project.
#[derive(Clone, Debug, Default)]
pub struct RecentActivity {
    /// The events, oldest first; of more than [`limits::LISTED_EVENTS`] the latest are told.
    pub lines: Vec<ActivityLine>,
}

/// One event.
#[derive(Clone, Debug)]
pub struct ActivityLine {
    /// Its place in the journal.
    pub sequence: Sequence,
    /// When it was recorded.
    pub at: Moment,
    /// Who did it.
    pub actor: AgentName,
    /// What was done, such as `closed t-00001 Add user model`.
    pub what: String,
}

impl Fragment for RecentActivity {
    fn kind(&self) -> FragmentKind {
        FragmentKind::ACTIVITY
    }

    fn trust(&self) -> Trust {
        Trust::Agent
    }

    fn reason(&self) -> String {
        "others may have worked here since".to_owned()
    }

    fn frame(&self) -> Frame {
        Frame::of_lines(FragmentKind::ACTIVITY.tag())
    }

    fn items(&self) -> Vec<Item> {
        let item = |line: &ActivityLine| {
            let ActivityLine { sequence, at, actor, what } = line;
            let what = one_line(what, EVENT_CHARACTERS);
            Item {
                id: ItemId::of(FragmentKind::ACTIVITY, sequence.get()),
                label: String::new(),
                text: Escaped::text(&format!("- {} @{actor} {what}", at.minute())),
            }
        };
        let latest = self.lines.len().saturating_sub(limits::LISTED_EVENTS);
        self.lines.iter().skip(latest).map(item).collect()
    }

    fn scores(&self) -> Vec<u32> {
        (0..).take(self.lines.len().min(limits::LISTED_EVENTS)).collect()
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        let earlier = counted(left_out.len(), "earlier event");
        (!left_out.is_empty()).then(|| Escaped::text(&format!("Not shown: {earlier}.")))
    }
}
