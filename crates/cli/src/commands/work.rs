//! `pacenote work`: what takes longer than a hook may.

use clap::Args;
use pacenote_context::inert;
use pacenote_engine::{Clock, situation::SettingsSource, work};
use serde::Serialize;

use crate::{arguments::JsonFlag, environment::Environment, failure::Failure, output::Output};

#[derive(Debug, Args)]
pub(crate) struct WorkArguments {
    /// Take in the logs of sessions, do what they ask for, and end; nothing else is done
    #[arg(long, required = true)]
    once: bool,
    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &WorkArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    // Whoever started the session waits for their own programs, not for this one.
    pacenote_files::give_way();
    let data = environment.data()?;
    if !pacenote_files::exists(data.directory()) {
        if arguments.json.json {
            return output.json(&WorkView { busy: false, report: None });
        }
        output.say("nothing to do: there is no data yet");
        return Ok(());
    }
    let variables = environment.for_programs();
    let variable = |name: &str| environment.variable(name);
    let (settings, _) = environment.usable_settings();
    let person = environment.person(&variable, SettingsSource::Known(&settings));
    let report = work::once(&data, &variables, &person, Clock::System)?;
    if arguments.json.json {
        return output.json(&WorkView { busy: report.is_none(), report: report.as_ref() });
    }
    let Some(report) = report else {
        output.say("another worker is at it");
        return Ok(());
    };
    for trouble in &report.troubles {
        output.warn(&inert(trouble));
    }
    output.text(&format!("{} done, {} left for the next time", report.granted, report.left))
}

#[derive(Serialize)]
struct WorkView<'a> {
    busy: bool,
    report: Option<&'a work::Report>,
}
