//! Gates: rules that refuse, and how a person opens one.

use pacenote_flow::lifecycle::{Rule, Rules};
use pacenote_model::{Effect, Opening, RuleEffect, Session};

use crate::{Clock, Desk, EngineError, error::nearest};

/// A gate, and what the person did about it.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The rule that refuses.
    pub rule: String,
    /// What it says to the agent.
    pub occasion: &'static str,
    /// Whether it is in force.
    pub enabled: bool,
    /// The openings that hold.
    pub openings: Vec<Opening>,
}

/// Returns the gates there are.
pub fn list(desk: &Desk, rules: &Rules) -> Result<Vec<Gate>, EngineError> {
    let openings = openings(desk)?;
    let gates = rules.rules.iter().filter(|rule| rule.action.blocks()).map(|rule| Gate {
        rule: rule.name.clone(),
        occasion: rule.key(),
        enabled: rule.enabled,
        openings: openings.iter().filter(|opening| opening.rule == rule.name).cloned().collect(),
    });
    Ok(gates.collect())
}

/// Opens a gate. The caller has made sure that a person wants this.
pub fn open(
    desk: &mut Desk,
    rules: &Rules,
    rule: &str,
    session: Option<&Session>,
    once: bool,
    clock: Clock,
) -> Result<Opening, EngineError> {
    let rule = find(rules, rule)?.name.clone();
    let session = session.map(|session| session.id);
    let opening = Opening { id: clock.fresh(), rule, session, once, at: clock.now() };
    desk.begin(None)?
        .commit(vec![Effect::Rule(RuleEffect::GateOpened { opening: opening.clone() })])?;
    Ok(opening)
}

/// Closes a gate again.
pub fn close(desk: &mut Desk, rules: &Rules, rule: &str) -> Result<(), EngineError> {
    let rule = find(rules, rule)?.name.clone();
    desk.begin(None)?.commit(vec![Effect::Rule(RuleEffect::GateClosed { rule })])?;
    Ok(())
}

/// Finds a gate by its name.
pub fn find<'r>(rules: &'r Rules, name: &str) -> Result<&'r Rule, EngineError> {
    let gates = || rules.rules.iter().filter(|rule| rule.action.blocks());
    gates().find(|rule| rule.name == name).ok_or_else(|| EngineError::UnknownGate {
        rule: name.chars().take(80).collect(),
        nearest: nearest(name, gates().map(|rule| rule.name.as_str())),
    })
}

fn openings(desk: &Desk) -> Result<Vec<Opening>, EngineError> {
    Ok(match desk.here()? {
        Some(here) => here.store.openings(here.project.id)?,
        None => Vec::new(),
    })
}
