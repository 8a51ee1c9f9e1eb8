//! What subagents read when they begin: by the type and the prompt with which they were asked for.

use pacenote_testkit::desk::Desk;
use serde_json::json;

use crate::{
    desk,
    lifecycle::{context, fire, start},
};

const PLAN: &str = "\
# Sessions Implementation Plan

**Goal:** People stay logged in for a day.

**Architecture:** A cookie with a signed id; the session lies in the store.

## Global Constraints

- No new dependencies.

### Task 1: The store

- [ ] Write the table

### Task 2: The cookie

**Files:**
- Create: `src/cookie.rs`

- [ ] **Step 1: Write the failing test**

```rust
assert_eq!(Cookie::<Id>::parse(\"\"), None);
```

- [ ] **Step 2: Sign the id**
";

/// Returns a desk with the plan, on whose first task the session works.
fn planned() -> Desk {
    let desk = desk();
    desk.write("docs/plans/sessions.md", PLAN);
    desk.run("task import docs/plans/sessions.md");
    desk.run("task claim '#1'");
    start(&desk, "s-1");
    desk
}

/// Asks for a subagent, of a type or of none, and returns what it reads when the client begins one.
fn begin(desk: &Desk, agent: &str, asked: Option<&str>, begun: &str, prompt: &str) -> String {
    let mut input = json!({ "description": "one thing", "prompt": prompt });
    if let Some(asked) = asked {
        input["subagent_type"] = json!(asked);
    }
    fire(desk, "pre-tool-use", &json!({ "tool_name": "Agent", "tool_input": input }));
    let fields = json!({ "agent_id": agent, "agent_type": begun });
    without_fences(&desk.tidy(&context(&fire(desk, "subagent-start", &fields))))
}

/// Replaces the digits of every fence, which are another at each desk.
fn without_fences(text: &str) -> String {
    let fences = text.split("fence=\"").skip(1);
    let digits = fences.filter_map(|rest| rest.split_once('"').map(|(digits, _)| digits));
    digits.fold(text.to_owned(), |text, digits| text.replace(digits, "[fence]"))
}

#[test]
fn an_implementer_reads_its_task_notes_plan_role_and_the_core_of_its_skill() {
    let desk = planned();
    desk.run("task note '#3' 'DECISION: HMAC, because the id is public'");
    desk.run("task close '#4'");
    let read = begin(&desk, "a-1", None, "general-purpose", "Implement Task 2: The cookie.");
    insta::assert_snapshot!(read, @r#"
    <pacenote project="shop">
    <identity trust="system">You are a subagent of @backend in project shop on branch main.</identity>
    <role trust="agent" as="implementer">
    Your task is t-1 "Task 2: The cookie".

    - Do what you were asked and nothing else. If a requirement can be read in two ways, or something it builds on is missing, report that before you write code.
    - Go step by step, test first. Commit after each step, with a message that says why, unless your prompt says otherwise.
    - Follow the code around you in names, style and structure. Never weaken or skip a test to make it pass.
    - Stay in this directory and on this branch. Do not push, rewrite commits or start subagents.
    - Before you report, run all tests and read your own diff: each requirement met, nothing extra, each test able to fail.
    - After three different attempts at the same failure, stop: commit what is sound, revert the rest, and report.
    - Unless your prompt asks for another form, begin your report with `DONE`, `DONE_WITH_CONCERNS`, `NEEDS_CONTEXT` or `BLOCKED`. Then: commits, test command and result, what is open, what to note on the task.

    The agent that sent you keeps the tasks: do not claim, note, block or close any. To read yours: `pacenote task show t-1`.
    </role>
    <notes trust="agent" task="t-1" fence="[fence]">
    - @backend: DECISION: HMAC, because the id is public
    [end of [fence]]
    </notes>
    <plan trust="project" file="docs/plans/sessions.md" fence="[fence]">
    **Goal:** People stay logged in for a day.

    **Architecture:** A cookie with a signed id; the session lies in the store.

    ## Global Constraints

    - No new dependencies.

    ### Task 2: The cookie

    **Files:**
    - Create: `src/cookie.rs`

    - [x] **Step 1: Write the failing test**

    ```rust
    assert_eq!(Cookie::<Id>::parse(""), None);
    ```

    - [ ] **Step 2: Sign the id**
    [end of [fence]]
    </plan>
    <skill trust="system" name="test-driven-development" why="it is the default skill" rest="pacenote skill show test-driven-development">
    ## The cycle

    First list the cases you know of. Then for each:

    1. **Red.** Write one test for one behaviour, through the interface a caller uses. Its name is the promise in words. Run it alone and read the failure. It must fail because the behaviour is missing: the expected assertion, or the function that is not there yet. A typo, a broken import or a failing setup is not red; fix it and run again. If the test passes at once, either the behaviour exists or the test does not reach it; find out which.
    2. **Green.** Write the least code that fulfils the promise, not code that recognises the test's values. Run the test, then the tests around it. If another one fails, the code is wrong, not the other test.
    3. **Refactor.** Only while everything passes: names, duplication, structure, in code and tests. Run after each step. New behaviour waits for its own test.
    4. Commit, tick the case off, add those you discovered.

    If a test turns out to be wrong, change it, say so, and see it fail again.
    </skill>
    </pacenote>
    "#);
    // The prompt that we write for a subagent says the same.
    let page = desk.run("wake backend 'Begin.' --subagent --role implementer --task '#3'").stdout;
    let page = desk.tidy(&page);
    let lines = read.lines().filter(|line| !line.starts_with(['<', '[']) && !line.is_empty());
    for line in lines {
        assert!(page.contains(line), "{line}\nis missing in\n{page}");
    }
}

#[test]
fn whatever_its_type_a_subagent_reads_of_the_task_that_its_prompt_names() {
    let desk = planned();
    for (number, (asked, begun)) in [
        (Some("general-purpose"), "general-purpose"),
        (Some("claude"), "claude"),
        (None, "general-purpose"),
        (None, "claude"),
        (None, "default"),
    ]
    .into_iter()
    .enumerate()
    {
        let read = begin(&desk, &format!("a-{number}"), asked, begun, "Please do #3.");
        let has = |text: &str| read.contains(text);
        assert!(has("Task 2: The cookie") && has("**Red.**"), "{asked:?} {begun}: {read}");
        assert!(!has("The store\"") && !has("You are @backend"), "{asked:?} {begun}: {read}");
    }
}

#[test]
fn a_prompt_names_a_task_of_one_of_several_plans() {
    let desk = planned();
    desk.write("docs/export.md", "# Export\n\n### Task 1: Rows\n\n### Task 2: Columns\n");
    desk.run("task import docs/export.md");
    let rows = desk.run("task show 'Rows' --json").json()["id"].as_str().map(str::to_owned);
    desk.run("task claim 'Rows'");
    desk.run("task close 'Rows'");
    let by_id = format!("Review {}", rows.expect("an id"));
    let prompts = [
        "Review Task 1: Rows",
        "Review Task 1 of docs/export.md",
        "Fix the review findings in Task 1: Rows (docs/export.md)",
        &by_id,
        "Implement Task 2 of docs/plans/sessions.md",
        "Implement Task 1",
        "Implement Task 2",
    ];
    let mut read = Vec::new();
    for (number, prompt) in prompts.into_iter().enumerate() {
        let page = begin(&desk, &format!("a-{number}"), None, "general-purpose", prompt);
        let is_task =
            |line: &&str| ["Review t-", "Your task is"].iter().any(|way| line.starts_with(way));
        let task = page.lines().find(is_task);
        read.push(format!("{} => {}", desk.tidy(prompt), task.unwrap_or("no task")));
    }
    insta::assert_snapshot!(read.join("\n"), @r#"
    Review Task 1: Rows => Review t-1 "Task 1: Rows".
    Review Task 1 of docs/export.md => Review t-1 "Task 1: Rows".
    Fix the review findings in Task 1: Rows (docs/export.md) => Your task is t-1 "Task 1: Rows".
    Review t-1 => Review t-1 "Task 1: Rows".
    Implement Task 2 of docs/plans/sessions.md => Your task is t-2 "Task 2: The cookie".
    Implement Task 1 => Your task is t-3 "Task 1: The store".
    Implement Task 2 => no task
    "#);
}

#[test]
fn somebody_who_only_looks_reads_nothing() {
    let desk = planned();
    for (number, prompt) in [
        "Find all usages of Posting and report file and line.",
        "Write a summary of docs/plans/sessions.md",
        "Where would #3 have to change the store?",
    ]
    .into_iter()
    .enumerate()
    {
        let read = begin(&desk, &format!("a-{number}"), None, "general-purpose", prompt);
        assert_eq!(read, "(nothing)", "{prompt}");
    }
}

#[test]
fn a_step_that_is_a_review_is_done_by_a_reviewer() {
    let desk = planned();
    desk.run("task add 'Spec review' --parent '#3'");
    let read = begin(&desk, "a-1", None, "general-purpose", "Do #6.");
    insta::assert_snapshot!(read, @r#"
    <pacenote project="shop">
    <identity trust="system">You are a subagent of @backend in project shop on branch main.</identity>
    <role trust="agent" as="reviewer">
    Your task is t-1 "Spec review", a step of t-2 "Task 2: The cookie".

    - First the specification: compare every requirement of the task with the change. What is missing, what was not asked for?
    - Then the quality: errors, edge cases, tests that could not fail, names, needless code.
    - Read the code and run the tests yourself; a report is not evidence.
    - Change nothing.
    - Unless your prompt asks for another form, report `PASS` or `FAIL` in the first line, then each finding with its severity, its path and line, what happens and how to see it.
    </role>
    <plan trust="project" file="docs/plans/sessions.md" fence="[fence]">
    **Goal:** People stay logged in for a day.

    **Architecture:** A cookie with a signed id; the session lies in the store.

    ## Global Constraints

    - No new dependencies.

    ### Task 2: The cookie

    **Files:**
    - Create: `src/cookie.rs`

    - [ ] **Step 1: Write the failing test**

    ```rust
    assert_eq!(Cookie::<Id>::parse(""), None);
    ```

    - [ ] **Step 2: Sign the id**
    [end of [fence]]
    </plan>
    </pacenote>
    "#);
    // The whole skill only comes where the task names it.
    desk.run("task add 'Spec review' --parent '#3' --skill subagent-driven-development");
    let named = begin(&desk, "a-2", None, "general-purpose", "Do #7.");
    assert!(named.contains("You orchestrate: you brief"), "{named}");
}

#[test]
fn a_planner_reads_of_its_task_and_nothing_about_tests() {
    let desk = planned();
    let read = begin(&desk, "a-1", None, "general-purpose", "Plan #3 in more detail.");
    assert!(read.contains("as=\"planner\"") && read.contains("No new dependencies."), "{read}");
    assert!(!read.contains("Red.") && !read.contains("Commit after"), "{read}");
    let read = begin(&desk, "a-2", None, "general-purpose", "Plan the move to another store.");
    assert_eq!(read, "(nothing)", "nobody said which task that is about");
}

/// A role prompt as projects keep it beside the skill.
const ROLE_PROMPT: &str = "\
# Prompt of the implementer

```
Agent (general-purpose):
  prompt: |
    You build Task N: [name].

    ## How we work here

    Run `make house` after each change.

    ## What you answer

    One line for each commit.
```
";

#[test]
fn a_role_prompt_beside_the_skill_takes_the_place_of_ours() {
    let desk = planned();
    let skill = "---\nname: subagent-driven-development\ndescription: ours\n---\n# Ours\n";
    let home = "../home/.claude/skills/subagent-driven-development";
    desk.write(&format!("{home}/SKILL.md"), skill);
    desk.write(&format!("{home}/implementer-prompt.md"), ROLE_PROMPT);
    let read = begin(&desk, "a-1", None, "general-purpose", "Implement #3.");
    let has = |text: &str| read.contains(text);
    assert!(has("Run `make house` after each change.") && has("\"Task 2: The cookie\""), "{read}");
    assert!(!has("[name]") && !has("Do what you were asked"), "{read}");
    // One that the caller filled in is not said twice.
    let filled = "Implement #3.\n\n## How we work here\n\n…\n\n## What you answer\n\n…";
    let read = begin(&desk, "a-2", None, "general-purpose", filled);
    assert!(!read.contains("make house") && read.contains("**Red.**"), "{read}");
}

#[test]
fn a_role_prompt_that_a_repository_brings_is_not_used_unasked() {
    let desk = planned();
    let skill = "---\nname: subagent-driven-development\ndescription: ours\n---\n# Ours\n";
    desk.write(".claude/skills/subagent-driven-development/SKILL.md", skill);
    desk.write(".claude/skills/subagent-driven-development/implementer-prompt.md", ROLE_PROMPT);
    let read = begin(&desk, "a-1", None, "general-purpose", "Implement #3.");
    assert!(!read.contains("make house") && read.contains("Do what you were asked"), "{read}");
}
