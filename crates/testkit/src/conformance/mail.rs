//! Mail and reservations.

use pacenote_model::{
    AgentName, Body, Branch, Effect, Importance, MailEffect, MessageId, NewMessage, PathPattern,
    Recipient, Refusal, Reservation, ReservationEffect, ReservationId, Title, Trust,
    mail::DeliveryStep,
};
use pacenote_store::{InboxQuery, MessageRef};
use uuid::Uuid;

use super::Case;
use crate::scene::{Scene, agent};

pub(super) const CASES: &[Case] = &[
    ("a message reaches its recipients, without its body", inbox),
    ("delivered, read and acked are kept apart", deliveries),
    ("an answer joins the thread", threads),
    ("mail for a branch stays on the branch", branches),
    ("the sender is whoever commits", senders),
    ("an exclusive reservation keeps others out until it lapses", reservations),
    ("a reservation is renewed, released, shared", renewals),
];

fn message(scene: &Scene, to: &[&str], subject: &str) -> NewMessage {
    NewMessage {
        id: MessageId::new(Uuid::now_v7()),
        reply_to: None,
        subject: Title::parse(subject).expect("a subject"),
        body: Body::mail("The body.\nTwo lines.").expect("a body"),
        importance: Importance::High,
        ack_required: true,
        recipients: to
            .iter()
            .map(|name| Recipient { project: scene.project, branch: None, agent: agent(name) })
            .collect(),
    }
}

fn send(scene: &mut Scene, message: NewMessage) -> MessageId {
    let id = message.id;
    scene.commit(vec![Effect::Mail(MailEffect::Sent { message })]).expect("a commit");
    id
}

fn subjects(scene: &Scene, name: &str, branch: Option<&str>) -> Vec<String> {
    let branch = branch.map(|raw| Branch::parse(raw).expect("a branch"));
    let query = InboxQuery {
        project: scene.project,
        agents: &[agent(name)],
        branch: branch.as_ref(),
        unread_only: false,
        limit: 10,
    };
    let messages = scene.store.inbox(&query).expect("an inbox");
    assert!(messages.iter().all(|message| message.body.is_none()));
    messages.iter().map(|message| message.subject.to_string()).collect()
}

fn inbox(mut scene: Scene) {
    for subject in ["One", "Two"] {
        let new = message(&scene, &["frontend", "reviewer", "frontend"], subject);
        send(&mut scene, new);
    }
    let new = message(&scene, &["reviewer"], "Three");
    let id = send(&mut scene, new);
    assert_eq!(subjects(&scene, "frontend", None), ["Two", "One"]);
    assert_eq!(subjects(&scene, "reviewer", None), ["Three", "Two", "One"]);
    assert_eq!(subjects(&scene, "stranger", None), Vec::<String>::new());
    let whole = scene.store.message(scene.project, MessageRef::Id(id)).expect("the store");
    let whole = whole.expect("the message");
    assert_eq!(whole.body.as_ref().map(Body::as_str), Some("The body.\nTwo lines."));
    assert_eq!((whole.number.get(), whole.importance), (3, Importance::High));
    let by_number = scene.store.message(scene.project, MessageRef::Number(whole.number));
    assert_eq!(by_number.expect("the store"), Some(whole));
}

fn step(scene: &mut Scene, message: MessageId, who: &str, step: DeliveryStep) {
    let effect =
        Effect::Mail(MailEffect::Stepped { message, agent: agent(who), branch: None, step });
    scene.commit(vec![effect]).expect("a commit");
}

fn deliveries(mut scene: Scene) {
    let new = message(&scene, &["frontend", "reviewer"], "Look");
    let id = send(&mut scene, new);
    let start = scene.now;
    step(&mut scene, id, "frontend", DeliveryStep::Delivered);
    scene.now = start.plus_minutes(1);
    step(&mut scene, id, "frontend", DeliveryStep::Read);
    scene.now = start.plus_minutes(2);
    step(&mut scene, id, "frontend", DeliveryStep::Acked);
    step(&mut scene, id, "frontend", DeliveryStep::Delivered);
    let whole = scene.store.message(scene.project, MessageRef::Id(id)).expect("the store");
    let recipients = whole.expect("the message").recipients;
    let of = |name: &str| recipients.iter().find(|(to, _)| to.agent == agent(name)).expect("one").1;
    let frontend = of("frontend");
    assert_eq!(frontend.delivered, Some(start));
    assert_eq!(frontend.read, Some(start.plus_minutes(1)));
    assert_eq!(frontend.acked, Some(start.plus_minutes(2)));
    assert_eq!(of("reviewer"), pacenote_model::Delivery::default());
    let by_stranger = Effect::Mail(MailEffect::Stepped {
        message: id,
        agent: agent("stranger"),
        branch: None,
        step: DeliveryStep::Acked,
    });
    assert!(matches!(scene.refused(vec![by_stranger]), Refusal::NotRecipient { .. }));
    let nowhere = Effect::Mail(MailEffect::Stepped {
        message: MessageId::new(Uuid::now_v7()),
        agent: agent("frontend"),
        branch: None,
        step: DeliveryStep::Read,
    });
    assert_eq!(scene.refused(vec![nowhere]), Refusal::UnknownMessage);
}

fn threads(mut scene: Scene) {
    let new = message(&scene, &["frontend"], "Question");
    let question = send(&mut scene, new);
    let mut new = message(&scene, &["backend"], "Answer");
    new.reply_to = Some(question);
    let answer = send(&mut scene, new);
    let whole = scene.store.message(scene.project, MessageRef::Id(answer)).expect("the store");
    let thread = whole.expect("the message").thread;
    assert_eq!(thread.uuid(), question.uuid());
    let thread = scene.store.thread(thread).expect("a thread");
    let subjects: Vec<&str> = thread.iter().map(|message| message.subject.as_str()).collect();
    assert_eq!(subjects, ["Question", "Answer"]);
    let mut lost = message(&scene, &["backend"], "Lost");
    lost.reply_to = Some(MessageId::new(Uuid::now_v7()));
    assert_eq!(
        scene.refused(vec![Effect::Mail(MailEffect::Sent { message: lost })]),
        Refusal::UnknownMessage
    );
}

fn branches(mut scene: Scene) {
    let mut new = message(&scene, &["backend"], "For the branch");
    new.recipients[0].branch = Some(Branch::parse("feature/login").expect("a branch"));
    send(&mut scene, new);
    let new = message(&scene, &["backend"], "For all");
    send(&mut scene, new);
    assert_eq!(subjects(&scene, "backend", Some("main")), ["For all"]);
    assert_eq!(subjects(&scene, "backend", Some("feature/login")), ["For all", "For the branch"]);
    assert_eq!(subjects(&scene, "backend", None), ["For all"]);
    let mut both = message(&scene, &["backend", "backend"], "For two branches");
    for (recipient, branch) in both.recipients.iter_mut().zip(["main", "dev"]) {
        recipient.branch = Some(Branch::parse(branch).expect("a branch"));
    }
    let id = send(&mut scene, both);
    let read = Effect::Mail(MailEffect::Stepped {
        message: id,
        agent: agent("backend"),
        branch: Some(Branch::parse("main").expect("a branch")),
        step: DeliveryStep::Read,
    });
    scene.commit(vec![read]).expect("read on main");
    let whole = scene.store.message(scene.project, MessageRef::Id(id)).expect("the store");
    let reads: Vec<bool> = whole
        .expect("the message")
        .recipients
        .iter()
        .map(|(_, delivery)| delivery.read.is_some())
        .collect();
    assert_eq!(reads, [false, true], "read on main, not on dev");
}

fn senders(mut scene: Scene) {
    scene.actor.name = AgentName::person();
    scene.actor.trust = Trust::User;
    let new = message(&scene, &["backend"], "From the person");
    let id = send(&mut scene, new);
    let whole = scene.store.message(scene.project, MessageRef::Id(id)).expect("the store");
    let whole = whole.expect("the message");
    assert_eq!((whole.sender, whole.trust), (AgentName::person(), Trust::User));
    let agents = scene.store.agents(scene.project).expect("agents");
    assert!(!agents.contains(&AgentName::person()), "the person is nobody's agent");
}

fn reservation(scene: &Scene, who: &str, pattern: &str) -> Reservation {
    Reservation {
        id: ReservationId::new(Uuid::now_v7()),
        project: scene.project,
        agent: agent(who),
        pattern: PathPattern::parse(pattern).expect("a pattern"),
        exclusive: true,
        reason: None,
        since: scene.now,
        until: scene.now.plus_minutes(10),
    }
}

fn reserve(scene: &mut Scene, who: &str, pattern: &str) {
    let reservation = reservation(scene, who, pattern);
    scene
        .commit(vec![Effect::Reservation(ReservationEffect::Made { reservation })])
        .expect("a reservation");
}

fn held(scene: &Scene) -> Vec<(String, String)> {
    let held = scene.store.reservations(scene.project, scene.now).expect("reservations");
    held.iter().map(|held| (held.agent.to_string(), held.pattern.to_string())).collect()
}

fn reservations(mut scene: Scene) {
    reserve(&mut scene, "backend", "src/auth/**");
    let wanted = reservation(&scene, "frontend", "src/**/login.rs");
    let both = vec![
        Effect::Reservation(ReservationEffect::Made {
            reservation: reservation(&scene, "frontend", "docs/**"),
        }),
        Effect::Reservation(ReservationEffect::Made { reservation: wanted.clone() }),
    ];
    assert_eq!(
        scene.refused(both),
        Refusal::Reserved {
            wanted: wanted.pattern.clone(),
            pattern: PathPattern::parse("src/auth/**").expect("a pattern"),
            by: agent("backend"),
            until: scene.now.plus_minutes(10),
        }
    );
    assert_eq!(held(&scene), [("backend".into(), "src/auth/**".into())]);
    reserve(&mut scene, "frontend", "src/cart/**");
    scene.now = scene.now.plus_minutes(10);
    assert!(held(&scene).is_empty(), "lapsed by themselves");
    reserve(&mut scene, "frontend", "src/**/login.rs");
}

fn renewals(mut scene: Scene) {
    reserve(&mut scene, "backend", "src/**");
    scene.now = scene.now.plus_minutes(5);
    reserve(&mut scene, "backend", "src/**");
    let mine = scene.store.reservations(scene.project, scene.now).expect("reservations");
    assert_eq!(mine.len(), 1);
    assert_eq!(mine[0].until, scene.now.plus_minutes(10));
    scene
        .commit(vec![Effect::Reservation(ReservationEffect::Released { reservation: mine[0].id })])
        .expect("released");
    assert!(held(&scene).is_empty());
    assert_eq!(
        scene.refused(vec![Effect::Reservation(ReservationEffect::Released {
            reservation: mine[0].id
        })]),
        Refusal::UnknownReservation
    );
    for who in ["backend", "frontend"] {
        let shared = Reservation { exclusive: false, ..reservation(&scene, who, "src/**") };
        scene
            .commit(vec![Effect::Reservation(ReservationEffect::Made { reservation: shared })])
            .expect("shared");
    }
    assert_eq!(held(&scene).len(), 2);
}
