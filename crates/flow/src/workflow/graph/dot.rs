//! A workflow in the language of Graphviz.

use super::elements::{Edge, Graph, Kind, Node};

/// Returns the text; every foreign word in it is quoted and escaped.
pub(super) fn write(graph: &Graph) -> String {
    let mut lines = vec![
        format!("digraph {} {{", quoted(&graph.name)),
        "  rankdir=TB;".to_owned(),
        "  node [fontname=\"Helvetica\", fontsize=11];".to_owned(),
        "  edge [fontname=\"Helvetica\", fontsize=10];".to_owned(),
    ];
    let outside = graph.nodes.iter().filter(|node| node.phase.is_none());
    lines.extend(outside.map(|node| format!("  {}", statement(node))));
    for (place, title) in graph.phases.iter().enumerate() {
        let mut members = graph.nodes.iter().filter(|node| node.phase == Some(place)).peekable();
        // An empty cluster would be drawn as a spot.
        if members.peek().is_none() {
            continue;
        }
        lines.push(format!("  subgraph cluster_{place} {{"));
        lines.push(format!("    label={};", quoted(title)));
        lines.extend(members.map(|node| format!("    {}", statement(node))));
        lines.push("  }".to_owned());
    }
    lines.extend(graph.edges.iter().filter_map(|edge| arrow(graph, edge)));
    lines.push("}\n".to_owned());
    lines.join("\n")
}

fn statement(node: &Node) -> String {
    let look = match node.kind {
        Kind::Start | Kind::End => "shape=oval",
        Kind::Work => "shape=box, style=rounded",
        Kind::Dispatch => "shape=box, peripheries=2",
        Kind::Ask => "shape=parallelogram",
        Kind::Check => "shape=note",
        Kind::Choose => "shape=diamond",
        Kind::Gate => "shape=hexagon",
        Kind::Rest => "shape=box, style=dotted",
    };
    let mut label = escaped(&node.title);
    if !node.note.is_empty() {
        label.push_str("\\n");
        label.push_str(&escaped(&node.note));
    }
    format!("{} [label=\"{label}\", {look}];", node.key)
}

fn arrow(graph: &Graph, edge: &Edge) -> Option<String> {
    let from = &graph.nodes.get(edge.from)?.key;
    let to = &graph.nodes.get(edge.to)?.key;
    let mut look = Vec::new();
    if !edge.label.is_empty() {
        look.push(format!("label={}", quoted(&edge.label)));
    }
    if edge.is_rare() {
        look.push("style=dashed".to_owned());
    }
    let look = if look.is_empty() { String::new() } else { format!(" [{}]", look.join(", ")) };
    Some(format!("  {from} -> {to}{look};"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// Escapes what ends a string, what begins a sequence such as `\N`, and what begins an entity.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('&', "&amp;")
}
