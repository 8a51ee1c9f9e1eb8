//! What is left once we are gone: everything of others, and nothing of ours.

use pacenote_probe::Reply;
use pacenote_testkit::desk::Ran;
use serde_json::{Value, json};

use super::workplace::{NOTES, TITLE, Workplace, conversation, counts, model};

/// Settings as a person writes them, with a hook of their own.
const SETTINGS: &str = r#"{
    "cleanupPeriodDays":  30,
    "hooks": { "SessionStart": [
        { "hooks": [{ "type": "command", "command": "echo '{}'" }] } ] },

  "env": {"GREETING": "ahoy"} }
"#;

const FILE: &str = "home/.claude/settings.json";

#[test]
fn settings_are_what_they_were_and_the_clients_own_hooks_still_run() {
    let Some(place) = Workplace::without_hooks() else { return };
    place.desk.write("../home/.claude/settings.json", SETTINGS);
    place.init("user");
    place.person(&format!("task add '{TITLE}'"));
    let begin = || {
        let model = model([Reply::text("aye")]);
        let mut session = place.session(&model);
        session.ask("begin");
        let answers = session.end();
        (counts(&conversation(&model), NOTES), answers)
    };
    let (notes, answers) = begin();
    assert_eq!((notes, answers["SessionStart"].len()), (vec![1], 1 + 4));

    place.person("uninstall --yes");
    assert_eq!(place.file(FILE).as_deref(), Some(SETTINGS));
    let seen = || place.desk.run("session list --json").json()["sessions"].clone();
    let before = seen();
    let (notes, answers) = begin();
    assert_eq!(notes, [0]);
    let ran: Vec<_> = answers.iter().map(|(event, answers)| (&**event, answers.len())).collect();
    assert_eq!(ran, [("SessionStart", 1)], "theirs runs, and none of ours");
    assert_eq!(seen(), before, "nobody saw the session");
}

#[test]
fn a_project_is_left_without_a_trace() {
    let Some(place) = Workplace::without_hooks() else { return };
    for scope in ["user", "project", "local"] {
        place.init(scope);
    }
    place.person("uninstall --yes");
    for path in [FILE, "shop/.claude", "shop/.pacenote"] {
        assert!(!place.desk.root().join(path).exists(), "{path}");
    }
}

#[test]
fn settings_that_the_client_rewrote_keep_its_change_and_lose_ours() {
    let Some(place) = Workplace::without_hooks() else { return };
    place.desk.write("../home/.claude/settings.json", SETTINGS);
    place.init("user");
    place.person(&format!("task add '{TITLE}'"));
    add_marketplace(&place);
    let rewritten = settings(&place);
    assert_eq!(rewritten["hooks"].as_object().map(serde_json::Map::len), Some(13));

    place.person("uninstall --yes");
    let mut expected: Value = serde_json::from_str(SETTINGS).expect("JSON");
    expected["extraKnownMarketplaces"] = rewritten["extraKnownMarketplaces"].clone();
    assert_eq!(settings(&place), expected);

    let model = model([Reply::text("aye")]);
    let mut session = place.session(&model);
    session.ask("begin");
    assert_eq!(session.end().len(), 1, "only the other hook runs");
    assert_eq!(counts(&conversation(&model), NOTES), [0]);
}

/// Has the client write its settings anew, all of them in its own form.
fn add_marketplace(place: &Workplace) {
    let marketplace = json!({ "name": "pier", "owner": { "name": "Ann" }, "plugins": [] });
    place.desk.write("../pier/.claude-plugin/marketplace.json", &marketplace.to_string());
    let ran = Ran::of(&place.program().arguments(["plugin", "marketplace", "add", "../pier"]));
    assert_eq!(ran.code, "0", "{}{}", ran.stdout, ran.stderr);
    let text = place.file(FILE).expect("settings");
    assert!(!text.contains("30,\n    \"hooks\": { "), "written anew");
}

fn settings(place: &Workplace) -> Value {
    let text = place.file(FILE).expect("settings");
    serde_json::from_str(&text).expect("JSON")
}
