//! What `pacenote task` is told.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use pacenote_model::TaskState;

use crate::arguments::{JsonFlag, WriteFlags};

#[derive(Debug, Args)]
pub(crate) struct TaskArguments {
    #[command(subcommand)]
    pub(super) verb: TaskCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum TaskCommand {
    /// Add a task
    Add(AddArguments),
    /// List the tasks of this project
    List(ListArguments),
    /// Show one task with its notes and steps
    Show(ShowArguments),
    /// List the tasks that can be begun now
    Ready(ReadyArguments),
    /// Take a task; fails when somebody else holds it
    Claim(ClaimArguments),
    /// Add a note to a task
    Note(NoteArguments),
    /// Say that a task cannot go on
    Block(BlockArguments),
    /// Finish a task
    Close(CloseArguments),
    /// Give a task up
    Fail(ReasonArguments),
    /// Decide against a task
    Skip(ReasonArguments),
    /// Make a task open again, for anyone
    Reopen(ReopenArguments),
    /// Delete a task and its steps
    Delete(DeleteArguments),
    /// Undo your last change to tasks
    Undo(UndoArguments),
    /// Make tasks from a plan, or bring them up to date with it
    Import(ImportArguments),
}

#[derive(Debug, Args)]
pub(super) struct AddArguments {
    /// One line that says what is to be done
    pub(super) title: String,
    /// Make it a step of this task
    #[arg(long, value_name = "ID")]
    pub(super) parent: Option<String>,
    /// Begin only after this task is finished (may be repeated)
    #[arg(long, value_name = "ID")]
    pub(super) after: Vec<String>,
    /// Skills for it and its steps, with commas or repeated; `none` for no skill
    #[arg(long, value_name = "SKILLS")]
    pub(super) skill: Vec<String>,
    /// The plan that describes it
    #[arg(long, value_name = "FILE")]
    pub(super) plan: Option<PathBuf>,
    /// Where in the plan, such as `Task 2`
    #[arg(long, value_name = "HEADING", requires = "plan")]
    pub(super) section: Option<String>,
    /// Who is to do it
    #[arg(long, value_name = "AGENT")]
    pub(super) assign: Option<String>,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// Print the tree with the current position
    #[arg(long, conflicts_with_all = ["state", "assignee"])]
    pub(super) full: bool,
    /// Only tasks in these states
    #[arg(long, value_enum, value_delimiter = ',', value_name = "STATE")]
    pub(super) state: Vec<StateArgument>,
    /// Only tasks of this agent
    #[arg(long, value_name = "AGENT")]
    pub(super) assignee: Option<String>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

/// A task's state, as an argument.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(super) enum StateArgument {
    Open,
    InProgress,
    Blocked,
    Done,
    Skipped,
    Failed,
}

impl From<StateArgument> for TaskState {
    fn from(argument: StateArgument) -> Self {
        match argument {
            StateArgument::Open => Self::Open,
            StateArgument::InProgress => Self::InProgress,
            StateArgument::Blocked => Self::Blocked,
            StateArgument::Done => Self::Done,
            StateArgument::Skipped => Self::Skipped,
            StateArgument::Failed => Self::Failed,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    /// The task: `t-3fa92`, `#12`, `Task 2` or its title
    pub(super) id: String,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct ReadyArguments {
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct ClaimArguments {
    /// The task: `t-3fa92`, `#12`, `Task 2` or its title
    pub(super) id: String,
    /// Who takes it; without this, the caller
    #[arg(long, value_name = "AGENT")]
    pub(super) agent: Option<String>,
    /// Take it from the agent that holds it
    #[arg(long)]
    pub(super) take_over: bool,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct NoteArguments {
    /// The task: `t-3fa92`, `#12`, `Task 2` or its title
    pub(super) id: String,
    /// What to note; `-` reads standard input
    pub(super) text: String,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct BlockArguments {
    /// The task: `t-3fa92`, `#12`, `Task 2` or its title
    pub(super) id: String,
    /// Why it cannot go on
    #[arg(required_unless_present = "by")]
    pub(super) reason: Option<String>,
    /// Let it wait on this task
    #[arg(long, value_name = "ID")]
    pub(super) by: Option<String>,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct CloseArguments {
    /// The task: `t-3fa92`, `#12`, `Task 2` or its title
    pub(super) id: String,
    /// Close its unfinished steps too
    #[arg(long)]
    pub(super) steps: bool,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct ReasonArguments {
    /// The task: `t-3fa92`, `#12`, `Task 2` or its title
    pub(super) id: String,
    /// Why
    pub(super) reason: Option<String>,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct ReopenArguments {
    /// The task: `t-3fa92`, `#12`, `Task 2` or its title
    pub(super) id: String,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct DeleteArguments {
    /// The task: `t-3fa92`, `#12`, `Task 2` or its title
    pub(super) id: String,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct UndoArguments {
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct ImportArguments {
    /// A Markdown file with headings such as `### Task 1: Add the login form`
    pub(super) plan: PathBuf,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}
