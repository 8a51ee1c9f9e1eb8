//! What to do after a message, by rules over the tasks.
//!
//! The sentences name commands; none of them is run here, and a message cannot bring its own: only
//! ids and titles of tasks that exist are quoted.

use pacenote_model::{AgentName, Forest, Moment, Task, TaskState, Trust};

use crate::{
    about::{About, Speaker},
    position::{Naming, Position},
    review_words::{has_word, is_review},
    verdict::{Reading, Verdict},
};

/// The words in the title of a step, and the subagent to which it is dispatched; of several the first
/// that fits.
const SUBAGENTS: [(&[&str], &str); 4] = [
    (&["spec", "specification", "requirements"], "spec-reviewer"),
    (&["quality"], "code-quality-reviewer"),
    (&["code"], "code-reviewer"),
    (&[], "reviewer"),
];

/// To whom work is dispatched that judges nothing.
const IMPLEMENTER: &str = "implementer";

/// Words in the title of a step that is the work itself.
const WORK_WORDS: [&str; 4] = ["implement", "implementation", "develop", "development"];

/// Words in the title of a step that comes with the work: it is not done again for a review.
const CHORE_WORDS: [&str; 9] =
    ["commit", "push", "merge", "test", "tests", "run", "verify", "deploy", "release"];

/// Who does the steps that the reader decides about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hands {
    /// The reader itself, who claims them.
    #[default]
    Own,
    /// Subagents, which the reader dispatches.
    Subagents,
}

/// A message that has just come.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'a> {
    /// Who wrote it.
    pub from: &'a AgentName,
    /// What it says.
    pub text: &'a str,
}

impl Incoming<'_> {
    /// Returns how far the message may be believed. Only a terminal speaks with the person's name.
    pub fn trust(&self) -> Trust {
        if *self.from == AgentName::person() { Trust::User } else { Trust::Agent }
    }
}

/// Says what `agent` has to do now, a sentence each, in order. The sentences quote titles.
///
/// A passed review closes its step and names the next one, a failed one sends the work back, and
/// finished work goes on to the next step. Whatever is not clear leaves the next action as the tasks
/// have it.
pub fn next_after(
    forest: &Forest<'_>,
    agent: Option<&AgentName>,
    message: Option<&Incoming<'_>>,
    hands: Hands,
) -> Vec<String> {
    let from_message = message.and_then(|message| {
        let reading = Reading::of(message.text);
        let about = About::of(&reading, forest);
        let places = places_of(forest, agent, message.from, hands, &about);
        places.iter().find_map(|place| place.after(&reading, place.subject(&reading, &about)?))
    });
    from_message.unwrap_or_else(|| {
        Vec::from([match hands {
            Hands::Own => Position::of(forest, agent, Naming::Id).next_action,
            Hands::Subagents => next_to_dispatch(forest, agent),
        }])
    })
}

/// Says what somebody does now who has others do the work: ids only, with the name of a holder.
pub fn next_to_dispatch(forest: &Forest<'_>, agent: Option<&AgentName>) -> String {
    let position = Position::of(forest, agent, Naming::Id);
    let step = position.step.or(position.focus).and_then(|step| forest.get(step));
    let Some(step) = step else { return position.next_action };
    let (short, holder) = (&step.short, step.assignee.as_ref().filter(|one| Some(*one) != agent));
    let dispatch = format!("ispatch the {} for {short}.", subagent_for(step));
    match (step.state, holder) {
        (TaskState::Open, None) if forest.held_up_by(step.id).is_empty() => {
            match position.current {
                Some(_) => format!("D{dispatch}"),
                // The person may want something else.
                None => format!("If you are asked to go on with the plan: d{dispatch}"),
            }
        }
        (TaskState::InProgress, Some(holder)) => {
            format!("Check whether @{holder} is done with {short}: `pacenote task show {short}`.")
        }
        (
            TaskState::Open
            | TaskState::InProgress
            | TaskState::Blocked
            | TaskState::Done
            | TaskState::Skipped
            | TaskState::Failed,
            _,
        ) => position.next_action,
    }
}

/// What follows from a message that was sent a while ago.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AfterMail {
    /// This, a sentence each.
    Do(Vec<String>),
    /// It puts an older verdict in doubt: nothing follows from older mail either.
    Doubt,
    /// Nothing, or the tasks have changed since. An older message may still decide.
    Nothing,
}

/// Says what follows from a message that was sent a while ago. What was said of one review must not be
/// taken for a word about the next.
pub fn next_after_mail(
    forest: &Forest<'_>,
    agent: Option<&AgentName>,
    message: &Incoming<'_>,
    sent: Moment,
    hands: Hands,
) -> AfterMail {
    let reading = Reading::of(message.text);
    if reading.verdict == Verdict::Silent || agent == Some(message.from) {
        return AfterMail::Nothing;
    }
    let about = About::of(&reading, forest);
    let is_unchanged = |step: &Task| step.changed <= sent;
    for place in places_of(forest, agent, message.from, hands, &about) {
        let Some(subject) = place.subject(&reading, &about) else {
            let doubts = matches!(reading.verdict, Verdict::Failed | Verdict::Mixed);
            if doubts && place.reviews(&about).into_iter().any(is_unchanged) {
                return AfterMail::Doubt;
            }
            continue;
        };
        let before = place.steps.iter().take_while(|step| step.id != subject.id);
        if before.copied().chain([subject]).all(is_unchanged)
            && let Some(sentences) = place.after(&reading, subject)
        {
            return AfterMail::Do(sentences);
        }
    }
    AfterMail::Nothing
}

/// Returns where a message may be about a step: where the sender works, else where the reader does. A
/// message that names a task may be about the reader's in any case.
fn places_of<'f, 'a>(
    forest: &'f Forest<'a>,
    reader: Option<&'f AgentName>,
    sender: &'f AgentName,
    hands: Hands,
    about: &About<'_>,
) -> Vec<Place<'f, 'a>> {
    let senders = forest.current(Some(sender));
    let senders = senders.filter(|task| task.assignee.as_ref() == Some(sender));
    let readers = forest.current(reader).filter(|_| senders.is_none() || about.names_task());
    let currents = senders.into_iter().chain(readers);
    currents.map(|current| Place::around(current, forest, reader, sender, hands)).collect()
}

/// The steps that a message may be about.
struct Place<'f, 'a> {
    forest: &'f Forest<'a>,
    reader: Option<&'f AgentName>,
    sender: &'f AgentName,
    /// The task of which they are steps; `None` at the top.
    parent: Option<&'a Task>,
    steps: &'f [&'a Task],
    hands: Hands,
}

impl<'f, 'a> Place<'f, 'a> {
    fn around(
        current: &'a Task,
        forest: &'f Forest<'a>,
        reader: Option<&'f AgentName>,
        sender: &'f AgentName,
        hands: Hands,
    ) -> Self {
        let is_leaf = forest.children(Some(current.id)).is_empty();
        let parent = if is_leaf {
            current.parent.and_then(|above| forest.get(above))
        } else {
            Some(current)
        };
        let steps = forest.children(parent.map(|parent| parent.id));
        Self { forest, reader, sender, parent, steps, hands }
    }

    /// Says what follows from what the sender said of a step.
    fn after(&self, reading: &Reading, subject: &Task) -> Option<Vec<String>> {
        match reading.verdict {
            Verdict::Passed => Some(self.after_pass(subject)),
            Verdict::Failed => Some(self.after_failure(subject)),
            Verdict::Finished => Some(self.after_work(subject)),
            Verdict::Mixed | Verdict::Silent => None,
        }
    }

    /// Returns the step that is spoken of.
    fn subject(&self, reading: &Reading, about: &About<'_>) -> Option<&'a Task> {
        match reading.verdict {
            Verdict::Passed | Verdict::Failed => self.review(about),
            Verdict::Finished => self.work(about),
            Verdict::Mixed | Verdict::Silent => None,
        }
    }

    fn fits(&self, step: &Task, about: &About<'_>) -> bool {
        let speaker = if self.holds(step) { Speaker::Holder } else { Speaker::Other };
        about.fits(self.forest, step, self.steps, speaker)
    }

    fn holds(&self, step: &Task) -> bool {
        step.assignee.as_ref() == Some(self.sender)
    }

    fn after_pass(&self, review: &Task) -> Vec<String> {
        let named = named(review);
        let short = &review.short;
        let close = format!("{named} passed: run `pacenote task close {short}`.");
        [close].into_iter().chain(self.then(review)).collect()
    }

    fn after_failure(&self, review: &Task) -> Vec<String> {
        let work = self.judged_work(review);
        let reopen = work.filter(|work| work.state.is_over()).map_or_else(String::new, |work| {
            format!("reopen {} (`pacenote task reopen {}`), and ", named(work), work.short)
        });
        let (failed, short, sender) = (named(review), &review.short, self.sender);
        let (fix, again) = match self.hands {
            Hands::Own => (
                format!("fix what @{sender} found"),
                format!("Then ask for another review ({short})."),
            ),
            Hands::Subagents => (
                format!("dispatch the {IMPLEMENTER} with what @{sender} found"),
                format!("Then dispatch the {} for {short} again.", subagent_for(review)),
            ),
        };
        Vec::from([format!("{failed} did not pass: {reopen}{fix}."), again])
    }

    /// Returns the step that is the work which a review judged: the one that says so, or the only one
    /// before it. Other steps, such as a commit, are not done again.
    fn judged_work(&self, review: &Task) -> Option<&'a Task> {
        self.parent?;
        let before = || {
            let before = self.steps.iter().copied().take_while(|step| step.id != review.id);
            before.filter(|step| !is_review(step))
        };
        let named = before().filter(|step| has_word(step, &WORK_WORDS)).last();
        let mut all = before();
        let only = all.next().filter(|_| all.next().is_none());
        named.or_else(|| only.filter(|step| !has_word(step, &CHORE_WORDS)))
    }

    fn after_work(&self, step: &Task) -> Vec<String> {
        let (short, named) = (&step.short, named(step));
        let close =
            format!("{named} is reported done: check it, then run `pacenote task close {short}`.");
        [close].into_iter().chain(self.then(step)).collect()
    }

    /// Returns the work that the sender may report: a step that is under way, its own before others,
    /// else the first that is left of a task which the sender holds as a whole.
    fn work(&self, about: &About<'_>) -> Option<&'a Task> {
        let begun = || {
            let steps = self.steps.iter().copied().filter(|step| !is_review(step));
            let begun = steps.filter(|step| step.state == TaskState::InProgress);
            begun.filter(|step| self.may_speak_of(step) && self.fits(step, about))
        };
        begun().find(|step| self.holds(step)).or_else(|| begun().next()).or_else(|| {
            let first = self.steps.iter().copied().find(|step| !step.state.is_over())?;
            let is_senders = self.parent.is_some_and(|parent| self.holds(parent));
            let is_open = first.state == TaskState::Open && !is_review(first);
            let may_speak = is_senders && self.may_speak_of(first);
            (is_open && may_speak && self.fits(first, about)).then_some(first)
        })
    }

    /// Returns the one review that a verdict of the sender is about; `None` where it can be several.
    fn review(&self, about: &About<'_>) -> Option<&'a Task> {
        let fitting = self.reviews(about);
        let held: Vec<&Task> = fitting.iter().copied().filter(|step| self.holds(step)).collect();
        let fitting = if held.is_empty() { fitting } else { held };
        let [review] = *fitting else { return None };
        // Who did the work does not judge it, unless the review was given to it.
        let is_judge = self.holds(review) || !self.did_the_work();
        (is_judge && self.may_speak_of(review)).then_some(review)
    }

    /// Returns the reviews that are due and fit the words: all work before them is over.
    fn reviews(&self, about: &About<'_>) -> Vec<&'a Task> {
        let is_left = |step: &&Task| !step.state.is_over() && !is_review(step);
        let work = self.steps.iter().position(is_left).unwrap_or(self.steps.len());
        let reached = self.steps.iter().copied().take(work).filter(|step| is_review(step));
        let due = reached.filter(|step| match step.state {
            TaskState::Open => self.forest.held_up_by(step.id).is_empty(),
            TaskState::InProgress => true,
            TaskState::Blocked | TaskState::Done | TaskState::Skipped | TaskState::Failed => false,
        });
        due.filter(|step| self.fits(step, about)).collect()
    }

    fn did_the_work(&self) -> bool {
        let work = self.steps.iter().copied().filter(|step| !is_review(step));
        let mut held = self.parent.into_iter().chain(work);
        held.any(|task| task.assignee.as_ref() == Some(self.sender))
    }

    /// Tells whether a step is the sender's, the reader's or nobody's: of a step that somebody else
    /// holds, only that one tells.
    fn may_speak_of(&self, step: &Task) -> bool {
        match &step.assignee {
            None => true,
            Some(holder) => holder == self.sender || Some(holder) == self.reader,
        }
    }

    /// Says how to go on once a step is closed.
    fn then(&self, closed: &Task) -> Option<String> {
        let left = || {
            let others = self.steps.iter().copied().filter(|step| step.id != closed.id);
            others.filter(|step| !step.state.is_over())
        };
        let can_begin = |step: &&Task| {
            let waits = self.forest.held_up_by(step.id);
            step.state == TaskState::Open && waits.iter().all(|on| on.id == closed.id)
        };
        let is_begun = |step: &&Task| step.state == TaskState::InProgress;
        let is_own = |step: &&Task| self.reader.is_some() && step.assignee.as_ref() == self.reader;
        let next = left()
            .find(|step| is_begun(step) && is_own(step))
            .or_else(|| left().find(can_begin))
            .or_else(|| left().find(is_begun))
            .or_else(|| left().next());
        let Some(next) = next else {
            let parent = self.parent?;
            let short = &parent.short;
            return Some(format!(
                "No step of {} is left: run `pacenote task close {short}`.",
                named(parent)
            ));
        };
        let (named, short) = (named(next), &next.short);
        let holder = next.assignee.as_ref().filter(|holder| Some(*holder) != self.reader);
        Some(match (next.state, holder) {
            (TaskState::InProgress, Some(holder)) => {
                format!("Then wait for @{holder}, who is at {named}.")
            }
            (TaskState::InProgress, None) => format!("Then go on with {named}."),
            (TaskState::Open, Some(holder)) if can_begin(&next) => {
                format!("Then have @{holder} begin {named}: `pacenote task show {short}`.")
            }
            (TaskState::Open, None) if can_begin(&next) => match self.hands {
                Hands::Own => {
                    format!("Then go on with {named}: run `pacenote task claim {short}`.")
                }
                Hands::Subagents => {
                    format!("Dispatch the {} for {named}.", subagent_for(next))
                }
            },
            (
                TaskState::Open
                | TaskState::Blocked
                | TaskState::Done
                | TaskState::Skipped
                | TaskState::Failed,
                _,
            ) => format!("Then see what holds up {named}: `pacenote task show {short}`."),
        })
    }
}

/// Returns the kind of subagent to which a step is dispatched.
fn subagent_for(step: &Task) -> &'static str {
    if !is_review(step) {
        return IMPLEMENTER;
    }
    let fits = |(words, _): &&(&[&str], &str)| words.is_empty() || has_word(step, words);
    SUBAGENTS.iter().find(fits).map_or(IMPLEMENTER, |(_, subagent)| subagent)
}

fn named(task: &Task) -> String {
    format!("{} \"{}\"", task.short, task.title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::{Telling, agent, shop, task};
    use TaskState::{Blocked, Done, InProgress, Open};

    /// Returns the shop with its spec review under way.
    fn reviewing() -> Vec<Task> {
        let mut tasks = shop();
        tasks[3] = task(22, "Spec review").below(2).being(InProgress).by("spec-reviewer");
        tasks
    }

    fn said(tasks: &[Task], from: &str, text: &str) -> String {
        said_to(tasks, from, text, Hands::Own)
    }

    fn said_to(tasks: &[Task], from: &str, text: &str, hands: Hands) -> String {
        let (june, from) = (agent("june"), agent(from));
        let message = Incoming { from: &from, text };
        next_after(&Forest::new(tasks), Some(&june), Some(&message), hands).join("\n")
    }

    #[test]
    fn whoever_orchestrates_dispatches() {
        let said =
            |tasks: &[Task], from: &str, text: &str| said_to(tasks, from, text, Hands::Subagents);
        let passed = "Spec review complete. All requirements met, no extras added.";
        insta::assert_snapshot!(said(&reviewing(), "spec-reviewer", passed), @r#"
        t-00022 "Spec review" passed: run `pacenote task close t-00022`.
        Dispatch the code-quality-reviewer for t-00023 "Code quality review".
        "#);
        insta::assert_snapshot!(said(&reviewing(), "spec-reviewer", "FAIL: no limit"), @r#"
        t-00022 "Spec review" did not pass: reopen t-00021 "Implementation" (`pacenote task reopen t-00021`), and dispatch the implementer with what @spec-reviewer found.
        Then dispatch the spec-reviewer for t-00022 again.
        "#);
        let mut tasks = shop();
        tasks[2] = task(21, "Implementation").below(2).being(InProgress).by("backend");
        insta::assert_snapshot!(said(&tasks, "backend", "Task 2 complete"), @r#"
        t-00021 "Implementation" is reported done: check it, then run `pacenote task close t-00021`.
        Dispatch the spec-reviewer for t-00022 "Spec review".
        "#);
        let tasks = [task(1, "Model").being(InProgress).by("backend"), task(2, "Login")];
        insta::assert_snapshot!(said(&tasks, "backend", "Done."), @r#"
        t-00001 "Model" is reported done: check it, then run `pacenote task close t-00001`.
        Dispatch the implementer for t-00002 "Login".
        "#);
        for (title, subagent) in [
            ("Spec review", "spec-reviewer"),
            ("Code quality review", "code-quality-reviewer"),
            ("Code review", "code-reviewer"),
            ("Security audit", "reviewer"),
            ("Implementation", "implementer"),
            ("Improve the quality of code", "implementer"),
        ] {
            assert_eq!(subagent_for(&task(1, title)), subagent, "{title}");
        }
    }

    #[test]
    fn whoever_orchestrates_dispatches_without_a_message_too() {
        let june = agent("june");
        let next = |tasks: &[Task]| next_to_dispatch(&Forest::new(tasks), Some(&june));
        let mut tasks = shop();
        assert_eq!(next(&tasks), "Dispatch the spec-reviewer for t-00022.");
        tasks[3] = task(22, "Spec review").below(2).being(InProgress).by("spec-reviewer");
        assert_eq!(
            next(&tasks),
            "Check whether @spec-reviewer is done with t-00022: `pacenote task show t-00022`."
        );
        assert_eq!(
            next(&[task(1, "Add login")]),
            "If you are asked to go on with the plan: dispatch the implementer for t-00001."
        );
        assert_eq!(next(&[]), "Add what comes next with `pacenote task add`.");
        let own = [task(1, "Add login").being(InProgress).by("june")];
        assert_eq!(next(&own), "Finish t-00001, then run `pacenote task close t-00001`.");
    }

    #[test]
    fn mail_counts_as_long_as_its_step_is_as_it_was() {
        let (june, reviewer) = (agent("june"), agent("spec-reviewer"));
        let (sent, later) = (Moment::from_millis(100), Moment::from_millis(101));
        let after = |tasks: &[Task], from: &AgentName| {
            let message = Incoming { from, text: "Approved." };
            let forest = Forest::new(tasks);
            let next = next_after_mail(&forest, Some(&june), &message, sent, Hands::Own);
            matches!(next, AfterMail::Do(_))
        };
        let mut tasks = reviewing();
        assert!(after(&tasks, &reviewer));
        assert!(!after(&tasks, &june), "the reader's own words");
        // The next review was begun meanwhile: the word about this one still counts.
        tasks[4].changed = later;
        assert!(after(&tasks, &reviewer));
        // This one was closed since: nothing is known of the next one.
        tasks[3] = task(22, "Spec review").below(2).being(Done).by("spec-reviewer");
        tasks[3].changed = later;
        assert!(!after(&tasks, &reviewer));
    }

    #[test]
    fn a_passed_review_closes_its_step_and_names_the_next() {
        let passed = "Spec review complete. All requirements met, no extras added.";
        insta::assert_snapshot!(said(&reviewing(), "spec-reviewer", passed), @r#"
        t-00022 "Spec review" passed: run `pacenote task close t-00022`.
        Then go on with t-00023 "Code quality review": run `pacenote task claim t-00023`.
        "#);
        // A review that nobody claimed is judged by whoever did not do the work.
        assert_eq!(
            said(&shop(), "spec-reviewer", passed),
            said(&reviewing(), "spec-reviewer", passed)
        );
    }

    #[test]
    fn the_last_review_closes_the_task() {
        let mut tasks = reviewing();
        tasks[4] = task(23, "Code quality review").below(2).being(Done);
        insta::assert_snapshot!(said(&tasks, "spec-reviewer", "LGTM"), @r#"
        t-00022 "Spec review" passed: run `pacenote task close t-00022`.
        No step of t-00002 "Add login endpoint" is left: run `pacenote task close t-00002`.
        "#);
    }

    #[test]
    fn what_comes_next_may_be_anothers_or_held_up() {
        let mut tasks = reviewing();
        tasks[4] = task(23, "Code quality review").below(2).by("quality");
        insta::assert_snapshot!(said(&tasks, "spec-reviewer", "LGTM"), @r#"
        t-00022 "Spec review" passed: run `pacenote task close t-00022`.
        Then have @quality begin t-00023 "Code quality review": `pacenote task show t-00023`.
        "#);
        tasks[4] = task(23, "Code quality review").below(2).being(InProgress).by("quality");
        insta::assert_snapshot!(said(&tasks, "spec-reviewer", "LGTM"), @r#"
        t-00022 "Spec review" passed: run `pacenote task close t-00022`.
        Then wait for @quality, who is at t-00023 "Code quality review".
        "#);
        tasks[4] = task(23, "Code quality review").below(2).after(&[5]);
        insta::assert_snapshot!(said(&tasks, "spec-reviewer", "LGTM"), @r#"
        t-00022 "Spec review" passed: run `pacenote task close t-00022`.
        Then see what holds up t-00023 "Code quality review": `pacenote task show t-00023`.
        "#);
        tasks[4] = task(23, "Code quality review").below(2).after(&[22]);
        insta::assert_snapshot!(said(&tasks, "spec-reviewer", "LGTM"), @r#"
        t-00022 "Spec review" passed: run `pacenote task close t-00022`.
        Then go on with t-00023 "Code quality review": run `pacenote task claim t-00023`.
        "#);
        tasks[4] = task(23, "Code quality review").below(2).because(Blocked, "no time");
        insta::assert_snapshot!(said(&tasks, "spec-reviewer", "LGTM"), @r#"
        t-00022 "Spec review" passed: run `pacenote task close t-00022`.
        Then see what holds up t-00023 "Code quality review": `pacenote task show t-00023`.
        "#);
    }

    #[test]
    fn a_failed_review_sends_the_work_back() {
        let failed = "FAIL: the rate limit is missing.";
        insta::assert_snapshot!(said(&reviewing(), "spec-reviewer", failed), @r#"
        t-00022 "Spec review" did not pass: reopen t-00021 "Implementation" (`pacenote task reopen t-00021`), and fix what @spec-reviewer found.
        Then ask for another review (t-00022).
        "#);
        let mut tasks = reviewing();
        tasks.remove(2);
        insta::assert_snapshot!(said(&tasks, "spec-reviewer", failed), @r#"
        t-00022 "Spec review" did not pass: fix what @spec-reviewer found.
        Then ask for another review (t-00022).
        "#);
    }

    #[test]
    fn a_failed_review_reopens_only_the_work_itself() {
        let reopened = |titles: &[&str]| {
            let mut tasks = Vec::from([task(1, "Task 1: The parser").being(InProgress)]);
            let steps =
                titles.iter().zip(11..).map(|(title, n)| task(n, title).below(1).being(Done));
            tasks.extend(steps);
            tasks.push(task(30, "Spec review").below(1).being(InProgress).by("spec-reviewer"));
            said(&tasks, "spec-reviewer", "FAIL: 2 requirements are missing")
        };
        let fix = "t-00030 \"Spec review\" did not pass: fix what @spec-reviewer found.\n\
                   Then ask for another review (t-00030).";
        for titles in [
            &["Step 1: Write the failing test", "Step 5: Write the parser", "Step 6: Commit"][..],
            &["Step 6: Commit"],
            &["Write the parser", "Update the documents"],
            &[],
        ] {
            assert_eq!(reopened(titles), fix, "{titles:?}");
        }
        for titles in [&["Write the parser"][..], &["Implement it", "Commit"]] {
            assert!(reopened(titles).contains("`pacenote task reopen t-00011`"), "{titles:?}");
        }
    }

    #[test]
    fn a_newer_doubt_stops_older_mail() {
        let june = agent("june");
        let after = |tasks: &[Task], from: &str, text: &str| {
            let (forest, from) = (Forest::new(tasks), agent(from));
            let message = Incoming { from: &from, text };
            next_after_mail(&forest, Some(&june), &message, Moment::from_millis(1), Hands::Own)
        };
        for (from, text) in [
            ("spec-reviewer", "The first half is approved. The second half is rejected."),
            ("frontend", "Spec review of Task 2: FAIL"),
            ("backend", "FAIL"),
        ] {
            let next = after(&reviewing(), from, text);
            assert!(!matches!(next, AfterMail::Nothing), "{text}: {next:?}");
        }
        for (from, text) in [
            ("frontend", "Deployment failed on staging, looking into it."),
            ("frontend", "Spec review of Task 5: FAIL"),
            ("frontend", "Security review: FAIL"),
            ("frontend", "Approved."),
            ("frontend", "Which store?"),
        ] {
            assert_eq!(after(&reviewing(), from, text), AfterMail::Nothing, "{text}");
        }
    }

    #[test]
    fn finished_work_goes_on_to_its_review() {
        let mut tasks = shop();
        tasks[2] = task(21, "Implementation").below(2).being(InProgress).by("backend");
        let done = "Task 2 implementation complete, ready for review";
        insta::assert_snapshot!(said(&tasks, "backend", done), @r#"
        t-00021 "Implementation" is reported done: check it, then run `pacenote task close t-00021`.
        Then go on with t-00022 "Spec review": run `pacenote task claim t-00022`.
        "#);
        // A step that nobody claimed is the work of whoever holds the task.
        let mut unclaimed = tasks.clone();
        unclaimed[2] = task(21, "Implementation").below(2);
        assert_eq!(said(&unclaimed, "backend", done), said(&tasks, "backend", done));
        // Another's word about it counts for nothing.
        insta::assert_snapshot!(said(&tasks, "frontend", done), @"Nothing else is ready.");
    }

    #[test]
    fn a_task_without_steps_goes_on_to_the_next_task() {
        let tasks = [
            task(1, "Model").being(InProgress).by("backend"),
            task(2, "Login"),
            task(3, "Elsewhere").being(InProgress).by("frontend"),
            task(31, "Part").below(3).being(InProgress).by("frontend"),
        ];
        insta::assert_snapshot!(said(&tasks, "backend", "Done."), @r#"
        t-00001 "Model" is reported done: check it, then run `pacenote task close t-00001`.
        Then go on with t-00002 "Login": run `pacenote task claim t-00002`.
        "#);
    }

    #[test]
    fn whoever_did_the_work_does_not_pass_it() {
        let position = said(&shop(), "spec-reviewer", "Which store?");
        assert_eq!(said(&shop(), "backend", "All good, approved."), position);
        let mut tasks = shop();
        tasks[3] = task(22, "Spec review").below(2).by("backend");
        assert_ne!(said(&tasks, "backend", "All good, approved."), said(&tasks, "x", "hm"));
    }

    #[test]
    fn a_verdict_before_the_work_is_over_changes_nothing() {
        let mut tasks = shop();
        tasks[2] = task(21, "Implementation").below(2).being(Open);
        let hm = said(&tasks, "spec-reviewer", "hm");
        assert_eq!(said(&tasks, "spec-reviewer", "Approved."), hm);
        // A step that another holds is judged by that one.
        let hm = said(&reviewing(), "frontend", "hm");
        assert_eq!(said(&reviewing(), "frontend", "Approved."), hm);
        assert_eq!(
            said(&[], "frontend", "Approved."),
            "Add what comes next with `pacenote task add`."
        );
    }

    #[test]
    fn without_a_message_the_position_says_what_to_do() {
        let (tasks, backend) = (shop(), agent("backend"));
        let next = next_after(&Forest::new(&tasks), Some(&backend), None, Hands::Own);
        assert_eq!(next, ["Finish t-00022, then run `pacenote task close t-00022`."]);
    }
}
