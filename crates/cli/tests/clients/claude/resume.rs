//! Sessions that go on: in another process, and with an empty context.

use pacenote_probe::Reply;
use serde_json::json;

use super::workplace::{NOTES, Session, TITLE, Workplace, conversation, counts, model, notes_in};

/// Returns a place with a task in progress, and the id of a session that ended after one turn.
fn after_one_turn() -> Option<(Workplace, String)> {
    let mut place = Workplace::new()?;
    place.claim(&format!("'{TITLE}'"));
    let before = model([Reply::text("first answer")]);
    let mut session = place.session(&before);
    assert_eq!(session.ask("begin"), "first answer");
    let id = session.id.clone();
    session.end();
    Some((place, id))
}

#[test]
fn a_session_that_is_resumed_is_told_only_what_is_new() {
    let Some((place, id)) = after_one_turn() else { return };
    let resume = |text: &str| {
        let model = model([Reply::text("aye")]);
        let mut session = Session::begin(&place.launch(&model).arguments(["--resume", &id]));
        assert_eq!(session.ask(text), "aye");
        assert_eq!(session.id, id);
        let answers = session.end();
        (conversation(&model).swap_remove(0), answers)
    };
    let (unchanged, answers) = resume("polish it well");
    // The client itself would keep a text that it has already from the model.
    assert!(answers["SessionStart"].iter().all(|answer| *answer == json!({})), "{answers:?}");
    assert_eq!(unchanged.occurrences("first answer"), 1, "the conversation is replayed");
    assert_eq!(unchanged.occurrences(NOTES), 1, "{}", notes_in(&unchanged));
    assert_eq!(unchanged.occurrences(TITLE), 1, "{}", notes_in(&unchanged));

    place.person("mail send --to backend --subject 'Use wax' 'Not oil.'");
    let (changed, _) = resume("polish it better");
    assert_eq!(changed.occurrences("Use wax"), 1, "{}", notes_in(&changed));
    assert_eq!(changed.occurrences(NOTES), 2, "{}", notes_in(&changed));
    assert_eq!(changed.occurrences(TITLE), 1, "{}", notes_in(&changed));
    place.must_be_well();
}

#[test]
fn a_fork_is_a_session_of_its_own() {
    let Some((place, id)) = after_one_turn() else { return };
    let model = model([Reply::text("aye"), Reply::text("well")]);
    let launch = place.launch(&model).arguments(["--resume", &id, "--fork-session"]);
    let mut fork = Session::begin(&launch);
    assert_eq!(fork.ask("another way"), "aye");
    assert_eq!(fork.ask("and on"), "well");
    assert_ne!(fork.id, id);
    let answers = fork.end();
    let requests = conversation(&model);
    assert_eq!(counts(&requests, "first answer"), [1, 1], "the conversation is replayed");
    // It reads everything again, because it has another name.
    assert!(answers["SessionStart"].iter().any(|answer| answer.to_string().contains(TITLE)));
    assert_eq!(counts(&requests, NOTES), [2, 2], "{}", notes_in(&requests[1]));
    let sessions = place.desk.run("session list --json").json();
    assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(2));
    // The client's word for it is known, or the doctor would tell of a newer client.
    place.must_be_well();
}

#[test]
fn a_session_that_is_cleared_is_told_everything_once() {
    let Some(mut place) = Workplace::new() else { return };
    place.claim(&format!("'{TITLE}'"));
    let model = model([Reply::text("first answer"), Reply::text("second answer")]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("begin"), "first answer");
    let first = session.id.clone();
    // The worker of the first turn ingests its log; a person types more slowly than it works.
    place.person("session list");
    session.ask("/clear");
    assert_eq!(session.ask("begin again"), "second answer");
    assert_ne!(session.id, first, "the client begins another session");
    session.end();

    let requests = conversation(&model);
    let notes = notes_in(&requests[1]);
    // The old conversation is gone, and what it ended with stands in the handoff.
    assert_eq!(counts(&requests, "first answer"), [0, 1], "{notes}");
    assert!(notes.contains("Last words: first answer"), "{notes}");
    assert_eq!(counts(&requests, NOTES), [1, 1], "{notes}");
    // One task alone is in the sentence about the position.
    assert_eq!(counts(&requests, TITLE), [1, 1], "{notes}");

    let sessions = place.desk.run("session list --json").json();
    let sessions = sessions["sessions"].as_array().expect("sessions");
    let states: Vec<_> = sessions.iter().map(|session| &session["status"]).collect();
    assert_eq!(states, ["completed", "completed"]);
    place.must_be_well();
}
