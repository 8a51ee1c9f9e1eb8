//! What a section is about, by its title.
//!
//! Titles are matched by whole words, so that dashes, case, numbers and emoji make no difference.
//! What a section is about holds for those below it.

use super::{
    block::{Block, Shape},
    severity,
    text::{has_any, words},
};

/// What a section is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    /// When to choose the skill, or an interactive process: not part of what it says to do.
    Choice,
    /// What output looks like: examples and templates, full of words that mean nothing here.
    Sample,
    /// What is checked.
    Categories,
    /// Patterns whose findings need no validation.
    AutoValidated,
    /// What is not to be reported.
    FalsePositives,
    /// Where to look first.
    PriorityFiles,
    /// The idea of the skill.
    Approach,
    /// The attitude it asks for.
    Mindset,
    /// What is done, in order.
    Steps,
    /// What to ask.
    Questions,
    /// Anything else.
    Other,
}

/// A block with what its section is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'b> {
    pub(super) block: &'b Block,
    pub(super) topic: Topic,
    /// Whether the block is the heading that says so.
    pub(super) names_topic: bool,
}

/// Says of each block what its section is about.
pub(super) fn place(blocks: &[Block]) -> Vec<Placed<'_>> {
    let titles = blocks.iter().filter(|block| matches!(block.shape, Shape::Heading(1))).count();
    let mut above: Vec<(u8, Topic)> = Vec::new();
    let mut placed = Vec::with_capacity(blocks.len());
    for block in blocks {
        let mut names_topic = false;
        if let Shape::Heading(level) = block.shape {
            while above.last().is_some_and(|(upper, _)| *upper >= level) {
                above.pop();
            }
            let parent = above.last().map_or(Topic::Other, |(_, topic)| *topic);
            // The only heading of the first level is the title of the whole: it has no topic.
            let own = if level == 1 && titles == 1 { None } else { Topic::of(block.text.as_str()) };
            let own = own.filter(|own| own.holds_below(parent));
            names_topic = own.is_some();
            above.push((level, own.unwrap_or(parent)));
        }
        let topic = above.last().map_or(Topic::Other, |(_, topic)| *topic);
        placed.push(Placed { block, topic, names_topic });
    }
    placed
}

/// Titles of each topic, the first that has one wins.
///
/// Those of review skills come first: "Principles Checked" is what is checked, no mindset.
const TITLES: [(Topic, &[&str]); 10] = [
    (
        Topic::Choice,
        &[
            "when to use",
            "when not to use",
            "when to apply",
            "when to activate",
            "when to invoke",
            "use this skill when",
            "do not use",
            "dont use",
            "process overview",
            "applicable contexts",
        ],
    ),
    (
        Topic::AutoValidated,
        &["auto validated", "auto validation", "autovalidated", "automatically validated"],
    ),
    (
        Topic::FalsePositives,
        &[
            "false positive",
            "false positives",
            "do not flag",
            "dont flag",
            "not to flag",
            "never flag",
        ],
    ),
    (
        Topic::PriorityFiles,
        &[
            "scope prioritization",
            "scope prioritisation",
            "scope priorities",
            "priority files",
            "priority scope",
            "file priority",
            "file priorities",
            "file prioritization",
            "files to prioritize",
            "where to look first",
        ],
    ),
    (
        Topic::Categories,
        &[
            "checked",
            "categories",
            "focus areas",
            "areas of focus",
            "what to look for",
            "what to check",
            "what to review",
            "checks",
            "review checklist",
            "review criteria",
            "review areas",
            "review dimensions",
        ],
    ),
    (Topic::Questions, &["question", "questions", "to ask", "ask yourself", "interview"]),
    (
        Topic::Steps,
        &["workflow", "workflows", "steps", "process", "procedure", "instructions", "checklist"],
    ),
    (Topic::Mindset, &["mindset", "principles", "philosophy", "attitude", "iron law"]),
    (Topic::Approach, &["approach", "overview", "core principle", "core idea", "purpose"]),
    (
        Topic::Sample,
        &[
            "example",
            "examples",
            "sample",
            "template",
            "templates",
            "output format",
            "report format",
        ],
    ),
];

/// Most words of a title that says what the skill's idea is; "Quickest Approach" is one of several.
const APPROACH_WORDS: usize = 3;

impl Topic {
    fn of(title: &str) -> Option<Self> {
        if step_title(title).is_some() {
            return Some(Self::Steps);
        }
        let words = words(title);
        let (topic, _) = TITLES.iter().find(|(_, phrases)| has_any(&words, phrases))?;
        if *topic == Self::Approach && words.split_whitespace().count() > APPROACH_WORDS {
            return None;
        }
        // "Examples (Critical)" is something that is checked, whatever else its words mean.
        (severity::label(title).is_none() || *topic == Self::Choice).then_some(*topic)
    }

    /// Tells whether a title within a section about something else counts.
    const fn holds_below(self, parent: Self) -> bool {
        match parent {
            // What is left out is left out with everything below it.
            Self::Choice | Self::Sample => false,
            Self::Other | Self::Approach | Self::Mindset | Self::Steps | Self::Questions => true,
            // Below what is checked, "Process" and "Principles" are names of categories.
            Self::Categories | Self::AutoValidated | Self::FalsePositives | Self::PriorityFiles => {
                match self {
                    Self::Approach
                    | Self::Mindset
                    | Self::Steps
                    | Self::Questions
                    | Self::Categories
                    | Self::Other => false,
                    Self::Choice
                    | Self::Sample
                    | Self::AutoValidated
                    | Self::FalsePositives
                    | Self::PriorityFiles => true,
                }
            }
        }
    }

    /// Tells whether a review section is about something else than what is checked.
    pub(super) const fn is_beside_categories(self) -> bool {
        matches!(self, Self::AutoValidated | Self::FalsePositives | Self::PriorityFiles)
    }

    /// Tells whether nothing of the section is used.
    pub(super) const fn is_left_out(self) -> bool {
        matches!(self, Self::Choice | Self::Sample)
    }
}

/// Returns what comes after "Step 1:", "Phase two —" or "Stage 3.".
pub(super) fn step_title(heading: &str) -> Option<&str> {
    const KINDS: [&str; 3] = ["step", "phase", "stage"];
    const NUMBERS: [&str; 10] =
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let heading = heading.trim_start_matches(|c: char| !c.is_alphanumeric());
    let (kind, rest) = heading.split_once(' ')?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '.').unwrap_or(rest.len());
    let (number, title) = rest.split_at_checked(end)?;
    let number = number.trim_end_matches('.').to_lowercase();
    let is_number =
        number.starts_with(|c: char| c.is_ascii_digit()) || NUMBERS.contains(&number.as_str());
    (KINDS.contains(&kind.to_lowercase().as_str()) && is_number).then(|| {
        title.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '(' | '`'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_numbered() {
        for (heading, title) in [
            ("Step 1: Read", Some("Read")),
            ("🔄 Phase two — `Explore`", Some("`Explore`")),
            ("STAGE 3.", Some("")),
            ("Steps 1 and 2", None),
            ("Step back", None),
        ] {
            assert_eq!(step_title(heading), title, "{heading}");
        }
    }

    #[test]
    fn titles_say_what_a_section_is_about() {
        for (title, topic) in [
            ("When to Use This Skill", Some(Topic::Choice)),
            ("🔄 Process overview", Some(Topic::Choice)),
            ("Don’t use when", Some(Topic::Choice)),
            ("Security Categories Checked", Some(Topic::Categories)),
            ("SOLID Principles Checked", Some(Topic::Categories)),
            ("Additional Focus Areas", Some(Topic::Categories)),
            ("Auto‑Validated Patterns", Some(Topic::AutoValidated)),
            ("Security-Specific False Positives", Some(Topic::FalsePositives)),
            ("Safe Patterns (Do Not Flag)", Some(Topic::FalsePositives)),
            ("Scope Prioritisation", Some(Topic::PriorityFiles)),
            ("Questions to ask", Some(Topic::Questions)),
            ("Example Output", Some(Topic::Sample)),
            ("Core Principle", Some(Topic::Approach)),
            ("Core Principles", Some(Topic::Mindset)),
            ("Step 5: Post-Write Checks", Some(Topic::Steps)),
            ("Bypass it (Quickest Approach)", None),
            ("Examples (Critical)", None),
            ("Output Encoding", None),
            ("Unchecked errors", None),
        ] {
            assert_eq!(Topic::of(title), topic, "{title}");
        }
    }
}
