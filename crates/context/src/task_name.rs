//! Which task a text names that is not an id: the plan's own number, or a title.

use pacenote_model::Task;

use crate::heading::{STEP, TASK, name_of, numbered};

/// Returns the tasks that are called so: by their title, with or without its number (`Task 2: The
/// command`, `The command`), or by their place in the plan (`Task 2`, `Task 2/Step 1`). Small and
/// capital letters are alike.
pub fn tasks_named<'a>(raw: &str, tasks: &'a [Task]) -> Vec<&'a Task> {
    let wanted = folded(raw);
    if wanted.is_empty() {
        return Vec::new();
    }
    let is_meant = |task: &&Task| task_names(task).any(|name| folded(&name) == wanted);
    tasks.iter().filter(is_meant).collect()
}

/// Returns what a task may be called.
pub fn task_names(task: &Task) -> impl Iterator<Item = String> + use<> {
    let title = task.title.as_str();
    let bare = name_of(STEP, name_of(TASK, title));
    let section = task.plan.as_ref().and_then(|plan| plan.section.as_ref());
    let section = section.map(|section| section.as_str().to_owned());
    let whole = section.as_ref().map(|section| format!("{section}: {bare}"));
    let counted = numbered(TASK, title).map(|task| format!("{TASK} {}", task.number));
    [title, bare].map(str::to_owned).into_iter().chain(section).chain(whole).chain(counted)
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use pacenote_model::{PlanPlace, Title, task::PlanFile};

    use super::*;
    use crate::example::{Telling, task};

    #[test]
    fn a_task_is_found_by_the_plans_number_and_by_its_title() {
        let planned = |number, title: &str, section: &str| {
            let file = PlanFile::parse("docs/plan.md").unwrap();
            let section = Some(Title::parse(section).unwrap());
            Task { plan: Some(PlanPlace { file, section }), ..task(number, title) }
        };
        let tasks = [
            planned(1, "Task 1: The parser", "Task 1"),
            planned(2, "Step 1: Write the failing test", "Task 1/Step 1"),
            planned(3, "Task 12: The command", "Task 12"),
            planned(4, "Step 1: Write the failing test", "Task 12/Step 1"),
            task(5, "Task 2: By hand"),
            task(6, "Write docs").below(5),
        ];
        for (raw, found) in [
            ("Task 1", &[1][..]),
            ("task 1", &[1]),
            ("Task 1: The parser", &[1]),
            (" the  Parser ", &[1]),
            ("Task 12", &[3]),
            ("Task 12/Step 1", &[4]),
            ("Step 1: Write the failing test", &[2, 4]),
            ("write the failing test", &[2, 4]),
            ("Task 2", &[5]),
            ("By hand", &[5]),
            ("write docs", &[6]),
            ("Task 3", &[]),
            ("docs", &[]),
            ("", &[]),
        ] {
            let numbers: Vec<u32> =
                tasks_named(raw, &tasks).iter().map(|task| task.number.get()).collect();
            assert_eq!(numbers, found, "{raw:?}");
        }
    }
}
