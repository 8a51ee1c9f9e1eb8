//! `pacenote doctor`.

use std::process::ExitCode;

use clap::Args;
use pacenote_context::inert;
use pacenote_engine::{
    Clock, Desk,
    clients::Found,
    doctor::{self, Check, Health, Setting},
    probing::{self, Outcome, Point},
    skills::Surroundings,
};
use pacenote_files::{config::Weight, git::find_project};
use pacenote_hosts::{Carried, Host};
use pacenote_store::Access;
use serde::Serialize;

use super::{
    columns,
    init::{CODEX, codex, find, known_clients},
};
use crate::{
    arguments::JsonFlag,
    environment::{Environment, working_directory},
    failure::{Failure, Kind},
    output::Output,
    program,
};

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// Run the clients that are installed against a scripted model, and show what reached it
    #[arg(long, value_name = "HOST", num_args = 0.., value_delimiter = ',')]
    probe: Option<Vec<String>>,
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
        event: row.kind.word(),
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
    if let Some(named) = &arguments.probe {
        return probe(environment, named, arguments.json, output);
    }
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
                let mut checks = doctor::look_here(&desk, environment.home().as_deref())?;
                let rules = environment.rules_file();
                checks.push(doctor::look_at_rules(&desk, rules.as_deref())?);
                checks.extend(doctor::look_at_repository(&desk)?);
                checks.extend(doctor::look_at_receipts(&desk)?);
                checks.extend(skills(environment, &desk)?);
                Ok(checks)
            });
            match here {
                Ok(found) => checks.extend(found),
                Err(failure) => checks.push(wrong("project", &failure)),
            }
        }
        Err(failure) => checks.push(wrong("data directory", &failure)),
    }
    match clients(environment) {
        Ok(found) => checks.extend(found),
        Err(failure) => checks.push(wrong("clients", &failure)),
    }
    checks
}

#[derive(Serialize)]
struct ProbeView {
    proved: bool,
    clients: Vec<ProofView>,
}

#[derive(Serialize)]
struct ProofView {
    host: &'static str,
    version: Option<String>,
    points: Vec<PointView>,
}

#[derive(Serialize)]
struct PointView {
    point: &'static str,
    outcome: &'static str,
    said: String,
}

/// Runs clients against a scripted model and shows what reached it.
fn probe(
    environment: &Environment,
    named: &[String],
    json: JsonFlag,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let directory = working_directory()?;
    let wanted = known_clients(named)?;
    let found: Vec<Found> = find(environment, &directory)
        .into_iter()
        .filter(|one| match wanted.as_slice() {
            [] => one.program.is_some(),
            some => some.iter().any(|client| client.name == one.client.name),
        })
        .collect();
    if found.is_empty() {
        return Err(Failure::new(Kind::User, "no agent client is installed here")
            .hint("the clients are looked for on the `PATH`"));
    }
    let ours = std::env::current_exe().map_err(|source| {
        Failure::new(Kind::Environment, format!("this program cannot be found: {source}"))
    })?;
    let mut clients = Vec::new();
    for one in &found {
        let title = one.client.title;
        output.say(&format!("running {title} against a scripted model, this takes a while"));
        let version = probing::version_apart(one)?.map(|version| version.to_string());
        let proof = probing::probe(one, &ours, probing::PATIENCE, Clock::System)?;
        clients.push(ProofView {
            host: one.client.name,
            version,
            points: proof.outcomes.iter().map(PointView::new).collect(),
        });
    }
    let points = || clients.iter().flat_map(|client| &client.points);
    let proved = points().all(|point| !["cut", "missing"].contains(&point.outcome));
    if json.json {
        output.json(&ProbeView { proved, clients })?;
    } else {
        let rows: Vec<[String; 4]> = clients.iter().flat_map(ProofView::rows).collect();
        output.text(&columns(&rows))?;
    }
    Ok(if proved { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

impl PointView {
    fn new((point, outcome): &(Point, Outcome)) -> Self {
        let word = match outcome {
            Outcome::Whole => "whole",
            Outcome::Cut { .. } => "cut",
            Outcome::Missing { .. } => "missing",
            Outcome::NotExercised { .. } => "not_exercised",
        };
        Self { point: point.word(), outcome: word, said: outcome.sentence() }
    }
}

impl ProofView {
    fn rows(&self) -> Vec<[String; 4]> {
        let version = self.version.clone().unwrap_or_else(|| "?".to_owned());
        let row = |point: &PointView| {
            [self.host.to_owned(), version.clone(), point.point.to_owned(), point.said.clone()]
        };
        self.points.iter().map(row).collect()
    }
}

/// Looks at the agent clients here.
fn clients(environment: &Environment) -> Result<Vec<Check>, Failure> {
    let place = find_project(&working_directory()?)?;
    let program = program::installed(environment).ok();
    let setting = Setting {
        program: program.as_deref(),
        project: &place.root,
        version: &|client| client.version(environment.for_programs()),
    };
    let found = find(environment, &place.root);
    let mut checks = doctor::look_at_clients(&found, &setting);
    if let (Some(client), Ok(data)) =
        (found.iter().find(|one| one.client.name == CODEX), environment.data())
    {
        checks.extend(doctor::look_at_trust(client, &setting, |program| {
            codex(environment, client, program, &place.root, &data).ours()
        }));
    }
    Ok(checks)
}

/// Looks at the skills that the clients here show.
fn skills(environment: &Environment, desk: &Desk) -> Result<Vec<Check>, Failure> {
    let (settings, _) = environment.usable_settings();
    let surroundings = Surroundings {
        home: environment.home(),
        directory: working_directory()?,
        variable: &|name| environment.variable(name),
        extra: settings.skills_extra_roots(),
    };
    let found = find(environment, &desk.place().root);
    Ok(doctor::look_at_skills(desk, &surroundings, &found)?)
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
