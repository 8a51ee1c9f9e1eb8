//! A workflow that was read and found sound.
//!
//! Every target exists, every step can be reached and left, every loop ends: who holds a
//! [`Workflow`] need not ask. Texts may have gaps for parameters; they are filled in when a step is
//! shown.

use std::{collections::BTreeMap, fmt};

use pacenote_model::Value;
use serde::{Deserialize, Serialize};

use super::words::{Outcome, Role, Severity};

/// A process in steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workflow {
    /// What people call it.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Which edition of it this is.
    pub version: String,
    /// What can be chosen at its start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Param>,
    /// Its parts, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
    /// The step it begins with.
    pub entry: StepId,
    /// The steps, in the order of the file; the first is number one.
    pub steps: Vec<Step>,
    /// The conventions and resources its steps name.
    #[serde(default)]
    pub library: Library,
}

/// The name of a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StepId(pub String);

/// Something that is chosen at the start, and perhaps again on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Its name, by which texts and conditions use it.
    pub name: String,
    /// What it decides.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What it may be.
    pub kind: ParamKind,
    /// What it is when nobody says; without one it has to be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Whether it may be changed on the way.
    #[serde(default)]
    pub mutable: bool,
}

/// What a parameter may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ParamKind {
    Text,
    /// A file or directory, relative to the project, that has to be there.
    Path,
    /// Yes or no.
    Flag,
    /// A whole number.
    Number {
        /// The least it may be.
        least: i64,
        /// The most it may be.
        most: i64,
    },
    /// One of a few words.
    Choice {
        /// The words.
        choices: Vec<String>,
    },
    /// How sure one is.
    Confidence,
}

/// A part of a workflow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phase {
    /// Its name in the file.
    pub id: String,
    /// What people call it.
    pub title: String,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its name.
    pub id: StepId,
    /// What people call it.
    pub title: String,
    /// The part it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// What is to be done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// Who or what decides what it comes to.
    #[serde(default, skip_serializing_if = "Handler::is_work")]
    pub handler: Handler,
    /// Where it leads, by what it came to. A gate has none: it knows its own ways.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub next: BTreeMap<Outcome, Target>,
    /// Where every other outcome leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Target>,
    /// Where it leads when what decides it breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_error: Option<Target>,
    /// How often it may be entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The parameters that whoever leaves it has to say, by their names; all of them can change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub report: Vec<String>,
    /// Which tools may be used while it is current.
    #[serde(default, skip_serializing_if = "Tools::is_free")]
    pub tools: Tools,
    /// The line of the file it begins on.
    #[serde(default)]
    pub line: usize,
}

/// Where a step leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// To another step, or to itself.
    Step(StepId),
    /// Nowhere: all is done.
    End,
}

/// How often a step may be entered, and what then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// How often.
    pub rounds: u32,
    /// Where an entry beyond that leads instead; without it the person is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then: Option<Target>,
}

/// Which tools may be used, by their names with `*`, or by classes such as `edit`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tools {
    /// Only these, if any are named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// Not these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub block: Vec<String>,
    /// Of the files below the project, only those that fit one of these may be changed, if any are
    /// named. Texts with gaps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edit: Vec<String>,
}

/// Something to be done, perhaps only sometimes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// The condition under which it is shown, as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// What is shown.
    pub block: Block,
}

/// A piece of what a step says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A plain instruction.
    Say(String),
    /// A reference text, by its name.
    Resource {
        name: String,
        /// What it is needed for.
        purpose: String,
    },
    /// A convention, by its name.
    Convention {
        name: String,
        /// What it is needed for.
        purpose: String,
    },
    /// What must not be done.
    Forbid(Vec<String>),
    /// What has to be there at the end.
    Expect(Expected),
    /// Questions that find what is wrong.
    Questions {
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
    Avoid {
        /// The mistake.
        example: String,
        /// What it costs.
        consequence: String,
    },
    /// What whoever leads the work must keep to.
    Constraint(String),
    /// Questions to be answered one by one, each without a look at the answers to others.
    Factored(Vec<String>),
    /// What verification rests on.
    Principle(String),
    /// What is to be taken to the letter.
    Pedantic(Vec<String>),
    /// What to do with which result.
    Routing(Vec<Case>),
    /// What to do depending on something only the reader can tell.
    Conditional {
        /// The condition, in words.
        condition: String,
        /// What to do if it holds.
        if_true: String,
        /// What to do if it does not.
        if_false: String,
    },
}

/// What has to be there at the end of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expected {
    /// When all is well.
    pub if_pass: String,
    /// When something was found.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub when_issues: String,
    /// Under which headings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
}

/// One thing to check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// What is looked at.
    pub element: String,
    /// What has to hold.
    pub criterion: String,
    /// What it is called when it does not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub if_missing: String,
}

/// What to do with a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    pub result: String,
    /// What to do.
    pub then: String,
}

/// Who or what decides what a step comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Handler {
    /// Whoever does it.
    #[default]
    Work,
    /// An agent with a role, or several at once.
    Dispatch(Dispatch),
    /// The person.
    Ask(Ask),
    /// What can be seen in the project.
    Check(Check),
    /// What is known of the run.
    Choose(Vec<Choice>),
    /// What a reviewer found.
    Gate(Gate),
}

/// Work that is handed to other agents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispatch {
    /// Their part.
    pub role: Role,
    /// What they are told.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// Which kind of model suits the work, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How the work is done.
    #[serde(default)]
    pub mode: Mode,
    /// What they have to know, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub context: BTreeMap<String, String>,
    /// The JSON Schema of their answer, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What they hand back, where that is not what their role hands back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<String>,
    /// What is to be done when they have ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub afterwards: Option<String>,
    /// The agents of a set that works at the same time; none for one agent alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<Agent>,
    /// Which tools they may use.
    #[serde(default, skip_serializing_if = "Tools::is_free")]
    pub tools: Tools,
}

/// How handed work is done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// As the agent sees fit.
    #[default]
    FreeForm,
    /// By the steps of another workflow.
    Script {
        /// Its name.
        workflow: String,
        /// What its parameters are, by name; texts with gaps.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        params: BTreeMap<String, String>,
    },
}

/// One agent of a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// Its name within the set.
    pub id: String,
    /// What it is told beside what all are told.
    pub prompt: String,
}

/// A question to the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    pub question: String,
    /// What can be answered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<AnswerOption>,
    /// Whether an answer in other words is taken too; it comes to [`Outcome::Ok`].
    pub free_text: bool,
    /// Whether only the person may answer, at a terminal, and no agent in their name.
    pub approval: bool,
}

/// One answer that can be given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerOption {
    /// The answer.
    pub label: String,
    /// What the step comes to with it.
    pub outcome: Outcome,
}

/// Something that can be seen in the project: there, and as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// A file that fits a pattern is there.
    Artifact {
        /// The pattern, relative to the project.
        glob: String,
    },
    /// A file that fits a pattern has a word in it.
    Keyword {
        /// The pattern, relative to the project.
        glob: String,
        /// The word.
        keyword: String,
    },
    /// A program ends well.
    Command {
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// The tests of the project pass.
    Tests,
}

/// An outcome under a condition; the first that holds decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The condition, as it was written; none for what is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    pub outcome: Outcome,
}

/// Sends work back until a reviewer passes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// What the review is called.
    pub name: String,
    /// The step whose work is reviewed.
    pub work: StepId,
    /// Where work that passed leads.
    pub pass: Target,
    /// What is said then.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pass_message: String,
    /// Whether whoever leads the work mends it, rather than handing it out.
    pub self_fix: bool,
    /// Who mends it otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix_target: Option<Role>,
    /// After how many rounds the person is asked.
    pub limit: u32,
    /// From which round on which findings still count, by rising rounds.
    pub severities: Vec<Grade>,
}

/// Which findings count from a round on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// The round.
    pub from: u32,
    pub count: Vec<Severity>,
}

/// The convention that every reviewer is given: how findings are graded and written.
pub(super) const SEVERITY: &str = "severity";

/// Texts by name that steps can show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Library {
    /// Rules of the house.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub conventions: BTreeMap<String, String>,
    /// Forms and other references.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub resources: BTreeMap<String, String>,
}

/// After how many rounds of a gate the person is asked, unless it says otherwise.
pub const GATE_ROUNDS: u32 = 5;

impl Workflow {
    /// Returns a step by its name.
    pub fn step(&self, id: &StepId) -> Option<&Step> {
        self.steps.iter().find(|step| step.id == *id)
    }

    /// Returns the number of a step, counted from one.
    pub fn number(&self, id: &StepId) -> Option<usize> {
        self.steps.iter().position(|step| step.id == *id).map(|place| place + 1)
    }

    /// Returns a parameter by its name.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// Returns the gates, each with its own step.
    pub fn gates(&self) -> impl Iterator<Item = (&Step, &Gate)> {
        self.steps.iter().filter_map(|step| match &step.handler {
            Handler::Gate(gate) => Some((step, gate)),
            Handler::Work
            | Handler::Dispatch(_)
            | Handler::Ask(_)
            | Handler::Check(_)
            | Handler::Choose(_) => None,
        })
    }

    /// Returns the gate that judges the work of a step, with the gate's own step.
    pub fn gate_of(&self, work: &StepId) -> Option<(&Step, &Gate)> {
        self.gates().find(|(_, gate)| gate.work == *work)
    }

    /// Returns the gate that a review leads to, with the gate's own step.
    pub fn gate_after(&self, review: &StepId) -> Option<(&Step, &Gate)> {
        let targets: Vec<&Target> = self.step(review)?.targets().collect();
        self.gates().find(|(step, _)| targets.contains(&&Target::Step(step.id.clone())))
    }
}

impl Step {
    /// Returns where an outcome leads.
    pub fn target(&self, outcome: Outcome) -> Option<&Target> {
        self.next.get(&outcome).or(self.default.as_ref())
    }

    /// Returns every place the step can lead to by an outcome or by an error, a gate's ways aside.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        self.next.values().chain(&self.default).chain(&self.on_error)
    }

    /// Returns the outcomes that lead somewhere.
    pub fn outcomes(&self) -> Vec<Outcome> {
        Outcome::ALL.into_iter().filter(|outcome| self.target(*outcome).is_some()).collect()
    }

    /// Tells whether nobody works on it: what it comes to follows from what is known.
    pub const fn is_passed_through(&self) -> bool {
        match self.handler {
            Handler::Choose(_) | Handler::Gate(_) => true,
            Handler::Work | Handler::Dispatch(_) | Handler::Ask(_) | Handler::Check(_) => false,
        }
    }
}

impl Handler {
    /// Tells whether nobody but the worker decides.
    pub const fn is_work(&self) -> bool {
        matches!(self, Self::Work)
    }

    /// Returns the word of its key in definitions.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Dispatch(_) => "dispatch",
            Self::Ask(_) => "ask",
            Self::Check(_) => "check",
            Self::Choose(_) => "choose",
            Self::Gate(_) => "gate",
        }
    }
}

impl Tools {
    /// Tells whether every tool may be used.
    pub const fn is_free(&self) -> bool {
        self.allow.is_empty() && self.block.is_empty() && self.edit.is_empty()
    }
}

impl Gate {
    /// Returns which findings count in a round.
    pub fn counted(&self, round: u32) -> &[Severity] {
        let grades = self.severities.iter().rev();
        let grade = grades.into_iter().find(|grade| grade.from <= round);
        grade.map_or(&Severity::ALL, |grade| &grade.count)
    }

    /// Returns the table a gate goes by that brings none.
    pub fn usual_severities() -> Vec<Grade> {
        vec![
            Grade { from: 1, count: Severity::ALL.to_vec() },
            Grade { from: 4, count: vec![Severity::Must, Severity::Should] },
            Grade { from: 5, count: vec![Severity::Must] },
        ]
    }
}

impl StepId {
    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StepId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(id) => write!(formatter, "{id}"),
            Self::End => formatter.write_str("end"),
        }
    }
}
