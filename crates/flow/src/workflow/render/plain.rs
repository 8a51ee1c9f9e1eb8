//! Prints blocks as plain text: labels in capitals, and what belongs to one indented below it.
//!
//! Only the printers of this file begin a line, and every line of a text is indented at least once:
//! what stands at the left edge was said by pacenote.

use super::{
    element::{Element, INDENT, Node, Shape},
    legible,
};

/// Prints a block as it stands at the left edge.
pub(super) fn print(root: &Element) -> String {
    let mut page = String::new();
    element(&mut page, root, 0);
    page
}

/// Prints blocks with a blank line between them; for a text that is put into another.
pub(super) fn nodes(nodes: &[Node]) -> String {
    let mut page = String::new();
    paragraphs(&mut page, nodes, 0);
    page
}

/// Prints a line at the left edge: a label that is ours, and a text that stays behind it.
pub(super) fn edge(label: &str, said: &str) -> String {
    let said = legible::line(said);
    let gap = if said.is_empty() { "" } else { " " };
    format!("{label}{gap}{said}\n")
}

fn element(page: &mut String, element: &Element, depth: usize) {
    let label = match element.shape {
        Shape::Block | Shape::Page => heading(element),
        Shape::Item => bullet(element),
    };
    match element.only_line() {
        Some(text) => line(page, depth, &joined(&label, text)),
        None if element.children.is_empty() => line(page, depth, &label),
        None => {
            line(page, depth, &closed(&label));
            below(page, element, depth + 1);
        }
    }
}

fn below(page: &mut String, parent: &Element, depth: usize) {
    match parent.shape {
        Shape::Page => paragraphs(page, &parent.children, depth),
        Shape::Block | Shape::Item => {
            parent.children.iter().for_each(|child| node(page, child, depth));
        }
    }
}

fn paragraphs(page: &mut String, nodes: &[Node], depth: usize) {
    for (place, child) in nodes.iter().enumerate() {
        if place > 0 {
            page.push('\n');
        }
        node(page, child, depth);
    }
}

fn node(page: &mut String, node: &Node, depth: usize) {
    match node {
        Node::Element(child) => element(page, child, depth),
        Node::Lines(lines) => lines.iter().for_each(|text| line(page, depth, text)),
    }
}

/// Returns a label such as `STATE BANNER (iteration: 2, mode: fix)`.
fn heading(element: &Element) -> String {
    let name = element.name.replace('_', " ").to_uppercase();
    match element.attributes.as_slice() {
        [] => name,
        attributes => format!("{name} ({})", listed(attributes)),
    }
}

/// Returns the mark of an item with what tells it from others: the value alone if there is one.
fn bullet(element: &Element) -> String {
    match element.attributes.as_slice() {
        [] => "-".to_owned(),
        [(_, value)] => format!("- {value}"),
        attributes => format!("- {}", listed(attributes)),
    }
}

fn listed(attributes: &[(&'static str, String)]) -> String {
    let pairs =
        attributes.iter().map(|(name, value)| format!("{}: {value}", name.replace('_', " ")));
    pairs.collect::<Vec<_>>().join(", ")
}

/// Puts a text behind its label.
fn joined(label: &str, text: &str) -> String {
    if label == "-" { format!("- {text}") } else { format!("{label}: {text}") }
}

/// Ends a label that has its text below it.
fn closed(label: &str) -> String {
    if label == "-" { label.to_owned() } else { format!("{label}:") }
}

fn line(page: &mut String, depth: usize, text: &str) {
    if !text.is_empty() {
        page.push_str(&INDENT.repeat(depth));
        page.push_str(text);
    }
    page.push('\n');
}
