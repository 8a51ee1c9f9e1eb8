//! What lifecycle rules and the person leave behind.

use pacenote_model::{
    AgentEffect, AgentName, Artifact, Digest, Effect, Handoff, HandoffEffect, HostId, HostName,
    Moment, Opening, Refusal, RuleEffect, SessionEffect, SessionStatus, Title, TrustedFile, Value,
    Want, Wish, WishEffect,
};
use uuid::Uuid;

use super::{Case, sessions};
use crate::scene::Scene;

pub(super) const CASES: &[Case] = &[
    ("a file is trusted by its content until that is taken back", trusted),
    ("an opening that holds once is gone when it was used", openings),
    ("variables and files belong to their session", of_sessions),
    ("an agent has one role in a project, or none", roles),
    ("a wish stays until it is settled", wishes),
    ("a handoff is taken once, by whoever is first", handoffs),
    ("a status that a host tells is kept until the session is seen again", marked),
];

fn host() -> HostName {
    HostName::parse("claude").expect("a host")
}

fn id(name: &str) -> HostId {
    HostId::parse(name).expect("an id")
}

fn trusted(mut scene: Scene) {
    let file = |byte| TrustedFile {
        path: ".pacenote/lifecycle.yaml".into(),
        digest: Digest::new([byte; 32]),
        user: 1000,
    };
    for byte in [1, 2] {
        scene
            .commit(vec![Effect::Rule(RuleEffect::FileTrusted { file: file(byte) })])
            .expect("a commit");
    }
    assert_eq!(scene.store.trusted_files(scene.project).expect("files"), [file(2)]);
    let other = scene.add_project("/src/other/.git", "other");
    assert!(scene.store.trusted_files(other).expect("files").is_empty());
    scene
        .commit(vec![Effect::Rule(RuleEffect::FileDistrusted { path: file(2).path })])
        .expect("a commit");
    assert!(scene.store.trusted_files(scene.project).expect("files").is_empty());
}

fn openings(mut scene: Scene) {
    let opening = |once| Opening {
        id: Uuid::now_v7(),
        rule: "task-before-edit".into(),
        session: None,
        once,
        at: Moment::from_millis(7),
    };
    let (once, always) = (opening(true), opening(false));
    for opening in [&once, &always] {
        scene
            .commit(vec![Effect::Rule(RuleEffect::GateOpened { opening: opening.clone() })])
            .expect("a commit");
    }
    for used in [once.id, always.id, Uuid::now_v7(), once.id] {
        scene.commit(vec![Effect::Rule(RuleEffect::GateUsed { opening: used })]).expect("a commit");
    }
    assert_eq!(scene.store.openings(scene.project).expect("openings"), [always]);
    scene
        .commit(vec![Effect::Rule(RuleEffect::GateClosed { rule: "task-before-edit".into() })])
        .expect("a commit");
    assert!(scene.store.openings(scene.project).expect("openings").is_empty());
}

fn of_sessions(mut scene: Scene) {
    let session = sessions::see(&mut scene, "s-1");
    let set = |variable: &str, value| {
        Effect::Session(SessionEffect::VariableSet {
            host: host(),
            host_id: id("s-1"),
            variable: variable.into(),
            value,
        })
    };
    scene
        .commit(vec![set("edits", Value::Number(1)), set("mood", Value::Text("x".into()))])
        .expect("ok");
    scene.commit(vec![set("edits", Value::Number(2))]).expect("a commit");
    let known = scene.store.variables(scene.project, session).expect("variables");
    let known: Vec<_> = known.into_iter().collect();
    assert_eq!(
        known,
        [("edits".into(), Value::Number(2)), ("mood".into(), Value::Text("x".into()))]
    );
    let artifact = Artifact {
        name: "plan".into(),
        path: "docs/plan.md".into(),
        digest: Digest::new([3; 32]),
        step: "stop".into(),
    };
    let captured = |host_id| {
        Effect::Session(SessionEffect::ArtifactCaptured {
            host: host(),
            host_id,
            artifact: artifact.clone(),
        })
    };
    // A session that nobody has heard of has nothing.
    scene.commit(vec![captured(id("s-1")), captured(id("s-9"))]).expect("a commit");
    assert_eq!(
        scene.store.artifacts(scene.project, session).expect("files"),
        std::slice::from_ref(&artifact)
    );
}

fn roles(mut scene: Scene) {
    let june = AgentName::parse("june").expect("a name");
    let role = |raw: &str| Title::parse(raw).expect("a role");
    let give = |scene: &mut Scene, role: Option<Title>| {
        let agent = june.clone();
        scene
            .commit(vec![Effect::Agent(AgentEffect::RoleGiven { agent, role })])
            .expect("a commit");
        scene.store.agent_role(scene.project, &june).expect("the store")
    };
    for raw in ["reviewer", "orchestrator"] {
        assert_eq!(give(&mut scene, Some(role(raw))), Some(role(raw)));
    }
    let other = scene.add_project("/src/other/.git", "other");
    assert_eq!(scene.store.agent_role(other, &june).expect("the store"), None);
    assert_eq!(give(&mut scene, None), None);
    assert_eq!(give(&mut scene, None), None, "forgetting again changes nothing");
}

fn wishes(mut scene: Scene) {
    let wish = Wish {
        id: Uuid::now_v7(),
        host: host(),
        host_id: id("s-1"),
        directory: "/src/shop".into(),
        want: Want::Handoff,
    };
    scene.commit(vec![Effect::Wish(WishEffect::Made { wish: wish.clone() })]).expect("a commit");
    assert_eq!(scene.store.wishes(scene.project).expect("wishes"), std::slice::from_ref(&wish));
    for _ in 0..2 {
        scene.commit(vec![Effect::Wish(WishEffect::Settled { wish: wish.id })]).expect("a commit");
        assert!(scene.store.wishes(scene.project).expect("wishes").is_empty());
    }
}

fn handoffs(mut scene: Scene) {
    let session = sessions::see(&mut scene, "s-1");
    let leave = |text: &str| {
        Effect::Handoff(HandoffEffect::Written {
            host: host(),
            host_id: id("s-1"),
            handoff: Box::new(Handoff { current_state: text.into(), ..Handoff::default() }),
            completes: text == "completed",
        })
    };
    let take = |by: &str| Effect::Handoff(HandoffEffect::Taken { session, by: id(by) });
    let refusal = scene.refused(vec![take("s-2")]);
    assert_eq!(refusal, Refusal::UnknownHandoff);
    scene.commit(vec![leave("half done")]).expect("a commit");
    scene.commit(vec![leave("nearly done")]).expect("a commit");
    let waiting = scene.store.handoffs(scene.project).expect("handoffs");
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].handoff.current_state, "nearly done");
    scene.commit(vec![take("s-2")]).expect("the first one gets it");
    scene.commit(vec![take("s-2")]).expect("and may ask again");
    assert_eq!(scene.refused(vec![take("s-3")]), Refusal::HandoffTaken { by: id("s-2") });
    assert!(scene.store.handoffs(scene.project).expect("handoffs").is_empty());
    let kept = scene.store.handoff(scene.project, session).expect("the store").expect("kept");
    assert_eq!(
        (kept.taken_by, kept.handoff.current_state.as_str()),
        (Some(id("s-2")), "nearly done")
    );
    let give_back = |by: &str| Effect::Handoff(HandoffEffect::Returned { session, by: id(by) });
    scene.commit(vec![give_back("s-3")]).expect("a commit");
    assert!(
        scene.store.handoffs(scene.project).expect("handoffs").is_empty(),
        "not theirs to give"
    );
    scene.commit(vec![give_back("s-2")]).expect("a commit");
    assert_eq!(scene.store.handoffs(scene.project).expect("handoffs"), waiting);
    scene.commit(vec![take("s-3")]).expect("the next one gets it");
    scene.commit(vec![give_back("s-2")]).expect("a commit");
    assert!(scene.store.handoffs(scene.project).expect("handoffs").is_empty(), "given back once");
    scene.commit(vec![leave("completed")]).expect("a commit");
    assert!(scene.store.handoffs(scene.project).expect("handoffs").is_empty(), "still taken");
    scene.commit(vec![leave("going on")]).expect("a commit");
    assert_eq!(scene.store.handoffs(scene.project).expect("handoffs").len(), 1);
}

fn marked(mut scene: Scene) {
    sessions::see(&mut scene, "s-1");
    let status = |scene: &Scene| {
        let session = scene.store.session(&host(), &id("s-1")).expect("the store");
        session.expect("a session").status
    };
    let mark = |name: &str| {
        Effect::Session(SessionEffect::Marked {
            host: host(),
            host_id: id(name),
            to: SessionStatus::Completed,
        })
    };
    scene.commit(vec![mark("s-1"), mark("s-9")]).expect("a commit");
    assert_eq!(status(&scene), SessionStatus::Completed);
    sessions::see(&mut scene, "s-1");
    assert_eq!(status(&scene), SessionStatus::Active);
}
