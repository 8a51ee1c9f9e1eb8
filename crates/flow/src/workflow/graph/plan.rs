//! Where everything is, before anything has a size: rows, columns, and the ways of the edges.

use super::{
    at,
    columns::Columns,
    courses::{self, Course},
    elements::{Edge, Graph},
    layers::Layers,
};

/// The plan of a picture.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    /// What is drawn.
    pub(super) graph: &'a Graph,
    /// Its rows.
    pub(super) layers: Layers,
    pub(super) columns: Columns,
    courses: Vec<Course>,
}

impl<'a> Plan<'a> {
    /// Plans the picture of a graph.
    pub(super) fn of(graph: &'a Graph) -> Self {
        let layers = Layers::of(graph);
        let mut columns = Columns::of(graph, &layers);
        let courses = courses::find(graph, &layers, &mut columns);
        Self { graph, layers, columns, courses }
    }

    /// Returns every edge with its place and its way.
    pub(super) fn edges(&self) -> impl Iterator<Item = (usize, &'a Edge, &Course)> {
        let edges = self.graph.edges.iter().zip(&self.courses).enumerate();
        edges.map(|(place, (edge, course))| (place, edge, course))
    }

    /// Returns how many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.layers.row.iter().max().copied().unwrap_or(0) + 1
    }

    /// Returns the row of a node.
    pub(super) fn row(&self, node: usize) -> usize {
        at(&self.layers.row, node)
    }

    /// Returns the column of a node.
    pub(super) fn column(&self, node: usize) -> i32 {
        at(&self.columns.column, node)
    }
}
