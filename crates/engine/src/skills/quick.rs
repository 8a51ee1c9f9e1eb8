//! Single skills, as a hook can afford to look for them: by their names, without walking a root.

use pacenote_files::exists;
use pacenote_skill::{
    listing::Candidate,
    reference::Reference,
    resolve::{Unresolved, resolve},
    skill::{Place, Skill, read},
};
use pacenote_store::Store;

use super::{Frame, Library, Surroundings, builtin, examining::read_skill, index};
use crate::{Desk, EngineError};

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

    /// Returns the roots that are there and whose skills a host does not list by itself.
    pub(crate) fn roots_unseen_by(&self, host: &str) -> impl Iterator<Item = &super::Root> {
        let unseen = move |root: &&super::Root| !root.hosts.iter().any(|seeing| seeing == host);
        self.frame.roots.iter().filter(unseen)
    }

    /// Returns the store.
    pub(crate) const fn store(&self) -> &'a dyn Store {
        self.store
    }

    /// Tells whether the project's own skills are in use.
    pub(crate) const fn is_taken(&self) -> bool {
        self.frame.taken
    }

    /// Returns the skill a reference means, if there is one and it may be used.
    ///
    /// One that is pinned and has changed is left out, but a session that `received` it keeps the
    /// pinned version.
    pub(crate) fn find(
        &self,
        reference: &Reference,
        received: &dyn Fn(&Reference) -> bool,
    ) -> Option<(Candidate, Skill)> {
        let key = reference.key()?;
        let (mut contents, mut texts) = (Vec::new(), Vec::new());
        for root in &self.frame.roots {
            let probed = index::probed(self.store, root, key).ok()?;
            contents.push(probed.contents);
            texts.extend(probed.read);
        }
        let library: Library = self.frame.clone().filled(contents, builtin::called(key).collect());
        match resolve(reference, &library.listing, &library.lock, &library.approved, None) {
            Ok(found) => {
                let candidate = found.candidate.clone();
                let read = texts.into_iter().find(|(path, _)| *path == candidate.path);
                let read = read.map(|(_, skill)| skill);
                let skill = read.map_or_else(|| read_skill(&library, &candidate).ok(), Some)?;
                Some((candidate, skill))
            }
            Err(Unresolved::Drifted { pinned, candidate, .. })
                if received(&candidate.reference()) =>
            {
                let bytes = self.store.text(&pinned).ok()??;
                let place = Place { directory: key.as_str(), file: "SKILL.md" };
                let (skill, _) = read(&bytes, &place);
                Some((Candidate { digest: pinned, ..candidate.clone() }, skill))
            }
            Err(_) => None,
        }
    }
}
