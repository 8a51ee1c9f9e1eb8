//! A store that version 0.1.0 wrote: nothing of it is lost, and its journal can be read.
//!
//! `fixtures/0.1.0.db` was made by that version's program: a plan of two tasks with steps, notes, a
//! message, a reservation, a session with receipts and a handoff, an approved skill and a run.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test stops when it cannot go on, and puts a file of another version in place"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use pacenote_model::{Aggregate, CommitKey, Digest, Number, Sequence};
use pacenote_store::{
    Access, Entry, InboxQuery, Lately, MIGRATIONS, Place, SCHEMA, Sqlite, Store as _, open,
    open_with,
};
use tempfile::TempDir;

/// The schema of version 0.1.0.
const OLD: u32 = 4;

/// Entries of its journal.
const ENTRIES: usize = 39;

fn fixture() -> (TempDir, Place) {
    let directory = TempDir::new().expect("a directory");
    let place = Place::new(directory.path());
    std::fs::write(place.database(), include_bytes!("fixtures/0.1.0.db")).expect("a file");
    (directory, place)
}

/// Says everything that a store holds, line by line.
fn contents(store: &Sqlite) -> Vec<String> {
    let mut lines = Vec::new();
    for project in store.projects().expect("the store") {
        let id = project.id;
        lines.push(format!("{project:?}"));
        for task in store.tasks(id).expect("the store") {
            lines.push(format!("{task:?} {:?}", store.notes(task.id).expect("the store")));
        }
        for agent in store.agents(id).expect("the store") {
            let agents = [agent];
            let inbox = InboxQuery {
                project: id,
                agents: &agents,
                branch: None,
                unread_only: false,
                limit: 9,
            };
            lines.push(format!("{:?}", store.inbox(&inbox).expect("the store")));
        }
        for session in store.sessions(id).expect("the store") {
            lines.push(format!("{session:?} {:?}", store.receipts(session.id).expect("the store")));
        }
        lines.push(format!("{:?}", store.handoffs(id).expect("the store")));
        for run in store.runs(id).expect("the store") {
            let entries = store.run_entries(id, run.number).expect("the store");
            lines.push(format!("{run:?} {entries:?}"));
        }
        lines.push(format!("{:?}", store.approvals(id).expect("the store")));
        let now = project.since;
        lines.push(format!("{:?}", store.reservations(id, now).expect("the store")));
    }
    lines
}

fn journal(store: &Sqlite) -> Vec<Entry> {
    store.journal(Sequence::START, u32::MAX).expect("the journal")
}

#[test]
fn nothing_is_lost_and_every_entry_can_be_read() {
    let (_directory, place) = fixture();
    let hook = open(&place, Access::Hook).expect("a hook serves the version before");
    assert_eq!(hook.describe().expect("a description").schema, OLD);
    let (before, entries) = (contents(&hook), journal(&hook));
    assert_eq!(entries.len(), ENTRIES);
    drop(hook);

    let store = open(&place, Access::Write).expect("migrated");
    assert_eq!(store.describe().expect("a description").schema, SCHEMA);
    assert_eq!(contents(&store), before);
    assert_eq!(store.check().expect("a check"), Vec::<String>::new());
    // The rows of the journal are as they were, and each is read in the words of today.
    assert_eq!(journal(&store), entries);
    for entry in &entries {
        let effect = entry.effect().unwrap_or_else(|error| panic!("{}: {error}", entry.body));
        assert_eq!((effect.aggregate().word(), effect.kind()), (&*entry.aggregate, &*entry.kind));
    }
    let project = store.projects().expect("the store")[0].id;
    let claims = Lately {
        project,
        kinds: &[(Aggregate::Task, "claimed")],
        since: None,
        among: 100,
        limit: 9,
    };
    assert_eq!(store.lately(&claims).expect("the journal").len(), 1);
    assert!(store.run(project, Number::new(1)).expect("the store").is_some());
    let copies = std::fs::read_dir(place.backups()).expect("a directory");
    let names = copies.map(|copy| copy.expect("a copy").file_name().into_string().expect("a name"));
    assert!(names.into_iter().any(|name| name.starts_with("before-migration-")));
}

#[test]
fn a_death_at_any_statement_leaves_the_version_before_or_after() {
    let mut statements = 0;
    let (_directory, place) = fixture();
    drop(open_with(&place, Access::Write, MIGRATIONS, &mut |_| statements += 1).expect("migrated"));
    let after = contents(&open(&place, Access::Read).expect("a store"));
    assert!(statements > 5, "{statements}");
    for dies_at in 0..statements {
        let (_directory, place) = fixture();
        let mut statement = 0;
        let mut witness = |_: &str| {
            assert!(statement != dies_at, "it dies here");
            statement += 1;
        };
        let died = catch_unwind(AssertUnwindSafe(|| {
            drop(open_with(&place, Access::Write, MIGRATIONS, &mut witness));
        }));
        assert!(died.is_err(), "statement {dies_at}");
        let hook = open(&place, Access::Hook).expect("a hook is served");
        let schema = hook.describe().expect("a description").schema;
        assert!(schema == OLD || schema == SCHEMA, "statement {dies_at}: schema {schema}");
        assert_eq!(contents(&hook), after, "statement {dies_at}");
        drop(hook);
        assert_eq!(contents(&open(&place, Access::Write).expect("migrated")), after);
    }
}

/// The keys of the fixture were noted with the words of what was asked for.
#[test]
fn an_old_key_is_still_held_to_what_it_was_used_for() {
    let (_directory, place) = fixture();
    let store = open(&place, Access::Write).expect("migrated");
    let other = rusqlite::Connection::open(place.database()).expect("a connection");
    let added = "INSERT INTO commit_key (project, key, intent, last, applied)
         SELECT id, 'ka', 'add A', 1, '[]' FROM project";
    other.execute(added, []).expect("a key");
    let project = store.projects().expect("the store")[0].id;
    let key = CommitKey::parse("ka").expect("a key");
    let earlier = store.earlier(project, &key).expect("the store").expect("the commit");
    let of = |words: &str| Digest::new(*blake3::hash(words.as_bytes()).as_bytes());
    assert_eq!(earlier.intent, of("add A"));
    assert_ne!(earlier.intent, of("add B"));
}
