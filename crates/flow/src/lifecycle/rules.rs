//! The rules as values, after they were read and found sound.

use std::collections::BTreeMap;

pub use pacenote_model::Value;
use pacenote_model::{EventKind, SessionStatus, ToolClass};
use serde::{Deserialize, Serialize};

use super::format::{ACTIONS, ActionForm, Refuses, SOURCE_ALIASES};

/// Who wrote a rule. Later layers add to earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// It comes with us.
    BuiltIn,
    /// The person, for all projects.
    User,
    /// The repository, once the person trusts the file.
    Project,
}

/// All rules of all layers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Variables with the values they begin with.
    pub variables: BTreeMap<String, Value>,
    /// The rules, in the order in which they are asked.
    pub rules: Vec<Rule>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// What people call it: in `allow`, in `why`, in a denial.
    pub name: String,
    /// Who wrote it.
    pub layer: Layer,
    /// The line of its file it begins on.
    #[serde(default)]
    pub line: usize,
    /// When it is asked.
    #[serde(with = "on_key")]
    pub on: EventKind,
    /// Whether it is asked at all.
    pub enabled: bool,
    /// The condition, as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// What it does.
    pub action: Action,
}

/// What a rule does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Action {
    /// Tells the agent what sources say.
    InjectContext(InjectContext),
    /// Tells the agent a sentence.
    InjectMessage {
        /// The text, a template.
        content: String,
    },
    /// Gives a variable a value.
    SetVariable {
        variable: String,
        /// Its new value.
        value: Value,
    },
    /// Adds to a number.
    IncrementVariable {
        variable: String,
        /// How much.
        amount: i64,
    },
    /// Refuses tools while no task is in progress.
    RequireActiveTask {
        tools: Vec<String>,
        /// Why, for the agent.
        reason: Option<String>,
    },
    /// Refuses tools.
    BlockTools(BlockTools),
    /// Keeps the agent from ending its turn, a few times at most.
    BlockStop {
        /// Why, for the agent; a template.
        reason: String,
        /// How often in a row.
        limit: u8,
    },
    /// Says where a session stands.
    MarkSessionStatus { status: SessionStatus },
    /// Writes down what the next session should know.
    ExtractHandoff,
    /// Notes which files there are.
    CaptureArtifact {
        /// Which, relative to the project.
        glob: String,
        /// What they are called together.
        artifact: String,
    },
    /// Notes that something happened.
    Observe {
        /// What kind of thing.
        category: String,
        /// What; a template.
        message: String,
    },
    /// Runs a program.
    Run {
        /// The program and its arguments.
        argv: Vec<String>,
    },
}

/// What is told, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InjectContext {
    /// Where it comes from, in the order in which it is told.
    pub sources: Vec<Source>,
    /// How much of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// At most so many items of each source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// The least importance of a memory, in thousandths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_importance: Option<u32>,
    /// Whether somebody should know when there is nothing to tell.
    pub require: bool,
    /// A text of one's own round what the sources say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
}

/// Where something to be told comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Who the reader is.
    Identity,
    /// The position, the task tree, the skill and the plan of the current task.
    TaskContext,
    /// Skills that always apply, and those there are.
    Skills,
    /// Skills that fit the prompt.
    SkillSuggestion,
    /// What an earlier session left behind.
    Handoff,
    /// Unread messages.
    Mail,
    /// What happened lately.
    Activity,
    /// Files that rules captured.
    Artifacts,
    /// How to read all this.
    Guide,
    /// What a subagent needs for its role.
    RoleBriefing,
    /// Where runs of workflows stand.
    WorkflowState,
}

/// How much of something is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Names and what they are for.
    Summary,
    /// Everything.
    Full,
    /// Nothing.
    None,
}

/// Tools that are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockTools {
    /// Which and why; the first that matches decides.
    pub rules: Vec<ToolRule>,
}

/// Which tools are refused, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolRule {
    /// Names of tools, as their hosts call them, with `*`; or classes such as `edit`.
    pub tools: Vec<String>,
    /// But not these; `pacenote` stands for our own commands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub except: Vec<String>,
    /// Only commands with this in them, with `*`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Only under this condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// Why, for the agent.
    pub reason: String,
}

/// The kinds of events that rules can be about, in the order in which messages list their keys.
pub(super) const RULED: [EventKind; 11] = [
    EventKind::SessionStart,
    EventKind::SessionEnd,
    EventKind::Prompt,
    EventKind::PreCompact,
    EventKind::PostCompact,
    EventKind::BeforeTool,
    EventKind::AfterTool,
    EventKind::Stop,
    EventKind::SubagentStart,
    EventKind::SubagentStop,
    EventKind::Wake,
];

/// Returns the key under which the rules of a kind of event stand. A kind without one has no rules.
pub(super) fn key_of(on: EventKind) -> &'static str {
    on.rule_key().unwrap_or_default()
}

/// The kind of event of a rule, in files as its key.
mod on_key {
    use pacenote_model::EventKind;
    use serde::{Deserialize as _, Deserializer, Serializer, de, ser};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
    pub(super) fn serialize<S: Serializer>(on: &EventKind, to: S) -> Result<S::Ok, S::Error> {
        let none = || ser::Error::custom(format_args!("no rule can be about `{}`", on.word()));
        to.serialize_str(on.rule_key().ok_or_else(none)?)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<EventKind, D::Error> {
        let key = std::borrow::Cow::<'_, str>::deserialize(from)?;
        let none = || de::Error::custom(format_args!("no rule can stand under `{key}`"));
        EventKind::from_rule_key(&key).ok_or_else(none)
    }
}

impl Source {
    /// Every source.
    pub const ALL: [Self; 11] = [
        Self::Identity,
        Self::TaskContext,
        Self::Skills,
        Self::SkillSuggestion,
        Self::Handoff,
        Self::Mail,
        Self::Activity,
        Self::Artifacts,
        Self::Guide,
        Self::RoleBriefing,
        Self::WorkflowState,
    ];

    /// Returns the word used in rules, which is also its name in templates.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::TaskContext => "task_context",
            Self::Skills => "skills",
            Self::SkillSuggestion => "skill_suggestion",
            Self::Handoff => "handoff",
            Self::Mail => "mail",
            Self::Activity => "activity",
            Self::Artifacts => "artifacts",
            Self::Guide => "guide",
            Self::RoleBriefing => "role_briefing",
            Self::WorkflowState => "workflow_state",
        }
    }
}

impl Source {
    /// Finds a source by its word or another word for it, as templates name it too.
    pub fn from_word(word: &str) -> Option<Self> {
        let alias = SOURCE_ALIASES.iter().find(|(alias, _)| *alias == word);
        let plain = Self::ALL.into_iter().find(|source| source.word() == word);
        plain.or_else(|| alias.map(|(_, source)| *source))
    }

    /// Returns every word for it.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        let aliases = SOURCE_ALIASES.iter().filter(move |(_, source)| *source == self);
        [self.word()].into_iter().chain(aliases.map(|(alias, _)| *alias))
    }
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Summary, Self::Full, Self::None];

    /// Returns the word used in rules.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Full => "full",
            Self::None => "none",
        }
    }
}

impl Rules {
    /// Returns the rules that are asked at an event of a kind, in order.
    pub fn on(&self, on: EventKind) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |rule| rule.enabled && rule.on == on)
    }

    /// Reports whether a rule that is asked at an event of a kind has a word in its conditions or
    /// texts: what takes long to find out is found out only then.
    pub fn mention(&self, on: EventKind, word: &str) -> bool {
        self.on(on).any(|rule| rule.texts().any(|text| text.contains(word)))
    }
}

impl Rule {
    /// Returns the key under which it stands.
    pub fn key(&self) -> &'static str {
        key_of(self.on)
    }

    /// Returns its conditions, and its texts in which facts are filled in.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let (text, conditions) = match &self.action {
            Action::InjectContext(inject) => (inject.template.as_ref(), &[][..]),
            Action::InjectMessage { content: text }
            | Action::BlockStop { reason: text, .. }
            | Action::Observe { message: text, .. } => (Some(text), &[][..]),
            Action::BlockTools(block) => (None, block.rules.as_slice()),
            Action::SetVariable { .. }
            | Action::IncrementVariable { .. }
            | Action::RequireActiveTask { .. }
            | Action::MarkSessionStatus { .. }
            | Action::ExtractHandoff
            | Action::CaptureArtifact { .. }
            | Action::Run { .. } => (None, &[][..]),
        };
        let conditions = conditions.iter().filter_map(|rule| rule.when.as_ref());
        self.when.iter().chain(text).chain(conditions).map(String::as_str)
    }
}

impl Action {
    /// Returns the word used in rules.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::InjectContext(_) => "inject_context",
            Self::InjectMessage { .. } => "inject_message",
            Self::SetVariable { .. } => "set_variable",
            Self::IncrementVariable { .. } => "increment_variable",
            Self::RequireActiveTask { .. } => "require_active_task",
            Self::BlockTools(_) => "block_tools",
            Self::BlockStop { .. } => "block_stop",
            Self::MarkSessionStatus { .. } => "mark_session_status",
            Self::ExtractHandoff => "extract_handoff",
            Self::CaptureArtifact { .. } => "capture_artifact",
            Self::Observe { .. } => "observe",
            Self::Run { .. } => "run",
        }
    }

    /// Reports whether it refuses something, so that a broken condition must not open it.
    pub fn blocks(&self) -> bool {
        self.refuses() != Refuses::Nothing
    }

    /// Reports whether it refuses tools.
    pub fn refuses_tools(&self) -> bool {
        self.refuses() == Refuses::Tools
    }

    /// Returns what its row says; every action has one, and one without would be closed.
    fn refuses(&self) -> Refuses {
        ActionForm::named(self.word()).map_or(Refuses::Tools, |form| form.refuses)
    }
}

/// Names of built-in rules that refuse tools once a file enables them.
const BUILT_IN_TOOL_GATES: [&str; 1] = ["task-before-edit"];

/// Reports whether a file of rules may refuse tools, by its words alone: for when there is no time to
/// read it, or it cannot be read.
pub fn mentions_tool_gate(text: &str) -> bool {
    let gates = ACTIONS.iter().filter(|form| form.refuses == Refuses::Tools);
    let words = gates.map(|form| form.word).chain(BUILT_IN_TOOL_GATES);
    words.into_iter().any(|word| text.contains(word))
}

/// Tells whether a pattern of a rule means a tool: by its class, or by its name with `*`.
pub fn means_tool(pattern: &str, name: &str, class: ToolClass) -> bool {
    ToolClass::from_word(pattern).map_or_else(|| fits(pattern, name), |wanted| wanted == class)
}

/// Tells whether a text fits a pattern in which `*` stands for anything.
pub fn fits(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut rest = rest;
    let mut last = None;
    for piece in pieces {
        if let Some(piece) = last.replace(piece) {
            let Some((_, after)) = rest.split_once(piece) else { return false };
            rest = after;
        }
    }
    last.map_or(rest.is_empty(), |last: &str| rest.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_is_written_to_files() {
        let json = |value: serde_json::Result<String>| value.unwrap().replace('"', "");
        for source in Source::ALL {
            assert_eq!(source.word(), json(serde_json::to_string(&source)));
        }
        for format in Format::ALL {
            assert_eq!(format.word(), json(serde_json::to_string(&format)));
        }
    }

    fn rule(on: EventKind) -> Rule {
        Rule {
            name: "one".to_owned(),
            layer: Layer::User,
            line: 1,
            on,
            enabled: true,
            when: None,
            action: Action::ExtractHandoff,
        }
    }

    #[test]
    fn a_rule_names_its_event_by_its_key() {
        for on in RULED {
            let json = serde_json::to_value(rule(on)).unwrap();
            assert_eq!(json["on"], key_of(on), "{on:?}");
            assert_eq!(serde_json::from_value::<Rule>(json).unwrap(), rule(on), "{on:?}");
        }
        assert!(serde_json::to_value(rule(EventKind::Request)).is_err());
        let mut json = serde_json::to_value(rule(EventKind::Stop)).unwrap();
        json["on"] = "stop".into();
        assert!(serde_json::from_value::<Rule>(json).is_err());
    }

    #[test]
    fn a_word_is_found_in_every_condition_and_text() {
        let text = "
on_stop:
  - {action: extract_handoff, when: task.state == 'a'}
  - {action: block_stop, reason: '{{ task.title }}'}
  - {action: observe, category: x, message: '{{ task.id }}', enabled: false}
on_before_tool:
  - {action: block_tools, rules: [{tools: edit, when: task.skill, reason: tool.path}]}
on_before_agent:
  - {action: inject_context, source: mail, template: '{{ session.agent }}'}
";
        let layer = crate::lifecycle::read(text, "f", Layer::User).unwrap();
        let rules = Rules { variables: layer.variables, rules: layer.rules };
        for (on, word, expected) in [
            (EventKind::Stop, "task.state", true),
            (EventKind::Stop, "task.title", true),
            (EventKind::Stop, "task.id", false),
            (EventKind::Stop, "task.skill", false),
            (EventKind::BeforeTool, "task.skill", true),
            (EventKind::BeforeTool, "tool.path", false),
            (EventKind::Prompt, "session.agent", true),
        ] {
            assert_eq!(rules.mention(on, word), expected, "{on:?} {word}");
        }
    }

    #[test]
    fn every_kind_with_a_key_is_listed() {
        let has_key = |kind: &EventKind| kind.rule_key().is_some();
        let all = EventKind::ALL.iter().copied();
        let missing: Vec<_> = all.filter(has_key).filter(|kind| !RULED.contains(kind)).collect();
        assert_eq!(missing, [], "these have a key and are not listed");
        assert!(RULED.iter().all(has_key), "one that is listed has no key");
    }

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, expected) in [
            ("Edit", "Edit", true),
            ("Edit", "NotebookEdit", false),
            ("*Edit", "NotebookEdit", true),
            ("mcp__*__write", "mcp__files__write", true),
            ("mcp__*__write", "mcp__files__read", false),
            ("*", "", true),
            ("a*a", "a", false),
            ("git*push*", "git -C x push --force", true),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
        assert!(means_tool("edit", "Write", ToolClass::Edit));
        assert!(!means_tool("edit", "edit", ToolClass::Read));
    }
}
