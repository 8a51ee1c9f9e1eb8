//! Rounds in which every command is run once, so that they can be compared.
//!
//! The order is shuffled anew in each round, so that a busy machine slows all commands alike and
//! none always runs after the same other.

use std::path::Path;

use super::project::Subject;
use super::shuffle::Shuffle;
use crate::disk;
use crate::failure::Failure;

/// Rounds whose times are dropped, so that no command pays for a cold page cache.
pub(super) const WARM_UP_ROUNDS: u32 = 2;

/// Any number will do; a fixed one gives every run the same orders.
pub(super) const SEED: u64 = 20_261_115;

/// Where Linux keeps the load average.
const LOAD_AVERAGE: &str = "/proc/loadavg";

/// Returns for each subject its times in milliseconds, round by round.
pub(super) fn measure<'a>(
    subjects: impl IntoIterator<Item = &'a Subject>,
    rounds: u32,
) -> Result<Vec<Vec<f64>>, Failure> {
    let subjects: Vec<_> = subjects.into_iter().collect();
    let mut times = vec![Vec::new(); subjects.len()];
    let mut shuffle = Shuffle::seeded(SEED);
    for round in 0..rounds {
        let mut order: Vec<_> = subjects.iter().zip(&mut times).collect();
        shuffle.reorder(&mut order);
        for (subject, times) in order {
            let elapsed = subject.in_round(round).time()?;
            if round >= WARM_UP_ROUNDS {
                times.push(elapsed.as_secs_f64() * 1000.0);
            }
        }
    }
    Ok(times)
}

/// Returns the load average of the last minute, or nothing where the system does not tell it.
pub(super) fn load_average() -> Option<f64> {
    let averages = disk::read(Path::new(LOAD_AVERAGE)).ok()?;
    averages.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Subject, WARM_UP_ROUNDS, measure};
    use crate::process::Invocation;

    #[test]
    fn every_subject_is_timed_in_every_round_but_the_first_ones() {
        let subjects = [
            Subject::new("true", Invocation::new("/bin/true")),
            Subject::new("sh", Invocation::new("/bin/sh").arguments(["-c", "exit 0"])),
        ];
        let times = measure(&subjects, WARM_UP_ROUNDS + 3).unwrap();
        assert_eq!(times.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
        assert!(times.iter().flatten().all(|time| *time > 0.0));
    }

    #[test]
    fn a_command_that_fails_is_not_measured() {
        let subjects = [Subject::new("false", Invocation::new("/bin/false"))];
        assert!(measure(&subjects, 3).is_err());
    }
}
