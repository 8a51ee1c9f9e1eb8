//! A run: where somebody stands in a workflow, and all that has to be known to go on.
//!
//! It is a value. What moves it, and where to, is for the machine to say; where it is kept, for
//! others.

use std::collections::BTreeMap;

use pacenote_model::Value;
use serde::{Deserialize, Serialize};

use super::{
    definition::{Gate, StepId, Target},
    view::{Answered, Question},
    words::{Outcome, Severity},
};

/// Where somebody stands in a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// What was chosen, by the names of the parameters.
    pub params: BTreeMap<String, Value>,
    /// Where it stands.
    pub standing: Standing,
    /// How often it was moved. A command that names it is never done twice.
    pub revision: u32,
    /// What is known of each step that was entered.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub steps: BTreeMap<StepId, StepState>,
    /// What is known of each gate that was reached.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gates: BTreeMap<StepId, GateState>,
    /// What the person answered to the agents of the step at hand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answered>,
    /// The step that led to the end, and its outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<(StepId, Outcome)>,
    /// The gate that was passed through on the way to the step at hand, and what it said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<(StepId, Verdict)>,
    /// What the check found that failed on the way to the step at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<CheckReport>,
    /// The title of the task it is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub task: String,
    /// The directory, relative to the project, where agents leave what is too long to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub directory: String,
}

/// What a check that failed leaves for whoever fixes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckReport {
    /// The step of the check.
    pub step: StepId,
    /// What happened, in one sentence.
    pub said: String,
    /// The file with the output, relative to the project; none if there is no output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// How the output ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_lines: Vec<String>,
}

/// What a run is begun for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Purpose<'p> {
    /// The title of the task it is for.
    pub task: &'p str,
    /// The directory, relative to the project, where agents leave what is too long to say.
    pub directory: &'p str,
}

/// Where a run stands: always in exactly one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Somebody works on a step.
    Working { step: StepId },
    /// Something in the project has to be looked at.
    Checking { step: StepId },
    /// The person has to answer.
    Asking {
        step: StepId,
        why: Why,
        /// What.
        questions: Vec<Question>,
    },
    /// It is over.
    Ended { how: Ending },
}

/// Why the person has to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The step is a question.
    Step,
    /// The step is a question that no agent may answer.
    Approval,
    /// An agent cannot go on without it.
    Agent,
    /// A gate was tried as often as it may be.
    GateLimit,
    /// A step was entered as often as it may be.
    StepLimit,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All was done.
    Completed,
    /// Somebody gave it up.
    Aborted {
        /// Why.
        reason: String,
    },
}

/// What is known of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepState {
    /// How often it was entered.
    pub visits: u32,
    /// What it came to last.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// What the person answered to it.
    #[serde(default)]
    pub answer: Option<String>,
    /// How many more rounds the person granted.
    #[serde(default)]
    pub granted: u32,
}

/// What is known of a gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateState {
    /// The round, counted from one.
    pub iteration: u32,
    /// Whether the work is entered to be fixed.
    pub failed: bool,
    /// What the last review found.
    #[serde(default)]
    pub status: Option<Verdict>,
    /// How many more rounds the person granted.
    #[serde(default)]
    pub granted: u32,
    /// Whether only MUST findings count, because the person said so.
    #[serde(default)]
    pub must_only: bool,
    /// How often the person went on although the work did not pass.
    #[serde(default)]
    pub skips: u32,
    /// What the last review found and still counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// The file in which it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

/// What a review handed in beside its verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reviewed {
    /// The findings that count.
    pub findings: Vec<String>,
    /// The file of the report, relative to the project.
    pub report: Option<String>,
}

/// What a review found, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The work is good.
    Pass,
    /// It is not.
    Fail,
    /// It is not, and the person goes on all the same.
    Skipped,
}

/// What happens to a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Whoever worked on the step says what it came to.
    Reported {
        /// What; nothing where there is only one answer.
        outcome: Option<Outcome>,
        /// Parameters that changed, as they were written.
        params: Vec<(String, String)>,
        /// What a review found; nothing at other steps.
        review: Option<Reviewed>,
    },
    /// The person moved the run to a corrected definition.
    Repaired {
        /// Parameters that the corrected definition needs, as they were written.
        params: Vec<(String, String)>,
    },
    /// Whoever works on the step cannot go on without the person.
    Questioned { questions: Vec<Question> },
    /// The person answered.
    Answered {
        /// Answers by the names of the questions; a name may be left out where there is one.
        answers: Vec<(Option<String>, String)>,
        /// Whether an agent passed them on.
        relayed: bool,
    },
    /// What was to be looked at was looked at.
    Checked {
        /// Whether it is as it should be, or why that cannot be told.
        found: Result<bool, String>,
    },
    /// Somebody gives the run up.
    Aborted {
        /// Why.
        reason: String,
    },
}

/// What comes of an event, for the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Effect {
    /// A step was left for another.
    Moved {
        /// The step that was left.
        from: StepId,
        /// By what: the word of an outcome, `error`, `limit`, or what a gate said.
        by: String,
        /// Where to.
        to: Target,
        /// How often the step had been entered.
        visit: u32,
        /// The round of a gate, counted from one after each pass.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
    },
    /// The person is asked.
    Asked {
        /// At which step.
        step: StepId,
        /// What.
        questions: Vec<Question>,
    },
    /// The person answered.
    Answered {
        /// At which step.
        step: StepId,
        /// What.
        answers: Vec<Answered>,
    },
    /// A parameter changed.
    Changed {
        /// Its name.
        param: String,
        /// What it is now.
        value: Value,
    },
    /// The person goes on with work that did not pass.
    RiskTaken {
        /// The gate's step.
        gate: StepId,
        /// What the review is called.
        name: String,
        /// After how many rounds.
        iteration: u32,
    },
    /// The run goes by a corrected definition from here on.
    Repaired {
        /// At which step.
        step: StepId,
    },
    /// The run is over.
    Ended { how: Ending },
}

impl Run {
    /// Returns the step at hand, unless the run is over.
    pub const fn step(&self) -> Option<&StepId> {
        match &self.standing {
            Standing::Working { step }
            | Standing::Checking { step }
            | Standing::Asking { step, .. } => Some(step),
            Standing::Ended { .. } => None,
        }
    }

    /// Keeps what a failed check found, until the step that follows is left.
    pub fn keep_report(&mut self, report: CheckReport) {
        if self.step().is_some() {
            self.failed = Some(report);
        }
    }

    /// Returns what is known of a step.
    pub fn state(&self, step: &StepId) -> StepState {
        self.steps.get(step).cloned().unwrap_or_default()
    }

    /// Returns what is known of a gate.
    pub fn gate(&self, gate: &StepId) -> GateState {
        self.gates.get(gate).cloned().unwrap_or_default()
    }
}

impl GateState {
    /// Returns which findings count in a round of a gate.
    pub fn counted(&self, gate: &Gate, round: u32) -> Vec<Severity> {
        if self.must_only { vec![Severity::Must] } else { gate.counted(round).to_vec() }
    }
}

impl Default for GateState {
    fn default() -> Self {
        Self {
            iteration: 1,
            failed: false,
            status: None,
            granted: 0,
            must_only: false,
            skips: 0,
            findings: Vec::new(),
            report: None,
        }
    }
}

impl Verdict {
    /// Returns the word that is shown.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Skipped => "skipped",
        }
    }
}
