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
