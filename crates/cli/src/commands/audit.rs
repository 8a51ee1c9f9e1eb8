//! `pacenote audit`: what must never be in our own files.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use pacenote_context::inert;
use pacenote_engine::audit::{self, Leak};
use serde::Serialize;

use super::columns;
use crate::{arguments::JsonFlag, environment::Environment, failure::Failure, output::Output};

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    #[command(subcommand)]
    verb: AuditCommand,
}

#[derive(Debug, Subcommand)]
enum AuditCommand {
    /// Look through all of pacenote's data for secrets of the known kinds
    Secrets(SecretsArguments),
}

#[derive(Debug, Args)]
struct SecretsArguments {
    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &AuditArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let AuditCommand::Secrets(secrets) = &arguments.verb;
    let audit = audit::secrets(&environment.data()?)?;
    let code = if audit.leaks.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) };
    if secrets.json.json {
        let leaks = audit.leaks.iter().map(LeakView::new).collect();
        output.json(&AuditView { files: audit.files, leaks })?;
        return Ok(code);
    }
    let rows: Vec<[String; 3]> = audit
        .leaks
        .iter()
        .map(|leak| {
            [leak.rule.into(), leak.count.to_string(), inert(&leak.file.display().to_string())]
        })
        .collect();
    output.text(&columns(&rows))?;
    if audit.leaks.is_empty() {
        output.text(&format!("nothing known found in {} files", audit.files))?;
    } else {
        output.say("change the secrets that are real: others may have read the files before");
    }
    Ok(code)
}

#[derive(Serialize)]
struct AuditView {
    files: usize,
    leaks: Vec<LeakView>,
}

#[derive(Serialize)]
struct LeakView {
    file: String,
    rule: &'static str,
    count: usize,
}

impl LeakView {
    fn new(leak: &Leak) -> Self {
        Self { file: leak.file.display().to_string(), rule: leak.rule, count: leak.count }
    }
}
