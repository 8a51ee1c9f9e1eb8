//! Writes a drawing down as SVG: no scripts, no fonts, nothing from elsewhere, for light and dark.

use std::io;

use quick_xml::{
    Writer,
    events::{BytesText, attributes::Attribute},
};

use super::{
    drawing::{Area, Band, Drawing, INSET, Label, Line, NOTCH, Point, Shape},
    elements::Kind,
    joins::ROUND,
    layout::{NOTE_LINE, PHASE_LINE, TITLE_LINE},
    length,
};

/// How long an arrowhead is, and half its width.
const ARROW: i32 = 8;
const ARROW_HALF: i32 = 4;

/// From the top of a line of text to the line it stands on.
const TITLE_BASE: i32 = 13;
const NOTE_BASE: i32 = 11;
const LABEL_BASE: i32 = 11;
const PHASE_BASE: i32 = 24;

/// The looks of everything. Rules hold only within the picture, for it may be put into a page.
const STYLE: &str = include_str!("style.css");

type Xml = Writer<Vec<u8>>;

/// Returns the picture as text.
pub(super) fn write(name: &str, drawing: &Drawing) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    // Memory takes all that is written to it; there is no picture without it.
    match write_to(&mut writer, name, drawing) {
        Ok(()) => String::from_utf8(writer.into_inner()).unwrap_or_default() + "\n",
        Err(_) => String::new(),
    }
}

fn write_to(writer: &mut Xml, name: &str, drawing: &Drawing) -> io::Result<()> {
    let (width, height) = (drawing.width.to_string(), drawing.height.to_string());
    let view = format!("0 0 {width} {height}");
    let whole = Area { left: 0, top: 0, width: drawing.width, height: drawing.height };
    writer
        .create_element("svg")
        .with_attribute(("xmlns", "http://www.w3.org/2000/svg"))
        .with_attribute(("viewBox", view.as_str()))
        .with_attribute(("width", width.as_str()))
        .with_attribute(("height", height.as_str()))
        .with_attribute(("role", "img"))
        .with_attribute(("class", "workflow-graph"))
        .write_inner_content(|writer| {
            text(writer, "title", name)?;
            text(writer, "style", STYLE)?;
            rect(writer, "ground", whole, 8)?;
            for band in &drawing.bands {
                draw_band(writer, band)?;
            }
            for line in &drawing.lines {
                draw_line(writer, line)?;
            }
            for shape in &drawing.shapes {
                draw_shape(writer, shape)?;
            }
            for label in drawing.lines.iter().filter_map(|line| line.label.as_ref()) {
                draw_label(writer, label)?;
            }
            Ok(())
        })?;
    Ok(())
}

fn draw_band(writer: &mut Xml, band: &Band) -> io::Result<()> {
    rect(writer, "band", band.area, 6)?;
    for (line, number) in band.lines.iter().zip(0..) {
        let y = band.area.top + PHASE_BASE + PHASE_LINE * number;
        words(writer, "phase", Point { x: band.area.left + 12, y }, line)?;
    }
    Ok(())
}

fn draw_shape(writer: &mut Xml, shape: &Shape) -> io::Result<()> {
    writer.create_element("g").with_attribute(("class", class(shape.kind))).write_inner_content(
        |writer| {
            text(writer, "title", &shape.title)?;
            outline(writer, shape)?;
            let titles = TITLE_LINE * length(shape.lines.len());
            let notes = NOTE_LINE * length(shape.notes.len());
            let middle = shape.area.middle();
            let mut y = middle.y - i32::midpoint(titles, notes);
            for line in &shape.lines {
                words(writer, "words", Point { x: middle.x, y: y + TITLE_BASE }, line)?;
                y += TITLE_LINE;
            }
            for note in &shape.notes {
                words(writer, "note", Point { x: middle.x, y: y + NOTE_BASE }, note)?;
                y += NOTE_LINE;
            }
            Ok(())
        },
    )?;
    Ok(())
}

const fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Start => "start",
        Kind::Work => "work",
        Kind::Dispatch => "dispatch",
        Kind::Ask => "ask",
        Kind::Check => "check",
        Kind::Choose => "choose",
        Kind::Gate => "gate",
        Kind::Rest => "rest",
        Kind::End => "end",
    }
}

/// Draws what a node is known by at a glance.
fn outline(writer: &mut Xml, shape: &Shape) -> io::Result<()> {
    let Area { left, top, width, height } = shape.area;
    let (right, bottom, middle) = (shape.area.right(), shape.area.bottom(), shape.area.middle());
    let point = |x: i32, y: i32| Point { x, y };
    match shape.kind {
        Kind::Start | Kind::End => rect(writer, "shape", shape.area, height / 2),
        Kind::Work | Kind::Rest => rect(writer, "shape", shape.area, 8),
        Kind::Dispatch => {
            rect(writer, "shape", shape.area, 2)?;
            let bar = |x: i32| format!("M{x} {top}V{bottom}");
            path(writer, "bar", &bar(left + 7))?;
            path(writer, "bar", &bar(left + width - 7))
        }
        Kind::Ask => polygon(
            writer,
            &[
                point(left + INSET, top),
                point(right, top),
                point(right - INSET, bottom),
                point(left, bottom),
            ],
        ),
        Kind::Check => polygon(
            writer,
            &[
                point(left, top),
                point(right - NOTCH, top),
                point(right, top + NOTCH),
                point(right, bottom),
                point(left, bottom),
            ],
        ),
        Kind::Choose | Kind::Gate => polygon(
            writer,
            &[
                point(left + INSET, top),
                point(right - INSET, top),
                point(right, middle.y),
                point(right - INSET, bottom),
                point(left + INSET, bottom),
                point(left, middle.y),
            ],
        ),
    }
}

/// Draws an edge with rounded corners, and its arrowhead.
fn draw_line(writer: &mut Xml, line: &Line) -> io::Result<()> {
    let mut points = line.points.clone();
    let tip = points.last().copied().zip(points.iter().rev().nth(1).copied());
    let tip = tip.filter(|_| line.has_head);
    if let (Some((tip, before)), Some(last)) = (tip, points.last_mut()) {
        // The line ends within the head, so that its blunt end does not show at the tip.
        *last = toward(tip, before, ARROW - 2);
    }
    path(writer, if line.is_rare { "edge rare" } else { "edge" }, &rounded(&points))?;
    let Some((tip, before)) = tip else { return Ok(()) };
    let back = toward(tip, before, ARROW);
    let (across, down) = ((tip.y - back.y).signum(), (tip.x - back.x).signum());
    let wing = |half: i32| format!("L{} {}", back.x + across * half, back.y + down * half);
    let head = format!("M{} {}{}{}Z", tip.x, tip.y, wing(ARROW_HALF), wing(-ARROW_HALF));
    path(writer, "head", &head)
}

/// Returns the commands for a line whose corners are rounded as far as its pieces allow.
fn rounded(points: &[Point]) -> String {
    let ends = [points.first(), points.last()];
    // A piece between two corners is shared by them; one at an end belongs to its only corner.
    let room = |corner: Point, other: Point| {
        corner.distance(other) / if ends.contains(&Some(&other)) { 1 } else { 2 }
    };
    let mut commands = String::new();
    for (number, corner) in points.iter().enumerate() {
        let previous = number.checked_sub(1).and_then(|number| points.get(number));
        let command = match (previous, points.get(number + 1)) {
            (None, _) => format!("M{} {}", corner.x, corner.y),
            (Some(_), None) => format!("L{} {}", corner.x, corner.y),
            (Some(previous), Some(next)) => {
                let radius = ROUND.min(room(*corner, *previous)).min(room(*corner, *next));
                let enter = toward(*corner, *previous, radius);
                let leave = toward(*corner, *next, radius);
                format!(
                    "L{} {}Q{} {} {} {}",
                    enter.x, enter.y, corner.x, corner.y, leave.x, leave.y
                )
            }
        };
        commands.push_str(&command);
    }
    commands
}

fn draw_label(writer: &mut Xml, label: &Label) -> io::Result<()> {
    rect(writer, "paper", label.area, 4)?;
    let place = Point { x: label.area.middle().x, y: label.area.top + LABEL_BASE };
    words(writer, "label", place, &label.text)
}

/// Returns the point a way from one towards another; they differ in one direction only.
fn toward(from: Point, to: Point, way: i32) -> Point {
    Point { x: from.x + (to.x - from.x).signum() * way, y: from.y + (to.y - from.y).signum() * way }
}

fn text(writer: &mut Xml, element: &str, content: &str) -> io::Result<()> {
    writer.create_element(element).write_text_content(BytesText::new(content))?;
    Ok(())
}

fn words(writer: &mut Xml, class: &str, place: Point, content: &str) -> io::Result<()> {
    let (x, y) = (place.x.to_string(), place.y.to_string());
    writer
        .create_element("text")
        .with_attributes([("class", class), ("x", x.as_str()), ("y", y.as_str())])
        .write_text_content(BytesText::new(content))?;
    Ok(())
}

fn rect(writer: &mut Xml, class: &str, area: Area, radius: i32) -> io::Result<()> {
    let numbers = [area.left, area.top, area.width, area.height, radius];
    let numbers = numbers.map(|number| number.to_string());
    let names = ["x", "y", "width", "height", "rx"];
    let attributes = names.into_iter().zip(numbers.iter().map(String::as_str));
    writer
        .create_element("rect")
        .with_attribute(("class", class))
        .with_attributes(attributes.map(Attribute::from))
        .write_empty()?;
    Ok(())
}

fn path(writer: &mut Xml, class: &str, drawn: &str) -> io::Result<()> {
    writer
        .create_element("path")
        .with_attributes([("class", class), ("d", drawn)])
        .write_empty()?;
    Ok(())
}

fn polygon(writer: &mut Xml, points: &[Point]) -> io::Result<()> {
    let points: Vec<_> = points.iter().map(|point| format!("{},{}", point.x, point.y)).collect();
    let points = points.join(" ");
    writer
        .create_element("polygon")
        .with_attributes([("class", "shape"), ("points", points.as_str())])
        .write_empty()?;
    Ok(())
}
