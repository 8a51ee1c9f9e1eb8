//! Settings in layers: built in, the user's file, the environment, flags; a later layer wins.
//!
//! The project's file is read and shown but decides nothing: what a clone brings must not act
//! before somebody trusted it. Nothing here reads a file or the environment by itself, and nothing
//! stops at the first mistake: all of them are returned beside settings that can be used.

mod file;
mod problem;
mod setting;

use std::path::{Path, PathBuf};

use file::values_in;
pub use problem::{Origin, Problem, SettingError, Weight};
use setting::{
    CONTEXT_BUDGET_TOKENS, CONTEXT_INJECT, CONTEXT_OFF_PROJECTS, CONTEXT_OFF_SOURCES,
    CONTEXT_RECEIPT_DAYS, CONTEXT_SKILL_TOKENS, Given, HOOKS_EVERYWHERE, MAIL_INBOX_LIMIT,
    MAIL_RESERVATION_MINUTES, OFF, OUTPUT_COLOR, SKILLS_DEFAULT, SKILLS_EXTRA_ROOTS,
    SKILLS_INJECT_CORE_SKILLS, SKILLS_INJECTION_FORMAT, SKILLS_TASK_RULES, STORE_BACKUP_HOURS,
    STORE_BACKUPS_KEPT, TASKS_MIRROR, WORKFLOWS_FORMAT, WORKFLOWS_TEST_COMMAND,
};
pub use setting::{
    ColorChoice, NumberSetting, SETTINGS, Setting, TextSetting, Value, WordSetting, setting_named,
};

use crate::bytes::Bytes;

/// Largest settings file: with every setting and a comment on each, one is under 4 KiB.
pub const SETTINGS_FILE: Bytes = Bytes::kib(64);

/// A file that was read, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// The path to name in errors.
    pub path: PathBuf,
    /// The content.
    pub text: String,
}

/// All that can decide a setting, as found by the caller.
pub struct Layers<'layers> {
    /// The user's file, if there is one.
    pub user: Option<FileText>,
    /// The project's file, if there is one.
    pub project: Option<FileText>,
    /// Whether the person trusts that file as it is; otherwise it is shown and decides nothing.
    pub project_is_trusted: bool,
    /// Returns the value of an environment variable; an empty one counts as absent.
    pub environment: &'layers dyn Fn(&str) -> Option<String>,
    /// Keys and values from the command line; the last one of a key wins.
    pub flags: Vec<(String, String)>,
}

/// The settings that hold, and where each of them comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What the layers gave, the lowest layer first.
    given: Vec<Entry>,
    /// What the project's file asks for.
    ignored: Vec<Entry>,
}

/// One setting as a person may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The dotted key.
    pub key: &'static str,
    /// What the setting is for, in one line.
    pub about: &'static str,
    /// The value that holds.
    pub value: Value,
    /// Where that value comes from.
    pub origin: Origin,
    /// The values of lower layers, the nearest first.
    pub shadowed: Vec<(Origin, Value)>,
    /// What the project's file asks for, which is not trusted.
    pub ignored: Option<(Origin, Value)>,
}

/// A value that one layer gives to one setting.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    key: &'static str,
    origin: Origin,
    value: Value,
}

impl Settings {
    /// Returns the settings of somebody who set nothing.
    pub fn built_in() -> Self {
        Self::load(Layers {
            user: None,
            project: None,
            project_is_trusted: false,
            environment: &|_| None,
            flags: Vec::new(),
        })
        .0
    }

    /// Merges the layers; a value that is refused leaves the setting to the layer below.
    pub fn load(layers: Layers<'_>) -> (Self, Vec<Problem>) {
        let mut reading = Reading::default();
        if let Some(file) = layers.user {
            reading
                .file(&file, Weight::Error, |line| Origin::User { path: file.path.clone(), line });
        }
        let user = reading.take_entries();
        if let Some(file) = layers.project {
            reading.file(&file, Weight::Warning, |line| Origin::Project {
                path: file.path.clone(),
                line,
            });
        }
        let project = reading.take_entries();
        let (trusted, ignored) =
            if layers.project_is_trusted { (project, Vec::new()) } else { (Vec::new(), project) };
        for setting in SETTINGS {
            let variable = setting.environment();
            if let Some(text) = (layers.environment)(variable).filter(|text| !text.is_empty()) {
                let origin = Origin::Environment { variable };
                reading.value(setting.key(), &Given::Text(&text), origin, Weight::Error);
            }
        }
        for (key, text) in &layers.flags {
            reading.value(key, &Given::Text(text), Origin::Flag, Weight::Error);
        }
        let given = [user, trusted, reading.entries].concat();
        (Self { given, ignored }, reading.problems)
    }

    /// Returns how many messages the inbox shows at most.
    pub fn mail_inbox_limit(&self) -> u32 {
        self.number(&MAIL_INBOX_LIMIT)
    }

    /// Returns how long a reservation of paths lasts, in minutes.
    pub fn mail_reservation_minutes(&self) -> u32 {
        self.number(&MAIL_RESERVATION_MINUTES)
    }

    /// Returns how many tokens an agent is told at most.
    pub fn context_budget_tokens(&self) -> u32 {
        self.number(&CONTEXT_BUDGET_TOKENS)
    }

    /// Returns how many tokens more a skill may take that a task names.
    pub fn context_skill_tokens(&self) -> u32 {
        self.number(&CONTEXT_SKILL_TOKENS)
    }

    /// Tells whether hooks speak in projects that nobody took into use.
    pub fn hooks_are_everywhere(&self) -> bool {
        self.word(&HOOKS_EVERYWHERE) != OFF
    }

    /// Tells whether a host's own list of things to do becomes tasks.
    pub fn tasks_are_mirrored(&self) -> bool {
        self.word(&TASKS_MIRROR) != OFF
    }

    /// Returns how steps of workflows are printed: `auto`, `xml` or `text`.
    pub fn workflows_format(&self) -> &str {
        self.word(&WORKFLOWS_FORMAT)
    }

    /// Returns the program and the arguments that run the tests, if somebody said.
    pub fn workflows_test_command(&self) -> Option<Vec<String>> {
        let text = self.values(WORKFLOWS_TEST_COMMAND.key).find_map(Value::as_text)?;
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        (!words.is_empty()).then_some(words)
    }

    /// Returns whether agents are told anything in a directory.
    pub fn context_is_on(&self, directory: &Path) -> bool {
        let word = self.values(CONTEXT_INJECT.key).find_map(Value::as_word);
        let off = self.values(CONTEXT_OFF_PROJECTS.key).find_map(Value::as_text);
        let off = off.unwrap_or(CONTEXT_OFF_PROJECTS.default);
        let is_off = std::env::split_paths(off)
            .any(|path| path.is_absolute() && directory.starts_with(&path));
        word.unwrap_or(CONTEXT_INJECT.default) != OFF && !is_off
    }

    /// Returns the words of what agents are not told.
    pub fn context_off_sources(&self) -> Vec<String> {
        let text = self.values(CONTEXT_OFF_SOURCES.key).find_map(Value::as_text);
        let words = text.unwrap_or(CONTEXT_OFF_SOURCES.default).split(',');
        words.map(str::trim).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    }

    /// Returns how many days the texts that agents were told are kept.
    pub fn context_receipt_days(&self) -> u32 {
        self.number(&CONTEXT_RECEIPT_DAYS)
    }

    /// Returns whether output is coloured.
    pub fn output_color(&self) -> ColorChoice {
        let word = self.values(OUTPUT_COLOR.key).find_map(Value::as_word);
        ColorChoice::from_word(word.unwrap_or(OUTPUT_COLOR.default))
    }

    /// Returns the skill for a task that no rule is about, as it is written.
    pub fn skills_default(&self) -> &str {
        let text = self.values(SKILLS_DEFAULT.key).find_map(Value::as_text);
        text.unwrap_or(SKILLS_DEFAULT.default)
    }

    /// Returns the directories in which skills are looked for besides the usual ones.
    pub fn skills_extra_roots(&self) -> Vec<PathBuf> {
        let text = self.values(SKILLS_EXTRA_ROOTS.key).find_map(Value::as_text);
        std::env::split_paths(text.unwrap_or(SKILLS_EXTRA_ROOTS.default))
            .filter(|path| path.is_absolute())
            .collect()
    }

    /// Reports whether skills that always apply are injected, whatever a rule says.
    pub fn core_skills_are_injected(&self) -> bool {
        self.word(&SKILLS_INJECT_CORE_SKILLS) != OFF
    }

    /// Returns how much is injected of skills: `none` is nothing, whatever a rule says; `summary` and
    /// `full` hold where a rule does not say otherwise.
    pub fn skills_injection_format(&self) -> &str {
        self.word(&SKILLS_INJECTION_FORMAT)
    }

    /// Returns the rules by which titles of tasks call for skills, one text each.
    pub fn skills_task_rules(&self) -> Vec<String> {
        let text = self.values(SKILLS_TASK_RULES.key).find_map(Value::as_text);
        let rows = text.unwrap_or(SKILLS_TASK_RULES.default).split(';');
        rows.map(str::trim).filter(|row| !row.is_empty()).map(str::to_owned).collect()
    }

    /// Returns how many backups of the store are kept.
    pub fn store_backups_kept(&self) -> u32 {
        self.number(&STORE_BACKUPS_KEPT)
    }

    /// Returns after how many hours the store is backed up again.
    pub fn store_backup_hours(&self) -> u32 {
        self.number(&STORE_BACKUP_HOURS)
    }

    /// Returns every setting with its value and where that comes from, in the order of the table.
    pub fn rows(&self) -> Vec<Row> {
        SETTINGS.iter().map(|setting| self.row(setting)).collect()
    }

    fn number(&self, setting: &NumberSetting) -> u32 {
        self.values(setting.key).find_map(Value::as_number).unwrap_or(setting.default)
    }

    fn word(&self, setting: &'static WordSetting) -> &str {
        self.values(setting.key).find_map(Value::as_word).unwrap_or(setting.default)
    }

    fn values(&self, key: &'static str) -> impl Iterator<Item = &Value> {
        self.entries(key).map(|entry| &entry.value)
    }

    /// Returns what the layers gave to a setting, the highest layer first.
    fn entries(&self, key: &'static str) -> impl Iterator<Item = &Entry> {
        self.given.iter().rev().filter(move |entry| entry.key == key)
    }

    fn row(&self, setting: &Setting) -> Row {
        let built_in = (Origin::BuiltIn, setting.default());
        let pair = |entry: &Entry| (entry.origin.clone(), entry.value.clone());
        let mut layers = self.entries(setting.key()).map(pair).collect::<Vec<_>>();
        layers.push(built_in.clone());
        let mut layers = layers.into_iter();
        let (origin, value) = layers.next().unwrap_or(built_in);
        Row {
            key: setting.key(),
            about: setting.about(),
            value,
            origin,
            shadowed: layers.collect(),
            ignored: self.ignored.iter().find(|entry| entry.key == setting.key()).map(pair),
        }
    }
}

/// What was read so far, and what was wrong with it.
#[derive(Default)]
struct Reading {
    entries: Vec<Entry>,
    problems: Vec<Problem>,
}

impl Reading {
    /// Takes all values of a file, each with the origin that its line gives.
    fn file(&mut self, file: &FileText, weight: Weight, origin: impl Fn(usize) -> Origin) {
        match values_in(&file.text) {
            Ok(values) => {
                for value in values {
                    self.value(&value.key, &value.given, origin(value.line), weight);
                }
            }
            Err(mistakes) => {
                for mistake in mistakes {
                    let message = mistake.message;
                    let error = SettingError::Syntax { origin: origin(mistake.line), message };
                    self.problems.push(Problem { weight, error });
                }
            }
        }
    }

    /// Takes one value of a layer, or notes why it cannot be taken.
    fn value(&mut self, key: &str, given: &Given<'_>, origin: Origin, weight: Weight) {
        let error = match setting_named(key) {
            Some(setting) => match setting.read(given) {
                Some(value) => {
                    self.entries.push(Entry { key: setting.key(), origin, value });
                    return;
                }
                None => SettingError::refused(origin, setting, given),
            },
            None => SettingError::unknown(origin, key),
        };
        self.problems.push(Problem { weight, error });
    }

    fn take_entries(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.entries)
    }
}

#[cfg(test)]
mod tests;
