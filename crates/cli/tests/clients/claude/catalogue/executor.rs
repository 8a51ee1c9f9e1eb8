//! The plan of the greeting, carried out.

use super::super::{flow::session, workplace::Workplace};
use super::{
    must_have_been_shown, page,
    planner::{NO_OPEN_END, reviewer, shell},
    play::{Agent, Play},
};

/// Has the plan carried out in a session of its own, to tasks that are done and work that is there.
#[expect(clippy::too_many_lines, reason = "nearly all of them are the transcript")]
pub(super) fn must_carry_out_the_plan(place: &Workplace) {
    let ids = ids(&place.person("task list --full"));
    let (working, workers) = carried_out(&ids).start();
    let mut asking = session(place, &working);
    let asked = "Carry the plan out on a branch `greeting`: `pacenote skill show executor`";
    assert_eq!(asking.ask(asked), "All three tasks are done.");
    asking.end();
    insta::assert_snapshot!(place.desk.tidy(&page(&working, &workers)), @r#"
    asked | Carry the plan out on a branch `greeting`: `pacenote skill show executor`
    model | $ pacenote skill show executor
    tool  | executor
          | …
    model | $ pacenote flow start executor --param plan=docs/plans/greeting.md
    tool  | <step_header workflow="executor" phase="Prepare" step="1" total="16">Check the starting point</step_header>
    model | $ cat docs/plans/greeting.md | head -1
    model | $ pacenote task import docs/plans/greeting.md
    model | $ pacenote task list --full
    model | $ git checkout -qb greeting && git status --short
    model | $ sh test.sh
    model | $ pacenote flow next 2 --at 1 --outcome ok
    tool  | # Greeting plan
    tool  | imported docs/plans/greeting.md: 0 added, 0 revised, 0 removed, 9 unchanged
    tool  | - [ ] t-1 Task 1: The door says welcome
          |     - [ ] t-2 Write the failing test, then door.sh
          |     - [ ] t-3 Commit
          | - [ ] t-4 Task 2: The counter says thanks
          | …
    tool  | ?? .pacenote/
    tool  | tests/name.sh passes
    tool  | <step_header workflow="executor" phase="Wave" step="2" total="16">Take the next wave</step_header>
    model | $ pacenote task ready
    tool  | t-1  #1  open  Task 1: The door says welcome
          | t-2  #2  open  Write the failing test, then door.sh
          | t-3  #3  open  Commit
          | t-4  #4  open  Task 2: The counter says thanks
          | …
    model | $ pacenote task claim t-1
    model | $ pacenote task claim t-4
    model | $ pacenote task claim t-5
    tool  | claimed t-1 #1 (in progress @claude-2) Task 1: The door says welcome
    tool  | claimed t-4 #4 (in progress @claude-2) Task 2: The counter says thanks
    tool  | claimed t-5 #7 (in progress @claude-2) Task 3: The till says goodbye
    model | $ pacenote flow next 2 --at 2 --outcome ok
    tool  | <step_header workflow="executor" phase="Wave" step="3" total="16">Do the tasks of the wave</step_header>
    model | Agent: For the developer of the door.
            asked | Do task t-1. `pacenote task show t-1` names its section in `docs/plans/greeting.md`.
                  | After each step that you checked run `pacenote task close STEP`.
            model | $ pacenote task show t-1
            tool  | t-1 #1 Task 1: The door says welcome
                  | state: in progress
                  | assignee: @claude-2
                  | plan: docs/plans/greeting.md, Task 1
                  | …
            model | $ echo 'echo Welcome.' > door.sh; echo 'test "$(sh door.sh)" = Welcome.' > tests/door.sh; sh tests/door.sh && echo passes
            tool  | passes
            model | $ pacenote task close t-2
            tool  | closed t-2 #2 (done) Write the failing test, then door.sh
            model | $ until git add door.sh tests/door.sh && git commit -qm 'Task 1: The door says welcome' -- door.sh tests/door.sh; do sleep 1; done 2> /dev/null
            model | $ pacenote task close t-3
            tool  | closed t-3 #3 (done) Commit
    tool  |   DONE
    model | Agent: For the developer of the counter.
            asked | Do task t-4. `pacenote task show t-4` names its section in `docs/plans/greeting.md`.
                  | After each step that you checked run `pacenote task close STEP`.
            model | $ pacenote task show t-4
            tool  | t-4 #4 Task 2: The counter says thanks
                  | state: in progress
                  | assignee: @claude-2
                  | plan: docs/plans/greeting.md, Task 2
                  | …
            model | $ echo 'echo Thanks.' > counter.sh; echo 'test "$(sh counter.sh)" = Thanks.' > tests/counter.sh; sh tests/counter.sh && echo passes
            tool  | passes
            model | $ pacenote task close t-6
            tool  | closed t-6 #5 (done) Write the failing test, then counter.sh
            model | $ until git add counter.sh tests/counter.sh && git commit -qm 'Task 2: The counter says thanks' -- counter.sh tests/counter.sh; do sleep 1; done 2> /dev/null
            model | $ pacenote task close t-7
            tool  | closed t-7 #6 (done) Commit
    tool  |   DONE
    model | Agent: For the developer of the till.
            asked | Do task t-5. `pacenote task show t-5` names its section in `docs/plans/greeting.md`.
                  | After each step that you checked run `pacenote task close STEP`.
            model | $ pacenote task show t-5
            tool  | t-5 #7 Task 3: The till says goodbye
                  | state: in progress
                  | assignee: @claude-2
                  | plan: docs/plans/greeting.md, Task 3
                  | …
            model | $ echo 'echo Bye.' > till.sh; echo 'test "$(sh till.sh)" = Bye.' > tests/till.sh; sh tests/till.sh && echo passes
            tool  | passes
            model | $ pacenote task close t-8
            tool  | closed t-8 #8 (done) Write the failing test, then till.sh
            model | $ until git add till.sh tests/till.sh && git commit -qm 'Task 3: The till says goodbye' -- till.sh tests/till.sh; do sleep 1; done 2> /dev/null
            model | $ pacenote task close t-9
            tool  | closed t-9 #9 (done) Commit
    tool  |   DONE
    model | $ git log --oneline | wc -l
    model | $ pacenote flow next 2 --at 3
    tool  | 5
    tool  | <step_header workflow="executor" phase="Wave" step="6" total="16">Review the code of the wave</step_header>
    model | Agent: For the reviewer (review-code-1).
            asked | Review the code of the tasks that are in progress
            model | $ if test "$(sh till.sh)" = Goodbye.; then echo 'RESULT: PASS'; else echo 'RESULT: FAIL'; fi
            tool  | RESULT: FAIL
            model | $ cat > .pacenote/runs/2/review-code-1.md <<'END'
    tool  |   RESULT: FAIL
          |   REPORT: .pacenote/runs/2/review-code-1.md
    model | $ pacenote flow next 2 --at 5 --result .pacenote/runs/2/review-code-1.md
    tool  | warning: the report fails the work and names no finding that counts by its severity
          | <step_header workflow="executor" phase="Wave" step="3" total="16">Do the tasks of the wave</step_header>
          | <gate_result name="Code of the wave" status="fail">Fix what was found; then round 2 follows.</gate_result>
          | <DO>…
          | …
    model | Agent: For the developer who fixes.
            asked | A review did not pass. Its report is `.pacenote/runs/2/review-code-1.md`.
            model | $ sed -i 's/Bye/Goodbye/' till.sh tests/till.sh; sh test.sh
            tool  | tests/counter.sh passes
                  | tests/door.sh passes
                  | tests/name.sh passes
                  | tests/till.sh passes
            model | $ until git add till.sh tests/till.sh && git commit -qm 'Task 3: It says goodbye' -- till.sh tests/till.sh; do sleep 1; done 2> /dev/null
    tool  |   DONE
    model | $ pacenote flow next 2 --at 6
    tool  | <step_header workflow="executor" phase="Wave" step="6" total="16">Review the code of the wave</step_header>
    model | Agent: For the reviewer (review-code-2).
            asked | Review the code of the tasks that are in progress
            model | $ if test "$(sh till.sh)" = Goodbye.; then echo 'RESULT: PASS'; else echo 'RESULT: FAIL'; fi
            tool  | RESULT: PASS
            model | $ cat > .pacenote/runs/2/review-code-2.md <<'END'
    tool  |   RESULT: PASS
          |   REPORT: .pacenote/runs/2/review-code-2.md
    model | $ pacenote flow next 2 --at 8 --result .pacenote/runs/2/review-code-2.md
    tool  | <step_header workflow="executor" phase="Wave" step="8" total="16">Update the documents</step_header>
          | <gate_result name="Code of the wave" status="pass">The code of the wave is good.</gate_result>
    model | Agent: For the writer.
            asked | Update documents and comments for the tasks in progress (`pacenote task list --state in_progress`; commits named `Task N: …`).
            model | $ pacenote task list --state in_progress
            tool  | t-1  #1  in progress  @claude-2  Task 1: The door says welcome
                  | t-4  #4  in progress  @claude-2  Task 2: The counter says thanks
                  | t-5  #7  in progress  @claude-2  Task 3: The till says goodbye
    tool  |   No document speaks of what changed.
    model | $ pacenote flow next 2 --at 9 --outcome ok
    tool  | <step_header workflow="executor" phase="Wave" step="9" total="16">Review the documents of the wave</step_header>
    model | Agent: For the reviewer (review-documents-1).
            asked | Review comments and documents for the tasks in progress
            model | $ if ! grep -q TBD docs/plans/greeting.md; then echo 'RESULT: PASS'; else echo 'RESULT: FAIL'; fi
            tool  | RESULT: PASS
            model | $ cat > .pacenote/runs/2/review-documents-1.md <<'END'
    tool  |   RESULT: PASS
          |   REPORT: .pacenote/runs/2/review-documents-1.md
    model | $ pacenote flow next 2 --at 10 --result .pacenote/runs/2/review-documents-1.md
    tool  | <step_header workflow="executor" phase="Wave" step="12" total="16">Close the tasks of the wave</step_header>
          | <gate_result name="Documents of the wave" status="pass">The documents of the wave are good.</gate_result>
    model | $ pacenote task note t-1 'committed, sh test.sh passes'
    model | $ pacenote task note t-4 'committed, sh test.sh passes'
    model | $ pacenote task note t-5 'committed, sh test.sh passes'
    tool  | noted on t-1 #1 (in progress @claude-2) Task 1: The door says welcome
    tool  | noted on t-4 #4 (in progress @claude-2) Task 2: The counter says thanks
    tool  | noted on t-5 #7 (in progress @claude-2) Task 3: The till says goodbye
    model | $ pacenote task close t-1 --steps
    model | $ pacenote task close t-4 --steps
    model | $ pacenote task close t-5 --steps
    tool  | closed t-1 #1 (done @claude-2) Task 1: The door says welcome
    tool  | closed t-4 #4 (done @claude-2) Task 2: The counter says thanks
    tool  | closed t-5 #7 (done @claude-2) Task 3: The till says goodbye
    model | $ sed -i 's/- \[ \]/- [x]/' docs/plans/greeting.md
    model | $ pacenote task import docs/plans/greeting.md
    model | $ git commit -qam 'Tick what is done'
    model | $ pacenote flow next 2 --at 11
    tool  | imported docs/plans/greeting.md: 0 added, 0 revised, 0 removed, 9 unchanged
    tool  | <step_header workflow="executor" phase="Wave" step="2" total="16">Take the next wave</step_header>
    model | $ pacenote task ready
    model | $ pacenote flow next 2 --at 12 --outcome skip
    tool  | nothing can be begun now
    tool  | <step_header workflow="executor" phase="Finish" step="13" total="16">Check the project against the plan</step_header>
    model | Agent: For the reviewer (accept-1).
            asked | The plan `docs/plans/greeting.md` was carried out.
            model | $ if sh test.sh > /dev/null; then echo 'RESULT: PASS'; else echo 'RESULT: FAIL'; fi
            tool  | RESULT: PASS
            model | $ cat > .pacenote/runs/2/accept-1.md <<'END'
    tool  |   RESULT: PASS
          |   REPORT: .pacenote/runs/2/accept-1.md
    model | $ pacenote flow next 2 --at 13 --result .pacenote/runs/2/accept-1.md
    tool  | <step_header workflow="executor" phase="Finish" step="16" total="16">Report</step_header>
          | <gate_result name="Acceptance" status="pass">The review found nothing missing, except what its report lists under Open.</gate_result>
    model | $ pacenote task list --full
    model | $ pacenote flow next 2 --at 14 --outcome ok
    tool  | - [x] t-1 Task 1: The door says welcome (@claude-2, done)
          |     - [x] t-2 Write the failing test, then door.sh (done)
          |     - [x] t-3 Commit (done)
          | - [x] t-4 Task 2: The counter says thanks (@claude-2, done)
          | …
    tool  | <step_header workflow="executor" step="16" total="16">Done</step_header>
          | <NEXT>WORKFLOW COMPLETE: Every step on the way is done. Every review on the way passed.</NEXT>
    "#);
    must_have_been_shown(&working, &workers);
    insta::assert_snapshot!(place.desk.tidy(&place.person("flow history 2")), @"
    [moment]  claude-2                          prepare: ok → wave
    [moment]  claude-2                          wave: ok → implement
    [moment]  claude-2                          implement: ok → tests
    [moment]  claude-2                          tests: ok → review-code
    [moment]  claude-2  result b3-372a21e1e061  review-code: fail → gate-code
    [moment]  claude-2                          gate-code (round 1): fail → implement
    [moment]  claude-2                          implement (visit 2): ok → tests
    [moment]  claude-2                          tests (visit 2): ok → review-code
    [moment]  claude-2  result b3-62a7838d516e  review-code (visit 2): ok → gate-code
    [moment]  claude-2                          gate-code (round 2): pass → document
    [moment]  claude-2                          document: ok → review-documents
    [moment]  claude-2  result b3-62a7838d516e  review-documents: ok → gate-documents
    [moment]  claude-2                          gate-documents (round 1): pass → close
    [moment]  claude-2                          close: ok → wave
    [moment]  claude-2                          wave (visit 2): skip → accept
    [moment]  claude-2  result b3-62a7838d516e  accept: ok → gate-acceptance
    [moment]  claude-2                          gate-acceptance (round 1): pass → report
    [moment]  claude-2                          report: ok → end
    [moment]  claude-2                          completed
    ");
    insta::assert_snapshot!(place.desk.tidy(&place.person("task list --full")), @"
    - [x] t-1 Task 1: The door says welcome (@claude-2, done)
        - [x] t-2 Write the failing test, then door.sh (done)
        - [x] t-3 Commit (done)
    - [x] t-4 Task 2: The counter says thanks (@claude-2, done)
        - [x] t-6 Write the failing test, then counter.sh (done)
        - [x] t-7 Commit (done)
    - [x] t-5 Task 3: The till says goodbye (@claude-2, done)
        - [x] t-8 Write the failing test, then till.sh (done)
        - [x] t-9 Commit (done)

    Everything is done: 9 tasks.
    Add what comes next with `pacenote task add`.
    ");
    insta::assert_snapshot!(shell(place, "git log --format=%s | sort; git status --short -- . ':!.pacenote'; sh test.sh"), @"
    Open the shop
    Plan the greeting
    Task 1: The door says welcome
    Task 2: The counter says thanks
    Task 3: It says goodbye
    Task 3: The till says goodbye
    Tick what is done
    tests/counter.sh passes
    tests/door.sh passes
    tests/name.sh passes
    tests/till.sh passes
    ");
}

/// Returns the ids in a list, the task and then its two steps.
fn ids(list: &str) -> Vec<[String; 3]> {
    let words = list.lines().filter(|line| line.contains("- [ ] "));
    let ids = words.filter_map(|line| line.split_whitespace().nth(3));
    let ids: Vec<String> = ids.map(str::to_owned).collect();
    let (tasks, rest) = ids.as_chunks();
    assert_eq!((tasks.len(), rest), (3, &[][..]), "{list}");
    tasks.to_vec()
}

/// Every step of the executor for one wave, with a task that the first review does not pass.
fn carried_out(tasks: &[[String; 3]]) -> Play {
    let each = |command: &str| -> [String; 3] {
        std::array::from_fn(|number| command.replace("ID", &tasks[number][0]))
    };
    let claims = each("pacenote task claim ID");
    let notes = each("pacenote task note ID 'committed, sh test.sh passes'");
    let closes = each("pacenote task close ID --steps");
    let [review, says_goodbye] =
        ["Review the code of the tasks that are in progress", "test \"$(sh till.sh)\" = Goodbye."];
    Play::default()
        .run(["pacenote skill show executor"])
        .run(["pacenote flow start executor --param plan=docs/plans/greeting.md"])
        .run([
            "cat docs/plans/greeting.md | head -1",
            "pacenote task import docs/plans/greeting.md",
            "pacenote task list --full",
            "git checkout -qb greeting && git status --short",
            "sh test.sh",
            "pacenote flow next 2 --at 1 --outcome ok",
        ])
        .run(["pacenote task ready"])
        .run(claims.each_ref().map(String::as_str))
        .run(["pacenote flow next 2 --at 2 --outcome ok"])
        .send([developer(&tasks[0], "door", "Task 1: The door says welcome", "Welcome.")])
        .send([developer(&tasks[1], "counter", "Task 2: The counter says thanks", "Thanks.")])
        .send([developer(&tasks[2], "till", "Task 3: The till says goodbye", "Bye.")])
        .run(["git log --oneline | wc -l", "pacenote flow next 2 --at 3"])
        .send([reviewer(2, "review-code-1", review, says_goodbye, "FAIL")])
        .run(["pacenote flow next 2 --at 5 --result .pacenote/runs/2/review-code-1.md"])
        .send([mender()])
        .run(["pacenote flow next 2 --at 6"])
        .send([reviewer(2, "review-code-2", review, says_goodbye, "PASS")])
        .run(["pacenote flow next 2 --at 8 --result .pacenote/runs/2/review-code-2.md"])
        .send([Agent::new(
            "writer",
            "Update documents and comments for the tasks in progress \
             (`pacenote task list --state in_progress`; commits named `Task N: …`).",
            ["pacenote task list --state in_progress"],
            "No document speaks of what changed.",
        )])
        .run(["pacenote flow next 2 --at 9 --outcome ok"])
        .send([reviewer(
            2,
            "review-documents-1",
            "Review comments and documents for the tasks in progress",
            NO_OPEN_END,
            "PASS",
        )])
        .run(["pacenote flow next 2 --at 10 --result .pacenote/runs/2/review-documents-1.md"])
        .run(notes.each_ref().map(String::as_str))
        .run(closes.each_ref().map(String::as_str))
        .run([
            "sed -i 's/- \\[ \\]/- [x]/' docs/plans/greeting.md",
            "pacenote task import docs/plans/greeting.md",
            "git commit -qam 'Tick what is done'",
            "pacenote flow next 2 --at 11",
        ])
        .run(["pacenote task ready", "pacenote flow next 2 --at 12 --outcome skip"])
        .send([reviewer(
            2,
            "accept-1",
            "The plan `docs/plans/greeting.md` was carried out.",
            "sh test.sh > /dev/null",
            "PASS",
        )])
        .run(["pacenote flow next 2 --at 13 --result .pacenote/runs/2/accept-1.md"])
        .run(["pacenote task list --full", "pacenote flow next 2 --at 14 --outcome ok"])
        .say("All three tasks are done.")
}

/// A developer who does a task as the step says: its words, with the id in the place of ID.
fn developer([task, first, last]: &[String; 3], script: &str, title: &str, says: &str) -> Agent {
    let errand = format!(
        "Do task {task}. `pacenote task show {task}` names its section in `docs/plans/greeting.md`.\n\
         After each step that you checked run `pacenote task close STEP`."
    );
    let work = format!(
        "echo 'echo {says}' > {script}.sh; echo 'test \"$(sh {script}.sh)\" = {says}' > tests/{script}.sh; sh tests/{script}.sh && echo passes"
    );
    let commands = [
        format!("pacenote task show {task}"),
        work,
        format!("pacenote task close {first}"),
        commit(script, title),
        format!("pacenote task close {last}"),
    ];
    let name = format!("developer of the {script}");
    Agent::new(&name, errand, commands.each_ref().map(String::as_str), "DONE")
}

fn mender() -> Agent {
    let mend = "sed -i 's/Bye/Goodbye/' till.sh tests/till.sh; sh test.sh";
    let commit = commit("till", "Task 3: It says goodbye");
    let errand = "A review did not pass. Its report is `.pacenote/runs/2/review-code-1.md`.";
    Agent::new("developer who fixes", errand, [mend, commit.as_str()], "DONE")
}

/// Commits a script and its test; others who commit at the same time hold a lock for a moment.
fn commit(script: &str, title: &str) -> String {
    let files = format!("{script}.sh tests/{script}.sh");
    let committed = format!("git add {files} && git commit -qm '{title}' -- {files}");
    format!("until {committed}; do sleep 1; done 2> /dev/null")
}
