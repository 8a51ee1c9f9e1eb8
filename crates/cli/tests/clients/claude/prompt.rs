//! What comes with a prompt.

use pacenote_probe::Reply;

use super::workplace::{TITLE, Workplace, conversation, counts, model, notes_in};

#[test]
fn a_prompt_brings_what_is_new_and_only_once() {
    let Some(mut place) = Workplace::new() else { return };
    place.claim(&format!("'{TITLE}'"));
    let model = model(["first answer", "second answer", "third answer"].map(Reply::text));
    let mut session = place.session(&model);
    assert_eq!(session.ask("begin"), "first answer");
    place.person("mail send --to backend --subject 'Use argon2' 'Not bcrypt.'");
    assert_eq!(session.ask("write the login form"), "second answer");
    assert_eq!(session.ask("write its test"), "third answer");
    session.end();

    let requests = conversation(&model);
    let notes = notes_in(&requests[2]);
    // Each request repeats the conversation before it.
    assert_eq!(counts(&requests, TITLE), [1, 1, 1], "{notes}");
    assert_eq!(counts(&requests, "Use argon2"), [0, 1, 1], "{notes}");
    place.must_be_well();
}

#[test]
fn mail_arrives_with_a_trivial_prompt() {
    let Some(mut place) = Workplace::new() else { return };
    place.claim(&format!("'{TITLE}'"));
    let model = model(["first answer", "second answer"].map(Reply::text));
    let mut session = place.session(&model);
    session.ask("begin");
    place.person("mail send --to backend --subject 'Some day' 'There is time.'");
    session.ask("go on");
    place.person("mail send --to backend --subject 'At once' 'Fire!' --importance urgent");
    session.ask("go on");
    session.end();

    let requests = conversation(&model);
    let notes = notes_in(&requests[2]);
    assert_eq!(counts(&requests, "Some day"), [0, 1, 1], "{notes}");
    assert_eq!(counts(&requests, "At once"), [0, 0, 1], "{notes}");
}
