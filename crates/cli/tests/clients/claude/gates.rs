//! Gates: what the client refuses its model because a rule says so.

use pacenote_probe::Reply;
use serde_json::{Value, json};

use super::workplace::{Workplace, conversation, counts, model};

const REFUSAL: &str = "Files are changed for a task, and you have none in progress.";

#[test]
fn a_file_is_not_written_before_a_task_is_claimed() {
    let Some(place) = Workplace::new() else { return };
    place.rules("enable: [task-before-edit]\n");
    place.person("task add 'Write the poem'");
    let claim = format!("{} task claim '#1'", place.desk.binary().display());
    let model = model([
        Reply::tool("Write", poem(&place)),
        Reply::text("it was refused"),
        Reply::tool("Bash", json!({ "command": claim, "description": "claim the task" })),
        Reply::tool("Write", poem(&place)),
        Reply::text("it was written"),
    ]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("write a poem"), "it was refused");
    assert_eq!(place.file("shop/poem.txt"), None);
    assert_eq!(session.ask("claim the task first"), "it was written");
    assert_eq!(place.file("shop/poem.txt").as_deref(), Some("roses\n"));
    session.end();

    let requests = conversation(&model);
    assert_eq!(counts(&requests, REFUSAL), [0, 1, 1, 1, 1], "the model is told why, once");
    assert_eq!(requests[1].occurrences("pacenote allow task-before-edit"), 1, "and the way out");
    place.must_be_well();
}

#[test]
fn a_gate_that_the_person_opened_lets_one_file_pass() {
    let Some(place) = Workplace::new() else { return };
    place.rules("enable: [task-before-edit]\n");
    let write = || Reply::tool("Write", poem(&place));
    let model = model([write(), write(), Reply::text("once it was refused")]);
    place.person("allow task-before-edit --once --yes");
    let mut session = place.session(&model);
    assert_eq!(session.ask("write a poem, twice"), "once it was refused");
    session.end();
    assert_eq!(place.file("shop/poem.txt").as_deref(), Some("roses\n"));
    assert_eq!(counts(&conversation(&model), REFUSAL), [0, 0, 1]);
}

#[test]
fn an_agent_cannot_open_a_gate_from_its_own_shell() {
    let Some(place) = Workplace::new() else { return };
    place.rules("enable: [task-before-edit]\n");
    let allow = format!("{} allow task-before-edit --yes", place.desk.binary().display());
    let model = model([
        Reply::tool("Bash", json!({ "command": allow, "description": "open the gate" })),
        Reply::tool("Write", poem(&place)),
        Reply::text("it was refused"),
    ]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("write a poem"), "it was refused");
    session.end();
    assert_eq!(place.file("shop/poem.txt"), None);
    let requests = conversation(&model);
    assert_eq!(counts(&requests, "only a person can do this, not an agent"), [0, 1, 1]);
    assert_eq!(counts(&requests, REFUSAL), [0, 0, 1]);
}

#[test]
fn an_agent_is_kept_going_as_often_as_the_rule_says_and_then_let_go() {
    let Some(mut place) = Workplace::new() else { return };
    place.claim("'Write the poem'");
    place.rules(
        "\
on_stop:
  - name: finish-first
    action: block_stop
    when: task.active
    reason: \"{{ task.title }} is not closed.\"
    limit: 2
",
    );
    let model = model(["one", "two", "three", "four", "five", "six"].map(Reply::text));
    let mut session = place.session(&model);
    assert_eq!(session.ask("write a poem"), "three", "twice it was kept going");
    assert_eq!(session.ask("and another one"), "six", "a prompt begins the count anew");
    session.end();
    // The client says the reason twice each time; this is how it begins to.
    let feedback = "Stop hook feedback:\nWrite the poem is not closed.";
    assert_eq!(counts(&conversation(&model), feedback), [0, 1, 2, 2, 3, 4]);
}

fn poem(place: &Workplace) -> Value {
    json!({ "file_path": place.desk.root().join("shop/poem.txt"), "content": "roses\n" })
}
