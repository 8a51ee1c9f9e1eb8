//! `pacenote`: parse, call one use case, print, exit.
//!
//! Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 the
//! user's input or the present state, 2 usage, 3 the environment, 70 a bug of ours. A hook always
//! exits 0, whatever happened.

mod arguments;
mod commands;
mod environment;
mod export;
mod failure;
mod output;
mod program;
mod views;

use std::{io::Write as _, panic::PanicHookInfo, process::ExitCode};

use clap::Parser;

use crate::{
    arguments::{Arguments, Command},
    environment::Environment,
    failure::{Failure, Kind},
    output::Output,
};

/// The exit code of a bug, for the one place that cannot return it.
const BUG: i32 = 70;

fn main() -> ExitCode {
    let environment = Environment::of_process();
    // A hook is called thousands of times a day and its user waits: it skips the argument parser.
    // That also keeps the parser's exit code 2 from a host that calls it wrongly.
    let mut raw = std::env::args_os().skip(1).map(|raw| raw.to_string_lossy().into_owned());
    if raw.next().is_some_and(|first| first == "hook") {
        let rest: Vec<String> = raw.collect();
        if !rest.iter().any(|argument| ["-h", "--help"].contains(&argument.as_str())) {
            return commands::hook::run(&environment, &rest);
        }
    }
    std::panic::set_hook(Box::new(end_with_bug));
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return failure::usage(&error),
    };
    let mut output = Output::new(&environment);
    let code = match run(&environment, arguments, &mut output) {
        Ok(code) => code,
        Err(failure) => output.fail(&failure),
    };
    // Last: the command may have made the data, or deleted it.
    environment.keep_rules();
    code
}

fn run(
    environment: &Environment,
    arguments: Arguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    match arguments.command {
        Command::Init(init) => commands::init::run(environment, &init, output)?,
        Command::Uninstall(uninstall) => {
            commands::uninstall::run(environment, &uninstall, output)?;
        }
        Command::Tour(tour) => commands::tour::run(environment, &tour, output)?,
        Command::Task(task) => commands::task::run(environment, &task, output)?,
        Command::Mail(mail) => commands::mail::run(environment, &mail, output)?,
        Command::Session(session) => commands::session::run(environment, &session, output)?,
        Command::Skill(skill) => return commands::skill::run(environment, &skill, output),
        Command::Flow(flow) => return commands::flow::run(environment, &flow, output),
        Command::Wake(wake) => commands::wake::run(environment, &wake, output)?,
        Command::Status(status) => commands::status::run(environment, &status, output)?,
        Command::Brief(brief) => commands::told::brief(environment, &brief, output)?,
        Command::Why(why) => commands::told::why(environment, &why, output)?,
        Command::Replay(replay) => commands::told::replay(environment, &replay, output)?,
        Command::Bill(bill) => commands::told::bill(environment, &bill, output)?,
        Command::Lifecycle(rules) => return commands::lifecycle::run(environment, &rules, output),
        Command::Trust(trust) => commands::trust::run(environment, &trust, output)?,
        Command::Allow(allow) => commands::allow::run(environment, &allow, output)?,
        Command::Work(work) => commands::work::run(environment, &work, output)?,
        Command::Store(store) => return commands::store::run(environment, &store, output),
        Command::Config(config) => commands::config::run(environment, &config, output)?,
        Command::Doctor(doctor) => return commands::doctor::run(environment, &doctor, output),
        Command::Hook(hook) => {
            let part = format!("--part={}", hook.part);
            return Ok(commands::hook::run(environment, &[hook.host, hook.event, part]));
        }
        Command::Audit(audit) => return commands::audit::run(environment, &audit, output),
        Command::Bench(bench) => commands::bench::run(&bench, output)?,
        Command::Completions(completions) => commands::completions::run(&completions, output)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Tells of a bug of ours in the words of any other failure, where the runtime would abort.
fn end_with_bug(bug: &PanicHookInfo<'_>) {
    let said = bug.payload_as_str().unwrap_or("it gave no reason");
    let said = said.lines().map(str::trim).collect::<Vec<_>>().join(", ");
    let place = bug.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
    let sentence = format!("a bug in pacenote{}: {said}", place.unwrap_or_default());
    let failure = Failure::new(Kind::Bug, sentence).hint("please report this");
    // Nobody is left to be told when standard error is closed.
    std::io::stderr().lock().write_all(failure.text("error", "hint").as_bytes()).ok();
    std::process::exit(BUG);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use pacenote_fleet::{Ending, Launch, start};

    use super::*;

    #[test]
    fn a_bug_is_told_in_one_sentence_with_exit_code_70() {
        let this = std::env::current_exe().unwrap();
        let launch = Launch::new(this, std::env::temp_dir()).arguments([
            "--exact",
            "tests::has_a_bug",
            "--ignored",
            "--nocapture",
        ]);
        let finished = start(&launch, Duration::from_mins(2)).unwrap();
        assert!(matches!(finished.ending, Ending::Exited(BUG)), "{:?}", finished.ending);
        let said = finished.errors.text();
        let expected = "error: a bug in pacenote at crates/cli/src/main.rs:";
        assert!(said.starts_with(expected), "{said}");
        assert!(said.ends_with(": one, \\u{1b}two\n\nhint: please report this\n"), "{said}");
    }

    #[test]
    #[ignore = "the other half of the test above, in a process of its own"]
    fn has_a_bug() {
        std::panic::set_hook(Box::new(end_with_bug));
        panic!("one\n  \u{1b}two");
    }
}
