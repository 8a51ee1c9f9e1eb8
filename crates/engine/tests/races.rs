//! Decisions that rest on all tasks hold when several processes make them at once.

#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test stops when it cannot go on, and sets up files of its own"
)]

use std::{collections::BTreeSet, path::Path, sync::Barrier};

use pacenote_engine::{
    Caller, Data, Desk,
    tasks::{self, AddRequest, HeldByOther, ListRequest, Reach},
};
use pacenote_model::{AgentName, Task, TaskState, TaskVerb};
use pacenote_store::Access;

/// How many act at once.
const AT_ONCE: usize = 6;

const PLAN: &str = "\
### Task 1: Model
- [ ] Step 1: Test
- [ ] Step 2: Code
### Task 2: Login
- [ ] Step 1: Test
";

fn desk(root: &Path) -> Desk {
    let agent = Caller::Agent(AgentName::parse("backend").expect("a name"));
    Desk::open(Data::new(root.join("data")), &root.join("shop"), agent, Access::Write)
        .expect("a desk")
}

fn import(root: &Path) -> tasks::Imported {
    let mut desk = desk(root);
    let place = desk.place().clone();
    let mut work = desk.begin(None).expect("work");
    tasks::import(&mut work, &place, &root.join("shop/plan.md")).expect("an import")
}

fn all(root: &Path) -> Vec<Task> {
    tasks::list(&desk(root), &ListRequest::default()).expect("a list").tasks
}

/// A project with a plan.
fn shop() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a directory");
    std::fs::create_dir_all(root.path().join("shop/.git")).expect("a project");
    std::fs::write(root.path().join("shop/plan.md"), PLAN).expect("a plan");
    root
}

/// Runs something in several threads that begin together.
fn at_once<T: Send>(act: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let barrier = Barrier::new(AT_ONCE);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE)
            .map(|number| {
                let (act, barrier) = (&act, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    act(number)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread")).collect()
    })
}

#[test]
fn imports_of_one_plan_add_each_task_once() {
    for _ in 0..5 {
        let root = shop();
        let added: usize =
            at_once(|_| import(root.path())).iter().map(|imported| imported.added).sum();
        let tasks = all(root.path());
        assert_eq!((added, tasks.len()), (5, 5), "{tasks:#?}");
        let places: BTreeSet<_> = tasks.iter().map(|task| (task.parent, task.rank)).collect();
        assert_eq!(places.len(), 5, "no two tasks stand in one place");
    }
}

#[test]
fn an_import_never_deletes_a_task_that_was_claimed_meanwhile() {
    for _ in 0..5 {
        let root = shop();
        import(root.path());
        std::fs::write(root.path().join("shop/plan.md"), "### Task 9: Other\n").expect("a plan");
        let claimed = at_once(|number| {
            if number > 0 {
                import(root.path());
                return None;
            }
            let mut desk = desk(root.path());
            tasks::claim(&mut desk.begin(None).expect("work"), "#4", None, HeldByOther::Refuse).ok()
        });
        let tasks = all(root.path());
        let there = tasks.iter().any(|task| task.number.get() == 4);
        assert_eq!(there, claimed.iter().any(Option::is_some), "{tasks:#?}");
    }
}

#[test]
fn closing_with_steps_closes_those_that_come_meanwhile_or_comes_before_them() {
    for _ in 0..5 {
        let root = shop();
        import(root.path());
        at_once(|number| {
            let mut desk = desk(root.path());
            let place = desk.place().clone();
            let mut work = desk.begin(None).expect("work");
            if number == 0 {
                tasks::move_to(&mut work, "#1", TaskVerb::Close, None, Reach::Steps)
                    .expect("a close");
            } else {
                let request =
                    AddRequest { title: "More", parent: Some("#1"), ..AddRequest::default() };
                tasks::add(&mut work, &place, &request).expect("a step");
            }
        });
        let closed = all(root.path()).into_iter().find(|task| task.number.get() == 1);
        assert_eq!(closed.map(|task| task.state), Some(TaskState::Done));
    }
}
