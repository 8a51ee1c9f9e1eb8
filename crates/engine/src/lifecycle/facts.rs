//! What rules may ask about, gathered from an event and from what is known about the work.

use std::collections::BTreeMap;

use pacenote_context::role::role_of;
use pacenote_flow::lifecycle::{Facts, Occasion, Rules, SessionFacts, TaskFacts, ToolFacts};
use pacenote_model::{
    AgentName, Event, Forest, Happening, HostName, Importance, Message, Number, Record, Task,
    ToolCall, Value,
};

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

/// What is known when a rule is asked.
pub(crate) struct Scenery<'a> {
    /// The event.
    pub(crate) event: &'a Event,
    /// The host.
    pub(crate) host: &'a HostName,
    /// The agent that speaks.
    pub(crate) agent: Option<&'a AgentName>,
    /// The session's number, once it is known.
    pub(crate) session: Option<Number>,
    /// How often the session's context began.
    pub(crate) epoch: u32,
    /// The tasks of the project.
    pub(crate) tasks: &'a [Task],
    /// Unread messages.
    pub(crate) messages: &'a [Message],
    /// Whether a run of a workflow is under way.
    pub(crate) has_runs: bool,
    /// The variables.
    pub(crate) variables: BTreeMap<String, Value>,
}

/// Returns the occasion that an event is, if rules can be about it.
pub(crate) const fn occasion_of(happening: &Happening) -> Option<Occasion> {
    Some(match happening {
        Happening::SessionStart { .. } => Occasion::OnSessionStart,
        Happening::Prompt { .. } => Occasion::OnBeforeAgent,
        Happening::BeforeTool { .. } => Occasion::OnBeforeTool,
        Happening::AfterTool { .. } => Occasion::OnAfterTool,
        Happening::PreCompact { .. } => Occasion::OnPreCompact,
        Happening::PostCompact { .. } => Occasion::OnPostCompact,
        Happening::Stop { .. } => Occasion::OnStop,
        Happening::SubagentStart { .. } => Occasion::OnSubagentStart,
        Happening::SubagentStop { .. } => Occasion::OnSubagentStop,
        Happening::SessionEnd { .. } => Occasion::OnSessionEnd,
        Happening::Todos { .. } | Happening::Request { .. } => return None,
    })
}

/// Tells whether a prompt says no more than "go on".
pub(crate) fn is_trivial(prompt: &str) -> bool {
    let bare = prompt.trim().trim_end_matches(['.', '!', '?', '…']).to_lowercase();
    TRIVIAL.contains(&bare.as_str())
}

/// Returns the variables as they are: the beginnings of the rules, then what was set since.
pub(crate) fn variables(rules: &Rules, records: &[Record]) -> BTreeMap<String, Value> {
    let mut variables = rules.variables.clone();
    for record in records {
        if let Record::Set { variable, value, .. } = record {
            variables.insert(variable.clone(), value.clone());
        }
    }
    variables
}

/// Gathers the facts.
pub(crate) fn facts(scenery: Scenery<'_>) -> Facts {
    let Scenery { event, host, agent, session, epoch, tasks, messages, has_runs, variables } =
        scenery;
    let mut facts = Facts {
        event: occasion_of(&event.happening).map_or("", Occasion::key).to_owned(),
        host: host.to_string(),
        plan_mode: event.plan_mode,
        urgent_mail: messages.iter().any(|one| one.importance == Importance::Urgent),
        session: SessionFacts {
            number: session.map_or(0, |number| number.get().into()),
            epoch: epoch.into(),
            agent: agent.map(ToString::to_string),
        },
        task: task_facts(tasks, agent),
        work: has_runs || !messages.is_empty() || tasks.iter().any(|task| !task.state.is_over()),
        variables,
        ..Facts::default()
    };
    match &event.happening {
        Happening::SessionStart { source } => source.word().clone_into(&mut facts.source),
        Happening::Prompt { prompt } => facts.prompt_trivial = is_trivial(prompt),
        Happening::BeforeTool { tool } | Happening::AfterTool { tool, .. } => {
            facts.tool = tool_facts(tool);
        }
        Happening::PreCompact { trigger } | Happening::PostCompact { trigger, .. } => {
            trigger.word().clone_into(&mut facts.trigger);
        }
        Happening::SubagentStart { agent_type, .. }
        | Happening::SubagentStop { agent_type, .. } => {
            facts.depth = 1;
            facts.role = Some(role_of(agent_type).word().to_owned());
            facts.agent_type = Some(agent_type.clone());
        }
        Happening::SessionEnd { reason } => facts.reason.clone_from(reason),
        Happening::Stop { .. } | Happening::Todos { .. } | Happening::Request { .. } => {}
    }
    facts
}

fn task_facts(tasks: &[Task], agent: Option<&AgentName>) -> TaskFacts {
    let forest = Forest::new(tasks);
    let Some(task) = forest.in_hand(agent) else { return TaskFacts::default() };
    TaskFacts {
        active: true,
        id: task.short.to_string(),
        title: task.title.to_string(),
        state: task.state.word().to_owned(),
        skill: task.skill.as_ref().map(ToString::to_string).unwrap_or_default(),
    }
}

fn tool_facts(tool: &ToolCall) -> ToolFacts {
    ToolFacts {
        name: tool.name.clone(),
        class: tool.class.word().to_owned(),
        path: tool.path.clone().unwrap_or_default(),
        command: tool.command.clone().unwrap_or_default(),
    }
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
