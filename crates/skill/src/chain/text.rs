//! A graph as a list for people.

use std::fmt;

use super::{Edge, Graph, Missing};

impl Graph {
    /// Returns the graph as a list: each skill with those it names, then the cycles and counts.
    pub fn text(&self) -> impl fmt::Display {
        fmt::from_fn(|f| self.write_text(f))
    }

    fn write_text(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut edges = self.edges().iter().peekable();
        let mut missing = self.missing().iter().peekable();
        for skill in 0..self.skills().len() {
            let names_some = edges.peek().is_some_and(|edge| edge.from == skill)
                || missing.peek().is_some_and(|missing| missing.from == skill);
            if names_some {
                writeln!(f, "{}", self.name(skill))?;
            }
            while let Some(edge) = edges.next_if(|edge| edge.from == skill) {
                self.write_edge(f, edge)?;
            }
            while let Some(missing) = missing.next_if(|missing| missing.from == skill) {
                write_missing(f, missing)?;
            }
        }
        if !self.cycles().is_empty() {
            writeln!(f, "cycles")?;
        }
        for cycle in self.cycles() {
            let path: Vec<_> = cycle.path.iter().map(|skill| self.name(*skill)).collect();
            write!(f, "  {}", path.join(" → "))?;
            // The ends of the path are one skill.
            let others = cycle.members.len() - (cycle.path.len() - 1).min(cycle.members.len());
            if others > 0 {
                write!(f, ", with {others} more around it")?;
            }
            writeln!(f)?;
        }
        self.write_counts(f)
    }

    fn write_edge(&self, f: &mut fmt::Formatter<'_>, edge: &Edge) -> fmt::Result {
        write!(f, "  {} {}", edge.kind.verb(), self.name(edge.to))?;
        write_line(f, edge.line)?;
        match edge.stands_in_for() {
            Some(name) => writeln!(f, ", in place of {name}"),
            None => writeln!(f),
        }
    }

    fn write_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alone = self.has_links().iter().filter(|linked| !**linked).count();
        let counts = [
            counted(self.skills().len(), "skill"),
            counted(self.edges().len(), "link"),
            counted(self.cycles().len(), "cycle"),
            format!("{} missing", self.missing().len()),
            format!("{alone} alone"),
        ];
        writeln!(f, "{}", counts.join(", "))
    }
}

fn write_missing(f: &mut fmt::Formatter<'_>, missing: &Missing) -> fmt::Result {
    write!(f, "  {} {}", missing.kind.verb(), missing.named.canonical())?;
    write_line(f, missing.line)?;
    writeln!(f, ", which is missing")
}

fn write_line(f: &mut fmt::Formatter<'_>, line: Option<usize>) -> fmt::Result {
    line.map_or(Ok(()), |line| write!(f, " (line {line})"))
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
