//! The third phase: the text of this process's part of the answer.

use pacenote_context::{
    delivery::Decision,
    pack::{PackLimits, Packed, PartCount, Shares},
};
use pacenote_flow::lifecycle::Source;
use pacenote_model::{Record, receipt::EmissionId, record::InjectedSkill};

use super::{decide::Decided, echo::echo, phases::Reading};
use crate::{
    EngineError,
    briefing::{Briefing, Form, Layout, Scope, brief, ceiling_of, kinds_of},
    records::text_in,
    wanted::Wanted,
};

/// What is composed for an answer.
pub(super) struct Composed {
    pub(super) epoch: u32,
    /// The part that this process prints.
    pub(super) injected: Option<Injected>,
    /// What the person sees of it.
    pub(super) notice: Option<String>,
    /// What is offered with it, with the receipt.
    pub(super) offered: Vec<Record>,
}

/// A part of an emission.
pub(super) struct Injected {
    pub(super) emission: EmissionId,
    pub(super) part: u8,
    pub(super) text: String,
}

impl Composed {
    const fn silent(epoch: u32) -> Self {
        Self { epoch, injected: None, notice: None, offered: Vec::new() }
    }
}

impl Reading<'_> {
    pub(super) fn compose(&self, decided: &mut Decided) -> Result<Composed, EngineError> {
        let injects = self.injects(&decided.acts.wanted);
        match decided.decision.clone() {
            Decision::Silence { epoch } => Ok(Composed::silent(epoch)),
            Decision::Repeat { emission, part, epoch } => Ok(self.repeat(emission, part, epoch)),
            Decision::Full { epoch } | Decision::Delta { epoch } | Decision::News { epoch, .. }
                if !injects =>
            {
                Ok(Composed::silent(epoch))
            }
            Decision::News { emission, part, epoch } => {
                let scope = Scope::Changes(&self.standing);
                let briefing = self.brief(decided, scope, PartCount::ONE)?;
                decided.acts.troubles.extend(briefing.troubles.iter().cloned());
                if briefing.packed.parts.is_empty() {
                    return Ok(self.repeat(emission, part, epoch));
                }
                self.offer(epoch, scope, &briefing, decided)
            }
            Decision::Full { epoch } => {
                let briefing = self.brief_in_full(decided)?;
                let missing = find_missing(&decided.acts.wanted, &briefing.packed);
                decided.acts.troubles.extend(missing);
                decided.acts.troubles.extend(briefing.troubles.iter().cloned());
                self.offer(epoch, Scope::Full, &briefing, decided)
            }
            Decision::Delta { epoch } => {
                let scope = Scope::Changes(&self.standing);
                let briefing = self.brief(decided, scope, PartCount::ONE)?;
                decided.acts.troubles.extend(briefing.troubles.iter().cloned());
                self.offer(epoch, scope, &briefing, decided)
            }
        }
    }

    /// Returns a part in the bytes in which it was offered.
    fn repeat(&self, emission: EmissionId, part: u8, epoch: u32) -> Composed {
        let text = text_in(&self.lines, &emission, part);
        let text = text.filter(|_| self.call.carries_context);
        let injected = text.map(|text| Injected { emission, part, text });
        Composed { injected, ..Composed::silent(epoch) }
    }

    /// Returns the text of this process's part, of which nothing is recorded.
    pub(super) fn compose_unrecorded(
        &self,
        decided: &Decided,
    ) -> Result<Option<String>, EngineError> {
        if !self.injects(&decided.acts.wanted) {
            return Ok(None);
        }
        Ok(self.own_part(&self.brief_in_full(decided)?.packed))
    }

    fn brief_in_full(&self, decided: &Decided) -> Result<Briefing, EngineError> {
        self.brief(decided, Scope::Full, self.call.part.count)
    }

    fn brief(
        &self,
        decided: &Decided,
        scope: Scope<'_>,
        parts: PartCount,
    ) -> Result<Briefing, EngineError> {
        let settings = self.situation.settings();
        let layout = Layout {
            wanted: &decided.acts.wanted,
            scope,
            form: Form::Answer,
            limits: PackLimits {
                budget_tokens: settings.context_budget_tokens(),
                ceiling: ceiling_of(self.call.host),
                parts,
                shares: Shares::default(),
            },
            skill_tokens: settings.context_skill_tokens(),
            left: decided.left.as_ref(),
            incoming: None,
        };
        brief(&self.situation, &layout)
    }

    /// Offers a briefing, and returns the part that this process prints. Whichever part comes first
    /// assembles all of them, and shows the person once what they say.
    fn offer(
        &self,
        epoch: u32,
        scope: Scope<'_>,
        briefing: &Briefing,
        decided: &Decided,
    ) -> Result<Composed, EngineError> {
        let packed = &briefing.packed;
        if packed.parts.is_empty() {
            return Ok(Composed::silent(epoch));
        }
        // Two events with the same payload have two emissions, also when their texts are the same.
        let event = match self.standing.count_answers(&self.payload, epoch) {
            0 => self.payload.clone(),
            earlier => format!("{}.{earlier}", self.payload),
        };
        let receipt = briefing.receipt(&self.situation.event, &event, epoch, scope);
        let emission = receipt.emission.clone();
        let (from, payload) = (self.situation.origin()?, self.payload.clone());
        let texts: Vec<&str> = packed.parts.iter().map(|part| part.text.as_str()).collect();
        let mut offered = vec![Record::Offered {
            at: from.at,
            host: from.host,
            host_id: from.host_id,
            place: from.place,
            name: from.name,
            payload,
            receipt,
        }];
        offered.extend((1..).zip(&texts).map(|(part, text)| Record::Text {
            emission: emission.clone(),
            part,
            text: (*text).to_owned(),
        }));
        offered.extend(self.injected_skills(&briefing.skills)?);
        let left = decided.left.as_ref();
        let notice = echo(&self.situation, briefing, scope, left, &decided.facts)?;
        let part = self.call.part.part;
        let injected = self.own_part(packed).map(|text| Injected { emission, part, text });
        Ok(Composed { epoch, injected, notice, offered })
    }

    /// Returns the records of skills whose text is offered, as far as no earlier line has them.
    fn injected_skills(&self, skills: &[InjectedSkill]) -> Result<Vec<Record>, EngineError> {
        let known: Vec<&InjectedSkill> =
            self.situation.records()?.iter().filter_map(Record::injected_skill).collect();
        let is_new = |skill: &&InjectedSkill| {
            !known.iter().any(|one| {
                (one.task, one.digest) == (skill.task, skill.digest)
                    && one.reference == skill.reference
            })
        };
        let new = skills.iter().filter(is_new);
        new.map(|skill| {
            let is_kept = known.iter().any(|one| one.text == skill.text && one.body.is_some());
            let body = skill.body.clone().filter(|_| !is_kept);
            let skill = Box::new(InjectedSkill { body, ..skill.clone() });
            Ok(Record::SkillInjected { from: self.situation.origin()?, skill })
        })
        .collect()
    }

    fn own_part(&self, packed: &Packed) -> Option<String> {
        let place = usize::from(self.call.part.part.checked_sub(1)?);
        packed.parts.get(place).map(|part| part.text.clone())
    }
}

/// Returns what rules require and nobody has anything to say about.
fn find_missing(wanted: &Wanted, packed: &Packed) -> Vec<String> {
    let is_there = |source: Source| {
        let kinds = kinds_of(source);
        packed.items.iter().any(|item| kinds.iter().any(|kind| kind.word() == item.kind))
    };
    let required = wanted.sources.iter().filter(|one| one.is_required && !one.in_template);
    required
        .filter(|one| !is_there(one.source))
        .map(|one| format!("a rule requires `{}`, which has nothing to say", one.source.word()))
        .collect()
}
