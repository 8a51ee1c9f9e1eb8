//! Keeping secrets out of everything that is written down or told.
//!
//! Every commit passes here, whoever asked for it, and so does every text for a model; what is
//! taken out is counted and never kept.

use std::{borrow::Cow, sync::LazyLock};

use pacenote_model::{
    Artifact, Body, Effect, Event, EventBody, Handoff, HandoffEffect, HostId, MailEffect,
    NewMessage, NewTask, PlanPlace, Reservation, ReservationEffect, SessionEffect, TaskEffect,
    Title, Todo, ToolCall, Value, Want, Wish, WishEffect,
};
use pacenote_recall::redact::Redactor;
use pacenote_skill::digest::digest_of;

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

/// Returns the kind of the first secret in a text.
pub(crate) fn kind_in(text: &str) -> Option<&'static str> {
    REDACTOR.redact(text).found.first().map(|found| found.rule)
}

/// Hexadecimal digits that tell apart what differs only in a secret: more than chance ever repeats,
/// and too few to find a long secret by.
const STAND_IN_DIGITS: usize = 16;

/// Returns a host's id of a session; one that is a secret becomes an id that stands for it.
///
/// The same secret always gives the same id, in a hook, in a command and in the name of a log, so
/// that the session is found again.
pub fn host_id_without(id: HostId) -> HostId {
    if kind_in(id.as_str()).is_none() {
        return id;
    }
    HostId::parse(&format!("redacted-{}", stand_in_digits(id.as_str()))).unwrap_or(id)
}

/// Returns the path of a project; where a secret is in it, two that differ in it stay two.
pub(crate) fn path_without(path: String) -> String {
    match without(&path) {
        (_, 0) => path,
        (clean, _) => format!("{clean}#{}", stand_in_digits(&path)),
    }
}

fn stand_in_digits(text: &str) -> String {
    let digest = digest_of(text.as_bytes()).to_string();
    digest.rsplit('-').next().unwrap_or_default().chars().take(STAND_IN_DIGITS).collect()
}

/// Returns an event whose ids and types, which are stored as names, hold no secret.
///
/// What a tool gets stays as it is: gates judge it, and what is stored of it is redacted there. The
/// directory and the transcript stay too, because they are opened.
pub fn without_secret_names(event: Event) -> Event {
    let body = match event.body {
        EventBody::SubagentStart { agent, agent_type, source, prompt } => {
            EventBody::SubagentStart {
                agent: id_without(agent),
                agent_type: without_secrets(&agent_type),
                source,
                prompt,
            }
        }
        EventBody::SubagentStop { agent, agent_type, message, again } => EventBody::SubagentStop {
            agent: id_without(agent),
            agent_type: without_secrets(&agent_type),
            message,
            again,
        },
        EventBody::BeforeTool { tool } => {
            EventBody::BeforeTool { tool: tool_without_secret_names(tool) }
        }
        EventBody::AfterTool { tool, failed } => {
            EventBody::AfterTool { tool: tool_without_secret_names(tool), failed }
        }
        EventBody::Todos { todos } => EventBody::Todos { todos: todos_without(todos) },
        other @ (EventBody::SessionStart { .. }
        | EventBody::Prompt { .. }
        | EventBody::Request { .. }
        | EventBody::PreCompact { .. }
        | EventBody::PostCompact { .. }
        | EventBody::Stop { .. }
        | EventBody::SessionEnd { .. }
        | EventBody::Wake { .. }) => other,
    };
    Event {
        session: host_id_without(event.session),
        subagent: event.subagent.map(id_without),
        body,
        ..event
    }
}

fn tool_without_secret_names(tool: ToolCall) -> ToolCall {
    let agent_type = tool.agent_type.as_deref().map(without_secrets);
    let skill = tool.skill.as_deref().map(without_secrets);
    ToolCall { agent_type, skill, todos: todos_without(tool.todos), ..tool }
}

fn todos_without(todos: Vec<Todo>) -> Vec<Todo> {
    todos.into_iter().map(|todo| Todo { id: todo.id.map(id_without), ..todo }).collect()
}

/// Returns an id of a host, or what stands for it.
fn id_without(id: String) -> String {
    match kind_in(&id) {
        Some(_) => format!("redacted-{}", stand_in_digits(&id)),
        None => id,
    }
}

/// Returns an effect without the secrets that people and agents wrote into it.
pub(crate) fn out_of(effect: Effect, count: &mut usize) -> Effect {
    match effect {
        Effect::Task(effect) => Effect::Task(out_of_task(effect, count)),
        Effect::Mail(effect) => Effect::Mail(out_of_mail(effect, count)),
        Effect::Reservation(effect) => Effect::Reservation(out_of_reservation(effect, count)),
        Effect::Session(effect) => Effect::Session(out_of_session(effect, count)),
        Effect::Handoff(effect) => Effect::Handoff(out_of_handoff(effect, count)),
        Effect::Wish(effect) => Effect::Wish(out_of_wish(effect, count)),
        // What was said to a run is cleaned before it moves one. The rest are names, which `names`
        // refuses; ids and digests, whose grammars leave no room or which were replaced when they
        // came; receipts of clean texts.
        other @ (Effect::Run(_)
        | Effect::Project(_)
        | Effect::Agent(_)
        | Effect::Skill(_)
        | Effect::Receipt(_)
        | Effect::Rule(_)
        | Effect::Log(_)) => other,
    }
}

fn out_of_task(effect: TaskEffect, count: &mut usize) -> TaskEffect {
    match effect {
        TaskEffect::Added { task } => {
            let plan = task.plan.map(|plan| PlanPlace {
                section: plan.section.map(|section| title(section, count)),
                ..plan
            });
            TaskEffect::Added { task: NewTask { title: title(task.title, count), plan, ..task } }
        }
        TaskEffect::Moved { task, verb, reason } => {
            TaskEffect::Moved { task, verb, reason: reason.map(|reason| note(reason, count)) }
        }
        TaskEffect::Noted { task, text } => TaskEffect::Noted { task, text: note(text, count) },
        TaskEffect::Revised { task, title: old, section, rank } => TaskEffect::Revised {
            task,
            title: title(old, count),
            section: section.map(|section| title(section, count)),
            rank,
        },
        other @ (TaskEffect::Claimed { .. }
        | TaskEffect::Passed { .. }
        | TaskEffect::Waits { .. }
        | TaskEffect::Deleted { .. }
        // What stands in it was stored before.
        | TaskEffect::Restored { .. }) => other,
    }
}

fn out_of_mail(effect: MailEffect, count: &mut usize) -> MailEffect {
    match effect {
        MailEffect::Sent { message } => {
            let subject = title(message.subject, count);
            let body = body(message.body, count, Body::mail);
            MailEffect::Sent { message: NewMessage { subject, body, ..message } }
        }
        other @ MailEffect::Stepped { .. } => other,
    }
}

fn out_of_reservation(effect: ReservationEffect, count: &mut usize) -> ReservationEffect {
    match effect {
        ReservationEffect::Made { reservation } => {
            let reason = reservation.reason.map(|reason| title(reason, count));
            ReservationEffect::Made { reservation: Reservation { reason, ..reservation } }
        }
        other @ ReservationEffect::Released { .. } => other,
    }
}

fn out_of_handoff(effect: HandoffEffect, count: &mut usize) -> HandoffEffect {
    match effect {
        HandoffEffect::Written { host, host_id, handoff, completes } => {
            let handoff = Box::new(handoff_without(*handoff, count));
            HandoffEffect::Written { host, host_id, handoff, completes }
        }
        other @ (HandoffEffect::Taken { .. } | HandoffEffect::Returned { .. }) => other,
    }
}

fn out_of_session(effect: SessionEffect, count: &mut usize) -> SessionEffect {
    match effect {
        SessionEffect::Observed { host, host_id, category, message } => {
            let message = plain(message, count);
            SessionEffect::Observed { host, host_id, category, message }
        }
        SessionEffect::Dispatched { host, host_id, at, agent_type, task } => {
            let agent_type = plain(agent_type, count);
            SessionEffect::Dispatched { host, host_id, at, agent_type, task }
        }
        SessionEffect::VariableSet { host, host_id, variable, value } => {
            let value = match value {
                Value::Text(text) => Value::Text(plain(text, count)),
                Value::Bool(_) | Value::Number(_) => value,
            };
            SessionEffect::VariableSet { host, host_id, variable, value }
        }
        SessionEffect::ArtifactCaptured { host, host_id, artifact } => {
            let path = plain(artifact.path, count);
            let artifact = Artifact { path, ..artifact };
            SessionEffect::ArtifactCaptured { host, host_id, artifact }
        }
        other @ (SessionEffect::Seen { .. }
        | SessionEffect::Moved { .. }
        | SessionEffect::Marked { .. }
        | SessionEffect::Named { .. }
        | SessionEffect::Refused { .. }) => other,
    }
}

fn out_of_wish(effect: WishEffect, count: &mut usize) -> WishEffect {
    match effect {
        WishEffect::Made { wish } => {
            let want = match wish.want {
                Want::Handoff => Want::Handoff,
                Want::Artifact { glob, name, step } => {
                    Want::Artifact { glob: plain(glob, count), name: plain(name, count), step }
                }
                Want::Run { rule, program } => Want::Run { rule: plain(rule, count), program },
            };
            WishEffect::Made { wish: Wish { want, ..wish } }
        }
        other @ WishEffect::Settled { .. } => other,
    }
}

/// Returns a handoff without secrets.
pub(crate) fn handoff_without(handoff: Handoff, count: &mut usize) -> Handoff {
    // Every field is text or a list of texts. Each is looked at as it is: JSON would write a `\` in
    // it twice, and a secret that has one would not be recognized.
    let Ok(mut fields) = serde_json::to_value(&handoff) else { return Handoff::default() };
    let before = *count;
    for field in fields.as_object_mut().into_iter().flat_map(|fields| fields.values_mut()) {
        field_without(field, count);
    }
    if *count == before { handoff } else { serde_json::from_value(fields).unwrap_or_default() }
}

fn field_without(field: &mut serde_json::Value, count: &mut usize) {
    if let serde_json::Value::String(text) = field {
        *text = plain(std::mem::take(text), count);
    }
    for item in field.as_array_mut().into_iter().flatten() {
        field_without(item, count);
    }
}

fn plain(text: String, count: &mut usize) -> String {
    let (clean, found) = without(&text);
    *count += found;
    if found == 0 { text } else { clean.into_owned() }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_in_every_field_of_a_handoff_as_it_is_written_there() {
        let rest = "k2Lw9Zr4YpT1nVc8Hs3Df5GjQ7xMb6Ra0Ue2";
        for head in ["ghp_", r"ghp\u005f", r"ghp\u{5f}", r"ghp\_", "gh\u{200b}p_", r"gh\u2060p_"] {
            let secret = format!("a {head}{rest}");
            let handoff = Handoff {
                current_state: format!("one\n{secret}\nthree"),
                branch: Some(secret.clone()),
                files_modified: vec![secret.clone(), "日本語.md".into()],
                ..Handoff::default()
            };
            let mut count = 0;
            let clean = handoff_without(handoff, &mut count);
            assert_eq!(count, 3, "{head}");
            assert_eq!(clean.current_state, "one\na [redacted: github-token]\nthree");
            assert_eq!(clean.branch.as_deref(), Some("a [redacted: github-token]"));
            assert_eq!(clean.files_modified, ["a [redacted: github-token]", "日本語.md"]);
        }
    }
}
