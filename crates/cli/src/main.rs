//! `pacenote`: parse, call one use case, print, exit.
//!
//! Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 the
//! user's input or the present state, 2 usage, 3 the environment, 70 a bug of ours. A hook always
//! exits 0, whatever happened.

mod arguments;
mod commands;
mod environment;
mod failure;
mod output;
mod views;

use std::process::ExitCode;

use clap::Parser;

use crate::{
    arguments::{Arguments, Command},
    environment::Environment,
    failure::Failure,
    output::Output,
};

fn main() -> ExitCode {
    let environment = Environment::of_process();
    // A hook is called thousands of times a day and its user waits: it skips the argument parser.
    let mut raw = std::env::args_os().skip(1);
    if raw.next().is_some_and(|first| first == "hook")
        && let (Some(host), Some(event), None) = (raw.next(), raw.next(), raw.next())
        && let (Some(host), Some(event)) = (host.to_str(), event.to_str())
        && !host.starts_with('-')
        && !event.starts_with('-')
    {
        return commands::hook::run(&environment, host, event);
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return failure::usage(&error),
    };
    let mut output = Output::new(&environment);
    match run(&environment, arguments, &mut output) {
        Ok(code) => code,
        Err(failure) => output.fail(&failure),
    }
}

fn run(
    environment: &Environment,
    arguments: Arguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    match arguments.command {
        Command::Task(task) => commands::task::run(environment, &task, output)?,
        Command::Mail(mail) => commands::mail::run(environment, &mail, output)?,
        Command::Session(session) => commands::session::run(environment, &session, output)?,
        Command::Skill(skill) => return commands::skill::run(environment, &skill, output),
        Command::Store(store) => return commands::store::run(environment, &store, output),
        Command::Config(config) => commands::config::run(environment, &config, output)?,
        Command::Doctor(doctor) => return commands::doctor::run(environment, &doctor, output),
        Command::Hook(hook) => {
            return Ok(commands::hook::run(environment, &hook.host, &hook.event));
        }
        Command::Completions(completions) => commands::completions::run(&completions, output)?,
    }
    Ok(ExitCode::SUCCESS)
}
