//! Skills: which there are here, which one a name means, and whether it is still the one that was
//! pinned.

mod builtin;
mod changes;
mod choosing;
mod examining;
mod index;
mod quick;
mod reading;
mod roots;
mod scanning;
mod searching;
mod writing;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use pacenote_files::{Bytes, Links, read_text_if_present};
use pacenote_hosts::skills::Places;
use pacenote_model::{Digest, IndexedSkill, SkillKey, SkillLevel};
use pacenote_skill::{
    listing::{Candidate, Listing, Registered, Standing},
    lock::{Approvals, Lock},
    reference::Reference,
};

use self::builtin::BUILT_IN_ROOT;
pub use self::{
    changes::{
        Difference, approve, approve_later, approve_listed, differences, list_unapproved, lock,
        unresolved_error,
    },
    choosing::{Chosen, for_task, history, history_of_task, remember, skill_in_force},
    examining::{chain, scan, structure_of},
    index::Contents,
    reading::{Beside, Text, beside, file_of, text_of},
    roots::{Origin, Root},
    scanning::{
        LISTED_SUSPICIONS, SCANNED_BYTES, SCANNED_DEPTH, SCANNED_FILES, scan_directory, scan_text,
    },
    searching::{Hit, Scope, fill_lists, search},
    writing::{Destination, Written, eject, scaffold},
};
pub(crate) use self::{
    choosing::{TaskDescent, at_hand, rules_in, with_companions},
    quick::{Edition, FittingSkill, KeptSkill, Quick, QuickSkill, SessionSkills, Unusable},
};
use crate::{Desk, EngineError};

/// Largest lock file that is read: a thousand pins take some 200 KiB.
const LOCK_FILE: Bytes = Bytes::mib(1);

/// The hosts that see what is looked at for pacenote's own sake.
const ALL_HOSTS: [&str; 6] = ["claude", "codex", "copilot", "gemini", "opencode", "qwen"];

/// Where a library is opened from.
pub struct Surroundings<'a> {
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The working directory.
    pub directory: PathBuf,
    /// Looks up an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// Roots that the settings name.
    pub extra: Vec<PathBuf>,
}

/// A root with what lies below it.
#[derive(Clone, Debug)]
pub struct Shelf {
    pub root: Root,
    /// What lies below it.
    pub contents: Contents,
}

/// All skills that can be found here, with what decides among them.
#[derive(Debug)]
pub struct Library {
    /// The roots, the strongest first.
    pub shelves: Vec<Shelf>,
    /// What was left out, in words.
    pub notes: Vec<String>,
    /// The skills.
    pub listing: Listing,
    /// What the project pins.
    pub lock: Lock,
    /// What the person approved here.
    pub approved: Approved,
    /// Which of the project's own skills the person approved.
    pub project_skills: ProjectSkills,
}

/// Which of a project's own skills the person approved.
#[derive(Clone, Debug)]
pub enum ProjectSkills {
    /// Those of these contents, each by its file below the project's root.
    These(BTreeSet<(String, Digest)>),
    /// All, also those that are added or changed later.
    AlsoLater,
}

impl ProjectSkills {
    /// Reports whether a file with this content is approved; its path begins with that of the root.
    fn include(&self, root: &Path, path: &str, digest: Digest) -> bool {
        match self {
            Self::AlsoLater => true,
            Self::These(approved) => {
                strip_root(root, path).is_some_and(|path| approved.contains(&(path, digest)))
            }
        }
    }
}

/// Returns the name under which a skill of a project is approved. No reference that a lock pins has
/// a `.` and a `/`, as the path of a file has, so the two never mean each other.
fn strip_root(root: &Path, path: &str) -> Option<String> {
    Path::new(path).strip_prefix(root).ok()?.to_str().map(str::to_owned)
}

/// What the person approved in a project.
#[derive(Clone, Debug, Default)]
pub struct Approved(Vec<(String, Digest)>);

impl Approvals for Approved {
    fn is_approved(&self, reference: &Reference, digest: &Digest) -> bool {
        let wanted = reference.canonical();
        self.0.iter().any(|(known, approved)| *known == wanted && approved == digest)
    }
}

impl Library {
    /// Opens the library for the project at hand, bringing the index up to date.
    pub fn open(desk: &mut Desk, surroundings: &Surroundings<'_>) -> Result<Self, EngineError> {
        let frame = Frame::of(desk, surroundings)?;
        let clock = desk.clock();
        let mut contents = Vec::new();
        for root in &frame.roots {
            contents.push(index::contents(desk.store_mut(), root, clock)?);
        }
        Ok(frame.filled(contents, builtin::candidates().collect()))
    }

    /// Looks at the library as it lies on disk; nothing is written, not even the index.
    pub fn look(desk: &Desk, surroundings: &Surroundings<'_>) -> Result<Self, EngineError> {
        let frame = Frame::of(desk, surroundings)?;
        let clock = desk.clock();
        let contents: Vec<Contents> = frame
            .roots
            .iter()
            .map(|root| index::contents(None, root, clock))
            .collect::<Result<_, _>>()?;
        Ok(frame.filled(contents, builtin::candidates().collect()))
    }

    /// Opens just as much of the library as a few names need, if the index can be trusted for them;
    /// `None` asks for all of it.
    pub fn open_for(
        desk: &Desk,
        surroundings: &Surroundings<'_>,
        references: &[Reference],
    ) -> Result<Option<Self>, EngineError> {
        let keys: Option<Vec<&SkillKey>> = references.iter().map(Reference::key).collect();
        let (Some(keys), Some(store)) = (keys, desk.store()) else { return Ok(None) };
        let frame = Frame::of(desk, surroundings)?;
        let mut contents = Vec::new();
        for root in &frame.roots {
            let mut found = Contents::default();
            for key in &keys {
                match index::called(store, root, key)? {
                    Some(some) => found.skills.extend(some.skills),
                    None => return Ok(None),
                }
            }
            contents.push(found);
        }
        let built_in = keys.iter().flat_map(|key| builtin::called(key)).collect();
        let library = frame.filled(contents, built_in);
        // A name that is not there may be a slip, and the nearest ones are among all of them.
        let has =
            |wanted: &Reference| library.listing.candidates.iter().any(|one| wanted.names(one));
        Ok(references.iter().all(has).then_some(library))
    }
}

/// Everything about a library but what lies in its roots.
#[derive(Clone)]
struct Frame {
    roots: Vec<Root>,
    notes: Vec<String>,
    lock: Lock,
    /// Whether there is a lock that cannot be read, so that nobody knows what it pins.
    lock_is_unreadable: bool,
    approved: Approved,
    project_root: PathBuf,
    project_skills: ProjectSkills,
}

impl Frame {
    fn of(desk: &Desk, surroundings: &Surroundings<'_>) -> Result<Self, EngineError> {
        // The repository's file must not cost more than what it is for.
        let (lock, lock_is_unreadable) = match read_lock(desk) {
            Ok(lock) => (lock, false),
            Err(_) => (Lock::default(), true),
        };
        let (mut also_later, mut approved) = (false, Approved::default());
        if let Some(here) = desk.here()? {
            also_later = here.store.is_taken(here.project.id)?;
            // Otherwise only what is pinned is ever asked for an approval.
            if !also_later || lock.entries().next().is_some() {
                approved = Approved(here.store.approvals(here.project.id)?);
            }
        }
        let project_skills = if also_later {
            ProjectSkills::AlsoLater
        } else {
            ProjectSkills::These(approved.0.iter().cloned().collect())
        };
        let place = desk.place();
        let places = Places {
            home: surroundings.home.clone(),
            project_root: Some(place.root.clone()),
            working_directory: surroundings.directory.clone(),
            variable: surroundings.variable,
        };
        let found = roots::find(&places, place, &surroundings.extra, also_later);
        Ok(Self {
            roots: found.list,
            notes: found.notes,
            lock,
            lock_is_unreadable,
            approved,
            project_root: place.root.clone(),
            project_skills,
        })
    }

    /// Returns whether a skill may be used.
    fn standing(&self, level: SkillLevel, skill: &IndexedSkill) -> Standing {
        let is_approved =
            || self.project_skills.include(&self.project_root, &skill.path, skill.digest);
        if level == SkillLevel::Project && !is_approved() {
            Standing::ListedOnly
        } else if self.lock_is_unreadable {
            Standing::HeldBack
        } else {
            Standing::Usable
        }
    }

    /// Puts what lies in each root, in the same order, on its shelf, and adds what is built in.
    fn filled(mut self, contents: Vec<Contents>, built_in: Vec<Candidate>) -> Library {
        let shelves: Vec<Shelf> = std::mem::take(&mut self.roots)
            .into_iter()
            .zip(contents)
            .map(|(root, contents)| Shelf { root, contents })
            .collect();
        let listing = listing(&shelves, &|level, skill| self.standing(level, skill), built_in);
        Library {
            listing,
            shelves,
            notes: self.notes,
            lock: self.lock,
            approved: self.approved,
            project_skills: self.project_skills,
        }
    }
}

/// The project's lock file, beneath its root.
pub(crate) const LOCK_PATH: &str = ".pacenote/skills.lock";

/// Returns where the project's lock file is.
pub(crate) fn lock_path(desk: &Desk) -> PathBuf {
    desk.place().root.join(LOCK_PATH)
}

/// Makes sure that the project's lock file can be read, for what rests on it or changes it.
pub fn check_lock(desk: &Desk) -> Result<(), EngineError> {
    read_lock(desk).map(drop)
}

/// Returns what is wrong with the project's lock file and what that means, in one sentence.
pub fn lock_trouble(desk: &Desk) -> Option<String> {
    let error = read_lock(desk).err()?;
    let cause = if let EngineError::BadLock { problems, .. } = &error {
        problems.first().map(ToString::to_string)
    } else {
        std::error::Error::source(&error).map(ToString::to_string)
    };
    let because = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
    Some(format!("{error}, so only built-in skills are used{because}"))
}

fn read_lock(desk: &Desk) -> Result<Lock, EngineError> {
    let path = lock_path(desk);
    // The file is the repository's: a link in its place could lead anywhere.
    match read_text_if_present(&path, LOCK_FILE, Links::Refuse) {
        Ok(None) => Ok(Lock::default()),
        Ok(Some(text)) => {
            Lock::parse(&text).map_err(|problems| EngineError::BadLock { path, problems })
        }
        Err(source) => Err(EngineError::UnreadableLock { path, source }),
    }
}

fn listing(
    shelves: &[Shelf],
    standing: &dyn Fn(SkillLevel, &IndexedSkill) -> Standing,
    built_in: Vec<Candidate>,
) -> Listing {
    let mut listing = Listing::default();
    for shelf in shelves {
        listing.searched.push(shelf.root.path.display().to_string());
        for skill in &shelf.contents.skills {
            let standing = standing(shelf.root.level, skill);
            listing.candidates.push(candidate(&shelf.root, skill, standing));
        }
    }
    listing.searched.push(BUILT_IN_ROOT.into());
    listing.candidates.extend(built_in);
    listing
}

fn candidate(root: &Root, skill: &IndexedSkill, standing: Standing) -> Candidate {
    let origin = root.origin.as_ref();
    let hosts = if root.level == SkillLevel::Extra {
        ALL_HOSTS.iter().map(|host| (*host).to_owned()).collect()
    } else {
        root.hosts.clone()
    };
    Candidate {
        key: skill.key.clone(),
        name: skill.name.clone(),
        description: skill.description.clone().unwrap_or_default(),
        agent_of: skill.agent_of.clone(),
        plugin: origin.map(|origin| origin.plugin.clone()),
        marketplace: origin.and_then(|origin| origin.marketplace.clone()),
        version: origin.and_then(|origin| origin.version.clone()).or_else(|| skill.version.clone()),
        level: root.level,
        root: root.path.display().to_string(),
        root_rank: root.rank,
        hosts,
        path: skill.path.clone(),
        digest: skill.digest,
        tokens: skill.tokens,
        modified: skill.modified / 1_000_000,
        registered: origin.map_or(Registered::No, |origin| origin.registered),
        standing,
    }
}
