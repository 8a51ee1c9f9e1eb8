//! Session logs that were damaged: every good line reaches the store once, whatever is round it.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    reason = "a test stops when it cannot go on, and damages files on purpose"
)]

use std::collections::BTreeMap;

use pacenote_engine::{Clock, Data, ingest::ingest, journal::Journal};
use pacenote_files::session_log::LogPath;
use pacenote_model::{
    HostId, HostName, Moment, Receipt, Record, Sequence, StartSource, receipt::Extent,
    record::Origin,
};
use pacenote_store::{Access, Sqlite, Store as _, open};

const PROJECTS: u64 = 3;

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(most).expect("a number")).expect("an index")
    }
}

/// What happens to a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Harm {
    FlipBits,
    FlipHeader,
    Cut,
    CutAtLine,
    LoseHeader,
    LoseFirstLines,
    LoseAllButLast,
    InsertForeignBytes,
    InsertForeignLine,
    OverwriteWithNul,
    RepeatLine,
    Empty,
    AppendGarbage,
}

const HARMS: [Harm; 13] = [
    Harm::FlipBits,
    Harm::FlipHeader,
    Harm::Cut,
    Harm::CutAtLine,
    Harm::LoseHeader,
    Harm::LoseFirstLines,
    Harm::LoseAllButLast,
    Harm::InsertForeignBytes,
    Harm::InsertForeignLine,
    Harm::OverwriteWithNul,
    Harm::RepeatLine,
    Harm::Empty,
    Harm::AppendGarbage,
];

/// The length of a header with its newline.
const HEADER: usize = 59;

impl Harm {
    fn apply(self, mut log: Vec<u8>, random: &mut Random) -> Vec<u8> {
        let starts: Vec<usize> =
            [0].into_iter().chain((1..log.len()).filter(|at| log[at - 1] == b'\n')).collect();
        let (any, line) = (random.below(log.len()), starts[random.below(starts.len())]);
        match self {
            Self::FlipBits => {
                for _ in 0..=random.below(4) {
                    let at = random.below(log.len());
                    log[at] ^= 1 << random.below(8);
                }
            }
            Self::FlipHeader => log[random.below(HEADER)] ^= 1 << random.below(8),
            Self::Cut => log.truncate(any),
            Self::CutAtLine => log.truncate(line),
            Self::LoseHeader => drop(log.drain(..HEADER)),
            Self::LoseFirstLines => drop(log.drain(HEADER..line.max(HEADER))),
            Self::LoseAllButLast => drop(log.drain(HEADER..*starts.last().expect("a line"))),
            Self::InsertForeignBytes => {
                let foreign: Vec<u8> = (0..random.below(300))
                    .map(|_| u8::try_from(random.below(256)).expect("a byte"))
                    .collect();
                drop(log.splice(any..any, foreign));
            }
            Self::InsertForeignLine => {
                drop(log.splice(line..line, *b"{\"kind\":\"unheard_of\"}\n"));
            }
            Self::OverwriteWithNul => {
                let end = log.len().min(any + 100);
                log[any..end].fill(0);
            }
            Self::RepeatLine => {
                let length =
                    log[line..].iter().position(|byte| *byte == b'\n').expect("a line") + 1;
                let repeated = log[line..line + length].to_vec();
                drop(log.splice(line..line, repeated));
            }
            Self::Empty => log.clear(),
            Self::AppendGarbage => {
                log.extend(b"\xff\xfe\n\n\n{\"kind\":\nnull\n[]\n{\"kind\":\"pri");
            }
        }
        log
    }
}

/// A line that says something which nothing else says.
fn observed(session: usize, message: &str) -> Record {
    let host_id = HostId::parse(&format!("s-{session}")).expect("an id");
    let project = u64::try_from(session).expect("a number") % PROJECTS;
    Record::Observed {
        from: Origin {
            at: Moment::from_millis(1000),
            host: HostName::parse("claude").expect("a host"),
            host_id,
            place: format!("/src/project-{project}/.git"),
            name: format!("project-{project}"),
        },
        category: "test".into(),
        message: message.into(),
    }
}

/// Returns the lines of a session: a beginning, something told, and observations between.
fn records(session: usize, random: &mut Random) -> Vec<Record> {
    let mut fresh = || observed(session, &format!("{:016x}", random.below(usize::MAX)));
    let Record::Observed { from, .. } = fresh() else { panic!("an observation") };
    let Origin { at, host, host_id, place, name } = from;
    let receipt = Receipt {
        emission: "e-1".into(),
        epoch: 1,
        event: "session-start".into(),
        extent: Extent::Full,
        tokens: 7,
        hidden: 0,
        redacted: 0,
        parts: Vec::new(),
        items: Vec::new(),
    };
    let start = Record::SessionStart {
        at,
        host: host.clone(),
        host_id: host_id.clone(),
        source: StartSource::Startup,
        place: place.clone(),
        name: name.clone(),
        transcript: None,
        agent: None,
        parent: None,
    };
    let offered = Record::Offered {
        at,
        host: host.clone(),
        host_id: host_id.clone(),
        place: place.clone(),
        name: name.clone(),
        payload: "p".into(),
        receipt,
    };
    let printed = Record::Printed { host, host_id, place, name, emission: "e-1".into(), part: 1 };
    vec![start, fresh(), offered, fresh(), printed, fresh()]
}

fn write(log: &LogPath, records: &[Record]) {
    let lines: Vec<String> =
        records.iter().map(|record| serde_json::to_string(record).expect("JSON")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let fresh = Clock::System.fresh().as_u128();
    log.hold_soon().expect("the log").append(&lines, fresh).expect("an append");
}

fn message_of(record: &Record) -> Option<&str> {
    if let Record::Observed { message, .. } = record { Some(message) } else { None }
}

/// How often a line stands in the logs: as it was written, and changed somewhere else than in what it
/// says, so that it may still be a line.
#[derive(Clone, Copy, Default)]
struct Times {
    whole: usize,
    changed: usize,
}

/// Counts the whole lines in a file that are observations of these records.
fn count_good(bytes: &[u8], records: &[Record], counts: &mut BTreeMap<String, Times>) {
    for record in records {
        let Some(message) = message_of(record) else { continue };
        let mut line = serde_json::to_vec(record).expect("JSON");
        line.push(b'\n');
        let times = counts.entry(message.to_owned()).or_default();
        for found in bytes.split_inclusive(|byte| *byte == b'\n') {
            let is_about_it = found.windows(message.len()).any(|part| part == message.as_bytes());
            times.whole += usize::from(found == line);
            times.changed += usize::from(found != line && is_about_it);
        }
    }
}

/// Counts the observations in the store.
fn count_ingested(store: &Sqlite) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for entry in store.journal(Sequence::START, u32::MAX).expect("the journal") {
        if entry.kind == "observed" {
            let body: serde_json::Value = serde_json::from_str(&entry.body).expect("JSON");
            let message = body["message"].as_str().expect("a message").to_owned();
            *counts.entry(message).or_default() += 1;
        }
    }
    counts
}

fn store_of(data: &Data) -> Sqlite {
    open(&data.store(), Access::Write).expect("a store")
}

fn log_of(data: &Data, session: usize) -> LogPath {
    data.logs().log_for("claude", &format!("s-{session}")).expect("a log")
}

/// Asserts that each good line is in the store as often as it stands in the logs.
fn assert_once(store: &Sqlite, good: &BTreeMap<String, Times>) {
    let ingested = count_ingested(store);
    for (message, times) in good {
        let found = ingested.get(message).copied().unwrap_or(0);
        assert!(
            (times.whole..=times.whole + times.changed).contains(&found),
            "`{message}` was ingested {found} times and stands there {} times",
            times.whole
        );
    }
}

const ONCE: Times = Times { whole: 1, changed: 0 };

#[test]
fn five_hundred_damaged_logs_keep_no_good_line_out() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = Data::new(directory.path());
    let mut random = Random(20_261_116);
    let mut good = BTreeMap::new();
    for session in 0..520 {
        let (log, records) = (log_of(&data, session), records(session, &mut random));
        write(&log, &records);
        let mut bytes = std::fs::read(log.path()).expect("the log");
        if session < 500 {
            bytes = HARMS[session % HARMS.len()].apply(bytes, &mut random);
            std::fs::write(log.path(), &bytes).expect("damage");
        }
        count_good(&bytes, &records, &mut good);
    }
    let mut store = store_of(&data);
    let first = ingest(&mut Journal::new(&mut store, &data, Clock::System)).expect("an ingestion");
    assert_once(&store, &good);
    let kept = store.set_aside().expect("the store");
    let lines: u32 = kept.iter().map(|kept| kept.lines.lines).sum();
    assert_eq!(usize::try_from(lines).expect("a number"), first.set_aside);
    let mut reasons: Vec<&str> = kept.iter().map(|kept| kept.lines.reason.as_str()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    assert_eq!(
        reasons,
        [
            "no such session",
            "the line holds a NUL byte",
            "the line is not JSON",
            "the line is not UTF-8",
            "this version does not know such a line",
        ]
    );
    // Nothing is left over, and nothing comes twice.
    let again = ingest(&mut Journal::new(&mut store, &data, Clock::System)).expect("an ingestion");
    assert_eq!((again.records, again.set_aside), (0, 0));
    // The sessions go on, also where their logs were damaged.
    for session in 0..500 {
        let more = [observed(session, &format!("more-{session}"))];
        write(&log_of(&data, session), &more);
        good.insert(format!("more-{session}"), ONCE);
    }
    ingest(&mut Journal::new(&mut store, &data, Clock::System)).expect("an ingestion");
    assert_once(&store, &good);
}

#[test]
fn damage_after_the_ingestion_doubles_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = Data::new(directory.path());
    let mut random = Random(42);
    let mut good = BTreeMap::new();
    let harms = [Harm::FlipHeader, Harm::FlipBits, Harm::Cut, Harm::OverwriteWithNul, Harm::Empty];
    let mut store = store_of(&data);
    for session in 0..100 {
        let (log, records) = (log_of(&data, session), records(session, &mut random));
        write(&log, &records);
        count_good(&std::fs::read(log.path()).expect("the log"), &records, &mut good);
    }
    ingest(&mut Journal::new(&mut store, &data, Clock::System)).expect("an ingestion");
    assert_once(&store, &good);
    for session in 0..100 {
        let log = log_of(&data, session);
        let bytes = std::fs::read(log.path()).expect("the log");
        let bytes = harms[session % harms.len()].apply(bytes, &mut random);
        std::fs::write(log.path(), bytes).expect("damage");
    }
    for round in 0..3 {
        ingest(&mut Journal::new(&mut store, &data, Clock::System)).expect("an ingestion");
        assert_once(&store, &good);
        for session in 0..100 {
            let message = format!("more-{round}-{session}");
            write(&log_of(&data, session), &[observed(session, &message)]);
            good.insert(message, ONCE);
        }
    }
    ingest(&mut Journal::new(&mut store, &data, Clock::System)).expect("an ingestion");
    assert_once(&store, &good);
}

#[test]
fn a_store_that_cannot_be_written_sets_nothing_aside() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = Data::new(directory.path());
    let log = log_of(&data, 0);
    write(&log, &[observed(0, "known")]);
    ingest(&mut Journal::new(&mut store_of(&data), &data, Clock::System)).expect("an ingestion");
    write(&log, &[observed(0, "later")]);
    let mut frozen = open(&data.store(), Access::Read).expect("a store");
    ingest(&mut Journal::new(&mut frozen, &data, Clock::System))
        .expect_err("nothing can be written");
    drop(frozen);
    let mut store = store_of(&data);
    assert_eq!(store.set_aside().expect("the store"), []);
    ingest(&mut Journal::new(&mut store, &data, Clock::System)).expect("an ingestion");
    assert_once(&store, &[("known".to_owned(), ONCE), ("later".to_owned(), ONCE)].into());
}

#[test]
fn a_log_that_cannot_be_opened_keeps_no_other_waiting() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = Data::new(directory.path());
    for session in [0, 2] {
        write(&log_of(&data, session), &[observed(session, &format!("good-{session}"))]);
    }
    // A log that turns into something else between the listing and the reading.
    let unreadable = log_of(&data, 1);
    write(&unreadable, &[observed(1, "gone")]);
    let mut permissions = std::fs::metadata(unreadable.path()).expect("the log").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0);
    std::fs::set_permissions(unreadable.path(), permissions).expect("no permission");
    let mut store = store_of(&data);
    let ingested =
        ingest(&mut Journal::new(&mut store, &data, Clock::System)).expect("an ingestion");
    assert_once(&store, &[("good-0".to_owned(), ONCE), ("good-2".to_owned(), ONCE)].into());
    // Root reads it all the same.
    assert_eq!(ingested.unread.len() + count_ingested(&store).len(), 3);
}
