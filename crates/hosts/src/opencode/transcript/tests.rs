use proptest::prelude::*;

use super::*;
use crate::spoken::entry;

const RECORDED: &str = include_str!("../fixtures/1.18.33/export.json");

fn told(export: &str) -> String {
    read(export).iter().map(entry).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_recorded_export() {
    insta::assert_snapshot!(told(RECORDED), @r#"
    prompt "add the login form"
    answer "The form is drawn."
    uses bash
    result "test login ... ok\n"
    uses write
    failure "no task is claimed"
    summary "The form is drawn."
    answer "The form is drawn."
    prompt "second [[none]]"
    answer "The form is drawn."
    "#);
}

#[test]
fn what_is_not_understood_is_passed_over() {
    for export in ["", "{}", "[]", "7", r#"{"messages":{}}"#, r#"{"messages":[7,{"parts":[[]]}]}"#]
    {
        assert_eq!(told(export), "", "{export}");
    }
    assert_eq!(
        told(r#"{"messages":[{"info":{"role":"fool"},"parts":[{"type":"text","text":"a"}]}]}"#),
        "-"
    );
    assert_eq!(read(&" ".repeat(EXPORT_BYTES + 1)), []);
}

#[test]
fn an_export_cut_at_any_byte_tells_nothing() {
    let export = RECORDED.trim_end();
    for end in 0..export.len() {
        if let Some(cut) = export.get(..end) {
            assert_eq!(read(cut), [], "{end}");
        }
    }
}

proptest! {
    /// No character in an export, whatever it becomes, makes reading panic.
    #[test]
    fn a_damaged_export_never_panics(place in any::<prop::sample::Index>(), text in ".{0,8}") {
        let mut damaged: Vec<char> = RECORDED.chars().collect();
        let place = place.index(damaged.len());
        damaged.splice(place..=place, text.chars());
        drop(read(&damaged.into_iter().collect::<String>()));
    }
}
