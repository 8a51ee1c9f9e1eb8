//! Codex runs only hooks that the person trusts, and passes over others without a word.
//!
//! Which they are it writes down itself: its app server is asked, and told, in a few lines. Consent
//! is the caller's to get; nothing that is not ours is ever trusted. What the client put into its
//! settings for us is remembered, so that it can be taken out again to the byte.

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
}

impl Codex<'_> {
    /// Returns our hooks as the client knows them; `None` when its program is not here.
    pub fn ours(&self) -> Result<Option<Vec<Entry>>, EngineError> {
        let Some(mut server) = self.server()? else { return Ok(None) };
        let entries = hooks(&mut server, self.directory)?;
        Ok(Some(entries.into_iter().filter(|entry| entry.is_ours(self.program)).collect()))
    }

    /// Lets the client trust our hooks as they are registered, and returns how many were not.
    pub fn trust(&self) -> Result<usize, EngineError> {
        let Some(mut server) = self.server()? else { return Ok(0) };
        let entries = hooks(&mut server, self.directory)?;
        let ours: Vec<&Entry> = entries
            .iter()
            .filter(|entry| entry.is_ours(self.program) && !entry.trust.runs())
            .collect();
        if ours.is_empty() {
            return Ok(0);
        }
        let before = self.settings()?;
        send(&mut server, &trust::trust(&ours))?;
        written(&mut server)?;
        drop(server);
        self.remember(before.as_deref())?;
        Ok(ours.len())
    }

    /// Takes that trust back: to the byte where nobody touched the settings since, else by asking the
    /// client to forget our hooks.
    pub fn distrust(&self) -> Result<(), EngineError> {
        if self.restore()? {
            return Ok(());
        }
        let Some(mut server) = self.server()? else { return Ok(()) };
        let entries = hooks(&mut server, self.directory)?;
        let ours = entries.iter().filter(|entry| entry.is_ours(self.program));
        let keys: Vec<&str> = ours.map(|entry| entry.key.as_str()).collect();
        if keys.is_empty() {
            return Ok(());
        }
        send(&mut server, &trust::distrust(&keys))?;
        written(&mut server)
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

    /// Remembers what was put in, if it is one piece; of the rest only the digest is kept.
    fn remember(&self, before: Option<&[u8]>) -> Result<(), EngineError> {
        let Some(after) = self.settings()? else { return Ok(()) };
        let old = before.unwrap_or_default();
        let Some(length) = after.len().checked_sub(old.len()) else { return Ok(()) };
        let at = old.iter().zip(&after).take_while(|(old, new)| old == new).count();
        let trusted =
            Trusted { before: before.map(digest_of), after: digest_of(&after), at, length };
        if without(&after, &trusted).as_deref() != Some(old) {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(&trusted)
            .map_err(|source| EngineError::Unwritten { source })?;
        Ok(self.data.files()?.write(Path::new(MEMORY), text.as_bytes(), Readers::Owner)?)
    }

    /// Makes the settings what they were, if nobody touched them since.
    #[expect(clippy::disallowed_methods, reason = "the person's own settings may be a link")]
    fn restore(&self) -> Result<bool, EngineError> {
        let memory = self.data.directory().join(MEMORY);
        let Some(text) = read_text_if_present(&memory, LARGEST, Links::Refuse)? else {
            return Ok(false);
        };
        self.data.files()?.remove_file(Path::new(MEMORY))?;
        let (Ok(trusted), Some(now)) = (serde_json::from_str::<Trusted>(&text), self.settings()?)
        else {
            return Ok(false);
        };
        let (Some(path), Some(was)) = (self.path(), without(&now, &trusted)) else {
            return Ok(false);
        };
        if digest_of(&now) != trusted.after {
            return Ok(false);
        }
        match trusted.before {
            None => remove_file(&path)?,
            Some(_) => write_atomically(&path, &was)?,
        }
        Ok(true)
    }
}

/// Returns settings without what was put in.
fn without(now: &[u8], trusted: &Trusted) -> Option<Vec<u8>> {
    let head = now.get(..trusted.at)?;
    let tail = now.get(trusted.at.checked_add(trusted.length)?..)?;
    Some([head, tail].concat())
}

fn hooks(server: &mut Running, directory: &Path) -> Result<Vec<Entry>, EngineError> {
    send(server, &trust::list(&[&directory.display().to_string()]))?;
    answer(server, |answer| match answer {
        Answer::Hooks { entries, .. } => Some(entries),
        Answer::Ready | Answer::Written | Answer::Refused { .. } | Answer::Other => None,
    })
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
