//! Pages as they occur: from the first step to the last, with a review that sends work back.

use super::super::super::*;

/// Returns the pages, by name.
pub(super) fn pages() -> Vec<(&'static str, View)> {
    vec![
        ("first", first()),
        ("branch", branch()),
        ("gate_failed", gate_failed()),
        ("review_round_2", review_round_2()),
        ("parallel", parallel()),
        ("person", person()),
        ("person_relayed", person_relayed()),
        ("limit", limit()),
        ("done", done()),
    ]
}

pub(super) fn writer() -> DispatchView {
    DispatchView {
        role: Role::TechnicalWriter,
        model: Some("a small, fast model".into()),
        context: vec![("plan".into(), "docs/plan.md".into())],
        invoke: Invoke::FreeForm {
            instruction: "Rewrite the introduction of `README.md` for somebody who is in a hurry."
                .into(),
        },
        answer: Some("{\n  \"type\": \"object\",\n  \"required\": [\"files\"]\n}".into()),
        handoff: "Name the files you changed.".into(),
        report: None,
    }
}

pub(super) fn scripted() -> DispatchView {
    DispatchView {
        role: Role::Developer,
        model: None,
        context: vec![("task".into(), "add the export command".into())],
        invoke: Invoke::Script { command: "pacenote flow start implement".into() },
        answer: None,
        handoff: "Hand back one line: what works now.".into(),
        report: None,
    }
}

pub(super) fn reviewer() -> DispatchView {
    DispatchView {
        role: Role::QualityReviewer,
        model: None,
        context: vec![("plan".into(), "docs/plan.md".into())],
        invoke: Invoke::FreeForm { instruction: "Review the plan against the checklist.".into() },
        answer: None,
        handoff: String::new(),
        report: Some(Report {
            path: ".pacenote/runs/r7/review-2.md".into(),
            command: "pacenote flow next r7 --at 6 --result .pacenote/runs/r7/review-2.md".into(),
        }),
    }
}

pub(super) fn explorers() -> ParallelView {
    ParallelView {
        role: Role::Explore,
        instruction: "Look through the project and change nothing.".into(),
        model: Some("a small, fast model".into()),
        context: vec![("goal".into(), "find what stands in the way of an export".into())],
        agents: vec![
            ("names".into(), "Names that mean two things.".into()),
            ("layers".into(), "Calls that skip a layer.\nStart at `cli`.".into()),
        ],
        template: "Your part: AGENT\nHand back at most ten lines.".into(),
        answer: None,
    }
}

pub(super) fn two_questions() -> Vec<Question> {
    vec![
        Question {
            id: "q1".into(),
            text: "Which database?".into(),
            options: vec!["SQLite".into(), "PostgreSQL".into()],
            free_text: true,
        },
        Question {
            id: "q2".into(),
            text: "What must not change?".into(),
            options: Vec::new(),
            free_text: true,
        },
    ]
}

fn view(step: usize, title: &str, pieces: Vec<Piece>, after: After) -> View {
    let header = Header {
        workflow: "planner".into(),
        phase: Some("Plan".into()),
        step,
        total: 7,
        title: title.into(),
    };
    View { header, is_first: false, gate: None, pieces, after }
}

fn first() -> View {
    let pieces = vec![
        Piece::Say("Read the task: add an export command.".into()),
        Piece::Say("Write the goal into `docs/plan.md`, in one sentence.".into()),
        Piece::Forbidden(vec!["Changing code.".into()]),
    ];
    let after = After::Run { command: "pacenote flow next r7 --at 1".into() };
    View { is_first: true, ..view(1, "Understand the task", pieces, after) }
}

fn branch() -> View {
    let pieces =
        vec![Piece::Say("Run `cargo test` && read the output; is every Vec<Test> green?".into())];
    let command = |word: &str| format!("pacenote flow next r7 --at 3 --outcome {word}");
    let cases = [Outcome::Ok, Outcome::Fail, Outcome::Skip, Outcome::Iterate];
    let cases = cases.map(|outcome| (outcome, command(outcome.word()))).to_vec();
    view(3, "Try it", pieces, After::Branch { cases, command: command("OUTCOME") })
}

fn gate_failed() -> View {
    let pieces = vec![
        Piece::StateBanner {
            checkpoint: "plan review".into(),
            iteration: 2,
            mode: BannerMode::Fix,
        },
        Piece::SeverityFilter { iteration: 2, count: Severity::ALL.to_vec() },
        Piece::Say(
            "Read the report `.pacenote/runs/r7/review-1.md` and mend what is named there.".into(),
        ),
        Piece::Forbidden(vec!["Changing what the report does not name.".into()]),
    ];
    let gate = GateResult {
        name: "plan review".into(),
        passed: false,
        message: "The review found something. Mend it, then it is reviewed again: round 2.".into(),
    };
    let after = After::Run { command: "pacenote flow next r7 --at 5".into() };
    View { gate: Some(gate), ..view(4, "Write the plan", pieces, after) }
}

fn review_round_2() -> View {
    let pieces = vec![
        Piece::StateBanner {
            checkpoint: "plan review".into(),
            iteration: 2,
            mode: BannerMode::FreshReview,
        },
        Piece::OrchestratorConstraint("You do not review the plan yourself.".into()),
        Piece::Checklist {
            name: "plan".into(),
            checks: vec![Criterion {
                element: "every decision".into(),
                criterion: "gives its reason".into(),
                if_missing: "DECISION_LOG_MISSING".into(),
            }],
        },
        Piece::Dispatch(reviewer()),
    ];
    let command = "pacenote flow next r7 --at 6 --result .pacenote/runs/r7/review-2.md";
    view(5, "Review the plan", pieces, After::Run { command: command.into() })
}

fn parallel() -> View {
    let pieces = vec![
        Piece::ParallelDispatch(explorers()),
        Piece::Say("Put what they hand back together in `docs/findings.md`.".into()),
    ];
    let after = After::Run { command: "pacenote flow next r7 --at 2".into() };
    view(2, "Look round", pieces, after)
}

fn person() -> View {
    let question = Question {
        id: "q1".into(),
        text: "May the old format go?".into(),
        options: vec!["yes".into(), "no".into()],
        free_text: false,
    };
    let command = "pacenote flow answer r7 ANSWER".into();
    let after = After::Person { relayed: false, command };
    view(6, "Approval", vec![Piece::NeedsUserInput(vec![question])], after)
}

fn person_relayed() -> View {
    let command = "pacenote flow answer r7 q1=ANSWER q2=ANSWER".into();
    let after = After::Person { relayed: true, command };
    view(6, "Questions", vec![Piece::NeedsUserInput(two_questions())], after)
}

fn limit() -> View {
    let question = Question {
        id: "q1".into(),
        text: "`plan review` did not pass after 5 rounds. What now?".into(),
        options: ["continue", "must-only", "skip", "abort"].map(str::to_owned).to_vec(),
        free_text: false,
    };
    let pieces = vec![
        Piece::IterationLimitReached { name: "plan review".into(), iteration: 5, limit: 5 },
        Piece::NeedsUserInput(vec![question]),
    ];
    let command = "pacenote flow answer r7 ANSWER".into();
    view(5, "Plan review", pieces, After::Person { relayed: false, command })
}

fn done() -> View {
    view(
        7,
        "Done",
        Vec::new(),
        After::Done { how: Conclusion::Complete, message: "Every step on the way is done.".into() },
    )
}
