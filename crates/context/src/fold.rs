//! The task tree with less and less of it, for a reader with little room.
//!
//! A line is shown whole or folded into a count; what lies far from the focus is folded first. Every
//! line is written and measured once, however often the tree is folded.

use std::{borrow::Cow, collections::BTreeSet};

use pacenote_model::{Forest, TaskId, TaskState};

use crate::{
    escape::Escaped,
    position::Position,
    size::Size,
    tree::{TreeLine, tree_lines},
    wording::counted,
};

/// Most tasks beside the one in focus that are shown by name: with more, a reader needs their number.
const OTHERS_SHOWN: usize = 3;

/// Most steps round the task in focus that are shown one by one: with more, the open ones count.
const STEPS_SHOWN: usize = 12;

/// How the steps of the task in focus are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum StepForm {
    /// Each with its title.
    #[default]
    Lines,
    /// By number and id: the section of the plan that the reader has beside the tree says the rest.
    Numbers,
}

/// The tree, seen from the task in focus.
#[derive(Debug)]
pub(crate) struct Folding<'f, 'a> {
    forest: &'f Forest<'a>,
    entries: Vec<Entry<'a>>,
    /// The tasks at the top that are finished with all their steps.
    finished: BTreeSet<TaskId>,
    focus: Focus,
    /// Whether somebody works on the task in focus.
    is_taken: bool,
    steps: StepForm,
}

#[derive(Debug)]
struct Entry<'a> {
    line: TreeLine<'a>,
    /// The task at the top under which it stands.
    root: TaskId,
    told: Told,
}

/// A line as it is told, and what it costs with the line break before it.
#[derive(Clone, Debug)]
struct Told {
    text: Escaped,
    size: Size,
}

impl Told {
    fn of(text: Escaped) -> Self {
        let size = Size::of(text.as_str()) + Size::LINE_BREAK;
        Self { text, size }
    }
}

/// A line that is left when finished tasks and other tasks' steps are folded.
struct Left<'e, 'a> {
    entry: &'e Entry<'a>,
    told: Cow<'e, Told>,
}

#[derive(Debug, Default)]
struct Focus {
    root: Option<TaskId>,
    /// The task in focus and the tasks it is a step of.
    path: BTreeSet<TaskId>,
    task: Option<TaskId>,
}

/// How near a line lies to the focus. The order is the order in which lines are kept.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// The focus and what it is a step of, outermost first.
    Path { depth: usize },
    /// What comes after the focus in the same task.
    Following { distance: usize },
    /// What came before it in the same task; a part of an earlier step follows that step.
    Preceding { depth: usize, distance: usize },
    /// Another task, on either side.
    Other { distance: usize, side: Side },
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    After,
    Before,
}

impl<'f, 'a> Folding<'f, 'a> {
    /// Prepares the tree round a position.
    pub(crate) fn new(forest: &'f Forest<'a>, position: &Position) -> Self {
        let mut entries: Vec<Entry<'_>> = Vec::new();
        let mut finished = BTreeSet::new();
        for line in tree_lines(forest, position.current) {
            let task = line.task();
            let root = match entries.last() {
                Some(before) if line.depth() > 0 => before.root,
                Some(_) | None => task.id,
            };
            if line.depth() == 0 {
                finished.insert(root);
            }
            if !task.state.is_settled() {
                finished.remove(&root);
            }
            let told = Told::of(line.to_escaped());
            entries.push(Entry { line, root, told });
        }
        let focus = position.focus.map(|task| {
            let above = forest.ancestors(task).into_iter().map(|above| above.id);
            let path: Vec<TaskId> = [task].into_iter().chain(above).collect();
            Focus { root: path.last().copied(), path: path.into_iter().collect(), task: Some(task) }
        });
        let (is_taken, steps) = (position.current.is_some(), StepForm::default());
        Self { forest, entries, finished, focus: focus.unwrap_or_default(), is_taken, steps }
    }

    /// Shows steps in another form.
    pub(crate) fn with_steps(self, steps: StepForm) -> Self {
        Self { steps, ..self }
    }

    /// Reports whether there is nothing but the task that somebody works on: the sentence about the
    /// position says as much.
    pub(crate) fn is_one_task(&self) -> bool {
        let is_plain = |entry: &Entry<'a>| entry.line.task().after.is_empty();
        self.is_taken && self.entries.len() == 1 && self.entries.iter().all(is_plain)
    }

    /// Shows what a reader needs who works on the task in focus: that task with its steps, the few
    /// others there are, or a count of them.
    pub(crate) fn round_focus(&self) -> Escaped {
        let is_other =
            |entry: &&Entry<'a>| entry.line.depth() == 0 && Some(entry.root) != self.focus.root;
        let others: Vec<&Entry<'a>> = self.entries.iter().filter(is_other).collect();
        let is_small = others.len() <= OTHERS_SHOWN;
        let mut lines: Vec<Escaped> = Vec::new();
        let mut is_task_shown = false;
        for entry in &self.entries {
            let is_top = entry.line.depth() == 0;
            if Some(entry.root) != self.focus.root {
                lines.extend((is_small && is_top).then(|| self.folded(entry)));
            } else if !self.is_taken {
                // Before anybody took it, its steps are details.
                lines.extend(is_top.then(|| self.folded(entry)));
            } else if !is_task_shown {
                is_task_shown = true;
                lines.extend(self.lines_round_focus());
            }
        }
        if !is_small {
            lines.push(self.count_line(&others));
        }
        Escaped::lines(lines)
    }

    /// Shows the task in focus, what it is a step of, and the steps beside and below it.
    fn lines_round_focus(&self) -> Vec<Escaped> {
        let focus = self.focus.task.and_then(|task| self.forest.get(task));
        let above = focus.and_then(|task| task.parent);
        let is_in_path = |entry: &Entry<'a>| self.focus.path.contains(&entry.line.task().id);
        let is_step = |entry: &&Entry<'a>| {
            let parent = entry.line.task().parent;
            let is_near = parent == self.focus.task || (parent.is_some() && parent == above);
            is_near && !is_in_path(entry)
        };
        let is_open = |entry: &&Entry<'a>| !entry.line.task().state.is_settled();
        let in_task = || self.entries.iter().filter(|entry| Some(entry.root) == self.focus.root);
        let steps: Vec<&Entry<'a>> = in_task().filter(is_step).collect();
        let numbered: Vec<&Entry<'a>> =
            steps.iter().copied().filter(|step| self.number_of(step).is_some()).collect();
        let mut shown: BTreeSet<TaskId> =
            steps.iter().map(|step| step.line.task().id).collect::<BTreeSet<_>>();
        if steps.len() - numbered.len() > STEPS_SHOWN {
            let open = steps.iter().copied().filter(is_open).take(STEPS_SHOWN);
            shown = open.map(|step| step.line.task().id).collect();
        }
        let left_out: Vec<&Entry<'a>> = steps
            .iter()
            .copied()
            .filter(|step| self.number_of(step).is_none())
            .filter(|step| !shown.contains(&step.line.task().id))
            .collect();
        let mut lines = Vec::new();
        let mut numbers = self.numbers_line(&numbered);
        for entry in in_task() {
            if is_in_path(entry) {
                lines.push(entry.told.text.clone());
            } else if self.number_of(entry).is_some() && is_step(&entry) {
                lines.extend(numbers.take());
            } else if is_step(&entry) && shown.contains(&entry.line.task().id) {
                lines.push(self.folded(entry));
            }
        }
        if let Some(first) = left_out.first() {
            let indent = "    ".repeat(first.line.depth());
            let counts = count(&left_out, |step| step.line.task().state.is_settled());
            let line = format!("{indent}- more steps: {counts}: `pacenote task list`");
            lines.push(Escaped::text(&line));
        }
        lines
    }

    /// Returns the number of a step that the plan beside the tree says everything about.
    fn number_of(&self, entry: &Entry<'a>) -> Option<&'a str> {
        let task = entry.line.task();
        let is_plain = match task.state {
            TaskState::Done => true,
            TaskState::Open => task.assignee.is_none() && task.after.is_empty(),
            TaskState::InProgress | TaskState::Blocked | TaskState::Skipped | TaskState::Failed => {
                false
            }
        };
        let has_parts = !self.forest.children(Some(task.id)).is_empty();
        if self.steps == StepForm::Lines || !is_plain || has_parts {
            return None;
        }
        let section = task.plan.as_ref()?.section.as_ref()?;
        section.as_str().rsplit_once("/Step ").map(|(_, number)| number)
    }

    /// Names the steps that are open by number and id, in one line.
    fn numbers_line(&self, numbered: &[&Entry<'a>]) -> Option<Escaped> {
        let open: Vec<String> = numbered
            .iter()
            .filter(|step| !step.line.task().state.is_settled())
            .filter_map(|step| {
                Some(format!("{} {}", self.number_of(step)?, step.line.task().short))
            })
            .collect();
        let indent = "    ".repeat(numbered.first()?.line.depth());
        let more = match open.len().saturating_sub(STEPS_SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more: `pacenote task list`"),
        };
        let named = open.iter().take(STEPS_SHOWN).cloned().collect::<Vec<_>>().join(", ");
        (!open.is_empty()).then(|| Escaped::text(&format!("{indent}- open steps: {named}{more}")))
    }

    fn folded(&self, entry: &Entry<'a>) -> Escaped {
        if self.forest.children(Some(entry.line.task().id)).is_empty() {
            entry.told.text.clone()
        } else {
            entry.line.folded(self.forest).to_escaped()
        }
    }

    fn count_line(&self, others: &[&Entry<'a>]) -> Escaped {
        let counts = count(others, |entry| self.finished.contains(&entry.root));
        Escaped::text(&format!("- other tasks: {counts}: `pacenote task list`"))
    }

    /// Shows the most that fits: without finished tasks, else without the steps of other tasks too,
    /// else what lies nearest to the focus; `None` when not even that fits.
    pub(crate) fn within(&self, room: Size) -> Option<Escaped> {
        let finished = self.finished_line();
        let unfinished = self.unfinished().map(|entry| &entry.told);
        if finished.is_some()
            && let Some(text) = fitting(finished.iter().chain(unfinished), room)
        {
            return Some(text);
        }
        let left = self.left();
        let lines = finished.iter().chain(left.iter().map(|line| &*line.told));
        fitting(lines, room).or_else(|| self.nearest(finished.as_ref(), &left, room))
    }

    /// Keeps the nearest lines that fit, and counts the others; `None` when not even the focus fits.
    fn nearest(
        &self,
        finished: Option<&Told>,
        left: &[Left<'_, 'a>],
        room: Size,
    ) -> Option<Escaped> {
        // Counting all of them makes the longest index line there can be.
        let longest = index_line(left.len());
        let mut used = finished.map_or(Size::default(), |line| line.size) + longest.size;
        // Where everything is over there is no focus, and the counts alone may be too much.
        if !used.fits(room) {
            return None;
        }
        let mut kept = BTreeSet::new();
        for place in self.by_nearness(left) {
            used += left.get(place).map_or(Size::default(), |line| line.told.size);
            if !used.fits(room) {
                break;
            }
            kept.insert(place);
        }
        let mut shown = kept.iter().filter_map(|place| left.get(*place));
        if let Some(focus) = self.focus.task
            && !shown.clone().any(|line| line.entry.line.task().id == focus)
        {
            return None;
        }
        let folded = left.len() - kept.len();
        let index = (folded > 0).then(|| index_line(folded));
        let lines = finished.into_iter().chain(shown.by_ref().map(|line| &*line.told));
        Some(Escaped::lines(lines.chain(index.as_ref()).map(|line| &line.text)))
    }

    fn unfinished(&self) -> impl Iterator<Item = &Entry<'a>> + Clone {
        self.entries.iter().filter(|entry| !self.finished.contains(&entry.root))
    }

    /// Returns the unfinished tasks at the top and the steps of the one in focus.
    fn left(&self) -> Vec<Left<'_, 'a>> {
        self.unfinished().filter_map(|entry| self.left_of(entry)).collect()
    }

    fn left_of<'e>(&self, entry: &'e Entry<'a>) -> Option<Left<'e, 'a>> {
        let line = &entry.line;
        let has_steps = || !self.forest.children(Some(line.task().id)).is_empty();
        let told = if Some(entry.root) == self.focus.root {
            Cow::Borrowed(&entry.told)
        } else if line.depth() > 0 {
            return None;
        } else if has_steps() {
            Cow::Owned(Told::of(line.folded(self.forest).to_escaped()))
        } else {
            Cow::Borrowed(&entry.told)
        };
        Some(Left { entry, told })
    }

    fn finished_line(&self) -> Option<Told> {
        if self.finished.is_empty() {
            return None;
        }
        let all = self.entries.iter().filter(|entry| self.finished.contains(&entry.root)).count();
        let tasks = counted(self.finished.len(), "finished task");
        let steps = match all - self.finished.len() {
            0 => String::new(),
            steps => format!(" with {}", counted(steps, "step")),
        };
        Some(Told::of(Escaped::text(&format!("- [x] {tasks}{steps}"))))
    }

    /// Returns the places of the lines, the nearest to the focus first; a step follows its task.
    fn by_nearness(&self, left: &[Left<'_, '_>]) -> Vec<usize> {
        let in_task = |entry: &Entry<'_>| Some(entry.root) == self.focus.root;
        let first = left.iter().position(|line| in_task(line.entry)).unwrap_or(0);
        let last = left.iter().rposition(|line| in_task(line.entry)).unwrap_or(0);
        let is_focus = |entry: &Entry<'_>| Some(entry.line.task().id) == self.focus.task;
        let focus = left.iter().position(|line| is_focus(line.entry)).unwrap_or(0);
        let nearness = |place: usize, entry: &Entry<'_>| {
            let depth = entry.line.depth();
            if self.focus.path.contains(&entry.line.task().id) {
                Nearness::Path { depth }
            } else if in_task(entry) && place > focus {
                Nearness::Following { distance: place - focus }
            } else if in_task(entry) {
                Nearness::Preceding { depth, distance: focus - place }
            } else if place < first {
                Nearness::Other { distance: first - place, side: Side::Before }
            } else {
                Nearness::Other { distance: place - last, side: Side::After }
            }
        };
        // What a reader with enough room gets comes first: otherwise little room would show lines in
        // its place that more room leaves out.
        let is_extra = self.find_extra();
        let entries = left.iter().enumerate();
        let rank = |(place, line): (usize, &Left<'_, '_>)| {
            (is_extra(line.entry), nearness(place, line.entry), place)
        };
        let mut places: Vec<(bool, Nearness, usize)> = entries.map(rank).collect();
        places.sort();
        places.into_iter().map(|(_, _, place)| place).collect()
    }

    /// Returns what tells the lines that [`Self::round_focus`] leaves out.
    fn find_extra(&self) -> impl Fn(&Entry<'_>) -> bool {
        let is_other =
            |entry: &&Entry<'a>| entry.line.depth() == 0 && Some(entry.root) != self.focus.root;
        let is_small = self.entries.iter().filter(is_other).count() <= OTHERS_SHOWN;
        let above = self.focus.task.and_then(|task| self.forest.get(task)?.parent);
        move |entry| {
            let task = entry.line.task();
            let is_top = entry.line.depth() == 0;
            if Some(entry.root) != self.focus.root {
                return !(is_small && is_top);
            }
            let is_near = task.parent.is_some() && [self.focus.task, above].contains(&task.parent);
            let is_round = self.focus.path.contains(&task.id) || is_near;
            if self.is_taken { !is_round } else { !is_top }
        }
    }
}

/// Counts lines: `12 done, 5 open`.
fn count(entries: &[&Entry<'_>], is_done: impl Fn(&Entry<'_>) -> bool) -> String {
    let done = entries.iter().filter(|entry| is_done(entry)).count();
    let counts = [(done, "done"), (entries.len() - done, "open")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, word)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}

/// Joins lines, if all of them fit.
fn fitting<'e>(lines: impl Iterator<Item = &'e Told> + Clone, room: Size) -> Option<Escaped> {
    let all = lines.clone().fold(Size::default(), |all, line| all + line.size);
    // The first line has no line break before it.
    (all - Size::LINE_BREAK).fits(room).then(|| Escaped::lines(lines.map(|line| &line.text)))
}

fn index_line(folded: usize) -> Told {
    let tasks = counted(folded, "more task");
    Told::of(Escaped::text(&format!("… {tasks}: pacenote task list")))
}
