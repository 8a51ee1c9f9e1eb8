//! Codex runs only hooks that the person trusts, and skips others without a word.
//!
//! It records itself which they are: its app server is asked, in a few lines, to list them and to trust
//! them. Consent is the caller's to get; nothing that is not ours is ever trusted. What the client put
//! into its settings for us is remembered, so that it can be removed again to the byte.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use pacenote_files::{
    Bytes, Links, Readers, exists, read_capped, read_text_if_present, remove_file, write_atomically,
};
use pacenote_fleet::{Launch, Running, open};
use pacenote_hosts::codex::trust::{self, ARGUMENTS, Answer, Entry};
use pacenote_model::Digest;
use pacenote_skill::digest::digest_of;
use serde::{Deserialize, Serialize};

use crate::{Data, EngineError, clients::Found};

/// How long the app server may take for one answer: it starts in half a second.
const PATIENCE: Duration = Duration::from_secs(20);

/// Lines that are read for one answer. The server also tells of other things.
const LINES: usize = 200;

/// The client's settings, in its own directory.
const SETTINGS: &str = "config.toml";

/// Largest settings that are remembered.
const LARGEST: Bytes = Bytes::mib(1);

/// Where in our data is remembered what Codex was made to trust.
const MEMORY: &str = "trust/codex.json";

/// The client's side of trust, for one person and one place.
pub struct Codex<'a> {
    /// The client.
    pub found: &'a Found,
    /// Our program, as it is registered.
    pub program: &'a str,
    /// The directory whose hooks are meant.
    pub directory: &'a Path,
    /// What the client gets to know of the environment.
    pub variables: Vec<(String, String)>,
    /// Where our data lies.
    pub data: &'a Data,
}

/// What the client put into its settings when it trusted us.
#[derive(Serialize, Deserialize)]
struct Trusted {
    /// The digest of what they were; `None` if there were none.
    before: Option<Digest>,
    /// The digest of what they became.
    after: Digest,
    /// Where the text was put in, in bytes.
    at: usize,
    /// How long it is.
    length: usize,
    /// The text itself, which is about our hooks alone: where the settings were edited since, it is
    /// looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// Our hooks as the client knows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownHooks {
    pub entries: Vec<Entry>,
    /// What the client has to say about its own settings.
    pub complaints: Vec<String>,
}

/// What came of asking the client to trust our hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustOutcome {
    /// Nobody was asked: its program is not here.
    NotAsked,
    /// It runs all of them, so many only from now on.
    Runs { newly: usize },
    /// It knows of none, though they are registered: it says why, or does not.
    Unlisted { complaint: Option<String> },
}

impl Codex<'_> {
    /// Returns our hooks as the client knows them; `None` when its program is not here.
    pub fn ours(&self) -> Result<Option<KnownHooks>, EngineError> {
        let Some(mut server) = self.server()? else { return Ok(None) };
        self.list_ours(&mut server).map(Some)
    }

    /// Lets the client trust our hooks as they are registered.
    pub fn trust(&self) -> Result<TrustOutcome, EngineError> {
        let Some(mut server) = self.server()? else { return Ok(TrustOutcome::NotAsked) };
        let KnownHooks { entries, complaints } = self.list_ours(&mut server)?;
        if entries.is_empty() {
            return Ok(TrustOutcome::Unlisted { complaint: complaints.into_iter().next() });
        }
        let ours: Vec<&Entry> = entries.iter().filter(|entry| !entry.trust.runs()).collect();
        if !ours.is_empty() {
            let before = self.settings()?;
            send(&mut server, &trust::trust(&ours))?;
            written(&mut server)?;
            drop(server);
            self.remember(before)?;
        }
        Ok(TrustOutcome::Runs { newly: ours.len() })
    }

    /// Undoes that: removes to the byte what the client put in, where that is still in its settings;
    /// elsewhere asks the client to forget our hooks, and removes the heading that it leaves.
    pub fn distrust(&self) -> Result<(), EngineError> {
        let trusted = self.recall()?;
        if let Some(trusted) = &trusted
            && self.restore(trusted)?
        {
            return Ok(());
        }
        let Some(mut server) = self.server()? else { return Ok(()) };
        let KnownHooks { entries, .. } = self.list_ours(&mut server)?;
        let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        if keys.is_empty() {
            return Ok(());
        }
        send(&mut server, &trust::distrust(&keys))?;
        written(&mut server)?;
        drop(server);
        let made_heading = trusted.and_then(|trusted| trusted.text);
        if made_heading.is_some_and(|text| text.contains(trust::HEADING)) {
            self.remove_heading()?;
        }
        Ok(())
    }

    fn list_ours(&self, server: &mut Running) -> Result<KnownHooks, EngineError> {
        send(server, &trust::list(&[&self.directory.display().to_string()]))?;
        let mut known = answer(server, |answer| match answer {
            Answer::Hooks { entries, complaints } => Some(KnownHooks { entries, complaints }),
            Answer::Ready | Answer::Written | Answer::Refused { .. } | Answer::Other => None,
        })?;
        known.entries.retain(|entry| entry.is_ours(self.program));
        Ok(known)
    }

    fn server(&self) -> Result<Option<Running>, EngineError> {
        let Some(program) = &self.found.program else { return Ok(None) };
        let launch = Launch::new(program, self.directory)
            .arguments(ARGUMENTS)
            .variables(self.variables.clone());
        let mut server = open(&launch).map_err(|error| EngineError::NoClient { error })?;
        for line in trust::opening(env!("CARGO_PKG_VERSION")) {
            send(&mut server, &line)?;
        }
        answer(&mut server, |answer| matches!(answer, Answer::Ready).then_some(()))?;
        Ok(Some(server))
    }

    fn path(&self) -> Option<PathBuf> {
        self.found.home.as_ref().map(|home| home.join(SETTINGS))
    }

    fn settings(&self) -> Result<Option<Vec<u8>>, EngineError> {
        let Some(path) = self.path().filter(|path| exists(path)) else { return Ok(None) };
        Ok(Some(read_capped(&path, LARGEST, Links::Follow)?))
    }

    /// Remembers what was put in, if it is one piece, together with what was put in earlier; of the
    /// rest only the digest is kept.
    fn remember(&self, before: Option<Vec<u8>>) -> Result<(), EngineError> {
        let Some(after) = self.settings()? else { return Ok(()) };
        let before = match (self.recall()?, before) {
            (Some(earlier), Some(before)) => match removed(&before, &earlier) {
                Some(_) if earlier.before.is_none() => None,
                Some(old) => Some(old),
                None => Some(before),
            },
            (_, before) => before,
        };
        let old = before.as_deref().unwrap_or_default();
        let Some(length) = after.len().checked_sub(old.len()) else { return Ok(()) };
        let at = old.iter().zip(&after).take_while(|(old, new)| old == new).count();
        let text = after.get(at..at.saturating_add(length)).map(<[u8]>::to_vec);
        let text = text.and_then(|text| String::from_utf8(text).ok());
        let before = before.as_deref();
        let trusted =
            Trusted { before: before.map(digest_of), after: digest_of(&after), at, length, text };
        if without(&after, &trusted).as_deref() != Some(old) {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(&trusted)
            .map_err(|source| EngineError::Unwritten { source })?;
        Ok(self.data.files()?.write(Path::new(MEMORY), text.as_bytes(), Readers::Owner)?)
    }

    /// Returns what is remembered.
    fn recall(&self) -> Result<Option<Trusted>, EngineError> {
        let memory = self.data.directory().join(MEMORY);
        let text = read_text_if_present(&memory, LARGEST, Links::Refuse)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Removes what the client put in, where that is still there as it was, and forgets about it.
    fn restore(&self, trusted: &Trusted) -> Result<bool, EngineError> {
        self.data.files()?.remove_file(Path::new(MEMORY))?;
        let Some(now) = self.settings()? else { return Ok(false) };
        let Some(was) = removed(&now, trusted) else { return Ok(false) };
        if trusted.before.is_none() && was.is_empty() {
            self.remove_settings()?;
        } else {
            self.write_settings(&was)?;
        }
        Ok(true)
    }

    /// Removes a heading under which nothing is left, and the empty line before it.
    fn remove_heading(&self) -> Result<(), EngineError> {
        let Some(now) = self.settings()? else { return Ok(()) };
        let text = String::from_utf8_lossy(&now);
        match trust::without_empty_heading(&text) {
            Some(shorter) => self.write_settings(shorter.as_bytes()),
            None => Ok(()),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "the person's own settings may be a link")]
    fn write_settings(&self, settings: &[u8]) -> Result<(), EngineError> {
        let Some(path) = self.path() else { return Ok(()) };
        Ok(write_atomically(&path, settings)?)
    }

    /// Removes settings that are there because of us alone.
    #[expect(clippy::disallowed_methods, reason = "the person's own settings may be a link")]
    fn remove_settings(&self) -> Result<(), EngineError> {
        let Some(path) = self.path() else { return Ok(()) };
        Ok(remove_file(&path)?)
    }
}

/// Returns settings without what was put in, wherever it stands in them by now; `None` where it is not
/// there exactly once.
fn removed(now: &[u8], trusted: &Trusted) -> Option<Vec<u8>> {
    if digest_of(now) == trusted.after {
        return without(now, trusted);
    }
    let now = std::str::from_utf8(now).ok()?;
    let text = trusted.text.as_deref().filter(|text| !text.is_empty())?;
    let (head, tail) = now.split_once(text)?;
    (!tail.contains(text)).then(|| [head, tail].concat().into_bytes())
}

/// Returns settings without what was put in.
fn without(now: &[u8], trusted: &Trusted) -> Option<Vec<u8>> {
    let head = now.get(..trusted.at)?;
    let tail = now.get(trusted.at.checked_add(trusted.length)?..)?;
    Some([head, tail].concat())
}

fn written(server: &mut Running) -> Result<(), EngineError> {
    answer(server, |answer| matches!(answer, Answer::Written).then_some(()))
}

fn send(server: &mut Running, line: &str) -> Result<(), EngineError> {
    server.send_line(line).map_err(|error| EngineError::NoAnswer { said: error.to_string() })
}

/// Reads lines until one is what is waited for.
fn answer<T>(server: &mut Running, wanted: impl Fn(Answer) -> Option<T>) -> Result<T, EngineError> {
    let silent = |said: String| EngineError::NoAnswer { said };
    for _ in 0..LINES {
        let line = server.next_line(PATIENCE).map_err(|error| silent(error.to_string()))?;
        let Some(line) = line else { return Err(silent("it ended".to_owned())) };
        let said = trust::read(&line);
        if let Answer::Refused { message } = said {
            return Err(silent(message));
        }
        if let Some(found) = wanted(said) {
            return Ok(found);
        }
    }
    Err(silent("it spoke of other things".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_found_wherever_others_wrote() {
        let put = "\n[hooks.state]\n\n[hooks.state.\"a:b\"]\ntrusted_hash = \"1\"\n";
        let before = "model = \"x\"\n";
        let after = format!("{before}{put}");
        let trusted = Trusted {
            before: Some(digest_of(before.as_bytes())),
            after: digest_of(after.as_bytes()),
            at: before.len(),
            length: put.len(),
            text: Some(put.to_owned()),
        };
        let project = "\n[projects.\"/shop\"]\ntrust_level = \"trusted\"\n";
        for (now, was) in [
            (after.clone(), Some(before.to_owned())),
            (format!("# mine\n{after}"), Some(format!("# mine\n{before}"))),
            (format!("{after}{project}"), Some(format!("{before}{project}"))),
            (after.replace("\"x\"", "\"y\""), Some("model = \"y\"\n".to_owned())),
            // Nobody knows any more which bytes were ours.
            (after.replace("\"1\"", "\"2\""), None),
            (format!("{after}{put}"), None),
            (before.to_owned(), None),
        ] {
            let found = removed(now.as_bytes(), &trusted);
            assert_eq!(found, was.map(String::into_bytes), "{now}");
        }
    }
}
