//! Where definitions come from, and what becomes of a run when they change or go.

use crate::{
    desk,
    flow::{SMALL, outside, own},
    transcript,
};

#[test]
fn a_run_goes_by_the_definition_it_began_with() {
    let desk = desk();
    own(&desk, "small", SMALL);
    desk.run("flow start small");
    own(&desk, "small", "name: small\ndescription: Broken.\nsteps: []\n");
    transcript!(desk, [
        "flow next 1 --at 1 --outcome ok --format text",
        "flow start small",
    ], @"
    $ pacenote flow next 1 --at 1 --outcome ok --format text
    STEP 2/2: Second [small]
    DO:
      Do the second thing.
    NEXT: When everything in DO is done, run this command: pacenote flow next 1 --at 2
    $ pacenote flow start small
    error: the workflow `small` cannot be used
    error: /desk/home/.config/pacenote/workflows/small.yaml:3: `steps` must be a list of at least one step

    hint: `pacenote flow check` shows what is wrong with every definition
    [exit 1]
    ");
}

#[test]
fn a_file_that_a_run_rests_on_has_to_be_there() {
    let desk = desk();
    own(
        &desk,
        "follow",
        "name: follow\ndescription: Follows a plan.\nparams: { plan: { type: path } }\nsteps:\n  - { id: read, title: Read, actions: ['Read {{ plan }}.'], next: done }\n  - { id: done, title: Done, actions: [Stop.], next: end }\n",
    );
    desk.write("plan.md", "# Plan\n");
    transcript!(desk, ["flow start follow --param plan=none.md", "flow start follow --param plan=plan.md --format text"], @r"
    $ pacenote flow start follow --param plan=none.md
    error: file not found: `none.md`, which the parameter `plan` names

    hint: write the path relative to the root of the project
    [exit 1]
    $ pacenote flow start follow --param plan=plan.md --format text
    STEP 1/2: Read [follow]
    DO:
      HOW TO READ THIS:
        You follow a workflow, one step at a time; pacenote remembers where it stands.
        1. Do what DO says: all of it, in its order, and nothing else.
        2. Then do what NEXT says. Its command shows the next step.
        Do not explore before you start, do not skip or merge steps, do not improve on them and do not guess what comes later.
        Copy commands exactly. Where one has a word in capitals, DO or NEXT says what to put there.
        If you lose your place, run `pacenote flow status`.

      Read plan.md.
    NEXT: When everything in DO is done, run this command: pacenote flow next 1 --at 1
    ");
    std::fs::remove_file(desk.root().join("shop/plan.md")).expect("it was there");
    transcript!(desk, ["flow next 1 --at 1", "flow status --format text"], @"
    $ pacenote flow next 1 --at 1
    error: `plan.md` is gone, which the parameter `plan` names

    hint: bring the file back, name another with `--param`, or `pacenote flow abort`
    [exit 1]
    $ pacenote flow status --format text
    STEP 1/2: Read [follow]
    DO:
      HOW TO READ THIS:
        You follow a workflow, one step at a time; pacenote remembers where it stands.
        1. Do what DO says: all of it, in its order, and nothing else.
        2. Then do what NEXT says. Its command shows the next step.
        Do not explore before you start, do not skip or merge steps, do not improve on them and do not guess what comes later.
        Copy commands exactly. Where one has a word in capitals, DO or NEXT says what to put there.
        If you lose your place, run `pacenote flow status`.

      Read plan.md.
    NEXT: When everything in DO is done, run this command: pacenote flow next 1 --at 1
    ");
}

#[test]
fn a_repository_s_workflow_is_inert_until_it_is_trusted() {
    let mut desk = desk();
    desk.write(".pacenote/workflows/small.yaml", SMALL);
    desk.write(".pacenote/workflows/conventions/house.md", "Be brief.\n");
    transcript!(desk, ["flow list", "flow start small"], @r"
    $ pacenote flow list
    codebase-analysis  7 steps   built-in  Answers a question about code by reading it: it maps the code, follows t…
    decision-critic    11 steps  built-in  Tests a decision before it is carried out: which claims it makes, whethe…
    deepthink          18 steps  built-in  Thinks an open question through before answering it
    doc-sync           12 steps  built-in  Makes documents agree with the code
    executor           16 steps  built-in  Carries out a plan wave by wave and keeps its tasks up to date
    incoherence        22 steps  built-in  Finds where code, documents, configuration and specifications contradict…
    planner            22 steps  built-in  Plans a change in reviewed steps and turns the plan into tasks
    problem-analysis   9 steps   built-in  Finds the root cause of a problem by evidence: facts first, then explana…
    prompt-engineer    12 steps  built-in  Improves a prompt by evidence: what it is for, cases that it must pass,…
    refactor           15 steps  built-in  Finds what makes code hard to read, change and trust, and improves what…
    solution-design    13 steps  built-in  Goes from a known root cause or need to a design that the person has cho…
    style-writer       10 steps  built-in  Writes a text in the style of the person's own samples: the style is des…
    warning: `/desk/shop/.pacenote/workflows/conventions/house.md` is not trusted as it is
    warning: `/desk/shop/.pacenote/workflows/small.yaml` is not trusted as it is
    `pacenote trust status` shows it, `pacenote trust approve` takes it into use
    $ pacenote flow start small
    error: the workflow `small` comes from `/desk/shop/.pacenote/workflows/small.yaml`, which is not trusted

    hint: `pacenote trust status` shows it, `pacenote trust approve` enables it
    [exit 1]
    ");
    outside(&mut desk);
    transcript!(desk, ["trust approve --yes", "flow list", "flow start small --format text"], @"
    $ pacenote trust approve --yes
    trusted  b3-6221dfac93c0  .pacenote/workflows/small.yaml
    trusted  b3-ce1cec533391  .pacenote/workflows/conventions/house.md
    .pacenote/workflows/small.yaml b3-6221dfac93c0
    .pacenote/workflows/conventions/house.md b3-ce1cec533391
    $ pacenote flow list
    codebase-analysis  7 steps   built-in  Answers a question about code by reading it: it maps the code, follows t…
    decision-critic    11 steps  built-in  Tests a decision before it is carried out: which claims it makes, whethe…
    deepthink          18 steps  built-in  Thinks an open question through before answering it
    doc-sync           12 steps  built-in  Makes documents agree with the code
    executor           16 steps  built-in  Carries out a plan wave by wave and keeps its tasks up to date
    incoherence        22 steps  built-in  Finds where code, documents, configuration and specifications contradict…
    planner            22 steps  built-in  Plans a change in reviewed steps and turns the plan into tasks
    problem-analysis   9 steps   built-in  Finds the root cause of a problem by evidence: facts first, then explana…
    prompt-engineer    12 steps  built-in  Improves a prompt by evidence: what it is for, cases that it must pass,…
    refactor           15 steps  built-in  Finds what makes code hard to read, change and trust, and improves what…
    small              2 steps   project   Two steps
    solution-design    13 steps  built-in  Goes from a known root cause or need to a design that the person has cho…
    style-writer       10 steps  built-in  Writes a text in the style of the person's own samples: the style is des…
    $ pacenote flow start small --format text
    STEP 1/2: First [small]
    DO:
      HOW TO READ THIS:
        You follow a workflow, one step at a time; pacenote remembers where it stands.
        1. Do what DO says: all of it, in its order, and nothing else.
        2. Then do what NEXT says. Its command shows the next step.
        Do not explore before you start, do not skip or merge steps, do not improve on them and do not guess what comes later.
        Copy commands exactly. Where one has a word in capitals, DO or NEXT says what to put there.
        If you lose your place, run `pacenote flow status`.

      Do the first thing.
    INVOKE AFTER:
      IF PASS: pacenote flow next 1 --at 1 --outcome ok
      IF FAIL: pacenote flow next 1 --at 1 --outcome fail
      IF SKIP: pacenote flow next 1 --at 1 --outcome skip
    NEXT: When everything in DO is done, put one word in the place of OUTCOME (ok if it is done and the result is good; fail if the result is not good or it could not be done; skip if DO says so, or it is not needed here) and run this command: pacenote flow next 1 --at 1 --outcome OUTCOME
    ");
    // Another content is another file; what was trusted stays what it was.
    desk.write(".pacenote/workflows/small.yaml", "name: small\ndescription: Evil.\nsteps: []\n");
    transcript!(desk, ["flow list", "flow next 1 --at 1 --outcome skip --format text"], @r"
    $ pacenote flow list
    codebase-analysis  7 steps   built-in  Answers a question about code by reading it: it maps the code, follows t…
    decision-critic    11 steps  built-in  Tests a decision before it is carried out: which claims it makes, whethe…
    deepthink          18 steps  built-in  Thinks an open question through before answering it
    doc-sync           12 steps  built-in  Makes documents agree with the code
    executor           16 steps  built-in  Carries out a plan wave by wave and keeps its tasks up to date
    incoherence        22 steps  built-in  Finds where code, documents, configuration and specifications contradict…
    planner            22 steps  built-in  Plans a change in reviewed steps and turns the plan into tasks
    problem-analysis   9 steps   built-in  Finds the root cause of a problem by evidence: facts first, then explana…
    prompt-engineer    12 steps  built-in  Improves a prompt by evidence: what it is for, cases that it must pass,…
    refactor           15 steps  built-in  Finds what makes code hard to read, change and trust, and improves what…
    small              2 steps   project   Two steps
    solution-design    13 steps  built-in  Goes from a known root cause or need to a design that the person has cho…
    style-writer       10 steps  built-in  Writes a text in the style of the person's own samples: the style is des…
    warning: `/desk/shop/.pacenote/workflows/small.yaml` is not trusted as it is
    `pacenote trust status` shows it, `pacenote trust approve` takes it into use
    $ pacenote flow next 1 --at 1 --outcome skip --format text
    STEP 2/2: Second [small]
    DO:
      Do the second thing.
    NEXT: When everything in DO is done, run this command: pacenote flow next 1 --at 2
    ");
    transcript!(desk, ["trust revoke --yes", "flow next 1 --at 2"], @"
    $ pacenote trust revoke --yes
    untrusted  b3-978651936108  .pacenote/workflows/small.yaml
    untrusted  b3-ce1cec533391  .pacenote/workflows/conventions/house.md
    $ pacenote flow next 1 --at 2
    error: run `#1` goes by `.pacenote/workflows/small.yaml`, which is no longer trusted

    hint: `pacenote trust approve` trusts it again, `pacenote flow abort` ends the run
    [exit 1]
    ");
}

#[test]
fn definitions_are_checked_by_name_too() {
    let desk = desk();
    own(&desk, "small", &SMALL.replace("next: end", "next: nowhere"));
    transcript!(desk, [
        "flow check planner executor",
        "flow check small",
        "flow check planer",
        "flow check planer.yaml",
    ], @r"
    $ pacenote flow check planner executor
    no problems found
    $ pacenote flow check small
    /desk/home/.config/pacenote/workflows/small.yaml:12: step `second`: unknown step `nowhere`
      hint: known are `first`, `second`, `end`
    [exit 1]
    $ pacenote flow check planer
    error: no workflow named `planer`

    hint: did you mean `planner`?
    [exit 1]
    $ pacenote flow check planer.yaml
    error: cannot open `planer.yaml`
      because No such file or directory (os error 2)
    [exit 1]
    ");
}

#[test]
fn what_would_only_fail_in_a_run_is_found_before_it() {
    let desk = desk();
    let deep = format!("{}x{}", "{% if true %}".repeat(20), "{% endif %}".repeat(20));
    desk.write(
        "deep.yaml",
        &format!(
            "name: deep\ndescription: d\nparams: {{goal: {{type: text}}}}\nsteps:\n  - id: a\n    \
             title: A\n    actions: ['{deep}', '{{{{ goal|trim|trim|trim|trim|trim }}}}']\n    \
             next: b\n  - id: b\n    title: B\n    check: {{command: [echo, '{{{{ goal }}}}']}}\n    \
             next: {{ok: c, fail: c}}\n  - id: c\n    title: C\n    \
             ask: {{question: Which?, options: ['2', {{label: '1', outcome: fail}}]}}\n    \
             next: {{ok: end, fail: end}}\n"
        ),
    );
    transcript!(desk, ["flow check deep.yaml"], @"
    $ pacenote flow check deep.yaml
    deep.yaml:7: step `a`: `actions` cannot always be evaluated: blocks are nested more than 16 deep
      hint: write it with fewer `if` and `for` inside each other
    deep.yaml:11: step `b`: a command is run as it stands here: gaps are not filled in
      hint: name it, or let an agent run the command in a step of its own
    deep.yaml:15: step `c`: the answer `2` is only a number
      hint: a person also answers by the number of an option
    deep.yaml:15: step `c`: the answer `1` is only a number
      hint: a person also answers by the number of an option
    [exit 1]
    ");
}
