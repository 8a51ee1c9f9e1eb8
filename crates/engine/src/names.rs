//! Names that a person or an agent types now.
//!
//! A name is stored, compared and shown as it is, so a secret in it cannot be replaced by a marker:
//! the command is refused, and nothing is stored. What comes from a host or from the machine cannot
//! be refused; `secrets` replaces it.

use pacenote_model::{
    Address, AgentName, Effect, MailEffect, NewTask, Recipient, ReservationEffect, RuleEffect,
    SkillEffect, TaskEffect,
};

use crate::{EngineError, secrets};

/// Returns the agent that was named, else the one at work; one of them must be known.
pub(crate) fn known_agent(
    actor: &AgentName,
    given: Option<AgentName>,
) -> Result<AgentName, EngineError> {
    let is_known = |name: &AgentName| name.as_str() != AgentName::UNKNOWN;
    match given {
        Some(name) if is_known(&name) => Ok(name),
        Some(name) => Err(EngineError::ReservedName { name }),
        None => Some(actor.clone()).filter(is_known).ok_or(EngineError::Nameless),
    }
}

/// Parses the name of an agent, unless it is a secret or belongs to another speaker.
pub fn parse_agent(raw: &str) -> Result<AgentName, EngineError> {
    // Parsing folds case, which would hide a secret from its rule.
    refuse_secret("agent name", raw)?;
    Ok(AgentName::parse_given(raw)?)
}

/// Parses the address of a recipient, unless it is a secret or belongs to another speaker.
pub(crate) fn parse_address(raw: &str) -> Result<Address, EngineError> {
    refuse_secret("recipient", raw)?;
    let address = Address::parse(raw)?;
    AgentName::parse_given(address.agent.as_str())?;
    Ok(address)
}

/// Refuses a name that looks like a secret; the error names its kind and does not repeat it.
pub(crate) fn refuse_secret(what: &'static str, name: &str) -> Result<(), EngineError> {
    match secrets::kind_in(name) {
        Some(kind) => Err(EngineError::SecretName { what, kind }),
        None => Ok(()),
    }
}

/// Refuses an effect that would store a secret as a name.
pub(crate) fn refuse_secrets_in(effect: &Effect) -> Result<(), EngineError> {
    match effect {
        Effect::Task(TaskEffect::Added { task }) => {
            let NewTask { skill, plan, .. } = task;
            if let Some(skill) = skill {
                for name in skill.names() {
                    refuse_secret("skill name", name.as_str())?;
                }
            }
            plan.as_ref().map_or(Ok(()), |plan| refuse_secret("plan file", plan.file.as_str()))
        }
        Effect::Reservation(ReservationEffect::Made { reservation }) => {
            refuse_secret("pattern", reservation.pattern.as_str())
        }
        Effect::Mail(MailEffect::Sent { message }) => {
            message.recipients.iter().try_for_each(|recipient| {
                let Recipient { branch, .. } = recipient;
                branch.as_ref().map_or(Ok(()), |branch| refuse_secret("branch", branch.as_str()))
            })
        }
        Effect::Mail(MailEffect::Stepped { branch: Some(branch), .. }) => {
            refuse_secret("branch", branch.as_str())
        }
        Effect::Skill(
            SkillEffect::Approved { reference, .. }
            | SkillEffect::Chosen { reference, .. }
            | SkillEffect::Injected { reference, .. },
        ) => refuse_secret("skill name", reference),
        Effect::Rule(RuleEffect::GateOpened { opening }) => refuse_secret("rule", &opening.rule),
        Effect::Rule(RuleEffect::GateClosed { rule }) => refuse_secret("rule", rule),
        Effect::Rule(RuleEffect::FileTrusted { file }) => refuse_secret("file", &file.path),
        // Agents are parsed by `parse_agent`; the rest are texts, which are redacted, names that the
        // store knows already, and what hosts and the machine say, which `secrets` replaces.
        Effect::Task(
            TaskEffect::Claimed { .. }
            | TaskEffect::Passed { .. }
            | TaskEffect::Moved { .. }
            | TaskEffect::Waits { .. }
            | TaskEffect::Noted { .. }
            | TaskEffect::Revised { .. }
            | TaskEffect::Deleted { .. }
            | TaskEffect::Restored { .. },
        )
        | Effect::Mail(MailEffect::Stepped { branch: None, .. })
        | Effect::Reservation(ReservationEffect::Released { .. })
        | Effect::Rule(RuleEffect::FileDistrusted { .. } | RuleEffect::GateUsed { .. })
        | Effect::Project(_)
        | Effect::Session(_)
        | Effect::Agent(_)
        | Effect::Receipt(_)
        | Effect::Handoff(_)
        | Effect::Wish(_)
        | Effect::Run(_)
        | Effect::Log(_) => Ok(()),
    }
}
