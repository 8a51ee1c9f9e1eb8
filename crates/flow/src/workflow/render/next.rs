//! What comes after a step: where its outcomes lead, and the one instruction that ends a page.

use super::{
    super::{
        view::{After, Conclusion, Piece, Question, View},
        words::Outcome,
    },
    element::Element,
    legible, plain,
};

/// The instruction that ends a page.
pub(super) struct Next {
    /// What is to be done, in a sentence that leads to the command.
    said: String,
    /// The full command; none when the run is over.
    command: Option<String>,
    /// What stands before the last sentence of a run.
    mark: &'static str,
}

/// Returns the instruction that ends a page.
pub(super) fn next(view: &View) -> Next {
    let (said, command) = match &view.after {
        After::Run { command } => {
            ("When everything in DO is done, run this command:".to_owned(), Some(command))
        }
        After::Branch { cases, command } => {
            let is_review = view.pieces.iter().any(is_review);
            (branch(cases, is_review), Some(command))
        }
        After::Person { relayed, command } => {
            let count = questions(view).count();
            (if *relayed { relay(count) } else { leave(count) }, Some(command))
        }
        After::Done { message, .. } => (legible::line(message), None),
    };
    let mark = match &view.after {
        After::Done { how, .. } => mark_of(*how),
        After::Run { .. } | After::Branch { .. } | After::Person { .. } => "NEXT:",
    };
    Next { said, command: command.map(|command| legible::line(command)), mark }
}

/// Returns what the last page of a run begins its last line with.
const fn mark_of(how: Conclusion) -> &'static str {
    match how {
        Conclusion::Complete => "WORKFLOW COMPLETE:",
        Conclusion::Ended => "WORKFLOW ENDED:",
        Conclusion::Aborted => "WORKFLOW ABORTED:",
    }
}

impl Next {
    /// Returns it as an element.
    pub(super) fn element(&self) -> Element {
        let element = Element::block("NEXT");
        match &self.command {
            Some(command) => element.attribute("required", "true").line(&self.said).line(command),
            None => element.line(&format!("{} {}", self.mark, self.said)),
        }
    }

    /// Returns it as a sentence for somewhere else.
    pub(super) fn sentence(&self) -> String {
        match &self.command {
            Some(command) => format!("{} `{command}`", self.said),
            None => self.said.clone(),
        }
    }

    /// Returns it as a line at the left edge.
    pub(super) fn line(&self) -> String {
        match &self.command {
            Some(command) => plain::edge(self.mark, &format!("{} {command}", self.said)),
            None => plain::edge(self.mark, &self.said),
        }
    }
}

/// Returns what is run after a step, by what it came to; nothing when all is done.
pub(super) fn invoke_after(view: &View) -> Option<Element> {
    let ways = Element::block("INVOKE_AFTER");
    match &view.after {
        After::Run { command } => Some(ways.line(command)),
        After::Branch { cases, .. } => Some(ways.children(
            cases.iter().map(|(outcome, command)| Element::block(way(*outcome)).line(command)),
        )),
        After::Person { relayed, command } => {
            let runner = if *relayed { "agent, with the person's answer" } else { "person only" };
            Some(
                ways.children(questions(view).map(|question| {
                    Element::block("ask_person").attribute("id", &question.id).text(&question.text)
                }))
                .child(Element::block("answer_command").attribute("run_by", runner).line(command)),
            )
        }
        After::Done { .. } => None,
    }
}

const fn way(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "if_pass",
        Outcome::Fail => "if_fail",
        Outcome::Skip => "if_skip",
        Outcome::Iterate => "if_iterate",
    }
}

fn branch(cases: &[(Outcome, String)], is_review: bool) -> String {
    let words: Vec<String> = cases
        .iter()
        .map(|(outcome, _)| format!("{} if {}", outcome.word(), meaning(*outcome, is_review)))
        .collect();
    format!(
        "When everything in DO is done, put one word in the place of OUTCOME ({}) and run this \
         command:",
        words.join("; ")
    )
}

const fn meaning(outcome: Outcome, is_review: bool) -> &'static str {
    match (outcome, is_review) {
        (Outcome::Ok, true) => "the review came back with PASS",
        (Outcome::Fail, true) => "the review came back with FAIL",
        (Outcome::Ok, false) => "it is done and the result is good",
        (Outcome::Fail, false) => "the result is not good or it could not be done",
        (Outcome::Skip, true | false) => "DO says so, or it is not needed here",
        (Outcome::Iterate, true | false) => "it has to be done once more",
    }
}

fn relay(count: usize) -> String {
    let (what, place) = asked(count);
    format!(
        "Ask the person {what}, with the options if there are any, and wait; do not answer for \
         them. Then run this command with {place}:"
    )
}

fn leave(count: usize) -> String {
    let (what, place) = asked(count);
    format!(
        "Only the person can answer, in a terminal of their own. Show them {what} and the command \
         that ends this instruction, to be run with {place}; then end your turn. Do not run it \
         yourself:"
    )
}

/// Says what is asked, and what stands for `ANSWER`.
const fn asked(count: usize) -> (&'static str, &'static str) {
    match count {
        0 | 1 => (
            "the question in DO",
            "the answer, word for word and in quotes, in the place of ANSWER",
        ),
        _ => (
            "every question in DO",
            "each answer, word for word and in quotes, in the place of ANSWER behind the id of its \
             question",
        ),
    }
}

fn questions(view: &View) -> impl Iterator<Item = &Question> {
    view.pieces.iter().filter_map(asking).flatten()
}

fn asking(piece: &Piece) -> Option<&[Question]> {
    if let Piece::NeedsUserInput(questions) = piece { Some(questions) } else { None }
}

fn is_review(piece: &Piece) -> bool {
    matches!(piece, Piece::Dispatch(dispatch) if dispatch.report.is_some())
}
