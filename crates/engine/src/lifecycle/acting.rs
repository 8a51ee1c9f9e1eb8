//! What rules do: chosen ones become what is told, what is noted, and what is refused.
//!
//! Nothing takes place here. What is noted goes to the session's log; what takes longer than a hook
//! may becomes a wish in it.

use pacenote_flow::lifecycle::{
    Action, Facts, Format, Layer, Occasion, Rule, Rules, Source, applies, refusal, render,
};
use pacenote_hosts::Verdict;
use pacenote_model::{
    Event, Handoff, Happening, Opening, Record, SessionId, Trust, Value, Want, Wish, record::Origin,
};

use crate::{Clock, handoffs::is_untouched, secrets};

/// How often in a row an agent is kept from stopping by one rule, whatever the rule says.
const STOPS: usize = 3;

/// Longest note of a rule, in characters.
const NOTE_CHARACTERS: usize = 2000;

/// Longest prompt for a subagent that is remembered until it begins, in characters.
const PROMPT_CHARACTERS: usize = 8000;

/// What rules want at one event.
#[derive(Debug, Default)]
pub(crate) struct Acts {
    /// What is told.
    pub(crate) telling: Telling,
    /// What is noted in the session's log.
    pub(crate) records: Vec<Record>,
    /// What is refused.
    pub(crate) verdict: Option<Verdict>,
    /// Whether what the session would leave behind is to be noted.
    pub(crate) drafts_handoff: bool,
    /// What went wrong, for the failure log.
    pub(crate) troubles: Vec<String>,
}

/// What is told, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Telling {
    /// The sources, each once.
    pub(crate) sources: Vec<Told>,
    /// Sentences of rules.
    pub(crate) notices: Vec<Sentence>,
    /// Texts of rules round what sources say, to be filled in once that is known.
    pub(crate) templates: Vec<Sentence>,
    /// What rules could ask about, for the templates.
    pub(crate) facts: Facts,
}

/// A source that is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// The source.
    pub(crate) source: Source,
    /// How much of it.
    pub(crate) format: Option<Format>,
    /// At most so many items.
    pub(crate) limit: Option<u32>,
    /// Whether a rule's own text tells it.
    pub(crate) in_template: bool,
    /// Whether somebody should know when there is nothing to tell.
    pub(crate) required: bool,
}

/// A sentence of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// The rule.
    pub(crate) rule: String,
    /// How far whoever wrote it may be believed.
    pub(crate) trust: Trust,
    /// What it says.
    pub(crate) text: String,
    /// Whether it is said although it was said before.
    pub(crate) is_repeated: bool,
}

impl Telling {
    /// Tells whether nothing is told.
    pub(crate) fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.notices.is_empty() && self.templates.is_empty()
    }

    /// Returns how a source is told, if it is.
    pub(crate) fn of(&self, source: Source) -> Option<&Told> {
        self.sources.iter().find(|told| told.source == source)
    }

    /// Adds a source that no rule names.
    pub(crate) fn add(&mut self, source: Source) {
        let (format, limit, in_template, required) = (None, None, false, false);
        self.sources.push(Told { source, format, limit, in_template, required });
    }
}

/// The event at which rules act.
pub(crate) struct Stage<'a> {
    /// The event.
    pub(crate) event: &'a Event,
    /// The top of the worktree whose rules hold; the event may have happened elsewhere.
    pub(crate) root: &'a str,
    /// What rules may ask about.
    pub(crate) facts: &'a Facts,
    /// The gates that the person opened.
    pub(crate) openings: &'a [Opening],
    /// The session, once it is known.
    pub(crate) session: Option<SessionId>,
    /// What the log says so far.
    pub(crate) records: &'a [Record],
    /// Where notes come from.
    pub(crate) origin: &'a Origin,
    /// The clock, for ids.
    pub(crate) clock: Clock,
}

/// Returns how far the text of a rule may be believed.
const fn trust_in(layer: Layer) -> Trust {
    match layer {
        Layer::BuiltIn => Trust::System,
        Layer::User => Trust::User,
        Layer::Project => Trust::Project,
    }
}

/// Lets the rules of an occasion act.
pub(crate) fn act(rules: &Rules, on: Occasion, stage: &Stage<'_>) -> Acts {
    let mut acts = Acts::default();
    // A rule sees what those before it set.
    let mut facts = stage.facts.clone();
    for rule in rules.on(on) {
        let applied = applies(rule, &facts);
        if let Some(error) = applied.error {
            acts.troubles.push(format!("rule `{}`: {error}", rule.name));
        }
        if !applied.applies {
            continue;
        }
        acts.take(rule, &facts, stage);
        if let Some(Record::Set { variable, value, .. }) = acts.records.last() {
            facts.variables.insert(variable.clone(), value.clone());
        }
    }
    if let Happening::BeforeTool { tool } = &stage.event.happening
        && let (Some(agent_type), Some(prompt)) = (&tool.agent_type, &tool.prompt)
        && acts.verdict.is_none()
    {
        let prompt = secrets::without_secrets(&capped(prompt, PROMPT_CHARACTERS));
        let (from, agent_type) = (stage.origin.clone(), agent_type.clone());
        acts.records.push(Record::Asked { from, agent_type, prompt });
    }
    acts
}

impl Acts {
    fn take(&mut self, rule: &Rule, facts: &Facts, stage: &Stage<'_>) {
        let from = || stage.origin.clone();
        match &rule.action {
            Action::InjectContext(inject) => {
                for source in &inject.sources {
                    if self.telling.of(*source).is_none() && inject.format != Some(Format::None) {
                        self.telling.sources.push(Told {
                            source: *source,
                            format: inject.format,
                            limit: inject.limit,
                            in_template: inject.template.is_some(),
                            required: inject.require,
                        });
                    }
                }
                if let Some(template) = &inject.template {
                    let (trust, text) = (trust_in(rule.layer), template.clone());
                    let rule = rule.name.clone();
                    self.telling.templates.push(Sentence { rule, trust, text, is_repeated: false });
                    self.telling.facts = facts.clone();
                }
            }
            Action::InjectMessage { content } => self.say(rule, content, facts),
            Action::SetVariable { variable, value } => {
                let (variable, value) = (variable.clone(), value.clone());
                self.records.push(Record::Set { from: from(), variable, value });
            }
            Action::IncrementVariable { variable, amount } => {
                let before = match facts.variables.get(variable) {
                    Some(Value::Number(number)) => *number,
                    Some(Value::Bool(_) | Value::Text(_)) | None => 0,
                };
                let value = Value::Number(before.saturating_add(*amount));
                let variable = variable.clone();
                self.records.push(Record::Set { from: from(), variable, value });
            }
            Action::RequireActiveTask { .. } | Action::BlockTools(_) => {
                self.guard_tool(rule, facts, stage);
            }
            Action::BlockStop { reason, limit } => {
                self.guard_stop(rule, reason, *limit, facts, stage);
            }
            Action::MarkSessionStatus { status } => {
                self.records.push(Record::Marked { from: from(), status: *status });
            }
            // Who did nothing leaves nothing, and must not stand before what others left.
            Action::ExtractHandoff if stage.ends_untouched() => {}
            Action::ExtractHandoff => {
                self.drafts_handoff = true;
                self.wish(Want::Handoff, stage);
            }
            Action::CaptureArtifact { glob, artifact } => {
                let (glob, name) = (glob.clone(), artifact.clone());
                let step = stage.event.word().to_owned();
                self.wish(Want::Artifact { glob, name, step }, stage);
            }
            Action::Observe { category, message } => {
                match render(message, &std::collections::BTreeMap::new(), facts) {
                    Ok(text) => {
                        let message = secrets::without_secrets(&capped(&text, NOTE_CHARACTERS));
                        let category = category.clone();
                        self.records.push(Record::Observed { from: from(), category, message });
                    }
                    Err(error) => self.troubles.push(format!("rule `{}`: {error}", rule.name)),
                }
            }
            Action::Run { argv } => {
                let (rule, argv) = (rule.name.clone(), argv.clone());
                self.wish(Want::Run { rule, argv }, stage);
            }
        }
    }

    fn say(&mut self, rule: &Rule, template: &str, facts: &Facts) {
        match render(template, &std::collections::BTreeMap::new(), facts) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => {
                let (name, trust) = (rule.name.clone(), trust_in(rule.layer));
                self.telling.notices.push(Sentence { rule: name, trust, text, is_repeated: false });
            }
            Err(error) => self.troubles.push(format!("rule `{}`: {error}", rule.name)),
        }
    }

    fn guard_tool(&mut self, rule: &Rule, facts: &Facts, stage: &Stage<'_>) {
        let Happening::BeforeTool { tool } = &stage.event.happening else { return };
        let Some(refused) = refusal(rule, tool, facts) else { return };
        if let Some(opening) = stage.open(&rule.name) {
            let from = stage.origin.clone();
            self.records.push(Record::Passed { from, opening: opening.id });
            return;
        }
        let (from, what) = (stage.origin.clone(), secrets::without_secrets(&tool.name));
        self.records.push(Record::Refused { from, rule: rule.name.clone(), what });
        let reason = format!(
            "{} (rule `{rule}`; a person opens it with `pacenote allow {rule}`)",
            refused.reason,
            rule = rule.name
        );
        self.verdict.get_or_insert(Verdict::Deny { reason });
    }

    /// Keeps the agent from stopping, unless it was kept often enough: an agent is never wedged.
    fn guard_stop(
        &mut self,
        rule: &Rule,
        reason: &str,
        limit: u8,
        facts: &Facts,
        stage: &Stage<'_>,
    ) {
        if let Some(opening) = stage.open(&rule.name) {
            let from = stage.origin.clone();
            self.records.push(Record::Passed { from, opening: opening.id });
            return;
        }
        let limit = usize::from(limit).min(STOPS);
        let so_far = stops_in_a_row(stage.records, &rule.name);
        if so_far >= limit {
            let said = format!("rule `{}` let the agent stop after {so_far} refusals", rule.name);
            self.troubles.push(said);
            return;
        }
        // A reason that cannot be written must not open the gate.
        let said = render(reason, &std::collections::BTreeMap::new(), facts)
            .unwrap_or_else(|_| reason.to_owned());
        let (from, what) = (stage.origin.clone(), "stop".to_owned());
        self.records.push(Record::Refused { from, rule: rule.name.clone(), what });
        let count = so_far + 1;
        let reason = format!("{said} (rule `{}`, {count} of {limit})", rule.name);
        self.verdict.get_or_insert(Verdict::GoOn { reason });
    }

    fn wish(&mut self, want: Want, stage: &Stage<'_>) {
        let Origin { host, host_id, .. } = stage.origin.clone();
        let directory = stage.root.to_owned();
        // The worker would need the path as it is, and a secret in it must not be stored.
        if secrets::kind_in(&directory).is_some() {
            return;
        }
        let wish = Wish { id: stage.clock.fresh(), host, host_id, directory, want };
        self.records.push(Record::Wished { from: stage.origin.clone(), wish });
    }
}

impl Stage<'_> {
    /// Tells whether a session ends in which nothing happened.
    fn ends_untouched(&self) -> bool {
        matches!(self.event.happening, Happening::SessionEnd { .. }) && is_untouched(self.records)
    }

    /// Returns what keeps a gate open for this session.
    fn open(&self, rule: &str) -> Option<&Opening> {
        let is_used = |opening: &Opening| {
            opening.once
                && self.records.iter().any(
                    |record| matches!(record, Record::Passed { opening: used, .. } if *used == opening.id),
                )
        };
        self.openings.iter().find(|opening| {
            let is_for_us = opening.session.is_none_or(|session| Some(session) == self.session);
            opening.rule == rule && is_for_us && !is_used(opening)
        })
    }
}

/// Counts how often a rule kept the agent from stopping since it was last asked something.
fn stops_in_a_row(records: &[Record], rule: &str) -> usize {
    let since = records
        .iter()
        .rposition(|record| matches!(record, Record::Seen { event, .. } if event == PROMPT));
    let records = records.iter().skip(since.map_or(0, |place| place + 1));
    let is_stop = |record: &&Record| matches!(record, Record::Refused { rule: name, what, .. } if name == rule && what == "stop");
    records.filter(is_stop).count()
}

/// The word of the event with which an agent is asked something.
const PROMPT: &str = "prompt";

fn capped(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

/// Returns what a session would leave behind, for the log.
pub(crate) fn drafted(handoff: Handoff, origin: &Origin) -> Record {
    let mut count = 0;
    let handoff = Box::new(secrets::handoff_without(handoff, &mut count));
    Record::Drafted { from: origin.clone(), handoff }
}
