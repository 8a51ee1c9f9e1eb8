//! A request that becomes a plan, tasks and work that is done.

use pacenote_testkit::desk::Ran;

use super::super::{flow::session, workplace::Workplace};
use super::{
    executor, must_have_been_shown, page,
    play::{Agent, Play},
};

const PLAN: &str = "\
# Greeting plan

**Goal:** the shop speaks to whoever comes in and goes out.

## Requirements
- R1: the door, the counter and the till say something each (said)

## Testing
- `sh test.sh`, 1 passes before the work

## Places
- name.sh:1: how a script of this shop speaks

## Decisions
- D1: a script for each place. Because name.sh is one (name.sh:1)

## Rejected
- one script for all: tasks of one wave share no file

## Waves
- 1: Task 1, Task 2, Task 3

### Task 1: The door says welcome

- Covers: R1, D1
- After: nothing
- Files: create `door.sh`; test `tests/door.sh`
- Done when: `sh door.sh` prints `Welcome.`
- Tests: `sh test.sh`, all pass

- [ ] Write the failing test, then `door.sh`
- [ ] Commit

### Task 2: The counter says thanks

- Covers: R1, D1
- After: nothing
- Files: create `counter.sh`; test `tests/counter.sh`
- Done when: `sh counter.sh` prints `Thanks.`
- Tests: `sh test.sh`, all pass

- [ ] Write the failing test, then `counter.sh`
- [ ] Commit

### Task 3: The till says goodbye

- Covers: R1, D1
- After: nothing
- Files: create `till.sh`; test `tests/till.sh`
- Done when: `sh till.sh` prints `Goodbye.`
- Tests: `sh test.sh`, all pass

- [ ] Write the failing test, then `till.sh`
- [ ] Commit
";

/// What the first draft leaves open, and what it says in the end.
const OPEN: &str = "- Done when: TBD";
const SETTLED: &str = "- Done when: `sh till.sh` prints `Goodbye.`";

/// How the plan is begun.
const BEGUN: &str = "\
# Greeting plan

**Goal:** the shop speaks to whoever comes in and goes out.

## Requirements
- R1: the door, the counter and the till say something each (said)
";

/// A look that finds nothing left open in the plan.
pub(super) const NO_OPEN_END: &str = "! grep -q TBD docs/plans/greeting.md";
const COMPLETE: &str = "Is the plan `docs/plans/greeting.md` complete for this request?";

#[test]
#[expect(clippy::too_many_lines, reason = "nearly all of them are the transcript")]
fn a_request_becomes_a_plan_its_tasks_and_the_work_that_they_ask_for() {
    let Some(place) = shop() else { return };
    let (planning, planners) = planned().start();
    let mut asking = session(&place, &planning);
    let asked = "The shop has to speak to people. Plan it: `pacenote skill show planner`";
    assert_eq!(asking.ask(asked), "Shall the plan become tasks?");
    assert_eq!(place.person("task list"), "", "nobody has approved yet");
    place.person("flow answer 1 approve --yes");
    assert_eq!(asking.ask("I have answered."), "Three tasks in one wave are ready.");
    asking.end();
    must_have_been_shown(&planning, &planners);
    insta::assert_snapshot!(place.desk.tidy(&page(&planning, &planners)), @r#"
    asked | The shop has to speak to people. Plan it: `pacenote skill show planner`
    model | $ pacenote skill show planner
    tool  | planner
          | …
    model | $ pacenote flow start planner --param 'request=The shop has to speak to people.' --param plan=docs/plans/greeting.md
    tool  | <step_header workflow="planner" phase="Understand" step="1" total="22">Understand the request</step_header>
    model | $ mkdir -p docs/plans
    model | $ cat > docs/plans/greeting.md <<'END'
    model | $ pacenote flow next 1 --at 1 --param size=full
    tool  | <step_header workflow="planner" phase="Understand" step="3" total="22">Decide how it will be tested</step_header>
    model | $ sh test.sh
    model | $ pacenote flow next 1 --at 2
    tool  | tests/name.sh passes
    tool  | <step_header workflow="planner" phase="Design" step="4" total="22">Explore the code</step_header>
    model | Agent: For the explorer of the place.
            asked | Where does the change belong?
            model | $ ls
            tool  | docs
                  | name.sh
                  | test.sh
                  | tests
    model | Agent: For the explorer of the precedent.
            asked | How does this project do similar things?
            model | $ ls
            tool  | docs
                  | name.sh
                  | test.sh
                  | tests
    model | Agent: For the explorer of the effects.
            asked | What else would the change affect?
            model | $ ls
            tool  | docs
                  | name.sh
                  | test.sh
                  | tests
    tool  |   It is a script of its own.
    tool  |   It is a script of its own.
    tool  |   It is a script of its own.
    model | $ pacenote flow next 1 --at 3 --outcome ok
    tool  | <step_header workflow="planner" phase="Design" step="5" total="22">Compare approaches</step_header>
    model | $ pacenote flow next 1 --at 4
    tool  | <step_header workflow="planner" phase="Design" step="6" total="22">Find the assumptions</step_header>
    model | $ pacenote flow next 1 --at 5
    tool  | <step_header workflow="planner" phase="Design" step="7" total="22">Split the work into tasks</step_header>
    model | $ pacenote flow next 1 --at 6
    tool  | <step_header workflow="planner" phase="Completeness" step="8" total="22">Write the plan</step_header>
    model | $ cat > docs/plans/greeting.md <<'END'
    model | $ pacenote flow next 1 --at 7
    tool  | <step_header workflow="planner" phase="Completeness" step="9" total="22">Review the plan for completeness</step_header>
    model | Agent: For the reviewer (review-plan-1).
            asked | Is the plan `docs/plans/greeting.md` complete for this request?
            model | $ if ! grep -q TBD docs/plans/greeting.md; then echo 'RESULT: PASS'; else echo 'RESULT: FAIL'; fi
            tool  | RESULT: FAIL
            model | $ cat > .pacenote/runs/1/review-plan-1.md <<'END'
    tool  |   RESULT: FAIL
          |   REPORT: .pacenote/runs/1/review-plan-1.md
    model | $ pacenote flow next 1 --at 8 --result .pacenote/runs/1/review-plan-1.md
    tool  | warning: the report fails the work and names no finding that counts by its severity
          | <step_header workflow="planner" phase="Completeness" step="8" total="22">Write the plan</step_header>
          | <gate_result name="Plan completeness" status="fail">Fix what was found; then round 2 follows.</gate_result>
          | <DO>…
          | …
    model | $ cat > docs/plans/greeting.md <<'END'
    model | $ pacenote flow next 1 --at 9
    tool  | <step_header workflow="planner" phase="Completeness" step="9" total="22">Review the plan for completeness</step_header>
    model | Agent: For the reviewer (review-plan-2).
            asked | Is the plan `docs/plans/greeting.md` complete for this request?
            model | $ if ! grep -q TBD docs/plans/greeting.md; then echo 'RESULT: PASS'; else echo 'RESULT: FAIL'; fi
            tool  | RESULT: PASS
            model | $ cat > .pacenote/runs/1/review-plan-2.md <<'END'
    tool  |   RESULT: PASS
          |   REPORT: .pacenote/runs/1/review-plan-2.md
    model | $ pacenote flow next 1 --at 10 --result .pacenote/runs/1/review-plan-2.md
    tool  | <step_header workflow="planner" phase="Code" step="12" total="22">Show the decisive code</step_header>
          | <gate_result name="Plan completeness" status="pass">The plan is complete.</gate_result>
    model | Agent: For the developer.
            asked | Read the plan `docs/plans/greeting.md` as the developer who will carry it out
    tool  |   No task needs a diff, nothing is OPEN.
    model | $ pacenote flow next 1 --at 11 --outcome ok
    tool  | <step_header workflow="planner" phase="Code" step="13" total="22">Review the code of the plan</step_header>
    model | Agent: For the reviewer (review-code-1).
            asked | Review the code in the tasks of `docs/plans/greeting.md`
            model | $ if ! grep -q TBD docs/plans/greeting.md; then echo 'RESULT: PASS'; else echo 'RESULT: FAIL'; fi
            tool  | RESULT: PASS
            model | $ cat > .pacenote/runs/1/review-code-1.md <<'END'
    tool  |   RESULT: PASS
          |   REPORT: .pacenote/runs/1/review-code-1.md
    model | $ pacenote flow next 1 --at 12 --result .pacenote/runs/1/review-code-1.md
    tool  | <step_header workflow="planner" phase="Documents" step="16" total="22">Clean the text of the plan</step_header>
          | <gate_result name="Code of the plan" status="pass">The code of the plan is sound.</gate_result>
    model | Agent: For the writer.
            asked | Prepare the texts in the plan `docs/plans/greeting.md`
    tool  |   I changed nothing.
    model | $ pacenote flow next 1 --at 13 --outcome ok
    tool  | <step_header workflow="planner" phase="Documents" step="17" total="22">Review the texts of the plan</step_header>
    model | Agent: For the reviewer (review-documents-1).
            asked | Review the texts that the plan `docs/plans/greeting.md` will put into the project
            model | $ if ! grep -q TBD docs/plans/greeting.md; then echo 'RESULT: PASS'; else echo 'RESULT: FAIL'; fi
            tool  | RESULT: PASS
            model | $ cat > .pacenote/runs/1/review-documents-1.md <<'END'
    tool  |   RESULT: PASS
          |   REPORT: .pacenote/runs/1/review-documents-1.md
    model | $ pacenote flow next 1 --at 14 --result .pacenote/runs/1/review-documents-1.md
    tool  | <step_header workflow="planner" phase="Hand over" step="20" total="22">Approval</step_header>
          | <gate_result name="Texts of the plan" status="pass">The texts of the plan are good.</gate_result>
    model | Shall the plan become tasks?
    asked | I have answered.
    notes | STEP 22/22: Import the plan [planner, Hand over]
    model | $ pacenote task import docs/plans/greeting.md
    model | $ pacenote task list --full
    tool  | imported docs/plans/greeting.md: 9 added, 0 revised, 0 removed, 0 unchanged
    tool  | - [ ] t-1 Task 1: The door says welcome
          |     - [ ] t-2 Write the failing test, then door.sh
          |     - [ ] t-3 Commit
          | - [ ] t-4 Task 2: The counter says thanks
          | …
    model | $ pacenote task ready
    tool  | t-1  #1  open  Task 1: The door says welcome
          | t-2  #2  open  Write the failing test, then door.sh
          | t-3  #3  open  Commit
          | t-4  #4  open  Task 2: The counter says thanks
          | …
    model | $ git add docs && git commit -qm 'Plan the greeting'
    model | $ pacenote flow next 1 --at 16
    tool  | <step_header workflow="planner" step="22" total="22">Done</step_header>
          | <NEXT>WORKFLOW COMPLETE: Every step on the way is done. Every review on the way passed.</NEXT>
    "#);
    insta::assert_snapshot!(place.desk.tidy(&place.person("flow history 1")), @r#"
    [moment]  claude-1                          size is "full"
    [moment]  claude-1                          understand: ok → way
    [moment]  claude-1                          way: ok → testing
    [moment]  claude-1                          testing: ok → explore
    [moment]  claude-1                          explore: ok → approaches
    [moment]  claude-1                          approaches: ok → assumptions
    [moment]  claude-1                          assumptions: ok → milestones
    [moment]  claude-1                          milestones: ok → write
    [moment]  claude-1                          write: ok → review-plan
    [moment]  claude-1  result b3-372a21e1e061  review-plan: fail → gate-plan
    [moment]  claude-1                          gate-plan (round 1): fail → write
    [moment]  claude-1                          write (visit 2): ok → review-plan
    [moment]  claude-1  result b3-62a7838d516e  review-plan (visit 2): ok → gate-plan
    [moment]  claude-1                          gate-plan (round 2): pass → depth
    [moment]  claude-1                          depth: ok → intent
    [moment]  claude-1                          intent: ok → review-code
    [moment]  claude-1  result b3-62a7838d516e  review-code: ok → gate-code
    [moment]  claude-1                          gate-code (round 1): pass → scrub
    [moment]  claude-1                          scrub: ok → review-documents
    [moment]  claude-1  result b3-62a7838d516e  review-documents: ok → gate-documents
    [moment]  claude-1                          gate-documents (round 1): pass → approve
    [moment]  claude-1                          approve: asked The plan in docs/plans/greeting.md passed its three reviews. Read its goal, decisions and tasks. Should it become tasks?
    [moment]  human                                approve: answered approve
    [moment]  human                                approve: ok → import
    [moment]  claude-1                          import: ok → end
    [moment]  claude-1                          completed
    "#);

    executor::must_carry_out_the_plan(&place);
    place.must_be_well();
}

/// A shop with a script, a test, a way to run all tests, and a history.
fn shop() -> Option<Workplace> {
    let place = Workplace::new()?;
    place.desk.write("name.sh", "echo Shop\n");
    place.desk.write("tests/name.sh", "test \"$(sh name.sh)\" = Shop\n");
    place.desk.write(
        "test.sh",
        "for t in tests/*.sh; do sh \"$t\" && echo \"$t passes\" || exit 1; done\n",
    );
    place.desk.write("../home/.gitconfig", "[user]\nname = Owner\nemail = owner@example.org\n");
    place.desk.write(
        "../home/.config/pacenote/config.toml",
        "[workflows]\ntest_command = \"sh test.sh\"\n",
    );
    shell(&place, "git add . && git commit -qm 'Open the shop'");
    Some(place)
}

/// Every step of the planner, with a first draft that the first review does not pass.
fn planned() -> Play {
    Play::default()
        .run(["pacenote skill show planner"])
        .run(["pacenote flow start planner --param 'request=The shop has to speak to people.' \
              --param plan=docs/plans/greeting.md"])
        .run(["mkdir -p docs/plans"])
        .write("docs/plans/greeting.md", BEGUN, "pacenote flow next 1 --at 1 --param size=full")
        .run(["sh test.sh", "pacenote flow next 1 --at 2"])
        .send([
            explorer("place", "Where does the change belong?"),
            explorer("precedent", "How does this project do similar things?"),
            explorer("effects", "What else would the change affect?"),
        ])
        .run(["pacenote flow next 1 --at 3 --outcome ok"])
        .run(["pacenote flow next 1 --at 4"])
        .run(["pacenote flow next 1 --at 5"])
        .run(["pacenote flow next 1 --at 6"])
        .write(
            "docs/plans/greeting.md",
            &PLAN.replace(SETTLED, OPEN),
            "pacenote flow next 1 --at 7",
        )
        .send([reviewer(1, "review-plan-1", COMPLETE, NO_OPEN_END, "FAIL")])
        .run(["pacenote flow next 1 --at 8 --result .pacenote/runs/1/review-plan-1.md"])
        .write("docs/plans/greeting.md", PLAN, "pacenote flow next 1 --at 9")
        .send([reviewer(1, "review-plan-2", COMPLETE, NO_OPEN_END, "PASS")])
        .run(["pacenote flow next 1 --at 10 --result .pacenote/runs/1/review-plan-2.md"])
        .send([Agent::new(
            "developer",
            "Read the plan `docs/plans/greeting.md` as the developer who will carry it out",
            [],
            "No task needs a diff, nothing is OPEN.",
        )])
        .run(["pacenote flow next 1 --at 11 --outcome ok"])
        .send([reviewer(
            1,
            "review-code-1",
            "Review the code in the tasks of `docs/plans/greeting.md`",
            NO_OPEN_END,
            "PASS",
        )])
        .run(["pacenote flow next 1 --at 12 --result .pacenote/runs/1/review-code-1.md"])
        .send([Agent::new(
            "writer",
            "Prepare the texts in the plan `docs/plans/greeting.md`",
            [],
            "I changed nothing.",
        )])
        .run(["pacenote flow next 1 --at 13 --outcome ok"])
        .send([reviewer(
            1,
            "review-documents-1",
            "Review the texts that the plan `docs/plans/greeting.md` will put into the project",
            NO_OPEN_END,
            "PASS",
        )])
        .run(["pacenote flow next 1 --at 14 --result .pacenote/runs/1/review-documents-1.md"])
        .say("Shall the plan become tasks?")
        .run(["pacenote task import docs/plans/greeting.md", "pacenote task list --full"])
        .run(["pacenote task ready"])
        .run(["git add docs && git commit -qm 'Plan the greeting'", "pacenote flow next 1 --at 16"])
        .say("Three tasks in one wave are ready.")
}

fn explorer(name: &str, question: &str) -> Agent {
    Agent::new(&format!("explorer of the {name}"), question, ["ls"], "It is a script of its own.")
}

/// Runs something in the project, without us.
pub(super) fn shell(place: &Workplace, line: &str) -> String {
    let launch = place.desk.launch("/bin/sh").arguments(["-c", line]);
    let ran = Ran::of(&launch.variable("PATH", "/usr/bin:/bin"));
    assert_eq!((ran.code.as_str(), ran.stderr.as_str()), ("0", ""), "{line}");
    ran.stdout
}

/// A reviewer whose report is a file of the run.
pub(super) fn reviewer(run: u32, report: &str, errand: &str, look: &str, verdict: &str) -> Agent {
    let file = format!(".pacenote/runs/{run}/{report}.md");
    Agent::reviewer(&format!("reviewer ({report})"), errand, look, &file, verdict)
}
