//! Whether a briefing holds what its reader needs, and how much of it is about that.
//!
//! The situations and what is needed in each stand in a table that was written before the briefing
//! (`crates/testkit/data/briefing/situations.toml`). Each is played with the built product in a
//! project of its own; the last answer is judged line by line.

mod judge;
mod play;
mod table;

use std::path::PathBuf;

use clap::Args;

use self::judge::{Verdict, judge};
use self::play::Stage;
use self::table::{Situation, Table};
use crate::cargo::cargo;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::{disk, say};

/// Least share of the tokens that has to be about what is needed, over all situations, in percent.
const LEAST_USEFUL: usize = 60;

/// Where the table lies in the repository.
const DATA: &str = "crates/testkit/data/briefing";

/// What to play, and how to show it.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Another directory with `situations.toml` and `plans/`
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
    /// Play only situations whose name has this in it, and print what their readers read
    #[arg(long, value_name = "WORDS")]
    show: Option<String>,
}

/// Plays all situations, prints a line for each, and fails when something needed is missing.
pub(crate) fn run(environment: &Environment, options: &Options) -> Result<(), Failure> {
    cargo(environment, ["build", "--quiet", "--bin", "pacenote"]).run()?;
    let program = environment.root.join("target/debug/pacenote");
    let data = options.table.clone().unwrap_or_else(|| environment.root.join(DATA));
    let table = Table::read(&data)?;
    let wanted = |one: &&Situation| {
        options.show.as_ref().is_none_or(|words| one.name.contains(words.as_str()))
    };
    let (mut useful, mut all, mut unmet) = (0, 0, 0);
    say::result(format!("{:<58}{:>8}{:>9}{:>8}", "situation", "facts", "useful", "tokens"))?;
    for situation in table.situations.iter().filter(wanted) {
        let ground = disk::temporary_directory(&environment.temporary, "pacenote-briefing")?;
        let stage = Stage::prepare(environment, &program, &data, ground.path(), situation)?;
        let text = stage.play(situation)?;
        let needs = stage.expand(situation)?;
        let verdict = judge(&text, &needs, situation);
        useful += verdict.useful;
        all += verdict.tokens;
        unmet += usize::from(!verdict.is_met());
        say::result(verdict.line(&situation.name))?;
        for complaint in verdict.complaints() {
            say::result(format!("    {complaint}"))?;
        }
        if options.show.is_some() {
            say::result(format!("{text}\n"))?;
        }
    }
    let share = Verdict::percent(useful, all);
    say::result(format!("{all} tokens, {share} % of them about what is needed"))?;
    if unmet > 0 || share < LEAST_USEFUL {
        return Err(Failure::BriefingLacks { unmet, share, least: LEAST_USEFUL });
    }
    Ok(())
}
