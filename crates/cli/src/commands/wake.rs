//! `pacenote wake`: everything an agent needs to go on, assembled and sent to it.

use clap::Args;
use pacenote_engine::{
    situation::SettingsSource,
    wake::{self, WakeCall, WakeExtent, WakePage},
};
use pacenote_model::{AgentName, Message, ReceiptItem};
use pacenote_store::Access;
use serde::Serialize;

use super::{mail::warn_of_strangers, report_upkeep, text_or_input};
use crate::{
    arguments::JsonFlag,
    environment::{Environment, working_directory},
    failure::Failure,
    output::Output,
};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag a person may give")]
pub(crate) struct WakeArguments {
    /// Who is woken: `backend`, `main:backend`, `shop:main:backend`, or `human`
    agent: String,
    /// What is said to it; `-` reads standard input
    message: String,
    /// What it is there for from now on, such as `orchestrator`; `none` forgets it
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Tell everything, as after a loss of context
    #[arg(long, conflicts_with = "short")]
    full: bool,
    /// Tell only what is new
    #[arg(long)]
    short: bool,
    /// Write the prompt for a subagent instead, and send nothing: its role comes from `--role`, else
    /// from the message and the task
    #[arg(long, conflicts_with_all = ["full", "short"])]
    subagent: bool,
    /// The task the subagent takes over, such as `Task 2`; without it the one that the message names,
    /// else the one that the agent holds
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
    let variable = |name: &str| environment.variable(name);
    let person = environment.person(&variable, SettingsSource::Known(&settings));
    let extent = match (arguments.full, arguments.short) {
        (true, _) => WakeExtent::Full,
        (false, true) => WakeExtent::Short,
        (false, false) => WakeExtent::AsNeeded,
    };
    let call = WakeCall {
        agent: &arguments.agent,
        message: &message,
        role: arguments.role.as_deref(),
        extent,
        directory: &working_directory()?,
    };
    let mut desk = environment.desk(Access::Write)?;
    let (page, sent) = if arguments.subagent {
        (wake::brief_subagent(&desk, &person, &call, arguments.task.as_deref())?, None)
    } else if arguments.dry_run {
        (wake::assemble(&mut desk, &person, &call)?, None)
    } else {
        let woken = wake::wake(&mut desk, &person, &call)?;
        report_upkeep(environment, &desk, output);
        warn_of_strangers(&woken.strangers, output);
        (woken.page, Some(woken.message))
    };
    let number = sent.as_ref().map(|message| message.number);
    if arguments.json.json {
        let WakePage { text, tokens, items } = &page;
        let (agent, message) = (&arguments.agent, number.map(|number| number.to_string()));
        return output.json(&WakeView { agent, message, text, tokens: *tokens, items });
    }
    output.text(&pacenote_context::inert(&page.text))?;
    if let Some(Message { number, recipients, .. }) = &sent {
        let is_person = recipients.iter().any(|(to, _)| to.agent.as_str() == AgentName::PERSON);
        output.say(&if is_person {
            format!("sent as {number}; it waits in the inbox of @{}", AgentName::PERSON)
        } else {
            format!("sent as {number}; it arrives with the agent's next turn")
        });
    }
    Ok(())
}

#[derive(Serialize)]
struct WakeView<'a> {
    agent: &'a str,
    message: Option<String>,
    text: &'a str,
    tokens: u32,
    items: &'a [ReceiptItem],
}
