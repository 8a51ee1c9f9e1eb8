//! Tables of messages, and what follows from them.

use TaskState::{Done, InProgress, Open};
use pacenote_model::{Task, TaskState};

use super::*;
use crate::{
    example::{Telling, agent, task},
    next::{Hands, Incoming, next_after},
};

/// Who is at what: @backend has Task 1, whose work is done, @frontend is still at work on Task 2.
fn tasks(spec: Task, code: Task) -> Vec<Task> {
    Vec::from([
        task(1, "Task 1: Add user model").being(InProgress).by("backend"),
        task(11, "Implementation").below(1).being(Done).by("backend"),
        spec,
        code,
        task(2, "Task 2: Add login endpoint").being(InProgress).by("frontend"),
        task(21, "Implementation").below(2).being(InProgress).by("frontend"),
        task(22, "Spec review").below(2),
        task(23, "Code quality review").below(2),
        task(3, "Deploy to staging"),
    ])
}

/// Both reviews of Task 1 are open and nobody's.
fn both() -> Vec<Task> {
    tasks(spec(Open), code(Open))
}

/// The spec review is over, the other one is nobody's.
fn code_only() -> Vec<Task> {
    tasks(spec(Done), code(Open))
}

/// @spec holds the spec review and @quality the other one.
fn held() -> Vec<Task> {
    tasks(spec(InProgress).by("spec"), code(InProgress).by("quality"))
}

fn spec(state: TaskState) -> Task {
    task(12, "Spec review").below(1).being(state)
}

fn code(state: TaskState) -> Task {
    task(13, "Code quality review").below(1).being(state)
}

/// Returns what @backend is to do, in short: `12 passed`, `13 failed`, `21 done`, or `-` where the
/// message decides nothing.
fn after(tasks: &[Task], from: &str, text: &str) -> String {
    let (backend, from) = (agent("backend"), agent(from));
    let message = Incoming { from: &from, text };
    let next = next_after(&Forest::new(tasks), Some(&backend), Some(&message), Hands::Own);
    let first = next.first().map_or("", String::as_str);
    let said =
        [(" passed: ", "passed"), (" did not pass: ", "failed"), (" reported done: ", "done")];
    let found = said.iter().find(|(words, _)| first.contains(words));
    found.map_or("-".to_owned(), |(_, said)| {
        let id = first.split(' ').next().unwrap_or_default();
        format!("{} {said}", id.trim_start_matches("t-000"))
    })
}

fn check(tasks: &[Task], table: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .map(|(from, text, wanted)| (from, text, wanted, after(tasks, from, text)))
        .filter(|(_, _, wanted, found)| *wanted != found)
        .map(|(from, text, wanted, found)| format!("@{from}: {text}: {found}, not {wanted}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_review_that_is_named_is_the_one_that_is_meant() {
    check(
        &both(),
        &[
            ("rev", "Spec review complete. All requirements met, no extras added.", "12 passed"),
            ("rev", "Spec review of Task 1 complete. All requirements met.", "12 passed"),
            ("rev", "Spec review of Task 1 complete: 2 requirements are missing.", "12 failed"),
            ("rev", "Spec compliance review: PASS", "12 passed"),
            ("rev", "Specification review passed", "12 passed"),
            ("rev", "Spec: PASS", "12 passed"),
            ("rev", "Spec review passed, code quality review can begin.", "12 passed"),
            ("rev", "Spec review of Task 1 passed. Task 2 can begin.", "12 passed"),
            ("rev", "Code quality review of Task 1: PASS", "13 passed"),
            ("rev", "Code review of Task 1: Changes requested", "13 failed"),
            ("rev", "Quality review: no findings", "13 passed"),
            ("rev", "Code review of your PR: approved", "13 passed"),
            ("rev", "Security review of Task 1: FAIL", "-"),
            ("rev", "Design review: approved", "-"),
            ("rev", "Dependency review passed", "-"),
            ("rev", "Code review of Task 3: Changes requested", "-"),
            ("rev", "Review of Task 1: PASS", "-"),
            ("rev", "LGTM", "-"),
            ("rev", "FAIL: the rate limit is missing", "-"),
            ("rev", "Spec review passed, code review failed.", "-"),
            ("rev", "Starting the spec review of Task 1; the implementation is complete.", "-"),
            ("rev", "Spec review of Task 1 in progress: 3 of 5 requirements done.", "-"),
            ("rev", "Is the spec review of Task 1 complete?", "-"),
            ("rev", "Please close it once the spec review has passed.", "-"),
            ("backend", "Fixed what the spec review found, all done.", "-"),
            ("backend", "Spec review complete. All requirements met.", "-"),
        ],
    );
}

#[test]
fn a_task_that_is_named_is_the_one_that_is_meant() {
    check(
        &both(),
        &[
            ("rev", "Spec review of Task 2 complete. All requirements met.", "-"),
            ("rev", "Task 2: spec review passed", "-"),
            ("rev", "Spec review passed (Task 2)", "-"),
            ("rev", "Task 2.\nSpec review: PASS", "-"),
            ("rev", "Spec review of Task 1.1: PASS", "-"),
            ("rev", "Spec review of Tasks 1 and 2: PASS", "-"),
            ("rev", "Spec review of Task 9: PASS", "-"),
            ("rev", "Spec review of #22: PASS", "-"),
            ("rev", "Spec review of #12: PASS", "12 passed"),
            ("rev", "Spec review of t-00022: PASS", "-"),
            ("rev", "Spec review of t-00011: PASS", "12 passed"),
            ("rev", "t-00012: PASS", "12 passed"),
            ("rev", "Spec review of add login endpoint: PASS", "-"),
            ("rev", "Spec review of \"Add user model\": PASS", "12 passed"),
            ("frontend", "Spec review of Task 1: PASS", "12 passed"),
            ("frontend", "Task 2 implementation complete, ready for spec review", "21 done"),
            ("frontend", "Task 1 implementation complete", "-"),
            ("frontend", "Spec review of Task 1: done", "12 passed"),
            ("frontend", "Done, PR is open.", "21 done"),
            ("frontend", "Deployment done.", "-"),
        ],
    );
}

#[test]
fn the_holder_of_a_review_needs_few_words() {
    check(
        &held(),
        &[
            ("spec", "LGTM", "12 passed"),
            ("quality", "LGTM", "13 passed"),
            ("quality", "FAIL: the build is broken on staging", "13 failed"),
            ("quality", "2 requirements are missing", "13 failed"),
            ("quality", "Code quality review of Task 1: PASS", "13 passed"),
            ("quality", "Approved the PR.", "13 passed"),
            ("spec", "Code review of Task 1: PASS", "-"),
            ("spec", "Spec review of Task 2: PASS", "-"),
            ("spec", "Review of your PR in the docs repo: Approved", "-"),
            ("spec", "Deployment failed on staging, looking into it.", "-"),
            ("spec", "Deployment to staging: FAILED", "-"),
            ("spec", "Tests: PASS", "-"),
            ("rev", "LGTM", "-"),
            ("rev", "Spec review: PASS", "-"),
        ],
    );
}

#[test]
fn a_bare_verdict_of_others_needs_a_single_review() {
    check(
        &code_only(),
        &[
            ("rev", "LGTM!", "13 passed"),
            ("rev", "Approved.", "13 passed"),
            ("rev", "All tests pass. Approved.", "13 passed"),
            ("rev", "FAIL: the rate limit is missing", "13 failed"),
            ("rev", "2 requirements are missing", "13 failed"),
            ("rev", "Task 1 approved", "13 passed"),
            ("rev", "Review of Task 1: PASS", "13 passed"),
            ("rev", "Review complete, approved with no issues", "13 passed"),
            ("rev", "Reviewed Task 1: approved", "13 passed"),
            ("rev", "Spec review complete. All requirements met, no extras added.", "-"),
            ("rev", "Review of your PR in the docs repo: Approved", "-"),
            ("rev", "Code review of the docs repo: Approved", "-"),
            ("rev", "Review of PR #12: approved", "-"),
            ("rev", "PR approved", "-"),
            ("rev", "Deployment failed on staging, looking into it.", "-"),
            ("rev", "Re: deployment.\nFailed.", "-"),
            ("rev", "Build: FAIL", "-"),
            ("rev", "The import of the customers failed", "-"),
            ("rev", "My leave was approved", "-"),
            ("rev", "Deployment of Task 1 failed", "-"),
            ("backend", "LGTM", "-"),
            ("frontend", "LGTM", "-"),
        ],
    );
}

#[test]
fn a_closer_title_beside_a_step_is_the_one_that_is_meant() {
    let mut tasks = tasks(task(12, "Code review").below(1), code(Open));
    check(
        &tasks,
        &[
            ("rev", "Code review: PASS", "12 passed"),
            ("rev", "Code quality review: PASS", "13 passed"),
            ("rev", "Quality review: PASS", "-"),
        ],
    );
    tasks[2].state = Done;
    check(
        &tasks,
        &[
            ("rev", "Code review: PASS", "-"),
            ("rev", "Code quality review: PASS", "13 passed"),
            ("rev", "Quality review: PASS", "13 passed"),
        ],
    );
}
