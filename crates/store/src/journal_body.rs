//! Effects as they stand in the journal, in every form that was ever written.
//!
//! An entry is never rewritten, so what was once written must be read for ever: this is the one place
//! that knows older forms. A form that is not known is an error with its version, and never skipped.

use pacenote_model::{
    AgentEffect, Aggregate, Effect, HandoffEffect, LogEffect, MailEffect, ProjectEffect,
    ReceiptEffect, ReservationEffect, RuleEffect, RunEffect, SessionEffect, SkillEffect,
    TaskEffect, WishEffect,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

/// The form that is written.
pub(crate) const VERSION: u32 = 1;

/// The form in which one word named the aggregate and the change. Such entries say nothing of an
/// aggregate.
const FLAT: u32 = 0;

/// The field of a body that names the change.
const KIND: &str = "kind";

/// Why the effect of an entry cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnreadableBody {
    #[error("a newer pacenote wrote it, in the form {version}; this one reads up to {VERSION}")]
    Newer { version: u32 },
    #[error("there is no effect `{name}`")]
    Unknown { name: String },
    #[error("the effect `{name}` cannot be read: {reason}")]
    Malformed { name: String, reason: String },
}

/// Returns the body of an effect, in the form that is written.
pub(crate) fn write(effect: &Effect) -> Result<String, serde_json::Error> {
    match effect {
        Effect::Project(effect) => serde_json::to_string(effect),
        Effect::Session(effect) => serde_json::to_string(effect),
        Effect::Agent(effect) => serde_json::to_string(effect),
        Effect::Task(effect) => serde_json::to_string(effect),
        Effect::Mail(effect) => serde_json::to_string(effect),
        Effect::Reservation(effect) => serde_json::to_string(effect),
        Effect::Skill(effect) => serde_json::to_string(effect),
        Effect::Receipt(effect) => serde_json::to_string(effect),
        Effect::Rule(effect) => serde_json::to_string(effect),
        Effect::Handoff(effect) => serde_json::to_string(effect),
        Effect::Wish(effect) => serde_json::to_string(effect),
        Effect::Run(effect) => serde_json::to_string(effect),
        Effect::Log(effect) => serde_json::to_string(effect),
    }
}

/// Reads the body of an effect; `aggregate` and `kind` are the words of today.
pub(crate) fn read(
    version: u32,
    aggregate: &str,
    kind: &str,
    body: &str,
) -> Result<Effect, UnreadableBody> {
    if version > VERSION {
        return Err(UnreadableBody::Newer { version });
    }
    let name = || format!("{aggregate} {kind}").trim_start().to_owned();
    let known = Aggregate::from_word(aggregate);
    let known = known.ok_or_else(|| UnreadableBody::Unknown { name: name() })?;
    let malformed = |error: serde_json::Error| UnreadableBody::Malformed {
        name: name(),
        reason: error.to_string(),
    };
    let mut body: Value = serde_json::from_str(body).map_err(malformed)?;
    if let (FLAT, Value::Object(fields)) = (version, &mut body) {
        fields.insert(KIND.to_owned(), Value::String(kind.to_owned()));
    }
    effect_of(known, body).map_err(malformed)
}

fn effect_of(aggregate: Aggregate, body: Value) -> serde_json::Result<Effect> {
    fn as_effect<E: DeserializeOwned>(
        body: Value,
        of: fn(E) -> Effect,
    ) -> serde_json::Result<Effect> {
        serde_json::from_value(body).map(of)
    }
    match aggregate {
        Aggregate::Project => as_effect::<ProjectEffect>(body, Effect::Project),
        Aggregate::Session => as_effect::<SessionEffect>(body, Effect::Session),
        Aggregate::Agent => as_effect::<AgentEffect>(body, Effect::Agent),
        Aggregate::Task => as_effect::<TaskEffect>(body, Effect::Task),
        Aggregate::Mail => as_effect::<MailEffect>(body, Effect::Mail),
        Aggregate::Reservation => as_effect::<ReservationEffect>(body, Effect::Reservation),
        Aggregate::Skill => as_effect::<SkillEffect>(body, Effect::Skill),
        Aggregate::Receipt => as_effect::<ReceiptEffect>(body, Effect::Receipt),
        Aggregate::Rule => as_effect::<RuleEffect>(body, Effect::Rule),
        Aggregate::Handoff => as_effect::<HandoffEffect>(body, Effect::Handoff),
        Aggregate::Wish => as_effect::<WishEffect>(body, Effect::Wish),
        Aggregate::Run => as_effect::<RunEffect>(body, Effect::Run),
        Aggregate::Log => as_effect::<LogEffect>(body, Effect::Log),
    }
}

/// Returns the words of today for an entry: those of an older one are inside its kind.
pub(crate) fn words_of<'k>(aggregate: &'k str, kind: &'k str) -> (&'k str, &'k str) {
    if !aggregate.is_empty() {
        return (aggregate, kind);
    }
    let known = FLAT_KINDS.iter().find(|(flat, ..)| *flat == kind);
    known.map_or((aggregate, kind), |(_, aggregate, kind)| (aggregate.word(), kind))
}

/// The words of the form [`FLAT`], each with its aggregate and its word of today.
const FLAT_KINDS: [(&str, Aggregate, &str); 46] = [
    ("project_seen", Aggregate::Project, "seen"),
    ("project_taken", Aggregate::Project, "enabled"),
    ("session_seen", Aggregate::Session, "seen"),
    ("session_moved", Aggregate::Session, "moved"),
    ("session_marked", Aggregate::Session, "marked"),
    ("session_named", Aggregate::Session, "named"),
    ("variable_set", Aggregate::Session, "variable_set"),
    ("artifact_captured", Aggregate::Session, "artifact_captured"),
    ("observed", Aggregate::Session, "observed"),
    ("dispatched", Aggregate::Session, "dispatched"),
    ("refused", Aggregate::Session, "refused"),
    ("role_given", Aggregate::Agent, "role_given"),
    ("task_added", Aggregate::Task, "added"),
    ("task_claimed", Aggregate::Task, "claimed"),
    ("task_passed", Aggregate::Task, "passed"),
    ("task_moved", Aggregate::Task, "moved"),
    ("task_waits", Aggregate::Task, "waits"),
    ("task_noted", Aggregate::Task, "noted"),
    ("task_revised", Aggregate::Task, "revised"),
    ("task_deleted", Aggregate::Task, "deleted"),
    ("mail_sent", Aggregate::Mail, "sent"),
    ("mail_stepped", Aggregate::Mail, "stepped"),
    ("path_reserved", Aggregate::Reservation, "made"),
    ("path_released", Aggregate::Reservation, "released"),
    ("skill_approved", Aggregate::Skill, "approved"),
    ("skill_chosen", Aggregate::Skill, "chosen"),
    ("skill_injected", Aggregate::Skill, "injected"),
    ("receipt_offered", Aggregate::Receipt, "offered"),
    ("receipt_printed", Aggregate::Receipt, "printed"),
    ("file_trusted", Aggregate::Rule, "file_trusted"),
    ("file_distrusted", Aggregate::Rule, "file_distrusted"),
    ("gate_opened", Aggregate::Rule, "gate_opened"),
    ("gate_used", Aggregate::Rule, "gate_used"),
    ("gate_closed", Aggregate::Rule, "gate_closed"),
    ("handoff_written", Aggregate::Handoff, "written"),
    ("handoff_taken", Aggregate::Handoff, "taken"),
    ("handoff_returned", Aggregate::Handoff, "returned"),
    ("wished", Aggregate::Wish, "made"),
    ("wish_settled", Aggregate::Wish, "settled"),
    ("run_begun", Aggregate::Run, "begun"),
    ("run_moved", Aggregate::Run, "moved"),
    ("decision_taken", Aggregate::Run, "decision_taken"),
    ("log_ingested", Aggregate::Log, "ingested"),
    ("log_cut", Aggregate::Log, "cut"),
    ("lines_set_aside", Aggregate::Log, "set_aside"),
    ("set_aside_dropped", Aggregate::Log, "set_aside_dropped"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_flat_word_has_one_word_of_today() {
        let flat: BTreeSet<&str> = FLAT_KINDS.iter().map(|(flat, ..)| *flat).collect();
        let now: BTreeSet<_> =
            FLAT_KINDS.iter().map(|(_, aggregate, kind)| (*aggregate, kind)).collect();
        assert_eq!((flat.len(), now.len()), (FLAT_KINDS.len(), FLAT_KINDS.len()));
        for (flat, aggregate, kind) in FLAT_KINDS {
            assert_eq!(words_of("", flat), (aggregate.word(), kind));
            assert_eq!(words_of(aggregate.word(), kind), (aggregate.word(), kind));
            // The word is one that the aggregate has: what is missing are fields, not the change.
            let empty = serde_json::json!({ "kind": kind });
            let told = effect_of(aggregate, empty)
                .map_or_else(|error| error.to_string(), |_| String::new());
            assert!(!told.contains("unknown variant"), "{flat}: {told}");
        }
    }

    #[test]
    fn an_entry_is_read_in_every_form_and_otherwise_an_error_names_it() {
        let body = |kind: &str| {
            format!(
                r#"{{"kind":"{kind}","task":"0198c0de-0000-7000-8000-000000000001","agent":"backend"}}"#
            )
        };
        let read = |version, aggregate, kind, body: &str| {
            let (aggregate, kind) = words_of(aggregate, kind);
            match read(version, aggregate, kind, body) {
                Ok(effect) => format!("{} {}", effect.aggregate().word(), effect.kind()),
                Err(error) => error.to_string(),
            }
        };
        let lines = [
            read(0, "", "task_claimed", &body("task_claimed")),
            read(1, "task", "claimed", &body("claimed")),
            read(2, "task", "claimed", &body("claimed")),
            read(0, "", "task_painted", &body("task_painted")),
            read(1, "task", "painted", &body("painted")),
            read(1, "garden", "claimed", &body("claimed")),
            read(1, "task", "claimed", "{"),
        ];
        assert_eq!(
            lines,
            [
                "task claimed",
                "task claimed",
                "a newer pacenote wrote it, in the form 2; this one reads up to 1",
                "there is no effect `task_painted`",
                "the effect `task painted` cannot be read: unknown variant `painted`, expected one of \
                 `added`, `claimed`, `passed`, `moved`, `waits`, `noted`, `revised`, `deleted`, \
                 `restored`",
                "there is no effect `garden claimed`",
                "the effect `task claimed` cannot be read: EOF while parsing an object at line 1 column 1",
            ]
        );
    }
}
