use proptest::prelude::*;

use super::{super::SETTINGS_BYTES, *};

fn told(text: &str) -> String {
    match Document::read(text) {
        Ok(Document { root: Some(root), .. }) => root.kind.to_string(),
        Ok(Document { root: None, .. }) => "nothing".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_people_write_into_settings_is_read() {
    for (text, kind) in [
        ("", "nothing"),
        ("\u{feff}", "nothing"),
        (" \t\r\n", "nothing"),
        ("// later\n/* or never */", "nothing"),
        ("\u{feff}{}", "an object"),
        ("[1, 2,]", "an array"),
        ("{\"a\": 1, /* c */ \"b\": [true, null, -1.5e3], // d\r\n}\r\n// e", "an object"),
        (r#"{"half": "\ud800", "a": 1, "a": 2}"#, "an object"),
        (r#""\"{ // no comment""#, "a string"),
        ("0", "a number"),
        ("false//", "a boolean"),
        ("null", "null"),
    ] {
        assert_eq!(told(text), kind, "{text:?}");
    }
}

#[test]
fn what_is_no_json_is_refused_where_it_begins() {
    let rows = [
        "{",
        "{,}",
        "{\"a\" 1}",
        "{\"a\":}",
        "{a: 1}",
        "{'a': 1}",
        "{\"a\": 1 \"b\": 2}",
        "{\n  \"é\": ,\n}",
        "[1,,2]",
        "[1}",
        "{} {}",
        "\"open",
        "\"\\x\"",
        "\"a\tb\"",
        "[\"\0\"]",
        "\0",
        "[01]",
        "[+1]",
        "[.5]",
        "[NaN]",
        "[nul]",
        "/* open",
        "\u{feff}\u{feff}{}",
        "[\u{a0}1]",
        "# comment\n{}",
    ];
    let rows = rows.map(|text| format!("{text:?}: {}", told(text)));
    insta::assert_snapshot!(rows.join("\n"), @r##"
    "{": line 1, column 2 is no JSON: a key in double quotes or a closing bracket was expected
    "{,}": line 1, column 2 is no JSON: a key in double quotes or a closing bracket was expected
    "{\"a\" 1}": line 1, column 6 is no JSON: a colon was expected
    "{\"a\":}": line 1, column 6 is no JSON: a value was expected
    "{a: 1}": line 1, column 2 is no JSON: a key in double quotes or a closing bracket was expected
    "{'a': 1}": line 1, column 2 is no JSON: a key in double quotes or a closing bracket was expected
    "{\"a\": 1 \"b\": 2}": line 1, column 9 is no JSON: a comma or a closing bracket was expected
    "{\n  \"é\": ,\n}": line 2, column 8 is no JSON: a value was expected
    "[1,,2]": line 1, column 4 is no JSON: a value was expected
    "[1}": line 1, column 3 is no JSON: a comma or a closing bracket was expected
    "{} {}": line 1, column 4 is no JSON: the end of the file was expected
    "\"open": line 1, column 1 is no JSON: a string that is closed was expected
    "\"\\x\"": line 1, column 1 is no JSON: a value was expected
    "\"a\tb\"": line 1, column 1 is no JSON: a value was expected
    "[\"\0\"]": line 1, column 2 is no JSON: a value was expected
    "\0": line 1, column 1 is no JSON: a value was expected
    "[01]": line 1, column 2 is no JSON: a value was expected
    "[+1]": line 1, column 2 is no JSON: a value was expected
    "[.5]": line 1, column 2 is no JSON: a value was expected
    "[NaN]": line 1, column 2 is no JSON: a value was expected
    "[nul]": line 1, column 2 is no JSON: a value was expected
    "/* open": line 1, column 1 is no JSON: a comment that is closed was expected
    "\u{feff}\u{feff}{}": line 1, column 1 is no JSON: a value was expected
    "[\u{a0}1]": line 1, column 2 is no JSON: a value was expected
    "# comment\n{}": line 1, column 1 is no JSON: a value was expected
    "##);
}

#[test]
fn size_and_depth_are_bounded() {
    let brackets = "[".repeat(100_000);
    let keys = "{\"a\":".repeat(100_000);
    let largest = format!("[{}0]", "0,".repeat((SETTINGS_BYTES - 3) / 2));
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let rows = [
        told(&brackets),
        told(&keys),
        told(&nested(128)),
        told(&nested(129)),
        told(&largest),
        told(&" ".repeat(SETTINGS_BYTES + 1)),
    ];
    assert!(largest.len() > SETTINGS_BYTES - 2);
    insta::assert_snapshot!(rows.join("\n"), @"
    the file nests values more than 128 deep
    the file nests values more than 128 deep
    an array
    the file nests values more than 128 deep
    an array
    the file has 1048577 bytes, and at most 1048576 are edited
    ");
}

/// Appends one item to the only container of a text.
fn appended(text: &str) -> String {
    let document = Document::read(text).unwrap();
    let root = document.root.as_ref().unwrap();
    let member = root.members.iter().find(|member| member.value.is_container());
    let container = member.map_or(root, |member| &member.value);
    let new = Draft::Object(vec![Addition::keyed("new", Draft::Number(1))]);
    let addition = match container.kind {
        Kind::Object => Addition::keyed("key", new),
        Kind::Array | Kind::String | Kind::Number | Kind::Boolean | Kind::Null => {
            Addition::item(new)
        }
    };
    insert_all(text, append(&document, container, &[addition]))
}

#[test]
fn what_is_appended_looks_like_what_is_there() {
    for (text, written) in [
        ("{}", "{\n  \"key\": {\n    \"new\": 1\n  }\n}"),
        ("{}\r\n", "{\r\n  \"key\": {\r\n    \"new\": 1\r\n  }\r\n}\r\n"),
        ("{\n}\n", "{\n  \"key\": {\n    \"new\": 1\n  }\n}\n"),
        ("{\"a\":1}", "{\"a\":1,\"key\":{\"new\":1}}"),
        ("{\"a\": 1}", "{\"a\": 1, \"key\": {\"new\": 1}}"),
        ("{ \"a\": 1, }", "{ \"a\": 1, \"key\": {\"new\": 1}, }"),
        ("{\"a\":[]}", "{\"a\":[{\"new\":1}]}"),
        ("{\n\t\"a\": []\n}", "{\n\t\"a\": [\n\t\t{\n\t\t\t\"new\": 1\n\t\t}\n\t]\n}"),
        ("{\n    \"a\": [0]\n}", "{\n    \"a\": [0, {\"new\": 1}]\n}"),
        ("[\n    0\n]", "[\n    0,\n    {\n        \"new\": 1\n    }\n]"),
        ("[\n  0,\n]", "[\n  0,\n  {\n    \"new\": 1\n  },\n]"),
        ("[\n  0 // c\n]", "[\n  0, // c\n  {\n    \"new\": 1\n  }\n]"),
        ("[\n  0\n  // c\n]", "[\n  0,\n  // c\n  {\n    \"new\": 1\n  }\n]"),
        ("[\n  0, 0\n]", "[\n  0, 0, {\"new\": 1}\n]"),
        ("[0,\n 0]", "[0,\n 0,\n {\n  \"new\": 1\n }]"),
        ("[0 // c\n]", "[0, // c\n{\"new\": 1}\n]"),
        ("[ // c\n]", "[ // c\n  {\n    \"new\": 1\n  }\n]"),
        ("[0 /* c */]", "[0, /* c */ {\"new\": 1}]"),
    ] {
        assert_eq!(appended(text), written, "{text:?}");
    }
}

/// Cuts the members of the root whose text is `gone`.
fn without(text: &str, gone: &str) -> String {
    let document = Document::read(text).unwrap();
    let root = document.root.as_ref().unwrap();
    let members = root.members.iter().enumerate();
    let gone: Vec<Gone> = members
        .filter(|(_, member)| member.value.span.of(text) == gone)
        .map(|(index, _)| Gone::with_its_blank(text, root, index))
        .collect();
    cut_all(text, cuts(text, root, &gone))
}

#[test]
fn what_is_cut_takes_its_comma_along() {
    for (text, left) in [
        ("[0]", "[]"),
        ("[0,]", "[]"),
        ("[0, 1]", "[1]"),
        ("[1, 0]", "[1]"),
        ("[1, 0, 2]", "[1, 2]"),
        ("[1, 0,]", "[1,]"),
        ("[1, 0, 0]", "[1]"),
        ("[0, 1, 0, 2, 0]", "[1, 2]"),
        ("[ 0, 0, 1 ]", "[ 1 ]"),
        ("[\n  0, 1\n]", "[\n  1\n]"),
        ("[// c\n0, 1]", "[// c\n1]"),
        ("[\n  1,\n  0\n]", "[\n  1\n]"),
        ("[\n  1, // one\n  0 // ours\n]", "[\n  1 // one\n // ours\n]"),
        ("[1, // one\n 0]", "[1 // one\n]"),
        ("[1, // one\r\n 0, 2]", "[1, // one\r\n 2]"),
        ("[// none\n0/* a */,/* b */]", "[// none\n/* a *//* b */]"),
    ] {
        assert_eq!(without(text, "0"), left, "{text:?}");
        Document::read(left).unwrap();
    }
}

proptest! {
    #[test]
    fn any_container_takes_one_more_and_gives_it_back(
        text in r#"[{\[][{}\[\],:"/*\n a01]{0,12}[}\]](//)?[ \n]{0,2}|\PC{0,40}"#,
    ) {
        let Ok(document) = Document::read(&text) else { return Ok(()) };
        let Some(root) = document.root.as_ref().filter(|root| root.is_container()) else {
            return Ok(());
        };
        let new = Draft::Number(7);
        let new = match root.kind {
            Kind::Object => Addition::keyed("new", new),
            Kind::Array | Kind::String | Kind::Number | Kind::Boolean | Kind::Null => {
                Addition::item(new)
            }
        };
        let written = insert_all(&text, append(&document, root, &[new]));
        let more = Document::read(&written).unwrap().root.unwrap();
        prop_assert_eq!(more.members.len(), root.members.len() + 1);
        let gone = Gone::with_its_blank(&written, &more, root.members.len());
        let left = cut_all(&written, cuts(&written, &more, &[gone]));
        let spaceless = |text: &str| text.replace([' ', '\n', '\r', '\t'], "");
        prop_assert_eq!(spaceless(&left), spaceless(&text));
    }

    /// What we read without comments and trailing commas is what `serde_json` reads.
    #[test]
    fn json_is_read_as_json(text in r#"[{}\[\],:"a01.e \\u-]{0,16}"#) {
        let strict = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        let ours = matches!(Document::read(&text), Ok(Document { root: Some(_), .. }));
        let bare = text.replace(' ', "");
        if bare.contains(",]") || bare.contains(",}") {
            prop_assert!(ours || !strict);
        } else {
            prop_assert_eq!(ours, strict);
        }
    }
}
