//! Two commands side by side, and how many times as long as the other one may take.

use serde_json::{Value, json};

use super::statistics::{median, paired_ratio};
use crate::failure::Failure;

/// A command, what it is compared with, and the goal.
#[derive(Debug)]
pub(super) struct Comparison {
    /// The command that has a goal.
    pub(super) command: &'static str,
    /// What it is compared with.
    pub(super) floor: &'static str,
    /// Its times in milliseconds, round by round.
    pub(super) times: Vec<f64>,
    /// Those of the other, in the same rounds.
    pub(super) floor_times: Vec<f64>,
    /// The goal: at most so many times as long.
    pub(super) limit: f64,
}

impl Comparison {
    /// Fails when the goal is missed.
    pub(super) fn judge(&self) -> Result<(), Failure> {
        let Self { command, floor, limit, .. } = *self;
        if self.is_met() {
            Ok(())
        } else {
            Err(Failure::GoalMissed { command, floor, ratio: self.ratio(), limit })
        }
    }

    /// Renders it for people, in two lines of times and one with the verdict.
    pub(super) fn table(&self) -> String {
        let line = |name: &str, times: &[f64]| format!("{name:<44}{:>10.3} ms", median(times));
        format!(
            "{}\n{}\ngoal: at most {:.2} x, {}",
            line(self.command, &self.times),
            line(self.floor, &self.floor_times),
            self.limit,
            self.verdict(),
        )
    }

    /// Renders it for people in one line, where the times are shown elsewhere.
    pub(super) fn line(&self) -> String {
        let Self { command, floor, limit, .. } = self;
        format!("goal: `{command}` at most {limit:.2} x `{floor}`, {}", self.verdict())
    }

    /// Renders it for programs.
    pub(super) fn json(&self) -> Value {
        json!({
            "command": self.command,
            "floor": self.floor,
            "median_ms": median(&self.times),
            "floor_median_ms": median(&self.floor_times),
            "ratio": self.ratio(),
            "ratio_limit": self.limit,
            "met": self.is_met(),
        })
    }

    fn verdict(&self) -> String {
        let verdict = if self.is_met() { "met" } else { "not met" };
        format!("found {:.2}: {verdict}", self.ratio())
    }

    fn ratio(&self) -> f64 {
        paired_ratio(&self.times, &self.floor_times)
    }

    /// A ratio that is not a number was never measured and meets nothing.
    fn is_met(&self) -> bool {
        self.ratio() <= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::Comparison;

    fn comparison(times: &[f64]) -> Comparison {
        Comparison {
            command: "walk",
            floor: "rg",
            times: times.to_vec(),
            floor_times: vec![2.0, 20.0, 2.0],
            limit: 1.5,
        }
    }

    #[test]
    fn a_goal_is_met_or_missed_by_the_ratio_within_rounds() {
        let met = comparison(&[2.5, 25.0, 2.5]);
        assert_eq!(
            met.table(),
            "\
walk                                             2.500 ms
rg                                               2.000 ms
goal: at most 1.50 x, found 1.25: met"
        );
        assert_eq!(met.line(), "goal: `walk` at most 1.50 x `rg`, found 1.25: met");
        assert!(met.judge().is_ok());
        assert_eq!(met.json()["met"], true);

        let missed = comparison(&[4.0, 25.0, 4.0]);
        assert_eq!(
            missed.judge().unwrap_err().to_string(),
            "`walk` took 2.00 times as long as `rg`, the goal is 1.50"
        );
        assert_eq!(missed.json()["met"], false);
    }

    #[test]
    fn what_was_not_measured_meets_nothing() {
        assert!(comparison(&[]).judge().is_err());
    }
}
