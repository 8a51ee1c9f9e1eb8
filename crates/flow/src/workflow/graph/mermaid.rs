//! A workflow as a Mermaid flowchart.

use super::elements::{Edge, Graph, Kind, Node};

/// Returns the text; every foreign word in it is quoted, and spelled with entity codes where
/// Mermaid or the Markdown in its labels would see more than a word.
pub(super) fn write(graph: &Graph) -> String {
    let mut lines = vec!["flowchart TB".to_owned()];
    let outside = graph.nodes.iter().filter(|node| node.phase.is_none());
    lines.extend(outside.map(|node| format!("  {}", statement(node))));
    for (place, title) in graph.phases.iter().enumerate() {
        let mut members = graph.nodes.iter().filter(|node| node.phase == Some(place)).peekable();
        if members.peek().is_none() {
            continue;
        }
        lines.push(format!("  subgraph phase{place} [\"{}\"]", escaped(title)));
        lines.extend(members.map(|node| format!("    {}", statement(node))));
        lines.push("  end".to_owned());
    }
    lines.extend(graph.edges.iter().filter_map(|edge| arrow(graph, edge)));
    lines.join("\n") + "\n"
}

fn statement(node: &Node) -> String {
    let (opening, closing) = match node.kind {
        Kind::Start | Kind::End => ("([", "])"),
        Kind::Work => ("(", ")"),
        Kind::Dispatch => ("[[", "]]"),
        Kind::Ask => ("[/", "/]"),
        Kind::Check => (">", "]"),
        Kind::Choose => ("{", "}"),
        Kind::Gate => ("{{", "}}"),
        Kind::Rest => ("[", "]"),
    };
    let mut label = escaped(&node.title);
    if !node.note.is_empty() {
        label.push_str("<br/>");
        label.push_str(&escaped(&node.note));
    }
    format!("{}{opening}\"{label}\"{closing}", key(node))
}

fn arrow(graph: &Graph, edge: &Edge) -> Option<String> {
    let from = key(graph.nodes.get(edge.from)?);
    let to = key(graph.nodes.get(edge.to)?);
    let line = if edge.is_rare() { "-.->" } else { "-->" };
    let label = match edge.label.as_str() {
        "" => String::new(),
        label => format!("|\"{}\"|", escaped(label)),
    };
    Some(format!("  {from} {line}{label} {to}"))
}

/// Returns a node's name; the bare word `end` would close a group.
fn key(node: &Node) -> String {
    match node.kind {
        Kind::Start | Kind::End => format!("{}_", node.key),
        Kind::Work
        | Kind::Dispatch
        | Kind::Ask
        | Kind::Check
        | Kind::Choose
        | Kind::Gate
        | Kind::Rest => node.key.clone(),
    }
}

/// Spells everything but words and the tamest punctuation as entity codes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        let is_tame = matches!(character, ' ' | ',' | '-' | '?' | '·' | '×' | '…');
        if is_tame || character.is_alphanumeric() {
            escaped.push(character);
        } else {
            escaped.push('#');
            escaped.push_str(&u32::from(character).to_string());
            escaped.push(';');
        }
    }
    escaped
}
