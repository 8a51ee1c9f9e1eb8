//! The arguments of `pacenote flow`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::arguments::JsonFlag;

#[derive(Debug, Args)]
pub(crate) struct FlowArguments {
    #[command(subcommand)]
    pub(super) verb: FlowCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum FlowCommand {
    /// Begin a run of a workflow and print its first step
    Start(StartArguments),
    /// Say what the step at hand came to, and print the next one
    Next(NextArguments),
    /// Print the step at hand again
    Status(StatusArguments),
    /// Answer what a run waits for
    Answer(AnswerArguments),
    /// Give a run up
    Abort(AbortArguments),
    /// Move a run to a corrected definition, at the same step
    Repair(RepairArguments),
    /// List the runs that are under way
    Runs(RunsArguments),
    /// Show what happened to a run, with times and rounds
    History(HistoryArguments),
    /// Show the decisions taken on the way, and the risks
    Decisions(DecisionsArguments),
    /// List the workflows there are
    List(JsonArguments),
    /// Show one workflow
    Show(ShowArguments),
    /// Find everything that is wrong with definitions
    Check(CheckArguments),
    /// Draw a workflow
    Graph(GraphArguments),
    /// Print the JSON Schema of a definition
    Schema,
    /// Go to a step by its number, as older scripts do; the same as `next`
    RunStep(RunStepArguments),
}

#[derive(Debug, Args)]
pub(super) struct JsonArguments {
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

/// How a step is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StepFormat {
    /// Tags
    Xml,
    /// Plain text
    Text,
}

#[derive(Clone, Copy, Debug, Args)]
pub(super) struct PrintFlags {
    /// How the step is printed
    #[arg(long, value_enum)]
    pub(super) format: Option<StepFormat>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct StartArguments {
    /// The workflow
    pub(super) name: String,
    /// Parameters of it, as with `--param`
    #[arg(value_name = "NAME=VALUE")]
    pub(super) more: Vec<String>,
    /// A parameter of it
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(super) params: Vec<String>,
    /// The task it is for
    #[arg(long, value_name = "TASK")]
    pub(super) task: Option<String>,
    #[command(flatten)]
    pub(super) print: PrintFlags,
}

#[derive(Debug, Args)]
pub(super) struct NextArguments {
    /// The run; the one under way without it
    pub(super) run: Option<String>,
    /// Where the run stands, as the step said: a command that is repeated is done once
    #[arg(long, value_name = "N")]
    pub(super) at: Option<u32>,
    /// What the step came to: ok, fail, skip or iterate
    #[arg(long, value_name = "OUTCOME")]
    pub(super) outcome: Option<String>,
    /// A file with what is handed in, `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(super) result: Option<PathBuf>,
    /// A parameter that changed
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(super) params: Vec<String>,
    #[command(flatten)]
    pub(super) print: PrintFlags,
}

#[derive(Debug, Args)]
pub(super) struct StatusArguments {
    /// The run; the one under way without it
    pub(super) run: Option<String>,
    #[command(flatten)]
    pub(super) print: PrintFlags,
}

#[derive(Debug, Args)]
pub(super) struct AnswerArguments {
    /// The run, then the answers: a word, the number of an option, or `q1=…` for each question
    #[arg(required = true, value_name = "RUN_OR_ANSWER")]
    pub(super) words: Vec<String>,
    /// Where the run stands, as the step said
    #[arg(long, value_name = "N")]
    pub(super) at: Option<u32>,
    /// Say that the person who runs this means it, where there is no terminal
    #[arg(long)]
    pub(super) yes: bool,
    #[command(flatten)]
    pub(super) print: PrintFlags,
}

#[derive(Debug, Args)]
pub(super) struct AbortArguments {
    /// The run; the one under way without it
    pub(super) run: Option<String>,
    /// Why
    #[arg(long, default_value = "no reason given")]
    pub(super) reason: String,
    /// Confirm as the person who runs this, where there is no terminal
    #[arg(long)]
    pub(super) yes: bool,
    #[command(flatten)]
    pub(super) print: PrintFlags,
}

#[derive(Debug, Args)]
pub(super) struct RepairArguments {
    /// The run
    pub(super) run: String,
    /// The file with the corrected definition
    #[arg(long, value_name = "FILE")]
    pub(super) definition: PathBuf,
    /// A parameter that the corrected definition needs
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(super) params: Vec<String>,
    /// Confirm as the person who runs this, where there is no terminal
    #[arg(long)]
    pub(super) yes: bool,
    #[command(flatten)]
    pub(super) print: PrintFlags,
}

#[derive(Debug, Args)]
pub(super) struct RunsArguments {
    /// Those that are over, too
    #[arg(long)]
    pub(super) all: bool,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct HistoryArguments {
    /// The run; the one under way without it
    pub(super) run: Option<String>,
    /// Print what was handed in, too
    #[arg(long)]
    pub(super) results: bool,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct DecisionsArguments {
    /// Only those of this run
    pub(super) run: Option<String>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    /// The workflow
    pub(super) name: String,
    /// Count what each step costs when it is printed
    #[arg(long)]
    pub(super) tokens: bool,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// Files or names of workflows; every definition there is without any
    #[arg(value_name = "FILE_OR_NAME")]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

/// How a workflow is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum GraphFormat {
    /// For Graphviz
    Dot,
    /// For Mermaid
    Mermaid,
    /// A picture
    Svg,
}

#[derive(Debug, Args)]
pub(super) struct GraphArguments {
    /// The workflow
    pub(super) name: String,
    /// How it is drawn
    #[arg(long, value_enum, default_value = "mermaid")]
    pub(super) format: GraphFormat,
}

#[derive(Debug, Args)]
pub(super) struct RunStepArguments {
    /// The workflow
    pub(super) workflow: String,
    /// The number of the step
    #[arg(long)]
    pub(super) step: usize,
    /// How many there are
    #[arg(long)]
    pub(super) total_steps: usize,
    /// The round of the review
    #[arg(long)]
    pub(super) qr_iteration: Option<u32>,
    /// Whether the step is entered to fix what a review found
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(super) qr_fail: Option<bool>,
    /// What the review found
    #[arg(long, value_enum)]
    pub(super) qr_status: Option<ReviewStatus>,
    /// A file with what is handed in, such as the report of a review; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(super) result: Option<PathBuf>,
    /// A parameter: at step 1 of the workflow, later one that changed
    #[arg(long = "param", value_name = "NAME=VALUE")]
    pub(super) params: Vec<String>,
    #[command(flatten)]
    pub(super) print: PrintFlags,
}

/// What a review found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReviewStatus {
    /// The work is good
    Pass,
    /// It is not
    Fail,
}
