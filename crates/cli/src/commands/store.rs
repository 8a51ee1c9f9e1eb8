//! `pacenote store`.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use pacenote_engine::{Clock, rules::trust};
use pacenote_store::{Access, Place, Store as _, StoreError, WithoutBackup};
use serde::Serialize;

use crate::{
    arguments::JsonFlag,
    environment::Environment,
    failure::{Failure, Kind},
    output::Output,
};

#[derive(Debug, Args)]
pub(crate) struct StoreArguments {
    #[command(subcommand)]
    verb: StoreCommand,
}

#[derive(Debug, Subcommand)]
enum StoreCommand {
    /// Check that the store is sound
    Check(JsonArguments),
    /// Copy the store now
    Backup(JsonArguments),
    /// Put the newest sound backup in the place of a damaged store
    Restore(RestoreArguments),
}

#[derive(Debug, Args)]
struct JsonArguments {
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
struct RestoreArguments {
    /// Do it even if the store is sound
    #[arg(long)]
    anyway: bool,
    /// Start with an empty store if there is no sound backup
    #[arg(long)]
    empty: bool,
    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &StoreArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    match &arguments.verb {
        StoreCommand::Check(check) => self::check(environment, check.json, output),
        StoreCommand::Backup(backup) => self::backup(environment, backup.json, output),
        StoreCommand::Restore(restore) => self::restore(environment, restore, output),
    }
}

#[derive(Serialize)]
struct CheckView {
    sound: bool,
    problems: Vec<String>,
}

/// Returns what is wrong with the store; a file that is no database at all is a problem too.
fn problems(place: &Place, access: Access) -> Result<Vec<String>, StoreError> {
    let checked = pacenote_store::open(place, access).and_then(|store| store.check());
    match checked {
        Err(StoreError::Damaged { detail, .. }) => Ok(vec![detail]),
        checked => checked,
    }
}

/// Reports whether there is nothing to restore. One that cannot be migrated is damaged.
fn is_sound(place: &Place) -> Result<bool, StoreError> {
    match problems(place, Access::Read) {
        Err(StoreError::Gone { .. } | StoreError::NotAFile { .. }) => Ok(false),
        problems => Ok(problems?.is_empty()),
    }
}

fn check(
    environment: &Environment,
    json: JsonFlag,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let problems = problems(&environment.data()?.store(), Access::Hook)?;
    let sound = problems.is_empty();
    if json.json {
        output.json(&CheckView { sound, problems })?;
    } else if sound {
        output.text("the store is sound")?;
    } else {
        output.text(&problems.join("\n"))?;
        output.say("hint: `pacenote store restore` puts the newest sound backup in its place");
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

#[derive(Serialize)]
struct BackupView {
    path: Option<String>,
}

fn backup(
    environment: &Environment,
    json: JsonFlag,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let keep = usize::try_from(environment.settings()?.store_backups_kept()).unwrap_or(1);
    let store = pacenote_store::open(&environment.data()?.store(), Access::Read)?;
    let path =
        store.back_up(Clock::System.now(), keep)?.map(|made| made.path.display().to_string());
    if json.json {
        output.json(&BackupView { path })?;
    } else {
        output.text(&path.unwrap_or_else(|| "this store is backed up by its server".into()))?;
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct RestoredView {
    restored: bool,
    from: Option<String>,
    damaged: Option<String>,
}

fn restore(
    environment: &Environment,
    restore: &RestoreArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    // An older store knows less of what binds an agent: only a person goes back to it.
    if pacenote_hosts::inside(&|name| environment.variable(name)).is_some() {
        return Err(Failure::new(Kind::User, "only a person can do this, not an agent")
            .hint("run the same command in a terminal of your own"));
    }
    if !restore.anyway && is_sound(&environment.data()?.store())? {
        if restore.json.json {
            output.json(&RestoredView { restored: false, from: None, damaged: None })?;
        } else {
            output.say("the store is sound, nothing was done; `--anyway` restores it all the same");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let data = environment.data()?;
    let otherwise = if restore.empty { WithoutBackup::StartEmpty } else { WithoutBackup::Refuse };
    let restored = pacenote_store::restore(&data.store(), Clock::System.now(), otherwise)?;
    // The backup may know of trust that was withdrawn since, and hooks must look for it again.
    trust::mark_all(&data, &pacenote_store::open(&data.store(), Access::Write)?)?;
    let from = restored.from.map(|backup| backup.path.display().to_string());
    let damaged = restored.damaged.display().to_string();
    if restore.json.json {
        output.json(&RestoredView { restored: true, from, damaged: Some(damaged) })?;
    } else {
        let what = match from {
            Some(from) => format!("restored from {from}"),
            None => "there was no sound backup: the store is empty now".into(),
        };
        output.text(&format!("{what}\nthe damaged files are in {damaged}"))?;
    }
    Ok(ExitCode::SUCCESS)
}
