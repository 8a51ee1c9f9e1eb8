//! What a session is told at its start, whatever the scope, the model and the length.

use pacenote_probe::{Reply, Request};
use pacenote_testkit::desk::Ran;
use serde_json::json;

use super::workplace::{
    LongSkill, NOTES, Session, TITLE, Workplace, conversation, model, notes_in,
};

#[test]
fn hooks_for_the_person_bring_the_notes_once() {
    with_hooks_for(&["user"]);
}

#[test]
fn hooks_for_the_project_bring_the_notes_once() {
    with_hooks_for(&["project"]);
}

#[test]
fn hooks_for_the_person_in_this_project_bring_the_notes_once() {
    with_hooks_for(&["local"]);
}

#[test]
fn hooks_for_everybody_at_once_bring_the_notes_once() {
    with_hooks_for(&["user", "project", "local"]);
}

fn with_hooks_for(scopes: &[&str]) {
    let Some(mut place) = Workplace::without_hooks() else { return };
    for scope in scopes {
        place.init(scope);
    }
    place.claim(&format!("'{TITLE}'"));
    must_be_told_once(&first_request(&place, &[]));
    place.must_be_well();
}

#[test]
fn a_path_that_a_shell_would_take_apart_is_called_all_the_same() {
    let Some(mut place) = Workplace::without_hooks() else { return };
    let program = place.desk.root().join("home/Ann's $HOME & \"tools\"/pacenote");
    std::fs::create_dir_all(program.parent().expect("a parent")).expect("a directory");
    std::fs::hard_link(place.desk.binary(), &program).expect("another installed binary");
    let init = place.desk.launch(&program).arguments(["init", "--yes", "--host", "claude"]);
    let ran = Ran::of(&init);
    assert_eq!(ran.code, "0", "{}", ran.stderr);
    place.claim(&format!("'{TITLE}'"));
    must_be_told_once(&first_request(&place, &[]));
}

#[test]
fn a_model_that_is_spoken_to_as_the_system_gets_the_notes() {
    with_model("claude-opus-5-5", "system");
}

#[test]
fn a_model_that_is_spoken_to_as_the_user_gets_the_notes() {
    with_model("claude-haiku-4-5", "user");
}

fn with_model(name: &str, role: &str) {
    let Some(mut place) = Workplace::new() else { return };
    place.claim(&format!("'{TITLE}'"));
    let request = first_request(&place, &["--model", name]);
    must_be_told_once(&request);
    let notes = notes_in(&request);
    assert!(notes.starts_with(&format!("[{role}] ")), "{notes}");
}

#[test]
fn notes_of_9900_characters_arrive_whole() {
    a_skill_arrives_whole(9_900);
}

#[test]
fn notes_of_10001_characters_arrive_whole() {
    a_skill_arrives_whole(10_001);
}

#[test]
fn notes_of_30000_characters_arrive_whole() {
    a_skill_arrives_whole(30_000);
}

fn a_skill_arrives_whole(length: usize) {
    let Some(mut place) = Workplace::new() else { return };
    let skill = LongSkill::of(length);
    skill.put_into(&place);
    place.claim(&format!("'{TITLE}' --skill long"));
    skill.must_be_once_in(&first_request(&place, &[]));
    place.must_be_well();
}

#[test]
fn a_project_without_pacenote_is_told_nothing_and_leaves_no_trace() {
    let Some(mut place) = Workplace::new() else { return };
    place.person(&format!("task add '{TITLE}'"));
    place.desk.go_to("elsewhere");
    let before = place.data();
    let echo = json!({ "command": "echo from the tool", "description": "say it" });
    let model = model([Reply::tool("Bash", echo), Reply::text("aye")]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("begin"), "aye");
    let answers = session.end();
    for request in conversation(&model) {
        assert_eq!(request.occurrences("pacenote"), 0, "{}", notes_in(&request));
    }
    assert_eq!(answers["SessionStart"].len(), 4, "the hooks were asked");
    assert!(place.data() == before, "something was written down");
    assert!(!place.desk.root().join("elsewhere/.pacenote").exists());
}

/// Returns the first thing that a model hears in a new session.
fn first_request(place: &Workplace, arguments: &[&str]) -> Request {
    let model = model([Reply::text("aye")]);
    let mut session = Session::begin(&place.launch(&model).arguments(arguments.iter().copied()));
    assert_eq!(session.ask("begin"), "aye");
    session.end();
    conversation(&model).swap_remove(0)
}

fn must_be_told_once(request: &Request) {
    let notes = notes_in(request);
    assert_eq!(request.occurrences(NOTES), 1, "{notes}");
    assert_eq!(request.occurrences(TITLE), 1, "{notes}");
    assert_eq!(request.occurrences("You are at t-"), 1, "{notes}");
}
