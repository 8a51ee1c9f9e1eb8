use proptest::prelude::*;

use super::*;
use crate::lifecycle::{
    Action, BlockTools, Format, InjectContext, Layer, Rule, Source, ToolRule, Value,
};

fn told(text: &str, layer: Layer) -> String {
    match read(text, "rules.yaml", layer) {
        Ok(layer) => {
            let rules = layer.rules.iter().map(|rule| {
                let Rule { name, line, on, enabled, when, action, .. } = rule;
                format!("{line} {name} {} {enabled} {when:?} {action:?}", key_of(*on))
            });
            rules.collect::<Vec<_>>().join("\n")
        }
        Err(problems) => {
            let lines = problems.iter().map(|problem| {
                let hint = problem.hint.iter().map(|hint| format!("\n    {hint}"));
                format!("{}: {}{}", problem.line, problem.message, hint.collect::<String>())
            });
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

fn context(sources: &[Source]) -> InjectContext {
    InjectContext { sources: sources.to_vec(), ..InjectContext::default() }
}

fn actions(text: &str) -> Vec<Action> {
    let layer = read(text, "rules.yaml", Layer::User).unwrap();
    layer.rules.into_iter().map(|rule| rule.action).collect()
}

#[test]
fn sources_are_one_word_words_with_commas_or_a_list() {
    let text = "
on_session_start:
  - action: inject_context
    source: skills
    format: full
  - action: inject_context
    source: task_context
  # Several at once; the order is the order of telling.
  - action: inject_context
    source: mail, skills,task_context , handoff
    format: summary
on_before_agent:
  - action: inject_context
    source:
      - skill_suggestion
      - compact_handoff
      - artifacts
    limit: 3
    min_importance: 0.25
    require: true
";
    let full = InjectContext { format: Some(Format::Full), ..context(&[Source::Skills]) };
    let sources = [Source::Mail, Source::Skills, Source::TaskContext, Source::Handoff];
    let several = InjectContext { format: Some(Format::Summary), ..context(&sources) };
    let listed = InjectContext {
        limit: Some(3),
        min_importance: Some(250),
        require: true,
        ..context(&[Source::SkillSuggestion, Source::Handoff, Source::Artifacts])
    };
    let expected = [full, context(&[Source::TaskContext]), several, listed];
    assert_eq!(actions(text), expected.map(Action::InjectContext));
}

#[test]
fn every_action_is_read() {
    let text = "
name: all
description: One of each.
version: 1.2
type: lifecycle
variables: {ready: false, rounds: 3, mode: slow}
triggers:
  on_session_start:
    - {action: inject_context, template: 'hello {{ host }}'}
    - {action: inject_message, content: Tests first., when: source == 'startup'}
    - {action: set_variable, name: ready, value: true}
    - {action: set_variable, name: named-rule, variable: mode, value: fast}
    - {action: increment_variable, name: rounds}
    - {action: increment_variable, variable: rounds, amount: -2, enabled: false}
  on_before_tool:
    - {action: require_active_task}
    - {action: require_active_task, tools: [edit, 'mcp__*'], reason: first a task}
    - {action: block_tools, command: rm -rf, reason: not that}
    - action: block_tools
      rules:
        - {tools: 'WebFetch, WebSearch', reason: offline}
        - {tools: [edit], when: plan_mode, reason: plan first}
on_stop:
  - {action: block_stop, reason: 'tests of {{ task.title }} did not run'}
  - {action: block_stop, reason: again, limit: 1}
  - {action: mark_session_status, status: paused}
  - {action: extract_handoff}
  - {action: capture_artifact, glob: 'docs/**/*.md', name: papers}
  - {action: observe, category: turn, message: '{{ task.id }} rests'}
  - {action: run, argv: [notify-send, done]}
";
    insta::assert_snapshot!(told(text, Layer::User), @r#"
    9 inject_context-session_start-1 on_session_start true None InjectContext(InjectContext { sources: [], format: None, limit: None, min_importance: None, require: false, template: Some("hello {{ host }}") })
    10 inject_message-session_start-2 on_session_start true Some("source == 'startup'") InjectMessage { content: "Tests first." }
    11 set_variable-session_start-3 on_session_start true None SetVariable { variable: "ready", value: Bool(true) }
    12 named-rule on_session_start true None SetVariable { variable: "mode", value: Text("fast") }
    13 increment_variable-session_start-5 on_session_start true None IncrementVariable { variable: "rounds", amount: 1 }
    14 increment_variable-session_start-6 on_session_start false None IncrementVariable { variable: "rounds", amount: -2 }
    16 require_active_task-before_tool-1 on_before_tool true None RequireActiveTask { tools: ["edit"], reason: None }
    17 require_active_task-before_tool-2 on_before_tool true None RequireActiveTask { tools: ["edit", "mcp__*"], reason: Some("first a task") }
    18 block_tools-before_tool-3 on_before_tool true None BlockTools(BlockTools { rules: [ToolRule { tools: ["shell"], except: [], command: Some("rm -rf"), when: None, reason: "not that" }] })
    19 block_tools-before_tool-4 on_before_tool true None BlockTools(BlockTools { rules: [ToolRule { tools: ["WebFetch", "WebSearch"], except: [], command: None, when: None, reason: "offline" }, ToolRule { tools: ["edit"], except: [], command: None, when: Some("plan_mode"), reason: "plan first" }] })
    24 block_stop-stop-1 on_stop true None BlockStop { reason: "tests of {{ task.title }} did not run", limit: 3 }
    25 block_stop-stop-2 on_stop true None BlockStop { reason: "again", limit: 1 }
    26 mark_session_status-stop-3 on_stop true None MarkSessionStatus { status: Paused }
    27 extract_handoff-stop-4 on_stop true None ExtractHandoff
    28 capture_artifact-stop-5 on_stop true None CaptureArtifact { glob: "docs/**/*.md", artifact: "papers" }
    29 observe-stop-6 on_stop true None Observe { category: "turn", message: "{{ task.id }} rests" }
    30 run-stop-7 on_stop true None Run { argv: ["notify-send", "done"] }
    "#);
    let layer = read(text, "rules.yaml", Layer::User).unwrap();
    let json = serde_json::to_string(&layer.rules).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Rule>>(&json).unwrap(), layer.rules);
    let variables: Vec<_> = layer.variables.into_iter().collect();
    let expected = [
        ("mode".to_owned(), Value::Text("slow".into())),
        ("ready".to_owned(), Value::Bool(false)),
        ("rounds".to_owned(), Value::Number(3)),
    ];
    assert_eq!(variables, expected);
}

/// A file with every mistake there is.
const MISTAKES: &str = "\
name: [x]
type: workflow
version: true
nmae: y
on_sesion_start: []
variables:
  Bad-Name: 1
  half: 0.5
  if: true
  good: 1
  good: 2
disable: []
on_session_start: []
on_wake: extract_handoff
triggers:
  on_prompt: []
on_before_agent:
  - action: inject_contxt
  - source: mail
  - action: inject_context
  - action: inject_context
    source: mail, mial, mail,
    format: long
    limit: 0
    min_importance: 1.5
    require: yes
    tempalte: x
  - action: inject_message
    when: source ==
    content: '{% include \"x\" %}'
    enabled: 1
  - just a text
  - action: inject_message
    content: 12
  - action: inject_message
    content: ''
  - action: set_variable
    value: [1]
  - {action: observe, name: twice, category: a, message: b}
  - {action: observe, name: twice, category: a b, message: b}
  - {action: block_tools, tools: edit, reason: x}
on_before_tool:
  - action: block_tools
  - action: block_tools
    tools: [edit, edit, 3]
    reason: x
  - action: block_tools
    reason: y
    rules: [{tools: edit, reason: x}]
  - action: block_tools
    rules:
      - {tools: edit}
      - {reason: x}
      - {tools: edit, reason: x, wehn: y, when: \"a ~ b\"}
on_stop:
  - {action: block_stop, reason: x, limit: 4}
  - {action: mark_session_status, status: finished}
  - {action: capture_artifact, glob: ../secrets, name: x}
  - {action: run, argv: []}
  - {action: run, argv: [sleep, 5]}
  - {action: extract_handoff, action: run}
";

#[test]
fn a_file_full_of_mistakes_tells_all_of_them() {
    insta::assert_snapshot!(told(MISTAKES, Layer::Project), @"
    1: `name` must be a text of at most 2048 bytes, and is a list
    2: `type` must be `lifecycle`
    3: `version` must be a number or a text, and is a yes or no
    4: unknown key `nmae`
        did you mean `name`?
    5: unknown occasion `on_sesion_start`
        did you mean `on_session_start`?
    7: `Bad-Name` cannot name a variable in `variables`
        a name of small letters, digits and `_`, at most 64
    8: `half` must be `true`, `false`, a whole number or a text, and is a number
    9: `if` cannot name a variable
        it has a meaning of its own in conditions
    11: the key `good` is repeated
        the first is on line 10
    12: `disable` is an empty list
    13: `on_session_start` is an empty list
    14: `on_wake` must be a list of actions, and is a text
    16: unknown occasion `on_prompt`
        known are `on_session_start`, `on_session_end`, `on_before_agent`, `on_pre_compact`, `on_post_compact`, `on_before_tool`, `on_after_tool`, `on_stop`, `on_subagent_start`, `on_subagent_stop`, `on_wake`
    18: unknown action `inject_contxt`
        did you mean `inject_context`?
    19: the rule has no `action`
        known are `inject_context`, `inject_message`, `set_variable`, `increment_variable`, `require_active_task`, `block_tools`, `block_stop`, `mark_session_status`, `extract_handoff`, `capture_artifact`, `observe`, `run`
    20: `inject_context`: `source` is missing, and there is no `template` either
    22: `source` names `mail` twice
    22: `source` has an empty word
    22: unknown source `mial`
        did you mean `mail`?
    23: unknown format `long`
        known are `summary`, `full`, `none`
    24: `limit` must be a whole number from 1 to 100
    25: `min_importance` must be a number from 0 to 1
    26: `require` must be `true` or `false`, and is a text
        write `true`
    27: unknown key `tempalte` of `inject_context`
        did you mean `template`?
    29: `when`: the condition cannot be read: unexpected end of input, expected expression
    30: `content`: the template cannot be read: `include` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`
    31: `enabled` must be `true` or `false`, and is a number
    32: `on_before_agent` must be a list of maps with an `action`, and is a text
    34: `content` must be a text of at most 16384 bytes, and is a number
        put it in quotes
    36: `content` is empty
    37: `set_variable` needs `variable`
        `variable` must be a name of small letters, digits and `_`, at most 64, and `name` may stand in for it
    38: `value` must be `true`, `false`, a whole number or a text, and is a list
    40: `a b` cannot be a `category`
        a name of letters, digits, `-`, `_` and `.`, at most 64
    40: the name `twice` is used twice
        the first is on line 39
    41: `block_tools` means nothing below `on_before_agent`
        it belongs below `on_before_tool`
    43: `block_tools`: `tools` or `command` is missing, and so is `reason`
    45: `tools` must be a list of words, and is a number
    45: `tools` names `edit` twice
    47: `block_tools`: `rules` stands alone: put `tools`, `command` and `reason` below it
    52: `reason` is missing
    53: `tools` or `command` is missing
    54: `when`: the condition cannot be read: `~` is not part of the language
    54: unknown key `wehn` of `rules`
        did you mean `when`?
    56: `limit` must be a whole number from 1 to 3
    57: unknown status `finished`
        known are `active`, `paused`, `awaiting_handoff`, `completed`, `expired`
    58: `glob` must be a pattern of files inside the project
        such as `docs/**/*.md`
    59: a project's rules may not use `run`
        your own rules, which apply to all projects, may
    59: `argv` is an empty list
    60: a project's rules may not use `run`
        your own rules, which apply to all projects, may
    60: `argv` must be a list of texts, the program first, and is a number
        put it in quotes
    61: the key `action` is repeated
        the first is on line 61
    ");
}

#[test]
fn names_are_made_where_none_are_given() {
    let text = "
on_stop:
  - {action: extract_handoff}
  - {action: observe, name: extract_handoff-stop-3, category: a, message: b}
  - {action: extract_handoff}
  - {action: set_variable, name: x, value: 1}
triggers:
  on_stop:
    - {action: extract_handoff}
  on_wake:
    - {action: extract_handoff}
";
    let layer = read(text, "rules.yaml", Layer::User).unwrap();
    let names: Vec<_> = layer.rules.iter().map(|rule| rule.name.as_str()).collect();
    let expected = [
        "extract_handoff-stop-1",
        "extract_handoff-stop-3",
        "extract_handoff-stop-4",
        "set_variable-stop-4",
        "extract_handoff-stop-5",
        "extract_handoff-wake-1",
    ];
    assert_eq!(names, expected);
}

#[test]
fn tools_of_commands_are_those_of_the_shell() {
    let text = "on_before_tool: [{action: block_tools, command: curl, reason: offline}]";
    let rule = ToolRule {
        tools: vec!["shell".into()],
        except: Vec::new(),
        command: Some("curl".into()),
        when: None,
        reason: "offline".into(),
    };
    assert_eq!(actions(text), [Action::BlockTools(BlockTools { rules: vec![rule] })]);
}

#[test]
fn a_file_that_says_nothing_is_a_layer_without_rules() {
    for text in ["", "# nothing\n", "name: x\n", "---\n"] {
        let layer = read(text, "rules.yaml", Layer::Project).unwrap();
        assert_eq!((layer.rules.len(), layer.variables.len()), (0, 0), "{text}");
    }
}

#[test]
fn switches_know_their_lines() {
    let text = "enable: [a]\ndisable:\n  - b\n  - c\n";
    let layer = read(text, "rules.yaml", Layer::User).unwrap();
    let switch = |name: &str, line| Switch { name: name.into(), line };
    assert_eq!(layer.enable, [switch("a", 1)]);
    assert_eq!(layer.disable, [switch("b", 3), switch("c", 4)]);
}

#[test]
fn aliases_and_merged_keys_are_read_like_what_they_stand_for() {
    let text = "
on_stop:
  - &note {action: observe, category: turn, message: over}
  - {<<: *note, message: again}
  - *note
";
    insta::assert_snapshot!(told(text, Layer::User), @r#"
    3 observe-stop-1 on_stop true None Observe { category: "turn", message: "over" }
    4 observe-stop-2 on_stop true None Observe { category: "turn", message: "again" }
    5 observe-stop-3 on_stop true None Observe { category: "turn", message: "over" }
    "#);
}

#[test]
fn too_much_of_anything_is_told_once() {
    let rules = format!("on_stop:\n{}", "  - {action: extract_handoff}\n".repeat(RULES + 1));
    let mistakes = format!("on_stop:\n{}", "  - 1\n".repeat(RULES));
    let long = format!("on_stop: [{{action: extract_handoff, when: '{}'}}]", "a".repeat(2000));
    let sentence = "x".repeat(20_000);
    let template = format!("on_stop: [{{action: inject_message, content: {sentence}}}]");
    let variable = format!("variables: {{{}: 1}}", "v".repeat(65));
    let huge = "# ".repeat(5 * 1024 * 1024);
    let told: Vec<_> = [rules, mistakes, long, template, variable, huge]
        .iter()
        .map(|text| {
            let problems = read(text, "rules.yaml", Layer::User).unwrap_err();
            let last = problems.last().unwrap();
            format!("{} problems, the last: {last}", problems.len())
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @"
    1 problems, the last: rules.yaml:502: the file has more than 500 rules
    201 problems, the last: rules.yaml:201: and 300 more problems after this line
    1 problems, the last: rules.yaml:1: `when`: the condition has 2000 bytes, 1024 are allowed
    1 problems, the last: rules.yaml:1: `content` has 20000 bytes, 16384 are allowed
    1 problems, the last: rules.yaml:1: `vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv…` cannot name a variable in `variables`
    1 problems, the last: rules.yaml:1: the file has 10485760 bytes, 262144 are allowed
    ");
}

proptest! {
    #[test]
    fn any_text_is_a_layer_or_problems_in_order_with_lines_of_the_file(
        lines in prop::collection::vec(
            prop::sample::select(vec![
                "on_stop:", "on_wake: []", "triggers:", "variables:", "enable: a, b", "x: 1",
                "  - action: run", "  - action: observe", "    argv: [a, 1]", "    when: a ~ b",
                "    message: '{{'", "    <<: *a", "  - &a {action: extract_handoff}", "  - *a",
                "\t", "  on_stop: [1, 2]", "    name: x", "---", "  a: 1", "{[", "'",
            ]),
            0..12,
        ),
    ) {
        let text = lines.join("\n");
        if let Err(problems) = read(&text, "rules.yaml", Layer::Project) {
            prop_assert!(!problems.is_empty());
            prop_assert!(problems.is_sorted_by_key(|problem| problem.line));
            for problem in problems {
                prop_assert!((1..=lines.len() + 1).contains(&problem.line), "{problem}\n{text}");
            }
        }
    }
}
