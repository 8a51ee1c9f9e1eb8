//! A run whose step cannot go on as it was written is moved to a corrected definition.

use crate::{
    desk,
    flow::{CHANGE, SMALL, in_session, outside, own},
    transcript,
};

#[test]
fn a_run_is_moved_to_a_corrected_definition_by_the_person() {
    let mut desk = desk();
    own(&desk, "small", SMALL);
    desk.run("flow start small");
    desk.run("flow next 1 --at 1 --outcome ok");
    let fixed = SMALL
        .replace("Do the second thing.", "'Do the second thing for {{ who }}.'")
        .replace("steps:", "params: {who: {type: text}}\nsteps:");
    desk.write("../fixed.yaml", &fixed);
    desk.write("../gone.yaml", &SMALL.replace("second", "third"));
    desk.write(
        "../asks.yaml",
        &SMALL.replace("actions: [Do the second thing.]", "ask: { question: Which? }"),
    );
    desk.write("../broken.yaml", &SMALL.replace("next: end", "next: nowhere"));
    desk.write("../other.yaml", CHANGE);
    desk.write("fixed.yaml", &fixed);
    in_session(&mut desk, "s1");
    transcript!(desk, [
        "flow repair 1 --definition ../fixed.yaml --yes",
    ], @r"
    $ pacenote flow repair 1 --definition ../fixed.yaml --yes
    error: only a person can do this, not an agent

    hint: run the same command in a terminal of your own
    [exit 1]
    ");
    outside(&mut desk);
    transcript!(desk, [
        "flow repair 1 --definition ../fixed.yaml",
        "flow repair 1 --definition ../none.yaml --yes",
        "flow repair 7 --definition ../fixed.yaml --yes",
        "flow repair 1 --definition ../broken.yaml --yes",
        "flow repair 1 --definition ../other.yaml --yes",
        "flow repair 1 --definition ../gone.yaml --yes",
        "flow repair 1 --definition ../asks.yaml --yes",
        "flow repair 1 --definition fixed.yaml --yes",
        "flow repair 1 --definition ../fixed.yaml --yes",
        "flow repair 1 --definition ../fixed.yaml --param who=us --yes --format text",
        "flow next 1 --at 3 --format text",
        "flow history",
        "flow repair 1 --definition ../fixed.yaml --yes",
    ], @"
    $ pacenote flow repair 1 --definition ../fixed.yaml
    error: there is no terminal at which to ask

    hint: `--yes` says yes for the person who runs this
    [exit 1]
    $ pacenote flow repair 1 --definition ../none.yaml --yes
    error: cannot open `../none.yaml`
      because No such file or directory (os error 2)
    [exit 1]
    $ pacenote flow repair 7 --definition ../fixed.yaml --yes
    error: no run `7` in this project

    hint: `pacenote flow runs --all` lists them
    [exit 1]
    $ pacenote flow repair 1 --definition ../broken.yaml --yes
    error: the workflow `../broken.yaml` cannot be used
    error: ../broken.yaml:12: step `second`: unknown step `nowhere` (known are `first`, `second`, `end`)

    hint: `pacenote flow check` shows what is wrong with every definition
    [exit 1]
    $ pacenote flow repair 1 --definition ../other.yaml --yes
    error: run `#1` is one of `small`, and the definition is of `change`

    hint: name a definition whose `name` is `small`
    [exit 1]
    $ pacenote flow repair 1 --definition ../gone.yaml --yes
    error: the corrected definition has no step `second`, at which the run is

    hint: it has `first`, `third`; keep the id of the step
    [exit 1]
    $ pacenote flow repair 1 --definition ../asks.yaml --yes
    error: step `second` is of kind `ask` in the corrected definition, and was another kind

    hint: keep who or what decides the step, and change it elsewhere
    [exit 1]
    $ pacenote flow repair 1 --definition fixed.yaml --yes
    error: the workflow `small` comes from `fixed.yaml`, which is not trusted

    hint: in a repository only files below `.pacenote/workflows/` can be trusted: move it there, or outside the project
    [exit 1]
    $ pacenote flow repair 1 --definition ../fixed.yaml --yes
    error: the parameter `who` is missing: a text of 1 to 8192 bytes

    hint: add `--param NAME=VALUE` for each
    [exit 1]
    $ pacenote flow repair 1 --definition ../fixed.yaml --param who=us --yes --format text
    STEP 2/2: Second [small]
    DO:
      Do the second thing for us.
    NEXT: When everything in DO is done, run this command: pacenote flow next 1 --at 3
    $ pacenote flow next 1 --at 3 --format text
    STEP 2/2: Done [small]
    DO:
      Nothing is left to do here.
    WORKFLOW COMPLETE: Every step on the way is done.
    $ pacenote flow history
    error: no run is under way in this project

    hint: `pacenote flow list` shows what can be started
    [exit 1]
    $ pacenote flow repair 1 --definition ../fixed.yaml --yes
    error: the run is over
    [exit 1]
    ");
}
