//! `pacenote doctor`.

use std::process::ExitCode;

use clap::Args;
use pacenote_context::inert;
use pacenote_engine::doctor::{self, Check, Health};
use pacenote_files::config::Weight;
use pacenote_store::Access;
use serde::Serialize;

use crate::{arguments::JsonFlag, environment::Environment, failure::Failure, output::Output};

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Serialize)]
struct DoctorView {
    healthy: bool,
    checks: Vec<CheckView>,
}

#[derive(Serialize)]
struct CheckView {
    name: String,
    health: &'static str,
    found: String,
    hint: Option<String>,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &DoctorArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let checks = checks(environment);
    let worst = checks.iter().map(|check| check.health).max().unwrap_or(Health::Good);
    if arguments.json.json {
        let checks = checks
            .iter()
            .map(|check| CheckView {
                name: check.name.into(),
                health: check.health.word(),
                found: check.found.clone(),
                hint: check.hint.clone(),
            })
            .collect();
        output.json(&DoctorView { healthy: worst != Health::Bad, checks })?;
    } else {
        output.text(&report(&checks))?;
    }
    Ok(if worst == Health::Bad { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn checks(environment: &Environment) -> Vec<Check> {
    let mut checks = vec![Check {
        name: "pacenote",
        health: Health::Good,
        found: format!("{} (schema {})", env!("CARGO_PKG_VERSION"), pacenote_store::SCHEMA),
        hint: None,
    }];
    checks.push(settings(environment));
    match environment.data() {
        Ok(data) => {
            checks.extend(doctor::look(&data));
            let here = environment.desk(Access::Hook).and_then(|desk| {
                let mut checks = doctor::look_here(&desk)?;
                let rules = environment.rules_file();
                checks.push(doctor::look_at_rules(&desk, rules.as_deref())?);
                Ok(checks)
            });
            match here {
                Ok(found) => checks.extend(found),
                Err(failure) => checks.push(wrong("project", &failure)),
            }
        }
        Err(failure) => checks.push(wrong("data directory", &failure)),
    }
    checks
}

fn settings(environment: &Environment) -> Check {
    let (health, found) = match environment.layers() {
        Ok((_, problems)) if problems.is_empty() => (Health::Good, "sound".into()),
        Ok((_, problems)) => {
            let health = if problems.iter().any(|problem| problem.weight == Weight::Error) {
                Health::Bad
            } else {
                Health::Doubtful
            };
            let said: Vec<String> =
                problems.iter().map(|problem| problem.error.to_string()).collect();
            (health, said.join("\n"))
        }
        Err(failure) => return wrong("settings", &failure),
    };
    let hint = (health != Health::Good).then(|| "`pacenote config show --origin`".into());
    Check { name: "settings", health, found, hint }
}

fn wrong(name: &'static str, failure: &Failure) -> Check {
    let (found, hint) = failure.parts();
    Check { name, health: Health::Bad, found, hint }
}

fn report(checks: &[Check]) -> String {
    let mut lines = Vec::new();
    for check in checks {
        let mut found = check.found.lines();
        lines.push(format!(
            "{:4}  {}: {}",
            check.health.word(),
            check.name,
            found.next().unwrap_or_default()
        ));
        lines.extend(found.map(|more| format!("      {more}")));
        lines.extend(check.hint.as_ref().map(|hint| format!("      hint: {hint}")));
    }
    lines.iter().map(|line| inert(line)).collect::<Vec<_>>().join("\n")
}
