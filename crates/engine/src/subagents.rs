//! What a subagent was given to do, and what it is there for.
//!
//! Most hosts say what a subagent is asked before it begins, and that it begins without saying what
//! for. Where several of one type are asked at once, nobody knows which is which, and a wrong task is
//! worse than none.

use std::collections::BTreeSet;

use pacenote_context::{
    errand::{is_same_type, role_for},
    find_mentioned_task,
    role::Role,
};
use pacenote_model::{Record, Task, TaskId};

/// Longest prompt for a subagent that is looked at and remembered until it begins, in characters.
pub(crate) const PROMPT_CHARACTERS: usize = 8000;

/// The word of the event that ends a turn's questions.
const PROMPT: &str = "prompt";

/// What a subagent was given to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    Task(TaskId),
    /// One of several; its own prompt says which.
    Unclear,
}

/// What is known of the errand on which a subagent is sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Errand {
    /// What it was given; `None` when nobody named a task.
    pub(crate) given: Option<Given>,
    /// What it is there for; `None` where only its type is known.
    pub(crate) role: Option<Role>,
    /// What it is asked, where that is known.
    pub(crate) prompt: Option<String>,
}

/// A subagent that begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginner<'a> {
    pub(crate) agent_type: &'a str,
    /// What it is asked, where its host says so.
    pub(crate) prompt: Option<&'a str>,
}

/// Returns the errand of a subagent that begins now, from the log of the session that asked.
pub(crate) fn errand_of(records: &[Record], beginner: Beginner<'_>, tasks: &[Task]) -> Errand {
    let agent_type = beginner.agent_type;
    let prompts = match beginner.prompt.filter(|prompt| !prompt.trim().is_empty()) {
        Some(prompt) => Vec::from([prompt]),
        None => find_waiting(records, agent_type),
    };
    let judge = |prompt: &&str| {
        let prompt: String = prompt.chars().take(PROMPT_CHARACTERS).collect();
        let task = find_mentioned_task(&prompt, tasks);
        let title = task.map(|task| task.title.as_str());
        (task.map(|task| task.id), role_for(agent_type, &prompt, title))
    };
    let (named, roles): (BTreeSet<Option<TaskId>>, BTreeSet<Role>) =
        prompts.iter().map(judge).unzip();
    let given = match Vec::from_iter(named).as_slice() {
        [only] => only.map(Given::Task),
        [] => None,
        [_, _, ..] => Some(Given::Unclear),
    };
    let role = match Vec::from_iter(roles).as_slice() {
        [only] => Some(*only),
        [] | [_, _, ..] => None,
    };
    let prompt = match prompts.as_slice() {
        [only] => Some((*only).to_owned()),
        [] | [_, _, ..] => None,
    };
    Errand { given, role, prompt }
}

/// Returns the prompts of which a subagent of a type may have one: those that were asked for and have
/// not all begun.
fn find_waiting<'r>(records: &'r [Record], agent_type: &str) -> Vec<&'r str> {
    let mut waiting: Vec<&str> = Vec::new();
    let mut begun = 0;
    for record in records {
        match record {
            Record::Asked { agent_type: asked, prompt, .. } if is_same_type(asked, agent_type) => {
                waiting.push(prompt);
            }
            Record::Begun { agent_type: other, .. } if is_same_type(other, agent_type) => {
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
    waiting
}

/// Returns the errand with which a subagent first began; `None` when it begins now.
pub(crate) fn errand_before(records: &[Record], agent: &str) -> Option<Errand> {
    records.iter().find_map(|record| {
        let Record::Begun { agent: begun, task, role, .. } = record else { return None };
        let role = role.as_deref().and_then(Role::from_word);
        let given = Some(task.map_or(Given::Unclear, Given::Task));
        (begun == agent).then_some(Errand { given, role, prompt: None })
    })
}

#[cfg(test)]
mod tests {
    use pacenote_model::{HostId, HostName, Moment, record::Origin};

    use super::*;

    fn origin() -> Origin {
        Origin {
            at: Moment::from_millis(0),
            host: HostName::parse("claude").unwrap(),
            host_id: HostId::parse("s-1").unwrap(),
            place: "/shop".into(),
            name: "shop".into(),
        }
    }

    fn asked(agent_type: &str, prompt: &str) -> Record {
        Record::Asked { from: origin(), agent_type: agent_type.into(), prompt: prompt.into() }
    }

    fn begun(agent: &str, agent_type: &str, role: Option<&str>) -> Record {
        let (agent, agent_type) = (agent.into(), agent_type.into());
        Record::Begun { from: origin(), agent, agent_type, task: None, role: role.map(Into::into) }
    }

    fn role(records: &[Record], agent_type: &str) -> Option<Role> {
        errand_of(records, Beginner { agent_type, prompt: None }, &[]).role
    }

    #[test]
    fn an_errand_without_a_type_is_that_of_any_type_for_everything() {
        for begins in ["general-purpose", "default", "general", "claude", "other", ""] {
            let records = [asked("", "Fix the parser.")];
            assert_eq!(role(&records, begins), Some(Role::Implementer), "{begins}");
        }
        assert_eq!(role(&[asked("", "Fix the parser.")], "Explore"), None);
        assert_eq!(role(&[asked("Explore", "Fix it.")], "default"), None);
    }

    #[test]
    fn of_several_errands_only_what_they_share_is_known() {
        let looks = || asked("general-purpose", "Find all usages of foo.");
        let fixes = || asked("general-purpose", "Fix the parser.");
        assert_eq!(role(&[looks(), looks()], "general-purpose"), Some(Role::Explorer));
        assert_eq!(role(&[looks(), fixes()], "general-purpose"), None);
        let first_began = [looks(), begun("a-1", "general-purpose", None), fixes()];
        assert_eq!(role(&first_began, "general-purpose"), Some(Role::Implementer));
    }

    #[test]
    fn a_prompt_that_comes_with_the_beginning_needs_no_guess() {
        let records = [asked("general", "Find foo."), asked("general", "Fix the parser.")];
        let beginner = Beginner { agent_type: "general", prompt: Some("Fix the parser.") };
        let errand = errand_of(&records, beginner, &[]);
        assert_eq!(errand.role, Some(Role::Implementer));
        assert_eq!(errand.prompt.as_deref(), Some("Fix the parser."));
    }

    #[test]
    fn one_that_begins_again_is_there_for_the_same() {
        let records = [begun("a-1", "default", Some("reviewer")), asked("default", "Find foo.")];
        let errand = errand_before(&records, "a-1").unwrap();
        assert_eq!((errand.role, errand.given), (Some(Role::Reviewer), Some(Given::Unclear)));
        assert!(errand_before(&records, "a-2").is_none());
    }
}
