use alloc::{vec, vec::Vec};

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::{Moment, PathPattern, ProjectId, Sequence, Title};

fn id(number: u32) -> TaskId {
    TaskId::new(Uuid::from_u128(u128::from(number)))
}

fn task(number: u32, parent: Option<u32>, after: &[u32], state: TaskState) -> Task {
    Task {
        id: id(number),
        number: Number::new(number),
        short: ShortId::of(id(number), 5),
        project: ProjectId::new(Uuid::nil()),
        parent: parent.map(id),
        rank: number,
        title: Title::parse("x").unwrap(),
        state,
        assignee: None,
        skill: None,
        plan: None,
        after: after.iter().copied().map(id).collect(),
        reason: None,
        created: Moment::from_millis(0),
        changed: Moment::from_millis(0),
        touched: Sequence::new(0),
    }
}

fn agent(name: &str) -> AgentName {
    AgentName::parse(name).unwrap()
}

fn held(by: &str, state: TaskState) -> Task {
    Task { assignee: Some(agent(by)), ..task(1, None, &[], state) }
}

fn reservation(number: u128, by: &str, pattern: &str, exclusive: bool) -> Reservation {
    Reservation {
        id: ReservationId::new(Uuid::from_u128(number)),
        project: ProjectId::new(Uuid::nil()),
        agent: agent(by),
        pattern: PathPattern::parse(pattern).unwrap(),
        exclusive,
        reason: None,
        since: Moment::from_millis(0),
        until: Moment::from_millis(1),
    }
}

#[test]
fn a_task_is_claimed_by_one_agent_while_it_is_not_over() {
    use TaskState::{Blocked, Done, Failed, InProgress, Open, Skipped};
    for state in TaskState::ALL {
        let own = claim(&held("one", state), &agent("one"));
        let free = claim(&task(1, None, &[], state), &agent("one"));
        for found in [own, free] {
            match state {
                Open | Blocked => assert_eq!(found, Ok(Claim::Free)),
                InProgress => assert_eq!(found, Ok(Claim::Held)),
                Done | Skipped | Failed => assert!(found.is_err()),
            }
        }
        let others = claim(&held("two", state), &agent("one"));
        match state {
            Open | Blocked | InProgress => {
                assert!(matches!(others, Err(Refusal::Held { .. })), "{state:?}");
            }
            // Nobody is asked to take over what is over.
            Done | Skipped | Failed => {
                assert!(matches!(others, Err(Refusal::WrongState { .. })), "{state:?}");
            }
        }
    }
}

#[test]
fn nobody_works_below_what_is_over_or_before_its_time() {
    assert_eq!(work_below(None), Ok(()));
    let above = (ShortId::of(id(1), 5), TaskState::Done);
    assert!(matches!(
        work_below(Some(above)),
        Err(Refusal::WrongState { wanted: "worked on", .. })
    ));
    for (state, waits) in
        [(TaskState::Open, true), (TaskState::Failed, true), (TaskState::Done, false)]
    {
        let tasks = [task(1, None, &[], state), task(2, None, &[1], TaskState::Open)];
        let found = work_after(&Forest::new(&tasks), &tasks[1]);
        assert_eq!(found.is_err(), waits, "{state:?}: {found:?}");
    }
}

#[test]
fn a_verb_that_finds_its_work_done_changes_nothing() {
    let done = task(1, None, &[], TaskState::Done);
    assert_eq!(step(&done, TaskVerb::Close, false), Ok(Step::Done));
    assert_eq!(step(&done, TaskVerb::Close, true), Ok(Step::To(TaskState::Done, None)));
    assert!(step(&done, TaskVerb::Block, false).is_err());
    // Reopening what is open but held gives it back.
    let open = held("one", TaskState::Open);
    assert_eq!(step(&open, TaskVerb::Reopen, false), Ok(Step::To(TaskState::Open, None)));
}

#[test]
fn a_task_with_open_steps_is_not_closed() {
    let tasks = [
        task(1, None, &[], TaskState::InProgress),
        task(2, Some(1), &[], TaskState::Done),
        task(3, Some(1), &[], TaskState::Open),
    ];
    let forest = Forest::new(&tasks);
    let found = close(&forest, &tasks[0]);
    assert!(matches!(found, Err(Refusal::OpenSteps { steps, .. }) if steps.len() == 1));
    assert_eq!(close(&forest, &tasks[1]), Ok(()));
}

#[test]
fn waiting_makes_no_loop() {
    let tasks = [task(1, None, &[2], TaskState::Open), task(2, None, &[], TaskState::Open)];
    let forest = Forest::new(&tasks);
    assert!(matches!(wait(&forest, &tasks[1], id(1)), Err(Refusal::Loop { .. })));
    assert_eq!(wait(&forest, &tasks[0], id(2)), Ok(()));
}

#[test]
fn a_pattern_is_renewed_by_its_holder_and_refused_to_others() {
    let held = vec![reservation(1, "one", "src/**", true)];
    let own = reservation(2, "one", "src/**", true);
    assert_eq!(reserve(&held, &own), Ok(held[0].id));
    let others = reservation(3, "two", "src/a.rs", false);
    assert!(matches!(reserve(&held, &others), Err(Refusal::Reserved { .. })));
    let elsewhere = reservation(4, "two", "docs/**", true);
    assert_eq!(reserve(&held, &elsewhere), Ok(elsewhere.id));
}

#[test]
fn an_opening_is_for_its_rule_and_its_session_and_one_of_a_kind_for_one_use() {
    let session = |number: u128| SessionId::new(Uuid::from_u128(number));
    let opening = |once, of: Option<u128>| Opening {
        id: Uuid::nil(),
        rule: "no-edit".into(),
        session: of.map(session),
        once,
        at: Moment::from_millis(0),
    };
    // For everybody for good, for everybody once, for session 1 for good, for session 1 once.
    let kinds = [(false, None), (true, None), (false, Some(1)), (true, Some(1))];
    let openings = kinds.map(|(once, of)| opening(once, of));
    let table = [
        ("no-edit", Some(1), false, [true, true, true, true]),
        ("no-edit", Some(1), true, [true, false, true, false]),
        ("no-edit", Some(2), false, [true, true, false, false]),
        ("no-edit", None, false, [true, true, false, false]),
        ("no-shell", Some(1), false, [false, false, false, false]),
    ];
    for (rule, who, was_used, expected) in table {
        let found = openings.each_ref().map(|one| passes(one, rule, who.map(session), was_used));
        assert_eq!(found, expected, "{rule} {who:?} {was_used}");
    }
    assert_eq!(openings.each_ref().map(stays_open), [true, false, true, false]);
}

#[test]
fn a_handoff_is_taken_once() {
    let [one, two] = ["one", "two"].map(|raw| HostId::parse(raw).unwrap());
    assert_eq!(take_again(Some(one.clone()), &one), Ok(()));
    assert!(matches!(take_again(Some(one.clone()), &two), Err(Refusal::HandoffTaken { .. })));
    assert!(matches!(take_again(None, &one), Err(Refusal::UnknownHandoff)));
}

proptest! {
    /// Agents that claim, move and reopen at random never hold one task at once.
    #[test]
    fn nobody_takes_a_task_from_its_holder(
        acts in prop::collection::vec((0_usize..3, 0_usize..6), 0..40),
    ) {
        let names = ["one", "two", "three"].map(agent);
        let verbs =
            [TaskVerb::Block, TaskVerb::Close, TaskVerb::Fail, TaskVerb::Skip, TaskVerb::Reopen];
        let mut at = task(1, None, &[], TaskState::Open);
        for (who, what) in acts {
            let before = at.assignee.clone();
            match verbs.get(what) {
                None => {
                    let granted = claim(&at, &names[who]);
                    if granted.is_ok() {
                        prop_assert!(before.is_none_or(|holder| holder == names[who]));
                        prop_assert!(!at.state.is_over());
                        at.assignee = Some(names[who].clone());
                        at.state = TaskState::InProgress;
                    }
                }
                Some(verb) => {
                    if let Ok(Step::To(state, assignee)) = step(&at, *verb, false) {
                        prop_assert_eq!(assignee.is_some(), before.is_some() && *verb != TaskVerb::Reopen);
                        (at.state, at.assignee) = (state, assignee);
                    }
                }
            }
        }
    }

    /// A granted wait leaves a forest in which every task can still be reached in some order.
    #[test]
    fn granted_waits_never_make_a_circle(
        pairs in prop::collection::vec((1_u32..8, 1_u32..8), 0..24),
    ) {
        let mut tasks: Vec<Task> = (1..8).map(|n| task(n, None, &[], TaskState::Open)).collect();
        for (from, on) in pairs {
            let granted = {
                let forest = Forest::new(&tasks);
                let waiting = forest.get(id(from)).unwrap();
                wait(&forest, waiting, id(on)).is_ok()
            };
            let waiting = tasks.iter_mut().find(|task| task.id == id(from)).unwrap();
            if granted && !waiting.after.contains(&id(on)) {
                waiting.after.push(id(on));
            }
        }
        // One after the other, whatever is ready can be done, until nothing is left.
        for _ in 0..tasks.len() {
            let ready = {
                let forest = Forest::new(&tasks);
                let open = tasks.iter().filter(|task| task.state == TaskState::Open);
                open.into_iter().find(|task| work_after(&forest, task).is_ok()).map(|task| task.id)
            };
            let ready = ready.expect("something that waits on nothing");
            tasks.iter_mut().find(|task| task.id == ready).unwrap().state = TaskState::Done;
        }
    }
}
