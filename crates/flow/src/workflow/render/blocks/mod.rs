//! What a step says, piece by piece: one function for each kind of block.
//!
//! The sentences round foreign texts are written for somebody who sees nothing but this page.

mod dispatch;
mod instruction;
mod person;
mod review;

use super::{
    super::view::{Piece, Question},
    element::{Element, Node},
};

/// Returns the blocks of a step, in order.
pub(super) fn nodes(pieces: &[Piece]) -> Vec<Node> {
    // An agent sees only its prompt, so the page says which blocks go into it.
    let passed_on: Vec<&str> = pieces.iter().filter_map(for_the_agent).collect();
    let offered: Vec<&str> = pieces.iter().flat_map(options).collect();
    pieces.iter().filter_map(|piece| node(piece, &passed_on, &offered)).collect()
}

fn node(piece: &Piece, passed_on: &[&str], offered: &[&str]) -> Option<Node> {
    let element = match piece {
        Piece::Say(text) => return Node::text(text),
        Piece::Resource { name, purpose, text } => instruction::resource(name, purpose, text),
        Piece::Forbidden(actions) => instruction::forbidden(actions),
        Piece::Expected(expected) => instruction::expected_output(expected),
        Piece::Routing(cases) => instruction::routing(cases),
        Piece::ConditionalDispatch { condition, if_true, if_false } => {
            instruction::conditional_dispatch(condition, if_true, if_false)
        }
        Piece::IncorrectBehavior { example, consequence } => {
            instruction::incorrect_behavior(example, consequence)
        }
        Piece::OrchestratorConstraint(text) => instruction::orchestrator_constraint(text),
        Piece::OrchestratorAction { command } => instruction::orchestrator_action(command),
        Piece::DetectionQuestions { category, questions } => {
            review::detection_questions(category, questions)
        }
        Piece::Checklist { name, checks } => review::verification_checklist(name, checks),
        Piece::FactoredVerification(questions) => review::factored_verification(questions),
        Piece::VerificationPrinciple(text) => review::verification_principle(text),
        Piece::PedanticEnforcement(rules) => review::pedantic_enforcement(rules),
        Piece::StateBanner { checkpoint, iteration, mode } => {
            review::state_banner(checkpoint, *iteration, *mode)
        }
        Piece::SeverityFilter { iteration, count } => review::severity_filter(*iteration, count),
        Piece::IterationLimitReached { name, iteration, limit } => {
            review::iteration_limit_reached(name, *iteration, *limit, offered)
        }
        Piece::PostReviewRouting { if_pass, if_fail } => review::post_qr_routing(if_pass, if_fail),
        Piece::Dispatch(dispatch) => dispatch::subagent_dispatch(dispatch, passed_on),
        Piece::ParallelDispatch(dispatch) => dispatch::parallel_dispatch(dispatch, passed_on),
        Piece::FailedCheck(report) => review::failed_check(report),
        Piece::NeedsUserInput(questions) => person::needs_user_input(questions),
        Piece::UserResponse(answers) => person::user_response(answers),
    };
    Some(Node::Element(element))
}

/// Returns the name of a block that is meant for the agent the work goes to.
const fn for_the_agent(piece: &Piece) -> Option<&'static str> {
    match piece {
        Piece::Resource { .. } => Some("resource"),
        Piece::Forbidden(_) => Some("forbidden"),
        Piece::Expected(_) => Some("expected output"),
        Piece::IncorrectBehavior { .. } => Some("incorrect behavior"),
        Piece::DetectionQuestions { .. } => Some("detection questions"),
        Piece::Checklist { .. } => Some("verification checklist"),
        Piece::FactoredVerification(_) => Some("factored verification"),
        Piece::VerificationPrinciple(_) => Some("verification principle"),
        Piece::PedanticEnforcement(_) => Some("pedantic enforcement"),
        Piece::StateBanner { .. } => Some("state banner"),
        Piece::SeverityFilter { .. } => Some("severity filter"),
        Piece::FailedCheck(_) => Some("failed check"),
        Piece::UserResponse(_) => Some("user response"),
        // The rest is for whoever leads the work.
        Piece::Say(_)
        | Piece::OrchestratorConstraint(_)
        | Piece::OrchestratorAction { .. }
        | Piece::Routing(_)
        | Piece::ConditionalDispatch { .. }
        | Piece::IterationLimitReached { .. }
        | Piece::PostReviewRouting { .. }
        | Piece::Dispatch(_)
        | Piece::ParallelDispatch(_)
        | Piece::NeedsUserInput(_) => None,
    }
}

/// Returns what the person can choose from.
fn options(piece: &Piece) -> impl Iterator<Item = &str> {
    let questions: &[Question] =
        if let Piece::NeedsUserInput(questions) = piece { questions } else { &[] };
    questions.iter().flat_map(|question| &question.options).map(String::as_str)
}

/// Returns a block round a single text, and none round nothing.
fn said(name: &'static str, text: &str) -> Option<Element> {
    let element = Element::block(name).text(text);
    (!element.children.is_empty()).then_some(element)
}
