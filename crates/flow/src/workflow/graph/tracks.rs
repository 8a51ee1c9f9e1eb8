//! The channels between the rows, in which edges run sideways, each on a track of its own.

use std::collections::BTreeMap;

use super::{
    at,
    courses::{Entry, Exit, Passage},
    lanes::{Lanes, Widths},
    plan::Plan,
    ports::{Bottoms, top_offset},
};

/// Two edges on one track are at least this far apart.
const APART: i32 = 12;

/// A piece of an edge that runs sideways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wire {
    /// Below the node that an edge leaves.
    Leave(usize),
    /// Above the node that an edge enters.
    Arrive(usize),
    /// Above the node that a lane enters.
    Gather(usize),
}

/// The tracks of all channels.
#[derive(Debug)]
pub(super) struct Tracks {
    /// The track of each wire, counted from the top of its channel.
    pub(super) of_wire: BTreeMap<Wire, usize>,
    /// How many tracks the channel below each row has.
    pub(super) count: Vec<usize>,
}

/// Wires of one channel that run together, for they enter the same node from the same side.
#[derive(Debug)]
struct Strand {
    wires: Vec<Wire>,
    low: i32,
    high: i32,
    /// The last place where one of them begins, in the direction they run.
    begins: i32,
    runs_right: bool,
}

/// What strands are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// The node they enter.
    Node { node: usize, from_left: bool },
    /// The edge, where it turns into a column or a lane.
    Edge(usize),
}

/// The strands of each channel.
#[derive(Debug)]
struct Channels(Vec<BTreeMap<End, Strand>>);

impl Tracks {
    /// Finds all wires and gives each a track.
    pub(super) fn lay(plan: &Plan<'_>, widths: &Widths, bottoms: &Bottoms, lanes: &Lanes) -> Self {
        let mut channels = Channels(Vec::new());
        channels.0.resize_with(plan.rows(), BTreeMap::new);
        let middle = |node: usize| widths.middle(plan.column(node));
        for (place, edge, course) in plan.edges() {
            let (above, below) = (plan.row(edge.from), plan.row(edge.to));
            let begins = middle(edge.from) + at(&bottoms.offset, place);
            let ends = middle(edge.to) + top_offset(course.entry);
            match course.passage {
                Passage::Next if course.entry != Entry::Above => {
                    channels.enter(above, edge.to, Wire::Leave(place), begins, ends);
                }
                Passage::Next | Passage::Around => {}
                Passage::Column(column) => {
                    let passes = widths.middle(column);
                    if begins != passes {
                        channels.turn(above, place, begins, passes);
                    }
                    if course.entry != Entry::Above {
                        let channel = below.saturating_sub(1);
                        channels.enter(channel, edge.to, Wire::Arrive(place), passes, ends);
                    }
                }
                Passage::Lane(_) => {
                    if let (Exit::Bottom(_), Some(lane)) = (course.exit, lanes.of(place)) {
                        channels.turn(above, place, begins, lane.x);
                    }
                }
            }
        }
        for (lane, bundle) in lanes.bundles.iter().enumerate() {
            if let Entry::Aslant(_) = bundle.entry {
                let channel = plan.row(bundle.to).saturating_sub(1);
                let ends = middle(bundle.to) + top_offset(bundle.entry);
                channels.enter(channel, bundle.to, Wire::Gather(lane), bundle.x, ends);
            }
        }
        let mut tracks = Self { of_wire: BTreeMap::new(), count: Vec::new() };
        for strands in channels.0 {
            tracks.assign(strands.into_values().collect());
        }
        tracks
    }

    /// Gives tracks from the top on: first to what begins furthest in the direction it runs, so
    /// that edges from one node do not cross each other.
    fn assign(&mut self, mut strands: Vec<Strand>) {
        strands.sort_by_key(|strand| {
            let order = if strand.runs_right { -strand.begins } else { strand.begins };
            (!strand.runs_right, order, strand.low)
        });
        let mut laid: Vec<(i32, i32, usize)> = Vec::new();
        for strand in &strands {
            let in_the_way = laid
                .iter()
                .filter(|(low, high, _)| *low < strand.high + APART && strand.low - APART < *high);
            let track = in_the_way.map(|(_, _, track)| track + 1).max().unwrap_or(0);
            laid.push((strand.low, strand.high, track));
            self.of_wire.extend(strand.wires.iter().map(|wire| (*wire, track)));
        }
        self.count.push(laid.iter().map(|(_, _, track)| track + 1).max().unwrap_or(0));
    }
}

impl Channels {
    /// Lays a wire that ends above a node.
    fn enter(&mut self, channel: usize, node: usize, wire: Wire, from: i32, to: i32) {
        self.lay(channel, End::Node { node, from_left: from < to }, wire, from, to);
    }

    /// Lays a wire by which an edge turns into a column or a lane.
    fn turn(&mut self, channel: usize, edge: usize, from: i32, to: i32) {
        self.lay(channel, End::Edge(edge), Wire::Leave(edge), from, to);
    }

    fn lay(&mut self, channel: usize, end: End, wire: Wire, from: i32, to: i32) {
        let Some(strands) = self.0.get_mut(channel) else { return };
        let runs_right = from < to;
        let strand = strands.entry(end).or_insert_with(|| Strand {
            wires: Vec::new(),
            low: from.min(to),
            high: from.max(to),
            begins: from,
            runs_right,
        });
        strand.wires.push(wire);
        strand.low = strand.low.min(from);
        strand.high = strand.high.max(from);
        strand.begins = if runs_right { strand.begins.max(from) } else { strand.begins.min(from) };
    }
}
