//! `pacenote doctor`.

use std::process::ExitCode;

use clap::Args;
use pacenote_context::inert;
use pacenote_engine::{
    Desk,
    doctor::{self, Check, Health, Setting},
    skills::Surroundings,
};
use pacenote_files::config::Weight;
use pacenote_hosts::{Carried, Host};
use pacenote_store::Access;
use serde::Serialize;

use super::{init::find, usable_settings};
use crate::{
    arguments::JsonFlag,
    environment::{Environment, working_directory},
    failure::Failure,
    output::Output,
    program,
};

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Serialize)]
struct DoctorView {
    healthy: bool,
    checks: Vec<CheckView>,
    capabilities: Vec<RowView>,
}

/// What the answer to one event of a host carries.
#[derive(Serialize)]
struct RowView {
    host: &'static str,
    event: &'static str,
    names: Vec<&'static str>,
    context: bool,
    verdict: Option<&'static str>,
    input: bool,
    remark: Option<&'static str>,
}

/// Returns the table of what hosts carry.
fn capabilities() -> Vec<RowView> {
    let rows =
        Host::ALL.into_iter().flat_map(|host| host.rows().into_iter().map(move |row| (host, row)));
    rows.map(|(host, row)| RowView {
        host: host.name(),
        event: row.moment.word(),
        names: row.names,
        context: row.context,
        verdict: row.verdict.map(Carried::word),
        input: row.input,
        remark: row.remark,
    })
    .collect()
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
                name: check.name.clone(),
                health: check.health.word(),
                found: check.found.clone(),
                hint: check.hint.clone(),
            })
            .collect();
        let healthy = worst != Health::Bad;
        output.json(&DoctorView { healthy, checks, capabilities: capabilities() })?;
    } else {
        output.text(&report(&checks))?;
    }
    Ok(if worst == Health::Bad { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn checks(environment: &Environment) -> Vec<Check> {
    let mut checks = vec![Check {
        name: "pacenote".to_owned(),
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
                checks.extend(doctor::look_at_receipts(&desk)?);
                checks.extend(clients(environment, &desk)?);
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

/// Looks at the agent clients here, and at the skills they show.
fn clients(environment: &Environment, desk: &Desk) -> Result<Vec<Check>, Failure> {
    let found = find(environment, &desk.place().root);
    let program = program::installed(environment).ok();
    let (settings, _) = usable_settings(environment);
    let mut checks = doctor::look_at_clients(
        &found,
        &Setting {
            program: program.as_deref(),
            project: &desk.place().root,
            version: &|client| client.version(environment.for_programs()),
        },
    );
    let surroundings = Surroundings {
        home: environment.home(),
        directory: working_directory()?,
        variable: &|name| environment.variable(name),
        extra: settings.skills_extra_roots(),
    };
    checks.extend(doctor::look_at_skills(desk, &surroundings, &found)?);
    Ok(checks)
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
    Check { name: "settings".to_owned(), health, found, hint }
}

fn wrong(name: &str, failure: &Failure) -> Check {
    let (found, hint) = failure.parts();
    Check { name: name.to_owned(), health: Health::Bad, found, hint }
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
