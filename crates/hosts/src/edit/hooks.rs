//! Our hooks in the shape that several hosts share: groups of hooks by event.
//!
//! ```json
//! {"hooks": {"Stop": [{"matcher": "…", "hooks": [{"type": "command", "command": "…"}]}]}}
//! ```
//!
//! Each of ours is a group of its own at the end of its event's list, so that nothing of others
//! moves. What is ours is told by meaning, from the command, never by place or formatting.

mod entries;
mod found;
mod remove;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use self::{
    found::{Difference, Foreign, Found, LISTED, Listed, Ours, found},
    remove::{Removed, remove},
};
use super::{
    EditError, SETTINGS_BYTES, command, excerpt,
    json::{self, Addition, Document, Draft, Kind, Value},
    quoted,
};

/// The key that holds all hooks of a settings file, and those of a group.
const HOOKS: &str = "hooks";

/// A hook of ours as a host shall know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The host's name of the event.
    pub event: &'static str,
    /// Which of these events are meant, where not all are.
    pub matcher: Option<&'static str>,
    /// The words behind the program: `hook`, the host, the event, and more.
    pub words: Vec<String>,
    /// When the host gives up, in its own unit.
    pub timeout: u32,
    /// What else the host has to be told about it: keys of its own, with numbers.
    pub extra: &'static [(&'static str, u32)],
}

impl Registration {
    /// Returns the command line, for a shell.
    pub fn command(&self, program: &str) -> String {
        let words = self.words.iter().map(|word| quoted(word));
        [quoted(program)].into_iter().chain(words).collect::<Vec<Cow<'_, str>>>().join(" ")
    }

    fn group(&self, program: &str) -> Draft {
        let extra = self.extra.iter().map(|(key, number)| (*key, Draft::Number(*number)));
        let hook = [
            ("type", Draft::String("command".to_owned())),
            ("command", Draft::String(self.command(program))),
            ("timeout", Draft::Number(self.timeout)),
        ];
        let members = hook.into_iter().chain(extra);
        let hook = Draft::Object(members.map(|(key, value)| Addition::keyed(key, value)).collect());
        let matcher = self.matcher.map(|matcher| Draft::String(matcher.to_owned()));
        let matcher = matcher.map(|matcher| Addition::keyed("matcher", matcher));
        let hooks = Addition::keyed(HOOKS, Draft::Array(vec![Addition::item(hook)]));
        Draft::Object(matcher.into_iter().chain([hooks]).collect())
    }
}

/// Returns a settings file with exactly these hooks of ours, all of them calling this program.
///
/// A file that has them already is returned as it is. Others of ours, of an older version or
/// another path, are taken out first. No file is as good as an empty one.
pub fn install(
    text: Option<&str>,
    program: &str,
    registrations: &[Registration],
) -> Result<String, EditError> {
    if !program.starts_with('/') || !command::is_our_program(program) {
        return Err(EditError::Program { program: excerpt(program) });
    }
    let text = text.unwrap_or_default();
    let installed = match found(text, program, registrations)?.ours {
        Ours::AsExpected => return Ok(text.to_owned()),
        Ours::None => insert(text, program, registrations)?,
        Ours::Changed(_) => insert(&remove(text)?.text, program, registrations)?,
    };
    // What we could not read again we could not take out again.
    if installed.len() > SETTINGS_BYTES {
        return Err(EditError::TooLarge { bytes: installed.len() });
    }
    Ok(installed)
}

fn insert(text: &str, program: &str, registrations: &[Registration]) -> Result<String, EditError> {
    let document = Document::read(text)?;
    let present = hooks_of(&document)?;
    let mut insertions = Vec::new();
    let mut new = Vec::new();
    for (event, groups) in by_event(program, registrations) {
        match present.map(|hooks| list_of(&document, hooks, event)).transpose()?.flatten() {
            Some(list) => insertions.extend(json::append(&document, list, &groups)),
            None => new.push(Addition::keyed(event, Draft::Array(groups))),
        }
    }
    match (&document.root, present) {
        _ if new.is_empty() => {}
        (Some(_), Some(hooks)) => insertions.extend(json::append(&document, hooks, &new)),
        (Some(root), None) => {
            let hooks = [Addition::keyed(HOOKS, Draft::Object(new))];
            insertions.extend(json::append(&document, root, &hooks));
        }
        (None, _) => {
            let hooks = Addition::keyed(HOOKS, Draft::Object(new));
            insertions.push(json::create(&document, &Draft::Object(vec![hooks])));
        }
    }
    Ok(json::insert_all(text, insertions))
}

/// Returns the groups to add, for each event in the order of the table.
fn by_event(program: &str, registrations: &[Registration]) -> Vec<(&'static str, Vec<Addition>)> {
    let mut events: Vec<(&'static str, Vec<Addition>)> = Vec::new();
    for registration in registrations {
        let group = Addition::item(registration.group(program));
        match events.iter_mut().find(|(event, _)| *event == registration.event) {
            Some((_, groups)) => groups.push(group),
            None => events.push((registration.event, vec![group])),
        }
    }
    events
}

/// Returns the hooks of a settings file, or tells why they cannot be edited.
fn hooks_of<'d>(document: &'d Document<'_>) -> Result<Option<&'d Value>, EditError> {
    let Some(root) = &document.root else { return Ok(None) };
    if root.kind != Kind::Object {
        return Err(EditError::NotSettings { found: root.kind });
    }
    let mut hooks = document.members_called(root, HOOKS).map(|member| &member.value);
    match (hooks.next(), hooks.next()) {
        (Some(_), Some(_)) => Err(EditError::HooksTwice),
        (Some(hooks), None) if hooks.kind != Kind::Object => {
            Err(EditError::NotHooks { found: hooks.kind })
        }
        (hooks, _) => Ok(hooks),
    }
}

/// Returns the groups of an event, or tells why they cannot be edited.
fn list_of<'d>(
    document: &Document<'_>,
    hooks: &'d Value,
    event: &'static str,
) -> Result<Option<&'d Value>, EditError> {
    let mut lists = document.members_called(hooks, event).map(|member| &member.value);
    match (lists.next(), lists.next()) {
        (Some(_), Some(_)) => Err(EditError::ListTwice { event }),
        (Some(list), None) if list.kind != Kind::Array => {
            Err(EditError::NotAList { event, found: list.kind })
        }
        (list, _) => Ok(list),
    }
}
