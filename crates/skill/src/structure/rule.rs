//! What is not to be reported: the bullets of sections about false positives, and those below
//! words such as "Do NOT flag:" anywhere.

use super::{
    block::{Marker, Shape},
    lines::Lines,
    remark::Tally,
    text::{has_any, words},
    topic::{Placed, Topic},
};

/// Most rules of one skill.
const RULES: usize = 200;

/// Words that introduce what is not to be reported.
const NOT_REPORTED: [&str; 5] =
    ["do not flag", "dont flag", "never flag", "do not report", "dont report"];

/// Words that do so within a section about it; elsewhere they may be about anything.
const LEFT_OUT: [&str; 4] = ["skip", "ignore", "exclude", "accept"];

/// Words that introduce the opposite within such a section.
const REPORTED: [&str; 9] = [
    "always flag",
    "always report",
    "do flag",
    "still flag",
    "still report",
    "must flag",
    "report anyway",
    "never ignore",
    "never skip",
];

/// Words of a title that is about dealing with false positives: a numbered list below it is how.
const DEALING: [&str; 8] =
    ["avoid", "avoiding", "reduce", "reducing", "handle", "handling", "minimizing", "verifying"];

/// Longest introduction, in words: "Security-specific additions - do NOT flag:" has seven.
const INTRODUCTION_WORDS: usize = 12;

/// Returns the rules about what is not to be reported, in order.
pub(super) fn false_positive_rules(placed: &[Placed<'_>], tally: &mut Tally<'_>) -> Vec<String> {
    let mut rules = Lines::new(RULES);
    // Whether the list that comes next holds rules.
    let mut listed = false;
    let mut deals = false;
    for Placed { block, topic, .. } in placed {
        let in_section = *topic == Topic::FalsePositives;
        let was_full = rules.is_full();
        match block.shape {
            Shape::Heading(_) => {
                let text = block.text.as_str();
                listed = in_section && !reported(text);
                deals = has_any(&words(text), &DEALING);
            }
            Shape::Paragraph { depth: 0 } => {
                rules.end_list();
                let text = block.text.as_str();
                listed = if in_section { !reported(text) } else { introduces(text, &NOT_REPORTED) }
                    && !topic.is_left_out();
            }
            Shape::Item { depth, marker } if listed && !(deals && marker == Marker::Number) => {
                let text = block.text.as_str();
                if introduces(text, &NOT_REPORTED) || introduces(text, &LEFT_OUT) {
                    rules.introduce(depth);
                } else {
                    rules.add(depth, text);
                }
            }
            Shape::Item { .. } | Shape::Paragraph { .. } | Shape::Table(_) => {}
        }
        if rules.is_full() && !was_full {
            tally.too_many("rules about false positives", RULES, block.line);
        }
    }
    rules.into_vec()
}

fn reported(text: &str) -> bool {
    has_any(&words(text), &REPORTED)
}

/// Tells whether a text introduces a list with one of these words.
fn introduces(text: &str, phrases: &[&str]) -> bool {
    let is_introduction = text.ends_with(':') && text.split(' ').count() <= INTRODUCTION_WORDS;
    is_introduction && has_any(&words(text), phrases) && !reported(text)
}
