use proptest::prelude::*;

use super::*;
use crate::workflow::{
    definition::{Handler, Limit, ParamKind, Step, Target},
    format::{Field, Shape},
    sound::tests::assert_sound,
};

pub(in crate::workflow) const EVERYTHING: &str =
    include_str!("../../../tests/workflows/everything.yaml");

/// Reads a text beside a shelf that has a little of everything.
pub(in crate::workflow) fn read_beside(text: &str) -> Result<Workflow, Vec<Problem>> {
    let texts = |name: &str| [name, "spare"].map(|name| (name.to_owned(), format!("<{name}>")));
    let library = Library { conventions: texts("style").into(), resources: texts("form").into() };
    let workflows = callees();
    read(text, "f.yaml", &Shelf { library: &library, workflows: &workflows })
}

/// One workflow of which only the name is known, one with parameters, and one with mistakes.
fn callees() -> BTreeMap<String, Signature> {
    let param = |name: &str, kind, default: Option<&str>| Param {
        name: name.to_owned(),
        description: String::new(),
        kind,
        default: default.map(|text| pacenote_model::Value::Text(text.to_owned())),
        mutable: false,
    };
    let choices = ["small", "full"].map(str::to_owned).to_vec();
    let params = vec![
        param("request", ParamKind::Text, None),
        param("rounds", ParamKind::Number { least: 1, most: 9 }, None),
        param("size", ParamKind::Choice { choices }, Some("full")),
    ];
    [
        ("documentation", Signature::NameOnly),
        ("planner", Signature::NameOnly),
        ("plan", Signature::Params(params)),
        ("broken", Signature::Unsound),
    ]
    .map(|(name, signature)| (name.to_owned(), signature))
    .into()
}

#[test]
fn a_script_hands_on_what_its_workflow_takes() {
    let told = |workflow: &str, params: &str| {
        let dispatch =
            format!("{{role: explore, mode: script, prompt: p, workflow: {workflow}{params}}}");
        let text = format!(
            "name: w\ndescription: d\nparams: {{goal: {{type: text}}}}\nsteps:\n  - id: a\n    title: A\n    \
             dispatch: {dispatch}\n    next: {{ok: end, fail: end}}\n"
        );
        match read_beside(&text) {
            Ok(_) => "sound".to_owned(),
            Err(problems) => problems
                .iter()
                .map(|problem| format!("{problem} ({})", problem.hint.clone().unwrap_or_default()))
                .collect::<Vec<_>>()
                .join("; "),
        }
    };
    let lines = [
        told("plan", ", params: {request: '{{ goal }}', rounds: '3'}"),
        told("plan", ", params: {request: '{{ goal }}', rounds: '{{ goal }}', size: small}"),
        told("plan", ""),
        told("plan", ", params: {request: x, rounds: '12', size: smal, requst: y}"),
        told("broken", ""),
        told("planner", ", params: {anything: goes}"),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    sound
    sound
    f.yaml:7: step `a`: `plan` needs the parameter `request` (add `params: {request: …}`: a text of 1 to 8192 bytes); f.yaml:7: step `a`: `plan` needs the parameter `rounds` (add `params: {rounds: …}`: a whole number from 1 to 9)
    f.yaml:7: step `a`: the parameter `rounds` cannot be `12` (it may be a whole number from 1 to 9); f.yaml:7: step `a`: the parameter `size` cannot be `smal` (it may be one of `small`, `full`); f.yaml:7: step `a`: `plan` has no parameter `requst` (did you mean `request`?)
    f.yaml:7: step `a`: the workflow `broken` has mistakes of its own, so its parameters are not known (`pacenote flow check` says what they are; fix that file first)
    sound
    ");
}

/// Returns what is said against a text.
pub(in crate::workflow) fn told(text: &str) -> String {
    match read_beside(text) {
        Ok(workflow) => format!("sound: {} steps", workflow.steps.len()),
        Err(problems) => {
            let lines = problems.iter().map(|problem| {
                let hint = problem.hint.iter().map(|hint| format!("\n    {hint}"));
                format!("{problem}{}", hint.collect::<String>())
            });
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

/// Returns what is said against steps.
pub(in crate::workflow) fn told_of(steps: &str) -> String {
    told(&format!("name: w\ndescription: d\nsteps:\n{}", steps.trim_start_matches('\n')))
}

#[test]
fn everything_there_is_is_read() {
    let workflow = read_beside(EVERYTHING).unwrap();
    let json = serde_json::to_string(&workflow).unwrap();
    assert_eq!(serde_json::from_str::<Workflow>(&json).unwrap(), workflow);
    let Workflow { name, version, params, phases, entry, steps, library, .. } = workflow;
    let mut lines = vec![format!("{name} {version}, begins with {entry}")];
    lines.extend(params.iter().map(|param| serde_json::to_string(param).unwrap()));
    lines.extend(phases.iter().map(|phase| serde_json::to_string(phase).unwrap()));
    lines.extend(steps.iter().map(|step| serde_json::to_string(step).unwrap()));
    lines.push(serde_json::to_string(&library).unwrap());
    insta::assert_snapshot!(lines.join("\n"), @r#"
    everything 1.2, begins with start
    {"name":"goal","description":"What is to be built.","kind":{"type":"text"},"mutable":false}
    {"name":"plan","kind":{"type":"path"},"default":"docs/plan.md","mutable":false}
    {"name":"quick","kind":{"type":"flag"},"default":false,"mutable":false}
    {"name":"rounds","kind":{"type":"number","least":1,"most":9},"default":3,"mutable":false}
    {"name":"depth","kind":{"type":"choice","choices":["shallow","deep"]},"default":"deep","mutable":false}
    {"name":"confidence","kind":{"type":"confidence"},"default":"exploring","mutable":true}
    {"id":"think","title":"Think"}
    {"id":"build","title":"Build"}
    {"id":"start","title":"Begin","handler":{"choose":[{"when":"quick","outcome":"skip"},{"when":"iteration > 1 and steps.start.visits > 1","outcome":"iterate"},{"outcome":"ok"}]},"next":{"ok":{"step":"explore"},"skip":{"step":"build"},"iterate":{"step":"explore"}},"on_error":{"step":"approve"},"line":16}
    {"id":"explore","title":"Look round","phase":"think","actions":[{"block":{"say":"Find out what {{ goal }} needs."}},{"when":"depth == 'deep'","block":{"say":"Go {{ depth }}."}},{"block":{"resource":{"name":"form","purpose":""}}},{"block":{"resource":{"name":"form","purpose":"for {{ plan }}"}}},{"block":{"convention":{"name":"style","purpose":""}}},{"block":{"convention":{"name":"style","purpose":"to write alike"}}},{"block":{"forbid":["Do not edit.","Do not guess."]}},{"block":{"expect":{"if_pass":"A list of what was found."}}},{"block":{"expect":{"if_pass":"All is clear.","when_issues":"What is not clear.","categories":["KNOWLEDGE","STRUCTURE"]}}},{"block":{"questions":{"category":"gaps","questions":["What is missing?","What is assumed?"]}}},{"block":{"checklist":{"name":"sources","checks":[{"element":"code","criterion":"was read","if_missing":"CODE_UNREAD"},{"element":"tests","criterion":"were run"}]}}},{"block":{"avoid":{"example":"Guessing.","consequence":"The plan is wrong."}}},{"block":{"constraint":"Change nothing."}},{"block":{"factored":["Does it compile?","Is it tested?"]}},{"block":{"principle":"What was not seen is not known."}},{"block":{"pedantic":["Names as they are written."]}},{"block":{"routing":[{"result":"found","then":"go on"},{"result":"not found","then":"ask"}]}},{"block":{"conditional":{"condition":"there is a plan","if_true":"read it","if_false":"write one"}}},{"block":{"resource":{"name":"form","purpose":""}}},{"block":{"convention":{"name":"style","purpose":""}}}],"next":{"ok":{"step":"sure"},"iterate":{"step":"explore"}},"default":{"step":"approve"},"limit":{"rounds":4,"then":{"step":"approve"}},"report":["confidence"],"tools":{"allow":["read","shell"],"block":["edit","mcp__*"]},"line":25}
    {"id":"sure","title":"Sure enough?","handler":{"choose":[{"when":"confidence is atleast('high')","outcome":"ok"},{"outcome":"iterate"}]},"next":{"ok":{"step":"approve"},"iterate":{"step":"explore"}},"line":69}
    {"id":"approve","title":"Ask the person","phase":"think","handler":{"ask":{"question":"Is {{ plan }} good?","options":[{"label":"Go on","outcome":"ok"},{"label":"Do it again","outcome":"iterate"},{"label":"Stop","outcome":"fail"}],"free_text":true,"approval":true}},"next":{"ok":{"step":"build"},"fail":"end","iterate":{"step":"explore"}},"limit":{"rounds":3},"line":76}
    {"id":"build","title":"Build it","phase":"build","handler":{"dispatch":{"role":"developer","prompt":"Build {{ goal }} in at most {{ rounds }} rounds.","model":"a strong one","mode":"free_form","context":{"plan_file":"{{ plan }}"},"answer":"{\"properties\":{\"files\":{\"type\":\"array\"}},\"required\":[\"files\"],\"type\":\"object\"}","tools":{"allow":["edit","shell"],"block":["agent"],"edit":["docs/**","{{ plan }}"]}}},"next":{"ok":{"step":"artifact"},"fail":{"step":"approve"}},"limit":{"rounds":9},"tools":{"edit":["docs/**"]},"line":87}
    {"id":"artifact","title":"Is the plan there?","handler":{"check":{"artifact":{"glob":"docs/**/*.md"}}},"next":{"ok":{"step":"keyword"},"fail":{"step":"build"}},"line":101}
    {"id":"keyword","title":"Does it say so?","handler":{"check":{"keyword":{"glob":"docs/*.md","keyword":"Decision"}}},"default":{"step":"command"},"line":106}
    {"id":"command","title":"Does it compile?","handler":{"check":{"command":{"argv":["cargo","check"]}}},"next":{"ok":{"step":"tests"},"fail":{"step":"build"}},"on_error":{"step":"build"},"line":111}
    {"id":"tests","title":"Do the tests pass?","handler":{"check":"tests"},"next":{"ok":{"step":"review"},"fail":{"step":"build"}},"line":117}
    {"id":"review","title":"Review it","handler":{"dispatch":{"role":"quality-reviewer","prompt":"Judge it.","mode":"free_form","agents":[{"id":"code","prompt":"The code."},{"id":"papers","prompt":"The documents."}]}},"next":{"ok":{"step":"passed"},"fail":{"step":"passed"}},"line":122}
    {"id":"passed","title":"Quality gate","handler":{"gate":{"name":"Code review","work":"build","pass":{"step":"document"},"pass_message":"{{ goal }} is good.","self_fix":false,"fix_target":"developer","limit":6,"severities":[{"from":1,"count":["must","should","could"]},{"from":3,"count":["must"]}]}},"line":132}
    {"id":"document","title":"Write it down","handler":{"dispatch":{"role":"technical-writer","mode":{"script":{"workflow":"documentation","params":{"subject":"it's {{ goal }}"}}},"returns":"Hand back the file you wrote.","afterwards":"Read the file."}},"next":{"ok":{"step":"last"},"fail":{"step":"last"}},"line":146}
    {"id":"last","title":"Anything else?","handler":{"ask":{"question":"Anything else?","free_text":true,"approval":false}},"next":{"ok":"end"},"line":157}
    {"conventions":{"style":"<style>"},"resources":{"form":"<form>"}}
    "#);
}

/// Collects what tables allow and no value of a file uses.
fn collect_unused(shape: &Shape, nodes: &[&Node], path: &str, unused: &mut Vec<String>) {
    if nodes.is_empty() {
        unused.push(path.to_owned());
        return;
    }
    match shape {
        Shape::Map(fields) => collect_unused_fields(fields, nodes, path, unused),
        Shape::OneOf { of, with } => {
            collect_unused_fields(of, nodes, path, unused);
            collect_unused_fields(with, nodes, path, unused);
        }
        Shape::List { of, .. } => {
            let items: Vec<_> = nodes.iter().flat_map(|node| node.items()).collect();
            collect_unused(of, &items, path, unused);
        }
        Shape::Named { of, .. } => {
            let values = nodes.iter().flat_map(|node| node.entries()).map(|entry| &entry.value);
            collect_unused(of, &values.collect::<Vec<_>>(), path, unused);
        }
        Shape::Either(shapes) => {
            for shape in *shapes {
                let taken = nodes.iter().copied().filter(|node| shape.takes(&node.raw));
                collect_unused(shape, &taken.collect::<Vec<_>>(), path, unused);
            }
        }
        Shape::Sentence { .. }
        | Shape::Title
        | Shape::Template
        | Shape::Condition
        | Shape::Name(_)
        | Shape::Reference(_)
        | Shape::Word(_)
        | Shape::Glob
        | Shape::Flag
        | Shape::Whole { .. }
        | Shape::Version
        | Shape::Value
        | Shape::Words
        | Shape::Json => {}
    }
}

fn collect_unused_fields(fields: &[Field], nodes: &[&Node], path: &str, unused: &mut Vec<String>) {
    for field in fields {
        let values: Vec<_> = nodes.iter().filter_map(|node| node.key(field.key)).collect();
        collect_unused(&field.shape, &values, &format!("{path}/{}", field.key), unused);
    }
}

#[test]
fn everything_is_really_everything() {
    let node = yaml::parse(EVERYTHING, &BOUNDS).unwrap();
    let mut unused = Vec::new();
    collect_unused(&Shape::Map(&DOCUMENT), &[&node], "", &mut unused);
    // A file says these in one of two ways; the other is tried elsewhere.
    assert_eq!(unused, ["/phases", "/steps/check/tests"]);
}

#[test]
fn what_is_not_said_is_as_usual() {
    let text = "
name: w
description: d
phases: {one: First}
params:
  count: {type: number}
  note: {type: text, default: ''}
steps:
  - {id: a, title: A, next: {default: end}}
";
    let workflow = read_beside(text).unwrap();
    let Workflow { version, entry, params, steps, phases, library, .. } = workflow;
    assert_eq!((version.as_str(), entry.as_str()), ("1", "a"));
    assert_eq!(params[0].kind, ParamKind::Number { least: -1_000_000, most: 1_000_000 });
    assert_eq!((&params[0].default, params[0].mutable), (&None, false));
    assert_eq!(params[1].default, Some(pacenote_model::Value::Text(String::new())));
    assert_eq!(phases, [Phase { id: "one".into(), title: "First".into() }]);
    assert_eq!(library, Library::default());
    let Step { handler, default, limit, line, .. } = &steps[0];
    assert_eq!((handler, default), (&Handler::Work, &Some(Target::End)));
    assert_eq!((limit, *line), (&None, 9));
}

#[test]
fn a_limit_is_a_number_or_a_map() {
    let steps = "
  - {id: a, title: A, next: a, limit: 3}
  - {id: b, title: B, next: a, limit: {rounds: 2, then: end}}
";
    let text = format!("name: w\ndescription: d\nentry: b\nsteps:{steps}");
    let told = told(&text);
    assert!(told.contains("no step leads to the end"), "{told}");
    let text = text.replace("limit: 3", "limit: {rounds: 3, then: end}");
    let limits: Vec<_> =
        read_beside(&text).unwrap().steps.into_iter().filter_map(|step| step.limit).collect();
    let limit = |rounds| Limit { rounds, then: Some(Target::End) };
    assert_eq!(limits, [limit(3), limit(2)]);
}

#[test]
fn mistakes_before_the_steps_are_told_all_at_once() {
    let text = "\
name: Every Mistake
description: ''
version: [1]
autor: me
params:
  Goal: {type: text}
  task: {type: text}
  if: {type: flag}
  a: {type: strnig}
  b: {type: number, least: 5, most: 3, default: 4}
  c: {type: choice, default: x}
  d: {type: choice, choices: [x, x], default: y, mutable: yes}
  e: {type: text, least: 1, default: true}
  f: {type: path, default: ../x}
  g: {type: confidence, default: sure}
  h: {typ: text}
entry: strat
phases:
  - {id: think, title: Think}
  - {id: think, title: Again}
steps: [{id: start, title: T, next: end}]
";
    insta::assert_snapshot!(told(text), @"
    f.yaml:1: `Every Mistake` cannot be a name in `name`
        a name of small letters, digits and `-`, at most 64
    f.yaml:2: `description` is empty
    f.yaml:3: `version` must be a number or a text, and is a list
    f.yaml:4: unknown key `autor` of `workflow`
        known are `name`, `description`, `version`, `params`, `entry`, `phases`, `steps`
    f.yaml:6: `Goal` cannot be a name in `params`
        a name of small letters, digits and `_`, at most 64
    f.yaml:7: `task` cannot name a parameter
        it has a meaning of its own in texts and conditions
    f.yaml:8: `if` cannot name a parameter
        it has a meaning of its own in texts and conditions
    f.yaml:9: unknown type `strnig`
        known are `text`, `path`, `flag`, `number`, `choice`, `confidence`
    f.yaml:10: `b` can be no number: `least` is 5, `most` is 3
    f.yaml:11: `c` needs `choices`
        such as `choices: [quick, thorough]`
    f.yaml:12: `mutable` must be `true` or `false`, and is a text
        write `true`
    f.yaml:12: `choices` names `x` twice
    f.yaml:12: the default of `d` must be one of `x`
    f.yaml:13: `least` means nothing for a parameter of type `text`
        it belongs to the type `number`
    f.yaml:13: the default of `e` must be a text of 1 to 8192 bytes
    f.yaml:14: the default of `f` must be the path of a file or directory, relative to the project
    f.yaml:15: the default of `g` must be one of `exploring`, `low`, `medium`, `high`, `certain`
    f.yaml:16: unknown key `typ` of `h`
        did you mean `type`?
    f.yaml:16: `h` needs `type`
        `type` must be one of `text`, `path`, `flag`, `number`, `choice`, `confidence`
    f.yaml:17: unknown step `strat`
        did you mean `start`?
    f.yaml:20: the phase `think` is declared twice
    ");
}

#[test]
fn mistakes_in_what_steps_say_are_told_all_at_once() {
    let text = "\
name: w
description: d
params:
  goal: {type: text}
  d: {type: text, mutable: false}
phases: {think: Think}
steps:
  - id: start
    title: 7
    phase: thnik
    actions:
      - Use {{ goal }} and {{ gaol }}.
      - say: '{% include \"x\" %}'
        when: d ~ 'x'
      - {say: x, forbid: [y]}
      - {when: d == 'x'}
      - {sya: x}
      - {forbid: x}
      - {expect: {when_issues: x}}
      - {resource: fomr}
      - {convention: {name: stlye}}
      - {say: '{{ steps.strat.visits }}'}
      - 12
    resources: [nothing]
    report: [d, gaol]
    next: 3
  - id: end
    title: T
    next: end
  - title: T
    next: end
  - id: start
    title: T
    next: ~
";
    insta::assert_snapshot!(told(text), @r"
    f.yaml:9: step `start`: `title` must be one line of at most 120 characters, and is a number
        put it in quotes
    f.yaml:10: step `start`: unknown phase `thnik`
        did you mean `think`?
    f.yaml:12: step `start`: `actions` uses `gaol`, which is not a parameter
        did you mean `goal`?
    f.yaml:13: step `start`: `say` cannot be read: `include` is not a statement, there are `if`, `elif`, `else`, `endif`, `for`, `endfor`
    f.yaml:14: step `start`: `when` cannot be read: `~` is not part of the language
    f.yaml:15: step `start`: `actions` has `say`, `forbid` at once
        a map with one of `say`, `resource`, `convention`, `forbid`, `expect`, `questions`, `checklist`, `avoid`, `constraint`, `factored`, `principle`, `pedantic`, `routing`, `conditional`
    f.yaml:16: step `start`: `actions` says nothing
        a map with one of `say`, `resource`, `convention`, `forbid`, `expect`, `questions`, `checklist`, `avoid`, `constraint`, `factored`, `principle`, `pedantic`, `routing`, `conditional`
    f.yaml:17: step `start`: unknown key `sya` of `actions`
        did you mean `say`?
    f.yaml:18: step `start`: `forbid` must be a list, and is a text
    f.yaml:19: step `start`: `expect` needs `if_pass`
        `if_pass` must be a text of at most 16384 bytes
    f.yaml:20: step `start`: unknown resource `fomr`
        did you mean `form`?
    f.yaml:21: step `start`: unknown convention `stlye`
        did you mean `style`?
    f.yaml:22: step `start`: `say` asks about the step `strat`, which does not exist
        did you mean `start`?
    f.yaml:23: step `start`: `actions` must be a text of at most 16384 bytes, or a map with one of `say`, `resource`, `convention`, `forbid`, `expect`, `questions`, `checklist`, `avoid`, `constraint`, `factored`, `principle`, `pedantic`, `routing`, `conditional`, and is a number
    f.yaml:24: step `start`: unknown resource `nothing`
        known are `form`, `spare`
    f.yaml:25: step `start`: `d` cannot change on the way
        add `mutable: true` to the parameter
    f.yaml:25: step `start`: unknown mutable parameter `gaol`
        there is none of this kind
    f.yaml:26: step `start`: `next` must be the name of a step or `end`, or a map of `ok`, `fail`, `skip`, `iterate`, `default`, and is a number
    f.yaml:27: step `end`: `end` cannot be the id of a step
        it stands for the end of the workflow
    f.yaml:30: the step needs `id`
        `id` must be a name of small letters, digits and `-`, at most 64
    f.yaml:32: step `start`: the id `start` is used twice
        the first is on line 8
    f.yaml:34: step `start`: `next` must be the name of a step or `end`, or a map of `ok`, `fail`, `skip`, `iterate`, `default`, and is nothing
        write `end` where the workflow is over
    ");
}

#[test]
fn mistakes_in_what_is_handed_out_or_asked_are_told_all_at_once() {
    let steps = "
  - id: both
    title: T
    dispatch: {role: reviewer, prompt: x}
    ask: {question: x}
    next: {ok: end, fail: end, OK: end}
  - id: hand
    title: T
    dispatch: {role: develper, mode: script, agents: [{id: a, prompt: x}]}
    next: {default: end}
  - id: hands
    title: T
    dispatch:
      role: explore
      workflow: planer
      context: {Bad: x}
      agents: [{id: a, prompt: x}, {id: a, prompt: '{{ zzz }}'}]
      answer: [x]
      tools: {allow: [a, a]}
    next: {default: end}
  - id: self
    title: T
    dispatch: {role: explore, mode: script, workflow: w}
    next: {default: end}
  - id: asks
    title: T
    ask: {question: x, options: [a, a, b, c, d], free_text: no}
    next: {default: end}
  - id: mute
    title: T
    ask: {question: x, free_text: false}
    next: {default: end}
";
    insta::assert_snapshot!(told_of(steps), @"
    f.yaml:6: step `both`: unknown role `reviewer`
        known are `quality-reviewer`, `developer`, `technical-writer`, `explore`, `architect`, `general-purpose`
    f.yaml:7: step `both`: the step has `ask`, `dispatch` at once
        one of them decides what the step comes to; make it two steps
    f.yaml:8: step `both`: unknown key `OK` of `next`
        did you mean `ok`?
    f.yaml:11: step `hand`: unknown role `develper`
        did you mean `developer`?
    f.yaml:11: step `hand`: `agents` must have 2 to 20 entries, and has 1
    f.yaml:11: step `hand`: `mode: script` needs `workflow`
        name the workflow whose steps are followed
    f.yaml:17: step `hands`: unknown workflow `planer`
        did you mean `planner`?
    f.yaml:17: step `hands`: `workflow` means nothing without a script
        add `mode: script`
    f.yaml:18: step `hands`: `Bad` cannot be a name in `context`
        a name of small letters, digits and `_`, at most 64
    f.yaml:19: step `hands`: `prompt` uses `zzz`, which is not a parameter
        declare it below `params`; always there are `iteration`, `task`, `directory`, `steps`, `gates`
    f.yaml:19: step `hands`: the agent `a` is there twice
    f.yaml:20: step `hands`: `answer` must be a map that is a JSON Schema, and is a list
    f.yaml:21: step `hands`: `allow` names `a` twice
    f.yaml:25: step `self`: a workflow cannot hand work to itself
    f.yaml:29: step `asks`: `options` must have 2 to 4 entries, and has 5
    f.yaml:29: step `asks`: `free_text` must be `true` or `false`, and is a text
        write `false`
    f.yaml:29: step `asks`: the answer `a` is there twice
    f.yaml:33: step `mute`: nobody could answer the question
        add `options`, or leave out `free_text`
    ");
}

#[test]
fn mistakes_in_checks_choices_and_gates_are_told_all_at_once() {
    let steps = "
  - {id: glob, title: T, check: {artifact: /etc/passwd}, next: {default: end}}
  - {id: word, title: T, check: {keyword: {in: '~/x'}}, next: {default: end}}
  - {id: none, title: T, check: {tests: false}, report: [d], next: {default: end}}
  - {id: test, title: T, check: testes, next: {default: end}}
  - id: open
    title: T
    choose: [{when: a == 'x', outcome: ok}]
    next: {default: end}
  - id: shut
    title: T
    choose: [{outcome: Ok}, {when: a == 'x', outcome: ok}]
    next: {default: end}
  - id: gate
    title: T
    gate: {name: G, limit: 21, self_fix: true, fix_target: developer,
      severities: [{from: 2, count: [must, must]}, {from: 2, count: [minor]}]}
  - {id: long, title: T, limit: 101, next: end, on_error: edn, title: T}
  - {id: fine, title: T, check: {tests: true}, next: {default: end}}
";
    insta::assert_snapshot!(told_of(steps), @r"
    f.yaml:4: step `glob`: `artifact` must be a pattern of files inside the project
        such as `docs/*.md`
    f.yaml:5: step `word`: `keyword` needs `word`
        `word` must be a text of at most 2048 bytes
    f.yaml:5: step `word`: `in` must be a pattern of files inside the project
        such as `docs/*.md`
    f.yaml:6: step `none`: unknown mutable parameter `d`
        there is none of this kind
    f.yaml:6: step `none`: `report` means nothing beside `check`
        only somebody who works on a step can report
    f.yaml:6: step `none`: `tests` must be `true`: a check that checks nothing is none
    f.yaml:7: step `test`: unknown check `testes`
        did you mean `tests`?
    f.yaml:10: step `open`: `when` uses `a`, which is not a parameter
        declare it below `params`; always there are `iteration`, `task`, `directory`, `steps`, `gates`
    f.yaml:10: step `open`: `choose` decides nothing when no condition holds
        end with one that has only an `outcome`
    f.yaml:14: step `shut`: unknown outcome `Ok`
        did you mean `ok`?
    f.yaml:14: step `shut`: `when` uses `a`, which is not a parameter
        declare it below `params`; always there are `iteration`, `task`, `directory`, `steps`, `gates`
    f.yaml:14: step `shut`: this choice is never reached: one before it always holds
        the one without `when` comes last
    f.yaml:18: step `gate`: `gate` needs `work`
        `work` must be the name of a step
    f.yaml:18: step `gate`: `gate` needs `pass`
        `pass` must be the name of a step or `end`
    f.yaml:18: step `gate`: `limit` must be a whole number from 1 to 20
    f.yaml:18: step `gate`: `fix_target` means nothing where `self_fix` is `true`
    f.yaml:19: step `gate`: unknown severity `minor`
        known are `must`, `should`, `could`
    f.yaml:19: step `gate`: `severities` must begin `from: 1`
    f.yaml:19: step `gate`: `count` names something twice
    f.yaml:19: step `gate`: `from` must rise, and 2 comes after 2
    f.yaml:20: step `long`: the key `title` is repeated
        the first is on line 20
    f.yaml:20: step `long`: unknown step `edn`
        did you mean `end`?
    f.yaml:20: step `long`: `limit` must be a whole number from 1 to 100
    ");
}

#[test]
fn what_is_no_workflow_at_all_is_told_in_one_sentence() {
    let texts = [
        "",
        "# nothing\n",
        "- a\n- b\n",
        "just a text",
        "name: w\n\tdescription: d\n",
        "steps: &a [*a]\n",
        "name: [",
        "name: w\ndescription: d\n",
        "name: w\ndescription: d\nsteps: []\n",
        "name: w\ndescription: d\nsteps: {a: b}\n",
        "name: w\ndescription: d\nsteps: [a, 1]\n",
    ];
    let told: Vec<_> = texts.iter().map(|text| told(text)).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    f.yaml:1: the file is empty
        a workflow has `name`, `description` and `steps`
    f.yaml:2: the file is empty
        a workflow has `name`, `description` and `steps`
    f.yaml:1: the file must be a map of keys, and is a list
    f.yaml:1: the file must be a map of keys, and is a text
    f.yaml:1: the file is not valid YAML: while scanning a plain scalar, found a tab
    f.yaml:1: the file is not valid YAML: recursive references require weak recursion types
    f.yaml:1: the file is not valid YAML: unclosed bracket '['
    f.yaml:1: the workflow needs `steps`
        `steps` must be a list
    f.yaml:3: `steps` must be a list of at least one step
    f.yaml:3: `steps` must be a list of at least one step
    f.yaml:3: `steps` must be a map, and is a text
    f.yaml:3: `steps` must be a map, and is a number
    ");
}

#[test]
fn too_much_of_anything_is_told_once() {
    let head = "name: w\ndescription: d\n";
    let steps = |count: usize| {
        let steps = (0..count).map(|number| {
            let next = if number + 1 == count { "end".into() } else { format!("s{}", number + 1) };
            format!("- {{id: s{number}, title: T, next: {next}}}\n")
        });
        format!("{head}steps:\n{}", steps.collect::<Vec<_>>().concat())
    };
    assert_eq!(told(&steps(STEPS)), "sound: 200 steps");
    let one = |rest: &str| format!("{head}steps: [{{id: a, title: A, next: end, {rest}}}]");
    let params: Vec<_> = (0..60).map(|number| format!("  p{number}: {{type: text}}\n")).collect();
    let texts = [
        steps(STEPS + 1),
        steps(10_000),
        format!("{head}{}", "# ".repeat(300 * 1024)),
        one(&format!("actions: [{}]", "x, ".repeat(51))),
        one(&format!("actions: ['{}']", "x".repeat(20_000))),
        one(&format!("actions: [{{say: x, when: '{}'}}]", "a".repeat(2000))),
        one(&format!("tools: {{allow: {}}}", "x".repeat(65))),
        one("actions: [x], title: \"a\\nb\"").replace("title: A, ", ""),
        format!("{}params:\n{}", one("") + "\n", params.concat()),
    ];
    let told: Vec<_> = texts.iter().map(|text| told(text)).collect();
    insta::assert_snapshot!(told.join("\n"), @"
    f.yaml:4: the file has 201 steps, 200 are allowed
        a step can hand work to another workflow
    f.yaml:4: the file has 10000 steps, 200 are allowed
        a step can hand work to another workflow
    f.yaml:1: the file has 614423 bytes, 524288 are allowed
    f.yaml:3: step `a`: `actions` must have 1 to 50 entries, and has 51
    f.yaml:3: step `a`: `actions` has 20000 bytes, 16384 are allowed
    f.yaml:3: step `a`: `when` cannot be read: the condition has 2000 bytes, 1024 are allowed
    f.yaml:3: step `a`: `allow` has an empty word, or one past 64 bytes
    f.yaml:3: step `a`: `title` must be one line of at most 120 characters
    f.yaml:5: `params` must have 1 to 50 entries, and has 60
    ");
    let problems = read_beside(&format!("{head}steps: [{}]", "1, ".repeat(199))).unwrap_err();
    assert_eq!(problems.len(), 199);
    let many = format!("{head}steps: [{{{}}}]", "x: 1, ".repeat(20_000));
    let problems = read_beside(&many).unwrap_err();
    assert_eq!(problems.len(), 201);
    let last = problems.last().unwrap().to_string();
    assert_eq!(last, "f.yaml:3: and more problems after this line");
}

#[test]
fn aliases_and_merged_keys_are_read_like_what_they_stand_for() {
    let text = "
name: w
description: d
steps:
  - &a {id: a, title: A, actions: &say [x], next: b}
  - {<<: *a, id: b, next: c}
  - {id: c, title: C, actions: *say, next: end}
";
    let workflow = read_beside(text).unwrap();
    let lines: Vec<_> = workflow.steps.iter().map(|step| (step.line, step.actions.len())).collect();
    assert_eq!(lines, [(5, 1), (6, 1), (7, 1)]);
}

#[test]
fn one_slip_is_one_problem() {
    let sound = "
  - {id: first, title: A, next: second}
  - {id: second, title: B, check: tests, next: {ok: third, fail: first}, limit: 3}
  - {id: third, title: C, next: end}
";
    assert_eq!(told_of(sound), "sound: 3 steps");
    for (right, wrong) in [
        ("next: second", "next: secnd"),
        ("next: second", "nxt: second"),
        ("next: second", "next: [second]"),
        ("next: end", "next: ned"),
        ("ok: third", "OK: third"),
        ("fail: first", "fail: nowhere"),
        ("id: second", "id: Second"),
        ("check: tests", "check: test"),
        ("check: tests", "check: {tests: true, artifact: x}"),
        ("limit: 3", "limit: 0"),
        ("title: C", "titel: C"),
    ] {
        let told = told_of(&sound.replace(right, wrong));
        let problems = told.lines().filter(|line| line.starts_with("f.yaml")).count();
        let is_renamed = right == "id: second" || right == "title: C";
        assert_eq!(problems, if is_renamed { 2 } else { 1 }, "{wrong}:\n{told}");
    }
}

proptest! {
    #[test]
    fn any_text_is_a_sound_workflow_or_problems_in_order(
        lines in prop::collection::vec(
            prop::sample::select(vec![
                "name: w", "description: d", "steps:", "params:", "phases:", "entry: a",
                "  - id: a", "  - id: b", "    title: T", "    next: b", "    next: end",
                "    next: {ok: a, default: end}", "    limit: 2", "    check: tests",
                "    gate: {name: g, work: a, pass: end}", "    ask: {question: '{{ x }}'}",
                "    dispatch: {role: explore, prompt: p}", "    actions: [x, {say: '{%'}]",
                "    on_error: a", "  x: {type: text}", "\t", "  - *a", "    <<: *a", "---", "{[",
                "  - &a {id: c, title: C, next: end}", "'", "    choose: [{outcome: ok}]",
            ]),
            0..16,
        ),
    ) {
        let text = lines.join("\n");
        match read_beside(&text) {
            Ok(workflow) => assert_sound(&workflow),
            Err(problems) => {
                prop_assert!(!problems.is_empty());
                prop_assert!(problems.is_sorted_by_key(|problem| problem.line));
                for problem in problems {
                    let is_there = (1..=lines.len() + 1).contains(&problem.line);
                    prop_assert!(is_there, "{problem}\n{text}");
                }
            }
        }
    }

    #[test]
    fn a_file_that_was_tampered_with_is_sound_or_refused(
        cuts in prop::collection::vec(
            (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4_u8),
            1..4,
        ),
    ) {
        let mut lines: Vec<String> = EVERYTHING.lines().map(str::to_owned).collect();
        for (one, other, how) in cuts {
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            match how {
                0 => lines.swap(one, other),
                1 => lines[one] = lines[other].clone(),
                2 => lines.insert(one, lines[other].clone()),
                _ => {
                    lines.remove(one);
                }
            }
        }
        if let Ok(workflow) = read_beside(&lines.join("\n")) {
            assert_sound(&workflow);
        }
    }

    #[test]
    fn no_text_is_too_strange(text in ".{0,200}") {
        prop_assert!(read_beside(&text).is_err());
    }
}

/// Mistakes that a run would have met at its worst moment.
#[test]
fn what_could_wedge_a_run_is_found_before_it_begins() {
    let text = r#"
name: wedged
description: d
params:
  goal: {type: text, default: x}
  mode: {type: choice, choices: [quick, full], default: quick, mutable: true}
  rounds: {type: number, least: 0, most: 9, default: 3}
  sure: {type: confidence, default: low}
steps:
  - id: look
    title: "Look at {{ goal }}"
    actions:
      - {say: hi, when: "steps['reviw'].outcome == 'ok'"}
      - {say: hi, when: "steps.review.outcome == 'okay'"}
      - {say: hi, when: "steps.review.outcom == 'ok'"}
      - {say: hi, when: "gates['review'].failed"}
      - {say: hi, when: "gates.gate.status == 'passed'"}
      - {say: hi, when: "sure is atleast('hgh')"}
      - {say: hi, when: "mode is atleast('high')"}
      - {say: hi, when: "sure > 'low'"}
      - {say: hi, when: "mode in ['quick', 'fll']"}
      - {say: hi, when: "rounds == '3'"}
      - {say: hi, when: "10 / rounds > 2"}
      - {say: hi, when: "steps[mode].visits > 1"}
      - "{{ steps['lok'].visits }}"
      - "{{ steps.look.outcome | upper }}"
      - "{{ gates }}"
      - "{{ gaol }}"
      - "{% for n in range(steps.look.visits) %}{{ n }}{% endfor %}"
    next: again
  - id: again
    title: Again?
    choose:
      - {when: "mode == 'qick'", outcome: ok}
      - {outcome: iterate}
    next: {ok: files, iterate: look}
  - {id: files, title: Files, check: {keyword: {in: "src/[", word: x}}, next: {ok: tree, fail: end}}
  - {id: tree, title: Tree, check: {artifact: "{a,b}{a,b}/**"}, next: {ok: review, fail: end}}
  - {id: review, title: Review, check: tests, next: {ok: gate, fail: gate}}
  - {id: gate, title: Gate, gate: {name: G, work: look, pass: end}}
"#;
    insta::assert_snapshot!(told(text), @r"
    f.yaml:10: step `look`: `look`, `again` lead in a circle without end
        give a step of it a `limit`, or send work back by a `gate`
    f.yaml:11: step `look`: `title` is printed as it is
        say it in `actions`, where gaps are filled in
    f.yaml:13: step `look`: `when` asks about the step `reviw`, which does not exist
        did you mean `review`?
    f.yaml:14: step `look`: `when` asks about the outcome `okay`, which does not exist
        known are `ok`, `fail`, `skip`, `iterate`
    f.yaml:15: step `look`: `when` asks about the field `outcom`, which does not exist
        did you mean `outcome`?
    f.yaml:16: step `look`: `when` asks about the gate `review`, which does not exist
        known are `gate`
    f.yaml:17: step `look`: `when` asks about the status `passed`, which does not exist
        did you mean `pass`?
    f.yaml:18: step `look`: `when` asks about the degree of confidence `hgh`, which does not exist
        did you mean `high`?
    f.yaml:19: step `look`: `when` cannot always be evaluated: `atleast` compares confidence, and this is a word
        use it on a parameter of type `confidence`
    f.yaml:20: step `look`: `when` cannot always be evaluated: degrees of confidence are not compared as words
        write `confidence is atleast('high')`
    f.yaml:20: step `look`: `when` cannot always be evaluated: a text is not a number
        compare it with `==`
    f.yaml:21: step `look`: `when` asks about the choice `fll`, which does not exist
        did you mean `full`?
    f.yaml:22: step `look`: `when` cannot always be evaluated: a number never equals a text
        compare values of one kind
    f.yaml:23: step `look`: `when` cannot always be evaluated: it may divide by zero
        divide by a parameter whose `least` is 1
    f.yaml:24: step `look`: `when` cannot always be evaluated: what stands in `[…]` is not known before a run
        write the name in quotes, such as `steps['look']`
    f.yaml:25: step `look`: `actions` asks about the step `lok`, which does not exist
        did you mean `look`?
    f.yaml:26: step `look`: `actions` cannot always be evaluated: `upper` needs a text, and this is a value that may be `none`
        use it on a text
    f.yaml:27: step `look`: `actions` cannot always be evaluated: a set of fields cannot be written into a text
        name one of its fields
    f.yaml:28: step `look`: `actions` uses `gaol`, which is not a parameter
        did you mean `goal`?
    f.yaml:29: step `look`: `actions` cannot always be evaluated: `range` may have 4294967295 rounds, 200 are allowed
        give the parameter a `most`
    f.yaml:34: step `again`: `when` asks about the choice `qick`, which does not exist
        did you mean `quick`?
    f.yaml:37: step `files`: `in` has `[`, which means nothing in a pattern
        `*` stands for any text, and nothing else for anything
    f.yaml:38: step `tree`: `artifact` has `{`, which means nothing in a pattern
        `*` stands for any text, and nothing else for anything
    ");
}

#[test]
fn paths_that_stay_open_are_held_against_what_they_may_be() {
    insta::assert_snapshot!(told_of("
  - id: a
    title: A
    tools:
      block: [edit]
      edit:
        - /etc/x
        - docs/../x
        - 'docs/[ab].md'
        - docs/
        - 'a**/b'
        - '../{{ task }}'
        - '{{ plna }}'
        - 'docs/**'
    next: b
  - id: b
    title: B
    dispatch: {role: developer, prompt: Go, tools: {edit: ['~/x']}}
    next: end
"), @r"
f.yaml:9: step `a`: `edit` means nothing beside `block: [edit]`
    leave out `block: [edit]`: the paths close everything else
f.yaml:9: step `a`: the path `/etc/x` leads out of the project
    write it relative to the root of the project
f.yaml:10: step `a`: the path `docs/../x` leads out of the project
    write it relative to the root of the project
f.yaml:11: step `a`: the path `docs/[ab].md` cannot be read
    only `*`, `**` and `?` have a meaning
f.yaml:12: step `a`: the path `docs/` cannot be read
    every part between `/` is a name; `docs/**` means all below
f.yaml:13: step `a`: the path `a**/b` cannot be read
    `**` stands alone between `/`
f.yaml:14: step `a`: the path `../{{ task }}` leads out of the project
    write it relative to the root of the project
f.yaml:15: step `a`: `edit` uses `plna`, which is not a parameter
    declare it below `params`; always there are `iteration`, `task`, `directory`, `steps`, `gates`
f.yaml:18: step `b`: `dispatch` can come to `fail`, which leads nowhere
    name it below `next`, or add a `default`
f.yaml:20: step `b`: the path `~/x` leads out of the project
    write it relative to the root of the project
");
}
