//! Finding skills by what is wanted.

use std::collections::{BTreeMap, BTreeSet};

use pacenote_model::limits;
use pacenote_skill::{
    listing::Candidate,
    rank::{self, Calls, Evidence, Fit, Request, Statistics, Why},
    resolve::resolve,
    skill::{Place, read},
};
use pacenote_store::{SkillBody, SkillList, SkillMatches, SkillQuery, Store};

use super::{BUILT_IN_ROOT, Library, builtin, text_of};
use crate::{Desk, EngineError};

/// Skills that each list of words gives; far more than anybody is shown, so that what ranks low in
/// one list and high in the other is not lost.
const LIST: u32 = 200;

/// Bytes of a body that are searched: nearly all bodies whole, and the beginning of the dumps.
const BODY_BYTES: usize = 64 * 1024;

/// Bodies that are added to their list in one transaction: others can write in between.
const BODIES_AT_ONCE: usize = 100;

/// A skill that fits a request.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The skill.
    pub candidate: Candidate,
    /// How well it fits, from 0 to 1.
    pub score: f64,
    pub why: Why,
    /// How sure that is.
    pub fit: Fit,
}

/// Whose skills are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Only those that this host sees.
    pub host: Option<&'a str>,
    /// At most so many.
    pub limit: usize,
}

/// Finds the skills for a request, the best first; none when nothing fits.
///
/// The list of bodies is brought up to date first, which takes a while the first time: this is for
/// commands.
pub fn search(
    desk: &mut Desk,
    library: &Library,
    raw: &str,
    scope: &Scope<'_>,
) -> Result<Vec<Hit>, EngineError> {
    let data = desk.data().store().database();
    let Some(store) = desk.store_mut() else {
        return Err(pacenote_store::StoreError::Missing { path: data }.into());
    };
    let roots = roots_of(library);
    fill(store, library, &roots);
    let request = Request::parse(raw);
    let of = |list| SkillQuery {
        list,
        roots: &roots,
        words: request.words(),
        pairs: request.pairs(),
        limit: LIST,
    };
    let words = store.search_skills(&of(SkillList::Words))?;
    let bodies = store.search_skills(&of(SkillList::Bodies))?;
    let cues = store.skill_cues(&roots)?;
    let calls = Calls::in_request(&request, cues.iter().map(|(path, cue)| (path.as_str(), cue)));
    let statistics =
        Statistics { documents: bodies.documents, frequencies: bodies.frequencies.clone() };
    let evidence = rank::gather(evidence(words, bodies), calls);
    let ranked = rank::rank(&request, &statistics, evidence);
    Ok(usable(library, ranked, scope))
}

/// Brings the lists of words up to date. A search does that by itself; hooks cannot, and suggest skills
/// by what is there.
pub fn fill_lists(desk: &mut Desk, library: &Library) {
    if let Some(store) = desk.store_mut() {
        fill(store, library, &roots_of(library));
    }
}

fn fill(store: &mut dyn Store, library: &Library, roots: &[String]) {
    builtin::index(store);
    complete(store, library, roots);
}

fn roots_of(library: &Library) -> Vec<String> {
    let shelves = library.shelves.iter().map(|shelf| shelf.root.path.display().to_string());
    shelves.chain([BUILT_IN_ROOT.to_owned()]).collect()
}

/// Brings the list of bodies up to date. It is a cache: where nothing can be written, or a file
/// cannot be read, the search goes on with what there is.
fn complete(store: &mut dyn Store, library: &Library, roots: &[String]) {
    let missing: BTreeSet<String> =
        store.skills_without_body(roots).unwrap_or_default().into_iter().collect();
    let wanted: Vec<&Candidate> = library
        .listing
        .candidates
        .iter()
        .filter(|candidate| missing.contains(&candidate.path))
        .collect();
    for some in wanted.chunks(BODIES_AT_ONCE) {
        let bodies: Vec<SkillBody> =
            some.iter().filter_map(|candidate| body_of(library, candidate)).collect();
        if store.save_bodies(&bodies).is_err() {
            return;
        }
    }
}

fn body_of(library: &Library, candidate: &Candidate) -> Option<SkillBody> {
    let text = text_of(library, candidate).ok()?;
    let bytes = text.bytes.get(..text.bytes.len().min(limit())).unwrap_or_default();
    let (skill, _) = read(bytes, &Place { directory: &text.directory, file: &text.file });
    let about = rank::about(&skill);
    let mut body = skill.body;
    body.truncate(body.floor_char_boundary(BODY_BYTES));
    Some(SkillBody { path: candidate.path.clone(), name: candidate.name.to_string(), about, body })
}

/// The frontmatter may stand before what is searched of a body.
fn limit() -> usize {
    BODY_BYTES + limits::FRONTMATTER_BYTES
}

/// Joins what the two lists say about each skill.
fn evidence(words: SkillMatches, bodies: SkillMatches) -> impl Iterator<Item = Evidence> {
    let by_words = words.found.into_iter().map(|found| Evidence {
        path: found.path,
        words: found.score,
        in_words: found.words.clone(),
        anywhere: found.words,
        ..Evidence::default()
    });
    let by_body = bodies.found.into_iter().map(|found| Evidence {
        path: found.path,
        bodies: found.score,
        pairs: found.pairs,
        anywhere: found.words,
        ..Evidence::default()
    });
    by_words.chain(by_body)
}

/// Keeps the skills that could be used here: each the one its own name means, none of them a nested
/// agent, which is called by its skill and not by a request.
fn usable(library: &Library, ranked: Vec<rank::Ranked>, scope: &Scope<'_>) -> Vec<Hit> {
    let by_path: BTreeMap<&str, &Candidate> = library
        .listing
        .candidates
        .iter()
        .map(|candidate| (candidate.path.as_str(), candidate))
        .collect();
    let hits = ranked.into_iter().filter_map(|one| {
        let candidate = *by_path.get(one.path.as_str())?;
        let reference = candidate.reference();
        let means =
            resolve(&reference, &library.listing, &library.lock, &library.approved, scope.host)
                .ok()?;
        let is_meant = means.candidate.path == candidate.path && candidate.agent_of.is_none();
        let (score, why, fit) = (one.score, one.why, one.fit);
        is_meant.then(|| Hit { candidate: candidate.clone(), score, why, fit })
    });
    hits.take(scope.limit).collect()
}
