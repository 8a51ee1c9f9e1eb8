use super::*;
use crate::{
    example::shop,
    pack::{Ceiling, PackLimits, PartCount, Shares, pack},
};

fn read_by(role: Role, has_task: bool) -> String {
    read_beside(PromptBy::Caller, role, has_task)
}

fn read_beside(prompt: PromptBy, role: Role, has_task: bool) -> String {
    let tasks = shop();
    let note = RoleNote {
        role,
        task: tasks.get(1).filter(|_| has_task),
        whole: None,
        prompt,
        instructions: InstructionsBy::Us,
    };
    let limits = PackLimits {
        budget_tokens: 4000,
        ceiling: Ceiling::None,
        parts: PartCount::ONE,
        shares: Shares::default(),
    };
    let packed = pack("shop", &[&note], &limits);
    packed.parts.iter().map(|part| part.text.as_str()).collect()
}

#[test]
fn an_explorer_reads_nothing_beside_its_own_prompt() {
    assert_eq!(read_by(Role::Explorer, true), "");
}

#[test]
fn every_role_reads_in_a_prompt_of_ours_how_to_work() {
    for role in Role::ALL {
        let text = read_beside(PromptBy::Us, role, true);
        for line in role.instructions() {
            assert!(text.contains(line), "{role}: {line} is missing in\n{text}");
        }
        let names_task = text.contains("t-00002");
        assert_eq!(names_task, role != Role::Explorer, "{role} reads\n{text}");
    }
}

#[test]
fn an_implementer_reads_its_task_how_to_work_and_how_to_report() {
    insta::assert_snapshot!(read_by(Role::Implementer, true), @r#"
    <pacenote project="shop">
    <role trust="agent" as="implementer">
    Your task is t-00002 "Add login endpoint".

    - Do what you were asked and nothing else. If a requirement can be read in two ways, or something it builds on is missing, report that before you write code.
    - Go step by step, test first. Commit after each step, with a message that says why, unless your prompt says otherwise.
    - Follow the code around you in names, style and structure. Never weaken or skip a test to make it pass.
    - Stay in this directory and on this branch. Do not push, rewrite commits or start subagents.
    - Before you report, run all tests and read your own diff: each requirement met, nothing extra, each test able to fail.
    - After three different attempts at the same failure, stop: commit what is sound, revert the rest, and report.
    - Unless your prompt asks for another form, begin your report with `DONE`, `DONE_WITH_CONCERNS`, `NEEDS_CONTEXT` or `BLOCKED`. Then: commits, test command and result, what is open, what to note on the task.

    The agent that sent you keeps the tasks: do not claim, note, block or close any. To read yours: `pacenote task show t-00002`.
    </role>
    </pacenote>
    "#);
    insta::assert_snapshot!(read_by(Role::Implementer, false), @r#"
    <pacenote project="shop">
    <role trust="system" as="implementer">
    - Do what you were asked and nothing else. For a change of behaviour, see a test fail first.
    - Before you report, run the tests and read your own diff.
    - Report what changed, which tests ran with what result, and what is left open.
    </role>
    </pacenote>
    "#);
}

#[test]
fn a_reviewer_reads_its_task_and_its_checklist() {
    insta::assert_snapshot!(read_by(Role::Reviewer, true), @r#"
    <pacenote project="shop">
    <role trust="agent" as="reviewer">
    Review t-00002 "Add login endpoint".

    - First the specification: compare every requirement of the task with the change. What is missing, what was not asked for?
    - Then the quality: errors, edge cases, tests that could not fail, names, needless code.
    - Read the code and run the tests yourself; a report is not evidence.
    - Change nothing.
    - Unless your prompt asks for another form, report `PASS` or `FAIL` in the first line, then each finding with its severity, its path and line, what happens and how to see it.
    </role>
    </pacenote>
    "#);
}

#[test]
fn the_others_read_of_a_task_that_they_were_given() {
    insta::assert_snapshot!(read_by(Role::Planner, true), @r#"
    <pacenote project="shop">
    <role trust="agent" as="planner">
    Your task is t-00002 "Add login endpoint".
    </role>
    </pacenote>
    "#);
    insta::assert_snapshot!(read_by(Role::Other, true), @r#"
    <pacenote project="shop">
    <role trust="agent" as="other">
    Your task is t-00002 "Add login endpoint".

    The agent that sent you keeps the tasks: do not claim, note, block or close any. To read yours: `pacenote task show t-00002`.
    </role>
    </pacenote>
    "#);
    for role in [Role::Planner, Role::Writer, Role::Other] {
        assert_eq!(read_by(role, false), "", "{role}: its prompt says all that it needs");
    }
}

#[test]
fn a_step_is_named_with_the_task_it_belongs_to() {
    let tasks = shop();
    let review = tasks.iter().find(|task| task.title.as_str() == "Spec review").expect("a step");
    let note = |role| RoleNote {
        role,
        task: Some(review),
        whole: tasks.get(1),
        prompt: PromptBy::Caller,
        instructions: InstructionsBy::Others,
    };
    let text = |role| {
        let note = note(role);
        note.text(RolePart::Task(review)).into_string()
    };
    insta::assert_snapshot!(text(Role::Reviewer), @r#"Your task is t-00022 "Spec review", a step of t-00002 "Add login endpoint"."#);
    assert_eq!(text(Role::Reviewer), text(Role::Implementer), "a review is not reviewed");
    assert_eq!(note(Role::Reviewer).items().len(), 1, "others say how");
}
