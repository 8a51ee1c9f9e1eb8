//! What a run found about short-lived processes, as a table for people or as JSON.

use serde_json::{Value, json};

use super::comparison::Comparison;
use super::instructions::Instructions;
use super::statistics::{median, minimum, paired_ratio, percentile};
use crate::failure::Failure;

/// The figures of all commands, with the circumstances they were taken in.
#[derive(Debug)]
pub(super) struct Report {
    /// How often each command was run.
    pub(super) rounds: u32,
    /// What the orders were made from.
    pub(super) seed: u64,
    /// The machine's load average before the first round, if it is known.
    pub(super) load_before: Option<f64>,
    /// The same after the last round.
    pub(super) load_after: Option<f64>,
    /// One entry for each command, those with the same floor together and the floor first.
    pub(super) figures: Vec<Figures>,
    /// What could not be measured here.
    pub(super) missing: Vec<Missing>,
    /// What has to hold.
    pub(super) goals: Vec<Comparison>,
}

/// What was measured of one command; times are in milliseconds.
#[derive(Debug)]
pub(super) struct Figures {
    command: &'static str,
    floor: &'static str,
    minimum: f64,
    median: f64,
    ninety_fifth: f64,
    ratio: f64,
    instructions: Instructions,
}

impl Figures {
    /// Sums up the times of a command and compares them with those of its floor.
    pub(super) fn of(
        command: &'static str,
        times: &[f64],
        (floor, floor_times): (&'static str, &[f64]),
        instructions: Instructions,
    ) -> Self {
        Self {
            command,
            floor,
            minimum: minimum(times),
            median: median(times),
            ninety_fifth: percentile(95, times),
            ratio: paired_ratio(times, floor_times),
            instructions,
        }
    }

    fn row(&self) -> String {
        row([
            self.command,
            &format!("{:.3}", self.minimum),
            &format!("{:.3}", self.median),
            &format!("{:.3}", self.ninety_fifth),
            &format!("{:.2}", self.ratio),
            &match self.instructions {
                Instructions::Counted(count) => count.to_string(),
                Instructions::NoValgrind => "no valgrind".to_owned(),
                Instructions::NotAsked => String::new(),
            },
        ])
    }

    fn json(&self) -> Value {
        json!({
            "command": self.command,
            "floor": self.floor,
            "min_ms": self.minimum,
            "median_ms": self.median,
            "p95_ms": self.ninety_fifth,
            "ratio_to_floor": self.ratio,
            "instructions": match self.instructions {
                Instructions::Counted(count) => Some(count),
                Instructions::NoValgrind | Instructions::NotAsked => None,
            },
        })
    }
}

/// A command that was not measured, because its program is not installed.
#[derive(Debug)]
pub(super) struct Missing {
    pub(super) command: &'static str,
    /// What is not there.
    pub(super) program: &'static str,
}

impl Missing {
    fn line(&self) -> String {
        format!("NOT MEASURED: `{}`, because `{}` does not run here", self.command, self.program)
    }
}

impl Report {
    /// Fails when a goal is missed.
    pub(super) fn judge(&self) -> Result<(), Failure> {
        self.goals.iter().try_for_each(Comparison::judge)
    }

    /// Renders the report for people.
    pub(super) fn table(&self) -> String {
        let load =
            |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.2}"));
        let mut lines = vec![
            format!(
                "n = {} rounds, orders from seed {}, load average {} before, {} after; times in ms",
                self.rounds,
                self.seed,
                load(self.load_before),
                load(self.load_after),
            ),
            String::new(),
            row(["command", "min", "median", "p95", "x floor", "instructions"]),
        ];
        for group in self.figures.chunk_by(|one, next| one.floor == next.floor) {
            lines.extend(group.iter().map(Figures::row));
            lines.push(String::new());
        }
        lines.extend(self.missing.iter().map(Missing::line));
        lines.extend(self.goals.iter().map(Comparison::line));
        lines.join("\n")
    }

    /// Renders the report for programs.
    pub(super) fn json(&self) -> Value {
        let missing =
            |missing: &Missing| json!({ "command": missing.command, "program": missing.program });
        json!({
            "rounds": self.rounds,
            "seed": self.seed,
            "load_before": self.load_before,
            "load_after": self.load_after,
            "commands": self.figures.iter().map(Figures::json).collect::<Vec<_>>(),
            "not_measured": self.missing.iter().map(missing).collect::<Vec<_>>(),
            "goals": self.goals.iter().map(Comparison::json).collect::<Vec<_>>(),
        })
    }
}

fn row([command, minimum, median, ninety_fifth, ratio, instructions]: [&str; 6]) -> String {
    let times = format!("{command:<36}{minimum:>9}{median:>9}{ninety_fifth:>9}{ratio:>9}");
    format!("{times}{instructions:>14}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Figures, Instructions, Missing, Report};
    use crate::bench::project::FLOOR;

    const TASK_LIST: &str = "pacenote task list --json";

    fn report(task_list: &[f64], instructions: Instructions) -> Report {
        let floor = [0.5, 0.6, 0.5, 0.5];
        Report {
            rounds: 4,
            seed: 7,
            load_before: Some(0.25),
            load_after: None,
            figures: vec![
                Figures::of(FLOOR, &floor, (FLOOR, &floor), Instructions::Counted(131_416)),
                Figures::of(TASK_LIST, task_list, (FLOOR, &floor), instructions),
            ],
            missing: Vec::new(),
            goals: vec![Comparison {
                command: TASK_LIST,
                floor: FLOOR,
                times: task_list.to_vec(),
                floor_times: floor.to_vec(),
                limit: 4.0,
            }],
        }
    }

    #[test]
    fn a_goal_that_is_met_passes() {
        let report = report(&[1.5, 1.5, 1.5, 2.0], Instructions::Counted(2_000_000));
        assert_eq!(
            report.table(),
            "\
n = 4 rounds, orders from seed 7, load average 0.25 before, unknown after; times in ms

command                                   min   median      p95  x floor  instructions
/bin/true                               0.500    0.500    0.600     1.00        131416
pacenote task list --json               1.500    1.500    2.000     3.00       2000000

goal: `pacenote task list --json` at most 4.00 x `/bin/true`, found 3.00: met"
        );
        assert!(report.judge().is_ok());
        assert_eq!(report.json()["goals"][0]["met"], true);
        assert_eq!(report.json()["commands"][1]["instructions"], 2_000_000);
    }

    #[test]
    fn a_goal_that_is_missed_fails() {
        let report = report(&[2.5, 3.0, 2.5, 2.5], Instructions::NoValgrind);
        assert!(report.table().ends_with("found 5.00: not met"));
        assert!(report.table().contains("no valgrind"));
        assert_eq!(
            report.judge().unwrap_err().to_string(),
            "`pacenote task list --json` took 5.00 times as long as `/bin/true`, the goal is 4.00"
        );
        assert_eq!(report.json()["goals"][0]["met"], false);
    }

    #[test]
    fn commands_stand_beside_their_floor_and_what_is_missing_is_told() {
        let mut report = report(&[1.5; 4], Instructions::NoValgrind);
        let shell = ("sh -c /bin/true", [1.0; 4].as_slice());
        for (command, times) in [shell, ("sh: pacenote", &[3.0; 4])] {
            report.figures.push(Figures::of(command, times, shell, Instructions::NotAsked));
        }
        report.missing.push(Missing { command: "node -e 0", program: "node" });
        let table = report.table();
        let told: Vec<_> = table.lines().skip(4).collect();
        assert_eq!(
            told,
            [
                "pacenote task list --json               1.500    1.500    1.500     3.00   no valgrind",
                "",
                "sh -c /bin/true                         1.000    1.000    1.000     1.00",
                "sh: pacenote                            3.000    3.000    3.000     3.00",
                "",
                "NOT MEASURED: `node -e 0`, because `node` does not run here",
                "goal: `pacenote task list --json` at most 4.00 x `/bin/true`, found 3.00: met",
            ]
        );
        assert_eq!(report.json()["not_measured"][0]["program"], "node");
        assert_eq!(report.json()["commands"][3]["floor"], "sh -c /bin/true");
        assert!(report.judge().is_ok());
    }

    #[test]
    fn a_goal_that_was_not_measured_fails() {
        assert!(report(&[], Instructions::NoValgrind).judge().is_err());
    }
}
