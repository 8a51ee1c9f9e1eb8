//! Runs as transcripts: what happened, where the run stands then, and what came of it.

mod asking;
mod course;
mod gates;
mod laws;
mod made_up;
mod shown;

use self::course::Course;
use crate::workflow::STEPS;

/// Three steps in a row.
const IN_A_ROW: &str = "
  - {id: look, title: Look, next: build}
  - {id: build, title: Build, dispatch: {role: developer, prompt: p}, next: {ok: tell, fail: look}, limit: 2}
  - {id: tell, title: Tell, next: end}
";

#[test]
fn a_run_goes_from_step_to_step_and_ends() {
    let mut course = Course::over(IN_A_ROW);
    course.report("");
    course.report("ok");
    course.report("");
    insta::assert_snapshot!(course.told(), @"
    begin → working on look
    report → working on build
        look #1 -ok-> build
    report ok → working on tell
        build #1 -ok-> tell
    report → over, completed
        tell #1 -ok-> end
        ended: completed
    ");
}

#[test]
fn an_outcome_that_leads_nowhere_is_refused_with_those_that_do() {
    let mut course = Course::over(IN_A_ROW);
    course.report("fail");
    course.report("ok");
    course.report("iterate");
    course.report("");
    course.report("fail");
    insta::assert_snapshot!(course.told(), @"
    begin → working on look
    report fail → refused: step `look` does not have the outcome `fail` (valid are `ok`)
    report ok → working on build
        look #1 -ok-> build
    report iterate → refused: step `build` does not have the outcome `iterate` (valid are `ok`, `fail`)
    report → refused: step `build` has several outcomes: name one with `--outcome` (valid are `ok`, `fail`)
    report fail → working on look
        build #1 -fail-> look
    ");
}

#[test]
fn a_run_that_is_over_takes_nothing_more() {
    let mut course = Course::over("\n  - {id: only, title: Only, next: end}\n");
    course.report("");
    course.report("");
    course.say("yes");
    course.check(Ok(true));
    course.question(&[("Why?", &[])]);
    course.abort("enough");
    insta::assert_snapshot!(course.told(), @"
    begin → working on only
    report → over, completed
        only #1 -ok-> end
        ended: completed
    report → refused: the run is over
    say yes → refused: the run is over
    check Ok(true) → refused: the run is over
    question Why? → refused: the run is over
    abort enough → refused: the run is over
    ");
}

#[test]
fn a_run_can_be_given_up_anywhere() {
    let mut course = Course::over(IN_A_ROW);
    course.abort("the order was withdrawn");
    insta::assert_snapshot!(course.told(), @"
    begin → working on look
    abort the order was withdrawn → over, aborted: the order was withdrawn
        ended: aborted: the order was withdrawn
    ");
}

/// A choice at each end.
const CHOSEN: &str = "
params:
  quick: {type: flag, default: false}
  confidence: {type: confidence, default: exploring, mutable: true}
steps:
  - id: depth
    title: Depth
    choose: [{when: quick, outcome: skip}, {outcome: ok}]
    next: {ok: look, skip: build}
  - {id: look, title: Look, report: [confidence], next: sure, limit: 3}
  - id: sure
    title: Sure
    choose: [{when: confidence is atleast('high'), outcome: ok}, {outcome: iterate}]
    next: {ok: build, iterate: look}
  - {id: build, title: Build, next: end}
";

#[test]
fn a_choice_skips() {
    let mut course = Course::with(CHOSEN, &[("quick", "true")]);
    course.report("");
    insta::assert_snapshot!(course.told(), @"
    begin → working on build
        depth #1 -skip-> build
    report → over, completed
        build #1 -ok-> end
        ended: completed
    ");
}

#[test]
fn a_choice_iterates_until_somebody_is_sure() {
    let mut course = Course::with(CHOSEN, &[]);
    course.report("");
    course.report_with("", &[("confidence", "low")]);
    course.report_with("", &[("confidence", "medium")]);
    course.report_with("", &[("confidence", "certain")]);
    insta::assert_snapshot!(course.told(), @r#"
    begin → working on look
        depth #1 -ok-> look
    report → refused: the parameter `confidence` is missing: one of `exploring`, `low`, `medium`, `high`, `certain` (add `--param confidence=CONFIDENCE` to the command)
    report confidence=low → working on look
        confidence = Text("low")
        look #1 -ok-> sure
        sure #1 -iterate-> look
    report confidence=medium → working on look
        confidence = Text("medium")
        look #2 -ok-> sure
        sure #2 -iterate-> look
    report confidence=certain → working on build
        confidence = Text("certain")
        look #3 -ok-> sure
        sure #3 -ok-> build
    "#);
}

#[test]
fn a_choice_knows_steps_that_were_not_entered_yet() {
    let mut course = Course::over("
  - id: first
    title: First
    choose: [{when: steps.last.visits > 0 or gates.gate.iteration > 1, outcome: skip}, {outcome: ok}]
    next: {ok: work, skip: end}
  - {id: work, title: Work, next: review}
  - {id: review, title: Review, check: tests, next: {ok: gate, fail: gate}}
  - {id: gate, title: Gate, gate: {name: G, work: work, pass: last}}
  - {id: last, title: Last, next: end}
");
    course.report("");
    insta::assert_snapshot!(course.told(), @"
    begin → working on work
        first #1 -ok-> work
    report → checking review
        work #1 -ok-> review
    ");
}

#[test]
fn a_choice_that_breaks_leads_to_its_own_step_or_leaves_the_run_where_it_is() {
    let steps = "
params:
  depth: {type: choice, choices: [low, deep], default: low, mutable: true}
steps:
  - {id: work, title: Work, next: choice}
  - id: choice
    title: Choice
    choose: [{when: depth == 'low' and false, outcome: skip}, {outcome: ok}]
    next: {default: end}ON_ERROR
  - {id: mend, title: Mend, next: end}
";
    let old = ("depth == 'low' and false", "depth is atleast('high')");
    let with_error = steps.replace("ON_ERROR", "\n    on_error: mend");
    let mut course = Course::with_old(&with_error, old.0, old.1);
    course.report_with("", &[("depth", "deep")]);
    let without =
        steps.replace("ON_ERROR", "").replace("next: choice", "next: {ok: choice, skip: mend}");
    let mut stays = Course::with_old(&without, old.0, old.1);
    stays.report_with("ok", &[("depth", "deep")]);
    stays.report_with("ok", &[("depth", "low")]);
    insta::assert_snapshot!(format!("{}\n{}", course.told(), stays.told()), @r#"
    begin → working on work
    report depth=deep → working on mend
        depth = Text("deep")
        work #1 -ok-> choice
        choice #1 -error-> mend
    begin → working on work
    report ok depth=deep → refused: step `choice` cannot be decided: 'deep' is no degree of confidence
    report ok depth=low → over, completed
        depth = Text("low")
        work #1 -ok-> choice
        choice #1 -ok-> end
        ended: completed
    "#);
}

/// A step that may be done twice, and what comes instead.
const TWICE_THEN_REST: &str = "
  - {id: try, title: Try, next: {ok: end, iterate: try}, limit: {rounds: 2, then: rest}}
  - {id: rest, title: Rest, next: end}
";

#[test]
fn a_limit_leads_on_where_it_says_so() {
    let mut course = Course::over(TWICE_THEN_REST);
    course.report("iterate");
    course.report("iterate");
    insta::assert_snapshot!(course.told(), @"
    begin → working on try
    report iterate → working on try
        try #1 -iterate-> try
    report iterate → working on rest
        try #2 -iterate-> try
        try #2 -limit-> rest
    ");
}

/// A step that may be done twice.
const TWICE: &str = "
  - {id: try, title: Try it, next: {ok: end, iterate: try}, limit: 2}
";

#[test]
fn a_limit_asks_the_person_where_it_says_nothing() {
    let mut course = Course::over(TWICE);
    course.report("iterate");
    course.report("iterate");
    course.report("ok");
    course.relay("continue");
    course.say("perhaps");
    course.say("Continue");
    course.report("iterate");
    course.say("1");
    course.report("ok");
    insta::assert_snapshot!(course.told(), @r#"
    begin → working on try
    report iterate → working on try
        try #1 -iterate-> try
    report iterate → asking at try for a step's limit
        try #2 -iterate-> try
        try asks: `Try it` was tried 2 times and is not done. What now? ["continue", "abort"]
    report ok → refused: the run waits for an answer from the person (`pacenote flow answer` answers)
    relay continue → refused: only the person can answer this, in a terminal of their own (an agent shows the command to the person, who runs it in a terminal of their own)
    say perhaps → refused: `perhaps` is not an answer to `q1` (it can be `continue`, `abort`)
    say Continue → working on try
        try is answered: continue
    report iterate → asking at try for a step's limit
        try #3 -iterate-> try
        try asks: `Try it` was tried 3 times and is not done. What now? ["continue", "abort"]
    say 1 → working on try
        try is answered: continue
    report ok → over, completed
        try #4 -ok-> end
        ended: completed
    "#);
}

#[test]
fn a_limit_is_where_the_person_gives_up() {
    let mut course = Course::over(TWICE);
    course.report("iterate");
    course.report("iterate");
    course.say("abort");
    insta::assert_snapshot!(course.told(), @r#"
    begin → working on try
    report iterate → working on try
        try #1 -iterate-> try
    report iterate → asking at try for a step's limit
        try #2 -iterate-> try
        try asks: `Try it` was tried 2 times and is not done. What now? ["continue", "abort"]
    say abort → over, aborted: step `try` came to no end
        try is answered: abort
        ended: aborted: step `try` came to no end
    "#);
}

#[test]
fn a_check_is_seen_and_not_reported() {
    let steps = "
  - {id: look, title: Look, check: tests, next: {ok: end, fail: mend}ON_ERROR}
  - {id: mend, title: Mend, next: look, limit: 3}
";
    let mut course = Course::over(&steps.replace("ON_ERROR", ""));
    course.report("ok");
    course.say("ok");
    course.check(Ok(false));
    course.check(Ok(true));
    course.report("");
    course.check(Err("no program `cargo`"));
    course.check(Ok(true));
    let mut with = Course::over(&steps.replace("ON_ERROR", ", on_error: mend"));
    with.check(Err("no program `cargo`"));
    insta::assert_snapshot!(format!("{}\n{}", course.told(), with.told()), @r#"
    begin → checking look
    report ok → refused: what step `look` comes to is seen in the project, and not reported
    say ok → refused: the run waits for no answer
    check Ok(false) → working on mend
        look #1 -fail-> mend
    check Ok(true) → refused: there is nothing to check
    report → checking look
        mend #1 -ok-> look
    check Err("no program `cargo`") → refused: step `look` cannot be decided: no program `cargo`
    check Ok(true) → over, completed
        look #2 -ok-> end
        ended: completed
    begin → checking look
    check Err("no program `cargo`") → working on mend
        look #1 -error-> mend
    "#);
}

/// Parameters that may change, one that has to be said, and one that is fixed.
const CHANGING: &str = "
params:
  goal: {type: text, default: a bridge}
  rounds: {type: number, least: 1, most: 9, default: 3, mutable: true}
  confidence: {type: confidence, default: low, mutable: true}
steps:
  - {id: work, title: Work, report: [confidence], next: last}
  - {id: last, title: Last, next: end}
";

#[test]
fn parameters_change_on_the_way_if_they_may() {
    let mut course = Course::with(CHANGING, &[]);
    course.report("");
    course.report_with("", &[("confidence", "sure")]);
    course.report_with("", &[("confidence", "high"), ("goal", "a tunnel")]);
    course.report_with("", &[("confidence", "high"), ("round", "4")]);
    course.report_with("", &[("confidence", "high"), ("rounds", "10")]);
    course.report_with("", &[("confidence", "high"), ("confidence", "low")]);
    course.report_with("skip", &[("confidence", "high")]);
    course.report_with("", &[("confidence", "high"), ("rounds", "9")]);
    insta::assert_snapshot!(course.told(), @r#"
    begin → working on work
    report → refused: the parameter `confidence` is missing: one of `exploring`, `low`, `medium`, `high`, `certain` (add `--param confidence=CONFIDENCE` to the command)
    report confidence=sure → refused: the parameter `confidence` cannot be `sure` (it may be one of `exploring`, `low`, `medium`, `high`, `certain`)
    report confidence=high goal=a tunnel → refused: the parameter `goal` is fixed once a run has begun (those that can change: `rounds`, `confidence`)
    report confidence=high round=4 → refused: there is no parameter `round` (did you mean `rounds`?)
    report confidence=high rounds=10 → refused: the parameter `rounds` cannot be `10` (it may be a whole number from 1 to 9)
    report confidence=high confidence=low → refused: the parameter `confidence` is given twice
    report skip confidence=high → refused: step `work` does not have the outcome `skip` (valid are `ok`)
    report confidence=high rounds=9 → working on last
        confidence = Text("high")
        rounds = Number(9)
        work #1 -ok-> last
    "#);
}

#[test]
fn circles_of_choices_come_to_an_end_that_is_no_overflow() {
    let choice = |number: usize| {
        let next = (number + 1) % STEPS;
        let choose = "choose: [{when: iteration > 99, outcome: skip}, {outcome: ok}]";
        format!(
            "  - {{id: c{number}, title: C, {choose}, next: {{ok: c{next}, skip: end}}, limit: 100}}\n"
        )
    };
    let steps: String = (0..STEPS).map(choice).collect();
    insta::assert_snapshot!(Course::refused(&format!("\n{steps}")), @"step `c0` cannot be decided: 1000 steps were passed and nobody was asked");
}
