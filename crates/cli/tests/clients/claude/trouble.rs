//! When something is wrong with us, the client is not bothered, and `doctor` knows.

use pacenote_probe::Reply;
use serde_json::json;

use super::workplace::{NOTES, TITLE, Workplace, conversation, counts, model};

#[test]
fn a_store_that_cannot_be_read_costs_the_notes_and_not_the_session() {
    let Some(mut place) = Workplace::new() else { return };
    place.claim(&format!("'{TITLE}'"));
    place.must_be_well();
    place.desk.write("../home/.local/share/pacenote/pacenote.db", "this is no database");

    let echo = json!({ "command": "echo from the tool", "description": "say it" });
    let model = model([Reply::tool("Bash", echo), Reply::text("aye")]);
    let mut session = place.session(&model);
    assert_eq!(session.ask("begin"), "aye");
    let answers = session.end();
    assert_eq!(counts(&conversation(&model), NOTES), [0, 0]);
    assert!(answers.values().flatten().all(|answer| *answer == json!({})), "{answers:?}");

    let report = place.desk.run("doctor").stdout;
    for said in ["fail  store: ", "hook failures: ", "file is not a database"] {
        assert!(report.contains(said), "{said}\n{report}");
    }
}
