//! The command line as a type.

use clap::{Args, Parser, Subcommand};

use crate::commands::{
    allow::AllowArguments,
    audit::AuditArguments,
    bench::BenchArguments,
    completions::CompletionsArguments,
    config::ConfigArguments,
    doctor::DoctorArguments,
    flow::FlowArguments,
    hook::HookArguments,
    init::InitArguments,
    lifecycle::LifecycleArguments,
    mail::MailArguments,
    session::SessionArguments,
    skill::SkillArguments,
    status::StatusArguments,
    store::StoreArguments,
    task::TaskArguments,
    told::{BillArguments, BriefArguments, ReplayArguments, WhyArguments},
    tour::TourArguments,
    trust::TrustArguments,
    uninstall::UninstallArguments,
    wake::WakeArguments,
    work::WorkArguments,
};

/// The co-driver for coding agents
///
/// Keeps the task tree, the mail and the sessions of your agents, and hands each agent its notes
/// at session start and after every compaction.
#[derive(Debug, Parser)]
#[command(name = "pacenote", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Set agent clients up to call pacenote, and take this project into use
    Init(InitArguments),
    /// Take back what `init` did
    Uninstall(UninstallArguments),
    /// Watch one agent's whole life, played in a scratch project
    Tour(TourArguments),
    /// Tasks: a tree with dependencies, claims and notes
    Task(TaskArguments),
    /// Mail between agents, and reservations of paths
    Mail(MailArguments),
    /// Sessions of agents in this project
    Session(SessionArguments),
    /// Skills: which there are, which file a name means, what changed
    Skill(SkillArguments),
    /// Workflows: processes in steps that an agent cannot lose its place in
    Flow(FlowArguments),
    /// Wake an agent: assemble what it needs to go on, and send it
    Wake(WakeArguments),
    /// Show how the work of this project stands
    Status(StatusArguments),
    /// Show exactly what an agent would be told now
    Brief(BriefArguments),
    /// Tell when and why something was told
    Why(WhyArguments),
    /// Print what a session was told, in order
    Replay(ReplayArguments),
    /// Add up what a session pays for before its first word
    Bill(BillArguments),
    /// Rules: what is told, noted and refused at each moment
    Lifecycle(LifecycleArguments),
    /// Which files of a repository may act
    Trust(TrustArguments),
    /// Open a gate, which only a person can do
    Allow(AllowArguments),
    /// Check, back up and restore the store
    Store(StoreArguments),
    /// Settings and where they come from
    Config(ConfigArguments),
    /// What is wrong here, and how to mend it
    Doctor(DoctorArguments),
    /// Answer a host's hook (called by the host, payload on standard input)
    Hook(HookArguments),
    /// Do what takes longer than a hook may (started by hooks)
    Work(WorkArguments),
    /// Look through our own data for what must not be in it
    Audit(AuditArguments),
    /// Measure recall on questions whose answers are known
    Bench(BenchArguments),
    /// Print the completions of a shell
    Completions(CompletionsArguments),
}

/// Printing for programs.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct JsonFlag {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What every command that writes takes.
#[derive(Clone, Debug, Args)]
pub(crate) struct WriteFlags {
    /// Idempotency key: a retry with the same key changes nothing and answers the same
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}
