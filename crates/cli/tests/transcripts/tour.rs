//! The tour: a whole life, played and answered, with nothing of the person's touched.

use crate::desk;

#[test]
fn a_life_from_its_plan_to_the_next_session() {
    let mut desk = desk();
    desk.unset("PACENOTE_AGENT").set("PATH", "/usr/bin:/bin");
    let ran = desk.run("tour");
    assert_eq!((ran.code.as_str(), ran.stderr.as_str()), ("0", ""));
    let scenes: Vec<&str> =
        ran.stdout.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
    insta::assert_snapshot!(scenes.join("\n"), @"
    1. There is a plan
    2. A session starts
    3. The agent works
    4. The context is compacted
    5. Somebody mentions the agent
    6. A subagent is started
    7. A workflow closes what a step must not change
    8. The session ends, and the next one goes on
    ");
    let played: Vec<&str> = ran.stdout.split("\n\n").collect();
    let scene_with = |text: &str| played.iter().any(|piece| piece.contains(text));
    for told in [
        "5 added",
        "<-- CURRENT",
        "it is the default",
        "Ask which hash the passwords have",
        "The review asks for argon2, not bcrypt.",
        "Your task is",
        "STEP 1/22",
        "allows changes only to",
        "<handoff",
        "in all, before the first word",
    ] {
        assert!(scene_with(told), "{told}\n{}", ran.stdout);
    }
    // The whole of it, and nothing left behind.
    let full = desk.run("tour --full").stdout;
    assert!(full.lines().count() > ran.stdout.lines().count() && !full.contains("more lines"));
    assert!(!desk.data().exists());
    assert_eq!(std::fs::read_dir(desk.root().join("home")).expect("a home").count(), 0);
}
