//! Blocks between agents and the person.

use super::{
    super::{
        super::view::{Answered, Question},
        element::{Element, items},
    },
    said,
};

/// Asks what only the person can answer.
pub(super) fn needs_user_input(questions: &[Question]) -> Element {
    Element::block("needs_user_input").children(questions.iter().map(|question| {
        Element::block("question")
            .attribute("id", &question.id)
            .children(said("text", &question.text))
            .children(items("option", &question.options))
            .child(Element::block("answer_form").text(form(question)))
    }))
}

/// Says what is taken as an answer.
fn form(question: &Question) -> &'static str {
    match (question.options.is_empty(), question.free_text) {
        (true, true | false) => "any text",
        (false, true) => "one of the options, or any other text",
        (false, false) => "one of the options, to the letter",
    }
}

/// Shows what the person answered, and by which way it came.
pub(super) fn user_response(answers: &[Answered]) -> Element {
    Element::block("user_response").children(answers.iter().map(|answered| {
        // An agent may have misheard; the reader has to know whose words these are.
        let source = if answered.relayed {
            "the person, as passed on by an agent"
        } else {
            "the person, in their own words"
        };
        Element::block("response")
            .attribute("from", source)
            .children(said("question", &answered.question))
            .children(said("answer", &answered.answer))
    }))
}
