//! Whose work passes to whom when a session is over.
//!
//! A task belongs to the work, not to the session that claimed it. When a session ends, is cleared or
//! falls silent, what it held passes to the next session in the same project. Briefings, gates and
//! commands all ask here, so they never disagree; the first command or ingestion of the successor
//! commits the answer. Agents with a name of their own (`backend`) neither pass on nor inherit: they
//! come back under that name.

use alloc::{format, string::String, vec::Vec};

use uuid::Uuid;

use crate::{AgentName, HostId, HostName, Moment, Session, SessionStatus, Task};

/// Minutes after its last sign when a session that never said goodbye counts as over: shorter than a
/// lunch, longer than a long tool call.
const SILENT_MINUTES: u32 = 30;

/// Milliseconds by which a session may begin before its predecessor is last heard of: `/clear` runs the
/// hooks of both at once.
const OVERLAP_MILLIS: i64 = 1_000;

/// Fewest digits in the name that a session gets by itself.
const FEWEST_DIGITS: usize = 4;

/// Where what is random begins in a UUID of version 7, as it is written.
const UUID_RANDOM: usize = 15;

/// What the ids of OpenCode's sessions begin with, and how long the time in them is.
const OPENCODE: &str = "ses_";
const OPENCODE_TIME: usize = 12;

/// The session that may continue the work of others.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'a> {
    pub host: &'a HostName,
    /// The host's id of the session.
    pub host_id: &'a HostId,
    /// When it began.
    pub began: Moment,
}

/// Reports whether a session is over, as far as the store knows.
pub fn is_over(session: &Session, now: Moment) -> bool {
    match session.status {
        SessionStatus::AwaitingHandoff | SessionStatus::Completed | SessionStatus::Expired => true,
        SessionStatus::Active | SessionStatus::Paused => {
            session.last_seen.plus_minutes(SILENT_MINUTES) < now
        }
    }
}

/// Returns the sessions whose work a session continues, the latest first.
///
/// `sessions` are those of one project without subagents, as far as logs know of them. Of several
/// sessions that could continue one that is over, the first that began after it does.
pub fn predecessors<'s>(
    sessions: &'s [Session],
    successor: &Successor<'_>,
    now: Moment,
) -> Vec<&'s Session> {
    let is_itself =
        |one: &Session| one.host == *successor.host && one.host_id == *successor.host_id;
    let follows = |began: Moment, one: &Session| {
        began.millis().saturating_add(OVERLAP_MILLIS) >= one.last_seen.millis()
            && began >= one.first_seen
    };
    let others = sessions.iter().filter(|one| !is_itself(one) && !has_given_name(one));
    let (mut over, alive): (Vec<&Session>, Vec<&Session>) =
        others.partition(|one| is_over(one, now));
    let is_taken = |one: &Session| {
        alive
            .iter()
            .any(|other| follows(other.first_seen, one) && other.first_seen < successor.began)
    };
    over.retain(|one| follows(successor.began, one) && !is_taken(one));
    over.sort_by_key(|one| core::cmp::Reverse((one.last_seen, one.number)));
    over
}

/// Reports whether an agent was named by the person who started it, and not after its session.
pub fn has_given_name(session: &Session) -> bool {
    let Some(agent) = &session.agent else { return false };
    let by_host = format!("{}-", session.host);
    let Some(digits) = agent.as_str().strip_prefix(by_host.as_str()) else { return true };
    let own = own_digits(&session.host_id);
    let fewest = FEWEST_DIGITS.min(own.len()).max(1);
    let is_own = digits.len() >= fewest && own.starts_with(digits);
    let is_hex = digits.len() >= FEWEST_DIGITS && digits.bytes().all(|b| b.is_ascii_hexdigit());
    !(is_own || is_hex)
}

/// Returns the letters and digits by which a session is named: those of the host's id that differ
/// between two sessions from the first one on.
///
/// Some ids begin with the time, so that sessions of one month share their first digits: UUIDs of
/// version 7, and the ids of OpenCode (`ses_` and the time before what is random).
pub fn own_digits(host_id: &HostId) -> String {
    let raw = host_id.as_str();
    let random = match Uuid::try_parse(raw) {
        Ok(uuid) if uuid.get_version_num() == 7 => raw.get(UUID_RANDOM..),
        Ok(_) => Some(raw),
        Err(_) => raw.strip_prefix(OPENCODE).and_then(|rest| rest.get(OPENCODE_TIME..)),
    };
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|letter| letter.to_ascii_lowercase()).collect()
    };
    match random.map(letters) {
        Some(digits) if digits.len() >= FEWEST_DIGITS => digits,
        Some(_) | None => letters(raw),
    }
}

/// Gives the unfinished tasks of some agents to their successor, as its reader sees them.
pub fn pass_on(tasks: &mut [Task], from: &[AgentName], to: &AgentName) {
    for task in tasks.iter_mut().filter(|task| !task.state.is_over()) {
        if task.assignee.as_ref().is_some_and(|holder| from.contains(holder)) {
            task.assignee = Some(to.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::{Number, ProjectId, SessionId};

    const MINUTE: i64 = 60_000;

    fn session(number: u32, from: i64, to: i64, status: SessionStatus) -> Session {
        let host_id = HostId::parse(&format!("{number:04}-x")).unwrap();
        Session {
            id: SessionId::new(Uuid::from_u128(u128::from(number))),
            number: Number::new(number),
            project: ProjectId::new(Uuid::nil()),
            host: HostName::parse("claude").unwrap(),
            host_id,
            parent: None,
            agent: Some(AgentName::parse(&format!("claude-{number:04}")).unwrap()),
            status,
            epoch: 1,
            transcript: None,
            first_seen: Moment::from_millis(from * MINUTE),
            last_seen: Moment::from_millis(to * MINUTE),
        }
    }

    fn continued(sessions: &[Session], began: i64, now: i64) -> Vec<u32> {
        let host = HostName::parse("claude").unwrap();
        let host_id = HostId::parse("9999-new").unwrap();
        let began = Moment::from_millis(began * MINUTE);
        let successor = Successor { host: &host, host_id: &host_id, began };
        let now = Moment::from_millis(now * MINUTE);
        predecessors(sessions, &successor, now).iter().map(|one| one.number.get()).collect()
    }

    #[test]
    fn the_next_session_continues_what_is_over() {
        use SessionStatus::{Active, Completed, Paused};
        let over = |number: u32, from: i64, to: i64| session(number, from, to, Completed);
        let alive = |number: u32, from: i64, to: i64| session(number, from, to, Active);
        let check = |name: &str, sessions: &[Session], (began, now): (i64, i64), found: &[u32]| {
            assert_eq!(continued(sessions, began, now), found, "{name}");
        };
        check("it ended", &[over(1, 0, 10)], (20, 20), &[1]);
        check("it is at work", &[alive(1, 0, 10)], (12, 12), &[]);
        check("it fell silent", &[session(1, 0, 10, Paused)], (50, 50), &[1]);
        check("it fell silent later", &[session(1, 0, 10, Paused)], (12, 50), &[1]);
        check("it ended while this one ran", &[over(1, 0, 30)], (20, 40), &[]);
        check("two, one after the other", &[over(1, 0, 10), over(2, 11, 20)], (30, 30), &[2, 1]);
        check("another continues it", &[over(1, 0, 10), alive(2, 11, 30)], (30, 30), &[]);
        check("another began before", &[over(1, 0, 10), alive(2, 5, 30)], (30, 30), &[1]);
    }

    #[test]
    fn an_agent_with_a_name_of_its_own_comes_back_under_it() {
        let mut named = session(1, 0, 10, SessionStatus::Completed);
        for (agent, is_given) in [
            ("backend", true),
            ("claude-reviewer", true),
            ("claude-0001", false),
            ("claude-0001x", false),
            ("claude-7ea1", false),
            ("codex-0001", true),
        ] {
            named.agent = Some(AgentName::parse(agent).unwrap());
            assert_eq!(has_given_name(&named), is_given, "{agent}");
            let expected: &[u32] = if is_given { &[] } else { &[1] };
            assert_eq!(continued(&[named.clone()], 20, 20), expected, "{agent}");
        }
        named.agent = None;
        assert!(!has_given_name(&named));
        // A host may give short ids.
        named.host_id = HostId::parse("s1").unwrap();
        for (agent, is_given) in [("claude-s1", false), ("claude-s", true), ("claude-s12", true)] {
            named.agent = Some(AgentName::parse(agent).unwrap());
            assert_eq!(has_given_name(&named), is_given, "{agent}");
        }
    }

    #[test]
    fn sessions_of_one_day_have_digits_of_their_own() {
        for (raw, digits) in [
            ("45a5c0de-0000-4000-8000-000000000001", "45a5c0de"),
            ("01a1f3b2-7c4d-7e15-9b3a-5d2c8f60a1b4", "e159b3a5"),
            ("ses_e1d47a91effeB7xPn2YhVc6GsJ", "b7xpn2yh"),
            ("ses_short", "sesshort"),
            ("S-1", "s1"),
        ] {
            let found = own_digits(&HostId::parse(raw).unwrap());
            assert!(found.starts_with(digits), "{raw}: {found}");
        }
    }

    proptest! {
        /// However sessions overlap, at most one session that is alive continues one that is over.
        #[test]
        fn a_session_has_one_successor(
            spans in prop::collection::vec((0i64..200, 0i64..60, any::<bool>()), 1..8),
        ) {
            let now = Moment::from_millis(300 * MINUTE);
            let sessions: Vec<Session> = (1..).zip(&spans).map(|(number, (from, length, over))| {
                let status =
                    if *over { SessionStatus::Completed } else { SessionStatus::Active };
                // One that is alive was heard of just now.
                let to = if *over { from + length } else { 300 };
                let mut one = session(number, *from, to, status);
                one.first_seen = Moment::from_millis(from * MINUTE + i64::from(number));
                one
            }).collect();
            for over in sessions.iter().filter(|one| is_over(one, now)) {
                let heirs = sessions.iter().filter(|one| !is_over(one, now)).filter(|alive| {
                    let successor = Successor {
                        host: &alive.host,
                        host_id: &alive.host_id,
                        began: alive.first_seen,
                    };
                    predecessors(&sessions, &successor, now)
                        .iter()
                        .any(|one| one.id == over.id)
                });
                prop_assert!(heirs.count() <= 1);
            }
        }
    }
}
