//! Sessions and the cursors of their logs.

use pacenote_model::{
    Effect, HostId, HostName, LogEffect, Refusal, Sequence, SessionEffect, SessionId,
    SessionStatus, SetAside,
};
use uuid::Uuid;

use super::Case;
use crate::scene::{Scene, agent};

pub(super) const CASES: &[Case] = &[
    ("a session is one session, however often it is seen", sights),
    ("sessions have numbers, names and a status", names),
    ("the sessions of a project are listed without their subagents", own_sessions),
    ("a log is ingested once", cursors),
    ("a log that was damaged or cut goes on where it was", damaged_logs),
    ("lines that were set aside stay until they are dropped", set_aside),
];

fn host() -> HostName {
    HostName::parse("claude").expect("a host")
}

pub(super) fn seen(id: &str, new_epoch: bool, scene: &Scene) -> Effect {
    Effect::Session(SessionEffect::Seen {
        id: SessionId::new(Uuid::now_v7()),
        host: host(),
        host_id: HostId::parse(id).expect("an id"),
        parent: None,
        agent: None,
        transcript: new_epoch.then(|| format!("/tmp/{id}.jsonl")),
        seen: scene.now,
        new_epoch,
    })
}

/// Sees a session and returns its id.
pub(super) fn see(scene: &mut Scene, id: &str) -> SessionId {
    let seen = seen(id, true, scene);
    scene.commit(vec![seen]).expect("a commit");
    let id = HostId::parse(id).expect("an id");
    scene.store.session(&host(), &id).expect("the store").expect("the session").id
}

fn sights(mut scene: Scene) {
    let first = seen("s-1", true, &scene);
    scene.commit(vec![first]).expect("a commit");
    let id = HostId::parse("s-1").expect("an id");
    let one = scene.store.session(&host(), &id).expect("the store").expect("the session");
    scene.now = scene.now.plus_minutes(1);
    let moved =
        Effect::Session(SessionEffect::Moved { session: one.id, to: SessionStatus::Completed });
    scene.commit(vec![moved]).expect("a commit");
    let (again, compacted) = (seen("s-1", false, &scene), seen("s-1", true, &scene));
    scene.commit(vec![again, compacted]).expect("a commit");
    let two = scene.store.session(&host(), &id).expect("the store").expect("the session");
    assert_eq!((two.id, two.number, two.first_seen), (one.id, one.number, one.first_seen));
    assert_eq!((one.epoch, two.epoch), (1, 2));
    assert_eq!(two.last_seen, scene.now);
    assert_eq!(two.status, SessionStatus::Active, "heard of again");
    assert_eq!(two.transcript.as_deref(), Some("/tmp/s-1.jsonl"));
    assert_eq!(scene.store.sessions(scene.project).expect("sessions"), [two]);
}

fn own_sessions(mut scene: Scene) {
    let first = see(&mut scene, "s-1");
    for (id, parent) in [("s-1.a-1", first), ("s-2", first)] {
        let mut seen = seen(id, true, &scene);
        if let Effect::Session(SessionEffect::Seen { parent: above, .. }) = &mut seen {
            *above = Some(parent);
        }
        scene.commit(vec![seen]).expect("a commit");
    }
    let listed = |limit: u32| {
        let sessions = scene.store.own_sessions(scene.project, limit).expect("sessions");
        sessions.iter().map(|session| session.host_id.to_string()).collect::<Vec<_>>()
    };
    // A session that continues another has a parent too, and is its own.
    assert_eq!(listed(10), ["s-2", "s-1"]);
    assert_eq!(listed(1), ["s-2"]);
}

fn names(mut scene: Scene) {
    for id in ["s-1", "s-2"] {
        let seen = seen(id, true, &scene);
        scene.commit(vec![seen]).expect("a commit");
    }
    let sessions = scene.store.sessions(scene.project).expect("sessions");
    let numbers: Vec<u32> = sessions.iter().map(|session| session.number.get()).collect();
    assert_eq!(numbers, [2, 1], "newest first");
    for status in SessionStatus::ALL {
        let session = sessions[0].id;
        scene
            .commit(vec![Effect::Session(SessionEffect::Moved { session, to: status })])
            .expect("a commit");
        assert_eq!(scene.store.sessions(scene.project).expect("sessions")[0].status, status);
    }
    let named =
        Effect::Session(SessionEffect::Named { session: sessions[1].id, agent: agent("claude-1") });
    scene.commit(vec![named]).expect("a commit");
    let now = scene.store.sessions(scene.project).expect("sessions");
    assert_eq!(now[1].agent, Some(agent("claude-1")));
    assert!(scene.store.agents(scene.project).expect("agents").contains(&agent("claude-1")));
    let nobody = SessionId::new(Uuid::now_v7());
    let moved =
        Effect::Session(SessionEffect::Moved { session: nobody, to: SessionStatus::Paused });
    assert_eq!(scene.refused(vec![moved]), Refusal::UnknownSession);
}

fn cursors(mut scene: Scene) {
    let part = |from, to| vec![Effect::Log(LogEffect::Ingested { log: "l-1".into(), from, to })];
    assert_eq!(scene.store.log_cursor("l-1").expect("a cursor"), 0);
    scene.commit(part(0, 100)).expect("a commit");
    let moved = Refusal::CursorMoved { log: "l-1".into(), at: 100 };
    assert_eq!(scene.refused(part(0, 100)), moved);
    assert_eq!(scene.refused(part(0, 50)), moved);
    assert_eq!(scene.refused(part(100, 50)), moved);
    scene.commit(part(100, 250)).expect("a commit");
    assert_eq!(scene.store.log_cursor("l-1").expect("a cursor"), 250);
    assert_eq!(scene.store.log_cursor("l-2").expect("a cursor"), 0);
}

fn damaged_logs(mut scene: Scene) {
    let ingested =
        |log: &str, from, to| vec![Effect::Log(LogEffect::Ingested { log: log.into(), from, to })];
    let cut = |log: &str, from, to| vec![Effect::Log(LogEffect::Cut { log: log.into(), from, to })];
    scene.commit(ingested("00ff00ff-file", 0, 100)).expect("a commit");
    let table = [
        ("00ff00ff-other", 0),
        ("12345678-file", 0),
        ("00ff00f-file", 0),
        ("10ff01ff-file", 100),
        ("-file", 100),
        ("-other", 0),
    ];
    for (log, at) in table {
        assert_eq!(scene.store.log_cursor(log).expect("a cursor"), at, "{log}");
    }
    let moved = Refusal::CursorMoved { log: "-file".into(), at: 100 };
    assert_eq!(scene.refused(ingested("-file", 0, 50)), moved);
    scene.commit(ingested("-file", 100, 150)).expect("a commit");
    assert_eq!(
        scene.refused(cut("-file", 100, 50)),
        Refusal::CursorMoved { log: "-file".into(), at: 150 }
    );
    assert_eq!(
        scene.refused(cut("-file", 150, 200)),
        Refusal::CursorMoved { log: "-file".into(), at: 150 }
    );
    scene.commit(cut("-file", 150, 20)).expect("a commit");
    assert_eq!(scene.store.log_cursor("-file").expect("a cursor"), 20);
    scene.commit(ingested("-file", 20, 40)).expect("a commit");
}

fn set_aside(mut scene: Scene) {
    let lines = |from| SetAside {
        file: "claude-s-1.jsonl".into(),
        from,
        to: from + 9,
        lines: 1,
        reason: "the line is not JSON".into(),
    };
    for from in [10, 20] {
        scene
            .commit(vec![Effect::Log(LogEffect::SetAside { lines: lines(from) })])
            .expect("a commit");
    }
    // Whose project it is does not matter: a log that cannot be read names none.
    let kept = scene.store.set_aside().expect("the store");
    assert_eq!(
        kept.iter().map(|kept| kept.lines.clone()).collect::<Vec<_>>(),
        [lines(10), lines(20)]
    );
    let number = kept[0].number;
    scene.project = scene.add_project("/src/other/.git", "other");
    scene.commit(vec![Effect::Log(LogEffect::SetAsideDropped { number })]).expect("a commit");
    assert_eq!(scene.store.set_aside().expect("the store"), kept[1..]);
    for number in [number, Sequence::new(999)] {
        let again = vec![Effect::Log(LogEffect::SetAsideDropped { number })];
        assert_eq!(scene.refused(again), Refusal::UnknownSetAside { number });
    }
}
