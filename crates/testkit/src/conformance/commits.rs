//! Commits: all or nothing, once, in order.

use pacenote_model::{Effect, Sequence, TaskId};
use pacenote_store::{Lately, StoreError};
use uuid::Uuid;

use super::Case;
use crate::scene::{Scene, new_task};

pub(super) const CASES: &[Case] = &[
    ("a retry with the same key adds nothing and answers the same", retry),
    ("a key is not taken for something else", reused_key),
    ("a decision about all tasks is refused when one of them changed", stale),
    ("a refused effect takes the whole commit with it", all_or_nothing),
    ("a refused key may be used again", refused_key),
    ("the journal keeps every effect in order", journal),
    ("the last entries of some kinds are told, newest first", lately),
    ("a place is one project, whoever comes first", one_project),
    ("a sound store has no problems", sound),
];

fn retry(mut scene: Scene) {
    let first = new_task("Once");
    let again = new_task("Once");
    let one = scene.commit_as("k1", vec![Effect::TaskAdded { task: first }]).expect("a commit");
    let two = scene.commit_as("k1", vec![Effect::TaskAdded { task: again }]).expect("a retry");
    assert!(!one.replayed && two.replayed);
    assert_eq!((one.applied, one.last), (two.applied, two.last));
    assert_eq!(scene.titles(), ["Once"]);
}

fn reused_key(mut scene: Scene) {
    let add = |title: &str| vec![Effect::TaskAdded { task: new_task(title) }];
    scene.commit_meaning("k1", "add One", add("One")).expect("a commit");
    let reused = scene.commit_meaning("k1", "add Two", add("Two"));
    assert!(matches!(reused, Err(StoreError::KeyReused { .. })), "{reused:?}");
    assert_eq!(scene.titles(), ["One"]);
    let key = pacenote_model::CommitKey::parse("k1").expect("a key");
    let earlier = scene.store.earlier(scene.project, &key).expect("the store").expect("a commit");
    assert_eq!(earlier.intent, "add One");
    // Another project's keys are its own.
    scene.project = scene.add_project("/src/other/.git", "other");
    assert_eq!(scene.store.earlier(scene.project, &key).expect("the store"), None);
    let own = scene.commit_meaning("k1", "add Two", add("Two")).expect("a commit");
    assert!(!own.replayed);
}

fn stale(mut scene: Scene) {
    let task = scene.add("One");
    let read = scene.store.last_entry().expect("the journal");
    let delete = vec![Effect::TaskDeleted { task }];
    scene
        .commit(vec![Effect::TaskClaimed { task, agent: crate::scene::agent("backend") }])
        .expect("a claim in between");
    let effects = |scene: &Scene, since| pacenote_model::Effects {
        project: scene.project,
        by: scene.actor.clone(),
        at: scene.now,
        intent: String::new(),
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
        Effect::TaskAdded { task: new_task("Half") },
        Effect::TaskDeleted { task: nowhere },
    ]);
    assert!(scene.titles().is_empty());
    assert_eq!(scene.store.journal(Sequence::START, 1000).expect("the journal").len(), before);
    // The number that the refused task would have had was not used up.
    let task = scene.add("Whole");
    assert_eq!(scene.task(task).number.get(), 1);
}

fn refused_key(mut scene: Scene) {
    let nowhere = TaskId::new(Uuid::now_v7());
    assert!(scene.commit_as("k1", vec![Effect::TaskDeleted { task: nowhere }]).is_err());
    let committed = scene.commit_as("k1", vec![Effect::TaskAdded { task: new_task("Now") }]);
    assert!(!committed.expect("a commit").replayed);
}

fn journal(mut scene: Scene) {
    let one = scene.add("One");
    // The clock is set back; order stays.
    scene.now = pacenote_model::Moment::from_millis(5);
    scene.commit(vec![Effect::TaskDeleted { task: one }]).expect("a commit");
    let all = scene.store.journal(Sequence::START, 1000).expect("the journal");
    let kinds: Vec<&str> = all.iter().map(|entry| entry.kind.as_str()).collect();
    assert_eq!(kinds, ["project_seen", "task_added", "task_deleted"]);
    assert!(all.windows(2).all(|pair| pair[0].sequence < pair[1].sequence));
    assert!(all.iter().all(|entry| entry.project == scene.project));
    let rest = scene.store.journal(all[0].sequence, 1).expect("the journal");
    assert_eq!(rest, all[1..2]);
    assert!(all[1].body.contains("\"title\":\"One\""), "{}", all[1].body);
}

fn lately(mut scene: Scene) {
    let tasks = ["One", "Two", "Three"].map(|title| scene.add(title));
    for task in tasks {
        scene.commit(vec![Effect::TaskDeleted { task }]).expect("a commit");
    }
    let mut wanted = Lately {
        project: scene.project,
        kinds: &["task_deleted"],
        since: None,
        among: 100,
        limit: 2,
    };
    let told = |scene: &Scene, wanted: &Lately<'_>| -> Vec<String> {
        let entries = scene.store.lately(wanted).expect("the journal");
        entries.iter().map(|entry| format!("{} {}", entry.sequence.get(), entry.kind)).collect()
    };
    assert_eq!(told(&scene, &wanted), ["7 task_deleted", "6 task_deleted"]);
    // A kind is a whole word, and several may be asked for.
    wanted.kinds = &["deleted", "task_added", "project_seen"];
    wanted.limit = 9;
    assert_eq!(
        told(&scene, &wanted),
        ["4 task_added", "3 task_added", "2 task_added", "1 project_seen"]
    );
    wanted.among = 5;
    assert_eq!(told(&scene, &wanted), ["4 task_added", "3 task_added"]);
    let own = std::mem::replace(&mut wanted.project, scene.add_project("/src/other/.git", "other"));
    wanted.kinds = &["task_added"];
    assert!(told(&scene, &wanted).is_empty());
    // What happened elsewhere does not count, and what is too old ends the search.
    wanted.project = own;
    assert_eq!(told(&scene, &wanted), ["4 task_added", "3 task_added"]);
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
