//! The lanes outside the columns, in which edges pass many rows.
//!
//! Edges to the same node share a lane. A lane is as near to the nodes as the rows allow that it
//! passes; short ones are laid first and so lie within long ones.

use std::collections::BTreeMap;

use super::{
    at,
    columns::Cell,
    courses::{Entry, Exit, Passage, Side},
    layers::Direction,
    plan::Plan,
    ports::{AROUND_REACH, label_width},
};

/// Between two lanes, and between a lane and what is inside it.
const GAP: i32 = 16;

/// The lanes of a graph.
#[derive(Debug)]
pub(super) struct Lanes {
    /// Edges that run together.
    pub(super) bundles: Vec<Bundle>,
    of_edge: BTreeMap<usize, usize>,
}

/// Edges to one node that run together.
#[derive(Debug)]
pub(super) struct Bundle {
    /// The node.
    pub(super) to: usize,
    /// Where they enter it.
    pub(super) entry: Entry,
    /// Whether they lead to a lower row.
    pub(super) runs_down: bool,
    pub(super) edges: Vec<usize>,
    /// Where the lane is.
    pub(super) x: i32,
    side: Side,
    /// The first and last band it touches: rows are even, the channels below them odd.
    first: usize,
    last: usize,
}

/// The widths that lanes have to go round.
#[derive(Debug)]
pub(super) struct Widths {
    /// Half the width of each node.
    pub(super) half: Vec<i32>,
    /// From the middle of a column to that of the next.
    pub(super) pitch: i32,
}

impl Widths {
    /// Returns the middle of a column.
    pub(super) const fn middle(&self, column: i32) -> i32 {
        column * self.pitch
    }
}

impl Lanes {
    /// Lays all lanes.
    pub(super) fn lay(plan: &Plan<'_>, widths: &Widths) -> Self {
        let mut bundles: BTreeMap<(usize, Side, bool), Bundle> = BTreeMap::new();
        for (place, edge, course) in plan.edges() {
            let Passage::Lane(side) = course.passage else { continue };
            let runs_down = at(&plan.layers.direction, place) == Direction::Forward;
            let begins = match course.exit {
                Exit::Bottom(_) => 2 * plan.row(edge.from) + 1,
                Exit::Side(_) => 2 * plan.row(edge.from),
            };
            let ends = match course.entry {
                Entry::Above | Entry::Aslant(_) => (2 * plan.row(edge.to)).saturating_sub(1),
                Entry::Side(_) => 2 * plan.row(edge.to),
            };
            let bundle = bundles.entry((edge.to, side, runs_down)).or_insert_with(|| Bundle {
                to: edge.to,
                entry: course.entry,
                runs_down,
                edges: Vec::new(),
                x: 0,
                side,
                first: begins.min(ends),
                last: begins.max(ends),
            });
            bundle.edges.push(place);
            bundle.first = bundle.first.min(begins);
            bundle.last = bundle.last.max(begins);
        }
        let mut bundles: Vec<Bundle> = bundles.into_values().collect();
        bundles.sort_by_key(|bundle| (bundle.last - bundle.first, bundle.first, bundle.to));

        for side in [Side::Left, Side::Right] {
            let mut skyline = skyline(plan, widths, side);
            for bundle in bundles.iter_mut().filter(|bundle| bundle.side == side) {
                let bands = skyline.get_mut(bundle.first..=bundle.last).unwrap_or_default();
                let reach = bands.iter().max().copied().unwrap_or(0) + GAP;
                bands.fill(reach);
                bundle.x = side.sign() * reach;
            }
        }
        let of_edge = bundles.iter().enumerate();
        let of_edge = of_edge
            .flat_map(|(number, bundle)| bundle.edges.iter().map(move |edge| (*edge, number)));
        Self { of_edge: of_edge.collect(), bundles }
    }

    /// Returns the bundle of an edge that has one.
    pub(super) fn of(&self, edge: usize) -> Option<&Bundle> {
        self.bundles.get(self.number_of(edge)?)
    }

    /// Returns the place of an edge's bundle among the bundles.
    pub(super) fn number_of(&self, edge: usize) -> Option<usize> {
        self.of_edge.get(&edge).copied()
    }
}

/// Returns how far each row and channel reaches to a side before there are lanes.
fn skyline(plan: &Plan<'_>, widths: &Widths, side: Side) -> Vec<i32> {
    let mut row_reach = vec![0_i32; plan.rows()];
    let mut raise = |row: usize, reach: i32| {
        if let Some(entry) = row_reach.get_mut(row) {
            *entry = reach.max(*entry);
        }
    };
    let edge_of =
        |node: usize| side.sign() * widths.middle(plan.column(node)) + at(&widths.half, node);
    for node in 0..plan.graph.nodes.len() {
        raise(plan.row(node), edge_of(node));
    }
    for ((row, column), cell) in &plan.columns.cells {
        if matches!(cell, Cell::Passage { .. }) {
            raise(*row, side.sign() * widths.middle(*column));
        }
    }
    for (_, edge, course) in plan.edges() {
        let row = plan.row(edge.from);
        if course.exit == Exit::Side(side) {
            let around = if course.passage == Passage::Around { AROUND_REACH } else { 0 };
            raise(row, edge_of(edge.from) + around + label_width(edge) + 4);
        }
    }
    let next = row_reach.iter().skip(1).chain(row_reach.last());
    let bands = row_reach.iter().zip(next);
    bands.flat_map(|(row, next)| [*row, *row.max(next)]).collect()
}
