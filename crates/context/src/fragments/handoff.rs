//! What an earlier session left behind for this one, a section for each thing it says.

use std::cmp::Reverse;

use pacenote_model::{Number, Trust, limits};

use super::section::naming;
use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, Shape},
    fragment::{Again, Choice, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    handoff::{Topic, sections},
    wording::one_line,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "handoff",
    shape: Shape::Block,
    heading: "Handoff",
    is_quoted: true,
    cap: limits::READING_TOKENS,
    // Where things stood and what was to be done next.
    share: Share { percent: 5, floor: 150 },
    again: Again::WhenChanged,
    is_first: false,
};

/// Longest path shown, in characters.
const PATH_CHARACTERS: usize = 200;

/// A handoff.
#[derive(Clone, Debug)]
pub struct Handoff<'a> {
    session: Number,
    file: String,
    /// The sections that say anything, those that matter most first.
    sections: Vec<(Topic, Escaped)>,
    secret: &'a InstallSecret,
}

impl<'a> Handoff<'a> {
    /// Tells what a session left behind, and the file it is kept in.
    pub fn of(
        session: Number,
        handoff: &pacenote_model::Handoff,
        file: &str,
        secret: &'a InstallSecret,
    ) -> Self {
        let mut sections = sections(handoff);
        sections.sort_by_key(|(topic, _)| Reverse(weight(*topic)));
        Self { session, file: one_line(file, PATH_CHARACTERS), sections, secret }
    }
}

impl Fragment for Handoff<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::HANDOFF
    }

    fn trust(&self) -> Trust {
        Trust::Agent
    }

    fn reason(&self) -> String {
        format!("session {} left it for the next one", self.session)
    }

    fn frame(&self) -> Frame {
        let texts = self.sections.iter().map(|(_, text)| text.as_str());
        Frame::of_passages(FragmentKind::HANDOFF.tag())
            .with("session", self.session.to_string())
            .fenced(Fence::new(self.secret, &digest_of(texts)), Trust::Agent)
    }

    fn items(&self) -> Vec<Item> {
        let item = |(topic, text): &(Topic, Escaped)| {
            let heading = topic.heading();
            Item {
                id: ItemId::of(FragmentKind::HANDOFF, format_args!("{}#{heading}", self.session)),
                label: heading.to_owned(),
                text: text.clone(),
            }
        };
        self.sections.iter().map(item).collect()
    }

    fn choice(&self) -> Choice {
        Choice::Any
    }

    fn index(&self, left_out: &[&Item]) -> Option<Escaped> {
        if left_out.is_empty() {
            return None;
        }
        let (session, file) = (self.session, &self.file);
        Some(Escaped::text(&format!(
            "Handoff of session {session}, {}: read {file}.",
            naming(left_out)
        )))
    }
}

/// Returns how much a topic matters to whoever goes on.
const fn weight(topic: Topic) -> u8 {
    match topic {
        Topic::CurrentState => 16,
        Topic::NextSteps => 15,
        Topic::ActiveTask => 14,
        // What a new session would otherwise try again or decide anew.
        Topic::Decisions => 13,
        Topic::DidNotWork => 12,
        Topic::Problems => 11,
        Topic::FirstRequest => 10,
        Topic::Done => 9,
        Topic::Git => 8,
        Topic::ChangedFiles => 7,
        Topic::References => 6,
        Topic::Skills => 5,
        // What follows is found elsewhere: in the tree, in git, in the inbox, in the journal.
        Topic::OpenTasks => 4,
        Topic::Commits => 3,
        Topic::UnreadMail => 2,
        Topic::RecentActivity => 1,
        Topic::Summary => 0,
    }
}
