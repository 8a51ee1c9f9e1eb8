//! The index of skills, and what the person approved.

use pacenote_model::{Digest, Effect, IndexedSkill, SkillKey, SkillName};
use pacenote_store::SkillChanges;

use super::Case;
use crate::scene::Scene;

pub(super) const CASES: &[Case] = &[
    ("the index of a root is saved, changed and thrown away", index),
    ("approvals and the use of a project are the project's own", approvals),
];

fn skill(root: &str, name: &str, content: u8) -> IndexedSkill {
    IndexedSkill {
        path: format!("{root}/{name}/SKILL.md"),
        root: root.into(),
        key: SkillKey::parse(name).expect("a key"),
        name: SkillName::parse(name).expect("a name"),
        description: Some(format!("What {name} is for")),
        agent_of: None,
        version: Some("1.2.3".into()),
        digest: Digest::new([content; 32]),
        tokens: 42,
        modified: 1_700_000_000_000_000_000,
        findings: 1,
    }
}

fn index(mut scene: Scene) {
    let found = vec![skill("/u", "alpha", 1), skill("/u", "beta", 2)];
    let changes = SkillChanges {
        found: found.clone(),
        own: vec![9],
        stamps: vec![1, 2],
        ..Default::default()
    };
    scene.store.save_skills("/u", &changes).expect("saved");
    let elsewhere = SkillChanges { found: vec![skill("/p", "alpha", 3)], ..Default::default() };
    scene.store.save_skills("/p", &elsewhere).expect("saved");
    assert_eq!(scene.store.skills_in("/u").expect("the index"), found);
    assert_eq!(scene.store.skill_stamps("/u").expect("stamps"), Some(vec![1, 2]));
    assert_eq!(scene.store.skill_root_stamp("/u").expect("a stamp"), Some(vec![9]));
    assert_eq!(scene.store.skill_stamps("/nowhere").expect("stamps"), None);
    let alpha = scene.store.skills_called(&found[0].key).expect("the index");
    assert_eq!(alpha, [skill("/p", "alpha", 3), skill("/u", "alpha", 1)]);

    let next = SkillChanges {
        gone: vec![found[1].path.clone()],
        found: vec![skill("/u", "alpha", 9)],
        stamps: vec![3],
        ..Default::default()
    };
    scene.store.save_skills("/u", &next).expect("saved");
    assert_eq!(scene.store.skills_in("/u").expect("the index"), [skill("/u", "alpha", 9)]);
    let anew = SkillChanges { anew: true, found: vec![skill("/u", "gamma", 4)], ..next };
    scene.store.save_skills("/u", &anew).expect("saved");
    assert_eq!(scene.store.skills_in("/u").expect("the index"), [skill("/u", "gamma", 4)]);
    assert_eq!(scene.store.skills_in("/p").expect("the index").len(), 1, "another root stays");
    let journal = scene.store.journal(pacenote_model::Sequence::START, 100).expect("the journal");
    assert!(journal.iter().all(|entry| entry.kind == "project_seen"), "a cache has no history");
}

fn approvals(mut scene: Scene) {
    let digest = Digest::new([7; 32]);
    let approved = Effect::SkillApproved { reference: "superpowers:brainstorming".into(), digest };
    scene.commit(vec![approved.clone(), approved, Effect::ProjectTaken {}]).expect("a commit");
    let expected = [("superpowers:brainstorming".to_owned(), digest)];
    assert_eq!(scene.store.approvals(scene.project).expect("approvals"), expected);
    assert!(scene.store.is_taken(scene.project).expect("the store"));
    let other = scene.add_project("/src/other/.git", "other");
    assert_eq!(scene.store.text(&digest).expect("the store"), None);
    scene.store.keep_text(&digest, b"text").expect("kept");
    scene.store.keep_text(&digest, b"text").expect("kept already");
    assert_eq!(scene.store.text(&digest).expect("the store").as_deref(), Some(&b"text"[..]));
    assert!(scene.store.approvals(other).expect("approvals").is_empty());
    assert!(!scene.store.is_taken(other).expect("the store"));
}
