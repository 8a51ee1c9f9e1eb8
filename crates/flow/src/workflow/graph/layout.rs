//! Gives everything in the plan of a picture a size and a place.

use super::{
    at,
    courses::{Course, Entry, Exit, Passage, Side},
    drawing::{Area, Band, Drawing, INSET, Label, Line, Point, Shape},
    elements::{Edge, Graph, Kind, Node},
    joins,
    lanes::{Lanes, Widths},
    length,
    measure::Size,
    plan::Plan,
    ports::{
        AROUND_HALF, AROUND_REACH, Bottoms, GRID, LABEL_HEIGHT, Sides, label_width, top_offset,
    },
    tracks::{Tracks, Wire},
};

/// How large titles are written, and how high their lines are.
pub(super) const TITLE: Size = Size(13);
pub(super) const TITLE_LINE: i32 = 17;
/// Most lines of a title; three say what a step is.
const TITLE_LINES: usize = 3;

/// How large notes are written, and how high their lines are.
pub(super) const NOTE: Size = Size(11);
pub(super) const NOTE_LINE: i32 = 14;
const NOTE_LINES: usize = 2;

/// How large the titles of phases are written, and how high their lines are.
pub(super) const PHASE: Size = Size(12);
pub(super) const PHASE_LINE: i32 = 15;
const PHASE_LINES: usize = 3;
const PHASE_WIDTH: i32 = 92;

const HALF_NODE: i32 = 104;
const TEXT_WIDTH: i32 = 168;
const PADDING: i32 = 10;
const HALF_PILL: i32 = 44;
const PILL_HEIGHT: i32 = 28;
const COLUMN_GAP: i32 = 48;
const MARGIN: i32 = 16;

/// A channel from the top: labels, tracks, and what an arrow needs.
const LABEL_ZONE: i32 = 24;
const QUIET_ZONE: i32 = 10;
const TRACK: i32 = 12;
const ARRIVAL: i32 = 20;
const LEAST_CHANNEL: i32 = 36;
/// What a phase needs above its first row and below its last.
const BORDER: i32 = 10;

/// Draws a graph.
pub(super) fn draw(graph: &Graph) -> Drawing {
    let plan = Plan::of(graph);
    let bottoms = Bottoms::of(&plan);
    let widths = widths(&plan, &bottoms);
    let lanes = Lanes::lay(&plan, &widths);
    let tracks = Tracks::lay(&plan, &widths, &bottoms, &lanes);
    let sides = Sides::of(&plan, &lanes);
    let mut shapes: Vec<Shape> = graph.nodes.iter().map(|node| shape(node, &plan)).collect();
    for (node, shape) in shapes.iter_mut().enumerate() {
        shape.area.height = shape.area.height.max(at(&sides.height, node));
        shape.area.width = 2 * at(&widths.half, node);
        shape.area.left = widths.middle(plan.column(node)) - at(&widths.half, node);
    }
    let rows = Rows::of(&plan, &shapes, &tracks);
    for (node, shape) in shapes.iter_mut().enumerate() {
        shape.area.top = rows.middle(plan.row(node)) - shape.area.height / 2;
    }
    let pencil = Pencil { plan: &plan, widths, bottoms, lanes, tracks, sides, rows, shapes };
    let lines = plan.edges().filter_map(|(place, edge, course)| pencil.line(place, edge, course));
    let mut lines: Vec<Line> = lines.collect();
    joins::join(&mut lines);
    pencil.finish(lines)
}

fn widths(plan: &Plan<'_>, bottoms: &Bottoms) -> Widths {
    let half_node = HALF_NODE.max(bottoms.reach + INSET);
    let half = plan.graph.nodes.iter().map(|node| match node.kind {
        Kind::Start | Kind::End => HALF_PILL,
        Kind::Work
        | Kind::Dispatch
        | Kind::Ask
        | Kind::Check
        | Kind::Choose
        | Kind::Gate
        | Kind::Rest => half_node,
    });
    let turning = plan.edges().filter(|(_, _, course)| course.passage == Passage::Around);
    let reach = turning.map(|(_, edge, _)| AROUND_REACH + label_width(edge) + GRID).max();
    let pitch = 2 * half_node + reach.unwrap_or(0).max(COLUMN_GAP);
    Widths { half: half.collect(), pitch: (pitch + GRID - 1) / GRID * GRID }
}

/// Returns a node with its text and the height that needs.
fn shape(node: &Node, plan: &Plan<'_>) -> Shape {
    let phase = match node.phase {
        // Where phases have no ground of their own, each step tells its phase.
        Some(phase) if plan.layers.bands.is_empty() => plan.graph.phases.get(phase),
        Some(_) | None => None,
    };
    let notes = phase.into_iter().map(String::as_str).chain([node.note.as_str()]);
    let note = notes.filter(|note| !note.is_empty()).collect::<Vec<_>>().join(" · ");
    let lines = TITLE.wrap(&node.title, TEXT_WIDTH, TITLE_LINES);
    let notes = NOTE.wrap(&note, TEXT_WIDTH, NOTE_LINES);
    let height = match node.kind {
        Kind::Start | Kind::End => PILL_HEIGHT,
        Kind::Work
        | Kind::Dispatch
        | Kind::Ask
        | Kind::Check
        | Kind::Choose
        | Kind::Gate
        | Kind::Rest => {
            let text = TITLE_LINE * length(lines.len()) + NOTE_LINE * length(notes.len());
            text + 2 * PADDING
        }
    };
    let area = Area { left: 0, top: 0, width: 0, height };
    Shape { kind: node.kind, area, title: node.title.clone(), lines, notes }
}

/// Where the rows and the channels below them are.
#[derive(Debug)]
struct Rows(Vec<Row>);

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    top: i32,
    height: i32,
    /// Where its labels end.
    labelled: i32,
    /// Where the first track of the channel below it is.
    first_track: i32,
}

impl Rows {
    fn of(plan: &Plan<'_>, shapes: &[Shape], tracks: &Tracks) -> Self {
        let mut rows = vec![Row::default(); plan.rows()];
        let mut is_labelled = vec![false; plan.rows()];
        for (node, shape) in shapes.iter().enumerate() {
            if let Some(row) = rows.get_mut(plan.row(node)) {
                row.height = row.height.max(shape.area.height);
            }
        }
        for (_, edge, course) in plan.edges() {
            if matches!(course.exit, Exit::Bottom(_)) && !edge.label.is_empty() {
                super::set(&mut is_labelled, plan.row(edge.from), true);
            }
        }
        let bands = &plan.layers.bands;
        let mut top = MARGIN;
        for (number, row) in rows.iter_mut().enumerate() {
            let border_above = bands.iter().any(|band| band.first == number + 1);
            let border_below = bands.iter().any(|band| band.last == number);
            row.top = top;
            let bottom = top + row.height;
            let zone = if at(&is_labelled, number) { LABEL_ZONE } else { QUIET_ZONE };
            row.labelled = bottom + zone;
            let border = |is_there: bool| if is_there { BORDER } else { 0 };
            let tracks_top = row.labelled + border(border_below);
            row.first_track = tracks_top + TRACK / 2;
            let tracks_bottom = tracks_top + TRACK * length(at(&tracks.count, number));
            top = (tracks_bottom + border(border_above) + ARRIVAL).max(bottom + LEAST_CHANNEL);
        }
        Self(rows)
    }

    fn middle(&self, row: usize) -> i32 {
        let row = at(&self.0, row);
        row.top + row.height / 2
    }
}

/// Knows all that a line has to keep to.
struct Pencil<'a> {
    plan: &'a Plan<'a>,
    widths: Widths,
    bottoms: Bottoms,
    lanes: Lanes,
    tracks: Tracks,
    sides: Sides,
    rows: Rows,
    shapes: Vec<Shape>,
}

impl Pencil<'_> {
    fn line(&self, place: usize, edge: &Edge, course: &Course) -> Option<Line> {
        let (from, to) = (self.shapes.get(edge.from)?, self.shapes.get(edge.to)?);
        let mut points = Vec::new();
        let middle = from.area.middle();
        let begins = match course.exit {
            Exit::Bottom(_) => {
                Point { x: middle.x + at(&self.bottoms.offset, place), y: from.area.bottom() }
            }
            Exit::Side(side) => from.at_side(side, middle.y + at(&self.sides.leaving, place)),
        };
        let ends = Point { x: to.area.middle().x + top_offset(course.entry), y: to.area.top };
        match course.passage {
            Passage::Around => {
                let (above, below) = (begins.y - AROUND_HALF, begins.y + AROUND_HALF);
                let x = from.area.right() + AROUND_REACH;
                points.push(from.at_side(Side::Right, below));
                points.extend([Point { x, y: below }, Point { x, y: above }]);
                points.push(from.at_side(Side::Right, above));
            }
            Passage::Next => {
                let track = self.track(self.plan.row(edge.from), Wire::Leave(place));
                points.push(begins);
                points.extend(turn(begins.x, ends.x, track));
                points.push(ends);
            }
            Passage::Column(column) => {
                let x = self.widths.middle(column);
                let leave = self.track(self.plan.row(edge.from), Wire::Leave(place));
                let above = self.plan.row(edge.to).saturating_sub(1);
                let arrive = self.track(above, Wire::Arrive(place));
                points.push(begins);
                points.extend(turn(begins.x, x, leave));
                points.extend(turn(x, ends.x, arrive));
                points.push(ends);
            }
            Passage::Lane(_) => {
                let number = self.lanes.number_of(place)?;
                let x = self.lanes.of(place)?.x;
                points.push(begins);
                match course.exit {
                    Exit::Side(_) => points.push(Point { x, y: begins.y }),
                    Exit::Bottom(_) => {
                        let row = self.plan.row(edge.from);
                        points.extend(turn(begins.x, x, self.track(row, Wire::Leave(place))));
                    }
                }
                match course.entry {
                    Entry::Side(side) => {
                        let y = to.area.middle().y + at(&self.sides.entering, number);
                        points.extend([Point { x, y }, to.at_side(side, y)]);
                    }
                    Entry::Above | Entry::Aslant(_) => {
                        let above = self.plan.row(edge.to).saturating_sub(1);
                        points.extend(turn(x, ends.x, self.track(above, Wire::Gather(number))));
                        points.push(ends);
                    }
                }
            }
        }
        let label = label(edge, course, begins, from);
        Some(Line { to: edge.to, points, has_head: true, is_rare: edge.is_rare(), label })
    }

    fn track(&self, row: usize, wire: Wire) -> i32 {
        let number = self.tracks.of_wire.get(&wire).copied().unwrap_or(0);
        at(&self.rows.0, row).first_track + TRACK * length(number)
    }

    /// Moves everything to where the picture begins, and puts the phases behind it.
    fn finish(self, mut lines: Vec<Line>) -> Drawing {
        let bands = &self.plan.layers.bands;
        let gutter = if bands.is_empty() { 0 } else { PHASE_WIDTH + MARGIN };
        let areas = self.shapes.iter().map(|shape| shape.area);
        let areas = areas.chain(lines.iter().filter_map(|line| Some(line.label.as_ref()?.area)));
        let mut left = i32::MAX;
        let mut right = i32::MIN;
        for area in areas {
            left = left.min(area.left);
            right = right.max(area.right());
        }
        for point in lines.iter().flat_map(|line| &line.points) {
            left = left.min(point.x);
            right = right.max(point.x);
        }
        let shift = 2 * MARGIN + gutter - left;
        let width = right + shift + 2 * MARGIN;
        for line in &mut lines {
            for point in &mut line.points {
                point.x += shift;
            }
            if let Some(label) = &mut line.label {
                label.area.left += shift;
            }
        }
        let mut shapes = self.shapes;
        for shape in &mut shapes {
            shape.area.left += shift;
        }
        let bands = bands.iter().map(|band| {
            let top = at(&self.rows.0, band.first).top - ARRIVAL;
            let bottom = at(&self.rows.0, band.last).labelled;
            let title = self.plan.graph.phases.get(band.phase);
            Band {
                area: Area { left: MARGIN, top, width: width - 2 * MARGIN, height: bottom - top },
                lines: PHASE.wrap(title.map_or("", String::as_str), PHASE_WIDTH, PHASE_LINES),
            }
        });
        let last = self.rows.0.last().copied().unwrap_or_default();
        let height = last.top + last.height + MARGIN;
        Drawing { width, height, bands: bands.collect(), lines, shapes }
    }
}

/// Returns the corners of a turn from one upright to another; none if they are the same.
fn turn(from: i32, to: i32, y: i32) -> Vec<Point> {
    if from == to { Vec::new() } else { vec![Point { x: from, y }, Point { x: to, y }] }
}

/// Puts the label of an edge next to where it begins: there no other edge can be.
fn label(edge: &Edge, course: &Course, begins: Point, from: &Shape) -> Option<Label> {
    if edge.label.is_empty() {
        return None;
    }
    let width = label_width(edge);
    let reach = if course.passage == Passage::Around { AROUND_REACH } else { 0 };
    let (left, top) = match course.exit {
        Exit::Bottom(_) => (begins.x - width / 2, begins.y + 5),
        Exit::Side(Side::Right) => (from.area.right() + reach + 4, begins.y - LABEL_HEIGHT / 2),
        Exit::Side(Side::Left) => (from.area.left - 4 - width, begins.y - LABEL_HEIGHT / 2),
    };
    let area = Area { left, top, width, height: LABEL_HEIGHT };
    Some(Label { text: edge.label.clone(), area })
}
