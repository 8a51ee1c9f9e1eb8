//! What depends on time, on a real store and with a clock that is moved.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test stops when it cannot go on, and sets up files of its own"
)]

use std::{path::PathBuf, thread::scope};

use pacenote_engine::{
    Caller, Clock, Data, Desk, Request, SetClock,
    hook::{self, HookCall, PartOf},
    ingest::ingest,
    journal::{BackupRule, Journal},
    mail::{ReserveRequest, reserve},
    presence,
    situation::{Person, SettingsSource},
    tasks::{self, AddRequest, HeldByOther},
};
use pacenote_files::config::Settings;
use pacenote_hosts::Host;
use pacenote_model::{AgentName, CommitKey, Event, EventBody, HostId, Moment, StartSource};
use pacenote_store::{Access, open};

/// A morning.
const BEGINNING: Moment = Moment::from_millis(1_763_280_000_000);

/// A project, our data, and a clock.
struct Bench {
    root: tempfile::TempDir,
    clock: &'static SetClock,
}

impl Bench {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a directory");
        std::fs::create_dir_all(root.path().join("shop/.pacenote")).expect("a project");
        Self { root, clock: SetClock::at(BEGINNING) }
    }

    fn data(&self) -> Data {
        Data::new(self.root.path().join("data"))
    }

    fn shop(&self) -> PathBuf {
        self.root.path().join("shop")
    }

    fn clock(&self) -> Clock {
        Clock::Set(self.clock)
    }

    fn desk(&self, agent: &str) -> Desk {
        let caller = Caller::Agent(AgentName::parse(agent).expect("a name"));
        let desk = Desk::open(self.data(), &self.shop(), caller, Access::Write);
        desk.expect("a desk").with_clock(self.clock())
    }

    fn add(&self, title: &str, request: Option<Request>) -> Result<String, String> {
        Self::add_at(&mut self.desk("backend"), title, request)
    }

    fn add_at(desk: &mut Desk, title: &str, request: Option<Request>) -> Result<String, String> {
        let place = desk.place().clone();
        let request_of = AddRequest {
            title,
            parent: None,
            after: &[],
            skill: None,
            plan: None,
            section: None,
            assignee: None,
        };
        let mut work = desk.begin(request).map_err(|error| error.to_string())?;
        let added = tasks::add(&mut work, &place, &request_of);
        added.map(|task| task.short.to_string()).map_err(|error| error.to_string())
    }

    fn reserve(&self, agent: &str, minutes: u32) -> bool {
        let mut desk = self.desk(agent);
        let patterns = ["src/**".to_owned()];
        let request = ReserveRequest {
            patterns: &patterns,
            agent: None,
            minutes,
            exclusive: true,
            reason: None,
        };
        reserve(&mut desk.begin(None).expect("work"), &request).is_ok()
    }

    /// Fires a hook and returns what is injected.
    fn fire(&self, session: &str, body: EventBody) -> String {
        let data = self.data();
        // The same payload again is the host asking twice.
        let payload = format!("{session} {body:?}");
        let event = Event {
            session: HostId::parse(session).expect("an id"),
            directory: self.shop().display().to_string(),
            transcript: None,
            plan_mode: false,
            subagent: None,
            body,
        };
        let call = HookCall {
            data: &data,
            host: Host::Claude,
            event: &event,
            agent: Some(AgentName::parse("backend").expect("a name")),
            part: PartOf::WHOLE,
            payload: payload.as_bytes(),
            presence: &presence::look(&data, &self.shop()),
            carries_context: true,
            person: Person {
                home: None,
                rules: None,
                variable: &|_| None,
                settings: SettingsSource::Known(&Settings::built_in()),
            },
        };
        let answer = hook::answer(&call, self.clock()).expect("an answer");
        if let Some(unprinted) = answer.unprinted {
            unprinted.record_printed(self.clock()).expect("a note");
        }
        answer.reply.context.unwrap_or_default()
    }

    fn begin(&self, session: &str, source: StartSource) -> String {
        self.fire(session, EventBody::SessionStart { source })
    }

    fn ask(&self, session: &str) -> String {
        self.fire(session, EventBody::Prompt { prompt: "go on with the login".into() })
    }

    /// Ingests what hooks recorded, as the worker does.
    fn ingest(&self) {
        let data = self.data();
        let mut store = open(&data.store(), Access::Write).expect("a store");
        ingest(&mut Journal::new(&mut store, &data, self.clock())).expect("an ingestion");
    }
}

#[test]
fn a_silent_session_is_over_after_half_an_hour() {
    let bench = Bench::new();
    bench.add("Add login", None).expect("a task");
    bench.begin("s-1", StartSource::Startup);
    bench.ask("s-1");
    bench.fire("s-1", EventBody::Stop { again: false, message: None });
    bench.ingest();
    // It never says that it ends.
    bench.clock.advance_minutes(30);
    assert!(!bench.begin("s-2", StartSource::Startup).contains("<handoff "), "it may be at work");
    bench.clock.advance_minutes(1);
    assert!(bench.begin("s-3", StartSource::Startup).contains("<handoff "), "it is over");
    assert!(!bench.begin("s-4", StartSource::Startup).contains("<handoff "), "one session gets it");
}

#[test]
fn a_reservation_ends_by_itself() {
    let bench = Bench::new();
    assert!(bench.reserve("backend", 30));
    assert!(!bench.reserve("frontend", 30), "it is held");
    bench.clock.advance_minutes(29);
    assert!(!bench.reserve("frontend", 30), "it is still held");
    bench.clock.advance_minutes(1);
    assert!(bench.reserve("frontend", 30), "it ended");
}

#[test]
fn the_store_is_copied_when_the_newest_copy_is_too_old() {
    let bench = Bench::new();
    let copies_after_a_commit = || {
        let mut desk = bench.desk("backend");
        desk.upkeep().keep_backups(BackupRule { hours: 24, keep: 3 });
        Bench::add_at(&mut desk, "Add login", None).expect("a task");
        assert!(desk.upkeep().take_backup().is_none_or(|made| made.is_ok()));
        pacenote_store::backups(&bench.data().store()).expect("copies").len()
    };
    assert_eq!(copies_after_a_commit(), 1);
    bench.clock.advance_minutes(24 * 60 - 1);
    assert_eq!(copies_after_a_commit(), 1);
    bench.clock.advance_minutes(1);
    assert_eq!(copies_after_a_commit(), 2);
    // A clock that was wrong for a while leaves a copy from the future, which says nothing.
    bench.clock.set(BEGINNING.plus_minutes(60 * 24 * 400));
    assert_eq!(copies_after_a_commit(), 3);
    bench.clock.set(BEGINNING.plus_minutes(60 * 24 * 3));
    assert_eq!(copies_after_a_commit(), 3, "one more, and the oldest is gone");
}

#[test]
fn a_retry_is_answered_and_another_intent_is_refused() {
    let bench = Bench::new();
    let request = |intent: &str| {
        let key = CommitKey::parse("once").expect("a key");
        Some(Request { key, intent: intent.to_owned() })
    };
    let first = bench.add("Add login", request("add login")).expect("a task");
    bench.clock.advance_minutes(60 * 24);
    assert_eq!(bench.add("Add login", request("add login")).as_ref(), Ok(&first));
    let refused = bench.add("Add logout", request("add logout")).expect_err("another intent");
    assert!(refused.contains("once"), "{refused}");
    let list = tasks::list(&bench.desk("backend"), &tasks::ListRequest::default());
    assert_eq!(list.expect("a list").tasks.len(), 1);
}

#[test]
fn of_two_claims_at_once_one_wins() {
    let bench = Bench::new();
    let task = bench.add("Add login", None).expect("a task");
    let claim = |agent: &str| {
        let mut desk = bench.desk(agent);
        let mut work = desk.begin(None).expect("work");
        tasks::claim(&mut work, &task, None, HeldByOther::Refuse).is_ok()
    };
    let won = scope(|threads| {
        let other = threads.spawn(|| claim("frontend"));
        [claim("backend"), other.join().expect("a thread")]
    });
    assert!(won[0] != won[1], "{won:?}");
}

#[test]
fn notes_come_once_in_an_epoch_and_again_after_a_compaction() {
    let bench = Bench::new();
    bench.add("Add login", None).expect("a task");
    let is_whole = |context: &str| context.contains("<tasks ") && context.contains("Add login");
    assert!(is_whole(&bench.begin("s-1", StartSource::Startup)));
    bench.clock.advance_minutes(1);
    assert_eq!(bench.ask("s-1"), "", "nothing is new");
    bench.clock.advance_minutes(1);
    assert!(is_whole(&bench.begin("s-1", StartSource::Compact)), "the context was lost");
    bench.clock.advance_minutes(1);
    assert_eq!(bench.ask("s-1"), "", "nothing is new again");
}

/// Lets a session do a turn and end, so that it leaves something behind.
fn leave(bench: &Bench, session: &str) {
    leave_from(bench, session, StartSource::Startup);
}

/// Lets a session that begins so do a turn and end.
fn leave_from(bench: &Bench, session: &str, source: StartSource) {
    bench.begin(session, source);
    bench.ask(session);
    bench.fire(session, EventBody::Stop { again: false, message: None });
    bench.fire(session, EventBody::SessionEnd { reason: "exit".into() });
    bench.ingest();
}

fn has_handoff(context: &str) -> bool {
    context.contains("<handoff ")
}

#[test]
fn a_handoff_is_claimed_before_the_store_knows_and_stays_taken_after() {
    let bench = Bench::new();
    bench.add("Add login", None).expect("a task");
    leave(&bench, "s-1");
    assert!(has_handoff(&bench.begin("s-2", StartSource::Startup)));
    assert!(!has_handoff(&bench.begin("s-3", StartSource::Startup)), "it is claimed");
    // However long nobody ingests the log of the one that took it.
    bench.clock.advance_minutes(60 * 24);
    assert!(!has_handoff(&bench.begin("s-4", StartSource::Startup)), "it is still claimed");
    bench.ingest();
    assert!(!has_handoff(&bench.begin("s-5", StartSource::Startup)), "the store knows");
    // The one that took it reads it again after a compaction.
    assert!(has_handoff(&bench.begin("s-2", StartSource::Compact)));
}

#[test]
fn of_sessions_that_begin_at_once_one_gets_the_handoff() {
    let bench = Bench::new();
    bench.add("Add login", None).expect("a task");
    leave(&bench, "s-1");
    let begin =
        |number: usize| has_handoff(&bench.begin(&format!("n-{number}"), StartSource::Startup));
    let begin = &begin;
    let got: Vec<bool> = scope(|threads| {
        let started: Vec<_> = (0..8).map(|number| threads.spawn(move || begin(number))).collect();
        started.into_iter().map(|one| one.join().expect("a thread")).collect()
    });
    assert_eq!(got.iter().filter(|got| **got).count(), 1, "{got:?}");
}

#[test]
fn a_hook_that_was_killed_after_its_claim_has_taken_nothing() {
    let bench = Bench::new();
    bench.add("Add login", None).expect("a task");
    leave(&bench, "s-1");
    bench.begin("s-2", StartSource::Startup);
    // Killed before it could write its log.
    let log = bench.data().logs().log_for("claude", "s-2").expect("a log");
    std::fs::remove_file(log.path()).expect("a log");
    assert!(!has_handoff(&bench.begin("s-3", StartSource::Startup)), "it may be about to say so");
    bench.clock.advance_minutes(2);
    assert!(has_handoff(&bench.begin("s-4", StartSource::Startup)));
    assert!(!has_handoff(&bench.begin("s-5", StartSource::Startup)));
}

#[test]
fn what_an_idle_session_took_is_there_for_the_next_at_once() {
    let bench = Bench::new();
    bench.add("Add login", None).expect("a task");
    leave(&bench, "s-1");
    for idle in ["s-2", "s-3"] {
        assert!(has_handoff(&bench.begin(idle, StartSource::Startup)), "{idle}");
        bench.fire(idle, EventBody::SessionEnd { reason: "exit".into() });
    }
    // Ingested or not.
    bench.ingest();
    assert!(has_handoff(&bench.begin("s-4", StartSource::Startup)));
    bench.ask("s-4");
    bench.ingest();
    assert!(!has_handoff(&bench.begin("s-5", StartSource::Startup)));
}

#[test]
fn a_session_that_goes_on_leaves_something_again() {
    let bench = Bench::new();
    bench.add("Add login", None).expect("a task");
    leave(&bench, "s-1");
    assert!(has_handoff(&bench.begin("s-2", StartSource::Startup)));
    bench.ingest();
    bench.clock.advance_minutes(5);
    bench.add("Add logout", None).expect("a task");
    leave_from(&bench, "s-1", StartSource::Resume);
    assert!(has_handoff(&bench.begin("s-3", StartSource::Startup)));
}

#[test]
fn what_a_session_leaves_again_is_not_swallowed_by_an_old_claim() {
    let bench = Bench::new();
    bench.add("Add login", None).expect("a task");
    leave(&bench, "s-1");
    // Nobody ingests that this one took it before the other has gone on.
    assert!(has_handoff(&bench.begin("z-2", StartSource::Startup)));
    bench.clock.advance_minutes(5);
    bench.add("Add logout", None).expect("a task");
    leave_from(&bench, "s-1", StartSource::Resume);
    assert!(has_handoff(&bench.begin("s-3", StartSource::Startup)));
}

#[test]
fn older_handoffs_are_claimed_with_the_newest() {
    let bench = Bench::new();
    bench.add("Add login", None).expect("a task");
    leave(&bench, "s-1");
    bench.clock.advance_minutes(1);
    // One that goes on takes nothing from the other.
    leave_from(&bench, "s-2", StartSource::Resume);
    assert!(has_handoff(&bench.begin("s-3", StartSource::Startup)));
    assert!(!has_handoff(&bench.begin("s-4", StartSource::Startup)), "not the older one either");
}

#[test]
fn a_claim_that_cannot_be_made_costs_the_handoff_and_not_the_briefing() {
    let bench = Bench::new();
    bench.add("Add login", None).expect("a task");
    leave(&bench, "s-1");
    let claims = bench.data().directory().join("claims");
    std::fs::write(&claims, "in the way").expect("a file");
    let context = bench.begin("s-2", StartSource::Startup);
    assert!(context.contains("Add login") && !has_handoff(&context), "{context}");
    std::fs::remove_file(&claims).expect("a file");
    assert!(has_handoff(&bench.begin("s-3", StartSource::Startup)), "it still waits");
}
