//! Messages for the reader: those it has not read, and on a page of everything the latest.

use pacenote_context::{
    fragment::FragmentKind,
    fragments::{Inbox, MailLines},
};

use super::{Fragments, SourceRow};
use crate::{
    briefing::{Form, Scope, work::Gathering},
    situation::{Unread, recent_messages},
    wanted::WantedSource,
};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::MAIL], gather };

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
    let (messages, more) = messages.into_parts();
    Ok(vec![Box::new(Inbox { messages: messages.into(), more, lines, secret })])
}
