//! What the model puts on the client's own list becomes tasks.

use pacenote_probe::Reply;
use serde_json::{Value, json};

use super::workplace::{Session, Workplace, model};

#[test]
fn what_is_on_the_clients_list_is_a_step_of_the_task() {
    let Some(mut place) = Workplace::new() else { return };
    place.claim("'Refit the whole boat'");
    let create = |subject: &str| {
        Reply::tool("TaskCreate", json!({ "subject": subject, "description": "…" }))
    };
    let update = |id: &str, status: &str| {
        Reply::tool("TaskUpdate", json!({ "taskId": id, "status": status }))
    };
    let model = model([
        create("Polish the compass"),
        create("Sew the sail"),
        create("Paint the name"),
        Reply::text("planned"),
        update("1", "in_progress"),
        Reply::text("begun"),
        update("1", "completed"),
        update("2", "in_progress"),
        update("3", "deleted"),
        Reply::text("done"),
    ]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("plan it"), "planned");
    assert_eq!(
        steps(&place),
        ["Polish the compass: open", "Sew the sail: open", "Paint the name: open"]
    );
    assert_eq!(session.ask("begin with the compass"), "begun");
    assert_eq!(
        steps(&place),
        ["Polish the compass: in_progress", "Sew the sail: open", "Paint the name: open"]
    );
    assert_eq!(session.ask("now the sail, and leave the name"), "done");
    assert_eq!(
        steps(&place),
        ["Polish the compass: done", "Sew the sail: in_progress", "Paint the name: skipped"]
    );
    session.end();
    place.must_be_well();
}

#[test]
fn the_older_list_that_is_written_as_a_whole_is_mirrored_too() {
    let Some(mut place) = Workplace::new() else { return };
    place.claim("'Refit the whole boat'");
    let write = |[compass, sail]: [&str; 2]| {
        let todo = |content: &str, status: &str| json!({ "content": content, "status": status, "activeForm": content });
        let todos = [todo("Polish the compass", compass), todo("Sew the sail", sail)];
        Reply::tool("TodoWrite", json!({ "todos": todos }))
    };
    let model = model([
        write(["pending", "pending"]),
        Reply::text("planned"),
        write(["in_progress", "pending"]),
        write(["completed", "in_progress"]),
        Reply::text("half done"),
    ]);
    let launch = place.launch(&model).variable("CLAUDE_CODE_ENABLE_TASKS", "0");
    let mut session = Session::begin(&launch);
    assert_eq!(session.ask("plan it"), "planned");
    assert_eq!(steps(&place), ["Polish the compass: open", "Sew the sail: open"]);
    assert_eq!(session.ask("now do it"), "half done");
    assert_eq!(steps(&place), ["Polish the compass: done", "Sew the sail: in_progress"]);
    session.end();
    place.must_be_well();
}

/// Returns the steps of the first task, each with its state.
fn steps(place: &Workplace) -> Vec<String> {
    let list = place.desk.run("task list --json").json();
    let tasks = list["tasks"].as_array().expect("tasks");
    let is_step = |task: &&Value| task["parent"] == tasks[0]["id"];
    let word = |value: &Value| value.as_str().expect("a word").to_owned();
    let step = |task: &Value| format!("{}: {}", word(&task["title"]), word(&task["state"]));
    let steps: Vec<_> = tasks.iter().filter(is_step).map(step).collect();
    assert_eq!(steps.len() + 1, tasks.len(), "{list}");
    steps
}
