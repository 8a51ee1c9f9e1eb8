//! The format of a file of rules, as tables: which keys there are and what they take.
//!
//! The reader and the JSON Schema both go by these tables, so a key cannot be in one of them only.

use pacenote_model::{EventKind, SessionStatus};

use super::{
    condition::CONDITION_BYTES,
    rules::{Action, BlockTools, Format, InjectContext, Layer, Source, ToolRule, Value},
    template::TEMPLATE_BYTES,
};
use crate::problem::listed;

/// Longest name of a rule or a variable; longer ones do not fit beside what they name.
pub(super) const NAME_BYTES: usize = 64;

/// Longest text that is no template, such as a reason; a paragraph.
pub(super) const SENTENCE_BYTES: usize = 2048;

/// Most items of one source that can be asked for.
const MOST_ITEMS: i64 = 100;

/// How often in a row an agent may be kept from ending its turn. An agent that cannot do what is
/// asked of it would otherwise never end.
pub(super) const MOST_STOPS: u8 = 3;

/// Other words for a source.
pub(super) const SOURCE_ALIASES: [(&str, Source); 2] =
    [("previous_session_summary", Source::Handoff), ("compact_handoff", Source::Handoff)];

/// Words for sources that a later version will have.
pub(super) const UNAVAILABLE_SOURCES: [&str; 2] = ["memories", "direction"];

/// Names that a template may use beside the sources: the skills as a list, and where the last session
/// stood.
pub(super) const TEMPLATE_NAMES: [&str; 2] = ["skills_list", "summary"];

/// A key and what it takes.
pub(super) struct Parameter {
    pub(super) key: &'static str,
    pub(super) kind: Kind,
    pub(super) need: Need,
    /// What it is for, in a few words.
    pub(super) about: &'static str,
}

/// Whether a parameter has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Optional,
    Required,
    /// `name:` stands in for it, because that is how people write it.
    RequiredOrName,
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sentence,
    Template,
    Condition,
    RuleName,
    VariableName,
    /// A pattern of files inside the project.
    Glob,
    Flag,
    Whole {
        least: i64,
        most: i64,
    },
    /// From nought to one.
    Share,
    /// A yes or no, a whole number or a text.
    Value,
    Format,
    Status,
    Sources,
    Tools,
    /// A program and its arguments.
    Arguments,
    ToolRules,
}

/// What was given for a key, after it was found sound.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Text(String),
    Flag(bool),
    Whole(i64),
    Thousandths(u32),
    Value(Value),
    Format(Format),
    Status(SessionStatus),
    Sources(Vec<Source>),
    Texts(Vec<String>),
    ToolRules(Vec<ToolRule>),
}

/// What an action refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refuses {
    Nothing,
    Tools,
    Stopping,
}

/// An action: its word, where it may stand, what it takes and how it is made of that.
pub(super) struct ActionForm {
    pub(super) word: &'static str,
    /// What it refuses: a broken condition must not open that.
    pub(super) refuses: Refuses,
    pub(super) about: &'static str,
    /// The kinds of events at which it means something; none stands for all.
    pub(super) at: &'static [EventKind],
    pub(super) parameters: &'static [Parameter],
    /// Makes the action, or says what does not go together.
    pub(super) make: fn(&mut Taken) -> Result<Action, &'static str>,
}

/// The keys of a file beside the occasions.
pub(super) const DOCUMENT_KEYS: [(&str, &str); 8] = [
    ("name", "What the file is called."),
    ("description", "What it is for."),
    ("version", "The author's version of it."),
    ("type", "What kind of file it is."),
    ("variables", "Variables with the values they begin with."),
    ("enable", "Names of rules of earlier layers that are switched on."),
    ("disable", "Names of rules of earlier layers that are switched off."),
    ("triggers", "The occasions, for those who want them below one key."),
];

/// The one value of `type`.
pub(super) const DOCUMENT_TYPE: &str = "lifecycle";

/// The keys of every rule.
pub(super) const COMMON: [Parameter; 3] = [
    optional("name", Kind::RuleName, "What people call the rule."),
    optional("when", Kind::Condition, "The condition under which it applies."),
    optional("enabled", Kind::Flag, "Whether it is asked at all."),
];

/// The keys of one entry below `rules` of `block_tools`.
pub(super) const TOOL_RULE: [Parameter; 4] = [
    optional("tools", Kind::Tools, TOOLS),
    optional("command", Kind::Sentence, COMMAND),
    optional("when", Kind::Condition, "The condition under which it applies."),
    required("reason", Kind::Sentence, "Why, for the agent."),
];

const TOOLS: &str = "Names of tools with `*`, or classes: edit, shell, agent, read, todo, other.";
const COMMAND: &str = "Only commands with this in them, with `*`.";

/// Every action.
pub(super) const ACTIONS: [ActionForm; 12] = [
    ActionForm {
        word: "inject_context",
        refuses: Refuses::Nothing,
        about: "Tells the agent what sources say.",
        at: &[],
        parameters: &[
            optional("source", Kind::Sources, "Where it comes from, in the order it is told."),
            optional("format", Kind::Format, "How much of it."),
            optional(
                "limit",
                Kind::Whole { least: 1, most: MOST_ITEMS },
                "At most so many items of each source.",
            ),
            optional("min_importance", Kind::Share, "The least importance of a memory."),
            optional("require", Kind::Flag, "Whether to say so when there is nothing to tell."),
            optional("template", Kind::Template, "A text round what the sources say."),
        ],
        make: inject_context,
    },
    ActionForm {
        word: "inject_message",
        refuses: Refuses::Nothing,
        about: "Tells the agent a sentence.",
        at: &[],
        parameters: &[required("content", Kind::Template, "The text, a template.")],
        make: |taken| Ok(Action::InjectMessage { content: taken.text("content")? }),
    },
    ActionForm {
        word: "set_variable",
        refuses: Refuses::Nothing,
        about: "Gives a variable a value.",
        at: &[],
        parameters: &[
            or_name("variable", Kind::VariableName, "The variable."),
            required("value", Kind::Value, "Its new value."),
        ],
        make: |taken| {
            let value = taken.value("value")?;
            Ok(Action::SetVariable { variable: taken.text("variable")?, value })
        },
    },
    ActionForm {
        word: "increment_variable",
        refuses: Refuses::Nothing,
        about: "Adds to a number.",
        at: &[],
        parameters: &[
            or_name("variable", Kind::VariableName, "The variable."),
            optional("amount", Kind::Whole { least: i64::MIN, most: i64::MAX }, "How much."),
        ],
        make: |taken| {
            let amount = taken.whole("amount").unwrap_or(1);
            Ok(Action::IncrementVariable { variable: taken.text("variable")?, amount })
        },
    },
    ActionForm {
        word: "require_active_task",
        refuses: Refuses::Tools,
        about: "Refuses tools while no task is in progress.",
        at: &[EventKind::BeforeTool],
        parameters: &[
            optional("tools", Kind::Tools, TOOLS),
            optional("reason", Kind::Sentence, "Why, for the agent."),
        ],
        make: |taken| {
            let tools = taken.texts("tools").unwrap_or_else(|| vec!["edit".to_owned()]);
            Ok(Action::RequireActiveTask { tools, reason: taken.text("reason").ok() })
        },
    },
    ActionForm {
        word: "block_tools",
        refuses: Refuses::Tools,
        about: "Refuses tools.",
        at: &[EventKind::BeforeTool],
        parameters: &[
            optional("rules", Kind::ToolRules, "Which and why; the first that matches decides."),
            optional("tools", Kind::Tools, TOOLS),
            optional("command", Kind::Sentence, COMMAND),
            optional("reason", Kind::Sentence, "Why, for the agent."),
        ],
        make: block_tools,
    },
    ActionForm {
        word: "block_stop",
        refuses: Refuses::Stopping,
        about: "Keeps the agent from ending its turn, a few times at most.",
        at: &[EventKind::Stop, EventKind::SubagentStop],
        parameters: &[
            required("reason", Kind::Template, "Why, for the agent; a template."),
            optional(
                "limit",
                Kind::Whole { least: 1, most: MOST_STOPS as i64 },
                "How often in a row.",
            ),
        ],
        make: |taken| {
            let limit = taken.whole("limit").and_then(|limit| u8::try_from(limit).ok());
            Ok(Action::BlockStop {
                reason: taken.text("reason")?,
                limit: limit.unwrap_or(MOST_STOPS),
            })
        },
    },
    ActionForm {
        word: "mark_session_status",
        refuses: Refuses::Nothing,
        about: "Says where a session stands.",
        at: &[],
        parameters: &[required("status", Kind::Status, "The status.")],
        make: |taken| Ok(Action::MarkSessionStatus { status: taken.status("status")? }),
    },
    ActionForm {
        word: "extract_handoff",
        refuses: Refuses::Nothing,
        about: "Writes down what the next session should know.",
        at: &[],
        parameters: &[],
        make: |_| Ok(Action::ExtractHandoff),
    },
    ActionForm {
        word: "capture_artifact",
        refuses: Refuses::Nothing,
        about: "Notes which files there are.",
        at: &[],
        parameters: &[
            required("glob", Kind::Glob, "Which, relative to the project."),
            or_name("artifact", Kind::RuleName, "What they are called together."),
        ],
        make: |taken| {
            let glob = taken.text("glob")?;
            Ok(Action::CaptureArtifact { glob, artifact: taken.text("artifact")? })
        },
    },
    ActionForm {
        word: "observe",
        refuses: Refuses::Nothing,
        about: "Notes that something happened.",
        at: &[],
        parameters: &[
            required("category", Kind::RuleName, "What kind of thing."),
            required("message", Kind::Template, "What; a template."),
        ],
        make: |taken| {
            let category = taken.text("category")?;
            Ok(Action::Observe { category, message: taken.text("message")? })
        },
    },
    ActionForm {
        word: "run",
        refuses: Refuses::Nothing,
        about: "Runs a program; in the user's own rules only.",
        at: &[],
        parameters: &[required("argv", Kind::Arguments, "The program and its arguments.")],
        make: |taken| Ok(Action::Run { argv: taken.texts("argv").ok_or(ABSENT)? }),
    },
];

/// What a parameter is called that is missing or wrong where that was reported already.
pub(super) const ABSENT: &str = "a parameter is missing";

impl ActionForm {
    /// Finds an action by its word.
    pub(super) fn named(word: &str) -> Option<&'static Self> {
        const FORMS: &[ActionForm] = &ACTIONS;
        FORMS.iter().find(|form| form.word == word)
    }

    /// Tells whether it means something at a kind of event.
    pub(super) fn fits(&self, on: EventKind) -> bool {
        self.at.is_empty() || self.at.contains(&on)
    }

    /// Tells whether a layer may use it: programs are started for nobody but the user.
    pub(super) fn is_open_to(&self, layer: Layer) -> bool {
        self.word != "run" || layer != Layer::Project
    }
}

impl Kind {
    /// Says what it takes, after "must be".
    pub(super) fn allowed(self) -> String {
        match self {
            Self::Sentence => format!("a text of at most {SENTENCE_BYTES} bytes"),
            Self::Template => format!("a text of at most {TEMPLATE_BYTES} bytes"),
            Self::Condition => format!("a condition of at most {CONDITION_BYTES} bytes"),
            Self::RuleName => {
                format!("a name of letters, digits, `-`, `_` and `.`, at most {NAME_BYTES}")
            }
            Self::VariableName => {
                format!("a name of small letters, digits and `_`, at most {NAME_BYTES}")
            }
            Self::Glob => "a pattern of files inside the project".to_owned(),
            Self::Flag => "`true` or `false`".to_owned(),
            Self::Whole { least: i64::MIN, most: i64::MAX } => "a whole number".to_owned(),
            Self::Whole { least, most } => format!("a whole number from {least} to {most}"),
            Self::Share => "a number from 0 to 1".to_owned(),
            Self::Value => "`true`, `false`, a whole number or a text".to_owned(),
            Self::Format => format!("one of {}", listed(&Format::ALL.map(Format::word))),
            Self::Status => {
                format!("one of {}", listed(&SessionStatus::ALL.map(SessionStatus::word)))
            }
            Self::Sources | Self::Tools => "a list of words, or words with commas".to_owned(),
            Self::Arguments => "a list of texts, the program first".to_owned(),
            Self::ToolRules => "a list of maps".to_owned(),
        }
    }
}

/// What was given, by key.
#[derive(Debug, Default)]
pub(super) struct Taken {
    sound: Vec<(&'static str, Given)>,
    /// The keys for which something was given that cannot be used.
    wrong: Vec<&'static str>,
}

impl Taken {
    /// Keeps what was given for a key; `None` when that is wrong, which was reported.
    pub(super) fn keep(&mut self, key: &'static str, given: Option<Given>) {
        match given {
            Some(given) => self.sound.push((key, given)),
            None => self.wrong.push(key),
        }
    }

    /// Makes a tool rule, or says what is missing.
    pub(super) fn tool_rule(&mut self) -> Result<ToolRule, &'static str> {
        let has_tools = self.has("tools") || self.has("command");
        match (has_tools, self.has("reason")) {
            (false, false) => return Err("`tools` or `command` is missing, and so is `reason`"),
            (false, true) => return Err("`tools` or `command` is missing"),
            (true, false) => return Err("`reason` is missing"),
            (true, true) => {}
        }
        let command = self.text("command").ok();
        let tools = match (self.texts("tools"), &command) {
            (Some(tools), _) => tools,
            (None, Some(_)) => vec!["shell".to_owned()],
            (None, None) => return Err(ABSENT),
        };
        let reason = self.text("reason")?;
        Ok(ToolRule { tools, except: Vec::new(), command, when: self.text("when").ok(), reason })
    }

    pub(super) fn text(&mut self, key: &str) -> Result<String, &'static str> {
        if let Some(Given::Text(text)) = self.take(key) { Ok(text) } else { Err(ABSENT) }
    }

    pub(super) fn flag(&mut self, key: &str) -> Option<bool> {
        if let Some(Given::Flag(flag)) = self.take(key) { Some(flag) } else { None }
    }

    fn whole(&mut self, key: &str) -> Option<i64> {
        if let Some(Given::Whole(number)) = self.take(key) { Some(number) } else { None }
    }

    fn thousandths(&mut self, key: &str) -> Option<u32> {
        if let Some(Given::Thousandths(number)) = self.take(key) { Some(number) } else { None }
    }

    fn value(&mut self, key: &str) -> Result<Value, &'static str> {
        if let Some(Given::Value(value)) = self.take(key) { Ok(value) } else { Err(ABSENT) }
    }

    fn format(&mut self, key: &str) -> Option<Format> {
        if let Some(Given::Format(format)) = self.take(key) { Some(format) } else { None }
    }

    fn status(&mut self, key: &str) -> Result<SessionStatus, &'static str> {
        if let Some(Given::Status(status)) = self.take(key) { Ok(status) } else { Err(ABSENT) }
    }

    fn sources(&mut self, key: &str) -> Option<Vec<Source>> {
        if let Some(Given::Sources(sources)) = self.take(key) { Some(sources) } else { None }
    }

    fn texts(&mut self, key: &str) -> Option<Vec<String>> {
        if let Some(Given::Texts(texts)) = self.take(key) { Some(texts) } else { None }
    }

    fn tool_rules(&mut self, key: &str) -> Option<Vec<ToolRule>> {
        if let Some(Given::ToolRules(rules)) = self.take(key) { Some(rules) } else { None }
    }

    fn has(&self, key: &str) -> bool {
        self.wrong.contains(&key) || self.sound.iter().any(|(kept, _)| *kept == key)
    }

    fn take(&mut self, key: &str) -> Option<Given> {
        let at = self.sound.iter().position(|(kept, _)| *kept == key)?;
        Some(self.sound.swap_remove(at).1)
    }
}

fn inject_context(taken: &mut Taken) -> Result<Action, &'static str> {
    if !taken.has("source") && !taken.has("template") {
        return Err("`source` is missing, and there is no `template` either");
    }
    Ok(Action::InjectContext(InjectContext {
        sources: taken.sources("source").unwrap_or_default(),
        format: taken.format("format"),
        limit: taken.whole("limit").and_then(|limit| u32::try_from(limit).ok()),
        min_importance: taken.thousandths("min_importance"),
        require: taken.flag("require").unwrap_or_default(),
        template: taken.text("template").ok(),
    }))
}

fn block_tools(taken: &mut Taken) -> Result<Action, &'static str> {
    if !taken.has("rules") {
        return Ok(Action::BlockTools(BlockTools { rules: vec![taken.tool_rule()?] }));
    }
    if ["tools", "command", "reason"].iter().any(|key| taken.has(key)) {
        return Err("`rules` stands alone: put `tools`, `command` and `reason` below it");
    }
    Ok(Action::BlockTools(BlockTools { rules: taken.tool_rules("rules").ok_or(ABSENT)? }))
}

const fn optional(key: &'static str, kind: Kind, about: &'static str) -> Parameter {
    Parameter { key, kind, need: Need::Optional, about }
}

const fn required(key: &'static str, kind: Kind, about: &'static str) -> Parameter {
    Parameter { key, kind, need: Need::Required, about }
}

const fn or_name(key: &'static str, kind: Kind, about: &'static str) -> Parameter {
    Parameter { key, kind, need: Need::RequiredOrName, about }
}
