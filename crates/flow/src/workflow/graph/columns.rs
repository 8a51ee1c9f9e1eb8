//! Which column a node is drawn in: the usual way in the middle, others near what they belong to.

use std::collections::BTreeMap;

use super::{
    at,
    elements::Graph,
    layers::{Direction, Layers},
    length, set,
};

/// How often columns are weighed anew, down and up; more has not made a picture better.
const SWEEPS: usize = 3;

/// How finely the mean of columns is told.
const GRAIN: i32 = 12;

/// The columns of a graph, and which places are taken.
#[derive(Debug)]
pub(super) struct Columns {
    /// The column of each node; the usual way is in column 0.
    pub(super) column: Vec<i32>,
    /// What is where, by row and column.
    pub(super) cells: BTreeMap<(usize, i32), Cell>,
}

/// What takes a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Node,
    /// Edges that pass on their way down to a node.
    Passage {
        /// The node.
        to: usize,
    },
}

impl Columns {
    /// Puts every node into a column.
    pub(super) fn of(graph: &Graph, layers: &Layers) -> Self {
        let mut columns = Self { column: vec![0; graph.nodes.len()], cells: BTreeMap::new() };
        let mut is_fixed = vec![false; graph.nodes.len()];
        columns.lay_main_way(graph, layers, &mut is_fixed);

        let rows = at(&layers.row, graph.nodes.len().saturating_sub(1)) + 1;
        let mut loose: Vec<Vec<usize>> = vec![Vec::new(); rows];
        for node in (0..graph.nodes.len()).filter(|node| !at(&is_fixed, *node)) {
            if let Some(row) = loose.get_mut(at(&layers.row, node)) {
                row.push(node);
            }
        }
        let neighbours = neighbours(graph, layers);
        let above = |node: usize, other: usize| at(&layers.row, other) < at(&layers.row, node);
        for (row, nodes) in loose.iter().enumerate() {
            columns.place(row, nodes, |node| near(&neighbours, node, |other| above(node, other)));
        }
        for sweep in 0..SWEEPS {
            let mut rows: Vec<_> = loose.iter().enumerate().collect();
            if sweep % 2 == 0 {
                rows.reverse();
            }
            for (row, nodes) in rows {
                for node in nodes {
                    columns.cells.remove(&(row, at(&columns.column, *node)));
                }
                columns.place(row, nodes, |node| near(&neighbours, node, |_| true));
            }
        }
        columns
    }

    /// Gives the middle to the usual way, also where it passes rows without a step.
    fn lay_main_way(&mut self, graph: &Graph, layers: &Layers, is_fixed: &mut [bool]) {
        self.cells.insert((0, 0), Cell::Node);
        set(is_fixed, 0, true);
        for edge in layers.main.iter().filter_map(|place| graph.edges.get(*place)) {
            let (from, to) = (at(&layers.row, edge.from), at(&layers.row, edge.to));
            for row in from + 1..to {
                self.cells.insert((row, 0), Cell::Passage { to: edge.to });
            }
            self.cells.insert((to, 0), Cell::Node);
            set(is_fixed, edge.to, true);
        }
    }

    /// Puts the nodes of a row as near as possible to where they want to be.
    fn place(&mut self, row: usize, nodes: &[usize], near: impl Fn(usize) -> Vec<usize>) {
        let wishes: Vec<(i32, usize)> =
            nodes.iter().map(|node| (self.mean(&near(*node)), *node)).collect();
        let mut taken: Vec<i32> = Vec::new();
        for (wish, _) in &wishes {
            let column = self.nearest_free(row, *wish);
            self.cells.insert((row, column), Cell::Node);
            taken.push(column);
        }
        // Whoever wants to be further left gets the place further left.
        let mut wishes = wishes;
        wishes.sort_by_key(|(wish, _)| *wish);
        taken.sort_unstable();
        for ((_, node), column) in wishes.iter().zip(taken) {
            set(&mut self.column, *node, column);
        }
    }

    fn mean(&self, nodes: &[usize]) -> i32 {
        let sum: i32 = nodes.iter().map(|node| at(&self.column, *node) * GRAIN).sum();
        sum / length(nodes.len()).max(1)
    }

    /// Returns the free column nearest to a wish, rather to the right.
    fn nearest_free(&self, row: usize, wish: i32) -> i32 {
        let middle = (wish + GRAIN / 2).div_euclid(GRAIN);
        let reach = length(self.cells.len()) + 1;
        let free = (middle - reach..=middle + reach)
            .filter(|column| !self.cells.contains_key(&(row, *column)));
        let nearest = free.min_by_key(|column| ((column * GRAIN - wish).abs(), -column));
        nearest.unwrap_or(middle)
    }
}

/// Returns what each node is joined to by edges that lead down.
fn neighbours(graph: &Graph, layers: &Layers) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); graph.nodes.len()];
    for (edge, direction) in graph.edges.iter().zip(&layers.direction) {
        if *direction == Direction::Forward {
            for (node, other) in [(edge.from, edge.to), (edge.to, edge.from)] {
                if let Some(others) = neighbours.get_mut(node) {
                    others.push(other);
                }
            }
        }
    }
    neighbours
}

fn near(neighbours: &[Vec<usize>], node: usize, counts: impl Fn(usize) -> bool) -> Vec<usize> {
    let others = neighbours.get(node).into_iter().flatten().copied();
    others.filter(|other| counts(*other)).collect()
}
