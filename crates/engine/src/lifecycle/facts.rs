//! What rules may ask about, gathered from an event and from what is known about the work.
//!
//! What takes a look at files is found out only when a rule asks for it.

use std::collections::BTreeMap;

use pacenote_context::role::role_of;
use pacenote_flow::lifecycle::{Facts, Rules, SessionFacts, TaskFacts};
use pacenote_model::{EventBody, EventKind, Forest, Importance, Record, Value};

use super::skill_in_force::skill_in_force;
use crate::{EngineError, identity::short_id, situation::Situation};

/// Prompts that say no more than "go on", in lower case and without marks at the end.
const TRIVIAL: [&str; 24] = [
    "y",
    "yes",
    "yep",
    "yeah",
    "no",
    "nope",
    "ok",
    "okay",
    "k",
    "sure",
    "go",
    "go on",
    "go ahead",
    "continue",
    "proceed",
    "next",
    "please continue",
    "carry on",
    "thanks",
    "thank you",
    "good",
    "great",
    "lgtm",
    "do it",
];

/// Reports whether a prompt says no more than "go on".
pub(crate) fn is_trivial(prompt: &str) -> bool {
    let bare = prompt.trim().trim_end_matches(['.', '!', '?', '…']).to_lowercase();
    TRIVIAL.contains(&bare.as_str())
}

/// Returns the variables as they are: the beginnings of the rules, then what was set since.
fn variables(rules: &Rules, records: &[Record]) -> BTreeMap<String, Value> {
    let mut variables = rules.variables.clone();
    for record in records {
        if let Record::Set { variable, value, .. } = record {
            variables.insert(variable.clone(), value.clone());
        }
    }
    variables
}

/// Reports whether something is going on: an open task, an unread message, a run of a workflow.
pub(crate) fn has_work(situation: &Situation<'_>) -> Result<bool, EngineError> {
    Ok(!situation.runs()?.is_empty()
        || !situation.unread()?.is_empty()
        || situation.tasks()?.iter().any(|task| !task.state.is_over()))
}

/// Reports whether a rule that may be asked now has a word in its conditions or texts. With a prompt
/// the rules of a beginning that nobody saw are asked too.
fn is_asked_for(situation: &Situation<'_>, word: &str) -> Result<bool, EngineError> {
    let rules = &situation.rules()?.rules;
    let kinds = [situation.event.kind(), EventKind::SessionStart];
    Ok(kinds.into_iter().any(|on| rules.mention(on, word)))
}

/// Gathers what rules may ask about; `epoch` is the one in which the event stands.
pub(crate) fn facts(situation: &Situation<'_>, epoch: u32) -> Result<Facts, EngineError> {
    let (event, unread) = (&situation.event, situation.unread()?);
    let mut facts = Facts {
        event: event.kind().rule_key().unwrap_or_default().to_owned(),
        host: situation.host_word().to_owned(),
        plan_mode: event.plan_mode,
        urgent_mail: unread.iter().any(|one| one.importance == Importance::Urgent),
        session: SessionFacts {
            number: situation.session()?.map_or(0, |session| session.number.get().into()),
            id: situation.host_session().map(short_id).unwrap_or_default(),
            epoch: epoch.into(),
            agent: situation.agent()?.map(ToString::to_string),
        },
        task: task_facts(situation)?,
        work: has_work(situation)?,
        variables: variables(&situation.rules()?.rules, situation.records()?),
        ..Facts::default()
    };
    match &event.body {
        EventBody::SessionStart { source } => source.word().clone_into(&mut facts.source),
        EventBody::Prompt { prompt } => facts.prompt_trivial = is_trivial(prompt),
        EventBody::BeforeTool { tool } | EventBody::AfterTool { tool, .. } => {
            facts.tool = tool.into();
        }
        EventBody::PreCompact { trigger } | EventBody::PostCompact { trigger, .. } => {
            trigger.word().clone_into(&mut facts.trigger);
        }
        EventBody::SubagentStart { agent_type, .. }
        | EventBody::SubagentStop { agent_type, .. } => {
            facts.depth = 1;
            let role = situation.role()?.unwrap_or_else(|| role_of(agent_type));
            facts.role = Some(role.word().to_owned());
            facts.agent_type = Some(agent_type.clone());
        }
        EventBody::SessionEnd { reason } => facts.reason.clone_from(reason),
        EventBody::Wake { message, .. } => facts.prompt_trivial = is_trivial(message),
        EventBody::Stop { .. } | EventBody::Todos { .. } | EventBody::Request { .. } => {}
    }
    Ok(facts)
}

fn task_facts(situation: &Situation<'_>) -> Result<TaskFacts, EngineError> {
    let forest = Forest::new(situation.tasks()?);
    let Some(task) = forest.in_hand(situation.agent()?) else { return Ok(TaskFacts::default()) };
    let skill = if is_asked_for(situation, "skill")? {
        skill_in_force(situation, &forest, task)?
    } else {
        String::new()
    };
    Ok(TaskFacts {
        active: true,
        id: task.short.to_string(),
        title: task.title.to_string(),
        state: task.state.word().to_owned(),
        skill,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_no_more_than_go_on() {
        for prompt in ["yes", " Go on. ", "OK!", "continue", "LGTM"] {
            assert!(is_trivial(prompt), "{prompt}");
        }
        for prompt in ["no, use the other store", "go on with the login form", "", "why?"] {
            assert!(!is_trivial(prompt), "{prompt}");
        }
    }
}
