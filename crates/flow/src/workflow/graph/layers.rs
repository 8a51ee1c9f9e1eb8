//! Which row a node is drawn in: every step below those that lead to it, loops aside.

use std::collections::BTreeSet;

use super::{at, elements::Graph, set};

/// The rows of a graph.
#[derive(Debug)]
pub(super) struct Layers {
    /// The row of each node, the beginning in row 0 and the end alone in the last.
    pub(super) row: Vec<usize>,
    /// How each edge runs.
    pub(super) direction: Vec<Direction>,
    /// The edges of the way that is usually taken, from the beginning on.
    pub(super) main: Vec<usize>,
    /// The first and last row of each phase; nothing if phases cannot be told apart by rows.
    pub(super) bands: Vec<Band>,
}

/// How an edge runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Direction {
    /// To a lower row.
    #[default]
    Forward,
    /// To a higher row.
    Back,
    /// To where it comes from.
    Around,
}

/// The rows of a phase.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band {
    /// Its place in the graph's phases.
    pub(super) phase: usize,
    /// Its first row.
    pub(super) first: usize,
    /// Its last row.
    pub(super) last: usize,
}

impl Layers {
    /// Puts every node into a row.
    pub(super) fn of(graph: &Graph) -> Self {
        let leaving = edges_by_source(graph);
        let direction = directions(graph, &leaving);
        let mut order: Vec<Below> = Vec::new();
        for (edge, direction) in graph.edges.iter().zip(&direction) {
            if *direction == Direction::Forward {
                order.push(Below { upper: edge.from, lower: edge.to, rows: 1 });
            }
        }
        // Steps that nothing leads to are below the beginning all the same.
        let others = 1..graph.nodes.len();
        order.extend(others.map(|lower| Below { upper: 0, lower, rows: 1 }));

        let in_phases = rows_in_phases(graph, &order);
        let by_phase = in_phases.is_some();
        let nodes = graph.nodes.len();
        let mut row =
            in_phases.or_else(|| longest_paths(nodes, &order)).unwrap_or_else(|| vec![0; nodes]);
        row.truncate(nodes);
        let last = row.iter().rev().skip(1).max().copied().unwrap_or(0) + 1;
        set(&mut row, nodes.saturating_sub(1), last);

        let main = main_way(graph, &leaving, &direction);
        let bands = if by_phase { bands(graph, &row) } else { Vec::new() };
        Self { row, direction, main, bands }
    }
}

/// That a node is at least some rows below another.
#[derive(Clone, Copy)]
struct Below {
    upper: usize,
    lower: usize,
    rows: usize,
}

fn edges_by_source(graph: &Graph) -> Vec<Vec<usize>> {
    let mut leaving = vec![Vec::new(); graph.nodes.len()];
    for (place, edge) in graph.edges.iter().enumerate() {
        if let Some(edges) = leaving.get_mut(edge.from) {
            edges.push(place);
        }
    }
    leaving
}

/// How far the search for loops has come with a node.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Seen {
    #[default]
    Not,
    /// On the way from where the search began.
    Open,
    Done,
}

/// Finds the edges that close loops, going the usual ways first.
fn directions(graph: &Graph, leaving: &[Vec<usize>]) -> Vec<Direction> {
    let mut direction = vec![Direction::Forward; graph.edges.len()];
    let mut seen = vec![Seen::Not; graph.nodes.len()];
    for root in 0..graph.nodes.len() {
        if at(&seen, root) != Seen::Not {
            continue;
        }
        set(&mut seen, root, Seen::Open);
        // The path from the root, each node with how many of its edges were followed.
        let mut path = vec![(root, 0)];
        while let Some((node, followed)) = path.last_mut() {
            let next = leaving.get(*node).and_then(|edges| edges.get(*followed)).copied();
            *followed += 1;
            let Some((place, edge)) = next.and_then(|next| Some((next, graph.edges.get(next)?)))
            else {
                set(&mut seen, *node, Seen::Done);
                path.pop();
                continue;
            };
            match at(&seen, edge.to) {
                Seen::Not => {
                    set(&mut seen, edge.to, Seen::Open);
                    path.push((edge.to, 0));
                }
                Seen::Open if edge.to == edge.from => {
                    set(&mut direction, place, Direction::Around);
                }
                Seen::Open => set(&mut direction, place, Direction::Back),
                Seen::Done => {}
            }
        }
    }
    direction
}

/// Returns rows in which each phase is wholly below the one before, if there are such.
fn rows_in_phases(graph: &Graph, order: &[Below]) -> Option<Vec<usize>> {
    let used: BTreeSet<usize> = graph.nodes.iter().filter_map(|node| node.phase).collect();
    if used.is_empty() {
        return None;
    }
    // Between two phases stands a border that is no node: below the one, above the other.
    let mut order = order.to_vec();
    let first_border = graph.nodes.len();
    for (border, (upper, lower)) in used.iter().zip(used.iter().skip(1)).enumerate() {
        let border = first_border + border;
        for (place, node) in graph.nodes.iter().enumerate() {
            if node.phase == Some(*upper) {
                order.push(Below { upper: place, lower: border, rows: 0 });
            } else if node.phase == Some(*lower) {
                order.push(Below { upper: border, lower: place, rows: 1 });
            }
        }
    }
    longest_paths(first_border + used.len() - 1, &order)
}

/// Returns the highest row each node may have; nothing if the order runs in a circle.
fn longest_paths(nodes: usize, order: &[Below]) -> Option<Vec<usize>> {
    let mut row = vec![0; nodes];
    let mut waiting = vec![0_usize; nodes];
    let mut lower_than: Vec<Vec<Below>> = vec![Vec::new(); nodes];
    for below in order {
        *waiting.get_mut(below.lower)? += 1;
        lower_than.get_mut(below.upper)?.push(*below);
    }
    let mut ready: Vec<usize> = (0..nodes).filter(|node| at(&waiting, *node) == 0).collect();
    let mut placed = 0;
    while let Some(node) = ready.pop() {
        placed += 1;
        for below in lower_than.get(node)? {
            let least = at(&row, node) + below.rows;
            let lower = row.get_mut(below.lower)?;
            *lower = least.max(*lower);
            let left = waiting.get_mut(below.lower)?;
            *left -= 1;
            if *left == 0 {
                ready.push(below.lower);
            }
        }
    }
    (placed == nodes).then_some(row)
}

/// Follows the most usual edge of each node that does not lead back.
fn main_way(graph: &Graph, leaving: &[Vec<usize>], direction: &[Direction]) -> Vec<usize> {
    let mut way = Vec::new();
    let mut node = 0;
    loop {
        let edges = leaving.get(node).into_iter().flatten();
        let mut forward = edges.filter(|edge| at(direction, **edge) == Direction::Forward);
        let Some((place, edge)) =
            forward.next().and_then(|place| Some((*place, graph.edges.get(*place)?)))
        else {
            return way;
        };
        way.push(place);
        node = edge.to;
    }
}

/// Returns the rows of the phases, unless a node of none stands among them.
fn bands(graph: &Graph, row: &[usize]) -> Vec<Band> {
    let mut bands = Vec::new();
    for phase in 0..graph.phases.len() {
        let members = graph.nodes.iter().zip(row).filter(|(node, _)| node.phase == Some(phase));
        let rows: BTreeSet<usize> = members.map(|(_, row)| *row).collect();
        if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
            bands.push(Band { phase, first: *first, last: *last });
        }
    }
    let stray = graph.nodes.iter().zip(row).any(|(node, row)| {
        node.phase.is_none() && bands.iter().any(|band| (band.first..=band.last).contains(row))
    });
    if stray { Vec::new() } else { bands }
}
