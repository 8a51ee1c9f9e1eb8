//! `pacenote allow`: opens a gate, which only a person can do.

use clap::Args;
use pacenote_context::inert;
use pacenote_engine::{
    Clock,
    lifecycle::gates::{self, Gate},
    runs,
    sessions::{self, SessionRef},
};
use pacenote_store::Access;
use serde::Serialize;

use super::{columns, lifecycle};
use crate::{arguments::JsonFlag, environment::Environment, failure::Failure, output::Output};

#[derive(Debug, Args)]
pub(crate) struct AllowArguments {
    /// The rule that refuses; without one, the gates there are
    rule: Option<String>,
    /// Only for this session: `#3`, its UUID or the client's own id of it
    #[arg(long, value_name = "SESSION", requires = "rule")]
    session: Option<String>,
    /// Let only one thing pass
    #[arg(long, requires = "rule")]
    once: bool,
    /// Close the gate again
    #[arg(long, requires = "rule", conflicts_with_all = ["once", "session"])]
    close: bool,
    /// Say yes for the person who runs this
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(
    environment: &Environment,
    arguments: &AllowArguments,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut loaded = lifecycle::load(environment)?;
    loaded.rules.rules.extend(runs::gates(&environment.desk(Access::Read)?)?);
    lifecycle::remark(&loaded, output);
    let Some(rule) = &arguments.rule else {
        let gates = gates::list(&environment.desk(Access::Read)?, &loaded.rules)?;
        return show(&gates, arguments.json, output);
    };
    let mut desk = environment.desk(Access::Write)?;
    if arguments.close {
        gates::close(&mut desk, &loaded.rules, rule)?;
    } else {
        let session = match arguments.session.as_deref() {
            Some(raw) => {
                sessions::ingest_one(&mut desk, raw)?;
                Some(sessions::find(&desk, &SessionRef::Ours(raw))?)
            }
            None => None,
        };
        gates::find(&loaded.rules, rule)?;
        let whom = session.as_ref().map_or_else(
            || "all sessions of this project".to_owned(),
            |session| format!("session {}", session.number),
        );
        let often = if arguments.once { "once" } else { "until you close it" };
        let question = format!("Open `{}` for {whom}, {often}?", inert(rule));
        environment.consent(arguments.yes, &question)?;
        gates::open(
            &mut desk,
            &loaded.rules,
            rule,
            session.as_ref(),
            arguments.once,
            Clock::System,
        )?;
    }
    let gates = gates::list(&desk, &loaded.rules)?;
    let gates: Vec<Gate> = gates.into_iter().filter(|gate| gate.rule == *rule).collect();
    show(&gates, arguments.json, output)
}

fn show(gates: &[Gate], json: JsonFlag, output: &mut Output) -> Result<(), Failure> {
    if json.json {
        return output.json(&GatesView { gates: gates.iter().map(GateView::new).collect() });
    }
    if gates.is_empty() {
        output.say("no rule refuses anything");
        return Ok(());
    }
    let rows: Vec<[String; 3]> = gates
        .iter()
        .map(|gate| [inert(&gate.rule), gate.occasion.to_owned(), state(gate).to_owned()])
        .collect();
    output.text(&columns(&rows))
}

fn state(gate: &Gate) -> &'static str {
    match (gate.enabled, gate.openings.is_empty()) {
        (false, _) => "off",
        (true, true) => "closed",
        (true, false) => "open",
    }
}

#[derive(Serialize)]
struct GatesView<'a> {
    gates: Vec<GateView<'a>>,
}

#[derive(Serialize)]
struct GateView<'a> {
    rule: &'a str,
    on: &'static str,
    state: &'static str,
    openings: Vec<OpeningView>,
}

#[derive(Serialize)]
struct OpeningView {
    session: Option<String>,
    once: bool,
    at: String,
}

impl<'a> GateView<'a> {
    fn new(gate: &'a Gate) -> Self {
        let openings = gate.openings.iter().map(|opening| OpeningView {
            session: opening.session.map(|session| session.to_string()),
            once: opening.once,
            at: opening.at.to_string(),
        });
        let openings = openings.collect();
        Self { rule: &gate.rule, on: gate.occasion, state: state(gate), openings }
    }
}
