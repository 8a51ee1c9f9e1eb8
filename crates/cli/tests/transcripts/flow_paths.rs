//! Steps that leave some files open: by path, for tools and for plain commands.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::{
    Desk, desk,
    flow::{in_session, own},
    lifecycle::{start, tool},
};

const PLANNED: &str = r#"
name: planned
description: Writes a plan.
params:
  plan: { type: text, description: where the plan lies }
steps:
  - id: explore
    title: Explore
    actions: [Write the plan.]
    tools: { edit: ["docs/notes/*.md", "{{ plan }}"] }
    next: end
"#;

fn begun(definition: &str, plan: &str) -> Desk {
    let mut desk = desk();
    own(&desk, "planned", definition);
    start(&desk, "s-1");
    in_session(&mut desk, "s-1");
    let started = desk.run(&format!("flow start planned --param 'plan={plan}'"));
    assert_eq!(started.stderr, "", "{plan}");
    desk
}

fn passes(desk: &Desk, name: &str, input: &Value) -> bool {
    tool(desk, name, input) == "(passes)"
}

fn assert_all(desk: &Desk, name: &str, key: &str, rows: &[(&str, bool)]) {
    for (value, expected) in rows {
        assert_eq!(passes(desk, name, &json!({ key: value })), *expected, "{name} {value}");
    }
}

#[test]
fn only_the_named_files_and_the_run_are_open() {
    let desk = begun(PLANNED, "docs/plans/x.md");
    insta::assert_snapshot!(tool(&desk, "Edit", &json!({ "file_path": "src/a.rs" })), @"step 1/1 of run #1 (Explore) allows changes only to `docs/notes/*.md`, `docs/plans/x.md` and `.pacenote/runs/1/`. When everything in DO is done, run this command: `pacenote flow next 1 --at 1` (rule `run-1`; a person opens it with `pacenote allow run-1`)");
    let root = desk.root().join("shop");
    std::fs::create_dir_all(root.join("src")).expect("a directory");
    std::fs::create_dir_all(root.join("docs/notes")).expect("a directory");
    symlink("../../src/a.rs", root.join("docs/notes/link.md")).expect("a link");
    symlink("../src", root.join("docs/plans")).expect("a link");
    let absolute = root.join("docs/notes/a.md").display().to_string();
    let rows = [
        (".pacenote/runs/1/scope.md", true),
        ("docs/notes/a.md", true),
        ("./docs/notes/a.md", true),
        (absolute.as_str(), true),
        ("docs/notes/a/b.md", false),
        ("docs/notes/link.md", false),
        ("docs/notes/../../src/a.md", false),
        ("docs/plans/x.md", false),
        ("src/a.rs", false),
        ("/etc/x", false),
    ];
    assert_all(&desk, "Write", "file_path", &rows);
    std::fs::remove_file(root.join("docs/plans")).expect("the link goes");
    assert_all(&desk, "Edit", "file_path", &[("docs/plans/x.md", true), ("docs/plans/y", false)]);
    let rows = [("docs/plans/x.md", true), ("src/a.ipynb", false)];
    assert_all(&desk, "NotebookEdit", "notebook_path", &rows);
    assert_all(&desk, "Read", "file_path", &[("src/a.rs", true)]);
}

#[test]
fn a_plain_command_writes_where_a_tool_may() {
    let by_paths = begun(PLANNED, "docs/plans/x.md");
    let rows = [
        ("ls src", true),
        ("cat > docs/plans/x.md <<'EOF'\n$x\nEOF", true),
        ("cat > .pacenote/runs/1/scope.md <<'EOF'\nx\nEOF", true),
        ("mkdir -p .pacenote/runs/1", true),
        ("mkdir -p .pacenote/runs/1/d && echo x > .pacenote/runs/1/d/a", true),
        // The way to a file that is open.
        ("mkdir -p docs/plans", true),
        ("mkdir -p docs/plans/more", false),
        ("mkdir -p src", false),
        ("ls | tee docs/notes/a.md", true),
        ("cp -r src docs .pacenote/runs/1/copy", true),
        ("cp -r src docs/notes", false),
        ("cp -r .pacenote/runs/1/copy src", false),
        ("cp src/a.rs docs/notes/a.md", true),
        ("touch .pacenote/runs/1/a src/a.rs", false),
        ("echo x > docs/plans/x.md > src/a.rs", false),
        ("echo x > src/a.rs", false),
        ("cd src && echo x > docs/plans/x.md", false),
        ("rm docs/plans/x.md", true),
        ("rm src/a.rs", false),
        ("git diff > .pacenote/runs/1/a.diff", true),
        ("cargo test > .pacenote/runs/1/tests.txt 2>&1", true),
        ("printf \"RESULT: PASS\\n\" > .pacenote/runs/1/a.md", true),
        ("mv .pacenote/runs/1/a.md .pacenote/runs/1/b.md", true),
        ("rm -r .pacenote/runs/1/copy", true),
        ("rm -r docs", false),
        // Another's run.
        ("echo x > .pacenote/runs/2/a.md", false),
        ("cp src/a.rs .pacenote/runs/1", false),
    ];
    assert_all(&by_paths, "Bash", "command", &rows);
    let root = by_paths.root().join("shop");
    symlink("../../../src", root.join(".pacenote/runs/1/out")).expect("a link");
    let rows = [
        ("echo x > .pacenote/runs/1/out/a.rs", false),
        ("mkdir -p .pacenote/runs/1/out", false),
        ("mkdir -p .pacenote/runs/1/out/d", false),
        ("cp -r docs .pacenote/runs/1/out", false),
        // Below it is a link that the copy could follow.
        ("cp -r docs .pacenote/runs/1", false),
        ("cp -r docs .pacenote/runs/1/copy", true),
    ];
    assert_all(&by_paths, "Bash", "command", &rows);
    let paths = r#"edit: ["docs/notes/*.md", "{{ plan }}"]"#;
    let blocked = begun(&PLANNED.replace(paths, "block: [edit]"), "x");
    let rows = [("echo x > .pacenote/runs/1/a", true), ("echo x > docs/notes/a.md", false)];
    assert_all(&blocked, "Bash", "command", &rows);
    let shut = begun(&PLANNED.replace(paths, &format!("block: [shell], {paths}")), "x");
    assert_all(&shut, "Bash", "command", &[("echo x > .pacenote/runs/1/a", false)]);
    let few = begun(&PLANNED.replace(paths, &format!("allow: [read], {paths}")), "x");
    assert_all(&few, "Bash", "command", &[("echo x > .pacenote/runs/1/a", false), ("ls", false)]);
    assert_all(&few, "Write", "file_path", &[("docs/notes/a.md", true), ("src/a.rs", false)]);
}

#[test]
fn a_value_is_never_a_pattern_and_never_leads_out() {
    for plan in ["**", "*", "src/*", "{src/a.rs,b}"] {
        let desk = begun(PLANNED, plan);
        let rows = [
            ("src/a.rs", false),
            ("x", false),
            ("../x", false),
            ("/etc/x", false),
            ("docs/notes/a.md", true),
        ];
        assert_all(&desk, "Write", "file_path", &rows);
    }
    let mut desk = desk();
    own(&desk, "planned", PLANNED);
    for plan in ["../x", "/etc/x", "~/x", "docs/../src/a.rs"] {
        let started = desk.run(&format!("flow start planned --param plan={plan}"));
        assert_eq!(started.code, "1", "{plan}");
        assert_eq!(
            started.stderr,
            format!(
                "error: the parameter `plan` cannot be `{plan}`\n\nhint: it may be the path of a \
                 file or directory, relative to the project\n"
            )
        );
    }
    let only = PLANNED.replace("\"docs/notes/*.md\", ", "");
    let only = only.replace("type: text,", "type: text, default: ../x,");
    own(&desk, "planned", &only);
    start(&desk, "s-1");
    in_session(&mut desk, "s-1");
    assert_eq!(desk.run("flow start planned").code, "0");
    let rows = [("src/a.rs", false), ("../x", false), (".pacenote/runs/1/a", true)];
    assert_all(&desk, "Write", "file_path", &rows);
}

#[test]
fn planner_closes_everything_but_the_plan_from_its_first_step() {
    let mut desk = desk();
    start(&desk, "s-1");
    in_session(&mut desk, "s-1");
    let started = desk.run(
        "flow start planner --param request=r --param plan=docs/plans/r.md --param size=small",
    );
    assert_eq!(started.code, "0", "{}", started.stderr);
    let rows = [("docs/plans/r.md", true), ("docs/plans/s.md", false), ("src/a.rs", false)];
    assert_all(&desk, "Write", "file_path", &rows);
    let rows = [
        ("mkdir -p docs/plans", true),
        ("cat > docs/plans/r.md <<'EOF'\n# r plan\nEOF", true),
        ("cargo test --workspace", true),
        ("git log --oneline -5", true),
        ("echo x > src/a.rs", false),
    ];
    assert_all(&desk, "Bash", "command", &rows);
}

#[test]
fn a_command_that_is_printed_can_be_copied_whatever_its_file_is_called() {
    let desk = desk();
    let name = "a;touch pwned;it's b.md";
    desk.write(name, "### Task 1: One\n\n- [ ] Do it\n");
    let started = desk.run(&format!("flow start executor \"plan={name}\" --format text"));
    assert_eq!(started.code, "0", "{}", started.stderr);
    let command = r"`pacenote task import 'a;touch pwned;it'\''s b.md'`";
    assert!(started.stdout.contains(command), "{}", started.stdout);
}
