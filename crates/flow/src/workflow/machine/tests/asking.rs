//! Questions to the person: of a step, for an approval, and of an agent that cannot go on.

use super::course::Course;
use crate::workflow::{ANSWER_CHARACTERS, QUESTION_CHARACTERS, StepId};

/// A question with everything a question can have.
const ASKED: &str = "
params:
  goal: {type: text, default: a bridge}
steps:
  - id: ask
    title: Ask
    ask:
      question: Shall {{ goal }} be built?
      options: [Yes, {label: Not yet, outcome: iterate}, {label: No, outcome: fail}]
      free_text: FREE
      approval: APPROVAL
    next: {ok: build, fail: end, iterate: wait}
  - {id: wait, title: Wait, next: ask, limit: 9}
  - {id: build, title: Build, next: end}
";

fn asked(free_text: &str, approval: &str) -> Course {
    Course::with(&ASKED.replace("FREE", free_text).replace("APPROVAL", approval), &[])
}

#[test]
fn a_question_is_answered_by_label_or_number() {
    let mut course = asked("false", "false");
    course.say("not yet");
    course.report("");
    course.say("2");
    course.report("");
    for wrong in ["", "0", "4", "perhaps"] {
        course.say(wrong);
    }
    course.say_each(&[("q2", "Yes")]);
    course.say_each(&[]);
    course.report("ok");
    course.check(Ok(true));
    course.question(&[("Why?", &[])]);
    course.relay(" Yes ");
    insta::assert_snapshot!(course.told(), @r#"
    begin → asking at ask for a question
        ask asks: Shall a bridge be built? ["Yes", "Not yet", "No"]
    say not yet → working on wait
        ask is answered: Not yet
        ask #1 -iterate-> wait
    report → asking at ask for a question
        wait #1 -ok-> ask
        ask asks: Shall a bridge be built? ["Yes", "Not yet", "No"]
    say 2 → working on wait
        ask is answered: Not yet
        ask #2 -iterate-> wait
    report → asking at ask for a question
        wait #2 -ok-> ask
        ask asks: Shall a bridge be built? ["Yes", "Not yet", "No"]
    say  → refused: `` is not an answer to `q1` (it can be `Yes`, `Not yet`, `No`)
    say 0 → refused: `0` is not an answer to `q1` (it can be `Yes`, `Not yet`, `No`)
    say 4 → refused: `4` is not an answer to `q1` (it can be `Yes`, `Not yet`, `No`)
    say perhaps → refused: `perhaps` is not an answer to `q1` (it can be `Yes`, `Not yet`, `No`)
    say q2=Yes → refused: there is no question `q2` (the questions are `q1`, answered as `name=answer`)
    say → refused: the question `q1` is not answered (the questions are `q1`, answered as `name=answer`)
    report ok → refused: the run waits for an answer from the person (`pacenote flow answer` answers)
    check Ok(true) → refused: the run waits for an answer from the person (`pacenote flow answer` answers)
    question Why? → refused: the run waits for an answer from the person (`pacenote flow answer` answers)
    relay  Yes  → working on build
        ask is answered: Yes (relayed)
        ask #3 -ok-> build
    "#);
}

#[test]
fn other_words_are_taken_where_they_may_be() {
    let mut course = asked("true", "false");
    course.say(&"x".repeat(ANSWER_CHARACTERS + 1));
    course.say("   ");
    course.say("Yes, but in wood");
    let state = course.run.state(&StepId("ask".to_owned()));
    assert_eq!(state.answer.as_deref(), Some("Yes, but in wood"));
    insta::assert_snapshot!(course.told(), @r#"
    begin → asking at ask for a question
        ask asks: Shall a bridge be built? ["Yes", "Not yet", "No"], or in other words
    say xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx → refused: `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…` is not an answer to `q1` (it can be a text of at most 4000 characters)
    say     → refused: `` is not an answer to `q1` (it can be a text of at most 4000 characters)
    say Yes, but in wood → working on build
        ask is answered: Yes, but in wood
        ask #1 -ok-> build
    "#);
}

#[test]
fn an_approval_is_no_agents_to_give() {
    let mut course = asked("true", "true");
    course.relay("Yes");
    course.say("No");
    insta::assert_snapshot!(course.told(), @r#"
    begin → asking at ask for an approval
        ask asks: Shall a bridge be built? ["Yes", "Not yet", "No"], or in other words
    relay Yes → refused: only the person can answer this, in a terminal of their own (an agent shows the command to the person, who runs it in a terminal of their own)
    say No → over, completed
        ask is answered: No
        ask #1 -fail-> end
        ended: completed
    "#);
}

/// A question that asks how sure a word is that says nothing of it.
const BREAKING: &str = "
params:
  depth: {type: choice, choices: [low, deep], default: deep}
steps:
  - {id: work, title: Work, next: ask}
  - id: ask
    title: Ask
    ask: {question: \"{% if depth == 'low' %}So?{% endif %}\"}
    next: end
    on_error: mend
  - {id: mend, title: Mend, next: end}
";

#[test]
fn a_question_that_cannot_be_put_together_leads_to_its_own_step() {
    let mut course = Course::with_old(BREAKING, "depth == 'low'", "depth is atleast('low')");
    course.report("");
    insta::assert_snapshot!(course.told(), @"
    begin → working on work
    report → working on mend
        work #1 -ok-> ask
        ask #1 -error-> mend
    ");
}

/// A step that is handed out, and one after it.
const HANDED: &str = "
  - {id: build, title: Build, dispatch: {role: developer, prompt: p}, next: {ok: tell, fail: end}}
  - {id: tell, title: Tell, next: end}
";

#[test]
fn an_agent_gets_its_answers_and_the_step_begins_afresh() {
    let mut course = Course::over(HANDED);
    course.question(&[("Which database?", &["SQLite", "PostgreSQL"])]);
    course.report("ok");
    course.relay("2");
    course.question(&[("Which port?", &[])]);
    course.say("the usual one");
    course.report("ok");
    insta::assert_snapshot!(course.told(), @r#"
    begin → working on build
    question Which database? → asking at build for an agent
        build asks: Which database? ["SQLite", "PostgreSQL"], or in other words
    report ok → refused: the run waits for an answer from the person (`pacenote flow answer` answers)
    relay 2 → working on build (Which database? PostgreSQL)
        build is answered: PostgreSQL (relayed)
    question Which port? → asking at build for an agent
        build asks: Which port? [], or in other words
    say the usual one → working on build (Which database? PostgreSQL) (Which port? the usual one)
        build is answered: the usual one
    report ok → working on tell
        build #1 -ok-> tell
    "#);
}

#[test]
fn several_questions_are_answered_by_name() {
    let mut course = Course::over(HANDED);
    course.question(&[("Which database?", &["SQLite", "PostgreSQL"]), ("Which port?", &[])]);
    course.say("SQLite");
    course.say_each(&[("q1", "SQLite")]);
    course.say_each(&[("q1", "SQLite"), ("q3", "5432")]);
    course.say_each(&[("q1", "SQLite"), ("q2", "5432"), ("q1", "PostgreSQL")]);
    course.say_each(&[("q2", "5432"), ("q1", "1")]);
    insta::assert_snapshot!(course.told(), @r#"
    begin → working on build
    question Which database? Which port? → asking at build for an agent
        build asks: Which database? ["SQLite", "PostgreSQL"], or in other words; Which port? [], or in other words
    say SQLite → refused: the question `q1, q2` is not answered (the questions are `q1`, `q2`, answered as `name=answer`)
    say q1=SQLite → refused: the question `q2` is not answered (the questions are `q1`, `q2`, answered as `name=answer`)
    say q1=SQLite q3=5432 → refused: there is no question `q3` (the questions are `q1`, `q2`, answered as `name=answer`)
    say q1=SQLite q2=5432 q1=PostgreSQL → refused: `PostgreSQL` is not an answer to `q1` (it can be given once)
    say q2=5432 q1=1 → working on build (Which database? SQLite) (Which port? 5432)
        build is answered: SQLite; 5432
    "#);
}

#[test]
fn an_agent_asks_little_and_briefly() {
    let long = "x".repeat(QUESTION_CHARACTERS + 1);
    let mut course = Course::over(HANDED);
    course.question(&[]);
    course.question(&[("a?", &[]), ("b?", &[]), ("c?", &[]), ("d?", &[])]);
    course.question(&[("Which?", &["1", "2", "3", "4", "5"])]);
    course.question(&[("Which?", &[" "])]);
    course.question(&[(&long, &[])]);
    insta::assert_snapshot!(course.told(), @"
    begin → working on build
    question  → refused: the questions cannot be asked: there are 0, one to 3 are allowed
    question a? b? c? d? → refused: the questions cannot be asked: there are 4, one to 3 are allowed
    question Which? → refused: the questions cannot be asked: a question has more than 4 options
    question Which? → refused: the questions cannot be asked: a text of them is empty or has over 500 characters
    question xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx → refused: the questions cannot be asked: a text of them is empty or has over 500 characters
    ");
}

#[test]
fn an_agent_does_not_ask_for_ever() {
    let mut course = Course::over(HANDED);
    for _ in 0..4 {
        course.question(&[("a?", &[]), ("b?", &[]), ("c?", &[])]);
        course.say_each(&[("q1", "x"), ("q2", "y"), ("q3", "z")]);
    }
    course.question(&[("Really?", &[])]);
    assert_eq!(course.run.answers.len(), 12);
    insta::assert_snapshot!(course.told().lines().last().unwrap(), @"question Really? → refused: the questions cannot be asked: at this step the person answers 12 at most");
}
