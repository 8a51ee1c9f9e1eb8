//! The table of settings: one row each. A key that is not here does not exist.

use std::fmt;

use toml::de::DeValue;

/// How much an agent is told at most.
pub(super) static CONTEXT_BUDGET_TOKENS: NumberSetting = NumberSetting {
    key: "context.budget_tokens",
    environment: "PACENOTE_CONTEXT_BUDGET_TOKENS",
    about: "how many tokens an agent is told at most at the beginning of an epoch",
    least: 0,
    most: 20_000,
    default: 4_800,
};

/// Whether agents are told anything.
pub(super) static CONTEXT_INJECT: WordSetting = WordSetting {
    key: "context.inject",
    environment: "PACENOTE_CONTEXT",
    about: "whether agents are told anything",
    words: &[ON, OFF],
    default: ON,
};

/// Where agents are told nothing.
pub(super) static CONTEXT_OFF_PROJECTS: TextSetting = TextSetting {
    key: "context.off_projects",
    environment: "PACENOTE_CONTEXT_OFF_PROJECTS",
    about: "directories in whose projects agents are told nothing, separated by `:`",
    longest: 4096,
    default: "",
};

/// What agents are not told.
pub(super) static CONTEXT_OFF_SOURCES: TextSetting = TextSetting {
    key: "context.off_sources",
    environment: "PACENOTE_CONTEXT_OFF_SOURCES",
    about: "what agents are not told, separated by commas: mail, skills, activity, plan, …",
    longest: 256,
    default: "",
};

/// How long the texts of receipts are kept.
pub(super) static CONTEXT_RECEIPT_DAYS: NumberSetting = NumberSetting {
    key: "context.receipt_days",
    environment: "PACENOTE_CONTEXT_RECEIPT_DAYS",
    about: "how many days the texts that agents were told are kept",
    least: 0,
    most: 3650,
    default: 30,
};

/// How much of a skill that somebody bound to the task is told beyond the budget.
pub(super) static CONTEXT_SKILL_TOKENS: NumberSetting = NumberSetting {
    key: "context.skill_tokens",
    environment: "PACENOTE_CONTEXT_SKILL_TOKENS",
    about: "how many tokens more, for a skill that a task names, where the host takes long answers",
    least: 0,
    most: 15_000,
    default: 15_000,
};

/// Whether hooks speak in projects that nobody took into use.
pub(super) static HOOKS_EVERYWHERE: WordSetting = WordSetting {
    key: "hooks.everywhere",
    environment: "PACENOTE_HOOKS_EVERYWHERE",
    about: "whether hooks speak in every project, not only where pacenote is used",
    words: &[ON, OFF],
    default: OFF,
};

/// How many messages the inbox shows at most.
pub(super) static MAIL_INBOX_LIMIT: NumberSetting = NumberSetting {
    key: "mail.inbox_limit",
    environment: "PACENOTE_MAIL_INBOX_LIMIT",
    about: "how many messages the inbox shows at most",
    least: 1,
    most: 200,
    default: 20,
};

/// How long a reservation of paths lasts.
pub(super) static MAIL_RESERVATION_MINUTES: NumberSetting = NumberSetting {
    key: "mail.reservation_minutes",
    environment: "PACENOTE_MAIL_RESERVATION_MINUTES",
    about: "how many minutes a reservation of paths lasts",
    least: 1,
    most: 10_080,
    default: 60,
};

/// Whether output is coloured.
pub(super) static OUTPUT_COLOR: WordSetting = WordSetting {
    key: "output.color",
    environment: "PACENOTE_COLOR",
    about: "when output for people is coloured",
    words: &[AUTO, ALWAYS, NEVER],
    default: AUTO,
};

/// The skill of a task that nothing is about.
pub(super) static SKILLS_DEFAULT: TextSetting = TextSetting {
    key: "skills.default",
    environment: "PACENOTE_SKILLS_DEFAULT",
    about: "the skill for a task that no rule is about: a name, several with commas, or `none`",
    longest: 1024,
    default: "superpowers:test-driven-development",
};

/// More directories in which skills are looked for.
pub(super) static SKILLS_EXTRA_ROOTS: TextSetting = TextSetting {
    key: "skills.extra_roots",
    environment: "PACENOTE_SKILLS_EXTRA_ROOTS",
    about: "more directories in which skills are looked for, separated by `:`",
    longest: 4096,
    default: "",
};

/// Whether skills that apply to everything are told.
pub(super) static SKILLS_INJECT_CORE_SKILLS: WordSetting = WordSetting {
    key: "skills.inject_core_skills",
    environment: "PACENOTE_SKILLS_INJECT_CORE_SKILLS",
    about: "whether skills that always apply (`alwaysApply`) are injected; `off` also against a rule",
    words: &[ON, OFF],
    default: ON,
};

/// How much of them is told.
pub(super) static SKILLS_INJECTION_FORMAT: WordSetting = WordSetting {
    key: "skills.injection_format",
    environment: "PACENOTE_SKILLS_INJECTION_FORMAT",
    about: "how much of skills is injected, unless a rule says otherwise; `none` also against a rule",
    words: &["summary", "full", "none"],
    default: "summary",
};

/// Which titles of tasks call for which skills.
pub(super) static SKILLS_TASK_RULES: TextSetting = TextSetting {
    key: "skills.task_rules",
    environment: "PACENOTE_SKILLS_TASK_RULES",
    about: "which titles call for which skill, before the built-in rules: `phrase -> skill; …`",
    longest: 4096,
    default: "",
};

/// How many backups of the store are kept.
pub(super) static STORE_BACKUPS_KEPT: NumberSetting = NumberSetting {
    key: "store.backups_kept",
    environment: "PACENOTE_STORE_BACKUPS_KEPT",
    about: "how many backups of the store are kept",
    least: 1,
    most: 50,
    default: 3,
};

/// How old the last backup must be before the next.
pub(super) static STORE_BACKUP_HOURS: NumberSetting = NumberSetting {
    key: "store.backup_hours",
    environment: "PACENOTE_STORE_BACKUP_HOURS",
    about: "after how many hours the store is backed up again",
    least: 1,
    most: 8760,
    default: 24,
};

/// Whether a host's own list of things to do becomes tasks.
pub(super) static TASKS_MIRROR: WordSetting = WordSetting {
    key: "tasks.mirror",
    environment: "PACENOTE_TASKS_MIRROR",
    about: "whether what an agent puts on its host's own list becomes a task here",
    words: &[ON, OFF],
    default: ON,
};

/// How steps of workflows are printed.
pub(super) static WORKFLOWS_FORMAT: WordSetting = WordSetting {
    key: "workflows.format",
    environment: "PACENOTE_WORKFLOWS_FORMAT",
    about: "how steps of workflows are printed: `auto` is text where a host escapes tags",
    words: &[AUTO, "xml", "text"],
    default: AUTO,
};

/// How the tests of a project are run.
pub(super) static WORKFLOWS_TEST_COMMAND: TextSetting = TextSetting {
    key: "workflows.test_command",
    environment: "PACENOTE_WORKFLOWS_TEST_COMMAND",
    about: "how a workflow runs the tests: a program and its arguments; without it the agent does",
    longest: 1024,
    default: "",
};

/// Every setting, in the order in which they are shown.
pub static SETTINGS: &[Setting] = &[
    Setting::Number(&CONTEXT_BUDGET_TOKENS),
    Setting::Word(&CONTEXT_INJECT),
    Setting::Text(&CONTEXT_OFF_PROJECTS),
    Setting::Text(&CONTEXT_OFF_SOURCES),
    Setting::Number(&CONTEXT_RECEIPT_DAYS),
    Setting::Number(&CONTEXT_SKILL_TOKENS),
    Setting::Word(&HOOKS_EVERYWHERE),
    Setting::Number(&MAIL_INBOX_LIMIT),
    Setting::Number(&MAIL_RESERVATION_MINUTES),
    Setting::Word(&OUTPUT_COLOR),
    Setting::Text(&SKILLS_DEFAULT),
    Setting::Text(&SKILLS_EXTRA_ROOTS),
    Setting::Word(&SKILLS_INJECT_CORE_SKILLS),
    Setting::Word(&SKILLS_INJECTION_FORMAT),
    Setting::Text(&SKILLS_TASK_RULES),
    Setting::Number(&STORE_BACKUPS_KEPT),
    Setting::Number(&STORE_BACKUP_HOURS),
    Setting::Word(&TASKS_MIRROR),
    Setting::Word(&WORKFLOWS_FORMAT),
    Setting::Text(&WORKFLOWS_TEST_COMMAND),
];

const ON: &str = "on";
pub(super) const OFF: &str = "off";
const AUTO: &str = "auto";
const ALWAYS: &str = "always";
const NEVER: &str = "never";

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub enum Setting {
    /// A whole number within a range.
    Number(&'static NumberSetting),
    /// One of a few words.
    Word(&'static WordSetting),
    /// Any text without control characters.
    Text(&'static TextSetting),
}

/// A setting that is a whole number within a range.
#[derive(Debug)]
pub struct NumberSetting {
    /// The dotted key.
    pub key: &'static str,
    /// The environment variable that decides it.
    pub environment: &'static str,
    /// What it is for, in one line.
    pub about: &'static str,
    /// The smallest value allowed.
    pub least: u32,
    /// The largest value allowed.
    pub most: u32,
    /// The value when nobody gives one.
    pub default: u32,
}

/// A setting that is one of a few words.
#[derive(Debug)]
pub struct WordSetting {
    /// The dotted key.
    pub key: &'static str,
    /// The environment variable that decides it.
    pub environment: &'static str,
    /// What it is for, in one line.
    pub about: &'static str,
    /// The words allowed.
    pub words: &'static [&'static str],
    /// The word when nobody gives one.
    pub default: &'static str,
}

/// A setting that is a text.
#[derive(Debug)]
pub struct TextSetting {
    /// The dotted key.
    pub key: &'static str,
    /// The environment variable that decides it.
    pub environment: &'static str,
    /// What it is for, in one line.
    pub about: &'static str,
    /// The longest text allowed, in bytes.
    pub longest: usize,
    /// The text when nobody gives one.
    pub default: &'static str,
}

/// A value that its setting allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// The value of a [`NumberSetting`].
    Number(u32),
    /// The value of a [`WordSetting`].
    Word(&'static str),
    /// The value of a [`TextSetting`].
    Text(String),
}

/// When output for people is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorChoice {
    /// When it goes to a terminal that wants it.
    Auto,
    Always,
    Never,
}

/// A value as a layer gives it, before any setting allowed it.
pub(super) enum Given<'text> {
    /// A value of a file, which has a type.
    Toml(DeValue<'text>),
    /// A value of the environment or the command line, which is always text.
    Text(&'text str),
}

/// Returns the setting with this key.
pub fn setting_named(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key() == key)
}

impl Setting {
    /// Returns the dotted key.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Number(setting) => setting.key,
            Self::Word(setting) => setting.key,
            Self::Text(setting) => setting.key,
        }
    }

    /// Returns the environment variable that decides it.
    pub const fn environment(&self) -> &'static str {
        match self {
            Self::Number(setting) => setting.environment,
            Self::Word(setting) => setting.environment,
            Self::Text(setting) => setting.environment,
        }
    }

    /// Returns what it is for, in one line.
    pub const fn about(&self) -> &'static str {
        match self {
            Self::Number(setting) => setting.about,
            Self::Word(setting) => setting.about,
            Self::Text(setting) => setting.about,
        }
    }

    /// Returns the value when nobody gives one.
    pub fn default(&self) -> Value {
        match self {
            Self::Number(setting) => Value::Number(setting.default),
            Self::Word(setting) => Value::Word(setting.default),
            Self::Text(setting) => Value::Text(setting.default.to_owned()),
        }
    }

    /// Returns which values are allowed, to follow "must be".
    pub fn allowed(&self) -> String {
        match self {
            Self::Number(setting) => {
                format!("a whole number from {} to {}", setting.least, setting.most)
            }
            Self::Word(setting) => format!("one of `{}`", setting.words.join("`, `")),
            Self::Text(setting) => {
                format!("text of at most {} bytes without control characters", setting.longest)
            }
        }
    }

    /// Returns the value if this setting allows it.
    pub(super) fn read(&self, given: &Given<'_>) -> Option<Value> {
        match self {
            Self::Number(setting) => {
                let number = given.as_number()?;
                (setting.least..=setting.most).contains(&number).then_some(Value::Number(number))
            }
            Self::Word(setting) => {
                let word = given.as_text()?;
                let known = setting.words.iter().find(|known| **known == word)?;
                Some(Value::Word(known))
            }
            Self::Text(setting) => {
                let text = given.as_text()?;
                let allowed = text.len() <= setting.longest && !text.chars().any(char::is_control);
                allowed.then(|| Value::Text(text.to_owned()))
            }
        }
    }
}

impl Value {
    pub(super) fn as_number(&self) -> Option<u32> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Word(_) | Self::Text(_) => None,
        }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(_) | Self::Word(_) => None,
        }
    }

    pub(super) fn as_word(&self) -> Option<&'static str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Number(_) | Self::Text(_) => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Word(word) => formatter.write_str(word),
            Self::Text(text) => formatter.write_str(text),
        }
    }
}

impl ColorChoice {
    pub(super) fn from_word(word: &str) -> Self {
        match word {
            ALWAYS => Self::Always,
            NEVER => Self::Never,
            _ => Self::Auto,
        }
    }
}

impl Given<'_> {
    fn as_number(&self) -> Option<u32> {
        match self {
            Self::Text(text) => text.parse().ok(),
            Self::Toml(value) => {
                let integer = value.as_integer()?;
                u32::from_str_radix(integer.as_str(), integer.radix()).ok()
            }
        }
    }

    fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Toml(value) => value.as_str(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_has_its_own_key_and_variable_and_allows_its_default() {
        let keys: BTreeSet<_> = SETTINGS.iter().map(Setting::key).collect();
        let variables: BTreeSet<_> = SETTINGS.iter().map(Setting::environment).collect();
        assert_eq!((keys.len(), variables.len()), (SETTINGS.len(), SETTINGS.len()));
        for setting in SETTINGS {
            let shown = setting.default().to_string();
            assert_eq!(setting.read(&Given::Text(&shown)), Some(setting.default()), "{shown}");
            assert!(setting.environment().starts_with("PACENOTE_"), "{}", setting.key());
        }
    }

    #[test]
    fn a_number_is_whole_and_within_its_range() {
        let setting = Setting::Number(&MAIL_INBOX_LIMIT);
        assert_eq!(setting.allowed(), "a whole number from 1 to 200");
        for (text, expected) in [
            ("1", Some(1)),
            ("200", Some(200)),
            ("0", None),
            ("201", None),
            ("-1", None),
            ("4294967297", None),
            ("2.0", None),
            ("many", None),
        ] {
            assert_eq!(setting.read(&Given::Text(text)), expected.map(Value::Number), "{text}");
        }
    }

    #[test]
    fn a_word_is_one_of_the_row() {
        let setting = Setting::Word(&OUTPUT_COLOR);
        assert_eq!(setting.allowed(), "one of `auto`, `always`, `never`");
        assert_eq!(setting.read(&Given::Text("never")), Some(Value::Word("never")));
        assert_eq!(setting.read(&Given::Text("Never")), None);
        assert_eq!(setting.read(&Given::Text("3")), None);
    }

    #[test]
    fn a_text_is_short_and_printable() {
        static GREETING: TextSetting = TextSetting {
            key: "test.greeting",
            environment: "PACENOTE_TEST_GREETING",
            about: "a greeting",
            longest: 5,
            default: "hello",
        };
        let setting = Setting::Text(&GREETING);
        assert_eq!(setting.allowed(), "text of at most 5 bytes without control characters");
        assert_eq!(setting.read(&Given::Text("hi")), Some(Value::Text("hi".to_owned())));
        assert_eq!(setting.read(&Given::Text("hello!")), None);
        assert_eq!(setting.read(&Given::Text("\u{1b}[m")), None);
    }
}
