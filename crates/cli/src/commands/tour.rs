//! `pacenote tour`: one agent's whole life, played in a scratch project.
//!
//! No client is needed and nothing of the person's is touched: the tour runs this very program, with
//! a home and a store of its own, plays what a client would tell at each point, and shows what the
//! agent would have been told and why. What is shown was really answered; nothing is written by hand.

mod player;
mod script;

use std::fmt::Write as _;

use clap::Args;
use pacenote_context::inert;

use self::{
    player::Player,
    script::{Act, SCENES, Scene, Shows},
};
use crate::{environment::Environment, failure::Failure, output::Output};

/// Lines of one answer that are shown; the rest is counted.
const LINES: usize = 12;

/// Characters of one line that are shown: with its mark it fits a terminal of a hundred columns.
const WIDTH: usize = 92;

#[derive(Debug, Args)]
pub(crate) struct TourArguments {
    /// Show every answer in full
    #[arg(long)]
    full: bool,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &TourArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let player = Player::new(environment)?;
    output.text(script::OPENING)?;
    for (number, scene) in (1..).zip(&SCENES) {
        output.text(&played(number, scene, &player, arguments.full)?)?;
    }
    output.text(script::CLOSING)
}

fn played(number: usize, scene: &Scene, player: &Player, full: bool) -> Result<String, Failure> {
    let mut shown = format!("\n{number}. {}\n{}\n", scene.title, scene.text);
    for act in scene.acts {
        match act {
            Act::Write { path, text } => player.write(path, text)?,
            Act::Run(line) => {
                let said = player.run(line)?;
                write!(shown, "\n   $ pacenote {line}\n{}", indented(&said, full)).ok();
            }
            Act::Quietly(line) => {
                player.run(line)?;
            }
            Act::AsPerson(line) => {
                player.run_as_person(line)?;
            }
            Act::As { agent, line } => {
                player.run_as(agent, line)?;
            }
            Act::Hook { event, fields, shows } => {
                let told = player.hook(event, fields)?;
                match shows {
                    Shows::Nothing => {}
                    Shows::All => {
                        write!(shown, "\n{}", indented(&told, full)).ok();
                        if !told.is_empty() {
                            shown.push_str(&reasons(player)?);
                        }
                    }
                    Shows::Answer => {
                        write!(shown, "\n{}", indented(&told, full)).ok();
                    }
                    Shows::Only(name) => {
                        write!(shown, "\n{}", indented(element(&told, name), full)).ok();
                    }
                }
            }
        }
    }
    Ok(inert(&shown))
}

/// Returns why the last answer held what it did.
fn reasons(player: &Player) -> Result<String, Failure> {
    let lines = player.reasons()?;
    let lines = lines.iter().map(|line| marked(line, false).replacen('|', "?", 1));
    Ok(format!("\n   why:\n{}\n", lines.collect::<Vec<_>>().join("\n")))
}

/// Returns one element of an answer.
fn element<'a>(told: &'a str, name: &str) -> &'a str {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let start = told.find(&open).unwrap_or(0);
    let end = told.find(&close).map_or(told.len(), |end| end + close.len());
    told.get(start..end).unwrap_or(told)
}

/// Marks each line, cuts long ones, and counts what is left out.
fn indented(text: &str, full: bool) -> String {
    if text.trim().is_empty() {
        return "   | (nothing)\n".to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let most = if full { lines.len() } else { LINES };
    let mut shown: Vec<String> = lines.iter().take(most).map(|line| marked(line, full)).collect();
    let left = lines.len().saturating_sub(most);
    if left > 0 {
        shown.push(format!("   | … {left} more lines"));
    }
    shown.join("\n") + "\n"
}

fn marked(line: &str, full: bool) -> String {
    if full || line.chars().count() <= WIDTH {
        return format!("   | {line}").trim_end().to_owned();
    }
    let start: String = line.chars().take(WIDTH).collect();
    format!("   | {start}…")
}
