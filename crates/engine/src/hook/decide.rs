//! The second phase: what rules want at an event, how much of it the reader needs, and what it takes
//! over from another session.

use std::path::Path;

use pacenote_context::{
    delivery::{Arrival, Decision, KnownBy},
    fragments::RunExtent,
};
use pacenote_files::{Bytes, Links, read_end};
use pacenote_flow::lifecycle::{Facts, Source};
use pacenote_hosts::Host;
use pacenote_model::{
    Event, EventBody, EventKind, Forest, Record, SessionId, ToolClass, receipt::PARTS,
};

use super::{HookCall, phases::Reading, request};
use crate::{
    EngineError,
    briefing::{find_changed_runs, has_unseen_skill, is_position_known},
    handoffs::Left,
    lifecycle::{Acts, act, facts},
    records::text_in,
    runs::RunNote,
    wanted::{RuleSentence, Wanted, WantedSource},
};

/// How much of a transcript is looked at for a text that may have arrived: it would be near the end.
const TRANSCRIPT: Bytes = Bytes::mib(2);

/// What is decided about an event.
pub(super) struct Decided {
    pub(super) decision: Decision,
    /// What rules do.
    pub(super) acts: Acts,
    /// What rules could ask about.
    pub(super) facts: Facts,
    /// Whether no other process has recorded the event.
    pub(super) is_first: bool,
    /// Whether a context begins with it.
    pub(super) begins_epoch: bool,
    /// Sentences that wait for an event whose answer carries text.
    pub(super) deferred: Vec<RuleSentence>,
    /// What is known from before the context began.
    pub(super) left: Option<Left>,
    /// The sessions whose handoffs are taken with that, now and not before.
    pub(super) taken: Vec<SessionId>,
}

/// Returns the epoch in which an event is answered.
const fn epoch_of(decision: &Decision) -> u32 {
    match decision {
        Decision::Repeat { epoch, .. }
        | Decision::Full { epoch }
        | Decision::Delta { epoch }
        | Decision::News { epoch, .. }
        | Decision::Silence { epoch } => *epoch,
    }
}

impl Reading<'_> {
    pub(super) fn decide(&self) -> Result<Decided, EngineError> {
        let Self { call, situation, standing, .. } = self;
        let begins_epoch = request::begins(self)?;
        let arrival = Arrival {
            payload: &self.payload,
            known_by: self.known_by(),
            at: situation.origin()?.at,
            part: call.part.part,
            begins_epoch,
            may_follow_no_turn: self.may_follow_no_turn(),
        };
        let decision = standing.decide(&arrival, &|emission| self.has_arrived(emission));
        let decision = request::leave_to_requests(self, decision);
        let facts = facts(situation, epoch_of(&decision))?;
        let mut acts = act(situation, situation.event.kind(), &facts)?;
        self.add_deferred(&mut acts.wanted)?;
        self.add_reminders(&mut acts.wanted)?;
        self.add_unseen_steps(&mut acts.wanted)?;
        self.add_changed_place(&mut acts.wanted, &facts)?;
        // Only what is injected may be asked for twice; everything else happens as often as it is
        // said.
        let is_first = !situation.event.tells() || !standing.is_recorded(&arrival);
        let deferred = if is_first { self.defer(&mut acts) } else { Vec::new() };
        let (mut left, mut taken) = (None, Vec::new());
        if let Decision::Full { .. } = decision {
            self.add_beginning(&mut acts, &facts)?;
            if self.injects(&acts.wanted) && acts.wanted.of(Source::Handoff).is_some() {
                match self.take_left() {
                    Ok(found) => (left, taken) = found,
                    // The rest of the notes is worth more; the handoff waits for the next session.
                    Err(error) => acts.troubles.push(error.to_string()),
                }
            }
        }
        Ok(Decided { decision, acts, facts, is_first, begins_epoch, deferred, left, taken })
    }

    /// Decides without the log: everything is injected, and nothing is taken from anybody.
    pub(super) fn decide_unrecorded(&self) -> Result<Decided, EngineError> {
        let facts = facts(&self.situation, self.situation.epoch()?.max(1))?;
        let mut acts = act(&self.situation, self.situation.event.kind(), &facts)?;
        self.add_beginning(&mut acts, &facts)?;
        Ok(Decided {
            decision: Decision::Full { epoch: 0 },
            acts,
            facts,
            is_first: false,
            begins_epoch: false,
            deferred: Vec::new(),
            // Nobody could say later who has it.
            left: None,
            taken: Vec::new(),
        })
    }

    /// Reports whether the transcript shows all of an emission; `None` when there is nothing to look
    /// at.
    fn has_arrived(&self, emission: &str) -> Option<bool> {
        let transcript = self.situation.event.transcript.as_ref()?;
        let end = read_end(Path::new(transcript), TRANSCRIPT, Links::Refuse).ok()?;
        let end = String::from_utf8_lossy(&end);
        let texts = (1..=PARTS).map_while(|part| text_in(&self.lines, emission, part));
        let mut texts = texts.peekable();
        texts.peek()?;
        let host = self.call.host;
        Some(texts.all(|text| end.lines().any(|line| host.shows(line, &text))))
    }

    /// Returns what makes this event one of its own.
    fn known_by(&self) -> KnownBy {
        let HookCall { host, event, payload, .. } = self.call;
        if host.names_event(event.kind(), payload) { KnownBy::OwnId } else { KnownBy::Place }
    }

    /// Reports whether the host may have forgotten the prompt before this one.
    fn may_follow_no_turn(&self) -> bool {
        let is_prompt = self.situation.event.kind() == EventKind::Prompt;
        is_prompt && Host::takes_prompts_back(self.call.host)
    }

    /// Reports whether the answer carries what is wanted.
    pub(super) fn injects(&self, wanted: &Wanted) -> bool {
        !wanted.is_empty() && self.call.carries_context && self.situation.is_on()
    }

    /// Adds what a session reads at its beginning, where the host never sent that.
    fn add_beginning(&self, acts: &mut Acts, facts: &Facts) -> Result<(), EngineError> {
        let (EventBody::Prompt { .. } | EventBody::Request { .. }) = self.situation.event.body
        else {
            return Ok(());
        };
        let on = EventKind::SessionStart;
        let facts = Facts { event: on.rule_key().unwrap_or_default().to_owned(), ..facts.clone() };
        acts.wanted.put_before(act(&self.situation, on, &facts)?.wanted);
        Ok(())
    }

    /// Adds what rules said since the agent last read something, at events that carry no text.
    fn add_deferred(&self, wanted: &mut Wanted) -> Result<(), EngineError> {
        if !self.situation.event.tells() || !self.call.carries_context {
            return Ok(());
        }
        let records = self.situation.records()?;
        let is_read = |record: &Record| matches!(record, Record::Seen { begins, event, .. } if *begins || event == "prompt");
        let since = records.iter().rposition(is_read).map_or(0, |place| place + 1);
        for record in records.iter().skip(since) {
            if let Record::Deferred { rule, trust, text, .. } = record {
                let (rule, trust, text) = (rule.clone(), *trust, text.clone());
                wanted.sentences.push(RuleSentence { rule, trust, text, is_repeated: false });
            }
        }
        Ok(())
    }

    /// Adds what is to be done next, when an agent to which work was given comes back. One that could
    /// not be sent has nothing to come back with.
    fn add_reminders(&self, wanted: &mut Wanted) -> Result<(), EngineError> {
        let Event { body, subagent, .. } = &self.situation.event;
        if let EventBody::AfterTool { tool, failed: false } = body
            && tool.class == ToolClass::Agent
            && subagent.is_none()
        {
            wanted.sentences.extend(self.situation.runs()?.reminders());
        }
        Ok(())
    }

    /// Adds the steps that somebody else led to, whatever rules make of the prompt: a person who has
    /// answered says no more than `go on`, and the page that followed was shown to them alone.
    fn add_unseen_steps(&self, wanted: &mut Wanted) -> Result<(), EngineError> {
        let EventBody::Prompt { .. } = self.situation.event.body else { return Ok(()) };
        let is_whole = |note: &RunNote| note.extent == RunExtent::Whole;
        if wanted.of(Source::WorkflowState).is_none()
            && find_changed_runs(&self.situation, &self.standing)?.iter().any(is_whole)
        {
            wanted.add(WantedSource::whole(Source::WorkflowState));
        }
        Ok(())
    }

    /// Adds what is new about the task where a prompt says no more than "go on", if the agent does not
    /// know where the work stands now, or is at a step with a skill that it has not read. Rules that want
    /// nothing of the task with any other prompt want nothing of it here.
    fn add_changed_place(&self, wanted: &mut Wanted, facts: &Facts) -> Result<(), EngineError> {
        let EventBody::Prompt { .. } = self.situation.event.body else { return Ok(()) };
        if !facts.prompt_trivial || wanted.of(Source::TaskContext).is_some() {
            return Ok(());
        }
        let forest = Forest::new(self.situation.tasks()?);
        let agent = self.situation.agent()?;
        let own = forest.current(agent).filter(|task| task.assignee.as_ref() == agent);
        let is_lost =
            own.is_some() && !is_position_known(&self.situation, &forest, &self.standing)?;
        if is_lost || has_unseen_skill(&self.situation, &forest, &self.standing)? {
            let facts = Facts { prompt_trivial: false, ..facts.clone() };
            let usual = act(&self.situation, EventKind::Prompt, &facts)?.wanted;
            usual.of(Source::TaskContext).into_iter().for_each(|source| wanted.add(*source));
        }
        Ok(())
    }

    /// Takes out what rules say at an event whose answer carries no text. Sentences wait for the next
    /// one that does; what sources have to say is injected there anyhow.
    fn defer(&self, acts: &mut Acts) -> Vec<RuleSentence> {
        if self.call.carries_context {
            return Vec::new();
        }
        let templates = std::mem::take(&mut acts.wanted.templates);
        acts.troubles.extend(templates.into_iter().map(|one| {
            let (event, host) = (self.situation.event.word(), self.call.host.name());
            format!("rule `{}`: what is told at `{event}` does not reach {host}", one.rule)
        }));
        std::mem::take(&mut acts.wanted.sentences)
    }
}
