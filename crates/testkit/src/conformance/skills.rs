//! The index of skills, and what the person approved.

use pacenote_model::{
    Applied, Cue, CueKind, Digest, Effect, HostId, HostName, IndexedSkill, ProjectEffect,
    SkillEffect, SkillKey, SkillName, TaskId,
};
use pacenote_store::{FoundSkill, SkillBody, SkillChanges, SkillChoices, SkillList, SkillQuery};

use uuid::Uuid;

use super::Case;
use crate::scene::{Scene, agent};

pub(super) const CASES: &[Case] = &[
    ("the index of a root is saved, changed and thrown away", index),
    ("approvals and the use of a project are the project's own", approvals),
    ("skills are found by their words, and forgotten with their files", search),
    ("what was chosen for a task is remembered by session and by task", choices),
    ("skills that apply to everything are known by their roots", core),
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

/// Hands a skill to the index with the words it is found by.
fn found(skill: IndexedSkill, about: &str) -> FoundSkill {
    let cues = vec![Cue { kind: CueKind::Phrase, text: format!("call {}", skill.name) }];
    FoundSkill {
        skill,
        about: about.into(),
        cues,
        always: about.contains("always"),
        audience: Vec::new(),
    }
}

fn core(mut scene: Scene) {
    let known = |scene: &Scene, roots: &[&str]| -> Vec<String> {
        let roots: Vec<String> = roots.iter().map(|root| (*root).to_owned()).collect();
        let skills = scene.store.core_skills(&roots).expect("the index");
        skills.iter().map(|skill| format!("{} {}", skill.root, skill.key)).collect()
    };
    assert!(!scene.store.has_core_skills().expect("the index"));
    let handed = |content| {
        vec![found(skill("/u", "alpha", content), "always"), found(skill("/u", "beta", 2), "")]
    };
    let changes = SkillChanges { found: handed(1), ..Default::default() };
    scene.store.save_skills("/u", &changes).expect("saved");
    let there = vec![found(skill("/p", "gamma", 3), "always")];
    let elsewhere = SkillChanges { found: there, ..Default::default() };
    scene.store.save_skills("/p", &elsewhere).expect("saved");
    assert_eq!(known(&scene, &["/u", "/p"]), ["/p gamma", "/u alpha"]);
    assert_eq!(known(&scene, &["/u"]), ["/u alpha"]);
    assert!(scene.store.has_core_skills().expect("the index"));
    // It changes its mind, it goes, and a root that is read anew forgets what it had.
    let other = vec![found(skill("/u", "alpha", 5), "")];
    let changed = SkillChanges { found: other, ..Default::default() };
    scene.store.save_skills("/u", &changed).expect("saved");
    assert!(known(&scene, &["/u"]).is_empty());
    scene.store.save_skills("/u", &changes).expect("saved");
    let gone = SkillChanges { gone: vec![skill("/u", "alpha", 1).path], ..Default::default() };
    scene.store.save_skills("/u", &gone).expect("saved");
    assert!(known(&scene, &["/u"]).is_empty());
    let anew = SkillChanges { anew: true, ..Default::default() };
    scene.store.save_skills("/p", &anew).expect("saved");
    assert!(known(&scene, &["/p"]).is_empty());
}

fn index(mut scene: Scene) {
    let handed = vec![found(skill("/u", "alpha", 1), ""), found(skill("/u", "beta", 2), "")];
    let found_skills: Vec<IndexedSkill> = handed.iter().map(|one| one.skill.clone()).collect();
    let changes =
        SkillChanges { found: handed, own: vec![9], stamps: vec![1, 2], ..Default::default() };
    scene.store.save_skills("/u", &changes).expect("saved");
    let elsewhere =
        SkillChanges { found: vec![found(skill("/p", "alpha", 3), "")], ..Default::default() };
    scene.store.save_skills("/p", &elsewhere).expect("saved");
    assert_eq!(scene.store.skills_in("/u").expect("the index"), found_skills);
    assert_eq!(scene.store.skill_stamps("/u").expect("stamps"), Some(vec![1, 2]));
    assert_eq!(scene.store.skill_root_stamp("/u").expect("a stamp"), Some(vec![9]));
    assert_eq!(scene.store.skill_stamps("/nowhere").expect("stamps"), None);
    let alpha = scene.store.skills_called(&found_skills[0].key).expect("the index");
    assert_eq!(alpha, [skill("/p", "alpha", 3), skill("/u", "alpha", 1)]);

    let next = SkillChanges {
        gone: vec![found_skills[1].path.clone()],
        found: vec![found(skill("/u", "alpha", 9), "")],
        stamps: vec![3],
        ..Default::default()
    };
    scene.store.save_skills("/u", &next).expect("saved");
    assert_eq!(scene.store.skills_in("/u").expect("the index"), [skill("/u", "alpha", 9)]);
    let anew = SkillChanges { anew: true, found: vec![found(skill("/u", "gamma", 4), "")], ..next };
    scene.store.save_skills("/u", &anew).expect("saved");
    assert_eq!(scene.store.skills_in("/u").expect("the index"), [skill("/u", "gamma", 4)]);
    assert_eq!(scene.store.skills_in("/p").expect("the index").len(), 1, "another root stays");
    let journal = scene.store.journal(pacenote_model::Sequence::START, 100).expect("the journal");
    assert!(journal.iter().all(|entry| entry.aggregate == "project"), "a cache has no history");
}

fn approvals(mut scene: Scene) {
    let digest = Digest::new([7; 32]);
    let approved = Effect::Skill(SkillEffect::Approved {
        reference: "superpowers:brainstorming".into(),
        digest,
    });
    scene
        .commit(vec![approved.clone(), approved, Effect::Project(ProjectEffect::Enabled {})])
        .expect("a commit");
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

fn search(mut scene: Scene) {
    let abouts = [
        ("plans", "writes implementation plans"),
        ("tests", "writes tests first"),
        ("deploy", "ships"),
    ];
    let handed = abouts.map(|(name, about)| found(skill("/u", name, 1), about)).to_vec();
    let changes = SkillChanges { found: handed, ..Default::default() };
    scene.store.save_skills("/u", &changes).expect("saved");
    let other = SkillChanges {
        found: vec![found(skill("/other", "plans", 1), "writes plans too")],
        ..Default::default()
    };
    scene.store.save_skills("/other", &other).expect("saved");

    let roots = ["/u".to_owned()];
    let words = ["write", "plan", "nowhere"].map(str::to_owned);
    let pairs = [("implementation".to_owned(), "plan".to_owned())];
    let ask = |scene: &Scene, list| {
        let query = SkillQuery { list, roots: &roots, words: &words, pairs: &pairs, limit: 10 };
        scene.store.search_skills(&query).expect("a search")
    };
    let matches = ask(&scene, SkillList::Words);
    assert_eq!((matches.documents, matches.frequencies.as_slice()), (4, &[3, 2, 0][..]));
    let names: Vec<&str> = matches.found.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(names, ["/u/plans/SKILL.md"], "a word that most have finds nobody");
    assert_eq!(matches.found[0].words, [0, 1]);
    assert!(matches.found[0].score > 0.0 && matches.found[0].pairs > 0.0);
    let cues = scene.store.skill_cues(&roots).expect("cues");
    assert_eq!(cues[1].0, "/u/plans/SKILL.md");
    assert_eq!(cues[1].1, Cue { kind: CueKind::Phrase, text: "call plans".into() });

    assert!(ask(&scene, SkillList::Bodies).found.is_empty(), "bodies are added when needed");
    let missing = scene.store.skills_without_body(&roots).expect("a list");
    assert_eq!(missing.len(), 3);
    let body = |path: &str, body: &str| SkillBody {
        path: path.into(),
        name: "a name".into(),
        about: String::new(),
        body: body.into(),
    };
    let bodies = [
        body(&missing[0], "nowhere else"),
        body(&missing[1], "something"),
        body("/u/gone/SKILL.md", "nowhere"),
    ];
    scene.store.save_bodies(&bodies).expect("saved");
    scene.store.save_bodies(&bodies).expect("saved again");
    assert_eq!(scene.store.skills_without_body(&roots).expect("a list"), [missing[2].clone()]);
    let matches = ask(&scene, SkillList::Bodies);
    assert_eq!((matches.documents, matches.found[0].path.as_str()), (2, missing[0].as_str()));
    assert_eq!(matches.found[0].words, [2]);

    let changed = found(skill("/u", "deploy", 2), "ships now");
    let next = SkillChanges {
        found: vec![changed],
        gone: vec!["/u/plans/SKILL.md".into()],
        ..Default::default()
    };
    scene.store.save_skills("/u", &next).expect("saved");
    assert!(ask(&scene, SkillList::Words).found.is_empty(), "what is gone is not found");
    assert_eq!(scene.store.skills_without_body(&roots).expect("a list").len(), 2, "changed: anew");
    let anew = SkillChanges { anew: true, ..Default::default() };
    scene.store.save_skills("/u", &anew).expect("saved");
    assert!(scene.store.skill_cues(&roots).expect("cues").is_empty());
    assert_eq!(ask(&scene, SkillList::Words).documents, 1, "another root stays");
}

fn choices(mut scene: Scene) {
    let task = scene.add("a task");
    let seen = super::sessions::seen("s-1", true, &scene);
    let applied = scene.commit(vec![seen]).expect("a session").applied;
    let Applied::Session { id: session } = applied[0] else { panic!("no session: {applied:?}") };
    let chosen = |reference: &str| {
        Effect::Skill(SkillEffect::Chosen {
            task,
            reference: reference.into(),
            digest: Digest::new([5; 32]),
            rule: "pattern".into(),
            reason: "the title says so".into(),
        })
    };
    scene.commit(vec![chosen("a")]).expect("a commit");
    scene.actor.session = Some(session);
    scene.commit(vec![chosen("b")]).expect("a commit");
    let names = |scene: &Scene, asked| -> Vec<String> {
        let choices = scene.store.skill_choices(asked).expect("choices");
        choices.into_iter().map(|choice| choice.reference).collect()
    };
    assert_eq!(names(&scene, SkillChoices::ForTask(task)), ["a", "b"]);
    assert_eq!(names(&scene, SkillChoices::InSession(session)), ["b"]);
    let choices = scene.store.skill_choices(SkillChoices::InSession(session)).expect("choices");
    assert_eq!((choices[0].session, choices[0].rule.as_str()), (Some(session), "pattern"));
    let injected = |task: TaskId| {
        Effect::Skill(SkillEffect::Injected {
            host: HostName::parse("claude").expect("a host"),
            host_id: HostId::parse("s-1").expect("an id"),
            at: scene.now,
            agent: agent("backend"),
            task,
            reference: "c".into(),
            digest: Digest::new([6; 32]),
            rule: "field".into(),
            reason: "the task names it".into(),
        })
    };
    // A task that is not there costs nothing else in the commit.
    let effects = vec![injected(task), injected(TaskId::new(Uuid::from_u128(9)))];
    scene.actor.session = None;
    scene.commit(effects).expect("a commit");
    assert_eq!(names(&scene, SkillChoices::ForTask(task)), ["a", "b", "c"]);
    assert_eq!(names(&scene, SkillChoices::InSession(session)), ["b", "c"]);
    let choices = scene.store.skill_choices(SkillChoices::InSession(session)).expect("choices");
    assert_eq!((choices[1].agent.as_str(), choices[1].at), ("backend", scene.now));
}
