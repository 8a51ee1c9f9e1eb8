//! `pacenote config`.

use clap::{Args, Subcommand};
use pacenote_context::inert;
use pacenote_files::config::{Row, Weight};
use serde::Serialize;

use super::columns;
use crate::{arguments::JsonFlag, environment::Environment, failure::Failure, output::Output};

#[derive(Debug, Args)]
pub(crate) struct ConfigArguments {
    #[command(subcommand)]
    verb: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Show every setting with its value
    Show(ShowArguments),
}

#[derive(Debug, Args)]
struct ShowArguments {
    /// Show which layer decided each value, and what it shadows
    #[arg(long)]
    origin: bool,
    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &ConfigArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let ConfigCommand::Show(show) = &arguments.verb;
    let (settings, problems) = environment.layers()?;
    let rows = settings.rows();
    if show.json.json {
        let settings = rows.iter().map(SettingView::new).collect();
        let problems = problems.iter().map(|problem| problem.error.to_string()).collect();
        return output.json(&SettingsView { settings, problems });
    }
    let lines: Vec<[String; 3]> = rows
        .iter()
        .map(|row| {
            let origin = if show.origin { origins(row) } else { String::new() };
            [row.key.into(), inert(&row.value.to_string()), inert(&origin)]
        })
        .collect();
    output.text(&columns(&lines))?;
    for problem in &problems {
        let weight = match problem.weight {
            Weight::Error => "",
            Weight::Warning => " (this file is not trusted and was ignored)",
        };
        output.warn(&inert(&format!("{}{weight}", problem.error)));
    }
    Ok(())
}

/// Says where a value comes from, what it shadows and what was ignored.
fn origins(row: &Row) -> String {
    let mut parts = vec![row.origin.to_string()];
    parts.extend(row.shadowed.iter().map(|(origin, value)| format!("shadows {value} of {origin}")));
    parts.extend(
        row.ignored
            .iter()
            .map(|(origin, value)| format!("ignored: {value} of {origin}, which is not trusted")),
    );
    parts.join("; ")
}

#[derive(Serialize)]
struct SettingsView {
    settings: Vec<SettingView>,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct SettingView {
    key: &'static str,
    value: String,
    origin: String,
    about: &'static str,
    shadowed: Vec<LayerView>,
    ignored: Option<LayerView>,
}

#[derive(Serialize)]
struct LayerView {
    origin: String,
    value: String,
}

impl SettingView {
    fn new(row: &Row) -> Self {
        let layer = |origin: &pacenote_files::config::Origin,
                     value: &pacenote_files::config::Value| {
            LayerView { origin: origin.to_string(), value: value.to_string() }
        };
        Self {
            key: row.key,
            value: row.value.to_string(),
            origin: row.origin.to_string(),
            about: row.about,
            shadowed: row.shadowed.iter().map(|(origin, value)| layer(origin, value)).collect(),
            ignored: row.ignored.as_ref().map(|(origin, value)| layer(origin, value)),
        }
    }
}
