//! Lifecycle rules at work: which are in force here, what they see, and what they do.
//!
//! The rules decide; nothing here knows what a rule is for. A file of the repository is inert until
//! the person trusts exactly its content.

mod acting;
mod facts;
pub mod gates;
pub mod trust;

use std::path::{Path, PathBuf};

use pacenote_files::{Bytes, Links, read_text_if_present};
use pacenote_flow::lifecycle::{
    Action, Facts, Layer, LayerRules, Occasion, Problem, Rules, applies, built_in, built_in_layer,
    merge, read, refusal,
};
use pacenote_hosts::Verdict;
use pacenote_model::{
    AgentName, Event, Happening, HostId, HostName, Project, Record, Session, ToolCall,
    record::Origin,
};

pub(crate) use self::{
    acting::{Acts, Sentence, Stage, Telling, act, drafted},
    facts::{Scenery, facts, occasion_of, variables},
};
use crate::{Desk, EngineError, notes::Base};

/// The file of a repository, relative to its root.
pub const PROJECT_FILE: &str = ".pacenote/lifecycle.yaml";

/// Largest file that is read: more than the reader of rules takes, so that it can say so.
const FILE: Bytes = Bytes::mib(16);

/// The rules that are in force, and what is wrong with those that are not.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The rules of all layers.
    pub rules: Rules,
    /// What is wrong with a file; its layer is left out as a whole.
    pub problems: Vec<Problem>,
    /// The repository's file, when the person does not trust it as it is.
    pub inert: Option<PathBuf>,
}

/// Returns the rules that are in force at a desk; `user` is the person's own file.
pub fn load(desk: &Desk, user: Option<&Path>) -> Result<Loaded, EngineError> {
    let mut loaded = Loaded::default();
    let mut layers = Vec::new();
    if let Some(path) = user
        && let Some(text) = loaded.text(path, Links::Follow)
    {
        loaded.take(&mut layers, &text, path, Layer::User);
    }
    let path = desk.place().root.join(PROJECT_FILE);
    // The file is the repository's: a link in its place could lead anywhere. One that cannot be read
    // must not cost the rules of others.
    let text = loaded.text(&path, Links::Refuse);
    // What was trusted stays in force when the file changes or goes: an agent can do that too.
    let trusted = trust::trusted_text(desk, PROJECT_FILE)?;
    if text.is_some() && text != trusted {
        loaded.inert = Some(path.clone());
    }
    if let Some(text) = trusted {
        loaded.take(&mut layers, &text, &path, Layer::Project);
    }
    if layers.is_empty() {
        // Nothing to put together, which is usual and must cost nothing.
        loaded.rules = built_in();
        return Ok(loaded);
    }
    // What does not go together is left out from the end: a repository's mistake must not cost the
    // person's rules.
    loop {
        match merge(std::iter::once(built_in_layer()).chain(layers.iter().cloned())) {
            Ok(rules) => {
                loaded.rules = rules;
                return Ok(loaded);
            }
            Err(problems) => loaded.problems.extend(problems),
        }
        if layers.pop().is_none() {
            loaded.rules = built_in();
            return Ok(loaded);
        }
    }
}

/// Returns the refusal of a tool by rules of the person that name tools, which hold in every place.
/// Rules about tasks hold only where there are any.
pub(crate) fn refused_anywhere(
    user: Option<&Path>,
    event: &Event,
    tool: &ToolCall,
) -> Option<Verdict> {
    let path = user?;
    let mut loaded = Loaded::default();
    let text = loaded.text(path, Links::Follow)?;
    let rules = read(&text, &path.display().to_string(), Layer::User).ok()?.rules;
    let facts = Facts {
        event: occasion_of(&event.happening).map_or("", Occasion::key).to_owned(),
        plan_mode: event.plan_mode,
        tool: tool.into(),
        ..Facts::default()
    };
    let gates = rules.iter().filter(|rule| {
        rule.enabled
            && rule.on == Occasion::OnBeforeTool
            && matches!(rule.action, Action::BlockTools(_))
    });
    gates.filter(|rule| applies(rule, &facts).applies).find_map(|rule| {
        let reason = refusal(rule, tool, &facts)?.reason;
        Some(Verdict::Deny { reason: format!("{reason} (rule `{}`)", rule.name) })
    })
}

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
        facts: &facts,
        openings: &[],
        session: None,
        records: look.records,
        origin: &origin,
        clock,
    };
    act(rules, on, &stage).telling
}

impl Loaded {
    /// Reads a file of rules; one that cannot be read is a problem and no more.
    fn text(&mut self, path: &Path, links: Links) -> Option<String> {
        match read_text_if_present(path, FILE, links) {
            Ok(text) => text,
            Err(error) => {
                self.problems.push(Problem {
                    file: path.display().to_string(),
                    line: 1,
                    step: None,
                    message: error.to_string(),
                    hint: None,
                });
                None
            }
        }
    }

    fn take(&mut self, layers: &mut Vec<LayerRules>, text: &str, path: &Path, layer: Layer) {
        match read(text, &path.display().to_string(), layer) {
            Ok(rules) => layers.push(rules),
            Err(problems) => self.problems.extend(problems),
        }
    }
}
