//! One event of one session: what rules want, who is told what, and what is noted.

use std::path::Path;

use pacenote_context::{
    delivery::{Arrival, Decision, Standing},
    fragment::Kind,
    fragments::RunExtent,
    pack::{PackLimits, Packed, PartCount, Shares},
    role::{Role, role_of},
};
use pacenote_files::{
    Bytes, Links, read_end,
    session_log::{HeldLog, Line, LogPath},
};
use pacenote_flow::lifecycle::{Facts, Occasion, Rules, Source};
use pacenote_hosts::{Host, Reply, Verdict};
use pacenote_model::{
    AgentName, Digest, Event, Happening, Project, Receipt, Record, Session, StartSource, Task,
    ToolClass,
    receipt::{EmissionId, Extent, PARTS},
};
use pacenote_skill::digest::digest_of;
use pacenote_store::Store;

use super::{
    Answer, Call, Unprinted,
    asked::{Given, given, given_before},
    ceiling,
    echo::echo,
    log::{LOG_TAIL, digits, records_of, text_in, was_told},
};
use crate::{
    Clock, Desk, EngineError,
    flows::in_force::{RunNote, Runs},
    handoffs::{self, Heir, Left},
    lifecycle::{Acts, Scenery, Sentence, Stage, Telling, act, facts, occasion_of, variables},
    notes::{Base, Clean, Notes, Reader, Scope, core_format, kinds_off, rules_of, written_for},
    secret,
};

/// How much of a transcript is looked at for a text that may have arrived: it would be near the end.
const TRANSCRIPT: Bytes = Bytes::mib(2);

/// One event of one session.
pub(super) struct Scene<'a> {
    pub(super) call: &'a Call<'a>,
    pub(super) desk: &'a Desk,
    pub(super) store: &'a dyn Store,
    pub(super) project: &'a Project,
    pub(super) rules: &'a Rules,
    pub(super) clock: Clock,
    pub(super) runs: &'a Runs,
}

/// What is known about the session before anything is decided.
pub(super) struct Known<'r> {
    pub(super) session: Option<Session>,
    pub(super) agent: Option<AgentName>,
    pub(super) base: Base,
    pub(super) records: &'r [Record],
}

/// What comes of an event.
struct Outcome {
    epoch: u32,
    told: Option<(EmissionId, u8, String)>,
    notice: Option<String>,
}

impl Scene<'_> {
    /// Decides with the log in hand, so that the processes of one event agree.
    pub(super) fn answer_once(
        &self,
        log: &LogPath,
        mut held: HeldLog,
    ) -> Result<Answer, EngineError> {
        let lines = held.tail(LOG_TAIL)?;
        let records = records_of(&lines);
        let standing = Standing::of(&records);
        if let Happening::Request { notes } = self.call.event.happening
            && let Some(answer) = self.answer_request(notes, &lines, &records, &mut held)?
        {
            return Ok(answer);
        }
        let payload = digits(&digest_of(self.call.payload));
        let known = self.known(&records)?;
        let facts = self.facts(&known, standing.epoch());
        let mut acts = self.acts(&known, &facts)?;
        self.add_deferred(&mut acts, &records);
        self.add_reminders(&mut acts);
        self.add_unseen_steps(&mut acts, &known, &standing);
        let arrival = Arrival {
            payload: &payload,
            part: self.call.part.part,
            begins_epoch: self.begins(&records),
            may_follow_no_turn: self.may_follow_no_turn(),
        };
        let decision = standing.decide(&arrival, &|emission| self.arrived(&lines, emission));
        let decision = self.left_to_requests(decision);
        // Only what is told may be asked for twice; everything else happens as often as it is said.
        let is_first = !self.call.event.tells() || !standing.is_noted(&payload);
        let mut noted = Vec::new();
        if is_first {
            noted.extend(self.beginning());
            if arrival.begins_epoch {
                noted.extend(self.carried(&records));
            }
            noted.append(&mut acts.records);
            noted.extend(self.draft(&known, &acts));
            noted.extend(self.end_of_subagent());
            noted.extend(self.listed());
            noted.extend(self.deferred(&mut acts));
            noted.extend(self.loss());
            noted.extend(self.returned(&records)?);
        }
        if let Decision::Full { .. } = decision {
            self.add_beginning(&mut acts, &known, &facts)?;
        }
        let tells = self.tells(&acts.telling);
        let outcome = match &decision {
            Decision::Silence { epoch } => Outcome::silent(*epoch),
            Decision::Repeat { emission, part, epoch } => Outcome {
                epoch: *epoch,
                told: text_in(&lines, emission, *part)
                    .filter(|_| self.call.carries_context)
                    .map(|text| (emission.clone(), *part, text)),
                notice: None,
            },
            Decision::Full { epoch } | Decision::Delta { epoch } if !tells => {
                Outcome::silent(*epoch)
            }
            Decision::Full { epoch } => {
                let tasks = known.base.tasks.len();
                let clean = self.full(&self.limits(), &acts.telling, known)?;
                acts.troubles.extend(missing(&acts.telling, &clean.packed));
                self.offered(*epoch, Extent::Full, &clean, &payload, &facts, tasks, &mut noted)
            }
            Decision::Delta { epoch } => {
                let tasks = known.base.tasks.len();
                let limits = PackLimits { parts: PartCount::ONE, ..self.limits() };
                let clean = self.changes(&standing, &limits, &acts.telling, known)?;
                self.offered(*epoch, Extent::Delta, &clean, &payload, &facts, tasks, &mut noted)
            }
        };
        // Tools are used by the thousand: of those only what rules noted is written down.
        if !self.is_about_a_tool() || outcome.told.is_some() {
            noted.insert(0, self.seen(&payload, outcome.epoch, arrival.begins_epoch));
        }
        let has_work = self.ends_a_turn() && noted.iter().any(is_urgent);
        let trouble = self.append(&mut held, &noted).err();
        drop(held);
        let is_noted = trouble.is_none();
        // What was never offered in the log cannot be printed in it; it is offered again instead.
        let told = outcome.told.as_ref().filter(|_| is_noted);
        let unprinted = told.map(|(emission, part, _)| Unprinted {
            log: log.clone(),
            record: Record::Printed {
                host: self.call.host.clone(),
                host_id: self.host_id(),
                place: self.project.place.clone(),
                name: self.project.name.clone(),
                emission: emission.clone(),
                part: *part,
            },
        });
        let reply = Reply {
            context: outcome.told.map(|(_, _, text)| text),
            notice: outcome.notice,
            verdict: acts.verdict.filter(|verdict| is_noted || holds_unnoted(verdict)),
            input: None,
        };
        Ok(Answer { reply, unprinted, has_work, trouble, remarks: acts.troubles })
    }

    /// Answers without the log, when somebody holds it: nothing is noted, and all is told.
    pub(super) fn answer_unnoted(
        &self,
        error: pacenote_files::FileError,
    ) -> Result<Answer, EngineError> {
        let known = self.known(&[])?;
        let facts = self.facts(&known, 0);
        let mut acts = self.acts(&known, &facts)?;
        self.add_beginning(&mut acts, &known, &facts)?;
        let context = if self.tells(&acts.telling) {
            let packed = self.full(&self.limits(), &acts.telling, known)?.packed;
            part_text(&packed, self.call.part.part)
        } else {
            None
        };
        let verdict = acts.verdict.filter(holds_unnoted);
        let reply = Reply { context, verdict, ..Reply::nothing() };
        Ok(Answer {
            reply,
            trouble: Some(error.into()),
            remarks: acts.troubles,
            ..Answer::default()
        })
    }

    /// Tells whether the transcript shows all of an emission; `None` when there is nothing to look at.
    fn arrived(&self, lines: &[Line], emission: &str) -> Option<bool> {
        let transcript = self.call.event.transcript.as_ref()?;
        let host = Host::from_name(self.call.host.as_str())?;
        let end = read_end(Path::new(transcript), TRANSCRIPT, Links::Refuse).ok()?;
        let end = String::from_utf8_lossy(&end);
        let mut texts = (1..=PARTS).map_while(|part| text_in(lines, emission, part)).peekable();
        texts.peek()?;
        Some(texts.all(|text| end.lines().any(|line| host.shows(line, &text))))
    }

    /// Tells whether the host may have forgotten the prompt before this one.
    fn may_follow_no_turn(&self) -> bool {
        let host = Host::from_name(self.call.host.as_str());
        matches!(self.call.event.happening, Happening::Prompt { .. })
            && host.is_some_and(Host::takes_prompts_back)
    }

    fn known<'r>(&self, records: &'r [Record]) -> Result<Known<'r>, EngineError> {
        let call = self.call;
        let session = self.store.session(call.host, &call.event.session)?;
        let named = || session.as_ref().and_then(|session| session.agent.clone());
        let agent = call.agent.clone().or_else(named);
        let branch = self.desk.branch();
        let off = kinds_off(call.settings);
        let base = Base::read(self.store, self.project, agent.as_ref(), branch.as_ref(), &off)?;
        Ok(Known { session, agent, base, records })
    }

    fn facts(&self, known: &Known<'_>, epoch: u32) -> Facts {
        facts(Scenery {
            event: self.call.event,
            host: self.call.host,
            agent: known.agent.as_ref(),
            session: known.session.as_ref().map(|session| session.number),
            epoch,
            tasks: &known.base.tasks,
            messages: &known.base.messages,
            has_runs: !self.runs.is_empty(),
            variables: variables(self.rules, known.records),
        })
    }

    fn acts(&self, known: &Known<'_>, facts: &Facts) -> Result<Acts, EngineError> {
        match occasion_of(&self.call.event.happening) {
            Some(on) => self.acts_on(on, known, facts),
            None => Ok(Acts::default()),
        }
    }

    fn acts_on(&self, on: Occasion, known: &Known<'_>, facts: &Facts) -> Result<Acts, EngineError> {
        let blocks = |rule: &pacenote_flow::lifecycle::Rule| {
            rule.on == on && rule.enabled && rule.action.blocks()
        };
        let openings = if self.rules.rules.iter().any(blocks) {
            self.store.openings(self.project.id)?
        } else {
            Vec::new()
        };
        let root = self.desk.place().root.to_str().unwrap_or(&self.call.event.directory);
        let stage = Stage {
            event: self.call.event,
            root,
            facts,
            openings: &openings,
            session: known.session.as_ref().map(|session| session.id),
            records: known.records,
            origin: &self.origin(),
            clock: self.clock,
        };
        Ok(act(self.rules, on, &stage))
    }

    /// Adds what a session is told at its beginning, where the host never told of that.
    fn add_beginning(
        &self,
        acts: &mut Acts,
        known: &Known<'_>,
        facts: &Facts,
    ) -> Result<(), EngineError> {
        let (Happening::Prompt { .. } | Happening::Request { .. }) = self.call.event.happening
        else {
            return Ok(());
        };
        let on = Occasion::OnSessionStart;
        let facts = Facts { event: on.key().to_owned(), ..facts.clone() };
        let first = self.acts_on(on, known, &facts)?.telling;
        let later = std::mem::replace(&mut acts.telling, first);
        for told in later.sources {
            if acts.telling.of(told.source).is_none() {
                acts.telling.sources.push(told);
            }
        }
        acts.telling.notices.extend(later.notices);
        acts.telling.templates.extend(later.templates);
        acts.telling.facts = later.facts;
        Ok(())
    }

    /// Adds what rules said since the agent was last told something, at events that carry no text.
    fn add_deferred(&self, acts: &mut Acts, records: &[Record]) {
        if !self.call.event.tells() || !self.call.carries_context {
            return;
        }
        let is_telling = |record: &Record| matches!(record, Record::Seen { begins, event, .. } if *begins || event == "prompt");
        let since = records.iter().rposition(is_telling).map_or(0, |place| place + 1);
        for record in records.iter().skip(since) {
            if let Record::Deferred { rule, trust, text, .. } = record {
                let (rule, trust, text) = (rule.clone(), *trust, text.clone());
                acts.telling.notices.push(Sentence { rule, trust, text, is_repeated: false });
            }
        }
    }

    /// Adds what is to be done next, when an agent to which work was handed comes back. One that could
    /// not be sent has nothing to come back with.
    fn add_reminders(&self, acts: &mut Acts) {
        let Event { happening, subagent, .. } = self.call.event;
        if let Happening::AfterTool { tool, failed: false } = happening
            && tool.class == ToolClass::Agent
            && subagent.is_none()
        {
            acts.telling.notices.extend(self.runs.reminders());
        }
    }

    /// Adds the steps that somebody else led to, whatever rules make of the prompt: a person who has
    /// answered says no more than `go on`, and the page that followed was shown to them alone.
    fn add_unseen_steps(&self, acts: &mut Acts, known: &Known<'_>, standing: &Standing) {
        let Happening::Prompt { .. } = self.call.event.happening else { return };
        let is_whole = |note: &RunNote| note.extent == RunExtent::Whole;
        if acts.telling.of(Source::WorkflowState).is_none()
            && self.changed_runs(standing, known.agent.as_ref()).iter().any(is_whole)
        {
            acts.telling.add(Source::WorkflowState);
        }
    }

    fn tells(&self, telling: &Telling) -> bool {
        !telling.is_empty()
            && self.call.carries_context
            && self.call.settings.context_is_on(&self.desk.place().root)
    }

    fn is_about_a_tool(&self) -> bool {
        matches!(
            self.call.event.happening,
            Happening::BeforeTool { .. } | Happening::AfterTool { .. }
        )
    }

    fn ends_a_turn(&self) -> bool {
        matches!(self.call.event.happening, Happening::Stop { .. } | Happening::SessionEnd { .. })
    }

    /// Notes what is offered, and returns the part that this process prints.
    #[expect(clippy::too_many_arguments, reason = "each is another thing that a receipt says")]
    fn offered(
        &self,
        epoch: u32,
        extent: Extent,
        clean: &Clean,
        payload: &str,
        facts: &Facts,
        tasks: usize,
        noted: &mut Vec<Record>,
    ) -> Outcome {
        let packed = &clean.packed;
        if packed.parts.is_empty() {
            return Outcome::silent(epoch);
        }
        let texts: Vec<&str> = packed.parts.iter().map(|part| part.text.as_str()).collect();
        let parts: Vec<Digest> = texts.iter().map(|text| digest_of(text.as_bytes())).collect();
        // The event is part of it: what is told again later in an epoch is another emission.
        let told = parts.iter().flat_map(Digest::bytes).copied();
        let all: Vec<u8> = payload.bytes().chain(told).collect();
        let emission = digits(&digest_of(&all));
        noted.push(Record::Offered {
            at: self.clock.now(),
            host: self.call.host.clone(),
            host_id: self.host_id(),
            place: self.project.place.clone(),
            name: self.project.name.clone(),
            payload: payload.to_owned(),
            receipt: Receipt {
                emission: emission.clone(),
                epoch,
                event: self.call.event.word().to_owned(),
                extent,
                tokens: packed.tokens(),
                hidden: packed.hidden,
                redacted: clean.redacted,
                parts,
                items: packed.items.clone(),
            },
        });
        for (part, text) in (1..).zip(&texts) {
            let text = (*text).to_owned();
            noted.push(Record::Text { emission: emission.clone(), part, text });
        }
        let part = self.call.part.part;
        // Whichever part comes first assembles all of them, and says so once.
        let notice = echo(packed, &texts, facts, tasks);
        let told = part_text(packed, part).map(|text| (emission, part, text));
        Outcome { epoch, told, notice }
    }

    fn limits(&self) -> PackLimits {
        PackLimits {
            budget_tokens: self.call.settings.context_budget_tokens(),
            ceiling: ceiling(self.call.host),
            parts: self.call.part.count,
            shares: Shares::default(),
        }
    }

    fn full(
        &self,
        limits: &PackLimits,
        telling: &Telling,
        known: Known<'_>,
    ) -> Result<Clean, EngineError> {
        let left = self.left(telling, &known)?;
        self.with_notes(Scope::Full, telling, known, left.as_ref(), |notes| notes.pack(limits))
    }

    fn changes(
        &self,
        standing: &Standing,
        limits: &PackLimits,
        telling: &Telling,
        known: Known<'_>,
    ) -> Result<Clean, EngineError> {
        let scope = Scope::Changes(standing);
        self.with_notes(scope, telling, known, None, |notes| notes.pack_changes(standing, limits))
    }

    /// Returns what another session left for this one: taken now, or taken before and told again
    /// to a context that begins anew.
    fn left(&self, telling: &Telling, known: &Known<'_>) -> Result<Option<Left>, EngineError> {
        let Happening::SessionStart { source } = self.call.event.happening else { return Ok(None) };
        if telling.of(Source::Handoff).is_none() {
            return Ok(None);
        }
        if let Some(again) = handoffs::taken(self.store, self.project, known.records)? {
            return Ok(Some(again));
        }
        if !matches!(source, StartSource::Startup | StartSource::Clear) {
            return Ok(None);
        }
        let host_id = &self.call.event.session;
        let heir = Heir { host: self.call.host, host_id, source, now: self.clock.now() };
        let Some(left) = handoffs::waiting(self.store, self.project, &heir)? else {
            return Ok(None);
        };
        let is_ours = handoffs::take(self.call.data, self.project, &left, host_id, self.clock)?;
        Ok(is_ours.then_some(left))
    }

    /// Returns that what another session left is given back, when this one ends and nothing happened
    /// in it.
    fn returned(&self, records: &[Record]) -> Result<Option<Record>, EngineError> {
        let Happening::SessionEnd { .. } = self.call.event.happening else { return Ok(None) };
        if !handoffs::is_untouched(records) {
            return Ok(None);
        }
        let left = handoffs::taken(self.store, self.project, records)?;
        Ok(left.map(|left| Record::Returned { from: self.origin(), session: left.session }))
    }

    /// Returns the task that a subagent was given, and notes that it began with it.
    fn given(&self, tasks: &[Task]) -> Option<Given> {
        let Happening::SubagentStart { agent, agent_type, .. } = &self.call.event.happening else {
            return None;
        };
        let logs = self.call.data.logs();
        let session = self.call.event.session.as_str();
        // Without the log of the session that asked, it is a subagent without a task of its own.
        let mut held = logs.log_for(self.call.host.as_str(), session).ok()?.hold_soon().ok()?;
        let records = records_of(&held.tail(LOG_TAIL).ok()?);
        // One that begins again lost its context, and goes on with what it was given.
        if let Some(before) = given_before(&records, agent) {
            return Some(before);
        }
        let given = given(&records, agent_type, tasks);
        let task = match given {
            Some(Given::Task(task)) => Some(task),
            Some(Given::Unclear) | None => None,
        };
        let (from, agent) = (self.origin(), agent.clone());
        let begun = Record::Begun { from, agent, agent_type: agent_type.clone(), task };
        self.append(&mut held, &[begun]).ok();
        given
    }

    fn changed_runs(&self, standing: &Standing, reader: Option<&AgentName>) -> Vec<RunNote> {
        let told = standing.told();
        self.runs.changes(reader, |id| told.contains_key(id))
    }

    fn with_notes(
        &self,
        scope: Scope<'_>,
        telling: &Telling,
        known: Known<'_>,
        left: Option<&Left>,
        pack: impl FnOnce(&Notes<'_>) -> Clean,
    ) -> Result<Clean, EngineError> {
        let call = self.call;
        let secret = secret::of(call.data);
        let off = kinds_off(call.settings);
        let artifacts = match (&known.session, telling.of(Source::Artifacts)) {
            (Some(session), Some(_)) => self.store.artifacts(self.project.id, session.id)?,
            (_, _) => Vec::new(),
        };
        let happening = &call.event.happening;
        let prompt =
            if let Happening::Prompt { prompt } = happening { Some(prompt.as_str()) } else { None };
        let role = if let Happening::SubagentStart { agent_type, .. } = happening {
            Some(role_of(agent_type))
        } else {
            None
        };
        // Who reviews or writes for a workflow has a role and a form of its own in its prompt, and
        // does not do the task of the session.
        let is_sent = |word: &str| role_of(word) != Role::Implementer;
        let role = role.filter(|_| !self.runs.agent_role().is_some_and(is_sent));
        let runs = match scope {
            Scope::Full => self.runs.whole(),
            Scope::Changes(standing) => self.changed_runs(standing, known.agent.as_ref()),
        };
        let records = known.records;
        let reader = Reader {
            desk: self.desk,
            host: call.host,
            agent: known.agent,
            session: known.session.as_ref().map(|session| session.number),
            surroundings: &call.surroundings,
            rules: &|| rules_of(call.settings),
            received: &|skill| was_told(records, skill),
            secret: &secret,
            off: &off,
            core_format: core_format(call.settings),
            telling,
            left,
            artifacts: &artifacts,
            prompt,
            role,
            given: self.given(&known.base.tasks),
            skill_tokens: call.settings.context_skill_tokens(),
            runs,
        };
        let project = self.project.clone();
        let notes = Notes::gather(&reader, self.store, project, known.base, scope)?;
        let clean = pack(&notes);
        let extent = match scope {
            Scope::Full => Extent::Full,
            Scope::Changes(_) => Extent::Delta,
        };
        Ok(Clean { packed: written_for(call.host, extent, clean.packed), ..clean })
    }
}

impl Outcome {
    const fn silent(epoch: u32) -> Self {
        Self { epoch, told: None, notice: None }
    }
}

/// Tells whether a refusal holds without being noted. One of stopping does not: only the notes keep
/// count of it, and an agent must never be wedged.
const fn holds_unnoted(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Deny { .. } => true,
        Verdict::GoOn { .. } => false,
    }
}

/// Tells whether a record is of no use before somebody has taken it in.
const fn is_urgent(record: &Record) -> bool {
    matches!(record, Record::Wished { .. } | Record::Returned { .. })
}

fn part_text(packed: &Packed, part: u8) -> Option<String> {
    let place = usize::from(part.checked_sub(1)?);
    packed.parts.get(place).map(|part| part.text.clone())
}

/// Returns what rules require and nobody has anything to say about.
fn missing(telling: &Telling, packed: &Packed) -> Vec<String> {
    let is_there = |source: Source| {
        let kinds = kinds_of(source);
        packed.items.iter().any(|item| kinds.iter().any(|kind| kind.word() == item.kind))
    };
    let required = telling.sources.iter().filter(|told| told.required && !told.in_template);
    required
        .filter(|told| !is_there(told.source))
        .map(|told| format!("a rule requires `{}`, which has nothing to tell", told.source.word()))
        .collect()
}

/// Returns the kinds of what a source tells.
const fn kinds_of(source: Source) -> &'static [Kind] {
    match source {
        Source::Identity => &[Kind::Identity],
        Source::TaskContext => &[Kind::Position, Kind::Next, Kind::Tasks, Kind::Skill, Kind::Plan],
        Source::Skills => &[Kind::CoreSkills, Kind::Skills],
        Source::SkillSuggestion => &[Kind::Suggestion],
        Source::Handoff => &[Kind::Handoff],
        Source::Mail => &[Kind::Mail],
        Source::Activity => &[Kind::Activity],
        Source::Artifacts => &[Kind::Artifacts],
        Source::Guide => &[Kind::Guide],
        Source::RoleBriefing => &[Kind::Role],
        Source::WorkflowState => &[Kind::Workflow],
    }
}
