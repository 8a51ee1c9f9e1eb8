//! A question thought through, in short and in full.

use super::super::{flow::session, workplace::Workplace};
use super::{
    must_have_been_shown, page,
    play::{Agent, Play},
};

#[test]
fn the_quick_way_has_four_steps_and_changes_no_file() {
    let Some(place) = Workplace::new() else { return };
    let play = Play::default()
        .run(["pacenote skill show deepthink"])
        .run(["pacenote flow start deepthink \
              --param 'question=Should reports be kept whole or as digests?' --param mode=quick"])
        .run(["echo whole > answer.txt", "pacenote flow next 1 --at 1"])
        .run(["pacenote flow next 1 --at 2"])
        .run(["pacenote flow next 1 --at 3"])
        .run(["pacenote flow next 1 --at 4"])
        .say("Keep them whole, until a month is over.");
    let (model, errands) = play.start();
    let mut session = session(&place, &model);
    let asked = "Should reports be kept whole or as digests? `pacenote skill show deepthink`";
    assert_eq!(session.ask(asked), "Keep them whole, until a month is over.");
    session.end();
    assert_eq!(place.file("shop/answer.txt"), None, "no step of the quick way writes");
    must_have_been_shown(&model, &errands);
    insta::assert_snapshot!(place.desk.tidy(&page(&model, &errands)), @r#"
    asked | Should reports be kept whole or as digests? `pacenote skill show deepthink`
    model | $ pacenote skill show deepthink
    tool  | deepthink
          | …
    model | $ pacenote flow start deepthink --param 'question=Should reports be kept whole or as digests?' --param mode=quick
    tool  | <step_header workflow="deepthink" phase="Quick" step="15" total="18">Restate the question</step_header>
    model | $ echo whole > answer.txt
    model | $ pacenote flow next 1 --at 1
    tool  | PreToolUse:Bash hook error: step 15/18 of run #1 (Restate the question) does not allow this tool. When everything in DO is done, run this command: `pacenote flow next 1 --at 1` (rule `run-1`; a person opens it with `pacenote allow run-1`)
    tool  | <step_header workflow="deepthink" phase="Quick" step="16" total="18">Find two or three answers</step_header>
    model | $ pacenote flow next 1 --at 2
    tool  | <step_header workflow="deepthink" phase="Quick" step="17" total="18">Try to break the best one</step_header>
    model | $ pacenote flow next 1 --at 3
    tool  | <step_header workflow="deepthink" phase="Quick" step="18" total="18">Answer briefly</step_header>
    model | $ pacenote flow next 1 --at 4
    tool  | <step_header workflow="deepthink" step="18" total="18">Done</step_header>
          | <NEXT>WORKFLOW COMPLETE: Every step on the way is done.</NEXT>
    "#);
    insta::assert_snapshot!(place.desk.tidy(&place.person("flow history 1")), @"
    [moment]  claude-1  begin: skip → quick-frame
    [moment]  claude-1  quick-frame: ok → quick-candidates
    [moment]  claude-1  quick-candidates: ok → quick-test
    [moment]  claude-1  quick-test: ok → quick-answer
    [moment]  claude-1  quick-answer: ok → end
    [moment]  claude-1  completed
    ");
    place.must_be_well();
}

#[test]
#[expect(clippy::too_many_lines, reason = "nearly all of them are the transcript")]
fn the_full_way_hears_four_perspectives_and_goes_on_until_it_is_sure() {
    let Some(place) = Workplace::new() else { return };
    let (model, errands) = thought_through().start();
    let mut session = session(&place, &model);
    let asked = "Should reports be kept whole or as digests? `pacenote skill show deepthink`";
    assert_eq!(session.ask(asked), "Keep them whole for a month. My confidence is high.");
    session.end();
    must_have_been_shown(&model, &errands);
    for view in ["a", "b", "c", "d"] {
        let file = format!("shop/.pacenote/runs/1/view-{view}.md");
        assert!(place.file(&file).is_some(), "{file}");
    }
    insta::assert_snapshot!(place.desk.tidy(&page(&model, &errands)), @r#"
    asked | Should reports be kept whole or as digests? `pacenote skill show deepthink`
    model | $ pacenote skill show deepthink
    tool  | deepthink
          | …
    model | $ pacenote flow start deepthink --param 'question=Should reports be kept whole or as digests?'
    tool  | <step_header workflow="deepthink" phase="Understand" step="2" total="18">State the question</step_header>
    model | $ echo 'Question: what to keep' > .pacenote/runs/1/question.md
    model | $ pacenote flow next 1 --at 1 --outcome ok
    tool  | <step_header workflow="deepthink" phase="Understand" step="3" total="18">Collect what is known</step_header>
    model | $ echo 'Facts: a report is 2 MB (ASSUMED)' >> .pacenote/runs/1/question.md
    model | $ pacenote flow next 1 --at 2
    tool  | <step_header workflow="deepthink" phase="Understand" step="4" total="18">Step back</step_header>
    model | $ pacenote flow next 1 --at 3
    tool  | <step_header workflow="deepthink" phase="Widen" step="5" total="18">Choose perspectives</step_header>
    model | $ echo '# A' > .pacenote/runs/1/perspectives.md
    model | $ pacenote flow next 1 --at 4
    tool  | <step_header workflow="deepthink" phase="Widen" step="6" total="18">Think from each perspective</step_header>
    model | Agent: For the perspective a.
            asked | Answer this question from one perspective only: Should reports be kept whole or as digests?
                  | section A, written to `.pacenote/runs/1/view-a.md`
            model | $ echo 'The view of a.' > .pacenote/runs/1/view-a.md
    model | Agent: For the perspective b.
            asked | Answer this question from one perspective only: Should reports be kept whole or as digests?
                  | section B, written to `.pacenote/runs/1/view-b.md`
            model | $ echo 'The view of b.' > .pacenote/runs/1/view-b.md
    model | Agent: For the perspective c.
            asked | Answer this question from one perspective only: Should reports be kept whole or as digests?
                  | section C, written to `.pacenote/runs/1/view-c.md`
            model | $ echo 'The view of c.' > .pacenote/runs/1/view-c.md
    model | Agent: For the perspective d.
            asked | Answer this question from one perspective only: Should reports be kept whole or as digests?
                  | section D, written to `.pacenote/runs/1/view-d.md`
            model | $ echo 'The view of d.' > .pacenote/runs/1/view-d.md
    tool  |   Keep them whole.
    tool  |   Keep them whole.
    tool  |   Keep them whole.
    tool  |   Keep them whole.
    model | $ pacenote flow next 1 --at 5 --outcome ok
    tool  | <step_header workflow="deepthink" phase="Widen" step="7" total="18">Find where they disagree</step_header>
    model | $ cat .pacenote/runs/1/view-*.md > .pacenote/runs/1/compare.md
    model | $ pacenote flow next 1 --at 6
    tool  | <step_header workflow="deepthink" phase="Settle" step="8" total="18">Settle the open points</step_header>
    model | $ pacenote flow next 1 --at 7
    tool  | <step_header workflow="deepthink" phase="Settle" step="9" total="18">Draft the answer</step_header>
    model | $ echo 'Whole.' > .pacenote/runs/1/answer.md
    model | $ pacenote flow next 1 --at 8
    tool  | <step_header workflow="deepthink" phase="Settle" step="10" total="18">Check it against the sources</step_header>
    model | $ echo 'Nothing.' > .pacenote/runs/1/check.md
    model | $ pacenote flow next 1 --at 9
    tool  | <step_header workflow="deepthink" phase="Settle" step="11" total="18">Have it attacked</step_header>
    model | Agent: For the first attacker.
            asked | Attack the answer in `.pacenote/runs/1/answer.md` to this question: Should reports be kept whole or as digests?
            model | $ echo 'OPEN: disks fill up' > .pacenote/runs/1/attack.md
    tool  |   OPEN: disks fill up
    model | $ pacenote flow next 1 --at 10 --outcome ok
    tool  | <step_header workflow="deepthink" phase="Settle" step="12" total="18">Answer the objections</step_header>
    model | $ pacenote flow next 1 --at 11 --param confidence=medium
    tool  | <step_header workflow="deepthink" phase="Settle" step="8" total="18">Settle the open points</step_header>
    model | $ pacenote flow next 1 --at 12
    tool  | <step_header workflow="deepthink" phase="Settle" step="9" total="18">Draft the answer</step_header>
    model | $ echo 'Whole for a month.' > .pacenote/runs/1/answer.md
    model | $ pacenote flow next 1 --at 13
    tool  | <step_header workflow="deepthink" phase="Settle" step="10" total="18">Check it against the sources</step_header>
    model | $ pacenote flow next 1 --at 14
    tool  | <step_header workflow="deepthink" phase="Settle" step="11" total="18">Have it attacked</step_header>
    model | Agent: For the second attacker.
            asked | Attack the answer in `.pacenote/runs/1/answer.md` to this question: Should reports be kept whole or as digests?
            model | $ echo 'I found nothing' > .pacenote/runs/1/attack.md
    tool  |   I found nothing
    model | $ pacenote flow next 1 --at 15 --outcome ok
    tool  | <step_header workflow="deepthink" phase="Settle" step="12" total="18">Answer the objections</step_header>
    model | $ pacenote flow next 1 --at 16 --param confidence=high
    tool  | <step_header workflow="deepthink" phase="Settle" step="14" total="18">Answer</step_header>
    model | $ pacenote flow next 1 --at 17
    tool  | <step_header workflow="deepthink" step="18" total="18">Done</step_header>
          | <NEXT>WORKFLOW COMPLETE: Every step on the way is done.</NEXT>
    "#);
    insta::assert_snapshot!(place.desk.tidy(&place.person("flow history 1")), @r#"
    [moment]  claude-1  begin: ok → frame
    [moment]  claude-1  frame: ok → facts
    [moment]  claude-1  facts: ok → step-back
    [moment]  claude-1  step-back: ok → perspectives
    [moment]  claude-1  perspectives: ok → explore
    [moment]  claude-1  explore: ok → compare
    [moment]  claude-1  compare: ok → resolve
    [moment]  claude-1  resolve: ok → draft
    [moment]  claude-1  draft: ok → check
    [moment]  claude-1  check: ok → attack
    [moment]  claude-1  attack: ok → revise
    [moment]  claude-1  confidence is "medium"
    [moment]  claude-1  revise: ok → sure
    [moment]  claude-1  sure: iterate → resolve
    [moment]  claude-1  resolve (visit 2): ok → draft
    [moment]  claude-1  draft (visit 2): ok → check
    [moment]  claude-1  check (visit 2): ok → attack
    [moment]  claude-1  attack (visit 2): ok → revise
    [moment]  claude-1  confidence is "high"
    [moment]  claude-1  revise (visit 2): ok → sure
    [moment]  claude-1  sure (visit 2): ok → answer
    [moment]  claude-1  answer: ok → end
    [moment]  claude-1  completed
    "#);
    place.must_be_well();
}

/// A first round that leaves an objection open, and a second that settles it.
fn thought_through() -> Play {
    Play::default()
        .run(["pacenote skill show deepthink"])
        .run(["pacenote flow start deepthink \
              --param 'question=Should reports be kept whole or as digests?'"])
        .run([
            "echo 'Question: what to keep' > .pacenote/runs/1/question.md",
            "pacenote flow next 1 --at 1 --outcome ok",
        ])
        .run([
            "echo 'Facts: a report is 2 MB (ASSUMED)' >> .pacenote/runs/1/question.md",
            "pacenote flow next 1 --at 2",
        ])
        .run(["pacenote flow next 1 --at 3"])
        .run(["echo '# A' > .pacenote/runs/1/perspectives.md", "pacenote flow next 1 --at 4"])
        .send(["a", "b", "c", "d"].map(perspective))
        .run(["pacenote flow next 1 --at 5 --outcome ok"])
        .run([
            "cat .pacenote/runs/1/view-*.md > .pacenote/runs/1/compare.md",
            "pacenote flow next 1 --at 6",
        ])
        .run(["pacenote flow next 1 --at 7"])
        .run(["echo 'Whole.' > .pacenote/runs/1/answer.md", "pacenote flow next 1 --at 8"])
        .run(["echo 'Nothing.' > .pacenote/runs/1/check.md", "pacenote flow next 1 --at 9"])
        .send([attacker("first attacker", "OPEN: disks fill up")])
        .run(["pacenote flow next 1 --at 10 --outcome ok"])
        .run(["pacenote flow next 1 --at 11 --param confidence=medium"])
        .run(["pacenote flow next 1 --at 12"])
        .run([
            "echo 'Whole for a month.' > .pacenote/runs/1/answer.md",
            "pacenote flow next 1 --at 13",
        ])
        .run(["pacenote flow next 1 --at 14"])
        .send([attacker("second attacker", "I found nothing")])
        .run(["pacenote flow next 1 --at 15 --outcome ok"])
        .run(["pacenote flow next 1 --at 16 --param confidence=high"])
        .run(["pacenote flow next 1 --at 17"])
        .say("Keep them whole for a month. My confidence is high.")
}

fn perspective(view: &str) -> Agent {
    let file = format!(".pacenote/runs/1/view-{view}.md");
    let errand = format!(
        "Answer this question from one perspective only: \
         Should reports be kept whole or as digests?\n\
         section {}, written to `{file}`",
        view.to_uppercase()
    );
    let write = format!("echo 'The view of {view}.' > {file}");
    Agent::new(&format!("perspective {view}"), errand, [write.as_str()], "Keep them whole.")
}

fn attacker(name: &str, found: &str) -> Agent {
    let errand = "Attack the answer in `.pacenote/runs/1/answer.md` to this question: \
                  Should reports be kept whole or as digests?";
    let write = format!("echo '{found}' > .pacenote/runs/1/attack.md");
    Agent::new(name, errand, [write.as_str()], found)
}
