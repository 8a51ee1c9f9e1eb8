//! `pacenote session log`: lines of session logs that could not be applied.

use clap::{Args, Subcommand};
use pacenote_context::inert;
use pacenote_engine::set_aside;
use pacenote_model::{KeptSetAside, Sequence};
use pacenote_store::Access;
use serde::Serialize;

use super::columns;
use crate::{arguments::JsonFlag, environment::Environment, failure::Failure, output::Output};

#[derive(Debug, Args)]
pub(super) struct LogArguments {
    #[command(subcommand)]
    verb: LogCommand,
}

#[derive(Debug, Subcommand)]
enum LogCommand {
    /// List the lines that were set aside, of all projects, oldest first
    List(LogListArguments),
    /// Show lines that were set aside, and why
    Show(LogShowArguments),
    /// Forget lines that were set aside; they stay in their log
    Drop(LogDropArguments),
}

#[derive(Debug, Args)]
struct LogListArguments {
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
struct LogShowArguments {
    /// The number in `session log list`
    #[arg(value_parser = parse_number)]
    number: u64,
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
struct LogDropArguments {
    /// The numbers in `session log list`
    #[arg(required_unless_present = "all", conflicts_with = "all", value_parser = parse_number)]
    numbers: Vec<u64>,
    /// Forget all of them
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    json: JsonFlag,
}

/// Parses a number of the list.
fn parse_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "`pacenote session log list` shows the numbers there are".into())
}

#[derive(Serialize)]
struct SetAsidesView<'a> {
    set_aside: Vec<SetAsideView<'a>>,
}

#[derive(Serialize)]
struct SetAsideView<'a> {
    number: u64,
    log: &'a str,
    from: u64,
    to: u64,
    lines: u32,
    reason: &'a str,
    at: String,
}

#[derive(Serialize)]
struct LinesView<'a> {
    #[serde(flatten)]
    set_aside: SetAsideView<'a>,
    texts: Option<Vec<String>>,
}

#[derive(Serialize)]
struct DroppedView {
    dropped: Vec<u64>,
}

impl<'a> SetAsideView<'a> {
    fn new(kept: &'a KeptSetAside) -> Self {
        let KeptSetAside { number, at, lines } = kept;
        Self {
            number: number.get(),
            log: &lines.file,
            from: lines.from,
            to: lines.to,
            lines: lines.lines,
            reason: &lines.reason,
            at: at.to_string(),
        }
    }
}

pub(super) fn run(
    environment: &Environment,
    arguments: &LogArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    match &arguments.verb {
        LogCommand::List(list) => self::list(environment, list.json, output),
        LogCommand::Show(show) => self::show(environment, show, output),
        LogCommand::Drop(drop) => self::drop_lines(environment, drop, output),
    }
}

fn list(environment: &Environment, json: JsonFlag, output: &mut Output) -> Result<(), Failure> {
    let kept = set_aside::list(&environment.desk(Access::Read)?)?;
    if json.json {
        let set_aside = kept.iter().map(SetAsideView::new).collect();
        return output.json(&SetAsidesView { set_aside });
    }
    if kept.is_empty() {
        output.say("no lines of session logs are set aside");
        return Ok(());
    }
    let rows: Vec<[String; 4]> = kept
        .iter()
        .map(|KeptSetAside { number, lines, .. }| {
            [
                number.get().to_string(),
                inert(&lines.file),
                count(usize::try_from(lines.lines).unwrap_or(usize::MAX)),
                inert(&lines.reason),
            ]
        })
        .collect();
    output.text(&columns(&rows))
}

pub(super) fn count(lines: usize) -> String {
    let plural = if lines == 1 { "" } else { "s" };
    format!("{lines} line{plural}")
}

fn show(
    environment: &Environment,
    show: &LogShowArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let desk = environment.desk(Access::Read)?;
    let kept = set_aside::find(&desk, Sequence::new(show.number))?;
    let texts = set_aside::read(desk.data(), &kept.lines)?;
    if show.json.json {
        return output.json(&LinesView { set_aside: SetAsideView::new(&kept), texts });
    }
    let KeptSetAside { number, at, lines } = &kept;
    let mut shown = vec![
        format!("set aside: {}", number.get()),
        format!("log: {}, bytes {} to {}", inert(&lines.file), lines.from, lines.to),
        format!("reason: {}", inert(&lines.reason)),
        format!("since: {at}"),
        String::new(),
    ];
    match texts {
        Some(texts) => shown.extend(texts.iter().map(|text| inert(text))),
        None => shown.push("the log was removed since".into()),
    }
    output.text(&shown.join("\n"))
}

fn drop_lines(
    environment: &Environment,
    drop: &LogDropArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut desk = environment.desk(Access::Write)?;
    let numbers: Vec<Sequence> = if drop.all {
        set_aside::list(&desk)?.iter().map(|kept| kept.number).collect()
    } else {
        drop.numbers.iter().copied().map(Sequence::new).collect()
    };
    if !numbers.is_empty() {
        set_aside::drop_all(&mut desk, &numbers)?;
    }
    let dropped: Vec<u64> = numbers.iter().map(|number| number.get()).collect();
    if drop.json.json {
        return output.json(&DroppedView { dropped });
    }
    let plural = if dropped.len() == 1 { "entry" } else { "entries" };
    output.text(&format!("dropped {} {plural}", dropped.len()))
}
