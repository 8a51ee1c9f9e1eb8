//! What `pacenote mail` is told.

use clap::{Args, Subcommand, ValueEnum};
use pacenote_model::Importance;

use crate::arguments::{JsonFlag, WriteFlags};

#[derive(Debug, Args)]
pub(crate) struct MailArguments {
    #[command(subcommand)]
    pub(super) verb: MailCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum MailCommand {
    /// Send a message; the sender is whoever calls
    Send(SendArguments),
    /// List messages without their bodies, newest first
    Inbox(InboxArguments),
    /// Open a message
    Read(OpenArguments),
    /// Acknowledge a message
    Ack(OpenArguments),
    /// Reserve paths, so that others do not edit them
    Reserve(ReserveArguments),
    /// Give reserved paths back
    Release(ReleaseArguments),
    /// List the paths that are reserved
    Reservations(ReservationsArguments),
}

#[derive(Debug, Args)]
pub(super) struct SendArguments {
    /// The message; `-` reads standard input. Agents it mentions get it too
    pub(super) body: String,
    /// Whom it is for: `agent`, `branch:agent` or `project:branch:agent`
    #[arg(long, value_name = "AGENT", value_delimiter = ',', required = true)]
    pub(super) to: Vec<String>,
    /// One line that says what it is about
    #[arg(long, value_name = "TEXT")]
    pub(super) subject: String,
    /// How much it presses
    #[arg(long, value_enum, default_value = "normal")]
    pub(super) importance: ImportanceArgument,
    /// Ask for an acknowledgement
    #[arg(long)]
    pub(super) ack: bool,
    /// The message this answers; it joins that thread
    #[arg(long, value_name = "MESSAGE")]
    pub(super) reply_to: Option<String>,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

/// How much a message presses, as an argument.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ImportanceArgument {
    Low,
    Normal,
    High,
    Urgent,
}

impl From<ImportanceArgument> for Importance {
    fn from(argument: ImportanceArgument) -> Self {
        match argument {
            ImportanceArgument::Low => Self::Low,
            ImportanceArgument::Normal => Self::Normal,
            ImportanceArgument::High => Self::High,
            ImportanceArgument::Urgent => Self::Urgent,
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct InboxArguments {
    /// Whose inbox; without this, the caller's
    #[arg(long, value_name = "AGENT")]
    pub(super) agent: Option<String>,
    /// The branch that agent works on; without this, the one checked out here
    #[arg(long, value_name = "BRANCH")]
    pub(super) branch: Option<String>,
    /// Only messages that were not opened
    #[arg(long)]
    pub(super) unread: bool,
    /// Look without counting the messages as delivered
    #[arg(long)]
    pub(super) peek: bool,
    /// At most so many; without this, the setting `mail.inbox_limit`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(super) limit: Option<u32>,
    #[command(flatten)]
    pub(super) json: JsonFlag,
}

#[derive(Debug, Args)]
pub(super) struct OpenArguments {
    /// The message: `#7`, `project#7` or a UUID
    pub(super) message: String,
    /// Who opens it; without this, the caller
    #[arg(long, value_name = "AGENT")]
    pub(super) agent: Option<String>,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct ReserveArguments {
    /// Paths below the project's root, with `*`, `?` and `**`
    #[arg(required = true, value_name = "PATTERN")]
    pub(super) patterns: Vec<String>,
    /// Who holds them; without this, the caller
    #[arg(long, value_name = "AGENT")]
    pub(super) agent: Option<String>,
    /// For how long; without this, the setting `mail.reservation_minutes`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_080))]
    pub(super) minutes: Option<u32>,
    /// Let others hold overlapping patterns, if they share too
    #[arg(long)]
    pub(super) shared: bool,
    /// What for
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: Option<String>,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct ReleaseArguments {
    /// The patterns or ids to give back
    #[arg(value_name = "PATTERN", required_unless_present = "all", conflicts_with = "all")]
    pub(super) patterns: Vec<String>,
    /// Give everything back
    #[arg(long)]
    pub(super) all: bool,
    /// Who holds them; without this, the caller
    #[arg(long, value_name = "AGENT")]
    pub(super) agent: Option<String>,
    #[command(flatten)]
    pub(super) write: WriteFlags,
}

#[derive(Debug, Args)]
pub(super) struct ReservationsArguments {
    #[command(flatten)]
    pub(super) json: JsonFlag,
}
