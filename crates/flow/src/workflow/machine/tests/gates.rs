//! Gates: work that is sent back until a review passes it, or the person decides.

use super::course::Course;

/// Work that is reviewed at most three times.
const REVIEWED: &str = "
  - {id: build, title: Build, next: review}
  - {id: review, title: Review, dispatch: {role: quality-reviewer, prompt: p}, next: {ok: gate, fail: gate, skip: build}, limit: 20}
  - {id: gate, title: Gate, gate: {name: Quality, work: build, pass: tell, limit: 3}}
  - {id: tell, title: Tell, next: {ok: end, iterate: build}, limit: 2}
";

/// How many events lie behind a run that has failed but for the last time.
const FAILED_THRICE: usize = 6;

/// Goes through work and its review so often without passing.
fn failing(course: &mut Course, rounds: usize) {
    for _ in 0..rounds {
        course.report("");
        course.report("fail");
    }
}

#[test]
fn work_is_sent_back_twice_and_passes_and_the_gate_begins_anew() {
    let mut course = Course::over(REVIEWED);
    failing(&mut course, 2);
    course.report("");
    course.report("ok");
    course.report("iterate");
    course.report("");
    course.report("fail");
    insta::assert_snapshot!(course.told(), @"
    begin → working on build
    report → working on review
        build #1 -ok-> review
    report fail → working on build [gate: round 2, fail mending]
        review #1 -fail-> gate
        gate #1 -fail-> build
    report → working on review [gate: round 2, fail]
        build #2 -ok-> review
    report fail → working on build [gate: round 3, fail mending]
        review #2 -fail-> gate
        gate #2 -fail-> build
    report → working on review [gate: round 3, fail]
        build #3 -ok-> review
    report ok → working on tell [gate: round 1, pass]
        review #3 -ok-> gate
        gate #3 -pass-> tell
    report iterate → working on build [gate: round 1, pass]
        tell #1 -iterate-> build
    report → working on review [gate: round 1, pass]
        build #4 -ok-> review
    report fail → working on build [gate: round 2, fail mending]
        review #4 -fail-> gate
        gate #4 -fail-> build
    ");
}

#[test]
fn the_person_lets_the_work_go_on() {
    let mut course = Course::over(REVIEWED);
    failing(&mut course, 3);
    course.report("ok");
    course.relay("skip");
    course.say("later");
    course.say("continue");
    failing(&mut course, 1);
    course.say("1");
    course.report("");
    course.report("ok");
    insta::assert_snapshot!(course.told(), @r#"
    begin → working on build
    report → working on review
        build #1 -ok-> review
    report fail → working on build [gate: round 2, fail mending]
        review #1 -fail-> gate
        gate #1 -fail-> build
    report → working on review [gate: round 2, fail]
        build #2 -ok-> review
    report fail → working on build [gate: round 3, fail mending]
        review #2 -fail-> gate
        gate #2 -fail-> build
    report → working on review [gate: round 3, fail]
        build #3 -ok-> review
    report fail → asking at gate for a gate's limit [gate: round 3, fail]
        review #3 -fail-> gate
        gate asks: `Quality` did not pass after 3 rounds.
    What now? ["continue", "must-only", "skip", "abort"]
    report ok → refused: the run waits for an answer from the person (`pacenote flow answer` answers)
    relay skip → refused: only the person can answer this, in a terminal of their own (an agent shows the command to the person, who runs it in a terminal of their own)
    say later → refused: `later` is not an answer to `q1` (it can be `continue`, `must-only`, `skip`, `abort`)
    say continue → working on build [gate: round 4, fail mending granted 1]
        gate is answered: continue
        gate #3 -fail-> build
    report → working on review [gate: round 4, fail granted 1]
        build #4 -ok-> review
    report fail → asking at gate for a gate's limit [gate: round 4, fail granted 1]
        review #4 -fail-> gate
        gate asks: `Quality` did not pass after 4 rounds.
    What now? ["continue", "skip", "abort"]
    say 1 → working on build [gate: round 5, fail mending granted 2]
        gate is answered: continue
        gate #4 -fail-> build
    report → working on review [gate: round 5, fail granted 2]
        build #5 -ok-> review
    report ok → working on tell [gate: round 1, pass]
        review #5 -ok-> gate
        gate #5 -pass-> tell
    "#);
}

#[test]
fn the_person_wants_only_what_must_be_mended() {
    let mut course = Course::over(REVIEWED);
    failing(&mut course, 3);
    course.say("must-only");
    course.report("");
    course.report("ok");
    insta::assert_snapshot!(course.told_from(FAILED_THRICE), @r#"
    report fail → asking at gate for a gate's limit [gate: round 3, fail]
        review #3 -fail-> gate
        gate asks: `Quality` did not pass after 3 rounds.
    What now? ["continue", "must-only", "skip", "abort"]
    say must-only → working on build [gate: round 4, fail mending granted 1 must-only]
        gate is answered: must-only
        gate #3 -fail-> build
    report → working on review [gate: round 4, fail granted 1 must-only]
        build #4 -ok-> review
    report ok → working on tell [gate: round 1, pass]
        review #4 -ok-> gate
        gate #4 -pass-> tell
    "#);
}

#[test]
fn the_person_takes_the_risk() {
    let mut course = Course::over(REVIEWED);
    failing(&mut course, 3);
    course.say("skip");
    insta::assert_snapshot!(course.told_from(FAILED_THRICE), @r#"
    report fail → asking at gate for a gate's limit [gate: round 3, fail]
        review #3 -fail-> gate
        gate asks: `Quality` did not pass after 3 rounds.
    What now? ["continue", "must-only", "skip", "abort"]
    say skip → working on tell [gate: round 1, skipped]
        gate is answered: skip
        RISK: gate (Quality) skipped in round 3
        gate #3 -skipped-> tell
    "#);
}

#[test]
fn the_person_gives_up() {
    let mut course = Course::over(REVIEWED);
    failing(&mut course, 3);
    course.say("abort");
    insta::assert_snapshot!(course.told_from(FAILED_THRICE), @r#"
    report fail → asking at gate for a gate's limit [gate: round 3, fail]
        review #3 -fail-> gate
        gate asks: `Quality` did not pass after 3 rounds.
    What now? ["continue", "must-only", "skip", "abort"]
    say abort → over, aborted: `Quality` did not pass [gate: round 3, fail]
        gate is answered: abort
        ended: aborted: `Quality` did not pass
    "#);
}

/// Work that may be done once only, whatever the review finds.
const ONCE: &str = "
  - {id: build, title: Build, next: review, limit: {rounds: 1, then: rest}}
  - {id: review, title: Review, check: tests, next: {ok: gate, fail: gate}}
  - {id: gate, title: Gate, gate: {name: Quality, work: build, pass: end, limit: 3}}
  - {id: rest, title: Rest, next: end}
";

#[test]
fn work_that_may_not_be_entered_again_is_not_being_mended() {
    let mut course = Course::over(ONCE);
    course.report("");
    course.check(Ok(false));
    assert_eq!(course.run.through, None);
    insta::assert_snapshot!(course.told(), @"
    begin → working on build
    report → checking review
        build #1 -ok-> review
    check Ok(false) → working on rest [gate: round 2, fail]
        review #1 -fail-> gate
        gate #1 -fail-> build
        build #1 -limit-> rest
    ");
}

#[test]
fn a_gate_inside_another_begins_anew_whenever_it_was_passed() {
    let mut course = Course::over("
  - {id: plan, title: Plan, next: build}
  - {id: build, title: Build, next: tests}
  - {id: tests, title: Tests, check: tests, next: {ok: green, fail: green}}
  - {id: green, title: Green, gate: {name: Green, work: build, pass: review, limit: 2}}
  - {id: review, title: Review, dispatch: {role: quality-reviewer, prompt: p}, next: {ok: good, fail: good}}
  - {id: good, title: Good, gate: {name: Good, work: plan, pass: end, limit: 2}}
");
    course.report("");
    course.report("");
    course.check(Ok(false));
    course.report("");
    course.check(Ok(true));
    course.report("fail");
    course.report("");
    course.report("");
    course.check(Ok(false));
    course.report("");
    course.check(Ok(true));
    course.report("ok");
    insta::assert_snapshot!(course.told(), @"
    begin → working on plan
    report → working on build
        plan #1 -ok-> build
    report → checking tests
        build #1 -ok-> tests
    check Ok(false) → working on build [green: round 2, fail mending]
        tests #1 -fail-> green
        green #1 -fail-> build
    report → checking tests [green: round 2, fail]
        build #2 -ok-> tests
    check Ok(true) → working on review [green: round 1, pass]
        tests #2 -ok-> green
        green #2 -pass-> review
    report fail → working on plan [good: round 2, fail mending] [green: round 1, pass]
        review #1 -fail-> good
        good #1 -fail-> plan
    report → working on build [good: round 2, fail] [green: round 1, pass]
        plan #2 -ok-> build
    report → checking tests [good: round 2, fail] [green: round 1, pass]
        build #3 -ok-> tests
    check Ok(false) → working on build [good: round 2, fail] [green: round 2, fail mending]
        tests #3 -fail-> green
        green #3 -fail-> build
    report → checking tests [good: round 2, fail] [green: round 2, fail]
        build #4 -ok-> tests
    check Ok(true) → working on review [good: round 2, fail] [green: round 1, pass]
        tests #4 -ok-> green
        green #4 -pass-> review
    report ok → over, completed [good: round 1, pass] [green: round 1, pass]
        review #2 -ok-> good
        good #2 -pass-> end
        ended: completed
    ");
}
