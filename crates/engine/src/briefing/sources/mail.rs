//! Messages for the reader: those it has not read, and on a page of everything the latest; and what to
//! do now where one of them decides that.

use pacenote_context::{
    AfterMail, Hands, Incoming,
    fragment::{Fragment, FragmentKind},
    fragments::{Inbox, MailLines, NextAction},
    next_after_mail,
};
use pacenote_flow::lifecycle::Source;
use pacenote_model::Message;

use super::{Fragments, SourceRow};
use crate::{
    EngineError,
    briefing::{Form, Scope, work::Gathering},
    mail::wake_message,
    situation::{Unread, recent_messages},
    wanted::WantedSource,
};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::MAIL], gather };

/// Messages that are looked at for a word that decides what comes next: an older one was overtaken.
const DECIDING: u32 = 3;

/// Messages on a page of everything: a reader who lost its context needs those it has read, too.
const RECENT: u32 = 10;

fn gather<'x>(gathering: &'x Gathering<'_>, wanted: &WantedSource) -> Fragments<'x> {
    let Gathering { situation, layout, .. } = gathering;
    let mut messages = situation.unread()?.clone();
    let mut lines = MailLines::Envelopes;
    if let Form::Page { .. } = layout.form {
        lines = MailLines::Excerpts;
        if let (Scope::Full, Some(agent)) = (layout.scope, situation.agent()?) {
            let branch = situation.branch();
            let (store, project) = (situation.store, &situation.project);
            let recent = recent_messages(store, project, agent, branch.as_ref(), RECENT)?;
            messages = Unread::of(recent);
        } else {
            messages.read_bodies(situation.store, &situation.project)?;
        }
    }
    messages.keep(wanted.most());
    let secret = situation.secret();
    let (mut messages, more) = messages.into_parts();
    // The body of a wake-up is a page of its own; its subject has the message.
    let is_page = |message: &&mut Message| wake_message(message.subject.as_str()).is_some();
    messages.iter_mut().filter(is_page).for_each(|page| page.body = None);
    let mut fragments: Vec<Box<dyn Fragment + 'x>> =
        vec![Box::new(Inbox { messages: messages.into(), more, lines, secret })];
    // Where the tasks are not shown, because the prompt says no more than `go on`, a message still
    // says what to do.
    if !gathering.wants(Source::TaskContext)
        && layout.incoming.is_none()
        && let Some(next) = find_next(gathering)?
    {
        fragments.push(Box::new(next));
    }
    Ok(fragments)
}

/// Returns what follows from the last message that decides something, as for somebody who is woken
/// with it; nothing where a newer one puts that in doubt.
pub(super) fn find_next(gathering: &Gathering<'_>) -> Result<Option<NextAction>, EngineError> {
    let Gathering { situation, forest, .. } = gathering;
    let Some(agent) = situation.agent()?.filter(|_| !situation.is_off(FragmentKind::MAIL)) else {
        return Ok(None);
    };
    let (store, project, branch) = (situation.store, &situation.project, situation.branch());
    for message in recent_messages(store, project, agent, branch.as_ref(), DECIDING)? {
        let Message { sender, subject, body, sent, .. } = &message;
        let text = match (wake_message(subject.as_str()), body) {
            (Some(message), _) => message.to_owned(),
            (None, Some(body)) => format!("{subject}.\n{}", body.as_str()),
            (None, None) => subject.to_string(),
        };
        let incoming = Incoming { from: sender, text: &text };
        let after = |hands| next_after_mail(forest, Some(agent), &incoming, *sent, hands);
        match after(Hands::Own) {
            // Who does it is looked up only where there is something to do.
            AfterMail::Do(_) => {
                let AfterMail::Do(sentences) = after(gathering.hands()?) else { return Ok(None) };
                return Ok(Some(NextAction::saying(&sentences)));
            }
            AfterMail::Doubt => return Ok(None),
            AfterMail::Nothing => {}
        }
    }
    Ok(None)
}
