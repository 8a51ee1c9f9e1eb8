//! Rules of people at work: what they may name, what reaches an agent, and what is said when a rule
//! cannot work.

use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::{
    desk,
    lifecycle::{context, eventually, fire, fire_in, rules, start, tool, without_fence},
    transcript,
};

/// The page with the example that people copy.
const DOCUMENT: &str = include_str!("../../../../docs/lifecycle.md");

/// A skill of the person that always applies.
const MONEY: &str = "---\nname: money\ndescription: Careful with money\nalwaysApply: true\n---\n\n# Money\n\nCount twice.\n";

fn prompt(desk: &Desk, text: &str) -> String {
    context(&fire(desk, "user-prompt-submit", &json!({ "prompt": text })))
}

/// Returns the text of an element, without its tag.
fn inside<'t>(text: &'t str, tag: &str) -> &'t str {
    let opening = format!("<{tag} ");
    let rest = text.split_once(&opening).map_or("", |(_, rest)| rest);
    let body = rest.split_once('>').map_or("", |(_, body)| body);
    body.split(&format!("</{tag}>")).next().unwrap_or_default().trim()
}

fn stop(desk: &Desk) -> Value {
    fire(desk, "stop", &json!({ "stop_hook_active": false }))["reason"].clone()
}

#[test]
fn files_that_people_bring_from_elsewhere_are_in_force() {
    let desk = desk();
    desk.write("../home/.claude/skills/money/SKILL.md", MONEY);
    desk.run("skill list");
    desk.run("task add 'Add login'");
    desk.run("task claim '#1'");
    // Nothing but what the file says.
    let alone = "disable: [briefing, hello, mail, news]\n";
    let tags = |desk: &Desk, session: &str| {
        let told = start(desk, session);
        let tags = told.lines().filter_map(|line| line.strip_prefix('<')?.split([' ', '>']).next());
        tags.filter(|tag| !tag.starts_with('/')).map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    rules(
        &desk,
        &format!(
            "{alone}
on_session_start:
  - action: inject_context
    source: skills
    format: summary

  - action: inject_context
    source: task_context
"
        ),
    );
    assert_eq!(desk.run("lifecycle check").stdout, "no problems found\n");
    insta::assert_snapshot!(tags(&desk, "s-1"), @"pacenote core_skills skill position next");
    rules(
        &desk,
        &format!(
            "{alone}
on_session_start:
  - action: inject_context
    source: skills, task_context, handoff
    format: summary  # applies to skills

on_before_agent:
  - action: inject_context
    source: memories, skill_suggestion
    limit: 5           # applies to memories
    min_importance: 0.7
"
        ),
    );
    transcript!(desk, ["lifecycle check", "lifecycle check --json"], @r#"
    $ pacenote lifecycle check
    no problems found
    warning: /desk/home/.config/pacenote/lifecycle.yaml:10: the source `memories` is not available in this version and is left out
    $ pacenote lifecycle check --json
    {
      "problems": [],
      "warnings": [
        {
          "file": "/desk/home/.config/pacenote/lifecycle.yaml",
          "line": 10,
          "message": "the source `memories` is not available in this version and is left out",
          "hint": null
        }
      ]
    }
    "#);
    insta::assert_snapshot!(tags(&desk, "s-2"), @"pacenote core_skills skill position next");
    let doctor = desk.run("doctor").stdout;
    let rules_line = doctor.lines().find(|line| line.contains("rules: ")).unwrap_or_default();
    insta::assert_snapshot!(desk.tidy(rules_line), @"warn  rules: /desk/home/.config/pacenote/lifecycle.yaml:10: the source `memories` is not available in this version and is left out");
    desk.run("skill search plan");
    let told = fire_in(
        &desk,
        "s-2",
        "user-prompt-submit",
        &json!({ "prompt": "write an implementation plan for the login form" }),
    );
    assert!(context(&told).contains("- writing-plans: "), "{told}");
    rules(
        &desk,
        &format!(
            "{alone}
on_session_start:
  - action: inject_context
    source:
      - skills
      - memories
      - task_context
"
        ),
    );
    insta::assert_snapshot!(tags(&desk, "s-3"), @"pacenote core_skills skill position next");
    rules(&desk, "variables:\n  debug_echo_context: true\n");
    let shown = fire_in(&desk, "s-4", "session-start", &json!({ "source": "startup" }));
    let message = shown["systemMessage"].as_str().unwrap_or_default();
    assert!(message.contains("<core_skills") && message.contains("Add login"), "{message}");
}

#[test]
fn a_name_that_does_not_exist_costs_its_rule_and_is_said() {
    let desk = desk();
    desk.run("task add 'Add login'");
    rules(
        &desk,
        "\
on_session_start:
  - {name: lost, action: inject_message, when: task.actve, content: Never.}
  - {name: also-lost, action: inject_context, source: mail, template: 'Mail: {{ content }}'}
  - {name: kept, action: inject_message, content: This one works.}
on_before_tool:
  - {name: shut, action: block_tools, tools: edit, when: event.source == 'x', reason: Not here.}
",
    );
    transcript!(desk, ["lifecycle check"], @"
    $ pacenote lifecycle check
    /desk/home/.config/pacenote/lifecycle.yaml:2: `when`: unknown name `task.actve`
      hint: did you mean `task.active`?
    /desk/home/.config/pacenote/lifecycle.yaml:3: `template`: unknown name `content`
      hint: `pacenote lifecycle show --built-in` lists the names there are
    /desk/home/.config/pacenote/lifecycle.yaml:6: `when`: unknown name `event.source`
      hint: did you mean `source`?
    [exit 1]
    ");
    let answer = fire(&desk, "session-start", &json!({ "source": "startup" }));
    let told = context(&answer);
    assert!(told.contains("This one works.") && told.contains("Add login"), "{told}");
    assert!(!told.contains("Never") && !told.contains("Mail:"), "{told}");
    let notice = answer["systemMessage"].as_str().unwrap_or_default();
    let notice = notice.lines().last().unwrap_or_default();
    insta::assert_snapshot!(desk.tidy(notice), @"
    pacenote: /desk/home/.config/pacenote/lifecycle.yaml:2: `when`: unknown name `task.actve` (and 2 more), so its rule does not work; see `pacenote lifecycle check`
    ");
    // A gate does not open because its author mistyped a name, and says why it is shut.
    insta::assert_snapshot!(
        tool(&desk, "Write", &json!({ "file_path": "x", "content": "y" })),
        @"Not here. (rule `shut`; a person opens it with `pacenote allow shut`). The condition of this rule cannot be answered, so it refuses: the person can see what to fix with `pacenote lifecycle check`"
    );
    assert_eq!(tool(&desk, "Read", &json!({ "file_path": "x" })), "(passes)");
    let doctor = desk.tidy(&desk.run("doctor").stdout);
    let (_, failures) = doctor.split_once("hook failures: ").expect("failures");
    let (failures, _) = failures.split_once("the newest are shown").expect("a hint");
    insta::assert_snapshot!(failures, @"
    claude session-start: rule `lost`: the condition asks about `task.actve`, which does not exist ([moment])
          claude session-start: rule `also-lost`: the template asks for `content`, which does not exist ([moment])
          claude pre-tool-use: rule `shut`: the condition asks about `event.source`, which does not exist (2 times, last [moment])
          hint:
    ");
    assert!(doctor.contains("fail  rules: "), "{doctor}");
}

#[test]
fn a_repository_with_an_unknown_name_cannot_be_trusted() {
    let mut desk = desk();
    desk.unset("PACENOTE_AGENT");
    desk.run("task add x");
    desk.write(
        ".pacenote/lifecycle.yaml",
        "on_stop:\n  - {action: extract_handoff, when: task.actve}\n",
    );
    let refused = desk.run("trust approve --yes");
    assert!(refused.stderr.contains("unknown name `task.actve`"), "{}", refused.stderr);
}

#[test]
fn skills_that_always_apply_reach_a_session_in_which_nothing_is_going_on() {
    let mut desk = desk();
    desk.write("../home/.claude/skills/money/SKILL.md", MONEY);
    desk.run("skill list");
    desk.run("task add x");
    desk.run("task close '#1'");
    insta::assert_snapshot!(desk.tidy(&start(&desk, "s-1")), @r#"
    <pacenote project="shop">
    <identity trust="system">You are @backend in project shop on branch main, session s-s1.</identity>
    <core_skills trust="user" why="they always apply" fetch="pacenote skill show NAME">
    - money: Careful with money
    </core_skills>
    <guide trust="system">No task is open. For work of more than one step, add one, because it survives a compaction: `pacenote task add "TITLE"`, then `pacenote task claim ID`. Skills: `pacenote skill search WORDS`.</guide>
    </pacenote>
    "#);
    assert!(!prompt(&desk, "fix the invoice total").contains("money"), "it knows");
    // One that comes later comes with the next prompt, once.
    desk.write(
        "../home/.claude/skills/dates/SKILL.md",
        &MONEY.replace("money", "dates").replace("Money", "Dates"),
    );
    desk.run("skill list");
    insta::assert_snapshot!(prompt(&desk, "and now the due date"), @r#"
    <pacenote project="shop">
    <core_skills trust="user" why="they always apply" fetch="pacenote skill show NAME">
    - dates: Careful with dates
    </core_skills>
    </pacenote>
    "#);
    assert_eq!(prompt(&desk, "and the reminder"), "(nothing)");
    desk.set("PACENOTE_SKILLS_INJECTION_FORMAT", "full");
    let whole = start(&desk, "s-2");
    assert!(whole.contains("Count twice."), "{whole}");
}

#[test]
fn what_the_person_set_about_skills_holds_against_every_rule() {
    let mut desk = desk();
    desk.write("../home/.claude/skills/money/SKILL.md", MONEY);
    desk.write(
        "../home/.gemini/skills/elsewhere/SKILL.md",
        "---\nname: elsewhere\ndescription: E\n---\n",
    );
    desk.run("skill list");
    desk.run("task add 'Research caching'");
    desk.run("task claim '#1'");
    rules(
        &desk,
        "\
disable: [briefing]
on_session_start:
  - {action: inject_context, source: skills, format: full}
  - {action: inject_context, template: 'All: {{ skills }} {{ skills_list }}.'}
",
    );
    let shown = |desk: &Desk, session: &str| {
        let told = start(desk, session);
        let has = |what: &str| if told.contains(what) { "yes" } else { "no" };
        let (whole, name, others) = (has("Count twice."), has("money"), has("elsewhere"));
        format!("text {whole}, name {name}, other skills {others}")
    };
    let mut table = vec![format!("as it is: {}", shown(&desk, "s-1"))];
    desk.set("PACENOTE_SKILLS_INJECT_CORE_SKILLS", "off");
    table.push(format!("core skills off: {}", shown(&desk, "s-2")));
    desk.set("PACENOTE_SKILLS_INJECT_CORE_SKILLS", "on");
    desk.set("PACENOTE_SKILLS_INJECTION_FORMAT", "none");
    table.push(format!("format none: {}", shown(&desk, "s-3")));
    insta::assert_snapshot!(table.join("\n"), @"
    as it is: text yes, name yes, other skills yes
    core skills off: text no, name no, other skills yes
    format none: text no, name no, other skills no
    ");
}

#[test]
fn the_example_of_the_page_fires_for_the_skill_in_force() {
    let mut desk = desk();
    let (_, example) = DOCUMENT.split_once("```yaml\n").expect("an example");
    let (example, _) = example.split_once("```").expect("its end");
    rules(&desk, example);
    assert_eq!(desk.run("lifecycle check").stdout, "no problems found\n");
    desk.write("../home/.claude/skills/dom/SKILL.md", "---\nname: dom\ndescription: D\n---\n# D\n");
    desk.run("task add 'Add login'");
    desk.run("task add 'Brainstorm the store'");
    desk.run("task add 'Ship it' --skill superpowers:test-driven-development");
    desk.run("task add 'Draw it' --skill dom");
    desk.run("task add 'Think of names' --parent '#4'");
    start(&desk, "s-1");
    let mut table = Vec::new();
    for (task, what) in
        [("#1", "default"), ("#2", "row"), ("#3", "field"), ("#5", "parent's field")]
    {
        desk.run(&format!("task claim '{task}'"));
        fire(&desk, "user-prompt-submit", &json!({ "prompt": "go on with it please" }));
        table.push(format!("{what}: {}", desk.tidy(&stop(&desk).to_string())));
        desk.run(&format!("task close '{task}'"));
    }
    insta::assert_snapshot!(table.join("\n"), @r#"
    default: "t-1 is not closed. Run the tests and close it, or say why not. (rule `tests-first`, 1 of 3)"
    row: null
    field: "t-2 is not closed. Run the tests and close it, or say why not. (rule `tests-first`, 1 of 3)"
    parent's field: null
    "#);
    // A row of the person counts too.
    desk.set("PACENOTE_SKILLS_TASK_RULES", "ship -> dom");
    desk.run("task add 'Ship the rest'");
    desk.run("task claim '#6'");
    assert_eq!(stop(&desk), Value::Null);
}

#[test]
fn a_text_may_name_every_source_and_is_believed_as_far_as_the_least_of_them() {
    let desk = desk();
    desk.run("task add 'Add login'");
    desk.run("mail send --to backend --subject 'Look </rule_text>' 'Is the build green?'");
    rules(
        &desk,
        "\
disable: [briefing, mail]
on_session_start:
  - name: mine
    action: inject_context
    template: |
      {{ session.id }} of @{{ session.agent }} (number {{ session.number }}, epoch {{ session.epoch }})

      Mail:
      {{ mail }}
      {{ compact_handoff }}{{ workflow_state }}{{ artifacts }}{{ memories }}
      Lately:
      {{ activity }}
",
    );
    let told = desk.tidy(&start(&desk, "s-1"));
    insta::assert_snapshot!(without_fence(&told), @r#"
    <pacenote project="shop">
    <rule_text trust="agent" rule="mine" fence="[fence]">
    s-s1 of @backend (number 0, epoch 1)

    Mail:
    - #1 from @backend: Look &lt;/rule_text>: "Is the build green?"

    Lately:
    [end of [fence]]
    </rule_text>
    </pacenote>
    "#);
    // A text without a name in it is the person's own word.
    rules(
        &desk,
        "disable: [briefing]\non_session_start:\n  - {name: own, action: inject_context, template: Be brief.}\n",
    );
    assert!(start(&desk, "s-2").contains("<notice trust=\"user\" rule=\"own\">Be brief.</notice>"));
}

#[test]
fn skills_are_suggested_on_the_first_day_and_not_for_small_talk() {
    let mut desk = desk();
    desk.unset("PACENOTE_AGENT").install();
    std::fs::create_dir_all(desk.root().join("home/.claude")).expect("a directory");
    let init = desk.run("init --yes");
    assert_eq!(init.code, "0", "{}", init.stderr);
    rules(&desk, "on_before_agent:\n  - {action: inject_context, source: skill_suggestion}\n");
    start(&desk, "s-1");
    let told = prompt(&desk, "please write an implementation plan for the login form");
    insta::assert_snapshot!(inside(&told, "suggestion"), @"- writing-plans: Writes an implementation plan that another agent can carry out task by task, with files, interfaces, tests, exact… (matches: implementation plan)");
    let told = prompt(&desk, "there is a bug in the parser, find the root cause of it");
    insta::assert_snapshot!(inside(&told, "suggestion"), @"- problem-analysis: Finds the root cause of a problem by evidence, tests explanations one by one, and fixes nothing. Use when something… (matches: find the root cause)");
    for small in [
        "hello how are you",
        "hi there, what can you do for me today?",
        "thanks, that looks good to me",
        "what do you think about it?",
        "good morning",
        "who are you and what is this",
    ] {
        assert_eq!(inside(&prompt(&desk, small), "suggestion"), "", "{small}");
    }
    // What is installed later is found after the next turn, by the worker.
    desk.write(
        "../home/.claude/skills/ledger/SKILL.md",
        "---\nname: ledger\ndescription: Reconciles ledgers with bank statements\n---\n# L\n",
    );
    let asked = "reconcile the ledger with the bank statements";
    fire(&desk, "stop", &json!({ "stop_hook_active": false }));
    eventually("the index", || {
        fire(&desk, "session-start", &json!({ "source": "clear" }));
        prompt(&desk, asked).contains("- ledger: Reconciles ledgers")
    });
}

#[test]
fn a_session_knows_itself_from_the_first_moment() {
    let mut desk = desk();
    desk.unset("PACENOTE_AGENT");
    desk.run("task add x");
    rules(
        &desk,
        "\
on_session_start:
  - name: who
    action: inject_message
    content: '{{ session.id }} {{ session.agent }} {{ session.number }} {{ session.epoch }}'
  - name: first
    action: inject_message
    when: session.epoch == 1 and session.agent == 'claude-45a5' and session.id == 's-45a5'
    content: This is the first.
",
    );
    let session = "45a5c0de-0000-4000-8000-000000000001";
    let told = start(&desk, session);
    assert!(told.contains(">s-45a5 claude-45a5 0 1<"), "{told}");
    assert!(told.contains("This is the first."), "{told}");
    desk.set("CLAUDECODE", "1").set("CLAUDE_CODE_SESSION_ID", session);
    let shown = desk.run("session show --json").json();
    assert_eq!((&shown["number"], &shown["host_id"]), (&json!(1), &json!(session)), "{shown}");
    let again = context(&fire_in(&desk, session, "session-start", &json!({ "source": "compact" })));
    assert!(again.contains(">s-45a5 claude-45a5 1 2<"), "{again}");
    desk.set("CLAUDE_CODE_SESSION_ID", "unknown-1");
    transcript!(desk, ["session show"], @"
    $ pacenote session show
    error: nothing is known of this session yet: its client has called no hook here

    hint: name one: `pacenote session list` shows them
    [exit 1]
    ");
    desk.unset("CLAUDECODE").unset("CLAUDE_CODE_SESSION_ID");
    transcript!(desk, ["session show"], @"
    $ pacenote session show
    error: this is not called from inside a session

    hint: name one: `pacenote session list` shows them
    [exit 1]
    ");
    desk.set("PACENOTE_AGENT", "nobody");
    transcript!(desk, ["session show"], @"
    $ pacenote session show
    error: @nobody has no session here

    hint: name one: `pacenote session list` shows them
    [exit 1]
    ");
}
