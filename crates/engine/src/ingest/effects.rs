//! What the lines of a session log do to the store.

use pacenote_model::{
    AgentName, Effect, HandoffEffect, HostId, Project, ReceiptEffect, Record, RuleEffect,
    SessionEffect, SessionId, SkillEffect, WishEffect,
    record::{InjectedSkill, Origin},
};
use pacenote_store::Store;

use crate::{Clock, EngineError};

/// Longest type of a subagent that is kept, in characters: clients call them by a few words.
const TYPE_CHARACTERS: usize = 80;

/// Turns records into effects. Of many sights of one session that change nothing the last is kept.
pub(super) fn effects_of(
    records: Vec<Record>,
    store: &dyn Store,
    project: &Project,
    clock: Clock,
) -> Result<Vec<Effect>, EngineError> {
    let mut effects = Vec::new();
    let mut sight: Option<Effect> = None;
    for record in records {
        match record {
            Record::SessionStart {
                at,
                host,
                host_id,
                source,
                transcript,
                agent,
                parent,
                place: _,
                name: _,
            } => {
                // The log of whoever spawned it may not be taken in yet; then nobody is named.
                let parent = match parent {
                    Some(parent) => store.session(&host, &parent)?.map(|session| session.id),
                    None => None,
                };
                effects.push(Effect::Session(SessionEffect::Seen {
                    id: SessionId::new(clock.fresh()),
                    host,
                    host_id,
                    parent,
                    agent,
                    transcript,
                    seen: at,
                    new_epoch: source.begins_epoch(),
                }));
            }
            Record::Seen { at, host, host_id, .. } => {
                sight = Some(Effect::Session(SessionEffect::Seen {
                    id: SessionId::new(clock.fresh()),
                    host,
                    host_id,
                    parent: None,
                    agent: None,
                    transcript: None,
                    seen: at,
                    new_epoch: false,
                }));
            }
            noted @ (Record::Offered { .. }
            | Record::Printed { .. }
            | Record::Begun { .. }
            | Record::Marked { .. }
            | Record::Set { .. }
            | Record::Refused { .. }
            | Record::Passed { .. }
            | Record::Drafted { .. }
            | Record::Observed { .. }
            | Record::Wished { .. }
            | Record::SkillInjected { .. }
            | Record::Returned { .. }) => {
                // The session must be known before something is noted about it.
                effects.extend(sight.take());
                effects.extend(noted_effect(noted));
            }
            Record::Taken { from, sessions } => {
                effects.extend(sight.take());
                // What does not wait any more stays as it is: somebody else has it. A session that went
                // on since left something that nobody took.
                let waiting = store.handoffs(project.id)?;
                let sessions_now = store.sessions(project.id)?;
                let went_on = |session: &SessionId| {
                    let known = sessions_now.iter().find(|one| one.id == *session);
                    known.is_some_and(|one| one.last_seen > from.at)
                };
                let waits = |session: &SessionId| {
                    waiting.iter().any(|one| one.session == *session) && !went_on(session)
                };
                let by = from.host_id.clone();
                let taken = sessions.into_iter().filter(waits);
                effects.extend(taken.map(|session| {
                    Effect::Handoff(HandoffEffect::Taken { session, by: by.clone() })
                }));
            }
            // These matter only to the hooks that come next; what is on a host's list was mirrored
            // before, in commits of its own.
            Record::Asked { .. }
            | Record::Deferred { .. }
            | Record::SkillLoaded { .. }
            | Record::Said { .. }
            | Record::Lost { .. }
            | Record::Listed { .. }
            | Record::Text { .. } => {}
        }
    }
    effects.extend(sight);
    Ok(effects)
}

/// Turns what a hook noted about a session into its effect.
fn noted_effect(record: Record) -> Option<Effect> {
    Some(match record {
        Record::Offered { at, host, host_id, receipt, .. } => {
            Effect::Receipt(ReceiptEffect::Offered { host, host_id, offered: at, receipt })
        }
        Record::Printed { host, host_id, emission, part, .. } => {
            Effect::Receipt(ReceiptEffect::Printed { host, host_id, emission, part })
        }
        Record::Begun {
            from: Origin { at, host, host_id, .. }, agent, agent_type, task, ..
        } => {
            // The line stands in the log of the session that sent the subagent out.
            let sender = host_id.as_str().strip_suffix(&format!(".{agent}"));
            let host_id = sender.and_then(|id| HostId::parse(id).ok()).unwrap_or(host_id);
            let agent_type = agent_type.chars().take(TYPE_CHARACTERS).collect();
            Effect::Session(SessionEffect::Dispatched { host, host_id, at, agent_type, task })
        }
        Record::Marked { from: Origin { host, host_id, .. }, status } => {
            Effect::Session(SessionEffect::Marked { host, host_id, to: status })
        }
        Record::Set { from: Origin { host, host_id, .. }, variable, value } => {
            Effect::Session(SessionEffect::VariableSet { host, host_id, variable, value })
        }
        Record::Refused { from: Origin { host, host_id, .. }, rule, what } => {
            Effect::Session(SessionEffect::Refused { host, host_id, rule, what })
        }
        Record::Passed { opening, .. } => Effect::Rule(RuleEffect::GateUsed { opening }),
        Record::Drafted { from: Origin { host, host_id, .. }, handoff } => {
            Effect::Handoff(HandoffEffect::Written { host, host_id, handoff, completes: false })
        }
        Record::Observed { from: Origin { host, host_id, .. }, category, message } => {
            Effect::Session(SessionEffect::Observed { host, host_id, category, message })
        }
        Record::Wished { wish, .. } => Effect::Wish(WishEffect::Made { wish }),
        Record::SkillInjected { from: Origin { at, host, host_id, .. }, skill } => {
            let InjectedSkill { task, agent, reference, digest, rule, reason, .. } = *skill;
            let agent = agent.unwrap_or_else(AgentName::unknown);
            Effect::Skill(SkillEffect::Injected {
                host,
                host_id,
                at,
                agent,
                task,
                reference,
                digest,
                rule,
                reason,
            })
        }
        Record::Returned { from, session } => {
            Effect::Handoff(HandoffEffect::Returned { session, by: from.host_id })
        }
        Record::SessionStart { .. }
        | Record::Seen { .. }
        | Record::Text { .. }
        | Record::Asked { .. }
        | Record::Taken { .. }
        | Record::Listed { .. }
        | Record::Deferred { .. }
        | Record::SkillLoaded { .. }
        | Record::Said { .. }
        | Record::Lost { .. } => return None,
    })
}
