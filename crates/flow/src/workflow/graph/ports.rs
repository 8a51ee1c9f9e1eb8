//! Where at a node its edges begin and end.
//!
//! At the bottom an edge that runs straight down has the middle, others lean to where they go, each
//! with room for its label. Beginnings lie on multiples of [`GRID`] from the middle of a column and
//! slanted ends between them, so that no two edges ever run in the same line by chance.

use std::cmp::Reverse;

use super::{
    at,
    columns::Cell,
    courses::{Entry, Exit, Side},
    elements::Edge,
    lanes::{Bundle, Lanes},
    measure::Size,
    plan::Plan,
    set,
};

/// How large labels are written.
pub(super) const LABEL: Size = Size(11);

/// The height of a label with its ground.
pub(super) const LABEL_HEIGHT: i32 = 15;

/// What beginnings of edges are multiples of.
pub(super) const GRID: i32 = 16;

/// How far from the middle a slanted edge enters; an odd multiple of half the grid.
const ASLANT: i32 = 24;

/// Room for an edge at a side: a label and a little air.
const SIDE_ROOM: i32 = 18;

/// Room for an edge that turns round at a side.
const AROUND_ROOM: i32 = 44;

/// Half the height of an edge that turns round.
pub(super) const AROUND_HALF: i32 = 13;

/// How far an edge that turns round reaches.
pub(super) const AROUND_REACH: i32 = 18;

/// Returns how wide the label of an edge is with its ground; 0 without one.
pub(super) fn label_width(edge: &Edge) -> i32 {
    if edge.label.is_empty() { 0 } else { LABEL.width(&edge.label) + 8 }
}

/// Where edges leave the bottoms of nodes.
#[derive(Debug)]
pub(super) struct Bottoms {
    /// How far from the middle each edge leaves.
    pub(super) offset: Vec<i32>,
    /// How far from the middle the outermost label reaches.
    pub(super) reach: i32,
}

impl Bottoms {
    /// Gives every edge that leaves at a bottom a place of its own.
    pub(super) fn of(plan: &Plan<'_>) -> Self {
        let mut bottoms = Self { offset: vec![0; plan.graph.edges.len()], reach: 0 };
        let mut leaving: Vec<Vec<Leaving>> = vec![Vec::new(); plan.graph.nodes.len()];
        for (edge, ends, course) in plan.edges() {
            if let (Exit::Bottom(toward), Some(edges)) = (course.exit, leaving.get_mut(ends.from)) {
                edges.push(Leaving { toward, edge, room: (label_width(ends) + 8).max(GRID) });
            }
        }
        for (node, mut edges) in leaving.into_iter().enumerate() {
            edges.sort_by_key(|leaving| leaving.toward);
            let below = (plan.row(node) + 1, plan.column(node));
            let is_passed = matches!(plan.columns.cells.get(&below), Some(Cell::Passage { .. }));
            let straight = match edges.as_slice() {
                // Alone it has the middle, wherever it goes.
                [alone] if !is_passed => Some(alone),
                edges => edges.iter().find(|leaving| leaving.toward == 0),
            };
            let middle = straight.map_or(GRID, |leaving| (leaving.room + 1) / 2);
            let others = |leaving: &&Leaving| Some(leaving.edge) != straight.map(|one| one.edge);
            let lefts = edges.iter().rev().filter(|leaving| leaving.toward < 0).filter(others);
            let rights = edges.iter().filter(|leaving| leaving.toward > 0).filter(others);
            bottoms.spread(lefts, middle, Side::Left);
            bottoms.spread(rights, middle, Side::Right);
        }
        bottoms
    }

    /// Gives places to edges that lean to one side, from the middle outwards.
    fn spread<'a>(&mut self, edges: impl Iterator<Item = &'a Leaving>, middle: i32, side: Side) {
        let mut taken = middle;
        for Leaving { edge, room, .. } in edges {
            let offset = (taken + room / 2 + GRID - 1) / GRID * GRID;
            taken = offset + room / 2;
            set(&mut self.offset, *edge, side.sign() * offset);
        }
        self.reach = self.reach.max(taken);
    }
}

/// An edge that leaves at a bottom, towards a column that many columns away.
#[derive(Clone, Copy, Debug)]
struct Leaving {
    toward: i32,
    edge: usize,
    room: i32,
}

/// Returns how far from the middle of its top an edge enters a node.
pub(super) const fn top_offset(entry: Entry) -> i32 {
    match entry {
        Entry::Above | Entry::Side(_) => 0,
        Entry::Aslant(side) => side.sign() * ASLANT,
    }
}

/// Where edges leave and enter the sides of nodes.
#[derive(Debug)]
pub(super) struct Sides {
    /// How far below the middle of its node's side each edge leaves.
    pub(super) leaving: Vec<i32>,
    /// How far below the middle of its node's side each lane enters.
    pub(super) entering: Vec<i32>,
    /// How high each node has to be for its sides.
    pub(super) height: Vec<i32>,
}

/// What needs room at a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Leave(usize),
    Enter(usize),
    Around(usize),
}

/// Where a slot belongs: what runs upwards is at the top, inner lanes first, and what runs
/// downwards at the bottom, inner lanes last, so that no edge crosses another of the same side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Above(i32),
    Around,
    Below(Reverse<i32>),
}

impl Bundle {
    const fn rank_above(&self) -> Rank {
        Rank::Above(self.x.abs())
    }

    const fn rank_below(&self) -> Rank {
        Rank::Below(Reverse(self.x.abs()))
    }
}

impl Sides {
    /// Gives every edge that leaves or enters at a side a place of its own.
    pub(super) fn of(plan: &Plan<'_>, lanes: &Lanes) -> Self {
        let mut sides = Self {
            leaving: vec![0; plan.graph.edges.len()],
            entering: vec![0; lanes.bundles.len()],
            height: vec![0; plan.graph.nodes.len()],
        };
        let mut slots: Vec<(usize, Side, Rank, Slot)> = Vec::new();
        for (lane, bundle) in lanes.bundles.iter().enumerate() {
            if let Entry::Side(side) = bundle.entry {
                let rank = if bundle.runs_down { bundle.rank_above() } else { bundle.rank_below() };
                slots.push((bundle.to, side, rank, Slot::Enter(lane)));
            }
        }
        for (place, edge, course) in plan.edges() {
            let Exit::Side(side) = course.exit else { continue };
            let (rank, slot) = match lanes.of(place) {
                None => (Rank::Around, Slot::Around(place)),
                Some(bundle) if bundle.runs_down => (bundle.rank_below(), Slot::Leave(place)),
                Some(bundle) => (bundle.rank_above(), Slot::Leave(place)),
            };
            slots.push((edge.from, side, rank, slot));
        }
        slots.sort_unstable();
        for side in slots.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            sides.stack(side);
        }
        sides
    }

    /// Stacks what is at one side of one node, evenly about its middle.
    fn stack(&mut self, slots: &[(usize, Side, Rank, Slot)]) {
        let room = |slot: &Slot| match slot {
            Slot::Leave(_) | Slot::Enter(_) => SIDE_ROOM,
            Slot::Around(_) => AROUND_ROOM,
        };
        let all: i32 = slots.iter().map(|(_, _, _, slot)| room(slot)).sum();
        let mut top = -all / 2;
        for (node, _, _, slot) in slots {
            let middle = top + room(slot) / 2;
            match slot {
                Slot::Leave(edge) | Slot::Around(edge) => set(&mut self.leaving, *edge, middle),
                Slot::Enter(lane) => set(&mut self.entering, *lane, middle),
            }
            top += room(slot);
            let height = at(&self.height, *node).max(all);
            set(&mut self.height, *node, height);
        }
    }
}
