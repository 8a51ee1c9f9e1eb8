//! One file per command: its arguments, the use case it calls, and how the answer is shown.

pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod hook;
pub(crate) mod mail;
pub(crate) mod session;
pub(crate) mod skill;
pub(crate) mod store;
pub(crate) mod task;

use std::io::Read as _;

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

/// Copies the store when it is time. The command has done its work already: a copy that fails is
/// worth a warning, not a failure.
fn back_up(environment: &Environment, desk: &Desk, output: &mut Output) {
    let copied = environment.settings().and_then(|settings| {
        let keep = usize::try_from(settings.store_backups_kept()).unwrap_or(1);
        Ok(desk.back_up_if_due(settings.store_backup_hours(), keep)?)
    });
    if let Err(failure) = copied {
        output.warn("the store could not be backed up");
        output.fail(&failure);
    }
}

/// Lines cells up; a column that is empty throughout takes no room.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
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
