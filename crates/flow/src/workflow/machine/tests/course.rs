//! A run that keeps a transcript of itself.

use std::collections::BTreeSet;

use crate::workflow::{
    Effect, Ending, Event, Library, Outcome, Purpose, Question, Refusal, Run, Shelf, Standing, Why,
    Workflow, begin, read, step,
};

/// What every run here is for.
pub(super) const fn purpose() -> Purpose<'static> {
    Purpose { task: "T1 a task", directory: ".pacenote/runs/1" }
}

/// A run, the workflow it goes through, and what happened to it.
pub(super) struct Course {
    workflow: Workflow,
    pub(super) run: Run,
    lines: Vec<String>,
}

impl Course {
    /// Begins a run over steps.
    pub(super) fn over(steps: &str) -> Self {
        Self::with(&format!("steps:{steps}"), &[])
    }

    /// Begins a run over a definition that lacks its name, with parameters.
    pub(super) fn with(rest: &str, params: &[(&str, &str)]) -> Self {
        let workflow = sound(rest);
        let (run, effects) = begin(&workflow, &owned(params), purpose()).unwrap();
        let mut course = Self { workflow, run, lines: Vec::new() };
        course.note("begin", &effects);
        course
    }

    /// Begins a run over a definition that was written before it would have been refused: the
    /// condition `sound` in it is another one by now.
    pub(super) fn with_old(rest: &str, sound_one: &str, old: &str) -> Self {
        let json = serde_json::to_string(&sound(rest)).unwrap().replace(sound_one, old);
        let workflow: Workflow = serde_json::from_str(&json).unwrap();
        let (run, effects) = begin(&workflow, &[], purpose()).unwrap();
        let mut course = Self { workflow, run, lines: Vec::new() };
        course.note("begin", &effects);
        course
    }

    /// Returns why a run over steps cannot begin.
    pub(super) fn refused(steps: &str) -> String {
        told_refusal(&begin(&sound(&format!("steps:{steps}")), &[], purpose()).unwrap_err())
    }

    /// Says what the step at hand came to; nothing where it says nothing.
    pub(super) fn report(&mut self, outcome: &str) {
        self.report_with(outcome, &[]);
    }

    /// The same, with parameters.
    pub(super) fn report_with(&mut self, outcome: &str, params: &[(&str, &str)]) {
        let mut said = vec!["report".to_owned()];
        let outcome = Outcome::from_word(outcome);
        said.extend(outcome.map(|outcome| outcome.word().to_owned()));
        said.extend(params.iter().map(|(name, text)| format!("{name}={text}")));
        self.take(
            &said.join(" "),
            &Event::Reported { outcome, params: owned(params), review: None },
        );
    }

    /// Looks at what a check looks at.
    pub(super) fn check(&mut self, found: Result<bool, &str>) {
        let said = format!("check {found:?}");
        self.take(&said, &Event::Checked { found: found.map_err(str::to_owned) });
    }

    /// Lets the person answer.
    pub(super) fn say(&mut self, answer: &str) {
        let answers = vec![(None, answer.to_owned())];
        self.take(&format!("say {answer}"), &Event::Answered { answers, relayed: false });
    }

    /// Lets the person answer questions by name.
    pub(super) fn say_each(&mut self, answers: &[(&str, &str)]) {
        let said = answers.iter().map(|(name, answer)| format!(" {name}={answer}"));
        let said = format!("say{}", said.collect::<String>());
        let named = answers.iter().map(|(name, answer)| (Some((*name).to_owned()), *answer));
        let answers = named.map(|(name, answer)| (name, answer.to_owned())).collect();
        self.take(&said, &Event::Answered { answers, relayed: false });
    }

    /// Lets an agent answer in the person's name.
    pub(super) fn relay(&mut self, answer: &str) {
        let answers = vec![(None, answer.to_owned())];
        self.take(&format!("relay {answer}"), &Event::Answered { answers, relayed: true });
    }

    /// Lets an agent ask.
    pub(super) fn question(&mut self, questions: &[(&str, &[&str])]) {
        let question = |(text, options): &(&str, &[&str])| Question {
            id: String::new(),
            text: (*text).to_owned(),
            options: options.iter().map(|option| (*option).to_owned()).collect(),
            free_text: false,
        };
        let texts: Vec<&str> = questions.iter().map(|(text, _)| *text).collect();
        let said = format!("question {}", texts.join(" "));
        self.take(
            &said,
            &Event::Questioned { questions: questions.iter().map(question).collect() },
        );
    }

    /// Gives the run up.
    pub(super) fn abort(&mut self, reason: &str) {
        self.take(&format!("abort {reason}"), &Event::Aborted { reason: reason.to_owned() });
    }

    /// Returns the transcript.
    pub(super) fn told(&self) -> String {
        self.lines.join("\n")
    }

    /// Returns the transcript without its first events.
    pub(super) fn told_from(&self, first: usize) -> String {
        self.lines[first..].join("\n")
    }

    fn take(&mut self, said: &str, event: &Event) {
        let said: String = said.chars().take(60).collect();
        match step(&self.workflow, &self.run, event) {
            Ok((run, effects)) => {
                assert_eq!(run.revision, self.run.revision + 1);
                self.run = run;
                self.note(&said, &effects);
            }
            Err(refusal) => {
                self.lines.push(format!("{said} → refused: {}", told_refusal(&refusal)));
            }
        }
    }

    fn note(&mut self, said: &str, effects: &[Effect]) {
        let gates = self.run.gates.iter().map(|(id, state)| {
            let failed = if state.failed { " mending" } else { "" };
            let must_only = if state.must_only { " must-only" } else { "" };
            let granted = state.granted;
            let granted = if granted > 0 { format!(" granted {granted}") } else { String::new() };
            let status = state.status.map_or("none", |status| status.word());
            format!(" [{id}: round {}, {status}{failed}{granted}{must_only}]", state.iteration)
        });
        let gates: String = gates.collect();
        let effects = effects.iter().map(|effect| format!("\n    {}", told_effect(effect)));
        let effects: String = effects.collect();
        self.lines.push(format!("{said} → {}{gates}{effects}", told_standing(&self.run)));
    }
}

/// Reads a definition that has everything but its name.
pub(super) fn sound(rest: &str) -> Workflow {
    let text = format!("name: w\ndescription: d\n{}", rest.trim_start_matches('\n'));
    read_alone(&text).unwrap_or_else(|problems| panic!("{problems}\n{text}"))
}

/// Reads a definition that names nothing but its own; says what is wrong with it.
pub(super) fn read_alone(text: &str) -> Result<Workflow, String> {
    let (library, workflows) = (Library::default(), BTreeSet::new());
    read(text, "w.yaml", &Shelf { library: &library, workflows: &workflows })
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn owned(params: &[(&str, &str)]) -> Vec<(String, String)> {
    params.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

fn told_refusal(refusal: &Refusal) -> String {
    refusal.hint().map_or_else(|| refusal.to_string(), |hint| format!("{refusal} ({hint})"))
}

fn told_standing(run: &Run) -> String {
    match &run.standing {
        Standing::Working { step } => {
            let answers = run.answers.iter();
            let answers = answers.map(|one| format!(" ({} {})", one.question, one.answer));
            format!("working on {step}{}", answers.collect::<String>())
        }
        Standing::Checking { step } => format!("checking {step}"),
        Standing::Asking { step, why, .. } => {
            let why = match why {
                Why::Step => "a question",
                Why::Approval => "an approval",
                Why::Agent => "an agent",
                Why::GateLimit => "a gate's limit",
                Why::StepLimit => "a step's limit",
            };
            format!("asking at {step} for {why}")
        }
        Standing::Ended { how } => format!("over, {}", told_ending(how)),
    }
}

fn told_effect(effect: &Effect) -> String {
    match effect {
        Effect::Moved { from, by, to, visit, .. } => format!("{from} #{visit} -{by}-> {to}"),
        Effect::Asked { step, questions } => {
            let one = |question: &Question| {
                let free = if question.free_text { ", or in other words" } else { "" };
                format!("{} {:?}{free}", question.text, question.options)
            };
            let all: Vec<String> = questions.iter().map(one).collect();
            format!("{step} asks: {}", all.join("; "))
        }
        Effect::Answered { step, answers } => {
            let by = |relayed| if relayed { " (relayed)" } else { "" };
            let all: Vec<String> =
                answers.iter().map(|one| format!("{}{}", one.answer, by(one.relayed))).collect();
            format!("{step} is answered: {}", all.join("; "))
        }
        Effect::Changed { param, value } => format!("{param} = {value:?}"),
        Effect::RiskTaken { gate, name, iteration } => {
            format!("RISK: {gate} ({name}) skipped in round {iteration}")
        }
        Effect::Repaired { step } => format!("repaired at {step}"),
        Effect::Ended { how } => format!("ended: {}", told_ending(how)),
    }
}

fn told_ending(how: &Ending) -> String {
    match how {
        Ending::Completed => "completed".to_owned(),
        Ending::Aborted { reason } => format!("aborted: {reason}"),
    }
}
