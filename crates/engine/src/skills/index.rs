//! The index of skills: what lies below a root, brought up to date with the disk.
//!
//! The index rests on the stamps of every file and directory that was looked at. When all of them
//! are as they were, nothing is read; otherwise the root is walked again and only what is new or
//! changed is read.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use pacenote_context::estimate_tokens;
use pacenote_files::{
    Bytes,
    stamps::{FileTime, Stamp, Stamps, revalidate},
    walk::{Found, Kind, SkillRoot, WalkCaps},
};
use pacenote_model::{IndexedSkill, SkillKey, limits};
use pacenote_skill::{
    digest::digest_of,
    key::derive_key,
    rank,
    skill::{Place, Skill, read},
};
use pacenote_store::{FoundSkill, SkillChanges, Store};

use super::Root;
use crate::{Clock, EngineError, secrets};

/// How far a root is walked.
const CAPS: WalkCaps = WalkCaps {
    depth: limits::SKILL_DEPTH,
    directories: limits::SKILL_DIRECTORIES,
    entries: limits::SKILL_DIRECTORIES,
};

/// What lies below a root.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The skills, by path.
    pub skills: Vec<IndexedSkill>,
    /// What was passed over when the root was last walked, in words.
    pub refused: Vec<String>,
}

/// Returns what lies below a root, reading only what changed since the index was saved.
///
/// Without a store everything is read; with one, the index is saved.
pub(super) fn contents(
    store: Option<&mut dyn Store>,
    root: &Root,
    clock: Clock,
) -> Result<Contents, EngineError> {
    let name = root.path.to_string_lossy().into_owned();
    let Some(store) = store else { return Ok(walk(root, &name, &BTreeMap::new(), clock).contents) };
    let saved = store.skill_stamps(&name)?;
    let known = saved.and_then(|bytes| Stamps::from_bytes(&bytes).ok());
    let mut unchanged = BTreeMap::new();
    if let Some(stamps) = &known {
        let changes = revalidate(stamps);
        let skills = store.skills_in(&name)?;
        if changes.is_empty() {
            return Ok(Contents { skills, refused: Vec::new() });
        }
        let touched: BTreeSet<String> = changes
            .changed_files
            .iter()
            .chain(&changes.vanished_files)
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        unchanged = skills
            .into_iter()
            .filter(|skill| !touched.contains(&skill.path))
            .map(|skill| (skill.path.clone(), skill))
            .collect();
    }
    let walked = walk(root, &name, &unchanged, clock);
    let present: BTreeSet<&str> =
        walked.contents.skills.iter().map(|skill| skill.path.as_str()).collect();
    let changes = SkillChanges {
        anew: known.is_none(),
        gone: store
            .skills_in(&name)?
            .into_iter()
            .map(|skill| skill.path)
            .filter(|path| !present.contains(path.as_str()))
            .collect(),
        found: walked.fresh,
        own: walked.own,
        stamps: walked.stamps,
    };
    // The index is a cache: one that cannot be saved, on a full or read-only disk, costs time only.
    if !names_a_secret(&changes) {
        store.save_skills(&name, &changes).ok();
    }
    Ok(walked.contents)
}

/// Reports whether a path or a name in the index is a secret. It could not be replaced, because files
/// are opened by it, so such a root is not indexed.
fn names_a_secret(changes: &SkillChanges) -> bool {
    let is_secret = |text: &str| secrets::kind_in(text).is_some();
    // The stamps hold every path that was looked at.
    is_secret(&String::from_utf8_lossy(&changes.stamps))
        || changes.found.iter().any(|found| is_secret(found.skill.name.as_str()))
}

/// Returns the skills of one key below a root, if the index can be trusted for that without looking
/// at everything: the root is as it was, and each of the files has its content. `None` asks for more.
///
/// This is what a hook can afford. It does not see that some other file was changed in place to
/// bear this name; commands that list skills do.
pub(super) fn called(
    store: &dyn Store,
    root: &Root,
    key: &SkillKey,
) -> Result<Option<Contents>, EngineError> {
    let name = root.path.to_string_lossy().into_owned();
    let own = store.skill_root_stamp(&name)?.and_then(|bytes| Stamps::from_bytes(&bytes).ok());
    if !own.is_some_and(|own| revalidate(&own).is_empty()) {
        return Ok(None);
    }
    let skills: Vec<IndexedSkill> =
        store.skills_called(key)?.into_iter().filter(|skill| skill.root == name).collect();
    if skills.is_empty() {
        return Ok(Some(Contents::default()));
    }
    let Ok(opened) = SkillRoot::open(&root.path, &root.links) else { return Ok(None) };
    let sound = skills.iter().all(|skill| {
        let path = Path::new(&skill.path);
        let (Some(directory), Some(file)) = (path.parent(), path.file_name()) else { return false };
        opened
            .skill(directory)
            .and_then(|inside| inside.read(Path::new(file), Bytes::new(limits::SKILL_BYTES)))
            .is_ok_and(|bytes| digest_of(&bytes) == skill.digest)
    });
    Ok(sound.then_some(Contents { skills, refused: Vec::new() }))
}

/// What a look at one root for one key found.
#[derive(Debug, Default)]
pub(super) struct Probed {
    /// The skills.
    pub(super) contents: Contents,
    /// The one in the directory of that name, which was read for that: its path and its text.
    pub(super) read: Option<(String, Skill)>,
}

/// Returns the skills of one key below a root without walking it: those the index knows whose files
/// still say the same, and the one in the directory of that name, which may be new.
pub(super) fn probed(
    store: &dyn Store,
    root: &Root,
    key: &SkillKey,
) -> Result<Probed, EngineError> {
    let name = root.path.to_string_lossy().into_owned();
    let Ok(opened) = SkillRoot::open(&root.path, &root.links) else {
        return Ok(Probed::default());
    };
    let read_at = |path: &Path| {
        let (directory, file) = (path.parent()?, path.file_name()?);
        let inside = opened.skill(directory).ok()?;
        inside.read(Path::new(file), Bytes::new(limits::SKILL_BYTES)).ok()
    };
    let usual = root.path.join(key.as_str()).join("SKILL.md");
    let mut skills: Vec<IndexedSkill> = store
        .skills_called(key)?
        .into_iter()
        .filter(|skill| skill.root == name && Path::new(&skill.path) != usual)
        .filter(|skill| {
            read_at(Path::new(&skill.path)).is_some_and(|bytes| digest_of(&bytes) == skill.digest)
        })
        .collect();
    let mut whole = None;
    if let Some(bytes) = read_at(&usual) {
        let (skill, findings) = read(&bytes, &Place { directory: key.as_str(), file: "SKILL.md" });
        if skill.key == *key {
            let path = usual.to_string_lossy().into_owned();
            skills.push(IndexedSkill {
                path: path.clone(),
                root: name,
                key: skill.key.clone(),
                name: skill.name.clone(),
                description: skill.description.clone(),
                agent_of: None,
                version: skill.fields.version.clone(),
                digest: digest_of(&bytes),
                // Nobody asks a skill that is told what it costs: its sections are counted then.
                tokens: 0,
                modified: 0,
                findings: u32::try_from(findings.len()).unwrap_or(u32::MAX),
            });
            whole = Some((path, skill));
        }
    }
    Ok(Probed { contents: Contents { skills, refused: Vec::new() }, read: whole })
}

struct Walked {
    contents: Contents,
    /// The skills that were read now.
    fresh: Vec<FoundSkill>,
    own: Vec<u8>,
    stamps: Vec<u8>,
}

fn walk(
    root: &Root,
    name: &str,
    unchanged: &BTreeMap<String, IndexedSkill>,
    clock: Clock,
) -> Walked {
    let began = FileTime::from_millis(clock.now().millis());
    let opened = match SkillRoot::open(&root.path, &root.links) {
        Ok(opened) => opened,
        Err(error) => {
            let mut stamps = Stamps::new();
            stamps.add_absent(&root.path);
            let refused = if error.kind() == std::io::ErrorKind::NotFound {
                Vec::new()
            } else {
                vec![error.to_string()]
            };
            let contents = Contents { skills: Vec::new(), refused };
            let stamps = stamps.to_bytes();
            return Walked { contents, fresh: Vec::new(), own: stamps.clone(), stamps };
        }
    };
    let walk = opened.walk(root.singles, &CAPS);
    let (mut contents, mut fresh) = (Contents::default(), Vec::new());
    for refused in &walk.refused {
        contents.refused.push(format!("`{}`: {}", refused.path.display(), refused.why));
    }
    for found in &walk.skills {
        let path = found.file.to_string_lossy().into_owned();
        if let Some(known) = unchanged.get(&path) {
            contents.skills.push(known.clone());
            continue;
        }
        match opened.read(found, Bytes::new(limits::SKILL_BYTES)) {
            Ok(bytes) => {
                let found = indexed(name, path, found, &bytes);
                contents.skills.push(found.skill.clone());
                fresh.push(found);
            }
            Err(error) => contents.refused.push(error.to_string()),
        }
    }
    let mut own = Stamps::new();
    match Stamp::of(&root.path) {
        Some(stamp) => own.add_directory(&root.path, stamp, began),
        None => own.add_absent(&root.path),
    }
    Walked { contents, fresh, own: own.to_bytes(), stamps: walk.stamps(began).to_bytes() }
}

fn indexed(root: &str, path: String, found: &Found, bytes: &[u8]) -> FoundSkill {
    let text = |name: Option<&std::ffi::OsStr>| {
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let directory = text(found.directory.file_name());
    let file = text(found.file.file_name());
    let (mut skill, findings) = read(bytes, &Place { directory: &directory, file: &file });
    // The index keeps what a skill says about itself; its text stays in the file.
    skill.description = skill.description.as_deref().map(secrets::without_secrets);
    let always = skill.fields.always_apply == Some(true);
    let audience = skill.fields.audience.clone();
    let agent_of = match &found.kind {
        Kind::Agent { of } => Some(derive_key(&text(of.file_name()))),
        Kind::Skill | Kind::Single => None,
    };
    let (about, cues) = (rank::about(&skill), rank::cues(&skill));
    let skill = IndexedSkill {
        path,
        root: root.to_owned(),
        key: skill.key,
        name: skill.name,
        description: skill.description,
        agent_of,
        version: skill.fields.version,
        digest: digest_of(bytes),
        tokens: estimate_tokens(&skill.body),
        modified: nanoseconds(found.stamp.modified),
        findings: u32::try_from(findings.len()).unwrap_or(u32::MAX),
    };
    FoundSkill { skill, about, cues, always, audience }
}

/// A signed 64-bit count of nanoseconds reaches the year 2262.
fn nanoseconds(time: FileTime) -> i64 {
    time.seconds().saturating_mul(1_000_000_000).saturating_add(i64::from(time.nanoseconds()))
}
