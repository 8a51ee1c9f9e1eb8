//! Lets edges to the same node become one where they meet.
//!
//! Lines drawn over each other look bolder than they are, and dashes over dashes become a line. So
//! an edge ends where it reaches another that leads to the same node and was drawn before.

use std::{cmp::Reverse, collections::BTreeMap};

use super::drawing::{Line, Point};

/// How round the corners of edges are, and so how far an edge follows the other it joins.
pub(super) const ROUND: i32 = 9;

/// Ends each line where it joins another; usual and long ones are whole, the others join them.
pub(super) fn join(lines: &mut [Line]) {
    let mut drawn: BTreeMap<usize, Vec<[Point; 2]>> = BTreeMap::new();
    let mut order: Vec<&mut Line> = lines.iter_mut().collect();
    order.sort_by_key(|line| (line.is_rare, Reverse(extent(line))));
    for line in order {
        let others = drawn.entry(line.to).or_default();
        let pieces: Vec<[Point; 2]> = pieces(line).collect();
        let met = pieces.iter().enumerate().find_map(|(place, piece)| {
            let ends = others.iter().filter_map(|other| meeting(*piece, *other));
            Some((place, ends.min_by_key(|end| piece[0].distance(*end))?))
        });
        if let Some((place, end)) = met {
            line.points.truncate(place + 1);
            line.points.push(end);
            line.has_head = false;
        }
        others.extend(pieces);
    }
}

/// Returns where a piece that runs into another, along the same line, has joined it.
fn meeting([from, to]: [Point; 2], other: [Point; 2]) -> Option<Point> {
    let is_level = from.y == to.y;
    if is_level != (other[0].y == other[1].y) {
        return None;
    }
    let along = |point: Point| if is_level { point.x } else { point.y };
    let aside = |point: Point| if is_level { point.y } else { point.x };
    if aside(from) != aside(other[0]) {
        return None;
    }
    let sign = (along(to) - along(from)).signum();
    let [first, last] = other.map(|point| along(point) * sign);
    let begins = (along(from) * sign).max(first.min(last));
    let ends = (along(to) * sign).min(first.max(last));
    if begins >= ends {
        return None;
    }
    let joined = (begins + ROUND).min(ends) * sign;
    Some(if is_level { Point { x: joined, y: from.y } } else { Point { x: from.x, y: joined } })
}

fn pieces(line: &Line) -> impl Iterator<Item = [Point; 2]> {
    line.points.iter().zip(line.points.iter().skip(1)).map(|(from, to)| [*from, *to])
}

fn extent(line: &Line) -> i32 {
    pieces(line).map(|[from, to]| from.distance(to)).sum()
}
