//! Lifecycle rules at work: which are in force here, what they see, and what they do.
//!
//! The rules decide; nothing here knows what a rule is for. A file of the repository is inert until
//! the person trusts exactly its content.

mod acting;
mod facts;
pub mod gates;
mod last_good;
mod loading;
pub mod trust;

use pacenote_flow::lifecycle::{Occasion, Rules};
use pacenote_model::{
    AgentName, Event, Happening, HostId, HostName, Project, Record, Session, record::Origin,
};

pub(crate) use self::last_good::LAST_GOOD;
pub(crate) use self::{
    acting::{Acts, Sentence, Stage, Telling, act, drafted},
    facts::{Scenery, facts, occasion_of, variables},
    loading::{load_without_store, refused_without_store},
};
pub use self::{
    last_good::{keep_last_good, may_refuse_tools},
    loading::{Instead, Loaded, Unsound, load, read_rules},
};
use crate::{Desk, notes::Base};

/// The file of a repository, relative to its root.
pub const PROJECT_FILE: &str = ".pacenote/lifecycle.yaml";

/// A look at what would be told, by somebody who is no hook.
pub(crate) struct Look<'a> {
    pub(crate) desk: &'a Desk,
    pub(crate) project: &'a Project,
    pub(crate) host: &'a HostName,
    pub(crate) agent: Option<&'a AgentName>,
    pub(crate) session: Option<&'a Session>,
    pub(crate) base: &'a Base,
    pub(crate) records: &'a [Record],
    pub(crate) happening: Happening,
    /// Whether a run of a workflow is under way.
    pub(crate) has_runs: bool,
    /// The occasion, where it is not that of the event.
    pub(crate) on: Option<Occasion>,
}

/// Returns what rules would want told at an event.
pub(crate) fn would_tell(rules: &Rules, look: &Look<'_>) -> Telling {
    let Some(host_id) = HostId::parse("none").ok() else { return Telling::default() };
    let event = Event {
        session: look.session.map_or(host_id, |session| session.host_id.clone()),
        directory: look.desk.place().root.display().to_string(),
        transcript: None,
        plan_mode: false,
        subagent: None,
        happening: look.happening.clone(),
    };
    let Some(on) = look.on.or_else(|| occasion_of(&event.happening)) else {
        return Telling::default();
    };
    let mut facts = facts(Scenery {
        event: &event,
        host: look.host,
        agent: look.agent,
        session: look.session.map(|session| session.number),
        epoch: look.session.map_or(0, |session| session.epoch),
        tasks: &look.base.tasks,
        messages: &look.base.messages,
        has_runs: look.has_runs,
        variables: variables(rules, look.records),
    });
    on.key().clone_into(&mut facts.event);
    let clock = look.desk.clock();
    let origin = Origin {
        at: clock.now(),
        host: look.host.clone(),
        host_id: event.session.clone(),
        place: look.project.place.clone(),
        name: look.project.name.clone(),
    };
    let stage = Stage {
        event: &event,
        root: &event.directory,
        facts: &facts,
        openings: &[],
        session: None,
        records: look.records,
        origin: &origin,
        clock,
    };
    act(rules, on, &stage).telling
}
