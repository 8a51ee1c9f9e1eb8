//! Which skill names which next.
//!
//! Skills point at each other in prose (`REQUIRED SUB-SKILL: Use superpowers:writing-plans`), in
//! lists (`Calls: …`), in calls (`Skill(skill: "…")`) and in their frontmatter. A text that merely
//! looks like a reference (an address, a time, a path of code, an English word) must never become
//! a link, and nothing that a skill says here is followed or carried out.

mod cycle;
mod dot;
mod graph;
mod known;
mod leader;
mod mermaid;
mod passage;
mod quoted;
mod reader;
mod text;
mod word;

use serde::Serialize;

pub use self::{
    cycle::Cycle,
    graph::{Edge, Graph, Missing, Part, Route},
    known::Known,
};
use self::{passage::Lines, reader::Reader};
use crate::{reference::Reference, skill::Skill};

/// Most skills that one body is taken to name; no real one names a hundred.
pub const LINKS: usize = 1_000;

/// One skill as another names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What is named.
    pub target: Reference,
    /// In which way.
    pub kind: Kind,
    /// The line of the text it stands in, counted from one; the frontmatter gives none.
    pub line: Option<usize>,
}

/// In which way a skill names another, the firmest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// `REQUIRED SUB-SKILL: …`.
    Requires,
    /// The frontmatter lists it under `skills`.
    Lists,
    /// `Calls: …`.
    Calls,
    /// `Next skill: …`.
    Precedes,
    /// `Skill(…)` or `pacenote skill show …`.
    Opens,
    /// `use the … skill`, or another verb that asks for it.
    Uses,
    /// `REQUIRED BACKGROUND: …`.
    BuildsOn,
    /// Its name alone.
    Mentions,
}

impl Kind {
    /// Returns the verb between the two skills, as it stands in lists and graphs.
    pub const fn verb(self) -> &'static str {
        match self {
            Self::Requires => "requires",
            Self::Lists => "lists",
            Self::Calls => "calls",
            Self::Precedes => "precedes",
            Self::Opens => "opens",
            Self::Uses => "uses",
            Self::BuildsOn => "builds on",
            Self::Mentions => "mentions",
        }
    }
}

/// Returns the skills that a body names, in the order of their first places.
///
/// Each stands there once, with the firmest way in which it is named and the line of that.
///
/// - After a leader (`REQUIRED SUB-SKILL:`, `Calls:`, `Next skill:`) and in `Skill(…)` whatever is
///   written as a name counts, known or not; so does `plugin:name` before the word `skill`.
/// - `plugin:name` alone counts when the plugin is known; in code the skill must be known too.
/// - A plain name alone counts when a skill has it and it stands in backticks or in bold; one of a
///   single word must also be asked for (`use …`) or stand where skills are the subject.
/// - What stands under `Called by:` is no link of this skill.
///
/// After [`LINKS`] the rest is not read.
pub fn links(body: &str, known: &Known) -> Vec<Link> {
    let mut reader = Reader::new(Lines::of(body), known);
    passage::each(body, |part| reader.take(part));
    reader.finish()
}

/// Returns the skills that a whole skill names, in its frontmatter and its body, with the lines of
/// its file. What the frontmatter lists without being a reference is left out.
pub fn links_of(skill: &Skill, known: &Known) -> Vec<Link> {
    let listed = skill.fields.skills.iter().take(LINKS);
    let listed = listed.filter_map(|name| Reference::parse(name).ok());
    let listed = listed.map(|target| Link { target, kind: Kind::Lists, line: None });
    let above = skill.body_line.saturating_sub(1);
    let named = links(&skill.body, known)
        .into_iter()
        .map(|link| Link { line: link.line.map(|line| line + above), ..link });
    listed.chain(named).collect()
}

#[cfg(test)]
mod tests;
