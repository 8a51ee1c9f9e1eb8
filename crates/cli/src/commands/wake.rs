//! `pacenote wake`: everything an agent needs to go on, assembled and sent to it.

use clap::Args;
use pacenote_engine::{
    Caller,
    skills::Surroundings,
    waking::{self, Extent, WakeRequest},
};
use pacenote_model::AgentName;
use pacenote_store::Access;
use serde::Serialize;

use super::{report_upkeep, text_or_input};
use crate::{
    arguments::JsonFlag,
    environment::{Environment, working_directory},
    failure::Failure,
    output::Output,
};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag a person may give")]
pub(crate) struct WakeArguments {
    /// Who is woken: `backend` or `@backend`
    agent: String,
    /// What is said to it; `-` reads standard input
    message: String,
    /// What it is there for, such as `orchestrator`
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Tell everything, as after a loss of context
    #[arg(long, conflicts_with = "short")]
    full: bool,
    /// Tell only what is new
    #[arg(long)]
    short: bool,
    /// Write the prompt for a subagent instead, and send nothing: its role comes from `--role`
    #[arg(long, requires = "role", conflicts_with_all = ["full", "short"])]
    subagent: bool,
    /// The task the subagent takes over; the agent's current one without it
    #[arg(long, value_name = "TASK", requires = "subagent")]
    task: Option<String>,
    /// Print it and send nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &WakeArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let message = text_or_input(&arguments.message)?;
    let settings = environment.settings()?;
    let surroundings = Surroundings {
        home: environment.home(),
        directory: working_directory()?,
        variable: &|name| environment.variable(name),
        extra: settings.skills_extra_roots(),
    };
    let extent = match (arguments.full, arguments.short) {
        (true, _) => Extent::Full,
        (false, true) => Extent::Short,
        (false, false) => Extent::AsNeeded,
    };
    let rules = environment.rules_file();
    let request = WakeRequest {
        agent: &arguments.agent,
        message: &message,
        role: arguments.role.as_deref(),
        extent,
        settings: &settings,
        rules: rules.as_deref(),
        surroundings: &surroundings,
    };
    let mut desk = environment.desk(Access::Write)?;
    let from = match desk.caller() {
        Caller::Agent(name) => name.clone(),
        Caller::Person => AgentName::person(),
        Caller::Session { .. } | Caller::Unknown => AgentName::unknown(),
    };
    let (text, number) = if arguments.subagent {
        (waking::brief_subagent(&desk, &request, arguments.task.as_deref())?, None)
    } else if arguments.dry_run {
        (waking::assemble(&desk, &request, &from)?, None)
    } else {
        let (text, sent) = waking::wake(&mut desk, &request, &from)?;
        report_upkeep(environment, &desk, output);
        (text, Some(sent.number))
    };
    if arguments.json.json {
        let number = number.map(|number| number.to_string());
        return output.json(&WakeView { agent: &arguments.agent, message: number, text: &text });
    }
    output.text(&pacenote_context::inert(&text))?;
    if let Some(number) = number {
        output.say(&format!("sent as {number}; it arrives with the agent's next turn"));
    }
    Ok(())
}

#[derive(Serialize)]
struct WakeView<'a> {
    agent: &'a str,
    message: Option<String>,
    text: &'a str,
}
