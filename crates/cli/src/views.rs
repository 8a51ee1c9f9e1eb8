//! The JSON that programs rely on. Fields are only ever added; `docs/json.md` lists them.

use pacenote_model::{
    Branch, Delivery, Forest, Message, Note, ProjectId, Recipient, Reservation, Session, Task,
    TaskId,
};
use serde::Serialize;

/// A task.
#[derive(Debug, Serialize)]
pub(crate) struct TaskView {
    id: String,
    uuid: String,
    number: u32,
    title: String,
    state: &'static str,
    parent: Option<String>,
    assignee: Option<String>,
    skill: Option<String>,
    plan: Option<PlanView>,
    after: Vec<String>,
    reason: Option<String>,
    created: String,
    changed: String,
}

#[derive(Debug, Serialize)]
struct PlanView {
    file: String,
    section: Option<String>,
}

impl TaskView {
    /// Shows a task; `forest` gives the short ids of those it refers to.
    pub(crate) fn new(task: &Task, forest: &Forest<'_>) -> Self {
        let short = |id: TaskId| {
            forest.get(id).map_or_else(|| id.to_string(), |task| task.short.to_string())
        };
        Self {
            id: task.short.to_string(),
            uuid: task.id.to_string(),
            number: task.number.get(),
            title: task.title.to_string(),
            state: task.state.word(),
            parent: task.parent.map(short),
            assignee: task.assignee.as_ref().map(ToString::to_string),
            skill: task.skill.as_ref().map(ToString::to_string),
            plan: task.plan.as_ref().map(|plan| PlanView {
                file: plan.file.to_string(),
                section: plan.section.as_ref().map(ToString::to_string),
            }),
            after: task.after.iter().copied().map(short).collect(),
            reason: task.reason.clone(),
            created: task.created.to_string(),
            changed: task.changed.to_string(),
        }
    }
}

/// A note on a task.
#[derive(Debug, Serialize)]
pub(crate) struct NoteView {
    author: String,
    at: String,
    text: String,
}

impl NoteView {
    pub(crate) fn new(note: &Note) -> Self {
        Self {
            author: note.author.to_string(),
            at: note.at.to_string(),
            text: note.text.as_str().into(),
        }
    }
}

/// A message, with its body where it was opened.
#[derive(Debug, Serialize)]
pub(crate) struct MessageView {
    id: String,
    number: u32,
    project: String,
    thread: String,
    from: String,
    trust: &'static str,
    subject: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    importance: &'static str,
    ack_required: bool,
    sent: String,
    to: Vec<RecipientView>,
}

#[derive(Debug, Serialize)]
struct RecipientView {
    address: String,
    delivered: Option<String>,
    read: Option<String>,
    acked: Option<String>,
}

/// The names of projects, for addresses in other projects.
pub(crate) type ProjectNames = Vec<(ProjectId, String)>;

/// Returns the name of a project.
pub(crate) fn name_of(projects: &ProjectNames, id: ProjectId) -> &str {
    projects.iter().find(|(known, _)| *known == id).map_or("?", |(_, name)| name)
}

/// Writes how a message is asked for from the project `home`: `#7`, `shop#7`, or its id where the
/// name of its project would not lead to it.
pub(crate) fn message_reference(
    message: &Message,
    home: Option<ProjectId>,
    projects: &ProjectNames,
) -> String {
    if Some(message.project) == home {
        return message.number.to_string();
    }
    let name = name_of(projects, message.project);
    let namesakes = projects.iter().filter(|(_, other)| other == name).count();
    if namesakes == 1 && Branch::parse(name).is_ok() {
        format!("{name}{}", message.number)
    } else {
        message.id.to_string()
    }
}

impl MessageView {
    pub(crate) fn new(message: &Message, projects: &ProjectNames) -> Self {
        Self {
            id: message.id.to_string(),
            number: message.number.get(),
            project: name_of(projects, message.project).into(),
            thread: message.thread.to_string(),
            from: message.sender.to_string(),
            trust: message.trust.word(),
            subject: message.subject.to_string(),
            body: message.body.as_ref().map(|body| body.as_str().into()),
            importance: message.importance.word(),
            ack_required: message.ack_required,
            sent: message.sent.to_string(),
            to: message
                .recipients
                .iter()
                .map(|(recipient, delivery)| {
                    RecipientView::new(recipient, delivery, message, projects)
                })
                .collect(),
        }
    }
}

impl RecipientView {
    fn new(
        recipient: &Recipient,
        delivery: &Delivery,
        message: &Message,
        projects: &ProjectNames,
    ) -> Self {
        Self {
            address: address(recipient, message.project, projects),
            delivered: delivery.delivered.map(|at| at.to_string()),
            read: delivery.read.map(|at| at.to_string()),
            acked: delivery.acked.map(|at| at.to_string()),
        }
    }
}

/// Writes a recipient as the address by which `home` reaches it.
pub(crate) fn address(recipient: &Recipient, home: ProjectId, projects: &ProjectNames) -> String {
    let mut parts: Vec<&str> = Vec::new();
    if recipient.project != home {
        parts.push(name_of(projects, recipient.project));
    }
    parts.extend(recipient.branch.as_ref().map(Branch::as_str));
    parts.push(recipient.agent.as_str());
    format!("@{}", parts.join(":"))
}

/// A reservation.
#[derive(Debug, Serialize)]
pub(crate) struct ReservationView {
    id: String,
    agent: String,
    pattern: String,
    exclusive: bool,
    reason: Option<String>,
    since: String,
    until: String,
}

impl ReservationView {
    pub(crate) fn new(reservation: &Reservation) -> Self {
        Self {
            id: reservation.id.to_string(),
            agent: reservation.agent.to_string(),
            pattern: reservation.pattern.to_string(),
            exclusive: reservation.exclusive,
            reason: reservation.reason.as_ref().map(ToString::to_string),
            since: reservation.since.to_string(),
            until: reservation.until.to_string(),
        }
    }
}

/// A session.
#[derive(Debug, Serialize)]
pub(crate) struct SessionView {
    id: String,
    number: u32,
    host: String,
    host_id: String,
    parent: Option<String>,
    agent: Option<String>,
    status: &'static str,
    epoch: u32,
    transcript: Option<String>,
    first_seen: String,
    last_seen: String,
}

impl SessionView {
    pub(crate) fn new(session: &Session) -> Self {
        Self {
            id: session.id.to_string(),
            number: session.number.get(),
            host: session.host.to_string(),
            host_id: session.host_id.to_string(),
            parent: session.parent.map(|parent| parent.to_string()),
            agent: session.agent.as_ref().map(ToString::to_string),
            status: session.status.word(),
            epoch: session.epoch,
            transcript: session.transcript.clone(),
            first_seen: session.first_seen.to_string(),
            last_seen: session.last_seen.to_string(),
        }
    }
}
