//! A picture made of shapes and lines, in whole pixels.

use super::{courses::Side, elements::Kind};

/// How much narrower a shape with slanted sides is at its top or bottom.
pub(super) const INSET: i32 = 14;
/// The corner that is cut off a check.
pub(super) const NOTCH: i32 = 12;

/// A picture, ready to be written down.
#[derive(Debug)]
pub(super) struct Drawing {
    pub(super) width: i32,
    pub(super) height: i32,
    /// The phases, behind everything.
    pub(super) bands: Vec<Band>,
    /// The edges.
    pub(super) lines: Vec<Line>,
    /// The nodes, in the order of the graph.
    pub(super) shapes: Vec<Shape>,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

/// A point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

/// The ground of a phase.
#[derive(Debug)]
pub(super) struct Band {
    pub(super) area: Area,
    /// Its title, in lines.
    pub(super) lines: Vec<String>,
}

/// A node.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    pub(super) area: Area,
    /// The whole title.
    pub(super) title: String,
    /// What fits of it, in lines.
    pub(super) lines: Vec<String>,
    /// What is written small below.
    pub(super) notes: Vec<String>,
}

/// An edge: straight pieces, across or down, from border to border.
#[derive(Debug)]
pub(super) struct Line {
    /// The place of the node it leads to.
    pub(super) to: usize,
    pub(super) points: Vec<Point>,
    /// Whether it reaches its node itself, rather than by joining another line.
    pub(super) has_head: bool,
    pub(super) is_rare: bool,
    pub(super) label: Option<Label>,
}

/// What is written on an edge.
#[derive(Debug)]
pub(super) struct Label {
    pub(super) text: String,
    pub(super) area: Area,
}

impl Area {
    /// Returns where it ends on the right.
    pub(super) const fn right(self) -> i32 {
        self.left + self.width
    }

    /// Returns where it ends below.
    pub(super) const fn bottom(self) -> i32 {
        self.top + self.height
    }

    /// Returns its middle.
    pub(super) const fn middle(self) -> Point {
        Point { x: self.left + self.width / 2, y: self.top + self.height / 2 }
    }
}

impl Point {
    /// Returns how far another point is that lies straight across or down.
    pub(super) const fn distance(self, other: Self) -> i32 {
        (self.x - other.x).abs() + (self.y - other.y).abs()
    }
}

impl Shape {
    /// Returns the point of its outline at a height.
    pub(super) fn at_side(&self, side: Side, y: i32) -> Point {
        let Area { left, top, height, .. } = self.area;
        let (below_top, off_middle) = (y - top, (y - self.area.middle().y).abs());
        let inset = match (self.kind, side) {
            (Kind::Choose | Kind::Gate, _) => INSET * off_middle * 2 / height.max(1),
            (Kind::Ask, Side::Left) => INSET * (height - below_top) / height.max(1),
            (Kind::Ask, Side::Right) => INSET * below_top / height.max(1),
            (Kind::Check, Side::Right) => (NOTCH - below_top).max(0),
            (Kind::Start | Kind::End, _) => {
                let radius = height / 2;
                radius - (radius * radius - off_middle * off_middle).max(0).isqrt()
            }
            (Kind::Check, Side::Left) | (Kind::Work | Kind::Dispatch | Kind::Rest, _) => 0,
        };
        let x = match side {
            Side::Left => left + inset,
            Side::Right => self.area.right() - inset,
        };
        Point { x, y }
    }
}
