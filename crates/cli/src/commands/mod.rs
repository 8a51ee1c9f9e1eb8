//! One file per command: its arguments, the use case it calls, and how the answer is shown.

pub(crate) mod allow;
pub(crate) mod audit;
pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod flow;
pub(crate) mod hook;
pub(crate) mod init;
pub(crate) mod lifecycle;
pub(crate) mod mail;
pub(crate) mod session;
mod session_log;
pub(crate) mod skill;
pub(crate) mod status;
pub(crate) mod store;
pub(crate) mod task;
pub(crate) mod told;
pub(crate) mod tour;
pub(crate) mod trust;
pub(crate) mod uninstall;
pub(crate) mod wake;
pub(crate) mod work;

use std::io::Read as _;

use pacenote_context::inert;
use pacenote_engine::Desk;

use crate::{
    environment::Environment,
    failure::{Failure, Kind},
    output::Output,
};

/// Largest text taken from standard input: above every cap of the model, so that the model's own
/// error, which names the cap, is the one that is seen.
const STANDARD_INPUT_BYTES: u64 = 1024 * 1024;

/// Returns a text argument; `-` stands for standard input.
fn text_or_input(argument: &str) -> Result<String, Failure> {
    if argument != "-" {
        return Ok(argument.into());
    }
    let mut text = String::new();
    std::io::stdin().take(STANDARD_INPUT_BYTES).read_to_string(&mut text).map_err(|error| {
        Failure::new(Kind::User, format!("cannot read standard input: {error}"))
    })?;
    Ok(text)
}

/// Reports what the commits of a command did besides. The command has done its work already: a copy
/// that fails is worth a warning, not a failure, and a setting that is wrong stands for its default.
fn report_upkeep(environment: &Environment, desk: &Desk, output: &mut Output) {
    match desk.upkeep().secrets() {
        0 => {}
        1 => output.warn("a secret was left out: it stands as `[redacted: …]` in what was stored"),
        more => {
            output.warn(&format!("{more} secrets were left out: each stands as `[redacted: …]`"));
        }
    }
    match desk.upkeep().take_backup() {
        None => {}
        // Once for each copy: often enough to be seen, and no noise after every command.
        Some(Ok(())) => {
            for problem in &environment.usable_settings().1 {
                output.warn(problem);
            }
        }
        Some(Err(error)) => {
            output.warn("the store could not be backed up");
            output.fail(&error.into());
        }
    }
}

/// Returns a text on one line and inert; a line break is spelled out like any other control.
fn one_line(raw: &str) -> String {
    inert(raw).replace('\n', r"\u{a}").replace('\t', r"\u{9}")
}

/// Puts a mark before every line of a text somebody wrote, so that none of them can pass for one of
/// ours.
fn quoted(raw: &str, mark: &str) -> String {
    let text = inert(raw);
    let lines = text.lines().map(|line| format!("{mark}{line}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

/// Lines cells up, each on one line and inert; a column that is empty throughout takes no room.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let rows: Vec<[String; N]> =
        rows.iter().map(|row| row.each_ref().map(|cell| one_line(cell))).collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let cells: Vec<String> = row
                .iter()
                .zip(widths)
                .filter(|(_, width)| *width > 0)
                .map(|(cell, width)| format!("{cell:width$}"))
                .collect();
            cells.join("  ").trim_end().into()
        })
        .collect();
    lines.join("\n")
}
