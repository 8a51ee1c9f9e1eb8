//! What a plan says to somebody who works on one of its tasks: its title, what binds every task, and
//! the section of that task.
//!
//! Goal and constraints stand under headings (`## Global Constraints`), under bold leaders in the head
//! (`**Goal:** …`, `**Global Constraints**` with a list below), or both. A section that is too long
//! for an answer is divided at its steps, so that those which are open can be chosen first.

use std::ops::Range;

use crate::{
    heading::{TASK, numbered},
    outline::{Kind, Piece, outline},
    pieces::{Lengths, divide},
    plan::{Plan, cut, tick},
    section::Section,
    wording::one_line,
};

/// Longest title of a plan, in characters.
const TITLE_CHARACTERS: usize = 120;

/// Longest section that is left whole, in bytes: with the head of its plan it fits the tokens that a
/// plan gets before others get their shares.
const WHOLE: usize = 3_000;

/// How steps of a longer one are put together, and divided further.
const STEP: Lengths = Lengths { whole: 2_000, piece: 2_000 };

/// The level of a section of a task.
const OWN_LEVEL: u8 = 3;

/// What a part of a plan is about. The order is that in which parts are given up, the first one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlanTopic {
    /// A step of a long section that is done.
    FinishedStep,
    /// Architecture and tech stack.
    Background,
    /// A step of a long section that comes after the next.
    LaterStep,
    Constraints,
    /// The step of a long section that comes next.
    NextStep,
    Goal,
    /// The section of the task, or how a long one begins.
    Own,
    /// What the plan is called.
    Title,
}

/// A part of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanSection {
    pub topic: PlanTopic,
    pub section: Section,
}

/// Names under which a plan says what binds every task, in lower case.
const TOPICS: [(&str, PlanTopic); 7] = [
    ("goal", PlanTopic::Goal),
    ("goals", PlanTopic::Goal),
    ("architecture", PlanTopic::Background),
    ("tech stack", PlanTopic::Background),
    ("global constraints", PlanTopic::Constraints),
    ("constraints", PlanTopic::Constraints),
    ("conventions", PlanTopic::Constraints),
];

/// Returns the parts of a plan in reading order: its head, and the section of a task such as `Task 2`.
///
/// `is_done` is asked by the name of a step's section, such as `Task 2/Step 1`.
pub fn plan_sections(
    markdown: &str,
    task: Option<&str>,
    is_done: &dyn Fn(&str) -> bool,
) -> Vec<PlanSection> {
    let pieces = outline(markdown);
    let mut found: Vec<PlanSection> = title_of(&pieces).into_iter().collect();
    found.extend(heads(markdown, &pieces));
    let own = task.and_then(|task| Some((task, cut(markdown, task)?)));
    if let Some((task, text)) = own {
        found.extend(own_sections(task, &tick(without_rule(text), is_done), is_done));
    }
    found
}

/// Returns the title: the first heading of all, at the top level.
fn title_of(pieces: &[Piece]) -> Option<PlanSection> {
    let first = pieces.iter().find(|piece| matches!(piece.kind, Kind::Heading { .. }))?;
    if first.kind != (Kind::Heading { level: 1 }) || is_task(first) || first.text.is_empty() {
        return None;
    }
    let text = format!("# {}", one_line(&first.text, TITLE_CHARACTERS));
    let section = Section { title: String::new(), level: 1, text };
    Some(PlanSection { topic: PlanTopic::Title, section })
}

/// Returns what binds every task, by headings and by leaders, in the order of the file.
fn heads(markdown: &str, pieces: &[Piece]) -> Vec<PlanSection> {
    let title = pieces.iter().position(|piece| matches!(piece.kind, Kind::Heading { .. }));
    // The level of the task that we are in, and the end of the last part that was taken.
    let (mut task_level, mut taken) = (None, 0);
    let mut has_tasks = false;
    let mut found = Vec::new();
    for (place, piece) in pieces.iter().enumerate() {
        let rest = pieces.get(place + 1..).unwrap_or_default();
        let range = match &piece.kind {
            Kind::Heading { level } => {
                if task_level.is_some_and(|task| *level <= task) {
                    task_level = None;
                }
                if is_task(piece) && task_level.is_none() {
                    task_level = Some(*level);
                    has_tasks = true;
                }
                let is_title = title == Some(place) && *level == 1;
                if is_title || task_level.is_some() || piece.start < taken {
                    continue;
                }
                let Some(topic) = topic_of(&piece.text) else { continue };
                (topic, &piece.text, *level, piece.start..end_of_heading(markdown, *level, rest))
            }
            Kind::Leader { bold } if !has_tasks && piece.start >= taken => {
                let Some(style) = LeaderStyle::of(markdown, piece) else { continue };
                let Some(topic) = topic_of(bold) else { continue };
                (topic, bold, 2, piece.start..style.end(markdown, rest))
            }
            Kind::Leader { .. } | Kind::NestedHeading | Kind::Checkbox { .. } => continue,
        };
        let (topic, name, level, range) = range;
        taken = range.end;
        let text = without_rule(markdown.get(range).unwrap_or_default());
        let title = name.trim().trim_end_matches(':').to_owned();
        let section = Section { title, level, text: text.to_owned() };
        found.push(PlanSection { topic, section });
    }
    found
}

/// Returns where a section ends: parts below a deeper heading belong to it, tasks and other topics do
/// not.
fn end_of_heading(markdown: &str, own: u8, rest: &[Piece]) -> usize {
    let ends = |piece: &&Piece| match &piece.kind {
        Kind::Heading { level } => {
            *level <= own || is_task(piece) || topic_of(&piece.text).is_some()
        }
        Kind::Leader { .. } | Kind::NestedHeading | Kind::Checkbox { .. } => false,
    };
    rest.iter().find(ends).map_or(markdown.len(), |piece| piece.start)
}

/// How a leader stands in its file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LeaderStyle {
    /// At the beginning of a line.
    Line,
    /// As an item of a list.
    Item,
}

impl LeaderStyle {
    /// Recognises a label: `**Goal:** …`, `**Goal**: …`, or bold words alone on their line.
    fn of(markdown: &str, piece: &Piece) -> Option<Self> {
        let Kind::Leader { bold } = &piece.kind else { return None };
        let after = piece.text.strip_prefix(bold.trim())?;
        if !bold.trim_end().ends_with(':') && !after.starts_with(':') && !after.is_empty() {
            return None;
        }
        let line = markdown.get(piece.start..)?;
        if line.starts_with("**") {
            return Some(Self::Line);
        }
        ["- **", "* **"].iter().any(|mark| line.starts_with(mark)).then_some(Self::Item)
    }

    /// Returns where what a leader says ends. Items below a leader belong to it, whatever they begin
    /// with.
    fn end(self, markdown: &str, rest: &[Piece]) -> usize {
        let ends = |piece: &&Piece| match &piece.kind {
            Kind::Heading { .. } => true,
            Kind::Leader { .. } => match (self, Self::of(markdown, piece)) {
                (_, Some(Self::Line)) | (Self::Item, Some(Self::Item)) => true,
                (Self::Line, Some(Self::Item)) | (_, None) => false,
            },
            Kind::NestedHeading | Kind::Checkbox { .. } => false,
        };
        rest.iter().find(ends).map_or(markdown.len(), |piece| piece.start)
    }
}

/// Returns the section of a task, a long one divided at its steps.
fn own_sections(task: &str, text: &str, is_done: &dyn Fn(&str) -> bool) -> Vec<PlanSection> {
    let own = |topic: PlanTopic, title: &str, text: &str| {
        let (title, text) = (title.to_owned(), text.trim_end().to_owned());
        PlanSection { topic, section: Section { title, level: OWN_LEVEL, text } }
    };
    let (plan, _) = Plan::parse(text);
    let steps = plan.tasks.first().map(|task| task.steps.as_slice()).unwrap_or_default();
    let ranges = step_ranges(text);
    if text.len() <= WHOLE || ranges.is_empty() || ranges.len() != steps.len() {
        let whole = own(PlanTopic::Own, task, text);
        return divided(whole, PlanTopic::LaterStep).collect();
    }
    let beginning = ranges.first().and_then(|first| text.get(..first.start)).unwrap_or_default();
    let mut found: Vec<PlanSection> =
        divided(own(PlanTopic::Own, task, beginning), PlanTopic::LaterStep).collect();
    let mut next = PlanTopic::NextStep;
    let mut steps = steps.iter();
    for group in grouped(&ranges) {
        let mut topic = PlanTopic::FinishedStep;
        let mut titles: Vec<&str> = Vec::new();
        for step in steps.by_ref().take(group.steps) {
            titles.push(step.title.as_str());
            if !step.ticked && !is_done(step.section.as_str()) {
                topic = topic.max(std::mem::replace(&mut next, PlanTopic::LaterStep));
            }
        }
        let title = match titles.as_slice() {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [first, .., last] => format!("{first} to {last}"),
        };
        let text = text.get(group.range).unwrap_or_default();
        let later = topic.min(PlanTopic::LaterStep);
        found.extend(divided(own(topic, &title, text), later));
    }
    found
}

/// Steps that are chosen together.
struct StepGroup {
    range: Range<usize>,
    steps: usize,
}

/// Puts short steps together. That goes by their lengths alone: a step that is done must not make
/// another group of those that were injected before.
fn grouped(ranges: &[Range<usize>]) -> Vec<StepGroup> {
    let mut groups: Vec<StepGroup> = Vec::new();
    for range in ranges {
        match groups.last_mut() {
            Some(group) if range.end - group.range.start <= STEP.piece => {
                group.range.end = range.end;
                group.steps += 1;
            }
            Some(_) | None => groups.push(StepGroup { range: range.clone(), steps: 1 }),
        }
    }
    groups
}

/// Divides a part that is too long; what comes after its beginning matters less.
fn divided(part: PlanSection, later: PlanTopic) -> impl Iterator<Item = PlanSection> {
    let topics = [part.topic].into_iter().chain(std::iter::repeat(later));
    let pieces = divide(part.section, STEP).into_iter();
    pieces.zip(topics).map(|(section, topic)| PlanSection { topic, section })
}

/// Returns the steps of a section of a task, each with what stands below its box.
fn step_ranges(text: &str) -> Vec<Range<usize>> {
    let is_step = |piece: &Piece| matches!(piece.kind, Kind::Checkbox { .. });
    let starts: Vec<usize> =
        outline(text).iter().filter(|piece| is_step(piece)).map(|piece| piece.start).collect();
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

fn is_task(piece: &Piece) -> bool {
    numbered(TASK, &piece.text).is_some()
}

/// Returns what a name stands for, numbered or not: `2. Architecture`, `Goal:`.
fn topic_of(name: &str) -> Option<PlanTopic> {
    let is_mark = |c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ');
    let name = name.trim().trim_start_matches(is_mark).trim_end_matches([':', ' ']).to_lowercase();
    let begins = |known: &str| {
        let rest = name.strip_prefix(known);
        rest.is_some_and(|rest| {
            rest.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '-')
        })
    };
    TOPICS.iter().find(|(known, _)| begins(known)).map(|(_, topic)| *topic)
}

/// Returns a text up to the line that separates it from what follows.
fn without_rule(text: &str) -> &str {
    let mut end = 0;
    let mut after_blank = false;
    for line in text.split_inclusive('\n') {
        if after_blank && line.trim_end() == "---" {
            break;
        }
        after_blank = line.trim().is_empty();
        end += line.len();
    }
    text.get(..end).unwrap_or(text).trim_end()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(markdown: &str, task: Option<&str>, done: &[&str]) -> String {
        let found = plan_sections(markdown, task, &|step| done.contains(&step));
        let line = |part: &PlanSection| {
            format!("{:?} {:?}: {:?}", part.topic, part.section.title, part.section.text)
        };
        found.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_head_of_bold_leaders() {
        insta::assert_snapshot!(shown("\
# Search Plan

> **For agents:** work task by task.

**Goal:** Notes are found
by their words.
**Architecture:** An index.

**Tech Stack:** Rust

**Owner:** somebody

**Global Constraints**

- **No network:** none at all.
- Every function has a test.

**Never** use floats.

---

### Task 1: One

**Goal:** of the task

- [ ] **Step 1: Do**
", None, &[]), @r##"
        Title "": "# Search Plan"
        Goal "Goal": "**Goal:** Notes are found\nby their words."
        Background "Architecture": "**Architecture:** An index."
        Background "Tech Stack": "**Tech Stack:** Rust"
        Constraints "Global Constraints": "**Global Constraints**\n\n- **No network:** none at all.\n- Every function has a test.\n\n**Never** use floats."
        "##);
    }

    #[test]
    fn a_head_of_headings_and_one_of_items() {
        insta::assert_snapshot!(shown("\
# Goal oriented search

## Overview

- **Goal:** found
- **Owner:** me
- **Tech Stack:** Rust

## 2. Architecture

```
# not a heading
```

### Parts

- index

## Task 1: One

### Goal

of the task

## Constraints

### Code

- no floats
", None, &[]), @r###"
        Title "": "# Goal oriented search"
        Goal "Goal": "- **Goal:** found"
        Background "Tech Stack": "- **Tech Stack:** Rust"
        Background "2. Architecture": "## 2. Architecture\n\n```\n# not a heading\n```\n\n### Parts\n\n- index"
        Constraints "Constraints": "## Constraints\n\n### Code\n\n- no floats"
        "###);
    }

    #[test]
    fn a_short_section_stays_whole_and_a_long_one_is_divided_at_its_steps() {
        let plan = "# P\n\n### Task 2: The parser\n\n- [ ] **Step 1: Test**\n- [ ] **Step 2: Do**\n\n---\n\n## Notes\n";
        insta::assert_snapshot!(shown(plan, Some("Task 2"), &["Task 2/Step 1"]), @r####"
        Title "": "# P"
        Own "Task 2": "### Task 2: The parser\n\n- [x] **Step 1: Test**\n- [ ] **Step 2: Do**"
        "####);
        let code = format!("\n\n```\n{}```\n\n", "let x = 1;\n".repeat(100));
        let step = |number: u8| format!("- [ ] **Step {number}: Do**{code}");
        let steps: String = (1..=4).map(step).collect();
        let long = format!("### Task 2: The parser\n\n**Files:** a\n\n{steps}");
        let found = plan_sections(&long, Some("Task 2"), &|step| step == "Task 2/Step 1");
        let topics: Vec<_> =
            found.iter().map(|part| (part.topic, part.section.title.as_str())).collect();
        assert_eq!(
            topics,
            [
                (PlanTopic::Own, "Task 2"),
                (PlanTopic::FinishedStep, "Step 1: Do"),
                (PlanTopic::NextStep, "Step 2: Do"),
                (PlanTopic::LaterStep, "Step 3: Do"),
                (PlanTopic::LaterStep, "Step 4: Do"),
            ]
        );
    }

    proptest! {
        /// Reading never panics, and a divided section loses nothing.
        #[test]
        fn any_plan_can_be_read(
            pieces in prop::collection::vec(
                prop_oneof![
                    Just("### Task 1: a\n"), Just("# Plan\n"), Just("- [ ] x\n"), Just("## Goal\n"),
                    Just("  - [x] y\r\n"), Just("```\n"), Just("> "), Just("**Goal:** é\n"),
                    Just("**Constraints**\n"), Just("\n"), Just("---\n"), Just("- "), Just("**"),
                    Just("word word word word word word word word word word word word word\n"),
                ],
                0..120,
            )
        ) {
            let markdown = pieces.concat();
            let found = plan_sections(&markdown, Some("Task 1"), &|_| false);
            let words = |text: &str| text.matches("word").count();
            let own = found.iter().filter(|part| part.section.level == OWN_LEVEL);
            let kept: usize = own.map(|part| words(&part.section.text)).sum();
            let all = cut(&markdown, "Task 1").map_or(0, |text| words(without_rule(text)));
            prop_assert_eq!(kept, all);
        }
    }
}
