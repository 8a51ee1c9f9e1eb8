//! What an earlier session left behind for this one: what nobody else knows, each thing once.

use pacenote_model::{Number, Trust, limits};

use super::section::naming;
use crate::{
    digest::digest_of,
    escape::{Escaped, Fence, InstallSecret, Shape},
    fragment::{Again, Choice, Fragment, FragmentKind, FragmentRow, Frame, Item, ItemId, Share},
    handoff::{Topic, lines_of},
    wording::one_line,
};

pub(super) static ROW: FragmentRow = FragmentRow {
    word: "handoff",
    shape: Shape::Block,
    heading: "Handoff",
    is_quoted: true,
    cap: limits::READING_TOKENS,
    // What was asked and said last, and what was to be done next.
    share: Share { percent: 5, floor: 300 },
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
    /// What it says, a passage for each topic.
    sections: Vec<(Topic, Escaped)>,
    secret: &'a InstallSecret,
}

impl<'a> Handoff<'a> {
    /// Brings what a session left behind, and says how to read all of it.
    pub fn of(
        session: Number,
        handoff: &pacenote_model::Handoff,
        file: &str,
        secret: &'a InstallSecret,
    ) -> Self {
        let section = |(topic, form): (Topic, TopicForm)| {
            let lines = lines_of(handoff, topic);
            (!lines.is_empty()).then(|| (topic, Escaped::body(&write(topic, form, &lines), TRUST)))
        };
        let sections = SHOWN.into_iter().filter_map(section).collect();
        Self { session, file: one_line(file, PATH_CHARACTERS), sections, secret }
    }
}

/// Its texts went through the store, where any agent may have set them: also the person's words.
const TRUST: Trust = Trust::Agent;

/// How a topic is written.
#[derive(Clone, Copy)]
enum TopicForm {
    /// A text after its name.
    Text,
    /// A line for each of several.
    Lines,
    /// Names on one line.
    Names,
}

/// What a reader cannot have from anywhere else, in the order in which it is read and, where room is
/// short, kept. Open tasks, mail, activity, branch and commits are found elsewhere.
const SHOWN: [(Topic, TopicForm); 15] = [
    (Topic::ActiveTask, TopicForm::Text),
    (Topic::LastRequest, TopicForm::Text),
    (Topic::LastWords, TopicForm::Text),
    (Topic::OpenQuestions, TopicForm::Lines),
    (Topic::CurrentState, TopicForm::Text),
    (Topic::NextSteps, TopicForm::Lines),
    // What a new session would otherwise try or decide a second time.
    (Topic::Decisions, TopicForm::Lines),
    (Topic::Notes, TopicForm::Lines),
    (Topic::DidNotWork, TopicForm::Lines),
    (Topic::Problems, TopicForm::Lines),
    (Topic::FirstRequest, TopicForm::Text),
    (Topic::Done, TopicForm::Lines),
    (Topic::ChangedFiles, TopicForm::Names),
    (Topic::References, TopicForm::Lines),
    (Topic::Skills, TopicForm::Names),
];

/// Most names on one line; the others are counted.
const NAMES: usize = 10;

/// Writes what a topic says behind its name.
fn write(topic: Topic, form: TopicForm, lines: &[String]) -> String {
    let name = if topic == Topic::ChangedFiles {
        "Changed files, not committed"
    } else if topic == Topic::ActiveTask {
        "Worked on"
    } else {
        topic.heading()
    };
    match (form, lines) {
        (TopicForm::Text | TopicForm::Lines, [line]) => format!("{name}: {line}"),
        (TopicForm::Text, lines) => format!("{name}:\n{}", lines.join("\n")),
        (TopicForm::Lines, lines) => format!("{name}:\n- {}", lines.join("\n- ")),
        (TopicForm::Names, names) => {
            let shown = names.get(..NAMES).unwrap_or(names);
            let more = match names.len() - shown.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{name}: {}{more}", shown.join(", "))
        }
    }
}

impl Fragment for Handoff<'_> {
    fn kind(&self) -> FragmentKind {
        FragmentKind::HANDOFF
    }

    fn trust(&self) -> Trust {
        TRUST
    }

    fn reason(&self) -> String {
        format!("session {} left it for the next one", self.session)
    }

    fn frame(&self) -> Frame {
        let texts = self.sections.iter().map(|(_, text)| text.as_str());
        Frame::of_lines(FragmentKind::HANDOFF.tag())
            .with("session", self.session.to_string())
            .fenced(Fence::new(self.secret, &digest_of(texts)), TRUST)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::{Ceiling, PackLimits, PartCount, Shares, pack};

    fn texts(items: &[&str]) -> Vec<String> {
        items.iter().map(|item| (*item).to_owned()).collect()
    }

    fn injected(handoff: &pacenote_model::Handoff) -> String {
        let secret = InstallSecret::new([7; 32]);
        let handoff = Handoff::of(Number::new(4), handoff, "`pacenote x`", &secret);
        let limits = PackLimits {
            budget_tokens: 4000,
            ceiling: Ceiling::None,
            parts: PartCount::ONE,
            shares: Shares::default(),
        };
        let packed = pack("shop", &[&handoff], &limits);
        packed.parts.first().map(|part| part.text.clone()).unwrap_or_default()
    }

    #[test]
    fn a_reader_gets_what_nobody_else_knows() {
        let handoff = pacenote_model::Handoff {
            last_request: Some("write the reader,\nkeep the comments".to_owned()),
            last_words: Some("The reader works: `Vec<Section>`.".to_owned()),
            open_questions: texts(&["Which writer?"]),
            next_steps: texts(&["Write the writer", "Run it at start"]),
            notes: texts(&["DECISION: tomlkit"]),
            active_task: Some("t-1 Read the old file".to_owned()),
            files_modified: (1..=12).map(|n| format!("src/{n}.rs")).collect(),
            active_skills: texts(&["test-driven-development"]),
            // What follows is found elsewhere.
            branch: Some("main".to_owned()),
            commit: Some("1a2b3c4".to_owned()),
            open_tasks: texts(&["t-2 Write"]),
            git_commits: texts(&["1a2b3c4 Add"]),
            unread_mail: texts(&["#7 from @june"]),
            recent_activity: texts(&["@june closed t-9"]),
            compact_summary: Some("We built it.".to_owned()),
            ..pacenote_model::Handoff::default()
        };
        insta::assert_snapshot!(injected(&handoff), @r##"
        <pacenote project="shop">
        <handoff trust="agent" session="#4" fence="ade504610627">
        Worked on: t-1 Read the old file
        Last request:
        write the reader,
        keep the comments
        Last words: The reader works: `Vec<Section>`.
        Open questions: Which writer?
        Next steps:
        - Write the writer
        - Run it at start
        Notes: DECISION: tomlkit
        Changed files, not committed: src/1.rs, src/2.rs, src/3.rs, src/4.rs, src/5.rs, src/6.rs, src/7.rs, src/8.rs, src/9.rs, src/10.rs and 2 more
        Skills in use: test-driven-development
        [end of ade504610627]
        </handoff>
        </pacenote>
        "##);
        assert_eq!(injected(&pacenote_model::Handoff::default()), "");
    }
}
