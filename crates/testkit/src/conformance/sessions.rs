//! Sessions and the cursors of their logs.

use pacenote_model::{Effect, HostId, HostName, Refusal, SessionId, SessionStatus};
use uuid::Uuid;

use super::Case;
use crate::scene::{Scene, agent};

pub(super) const CASES: &[Case] = &[
    ("a session is one session, however often it is seen", sights),
    ("sessions have numbers, names and a status", names),
    ("a log is ingested once", cursors),
];

fn host() -> HostName {
    HostName::parse("claude").expect("a host")
}

pub(super) fn seen(id: &str, new_epoch: bool, scene: &Scene) -> Effect {
    Effect::SessionSeen {
        id: SessionId::new(Uuid::now_v7()),
        host: host(),
        host_id: HostId::parse(id).expect("an id"),
        parent: None,
        agent: None,
        transcript: new_epoch.then(|| format!("/tmp/{id}.jsonl")),
        seen: scene.now,
        new_epoch,
    }
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
    let moved = Effect::SessionMoved { session: one.id, to: SessionStatus::Completed };
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
        scene.commit(vec![Effect::SessionMoved { session, to: status }]).expect("a commit");
        assert_eq!(scene.store.sessions(scene.project).expect("sessions")[0].status, status);
    }
    let named = Effect::SessionNamed { session: sessions[1].id, agent: agent("claude-1") };
    scene.commit(vec![named]).expect("a commit");
    let now = scene.store.sessions(scene.project).expect("sessions");
    assert_eq!(now[1].agent, Some(agent("claude-1")));
    assert!(scene.store.agents(scene.project).expect("agents").contains(&agent("claude-1")));
    let nobody = SessionId::new(Uuid::now_v7());
    let moved = Effect::SessionMoved { session: nobody, to: SessionStatus::Paused };
    assert_eq!(scene.refused(vec![moved]), Refusal::UnknownSession);
}

fn cursors(mut scene: Scene) {
    let part = |from, to| vec![Effect::LogIngested { log: "l-1".into(), from, to }];
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
