//! Blocks that say what to do, with what, and what to leave.

use super::{
    super::{
        super::definition::{Case, Expected},
        element::{Element, items},
    },
    said,
};

/// Shows a text the step needs.
pub(super) fn resource(name: &str, purpose: &str, text: &str) -> Element {
    Element::block("resource").attribute("name", name).attribute("purpose", purpose).text(text)
}

/// Names what must not be done.
pub(super) fn forbidden(actions: &[String]) -> Element {
    Element::block("forbidden").children(items("action", actions))
}

/// Says what has to be there at the end.
pub(super) fn expected_output(expected: &Expected) -> Element {
    let headings = Element::block("categories").children(items("category", &expected.categories));
    Element::block("expected_output")
        .children(said("if_pass", &expected.if_pass))
        .children(said("when_issues", &expected.when_issues))
        .children((!expected.categories.is_empty()).then_some(headings))
}

/// Says what to do with which result.
pub(super) fn routing(cases: &[Case]) -> Element {
    let cases = cases
        .iter()
        .map(|case| Element::item("case").attribute("result", &case.result).text(&case.then));
    Element::block("routing").text("Do what stands beside the result you got.").children(cases)
}

/// Leaves a decision to the reader, who alone can tell.
pub(super) fn conditional_dispatch(condition: &str, if_true: &str, if_false: &str) -> Element {
    Element::block("conditional_dispatch")
        .attribute("condition", condition)
        .text("Decide whether the condition holds, then do only what applies.")
        .children(said("if_true", if_true))
        .children(said("if_false", if_false))
}

/// Shows a mistake and what it costs.
pub(super) fn incorrect_behavior(example: &str, consequence: &str) -> Element {
    Element::block("incorrect_behavior")
        .children(said("example", example))
        .children(said("consequence", consequence))
}

/// Says what whoever leads the work must keep to.
pub(super) fn orchestrator_constraint(text: &str) -> Element {
    Element::block("orchestrator_constraint").text(text)
}

/// Names the only thing whoever leads the work does next.
pub(super) fn orchestrator_action(command: &str) -> Element {
    Element::block("orchestrator_action").text(ONLY_ACTION).line(command)
}

/// Leads to the only command that may follow a review.
const ONLY_ACTION: &str = "\
Your only next action is the command below. Before you have run it, do not open the report, do not \
fix anything and do not start another agent.";
