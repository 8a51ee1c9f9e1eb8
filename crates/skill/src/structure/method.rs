//! What a methodology skill asks for: its idea, its attitude, its steps and its questions.

use serde::Serialize;

use super::{
    block::{Marker, Shape},
    lines::sentences,
    remark::Tally,
    text::{Text, has_any, line, words},
    topic::{Placed, Topic, step_title},
};

/// Most steps; a process of more is several.
const STEPS: usize = 60;

/// The level of bold words among headings: below them all.
const BELOW_HEADINGS: u8 = 7;

/// Most questions.
const QUESTIONS: usize = 60;

/// Fewest characters of a paragraph that says something by itself.
const STATEMENT_CHARACTERS: usize = 20;

/// Bold words whose paragraph says what attitude is asked for.
const MINDSET_LEADERS: [&str; 5] =
    ["core principle", "principle", "mindset", "philosophy", "key insight"];

/// Words of a paragraph whose list is questions.
const ASKING: [&str; 6] = ["ask", "asking", "question", "questions", "consider", "clarify"];

/// How a skill wants work to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Methodology {
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approach: Option<String>,
    /// The attitude it asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mindset: Option<String>,
    /// What is done, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// What to ask.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
}

impl Methodology {
    /// Tells whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Returns how the skill wants work to be done.
pub(super) fn methodology(placed: &[Placed<'_>], tally: &mut Tally<'_>) -> Methodology {
    let used: Vec<_> =
        placed.iter().filter(|placed| !placed.topic.is_left_out()).copied().collect();
    Methodology {
        approach: approach(&used),
        mindset: mindset(&used),
        steps: steps(&used, tally),
        questions: questions(&used, tally),
    }
}

/// The first paragraph of a section about it, or the first of all.
fn approach(used: &[Placed<'_>]) -> Option<String> {
    let paragraphs = used.iter().filter_map(paragraph);
    let mut statements = paragraphs.filter(|(_, text)| is_statement(text.as_str()));
    let of_section = statements.clone().find(|(topic, _)| *topic == Topic::Approach);
    let (_, text) = of_section.or_else(|| statements.next())?;
    Some(line(text.as_str()))
}

/// The first paragraph of a section about it, or its bullets, or a paragraph that begins so.
fn mindset(used: &[Placed<'_>]) -> Option<String> {
    let of_section = used.iter().filter(|placed| placed.topic == Topic::Mindset);
    let mut paragraphs = of_section.clone().filter_map(paragraph);
    if let Some((_, text)) = paragraphs.find(|(_, text)| is_statement(text.as_str())) {
        return Some(line(text.as_str()));
    }
    let bullets =
        of_section.filter(|placed| matches!(placed.block.shape, Shape::Item { depth: 1, .. }));
    let bullets: Vec<_> = bullets.take(STEPS).map(|placed| placed.block.text.as_str()).collect();
    if !bullets.is_empty() {
        return Some(line(&bullets.join("; ")));
    }
    used.iter().filter_map(paragraph).find_map(|(_, text)| {
        let (lead, rest) = text.lead()?;
        let says = has_any(&words(lead), &MINDSET_LEADERS) && is_statement(rest);
        says.then(|| line(rest.trim_start_matches([':', ' '])))
    })
}

fn paragraph<'b>(placed: &Placed<'b>) -> Option<(Topic, &'b Text)> {
    matches!(placed.block.shape, Shape::Paragraph { depth: 0 })
        .then_some((placed.topic, &placed.block.text))
}

/// Tells whether a paragraph says something by itself.
fn is_statement(text: &str) -> bool {
    text.chars().nth(STATEMENT_CHARACTERS - 1).is_some() && !text.ends_with([':', '：'])
}

/// Returns the steps: headings that are numbered as steps, or the best list there is.
fn steps(used: &[Placed<'_>], tally: &mut Tally<'_>) -> Vec<String> {
    let mut steps = announced_steps(used);
    let in_section = |placed: &&Placed<'_>| placed.topic == Topic::Steps;
    let elsewhere = |placed: &&Placed<'_>| {
        matches!(placed.topic, Topic::Other | Topic::Approach | Topic::Mindset)
    };
    if steps.is_empty() {
        steps = items(used.iter().filter(in_section), Marker::is_ordered);
    }
    if steps.is_empty() {
        steps = items(used.iter().filter(elsewhere), Marker::is_ordered);
    }
    if steps.is_empty() {
        steps = items(used.iter().filter(in_section), |_| true);
    }
    if let Some((_, line)) = steps.get(STEPS) {
        tally.too_many("steps", STEPS, *line);
    }
    steps.into_iter().take(STEPS).map(|(step, _)| step).collect()
}

/// Returns the outermost items, with their lines.
fn items<'p, 'b: 'p>(
    placed: impl Iterator<Item = &'p Placed<'b>>,
    wanted: fn(Marker) -> bool,
) -> Vec<(String, usize)> {
    let items = placed.filter_map(|placed| match placed.block.shape {
        Shape::Item { depth: 1, marker } if wanted(marker) => {
            let text = line(placed.block.text.as_str().trim_end_matches(':'));
            (!text.is_empty()).then_some((text, placed.block.line))
        }
        Shape::Item { .. } | Shape::Heading(_) | Shape::Paragraph { .. } | Shape::Table(_) => None,
    });
    items.take(STEPS + 1).collect()
}

/// Returns what headings and bold words announce as steps, of the outermost level that has several.
fn announced_steps(used: &[Placed<'_>]) -> Vec<(String, usize)> {
    let mut found: Vec<(u8, String, usize)> = Vec::new();
    for (index, placed) in used.iter().enumerate() {
        let Some((level, title)) = announced_step(placed) else { continue };
        let following = || {
            let following = used.iter().skip(index + 1).map(|placed| placed.block);
            let mut text = following.take_while(|block| !matches!(block.shape, Shape::Heading(_)));
            text.find(|block| !block.text.as_str().is_empty())
        };
        // "Step 1" alone says nothing; what comes after it does.
        let title = match (title, following()) {
            ("", Some(block)) => line(block.text.as_str()),
            ("", None) => line(placed.block.text.as_str()),
            (title, _) => line(title),
        };
        found.push((level, title, placed.block.line));
    }
    let several = |level: u8| found.iter().filter(|(own, ..)| *own == level).count() > 1;
    let Some(outermost) = (1..=BELOW_HEADINGS).find(|level| several(*level)) else {
        return Vec::new();
    };
    let steps = found.into_iter().filter(|(level, ..)| *level == outermost);
    steps.map(|(_, title, line)| (title, line)).collect()
}

/// Returns the level and the title of a step that a heading or bold words announce.
fn announced_step<'b>(placed: &Placed<'b>) -> Option<(u8, &'b str)> {
    let text = &placed.block.text;
    match placed.block.shape {
        Shape::Heading(level) => {
            let numbered = || numbered(text.as_str()).filter(|_| placed.topic == Topic::Steps);
            Some((level, step_title(text.as_str()).or_else(numbered)?))
        }
        Shape::Paragraph { depth: 0 } => {
            let (lead, _) = text.lead()?;
            let title = step_title(lead).or_else(|| numbered(lead))?;
            Some((BELOW_HEADINGS, title.trim_end_matches(':')))
        }
        Shape::Paragraph { .. } | Shape::Item { .. } | Shape::Table(_) => None,
    }
}

/// Returns what comes after `1.` or `2)`.
fn numbered(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let title = rest.strip_prefix(['.', ')']).filter(|_| rest.len() < text.len())?;
    title.strip_prefix(' ').map(str::trim)
}

/// Returns what ends in a question mark in sections and lists that ask.
fn questions(used: &[Placed<'_>], tally: &mut Tally<'_>) -> Vec<String> {
    let mut questions: Vec<String> = Vec::new();
    let mut asking = false;
    for Placed { block, topic, .. } in used {
        let text = block.text.as_str();
        let in_section = *topic == Topic::Questions;
        let asks = match block.shape {
            Shape::Heading(_) => {
                asking = false;
                false
            }
            Shape::Table(_) => false,
            Shape::Paragraph { depth: 0 } => {
                asking = text.ends_with(':') && has_any(&words(text), &ASKING);
                in_section
            }
            Shape::Paragraph { .. } => in_section,
            Shape::Item { .. } => in_section || asking,
        };
        if !asks {
            continue;
        }
        for question in sentences(text).into_iter().filter(|sentence| is_question(sentence)) {
            let quoted = question.strip_prefix(['"', '“']);
            let quoted = quoted.and_then(|inner| inner.strip_suffix(['"', '”']));
            let question = line(quoted.unwrap_or(question));
            if questions.len() == QUESTIONS {
                tally.too_many("questions", QUESTIONS, block.line);
                return questions;
            }
            if !questions.contains(&question) {
                questions.push(question);
            }
        }
    }
    questions
}

/// Tells whether a sentence asks; a part of a quotation does not count.
fn is_question(sentence: &str) -> bool {
    sentence.trim_end_matches(['"', '”', '*']).ends_with('?')
        && sentence.matches('"').count().is_multiple_of(2)
        && sentence.contains(char::is_alphabetic)
}
