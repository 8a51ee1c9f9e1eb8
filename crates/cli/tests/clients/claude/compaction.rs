//! What is told again once the client has summarised the conversation.

use pacenote_probe::{Kind, Reply, SUMMARY};
use serde_json::json;

use super::workplace::{LongSkill, NOTES, TITLE, Workplace, model, notes_in};

#[test]
fn the_title_is_there_once_at_the_start_and_once_after_a_compaction_by_hand() {
    let Some(place) = Workplace::new() else { return };
    let task = place.desk.run(&format!("task add '{TITLE}' --json")).json();
    let id = task["id"].as_str().expect("an id").to_owned();
    let claim = format!("{} task claim {id}", place.desk.binary().display());
    let model = model([
        Reply::tool("Bash", json!({ "command": claim, "description": "claim the task" })),
        Reply::text("first answer"),
        Reply::text("second answer"),
    ]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("begin the next task"), "first answer");
    session.ask("/compact");
    assert_eq!(session.ask("go on"), "second answer");
    session.end();

    let [before, claimed, summary, after] = model.requests().try_into().expect("four requests");
    let kinds = [&before, &claimed, &summary, &after].map(|request| request.kind);
    assert_eq!(kinds, [Kind::Conversation, Kind::Conversation, Kind::Summary, Kind::Conversation]);
    assert_eq!(before.occurrences(TITLE), 1, "{}", notes_in(&before));
    assert_eq!(before.occurrences("Nothing is in progress; next is"), 1);
    assert_eq!(summary.occurrences("Additional Instructions"), 0, "hooks instruct nobody here");
    assert_eq!(after.occurrences(SUMMARY), 1, "the conversation was summarised");
    // The old prompt is gone with the conversation, and stands in the notes.
    assert_eq!(after.occurrences("begin the next task"), 1, "{}", notes_in(&after));
    assert!(notes_in(&after).contains("<last_request trust=\"user\">\nbegin the next task"));
    assert_eq!(after.occurrences(NOTES), 1, "{}", notes_in(&after));
    assert_eq!(after.occurrences(TITLE), 1, "{}", notes_in(&after));
    // The claim was made by the session itself, through its own shell; the notes know it again.
    assert_eq!(after.occurrences(&format!("You are at {id}")), 1, "{}", notes_in(&after));

    let sessions = place.desk.run("session list --json").json();
    let session = &sessions["sessions"][0];
    assert_eq!((&session["host"], &session["epoch"]), (&json!("claude"), &json!(2)));
    assert_eq!(session["agent"], place.desk.run("task list --json").json()["tasks"][0]["assignee"]);
    place.must_be_well();
}

#[test]
fn the_title_is_there_once_after_an_automatic_compaction() {
    let Some(place) = Workplace::new() else { return };
    place.person(&format!("task add '{TITLE}'"));
    let model = model([nearly_full(), Reply::text("after the compaction")]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("say hello"), "after the compaction");
    session.end();

    let [before, summary, after] = model.requests().try_into().expect("three requests");
    assert_eq!(summary.kind, Kind::Summary);
    assert_eq!(summary.occurrences("Additional Instructions"), 0, "hooks instruct nobody here");
    assert_eq!(before.occurrences(TITLE), 1, "{}", notes_in(&before));
    assert_eq!(after.occurrences(NOTES), 1, "{}", notes_in(&after));
    assert_eq!(after.occurrences(TITLE), 1, "{}", notes_in(&after));
}

#[test]
fn every_compaction_is_followed_by_one_briefing_however_long() {
    let Some(mut place) = Workplace::new() else { return };
    let skill = LongSkill::of(30_000);
    skill.put_into(&place);
    place.claim(&format!("'{TITLE}' --skill long"));
    let model = model([
        Reply::text("first answer"),
        nearly_full(),
        Reply::text("second answer"),
        Reply::text("third answer"),
    ]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("begin"), "first answer");
    session.ask("/compact");
    assert_eq!(session.ask("say hello"), "second answer");
    session.ask("/compact");
    assert_eq!(session.ask("and farewell"), "third answer");
    let answers = session.end();

    let requests = model.requests();
    let kinds: Vec<_> = requests.iter().map(|request| request.kind).collect();
    let (told, summed_up) = (Kind::Conversation, Kind::Summary);
    assert_eq!(kinds, [told, summed_up, told, summed_up, told, summed_up, told]);
    for request in requests.iter().filter(|request| request.kind == told) {
        skill.must_be_once_in(request);
        assert_eq!(request.occurrences(TITLE), 1, "{}", notes_in(request));
    }
    assert_eq!(answers["SessionStart"].len(), 4 * 4, "every part was asked for four times");

    // A summariser is a fork of the client's own: it ends like a subagent, and is no session.
    assert_eq!(answers["SubagentStop"].len(), 3);
    let sessions = place.desk.run("session list --json").json();
    assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(1), "{sessions}");
    assert_eq!(sessions["sessions"][0]["epoch"], 4);
    let handoff = place.person("session handoff show");
    assert!(handoff.contains(SUMMARY), "{handoff}");
    place.must_be_well();
}

/// Returns a reply after which the client compacts in the middle of the turn: it uses a tool, and
/// says that the context is nearly full.
fn nearly_full() -> Reply {
    let echo = json!({ "command": "echo from-the-tool", "description": "say it" });
    Reply::tool("Bash", echo).usage(980_000, 10)
}
