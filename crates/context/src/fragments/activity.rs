//! What happened lately, newest last.

use pacenote_model::{Moment, Trust, limits};

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

/// Longest account of an event, in characters: a title of a task and a verb, or the first line of a
/// note.
const EVENT_CHARACTERS: usize = 200;

/// The latest events of a project.
#[derive(Clone, Debug, Default)]
pub struct RecentActivity {
    /// The events, oldest first; of more than [`limits::LISTED_EVENTS`] the latest are told.
    pub lines: Vec<ActivityLine>,
}

/// One event.
#[derive(Clone, Debug)]
pub struct ActivityLine {
    /// What distinguishes it from the others.
    pub id: String,
    /// When it happened.
    pub at: Moment,
    /// Who did or said what: `@backend closed t-00001 "Add user model"`, `@backend: Ready for review`.
    pub account: String,
}

impl ActivityLine {
    /// Writes the line for a reader who knows the day of the newest one.
    fn text(&self, newest: Option<&Self>) -> String {
        let account = one_line(&self.account, EVENT_CHARACTERS);
        if newest.is_none_or(|newest| newest.at.day() == self.at.day()) {
            format!("- {} {account}", self.at.time_of_day())
        } else {
            format!("- {} {account}", self.at.minute())
        }
    }
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
        let newest = self.lines.last();
        let item = |line: &ActivityLine| Item {
            id: ItemId::of(FragmentKind::ACTIVITY, &line.id),
            label: String::new(),
            text: Escaped::text(&line.text(newest)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_is_named_where_it_is_another_than_that_of_the_newest() {
        let line = |id: &str, minutes: u32| ActivityLine {
            id: id.to_owned(),
            at: Moment::from_millis(1_763_235_912_345).plus_minutes(minutes),
            account: format!("@backend: {id}"),
        };
        let lines = Vec::from([line("one", 0), line("two", 24 * 60), line("three", 24 * 60 + 5)]);
        let items = RecentActivity { lines }.items();
        let texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "- 2025-11-15 19:45 @backend: one",
                "- 19:45 @backend: two",
                "- 19:50 @backend: three"
            ]
        );
    }
}
