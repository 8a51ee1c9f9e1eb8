//! The extension by which Gemini CLI is made to call our hooks.
//!
//! Hooks in a project's settings are dropped without a word where the folder is not trusted; those
//! of an extension are called everywhere. A directory of the right form is one: nothing has to be
//! registered, so nothing else has to be taken back.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::hook::HOOKS as EVENTS;
use crate::{
    edit::{Call, OwnFile, Registration},
    scope::Scope,
    table::Hook,
};

/// What the extension is called.
const NAME: &str = "pacenote";

/// Its version. It says how our files look, not which program they call: that one answers whatever
/// its version.
const VERSION: &str = "1.0.0";

/// After how many milliseconds the client gives a hook up. A hook of ours answers within a second;
/// the rest is for a machine that is busy.
const TIMEOUT_MILLISECONDS: u32 = 10_000;

/// Every file of the extension.
pub const FILES: [OwnFile; 3] = [MANIFEST, HOOKS, ORIGIN];

/// What the extension says of itself.
const MANIFEST: OwnFile = OwnFile {
    name: "gemini-extension.json",
    text: |_| printed(&manifest()),
    is_ours: |text| {
        let found = object_of(text, &["name", "version", "description"]);
        found.is_some_and(|found| found.get("name") == manifest().get("name"))
    },
    program: |_| None,
};

/// The hooks that shall be called.
const HOOKS: OwnFile = OwnFile {
    name: "hooks/hooks.json",
    text: |program| printed(&hooks(program)),
    is_ours: |text| {
        let calls = calls(text);
        calls.is_some_and(|calls| !calls.is_empty() && calls.iter().all(Option::is_some))
    },
    program: |text| Some(calls(text)?.into_iter().flatten().next()?.program),
};

/// Where the extension is from. Without it, a client whose administrator lists the extensions that
/// are allowed does not start at all; with it, such a client leaves out what is not on the list.
const ORIGIN: OwnFile = OwnFile {
    name: ".gemini-extension-install.json",
    text: |program| printed(&json!({ "source": program, "type": "local" })),
    is_ours: |text| origin(text).is_some_and(|source| source.ends_with("/pacenote")),
    program: origin,
};

/// Returns the directory of the extension. There is none for a project.
pub fn directory(scope: Scope, config: &Path, _project: &Path) -> Option<PathBuf> {
    match scope {
        Scope::User => Some(config.join("extensions").join(NAME)),
        Scope::Project | Scope::Local => None,
    }
}

/// Returns every hook that the client shall call. The command lines are the same in every version.
pub fn registrations() -> Vec<Registration> {
    let registration = |hook: &Hook| Registration {
        event: hook.name,
        // Every start, every tool: which of them matter, the hook decides.
        matcher: None,
        words: ["hook", "gemini", hook.word].map(str::to_owned).into(),
        timeout: TIMEOUT_MILLISECONDS,
        extra: &[],
    };
    EVENTS.iter().map(registration).collect()
}

fn manifest() -> Value {
    json!({
        "name": NAME,
        "version": VERSION,
        "description": "Tells each agent what it has to know",
    })
}

fn hooks(program: &str) -> Value {
    let groups = registrations().into_iter().map(|registration| {
        let command = registration.command(program);
        let hook =
            json!({ "type": "command", "command": command, "timeout": registration.timeout });
        (registration.event.to_owned(), json!([{ "hooks": [hook] }]))
    });
    json!({ "hooks": groups.collect::<Map<_, _>>() })
}

/// Returns what each hook of a file calls, `None` for those that are not ours; no list at all where
/// the file is none of hooks.
fn calls(text: &str) -> Option<Vec<Option<Call>>> {
    let file = object_of(text, &["hooks"])?;
    let events = file.get("hooks")?.as_object()?;
    let groups = events.values().map(Value::as_array).collect::<Option<Vec<_>>>()?;
    let hooks = groups.into_iter().flatten().map(|group| group.get("hooks")?.as_array());
    let hooks = hooks.collect::<Option<Vec<_>>>()?.into_iter().flatten();
    Some(hooks.map(|hook| Call::in_shell(hook.get("command")?.as_str()?)).collect())
}

fn origin(text: &str) -> Option<String> {
    Some(object_of(text, &["source", "type"])?.get("source")?.as_str()?.to_owned())
}

/// Returns an object that has no other members than these: others are somebody else's.
fn object_of(text: &str, members: &[&str]) -> Option<Map<String, Value>> {
    let object: Map<String, Value> = serde_json::from_str(text).ok()?;
    object.keys().all(|key| members.contains(&key.as_str())).then_some(object)
}

fn printed(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests;
