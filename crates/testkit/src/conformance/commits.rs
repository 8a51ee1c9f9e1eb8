//! Commits: all or nothing, once, in order.

use pacenote_model::{AgentEffect, Aggregate, Effect, Sequence, TaskEffect, TaskId};
use pacenote_store::{Entry, Lately, StoreError};
use uuid::Uuid;

use super::Case;
use crate::scene::{Scene, intent_of, new_task};

pub(super) const CASES: &[Case] = &[
    ("a retry with the same key adds nothing and answers the same", retry),
    ("a key is not taken for something else", reused_key),
    ("a decision about all tasks is refused when one of them changed", stale),
    ("a refused effect takes the whole commit with it", all_or_nothing),
    ("a refused key may be used again", refused_key),
    ("the journal keeps every effect in order", journal),
    ("what is shared and what is local are commits of their own", marks),
    ("the last entries of some kinds are told, newest first", lately),
    ("a place is one project, whoever comes first", one_project),
    ("a sound store has no problems", sound),
];

fn retry(mut scene: Scene) {
    let first = new_task("Once");
    let again = new_task("Once");
    let one = scene
        .commit_as("k1", vec![Effect::Task(TaskEffect::Added { task: first })])
        .expect("a commit");
    let two = scene
        .commit_as("k1", vec![Effect::Task(TaskEffect::Added { task: again })])
        .expect("a retry");
    assert!(!one.replayed && two.replayed);
    assert_eq!((one.applied, one.last), (two.applied, two.last));
    assert_eq!(scene.titles(), ["Once"]);
}

fn reused_key(mut scene: Scene) {
    let add = |title: &str| vec![Effect::Task(TaskEffect::Added { task: new_task(title) })];
    scene.commit_meaning("k1", "add One", add("One")).expect("a commit");
    let reused = scene.commit_meaning("k1", "add Two", add("Two"));
    assert!(matches!(reused, Err(StoreError::KeyReused { .. })), "{reused:?}");
    assert_eq!(scene.titles(), ["One"]);
    let key = pacenote_model::CommitKey::parse("k1").expect("a key");
    let earlier = scene.store.earlier(scene.project, &key).expect("the store").expect("a commit");
    assert_eq!(earlier.intent, intent_of("add One"));
    // Another project's keys are its own.
    scene.project = scene.add_project("/src/other/.git", "other");
    assert_eq!(scene.store.earlier(scene.project, &key).expect("the store"), None);
    let own = scene.commit_meaning("k1", "add Two", add("Two")).expect("a commit");
    assert!(!own.replayed);
}

fn stale(mut scene: Scene) {
    let task = scene.add("One");
    let read = scene.store.last_entry().expect("the journal");
    let delete = vec![Effect::Task(TaskEffect::Deleted { task })];
    scene
        .commit(vec![Effect::Task(TaskEffect::Claimed {
            task,
            agent: crate::scene::agent("backend"),
        })])
        .expect("a claim in between");
    let effects = |scene: &Scene, since| pacenote_model::Effects {
        project: scene.project,
        by: scene.actor.clone(),
        at: scene.now,
        intent: intent_of(""),
        tasks_as_of: Some(since),
        list: delete.clone(),
    };
    let key = |name: &str| pacenote_model::CommitKey::parse(name).expect("a key");
    let late = scene.store.commit(&effects(&scene, read), &key("late"));
    assert!(
        matches!(late, Err(StoreError::Refused(pacenote_model::Refusal::TasksChanged))),
        "{late:?}"
    );
    let read = scene.store.last_entry().expect("the journal");
    let next = effects(&scene, read);
    scene.store.commit(&next, &key("next")).expect("nothing came in between");
    assert!(scene.titles().is_empty());
}

fn all_or_nothing(mut scene: Scene) {
    let nowhere = TaskId::new(Uuid::now_v7());
    let before = scene.store.journal(Sequence::START, 1000).expect("the journal").len();
    scene.refused(vec![
        Effect::Task(TaskEffect::Added { task: new_task("Half") }),
        Effect::Task(TaskEffect::Deleted { task: nowhere }),
    ]);
    assert!(scene.titles().is_empty());
    assert_eq!(scene.store.journal(Sequence::START, 1000).expect("the journal").len(), before);
    // The number that the refused task would have had was not used up.
    let task = scene.add("Whole");
    assert_eq!(scene.task(task).number.get(), 1);
}

fn refused_key(mut scene: Scene) {
    let nowhere = TaskId::new(Uuid::now_v7());
    assert!(
        scene.commit_as("k1", vec![Effect::Task(TaskEffect::Deleted { task: nowhere })]).is_err()
    );
    let committed =
        scene.commit_as("k1", vec![Effect::Task(TaskEffect::Added { task: new_task("Now") })]);
    assert!(!committed.expect("a commit").replayed);
}

fn journal(mut scene: Scene) {
    let one = scene.add("One");
    // The clock is set back; order stays.
    scene.now = pacenote_model::Moment::from_millis(5);
    scene.commit(vec![Effect::Task(TaskEffect::Deleted { task: one })]).expect("a commit");
    let all = scene.store.journal(Sequence::START, 1000).expect("the journal");
    let words = |entry: &Entry| format!("{} {}", entry.aggregate, entry.kind);
    let kinds: Vec<String> = all.iter().map(words).collect();
    assert_eq!(kinds, ["project seen", "task added", "task deleted"]);
    assert!(all.windows(2).all(|pair| pair[0].sequence < pair[1].sequence));
    assert!(all.iter().all(|entry| entry.project == scene.project));
    let rest = scene.store.journal(all[0].sequence, 1).expect("the journal");
    assert_eq!(rest, all[1..2]);
    assert!(all[1].body.contains("\"title\":\"One\""), "{}", all[1].body);
}

fn marks(mut scene: Scene) {
    let add = |title: &str| Effect::Task(TaskEffect::Added { task: new_task(title) });
    let role = AgentEffect::RoleGiven { agent: scene.actor.name.clone(), role: None };
    let before = scene.store.last_entry().expect("the journal");
    scene.commit(vec![add("One"), Effect::Agent(role), add("Two")]).expect("a commit");
    scene.commit(vec![add("Three")]).expect("a commit");
    let all = scene.store.journal(before, 1000).expect("the journal");
    let [one, role, two, three] = all.as_slice() else { panic!("{all:?}") };
    assert!(all.iter().all(|entry| entry.origin == one.origin && !entry.origin.is_empty()));
    assert!(all.iter().all(|entry| entry.commit.len() == 16));
    assert_eq!([one.place, two.place, role.place, three.place], [0, 1, 0, 0]);
    assert_eq!(one.commit, two.commit);
    assert!(role.commit != one.commit && three.commit != one.commit);
    for entry in &all {
        let effect = entry.effect().expect("what was just written can be read");
        assert_eq!(effect.aggregate().word(), entry.aggregate);
        assert_eq!(effect.kind(), entry.kind);
    }
}

fn lately(mut scene: Scene) {
    let tasks = ["One", "Two", "Three"].map(|title| scene.add(title));
    for task in tasks {
        scene.commit(vec![Effect::Task(TaskEffect::Deleted { task })]).expect("a commit");
    }
    let mut wanted = Lately {
        project: scene.project,
        kinds: &[(Aggregate::Task, "deleted")],
        since: None,
        among: 100,
        limit: 2,
    };
    let told = |scene: &Scene, wanted: &Lately<'_>| -> Vec<String> {
        let entries = scene.store.lately(wanted).expect("the journal");
        let line =
            |entry: &Entry| format!("{} {} {}", entry.sequence.get(), entry.aggregate, entry.kind);
        entries.iter().map(line).collect()
    };
    assert_eq!(told(&scene, &wanted), ["7 task deleted", "6 task deleted"]);
    // A kind is a whole word, and several may be asked for.
    wanted.kinds =
        &[(Aggregate::Mail, "deleted"), (Aggregate::Task, "added"), (Aggregate::Project, "seen")];
    wanted.limit = 9;
    assert_eq!(
        told(&scene, &wanted),
        ["4 task added", "3 task added", "2 task added", "1 project seen"]
    );
    wanted.among = 5;
    assert_eq!(told(&scene, &wanted), ["4 task added", "3 task added"]);
    let own = std::mem::replace(&mut wanted.project, scene.add_project("/src/other/.git", "other"));
    wanted.kinds = &[(Aggregate::Task, "added")];
    assert!(told(&scene, &wanted).is_empty());
    // What happened elsewhere does not count, and what is too old ends the search.
    wanted.project = own;
    assert_eq!(told(&scene, &wanted), ["4 task added", "3 task added"]);
    let all = scene.store.journal(Sequence::START, 1000).expect("the journal");
    wanted.since = Some(all[3].at);
    assert!(told(&scene, &wanted).is_empty());
}

fn one_project(mut scene: Scene) {
    let again = scene.add_project("/src/shop/.git", "shop");
    assert_eq!(again, scene.project);
    let other = scene.add_project("/src/other/.git", "shop");
    assert_ne!(other, scene.project);
    assert_eq!(scene.store.projects().expect("projects").len(), 2);
    let found = scene.store.project_at("/src/other/.git").expect("the store");
    assert_eq!(found.map(|project| project.id), Some(other));
    assert_eq!(scene.store.project_at("/src/nowhere").expect("the store"), None);
}

fn sound(mut scene: Scene) {
    scene.add("One");
    assert_eq!(scene.store.check().expect("a check"), Vec::<String>::new());
    assert!(scene.store.describe().expect("a description").schema > 0);
}
