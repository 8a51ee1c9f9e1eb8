//! Undoing a change to tasks.

use pacenote_testkit::desk::Ran;

use crate::{desk, transcript};

#[test]
fn the_last_change_is_undone_and_an_undo_too() {
    let desk = desk();
    desk.write("plan.md", "### Task 1: Form\n\n- [ ] Test\n- [ ] Draw\n");
    transcript!(desk, [
        "task undo",
        "task import plan.md",
        "task claim '#1'",
        "task close '#1' --steps",
        "task undo",
        "task list",
        "task undo",
        "task undo",
        "task note '#1' 'a note stays'",
        "task undo --json",
        "task delete '#1'",
        "task undo",
        "task list",
    ], @r#"
    $ pacenote task undo
    error: there is nothing to undo: you changed no task lately

    hint: `pacenote task list` shows the tasks as they are
    [exit 1]
    $ pacenote task import plan.md
    imported plan.md: 3 added, 0 revised, 0 removed, 0 unchanged
    $ pacenote task claim '#1'
    claimed t-1 #1 (in progress @backend) Task 1: Form
    $ pacenote task close '#1' --steps
    closed t-1 #1 (done @backend) Task 1: Form
    $ pacenote task undo
    restored t-1 #1 (in progress @backend) Task 1: Form
    restored t-2 #2 (open) Test
    restored t-3 #3 (open) Draw
    $ pacenote task list
    t-1  #1  in progress  @backend  Task 1: Form
    t-2  #2  open                   Test
    t-3  #3  open                   Draw
    $ pacenote task undo
    restored t-3 #3 (done) Draw
    restored t-2 #2 (done) Test
    restored t-1 #1 (done @backend) Task 1: Form
    $ pacenote task undo
    restored t-1 #1 (in progress @backend) Task 1: Form
    restored t-2 #2 (open) Test
    restored t-3 #3 (open) Draw
    $ pacenote task note '#1' 'a note stays'
    noted on t-1 #1 (in progress @backend) Task 1: Form
    $ pacenote task undo --json
    {
      "undone": [
        {
          "id": "t-3",
          "state": "done"
        },
        {
          "id": "t-2",
          "state": "done"
        },
        {
          "id": "t-1",
          "state": "done"
        }
      ]
    }
    $ pacenote task delete '#1'
    deleted t-1 Task 1: Form and its 2 steps
    $ pacenote task undo
    restored t-1 #1 (done @backend) Task 1: Form
    restored t-2 #2 (done) Test
    restored t-3 #3 (done) Draw
    $ pacenote task list
    t-1  #1  done  @backend  Task 1: Form
    t-2  #2  done            Test
    t-3  #3  done            Draw
    "#);
}

#[test]
fn an_import_is_undone_as_a_whole() {
    let desk = desk();
    desk.write(
        "plan.md",
        "### Task 1: Form\n\n- [ ] Test\n\n### Task 2: Rate\n\n- After: Task 1\n",
    );
    transcript!(desk, ["task import plan.md", "task undo", "task list", "task undo", "task list"], @r#"
    $ pacenote task import plan.md
    imported plan.md: 3 added, 0 revised, 0 removed, 0 unchanged
    $ pacenote task undo
    removed t-1 Task 2: Rate
    removed t-2 Test
    removed t-3 Task 1: Form
    $ pacenote task list
    no tasks here; `pacenote task add "<title>"` adds one
    $ pacenote task undo
    restored t-3 #1 (open) Task 1: Form
    restored t-2 #2 (open) Test
    restored t-1 #3 (open) Task 2: Rate
    $ pacenote task list
    t-3  #1  open  Task 1: Form
    t-2  #2  open  Test
    t-1  #3  open  Task 2: Rate
    "#);
}

#[test]
fn nothing_is_undone_that_somebody_changed_since() {
    let mut desk = desk();
    desk.run("task add One");
    desk.run("task add Two");
    desk.run("task block '#2' --by '#1'");
    desk.set("PACENOTE_AGENT", "reviewer");
    desk.run("task skip '#2' 'not now'");
    desk.set("PACENOTE_AGENT", "backend");
    transcript!(desk, ["task undo"], @"
    $ pacenote task undo
    error: `t-1` was changed since

    hint: `pacenote task show t-1` shows it as it is now
    [exit 1]
    ");
    // A retry is answered, and changes nothing.
    desk.run("task add Three");
    let first = desk.run("task undo --key k1").stdout;
    assert_eq!(desk.run("task undo --key k1").stdout, first);
}

#[test]
fn an_undo_never_takes_what_another_agent_did_at_the_same_moment() {
    let desk = desk();
    desk.run("task add Shared");
    for round in 0..25 {
        desk.run("task reopen '#1'");
        desk.run("task claim '#1'");
        let command = |agent: &str, words: &[&str]| {
            desk.launch(env!("CARGO_BIN_EXE_pacenote"))
                .arguments(words.iter().map(|word| (*word).to_owned()))
                .variable("PACENOTE_AGENT", agent)
        };
        let undo = command("backend", &["task", "undo"]);
        let take = command("other", &["task", "claim", "#1", "--take-over"]);
        let (undone, taken) = std::thread::scope(|scope| {
            let undone = scope.spawn(|| Ran::of(&undo));
            let taken = Ran::of(&take);
            (undone.join().expect("a thread"), taken)
        });
        assert_eq!(taken.code, "0", "{taken:?}");
        assert!(undone.code == "0" || undone.stderr.contains("was changed since"), "{undone:?}");
        let task = desk.run("task show '#1' --json").stdout;
        assert!(task.contains("\"assignee\": \"other\""), "round {round}: {undone:?} {task}");
    }
}

#[test]
fn a_beginning_is_not_undone_under_what_others_built_on_it() {
    let mut desk = desk();
    for built in
        ["note '#1' 'an important finding'", "add Step --parent '#1'", "add Next --after '#1'"]
    {
        desk.run("task add Base");
        desk.set("PACENOTE_AGENT", "other");
        assert_eq!(desk.run(&format!("task {built}")).code, "0", "{built}");
        desk.set("PACENOTE_AGENT", "backend");
        let refused = desk.run("task undo");
        assert!(refused.stderr.contains("was changed since"), "{built}: {refused:?}");
        desk.run("store check");
        std::fs::remove_dir_all(desk.data()).expect("the data");
    }
    // A parent that is gone is named by its id.
    desk.run("task add Above");
    desk.run("task add Below --parent '#1'");
    desk.run("task undo");
    desk.set("PACENOTE_AGENT", "other");
    desk.run("task delete '#1'");
    desk.set("PACENOTE_AGENT", "backend");
    let refused = desk.run("task undo");
    assert!(refused.stderr.starts_with("error: `t-"), "{refused:?}");
}
