//! The built-in workflows: what they cost, and what is written about them.

use crate::desk;

/// Most tokens of one step, and of a whole run in which each step is printed once.
const STEP_TOKENS: u64 = 1_500;
const RUN_TOKENS: u64 = 15_000;

#[test]
fn no_step_and_no_run_costs_more_than_a_reader_can_hold() {
    let desk = desk();
    let listed = desk.run("flow list --json").json();
    let workflows = listed["workflows"].as_array().expect("a list");
    assert_eq!(workflows.len(), 12);
    for workflow in workflows {
        let name = workflow["name"].as_str().expect("a name");
        let bill = desk.run(&format!("flow show {name} --tokens --json")).json();
        for step in bill["steps"].as_array().expect("steps") {
            assert!(step["tokens"].as_u64() <= Some(STEP_TOKENS), "{name}: {step}");
        }
        assert!(bill["total"].as_u64() <= Some(RUN_TOKENS), "{name}: {}", bill["total"]);
    }
}

#[test]
fn each_has_a_skill_a_page_and_a_picture_of_its_own() {
    let desk = desk();
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/workflows");
    let listed = desk.run("flow list --json").json();
    for workflow in listed["workflows"].as_array().expect("a list") {
        let name = workflow["name"].as_str().expect("a name");
        let skill = desk.run(&format!("skill show {name}"));
        assert!(skill.stdout.contains(&format!("pacenote flow start {name}")), "{name}");
        let page = std::fs::read_to_string(format!("{pages}/{name}.md")).expect(name);
        assert!(page.contains(&format!("![{name}]({name}.svg)")), "{name}");
        let drawn = desk.run(&format!("flow graph {name} --format svg")).stdout;
        let path = format!("{pages}/{name}.svg");
        if std::env::var_os("UPDATE_ASSETS").is_some() {
            std::fs::write(&path, &drawn).expect("it can be written");
        }
        let picture = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            picture == drawn,
            "`UPDATE_ASSETS=1 cargo nextest run flow_catalogue` renews {path}"
        );
    }
}

/// Words of a dialect that models and people read badly, each with the plain one.
const DIALECT: [(&str, &str); 18] = [
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("mending", "fixing"),
    ("anew", "again"),
    ("afresh", "from scratch, or: a new file"),
    ("apiece", "each"),
    ("whoever", "the agent who"),
    ("weightiest", "most important"),
    ("struck", "removed"),
    ("shall", "should"),
    ("told", "say who reports what to whom"),
    ("are none", "are not findings"),
    ("is none", "is not one"),
    ("no finding is", "not a finding"),
    ("dear to", "expensive to"),
    ("comes to", "say what it contains"),
    ("no reasons", "not reasons"),
];

#[test]
fn no_built_in_text_speaks_the_old_dialect() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut waiting = vec![crates.join("flow/assets"), crates.join("skill/assets")];
    let mut problems = Vec::new();
    let mut seen = 0;
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a directory");
            waiting.extend(entries.map(|entry| entry.expect("an entry").path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text").to_lowercase();
        let is_text = path.extension().is_some_and(|end| end == "md")
            || path.parent().is_some_and(|parent| parent.ends_with("workflows"));
        if !is_text {
            continue;
        }
        seen += 1;
        for (at, line) in text.lines().enumerate() {
            let words: Vec<&str> = line
                .split(|letter: char| !letter.is_alphabetic())
                .filter(|w| !w.is_empty())
                .collect();
            let spoken = format!(" {} ", words.join(" "));
            for (word, plain) in DIALECT {
                if spoken.contains(&format!(" {word} ")) {
                    problems.push(format!("{}:{}: `{word}`: {plain}", path.display(), at + 1));
                }
            }
            // "there is no test" is plain; "that is no test" is not.
            let rest = spoken.replace(" there is no ", " ").replace(" is no longer ", " ");
            if rest.contains(" is no ") {
                problems.push(format!("{}:{}: `is no`: is not a", path.display(), at + 1));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(seen > 50, "only {seen} texts were read");
}
