//! Our verdict on skills beside that of `skills-ref`, the specification's own validator.
//!
//! `cargo xtask test` installs the validator and says where it is. Only the verdict is compared,
//! since the words are each one's own.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test stops when it cannot go on, sets up files and asks another program"
)]

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use pacenote_skill::builtin::BUILT_IN;
use pacenote_skill::finding::{Rule, Severity};
use pacenote_skill::lint::lint;
use pacenote_skill::skill::Place;

/// The variable that names the validator's program.
const ORACLE: &str = "PACENOTE_SKILLS_REF";

/// How many of the skills keep to the specification.
const VALID: u32 = 18;

/// A skill: its directory, and its SKILL.md.
type Case = (&'static str, String);

#[test]
fn our_verdict_is_that_of_the_specifications_validator() {
    let Some(oracle) = oracle() else { return };
    let scratch = tempfile::tempdir().expect("a directory");
    let mut differences = String::new();
    let mut valid = 0;
    for (number, (directory, text)) in cases().into_iter().enumerate() {
        let skill = scratch.path().join(number.to_string()).join(directory);
        fs::create_dir_all(&skill).expect("the skill's directory");
        fs::write(skill.join("SKILL.md"), &text).expect("the skill");
        let (theirs, said) = validate(&oracle, &skill);
        let ours = verdict(directory, &text);
        valid += u32::from(theirs == Verdict::Valid);
        if ours != theirs {
            writeln!(
                differences,
                "{directory}: we say {ours:?}, it says {theirs:?}\n{text}\n{said}"
            )
            .expect("a string takes everything");
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert_eq!(valid, VALID, "a validator that always says the same is none");
}

#[test]
fn every_built_in_skill_passes_the_specifications_validator() {
    let Some(oracle) = oracle() else { return };
    let scratch = tempfile::tempdir().expect("a directory");
    for built_in in BUILT_IN {
        let skill = scratch.path().join(built_in.name);
        fs::create_dir_all(&skill).expect("the skill's directory");
        fs::write(skill.join("SKILL.md"), built_in.text).expect("the skill");
        let (theirs, said) = validate(&oracle, &skill);
        assert_eq!(theirs, Verdict::Valid, "{}: {said}", built_in.name);
    }
}

/// Whether a skill keeps to the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Valid,
    Invalid,
}

fn verdict(directory: &str, text: &str) -> Verdict {
    let findings = lint(text.as_bytes(), &Place { directory, file: "SKILL.md" });
    let broken = findings
        .iter()
        .any(|finding| finding.rule == Rule::Specification && finding.severity == Severity::Error);
    if broken { Verdict::Invalid } else { Verdict::Valid }
}

fn validate(oracle: &OsString, skill: &Path) -> (Verdict, String) {
    let output =
        Command::new(oracle).arg("validate").arg(skill).output().expect("the validator starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(0) => (Verdict::Valid, said),
        Some(1) => (Verdict::Invalid, said),
        other => panic!("the validator ended with {other:?}: {said}"),
    }
}

/// Returns the validator, or `None` when the run was told to do without.
fn oracle() -> Option<OsString> {
    let found = std::env::var_os(ORACLE);
    if found.is_none() {
        assert!(
            std::env::var_os("PACENOTE_WITHOUT_CLIENTS").is_some(),
            "`{ORACLE}` is not set: run `cargo xtask test`, which installs the validator, or set \
             `PACENOTE_WITHOUT_CLIENTS=1` to do without"
        );
        println!("SKIPPED: no validator, as PACENOTE_WITHOUT_CLIENTS asks");
    }
    found
}

fn cases() -> Vec<Case> {
    let head =
        |directory: &'static str, keys: &str| (directory, format!("---\n{keys}\n---\n\nBody\n"));
    let named = |directory: &'static str, name: &str| {
        head(directory, &format!("name: {name}\ndescription: Use when a test needs one"))
    };
    let more = |keys: &str| head("made-up", &format!("name: made-up\ndescription: Use it\n{keys}"));
    let raw = |text: &str| ("made-up", text.to_owned());
    let long = |characters: usize| "a".repeat(characters);
    vec![
        // Names.
        named("made-up", "made-up"),
        named("made-up", "Made-Up"),
        named("Made-Up", "Made-Up"),
        named("made-up", "other"),
        named("-made", "-made"),
        named("made-", "made-"),
        named("made--up", "made--up"),
        named("made_up", "made_up"),
        named("made up", "made up"),
        named("a.b", "a.b"),
        named("x", "x"),
        named("7", "7"),
        named("café", "café"),
        named("日本語", "日本語"),
        named("ma\u{308}rz", "m\u{e4}rz"),
        named("made-up", "\"made-up\""),
        named("made-up", "' made-up '"),
        named("made-up", ""),
        ("long", format!("---\nname: {}\ndescription: Use it\n---\n", long(65))),
        // Descriptions.
        head("made-up", "name: made-up"),
        head("made-up", "description: Use it"),
        head("made-up", "name: made-up\ndescription:"),
        head("made-up", "name: made-up\ndescription: \"  \""),
        head("made-up", &format!("name: made-up\ndescription: {}", long(1024))),
        head("made-up", &format!("name: made-up\ndescription: {}", long(1025))),
        head("made-up", &format!("name: made-up\ndescription: {}", "é".repeat(1024))),
        head("made-up", "name: made-up\ndescription: >\n  folded\n  text"),
        head("made-up", "name: made-up\ndescription: |\n  block\n  text"),
        head("made-up", "name: made-up\ndescription: one: two"),
        head("made-up", "name: made-up\ndescription:\n  - a\n  - b"),
        // Other keys.
        more("license: MIT"),
        more("compatibility: Needs git"),
        more(&format!("compatibility: {}", long(500))),
        more(&format!("compatibility: {}", long(501))),
        more("allowed-tools: Read Grep"),
        more("metadata:\n  version: 1.0\n  author: dev"),
        more("version: 1.0"),
        more("user-invocable: true"),
        more("name: again"),
        more("tools: [Read, Grep]"),
        // Files.
        raw("# No frontmatter\n"),
        raw("---\nname: made-up\ndescription: never closed\n"),
        raw("---\n---\n"),
        raw("---\njust text\n---\n"),
        raw("---\n- a\n- b\n---\n"),
        raw("---\nname: made-up\n\tdescription: tab\n---\n"),
        raw("---\r\nname: made-up\r\ndescription: Use it\r\n---\r\n"),
        raw("\n---\nname: made-up\ndescription: late\n---\n"),
        raw("\u{feff}---\nname: made-up\ndescription: marked\n---\n"),
        raw(""),
    ]
}
