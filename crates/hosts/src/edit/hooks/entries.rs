//! The hooks of a settings file, whoever registered them.

use super::{
    super::{
        command::Call,
        json::{Document, Kind, Value},
    },
    HOOKS, Registration,
};

/// The keys of every hook as we write it; a hook with others, but for those of its registration, does
/// something else.
const OUR_KEYS: [&str; 3] = ["type", "command", "timeout"];

/// A hook of a settings file.
#[derive(Debug)]
pub(super) struct Entry {
    /// The event it is registered for.
    pub(super) event: String,
    /// The matcher of its group.
    pub(super) matcher: Option<String>,
    /// The command or, for hooks that run none, what else it names.
    pub(super) what: String,
    /// The timeout as it is written.
    pub(super) timeout: Option<String>,
    /// What it calls, if it is ours.
    pub(super) call: Option<Call>,
    /// What else is said about it, as it is written.
    pub(super) extra: Vec<(String, String)>,
    /// Whether the rest is written the way we write ours.
    pub(super) plain: bool,
}

impl Entry {
    fn read(document: &Document<'_>, event: &str, matcher: Option<&String>, hook: &Value) -> Self {
        let last = |key: &str| document.members_called(hook, key).last().map(|last| &last.value);
        let string = |key: &str| last(key).and_then(|value| document.string(value));
        let extra: Vec<(String, String)> = hook
            .members
            .iter()
            .map(|member| (document.key(member).unwrap_or_default(), &member.value))
            .filter(|(key, _)| !OUR_KEYS.contains(&key.as_str()))
            .map(|(key, value)| (key, document.raw(value).to_owned()))
            .collect();
        let plain = hook.members.len() - extra.len() <= OUR_KEYS.len()
            && string("type").is_some_and(|kind| kind == "command");
        let what = ["command", "url", "prompt", "type"].into_iter().find_map(string);
        Self {
            event: event.to_owned(),
            matcher: matcher.cloned(),
            what: what.unwrap_or_default(),
            timeout: last("timeout").map(|timeout| document.raw(timeout).to_owned()),
            call: call_of(document, hook),
            extra,
            plain,
        }
    }

    /// Tells whether this is what a registration would write for a program.
    pub(super) fn is_exactly(&self, registration: &Registration, program: &str) -> bool {
        self.has_form_of(registration)
            && self.event == registration.event
            && self.matcher.as_deref() == registration.matcher
            && self.what == registration.command(program)
            && self.timeout.as_deref() == Some(&registration.timeout.to_string())
    }

    /// Tells whether this is written in the form of a registration, in whatever order.
    pub(super) fn has_form_of(&self, registration: &Registration) -> bool {
        let says = |key: &str, number: u32| {
            let number = number.to_string();
            self.extra.iter().any(|(said, value)| said == key && *value == number)
        };
        self.plain
            && self.extra.len() == registration.extra.len()
            && registration.extra.iter().all(|(key, number)| says(key, *number))
    }

    /// Tells whether this means the same event and words, whatever else is different.
    pub(super) fn is_meant_by(&self, registration: &Registration) -> bool {
        self.event == registration.event
            && self.call.as_ref().is_some_and(|call| call.words == registration.words)
    }
}

/// Returns every hook, in the order of the file.
pub(super) fn entries(document: &Document<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    let Some(root) = &document.root else { return entries };
    for event in document.members_called(root, HOOKS).flat_map(|hooks| &hooks.value.members) {
        let Some(name) = document.key(event) else { continue };
        for group in &event.value.members {
            let matcher = document.members_called(&group.value, "matcher").last();
            let matcher = matcher.and_then(|matcher| document.string(&matcher.value));
            for list in document.members_called(&group.value, HOOKS) {
                let hooks = list.value.members.iter().map(|hook| &hook.value);
                let hooks = hooks.filter(|hook| hook.kind == Kind::Object);
                entries
                    .extend(hooks.map(|hook| Entry::read(document, &name, matcher.as_ref(), hook)));
            }
        }
    }
    entries
}

/// Returns what a hook calls, if it is ours: a command line, or a program with arguments.
pub(super) fn call_of(document: &Document<'_>, hook: &Value) -> Option<Call> {
    let last = |key: &str| document.members_called(hook, key).last().map(|last| &last.value);
    let command = document.string(last("command")?)?;
    Call::in_shell(&command).or_else(|| {
        let words = last("args")?.members.iter().map(|word| document.string(&word.value));
        Call::of(command, words.collect::<Option<Vec<String>>>()?)
    })
}
