//! Workflows at work: which there are, where their runs stand, and what moves them.
//!
//! The core decides where a run goes; here definitions are found, what a check asks for is looked
//! at, and every move is one commit. A run goes by the definition it began with: that is kept in
//! the store, whatever becomes of the file.

mod card;
mod catalogue;
mod checking;
mod history;
mod legacy;
mod looking;
mod moving;
mod starting;

use std::path::PathBuf;

use thiserror::Error;

pub use crate::runs::RUNS;

pub use self::{
    catalogue::{
        Catalogue, Definition, Origin, Shelves, catalogue, check, definition, definition_in,
    },
    history::{decisions, history, result_text},
    legacy::{LegacyStep, run_step},
    looking::{Means, Shown, find, status},
    moving::{AnswerRequest, HandedIn, NextRequest, RESULT, abort, answer, next, repair},
    starting::{StartRequest, start},
};

/// Why a workflow is not begun, or a run not moved. Nothing was changed.
#[derive(Debug, Error)]
pub enum FlowError {
    /// No workflow of that name.
    #[error("no workflow named `{name}`")]
    Unknown {
        name: String,
        /// The nearest one there is.
        nearest: Option<String>,
    },
    /// The definition has mistakes.
    #[error("the workflow `{name}` cannot be used")]
    Unsound {
        name: String,
        /// What is wrong with it.
        problems: Vec<pacenote_flow::Problem>,
    },
    /// The repository's definition is not trusted.
    #[error("the workflow `{name}` comes from `{}`, which is not trusted", path.display())]
    Untrusted {
        name: String,
        /// The file.
        path: PathBuf,
    },
    /// The person took back the trust under which the run began.
    #[error("run `{run}` goes by `{path}`, which is no longer trusted")]
    Distrusted {
        run: String,
        /// The file.
        path: String,
    },
    #[error("no run `{raw}` in this project")]
    NoSuchRun {
        /// What was given.
        raw: String,
    },
    /// A parameter names a file that a step writes, and a directory is there.
    #[error("`{path}`, the parameter `{param}`, is a directory: a step writes a file there")]
    NotAFile { param: String, path: String },
    /// No run is under way.
    #[error("no run is under way in this project")]
    NoRun,
    /// It cannot be told which run is meant.
    #[error("several runs are under way: {runs}")]
    ManyRuns {
        /// Their numbers and workflows.
        runs: String,
    },
    /// The step was left by another command.
    #[error("run `{run}` stands at `--at {revision}`, and not at `--at {at}`")]
    Passed {
        run: String,
        /// What the command said.
        at: u32,
        /// Where the run stands.
        revision: u32,
    },
    /// The run is not moved.
    #[error(transparent)]
    Refused(#[from] pacenote_flow::workflow::Refusal),
    /// What was handed in is too large.
    #[error("the result has more than {most} bytes")]
    ResultTooLarge {
        /// The cap.
        most: u64,
    },
    /// What was handed in is not text.
    #[error("the result is not text in UTF-8")]
    ResultNotText,
    /// A review without a report.
    #[error("step `{step}` is a review, and hands in its report with `--result`")]
    ReportMissing { step: String },
    /// A report without a verdict.
    #[error("the report of step `{step}` decides nothing: {error}")]
    ReportUndecided {
        step: String,
        /// Why.
        error: pacenote_flow::workflow::ReportError,
    },
    /// What was said and what the report says differ.
    #[error("`--outcome {said}` contradicts the report, which says `{report}`")]
    Contradicted {
        /// What was said.
        said: &'static str,
        /// What the report says.
        report: &'static str,
    },
    /// An answer whose form is fixed, and which is not there.
    #[error("step `{step}` hands in the answer of its agents with `--result`")]
    AnswerMissing { step: String },
    /// An answer that does not have its form.
    #[error("the answer of step `{step}` does not fit its schema: {reason}")]
    AnswerUnfit {
        step: String,
        /// Where, and what would have been right.
        reason: String,
    },
    /// Questions that cannot be read.
    #[error("{reason}")]
    QuestionsUnread {
        /// Why.
        reason: String,
    },
    /// A file that a run is to be begun with is not there.
    #[error("file not found: `{path}`, which the parameter `{param}` names")]
    FileMissing {
        /// The parameter.
        param: String,
        /// The file.
        path: String,
    },
    /// A file that the run rests on is gone.
    #[error("`{path}` is gone, which the parameter `{param}` names")]
    FileGone {
        /// The parameter.
        param: String,
        /// The file.
        path: String,
    },
    /// A step that cannot be shown.
    #[error("step `{step}` cannot be shown: {reason}")]
    Unshown {
        run: String,
        step: String,
        /// Why.
        reason: String,
    },
    /// A run that the store no longer holds together.
    #[error("run `{run}` cannot be read: {reason}")]
    Unreadable {
        run: String,
        /// Why.
        reason: String,
    },
    /// A definition of another workflow cannot take the place of one.
    #[error("run `{run}` is one of `{workflow}`, and the definition is of `{name}`")]
    OtherWorkflow {
        run: String,
        workflow: String,
        /// The name in the definition.
        name: String,
    },
    /// What binds the agent may not be ended by it.
    #[error("only the person can end a run that keeps tools closed or waits for their word")]
    PersonOnly,
    /// An old flag says something else than the store.
    #[error("{said}")]
    Legacy {
        /// What.
        said: String,
        /// What would be right.
        hint: String,
    },
}
