//! Sessions that follow each other at once.

use pacenote_probe::Reply;

use super::workplace::{TITLE, Workplace, conversation, model, notes_in};

#[test]
fn each_session_is_told_what_the_one_before_left() {
    let Some(mut place) = Workplace::new() else { return };
    place.claim(&format!("'{TITLE}'"));
    for number in 0..4 {
        let model = model([Reply::text("aye")]);
        let mut session = place.session(&model);
        assert_eq!(session.ask("go on with the compass"), "aye");
        session.end();
        let request = conversation(&model).swap_remove(0);
        let notes = notes_in(&request);
        if number > 0 {
            let from = format!("session=\"#{number}\" fence=");
            assert_eq!(request.occurrences(&from), 1, "{from}: {notes}");
        }
    }
    place.must_be_well();
}
