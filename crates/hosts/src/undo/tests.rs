use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::*;
use crate::{
    claude::install::registrations,
    edit::{
        install,
        json::{Addition, Draft, Gone, append, create, cut_all, cuts, insert_all},
        remove,
    },
};

mod documents;

use self::documents::{Drawn, drawn};

const PROGRAM: &str = "/usr/local/bin/pacenote";

fn installed(text: Option<&str>) -> String {
    install(text, PROGRAM, &registrations()).unwrap()
}

fn undone(before: Option<&str>, after: &str, now: &str) -> (String, How) {
    let Undone { remains, how } = Undo { before, after }.undo(now, remove).unwrap();
    match remains {
        Remains::Text(text) => (text, how),
        Remains::NoFile => ("(no file)".to_owned(), how),
    }
}

/// Something that others do to a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    AddKeyFirst,
    AddKeyLast,
    AddHook(&'static str),
    ChangeModel,
    ChangeHook,
    RemoveModel,
    AddCommentBefore,
    AddLineBehind,
}

const DOINGS: [Doing; 10] = [
    Doing::AddKeyFirst,
    Doing::AddKeyLast,
    Doing::AddHook("SessionStart"),
    Doing::AddHook("Stop"),
    Doing::AddHook("Notification"),
    Doing::ChangeModel,
    Doing::ChangeHook,
    Doing::RemoveModel,
    Doing::AddCommentBefore,
    Doing::AddLineBehind,
];

impl Doing {
    /// Does it; to a file in which it cannot be done, nothing.
    fn to(self, text: &str) -> String {
        let document = Document::read(text).unwrap();
        let one = || Draft::Array(vec![Addition::item(Draft::Number(1))]);
        let Some(root) = &document.root else {
            let new = Draft::Object(vec![Addition::keyed("zeta", one())]);
            return match self {
                Self::AddKeyLast => insert_all(text, vec![create(&document, &new)]),
                Self::AddCommentBefore => commented(text),
                Self::AddKeyFirst
                | Self::AddHook(_)
                | Self::ChangeModel
                | Self::ChangeHook
                | Self::RemoveModel
                | Self::AddLineBehind => text.to_owned(),
            };
        };
        match self {
            Self::AddKeyFirst if root.members.is_empty() => text.to_owned(),
            Self::AddKeyFirst => text.replacen('{', "{ \"alpha\": 1, ", 1),
            Self::AddKeyLast => {
                insert_all(text, append(&document, root, &[Addition::keyed("zeta", one())]))
            }
            Self::AddHook(event) => {
                let hooks = document.members_called(root, "hooks").next();
                let list =
                    hooks.and_then(|hooks| document.members_called(&hooks.value, event).next());
                let hook = Draft::Object(vec![Addition::keyed("hooks", one())]);
                list.map_or(text.to_owned(), |list| {
                    insert_all(text, append(&document, &list.value, &[Addition::item(hook)]))
                })
            }
            Self::ChangeModel => text.replace("opus", "haiku"),
            Self::ChangeHook => text.replace("./greet.sh", "./other.sh --loud"),
            Self::RemoveModel if root.members.len() < 2 => text.to_owned(),
            Self::RemoveModel => {
                let index =
                    root.members.iter().position(|member| document.is_called(member, "model"));
                index.map_or(text.to_owned(), |index| {
                    let gone = Gone::with_its_blank(text, root, index);
                    cut_all(text, cuts(text, root, &[gone]))
                })
            }
            Self::AddCommentBefore => commented(text),
            Self::AddLineBehind => format!("{text}\n"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn a_file_nobody_touched_becomes_what_it_was(Drawn { text, .. } in drawn()) {
        let after = installed(Some(&text));
        prop_assert_ne!(&after, &text);
        prop_assert_eq!(undone(Some(&text), &after, &after), (text, How::Restored));
    }

    #[test]
    fn what_others_did_is_all_that_is_left(
        Drawn { text, .. } in drawn(),
        doings in prop::collection::vec(prop::sample::select(&DOINGS[..]), 1..4),
    ) {
        let after = installed(Some(&text));
        let (mut now, mut expected) = (after.clone(), text.clone());
        for doing in doings {
            // What cannot be done to the file without us would be done to something of ours.
            let done = doing.to(&expected);
            if done != expected {
                (now, expected) = (doing.to(&now), done);
            }
        }
        let how = if now == after { How::Restored } else { How::SpansCut };
        prop_assert_eq!(undone(Some(&text), &after, &now), (expected, how));
    }

    /// What is remembered may be unreadable, as long as its shape is that of the file.
    #[test]
    fn the_shape_is_memory_enough(Drawn { text, .. } in drawn(), doing in prop::sample::select(&DOINGS[..])) {
        let shape = masked(&text);
        let after = installed(Some(&shape));
        let (mut now, mut expected) = (installed(Some(&text)), text);
        let done = doing.to(&expected);
        if done != expected {
            (now, expected) = (doing.to(&now), done);
        }
        prop_assert_eq!(undone(Some(&shape), &after, &now).0, expected);
    }

    #[test]
    fn a_file_written_anew_is_read_by_meaning(Drawn { text, meaning } in drawn()) {
        let after = installed(Some(&text));
        let ours: Json = serde_json::from_str(&installed(None)).unwrap();
        let now = written_anew(&merged(&meaning, &ours));
        let (left, how) = undone(Some(&text), &after, &now);
        prop_assert_eq!(how, How::ByMeaning);
        let left: Json = serde_json::from_str(&left).unwrap();
        prop_assert_eq!(without_hollow(&left), without_hollow(&meaning));
    }

    #[test]
    fn any_three_texts_are_borne(
        before in prop::option::of(r#"[{}\[\],:"a1 \n]{0,12}"#),
        after in r#"[{}\[\],:"a1 \n]{0,12}"#,
        now in r#"[{}\[\],:"a1 \n]{0,12}"#,
    ) {
        Undo { before: before.as_deref(), after: &after }.undo(&now, remove).ok();
        spans::cut(before.as_deref().unwrap_or_default(), &after, &now);
    }
}

/// Puts a comment before everything else, with the line ends of the file.
fn commented(text: &str) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    format!("// theirs{newline}{}", text.trim_start_matches('\u{feff}'))
}

/// Puts our hooks behind those of a person, the way a client would that read both.
fn merged(settings: &Json, ours: &Json) -> Json {
    let mut merged = settings.clone();
    for (event, groups) in ours["hooks"].as_object().unwrap() {
        if merged["hooks"][event].is_null() {
            merged["hooks"][event] = json!([]);
        }
        let list = merged["hooks"][event].as_array_mut().unwrap();
        list.extend(groups.as_array().unwrap().iter().cloned());
    }
    merged
}

/// Writes a value the way a program does that knows nothing of how the file was written.
fn written_anew(value: &Json) -> String {
    let mut written = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b"   ");
    let mut serializer = serde_json::Serializer::with_formatter(&mut written, formatter);
    serde::Serialize::serialize(value, &mut serializer).unwrap();
    String::from_utf8(written).unwrap()
}

/// Leaves out containers with nothing in them.
fn without_hollow(value: &Json) -> Json {
    let hollow = |value: &Json| value == &json!({}) || value == &json!([]);
    match value {
        Json::Array(items) => {
            items.iter().map(without_hollow).filter(|item| !hollow(item)).collect()
        }
        Json::Object(members) => {
            let members = members.iter().map(|(key, value)| (key.clone(), without_hollow(value)));
            members.filter(|(_, value)| !hollow(value)).collect()
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => value.clone(),
    }
}

#[test]
fn a_file_that_was_not_there_goes_again() {
    let after = installed(None);
    assert_eq!(undone(None, &after, &after), ("(no file)".to_owned(), How::Restored));
    let blank = format!("\n{after}\n");
    assert_eq!(undone(None, &after, &blank), ("(no file)".to_owned(), How::SpansCut));
    let anew = written_anew(&serde_json::from_str(&after).unwrap());
    assert_eq!(undone(None, &after, &anew), ("(no file)".to_owned(), How::ByMeaning));
}

#[test]
fn a_file_that_was_not_there_stays_when_others_use_it() {
    let after = installed(None);
    for (edit, with, left) in [
        ("{\n", "{\n  \"model\": \"opus\",\n", "{\n  \"model\": \"opus\"\n}\n"),
        ("\n}\n", ",\n  \"model\": \"opus\"\n}\n", "{\n  \"model\": \"opus\"\n}\n"),
        ("{\n  \"hooks\"", "{\n  // mine\n  \"hooks\"", "{\n  // mine\n}\n"),
        ("{\n  \"hooks\"", "// mine\n{\n  \"hooks\"", "// mine\n"),
    ] {
        let now = after.replacen(edit, with, 1);
        assert_ne!(now, after);
        assert_eq!(undone(None, &after, &now), (left.to_owned(), How::SpansCut), "{now}");
    }
}

#[test]
fn a_foreign_hook_in_a_list_of_our_making_keeps_the_list() {
    let before = "{\n  \"model\": \"opus\"\n}\n";
    let after = installed(Some(before));
    let now = Doing::AddHook("Stop").to(&after);
    assert_ne!(now, after);
    let (left, how) = undone(Some(before), &after, &now);
    assert_eq!(how, How::SpansCut);
    insta::assert_snapshot!(left, @r#"
    {
      "model": "opus",
      "hooks": {
        "Stop": [
          {
            "hooks": [
              1
            ]
          }
        ]
      }
    }
    "#);
}

#[test]
fn a_hook_that_somebody_changed_goes_by_meaning() {
    let before = "{\n  // mine\n  \"model\": \"opus\"\n}\n";
    let after = installed(Some(before));
    for now in [
        after.replacen("\"timeout\": 10", "\"timeout\": 60", 1),
        after.replacen(PROGRAM, "/opt/pacenote", 1),
        after.replace("  ", "    "),
        after.replacen("\"hooks\": [", "\"hooks\":[", 1),
    ] {
        let left = undone(Some(before), &after, &now);
        assert_eq!(left.1, How::ByMeaning, "{now}");
        assert_eq!(left.0.split_whitespace().collect::<String>(), "{//mine\"model\":\"opus\"}");
    }
}

#[test]
fn a_foreign_hook_in_one_of_our_groups_survives() {
    let after = installed(Some("{}"));
    let foreign = "\"hooks\": [ {\"type\": \"command\", \"command\": \"mine\"},";
    let now = after.replacen("\"hooks\": [", foreign, 1);
    let (left, how) = undone(Some("{}"), &after, &now);
    assert_eq!(how, How::ByMeaning);
    let left: Json = serde_json::from_str(&left).unwrap();
    let hooks = json!([{"hooks": [{"type": "command", "command": "mine"}]}]);
    assert_eq!(left, json!({"hooks": {"SessionStart": hooks}}));
}

#[test]
fn what_is_not_there_is_not_taken_out() {
    let after = installed(Some("{}"));
    for now in ["", "{}", "{\"hooks\": {}}", "[1]", "{\"hooks\": {\"Stop\": []}}\n"] {
        let left = undone(Some("{}"), &after, now);
        assert_eq!(left, (now.to_owned(), How::NothingOfOurs));
    }
}

#[test]
fn what_was_remembered_wrongly_does_no_harm() {
    let older = install(Some("{\"model\": 1}"), "/opt/pacenote", &registrations()).unwrap();
    let after = installed(Some(&older));
    let clean = "{\"model\": 1}";
    let other = installed(Some("{\"theme\": []}"));
    for (before, wrote) in [
        // Ours stood there before already.
        (Some(older.as_str()), after.as_str()),
        (Some("{\"theme\": []}"), &other),
        (Some("no json"), "nor this"),
        (None, ""),
    ] {
        assert_eq!(undone(before, wrote, &after).0, clean);
    }
}

#[test]
fn a_file_that_is_no_json_any_more_is_left_alone() {
    let after = installed(Some("{}"));
    let undo = Undo { before: Some("{}"), after: &after };
    assert!(undo.undo(&after.replacen('{', "", 1), remove).is_err());
}
