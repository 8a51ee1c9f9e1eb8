//! Waking an agent: everything it needs to go on, assembled without asking a model, and sent to it.

use std::path::Path;

use pacenote_context::{
    fragments::RecentActivity,
    role::role_of,
    wake::{
        Incoming, RoleText, SubagentBriefing, Wake, WakePlan, WakeSkill, full, next_after, short,
        subagent,
    },
};
use pacenote_files::config::Settings;
use pacenote_flow::lifecycle::{Occasion, Source};
use pacenote_model::{AgentName, Forest, Happening, HostName, Importance, Message, Project, Task};
use pacenote_store::{InboxQuery, Store};

use crate::{
    Desk, EngineError,
    desk::find_task,
    lifecycle::{self, Look, Telling},
    mail::{SendRequest, send},
    notes::{Base, Unread, activity, plan, rules_of, skill},
    secret, secrets,
    skills::{Quick, Surroundings},
};

/// Messages that are shown.
const MESSAGES: u32 = 10;

/// What wakes an agent.
pub struct WakeRequest<'a> {
    /// Who is woken.
    pub agent: &'a str,
    /// What is said to it.
    pub message: &'a str,
    /// What it is there for.
    pub role: Option<&'a str>,
    /// How much it is told.
    pub extent: Extent,
    /// The settings.
    pub settings: &'a Settings,
    /// The person's own lifecycle rules.
    pub rules: Option<&'a Path>,
    /// Where skills are looked for.
    pub surroundings: &'a Surroundings<'a>,
}

/// How much a woken agent is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Everything: it lost its context.
    Full,
    /// What is new.
    Short,
    /// Everything if its context began anew since it was last told, else what is new.
    AsNeeded,
}

/// Assembles what an agent is told when it is woken.
pub fn assemble(
    desk: &Desk,
    request: &WakeRequest<'_>,
    from: &AgentName,
) -> Result<String, EngineError> {
    let agent = AgentName::parse(request.agent.trim_start_matches('@'))?;
    let Some(here) = desk.here()? else { return Ok(String::new()) };
    let (store, project) = (here.store, &here.project);
    let tasks = store.tasks(project.id)?;
    let forest = Forest::new(&tasks);
    let branch = desk.branch();
    let inbox = |unread_only| InboxQuery {
        project: project.id,
        agent: &agent,
        branch: branch.as_ref(),
        unread_only,
        limit: MESSAGES,
    };
    let telling = told_on_waking(desk, request, project, &agent, &tasks)?;
    let tells = |source| telling.of(source).is_some();
    let (mut messages, mut unseen) = (Vec::new(), Vec::new());
    if tells(Source::Mail) {
        messages = with_bodies(store, store.inbox(&inbox(false))?)?;
        unseen = with_bodies(store, store.inbox(&inbox(true))?)?;
    }
    let mut activity = RecentActivity { lines: Vec::new() };
    if tells(Source::Activity) {
        activity = activity::recent(store, project, &tasks)?;
    }
    let current = forest.current(Some(&agent)).filter(|_| tells(Source::TaskContext));
    let secret = secret::of(desk.data());
    let bound = match (current, Quick::open(desk, request.surroundings)?) {
        (Some(task), Some(quick)) => {
            let rules = std::cell::LazyCell::new(|| rules_of(request.settings));
            skill::bound(&quick, task, &forest.ancestors(task.id), &rules, &|_| false).skill
        }
        (_, _) => None,
    };
    let body = bound.as_ref().map(crate::notes::SkillNote::body);
    let read = current
        .and_then(|task| task.plan.as_ref())
        .map(|place| plan::read(&desk.place().root, place));
    let sections = read.as_ref().and_then(crate::notes::plan::PlanNote::sections);
    let incoming = Incoming { from, text: request.message };
    let next = next_after(&forest, Some(&agent), Some(&incoming));
    let wake = Wake {
        agent: &agent,
        role: request.role,
        skill: bound.as_ref().zip(body.as_deref()).map(|(note, body)| WakeSkill {
            reference: &note.reference,
            why: &note.reason,
            body,
            trust: note.trust(),
        }),
        plan: read.as_ref().zip(sections).map(|(note, sections)| WakePlan {
            file: &note.file,
            sections,
            trust: note.trust,
        }),
        forest: &forest,
        activity: &activity,
        messages: &messages,
        unseen: &unseen,
        message: Some(incoming),
        next: &next,
        secret: &secret,
    };
    let is_full = match request.extent {
        Extent::Full => true,
        Extent::Short => false,
        Extent::AsNeeded => !is_at_work(store, project.id, &agent)?,
    };
    Ok(secrets::without_secrets(&if is_full { full(&wake) } else { short(&wake) }))
}

/// Returns what rules want told to an agent that is woken.
fn told_on_waking(
    desk: &Desk,
    request: &WakeRequest<'_>,
    project: &Project,
    agent: &AgentName,
    tasks: &[Task],
) -> Result<Telling, EngineError> {
    let loaded = lifecycle::load(desk, request.rules)?;
    let base = Base { tasks: tasks.to_vec(), messages: Unread::default() };
    let look = Look {
        desk,
        project,
        // Whichever host reads it: a wake-up is mail.
        host: &HostName::parse("mail")?,
        agent: Some(agent),
        session: None,
        base: &base,
        records: &[],
        happening: Happening::Prompt { prompt: request.message.to_owned() },
        has_runs: false,
        on: Some(Occasion::OnWake),
    };
    Ok(lifecycle::would_tell(&loaded.rules, &look))
}

/// Writes the prompt for a subagent that takes over a task, or the current task of the agent that
/// starts it.
pub fn brief_subagent(
    desk: &Desk,
    request: &WakeRequest<'_>,
    task: Option<&str>,
) -> Result<String, EngineError> {
    let agent = AgentName::parse(request.agent.trim_start_matches('@'))?;
    let Some(here) = desk.here()? else { return Ok(String::new()) };
    let tasks = here.store.tasks(here.project.id)?;
    let forest = Forest::new(&tasks);
    let task = match task {
        Some(raw) => Some(find_task(here.store, here.project.id, raw)?),
        None => forest.current(Some(&agent)).cloned(),
    };
    let quick = Quick::open(desk, request.surroundings)?;
    let bound = task.as_ref().zip(quick).and_then(|(task, quick)| {
        let rules = std::cell::LazyCell::new(|| rules_of(request.settings));
        skill::bound(&quick, task, &forest.ancestors(task.id), &rules, &|_| false).skill
    });
    let place = task.as_ref().and_then(|task| task.plan.as_ref());
    let read = place.map(|place| plan::read(&desk.place().root, place));
    let skills: Vec<_> = bound.iter().map(|note| note.reference.clone()).collect();
    let secret = secret::of(desk.data());
    let text = subagent(&SubagentBriefing {
        role: role_of(request.role.unwrap_or_default()),
        instructions: None,
        task: task.as_ref(),
        plan: read.as_ref().map(|note| &note.file),
        task_text: read
            .as_ref()
            .and_then(|note| Some(RoleText { text: note.of_task()?, trust: note.trust })),
        context: Some(request.message),
        skills: &skills,
        guidelines: &[],
        secret: &secret,
    });
    Ok(secrets::without_secrets(&text))
}

/// Assembles it and puts it into the agent's inbox.
pub fn wake(
    desk: &mut Desk,
    request: &WakeRequest<'_>,
    from: &AgentName,
) -> Result<(String, Message), EngineError> {
    let text = assemble(desk, request, from)?;
    let to = [format!("@{}", request.agent.trim_start_matches('@'))];
    let subject = format!("Wake-up: {}", first_line(request.message));
    let message = SendRequest {
        to: &to,
        subject: &subject,
        body: &text,
        importance: Importance::High,
        ack_required: false,
        reply_to: None,
    };
    let sent = send(&mut desk.begin(None)?, &message)?;
    Ok((text, sent.message))
}

/// Tells whether a session of the agent still has its context.
fn is_at_work(
    store: &dyn Store,
    project: pacenote_model::ProjectId,
    agent: &AgentName,
) -> Result<bool, EngineError> {
    let sessions = store.sessions(project)?;
    Ok(sessions.iter().any(|session| {
        session.agent.as_ref() == Some(agent)
            && matches!(
                session.status,
                pacenote_model::SessionStatus::Active | pacenote_model::SessionStatus::Paused
            )
    }))
}

fn with_bodies(store: &dyn Store, messages: Vec<Message>) -> Result<Vec<Message>, EngineError> {
    messages
        .into_iter()
        .map(|message| {
            let reference = pacenote_store::MessageRef::Id(message.id);
            let whole = store.message(message.project, reference)?;
            Ok(whole.unwrap_or(message))
        })
        .collect()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(80).collect()
}
