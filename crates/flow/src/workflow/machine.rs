//! Moves a run: one event in, the next standing and what came of it out.
//!
//! Nothing is looked at but what is passed in. A run stands in exactly one place; every event
//! either moves it or is refused and leaves it where it was; and because every loop of a sound
//! workflow has an end, a run that is answered comes to its own.
//!
//! Why every run ends. Leave out the ways into steps that have a limit, and the ways by which
//! gates send work back; what remains has no cycle, or the definition is refused. Steps with a
//! limit are entered so many times, and no more unless the person grants it. A gate sends back so
//! many times before it is passed, and is passed only on the way forward: the last gate in that
//! order that is passed again and again would need a way back from behind it, and there is none.

mod repair;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::{
    definition::{
        AnswerOption, Ask, Choice, Gate, Handler, Limit, Param, Step, StepId, Target, Workflow,
    },
    expression::{self, Names},
    param,
    refusal::Refusal,
    run::{
        Effect, Ending, Event, GateState, Purpose, Reviewed, Run, Standing, StepState, Verdict, Why,
    },
    view::{Answered, Question},
    words::{Outcome, Severity},
};
use crate::problem::{listed, shown};

/// Most questions an agent may have at once: more are an interview, and nobody reads them.
pub const QUESTIONS: usize = 3;

/// Most options of a question of an agent.
pub const OPTIONS: usize = 4;

/// Longest question or option of an agent, in characters.
pub const QUESTION_CHARACTERS: usize = 500;

/// Longest answer, in characters: two pages.
pub const ANSWER_CHARACTERS: usize = 4000;

/// Most answers an agent gets at one step: whoever still has questions then has the wrong step.
const ANSWERS: usize = 4 * QUESTIONS;

/// Most places one event passes where nobody works. A workflow has 200 steps; whoever passes five
/// times as many goes round in circles.
const PASSED: usize = 1000;

/// Most findings that the person reads in the question; the report has all.
const FINDINGS: usize = 10;

/// What the person can say when a gate was tried as often as it may be.
const GATE_CHOICES: [&str; 4] = ["continue", MUST_ONLY, "skip", "abort"];

/// Another round, in which fewer findings count.
const MUST_ONLY: &str = "must-only";

/// What the person can say when a step was entered as often as it may be.
const STEP_CHOICES: [&str; 2] = ["continue", "abort"];

/// What stands in the command until somebody puts the answer in its place.
const PLACEHOLDER: &str = "ANSWER";

/// The name of a question that stands alone.
const QUESTION: &str = "q1";

/// Begins a run.
pub fn begin(
    workflow: &Workflow,
    params: &[(String, String)],
    purpose: Purpose<'_>,
) -> Result<(Run, Vec<Effect>), Refusal> {
    let run = Run {
        params: param::chosen(workflow, params)?,
        standing: Standing::Ended { how: Ending::Completed },
        revision: 1,
        steps: std::collections::BTreeMap::new(),
        gates: std::collections::BTreeMap::new(),
        answers: Vec::new(),
        ended_by: None,
        through: None,
        failed: None,
        task: purpose.task.to_owned(),
        directory: purpose.directory.to_owned(),
    };
    let mut machine = Machine { workflow, run, effects: Vec::new() };
    machine.enter(Onward { to: Target::Step(workflow.entry.clone()), by: Outcome::Ok })?;
    Ok((machine.run, machine.effects))
}

/// Moves a run by an event, or says why it stays where it is.
pub fn step(workflow: &Workflow, run: &Run, event: &Event) -> Result<(Run, Vec<Effect>), Refusal> {
    let mut machine = Machine { workflow, run: run.clone(), effects: Vec::new() };
    machine.take(event)?;
    machine.run.revision = run.revision.saturating_add(1);
    Ok((machine.run, machine.effects))
}

/// A run on its way.
struct Machine<'w> {
    workflow: &'w Workflow,
    run: Run,
    effects: Vec<Effect>,
}

/// Where a run goes on to, and by what.
struct Onward {
    to: Target,
    by: Outcome,
}

impl<'w> Machine<'w> {
    fn take(&mut self, event: &Event) -> Result<(), Refusal> {
        if matches!(self.run.standing, Standing::Ended { .. }) {
            return Err(Refusal::Over);
        }
        match event {
            Event::Reported { outcome, params, review } => {
                self.report(*outcome, params, review.as_ref())
            }
            Event::Repaired { params } => self.repair(params),
            Event::Questioned { questions } => self.question(questions),
            Event::Answered { answers, relayed } => self.answer(answers, *relayed),
            Event::Checked { found } => self.check(found),
            Event::Aborted { reason } => {
                self.end(Ending::Aborted { reason: reason.clone() });
                Ok(())
            }
        }
    }

    fn report(
        &mut self,
        outcome: Option<Outcome>,
        params: &[(String, String)],
        review: Option<&Reviewed>,
    ) -> Result<(), Refusal> {
        let step = match &self.run.standing {
            Standing::Working { step } => self.at(step)?,
            Standing::Checking { step } => return Err(Refusal::Seen { step: step.clone() }),
            Standing::Asking { step, .. } => return Err(Refusal::Waits { step: step.clone() }),
            Standing::Ended { .. } => return Err(Refusal::Over),
        };
        let valid = step.outcomes();
        let outcome = match (outcome, valid.as_slice()) {
            (Some(outcome), _) => outcome,
            (None, [only]) => *only,
            (None, _) => return Err(Refusal::OutcomeMissing { step: step.id.clone(), valid }),
        };
        let target = target_of(step, outcome)?;
        let is_said = |name: &&String| params.iter().any(|(said, _)| said == *name);
        let missing = step.report.iter().filter(|name| !is_said(name));
        let missing: Vec<&Param> = missing.filter_map(|name| self.workflow.param(name)).collect();
        param::require_said(&missing)?;
        let mut said = BTreeSet::new();
        for (name, text) in params {
            let value = param::changed(self.workflow, name, text)?;
            if !said.insert(name) {
                return Err(Refusal::ParamTwice { name: name.clone() });
            }
            self.run.params.insert(name.clone(), value.clone());
            self.effects.push(Effect::Changed { param: name.clone(), value });
        }
        if let (Some(review), Some((gate, _))) = (review, self.workflow.gate_after(&step.id)) {
            let mut state = self.run.gate(&gate.id);
            state.findings.clone_from(&review.findings);
            state.report.clone_from(&review.report);
            self.run.gates.insert(gate.id.clone(), state);
        }
        let onward = self.leave(step, outcome, outcome.word(), target);
        self.enter(onward)
    }

    fn question(&mut self, questions: &[Question]) -> Result<(), Refusal> {
        let step = match &self.run.standing {
            Standing::Working { step } => step.clone(),
            Standing::Checking { step } => return Err(Refusal::Seen { step: step.clone() }),
            Standing::Asking { step, .. } => return Err(Refusal::Waits { step: step.clone() }),
            Standing::Ended { .. } => return Err(Refusal::Over),
        };
        check_questions(questions).map_err(|reason| Refusal::QuestionsWrong { reason })?;
        if self.run.answers.len() + questions.len() > ANSWERS {
            let reason = format!("at this step the person answers {ANSWERS} at most");
            return Err(Refusal::QuestionsWrong { reason });
        }
        let numbered = questions.iter().zip(1..).map(|(question, number)| Question {
            id: format!("q{number}"),
            free_text: true,
            ..question.clone()
        });
        self.ask(&step, Why::Agent, numbered.collect());
        Ok(())
    }

    fn answer(
        &mut self,
        answers: &[(Option<String>, String)],
        relayed: bool,
    ) -> Result<(), Refusal> {
        let Standing::Asking { step, why, questions } = self.run.standing.clone() else {
            return Err(Refusal::NotAsked);
        };
        // What opens a gate is said by the person, and never by an agent in their name.
        if relayed && matches!(why, Why::GateLimit | Why::StepLimit | Why::Approval) {
            return Err(Refusal::PersonOnly);
        }
        let answered = match_answers(&questions, answers, relayed)?;
        let said = answered.first().map(|first| first.answer.clone()).unwrap_or_default();
        let id = step.clone();
        self.effects.push(Effect::Answered { step: id, answers: answered.clone() });
        match why {
            Why::Agent => {
                // Whoever begins afresh has to know what was answered before, too.
                self.run.answers.extend(answered);
                self.run.standing = Standing::Working { step };
                Ok(())
            }
            Why::Step | Why::Approval => self.decide(&step, &said),
            Why::GateLimit => self.pass_or_not(&step, &said),
            Why::StepLimit => {
                if said == "abort" {
                    self.end(Ending::Aborted { reason: format!("step `{step}` came to no end") });
                    return Ok(());
                }
                let granted = &mut self.state(&step).granted;
                *granted = granted.saturating_add(1);
                self.enter(Onward { to: Target::Step(step), by: Outcome::Iterate })
            }
        }
    }

    /// Goes on by what the person answered to a step that is a question.
    fn decide(&mut self, id: &StepId, said: &str) -> Result<(), Refusal> {
        let step = self.at(id)?;
        let outcome = match &step.handler {
            Handler::Ask(Ask { options, .. }) => outcome_of(options, said),
            Handler::Work
            | Handler::Dispatch(_)
            | Handler::Check(_)
            | Handler::Choose(_)
            | Handler::Gate(_) => Outcome::Ok,
        };
        let target = target_of(step, outcome)?;
        self.state(id).answer = Some(said.to_owned());
        let onward = self.leave(step, outcome, outcome.word(), target);
        self.enter(onward)
    }

    /// Goes on by what the person decided about work that did not pass.
    fn pass_or_not(&mut self, id: &StepId, said: &str) -> Result<(), Refusal> {
        let step = self.at(id)?;
        let Handler::Gate(gate) = &step.handler else { return Err(Refusal::NotAsked) };
        match said {
            "abort" => {
                let reason = format!("`{}` did not pass", gate.name);
                self.end(Ending::Aborted { reason });
                Ok(())
            }
            "skip" => {
                let iteration = self.run.gate(id).iteration;
                let (gate_step, name) = (id.clone(), gate.name.clone());
                self.effects.push(Effect::RiskTaken { gate: gate_step, name, iteration });
                let onward = self.pass(step, gate, Verdict::Skipped);
                self.enter(onward)
            }
            choice => {
                let mut state = self.run.gate(id);
                state.granted = state.granted.saturating_add(1);
                state.must_only = choice == MUST_ONLY;
                self.run.gates.insert(id.clone(), state);
                let onward = self.send_back(step, gate);
                self.enter(onward)
            }
        }
    }

    fn check(&mut self, found: &Result<bool, String>) -> Result<(), Refusal> {
        let step = match &self.run.standing {
            Standing::Checking { step } => self.at(step)?,
            Standing::Asking { step, .. } => return Err(Refusal::Waits { step: step.clone() }),
            Standing::Working { .. } => return Err(Refusal::NotChecking),
            Standing::Ended { .. } => return Err(Refusal::Over),
        };
        let onward = match found {
            Ok(is_good) => {
                let outcome = if *is_good { Outcome::Ok } else { Outcome::Fail };
                let target = target_of(step, outcome)?;
                self.leave(step, outcome, outcome.word(), target)
            }
            Err(reason) => self.broke(step, reason)?,
        };
        self.enter(onward)
    }

    /// Enters a place and whatever is only passed through behind it.
    fn enter(&mut self, first: Onward) -> Result<(), Refusal> {
        self.run.answers.clear();
        let mut ahead = Some(first);
        let mut passed = 0;
        // A loop and no recursion: what is passed through may be long, and the stack is short.
        while let Some(Onward { to, by }) = ahead {
            let Target::Step(id) = to else {
                self.end(Ending::Completed);
                return Ok(());
            };
            if passed == PASSED {
                let reason = format!("{PASSED} steps were passed and nobody was asked");
                return Err(Refusal::Broken { step: id, reason });
            }
            passed += 1;
            ahead = self.arrive(id, by)?;
        }
        Ok(())
    }

    /// Comes to a step, and returns where it goes on to if nobody has to do anything there.
    fn arrive(&mut self, id: StepId, by: Outcome) -> Result<Option<Onward>, Refusal> {
        let step = self.at(&id)?;
        let state = self.state(&id);
        if let Some(limit) = &step.limit
            && state.visits >= limit.rounds.saturating_add(state.granted)
        {
            return Ok(self.at_limit(step, limit, by));
        }
        state.visits = state.visits.saturating_add(1);
        match &step.handler {
            Handler::Work | Handler::Dispatch(_) => {
                self.run.standing = Standing::Working { step: id };
                Ok(None)
            }
            Handler::Check(_) => {
                self.run.standing = Standing::Checking { step: id };
                Ok(None)
            }
            Handler::Ask(ask) => {
                let why = if ask.approval { Why::Approval } else { Why::Step };
                let text = match expression::fill(&ask.question, &self.names(step)) {
                    Ok(text) => text,
                    Err(reason) => return self.broke(step, &reason).map(Some),
                };
                let options = ask.options.iter().map(|option| option.label.clone()).collect();
                let free_text = ask.free_text;
                let question = Question { id: QUESTION.to_owned(), text, options, free_text };
                self.ask(&id, why, vec![question]);
                Ok(None)
            }
            Handler::Choose(choices) => self.choose(step, choices).map(Some),
            Handler::Gate(gate) => Ok(self.judge(step, gate, by)),
        }
    }

    fn at_limit(&mut self, step: &'w Step, limit: &Limit, by: Outcome) -> Option<Onward> {
        let visit = self.run.state(&step.id).visits;
        let Some(then) = &limit.then else {
            let text =
                format!("`{}` was tried {visit} times and is not done. What now?", step.title);
            self.ask(&step.id, Why::StepLimit, vec![closed_question(text, &STEP_CHOICES)]);
            return None;
        };
        // A gate that sent work back here finds nobody to fix it.
        self.end_fixing(&step.id);
        self.run.through.take_if(|(_, verdict)| *verdict == Verdict::Fail);
        // Done as often as it may be is not the same as done.
        self.note_end(then, &step.id, Outcome::Iterate);
        let (from, to) = (step.id.clone(), then.clone());
        let moved = Effect::Moved { from, by: "limit".to_owned(), to, visit, round: None };
        self.effects.push(moved);
        Some(Onward { to: then.clone(), by })
    }

    fn choose(&mut self, step: &'w Step, choices: &[Choice]) -> Result<Onward, Refusal> {
        match chosen(choices, &self.names(step)) {
            Ok(outcome) => {
                let target = target_of(step, outcome)?;
                Ok(self.leave(step, outcome, outcome.word(), target))
            }
            Err(reason) => self.broke(step, &reason),
        }
    }

    /// Sends work on or back, by the review that led here.
    fn judge(&mut self, step: &'w Step, gate: &Gate, review: Outcome) -> Option<Onward> {
        match review {
            Outcome::Ok => Some(self.pass(step, gate, Verdict::Pass)),
            // A review that was not made did not pass.
            Outcome::Fail | Outcome::Skip | Outcome::Iterate => {
                let mut state = self.run.gate(&step.id);
                state.status = Some(Verdict::Fail);
                let is_last = state.iteration >= gate.limit.saturating_add(state.granted);
                let iteration = state.iteration;
                self.run.gates.insert(step.id.clone(), state);
                if !is_last {
                    return Some(self.send_back(step, gate));
                }
                let state = self.run.gate(&step.id);
                let text = gate_question(gate, iteration, &state);
                // Where only MUST findings count in the next round anyway, the choice is none.
                let is_must_only =
                    state.counted(gate, iteration.saturating_add(1)) == [Severity::Must];
                let choices = GATE_CHOICES.into_iter();
                let choices = choices.filter(|choice| !(is_must_only && *choice == MUST_ONLY));
                let question = closed_question(text, &choices.collect::<Vec<_>>());
                self.ask(&step.id, Why::GateLimit, vec![question]);
                None
            }
        }
    }

    fn pass(&mut self, step: &'w Step, gate: &Gate, verdict: Verdict) -> Onward {
        let skipped = u32::from(verdict == Verdict::Skipped);
        let skips = self.run.gate(&step.id).skips.saturating_add(skipped);
        let onward = self.leave(step, Outcome::Ok, verdict.word(), gate.pass.clone());
        let state = GateState { status: Some(verdict), skips, ..GateState::default() };
        self.run.gates.insert(step.id.clone(), state);
        self.run.through = Some((step.id.clone(), verdict));
        onward
    }

    fn send_back(&mut self, step: &'w Step, gate: &Gate) -> Onward {
        let back = Target::Step(gate.work.clone());
        let onward = self.leave(step, Outcome::Fail, Verdict::Fail.word(), back);
        let mut state = self.run.gate(&step.id);
        state.iteration = state.iteration.saturating_add(1);
        state.failed = true;
        self.run.gates.insert(step.id.clone(), state);
        self.run.through = Some((step.id.clone(), Verdict::Fail));
        onward
    }

    /// Goes where a step leads when what decides it breaks.
    fn broke(&mut self, step: &'w Step, reason: &str) -> Result<Onward, Refusal> {
        let Some(target) = step.on_error.clone() else {
            return Err(Refusal::Broken { step: step.id.clone(), reason: reason.to_owned() });
        };
        Ok(self.leave(step, Outcome::Fail, "error", target))
    }

    /// Notes that a step is left, and returns where to.
    fn leave(&mut self, step: &Step, outcome: Outcome, by: &str, to: Target) -> Onward {
        let state = self.state(&step.id);
        state.outcome = Some(outcome);
        let visit = state.visits;
        self.end_fixing(&step.id);
        if !step.is_passed_through() {
            self.run.through = None;
        }
        self.note_end(&to, &step.id, outcome);
        // The person decides about a report; whoever works on it has read it.
        if !step.is_passed_through() && !matches!(step.handler, Handler::Ask(_)) {
            self.run.failed = None;
        }
        let (from, by) = (step.id.clone(), by.to_owned());
        let is_gate = matches!(step.handler, Handler::Gate(_));
        let round = is_gate.then(|| self.run.gate(&step.id).iteration);
        self.effects.push(Effect::Moved { from, by, to: to.clone(), visit, round });
        Onward { to, by: outcome }
    }

    /// Notes which step led to the end, if one did.
    fn note_end(&mut self, to: &Target, step: &StepId, outcome: Outcome) {
        if *to == Target::End {
            self.run.ended_by = Some((step.clone(), outcome));
        }
    }

    /// Notes that nobody fixes the work of a step any more.
    fn end_fixing(&mut self, work: &StepId) {
        if let Some((gate, _)) = self.workflow.gate_of(work)
            && let Some(state) = self.run.gates.get_mut(&gate.id)
        {
            state.failed = false;
        }
    }

    fn ask(&mut self, step: &StepId, why: Why, questions: Vec<Question>) {
        let step = step.clone();
        self.effects.push(Effect::Asked { step: step.clone(), questions: questions.clone() });
        self.run.standing = Standing::Asking { step, why, questions };
    }

    fn end(&mut self, how: Ending) {
        self.effects.push(Effect::Ended { how: how.clone() });
        self.run.standing = Standing::Ended { how };
    }

    fn at(&self, id: &StepId) -> Result<&'w Step, Refusal> {
        self.workflow.step(id).ok_or_else(|| Refusal::Broken {
            step: id.clone(),
            reason: "the workflow has no such step".to_owned(),
        })
    }

    fn state(&mut self, id: &StepId) -> &mut StepState {
        self.run.steps.entry(id.clone()).or_default()
    }

    fn names(&self, step: &Step) -> Names<'_> {
        Names::of(self.workflow, &self.run, &step.id)
    }
}

/// Returns the outcome of the first choice whose condition holds.
fn chosen(choices: &[Choice], names: &Names<'_>) -> Result<Outcome, String> {
    for Choice { when, outcome } in choices {
        let holds = match when {
            Some(when) => expression::holds(when, names)?,
            None => true,
        };
        if holds {
            return Ok(*outcome);
        }
    }
    Err("no condition holds".to_owned())
}

fn target_of(step: &Step, outcome: Outcome) -> Result<Target, Refusal> {
    step.target(outcome).cloned().ok_or_else(|| Refusal::Unmapped {
        step: step.id.clone(),
        outcome,
        valid: step.outcomes(),
    })
}

/// Asks the person what to do with work that does not pass, with what they have to know for that.
fn gate_question(gate: &Gate, iteration: u32, state: &GateState) -> String {
    let mut lines = vec![format!("`{}` did not pass after {iteration} rounds.", gate.name)];
    let count = state.findings.len();
    if count > 0 {
        lines.push(format!("Open findings ({count}):"));
        lines.extend(state.findings.iter().take(FINDINGS).map(|finding| format!("- {finding}")));
        if count > FINDINGS {
            lines.push(format!("- and {} more", count - FINDINGS));
        }
    }
    lines.extend(state.report.iter().map(|report| format!("The report: {report}")));
    lines.push("What now?".to_owned());
    lines.join("\n")
}

fn closed_question(text: String, choices: &[&str]) -> Question {
    let options = choices.iter().map(|choice| (*choice).to_owned()).collect();
    Question { id: QUESTION.to_owned(), text, options, free_text: false }
}

fn outcome_of(options: &[AnswerOption], said: &str) -> Outcome {
    options.iter().find(|option| option.label == said).map_or(Outcome::Ok, |option| option.outcome)
}

fn check_questions(questions: &[Question]) -> Result<(), String> {
    if questions.is_empty() || questions.len() > QUESTIONS {
        return Err(format!("there are {}, one to {QUESTIONS} are allowed", questions.len()));
    }
    for question in questions {
        if question.options.len() > OPTIONS {
            return Err(format!("a question has more than {OPTIONS} options"));
        }
        for text in std::iter::once(&question.text).chain(&question.options) {
            if text.trim().is_empty() || text.chars().count() > QUESTION_CHARACTERS {
                let most = QUESTION_CHARACTERS;
                return Err(format!("a text of them is empty or has over {most} characters"));
            }
        }
    }
    Ok(())
}

/// Gives every question its answer: an option, its number, or other words where those are taken.
fn match_answers(
    questions: &[Question],
    answers: &[(Option<String>, String)],
    relayed: bool,
) -> Result<Vec<Answered>, Refusal> {
    let names: Vec<&str> = questions.iter().map(|question| question.id.as_str()).collect();
    let known = || listed(&names);
    let id_of = |name: &Option<String>| match (name, questions) {
        (Some(name), _) => Ok(name.clone()),
        (None, [only]) => Ok(only.id.clone()),
        (None, _) => Err(Refusal::QuestionOpen { id: names.join(", "), known: known() }),
    };
    // An answer of several words that nobody quoted is one answer.
    let unquoted = matches!(questions, [_]) && answers.len() > 1;
    let joined = (unquoted && answers.iter().all(|(name, _)| name.is_none())).then(|| {
        let words: Vec<&str> = answers.iter().map(|(_, word)| word.as_str()).collect();
        [(None, words.join(" "))]
    });
    let answers = joined.as_ref().map_or(answers, |joined| joined.as_slice());
    let mut given = Vec::new();
    for (name, answer) in answers {
        let id = id_of(name)?;
        if !names.contains(&id.as_str()) {
            return Err(Refusal::QuestionUnknown { id: shown(&id), known: known() });
        }
        if given.iter().any(|(other, _)| *other == id) {
            let options = "given once".to_owned();
            return Err(Refusal::AnswerWrong { id, answer: shown(answer), options });
        }
        given.push((id, answer));
    }
    let mut answered = Vec::new();
    for question in questions {
        let found = given.iter().find(|(id, _)| *id == question.id);
        let Some((_, answer)) = found else {
            return Err(Refusal::QuestionOpen { id: question.id.clone(), known: known() });
        };
        let answer = answer_to(question, answer.trim())?;
        answered.push(Answered { question: question.text.clone(), answer, relayed });
    }
    Ok(answered)
}

fn answer_to(question: &Question, answer: &str) -> Result<String, Refusal> {
    let numbered = || {
        let number: usize = answer.parse().ok()?;
        question.options.get(number.checked_sub(1)?)
    };
    let options = question.options.iter();
    let exact = options.clone().find(|option| option.trim() == answer);
    let alike = || options.clone().find(|option| option.trim().eq_ignore_ascii_case(answer));
    if let Some(option) = exact.or_else(alike).or_else(numbered) {
        return Ok(option.clone());
    }
    let is_sound =
        !answer.is_empty() && answer != PLACEHOLDER && answer.chars().count() <= ANSWER_CHARACTERS;
    if question.free_text && is_sound {
        return Ok(answer.to_owned());
    }
    let options: Vec<&str> = question.options.iter().map(String::as_str).collect();
    let options = if question.free_text {
        format!("a text of at most {ANSWER_CHARACTERS} characters")
    } else {
        listed(&options)
    };
    Err(Refusal::AnswerWrong { id: question.id.clone(), answer: shown(answer), options })
}
