//! What was told to agents.

use pacenote_model::{
    Digest, Effect, HostId, HostName, Moment, Receipt, ReceiptEffect, ReceiptItem, Refusal, Trust,
    receipt::Extent,
};

use super::{Case, sessions};
use crate::scene::Scene;

pub(super) const CASES: &[Case] = &[
    ("a receipt is kept once for each epoch, with what was printed", receipts),
    ("the texts of receipts are kept for a while", texts),
];

fn receipt(emission: &str, epoch: u32) -> Receipt {
    let item = |id: &str, part: Option<u8>| ReceiptItem {
        id: id.into(),
        kind: "mail".into(),
        trust: Trust::Agent,
        reason: "it is new".into(),
        tokens: 12,
        fate: if part.is_some() { "whole" } else { "dropped" }.into(),
        why: part.is_none().then(|| "no room".into()),
        digest: Digest::new([1; 32]),
        part,
    };
    Receipt {
        emission: emission.into(),
        epoch,
        event: "startup".into(),
        extent: Extent::Full,
        tokens: 24,
        hidden: 1,
        redacted: 2,
        parts: vec![Digest::new([7; 32]), Digest::new([8; 32])],
        items: vec![item("mail:#1", Some(1)), item("mail:#2", None)],
    }
}

fn offered(receipt: Receipt, scene: &Scene) -> Effect {
    let host = HostName::parse("claude").expect("a host");
    let host_id = HostId::parse("s-1").expect("an id");
    Effect::Receipt(ReceiptEffect::Offered { host, host_id, offered: scene.now, receipt })
}

fn printed(emission: &str, part: u8) -> Effect {
    let host = HostName::parse("claude").expect("a host");
    let host_id = HostId::parse("s-1").expect("an id");
    Effect::Receipt(ReceiptEffect::Printed { host, host_id, emission: emission.into(), part })
}

fn receipts(mut scene: Scene) {
    let first = offered(receipt("e1", 1), &scene);
    assert_eq!(scene.refused(vec![first.clone()]), Refusal::UnknownSession);
    let seen = sessions::seen("s-1", true, &scene);
    let again = offered(receipt("e1", 2), &scene);
    let list = vec![seen, first.clone(), printed("e1", 1), again, printed("e1", 2), first];
    scene.commit(list).expect("a commit");
    scene.commit(vec![printed("never", 1)]).expect("passed over");
    let session = scene.store.sessions(scene.project).expect("sessions")[0].id;
    let kept = scene.store.receipts(session).expect("receipts");
    assert_eq!(kept.len(), 2, "once for each epoch");
    assert_eq!((&kept[0].receipt, kept[0].printed.as_slice()), (&receipt("e1", 1), &[1][..]));
    assert_eq!((kept[1].receipt.epoch, kept[1].printed.as_slice()), (2, &[2][..]));
    let with = scene.store.receipts_with(scene.project, "mail:#2", 1).expect("receipts");
    assert_eq!(with, [kept[1].clone()], "the newest first, at most so many");
    assert!(scene.store.receipts_with(scene.project, "mail:#3", 1).expect("receipts").is_empty());
    let other = scene.add_project("/src/other/.git", "other");
    assert!(scene.store.receipts_with(other, "mail:#2", 1).expect("receipts").is_empty());
}

fn texts(mut scene: Scene) {
    let (one, two) = (Digest::new([1; 32]), Digest::new([2; 32]));
    let at = Moment::from_millis;
    scene.store.keep_told(&[(one, "one".into()), (two, "two".into())], at(100)).expect("kept");
    scene.store.keep_told(&[(one, "one".into())], at(300)).expect("kept again");
    assert_eq!(scene.store.told(&one).expect("a text").as_deref(), Some("one"));
    assert_eq!(scene.store.forget_told(at(200)).expect("forgotten"), 1);
    assert_eq!(scene.store.told(&two).expect("no text"), None);
    assert_eq!(scene.store.told(&one).expect("a text").as_deref(), Some("one"), "told later");
}
