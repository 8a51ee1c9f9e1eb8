//! A point in time, as a value.

use core::fmt;

use serde::{Deserialize, Serialize};

/// Milliseconds since the Unix epoch.
///
/// A moment is only ever shown or compared with a deadline; order comes from [`crate::Sequence`],
/// because clocks jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(i64);

impl Moment {
    /// Builds a moment from milliseconds since the Unix epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns the milliseconds since the Unix epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Returns the moment `minutes` later, clamped at the end of time.
    #[must_use]
    pub const fn plus_minutes(self, minutes: u32) -> Self {
        Self(self.0.saturating_add(minutes as i64 * 60_000))
    }
}

/// RFC 3339 in UTC with milliseconds, or the bare number when it lies outside the calendar.
impl Moment {
    /// Returns the moment as people read it in passing: to the minute.
    pub fn minute(self) -> impl fmt::Display {
        MinuteOf(self)
    }

    /// Returns the minute of its day, for a reader who knows the day: `10:32`.
    pub fn time_of_day(self) -> impl fmt::Display {
        TimeOfDay(self)
    }

    /// Returns its day in UTC, counted from the Unix epoch.
    pub const fn day(self) -> i64 {
        self.0.div_euclid(24 * 60 * 60 * 1000)
    }
}

/// A moment within its day, to the minute.
struct TimeOfDay(Moment);

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = self.0.0.rem_euclid(24 * 60 * 60 * 1000) / 60_000;
        write!(f, "{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

/// A moment to the minute.
struct MinuteOf(Moment);

impl fmt::Display for MinuteOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(Moment(millis)) = self;
        match jiff::Timestamp::from_millisecond(*millis) {
            Ok(timestamp) => write!(f, "{}", timestamp.strftime("%Y-%m-%d %H:%M")),
            Err(_) => write!(f, "{millis}"),
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(timestamp) => write!(f, "{timestamp:.3}"),
            Err(_) => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn shows_rfc_3339() {
        assert_eq!(Moment::from_millis(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Moment::from_millis(1_763_235_912_345).to_string(), "2025-11-15T19:45:12.345Z");
        assert_eq!(Moment::from_millis(i64::MAX).to_string(), i64::MAX.to_string());
        assert_eq!(Moment::from_millis(i64::MAX).plus_minutes(5), Moment::from_millis(i64::MAX));
    }

    #[test]
    fn a_minute_within_its_day() {
        let evening = Moment::from_millis(1_763_235_912_345);
        assert_eq!(evening.time_of_day().to_string(), "19:45");
        assert_eq!(Moment::from_millis(-1).time_of_day().to_string(), "23:59");
        assert_eq!(Moment::from_millis(-1).day() + 1, Moment::from_millis(0).day());
        assert_eq!(evening.plus_minutes(5 * 60).day(), evening.day() + 1);
    }
}
