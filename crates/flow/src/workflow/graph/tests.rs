//! Pictures as they are committed, hostile titles, and laws that every picture keeps.

use std::collections::BTreeSet;

use proptest::prelude::*;
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use super::{
    dot,
    drawing::{Area, Drawing, INSET, Line},
    elements::{Graph, STEPS},
    examples::{self, step, target, workflow},
    layout, mermaid, svg,
};
use crate::workflow::{
    definition::{Limit, Step, Target, Workflow},
    words::{Outcome, Role},
};

/// Titles that end whatever they are put into.
const HOSTILE: [&str; 12] = [
    "\"]; evil [label=\"x",
    "\\",
    "\\N \\\" \\l &quot; &#34;",
    "a --> b; click s1 href \"javascript:1\"",
    "`**bold**` # 1. list <script>alert(1)</script>",
    "#quot;#59; %%{init: {}}%% fa:fa-car",
    "]]></style></svg><script>alert(1)</script>",
    "' onload='alert(1)\" x=\"&amp;&lt;",
    "two\nlines\r\nand\u{2028}more\ttabs",
    "\0\u{1b}[2J\u{202e}\u{ffff}\u{fffe}\u{e0041}",
    "日本語の長い題名がここにあります 👩\u{200d}👧",
    "",
];

#[test]
fn pictures_are_as_committed() {
    for (name, workflow) in examples::all() {
        assert_committed(&format!("{name}.dot"), &dot(&workflow));
        assert_committed(&format!("{name}.mmd"), &mermaid(&workflow));
        assert_committed(&format!("{name}.svg"), &svg(&workflow));
    }
}

#[test]
fn examples_keep_the_laws() {
    for (name, workflow) in examples::all() {
        let drawing = layout::draw(&Graph::of(&workflow));
        assert_eq!(broken_laws(&drawing), Vec::<String>::new(), "{name}");
        assert!(drawing.width <= 900, "{name} is {} wide", drawing.width);
    }
}

#[test]
fn the_usual_way_runs_straight_down() {
    let (_, workflow) = examples::all().into_iter().find(|(name, _)| *name == "planning").unwrap();
    let drawing = layout::draw(&Graph::of(&workflow));
    let middles: BTreeSet<i32> = drawing.shapes.iter().map(|shape| shape.area.middle().x).collect();
    assert_eq!(middles.len(), 1, "{middles:?}");
}

#[test]
fn hostile_titles_stay_words() {
    let titled = |title: &str| {
        let steps = vec![step("a", title).in_phase("p").to(Outcome::Ok, "end")];
        let mut workflow = workflow(title, &["p"], steps);
        workflow.phases[0].title = title.to_owned();
        workflow
    };
    let harmless = titled("harmless");
    for title in HOSTILE {
        let hostile = titled(title);
        assert_eq!(outside_strings(&dot(&hostile)), outside_strings(&dot(&harmless)), "{title:?}");
        assert_eq!(outside_strings(&mermaid(&hostile)), outside_strings(&mermaid(&harmless)));
        assert_eq!(names_of(&svg(&hostile)), names_of(&svg(&harmless)), "{title:?}");
    }
}

#[test]
fn hostile_titles_are_spelled_out() {
    let steps = HOSTILE.iter().map(|title| step("a", title)).collect();
    let workflow = workflow("hostile", &[], steps);
    let steps_of = |text: &str| {
        let steps = text.lines().filter(|line| line.starts_with("  s") && !line.contains("start"));
        steps.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(steps_of(&dot(&workflow)), @r#"
    s1 [label="1 · \"]; evil [label=\"x", shape=box, style=rounded];
    s2 [label="2 · \\", shape=box, style=rounded];
    s3 [label="3 · \\N \\\" \\l &amp;quot; &amp;#34;", shape=box, style=rounded];
    s4 [label="4 · a --> b; click s1 href \"javascript:1\"", shape=box, style=rounded];
    s5 [label="5 · `**bold**` # 1. list <script>alert(1)</script>", shape=box, style=rounded];
    s6 [label="6 · #quot;#59; %%{init: {}}%% fa:fa-car", shape=box, style=rounded];
    s7 [label="7 · ]]></style></svg><script>alert(1)</script>", shape=box, style=rounded];
    s8 [label="8 · ' onload='alert(1)\" x=\"&amp;amp;&amp;lt;", shape=box, style=rounded];
    s9 [label="9 · two lines and more tabs", shape=box, style=rounded];
    s10 [label="10 · ��[2J����", shape=box, style=rounded];
    s11 [label="11 · 日本語の長い題名がここにあります 👩‍👧", shape=box, style=rounded];
    s12 [label="12", shape=box, style=rounded];
    "#);
    insta::assert_snapshot!(steps_of(&mermaid(&workflow)), @r#"
    s1("1 · #34;#93;#59; evil #91;label#61;#34;x")
    s2("2 · #92;")
    s3("3 · #92;N #92;#34; #92;l #38;quot#59; #38;#35;34#59;")
    s4("4 · a --#62; b#59; click s1 href #34;javascript#58;1#34;")
    s5("5 · #96;#42;#42;bold#42;#42;#96; #35; 1#46; list #60;script#62;alert#40;1#41;#60;#47;script#62;")
    s6("6 · #35;quot#59;#35;59#59; #37;#37;#123;init#58; #123;#125;#125;#37;#37; fa#58;fa-car")
    s7("7 · #93;#93;#62;#60;#47;style#62;#60;#47;svg#62;#60;script#62;alert#40;1#41;#60;#47;script#62;")
    s8("8 · #39; onload#61;#39;alert#40;1#41;#34; x#61;#34;#38;amp#59;#38;lt#59;")
    s9("9 · two lines and more tabs")
    s10("10 · #65533;#65533;#91;2J#65533;#65533;#65533;#65533;")
    s11("11 · 日本語の長い題名がここにあります #128105;#8205;#128103;")
    s12("12")
    "#);
}

#[test]
fn edges_with_the_same_ends_are_one() {
    let mut both =
        step("a", "A").to(Outcome::Ok, "b").to(Outcome::Skip, "b").to(Outcome::Fail, "a");
    both.default = Some(target("b"));
    both.on_error = Some(Target::End);
    both.limit = Some(Limit { rounds: 2, then: Some(Target::End) });
    let workflow = workflow("merged", &[], vec![both, step("b", "B").to(Outcome::Ok, "end")]);
    let edges: Vec<_> = Graph::of(&workflow)
        .edges
        .iter()
        .map(|edge| format!("{} -> {} `{}`", edge.from, edge.to, edge.label))
        .collect();
    insta::assert_snapshot!(edges.join("\n"), @"
    0 -> 1 ``
    1 -> 2 `ok, default, skip`
    1 -> 1 `fail`
    1 -> 3 `error, limit`
    2 -> 3 ``
    ");
}

#[test]
fn many_steps_become_one_node() {
    let count = 10_000;
    let steps = (0..count).map(|number| {
        let next = if number + 1 == count { "end".to_owned() } else { format!("s{}", number + 1) };
        step(&format!("s{number}"), &format!("Step {number}")).to(Outcome::Ok, &next)
    });
    let graph = Graph::of(&workflow("long", &[], steps.collect()));
    assert_eq!(graph.nodes.len(), STEPS + 3);
    assert_eq!(graph.nodes[STEPS + 1].title, "9800 more steps");
    let last: Vec<_> = graph.edges.iter().rev().take(2).map(|edge| (edge.from, edge.to)).collect();
    assert_eq!(last, [(STEPS + 1, STEPS + 2), (STEPS, STEPS + 1)]);
    assert_eq!(broken_laws(&layout::draw(&graph)), Vec::<String>::new());
}

proptest! {
    #[test]
    fn every_picture_keeps_the_laws(workflow in some_workflow()) {
        let drawing = layout::draw(&Graph::of(&workflow));
        prop_assert_eq!(broken_laws(&drawing), Vec::<String>::new());
        let picture = svg(&workflow);
        prop_assert_eq!(&picture, &svg(&workflow));
        let shapes = elements_of(&picture).into_iter().filter(|name| name == "g class").count();
        prop_assert_eq!(shapes, workflow.steps.len() + 2);
        prop_assert_eq!(dot(&workflow), dot(&workflow));
        prop_assert_eq!(mermaid(&workflow), mermaid(&workflow));
    }
}

/// Any steps with any targets, most of them nearby and onwards.
fn some_workflow() -> impl Strategy<Value = Workflow> {
    let phases = prop_oneof![Just(0_usize), Just(3)];
    (1_usize..32, phases).prop_flat_map(|(count, phases)| {
        let ends = prop_oneof![
            6 => (1_usize..3).prop_map(Hop::Onwards),
            2 => (0..=count).prop_map(Hop::To),
            1 => Just(Hop::To(count)),
        ];
        let ways = proptest::collection::vec((0_u8..8, ends), 0..5);
        let some_step = (ways, 0_usize..8, proptest::option::of(0..3_usize), ".{0,30}");
        proptest::collection::vec(some_step, count).prop_map(move |steps| {
            let steps =
                steps.into_iter().enumerate().map(|(number, (ways, kind, phase, title))| {
                    let mut step = of_kind(step(&format!("s{number}"), &title), kind, number);
                    for (way, hop) in ways {
                        let to = match hop {
                            Hop::Onwards(by) => number + by,
                            Hop::To(place) => place,
                        };
                        let name = format!("s{to}");
                        lead(&mut step, way, if to < count { &name } else { "end" });
                    }
                    // In order, but for a few that are not.
                    let usual = number * phases / count;
                    step.phase = match phase {
                        _ if phases == 0 => None,
                        Some(other) if number % 11 == 7 => Some(format!("p{other}")),
                        Some(_) | None => Some(format!("p{usual}")),
                    };
                    step
                });
            workflow("random", &["P0", "P1", "P2"], steps.collect())
        })
    })
}

#[derive(Clone, Debug)]
enum Hop {
    Onwards(usize),
    To(usize),
}

fn of_kind(step: Step, kind: usize, number: usize) -> Step {
    match kind {
        0 => step.by(Role::Developer, number % 4),
        1 => step.asking(),
        2 => step.checking(),
        3 => step.choosing(),
        4 => step.gating(&format!("s{}", number / 2), "end"),
        _ => step,
    }
}

fn lead(step: &mut Step, way: u8, to: &str) {
    match way {
        0..=3 => *step = step.clone().to(Outcome::ALL[usize::from(way)], to),
        4 => step.default = Some(target(to)),
        5 => step.on_error = Some(target(to)),
        _ => step.limit = Some(Limit { rounds: 3, then: Some(target(to)) }),
    }
}

/// Returns what a reader would stumble over.
fn broken_laws(drawing: &Drawing) -> Vec<String> {
    let mut broken = Vec::new();
    let whole = Area { left: 0, top: 0, width: drawing.width, height: drawing.height };
    let labels: Vec<_> = drawing.lines.iter().filter_map(|line| line.label.as_ref()).collect();
    for (number, shape) in drawing.shapes.iter().enumerate() {
        if !is_within(shape.area, whole) {
            broken.push(format!("`{}` is outside", shape.title));
        }
        for other in &drawing.shapes[number + 1..] {
            if overlap(shape.area, other.area) {
                broken.push(format!("`{}` is over `{}`", shape.title, other.title));
            }
        }
        for label in labels.iter().filter(|label| overlap(label.area, shape.area)) {
            broken.push(format!("label `{}` is over `{}`", label.text, shape.title));
        }
        for line in drawing.lines.iter().filter(|line| passes(line, shape.area)) {
            broken.push(format!("`{}` is passed through by {:?}", shape.title, line.points));
        }
    }
    for (number, label) in labels.iter().enumerate() {
        if !is_within(label.area, whole) {
            broken.push(format!("label `{}` is outside", label.text));
        }
        for other in labels[number + 1..].iter().filter(|other| overlap(label.area, other.area)) {
            broken.push(format!("label `{}` is over label `{}`", label.text, other.text));
        }
    }
    broken.extend(shared_runs(drawing));
    broken
}

/// Finds edges to different nodes that run along the same line, which could not be told apart.
fn shared_runs(drawing: &Drawing) -> Vec<String> {
    let mut shared = Vec::new();
    let is_run = |one: Area, other: Area| {
        let across = one.right().min(other.right()) - one.left.max(other.left);
        let down = one.bottom().min(other.bottom()) - one.top.max(other.top);
        overlap(one, other) && across.max(down) > 4
    };
    for (number, line) in drawing.lines.iter().enumerate() {
        for other in drawing.lines[number + 1..].iter().filter(|other| other.to != line.to) {
            if pieces(line).any(|one| pieces(other).any(|two| is_run(one, two))) {
                shared.push(format!("{:?} runs along {:?}", line.points, other.points));
            }
        }
    }
    shared
}

/// Returns the straight pieces of a line as areas of two pixels.
fn pieces(line: &Line) -> impl Iterator<Item = Area> {
    line.points.windows(2).map(|ends| Area {
        left: ends[0].x.min(ends[1].x) - 1,
        top: ends[0].y.min(ends[1].y) - 1,
        width: (ends[0].x - ends[1].x).abs() + 2,
        height: (ends[0].y - ends[1].y).abs() + 2,
    })
}

/// Tells whether a line runs through an area, more than a slanted side needs.
fn passes(line: &Line, area: Area) -> bool {
    let inner = Area {
        left: area.left + INSET,
        top: area.top + 2,
        width: area.width - 2 * INSET,
        height: area.height - 4,
    };
    pieces(line).any(|piece| overlap(piece, inner))
}

fn overlap(one: Area, other: Area) -> bool {
    one.left < other.right()
        && other.left < one.right()
        && one.top < other.bottom()
        && other.top < one.bottom()
}

fn is_within(area: Area, whole: Area) -> bool {
    area.left >= 0 && area.top >= 0 && area.right() <= whole.width && area.bottom() <= whole.height
}

/// Reads an image to its end and returns its elements with the names of their attributes.
fn elements_of(picture: &str) -> Vec<String> {
    let mut reader = Reader::from_str(picture);
    let mut elements = Vec::new();
    let mut depth = 0;
    loop {
        match reader.read_event().unwrap() {
            Event::Start(element) => {
                depth += 1;
                elements.push(described(&element));
            }
            Event::Empty(element) => elements.push(described(&element)),
            Event::End(_) => depth -= 1,
            Event::Text(_) | Event::GeneralRef(_) => {}
            Event::Eof => break,
            other @ (Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_)) => panic!("{other:?} in a picture"),
        }
    }
    assert_eq!(depth, 0);
    elements
}

fn described(element: &BytesStart<'_>) -> String {
    let attributes = element.attributes().map(|attribute| attribute.unwrap().key.0.to_owned());
    let names: Vec<String> =
        std::iter::once(element.name().0.to_owned()).chain(attributes).collect();
    names.join(" ")
}

fn names_of(picture: &str) -> BTreeSet<String> {
    elements_of(picture).into_iter().collect()
}

/// Returns a text of Graphviz or Mermaid without what is in quotes.
fn outside_strings(text: &str) -> String {
    let mut outside = String::new();
    let mut quoted = false;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => quoted = !quoted,
            '\\' if quoted => drop(characters.next()),
            _ if quoted => {}
            _ => outside.push(character),
        }
    }
    assert!(!quoted, "{text}");
    outside
}

/// Fails unless the golden file says the same as `fresh`, and renews it if that is asked for.
#[expect(clippy::disallowed_methods, reason = "a test looks at the files of its own crate")]
fn assert_committed(name: &str, fresh: &str) {
    let path = format!("{}/tests/golden/graph/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        std::fs::write(&path, fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == fresh,
        "`tests/golden/graph/{name}` is out of date; `UPDATE_ASSETS=1 cargo test -p pacenote-flow` \
         renews it; look at it before it is committed"
    );
}
