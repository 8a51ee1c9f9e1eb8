//! Which skills a session reads, when, and in which version.

use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::{desk, transcript};

/// Sets up a desk at which skills and tasks are all there is to read.
fn quiet() -> Desk {
    let mut desk = desk();
    desk.set("PACENOTE_CONTEXT_OFF_SOURCES", "skills, activity, guide, identity, tasks, next");
    desk
}

/// Writes a skill of the person's.
fn skill(desk: &Desk, name: &str, fields: &str, body: &str) {
    let text = format!("---\nname: {name}\ndescription: About {name}\n{fields}---\n{body}\n");
    desk.write(&format!("../home/.claude/skills/{name}/SKILL.md"), &text);
}

/// Fires a hook of a session of Claude Code and returns what its model reads.
fn fire(desk: &Desk, event: &str, fields: &Value) -> String {
    let shop = desk.root().join("shop").display().to_string();
    let mut payload = json!({ "session_id": "s-1", "cwd": shop, "transcript_path": null });
    for (name, value) in fields.as_object().expect("fields") {
        payload[name] = value.clone();
    }
    let answer = desk.run_with_input(&format!("hook claude {event}"), &payload.to_string()).json();
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str();
    desk.tidy(context.unwrap_or("(nothing)"))
}

fn start(desk: &Desk, source: &str) -> String {
    fire(desk, "session-start", &json!({ "hook_event_name": "SessionStart", "source": source }))
}

/// Sends a prompt; the number keeps two of the same words apart.
fn prompt(desk: &Desk, number: u32, text: &str) -> String {
    let id = format!("p-{number}");
    let event = "UserPromptSubmit";
    let fields = json!({ "hook_event_name": event, "prompt": text, "prompt_id": id });
    fire(desk, "user-prompt-submit", &fields)
}

#[test]
fn several_skills_come_in_the_order_that_for_task_says() {
    let desk = quiet();
    skill(&desk, "money", "", "Round half to even.");
    skill(&desk, "ledger", "category: process\nskills: [accounting]\n", "Book both sides.");
    skill(&desk, "accounting", "category: methodology\n", "Every sum has a source.");
    desk.run("task add 'Build the invoice' --skill money,ledger");
    desk.run("task claim '#1'");
    transcript!(desk, [
        "skill for-task '#1'",
        "task add 'Sort' --skill money --skill none",
        "task add 'Sort' --skill ../x",
    ], @"
    $ pacenote skill for-task '#1'
    `money`, `ledger`: the task names them
    together, in this order: accounting, ledger, money
    `pacenote skill show money` shows it
    $ pacenote task add 'Sort' --skill money --skill none
    error: `money,none` is not a list of skills: `none` stands alone
    [exit 1]
    $ pacenote task add 'Sort' --skill ../x
    error: `../x` is not a skill name: letters, digits, `_`, `.`, `-`, with `:` after a plugin and `/` before a nested agent, no part starting with `-` or `.`
    [exit 1]
    ");
    let text = start(&desk, "startup");
    insta::assert_snapshot!(text, @r#"
    <pacenote project="shop">
    <skill trust="user" name="accounting" why="a skill of this task names it">
    Every sum has a source.
    </skill>
    <skill trust="user" name="ledger" why="the task names it">
    Book both sides.
    </skill>
    <skill trust="user" name="money" why="the task names it">
    Round half to even.
    </skill>
    <position trust="agent">You are at t-1 "Build the invoice".</position>
    </pacenote>
    "#);
    let wake = desk.run("wake backend 'go on' --full").stdout;
    let place = |text: &str, words: &str| text.find(words).expect("it is there");
    for text in [&text, &wake] {
        assert!(place(text, "Every sum has a source.") < place(text, "Book both sides."));
        assert!(place(text, "Book both sides.") < place(text, "Round half to even."));
    }
}

#[test]
fn no_skill_is_a_choice_for_a_task_and_its_steps() {
    let mut desk = quiet();
    desk.run("task add 'Add a field' --skill none");
    desk.run("task add 'Brainstorm names' --parent '#1'");
    desk.run("task claim '#1'");
    transcript!(desk, ["skill for-task '#1'", "skill for-task '#2'", "skill for-task '#2' --json"], @r##"
    $ pacenote skill for-task '#1'
    no skill: the task asks for none
    $ pacenote skill for-task '#2'
    no skill: the task above, #1, asks for none
    $ pacenote skill for-task '#2' --json
    {
      "task": "t-1",
      "skill": null,
      "missing": false,
      "stands_in_for": null,
      "skills": [],
      "decided_by": "parent",
      "rule": null,
      "parent": "#1",
      "reason": "no skill: the task above, #1, asks for none",
      "digest": null,
      "order": []
    }
    "##);
    insta::assert_snapshot!(start(&desk, "startup"), @r#"
    <pacenote project="shop">
    <position trust="agent">You are at t-2 "Add a field" (0 of 1 step done), step t-1 "Brainstorm names".</position>
    </pacenote>
    "#);
    desk.run("task add 'Add another field'");
    desk.set("PACENOTE_SKILLS_DEFAULT", "none");
    transcript!(desk, ["skill for-task '#3'"], @"
    $ pacenote skill for-task '#3'
    no skill: no rule is about this task, and there is no default
    ");
    desk.set("PACENOTE_SKILLS_DEFAULT", "../x");
    transcript!(desk, ["skill for-task '#3'"], @"
    $ pacenote skill for-task '#3'
    error: the setting `skills.default`: `../x` names no skill: it has a part `..`

    hint: it is the name of a skill, several with commas, or `none`
    [exit 1]
    ");
}

#[test]
fn the_skill_of_a_step_comes_with_the_next_prompt() {
    let desk = quiet();
    skill(&desk, "small", "", "One change at a time.");
    desk.run("task add 'Build login'");
    desk.run("task add 'Look' --parent '#1'");
    desk.run("task add 'Brainstorm the options' --parent '#1' --skill small");
    desk.run("task claim '#1'");
    let started = start(&desk, "startup");
    assert!(!started.contains("One change"), "{started}");
    // It says no more than "go on", and the work is at another step.
    desk.run("task close '#2'");
    insta::assert_snapshot!(prompt(&desk, 1, "continue"), @r#"
    <pacenote project="shop">
    <skill trust="user" name="small" why="the task names it">
    One change at a time.
    </skill>
    <position trust="agent">You are at t-1 "Build login" (1 of 2 steps done), step t-3 "Brainstorm the options".</position>
    </pacenote>
    "#);
    insta::assert_snapshot!(prompt(&desk, 2, "continue"), @"(nothing)");
    // The step itself is claimed: the skill is there already.
    desk.run("task claim '#3'");
    let claimed = prompt(&desk, 3, "look into the login work");
    assert!(!claimed.contains("One change"), "{claimed}");
}

#[test]
fn a_rule_that_comes_with_us_brings_the_core_of_a_skill() {
    let desk = quiet();
    for title in ["Spec review", "Finish the login branch", "Set up a worktree", "The importer"] {
        desk.run(&format!("task add '{title}'"));
    }
    let mut shown = String::new();
    for number in 1..=4 {
        desk.run(&format!("task claim '#{number}'"));
        let text = desk.run("brief").stdout;
        let is_told = |line: &&str| line.starts_with("<skill") || line.starts_with("## ");
        let lines = text.lines().filter(|line| is_told(line) || line.starts_with("<notice"));
        shown.extend(lines.map(|line| format!("{line}\n")));
        desk.run(&format!("task close '#{number}'"));
    }
    insta::assert_snapshot!(shown, @r#"
    <notice trust="system">A skill that may fit: `pacenote skill show subagent-driven-development` (Carries out an implementation plan by giving each task to …).</notice>
    <skill trust="system" name="finishing-a-development-branch" why="the title has `finish … branch`" rest="pacenote skill show finishing-a-development-branch">
    ## Verify first
    ## Offer the choices
    <skill trust="system" name="using-git-worktrees" why="the title has `worktree`" rest="pacenote skill show using-git-worktrees">
    ## Steps
    <notice trust="system">A skill that may fit: `pacenote skill show test-driven-development` (Guides implementation test first in the cycle red, green, refactor …).</notice>
    "#);
}

#[test]
fn a_session_keeps_the_text_that_it_first_read() {
    let desk = quiet();
    skill(&desk, "money", "", "Round half to even.");
    desk.run("task add 'Build the invoice' --skill money");
    desk.run("task claim '#1'");
    let first = start(&desk, "startup");
    skill(&desk, "money", "", "Round up.");
    // Before and after a command has ingested the log.
    let changed = start(&desk, "compact");
    insta::assert_snapshot!(changed, @r#"
    <pacenote project="shop">
    <skill trust="user" name="money" why="the task names it">
    Round half to even.
    </skill>
    <notice trust="system">Skill money has changed since this session first read it; you keep the first text. The new one: `pacenote skill show money`.</notice>
    <position trust="agent">You are at t-1 "Build the invoice".</position>
    </pacenote>
    "#);
    desk.run("session list");
    skill(&desk, "money", "", "Round down.");
    assert_eq!(start(&desk, "compact"), changed);
    // Another session reads what there is now.
    let fields =
        json!({ "hook_event_name": "SessionStart", "source": "startup", "session_id": "s-2" });
    let other = fire(&desk, "session-start", &fields);
    assert!(other.contains("Round down.") && !other.contains("<notice"), "{other}");
    assert!(first.contains("Round half to even."), "{first}");
    insta::with_settings!({ filters => [(r"b3-\w{12}", "[digest]")] }, {
        transcript!(desk, ["skill history --session '#1'", "skill history --task '#1'"], @"
        $ pacenote skill history --session '#1'
        [moment]  @backend  [digest]  `money`: the task names it
        $ pacenote skill history --task '#1'
        [moment]  @backend  [digest]  `money`: the task names it
        [moment]  @backend  [digest]  `money`: the task names it
        ");
    });
}

#[test]
fn what_the_agent_loaded_comes_back_as_a_line() {
    let mut desk = quiet();
    skill(&desk, "money", "", "Round half to even.");
    desk.run("task add 'Research prices'");
    desk.run("task claim '#1'");
    start(&desk, "startup");
    for name in ["shop:forms", "../x", "shop:forms"] {
        let (input, done) = (json!({ "skill": name }), json!({ "success": true }));
        let fields = json!({
            "hook_event_name": "PostToolUse",
            "tool_name": "Skill",
            "tool_input": input,
            "tool_response": done,
        });
        assert_eq!(fire(&desk, "post-tool-use", &fields), "(nothing)");
    }
    desk.set("CLAUDECODE", "1").set("CLAUDE_CODE_SESSION_ID", "s-1");
    desk.run("skill show money");
    desk.unset("CLAUDECODE").unset("CLAUDE_CODE_SESSION_ID");
    insta::assert_snapshot!(start(&desk, "compact"), @r#"
    <pacenote project="shop">
    <notice trust="system">You loaded skill shop:forms in this session; its text is gone from your context: `pacenote skill show shop:forms`.</notice>
    <notice trust="system">You loaded skill money in this session; its text is gone from your context: `pacenote skill show money`.</notice>
    <position trust="agent">You are at t-1 "Research prices".</position>
    </pacenote>
    "#);
    // A context that the person emptied begins without them.
    assert!(!start(&desk, "clear").contains("You loaded"));
    fire(&desk, "stop", &json!({ "hook_event_name": "Stop", "stop_hook_active": false }));
    let handoff = desk.run("session handoff show '#1'").stdout;
    assert!(handoff.contains("shop:forms") && handoff.contains("money"), "{handoff}");
}

#[test]
fn a_skill_that_is_approved_comes_with_the_next_prompt() {
    let desk = quiet();
    let text = "---\nname: house\ndescription: Our way\n---\nAsk before you delete.\n";
    desk.write(".claude/skills/house/SKILL.md", text);
    desk.run("task add 'Tidy up' --skill house");
    desk.run("task claim '#1'");
    insta::assert_snapshot!(start(&desk, "startup"), @r#"
    <pacenote project="shop">
    <notice trust="system" skill="house">Skill house is left out although the task names it: the person has not approved this skill of the project. See `pacenote skill show house`.</notice>
    <position trust="agent">You are at t-1 "Tidy up".</position>
    </pacenote>
    "#);
    assert_eq!(prompt(&desk, 1, "begin with the old files"), "(nothing)");
    let mut person = desk;
    person.unset("PACENOTE_AGENT");
    person.run("skill approve --project --yes");
    person.set("PACENOTE_AGENT", "backend");
    insta::with_settings!({ filters => [(r"\b[0-9a-f]{12}\b", "[fence]")] }, {
        insta::assert_snapshot!(prompt(&person, 2, "go on"), @r#"
        <pacenote project="shop">
        <skill trust="project" name="house" why="the task names it" fence="[fence]">
        Ask before you delete.
        [end of [fence]]
        </skill>
        </pacenote>
        "#);
    });
    assert_eq!(prompt(&person, 3, "and the rest too"), "(nothing)");
}
