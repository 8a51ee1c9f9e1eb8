//! Skills that lead back to themselves.

use std::collections::{HashMap, VecDeque};

/// Skills of which each leads to every other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// All of them, in order.
    pub members: Vec<usize>,
    /// A shortest way from the first of them back to itself; it stands at both ends.
    pub path: Vec<usize>,
}

/// Returns the cycles of a graph given as the targets of each node, by their first members.
///
/// Tarjan's algorithm with a stack of its own: a chain of ten thousand skills must not exhaust that
/// of the thread.
pub(super) fn cycles(targets: &[Vec<usize>]) -> Vec<Cycle> {
    let mut search = Search::new(targets);
    for node in 0..targets.len() {
        search.visit(node);
    }
    let mut cycles: Vec<_> = search
        .components
        .into_iter()
        .filter(|members| members.len() > 1)
        .filter_map(|members| {
            let path = way_back(targets, &members)?;
            Some(Cycle { members, path })
        })
        .collect();
    cycles.sort_by(|one, other| one.members.cmp(&other.members));
    cycles
}

struct Search<'g> {
    targets: &'g [Vec<usize>],
    /// When each node was first seen, counted from one.
    seen: Vec<usize>,
    /// The earliest node on the stack that each node leads to.
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    clock: usize,
    components: Vec<Vec<usize>>,
}

impl<'g> Search<'g> {
    fn new(targets: &'g [Vec<usize>]) -> Self {
        let count = targets.len();
        Self {
            targets,
            seen: vec![0; count],
            low: vec![0; count],
            on_stack: vec![false; count],
            stack: Vec::new(),
            clock: 0,
            components: Vec::new(),
        }
    }

    fn visit(&mut self, root: usize) {
        if value(&self.seen, root) != 0 {
            return;
        }
        // Each node with the place of the next target to look at.
        let mut calls = vec![(root, 0)];
        self.enter(root);
        while let Some((node, next)) = calls.last_mut() {
            let node = *node;
            let Some(&target) = self.targets.get(node).and_then(|targets| targets.get(*next))
            else {
                calls.pop();
                self.leave(node);
                if let Some((caller, _)) = calls.last() {
                    self.lower(*caller, value(&self.low, node));
                }
                continue;
            };
            *next += 1;
            if value(&self.seen, target) == 0 {
                self.enter(target);
                calls.push((target, 0));
            } else if self.on_stack.get(target) == Some(&true) {
                self.lower(node, value(&self.seen, target));
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.clock += 1;
        set(&mut self.seen, node, self.clock);
        set(&mut self.low, node, self.clock);
        set(&mut self.on_stack, node, true);
        self.stack.push(node);
    }

    /// Takes a component off the stack once its first node has no more targets.
    fn leave(&mut self, node: usize) {
        if value(&self.low, node) != value(&self.seen, node) {
            return;
        }
        let mut members = Vec::new();
        while let Some(member) = self.stack.pop() {
            set(&mut self.on_stack, member, false);
            members.push(member);
            if member == node {
                break;
            }
        }
        members.sort_unstable();
        self.components.push(members);
    }

    fn lower(&mut self, node: usize, to: usize) {
        let low = value(&self.low, node).min(to);
        set(&mut self.low, node, low);
    }
}

/// Returns a shortest way from the first member back to itself, within the members.
fn way_back(targets: &[Vec<usize>], members: &[usize]) -> Option<Vec<usize>> {
    let first = *members.first()?;
    // From where each member was reached first.
    let mut from = HashMap::new();
    let mut queue = VecDeque::from([first]);
    while let Some(node) = queue.pop_front() {
        for &target in targets.get(node).into_iter().flatten() {
            if members.binary_search(&target).is_err() || from.contains_key(&target) {
                continue;
            }
            from.insert(target, node);
            if target == first {
                return Some(traced(&from, first));
            }
            queue.push_back(target);
        }
    }
    None
}

/// Returns the way to a node back along where each was reached from, until the node comes again.
fn traced(from: &HashMap<usize, usize>, node: usize) -> Vec<usize> {
    let mut path = vec![node];
    let mut at = node;
    while let Some(&before) = from.get(&at) {
        path.push(before);
        at = before;
        if at == node {
            break;
        }
    }
    path.reverse();
    path
}

fn value(values: &[usize], at: usize) -> usize {
    values.get(at).copied().unwrap_or_default()
}

fn set<T>(values: &mut [T], at: usize, value: T) {
    if let Some(place) = values.get_mut(at) {
        *place = value;
    }
}
