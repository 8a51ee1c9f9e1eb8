//! Keeping secrets out of everything that is written down or told.
//!
//! Every commit passes here, whoever asked for it, and so does every text for a model; what is
//! taken out is counted and never kept.

use std::{borrow::Cow, sync::LazyLock};

use pacenote_model::{Body, Effect, NewMessage, NewTask, PlanPlace, Reservation, Title};
use pacenote_recall::redact::Redactor;

static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::new);

/// What stands where a text without its secrets breaks the rules of its kind.
const LEFT_OUT: &str = "[redacted]";

/// Returns a text without its secrets.
pub fn without_secrets(text: &str) -> String {
    without(text).0.into_owned()
}

/// Returns a text without its secrets, and how many there were.
pub(crate) fn without(text: &str) -> (Cow<'_, str>, usize) {
    let redacted = REDACTOR.redact(text);
    (redacted.text, redacted.found.len())
}

/// Returns an effect without the secrets that people and agents wrote into it.
pub(crate) fn out_of(effect: Effect, count: &mut usize) -> Effect {
    match effect {
        Effect::TaskAdded { task } => {
            let plan = task.plan.map(|plan| PlanPlace {
                section: plan.section.map(|section| title(section, count)),
                ..plan
            });
            Effect::TaskAdded { task: NewTask { title: title(task.title, count), plan, ..task } }
        }
        Effect::TaskMoved { task, verb, reason } => {
            Effect::TaskMoved { task, verb, reason: reason.map(|reason| note(reason, count)) }
        }
        Effect::TaskNoted { task, text } => Effect::TaskNoted { task, text: note(text, count) },
        Effect::TaskRevised { task, title: old, section, rank } => Effect::TaskRevised {
            task,
            title: title(old, count),
            section: section.map(|section| title(section, count)),
            rank,
        },
        Effect::MailSent { message } => {
            let subject = title(message.subject, count);
            let body = body(message.body, count, Body::mail);
            Effect::MailSent { message: NewMessage { subject, body, ..message } }
        }
        Effect::PathReserved { reservation } => {
            let reason = reservation.reason.map(|reason| title(reason, count));
            Effect::PathReserved { reservation: Reservation { reason, ..reservation } }
        }
        // Names, ids and digests, whose grammars leave no room, and receipts of clean texts.
        other @ (Effect::ProjectSeen { .. }
        | Effect::SessionSeen { .. }
        | Effect::SessionMoved { .. }
        | Effect::SessionNamed { .. }
        | Effect::TaskClaimed { .. }
        | Effect::TaskWaits { .. }
        | Effect::TaskDeleted { .. }
        | Effect::MailStepped { .. }
        | Effect::PathReleased { .. }
        | Effect::ProjectTaken {}
        | Effect::SkillApproved { .. }
        | Effect::SkillChosen { .. }
        | Effect::ReceiptOffered { .. }
        | Effect::ReceiptPrinted { .. }
        | Effect::LogIngested { .. }) => other,
    }
}

fn title(title: Title, count: &mut usize) -> Title {
    let (text, found) = without(title.as_str());
    if found == 0 {
        return title;
    }
    *count += found;
    let marker = || Title::parse(LEFT_OUT).unwrap_or_else(|_| title.clone());
    Title::parse(&text).unwrap_or_else(|_| marker())
}

fn note(text: Body, count: &mut usize) -> Body {
    body(text, count, Body::note)
}

fn body<E>(text: Body, count: &mut usize, parse: fn(&str) -> Result<Body, E>) -> Body {
    let (clean, found) = without(text.as_str());
    if found == 0 {
        return text;
    }
    *count += found;
    let marker = || parse(LEFT_OUT).unwrap_or_else(|_| text.clone());
    parse(&clean).unwrap_or_else(|_| marker())
}
