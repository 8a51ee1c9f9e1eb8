//! Looking into one directory after the other, and deciding what lies in it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::{
    Found, Kind, SKILL_FILE, Singles, SkillRoot, THREADS, WORTH_A_THREAD, Walk, WalkCaps, Why,
};
use crate::beneath::{DIRECTORY, FILE, open_beneath};
use crate::error::FileKind;
use crate::open::Links;
use crate::stamps::Stamp;

/// The directory of a skill in which its agents are.
const AGENTS: &str = "agents";

/// What a skill keeps beside its text; there are no skills in there.
const PARTS_OF_A_SKILL: [&str; 6] =
    [AGENTS, "references", "examples", "scripts", "assets", "templates"];

/// How the name of a text ends.
const TEXT: &[u8] = b".md";

impl SkillRoot {
    /// Finds every skill and agent below the root.
    ///
    /// Below a skill only its agents are looked for. Hidden directories and `node_modules` are left
    /// out. A [`SKILL_FILE`] in the root itself is a skill and hides nothing.
    pub fn walk(&self, singles: Singles, caps: &WalkCaps) -> Walk {
        let visit = Visit { root: self, singles, caps, visited: AtomicUsize::new(0) };
        let mut walk = Walk::default();
        let start = Role::Collection { depth: 0 };
        let mut level = vec![Pending { relative: PathBuf::new(), role: start, above: None }];
        while !level.is_empty() {
            let reached = visit.level(&level);
            walk.append(reached.walk);
            level = reached.next;
        }
        if visit.visited.into_inner() > caps.directories {
            let why = Why::TooManyDirectories { most: caps.directories };
            walk.refuse(self.path().to_path_buf(), why);
        }
        walk.sort();
        walk
    }
}

/// A directory that is still to be looked into; its path is relative to the root.
#[derive(Debug)]
struct Pending {
    relative: PathBuf,
    role: Role,
    above: Option<Arc<Lineage>>,
}

/// What a directory is to the walk; paths of skills are relative to the root.
#[derive(Clone, Debug)]
enum Role {
    /// It may be a skill, or hold some.
    Collection { depth: usize },
    /// It holds the agents of a skill.
    Agents { of: PathBuf },
    /// It may be an agent of a skill.
    Agent { of: PathBuf },
}

/// The directories in which a directory is, the nearest first.
#[derive(Debug)]
struct Lineage {
    device: u64,
    inode: u64,
    above: Option<Arc<Self>>,
}

impl Lineage {
    fn holds(mut lineage: Option<&Arc<Self>>, stamp: &Stamp) -> bool {
        while let Some(one) = lineage {
            if (one.device, one.inode) == (stamp.device, stamp.inode) {
                return true;
            }
            lineage = one.above.as_ref();
        }
        false
    }
}

/// What one or more directories gave.
#[derive(Default)]
struct Reached {
    walk: Walk,
    next: Vec<Pending>,
}

/// What stays the same during a walk.
struct Visit<'a> {
    root: &'a SkillRoot,
    singles: Singles,
    caps: &'a WalkCaps,
    visited: AtomicUsize,
}

/// A directory that is being looked into.
struct Here<'a> {
    pending: &'a Pending,
    handle: OwnedFd,
    lineage: Arc<Lineage>,
}

impl Visit<'_> {
    /// Looks into all directories of one level, on two threads when there are many.
    fn level(&self, level: &[Pending]) -> Reached {
        let index = AtomicUsize::new(0);
        let work = || {
            let mut reached = Reached::default();
            while let Some(pending) = level.get(index.fetch_add(1, Ordering::Relaxed)) {
                if let Err(why) = self.look_into(pending, &mut reached) {
                    reached.walk.refuse(self.path_of(&pending.relative), why);
                }
            }
            reached
        };
        if level.len() < WORTH_A_THREAD {
            return work();
        }
        thread::scope(|scope| {
            let others: Vec<_> = (1..THREADS).map(|_| scope.spawn(work)).collect();
            let mut all = work();
            for other in others {
                match other.join() {
                    Ok(mut reached) => {
                        all.walk.append(reached.walk);
                        all.next.append(&mut reached.next);
                    }
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        })
    }

    fn look_into(&self, pending: &Pending, reached: &mut Reached) -> Result<(), Why> {
        if self.visited.fetch_add(1, Ordering::Relaxed) >= self.caps.directories {
            return Ok(());
        }
        let handle = match self.open(pending) {
            // A link to a file is nothing to walk into.
            Err(Why::Unreadable(io::ErrorKind::NotADirectory)) => return Ok(()),
            answer => answer?,
        };
        let stamp = Stamp::from_stat(&rustix::fs::fstat(&handle)?);
        if Lineage::holds(pending.above.as_ref(), &stamp) {
            return Err(Why::Loop);
        }
        let lineage =
            Lineage { device: stamp.device, inode: stamp.inode, above: pending.above.clone() };
        reached.walk.directories.push((self.path_of(&pending.relative), stamp));
        let here = Here { pending, handle, lineage: Arc::new(lineage) };
        match &pending.role {
            Role::Collection { depth } => self.collection(&here, *depth, reached),
            Role::Agents { of } => self.agents(&here, of, reached),
            Role::Agent { of } => {
                let kind = Kind::Agent { of: self.path_of(of) };
                if let Some(found) = probe(&here.handle, SKILL_FILE.as_ref())? {
                    self.take(&here, SKILL_FILE.as_ref(), &found, kind, reached);
                }
                Ok(())
            }
        }
    }

    /// Opens a directory by the rule for links that holds there.
    fn open(&self, pending: &Pending) -> Result<OwnedFd, Why> {
        let (Role::Agents { of } | Role::Agent { of }) = &pending.role else {
            return self.root.directory(&pending.relative);
        };
        match self.root.directory_without_links(&pending.relative) {
            Err(Errno::LOOP) => {}
            answer => return Ok(answer?),
        }
        let inner = pending.relative.strip_prefix(of).map_err(|_| Why::LinkLeaves)?;
        let skill = self.root.directory(of)?;
        Ok(open_beneath(skill.as_fd(), inner, DIRECTORY, Links::Follow)?)
    }

    fn collection(&self, here: &Here, depth: usize, reached: &mut Reached) -> Result<(), Why> {
        let exact = OsStr::new(SKILL_FILE);
        // Most directories are skills. Asking for the file by its name spares their listing.
        let mut skill = probe(&here.handle, exact)?.map(|found| (exact, found));
        let entries = match skill {
            Some(_) if depth > 0 => Vec::new(),
            Some(_) | None => self.list(here, reached)?,
        };
        let other_case = named_in_other_case(&entries);
        for name in &other_case {
            reached.walk.other_case.push(self.path_of(&here.pending.relative).join(name));
        }
        if let (None, Some(name)) = (&skill, other_case.first()) {
            skill = probe(&here.handle, name)?.map(|found| (*name, found));
        }
        let skipped: &[&str] = if skill.is_some() { &PARTS_OF_A_SKILL } else { &[] };
        if let Some((name, found)) = skill {
            self.take(here, name, &found, Kind::Skill, reached);
            if let Some(agents) = probe(&here.handle, AGENTS.as_ref())?
                && matches!(kind_of(&agents), FileKind::Directory | FileKind::Link)
            {
                let of = here.pending.relative.clone();
                reached.next.push(here.child(AGENTS.as_ref(), Role::Agents { of }));
            }
            if depth > 0 {
                return Ok(());
            }
        }
        for entry in &entries {
            if !skipped.iter().any(|part| entry.name == *part) {
                self.descend(here, depth, entry, reached);
            }
        }
        Ok(())
    }

    /// Follows one entry of a directory that is no skill, or of the root.
    fn descend(&self, here: &Here, depth: usize, entry: &Entry, reached: &mut Reached) {
        let may_be_single = depth == 0 && self.singles == Singles::Accept && entry.is_text();
        if may_be_single && entry.may_be_file() {
            self.take_named(here, entry, Kind::Single, reached);
        } else if entry.may_be_directory() {
            let deeper = depth + 1;
            if deeper > self.caps.depth {
                let path = self.path_of(&here.pending.relative).join(&entry.name);
                reached.walk.refuse(path, Why::TooDeep { most: self.caps.depth });
            } else {
                let role = Role::Collection { depth: deeper };
                reached.next.push(here.child(&entry.name, role));
            }
        }
    }

    fn agents(&self, here: &Here, of: &Path, reached: &mut Reached) -> Result<(), Why> {
        for entry in self.list(here, reached)? {
            if entry.is_text() && entry.may_be_file() {
                let kind = Kind::Agent { of: self.path_of(of) };
                self.take_named(here, &entry, kind, reached);
            } else if entry.may_be_directory() {
                let role = Role::Agent { of: of.to_path_buf() };
                reached.next.push(here.child(&entry.name, role));
            }
        }
        Ok(())
    }

    /// Takes a file whose name is free, unless it vanished meanwhile.
    fn take_named(&self, here: &Here, entry: &Entry, kind: Kind, reached: &mut Reached) {
        match probe(&here.handle, &entry.name) {
            Ok(Some(found)) => self.take(here, &entry.name, &found, kind, reached),
            Ok(None) => {}
            Err(why) => {
                let path = self.path_of(&here.pending.relative).join(&entry.name);
                reached.walk.refuse(path, why);
            }
        }
    }

    /// Takes the file of a skill or agent, or lists why it is none.
    fn take(&self, here: &Here, name: &OsStr, found: &Stat, kind: Kind, reached: &mut Reached) {
        let directory = self.path_of(&here.pending.relative);
        let file = directory.join(name);
        let stamp = if kind_of(found) == FileKind::Link {
            self.stamp_through_link(here, name)
        } else {
            regular_stamp(found)
        };
        match stamp {
            Ok(stamp) => reached.walk.skills.push(Found { file, directory, kind, stamp }),
            Err(why) => reached.walk.refuse(file, why),
        }
    }

    /// Returns the stamp of the file to which a link leads, which must be inside the same skill.
    fn stamp_through_link(&self, here: &Here, name: &OsStr) -> Result<Stamp, Why> {
        let opened = match &here.pending.role {
            Role::Collection { .. } => {
                open_beneath(here.handle.as_fd(), Path::new(name), FILE, Links::Follow)
            }
            Role::Agents { of } | Role::Agent { of } => {
                let inner = here.pending.relative.strip_prefix(of).map_err(|_| Why::LinkLeaves)?;
                let skill = self.root.directory(of)?;
                open_beneath(skill.as_fd(), &inner.join(name), FILE, Links::Follow)
            }
        };
        let found = rustix::fs::fstat(opened?)?;
        regular_stamp(&found)
    }

    /// Lists a directory; when it holds too much, its beginning only.
    fn list(&self, here: &Here, reached: &mut Reached) -> Result<Vec<Entry>, Why> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let listed = rustix::io::retry_on_intr(|| {
            rustix::fs::openat(&here.handle, ".", flags, Mode::empty())
        })?;
        let mut entries = Vec::new();
        for entry in Dir::new(listed)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            if entries.len() == self.caps.entries {
                let why = Why::TooManyEntries { most: self.caps.entries };
                reached.walk.refuse(self.path_of(&here.pending.relative), why);
                break;
            }
            let mut kind = FileKind::from(entry.file_type());
            // Some file systems say nothing in their listings.
            if kind == FileKind::Unknown
                && let Some(found) = probe(&here.handle, name)?
            {
                kind = kind_of(&found);
            }
            entries.push(Entry { name: name.to_owned(), kind });
        }
        Ok(entries)
    }

    fn path_of(&self, relative: &Path) -> PathBuf {
        if relative.as_os_str().is_empty() {
            return self.root.path().to_path_buf();
        }
        self.root.path().join(relative)
    }
}

impl Here<'_> {
    fn child(&self, name: &OsStr, role: Role) -> Pending {
        let relative = self.pending.relative.join(name);
        Pending { relative, role, above: Some(Arc::clone(&self.lineage)) }
    }
}

/// One entry of a directory.
struct Entry {
    name: OsString,
    kind: FileKind,
}

impl Entry {
    /// Tells whether this is `<name>.md`, but not the text of the directory itself.
    fn is_text(&self) -> bool {
        let name = self.name.as_bytes();
        name.len() > TEXT.len()
            && name.ends_with(TEXT)
            && !name.starts_with(b".")
            && !self.name.eq_ignore_ascii_case(SKILL_FILE)
    }

    fn may_be_file(&self) -> bool {
        matches!(self.kind, FileKind::Regular | FileKind::Link)
    }

    /// Tells whether this can be a directory into which a walk goes.
    fn may_be_directory(&self) -> bool {
        matches!(self.kind, FileKind::Directory | FileKind::Link)
            && !self.name.as_bytes().starts_with(b".")
            && self.name != "node_modules"
            && !self.name.eq_ignore_ascii_case(SKILL_FILE)
    }
}

/// Returns the names like [`SKILL_FILE`] in another case, sorted.
fn named_in_other_case(entries: &[Entry]) -> Vec<&OsStr> {
    let mut names: Vec<_> = entries
        .iter()
        .map(|entry| entry.name.as_os_str())
        .filter(|name| name.eq_ignore_ascii_case(SKILL_FILE) && *name != SKILL_FILE)
        .collect();
    names.sort_unstable();
    names
}

/// Asks what is in a directory under a name, without following it.
fn probe(directory: impl AsFd, name: &OsStr) -> Result<Option<Stat>, Why> {
    let directory = directory.as_fd();
    let answer = rustix::io::retry_on_intr(|| {
        rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)
    });
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}

fn regular_stamp(found: &Stat) -> Result<Stamp, Why> {
    match kind_of(found) {
        FileKind::Regular => Ok(Stamp::from_stat(found)),
        other @ (FileKind::Directory
        | FileKind::Link
        | FileKind::Fifo
        | FileKind::Socket
        | FileKind::Device
        | FileKind::Unknown) => Err(Why::NotRegular(other)),
    }
}

fn kind_of(found: &Stat) -> FileKind {
    FileKind::from(FileType::from_raw_mode(found.st_mode))
}
