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
use serde::Serialize;

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
    /// Print one JSON object for programs
    #[arg(long, conflicts_with = "show")]
    json: bool,
}

/// The whole table, for programs.
#[derive(Serialize)]
struct TableView {
    situations: Vec<SituationView>,
    tokens: usize,
    useful: usize,
}

/// One situation, for programs.
#[derive(Serialize)]
struct SituationView {
    id: String,
    /// How many facts are needed.
    facts: usize,
    /// Those that are not in the text.
    missing: Vec<String>,
    /// What is in the text and must not be.
    unwanted: Vec<String>,
    tokens: usize,
    /// How many tokens are about what is needed.
    useful: usize,
    /// The most tokens there may be.
    most: Option<usize>,
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
    let mut views = Vec::new();
    let print = |text: String| if options.json { Ok(()) } else { say::result(text) };
    print(format!("{:<58}{:>8}{:>9}{:>8}", "situation", "facts", "useful", "tokens"))?;
    for situation in table.situations.iter().filter(wanted) {
        let ground = disk::temporary_directory(&environment.temporary, "pacenote-briefing")?;
        let stage = Stage::prepare(environment, &program, &data, ground.path(), situation)?;
        let text = stage.play(situation)?;
        let needs = stage.expand(situation)?;
        let verdict = judge(&text, &needs, situation);
        useful += verdict.useful;
        all += verdict.tokens;
        unmet += usize::from(!verdict.is_met());
        print(verdict.line(&situation.name))?;
        for complaint in verdict.complaints() {
            print(format!("    {complaint}"))?;
        }
        if options.show.is_some() {
            print(format!("{text}\n"))?;
        }
        views.push(verdict.into_view(&situation.name));
    }
    let share = Verdict::percent(useful, all);
    print(format!("{all} tokens, {share} % of them about what is needed"))?;
    if options.json {
        let view = TableView { situations: views, tokens: all, useful };
        let text = serde_json::to_string_pretty(&view)
            .map_err(|source| Failure::Output { source: std::io::Error::other(source) })?;
        say::result(text)?;
    }
    if unmet > 0 || share < LEAST_USEFUL {
        return Err(Failure::BriefingLacks { unmet, share, least: LEAST_USEFUL });
    }
    Ok(())
}
