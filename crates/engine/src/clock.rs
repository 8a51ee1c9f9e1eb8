//! Where time and fresh ids come from.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use pacenote_model::Moment;
use uuid::{ContextV7, Timestamp, Uuid};

/// The earliest moment an id is made of. Ids of one millisecond are told apart by a counter, which
/// starts at a random place in every millisecond but the very first.
const EARLIEST_ID: Duration = Duration::from_millis(1);

/// What keeps the ids of this process in the order in which they were made.
static ORDER: Mutex<ContextV7> = Mutex::new(ContextV7::new());

/// The clock, which is also the source of ids.
#[derive(Clone, Copy, Debug)]
pub enum Clock {
    System,
    /// One that a test moves. Ids still come from the system: they only have to be fresh.
    Set(&'static SetClock),
}

/// A clock that stands still until it is moved.
#[derive(Debug)]
pub struct SetClock(AtomicI64);

impl SetClock {
    /// Makes one that shows a moment. It is never freed: there is one for each test.
    pub fn at(moment: Moment) -> &'static Self {
        Box::leak(Box::new(Self(AtomicI64::new(moment.millis()))))
    }

    /// Moves it, forward or back.
    pub fn set(&self, moment: Moment) {
        self.0.store(moment.millis(), Ordering::SeqCst);
    }

    /// Moves it forward.
    pub fn advance_minutes(&self, minutes: u32) {
        self.set(self.now().plus_minutes(minutes));
    }

    fn now(&self) -> Moment {
        Moment::from_millis(self.0.load(Ordering::SeqCst))
    }
}

impl Clock {
    /// Returns the present moment. A clock set before 1970 counts as 1970.
    pub fn now(self) -> Moment {
        match self {
            Self::System => {
                let millis = since_1970(system_time()).as_millis();
                Moment::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
            }
            Self::Set(clock) => clock.now(),
        }
    }

    /// Returns a fresh UUID of version 7, which sorts after those made before.
    pub fn fresh(self) -> Uuid {
        id_at(since_1970(system_time()))
    }
}

#[expect(clippy::disallowed_methods, reason = "this is where time enters")]
fn system_time() -> SystemTime {
    SystemTime::now()
}

fn since_1970(time: SystemTime) -> Duration {
    time.duration_since(UNIX_EPOCH).unwrap_or_default()
}

fn id_at(since: Duration) -> Uuid {
    let since = since.max(EARLIEST_ID);
    Uuid::new_v7(Timestamp::from_unix(&ORDER, since.as_secs(), since.subsec_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_before_1970_counts_as_1970() {
        let early = UNIX_EPOCH - Duration::from_hours(24);
        assert_eq!(since_1970(early), Duration::ZERO);
        let ids: Vec<Uuid> = (0..100).map(|_| id_at(since_1970(early))).collect();
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
        assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    }

    #[test]
    fn ids_sort_by_when_they_were_made() {
        let ids: Vec<Uuid> = (0..1000).map(|_| Clock::System.fresh()).collect();
        assert!(ids.is_sorted_by(|one, next| one < next));
    }
}
