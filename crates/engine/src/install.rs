//! Setting clients up to call us, and taking that back.
//!
//! A settings file belongs to a person. What would change is planned first, so that it can be shown,
//! and written only if the file is still what the plan saw. Of a file we remember its shape before
//! and after, and digests of both: enough to take back exactly what we put in, and nothing of what
//! people keep in it. Nothing here asks anybody; consent is the caller's to get.

mod memory;
mod target;

use std::{
    io,
    path::{Path, PathBuf},
};

use pacenote_files::{FileError, FileLock, Readers, canonical, exists, is_read_only};
use pacenote_hosts::{
    clients::{Comments, Setup},
    edit::{
        self, EditError, Found as FoundHooks, Listed, Ours, OwnFile, OwnFound, Registration,
        StatusLineFound,
    },
    undo::{How, Remains, Undo, Undone},
};
use pacenote_skill::digest::digest_of;
use similar::TextDiff;
use thiserror::Error;

pub use self::target::Target;
use self::{memory::Memory, target::Share};
use crate::{Data, EngineError, without_secrets};

/// The directory of ours in which is remembered what was registered.
pub(crate) const INSTALLS: &str = "installs";

/// Lines around a change that are shown with it.
const CONTEXT_LINES: usize = 3;

/// Why a client's settings are left alone.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The file is not what we understand.
    #[error("`{}` cannot be edited", path.display())]
    Unfit {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        source: EditError,
    },
    /// The file cannot be read or written.
    #[error(transparent)]
    File(FileError),
    /// The file is no text.
    #[error("`{}` is not UTF-8", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        source: std::string::FromUtf8Error,
    },
    /// The file says that nobody shall write it.
    #[error("`{}` is read-only", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Somebody wrote it between the plan and the deed.
    #[error("`{}` was changed by another program in the meantime", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// What we remember cannot be read.
    #[error("`{}`, which says what was registered, cannot be read", path.display())]
    Forgotten {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        source: serde_json::Error,
    },
}

/// What shall become of a file.
#[derive(Clone, Debug)]
pub struct Change {
    /// The file.
    pub target: Target,
    /// What it is now; `None` if it is not there.
    pub before: Option<String>,
    /// What it shall be; `None` if it shall not be there.
    pub after: Option<String>,
    /// Why.
    pub deed: Deed,
    /// What is remembered of it from now on.
    memory: Option<Memory>,
}

/// Why a file changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Hooks are registered.
    Register,
    /// Hooks are taken out, in this way.
    Remove(How),
}

impl Change {
    /// Tells whether the file is as it shall be.
    pub fn is_done(&self) -> bool {
        self.before == self.after
    }

    /// Reports whether the file gets our status line, which it did not have.
    pub fn adds_status_line(&self) -> bool {
        let is_ours = |text: &Option<String>| {
            let found = text.as_deref().map(edit::find_status_line);
            matches!(found, Some(Ok(StatusLineFound::Ours { .. })))
        };
        !is_ours(&self.before) && is_ours(&self.after)
    }

    /// Returns the change as lines with `+` and `-`, without secrets: an agent may see it.
    pub fn diff(&self) -> String {
        let name = self.target.path.display().to_string();
        let nowhere = "/dev/null".to_owned();
        let (old, new) = (self.before.as_deref(), self.after.as_deref());
        let header = |text: Option<&str>| if text.is_some() { &name } else { &nowhere };
        let diff = TextDiff::from_lines(old.unwrap_or_default(), new.unwrap_or_default());
        let lines = diff
            .unified_diff()
            .context_radius(CONTEXT_LINES)
            .header(header(old), header(new))
            .to_string();
        without_secrets(&lines)
    }
}

/// Waits until nobody else sets clients up or takes that back, and sweeps up after those who were
/// killed at it. `None` where nothing of ours was ever kept.
pub fn hold(data: &Data) -> Result<Option<FileLock>, EngineError> {
    let directory = memory::directory(data);
    match FileLock::exclusive(&directory.join("lock")) {
        Ok(lock) => {
            data.files()?.remove_leftovers(Path::new(INSTALLS))?;
            Ok(Some(lock))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Makes sure that there is a place to remember in, and [holds](hold) it.
pub fn hold_new(data: &Data) -> Result<Option<FileLock>, EngineError> {
    data.files()?.create_directory(Path::new(INSTALLS), Readers::Owner)?;
    hold(data)
}

/// Whether a client that has no status line is given ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusLineOffer {
    /// In the settings of the person, where they have none.
    Add,
    /// Nowhere; one of ours is taken out.
    Decline,
}

impl StatusLineOffer {
    /// Reports whether a file is as this wants it. What a person chose is never touched.
    fn is_met(self, found: &StatusLineFound, program: &str) -> bool {
        match (self, found) {
            (_, StatusLineFound::Foreign) | (Self::Decline, StatusLineFound::None) => true,
            (Self::Add, StatusLineFound::Ours { program: called }) => called == program,
            (Self::Add, StatusLineFound::None) | (Self::Decline, StatusLineFound::Ours { .. }) => {
                false
            }
        }
    }

    /// Returns a file with what this wants in it.
    fn add_to(self, text: String, program: &str) -> Result<String, EditError> {
        match self {
            Self::Add => edit::add_status_line(&text, program),
            Self::Decline => Ok(text),
        }
    }
}

/// Plans what makes a client call us. An earlier registration is taken back first.
pub fn register(
    data: &Data,
    target: Target,
    program: &str,
    offer: StatusLineOffer,
) -> Result<Change, EngineError> {
    let before = target.read()?;
    // Settings of a project would take the place of everybody's own status line.
    let offer = if target.has_status_line() { offer } else { StatusLineOffer::Decline };
    match target.share {
        Share::Entries(wanted) => register_entries(data, target, before, &wanted(), program, offer),
        Share::All(own) => write_own(target, before, own, program),
    }
}

/// Plans to write a file that is all ours, unless there is something of others in its place.
fn write_own(
    target: Target,
    before: Option<String>,
    own: &OwnFile,
    program: &str,
) -> Result<Change, EngineError> {
    let after = own
        .written(before.as_deref(), program)
        .map_err(|source| SetupError::Unfit { path: target.path.clone(), source })?;
    let memory = Memory {
        client: target.client.name.to_owned(),
        scope: target.scope.word().to_owned(),
        path: target.path.clone(),
        before: None,
        before_digest: None,
        after: String::new(),
        directories: missing_directories(&target.path),
    };
    let after = Some(after);
    let memory = (before != after && before.is_none()).then_some(memory);
    Ok(Change { target, before, after, deed: Deed::Register, memory })
}

fn register_entries(
    data: &Data,
    target: Target,
    before: Option<String>,
    wanted: &[Registration],
    program: &str,
    offer: StatusLineOffer,
) -> Result<Change, EngineError> {
    let unfit = |source| SetupError::Unfit { path: target.path.clone(), source };
    let present = before.as_deref().map(|text| edit::found(text, program, wanted));
    let line = before.as_deref().map(edit::find_status_line).transpose().map_err(unfit)?;
    let has_line = line.is_some_and(|line| offer.is_met(&line, program));
    let is_there = match present.transpose().map_err(unfit)? {
        Some(found) => found.ours == Ours::AsExpected && has_line,
        None => false,
    };
    if is_there {
        let after = before.clone();
        return Ok(Change { target, before, after, deed: Deed::Register, memory: None });
    }
    let base = match &before {
        Some(text) => undone(data, &target.path, text).map(|undone| match undone.remains {
            Remains::Text(text) => Some(text),
            Remains::NoFile => None,
        })?,
        None => None,
    };
    let install = |text: Option<&str>| {
        edit::install(text, program, wanted).and_then(|text| offer.add_to(text, program))
    };
    let after = install(base.as_deref()).map_err(unfit)?;
    let shape = base.as_deref().map(pacenote_hosts::undo::masked);
    let shape_after = install(shape.as_deref()).map_err(unfit)?;
    // What was made for the file at an earlier time is still ours to remove.
    let earlier = memory::of(data, &target.path)?.map(|memory| memory.directories);
    let mut directories = missing_directories(&target.path);
    directories.extend(earlier.unwrap_or_default());
    let memory = Memory {
        client: target.client.name.to_owned(),
        scope: target.scope.word().to_owned(),
        path: target.path.clone(),
        before: shape,
        before_digest: base.as_deref().map(|text| digest_of(text.as_bytes())),
        after: shape_after,
        directories,
    };
    let after = Some(after);
    Ok(Change { target, before, after, deed: Deed::Register, memory: Some(memory) })
}

/// Plans the removal of our hooks from a file.
pub fn unregister(data: &Data, target: Target) -> Result<Change, EngineError> {
    let before = match target.read() {
        // A link in a project is left alone, and is only a problem if hooks of ours are behind it.
        Err(_) if !calls_us(&target) => None,
        read => read?,
    };
    let Some(text) = &before else {
        let deed = Deed::Remove(How::NothingOfOurs);
        return Ok(Change { target, before, after: None, deed, memory: None });
    };
    if let Share::All(own) = target.share {
        let is_ours = own.may_go(text).is_ok();
        let how = if is_ours { How::Restored } else { How::NothingOfOurs };
        let after = before.clone().filter(|_| !is_ours);
        return Ok(Change { target, before, after, deed: Deed::Remove(how), memory: None });
    }
    let Undone { remains, how } = undone(data, &target.path, text)?;
    let after = match remains {
        Remains::Text(text) => Some(text),
        Remains::NoFile => None,
    };
    Ok(Change { target, before, after, deed: Deed::Remove(how), memory: None })
}

/// What keeps a client from calling the hooks in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    /// It takes nothing of a file with comments or trailing commas.
    Comments,
    /// The file says that no hook shall be called.
    Disabled,
}

/// Returns what keeps a client from calling the hooks in a file with this text.
pub fn hindrance(target: &Target, text: &str) -> Option<Hindrance> {
    if is_refused(target, text) {
        return Some(Hindrance::Comments);
    }
    let is_off = look_into(target, text, None).is_ok_and(|hooks| hooks.disabled);
    is_off.then_some(Hindrance::Disabled)
}

/// Returns what a file says now; `None` when it is not there or cannot be read.
pub fn present(target: &Target) -> Option<String> {
    target.peek().ok().flatten()
}

/// Tells whether a client takes nothing of a file because there are comments in it.
fn is_refused(target: &Target, text: &str) -> bool {
    let refuses = match target.client.setup {
        Setup::Entries { comments, .. } => comments == Comments::Refused,
        Setup::OwnFiles { .. } => false,
    };
    refuses && !edit::is_plain(text)
}

/// Returns every file in which hooks were registered, as far as we remember.
pub fn remembered(data: &Data) -> Result<Vec<Target>, EngineError> {
    let targets = memory::all(data)?.into_iter().filter_map(|memory| memory.target());
    Ok(targets.collect())
}

/// Tells whether two paths lead to one file: homes and their directories are often links.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let is_one = || Some(canonical(one).ok()? == canonical(other).ok()?);
    one == other || is_one() == Some(true)
}

/// Writes a file as planned, unless somebody wrote it in between.
pub fn apply(data: &Data, change: &Change) -> Result<(), EngineError> {
    let path = &change.target.path;
    if change.target.read()? != change.before {
        return Err(SetupError::Changed { path: path.clone() }.into());
    }
    if !change.is_done() && is_read_only(path) {
        return Err(SetupError::ReadOnly { path: path.clone() }.into());
    }
    if !change.is_done() {
        change.target.remove_leftovers()?;
    }
    match change.deed {
        Deed::Register => {
            // Remembered first: whoever dies in between leaves a file that needs nothing undone.
            if let Some(memory) = &change.memory {
                memory.keep(data)?;
            }
            if let Some(text) = change.after.as_ref().filter(|_| !change.is_done()) {
                change.target.write(text)?;
            }
        }
        Deed::Remove(_) => {
            match &change.after {
                Some(text) if !change.is_done() => change.target.write(text)?,
                // A link that led nowhere before does so again.
                None if !change.is_done() => change.target.remove()?,
                Some(_) | None => {}
            }
            if let Some(memory) = memory::of(data, path)? {
                memory::forget(data, path)?;
                for directory in memory.directories {
                    if !change.target.remove_directory(&directory)? {
                        memory::bequeath(data, &directory)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Looks at the hooks of a file; `None` when there is no file. Without a program, the one that is
/// called there is what shall be called.
pub fn look(target: &Target, program: Option<&str>) -> Result<Option<Look>, EngineError> {
    let Some(text) = target.peek()? else { return Ok(None) };
    let is_refused = is_refused(target, &text);
    look_into(target, &text, program).map(|hooks| Some(Look { hooks, is_refused }))
}

/// Reports whether hooks of ours are in a file, as far as it can be read.
fn calls_us(target: &Target) -> bool {
    look(target, None).is_ok_and(|look| look.is_some_and(|look| look.hooks.ours != Ours::None))
}

/// What a look at a file tells.
#[derive(Clone, Debug)]
pub struct Look {
    pub hooks: FoundHooks,
    /// Whether its client takes nothing of it, because of comments or trailing commas.
    pub is_refused: bool,
}

fn look_into(
    target: &Target,
    text: &str,
    program: Option<&str>,
) -> Result<FoundHooks, EngineError> {
    let registrations = match target.share {
        Share::Entries(registrations) => registrations(),
        Share::All(own) => return Ok(look_at_own(own, text, program)),
    };
    let look_for = |program: &str| {
        edit::found(text, program, &registrations)
            .map_err(|source| SetupError::Unfit { path: target.path.clone(), source })
    };
    let found = look_for(program.unwrap_or_default())?;
    Ok(match (program, found.programs.first()) {
        (None, Some(called)) => look_for(called)?,
        (Some(_), _) | (None, None) => found,
    })
}

fn look_at_own(own: &OwnFile, text: &str, program: Option<&str>) -> FoundHooks {
    let called = (own.program)(text);
    let ours = match own.found(text, program) {
        OwnFound::AsExpected => Ours::AsExpected,
        OwnFound::Changed { .. } => Ours::Changed(Listed::none()),
        OwnFound::Foreign => Ours::None,
    };
    let programs = called.into_iter().collect();
    FoundHooks { ours, programs, foreign: Listed::none(), disabled: false }
}

/// Returns what is left of a file without what we put in.
fn undone(data: &Data, path: &Path, now: &str) -> Result<Undone, EngineError> {
    let unfit = |source| SetupError::Unfit { path: path.to_owned(), source };
    let Some(memory) = memory::of(data, path)? else {
        let removed = edit::remove(now).map_err(unfit)?;
        let how = if removed.entries == 0 { How::NothingOfOurs } else { How::ByMeaning };
        return Ok(Undone { remains: Remains::Text(removed.text), how });
    };
    let undo = Undo { before: memory.before.as_deref(), after: &memory.after };
    let undone = undo.undo(now, edit::remove).map_err(unfit)?;
    let is_what_it_was = match &undone.remains {
        Remains::Text(text) => memory.before_digest == Some(digest_of(text.as_bytes())),
        Remains::NoFile => memory.before_digest.is_none(),
    };
    let how = if is_what_it_was { How::Restored } else { undone.how };
    Ok(Undone { how, ..undone })
}

/// Returns the directories that have to be made for a file, the deepest first.
fn missing_directories(path: &Path) -> Vec<PathBuf> {
    let above = path.ancestors().skip(1);
    above.take_while(|directory| !exists(directory)).map(Path::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use pacenote_files::{create_private_directory, write_atomically};
    use pacenote_hosts::clients::{CLIENTS, Scope};

    use super::*;

    const PROGRAM: &str = "/usr/local/bin/pacenote";

    fn desk() -> (tempfile::TempDir, Data, Target) {
        let directory = tempfile::tempdir().unwrap();
        let data = Data::new(directory.path().join("data"));
        let home = directory.path().join("home");
        let mut targets = Target::of(&CLIENTS[0], Scope::User, &home, Path::new("/nowhere"));
        (directory, data, targets.remove(0))
    }

    #[test]
    fn what_another_program_wrote_in_between_is_not_overwritten() {
        let (_directory, data, target) = desk();
        let planned = register(&data, target.clone(), PROGRAM, StatusLineOffer::Add).unwrap();
        create_private_directory(target.path.parent().unwrap()).unwrap();
        write_atomically(&target.path, b"{ \"theirs\": true }").unwrap();
        let error = apply(&data, &planned).unwrap_err();
        assert!(matches!(error, EngineError::Setup(SetupError::Changed { .. })), "{error}");

        let planned = register(&data, target.clone(), PROGRAM, StatusLineOffer::Add).unwrap();
        apply(&data, &planned).unwrap();
        let planned = unregister(&data, target.clone()).unwrap();
        let edited = target.read().unwrap().unwrap().replace("true", "false");
        write_atomically(&target.path, edited.as_bytes()).unwrap();
        assert!(apply(&data, &planned).is_err());
        apply(&data, &unregister(&data, target.clone()).unwrap()).unwrap();
        assert_eq!(target.read().unwrap().unwrap(), "{ \"theirs\": false }");
    }

    #[test]
    fn a_new_version_at_another_path_takes_the_place_of_the_old() {
        let (_directory, data, target) = desk();
        apply(
            &data,
            &register(&data, target.clone(), "/old/pacenote", StatusLineOffer::Add).unwrap(),
        )
        .unwrap();
        apply(&data, &register(&data, target.clone(), PROGRAM, StatusLineOffer::Add).unwrap())
            .unwrap();
        let text = target.read().unwrap().unwrap();
        assert!(!text.contains("/old/") && text.contains(PROGRAM), "{text}");
        let found = look(&target, None).unwrap().unwrap().hooks;
        assert_eq!((found.ours, found.programs), (Ours::AsExpected, vec![PROGRAM.into()]));
        let gone = unregister(&data, target.clone()).unwrap();
        assert_eq!((&gone.after, gone.deed), (&None, Deed::Remove(How::Restored)));
    }

    #[test]
    fn whoever_dies_between_remembering_and_writing_has_done_nothing() {
        let (_directory, data, target) = desk();
        let planned = register(&data, target.clone(), PROGRAM, StatusLineOffer::Add).unwrap();
        planned.memory.as_ref().unwrap().keep(&data).unwrap();
        let gone = unregister(&data, target).unwrap();
        assert!(gone.is_done());
        apply(&data, &gone).unwrap();
        assert!(remembered(&data).unwrap().is_empty());
    }
}
