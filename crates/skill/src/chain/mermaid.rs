//! A graph in the language of Mermaid.

use std::{
    collections::BTreeMap,
    fmt::{self, Write},
};

use super::{Graph, Kind};

impl Graph {
    /// Returns the graph as Mermaid: cycles red, missing skills red and dashed, mentions dotted.
    ///
    /// Skills without any link are left out.
    pub fn mermaid(&self) -> impl fmt::Display {
        fmt::from_fn(|f| self.write_mermaid(f))
    }

    fn write_mermaid(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cycle_of = self.cycle_of_each();
        writeln!(f, "graph LR")?;
        // Names are labels only: as identifiers some, such as `end`, would be words of the language.
        for (skill, linked) in self.has_links().into_iter().enumerate() {
            if linked {
                writeln!(f, "  s{skill}[\"{}\"]", label(&self.name(skill)))?;
            }
        }
        let mut absent = BTreeMap::new();
        for missing in self.missing() {
            absent.insert(missing.named.canonical(), 0_usize);
        }
        for (number, (name, place)) in absent.iter_mut().enumerate() {
            *place = number;
            writeln!(f, "  m{number}[\"{} (missing)\"]:::missing", label(name))?;
        }
        let mut red = Vec::new();
        for (number, edge) in self.edges().iter().enumerate() {
            let arrow = if edge.kind == Kind::Mentions { "-.->" } else { "-->" };
            let mut words = label(edge.kind.verb());
            if let Some(name) = edge.stands_in_for() {
                write!(words, ", in place of {}", label(&name))?;
            }
            writeln!(f, "  s{} {arrow}|\"{words}\"| s{}", edge.from, edge.to)?;
            let cycle = cycle_of.get(edge.from).copied().flatten();
            if cycle.is_some() && cycle == cycle_of.get(edge.to).copied().flatten() {
                red.push(number.to_string());
            }
        }
        for missing in self.missing() {
            let place = absent.get(&missing.named.canonical()).copied().unwrap_or_default();
            let words = label(missing.kind.verb());
            writeln!(f, "  s{} -.->|\"{words}\"| m{place}", missing.from)?;
        }
        if !absent.is_empty() {
            writeln!(f, "  classDef missing stroke:#c00,stroke-dasharray:4")?;
        }
        if !red.is_empty() {
            writeln!(f, "  linkStyle {} stroke:#c00", red.join(","))?;
        }
        Ok(())
    }
}

/// Returns a text as part of a quoted label, with everything but plain characters as their codes.
fn label(text: &str) -> String {
    let mut label = String::new();
    for character in text.chars() {
        if character.is_alphanumeric() || " :._-/@".contains(character) {
            label.push(character);
        } else {
            label.extend(format!("#{};", u32::from(character)).chars());
        }
    }
    label
}
