//! What rules do: chosen ones become what is told, what is noted, and what is refused.
//!
//! Nothing takes place here. What is noted goes to the session's log; what takes longer than a hook
//! may becomes a wish in it.

use pacenote_flow::lifecycle::{
    Action, Facts, Format, Layer, Rule, Source, applies, names_in, refusal, render,
};
use pacenote_hosts::Verdict;
use pacenote_model::{
    EventBody, EventKind, Handoff, Opening, Record, Trust, Value, Want, Wish, guard, record::Origin,
};

use pacenote_skill::digest::digest_of;

use crate::{
    EngineError,
    handoffs::is_untouched,
    secrets,
    situation::Situation,
    subagents::PROMPT_CHARACTERS,
    wanted::{RuleSentence, Wanted, WantedSource},
};

/// How often in a row an agent is kept from stopping by one rule, whatever the rule says.
const STOPS: usize = 3;

/// Longest note of a rule, in characters.
const NOTE_CHARACTERS: usize = 2000;

/// What rules want at one event.
#[derive(Debug, Default)]
pub(crate) struct Acts {
    pub(crate) wanted: Wanted,
    /// What is recorded in the session's log.
    pub(crate) records: Vec<Record>,
    pub(crate) verdict: Option<Verdict>,
    /// Whether what the session would leave behind is recorded.
    pub(crate) drafts_handoff: bool,
    /// What went wrong, for the failure log.
    pub(crate) troubles: Vec<String>,
}

/// Adds to a refusal that its rule refuses only because its condition has no answer.
fn say_why_closed(verdict: &mut Verdict, rule: &Rule) {
    let (Verdict::Deny { reason } | Verdict::GoOn { reason }) = verdict;
    // Another rule may have refused before.
    if reason.contains(&format!("rule `{}`", rule.name)) {
        reason.push_str(
            ". The condition of this rule cannot be answered, so it refuses: the person can see what \
             to fix with `pacenote lifecycle check`",
        );
    }
}

/// Returns how far the text of a rule may be believed.
const fn trust_in(layer: Layer) -> Trust {
    match layer {
        Layer::BuiltIn => Trust::System,
        Layer::User => Trust::User,
        Layer::Project => Trust::Project,
    }
}

/// Lets the rules of a kind of event act.
pub(crate) fn act(
    situation: &Situation<'_>,
    on: EventKind,
    facts: &Facts,
) -> Result<Acts, EngineError> {
    let mut acts = Acts::default();
    // A rule sees what those before it set.
    let mut facts = facts.clone();
    for rule in situation.rules()?.rules.on(on) {
        let applied = applies(rule, &facts);
        let is_broken = applied.error.is_some();
        if let Some(error) = applied.error {
            acts.troubles.push(format!("rule `{}`: {error}", rule.name));
        }
        if !applied.applies {
            continue;
        }
        acts.take(rule, &facts, situation)?;
        if is_broken && let Some(verdict) = &mut acts.verdict {
            say_why_closed(verdict, rule);
        }
        if let Some(Record::Set { variable, value, .. }) = acts.records.last() {
            facts.variables.insert(variable.clone(), value.clone());
        }
    }
    if let EventBody::BeforeTool { tool } = &situation.event.body
        && let Some(prompt) = &tool.prompt
        && acts.verdict.is_none()
    {
        let prompt = capped(&secrets::without_secrets(prompt), PROMPT_CHARACTERS);
        // The type may be left out; the client then starts one for everything.
        let (from, agent_type) = (situation.origin()?, tool.agent_type.clone().unwrap_or_default());
        acts.records.push(Record::Asked { from, agent_type, prompt });
    }
    Ok(acts)
}

impl Acts {
    fn take(
        &mut self,
        rule: &Rule,
        facts: &Facts,
        situation: &Situation<'_>,
    ) -> Result<(), EngineError> {
        let from = || situation.origin();
        match &rule.action {
            Action::InjectContext(inject) => {
                let template = inject.template.as_deref().map(names_in);
                let named = template.and_then(Result::ok).unwrap_or_default();
                // A text may name a source that its rule does not list.
                let named = named.iter().filter_map(|name| Source::from_word(name));
                let named = named.filter(|source| !inject.sources.contains(source));
                for source in inject.sources.iter().copied().chain(named) {
                    if inject.format != Some(Format::None) {
                        self.wanted.add(WantedSource {
                            source,
                            format: inject.format,
                            limit: inject.limit,
                            in_template: inject.template.is_some(),
                            is_required: inject.require && inject.sources.contains(&source),
                        });
                    }
                }
                if let Some(template) = &inject.template {
                    let (trust, text) = (trust_in(rule.layer), template.clone());
                    let (rule, is_repeated) = (rule.name.clone(), false);
                    self.wanted.templates.push(RuleSentence { rule, trust, text, is_repeated });
                    self.wanted.facts = facts.clone();
                }
            }
            Action::InjectMessage { content } => self.say(rule, content, facts),
            Action::SetVariable { variable, value } => {
                let (variable, value) = (variable.clone(), value.clone());
                self.records.push(Record::Set { from: from()?, variable, value });
            }
            Action::IncrementVariable { variable, amount } => {
                let before = match facts.variables.get(variable) {
                    Some(Value::Number(number)) => *number,
                    Some(Value::Bool(_) | Value::Text(_)) | None => 0,
                };
                let value = Value::Number(before.saturating_add(*amount));
                let variable = variable.clone();
                self.records.push(Record::Set { from: from()?, variable, value });
            }
            Action::RequireActiveTask { .. } | Action::BlockTools(_) => {
                self.guard_tool(rule, facts, situation)?;
            }
            Action::BlockStop { reason, limit } => {
                self.guard_stop(rule, reason, *limit, facts, situation)?;
            }
            Action::MarkSessionStatus { status } => {
                self.records.push(Record::Marked { from: from()?, status: *status });
            }
            // Who did nothing leaves nothing, and must not stand before what others left.
            Action::ExtractHandoff if ends_untouched(situation)? => {}
            Action::ExtractHandoff => {
                self.drafts_handoff = true;
                self.wish(Want::Handoff, situation)?;
            }
            Action::CaptureArtifact { glob, artifact } => {
                let (glob, name) = (glob.clone(), artifact.clone());
                let step = situation.event.word().to_owned();
                self.wish(Want::Artifact { glob, name, step }, situation)?;
            }
            Action::Observe { category, message } => {
                match render(message, &std::collections::BTreeMap::new(), facts) {
                    Ok(text) => {
                        let message = capped(&secrets::without_secrets(&text), NOTE_CHARACTERS);
                        let category = category.clone();
                        self.records.push(Record::Observed { from: from()?, category, message });
                    }
                    Err(error) => self.troubles.push(format!("rule `{}`: {error}", rule.name)),
                }
            }
            Action::Run { argv } => {
                let program = Some(digest_of(argv.join("\0").as_bytes()));
                self.wish(Want::Run { rule: rule.name.clone(), program }, situation)?;
            }
        }
        Ok(())
    }

    fn say(&mut self, rule: &Rule, template: &str, facts: &Facts) {
        match render(template, &std::collections::BTreeMap::new(), facts) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => {
                let (name, trust) = (rule.name.clone(), trust_in(rule.layer));
                let sentence = RuleSentence { rule: name, trust, text, is_repeated: false };
                self.wanted.sentences.push(sentence);
            }
            Err(error) => self.troubles.push(format!("rule `{}`: {error}", rule.name)),
        }
    }

    fn guard_tool(
        &mut self,
        rule: &Rule,
        facts: &Facts,
        situation: &Situation<'_>,
    ) -> Result<(), EngineError> {
        let EventBody::BeforeTool { tool } = &situation.event.body else { return Ok(()) };
        let Some(refused) = refusal(rule, tool, facts) else { return Ok(()) };
        let from = situation.origin()?;
        if let Some(opening) = find_opening(situation, &rule.name)? {
            self.records.push(Record::Passed { from, opening: opening.id });
            return Ok(());
        }
        let what = secrets::without_secrets(&tool.name);
        self.records.push(Record::Refused { from, rule: rule.name.clone(), what });
        let reason = format!(
            "{} (rule `{rule}`; a person opens it with `pacenote allow {rule}`)",
            refused.reason,
            rule = rule.name
        );
        self.verdict.get_or_insert(Verdict::Deny { reason });
        Ok(())
    }

    /// Keeps the agent from stopping, unless it was kept often enough: an agent is never wedged.
    fn guard_stop(
        &mut self,
        rule: &Rule,
        reason: &str,
        limit: u8,
        facts: &Facts,
        situation: &Situation<'_>,
    ) -> Result<(), EngineError> {
        let from = situation.origin()?;
        if let Some(opening) = find_opening(situation, &rule.name)? {
            self.records.push(Record::Passed { from, opening: opening.id });
            return Ok(());
        }
        let limit = usize::from(limit).min(STOPS);
        let so_far = stops_in_a_row(situation.records()?, &rule.name);
        // That is how it is meant: nobody has to be told.
        if so_far >= limit {
            return Ok(());
        }
        // A reason that cannot be written must not open the gate.
        let said = render(reason, &std::collections::BTreeMap::new(), facts)
            .unwrap_or_else(|_| reason.to_owned());
        let what = "stop".to_owned();
        self.records.push(Record::Refused { from, rule: rule.name.clone(), what });
        let count = so_far + 1;
        let reason = format!("{said} (rule `{}`, {count} of {limit})", rule.name);
        self.verdict.get_or_insert(Verdict::GoOn { reason });
        Ok(())
    }

    fn wish(&mut self, want: Want, situation: &Situation<'_>) -> Result<(), EngineError> {
        let from = situation.origin()?;
        let directory = situation.root_text().to_owned();
        // The worker would need the path as it is, and a secret in it must not be stored.
        if secrets::kind_in(&directory).is_some() {
            return Ok(());
        }
        let (host, host_id) = (from.host.clone(), from.host_id.clone());
        let wish = Wish { id: situation.clock().fresh(), host, host_id, directory, want };
        self.records.push(Record::Wished { from, wish });
        Ok(())
    }
}

/// Reports whether a session ends in which nothing happened.
fn ends_untouched(situation: &Situation<'_>) -> Result<bool, EngineError> {
    let is_end = matches!(situation.event.body, EventBody::SessionEnd { .. });
    Ok(is_end && is_untouched(situation.records()?))
}

/// Returns what keeps a gate open for this session.
fn find_opening<'s>(
    situation: &'s Situation<'_>,
    rule: &str,
) -> Result<Option<&'s Opening>, EngineError> {
    let session = situation.session()?.map(|session| session.id);
    let records = situation.records()?;
    let is_used = |opening: &Opening| {
        let is_passing = |record: &Record| matches!(record, Record::Passed { opening: used, .. } if *used == opening.id);
        records.iter().any(is_passing)
    };
    let passes = |one: &&Opening| guard::passes(one, rule, session, is_used(one));
    Ok(situation.openings()?.iter().find(passes))
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

/// Returns the record of what a session would leave behind.
pub(crate) fn draft_record(handoff: Handoff, from: Origin) -> Record {
    let mut count = 0;
    let handoff = Box::new(secrets::handoff_without(handoff, &mut count));
    Record::Drafted { from, handoff }
}
