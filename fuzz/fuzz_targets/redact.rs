//! Whatever a text is, redacting it twice changes nothing, and neither does how it is cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pacenote_recall::redact::Redactor;

static REDACTOR: Redactor = Redactor::new();

fuzz_target!(|text: &str| {
    let once = REDACTOR.redact(text);
    let twice = REDACTOR.redact(&once.text);
    assert_eq!(twice.text, once.text);
    assert!(twice.found.is_empty(), "{:?}", twice.found);

    let (head, tail) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let mut pieces = REDACTOR.pieces();
    let settled = pieces.feed(head) + &pieces.feed(tail);
    let rest = pieces.finish();
    assert_eq!(settled + &rest.text, once.text);
    assert_eq!(rest.found, once.found);
});
