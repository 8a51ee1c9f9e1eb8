use std::collections::BTreeMap;

use pacenote_model::{Cue, CueKind};
use proptest::prelude::*;

use super::*;
use crate::skill::{Place, read};

const PLACE: Place<'static> = Place { directory: "writing-plans", file: "SKILL.md" };

fn request(raw: &str) -> Request {
    Request::parse(raw)
}

#[test]
fn a_request_is_its_telling_words_in_order() {
    let wanted =
        request("Can you write the implementation plan for our login, and the plan's tests?");
    assert_eq!(wanted.words(), ["write", "implementation", "plan", "login", "s", "tests"]);
    let pairs: Vec<String> =
        wanted.pairs().iter().map(|(one, next)| format!("{one} {next}")).collect();
    assert_eq!(pairs, ["implementation plan", "plan s", "s tests"]);
    assert_eq!(request("").words().len(), 0);
    assert_eq!(request("\u{0}\u{202e}\"); DROP TABLE").words(), ["drop", "table"]);
    assert_eq!(request(&"ab ".repeat(100_000)).words(), ["ab"]);
}

#[test]
fn names_phrases_and_paths_call_a_skill() {
    let names = |raw: &str, name: &str| request(raw).names(name);
    let table = [
        ("writing-plans", "writing-plans", true),
        ("use the writing-plans skill", "writing-plans", true),
        ("Use superpowers:Writing-Plans.", "superpowers:writing-plans", true),
        ("rewriting-plans", "writing-plans", false),
        ("writing-plans-fast", "writing-plans", false),
        ("take it to the doctor", "doctor", false),
        ("doctor", "doctor", true),
        ("anything", "", false),
    ];
    for (raw, name, expected) in table {
        assert_eq!(names(raw, name), expected, "{name} in {raw}");
    }
    let phrase = |raw: &str, phrase: &str| request(raw).has_phrase(phrase);
    assert!(phrase("please write an Implementation-Plan now", "implementation plan"));
    assert!(!phrase("the implementation of a plan", "implementation plan"));
    assert!(!phrase("implementation planning", "implementation plan"));
    assert!(!phrase("anything at all", " "));
    let path = |raw: &str, pattern: &str| {
        let pattern = pacenote_model::PathPattern::parse(pattern).unwrap();
        request(raw).path_in(&pattern).map(|path| path.as_str().to_owned())
    };
    assert_eq!(
        path("fix `src/auth/login.rs`, please", "src/auth/**").unwrap(),
        "src/auth/login.rs"
    );
    assert_eq!(path("look at Cargo.toml.", "Cargo.toml").unwrap(), "Cargo.toml");
    assert_eq!(path("e.g. the ../../etc/passwd file", "**"), Some("e.g".into()));
    assert_eq!(path("read and/or write", "src/**"), None);
}

#[test]
fn cues_come_from_the_frontmatter_and_from_what_is_quoted() {
    let text = "---\nname: Writing Plans\ndescription: Use for \"a plan,\" ‘many steps’ or \"x\" when it's time\n\
        metadata:\n  triggers: [implementation plan, write plan, write plan]\n  aliases: planner\n  paths: docs/plans/**\n---\n";
    let (skill, _) = read(text.as_bytes(), &PLACE);
    let told: Vec<String> =
        cues(&skill).iter().map(|cue| format!("{}: {}", cue.kind.word(), cue.text)).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    name: Writing Plans
    name: writing-plans
    name: planner
    phrase: implementation plan
    phrase: write plan
    path: docs/plans/**
    quoted: a plan
    quoted: many steps
    ");
    insta::assert_snapshot!(about(&skill), @r#"
    Use for "a plan," ‘many steps’ or "x" when it's time
    implementation plan
    write plan
    write plan
    planner
    "#);
}

/// Returns a skill that has some of the request's words, by their places.
fn found(path: &str, words: f64, in_words: &[usize], anywhere: &[usize]) -> Evidence {
    Evidence {
        path: path.into(),
        words,
        bodies: words,
        in_words: in_words.to_vec(),
        anywhere: anywhere.to_vec(),
        ..Evidence::default()
    }
}

fn told(ranked: &[Ranked]) -> String {
    let lines = ranked
        .iter()
        .map(|one| format!("{:.2} {:?} {}: {}", one.score, one.fit, one.path, one.why));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn calls_come_first_and_words_decide_among_the_rest() {
    let wanted = request("write an implementation plan for src/auth/login.rs");
    let cue = |kind, text: &str| Cue { kind, text: text.into() };
    let cues = [
        ("a", cue(CueKind::Quoted, "implementation plan")),
        ("b", cue(CueKind::Phrase, "write")),
        ("b", cue(CueKind::Phrase, "implementation plan")),
        ("c", cue(CueKind::Path, "src/auth/**")),
        ("d", cue(CueKind::Path, "/not/a/pattern")),
    ];
    let calls = Calls::in_request(&wanted, cues.iter().map(|(path, cue)| (*path, cue)));
    let evidence = gather(
        [
            found("a", 9.0, &[1, 2], &[0, 1, 2]),
            found("e", 6.0, &[2], &[2]),
            found("f", 1.0, &[2], &[2]),
        ],
        calls,
    );
    let statistics = Statistics { documents: 100, frequencies: vec![20, 5, 10, 3, 2, 1, 1] };
    insta::assert_snapshot!(told(&rank(&wanted, &statistics, evidence)), @"
    0.80 Good b: the request has its trigger `implementation plan`
    0.70 Good c: `src/auth/login.rs` is a file for it (`src/auth/**`)
    0.61 Good a: is about implementation, plan; mentions write
    0.35 Good e: is about plan
    ");
}

#[test]
fn nothing_is_offered_when_nothing_fits() {
    let wanted = request("what is the weather in Paris tomorrow afternoon");
    let statistics = Statistics { documents: 100, frequencies: vec![60, 0, 0, 40, 0] };
    let chance = vec![found("a", 3.0, &[0], &[0, 3])];
    assert_eq!(rank(&wanted, &statistics, chance), []);
    let only_in_the_body = vec![found("a", 3.0, &[], &[0, 1, 2, 3, 4])];
    assert_eq!(rank(&wanted, &statistics, only_in_the_body), []);
    assert_eq!(rank(&request(""), &Statistics::default(), Vec::new()), []);
}

#[test]
fn a_request_of_common_words_is_answered_when_all_of_it_is_there() {
    let wanted = request("review my code");
    let statistics = Statistics { documents: 17, frequencies: vec![9, 12] };
    let ranked = rank(&wanted, &statistics, vec![found("review", 3.0, &[0, 1], &[0, 1])]);
    insta::assert_snapshot!(told(&ranked), @"0.52 Good review: is about review, code");
}

proptest! {
    #[test]
    fn scores_are_between_zero_and_one_and_fall(
        scores in prop::collection::vec((0.0..50.0_f64, prop::collection::vec(0_usize..4, 0..4)), 0..12),
        frequencies in prop::collection::vec(0_u64..50, 4),
    ) {
        let wanted = request("alpha beta gamma delta");
        let evidence: Vec<Evidence> = scores
            .iter()
            .enumerate()
            .map(|(number, (score, words))| found(&format!("skill-{number}"), *score, words, words))
            .collect();
        let statistics = Statistics { documents: 50, frequencies };
        let ranked = rank(&wanted, &statistics, evidence.clone());
        prop_assert!(ranked.iter().all(|one| (0.0..=1.0).contains(&one.score)));
        prop_assert!(ranked.iter().zip(ranked.iter().skip(1)).all(|(one, next)| one.score >= next.score));
        let reversed = rank(&wanted, &statistics, evidence.into_iter().rev().collect());
        prop_assert_eq!(ranked, reversed);
    }

    #[test]
    fn any_text_is_a_request(raw in "\\PC{0,200}") {
        let wanted = request(&raw);
        prop_assert!(wanted.words().iter().all(|word| word.chars().all(char::is_alphanumeric)));
        let cue = Cue { kind: CueKind::Path, text: raw.clone() };
        let calls: BTreeMap<String, Calls> = Calls::in_request(&wanted, [("a", &cue)]);
        prop_assert!(calls.len() <= 1);
    }
}
