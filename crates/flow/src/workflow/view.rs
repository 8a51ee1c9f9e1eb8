//! A step as it is shown: every gap filled in, every text there, nothing left to decide.
//!
//! A view is made of a workflow and a run, and rendered as XML or as plain text. It holds texts of
//! people and agents as they are; escaping is for whoever renders it.

use serde::Serialize;

use super::{
    definition::{Case, Criterion, Expected},
    run::CheckReport,
    words::{Outcome, Role, Severity},
};

/// A step as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Which step of which workflow.
    pub header: Header,
    /// Whether it is the first that is shown, and how to read it has to be said.
    pub is_first: bool,
    /// What the gate said that led here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateResult>,
    /// What is to be done, in order.
    pub pieces: Vec<Piece>,
    /// What comes then.
    pub after: After,
}

/// Which step of which workflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Header {
    pub workflow: String,
    /// The part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The number of the step.
    pub step: usize,
    /// How many there are.
    pub total: usize,
    /// What the step is called.
    pub title: String,
}

/// What a gate said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GateResult {
    /// What the review is called.
    pub name: String,
    /// Whether the work passed.
    pub passed: bool,
    /// What is said about it.
    pub message: String,
}

/// What comes after a step: always exactly one thing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// One command.
    Run { command: String },
    /// One command of several, by what the step came to.
    Branch {
        /// The commands; at least two.
        cases: Vec<(Outcome, String)>,
        /// The same with `OUTCOME` where the outcome stands.
        command: String,
    },
    /// The person has to answer first.
    Person {
        /// Whether the answer can be passed on by an agent that was told it.
        relayed: bool,
        /// The command that answers, with `ANSWER` where the answer stands.
        command: String,
    },
    /// Nothing: the run is over.
    Done {
        how: Conclusion,
        /// How it ended, in a few sentences.
        message: String,
    },
}

/// How a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Conclusion {
    /// Everything on the way was done, and every review on it passed.
    Complete,
    /// It came to its end, but the last step failed or a review was skipped.
    Ended,
    /// Somebody gave it up.
    Aborted,
}

/// A piece of what is to be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// A plain instruction.
    Say(String),
    /// A text the step needs.
    Resource {
        name: String,
        /// What it is needed for.
        purpose: String,
        text: String,
    },
    /// What must not be done.
    Forbidden(Vec<String>),
    /// What has to be there at the end.
    Expected(Expected),
    /// Questions that find what is wrong.
    DetectionQuestions {
        /// What kind of thing they find.
        category: String,
        questions: Vec<String>,
    },
    /// Things that have to be checked one by one.
    Checklist {
        /// What is checked.
        name: String,
        checks: Vec<Criterion>,
    },
    /// A mistake that is often made, and what it costs.
    IncorrectBehavior {
        /// The mistake.
        example: String,
        /// What it costs.
        consequence: String,
    },
    /// What whoever leads the work must keep to.
    OrchestratorConstraint(String),
    /// The only thing whoever leads the work does next.
    OrchestratorAction { command: String },
    /// Questions to be answered one by one, each without a look at the answers to others.
    FactoredVerification(Vec<String>),
    /// What verification rests on.
    VerificationPrinciple(String),
    /// What is to be taken to the letter.
    PedanticEnforcement(Vec<String>),
    /// What to do with which result.
    Routing(Vec<Case>),
    /// What to do depending on something only the reader can tell.
    ConditionalDispatch {
        /// The condition, in words.
        condition: String,
        /// What to do if it holds.
        if_true: String,
        /// What to do if it does not.
        if_false: String,
    },
    /// Where a quality check stands.
    StateBanner {
        /// The check.
        checkpoint: String,
        /// The round, counted from one.
        iteration: u32,
        /// What the round is for.
        mode: BannerMode,
    },
    /// Which findings still count.
    SeverityFilter {
        /// The round.
        iteration: u32,
        count: Vec<Severity>,
    },
    /// A gate was tried as often as it may be, or a step entered.
    IterationLimitReached {
        /// The gate, or the step.
        name: String,
        /// The rounds there were.
        iteration: u32,
        /// How many there may be.
        limit: u32,
    },
    /// What to do with a review when it comes back.
    PostReviewRouting {
        /// When it passed.
        if_pass: String,
        /// When it did not.
        if_fail: String,
    },
    /// Work for one agent.
    Dispatch(DispatchView),
    /// Work for several agents at once.
    ParallelDispatch(ParallelView),
    /// A check that failed, and where its output is.
    FailedCheck(CheckReport),
    /// Questions that only the person can answer.
    NeedsUserInput(Vec<Question>),
    /// What the person answered.
    UserResponse(Vec<Answered>),
}

/// What a round of a quality check is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BannerMode {
    /// The work is done for the first time.
    Work,
    /// The work is fixed.
    Fix,
    /// The work is looked at as if nobody had looked before.
    FreshReview,
}

impl BannerMode {
    /// Returns the word that is shown.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Fix => "fix",
            Self::FreshReview => "fresh_review",
        }
    }
}

/// Work for one agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DispatchView {
    /// Its part.
    pub role: Role,
    /// Which kind of model suits the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it has to know, by name.
    pub context: Vec<(String, String)>,
    /// What it does.
    pub invoke: Invoke,
    /// Which form its answer has, as JSON Schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What it hands back at the end, and how.
    pub handoff: String,
    /// Where its report goes, when it reviews: the report is not read by whoever leads the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<Report>,
}

/// How handed work is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Invoke {
    /// By the steps of a workflow.
    Script {
        /// The command the agent begins with.
        command: String,
    },
    /// By what it is told.
    FreeForm {
        /// What it is told.
        instruction: String,
    },
}

/// A report that a reviewer writes and whoever leads the work only passes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The file.
    pub path: String,
    /// The only command that follows.
    pub command: String,
}

/// Work for several agents at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParallelView {
    /// Their part.
    pub role: Role,
    /// What all of them are told.
    pub instruction: String,
    /// Which kind of model suits the work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What all of them have to know, by name.
    pub context: Vec<(String, String)>,
    /// The agents and what each is told.
    pub agents: Vec<(String, String)>,
    /// The form of their prompt, with `AGENT` where its own part stands.
    pub template: String,
    /// Which form their answers have, as JSON Schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// A question that only the person can answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Question {
    /// Its name in the command that answers it.
    pub id: String,
    /// The question.
    pub text: String,
    /// What can be answered; any text when there is nothing here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Whether an answer in other words is taken too.
    #[serde(default)]
    pub free_text: bool,
}

/// What the person answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Answered {
    pub question: String,
    pub answer: String,
    /// Whether an agent passed it on.
    #[serde(default)]
    pub relayed: bool,
}
