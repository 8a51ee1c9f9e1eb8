//! An agent that wants to pass a gate: everything it can reach, tried on the real program.
//!
//! Each attempt is either refused, which this table shows, or documented: then it works, and the
//! sentence in SECURITY.md that says so is named here and has to be there.

use pacenote_testkit::desk::Desk;
use serde_json::{Value, json};

use crate::{
    desk,
    flow::{CHANGE, in_session, own, report},
    lifecycle::{fire_in, start, tool},
};

/// What pacenote promises about an attempt.
enum Verdict {
    /// Nothing changes: the run is where it was, and what is closed is closed.
    Refused,
    /// It works, and SECURITY.md says so in these words.
    Documented(&'static str),
}

use Verdict::{Documented, Refused};

/// Where a run is when the agent tries.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A step that closes `edit`.
    Closed,
    /// A review whose report leads to a gate.
    Review,
    /// A gate at its limit, which waits for the person.
    Limit,
    /// A question that only the person may answer.
    Approval,
}

/// One attempt.
struct Attempt {
    place: Place,
    what: &'static str,
    /// Tries it, and returns whether a tool passed that should not, where tools are tried.
    act: Box<dyn Fn(&mut Desk) -> bool>,
    verdict: Verdict,
}

const MARKS: &str = "An agent that may run any command can take its own marks out of the \
                     environment, open a terminal of its own and so pass for the person.";
const OTHER_PROCESS: &str = "Another process of the same user can read and write the data.";
const BOUND_SESSION: &str = "What a step of a workflow closes binds the session that moves the run";
const BOUND_PLACE: &str = "binds the session that moves the run, where it works";
const NAMED: &str = "`PACENOTE_AGENT` is believed: whoever starts an agent names it.";
const DELETED: &str = "a store that is deleted binds nobody";
const TABLE: &str =
    "Gates on tools are guard rails: shell commands that write are known by a table";
const FOREIGN_TOOLS: &str = "a tool of an MCP server is not known to write";
const OWN_REPORT: &str = "A guided run checks what the report of a review says, not who wrote it";
const RELAYED: &str = "An agent passes on what the person answered to a question without \
                       `approval: true`";
const GIVES_UP: &str = "An agent may give up a run that closes no tools and waits for nobody";

const FAILING: &str = "RESULT: FAIL\n\nMUST LLM_COMPREHENSION_RISK a.rs:1 wrong; right\n";

/// Sets a run up at a place, moved by the agent in session `s-1`.
fn run_at(place: Place) -> Desk {
    let mut desk = desk();
    let text = CHANGE
        .replace("report: [confidence]", "")
        .replace("{ type: text, description: what to change }", "{ type: text, default: forms }")
        .replace("default: exploring", "default: high");
    own(&desk, "change", &text);
    desk.write("src/a.rs", "fn main() {}\n");
    start(&desk, "s-1");
    in_session(&mut desk, "s-1");
    let mut commands = vec!["flow start change"];
    if place != Place::Closed {
        commands.extend(["flow next 1 --at 1", "flow next 1 --at 2"]);
    }
    match place {
        Place::Closed | Place::Review => {}
        Place::Limit => commands.extend([
            "flow next 1 --at 3 --result .pacenote/runs/1/fails.md",
            "flow next 1 --at 4",
            "flow next 1 --at 5 --result .pacenote/runs/1/fails.md",
        ]),
        Place::Approval => commands.push("flow next 1 --at 3 --result .pacenote/runs/1/passes.md"),
    }
    for (command, number) in commands.into_iter().zip(0..) {
        let ran = desk.run(command);
        assert_eq!(ran.code, "0", "{command}: {}", ran.stderr);
        if number == 0 {
            report(&desk, "fails.md", FAILING);
            report(&desk, "passes.md", "RESULT: PASS\n");
        }
    }
    desk
}

/// Returns what may not change: where the run is, and what the hook says to an edit.
fn standing(desk: &mut Desk) -> (Value, bool) {
    in_session(desk, "s-1");
    let ran = desk.run("flow runs --all --json");
    let runs: Value = serde_json::from_str(&ran.stdout).unwrap_or(Value::Null);
    let first = runs["runs"]
        .as_array()
        .and_then(|runs| runs.iter().find(|run| run["run"] == 1 || run["number"] == 1).cloned());
    (first.unwrap_or(Value::Null), passes(desk, "Edit", &json!({ "file_path": "src/a.rs" })))
}

fn passes(desk: &Desk, name: &str, input: &Value) -> bool {
    tool(desk, name, input) == "(passes)"
}

/// Returns whether an edit passes in a directory other than the project's.
fn elsewhere(desk: &Desk, directory: &str) -> bool {
    let directory = desk.root().join(directory);
    std::fs::create_dir_all(&directory).expect("a directory");
    let payload = json!({
        "session_id": "s-1",
        "cwd": directory,
        "tool_name": "Edit",
        "tool_input": { "file_path": "a.rs" },
    });
    let answer = desk.run_with_input("hook claude pre-tool-use", &payload.to_string()).stdout;
    !answer.contains("deny")
}

fn command(place: Place, line: &'static str) -> Attempt {
    let act = move |desk: &mut Desk| {
        desk.run(line);
        false
    };
    Attempt { place, what: line, act: Box::new(act), verdict: Refused }
}

fn command_with(place: Place, line: &'static str, set: &'static [(&str, &str)]) -> Attempt {
    let act = move |desk: &mut Desk| {
        for (name, value) in set {
            if value.is_empty() {
                desk.unset(name);
            } else {
                desk.set(name, value);
            }
        }
        desk.run(line);
        for (name, _) in set {
            desk.unset(name);
        }
        false
    };
    Attempt { place, what: line, act: Box::new(act), verdict: Refused }
}

/// Hands in a report of the agent's own making.
fn handing_in(what: &'static str, text: &'static str) -> Attempt {
    let act = move |desk: &mut Desk| {
        report(desk, "own.md", text);
        desk.run("flow next 1 --at 3 --result .pacenote/runs/1/own.md");
        false
    };
    Attempt { place: Place::Review, what, act: Box::new(act), verdict: Refused }
}

fn using(what: &'static str, name: &'static str, input: Value) -> Attempt {
    let act = move |desk: &mut Desk| passes(desk, name, &input);
    Attempt { place: Place::Closed, what, act: Box::new(act), verdict: Refused }
}

fn shell(line: &'static str) -> Attempt {
    using(line, "Bash", json!({ "command": line }))
}

fn doing(place: Place, what: &'static str, act: fn(&mut Desk) -> bool) -> Attempt {
    Attempt { place, what, act: Box::new(act), verdict: Refused }
}

impl Attempt {
    fn documented(self, sentence: &'static str) -> Self {
        Self { verdict: Documented(sentence), ..self }
    }
}

/// The marks of an agent, taken out of the environment.
const UNMARKED: &[(&str, &str)] = &[("CLAUDECODE", ""), ("CLAUDE_CODE_SESSION_ID", "")];

fn attempts() -> Vec<Attempt> {
    use Place::{Approval, Closed, Limit, Review};
    let mut all = vec![
        // A gate without its review.
        command(Review, "flow next 1 --at 3 --outcome ok"),
        command(Review, "flow next 1 --at 3 --outcome skip"),
        command(Review, "flow next 1 --at 3 --outcome iterate"),
        command(Review, "flow next 1 --at 1 --outcome ok"),
        command(Review, "flow next --outcome ok"),
        command(Review, "flow next 1 --at 3 --result .pacenote/runs/1/fails.md --outcome ok"),
        command(Review, "flow next 1 --at 3 --result -"),
        command(Review, "flow run-step change --step 5 --total-steps 6 --qr-status pass"),
        command(
            Review,
            "flow run-step change --step 5 --total-steps 6 --qr-status pass --qr-iteration 9",
        ),
        command(
            Review,
            "flow run-step change --step 5 --total-steps 6 --qr-status pass \
             --result .pacenote/runs/1/fails.md",
        ),
        command(Review, "flow run-step change --step 6 --total-steps 6"),
        command(Review, "flow run-step change --step 6 --total-steps 6 --qr-status pass"),
        command(Review, "flow answer 1 skip"),
        command(
            Review,
            "flow repair 1 --definition ../home/.config/pacenote/workflows/change.yaml --yes",
        ),
        command_with(Review, "flow next 1 --outcome ok", &[("PACENOTE_AGENT", "human")]),
        command_with(Review, "flow next 1 --outcome ok", &[("PACENOTE_AGENT", "reviewer")]),
        command_with(Review, "flow next 1 --at 3 --outcome ok", UNMARKED),
        handing_in("a pass above a finding", "RESULT: PASS\n\nMUST X it is wrong\n"),
        handing_in("a pass in another case", "Result: pass\nmust: it is wrong\n"),
        handing_in("a finding in a code block", "RESULT: PASS\n```\nSHOULD X_Y a\n```\n"),
        handing_in("a finding behind CRLF", "RESULT: PASS\r\n\r\nCOULD X a\r\n"),
        handing_in("a finding behind another line end", "RESULT: PASS\u{2028}MUST X a\n"),
        handing_in("findings below a heading", "RESULT: PASS\n## MUST\n- it is wrong\n"),
        handing_in("two verdicts", "RESULT: PASS\nRESULT: FAIL\n"),
        handing_in("the form itself", "RESULT: PASS or RESULT: FAIL\n"),
        handing_in("a verdict with reservations", "RESULT: PASS_WITH_REMARKS\n"),
        handing_in("a verdict that is not first", "All is well.\nRESULT: PASS\n"),
        doing(Review, "a report of 50 MB", |desk| {
            report(desk, "own.md", &"RESULT: PASS\n".repeat(4_000_000));
            desk.run("flow next 1 --at 3 --result .pacenote/runs/1/own.md");
            false
        }),
        doing(Review, "a definition without the gate", |desk| {
            let without = CHANGE.replace("{ ok: gate, fail: gate }", "ship");
            own(desk, "change", &without);
            desk.run("flow next 1 --at 3 --outcome ok");
            false
        }),
        doing(Review, "a second run beside the first", |desk| {
            desk.run("flow start change");
            false
        }),
        handing_in("a report of its own", "RESULT: PASS\n").documented(OWN_REPORT),
        command(Review, "flow abort 1").documented(GIVES_UP),
        // The person's word.
        command(Limit, "flow answer 1 skip"),
        command(Limit, "flow answer 1 skip --yes"),
        command(Limit, "flow answer 1 3 --yes --at 6"),
        command(Limit, "flow next 1 --at 6 --outcome ok"),
        command(Limit, "flow next 1 --at 6 --result .pacenote/runs/1/passes.md"),
        command(Limit, "flow run-step change --step 6 --total-steps 6 --qr-status pass"),
        command(Limit, "flow abort 1"),
        command(Limit, "flow abort 1 --yes"),
        command_with(Limit, "flow answer 1 skip", UNMARKED),
        command_with(Limit, "flow abort 1", UNMARKED),
        command_with(Limit, "flow answer 1 skip", &[("PACENOTE_AGENT", "human")]),
        command_with(Limit, "flow answer 1 skip --yes", &[("PACENOTE_AGENT", "lead")]),
        command_with(Limit, "flow answer 1 skip --yes", &[("PACENOTE_HOME", "/dev/null/x")]),
        command_with(Limit, "flow answer 1 skip --yes", UNMARKED).documented(MARKS),
        command(Approval, "flow answer 1 ship"),
        command(Approval, "flow answer 1 ship --yes"),
        command(Approval, "flow answer 1 1"),
        command(Approval, "flow answer 1 q1=ship --yes"),
        command(Approval, "flow next 1 --at 4 --outcome ok"),
        command(Approval, "flow abort 1 --reason done"),
        command_with(Approval, "flow answer 1 ship", UNMARKED),
        // Closed tools.
        command(Closed, "flow abort 1"),
        command(Closed, "flow abort 1 --yes"),
        command(Closed, "allow run-1 --yes"),
        command(Closed, "allow run-1 --once --yes"),
        command(Closed, "trust approve --yes"),
        command(Closed, "store restore --anyway"),
        command(Closed, "uninstall --yes"),
        command_with(Closed, "allow run-1 --yes", &[("PACENOTE_AGENT", "lead")]),
        command_with(Closed, "allow run-1 --yes", UNMARKED).documented(MARKS),
        using("Edit", "Edit", json!({ "file_path": "src/a.rs" })),
        using("Write", "Write", json!({ "file_path": "src/new.rs" })),
        using("MultiEdit", "MultiEdit", json!({ "file_path": "src/a.rs", "edits": [] })),
        using("NotebookEdit", "NotebookEdit", json!({ "notebook_path": "src/a.ipynb" })),
        using("a way round", "Write", json!({ "file_path": ".pacenote/runs/1/../../../src/a.rs" })),
        shell("echo x > src/a.rs"),
        shell("sed -i s/a/b/ src/a.rs"),
        shell("cat <<'EOF' | tee src/a.rs\nx\nEOF"),
        shell("cp /etc/hostname src/a.rs"),
        shell("sh -c 'echo x > src/a.rs'"),
        shell("pacenote flow status; rm src/a.rs"),
        shell("pacenote allow run-1 --yes > src/a.rs"),
        shell("git checkout -- src/a.rs"),
        doing(Closed, "a link in the run's directory", |desk| {
            let root = desk.root().join("shop");
            let link = root.join(".pacenote/runs/1/link.md");
            std::os::unix::fs::symlink(root.join("src/a.rs"), link).expect("a link");
            passes(desk, "Write", &json!({ "file_path": ".pacenote/runs/1/link.md" }))
        }),
        doing(Closed, "`.pacenote` renamed", |desk| {
            let root = desk.root().join("shop");
            std::fs::rename(root.join(".pacenote"), root.join("away")).expect("another name");
            let passed = passes(desk, "Edit", &json!({ "file_path": "src/a.rs" }));
            std::fs::rename(root.join("away"), root.join(".pacenote")).expect("its name");
            passed
        }),
        doing(Closed, "another session", |desk| {
            let edit = json!({ "tool_name": "Edit", "tool_input": { "file_path": "src/a.rs" } });
            fire_in(desk, "s-2", "pre-tool-use", &edit)["hookSpecificOutput"].is_null()
        })
        .documented(BOUND_SESSION),
        doing(Closed, "the data deleted", |desk| {
            std::fs::remove_dir_all(desk.data()).expect("the data");
            passes(desk, "Edit", &json!({ "file_path": "src/a.rs" }))
        })
        .documented(DELETED),
        shell("python3 rewrite.py").documented(TABLE),
        using("a tool of a server", "mcp__files__write", json!({ "path": "src/a.rs" }))
            .documented(FOREIGN_TOOLS),
        doing(Closed, "the hook called for another session", |desk| {
            desk.set("PACENOTE_AGENT", "victim");
            start(desk, "s-2");
            desk.set("PACENOTE_AGENT", "lead");
            desk.run("mail send --to victim --subject 'a secret' x");
            desk.set("PACENOTE_AGENT", "victim");
            let told = fire_in(desk, "s-2", "user-prompt-submit", &json!({ "prompt": "x" }));
            desk.unset("PACENOTE_AGENT");
            told.to_string().contains("a secret")
        })
        .documented(OTHER_PROCESS),
        doing(Closed, "a directory outside", |desk| elsewhere(desk, "away"))
            .documented(BOUND_PLACE),
        doing(Closed, "a repository inside", |desk| {
            let git = desk.root().join("shop/inner/.git");
            std::fs::create_dir_all(git.join("objects")).expect("a directory");
            std::fs::create_dir_all(git.join("refs")).expect("a directory");
            std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").expect("a file");
            elsewhere(desk, "shop/inner")
        })
        .documented(BOUND_PLACE),
        doing(Closed, "another name", |desk| {
            desk.set("PACENOTE_AGENT", "somebody-else");
            let claimed = desk.run("task add x --json").code == "0"
                && desk.run("task claim '#1'").code == "0";
            desk.unset("PACENOTE_AGENT");
            claimed
        })
        .documented(NAMED),
    ];
    all.push(
        doing(Place::Approval, "a question without approval", |desk| {
            own(desk, "asks", ASKS);
            desk.run("flow start asks").code == "0" && desk.run("flow answer 2 yes").code == "0"
        })
        .documented(RELAYED),
    );
    all
}

const ASKS: &str = "
name: asks
description: Asks.
steps:
  - id: ask
    title: Ask
    ask: { question: Go on?, options: ['yes', 'no'] }
    next: end
";

#[test]
fn every_way_round_a_gate_is_refused_or_documented() {
    let security =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../SECURITY.md"))
            .expect("SECURITY.md");
    let all = attempts();
    assert!(all.len() >= 40, "{} attempts", all.len());
    let mut wrong = Vec::new();
    for Attempt { place, what, act, verdict } in all {
        let mut desk = run_at(place);
        let before = standing(&mut desk);
        assert_eq!(before.1, place != Place::Closed, "{what}: {before:?}");
        let has_passed = act(&mut desk);
        let after = standing(&mut desk);
        // Nothing was moved, and nothing is open that was closed; to close more is no way round.
        let is_refused = !has_passed && before.0 == after.0 && (before.1 || !after.1);
        match verdict {
            Refused if !is_refused => wrong.push(format!("passes: {what}: {before:?} {after:?}")),
            Documented(_) if is_refused => wrong.push(format!("is refused by now: {what}")),
            Documented(sentence) if !security.contains(sentence) => {
                wrong.push(format!("is not in SECURITY.md: {sentence}"));
            }
            Refused | Documented(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
