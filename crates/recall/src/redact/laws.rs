//! Laws that hold for every text: redacting it twice changes nothing, and how it is cut does not
//! matter.

use proptest::prelude::*;

use super::*;

/// What can stand inside a token unseen.
const INVISIBLE: [&str; 16] = [
    "\u{200b}",
    "\u{200d}",
    "\u{ad}",
    "\u{feff}",
    "\u{2060}",
    "\u{202e}",
    "\u{e0041}",
    "\u{fe0f}",
    "\u{8}",
    "\u{1b}[31m",
    "\u{1b}[0m",
    "\u{9b}1;32m",
    "\u{1b}]8;;https://host.example\u{7}",
    r"\u001b[1;31m",
    r"\u200b",
    "\u{200b}\u{1b}[38;5;196m\u{ad}",
];

fn redactor() -> &'static Redactor {
    static REDACTOR: Redactor = Redactor::new();
    &REDACTOR
}

/// Examples of all rules, whole and cut, with all kinds of things between them.
fn text() -> impl Strategy<Value = String> {
    let examples: Vec<String> = rules()
        .flat_map(|rule| rule.hits)
        .map(|example| {
            let [first, second] = example.secret;
            format!("{}{first}{second}{}", example.before, example.behind)
        })
        .collect();
    let keywords: Vec<&str> = rules().flat_map(|rule| rule.keywords).copied().collect();
    let part = prop_oneof![
        4 => prop::sample::select(examples.clone()),
        1 => (prop::sample::select(examples), any::<prop::sample::Index>()).prop_map(
            |(example, cut)| example.chars().take(cut.index(example.len() + 1)).collect()
        ),
        2 => prop::sample::select(keywords).prop_map(str::to_owned),
        1 => prop::sample::select(rules().map(|rule| rule.id).collect::<Vec<_>>())
            .prop_map(|id| format!("[redacted: {id}]")),
        3 => "[ =:\"'@/\\\\\n.a-zA-Z0-9_-]{0,12}",
        1 => "\\PC{0,20}",
        1 => prop::sample::select(&INVISIBLE[..]).prop_map(str::to_owned),
        1 => Just("\n    ".to_owned()),
        1 => (1_usize..400).prop_map(|length| "word ".repeat(length)),
    ];
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

/// Cuts a text at the given places, between characters.
fn cut<'t>(text: &'t str, places: &[prop::sample::Index]) -> Vec<&'t str> {
    let mut places: Vec<_> =
        places.iter().map(|place| text.floor_char_boundary(place.index(text.len() + 1))).collect();
    places.sort_unstable();
    let mut pieces = Vec::new();
    let mut start = 0;
    for place in places.into_iter().chain([text.len()]) {
        pieces.push(text.get(start..place).unwrap());
        start = place;
    }
    pieces
}

fn in_pieces(pieces: &[&str]) -> Redacted<'static> {
    let mut fed = redactor().pieces();
    let mut text = String::new();
    for piece in pieces {
        text += &fed.feed(piece);
    }
    let Redacted { text: rest, found } = fed.finish();
    Redacted { text: (text + &rest).into(), found }
}

proptest! {
    #[test]
    fn redacting_twice_changes_nothing(text in text()) {
        let once = redactor().redact(&text).text;
        let twice = redactor().redact(&once);
        prop_assert_eq!(&twice.text, &once);
        prop_assert!(twice.found.is_empty());
    }

    #[test]
    fn a_token_is_found_whatever_is_hidden_in_it(
        rule in prop::sample::select(rules().collect::<Vec<_>>()),
        example in any::<prop::sample::Index>(),
        hidden in prop::collection::vec(
            (prop::sample::select(&INVISIBLE[..]), any::<prop::sample::Index>()),
            1..4,
        ),
    ) {
        let example = example.get(rule.hits);
        let mut secret = example.secret.concat();
        let inside = |place: &prop::sample::Index| place.index(secret.len() - 1) + 1;
        let mut hidden: Vec<_> =
            hidden.iter().map(|(invisible, place)| (inside(place), *invisible)).collect();
        // From the end on, so that none is put into another.
        hidden.sort_unstable();
        for (place, invisible) in hidden.into_iter().rev() {
            secret.insert_str(place, invisible);
        }
        let text = format!("{}{secret}{}", example.before, example.behind);
        let redacted = redactor().redact(&text);
        prop_assert_eq!(redacted.found.len(), 1);
        // A part between two hidden characters may look like another kind of secret.
        let found = redacted.found[0].rule;
        let expected = format!("{}[redacted: {found}]{}", example.before, example.behind);
        prop_assert_eq!(redacted.text, expected);
    }

    #[test]
    fn what_is_kept_stands_in_the_text_in_order(text in text()) {
        // Markers that stand there already could be taken for new ones.
        let text = text.replace("[redacted: ", "[");
        let redacted = redactor().redact(&text);
        let mut rest = text.as_str();
        let markers: Vec<String> =
            redacted.found.iter().map(|found| format!("[redacted: {}]", found.rule)).collect();
        let mut kept = redacted.text.as_ref();
        for marker in &markers {
            let (before, behind) = kept.split_once(marker.as_str()).unwrap();
            let at = rest.find(before);
            prop_assert!(at.is_some(), "{before:?}");
            rest = rest.get(at.unwrap() + before.len()..).unwrap();
            kept = behind;
        }
        prop_assert!(rest.ends_with(kept));
    }

    #[test]
    fn any_text_is_redacted(text in "\\PC{0,200}|(?s:.){0,200}") {
        let once = redactor().redact(&text).text;
        prop_assert_eq!(&redactor().redact(&once).text, &once);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn how_a_text_is_cut_does_not_matter(
        parts in prop::collection::vec((text(), 0_usize..60_000), 1..6),
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let filler = |length: usize| "just some words and then a line\n".repeat(length / 32);
        let text: String =
            parts.iter().flat_map(|(text, length)| [text.clone(), filler(*length)]).collect();
        let whole = redactor().redact(&text);
        prop_assert_eq!(in_pieces(&cut(&text, &places)), whole);
    }
}

#[test]
fn a_secret_is_found_wherever_the_text_is_settled() {
    let filler = |bytes: usize| "just some words and then a line\n".repeat(bytes / 32);
    let examples: Vec<String> = rules()
        .filter_map(|rule| rule.hits.first())
        .map(|example| {
            let [first, second] = example.secret;
            format!("{}{first}{second}{}\n", example.before, example.behind)
        })
        .collect();
    let examples = examples.concat();
    let before = filler(pieces::GATHERED);
    let text = format!("{before}{examples}{}", filler(2 * pieces::UNSETTLED));
    let whole = redactor().redact(&text);
    for settled in (0..examples.len()).step_by(examples.len() / 20) {
        let place = text.floor_char_boundary(before.len() + settled + pieces::UNSETTLED);
        let (head, tail) = text.split_at(place);
        assert_eq!(in_pieces(&[head, tail]), whole, "settled at {settled}");
    }
}
