//! A workflow of ordinary size that goes round, a repository with runs of it, and a script that
//! prints one of its steps as workflows without a store do.

use std::path::{Path, PathBuf};

use crate::disk;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::process::Invocation;

/// What the workflow is called.
pub(super) const WORKFLOW: &str = "course";

/// How many steps it has.
const STEPS: u32 = 15;

/// How often each of them may be entered, which is the most that a definition can allow.
const LIMIT: u32 = 100;

/// How often a run can be moved before it comes to its end.
pub(super) const MOVES: u32 = STEPS * LIMIT - 1;

/// What every step says, in bytes, beside its title.
const TEXT: usize = 1024;

/// The convention that the first step names, in bytes.
const CONVENTION: usize = 2048;

/// What the texts are made of.
const SENTENCE: &str = "Read what is there before you change it, and say what you found. ";

/// The agent that follows the workflow.
const AGENT: &str = "bench";

/// Where the person keeps workflows, below their home.
const SHELF: &str = ".config/pacenote/workflows";

/// A repository in which an agent follows the workflow.
#[derive(Debug)]
pub(super) struct Course {
    pacenote: Invocation,
}

impl Course {
    /// Sets one up in `place`, with a run that is under way.
    pub(super) fn prepare(
        environment: &Environment,
        pacenote: &Path,
        place: &Path,
    ) -> Result<Self, Failure> {
        let [home, store, work] = ["home", "store", "work"].map(|name| place.join(name));
        let shelf = home.join(SHELF);
        for path in [&store, &work.join(".git"), &shelf.join("conventions")] {
            disk::create_directory(path)?;
        }
        disk::write(&work.join(".git/HEAD"), "ref: refs/heads/main\n")?;
        disk::write(&shelf.join(format!("{WORKFLOW}.yaml")), &definition())?;
        disk::write(&shelf.join("conventions/care.md"), &text(CONVENTION))?;
        let pacenote = Invocation::new(pacenote)
            .directory(&work)
            .clean()
            .variable("PATH", &environment.path)
            .variable("HOME", &home)
            .variable("PACENOTE_HOME", &store)
            .variable("PACENOTE_AGENT", AGENT);
        let course = Self { pacenote };
        course.shows(&["start", WORKFLOW])?;
        course.shows(&["status"])?;
        Ok(course)
    }

    /// Returns a verb of `pacenote flow` as the agent runs it.
    pub(super) fn flow(&self, arguments: &[&str]) -> Invocation {
        self.pacenote.clone().arguments(["flow"]).arguments(arguments.iter().copied())
    }

    /// Fails unless a command shows the first step; one that shows nothing would be fast.
    fn shows(&self, arguments: &[&str]) -> Result<(), Failure> {
        let command = self.flow(arguments);
        if command.read_output()?.contains(&title(1)) {
            Ok(())
        } else {
            Err(command.unexpected("the first step is not in it"))
        }
    }
}

/// Writes the script into `place` and returns how it is run; `None` where there is no Python.
pub(super) fn script(
    environment: &Environment,
    place: &Path,
) -> Result<Option<Invocation>, Failure> {
    // What is found first may be a wrapper that looks for the interpreter, and is slow at it.
    let which = Invocation::new("python3").arguments(["-c", "import sys; print(sys.executable)"]);
    let Ok(interpreter) = which.read_output() else { return Ok(None) };
    let path = place.join("course.py");
    disk::write(&path, &source())?;
    let number = STEPS.to_string();
    let run = Invocation::new(PathBuf::from(interpreter.trim_end()))
        .clean()
        .variable("PATH", &environment.path)
        // What happens to be installed beside it is not the script's own cost.
        .arguments(["-S".into(), path.into_os_string()])
        .arguments(["--step", &number, "--total-steps", &number]);
    if run.read_output()?.contains(&title(STEPS)) {
        Ok(Some(run))
    } else {
        Err(run.unexpected("the step is not in it"))
    }
}

fn definition() -> String {
    let mut lines = vec![
        format!("name: {WORKFLOW}"),
        "description: Goes through a piece of work from its beginning to its end.".to_owned(),
        "steps:".to_owned(),
    ];
    for number in 1..=STEPS {
        lines.extend([
            format!("  - id: step-{number}"),
            format!("    title: {}", title(number)),
            "    actions:".to_owned(),
            format!("      - say: {}", text(TEXT)),
        ]);
        if number == 1 {
            lines.push("      - convention: care".to_owned());
        }
        let next = match number {
            STEPS => "{ ok: step-1, skip: end }".to_owned(),
            _ => format!("step-{}", number.saturating_add(1)),
        };
        lines.extend([format!("    next: {next}"), format!("    limit: {LIMIT}")]);
    }
    lines.join("\n")
}

fn source() -> String {
    let step = |number| {
        format!(
            "    {number}: {{\"title\": \"{}\", \"actions\": [\"{}\"]}},\n",
            title(number),
            text(TEXT)
        )
    };
    let steps: String = (1..=STEPS).map(step).collect();
    format!(
        r#"import argparse

STEPS = {{
{steps}}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--step", type=int, required=True)
    parser.add_argument("--total-steps", type=int, required=True)
    args = parser.parse_args()
    step = STEPS[args.step]
    print(f"STEP {{args.step}}/{{args.total_steps}}: {{step['title']}}")
    print("DO:")
    for action in step["actions"]:
        print(action)
    if args.step < args.total_steps:
        print(f"NEXT: course.py --step {{args.step + 1}} --total-steps {{args.total_steps}}")
    else:
        print("WORKFLOW COMPLETE")


if __name__ == "__main__":
    main()
"#
    )
}

fn title(number: u32) -> String {
    format!("Part {number} of the work")
}

/// Returns a text of so many bytes.
fn text(bytes: usize) -> String {
    SENTENCE.chars().cycle().take(bytes).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Course, Environment, Failure, Path, STEPS, definition, script};

    fn environment() -> Environment {
        let environment = Environment::from_lookup(|_| Some("/repository/xtask".into())).unwrap();
        Environment { path: "/usr/bin:/bin".into(), ..environment }
    }

    #[test]
    fn the_workflow_goes_round_and_has_the_size_it_says() {
        let definition = definition();
        assert_eq!(definition.matches("\n  - id: ").count(), STEPS as usize);
        assert!(definition.contains("next: { ok: step-1, skip: end }"));
        assert!((15_000..20_000).contains(&definition.len()), "{}", definition.len());
    }

    #[test]
    fn the_script_prints_one_step() {
        let directory = tempfile::tempdir().unwrap();
        let Some(script) = script(&environment(), directory.path()).unwrap() else { return };
        let told = script.read_output().unwrap();
        assert!(told.starts_with("STEP 15/15: Part 15 of the work\nDO:\nRead what"), "{told}");
        assert!(told.ends_with("WORKFLOW COMPLETE\n") && told.len() > 1000, "{told}");
    }

    #[test]
    fn a_product_that_shows_no_step_is_not_measured() {
        let directory = tempfile::tempdir().unwrap();
        let failure = Course::prepare(&environment(), Path::new("/bin/echo"), directory.path());
        assert!(matches!(failure.unwrap_err(), Failure::Unexpected { .. }));
    }
}
