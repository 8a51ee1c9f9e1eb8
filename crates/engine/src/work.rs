//! What takes longer than a hook may, done by a process of its own that comes to an end.
//!
//! One worker at a time, for half a minute at most. It takes in the logs of sessions and grants what
//! hooks wished for there, until nothing new is there: one that came meanwhile found it at work and
//! went away. What it does not come to, the next one does. Nobody waits for it. Where somebody worked it
//! also brings the index of skills up to date, because hooks find skills by it and cannot.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use pacenote_files::{
    Bytes, FileLock, Links, Readers, exists,
    git::ProjectPlace,
    read_capped, read_text_if_present,
    stamps::{FileTime, Stamp},
};
use pacenote_fleet::{Ending, Launch, start};
use pacenote_model::{
    Artifact, CommitKey, Effect, Handoff, HandoffEffect, Moment, Project, Session, SessionEffect,
    Want, Wish, WishEffect,
};
use pacenote_skill::digest::digest_of;
use pacenote_store::{Access, Store};
use serde::{Deserialize, Serialize};

use crate::{
    Clock, Data, Desk, EngineError,
    data::place_key,
    flows::RUNS,
    git::{AskableWorktree, NoAnswer},
    globs::matching,
    handoffs,
    ingest::{ingest, not_ingested},
    journal::{Entry, Journal, Request},
    presence::find_place,
    rules::{find_program, trust},
    secrets,
    situation::Person,
    skills::{Library, Surroundings, fill_lists},
    succession,
};

/// The longest a worker works.
pub const LONGEST: Duration = Duration::from_secs(30);

/// The longest it waits for a program of a rule.
const PROGRAM: Duration = Duration::from_secs(10);

/// Commits and changed files that are named; `git` has all of them.
const LINES: usize = 20;

/// Largest file whose content is noted.
const FILE: Bytes = Bytes::mib(16);

/// Largest report of a worker.
const REPORT: Bytes = Bytes::mib(1);

/// Where the worker's lock and report lie.
const LOCK: &str = "worker.lock";

/// The file whose lock is held while logs are taken in, which is soon done.
const LOGS_LOCK: &str = "worker-logs.lock";
const REPORT_FILE: &str = "worker.json";

/// What a worker did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// When it ended, as people write it.
    pub at: String,
    /// How many wishes it granted.
    pub granted: usize,
    /// How many it left for the next one.
    pub left: usize,
    /// What went wrong, without secrets.
    pub troubles: Vec<String>,
}

/// Works once; `None` when another worker is at it.
pub fn once(
    data: &Data,
    variables: &BTreeMap<String, String>,
    person: &Person<'_>,
    clock: Clock,
) -> Result<Option<Report>, EngineError> {
    let began = Instant::now();
    let mut errands = Errands {
        variables,
        rules: person.rules.as_deref(),
        report: Report::default(),
        silent: BTreeSet::new(),
        places: Vec::new(),
    };
    let mut is_at_it = false;
    loop {
        // First: another may be busy for long, with a slow git, and the next session counts on this.
        take_in(data, clock)?;
        let Some(alone) = FileLock::try_exclusive(&data.directory().join(LOCK))? else { break };
        let mut store = pacenote_store::open(&data.store(), Access::Write)?;
        is_at_it = true;
        errands.run(&mut Journal::new(&mut store, data, clock), began)?;
        let mut store: Option<Box<dyn Store>> = Some(Box::new(store));
        for place in std::mem::take(&mut errands.places) {
            if began.elapsed() < LONGEST {
                let mut desk = Desk::around(store, data.clone(), place).with_clock(clock);
                index_skills(&mut desk, person);
                store = desk.into_store();
            }
        }
        drop(alone);
        // Only now: whoever finds the lock free does it themselves.
        let news = store.as_deref().map(|store| has_news(data, store)).transpose()?;
        if began.elapsed() >= LONGEST || news != Some(true) {
            break;
        }
    }
    Ok(is_at_it.then_some(errands.report))
}

/// Brings the index of skills up to date where somebody worked. It is a cache: where that fails, skills
/// are found as they were, and the next worker tries again.
fn index_skills(desk: &mut Desk, person: &Person<'_>) {
    let surroundings = Surroundings {
        home: person.home.clone(),
        directory: desk.place().root.clone(),
        variable: person.variable,
        extra: person.read_settings(desk).skills_extra_roots(),
    };
    if let Ok(library) = Library::open(desk, &surroundings) {
        fill_lists(desk, &library);
    }
}

/// Takes in the logs, one worker at a time.
fn take_in(data: &Data, clock: Clock) -> Result<(), EngineError> {
    let _held = FileLock::exclusive(&data.directory().join(LOGS_LOCK))?;
    let mut store = pacenote_store::open(&data.store(), Access::Write)?;
    trust::mark_all(data, &store)?;
    let mut journal = Journal::new(&mut store, data, clock);
    ingest(&mut journal)?;
    succession::settle_all(&mut journal)?;
    handoffs::forget_claims(data, clock.now());
    Ok(())
}

/// Tells whether something came that nobody took in, or was taken in by others and not granted.
fn has_news(data: &Data, store: &dyn Store) -> Result<bool, EngineError> {
    for project in store.projects()? {
        if !store.wishes(project.id)?.is_empty() {
            return Ok(true);
        }
    }
    for log in data.logs().list()? {
        match not_ingested(&log, store) {
            Ok(records) if records.is_empty() => {}
            Ok(_) => return Ok(true),
            // What cannot be read is no news, and keeps no other log waiting.
            Err(EngineError::File(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// What a worker does for hooks, and what came of it.
struct Errands<'a> {
    variables: &'a BTreeMap<String, String>,
    /// The person's own lifecycle rules.
    rules: Option<&'a Path>,
    report: Report,
    /// The worktrees about which git did not answer in time: asking again keeps all others waiting.
    silent: BTreeSet<PathBuf>,
    /// Where somebody worked, each worktree once.
    places: Vec<ProjectPlace>,
}

impl Errands<'_> {
    /// Grants what is wished for.
    fn run(&mut self, journal: &mut Journal<'_>, began: Instant) -> Result<(), EngineError> {
        for project in journal.store().projects()? {
            for wish in journal.store().wishes(project.id)? {
                if began.elapsed() >= LONGEST {
                    self.report.left += 1;
                    continue;
                }
                match self.grant(journal.data(), journal.store(), &project, &wish) {
                    Ok(mut effects) => {
                        effects.push(Effect::Wish(WishEffect::Settled { wish: wish.id }));
                        commit(journal, &project, effects, &wish)?;
                        self.report.granted += 1;
                    }
                    // What cannot be done now cannot be done later either, and must not pile up.
                    Err(trouble) => {
                        let settled = vec![Effect::Wish(WishEffect::Settled { wish: wish.id })];
                        commit(journal, &project, settled, &wish)?;
                        self.add_trouble(&trouble);
                    }
                }
            }
        }
        let report = &mut self.report;
        report.at = journal.clock().now().to_string();
        // A worker with nothing to do has nothing to say: what the one before said is worth more.
        let says_something = report.granted + report.left + report.troubles.len() > 0;
        if says_something && let Ok(text) = serde_json::to_string(report) {
            let files = journal.data().files()?;
            files.write(Path::new(REPORT_FILE), text.as_bytes(), Readers::Owner)?;
        }
        Ok(())
    }

    fn add_trouble(&mut self, trouble: &str) {
        self.report.troubles.push(secrets::without_secrets(trouble));
    }

    fn grant(
        &mut self,
        data: &Data,
        store: &dyn Store,
        project: &Project,
        wish: &Wish,
    ) -> Result<Vec<Effect>, String> {
        let directory = Path::new(&wish.directory);
        let place = find_place(data, directory).map_err(|error| error.to_string())?;
        // Since the wish another project may have come to lie there, or a link to one.
        if place_key(&place) != project.place {
            let (directory, name) = (directory.display(), &project.name);
            return Err(format!("`{directory}` is not part of the project `{name}` any more"));
        }
        if !self.places.iter().any(|known| known.root == place.root) {
            self.places.push(place.clone());
        }
        match &wish.want {
            Want::Handoff => {
                let session = store
                    .session(&wish.host, &wish.host_id)
                    .map_err(|error| error.to_string())?
                    .ok_or("a session that wished for a handoff is not known")?;
                Ok(vec![self.hand_off(store, project, &session, &place)])
            }
            Want::Artifact { glob, name, step } => {
                let paths = matching(&place.root, glob);
                let captured = paths.into_iter().filter_map(|path| {
                    let bytes = read_capped(&place.root.join(&path), FILE, Links::Refuse).ok()?;
                    let (name, step) = (name.clone(), step.clone());
                    let artifact = Artifact { name, path, digest: digest_of(&bytes), step };
                    let (host, host_id) = (wish.host.clone(), wish.host_id.clone());
                    Some(Effect::Session(SessionEffect::ArtifactCaptured {
                        host,
                        host_id,
                        artifact,
                    }))
                });
                Ok(captured.collect())
            }
            Want::Run { rule, program } => {
                let gone = || format!("rule `{rule}`: it does not run any more what it ran then");
                let is_same =
                    |argv: &Vec<String>| Some(digest_of(argv.join("\0").as_bytes())) == *program;
                let argv = find_program(data, self.rules, rule).filter(is_same).ok_or_else(gone)?;
                run(rule, &argv, &place.root, self.variables).map(|()| Vec::new())
            }
        }
    }

    /// Completes what the hook noted with what git says, and puts it where people find it. A file
    /// that cannot be written costs the file, and a sentence: what it says is in the store.
    fn hand_off(
        &mut self,
        store: &dyn Store,
        project: &Project,
        session: &Session,
        place: &ProjectPlace,
    ) -> Effect {
        let kept = store.handoff(project.id, session.id).ok().flatten();
        let drafted = kept.map(|kept| kept.handoff).unwrap_or_default();
        let mut found = Handoff::default();
        if !self.silent.contains(&place.root) {
            // What git did not come to say is missing from the handoff, and nothing else.
            match ask_git(place, session, self.variables, &mut found) {
                Ok(()) | Err(NoAnswer::NotStarted) => {}
                Err(NoAnswer::TimedOut) => {
                    self.silent.insert(place.root.clone());
                    let (root, number) = (place.root.display(), session.number);
                    self.add_trouble(&format!(
                        "git did not answer in time in `{root}`: the handoff of session {number} \
                         lacks what it would have said"
                    ));
                }
            }
        }
        let whole = secrets::handoff_without(found.over(drafted), &mut 0);
        if let Err(error) = handoffs::publish(&place.root, session, &whole) {
            let number = session.number;
            self.add_trouble(&format!("the handoff of session {number} has no file: {error}"));
        }
        let (host, host_id) = (session.host.clone(), session.host_id.clone());
        Effect::Handoff(HandoffEffect::Written {
            host,
            host_id,
            handoff: Box::new(whole),
            completes: true,
        })
    }
}

/// Waits until no worker is at it, and keeps others from beginning.
pub(crate) fn alone(data: &Data) -> Result<Vec<FileLock>, EngineError> {
    let paths = [LOCK, LOGS_LOCK].map(|name| data.directory().join(name));
    // Without a lock there never was a worker.
    let there = paths.iter().filter(|path| exists(path));
    Ok(there.map(|path| FileLock::exclusive(path)).collect::<Result<_, _>>()?)
}

/// Returns what the last worker said.
pub fn last_report(data: &Data) -> Option<Report> {
    let path = data.directory().join(REPORT_FILE);
    let text = read_text_if_present(&path, REPORT, Links::Refuse).ok()??;
    serde_json::from_str(&text).ok()
}

fn commit(
    journal: &mut Journal<'_>,
    project: &Project,
    list: Vec<Effect>,
    wish: &Wish,
) -> Result<(), EngineError> {
    let request = Request::keyed(CommitKey::parse(&format!("wish:{}", wish.id))?);
    journal.commit(Entry::of_system(project.id, request, list, journal.clock()))?;
    Ok(())
}

/// Adds what git says about a project to a handoff.
fn ask_git(
    place: &ProjectPlace,
    session: &Session,
    variables: &BTreeMap<String, String>,
    found: &mut Handoff,
) -> Result<(), NoAnswer> {
    let Some(worktree) = AskableWorktree::of(place, variables)? else { return Ok(()) };
    let head = worktree.ask(&["rev-parse", "--short", "HEAD"], 1)?;
    found.commit = head.into_iter().next();
    // Of commits only the second is known: one of the second in which the session began was there.
    let since = format!("--since=@{}", session.first_seen.millis() / 1000 + 1);
    let most = format!("--max-count={LINES}");
    let log = ["rev-list", "--no-commit-header", "--format=%h %s", &since, &most, "HEAD"];
    found.git_commits = worktree.ask(&log, LINES)?;
    // Git leaves out what we write ourselves, because only the first lines of its answer count.
    let (files, runs) = (format!(":(exclude){}", handoffs::FILES), format!(":(exclude){RUNS}"));
    let questions: [&[&str]; 3] = [
        &["diff-files", "-z", "--name-only", "--ignore-submodules"],
        &["diff-index", "-z", "--cached", "--name-only", "HEAD"],
        &["ls-files", "-z", "--others", "--exclude-standard"],
    ];
    let mut changed = BTreeSet::new();
    for question in questions {
        let question = [question, &["--", ".", &files, &runs]].concat();
        changed.extend(worktree.ask_names(&question, LINES)?);
        // After each one, because the next may not be answered.
        found.files_modified = changed.iter().take(LINES).cloned().collect();
        let is_edited =
            |name: &String| is_changed_since(&place.root.join(name), session.first_seen);
        found.has_edits = found.files_modified.iter().any(is_edited);
    }
    Ok(())
}

/// Reports whether a file was changed since a moment, to the second: some file systems know no more.
fn is_changed_since(file: &Path, moment: Moment) -> bool {
    let begun = FileTime::from_millis(moment.millis()).seconds();
    Stamp::of(file).is_some_and(|stamp| stamp.modified.seconds() >= begun)
}

/// Runs the program of a person's rule.
fn run(
    rule: &str,
    argv: &[String],
    root: &Path,
    variables: &BTreeMap<String, String>,
) -> Result<(), String> {
    let Some((program, arguments)) = argv.split_first() else { return Ok(()) };
    let launch = Launch::new(program, root).arguments(arguments).variables(variables);
    let finished = start(&launch, PROGRAM).map_err(|error| format!("rule `{rule}`: {error}"))?;
    if finished.succeeded() {
        return Ok(());
    }
    let how = match finished.ending {
        Ending::Exited(code) => format!("exit code {code}"),
        Ending::Signalled(signal) => format!("signal {signal}"),
        Ending::TimedOut => format!("no end after {} seconds", PROGRAM.as_secs()),
        Ending::Lost => "nobody knows what".to_owned(),
    };
    Err(format!("rule `{rule}`: `{program}` ended with {how}"))
}
