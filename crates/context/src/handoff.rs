//! A handoff as the Markdown document that is kept beside the project.
//!
//! A person may read and change it, so it is read leniently; what has no heading of ours is where
//! things stand. It names no times, and every text in it that somebody else wrote is a quoted literal.

use pacenote_model::{Handoff, HostName, Number, Trust};

use crate::{
    escape::{Escaped, visible},
    wording::one_line,
};

mod conversation;
mod literal;
mod questions;
mod reading;

pub use conversation::Conversation;
use literal::{BULLET, write_literal};
pub use questions::split_questions;
pub use reading::parse;

/// Most items of one list: a page. What came before is in the journal.
pub const LIST_ITEMS: usize = 40;

/// Longest item, in characters: a title or a sentence.
pub const ITEM_CHARACTERS: usize = 400;

/// Longest text that is no list, in characters. The summaries that hosts make have about so much.
pub const TEXT_CHARACTERS: usize = 16_000;

/// What the title of a document begins with.
const TITLE: &str = "# Handoff of session";

/// What begins the line of the branch.
const BRANCH: &str = "branch";

/// What begins the line of the commit.
const COMMIT: &str = "commit";

/// What stands before the number of items that are missing.
const MORE: &str = "… and ";

/// What stands after it.
const MORE_END: &str = " more";

/// What a section of the document is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// Where things stand.
    CurrentState,
    /// What to do next.
    NextSteps,
    /// What was done.
    Done,
    /// What was decided.
    Decisions,
    /// What stood in the way.
    Problems,
    /// What was tried in vain.
    DidNotWork,
    /// Files and pages worth reading.
    References,
    /// What the person asked for first.
    FirstRequest,
    /// What the person asked for last.
    LastRequest,
    /// What the agent said last.
    LastWords,
    /// What the agent asked, and nobody answered.
    OpenQuestions,
    /// What was written down about the task.
    Notes,
    /// The task that was worked on.
    ActiveTask,
    /// The tasks that are left.
    OpenTasks,
    /// The branch and the commit.
    Git,
    /// Commits that were made.
    Commits,
    /// Files that were changed and not committed.
    ChangedFiles,
    /// Messages that nobody read.
    UnreadMail,
    /// What happened lately.
    RecentActivity,
    /// The skills that were in use.
    Skills,
    /// The host's own summary.
    Summary,
}

impl Topic {
    /// Every topic, in the order of the document.
    pub const ALL: [Self; 21] = [
        Self::LastRequest,
        Self::LastWords,
        Self::OpenQuestions,
        Self::CurrentState,
        Self::NextSteps,
        Self::Done,
        Self::Decisions,
        Self::Problems,
        Self::DidNotWork,
        Self::References,
        Self::FirstRequest,
        Self::Notes,
        Self::ActiveTask,
        Self::OpenTasks,
        Self::Git,
        Self::Commits,
        Self::ChangedFiles,
        Self::UnreadMail,
        Self::RecentActivity,
        Self::Skills,
        Self::Summary,
    ];

    /// Returns the heading of its section.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::CurrentState => "Current state",
            Self::NextSteps => "Next steps",
            Self::Done => "Done",
            Self::Decisions => "Decisions",
            Self::Problems => "Problems",
            Self::DidNotWork => "What did not work",
            Self::References => "References",
            Self::FirstRequest => "First request",
            Self::LastRequest => "Last request",
            Self::LastWords => "Last words",
            Self::OpenQuestions => "Open questions",
            Self::Notes => "Notes",
            Self::ActiveTask => "Active task",
            Self::OpenTasks => "Open tasks",
            Self::Git => "Git",
            Self::Commits => "Commits",
            Self::ChangedFiles => "Changed files",
            Self::UnreadMail => "Unread mail",
            Self::RecentActivity => "Recent activity",
            Self::Skills => "Skills in use",
            Self::Summary => "Summary by the client",
        }
    }
}

/// Writes the document.
pub fn render(handoff: &Handoff, session: Number, host: &HostName) -> String {
    format!("{TITLE} {session} ({host})\n{}", render_sections(handoff))
}

/// Writes the document without its title.
pub fn render_sections(handoff: &Handoff) -> String {
    let mut document = String::new();
    for (_, section) in sections(handoff) {
        document.push('\n');
        document.push_str(section.as_str());
        document.push('\n');
    }
    document
}

/// Returns the lines of what a topic says, tidied and not escaped; empty when that is nothing. The
/// branch and the commit are left to the document.
pub(crate) fn lines_of(handoff: &Handoff, topic: Topic) -> Vec<String> {
    let mut kept = handoff.clone();
    let mut slot = slot(&mut kept, topic);
    tidy(&mut slot);
    match slot {
        Slot::Text(text) => text.lines().map(str::to_owned).collect(),
        Slot::Passage(text) => {
            text.iter().flat_map(|text| text.lines()).map(str::to_owned).collect()
        }
        Slot::List(items) => items.clone(),
        Slot::Git { .. } => Vec::new(),
    }
}

/// Writes the sections that say anything, each with its heading, in the order of the document.
fn sections(handoff: &Handoff) -> Vec<(Topic, Escaped)> {
    let mut kept = handoff.clone();
    let section = |topic: Topic| {
        let text = written(slot(&mut kept, topic))?;
        let section = format!("## {}\n\n{text}", topic.heading());
        // Comments stay, in full view: escaped they are text like any other, and nothing is lost.
        Some((topic, Escaped::document(&section, Trust::Project)))
    };
    Topic::ALL.into_iter().filter_map(section).collect()
}

/// The place of a topic in a handoff.
enum Slot<'h> {
    Text(&'h mut String),
    Passage(&'h mut Option<String>),
    List(&'h mut Vec<String>),
    Git { branch: &'h mut Option<String>, commit: &'h mut Option<String> },
}

fn slot(handoff: &mut Handoff, topic: Topic) -> Slot<'_> {
    match topic {
        Topic::CurrentState => Slot::Text(&mut handoff.current_state),
        Topic::NextSteps => Slot::List(&mut handoff.next_steps),
        Topic::Done => Slot::List(&mut handoff.what_was_accomplished),
        Topic::Decisions => Slot::List(&mut handoff.key_decisions),
        Topic::Problems => Slot::List(&mut handoff.problems_encountered),
        Topic::DidNotWork => Slot::List(&mut handoff.what_didnt_work),
        Topic::References => Slot::List(&mut handoff.references),
        Topic::FirstRequest => Slot::Passage(&mut handoff.initial_goal),
        Topic::LastRequest => Slot::Passage(&mut handoff.last_request),
        Topic::LastWords => Slot::Passage(&mut handoff.last_words),
        Topic::OpenQuestions => Slot::List(&mut handoff.open_questions),
        Topic::Notes => Slot::List(&mut handoff.notes),
        Topic::ActiveTask => Slot::Passage(&mut handoff.active_task),
        Topic::OpenTasks => Slot::List(&mut handoff.open_tasks),
        Topic::Git => Slot::Git { branch: &mut handoff.branch, commit: &mut handoff.commit },
        Topic::Commits => Slot::List(&mut handoff.git_commits),
        Topic::ChangedFiles => Slot::List(&mut handoff.files_modified),
        Topic::UnreadMail => Slot::List(&mut handoff.unread_mail),
        Topic::RecentActivity => Slot::List(&mut handoff.recent_activity),
        Topic::Skills => Slot::List(&mut handoff.active_skills),
        Topic::Summary => Slot::Passage(&mut handoff.compact_summary),
    }
}

/// Writes what stands below a heading, not escaped yet; `None` when that is nothing.
fn written(mut slot: Slot<'_>) -> Option<String> {
    let left_out = tidy(&mut slot);
    let line = |text: &str| format!("{BULLET}{}", write_literal(text));
    let lines: Vec<String> = match slot {
        Slot::Text(text) => text.lines().map(line).collect(),
        Slot::Passage(text) => text.as_deref()?.lines().map(line).collect(),
        Slot::List(items) => {
            let more = (left_out > 0).then(|| format!("{BULLET}{}", more_of(left_out)));
            items.iter().map(|item| line(item)).chain(more).collect()
        }
        Slot::Git { branch, commit } => {
            let named = |(name, value): (&str, &mut Option<String>)| {
                Some(format!("{BULLET}{name}: {}", write_literal(value.as_deref()?)))
            };
            [(BRANCH, branch), (COMMIT, commit)].into_iter().filter_map(named).collect()
        }
    };
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Brings a value into the form that is kept: within the caps, its white space in order, without
/// what nobody would see. Returns how many items of a list were left out.
fn tidy(slot: &mut Slot<'_>) -> usize {
    let tidy_each = |value: &mut Option<String>, tidied: fn(&str) -> String| {
        *value = value.as_deref().map(tidied).filter(|text| !text.is_empty());
    };
    match slot {
        Slot::Text(text) => **text = passage(text),
        Slot::Passage(text) => tidy_each(text, passage),
        Slot::Git { branch, commit } => {
            tidy_each(branch, line);
            tidy_each(commit, line);
        }
        Slot::List(items) => {
            **items = items.iter().map(|item| line(item)).filter(|item| !item.is_empty()).collect();
            let left_out = items.len().saturating_sub(LIST_ITEMS);
            items.truncate(LIST_ITEMS);
            return left_out;
        }
    }
    0
}

/// Puts a text on one line.
fn line(raw: &str) -> String {
    one_line(&visible(raw), ITEM_CHARACTERS)
}

/// Keeps the lines of a text, without blank ends.
fn passage(raw: &str) -> String {
    let seen = visible(raw);
    let lines = seen.lines().map(str::trim_end).skip_while(|line| line.is_empty());
    shorten(&lines.collect::<Vec<_>>().join("\n"), TEXT_CHARACTERS)
}

/// Keeps the beginning of a text with its lines, cut at a word with `…` where it is longer.
pub fn shorten(text: &str, characters: usize) -> String {
    let text = text.trim_end();
    if text.chars().nth(characters).is_none() {
        return text.to_owned();
    }
    let mut kept: String = text.chars().take(characters.saturating_sub(1)).collect();
    let next = text.chars().nth(characters.saturating_sub(1));
    // A long word, and a script without spaces, has no better place to be cut.
    let is_near = |space: &usize| space.saturating_mul(4) >= kept.len().saturating_mul(3);
    if !next.is_some_and(char::is_whitespace)
        && let Some(space) = kept.rfind(char::is_whitespace).filter(is_near)
    {
        kept.truncate(space);
    }
    format!("{}…", kept.trim_end())
}

/// Says how many items are missing.
fn more_of(left_out: usize) -> String {
    format!("{MORE}{left_out}{MORE_END}")
}

#[cfg(test)]
mod tests;
