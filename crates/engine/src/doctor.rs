//! What is wrong, and how to fix it.

mod clients;
mod skills;
mod told;

use std::{collections::BTreeSet, path::Path};

use pacenote_files::{
    Bytes,
    git::{ProjectKind, ProjectPlace},
};
use pacenote_store::{Access, SCHEMA, Store, StoreError};

pub use self::{
    clients::{Setting, look_at_clients, look_at_trust},
    skills::look_at_skills,
    told::look_at_receipts,
};
use crate::{
    Data, Desk, EngineError,
    enabling::marker_of,
    presence,
    rules::{
        self,
        trust::{self, FileTrust},
    },
    skills::lock_trouble,
    work,
};

/// Failures of hooks that are shown; the log holds more.
const FAILURES_SHOWN: usize = 5;

/// Reasons to set lines aside that are shown; each line has its own in the list.
const REASONS_SHOWN: usize = 3;

/// A write-ahead log of this size means that somebody reads without end or that checkpoints fail.
const LARGE_WRITE_AHEAD_LOG: Bytes = Bytes::mib(64);

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    /// As it should be.
    Good,
    /// Works, but somebody should know.
    Doubtful,
    /// Does not work.
    Bad,
}

impl Health {
    /// Returns the word that stands in front of a check.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Doubtful => "warn",
            Self::Bad => "fail",
        }
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// How it came out.
    pub health: Health,
    /// What was found.
    pub found: String,
    /// How to mend it.
    pub hint: Option<String>,
}

impl Check {
    fn good(name: impl Into<String>, found: impl Into<String>) -> Self {
        Self { name: name.into(), health: Health::Good, found: found.into(), hint: None }
    }

    fn doubtful(
        name: impl Into<String>,
        found: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        let hint = Some(hint.into());
        Self { name: name.into(), health: Health::Doubtful, found: found.into(), hint }
    }

    fn bad(name: impl Into<String>, found: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            health: Health::Bad,
            found: found.into(),
            hint: Some(hint.into()),
        }
    }
}

/// Looks at the store and everything beside it. Nothing is created or changed.
pub fn look(data: &Data) -> Vec<Check> {
    let mut checks = vec![directory(data)];
    match pacenote_store::open(&data.store(), Access::Hook) {
        Ok(store) => look_into(&store, data, &mut checks),
        Err(StoreError::Missing { path }) => checks.push(Check::good(
            "store",
            format!(
                "none yet: sessions are briefed without it, and the first command that writes makes \
                 it at `{}`",
                path.display()
            ),
        )),
        Err(error) => checks.push(Check::bad("store", error.to_string(), mending(&error))),
    }
    checks.push(logs(data));
    checks.extend(worker(data));
    checks.extend(failures(data));
    checks
}

fn directory(data: &Data) -> Check {
    let path = data.directory();
    if pacenote_files::is_full(path) {
        Check::bad(
            "data directory",
            format!("no space left for `{}`", path.display()),
            "free some space: until then nothing is written down, what is told included",
        )
    } else if pacenote_files::can_write(path) {
        Check::good("data directory", path.display().to_string())
    } else {
        Check::bad(
            "data directory",
            format!("`{}` cannot be written", path.display()),
            "set `PACENOTE_HOME` to a directory that can be written",
        )
    }
}

fn look_into(store: &dyn Store, data: &Data, checks: &mut Vec<Check>) {
    let path = data.store().database();
    match store.describe() {
        Ok(described) if described.schema == SCHEMA => checks.push(Check::good(
            "store",
            format!("{}, schema {}", described.engine, described.schema),
        )),
        Ok(described) => checks.push(Check::doubtful(
            "store",
            format!("schema {}, this pacenote writes {SCHEMA}", described.schema),
            "any command that writes migrates it, after a backup",
        )),
        Err(error) => checks.push(Check::bad("store", error.to_string(), mending(&error))),
    }
    match store.check() {
        Ok(problems) if problems.is_empty() => checks.push(Check::good("integrity", "sound")),
        Ok(problems) => checks.push(Check::bad(
            "integrity",
            problems.join("; "),
            "`pacenote store restore` puts the newest sound backup in its place and keeps this file",
        )),
        Err(error) => checks.push(Check::bad("integrity", error.to_string(), mending(&error))),
    }
    checks.extend(set_aside(store));
    match pacenote_store::backups(&data.store()) {
        Ok(backups) => checks.push(match backups.first() {
            Some(newest) => {
                Check::good("backups", format!("{}, newest of {}", backups.len(), newest.at))
            }
            None => Check::doubtful("backups", "none", "`pacenote store backup` makes one now"),
        }),
        Err(error) => checks.push(Check::bad("backups", error.to_string(), mending(&error))),
    }
    let ahead = path.with_extension("db-wal");
    if let Ok(size) = pacenote_files::size_of(&ahead)
        && size >= LARGE_WRITE_AHEAD_LOG
    {
        checks.push(Check::doubtful(
            "write-ahead log",
            format!("`{}` has {} bytes", ahead.display(), size.get()),
            "some process keeps a read open; end it, then run any command that writes",
        ));
    }
}

fn mending(error: &StoreError) -> String {
    match error {
        StoreError::Damaged { .. } => {
            "`pacenote store restore` puts the newest sound backup in its place and keeps this file"
                .into()
        }
        StoreError::Gone { .. } => {
            "`pacenote store restore` puts the newest sound backup in its place".into()
        }
        StoreError::NotAFile { .. } => {
            "`pacenote store restore` moves it aside and puts the newest sound backup in its place"
                .into()
        }
        StoreError::Interrupted { .. } => "`pacenote task list` finishes it".into(),
        StoreError::NoSoundBackup { .. } => "`pacenote store backup` makes one now".into(),
        StoreError::Newer { .. } => "update pacenote; a newer one wrote this store".into(),
        StoreError::Older { .. } => "any command that writes migrates it, after a backup".into(),
        StoreError::Full { .. } => "free some space, or set `PACENOTE_HOME` to another disk".into(),
        StoreError::Unwritable { .. } | StoreError::File(_) => {
            "set `PACENOTE_HOME` to a directory that can be written".into()
        }
        StoreError::Refused(_)
        | StoreError::KeyReused { .. }
        | StoreError::Missing { .. }
        | StoreError::Busy { .. }
        | StoreError::Engine { .. } => "try again; if it stays, please report it".into(),
    }
}

fn logs(data: &Data) -> Check {
    match data.logs().list() {
        Ok(logs) => Check::good("session logs", format!("{}", logs.len())),
        Err(error) => Check::bad("session logs", error.to_string(), "make the directory readable"),
    }
}

/// Looks at lines of session logs that could not be applied.
fn set_aside(store: &dyn Store) -> Option<Check> {
    let kept = match store.set_aside() {
        Ok(kept) => kept,
        Err(error) => return Some(Check::bad("set aside", error.to_string(), mending(&error))),
    };
    let lines = kept.iter().map(|kept| kept.lines.lines).fold(0, u32::saturating_add);
    let files: BTreeSet<&str> = kept.iter().map(|kept| kept.lines.file.as_str()).collect();
    let reasons: BTreeSet<&str> = kept.iter().map(|kept| kept.lines.reason.as_str()).collect();
    let reasons: Vec<&str> = reasons.into_iter().take(REASONS_SHOWN).collect();
    let (files, reasons) = (counted(files.len(), "session log"), reasons.join(", "));
    let found = match usize::try_from(lines).unwrap_or(usize::MAX) {
        // Nobody knows how many lines a log lost that was cut.
        0 => format!("{files}: {reasons}"),
        lines => format!("{} of {files} could not be applied: {reasons}", counted(lines, "line")),
    };
    let hint =
        "`pacenote session log list` shows them, `pacenote session log drop --all` forgets them";
    (!kept.is_empty()).then(|| Check::doubtful("set aside", found, hint))
}

fn failures(data: &Data) -> Option<Check> {
    let recent = data.failures().recent(FAILURES_SHOWN).unwrap_or_default();
    if recent.is_empty() {
        return None;
    }
    let path = data.failures().path().display().to_string();
    Some(Check::doubtful(
        "hook failures",
        in_sentences(&recent).join("\n"),
        format!("the newest are shown; `{path}` holds them all and may be deleted"),
    ))
}

/// A line of the log of failures.
#[derive(serde::Deserialize)]
struct FailureRecord {
    at: String,
    host: String,
    event: String,
    trouble: String,
}

/// Says failures as people read them: what a hook met again and again stands there once, with the last
/// time and how often. A line that is something else is shown as it is.
fn in_sentences(lines: &[String]) -> Vec<String> {
    let mut said: Vec<(String, String, usize)> = Vec::new();
    for line in lines {
        let (what, at) = match serde_json::from_str::<FailureRecord>(line) {
            Ok(FailureRecord { at, host, event, trouble }) => {
                (format!("{host} {event}: {trouble}"), at)
            }
            Err(_) => (line.clone(), String::new()),
        };
        let count = said.iter().position(|(known, ..)| *known == what);
        let count = count.map_or(0, |place| said.remove(place).2);
        said.push((what, at, count + 1));
    }
    let sentence = |(what, at, count): (String, String, usize)| match (at.as_str(), count) {
        ("", 1) => what,
        ("", count) => format!("{what} ({count} times)"),
        (at, 1) => format!("{what} ({at})"),
        (at, count) => format!("{what} ({count} times, last {at})"),
    };
    said.into_iter().map(sentence).collect()
}

/// Looks at the rules of the project at hand.
pub fn look_at_rules(desk: &Desk, user: Option<&Path>) -> Result<Check, EngineError> {
    let loaded = rules::load(desk, user)?;
    let warnings = loaded.warnings();
    if !warnings.is_empty() {
        let hint = "`pacenote lifecycle check` shows how to fix them";
        return Ok(Check::bad("rules", warnings.join("\n"), hint));
    }
    let remarks = loaded.remarks();
    if !remarks.is_empty() {
        let hint = "the rest of these rules is in force; `pacenote lifecycle check` says the same";
        return Ok(Check::doubtful("rules", remarks.join("\n"), hint));
    }
    if let Some(path) = loaded.inert {
        let found = format!("`{}` is not trusted, so it does nothing", path.display());
        let hint = "`pacenote trust approve` takes it into use, once you have read it";
        return Ok(Check::doubtful("rules", found, hint));
    }
    let on = loaded.rules.rules.iter().filter(|rule| rule.enabled).count();
    Ok(Check::good("rules", format!("{on} in force")))
}

/// Looks at the files that the repository brings for us.
pub fn look_at_repository(desk: &Desk) -> Result<Vec<Check>, EngineError> {
    let mut checks = Vec::new();
    let mut broken: Vec<String> =
        trust::unreadable(desk).iter().map(|error| in_full(error)).collect();
    broken.extend(lock_trouble(desk));
    if !broken.is_empty() {
        let hint = "fix them, or remove what the project does not need; until then they do nothing";
        checks.push(Check::doubtful("project files", broken.join("\n"), hint));
    }
    let status = trust::status(desk)?;
    let gone: Vec<String> = status
        .iter()
        .filter(|file| file.standing == trust::Standing::Gone)
        .map(|file| format!("`{}` is trusted and stays in force, but the file is gone", file.path))
        .collect();
    if !gone.is_empty() {
        let hint = "bring the files back, or `pacenote trust revoke` ends the trust in them";
        checks.push(Check::doubtful("trusted files", gone.join("\n"), hint));
    }
    let waits =
        |file: &&FileTrust| file.standing.waits() && file.path.starts_with(trust::WORKFLOWS);
    let waiting: Vec<String> = status
        .iter()
        .filter(waits)
        .map(|file| format!("`{}` is not trusted, so it does nothing", file.path))
        .collect();
    if !waiting.is_empty() {
        let hint = "`pacenote trust approve` enables them, once you have read them";
        checks.push(Check::doubtful("workflows", waiting.join("\n"), hint));
    }
    Ok(checks)
}

/// Says an error with its causes.
fn in_full(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Looks at what the last worker did.
fn worker(data: &Data) -> Option<Check> {
    let report = work::last_report(data)?;
    let found = format!("last at {}, {} done", report.at, counted(report.granted, "errand"));
    let left = (report.left > 0).then(|| format!("{} left", report.left));
    let doubts: Vec<String> = left.into_iter().chain(report.troubles).collect();
    if doubts.is_empty() {
        return Some(Check::good("worker", found));
    }
    let doubts = format!("{found}; {}", doubts.join("; "));
    Some(Check::doubtful("worker", doubts, "`pacenote work --once` tries again what is left"))
}

fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Looks for a `.git` file around a project that is not a repository: git moves worktrees together
/// with what it notes about them, and `mv` does not.
fn lost_worktree(place: &ProjectPlace) -> Option<Check> {
    if place.kind == ProjectKind::Git {
        return None;
    }
    let is_lost = |above: &&Path| above.join(".git").is_file();
    let worktree = place.root.ancestors().find(is_lost)?.display();
    let found = format!("`{worktree}/.git` leads to no git directory that names it in turn");
    let hint = format!("if it was moved, run `git worktree repair` in `{worktree}`");
    Some(Check::doubtful("worktree", found, hint))
}

/// Looks at the project at hand.
pub fn look_here(desk: &Desk, home: Option<&Path>) -> Result<Vec<Check>, EngineError> {
    let place = desk.place();
    let branch = place.branch.as_deref().unwrap_or("no branch");
    let mut checks = vec![Check::good(
        "project",
        format!("{} at {}, {branch}", place.name, place.root.display()),
    )];
    checks.extend(lost_worktree(place));
    checks.push(match desk.here()? {
        Some(here) => {
            let (tasks, sessions) =
                (here.store.tasks(here.project.id)?, here.store.sessions(here.project.id)?);
            let counts = (counted(tasks.len(), "task"), counted(sessions.len(), "session"));
            Check::good("in use", format!("{}, {}", counts.0, counts.1))
        }
        None if presence::look(desk.data(), &place.root).is_used => {
            Check::good("in use", "the project says so, and nothing was done in it yet")
        }
        None if marker_of(place, home).is_none() => {
            Check::good("in use", "your home is no project, so hooks say nothing in it")
        }
        None => Check::doubtful(
            "in use",
            "pacenote was not used in this project yet, so hooks say nothing in it",
            "`pacenote init` takes it into use",
        ),
    });
    Ok(checks)
}
