//! What `pacenote skill` is told.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::arguments::JsonFlag;

#[derive(Debug, Args)]
pub(crate) struct SkillArguments {
    #[command(subcommand)]
    pub(super) verb: SkillCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum SkillCommand {
    /// List the skills that can be used here
    List(ListArguments),
    /// Show a skill: what it is, then its text, then what lies beside it
    Show(ShowArguments),
    /// List where skills are looked for, the strongest first
    Roots(RootsArguments),
    /// Tell which file a name means here, and why
    Resolve(ResolveArguments),
    /// Find the skills for a request, the best first; none when nothing fits
    Search(SearchArguments),
    /// Tell which skill a task is done with, and what decided
    ForTask(ForTaskArguments),
    /// List the skills that were chosen in a session or for a task
    History(HistoryArguments),
    /// Print a skill as data: what it looks for, what it leaves alone, how it works
    Parse(ParseArguments),
    /// Look through all files of skills for what known attacks are made of
    Scan(ScanArguments),
    /// Show which skill names which, with cycles and missing ones
    Chain(ChainArguments),
    /// Check skills against the specification and against what hosts cut off
    Lint(LintArguments),
    /// Pin skills at their present content in `.pacenote/skills.lock`
    Lock(LockArguments),
    /// Compare the pinned skills with what is there
    Verify(VerifyArguments),
    /// Show what changed in a skill since it was pinned
    Diff(DiffArguments),
    /// Approve a changed skill, or take a project's own skills into use (a person only)
    Approve(ApproveArguments),
    /// Write the beginning of a new skill
    New(NewArguments),
    /// Copy a built-in skill out for editing
    Eject(EjectArguments),
}

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// Only skills that this host sees
    #[arg(long, value_name = "HOST")]
    pub(super) host: Option<String>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    /// The skill: `name`, `plugin:name`, `plugin:name@version`, `name/agent` or a path
    pub(super) reference: String,
    /// Only the section under this heading
    #[arg(long, value_name = "HEADING", conflicts_with_all = ["refs", "file"])]
    pub(super) section: Option<String>,
    /// List the files of `references/` and `examples/`
    #[arg(long, conflicts_with = "file")]
    pub(super) refs: bool,
    /// Print one of those files
    #[arg(long, value_name = "PATH")]
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct RootsArguments {
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct ResolveArguments {
    /// Skills, separated by commas
    pub(super) references: String,
    /// As this host sees them
    #[arg(long, value_name = "HOST")]
    pub(super) host: Option<String>,
    /// Look only at the roots and at the files of these names, and trust the index for the rest
    #[arg(long)]
    pub(super) indexed: bool,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct SearchArguments {
    /// What is wanted, in any words
    #[arg(required = true)]
    pub(super) request: Vec<String>,
    /// At most so many
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u16).range(1..=100))]
    pub(super) limit: u16,
    /// As this host sees them
    #[arg(long, value_name = "HOST")]
    pub(super) host: Option<String>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct ForTaskArguments {
    /// The task: `#12`, `t-1a2b3`, `Task 2` or its title
    pub(super) task: String,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct HistoryArguments {
    /// The session: `#3` or a UUID
    #[arg(long, value_name = "SESSION", required_unless_present = "task")]
    pub(super) session: Option<String>,
    /// The task
    #[arg(long, value_name = "TASK", conflicts_with = "session")]
    pub(super) task: Option<String>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

/// How structured data is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FormatArgument {
    Yaml,
    Json,
}

#[derive(Debug, Args)]
pub(super) struct ParseArguments {
    /// Skills, separated by commas
    pub(super) references: String,
    /// How to print it
    #[arg(long, value_enum, default_value = "yaml")]
    pub(super) format: FormatArgument,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

/// From which severity on a scan fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOnArgument {
    High,
    Medium,
    Low,
    Never,
}

#[derive(Debug, Args)]
pub(super) struct ScanArguments {
    /// Skills, or directories of skills; without any, all skills that were found here
    pub(super) references: Vec<String>,
    /// Exit with 1 when something of this severity or above was found
    #[arg(long, value_enum, value_name = "SEVERITY", default_value = "high")]
    pub(super) fail_on: FailOnArgument,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

/// How a graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum GraphArgument {
    Dot,
    Mermaid,
}

#[derive(Debug, Args)]
pub(super) struct ChainArguments {
    /// Only what can be reached from these skills
    #[arg(long, value_name = "SKILL,…")]
    pub(super) from: Option<String>,
    /// Print it in a language that draws graphs
    #[arg(long, value_enum, conflicts_with = "json")]
    pub(super) graph: Option<GraphArgument>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct LintArguments {
    /// Skills or paths of SKILL.md files; without any, all skills of this project
    pub(super) references: Vec<String>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct LockArguments {
    /// Skills, separated by commas
    #[arg(required = true)]
    pub(super) references: Vec<String>,
    /// Say yes to pinning a changed content (a person only)
    #[arg(long)]
    pub(super) yes: bool,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct VerifyArguments {
    /// Approvals do not count: the content must be the pinned one
    #[arg(long)]
    pub(super) frozen: bool,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct DiffArguments {
    /// The skill; without one, all that changed
    pub(super) reference: Option<String>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct ApproveArguments {
    /// The changed skill
    #[arg(required_unless_present = "project")]
    pub(super) reference: Option<String>,
    /// Use the skills of this project as they are now
    #[arg(long, conflicts_with = "reference")]
    pub(super) project: bool,
    /// Use also those that are added or changed later
    #[arg(long, requires = "project")]
    pub(super) later: bool,
    /// Say yes without being asked
    #[arg(long)]
    pub(super) yes: bool,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

/// Where a skill is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PlaceArgument {
    /// The repository
    Project,
    /// Your home
    User,
}

#[derive(Debug, Args)]
pub(super) struct NewArguments {
    /// Its name: lowercase letters, digits and `-`
    pub(super) name: String,
    /// One sentence that says when to use it
    #[arg(long, value_name = "TEXT")]
    pub(super) description: Option<String>,
    /// Where to write it
    #[arg(long = "in", value_enum, default_value = "project")]
    pub(super) place: PlaceArgument,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct EjectArguments {
    /// The built-in skill
    pub(super) name: String,
    /// Where to write it
    #[arg(long = "in", value_enum, default_value = "project")]
    pub(super) place: PlaceArgument,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}
