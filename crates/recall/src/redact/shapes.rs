//! Twenty-five common credentials, each in all the places where a session shows them.

use pacenote_testkit::credentials::{SHAPES, Shape};

use super::Redactor;

/// The places a sentence stands in.
const PLACES: [(&str, &str); 5] = [
    ("prose", "I looked at the log, SENTENCE. Then I went on."),
    ("command line", "$ deploy --verbose --note 'SENTENCE' --force"),
    ("diff", "@@ -1,2 +1,2 @@\n-# nothing\n+# SENTENCE\n context"),
    ("URL", "see https://host.example/path?page=2&note=SENTENCE&size=10"),
    ("JSON", "{\"role\":\"user\",\"text\":\"first\\nSENTENCE\\nlast \\\"word\\\"\"}"),
];

#[test]
fn twenty_five_credentials_are_gone_from_every_place() {
    let redactor = Redactor::new();
    let mut left = Vec::new();
    for Shape { name, secret: [first, second], sentence } in SHAPES {
        let secret = format!("{first}{second}");
        for (place, around) in PLACES {
            let secret = if place == "JSON" { secret.replace('\n', "\\n") } else { secret.clone() };
            let sentence = sentence.replace('…', &secret);
            let text = around.replace("SENTENCE", &sentence);
            let redacted = redactor.redact(&text).text;
            // No half of it is left either.
            if redacted.contains(second) || redacted.contains(secret.split_at(secret.len() / 2).1) {
                left.push(format!("{name} in {place}: {redacted}"));
            }
            let (head, tail) = around.split_once("SENTENCE").unwrap();
            assert!(redacted.starts_with(head) && redacted.ends_with(tail), "{name}: {redacted}");
        }
    }
    assert!(left.is_empty(), "{} are left\n{}", left.len(), left.join("\n"));
}
