//! The unread mail of a reader, of which some is told and all is counted.

use std::{cmp::Reverse, ops::Deref};

use pacenote_context::fragments::MoreMail;
use pacenote_model::{AgentName, Branch, Importance, Message, Project, limits};
use pacenote_store::{InboxQuery, MessageRef, Store};

use crate::EngineError;

/// Unread messages that are looked at: who leaves more lying reads none, and a hook has to end.
const LOOKED_AT: u32 = 1000;

/// Unread messages, newest first, and how many there are besides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unread {
    messages: Vec<Message>,
    /// The messages that are only counted.
    pub(crate) more: MoreMail,
}

impl Deref for Unread {
    type Target = [Message];

    fn deref(&self) -> &[Message] {
        &self.messages
    }
}

impl Unread {
    /// Takes messages as they are, newest first.
    pub(crate) fn of(messages: Vec<Message>) -> Self {
        Self { messages, more: MoreMail::default() }
    }

    /// Returns the messages, and how many there are besides.
    pub(crate) fn into_parts(self) -> (Vec<Message>, MoreMail) {
        (self.messages, self.more)
    }

    /// Reads the bodies of all of them.
    pub(crate) fn read_bodies(
        &mut self,
        store: &dyn Store,
        project: &Project,
    ) -> Result<(), EngineError> {
        for message in &mut self.messages {
            if let Some(whole) = store.message(project.id, MessageRef::Id(message.id))? {
                message.body = whole.body;
            }
        }
        Ok(())
    }

    /// Reads the messages that a briefing has room for.
    pub(crate) fn read(
        store: &dyn Store,
        project: &Project,
        agents: &[AgentName],
        branch: Option<&Branch>,
    ) -> Result<Self, EngineError> {
        let (project_id, unread_only, limit) = (project.id, true, LOOKED_AT);
        let query = InboxQuery { project: project_id, agents, branch, unread_only, limit };
        let mut messages = store.inbox(&query)?;
        // One that was sent to several of the names comes once for each, side by side.
        messages.dedup_by_key(|message| message.id);
        let mut unread = Self { messages, more: MoreMail::default() };
        unread.keep(limits::LISTED_MESSAGES);
        unread.read_bodies(store, project)?;
        Ok(unread)
    }

    /// Keeps so many: half of them the newest, so that what comes is always told of, the others
    /// those that press most.
    pub(crate) fn keep(&mut self, most: usize) {
        if self.messages.len() <= most {
            return;
        }
        let all = std::mem::take(&mut self.messages);
        let mut ranked: Vec<(usize, Message)> = all.into_iter().enumerate().collect();
        ranked.sort_by_key(|(age, message)| (*age >= most / 2, Reverse(message.importance)));
        let others = ranked.split_off(most);
        let is_urgent = |other: &&(usize, Message)| other.1.importance == Importance::Urgent;
        self.more.urgent += others.iter().filter(is_urgent).count();
        self.more.messages += others.len();
        ranked.sort_by_key(|(age, _)| *age);
        self.messages = ranked.into_iter().map(|(_, message)| message).collect();
    }
}

/// Returns the latest messages of an agent, read or not, newest first and with their bodies.
pub(crate) fn recent_messages(
    store: &dyn Store,
    project: &Project,
    agent: &AgentName,
    branch: Option<&Branch>,
    most: u32,
) -> Result<Vec<Message>, EngineError> {
    let agents = [agent.clone()];
    let (project_id, unread_only, limit) = (project.id, false, most);
    let query = InboxQuery { project: project_id, agents: &agents, branch, unread_only, limit };
    let with_body = |message: Message| {
        let whole = store.message(project.id, MessageRef::Id(message.id))?;
        Ok(whole.unwrap_or(message))
    };
    store.inbox(&query)?.into_iter().map(with_body).collect()
}
