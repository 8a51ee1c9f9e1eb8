use pacenote_model::{PlanPlace, TaskState, Title, task::PlanFile};

use super::*;
use crate::example::{Telling, task};

fn planned(n: u32, file: &str, section: &str, title: &str) -> Task {
    let file = PlanFile::parse(file).unwrap();
    let section = Some(Title::parse(section).unwrap());
    Task { plan: Some(PlanPlace { file, section }), ..task(n, title) }
}

const SEARCH: &str = "docs/plans/search.md";
const EXPORT: &str = "docs/export.md";

/// Returns two plans; of the second one the first task is done, of the first one the fourth.
fn tasks() -> Vec<Task> {
    Vec::from([
        planned(1, SEARCH, "Task 1", "Task 1: The tokenizer"),
        planned(2, SEARCH, "Task 1/Step 1", "Step 1: Write the failing test").below(1),
        planned(3, SEARCH, "Task 1/Step 2", "Implementation").below(1),
        planned(4, SEARCH, "Task 2", "Task 2: The inverted index"),
        planned(5, SEARCH, "Task 3", "Task 3: Ranking"),
        planned(6, SEARCH, "Task 4", "Task 4: The command line").being(TaskState::Done),
        planned(7, SEARCH, "Task 12", "Task 12: Docs"),
        planned(11, EXPORT, "Task 1", "Task 1: Rows").being(TaskState::Done),
        planned(12, EXPORT, "Task 3", "Task 3: Rows and columns"),
        planned(13, EXPORT, "Task 5", "Task 5: The progress bar").being(TaskState::Done),
        planned(14, EXPORT, "Task 5/Step 1", "Write the tests").below(13).being(TaskState::Done),
        task(20, "Sweep the floor of the shop"),
    ])
}

fn check(table: &[(&str, Option<u32>)]) {
    let tasks = tasks();
    for (text, expected) in table {
        let found = find_mentioned_task(text, &tasks).map(|task| task.number.get());
        assert_eq!(found, *expected, "{text}");
    }
}

#[test]
fn an_id_decides_whatever_else_is_said() {
    check(&[
        ("Review t-00011", Some(11)),
        ("Review T-00011.", Some(11)),
        ("Implement `#4`, as the plan says", Some(4)),
        ("Implement t-00005 (#5): Task 1: The tokenizer is done", Some(5)),
        ("Do #12, not Task 1", Some(12)),
        ("Compare t-00004 with t-00005", None),
        ("Compare #4 with t-00005, and Task 1: Rows", None),
        ("See shop#4 and docs/x#4", None),
        ("See #99", None),
        ("Do 4 things", None),
    ]);
}

#[test]
fn a_title_with_its_number_comes_before_the_number() {
    check(&[
        ("Review Task 1: Rows", Some(11)),
        ("review task 1 - rows.", Some(11)),
        ("Review **Task 1** (Rows)", Some(11)),
        ("Fix the review findings in Task 1: Rows (docs/export.md)", Some(11)),
        ("Review Task 1: Rows, as in docs/plans/search.md", Some(11)),
        ("Review Task 1: The tokenizer", Some(1)),
        ("Review the tokenizer (Task 1)", Some(1)),
        ("Review Task 1: Rows, which uses the tokenizer", Some(11)),
        ("Review Task 1 of docs/export.md, which uses the tokenizer", Some(11)),
        ("Read docs/export.md and review Task 1, which uses the tokenizer", Some(11)),
        ("Implement Task 3: Rows and columns", Some(12)),
        ("Implement Task 3: Ranking", Some(5)),
        ("Implement Task 2: The inverted index. Step 1: Write the failing test", Some(4)),
        ("Implement Task 2: The inverted index. Task 1: Rows is done.", Some(4)),
        ("Review Task 1: Rows before Task 2: The inverted index begins", None),
        ("Implement Task 1: The tokenizer and Task 2: The inverted index", None),
        ("Implement Task 1/Step 1: Write the failing test", Some(2)),
    ]);
}

#[test]
fn a_long_title_needs_no_number() {
    check(&[
        ("Implement the inverted index", Some(4)),
        ("Review the progress bar", Some(13)),
        ("Review the progress bar, the base of Task 2", Some(13)),
        ("Implement Task 9: The inverted index", Some(4)),
        ("Sweep the floor of the shop.", Some(20)),
        ("Sweep the floor of the shops", None),
        // What is done and what is asked for cannot be told apart.
        ("Task 2 can use the progress bar", None),
        ("Print the rows", None),
        ("Write the tests of the importer", None),
    ]);
}

#[test]
fn a_number_belongs_to_the_plan_that_is_named() {
    check(&[
        ("Review Task 1 of docs/export.md", Some(11)),
        ("Review Task 1 of `export.md`.", Some(11)),
        ("Read /repo/docs/export.md and review task 1.", Some(11)),
        ("Review Task 1 of ./docs/plans/search.md", Some(1)),
        ("Implement Task 3 of docs/plans/search.md", Some(5)),
        ("Implement Task 3 (plans/search.md:40)", Some(5)),
        ("Implement Task 3 from docs/export.md#task-3", Some(12)),
        ("Implement Task 2 of docs/export.md", None),
        ("Implement Task 2 of docs/plans/other.md", None),
        ("Implement Task 2 of the plan docs/other/search.md", None),
        ("Implement Task 2 and change docs/context.md", Some(4)),
        ("Implement Task 2 of docs/plans/other.md, the implementation", None),
        ("Review Task 1 of docs/export.md, compare docs/plans/search.md", Some(11)),
        ("Read docs/export.md and docs/plans/search.md, then do Task 3", None),
    ]);
}

#[test]
fn a_number_alone_counts_where_one_task_has_it() {
    check(&[
        ("Implement Task 2", Some(4)),
        ("Review the Task 2 implementation", Some(4)),
        ("Implement Task 1", Some(1)),
        ("Review Task 4", Some(6)),
        ("Implement Task 3", None),
        ("Implement Task 12", Some(7)),
        ("Implement Task 1/Step 2", Some(3)),
        ("Implement Task 1, first Task 1/Step 1", Some(1)),
        ("Task 4 is done; implement Task 2", Some(4)),
        ("Review Task 4 before Task 2 begins", None),
        ("Implement Task 2: something else", Some(4)),
        ("Implement Task 2: Rows", None),
        ("Implement Task 12: Ranking", None),
        ("Implement Task 2-3", None),
        ("Implement Task 2–3", None),
        ("Implement Task 2.1", None),
        ("Subtask 2", None),
        ("Implement it", None),
        ("", None),
    ]);
}

#[test]
fn scripts_without_spaces_have_titles_too() {
    let tasks = [task(1, "検索のための転置索引を実装してください")];
    let text = "まず検索のための転置索引を実装してください。";
    assert_eq!(find_mentioned_task(text, &tasks).map(|task| task.number.get()), Some(1));
}
