//! Runs of workflows, what happened to them, and decisions.

use pacenote_model::{
    Decision, Digest, Effect, KeptRun, Number, ProjectId, Refusal, RunCard, RunEffect, RunEntry,
    RunStatus,
};
use pacenote_store::StoreError;

use super::Case;
use crate::scene::{Scene, agent};

pub(super) const CASES: &[Case] = &[
    ("runs are numbered in order, and no number is given twice", numbers),
    ("a run is moved from where it stands, and from nowhere else", moves),
    ("a run that is over is no longer under way, and still found", endings),
    ("what happened to a run is kept in order, with its results", entries),
    ("decisions are kept in order", decisions),
    ("a move that is repeated is answered and adds nothing", repeats),
    ("projects do not see each other's runs", projects),
];

fn run(scene: &Scene, number: u32, revision: u32) -> KeptRun {
    KeptRun {
        number: Number::new(number),
        workflow: "change".into(),
        definition: Digest::new([7; 32]),
        file: None,
        task: None,
        session: None,
        agent: agent("backend"),
        status: RunStatus::Working,
        revision,
        began: scene.now,
        moved: scene.now,
        state: format!(r#"{{"revision":{revision}}}"#),
        card: RunCard::default(),
    }
}

fn card(title: &str) -> Box<RunCard> {
    Box::new(RunCard { step: 1, total: 3, title: title.into(), ..RunCard::default() })
}

fn begun(scene: &Scene, number: u32) -> Effect {
    let run = Box::new(run(scene, number, 1));
    Effect::Run(RunEffect::Begun { run, entries: Vec::new(), card: card("begun") })
}

fn moved(run: KeptRun, from: u32, entries: &[&str]) -> Effect {
    let entries = entries.iter().map(|&entry| entry.into()).collect();
    Effect::Run(RunEffect::Moved {
        run: Box::new(run),
        from,
        entries,
        result: None,
        card: card("moved"),
    })
}

fn begin(scene: &mut Scene, number: u32) {
    let effect = begun(scene, number);
    scene.commit(vec![effect]).expect("a run");
}

fn found(scene: &Scene, number: u32) -> Option<KeptRun> {
    scene.store.run(scene.project, Number::new(number)).expect("the store")
}

fn numbers_of(runs: &[KeptRun]) -> Vec<u32> {
    runs.iter().map(|run| run.number.get()).collect()
}

fn under_way(scene: &Scene, project: ProjectId) -> Vec<u32> {
    numbers_of(&scene.store.runs(project).expect("runs"))
}

fn past(scene: &Scene) -> Vec<u32> {
    numbers_of(&scene.store.past_runs(scene.project).expect("runs"))
}

fn said(scene: &Scene, number: u32) -> Vec<RunEntry> {
    scene.store.run_entries(scene.project, Number::new(number)).expect("entries")
}

fn numbers(mut scene: Scene) {
    for number in 1..=3 {
        let next = scene.store.next_run(scene.project).expect("a number");
        assert_eq!(next.get(), number);
        begin(&mut scene, number);
        for taken in [number, number + 2, 0] {
            let effect = begun(&scene, taken);
            assert_eq!(scene.refused(vec![effect]), Refusal::RunNumberTaken, "{taken}");
        }
    }
    assert_eq!(under_way(&scene, scene.project), [1, 2, 3]);
    let first = found(&scene, 1).expect("the first run");
    assert_eq!(first, KeptRun { card: *card("begun"), ..run(&scene, 1, 1) });
}

fn moves(mut scene: Scene) {
    begin(&mut scene, 1);
    let to = |revision| run(&scene, 1, revision);
    let (second, third, other) = (to(2), to(3), run(&scene, 9, 2));
    scene.commit(vec![moved(second, 1, &["first"])]).expect("a move");
    for stale in [0, 1, 3] {
        let refusal = scene.refused(vec![moved(third.clone(), stale, &["lost"])]);
        assert_eq!(refusal, Refusal::RunMoved { number: Number::new(1), revision: 2 }, "{stale}");
    }
    assert_eq!(
        scene.refused(vec![moved(other, 1, &["lost"])]),
        Refusal::UnknownRun { number: Number::new(9) }
    );
    let stands = found(&scene, 1).expect("the run");
    assert_eq!((stands.revision, stands.state.as_str()), (2, r#"{"revision":2}"#));
    assert_eq!(stands.card, *card("moved"));
    assert_eq!(said(&scene, 1).len(), 1, "what was refused is not told");
    assert_eq!(found(&scene, 9), None);
}

fn endings(mut scene: Scene) {
    for number in 1..=3 {
        begin(&mut scene, number);
    }
    for (number, status) in [(3, RunStatus::Aborted), (1, RunStatus::Completed)] {
        let over = KeptRun { status, ..run(&scene, number, 2) };
        scene.commit(vec![moved(over, 1, &["the end"])]).expect("an end");
    }
    assert_eq!(under_way(&scene, scene.project), [2]);
    assert_eq!(past(&scene), [1, 3]);
    let over = found(&scene, 1).expect("the run that is over");
    assert_eq!((over.status, over.revision), (RunStatus::Completed, 2));
    assert_eq!(said(&scene, 1).len(), 1);

    let again = run(&scene, 1, 3);
    let refusal = scene.refused(vec![moved(again, 2, &["from beyond"])]);
    assert_eq!(refusal, Refusal::UnknownRun { number: Number::new(1) });
    let next = scene.store.next_run(scene.project).expect("a number");
    assert_eq!(next.get(), 4, "the number of a run that is over is not given again");

    let asking = KeptRun { status: RunStatus::Asking, ..run(&scene, 2, 2) };
    scene.commit(vec![moved(asking, 1, &["asked"])]).expect("a question");
    assert_eq!(under_way(&scene, scene.project), [2], "who waits for the person is under way");
}

fn entries(mut scene: Scene) {
    begin(&mut scene, 1);
    let effect = begun(&scene, 2);
    let Effect::Run(RunEffect::Begun { run: second, card, .. }) = effect else {
        panic!("a beginning")
    };
    let entries = vec!["passed by".to_owned(), "begun".to_owned()];
    scene
        .commit(vec![Effect::Run(RunEffect::Begun { run: second, entries, card })])
        .expect("a run");
    // Past ten, numbers that were sorted as words would come out of order.
    for revision in 2..=12 {
        let (first, other) = (format!("first of {revision}"), format!("then {revision}"));
        let mut effect = moved(run(&scene, 1, revision), revision - 1, &[&first, &other]);
        if let Effect::Run(RunEffect::Moved { result, .. }) = &mut effect {
            *result = (revision == 5).then(|| Digest::new([5; 32]));
        }
        scene.now = scene.now.plus_minutes(1);
        scene.commit(vec![effect]).expect("a move");
    }
    let told = said(&scene, 1);
    let words: Vec<&str> = told.iter().map(|entry| entry.what.as_str()).collect();
    let expected: Vec<String> = (2..=12)
        .flat_map(|revision| [format!("first of {revision}"), format!("then {revision}")])
        .collect();
    assert_eq!(words, expected);
    assert!(told.is_sorted_by_key(|entry| entry.at));
    assert!(told.iter().all(|entry| entry.by == agent("backend")));
    let results: Vec<(u32, &str)> = told
        .iter()
        .filter(|entry| entry.result == Some(Digest::new([5; 32])))
        .map(|entry| (entry.revision, entry.what.as_str()))
        .collect();
    assert_eq!(results, [(5, "first of 5")], "a result is handed in once");
    let of_second: Vec<String> = said(&scene, 2).into_iter().map(|entry| entry.what).collect();
    assert_eq!(of_second, ["passed by", "begun"]);
    assert!(said(&scene, 3).is_empty());
}

fn decisions(mut scene: Scene) {
    begin(&mut scene, 1);
    let decision = |text: &str, is_risk| Decision {
        at: scene.now,
        by: agent("backend"),
        text: text.into(),
        is_risk,
        run: is_risk.then(|| Number::new(1)),
    };
    let taken: Vec<Decision> =
        (1..=11).map(|number| decision(&format!("decision {number}"), number % 2 == 0)).collect();
    for decision in &taken {
        let effect = Effect::Run(RunEffect::DecisionTaken { decision: decision.clone() });
        scene.commit(vec![effect]).expect("a decision");
    }
    assert_eq!(scene.store.decisions(scene.project).expect("decisions"), taken);
}

fn repeats(mut scene: Scene) {
    begin(&mut scene, 1);
    let step = |scene: &Scene| {
        let decision = Decision {
            at: scene.now,
            by: agent("backend"),
            text: "went on".into(),
            is_risk: true,
            run: Some(Number::new(1)),
        };
        vec![
            moved(run(scene, 1, 2), 1, &["on"]),
            Effect::Run(RunEffect::DecisionTaken { decision }),
        ]
    };
    let list = step(&scene);
    let first = scene.commit_meaning("run:1:1", "next ok", list).expect("a move");
    scene.now = scene.now.plus_minutes(1);
    let list = step(&scene);
    let again = scene.commit_meaning("run:1:1", "next ok", list).expect("an answer");
    assert_eq!((first.replayed, again.replayed), (false, true));
    assert_eq!(again.applied, first.applied);
    let list = step(&scene);
    let other = scene.commit_meaning("run:1:1", "next fail", list);
    assert!(matches!(other, Err(StoreError::KeyReused { .. })), "{other:?}");
    assert_eq!(found(&scene, 1).expect("the run").revision, 2);
    assert_eq!(said(&scene, 1).len(), 1);
    assert_eq!(scene.store.decisions(scene.project).expect("decisions").len(), 1);
}

fn projects(mut scene: Scene) {
    begin(&mut scene, 1);
    let decision = Decision {
        at: scene.now,
        by: agent("backend"),
        text: "here".into(),
        is_risk: false,
        run: None,
    };
    let on = moved(run(&scene, 1, 2), 1, &["here"]);
    scene.commit(vec![on, Effect::Run(RunEffect::DecisionTaken { decision })]).expect("a move");

    let shop = scene.project;
    scene.project = scene.add_project("/src/other/.git", "other");
    assert_eq!(scene.store.next_run(scene.project).expect("a number").get(), 1);
    assert_eq!(found(&scene, 1), None);
    assert!(said(&scene, 1).is_empty() && past(&scene).is_empty());
    assert!(scene.store.decisions(scene.project).expect("decisions").is_empty());
    let foreign = moved(run(&scene, 1, 3), 2, &["there"]);
    assert_eq!(
        scene.refused(vec![foreign]),
        Refusal::UnknownRun { number: Number::new(1) },
        "a run of another project is not moved"
    );
    begin(&mut scene, 1);
    let over = KeptRun { status: RunStatus::Completed, ..run(&scene, 1, 2) };
    scene.commit(vec![moved(over, 1, &["there"])]).expect("an end");
    assert_eq!(under_way(&scene, shop), [1], "both have a number one");
    assert_eq!(under_way(&scene, scene.project), Vec::<u32>::new());
    assert_eq!(said(&scene, 1)[0].what, "there");
}
