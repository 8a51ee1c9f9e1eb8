//! A skill's body as data: what it looks for, what it leaves alone, how it works.
//!
//! Markdown's parser gives blocks, and rules look at blocks and at what the section around them is
//! about; no rule looks at raw lines. What is not certain is left out: an orchestrator acts on what
//! stands here. Texts are given back as their authors wrote them and have to be escaped like any
//! foreign text before they reach a prompt or a terminal.

mod area;
mod auto_validated;
mod block;
mod file;
mod kind;
mod lines;
mod method;
mod priority;
mod remark;
mod rule;
mod severity;
mod text;
mod topic;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::Serialize;

pub use area::FocusArea;
pub use auto_validated::AutoValidated;
pub use file::{Base, FileReference};
pub use kind::Kind;
pub use method::Methodology;
pub use priority::PriorityFiles;
pub use remark::{Problem, Remark};
pub use severity::Severity;

use crate::{section::sections, skill::Skill};

/// Most sections that are listed; the largest of 20,000 public skills has 200.
const SECTIONS: usize = 1_000;

/// What only the caller knows: this crate opens no files and counts no tokens.
#[derive(Clone, Copy)]
pub struct Outside<'o> {
    /// Returns the text of a file, or nothing when there is none that may be read.
    pub file: &'o dyn Fn(&FileReference) -> Option<String>,
    /// Estimates how many tokens a text costs.
    pub tokens: &'o dyn Fn(&str) -> u32,
}

impl fmt::Debug for Outside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outside").finish_non_exhaustive()
    }
}

/// A skill as data; empty parts are left out when it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Structure {
    /// The skill's name.
    pub name: String,
    /// The reference it was asked for by.
    pub source: String,
    /// What kind of skill it is.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// The agent that a review skill is for; none means every agent.
    pub primary_agent: Option<String>,
    /// What a review looks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub focus_areas: Vec<FocusArea>,
    /// Patterns whose findings need no validation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub auto_validated_patterns: Vec<AutoValidated>,
    /// What is not to be reported.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub false_positive_rules: Vec<String>,
    /// Where to look first.
    #[serde(skip_serializing_if = "PriorityFiles::is_empty")]
    pub priority_files: PriorityFiles,
    /// How to work.
    #[serde(skip_serializing_if = "Methodology::is_empty")]
    pub methodology: Methodology,
    /// The sections of the body, also those that nothing was taken from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Part>,
}

/// A section with what it costs to show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The text of its heading.
    pub title: String,
    /// The level of its heading, 1 to 6.
    pub level: u8,
    /// Where it begins and ends in the body, in bytes.
    pub bytes: [usize; 2],
    /// The line of the file its heading is on, counted from one.
    pub line: usize,
    /// About how many tokens it costs.
    pub tokens: u32,
}

/// Reads the body of a skill that was asked for as `source`.
pub fn structure(skill: &Skill, source: &str, outside: &Outside<'_>) -> (Structure, Vec<Remark>) {
    let mut remarks = Vec::new();
    let mut tally = remark::Tally::of_body(&mut remarks, skill.body_line.saturating_sub(1));
    let standing = kind::Standing::of(skill);
    let (blocks, is_whole) = block::blocks(&skill.body);
    if !is_whole {
        let line = blocks.last().map_or(1, |block| block.line);
        tally.too_many("blocks", blocks.len(), line);
    }
    let placed = topic::place(&blocks);
    let focus_areas = area::focus_areas(&placed, standing.reach(), &mut tally);
    let kind = standing.kind(&focus_areas);
    let methodology = if standing.has_methodology() {
        method::methodology(&placed, &mut tally)
    } else {
        Methodology::default()
    };
    let structure = Structure {
        name: skill.name.to_string(),
        source: source.to_owned(),
        kind,
        primary_agent: standing.primary_agent(kind),
        focus_areas,
        auto_validated_patterns: auto_validated::auto_validated(
            &placed,
            &standing.subject,
            outside,
            &mut tally,
        ),
        false_positive_rules: rule::false_positive_rules(&placed, &mut tally),
        priority_files: priority::priority_files(&placed, &mut tally),
        methodology,
        sections: parts(skill, outside, &mut tally),
    };
    (structure, remarks)
}

/// Lists the sections with what each costs.
fn parts(skill: &Skill, outside: &Outside<'_>, tally: &mut remark::Tally<'_>) -> Vec<Part> {
    let sections = sections(&skill.body);
    if let Some(section) = sections.get(SECTIONS) {
        tally.too_many("sections", SECTIONS, section.line);
    }
    let parts = sections.into_iter().take(SECTIONS).map(|section| Part {
        tokens: (outside.tokens)(skill.body.get(section.bytes.clone()).unwrap_or_default()),
        title: text::line(&section.title),
        level: section.level,
        bytes: [section.bytes.start, section.bytes.end],
        line: skill.body_line.saturating_sub(1) + section.line,
    });
    parts.collect()
}
