//! How a session takes over what another one left.
//!
//! A hook does not commit, so it claims: a line in a small log of the handoff, under that log's lock.
//! A claim holds while the log of the session that made it says that it took the handoff and is not
//! ingested yet; then the store knows. A hook that was killed before it could say so took nothing.

use pacenote_files::{
    Bytes, is_directory_itself,
    session_log::{HeldLog, Line, LogDirectory, LogPath},
};
use pacenote_model::{
    HostId, HostName, KeptHandoff, Moment, Number, Record, Session, SessionId, SessionStatus,
    StartSource, succession::is_over,
};
use serde::{Deserialize, Serialize};

use super::{Left, LeftBy, is_worth_reading};
use crate::{Data, EngineError, ingest::not_ingested, records::LOG_TAIL, situation::Situation};

/// How long a hook may need from its claim to the line in its log: it is killed after a second.
const CLAIM_MINUTES: u32 = 1;

/// Minutes after which a claim is forgotten: every log was ingested by then.
const FORGOTTEN_MINUTES: u32 = 24 * 60;

/// Most handoffs that are taken at once: their ids stand on one line of a log.
const TAKEN_MOST: usize = 200;

/// The directory of claims in our data.
pub(crate) const CLAIMS: &str = "claims";

/// What the names of their logs begin with.
const HANDOFF: &str = "handoff";

/// How much of such a log is read: some ten claims, of which the last counts.
const CLAIM_TAIL: Bytes = Bytes::kib(4);

/// A session that begins, and may take over what another one left.
pub(crate) struct Heir<'a> {
    situation: &'a Situation<'a>,
    host: HostName,
    source: StartSource,
    now: Moment,
}

/// Who takes a handoff, and since when.
#[derive(Debug, Serialize, Deserialize)]
struct Claim {
    at: Moment,
    host: HostName,
    host_id: HostId,
}

impl<'a> Heir<'a> {
    /// Describes a session that begins in a situation.
    pub(crate) fn new(
        situation: &'a Situation<'a>,
        source: StartSource,
    ) -> Result<Self, EngineError> {
        let (host, now) = (situation.host_name()?, situation.clock().now());
        Ok(Self { situation, host, source, now })
    }

    /// Returns what another session left behind for this one, if nobody took it. Nothing is taken.
    pub(crate) fn find_waiting(&self) -> Result<Option<Left>, EngineError> {
        let Some((LeftBy { session, .. }, left)) = self.find_left()? else { return Ok(None) };
        let lines = claims_of(self.data(), session)?.read_tail(CLAIM_TAIL)?;
        Ok((!self.is_claimed(&lines, session)?).then_some(left))
    }

    /// Takes what another session left behind for this one, and with it all that is older: that is
    /// out of date, and must not surface as news later. `None` when another session is first.
    pub(crate) fn take_waiting(&self) -> Result<Option<(Left, Vec<SessionId>)>, EngineError> {
        let Some((LeftBy { session, .. }, left)) = self.find_left()? else { return Ok(None) };
        let log = claims_of(self.data(), session)?;
        let mut held = log.hold_soon()?;
        if self.is_claimed(&held.tail(CLAIM_TAIL)?, session)? {
            return Ok(None);
        }
        self.append_claim(&mut held)?;
        let line = in_line(self.situation)?.into_iter().map(|(waiting, _)| waiting.id);
        let taken = line.skip_while(|waiting| *waiting != session).take(TAKEN_MOST);
        let taken: Vec<SessionId> = taken.collect();
        for older in taken.iter().skip(1) {
            // Where that cannot be claimed now, it may surface once more, and nothing is lost.
            if let Ok(mut held) = claims_of(self.data(), *older)?.hold_soon() {
                self.append_claim(&mut held)?;
            }
        }
        Ok(Some((left, taken)))
    }

    fn append_claim(&self, held: &mut HeldLog) -> Result<(), EngineError> {
        let (host, host_id) = (self.host.clone(), self.situation.event.session.clone());
        let claim = serde_json::to_string(&Claim { at: self.now, host, host_id });
        let claim = claim.map_err(|source| EngineError::Unwritten { source })?;
        Ok(held.append(&[&claim], self.situation.clock().fresh().as_u128())?)
    }

    fn data(&self) -> &Data {
        self.situation.desk.data()
    }

    fn find_left(&self) -> Result<Option<(LeftBy, Left)>, EngineError> {
        for (session, kept) in in_line(self.situation)? {
            if self.is_left(&session) && is_worth_reading(self.situation, &kept.handoff)? {
                let left = Left::of(&session, kept.handoff);
                return Ok(left.by.map(|by| (by, left)));
            }
        }
        Ok(None)
    }

    /// Reports whether a session is over as far as anybody knows, so that this one may go on.
    fn is_left(&self, session: &Session) -> bool {
        if (&session.host, &session.host_id) == (&self.host, &self.situation.event.session) {
            return false;
        }
        // The person emptied a context: the session before goes on under another id, and its last word
        // may not have been ingested yet.
        let is_cleared = self.source == StartSource::Clear
            && session.status == SessionStatus::Paused
            && session.host == self.host;
        is_cleared || is_over(session, self.now)
    }

    /// Reports whether the last of some claims is another session's, and holds.
    fn is_claimed(&self, claims: &[Line], session: SessionId) -> Result<bool, EngineError> {
        let Some(Claim { at, host, host_id }) = last_claim(claims) else { return Ok(false) };
        if (&host, &host_id) == (&self.host, &self.situation.event.session) {
            return Ok(false);
        }
        let log = self.data().logs().log_for(host.as_str(), host_id.as_str())?;
        // The log is not held: whoever appends to it right now may be waiting for the claims.
        let lines = log.read_tail(LOG_TAIL)?;
        let texts = lines.iter().filter_map(|line| line.text.as_deref().ok());
        let records = texts.filter_map(|text| serde_json::from_str(text).ok()).collect();
        if find_last_word(records, session).is_none() {
            return Ok(is_recent(at, self.now));
        }
        let Situation { store, project, .. } = self.situation;
        let news = not_ingested(&log, *store)?;
        if find_last_word(news, session) == Some(LastWord::Taken) {
            return Ok(true);
        }
        // What was ingested is in the store, perhaps only since it said that the handoff waits.
        Ok(!store.handoffs(project.id)?.iter().any(|kept| kept.session == session))
    }
}

/// Reports whether a claim may still be followed by the line that says it was taken. One from far in
/// the future was made by a wrong clock, and says nothing about the present; one from a moment ahead is
/// of somebody who read the clock later and got the lock first.
fn is_recent(at: Moment, now: Moment) -> bool {
    at <= now.plus_minutes(CLAIM_MINUTES) && at.plus_minutes(CLAIM_MINUTES) >= now
}

/// Returns what nobody took, that of the session that was seen last first: the worker ingests and
/// completes in an order of its own.
fn in_line(situation: &Situation<'_>) -> Result<Vec<(Session, KeptHandoff)>, EngineError> {
    let (store, project) = (situation.store, situation.project.id);
    let waiting = store.handoffs(project)?;
    if waiting.is_empty() {
        return Ok(Vec::new());
    }
    let sessions = store.sessions(project)?;
    let of = |kept: &KeptHandoff| sessions.iter().find(|session| session.id == kept.session);
    let mut line: Vec<_> =
        waiting.into_iter().filter_map(|kept| Some((of(&kept)?.clone(), kept))).collect();
    line.sort_by_key(|(session, _)| std::cmp::Reverse(session.last_seen));
    Ok(line)
}

/// Returns what this session took before, as its receipts say.
pub(crate) fn find_taken(situation: &Situation<'_>) -> Result<Option<Left>, EngineError> {
    let offered = situation.records()?.iter().filter_map(Record::offered);
    let items = offered.flat_map(|receipt| &receipt.items);
    let mut names = items.filter(|item| item.kind == HANDOFF).map(|item| item.id.as_str());
    let number = names.next().and_then(|name| {
        let number = name.strip_prefix("handoff:#")?.split('#').next()?;
        Number::parse(number)
    });
    let Some(number) = number else { return Ok(None) };
    let (store, project) = (situation.store, situation.project.id);
    let sessions = store.sessions(project)?;
    let Some(session) = sessions.iter().find(|session| session.number == number) else {
        return Ok(None);
    };
    let kept = store.handoff(project, session.id)?;
    Ok(kept.map(|kept| Left::of(session, kept.handoff)))
}

fn last_claim(lines: &[Line]) -> Option<Claim> {
    let mut texts = lines.iter().rev().filter_map(|line| line.text.as_deref().ok());
    texts.find_map(|text| serde_json::from_str(text).ok())
}

/// Forgets claims of which the store has known for long what became of them. One that cannot be looked
/// at or removed now is left to the next time.
pub(crate) fn forget_claims(data: &Data, now: Moment) {
    // A link would lead to files that are not ours.
    if !is_directory_itself(&data.directory().join(CLAIMS)) {
        return;
    }
    for log in claims_in(data).list().unwrap_or_default() {
        // Held, so that nobody claims in a file that is going.
        let Ok(held) = log.hold_soon() else { continue };
        let last = held.tail(CLAIM_TAIL).ok().and_then(|lines| last_claim(&lines));
        if last.is_some_and(|claim| claim.at.plus_minutes(FORGOTTEN_MINUTES) < now) {
            #[expect(clippy::disallowed_methods, reason = "claims lie in our data")]
            pacenote_files::remove_file(log.path()).ok();
        }
    }
}

fn claims_in(data: &Data) -> LogDirectory {
    LogDirectory::new(data.directory().join(CLAIMS))
}

fn claims_of(data: &Data, session: SessionId) -> Result<LogPath, EngineError> {
    Ok(claims_in(data).log_for(HANDOFF, &session.to_string())?)
}

/// What the log of a session says last of a handoff.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastWord {
    Taken,
    Returned,
}

fn find_last_word(records: Vec<Record>, session: SessionId) -> Option<LastWord> {
    records.into_iter().rev().find_map(|record| {
        if let Record::Taken { sessions, .. } = &record {
            sessions.contains(&session).then_some(LastWord::Taken)
        } else if let Record::Returned { session: returned, .. } = &record {
            (*returned == session).then_some(LastWord::Returned)
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_holds_for_a_minute_whoever_read_the_clock_first() {
        let now = Moment::from_millis(10 * 60_000);
        for (seconds, is_held) in [(-61, false), (-60, true), (0, true), (1, true), (61, false)] {
            let at = Moment::from_millis(now.millis() + seconds * 1_000);
            assert_eq!(is_recent(at, now), is_held, "{seconds} s");
        }
    }
}
