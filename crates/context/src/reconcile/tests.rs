//! Importing a plan: what is added, revised, closed, dropped and kept.

use proptest::prelude::*;

use super::*;
use crate::example::{agent, id, task};

fn file() -> PlanFile {
    PlanFile::parse("docs/plans/login.md").unwrap()
}

/// A store that applies effects with the guards of the real one.
#[derive(Default)]
struct Desk {
    tasks: Vec<Task>,
    noted: BTreeSet<TaskId>,
    made: u32,
}

impl Desk {
    /// Imports a plan and says what happened.
    fn import(&mut self, markdown: &str) -> Reconciled {
        let (plan, findings) = Plan::parse(markdown);
        assert_eq!(findings, []);
        let made = &mut self.made;
        let mut fresh = || {
            *made += 1;
            id(*made)
        };
        let outcome = reconcile(&plan, &file(), &self.tasks, &self.noted, &mut fresh);
        for effect in &outcome.effects {
            self.apply(effect);
        }
        outcome
    }

    fn apply(&mut self, effect: &TaskEffect) {
        match effect.clone() {
            TaskEffect::Added { task: new } => {
                assert!(new.parent.is_none_or(|above| self.tasks.iter().any(|t| t.id == above)));
                let counted = self.tasks.iter().map(|task| task.number.get()).max();
                self.tasks.push(Task {
                    id: new.id,
                    short: ShortId::of(new.id, 5),
                    parent: new.parent,
                    rank: new.rank.unwrap(),
                    state: new.state,
                    plan: new.plan,
                    ..task(counted.unwrap_or(0) + 1, new.title.as_str())
                });
            }
            TaskEffect::Revised { task, title, section, rank } => {
                let task = self.task(task);
                (task.title, task.rank) = (title, rank);
                task.plan.as_mut().unwrap().section = section;
            }
            TaskEffect::Moved { task, verb, .. } => {
                let left = Forest::new(&self.tasks).unfinished_steps(task).len();
                assert_eq!(left, 0, "closing is refused while steps are unfinished");
                let task = self.task(task);
                task.state = verb.applied_to(task.state).unwrap();
            }
            TaskEffect::Deleted { task } => {
                let forest = Forest::new(&self.tasks);
                let above = |at: TaskId| forest.ancestors(at).into_iter().map(|above| above.id);
                let gone: Vec<TaskId> = self
                    .tasks
                    .iter()
                    .map(|task| task.id)
                    .filter(|at| *at == task || above(*at).any(|above| above == task))
                    .collect();
                self.tasks.retain(|task| !gone.contains(&task.id));
            }
            TaskEffect::Claimed { .. }
            | TaskEffect::Passed { .. }
            | TaskEffect::Waits { .. }
            | TaskEffect::Restored { .. }
            | TaskEffect::Noted { .. } => {
                panic!("an import has no {}", effect.kind())
            }
        }
    }

    fn task(&mut self, id: TaskId) -> &mut Task {
        self.tasks.iter_mut().find(|task| task.id == id).expect("the task is there")
    }

    fn titled(&mut self, title: &str) -> &mut Task {
        self.tasks.iter_mut().find(|task| task.title.as_str() == title).expect(title)
    }

    fn tree(&self) -> String {
        let forest = Forest::new(&self.tasks);
        let lines = crate::tree_lines(&forest, None);
        lines.iter().map(crate::TreeLine::to_text).collect::<Vec<_>>().join("\n")
    }
}

fn counts(outcome: &Reconciled) -> String {
    let Reconciled { added, revised, removed, unchanged, kept, .. } = outcome;
    let kept: Vec<&str> = kept.iter().map(ShortId::as_str).collect();
    format!("+{added} ~{revised} -{removed} ={unchanged} kept {kept:?}")
}

const PLAN: &str = "\
## Task 1: Model
- [x] Step 1: Test
- [x] Step 2: Code
## Task 2: Login
- [ ] Step 1: Test
- [ ] Step 2: Code
";

#[test]
fn a_plan_is_imported_once() {
    let mut desk = Desk::default();
    assert_eq!(counts(&desk.import(PLAN)), "+6 ~0 -0 =0 kept []");
    insta::assert_snapshot!(desk.tree(), @"
    - [x] t-00001 Task 1: Model (done)
        - [x] t-00002 Step 1: Test (done)
        - [x] t-00003 Step 2: Code (done)
    - [ ] t-00004 Task 2: Login
        - [ ] t-00005 Step 1: Test
        - [ ] t-00006 Step 2: Code
    ");
    assert_eq!(counts(&desk.import(PLAN)), "+0 ~0 -0 =6 kept []");
}

#[test]
fn a_task_in_front_renumbers_the_others_and_their_work_stays_theirs() {
    let mut desk = Desk::default();
    desk.import(PLAN);
    desk.titled("Task 2: Login").state = TaskState::InProgress;
    let outcome = desk.import(
        "\
## Task 1: Repository
## Task 2: Model
- [x] Step 1: Test
- [x] Step 2: Code
## Task 3: Login
- [ ] Step 1: Sketch
- [ ] Step 2: Test
- [x] Step 3: Code
",
    );
    assert_eq!(counts(&outcome), "+2 ~6 -0 =0 kept []");
    insta::assert_snapshot!(desk.tree(), @"
    - [ ] t-00007 Task 1: Repository
    - [x] t-00001 Task 2: Model (done)
        - [x] t-00002 Step 1: Test (done)
        - [x] t-00003 Step 2: Code (done)
    - [ ] t-00004 Task 3: Login (in progress)
        - [ ] t-00008 Step 1: Sketch
        - [ ] t-00005 Step 2: Test
        - [x] t-00006 Step 3: Code (done)
    ");
}

#[test]
fn ticking_closes_what_nobody_holds_and_unticking_reopens_nothing() {
    let mut desk = Desk::default();
    desk.import(PLAN);
    let ticked = PLAN.replace("[ ]", "[x]");
    assert_eq!(counts(&desk.import(&ticked)), "+0 ~3 -0 =3 kept []");
    assert!(desk.tasks.iter().all(|task| task.state == TaskState::Done));
    assert_eq!(counts(&desk.import(PLAN)), "+0 ~0 -0 =6 kept []");

    let mut desk = Desk::default();
    desk.import(PLAN);
    desk.tasks.iter_mut().filter(|t| t.state == TaskState::Open).last().unwrap().assignee =
        Some(agent("backend"));
    assert_eq!(counts(&desk.import(&ticked)), "+0 ~1 -0 =5 kept []");
    insta::assert_snapshot!(desk.tree(), @"
    - [x] t-00001 Task 1: Model (done)
        - [x] t-00002 Step 1: Test (done)
        - [x] t-00003 Step 2: Code (done)
    - [ ] t-00004 Task 2: Login
        - [x] t-00005 Step 1: Test (done)
        - [ ] t-00006 Step 2: Code (@backend)
    ");
}

#[test]
fn a_task_with_an_unfinished_task_of_somebody_below_it_is_not_closed() {
    let mut desk = Desk::default();
    desk.import(PLAN);
    let login = desk.titled("Task 2: Login").id;
    let mut own = task(77, "Ask the designer");
    own.parent = Some(login);
    desk.tasks.push(own);
    desk.import(&PLAN.replace("[ ]", "[x]"));
    assert_eq!(desk.task(login).state, TaskState::Open);
}

#[test]
fn what_the_plan_drops_goes_unless_somebody_touched_it() {
    let mut desk = Desk::default();
    desk.import(PLAN);
    desk.tasks.push(task(77, "Not of the plan"));
    let outcome = desk.import("## Task 9: Other\n");
    assert_eq!(counts(&outcome), "+1 ~0 -3 =0 kept [\"t-00001\", \"t-00002\", \"t-00003\"]");
    insta::assert_snapshot!(desk.tree(), @"
    - [x] t-00001 Task 1: Model (done)
        - [x] t-00002 Step 1: Test (done)
        - [x] t-00003 Step 2: Code (done)
    - [ ] t-00077 Not of the plan
    - [ ] t-00007 Task 9: Other
    ");
    assert_eq!(desk.import("## Task 9: Other\n").effects, []);
}

#[test]
fn a_note_keeps_what_the_plan_drops_and_the_task_above_it_open() {
    let mut desk = Desk::default();
    desk.import("## Task 1: Model\n- [ ] Step 1: Test\n- [ ] Step 2: Code\n");
    let noted = desk.titled("Step 2: Code").id;
    desk.noted.insert(noted);
    let shorter = "## Task 1: Model\n- [x] Step 1: Test\n";
    assert_eq!(counts(&desk.import(shorter)), "+0 ~1 -0 =1 kept [\"t-00003\"]");
    insta::assert_snapshot!(desk.tree(), @"
    - [ ] t-00001 Task 1: Model
        - [x] t-00002 Step 1: Test (done)
        - [ ] t-00003 Step 2: Code
    ");
    assert_eq!(counts(&desk.import(shorter)), "+0 ~0 -0 =2 kept [\"t-00003\"]");

    // The note keeps the task it is on, and with it what that is a step of, but nothing beside.
    assert_eq!(
        counts(&desk.import("## Task 2: Other\n")),
        "+1 ~0 -0 =0 kept [\"t-00001\", \"t-00002\", \"t-00003\"]"
    );
}

#[test]
fn a_tick_closes_a_task_with_notes() {
    let mut desk = Desk::default();
    desk.import(PLAN);
    desk.noted.extend(desk.tasks.iter().map(|task| task.id).collect::<Vec<_>>());
    desk.import(&PLAN.replace("[ ]", "[x]"));
    assert!(desk.tasks.iter().all(|task| task.state == TaskState::Done));
}

#[test]
fn new_work_under_an_old_number_does_not_arrive_done() {
    for state in TaskState::ALL {
        let mut desk = Desk::default();
        desk.import("## Task 1: Add login\n## Task 2: Ship\n");
        desk.titled("Task 1: Add login").state = state;
        let renamed = "## Task 1: Delete all users\n## Task 2: Ship\n";
        let outcome = desk.import(renamed);
        if state.is_over() {
            assert_eq!(counts(&outcome), "+1 ~1 -0 =0 kept [\"t-00001\"]", "{state:?}");
            assert_eq!(desk.titled("Task 1: Delete all users").state, TaskState::Open);
            assert_eq!(desk.titled("Task 1: Add login").state, state);
        } else {
            assert_eq!(counts(&outcome), "+0 ~1 -0 =1 kept []", "{state:?}");
            assert_eq!(desk.titled("Task 1: Delete all users").state, state);
        }
        assert_eq!(desk.import(renamed).effects, [], "{state:?}");
    }
}

#[test]
fn another_plan_and_other_tasks_come_before_a_new_plan() {
    let mut desk = Desk::default();
    desk.tasks.push(task(77, "Already here"));
    desk.import("## Task 1: A\n## Task 2: B\n");
    let ranks: Vec<u32> = desk.tasks.iter().map(|task| task.rank).collect();
    assert_eq!(ranks, [77, 78, 79]);
    let other = PlanFile::parse("docs/plans/other.md").unwrap();
    let (plan, _) = Plan::parse("## Task 1: A\n");
    let outcome = reconcile(&plan, &other, &desk.tasks, &desk.noted, &mut || id(99));
    assert_eq!(counts(&outcome), "+1 ~0 -0 =0 kept []");
}

/// A plan as a test edits it.
#[derive(Clone, Debug)]
struct Draft {
    tasks: Vec<DraftTask>,
}

#[derive(Clone, Debug)]
struct DraftTask {
    name: String,
    steps: Vec<DraftStep>,
}

#[derive(Clone, Debug)]
struct DraftStep {
    name: String,
    ticked: bool,
}

impl Draft {
    fn markdown(&self) -> String {
        let mut lines = Vec::new();
        for (number, task) in (1..).zip(&self.tasks) {
            lines.push(format!("### Task {number}: {}", task.name));
            for (number, step) in (1..).zip(&task.steps) {
                let tick = if step.ticked { "x" } else { " " };
                lines.push(format!("- [{tick}] **Step {number}: {}**", step.name));
            }
        }
        lines.join("\n")
    }

    fn titles(&self) -> Vec<String> {
        let (plan, _) = Plan::parse(&self.markdown());
        let tasks = plan.tasks.into_iter();
        tasks
            .flat_map(|task| {
                let steps = task.steps.into_iter().map(|step| step.title.to_string());
                [task.title.to_string()].into_iter().chain(steps).collect::<Vec<_>>()
            })
            .collect()
    }

    fn edit(&mut self, edit: &Edit) {
        let task = self.tasks.get_mut(edit.task);
        match (&edit.kind, task) {
            (EditKind::Insert, _) => {
                let (name, steps) = (edit.name.clone(), Vec::new());
                let place = edit.task.min(self.tasks.len());
                self.tasks.insert(place, DraftTask { name, steps });
            }
            (EditKind::InsertStep, Some(task)) => {
                let (name, ticked) = (edit.name.clone(), false);
                task.steps.insert(edit.step.min(task.steps.len()), DraftStep { name, ticked });
            }
            (EditKind::Rename, Some(task)) => task.name.clone_from(&edit.name),
            (EditKind::RenameStep, Some(task)) => {
                task.steps.iter_mut().skip(edit.step).take(1).for_each(|step| {
                    step.name.clone_from(&edit.name);
                });
            }
            (EditKind::Delete, Some(_)) => drop(self.tasks.remove(edit.task)),
            (EditKind::DeleteStep, Some(task)) => {
                let place = edit.step.min(task.steps.len());
                task.steps.truncate(place);
            }
            (EditKind::Toggle, Some(task)) => {
                task.steps.iter_mut().skip(edit.step).for_each(|step| step.ticked ^= true);
            }
            (EditKind::Reverse, _) => self.tasks.reverse(),
            (EditKind::ReverseSteps, Some(task)) => task.steps.reverse(),
            (_, None) => {}
        }
    }
}

#[derive(Clone, Debug)]
struct Edit {
    kind: EditKind,
    task: usize,
    step: usize,
    name: String,
}

#[derive(Clone, Debug)]
enum EditKind {
    Insert,
    InsertStep,
    Rename,
    RenameStep,
    Delete,
    DeleteStep,
    Toggle,
    Reverse,
    ReverseSteps,
}

fn name() -> impl Strategy<Value = String> {
    // Few names, so that the same one comes twice.
    "[abc]{1,2}"
}

fn draft() -> impl Strategy<Value = Draft> {
    let step = (name(), any::<bool>()).prop_map(|(name, ticked)| DraftStep { name, ticked });
    let task = (name(), prop::collection::vec(step, 0..4))
        .prop_map(|(name, steps)| DraftTask { name, steps });
    prop::collection::vec(task, 0..5).prop_map(|tasks| Draft { tasks })
}

fn edit() -> impl Strategy<Value = Edit> {
    let kinds = prop::sample::select(Vec::from([
        EditKind::Insert,
        EditKind::InsertStep,
        EditKind::Rename,
        EditKind::RenameStep,
        EditKind::Delete,
        EditKind::DeleteStep,
        EditKind::Toggle,
        EditKind::Reverse,
        EditKind::ReverseSteps,
    ]));
    (kinds, 0usize..5, 0usize..4, name()).prop_map(|(kind, task, step, name)| Edit {
        kind,
        task,
        step,
        name,
    })
}

/// What somebody does to a task between two imports.
#[derive(Clone, Debug)]
struct Touch {
    task: usize,
    state: TaskState,
    assigned: bool,
    /// Whether a task of nobody's plan is put below it.
    own_below: bool,
    noted: bool,
}

fn touch() -> impl Strategy<Value = Touch> {
    let state = prop::sample::select(TaskState::ALL.to_vec());
    let (sometimes, rarely) = (prop::bool::weighted(0.3), prop::bool::weighted(0.2));
    (0usize..20, state, any::<bool>(), rarely, sometimes).prop_map(
        |(task, state, assigned, own_below, noted)| Touch {
            task,
            state,
            assigned,
            own_below,
            noted,
        },
    )
}

proptest! {
    #[test]
    fn an_import_settles_and_takes_no_work_away(
        mut draft in draft(),
        rounds in prop::collection::vec(
            (prop::collection::vec(edit(), 0..4), prop::collection::vec(touch(), 0..4)),
            1..4,
        ),
    ) {
        let mut desk = Desk::default();
        desk.import(&draft.markdown());
        for (edits, touches) in rounds {
            for touch in touches {
                let Some(task) = desk.tasks.get_mut(touch.task) else { continue };
                task.state = touch.state;
                task.assignee = touch.assigned.then(|| agent("backend"));
                if touch.noted {
                    desk.noted.insert(task.id);
                }
                if touch.own_below {
                    desk.made += 1;
                    let mut below = crate::example::task(desk.made, "own");
                    below.parent = Some(task.id);
                    desk.tasks.push(below);
                }
            }
            for edit in &edits {
                draft.edit(edit);
            }

            let before = desk.tasks.clone();
            let outcome = desk.import(&draft.markdown());
            let counted = outcome.added + outcome.revised + outcome.unchanged;
            prop_assert_eq!(counted, draft.titles().len());
            prop_assert_eq!(desk.tasks.len(), before.len() + outcome.added - outcome.removed);
            for task in before {
                let now = desk.tasks.iter().find(|now| now.id == task.id);
                let touched = !is_free(&task) || task.plan.is_none();
                if touched || desk.noted.contains(&task.id) {
                    prop_assert!(now.is_some(), "{} is gone", task.title);
                }
                if let Some(now) = now && task.state.is_over() {
                    let names = [&task, now].map(|task| {
                        let word = if task.parent.is_none() { TASK } else { STEP };
                        name_of(word, task.title.as_str()).to_owned()
                    });
                    prop_assert_eq!(&names[0], &names[1], "work that is over keeps its name");
                }
                if touched {
                    prop_assert_eq!(now.map(|now| now.state), Some(task.state));
                }
            }
            let kept: BTreeSet<&ShortId> = outcome.kept.iter().collect();
            let forest = Forest::new(&desk.tasks);
            let walk = forest.walk().into_iter().map(|(_, task)| task);
            let of_plan = walk.filter(|task| task.plan.is_some() && !kept.contains(&task.short));
            let titles: Vec<String> = of_plan.map(|task| task.title.to_string()).collect();
            prop_assert_eq!(titles, draft.titles());

            let again = desk.import(&draft.markdown());
            prop_assert_eq!(again.effects, Vec::new());
        }
    }
}
