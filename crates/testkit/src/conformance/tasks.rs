//! Tasks: numbers, trees, claims, states.

use pacenote_model::{
    AgentName, Body, Effect, PlanPlace, Refusal, Sequence, TaskEffect, TaskFields, TaskId, TaskRef,
    TaskSkills, TaskState, TaskVerb, Title, limits, task::PlanFile,
};
use uuid::Uuid;

use super::Case;
use crate::scene::{Scene, agent, new_task};

pub(super) const CASES: &[Case] = &[
    ("a task comes back as it went in", round_trip),
    ("numbers count up per project", numbers),
    ("a short id grows when it is taken", short_ids),
    ("siblings stand in the order they were added, unless told otherwise", ranks),
    ("a task is found by each of its names", names),
    ("a task passes on once, and only while it is held", passing_on),
    ("a claim is given once", claims),
    ("a task that waits cannot be claimed", waiting),
    ("a step of what is over cannot be claimed", finished_parents),
    ("states move as the table says", states),
    ("a verb that finds its work done changes nothing", repeats),
    ("a task closes after its steps", steps),
    ("nothing waits on itself", loops),
    ("deleting takes the steps and leaves the rest", deletes),
    ("notes keep their order and their author", notes),
    ("a plan may change title and place", revisions),
    ("another project's task is out of reach", other_projects),
    ("a change notes what it replaced, and that can be brought back", restored),
    ("nothing is brought back over a later change", changed_since),
    ("caps hold", caps),
];

/// Returns what the last commit replaced of a task.
fn replaced(scene: &Scene, task: TaskId) -> TaskFields {
    let entries = scene.store.journal(Sequence::START, u32::MAX).expect("the journal");
    let last = entries.last().expect("an entry");
    let found = last.replaced.iter().find(|(changed, _)| *changed == task);
    found.expect("the task was changed").1.clone()
}

fn fields(scene: &Scene, task: TaskId) -> TaskFields {
    scene.store.task_fields(task).expect("the store").expect("the task")
}

fn restored(mut scene: Scene) {
    let other = scene.add("Other");
    let task = scene.add_with("Task", |task| task.assignee = Some(agent("backend")));
    let step = scene.add_with("Step", |step| step.parent = Some(task));
    let added = replaced(&scene, step);
    assert!(added.is_hidden && added == TaskFields { is_hidden: true, ..fields(&scene, step) });
    let title = Title::parse("Other words").expect("a title");
    let reason = Some(Body::note("no time").expect("a reason"));
    let changes = [
        TaskEffect::Claimed { task, agent: agent("backend") },
        TaskEffect::Passed { task, from: agent("backend"), to: agent("frontend") },
        TaskEffect::Moved { task, verb: TaskVerb::Block, reason },
        TaskEffect::Waits { task, on: other },
        TaskEffect::Revised { task, title, section: None, rank: 9 },
        TaskEffect::Deleted { task },
    ];
    for change in changes {
        let kind = change.kind();
        let was = fields(&scene, task);
        scene.commit(vec![Effect::Task(change)]).expect(kind);
        assert_eq!(replaced(&scene, task), was, "{kind}");
        let from = fields(&scene, task);
        assert_ne!(from, was, "{kind}");
        let restored = [(task, was.clone())]
            .into_iter()
            .chain((kind == "deleted").then(|| (step, replaced(&scene, step))));
        let restored = restored.map(|(task, to)| {
            let from = Box::new(fields(&scene, task));
            Effect::Task(TaskEffect::Restored { task, from, to: Box::new(to) })
        });
        let restored = restored.collect();
        scene.commit(restored).expect(kind);
        assert_eq!(fields(&scene, task), was, "{kind}");
    }
    assert!(!fields(&scene, step).is_hidden);
    // What finds its work done replaces nothing.
    let note = TaskEffect::Noted { task, text: Body::note("a note").expect("a note") };
    scene.commit(vec![Effect::Task(note)]).expect("a note");
    let entries = scene.store.journal(Sequence::START, u32::MAX).expect("the journal");
    assert!(entries.last().expect("an entry").replaced.is_empty());
}

fn changed_since(mut scene: Scene) {
    let task = scene.add("Task");
    let to = Box::new(fields(&scene, task));
    scene
        .commit(vec![Effect::Task(TaskEffect::Claimed { task, agent: agent("backend") })])
        .expect("a claim");
    let from = Box::new(fields(&scene, task));
    let skipped = TaskEffect::Moved { task, verb: TaskVerb::Skip, reason: None };
    scene.commit(vec![Effect::Task(skipped)]).expect("a change");
    let refusal = scene.refused(vec![Effect::Task(TaskEffect::Restored { task, from, to })]);
    assert_eq!(refusal, Refusal::ChangedSince { task: scene.task(task).short });
    assert_eq!(scene.task(task).state, TaskState::Skipped);
}

fn round_trip(mut scene: Scene) {
    let first = scene.add("First");
    let id = scene.add_with("Second", |task| {
        task.parent = Some(first);
        task.assignee = Some(agent("frontend"));
        task.skill = Some(TaskSkills::parse("superpowers:brainstorming,lint").expect("skills"));
        task.plan = Some(PlanPlace {
            file: PlanFile::parse("docs/plans/shop.md").expect("a path"),
            section: Some(Title::parse("Task 2").expect("a section")),
        });
        task.state = TaskState::Done;
    });
    let waits = scene.add_with("Third", |task| task.after = vec![first]);
    let second = scene.task(id);
    assert_eq!(second.title.as_str(), "Second");
    assert_eq!(second.parent, Some(first));
    assert_eq!(second.assignee, Some(agent("frontend")));
    let skills = second.skill.as_ref().map(ToString::to_string);
    assert_eq!(skills.as_deref(), Some("superpowers:brainstorming,lint"));
    assert_eq!(second.plan.as_ref().map(|plan| plan.file.as_str()), Some("docs/plans/shop.md"));
    assert_eq!(second.state, TaskState::Done);
    assert_eq!((second.created, second.changed), (scene.now, scene.now));
    assert_eq!(scene.task(waits).after, [first]);
    let listed = scene.store.tasks(scene.project).expect("the tasks");
    assert_eq!(listed, [scene.task(first), second, scene.task(waits)]);
    assert_eq!(
        scene.store.agents(scene.project).expect("agents"),
        [agent("backend"), agent("frontend")],
        "who acts and who is assigned"
    );
}

fn numbers(mut scene: Scene) {
    let (one, two) = (scene.add("One"), scene.add("Two"));
    assert_eq!([scene.task(one).number.get(), scene.task(two).number.get()], [1, 2]);
    let home = scene.project;
    scene.project = scene.add_project("/src/other/.git", "other");
    let elsewhere = scene.add("Elsewhere");
    assert_eq!(scene.task(elsewhere).number.get(), 1);
    scene.project = home;
    scene.commit(vec![Effect::Task(TaskEffect::Deleted { task: two })]).expect("a commit");
    let three = scene.add("Three");
    assert_eq!(scene.task(three).number.get(), 3, "a number is never given twice");
}

fn short_ids(mut scene: Scene) {
    let with_tail = |tail: u128| TaskId::new(Uuid::from_u128((7 << 76) | tail));
    let ids = [with_tail(0x0001_2345), with_tail(0x0011_2345), with_tail(0x0111_2345)];
    for id in ids {
        scene.add_with("Alike", |task| task.id = id);
    }
    let shorts: Vec<String> = ids.iter().map(|id| scene.task(*id).short.to_string()).collect();
    assert_eq!(shorts, ["t-54321", "t-543211", "t-5432111"]);
}

fn ranks(mut scene: Scene) {
    let parent = scene.add("Parent");
    let below = |scene: &mut Scene, title: &str, rank| {
        scene.add_with(title, |task| {
            task.parent = Some(parent);
            task.rank = rank;
        })
    };
    let (a, b) = (below(&mut scene, "A", None), below(&mut scene, "B", None));
    let c = below(&mut scene, "C", Some(10));
    let d = below(&mut scene, "D", None);
    let ranks: Vec<u32> = [a, b, c, d].iter().map(|id| scene.task(*id).rank).collect();
    assert_eq!(ranks, [1, 2, 10, 11]);
}

fn names(mut scene: Scene) {
    let id = scene.add("One");
    let task = scene.task(id);
    for name in [task.short.to_string(), "#1".into(), "1".into(), id.to_string()] {
        let found = scene.store.task(scene.project, &TaskRef::parse(&name).expect("a name"));
        assert_eq!(found.expect("the store").map(|task| task.id), Some(id), "{name}");
    }
    let unknown = TaskRef::parse("#99").expect("a name");
    assert_eq!(scene.store.task(scene.project, &unknown).expect("the store"), None);
}

fn claim(scene: &mut Scene, task: TaskId, who: &str) -> Result<(), Refusal> {
    let claim = Effect::Task(TaskEffect::Claimed { task, agent: agent(who) });
    match scene.commit(vec![claim]) {
        Ok(_) => Ok(()),
        Err(pacenote_store::StoreError::Refused(refusal)) => Err(refusal),
        Err(other) => panic!("{other}"),
    }
}

fn passing_on(mut scene: Scene) {
    let task = scene.add("One");
    claim(&mut scene, task, "backend").expect("a claim");
    let pass = |from: &str, to: &str| {
        Effect::Task(TaskEffect::Passed { task, from: agent(from), to: agent(to) })
    };
    scene.commit(vec![pass("backend", "frontend")]).expect("a commit");
    assert_eq!(scene.task(task).assignee, Some(agent("frontend")));
    assert_eq!(scene.task(task).state, TaskState::InProgress);
    // Of two who continue the same work the first has it.
    scene.commit(vec![pass("backend", "reviewer")]).expect("a commit");
    assert_eq!(scene.task(task).assignee, Some(agent("frontend")));
    let closed = Effect::Task(TaskEffect::Moved { task, verb: TaskVerb::Close, reason: None });
    scene.commit(vec![closed, pass("frontend", "reviewer")]).expect("a commit");
    assert_eq!(scene.task(task).assignee, Some(agent("frontend")));
}

fn claims(mut scene: Scene) {
    let task = scene.add("One");
    claim(&mut scene, task, "backend").expect("the first claim");
    claim(&mut scene, task, "backend").expect("the same claim again");
    let short = scene.task(task).short;
    let held = Refusal::Held { task: short.clone(), by: agent("backend") };
    assert_eq!(claim(&mut scene, task, "frontend"), Err(held.clone()));
    assert_eq!(scene.task(task).state, TaskState::InProgress);
    let assigned = scene.add_with("Two", |task| task.assignee = Some(agent("backend")));
    assert!(matches!(claim(&mut scene, assigned, "frontend"), Err(Refusal::Held { .. })));
    move_to(&mut scene, task, TaskVerb::Reopen).expect("reopened");
    assert_eq!(scene.task(task).assignee, None);
    claim(&mut scene, task, "frontend").expect("free again");
    move_to(&mut scene, task, TaskVerb::Close).expect("closed");
    assert!(matches!(claim(&mut scene, task, "frontend"), Err(Refusal::WrongState { .. })));
}

fn waiting(mut scene: Scene) {
    let first = scene.add("First");
    let parent = scene.add_with("Parent", |task| task.after = vec![first]);
    let step = scene.add_with("Step", |task| task.parent = Some(parent));
    let first_short = scene.task(first).short;
    for task in [parent, step] {
        let waits =
            Refusal::StillWaits { task: scene.task(task).short, on: vec![first_short.clone()] };
        assert_eq!(claim(&mut scene, task, "backend"), Err(waits));
    }
    move_to(&mut scene, first, TaskVerb::Skip).expect("skipped");
    claim(&mut scene, step, "backend").expect("nothing holds it up");
}

fn finished_parents(mut scene: Scene) {
    let task = scene.add("Task");
    let step = scene.add_with("Step", |new| new.parent = Some(task));
    let deep = scene.add_with("Deep step", |new| new.parent = Some(step));
    move_to(&mut scene, task, TaskVerb::Skip).expect("skipped");
    let above = scene.task(task).short;
    let over = Refusal::WrongState { task: above, state: "skipped", wanted: "worked on" };
    assert_eq!(claim(&mut scene, deep, "backend"), Err(over));
    move_to(&mut scene, task, TaskVerb::Reopen).expect("reopened");
    claim(&mut scene, deep, "backend").expect("its task is open again");
}

fn move_to(scene: &mut Scene, task: TaskId, verb: TaskVerb) -> Result<(), Refusal> {
    let reason = Some(Body::note("so it is").expect("a reason"));
    match scene.commit(vec![Effect::Task(TaskEffect::Moved { task, verb, reason })]) {
        Ok(_) => Ok(()),
        Err(pacenote_store::StoreError::Refused(refusal)) => Err(refusal),
        Err(other) => panic!("{other}"),
    }
}

fn states(mut scene: Scene) {
    use TaskVerb::{Block, Close, Fail, Reopen, Skip};
    for start in TaskState::ALL {
        for verb in [Block, Close, Fail, Skip, Reopen] {
            let task = scene.add_with("Some task", |task| task.state = start);
            let moved = move_to(&mut scene, task, verb);
            if let Some(to) = verb.applied_to(start) {
                assert_eq!(moved, Ok(()), "{verb:?} {start:?}");
                assert_eq!(scene.task(task).state, to);
                assert_eq!(scene.task(task).reason.as_deref(), Some("so it is"));
            } else {
                assert!(matches!(moved, Err(Refusal::WrongState { .. })), "{verb:?} {start:?}");
                assert_eq!(scene.task(task).state, start);
            }
        }
    }
}

fn repeats(mut scene: Scene) {
    let task = scene.add("Task");
    move_to(&mut scene, task, TaskVerb::Skip).expect("skipped");
    let before = scene.task(task);
    scene.now = scene.now.plus_minutes(5);
    let again = Effect::Task(TaskEffect::Moved { task, verb: TaskVerb::Skip, reason: None });
    scene.commit(vec![again]).expect("skipped already");
    assert_eq!(scene.task(task), before, "nothing new was said");
}

fn steps(mut scene: Scene) {
    let task = scene.add("Task");
    let step = scene.add_with("Step", |new| new.parent = Some(task));
    let deep = scene.add_with("Deep step", |new| new.parent = Some(step));
    let (step_short, deep_short) = (scene.task(step).short, scene.task(deep).short);
    let open =
        Refusal::OpenSteps { task: scene.task(task).short, steps: vec![step_short, deep_short] };
    assert_eq!(move_to(&mut scene, task, TaskVerb::Close), Err(open));
    let close =
        |task| Effect::Task(TaskEffect::Moved { task, verb: TaskVerb::Close, reason: None });
    scene.commit(vec![close(deep), close(step), close(task)]).expect("deepest first");
    assert_eq!(scene.task(task).state, TaskState::Done);
}

fn loops(mut scene: Scene) {
    let one = scene.add("One");
    let two = scene.add_with("Two", |task| task.after = vec![one]);
    let step = scene.add_with("Step of two", |task| task.parent = Some(two));
    let waits = |task, on| vec![Effect::Task(TaskEffect::Waits { task, on })];
    for (task, on) in [(one, one), (one, two), (one, step), (step, two), (two, step)] {
        assert!(matches!(scene.refused(waits(task, on)), Refusal::Loop { .. }));
    }
    scene.commit(waits(two, one)).expect("said before");
    assert_eq!(scene.task(two).after, [one]);
    let mut under_one = new_task("Under one, after two");
    under_one.parent = Some(one);
    under_one.after = vec![two];
    let refused = scene.refused(vec![Effect::Task(TaskEffect::Added { task: under_one })]);
    assert!(matches!(refused, Refusal::Loop { .. }), "{refused}");
}

fn deletes(mut scene: Scene) {
    let task = scene.add("Task");
    let step = scene.add_with("Step", |new| new.parent = Some(task));
    scene.add_with("Deep step", |new| new.parent = Some(step));
    let other = scene.add_with("Other", |new| new.after = vec![step]);
    scene.commit(vec![Effect::Task(TaskEffect::Deleted { task })]).expect("a commit");
    assert_eq!(scene.titles(), ["Other"]);
    let gone = scene.store.task_ever(step).expect("the store").expect("the row stays");
    assert_eq!((gone.id, gone.parent), (step, Some(task)));
    let waiting = scene.store.task_ever(other).expect("the store").expect("the task");
    assert_eq!(waiting, scene.task(other), "with what it waits on");
    claim(&mut scene, other, "backend").expect("what is gone holds nothing up");
    assert!(matches!(
        scene.refused(vec![Effect::Task(TaskEffect::Deleted { task })]),
        Refusal::UnknownTask { .. }
    ));
}

fn notes(mut scene: Scene) {
    let task = scene.add("Task");
    for (who, text) in [("backend", "first"), ("frontend", "second\nline")] {
        scene.actor.name = agent(who);
        let text = Body::note(text).expect("a note");
        scene.commit(vec![Effect::Task(TaskEffect::Noted { task, text })]).expect("a commit");
    }
    let notes = scene.store.notes(task).expect("the notes");
    let said: Vec<(&AgentName, &str)> =
        notes.iter().map(|note| (&note.author, note.text.as_str())).collect();
    assert_eq!(said, [(&agent("backend"), "first"), (&agent("frontend"), "second\nline")]);
}

fn revisions(mut scene: Scene) {
    let task = scene.add_with("Old", |task| {
        let file = PlanFile::parse("plan.md").expect("a path");
        task.plan = Some(PlanPlace { file, section: None });
    });
    let revised = Effect::Task(TaskEffect::Revised {
        task,
        title: Title::parse("New").expect("a title"),
        section: Some(Title::parse("Task 3").expect("a section")),
        rank: 7,
    });
    scene.commit(vec![revised]).expect("a commit");
    let task = scene.task(task);
    assert_eq!((task.title.as_str(), task.rank), ("New", 7));
    let section = task.plan.and_then(|plan| plan.section);
    assert_eq!(section.as_ref().map(Title::as_str), Some("Task 3"));
}

fn other_projects(mut scene: Scene) {
    let here = scene.add("Here");
    scene.project = scene.add_project("/src/other/.git", "other");
    let mut child = new_task("Child");
    child.parent = Some(here);
    for effect in [
        Effect::Task(TaskEffect::Added { task: child }),
        Effect::Task(TaskEffect::Deleted { task: here }),
        Effect::Task(TaskEffect::Claimed { task: here, agent: agent("backend") }),
    ] {
        assert!(matches!(scene.refused(vec![effect]), Refusal::OtherProject { .. }));
    }
    assert!(scene.titles().is_empty());
}

fn caps(mut scene: Scene) {
    let mut parent = scene.add("Level 1");
    for level in 2..=limits::TASK_DEPTH {
        parent = scene.add_with(&format!("Level {level}"), |task| task.parent = Some(parent));
    }
    let mut too_deep = new_task("Too deep");
    too_deep.parent = Some(parent);
    let refused = scene.refused(vec![Effect::Task(TaskEffect::Added { task: too_deep })]);
    assert_eq!(refused, Refusal::TooDeep { most: limits::TASK_DEPTH });
    let many = vec![
        Effect::Task(TaskEffect::Added { task: new_task("x") });
        limits::EFFECTS_PER_COMMIT + 1
    ];
    assert!(matches!(scene.refused(many), Refusal::TooMany { .. }));
}
