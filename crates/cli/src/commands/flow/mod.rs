//! `pacenote flow`: workflows and their runs.

mod arguments;
mod catalogue;
mod past;

use std::{
    io::{IsTerminal as _, Read as _},
    path::Path,
    process::ExitCode,
};

use pacenote_context::inert;
use pacenote_engine::{
    Caller, Desk,
    flows::{
        self, AnswerRequest, HandedIn, LegacyStep, Means, NextRequest, RESULT, Shelves, Shown,
        StartRequest,
    },
};
use pacenote_flow::workflow::{
    After, Outcome, Piece, Question, View,
    render::{self, Form},
};
use pacenote_hosts::{Markup, capabilities_of};
use pacenote_store::Access;
use serde::Serialize;

pub(crate) use self::arguments::FlowArguments;
use self::arguments::{
    AbortArguments, AnswerArguments, FlowCommand, NextArguments, PrintFlags, RepairArguments,
    ReviewStatus, RunStepArguments, StartArguments, StatusArguments, StepFormat,
};
use super::report_upkeep;
use crate::{
    environment::Environment,
    failure::{Failure, Kind},
    output::Output,
};

pub(crate) fn run(
    environment: &Environment,
    arguments: &FlowArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    match &arguments.verb {
        FlowCommand::Start(asked) => start(environment, asked, output)?,
        FlowCommand::Next(asked) => next(environment, asked, output)?,
        FlowCommand::Status(asked) => status(environment, asked, output)?,
        FlowCommand::Answer(asked) => answer(environment, asked, output)?,
        FlowCommand::Abort(asked) => abort(environment, asked, output)?,
        FlowCommand::Repair(asked) => repair(environment, asked, output)?,
        FlowCommand::RunStep(asked) => run_step(environment, asked, output)?,
        FlowCommand::Runs(asked) => past::runs(environment, asked, output)?,
        FlowCommand::History(asked) => past::history(environment, asked, output)?,
        FlowCommand::Decisions(asked) => past::decisions(environment, asked, output)?,
        FlowCommand::List(asked) => catalogue::list(environment, asked.json, output)?,
        FlowCommand::Show(asked) => catalogue::show(environment, asked, output)?,
        FlowCommand::Check(asked) => return catalogue::check(environment, asked, output),
        FlowCommand::Graph(asked) => catalogue::graph(environment, asked, output)?,
        FlowCommand::Schema => output.json(&pacenote_flow::workflow::schema())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn start(
    environment: &Environment,
    asked: &StartArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let params = params_of(&[asked.params.as_slice(), asked.more.as_slice()].concat())?;
    moving(environment, asked.print, output, |desk, means| {
        let shelves = shelves(environment);
        let task = asked.task.as_deref();
        let request = StartRequest { name: &asked.name, params: &params, task };
        Ok(flows::start(desk, &shelves, &request, means)?)
    })
}

fn next(
    environment: &Environment,
    asked: &NextArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let params = params_of(&asked.params)?;
    let outcome = asked.outcome.as_deref().map(outcome_of).transpose()?;
    let result = asked.result.as_deref().map(given).transpose()?;
    let request =
        NextRequest { run: asked.run.as_deref(), at: asked.at, outcome, result, params: &params };
    moving(environment, asked.print, output, |desk, means| Ok(flows::next(desk, &request, means)?))
}

fn status(
    environment: &Environment,
    asked: &StatusArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let (tests, variables) = (None::<Vec<String>>, std::collections::BTreeMap::new());
    let means = Means { tests: tests.as_deref(), variables: &variables };
    let shown = flows::status(&desk, asked.run.as_deref(), &means)?;
    print(environment, &desk, asked.print, &shown, output)
}

fn answer(
    environment: &Environment,
    asked: &AnswerArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let (run, words) = match asked.words.as_slice() {
        [first, rest @ ..] if !rest.is_empty() && is_number(first) => (Some(first.as_str()), rest),
        all => (None, all),
    };
    // Without a terminal it may be an agent whose host leaves no mark: it passes answers on, and
    // what only the person may say is refused.
    let is_person = asked.yes || matches!(environment.caller()?, Caller::Person);
    let relayed = environment.is_inside() || !is_person;
    let answers = words.iter().map(|word| named_answer(word)).collect();
    let request = AnswerRequest { run, answers, relayed, at: asked.at };
    let desk = if relayed {
        environment.desk(Access::Write)?
    } else {
        environment.desk_of_person(Access::Write)?
    };
    let act = |desk: &mut Desk, means: &Means<'_>| Ok(flows::answer(desk, &request, means)?);
    moving_as(environment, desk, output, act, |shown, desk, output| {
        let is_for_agent = relayed || asked.print.format.is_some() || asked.print.json.json;
        if is_for_agent || shown.run.status.is_over() {
            return print(environment, desk, asked.print, shown, output);
        }
        print_progress(shown, output)
    })
}

/// Says where a run goes on, or what it asks next, to a person whose agent does the step at hand.
fn print_progress(shown: &Shown, output: &mut Output) -> Result<(), Failure> {
    for remark in &shown.remarks {
        output.warn(&inert(remark));
    }
    let (run, header) = (&shown.run, &shown.view.header);
    let asked = shown.view.pieces.iter().find_map(|piece| {
        if let Piece::NeedsUserInput(questions) = piece { Some(questions) } else { None }
    });
    if let Some(questions) = asked {
        let questions: Vec<String> = questions.iter().map(asking).collect();
        let command = match &shown.view.after {
            After::Person { command, .. } => inert(command),
            After::Run { .. } | After::Branch { .. } | After::Done { .. } => String::new(),
        };
        return output.text(&format!(
            "run {} asks:\n{}\nAnswer with `{command}`.",
            run.number,
            questions.join("\n")
        ));
    }
    output.text(&format!(
        "run {} goes on at step {}/{}: {}\nYour agent continues with `pacenote flow status {}`.\n",
        run.number,
        header.step,
        header.total,
        inert(&header.title),
        run.number.get()
    ))
}

/// Returns a question with its options, each with the number that also answers it.
fn asking(question: &Question) -> String {
    let options = question.options.iter().zip(1..);
    let options = options.map(|(option, number)| format!("\n  {number}  {}", inert(option)));
    format!("{}{}", inert(&question.text), options.collect::<String>())
}

fn abort(
    environment: &Environment,
    asked: &AbortArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    // Without a terminal it may be an agent whose host leaves no mark.
    let is_person = asked.yes || matches!(environment.caller()?, Caller::Person);
    let is_agent = environment.is_inside() || !is_person;
    moving(environment, asked.print, output, |desk, means| {
        Ok(flows::abort(desk, asked.run.as_deref(), &asked.reason, is_agent, means)?)
    })
}

fn repair(
    environment: &Environment,
    asked: &RepairArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let params = params_of(&asked.params)?;
    let (run, file) = (inert(&asked.run), inert(&asked.definition.display().to_string()));
    let question = format!("Move run {run} to the definition in `{file}`, at the same step?");
    environment.consent(asked.yes, &question)?;
    let desk = environment.desk_of_person(Access::Write)?;
    moving_at(environment, desk, asked.print, output, |desk, means| {
        let definition = flows::definition_in(desk, &shelves(environment), &asked.definition)?;
        Ok(flows::repair(desk, &asked.run, &definition, &params, means)?)
    })
}

fn run_step(
    environment: &Environment,
    asked: &RunStepArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let params = params_of(&asked.params)?;
    let wanted = LegacyStep {
        workflow: &asked.workflow,
        step: asked.step,
        total: asked.total_steps,
        iteration: asked.qr_iteration,
        failed: asked.qr_fail,
        passed: asked.qr_status.map(|status| status == ReviewStatus::Pass),
        result: asked.result.as_deref().map(given).transpose()?,
        params: &params,
    };
    moving(environment, asked.print, output, |desk, means| {
        Ok(flows::run_step(desk, &shelves(environment), wanted, means)?)
    })
}

/// Runs a command that moves a run, and prints the step at hand.
fn moving(
    environment: &Environment,
    print_flags: PrintFlags,
    output: &mut Output,
    act: impl FnOnce(&mut Desk, &Means<'_>) -> Result<Shown, Failure>,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Write)?;
    moving_at(environment, desk, print_flags, output, act)
}

fn moving_at(
    environment: &Environment,
    desk: Desk,
    print_flags: PrintFlags,
    output: &mut Output,
    act: impl FnOnce(&mut Desk, &Means<'_>) -> Result<Shown, Failure>,
) -> Result<(), Failure> {
    moving_as(environment, desk, output, act, |shown, desk, output| {
        print(environment, desk, print_flags, shown, output)
    })
}

/// Runs a command that moves a run, and says in its own way what came of it.
fn moving_as(
    environment: &Environment,
    mut desk: Desk,
    output: &mut Output,
    act: impl FnOnce(&mut Desk, &Means<'_>) -> Result<Shown, Failure>,
    say: impl FnOnce(&Shown, &Desk, &mut Output) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let tests = environment.own_settings().workflows_test_command();
    let variables = environment.for_programs();
    let means = Means { tests: tests.as_deref(), variables: &variables };
    let shown = act(&mut desk, &means)?;
    say(&shown, &desk, output)?;
    report_upkeep(environment, &desk, output);
    Ok(())
}

/// A run and the step at hand, for programs.
#[derive(Serialize)]
struct ShownView<'a> {
    run: u32,
    workflow: &'a str,
    status: &'static str,
    at: u32,
    step: &'a View,
}

fn print(
    environment: &Environment,
    desk: &Desk,
    flags: PrintFlags,
    shown: &Shown,
    output: &mut Output,
) -> Result<(), Failure> {
    for remark in &shown.remarks {
        output.warn(&inert(remark));
    }
    if flags.json.json {
        return output.json(&ShownView {
            run: shown.run.number.get(),
            workflow: &shown.run.workflow,
            status: shown.run.status.word(),
            at: shown.run.revision,
            step: &shown.view,
        });
    }
    output.text(&render::render(&shown.view, form(environment, desk, flags)))
}

/// Decides how a step is printed: as it was asked for, as the setting says, or as the reader can
/// best take it.
fn form(environment: &Environment, desk: &Desk, flags: PrintFlags) -> Form {
    match flags.format {
        Some(StepFormat::Xml) => return Form::Xml,
        Some(StepFormat::Text) => return Form::Text,
        None => {}
    }
    match environment.own_settings().workflows_format() {
        "xml" => return Form::Xml,
        "text" => return Form::Text,
        _ => {}
    }
    match desk.caller() {
        Caller::Session { host, .. } => {
            match capabilities_of(host).map(|capabilities| capabilities.markup) {
                Some(Markup::Markdown) => Form::Text,
                Some(Markup::Tags) | None => Form::Xml,
            }
        }
        Caller::Person if std::io::stdout().is_terminal() => Form::Text,
        Caller::Person | Caller::Agent(_) | Caller::Unknown => Form::Xml,
    }
}

fn shelves(environment: &Environment) -> Shelves {
    Shelves { user: environment.workflows() }
}

fn params_of(raw: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let split = |raw: &String| {
        let pair = raw.split_once('=').filter(|(name, _)| !name.trim().is_empty());
        let pair = pair.map(|(name, value)| (name.trim().to_owned(), value.to_owned()));
        pair.ok_or_else(|| {
            Failure::new(Kind::User, format!("`--param {}` is not a name with a value", inert(raw)))
                .hint("write it as `--param name=value`")
        })
    };
    raw.iter().map(split).collect()
}

fn outcome_of(raw: &str) -> Result<Outcome, Failure> {
    Outcome::from_word(raw).ok_or_else(|| {
        let failure = Failure::new(Kind::User, format!("unknown outcome `{}`", inert(raw)));
        match Outcome::from_word(&raw.to_lowercase()) {
            Some(meant) => failure.hint(format!("did you mean `{}`?", meant.word())),
            None if raw == "OUTCOME" => failure.hint(
                "put one of the outcomes of the step in its place; `pacenote flow status` names them",
            ),
            None => failure.hint("there are `ok`, `fail`, `skip` and `iterate`"),
        }
    })
}

/// Returns what is handed in; of standard input a little more than is taken, so that it is refused.
fn given(path: &Path) -> Result<HandedIn, Failure> {
    if path != Path::new("-") {
        return Ok(HandedIn::File(path.to_owned()));
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(RESULT.get() + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(Kind::User, format!("cannot read standard input: {error}")))?;
    Ok(HandedIn::Bytes(bytes))
}

fn is_number(word: &str) -> bool {
    pacenote_model::Number::parse(word).is_some()
}

/// Splits `q1=yes`; a text with an equals sign of another kind is an answer as a whole.
fn named_answer(word: &str) -> (Option<String>, String) {
    let named = word.split_once('=').filter(|(name, _)| {
        let digits = name.strip_prefix('q').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    match named {
        Some((name, answer)) => (Some(name.to_owned()), answer.to_owned()),
        None => (None, word.to_owned()),
    }
}
