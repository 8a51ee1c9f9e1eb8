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
        position: "@backend is at t-00002 (1 of 3 steps done), step t-00022.".to_owned(),
        prompt,
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

    - Do your task and nothing beside it.
    - Write a failing test first, make it pass, then tidy up.
    - Read your own diff before you report.
    - Report what changed, which tests ran with what result, and what is left open.

    Write down what others must know: `pacenote task note t-00002 "TEXT"`. If you cannot go on: `pacenote task block t-00002 "WHY"`. Closing the task is left to whoever gave it to you: report what changed and which tests ran.
    </role>
    </pacenote>
    "#);
    insta::assert_snapshot!(read_by(Role::Implementer, false), @r#"
    <pacenote project="shop">
    <role trust="system" as="implementer">
    - Do your task and nothing beside it.
    - Write a failing test first, make it pass, then tidy up.
    - Read your own diff before you report.
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
    - Read the code and run the tests yourself; a report is no evidence.
    - Change nothing.
    - Report `PASS` or `FAIL` in the first line, then each finding with its severity, its path and line, what happens and how to see it.
    </role>
    </pacenote>
    "#);
}

#[test]
fn the_others_read_where_the_work_stands() {
    insta::assert_snapshot!(read_by(Role::Planner, true), @r#"
    <pacenote project="shop">
    <role trust="agent" as="planner">
    Where the work stands: @backend is at t-00002 (1 of 3 steps done), step t-00022.
    </role>
    </pacenote>
    "#);
    for role in [Role::Writer, Role::Other] {
        let word = format!("as=\"{role}\"");
        assert_eq!(
            read_by(role, true).replace(&word, "as=\"planner\""),
            read_by(Role::Planner, true)
        );
    }
}
