//! One example of every block.

use super::{super::super::*, views};

/// Returns the examples, by the name of the element and what is special about them.
pub(super) fn by_name() -> Vec<(&'static str, Piece)> {
    [instructions(), reviews(), dispatches(), words_of_the_person()].concat()
}

fn instructions() -> Vec<(&'static str, Piece)> {
    let case = |result: &str, then: &str| Case { result: result.into(), then: then.into() };
    vec![
        (
            "conditional_dispatch",
            Piece::ConditionalDispatch {
                condition: "the change touches a public interface".into(),
                if_true: "Start one architect agent and show it the interface.".into(),
                if_false: "Start nobody; write \"no interface touched\" into the plan.".into(),
            },
        ),
        (
            "expected_output",
            Piece::Expected(Expected {
                if_pass: "One line: nothing found.".into(),
                when_issues: "One paragraph for each finding, the heaviest first.".into(),
                categories: texts(&["knowledge", "structure"]),
            }),
        ),
        (
            "forbidden",
            Piece::Forbidden(texts(&["Editing files outside `src`.", "Running the release."])),
        ),
        (
            "routing",
            Piece::Routing(vec![
                case("no tests found", "Write one that fails first."),
                case("tests fail", "Stop and say which."),
            ]),
        ),
        (
            "resource",
            Piece::Resource {
                name: "plan-form".into(),
                purpose: "the form every plan has".into(),
                text: "# Goal\n\nOne sentence.\n\n# Steps\n\n- [ ] Vec<Step> && nothing else\n"
                    .into(),
            },
        ),
        (
            "incorrect_behavior",
            Piece::IncorrectBehavior {
                example: "Reading the report and fixing it before the gate was asked.".into(),
                consequence: "The round is not counted, and the loop never ends.".into(),
            },
        ),
        (
            "orchestrator_constraint",
            Piece::OrchestratorConstraint("You lead the work. You edit no file yourself.".into()),
        ),
        (
            "orchestrator_action",
            Piece::OrchestratorAction { command: "pacenote flow next r7 --at 6".into() },
        ),
    ]
}

fn reviews() -> Vec<(&'static str, Piece)> {
    let banner = |mode| Piece::StateBanner { checkpoint: "plan review".into(), iteration: 2, mode };
    vec![
        ("state_banner_work", banner(BannerMode::Work)),
        ("state_banner_fix", banner(BannerMode::Fix)),
        ("state_banner_fresh_review", banner(BannerMode::FreshReview)),
        (
            "post_qr_routing",
            Piece::PostReviewRouting {
                if_pass: "pacenote flow next r7 --at 6 --outcome ok".into(),
                if_fail: "pacenote flow next r7 --at 6 --outcome fail".into(),
            },
        ),
        (
            "detection_questions",
            Piece::DetectionQuestions {
                category: "lost knowledge".into(),
                questions: texts(&[
                    "Which decision has no reason beside it?",
                    "Which number could nobody explain in a year?",
                ]),
            },
        ),
        (
            "verification_checklist",
            Piece::Checklist {
                name: "plan".into(),
                checks: vec![
                    Criterion {
                        element: "every decision".into(),
                        criterion: "gives its reason".into(),
                        if_missing: "DECISION_LOG_MISSING".into(),
                    },
                    Criterion {
                        element: "every step".into(),
                        criterion: "names its files".into(),
                        if_missing: String::new(),
                    },
                ],
            },
        ),
        (
            "factored_verification",
            Piece::FactoredVerification(texts(&[
                "Does every step of the plan name a file?",
                "Is every file named there in the project?",
            ])),
        ),
        (
            "verification_principle",
            Piece::VerificationPrinciple("What was not seen to work does not work.".into()),
        ),
        (
            "pedantic_enforcement",
            Piece::PedanticEnforcement(texts(&["Diffs apply without fuzz.", "No line over 100."])),
        ),
        (
            "severity_filter",
            Piece::SeverityFilter { iteration: 4, count: vec![Severity::Must, Severity::Should] },
        ),
        (
            "iteration_limit_reached",
            Piece::IterationLimitReached { name: "plan review".into(), iteration: 5, limit: 5 },
        ),
    ]
}

fn dispatches() -> Vec<(&'static str, Piece)> {
    vec![
        ("subagent_dispatch", Piece::Dispatch(views::writer())),
        ("subagent_dispatch_script", Piece::Dispatch(views::scripted())),
        ("subagent_dispatch_review", Piece::Dispatch(views::reviewer())),
        ("parallel_dispatch", Piece::ParallelDispatch(views::explorers())),
    ]
}

fn words_of_the_person() -> Vec<(&'static str, Piece)> {
    vec![
        ("needs_user_input", Piece::NeedsUserInput(views::two_questions())),
        (
            "user_response",
            Piece::UserResponse(vec![
                Answered {
                    question: "Which database?".into(),
                    answer: "SQLite".into(),
                    relayed: false,
                },
                Answered {
                    question: "May the format change?".into(),
                    answer: "Only if old files\nare still read.".into(),
                    relayed: true,
                },
            ]),
        ),
    ]
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}
