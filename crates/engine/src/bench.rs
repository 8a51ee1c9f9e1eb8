//! Measuring recall through the product itself: documents go through the real index, requests
//! through the real search.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use pacenote_files::{Bytes, Links, Readers, ScratchDirectory, read_text_if_present};
use pacenote_store::Access;
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    Caller, Data, Desk, EngineError,
    skills::{Library, Scope, Surroundings, search},
};

/// Largest file of a set: a set of 1,600 skills has 7 MiB.
const SET_FILE: Bytes = Bytes::mib(256);

/// How many skills an answer has.
const RANKED: usize = 20;

/// Where the skills of a set lie, below the scratch directory.
const SHELF: &str = "skills";

/// A skill of a set.
#[derive(Deserialize)]
struct Document {
    id: String,
    name: String,
    description: String,
    body: String,
}

/// A request of a set.
#[derive(Deserialize)]
struct Question {
    qid: String,
    query: String,
    #[serde(default)]
    relevant: Vec<String>,
    #[serde(default)]
    not_relevant: Vec<String>,
}

/// What came of one request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The request.
    pub qid: String,
    /// The skills of the set, the best first; none when nothing fits.
    pub ranked: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

/// What came of a whole set.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The answers, in the order of the requests.
    pub answers: Vec<Answer>,
    /// How many skills there were.
    pub documents: usize,
    /// How often the right skill came first, as a share.
    pub first: f64,
    /// How often it was among the first five.
    pub among_five: f64,
    /// The mean of one over its place.
    pub reciprocal: f64,
    /// Requests to which nothing was answered, as a share.
    pub silent: f64,
    /// Of the requests that must not call a skill, how many had it first.
    pub near_miss: Option<f64>,
}

/// Runs the requests of a set against its skills, in a library of its own below `scratch`.
pub fn skills(set: &Path, scratch: &ScratchDirectory) -> Result<Run, EngineError> {
    let documents: Vec<Document> = lines(&set.join("docs.jsonl"))?;
    let ids = shelve(scratch, &documents)?;
    let shelf = scratch.path().join(SHELF);
    let scratch = scratch.path();
    let data = Data::new(scratch.join("data"));
    let mut desk = Desk::open(data, scratch, Caller::Unknown, Access::Write)?;
    let surroundings = Surroundings {
        home: None,
        directory: scratch.to_path_buf(),
        variable: &|_| None,
        extra: vec![shelf],
    };
    let library = Library::open(&mut desk, &surroundings)?;
    let scope = Scope { host: None, limit: RANKED };
    let mut ask = |question: &Question| -> Result<Answer, EngineError> {
        let began = Instant::now();
        let hits = search(&mut desk, &library, &question.query, &scope)?;
        let took = began.elapsed();
        // The built-in skills are in the library as they always are; the set does not know them.
        let ranked = hits.iter().filter_map(|hit| ids.get(&hit.candidate.path).cloned());
        Ok(Answer { qid: question.qid.clone(), ranked: ranked.collect(), took })
    };
    // The first search brings the list of bodies up to date, which is not what is measured.
    ask(&Question {
        qid: String::new(),
        query: "anything".into(),
        relevant: Vec::new(),
        not_relevant: Vec::new(),
    })?;
    let questions: Vec<Question> = lines(&set.join("queries.jsonl"))?;
    let mut run = Run { documents: documents.len(), ..Run::default() };
    let mut scores = Vec::new();
    for question in &questions {
        let answer = ask(question)?;
        let place = answer.ranked.iter().position(|id| question.relevant.contains(id));
        scores.push((place, answer.ranked.is_empty()));
        run.answers.push(answer);
    }
    run.first = share(&scores, |(place, _)| *place == Some(0));
    run.among_five = share(&scores, |(place, _)| place.is_some_and(|place| place < 5));
    run.silent = share(&scores, |(_, silent)| *silent);
    run.reciprocal = mean(scores.iter().map(|(place, _)| place.map_or(0.0, reciprocal)));
    let near_misses = set.join("near_miss.jsonl");
    if pacenote_files::exists(&near_misses) {
        let questions: Vec<Question> = lines(&near_misses)?;
        let mut missed = Vec::new();
        for question in &questions {
            let answer = ask(question)?;
            missed.push(answer.ranked.first().is_some_and(|id| question.not_relevant.contains(id)));
        }
        run.near_miss = Some(share(&missed, |missed| *missed));
    }
    Ok(run)
}

/// Writes every document as a skill and returns the ids by path.
fn shelve(
    scratch: &ScratchDirectory,
    documents: &[Document],
) -> Result<BTreeMap<String, String>, EngineError> {
    let files = scratch.files()?;
    let mut ids = BTreeMap::new();
    for (number, document) in documents.iter().enumerate() {
        // JSON's double quotes are YAML's: whatever the text holds, it stays one string.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let text = format!(
            "---\nname: {}\ndescription: {}\n---\n\n{}",
            quoted(&document.name),
            quoted(&document.description),
            document.body
        );
        let path = Path::new(SHELF).join(format!("{number:05}/SKILL.md"));
        files.write(&path, text.as_bytes(), Readers::Owner)?;
        ids.insert(scratch.path().join(path).display().to_string(), document.id.clone());
    }
    Ok(ids)
}

/// Reads a file of JSON lines.
fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, EngineError> {
    let bad = |said: String| EngineError::BadSet { path: PathBuf::from(path), said };
    let text = read_text_if_present(path, SET_FILE, Links::Follow)?;
    let text = text.ok_or_else(|| bad("it is not there".into()))?;
    let rows = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    rows.map(|(number, line)| {
        serde_json::from_str(line).map_err(|error| bad(format!("line {}: {error}", number + 1)))
    })
    .collect()
}

fn share<T>(all: &[T], is: impl Fn(&T) -> bool) -> f64 {
    mean(all.iter().map(|one| if is(one) { 1.0 } else { 0.0 }))
}

fn mean(all: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = u32::try_from(all.len()).unwrap_or(u32::MAX);
    if count == 0 { 0.0 } else { all.sum::<f64>() / f64::from(count) }
}

fn reciprocal(place: usize) -> f64 {
    1.0 / f64::from(u32::try_from(place + 1).unwrap_or(u32::MAX))
}
