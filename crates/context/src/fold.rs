//! The task tree with less and less of it, for a reader with little room.
//!
//! A line is shown whole or folded into a count; what lies far from the focus is folded first.

use std::collections::BTreeSet;

use pacenote_model::{Forest, TaskId};

use crate::{
    escape::Escaped,
    position::Position,
    size::Size,
    tree::{TreeLine, tree_lines},
    wording::counted,
};

/// The tree, seen from the task in focus.
pub(crate) struct Folding<'f, 'a> {
    forest: &'f Forest<'a>,
    entries: Vec<Entry<'a>>,
    /// The tasks at the top that are finished with all their steps.
    finished: BTreeSet<TaskId>,
    focus: Focus,
}

#[derive(Clone)]
struct Entry<'a> {
    line: TreeLine<'a>,
    /// The task at the top under which it stands.
    root: TaskId,
}

#[derive(Default)]
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
            entries.push(Entry { line, root });
        }
        let focus = position.focus.map(|task| {
            let above = forest.ancestors(task).into_iter().map(|above| above.id);
            let path: Vec<TaskId> = [task].into_iter().chain(above).collect();
            Focus { root: path.last().copied(), path: path.into_iter().collect(), task: Some(task) }
        });
        Self { forest, entries, finished, focus: focus.unwrap_or_default() }
    }

    /// Shows every line.
    pub(crate) fn whole(&self) -> Vec<Escaped> {
        self.entries.iter().map(|entry| entry.line.to_escaped()).collect()
    }

    /// Folds the finished tasks at the top, with all their steps, into one line.
    pub(crate) fn without_finished(&self) -> Vec<Escaped> {
        let left = self.entries.iter().filter(|entry| !self.finished.contains(&entry.root));
        self.finished_line().into_iter().chain(left.map(|entry| entry.line.to_escaped())).collect()
    }

    /// Folds, besides, the steps of every task but the one in focus.
    pub(crate) fn without_other_steps(&self) -> Vec<Escaped> {
        let left = self.left().into_iter().map(|entry| entry.line.to_escaped());
        self.finished_line().into_iter().chain(left).collect()
    }

    /// Keeps, of those lines, the nearest that fit, and counts the others; `None` when not even the
    /// focus fits.
    ///
    /// `room` is for the lines with a line break between each.
    pub(crate) fn nearest(&self, room: Size) -> Option<Vec<Escaped>> {
        let with_text = |entry: Entry<'a>| {
            let text = entry.line.to_escaped();
            (entry, text)
        };
        let left: Vec<(Entry<'_>, Escaped)> = self.left().into_iter().map(with_text).collect();
        let cost = |text: &Escaped| Size::of(text.as_str()) + Size::LINE_BREAK;
        // Counting all of them makes the longest index line there can be.
        let frame = self.finished_line().into_iter().chain([index_line(left.len())]);
        let mut used = frame.fold(Size::default(), |used, text| used + cost(&text));

        let mut kept = BTreeSet::new();
        for place in self.by_nearness(&left) {
            used += left.get(place).map_or(Size::default(), |(_, text)| cost(text));
            if !used.fits(room) {
                break;
            }
            kept.insert(place);
        }
        let is_kept = |focus: TaskId| {
            kept.iter()
                .filter_map(|place| left.get(*place))
                .any(|(entry, _)| entry.line.task().id == focus)
        };
        if self.focus.task.is_some_and(|focus| !is_kept(focus)) {
            return None;
        }
        let folded = left.len() - kept.len();
        let shown = left.into_iter().enumerate().filter(|(place, _)| kept.contains(place));
        let index = (folded > 0).then(|| index_line(folded));
        let shown = shown.map(|(_, (_, text))| text);
        Some(self.finished_line().into_iter().chain(shown).chain(index).collect())
    }

    /// Returns the unfinished tasks at the top and the steps of the one in focus.
    fn left(&self) -> Vec<Entry<'a>> {
        let unfinished = self.entries.iter().filter(|entry| !self.finished.contains(&entry.root));
        unfinished
            .filter_map(|entry| {
                if Some(entry.root) == self.focus.root {
                    Some(entry.clone())
                } else if entry.line.depth() == 0 {
                    Some(Entry { line: entry.line.folded(self.forest), root: entry.root })
                } else {
                    None
                }
            })
            .collect()
    }

    fn finished_line(&self) -> Option<Escaped> {
        if self.finished.is_empty() {
            return None;
        }
        let all = self.entries.iter().filter(|entry| self.finished.contains(&entry.root)).count();
        let tasks = counted(self.finished.len(), "finished task");
        let steps = match all - self.finished.len() {
            0 => String::new(),
            steps => format!(" with {}", counted(steps, "step")),
        };
        Some(Escaped::text(&format!("- [x] {tasks}{steps}")))
    }

    /// Returns the places of the lines, the nearest to the focus first; a step follows its task.
    fn by_nearness(&self, left: &[(Entry<'_>, Escaped)]) -> Vec<usize> {
        let in_task = |entry: &Entry<'_>| Some(entry.root) == self.focus.root;
        let first = left.iter().position(|(entry, _)| in_task(entry)).unwrap_or(0);
        let last = left.iter().rposition(|(entry, _)| in_task(entry)).unwrap_or(0);
        let is_focus = |entry: &Entry<'_>| Some(entry.line.task().id) == self.focus.task;
        let focus = left.iter().position(|(entry, _)| is_focus(entry)).unwrap_or(0);
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
        let entries = left.iter().enumerate();
        let mut places: Vec<(Nearness, usize)> =
            entries.map(|(place, (entry, _))| (nearness(place, entry), place)).collect();
        places.sort();
        places.into_iter().map(|(_, place)| place).collect()
    }
}

fn index_line(folded: usize) -> Escaped {
    let tasks = counted(folded, "more task");
    Escaped::text(&format!("… {tasks}: pacenote task list"))
}
