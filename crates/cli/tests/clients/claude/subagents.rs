//! What a subagent is told when the client starts one.

use pacenote_probe::{Kind, Reply, Request, Script, Server};
use serde_json::{Value, json};

use super::workplace::{NOTES, TITLE, Workplace, conversation, model, notes_in};

const WHOLE: &str = "Refit the whole boat";
const OTHER: &str = "Sew the torn sail";

#[test]
fn a_subagent_is_told_of_its_task_and_not_of_everything() {
    let Some(place) = boat() else { return };
    let model = model([
        Reply::tool("Agent", errand("Please do #2.")),
        Reply::text("the compass shines"),
        Reply::text("all is well"),
    ]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("have the compass polished"), "all is well");
    let answers = session.end();

    let [asked, subagent, told] = conversation(&model).try_into().expect("three requests");
    for orchestrator in [&asked, &told] {
        let notes = notes_in(orchestrator);
        let counts = [WHOLE, TITLE, OTHER].map(|title| orchestrator.occurrences(title));
        assert_eq!(counts, [1, 1, 1], "{notes}");
    }
    let notes = notes_in(&subagent);
    assert_eq!(subagent.occurrences(NOTES), 1, "{notes}");
    let counts = [WHOLE, TITLE, OTHER].map(|title| subagent.occurrences(title));
    assert_eq!(counts, [1, 1, 0], "its task, and of what that is a step: {notes}");
    assert_eq!(answers["SubagentStart"].len(), 4, "each part was asked for");

    let sessions = place.desk.run("session list --json").json();
    let states: Vec<_> = states_of(&sessions);
    assert_eq!(states, ["completed", "completed"], "{sessions}");
    place.must_be_well();
}

#[test]
fn a_subagent_whose_context_is_compacted_is_told_of_its_task_again() {
    let Some(place) = boat() else { return };
    let echo = json!({ "command": "echo from-the-tool", "description": "say it" });
    let model = model([
        Reply::tool("Agent", errand("Please do #2.")),
        Reply::tool("Bash", echo).usage(980_000, 10),
        Reply::text("the compass shines"),
        Reply::text("all is well"),
        Reply::text("still well"),
    ]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("have the compass polished"), "all is well");
    assert_eq!(session.ask("and now?"), "still well");
    session.end();

    let requests = model.requests();
    assert_eq!(requests.iter().filter(|request| request.kind == Kind::Summary).count(), 1);
    let [_, before, after, _, last] = conversation(&model).try_into().expect("five requests");
    for subagent in [&before, &after] {
        let notes = notes_in(subagent);
        assert_eq!(subagent.occurrences(NOTES), 1, "{notes}");
        let counts = [WHOLE, TITLE, OTHER].map(|title| subagent.occurrences(title));
        assert_eq!(counts, [1, 1, 0], "{notes}");
    }
    assert_eq!(last.occurrences(NOTES), 1, "the session lost nothing: {}", notes_in(&last));
    let told = place.desk.run("session list --json").json();
    let epochs: Vec<_> = told["sessions"].as_array().expect("sessions").iter().collect();
    let epochs: Vec<_> = epochs.iter().map(|session| session["epoch"].as_u64()).collect();
    assert!(epochs.contains(&Some(1)) && epochs.contains(&Some(2)), "{epochs:?}");
    place.must_be_well();
}

#[test]
fn of_subagents_that_are_asked_at_once_none_is_given_the_task_of_another() {
    let Some(place) = boat() else { return };
    let errands = [errand("Please do #2."), errand("Please do #3.")];
    let model = model([
        Reply::tools(errands.map(|errand| ("Agent", errand))),
        Reply::text("done"),
        Reply::text("done"),
        Reply::text("all is well"),
    ]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("have everything done"), "all is well");
    session.end();

    let requests = conversation(&model);
    for (prompt, own, others) in [("do #2.", TITLE, OTHER), ("do #3.", OTHER, TITLE)] {
        let subagent = asked_for(&requests, prompt);
        let notes = notes_in(subagent);
        assert_eq!(subagent.occurrences(others), 0, "{prompt}\n{notes}");
        assert!(subagent.occurrences(own) <= 1, "{prompt}\n{notes}");
        assert_eq!(subagent.occurrences(NOTES), 1, "{prompt}\n{notes}");
    }
}

#[test]
fn a_subagent_reads_of_the_task_in_its_prompt_whatever_its_type() {
    for agent_type in [Some("claude"), None] {
        let Some(mut place) = Workplace::new() else { return };
        place.claim(&format!("'{WHOLE}'"));
        place.person(&format!("task add '{OTHER}'"));
        let mut errand = errand("Please do #2.");
        match agent_type {
            Some(agent_type) => errand["subagent_type"] = json!(agent_type),
            None => drop(errand.as_object_mut().expect("fields").remove("subagent_type")),
        }
        let model = model([
            Reply::tool("Agent", errand),
            Reply::text("the sail is whole"),
            Reply::text("all is well"),
        ]);
        let mut session = place.session(&model);
        assert_eq!(session.ask("have the sail sewn"), "all is well");
        session.end();
        let [_, subagent, _] = conversation(&model).try_into().expect("three requests");
        let notes = notes_in(&subagent);
        let counts = [OTHER, WHOLE].map(|title| subagent.occurrences(title));
        assert_eq!(counts, [1, 0], "{agent_type:?}: {notes}");
    }
}

#[test]
fn a_subagent_that_only_looks_reads_nothing_of_ours() {
    let Some(place) = boat() else { return };
    let model = model([
        Reply::tool("Agent", errand("Find all ropes and report where they are.")),
        Reply::text("on deck"),
        Reply::text("all is well"),
    ]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("where are the ropes?"), "all is well");
    session.end();
    let [_, subagent, _] = conversation(&model).try_into().expect("three requests");
    assert_eq!(subagent.occurrences(NOTES), 0, "{}", notes_in(&subagent));
}

#[test]
fn that_a_subagent_in_the_background_is_done_is_no_prompt_of_a_person() {
    let Some(place) = boat() else { return };
    place.rules(
        "\
on_before_agent:
  - name: heard
    action: inject_message
    content: A person spoke.
",
    );
    let mut errand = errand("Please do #2.");
    errand["run_in_background"] = json!(true);
    let wait = json!({ "command": "until [ -e go ]; do sleep 0.02; done", "description": "wait" });
    let main =
        [Reply::tool("Agent", errand), Reply::text("it is being done"), Reply::text("it was done")];
    let subagent = [Reply::tool("Bash", wait), Reply::text("the compass shines")];
    let script = Script::new(main).apart("Please do #2.", subagent);
    let model = Server::start(script).expect("the scripted model");
    let mut session = place.session(&model);
    assert_eq!(session.ask("have the compass polished"), "it is being done");
    place.desk.write("go", "");
    assert_eq!(session.answer(), "it was done", "the client itself goes on");
    let answers = session.end();

    let requests = conversation(&model);
    let notified = requests.last().expect("a request");
    assert_eq!(notified.occurrences("the compass shines"), 1);
    assert_eq!(notified.occurrences("A person spoke."), 1, "{}", notes_in(notified));
    let [prompt, notification] = answers["UserPromptSubmit"].as_slice() else {
        panic!("the client calls both a prompt: {answers:?}")
    };
    assert_ne!(*prompt, json!({}));
    assert_eq!(*notification, json!({}));
    place.must_be_well();
}

/// Sets up a workplace with a task of two steps: `#2` with [`TITLE`], `#3` with [`OTHER`].
fn boat() -> Option<Workplace> {
    let mut place = Workplace::new()?;
    place.claim(&format!("'{WHOLE}'"));
    for title in [TITLE, OTHER] {
        place.person(&format!("task add '{title}' --parent '#1'"));
    }
    Some(place)
}

/// Returns what the agent tool is given so that its caller waits for the subagent.
fn errand(prompt: &str) -> Value {
    json!({
        "description": "one step",
        "prompt": prompt,
        "subagent_type": "general-purpose",
        "run_in_background": false,
    })
}

/// Returns the request of the subagent that was given a prompt: the orchestrator has it only in a
/// call of a tool, which is no text.
fn asked_for<'r>(requests: &'r [Request], prompt: &str) -> &'r Request {
    let found = requests.iter().find(|request| request.occurrences(prompt) > 0);
    found.expect("a subagent that was asked")
}

fn states_of(sessions: &Value) -> Vec<&str> {
    let sessions = sessions["sessions"].as_array().expect("sessions");
    sessions.iter().map(|session| session["status"].as_str().expect("a state")).collect()
}
