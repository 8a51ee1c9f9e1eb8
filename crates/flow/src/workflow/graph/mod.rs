//! Workflows as pictures: text for Graphviz and for Mermaid, and a drawing of our own.
//!
//! All three are made from the same nodes and edges. Titles are foreign text: they are shortened,
//! put on one line and escaped, so that a picture holds nothing but what is drawn here. The same
//! workflow gives the same bytes; what is drawn of a long one is bounded.

mod columns;
mod courses;
mod dot;
mod drawing;
mod elements;
mod joins;
mod lanes;
mod layers;
mod layout;
mod measure;
mod mermaid;
mod plan;
mod ports;
mod svg;
mod tracks;

#[cfg(test)]
mod examples;
#[cfg(test)]
mod tests;

use elements::Graph;

use super::definition::Workflow;

/// Returns a workflow in the language of Graphviz.
pub fn dot(workflow: &Workflow) -> String {
    dot::write(&Graph::of(workflow))
}

/// Returns a workflow as a Mermaid flowchart.
pub fn mermaid(workflow: &Workflow) -> String {
    mermaid::write(&Graph::of(workflow))
}

/// Returns a workflow as an SVG image, the way down the middle first.
pub fn svg(workflow: &Workflow) -> String {
    let graph = Graph::of(workflow);
    svg::write(&graph.name, &layout::draw(&graph))
}

/// Returns an entry of a table that has one for every node or edge.
fn at<T: Copy + Default>(table: &[T], index: usize) -> T {
    table.get(index).copied().unwrap_or_default()
}

/// Sets an entry of a table that has one for every node or edge.
fn set<T>(table: &mut [T], index: usize, value: T) {
    if let Some(entry) = table.get_mut(index) {
        *entry = value;
    }
}

/// Returns a count as a length in the picture; counts here are bounded far below the limit.
fn length(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
