//! A guided run: what a model that follows a workflow is shown, refused and reminded of.

use pacenote_probe::{Kind, Reply, Request, Script, Server};
use serde_json::json;

use super::transcript::{Entry, last_calls, transcript};
use super::workplace::{NOTES, Session, Workplace, conversation, counts, model, notes_in};

/// A workflow with something of everything.
pub(super) const WORKFLOW: &str = "\
name: careful-change
description: A change that is looked into, made, reviewed, and published by a person.
steps:
  - id: look
    title: Look around
    actions: [Read what is there. Write nothing yet.]
    tools: {block: [edit]}
    next: make
  - id: make
    title: Make the change
    actions: [Write the poem to poem.txt.]
    next: review
  - id: review
    title: Review the change
    tools: {block: [edit]}
    dispatch: {role: quality-reviewer, prompt: Review poem.txt.}
    next: {ok: reviewed, fail: reviewed}
  - id: reviewed
    title: Pass the change
    gate: {name: Poem review, work: make, pass: publish, self_fix: true, limit: 5}
  - id: publish
    title: Publish the change
    ask:
      question: May the poem be published?
      options: [publish it, {label: keep it, outcome: fail}]
      approval: true
    next: {ok: announce, fail: end}
  - id: announce
    title: Announce the change
    actions: [Tell everybody.]
    next: end
";

/// How every subagent of these tests is asked, and nobody else.
const ERRAND: &str = "Be the reviewer of the poem.";

/// How the model is refused a tool.
const REFUSED: &str = "does not allow this tool";

/// How it is reminded of the run: when an agent comes back, and with a prompt.
const BACK: &str = "An agent is back.";
const LINE: &str = "Run #1 of `careful-change`: step";

#[test]
fn a_run_goes_through_two_failed_reviews_and_a_compaction_to_the_word_of_a_person() {
    let Some(place) = workplace(WORKFLOW) else { return };
    let model = played(&place);
    let (leading, _) = told_apart(&model);
    must_be_copied(&leading);
    let asked = |prompt: &str| first_with(&leading, prompt);
    let after = asked("please mend the poem");
    for told in [NOTES, "STEP 2/6: Make the change", "pacenote flow next 1 --at 4"] {
        assert_eq!(after.occurrences(told), 1, "{told}\n{}", notes_in(after));
    }
    assert_eq!(after.occurrences("pacenote flow"), 1, "there is one thing to do next");
    let prompts = ["what is the poem about now?", "and what else is in it now?"];
    let lines = prompts.map(|prompt| asked(prompt).occurrences(LINE));
    assert_eq!(lines, [1, 1], "what did not change is not said again");
    assert_eq!(counts(&leading, BACK)[5..8], [0, 1, 2], "each agent that comes back counts");
    let command = "run this command: `pacenote flow next 1 --at 3 --result";
    assert_eq!(leading[7].occurrences(command), 2, "the same again, word for word");

    must_read_as_follows(&place, &model);
    place.must_be_well();
}

/// Plays the whole run: a first agent that comes back without a report, two reviews that fail with a
/// compaction between them, one that passes, and the answer of the person.
fn played(place: &Workplace) -> Server {
    let main = [
        bash("pacenote flow start careful-change"),
        write(place, "poem.txt"),
        bash("pacenote flow next 1 --at 1"),
        write(place, "poem.txt"),
        bash("pacenote flow next 1 --at 2"),
        agent(),
        agent(),
        bash("pacenote flow next 1 --at 3 --result .pacenote/runs/1/review-1.md"),
        Reply::text("It did not pass."),
        bash("pacenote flow next 1 --at 4"),
        agent(),
        bash("pacenote flow next 1 --at 5 --result .pacenote/runs/1/review-2.md"),
        Reply::text("It did not pass again."),
        Reply::text("It is about roses."),
        Reply::text("There is nothing else in it."),
        bash("pacenote flow next 1 --at 6"),
        agent(),
        bash("pacenote flow next 1 --at 7 --result .pacenote/runs/1/review-3.md"),
        bash("pacenote flow next 1"),
        bash("pacenote flow answer 1 'publish it'"),
        Reply::text("May the poem be published?"),
        bash("pacenote flow next 1 --at 9"),
        Reply::text("Everybody knows."),
    ];
    let reviewers = [
        Reply::text("I lost my way."),
        report(1, "FAIL"),
        Reply::text("RESULT: FAIL"),
        report(2, "FAIL"),
        Reply::text("RESULT: FAIL"),
        report(3, "PASS"),
        Reply::text("RESULT: PASS"),
    ];
    let model = served(main, reviewers);
    let mut session = session(place, &model);
    assert_eq!(session.ask("publish a poem about roses"), "It did not pass.");
    session.ask("/compact");
    assert_eq!(session.ask("please mend the poem"), "It did not pass again.");
    assert_eq!(session.ask("what is the poem about now?"), "It is about roses.");
    assert_eq!(session.ask("and what else is in it now?"), "There is nothing else in it.");
    assert_eq!(session.ask("have it reviewed once more"), "May the poem be published?");
    place.person("flow answer 1 'publish it' --yes");
    assert_eq!(session.ask("you have the answer, please go on"), "Everybody knows.");
    session.end();
    model
}

/// Replaces the digits of fences, which follow from a secret.
fn without_fences(text: &str) -> String {
    let fences = text.split("fence=\"").skip(1);
    let digits = fences.filter_map(|rest| rest.split_once('"').map(|(digits, _)| digits));
    digits.fold(text.to_owned(), |text, digits| text.replace(digits, "[fence]"))
}

#[expect(clippy::too_many_lines, reason = "nearly all of them are the transcript")]
fn must_read_as_follows(place: &Workplace, model: &Server) {
    let page = place.desk.tidy(&transcript(&model.requests(), &[ERRAND], Entry::whole));
    let page = without_fences(&page);
    insta::assert_snapshot!(page, @r#"
    asked | publish a poem about roses
    notes | <pacenote project="shop">
          | <identity trust="system">You are @claude-1 in project shop on branch main, session s-1.</identity>
          | <guide>…
    model | $ pacenote flow start careful-change
    tool  | <step_header workflow="careful-change" step="1" total="6">Look around</step_header>
          | <xml_format_mandate>
          |   You follow a workflow, one step at a time; pacenote remembers where it stands.
          |   1. Do what DO says: all of it, in its order, and nothing else.
          |   2. Then do what NEXT says. Its command shows the next step.
          |   Do not explore before you start, do not skip or merge steps, do not improve on them and do not guess what comes later.
          |   Copy commands exactly. Where one has a word in capitals, DO or NEXT says what to put there.
          |   If you lose your place, run `pacenote flow status`.
          |   In this output &amp; stands for an ampersand, &lt; for a less-than sign and &gt; for a greater-than sign; write the sign itself when you run a command.
          | </xml_format_mandate>
          | <DO>
          |   Read what is there. Write nothing yet.
          | </DO>
          | <INVOKE_AFTER>pacenote flow next 1 --at 1</INVOKE_AFTER>
          | <NEXT required="true">
          |   When everything in DO is done, run this command:
          |   pacenote flow next 1 --at 1
          | </NEXT>
    model | Write /desk/shop/poem.txt
    tool  | PreToolUse:Write hook error: step 1/6 of run #1 (Look around) does not allow this tool. When everything in DO is done, run this command: `pacenote flow next 1 --at 1` (rule `run-1`; a person opens it with `pacenote allow run-1`)
    model | $ pacenote flow next 1 --at 1
    tool  | <step_header workflow="careful-change" step="2" total="6">Make the change</step_header>
          | <DO>
          |   Write the poem to poem.txt.
          | </DO>
          | <INVOKE_AFTER>pacenote flow next 1 --at 2</INVOKE_AFTER>
          | <NEXT required="true">
          |   When everything in DO is done, run this command:
          |   pacenote flow next 1 --at 2
          | </NEXT>
    model | Write /desk/shop/poem.txt
    tool  | File created successfully at: /desk/shop/poem.txt (file state is current in your context — no need to Read it back)
    model | $ pacenote flow next 1 --at 2
    tool  | <step_header workflow="careful-change" step="3" total="6">Review the change</step_header>
          | <DO>…
          | <NEXT required="true">
          |   When everything in DO is done, run this command:
          |   pacenote flow next 1 --at 3 --result .pacenote/runs/1/review-1.md
          | </NEXT>
    model | Agent: Be the reviewer of the poem.
            asked | Be the reviewer of the poem.
            notes | <pacenote project="shop">
                  | <identity trust="system">You are a subagent of @claude-1 in project shop on branch main.</identity>
    tool  |   I lost my way.
    notes | <pacenote project="shop">
          | <notice trust="user" rule="run-1">An agent is back. Run #1 of `careful-change` is still at step 3/6, Review the change. When everything in DO is done, run this command: `pacenote flow next 1 --at 3 --result .pacenote/runs/1/review-1.md`</notice>
    model | Agent: Be the reviewer of the poem.
            asked | Be the reviewer of the poem.
            notes | <pacenote project="shop">
                  | <identity trust="system">You are a subagent of @claude-1 in project shop on branch main.</identity>
            model | $ echo 'RESULT: FAIL' > .pacenote/runs/1/review-1.md
            tool  | (Bash completed with no output)
    tool  |   RESULT: FAIL
    notes | <pacenote project="shop">
          | <notice trust="user" rule="run-1">An agent is back. Run #1 of `careful-change` is still at step 3/6, Review the change. When everything in DO is done, run this command: `pacenote flow next 1 --at 3 --result .pacenote/runs/1/review-1.md`</notice>
    model | $ pacenote flow next 1 --at 3 --result .pacenote/runs/1/review-1.md
    tool  | warning: the report fails the work and names no finding that counts by its severity
          | <step_header workflow="careful-change" step="2" total="6">Make the change</step_header>
          | <gate_result name="Poem review" status="fail">Fix what was found; then round 2 follows.</gate_result>
          | <DO>…
          | <NEXT required="true">
          |   When everything in DO is done, run this command:
          |   pacenote flow next 1 --at 4
          | </NEXT>

    (the client sums the conversation up)

    model | It did not pass.
    asked | please mend the poem
    notes | <pacenote project="shop">
          | <identity trust="system">You are @claude-1 in project shop on branch main, session s-1 (#1).</identity>
          | <last_request trust="user">
          | publish a poem about roses
          | </last_request>
          | <last_words trust="agent" fence="[fence]">
          | It did not pass.
          | [end of [fence]]
          | </last_words>
          | <workflow trust="user">
          | Run #1: you are at this step.
          | STEP 2/6: Make the change [careful-change]
          | GATE Poem review: FAIL. Fix what was found; then round 2 follows.
          | DO:
          |   STATE BANNER (checkpoint: Poem review, iteration: 1, mode: fix): The work did not pass. Fix every finding that counts and what follows from it, and change nothing else. Then the whole work is reviewed again.
          |
          |   SEVERITY FILTER (iteration: 1):
          |     A finding that counts makes the review fail and has to be fixed; one that is only noted does neither.
          |     COUNTS: MUST, SHOULD, COULD
          |
          |   Read the report, fix every finding that counts and what follows from it, and change nothing else. The report is `.pacenote/runs/1/review-1.md`.
          |
          |   FORBIDDEN:
          |     - Changing what the review did not name and what does not follow from it.
          |     - Going on to a later step before the review has passed.
          |
          |   What the step asks for; the fixed work has to meet it:
          |
          |   Write the poem to poem.txt.
          | NEXT: When everything in DO is done, run this command: pacenote flow next 1 --at 4
          | </workflow>
          | <guide>…
    model | $ pacenote flow next 1 --at 4
    tool  | <step_header workflow="careful-change" step="3" total="6">Review the change</step_header>
          | <DO>…
          | <NEXT required="true">
          |   When everything in DO is done, run this command:
          |   pacenote flow next 1 --at 5 --result .pacenote/runs/1/review-2.md
          | </NEXT>
    model | Agent: Be the reviewer of the poem.
            asked | Be the reviewer of the poem.
            notes | <pacenote project="shop">
                  | <identity trust="system">You are a subagent of @claude-1 in project shop on branch main.</identity>
            model | $ echo 'RESULT: FAIL' > .pacenote/runs/1/review-2.md
            tool  | (Bash completed with no output)
    tool  |   RESULT: FAIL
    notes | <pacenote project="shop">
          | <notice trust="user" rule="run-1">An agent is back. Run #1 of `careful-change` is still at step 3/6, Review the change. When everything in DO is done, run this command: `pacenote flow next 1 --at 5 --result .pacenote/runs/1/review-2.md`</notice>
    model | $ pacenote flow next 1 --at 5 --result .pacenote/runs/1/review-2.md
    tool  | warning: the report fails the work and names no finding that counts by its severity
          | <step_header workflow="careful-change" step="2" total="6">Make the change</step_header>
          | <gate_result name="Poem review" status="fail">Fix what was found; then round 3 follows.</gate_result>
          | <DO>…
          | <NEXT required="true">
          |   When everything in DO is done, run this command:
          |   pacenote flow next 1 --at 6
          | </NEXT>
    model | It did not pass again.
    asked | what is the poem about now?
    notes | <pacenote project="shop">
          | <workflow trust="user">
          | Run #1 of `careful-change`: step 2/6, Make the change. When everything in DO is done, run this command: `pacenote flow next 1 --at 6`
          | </workflow>
    model | It is about roses.
    asked | and what else is in it now?
    model | There is nothing else in it.
    asked | have it reviewed once more
    model | $ pacenote flow next 1 --at 6
    tool  | <step_header workflow="careful-change" step="3" total="6">Review the change</step_header>
          | <DO>…
          | <NEXT required="true">
          |   When everything in DO is done, run this command:
          |   pacenote flow next 1 --at 7 --result .pacenote/runs/1/review-3.md
          | </NEXT>
    model | Agent: Be the reviewer of the poem.
            asked | Be the reviewer of the poem.
            notes | <pacenote project="shop">
                  | <identity trust="system">You are a subagent of @claude-1 in project shop on branch main.</identity>
            model | $ echo 'RESULT: PASS' > .pacenote/runs/1/review-3.md
            tool  | (Bash completed with no output)
    tool  |   RESULT: PASS
    notes | <pacenote project="shop">
          | <notice trust="user" rule="run-1">An agent is back. Run #1 of `careful-change` is still at step 3/6, Review the change. When everything in DO is done, run this command: `pacenote flow next 1 --at 7 --result .pacenote/runs/1/review-3.md`</notice>
    model | $ pacenote flow next 1 --at 7 --result .pacenote/runs/1/review-3.md
    tool  | <step_header workflow="careful-change" step="5" total="6">Publish the change</step_header>
          | <gate_result name="Poem review" status="pass"/>
          | <DO>
          |   <needs_user_input>
          |     <question id="q1">
          |       <text>May the poem be published?</text>
          |       <option>publish it</option>
          |       <option>keep it</option>
          |       <answer_form>one of the options, to the letter</answer_form>
          |     </question>
          |   </needs_user_input>
          | </DO>
          | <INVOKE_AFTER>
          |   <ask_person id="q1">May the poem be published?</ask_person>
          |   <answer_command run_by="person only">pacenote flow answer 1 ANSWER</answer_command>
          | </INVOKE_AFTER>
          | <NEXT required="true">
          |   Only the person can answer, in a terminal of their own. Show them the question in DO and the command that ends this instruction, to be run with the answer, word for word and in quotes, in the place of ANSWER; then end your turn. Do not run it yourself:
          |   pacenote flow answer 1 ANSWER
          | </NEXT>
    model | $ pacenote flow next 1
    tool  | Exit code 1
          | error: the run waits for an answer from the person
          |
          | hint: `pacenote flow answer` answers
    model | $ pacenote flow answer 1 'publish it'
    tool  | Exit code 1
          | error: only the person can answer this, in a terminal of their own
          |
          | hint: an agent shows the command to the person, who runs it in a terminal of their own
    model | May the poem be published?
    asked | you have the answer, please go on
    notes | <pacenote project="shop">
          | <workflow trust="user">
          | Run #1: you are at this step.
          | STEP 6/6: Announce the change [careful-change]
          | DO:
          |   Tell everybody.
          | NEXT: When everything in DO is done, run this command: pacenote flow next 1 --at 9
          | </workflow>
    model | $ pacenote flow next 1 --at 9
    tool  | <step_header workflow="careful-change" step="6" total="6">Done</step_header>
          | <DO>
          |   Nothing is left to do here.
          | </DO>
          | <NEXT>WORKFLOW COMPLETE: Every step on the way is done. Every review on the way passed.</NEXT>
    "#);
    insta::assert_snapshot!(place.desk.tidy(&place.person("flow history 1")), @"
    [moment]  claude-1                          look: ok → make
    [moment]  claude-1                          make: ok → review
    [moment]  claude-1  result b3-372a21e1e061  review: fail → reviewed
    [moment]  claude-1                          reviewed (round 1): fail → make
    [moment]  claude-1                          make (visit 2): ok → review
    [moment]  claude-1  result b3-372a21e1e061  review (visit 2): fail → reviewed
    [moment]  claude-1                          reviewed (round 2): fail → make
    [moment]  claude-1                          make (visit 3): ok → review
    [moment]  claude-1  result b3-62a7838d516e  review (visit 3): ok → reviewed
    [moment]  claude-1                          reviewed (round 3): pass → publish
    [moment]  claude-1                          publish: asked May the poem be published?
    [moment]  human                                publish: answered publish it
    [moment]  human                                publish: ok → announce
    [moment]  claude-1                          announce: ok → end
    [moment]  claude-1                          completed
    ");
}

#[test]
fn the_step_is_told_once_after_an_automatic_compaction() {
    let Some(place) = workplace(WORKFLOW) else { return };
    let model = model([
        bash("pacenote flow start careful-change"),
        bash("pacenote flow next 1 --at 1").usage(980_000, 10),
        Reply::text("The context was full."),
    ]);
    let mut session = session(&place, &model);
    assert_eq!(session.ask("publish a poem about roses"), "The context was full.");
    session.end();
    let [_, _, summary, after] = model.requests().try_into().expect("four requests");
    assert_eq!((summary.kind, after.kind), (Kind::Summary, Kind::Conversation));
    // The client keeps the last page as well, which it got in the middle of the turn.
    let notes = notes_in(&after);
    for told in [NOTES, "STEP 2/6: Make the change", "pacenote flow next 1 --at 2"] {
        assert_eq!(notes.matches(told).count(), 1, "{notes}");
    }
}

#[test]
fn the_hand_out_binds_whoever_is_sent_and_the_step_whoever_sends() {
    let prompt = "prompt: Review poem.txt.";
    for (tools, is_free) in [("", true), (", tools: {block: [edit]}", false)] {
        let workflow = WORKFLOW.replace(prompt, &format!("{prompt}{tools}"));
        let Some(place) = workplace(&workflow) else { return };
        let main = [
            bash("pacenote flow start careful-change"),
            bash("pacenote flow next 1 --at 1"),
            bash("pacenote flow next 1 --at 2"),
            write(&place, "poem.txt"),
            bash("echo roses > poem.txt"),
            Reply::tool(
                "Agent",
                json!({ "subagent_type": "none", "prompt": ERRAND, "description": "a review" }),
            ),
            agent(),
            Reply::text("That is all."),
        ];
        let model = served(main, [write(&place, "findings.txt"), Reply::text("I tried to write.")]);
        let mut session = session(&place, &model);
        assert_eq!(session.ask("publish a poem about roses"), "That is all.");
        session.end();
        assert_eq!(place.file("shop/poem.txt"), None);
        assert_eq!(place.file("shop/findings.txt").is_some(), is_free, "{tools}");
        let (leading, sent) = told_apart(&model);
        assert_eq!(counts(&leading, REFUSED), [0, 0, 0, 0, 1, 2, 2, 2], "by its shell, too");
        assert_eq!(counts(&leading, BACK), [0, 0, 0, 0, 0, 0, 0, 1], "the first was never sent");
        assert_eq!(counts(&sent, REFUSED), [0, usize::from(!is_free)], "{tools}");
        assert_eq!(counts(&sent, "flow next"), [0, 0], "who is sent must not move the run");
    }
}

#[test]
fn a_step_that_hands_nothing_out_binds_every_agent_until_a_person_opens_it() {
    let Some(place) = workplace(WORKFLOW) else { return };
    let main = [
        bash("pacenote flow start careful-change"),
        agent(),
        Reply::text("It was refused."),
        bash("pacenote allow run-1 --yes"),
        write(&place, "poem.txt"),
        Reply::text("It was refused again."),
        write(&place, "poem.txt"),
        write(&place, "poem.txt"),
        Reply::text("It was allowed once."),
    ];
    let model = served(main, [write(&place, "poem.txt"), Reply::text("I must not write.")]);
    let mut session = session(&place, &model);
    assert_eq!(session.ask("publish a poem about roses"), "It was refused.");
    assert_eq!(session.ask("open it yourself"), "It was refused again.");
    assert_eq!(place.file("shop/poem.txt"), None);
    place.person("allow run-1 --once --yes");
    assert_eq!(session.ask("now it is open, try again"), "It was allowed once.");
    session.end();
    assert_eq!(place.file("shop/poem.txt").as_deref(), Some("roses\n"));
    let (leading, sent) = told_apart(&model);
    assert_eq!(counts(&sent, REFUSED), [0, 1]);
    assert_eq!(counts(&leading, "only a person can do this"), [0, 0, 0, 0, 1, 1, 1, 1, 1]);
    assert_eq!(counts(&leading, REFUSED), [0, 0, 0, 0, 0, 1, 1, 1, 2]);
}

#[test]
fn a_step_that_a_person_led_to_is_told_whole_whatever_they_say_next() {
    let Some(place) = workplace(WORKFLOW) else { return };
    let main = [
        bash("pacenote flow start careful-change"),
        bash("pacenote flow next 1 --at 1"),
        bash("pacenote flow next 1 --at 2"),
        agent(),
        bash("pacenote flow next 1 --at 3 --result .pacenote/runs/1/review-1.md"),
        Reply::text("May the poem be published?"),
        Reply::text("I see."),
        Reply::text("I have seen it."),
    ];
    let model = served(main, [report(1, "PASS"), Reply::text("RESULT: PASS")]);
    let mut session = session(&place, &model);
    assert_eq!(session.ask("publish a poem about roses"), "May the poem be published?");
    place.person("flow answer 1 'publish it' --yes");
    assert_eq!(session.ask("go on"), "I see.");
    assert_eq!(session.ask("go on"), "I have seen it.");
    session.end();
    let (leading, _) = told_apart(&model);
    let notes = notes_in(&leading[7]);
    for told in ["STEP 6/6: Announce the change", "Tell everybody.", "pacenote flow next 1 --at 5"]
    {
        assert_eq!(counts(&leading, told), [0, 0, 0, 0, 0, 0, 1, 1], "{notes}");
    }
}

/// Makes sure that the model ran only what it was shown: every command that says where the run
/// stands was in front of it, word for word.
fn must_be_copied(requests: &[Request]) {
    let mut copied = 0;
    for [shown, after] in requests.array_windows() {
        for command in last_commands(after).filter(|command| command.contains("--at")) {
            assert!(shown.occurrences(command) > 0, "{command}");
            copied += 1;
        }
    }
    assert!(copied > 0, "no command was looked at");
}

/// Returns the commands that the model ran last.
fn last_commands(request: &Request) -> impl Iterator<Item = &str> {
    last_calls(request).filter_map(|input| input["command"].as_str())
}

/// Returns the requests of the main agent, and those of the agents it sent.
fn told_apart(model: &Server) -> (Vec<Request>, Vec<Request>) {
    conversation(model).into_iter().partition(|request| request.occurrences(ERRAND) == 0)
}

/// Starts a model that leads with some replies, and whose subagents give others.
fn served<const LEADING: usize, const SENT: usize>(
    leading: [Reply; LEADING],
    sent: [Reply; SENT],
) -> Server {
    Server::start(Script::new(leading).apart(ERRAND, sent)).expect("the scripted model")
}

fn first_with<'r>(requests: &'r [Request], prompt: &str) -> &'r Request {
    requests.iter().find(|request| request.occurrences(prompt) > 0).expect("a request")
}

pub(super) fn workplace(workflow: &str) -> Option<Workplace> {
    let place = Workplace::new()?;
    place.desk.write("../home/.config/pacenote/workflows/careful-change.yaml", workflow);
    Some(place)
}

/// Begins a session whose shell finds our program by its name, as commands in a step have it.
pub(super) fn session(place: &Workplace, model: &Server) -> Session {
    let installed = place.desk.binary().parent().expect("a directory");
    let path = format!("{}:/usr/bin:/bin", installed.display());
    Session::begin(&place.launch(model).variable("PATH", path))
}

pub(super) fn bash(command: &str) -> Reply {
    Reply::tool("Bash", json!({ "command": command, "description": "do it" }))
}

pub(super) fn write(place: &Workplace, path: &str) -> Reply {
    let path = place.desk.root().join("shop").join(path);
    Reply::tool("Write", json!({ "file_path": path, "content": "roses\n" }))
}

fn report(round: u32, result: &str) -> Reply {
    bash(&format!("echo 'RESULT: {result}' > .pacenote/runs/1/review-{round}.md"))
}

fn agent() -> Reply {
    let errand = json!({
        "description": "a review",
        "prompt": ERRAND,
        "subagent_type": "general-purpose",
        "run_in_background": false,
    });
    Reply::tool("Agent", errand)
}
