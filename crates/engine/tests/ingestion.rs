//! Session logs reach the store exactly once, whatever happens on the way.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test stops when it cannot go on, and tears files on purpose"
)]

use std::{collections::BTreeMap, io::Write as _};

use pacenote_engine::{Clock, Data, ingest::ingest, journal::Journal};
use pacenote_files::copy_atomically;
use pacenote_model::{HostId, HostName, Moment, Record, Sequence, StartSource};
use pacenote_store::{Access, Store as _, open};
use proptest::prelude::*;

/// What happens to the logs between two looks.
#[derive(Clone, Debug)]
enum Act {
    /// A hook of a session in a project writes a line.
    Hook { session: u8, project: u8, source: StartSource },
    /// A writer dies in the middle of a line.
    Torn { session: u8 },
    /// Something that is no record gets in.
    Junk { session: u8 },
    /// A command ingests.
    Ingest,
    /// Two commands ingest at once.
    IngestTwice,
}

fn act() -> impl Strategy<Value = Act> {
    let source = prop_oneof![
        Just(StartSource::Startup),
        Just(StartSource::Resume),
        Just(StartSource::Clear),
        Just(StartSource::Compact),
    ];
    prop_oneof![
        6 => (0u8..3, 0u8..2, source)
            .prop_map(|(session, project, source)| Act::Hook { session, project, source }),
        1 => (0u8..3).prop_map(|session| Act::Torn { session }),
        1 => (0u8..3).prop_map(|session| Act::Junk { session }),
        2 => Just(Act::Ingest),
        1 => Just(Act::IngestTwice),
    ]
}

fn line(session: u8, project: u8, source: StartSource) -> String {
    let record = Record::SessionStart {
        at: Moment::from_millis(1000),
        host: HostName::parse("claude").expect("a host"),
        host_id: HostId::parse(&format!("s-{session}")).expect("an id"),
        source,
        place: format!("/src/project-{project}/.git"),
        name: format!("project-{project}"),
        transcript: None,
        agent: None,
        parent: None,
    };
    serde_json::to_string(&record).expect("JSON")
}

fn take_in(data: &Data) {
    let mut store = open(&data.store(), Access::Write).expect("a store");
    ingest(&mut Journal::new(&mut store, data, Clock::System)).expect("an ingestion");
}

#[test]
fn a_copied_log_is_ingested_too() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = Data::new(directory.path());
    let log = data.logs().log_for("claude", "s-1").expect("a log");
    log.append(&line(1, 1, StartSource::Startup), 7).expect("a line");
    take_in(&data);
    let copy = data.logs().log_for("claude", "s-2").expect("a log");
    copy_atomically(log.path(), copy.path()).expect("a copy");
    copy.append(&line(2, 1, StartSource::Startup), 8).expect("a line");
    take_in(&data);
    take_in(&data);

    let store = open(&data.store(), Access::Write).expect("a store");
    let host = HostName::parse("claude").expect("a host");
    for (session, epoch) in [("s-1", 2), ("s-2", 1)] {
        let id = HostId::parse(session).expect("an id");
        let known = store.session(&host, &id).expect("the store").expect("the session");
        assert_eq!(known.epoch, epoch, "{session}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn every_line_counts_once(acts in prop::collection::vec(act(), 1..40)) {
        let directory = tempfile::tempdir().expect("a directory");
        let data = Data::new(directory.path());
        let mut written = 0;
        let mut epochs: BTreeMap<u8, u32> = BTreeMap::new();
        for act in acts {
            match act {
                Act::Hook { session, project, source } => {
                    let log = data.logs().log_for("claude", &format!("s-{session}")).expect("a log");
                    log.append(&line(session, project, source), Clock::System.fresh().as_u128())
                        .expect("a line");
                    written += 1;
                    *epochs.entry(session).or_default() += u32::from(source.begins_epoch());
                }
                Act::Torn { session } | Act::Junk { session } => {
                    let log = data.logs().log_for("claude", &format!("s-{session}")).expect("a log");
                    if let Ok(mut file) = std::fs::File::options().append(true).open(log.path()) {
                        let bytes: &[u8] = if matches!(act, Act::Torn { .. }) {
                            b"{\"kind\":\"session_st"
                        } else {
                            b"\nno record\xff\n"
                        };
                        file.write_all(bytes).expect("a write");
                    }
                }
                Act::Ingest => take_in(&data),
                Act::IngestTwice => std::thread::scope(|scope| {
                    scope.spawn(|| take_in(&data));
                    scope.spawn(|| take_in(&data));
                }),
            }
        }
        take_in(&data);
        take_in(&data);

        let store = open(&data.store(), Access::Write).expect("a store");
        let journal = store.journal(Sequence::START, u32::MAX).expect("the journal");
        let seen = journal.iter();
        let seen = seen.filter(|entry| (&*entry.aggregate, &*entry.kind) == ("session", "seen"));
        let seen = seen.count();
        prop_assert_eq!(seen, written);
        let host = HostName::parse("claude").expect("a host");
        for (session, expected) in epochs {
            let id = HostId::parse(&format!("s-{session}")).expect("an id");
            let known = store.session(&host, &id).expect("the store").expect("the session");
            prop_assert_eq!(known.epoch, expected);
        }
    }
}
