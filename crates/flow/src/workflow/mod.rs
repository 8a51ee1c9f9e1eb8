//! Workflows: processes in steps that nobody can lose their place in.
//!
//! A definition is data that was checked before anybody follows it; a run is a value that events
//! move; what a step says is a view of both.

mod answer;
pub mod built_in;
mod definition;
mod expression;
mod format;
pub mod graph;
mod machine;
mod param;
mod paths;
mod preview;
mod read;
mod refusal;
pub mod render;
mod report;
mod result;
mod run;
mod schema;
pub(crate) mod shell;
mod show;
mod sound;
mod typing;
mod view;
mod words;

pub use answer::check_answer;
pub use definition::{
    Action, Agent, AnswerOption, Ask, Block, Case, Check, Choice, Criterion, Dispatch, Expected,
    GATE_ROUNDS, Gate, Grade, Handler, Library, Limit, Mode, Param, ParamKind, Phase, Step, StepId,
    Target, Tools, Workflow,
};
pub use format::STEPS;
pub use machine::{ANSWER_CHARACTERS, OPTIONS, QUESTION_CHARACTERS, QUESTIONS, begin, step};
pub use param::PARAM_BYTES;
pub use paths::{editable, fits_path, is_above, open_files};
pub use preview::{Preview, previews};
pub use read::{Callees, Shelf, Signature, TEXT_BYTES, read};
pub use refusal::Refusal;
pub use report::{Finding, Judgement, ReportError, ReviewReport};
pub use result::questions;
pub use run::{
    CheckReport, Effect, Ending, Event, GateState, Purpose, Reviewed, Run, Standing, StepState,
    Verdict, Why,
};
pub use schema::schema;
pub use show::{Spoken, show};
pub use view::{
    After, Answered, BannerMode, Conclusion, DispatchView, GateResult, Header, Invoke,
    ParallelView, Piece, Question, Report, View,
};
pub use words::{Confidence, Outcome, Role, Severity};
