use proptest::prelude::*;

use super::*;

fn canonical(raw: &str) -> String {
    match Reference::parse(raw) {
        Ok(reference) => reference.canonical(),
        Err(bad) => format!("{:?}", bad.rule),
    }
}

#[test]
fn every_form_has_one_spelling() {
    let table = [
        ("brainstorming", "brainstorming"),
        (" Code Review ", "code-review"),
        ("Code Review: Rust", "code-review-rust"),
        ("CI / CD", "ci-cd"),
        ("Ｆｕｌｌ Ｗｉｄｔｈ", "full-width"),
        ("superpowers:brainstorming", "superpowers:brainstorming"),
        ("SuperPowers:Brainstorming@v4.0.3", "superpowers:brainstorming@4.0.3"),
        ("a.b_c:x", "a.b_c:x"),
        ("review/security", "review/security"),
        ("review/agents/security", "review/security"),
        ("acme:review/security@2", "acme:review/security@2"),
        ("./x/SKILL.md", "./x/SKILL.md"),
        ("x//y/./SKILL.md", "./x/y/SKILL.md"),
        ("/srv/skills/x/", "/srv/skills/x"),
        (".claude/skills/x/skill.MD", "./.claude/skills/x/skill.MD"),
    ];
    for (raw, expected) in table {
        assert_eq!(canonical(raw), expected, "{raw}");
    }
}

#[test]
fn hostile_names_are_refused_by_the_rule_they_break() {
    use Rule::{
        Climbs, Empty, Hidden, NoLetter, Option, OtherSystem, Percent, Plugin, TooDeep, TooLong,
        TwoPlugins, Version,
    };
    let long_path = format!("./{}", "a/".repeat(limits::PLAN_PATH_BYTES));
    let table = [
        ("", Empty),
        (" \t ", Empty),
        ("./", Empty),
        (".", Empty),
        ("/", Empty),
        ("../../etc/passwd", Climbs),
        ("plugin:../../etc/passwd", Climbs),
        ("./x/../../y/SKILL.md", Climbs),
        ("/srv/../etc/SKILL.md", Climbs),
        ("a/.. /b", Climbs),
        ("‥/x", Climbs),
        ("．．／x", Climbs),
        ("%2e%2e/x", Percent),
        ("x%2Fy", Percent),
        ("％2e", Percent),
        ("a\0b", Hidden),
        ("a\nb", Hidden),
        ("\u{202e}x", Hidden),
        ("x\u{e0041}", Hidden),
        ("-rf", Option),
        ("--help", Option),
        ("plugin:-x", Option),
        ("skill/-x", Option),
        ("\\\\server\\share", OtherSystem),
        ("//server/share", OtherSystem),
        ("C:\\x", OtherSystem),
        ("c:x", OtherSystem),
        ("aa:b:c", TwoPlugins),
        (":x", Plugin),
        ("$(x):y", Plugin),
        ("demo@market:x", Plugin),
        ("pp:", NoLetter),
        ("~/x", NoLetter),
        ("x/", NoLetter),
        ("***", NoLetter),
        ("x@", Version),
        ("x@1 2", Version),
        ("a/b/c", TooDeep),
        ("a/agents/b/c", TooDeep),
        (&"a".repeat(limits::SKILL_REF_BYTES + 1), TooLong),
        (&long_path, TooLong),
    ];
    for (raw, rule) in table {
        assert_eq!(Reference::parse(raw).map_err(|bad| bad.rule), Err(rule), "{raw:?}");
    }
}

#[test]
fn a_refusal_shows_the_text_harmlessly() {
    let bad = Reference::parse("a\u{1b}[2J\u{202e}b").unwrap_err();
    assert_eq!(
        bad.to_string(),
        "`a\\u{1b}[2J\\u{202e}b` names no skill: \
         it has control characters or characters that hide others"
    );
    assert!(Reference::parse(&"x".repeat(10_000)).unwrap_err().found.chars().count() == 41);
}

#[test]
fn references_are_equal_when_they_wish_for_the_same() {
    for (one, other) in [
        ("Code Review", "code-review"),
        ("Caf\u{e9} notes", "Cafe\u{301} notes"),
        ("ACME:x", "acme:X"),
        ("./x", "./x/"),
    ] {
        assert_eq!(Reference::parse(one), Reference::parse(other), "{one}");
    }
    for (one, other) in [("a-b:x", "a_b:x"), ("a.b:x", "a-b:x"), ("x", "pp:x"), ("x", "x@1")] {
        assert_ne!(Reference::parse(one), Reference::parse(other), "{one}");
    }
}

#[test]
fn each_item_of_a_list_is_answered_for() {
    let told = |raw: &str| {
        let items = Reference::parse_list(raw);
        let words = items.iter().map(|item| match item {
            Ok(reference) => reference.to_string(),
            Err(bad) => format!("{:?}", bad.rule),
        });
        words.collect::<Vec<_>>().join(" | ")
    };
    assert_eq!(told("a, acme:b ,../c,Code Review"), "a | acme:b | Climbs | Code Review");
    assert_eq!(told("a,,b,"), "a | b");
    assert_eq!(told(" , "), "Empty");
    let many = Reference::parse_list(&"a,".repeat(LIST_REFERENCES + 50));
    assert_eq!(many.len(), LIST_REFERENCES + 1);
    assert_eq!(many.last().unwrap().as_ref().unwrap_err().rule, Rule::TooMany);
}

#[test]
fn a_relative_path_is_put_under_a_directory() {
    let under = |raw: &str| Reference::parse(raw).unwrap().under("/repo/").canonical();
    assert_eq!(under("./x/SKILL.md"), "/repo/x/SKILL.md");
    assert_eq!(under("/srv/x"), "/srv/x");
    assert_eq!(under("x"), "x");
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused(raw in r"(\PC|[-./:@%\\ a-c]){0,40}") {
        if let Ok(reference) = Reference::parse(&raw) {
            let shown = reference.to_string();
            let again = Reference::parse(&shown).unwrap();
            prop_assert_eq!(&again, &reference);
            prop_assert_eq!(again.to_string(), shown);
            let canonical = reference.canonical();
            let again = Reference::parse(&canonical).unwrap();
            prop_assert_eq!(&again, &reference);
            prop_assert_eq!(again.canonical(), canonical);
            prop_assert!(!reference.canonical().split('/').any(|part| part == ".."));
        }
    }
}
