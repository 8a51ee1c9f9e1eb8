//! A graph in the language of Graphviz.

use std::{
    collections::BTreeSet,
    fmt::{self, Write},
};

use super::{Graph, Kind};

impl Graph {
    /// Returns the graph as DOT: cycles red, missing skills red and dashed, mentions dotted.
    ///
    /// Skills without any link are left out.
    pub fn dot(&self) -> impl fmt::Display {
        fmt::from_fn(|f| self.write_dot(f))
    }

    fn write_dot(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cycle_of = self.cycle_of_each();
        writeln!(f, "digraph skills {{\n  rankdir=LR;\n  node [shape=box];")?;
        for (skill, linked) in self.has_links().into_iter().enumerate() {
            if linked {
                writeln!(f, "  {};", quoted(&self.name(skill)))?;
            }
        }
        let missing: BTreeSet<_> =
            self.missing().iter().map(|missing| missing.named.canonical()).collect();
        for name in missing {
            let label = quoted(&format!("{name} (missing)"));
            writeln!(f, "  {} [label={label}, style=dashed, color=red];", quoted(&name))?;
        }
        for edge in self.edges() {
            let mut label = edge.kind.verb().to_owned();
            if let Some(name) = edge.stands_in_for() {
                write!(label, ", in place of {name}")?;
            }
            let (from, to) = (self.name(edge.from), self.name(edge.to));
            write!(f, "  {} -> {} [label={}", quoted(&from), quoted(&to), quoted(&label))?;
            if edge.kind == Kind::Mentions {
                write!(f, ", style=dotted")?;
            }
            let cycle = cycle_of.get(edge.from).copied().flatten();
            if cycle.is_some() && cycle == cycle_of.get(edge.to).copied().flatten() {
                write!(f, ", color=red")?;
            }
            writeln!(f, "];")?;
        }
        for missing in self.missing() {
            let (from, to) = (self.name(missing.from), missing.named.canonical());
            let label = quoted(missing.kind.verb());
            let (from, to) = (quoted(&from), quoted(&to));
            writeln!(f, "  {from} -> {to} [label={label}, style=dashed, color=red];")?;
        }
        writeln!(f, "}}")
    }
}

/// Returns a text as a quoted string, in which only quotes and backslashes mean anything.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() => quoted.push(' '),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
