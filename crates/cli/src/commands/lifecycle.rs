//! `pacenote lifecycle`: what happens at each moment of an agent's life.

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Subcommand};
use pacenote_context::inert;
use pacenote_engine::rules::{self, Loaded, read_rules};
use pacenote_files::{Bytes, Links, read_text};
use pacenote_flow::lifecycle::{
    BUILT_IN_TEXT, CheckedRules, Layer, Problem, Rule, RulesText, check as rules_check, schema,
};
use pacenote_store::Access;
use serde::Serialize;

use super::columns;
use crate::{arguments::JsonFlag, environment::Environment, failure::Failure, output::Output};

/// Largest file that is read: the reader of rules refuses far smaller ones, with a reason.
const FILE: Bytes = Bytes::mib(16);

#[derive(Debug, Args)]
pub(crate) struct LifecycleArguments {
    #[command(subcommand)]
    verb: LifecycleCommand,
}

#[derive(Debug, Subcommand)]
enum LifecycleCommand {
    /// Show the rules in force, in the order in which they are asked
    Show(ShowArguments),
    /// Find everything that is wrong with files of rules
    Check(CheckArguments),
    /// Print the JSON Schema of a file of rules
    Schema,
}

#[derive(Debug, Args)]
struct ShowArguments {
    /// Print the rules that come with pacenote, as a file to begin with
    #[arg(long, conflicts_with = "json")]
    built_in: bool,
    #[command(flatten)]
    json: JsonFlag,
}

#[derive(Debug, Args)]
struct CheckArguments {
    /// The files; those of the person and of this project without any
    files: Vec<PathBuf>,
    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &LifecycleArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    match &arguments.verb {
        LifecycleCommand::Show(show) if show.built_in => output.text(BUILT_IN_TEXT)?,
        LifecycleCommand::Show(asked) => show(environment, asked, output)?,
        LifecycleCommand::Check(asked) => return check(environment, asked, output),
        LifecycleCommand::Schema => output.json(&schema())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the rules in force where the command runs.
pub(super) fn load(environment: &Environment) -> Result<Loaded, Failure> {
    let desk = environment.desk(Access::Read)?;
    Ok(rules::load(&desk, environment.rules_file().as_deref())?)
}

fn show(
    environment: &Environment,
    asked: &ShowArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let loaded = load(environment)?;
    remark(&loaded, output);
    if asked.json.json {
        let rules = loaded.rules.rules.iter().map(RuleView::new).collect();
        return output.json(&RulesView { variables: &loaded.rules.variables, rules });
    }
    let rows: Vec<[String; 5]> = loaded
        .rules
        .rules
        .iter()
        .map(|rule| {
            let view = RuleView::new(rule);
            let state = if rule.enabled { "on" } else { "off" };
            let when = view.when.map_or_else(String::new, |when| format!("when {when}"));
            [view.on, view.name, state, view.layer, &when].map(inert)
        })
        .collect();
    output.text(&columns(&rows))
}

/// Says what keeps rules from being in force.
pub(super) fn remark(loaded: &Loaded, output: &mut Output) {
    for warning in loaded.warnings().into_iter().chain(loaded.remarks()) {
        output.warn(&inert(&warning));
    }
    if let Some(path) = &loaded.inert {
        let path = inert(&path.display().to_string());
        output.warn(&format!("`{path}` is not trusted, so its rules are not in force"));
        output.say("`pacenote trust status` shows it, `pacenote trust approve` takes it into use");
    }
}

fn check(
    environment: &Environment,
    asked: &CheckArguments,
    output: &mut Output,
) -> Result<ExitCode, Failure> {
    let checked = if asked.files.is_empty() {
        let desk = environment.desk(Access::Read)?;
        let project = desk.place().root.join(rules::PROJECT_FILE);
        let layers = [(environment.rules_file(), Layer::User), (Some(project), Layer::Project)];
        let files: Vec<(PathBuf, Layer)> =
            layers.into_iter().filter_map(|(path, layer)| Some((path?, layer))).collect();
        check_files(&files, Missing::Fine)?
    } else {
        let files: Vec<_> = asked.files.iter().map(|path| (path.clone(), Layer::User)).collect();
        check_files(&files, Missing::Wrong)?
    };
    let CheckedRules { problems, warnings } = &checked;
    let code = if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) };
    if asked.json.json {
        let [problems, warnings] =
            [problems, warnings].map(|found| found.iter().map(ProblemView::new).collect());
        output.json(&ProblemsView { problems, warnings })?;
        return Ok(code);
    }
    if problems.is_empty() {
        output.text("no problems found")?;
    }
    for problem in problems {
        output.text(&inert(&problem.to_string()))?;
        if let Some(hint) = &problem.hint {
            output.text(&format!("  hint: {}", inert(hint)))?;
        }
    }
    for warning in warnings {
        output.warn(&inert(&warning.to_string()));
        if let Some(hint) = &warning.hint {
            output.say(&format!("  hint: {}", inert(hint)));
        }
    }
    Ok(code)
}

/// Whether a file must be there.
#[derive(Clone, Copy)]
enum Missing {
    Fine,
    Wrong,
}

/// Returns everything that is wrong with files, by themselves and all of them together.
fn check_files(files: &[(PathBuf, Layer)], missing: Missing) -> Result<CheckedRules, Failure> {
    let (mut unreadable, mut texts) = (Vec::new(), Vec::new());
    for (path, layer) in files {
        let text = match missing {
            Missing::Fine => read_rules(path, Links::Follow),
            Missing::Wrong => Ok(Some(read_text(path, FILE, Links::Follow)?)),
        };
        match text {
            Ok(None) => {}
            Ok(Some(text)) => texts.push((path.display().to_string(), *layer, text)),
            Err(problem) => unreadable.push(problem),
        }
    }
    let read = texts.iter().map(|(file, layer, text)| RulesText { file, layer: *layer, text });
    let CheckedRules { problems, warnings } = rules_check(&read.collect::<Vec<_>>());
    Ok(CheckedRules { problems: unreadable.into_iter().chain(problems).collect(), warnings })
}

#[derive(Serialize)]
struct RulesView<'a> {
    variables: &'a std::collections::BTreeMap<String, pacenote_model::Value>,
    rules: Vec<RuleView<'a>>,
}

#[derive(Serialize)]
struct RuleView<'a> {
    name: &'a str,
    on: &'static str,
    layer: &'static str,
    line: usize,
    enabled: bool,
    when: Option<&'a str>,
    does: &'a pacenote_flow::lifecycle::Action,
}

impl<'a> RuleView<'a> {
    fn new(rule: &'a Rule) -> Self {
        let Rule { name, layer, line, on: _, enabled, when, action } = rule;
        let layer = match layer {
            Layer::BuiltIn => "built-in",
            Layer::User => "user",
            Layer::Project => "project",
        };
        let (on, enabled, when) = (rule.key(), *enabled, when.as_deref());
        Self { name, on, layer, line: *line, enabled, when, does: action }
    }
}

#[derive(Serialize)]
struct ProblemsView<'a> {
    problems: Vec<ProblemView<'a>>,
    warnings: Vec<ProblemView<'a>>,
}

#[derive(Serialize)]
struct ProblemView<'a> {
    file: &'a str,
    line: usize,
    message: &'a str,
    hint: Option<&'a str>,
}

impl<'a> ProblemView<'a> {
    fn new(problem: &'a Problem) -> Self {
        let Problem { file, line, message, hint, .. } = problem;
        Self { file, line: *line, message, hint: hint.as_deref() }
    }
}
