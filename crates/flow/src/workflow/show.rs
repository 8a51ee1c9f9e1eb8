//! Makes the view of the step at hand: what to do now, and the one command that follows.
//!
//! Loop counters, findings and results stay in the run. The command only names the run and how
//! often it was moved, so that a command that is copied twice is done once.

#[cfg(test)]
mod tests;

use super::{
    definition::{
        Action, Agent, Block, Case, Check, Criterion, Dispatch, Expected, Gate, Handler, Mode,
        SEVERITY, Step, StepId, Target, Workflow,
    },
    expression::{self, Names},
    param, render,
    run::{Ending, Run, Standing, Verdict, Why},
    shell,
    view::{
        After, BannerMode, Conclusion, DispatchView, GateResult, Header, Invoke, ParallelView,
        Piece, Report, View,
    },
    words::{Outcome, Role},
};

/// The form of questions to the person.
const QUESTIONS_FORM: &str = r#"{"questions": [{"text": "…", "options": ["…", "…"]}]}"#;

/// The convention by which findings are graded, as it comes with us.
const SEVERITY_CONVENTION: &str = include_str!("../../assets/conventions/severity.md");

/// How the run at hand is spoken of in commands.
#[derive(Clone, Copy, Debug)]
pub struct Spoken<'s> {
    /// The run, as commands name it.
    pub run: &'s str,
    /// Whether what a check looks at is looked at by us, and not by the agent.
    pub checks_itself: bool,
}

/// Returns the view of the step at hand.
pub fn show(workflow: &Workflow, run: &Run, spoken: Spoken<'_>) -> Result<View, String> {
    let Some(step) = run.step().and_then(|id| workflow.step(id)) else {
        return Ok(ended(workflow, run));
    };
    let showing =
        Showing { workflow, run, step, spoken, names: Names::of(workflow, run, &step.id) };
    let (pieces, after) = match &run.standing {
        Standing::Asking { why, questions, .. } => {
            let mut pieces = match why {
                Why::Step | Why::Approval => showing.actions()?,
                Why::Agent | Why::StepLimit => showing.limit_reached(*why),
                // Behind a check the person decides by what it saw.
                Why::GateLimit => {
                    showing.failed_check().chain(showing.limit_reached(*why)).collect()
                }
            };
            pieces.splice(0..0, showing.failed_check());
            pieces.push(Piece::NeedsUserInput(questions.clone()));
            (pieces, showing.person(*why, questions.len()))
        }
        Standing::Working { .. } | Standing::Checking { .. } | Standing::Ended { .. } => {
            (showing.pieces()?, showing.after())
        }
    };
    Ok(View {
        header: showing.header(),
        is_first: run.revision == 1,
        gate: showing.gate_result()?,
        pieces,
        after,
    })
}

/// What is shown, and of what.
struct Showing<'s> {
    workflow: &'s Workflow,
    run: &'s Run,
    step: &'s Step,
    spoken: Spoken<'s>,
    names: Names<'s>,
}

/// Work that did not pass and is to be fixed.
struct Fixing<'s> {
    step: &'s Step,
    gate: &'s Gate,
    /// The round in which it failed.
    round: u32,
    /// The file in which the review says what it found.
    report: Option<String>,
}

impl Fixing<'_> {
    /// Returns who fixes it, if that is not the agent that leads the work.
    fn by(&self) -> Option<Role> {
        self.gate.fix_target.filter(|_| !self.gate.self_fix)
    }
}

impl Showing<'_> {
    fn header(&self) -> Header {
        let phase = self.step.phase.as_ref().map(|id| {
            let phase = self.workflow.phases.iter().find(|phase| phase.id == *id);
            phase.map_or_else(|| id.clone(), |phase| phase.title.clone())
        });
        Header {
            workflow: self.workflow.name.clone(),
            phase,
            step: self.workflow.number(&self.step.id).unwrap_or_default(),
            total: self.workflow.steps.len(),
            title: self.step.title.clone(),
        }
    }

    fn gate_result(&self) -> Result<Option<GateResult>, String> {
        let Some((id, verdict)) = &self.run.through else { return Ok(None) };
        let handler = self.workflow.step(id).map(|step| &step.handler);
        let Some(Handler::Gate(gate)) = handler else { return Ok(None) };
        let message = match verdict {
            Verdict::Pass => self.fill(&gate.pass_message)?,
            Verdict::Fail => {
                format!("Fix what was found; then round {} follows.", self.run.gate(id).iteration)
            }
            Verdict::Skipped => {
                "It did not pass, and the person decided to go on. The risk is in the decision log \
                 (`pacenote flow decisions`)."
                    .to_owned()
            }
        };
        let (name, passed) = (gate.name.clone(), *verdict == Verdict::Pass);
        Ok(Some(GateResult { name, passed, message }))
    }

    fn pieces(&self) -> Result<Vec<Piece>, String> {
        let fixing = self.fixing();
        let mut pieces: Vec<Piece> = self.failed_check().collect();
        pieces.extend(fixing.as_ref().map(|fixing| self.banner(fixing)).unwrap_or_default());
        // Handed work is told in its own prompt what the person answered.
        if !self.run.answers.is_empty() && !matches!(self.step.handler, Handler::Dispatch(_)) {
            pieces.push(Piece::UserResponse(self.run.answers.clone()));
        }
        let actions = self.actions()?;
        if fixing.is_some() && !actions.is_empty() {
            pieces.push(Piece::Say(
                "What the step asks for; the fixed work has to meet it:".to_owned(),
            ));
        }
        pieces.extend(actions);
        match (&self.step.handler, &fixing) {
            (Handler::Work | Handler::Dispatch(_), Some(fixing)) => {
                pieces.extend(self.handed_to_fix(fixing));
            }
            (Handler::Dispatch(dispatch), None) => pieces.extend(self.dispatch(dispatch)?),
            (Handler::Check(check), _) => pieces.push(Piece::Say(self.check(check))),
            (Handler::Work, None)
            | (Handler::Ask(_) | Handler::Choose(_) | Handler::Gate(_), _) => {}
        }
        if let (Some(file), Handler::Dispatch(dispatch)) = (self.answer_file(), &self.step.handler)
        {
            let what = match dispatch.agents.len() {
                0 => "the JSON that the agent hands back".to_owned(),
                many => format!("the JSON that the {many} agents hand back, as one list"),
            };
            pieces.push(Piece::Say(format!("Write {what} to `{file}`, unchanged.")));
        }
        pieces.extend(self.to_be_said().map(Piece::Say));
        Ok(pieces)
    }

    /// Says which check failed on the way here.
    fn failed_check(&self) -> impl Iterator<Item = Piece> {
        let is_check = matches!(self.step.handler, Handler::Check(_));
        self.run.failed.iter().filter(move |_| !is_check).cloned().map(Piece::FailedCheck)
    }

    fn actions(&self) -> Result<Vec<Piece>, String> {
        let mut pieces = Vec::new();
        for action in &self.step.actions {
            pieces.extend(self.action(action)?);
        }
        Ok(pieces)
    }

    /// Says what stands where the command has the name of a parameter in capitals.
    fn to_be_said(&self) -> impl Iterator<Item = String> {
        let params = self.step.report.iter().filter_map(|name| self.workflow.param(name));
        params.map(|param| {
            let about = match param.description.as_str() {
                "" => String::new(),
                about => format!(" ({about})"),
            };
            let allowed = param::allowed(&param.kind);
            format!("In the command, {} stands for {allowed}{about}.", param.name.to_uppercase())
        })
    }

    /// Returns what is to be fixed, when the step is entered for that.
    fn fixing(&self) -> Option<Fixing<'_>> {
        let (step, gate) = self.workflow.gate_of(&self.step.id)?;
        let state = self.run.gate(&step.id);
        if !state.failed {
            return None;
        }
        let leads = |review: &&Step| {
            let is_dispatch = matches!(review.handler, Handler::Dispatch(_));
            is_dispatch && review.targets().any(|target| *target == Target::Step(step.id.clone()))
        };
        let report = if let Some(failed) = &self.run.failed {
            failed.file.clone()
        } else {
            let review = self.workflow.steps.iter().find(leads);
            let written =
                review.map(|review| self.report_file(review, self.run.state(&review.id).visits));
            state.report.or(written)
        };
        let round = state.iteration.saturating_sub(1);
        Some(Fixing { step, gate, round, report })
    }

    /// Says where a quality check stands, when work is entered to be fixed.
    fn banner(&self, fixing: &Fixing<'_>) -> Vec<Piece> {
        let Fixing { step, gate, round, report } = fixing;
        // The round that failed: its findings are fixed, by the measure they were found by.
        let mut pieces = vec![state_banner(gate, *round, BannerMode::Fix)];
        // A check has no findings to weigh.
        if self.run.failed.is_none() {
            pieces.push(self.severity_filter(gate, &step.id, *round));
        }
        if fixing.by().is_none() {
            pieces.push(Piece::Say(match report {
                Some(report) => format!(
                    "Read the report, fix every finding that counts and what follows from it, and \
                     change nothing else. The report is `{report}`."
                ),
                None => "Fix what did not pass, and nothing else.".to_owned(),
            }));
        }
        let mut forbidden = vec![
            "Changing what the review did not name and what does not follow from it.".to_owned(),
        ];
        // The agent that is sent to fix it reads this too, and moves no run.
        if fixing.by().is_none() {
            forbidden.push("Going on to a later step before the review has passed.".to_owned());
        }
        pieces.push(Piece::Forbidden(forbidden));
        pieces
    }

    /// Hands the report to the agent that fixes the work, where that is not the one that leads it.
    fn handed_to_fix(&self, fixing: &Fixing<'_>) -> Option<Piece> {
        let role = fixing.by()?;
        let filter = [self.severity_filter(fixing.gate, &fixing.step.id, fixing.round)];
        let what = if self.run.failed.is_some() { "check" } else { "review" };
        let instruction = format!(
            "{}\n\nA {what} did not pass. Its report is `{}`. Fix every finding that counts and what \
             follows from it, and change nothing else.\n\n{}",
            role.prompt(),
            fixing.report.as_deref().unwrap_or(&self.run.directory),
            render::pieces_as_text(&filter).trim_end()
        );
        Some(Piece::Dispatch(DispatchView {
            role,
            model: None,
            context: Vec::new(),
            invoke: Invoke::FreeForm { instruction },
            answer: None,
            handoff: self.handoff(role.returns()),
            report: None,
        }))
    }

    fn severity_filter(&self, gate: &Gate, id: &StepId, iteration: u32) -> Piece {
        let count = self.run.gate(id).counted(gate, iteration);
        Piece::SeverityFilter { iteration, count }
    }

    /// Returns how findings are graded and written: what no reviewer can do without.
    fn severity_convention(&self) -> Piece {
        let kept = self.workflow.library.conventions.get(SEVERITY).cloned();
        // A run that began before every review was given the convention has none.
        let text = kept.unwrap_or_else(|| SEVERITY_CONVENTION.to_owned());
        let purpose = "how each finding is graded and written".to_owned();
        Piece::Resource { name: SEVERITY.to_owned(), purpose, text }
    }

    fn limit_reached(&self, why: Why) -> Vec<Piece> {
        match (why, &self.step.handler) {
            (Why::GateLimit, Handler::Gate(gate)) => vec![Piece::IterationLimitReached {
                name: gate.name.clone(),
                iteration: self.run.gate(&self.step.id).iteration,
                limit: gate.limit,
            }],
            (Why::StepLimit, _) => vec![Piece::IterationLimitReached {
                name: self.step.title.clone(),
                iteration: self.run.state(&self.step.id).visits,
                limit: self.step.limit.as_ref().map_or(0, |limit| limit.rounds),
            }],
            (Why::GateLimit | Why::Step | Why::Approval | Why::Agent, _) => Vec::new(),
        }
    }

    fn action(&self, action: &Action) -> Result<Option<Piece>, String> {
        if let Some(when) = &action.when
            && !expression::holds(when, &self.names)?
        {
            return Ok(None);
        }
        let library = &self.workflow.library;
        let piece = match &action.block {
            Block::Say(text) => Piece::Say(self.fill(text)?),
            Block::Resource { name, purpose } => Piece::Resource {
                name: name.clone(),
                purpose: self.fill(purpose)?,
                text: library.resources.get(name).cloned().unwrap_or_default(),
            },
            Block::Convention { name, purpose } => Piece::Resource {
                name: name.clone(),
                purpose: self.fill(purpose)?,
                text: library.conventions.get(name).cloned().unwrap_or_default(),
            },
            Block::Forbid(list) => Piece::Forbidden(self.fill_all(list)?),
            Block::Expect(Expected { if_pass, when_issues, categories }) => {
                Piece::Expected(Expected {
                    if_pass: self.fill(if_pass)?,
                    when_issues: self.fill(when_issues)?,
                    categories: self.fill_all(categories)?,
                })
            }
            Block::Questions { category, questions } => Piece::DetectionQuestions {
                category: self.fill(category)?,
                questions: self.fill_all(questions)?,
            },
            Block::Checklist { name, checks } => Piece::Checklist {
                name: self.fill(name)?,
                checks: checks
                    .iter()
                    .map(|check| self.criterion(check))
                    .collect::<Result<_, _>>()?,
            },
            Block::Avoid { example, consequence } => Piece::IncorrectBehavior {
                example: self.fill(example)?,
                consequence: self.fill(consequence)?,
            },
            Block::Constraint(text) => Piece::OrchestratorConstraint(self.fill(text)?),
            Block::Factored(list) => Piece::FactoredVerification(self.fill_all(list)?),
            Block::Principle(text) => Piece::VerificationPrinciple(self.fill(text)?),
            Block::Pedantic(list) => Piece::PedanticEnforcement(self.fill_all(list)?),
            Block::Routing(cases) => Piece::Routing(
                cases
                    .iter()
                    .map(|case| {
                        let (result, then) = (self.fill(&case.result)?, self.fill(&case.then)?);
                        Ok(Case { result, then })
                    })
                    .collect::<Result<_, String>>()?,
            ),
            Block::Conditional { condition, if_true, if_false } => Piece::ConditionalDispatch {
                condition: self.fill(condition)?,
                if_true: self.fill(if_true)?,
                if_false: self.fill(if_false)?,
            },
        };
        Ok(Some(piece))
    }

    fn criterion(&self, check: &Criterion) -> Result<Criterion, String> {
        Ok(Criterion {
            element: self.fill(&check.element)?,
            criterion: self.fill(&check.criterion)?,
            if_missing: self.fill(&check.if_missing)?,
        })
    }

    fn dispatch(&self, dispatch: &Dispatch) -> Result<Vec<Piece>, String> {
        let mut context = Vec::new();
        for (name, text) in &dispatch.context {
            context.push((name.clone(), self.fill(text)?));
        }
        let review = self.workflow.gate_after(&self.step.id);
        let report = review.is_some().then(|| Report {
            path: self.report_file(self.step, self.visit()),
            command: self.review_command(),
        });
        let mut told = vec![dispatch.role.prompt().to_owned(), self.fill(&dispatch.prompt)?];
        if let Some((step, gate)) = review {
            // The reviewer has a context of its own: what it has to know goes to it in words.
            let brief = [
                state_banner(gate, self.run.gate(&step.id).iteration, BannerMode::FreshReview),
                self.severity_filter(gate, &step.id, self.run.gate(&step.id).iteration),
                self.severity_convention(),
            ];
            told.push(render::pieces_as_text(&brief).trim_end().to_owned());
        }
        if !self.run.answers.is_empty() {
            let answers = [Piece::UserResponse(self.run.answers.clone())];
            told.push(render::pieces_as_text(&answers).trim_end().to_owned());
        }
        told.retain(|text| !text.is_empty());
        let returns = match &dispatch.returns {
            Some(returns) => self.fill(returns)?,
            // A fixed form of the answer is the form.
            None if dispatch.answer.is_some() => String::new(),
            None => dispatch.role.returns().to_owned(),
        };
        let afterwards = dispatch.afterwards.as_ref();
        let afterwards = afterwards.map(|text| self.fill(text).map(Piece::Say)).transpose()?;
        let instruction = told.join("\n\n");
        if dispatch.agents.is_empty() {
            let invoke = match &dispatch.mode {
                Mode::FreeForm => Invoke::FreeForm { instruction },
                Mode::Script { workflow, params } => {
                    if !instruction.is_empty() {
                        context.push(("task".to_owned(), instruction));
                    }
                    let mut command = format!("pacenote flow start {workflow}");
                    for (name, text) in params {
                        let pair = format!("{name}={}", self.fill(text)?);
                        command = format!("{command} --param {}", shell::word(&pair));
                    }
                    Invoke::Script { command }
                }
            };
            let alone = Piece::Dispatch(DispatchView {
                role: dispatch.role,
                model: dispatch.model.clone(),
                context,
                invoke,
                answer: dispatch.answer.clone(),
                handoff: self.handoff(&returns),
                report,
            });
            return Ok(std::iter::once(alone).chain(afterwards).collect());
        }
        let mut agents = Vec::new();
        for Agent { id, prompt } in &dispatch.agents {
            agents.push((id.clone(), self.fill(prompt)?));
        }
        let template = format!(
            "You are one of {} agents of the role {} who work at the same time, each on its own \
             part. Your part: AGENT. {} If you cannot go on without an answer from the \
             person, hand back only QUESTIONS: and your questions, each with its options.",
            agents.len(),
            dispatch.role.word(),
            returns.trim_end(),
        );
        let parallel = Piece::ParallelDispatch(ParallelView {
            role: dispatch.role,
            instruction,
            model: dispatch.model.clone(),
            context,
            agents,
            template,
            answer: dispatch.answer.clone(),
        });
        // None of several reviewers can say what all of them come to.
        let joint = report.map(|report| {
            Piece::Say(format!(
                "When all of them have ended, write the report `{}`. Its first line is RESULT: \
                 FAIL if one of them found something that counts, otherwise RESULT: PASS; below it \
                 stands everything they found, word for word.",
                report.path
            ))
        });
        let asking = Piece::Say(self.asking_for_all());
        Ok([parallel].into_iter().chain(afterwards).chain([asking]).chain(joint).collect())
    }

    /// Says what to do with questions of several agents.
    fn asking_for_all(&self) -> String {
        let questions = self.questions_file();
        format!(
            "If agents hand back questions, write the three that matter most to `{questions}` as \
             {QUESTIONS_FORM} and run `{} --result {questions}` instead of the command below.",
            self.command()
        )
    }

    /// Says what an agent hands back: the one form of its prompt, and how it asks the person.
    fn handoff(&self, returns: &str) -> String {
        let questions = self.questions_file();
        let command = format!("{} --result {questions}", self.command());
        let asking = format!(
            "If you cannot go on without an answer from the person, write {QUESTIONS_FORM} with at \
             most three questions to `{questions}` and hand back only: QUESTIONS: your only next \
             action is `{command}`"
        );
        // What a reviewer hands back is said with its report.
        if self.workflow.gate_after(&self.step.id).is_some() {
            return asking;
        }
        format!("{} {asking}", returns.trim_end()).trim_start().to_owned()
    }

    fn check(&self, check: &Check) -> String {
        let what = match check {
            Check::Artifact { glob } => format!("a file that fits `{glob}` must be there"),
            Check::Keyword { glob, keyword } => {
                format!("a file that fits `{glob}` must contain `{keyword}`")
            }
            Check::Command { argv } => format!("`{}` must end well", argv.join(" ")),
            Check::Tests => "the tests of the project must pass".to_owned(),
        };
        if self.checks_itself(check) {
            format!("This is checked when you run the command: {what}.")
        } else {
            let file = format!("{}/{}-{}.txt", self.run.directory, self.step.id, self.visit());
            format!(
                "Check it yourself, by running it: {what}. Report what you saw, not what you \
                 expect. If it fails, write its output to `{file}` and add `--result {file}` to \
                 the command: the one who fixes it reads that."
            )
        }
    }

    /// Tells whether we look ourselves; files we can always look at.
    fn checks_itself(&self, check: &Check) -> bool {
        match check {
            Check::Artifact { .. } | Check::Keyword { .. } => true,
            Check::Command { .. } | Check::Tests => self.spoken.checks_itself,
        }
    }

    fn after(&self) -> After {
        if let Handler::Check(check) = &self.step.handler {
            if self.checks_itself(check) {
                return After::Run { command: self.command() };
            }
            return self.branch(&[Outcome::Ok, Outcome::Fail]);
        }
        if self.workflow.gate_after(&self.step.id).is_some() {
            return After::Run { command: self.review_command() };
        }
        self.branch(&self.step.outcomes())
    }

    /// Says where the answer of the agents goes, where its form is fixed.
    fn answer_file(&self) -> Option<String> {
        let is_review = self.workflow.gate_after(&self.step.id).is_some();
        let Handler::Dispatch(Dispatch { answer: Some(_), .. }) = &self.step.handler else {
            return None;
        };
        let file = format!("{}/{}-{}.json", self.run.directory, self.step.id, self.visit());
        (!is_review && self.fixing().is_none()).then_some(file)
    }

    fn branch(&self, outcomes: &[Outcome]) -> After {
        let command = self.reporting_command();
        if let [_] = outcomes {
            return After::Run { command };
        }
        let with = |word: &str| format!("{command} --outcome {word}");
        let cases = outcomes.iter().map(|outcome| (*outcome, with(outcome.word()))).collect();
        After::Branch { cases, command: with("OUTCOME") }
    }

    fn person(&self, why: Why, questions: usize) -> After {
        let run = self.spoken.run;
        let relayed = match why {
            Why::Step | Why::Agent => true,
            Why::Approval | Why::GateLimit | Why::StepLimit => false,
        };
        let answers = match questions {
            0 | 1 => "ANSWER".to_owned(),
            many => (1..=many).map(|n| format!("q{n}=ANSWER")).collect::<Vec<_>>().join(" "),
        };
        After::Person { relayed, command: format!("pacenote flow answer {run} {answers}") }
    }

    fn command(&self) -> String {
        format!("pacenote flow next {} --at {}", self.spoken.run, self.run.revision)
    }

    fn reporting_command(&self) -> String {
        let mut command = self.command();
        for name in &self.step.report {
            command = format!("{command} --param {name}={}", name.to_uppercase());
        }
        if let Some(file) = self.answer_file() {
            command = format!("{command} --result {file}");
        }
        command
    }

    fn review_command(&self) -> String {
        let file = self.report_file(self.step, self.visit());
        format!("{} --result {file}", self.reporting_command())
    }

    fn report_file(&self, step: &Step, visit: u32) -> String {
        format!("{}/{}-{visit}.md", self.run.directory, step.id)
    }

    fn questions_file(&self) -> String {
        format!("{}/{}-{}-questions.json", self.run.directory, self.step.id, self.visit())
    }

    fn visit(&self) -> u32 {
        self.run.state(&self.step.id).visits
    }

    fn fill(&self, text: &str) -> Result<String, String> {
        expression::fill(text, &self.names)
    }

    fn fill_all(&self, texts: &[String]) -> Result<Vec<String>, String> {
        texts.iter().map(|text| self.fill(text)).collect()
    }
}

fn state_banner(gate: &Gate, iteration: u32, mode: BannerMode) -> Piece {
    Piece::StateBanner { checkpoint: gate.name.clone(), iteration, mode }
}

fn ended(workflow: &Workflow, run: &Run) -> View {
    let (how, message) = concluded(workflow, run);
    let total = workflow.steps.len();
    let title = match how {
        Conclusion::Complete => "Done",
        Conclusion::Ended => "Ended",
        Conclusion::Aborted => "Given up",
    };
    let (workflow, title) = (workflow.name.clone(), title.to_owned());
    View {
        header: Header { workflow, phase: None, step: total, total, title },
        is_first: false,
        gate: None,
        pieces: Vec::new(),
        after: After::Done { how, message },
    }
}

/// Reports whether the last review before a gate failed, and neither the gate nor the person let its
/// work pass since.
fn is_unpassed(workflow: &Workflow, run: &Run, gate: &StepId) -> bool {
    let failed = |step: &Step| {
        workflow.gate_after(&step.id).is_some_and(|(after, _)| after.id == *gate)
            && run.state(&step.id).outcome == Some(Outcome::Fail)
    };
    match run.gate(gate).status {
        Some(Verdict::Fail) => true,
        Some(Verdict::Skipped) => false,
        Some(Verdict::Pass) | None => workflow.steps.iter().any(failed),
    }
}

/// Says how a run ended: nothing that was skipped, dropped or given up counts as done.
fn concluded(workflow: &Workflow, run: &Run) -> (Conclusion, String) {
    let skipped = workflow.gates().filter(|(step, _)| run.gate(&step.id).skips > 0);
    let skipped: Vec<String> = skipped
        .map(|(_, gate)| {
            let name = &gate.name;
            format!(
                " `{name}` did not pass, and the person skipped it: see `pacenote flow decisions`."
            )
        })
        .collect();
    let skipped = skipped.concat();
    if let Standing::Ended { how: Ending::Aborted { reason } } = &run.standing {
        let reason = reason.trim_end_matches('.');
        return (Conclusion::Aborted, format!("The run was given up: {reason}.{skipped}"));
    }
    // A limit or a way of its own may lead round a gate that did not pass.
    let unpassed = workflow.gates().filter(|(step, _)| is_unpassed(workflow, run, &step.id));
    let unpassed: Vec<String> =
        unpassed.map(|(_, gate)| format!(" `{}` did not pass.", gate.name)).collect();
    let open = format!("{}{skipped}", unpassed.concat());
    if let Some((step, outcome @ (Outcome::Fail | Outcome::Iterate))) = &run.ended_by {
        let title = workflow.step(step).map_or(step.as_str(), |step| step.title.as_str());
        let word = outcome.word();
        let message = format!("The run ended at `{title}` with the outcome `{word}`.{open}");
        return (Conclusion::Ended, message);
    }
    if !open.is_empty() {
        return (Conclusion::Ended, format!("The run is at its end.{open}"));
    }
    let has_passed = run.gates.values().any(|gate| gate.status == Some(Verdict::Pass));
    let reviews = if has_passed { " Every review on the way passed." } else { "" };
    (Conclusion::Complete, format!("Every step on the way is done.{reviews}"))
}
