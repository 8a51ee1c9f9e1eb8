//! What is known at the moment a rule is asked: the names that conditions and templates may use.
//!
//! A fact that is not known is the empty text, never a missing name, so that a condition about the
//! start of a session does not break at a prompt.

use std::collections::BTreeMap;

use minijinja::value::Serde;
use pacenote_model::ToolCall;
use serde::{Serialize, Serializer};

use super::rules::Value;

/// Everything a condition or a template may ask about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact that conditions name")]
pub struct Facts {
    /// The key of the occasion, such as `on_before_tool`.
    pub event: String,
    /// Why a session's context begins: `startup`, `resume`, `clear`, `compact`, `fork`.
    pub source: String,
    /// The host's name.
    pub host: String,
    /// Who wanted a compaction: `auto` or `manual`.
    pub trigger: String,
    /// Why a session ends.
    pub reason: String,
    /// Whether the host only lets the agent plan.
    pub plan_mode: bool,
    /// How many agents stand above this one.
    pub depth: u32,
    /// The role of a subagent.
    #[serde(serialize_with = "or_empty")]
    pub role: Option<String>,
    /// The host's type of a subagent.
    #[serde(serialize_with = "or_empty")]
    pub agent_type: Option<String>,
    /// Whether the prompt says no more than "go on".
    pub prompt_trivial: bool,
    /// Whether an unread message cannot wait.
    pub urgent_mail: bool,
    pub session: SessionFacts,
    /// The current task.
    pub task: TaskFacts,
    /// Whether there is an open task or an unread message.
    pub work: bool,
    /// The tool that is about to be used, or was.
    pub tool: ToolFacts,
    /// The variables; each is also reachable by its name alone, unless a fact has that name.
    pub variables: BTreeMap<String, Value>,
}

/// The names of all facts, variables aside.
pub(super) const NAMES: [&str; 29] = [
    "event",
    "source",
    "host",
    "trigger",
    "reason",
    "plan_mode",
    "depth",
    "role",
    "agent_type",
    "prompt_trivial",
    "urgent_mail",
    "session",
    "session.number",
    "session.id",
    "session.epoch",
    "session.agent",
    "task",
    "task.active",
    "task.id",
    "task.title",
    "task.state",
    "task.skill",
    "work",
    "tool",
    "tool.name",
    "tool.class",
    "tool.path",
    "tool.command",
    "variables",
];

/// What is known about the session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SessionFacts {
    /// Its number in the project; 0 until the store has given it one.
    pub number: u64,
    /// Its short id, such as `s-45a5`, which it has from the beginning.
    pub id: String,
    /// How often its context began, this time included.
    pub epoch: u64,
    /// The agent that speaks in it.
    #[serde(serialize_with = "or_empty")]
    pub agent: Option<String>,
}

/// What is known about the current task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TaskFacts {
    /// Whether one is in progress in this session.
    pub active: bool,
    pub id: String,
    pub title: String,
    pub state: String,
    /// The name of the skill in force for it, without its plugin.
    pub skill: String,
}

/// What is known about a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ToolFacts {
    /// The host's name of it.
    pub name: String,
    /// What it does: `edit`, `shell`, `agent`, `read`, `todo`, `other`.
    pub class: String,
    /// The file it is about.
    pub path: String,
    /// The command it runs.
    pub command: String,
}

/// What a simple condition can learn about a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known<'f> {
    Text(&'f str),
    /// It is something else, which holds or does not.
    Truth(bool),
}

impl Facts {
    /// Returns what is known under a dotted name, or nothing if there is no such name.
    pub(super) fn known(&self, name: &str) -> Option<Known<'_>> {
        Some(match name {
            "event" => Known::Text(&self.event),
            "source" => Known::Text(&self.source),
            "host" => Known::Text(&self.host),
            "trigger" => Known::Text(&self.trigger),
            "reason" => Known::Text(&self.reason),
            "plan_mode" => Known::Truth(self.plan_mode),
            "depth" => Known::Truth(self.depth != 0),
            "role" => Known::optional(self.role.as_deref()),
            "agent_type" => Known::optional(self.agent_type.as_deref()),
            "prompt_trivial" => Known::Truth(self.prompt_trivial),
            "urgent_mail" => Known::Truth(self.urgent_mail),
            "session.number" => Known::Truth(self.session.number != 0),
            "session.id" => Known::Text(&self.session.id),
            "session.epoch" => Known::Truth(self.session.epoch != 0),
            "session.agent" => Known::optional(self.session.agent.as_deref()),
            "task.active" => Known::Truth(self.task.active),
            "task.id" => Known::Text(&self.task.id),
            "task.title" => Known::Text(&self.task.title),
            "task.state" => Known::Text(&self.task.state),
            "task.skill" => Known::Text(&self.task.skill),
            "work" => Known::Truth(self.work),
            "tool.name" => Known::Text(&self.tool.name),
            "tool.class" => Known::Text(&self.tool.class),
            "tool.path" => Known::Text(&self.tool.path),
            "tool.command" => Known::Text(&self.tool.command),
            "session" | "task" | "tool" => Known::Truth(true),
            "variables" => Known::Truth(!self.variables.is_empty()),
            other => {
                let variable = other.strip_prefix("variables.").unwrap_or(other);
                Known::variable(self.variables.get(variable)?)
            }
        })
    }
}

impl<'f> Known<'f> {
    /// Tells whether it counts as a yes: an empty text, zero and `false` do not.
    pub(super) const fn holds(self) -> bool {
        match self {
            Self::Text(text) => !text.is_empty(),
            Self::Truth(truth) => truth,
        }
    }

    fn optional(text: Option<&'f str>) -> Self {
        Self::Text(text.unwrap_or_default())
    }

    fn variable(value: &'f Value) -> Self {
        match value {
            Value::Bool(truth) => Self::Truth(*truth),
            Value::Number(number) => Self::Truth(*number != 0),
            Value::Text(text) => Self::Text(text),
        }
    }
}

impl From<&ToolCall> for ToolFacts {
    fn from(tool: &ToolCall) -> Self {
        Self {
            name: tool.name.clone(),
            class: tool.class.word().to_owned(),
            path: tool.path.clone().unwrap_or_default(),
            command: tool.command.clone().unwrap_or_default(),
        }
    }
}

#[expect(clippy::ref_option, reason = "serde hands over the field as it is")]
fn or_empty<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(text.as_deref().unwrap_or_default())
}

/// Returns the names an expression sees: variables, then facts, then values, the last winning.
pub(super) fn names(facts: &Facts, values: &BTreeMap<&str, String>) -> minijinja::Value {
    #[derive(Serialize)]
    struct Names<'n> {
        #[serde(flatten)]
        variables: &'n BTreeMap<String, Value>,
        #[serde(flatten)]
        facts: &'n Facts,
        #[serde(flatten)]
        values: &'n BTreeMap<&'n str, String>,
    }
    minijinja::Value::from(Serde(Names { variables: &facts.variables, facts, values }))
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use super::*;

    fn leaves(prefix: &str, json: &Json, found: &mut Vec<(String, Json)>) {
        if !prefix.is_empty() {
            found.push((prefix.to_owned(), json.clone()));
        }
        for (key, value) in json.as_object().into_iter().flatten() {
            let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
            leaves(&name, value, found);
        }
    }

    #[test]
    fn every_fact_that_is_told_can_be_looked_up_and_says_the_same() {
        let empty = Facts::default();
        let full = Facts {
            event: "on_stop".into(),
            role: Some("reviewer".into()),
            plan_mode: true,
            depth: 2,
            task: TaskFacts { active: true, title: "t".into(), ..TaskFacts::default() },
            session: SessionFacts { number: 4, ..SessionFacts::default() },
            variables: BTreeMap::from([
                ("count".into(), Value::Number(3)),
                ("mode".into(), Value::Text("strict".into())),
            ]),
            ..Facts::default()
        };
        for facts in [empty, full] {
            let mut names = Vec::new();
            leaves("", &serde_json::to_value(&facts).unwrap(), &mut names);
            assert!(names.len() > 20);
            let mut facts_only: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
            facts_only.retain(|name| !name.starts_with("variables."));
            let (mut listed, mut found) = (NAMES.to_vec(), facts_only);
            listed.sort_unstable();
            found.sort_unstable();
            assert_eq!(listed, found, "the names of facts");
            for (name, json) in names {
                let expected = match &json {
                    Json::String(text) => Known::Text(text),
                    Json::Bool(truth) => Known::Truth(*truth),
                    Json::Number(number) => Known::Truth(number.as_u64() != Some(0)),
                    Json::Object(map) => Known::Truth(!map.is_empty()),
                    Json::Null | Json::Array(_) => panic!("{name} is {json}"),
                };
                assert_eq!(facts.known(&name), Some(expected), "{name}");
            }
        }
    }

    #[test]
    fn a_variable_is_reached_by_its_name_alone_unless_a_fact_has_it() {
        let facts = Facts {
            host: "claude".into(),
            variables: BTreeMap::from([
                ("mode".into(), Value::Text("strict".into())),
                ("host".into(), Value::Text("mine".into())),
            ]),
            ..Facts::default()
        };
        assert_eq!(facts.known("mode"), Some(Known::Text("strict")));
        assert_eq!(facts.known("host"), Some(Known::Text("claude")));
        assert_eq!(facts.known("variables.host"), Some(Known::Text("mine")));
        assert_eq!(facts.known("missing"), None);
        assert_eq!(facts.known("task.missing"), None);
    }
}
