//! What happened lately in the project.

use pacenote_context::fragment::FragmentKind;

use super::{Fragments, SourceRow};
use crate::{
    briefing::{
        Form, Scope,
        activity::{self, Back, MailBeside},
        work::Gathering,
    },
    wanted::WantedSource,
};

pub(super) static ROW: SourceRow = SourceRow { kinds: &[FragmentKind::ACTIVITY], gather };

fn gather<'x>(gathering: &'x Gathering<'_>, wanted: &WantedSource) -> Fragments<'x> {
    let Scope::Full = gathering.layout.scope else { return Ok(Vec::new()) };
    let mail = match gathering.layout.form {
        Form::Answer => MailBeside::Unread,
        Form::Page { .. } => MailBeside::Recent,
    };
    let noted = gathering.work()?.notes.as_ref().map(|notes| notes.task.id);
    let mut recent = activity::recent(gathering.situation, Back::All { mail }, noted)?;
    let old = recent.lines.len().saturating_sub(wanted.most());
    recent.lines.drain(..old);
    Ok(vec![Box::new(recent)])
}
