//! Which task a subagent was given.
//!
//! A host tells what a subagent is asked before it begins, and that it begins without saying what
//! for. Where several of one type are asked at once it cannot be told which is which, and a wrong
//! task is worse than none.

use std::collections::BTreeSet;

use pacenote_context::role::Role;
use pacenote_model::{Record, Task, TaskId};

/// Shortest title, in characters, by which a task is recognised in running text.
const TITLE_CHARACTERS: usize = 12;

/// The word of the event that ends a turn's questions.
const PROMPT: &str = "prompt";

/// What a subagent was given to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Task(TaskId),
    /// One of several; its own prompt says which.
    Unclear,
}

/// Returns what a subagent of a type is given now, from the log of the session that asked; `None`
/// when nobody named a task.
pub(crate) fn given(records: &[Record], agent_type: &str, tasks: &[Task]) -> Option<Given> {
    let mut waiting: Vec<&str> = Vec::new();
    let mut begun = 0;
    for record in records {
        match record {
            Record::Asked { agent_type: asked, prompt, .. } if asked == agent_type => {
                waiting.push(prompt);
            }
            Record::Begun { agent_type: other, .. } if other == agent_type => {
                begun += 1;
                if begun >= waiting.len() {
                    (waiting, begun) = (Vec::new(), 0);
                }
            }
            // Whatever was asked and never began was refused.
            Record::Seen { event, .. } if event == PROMPT => {
                (waiting, begun) = (Vec::new(), 0);
            }
            Record::SessionStart { .. }
            | Record::Seen { .. }
            | Record::Offered { .. }
            | Record::Text { .. }
            | Record::Marked { .. }
            | Record::Set { .. }
            | Record::Refused { .. }
            | Record::Passed { .. }
            | Record::Drafted { .. }
            | Record::Observed { .. }
            | Record::Wished { .. }
            | Record::Asked { .. }
            | Record::Begun { .. }
            | Record::Taken { .. }
            | Record::Returned { .. }
            | Record::Listed { .. }
            | Record::Deferred { .. }
            | Record::SkillInjected { .. }
            | Record::SkillLoaded { .. }
            | Record::Said { .. }
            | Record::Lost { .. }
            | Record::Printed { .. } => {}
        }
    }
    let named: BTreeSet<Option<TaskId>> =
        waiting.iter().map(|prompt| named_in(prompt, tasks)).collect();
    match Vec::from_iter(named).as_slice() {
        [only] => only.map(Given::Task),
        [] => None,
        [_, _, ..] => Some(Given::Unclear),
    }
}

/// What is known of the errand on which a subagent is sent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Errand {
    pub(crate) given: Option<Given>,
    /// What it is there for, where the words of its prompt say more than its type.
    pub(crate) role: Option<Role>,
}

/// Verbs and questions with which an errand begins that only looks for something, in lower case.
const LOOKING: [&str; 18] = [
    "find",
    "search",
    "look",
    "list",
    "locate",
    "explore",
    "investigate",
    "research",
    "where",
    "which",
    "what",
    "how",
    "summarize",
    "summarise",
    "read",
    "map",
    "trace",
    "grep",
];

/// Words of an errand that changes something, in lower case.
const CHANGING: [&str; 14] = [
    "implement",
    "fix",
    "add",
    "write",
    "create",
    "change",
    "edit",
    "refactor",
    "update",
    "build",
    "remove",
    "delete",
    "rename",
    "commit",
];

/// Returns the role that the last prompt for a subagent of a type means, where its words are clear.
pub(crate) fn role_by_prompt(records: &[Record], agent_type: &str) -> Option<Role> {
    let prompt = records.iter().rev().find_map(|record| {
        let Record::Asked { agent_type: asked, prompt, .. } = record else { return None };
        (asked == agent_type).then_some(prompt)
    })?;
    let text = prompt.to_lowercase();
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let looks = words.first().is_some_and(|first| LOOKING.contains(first));
    let changes = words.iter().any(|word| CHANGING.contains(word));
    (looks && !changes).then_some(Role::Explorer)
}

/// Returns what a subagent was given when it first began; `None` when it begins now.
pub(crate) fn given_before(records: &[Record], agent: &str) -> Option<Given> {
    records.iter().find_map(|record| {
        let Record::Begun { agent: begun, task, .. } = record else { return None };
        (begun == agent).then(|| task.map_or(Given::Unclear, Given::Task))
    })
}

/// Returns the one task that a text is about: by its number or short id, else by its title, else by
/// its section of the plan.
fn named_in(text: &str, tasks: &[Task]) -> Option<TaskId> {
    let words: BTreeSet<&str> = text
        .split(|c: char| !(c.is_alphanumeric() || c == '#' || c == '-'))
        .map(|word| word.trim_matches('-'))
        .collect();
    let by_name = |task: &&Task| {
        words.contains(task.short.as_str()) || words.contains(task.number.to_string().as_str())
    };
    let by_title = |task: &&Task| {
        let title = task.title.as_str();
        title.chars().count() >= TITLE_CHARACTERS && text.contains(title)
    };
    let by_section = |task: &&Task| {
        let section = task.plan.as_ref().and_then(|plan| plan.section.as_ref());
        section.is_some_and(|section| is_said(text, section.as_str()))
    };
    let open = || tasks.iter().filter(|task| !task.state.is_over());
    the_only(open().filter(by_name))
        .or_else(|| the_only(open().filter(by_title)))
        .or_else(|| the_only(open().filter(by_section)))
}

/// Tells whether a text says something and does not go on with a digit: `Task 1` is not `Task 12`.
fn is_said(text: &str, said: &str) -> bool {
    text.match_indices(said).any(|(place, _)| {
        let after = text.get(place + said.len()..).and_then(|rest| rest.chars().next());
        !after.is_some_and(|next| next.is_ascii_digit() || next == '/')
    })
}

fn the_only<'a>(mut tasks: impl Iterator<Item = &'a Task>) -> Option<TaskId> {
    let first = tasks.next()?;
    tasks.next().is_none().then_some(first.id)
}

#[cfg(test)]
mod tests {
    use pacenote_model::{HostId, HostName, Moment, record::Origin};

    use super::*;

    fn asked(prompt: &str) -> Record {
        let from = Origin {
            at: Moment::from_millis(0),
            host: HostName::parse("claude").unwrap(),
            host_id: HostId::parse("s-1").unwrap(),
            place: "/shop".into(),
            name: "shop".into(),
        };
        Record::Asked { from, agent_type: "general-purpose".into(), prompt: prompt.into() }
    }

    #[test]
    fn an_errand_that_only_looks_is_known_by_its_words() {
        let table = [
            ("Find all usages of Posting and report file and line.", Some(Role::Explorer)),
            ("Where is the token checked?", Some(Role::Explorer)),
            ("Find the bug in the parser and fix it.", None),
            ("Implement Task 2: The inverted index as the plan says.", None),
            ("", None),
        ];
        for (prompt, role) in table {
            assert_eq!(role_by_prompt(&[asked(prompt)], "general-purpose"), role, "{prompt}");
        }
        let later = [asked("Find it."), asked("Write the test for it.")];
        assert_eq!(role_by_prompt(&later, "general-purpose"), None, "the last one counts");
        assert_eq!(role_by_prompt(&later, "Explore"), None);
    }
}
