//! Gates of workflows: what a report comes to, and what the person reads at a limit and at the end.

use pacenote_testkit::desk::Desk;

use crate::{
    desk,
    flow::{CHANGE, outside, own, report},
    transcript,
};

/// A run of [`CHANGE`] that is at its review, without the question before the end.
fn reviewed(change: impl Fn(&str) -> String) -> Desk {
    let desk = desk();
    let text = CHANGE
        .replace("report: [confidence]", "")
        .replace("{ type: text, description: what to change }", "{ type: text, default: forms }")
        .replace("default: exploring", "default: high")
        .replace("approval: true", "free_text: false");
    own(&desk, "change", &change(&text));
    desk.run("flow start change");
    desk.run("flow next 1 --at 1");
    desk.run("flow next 1 --at 2");
    desk
}

#[test]
fn a_report_that_passes_above_a_finding_that_counts_is_refused() {
    let desk = reviewed(str::to_owned);
    report(&desk, "a.md", "RESULT: PASS\n\nMUST ASSUMPTION_UNVALIDATED this is terrible\n");
    report(&desk, "b.md", "Result: pass\r\n\r\n- **Should**: later\r\n");
    report(&desk, "c.md", "RESULT: PASS\n```\nCOULD DEAD_CODE a.rs:1 unused; remove\n```\n");
    report(&desk, "d.md", "RESULT: PASS\nRESULT: FAIL\n");
    report(&desk, "e.md", "RESULT: PASS\nMUST: none\nSHOULD: none\n");
    transcript!(desk, [
        "flow next 1 --at 3 --outcome ok",
        "flow next 1 --at 3 --result .pacenote/runs/1/a.md",
        "flow next 1 --at 3 --result .pacenote/runs/1/a.md --outcome ok",
        "flow next 1 --at 3 --result .pacenote/runs/1/b.md",
        "flow next 1 --at 3 --result .pacenote/runs/1/c.md",
        "flow next 1 --at 3 --result .pacenote/runs/1/d.md",
        "flow next 1 --at 3 --result .pacenote/runs/1/e.md --outcome fail",
        "flow history",
        "flow next 1 --at 3 --result .pacenote/runs/1/e.md --format text",
    ], @"
    $ pacenote flow next 1 --at 3 --outcome ok
    error: step `review` is a review, and hands in its report with `--result`

    hint: `--result FILE`, where the first line of the file is `RESULT: PASS` or `RESULT: FAIL`
    [exit 1]
    $ pacenote flow next 1 --at 3 --result .pacenote/runs/1/a.md
    error: the report of step `review` decides nothing: it says `RESULT: PASS`, and line 3 is a finding that counts: MUST ASSUMPTION_UNVALIDATED this is terrible

    hint: let the reviewer write `RESULT: FAIL`, or begin no line with MUST that is not a finding and put remarks under the heading `Checked`
    [exit 1]
    $ pacenote flow next 1 --at 3 --result .pacenote/runs/1/a.md --outcome ok
    error: the report of step `review` decides nothing: it says `RESULT: PASS`, and line 3 is a finding that counts: MUST ASSUMPTION_UNVALIDATED this is terrible

    hint: let the reviewer write `RESULT: FAIL`, or begin no line with MUST that is not a finding and put remarks under the heading `Checked`
    [exit 1]
    $ pacenote flow next 1 --at 3 --result .pacenote/runs/1/b.md
    error: the report of step `review` decides nothing: it says `RESULT: PASS`, and line 3 is a finding that counts: **Should**: later

    hint: let the reviewer write `RESULT: FAIL`, or begin no line with SHOULD that is not a finding and put remarks under the heading `Checked`
    [exit 1]
    $ pacenote flow next 1 --at 3 --result .pacenote/runs/1/c.md
    error: the report of step `review` decides nothing: it says `RESULT: PASS`, and line 3 is a finding that counts: COULD DEAD_CODE a.rs:1 unused; remove

    hint: let the reviewer write `RESULT: FAIL`, or begin no line with COULD that is not a finding and put remarks under the heading `Checked`
    [exit 1]
    $ pacenote flow next 1 --at 3 --result .pacenote/runs/1/d.md
    error: the report of step `review` decides nothing: it says both `RESULT: PASS` and `RESULT: FAIL`

    hint: the reviewer writes one verdict, on the first line
    [exit 1]
    $ pacenote flow next 1 --at 3 --result .pacenote/runs/1/e.md --outcome fail
    error: `--outcome fail` contradicts the report, which says `ok`

    hint: leave `--outcome` out: the report decides
    [exit 1]
    $ pacenote flow history
    [moment]  backend  look: ok → sure
    [moment]  backend  sure: ok → work
    [moment]  backend  work: ok → review
    $ pacenote flow next 1 --at 3 --result .pacenote/runs/1/e.md --format text
    STEP 6/6: Ship it? [change, Make it]
    GATE Change review: PASS. The change stands.
    DO:
      NEEDS USER INPUT:
        QUESTION (id: q1):
          TEXT: Shall forms be shipped?
          - ship
          - again
          ANSWER FORM: one of the options, to the letter
    NEXT: Ask the person the question in DO, with the options if there are any, and wait; do not answer for them. Then run this command with the answer, word for word and in quotes, in the place of ANSWER: pacenote flow answer 1 ANSWER
    ");
}

#[test]
fn findings_that_no_longer_count_let_the_work_pass() {
    let desk = reviewed(|text| {
        text.replace("limit: 2 }", "limit: 3, severities: [{from: 1, count: [must]}] }")
    });
    report(&desk, "a.md", "RESULT: FAIL\n\nSHOULD DUPLICATE_LOGIC a.rs:1 twice; once\n");
    transcript!(desk, [
        "flow next 1 --at 3 --result .pacenote/runs/1/a.md --format text",
        "flow history",
    ], @r"
    $ pacenote flow next 1 --at 3 --result .pacenote/runs/1/a.md --format text
    STEP 6/6: Ship it? [change, Make it]
    GATE Change review: PASS. The change stands.
    DO:
      NEEDS USER INPUT:
        QUESTION (id: q1):
          TEXT: Shall forms be shipped?
          - ship
          - again
          ANSWER FORM: one of the options, to the letter
    NEXT: Ask the person the question in DO, with the options if there are any, and wait; do not answer for them. Then run this command with the answer, word for word and in quotes, in the place of ANSWER: pacenote flow answer 1 ANSWER
    warning: `RESULT: FAIL` counts as a pass: in this round only MUST findings count, and the report has none
    $ pacenote flow history
    [moment]  backend                          look: ok → sure
    [moment]  backend                          sure: ok → work
    [moment]  backend                          work: ok → review
    [moment]  backend  result b3-89c7c999c8de  review: ok → gate
    [moment]  backend                          gate (round 1): pass → ship
    [moment]  backend                          ship: asked Shall forms be shipped?
    ");
}

#[test]
fn the_person_reads_at_the_limit_what_is_open_and_at_the_end_what_was_skipped() {
    let mut desk = reviewed(str::to_owned);
    let found = "RESULT: FAIL\n\nMUST LLM_COMPREHENSION_RISK a.rs:1 the lock is never released; \
                 release it\n- SHOULD DUPLICATE_LOGIC b.rs:2 twice; once\n";
    report(&desk, "review-1.md", found);
    report(&desk, "review-2.md", found);
    desk.run("flow next 1 --at 3 --result .pacenote/runs/1/review-1.md");
    desk.run("flow next 1 --at 4");
    transcript!(desk, [
        "flow next 1 --at 5 --result .pacenote/runs/1/review-2.md --format text",
        "flow answer 1 skip",
        "flow next 1 --at 6 --outcome ok",
    ], @"
    $ pacenote flow next 1 --at 5 --result .pacenote/runs/1/review-2.md --format text
    STEP 5/6: Did it pass? [change, Make it]
    DO:
      ITERATION LIMIT REACHED (name: Change review, iteration: 2, limit: 2):
        This was tried as often as it may be. Stop: start no other round, fix nothing and review nothing. The person decides what happens next.
        - continue: go on for another round
        - must-only: go on for another round in which only MUST findings count
        - skip: leave it as it is and go on; the risk is written to the decision log
        - abort: end the whole run here

      NEEDS USER INPUT:
        QUESTION (id: q1):
          TEXT:
            `Change review` did not pass after 2 rounds.
            Open findings (2):
            - MUST LLM_COMPREHENSION_RISK a.rs:1 the lock is never released; release it
            - SHOULD DUPLICATE_LOGIC b.rs:2 twice; once
            The report: .pacenote/runs/1/review-2.md
            What now?
          - continue
          - must-only
          - skip
          - abort
          ANSWER FORM: one of the options, to the letter
    NEXT: Only the person can answer, in a terminal of their own. Show them the question in DO and the command that ends this instruction, to be run with the answer, word for word and in quotes, in the place of ANSWER; then end your turn. Do not run it yourself: pacenote flow answer 1 ANSWER
    $ pacenote flow answer 1 skip
    error: only the person can answer this, in a terminal of their own

    hint: an agent shows the command to the person, who runs it in a terminal of their own
    [exit 1]
    $ pacenote flow next 1 --at 6 --outcome ok
    error: the run waits for an answer from the person

    hint: `pacenote flow answer` answers
    [exit 1]
    ");
    outside(&mut desk);
    transcript!(desk, [
        "flow answer 1 skip --yes --format text",
        "flow answer 1 ship --yes --format text",
        "flow history",
        "flow decisions",
    ], @r"
    $ pacenote flow answer 1 skip --yes --format text
    STEP 6/6: Ship it? [change, Make it]
    GATE Change review: FAIL. It did not pass, and the person decided to go on. The risk is in the decision log (`pacenote flow decisions`).
    DO:
      NEEDS USER INPUT:
        QUESTION (id: q1):
          TEXT: Shall forms be shipped?
          - ship
          - again
          ANSWER FORM: one of the options, to the letter
    NEXT: Ask the person the question in DO, with the options if there are any, and wait; do not answer for them. Then run this command with the answer, word for word and in quotes, in the place of ANSWER: pacenote flow answer 1 ANSWER
    $ pacenote flow answer 1 ship --yes --format text
    STEP 6/6: Ended [change]
    DO:
      Nothing is left to do here.
    WORKFLOW ENDED: The run is at its end. `Change review` did not pass, and the person skipped it: see `pacenote flow decisions`.
    $ pacenote flow history
    error: no run is under way in this project

    hint: `pacenote flow list` shows what can be started
    [exit 1]
    $ pacenote flow decisions
    [moment]  risk  run #1  human  went on although `Change review` did not pass after 2 rounds
    ");
}

#[test]
fn a_run_that_was_given_up_does_not_say_that_it_is_complete() {
    let mut desk = reviewed(str::to_owned);
    transcript!(desk, [
        "flow abort 1 --reason 'no money'",
    ], @r#"
    $ pacenote flow abort 1 --reason 'no money'
    <step_header workflow="change" step="6" total="6">Given up</step_header>
    <DO>
      Nothing is left to do here.
    </DO>
    <NEXT>WORKFLOW ABORTED: The run was given up: no money.</NEXT>
    "#);
    outside(&mut desk);
    transcript!(desk, [
        "flow abort 1 --yes --reason 'no money' --format text",
        "flow runs --all",
    ], @"
    $ pacenote flow abort 1 --yes --reason 'no money' --format text
    error: the run is over
    [exit 1]
    $ pacenote flow runs --all
    #1  change  aborted  step 4/6  Review the change
    ");
}

/// A limit that leads from the work to the end, past the gate that failed.
const ROUND: &str = "
name: round
description: Goes round its gate.
steps:
  - {id: work, title: Work, actions: [Work.], next: review, limit: {rounds: 1, then: last}}
  - id: review
    title: Review
    dispatch: {role: quality-reviewer, prompt: Look.}
    next: {ok: gate, fail: gate}
  - {id: gate, title: Good?, gate: {name: The work, work: work, pass: last}}
  - {id: last, title: Last, actions: [End.], next: end}
";

#[test]
fn a_run_that_was_led_round_a_failed_gate_is_not_complete() {
    let desk = desk();
    own(&desk, "round", ROUND);
    desk.run("flow start round");
    desk.run("flow next 1 --at 1");
    report(&desk, "fails.md", "RESULT: FAIL\n\nMUST WRONG_RESULT a.rs:1 wrong; right\n");
    desk.run("flow next 1 --at 2 --result .pacenote/runs/1/fails.md");
    transcript!(desk, ["flow next 1 --at 3 --format text", "flow runs --all"], @"
    $ pacenote flow next 1 --at 3 --format text
    STEP 4/4: Ended [round]
    DO:
      Nothing is left to do here.
    WORKFLOW ENDED: The run is at its end. `The work` did not pass.
    $ pacenote flow runs --all
    #1  round  ended  step 4/4  Ended
    ");
}

#[test]
fn a_person_who_answers_reads_where_the_run_goes_on() {
    let mut desk = reviewed(|change| change.replace("limit: 2", "limit: 1"));
    report(&desk, "fails.md", "RESULT: FAIL\n\nMUST WRONG_RESULT a.rs:1 wrong; right\n");
    desk.run("flow next 1 --at 3 --result .pacenote/runs/1/fails.md");
    outside(&mut desk);
    transcript!(desk, ["flow answer 1 ANSWER --yes", "flow answer 1 continue --yes"], @"
    $ pacenote flow answer 1 ANSWER --yes
    error: `ANSWER` is not an answer to `q1`

    hint: it can be `continue`, `must-only`, `skip`, `abort`
    [exit 1]
    $ pacenote flow answer 1 continue --yes
    run #1 goes on at step 3/6: Make the change
    Your agent continues with `pacenote flow status 1`.
    ");
    desk.run("flow next 1 --at 5");
    desk.run("flow next 1 --at 6 --result .pacenote/runs/1/fails.md");
    transcript!(desk, [
        "flow answer 1 skip --yes",
        "flow decisions 1",
        "flow decisions 2",
    ], @"
    $ pacenote flow answer 1 skip --yes
    run #1 asks:
    Shall forms be shipped?
      1  ship
      2  again
    Answer with `pacenote flow answer 1 ANSWER`.
    $ pacenote flow decisions 1
    [moment]  risk  run #1  human  went on although `Change review` did not pass after 2 rounds
    $ pacenote flow decisions 2
    error: no run `2` in this project

    hint: `pacenote flow runs --all` lists them
    [exit 1]
    ");
}
