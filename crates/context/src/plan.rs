//! A plan file as data: its tasks, their steps, and what could not be read.
//!
//! Reading never fails as a whole: what is not understood becomes a [`Finding`] with its line.
//! Nothing here knows the store; `reconcile` brings the two together.

use std::{collections::BTreeMap, fmt, ops::Range};

use pacenote_model::{BadText, Title, limits};

use crate::{
    heading::{STEP, TASK, nearly_a_task, numbered},
    outline::{Kind, Piece, outline},
    wording::one_line,
};

/// Longest excerpt of a plan in a finding, in characters: enough to find the line again.
const EXCERPT_CHARACTERS: usize = 60;

/// The tasks of a plan file, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub tasks: Vec<PlanTask>,
}

/// One `Task N` section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanTask {
    /// Its section, such as `Task 2`.
    pub section: Title,
    /// Its heading as written, such as `Task 2: Add login endpoint`.
    pub title: Title,
    pub steps: Vec<PlanStep>,
}

impl PlanTask {
    /// Tells whether the plan calls it finished: it has steps, and every one is ticked.
    pub fn is_ticked(&self) -> bool {
        !self.steps.is_empty() && self.steps.iter().all(|step| step.ticked)
    }
}

/// One step of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanStep {
    /// Its section, such as `Task 2/Step 1`.
    pub section: Title,
    /// Its first line as written.
    pub title: Title,
    /// Whether its box is ticked.
    pub ticked: bool,
}

/// Something in a plan that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What may be wrong with a line of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A heading that only resembles a task.
    #[error("`{heading}` is not taken for a task: write `Task N: name`")]
    NearlyATask {
        /// The heading, shortened.
        heading: String,
    },
    /// A task's heading where no section can begin.
    #[error("`{heading}` stands inside a list or a quotation and is left out")]
    NestedTask {
        /// The heading, shortened.
        heading: String,
    },
    /// Two tasks with one number. Both are taken.
    #[error("`{section}` is there twice, first in line {first}")]
    Duplicate {
        section: Title,
        /// The line of the first.
        first: usize,
    },
    /// A task or step without a usable title.
    #[error("this cannot be a title: {reason}")]
    Unusable {
        /// Why.
        reason: BadText,
    },
    /// More tasks and steps than are taken from one plan.
    #[error("a plan holds at most {most} tasks and steps: the rest is left out")]
    TooMany {
        /// The cap.
        most: usize,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl Plan {
    /// Reads a plan, with what was not understood in the order of its lines.
    pub fn parse(markdown: &str) -> (Self, Vec<Finding>) {
        let mut findings = Findings::of(markdown);
        let sections = sections(outline(markdown), &mut findings);
        let plan = taken(sections, &mut findings);
        findings.list.sort_by_key(|finding| finding.line);
        (plan, findings.list)
    }

    /// Counts the tasks and their steps.
    pub fn items(&self) -> usize {
        self.tasks.iter().map(|task| 1 + task.steps.len()).sum()
    }
}

/// Ticks the boxes of a `Task N` section whose steps are done, so that there is one truth.
///
/// `is_done` is asked by the name of a step's section, such as `Task 2/Step 1`. A section whose boxes
/// and steps do not go together one by one stays as it is.
pub fn tick(section: &str, is_done: &dyn Fn(&str) -> bool) -> String {
    let (plan, _) = Plan::parse(section);
    let [task] = plan.tasks.as_slice() else { return section.to_owned() };
    let mut in_code = false;
    let mut boxes = Vec::new();
    for (place, line) in section.lines().enumerate() {
        in_code ^= line.trim_start().starts_with("```");
        if !in_code && ["- [ ] ", "- [x] ", "- [X] "].iter().any(|mark| line.starts_with(mark)) {
            boxes.push(place);
        }
    }
    if boxes.len() != task.steps.len() {
        return section.to_owned();
    }
    let done: Vec<usize> = boxes
        .into_iter()
        .zip(&task.steps)
        .filter(|(_, step)| is_done(step.section.as_str()))
        .map(|(place, _)| place)
        .collect();
    let ticked = section.lines().enumerate().map(|(place, line)| {
        if done.contains(&place) { line.replacen("- [ ] ", "- [x] ", 1) } else { line.to_owned() }
    });
    ticked.collect::<Vec<_>>().join("\n")
}

/// Returns the text of one `Task N` section, from its heading to the next of its level or above.
pub fn cut<'a>(markdown: &'a str, section: &str) -> Option<&'a str> {
    let mut range: Option<(u8, Range<usize>)> = None;
    for piece in outline(markdown) {
        let Kind::Heading { level } = piece.kind else { continue };
        match &mut range {
            Some((opened, range)) if level <= *opened => {
                range.end = piece.start;
                break;
            }
            Some(_) => {}
            None => {
                let found = numbered(TASK, &piece.text).map(|task| section_of(task.number));
                if found.as_deref() == Some(section) {
                    range = Some((level, piece.start..markdown.len()));
                }
            }
        }
    }
    range.and_then(|(_, range)| markdown.get(range))
}

fn section_of(number: &str) -> String {
    format!("{TASK} {number}")
}

/// A `Task N` heading with what stands in its section.
struct Section {
    start: usize,
    level: u8,
    label: String,
    title: String,
    boxes: Vec<Piece>,
    leaders: Vec<Piece>,
}

impl Section {
    /// Opens a section where a heading is one of a task.
    fn open(heading: &Piece, level: u8) -> Option<Self> {
        let task = numbered(TASK, &heading.text)?;
        let label = section_of(task.number);
        let title = if task.name.is_empty() { label.clone() } else { heading.text.clone() };
        let (boxes, leaders) = (Vec::new(), Vec::new());
        Some(Self { start: heading.start, level, label, title, boxes, leaders })
    }

    /// Returns the steps: what has a checkbox, or else what begins with a bold `Step k`.
    fn steps(&self) -> &[Piece] {
        if self.boxes.is_empty() { &self.leaders } else { &self.boxes }
    }
}

/// Groups the pieces by the innermost task section they stand in.
fn sections(pieces: Vec<Piece>, findings: &mut Findings) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    // Places in `sections` of those that are open, outermost first.
    let mut open: Vec<usize> = Vec::new();
    for piece in pieces {
        match &piece.kind {
            Kind::Heading { level } => {
                let level = *level;
                let ends = |place: &mut usize| {
                    sections.get(*place).is_some_and(|above| above.level >= level)
                };
                while open.pop_if(ends).is_some() {}
                if let Some(section) = Section::open(&piece, level) {
                    open.push(sections.len());
                    sections.push(section);
                } else if nearly_a_task(&piece.text) {
                    findings.add(piece.start, Problem::NearlyATask { heading: excerpt(&piece) });
                }
            }
            Kind::NestedHeading => {
                if numbered(TASK, &piece.text).is_some() {
                    findings.add(piece.start, Problem::NestedTask { heading: excerpt(&piece) });
                }
            }
            Kind::Checkbox { .. } => {
                if let Some(section) = open.last().and_then(|place| sections.get_mut(*place)) {
                    section.boxes.push(piece);
                }
            }
            Kind::Leader { bold } => {
                if numbered(STEP, bold).is_some()
                    && let Some(section) = open.last().and_then(|place| sections.get_mut(*place))
                {
                    section.leaders.push(piece);
                }
            }
        }
    }
    sections
}

/// Turns sections into tasks, as many as one plan may bring.
fn taken(sections: Vec<Section>, findings: &mut Findings) -> Plan {
    let too_many = Problem::TooMany { most: limits::PLAN_ITEMS };
    let mut plan = Plan::default();
    let mut room = limits::PLAN_ITEMS;
    let mut first_lines: BTreeMap<Title, usize> = BTreeMap::new();
    for section in sections {
        let start = section.start;
        if room == 0 {
            findings.add(start, too_many);
            break;
        }
        let Some(mut task) = findings.unless_bad(start, task_of(&section)) else {
            continue;
        };
        room -= 1;
        let line = findings.line(start);
        let first = *first_lines.entry(task.section.clone()).or_insert(line);
        if first != line {
            findings.add(start, Problem::Duplicate { section: task.section.clone(), first });
        }
        let found = section.steps();
        if let Some(left_out) = found.get(room) {
            findings.add(left_out.start, too_many.clone());
        }
        for piece in found.iter().take(room) {
            let step = step_of(&task, piece);
            task.steps.extend(findings.unless_bad(piece.start, step));
        }
        room -= task.steps.len();
        plan.tasks.push(task);
    }
    plan
}

fn task_of(section: &Section) -> Result<PlanTask, BadText> {
    let title = title_of(&section.title)?;
    Ok(PlanTask { section: Title::parse(&section.label)?, title, steps: Vec::new() })
}

fn step_of(task: &PlanTask, piece: &Piece) -> Result<PlanStep, BadText> {
    let place = task.steps.len() + 1;
    let section = Title::parse(&format!("{}/{STEP} {place}", task.section))?;
    let ticked = matches!(piece.kind, Kind::Checkbox { ticked: true });
    Ok(PlanStep { section, title: title_of(&piece.text)?, ticked })
}

fn title_of(text: &str) -> Result<Title, BadText> {
    Title::parse(&one_line(text, limits::TITLE_CHARACTERS))
}

fn excerpt(piece: &Piece) -> String {
    one_line(&piece.text, EXCERPT_CHARACTERS)
}

/// What was found so far, and where the lines of the plan begin.
struct Findings {
    /// The offset of every line break.
    breaks: Vec<usize>,
    list: Vec<Finding>,
}

impl Findings {
    fn of(markdown: &str) -> Self {
        let breaks = markdown.match_indices('\n').map(|(offset, _)| offset).collect();
        Self { breaks, list: Vec::new() }
    }

    fn line(&self, start: usize) -> usize {
        1 + self.breaks.partition_point(|at| *at < start)
    }

    fn add(&mut self, start: usize, problem: Problem) {
        self.list.push(Finding { line: self.line(start), problem });
    }

    fn unless_bad<T>(&mut self, start: usize, read: Result<T, BadText>) -> Option<T> {
        read.map_err(|reason| self.add(start, Problem::Unusable { reason })).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The plan and the findings, as text.
    fn told(markdown: &str) -> String {
        let (plan, findings) = Plan::parse(markdown);
        let mut lines = Vec::new();
        for task in &plan.tasks {
            lines.push(format!("{} | {}", task.section, task.title));
            for step in &task.steps {
                let tick = if step.ticked { "x" } else { " " };
                lines.push(format!("  [{tick}] {} | {}", step.section, step.title));
            }
        }
        lines.extend(findings.iter().map(Finding::to_string));
        lines.join("\n")
    }

    const PLAN: &str = "\
# Login Implementation Plan

**Goal:** Users log in.

- [ ] a box before any task

## Global Constraints

### Task 1: Add `User` *model*

**Files:**
- Create: `src/user.rs`

- [x] **Step 1: Write the failing test**

```rust
### Task 9: not a task
- [ ] not a step
```

- [ ] **Step 2: Run it**
  Run: `cargo test`
  - [ ] with a part

#### Notes

- [ ] Commit

<!-- ### Task 8: not one either -->

### Task 2.1 – Add login

**Step 1:** Write the failing test
**Step 2:** Make it pass

### Task 3

## Later

- [ ] not a step of Task 3
";

    #[test]
    fn a_plan_becomes_tasks_and_steps() {
        insta::assert_snapshot!(told(PLAN), @"
        Task 1 | Task 1: Add User model
          [x] Task 1/Step 1 | Step 1: Write the failing test
          [ ] Task 1/Step 2 | Step 2: Run it
          [ ] Task 1/Step 3 | Commit
        Task 2.1 | Task 2.1 – Add login
          [ ] Task 2.1/Step 1 | Step 1: Write the failing test
          [ ] Task 2.1/Step 2 | Step 2: Make it pass
        Task 3 | Task 3
        ");
    }

    #[test]
    fn what_is_not_understood_is_said_with_its_line() {
        insta::assert_snapshot!(told("\
## Task: no number

## Tasks

## Task 1: First

- [ ]
- [ ] --force

## Task 1: Second

> ## Task 2: quoted

## task 3: small
"), @"
        Task 1 | Task 1: First
        Task 1 | Task 1: Second
        line 1: `Task: no number` is not taken for a task: write `Task N: name`
        line 7: this cannot be a title: the title is empty
        line 8: this cannot be a title: the title starts with `-`
        line 10: `Task 1` is there twice, first in line 5
        line 12: `Task 2: quoted` stands inside a list or a quotation and is left out
        line 14: `task 3: small` is not taken for a task: write `Task N: name`
        ");
    }

    #[test]
    fn long_names_are_shortened_at_a_word() {
        let (plan, findings) = Plan::parse(&format!("# Task 1: {}", "word ".repeat(100)));
        assert_eq!(findings, []);
        let title = plan.tasks[0].title.as_str();
        assert!(title.ends_with("word…") && title.chars().count() <= limits::TITLE_CHARACTERS);
        assert!(title.chars().count() > limits::TITLE_CHARACTERS - 6, "{title}");
    }

    #[test]
    fn a_plan_has_a_cap() {
        let steps = "- [ ] x\n".repeat(limits::PLAN_ITEMS);
        let (plan, findings) = Plan::parse(&format!("# Task 1: a\n{steps}\n# Task 2: b\n"));
        assert_eq!(plan.items(), limits::PLAN_ITEMS);
        let told: Vec<String> = findings.iter().map(Finding::to_string).collect();
        assert_eq!(
            told,
            [
                "line 2001: a plan holds at most 2000 tasks and steps: the rest is left out",
                "line 2003: a plan holds at most 2000 tasks and steps: the rest is left out",
            ]
        );
    }

    #[test]
    fn a_section_is_cut_out_whole() {
        let nested = "# A\n## Task 1: a\ntext\n### Part\n- [ ] x\n## Task 2: b\nend";
        assert_eq!(cut(nested, "Task 1"), Some("## Task 1: a\ntext\n### Part\n- [ ] x\n"));
        assert_eq!(cut(nested, "Task 2"), Some("## Task 2: b\nend"));
        assert_eq!(cut(nested, "Task 3"), None);
        assert_eq!(cut(PLAN, "Task 9"), None);
        assert!(cut(PLAN, "Task 1").is_some_and(|text| text.contains("### Task 9")));
        assert_eq!(cut(PLAN, "Task 3"), Some("### Task 3\n\n"));
    }

    proptest! {
        /// Reading never panics, and every section found can be cut out again.
        #[test]
        fn any_text_can_be_read(
            pieces in prop::collection::vec(
                prop_oneof![
                    Just("### Task 1: a\n"), Just("# Task 2\n"), Just("- [ ] x\n"),
                    Just("  - [x] y\r\n"), Just("```\n"), Just("<!--"), Just("-->\n"), Just("> "),
                    Just("**Step 1:** é\n"), Just("\n"), Just("    "), Just("---\n"), Just("- "),
                    Just("\u{0}\u{1b}"), Just("## Task 3: \u{7f}\n"), Just("`"), Just("**"),
                ],
                0..40,
            )
        ) {
            let markdown = pieces.concat();
            let (plan, findings) = Plan::parse(&markdown);
            for task in &plan.tasks {
                let text = cut(&markdown, task.section.as_str());
                prop_assert!(text.is_some_and(|text| text.contains(task.section.as_str())));
            }
            let lines = markdown.matches('\n').count() + 1;
            prop_assert!(findings.iter().all(|finding| (1..=lines).contains(&finding.line)));
        }
    }
}
