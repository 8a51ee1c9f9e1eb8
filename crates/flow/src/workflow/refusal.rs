//! Why a run is not moved. Whoever is refused is told what would have been right.

use thiserror::Error;

use super::{definition::StepId, words::Outcome};
use crate::problem::listed;

/// Why a run is not moved. It stands where it stood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// There is nothing left to do in it.
    #[error("the run is over")]
    Over,
    /// The step does not come to that.
    #[error("step `{step}` does not have the outcome `{}`", outcome.word())]
    Unmapped {
        step: StepId,
        /// What was said.
        outcome: Outcome,
        /// What it can come to.
        valid: Vec<Outcome>,
    },
    /// The step can come to several things, and nobody said to which.
    #[error("step `{step}` has several outcomes: name one with `--outcome`")]
    OutcomeMissing {
        step: StepId,
        /// What it can come to.
        valid: Vec<Outcome>,
    },
    /// The person has to answer first.
    #[error("the run waits for an answer from the person")]
    Waits { step: StepId },
    /// Nobody was asked anything.
    #[error("the run waits for no answer")]
    NotAsked,
    /// What the step comes to is looked at, and not reported.
    #[error("what step `{step}` comes to is seen in the project, and not reported")]
    Seen { step: StepId },
    /// There is nothing to be looked at.
    #[error("there is nothing to check")]
    NotChecking,
    /// What decides the step broke.
    #[error("step `{step}` cannot be decided: {reason}")]
    Broken {
        step: StepId,
        /// What happened.
        reason: String,
    },
    /// There is no such parameter.
    #[error("there is no parameter `{name}`")]
    ParamUnknown {
        /// What was written.
        name: String,
        /// What was probably meant.
        nearest: Option<String>,
        /// Those there are.
        known: String,
    },
    /// Parameters were not said.
    #[error("{}", missing(params))]
    ParamsMissing {
        /// Their names, each with what it may be.
        params: Vec<(String, String)>,
        /// What has to be run or added, with a word in capitals for each of them.
        command: String,
    },
    /// A parameter was said twice.
    #[error("the parameter `{name}` is given twice")]
    ParamTwice { name: String },
    /// A parameter cannot be that.
    #[error("the parameter `{name}` cannot be `{text}`")]
    ParamWrong {
        name: String,
        /// What was written.
        text: String,
        /// What it may be.
        allowed: String,
    },
    /// A parameter cannot be changed on the way.
    #[error("the parameter `{name}` is fixed once a run has begun")]
    ParamFixed {
        name: String,
        /// Those that can.
        mutable: String,
    },
    /// There is no such question.
    #[error("there is no question `{id}`")]
    QuestionUnknown {
        /// What was written.
        id: String,
        /// Those there are.
        known: String,
    },
    /// A question is left open.
    #[error("the question `{id}` is not answered")]
    QuestionOpen {
        /// Its name.
        id: String,
        /// Those there are.
        known: String,
    },
    /// It is no answer to the question.
    #[error("`{answer}` is not an answer to `{id}`")]
    AnswerWrong {
        /// The question's name.
        id: String,
        /// What was written.
        answer: String,
        /// What can be answered.
        options: String,
    },
    /// An agent may not answer in the person's name.
    #[error("only the person can answer this, in a terminal of their own")]
    PersonOnly,
    /// The corrected definition does not have the step at hand.
    #[error("the corrected definition has no step `{step}`, at which the run is")]
    StepGone {
        step: StepId,
        /// Those it has.
        known: Vec<StepId>,
    },
    /// The step at hand is something else in the corrected definition.
    #[error("step `{step}` is of kind `{kind}` in the corrected definition, and was another kind")]
    StepChanged {
        step: StepId,
        /// What decides it there.
        kind: &'static str,
    },
    /// Questions that cannot be asked like this.
    #[error("the questions cannot be asked: {reason}")]
    QuestionsWrong {
        /// Why.
        reason: String,
    },
}

impl Refusal {
    /// Returns what would have been right.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unmapped { valid, .. } | Self::OutcomeMissing { valid, .. } => {
                let words: Vec<&str> = valid.iter().copied().map(Outcome::word).collect();
                Some(format!("valid are {}", listed(&words)))
            }
            Self::ParamUnknown { nearest: Some(nearest), .. } => {
                Some(format!("did you mean `{nearest}`?"))
            }
            Self::ParamUnknown { known, .. } if known.is_empty() => {
                Some("the workflow has no parameters".to_owned())
            }
            Self::ParamUnknown { known, .. } => Some(format!("there are {known}")),
            Self::ParamsMissing { command, .. } => Some(command.clone()),
            Self::ParamWrong { allowed, .. } => Some(format!("it may be {allowed}")),
            Self::ParamFixed { mutable, .. } if mutable.is_empty() => {
                Some("none of this workflow can be changed".to_owned())
            }
            Self::ParamFixed { mutable, .. } => Some(format!("those that can change: {mutable}")),
            Self::QuestionUnknown { known, .. } | Self::QuestionOpen { known, .. } => {
                Some(format!("the questions are {known}, answered as `name=answer`"))
            }
            Self::AnswerWrong { options, .. } => Some(format!("it can be {options}")),
            Self::Waits { .. } => Some("`pacenote flow answer` answers".to_owned()),
            Self::StepGone { known, .. } => {
                let known: Vec<&str> = known.iter().map(StepId::as_str).collect();
                Some(format!("it has {}; keep the id of the step", listed(&known)))
            }
            Self::StepChanged { .. } => {
                Some("keep who or what decides the step, and change it elsewhere".to_owned())
            }
            Self::PersonOnly => Some(
                "an agent shows the command to the person, who runs it in a terminal of their own"
                    .to_owned(),
            ),
            Self::Over
            | Self::NotAsked
            | Self::Seen { .. }
            | Self::NotChecking
            | Self::Broken { .. }
            | Self::ParamTwice { .. }
            | Self::QuestionsWrong { .. } => None,
        }
    }
}

/// Names all parameters that are missing at once.
fn missing(params: &[(String, String)]) -> String {
    if let [(name, allowed)] = params {
        return format!("the parameter `{name}` is missing: {allowed}");
    }
    let named: Vec<String> =
        params.iter().map(|(name, allowed)| format!("`{name}` ({allowed})")).collect();
    format!("{} parameters are missing: {}", params.len(), named.join(", "))
}
