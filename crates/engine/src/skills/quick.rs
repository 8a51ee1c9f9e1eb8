//! Single skills, as a hook can afford to look for them: by their names, without walking a root.

use std::path::Path;

use pacenote_files::{Bytes, exists};
use pacenote_model::{Digest, SkillKey, SkillLevel};
use pacenote_skill::{
    key::derive_key,
    listing::Candidate,
    lock::Entry,
    rank::{Calls, Evidence, Fit, Request, Statistics, Why, gather, rank},
    reference::Reference,
    resolve::{Unresolved, resolve},
    skill::{Place, Skill, read},
};
use pacenote_store::{CoreSkill, SkillList, SkillQuery, Store};

use super::{
    BUILT_IN_ROOT, Frame, Library, ProjectSkills, Surroundings, builtin, examining::read_skill,
    index, reading::read_file_in,
};
use crate::{Desk, EngineError};

/// How near to the best a skill must come to be offered beside it.
const NEAR_THE_BEST: f64 = 0.5;

/// Skills that the list of words gives; what ranks lower is no suggestion.
const LIST: u32 = 50;

/// Why a skill cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// No skill has the name.
    Unknown,
    /// It is a skill of the project that nobody approved.
    NotInUse,
    /// The project's lock file cannot be read.
    HeldBack,
    /// It is pinned and has changed since.
    Changed,
    /// It cannot be read.
    Unreadable,
}

impl Unusable {
    /// Returns the reason in words.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            Self::Unknown => "no skill here has that name",
            Self::NotInUse => "the person has not approved this skill of the project",
            Self::HeldBack => "`.pacenote/skills.lock` cannot be read, so pins are not known",
            Self::Changed => "it changed since it was pinned",
            Self::Unreadable => "it cannot be read",
        }
    }

    /// Returns the verb of `pacenote skill` that says more.
    pub(crate) const fn verb(self) -> &'static str {
        match self {
            Self::Changed => "diff",
            Self::HeldBack => "verify",
            Self::Unknown | Self::NotInUse | Self::Unreadable => "show",
        }
    }
}

/// A skill that fits a request.
pub(crate) struct FittingSkill {
    pub(crate) key: SkillKey,
    /// What it says it is for.
    pub(crate) description: String,
    pub(crate) why: Why,
    /// Where it comes from.
    pub(crate) level: SkillLevel,
}

/// A skill that was found.
pub(crate) struct QuickSkill {
    pub(crate) candidate: Candidate,
    pub(crate) skill: Skill,
    pub(crate) edition: Edition,
}

/// Which text of a skill was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edition {
    /// The one that holds now.
    Present,
    /// The one that the session first read; there is a newer one.
    First,
}

/// A skill as a session first read it.
pub(crate) struct KeptSkill {
    /// The digest of its file then.
    pub(crate) digest: Digest,
    pub(crate) body: String,
}

/// What a session knows of skills from before.
pub(crate) trait SessionSkills {
    /// Reports whether the text of a skill was injected into the session.
    fn has_received(&self, skill: &Reference) -> bool;

    /// Returns the text that was injected first, where that was kept.
    fn first(&self, skill: &Reference, store: &dyn Store) -> Option<KeptSkill>;
}

/// Everything about a library but what lies in its roots, which is looked up name by name.
pub(crate) struct Quick<'a> {
    store: &'a dyn Store,
    frame: Frame,
}

impl<'a> Quick<'a> {
    /// Opens it, if there is a store.
    pub(crate) fn open(
        desk: &'a Desk,
        surroundings: &Surroundings<'_>,
    ) -> Result<Option<Self>, EngineError> {
        let Some(store) = desk.store() else { return Ok(None) };
        let mut frame = Frame::of(desk, surroundings)?;
        // Most roots of most people do not exist, and opening one takes a dozen calls.
        frame.roots.retain(|root| exists(&root.path));
        Ok(Some(Self { store, frame }))
    }

    /// Returns the roots whose skills may be used and that a host does not list by itself.
    pub(crate) fn roots_unseen_by(&self, host: &str) -> impl Iterator<Item = &super::Root> {
        let unseen = move |root: &&super::Root| !root.hosts.iter().any(|seeing| seeing == host);
        self.usable_roots().filter(unseen)
    }

    fn usable_roots(&self) -> impl Iterator<Item = &super::Root> {
        self.frame.roots.iter().filter(|_| !self.frame.lock_is_unreadable)
    }

    /// Returns the skills that say they apply to everything, with where they come from.
    pub(crate) fn core(&self) -> Result<Vec<(CoreSkill, SkillLevel)>, EngineError> {
        let named = |root: &super::Root| (root.path.to_string_lossy().into_owned(), root.level);
        let roots: Vec<(String, SkillLevel)> = self.usable_roots().map(named).collect();
        let names: Vec<String> = roots.iter().map(|(root, _)| root.clone()).collect();
        let level =
            |root: &str| roots.iter().find(|(name, _)| name == root).map(|(_, level)| *level);
        let mut core = Vec::new();
        for skill in self.store.core_skills(&names)? {
            if let Some(level) = level(&skill.root)
                && self.is_in_use(level, &skill.root, &skill.key)?
            {
                core.push((skill, level));
            }
        }
        Ok(core)
    }

    /// Reports whether an indexed skill may be used: one of the project waits for the person.
    pub(crate) fn is_in_use(
        &self,
        level: SkillLevel,
        root: &str,
        key: &SkillKey,
    ) -> Result<bool, EngineError> {
        let Frame { project_root, project_skills, .. } = &self.frame;
        if level != SkillLevel::Project || matches!(project_skills, ProjectSkills::AlsoLater) {
            return Ok(true);
        }
        let called = self.store.skills_called(key)?;
        let mut here = called.iter().filter(|skill| skill.root == root);
        Ok(here.any(|skill| project_skills.include(project_root, &skill.path, skill.digest)))
    }

    /// Returns the store.
    pub(crate) const fn store(&self) -> &'a dyn Store {
        self.store
    }

    /// Returns the skills that fit a request well enough to be offered unasked, the best first.
    pub(crate) fn fitting(&self, raw: &str, most: usize) -> Result<Vec<FittingSkill>, EngineError> {
        let request = Request::parse(raw);
        let levels = |root: &super::Root| (root.path.display().to_string(), root.level);
        let mut roots: Vec<(String, SkillLevel)> = self.usable_roots().map(levels).collect();
        roots.push((BUILT_IN_ROOT.to_owned(), SkillLevel::BuiltIn));
        let names: Vec<String> = roots.iter().map(|(root, _)| root.clone()).collect();
        let query = |list: SkillList, limit: u32| SkillQuery {
            list,
            roots: &names,
            words: request.words(),
            pairs: request.pairs(),
            limit,
        };
        let words = self.store.search_skills(&query(SkillList::Words, LIST))?;
        // How telling a word is, only whole texts say: few descriptions have a `how`, all texts do.
        let bodies = self.store.search_skills(&query(SkillList::Bodies, 0))?;
        let counted = if bodies.documents > 0 { &bodies } else { &words };
        let (documents, frequencies) = (counted.documents, counted.frequencies.clone());
        let cues = self.store.skill_cues(&names)?;
        let cues = cues.iter().map(|(path, cue)| (path.as_str(), cue));
        let calls = Calls::in_request(&request, cues);
        let evidence = words.found.into_iter().map(|found| Evidence {
            path: found.path,
            words: found.score,
            in_words: found.words.clone(),
            anywhere: found.words,
            ..Evidence::default()
        });
        let statistics = Statistics { documents, frequencies };
        let ranked = rank(&request, &statistics, gather(evidence, calls));
        // What is offered unasked must not lie far behind the best.
        let least = ranked.first().map_or(0.0, |best| best.score * NEAR_THE_BEST);
        let good = ranked.into_iter().filter(|one| one.fit == Fit::Good && one.score >= least);
        let mut fitting = Vec::new();
        for one in good {
            if fitting.len() == most {
                break;
            }
            let (path, why) = (one.path, one.why);
            let named = match builtin::at(&path) {
                Some(own) => {
                    own.agent_of.is_none().then(|| (derive_key(own.name), SkillLevel::BuiltIn))
                }
                None => Path::new(&path)
                    .parent()
                    .and_then(|directory| directory.file_name()?.to_str())
                    .map(derive_key)
                    .zip(roots.iter().find(|(root, _)| path.starts_with(root.as_str())))
                    .map(|(key, (_, level))| (key, *level)),
            };
            let Some((key, level)) = named else { continue };
            let known = self.store.skills_called(&key)?;
            let known = known.into_iter().find(|skill| skill.path == path);
            let description = known.and_then(|skill| skill.description).unwrap_or_default();
            let level = self.trusted_level(level, &path);
            fitting.push(FittingSkill { key, description, why, level });
        }
        Ok(fitting)
    }

    /// Returns the skill a reference means, if there is one and it may be used.
    ///
    /// A session keeps the text that it first read. One that is pinned and has changed is left out,
    /// but a session that received it keeps the pinned version.
    pub(crate) fn find(
        &self,
        reference: &Reference,
        session: &dyn SessionSkills,
    ) -> Result<QuickSkill, Unusable> {
        let key = reference.key().ok_or(Unusable::Unknown)?;
        let (mut contents, mut texts) = (Vec::new(), Vec::new());
        for root in &self.frame.roots {
            let probed = index::probed(self.store, root, key).map_err(|_| Unusable::Unreadable)?;
            contents.push(probed.contents);
            texts.extend(probed.read);
        }
        let library: Library = self.frame.clone().filled(contents, builtin::called(key).collect());
        match resolve(reference, &library.listing, &library.lock, &library.approved, None) {
            Ok(found) => {
                let candidate = found.candidate.clone();
                let read = texts.into_iter().find(|(path, _)| *path == candidate.path);
                let read = read.map(|(_, skill)| skill);
                let skill = match read {
                    Some(skill) => skill,
                    None => read_skill(&library, &candidate).map_err(|_| Unusable::Unreadable)?,
                };
                let is_pinned = library.lock.governing(reference).is_some();
                let first = session.first(&candidate.reference(), self.store);
                let first = first.filter(|kept| !is_pinned && kept.digest != candidate.digest);
                Ok(match first {
                    Some(kept) => QuickSkill::first(&candidate, skill, kept),
                    None => QuickSkill { candidate, skill, edition: Edition::Present },
                })
            }
            Err(Unresolved::Drifted { pinned, candidate, .. })
                if session.has_received(&candidate.reference()) =>
            {
                self.read_kept(candidate, pinned, key).ok_or(Unusable::Changed)
            }
            Err(Unresolved::Drifted { .. }) => Err(Unusable::Changed),
            Err(Unresolved::ListedOnly { path, .. }) => {
                // The lock is the repository's: what it pins counts if the person approved that.
                let Frame { project_root, project_skills, .. } = &self.frame;
                let mut listed = library.listing.candidates.iter();
                let candidate = listed.find(|one| one.path == path);
                let candidate = candidate.filter(|one| session.has_received(&one.reference()));
                let candidate = candidate.ok_or(Unusable::NotInUse)?;
                let is_approved =
                    |digest: &Digest| project_skills.include(project_root, path, *digest);
                if let Some(pinned) = library.lock.governing(reference).map(Entry::digest) {
                    let kept = self.read_kept(candidate, pinned, key);
                    return kept.filter(|_| is_approved(&pinned)).ok_or(Unusable::NotInUse);
                }
                let first = session.first(&candidate.reference(), self.store);
                let first = first.filter(|kept| is_approved(&kept.digest));
                let first = first.ok_or(Unusable::NotInUse)?;
                let skill = read_skill(&library, candidate).map_err(|_| Unusable::Unreadable)?;
                Ok(QuickSkill::first(candidate, skill, first))
            }
            Err(Unresolved::HeldBack { .. }) => Err(Unusable::HeldBack),
            Err(Unresolved::Unknown { .. } | Unresolved::OtherHost { .. }) => {
                Err(Unusable::Unknown)
            }
        }
    }

    /// Reads a file beside a skill that may be used. An approval of a project's skill does not cover
    /// what lies beside it, unless the person approved whatever the project will have.
    pub(crate) fn read_beside(
        &self,
        candidate: &Candidate,
        file: &str,
        most: Bytes,
    ) -> Option<Vec<u8>> {
        let Frame { roots, project_skills, .. } = &self.frame;
        let is_covered = match candidate.level {
            SkillLevel::User | SkillLevel::Extra | SkillLevel::Plugin => true,
            SkillLevel::Project => matches!(project_skills, ProjectSkills::AlsoLater),
            SkillLevel::BuiltIn => false,
        };
        let is_its_root = |root: &&super::Root| root.path.display().to_string() == candidate.root;
        let root = roots.iter().find(is_its_root).filter(|_| is_covered)?;
        read_file_in(root, candidate, Path::new(file), most).ok()
    }

    /// Returns a skill as it was pinned, if that was kept.
    fn read_kept(
        &self,
        candidate: &Candidate,
        pinned: Digest,
        key: &SkillKey,
    ) -> Option<QuickSkill> {
        let bytes = self.store.text(&pinned).ok().flatten()?;
        let place = Place { directory: key.as_str(), file: "SKILL.md" };
        let (skill, _) = read(&bytes, &place);
        let candidate = Candidate { digest: pinned, ..candidate.clone() };
        Some(QuickSkill { candidate, skill, edition: Edition::Present })
    }

    /// Returns the level by which a skill is trusted. What lies in the project was written by whoever
    /// writes there, also where a plugin or a setting leads to it.
    pub(crate) fn trusted_level(&self, level: SkillLevel, path: &str) -> SkillLevel {
        match level {
            SkillLevel::Extra | SkillLevel::Plugin
                if Path::new(path).starts_with(&self.frame.project_root) =>
            {
                SkillLevel::Project
            }
            SkillLevel::Project
            | SkillLevel::User
            | SkillLevel::Extra
            | SkillLevel::Plugin
            | SkillLevel::BuiltIn => level,
        }
    }
}

impl QuickSkill {
    /// Puts the text that a session first read in the place of another.
    fn first(candidate: &Candidate, skill: Skill, kept: KeptSkill) -> Self {
        let candidate = Candidate { digest: kept.digest, ..candidate.clone() };
        let skill = Skill { body: kept.body, ..skill };
        Self { candidate, skill, edition: Edition::First }
    }
}
