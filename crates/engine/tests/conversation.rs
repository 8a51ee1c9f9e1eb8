//! What only a session knew: kept in its log, brought back after a compaction, left for the next one.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test stops when it cannot go on, and sets up files of its own"
)]

use std::{cell::Cell, path::PathBuf};

use pacenote_engine::{
    Caller, Clock, Data, Desk, SetClock,
    hook::{self, HookCall, PartOf},
    ingest::ingest,
    journal::Journal,
    presence,
    situation::{Person, SettingsSource},
    tasks::{self, AddRequest, HeldByOther},
};
use pacenote_files::config::Settings;
use pacenote_hosts::Host;
use pacenote_model::{
    AgentName, CompactTrigger, Event, EventBody, HostId, Moment, NotesIn, StartSource,
};
use pacenote_store::{Access, open};

const BEGINNING: Moment = Moment::from_millis(1_763_280_000_000);

/// A project in which a client of one kind works.
struct Client {
    root: tempfile::TempDir,
    clock: &'static SetClock,
    host: Host,
    events: Cell<u32>,
}

impl Client {
    fn new(host: Host) -> Self {
        let root = tempfile::tempdir().expect("a directory");
        std::fs::create_dir_all(root.path().join("shop/.pacenote")).expect("a project");
        let client = Self { root, clock: SetClock::at(BEGINNING), host, events: Cell::new(0) };
        // The project is known before a client comes.
        drop(client.desk());
        client
    }

    fn data(&self) -> Data {
        Data::new(self.root.path().join("data"))
    }

    fn shop(&self) -> PathBuf {
        self.root.path().join("shop")
    }

    fn desk(&self) -> Desk {
        let caller = Caller::Agent(AgentName::parse("backend").expect("a name"));
        let desk = Desk::open(self.data(), &self.shop(), caller, Access::Write);
        desk.expect("a desk").with_clock(Clock::Set(self.clock))
    }

    fn add_task(&self, title: &str) -> String {
        let mut desk = self.desk();
        let place = desk.place().clone();
        let request = AddRequest {
            title,
            parent: None,
            after: &[],
            skill: None,
            plan: None,
            section: None,
            assignee: None,
        };
        let task = tasks::add(&mut desk.begin(None).expect("work"), &place, &request);
        task.expect("a task").short.to_string()
    }

    /// Fires the hook of an event, with the word by which the client calls it.
    fn fire(&self, session: &str, word: &str, body: EventBody) -> String {
        let data = self.data();
        self.events.set(self.events.get() + 1);
        self.clock.advance_minutes(1);
        let payload = format!("{session} {}", self.events.get());
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
            host: self.host,
            event: &event,
            agent: Some(AgentName::parse("backend").expect("a name")),
            part: PartOf::WHOLE,
            payload: payload.as_bytes(),
            presence: &presence::look(&data, &self.shop()),
            carries_context: self.host.carries_context(word),
            person: Person {
                home: None,
                rules: None,
                variable: &|_| None,
                settings: SettingsSource::Known(&Settings::built_in()),
            },
        };
        let answer = hook::answer(&call, Clock::Set(self.clock)).expect("an answer");
        if let Some(unprinted) = answer.unprinted {
            unprinted.record_printed(Clock::Set(self.clock)).expect("a note");
        }
        answer.reply.context.unwrap_or_default()
    }

    fn begin(&self, session: &str, source: StartSource) -> String {
        self.fire(session, "session-start", EventBody::SessionStart { source })
    }

    fn ask(&self, session: &str, prompt: &str) -> String {
        let word = match self.host {
            Host::Claude | Host::Codex | Host::Qwen => "user-prompt-submit",
            Host::Gemini => "before-agent",
            Host::Copilot => "user-prompt-submitted",
            Host::OpenCode | Host::Shell | Host::Antigravity => "prompt",
        };
        self.fire(session, word, EventBody::Prompt { prompt: prompt.into() })
    }

    fn stop(&self, session: &str, message: &str) {
        let message = Some(message.to_owned());
        self.fire(session, "stop", EventBody::Stop { again: false, message });
    }

    fn end(&self, session: &str) {
        self.fire(session, "session-end", EventBody::SessionEnd { reason: "exit".into() });
        self.ingest();
    }

    fn compact(&self, session: &str) -> String {
        let trigger = CompactTrigger::Auto;
        self.fire(session, "pre-compact", EventBody::PreCompact { trigger });
        self.begin(session, StartSource::Compact)
    }

    fn ingest(&self) {
        let data = self.data();
        let mut store = open(&data.store(), Access::Write).expect("a store");
        let taken_in = ingest(&mut Journal::new(&mut store, &data, Clock::Set(self.clock)));
        assert_eq!(taken_in.expect("an ingestion").set_aside, 0);
    }
}

/// Returns what stands in an element of a briefing.
fn inside(context: &str, tag: &str) -> Option<String> {
    let (_, rest) = context.split_once(&format!("<{tag} "))?;
    let (_, body) = rest.split_once('>')?;
    let (body, _) = body.split_once(&format!("</{tag}>"))?;
    let lines = body.trim().lines().filter(|line| !line.starts_with("[end of "));
    Some(lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_compaction_brings_back_what_was_asked_and_said() {
    let client = Client::new(Host::Claude);
    client.add_task("Add login");
    client.begin("s-1", StartSource::Startup);
    client.ask("s-1", "make the score stable\nfor empty notes");
    client.stop("s-1", "The score is stable: `Vec<f64>`. Which store?");
    let again = client.compact("s-1");
    let request = inside(&again, "last_request");
    assert_eq!(request.as_deref(), Some("make the score stable\nfor empty notes"), "{again}");
    let words = inside(&again, "last_words");
    let expected = "The score is stable: `Vec<f64>`.\nNot answered yet: Which store?";
    assert_eq!(words.as_deref(), Some(expected), "{again}");
    assert!(again.contains("<last_request trust=\"user\">"), "{again}");
    assert!(again.contains("<last_words trust=\"agent\""), "{again}");
    assert!(
        again.find("<last_request") < again.find("<last_words"),
        "in the order it went: {again}"
    );
    for once in ["Which store?", "make the score stable", "The score is stable"] {
        assert_eq!(again.matches(once).count(), 1, "{once}: {again}");
    }
    // With the next prompt nothing of it comes again.
    assert_eq!(client.ask("s-1", "the second one"), "");
    // In the middle of a turn the request is what is open.
    let within = client.compact("s-1");
    assert!(within.find("<last_words") < within.find("<last_request"), "{within}");
    assert_eq!(inside(&within, "last_request").as_deref(), Some("the second one"));
    assert!(!within.contains("Not answered yet"), "{within}");
}

#[test]
fn a_word_is_an_answer_where_something_was_asked() {
    let client = Client::new(Host::Claude);
    client.begin("s-1", StartSource::Startup);
    client.ask("s-1", "remove the old table");
    client.ask("s-1", "continue");
    client.stop("s-1", "It has 3 rows. Shall I drop it?");
    client.ask("s-1", "yes");
    let again = client.compact("s-1");
    let expected = "It has 3 rows.\nShall I drop it?\nThe person answered: yes";
    assert_eq!(inside(&again, "last_words").as_deref(), Some(expected), "{again}");
    assert_eq!(inside(&again, "last_request").as_deref(), Some("remove the old table"));
}

#[test]
fn what_was_said_is_found_again_after_many_compactions_and_never_whole_if_it_is_long() {
    let client = Client::new(Host::Claude);
    client.begin("s-1", StartSource::Startup);
    let secret = "ghp_k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2";
    client.ask("s-1", &format!("push with {secret} {}", "and so on ".repeat(1000)));
    for _ in 0..3 {
        let again = client.compact("s-1");
        let request = inside(&again, "last_request").expect("a request");
        assert!(request.starts_with("push with [redacted: github-token] and so on"), "{request}");
        assert!(request.ends_with('…') && request.chars().count() <= 1000, "{request}");
    }
    let log = client.data().logs().log_for("claude", "s-1").expect("a log");
    assert!(!std::fs::read_to_string(log.path()).expect("a log").contains(secret));
}

#[test]
fn clients_that_begin_again_with_a_prompt_get_it_with_that() {
    for host in [Host::Qwen, Host::Copilot] {
        let client = Client::new(host);
        client.add_task("Add login");
        client.begin("s-1", StartSource::Startup);
        client.ask("s-1", "make the score stable");
        client.stop("s-1", "It is. Which store?");
        let trigger = CompactTrigger::Auto;
        client.fire("s-1", "pre-compact", EventBody::PreCompact { trigger });
        if host == Host::Qwen {
            client.begin("s-1", StartSource::Compact);
        }
        let again = client.ask("s-1", "the second one");
        assert!(again.contains("make the score stable"), "{host:?}: {again}");
        assert!(again.contains("Which store?"), "{host:?}: {again}");
        assert!(!again.contains("Not answered yet"), "this prompt answers: {again}");
        assert!(!again.contains("the second one"), "the reader has that: {again}");
    }
    // This one sees that a request lacks the notes.
    let client = Client::new(Host::Gemini);
    client.add_task("Add login");
    client.begin("s-1", StartSource::Startup);
    client.ask("s-1", "make the score stable");
    client.fire("s-1", "before-model", EventBody::Request { notes: NotesIn::Lost });
    let again = client.ask("s-1", "the second one");
    assert!(again.contains("make the score stable"), "{again}");
}

#[test]
fn a_start_that_is_no_compaction_brings_nothing_that_is_still_known() {
    // In this client a session that is resumed lost its notes, and kept its conversation.
    let client = Client::new(Host::Copilot);
    client.add_task("Add login");
    client.begin("s-1", StartSource::Startup);
    client.ask("s-1", "make the score stable");
    let resumed = client.begin("s-1", StartSource::Compact);
    assert!(resumed.contains("Add login") && !resumed.contains("stable"), "{resumed}");
}

#[test]
fn a_handoff_comes_with_whichever_event_brings_the_first_notes() {
    for host in [Host::Gemini, Host::Qwen, Host::Claude] {
        let client = Client::new(host);
        client.add_task("Add login");
        client.begin("s-1", StartSource::Startup);
        client.ask("s-1", "write the reader, keep the comments");
        client.stop("s-1", "The reader works, the writer is next.");
        client.end("s-1");
        let next =
            client.begin("s-2", StartSource::Startup) + &client.ask("s-2", "good morning all");
        for once in ["write the reader, keep the comments", "The reader works, the writer is next."]
        {
            assert_eq!(next.matches(once).count(), 1, "{host:?}: {next}");
        }
        assert_eq!(client.ask("s-2", "and the tests"), "", "{host:?}: once");
        let third = client.begin("s-3", StartSource::Startup) + &client.ask("s-3", "hello all");
        assert!(!third.contains("The reader works"), "{host:?}: one session gets it: {third}");
    }
}

#[test]
fn a_conversation_that_changed_nothing_leaves_nothing_where_nothing_is_going_on() {
    let client = Client::new(Host::Claude);
    let first = client.begin("s-1", StartSource::Startup);
    client.ask("s-1", "what is this project");
    client.stop("s-1", "A shop.");
    client.end("s-1");
    let second = client.begin("s-2", StartSource::Startup);
    assert_eq!(second, first.replace("s-s1", "s-s2"));
    // What is open is worth a line.
    client.ask("s-2", "and the tests");
    client.stop("s-2", "There are none. Shall I write some?");
    client.end("s-2");
    let third = client.begin("s-3", StartSource::Startup);
    let expected = "Last request: and the tests\nLast words: There are none.\n\
                    Open questions: Shall I write some?";
    assert_eq!(inside(&third, "handoff").as_deref(), Some(expected), "{third}");
    // A session that only talks passes it on.
    client.ask("s-3", "hello there, how are you");
    client.stop("s-3", "Fine.");
    client.end("s-3");
    let fourth = client.begin("s-4", StartSource::Startup);
    assert_eq!(inside(&fourth, "handoff").as_deref(), Some(expected), "{fourth}");
}

#[test]
fn notes_come_with_a_handoff_unless_the_task_brings_them() {
    let client = Client::new(Host::Claude);
    let task = client.add_task("Add login");
    let note = |text: &str| {
        let mut desk = client.desk();
        tasks::note(&mut desk.begin(None).expect("work"), &task, text).expect("a note");
    };
    note("before the session");
    let mut desk = client.desk();
    let mut work = desk.begin(None).expect("work");
    tasks::claim(&mut work, &task, None, HeldByOther::Refuse).expect("a claim");
    client.begin("s-1", StartSource::Startup);
    client.ask("s-1", "write the login");
    note("DECISION: argon2");
    client.stop("s-1", "Done.");
    client.end("s-1");
    let next = client.begin("s-2", StartSource::Startup);
    assert_eq!(next.matches("DECISION: argon2").count(), 1, "{next}");
    assert_eq!(next.matches("Add login").count(), 1, "the tree has the title: {next}");
}
