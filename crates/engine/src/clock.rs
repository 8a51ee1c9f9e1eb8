//! Where time and fresh ids come from.

use std::time::{SystemTime, UNIX_EPOCH};

use pacenote_model::Moment;
use uuid::Uuid;

/// The system's clock and its source of ids.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock;

impl Clock {
    /// Returns the present moment. A clock set before 1970 counts as 1970.
    #[expect(clippy::disallowed_methods, reason = "this is where time enters")]
    pub fn now(self) -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// Returns a fresh UUID of version 7, which sorts after those made before.
    #[expect(clippy::disallowed_methods, reason = "this is where ids enter")]
    pub fn fresh(self) -> Uuid {
        Uuid::now_v7()
    }
}
