//! How an edge gets from one node to another without passing through a third.
//!
//! Between two rows lies a channel in which edges change columns. An edge over several rows passes
//! them in a column that is free there, or in a lane outside all columns; edges that lead back are
//! always in lanes.

use std::cmp::{Ordering, Reverse};

use super::{
    at,
    columns::{Cell, Columns},
    elements::{Edge, Graph},
    layers::{Direction, Layers},
};

/// The way of one edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// Where it passes the rows between.
    pub(super) passage: Passage,
    /// Where it leaves its node.
    pub(super) exit: Exit,
    /// Where it enters its node.
    pub(super) entry: Entry,
}

/// Where an edge passes the rows between its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// There are none: it leads to the next row.
    Next,
    Column(i32),
    /// In a lane outside the columns.
    Lane(Side),
    /// It only turns round.
    Around,
}

/// One side of the picture, or of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Left,
    Right,
}

/// Where an edge leaves a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// At the bottom, towards a column that many columns away.
    Bottom(i32),
    /// At a side.
    Side(Side),
}

/// Where an edge enters a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// At the top, straight from above.
    Above,
    /// At the top, from one side.
    Aslant(Side),
    /// At a side.
    Side(Side),
}

/// Beyond every column, seen from any of them.
const OUTSIDE: i32 = 1_000_000;

impl Side {
    /// Returns the direction along the axis.
    pub(super) const fn sign(self) -> i32 {
        match self {
            Self::Left => -1,
            Self::Right => 1,
        }
    }
}

/// Finds the ways of all edges, short ones first, and reserves the places they pass.
pub(super) fn find(graph: &Graph, layers: &Layers, columns: &mut Columns) -> Vec<Course> {
    let mut passages = vec![Passage::Next; graph.edges.len()];
    let rows = |edge: &Edge| at(&layers.row, edge.to).abs_diff(at(&layers.row, edge.from));
    let mut order: Vec<_> = graph.edges.iter().enumerate().collect();
    order.sort_by_key(|(place, edge)| (Reverse(layers.main.contains(place)), rows(edge), *place));
    for (place, edge) in order {
        let passage = match at(&layers.direction, place) {
            Direction::Around => Passage::Around,
            Direction::Back => Passage::Lane(side_of(edge, layers, columns, Side::Right)),
            Direction::Forward if rows(edge) <= 1 => Passage::Next,
            Direction::Forward if layers.main.contains(&place) => Passage::Column(0),
            Direction::Forward => match free_column(edge, layers, columns) {
                Some(column) => Passage::Column(column),
                None => Passage::Lane(side_of(edge, layers, columns, Side::Left)),
            },
        };
        super::set(&mut passages, place, passage);
    }
    let all = graph.edges.iter().zip(passages);
    all.map(|(edge, passage)| course(edge, passage, layers, columns)).collect()
}

/// Reserves a column for an edge, that of either end.
fn free_column(edge: &Edge, layers: &Layers, columns: &mut Columns) -> Option<i32> {
    let (first, last) = (at(&layers.row, edge.from), at(&layers.row, edge.to));
    let (own, other) = (at(&columns.column, edge.from), at(&columns.column, edge.to));
    let is_open = |row: usize, column: i32| match columns.cells.get(&(row, column)) {
        None => true,
        // Edges to the same node may run together.
        Some(Cell::Passage { to }) => *to == edge.to,
        Some(Cell::Node) => false,
    };
    // Where it turns into the column, or out of it, no other edge may be passing.
    let can_turn = |row: usize, column: i32| {
        is_open(row, column) || columns.cells.get(&(row, column)) == Some(&Cell::Node)
    };
    let column = [own, other].into_iter().find(|column| {
        (first + 1..last).all(|row| is_open(row, *column))
            && can_turn(first, *column)
            && can_turn(last, *column)
    })?;
    for row in first + 1..last {
        columns.cells.insert((row, column), Cell::Passage { to: edge.to });
    }
    Some(column)
}

/// Returns the side on which least is in the way, or else the one the edge is nearer to.
fn side_of(edge: &Edge, layers: &Layers, columns: &Columns, usual: Side) -> Side {
    let in_the_way = |side: Side| {
        let ends = [edge.from, edge.to].into_iter();
        ends.filter(|node| !is_outermost(*node, side, layers, columns)).count()
    };
    let columns_off = at(&columns.column, edge.from) + at(&columns.column, edge.to);
    let less_is_left = in_the_way(Side::Left).cmp(&in_the_way(Side::Right));
    match less_is_left.then(columns_off.cmp(&0)) {
        Ordering::Less => Side::Left,
        Ordering::Equal => usual,
        Ordering::Greater => Side::Right,
    }
}

fn course(edge: &Edge, passage: Passage, layers: &Layers, columns: &Columns) -> Course {
    let (own, other) = (at(&columns.column, edge.from), at(&columns.column, edge.to));
    let (exit, entry) = match passage {
        Passage::Next => (Exit::Bottom(other - own), entry_from(own, other)),
        Passage::Column(column) => (Exit::Bottom(column - own), entry_from(column, other)),
        Passage::Lane(side) => {
            let exit = if is_outermost(edge.from, side, layers, columns) {
                Exit::Side(side)
            } else {
                Exit::Bottom(side.sign() * OUTSIDE)
            };
            let entry = if is_outermost(edge.to, side, layers, columns) {
                Entry::Side(side)
            } else {
                Entry::Aslant(side)
            };
            (exit, entry)
        }
        Passage::Around => (Exit::Side(Side::Right), Entry::Side(Side::Right)),
    };
    Course { passage, exit, entry }
}

fn entry_from(column: i32, other: i32) -> Entry {
    match column.cmp(&other) {
        Ordering::Less => Entry::Aslant(Side::Left),
        Ordering::Equal => Entry::Above,
        Ordering::Greater => Entry::Aslant(Side::Right),
    }
}

/// Tells whether nothing stands between a node and a side of the picture.
fn is_outermost(node: usize, side: Side, layers: &Layers, columns: &Columns) -> bool {
    let (row, column) = (at(&layers.row, node), at(&columns.column, node));
    let in_row = columns.cells.range((row, i32::MIN)..=(row, i32::MAX));
    let nodes = in_row.filter(|(_, cell)| **cell == Cell::Node);
    nodes.into_iter().all(|((_, other), _)| (other - column) * side.sign() <= 0)
}
